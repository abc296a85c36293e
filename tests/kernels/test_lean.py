"""Certificates of linear programs for Lean: the builder, the text, and the verdicts of nanoda where it is installed."""

from __future__ import annotations

import copy
import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from rropt.checker import check_text

from .conftest import ROOT

LEAN = ROOT / "kernels" / "lean"
VECTORS = ROOT / "tests" / "checker" / "vectors"
sys.path.insert(0, str(LEAN))

from rropt_lean import certificates, core, library, terms, text  # noqa: E402
from rropt_lean.terms import PROP, IllFormedError, Module, arrow, bind, const, exported, lam, local, sort  # noqa: E402

NANODA = "nanoda_bin"
MINIMUM = """{"format": "rropt-certificate/1",
 "problem": {"kind": "linear-programme", "sense": "minimise", "cost": ["2/3", "3"], "signs": ["nonnegative", "free"],
             "rows": [{"coefficients": [["0", "1"], ["1", "1/2"]], "relation": "=", "bound": "4"},
                      {"coefficients": [["1", "1"]], "relation": ">=", "bound": "1"}]},
 "claim": {"kind": "optimal-value", "lower": "16/3", "upper": "16/3", "point": ["7/2", "1"]},
 "witness": {"rule": "linear-programme", "dual": [["0", "2/3"], ["1", "8/3"]]}}"""
MAXIMUM = """{"format": "rropt-certificate/1",
 "problem": {"kind": "linear-programme", "sense": "maximise", "cost": ["1", "1"],
             "signs": ["nonnegative", "nonnegative"],
             "rows": [{"coefficients": [["0", "2"], ["1", "1"]], "relation": "<=", "bound": "3"},
                      {"coefficients": [["0", "1"], ["1", "3"]], "relation": "<=", "bound": "4"}]},
 "claim": {"kind": "optimal-value", "lower": "2", "upper": "2", "point": ["1", "1"]},
 "witness": {"rule": "linear-programme", "dual": [["0", "2/5"], ["1", "1/5"]]}}"""
INFEASIBLE = """{"format": "rropt-certificate/1",
 "problem": {"kind": "linear-programme", "sense": "minimise", "cost": ["0", "0"], "signs": ["nonnegative", "free"],
             "rows": [{"coefficients": [["0", "1"], ["1", "1"]], "relation": "<=", "bound": "1/2"},
                      {"coefficients": [["1", "2"]], "relation": ">=", "bound": "3"}]},
 "claim": {"kind": "infeasible"},
 "witness": {"rule": "farkas", "multipliers": [["0", "-1"], ["1", "1/2"]]}}"""
EXAMPLES = {"minimum": MINIMUM, "maximum": MAXIMUM, "infeasible": INFEASIBLE}
BOUND = {  # the first half of the statement: what a reader must see
    "Minimum": "O.le (times G O P.scale (value G O v one)) (times G O d (sum G O P.cost x))",
    "Maximum": "O.le (times G O d (sum G O P.cost x)) (times G O P.scale (value G O v one))",
}


def _module(certificate: str) -> Module:
    module = library.library()
    certificates.declare_claim(module, certificate)
    return module


@pytest.fixture(scope="session")
def nanoda(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., bool]:
    """Say whether nanoda accepts an export file; no axiom is permitted."""
    program = os.environ.get("RROPT_NANODA") or shutil.which(NANODA)
    if program is None:
        pytest.skip("nanoda, an independent type checker for Lean, is not installed (kernels/lean/README.md)")
    folder = tmp_path_factory.mktemp("nanoda")
    file, settings = folder / "export", folder / "settings.json"

    def accepts(export: str, literals: bool = True) -> bool:
        file.write_text(export, "utf-8")
        choices = {"nat_extension": literals, "print_axioms": False, "print_success_message": True}
        axioms = {"permitted_axioms": [], "unpermitted_axiom_hard_error": True}
        settings.write_text(json.dumps({"export_file_path": str(file), **choices, **axioms}))
        run = subprocess.run([program, str(settings)], capture_output=True, text=True, check=False)
        assert (run.returncode == 0) == ("with no errors" in run.stdout), run.stderr
        return run.returncode == 0

    return accepts


