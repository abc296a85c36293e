"""The checker in JavaScript: conformance, mutants against the checker in Python, limits, sizes, hostile files."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from every_case import every_case
from javascript import verdict

import rropt.checker
from adversary.built import built
from adversary.fuzz import dropped
from adversary.programs import largest_trace
from adversary.stored import accepted, cases
from rropt.checker import check_text
from rropt.checker.conformance import File, run_suite, suite_files, vector_files
from rropt.checker.conformance.suite_runner import verdict_of
from rropt.checker.sentences import sentence

from .conftest import COQ_STATEMENTS, KERNEL, ROOT, VECTORS
from .judging import (
    agree,
    bracket_texts,
    forged_texts,
    large_a_optimal,
    require_hostile_rejected,
)
from .mutants import lengthened, mutant_texts

FORMAT = Path(rropt.checker.__file__).parent / "FORMAT.md"
# the statements of the table in FORMAT.md, in its order
STATEMENTS = [
    name
    for row in re.findall(r"^\|([^|]*)\|[^|]*\| \[", FORMAT.read_text("utf-8"), re.MULTILINE)
    for name in re.findall(r"`([a-z-]+)`", row)
]


def test_it_gives_every_verdict(javascript: list[str], size: Callable[[int, int], int]) -> None:
    """Every file of the boundary suite, and every tenth of the vectors, at full size every vector."""
    judged = [*suite_files(), *list(vector_files(VECTORS))[:: size(10, 1)]]
    outcome = run_suite([*javascript, "--stdin"], judged, names_on_input=True)
    assert not outcome.differences, "\n".join(map(str, outcome.differences[:20]))
    assert sum(outcome.judged.values()) == len(judged) > 1500


@pytest.mark.slow
def test_mutants_get_the_verdict_of_the_checker_in_python(files: list[File], size: Callable[[int, int], int]) -> None:
    """A mutant may be true: what counts is that both checkers say the same."""
    texts = mutant_texts(files, STATEMENTS, size(40, 600))
    assert len(agree(texts, map(verdict, texts)).accepted) > len(texts) / 50


@pytest.mark.slow
def test_long_numbers(files: list[File], size: Callable[[int, int], int]) -> None:
    """Each number has the limit of digits that the page states: in one file of each kind of problem and proof."""
    kinds = {}
    for file in files:
        if file.accepted and len(file.text) < 4000:
            made = json.loads(file.text)
            objective, way = made["problem"].get("objective"), made["proof"].get("way")
            kind = objective["kind"] if isinstance(objective, dict) else None
            kinds[made["statement"], kind, way, '"up"' in json.dumps(made["problem"])] = made
    texts = [text for made in kinds.values() for text in lengthened(made)][:: size(5, 1)]
    assert len(kinds) > 40
    agree(texts, map(verdict, texts))


@pytest.mark.slow
def test_design_brackets(size: Callable[[int, int], int]) -> None:
    """Format 2: built, degenerate, stored, forged and altered files get the verdict of the checker in Python."""
    texts = bracket_texts(size(13, 1), size(120, 1500))
    assert len(agree(texts, map(verdict, texts)).accepted) > size(40, 80)


@every_case("statement", STATEMENTS)
def test_forged_files(statement: str, size: Callable[[int, int], int]) -> None:
    """Files with a false claim, and with changes anywhere, get the verdict of the checker in Python."""
    texts = forged_texts(statement, size(12, 250))
    agree(texts, map(verdict, texts))


def test_files_with_one_change(size: Callable[[int, int], int]) -> None:
    """Files that are ill formed in one place, and files made for one fault each."""
    texts = built("honest") + built("planted", "false")[:: size(9, 1)]
    for name in STATEMENTS:
        for true in accepted()[name][:: size(40, 8)]:
            texts += islice(map(json.dumps, dropped.ill_formed(true)), 0, None, size(200, 2))
            if "point" not in true["proof"]:  # part A: null stands only where the page names it
                texts.append(json.dumps({**true, "proof": {**true["proof"], "point": None}}))
    assert len(agree(texts, map(verdict, texts)).accepted) > 10


def test_its_limits_are_those_of_the_page() -> None:
    text = (KERNEL / "limits.js").read_text("utf-8")
    own = {}
    for name, value in re.findall(r"^export const (MAX_\w+) = (.*?);", text, re.MULTILINE):
        own[name] = eval(value.replace("n", "") if value.endswith("n") else value)
    page = FORMAT.read_text("utf-8")
    stated = {}
    for name, value in re.findall(r"^\| `(MAX_\w+)` \| ([^|]*?) \|", page, re.MULTILINE):
        stated[name] = eval(value.replace("^", "**").replace(" MiB", "* 2**20").replace(" ", ""))
    budgets = stated.pop("MAX_BUNDLE_WORK") / stated.pop("MAX_WORK")  # in units of the checker in Python
    assert own["MAX_BUNDLE_WORK"] == budgets * own["MAX_WORK"]
    del stated["MAX_MATRIX_BITS"]  # here work bounds a matrix, too
    assert {name: own.get(name) for name in stated} == stated
    assert len(stated) > 25


@pytest.mark.parametrize("k", [12, pytest.param(16, marks=pytest.mark.slow)])
def test_a_large_a_optimal_certificate(k: int) -> None:
    text = large_a_optimal(k)
    assert check_text(text).accepted
    assert verdict(text) == "accepted"


@pytest.mark.slow
def test_a_large_linear_program() -> None:
    assert verdict(largest_trace(60, "1")) == "accepted"


_STATED = """
const [kernel, ...rest] = process.argv.slice(1);
const { sentenceOf } = await import(`${kernel}/sentences.js`);
const { Place } = await import(`${kernel}/places.js`);
const { readJson } = await import(`${kernel}/json.js`);
const { startBudget } = await import(`${kernel}/budget.js`);
const { readFileSync } = await import("node:fs");
for (const text of JSON.parse(readFileSync(0, "utf8"))) {
  startBudget();
  const file = new Place(readJson(text));
  for (const full of [false, true]) {
    try {
      console.log(JSON.stringify(sentenceOf(file, full)));
    } catch (error) {
      console.log(JSON.stringify(`error: ${error.message}`));
    }
  }
}
"""


def stated(node: str, documents: Sequence[Any]) -> list[str]:
    """Return the sentences of files in JavaScript, short and in full, without a check of the files."""
    command = [node, "--input-type=module", "--eval", _STATED, KERNEL.as_uri()]
    texts = json.dumps([json.dumps(document) for document in documents])
    done = subprocess.run(command, input=texts, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_sentences_are_those_of_python(node: str, files: list[File]) -> None:
    """Of all accepted files, and of files with a kind that is unknown."""
    documents = [json.loads(file.text) for file in files if file.accepted]
    documents += [case["certificate"] for case in cases()[::7] if case["verdict"] == "accepted"]
    said = iter(stated(node, documents))
    for document in documents:
        for full in (False, True):
            assert next(said) == sentence(document, full=full)
    unknown = [json.loads(json.dumps(each).replace('"kind": "', '"kind": "unheard-of ')) for each in documents[::20]]
    unknown = [each for each in unknown if each["problem"] not in [other["problem"] for other in documents]]
    assert len(unknown) > 20
    assert all(line.startswith("error: ") for line in stated(node, unknown))


def test_hostile_files_are_rejected(javascript: list[str], tmp_path: Path) -> None:
    require_hostile_rejected(javascript, tmp_path)


def test_files_that_cannot_be_read(javascript: list[str], tmp_path: Path) -> None:
    (tmp_path / "bytes.json").write_bytes(b'{"format": "\xff"}')
    names = [str(tmp_path / "missing.json"), str(tmp_path), str(tmp_path / "bytes.json")]
    done = subprocess.run([*javascript, *names], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert [line.partition(":")[0] for line in done.stdout.splitlines()] == ["rejected"] * 3
    assert subprocess.run(javascript, capture_output=True, check=False).returncode == 2


COSTLY = [
    # far beyond any budget if worked out
    {"sum": [{"power": [{"sum": ["x", "y", "z", "1"]}, "300"]}, "1"]},
    {"power": [{"power": [{"power": [{"sum": ["x", "1/3"]}, "1000"]}, "1000"]}, "1000"]},
]


def test_costly_files_are_rejected(size: Callable[[int, int], int]) -> None:
    texts = []
    for expression in COSTLY[: size(1, 2)]:
        problem = {"parameters": ["x", "y", "z"], "hypotheses": []}
        parts = {"problem": {**problem, "left": expression, "right": "1"}, "claim": {"relation": "="}}
        proof = {"way": "identity", "cofactors": [], "point": None}
        texts.append(json.dumps({"format": "2", "statement": "polynomial", **parts, "proof": proof}))
    assert all(verdict(text).startswith("rejected: ") for text in texts)


def statements_table(accepted: dict[str, set[str]]) -> str:
    """Return the table of statements and kernels; `test_coq.py` tests what stands for the proved kernel."""
    kernels = {name: dict.fromkeys(own, "yes") for name, own in accepted.items()} | {"Coq": COQ_STATEMENTS}
    rows = [f"| `{name}` | {' | '.join(own.get(name, '') for own in kernels.values())} |" for name in STATEMENTS]
    return "\n".join([f"| `statement` | {' | '.join(kernels)} |", f"|---|{'---|' * len(kernels)}", *rows])


def test_the_table_of_statements(files: list[File]) -> None:
    """A statement stands for a kernel if the kernel accepts the first certificate of it that is accepted."""
    first = {name: next(file for file in files if file.statement == name and file.accepted) for name in STATEMENTS}
    accepted = {
        "Python": {name for name, file in first.items() if check_text(file.text).accepted},
        "JavaScript": {name for name, file in first.items() if verdict(file.text) == "accepted"},
    }
    assert statements_table(accepted) in (ROOT / "docs" / "developers" / "kernels.md").read_text("utf-8")


@pytest.mark.slow
def test_enclosures_hold_the_truth(node: str, size: Callable[[int, int], int]) -> None:
    """Logarithms, exponentials and roots, against many more digits of mpmath; they are narrow, too."""
    from mpmath import exp, log, log10, mp, mpf, sqrt

    functions = {"log": log, "root": sqrt, "exp": exp, "fall": lambda x: exp(-x)}
    command = [node, str(Path(__file__).with_name("enclosures.js")), str(KERNEL)]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(lines) > 1200
    for line in lines[:: size(3, 1)]:
        digits, name, *numbers = line.split()
        n, d, low, low_e, high, high_e = map(int, numbers)
        with mp.workdps(2 * int(digits) + 450):
            x = mpf(n) / d
            truth = functions[name](x)
            ends = mpf(low) * mpf(10) ** low_e, mpf(high) * mpf(10) ** high_e
            assert ends[0] <= truth <= ends[1], line[:200]
            width = (ends[1] - ends[0]) / (1 if name == "log" else abs(truth))
            assert width == 0 or log10(width) < -int(digits) - 3, line[:200]


def test_an_even_power_does_not_hide_a_sign() -> None:
    """Condition 3 of brackets.md: below <= above is tested, although above^2 is large enough."""
    problem = {"mechanism": {"matrix": [["1"]]}, "level": {"log": "2", "times": "1/2"}}
    claim = {"lower": "0", "upper": "0"}
    parts = {"format": "2", "statement": "mechanism-levels", "problem": problem, "claim": claim}
    texts = [
        json.dumps({**parts, "proof": {"brackets": [{"below": "7/5", "above": above}]}}) for above in ("3/2", "-3/2")
    ]
    assert [check_text(text).accepted for text in texts] == [True, False]
    assert [verdict_of(verdict(text)) for text in texts] == [True, False]
