(* What the checker proves. A certificate that it accepts has a claim; `true_claim` says what the claim means. The words
   mechanism, private_pair, unbiased, n_variance and the criteria are those of Definitions.v of the registry. *)

From Coq Require Import Reals QArith Qreals List.
From Rropt Require Import Definitions.
Import ListNotations.
Local Open Scope R_scope.

(* A list of rationals is read as a function of an index, a list of rows as a function of two; beyond the end they are 0. *)
Definition vec (v : list Q) (j : nat) : R := Q2R (nth j v 0%Q).
Definition mat (a : list (list Q)) (i j : nat) : R := vec (nth i a []) j.

(* Levels: epsilon = (a/b) log q, or a rational; delta is a rational, or exp of one. *)
Inductive level := Log (q : Q) (a b : positive) | Rational (r : Q).
Inductive slack := Slack (d : Q) | Exponential (r : Q).
Definition epsilon_of (l : level) : R :=
  match l with Log q a b => IZR (Zpos a) / IZR (Zpos b) * ln (Q2R q) | Rational r => Q2R r end.
Definition delta_of (d : slack) : R := match d with Slack d => Q2R d | Exponential r => exp (Q2R r) end.

(* Expressions in real variables x0, x1, ...; `defined`: nothing is divided by 0. *)
Inductive expression :=
| NumberOf (c : Q) | VariableOf (i : nat) | SumOf (a b : expression) | ProductOf (a b : expression)
| Negative (a : expression) | PowerOf (a : expression) (n : nat) | QuotientOf (a b : expression).
Fixpoint value_of (x : nat -> R) (e : expression) : R :=
  match e with
  | NumberOf c => Q2R c | VariableOf i => x i | SumOf a b => value_of x a + value_of x b
  | ProductOf a b => value_of x a * value_of x b | Negative a => - value_of x a
  | PowerOf a n => value_of x a ^ n | QuotientOf a b => value_of x a / value_of x b
  end.
Fixpoint defined (x : nat -> R) (e : expression) : Prop :=
  match e with
  | NumberOf _ | VariableOf _ => True
  | SumOf a b | ProductOf a b => defined x a /\ defined x b
  | Negative a | PowerOf a _ => defined x a
  | QuotientOf a b => defined x a /\ defined x b /\ value_of x b <> 0
  end.
(* A bound of posterior probabilities is a function of the prior probability x0, in pieces from left to right. A piece ends at
   `stop`, which belongs to it if it is `closed`, else to the next piece. *)
Record piece := Piece { stop : Q; closed : bool; formula : expression }.
Fixpoint formula_at (h : list piece) (p : R) : expression :=
  match h with
  | [] => NumberOf 0                          (* beyond the last piece, which ends at 1 *)
  | s :: others =>
    if closed s then (if Rle_dec p (Q2R (stop s)) then formula s else formula_at others p)
    else (if Rlt_dec p (Q2R (stop s)) then formula s else formula_at others p)
  end.
Definition bound_at (h : list piece) (p : R) : R := value_of (fun _ => p) (formula_at h p).
Definition defined_at (h : list piece) (p : R) : Prop := defined (fun _ => p) (formula_at h p).
Definition given_bound (h : option (list piece)) (meaning : list piece -> Prop) : Prop :=
  match h with None => True | Some h => meaning h end.
(* A privacy criterion: whatever is known before, no output moves the probability p of any property E above the bound `up`
   at p, or below the bound `down` at p; one of the two may be missing. *)
Definition posteriors_within (k m : nat) (up down : option (list piece)) (P : nat -> nat -> R) : Prop :=
  forall i q E, (i < m)%nat -> distribution k q -> 0 < answers k P q i ->
  let p := event_probability k q E in 0 < p < 1 ->
  given_bound up (fun h => defined_at h p /\ posterior k P q i E <= bound_at h p) /\
  given_bound down (fun h => defined_at h p /\ bound_at h p <= posterior k P q i E).

