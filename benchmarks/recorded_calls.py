"""What the command line answered before the house was rebuilt, and what it answers now.

    python benchmarks/recorded_calls.py            # runs every call and prints the differences
    python benchmarks/recorded_calls.py --only bound
    python benchmarks/recorded_calls.py --record   # replaces the record (made once, at the tag `before-house`)

Some 250 calls of every command, good and bad, hand-written or drawn with a fixed seed, run in this process in a folder
of their own. Of each the record holds the status, the answer (JSON where there is `--json`, else the text) and, of bad
input, the line of error; seconds and versions are left out, what is longer than 2 000 characters is held as its hash.
Certificates are held whole, and today's checker judges them again.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import hashlib
import io
import json
import os
import random
import re
import shlex
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RECORD = Path(__file__).resolve().with_suffix(".json.gz")
LONGEST = 2_000  # characters of one text
LONGEST_LIST = 60  # entries
LATER = ("question", "result", "beside")  # what every answer has had since
UNSTEADY = ("seconds", "version", "versions", "numpy", "python", "platform")

FILES = {
    "m.json": '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}',
    "m3.json": '{"matrix": [["1/2", "1/4", "1/4"], ["1/4", "1/2", "1/4"], ["1/4", "1/4", "1/2"]]}',
    "wide.csv": "1/2,1/6,1/6\n1/6,1/2,1/6\n1/6,1/6,1/2\n1/6,1/6,1/6\n",
    "floats.csv": "0.7000001,0.2,0.1\n0.2,0.6,0.2\n0.1,0.2,0.7\n",
    "rows.csv": "0.75,0.25\n0.5,0.5\n",
    "bad.json": '{"matrix": [["3/4", "1/4"], ["1/4", "1/4"]]}',
    "cut.json": '{"matrix": [["3/4", "1/4"',
    "words.csv": "yes,no\nno,yes\n",
    "answers.csv": "name,sick\na,no\nb,yes\nc,no\nd,yes\n",
    "plain.csv": "0\n1\n0\n1\n1\n",
    "levels.json": '{"levels": [[null, "1", "2"], ["1", null, "1"], ["2", "1", null]]}',
    "bounds.json": '{"diagonal": "1/2", "entries": [{"output": 0, "input": 1, "most": "1/5"}]}',
    "hard.json": '{"diagonal": "9/10"}',
    "loss.csv": "0,1,4\n1,0,1\n4,1,0\n",
    "properties.json": '{"properties": [[0], [1, 2]]}',
    "false.json": '{"format": "rropt-certificate/1"}',
}

TABLE = r"""
design binary --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --certificate binary.json
design binary --epsilon 1 --prevalence 1/4 --n 500 --certificate irrational.json
design binary --epsilon "1/2*log(3)" --delta exp(-3) --prevalence 1/3
design binary --gamma 3 --prevalence 0
design binary --gamma 3 --delta 1/2 --prevalence 1 --family warner
design binary --rho 1/5 1/2 --prevalence 1/10 --certificate rho.json
design binary --beta 3 --prevalence 1/10
design binary --epsilon "1/2*log(3)" --delta exp(-3) --prevalence 2/3 --certificate powers.json
design binary --gamma 3 --delta 1/2 --prevalence 1/4 --family warner --certificate warner.json
design binary --upper "sqrt(p)" --prevalence 1/4 --certificate root.json
design binary --upper "min(1, 2*p+1/10)" --prevalence 1/4 --certificate algebraic.json
design binary --upper "1-(1-p)^3" --lower "p^2" --prevalence 1/4
design binary --gamma 4 --prevalence 1/10..1/4 --certificate interval.json
design binary --epsilon 1 --delta 1/10 --prevalence 1/10..2/5 --n 1000 --confidence 0.9
design binary --epsilon 1 --prevalence 1/4 --routes exact,closed-form
design binary --epsilon 0 --prevalence 1/4
design binary --epsilon 1 --prevalence 1/4 --routes magic
design binary --upper 1 --prevalence 1/4
design kary --categories 5 --epsilon 1 --objective trace --certificate trace.json
design kary --categories 4 --gamma 3 --objective trace --weights 1,2,3,4 --certificate weighted.json
design kary --population 1/2,1/3,1/6 --gamma 3 --objective loss --loss zero-one
design kary --categories 6 --epsilon 1 --distance abs --objective loss --loss absolute --certificate distance.json
design kary --categories 4 --gamma 2 --delta 1/10 --objective trace --certificate delta.json
design kary --categories 3 --epsilon 1 --objective trace --bounds bounds.json --certificate bounds-1.json
design kary --categories 3 --gamma 3 --objective trace --bounds hard.json --certificate infeasible.json
design kary --categories 3 --epsilon 1 --objective trace --bounds hard.json
design kary --categories 3 --levels levels.json --objective trace
design kary --categories 3 --epsilon 1 --objective loss --loss loss.csv
design kary --categories 3 --rho 1/5 1/2 --objective trace
design kary --categories 3 --upper "p^(1/2)" --objective loss --loss squared
design kary --categories 4 --epsilon "1/2*log(5)" --objective loss --loss squared --routes exact
design kary --categories 8 --gamma 2 --objective loss --loss squared --certificate squared.json
design kary --population 1/2,1/2 --epsilon 1 --delta exp(-3) --objective loss --loss absolute --certificate loss.json
design kary --categories 3 --epsilon 1 --objective trace --weights 1,1
design kary --categories 3 --epsilon 1 --objective loss
design kary --categories 3 --epsilon 1 --objective trace --bounds cut.json
check binary.json irrational.json rho.json root.json algebraic.json interval.json trace.json delta.json
check binary.json false.json
check none.json
privacy forced:2/3,1/6,1/6
privacy warner:3/4 --epsilon 1 --delta 1/10
privacy warner:3/4 --epsilon 1
privacy generalised:1,1/4 --gamma 2 --delta 1/4 --profile
privacy unary:3,1/2,1/4 --profile
privacy kuk:4/5,1/5,3 --epsilon 1 --profile
privacy mangat:3/4
privacy mangat:3/4 --epsilon 2 --delta 3/4
privacy warner:5/6 --rho 1/5 1/2
privacy warner:3/4 --rho 1/5 1/2
privacy grr:3,1/2 --beta 2 --properties "0;1,2"
privacy grr:3,1/2 --rho 1/5 1/2 --properties properties.json
privacy m3.json --upper "sqrt(p)"
privacy m3.json --upper "min(1, 2*p+1/10)"
privacy m3.json --gamma 2 --delta exp(-2)
privacy wide.csv --epsilon "log(3)"
privacy floats.csv --epsilon "log(7)"
privacy rows.csv --transposed --profile
privacy grr:4,1/2 --epsilon 1/2 --delta 1/5
privacy crosswise:1/4
privacy mangat-singh:1/4,2/3
privacy unrelated:3/4,1/2
privacy bad.json
privacy cut.json
privacy words.csv
privacy warner:2
privacy nobody:1/2
privacy warner:3/4 --properties x
privacy warner:3/4 --upper q
bound --rho 1/5 1/2 --certificate bound-rho.json
bound --rho 1/20 19/20
bound --beta 3
bound --upper "sqrt(p)" --certificate bound-root.json
bound --upper "p^(1/3)"
bound --upper "min(1, 3*p)"
bound --upper "piecewise(1/2, p < 1/5, 1)" --mechanism warner:5/6
bound --upper "piecewise(1/2, p < 1/5, 1)" --lower "piecewise(0, p < 4/5, 1/2)"
bound --upper "1-(1-p)^2" --lower "p^2"
bound --upper "min(1, 2*p+1/10)" --certificate bound-algebraic.json
bound --upper "2*p/(1+p)" --certificate bound-rational.json
bound --upper "1-exp(-3*p)+p*exp(-3)" --certificate bound-exp.json
bound --upper "min(1, p+p*(1-p))"
bound --upper "p-p*log(p)"
bound --upper "max(p^(3/4), 47/10*p/(1+37/10*p))"
bound --upper "sqrt(p)" --lower "1-sqrt(1-p)" --mechanism m.json
bound --upper "log(1+p)/log(2)"
bound --upper "min(1, 5*p)" --mechanism grr:3,1/2
bound --upper "p"
bound --upper 1
bound --upper "2*p"
bound --upper "p +"
bound --upper "1/(p-1/2)"
bound --lower p
bound --rho 1/2 1/5
bound --rho 1/5 1/2 --beta 2
compare warner:3/4 forced:2/3,1/6,1/6 --certificate pair
compare warner:3/4 warner:2/3
compare warner:2/3 warner:3/4
compare m.json warner:3/4
compare m3.json wide.csv --certificate shape
compare grr:4,1/2 unary:4,1/2,1/4
compare unary:3,1/2,1/4 unary:3,3/4,1/4
compare kuk:4/5,1/5,3 kuk:3/5,2/5,3
compare generalised:1,1/4 generalised:3/4,1/2
compare warner:3/4 warner:2/3 forced:2/3,1/6,1/6 crosswise:1/4 mangat:3/4 generalised:1,1/4
compare warner:3/4 m3.json
compare warner:3/4
admissible forced:2/3,1/6,1/6
admissible warner:3/4 --rho 1/5 1/2
admissible grr:4,1/2 --certificate admissible.json
admissible wide.csv --certificate dominated.json
admissible unary:3,1/2,1/4
admissible m3.json --gamma 3
admissible m3.json --epsilon 1
admissible m3.json --upper "min(1, 3*p+1/10)"
admissible warner:3/4 --gamma 2
admissible warner:1
repair floats.csv --epsilon 1 --certificate repair.json
repair floats.csv --epsilon "log(3)" --norm l1
repair rows.csv --transposed --gamma 2
repair m3.json --gamma 3/2 --delta 1/20 --certificate repair-delta.json
repair bad.json --epsilon 1
repair m3.json --rho 1/5 1/3
repair words.csv --epsilon 1
mechanisms
estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
estimate --yes 0 --n 30 --mechanism warner:3/4
estimate --yes 29 --n 30 --mechanism crosswise:1/4 --confidence 0.99
estimate --counts 10,20,30 --mechanism m3.json --contrast 0,1,-1
estimate --counts 1,2,57 --mechanism grr:3,1/2 --confidence 0.9
estimate --counts 10,20,30,40 --mechanism wide.csv --reference 1/2,1/4,1/4
estimate --counts 3,1,4,1 --mechanism kuk:4/5,1/5,3
estimate --yes 5 --n 3 --mechanism warner:3/4
estimate --counts 1,2,3 --mechanism warner:3/4
estimate --yes 1 --n 3 --mechanism warner:1/2
plan --mechanism forced:2/3,1/6,1/6 --margin 0.05 --prevalence 1/4
plan --mechanism forced:2/3,1/6,1/6 --margin 0.05
plan --mechanism warner:3/4 --margin 0.1 --prevalence 1/4 --interval wilson
plan --mechanism warner:3/4 --margin 0.1 --prevalence 1/4 --interval normal --confidence 0.9
plan --mechanism warner:3/4 --margin 0.1 --interval chebyshev
plan --epsilon "log(3)" --prevalence 1/10 --power 0.9 --null 0 --significance 0.01
plan --epsilon 1 --prevalence 1/10 --power 0.8 --sided two --null 1/4
plan --mechanism warner:3/4 --prevalence 1/10 --power 0.8 --test normal
plan --rho 1/5 1/2 --prevalence 1/10 --margin 0.05
plan --upper "sqrt(p)" --prevalence 1/10 --margin 0.1
plan --mechanism forced:2/3,1/6,1/6 --n 200 --prevalence 0.2 --null 0 --significance 0.01
plan --mechanism warner:3/4 --n 200 --prevalence 0.2 --interval wilson
plan --mechanism warner:3/4 --variance 1/10000 --prevalence 1/3
plan --mechanism warner:3/4 --standard-error 0.01
plan --epsilon 1 --margin 0.1
plan --mechanism warner:3/4 --margin 0
randomize answers.csv --mechanism warner:3/4 --column sick --categories no,yes --simulate --seed 5
randomize plain.csv --mechanism m.json --simulate --seed 7
randomize plain.csv --mechanism kuk:4/5,1/5,3 --simulate --seed 7 --outputs a,b,c,d
randomize plain.csv --mechanism warner:3/4 --seed 1
randomize answers.csv --mechanism warner:3/4 --column nobody --simulate --seed 5
plot region --rho 1/5 1/2 --prevalence 1/10
plot region --epsilon 1 --delta 1/10 --mechanism warner:2/3
plot variance --epsilon "log(3)" --delta 1/10 --prevalence 1/4
plot g
plot g --levels 1/4,1/2 --mark "log(2),1/4"
plot efficiency --prevalence 1/4
plot breaches --rho 1/5 1/2 --mechanism warner:5/6
plot breaches --figure 2
plot breaches --upper "sqrt(p)" --canonical --gammas 2,3
plot breaches --figure 9
verify holohan2016.lemma-1 holohan2016.theorem-1
verify chainayak2018.eq-1.2 "chainayak2018.theorem-[123]*"
verify "ziani.*"
verify no.such.claim
"""

# The same without --json: what people read.
PRINTED = (
    "design binary --epsilon 1",
    "design binary --upper",
    "design binary --gamma",
    "design kary",
    "check",
    "privacy",
    "bound",
    "compare",
    "admissible",
    "repair",
    "estimate",
    "plan",
    "mechanisms",
)


def calls() -> list[list[str]]:
    """Return the calls, drawn ones last."""
    rows = [shlex.split(row) for row in TABLE.strip().splitlines()]
    commands = [[*row, "--json"] for row in rows]
    texts = [row for line, row in zip(TABLE.strip().splitlines(), rows, strict=True) if line.startswith(PRINTED)]
    return [*commands, *(text for text in texts[::2]), *([*row, "--json"] for row in drawn(random.Random(13)))]


def drawn(rng: random.Random) -> Iterator[list[str]]:
    """Yield calls with levels and numbers at random."""
    for _ in range(16):
        level = rng.choice([f"log({rng.randint(2, 9)})", f"{rng.randint(1, 9)}/{rng.randint(2, 9)}", "1/2*log(7)"])
        delta = rng.choice(["0", "0", f"1/{rng.randint(3, 20)}", f"exp(-{rng.randint(1, 9)})"])
        prevalence = f"{rng.randint(0, 7)}/7"
        yield ["design", "binary", "--epsilon", level, "--delta", delta, "--prevalence", prevalence]
        yes = rng.randint(1, 5)
        yield ["privacy", f"forced:1/2,{yes}/12,{6 - yes}/12", "--epsilon", level, "--delta", delta]
    for _ in range(8):
        a, b = rng.randint(1, 5), rng.randint(6, 10)
        yield ["bound", "--rho", f"{a}/12", f"{b}/12"]
        yield ["compare", f"warner:{b}/11", f"generalised:{b - 1}/10,{a + 4}/10"]
        yield ["estimate", "--yes", str(rng.randint(0, 90)), "--n", "90", "--mechanism", f"warner:{b}/11"]


def steady(value: Any) -> Any:
    """Return an answer without what changes from run to run, and with hashes in the place of what is long."""
    if isinstance(value, dict):
        return {key: steady(item) for key, item in value.items() if key not in (*UNSTEADY, *LATER)}
    if isinstance(value, list) and len(value) <= LONGEST_LIST:
        return [steady(item) for item in value]
    if isinstance(value, list) or (isinstance(value, str) and len(value) > LONGEST):
        return "sha256:" + hashlib.sha256(json.dumps(value).encode()).hexdigest()[:24]
    return value


def answer(argv: list[str]) -> list[Any]:
    """Return status, answer, and of bad input the line of error, of one call."""
    from rropt.cli.main import main

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(argv)
    text = out.getvalue()
    try:
        found = steady(json.loads(text))
        if status == 2 and isinstance(found, dict) and "kind" in found:  # since: an error in JSON, beside its line
            found = ""
    except ValueError:
        found = steady(re.sub(r"\d+(\.\d+)? m?s\b", "T", "\n".join(line.rstrip() for line in text.splitlines())))
    return [status, found, err.getvalue().strip() if status == 2 else ""]


def differences(before: Any, after: Any, path: str = "") -> Iterator[str]:
    """Yield the places where two answers differ, with both."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in [*before, *(key for key in after if key not in before)]:
            yield from differences(before.get(key, "(none)"), after.get(key, "(none)"), f"{path}/{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{path}/{i}")
    elif isinstance(before, str) and isinstance(after, str) and before.count("\n") == after.count("\n") > 0:
        for i, (one, other) in enumerate(zip(before.splitlines(), after.splitlines(), strict=True)):
            yield from differences(one, other, f"{path}/line {i + 1}")
    elif before != after:
        yield f"{path}: {str(before)[:160]!r} -> {str(after)[:160]!r}"


