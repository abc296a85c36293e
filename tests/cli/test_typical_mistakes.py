"""Typical mistakes of a first session: one clear line each, which says what is wrong and what to do."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

import rropt

FILES = {
    "survey.csv": "name,sick,often,region\na,Yes,never,N\nb,yes,once,S\nc,NO,often,N\nd,no,never,S\n",
    "bom.csv": "\ufeffname;sick;w\na;Ja;1,15\nb;Nein;2,5\nc;unsure;1,0\n",
    "repeat.csv": "name,sick\na,yes\nb,no\nname,sick\nc,yes\n",
    "refused.csv": "id,sick\n1,yes\n2,refused\n3,no\n4,\n",
    "twice.csv": "sick,sick\n0,1\n1,0\n",
    "comma.csv": "answer\nno, really\nyes\n",
    "binary.csv": "id,sick\n1,0\n2,1\n3,1\n",
    "weights.csv": "sick,w\n0,-1\n1,2\n",
    "header.csv": "sick\n",
    "empty.csv": "",
    "mechanism.json": '{"matrix": [["3/4", "1/4"], ["1/4", "3/4"]]}',
    "rows.json": '{"matrix": [["0.9", "0.1"], ["0.3", "0.7"]]}',
    "rounded.json": '{"matrix": [["0.333", "0.5"], ["0.333", "0.25"], ["0.333", "0.25"]]}',
    "problem.json": '{"region": {}, "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}',
}

# A call, and below it what its one line says, in the order of the line, parts separated by "...".
MISTAKES = r"""
estimate survey.csv --mechanism warner:3/4
    line 1 ... if line 1 is a header, name the column of the question (--column NAME)
estimate comma.csv --mechanism warner:3/4
    line 2 ... name the column of the question ... --column NAME
randomize survey.csv --mechanism warner:3/4 --simulate --seed 1
    line 1 ... --column NAME
estimate survey.csv --column Sick --mechanism warner:3/4
    received 'Sick' ... did you mean 'sick'?
estimate survey.csv --column sick --mechanism warner:3/4
    lines 2, 3, 4, 5 ... allowed are 0 and 1 ... --categories
estimate survey.csv --column sick --mechanism warner:3/4 --categories no,yes
    lines 2, 4 ... upper and lower case only ... --ignore-case
estimate survey.csv --column sick --mechanism warner:3/4 --categories yes,YES --ignore-case
    differ in upper and lower case only ... 'yes,YES' ... --ignore-case
estimate survey.csv --columns sick,often --mechanism bits:warner:3/4,grr:3,1/2 --categories no,yes
    received 2 names for 'often' ... 3 ... a list for each column
estimate survey.csv --columns sick,often --mechanism bits:3/4*2 --categories a,b --categories c,d --categories e,f
    received 3 for 2 columns ... one for each column
estimate survey.csv --columns sick,often --mechanism bits:3/4*2 --categories sick=no,yes --categories sick=a,b
    twice ... one list for each column
estimate survey.csv --column often --mechanism warner:3/4 --categories never,once,often
    received 3 names for 'often' ... 2
estimate survey.csv --columns sick --mechanism bits:3/4*2
    received 1 names; allowed are 2 ... name them all
estimate bom.csv --column sick --categories Nein,Ja --mechanism warner:3/4
    line 4 ... allowed are 'Nein, Ja' ... --missing
estimate refused.csv --column sick --categories no,yes --mechanism warner:3/4 --missing NA
    line 3 ... declare texts for no answer as missing (--missing)
estimate repeat.csv --column sick --categories no,yes --mechanism warner:3/4
    line 4 ... repeat the header: delete these lines
estimate twice.csv --column sick --mechanism warner:3/4
    more than one column ... has that name
estimate nothere.csv --column sick --mechanism warner:3/4
    'nothere.csv': No such file ... name a file
estimate empty.csv --column sick --mechanism warner:3/4
    'empty.csv' contains no answers ... one line for each respondent
estimate header.csv --column sick --mechanism warner:3/4
    'header.csv' contains no answers ... one line for each respondent
estimate weights.csv --column sick --mechanism warner:3/4 --weights w
    line 2 ... no valid weight ... at least 0
estimate weights.csv --column sick --mechanism warner:3/4 --weights weight
    'weight' ... no column of 2
estimate binary.csv --column sick
    a mechanism is required: give --mechanism, or --devices COLUMN
estimate --yes 831 --mechanism warner:3/4
    give --yes Y with --n N
estimate --yes 2435 --n 831 --mechanism warner:3/4
    yes exceeds n ... 2435 ... 831
estimate --yes 34% --n 2435 --mechanism warner:3/4
    --yes is not a count ... '34%' ... an integer
