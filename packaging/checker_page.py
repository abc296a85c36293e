"""Build hook: the wheel contains the page ``checker.html``, which checks certificates in a browser.

It is made from the modules in ``kernels/javascript`` and stands with them in ``rropt/reports/javascript``.
"""

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MAKE = """
import sys
sys.path.insert(0, sys.argv[1])
from rropt.reports.browser_checker import drop_page
sys.stdout.buffer.write(drop_page().encode())
"""


class CheckerPage(BuildHookInterface):
    """Make the page with the sources that are packed; an editable install makes it when it is asked for."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the page in a folder of its own, and name its place in the wheel."""
        self._folder = tempfile.mkdtemp()
        if version != "editable":
            page = Path(self._folder) / "checker.html"
            with page.open("wb") as file:  # a process of its own, which reads no other rropt and leaves no bytecode
                subprocess.run([sys.executable, "-IBc", _MAKE, self.root], stdout=file, check=True)
            build_data["force_include"][str(page)] = "rropt/reports/javascript/checker.html"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Remove the folder."""
        shutil.rmtree(self._folder)
