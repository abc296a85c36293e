"""Mixtures of rays: what holds of each of them, by its tangent, holds of the row that they are mixed to."""

from __future__ import annotations

from typing import Any

from rropt.claims import Domain, Entry, Exchange, Fold, Point, Step
from rropt_proofs.rropt._designs import named


def _inputs(point: Point) -> range:
    return range(len(point["case"]["p"]))


def _columns(point: Point) -> range:
    return range(len(point["case"]["d"]))


def _along(tag: str, entries: Any, images: Any, squares: Fold, totals: dict[str, str]) -> list[Any]:
    """What is linear in a row, from its products with the columns of F: sums by column and by input are exchanged."""
    by_column = Fold(
        over=lambda point, at: [
            {
                f"d{tag}": Entry("case", "d", x),
                f"u{tag}": Entry("u", x),
                f"y{tag}": Entry(*images(at), x),
                "column": x,
            }
            for x in _columns(point)
        ],
        start={f"bt{tag}": 0, f"bu{tag}": 0},
        update={f"bt{tag}": f"bt{tag} + all{tag}", f"bu{tag}": f"bu{tag} + d{tag}*u{tag}*y{tag}"},
        invariants=f"bt{tag} == bu{tag}",
        inner=Fold(
            over=lambda point, at, element: [
                {f"r{tag}": Entry(*entries(at), j), f"f{tag}": Entry("case", "F", j, element["column"])}
                for j in _inputs(point)
            ],
            start={f"all{tag}": 0, f"dot{tag}": 0},
            update={f"all{tag}": f"all{tag} + d{tag}*u{tag}*r{tag}*f{tag}", f"dot{tag}": f"dot{tag} + r{tag}*f{tag}"},
            invariants=f"all{tag} == d{tag}*u{tag}*dot{tag}",
            totals={f"dot{tag}": f"y{tag}"},
        ),
    )
    by_input = Fold(
        over=lambda point, at: [
            {
                f"r{tag}": Entry(*entries(at), j),
                "gj": Entry("grad", j),
                f"h{tag}": Entry("h", j),
                "pj": Entry("case", "pi", j),
                "aj": Entry("case", "a", j),
                "input": j,
            }
            for j in _inputs(point)
        ],
        start={f"bs{tag}": 0, f"bl{tag}": 0, f"bm{tag}": 0, f"bn{tag}": 0},
        update={
            f"bs{tag}": f"bs{tag} + all{tag}x",
            f"bl{tag}": f"bl{tag} + r{tag}*h{tag}",
            f"bm{tag}": f"bm{tag} + r{tag}*pj",
            f"bn{tag}": f"bn{tag} + r{tag}*aj",
        },
        invariants=f"bl{tag} == 2*bs{tag} - size*bm{tag} - bn{tag}",
        totals={f"b{name}{tag}": total for name, total in totals.items()},
        inner=Fold(
            over=lambda point, at, element: [
                {
                    f"f{tag}": Entry("case", "F", element["input"], x),
                    f"d{tag}": Entry("case", "d", x),
                    f"u{tag}": Entry("u", x),
                }
                for x in _columns(point)
            ],
            start={f"all{tag}x": 0, f"dots{tag}": 0},
            update={
                f"all{tag}x": f"all{tag}x + d{tag}*u{tag}*r{tag}*f{tag}",
                f"dots{tag}": f"dots{tag} + f{tag}*d{tag}*u{tag}",
            },
            invariants=f"all{tag}x == r{tag}*dots{tag}",
            totals={f"dots{tag}": "gj"},
        ),
    )
    return [
        by_column,
        by_input,
        Exchange(by_column, by_input, {f"bt{tag}": f"bs{tag}"}),
        squares,
        Exchange(by_column, squares, {f"bu{tag}": f"bx{tag}"}),
    ]