estimate --counts 10,20,30 --mechanism warner:3/4
    received 3 counts for 2 outputs ... zeros included
estimate --yes 10 --n 30 --mechanism warner:1/2
    leaves nothing to estimate
estimate --yes 10 --n 30 --mechanism warner:3/4 --confidence 95
    did you mean 95 %? write 95% or 0.95
estimate --yes 10 --n 30 --mechanism warner:75
    received 75 ... did you mean 75 %? write 75% or 0.75
estimate --yes 10 --n 30 --mechanism warner
    write warner:p, for example warner:3/4
estimate --yes 10 --n 30 --mechanism Warnr:3/4
    no design has the name 'Warnr' ... warner ... rropt design list
estimate --yes 10 --n 30 --mechanism forced:0.667,0.167,0.167
    1001/1000 ... write the probabilities as fractions, for example 2/3,1/6,1/6
estimate --yes 10 --n 30 --mechanism forced:2/3,1/6
    takes 3 parameters: received 2 ... for example forced:2/3,1/6,1/6
estimate --yes 10 --n 30 --mechanism forced:2/3,1/6,1/6*2
    one question ... for example bits:forced:2/3,1/6,1/6*2
estimate --yes 10 --n 30 --mechanism mechansim.json
    'mechansim.json': No such file ... give the name of a file
estimate --yes 10 --n 30 --mechanism rows.json
    its rows sum to 1: exchange rows and columns
estimate --yes 10 --n 30 --mechanism rounded.json
    column 0 does not sum to 1 ... 999/1000 ... for example 1/3,1/3,1/3
estimate --yes 10 --n 30 --mechanism warner:0,75
    '0,75' with decimal commas is '0.75'
estimate --yes 10 --n 30 --mecanism warner:3/4
    --mecanism ... did you mean --mechanism?
plan --question sick
    received '--question' ... leave it out
desing binary --epsilon 1 --prevalence 0.1
    'desing' ... did you mean design?
design binary --epsilon log2 --prevalence 0.1
    epsilon is not a number ... 'log2' ... log(q)
design binary --epsilon -1 --prevalence 0.1
    epsilon is out of range ... '-1' ... 0 <= epsilon
design binary --gamma 0.5 --prevalence 0.1
    gamma is out of range ... >= 1
design binary --epsilon 1 --prevalence 10
    did you mean 10 %? write 10% or 0.1
design binary --prevalence 0.1
    an argument is missing: received none of --epsilon --gamma --rho --beta --upper
design binary --epsilon 1
    an argument is missing: received no --prevalence
design binary --epsilon 1 --gamma 3 --prevalence 0.1
    --gamma does not go with --epsilon: received both; leave one out
design binary --epsilon 1 --delta 5 --prevalence 0.1
    did you mean 5 %? write 5% or 0.05
design binary --gamma 3 --prevalence 0.1 --report page.pdf
    --report has no format ... ends in .pdf ... .html, .md, .tex; a browser prints HTML as PDF
design kary -k 3 --epsilon 1 --objective A-optimum
    --objective is unknown ... did you mean a-optimal?
design kary -k 3 --epsilon 1 --objective c-optimal
    --objective c-optimal needs --contrast
design kary --proportions 0.33,0.33,0.33 --epsilon 1 --objective a-optimal
    99/100 ... for example 1/3,1/3,1/3
design kary -k 3 --epsilon 1 --objective trace --costs 1,2
    received 2 for 3 categories; give 3 numbers
plan --mechanism warner:3/4 --margin 5
    received 5 ... did you mean 5 %? write 5% or 0.05
plan --mechanism warner:3/4
    a goal is required ... --margin, --power, --variance and --standard-error
plan --mechanism warner:3/4 --power 80 --prevalence 0.1
    did you mean 80 %? write 80% or 0.8
plan --mechanism warner:3/4 --margin 0.05 --power 0.8
    --power does not go with --margin: received both; leave one out
plan --epsilon 1 --margin 0.05
    give --prevalence PI, or --mechanism M
noncompliance --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --theta 5
    did you mean 5 %? write 5% or 0.05
report mechanism.json --output page.pdf
    ends in .pdf; allowed are .html
report mechanism.json --output page.odt
    ends in .odt; allowed are .html
compare warner:3/4
    received one mechanism ... add another
privacy --criterion --rho 1/2 1/5
    0 < rho1 < rho2 < 1
privacy --criterion --upper 2p
    '2p' ... + - * / ^
sweep nothere.toml --output x.csv
    'nothere.toml': No such file ... give the name of a file
verify nothing
    no claim matches 'nothing' ... allowed are a paper
plan --minimax --epsilon 1
    --minimax goes with --n
