"""Checks that the integer tables of an exported client give the distribution of a mechanism (FORMAT.md, rule 32)."""

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from typing import Any

from .blocks_rule import MAX_CATEGORIES, read_reports
from .difference_sets import read_base
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .limits import MAX_RUNS
from .matrices import columns, read_mechanism
from .polynomials import whole
from .trace_rule import read_runs

EXPLAINED = {
    "client": "The integers of the client's table are proportional to the probabilities of the mechanism, and "
    "state its field and sets.",
}

MAX_CLIENT_ENTRIES = 4096
MAX_INTEGER = (1 << 63) - 1
MAX_FIELD = (1 << 31) - 1
_KEYS = {
    "direct": ["k"],
    "subsets": ["k", "size"],
    "cyclic": ["modulus", "size"],
    "affine": ["q", "size"],
    "affine-classes": ["q", "index", "cosets", "zero", "root"],
    "projective": ["q", "space", "complement"],
}


def check_client(problem: Any, claim: Any, witness: Any) -> None:
    """Check a claim of kind client-law."""
    budget = Budget()
    (made,) = of_kind(problem, "client", ["mechanism"], "problem")
    (table,) = of_kind(claim, "client-law", ["table"], "claim")
    fields(witness, ["rule"], "witness")
    form = next(iter(made)) if isinstance(made, dict) and len(made) == 1 else ""
    _FORMS.get(form, _check_blocks)(made, table, budget)


def _check_columns(made: Any, table: Any, budget: Budget) -> None:
    rows = read_mechanism(made, "the mechanism", budget)
    if len(rows) * len(rows[0]) > MAX_CLIENT_ENTRIES:
        raise Rejected(f"the mechanism has more than {MAX_CLIENT_ENTRIES} entries")
    columns(rows, "the mechanism", budget)
    (lists,) = fields(table, ["columns"], "the table")
    texts = items(lists, "the table", count=len(rows[0]))
    for entries, listed in zip(zip(*rows, strict=True), texts, strict=True):
        before = 0
        numbers = [whole(text, "an integer", MAX_INTEGER) for text in items(listed, "a list", count=len(rows))]
        if not numbers[-1]:
            raise Rejected("the last integer of a list is 0")
        for entry, number in zip(entries, numbers, strict=True):
            budget.spend(2, bits_of(entry))
            if number - before != numbers[-1] * entry:
                raise Rejected("a weight of the table is not in proportion to the probability")
            before = number