def steps() -> list[Any]:
    """With the tangent at the row, |S F|^2/(S . pi) is at least what is linear in S; so is the row a mixture of S."""
    about_ray = Fold(
        over=lambda point, at: [
            {
                "d1": Entry("case", "d", x),
                "u1": Entry("u", x),
                "y1": Entry("images", at["ray"], x),
                "gap": Entry("gaps", at["ray"], x),
            }
            for x in _columns(point)
        ],
        start={"bw1": 0, "bx1": 0, "by1": 0},
        update={"bw1": "bw1 + d1*y1**2", "bx1": "bx1 + d1*u1*y1", "by1": "by1 + d1*u1*u1"},
        invariants="bw1 - 2*z*bx1 + z**2*by1 >= 0",
        totals={"by1": "size"},
    )
    about_row = Fold(
        over=lambda point, at: [
            {"d2": Entry("case", "d", x), "v2": Entry("u", x), "y2": Entry("image", x)} for x in _columns(point)
        ],
        start={"bw2": 0, "bx2": 0, "by2": 0},
        update={"bw2": "bw2 + d2*y2**2", "bx2": "bx2 + d2*v2*y2", "by2": "by2 + d2*v2*v2"},
        invariants=("bx2 == q*by2", "bw2 == q*bx2"),
        totals={"by2": "size"},
    )
    of_ray = _along(
        "1",
        lambda at: ("case", "rays", at["ray"]),
        lambda at: ("images", at["ray"]),
        about_ray,
        {"l": "al", "m": "z", "n": "e"},
    )
    of_row = _along("2", lambda at: ("case", "p"), lambda at: ("image",), about_row, {"m": "q", "n": "cost"})
    by_ray = Fold(
        over=lambda point, at: [
            {"c3": Entry("case", "c", s), "l3": Entry("lins", s), "from": s} for s in _inputs(point)
        ],
        start={"aa3": 0},
        update={"aa3": "aa3 + all3"},
        invariants="aa3 <= 0",
        each={"al": "l3"},
        inner=Fold(
            over=lambda point, at, element: [
                {"r3": Entry("case", "rays", element["from"], j), "h3": Entry("h", j)} for j in _inputs(point)
            ],
            start={"all3": 0, "dot3": 0},
            update={"all3": "all3 + c3*r3*h3", "dot3": "dot3 + r3*h3"},
            invariants="all3 == c3*dot3",
            totals={"dot3": "l3"},
        ),
    )
    mixed = Fold(
        over=lambda point, at: [{"h4": Entry("h", j), "x4": Entry("case", "p", j), "input": j} for j in _inputs(point)],
        start={"ab4": 0, "ac4": 0},
        update={"ab4": "ab4 + all4", "ac4": "ac4 + x4*h4"},
        invariants="ab4 == ac4",
        inner=Fold(
            over=lambda point, at, element: [
                {"c4": Entry("case", "c", s), "r4": Entry("case", "rays", s, element["input"])} for s in _inputs(point)
            ],
            start={"all4": 0, "dot4": 0},
            update={"all4": "all4 + c4*r4*h4", "dot4": "dot4 + c4*r4"},
            invariants="all4 == h4*dot4",
            totals={"dot4": "x4"},
        ),
    )
    return [
        *of_ray,
        Step("al == 2*bx1 - by1*z - e"),
        Step("z*(2*bx1 - by1*z - e) <= 0"),
        Step("2*bx1 - by1*z - e <= 0"),
        Step("al <= 0"),
        *of_row,
        by_ray,
        mixed,
        Exchange(by_ray, mixed, {"aa3": "ab4"}),
        Exchange(mixed, of_row[1], {"ac4": "bl2"}),
        Step("bl2 == 2*bx2 - by2*q - cost"),
        Step("bl2 == q*by2 - cost"),
        Step("q*by2 <= cost"),
        Step("q*(cost - q*by2) >= 0"),
        Step("bw2 == q*q*by2"),
    ]


def mixtures(point: Point) -> Any:
    """The row, of its rays."""
    for j in _inputs(point):
        yield [(("case", "c", s), ("case", "rays", s, j)) for s in _inputs(point)], ("case", "p", j)


def _of_tangent(point: Point) -> Any:
    yield [(("case", "d", x), ("u", x), ("u", x)) for x in _columns(point)], ("tangent", 0)


def _of_u(point: Point) -> Any:
    for x in _columns(point):
        yield [(("own", 0), ("u", x))], ("image", x)


def _of_grad(point: Point) -> Any:
    for j in _inputs(point):
        yield [(("case", "F", j, x), ("case", "d", x), ("u", x)) for x in _columns(point)], ("grad", j)


def _of_own(point: Point) -> Any:
    yield [(("case", "p", j), ("case", "pi", j)) for j in _inputs(point)], ("own", 0)
    yield [(("case", "p", j), ("case", "a", j)) for j in _inputs(point)], ("own", 1)


def _of_image(point: Point) -> Any:
    for x in _columns(point):
        yield [(("case", "p", j), ("case", "F", j, x)) for j in _inputs(point)], ("image", x)


def _of_images(point: Point) -> Any:
    for s in _inputs(point):
        for x in _columns(point):
            yield [(("case", "rays", s, j), ("case", "F", j, x)) for j in _inputs(point)], ("images", s, x)


def _of_rays(name: str, *path: str) -> Any:
    def equations(point: Point) -> Any:
        for s in _inputs(point):
            yield [(("case", "rays", s, j), (*path, j)) for j in _inputs(point)], (name, s)

    return equations


def sums() -> dict[str, Domain]:
    """Return the domains of the named sums."""
    return {
        "gamma": Domain("e^epsilon", (), relation="x > 1"),
        "u": named("p F/(p . pi)", equations=_of_u),
        "tangent": named("sum d u^2", equations=_of_tangent),
        "grad": named("F d u", equations=_of_grad),
        "h": named("2 F d u - pi sum d u^2 - alpha", "x == 2*gj - size*pj - aj"),
        "own": named("p . pi and alpha . p", {(0,): "x > 0"}, equations=_of_own),
        "image": named("p F", "x == q*v2", equations=_of_image),
        "images": named("S F", equations=_of_images),
        "means": named("S . pi", "x > 0", equations=_of_rays("means", "case", "pi")),
        "slopes": named("alpha . S, by the inequality for S", "x*z >= bw1", equations=_of_rays("slopes", "case", "a")),
        "lins": named("h . S", equations=_of_rays("lins", "h")),
        "gaps": named("d_l ((S F)_l - (S . pi) u_l)^2", "x >= 0 and x == d1*(y1 - z*u1)**2"),
    }
