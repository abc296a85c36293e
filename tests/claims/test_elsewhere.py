"""A package of claims made elsewhere, as the page says: most of them not to be believed, five honest."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from rropt.claims import Outcome, find_claims, run_claim
from rropt.claims.outcomes import SWEPT

PAGE = Path(__file__).parents[2] / "docs" / "howto" / "add-a-claim.md"
HEAD = '''
import itertools
import math
from dataclasses import replace
from fractions import Fraction
from rropt.claims import *
from rropt.claims.relations import relations
from rropt.mechanisms import Mechanism
from rropt.claims.positivity import prove_identity

UNIT = Domain.interval("0 <= x <= 1", 0, 1)


def base(entry, **parts):
    said = dict(
        source="elsewhere", printed="$f(x)\\\\le x$", precise="for all x in [0, 1]", variables={"x": UNIT},
        theory=lambda p: p["x"], computed=lambda p: p["x"] ** 2, strength="at-most",
        mutant=lambda p: p["x"] - Fraction(1, 10), proof=lambda: Anchored(Value()),
    )
    return Claim(id="elsewhere." + entry, **(said | parts))


def hidden(x):
    """Whether x is within 1e-30 of e/10, a place that no search is likely to visit."""
    return abs(x - Fraction(math.e) / 10) < Fraction(1, 10) ** 30
'''
# name of the file -> what stands in it after the head, and words of the answer (either, where there are two)
DISHONEST = {
    "low_draws": (
        """
low = Domain("0 <= x <= 1", (Fraction(0), Fraction(1, 4)), lambda rng: Fraction(rng.randint(0, 9), 36), "0 <= x <= 1")
CLAIM = base("low-draws", variables={"x": replace(low, draw=None)}, theory=lambda p: Fraction(1, 2),
             computed=lambda p: p["x"], mutant=lambda p: Fraction(1, 8))
""",
        "does not follow",
    ),
    "nothing_said": (
        """
CLAIM = base("nothing-said", assumptions=(Condition("x > 2", "x > 2"),), computed=lambda p: p["x"] + 1)
""",
        "no point meets the assumptions",
    ),
    "tame_mutant": (
        """
CLAIM = base("tame-mutant", theory=lambda p: Fraction(9), mutant=lambda p: Fraction(8))
""",
        "the mutant, a false variant, passes",
    ),
    "proof_in_words": (
        """
CLAIM = base("proof-in-words", computed=lambda p: 2 if hidden(p["x"]) else p["x"] ** 2, proof=lambda: "trivial")
""",
        "a proof is",
    ),
    "correction_is_computed": (
        """
def computed(p):
    return p["x"] + 1


CLAIM = base("correction-is-computed", computed=computed,
             correction=Correction("what is true", lambda p: computed(p), "equality"))
""",
        "the correction calls the other side",
    ),
    "one_exception": (
        """
CLAIM = base("one-exception", computed=lambda p: 2 if p["x"] == 1 or hidden(p["x"]) else p["x"] ** 2,
             missing=(Condition("x is not 1", "x != 1"),))
""",
        "the repaired statement fails | a branch that is never taken",  # the float searches of releases differ
    ),
    "case_without_points": (
        """
CLAIM = base("case-without-points", computed=lambda p: 2 if hidden(p["x"]) else p["x"] ** 2,
             proof=lambda: Anchored(Value(where="x > 2"), Value("x", "x**2", where="x <= 2")))
""",
        "no point of the sweep is in the case",
    ),
    "flag_of_two": (
        """
CLAIM = base("flag-of-two", theory=lambda p: 1, computed=lambda p: Fraction(2) if hidden(p["x"]) else Fraction(1),
             mutant=lambda p: 0,
             proof=lambda: Anchored(Value(1, "q"), at=lambda p: {"q": Flag(1 + hidden(p["x"]) + (p["x"] == 0))}))
""",
        "is false at a point of the claim",
    ),
    "all_but_one_third": (
        """
