(* Prints the claim of an accepted record in the words of Statement.v. A reader compares this text with his question: it
   comes from the record that was checked, so that he need not trust the reader of the file. *)

open Kernel

let fraction q =
  if Z.equal q.qden Z.one then Z.to_string q.qnum else Z.to_string q.qnum ^ "/" ^ Z.to_string q.qden

let between left right parts = left ^ String.concat ", " parts ^ right
let vector v = between "[" "]" (List.map fraction v)
let matrix a = between "[" "]" (List.map vector a)
let nat (n : nat) = string_of_int (n :> int)
let integer (p : positive) = Z.to_string (p :> Z.t)

let level = function
  | Log (q, a, b) when integer a = "1" && integer b = "1" -> Printf.sprintf "log(%s)" (fraction q)
  | Log (q, a, b) -> Printf.sprintf "(%s/%s) log(%s)" (integer a) (integer b) (fraction q)
  | Rational r -> fraction r

let slack = function Slack d -> fraction d | Exponential r -> Printf.sprintf "exp(%s)" (fraction r)

let pairs = function
  | AllPairs -> "all pairs of categories"
  | SomePairs s -> "pairs " ^ String.concat " " (List.map (fun (j, l) -> Printf.sprintf "(%s, %s)" (nat j) (nat l)) s)

let rec expression = function
  | NumberOf c -> if Z.sign c.qnum < 0 || not (Z.equal c.qden Z.one) then "(" ^ fraction c ^ ")" else fraction c
  | VariableOf i -> "x" ^ nat i
  | SumOf (a, b) -> Printf.sprintf "(%s + %s)" (expression a) (expression b)
  | ProductOf (a, b) -> Printf.sprintf "%s %s" (expression a) (expression b)
  | Negative a -> Printf.sprintf "(-%s)" (expression a)
  | PowerOf (a, n) -> Printf.sprintf "(%s)^%s" (expression a) (nat n)
  | QuotientOf (a, b) -> Printf.sprintf "((%s) / (%s))" (expression a) (expression b)

let bound h =
  String.concat ", "
    (List.map (fun s -> Printf.sprintf "%s where x0 %s %s" (expression s.formula) (if s.closed then "<=" else "<") (fraction s.stop)) h)

(* The first piece whose condition holds is meant. *)
let criterion (up, down) =
  let side words = function None -> [] | Some h -> [ Printf.sprintf "%s {%s}" words (bound h) ] in
  "every posterior probability of a property with the prior probability x0, 0 < x0 < 1, is "
  ^ String.concat " and " (side "at most" up @ side "at least" down)
  ^ " (the first case that applies)"

(* What B times the odds of the prior are compared with, as in `odds_compare`. *)
let odds (up, down) =
  let side words = function None -> [] | Some _ -> [ words ] in
  String.concat " and "
    (side "B x0 (1 - h) <= (1 - x0) h for the bound h from above" up
     @ side "B (1 - x0) h <= x0 (1 - h) for the bound h from below" down)

let condition = function
  | AtLevel (e, d, s) -> Printf.sprintf "epsilon = %s, delta = %s for %s" (level e) (slack d) (pairs s)
  | Posteriors (up, down) -> criterion (up, down)

let region r =
  let bounds =
    match r.entries with
    | None -> []
    | Some (least, most) -> [ Printf.sprintf "entries between %s and %s" (matrix least) (matrix most) ]
  in
  match List.map condition r.conditions @ bounds with [] -> "no condition" | parts -> String.concat "; " parts

let rec objective = function
  | Estimate c -> "n times the variance of unbiased estimates of C q, C = " ^ matrix c
  | Trace w -> "trace with the weights " ^ vector w
  | Loss l -> "expected loss, L = " ^ matrix l
  | LargestDistance a -> "largest difference from " ^ matrix a
  | TotalDistance a -> "total difference from " ^ matrix a
  | Payoff u -> "expected gain, U = " ^ matrix u
  | TotalVariation r -> "total variation against " ^ vector r
  | ChiSquare r -> "chi-square against " ^ vector r
  | MutualInformation -> "mutual information of category and output, natural logarithms"
  | KullbackLeibler r -> "Kullback-Leibler divergence from " ^ vector r ^ ", natural logarithms"
  | Hellinger r -> "squared Hellinger distance, half the sum of squares, from " ^ vector r
  | JensenShannon r -> "Jensen-Shannon divergence from " ^ vector r ^ ", natural logarithms"
  | AlphaDivergence (r, order) ->
    Printf.sprintf "alpha-divergence from %s of order r = %s, (sum a^r b^(1-r) - 1)/(r (r - 1))" (vector r) (fraction order)
  | Mixture (o, w, qs) ->
    Printf.sprintf "sum with the weights %s, at the populations %s, of: %s" (vector w) (matrix qs) (objective o)
  | EstimateMixture (c, w, qs) ->
    Printf.sprintf
      "sum with the weights %s, at the populations %s, of: n times the variance of unbiased estimates of C q, an estimator for each, C = %s"
      (vector w) (matrix qs) (matrix c)

