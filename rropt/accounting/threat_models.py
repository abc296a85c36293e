"""Privacy of one of N respondents under each view of the responses.

>>> from rropt.mechanisms import named_mechanism
>>> cards = named_mechanism("christofides:1/10,3/10,6/10")
>>> found = respondent_privacy(cards, 30, cards_without_replacement=True, epsilon="log(6)")
>>> [(one.name, str(one.epsilon[1]), one.meets) for one in found.views]
[('one', 'log(6)', True), ('all', 'inf', False), ('counts', 'inf', False), ('sum', 'inf', False)]
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rropt.accounting.decks import DealtDeck
from rropt.accounting.trait_devices import DrawnAnswers
from rropt.core.errors import UnsupportedProblemError
from rropt.core.exact import Bracket, Delta, Epsilon, both_texts
from rropt.core.exact.display import as_text, decimal_outwards, extended_text, is_in_full
from rropt.core.exact.numbers import whole_where
from rropt.core.exact.rational_bounds import ball
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, written
from rropt.mechanisms.columns import required_list
from rropt.mechanisms.joint import AnyView, DistinguishingEvent
from rropt.mechanisms.mechanism import Mechanism

SEEN = {
    "one": "one response, seen alone",
    "all": "all responses, with names",
    "counts": "all responses, without names",
    "sum": "the sum or the estimate alone",
}
_LONGEST, _SHORT = 4000, 64  # bits up to which a probability is exact: in JSON, and in print
_VERDICTS = {True: "yes", False: "no", None: "not decided"}


@dataclass(frozen=True, slots=True)
class ViewPrivacy:
    """What one view reveals about one respondent.

    Attributes:
        name: the name of the view.
        known: the knowledge about the other respondents: ``others`` or ``belief``, or empty.
        parity: lower and upper bound of the parity, equal if it is known exactly; ``None`` means infinite.
        delta: delta at the level; ``None`` if it could not be computed.
        breach: the neighbours and the event that distinguishes them best.
        remarks: the values that could not be computed, and the reasons.
        meets: whether the level is met; ``None`` if this is not decided, or if there is no level.
    """

    name: str
    known: Mapping[str, Any]
    parity: tuple[Fraction | None, Fraction | None]
    delta: Bracket | None
    breach: DistinguishingEvent | None
    remarks: tuple[str, ...]
    meets: bool | None

    @property
    def epsilon(self) -> tuple[Epsilon, Epsilon]:
        """The lower and the upper bound of epsilon."""
        return Epsilon.of_parity(self.parity[0]), Epsilon.of_parity(self.parity[1])

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``--json``; exact numbers are strings."""
        witness = None
        if self.breach is not None:
            witness = {name: written(getattr(self.breach, name))[0] for name in ("likely", "rare", "seen")}
            witness["chances"] = [_chance(p) for p in self.breach.chances]
        return {
            "view": self.name,
            **{key: value if isinstance(value, int) else as_text(value) for key, value in self.known.items()},
            "parity": _written(*map(extended_text, self.parity)),
            "epsilon": _written(*map(str, self.epsilon)),
            "delta": None if self.delta is None else _written(*map(as_text, self.delta)),
            "witness": witness,
            "remarks": list(self.remarks),
        }

    @property
    def title(self) -> str:
        """The view and the adversary's knowledge, in words."""
        told = {"others": "{} others have the trait", "belief": "belief {}"}
        return SEEN[self.name] + "".join(f", {told[key].format(value)}" for key, value in self.known.items())

    def breach_text(self, *, from_deck: bool) -> str:
        """Describe the neighbours and the event that best distinguishes them; empty if nothing distinguishes them."""
        if self.breach is None:
            return ""
        name, believes, seen = self.name, "belief" in self.known, self.breach.seen
        likely, rare = self.breach.likely, self.breach.rare
        what = {"sum": f"the sum {seen}", "counts": _counts_text(seen) if name == "counts" else ""}
        told = what.get(name, f"the response {seen}")
        if name == "all" and from_deck:
            others = f"and of the others, of whom nobody has the trait, {'' if believes else _counts_text(seen[1])}"
            told = f"the response {seen[0]}, {f'given by {seen[1]} of the others too' if believes else others}"
        own = name in ("one", "all") or believes
        first, second = f"when {likely} have the trait", f"when {rare} have it"
        if own:
            first, second = (("without the trait", "with it")[x] for x in (likely, rare))
        p, q = (_chance(chance, _LONGEST if is_in_full() else _SHORT) for chance in self.breach.chances)
        return f"{told}: probability {p} {first}, {q} {second}"


