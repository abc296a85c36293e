"""A package of claims made elsewhere, as the page says: most of them not to be believed, four honest."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib import invalidate_caches
from pathlib import Path

import pytest

from rropt.claims import Outcome, find_claims, run_claim

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
        mutant=lambda p: p["x"] - Fraction(1, 10),
    )
    return Claim(id="elsewhere." + entry, **(said | parts))


def hidden(x):
    """Whether x is within 1e-30 of e/10, a place that no search is likely to visit."""
    return abs(x - Fraction(math.e) / 10) < Fraction(1, 10) ** 30
'''
# name of the file -> what stands in it after the head, and words of the answer (either, where there are two)
DISHONEST = {
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
        "the repaired statement fails | does not follow",
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
             strength="as-printed", mutant=lambda p: "0.6")
""",
        "not compared on symbols",
    ),
    "every_other_time": (
        """
times = itertools.cycle((0, 0, 0, 0, 0, 0, 1))


def computed(p):
    return [p["x"] ** 2, p["x"] ** 3][next(times)]


CLAIM = base("every-other-time", computed=computed)
""",
        "an object of the type cycle",
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
             mutant=lambda p: "2.0")
""",
        "not compared on symbols",
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
CLAIM = base("half", theory=lambda p: 2 * p["x"] <= 1, computed=lambda p: p["x"] <= 1 - p["x"],
             strength="equality", mutant=lambda p: True)
""",
    "sums": """
LISTS = Domain("numbers from 0 to 1", ((Fraction(1),), (Fraction(0), Fraction(1, 2))),
               lambda rng: tuple(Fraction(rng.randint(0, 9), 9) for _ in range(rng.randint(1, 5))),
               entries={(): "0 <= x <= 1"})
CLAIM = base("sums", variables={"x": LISTS}, theory=lambda p: Fraction(len(p["x"])), computed=lambda p: sum(p["x"]),
             mutant=lambda p: Fraction(1, 2))
""",
}
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
    label = "proved at sizes" if name == "sums" else "proved"
    assert outcome.evidence == label, outcome.unchecked_steps
    assert outcome.scope.startswith("all points")