CLAIM = base("all-but-one-third", variables={"x": replace(UNIT, boundary=(Fraction(0), Fraction(1)))},
             theory=lambda p: Fraction(0), computed=lambda p: -(3 * p["x"] - 1) ** 2, strength="less",
             mutant=lambda p: Fraction(-9),
             proof=lambda: Anchored(Value(where="3*x > 1"), Value(where="3*x < 1")))
""",
        "the cases of the value do not cover",
    ),
    "zero_over_zero": (
        """
CLAIM = base("zero-over-zero", theory=lambda p: 1, strength="equality", mutant=lambda p: 0,
             computed=lambda p: Fraction(0) if hidden(p["x"]) else Fraction(1),
             proof=lambda: Anchored(Value(1, "(x - 1/7)/(x - 1/7)")))
""",
        "branch",
    ),
    "left_to_the_reader": (
        """
CLAIM = base("left-to-the-reader", computed=lambda p: 2 if hidden(p["x"]) else p["x"] ** 2,
             proof=lambda: Anchored(unanchored=("the rest is clear",)))
""",
        "no shape for the value",
    ),
    "condition_in_python": (
        """
CLAIM = base("condition-in-python", theory=lambda p: p["x"] / 2,
             assumptions=(Condition("x is small", lambda p: p["x"] <= Fraction(1, 2) or hidden(1 - p["x"])),))
""",
        "does not follow",
    ),
    "number_in_text": (
        """
CLAIM = base("number-in-text", theory=lambda p: "0.5", computed=lambda p: Fraction(1, 2) + hidden(p["x"]),
             strength="as-printed", mutant=lambda p: "0.6", proof=lambda: Anchored(Value("1/2", "1/2")))
""",
        "no number",
    ),
    "every_other_time": (
        """
times = itertools.cycle((0, 0, 0, 0, 0, 0, 1))


def computed(p):
    return [p["x"] ** 2, p["x"] ** 3][next(times)]


CLAIM = base("every-other-time", computed=computed, proof=lambda: Anchored(Value(computed="x**2")))
""",
        "another value the second time | computed is not",
    ),
    "step_of_another_case": (
        """
CLAIM = base("step-of-another-case", theory=lambda p: Fraction(1, 2), strength="at-least",
             computed=lambda p: p["x"] if p["x"] >= Fraction(1, 2) or hidden(p["x"]) else Fraction(1, 2),
             mutant=lambda p: Fraction(2),
             proof=lambda: Anchored(Value("1/2", Max("x", "1/2")), steps=[Step("x >= 1/2", where="x >= 1/2")]))
""",
        "branch",
    ),
    "another_relation": (
        """
small = Condition("x <= 1/2", "x <= 1/2")
object.__setattr__(small, "relation", relations("x <= 1/4"))
CLAIM = base("another-relation", assumptions=(small,), theory=lambda p: p["x"] / 4,
             computed=lambda p: 2 if hidden(p["x"]) else p["x"] ** 2 / 2, mutant=lambda p: Fraction(-1))
""",
        "is false at a point of the claim",
    ),
    "rounded": (
        """
CLAIM = base("rounded", theory=lambda p: "1.0", computed=lambda p: 1 + p["x"] / 100, strength="rounds-to",
             mutant=lambda p: "2.0", proof=lambda: Anchored(Value(1, "1 + x/100")))
""",
        "no number",
    ),
}
HONEST = {
    "squares": """
CLAIM = base("squares")
""",
    "two_sides": """
CLAIM = base("two-sides", theory=lambda p: 1 - p["x"] / (1 + p["x"]), computed=lambda p: 1 / (1 + p["x"]),
             strength="equality", mutant=lambda p: 1 - p["x"])
""",
    "half": """
CLAIM = base("half", theory=lambda p: 2 * p["x"] <= 1, computed=lambda p: p["x"] <= 1 - p["x"], strength="iff",
             mutant=lambda p: True, proof=lambda: Anchored(Truth("2*x <= 1", "x <= 1 - x")))