def _check_blocks(made: Any, table: Any, budget: Budget) -> None:
    (blocks,) = fields(made, ["blocks"], "the mechanism")
    family = blocks.get("family") if isinstance(blocks, dict) else None
    names = _KEYS.get(family) if isinstance(family, str) else None
    if names is None:
        raise Rejected("clients have no such family of blocks")
    reports = read_reports(made, whole(blocks.get("categories"), "the categories", MAX_CATEGORIES, 2), budget)
    if family == "affine" and blocks["dimension"] != "1":
        names = [*names, "space"]
    last = ["runs"] if family == "cyclic" else []
    heads, coin, *texts = fields(table, ["heads", "coin", *names, *last], "the table")
    if not 0 < reports.hit < 1:
        raise Rejected("heads/coin is not between 0 and 1")
    _require_coin((heads, coin), reports.hit, "heads/coin is not the chance that a report holds the truth", budget)
    own = {**blocks, "k": blocks["categories"]}
    if family == "cyclic":
        inside = read_base(blocks["base"], int(blocks["modulus"]), budget)
        budget.spend(1 + len(inside) // 8)
        own["size"] = str(sum(inside))
        _require_runs(texts.pop(), ((1, bool(each)) for each in inside))
    if "q" in names:
        q = whole(blocks["q"], "q of a client", MAX_FIELD)
        if "space" in names:
            t = int(blocks["dimension"]) - (family == "projective")
            if q ** (t + 1) > MAX_INTEGER:
                raise Rejected("q times space is not below 2^63")
            own["space"] = str(q**t)
        elif "root" in names:
            own["root"] = str(_least_root(q, budget))
    for name, text in zip(names, texts, strict=True):
        if text != own[name]:
            raise Rejected(f"{name} is not that of the mechanism")


def _check_bits(made: Any, table: Any, budget: Budget) -> None:
    categories, _, _ = fields(made["bit-vectors"], ["categories", "p", "m"], "the bit vectors")
    reports = read_reports(made, whole(categories, "the categories", MAX_CATEGORIES, 2), budget)
    names = ["heads", "coin", "miss_heads", "miss_coin", "k"]
    heads, coin, miss_heads, miss_coin, k = fields(table, names, "the table")
    _require_coin((heads, coin), reports.hit, "heads/coin is not p", budget)
    _require_coin((miss_heads, miss_coin), reports.miss, "miss_heads/miss_coin is not m", budget)
    if k != categories:
        raise Rejected("k is not that of the mechanism")


def _check_restricted(made: Any, table: Any, budget: Budget) -> None:
    texts, gamma, delta = fields(made["restricted-response"], ["runs", "gamma", "delta"], "the restricted response")
    runs = read_runs(texts, None, "whether categories are chosen", budget)
    if any(value not in (0, 1) for value in runs.values):
        raise Rejected("a run of categories is neither chosen nor left out")
    m = sum(n for n, value in zip(runs.counts, runs.values, strict=True) if value)
    g, d = budget.number(gamma, "gamma of the mechanism"), budget.number(delta, "delta of the mechanism")
    if not m or not g >= 1 or not 0 <= d <= 1:
        raise Rejected("no category is chosen, or the level is none")
    names = ["heads", "coin", "reveal_heads", "reveal_coin", "chosen", "runs"]
    heads, coin, reveal_heads, reveal_coin, chosen, listed = fields(table, names, "the table")
    budget.spend(4, bits_of(g), 64)
    _require_coin((heads, coin), g / (g + m - 1), "heads/coin is not the chance of a truth in C", budget)
    _require_coin((reveal_heads, reveal_coin), d, "reveal_heads/reveal_coin is not delta", budget)
    if chosen != str(m):
        raise Rejected("chosen is not that of the mechanism")
    _require_runs(listed, ((n, bool(value)) for n, value in zip(runs.counts, runs.values, strict=True)))


_FORMS = {"matrix": _check_columns, "bit-vectors": _check_bits, "restricted-response": _check_restricted}


def _require_coin(texts: tuple[Any, Any], chance: Fraction, reason: str, budget: Budget) -> None:
    """Reject unless both integers are below 2^63 and ``heads/coin`` equals the probability."""
    heads, coin = whole(texts[0], "heads", MAX_INTEGER), whole(texts[1], "coin", MAX_INTEGER, 1)
    budget.spend(4, bits_of(chance), 64)
    if Fraction(heads, coin) != chance:
        raise Rejected(reason)


def _require_runs(listed: Any, runs: Iterable[tuple[int, bool]]) -> None:
    """Reject unless the list contains the lengths of the runs inside and outside of the set, alternately, except the
    last.
    """
    lengths, is_in = [0], True
    for count, is_own in runs:
        if is_own != is_in:
            lengths.append(0)
            is_in = is_own
        lengths[-1] += count
    if items(listed, "the runs", most=MAX_RUNS) != list(map(str, lengths[:-1])):
        raise Rejected("runs is not that of the mechanism")


def _least_root(q: int, budget: Budget) -> int:
    """Return the smallest primitive root modulo a prime."""
    budget.spend(isqrt(q))
    factors, rest, divisor = [], q - 1, 2
    while divisor * divisor <= rest:
        if not rest % divisor:
            factors.append(divisor)
            while not rest % divisor:
                rest //= divisor
        divisor += 1
    factors += [rest] * (rest > 1)
    root = 1
    while any(pow(root, (q - 1) // factor, q) == 1 for factor in factors):
        budget.spend(32 * len(factors))
        root += 1
    return root
