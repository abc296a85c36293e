"""Earlier names of commands: each is answered by the words that serve instead, and these words exist."""

from __future__ import annotations

import pytest

from rropt.cli.installed import installed_commands
from rropt.cli.parser import WORDS

MOVED, GROUPS = WORDS["moved"], WORDS["commands"] | installed_commands()

# a call as it was typed, and as it is typed now
TRANSLATED = {
    "bound --level posterior:1/5,1/2": "privacy --level posterior:1/5,1/2",
    "longitudinal warner:3/4 --waves 3": "panel warner:3/4 --waves 3",
    "compare-designs --gamma 9 --prevalence 1/10": "cost --gamma 9 --prevalence 1/10",
    "admissible warner:3/4": "compare --admissible warner:3/4",
    "minimax --gamma 3 --n 3": "plan minimax 3 --gamma 3",
    "mechanisms": "design list",
    "deal --deck 1,2": "sheet --deal --deck 1,2",
    "merge part.json": "count --add part.json",
    "design bits --number 2 --gamma 3": "design questions --number 2 --gamma 3",
    "design device --gamma 9 --prevalence 1/10 --for dice:1": "device --gamma 9 --prevalence 1/10 --for dice:1",
    "plot explorer": "explore",
}


def _word(old: str) -> str:
    """Return the earlier name of a command, of one word or of two."""
    first, _, others = old.partition(" ")
    return first if first in MOVED else f"{first} {others.split()[0]}"


@pytest.mark.parametrize("old", TRANSLATED)
def test_an_old_word_names_the_new_one(cli, old: str) -> None:
    word, new = _word(old), TRANSLATED[old]
    status, out, err = cli(*old.split())
    assert (status, out, err) == (2, "", f"rropt: `{word}` is now `rropt {MOVED[word]}`\n")
    assert new.startswith(MOVED[word])
    if word != "merge":
        assert cli(*new.split())[0] == 0


def test_the_commands_stand_in_five_groups(cli) -> None:
    assert set(MOVED) == set(map(_word, TRANSLATED))
    assert not set(MOVED) & {name for group in GROUPS.values() for name in group}
    help_text = cli("--help")[1]
    places = [help_text.index(f"\n  {title} ") for title in GROUPS]
    assert places == sorted(places)
    assert list(GROUPS) == ["Design", "Privacy", "Estimate", "Proof", "Fieldwork"]