""",
    "warner_parity": """
CLAIM = base("warner-parity", variables={"x": Domain.interval("1/2 <= x <= 99/100", "1/2", "99/100")},
             theory=lambda p: p["x"] / (1 - p["x"]), computed=lambda p: Mechanism.binary(p["x"], p["x"]).parity(),
             strength="equality", mutant=lambda p: 1 + p["x"] / (1 - p["x"]),
             proof=lambda: Anchored(Value(computed=Max("x/(1 - x)", "(1 - x)/x"))))
""",
    "sums": """
LISTS = Domain("numbers from 0 to 1", ((Fraction(1),), (Fraction(0), Fraction(1, 2))),
               lambda rng: tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 5))),
               entries={(): "0 <= x <= 1"})
ADDED = Fold(lambda p, at: [{"e": Entry("x", i)} for i in range(len(p["x"]))],
             start={"s": 0, "n": 0}, update={"s": "s + e", "n": "n + 1"}, invariants="0 <= s <= n")
CLAIM = base("sums", variables={"x": LISTS}, theory=lambda p: Fraction(len(p["x"])), computed=lambda p: sum(p["x"]),
             mutant=lambda p: Fraction(1, 2), proof=lambda: Anchored(Value("n", "s"), folds=[ADDED]))
""",
}
PLAIN = {"squares", "two_sides", "half", "sums"}  # linked without a sweep
FILES = {name: text for name, (text, _) in DISHONEST.items()} | HONEST


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Outcome]]:
    """The outcomes of the package, which is announced as the page's recipe announces one."""
    (recipe,) = (
        part for part in re.findall(r"```sh[^\n]*\n(.*?)```", PAGE.read_text(), re.DOTALL) if "my_claims" in part
    )
    announced = re.search(r"^\[project\.entry-points\.\"(.*?)\"\]\nmy_claims = \"my_claims\"$", recipe, re.MULTILINE)
    assert announced is not None
    root = tmp_path_factory.mktemp("claims")
    folder = root / "claims_elsewhere" / "elsewhere"
    folder.mkdir(parents=True)
    for part in (folder, folder.parent):
        (part / "__init__.py").write_text("")
    for name, text in FILES.items():
        (folder / f"{name}.py").write_text(HEAD + text)
    info = root / "claims_elsewhere-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: claims-elsewhere\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[{announced[1]}]\nclaims_elsewhere = claims_elsewhere\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        invalidate_caches()
        yield {name: run_claim(claim) for name, (claim, _) in find_claims(["elsewhere"]).items()}
    for module in [module for module in sys.modules if module.startswith("claims_elsewhere")]:
        del sys.modules[module]
    invalidate_caches()


def _id(name: str) -> str:
    return "elsewhere." + name.replace("_", "-")


def test_all_of_them_are_found(outcomes: dict[str, Outcome]) -> None:
    assert set(outcomes) == {_id(name) for name in FILES}
    assert len(DISHONEST) >= 15
    assert len(HONEST) == 5


@pytest.mark.parametrize("name", DISHONEST)
def test_what_is_not_to_be_believed_is_not_proved_and_told_why(name: str, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[_id(name)]
    told = " ".join((*outcome.problems, *outcome.unchecked_steps))
    assert "proved" not in outcome.evidence, outcome
    assert any(words in told for words in DISHONEST[name][1].split(" | ")), told
    assert len(told.split()) >= 4, told
    assert not re.search(r"\b(Attribute|Type|Key|Name|Index)Error\b", told), told


@pytest.mark.parametrize("name", HONEST)
def test_what_is_honest_is_proved(name: str, outcomes: dict[str, Outcome]) -> None:
    outcome = outcomes[_id(name)]
    assert (outcome.verdict, outcome.problems) == ("holds", ()), outcome.problems
    label = "proved at the shapes of the scope" if name == "sums" else "proved" if name in PLAIN else SWEPT
    assert outcome.evidence == label, outcome.unchecked_steps
    assert outcome.scope.startswith("all points")
