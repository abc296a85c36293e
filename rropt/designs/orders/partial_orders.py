"""The partial order of a set of mechanisms: its equivalence classes and its Hasse diagram.

Sufficiency is reflexive and transitive, so one result often implies others: if ``a >= i`` and ``j >= b``, but not
``a >= b``, then not ``i >= j``. Such pairs are not computed. Mechanisms are processed in the order of ``sum_o max_j
P_oj``, which is k times the probability of guessing the true category. A better mechanism never has a smaller value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rropt.core.errors import InvalidMechanismError, InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results.twins import PosedTwice
from rropt.core.visible import with_noun
from rropt.designs.orders.sufficiency import (
    RELATIONS,
    PosedAsGarblings,
    Relation,
    Sufficiency,
    proof_name,
    sufficient,
)
from rropt.mechanisms import Mechanism
from rropt.mechanisms.imports import required_mechanisms

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from rropt.core.certificates import Certificate


@dataclass(frozen=True, slots=True)
class PartialOrder(PosedAsGarblings, PosedTwice):
    """A set of mechanisms in Blackwell's order.

    Attributes:
        names: the names of the mechanisms.
        mechanisms: the mechanisms, in the given order.
        classes: the equivalence classes, as lists of indices; better classes come first.
        covers: pairs (better, worse) of classes with no class in between: the Hasse diagram (transitive reduction).
        answers: the computed results of ``sufficient`` by (source, target); all others follow from these.
        below: for each mechanism, the mechanisms for which it is sufficient, including itself.
    """

    names: tuple[str, ...]
    mechanisms: tuple[Mechanism, ...]
    classes: tuple[tuple[int, ...], ...]
    covers: tuple[tuple[int, int], ...]
    answers: Mapping[tuple[int, int], Sufficiency]
    below: tuple[frozenset[int], ...]

    ANSWER = ("names", "classes")

    @classmethod
    def recompute(cls, names: tuple[str, ...], mechanisms: tuple[Mechanism, ...]) -> PartialOrder:
        """Recompute the order; used to read files."""
        return partial_order(mechanisms, names)

    def lines(self) -> list[tuple[str, str]]:
        """Return the number of classes, then for each class the classes below it, better classes first."""
        first, levels = self.explain().partition("\n")[0], self.levels
        rows = [("order", first)]
        for c in sorted(range(len(self.classes)), key=lambda c: levels[c]):
            below = "; ".join(self.class_name(worse) for better, worse in self.covers if better == c)
            rows.append((self.class_name(c), f"better than {below}" if below else "better than none of them"))
        return [*rows, *self.twin_lines()]

    def relation(self, first: int, second: int) -> Relation:
        """Return the relation of one mechanism to another."""
        return RELATIONS[second in self.below[first], first in self.below[second]]

    @property
    def levels(self) -> tuple[int, ...]:
        """For each class, the length of the longest chain above it; 0 for maximal classes."""
        levels = [0] * len(self.classes)
        for better, worse in sorted(self.covers):  # better classes come first
            levels[worse] = max(levels[worse], levels[better] + 1)
        return tuple(levels)

    def class_name(self, index: int) -> str:
        """Return the names of the members of a class, joined as in ``a = b``."""
        return " = ".join(self.names[i] for i in self.classes[index])

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``--json``."""
        n = len(self.names)
        strict = [(i, j) for i in range(n) for j in range(n) if self.relation(i, j) == "better"]
        record = {
            "names": list(self.names),
            "mechanisms": [mechanism.to_dict() for mechanism in self.mechanisms],
            "classes": [[self.names[i] for i in members] for members in self.classes],
            "covers": [list(pair) for pair in self.covers],
            "better": [[self.names[i], self.names[j]] for i, j in strict],
            "compared": len(self.answers),
        }
        return self.with_twins(record)

    def proofs(self) -> dict[str, Sufficiency]:
        """Return the computed comparisons, by the name of the certificate, such as ``1-to-2``."""
        return {proof_name(*pair): self.answers[pair] for pair in sorted(self.answers)}

    def proved(self, certificates: Mapping[str, Certificate | None]) -> dict[str, Any]:
        """Return ``to_dict`` with the accepted certificates, given by the names of ``proofs``."""
        found = {pair: certificates[proof_name(*pair)] for pair in sorted(self.answers)}
        records = [
            {"source": self.names[i], "target": self.names[j], "certificate": certificate and certificate.to_dict()}
            for (i, j), certificate in found.items()
        ]
        return {**self.to_dict(), "certificates": records}

    def explain(self) -> str:
        """Describe the order: the number of classes, the classes below each, and the number of computed pairs."""
        n, classes = len(self.names), with_noun(len(self.classes), "equivalence class", "equivalence classes")
        near = [
            found.explain(self.names[i], self.names[j])
            for (i, j), answer in sorted(self.answers.items())
            if (found := answer.up_to_rounding()) is not None
        ]
        return "\n".join(
            (
                f"{with_noun(n, 'mechanism')}, {classes}; better ones first\n{self}",
                f"{len(self.answers)} of {n * (n - 1)} sufficiencies computed, the others follow",
                *near,
            )
        )

    def __str__(self) -> str:
        lines = []
        levels = self.levels
        for level in range(max(levels) + 1):
            lines.append(f"level {level}" + (" (nothing here is better)" if not level else ""))
            for c in (c for c in range(len(self.classes)) if levels[c] == level):
                below = [self.class_name(worse) for better, worse in self.covers if better == c]
                lines.append(f"  {self.class_name(c)}" + (f"   better than: {'; '.join(below)}" if below else ""))
        return "\n".join(lines)


