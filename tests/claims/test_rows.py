"""Claims in rows: true ones are proved at sizes, and careless or hostile files and functions are refused."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from every_case import every_case

from rropt.claims import Domain, Outcome, run_claim
from rropt.claims.cards.card_files import CardError
from rropt.claims.outcomes import AT_SHAPES
from rropt.claims.rows import _TYPES, read_rows

HEAD = 'paper = "test"\nsource = "a test"\n[rows."one"]\nprinted = "x"\nprecise = "x"\n'
REST = 'sizes = { m = [1, 2], k = [1, 2] }\nfor = { P = "stochastic m k", i = "index m", p = "real 0 1" }\n'
FALSE = "false = [{ more = 1 }]\n"
READING = '\n[[rows."one".reading]]\nname = "r"\n'


def judged(function: Any, rest: str = REST + FALSE, **others: Any) -> Outcome:
    module: Any = SimpleNamespace(__name__="test_rows", one=function, **others)
    (claim,) = read_rows(HEAD + rest, "rows.toml", module)
    return run_claim(claim)


def total(P: Any, i: int, p: Fraction, *, more: Any = 0) -> list[Any]:
    """The sum of all entries is k, and an entry is at most 1."""
    return [
        ("the sum", sum(x for row in P for x in row), "=", len(P[0]) + more),
        ("the entry", p * P[i][0], "<=", 1 - 2 * more),
    ]


def test_a_true_claim_is_proved_at_sizes() -> None:
    outcome = judged(total)
    assert (outcome.problems, outcome.verdict, outcome.evidence) == ((), "holds", AT_SHAPES)


def test_a_false_claim_fails_with_a_correction() -> None:
    def stated(P: Any, p: Fraction, *, more: Any = 1) -> list[Any]:
        return [("the sum", sum(x for row in P for x in row) + p, "=", len(P[0]) + p + more)]

    outcome = judged(stated, REST + 'true = { more = 0 }\ncorrection = "k"\nfalse = [{ more = 2 }]\n')
    assert (outcome.problems, outcome.verdict, outcome.correction_evidence) == ((), "fails", AT_SHAPES)
    assert outcome.counterexample is not None
    assert "the sum: " in outcome.counterexample.working
    rest = 'working = "by_hand"\n' + REST + 'true = { more = 0 }\ncorrection = "k"\nfalse = [{ more = 2 }]\n'
    assert "`working` returns nothing" in str(judged(stated, rest, by_hand=lambda P: None).problems)
    shown = judged(stated, rest, by_hand=cache(lambda P: len(P)))  # a number becomes a text
    assert shown.counterexample is not None
    assert shown.counterexample.working == "1"
    assert "returns 20000 characters" in str(judged(stated, rest, by_hand=lambda P: "x" * 20_000).problems)


def test_a_reading_has_steps_and_sizes_of_its_own() -> None:
    changed = 'rests_on = "y"\nwords = ["a theorem"]\nsizes = { m = [1, 2], k = [1, 1] }\n'
    outcome = judged(total, REST + FALSE + READING.replace('"r"', '"plain"') + 'rests_on = "y"\n' + READING + changed)
    assert [each.evidence for each in outcome.readings] == [AT_SHAPES, "argued"]
    outcome = judged(total, REST + FALSE + READING + 'rests_on = "y"\nnot_checkable = "a picture"\n')
    assert outcome.verdict == "not-checkable"
    few = judged(total, REST + FALSE + READING + 'rests_on = "y"\npoints = 12\n')
    assert few.points < judged(total, REST + FALSE + READING + 'rests_on = "y"\n').points


def of_rows(*rows: Any) -> Any:
    return lambda P, i, p, more=0: list(rows)


CARELESS: dict[str, tuple[Any, str]] = {
    "a mutant that is true": (
        lambda P, i, p, *, more=0: [("one", P[i][0], "<=", 1 + more)],
        "mutant 1 of `false` is true at all points",
    ),
    "a row that no mutant breaks": (
        lambda P, i, p, *, more=0: [("one", P[i][0], "=", P[i][0] + more), ("two", p, "=", p)],
        "no mutant of `false` breaks the row two",
    ),
    "a row that is left out where it is false": (
        lambda P, i, p, *, more=0: (
            [("one", p + 1, "=", p + 1 + more)] + ([("two", p, "<=", Fraction(1, 2) - more)] if 2 * p <= 1 else [])
        ),
        "not the same at all points",
    ),
    "a sign from the data": (
        lambda P, i, p, *, more=0: [("one", p, "<=" if 2 * p <= 1 else ">=", Fraction(1, 2) + more)],
        "not the same at all points",
    ),
    "a mutant that is no number": (
        lambda P, i, p, *, more=0: [("one", p, "=", float("nan") if more else p)],
        "mutant 1 returns no value",
    ),
    "two rows of one name": (
        lambda P, i, p, *, more=0: [("one", p, "=", p + more), ("one", p, "=", p + more)],
        "two rows have one name",
    ),
    "a division by 0": (lambda P, i, p, *, more=0: [("one", 1 / p, ">=", 1 + more)], "ZeroDivisionError"),
    "an unknown sign": (
        lambda P, i, p, *, more=0: [("one", p, "==", p + more)],
        "a row has an unknown sign: received ==",
    ),
    "no rows": (lambda P, i, p, *, more=0: [], "states no row here"),
    "rows of the mutant alone": (
        lambda P, i, p, *, more=0: [("one", p, "=", p + more)] if more else [],
        "states no row here",
    ),
}


@pytest.mark.parametrize("name", CARELESS)
def test_a_careless_function_is_refused(name: str) -> None:
    function, told = CARELESS[name]
    outcome = judged(function)
    assert outcome.verdict == "error"
    assert any(told in problem for problem in outcome.problems), outcome.problems


def test_a_scope_without_a_point_is_refused() -> None:
    assert "no point" in str(judged(total, REST + 'where = ["p > 2"]\n' + FALSE).problems)


def test_a_question_about_the_type_stays_tested() -> None:
    def typed(P: Any, i: int, p: Any, *, more: Any = 0) -> list[Any]:
        return [("one", p if isinstance(p, Fraction) else p + 1, "=", p + more)]

    assert judged(typed).evidence == "tested"


UNREADABLE = {
    "an unknown key": (REST + FALSE + "proof = 1\n", "unknown key 'proof'; allowed are"),
    "an unknown type": ('for = { P = "matrix 2" }\n' + FALSE, "unknown type 'matrix'; allowed are"),
    "an unknown constant": (REST + "false = [{ less = 1 }]\n", "unknown constants"),
    "no mutant": (REST, "`false` is missing"),
    "a wrong size": ('sizes = { m = 3 }\nfor = { p = "real 0 1" }\n' + FALSE, "a size is [least, largest]"),
    "an unknown condition": (
        REST + 'where = ["nothing"]\n' + FALSE,
        "line 8, card 'one', key where: test_rows has no function",
    ),
    "an unknown name in a condition": (REST + 'where = ["q > 0"]\n' + FALSE, "names without a type: q"),
    "a calculation that is not there": (
        REST + 'working = "by_hand"\n' + FALSE,
        "key working: test_rows has no function",
    ),
    "a calculation by a built-in": (REST + 'working = "sum"\n' + FALSE, "key working: test_rows has no function 'sum'"),
    "an unknown range": (REST + 'stated = ["HALF"]\n' + FALSE, "has no range 'HALF'"),
    "no points": (REST + "points = 0\n" + FALSE, "key points: `points` is a whole number of at least 1: received 0"),
    "a number for a text": (REST + "function = 3\n" + FALSE, "`function` is a text: received 3"),
    "a number for a reading": (REST + "reading = 3\n" + FALSE, "`reading` is a list of at most 200 tables: received 3"),
    "an empty type": ('for = { p = "" }\n' + FALSE, "`for` is a table of texts"),
    "a type without its sizes": ('for = { P = "stochastic" }\n' + FALSE, "P is 'stochastic': write a type with"),
    "a type with an unknown size": ('for = { i = "index k" }\n' + FALSE, "i is 'index k': write a type with"),
    "an empty interval": ('for = { p = "real 1 0" }\n' + FALSE, "p is 'real 1 0': write a type with"),
    "an argument without a type": ('for = { p = "real 0 1" }\n' + FALSE, "names without a type: P, i"),
    "a domain beside a matrix": (
        REST.replace('"real 0 1"', '"given ONE"') + FALSE,
        "beside `given` a type is a number: allowed are real",
    ),
    "an argument without words": (REST + 'argument = ["x"]\n' + FALSE, "`argument` needs `words`"),
    "a correction that changes nothing": (REST + 'correction = "x"\n' + FALSE, "`correction` needs `true`"),
    "a constant that is no number": (REST + 'false = [{ more = "x" }]\n', "a text is a number"),
    "an unknown key of a reading": (
        REST + FALSE + READING + "rest_on = 1\n",
        "line 12, card 'one', key rest_on: unknown",
    ),
    "a reading that rests on nothing": (REST + FALSE + READING, "line 10, card 'one': the key `rests_on` is missing"),
    "a reading without a mutant": (
        REST + FALSE + READING + 'rests_on = "y"\nwithout = ["false"]\n',
        "line 10, card 'one': the key `false` is missing",
    ),
    "a reading without a key that the claim does not have": (
        REST + FALSE + READING + 'rests_on = "y"\nwithout = ["true"]\n',
        "key without: the claim has no key 'true'",
    ),
    "a wrong key of a reading": (
        REST + FALSE + READING + "points = 0\n",
        "line 12, card 'one', key points: `points` is",
    ),
}


@every_case("name", UNREADABLE)
def test_an_unreadable_file_names_line_and_key(name: str) -> None:
    rest, told = UNREADABLE[name]
    with pytest.raises(CardError, match=r"rows\.toml, line ") as error:
        judged(total, rest, sum=sum, ONE=Domain.values("1", Fraction(1)))
    assert told in str(error.value)


@pytest.mark.parametrize(
    ("head", "told"), [("paper = 1", "`paper` is a text"), ("defines = 1", "unknown key 'defines'")]
)
def test_the_head_of_a_file_is_read_too(head: str, told: str) -> None:
    with pytest.raises(CardError, match=told):
        read_rows(head + "\n" + HEAD.partition("\n")[2] + REST + FALSE, "rows.toml", ModuleType("empty"))


def test_the_function_must_be_there() -> None:
    with pytest.raises(CardError, match="has no function 'one'"):
        read_rows(HEAD + REST + FALSE, "rows.toml", ModuleType("empty"))


def test_the_claim_of_the_page_is_proved() -> None:
    page = Path(__file__).parents[2] / "docs" / "howto" / "add-a-claim.md"
    block, code = re.findall(
        r"template/\S+ <<'END'\n(.*?)^END$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE
    )
    module = ModuleType("page")
    exec(code, vars(module))
    (claim,) = read_rows(block, "rows.toml", module)
    outcome = run_claim(claim)
    assert (outcome.problems, outcome.label) == ((), "proved at sizes n = 1, 2, 3")


def test_the_meaning_of_a_type_says_what_its_entries_satisfy() -> None:
    """A scope has the meaning alone, and a proof uses the bounds of the entries."""
    words = ("distribution", "probabilit", "at least 0", "each 0 or 1", "from 1")
    bounded = {name: kind.meaning for name, kind in _TYPES.items() if kind.entries != "x*x >= 0"}
    assert len(bounded) >= 9
    assert [name for name, meaning in bounded.items() if not any(word in meaning for word in words)] == []


@pytest.mark.parametrize(
    ("claim", "name", "told"),
    [
        ("theorem-4.2", "chai_nayak_theorem_4_2_the_core_is_admissible", ""),
        ("theorem-4.1", "chai_nayak_theorem_4_2_the_core_is_admissible", r"no row of coq/theorems\.json has the claim"),
        ("theorem-4.2", "no_such_theorem", r"no row of coq/theorems\.json has the claim"),
        ("theorem-4.3", "chai_nayak_theorem_4_3_the_core_is_a_complete_class", "one theorem proves the whole claim"),
    ],
)
def test_a_claim_with_a_theorem_in_coq(claim: str, name: str, told: str) -> None:
    """The table of the package has the theorem, for this claim and all of it; steps in words leave it argued."""
    module: Any = SimpleNamespace(__name__="rropt_proofs.chainayak2018._rows", one=total)
    head = HEAD.replace('"test"', '"chainayak2018"').replace('"one"', f'"{claim}"')
    rest = f'function = "one"\ntheorems = ["{name}"]\ncovers = "all sizes"\n{REST}{FALSE}'
    if told:
        with pytest.raises(CardError, match=told):
            [run_claim(each) for each in read_rows(head + rest, "rows.toml", module)]
        return
    for words, label in (("", "proved"), ('words = ["a step"]\n', "argued")):
        (found,) = read_rows(head + words + rest, "rows.toml", module)
        outcome = run_claim(found)
        assert (outcome.evidence, outcome.scope, outcome.theorems) == (label, "all sizes", (name,))
        assert Outcome.from_dict(outcome.to_dict()) == outcome


def test_a_package_without_coq_has_no_theorems() -> None:
    module: Any = SimpleNamespace(__name__="rropt.claims", one=total)
    with pytest.raises(CardError, match=r"no row of coq/theorems\.json"):
        read_rows(HEAD + 'theorems = ["every_level"]\n' + REST + FALSE, "rows.toml", module)
