"""Chromium for tests of pages, driven by Playwright: what is cut or printed, keyboard, console, axe-core.

``make browser`` installs all three. ``RROPT_BROWSER`` names another program than ``chromium``.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

_FOLDER = Path(__file__).resolve().parents[1] / "browser"
AXE = _FOLDER / "node_modules" / "axe-core" / "axe.min.js"
PHONE, DESK = 390, 1280
_HEIGHTS = {PHONE: 844, DESK: 900}
_MILLIMETRE = 96 / 25.4  # pixels of CSS
_A4 = 210 * _MILLIMETRE
_MARGIN = 10.2 * _MILLIMETRE  # of Chromium, where a page names none
_MARGINS = """() => [...document.styleSheets].filter((sheet) => !sheet.href).flatMap((sheet) => [...sheet.cssRules])
  .filter((rule) => rule instanceof CSSPageRule).map((rule) => rule.style.marginLeft).filter((x) => x).pop() ?? null"""
_UNITS = {"mm": _MILLIMETRE, "cm": 10 * _MILLIMETRE, "in": 96, "px": 1, "pt": 96 / 72}


def missing() -> str | None:
    """Return what the tests in a browser lack, in one line, or None."""
    program = os.environ.get("RROPT_BROWSER", "chromium")
    if shutil.which(program) is None:
        return f"there is no browser {program}: make browser installs it, or RROPT_BROWSER names another program"
    if find_spec("playwright") is None or not AXE.exists():
        return "Playwright or axe-core is missing: make browser installs them"
    return None


def require_chromium() -> None:
    """Skip the tests of a file, in one line for all files, where something is missing."""
    reason = missing()
    if reason:
        pytest.skip(f"the pages are not opened in a browser: {reason}", allow_module_level=True)


@dataclass
class Opened:
    """A page that is open in a window.

    Attributes:
        page: Playwright's page.
        told: the errors and warnings of its console, its exceptions, and the files that it did not get.
    """

    page: Any
    told: list[str] = field(default_factory=list)

    def cut(self) -> list[str]:
        """Return what is cut in this window, or scrolls out of reach of the keyboard."""
        self._measures()
        found: list[str] = self.page.evaluate("() => [...cutElements(), ...lockedBoxes()]")
        return found

    def hidden_marks(self) -> list[str]:
        """Return the marks of the pictures that lie below other marks."""
        self._measures()
        found: list[str] = self.page.evaluate("() => hiddenMarks()")
        return found

    def sheets(self) -> int:
        """Return the number of A4 sheets that the page takes in print."""
        return len(re.findall(rb"/Type\s*/Page\b", self.page.pdf(format="A4", prefer_css_page_size=True)))

    def cut_on_paper(self) -> list[str]:
        """Return what an A4 sheet cuts: it is laid out as wide as between the margins, and nothing scrolls."""
        margin = self.page.evaluate(_MARGINS)
        unit = re.fullmatch(r"([\d.]+)([a-z]+)", margin) if margin else None
        inside = _A4 - 2 * (float(unit[1]) * _UNITS[unit[2]] if unit else _MARGIN)
        before = self.page.viewport_size
        self.page.set_viewport_size({"width": int(inside), "height": 1000})
        self.page.emulate_media(media="print")
        self._measures()
        found: list[str] = self.page.evaluate("() => [...cutElements(), ...cutOnPaper()]")
        self.page.emulate_media(media="null")
        self.page.set_viewport_size(before)
        return found

    def unreached(self) -> list[str]:
        """Return what the Tab key does not reach in the order of the page, or where the focus is not seen."""
        self._measures()
        stops = self.page.evaluate("() => controls()")
        # the first Tab then goes to the first of them
        self.page.evaluate("() => { document.body.tabIndex = -1; document.body.focus(); }")
        self.page.evaluate("() => document.body.removeAttribute('tabindex')")
        reached, unseen = [], []
        for _ in range(len(stops) + 20):
            self.page.keyboard.press("Tab")
            now = self.page.evaluate("() => focused()")
            if now is None or now[0] is None or now[0] in reached:
                if now is not None and now[0] is None:
                    continue  # a box that the browser lets scroll
                break
            reached.append(now[0])
            unseen += [] if now[1] else [now[0]]
        names = dict(stops)
        if reached != [number for number, _ in stops]:
            first = next((number for number, _ in stops if number not in reached), None)
            order = ", ".join(map(names.__getitem__, reached))
            return [f"not reached: {names[first]}" if first else f"out of order: {order}"]
        return [f"the focus is not seen: {names[number]}" for number in unseen]

    def violations(self) -> list[str]:
        """Return the findings of axe-core, of every weight, in light and dark."""
        found = set()
        for scheme in ("light", "dark"):
            self.page.emulate_media(color_scheme=scheme)
            self.page.evaluate(AXE.read_text(encoding="utf-8"))
            told = self.page.evaluate("() => axe.run(document, { resultTypes: ['violations'] })")["violations"]
            for rule in told:
                found |= {f"{rule['id']} ({scheme}): {node['html'][:120]}" for node in rule["nodes"][:3]}
        self.page.emulate_media(color_scheme="light")
        return sorted(found)

    def _measures(self) -> None:
        self.page.evaluate(f"() => {{ {_measure()} }}")


def _measure() -> str:
    """Return the script of the measures, whose functions become those of the page."""
    text = (_FOLDER / "measure.js").read_text(encoding="utf-8")
    names = re.findall(r"^function (\w+)", text, re.MULTILINE)
    return f"{text}\nObject.assign(window, {{ {', '.join(names)} }});"


@dataclass
class Chromium:
    """A browser that is running."""

    program: Any

    @contextmanager
    def open(self, address: Path | str, width: int = DESK) -> Iterator[Opened]:
        """Open a file or an address in a window of its own."""
        window = self.program.new_context(viewport={"width": width, "height": _HEIGHTS.get(width, 900)})
        page = window.new_page()
        opened = Opened(page)
        page.on("console", lambda line: opened.told.append(line.text) if line.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: opened.told.append(str(error)))
        page.on("requestfailed", lambda request: opened.told.append(f"not found: {request.url}"))
        try:
            page.goto(address.absolute().as_uri() if isinstance(address, Path) else address)
            yield opened
        finally:
            window.close()


@contextmanager
def started() -> Iterator[Chromium]:
    """Start the browser, and end it."""
    from playwright.sync_api import sync_playwright

    path = shutil.which(os.environ.get("RROPT_BROWSER", "chromium"))
    with sync_playwright() as driver:
        program = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        try:
            yield Chromium(program)
        finally:
            program.close()
