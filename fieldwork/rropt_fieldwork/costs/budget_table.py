"""One design at a privacy budget: its parameters, its variance, and the threat models in which it meets the budget."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple

from rropt.accounting import DealtDeck, DrawnAnswers
from rropt.core.exact import Epsilon, as_text, decimal_text
from rropt.core.exact.display import decimal_outwards
from rropt.core.mappings import ReadOnlyMapping
from rropt.core.results import Result, labelled
from rropt.core.results.result_frames import row_with
from rropt.inference import survey_variance
from rropt.mechanisms import DESIGNS, Mechanism
from rropt.mechanisms.columns import Matrix
from rropt.mechanisms.decimals import decimal_of, private_parameters
from rropt.mechanisms.named.tuned import geometric_ratio, laplace_scale, tuned_deck
from rropt.plans import Respondents

VIEWPOINTS = ("one", "all", "sum", "belief")
_INFINITE = Epsilon("infinite")
_CELL = 9  # length up to which a table shows an exact number


@dataclass(frozen=True, slots=True)
class ComparedDesign(Result):
    """One design of a comparison at a common privacy level.

    Attributes:
        design: the name of the design.
        parameters: the parameters of its device, by symbol; empty if no parameters meet the budget.
        mechanism: the mechanism of one response; ``None`` for a curator.
        epsilons: epsilon about one respondent, by threat model.
        kept: the threat models in which the design meets the budget.
        variance: n Var of the estimate; ``None`` if it is undefined.
        efficiency: n Var of the certified optimum divided by ``variance``; ``None`` if either is undefined or 0.
        needed: the least number of respondents that reaches the goal; ``None`` without a goal, or if no number
            suffices.
        remark: the guarantee of the design, or the reason why it has no parameters.
    """

    design: str
    parameters: Mapping[str, Fraction] = ReadOnlyMapping({})
    mechanism: Mechanism | None = None
    epsilons: Mapping[str, Epsilon] = ReadOnlyMapping({})
    kept: tuple[str, ...] = ()
    variance: Fraction | None = None
    efficiency: Fraction | None = None
    needed: int | None = None
    remark: str = ""

    LABELS = labelled(
        design="design",
        parameters="parameters",
        epsilons="epsilon",
        kept="the budget is kept by",
        variance="n Var",
        efficiency="efficiency",
        needed="respondents needed",
        remark="guarantee",
    )

    def __post_init__(self) -> None:
        for name in ("parameters", "epsilons"):
            object.__setattr__(self, name, ReadOnlyMapping(getattr(self, name)))

    def frame_rows(self) -> list[dict[str, Any]]:
        """Return one row: n Var, efficiency, respondents, levels, and the probabilities of a binary device."""
        made = self.mechanism
        binary = (
            {"p00": made.p00, "p11": made.p11} if made is not None and made.is_binary else {"p00": None, "p11": None}
        )
        numbers = {"variance": self.variance, "efficiency": self.efficiency, "needed": self.needed}
        first, *others = VIEWPOINTS  # one response
        levels = {"epsilon": self.epsilons.get(first)} | {f"epsilon_{view}": self.epsilons.get(view) for view in others}
        told = ", ".join(f"{symbol} = {text}" for symbol, text in self._parameter_texts().items())
        more = {"parameters": told, "kept": ", ".join(self.kept), "remark": self.remark}
        return [row_with(design=self.design, **numbers, **levels, **binary, **more)]

    def row(self) -> tuple[str, ...]:
        """Return the design as a row of a table."""
        seen = self.epsilons
        return (
            self.design,
            ", ".join(f"{symbol} = {text}" for symbol, text in self._parameter_texts().items()) or "none",
            *(cell_text(seen[view]) if view in seen else "" for view in VIEWPOINTS),
            {VIEWPOINTS: "every view", ("one",): "one response", ("sum",): "the sum"}.get(
                self.kept, ", ".join(self.kept)
            ),
            cell_text(self.variance),
            cell_text(self.efficiency),
            "" if self.needed is None else str(self.needed),
        )

    def _parameter_texts(self) -> dict[str, str]:
        """Return the parameters as texts; decimals of a private device are private when they are typed."""
        texts = {symbol: cell_text(value) for symbol, value in self.parameters.items()}
        if not any(text.startswith("~") for text in texts.values()):
            return texts
        if self.mechanism is None:  # a curator's noise, of which more is more private
            return {symbol: f"~{decimal_outwards(x, up=True, digits=6)}" for symbol, x in self.parameters.items()}
        make = DESIGNS.get("generalised" if self.design == "optimum" else self.design)  # None: the cards of a deck
        exact = tuple(self.parameters.values())
        found = None if make is None else private_parameters(make, exact, self.mechanism.matrix)
        if found is None:
            return {symbol: as_text(value) for symbol, value in self.parameters.items()}
        decimals = {symbol: f"~{decimal_of(x, found[1])}" for symbol, x in zip(texts, found[0], strict=True)}
        return {symbol: decimals[symbol] if text.startswith("~") else text for symbol, text in texts.items()}


def cell_text(value: Fraction | Epsilon | None) -> str:
    """Format a number for a table: exactly if that is short, else as a decimal."""
    if value is None:
        return "not defined"
    text = str(value) if isinstance(value, Epsilon) else as_text(value)
    if text == "inf":
        return "infinite"
    return text if len(text) <= _CELL else f"~{decimal_text(float(value))}"


class PrivacyBudget(NamedTuple):
    """A privacy budget, and the rational gamma and delta within it to which designs are tuned."""

    epsilon: Epsilon
    gamma: Fraction
    delta: Fraction

    def keeps(self, device: DrawnAnswers | DealtDeck, view: str, parity: Fraction | None) -> bool:
        """Return whether a view meets the budget; ``belief`` in a dealt deck is judged by the stricter view ``all``."""
        if not self.delta or (parity is not None and parity <= self.gamma):
            return parity is not None and parity <= self.gamma
        # independent responses: ``all`` equals ``one``, and the sum reveals no more
        name = view if isinstance(device, DealtDeck) else "one"
        looked = device.view("all" if name == "belief" else name)
        return looked.delta_bracket(Epsilon.of_parity(self.gamma)).upper <= self.delta


_DRAWN = "the budget is met by each response alone, by all responses together, and hence by their sum"
_DEALT = (
    "the budget is met only by one response seen alone: all responses, or their sum, can reveal a trait with certainty"
)
_DIRECT = "the budget is met by no view: each response is the true answer"
_CURATOR = "the budget is met by the published count only: a curator sees every trait"
_MANGAT = "no p > 0 meets the budget: a no is certainly true, so epsilon is infinite and delta is p"
_NO_DECK = "give the respondents: the deck has a card for each"


def drawn_designs(
    tuned: Mapping[str, Mechanism | None], budget: PrivacyBudget, survey: Respondents, goal: Fraction | None
) -> list[ComparedDesign]:
    """Return the designs with independent responses; devices with equal matrices are computed once.

    Args:
        tuned: the mechanism of each design; ``None`` if no parameters meet the budget.
        budget: the privacy budget.
        survey: the respondents.
        goal: the variance for which the number of respondents is computed, or ``None``.
    """
    found: list[ComparedDesign] = []
    known: dict[Matrix, ComparedDesign] = {}
    for name, mechanism in tuned.items():
        if mechanism is None:
            found.append(ComparedDesign(name, remark=_MANGAT))
            continue
        if mechanism.matrix not in known:
            known[mechanism.matrix] = _drawn(mechanism, budget, survey, goal)
        design, _, values = str(mechanism.name).partition(":")
        symbols = [parameter.symbol for parameter in DESIGNS[design].parameters] if name != "christofides" else _CARDS
        parameters = dict(zip(symbols, map(Fraction, values.split(",")), strict=False))
        found.append(replace(known[mechanism.matrix], design=name, parameters=parameters, mechanism=mechanism))
    return found


_CARDS = ["p1", "p2", "p3"]


def _drawn(mechanism: Mechanism, budget: PrivacyBudget, survey: Respondents, goal: Fraction | None) -> ComparedDesign:
    device = DrawnAnswers(mechanism, survey.respondents or 2)
    own = device.respondents * survey_variance(device, survey.prevalence).device
    parities = dict.fromkeys(VIEWPOINTS, mechanism.parity()) | {"sum": _parity(device, "sum")}
    return ComparedDesign(
        design="",
        epsilons={view: Epsilon.of_parity(parity) for view, parity in parities.items()},
        kept=tuple(view for view, parity in parities.items() if budget.keeps(device, view, parity)),
        variance=survey.sampling(survey.respondents) + own,
        needed=None if goal is None else survey.least(own, goal),
        remark=_DRAWN,
    )


def direct_design(budget: PrivacyBudget, survey: Respondents, goal: Fraction | None) -> ComparedDesign:
    """Return the direct question, which has the least variance and no privacy."""
    plain = Mechanism.binary(1, 1)
    return replace(_drawn(plain, budget, survey, goal), design="direct question", mechanism=plain, remark=_DIRECT)


def _parity(device: DrawnAnswers | DealtDeck, view: str) -> Fraction | None:
    lower, upper = device.view(view).parity_bracket()
    assert lower == upper, f"the largest odds of the {view} come from an end: {device}"
    return upper


def dealt_design(
    budget: PrivacyBudget, survey: Respondents, goal: Fraction | None, middle: Fraction, belief: Fraction
) -> ComparedDesign:
    """Return the tuned deck whose cards are sampled without replacement."""
    n = survey.respondents
    needed = None if goal is None else survey.least_deck(budget.gamma, budget.delta, middle, goal)
    cards = None if n is None else tuned_deck(n, budget.gamma, budget.delta, middle)
    if n is None or cards is None:
        why = _NO_DECK if n is None else f"no deck of {n} cards meets the budget and reveals anything"
        return ComparedDesign("improved-christofides", needed=needed, remark=why)
    deck = DealtDeck(cards)
    parities = {view: _parity(deck, view) for view in VIEWPOINTS[:-1]} | {"belief": deck.believed_parity(belief)}
    return ComparedDesign(
        "improved-christofides",
        dict(zip(("c1", "c2", "c3"), map(Fraction, cards), strict=True)),
        deck.one_answer(),
        {view: Epsilon.of_parity(parity) for view, parity in parities.items()},
        tuple(view for view, parity in parities.items() if budget.keeps(deck, view, parity)),
        survey.sampling(n)
        + n * survey_variance(deck, survey.prevalence, n if survey.surveyed else survey.population).device,
        needed=needed,
        remark=_DEALT,
    )


def noisy_design(kind: str, budget: PrivacyBudget, survey: Respondents, goal: Fraction | None) -> ComparedDesign:
    """Return the design ``laplace`` or ``discrete-laplace``, in which a curator adds noise to the count."""
    gamma, delta, n = budget.gamma, budget.delta, survey.respondents
    if kind == "laplace":
        scale = laplace_scale(budget.epsilon, delta)
        noise, parameter = 2 * scale * scale, ("b", scale)
        epsilon = Epsilon("rational", 1 / scale) if scale else _INFINITE
    else:
        a = geometric_ratio(gamma, delta)
        noise, parameter = 2 * a / (1 - a) ** 2, ("a", a)
        epsilon = Epsilon.of_parity(1 / a if a else None)
    return ComparedDesign(
        kind,
        dict([parameter]),
        epsilons={view: epsilon if view == "sum" else _INFINITE for view in VIEWPOINTS},
        kept=("sum",),
        variance=None if n is None else survey.sampling(n) + noise / n,
        needed=None if goal is None else survey.least_noisy(noise, goal),
        remark=_CURATOR if n else f"{_CURATOR}; give the respondents for its n Var",
    )
