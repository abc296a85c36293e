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
        ("design kary -k 3 --epsilon 1 --objective loss --loss squared", "--loss", "--objective loss:NAME|FILE"),
        ("design kary -k 3 --zcdp 1/2 --objective a-optimal", "--zcdp", "--level zcdp:RHO"),
        ("design kary -k 3 --gdp 1 --objective a-optimal", "--gdp", "--level gdp:MU"),
        ("design kary -k 3 --renyi 2:1 --objective a-optimal", "--renyi", "--level renyi:A,E"),
        ("design kary -k 3 --epsilon 1 --objective trace --at-most 1/2", "--at-most", "--bounds LOW..HIGH"),
        ("design pram --counts 3,4 --epsilon 1 --at-least 1/9", "--at-least", "--bounds LOW..HIGH"),
        ("design pram --counts 3,4 --epsilon 1 --diagonal 1/4", "--diagonal", "--bounds FILE"),
        ("design pram --counts 3,4 --epsilon 1 --sdcmicro m.R", "--sdcmicro", "--output FILE.R"),
        ("design pram --counts 3,4 --epsilon 1 --categories a,b", "--categories", "--categories-file"),
        ("privacy 1 --zcdp", "--zcdp", "--renyi zcdp"),
        ("privacy warner:3/4 --respondents 5", "--respondents", "--n"),
        ("noncompliance --yes 3 --n 9 --mechanism warner:3/4 --at-most 0.1", "--at-most", "--theta 0..T"),
        ("compare warner:3/4 grr:3,1/2 --certificates proofs", "--certificates", "--certificate"),
        ("export warner:3/4 --language c", "--language", "LANGUAGE"),
        ("laplace --epsilon 1 --histogram 3", "--histogram", "histogram:K"),
        ("plot margin warner:3/4 --prevalence 1/4 --n-range 5..9", "--n-range", "--n"),
        ("plot power warner:3/4 --prevalence 1/4 --goal 0.9", "--goal", "--power"),
        ("plot efficiency --prevalence 1/4 --unrelated 1/3", "--unrelated", "--other"),
        ("plot groups groups.json --share q", "--share", "SHARE"),
        ("estimate --yes 3 --n 9 --mechanism warner:3/4 --direct-yes 3", "--direct-yes", "--direct-responses Y,N"),
        ("sheet warner:3/4 --question q --randomizer cards", "--randomizer", "--for"),
        ("sheet warner:3/4 --question q --study s", "--study", "--title"),
        ("randomize answers.csv --keep-all", "--keep-all", "--keep '*'"),
        ("sweep sweep.toml --output t.csv --backend dask", "--backend", "--cluster"),
        ("audit --counts 1,2 --counts 2,1 --tests 3", "--tests", "--confidence"),
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
        ("design device --gamma 9 --prevalence 1/10 --deck 52", "--deck", "--for deck:N"),
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
