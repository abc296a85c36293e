"""Rule 24: three outputs by merging two of four."""

from __future__ import annotations

from fractions import Fraction as F
from itertools import combinations
from typing import Any

from .book import INEQUALITY, MATRIX, SPECIAL, UNIT, Suite, text, with_
from .designs import bracket, region
from .linear import criterion
from .oracle import Matrix, determinant, dot, four_answers, information

PAGE = "merging_rule.md"
Document = tuple[Any, Any, Any]


def merges(g: F, d: F) -> list[Matrix]:
    """Return the mechanisms with two of four outputs added."""
    rows = [[d, F(0)], *[row[:] for row in four_answers(g, F(0))], [F(0), d]]
    rows[1:3] = [[(1 - d) * x for x in row] for row in rows[1:3]]
    return [
        [[x + y for x, y in zip(rows[i], rows[j], strict=True)], *[row for at, row in enumerate(rows) if at not in (i, j)]]
        for i, j in combinations(range(4), 2)
    ]  # fmt: skip


def gain(p: Matrix, pi: list[F]) -> F:
    """Return I of a mechanism."""
    return sum(((row[1] - row[0]) ** 2 / dot(row, pi) for row in p if any(row)), F(0))


def merged(
    pi: list[F], gammas: tuple[F, F], deltas: tuple[F, F], level: Any = None, delta: Any = None
) -> Document:  # fmt: skip
    """Return the certificate of the best of six."""
    best = [max((gain(p, pi), p) for p in merges(g, d)) for g, d in zip(gammas, deltas, strict=True)]
    written = level or ({"log": str(gammas[0])} if gammas[0] > 1 else {"rational": "0"})
    data = region(written, delta or str(deltas[0]), outputs="3")
    claim = {
        "kind": "design-bracket", "lower": 1 / best[1][0], "upper": 1 / best[0][0], "mechanism": {"matrix": best[0][1]},
    }  # fmt: skip
    witness = {"rule": "merged-outputs", "gamma": bracket(*gammas), "delta": bracket(*deltas)}
    return with_(({"region": data, "objective": {"kind": "variance"}, "population": pi}, claim, witness))


def add_to(s: Suite) -> None:
    """Add the files of the page."""
    problem = {
        "region": region({"log": "2"}, "1/4", outputs="3"),
        "objective": {"kind": "variance"},
        "population": ["1/2", "1/2"],
    }
    best = [["3/4", "1/4"], ["1/4", "1/2"], ["0", "1/4"]]
    claim = {"kind": "design-bracket", "lower": "6/7", "upper": "6/7", "mechanism": {"matrix": best}}
    base = with_((problem, claim, {"rule": "merged-outputs", "gamma": bracket(F(2)), "delta": bracket(F(1, 4))}))
    private = s.condition(
        PAGE,
        "The mechanism has three rows and is private at `below`: `sum_i max(0, p_ij - gamma p_il) <= delta` for both ordered pairs.",
        (*INEQUALITY, *MATRIX),
    )
    s.add(private, "equality", base, True)
    exchanged = [row[::-1] for row in best]  # the inputs exchanged: pi is 1/2, and nothing changes
    s.add(private, "equality", with_(base, ("1.mechanism.matrix", exchanged)), True)
    even = [["1/3", "1/3"], ["1/3", "1/3"], ["1/3", "1/3"]]
    for boundary in ("singular", "equal columns", "singular on the contrasts"):
        for upper in ("6/7", "0", "-1", "1000000"):
            s.add(private, boundary, with_(base, ("1.mechanism.matrix", even), ("1.upper", upper)), False)
    s.add(
        private,
        "within",
        with_(base, ("1.mechanism.matrix", [["2/3", "1/3"], ["1/3", "2/3"], ["0", "0"]]), ("1.upper", "100")),
        True,
    )
    for e in (UNIT, F(1, 4)):
        beyond = [[F(3, 4) + e, F(1, 4)], [F(1, 4) - e, F(1, 2)], ["0", "1/4"]]
        s.add(private, "beyond", with_(base, ("1.mechanism.matrix", beyond)), False)
    s.add(private, "beyond", with_(base, ("1.mechanism.matrix", best[:2])), False)
    s.add(private, "empty category", with_(base, ("0.population", ["1", "0"])), False, known=False)
    for key, sentence, sign in (
        ("upper", "`upper I(mechanism) >= 1`.", 1),
        ("lower", "`lower max I(F_ij) <= 1`, the maximum over the six pairs at `above`.", -1),
    ):
        entered = s.condition(PAGE, sentence, INEQUALITY)
        s.add(entered, "equality", base, True)
        s.add(entered, "within", with_(base, (f"1.{key}", F(6, 7) + sign * UNIT)), True)
        s.add(entered, "beyond", with_(base, (f"1.{key}", F(6, 7) - sign * UNIT)), False)
        s.add(entered, "beyond", with_(base, (f"1.{key}", -F(6, 7) if key == "upper" else F(2))), False)
    _levels(s, private)


