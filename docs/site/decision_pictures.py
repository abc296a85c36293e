"""Draw the pictures that lead to a page: ``python docs/site/decision_pictures.py`` writes them.

Most are ladders of questions: the answer on the right names the page or the command, "no" leads one step down. A flow
has the steps of a way on the left, in their order, and the command or the file of each on the right. Below the ladder
of designs stand bars of epsilon: where the optimal report of k categories is a set, and where it is one
category. A picture is drawn for a column of a phone, so its words are as large there as on a desk.
``tests/pages/test_decision_pictures.py`` draws all again and compares.
"""

from __future__ import annotations

from html import escape
from math import log, sqrt
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "howto" / "pictures"
WIDTH = 360  # pixels: a phone of 390 without its margins
_STEP, _BOX, _LINE = 66, 46, 15  # pixels: from one question to the next, height of a box, height of a line
_LEFT, _RIGHT = 176, 138  # pixels: widths of questions and of answers
_FIRST, _MOST = 62, 5  # pixels: where the bars begin; epsilon where they end
_BAR, _HIGH = 30, 20  # pixels: from one bar to the next, and its height
SIZES = (3, 4, 10, 30, 100)  # categories of the bars

LADDERS = {
    "which-estimate": (
        "Which page?",
        [
            (("the file has", "true answers?"), "yes", ("randomize", "the file first")),
            (("weights, strata", "or clusters?"), "yes", ("--weights w", "--clusters c")),
            (("a table by group,", "differences?"), "yes", ("--by region",)),
            (("several questions", "or devices?"), "yes", ("--columns a,b", "--devices d")),
            (("some rows only,", "bands of age?"), "yes", ("--where, --recode",)),
        ],
        ("one file, one estimate",),
    ),
    "which-design": (
        "Which design?",
        [
            (("several questions", "of one person?"), "yes", ("design questions",)),
            (("the mean of a number", "(score, count)?"), "yes", ("design mean",)),
            (("microdata that is", "already collected?"), "yes", ("design pram",)),
            (("k > 2 categories?",), "yes", ("design kary",)),
            (("no phone: dice, cards", "or coins?"), "yes", ("device",)),
            (("some will not follow", "the device?"), "yes", ("design", "noncompliance")),
        ],
        ("design binary",),
    ),
    "which-questions": (
        "How to ask several questions?",
        [
            (("joint distribution,", "or a regression?"), "yes", ("design questions",)),
            (("epsilon of about 1", "or less?"), "yes", ("design questions", "--ask 1")),
        ],
        ("design questions", "--ask J"),
    ),
    "which-sample": (
        "How was the sample drawn?",
        [
            (("unequal chances?",), "yes", ("--weights w",)),
            (("within strata?",), "yes", ("--strata s",)),
            (("villages, schools, ...", "first?"), "yes", ("--clusters c",)),
            (("a large part of", "the population?"), "yes", ("--fpc N",)),
            (("replicate weights", "in the file?"), "yes", ("--weights w", "--replicates ...")),
        ],
        ("simple random:", "no option"),
    ),
    "which-audit": (
        "Which audit?",
        [
            (("the matrix is", "known?"), "yes", ("privacy",)),
            (("responses in a file?",), "yes", ("audit FILE",)),
            (("a program that", "rropt can call?"), "yes", ("audit --command",)),
        ],
        ("plan: audit", "--mechanism"),
    ),
    "which-devices": (
        "Several questions or devices?",
        [
            (("several questions,", "each in a column?"), "yes", ("--columns a,b",)),
            (("no device alone", "determines the result?"), "yes", ("--devices column", "--contrast 0,1,0,1")),
            (("one column names the", "respondent's device?"), "yes", ("--devices column",)),
            (("one question, in", "several columns?"), "yes", ("--devices a=...", "--devices b=...")),
        ],
        ("one device:", "--mechanism DEVICE"),
    ),
    "which-check": (
        "Which checker?",
        [
            (("nothing can", "be installed?"), "yes", ("checker.html,", "in a browser")),
            (("a proof at every level,", "for Coq to judge?"), "yes", ("check --coq FILE.v",)),
            (("rropt is installed?",), "yes", ("check FILE",)),
        ],
        ("rropt-checker FILE",),
    ),
    "which-jobs": (
        "Where does the sweep run?",
        [
            (("a Python function", "of your own?"), "yes", ("rropt.sweep",)),
            (("several machines", "(Dask)?"), "yes", ("--jobs tcp://...",)),
            (("several processors", "of this machine?"), "yes", ("--jobs 8",)),
        ],
        ("--jobs 1",),
    ),
    "which-columns": (
        "Which columns are kept?",
        [
            (("nobody needs it later?",), "yes", ("leave it out",)),
            (("it reveals answers,", "but everybody knows it?"), "yes", ("--keep-anyway X",)),
            (("it reveals the", "true answers?"), "yes", ("--keep X: refused",)),
            (("it increases from", "row to row?"), "yes", ("--keep X, and a", "remark: the order")),
        ],
        ("--keep X",),
    ),
    "which-evidence": (
        "What do you want from a claim?",
        [
            (("the claim is not", "in rropt?"), "yes", ("a card:", "verify mine.toml")),
            (("one claim in full?",), "yes", ("verify ID", "--explain")),
            (("a text for a paper", "of yours?"), "yes", ("--report claims.tex",)),
            (("certificates that", "others can check?"), "yes", ("--certificate F",)),
            (("theorems of Coq?",), "yes", ("--coq FOLDER",)),
        ],
        ("all verdicts of a paper:", "verify PAPER"),
    ),
    "which-class": (
        "Which class of objective?",
        [
            (("linear in the matrix?",), "yes", ("Trace, Loss, Payoff",)),
            (("a sum of a rational", "function of each row?"), "yes", ("RationalSum",)),
            (("a sum of a convex", "function of each row?"), "yes", ("ConvexSum",)),
            (("a function of the", "Fisher information?"), "yes", ("InformationObjective",)),
        ],
        ("a class of your own,", "and a Way"),
    ),
    "which-rows": (
        "Which rows and values count?",
        [
            (("some rows only?",), "yes", ('--where "age >= 18"',)),
            (("bands of a number,", "or joined levels?"), "yes", ('--recode "age: ..."',)),
            (("an empty cell means", "the answer no?"), "yes", ("--blank no",)),
            (("an empty cell means", "no answer?"), "yes", ('--missing ""',)),
        ],
        ("all rows, as they are:", "no option"),
    ),
    "which-report": (
        "Which design of many categories?",
        [
            (("a likely true", "response?"), "yes", ("--objective trace:...",)),
            (("few bits for", "each report?"), "yes", ("--objective a-optimal", "--outputs 2^26")),
            (("delta > 0 is", "allowed?"), "yes", ("--objective a-optimal", "--delta 1/100")),
        ],
        ("--objective a-optimal",),
    ),
    "which-sheet": (
        "Which page is printed?",
        [
            (("all questions, for the", "ethics committee?"), "yes", ("survey ethics",)),
            (("the browser draws", "the response?"), "yes", ("sheet --form web",)),
            (("a web questionnaire", "with a device at hand?"), "yes", ("sheet --form html",)),
            (("the wording names", "faces of the die?"), "yes", ("sheet --faces", "2..5 1 6")),
        ],
        ("sheet",),
    ),
    "which-extra": (
        "What is installed?",
        [
            (("only to check", "certificates?"), "yes", ("the checker alone",)),
            (("files of respondents?",), "yes", ('".[fieldwork]"',)),
            (("pictures as PNG", "or PDF?"), "yes", ('".[plot]"',)),
            (("results as", "data frames?"), "yes", ('".[frames]"',)),
        ],
        ("pip install .",),
    ),
}

