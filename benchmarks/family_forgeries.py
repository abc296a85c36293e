"""How many mutants and forgeries of certificates of families do the two checkers accept, and are these true?

Run with ``python benchmarks/family_forgeries.py [COUNT [SEED]]``. COUNT texts are made from the accepted vectors of the
statement ``family``: mutants, forged claims, altered files, and the directed ones of ``DIRECTED``. Python and Node must
agree on each text. What both accept is decided by the oracle of the tests, which writes members of the family out and
solves them over all covers, in fractions; it shares no code with the checkers. Node is needed.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests" / "support")]

from adversary import forger  # noqa: E402
from adversary.boundary import oracle  # noqa: E402
from adversary.kernels.mutants import mutants  # noqa: E402

from rropt.checker import check_text  # noqa: E402

VECTORS = ROOT / "tests" / "checker" / "vectors" / "family.jsonl"
NODE = ["node", str(ROOT / "kernels" / "javascript" / "node.js"), "--quiet", "--stdin"]
LONGEST = 4_000  # characters of a certificate that is changed: short ones give more texts
BATCH = 500  # texts that one process of Node judges


def without_formula(made: Any, rng: random.Random) -> None:
    """Leave a formula out, with all that names it."""
    formulas = made["claim"]["formulas"]
    at = rng.randrange(len(formulas))
    del formulas[at], made["proof"]["values"][at], made["proof"]["formulas"][at]
    for i, entry in enumerate(made["proof"]["formulas"]):
        place = at - (1 if i < at else 0)  # among the hypotheses of formula i
        del entry["differences"][at]
        _drop(entry["tree"], place if i < at else at)


def _drop(tree: Any, place: int) -> None:
    if "split" in tree:
        _drop(tree["nonnegative"], place)
        _drop(tree["nonpositive"], place)
        return
    for identity in tree["identities"]:
        if place + 1 < len(identity["multipliers"]):
            del identity["multipliers"][place + 1]


def equal_at_first(made: Any, rng: random.Random) -> None:
    """Change an expression by a multiple of (k - a)(k - b), which is 0 at two members."""
    problem = made["problem"]
    names = [one["name"] for one in problem["parameters"] if one["whole"]] or ["1"]
    name = rng.choice(names)
    first = [one["from"] for one in problem["parameters"] if one["name"] == name] or ["1"]
    roots = [{"sum": [name, str(-oracle.F(first[0]) - n)]} for n in (0, 1)]
    step: Any = {"product": [*roots, rng.choice(["1/1000", "-1/1000", "1"])]}
    holder, key = rng.choice(_expressions(made))
    holder[key] = {"sum": [holder[key], step]}


def _expressions(made: Any) -> list[tuple[Any, Any]]:
    problem, formulas = made["problem"], made["claim"]["formulas"]
    found = [(one, name) for one in problem["classes"] for name in ("size", "share")]
    found += [(one["costs"], i) for one in problem["decisions"] for i in range(len(one["costs"]))]
    return found + [(one, "value") for one in formulas] + [(row, "weight") for one in formulas for row in one["rows"]]


def wider(made: Any, rng: random.Random) -> None:
    """Widen the range of a parameter, or let it be any number."""
    parameters = made["problem"]["parameters"]
    if not parameters:
        return swapped(made, rng)
    one = rng.choice(parameters)
    change = rng.choice(("from", "to", "whole"))
    if change == "whole":
        one["whole"] = not one["whole"]
    elif change == "to":
        one["to"] = None if one["to"] is not None else str(int(oracle.F(one["from"])) + 5)
    else:
        one["from"] = str(int(oracle.F(one["from"])) - 1)
    return None


def swapped(made: Any, rng: random.Random) -> None:
    """Exchange the values, rows or proofs of two formulas, or the sense."""
    formulas, proof = made["claim"]["formulas"], made["proof"]
    if len(formulas) < 2 or rng.random() < 0.2:
        made["problem"]["sense"] = "maximise" if made["problem"]["sense"] == "minimise" else "minimise"
        return
    i, j = rng.sample(range(len(formulas)), 2)
    lists: list[list[Any]] = [formulas, proof["values"], proof["formulas"]]
    for listed in rng.sample(lists, rng.choice((1, 1, 2))):
        listed[i], listed[j] = listed[j], listed[i]


def smaller(made: Any, rng: random.Random) -> None:
    """Let a value be smaller, in the claim and in the proof, with all terms of the numerator in step."""
    at = rng.randrange(len(made["claim"]["formulas"]))
    factor = rng.choice(("1/2", "99/100", "0"))
    formula = made["claim"]["formulas"][at]
    formula["value"] = {"product": [formula["value"], factor]}
    above = made["proof"]["values"][at][0]
    made["proof"]["values"][at][0] = (
        [[str(oracle.F(x) * oracle.F(factor)), *e] for x, *e in above] if factor != "0" else []
    )


def unsigned(made: Any, rng: random.Random) -> None:
    """Turn the signs of a hypothesis and of its factor, so that their product stays."""
    entry = rng.choice(made["proof"]["formulas"])
    pairs = [pair for pair in entry["differences"] if pair is not None]
    if not pairs:
        return swapped(made, rng)
    pair = rng.choice(pairs)
    for part in rng.choice(([0, 1], [1])):
        pair[part] = [[str(-oracle.F(x)), *e] for x, *e in pair[part]]
    return None


def emptied(made: Any, rng: random.Random) -> None:
    """Take the identity of a condition away, or give it that of another one."""
    tree = rng.choice(made["proof"]["formulas"])["tree"]
    while "split" in tree:
        tree = tree[rng.choice(("nonnegative", "nonpositive"))]
    places = [n for n, entry in enumerate(tree["conditions"]) if entry is not None]
    if not places:
        return smaller(made, rng)
    at = rng.choice(places)
    tree["conditions"][at] = rng.choice([None, [tree["conditions"][at][0], []], tree["conditions"][rng.choice(places)]])
    return None


def split_twice(made: Any, rng: random.Random) -> None:
    """Split by a polynomial whose two signs both get the proof of the positive one."""
    entry = rng.choice(made["proof"]["formulas"])
    size = len(made["problem"]["parameters"]) + 1
    h = [[rng.choice(("1", "-1")), *("1" if n == size - 1 else "0" for n in range(size))]]
    leaf = entry["tree"]
    for side in (leaf, wrong := deepcopy(leaf)):
        _more(side, [["1", *["0"] * size]] if side is wrong and rng.random() < 0.5 else [])
    entry["tree"] = {"split": h, "nonnegative": leaf, "nonpositive": wrong}


def _more(tree: Any, multiplier: Any) -> None:
    if "split" in tree:
        _more(tree["nonnegative"], multiplier)
        _more(tree["nonpositive"], multiplier)
        return
    for identity in tree["identities"]:
        identity["multipliers"].append(multiplier)


def other_row(made: Any, rng: random.Random) -> None:
    """Turn a digit of a row, the own digit, or its decision."""
    row = rng.choice(rng.choice(made["claim"]["formulas"])["rows"])
    what = rng.choice(("classes", "own", "decision"))
    if what == "classes":
        at = rng.randrange(len(row["classes"]))
        row["classes"] = row["classes"][:at] + ("0" if row["classes"][at] == "1" else "1") + row["classes"][at + 1 :]
    elif what == "own":
        row["own"] = "0" if row["own"] == "1" else "1"
    else:
        row["decision"] = str(rng.randrange(len(made["problem"]["decisions"])))


DIRECTED: tuple[Callable[[Any, random.Random], None], ...] = (
    without_formula, equal_at_first, wider, swapped, smaller, unsigned, emptied, split_twice, other_row,
)  # fmt: skip


def directed(documents: list[Any], count: int, seed: int) -> Iterator[str]:
    """Yield directed forgeries: one change, sometimes two."""
    rng = random.Random(seed)
    for _ in range(count):
        made = deepcopy(rng.choice(documents))
        for change in rng.sample(DIRECTED, rng.choice((1, 1, 1, 2))):
            if made["claim"]["formulas"]:
                change(made, rng)
        yield json.dumps(made)


def texts(documents: list[Any], count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each file."""
    share, rng = count // 4, random.Random(seed + 1)
    made = [
        ("mutant", mutants(documents, share, seed)),
        ("forged claim", map(json.dumps, forger.forgeries(documents, share, seed))),
        ("altered", (json.dumps(forger.altered(rng.choice(documents), documents, rng)) for _ in range(share))),
        ("directed", directed(documents, count - 3 * share, seed)),
    ]
    for kind, listed in made:
        for text in listed:
            yield kind, text


