"""The smallest power of ten above a number, for notes."""

from fractions import Fraction


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