def _vectors() -> Iterator[str]:
    for rule in ("linear-programme", "farkas"):
        for line in (VECTORS / f"{rule}.jsonl").read_text("utf-8").splitlines():
            certificate = json.loads(line).get("certificate")
            if isinstance(certificate, dict) and "kind" in certificate.get(
                "problem", {}
            ):  # others are texts, or designs
                yield json.dumps(certificate)


# ---------------------------------------------------------------- the builder and the text


def test_a_term_with_a_free_variable_is_refused() -> None:
    """Every variable is bound, every constant is declared before, with its number of universe levels."""
    module = Module()
    prop = local("p", PROP)
    for term in (prop, const("Nat"), lam("x", PROP, lambda _: prop)):
        with pytest.raises(IllFormedError):
            module.define("made", PROP, term)
    made = module.define("Id", arrow(PROP, PROP), lam("x", PROP, lambda x: x))
    for again in (made, const("Id", 0)):
        with pytest.raises(IllFormedError):
            module.define("Id" if again is made else "other", PROP, again)
    assert bind("lam", prop, prop) is lam("p", PROP, lambda p: p)
    assert lam("p", PROP, lambda p: p) is not lam("p", sort(1), lambda p: p)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_export_declares_no_axiom_and_refers_backwards(name: str) -> None:
    """Each line refers to lines before it, numbers are consecutive, and `axiom` does not occur."""
    count = {"in": 1, "il": 1, "ie": 0}
    for line in exported(_module(EXAMPLES[name])).splitlines()[1:]:
        data = json.loads(line)
        assert "axiom" not in data
        assert "quot" not in data
        for kind in ("in", "il", "ie"):
            if kind in data:
                assert data[kind] == count[kind]
                count[kind] += 1
        if "app" in data:
            assert max(data["app"].values()) < data["ie"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_text_shows_the_statement_before_the_proof(name: str) -> None:
    """The program, the claim and what they mean stand before the line; every constant is declared before it is used."""
    written = text.printed(_module(EXAMPLES[name]), "A claim.")
    statement, proof = written.split("The statement ends here.")
    assert "theorem" not in statement
    for kind, bound in BOUND.items():
        [found] = re.findall(rf"^def {kind} .*?\n\n", statement, re.DOTALL | re.MULTILINE)
        assert bound in found
        assert all(other == bound or other not in found for other in BOUND.values())
    assert re.findall(r"^def Claim : Prop :=\n  (\w+) program", statement, re.MULTILINE) == [name.capitalize()]
    assert proof.rstrip().splitlines()[-1] == "end Rropt"
    assert "def integers : OrderedGroup Int :=" in proof
    assert "theorem met :" in proof
    assert "theorem claim : Claim :=" in proof
    assert not re.search(r"\b(axiom|sorry|unsafe|opaque|native_decide)\b", written)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"2/3", "3"], "signs"', '"0.5", "3"], "signs"', "a cost is '0.5'"),
        ('"lower": "16/3"', '"lower": "5"', "lower and upper differ"),
        ('"relation": "="', '"relation": ["="]', "a row has no relation of the right type"),
        ('["7/2", "1"]', '["7/2"]', "the point and the cost have different lengths"),
        ('"kind": "linear-programme"', '"kind": "other"', "the problem is not a linear program"),
        ('[["0", "1"], ["1", "1/2"]]', '[["1", "1"], ["0", "1/2"]]', "do not ascend"),
        ('"optimal-value"', '"design-bracket"', "only the claims optimal-value and infeasible"),
        ("rropt-certificate/1", "rropt-certificate/2", "the format is not rropt-certificate/1"),
        ('{"format"', '["format"', "the file is not JSON"),
    ],
)
def test_a_file_that_is_no_certificate_gets_one_reason(old: str, new: str, reason: str, tmp_path: Path) -> None:
    """The command prints one line and returns 1."""
    assert MINIMUM.count(old) == 1
    with pytest.raises(certificates.BadCertificateError, match=re.escape(reason)):
        certificates.read(MINIMUM.replace(old, new))


