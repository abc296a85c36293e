"""Every option of every command and kind: a typed option changes what is answered, or is refused; none is ignored."""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from test_help_examples import fill

from rropt.cli.main import parser
from rropt.cli.options import Parser

# One call of each kind.
CALLS = r"""
survey init survey.csv --output made.toml
plan --mechanism warner:3/4 --margin 0.1 --prevalence 1/4
plan --mechanism warner:3/4 --power 0.9 --prevalence 1/4
plan --mechanism warner:3/4 --variance 0.01 --prevalence 1/4
plan --mechanism warner:3/4 --n 100 --prevalence 1/4
plan --epsilon log(3) --prevalence 1/10 --standard-error 0.1
plan --minimax --epsilon log(5) --n 5
plan --mechanism grr:3,1/2 --contrast 1,-1,0 --proportions 1/2,1/4,1/4 --margin 0.1
plan --mechanism bits:3/4*3 --only 0,1 --standard-error 0.1
plan --mechanism warner:3/4 --population 100 --prevalence 1/10 --standard-error 0.1
plan --epsilon 1/2 --middle 1/100 --surveyed --prevalence 1/10 --variance 1/10
plan --mechanism warner:3/4 --groups 0.1,0.5 --power 0.8
plan --mechanism warner:3/4 --strata-shares 0.9:0.1,0.1:0.5 --n 1000
plan sick --survey health.toml --margin 0.1
design binary --epsilon log(3) --prevalence 1/10
design binary --epsilon log(3) --prevalence 1/10..1/2
design kary -k 3 --epsilon log(3) --objective trace
design kary -k 3 --epsilon log(3) --objective loss:absolute
design kary --proportions 1/2,1/2 --epsilon log(3) --objective a-optimal
design kary --proportions 1/2,1/3,1/6 --epsilon log(3) --objective c-optimal --contrast 1,-1,0
design kary --proportions 1/2,1/2 --epsilon log(3) --objective total-variation --against 1/3,2/3
design kary -k 400 --epsilon 1 --objective a-optimal
design bits --number 3 --epsilon 3
design device --gamma 9 --prevalence 1/10 --for dice:1
design noncompliance --gamma 9 --theta 0.05 --n 1000 --prevalence 0.1
design pram --proportions 1/2,1/3,1/6 --epsilon log(3)
design problem problem.json
compare warner:3/4 forced:2/3,1/6,1/6
compare warner:3/4 forced:2/3,1/6,1/6 warner:2/3
compare bits:3/4*4 grr subset
compare --admissible warner:3/4
compare --literature --gamma 9 --prevalence 1/10
sheet warner:3/4 --question Q?
sheet --deal --deck 1,2
sheet --deal christofides:1/4,1/4,1/2 --n 8
randomize answers.csv --column sick --categories no,yes --mechanism warner:3/4 --simulate --seed 1
export warner:3/4 c
laplace --epsilon 1/2
laplace --epsilon 1 histogram:3
laplace --epsilon 1 sum:0,100
laplace --epsilon 1 sensitivity:2
count responses.txt --mechanism warner:3/4
count --add monday.json tuesday.json
estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6
estimate --counts 50,30,18,2 --mechanism bits:3/4*2
estimate --counts 50,30,18 --mechanism grr:3,1/2
estimate survey.csv --column sick --categories no,yes --mechanism warner:3/4
estimate people.csv --columns vote,bribe --mechanism bits:3/4*2
estimate people.csv --column answer --mechanism warner:3/4 --weights w
estimate people.csv --column answer --mechanism warner:3/4 --by region
estimate people.csv --column answer --mechanism warner:3/4 --by region --weights w
estimate all.json
estimate sick --survey health.toml
estimate --yes 328 --n 710 --mechanism unrelated:1/2,1/12 --population 10777
regress people.csv --formula "answer ~ age" --mechanism warner:3/4
regress people.csv --formula "answer ~ age" --mechanism warner:3/4 --weights w
regress people.csv --formula "answer ~ age" --mechanism warner:3/4 --model linear
noncompliance --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6 --theta 0.05
noncompliance people.csv --column answer --mechanism warner:3/4
noncompliance people.csv --column answer --devices half --design lie-detector
noncompliance --sample warner:3/4=500,300 --versus warner:3/4=560,240 --conclusion more --theta 0..0.02
report estimate.json --output report.md --survey health.toml
plot region --epsilon 1
plot variance --epsilon 1 --prevalence 1/4
plot g
plot efficiency --prevalence 1/4
plot breaches --rho 1/5 1/2
plot breaches --figure 1
plot heat-map grr:3,1/2
plot estimate estimate.json
plot estimate --mechanism warner:3/4 --yes 30 --n 70
plot groups groups.json
plot margin warner:3/4 --prevalence 1/4
plot power warner:3/4 --prevalence 1/4
plot respondents --margin 0.05 --prevalence 1/4
plot explorer --output e.html
privacy warner:3/4
privacy warner:3/4 --epsilon 2
privacy warner:3/4 --rho 1/5 1/2
privacy bits:3/4*2
privacy grr:3,1/2 --distance abs
privacy grr:3,1/2 --levels levels3.json
privacy warner:3/4 --renyi 2
privacy 1 --renyi zcdp
privacy warner:3/4 --n 5
privacy --criterion --rho 1/5 1/2
privacy --criterion warner:3/4 --rho 1/5 1/2
privacy --repair channel.csv --epsilon 1
privacy grr:3,1/2 --properties 0;1,2
compose warner:3/4 1
compose 1 --delta 1/100
compose rappor:1/2,1/2,3/4 --waves 3
compose 1/2 --waves 3
compose 1/2 --waves 3 --lifetime 4
compose --questions questions.csv
shuffle 1 --n 50 --delta 1/1000
shuffle grr:3,1/2 --n 50 --epsilon 1/2
shuffle --n 50 --epsilon 1/2 --delta 1/1000
audit samples.csv --input x --column y
audit --counts 750,250 --counts 250,750
audit --mechanism warner:3/4 --claim 1
check design.json
check design.json --mechanism warner:2/3
sweep sweep.toml --output table.csv
""".strip().splitlines()