def run(only: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the answers of all calls, and the certificates that they wrote."""
    answers, here = {}, Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for name, text in FILES.items():
                Path(name).write_text(text, encoding="utf-8")
            for argv in calls():
                if only in shlex.join(argv):
                    answers[shlex.join(argv)] = answer(argv)
            written = sorted(path for path in Path().glob("*.json") if path.name not in FILES)
            return answers, {path.name: path.read_text(encoding="utf-8") for path in written}
        finally:
            os.chdir(here)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="replace the record")
    parser.add_argument("--only", default="", metavar="TEXT", help="the calls that hold this text")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when something differs")
    args = parser.parse_args()
    os.environ["COLUMNS"] = "100"  # of the usage lines
    start = time.process_time()
    answers, certificates = run(args.only)
    if args.record:
        data = json.dumps({"answers": answers, "certificates": certificates}, separators=(",", ":")).encode()
        RECORD.write_bytes(gzip.compress(data, mtime=0))
        print(f"{len(answers)} calls, {len(certificates)} certificates, {RECORD.stat().st_size} bytes")
        return
    from rropt.checker import check_text

    record = json.loads(gzip.decompress(RECORD.read_bytes()))
    known = {call: old for call, old in record["answers"].items() if args.only in call}
    different = more = 0
    for call, before in known.items():
        if found := list(differences(before, answers.get(call))):
            different += 1
            more += all(": '(none)' -> " in line for line in found)
            print(f"rropt {call}", *(f"    {line}" for line in found[:12]), sep="\n")
    refused = [name for name, text in record["certificates"].items() if not check_text(text).accepted]
    print(f"{len(known)} calls, {different} differ, {more} of them only say more;")
    print(f"{len(record['certificates'])} certificates made before, refused:")
    print(f"    {', '.join(refused) or 'none'}; {time.process_time() - start:.0f} s of processor time")
    if args.strict and (different or refused):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
