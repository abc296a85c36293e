(* What the theorems mean: the definitions that all statements share. What one paper alone speaks of, its estimators or
   its kinds of breaches, is defined in the file of the paper, before the theorem that uses it.

   A number k of categories has the categories 0, ..., k - 1; m outputs likewise. A mechanism is a function P of an output
   and a category; a distribution is a function of a category or of an output. What they are beyond k and m is not used. *)

From Coq Require Import Reals List Arith.
Import ListNotations.
Local Open Scope R_scope.

(* Finite sums: f 0 + ... + f (n - 1), and products. *)
Fixpoint sum (n : nat) (f : nat -> R) : R :=
  match n with O => 0 | S before => sum before f + f before end.
Fixpoint product_of (n : nat) (f : nat -> R) : R := match n with O => 1 | S before => product_of before f * f before end.

(* Probabilities of k categories; an event is a set of categories, or of outputs. *)
Definition distribution (k : nat) (q : nat -> R) : Prop :=
  (forall j, (j < k)%nat -> 0 <= q j) /\ sum k q = 1.
Definition event_probability (k : nat) (q : nat -> R) (E : nat -> bool) : R :=
  sum k (fun j => if E j then q j else 0).

(* P i j is the probability of the output i, given the true category j: columns are distributions. *)
Definition mechanism (k m : nat) (P : nat -> nat -> R) : Prop :=
  (forall i j, (i < m)%nat -> (j < k)%nat -> 0 <= P i j) /\
  (forall j, (j < k)%nat -> sum m (fun i => P i j) = 1).
Definition given (P : nat -> nat -> R) (j : nat) : nat -> R := fun i => P i j.

(* (epsilon, delta)-differential privacy: every event of outputs, every two true categories. *)
Definition private (k m : nat) (gamma delta : R) (P : nat -> nat -> R) : Prop :=
  forall (E : nat -> bool) j l, (j < k)%nat -> (l < k)%nat ->
  event_probability m (given P j) E <= gamma * event_probability m (given P l) E + delta.
Definition differentially_private (k m : nat) (epsilon delta : R) (P : nat -> nat -> R) : Prop :=
  private k m (exp epsilon) delta P.
(* One ordered pair of true categories: some regions have a level of its own for each. *)
Definition private_pair (m : nat) (gamma delta : R) (P : nat -> nat -> R) (j l : nat) : Prop :=
  forall E : nat -> bool,
  event_probability m (given P j) E <= gamma * event_probability m (given P l) E + delta.

(* Parity: the largest ratio of two entries of a row, with 0/0 = 1 and a/0 infinite. *)
Inductive extended : Set := Finite (x : R) | Infinite.
Definition at_most (a b : extended) : Prop :=
  match a, b with Finite x, Finite y => x <= y | _, Infinite => True | Infinite, Finite _ => False end.
Definition larger (a b : extended) : extended :=
  match a, b with Finite x, Finite y => Finite (Rmax x y) | _, _ => Infinite end.
Definition ratio (a b : R) : extended :=
  if Req_EM_T b 0 then (if Req_EM_T a 0 then Finite 1 else Infinite) else Finite (a / b).
Fixpoint maximum (n : nat) (f : nat -> extended) : extended :=   (* at least 1, as the ratio of an entry to itself is *)
  match n with O => Finite 1 | S before => larger (maximum before f) (f before) end.
Definition row_parity (k : nat) (P : nat -> nat -> R) (i : nat) : extended :=
  maximum k (fun j => maximum k (fun l => ratio (P i j) (P i l))).
Definition parity (k m : nat) (P : nat -> nat -> R) : extended := maximum m (row_parity k P).

(* n questions at once, each with a device of its own. The tuples (i_0, ..., i_(n-1)) with i_l < m l are numbered from 0: the
   tuple has the number i_0 + i_1 m_0 + i_2 m_0 m_1 + ..., and `digit m o l` is the entry i_l of the tuple of number o. Question
   l has k l categories, its device m l outputs; the devices answer independently: the probability of a tuple of outputs, given
   a tuple of categories, is the product of the probabilities. *)
