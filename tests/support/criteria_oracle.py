"""What the text of a criterion says, by Python's parser in mpmath: an oracle that shares no code with the grammar."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import mpmath as mp
from golden import golden_section

Function = Callable[[mp.mpf], mp.mpf]
OFFSET = mp.mpf(10) ** -25  # how near an oracle goes to an end or a break
_COMPARED = {"Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt, "GtE": operator.ge}


class _Lazy(ast.NodeTransformer):
    """Turn ``piecewise(value, condition, ..., otherwise)`` into Python's conditional expressions."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.func) != "piecewise":
            return node
        *pairs, found = node.args
        for value, condition in reversed(list(zip(pairs[::2], pairs[1::2], strict=True))):
            found = ast.IfExp(condition, value, found)
        return found

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        signs = ast.Constant(" ".join(type(sign).__name__ for sign in node.ops))
        return ast.Call(ast.Name("_holds", ast.Load()), [signs, node.left, *node.comparators], [])


def _holds(signs: str, *values: Any) -> bool:
    """Compare numbers; those that differ by less than a quarter of the offset are equal, such as a root squared."""
    pairs = pairwise(values)
    differences = [0 if abs(a - b) < OFFSET / 4 else a - b for a, b in pairs]
    return all(_COMPARED[sign](each, 0) for sign, each in zip(signs.split(), differences, strict=True))


def in_python(text: str) -> Function:
    """Return the function of p that a text states; its numbers have the precision of now."""
    names: dict[str, Any] = {"_holds": _holds, "min": min, "max": max, "sqrt": mp.sqrt, "exp": mp.exp, "log": mp.log}

    def number(found: re.Match[str]) -> str:
        names[f"n{len(names)}"] = mp.mpf(found[0])
        return f"n{len(names) - 1}"

    tree = ast.parse(re.sub(r"\d+(?:\.\d+)?", number, text.replace("^", "**")), text, "eval")
    code = compile(ast.fix_missing_locations(_Lazy().visit(tree)), text, "eval")
    return lambda p: eval(code, names, {"p": p})


def odds(h: Function, p: mp.mpf) -> mp.mpf:
    """Return the odds of h(p) over those of p."""
    y = h(p)
    return (1 - p) * y / (p * (1 - y)) if y < 1 else mp.inf


def least_odds(h: Function) -> mp.mpf:
    """Minimise the ratio of odds without any derivative: a scan, golden sections where it is least, and both ends."""
    points = [*(mp.mpf(i) / 200 for i in range(1, 200)), *(mp.mpf(i) / 10 - mp.mpf(10) ** -12 for i in range(1, 10))]
    points = sorted(points + [x for k in range(8, 30) for x in (mp.mpf(2) ** -k, 1 - mp.mpf(2) ** -k)])
    values = [odds(h, p) for p in points]
    least = min(values)
    for i in sorted(range(1, len(points) - 1), key=lambda i: values[i])[:3]:
        least = min(least, golden_section(lambda p: odds(h, p), points[i - 1], points[i + 1], 60)[0])
    tiny = [mp.mpf(10) ** -k for k in (4, 6, 10, 20, 28)]
    return min([least, *(odds(h, p) for p in tiny), *(odds(h, 1 - p) for p in tiny)])
