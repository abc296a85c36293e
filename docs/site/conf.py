"""Settings of Sphinx for the documentation site. ``make docs`` builds it; nothing is loaded from the network."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))  # mathml.py

import rropt  # noqa: E402

project = "rropt"
author = "the rropt developers"
copyright = author
version = release = rropt.__version__
language = "en"
smartquotes = False  # --option stays --option

extensions = ["myst_parser", "sphinx_copybutton", "mathml", "navigation"]
myst_enable_extensions = ["dollarmath", "amsmath", "deflist", "colon_fence"]
myst_heading_anchors = 4  # links to headings, as GitHub names them
myst_links_external_new_tab = False
html_math_renderer = "mathml"  # set while the site is built: no script, no fonts
suppress_warnings = [
    "myst.header",
    "ref.python",
]  # pages that begin below the first level; names that two packages have

html_theme = "furo"
html_title = "rropt"
html_static_path = [str(HERE / "static")]
html_css_files = ["rropt.css"]
html_js_files = ["search.js", "boxes.js"]
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"navigation_with_keys": True}
html_last_updated_fmt = None
copybutton_selector = "div[class*=highlight-]:not(.output) pre"  # nobody types an output
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True
highlight_language = "text"
pygments_style = "a11y-high-contrast-light"  # the theme brings both
pygments_dark_style = "a11y-high-contrast-dark"
exclude_patterns = ["**/pictures/*.md"]