# A legal value of each option, by the attribute that it sets; it differs from the default.
VALUES = dict(
    line.split(" = ", 1)
    for line in r"""
survey = health.toml
device = A
table = t
sheet = 2
output = new.out
certificate = new.json
plot = new.svg
report = new.html
print = cards.html
epsilon = 0.9
gamma = 5/2
delta = 1/50
rho = 1/4 1/2
beta = 3
upper = min(1,3*p)
lower = p/4
prevalence = 1/3
prevalence_by = region
margin = 0.2
power = 0.7
variance = 1/50
standard_error = 0.15
n = 40
questions = questions.csv
number = 2
only = 1
marginals = 2
proportions = 1/2,1/2
population = 5000
contrast = 1,-1
middle = 1/50
groups = 0.2,0.4
strata_shares = 0.5:0.1,0.5:0.4
confidence = 0.8
interval = normal
null = 0.05
significance = 0.2
sided = two
test = normal
family = warner
outputs = any
output_names = A,B
for = coins:3
routes = all
categories_file = names.txt
question = Why?
mechanism = warner:4/5
k = 4
levels = levels2.json
level = 1,1/10
renyi = zcdp
distance = abs
objective = d-optimal
costs = 1,2,3
against = 1/4,3/4
output_bits = 12
bounds = bounds2.json
effort = large
prevalences = 0.1,0.2,0.3
deck = 5,6
other = 1/3
theta = 0.1
behaviour = random
counts = 9,5
categories = A,B
respondents = 9
belief = 1/5
draws = 2
cards_drawn = 2
epsilon_range = 1/5..2
language = de
page = letter
form = html
randomizer = cards
responsible = R
date = D
people = names.txt
column = vote
columns = vote,bribe
missing = 0
keep = age
seed = 5
neighbours = add-remove
step = 1/2
threshold = 9
at = 1/4
release = 5
shard = x
by = region
devices = half
device_file = devices.json
engine = polars
weights = w
strata = region
clusters = district
fpc = 1000
post_strata = region
single_psu = average
exceeding = 1/10
yes = 30
direct_responses = 30,90
reference = 1/3,2/3
covariate = bribe=warner:3/4
method = corrected
standard_errors = sandwich
information = expected
predict = people.csv
starts = 3
formula = vote ~ age
design = cheater-detection
attention = vote
sample = warner:2/3=5,6
versus = warner:3/4=7,6
conclusion = more
truth = 0.3
sizes = 50,90
title = T
axes = stretched
delta_range = 0..1/2
mark = 1,1/4
points = 5
values = 1/5
unrelated = 1/3
figure = 2
gammas = 2,5
n_range = 50..900
size = wide
dpi = 200
view = counts
others = 2
digits = 5
norm = l1
properties = 0
tolerance = 1/100
waves = 4
per_wave = 2
memo = warner:2/3
reports = kept
lifetime = 5
change = 1/10
input = x
box = cat
inputs = no,yes
time_limit = 5
claim = 0.7
pair = 0,1
event = 0
explore = 0.4
jobs = 2
cluster = tcp://x:1
patterns = x
coq = c
record = r.json
""".strip().splitlines()
)

