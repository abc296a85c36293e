"""A survey from its declaration to its report: 20 columns, weights, 36 clusters and three devices, in six commands.

The data are generated: about 25 % of 1200 employees were sick at work, and each answered by one of three decks of
cards; for the use of pain killers (k = 5) everybody had the same device. Some refused. `rropt survey init` lists
the columns and what must be decided; that is written here as one would with an editor. The other commands name the
question alone.

Give a folder to keep its files: python examples/declared_survey.py FOLDER
"""

from __future__ import annotations

import os
import random
import re
import sys
import tempfile
from contextlib import redirect_stdout
from pathlib import Path

from rropt.cli.main import main

KEPT = {"A": 3 / 4, "B": 2 / 3, "C": 5 / 6}  # the probability of the true answer under each device
LEVELS = ["never", "once", "few", "often", "daily"]
USE = (40, 25, 15, 12, 8)  # percent
COLUMNS = (
    *("id", "weight", "stratum", "psu", "fpc", "device", "sex", "age", "region", "school", "language", "sick", "use"),
    *("vote", "income", "household", "day", "comment", "satisfied", "wave"),
)
EDITS = (
    ('title = "?"', 'title = "Health at work"'),
    ('unit = "?"', 'unit = "employees"'),
    (
        'epsilon = "?"',
        'devices = {A = "warner:3/4", B = "warner:2/3", C = "warner:5/6"}\nmissing = "refused"\nepsilon = "log(5)"',
    ),
    ('# weights = "?"', 'weights = "weight"'),
    ('# strata = "?"', 'strata = "stratum"'),
    ('# clusters = "?"', 'clusters = "psu"'),
    ('# fpc = "?"', 'fpc = "fpc"'),
    ('["?", "no", "yes"]', '["no", "yes"]'),
    ('["?", "daily", "few", "never", "often", "once"]', '["never", "once", "few", "often", "daily"]'),
)
QUESTIONS = {
    "sick": ("Were you sick at work last month?", "device"),
    "use": ("How often did you take pain killers last month?", "grr:5,1/2"),
}


def rows() -> list[str]:
    """Return the lines of the data."""
    draw, lines = random.Random(57), [",".join(COLUMNS)]
    for i in range(1200):
        device, psu, region = draw.choice("ABC"), i % 36, ("north", "east", "south")[i % 36 % 3]
        age = draw.randint(18, 64)
        was_sick = draw.random() < (0.15 if age < 40 else 0.35)
        said = was_sick == (draw.random() < KEPT[device])
        used = draw.choices(LEVELS, USE)[0]
        if draw.random() >= 1 / 2:
            used = draw.choice([level for level in LEVELS if level != used])
        sick = "refused" if draw.random() < 0.02 else "yes" if said else "no"
        use = "refused" if draw.random() < 0.03 else used
        cells = (i, f"{draw.uniform(50, 150):.1f}", f"s{psu % 4}", psu, 90, device, draw.choice("fm"), age, region)
        more = (draw.choice("abcd"), draw.choice(("de", "en")), sick, use, draw.choice("01"), 1500 + i, i % 6, i % 28)
        lines.append(",".join(map(str, (*cells, *more, f"c{i}", draw.choice(("yes", "no", "")), 1))))
    return lines


def edited(text: str) -> str:
    """Return the declaration with what must be decided."""
    head, *parts = re.split(r"\n(?=\[questions)", text)
    for old, new in EDITS:
        head, parts = head.replace(old, new), [part.replace(old, new) for part in parts]
    found = []
    for part, (wording, device) in zip(parts, QUESTIONS.values(), strict=True):
        found.append(
            part.replace('question = "?"', f'question = "{wording}"').replace('device = "?"', f'device = "{device}"')
        )
    return "\n".join([head, *found])


def call(*words: str, output: str | None = None) -> None:
    """Run a command, and print it; its output goes to the screen or to a file."""
    print(f"\n$ rropt {' '.join(words)}{f' > {output}' if output else ''}", flush=True)
    if output is None:
        status = main(words)
    else:
        with Path(output).open("w", encoding="utf-8") as file, redirect_stdout(file):
            status = main(words)
    if status:
        sys.exit(status)


def run() -> None:
    """Run the six commands in this folder."""
    Path("answers.csv").write_text("\n".join(rows()) + "\n", encoding="utf-8")
    call("survey", "init", "answers.csv", "--questions", "sick,use")
    declaration = Path("survey.toml")
    declaration.write_text(edited(declaration.read_text(encoding="utf-8")), encoding="utf-8")
    call("survey")
    call("plan", "margin", "0.05", "--question", "sick", "--device", "A", "--prevalence", "1/4")
    for device in KEPT:
        call("sheet", "sick", "--device", device, "--output", f"sheet-{device}.html")
    call("estimate", "sick", "--by", "region")
    call("estimate", "sick", "--by", "region", "--json", output="sick.json")
    call("estimate", "use", "--json", output="use.json")
    call("regress", "--formula", "sick ~ age + sex", "--json", output="regression.json")
    call("report", "sick.json", "use.json", "regression.json", "--output", "report.html")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(sys.argv[1] if len(sys.argv) > 1 else folder)
        run()
        os.chdir("/")
