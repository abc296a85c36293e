"""The parts of a family from data: the arguments of ``rropt.family``, and the tables of a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rropt.core.errors import FileFormatError, InvalidParameterError, one_of, shown
from rropt.core.exact import as_text, rational
from rropt.designs.problem_families.parts import CategoryClass, Decision, FamilyParameter

Parts = tuple[tuple[FamilyParameter, ...], tuple[CategoryClass, ...], tuple[Decision, ...], str]
_KEYS = {"parameters", "classes", "decisions", "sense", "against", "title"}


def parts_of(
    parameters: Mapping[str, str],
    classes: Mapping[str, Any],
    decisions: Sequence[Any] | None = None,
    *,
    against: Mapping[str, Any] | None = None,
    sense: str = "minimise",
) -> Parts:
    """Return the parts of a family.

    Args:
        parameters, classes, decisions, against, sense: as for ``family``.

    Raises:
        InvalidParameterError: a part has another form.
    """
    kinds = (("parameters", parameters, Mapping), ("classes", classes, Mapping), ("against", against, Mapping))
    for what, given, kind in (*kinds, ("decisions", decisions, Sequence)):
        if (given is not None or what == "parameters") and (not isinstance(given, kind) or isinstance(given, str)):
            raise InvalidParameterError(
                f"the {what} of a family are a {'list' if kind is Sequence else 'table'}: received {shown(given)}; "
                "rropt.family has an example"
            )
    listed = tuple(FamilyParameter.of(name, text) for name, text in parameters.items())
    parts = []
    for name, entry in classes.items():
        pair = (entry.get("size"), entry.get("share")) if isinstance(entry, Mapping) else entry
        if not isinstance(pair, Sequence) or isinstance(pair, str) or len(pair) != 2:
            raise InvalidParameterError(f"a class is a size and a share: received {shown(entry)}")
        parts.append(CategoryClass(_name(name, "class"), _formula(pair[0]), _formula(pair[1])))
    if (decisions is None) == (against is None):
        raise InvalidParameterError("a family has decisions, or a second distribution (against): give one of them")
    if against is not None:
        return listed, tuple(parts), _tests(parts, against), "maximise"
    names = [part.name for part in parts]
    made = tuple(_decision(entry, names) for entry in decisions or ())
    return listed, tuple(parts), made, sense


def _name(name: object, what: str) -> str:
    if not isinstance(name, str) or not name.strip():
        raise InvalidParameterError(f"the name of a {what} is a text: received {shown(name)}")
    return name


def _formula(value: object) -> str:
    return value if isinstance(value, str) else as_text(rational(value, name="a formula"))


def _decision(entry: Any, names: Sequence[str]) -> Decision:
    """Return a decision; one with a cost at its own category owns the class of its name."""
    if isinstance(entry, Mapping):
        unknown = set(entry) - {"name", "costs", "right"}
        if unknown:
            raise InvalidParameterError(
                f"a decision has the unknown key {shown(min(unknown))}; allowed: name, costs, right"
            )
        entry = [entry.get("name"), entry.get("costs"), *([entry["right"]] if "right" in entry else [])]
    if not isinstance(entry, Sequence) or isinstance(entry, str) or not 2 <= len(entry) <= 3:
        raise InvalidParameterError(
            f"a decision is a name, its costs, and perhaps the cost at its own category: received {shown(entry)}"
        )
    name, costs = _name(entry[0], "decision"), entry[1]
    if isinstance(costs, Mapping):
        if set(costs) != set(names):
            raise InvalidParameterError(
                f"the costs of {shown(name)} are not one for each class: received {', '.join(map(shown, costs))}; "
                f"allowed are {', '.join(map(shown, names))}"
            )
        listed = tuple(_formula(costs[one]) for one in names)
    else:
        listed = (_formula(costs),) * len(names)
    if len(entry) == 2:
        return Decision(name, listed)
    return Decision(name, listed, names.index(one_of(name, names, "the class of a decision")), _formula(entry[2]))


def _tests(parts: Sequence[CategoryClass], against: Mapping[str, Any]) -> tuple[Decision, ...]:
    """Return the decisions between two distributions, whose largest expected payoff is the total variation."""
    if set(against) != {part.name for part in parts}:
        raise InvalidParameterError(
            f"the second distribution has not one share for each class: received {', '.join(map(shown, against))}"
        )
    half = [f"(({part.share}) - ({_formula(against[part.name])}))/(2*({part.share}))" for part in parts]
    return Decision("first", tuple(half)), Decision("second", tuple(f"-({text})" for text in half))


def parts_of_data(data: Any) -> Parts:
    """Return the parts of a family from the data of a file.

    Raises:
        FileFormatError: a key is missing, unknown or of another form.
    """
    if not isinstance(data, Mapping) or not {"parameters", "classes"} <= set(data) <= _KEYS:
        keys = shown(list(data)) if isinstance(data, Mapping) else shown(data)
        raise FileFormatError(
            f"a family has the tables parameters, classes and decisions: received {keys}; allowed are "
            f"{', '.join(sorted(_KEYS))}"
        )
    for key, kind in (("parameters", Mapping), ("classes", Mapping), ("decisions", list), ("against", Mapping)):
        if key in data and not isinstance(data[key], kind):
            raise FileFormatError(f"the {key} of a family have another form: received {shown(data[key])}")
    return parts_of(
        data["parameters"],
        data["classes"],
        data.get("decisions"),
        against=data.get("against"),
        sense=data.get("sense", "minimise"),
    )
