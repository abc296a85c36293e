"""One forger for all statements: its claims are false by construction, and its proofs change by their fields.

An accepted file proves its claim. So a bracket beyond one of its ends is false, its answer turned round is false, a set
of optima with one more or one less is false; a region around a mechanism is not empty, and an inequality minus more
than its value at a point of its domain is false there. A singular mechanism has an infinite variance, a determinant of
0, or no information: whatever number is claimed of it is false. Where it has a finite value, more than this value is
claimed. A criterion that is defined nowhere has no B. The proof of such a file is any proof: that of the file or of
another one, with fields moved, scaled, emptied, reversed, repeated, transposed, joined. The changes know no statement.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from fractions import Fraction
from math import log
from typing import Any

from adversary.boundary import oracle
from adversary.estimates import written_out
from adversary.writing import Path, at, is_number, replace, walk

F = Fraction
STEPS = [F(1, 10**25), F(1, 10**9), F(1, 1000), F(1, 10), F(1), F(100), F(10**30)]
FACTORS = [F(-1), F(0), F(1, 2), F(2), F(10), F(1, 10), F(1000), F(1000001, 1000000), F(-2)]


def forgeries(documents: list[Any], count: int, seed: int) -> Iterator[Any]:
    """Iterate over forged files of each document of one statement in turn."""
    rng = random.Random(seed)
    for number in range(count):
        document = documents[number % len(documents)]
        yield forged(document, near(document, documents), rng)


def near(document: Any, documents: list[Any]) -> list[Any]:
    """Return the documents whose proofs fit: of as many inputs, or of equal matrices."""
    return [each for each in documents if _form(each["problem"]) == _form(document["problem"])]


def _form(problem: Any) -> str:
    return str(problem.get("inputs", re.sub(r"-?\d+(/\d+)?", "", json.dumps(problem.get("source", "")))))


def forged(document: Any, others: list[Any], rng: random.Random) -> Any:
    """Return a forged copy; ``others`` are accepted files that lend parts of their proofs."""
    made, kept = deepcopy(document), None
    if rng.random() < 0.3 and _singular(made, others, rng):
        kept = deepcopy(made["claim"])  # its mechanism stays singular
    else:
        made = deepcopy(document)
        FALSE.get(made["statement"], _beyond)(made, others, rng)
    for _ in range(rng.choice((0, 1, 1, 2, 3))):
        rng.choice(CHANGES)(made, rng, others)
    made["claim"] = kept or made["claim"]
    return made


def altered(document: Any, others: list[Any], rng: random.Random) -> Any:
    """Return a copy with changes anywhere, in the problem and the claim too: an oracle must decide it."""
    made = deepcopy(document)
    if made["statement"] == "family" and rng.random() < 0.3:  # whose numbers hang together: few changes leave it true
        _otherwise_written(made, rng)
        return made
    for _ in range(rng.choice((1, 2, 3))):
        holder = made[rng.choice(("problem", "problem", "claim"))]
        paths = [path for path, x in walk(holder) if is_number(x) or isinstance(x, bool)]
        if not paths or rng.random() < 0.5:
            rng.choice(CHANGES)(made, rng, others)
            continue
        path = rng.choice(paths)
        if isinstance(at(holder, path), bool):
            replace(holder, path, not at(holder, path))
            continue
        x = F(at(holder, path))
        replace(holder, path, str(rng.choice([x * rng.choice(FACTORS), x + rng.choice(STEPS), 1 - x, F(0), F(1, 2)])))
        _follow(made)
    return made


def _otherwise_written(made: Any, rng: random.Random) -> None:
    """Write formulas of a family in another form, which is equal, or at some members only, or differs by a step."""
    problem, formulas = made["problem"], made["claim"]["formulas"]
    places = [(one, name) for one in problem["classes"] for name in ("size", "share")]
    places += [(one["costs"], i) for one in problem["decisions"] for i in range(len(one["costs"]))]
    places += [(one, "right") for one in problem["decisions"] if one["own"] is not None]
    places += [(one, "value") for one in formulas] + [(row, "weight") for one in formulas for row in one["rows"]]
    name = rng.choice([one["name"] for one in problem["parameters"]] or ["1"])
    for holder, key in rng.sample(places, rng.choice((1, 1, 2, 3))):
        own = holder[key]
        equal = [
            {"sum": [own, name, {"negative": name}]},
            {"quotient": [{"product": [name, own]}, name]},
            {"negative": {"negative": own}},
            {"power": [own, "1"]},
            {"sum": [own, "0"]},
        ]
        other = [
            {"sum": [own, str(rng.choice(STEPS))]},
            {"product": [own, {"power": [name, rng.choice(("0", "1", "2"))]}]},
            {"power": [own, "2"]},
            {"negative": own},
        ]
        holder[key] = rng.choice(other if rng.random() < 0.2 else equal)


def _follow(made: Any) -> None:
    """Let the brackets of a design follow a changed level: else it alone would reject the file."""
    brackets = made["proof"].get("brackets", [])
    for level, bracket in zip(made["problem"].get("levels", []), brackets, strict=False):
        if (
            isinstance(bracket, dict)
            and set(level.get("epsilon", {})) == {"log"}
            and {"gamma", "delta"} <= set(bracket)
        ):
            bracket["gamma"] = dict.fromkeys(("below", "above"), level["epsilon"]["log"])
            bracket["delta"] = dict.fromkeys(("below", "above"), level["delta"])


# Claims that are false


def _beyond(made: Any, _: list[Any], rng: random.Random) -> None:
    """Claim ends that do not hold the number."""
    claim = made["claim"]
    step, width = rng.choice(STEPS), rng.choice([F(0), F(0), *STEPS])
    if claim["lower"] == "infinite":
        ends = F(1) + step, F(1) + step + width
    elif rng.random() < 0.5 and claim["upper"] != "infinite":
        ends = F(claim["upper"]) + step, F(claim["upper"]) + step + width
    else:
        ends = F(claim["lower"]) - step - width, F(claim["lower"]) - step
    claim["lower"], claim["upper"] = map(str, ends if rng.random() < 0.95 else (max(ends) + 1, min(ends)))


def _turned(made: Any, others: list[Any], rng: random.Random) -> None:
    """Give the other answer, with a proof of a file that has this answer; another parity, or another profile."""
    claim = made["claim"]
    if "lower" in claim:
        return _beyond(made, others, rng)
    if "parity" in claim:
        found = F(0) if claim["parity"] in (None, "infinite") else F(claim["parity"])
        claim["parity"] = str(rng.choice([found + rng.choice(STEPS), found - rng.choice(STEPS)]))
        return None
    ((name, value),) = claim.items()
    claim[name] = not value
    others = [each for each in others if each["claim"].get(name) is not value]
    if others and rng.random() < 0.5:
        made["proof"] = deepcopy(rng.choice(others)["proof"])
    elif name == "exists":
        made["proof"] = _witness_of(made["problem"], value, rng)
    return None


def _witness_of(problem: Any, exists: bool, rng: random.Random) -> Any:
    """Return random gains, or a random kernel, whose columns sum to 1, of the shape that the mechanisms ask for."""
    source, target = (problem[name].get("matrix", [[]]) for name in ("source", "target"))
    if exists:
        return {"payoff": [[str(rng.randint(-3, 3)) for _ in source[0]] for _ in target]}
    columns = [[rng.randint(0, 3) for _ in target[1:]] for _ in source]
    columns = [[str(F(x, 9)) for x in (*column, 9 - sum(column))] for column in columns]
    return {"kernel": [list(row) for row in zip(*columns, strict=True)]}


def _unattained(made: Any, others: list[Any], rng: random.Random) -> None:
    """Turn round whether B is attained, claim ends beyond it, or let the criterion be undefined at every prior."""
    attained = made["claim"]["attained"]
    if rng.random() < 0.3:
        for side in ("up", "down"):
            for piece in (made["problem"][side] or {"pieces": []})["pieces"]:
                piece["value"] = {"sum": [piece["value"], _undefined(rng)]}
    elif isinstance(attained, bool) and rng.random() < 0.3:
        made["claim"]["attained"] = not attained
    else:
        _beyond(made, others, rng)


ROOT, ONE = {"sqrt": "2"}, {"exp": "0"}
NAUGHTS = [
    {"sum": [ROOT, {"negative": ROOT}]},
    {"sum": [ONE, "-1"]},
    {"log": "1"},
    {"product": ["0", ROOT]},
    {"sum": [{"power": [ROOT, "2"]}, "-2"]},
    "0",
]


def _undefined(rng: random.Random) -> Any:
    """Return an expression that is 0 where it is defined, which is nowhere: it divides by 0, or takes the log of it."""
    naught = rng.choice(NAUGHTS)
    for _ in range(rng.randrange(3)):
        naught = rng.choice(
            [{"product": [naught, "p"]}, {"sum": [naught, naught]}, {"sqrt": naught}, {"minimum": [naught, naught]}]
        )
    wrong = rng.choice([{"quotient": ["1", naught]}, {"quotient": [naught, naught]}, {"log": naught}])
    for _ in range(rng.randrange(2)):
        wrong = rng.choice([{"exp": wrong}, {"sqrt": wrong}, {"maximum": [wrong, "1"]}, {"power": [wrong, "2"]}])
    less_itself = {"sum": [wrong, {"negative": wrong}]}
    nothing = {"sum": [{"power": [wrong, "0"]}, "-1"]}
    return rng.choice([{"product": ["0", wrong]}, nothing, less_itself, {"quotient": ["0", {"exp": wrong}]}])


def _other_optima(made: Any, others: list[Any], rng: random.Random) -> None:
    """Claim an optimum more or less where all of them are listed, or ends beyond the optimum."""
    listed = made["claim"].get("optima")
    if not listed or rng.random() < 0.6:
        return _beyond(made, others, rng)
    if len(listed) > 1 and rng.random() < 0.5:
        listed.pop(rng.randrange(len(listed)))
        return None
    more = rng.choice([each["claim"]["mechanism"] for each in others])
    if more in listed or made["claim"].get("set"):
        return _beyond(made, others, rng)
    listed.append(deepcopy(more))
    return None


def _around_a_point(made: Any, _: list[Any], rng: random.Random) -> None:
    """Let an infeasible region hold a point: the equal shares of every output, or a random point of a program."""
    problem = made["problem"]
    if "levels" in problem:
        share = F(1, int(problem["outputs"]))
        for end, nearer in (("least", min), ("most", max)):
            problem["bounds"][end] = [[str(nearer(F(x), share)) for x in row] for row in problem["bounds"][end]]
        for own in problem["bounds"].get("inequalities", []):
            left = sum(max(sum(F(x) * share for *_, x in terms) for terms in part) for part in own["parts"])
            own["bound"] = str(max(F(own["bound"]), left))
        return
    x = [F(rng.randint(0 if sign == "nonnegative" else -4, 4), 2) for sign in problem["signs"]]
    for row in problem["rows"]:
        value = sum((F(a) * x[int(j)] for j, a in row["coefficients"]), F(0))
        room = {"<=": 1, ">=": -1, "=": 0}[row["relation"]] * rng.choice([F(0), *STEPS])
        row["bound"] = str(value + room)


def _refuted(made: Any, _: list[Any], rng: random.Random) -> None:
    """Move a side of an identity by a constant; of an inequality to below the other side, everywhere or at a point."""
    problem, step = made["problem"], rng.choice(STEPS)
    if made["claim"]["relation"] == "=":
        problem["right"] = {"sum": [problem["right"], str(rng.choice((step, -step)))]}
        return
    over = {"sum": [problem["left"], {"negative": problem["right"]}]}
    at = None
    if made["proof"].get("point"):
        at = dict(zip(problem["parameters"], map(F, made["proof"]["point"]), strict=True))
    if at and rng.random() < 0.7:
        problem["left"] = {"sum": [problem["left"], str(-oracle.evaluate(over, at) - step)]}
    elif rng.random() < 0.5:
        problem["left"] = {"sum": [problem["right"], str(-step)]}
    else:
        problem["left"] = {"sum": [problem["right"], {"negative": {"power": [over, "2"]}}, str(-step)]}


def _less_likely(made: Any, _: list[Any], rng: random.Random) -> None:
    """Claim a less likely population, with a gap that the point of the file exceeds; or a negative gap."""
    claim, groups = made["claim"], made["problem"]["groups"]
    best = [F(x) for x in claim["point"]]
    weights = [rng.randint(1, 20) for _ in best]
    part = F(1, rng.choice((1, 2, 10, 1000)))
    other = [(1 - part) * x + part * F(w, sum(weights)) for x, w in zip(best, weights, strict=True)]
    more = _mean_log(groups, best) - _mean_log(groups, other)
    if more > 1e-6:
        claim["point"], claim["gap"] = list(map(str, other)), str(F(more) * rng.choice([F(0), F(1, 2), F(99, 100)]))
    else:
        claim["gap"] = str(-rng.choice(STEPS))


def _mean_log(groups: list[Any], point: list[Fraction]) -> float:
    """Return the logarithm of the likelihood, per response."""
    total, responses = 0.0, 0
    for group in groups:
        form = group["mechanism"]
        factors = [form["matrix"]] if "matrix" in form else form["product"]
        for row, count in zip(written_out([oracle.matrix(f) for f in factors]), map(int, group["counts"]), strict=True):
            if count:
                total += count * log(sum((p * x for p, x in zip(row, point, strict=True)), F(0)))
                responses += count
    return total / responses


def _other_function(made: Any, _: list[Any], rng: random.Random) -> None:
    """Claim another value, another end of a piece, one piece less, or a row that does not attain the value."""
    pieces, cells = made["claim"]["pieces"], made["proof"]["cells"]
    n, step = rng.randrange(len(pieces)), rng.choice(STEPS) * rng.choice((1, -1))
    piece = pieces[n]
    ways = ["value", "weight", "costs"] + ["end", "piece"] * (len(pieces) > 1)
    way = rng.choice(ways)
    if way == "value":
        i = rng.randrange(3)
        piece["value"][i] = str(F(piece["value"][i]) + step)
    elif way == "weight":
        row = rng.choice(piece["rows"])
        row[2] = str(F(row[2]) + abs(step))
    elif way == "costs":  # of an output that is used: the value changes
        d = int(rng.choice(piece["rows"])[0])
        j = rng.randrange(len(made["problem"]["costs"][d]))
        made["problem"]["costs"][d][j] = str(F(made["problem"]["costs"][d][j]) + step)
    elif way == "end":  # one of two neighbours is then claimed where the other one alone is the optimum
        n = rng.randrange(len(pieces) - 1)
        if pieces[n]["value"] != pieces[n + 1]["value"]:
            end = list(pieces[n]["to"])
            end[0] = str(F(end[0]) + min(abs(step), F(1, 1000)) * (1 if step > 0 else -1))
            pieces[n]["to"] = end
            cells[n][-1]["to"] = list(end)
            return
        piece["value"][0] = str(F(piece["value"][0]) + step)
    else:  # without the first piece the second one is claimed from the start on
        if pieces[0]["value"] != pieces[1]["value"]:
            pieces.pop(0)
            cells.pop(0)
            return
        piece["value"][0] = str(F(piece["value"][0]) + step)


def _other_formula(made: Any, _: list[Any], rng: random.Random) -> None:
    """Claim another value, or a row or a size with which the value is not attained; or leave a formula out."""
    formulas, proof = made["claim"]["formulas"], made["proof"]
    formula, step = rng.choice(formulas), str(rng.choice(STEPS) * rng.choice((1, -1)))
    way = rng.choice(["value", "weight", "costs", "size"] + ["formula"] * (len(formulas) > 1))
    if way == "value":
        formula["value"] = {"sum": [formula["value"], step]}
    elif way == "weight":
        row = rng.choice(formula["rows"])
        row["weight"] = {"sum": [row["weight"], step]}
    elif way == "costs":  # of a decision that is used: the value changes
        decision = made["problem"]["decisions"][int(rng.choice(formula["rows"])["decision"])]
        i = rng.randrange(len(decision["costs"]))
        decision["costs"][i] = {"sum": [decision["costs"][i], step]}
    elif way == "size":
        one = rng.choice(made["problem"]["classes"])
        one["size"] = {"sum": [one["size"], step]}
    else:  # each formula of an honest file is the only least one somewhere
        n = rng.randrange(len(formulas))
        for listed in (formulas, proof["values"], proof["formulas"]):
            listed.pop(n)
        for each in proof["formulas"]:
            each["differences"].pop(n)
            _without_hypothesis(each["tree"], n)


def _without_hypothesis(tree: Any, n: int) -> None:
    if "split" in tree:
        _without_hypothesis(tree["nonnegative"], n)
        _without_hypothesis(tree["nonpositive"], n)
        return
    for identity in tree["identities"]:
        identity["multipliers"].pop(min(n + 1, len(identity["multipliers"]) - 1))


def _other_closed_form(made: Any, _: list[Any], rng: random.Random) -> None:
    """Claim another value, another end, one piece less, or the same of another problem."""
    problem, pieces = made["problem"], made["claim"]["pieces"]
    n, step = rng.randrange(len(pieces)), rng.choice(STEPS)
    way = rng.choice(["value", "problem"] + ["end", "piece"] * (len(pieces) > 1))
    value = pieces[n]["value"]
    if way == "problem" and "prevalence" in problem["objective"] and not F(problem["delta"]) and F(value[0][0]):
        own = F(problem["objective"]["prevalence"])
        problem["objective"]["prevalence"] = str(own + min(step, 1 - own) if own < F(1, 2) else own - min(step, own))
    elif way == "problem" and "categories" in problem["objective"]:
        problem["objective"]["categories"] = str(int(problem["objective"]["categories"]) + rng.randint(1, 3))
    elif way in ("end", "piece") and pieces[0]["value"] != pieces[1]["value"] and F(problem["delta"]) < 1:
        if way == "piece":
            pieces.pop(0)
            return
        end = list(pieces[0]["to"])
        end[0] = str(F(end[0]) + min(step, F(1, 1000)) * rng.choice((1, -1)))
        pieces[0]["to"] = end
    else:  # a multiple of one of the two quadratics, and not of the other one
        part, factor = value[rng.randrange(2) if any(map(F, value[0])) else 1], 1 + step
        part[:] = [str(F(x) * factor) for x in part]
        if not any(map(F, value[0])):
            value[0][0] = str(step)


FALSE: dict[str, Callable[[Any, list[Any], random.Random], None]] = {
    "binary-bracket": _other_optima,
    "every-level": _other_function,
    "family": _other_formula,
    "every-level-closed": _other_closed_form,
    "garbling": _turned,
    "infeasible": _around_a_point,
    "likelihood-gap": _less_likely,
    "mechanism-levels": _turned,
    "parity-bound": _unattained,
    "polynomial": _refuted,
}


# Mechanisms that are singular

INFORMATION = ("mutual-information", "kullback-leibler", "hellinger", "jensen-shannon", "alpha-divergence")
INFORMATION += ("chi-square", "total-variation")  # 0 where all columns are equal
FINITE = ("payoff", "trace", "loss", "distance")  # of a singular mechanism too


def _singular(made: Any, others: list[Any], rng: random.Random) -> bool:
    """Make a mechanism of the file singular, and claim what is false of it; return whether that was possible."""
    problem, claim = made["problem"], made["claim"]
    if "source" in problem:
        source, target = (problem[name]["matrix"] for name in ("source", "target"))
        claim["exists"] = _merge(source, rng) and not _is_combination(source, target)
        return claim["exists"] or _merge(target, rng, whole=True)
    if "groups" in problem:  # the oracle sees which point is less likely
        forms = [group["mechanism"] for group in problem["groups"]]
        rows = rng.choice([factor for form in forms for factor in form.get("product", [form.get("matrix")])])
        if any("0" in row for form in forms for factor in form.get("product", [form.get("matrix")]) for row in factor):
            return False
        merged = _merge(rows, rng, zero=False)
        _less_likely(made, others, rng)
        return merged
    device = problem.get("device", problem.get("mechanism", {}))
    if "local" in device:  # a response that reveals nothing: at the level 0
        device["local"] = {"rational": "0"}
        made["proof"]["brackets"][:1] = [{"below": "1", "above": "1"}]
        return _positive_level(claim, rng)
    if "matrix" in problem.get("mechanism", ()):
        return _merge(problem["mechanism"]["matrix"], rng, whole=True) and _positive_level(claim, rng)
    return "mechanism" in claim and _singular_claim(made, rng)


def _positive_level(claim: Any, rng: random.Random) -> bool:
    """Claim that a mechanism whose columns are all equal reveals something; it is in no class of admissible ones."""
    step = rng.choice(STEPS)
    if "lower" in claim:
        claim["lower"], claim["upper"] = str(step), str(step + rng.choice([F(0), *STEPS]))
    elif "parity" in claim:
        claim["parity"] = str(1 + step)
    else:
        claim["admissible"] = rng.random() < 0.5
    return True


def _singular_claim(made: Any, rng: random.Random) -> bool:
    """Let the mechanism of the claim be singular, and its bracket finite and wide."""
    problem, claim = made["problem"], made["claim"]
    objective = problem.get("objective", {})
    kind, ((form, given),) = objective.get("kind"), claim["mechanism"].items()
    wanted = (
        objective.get("contrasts") or [objective["contrast"]]
        if kind in ("c-optimal", "contrasts", "conditional-variance")
        else None
    )
    lower, upper, step = F(claim["lower"]), F(claim["upper"]), rng.choice(STEPS)
    if wanted and rng.random() < 0.2:  # C = 0: every variance is 0
        for row in wanted:
            row[:] = ["0"] * len(row)
        claim["lower"], claim["upper"] = str(step), str(max(step, upper))
        return True
    if kind in FINITE:
        return _more_than_its_value(made, rng)
    whole = kind in INFORMATION
    if not _degenerated(form, given, rng, whole, objective, made["proof"]):
        return False
    if form == "matrix" and not whole:
        k = len(given[0])
        one = [[str(int(i == j)) for j in range(k)] for i in range(k)]
        if _is_combination(given, wanted or (one[1:] if kind == "variance" else one)):
            return False
    wide = F(10) ** rng.choice((2, 30))
    if whole:
        lower = min(step, upper) if upper > 0 else step
        upper = max(lower, upper)
    elif kind == "d-optimal":
        lower, upper = rng.choice((lower, -wide)), rng.choice((upper, max(upper, wide)))
    else:
        lower, upper = rng.choice((lower, F(0), F(-1))), rng.choice((upper, max(upper, wide)))
    claim["lower"], claim["upper"] = str(lower), str(max(lower, upper))
    return True


def _more_than_its_value(made: Any, rng: random.Random) -> bool:
    """Let the mechanism of the claim reveal nothing, or less, and claim more than its value."""
    problem, claim, step = made["problem"], made["claim"], rng.choice(STEPS)
    ((form, given),) = claim["mechanism"].items()
    if form == "matrix":
        _merge(given, rng, whole=rng.random() < 0.5, zero=False)
    elif form in ("restricted-response", "blocks"):
        given |= {"gamma": "1", **({"delta": "0"} if "delta" in given else {})}
    worth = value_of(problem, claim["mechanism"])
    if worth is None:
        return False
    if problem["objective"]["kind"] in ("payoff", "trace"):
        claim["lower"], claim["upper"] = str(worth + step), str(max(worth + step, F(claim["upper"])))
    else:
        claim["lower"], claim["upper"] = str(min(worth - step, F(claim["lower"]))), str(worth - step)
    return True


def value_of(problem: Any, mechanism: Any) -> Fraction | None:
    """Return the value of a mechanism for an objective that is finite everywhere; ``None`` where this is not short."""
    objective, shares = problem["objective"], problem["population"]
    kind, ((form, given),) = objective["kind"], mechanism.items()
    if form in ("restricted-response", "blocks"):  # at the level 0, and without delta: one of the chosen ones at random
        runs = (objective["weights"] if kind == "trace" else shares)["runs"]
        k = int(problem["inputs"])
        if k > 1000 or given["gamma"] != "1" or given.get("delta", "0") != "0":
            return None
        weights = [F(w) for n, w in runs for _ in range(int(n))]
        chosen = [w == "1" for n, w in given.get("runs", [[k, "1"]]) for _ in range(int(n))]
        mean = sum((w for w, is_in in zip(weights, chosen, strict=True) if is_in), F(0)) / sum(chosen)
        return mean if kind == "trace" else 1 - mean
    if form != "matrix" or isinstance(shares, dict) or isinstance(objective.get("weights"), dict):
        return None
    return oracle.value(objective, oracle.matrix(given), [F(x) for x in shares or ()])


def _degenerated(form: str, given: Any, rng: random.Random, whole: bool, objective: Any, proof: Any) -> bool:
    """Make a written mechanism singular; ``whole``: all of its columns equal."""
    if form == "matrix":
        for estimators in proof.get("estimators", []):  # of a row of zeros
            for row in estimators:
                row.append(rng.choice(("0", "1")))
        return _merge(given, rng, whole)
    if form == "product":
        weights = objective.get("weights", ["1"] * len(given))
        return _merge(rng.choice([rows for rows, w in zip(given, weights, strict=True) if w != "0"]), rng, whole)
    if form == "orbits":
        _merge_groups(given, rng, whole)
        return len(given["groups"]) > 1 or given["groups"][0] != "1"
    if form == "bit-vectors":
        given["p"] = given["m"]
    elif form in ("blocks", "revealed-blocks"):
        given |= {"revealed": "0"} if "revealed" in given else {}
        given.get("blocks", given)["gamma"] = "1"
    return form != "restricted-response"


def _merge(rows: Any, rng: random.Random, whole: bool = False, zero: bool = True) -> bool:
    """Let a column be another one or the mean of the others, or all be one or their mean; often with zeros."""
    columns = [[F(x) for x in column] for column in zip(*rows, strict=True)]
    if len(columns) < 2:
        return False
    one, other = rng.sample(range(len(columns)), 2)
    mean = [(sum(row) - row[one]) / (len(columns) - 1) for row in zip(*columns, strict=True)]
    kind = rng.randrange(3)
    if whole or not kind:
        columns = [rng.choice((columns[other], [sum(row) / len(columns) for row in zip(*columns, strict=True)]))] * len(
            columns
        )
    else:
        columns[one] = columns[other] if kind == 1 else mean
    if zero and rng.random() < 0.1:  # no distribution
        columns[one] = [F(0)] * len(rows)
    rows[:] = [list(map(str, row)) for row in zip(*columns, strict=True)]
    if zero and rng.random() < 0.3:
        rows.append(["0"] * len(columns))
    return True


def _merge_groups(orbits: Any, rng: random.Random, whole: bool) -> None:
    """Let the columns of a group be the mean of those of another one, or of its own; ``whole``: of all groups."""
    sizes = list(map(int, orbits["groups"]))
    pairs = [(g, h) for g in range(len(sizes)) for h in range(len(sizes)) if g != h or sizes[g] > 1] or [(0, 0)]
    one, other = rng.choice(pairs)
    for row in orbits["rows"]:
        mean = str(sum((F(x) * int(count) for x, count in row[other]), F(0)) / sizes[other])
        for g in range(len(sizes)) if whole else [one]:
            row[g] = [[mean, count] for _, count in row[g]]


def _is_combination(rows: Any, wanted: Any) -> bool:
    """Return whether the wanted rows are combinations of the rows: only then is there an estimator, or a kernel."""
    return oracle.rank(oracle.matrix([*rows, *wanted])) == oracle.rank(oracle.matrix(rows))


def is_fit(document: Any) -> bool:
    """Whether a file serves: its claim can be made false (no hypotheses may contradict each other), and fast."""
    if document["statement"] == "polynomial":
        return not document["problem"]["hypotheses"] or document["proof"].get("point") is not None
    if document["statement"] == "composition":  # the others take long
        return len(document["proof"]["ratio"]) < 8
    return (
        document["statement"] != "likelihood-gap" or sum(len(g["counts"]) for g in document["problem"]["groups"]) < 40
    )


# Changes of proofs


def _places(value: Any) -> list[Path]:
    """Return the positions of all numbers."""
    return [path for path, x in walk(value) if is_number(x)]


def _lists(value: Any) -> list[Path]:
    return [path for path, x in walk(value) if isinstance(x, list)]


_CLAIMED = {"mechanism", "set", "at"}  # fields of a claim that may change and leave it false


def _some_field(made: Any, rng: random.Random) -> tuple[Any, str]:
    """Return a field of the proof, or of the mechanism, as its holder and its key."""
    names = [name for name in made["proof"] if name not in ("way", "digits")]
    name = rng.choice([*names, *sorted(_CLAIMED & made["claim"].keys())] or ["proof"])
    if name == "proof":  # an empty one
        return made, name
    if name not in names:
        holder = made["claim"]
        return (holder[name], next(iter(holder[name]))) if isinstance(holder[name], dict) else (holder, name)
    return made["proof"], name


def _one_number(made: Any, rng: random.Random, _: Any) -> None:
    """Change a number."""
    holder, name = _some_field(made, rng)
    places = _places({name: holder[name]})
    if places:
        path = rng.choice(places)
        x = F(at(holder, path))
        new = rng.choice([x * rng.choice(FACTORS), x + rng.choice(STEPS), x - rng.choice(STEPS), -x, F(0), F(1), 1 - x])
        replace(holder, path, str(new))


def _scale(made: Any, rng: random.Random, _: Any) -> None:
    """Scale some fields, as a whole, by one factor; slopes and multipliers keep their places."""
    factor = rng.choice(FACTORS)
    for name in rng.sample(sorted(made["proof"]), min(rng.randint(1, 3), len(made["proof"]))):
        if name in ("way", "digits", "brackets", "point"):
            continue
        own = F(factor) ** rng.choice((1, 1, 2))
        for path in _places({name: made["proof"][name]}):
            if name in ("slopes", "multipliers") and path[-1] != len(at(made["proof"], path[:-1])) - 1:
                continue
            replace(made["proof"], path, str(F(at(made["proof"], path)) * own))


def _empty(made: Any, rng: random.Random, _: Any) -> None:
    """Set a field to zeros, or empty a list of it."""
    holder, name = _some_field(made, rng)
    if rng.random() < 0.5:
        for path in _places({name: holder[name]}):
            replace(holder, path, "0")
    elif lists := list(_lists({name: holder[name]})):
        replace(holder, rng.choice(lists), [])


def _reorder(made: Any, rng: random.Random, _: Any) -> None:
    """Reverse, shuffle, repeat, shorten, transpose a list, or let an entry be twice there in halves."""
    holder, name = _some_field(made, rng)
    lists = [path for path in _lists({name: holder[name]}) if at(holder, path)]
    if not lists:
        return
    path = rng.choice(lists)
    own = at(holder, path)
    kind = rng.randrange(6)
    if kind == 0:
        new = own[::-1]
    elif kind == 1:
        new = rng.sample(own, len(own))
    elif kind == 2:
        new = [*own, own[rng.randrange(len(own))]]
    elif kind == 3:
        new = own[:-1]
    elif kind == 4 and all(isinstance(row, list) for row in own) and len({len(row) for row in own}) == 1:
        new = [list(column) for column in zip(*own, strict=True)]
    else:
        new = [each for each in own for _ in range(2)]
    replace(holder, path, deepcopy(new))


def _degenerate(made: Any, rng: random.Random, _: Any) -> None:
    """Let a matrix be singular: equal rows, equal columns, a row or a column of zeros, one row alone."""
    holder, name = _some_field(made, rng)
    paths = [path for path in _lists({name: holder[name]}) if _is_matrix(at(holder, path))]
    if paths:
        path = rng.choice(paths)
        rows = at(holder, path)
        j = rng.randrange(len(rows[0]))
        zeros = [[*row[:j], "0", *row[j + 1 :]] for row in rows]
        forms = [[rows[0]] * len(rows), [[row[0]] * len(row) for row in rows], rows[:1], zeros]
        replace(holder, path, deepcopy(rng.choice([*forms, [*rows, ["0"] * len(rows[0])]])))


def _is_matrix(value: Any) -> bool:
    return bool(value) and all(isinstance(row, list) and row and all(map(is_number, row)) for row in value)


def _halves(made: Any, rng: random.Random, _: Any) -> None:
    """Halve the slopes and list every multiplier twice, whole or halved."""
    for name in ("slopes", "multipliers"):
        listed = made["proof"].get(name, [])
        factor = rng.choice((F(1), F(1, 2)))
        scaled = [[*entry[:-1], str(F(entry[-1]) * factor)] for entry in listed if entry and is_number(entry[-1])]
        if scaled:
            made["proof"][name] = [entry for entry in scaled for _ in range(rng.choice((1, 2)))]


def _join(made: Any, rng: random.Random, others: list[Any]) -> None:
    """Take a field, or the mechanism, from another file."""
    other = deepcopy(rng.choice(others))
    for part, names in (("proof", made["proof"]), ("claim", _CLAIMED & made["claim"].keys())):
        common = sorted(name for name in names if name in other[part])
        if common and rng.random() < 0.7:
            name = rng.choice(common)
            made[part][name] = other[part][name]


def _shift(made: Any, rng: random.Random, _: Any) -> None:
    """Add one number to every entry of a field: vectors lose their sum of 0, alpha grows."""
    holder, name = _some_field(made, rng)
    step = rng.choice([*STEPS, *(-x for x in STEPS)])
    for path in _places({name: holder[name]}):
        if name in ("slopes", "multipliers") and path[-1] != len(at(holder, path[:-1])) - 1:
            continue
        replace(holder, path, str(F(at(holder, path)) + step))


def _elsewhere(made: Any, rng: random.Random, others: list[Any]) -> None:
    """Turn a truth value round, or let a part of the proof be what stands under the same key elsewhere in proofs."""
    named = [(path, x) for path, x in walk(made["proof"]) if isinstance(path[-1], str)]
    path, old = rng.choice(named or [(("way",), None)])
    found = [x for each in (made, rng.choice(others)) for place, x in walk(each["proof"]) if place[-1] == path[-1]]
    new = [not old] if isinstance(old, bool) else [x for x in found if x != old]
    if new:
        replace(made["proof"], path, deepcopy(rng.choice(new)))


def _bracket(made: Any, rng: random.Random, _: Any) -> None:
    """Move an end of a bracket."""
    ends = [path for path in _places(made["proof"].get("brackets", [])) if path[-1] in ("below", "above")]
    if ends:
        path = rng.choice(ends)
        x = F(at(made["proof"]["brackets"], path))
        replace(made["proof"]["brackets"], path, str(x * rng.choice([F(1, 2), F(2), F(999, 1000), F(1001, 1000)])))


def _way(made: Any, rng: random.Random, others: list[Any]) -> None:
    """Take another proof as a whole, the other way, or other digits or bits."""
    names = [name for name in ("digits", "bits") if made["proof"].get(name) is not None]
    if names and rng.random() < 0.5:
        made["proof"][names[0]] = rng.choice(("1", "2", "3", "300"))
    elif made["proof"].get("way") == "linear":
        made["proof"]["way"] = "rays"
        made["proof"].pop("multipliers", None)
    elif made["proof"].get("way") == "rays" and rng.random() < 0.5:
        made["proof"] |= {"way": "linear", "multipliers": []}
    else:
        made["proof"] = deepcopy(rng.choice(others)["proof"])


CHANGES = [
    _one_number,
    _one_number,
    _scale,
    _scale,
    _empty,
    _reorder,
    _degenerate,
    _halves,
    _join,
    _shift,
    _elsewhere,
    _bracket,
    _way,
]
