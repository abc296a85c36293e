"""Describes what the checker verified in an accepted certificate: only the parts that its rule used.

An accepted file has no key that the page of its rule does not name. The explanation omits what the rule ignores, such
as the costs of an infeasible program or the distribution of a trace. The sentence on each rule stands next to its code.
Long numbers are printed as decimals with fifteen digits.
"""

from collections.abc import Iterator
from typing import Any

from . import (
    admissibility_rules,
    bits_rule,
    blanket_rule,
    blocks_rule,
    garbling_rules,
    likelihood_rule,
    linear_rules,
    orbit_rule,
    polynomials,
    positivity_rules,
    renyi_rule,
    shuffle_rule,
    trace_rule,
)
from .cover import rule as cover_rule
from .invariants import vacuous, vacuous_statement
from .value_texts import WIDEST, combination_text, distinct_texts, expression_text, value_text

_MODULES = (
    *(linear_rules, orbit_rule),
    *(garbling_rules, shuffle_rule, blanket_rule, renyi_rule),
    *(
        admissibility_rules,
        likelihood_rule,
        bits_rule,
        blocks_rule,
        trace_rule,
        polynomials,
        positivity_rules,
        cover_rule,
    ),
)
SENTENCES: dict[str, str] = {rule: text for module in _MODULES for rule, text in module.EXPLAINED.items()}

STATEMENTS = {
    "design-bracket": "The optimum lies in the bracket. The checker proved one inequality for all rows of private "
    "mechanisms, by finitely many rays, by multipliers or by cells, and it computed the value of the mechanism.",
    "binary-bracket": "The optimum lies in the bracket. With two outputs a vertex of a polygon is optimal, or the "
    "point where the regret is equal at both ends; with three outputs, two of four are merged. The checker computed "
    "all of these designs.",
    "composition": "Every adaptive composition of these mechanisms is private at the level with delta = upper, and not "
    "with less than lower. The checker bounded delta of the worst one by two distributions on a lattice of odds: from "
    "above by one that reveals more, and from below by one event.",
}

Line = tuple[str, str]
_OBJECTIVES = {
    "variance": "the smallest n Var of the estimated proportion of input 1 (with two outputs: p00 + p11 other than 1)",
    "trace": "the largest weighted sum of the probabilities of true responses; weights {weights}; the distribution "
    "does "
    "not matter",
    "loss": "the smallest expected loss; losses by output (rows) and truth {matrix}",
    "distance": "the smallest distance, {norm} over the entries, to {matrix}; the distribution does not matter",
    "a-optimal": "the smallest trace of n times the covariance of unbiased estimates of the proportions",
    "c-optimal": "the smallest n times the variance of unbiased estimates of {contrast} times the proportions",
    "d-optimal": "the largest ln det M = -ln of the determinant of n times the covariance of any k - 1 proportions",
    "e-optimal": "the smallest n times the variance of unbiased estimates of the worst contrast of norm 1",
    "mutual-information": "the largest mutual information of truth and output, in nats",
    "total-variation": "the largest total variation between the outputs under the distribution and under {against}",
    "chi-square": "the largest chi-square of the outputs under the distribution against those under {against}",
    "contrasts": "the smallest sum of n times the variances of unbiased estimates of the contrasts {contrasts} of the "
    "proportions",
    "payoff": "the largest expected payoff of the best decision after an output; payoffs by decision (rows) and truth "
    "{matrix}",
    "kullback-leibler": "the largest Kullback-Leibler divergence, in nats, of the outputs under the distribution from "
    "those under {against}",
    "hellinger": "the largest squared Hellinger distance between the outputs under the distribution and under "
    "{against}",
    "jensen-shannon": "the largest Jensen-Shannon divergence, in nats, between the outputs under the distribution and "
    "under {against}",
    "alpha-divergence": "the largest alpha-divergence of order {order} of the outputs under the distribution from "
    "those "
    "under {against}",
    "marginals": "the smallest sum of weights times n Var of each question's estimate; weights {weights}, prevalences "
    "{prevalences}",
    "joint": "the smallest trace of n times the covariance of the estimated joint distribution of {questions} "
    "questions, "
    "for every distribution whose squared proportions sum to {squares}",
}
_ONE_LEVEL = "differential privacy: {inputs} inputs, {outputs} outputs, delta(epsilon) <= delta{family}"
_CLAIMS = {
    "garbling": "the target is the source, randomized once more",
    "no-garbling": "the target is no randomization of the source",
    "identity": "left = right wherever the relations hold and no divisor is 0",
    "estimate": "no distribution has a log-likelihood per response more than {gap} above that of {point}",
    "parity": "the largest ratio of two entries of a row is {parity}",
    "profile": "{lower} <= delta at this level <= {upper}",
    "shuffled-delta": "{lower} <= delta of the mixed reports, over all neighbouring data sets <= {upper}",
    "rho": "{lower} <= rho of zero-concentrated privacy (the supremum of D_a/a) <= {upper}",
    "divergence": "{lower} <= Renyi divergence at the order, largest over pairs of inputs <= {upper}",
    "admissible": "no mechanism at this level is strictly better (Blackwell's order, within the class C_gamma)",
    "inadmissible": "another mechanism at this level is strictly better (Blackwell's order, within the class C_gamma)",
    "optimal-value": "the optimum is {lower}, attained at {point}",
    "nonnegative": "the polynomial is >= 0 there",
    "positive": "the polynomial is > 0 there",
}