(* The odds of the bounds, compared with b times the odds of the prior p: h/(1 - h) with p/(1 - p) for `up`, and, for `down`,
   the odds against, (1 - h)/h with (1 - p)/p. *)
Definition odds_compare (order : R -> R -> Prop) (up down : option (list piece)) (b p : R) : Prop :=
  given_bound up (fun h => defined_at h p /\ order (b * (p * (1 - bound_at h p))) ((1 - p) * bound_at h p)) /\
  given_bound down (fun h => defined_at h p /\ order (b * ((1 - p) * bound_at h p)) (p * (1 - bound_at h p))).

(* A region: conditions and bounds on the entries. A condition is a level for all ordered pairs of categories or for some, or
   a privacy criterion. *)
Inductive pairs := AllPairs | SomePairs (s : list (nat * nat)).
Definition applies (s : pairs) (j l : nat) : Prop := match s with AllPairs => True | SomePairs s => In (j, l) s end.
Inductive condition :=
| AtLevel (e : level) (d : slack) (s : pairs)
| Posteriors (up down : option (list piece)).
Definition satisfies (k m : nat) (P : nat -> nat -> R) (c : condition) : Prop :=
  match c with
  | AtLevel e d s => forall j l, (j < k)%nat -> (l < k)%nat -> applies s j l ->
    private_pair m (exp (epsilon_of e)) (delta_of d) P j l
  | Posteriors up down => posteriors_within k m up down P
  end.
Record region := Region { conditions : list condition; entries : option (list (list Q) * list (list Q)) }.
Definition allowed (k m : nat) (G : region) (P : nat -> nat -> R) : Prop :=
  mechanism k m P /\
  (forall c, In c (conditions G) -> satisfies k m P c) /\
  match entries G with
  | None => True
  | Some (least, most) => forall i j, (i < m)%nat -> (j < k)%nat -> mat least i j <= P i j <= mat most i j
  end.
(* The bounds of all criteria are defined at all priors. *)
Definition well_defined (G : region) : Prop :=
  forall up down p, In (Posteriors up down) (conditions G) -> 0 < p < 1 ->
  given_bound up (fun h => defined_at h p) /\ given_bound down (fun h => defined_at h p).

(* Problems of design. `Estimate C`: estimate the linear functions sum_j C l j q_j, one for each row of C, and minimise n
   times the sum of the variances of the unbiased estimators at the population. *)
Inductive objective :=
| Estimate (C : list (list Q))
| Trace (weights : list Q)                    (* the greater the better *)
| Loss (matrix : list (list Q))               (* the smaller the better *)
| LargestDistance (matrix : list (list Q))
| TotalDistance (matrix : list (list Q))
| Payoff (matrix : list (list Q))
| TotalVariation (against : list Q)
| ChiSquare (against : list Q)
| MutualInformation
| KullbackLeibler (against : list Q)
| Hellinger (against : list Q)
| JensenShannon (against : list Q)
| AlphaDivergence (against : list Q) (order : Q)
| Mixture (o : objective) (weights : list Q) (populations : list (list Q))   (* weighted sum of o at some populations *)
| EstimateMixture (C : list (list Q)) (weights : list Q) (populations : list (list Q)).   (* an estimator for each *)
Record problem := Problem {
  categories : nat; outputs : option nat;     (* None: any number of outputs *)
  region_of : region; objective_of : objective; population : list Q }.
Definition outputs_fit (p : problem) (m : nat) : Prop := match outputs p with None => True | Some n => m = n end.

Fixpoint minimised (o : objective) : bool :=
  match o with
  | Estimate _ | Loss _ | LargestDistance _ | TotalDistance _ | EstimateMixture _ _ _ => true
  | Mixture o _ _ => minimised o
  | _ => false
  end.
