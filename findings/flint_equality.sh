#!/bin/sh
# python-flint 0.9.0: fmpq(1, 2) is not equal to Fraction(1, 2), although both have the same hash, and 3 == fmpz(3) is true.
#
# Entries of an exact matrix come from several places, some as fmpq and some as Fraction, and are compared, looked up or collected in a set.
# Expected: equal numbers are equal, as int, Fraction, Decimal and float are among one another in Python. Seen: == is False without an
# error for Fraction, Decimal and float, also for whole numbers, so that equality is not transitive: Fraction(3) == 3 == fmpz(3), but
# Fraction(3) != fmpz(3). Comparisons by < raise TypeError, and so does arithmetic; == alone is silent.
. "$(dirname "$0")/install.sh"
install python-flint==0.9.0
"$PYTHON" - <<'PYTHON'
from decimal import Decimal
from fractions import Fraction

from flint import fmpq, fmpz

assert Fraction(3) == Decimal(3) == 3.0 == 3  # Python's own numbers
assert fmpq(3) == fmpz(3) == 3
assert hash(fmpq(1, 2)) == hash(Fraction(1, 2))
for number, other in [
    (fmpq(1, 2), Fraction(1, 2)),
    (fmpq(1, 2), 0.5),
    (fmpq(3), Fraction(3)),
    (fmpz(3), Fraction(3)),
    (fmpz(3), 3.0),
    (fmpz(3), Decimal(3)),
]:
    print(f"{number!r} == {other!r}: {number == other}; reversed: {other == number}")
    assert not number == other and not other == number
    try:
        number < other
    except TypeError as error:
        assert "not supported" in str(error), error
    else:
        raise AssertionError("the order is defined")
first, second = {3, fmpz(3), Fraction(3)}, {fmpz(3), Fraction(3), 3}
print("the sets of 3, fmpz(3) and Fraction(3):", first, second)
assert (len(first), len(second)) == (1, 2), (first, second)  # by the order in which they are added
try:
    fmpq(1, 2) + Fraction(1, 2)
except TypeError:
    pass
else:
    raise AssertionError("a sum is defined")
print("seen: equality of exact numbers is not transitive, and raises no error")
PYTHON