def explain(document: Any, note: str) -> Iterator[Line]:
    """Yield the labels and texts that explain an accepted document; ``note`` is that of the verdict."""
    if "statement" in document:
        yield f"statement {document['statement']}", STATEMENTS[document["statement"]]
        yield from _EXPLAINED[document["statement"]](document["problem"], document["claim"], document["proof"], note)
        return
    problem, claim, witness = (document[part] for part in ("problem", "claim", "witness"))
    yield f"rule {witness['rule']}", SENTENCES[witness["rule"]]
    yield from _problem(problem, claim, witness, note)
    yield from _claim(problem, claim, witness)
    yield from (("vacuous", sentence) for sentence in vacuous(problem, claim, witness))


def _levels(problem: Any, proof: Any, tier: str) -> Iterator[Line]:
    """Explain the levels of a problem of format 2."""
    for t, (level, bracket) in enumerate(zip(problem["levels"][:WIDEST], proof["brackets"], strict=False)):
        if "rho" in level:
            yield f"level {t}", f"zero-concentrated privacy with rho = {value_text(level['rho'])}"
            continue
        if "order" in level:
            epsilon = _level(level["epsilon"], bracket["gamma"])
            yield f"level {t}", f"Renyi divergences of order {value_text(level['order'])}: {epsilon}"
            continue
        where = "all pairs of inputs" if level["pairs"] == "all" else f"{len(level['pairs'])} pairs of inputs"
        if "up" in level["epsilon"]:
            yield from _criterion(level["epsilon"])
            ends = distinct_texts(bracket["gamma"]["below"], bracket["gamma"]["above"])
            yield f"level {t}", f"B is between {ends[0]} and {ends[1]}, proved by the rule cover ({tier}); {where}"
        else:
            epsilon = _level(level["epsilon"], bracket["gamma"])
            yield f"level {t}", f"{epsilon}; delta {_delta(level['delta'])}; {where}"
    if len(problem["levels"]) > WIDEST:
        yield "levels", f"and {len(problem['levels']) - WIDEST} more levels"


def _binary_bracket(problem: Any, claim: Any, proof: Any, tier: str) -> Iterator[Line]:
    """Explain a file of the statement binary-bracket."""
    family = " of Warner's designs (p00 = p11)" if problem["family"] == "warner" else ""
    yield "region", f"all mechanisms{family} of 2 inputs, {problem['outputs']} outputs at the level below"
    yield from _levels(problem, proof, tier)
    interval = f"the prevalences (share of input 1) from {value_text(problem['from'])} to {value_text(problem['to'])}"
    if problem["goal"] == "regret":
        what = f"smallest regret (excess of n Var over the least one at the same prevalence), largest over {interval}"
    elif problem["from"] == problem["to"]:
        what = f"smallest n Var of the estimated proportion of input 1, at the prevalence {value_text(problem['from'])}"
    else:
        what = f"smallest n Var of the estimated proportion of input 1, largest over {interval}"
    yield "objective", f"the {what}"
    yield from _claim(problem, {"kind": "binary-bracket", **claim}, proof)
    if claim["optima"] is not None:
        exact = all(end["below"] == end["above"] for end in proof["brackets"][0].values())
        yield from _optima(claim["optima"], claim["set"], exact)
    yield from (("vacuous", sentence) for sentence in vacuous_statement("binary-bracket", problem, claim, proof))