Fixpoint criterion (k m : nat) (q : nat -> R) (o : objective) (P : nat -> nat -> R) : R :=
  match o with
  | Estimate _ | EstimateMixture _ _ _ => 0   (* not used: see `bracketed` *)
  | Trace w => trace k P (vec w)
  | Loss L => expected_loss k m P q (mat L)
  | LargestDistance A => largest_difference k m P (mat A)
  | TotalDistance A => total_difference k m P (mat A)
  | Payoff U => expected_gain k m (length U) P q (mat U)
  | TotalVariation r => total_variation k m P q (vec r)
  | ChiSquare r => chi_square k m P q (vec r)
  | MutualInformation => mutual_information k m P q
  | KullbackLeibler r => kullback_leibler k m P q (vec r)
  | Hellinger r => hellinger k m P q (vec r)
  | JensenShannon r => jensen_shannon k m P q (vec r)
  | AlphaDivergence r order => alpha_divergence k m P q (vec r) (Q2R order)
  | Mixture o w qs => sum (length w) (fun b => vec w b * criterion k m (mat qs b) o P)
  end.

Fixpoint finite (k m : nat) (q : nat -> R) (o : objective) (P : nat -> nat -> R) : Prop :=
  match o with
  | ChiSquare r | KullbackLeibler r => dominated k m P q (vec r)
  | AlphaDivergence r order =>
    (1 < Q2R order -> dominated k m P q (vec r)) /\ (Q2R order < 0 -> dominated k m P (vec r) q)
  | Mixture o w qs => forall b, (b < length w)%nat -> finite k m (mat qs b) o P
  | _ => True
  end.

(* lower <= optimum <= upper, and the mechanism is allowed and proves one of the two bounds. *)
Definition bracketed (p : problem) (lower upper : R) (m : nat) (P : nat -> nat -> R) : Prop :=
  let k := categories p in let q := vec (population p) in
  distribution k q /\ outputs_fit p m /\ allowed k m (region_of p) P /\
  match objective_of p with
  | Estimate C =>
    (exists a, unbiased k m (length C) P (mat C) a /\ n_variance k m (length C) P a q <= upper) /\
    forall m' P' a, outputs_fit p m' -> allowed k m' (region_of p) P' -> unbiased k m' (length C) P' (mat C) a ->
    lower <= n_variance k m' (length C) P' a q
  | EstimateMixture C w qs =>
    (exists a, (forall b, (b < length w)%nat -> unbiased k m (length C) P (mat C) (a b)) /\
       sum (length w) (fun b => vec w b * n_variance k m (length C) P (a b) (mat qs b)) <= upper) /\
    forall m' P' a, outputs_fit p m' -> allowed k m' (region_of p) P' ->
    (forall b, (b < length w)%nat -> unbiased k m' (length C) P' (mat C) (a b)) ->
    lower <= sum (length w) (fun b => vec w b * n_variance k m' (length C) P' (a b) (mat qs b))
  | o =>
    if minimised o
    then criterion k m q o P <= upper /\
         forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' -> lower <= criterion k m' q o P'
    else lower <= criterion k m q o P /\
         forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' ->
         finite k m' q o P' /\ criterion k m' q o P' <= upper
  end.

(* Reports z of a number: category j has the number x j, and the report z i of output i is unbiased given each category. The
   optimum is about the largest variance of the report given a category. *)
Definition reports (k m : nat) (P : nat -> nat -> R) (x z : nat -> R) : Prop :=
  forall j, (j < k)%nat -> sum m (fun i => P i j * z i) = x j.
Definition conditional_variance (m : nat) (P : nat -> nat -> R) (x z : nat -> R) (j : nat) : R :=
  sum m (fun i => P i j * z i ^ 2) - x j ^ 2.
Definition conditional_bracketed (k : nat) (n : option nat) (G : region) (x : nat -> R) (lower upper : R) (m : nat)
    (P : nat -> nat -> R) : Prop :=
  let fits m := match n with None => True | Some n => m = n end in
  fits m /\ allowed k m G P /\
  (exists z, reports k m P x z /\ forall j, (j < k)%nat -> conditional_variance m P x z j <= upper) /\
  forall m' P' z, fits m' -> allowed k m' G P' -> reports k m' P' x z ->
  exists j, (j < k)%nat /\ lower <= conditional_variance m' P' x z j.

