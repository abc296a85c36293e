"""Part A of the pages: the file, numbers, matrices, levels and their brackets (rule 1)."""

import json
import re
from fractions import Fraction

from mpmath import iv

LIMIT_DIGITS, PARAMETER_DIGITS, DEPTH = 20_000, 400, 32


class RefusedError(Exception):
    """What the page does not accept."""


def want(holds, reason):
    if not holds:
        raise RefusedError(reason)


def document(text):
    if isinstance(text, bytes):
        want(not text.startswith(b"\xef\xbb\xbf"), "byte order mark")
        try:
            text = text.decode("utf-8")
        except UnicodeDecodeError as error:
            raise RefusedError("not UTF-8") from error
    want(len(text) <= 2**24, "too long")

    def pairs(items):
        want(len({key for key, _ in items}) == len(items), "duplicate key")
        return dict(items)

    def bare(value):
        raise RefusedError(f"bare number {value}")

    try:
        return json.loads(text, object_pairs_hook=pairs, parse_int=bare, parse_float=bare, parse_constant=bare)
    except (ValueError, RecursionError) as error:
        raise RefusedError("not JSON") from error


def keys(value, names, optional=()):
    want(isinstance(value, dict), f"an object is expected, with {names}")
    want(set(names) <= set(value) <= set(names) | set(optional), f"keys {sorted(value)}, not {names}")
    return [value[name] for name in names]


def array(value, length=None):
    want(isinstance(value, list), "a list is expected")
    want(length is None or len(value) == length, f"a list of {length} is expected")
    return value


def number(value):
    want(isinstance(value, str) and len(value) <= 2 * LIMIT_DIGITS + 2, "a number is expected")
    want(
        re.fullmatch(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", value, re.ASCII) and value != "-0", f"no number: {value[:40]}"
    )
    want(all(len(run) <= LIMIT_DIGITS for run in re.findall("[0-9]+", value)), "too many digits")
    over, _, under = value.partition("/")
    result = Fraction(int(over), int(under or "1"))
    want(not under or (result.denominator == int(under) and int(under) > 1), f"not canonical: {value[:40]}")
    return result


def integer(value):
    result = number(value)
    want(result.denominator == 1, "an integer is expected")
    return int(result)


def index(value, count):
    result = integer(value)
    want(0 <= result < count, "an index out of range")
    return result


def numbers(value, length=None):
    return [number(entry) for entry in array(value, length)]


def matrix(value, rows=None, columns=None):
    result = [numbers(row) for row in array(value, rows)]
    want(result and len({len(row) for row in result}) == 1, "rows of one length")
    want(result[0] and columns in (None, len(result[0])), f"{columns} columns")
    return result


def stochastic(rows):
    want(all(entry >= 0 for row in rows for entry in row), "a negative entry")
    want(all(sum(column) == 1 for column in zip(*rows, strict=True)), "a column does not sum to 1")
    return rows


def mechanism(value, rows=None, columns=None):
    return stochastic(matrix(keys(value, ["matrix"])[0], rows, columns))


def population(value, inputs):
    pi = numbers(value, inputs)
    want(min(pi) >= 0 and sum(pi) == 1, "no population")
    return pi


def dot(left, right):
    return sum((x * y for x, y in zip(left, right, strict=True)), Fraction(0))


def exponential(r, digits, most=100):
    """Rationals around exp(r)."""
    want(abs(r) <= most, "the exponent")
    iv.prec = int(3.33 * digits) + 200
    ends = iv.exp(iv.mpf(r.numerator) / iv.mpf(r.denominator))._mpi_
    return [(-1) ** sign * int(mantissa) * Fraction(2) ** power for sign, mantissa, power, _ in ends]


def digits_of(*ends):
    return max(len(str(abs(n))) for end in ends for n in (end.numerator, end.denominator))


def level(value):
    """``("rational", gamma)``, ``("exp", r)`` or ``("power", q, a, b)``."""
    want(isinstance(value, dict), "a level")
    if set(value) == {"rational"}:
        r = number(value["rational"])
        want(r >= 0, "epsilon >= 0")
        return ("exp", r) if r else ("rational", Fraction(1))
    keys(value, ["log"], ["times"])
    q = number(value["log"])
    want(q > 1, "log(q), q > 1")
    if "times" not in value:
        return "rational", q
    times = number(value["times"])
    want(times.denominator > 1, "times has a denominator > 1")
    return "power", q, times.numerator, times.denominator


def enclosed(r, below, above, most=100):
    for extra in (40, 400, 4000):
        lower, upper = exponential(r, digits_of(below, above) + extra, most)
        if below <= lower and upper <= above:
            return True
        if below > upper or lower > above:
            return False
    raise RefusedError("undecided")


def gamma_bracket(value, value_level, most=100):
    below, above = (number(x) for x in keys(value, ["below", "above"]))
    kind, *rest = value_level
    if kind == "rational":
        want(below == above == rest[0], "the bracket is not the number")
    elif kind == "exp":
        want(1 <= below <= above and enclosed(rest[0], below, above, most), "the bracket of exp(r)")
    else:
        q, a, b = rest
        want(a > 0 and 1 <= below <= above and below**b <= q**a <= above**b, "the bracket of a power")
        want(q**a <= 2 ** (3 * most // 2 * b), "a power too large")
    return below, above


def delta_bracket(value, delta):
    """delta is as it stands in the file."""
    below, above = (number(x) for x in keys(value, ["below", "above"]))
    if isinstance(delta, dict):
        r = number(keys(delta, ["exp"])[0])
        want(r < 0, "exp(r), r < 0")
        want(0 < below <= above <= 1 and enclosed(r, below, above), "the bracket of delta")
    else:
        d = number(delta)
        want(0 <= d <= 1, "delta in [0, 1]")
        want(below == above == d, "the bracket is not delta")
    return below, above
