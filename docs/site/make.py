"""Build the documentation site: ``python docs/site/make.py [FOLDER]``. It needs ``pip install "rropt[docs]"``.

The pages go to ``build/site`` unless a folder is given. The site is static files: a web server or a browser shows it.
``--pictures`` also renews the pictures in ``docs/`` that the code blocks of its pages make.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from api_pages import api_pages  # noqa: E402
from command_pages import command_pages  # noqa: E402
from result_pages import result_page  # noqa: E402
from staging import DOCS, ROOT, stage  # noqa: E402


def generated() -> dict[str, str]:
    """Return the pages of the reference that are made from the code."""
    commands = {f"reference/commands/{name}": text for name, text in command_pages().items()}
    functions = {f"reference/api/{name}": text for name, text in api_pages().items()}
    return {**commands, **functions, "reference/results.md": result_page()}


def main() -> int:
    """Build the site and return the exit status."""
    from sphinx.cmd.build import build_main

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--no-run", action="store_true", help="leave the output of code blocks out: a quick build")
    parser.add_argument("--pictures", action="store_true", help="renew the pictures in docs/")
    args = parser.parse_args()
    source = args.folder.parent / "source"
    start = time.perf_counter()
    for place in stage(source, run=not args.no_run, generated=generated):
        print(f"{place}: no index page links to it; it stands at the end of the how-to pages", flush=True)
    print(f"pages prepared in {time.perf_counter() - start:.0f} s", flush=True)
    if args.pictures:
        for picture in sorted(source.rglob("pictures/*.*")):
            target = DOCS / picture.relative_to(source)
            if target.parent.parent.exists():  # pictures of notebooks have no folder in docs/
                target.parent.mkdir(exist_ok=True)
                shutil.copyfile(picture, target)
    args.folder.mkdir(parents=True, exist_ok=True)
    from rropt.reports.browser_checker import drop_page
    from rropt_fieldwork.ethics.explorer import explore

    (args.folder / "checker.html").write_text(drop_page(), encoding="utf-8")
    (args.folder / "explorer.html").write_text(explore(gamma=3, prevalence="1/10").page, encoding="utf-8")
    options = ["-q", "-W", "--keep-going", "--jobs", "auto", "-b", "html", "-c", str(HERE)]
    if args.no_run:
        options += ["-D", "suppress_warnings=myst.header,ref.python,image.not_readable"]  # pictures of blocks
    status = build_main([*options, str(source), str(args.folder)])
    if status == 0:
        seconds = time.perf_counter() - start
        print(f"the site is built in {seconds:.0f} s: open {(args.folder / 'index.html').resolve()} in a browser")
    return status


if __name__ == "__main__":
    sys.exit(main())