(* n times the variance of the estimate of the contrast sum_l u_l q_l, from an estimator a of all shares. *)
Definition contrast_variance (k m : nat) (P a : nat -> nat -> R) (q u : nat -> R) : R :=
  n_variance k m 1 P (fun i _ => sum k (fun l => u l * a i l)) q.
Definition unit_matrix (i j : nat) : R := if Nat.eqb i j then 1 else 0.
(* The worst contrast of length 1 (the largest eigenvalue of n times the covariance); the objective of p is not read. *)
Definition worst_contrast_bracketed (p : problem) (lower upper : R) (m : nat) (P : nat -> nat -> R) : Prop :=
  let k := categories p in let q := vec (population p) in
  distribution k q /\ outputs_fit p m /\ allowed k m (region_of p) P /\
  (exists a, unbiased k m k P unit_matrix a /\
     forall u, sum k (fun l => u l ^ 2) = 1 -> contrast_variance k m P a q u <= upper) /\
  forall m' P' a, outputs_fit p m' -> allowed k m' (region_of p) P' -> unbiased k m' k P' unit_matrix a ->
  exists u, sum k (fun l => u l ^ 2) = 1 /\ lower <= contrast_variance k m' P' a q u.

(* D-optimality: the determinant of n times the covariance of the estimates of q_0, ..., q_(k-2); the other share is 1 less
   their sum. The determinant of a covariance is the least product of variances over the contrasts u_0, u_1, ... where u_l is
   the share q_l plus a combination of the shares before it (the variances left by least squares). The optimum is about
   minus its logarithm, the logarithm of the determinant of the information; the objective of p is not read. *)
Definition successive (n : nat) (u : nat -> nat -> R) : Prop :=
  forall l, (l < n)%nat -> u l l = 1 /\ forall h, (l < h)%nat -> u l h = 0.
Definition variances_product (k m : nat) (P a : nat -> nat -> R) (q : nat -> R) (u : nat -> nat -> R) : R :=
  product_of (k - 1) (fun l => contrast_variance k m P a q (u l)).
Definition determinant_bracketed (p : problem) (lower upper : R) (m : nat) (P : nat -> nat -> R) : Prop :=
  let k := categories p in let q := vec (population p) in
  distribution k q /\ (forall j, (j < k)%nat -> 0 < q j) /\ outputs_fit p m /\ allowed k m (region_of p) P /\
  (exists a u, unbiased k m k P unit_matrix a /\ successive (k - 1) u /\ variances_product k m P a q u <= exp (- lower)) /\
  forall m' P' a u, outputs_fit p m' -> allowed k m' (region_of p) P' -> unbiased k m' k P' unit_matrix a -> successive (k - 1) u ->
  exp (- upper) <= variances_product k m' P' a q u.

(* Linear programs: a form has a coefficient for some variables; the variables are numbered from 0. *)
Inductive relation := AtMost | AtLeast | Equal.
Definition form := list (nat * Q).
Record row := Row { form_of : form; relation_of : relation; bound_of : Q }.
Fixpoint value (X : nat -> R) (f : form) : R :=
  match f with [] => 0 | (v, c) :: t => Q2R c * X v + value X t end.
Definition compares (x : R) (s : relation) (y : R) : Prop :=
  match s with AtMost => x <= y | AtLeast => y <= x | Equal => x = y end.
Definition satisfied (X : nat -> R) (r : row) : Prop := compares (value X (form_of r)) (relation_of r) (Q2R (bound_of r)).
Record program := Program { cost : list Q; free : list bool; rows : list row }.
Definition feasible (p : program) (X : nat -> R) : Prop :=
  (forall v, (v < length (free p))%nat -> nth v (free p) false = false -> 0 <= X v) /\
  (forall v, (length (free p) <= v)%nat -> X v = 0) /\          (* there are no other variables *)
  (forall r, In r (rows p) -> satisfied X r).
Definition program_value (p : program) (X : nat -> R) : R := sum (length (free p)) (fun v => vec (cost p) v * X v).