Fixpoint tuples (n : nat) (m : nat -> nat) : nat := match n with O => 1 | S before => tuples before m * m before end.
Definition digit (m : nat -> nat) (o l : nat) : nat := ((o / tuples l m) mod m l)%nat.
Definition independent (n : nat) (m k : nat -> nat) (P : nat -> nat -> nat -> R) : nat -> nat -> R :=
  fun o c => product_of n (fun l => P l (digit m o l) (digit k c l)).

(* Garbling: A = C P for a mechanism C, which reads the r outputs of P. *)
Definition composed (r : nat) (C P : nat -> nat -> R) : nat -> nat -> R := fun i j => sum r (fun h => C i h * P h j).
Definition garbling (k r m : nat) (P A : nat -> nat -> R) : Prop :=
  exists C, mechanism r m C /\ forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed r C P i j.

(* The distribution of the outputs if the categories have the distribution q, and Bayes' theorem: the probability of
   the property Q (a set of categories) given the output i. *)
Definition answers (k : nat) (P : nat -> nat -> R) (q : nat -> R) : nat -> R := fun i => sum k (fun j => P i j * q j).
Definition posterior (k : nat) (P : nat -> nat -> R) (q : nat -> R) (i : nat) (Q : nat -> bool) : R :=
  event_probability k (fun j => P i j * q j) Q / answers k P q i.

(* Many respondents: their answers are independent, and laws lists the distribution of each; a statistic is a function
   of the list of all answers. *)
Fixpoint mean (m : nat) (laws : list (nat -> R)) (statistic : list nat -> R) : R :=
  match laws with
  | [] => statistic []
  | law :: others => sum m (fun i => law i * mean m others (fun answers => statistic (i :: answers)))
  end.
Definition variance (m : nat) (laws : list (nat -> R)) (statistic : list nat -> R) : R :=
  mean m laws (fun x => (statistic x - mean m laws statistic) ^ 2).
Definition probability (m : nat) (laws : list (nat -> R)) (E : list nat -> bool) : R :=
  mean m laws (fun x => if E x then 1 else 0).
Definition with_replacement (n k : nat) (P : nat -> nat -> R) (q : nat -> R) : list (nat -> R) :=
  repeat (answers k P q) n.                       (* n respondents drawn from the distribution q, independently *)
Definition everyone_once (P : nat -> nat -> R) (truths : list nat) : list (nat -> R) :=
  map (given P) truths.                           (* a population with these true categories, everybody asked once *)

(* Events: a statistic is at most, or at least, at this distance from a number. *)
Definition within (value centre distance : R) : bool :=
  if Rle_dec (Rabs (value - centre)) distance then true else false.
Definition at_distance (value centre distance : R) : bool :=
  if Rle_dec distance (Rabs (value - centre)) then true else false.

(* Statistics of a list of answers: how many are i, and the mean of a score of each answer. *)
Fixpoint count (i : nat) (answers : list nat) : R :=
  match answers with [] => 0 | first :: others => (if Nat.eqb first i then 1 else 0) + count i others end.
Fixpoint total (score : nat -> R) (answers : list nat) : R :=
  match answers with [] => 0 | first :: others => score first + total score others end.
Definition average (score : nat -> R) (answers : list nat) : R := total score answers / INR (length answers).

(* k categories, r linear functions sum_j C l j q_j of their distribution q: scores a i l of one answer are an unbiased
   estimator, and n times its variance with n respondents, summed over l, is n_variance. *)
Definition unbiased (k m r : nat) (P C a : nat -> nat -> R) : Prop :=
  forall q, distribution k q -> forall l, (l < r)%nat ->
  sum m (fun i => answers k P q i * a i l) = sum k (fun j => C l j * q j).
Definition n_variance (k m r : nat) (P a : nat -> nat -> R) (q : nat -> R) : R :=
  sum r (fun l => sum m (fun i => answers k P q i * a i l ^ 2) - sum m (fun i => answers k P q i * a i l) ^ 2).

