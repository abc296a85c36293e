"""Call paths: the functions of `rropt/`, and their files, that one call enters after imports.

    python benchmarks/ways.py [--files]

The modules that the call needs are imported first, by a run that is not counted. With `--files` the files are listed,
in the order in which they are first entered. With `--strict` only the ways with a limit are
counted, and the exit status is 1 when one is longer than it; a test runs this.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import shlex
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Any

# A way, and the most functions and files that it may pass through; None: any number. Lower a limit when a way gets
# shorter: the goal of `estimate` and `regress` is 150 in 35.
WAYS: dict[str, tuple[int, int] | None] = {
    'design binary --epsilon "log(2)" --delta 1/4 --prevalence 1/4 --fast': (185, 41),
    "design kary --proportions 1/2,1/3,1/6 --epsilon 1 --objective a-optimal --fast": (344, 57),
    "estimate {folder}/survey.csv --column q --mechanism warner:3/4": (225, 48),
    'regress {folder}/survey.csv --formula "q ~ x" --mechanism warner:3/4': (230, 50),
    'privacy --level "curve:sqrt(p)" --fast': None,
    "check {folder}/c.json": None,
    "compare warner:3/4 forced:2/3,1/6,1/6 --fast": None,
    "verify holohan2016.lemma-1": None,
}
SURVEY = "q,x\n" + "".join(f"{i // 2 % 2},{i % 7}\n" for i in range(400))
CERTIFICATE = 'design binary --epsilon "log(2)" --prevalence 1/4 --certificate {folder}/c.json'


def way(argv: list[str]) -> list[tuple[str, str]]:
    """Return the functions that are called, with their files, in the order of the first call.

    Comprehensions and generator expressions are parts of the function in which they stand.
    """
    import rropt
    import rropt_fieldwork
    from rropt.cli.main import main

    roots = tuple(f"{Path(package.__file__).parent}{os.sep}" for package in (rropt, rropt_fieldwork))
    found: dict[tuple[str, str], None] = {}

    def look(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(roots) and not code.co_name.startswith("<"):
            root = next(each for each in roots if code.co_filename.startswith(each))
            found[code.co_filename.removeprefix(root), code.co_qualname] = None

    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as errors:
        if main(argv) > 1:
            raise SystemExit(f"{shlex.join(argv)}: {errors.getvalue()}")
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
        (Path(folder) / "survey.csv").write_text(SURVEY, encoding="utf-8")
        way(shlex.split(CERTIFICATE.format(folder=folder)))
        for line, limits in WAYS.items():
            if args.strict and limits is None:
                continue
            functions = way(shlex.split(line.format(folder=folder)))
            files = list(dict.fromkeys(file for file, _ in functions))
            too_long |= limits is not None and (len(functions) > limits[0] or len(files) > limits[1])
            checker = sum(file.startswith("checker/") for file in files)
            asked = "no limit" if limits is None else f"limit: {limits[0]} in {limits[1]}"
            print(
                f"{len(functions):4} functions in {len(files):3} files ({asked}; {checker} files of the checker)  "
                f"{line.format(folder='.')}"
            )
            if args.files:
                print("\n".join(f"        {file}" for file in files))
    if args.strict and too_long:
        raise SystemExit("a way is longer than its limit")


if __name__ == "__main__":
    main()
