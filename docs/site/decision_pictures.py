"""Draw the pictures that lead to a page: ``python docs/site/decision_pictures.py`` writes them.

Each is a ladder of questions: the answer on the right names the page or the command, "no" leads one step down. Below
the ladder of designs stand bars of epsilon: where the optimal report of k categories is a set, and where it is one
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
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f"<desc>{escape(words)}; otherwise {escape(' '.join(last))}</desc>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
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
    for name in LADDERS:
        (FOLDER / f"{name}.svg").write_text(ladder(name), encoding="utf-8")
