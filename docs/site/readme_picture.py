"""Make the picture of README.md: ``python docs/site/readme_picture.py`` writes ``docs/pictures/respondents.svg``.

It is as wide as a phone shows it, so its letters have the same size on a phone, on a desk and on paper.
``tests/pages/test_decision_pictures.py`` draws it again and compares.
"""

from __future__ import annotations

import sys
from pathlib import Path

from rropt.cli.main import main

FILE = Path(__file__).resolve().parents[1] / "pictures" / "respondents.svg"
COMMAND = ["plot", "respondents", "--margin", "5%", "--prevalence", "10%", "--size", "paper", "--output"]

if __name__ == "__main__":
    sys.exit(main([*COMMAND, *sys.argv[1:2]] if len(sys.argv) > 1 else [*COMMAND, str(FILE)]))
