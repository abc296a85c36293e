"""Draw the figures of papers: ``python docs/site/figures.py`` writes ``docs/reference/figures/``.

``rropt plot paper PAPER FIGURE`` draws each of them. The page ``docs/reference/figures.md`` says what they show.
"""

from __future__ import annotations

from pathlib import Path

from rropt import plots
from rropt.core.files import write_files
from rropt.plots.data.paper_pictures import FIGURES

FOLDER = Path(__file__).resolve().parents[1] / "reference" / "figures"

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    names = [(paper, figure) for paper, figures in FIGURES.items() for figure in figures]
    write_files([(FOLDER / f"{name[0]}-{name[1]}.svg", plots.paper(*name).to_bytes("svg")) for name in names])