# Steps of a way: who or when, and the command or the file.
FLOWS = {
    "way-of-a-report": (
        "From the design to the estimate",
        [
            (("you",), ("export design.json", "javascript")),
            (("the machine of each", "respondent"), ("client.mjs draw",)),
            (("each server",), ("count part1.txt",)),
            (("one server",), ("count --add",)),
            (("you",), ("estimate all.json",)),
        ],
    ),
    "way-of-a-proof": (
        "From the optimum to the reader",
        [
            (("you make the file",), ("--certificate", "design.json")),
            (("you check it, and", "copy the SHA-256"), ("check design.json",)),
            (("an archive gives", "a DOI"), ("design.json", "as it was written")),
            (("the reader compares", "all 64 digits"), ("sha256sum", "design.json")),
            (("the reader checks", "the proof"), ("rropt-checker", "design.json")),
        ],
    ),
    "way-of-a-survey": (
        "One declaration, all commands",
        [
            (("list the columns",), ("survey init",)),
            (("write down weights,", "devices, questions"), ("survey.toml",)),
            (("see what is missing",), ("survey",)),
            (("before the interviews",), ("plan, sheet,", "survey ethics")),
            (("after the interviews",), ("estimate, regress",)),
            (("print the results",), ("report",)),
        ],
    ),
}


