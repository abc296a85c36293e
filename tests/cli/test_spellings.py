"""One option has one spelling: an earlier one is answered by the new one."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("call", "old", "new"),
    [
        ("design kary --categories 3 --epsilon 1 --objective trace", "--categories", "-k"),
        ("design kary -k 3 --epsilon 1 --objective trace --weights 1,2,3", "--weights", "--costs"),
        ("design kary --population 1/2,1/2 --epsilon 1 --objective a-optimal", "--population", "--proportions"),
        ("design kary -k 3 --epsilon 1 --objective trace --budget large", "--budget", "--effort"),
        ("design pram --counts 3,4 --epsilon 1 --sdcmicro m.R --names a,b", "--names", "--categories"),
        ("plan --mechanism warner:3/4 --strata 0.5:0.1,0.5:0.2 --n 9", "--strata", "--strata-shares"),
        ("audit --command cat --budget 30", "--budget", "--draws"),
        ("compose 1/2 --waves 3 --budget 2", "--budget", "--lifetime"),
        ("compose --table questions.csv", "--table", "--questions"),
        ("sheet warner:3/4 --question q --answers no,yes", "--answers", "--categories"),
        ("sheet --deal --deck 1,2 --names people.txt", "--names", "--people"),
    ],
)
def test_an_earlier_spelling_names_the_new_one(cli, call: str, old: str, new: str) -> None:
    status, out, err = cli(*call.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"`{old}` is now `{new}`" in err
