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
        ("audit samples.csv --input x --output y", "--output", "--column"),
        ("audit --counts 1,2 --counts 2,1 --method e-value", "--method", "--interval"),
        ("compare --literature --gamma 9 --prevalence 1/10 --draws 2", "--draws", "--cards-drawn"),
        ("design bits --questions 5 --epsilon 3", "--questions", "--number"),
        ("design device --gamma 9 --prevalence 1/10 --deck 52", "--deck", "--deck-size"),
        ("noncompliance --yes 3 --n 9 --mechanism warner:3/4 --model random", "--model", "--behaviour"),
        ("plan --mechanism bits:3/4*10 --questions 0,3 --margin 0.1", "--questions", "--only"),
        ("plot efficiency --prevalence 1/4 --points 1", "--points", "--mark"),
        ("plot g --levels 1/4", "--levels", "--values"),
        ("randomize answers.csv --outputs a,b", "--outputs", "--output-names"),
        ("regress people.csv --prevalence region", "--prevalence", "--prevalence-by"),
    ],
)
def test_an_earlier_spelling_names_the_new_one(cli, call: str, old: str, new: str) -> None:
    status, out, err = cli(*call.split())
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"`{old}` is now `{new}`" in err
