"""Formats numbers, matrices and expressions of an accepted file as text for ``explain``."""

from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

LONGEST = 40  # characters up to which a number is shown exactly
DIGITS = 15  # digits of the decimal that replaces a longer number
WIDEST = 6  # rows and columns up to which a matrix is shown entry by entry


def value_text(value: Any) -> str:
    """Return a number, list, matrix, endpoint of a piece or mechanism of an accepted file as text."""
    if value == "zero-one":
        return "1 for every report that is not the truth, 0 for the truth"
    if isinstance(value, str):
        return value if len(value) <= LONGEST else f"about {_decimal(Fraction(value))}"
    if isinstance(value, dict):
        if "root" in value:
            low, high = map(value_text, value["between"])
            terms = (f"{value_text(c)} p^{i}" for i, c in enumerate(value["root"]))
            return f"the root of {' + '.join(terms)} in ({low}, {high})"
        if "runs" in value:
            return ", ".join(f"{n} times {value_text(w)}" for n, w in value["runs"][:WIDEST]) + ", ..." * (
                len(value["runs"]) > WIDEST
            )
        if "restricted-response" in value:
            form = value["restricted-response"]
            chosen = sum(int(n) for n, t in form["runs"] if t == "1")
            return (
                f"randomized response over {chosen} chosen categories, gamma = {value_text(form['gamma'])}; the truth "
                f"with chance {value_text(form['delta'])}"
            )
        if "revealed-blocks" in value:
            form = value["revealed-blocks"]
            blocks = value_text({"blocks": form["blocks"]})
            return f"{blocks}; instead the truth with chance {value_text(form['revealed'])}"
        if "blocks" in value or "bit-vectors" in value:
            ((form, parameters),) = value.items()
            return (
                f"{form.replace('-', ' ')}: {', '.join(f'{key} = {_short(text)}' for key, text in parameters.items())}"
            )
        if "orbits" in value:
            sizes, rows = value["orbits"]["groups"], value["orbits"]["rows"]
            parts = (
                " | ".join(
                    ", ".join(f"{value_text(c)} times {value_text(v)}" for v, c in values) for values in row[:WIDEST]
                )
                + " | ..." * (len(row) > WIDEST)
                for row in rows[:WIDEST]
            )
            more = "; ..." * (len(rows) > WIDEST)
            return f"all rearrangements in groups of {value_text(sizes)} of {'; '.join(parts)}{more}"
        factors = value["product"] if "product" in value else [value["matrix"]]
        listed = " x ".join(map(value_text, factors[:WIDEST]))
        return listed + f" x ... ({len(factors)} factors)" * (len(factors) > WIDEST)
    if value and isinstance(value[0], list):
        if max(len(value), *map(len, value)) > WIDEST:
            return f"a matrix of {len(value)} rows and {len(value[0])} columns"
        return f"[{'; '.join(' '.join(map(value_text, row)) for row in value)}]"
    return f"({', '.join(map(value_text, value[: 2 * WIDEST]))}{', ...' * (len(value) > 2 * WIDEST)})"


def _short(text: str) -> str:
    return (
        text if "/" not in text and len(text) <= LONGEST else value_text(text) if "/" in text else f"{text[:WIDEST]}..."
    )


def distinct_texts(lower: str, upper: str) -> tuple[str, str]:
    """Return two numbers as text, with enough digits to show that they differ, if they do."""
    texts = value_text(lower), value_text(upper)
    if lower == upper or not any(text.startswith("about") for text in texts):
        return texts
    ends, digits = (Fraction(lower), Fraction(upper)), DIGITS
    while (low := _decimal(ends[0], digits)) == (high := _decimal(ends[1], digits)):
        if digits > 2**14:
            return texts[0], f"{texts[1]}, which is larger by less than 10^-{digits // 2} times itself"
        digits *= 2
    return texts if digits == DIGITS else (f"about {low}", f"about {high}")


def _decimal(number: Fraction, digits: int = DIGITS) -> Decimal:
    return Context(prec=digits).divide(Decimal(number.numerator), Decimal(number.denominator))


def power_of_ten(number: Fraction, most: int) -> str:
    """Return the smallest power of ten that is >= a positive number, at least 10^-most, as text: 1, 1e3 or 1e-6."""
    power = 0
    if number > 1:
        whole = -(-number.numerator // number.denominator) - 1  # 10^e >= number iff 10^e > whole
        # log10 of 2; converting so long an integer to text would be slow
        power = max(int(whole.bit_length() * 0.30103) - 2, 1)
        while 10**power <= whole:
            power += 1
    else:
        while power > -most and number * 10 ** (1 - power) <= 1:
            power -= 1
    return f"1e{power}" if power else "1"


def expression_text(tree: Any) -> str:
    """Return an expression tree as text, or only its length if it is very long."""
    text = _formula(tree)
    return text if len(text) <= LONGEST**2 else f"an expression of {len(text)} characters"


def _formula(tree: Any) -> str:
    if isinstance(tree, str):
        return value_text(tree)
    ((operation, parts),) = tree.items()
    if operation == "negative":
        return f"-({_formula(parts)})"
    if operation in ("sum", "product", "quotient", "power"):
        sign = {"sum": " + ", "product": " * ", "quotient": "/", "power": "^"}[operation]
        return f"({sign.join(map(_formula, parts))})"
    return f"{operation}({', '.join(map(_formula, parts if isinstance(parts, list) else [parts]))})"


def combination_text(terms: Any) -> str:
    """Return a linear combination of variables as text, from pairs (index, number)."""
    listed = [f"{value_text(value)} x{index}" for index, value in terms if value != "0"]
    return " + ".join(listed[: 2 * WIDEST]) + " + ..." * (len(listed) > 2 * WIDEST) or "0"