MORE_FILES = {
    "names.txt": "A\nB\n",
    "levels2.json": '{"levels": [[null, "1"], ["1", null]]}',
    "levels3.json": '{"levels": [[null, "1", "1"], ["1", null, "1"], ["1", "1", null]]}',
    "payoffs.csv": "1,0\n0,2\n",
    "bounds2.json": '{"diagonal": "1/2"}',
    "devices.json": '{"A": "warner:3/4"}',
    "problem.json": '{"region": {"kind": "differential-privacy", "inputs": "2", "outputs": "2", "epsilon": '
    '{"log": "2"}, "delta": "1/4", "family": "all"}, "objective": {"kind": "variance"}, "population": ["3/4", "1/4"]}',
}
# Options that are used, although the answer of one of these commands is the same, with the reason.
SAME = {
    (command, option): reason
    for commands, option, reason in (
        line.split(" | ")
        for line in """
design binary, design kary, design bits, design problem | --routes | all routes agree
design kary, check | --effort | a limit of the work, which is not reached
design kary | --outputs | the default, where the objective has one
plan | --interval | the default, which is the only one for a contrast
randomize, estimate, regress, noncompliance, audit | --glob | the name is a pattern of one file
randomize, estimate, regress, noncompliance | --ignore-case | the data differ in more than case
randomize, estimate | --missing | the data have no such text
regress | --method | the corrected estimate of a linear model is that of least squares
regress | --standard-errors | the default of a linear model
regress | --seed | the search finds the same maximum
compose, shuffle | --tolerance | the result is exact
compose | --reports | the default of a memo
audit | --last-bits | a bit of a whole number is the number
check | --transposed | the mechanism is symmetric
check | --full | nothing of a short certificate is named by its SHA-256
sweep | --jobs | the table does not depend on the number of processes
""".strip().splitlines()
    )
    for command in commands.split(", ")
}


def leaf(words: list[str]) -> Parser:
    """Return the parser of a call."""
    found = parser()
    while kinds := [one for one in found.filled()._actions if isinstance(one, argparse._SubParsersAction)]:
        found, *words = kinds[0].choices[words[0]], *words[1:]
    return found


def untyped(words: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Yield the options that a call does not have, with a value."""
    for action in leaf(words)._actions:
        asked = action.option_strings and not {"help", "json", "exact"} & {action.dest}
        if asked and not set(action.option_strings) & set(words):
            value = [] if action.nargs == 0 else [action.choices[-1] if action.choices else VALUES[action.dest]]
            yield action.option_strings[-1], value[0].split() if action.nargs == 2 else value


def answer(cli: Callable[..., tuple[int, str, str]], folder: Path, words: list[str], known: set[Path]) -> object:
    """Return status, output, messages and files of a call; the question, which repeats the options, is left out."""
    for path in set(folder.rglob("*")) - known:
        if path.is_file():
            path.unlink()
    status, out, err = cli(*words)
    if out.startswith("{"):
        found = json.loads(out)
        found.pop("question", None)
        out = json.dumps(found)
    return status, out, err, {path: path.read_bytes() for path in set(folder.rglob("*")) - known if path.is_file()}


@pytest.mark.drawn(16)
@pytest.mark.parametrize("call", CALLS)
def test_no_option_is_ignored(cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str) -> None:
    monkeypatch.chdir(tmp_path)
    fill(tmp_path)
    for name, text in MORE_FILES.items():
        Path(name).write_text(text)
    cli(*["design", "binary", "--gamma", "2", "--prevalence", "1/4", "--certificate", "design.json"])
    words, known = shlex.split(call), set(tmp_path.rglob("*"))
    forms = [words, [*words, "--json"]] if any(one.dest == "json" for one in leaf(words)._actions) else [words]
    if words[0] == "plot":
        forms = forms[1:]
    before = [answer(cli, tmp_path, form, known) for form in forms]
    assert all(found[0] in (0, 1) for found in before), before
    ignored = set()
    for option, value in untyped(words):
        for form, own in zip(forms, before, strict=True):
            found = answer(cli, tmp_path, [*form, option, *value], known)
            assert found[0] < 3
            if found != own:
                break
        else:
            ignored.add(option)
    command = leaf(words).prog.removeprefix("rropt ")
    assert {option for option in ignored if (command, option) not in SAME} == set()
