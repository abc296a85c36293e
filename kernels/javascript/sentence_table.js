// A copy of rropt/checker/sentences.json; a test compares them.

export const TABLE = {
 "statement": {
  "design-bracket": "{problem.objective:goal}, with {problem.inputs} categories and {problem.outputs:outputs}, {problem.population:population}, over all mechanisms with {problem.levels:levels}{problem.bounds:bounds}, lies in [{claim.lower}, {claim.upper}]. The mechanism {claim.mechanism} is one of these and proves its end.",
  "binary-bracket": "{problem:binary-goal}, with 2 categories and {problem.outputs:outputs}, over {problem.family:family} with {problem.levels:levels}, lies in [{claim.lower}, {claim.upper}]. The mechanism {claim.mechanism} is one of these and proves the upper end.{claim.optima:optima}{claim.set:segment}",
  "composition": "The least delta with which every adaptive composition of {problem.items:items} is private at {problem.epsilon:level} lies in [{claim.lower}, {claim.upper}].",
  "budget-split": "{problem.objective:goal}, over independent devices, one for each question, whose responses together have {problem.epsilon:level}, lies in [{claim.lower}, {claim.upper}]. The devices {claim.mechanism} are some of these and prove the upper end.",
  "optimal-value": "The least value of {problem.cost}.x, over all x with the signs {problem.signs} that meet the rows {problem.rows*row|; }, lies in [{claim.lower}, {claim.upper}]. The point {claim.point} is one of these and proves the upper end.",
  "infeasible": "There is no {problem:nothing}.",
  "garbling": "The mechanism {problem.target.matrix} {claim.exists:is} the mechanism {problem.source.matrix}, followed by a randomization.",
  "mechanism-levels": "Of the mechanism {problem.mechanism.matrix}{problem.level:at-level}: {claim:of-mechanism}.",
  "parity-bound": "The infimum B of the odds ratio of the criterion with {problem.up:up} and {problem.down:down} lies in [{claim.lower}, {claim.upper}]; {claim.attained:attained}; it is shown not to be larger {claim.at:place}.",
  "polynomial": "For all parameters {problem.parameters}{problem.hypotheses:hypotheses}{problem.variables:variables}{problem.domain:domain}{claim.relation:divisors}: {problem.left} {claim.relation} {problem.right}.",
  "likelihood-gap": "For the responses {problem.groups*group|; }: no distribution has a log-likelihood per response more than {claim.gap} above that of {claim.point}.",
  "divergence-level": "{problem.order:divergence} {problem.mechanism:diverging} lies in [{claim.lower}, {claim.upper}].",
  "shuffled": "The least delta at {problem.epsilon:level} of the shuffled reports of {problem.respondents} respondents by {problem.device:reporting}, over all neighbouring data sets, lies in [{claim.lower}, {claim.upper}]."
 },
 "is": {"true": "is", "false": "is not"},
 "of-mechanism": {
  "parity": "the largest ratio of two entries of a row is {parity}",
  "lower": "the least delta with which it is private lies in [{lower}, {upper}]",
  "admissible": "{admissible:admissible}"
 },
 "admissible": {
  "true": "it is admissible, none within the class C_gamma of this level is strictly better in Blackwell's order",
  "false": "it is inadmissible, another one within the class C_gamma of this level is strictly better in Blackwell's order"
 },
 "goal": {
  "variance": "The least n Var of the estimated prevalence of the second category",
  "trace": "The largest sum of the weights {weights} times the probabilities of the true responses",
  "loss": "The least expected loss, with the losses {matrix} by output (rows) and truth",
  "distance": "The least distance ({norm:norm}) to the matrix {matrix}",
  "a-optimal": "The least trace of n times the covariance of unbiased estimates of the proportions",
  "c-optimal": "The least n times the variance of unbiased estimates of {contrast} times the proportions",
  "d-optimal": "The largest ln det M, M the information of one response",
  "e-optimal": "The least n times the variance of unbiased estimates of the worst contrast of norm 1",
  "mutual-information": "The largest mutual information of truth and output in nats",
  "total-variation": "The largest total variation of the outputs from those under {against}",
  "chi-square": "The largest chi-square of the outputs from those under {against}",
  "contrasts": "The least sum of n times the variances of unbiased estimates of the contrasts {contrasts}",
  "payoff": "The largest expected payoff of the best decision, with the payoffs {matrix} by decision (rows) and truth",
  "kullback-leibler": "The largest Kullback-Leibler divergence in nats of the outputs from those under {against}",
  "hellinger": "The largest squared Hellinger distance of the outputs from those under {against}",
  "jensen-shannon": "The largest Jensen-Shannon divergence in nats of the outputs from those under {against}",
  "alpha-divergence": "The largest alpha-divergence of order {order} of the outputs from those under {against}",
  "marginals": "The least sum of the weights {weights} times n Var of the estimated prevalences {prevalences} of the questions",
  "joint": "The least trace of n times the covariance of the estimated joint distribution of {questions} questions, for every distribution whose squared proportions sum to {squares}"
 },
 "nothing": {
  "levels": "mechanism with {inputs} categories and {outputs:outputs}, with {levels:levels}{bounds:bounds}",
  "signs": "x with the signs {signs} that meets the rows {rows*row|; }"
 },
 "norm": {"largest": "the largest one of the entries", "total": "the sum over the entries"},
 "binary-goal": {
  "from = to": "{goal:goal-at} at prevalence {from} of input 1",
  "from": "{goal:goal-over} for prevalences of input 1 from {from} to {to}"
 },
 "goal-at": {
  "variance": "The least n Var of the estimated prevalence",
  "regret": "The least regret, the excess of n Var over its least value,"
 },
 "goal-over": {
  "variance": "The least worst case of n Var of the estimated prevalence",
  "regret": "The least worst case of the regret, the excess of n Var over its least value,"
 },
 "family": {"all": "all mechanisms", "warner": "the mechanisms with p00 = p11"},
 "outputs": {"any": "any number of outputs", "number": "{.} outputs"},
 "population": {
  "null": "whatever the distribution of the categories",
  "list": "for the distribution {.} of the categories",
  "mixture": "in the mean over the mixture {mixture*part|; }",
  "vertices": "in the worst case over all mixtures of the distributions {vertices}",
  "rows": "in the worst case over the distributions x with {rows*row|; }",
  "uniform": "for {uniform} equally frequent categories",
  "runs": "for the distribution with runs of [number, share] {runs}"
 },
 "part": "weight {weight} at {shares}",
 "row": "{coefficients}.x {relation:relation} {bound}",
 "relation": {"<=": "<=", ">=": ">=", "=": "=", ">": ">"},
 "bounds": {"null": "", "least": ", and with entries at least {least} and at most {most}"},
 "levels": {"empty": "no level of privacy", "list": "{.*entry|; and }"},
 "entry": {
  "rho": "zero-concentrated privacy with rho = {rho}",
  "order": "Renyi divergences of order {order} up to {epsilon:level}",
  "pairs": "{epsilon:epsilon}, {delta:delta}, for {pairs:pairs}"
 },
 "epsilon": {
  "up": "a parity of at most the infimum B of the criterion with {up:up} and {down:down}",
  "times": "epsilon = {times} log {log}",
  "log": "epsilon = log {log}",
  "rational": "epsilon = {rational}"
 },
 "level": {
  "times": "epsilon = {times} log {log}",
  "log": "epsilon = log {log}",
  "rational": "epsilon = {rational}"
 },
 "at-level": {
  "null": "",
  "times": " at epsilon = {times} log {log}",
  "log": " at epsilon = log {log}",
  "rational": " at epsilon = {rational}"
 },
 "delta": {"exp": "delta = exp({exp})", "number": "delta = {.}"},
 "pairs": {"all": "all pairs of categories", "list": "the pairs {.} of categories"},
 "up": {"null": "no upper bound of posteriors", "pieces": "posteriors at most {pieces*piece|, }"},
 "down": {"null": "no lower bound of posteriors", "pieces": "posteriors at least {pieces*piece|, }"},
 "piece": "{value} for priors p up to {to} {closed:closed}",
 "closed": {"true": "(included)", "false": "(left out)"},
 "attained": {"true": "it is attained", "false": "it is approached and not attained", "null": "whether it is attained is not claimed"},
 "place": {
  "null": "anywhere",
  "0+": "as p falls to 0",
  "1-": "as p rises to 1",
  "from": "for p between {from} and {to}",
  "number": "at p = {.}"
 },
 "items": {"empty": "no mechanism", "list": "{.*item|; }"},
 "item": "{count} mechanisms with {epsilon:level}, {delta:delta}",
 "optima": {"null": "", "list": " All optimal designs with p00 + p11 > 1: {.}"},
 "segment": {"null": ".", "after": ", and all (p00, p11) after {after} through {through}."},
 "hypotheses": {"empty": "", "list": " with {.*hypothesis|, }"},
 "hypothesis": "{polynomial} {relation:relation} 0",
 "variables": {"empty": "", "list": " and all variables {.}"},
 "divisors": {"=": ", wherever no divisor is 0", ">=": "", ">": ""},
 "domain": {"empty": "", "list": " on those of the simplices with the corners [w, X] {.} whose weights w are all at least 0"},
 "group": "{counts} through {mechanism:through}",
 "through": {"matrix": "the matrix {matrix}", "product": "the product of the matrices {product}"},
 "divergence": {
  "null": "Rho of zero-concentrated privacy (the supremum of D_a/a over the orders a) of",
  "number": "The Renyi divergence of order {.}, largest over the pairs of inputs of"
 },
 "diverging": {
  "kary": "{categories}-ary randomized response with {local:level} (the laws (g, 1, k - 2)/(g + k - 1) and (1, g, k - 2)/(g + k - 1), k = {categories})",
  "matrix": "the mechanism {matrix}"
 },
 "reporting": {
  "warner": "binary randomized response with {local:level}",
  "kary": "{categories}-ary randomized response with {local:level}",
  "binary": "a device whose report is 1 with the chance {zero} at input 0 and {one} at input 1",
  "any": "any mechanism with {local:level} and delta = 0"
 }
};