plot groups mechanism.json --output g.svg
    no estimates by group ... the JSON that rropt estimate prints
"""
LINES = MISTAKES.strip().splitlines()
ROWS = [(call, told.strip()) for call, told in zip(LINES[::2], LINES[1::2], strict=True)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(("call", "told"), ROWS, ids=[row[0][:90] for row in ROWS])
def test_one_clear_line(cli, folder: Path, call: str, told: str) -> None:
    before = sorted(path.name for path in folder.iterdir())
    status, out, err = cli(*shlex.split(call))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert len(err) < 600
    assert re.search(".*".join(map(re.escape, told.split(" ... "))), err), err
    assert not re.search(r"`[a-z_]+(=[^`]*)?`|Traceback|Error\b|[A-Z][a-z]+[A-Z]\w+", err), "a name of Python's"
    assert sorted(path.name for path in folder.iterdir()) == before


def test_there_are_forty() -> None:
    assert len(ROWS) >= 40
    assert len({row[0].split()[0] for row in ROWS}) >= 12


def test_what_is_mended_runs(cli, cli_json, folder: Path) -> None:
    """The same files, with what the lines say to do."""
    warner = ("--mechanism", "warner:3/4")
    yes_no = ("--categories", "no,yes")
    same = cli_json("estimate", "survey.csv", "--column", "sick", *warner, *yes_no, "--ignore-case")
    assert same["counts"] == [2, 2]
    found = cli_json(
        *("estimate", "bom.csv", "--column", "sick", *warner, "--categories", "Nein,Ja", "--weights", "w"),
        *("--missing", "unsure"),
    )
    assert found["shares"][0]["groups"][0]["weight"] == pytest.approx(3.65, abs=1e-12)
    both = ("--mechanism", "bits:warner:3/4,grr:3,1/2", "--ignore-case")
    often = "never,once,often"
    lists = [
        ("--categories", "no,yes", "--categories", often),
        ("--categories", "sick=no,yes", "--categories", f"often={often}"),
    ]
    first, second = (cli_json("estimate", "survey.csv", "--columns", "sick,often", *both, *each) for each in lists)
    assert first == second
    assert first["n"] == 4
    status, out, _ = cli("estimate", "survey.csv", "--column", "sick", *warner, *yes_no, "--ignore-case")
    assert status == 0
    assert "2 x response 0 (no), 2 x response 1 (yes)" in " ".join(out.split())
    assert "category 1 (yes), not of category 0 (no)" in " ".join(out.split())
    drawn = ("--simulate", "--seed", "1", "--output", "private.csv")
    assert cli("randomize", "survey.csv", "--columns", "sick,often", *both, *lists[0], *drawn)[0] == 0
    header, *rows = (folder / "private.csv").read_text().splitlines()
    assert header == "sick,often"
    assert {cell for row in rows for cell in row.split(",")} <= {"no", "yes", *often.split(",")}


def test_a_mechanism_is_no_certificate(cli, folder: Path) -> None:
    for file, told in (("mechanism.json", "a mechanism; judge it with rropt privacy"), ("problem.json", "a problem")):
        status, out, _ = cli("check", file)
        assert status == 1
        assert f"{file}: rejected: " in out
        assert told in out
    assert "--certificate" in cli("check", "survey.csv")[1]


def test_bounds_that_exclude_nothing_say_why(cli) -> None:
    argv = ("noncompliance", "--yes", "831", "--n", "2435", "--mechanism", "forced:2/3,1/6,1/6")
    _, out, err = cli(*argv)
    assert "why 0 to 1" in out
    assert "the proportion of non-compliers is not limited" in " ".join(out.split())
    assert "--theta 0.05" in err
    assert "--theta 0..0.05" in err
    _, out, err = cli(*argv, "--theta", "0..0.05")
    assert "why" not in out
    assert "--theta" not in err


@pytest.mark.drawn(3)
def test_the_library_speaks_of_parameters() -> None:
    """No error that is raised below the command line names an option; the command line puts it in place of a name."""
    root = Path(rropt.__file__).parent
    raised = 0
    for file in root.rglob("*.py"):
        if {"cli", "checker"} & set(file.relative_to(root).parts):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Raise) and node.exc is not None:
                texts = [part.value for part in ast.walk(node.exc) if isinstance(part, ast.Constant)]
                raised += 1
                said = "".join(text for text in texts if isinstance(text, str))
                assert not re.search(r"(?<![\w-])--[a-z]", said), (file.name, node.lineno, said)
    assert raised > 500
    with pytest.raises(rropt.RroptError, match="`objective` is unknown"):
        rropt.designs.kary_problem(epsilon=1, categories=3, objective="nobody")
