"""Rule 19: an interval of prevalences."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

from .book import EQUATION, INEQUALITY, MATRIX, SPECIAL, UNIT, Suite, with_
from .designs import bracket, region, rows
from .oracle import _designs, _equal_regrets, _peak, variance

PAGE = "interval_rule.md"
Document = tuple[Any, Any, Any]


def interval(kind: str, g: F, d: F, low: F, high: F, family: str = "all") -> Document:
    """Return the certificate of the minimax design, or of the minimax-regret design."""
    designs = _designs(g, d, family)
    best = {x: min(variance(*v, x) for v in designs) for x in (low, high)}
    if kind == "least-regret-design" and low < high and family == "all":
        designs += [
            v for i, a in enumerate(designs) for b in designs[i + 1 :] for v in _equal_regrets(a, b, low, high, best)
        ]

    def loss(v: tuple[F, F]) -> F:
        if kind == "least-regret-design":
            return max(variance(*v, x) - best[x] for x in (low, high))
        peak = _peak(*v)
        return max(variance(*v, x) for x in (low, high, min(max(peak, low), high)))

    chosen = min(designs, key=loss)
    level = {"log": str(g)} if g > 1 else {"rational": "0"}
    problem = {
        "region": region(level, str(d), family=family), "objective": {"kind": "variance"},
        "population": {"vertices": [[1 - low, low], [1 - high, high]]},
    }  # fmt: skip
    claim = {"kind": kind, "lower": loss(chosen), "upper": loss(chosen), "mechanism": rows(*chosen)}
    return with_((problem, claim, {"rule": "interval", "gamma": bracket(g), "delta": bracket(d)}))


def add_to(s: Suite) -> None:
    """Add the files of the page."""

    def condition(sentence: str, needs: tuple[str, ...]) -> Any:
        return s.condition(PAGE, sentence, needs)

    ascend = condition("The two prevalences ascend (L = H is allowed), and each vertex is a population.", INEQUALITY)
    exists = condition("the region below has a vertex", SPECIAL)
    half = F(1, 2)
    for kind in ("minimax-design", "least-regret-design"):
        for g, d in ((F(2), F(0)), (F(2), half), (F(2), UNIT), (F(1), half), (F(2), F(1)), (1 + UNIT, F(0))):
            for low, high in (
                (F(0), F(1)),
                (F(0), F(3, 4)),
                (F(1, 4), F(1, 4)),
                (F(0), F(0)),
                (F(1), F(1)),
                (F(1, 3), F(2, 3)),
            ):
                s.add(ascend, "equality" if low == high else "within", interval(kind, g, d, low, high), True)
            s.add(exists, "special value", interval(kind, 1 + g, d, F(0), half, "warner"), True)
        base = interval(kind, F(2), half, F(0), F(3, 4))
        ends = base[0]["population"]["vertices"]
        s.add(ascend, "beyond", with_(base, ("0.population.vertices", ends[::-1])), False, known=False)
        for wrong in (
            [["1", "0"], [str(F(1, 4) + UNIT), "3/4"]],
            [["1", "0"], [str(-UNIT), str(1 + UNIT)]],
            [["1", "0"]],
            [],
        ):
            s.add(ascend, "beyond", with_(base, ("0.population.vertices", wrong)), False, "form")
        none = with_(interval(kind, F(1), UNIT, F(0), half), ("0.region.delta", "0"), ("2.delta", bracket(F(0))))
        s.add(exists, "special value", none, False)
        for key, sentence in (
            ("lower", "`minimax-design`: `lower` = the least W over the vertices at `above`"),
            ("upper", "`upper` = W of the mechanism."),
            ("upper", "`upper` = `max(V(L) - b(L), V(H) - b(H))` of the mechanism."),
        ):
            entered = condition(sentence, EQUATION)
            for made in (base, interval(kind, F(2), F(0), F(1, 4), F(3, 4))):
                s.add(entered, "equality", made, True)
                for sign, side in ((-1, "below"), (1, "above")):
                    s.add(entered, side, with_(made, (f"1.{key}", F(made[1][key]) + sign * UNIT)), False)
                    s.add(entered, side, with_(made, (f"1.{key}", -F(made[1][key]) - sign * UNIT)), False)
        private = condition("The mechanism has p00 + p11 > 1 and is in the region at `below`.", (*INEQUALITY, *MATRIX))
        plain = interval(kind, F(2), F(0), F(1, 4), F(3, 4))
        s.add(private, "equality", plain, True)
        for change, boundary in ((UNIT, "beyond"), (-UNIT, "within")):
            m = F(2, 3) + change
            level = [variance(m, m, x) for x in (F(1, 4), half, F(3, 4))]
            worst = (
                max(level)
                if kind == "minimax-design"
                else max(variance(m, m, x) - variance(F(2, 3), F(2, 3), x) for x in (F(1, 4), F(3, 4)))
            )
            s.add(
                private, boundary, with_(plain, ("1.mechanism", rows(m, m)), ("1.upper", worst)), boundary == "within"
            )
        for a, b, boundary in (
            (half, half, "singular"), (F(1), F(0), "singular"), (F(0), F(1), "equal columns"), (half - UNIT, half, "singular on the contrasts"),
            (F(1, 3), F(1, 3), "beyond"), (F(1), F(1), "beyond"),
        ):  # fmt: skip
            for upper in ("0", "-1", plain[1]["upper"], "1000000000000"):
                s.add(private, boundary, with_(plain, ("1.mechanism", rows(a, b)), ("1.upper", upper)), False)
        s.add(private, "empty category", interval(kind, F(2), F(0), F(0), F(0)), True)
    _table(s)
    zero = condition("0 if that is negative.", ("equality",))
    s.add(zero, "equality", interval("least-regret-design", F(2), F(0), F(1, 4), F(3, 4)), True)
    root = interval("minimax-design", F(2), F(0), F(1, 4), F(3, 4))
    m = F(7, 5) / F(12, 5)
    made = with_(
        root, ("0.region.epsilon", {"log": "2", "times": "1/2"}), ("2.gamma", bracket(F(7, 5), F(3, 2))), ("1.mechanism", rows(m, m)),
        ("1.upper", variance(m, m, half)), ("1.lower", variance(F(3, 5), F(3, 5), half)),
    )  # fmt: skip
    s.add(private, "within", made, True, known=True)
    regret = with_(
        made,
        ("1.kind", "least-regret-design"),
        ("1.lower", "0"),
        ("1.upper", max(variance(m, m, x) - variance(F(3, 5), F(3, 5), x) for x in (F(1, 4), F(3, 4)))),
    )
    s.add(zero, "equality", regret, True, known=True)


_YES = "gamma (u - x) + delta u - (1 + u - x) >= 0"
_NO = "gamma (x - 1) + delta u - x >= 0"


def _table(s: Suite) -> None:
    """The inequalities of the region of rule 2, by designs that are in it, at the end of it and beyond."""
    base = interval("minimax-design", F(2), F(1, 2), F(0), F(3, 4))

    def at(a: F, b: F) -> Document:
        peak = min(max(_peak(a, b), F(0)), F(3, 4))
        worst = max(variance(a, b, x) for x in (F(0), peak, F(3, 4)))
        return with_(base, ("1.mechanism", rows(a, b)), ("1.upper", worst))

    half, most = F(1, 2), F(7, 10)
    ends = {"equality": F(0), "within": -UNIT, "beyond": UNIT}
    for label, row, design in (
        ("p00<=1", "p00 <= 1 | u - x >= 0", lambda e: (1 + e, half)), ("p11<=1", "p11 <= 1 | x - 1 >= 0", lambda e: (half, 1 + e)),
        ("yes-ratio", f"p11 <= gamma (1 - p00) + delta | {_YES}", lambda e: (F(9, 10), most + e)),
        ("no-ratio", f"p00 <= gamma (1 - p11) + delta | {_NO}", lambda e: (most + e, F(9, 10))),
    ):  # fmt: skip
        entered = s.condition("vertex_rule.md", f"| `{label}` | {row} |", INEQUALITY)
        for boundary, e in ends.items():
            s.add(entered, boundary, at(*design(e)), boundary != "beyond")
    for label, row in (
        ("p00>=0", "p00 >= 0 | x >= 0"), ("p11>=0", "p11 >= 0 | 1 + u - x >= 0"),
        ("no-ratio-reversed", "1 - p11 <= gamma p00 + delta | gamma x + delta u - (x - 1) >= 0"),
        ("yes-ratio-reversed", "1 - p00 <= gamma p11 + delta | gamma (1 + u - x) + delta u - (u - x) >= 0"),
    ):  # fmt: skip
        # implied and never tight: the nearest designs are those with p00 + p11 near 1
        s.add(
            s.condition("vertex_rule.md", f"| `{label}` | {row} |", ("within",)), "within", at(half, half + UNIT), True
        )
