"""Chromium for tests of pages: what it prints, what it says on its console, and what is cut at a width.

It is driven from its command line, so that no other package is needed. ``RROPT_BROWSER`` names another program.
"""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

_PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_SECONDS = 60
# an element is cut if it ends outside the window, unless one of its parents scrolls
_MEASURE = """<script>
addEventListener("load", () => {
  const frame = document.querySelector("iframe"), page = frame.contentDocument, cut = [];
  const overflow = (one) => frame.contentWindow.getComputedStyle(one).overflowX;
  const scrolls = (one) => one && (overflow(one) != "visible" || scrolls(one.parentElement));
  for (const one of page.body.querySelectorAll("*")) {
    const box = one.getBoundingClientRect();
    if (box.width && (box.right > frame.clientWidth + 1 || box.left < -1) && !scrolls(one.parentElement))
      cut.push(one.tagName + " " + one.textContent.slice(0, 40));
  }
  const wide = page.documentElement.scrollWidth, regions = [...page.querySelectorAll(".scroll")];
  const locked = regions.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.tabIndex < 0).length;
  document.body.textContent = "FOUND" + JSON.stringify({ wide, cut, locked }) + "END";
});
</script>"""


def required_browser() -> str:
    """Return the program of a browser; skip the test in one line where there is none."""
    names = [os.environ.get("RROPT_BROWSER", ""), *_PROGRAMS]
    found = next((path for name in names if name and (path := shutil.which(name))), None)
    if found is None:
        pytest.skip("no browser is installed: Debian has it as chromium, or RROPT_BROWSER names one")
    return found


def _run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    call = [required_browser(), "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    call.append(f"--user-data-dir={folder / 'profile'}")
    return subprocess.run([*call, *options], capture_output=True, text=True, timeout=_SECONDS, check=False)


def printed_pages(page: Path) -> int:
    """Return the number of sheets that a page takes in print."""
    made = page.with_suffix(".pdf")
    _run(page.parent, "--no-pdf-header-footer", f"--print-to-pdf={made}", page.as_uri())
    return len(re.findall(rb"/Type\s*/Page\b", made.read_bytes()))


def console(page: Path) -> list[str]:
    """Return the errors and warnings of the console of a page."""
    told = _run(page.parent, "--enable-logging=stderr", "--dump-dom", page.as_uri()).stderr
    return [line for line in told.splitlines() if "CONSOLE" in line]


def layout(page: Path, width: int) -> dict[str, object]:
    """Return the width that a page needs in a window, the elements that are cut, and the tables without keyboard."""
    source = html.escape(page.read_text(encoding="utf-8"), quote=True)
    frame = f'<!doctype html><body><iframe width="{width}" height="900" style="border:0" srcdoc="{source}"></iframe>'
    around = page.with_suffix(f".{width}.html")
    around.write_text(frame + _MEASURE, encoding="utf-8")
    told = _run(page.parent, "--virtual-time-budget=9000", "--dump-dom", around.as_uri()).stdout
    found = re.search("FOUND({.*})END", told)
    assert found, told[-300:]
    measured: dict[str, object] = json.loads(html.unescape(found[1]))
    return measured
