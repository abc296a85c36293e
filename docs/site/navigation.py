"""A Sphinx extension that writes the tree of all pages beside each page.

Sphinx's own tree copies the headings of all pages for each page before it leaves them out. That took 20 s of a build.
"""

from __future__ import annotations

from functools import cache
from html import escape
from typing import Any

from sphinx.util.nodes import clean_astext


def _fill(app: Any, pagename: str, templatename: str, context: dict[str, Any], doctree: object) -> None:
    """Replace the function of the templates that returns the tree."""
    environment = app.env
    address = cache(lambda other: app.builder.get_relative_uri(pagename, other))

    def tree(page: str, level: int = 1) -> tuple[str, bool]:
        """Return the list of the pages below a page, and whether the page that is written is among them."""
        items, is_within = [], False
        for below in environment.toctree_includes.get(page, []):
            inner, is_current = tree(below, level + 1)
            is_current |= below == pagename
            mark, is_within = " current" * is_current, is_within or is_current
            link = f'<a class="reference internal" href="{escape(address(below))}">{_title(environment, below)}</a>'
            items.append(f'<li class="toctree-l{level}{mark}">{link}{inner}</li>')
        kind = ' class="current"' * is_within
        return f"<ul{kind}>{''.join(items)}</ul>" * bool(items), is_within

    context["toctree"] = lambda **options: tree(app.config.root_doc)[0]


@cache
def _title(environment: Any, page: str) -> str:
    return escape(clean_astext(environment.titles[page]))


def setup(app: Any) -> dict[str, bool]:
    """Fill the tree before the theme reads it."""
    app.connect("html-page-context", _fill, priority=400)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