Definition above_zero (strict : bool) (y : R) : Prop := if strict then 0 < y else 0 <= y.
(* A hypothesis: an expression that is positive, or nonnegative. *)
Definition meets_all (hypotheses : list (bool * expression)) (x : nat -> R) : Prop :=
  forall s e, In (s, e) hypotheses -> above_zero s (value_of x e).

(* Two categories and two outputs. The share pi of category 1 is to be estimated; n times the variance of its unbiased
   estimator is the value of a design. `symmetric`: only designs with p00 = p11. *)
Record binary_region := BinaryRegion { binary_condition : condition; symmetric : bool }.
Definition in_region (G : binary_region) (P : nat -> nat -> R) : Prop :=
  mechanism 2 2 P /\ satisfies 2 2 P (binary_condition G) /\ (symmetric G = true -> P 0%nat 0%nat = P 1%nat 1%nat).
(* The level of a condition; a criterion is as strict as one level, with delta = 0. *)
Definition level_is (c : condition) (gamma delta : R) : Prop :=
  match c with
  | AtLevel e d _ => gamma = exp (epsilon_of e) /\ delta = delta_of d
  | Posteriors up down => 1 <= gamma /\ delta = 0 /\
    forall k m P, mechanism k m P -> (posteriors_within k m up down P <-> private k m gamma 0 P)
  end.
Definition device_estimates (m : nat) (P a : nat -> nat -> R) : Prop :=   (* any number m of outputs *)
  unbiased 2 m 1 P (fun _ j => match j with O => 0 | S _ => 1 end) a.
Definition device_variance (m : nat) (P a : nat -> nat -> R) (pi : R) : R := n_variance 2 m 1 P a (bernoulli pi).
Definition estimates_share (P a : nat -> nat -> R) : Prop := device_estimates 2 P a.
Definition share_variance (P a : nat -> nat -> R) (pi : R) : R := device_variance 2 P a pi.
Definition least_variance (G : binary_region) (pi v : R) : Prop :=   (* v is a lower bound of all values *)
  forall P a, in_region G P -> estimates_share P a -> v <= share_variance P a pi.
(* The optimal designs (p00, p11) are corners of the region; with p00 + p11 < 1 the outputs are exchanged. *)
Definition best_design (G : binary_region) (pi p00 p11 : R) : Prop :=
  1 < p00 + p11 /\ in_region G (binary p00 p11) /\
  exists a, estimates_share (binary p00 p11) a /\ least_variance G pi (share_variance (binary p00 p11) a pi).
Inductive corner := Balanced | FirstCertain | SecondCertain.
Definition corner_at (c : corner) (gamma delta : R) : R * R :=
  match c with
  | Balanced => ((gamma + delta) / (gamma + 1), (gamma + delta) / (gamma + 1))
  | FirstCertain => (1, delta)
  | SecondCertain => (delta, 1)
  end.
(* Designs of variance 0, where nobody, or everybody, is in category 1. *)
Definition certain (G : binary_region) (delta pi p00 p11 : R) : Prop :=
  (symmetric G = true -> p00 = p11) /\
  ((pi = 0 /\ p00 = 1 /\ 0 < p11 <= delta) \/ (pi = 1 /\ p11 = 1 /\ 0 < p00 <= delta)).

(* Independent yes/no questions 0, ..., n - 1, each with a device of its own: the likelihood ratios of the devices multiply
   to at most gamma. The value is a weighted sum of n times the variances; a question of weight 0 needs no estimator. *)
Definition devices_at (n : nat) (gamma : R) (m : nat -> nat) (P : nat -> nat -> nat -> R) : Prop :=
  exists x, (forall l, (l < n)%nat -> mechanism 2 (m l) (P l) /\ 1 <= x l /\ private 2 (m l) (x l) 0 (P l)) /\
  product_of n x <= gamma.
Definition devices_estimate (n : nat) (w : nat -> R) (m : nat -> nat) (P a : nat -> nat -> nat -> R) : Prop :=
  forall l, (l < n)%nat -> w l <> 0 -> device_estimates (m l) (P l) (a l).