def test_the_command_writes_both_forms(tmp_path: Path) -> None:
    """Both files have the claim."""
    file, lean, export = tmp_path / "c.json", tmp_path / "c.lean", tmp_path / "c.ndjson"
    file.write_text(MAXIMUM, "utf-8")
    command = [sys.executable, str(LEAN), str(file)]
    subprocess.run([*command, "--text", str(lean), "--export", str(export)], check=True)
    assert "Maximum program (Integer.plus 2) 1 1" in lean.read_text("utf-8")
    assert '"str":"claim"' in export.read_text("utf-8")
    file.write_text("{}", "utf-8")
    run = subprocess.run([*command, "--text", str(lean)], capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert run.stderr.startswith("error: ")
    assert run.stderr.count("\n") == 1


# ---------------------------------------------------------------- verdicts of nanoda


def test_nanoda_accepts_the_general_theorem(nanoda: Callable[..., bool]) -> None:
    """It is proved without an axiom."""
    assert nanoda(exported(library.library()))


def test_the_functions_of_the_core_library_compute(nanoda: Callable[..., bool]) -> None:
    """Checkers replace them by arithmetic where they meet literals: here they meet 0, 0 + 1, ... and no arithmetic."""

    def unary(n: int) -> terms.Term:
        return core.succ(unary(n - 1)) if n else core.ZERO

    module = Module()
    core.declare_core(module)
    facts = []
    for m, n in itertools.product(range(4), repeat=2):
        a, b = unary(m), unary(n)
        facts += [(core.NAT, core.add(a, b), unary(m + n)), (core.NAT, core.mul(a, b), unary(m * n))]
        facts += [(core.BOOL, core.beq(a, b), (core.FALSE, core.TRUE)[m == n])]
        facts += [(core.BOOL, core.ble(a, b), (core.FALSE, core.TRUE)[m <= n])]
    for number, (of, left, right) in enumerate(facts):
        module.prove(f"fact{number}", core.eq(of, left, right), core.refl(of, right))
    assert nanoda(exported(module), literals=False)
    module.prove("false", core.eq(core.NAT, core.add(unary(2), unary(2)), unary(5)), core.refl(core.NAT, unary(5)))
    assert not nanoda(exported(module), literals=False)


@pytest.mark.parametrize("name", EXAMPLES)
def test_nanoda_accepts_the_examples(name: str, nanoda: Callable[..., bool]) -> None:
    """The checker accepts them, too."""
    assert check_text(EXAMPLES[name]).accepted
    assert nanoda(exported(_module(EXAMPLES[name])))


HUGE = str(10**40)
DEGENERATE = {  # sense, cost, signs, rows (coefficients, relation, bound), value or None, point, multipliers
    "nothing": ("minimise", [], [], [], "0", [], []),
    "a row of nothing": ("maximise", [], [], [([], "<=", "0")], "0", [], [["0", "5"]]),
    "a false row of nothing": ("minimise", [], [], [([], ">=", "1/3")], None, [], [["0", "2"]]),
    "no cost": ("maximise", ["0"], ["free"], [([["0", "1"]], "=", "-2/3")], "0", ["-2/3"], []),
    "a negative minimum": (
        "minimise",
        ["-1/3"],
        ["nonnegative"],
        [([["0", "2"]], "<=", "5")],
        "-5/6",
        ["5/2"],
        [["0", "-1/6"]],
    ),
    "a negative maximum": (
        "maximise",
        ["-3"],
        ["free"],
        [([["0", "2/7"]], ">=", "1/2")],
        "-21/4",
        ["7/4"],
        [["0", "-21/2"]],
    ),
    "long numbers": (
        "minimise",
        [HUGE],
        ["nonnegative"],
        [([["0", "1/" + HUGE]], ">=", "1")],
        HUGE[:1] + "0" * 80,
        [HUGE],
        [["0", HUGE[:1] + "0" * 80]],
    ),
    "a multiplier of the wrong sign": (
        "minimise",
        ["1"],
        ["free"],
        [([["0", "1"]], "<=", "1")],
        "1",
        ["1"],
        [["0", "1"]],
    ),
    "a sum of 0": ("minimise", ["0"], ["free"], [([["0", "1"]], "=", "0")], None, [], []),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_nanoda_gives_the_verdicts_of_degenerate_programs(name: str, nanoda: Callable[..., bool]) -> None:
    """Programs without variables, rows or costs, long and negative numbers."""
    sense, cost, signs, rows, value, point, dual = DEGENERATE[name]
    names = ("coefficients", "relation", "bound")
    problem = {"kind": "linear-programme", "sense": sense, "cost": cost, "signs": signs}
    problem["rows"] = [dict(zip(names, row, strict=True)) for row in rows]
    claim: dict[str, Any] = {"kind": "infeasible"}
    witness: dict[str, Any] = {"rule": "farkas", "multipliers": dual}
    if value is not None:
        claim = {"kind": "optimal-value", "lower": value, "upper": value, "point": point}
        witness = {"rule": "linear-programme", "dual": dual}
    text = json.dumps({"format": "rropt-certificate/1", "problem": problem, "claim": claim, "witness": witness})
    verdict = check_text(text)
    assert verdict.accepted == (name not in ("a multiplier of the wrong sign", "a sum of 0")), verdict
    assert _accepted(text, nanoda) == verdict.accepted


def test_nanoda_gives_the_verdicts_of_the_vectors(nanoda: Callable[..., bool], size: Callable[[int, int], int]) -> None:
    """Every vector of the two rules that is a linear program of the file."""
    seen = set()
    for certificate in list(_vectors())[:: size(7, 1)]:
        verdict = check_text(certificate).accepted
        assert _accepted(certificate, nanoda) == verdict, certificate
        seen.add(verdict)
    assert seen == {True, False}


def _accepted(certificate: str, nanoda: Callable[..., bool]) -> bool:
    try:
        module = _module(certificate)
    except certificates.BadCertificateError:
        return False
    return nanoda(exported(module))


def _numbers(value: Any, way: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in items:
        yield from _numbers(part, (*way, key))
    if isinstance(value, str) and re.fullmatch(r"-?\d+(/\d+)?", value):
        yield way


def _perturbed(certificate: str) -> Iterator[str]:
    """Change each number that is not an index; both ends of the optimal value together."""
    data = json.loads(certificate)
    for way in _numbers(data):
        pair = isinstance(way[-1], int) and way[-3:-2] and way[-3] in ("coefficients", "dual", "multipliers")
        if pair and way[-1] == 0:
            continue
        for step in (Fraction(1), Fraction(-1, 7)):
            mutant = copy.deepcopy(data)
            place = mutant
            for key in way[:-1]:
                place = place[key]
            place[way[-1]] = str(Fraction(place[way[-1]]) + step)
            if way[-1] == "upper":
                continue
            if way[-1] == "lower":
                place["upper"] = place["lower"]
            yield json.dumps(mutant)


@pytest.mark.parametrize("name", EXAMPLES)
def test_nanoda_rejects_every_perturbed_number(
    name: str, nanoda: Callable[..., bool], size: Callable[[int, int], int]
) -> None:
    """The verdict of each mutant is that of the checker, which shares no code."""
    rejected = 0
    made = list(_perturbed(EXAMPLES[name]))[:: size(3, 1)]
    for mutant in made:
        verdict = check_text(mutant).accepted
        assert _accepted(mutant, nanoda) == verdict, mutant
        rejected += not verdict
    assert rejected >= len(made) / 3  # the costs do not matter where no point is feasible


def test_nanoda_rejects_terms_that_do_not_prove_the_claim(nanoda: Callable[..., bool]) -> None:
    """The proof of one theorem is put under another."""
    lines = exported(_module(MINIMUM)).splitlines()
    at = [index for index, line in enumerate(lines) if line.startswith('{"thm"')]
    proofs = {json.loads(lines[index])["thm"]["value"] for index in at[-12:]}
    assert len(proofs) > 5
    for index in at[-2:]:  # the claim, and its instance
        declared = json.loads(lines[index])
        for value in proofs:
            mutant = copy.deepcopy(declared)
            mutant["thm"]["value"] = value
            changed = [*lines[:index], json.dumps(mutant), *lines[index + 1 :]]
            assert nanoda("\n".join(changed) + "\n") == (mutant == declared)


def test_nanoda_rejects_the_proof_of_another_value(nanoda: Callable[..., bool]) -> None:
    """The value of the claim is changed, and nothing else."""
    module = _module(MINIMUM)
    [claim] = [each for each in module.declarations if each.name == "Rropt.Claim"]
    function, arguments = terms.spine(claim.value)
    for index, other in ((1, certificates.d.plus(terms.nat(17))), (2, terms.nat(2)), (3, terms.nat(1))):
        changed = [*arguments[:index], other, *arguments[index + 1 :]]
        assert changed != arguments
        claim.value = terms.app(function, *changed)
        assert not nanoda(exported(module))
    claim.value = terms.app(function, *arguments)
    assert nanoda(exported(module))


def test_no_name_of_the_text_is_a_word_of_lean() -> None:
    """A variable that has the name of a keyword cannot be read."""
    keywords = {
        "at", "by", "calc", "class", "def", "deriving", "do", "else", "end", "example", "extends", "for", "from",
        "fun", "have", "if", "import", "in", "inductive", "infix", "instance", "let", "macro", "match", "mut",
        "mutual", "namespace", "nomatch", "notation", "obtain", "open", "opaque", "private", "protected", "return",
        "section", "show", "structure", "suffices", "syntax", "then", "theorem", "this", "universe", "unless",
        "variable", "where", "while", "with", "axiom",
    }  # fmt: skip
    names = set()
    for each in _module(MINIMUM).declarations:
        names.update(each.name.split("."))
        stack = [each.type] + ([each.value] if each.value is not None else [])
        seen = set()
        while stack:
            term = stack.pop()
            if id(term) not in seen:
                seen.add(id(term))
                names.update([term.parts[0]] if term.kind in ("lam", "pi") else [])
                stack.extend(part for part in term.parts if isinstance(part, terms.Term))
    assert len(names) > 100
    assert not names & keywords


def test_no_variable_of_the_text_hides_a_constant() -> None:
    """In its scope the name would mean the variable: a hypothesis `feasible` hides the property `feasible`."""
    hidden = 0
    for example in EXAMPLES.values():
        module = _module(example)
        text.printed(module, "A claim.")
        for each in module.declarations:
            if each.kind != "inductive" and "text" in each.parts:
                constants = text._constants(each)
                variables = set(re.findall(r"\((\w+) :", "\n".join(each.parts["text"])))
                assert not variables & constants, each.name
                hidden += any(f"{name}1" in variables for name in constants)
    assert hidden > 2


def test_a_claim_of_existence_left_of_an_arrow_has_parentheses() -> None:
    """Without them the arrow belongs to what exists."""
    module = library.library()
    some = core.app(const("Exists", 1), core.NAT, lam("n", core.NAT, lambda n: core.eq(core.NAT, n, n)))
    module.define("Rropt.made", PROP, arrow(some, const("True")))
    assert "  (∃ (n : Nat), n = n) → True\n" in text.printed(module, "A claim.")
