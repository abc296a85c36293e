"""Which function judges which rule, over which problems and claims."""

from . import (
    audits,
    blankets,
    blocks,
    compositions,
    concentrated,
    cones,
    covers,
    designs,
    divergences,
    orbits,
    orders,
    positivity,
    programmes,
    rays,
    regressions,
    saddles,
    shuffles,
    traces,
)
from .invariants import invariants
from .reading import RefusedError, document, keys, want

RULES = {  # rule: (function, kinds of problems, claims)
    "vertex": (designs.vertex, {None}, {"optimal-design"}),
    "interval": (designs.interval, {None}, {"minimax-design", "least-regret-design"}),
    "linear-programme": (
        programmes.linear_programme,
        {None: {"design-bracket"}, "linear-programme": {"optimal-value"}},
        None,
    ),
    "farkas": (programmes.farkas, {None, "linear-programme"}, {"infeasible"}),
    "pattern": (programmes.pattern, {None}, {"design-bracket"}),
    "orbits": (orbits.orbits, {None}, {"design-bracket"}),
    "rays": (rays.rays, {None}, {"design-bracket"}),
    "divergence-design": (divergences.divergence_design, {None}, {"design-bracket"}),
    "saddle": (saddles.saddle, {None}, {"design-bracket"}),
    "cones": (cones.cones, {None}, {"design-bracket"}),
    "merged-outputs": (programmes.merged_outputs, {None}, {"design-bracket"}),
    "cover": (covers.cover, {"criterion"}, {"infimum"}),
    "garbling": (orders.garbling, {"garbling"}, {"garbling"}),
    "decision": (orders.decision, {"garbling"}, {"no-garbling"}),
    "composition": (compositions.composition, {"composition"}, {"composed-delta"}),
    "composition-fourier": (compositions.composition_fourier, {"composition"}, {"composed-delta"}),
    "composition-lattice": (compositions.composition_lattice, {"composition"}, {"composed-delta"}),
    "likelihood": (orders.likelihood, {"likelihood"}, {"estimate"}),
    "regression-cover": (regressions.cover, {"regression", "logistic-regression"}, {"global-maximum"}),
    "regression-box": (regressions.box, {"regression", "logistic-regression"}, {"local-maximum", "global-maximum"}),
    "parity": (orders.mechanisms, {"mechanism"}, {"parity", "profile"}),
    "admissible": (orders.mechanisms, {"mechanism"}, {"admissible"}),
    "dominated": (orders.mechanisms, {"mechanism"}, {"inadmissible"}),
    "blocks": (blocks.blocks, {None}, {"design-bracket"}),
    "shuffled-blocks": (shuffles.shuffled, {"shuffled-reports"}, {"shuffled-delta"}),
    "shuffled-blanket": (blankets.blanket, {"shuffled-mechanism"}, {"shuffled-delta"}),
    "renyi": (concentrated.renyi, {"renyi"}, {"divergence"}),
    "zcdp": (concentrated.zcdp, {"zcdp"}, {"rho"}),
    "trace": (traces.trace, {None}, {"design-bracket"}),
    "binomial-tails": (audits.binomial_tails, {"audit-counts"}, {"refuted"}),
    "e-value": (audits.e_value, {"audit-pairs"}, {"refuted"}),
    "bits": (orders.bits, {"bits"}, {"design-bracket"}),
    "minimax-risk": (orders.minimax_risk, {"minimax-risk"}, {"minimax-risk"}),
    "identity": (positivity.identity, {"identity"}, {"identity"}),
    "handelman": (positivity.handelman, {"inequality"}, {"nonnegative", "positive"}),
    "bernstein": (positivity.bernstein, {"inequality"}, {"nonnegative", "positive"}),
}


def judge(text):
    """None if the file is accepted, else the reason."""
    try:
        kind, problem, claim, witness = keys(document(text), ["format", "problem", "claim", "witness"])
        want(kind == "rropt-certificate/1", "the format")
        want(all(isinstance(part, dict) for part in (problem, claim, witness)), "three objects")
        rule = witness.get("rule")
        want(isinstance(rule, str) and rule in RULES, "a rule that is not judged here")
        function, problems, claims = RULES[rule]
        want(all(isinstance(part.get("kind", ""), str) for part in (problem, claim)), "a kind is a text")
        want(problem.get("kind") in problems, "a problem of another rule")
        want(claim.get("kind") in (claims or problems[problem.get("kind")]), "a claim of another rule")
        function(problem, claim, witness)
        invariants(problem, claim, witness)
    except RefusedError as refused:
        return str(refused)
    return None
