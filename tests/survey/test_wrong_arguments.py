"""Arguments of another type are refused with the argument, what was received, and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rropt.core.errors import InvalidParameterError
from rropt.survey.tables import estimate_table

WRONG = (0.5, -1, float("nan"), float("inf"), 10**30, object(), [[]], [None], b"x", True, {"a": 1})
DATA = {"a": np.array([0, 1, 1, 0, 1] * 8)}


@pytest.mark.parametrize("name", ["columns", "by", "missing", "post_strata"])
@pytest.mark.parametrize("value", WRONG, ids=lambda value: repr(value)[:12])
def test_names_are_texts(name: str, value: Any) -> None:
    given = {"columns": ["a"], "mechanism": "warner:3/4", name: value}
    with pytest.raises(InvalidParameterError, match=f"`{name}` is no text and no list of texts: received .*; allowed"):
        estimate_table(DATA, **given)