Definition devices_value (n : nat) (w pi : nat -> R) (m : nat -> nat) (P a : nat -> nat -> nat -> R) : R :=
  sum n (fun l => w l * device_variance (m l) (P l) (a l) (pi l)).

(* The joint distribution of the n answers, on the 2^n cells of truths (all tuples of no and yes): estimators of all its shares
   may use the full report, of all devices. The value is n times the sum of the variances, the trace of the covariance. *)
Definition yes_no (l : nat) : nat := 2.
Definition joint_estimates (n : nat) (m : nat -> nat) (P : nat -> nat -> nat -> R) (a : nat -> nat -> R) : Prop :=
  unbiased (tuples n yes_no) (tuples n m) (tuples n yes_no) (independent n m yes_no P) unit_matrix a.
Definition joint_value (n : nat) (m : nat -> nat) (P : nat -> nat -> nat -> R) (a : nat -> nat -> R) (q : nat -> R) : R :=
  n_variance (tuples n yes_no) (tuples n m) (tuples n yes_no) (independent n m yes_no P) a q.
Definition population_of_squares (k : nat) (squares : R) (q : nat -> R) : Prop :=
  distribution k q /\ sum k (fun c => q c ^ 2) = squares.

(* One cost for every output d and category j, and a mechanism whose outputs are d = 0, ..., m - 1: the expected cost. *)
Definition expected_cost (k m : nat) (c P : nat -> nat -> R) : R := sum m (fun d => sum k (fun j => c d j * P d j)).
(* For every level. A point is p + q sqrt D. A row of a cover has an output, a set of categories and a weight; the mechanism
   of a cover at gamma answers d with the weights of its rows for d, times gamma where the category is in the set. *)
Record level_point := LevelPoint { rational : Q; factor : Q; radicand : positive }.
Definition point_of (s : level_point) : R := Q2R (rational s) + Q2R (factor s) * sqrt (IZR (Zpos (radicand s))).
Definition up_to (gamma : R) (s : option level_point) : Prop := match s with None => True | Some s => gamma <= point_of s end.
Record cover_row := CoverRow { output_of : nat; set_of : list bool; weight_of : Q }.
Fixpoint over_rows (rs : list cover_row) (f : cover_row -> R) : R :=
  match rs with [] => 0 | r :: others => f r + over_rows others f end.
Definition cover_mechanism (rs : list cover_row) (gamma : R) (d j : nat) : R :=
  over_rows rs (fun r => if Nat.eqb (output_of r) d then Q2R (weight_of r) * (if nth j (set_of r) false then gamma else 1) else 0)
  / (gamma - 1 + over_rows rs (fun r => Q2R (weight_of r))).
(* A piece from the end of the one before: the value is (a + b gamma)/(c + gamma). *)
Record level_piece := LevelPiece { ending : option level_point; value_a : Q; value_b : Q; value_c : Q; cover : list cover_row }.
Definition piece_value (s : level_piece) (gamma : R) : R :=
  (Q2R (value_a s) + Q2R (value_b s) * gamma) / (Q2R (value_c s) + gamma).
Fixpoint with_starts (start : level_point) (ss : list level_piece) : list (level_point * level_piece) :=
  match ss with
  | [] => []
  | s :: others => (start, s) :: match ending s with None => [] | Some next => with_starts next others end
  end.
Definition least_cost (k m : nat) (c : nat -> nat -> R) (gamma v : R) (P : nat -> nat -> R) : Prop :=
  mechanism k m P /\ private k m gamma 0 P /\ expected_cost k m c P = v /\
  forall P', mechanism k m P' -> private k m gamma 0 P' -> v <= expected_cost k m c P'.
(* At every level of the interval some piece holds, and each piece that holds has the optimum. *)
Definition best_at_every_level (k : nat) (costs : list (list Q)) (from : level_point) (upto : option level_point)
    (ss : list level_piece) : Prop :=
  forall gamma, point_of from <= gamma -> up_to gamma upto ->
  (exists start s, In (start, s) (with_starts from ss) /\ point_of start <= gamma /\ up_to gamma (ending s)) /\
  forall start s, In (start, s) (with_starts from ss) -> point_of start <= gamma -> up_to gamma (ending s) ->
  least_cost k (length costs) (mat costs) gamma (piece_value s gamma) (cover_mechanism (cover s) gamma).