let bracket objective p lower upper a =
  Printf.sprintf "%s categories, %s outputs, %s; %s%s; %s <= optimum <= %s; the mechanism %s is allowed and proves its bound"
    (nat p.categories)
    (match p.outputs with None -> "any number of" | Some m -> nat m)
    (region p.region_of) objective
    (match p.objective_of with
     | Trace _ | LargestDistance _ | TotalDistance _ -> ""   (* does not depend on the population *)
     | _ -> "; population " ^ vector p.population)
    (fraction lower) (fraction upper) (matrix a)

let relation = function AtMost -> "<=" | AtLeast -> ">=" | Equal -> "="

let form f =
  match f with [] -> "0" | _ -> String.concat " + " (List.map (fun (v, c) -> Printf.sprintf "%s x%s" (fraction c) (nat v)) f)

let program p =
  Printf.sprintf "minimise %s . x subject to %s; free variables: %s" (vector p.cost)
    (match p.rows with
     | [] -> "no rows"
     | rows ->
       String.concat "; " (List.map (fun r -> Printf.sprintf "%s %s %s" (form r.form_of) (relation r.relation_of) (fraction r.bound_of)) rows))
    (match List.filteri (fun i _ -> List.nth p.free i) (List.mapi (fun i _ -> Printf.sprintf "x%d" i) p.free) with
     | [] -> "none"
     | names -> String.concat ", " names)

let binary_region r =
  Printf.sprintf "2 categories, 2 outputs, %s%s"
    (match r.binary_condition with
     | AtLevel (e, d, _) -> Printf.sprintf "epsilon = %s, delta = %s" (level e) (slack d)
     | Posteriors (up, down) -> criterion (up, down))
    (if r.symmetric then ", p00 = p11" else "")

let level_words r =
  match r.binary_condition with
  | AtLevel _ -> "gamma = exp(epsilon)"
  | Posteriors _ -> "gamma the largest ratio of two entries of a row that the criterion allows, and delta = 0,"

let corner = function
  | Balanced -> "p00 = p11 = (gamma + delta)/(gamma + 1)"
  | FirstCertain -> "(p00, p11) = (1, delta)"
  | SecondCertain -> "(p00, p11) = (delta, 1)"

let all = function [] -> "always" | parts -> "where " ^ String.concat " and " parts
let at_point = function None -> "" | Some y -> "; there is such a point, " ^ vector y
let positive (strict, e) = expression e ^ if strict then " > 0" else " >= 0"

let point s =
  if Z.sign s.factor.qnum = 0 then fraction s.rational
  else Printf.sprintf "%s + %s sqrt(%s)" (fraction s.rational) (fraction s.factor) (Z.to_string (s.radicand :> Z.t))

let set s = String.concat "" (List.map (fun b -> if b then "1" else "0") s)
let upto = function None -> "without end" | Some s -> "to " ^ point s

let level_piece s =
  Printf.sprintf "%s: (%s + %s gamma)/(%s + gamma), rows %s" (upto s.ending) (fraction s.value_a) (fraction s.value_b)
    (fraction s.value_c)
    (String.concat ", " (List.map (fun r -> Printf.sprintf "(%s, %s, %s)" (nat r.output_of) (set r.set_of) (fraction r.weight_of)) s.cover))