(* Criteria of a mechanism for the distribution q of the categories: the largest of n >= 1 numbers, the trace, the expected
   loss L i j of the output i at the truth j, the expected gain of the best decision for each output, the distance from a
   matrix A (largest entry, or sum), and how well the outputs tell q from the distribution r. A term 0/0 of chi-square is
   0; it is finite if `dominated`: no output is impossible under r alone. *)
Fixpoint largest (n : nat) (f : nat -> R) : R :=
  match n with O => f O | S before => Rmax (largest before f) (f before) end.
Definition trace (k : nat) (P : nat -> nat -> R) (w : nat -> R) : R := sum k (fun i => w i * P i i).
Definition expected_loss (k m : nat) (P : nat -> nat -> R) (q : nat -> R) (L : nat -> nat -> R) : R :=
  sum m (fun i => sum k (fun j => q j * L i j * P i j)).
Definition expected_gain (k m n : nat) (P : nat -> nat -> R) (q : nat -> R) (U : nat -> nat -> R) : R :=
  sum m (fun i => largest n (fun d => sum k (fun j => q j * U d j * P i j))).
Definition largest_difference (k m : nat) (P A : nat -> nat -> R) : R :=
  largest m (fun i => largest k (fun j => Rabs (P i j - A i j))).
Definition total_difference (k m : nat) (P A : nat -> nat -> R) : R :=
  sum m (fun i => sum k (fun j => Rabs (P i j - A i j))).
Definition total_variation (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) : R :=
  sum m (fun i => Rabs (answers k P q i - answers k P r i)) / 2.
Definition dominated (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) : Prop :=
  forall i, (i < m)%nat -> answers k P r i = 0 -> answers k P q i = 0.
Definition chi_square (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) : R :=
  sum m (fun i => if Req_EM_T (answers k P r i) 0 then 0 else (answers k P q i - answers k P r i) ^ 2 / answers k P r i).

(* Information about the category in the output, and divergences of the outputs under q from those under r, in natural
   logarithms. A term 0 ln 0 is 0, as its factor is 0; the first divergence is finite if `dominated`. *)
Definition mutual_information (k m : nat) (P : nat -> nat -> R) (q : nat -> R) : R :=
  sum m (fun i => sum k (fun j => q j * P i j * ln (P i j / answers k P q i))).
Definition kullback_leibler (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) : R :=
  sum m (fun i => answers k P q i * ln (answers k P q i / answers k P r i)).
Definition hellinger (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) : R :=
  sum m (fun i => (sqrt (answers k P q i) - sqrt (answers k P r i)) ^ 2) / 2.
Definition middle (q r : nat -> R) : nat -> R := fun j => (q j + r j) / 2.
Definition jensen_shannon (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) : R :=
  (kullback_leibler k m P q (middle q r) + kullback_leibler k m P r (middle q r)) / 2.
Definition alpha_divergence (k m : nat) (P : nat -> nat -> R) (q r : nat -> R) (order : R) : R :=   (* order not 0 or 1 *)
  (sum m (fun i => let a := answers k P q i in let b := answers k P r i in
     if Req_EM_T a 0 then 0 else if Req_EM_T b 0 then 0 else b * Rpower (a / b) order) - 1) / (order * (order - 1)).

(* Two categories, two answers, 1 for the sensitive one: p00 and p11 are the probabilities of the true answer. *)
Definition binary (p00 p11 : R) : nat -> nat -> R := fun i j =>
  match i, j with O, O => p00 | S _, O => 1 - p00 | O, S _ => 1 - p11 | S _, S _ => p11 end.
Definition bernoulli (p : R) : nat -> R := fun j => match j with O => 1 - p | S _ => p end.
Definition estimate (p00 p11 : R) (answers : list nat) : R :=
  (p00 - 1) / (p00 + p11 - 1) + count 1 answers / ((p00 + p11 - 1) * INR (length answers)).
Definition error (n : nat) (prevalence p00 p11 : R) : R :=
  variance 2 (with_replacement n 2 (binary p00 p11) (bernoulli prevalence)) (estimate p00 p11).

(* The designs of least error among those of a region. *)
Definition minimiser (region : R -> R -> Prop) (f : R -> R -> R) (x y : R) : Prop :=
  region x y /\ forall x' y', region x' y' -> f x y <= f x' y'.
