"""The commands of the README and of the commands by example, and how those end without extras that do not just succeed.

``fresh_install.py`` runs all of them; ``test_readme_commands.py`` looks that no case outlives its command. Python's
standard library only: neither environment need hold the other's packages.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
COMMANDS = ROOT / "docs" / "reference" / "commands-by-example.md"
CATEGORIES = ROOT / "docs" / "howto" / "design-for-k-categories.md"
RECIPE = ROOT / "docs" / "howto" / "add-a-claim.md"
SOURCES = (README, COMMANDS, CATEGORIES, RECIPE)
"""Pages whose commands are run; those of a page in one folder, in their order."""


class Case(NamedTuple):
    """A case of one command.

    Attributes:
        run: the words that are run instead, where the page's own command takes long; else the command itself.
        status: the exit status.
        says: text that standard output or standard error must contain.
    """

    run: str = ""
    status: int = 0
    says: str = ""


def blocks(text: str) -> list[str]:
    """Return the ``sh`` blocks of a page."""
    return re.findall(r"^```sh[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def outputs(command: str) -> list[str]:
    """Return what a command writes: the values of its options that name a file or a folder, and where it is sent."""
    return re.findall(r"(?:--(?:output|certificate|report|print)|>) (\S+)", command)


def commands(block: str) -> list[str]:
    """Return the ``rropt`` commands of a block, without their comments and with single blanks."""
    bare = [re.sub(r"\s+#.*", "", line) for line in block.splitlines()]
    parts = [" ".join(part.split()) for line in bare for part in line.split(" && ")]
    return [part for part in parts if part.startswith("rropt ")]


def python_blocks(text: str) -> list[str]:
    """Return the blocks of Python that a reader can type in order."""
    return re.findall(r"^```py(?:thon)?[^\n]*\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


# Files that the commands read, by the page that reads them; what they write they write beside them.
_RESPONSES = "q1,q2,device,sick,region,w,s,c,N\n" + "".join(
    f'{i % 2},{i // 3 % 2},"bits:{1 + i // 2 % 2 * 2}/4,5/6",{i // 5 % 2},{"AB"[i % 2]},'
    f"{1 + i % 3},{i // 12},{i // 3},40\n"
    for i in range(48)
)
FILES: dict[str, dict[str, str]] = {
    "commands-by-example.md": {
        "survey.csv": _RESPONSES,
        "answers.csv": "name,sick\nAda,no\nBen,yes\nCem,no\n",
        "bounds.json": '{"diagonal": "1/2", "entries": [{"output": 0, "input": 1, "most": "1/5"}]}',
        "grid.toml": 'problem = "binary"\n[grid]\nepsilon = ["log(2)"]\nprevalence = ["1/10", 0.25]\n',
    },
    "design-for-k-categories.md": {"answers.csv": "q\n" + "".join(f"{i}\n" for i in range(0, 300, 30))},
    "README.md": {"answers.csv": "sick\n" + "".join(f"{int(i % 5 == 0)}\n" for i in range(2000))},
}
# Files that are no text, made by the packages of the fresh environment.
BINARY_FILES = """
import duckdb, numpy
numpy.save("channel.npy", numpy.array([[0.75, 0.2], [0.25, 0.8]]))
numpy.save("deployed.npy", numpy.array([[1, 1 / 4], [0, 3 / 4]]))
duckdb.sql("copy (select * from read_csv('survey.csv')) to 'survey.parquet'")
"""

_PLOT = Case(status=2, says='pip install "rropt[plot]"')

_C_OPTIMAL = "rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective c-optimal --contrast"

# Commands whose words are changed, whose text is looked at, or which fail; the others have the exit status 0.
CASES: dict[str, Case] = {
    'rropt design binary --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --certificate design.json': Case(says="15/16"),
    "rropt check design.json": Case(says="accepted"),
    "rropt check design.json --mechanism deployed.npy": Case(status=1),
    "rropt design kary -k 60 --epsilon 1 --distance abs --objective loss:absolute": Case(
        run="rropt design kary -k 6 --epsilon 1 --distance abs --objective loss:absolute"
    ),
    f"{_C_OPTIMAL} 1,-1,0 --outputs any".replace("--epsilon 1 ", '--epsilon "log(3)" '): Case(says="accepted"),
    "rropt design kary --proportions 1/2,1/3,1/6 --epsilon 1 --delta 1/20 --objective a-optimal": Case(
        says="certificate accepted"
    ),
    "rropt design kary --proportions 1/2,1/3,1/6 --level gdp:1 --objective a-optimal": Case(
        run="rropt design kary --proportions 1/2,1/2 --level gdp:1 --objective total-variation --against 1/4,3/4",
        says="certificate accepted",
    ),
    "rropt design kary --proportions 1/2,1/3,1/6 --level renyi:2,1/2 --objective a-optimal": Case(
        run="rropt design kary --proportions 1/4,3/4 --level renyi:2,1/2 --objective a-optimal"
    ),
    "rropt design kary --proportions 150x1/200,150x1/600 --epsilon 1 --objective d-optimal --output design.json": Case(
        says="certificate accepted"
    ),
    "rropt estimate responses.csv --column q --mechanism design.json": Case(says="10 rows"),
    "rropt design kary -k 1000000 --epsilon 1 --objective a-optimal --output-bits 26": Case(says="25 bits"),
    "rropt design kary -k 5 --epsilon 1 --objective trace --bounds bounds.json": Case(status=1),
    "rropt privacy forced:2/3,1/6,1/6": Case(says="log(5)"),
    "rropt privacy oue:1000000,3": Case(says="log(3)"),
    "rropt privacy warner:5/6 --rho 1/5 1/2": Case(status=1),
    "rropt privacy 1 -k 10 --renyi zcdp": Case(says="0.148132"),
    "rropt compare warner:3/4 forced:2/3,1/6,1/6": Case(status=1),
    "rropt estimate --yes 831 --n 2435 --mechanism forced:2/3,1/6,1/6": Case(says="2551/9740 ~ 0.262"),
    "rropt estimate survey.csv --columns q1,q2 --devices device --by region": Case(says="48 rows"),
    "rropt estimate survey.parquet --columns q1,q2 --mechanism bits:3/4*2 --by region --engine pyspark": Case(
        status=2, says="rropt[pyspark]"
    ),
    'rropt regress survey.csv --formula "sick ~ region" --mechanism warner:3/4': Case(
        status=2, says="rropt[regression]"
    ),
    "rropt estimate survey.csv --column sick --mechanism warner:3/4 --weights w --strata s --clusters c --fpc N": Case(
        says="48 rows"
    ),
    'rropt compose "log(3)*100" --delta 1/1000000': Case(says="94.28986"),
    "rropt audit --counts 900,100 --counts 200,800 --event 0 --claim 1": Case(status=1, says="clopper-pearson"),
    "rropt shuffle 4 --n 1000 --delta 1/1000000": Case(says="1.69100"),
    "rropt compose rappor:1/2,1/2,3/4 --waves 12": Case(says="log(9)"),
    'rropt plot region --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --output region.svg': _PLOT,
    "rropt plot breaches --rho 1/5 1/2 --mechanism warner:5/6 --output breaches.svg": _PLOT,
    "rropt plot respondents --margin 5% --prevalence 10% --output n.svg": _PLOT,
    "rropt verify chainayak2018": Case(run="rropt verify chainayak2018.lemma-4.2", says="holds"),
    "rropt sweep grid.toml --output designs.parquet --certificate proofs --jobs 8": Case(
        run="rropt sweep grid.toml --output designs.parquet --certificate proofs --jobs 2"
    ),
    "rropt design list": Case(says="warner"),
    "rropt verify template.warner-entries": Case(says="1 holds"),
}

# Of the Python of each page, its blocks together: on k categories a problem without a solution, and its reason; of a
# claim in rows its function, which tests/claims/test_rows.py proves.
PYTHON_CASES = {
    "README.md": Case(says="accepted"),
    "design-for-k-categories.md": Case(says="they need epsilon of about log(27)"),
}

# Beside the pages' own: the same file of responses as Parquet, with the engine of the core.
FURTHER: dict[str, Case] = {
    "rropt estimate survey.parquet --columns q1,q2 --mechanism bits:3/4*2 --by region": Case(says="48 rows"),
    "rropt estimate survey.csv --columns q1,q2 --mechanism bits:3/4*2 --engine polars": Case(
        status=2, says="rropt[polars]"
    ),
    "rropt sweep grid.toml --output again.parquet --cluster local": Case(status=2, says="rropt[dask]"),
    "rropt verify chainayak2018.lemma-4.2 --report claims.html": Case(status=2, says="rropt[proofs]"),
}