def _composition(problem: Any, claim: Any, proof: Any, tier: str) -> Iterator[Line]:
    """Explain a file of the statement composition."""
    for item in problem["items"][:WIDEST]:
        count, delta = (value_text(item[key]) for key in ("count", "delta"))
        yield "mechanisms", f"{count} at {_level(item['epsilon'], None)}, delta = {delta}"
    if len(problem["items"]) > WIDEST:
        yield "mechanisms", f"and {len(problem['items']) - WIDEST} more items"
    yield "level", _level(problem["epsilon"], None)
    lower, upper = distinct_texts(claim["lower"], claim["upper"])
    yield "proved", f"{lower} <= delta of every adaptive composition at this level, at the worst <= {upper}"
    yield from (("vacuous", sentence) for sentence in vacuous_statement("composition", problem, claim, proof))


def _optima(optima: Any, segment: Any, exact: bool) -> Iterator[Line]:
    where = "" if exact else ", as they are just below the level"
    yield f"all optimal designs with p00 + p11 > 1{where}", "; ".join(map(value_text, optima))
    if segment is not None:
        after, through = (value_text(segment[end]) for end in ("after", "through"))
        yield "and with them", f"all (p00, p11) between {after}, which is left out, and {through}"


def _design_bracket(problem: Any, claim: Any, proof: Any, tier: str) -> Iterator[Line]:
    """Explain a file of the statement design-bracket."""
    yield "region", f"all mechanisms of {problem['inputs']} inputs, {problem['outputs']} outputs at every level below"
    yield from _levels(problem, proof, tier)
    if problem["bounds"] is not None:
        least, most = (value_text(problem["bounds"][key]) for key in ("least", "most"))
        yield "bounds", f"entries at least {least} and at most {most}"
    yield "objective", _objective(problem["objective"])
    population = problem["population"]
    if isinstance(population, dict) and "mixture" in population:
        parts = (f"{value_text(part['weight'])} at {value_text(part['shares'])}" for part in population["mixture"])
        yield "population", f"the mean over a mixture, weight {', '.join(parts)}"
    elif population is not None:
        yield "population", _population(population)
    yield from _claim(problem, {"kind": "design-bracket", **claim}, proof)
    if "point" in proof:
        yield "no mechanism has less than the lower end at", value_text(proof["point"]["shares"])
        yield "an unbiased estimate with at most the upper end", value_text(proof["estimators"][0])
    yield from (("vacuous", sentence) for sentence in vacuous_statement("design-bracket", problem, claim, proof))


_EXPLAINED = {"design-bracket": _design_bracket, "binary-bracket": _binary_bracket, "composition": _composition}


def _problem(problem: Any, claim: Any, witness: Any, note: str) -> Iterator[Line]:
    kind = problem.get("kind")
    if "region" in problem:
        yield from _region(problem["region"], witness, note)
        if claim["kind"] != "infeasible":
            yield "objective", _objective(problem["objective"])
        if claim["kind"] != "infeasible" and problem["objective"]["kind"] not in ("trace", "distance"):
            yield "population", _population(problem["population"])
    elif kind == "bits":
        yield "region", "independent devices, one for each question; the level holds for all responses together"
        yield "level", _level(problem["epsilon"], witness["gamma"])
        yield "objective", _objective(problem["objective"])
    elif kind in ("renyi", "zcdp"):
        yield "mechanism", _diverging(problem["mechanism"], witness.get("local"))
        if kind == "renyi":
            yield "order", value_text(problem["order"])
    elif kind == "shuffled-reports":
        yield "survey", f"{value_text(problem['respondents'])} respondents, whose reports a trusted shuffler mixes"
        yield "device", f"binary randomized response at {_level(problem['local'], witness['local'])}"
        yield "level", _level(problem["epsilon"], witness["gamma"])
    elif kind == "shuffled-mechanism":
        yield "survey", f"{value_text(problem['respondents'])} respondents, whose reports a trusted shuffler mixes"
        yield "mechanism", _reporting(problem["mechanism"], witness.get("local"))
        yield "level", _level(problem["epsilon"], witness["gamma"])
    elif kind == "mechanism":
        yield "mechanism", value_text(problem["mechanism"])
        if problem["level"] is not None:
            yield "level", _level(problem["level"], witness.get("gamma"))
    elif kind == "garbling":
        yield from ((part, value_text(problem[part])) for part in ("source", "target"))
    elif kind == "likelihood":
        for group in problem["groups"]:
            yield "answers", f"{value_text(group['counts'])} through {value_text(group['mechanism'])}"
    elif kind == "linear-programme":
        if claim["kind"] != "infeasible":
            yield "objective", f"{problem['sense']} {combination_text(enumerate(problem['cost']))}"
        rows, variables = len(problem["rows"]), len(problem["cost"])
        yield "constraints", f"{rows} rows in {variables} variables; the first of them follow"
        for row in problem["rows"][:WIDEST]:
            yield "constraint", f"{combination_text(row['coefficients'])} {row['relation']} {value_text(row['bound'])}"
        free = [f"x{j}" for j, sign in enumerate(problem["signs"]) if sign == "free"]
        yield "signs", f"x >= 0{' but for ' + ', '.join(free[:20]) + ' ...' * (len(free) > 20) if free else ''}"
    elif kind == "identity":
        yield "variables", ", ".join(problem["variables"]) or "none"
        yield from (("relation", f"{expression_text(relation)} = 0") for relation in problem["relations"])
        yield from ((side, expression_text(problem[side])) for side in ("left", "right"))
    elif kind == "inequality":
        yield from _inequality(problem)
    elif kind == "criterion":
        yield from _criterion(problem)
    else:
        raise _unknown(kind)


