"""Both installs in fresh environments: ``python benchmarks/installs.py [PYTHON ...]``.

For each interpreter (default: this one) the script makes an environment, installs the wheel of this folder, then adds
the extra ``fieldwork``. It prints a row of a table for each: the number of packages, the size of site-packages with the
bytecode that pip writes, the seconds that pip took, and the seconds of ``import rropt`` and of a first command.
Downloads that pip has in its cache are not made again, so a second run takes what a computer takes without the network.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from importlib.metadata import distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COMMAND = ["-m", "rropt", "design", "binary", "--prevalence", "1/4", "--epsilon", "log(3)", "--fast"]
RUNS = 7


def seconds(words: list[str]) -> float:
    """Run a program, and return the seconds that it took."""
    start = time.perf_counter()
    subprocess.run(words, check=True, capture_output=True, cwd=tempfile.gettempdir())
    return time.perf_counter() - start


def least(words: list[str]) -> float:
    """Return the least seconds of some runs."""
    return min(seconds(words) for _ in range(RUNS))


def row(folder: Path, wheel: str, title: str) -> str:
    """Install the wheel into an environment, and return the row of the table."""
    python = str(folder / "bin" / "python")
    taken = seconds([python, "-m", "pip", "install", "--quiet", wheel])
    (site,) = folder.glob("lib/python*/site-packages")
    names = {each.name for each in distributions(path=[str(site)])} - {"pip", "setuptools"}
    size = sum(file.stat().st_size for file in site.rglob("*") if file.is_file()) / 1e6
    nothing = least([python, "-c", "pass"])
    imported = least([python, "-c", "import rropt"]) - nothing
    version = subprocess.run([python, "-V"], check=True, capture_output=True, text=True).stdout.split()[1]
    cells = (version, title, len(names), f"{size:.0f}", f"{taken:.0f}", f"{imported:.3f}")
    return "| " + " | ".join(map(str, (*cells, f"{least([python, *COMMAND]):.2f}"))) + " |"


def main() -> None:
    """Print the table."""
    print("| Python | install | packages | MB | seconds of pip | `import rropt`, s | `rropt design binary --fast`, s |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        subprocess.run(
            [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", name, str(ROOT)], check=True
        )
        (wheel,) = place.glob("rropt-*.whl")
        for number, python in enumerate(sys.argv[1:] or [sys.executable]):
            folder = place / str(number)
            subprocess.run([python, "-m", "venv", "--upgrade-deps", str(folder)], check=True, capture_output=True)
            print(row(folder, str(wheel), "`pip install .`"), flush=True)
            extra = f"rropt[fieldwork] @ {wheel.as_uri()}"
            print(row(folder, extra, '`pip install ".[fieldwork]"`'), flush=True)


if __name__ == "__main__":
    main()
