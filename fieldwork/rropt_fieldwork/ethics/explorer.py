"""``explore``: one self-contained page that shows the designs of a privacy budget, with its own exact arithmetic.

The page ``explorer.html`` needs no network and no server. Its scripts are in ``kernels/javascript``; the certified
optima of k categories come from ``explorer_table.json``, which ``docs/site/explorer_table.py`` writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

from rropt.core.errors import InvalidParameterError, shown
from rropt.core.exact import Epsilon, as_text, rational_where
from rropt.core.results import Result, labelled
from rropt.core.visible import html_text
from rropt.reports.browser_checker import embedded, filled, frame, script
from rropt.reports.page_limits import require_respondents

_MOST_GAMMA = 10**6
_LONGEST = 40  # characters of a number that the page reads
_LARGEST_EPSILON = 13.9  # beyond log(10^6)
_GAMMA_DIGITS = 7  # of a gamma that is rounded
_BRACKET_DIGITS = 30
PAGE, TABLE = (Path(__file__).with_name(name) for name in ("explorer.html", "explorer_table.json"))


@dataclass(frozen=True, slots=True)
class ExplorerPage(Result):
    """The page of ``explore``, and the setting with which it opens.

    Attributes:
        gamma: exp(epsilon), rational and above 1.
        delta: the slack.
        prevalence: the prevalence of the sensitive answer.
        n: the number of respondents.
    """

    gamma: Fraction
    delta: Fraction
    prevalence: Fraction
    n: int

    LABELS: ClassVar[Mapping[str, str]] = labelled(
        gamma="gamma = exp(epsilon)",
        delta="delta",
        prevalence="prevalence",
        n="respondents",
        fragment="end of its address",
        page="",
    )

    def __post_init__(self) -> None:
        domains = {
            "gamma": (lambda x: 1 < x <= _MOST_GAMMA, f"1 < gamma <= {_MOST_GAMMA}"),
            "delta": (lambda x: 0 <= x <= 1, "0 <= delta <= 1"),
            "prevalence": (lambda x: 0 < x < 1, "0 < prevalence < 1"),
        }
        for name, (fits, allowed) in domains.items():
            value = rational_where(getattr(self, name), fits, allowed, name=name)
            if len(as_text(value)) > _LONGEST:
                raise InvalidParameterError(
                    f"{name} is too long for the page: received {shown(as_text(value))}; allowed are {_LONGEST} "
                    "characters; round it"
                )
            object.__setattr__(self, name, value)
        object.__setattr__(self, "n", require_respondents(self.n))

    @property
    def fragment(self) -> str:
        """The fragment of the URL that opens the page with this setting."""
        return "#" + "&".join(f"{name}={quote(value, safe='/')}" for name, value in self._setting().items())

    @property
    def page(self) -> str:
        """The HTML of the page."""
        return _page(self._setting())

    def _setting(self) -> dict[str, str]:
        return {
            "gamma": as_text(self.gamma),
            "delta": as_text(self.delta),
            "prevalence": as_text(self.prevalence),
            "n": str(self.n),
        }


def explore(
    *,
    epsilon: object = None,
    gamma: object = None,
    delta: object = 0,
    prevalence: object = Fraction(1, 10),
    n: int = 1000,
) -> ExplorerPage:
    """Return a self-contained HTML page that compares the designs for a privacy budget.

    The page has controls for the budget, the prevalence and the number of respondents. It shows the region of the
    private designs with the optimum, n Var of the classical designs, the posterior odds after a report, and the number
    of respondents for a standard error. All numbers are computed in the page, in exact arithmetic.

    Args:
        epsilon: the initial level; if exp(epsilon) is irrational, gamma is rounded down to seven digits; or
        gamma: the initial exp(epsilon), rational, ``1 < gamma <= 10^6``; by default 3.
        delta: the initial delta, rational in [0, 1].
        prevalence: the initial prevalence of the sensitive trait, in (0, 1).
        n: the initial number of respondents.

    Raises:
        InvalidParameterError: a number is outside its domain.

    >>> explore(gamma=2, delta="1/4", prevalence="1/4").fragment
    '#gamma=2&delta=1/4&prevalence=1/4&n=1000'
    """
    if epsilon is not None and gamma is not None:
        raise InvalidParameterError("epsilon and gamma are both given: give one of them")
    level = _level_of(epsilon) if epsilon is not None else 3 if gamma is None else gamma
    setting: dict[str, Any] = {"gamma": level, "delta": delta, "prevalence": prevalence, "n": n}
    return ExplorerPage(**setting)


def _level_of(epsilon: object) -> Fraction:
    """Return exp(epsilon), or the largest number of seven digits below it."""
    level, gamma = Epsilon.of(epsilon), Fraction(0)
    if level.gamma is not None:
        gamma = level.gamma
    elif not level.is_infinite and float(level) <= _LARGEST_EPSILON:
        below = level.gamma_bracket(_BRACKET_DIGITS).lower
        unit = 10 ** (_GAMMA_DIGITS - len(str(floor(below))))
        gamma = Fraction(floor(below * unit), unit)
    if not 1 < gamma <= _MOST_GAMMA:
        raise InvalidParameterError(
            f"epsilon does not fit the page: received {level}; allowed is 0 < epsilon <= log({_MOST_GAMMA}), with "
            "exp(epsilon) above 1 in seven digits"
        )
    return gamma


def _page(setting: dict[str, str]) -> str:
    data = json.loads(TABLE.read_text(encoding="utf-8"))
    titles = data.pop("titles")
    policy, code = embedded(script("explorer_page", "startExplorer"))
    parts = {
        "shares": "".join(f'<option value="{html_text(x)}">{html_text(text)}</option>' for x, text in titles.items()),
        "data": "".join(
            f'<script type="application/json" id="{name}">{_embedded_json(value)}</script>'
            for name, value in (("certified", data), ("setting", setting))
        ),
        "code": code,
    }
    return frame("Randomized response explorer", filled(str(PAGE), **parts), policy, kind="explorer")


def _embedded_json(value: object) -> str:
    """Return JSON that cannot close the HTML element that contains it."""
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")