def _reporting(mechanism: Any, bracket: Any) -> str:
    """Describe the mechanism of a certificate of rule 33."""
    if mechanism["kind"] == "binary":
        zero, one = value_text(mechanism["zero"]), value_text(mechanism["one"])
        return f"binary device: the report is 1 with the chance {zero} at input 0, {one} at input 1"
    level = _level(mechanism["local"], bracket)
    if mechanism["kind"] == "any":
        return f"any mechanism, differentially private with delta = 0, at {level}"
    if mechanism["kind"] != "kary":
        raise _unknown(mechanism["kind"])
    return f"{value_text(mechanism['categories'])}-ary randomized response at {level}"


def _diverging(mechanism: Any, bracket: Any) -> str:
    """Describe the mechanism of a certificate of rule 29."""
    if "matrix" in mechanism:
        return value_text(mechanism)
    if mechanism["kind"] != "kary":
        raise _unknown(mechanism["kind"])
    k, level = value_text(mechanism["categories"]), _level(mechanism["local"], bracket)
    if "/" in mechanism["categories"]:
        return f"the laws (g, 1, k - 2)/(g + k - 1) and (1, g, k - 2)/(g + k - 1), g = exp(epsilon), k = {k}, {level}"
    return f"{k}-ary randomized response at {level}"


def _inequality(problem: Any) -> Iterator[Line]:
    yield "parameters", ", ".join(problem["parameters"]) or "none"
    for hypothesis in problem["hypotheses"]:
        yield "hypothesis", f"{expression_text(hypothesis['polynomial'])} {hypothesis['relation']} 0"
    if problem["variables"]:
        yield "variables", ", ".join(problem["variables"])
    for simplex in problem["domain"]:
        corners = (f"[{', '.join(map(expression_text, vertex))}]" for vertex in simplex)
        yield "domain", f"the simplex of the points X/w over mixtures of [w, X] in {', '.join(corners)}, all w >= 0"
    yield "polynomial", expression_text(problem["polynomial"])


def _criterion(problem: Any) -> Iterator[Line]:
    for side, what in (("up", "posterior at most"), ("down", "posterior at least")):
        start, bracket = "0", "["
        for piece in (problem[side] or {"pieces": []})["pieces"]:
            end = value_text(piece["to"])
            yield (
                f"{what}, prior p in {bracket}{start}, {end}{']' if piece['closed'] else ')'}",
                expression_text(piece["value"]),
            )
            start, bracket = end, "(" if piece["closed"] else "["


def _region(region: Any, witness: Any, tier: str) -> Iterator[Line]:
    inner = region["region"] if region["kind"] == "bounded" else region
    if inner["kind"] == "pairwise-privacy":
        yield "region", f"a level for each pair of inputs: {inner['inputs']} inputs, {inner['outputs']} outputs"
        for j, (row, brackets) in enumerate(zip(inner["levels"], witness["gamma"], strict=True)):
            for i, (level, bracket) in enumerate(zip(row, brackets, strict=True)):
                if level is not None:
                    yield f"level of inputs {j} and {i}", _level(level, bracket)
    elif inner["kind"] == "criterion":
        yield "region", f"all mechanisms of {inner['inputs']} inputs, {inner['outputs']} outputs with parity at most B"
        yield from _criterion(inner)
        below, above = distinct_texts(witness["gamma"]["below"], witness["gamma"]["above"])
        yield "level", f"B is between {below} and {above}, proved by the rule cover ({tier})"
    elif inner["kind"] == "differential-privacy":
        family = " (Warner's designs, p00 = p11)" if inner["family"] == "warner" else ""
        yield "region", _ONE_LEVEL.format(**{**inner, "family": family})
        yield "level", _level(inner["epsilon"], witness["gamma"])
        yield "delta", _delta(inner["delta"])
    else:
        raise _unknown(inner["kind"])
    if region["kind"] == "bounded":
        yield "bounds", f"entries at least {value_text(region['least'])} and at most {value_text(region['most'])}"


