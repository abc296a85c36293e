"""A Sphinx extension that sets LaTeX as MathML while the site is built, so that pages need neither script nor fonts."""

from __future__ import annotations

import re
from html import escape
from typing import Any

from docutils import nodes
from latex2mathml.converter import convert


def _mathml(source: str, *, block: bool) -> str:
    """Return a formula as MathML, with its LaTeX as the text alternative."""
    clean = re.sub(r"\s+", " ", source).strip()
    html = convert(clean, display="block" if block else "inline")
    return html.replace("<math ", f'<math aria-label="{escape(clean, quote=True)}" ', 1)


def _inline(self: Any, node: nodes.math) -> None:
    self.body.append(_mathml(node.astext(), block=False))
    raise nodes.SkipNode


def _block(self: Any, node: nodes.math_block) -> None:
    self.body.append(f'<div class="math-block">{_mathml(node.astext(), block=True)}</div>\n')
    raise nodes.SkipNode


def setup(app: Any) -> dict[str, bool]:
    """Register the renderer under the name ``mathml``."""
    app.add_html_math_renderer("mathml", inline_renderers=(_inline, None), block_renderers=(_block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
