"""Ways through the house: the distinct files of `rropt/` in which a function is called after imports, for one call.

    python benchmarks/ways.py [--files]

The modules that the call needs are imported first, by a run that is not counted. With `--files` the files are listed,
in the order in which they are first entered. With `--strict` the exit status is 1 when a way is longer than its limit.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import shlex
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

# A way, and the most files it may pass through: None where nothing is asked.
WAYS: dict[str, int | None] = {
    'design binary --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --certificate {folder}/c.json': 25,
    'bound --upper "sqrt(p)"': 15,
    'bound --upper "sqrt(p)" --certificate {folder}/b.json': None,
    "check {folder}/c.json": None,
    "compare warner:3/4 forced:2/3,1/6,1/6": None,
    "verify holohan2016.lemma-1": None,
}


def way(argv: list[str]) -> list[str]:
    """Return the files in which a function is called, in the order of the first call."""
    import rropt
    from rropt.cli.main import main

    root = str(Path(rropt.__file__).parent)
    found: dict[str, None] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name != "<module>":
            found[code.co_filename[len(root) + 1 :]] = None

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        main(argv)
        sys.setprofile(look)
        try:
            main(argv)
        finally:
            sys.setprofile(None)
    return list(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", action="store_true", help="list the files")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a way is longer than its limit")
    args = parser.parse_args()
    too_long = False
    with tempfile.TemporaryDirectory() as folder:
        for line, limit in WAYS.items():
            files = way(shlex.split(line.format(folder=folder)))
            too_long |= limit is not None and len(files) > limit
            judged = sum(file.startswith("checker") for file in files)
            asked = f"limit {limit}" if limit else "no limit"
            print(f"{len(files):>4} files ({asked}; {judged} of the checker)  {line.format(folder='.')}")
            for file in files if args.files else ():
                print(f"       {file}")
    if args.strict and too_long:
        raise SystemExit("a way is longer than its limit")


if __name__ == "__main__":
    main()