def threshold(k: int) -> float:
    """Return the epsilon from which the A-optimal report at equal proportions is one category."""
    return log(sqrt((k - 1) * (k - 2) / 2))


def ladder(name: str) -> str:
    """Return one picture as SVG."""
    title, steps, last = LADDERS[name]
    end = _STEP * len(steps) + _BOX + 16
    bars = _bars(end) if name == "which-design" else []
    height = end + (_BAR * len(SIZES) + 84 if bars else 0)
    words = "; ".join(f"{' '.join(asked)} {' '.join(then)}" for asked, _, then in steps)
    if bars:
        last_words = ", ".join(f"k = {k}: {threshold(k):.2f}" for k in SIZES)
        words += f"; design kary names one category of k from this epsilon on, and a set below it: {last_words}"
    parts = _head(title, f"{words}; otherwise {' '.join(last)}", height)
    for i, (asked, yes, then) in enumerate(steps):
        y = 8 + _STEP * i
        middle = y + _BOX / 2
        parts += _box(1, y, _LEFT, asked, "#ffffff", "#5f6b7a")
        parts += _box(WIDTH - _RIGHT - 1, y, _RIGHT, then, "#e8f0fa", "#1f5fa8")
        parts += _arrow(_LEFT + 1, middle, WIDTH - _RIGHT - 1, middle)
        parts.append(f'<text x="{_LEFT + 8}" y="{middle - 6}" fill="#1c2733">{escape(yes)}</text>')
        parts += _arrow(_LEFT / 2, y + _BOX, _LEFT / 2, y + _STEP)
        parts.append(f'<text x="{_LEFT / 2 + 8}" y="{y + _BOX + _LINE}" fill="#1c2733">no</text>')
    parts += _box(1, 8 + _STEP * len(steps), _LEFT, last, "#e8f0fa", "#1f5fa8")
    return "\n".join([*parts, *bars, "</svg>\n"])


def flow(name: str) -> str:
    """Return the picture of a way as SVG: its steps below each other."""
    title, steps = FLOWS[name]
    words = "; then ".join(f"{' '.join(step)}: {' '.join(then)}" for step, then in steps)
    parts = _head(title, words, _STEP * (len(steps) - 1) + _BOX + 16)
    for i, (step, then) in enumerate(steps):
        y = 8 + _STEP * i
        parts += _box(1, y, _LEFT, step, "#ffffff", "#5f6b7a")
        parts += _box(WIDTH - _RIGHT - 1, y, _RIGHT, then, "#e8f0fa", "#1f5fa8")
        parts.append(
            f'<line x1="{_LEFT + 1}" y1="{y + _BOX / 2}" x2="{WIDTH - _RIGHT - 1}" y2="{y + _BOX / 2}" '
            'stroke="#5f6b7a"/>'
        )
        if i:
            parts += _arrow(_LEFT / 2, y + _BOX - _STEP, _LEFT / 2, y)
    return "\n".join([*parts, "</svg>\n"])


