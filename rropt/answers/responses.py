"""``Responses``: what was answered, by which mechanism, in which sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from rropt.answers.array_equality import EqualByArrays
from rropt.answers.data_columns import Ints, Labels, column, distinct, plain_values, require_rows
from rropt.answers.response_codes import INVALID, MISSING, Codes
from rropt.answers.response_counts import answer_count, answer_counts
from rropt.answers.samples import Sample, with_design
from rropt.core.argument_checks import clear_calls, clear_calls_beside
from rropt.core.errors import InvalidParameterError, shown
from rropt.core.lazy import numpy as np
from rropt.core.visible import with_noun
from rropt.mechanisms import Mechanism, ProductMechanism, RandomQuestions
from rropt.mechanisms.families.memberships import BitVectorMechanism
from rropt.mechanisms.imports import required_mechanism
from rropt.mechanisms.named.design import has_other_responses
from rropt.mechanisms.question_selection import product_of
from rropt.mechanisms.subsets import BETWEEN, Subsets, set_texts

if TYPE_CHECKING:
    from rropt.estimates.estimated import Estimates
    from rropt.inference.joint_likelihood import Likelihood
    from rropt.noncompliance.bounds import Bounds
    from rropt.regression.regressed_columns import Search
    from rropt.regression.regressions import Regression

_DESIGN = dict.fromkeys(  # the words of a sampling design, at the wrong place
    ("sample", "weights", "strata", "clusters", "fpc", "post_strata", "replicates"),
    "a sampling design is given as the data: data=Sample(frame, weights=...)",
)
_SHOWN = 8  # invalid responses, or labels, in a message


class Responses(EqualByArrays):
    """Randomized responses and the mechanism that gave them; its methods estimate.

    Args:
        values: the responses, one for each respondent: a column, which is a name in ``data`` or an array; or a list of
            columns, one for each question.
        mechanism: the mechanism, or its text form such as ``"warner:3/4"``; or, with ``assigned``, a mapping from the
            names in that column to mechanisms.
        data: a frame of any library, a dictionary of arrays, or a ``Sample``: a frame with its sampling design.
        labels: the responses as they are written in the data, in the order of the outputs; ``None``: those of the
            mechanism, else the categories, else 0, 1, ... If questions differ, a mapping from questions to lists.
        categories: the names of the truth, in results; ``None``: those of the mechanism, else the labels, if each
            output is a category. A crosswise response ("same") is no category: there both are needed.
        assigned: with several mechanisms, the column that names the mechanism of each respondent.
        missing: the texts for a missing response; an empty cell is missing always. ``None``: also NA, NaN, none, null,
            refused, verweigert and a dot.

    Methods: ``proportions``, ``mean``, ``contrast`` estimate; ``where`` selects respondents.

    Raises:
        InvalidParameterError: a column or a label does not fit.

    >>> found = Responses(["yes", "no", "yes", "no", "no"], "warner:3/4", labels=["no", "yes"]).proportions()
    >>> found.estimate
    Fraction(3, 10)
    """

    @clear_calls_beside(_DESIGN)
    def __init__(
        self,
        values: Any,
        mechanism: Mechanism | str | Mapping[str, Mechanism | str],
        *,
        data: Any = None,
        labels: Any = None,
        categories: Sequence[object] | None = None,
        assigned: Any = None,
        missing: Sequence[object] | None = None,
    ) -> None:
        data = with_design(data)
        self.sample = data if isinstance(data, Sample) else None
        self.data = data = data if self.sample is None else self.sample.data
        self.counts: tuple[int, ...] | None = None
        self.population: int | None = None
        self._mask: Any = None if self.sample is None else self.sample.domain
        if isinstance(mechanism, Mapping) != (assigned is not None):
            raise InvalidParameterError(
                "several mechanisms and `assigned` belong together: received one without the other; give a mapping "
                "from names to mechanisms, and the column that names the mechanism of each respondent"
            )
        several = list(mechanism.items()) if isinstance(mechanism, Mapping) else [("", mechanism)]
        if not several:
            raise InvalidParameterError("there is no mechanism: received an empty mapping; give one at least")
        made = [required_mechanism(one) for _, one in several]
        parts, self.questions = _parts(values, data)
        self.is_joint = not isinstance(made[0], RandomQuestions)  # random questions are not answered together
        products = [_product(one, len(parts)) for one in made]
        titled = [self._named(own, labels, categories, q) for q, own in enumerate(zip(*products, strict=True))]
        self.devices = [tuple(own) for own in zip(*(one for _, one in titled), strict=True)]
        self.labels = [names for names, _ in titled]
        self.codes, self.sets = [], []
        by_question = list(zip(*self.devices, strict=True))
        for values_of, title, names, devices in zip(parts, self.questions, self.labels, by_question, strict=True):
            codes, sets = _coded(values_of, title, names, devices, missing)
            self.codes.append(codes)
            self.sets.append(sets)
        lengths = {title: len(one) for title, one in zip(self.questions, self.codes, strict=True)}
        lengths |= {} if self.sample is None else {"the sample": self.sample.rows}
        self.device = self._assigned(assigned, [name for name, _ in several])
        lengths |= {"assigned": len(self.device)} if assigned is not None else {}
        self.rows = require_rows(lengths)
        if assigned is None:
            self.device = np.zeros(self.rows, np.int64)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        mechanism: Mechanism | str,
        *,
        labels: Sequence[object] | None = None,
        categories: Sequence[object] | None = None,
        population: object = None,
    ) -> Responses:
        """Return responses that are known by their counts.

        Args:
            counts: the number of times each output occurred: a list in the order of the outputs, or a mapping from
                labels to counts, such as a Series of pandas.
            mechanism: the mechanism, or its text form.
            labels, categories: as for ``Responses``.
            population: the number N of people of whom the respondents are a simple random sample without replacement,
                or all of them (a census); ``None`` for an infinite population. The variances due to sampling and due
                to the device are then estimated separately, of one trait.

        >>> Responses.from_counts({"no": 60, "yes": 40}, "warner:3/4", labels=["no", "yes"]).proportions().estimate
        Fraction(3, 10)
        """
        made = object.__new__(cls)
        made.data = made.sample = made._mask = None
        made.population = None if population is None else answer_count(population, "population", least=1)
        if isinstance(counts, str | Mechanism):
            raise InvalidParameterError(
                f"the counts come first: received {shown(counts)}; write estimate(counts, mechanism), and give the "
                "responses of a file to rropt.Responses"
            )
        own = required_mechanism(mechanism)
        made.questions, made.is_joint = ["response"], True
        names, devices = made._named((own,), labels, categories, 0)
        made.labels, made.devices = [names], [devices]
        made.counts = answer_counts(devices[0], _in_order(counts, names, own.outputs))
        made.rows, made.codes, made.sets, made.device = sum(made.counts), [], [], np.zeros(0, np.int64)
        return made

    def _named(
        self, devices: tuple[Mechanism, ...], labels: Any, categories: Sequence[object] | None, question: int
    ) -> tuple[tuple[str, ...] | None, tuple[Mechanism, ...]]:
        """Return the labels of a question, and its devices with the names of the categories."""
        first = devices[0]
        own = labels.get(self.questions[question]) if isinstance(labels, Mapping) else labels
        names = None if own is None else _listed(own, "labels")
        truth = None if categories is None else _listed(categories, "categories")
        are_sets = Subsets.of(first) is not None or bool(set_texts(first))
        is_other = has_other_responses(first)
        if is_other and (names is None) != (truth is None) and not (first.categories and first.responses):
            raise InvalidParameterError(
                f"the responses to {first.name or 'the mechanism'} are no answers to the question: received only "
                f"{'`categories`' if names is None else '`labels`'}; give both: `labels` as the responses are written, "
                "and `categories` for what they reveal, such as ['no', 'yes']"
            )
        if names is None:
            names = first.responses or (truth if first.inputs == first.outputs or are_sets else None) or None
        if names is None and first.categories and first.inputs == first.outputs:
            names = first.categories
        # subset:4,3,P has as many outputs as categories: labels with & are its outputs, others name the categories
        given = names or ()
        is_written = type(first) is Mechanism and len(given) == first.outputs and any(BETWEEN in one for one in given)
        name_outputs = are_sets and is_written
        if truth is None:
            is_same = first.inputs == first.outputs and not is_other and not name_outputs
            truth = first.categories or (names if is_same else None)
        name_truth = are_sets and not name_outputs and len(given) == first.inputs
        if name_truth:
            truth = truth or given
            names = set_texts(first, given) or given if type(first) is Mechanism else given
        size = first.inputs if name_truth and len(names or ()) == first.inputs else first.outputs
        if names is not None and (len(names) != size or len(set(names)) < size):
            raise InvalidParameterError(
                f"the labels do not fit the mechanism: received {', '.join(map(shown, names[:_SHOWN]))}; allowed are "
                f"{with_noun(size, 'label')} without repetition, in the order of the outputs"
            )
        if truth is not None and (len(truth) != first.inputs or len(set(truth)) < len(truth)):
            raise InvalidParameterError(
                f"the categories do not fit the mechanism: received {', '.join(map(shown, truth[:_SHOWN]))}; allowed "
                f"is {with_noun(first.inputs, 'name')} without repetition"
            )
        wrong = [one.shape for one in devices if one.inputs != first.inputs]
        if wrong:
            raise InvalidParameterError(
                f"the mechanisms have different categories: received the shapes {first.shape} and {wrong[0]}; allowed "
                "are mechanisms of the same categories"
            )
        if truth is None:
            return names, devices
        responses = names if names is not None and len(names) == first.outputs else ()
        return names, tuple(
            one.labelled(truth, responses if one.outputs == len(responses) else ()) if not one.categories else one
            for one in devices
        )

    def _assigned(self, assigned: Any, names: Sequence[str]) -> Ints:
        """Return the number of the mechanism of each respondent."""
        if assigned is None:
            return np.zeros(0, np.int64)
        found = Labels(column(self.data, assigned, "assigned"))
        places = {str(name): place for place, name in enumerate(names)}
        if wrong := [text for text in found.texts if text not in places]:
            raise InvalidParameterError(
                f"`assigned` names no mechanism: received {', '.join(map(shown, wrong[:_SHOWN]))}; allowed are "
                f"{', '.join(map(shown, names))}"
            )
        if (found.numbers < 0).any():
            row = int(np.argmax(found.numbers < 0))
            raise InvalidParameterError(f"`assigned` misses a value: received none in row {row}; give each row one")
        return np.array([places[text] for text in found.texts], np.int64)[found.numbers]

    def where(self, mask: Any) -> Responses:
        """Return the responses of a domain, as ``subset`` of a design in R: the others stay in the sample.

        Args:
            mask: whether each respondent belongs to it: an array of truth values, or the name of such a column.
        """
        if self.counts is not None:
            raise InvalidParameterError("counts have no rows to select: make the responses from a column")
        given = column(self.data, mask, "where", advice="; write a condition as where(data['age'] >= 40)")
        if given.dtype != bool:
            values = plain_values(given)
            if not all(isinstance(one, bool) for one in values):
                raise InvalidParameterError(
                    f"`where` is no condition: received values such as {shown(values[0] if values else None)}; allowed "
                    "are true and false, as in data['age'] >= 40"
                )
            given = np.array(values, bool)
        require_rows({"responses": self.rows, "where": len(given)})
        made = object.__new__(Responses)
        made.__dict__.update(self.__dict__)
        made.__dict__.pop("included", None)  # which was computed from the mask of these responses
        made._mask = given if self._mask is None else given & self._mask
        return made

    @cached_property
    def included(self) -> Any:
        """Whether each row belongs to the domain."""
        return np.ones(self.rows, bool) if self._mask is None else self._mask

    @property
    def mechanisms(self) -> tuple[Mechanism, ...]:
        """The mechanism of each name in ``assigned``; of several questions a product."""
        return tuple(own[0] if len(own) == 1 else ProductMechanism(own) for own in self.devices)

    def _values(self) -> tuple[Any, ...]:
        given = tuple(self.codes), tuple(map(tuple, self.sets)), self.device, self.included
        return tuple(self.questions), tuple(self.devices), self.counts, self.population, *given, self.sample

    def __repr__(self) -> str:
        sample = "simple random sample" if self.sample is None else self.sample.in_words()
        return (
            f"<Responses to {', '.join(map(shown, self.questions[:_SHOWN]))}: {with_noun(self.rows, 'row')}, {sample}>"
        )

    @clear_calls
    def bounds(
        self,
        theta: object = None,
        *,
        model: str = "adversarial",
        contrast: Sequence[object] | None = None,
        versus: Responses | None = None,
        confidence: object = "0.95",
        conclusion: object = None,
        truth: object = None,
        sizes: Sequence[object] | None = None,
    ) -> Bounds:
        """Bound a proportion if some respondents do not follow the device.

        Args:
            theta, model, contrast, confidence, conclusion, truth, sizes: as for ``noncompliance_bounds``.
            versus: the responses of a second population: bounds of the difference.

        Returns:
            The sharp bounds, without and with sampling error, and what else was asked for; each with its certificate.

        Raises:
            InvalidParameterError: there are several questions, or as ``noncompliance_bounds``.
            UnsupportedProblemError: the respondents are weighted, or have a complex sample.
        """
        from rropt.noncompliance.reported_bounds import bounds

        return bounds(
            self,
            theta,
            model=model,
            contrast=contrast,
            versus=versus,
            confidence=confidence,
            conclusion=conclusion,
            truth=truth,
            sizes=sizes,
        )

    def likelihood(self) -> Likelihood:
        """Return the most likely distribution of the categories, or of the cells of a joint table.

        Returns:
            The distribution, within the simplex, beside the unbiased estimate; with a proved bound of what any other
            distribution can gain (``likelihood_gap``), and its ``certificate``.

        Raises:
            InvalidParameterError: nobody answered all questions.
            UnsupportedProblemError: there is a complex sample, a response is a set, or there are too many cells.
        """
        from rropt.estimates.asking import likelihood

        return likelihood(self)

    @clear_calls
    def regress(
        self,
        covariates: Any,
        *,
        model: str = "logit",
        method: str = "ml",
        cov_type: str | None = None,
        randomized: Mapping[str, Mechanism | str] | None = None,
        random: str | None = None,
        contrast: Sequence[object] | None = None,
        search: Search | None = None,
    ) -> Regression:
        """Fit a regression of the true answer to one question.

        Args:
            covariates: the right-hand side of a formula, ``"age + C(region)"``, with columns of the data; or the
                covariates themselves: a frame, or an array of shape (rows, p), named x1, x2, ...; the intercept is
                added.
            randomized: maps a covariate that is itself a randomized response to its device.
            model, method, cov_type, random, contrast, search: as for ``rropt.regress``.

        Raises:
            InvalidParameterError: there are several questions, counts or sets, or as ``rropt.regress``.
        """
        from rropt.regression.regressed_columns import regress_responses

        return regress_responses(
            self,
            covariates,
            model=model,
            method=method,
            cov_type=cov_type,
            randomized=randomized,
            random=random,
            contrast=contrast,
            search=search,
        )

    @clear_calls
    def contrast(self, weights: Sequence[object], by: Any = None) -> Estimates:
        """Estimate a linear combination of the proportions, also one that only several mechanisms determine together.

        Args:
            weights: c, shape (k,): the weight of each category, or of each cell of the joint table of several questions
                (the first question varies fastest).
            by: the column, or list of columns, that defines groups.

        Raises:
            InvalidParameterError: the weights or columns do not fit.
            InfeasibleError: the mechanisms together do not determine the combination.
        """
        from rropt.estimates.asking import contrast

        return contrast(self, weights, by)

    @clear_calls
    def mean(self, by: Any = None) -> Estimates:
        """Estimate the mean of a number, from the reports of a mechanism with numbers (``rropt.design.mean``).

        Args:
            by: the column, or list of columns, that defines groups.

        Returns:
            The estimates, with Student's t intervals and, for a simple random sample, intervals with proved coverage.

        Raises:
            InvalidParameterError: the mechanism has no numbers, or the columns do not fit.
        """
        from rropt.estimates.asking import mean

        return mean(self, by)

    @clear_calls
    def proportions(self, by: Any = None, *, marginals: int | None = None, pool: str = "respondents") -> Estimates:
        """Estimate the proportion of each category; of a yes/no question that of the second category alone.

        Args:
            by: the column, or list of columns, that defines groups.
            marginals: of several questions, the number k of questions of each table; all tables of k questions are
                estimated. ``None`` for the joint table of all questions; 1 for each question by itself.
            pool: how the estimates from several mechanisms are combined: by the numbers of their ``respondents``, or by
                their ``precision``, the number of respondents divided by the variance of one response at the uniform
                distribution (the sum over all cells).

        Returns:
            The estimates: unbiased, hence possibly outside [0, 1]. For a simple random sample they are fractions with
            plug-in standard errors (divisor n); in a complex survey Hajek's, with linearized or replicated variances.

        Raises:
            InvalidParameterError: the columns do not fit, or a group has no response.
            InfeasibleError: the mechanism does not determine the proportions.
            UnsupportedProblemError: a joint table has too many cells, or a complex survey is pooled by precision.
        """
        from rropt.estimates.asking import proportions

        return proportions(self, by, marginals=marginals, pool=pool)


def _parts(values: Any, data: Any) -> tuple[list[Any], list[str]]:
    """Return the columns of the questions, and their names."""
    if hasattr(values, "shape") and not callable(getattr(values, "columns", len)):  # a frame: a question in each column
        values = [values[name] for name in values.columns]
    has_frame = data is not None
    is_list = isinstance(values, list | tuple) and len(values) > 0
    has_columns = is_list and (
        has_frame if isinstance(values[0], str) else hasattr(values[0], "__len__")  # a number has no length
    )
    parts = list(values) if has_columns else [values]
    titles = []
    for place, one in enumerate(parts):
        name = one if isinstance(one, str) else getattr(one, "name", None)
        titles.append(str(name) if name is not None else f"q{place + 1}" if has_columns else "response")
    if len(set(titles)) < len(titles):
        raise InvalidParameterError(_doubled(titles))
    return [column(data, one, "values") for one in parts], titles


def _doubled(titles: Sequence[str]) -> str:
    """Return the message on columns that are named twice, or on responses that stand where names do."""
    twice = [name for name, times in Counter(titles).items() if times > 1]
    return (
        f"a question is named twice: received {with_noun(len(titles), 'name')}, with {shown(twice[0])} more than once; "
        "give each column once. With `data` a list of texts names columns: give responses as a NumPy array"
    )


def _product(mechanism: Mechanism, questions: int) -> tuple[Mechanism, ...]:
    """Return the device of each question."""
    if isinstance(mechanism, RandomQuestions):
        return (mechanism.question,) if questions == 1 else tuple(mechanism.each().factors)
    if questions == 1 and not isinstance(mechanism, ProductMechanism):
        return (mechanism,)
    factors = tuple(product_of(mechanism).factors)
    if len(factors) == questions:
        return factors
    if questions == 1:
        return (mechanism,)
    if len(factors) == 1:
        return factors * questions
    raise InvalidParameterError(
        f"the mechanism does not fit the questions: received {with_noun(len(factors), 'device')} for "
        f"{with_noun(questions, 'column')}; give a device for each, or one for all"
    )


def _are_output_numbers(
    values: Any, labels: tuple[str, ...] | None, device: Mechanism, subsets: Subsets | None
) -> bool:
    """Return whether integers are the numbers of outputs that are sets, as ``Mechanism.randomize`` returns them.

    If a set can have one category, an integer is that set, as it is written.
    """
    if values.dtype.kind not in "iu":
        return False
    if subsets is None:
        return bool(set_texts(device)) and labels is not None and not any(name.isdecimal() for name in labels)
    firsts = accumulate((0, *subsets.mechanism.groups[:-1]))  # one category of each group
    return all(subsets.orbit_of((first,)) is None for first in firsts)


def _coded_outputs(
    values: Any, title: str, device: Mechanism, subsets: Subsets | None
) -> tuple[Ints, list[tuple[int, ...]]]:
    """Return the code of each response that is the number of an output, and the different sets."""
    wrong = values[(values < 0) | (values >= device.outputs)]
    if len(wrong):
        told = ", ".join(map(shown, wrong[:_SHOWN].tolist()))
        raise InvalidParameterError(
            f"{shown(title)} has values that are no response: received {told}; allowed are the numbers of "
            f"outputs, 0 to {device.outputs - 1}, or sets such as '0&1'"
        )
    if subsets is None:
        return values.astype(np.int64), []
    own, place = distinct(values)
    return place.ravel().astype(np.int64), [subsets[int(i)] for i in own]


def _coded(
    values: Any, title: str, labels: tuple[str, ...] | None, devices: Sequence[Mechanism], missing: Any
) -> tuple[Ints, list[tuple[int, ...]]]:
    """Return the code of each response, -1 for none, and the different sets, if responses are sets."""
    first = devices[0]
    subsets = Subsets.of(first) if type(first) is not Mechanism else None
    if _are_output_numbers(values, labels, first, subsets):
        return _coded_outputs(values, title, first, subsets)
    gaps = None if missing is None else [str(one) for one in missing]
    numbers = bool(first.output_values)
    bits = first.inputs if isinstance(first, BitVectorMechanism) else 0
    known = Codes(labels, gaps, subsets, are_numbers=numbers, bits=bits)
    if values.dtype.kind in "iufbUS":
        own, place = distinct(values)
        listed = plain_values(own)
    else:
        seen: dict[Any, int] = {}
        every = plain_values(values)
        try:
            place = np.fromiter((seen.setdefault(one, len(seen)) for one in every), np.int64, len(every))
        except TypeError:  # a list or a dict: responses are never shown
            raise InvalidParameterError(
                f"a response of {shown(title)} is no single value: received a list or a dict; give one value for each "
                "respondent, and several questions as several columns"
            ) from None
        listed = list(seen)
    codes = np.array([known[one] for one in listed], np.int64)
    codes = np.where(
        codes >= len(labels or ()) if labels is not None and subsets is None else codes < INVALID, INVALID, codes
    )
    most = max(one.outputs for one in devices)
    if labels is None and subsets is None:
        codes = np.where(codes >= most, INVALID, codes)
    if numbers and (codes == INVALID).any():  # decimals of floats
        reports = np.array([float(one) for one in first.output_values])
        for i in np.flatnonzero(codes == INVALID).tolist():
            if isinstance(listed[i], float):
                near = int(np.argmin(np.abs(reports - listed[i])))
                if abs(reports[near] - listed[i]) <= 1e-9 * max(1.0, abs(reports[near])):
                    codes[i] = near
    if (codes == INVALID).any():
        wrong = [listed[i] for i in np.flatnonzero(codes == INVALID).tolist()]
        allowed = list(labels) if labels is not None else [*map(str, range(min(most, _SHOWN + 1)))]
        told = ", ".join(map(shown, allowed[:_SHOWN])) + ", ..." * (len(allowed) > _SHOWN)
        raise InvalidParameterError(
            f"{shown(title)} has values that are no response: received {', '.join(map(shown, wrong[:_SHOWN]))}; "
            f"allowed are {told}; give `labels` in the order of the outputs, or `missing`"
        )
    found: Ints = codes[place.ravel()]
    if (found != MISSING).sum() == 0:
        raise InvalidParameterError(f"nobody answered {shown(title)}: received no response; is it the right column?")
    return found, [] if subsets is None else list(known.met)


def _in_order(counts: Any, names: tuple[str, ...] | None, outputs: int) -> Any:
    """Return counts as a list in the order of the outputs.

    What may be a column of responses, whose index may name respondents, is never quoted in a message.
    """
    told = "give the responses themselves to rropt.Responses(values, mechanism)"
    if hasattr(counts, "columns"):
        raise InvalidParameterError(f"the counts are a table: received {type(counts).__name__}; {told}, or one column")
    is_column = hasattr(counts, "to_dict")
    counts = counts.to_dict() if is_column else counts
    if isinstance(counts, Mapping):
        known = [*map(str, range(outputs))] if names is None else list(names)
        given = {str(key): value for key, value in counts.items()}
        if wrong := [key for key in given if key not in known]:
            more = f", or {told}" if is_column else ""
            received = f"{len(wrong)} of {len(given)}" if is_column else ", ".join(map(shown, wrong[:_SHOWN]))
            raise InvalidParameterError(
                f"the counts have names of no response: received {received}; allowed are "
                f"{', '.join(map(shown, known[:_SHOWN]))}; give `labels` in the order of the outputs{more}"
            )
        counts = [given.get(name, 0) for name in known]
    if isinstance(counts, Sequence | np.ndarray) and not isinstance(counts, str):
        for place, value in enumerate(counts):
            if isinstance(value, str):
                raise InvalidParameterError(f"counts[{place}] is not a number: received a text; {told}")
    return counts


def _listed(names: object, what: str) -> tuple[str, ...]:
    """Return names as texts.

    Raises:
        InvalidParameterError: they are no list.
    """
    if not isinstance(names, Iterable):
        raise InvalidParameterError(f"`{what}` are no list: received {shown(names)}; give a list of names")
    return tuple(map(str, names))