def _unknown(kind: Any) -> ValueError:
    """Return the error of a kind without words of its own: no kind is taken for another one."""
    return ValueError(f"a kind without words: {kind!r}")


def _delta(delta: Any) -> str:
    return value_text(delta) if isinstance(delta, str) else f"exp({value_text(delta['exp'])})"


def _level(level: Any, bracket: Any) -> str:
    if "rational" in level:
        text = value_text(level["rational"])
    else:
        text = f"{value_text(level['times']) + ' ' if 'times' in level else ''}log {value_text(level['log'])}"
    if not bracket or bracket["below"] == bracket["above"]:
        return f"epsilon = {text}"
    below, above = distinct_texts(bracket["below"], bracket["above"])
    return (
        f"epsilon = {text}; a mechanism is held against gamma = {below}, just below exp(epsilon), and "
        f"a bound against {above}, just above"
    )


def _objective(objective: Any) -> str:
    parts = {key: value_text(value) for key, value in objective.items()}
    return _OBJECTIVES[objective["kind"]].format(**parts)


def _population(population: Any) -> str:
    if isinstance(population, list):
        return value_text(population)
    if "runs" in population:
        return value_text(population)
    if "uniform" in population:
        return f"{population['uniform']} categories, equally frequent"
    if "rows" in population:
        rows = [(combination_text(enumerate(row["coefficients"])), row) for row in population["rows"]]
        listed = [f"{text} {row['relation']} {value_text(row['bound'])}" for text, row in rows]
        return f"every one whose shares x satisfy {_first(listed)}"
    return f"every mixture of {_first(list(map(value_text, population['vertices'])))}"


def _first(listed: list[str]) -> str:
    return ", ".join(listed[:WIDEST]) + ", ..." * (len(listed) > WIDEST)


def _claim(problem: Any, claim: Any, witness: Any) -> Iterator[Line]:
    kind = claim["kind"]
    if kind == "infimum":
        yield from _infimum(claim)
    elif kind in ("divergence", "rho") and claim["lower"] == "infinite":
        yield "proved", "the divergence is infinite: a response has chance 0 at one of two inputs only"
    elif kind == "infeasible":
        variance = problem.get("objective") == {"kind": "variance"}
        subject = "point meets the constraints" if "kind" in problem else "mechanism is in the region"
        yield "proved", "no " + ("design in the region has p00 + p11 other than 1" if variance else subject)
    elif kind in ("design-bracket", "binary-bracket"):
        what = "minimax value over these populations" if "point" in witness else "optimum"
        lower, upper = distinct_texts(claim["lower"], claim["upper"])
        exact = claim["lower"] == claim["upper"]  # numbers are canonical, so equal numbers have equal texts
        yield "proved", f"the {what} is {lower}" if exact else f"{lower} <= {what} <= {upper}"
    else:
        if kind not in _CLAIMS:
            raise _unknown(kind)
        words = {key: value_text(value) for key, value in claim.items()}
        if "lower" in claim:
            words["lower"], words["upper"] = distinct_texts(claim["lower"], claim["upper"])
        yield "proved", _CLAIMS[kind].format(**words)
    if "mechanism" in claim:
        yield "mechanism, in the region and with a value in this bracket", value_text(claim["mechanism"])
    if kind == "inadmissible":
        yield "a better one", value_text(witness["dominating"])


def _infimum(claim: Any) -> Iterator[Line]:
    if claim["lower"] == "infinite":
        yield "proved", "B is infinite: the criterion allows every mechanism"
        return
    lower, upper = distinct_texts(claim["lower"], claim["upper"])
    known = f"B = {lower}" if claim["lower"] == claim["upper"] else f"{lower} <= B <= {upper}"
    yield "proved", f"{known}: a mechanism meets the criterion iff its parity is at most B"
    attained = {True: "attained", False: "approached, not attained", None: "attained or not: nothing is claimed"}
    yield "infimum of the odds ratio", attained[claim["attained"]]
    at = claim["at"]
    ends = {"0+": "as p falls to 0", "1-": "as p rises to 1"}
    place = (
        f"for p between {value_text(at['from'])} and {value_text(at['to'])}" if isinstance(at, dict) else ends.get(at)
    )
    yield "shown not to be larger", place or f"at p = {value_text(at)}"