Inductive claim :=
| EveryLevel (k : nat) (costs : list (list Q)) (from : level_point) (upto : option level_point) (ss : list level_piece)
| BudgetSplit (e : level) (weights shares : list Q) (lower upper : Q) (devices : list (list (list Q)))
| JointSplit (e : level) (n : nat) (squares lower upper : Q) (devices : list (list (list Q)))
| BestDesigns (G : binary_region) (pi lower upper : Q) (matrix : list (list Q))
    (corners : list corner) (gamma delta : Q) (listed : list (list (list Q)))
| WorstCase (G : binary_region) (least most lower upper : Q) (matrix : list (list Q))
| Regret (G : binary_region) (least most lower upper : Q) (matrix : list (list Q))
| Identity (relations : list expression) (a b : expression) (point : option (list Q))
| Inequality (hypotheses : list (bool * expression)) (strict : bool) (e : expression) (point : option (list Q))
| Bracket (p : problem) (lower upper : Q) (matrix : list (list Q))
| ConditionalVariance (k : nat) (n : option nat) (G : region) (x : list Q) (lower upper : Q) (matrix : list (list Q))
| WorstContrast (p : problem) (lower upper : Q) (matrix : list (list Q))
| Determinant (p : problem) (lower upper : Q) (matrix : list (list Q))
| NoMechanism (k m : nat) (G : region)
| Optimum (p : program) (lower upper : Q) (point : list Q)
| NoPoint (p : program)
| LargestRatio (up down : option (list piece)) (lower upper : Q) (attained : option bool)
| Garbling (k : nat) (source target : list (list Q))
| NoGarbling (k : nat) (source target : list (list Q)).

