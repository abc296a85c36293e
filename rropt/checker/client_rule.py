"""The integers of an exported client have the law of a mechanism (FORMAT.md, rule 32)."""

from fractions import Fraction
from math import isqrt
from typing import Any

from .blocks_rule import MAX_CATEGORIES, read_reports
from .documents import Budget, Rejected, bits_of, fields, items, of_kind
from .matrices import columns, read_mechanism
from .polynomials import whole

EXPLAINED = {
    "client": "The integers of the client's table are in proportion to the mechanism's probabilities, and name its "
    "field and sets.",
}

MAX_CLIENT_ENTRIES = 4096
MAX_INTEGER = (1 << 63) - 1
MAX_FIELD = (1 << 31) - 1
_KEYS = {
    "direct": ["k"],
    "affine": ["q", "size"],
    "affine-classes": ["q", "index", "cosets", "zero", "root"],
    "projective": ["q", "space", "complement"],
}


def check_client(problem: Any, claim: Any, witness: Any) -> None:
    """Decide a claim of kind client-law."""
    budget = Budget()
    (made,) = of_kind(problem, "client", ["mechanism"], "problem")
    (table,) = of_kind(claim, "client-law", ["table"], "claim")
    fields(witness, ["rule"], "witness")
    if isinstance(made, dict) and "matrix" in made:
        _check_columns(made, table, budget)
    else:
        _check_blocks(made, table, budget)


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
    heads_text, coin_text, *texts = fields(table, ["heads", "coin", *names], "the table")
    coin = whole(coin_text, "coin", MAX_INTEGER)
    heads = whole(heads_text, "heads", MAX_INTEGER)
    budget.spend(4, bits_of(reports.hit), 64)
    if not 0 < heads < coin or Fraction(heads, coin) != reports.hit:
        raise Rejected("heads/coin is not the chance that a report holds the truth")
    own = {**blocks, "k": blocks["categories"]}
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


def _least_root(q: int, budget: Budget) -> int:
    """Return the least primitive root modulo a prime."""
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