def _levels(s: Suite, private: Any) -> None:
    """All six merges, levels from gamma = 1 to delta = 1, brackets, and shares near 0."""
    upper = s.condition(PAGE, "`upper I(mechanism) >= 1`.", INEQUALITY)
    lower = s.condition(PAGE, "`lower max I(F_ij) <= 1`, the maximum over the six pairs at `above`.", INEQUALITY)
    half, quarter = F(1, 2), F(1, 4)
    for g, d in (
        (F(2), quarter), (F(3), F(0)), (F(3), F(1)), (F(1), quarter), (F(1), F(1)), (F(20), F(1, 100)), (F(2), 1 - UNIT),
    ):  # fmt: skip
        for share in (half, quarter, 1 - UNIT) if (g, d) == (2, quarter) else (quarter, F(9, 10)):
            pi = [1 - share, share]
            made = merged(pi, (g, g), (d, d))
            for entered in (private, upper, lower):
                s.add(entered, "equality", made, True)
            least = F(made[1]["lower"])
            for key, entered, sign in (("upper", upper, 1), ("lower", lower, -1)):
                s.add(entered, "within", with_(made, (f"1.{key}", least + sign * UNIT)), True)
                s.add(entered, "beyond", with_(made, (f"1.{key}", least - sign * UNIT)), False)
            # the other merges are allowed, and no better
            for p in merges(g, d):
                if text(p) == made[1]["mechanism"]["matrix"] or not determinant(information(p, pi)):
                    continue
                worth = 1 / gain(p, pi)
                other = with_(made, ("1.mechanism.matrix", p), ("1.upper", worth))
                s.add(upper, "equality", other, True)
                if worth > least:
                    s.add(upper, "beyond", with_(other, ("1.upper", (worth + least) / 2)), False)
            if d < 1 and share == quarter:
                e = UNIT if d else F(0)
                over = merged(pi, (g + UNIT - e, g + UNIT - e), (d + e, d + e))
                room = with_(made, ("1.lower", over[1]["lower"]), ("1.mechanism", over[1]["mechanism"]))
                s.add(private, "beyond", room, False)
    pi = [F(3, 4), quarter]
    root = merged(pi, (F(7, 5), F(17, 12)), (F(1, 10),) * 2, {"log": "2", "times": "1/2"})
    small = merged(pi, (F(2), F(2)), (F(13, 100), F(14, 100)), None, {"exp": "-2"})
    over = [with_(root, ("1.mechanism.matrix", max((gain(p, pi), p) for p in merges(F(17, 12), F(1, 10)))[1]))]
    over += [with_(small, ("1.mechanism.matrix", max((gain(p, pi), p) for p in merges(F(2), F(14, 100)))[1]))]
    skew = [["1/2", "1/2"], ["1/2", "1/8"], ["0", "3/8"]]
    over += [with_(small, ("1.mechanism.matrix", p)) for p in (skew, [row[::-1] for row in skew])]
    for made in over:  # both bounds leave room
        s.add(private, "beyond", with_(made, ("1.lower", "1/1000"), ("1.upper", "1000")), False)
    for made in (root, small):
        s.add(private, "within", made, True)
        for key, entered, sign in (("upper", upper, 1), ("lower", lower, -1)):
            x = F(made[1][key])
            s.add(entered, "equality", made, True)
            s.add(entered, "within", with_(made, (f"1.{key}", x + sign * UNIT)), True)
            s.add(entered, "beyond", with_(made, (f"1.{key}", x - sign * UNIT)), False)
    row = s.condition(PAGE, "No row of the mechanism or of an F_ij at `above` that is not 0 has `p . pi = 0`", SPECIAL)
    base = merged(pi, (F(2), F(2)), (quarter, quarter))
    for below, above in ((F(4), F(4)), (4 - UNIT, 4 + UNIT)):
        place = criterion(below, above)
        made = merged(pi, (below, above), (F(0), F(0)))
        made = with_(made, ("0.region", {**place[0]["region"], "outputs": "3"}), ("2.gamma", place[2]["gamma"]))
        s.add(private, "equality", made, True)
        for key, entered, sign in (("upper", upper, 1), ("lower", lower, -1)):
            s.add(entered, "beyond", with_(made, (f"1.{key}", F(made[1][key]) - sign * UNIT)), False)
    for shares in (["1", "0"], ["0", "1"]):
        for bound in ("0", "1", "1000"):
            # with delta the value is 0 for all that the page takes: it takes none
            zero = with_(base, ("0.population", shares), ("1.lower", "0"), ("1.upper", bound))
            s.add(row, "special value", zero, False)
        without = merged([F(x) for x in shares], (F(3), F(3)), (F(0), F(0)))
        s.add(row, "special value", without, True)
    form = s.condition(
        PAGE,
        'region `differential-privacy` or `criterion` with `inputs` `"2"`, `outputs` `"3"` and family `all`, any delta.',
        SPECIAL,
    )
    for path, value in (
        ("0.region.outputs", "2"), ("0.region.outputs", "4"), ("0.region.outputs", "any"), ("0.region.inputs", "3"),
        ("0.region.family", "warner"), ("0.objective.kind", "a-optimal"),
    ):  # fmt: skip
        s.add(form, "special value", with_(base, (path, value)), False, "form")
    nothing = with_(
        merged(pi, (F(1), F(1)), (F(1), F(1))), ("0.region.delta", "0"), ("2.delta", bracket(F(0))), ("1.mechanism.matrix", [["1", "1"], ["0", "0"], ["0", "0"]]),
    )  # fmt: skip
    for low, high in (("1", "1"), ("-1", "-1"), ("1000", "1000"), ("0", "0"), ("5", "-5")):
        s.add(upper, "beyond", with_(nothing, ("1.lower", low), ("1.upper", high)), False)