Definition true_claim (c : claim) : Prop :=
  match c with
  | EveryLevel k costs from upto ss => best_at_every_level k costs from upto ss
  | BudgetSplit e weights shares lower upper devices =>
    let n := length weights in let P := fun l => mat (nth l devices []) in let m := fun l => length (nth l devices []) in
    length shares = n /\ length devices = n /\ devices_at n (exp (epsilon_of e)) m P /\
    (exists a, devices_estimate n (vec weights) m P a /\ devices_value n (vec weights) (vec shares) m P a <= Q2R upper) /\
    forall m' P' a, devices_at n (exp (epsilon_of e)) m' P' -> devices_estimate n (vec weights) m' P' a ->
    Q2R lower <= devices_value n (vec weights) (vec shares) m' P' a
  | JointSplit e n squares lower upper devices =>      (* at every population whose squared shares have this sum; there is one *)
    let P := fun l => mat (nth l devices []) in let m := fun l => length (nth l devices []) in
    let at_population := population_of_squares (tuples n yes_no) (Q2R squares) in
    length devices = n /\ (exists q, at_population q) /\ devices_at n (exp (epsilon_of e)) m P /\
    (exists a, joint_estimates n m P a /\ forall q, at_population q -> joint_value n m P a q <= Q2R upper) /\
    forall m' P' a q, devices_at n (exp (epsilon_of e)) m' P' -> joint_estimates n m' P' a -> at_population q ->
    Q2R lower <= joint_value n m' P' a q
  | BestDesigns G pi lower upper a corners gamma delta listed =>
    0 <= Q2R pi <= 1 /\ in_region G (mat a) /\
    (exists e, estimates_share (mat a) e /\ share_variance (mat a) e (Q2R pi) <= Q2R upper) /\
    least_variance G (Q2R pi) (Q2R lower) /\
    exists g d, level_is (binary_condition G) g d /\
    (forall p00 p11, best_design G (Q2R pi) p00 p11 <->
       (exists c, In c corners /\ (p00, p11) = corner_at c g d) \/ certain G d (Q2R pi) p00 p11) /\
    (* the file writes these corners at gamma and delta, which are at most the true ones *)
    1 <= Q2R gamma <= g /\ 0 <= Q2R delta <= d /\
    Forall2 (fun c A => (mat A 0 0, mat A 1 1) = corner_at c (Q2R gamma) (Q2R delta)) corners listed
  | WorstCase G least most lower upper a =>     (* every share between least and most is possible *)
    0 <= Q2R least <= Q2R most /\ Q2R most <= 1 /\ in_region G (mat a) /\
    (exists e, estimates_share (mat a) e /\
       forall pi, Q2R least <= pi <= Q2R most -> share_variance (mat a) e pi <= Q2R upper) /\
    forall P e, in_region G P -> estimates_share P e ->
    exists pi, Q2R least <= pi <= Q2R most /\ Q2R lower <= share_variance P e pi
  | Regret G least most lower upper a =>        (* the regret: the value less that of any other design at the same share *)
    0 <= Q2R least <= Q2R most /\ Q2R most <= 1 /\ in_region G (mat a) /\
    (exists e, estimates_share (mat a) e /\
       forall pi, Q2R least <= pi <= Q2R most -> least_variance G pi (share_variance (mat a) e pi - Q2R upper)) /\
    forall P e, in_region G P -> estimates_share P e ->
    exists pi P' e', Q2R least <= pi <= Q2R most /\ in_region G P' /\ estimates_share P' e' /\
      Q2R lower <= share_variance P e pi - share_variance P' e' pi
  | Identity relations a b point =>    (* a point shows that the statement is about something *)
    (forall x, (forall r, In r relations -> value_of x r = 0) -> defined x a -> defined x b ->
       value_of x a = value_of x b) /\
    match point with
    | None => True
    | Some y => (forall r, In r relations -> value_of (vec y) r = 0) /\ defined (vec y) a /\ defined (vec y) b
    end
  | Inequality hypotheses strict e point =>
    (forall x, meets_all hypotheses x -> above_zero strict (value_of x e)) /\
    match point with None => True | Some y => meets_all hypotheses (vec y) end
  | Bracket p lower upper a => bracketed p (Q2R lower) (Q2R upper) (length a) (mat a)
  | ConditionalVariance k n G x lower upper a => conditional_bracketed k n G (vec x) (Q2R lower) (Q2R upper) (length a) (mat a)
  | WorstContrast p lower upper a => worst_contrast_bracketed p (Q2R lower) (Q2R upper) (length a) (mat a)
  | Determinant p lower upper a => determinant_bracketed p (Q2R lower) (Q2R upper) (length a) (mat a)
  | NoMechanism k m G => well_defined G /\ forall P, ~ allowed k m G P
  | Optimum p lower upper point =>
    feasible p (vec point) /\ program_value p (vec point) <= Q2R upper /\
    forall X, feasible p X -> Q2R lower <= program_value p X
  | NoPoint p => forall X, ~ feasible p X
  | LargestRatio up down lower upper attained =>
    (* B is the largest ratio of odds that the bounds allow at all priors, and so the largest parity if it is at least 1 *)
    exists b, Q2R lower <= b <= Q2R upper /\
    (forall x, 0 <= x -> ((forall p, 0 < p < 1 -> odds_compare Rle up down x p) <-> x <= b)) /\
    (1 <= b -> level_is (Posteriors up down) b 0) /\
    match attained with
    | None => True
    | Some true => exists p, 0 < p < 1 /\ ~ odds_compare Rlt up down b p
    | Some false => forall p, 0 < p < 1 -> odds_compare Rlt up down b p
    end
  | Garbling k s t =>
    mechanism k (length s) (mat s) /\ mechanism k (length t) (mat t) /\ garbling k (length s) (length t) (mat s) (mat t)
  | NoGarbling k s t =>
    mechanism k (length s) (mat s) /\ mechanism k (length t) (mat t) /\ ~ garbling k (length s) (length t) (mat s) (mat t)
  end.