def pictures() -> dict[str, str]:
    """Return all pictures by their names, as SVG."""
    return {name: ladder(name) for name in LADDERS} | {name: flow(name) for name in FLOWS}


def _head(title: str, words: str, height: float) -> list[str]:
    """Return the first lines of a picture: its size, its title, its description and its ground."""
    return [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(words)}</desc>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]


def _bars(top: float) -> list[str]:
    """Return the bars of epsilon: for each k a set below its threshold, one category above it, and the axis."""
    scale = (WIDTH - 12 - _FIRST) / _MOST
    bottom = top + 46 + _BAR * len(SIZES)
    parts = [
        f'<text x="1" y="{top + 16}" font-weight="bold" fill="#1c2733">design kary: what a report names</text>',
        f'<text x="1" y="{top + 34}" fill="#1c2733">by the number of categories k and the level epsilon</text>',
    ]
    for i, k in enumerate(SIZES):
        y, width = top + 46 + _BAR * i, round(scale * threshold(k), 1)
        parts += [
            f'<text x="1" y="{y + 15}" fill="#1c2733">k = {k}</text>',
            f'<rect x="{_FIRST}" y="{y}" width="{width}" height="{_HIGH}" fill="#fbe3d0" stroke="#a8541f"/>',
            f'<rect x="{_FIRST + width}" y="{y}" width="{round(_MOST * scale - width, 1)}" height="{_HIGH}" '
            'fill="#e8f0fa" stroke="#1f5fa8"/>',
        ]
        for words, left, room in (("a set", 0, width), ("one category", width, _MOST * scale - width)):
            if room > 7.5 * len(words):
                x = round(_FIRST + left + room / 2, 1)
                parts.append(f'<text x="{x}" y="{y + 15}" text-anchor="middle" fill="#1c2733">{words}</text>')
    places = [(round(_FIRST + scale * value, 1), value) for value in range(_MOST + 1)]
    parts += [
        f'<text x="{x}" y="{bottom + 14}" text-anchor="middle" fill="#1c2733">{value}</text>' for x, value in places
    ]
    middle = round(_FIRST + scale * _MOST / 2, 1)
    return [*parts, f'<text x="{middle}" y="{bottom + 32}" text-anchor="middle" fill="#1c2733">epsilon</text>']


def _box(x: float, y: float, width: float, lines: tuple[str, ...], fill: str, stroke: str) -> list[str]:
    """Return a box with lines of text in its middle."""
    first, middle = y + _BOX / 2 + 4.5 - _LINE * (len(lines) - 1) / 2, x + width / 2
    return [
        f'<rect x="{x}" y="{y}" width="{width}" height="{_BOX}" rx="6" fill="{fill}" stroke="{stroke}"/>',
        *(
            f'<text x="{middle}" y="{first + _LINE * i}" text-anchor="middle" fill="#1c2733">{escape(words)}</text>'
            for i, words in enumerate(lines)
        ),
    ]


def _arrow(x1: float, y1: float, x2: float, y2: float) -> list[str]:
    """Return a line with a head at its end; it is level or upright."""
    if y1 == y2:
        head = f"{x2 - 6},{y2 - 4} {x2},{y2} {x2 - 6},{y2 + 4}"
    else:
        head = f"{x2 - 4},{y2 - 6} {x2},{y2} {x2 + 4},{y2 - 6}"
    return [
        f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="#5f6b7a"/>',
        f'<polygon points="{head}" fill="#5f6b7a"/>',
    ]


if __name__ == "__main__":
    for name, text in pictures().items():
        (FOLDER / f"{name}.svg").write_text(text, encoding="utf-8")
