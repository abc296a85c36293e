"""Rule 12: pairs n/d of polynomials over Q in p and named constants."""

from fractions import Fraction
from math import comb, isqrt

from .intervals import Intervals, UndefinedError
from .reading import want

NAMES = 8
NONE = (0,) * (1 + NAMES)  # the exponents of p and of the names


def plus(f, g):
    result = dict(f)
    for key, c in g.items():
        result[key] = result.get(key, 0) + c
    return {key: c for key, c in result.items() if c}


def product(f, g):
    result = {}
    for key, c in f.items():
        for other, d in g.items():
            both = tuple(a + b for a, b in zip(key, other, strict=True))
            result[both] = result.get(both, 0) + c * d
    return {key: c for key, c in result.items() if c}


def minus(f):
    return {key: -c for key, c in f.items()}


class Pair:
    """n/d; nothing is cancelled but in a rational number."""

    def __init__(self, n, d):
        if set(n) | set(d) == {NONE}:
            n, d = {NONE: n[NONE] / d[NONE]} if n else {}, {NONE: Fraction(1)}
        self.n, self.d = n, d

    def __add__(self, other):
        if self.d == other.d:
            return Pair(plus(self.n, other.n), self.d)
        return Pair(plus(product(self.n, other.d), product(other.n, self.d)), product(self.d, other.d))

    def __neg__(self):
        return Pair(minus(self.n), self.d)

    def __sub__(self, other):
        return self + -other

    def __mul__(self, other):
        return Pair(product(self.n, other.n), product(self.d, other.d))

    def to_the(self, n):
        result = of(1)
        for _ in range(n):
            result = result * self
        return result

    @property
    def is_constant(self):
        return not any(key[0] for part in (self.n, self.d) for key in part)

    @property
    def is_zero(self):
        return not self.n

    def known(self):
        """Return the rational number that this is, or None; of functions of p only single monomials are so taken."""
        if not self.n:
            return Fraction(0)
        if set(self.n) != set(self.d) or (len(self.n) > 1 and not self.is_constant):
            return None
        values = {c / self.d[key] for key, c in self.n.items()}
        return values.pop() if len(values) == 1 else None

    def settled(self):
        value = self.known()
        return self if value is None else of(value)

    def equals(self, other):
        return product(self.n, other.d) == product(other.n, self.d)


def of(x):
    return Pair({NONE: Fraction(x)} if x else {}, {NONE: Fraction(1)})


P = Pair({(1, *NONE[1:]): Fraction(1)}, {NONE: Fraction(1)})


class Constants:
    """The names of a certificate: (function, exponent, argument, interval)."""

    def __init__(self, digits):
        self.intervals = Intervals(digits)
        self.named = []

    def _name(self, function, exponent, x, value):
        found = [i for i, (f, r, y, _) in enumerate(self.named) if (f, r) == (function, exponent) and x.equals(y)]
        if not found:
            want(len(self.named) < NAMES, "too many names")
            self.named.append((function, exponent, x, value))
            found = [len(self.named) - 1]
        return Pair({tuple(int(i == found[0] + 1) for i in range(1 + NAMES)): Fraction(1)}, {NONE: Fraction(1)})

    def _around(self, polynomial):
        i = self.intervals
        total = i.point(Fraction(0))
        for key, c in sorted(polynomial.items()):
            term = i.point(c)
            for name, n in enumerate(key[1:]):
                for _ in range(n):
                    term = i.multiply(term, self.named[name][3])
            total = i.add(total, term)
        return total

    def around(self, x):
        value = x.known()
        if value is not None:
            return self.intervals.point(value)
        return self.intervals.multiply(self._around(x.n), self.intervals.inverse(self._around(x.d)))

    def sign_of(self, polynomial):
        low, high = self._around(polynomial)
        if low <= 0 <= high and polynomial:
            raise UndefinedError("no certain sign")
        return (low > 0) - (high < 0)

    def sign(self, x):
        value = x.known()
        return self.sign_of(x.n) * self.sign_of(x.d) if value is None else (value > 0) - (value < 0)

    def inverse(self, x):
        if x.is_zero or (x.is_constant and not self.sign(x)):
            raise UndefinedError("a division by 0")
        return Pair(x.d, x.n)

    def power(self, x, r):
        if r < 0:
            return self.inverse(self.power(x, -r))
        whole, rest = r // 1, r % 1
        if rest == 0:
            return x.to_the(int(whole))
        x = x.settled()
        if not x.is_constant or self.sign(x) < 0:
            raise UndefinedError("a power of p, or of a negative number")
        return x.to_the(int(whole)) * self._root(x, rest)

    def _root(self, x, r):
        value = x.known()
        if value in (0, 1):
            return x
        if value is not None and r == Fraction(1, 2):
            root = Fraction(isqrt(value.numerator), isqrt(value.denominator))
            if root**2 == value:
                return of(root)
        return self._name("power", r, x, self.intervals.power(self.around(x), r))

    def _multiple(self, x, function):
        """Return (r, argument) of r times a name of this function, or (None, None)."""
        for i, (f, _, y, _) in enumerate(self.named):
            if f == function:
                key = tuple(int(j == i + 1) for j in range(1 + NAMES))
                r = Pair(x.n, product(x.d, {key: Fraction(1)})).known()
                if r is not None:
                    return r, y
        return None, None

    def exp(self, x):
        x = x.settled()
        if x.is_zero:
            return of(1)
        r, y = self._multiple(x, "log")
        if r is not None:
            return self.power(y, r)
        if not x.is_constant:
            raise UndefinedError("exp of p")
        return self._name("exp", None, x, self.intervals.exp(self.around(x)))

    def log(self, x):
        x = x.settled()
        if not x.is_constant or self.sign(x) <= 0:
            raise UndefinedError("log of p, or of what is not positive")
        r, y = self._multiple(x, "exp")
        if r == 1 or x.known() == 1:
            return of(0) if x.known() == 1 else y
        return self._name("log", None, x, self.intervals.log(self.around(x)))

    def least(self, x, y):
        if not (x.is_constant and y.is_constant):
            raise UndefinedError("a minimum of functions of p")
        return x if self.sign(x - y) <= 0 else y


def bernstein(polynomial, low, high):
    """Return the Bernstein coefficients in p on [low, high], of the degree in p: polynomials in the names."""
    degree = max((key[0] for key in polynomial), default=0)
    parts = [{} for _ in range(degree + 1)]
    for key, c in polynomial.items():
        parts[key[0]][(0, *key[1:])] = c
    width = high - low
    moved = []  # in t, p = low + width t
    for k in range(degree + 1):
        total = {}
        for j in range(k, degree + 1):
            factor = comb(j, k) * low ** (j - k) * width**k
            total = plus(total, {key: c * factor for key, c in parts[j].items()})
        moved.append(total)
    result = []
    for i in range(degree + 1):
        total = {}
        for k in range(i + 1):
            total = plus(total, {key: c * Fraction(comb(i, k), comb(degree, k)) for key, c in moved[k].items()})
        result.append(total)
    return result
