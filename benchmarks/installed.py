"""What ``pip install rropt`` brings, and whether its commands use it: ``python benchmarks/installed.py``.

The script follows the requirements of the core through the installed packages, adds up their files, and runs
``design``, ``estimate``, ``check`` and ``verify``. A required package that no module of theirs imports is counted; an
import in a function that these runs do not call counts, such as that of zstd for packed data.
"""

from __future__ import annotations

import importlib.metadata as metadata
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

RUNS = """
import json, sys
from rropt.cli.main import main
used = set()
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        assert not end.code, words
files = [module.__file__ for name, module in list(sys.modules.items()) if name.startswith("rropt")]
print(json.dumps([sorted(sys.modules), [file for file in files if file]]), file=sys.stderr)
"""


def plain(name: str) -> str:
    """Return the normalized name of a package."""
    return re.sub(r"[-_.]+", "-", name).lower()


def required(package: str) -> list[str]:
    """Return the packages that a package requires without extras, if they are installed."""
    found = []
    for text in metadata.requires(package) or ():
        name = re.match(r"[A-Za-z0-9_.-]+", text)
        assert name is not None
        if "extra ==" not in text and is_there(name[0]):
            found.append(plain(name[0]))
    return found


def is_there(package: str) -> bool:
    """Return whether a package is installed."""
    try:
        metadata.distribution(package)
    except metadata.PackageNotFoundError:
        return False
    return True


def closure(package: str) -> list[str]:
    """Return a package and all that it requires."""
    found, left = [plain(package)], [plain(package)]
    while left:
        new = [name for name in required(left.pop()) if name not in found]
        found += new
        left += new
    return found


def size(package: str) -> float:
    """Return the size of the files of a package in MB."""
    files = metadata.distribution(package).files or ()
    paths = (Path(str(file.locate())) for file in files)
    return sum(path.stat().st_size for path in paths if path.is_file()) / 1e6


def main() -> None:
    """Print the packages, the largest first, and the line of the table."""
    packages = closure("rropt")
    sizes = {name: size(name) for name in packages}
    for name, taken in sorted(sizes.items(), key=lambda each: -each[1])[:12]:
        print(f"  {name:20} {taken:7.1f} MB")
    with tempfile.TemporaryDirectory() as folder:
        certificate, table = (str(Path(folder) / name) for name in ("design.json", "table.csv"))
        Path(table).write_text("q\n" + "1\n0\n" * 50, encoding="utf-8")
        commands = [
            ["design", "binary", "--epsilon", "1", "--prevalence", "1/10", "--certificate", certificate],
            ["design", "mean", "--epsilon", "1", "--scores", "1,2,3"],
            ["check", certificate],
            ["estimate", table, "--column", "q", "--mechanism", "warner:3/4"],
            ["verify", "literature.diagonal-dominance", "literature.two-values"],
        ]
        words = [sys.executable, "-c", RUNS, json.dumps(commands)]
        told = subprocess.run(words, check=True, capture_output=True, text=True).stderr
    loaded, files = json.loads(told.splitlines()[-1])
    tops = metadata.packages_distributions()
    texts = "\n".join(Path(file).read_text(encoding="utf-8") for file in files)
    imported = set(re.findall(r"(?:import |from |\")(\w+)", texts))
    modules = {name.partition(".")[0] for name in loaded} | imported
    used = {plain(name) for module in modules for name in tops.get(module, ())} | {"rropt"}
    idle = sorted(name for name in required("rropt") if name not in used)
    whole = sum(sizes.values())
    met = "NO" if idle else "yes"
    work = f"required packages that no command uses, of {whole:.0f} MB"
    print(f"{work} | {' '.join([str(len(idle)), *idle])} | 0 | - | 0 | {met}")


if __name__ == "__main__":
    main()