def partial_order(mechanisms: Sequence[Mechanism], names: Sequence[str] | None = None) -> PartialOrder:
    """Return the partial order of mechanisms for the same question.

    Args:
        mechanisms: n >= 1 mechanisms with equal numbers of inputs.
        names: the names to print; by default their own names, or ``mechanism 1``, ...

    Raises:
        InvalidMechanismError: there are no mechanisms, the number of names differs, or the numbers of inputs differ.

    Cost: at most n (n - 1) calls of `sufficient`, fewer if transitivity implies some results.
    Source: Blackwell, Equivalent comparisons of experiments (1953).

    >>> designs = [Mechanism.binary(p, p) for p in ("2/3", "3/4", "1/3")]
    >>> order = partial_order(designs, ["weak", "strong", "turned"])
    >>> order.classes, order.covers, order.relation(1, 0)
    (((1,), (0, 2)), ((0, 1),), 'better')
    """
    mechanisms = required_mechanisms(mechanisms)
    labels = _names(mechanisms, names)
    known = _Known(len(mechanisms))
    answers: dict[tuple[int, int], Sufficiency] = {}
    for i, j in _agenda(mechanisms):
        if not (known.yes[i, j] or known.no[i, j]):
            answers[i, j] = sufficient(mechanisms[i], mechanisms[j])
            known.learn(i, j, bool(answers[i, j]))
    below = tuple(frozenset(j for j in range(len(mechanisms)) if known.yes[i, j]) for i in range(len(mechanisms)))
    classes = _classes(below)
    return PartialOrder(labels, tuple(mechanisms), classes, _covers(classes, below), ReadOnlyMapping(answers), below)


def _names(mechanisms: Sequence[Mechanism], names: Sequence[str] | None) -> tuple[str, ...]:
    if not mechanisms:
        raise InvalidMechanismError(
            "there is nothing to compare: received no mechanism; allowed is at least 1; add one"
        )
    inputs = sorted({mechanism.inputs for mechanism in mechanisms})
    if len(inputs) > 1:
        raise InvalidMechanismError(
            f"mechanisms cannot be compared: received numbers of inputs {', '.join(map(str, inputs))}; allowed are "
            "equal numbers of categories; compare mechanisms for the same question"
        )
    if names is not None and not (isinstance(names, (list, tuple)) and all(isinstance(name, str) for name in names)):
        raise InvalidParameterError(
            f"names are no list of texts: received {shown(names)}; allowed is a list with a name for each mechanism; "
            "write ['first', 'second']"
        )
    if names is None:
        return tuple(mechanism.name or f"mechanism {i}" for i, mechanism in enumerate(mechanisms, 1))
    if len(names) != len(mechanisms):
        raise InvalidMechanismError(
            f"the names do not fit: received {len(names)} for {len(mechanisms)} mechanisms; allowed is one each; add "
            "or remove names"
        )
    return tuple(names)


def _agenda(mechanisms: Sequence[Mechanism]) -> list[tuple[int, int]]:
    """Return all ordered pairs in the order of computation.

    Neighbours in the probability of a correct guess come first, each from the better guesser to the worse one.
    """
    guesses = [sum(map(max, mechanism.matrix), Fraction(0)) for mechanism in mechanisms]
    order = sorted(range(len(mechanisms)), key=lambda i: -guesses[i])
    pairs = []
    for distance in range(1, len(order)):
        for start in range(len(order) - distance):
            i, j = order[start], order[start + distance]
            pairs += [(i, j), (j, i)]
    return pairs


class _Known:
    """The decided relations ``i >= j`` and their negations, closed under transitivity."""

    def __init__(self, n: int) -> None:
        self.yes: NDArray[np.bool_] = np.eye(n, dtype=bool)
        self.no: NDArray[np.bool_] = np.zeros((n, n), dtype=bool)

    def learn(self, i: int, j: int, answer: bool) -> None:
        """Record ``i >= j`` or its negation, with its consequences.

        If a >= i >= j >= b, then a >= b. If a >= i and j >= b, but not a >= b, then not i >= j.
        """
        if answer:
            self.yes |= self.yes[:, i][:, None] & self.yes[j][None, :]
        else:
            self.no[i, j] = True
        yes, no = self.yes.astype(int), self.no.astype(int)
        self.no = (yes.T @ no @ yes.T) > 0


def _classes(below: tuple[frozenset[int], ...]) -> tuple[tuple[int, ...], ...]:
    """Return the equivalence classes; a better class has more mechanisms below it and comes first."""
    found = {tuple(j for j in sorted(known) if i in below[j]) for i, known in enumerate(below)}
    return tuple(sorted(found, key=lambda members: (-len(below[members[0]]), members)))


def _covers(classes: tuple[tuple[int, ...], ...], below: tuple[frozenset[int], ...]) -> tuple[tuple[int, int], ...]:
    heads = [members[0] for members in classes]
    n = len(heads)
    strict = [[i != j and heads[j] in below[heads[i]] for j in range(n)] for i in range(n)]
    return tuple(
        (i, j)
        for i in range(n)
        for j in range(n)
        if strict[i][j] and not any(strict[i][x] and strict[x][j] for x in range(n))
    )
