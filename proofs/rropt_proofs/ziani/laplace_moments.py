"""The Laplace distribution: mean, variance and tail."""

from __future__ import annotations

from functools import cache
from typing import Any

import sympy as sp

from rropt.claims import Claim, Condition, Domain, Point, Proof
from rropt.claims.positivity import prove_identity
from rropt_proofs.ziani import PAPER
from rropt_proofs.ziani._paper import SCALE, sympy_tail, tail_certificates


def theory(point: Point) -> dict[str, Any]:
    b, z = sp.Rational(point["b"]), sp.Rational(point["z"])
    return {"mass": sp.Integer(1), "mean": sp.Integer(0), "variance": 2 * b**2, "tail": sp.exp(-z / b)}


@cache
def _moments() -> tuple[Any, ...]:
    """Integrate z^j times the density over the whole line, for j = 0, 1, 2."""
    z = sp.Symbol("z", real=True)
    right, left = sp.exp(-z / SCALE) / (2 * SCALE), sp.exp(z / SCALE) / (2 * SCALE)
    return tuple(
        sp.simplify(sp.integrate(z**j * left, (z, -sp.oo, 0)) + sp.integrate(z**j * right, (z, 0, sp.oo)))
        for j in range(3)
    )


def computed(point: Point) -> dict[str, Any]:
    """The integrals of the density over both half lines, by symbols."""
    b = sp.Rational(point["b"])
    mass, mean, second = (value.subs(SCALE, b) for value in _moments())
    return {
        "mass": mass,
        "mean": mean,
        "variance": second - mean**2,
        "tail": sympy_tail(sp.Rational(point["z"]), b),
    }


def mutant(point: Point) -> dict[str, Any]:
    """Variance b^2."""
    return {**theory(point), "variance": sp.Rational(point["b"]) ** 2}


def proof() -> Proof:
    z, b = sp.symbols("z b")
    density = sp.Rational(1, 2) / b  # times exp(-z/b), for z > 0
    primitive = -(z**2 + 2 * b * z + 2 * b**2)  # times exp(-z/b)
    derivative = sp.diff(primitive, z) - primitive / b  # the factor of exp(-z/b) in its derivative
    return Proof(
        scope="all b > 0, all z >= 0",
        argument="On z > 0 twice the density is the derivative of -exp(-z/b), which gives total mass 1 (both sides) "
        "and Pr[|Z| >= z] = exp(-z/b). Twice z^2 times the density is the derivative of -(z^2 + 2bz + 2b^2) "
        "exp(-z/b), so E[Z^2] = 2b^2. The density is even and |z| integrable, so E[Z] = 0 and the variance is E[Z^2].",
        certificates=(
            *tail_certificates(),
            ("2 z^2 times the density has this primitive", prove_identity(derivative, 2 * z**2 * density)),
            ("its value at 0", prove_identity(-primitive.subs(z, 0), 2 * b**2)),
        ),
        unchecked_steps=(
            "the rule for the derivative of a polynomial times exp(-z/b): derivatives and integrals have no shape",
            "a polynomial times exp(-z/b) tends to 0: a limit is no relation",
            "the density is even, so that E[Z] = 0: an integral again",
        ),
    )


CLAIM = Claim(
    id="ziani.laplace-moments",
    source=f"{PAPER}, the Laplace distribution, and the tail in the proof of Theorem 9",
    place=(2, 2),
    printed=r"We write $Z\sim\mathrm{Lap}(b)$ to say that a random variable $Z$ is drawn from the Laplace distribution "
    r"with parameter $b$. [...] $f(z|b)=\frac1{2b}\exp(-|z|/b)$. [...] It has expectation $\mathbb{E}[Z]=0$ "
    r"and variance $\mathrm{Var}(Z)=2b^2$. [...] For $Z\sim\text{Lap}(b)$ and $z>0$, we know that $\Pr[|Z|\ge "
    r"z]=\exp(-z/b)$.",
    precise="For b > 0 the function is a probability density with mean 0 and variance 2b^2, and for z > 0 "
    "Pr[|Z| >= z] = exp(-z/b). For b <= 0 it is no density.",
    variables={
        "b": Domain("scale b", tuple(sp.Rational(x) for x in ("-1", "0", "1/10", "1", "3/2", "20"))),
        "z": Domain("threshold z", tuple(sp.Rational(x) for x in ("-1", "0", "1/100", "1", "7/3", "10"))),
    },
    assumptions=(Condition("z > 0", lambda p: p["z"] > 0),),
    defined=(Condition("b > 0: otherwise there is no density", lambda p: p["b"] > 0),),
    theory=theory,
    computed=computed,
    mutant=mutant,
    proof=proof,
)
