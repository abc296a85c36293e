"""The documentation as readers see it, opened from its folder: cut, search, buttons to copy, outputs, paper."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from chromium import DESK, PHONE, Chromium, require_chromium

require_chromium()

ROOT = Path(__file__).resolve().parents[2]
LOOKED_AT = (
    "index.html",
    "tutorials/survey-statistician.html",
    "howto/from-a-file-to-a-table.html",
    "reference/commands/estimate.html",
    "reference/gallery.html",
    "developers/architecture.html",
)
HOWTO = "howto/estimate-by-group.html"
COMMANDS = "howto/number-of-respondents.html"  # many blocks of commands


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, with the outputs of its blocks; ``RROPT_SITE`` names one that is built already."""
    if os.environ.get("RROPT_SITE"):
        return Path(os.environ["RROPT_SITE"])
    folder = tmp_path_factory.mktemp("build") / "site"
    command = [sys.executable, str(ROOT / "docs" / "site" / "make.py"), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    assert f"open {folder / 'index.html'} in a browser" in done.stdout
    return folder


def test_nothing_is_cut_and_the_console_is_empty(chromium: Chromium, site: Path) -> None:
    found = []
    for width in (PHONE, DESK):
        for page in LOOKED_AT:
            with chromium.open(site / page, width) as opened:
                found += [f"{page}, {width} px: {line}" for line in [*opened.cut(), *opened.told]]
    assert not found, "\n".join(found)


def test_axe_has_no_finding(chromium: Chromium, site: Path) -> None:
    found = []
    for page in LOOKED_AT:
        with chromium.open(site / page, PHONE) as opened:
            found += [f"{page}: {line}" for line in opened.violations()]
    assert not found, "\n".join(found)


def test_the_keyboard_reaches_all_in_order(chromium: Chromium, site: Path) -> None:
    for width in (PHONE, DESK):
        with chromium.open(site / HOWTO, width) as opened:
            assert opened.unreached() == [], width


def test_the_search_works_from_a_folder(chromium: Chromium, site: Path) -> None:
    for question, page in (
        ("margin of error", "howto/number-of-respondents.html"),
        ("rappor", "reference/gallery.html"),
    ):
        with chromium.open(f"{(site / 'search.html').as_uri()}?q={question.replace(' ', '+')}") as opened:
            first = opened.page.locator("ul.search li a").first
            first.wait_for()
            assert first.get_attribute("href").split("#")[0].split("?")[0].endswith(page)
            opened.page.wait_for_timeout(1000)  # summaries would be read now
            assert opened.told == []


def test_a_command_is_copied_as_it_is_written(chromium: Chromium, site: Path) -> None:
    with chromium.open(site / COMMANDS, PHONE) as opened:
        opened.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        blocks = opened.page.locator(".highlight-shell .highlight")
        assert blocks.count() >= 5
        for i in range(3):
            blocks.nth(i).locator("button.copybtn").click()
            opened.page.wait_for_timeout(200)
            copied = opened.page.evaluate("() => navigator.clipboard.readText()")
            assert copied.strip() == blocks.nth(i).locator("pre").inner_text().strip()
            assert "\n" in copied.strip() or "rropt" in copied or "head" in copied
        assert opened.page.locator(".output button.copybtn").count() == 0


def test_commands_wrap_and_outputs_keep_their_columns_on_a_phone(chromium: Chromium, site: Path) -> None:
    measure = (
        "all => all.map((one) => [one.scrollWidth - one.clientWidth, one.tabIndex, getComputedStyle(one).whiteSpace])"
    )
    with chromium.open(site / HOWTO, PHONE) as opened:
        commands = opened.page.locator(".highlight-shell pre").evaluate_all(measure)
        assert max(wider for wider, _, _ in commands) <= 1
        outputs = opened.page.locator(".output:not(.long) pre").evaluate_all(measure)
        assert {space for _, _, space in outputs} == {"pre"}
        assert sum(wider > 1 for wider, _, _ in outputs) >= 2
        assert all(stop == 0 for wider, stop, _ in outputs if wider > 1)


def test_paper(chromium: Chromium, site: Path) -> None:
    """A page that somebody prints has all of its text."""
    for page in LOOKED_AT[:5]:
        with chromium.open(site / page) as opened:
            assert opened.cut_on_paper() == [], page
