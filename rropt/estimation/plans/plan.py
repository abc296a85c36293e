"""The plan: a number of answers, what it is the least of, and what it achieves."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    """How many answers a survey needs.

    Attributes:
        n: the number of answers.
        goal: ``"margin"``, ``"power"`` or ``"variance"``.
        achieved: the margin, the power or the variance with n answers, as a decimal.
        definition: what n is the least of, in words.
        least: whether n - 1 fails (verified). The margin of exact intervals and the power of exact tests move up and
            down from one n to the next: for them n is the least number from which on every n serves. That n serves and
            n - 1 does not, and that every number beyond a bound serves, is proved; the stretch between n and that bound
            was searched in floats, for margins at small shares only where a count next to ``n share`` changes, because
            to first order margins fall in between. Above 10^9 answers (10^4 where the
            significance, the power or its miss is below 10^-12) the search is left out and ``least`` is False: n and
            every larger number are proved to serve, and a smaller one may.
    """

    n: int
    goal: str
    achieved: float
    definition: str
    least: bool = True

    def __str__(self) -> str:
        sign = "least n" if self.least else "sufficient n"
        return f"{sign} = {self.n}: {self.goal} {self.achieved:.6g}; {self.definition}"


def last_words(n: int, without: str, *, least: bool = True, searched: bool = False) -> str:
    """Return the end of a definition: what is known of n - 1, where there is such a number, and what rests on floats.

    ``searched``: what is planned moves up and down in n.
    """
    if not least:
        return "; a smaller n may do"
    words = f", and at n - 1 it is {without}" if n > 1 else ""
    known = "n, n - 1 and all large numbers are" if n > 1 else "n and all large numbers are"
    return words + f" ({known} proved; those just above n were searched in floats)" * searched
