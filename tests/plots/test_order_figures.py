"""The Hasse diagram: its places, its lines, its texts."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest

from rropt.core.errors import InvalidParameterError
from rropt.designs.orders import PartialOrder, partial_order
from rropt.mechanisms import Mechanism, named_mechanism
from rropt.plots import draw, order
from rropt.plots.charts import SIZES
from rropt.plots.data.comparison_pictures import order_places

DESIGNS = ["warner:3/4", "warner:2/3", "warner:1/4", "generalised:1,1/4", "generalised:1,1/8", "warner:1/2"]


def _order(n: int, rng: random.Random) -> PartialOrder:
    mechanisms = [
        Mechanism.binary(Fraction(rng.randint(5, 12), 12), Fraction(rng.randint(5, 12), 12)) for _ in range(n)
    ]
    return partial_order(mechanisms)


def test_lines_lead_down_and_meet_no_class_on_their_way(size: Callable[[int, int], int], rng: random.Random) -> None:
    long = 0
    for _ in range(size(10, 100)):
        found = _order(rng.randint(1, 14), rng)
        places, paths, _ = order_places(found)
        assert len(set(places)) == len(places) == len(found.classes)
        assert all(0 < x < 1 for x, _ in places)
        for (better, worse), path in zip(found.covers, paths, strict=True):
            assert (path[0], path[-1]) == (places[better], places[worse])
            assert all(after[1] == before[1] + 1 for before, after in pairwise(path))
            assert not set(path[1:-1]) & set(places)
            long += len(path) > 2
    assert long > 0


@pytest.mark.slow
def test_boxes_of_one_picture_do_not_overlap(rng: random.Random) -> None:
    for n, names in ((2, None), (9, None), (14, [f"a rather long name of mechanism {i}" for i in range(14)])):
        mechanisms = [Mechanism.binary(Fraction(rng.randint(5, 12), 12), "2/3") for _ in range(n)]
        for size_name in SIZES:
            figure = draw(partial_order(mechanisms, names), size=size_name).to_matplotlib()
            figure.canvas.draw()
            renderer: Any = figure.canvas.get_renderer()  # type: ignore[attr-defined]
            boxes = [text.get_bbox_patch().get_window_extent(renderer) for text in figure.axes[0].texts]
            assert len(boxes) == len(partial_order(mechanisms).classes)
            page = figure.bbox
            for i, box in enumerate(boxes):
                assert page.x0 <= box.x0 < box.x1 <= page.x1
                assert not any(box.overlaps(other) for other in boxes[:i])


def test_names_stand_in_the_boxes_or_in_the_key() -> None:
    mechanisms = [named_mechanism(name) for name in DESIGNS]
    figure = order(mechanisms, size="screen").to_matplotlib()
    assert {text.get_text() for text in figure.axes[0].texts} >= {"warner:2/3", "warner:3/4\n= warner:1/4"}
    assert not figure.legends  # no key
    narrow = order(mechanisms, [f"{name} with a name that is far too long" for name in DESIGNS])
    assert {text.get_text() for text in narrow.to_matplotlib().axes[0].texts} == {"1", "2", "3", "4", "5"}
    assert "1:  warner:3/4 with a name" in narrow.to_matplotlib().legends[0].get_texts()[0].get_text()
    assert "better above" in narrow.text


def test_the_same_picture_gives_the_same_bytes() -> None:
    mechanisms = [named_mechanism(name) for name in DESIGNS]
    for kind in ("svg", "png"):
        assert order(mechanisms).to_bytes(kind) == order(mechanisms).to_bytes(kind)


def test_too_many_are_refused() -> None:
    chain = partial_order([Mechanism.binary(Fraction(n, 100), Fraction(n, 100)) for n in range(50, 95)])
    with pytest.raises(InvalidParameterError, match="45 classes"):
        order(chain)