let claim = function
  | EveryLevel (k, costs, from, to_, pieces) ->
    Printf.sprintf
      "EveryLevel: %s categories, costs %s of outputs and categories; at every gamma = exp(epsilon) from %s %s the least expected cost is \
       that of its piece: %s; the mechanism of a piece answers with the sum of x (times gamma for categories of the set) over its rows \
       (output, set, x) divided by gamma - 1 + the sum of all x, and attains it"
      (nat k) (matrix costs) (point from) (upto to_)
      (String.concat "; " (List.map level_piece pieces))
  | BudgetSplit (e, weights, shares, lower, upper, devices) ->
    Printf.sprintf
      "BudgetSplit: %d questions, together epsilon = %s, weights %s, shares of yes %s; %s <= least weighted sum of n Var <= %s; the \
       devices %s are at the level and have at most this value"
      (List.length weights) (level e) (vector weights) (vector shares) (fraction lower) (fraction upper)
      (between "[" "]" (List.map matrix devices))
  | JointSplit (e, n, squares, lower, upper, devices) ->
    Printf.sprintf
      "JointSplit: %s yes/no questions, together epsilon = %s, any population whose squared shares of the 2^%s cells sum to %s; %s <= \
       least trace of n Cov of unbiased estimates of all these shares <= %s; the devices %s are at the level and have at most this value"
      (nat n) (level e) (nat n) (fraction squares) (fraction lower) (fraction upper)
      (between "[" "]" (List.map matrix devices))
  | BestDesigns (r, pi, lower, upper, a, corners, gamma, delta, listed) ->
    Printf.sprintf
      "BestDesigns: %s; share %s of category 1; %s <= least n Var <= %s; the mechanism %s is allowed and has at most this value; \
       with %s the optimal designs with p00 + p11 > 1 are %s%s; at gamma = %s, delta = %s these are %s"
      (binary_region r) (fraction pi) (fraction lower) (fraction upper) (matrix a) (level_words r)
      (String.concat ", " (List.map corner corners))
      (if fraction pi = "0" then ", and those with p00 = 1 and 0 < p11 <= delta that are allowed"
       else if fraction pi = "1" then ", and those with p11 = 1 and 0 < p00 <= delta that are allowed"
       else "")
      (fraction gamma) (fraction delta)
      (String.concat ", " (List.map matrix listed))
  | WorstCase (r, least, most, lower, upper, a) ->
    Printf.sprintf
      "WorstCase: %s; shares of category 1 between %s and %s; %s <= least worst-case n Var <= %s, the mechanism %s is allowed and has \
       at most this worst case"
      (binary_region r) (fraction least) (fraction most) (fraction lower) (fraction upper) (matrix a)
  | Regret (r, least, most, lower, upper, a) ->
    Printf.sprintf
      "Regret: %s; shares of category 1 between %s and %s; %s <= least regret of n Var <= %s, the mechanism %s is allowed and has at \
       most this regret"
      (binary_region r) (fraction least) (fraction most) (fraction lower) (fraction upper) (matrix a)
  | Identity (relations, a, b, point) ->
    Printf.sprintf "Identity: %s = %s, %s and nothing is divided by 0%s" (expression a) (expression b)
      (all (List.map (fun r -> expression r ^ " = 0") relations))
      (at_point point)
  | Inequality (hypotheses, strict, e, point) ->
    Printf.sprintf "Inequality: %s, %s%s" (positive (strict, e)) (all (List.map positive hypotheses)) (at_point point)
  | Bracket (p, lower, upper, a) -> "Bracket: " ^ bracket (objective p.objective_of) p lower upper a
  | ConditionalVariance (k, n, r, x, lower, upper, a) ->
    Printf.sprintf
      "ConditionalVariance: %s categories with the numbers %s, %s outputs, %s; %s <= the least possible largest variance, given a \
       category, of a report that is unbiased given each category <= %s; the mechanism %s is allowed and has such reports"
      (nat k) (vector x)
      (match n with None -> "any number of" | Some m -> nat m)
      (region r) (fraction lower) (fraction upper) (matrix a)
  | WorstContrast (p, lower, upper, a) ->
    "WorstContrast: " ^ bracket "n times the variance of the estimate of the worst contrast of length 1" p lower upper a
  | Determinant (p, lower, upper, a) ->
    let words = "minus the natural logarithm of the determinant of n times the covariance of unbiased estimates of all shares but the last" in
    "Determinant: " ^ bracket words p lower upper a
  | NoMechanism (k, m, r) -> Printf.sprintf "NoMechanism: %s categories, %s outputs, %s; no mechanism is allowed" (nat k) (nat m) (region r)
  | Optimum (p, lower, upper, x) ->
    Printf.sprintf "Optimum: %s; %s <= optimum <= %s; the point %s is feasible and has at most this value" (program p) (fraction lower)
      (fraction upper) (vector x)
  | NoPoint p -> Printf.sprintf "NoPoint: %s; no point is feasible" (program p)
  | LargestRatio (up, down, lower, upper, attained) ->
    Printf.sprintf
      "LargestRatio: %s <= B <= %s for the largest ratio B of odds: the largest number with %s at every x0, where %s%s; if B >= 1, a \
       mechanism has such posterior probabilities if and only if no ratio of two entries of a row is above B"
      (fraction lower) (fraction upper)
      (odds (up, down))
      (criterion (up, down))
      (match attained with
       | None -> ""
       | Some true -> "; some prior probability attains B"
       | Some false -> "; no prior probability attains B")
  | Garbling (k, s, t) ->
    Printf.sprintf "Garbling: %s categories; %s is a garbling of %s" (nat k) (matrix t) (matrix s)
  | NoGarbling (k, s, t) ->
    Printf.sprintf "NoGarbling: %s categories; %s is not a garbling of %s" (nat k) (matrix t) (matrix s)
