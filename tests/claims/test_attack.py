"""An attack on the judge of cards: sixty false cards, none of which is proved, and twenty true ones, which are."""

from __future__ import annotations

import pytest
from card_texts import judged
from few_rows import few_rows
from stored_cases import cases_of

STORED = cases_of(__file__)


def _mutant(rows: list[str]) -> list[str]:
    """Return a mutant that shares the sides of the first row and is false at most points."""
    row = rows[0].partition(" if ")[0].partition(" iff ")[0].partition(" or ")[0].partition(" and ")[0]
    for sign in ("<=", ">=", "!=", "<", ">", "="):
        left, found, _ = row.partition(f" {sign} ")
        if found:
            return [f"{left} = 1234567"]
    raise AssertionError(row)


@few_rows(4)
@pytest.mark.parametrize("name", STORED["false"])
def test_a_false_card_is_not_proved(name: str) -> None:
    card = STORED["false"][name]
    false = card.get("false") or _mutant(card.get("true", card["says"]))
    outcome = judged(**{**card, "false": false})
    assert not {"proved", "argued"} & {outcome.evidence, outcome.correction_evidence}, outcome
    if outcome.verdict == "fails":  # a refuted card is an outcome of its own, with the point that refutes it
        assert outcome.evidence == "refuted"
        found = outcome.counterexample
        assert found is not None
        assert found.point
        assert "this is false: " in found.working
        assert str(found) in str(outcome)
        return
    told = " ".join((*outcome.problems, *outcome.unchecked_steps))
    assert told, "what was not proved is printed"


@few_rows(3)
@pytest.mark.parametrize("name", STORED["true"])
def test_a_true_card_is_proved(name: str) -> None:
    card = STORED["true"][name]
    outcome = judged(**{"false": _mutant(card["says"]), **card})
    assert outcome.problems == ()
    assert (outcome.correction_evidence or outcome.evidence) == "proved", outcome.unchecked_steps
    assert all(certificate.check() for _, certificate in outcome.certificates)