@dataclass(frozen=True, slots=True)
class RespondentPrivacy(Result):
    """The privacy of one of N respondents under each view of all responses.

    Attributes:
        device, views: the device of the respondents, and the privacy under each view.
        view, others, belief: the requested view (``None`` for all), and the observer's knowledge about the other
            respondents.
        epsilon, delta: the required level; epsilon is ``None`` if no level is required.
    """

    device: DealtDeck | DrawnAnswers
    view: str | None
    others: int | None
    belief: tuple[Fraction, ...]
    epsilon: Epsilon | None
    delta: Delta
    views: tuple[ViewPrivacy, ...]

    ANSWER = ("meets", "belief", "epsilon", "delta")

    @property
    def cards_without_replacement(self) -> bool:
        """Whether the cards are sampled without replacement."""
        return isinstance(self.device, DealtDeck)

    @property
    def meets(self) -> bool | None:
        """Whether every view provably meets the required level; ``None`` if no level is required."""
        return None if self.epsilon is None else all(one.meets is True for one in self.views)

    @classmethod
    def recompute(
        cls,
        mechanism: Mechanism,
        respondents: int,
        first: int,
        cards_without_replacement: bool,
        view: str | None,
        others: int | None,
        belief: tuple[Fraction, ...],
        level: Mapping[str, str] | None,
    ) -> RespondentPrivacy:
        """Recompute the privacy under each view."""
        known: dict[str, Any] = {"view": view, "others": others, "belief": belief, **(level or {})}
        known |= {"first": first, "cards_without_replacement": cards_without_replacement}
        return respondent_privacy(mechanism, respondents, **known)

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON object of ``--json``; exact numbers are strings."""
        record: dict[str, Any] = {
            "mechanism": self.device.one_answer().to_dict(),
            "respondents": self.device.respondents,
            "first": self.device.first,
            "cards_without_replacement": self.cards_without_replacement,
            "view": self.view,
            "others": self.others,
            "belief": [as_text(q) for q in self.belief],
            "level": None if self.epsilon is None else {"epsilon": str(self.epsilon), "delta": str(self.delta)},
            "views": [one.to_dict() | ({} if self.epsilon is None else {"meets": one.meets}) for one in self.views],
        }
        if isinstance(self.device, DealtDeck):
            record["deck"] = list(self.device.deck)
        if self.epsilon is not None:
            record["meets"] = self.meets
        if self.belief and self.view in (None, "all"):
            record["beliefs"] = self.over_beliefs()
        if len(self.views) == 1:
            record |= {key: record["views"][0][key] for key in ("parity", "epsilon", "delta")}
        return record

    def over_beliefs(self) -> dict[str, Any]:
        """Return the range of epsilon of the view ``all`` over all beliefs q: least at 1/2, largest at 0 and 1."""
        least, certain = self.device.view("one").epsilon, self.device.view("all", belief=0).epsilon
        at = [] if not certain.is_infinite else ["all q"] if least.is_infinite else ["0", "1"]
        return {"least": str(least), "at": "1/2", "supremum": str(certain), "infinite_at": at}

    def lines(self) -> list[tuple[str, str]]:
        """Return the text of the summary, with the event that best distinguishes neighbours."""
        where = "beyond any epsilon" if self.epsilon is None else f"at epsilon = {self.epsilon}"
        how = "dealt a card each" if self.cards_without_replacement else "independent"
        rows = [("respondents", f"{self.device.respondents}, {how}")]
        for one in self.views:
            delta = "not computed" if one.delta is None else _range_text(*map(as_text, one.delta))
            told = f"epsilon = {_range_text(*map(str, one.epsilon))}; delta {where} = {delta}"
            if self.epsilon is not None:
                told += f"; meets delta = {self.delta}: {_VERDICTS[one.meets]}"
            rows.append((one.title, told))
            if one.breach is not None and (one.parity == (None, None) or (self.epsilon and one.meets is False)):
                rows.append(("revealed by", one.breach_text(from_deck=self.cards_without_replacement)))
        return rows

    def remarks(self) -> tuple[str, ...]:
        """Return the remarks on the result."""
        found = [remark for one in self.views for remark in one.remarks]
        if self.cards_without_replacement and self.view != "one":
            found.append(
                "cards sampled without replacement make responses dependent: the privacy of one response "
                "does not bound that of all"
            )
        if self.cards_without_replacement and self.belief and self.view in (None, "all"):
            over = self.over_beliefs()
            told = f"for every belief, all responses with names reveal epsilon = {over['least']}"
            if over["infinite_at"]:
                told = f"over all beliefs q epsilon is at least {over['least']}, at q = 1/2, and infinite at "
                told += f"{' and '.join(over['infinite_at'])}: it grows beyond any bound towards them"
            found.append(told)
        return tuple(dict.fromkeys(found))


def respondent_privacy(
    mechanism: Mechanism,
    respondents: int,
    *,
    first: int = 0,
    cards_without_replacement: bool = False,
    view: str | None = None,
    others: int | None = None,
    belief: Sequence[object] = (),
    epsilon: object | None = None,
    delta: object = 0,
) -> RespondentPrivacy:
    """Return the privacy of one of N respondents under each view of their responses.

    Args:
        mechanism: a mechanism about one trait; for cards without replacement, the proportions of the cards.
        respondents: N.
        first: the number of the first response, if responses are independent.
        cards_without_replacement: whether the cards are sampled without replacement, one for each respondent.
        view: ``"one"``, ``"all"``, ``"counts"`` or ``"sum"``: the responses that are seen; ``None``: each of these.
        others, belief: the number of other respondents with the trait, or probabilities q that each of them has it,
            with one view for each q.
        epsilon, delta: the required level.

    Raises:
        InvalidParameterError: the arguments do not fit together.
        UnsupportedProblemError: delta of the requested view cannot be computed.
    """
    first = whole_where(first, 0, 10**9, name="`first`")
    device = (
        DealtDeck.of(mechanism, respondents)
        if cards_without_replacement
        else DrawnAnswers(mechanism, respondents, first)
    )
    level, asked = None if epsilon is None else Epsilon.of(epsilon), Delta.of(delta)
    beliefs = required_list(belief, "`belief`", "a list of probabilities")
    known: list[dict[str, Any]] = [{"belief": device.knowledge(others, q)[1]} for q in beliefs]
    known = known or [{} if others is None else {"others": others}]
    views = [
        _view_privacy(name, device.view(name, **one), one, level, asked, alone=view is not None)
        for name in ([view] if view else SEEN)
        for one in (known if name != "one" else [{}])
    ]
    held = tuple(one["belief"] for one in known if "belief" in one)
    return RespondentPrivacy(device, view, others, held, level, asked, tuple(views))


def _view_privacy(
    name: str, view: AnyView, known: dict[str, Any], asked: Epsilon | None, allowed: Delta, *, alone: bool
) -> ViewPrivacy:
    remarks, (low, high), delta, breach = [], view.parity_bracket(), None, None
    level = Epsilon("infinite") if asked is None else asked
    try:
        is_met = high is not None and (level.is_infinite or not level.exact_gamma() < high)
        delta = Bracket.of(Fraction(0)) if is_met else view.delta_bracket(level)
    except UnsupportedProblemError as error:
        if alone and asked is not None:
            raise
        remarks.append(str(error))
    try:
        breach = view.worst()
    except UnsupportedProblemError as error:
        remarks.append(str(error))
    meets = None if asked is None else _meets((low, high), delta, level, allowed)
    return ViewPrivacy(name, ReadOnlyMapping(known), (low, high), delta, breach, tuple(remarks), meets)


def _meets(
    parity: tuple[Fraction | None, Fraction | None], delta: Bracket | None, level: Epsilon, allowed: Delta
) -> bool | None:
    gamma, (low, high) = level.exact_gamma(), parity
    if allowed.rational == 0:
        is_met, is_broken = high is not None and not gamma < high, low is None or gamma < low
    elif delta is None:
        return None
    else:
        is_met, is_broken = not allowed.exact() < delta.upper, allowed.exact() < delta.lower
    return True if is_met else False if is_broken else None


def _written(lower: str, upper: str) -> Any:
    return lower if lower == upper else {"lower": lower, "upper": upper}


def _chance(p: Fraction, longest: int = _LONGEST) -> str:
    return as_text(p) if p.denominator.bit_length() <= longest else f"~{ball(p).str(6, radius=False)}"


def _range_text(low: str, high: str) -> str:
    if low == high:
        return "infinite" if low == "inf" else both_texts(Epsilon.of(low) if "log" in low else Fraction(low), 6)
    if "log" in low + high or "inf" in (low, high):
        return f"from {low} to {high}"
    ends = decimal_outwards(Fraction(low), up=False, digits=6), decimal_outwards(Fraction(high), up=True, digits=6)
    return f"from {ends[0]} to {ends[1]}"


def _counts_text(counts: Any) -> str:
    return ", ".join(f"{count} x response {answer}" for answer, count in counts) or "no responses"
