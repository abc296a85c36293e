"""No code of rropt compares two ``Poly`` of SymPy, which are unequal where their domains differ (ZZ and QQ).

``Poly(2*x, x) == Poly(2*x, x, domain="QQ")`` is False. Where two polynomials are to be equal, their difference is 0.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest
from every_case import every_case
from later import later

import rropt
from rropt.claims.positivity.squares import sum_of_squares
from rropt.privacy.bound import parity_bound
from rropt.privacy.criteria import beta_factor

sympy = later("sympy")
CALLS: dict[str, Callable[[], object]] = {
    "variance": lambda: rropt.Problem.binary("1/4", epsilon="log(2)", delta="1/4").to_sympy().form,
    "trace": lambda: rropt.Problem.kary(3, epsilon="log(3)", objective="trace").to_sympy().form,
    "loss": lambda: rropt.Problem.kary(3, epsilon="log(3)", objective="loss:absolute").to_sympy().form,
    "a-optimal": lambda: rropt.Problem.kary(3, epsilon="log(3)", objective="a-optimal").to_sympy().form,
    "proportions": lambda: (
        rropt.Problem.kary(epsilon="log(3)", objective="a-optimal", population=["1/2", "3/10", "1/5"])
        .to_sympy()
        .form.domain
    ),
    "every level": lambda: (
        rropt.every_level(rropt.design.kary, objective="loss:absolute", population="1/2,1/4,1/4").twins
    ),
    "family": lambda: rropt.family("three-levels").twins,
    "criterion": lambda: parity_bound(beta_factor(2)).to_sympy(),
    "squares": lambda: sum_of_squares(sympy.sympify("x**2 - x + 1/2"), ()),
}


@pytest.fixture
def compared(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Record the files that compare two polynomials of different domains, those of SymPy left out."""
    found: list[str] = []
    kind = sympy.Poly
    for name in ("__eq__", "__ne__"):
        own = getattr(kind, name)

        def watched(one: object, other: object, own: Callable[..., bool] = own) -> bool:
            file = sys._getframe(1).f_code.co_filename
            if isinstance(other, kind) and one.domain != other.domain and "sympy" not in file:
                found.append(file)
            return own(one, other)

        monkeypatch.setattr(kind, name, watched)
    return found


@pytest.mark.slow
@every_case("name", sorted(CALLS))
def test_no_two_domains_are_compared(name: str, compared: list[str]) -> None:
    CALLS[name]()
    assert compared == []


def test_a_comparison_is_seen(compared: list[str]) -> None:
    x = sympy.Symbol("x")
    one, other = sympy.Poly(2 * x, x), sympy.Poly(2 * x, x, domain="QQ")
    assert one != other
    assert (one - other).is_zero
    assert compared == [__file__]
