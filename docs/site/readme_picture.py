"""Make the picture of README.md: ``python docs/site/readme_picture.py`` writes ``docs/pictures/respondents.svg``."""

from __future__ import annotations

import sys
from pathlib import Path

from rropt.cli.main import main

FILE = Path(__file__).resolve().parents[1] / "pictures" / "respondents.svg"
COMMAND = ["plot", "respondents", "--margin", "5%", "--prevalence", "10%", "--size", "wide", "--output"]

if __name__ == "__main__":
    sys.exit(main([*COMMAND, *sys.argv[1:2]] if len(sys.argv) > 1 else [*COMMAND, str(FILE)]))