def of_node(listed: list[str], folder: Path) -> list[bool]:
    """Return the verdicts of the checker in JavaScript."""
    names = []
    for n, text in enumerate(listed):
        names.append(str(folder / f"{n}.json"))
        Path(names[-1]).write_bytes(text.encode("utf-8", "surrogatepass"))
    done = subprocess.run(NODE, input="\n".join(names), capture_output=True, text=True, timeout=600, check=False)
    lines = done.stdout.splitlines()
    assert len(lines) == len(listed), done.stderr[-300:]
    return [line.startswith("accepted") for line in lines]


def judge(batch: list[tuple[str, str]], folder: Path, counts: Counter[tuple[str, str]], known: dict[str, Any]) -> None:
    """Count the verdicts of a batch; stop at a difference, and at a false file that is accepted."""
    answers = of_node([text for _, text in batch], folder)
    for (kind, text), answer in zip(batch, answers, strict=True):
        own = bool(check_text(text))
        if own != answer:
            raise SystemExit(f"Python {own}, JavaScript {answer}: {text}")
        counts[kind, "accepted" if own else "rejected"] += 1
        if own:
            data = json.loads(text)
            key = json.dumps([data["problem"], data["claim"]], sort_keys=True)
            if key not in known:
                known[key] = oracle.truth(data)
            if known[key] is False:
                raise SystemExit(f"a false file is accepted: {text}")
            counts[kind, "decided as true" if known[key] else "not decided"] += 1


def main(count: int, seed: int) -> None:
    lines = VECTORS.read_text("utf-8").splitlines()
    listed = [case["certificate"] for case in map(json.loads, lines) if case["verdict"] == "accepted"]
    documents = [document for document in listed if len(json.dumps(document)) < LONGEST]
    counts: Counter[tuple[str, str]] = Counter()
    known: dict[str, Any] = {}
    begin, batch = time.perf_counter(), []
    with tempfile.TemporaryDirectory() as name:
        for n, pair in enumerate(texts(documents, count, seed), 1):
            batch.append(pair)
            if len(batch) == BATCH or n == count:
                judge(batch, Path(name), counts, known)
                batch = []
            if n % (20 * BATCH) == 0 or n == count:
                print(f"{n} texts of {len(documents)} certificates, {time.perf_counter() - begin:.0f} s", flush=True)
                for kind in dict.fromkeys(kind for kind, _ in counts):
                    own = {what: x for (k, what), x in counts.items() if k == kind}
                    print(f"  {kind}: " + ", ".join(f"{x} {what}" for what, x in own.items()), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
