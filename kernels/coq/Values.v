(* The way of values, for one contrast at one level of all pairs with delta = 0 and any number of categories.

   q_j(z) = y_j z^2 - 2 b_j z + a_j is convex. At a number z the row that makes sum_j r_j q_j(z) smallest has g where q_j(z) is
   negative, and 1 elsewhere. Cuts divide the line into intervals on which most signs are decided without roots; the others are
   tried both ways. If (b.r)^2 <= (a.r)(y.r) on these rows, sum_j r'_j q_j(z) is nonnegative for every row r' and every z, and so
   the inequality holds on all 2^k rows. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Rays RayLists RayRules.
Import ListNotations.
Local Open Scope R_scope.

Record convex_form := ConvexForm { form_y : Q; form_b : Q; form_a : Q }.
Definition form_R (f : convex_form) (z : R) : R := Q2R (form_y f) * z ^ 2 - 2 * Q2R (form_b f) * z + Q2R (form_a f).
Definition form_at (f : convex_form) (z : Q) : Q :=
  qadd (qsub (qmul (form_y f) (qmul z z)) (qmul 2 (qmul (form_b f) z))) (form_a f).
Lemma form_at_R f z : Q2R (form_at f z) = form_R f (Q2R z).
Proof. unfold form_at, form_R. rewrite qadd_R, qsub_R, !qmul_R, two_R. ring. Qed.

(* An interval has a left end, a right end, both or none. *)
Definition within_ends (low high : option Q) (z : R) : Prop :=
  match low with None => True | Some l => Q2R l <= z end /\ match high with None => True | Some h => z <= Q2R h end.
Definition at_end_holds (test : Q -> bool) (e : option Q) : bool := match e with None => true | Some e => test e end.
Definition never_negative (f : convex_form) : bool :=
  (Qle_bool 0 (form_a f) && Qle_bool (qmul (form_b f) (form_b f)) (qmul (form_y f) (form_a f)))%bool.
Definition rises_from (f : convex_form) (low : option Q) : bool :=
  match low with None => false | Some l => Qle_bool (form_b f) (qmul (form_y f) l) end.
Definition falls_to (f : convex_form) (high : option Q) : bool :=
  match high with None => false | Some h => Qle_bool (qmul (form_y f) h) (form_b f) end.
Definition is_up (f : convex_form) (low high : option Q) : bool :=
  (never_negative f
   || (at_end_holds (fun z => Qle_bool 0 (form_at f z)) low && at_end_holds (fun z => Qle_bool 0 (form_at f z)) high
       && (rises_from f low || falls_to f high)))%bool.
Definition is_down (f : convex_form) (low high : option Q) : bool :=
  match low, high with
  | Some l, Some h => (Qle_bool (form_at f l) 0 && Qle_bool (form_at f h) 0)%bool
  | Some l, None => (Qeq_bool (form_y f) 0 && Qle_bool (form_at f l) 0 && Qle_bool 0 (form_b f))%bool
  | None, Some h => (Qeq_bool (form_y f) 0 && Qle_bool (form_at f h) 0 && Qle_bool (form_b f) 0)%bool
  | None, None => false
  end.

Lemma is_up_ok f low high z : 0 <= Q2R (form_y f) -> is_up f low high = true -> within_ends low high z -> 0 <= form_R f z.
Proof.
  intros Y H [L U]. unfold is_up in H. apply orb_prop in H. destruct H as [H|H].
  - unfold never_negative in H. apply both in H as [A B]. apply qle_R in A, B. rewrite zero_R in A. rewrite !qmul_R in B. unfold form_R.
    set (y := Q2R (form_y f)) in *. set (b := Q2R (form_b f)) in *. set (a := Q2R (form_a f)) in *.
    destruct (Req_dec y 0) as [E|E].
    + assert (b = 0) as -> by (apply Rsqr_0_uniq; unfold Rsqr; pose proof (Rle_0_sqr b) as S; unfold Rsqr in S; rewrite E in B; lra).
      rewrite E. lra.
    + apply (Rmult_le_reg_l y); [lra|]. pose proof (pow2_ge_0 (y * z - b)) as S.
      replace (y * (y * z ^ 2 - 2 * b * z + a)) with ((y * z - b) ^ 2 + (y * a - b * b)) by ring. lra.
  - apply both in H as [[A B]%both C]. apply orb_prop in C. destruct C as [C|C].
    + destruct low as [l|]; [|discriminate]. cbn [at_end_holds rises_from] in *. apply qle_R in A, C. rewrite zero_R, form_at_R in A. rewrite qmul_R in C.
      cbn beta iota in L. unfold form_R in *. set (s := Q2R l) in *. set (y := Q2R (form_y f)) in *. set (b := Q2R (form_b f)) in *. set (a := Q2R (form_a f)) in *.
      replace (y * z ^ 2 - 2 * b * z + a) with (y * s ^ 2 - 2 * b * s + a + 2 * ((z - s) * (y * s - b)) + y * ((z - s) * (z - s))) by ring.
      apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat; [exact A|]|].
      * apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra].
      * apply Rmult_le_pos; [auto|apply Rmult_le_pos; lra].
    + destruct high as [h|]; [|discriminate]. cbn [at_end_holds falls_to] in *. apply qle_R in B, C. rewrite zero_R, form_at_R in B. rewrite qmul_R in C.
      cbn beta iota in U. unfold form_R in *. set (s := Q2R h) in *. set (y := Q2R (form_y f)) in *. set (b := Q2R (form_b f)) in *. set (a := Q2R (form_a f)) in *.
      replace (y * z ^ 2 - 2 * b * z + a) with (y * s ^ 2 - 2 * b * s + a + 2 * ((s - z) * (b - y * s)) + y * ((s - z) * (s - z))) by ring.
      apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat; [exact B|]|].
      * apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra].
      * apply Rmult_le_pos; [auto|apply Rmult_le_pos; lra].
Qed.

Lemma convex_between y b a s t z : 0 <= y -> s <= z -> z <= t -> y * s ^ 2 - 2 * b * s + a <= 0 -> y * t ^ 2 - 2 * b * t + a <= 0 ->
  y * z ^ 2 - 2 * b * z + a <= 0.
Proof.
  intros Y S T A B. destruct (Req_dec s t) as [<-|N]; [assert (z = s) as -> by lra; auto|].
  apply (Rmult_le_reg_l (t - s)); [lra|]. rewrite Rmult_0_r.
  replace ((t - s) * (y * z ^ 2 - 2 * b * z + a)) with
    (- ((t - z) * - (y * s ^ 2 - 2 * b * s + a) + (z - s) * - (y * t ^ 2 - 2 * b * t + a) + y * ((z - s) * ((t - z) * (t - s))))) by ring.
  assert (0 <= (t - z) * - (y * s ^ 2 - 2 * b * s + a)) by (apply Rmult_le_pos; lra).
  assert (0 <= (z - s) * - (y * t ^ 2 - 2 * b * t + a)) by (apply Rmult_le_pos; lra).
  assert (0 <= y * ((z - s) * ((t - z) * (t - s)))) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

Lemma is_down_ok f low high z : 0 <= Q2R (form_y f) -> is_down f low high = true -> within_ends low high z -> form_R f z <= 0.
Proof.
  intros Y H [L U]. unfold is_down in H. destruct low as [l|], high as [h|]; try discriminate.
  - apply both in H as [A B]. apply qle_R in A, B. rewrite zero_R, form_at_R in A, B. unfold form_R in *.
    apply (convex_between _ _ _ (Q2R l) (Q2R h)); auto.
  - apply both in H as [[E A]%both B]. apply qeq_R in E. apply qle_R in A, B. rewrite zero_R in A, B, E. rewrite form_at_R in A.
    unfold form_R in *. rewrite E in *. assert (0 <= Q2R (form_b f) * (z - Q2R l)) by (apply Rmult_le_pos; lra). lra.
  - apply both in H as [[E A]%both B]. apply qeq_R in E. apply qle_R in A, B. rewrite zero_R in A, B, E. rewrite form_at_R in A.
    unfold form_R in *. rewrite E in *. assert (0 <= - Q2R (form_b f) * (Q2R h - z)) by (apply Rmult_le_pos; lra). lra.
Qed.

(* The rows of an interval, with the sums of y, b and a so far. *)
Definition plus_form (s f : convex_form) : convex_form :=
  ConvexForm (qadd (form_y s) (form_y f)) (qadd (form_b s) (form_b f)) (qadd (form_a s) (form_a f)).
Definition times_form (g : Q) (f : convex_form) : convex_form :=
  ConvexForm (qmul g (form_y f)) (qmul g (form_b f)) (qmul g (form_a f)).
Fixpoint rows_hold (g : Q) (low high : option Q) (fs : list convex_form) (s : convex_form) : bool :=
  match fs with
  | [] => Qle_bool (qmul (form_b s) (form_b s)) (qmul (form_a s) (form_y s))
  | f :: others =>
    if is_up f low high then rows_hold g low high others (plus_form s f)
    else if is_down f low high then rows_hold g low high others (plus_form s (times_form g f))
    else (rows_hold g low high others (plus_form s f) && rows_hold g low high others (plus_form s (times_form g f)))%bool
  end.
Definition undecided (low high : option Q) (f : convex_form) : bool := negb (is_up f low high || is_down f low high).
Definition undecided_limit : nat := 12.
Definition interval_holds (g : Q) (fs : list convex_form) (low high : option Q) : bool :=
  (Nat.leb (length (filter (undecided low high) fs)) undecided_limit && rows_hold g low high fs (ConvexForm 0 0 0))%bool.
Fixpoint intervals_hold (g : Q) (fs : list convex_form) (low : option Q) (cuts : list Q) : bool :=
  match cuts with
  | [] => interval_holds g fs low None
  | c :: others => (interval_holds g fs low (Some c) && intervals_hold g fs (Some c) others)%bool
  end.

Definition form_of_index (fs : list convex_form) (j : nat) : convex_form := nth j fs (ConvexForm 0 0 0).
Lemma plus_form_R s f z : form_R (plus_form s f) z = form_R s z + form_R f z.
Proof. unfold form_R, plus_form; cbn [form_y form_b form_a]. rewrite !qadd_R. ring. Qed.
Lemma times_form_R g f z : form_R (times_form g f) z = Q2R g * form_R f z.
Proof. unfold form_R, times_form; cbn [form_y form_b form_a]. rewrite !qmul_R. ring. Qed.

(* The row of a number z: its sums satisfy the inequality, and no row has a smaller sum of the forms at z. *)
Lemma rows_hold_ok g low high z : 1 <= Q2R g -> within_ends low high z -> forall fs s,
  (forall f, In f fs -> 0 <= Q2R (form_y f)) -> rows_hold g low high fs s = true ->
  exists r, Q2R (form_b r) * Q2R (form_b r) <= Q2R (form_a r) * Q2R (form_y r) /\
  Q2R (form_y s) + sum (length fs) (fun j => Q2R (form_y (form_of_index fs j))) <= Q2R (form_y r) /\
  forall b, form_R r z <= form_R s z + sum (length fs) (fun j => pattern (Q2R g) b j * form_R (form_of_index fs j) z).
Proof.
  intros G W. induction fs as [|f fs IH]; intros s Y H; cbn [rows_hold length] in *.
  - exists s. apply qle_R in H. rewrite !qmul_R in H. cbn [sum]. split; [auto|split; [lra|intros; lra]].
  - assert (Yf : 0 <= Q2R (form_y f)) by (apply Y; left; auto).
    assert (Ys : forall f, In f fs -> 0 <= Q2R (form_y f)) by (intros; apply Y; right; auto).
    assert (P : forall b, 1 <= pattern (Q2R g) b 0 <= Q2R g) by (intros b; unfold pattern; destruct (b O); lra).
    assert (Next : forall s' c, 1 <= c -> Q2R (form_y s') = Q2R (form_y s) + c * Q2R (form_y f) ->
      (forall z, form_R s' z = form_R s z + c * form_R f z) ->
      (forall b, c * form_R f z <= pattern (Q2R g) b 0 * form_R f z) -> rows_hold g low high fs s' = true ->
      exists r, Q2R (form_b r) * Q2R (form_b r) <= Q2R (form_a r) * Q2R (form_y r) /\
      Q2R (form_y s) + sum (S (length fs)) (fun j => Q2R (form_y (form_of_index (f :: fs) j))) <= Q2R (form_y r) /\
      forall b, form_R r z <= form_R s z + sum (S (length fs)) (fun j => pattern (Q2R g) b j * form_R (form_of_index (f :: fs) j) z)).
    { intros s' c C Ey E Least H'. destruct (IH s' Ys H') as (r & R1 & R2 & R3). exists r. split; [auto|]. split.
      - rewrite sum_front. change (form_of_index (f :: fs) 0) with f.
        change (sum (length fs) (fun i => Q2R (form_y (form_of_index (f :: fs) (S i))))) with (sum (length fs) (fun i => Q2R (form_y (form_of_index fs i)))).
        assert (Q2R (form_y f) <= c * Q2R (form_y f)) by (rewrite <- (Rmult_1_l (Q2R (form_y f))) at 1; apply Rmult_le_compat_r; lra). lra.
      - intros b. rewrite sum_front. change (form_of_index (f :: fs) 0) with f.
        change (sum (length fs) (fun i => pattern (Q2R g) b (S i) * form_R (form_of_index (f :: fs) (S i)) z))
          with (sum (length fs) (fun i => pattern (Q2R g) (fun i => b (S i)) i * form_R (form_of_index fs i) z)).
        specialize (R3 (fun i => b (S i))). rewrite E in R3. specialize (Least b). lra. }
    assert (Up : 0 <= form_R f z -> rows_hold g low high fs (plus_form s f) = true ->
      exists r, Q2R (form_b r) * Q2R (form_b r) <= Q2R (form_a r) * Q2R (form_y r) /\
      Q2R (form_y s) + sum (S (length fs)) (fun j => Q2R (form_y (form_of_index (f :: fs) j))) <= Q2R (form_y r) /\
      forall b, form_R r z <= form_R s z + sum (S (length fs)) (fun j => pattern (Q2R g) b j * form_R (form_of_index (f :: fs) j) z)).
    { intros N. apply (Next _ 1); [lra|cbn [plus_form form_y]; rewrite qadd_R; ring|intros; rewrite plus_form_R; ring|].
      intros b. apply Rmult_le_compat_r; [auto|apply P]. }
    assert (Down : form_R f z <= 0 -> rows_hold g low high fs (plus_form s (times_form g f)) = true ->
      exists r, Q2R (form_b r) * Q2R (form_b r) <= Q2R (form_a r) * Q2R (form_y r) /\
      Q2R (form_y s) + sum (S (length fs)) (fun j => Q2R (form_y (form_of_index (f :: fs) j))) <= Q2R (form_y r) /\
      forall b, form_R r z <= form_R s z + sum (S (length fs)) (fun j => pattern (Q2R g) b j * form_R (form_of_index (f :: fs) j) z)).
    { intros N. apply (Next _ (Q2R g)); [lra|cbn [plus_form times_form form_y]; rewrite qadd_R, qmul_R; ring|intros; rewrite plus_form_R, times_form_R; ring|].
      intros b. assert (pattern (Q2R g) b 0 * - form_R f z <= Q2R g * - form_R f z) by (apply Rmult_le_compat_r; [lra|apply P]). lra. }
    destruct (is_up f low high) eqn:A; [|destruct (is_down f low high) eqn:B].
    + apply Up; auto. apply (is_up_ok f low high); auto.
    + apply Down; auto. apply (is_down_ok f low high); auto.
    + apply both in H as [H1 H2]. destruct (Rle_lt_dec 0 (form_R f z)); [apply Up; auto|apply Down; auto; lra].
Qed.

Lemma intervals_hold_ok g fs z : 1 <= Q2R g -> (forall f, In f fs -> 0 <= Q2R (form_y f)) -> forall cuts low,
  intervals_hold g fs low cuts = true -> within_ends low None z ->
  exists r, Q2R (form_b r) * Q2R (form_b r) <= Q2R (form_a r) * Q2R (form_y r) /\
  sum (length fs) (fun j => Q2R (form_y (form_of_index fs j))) <= Q2R (form_y r) /\
  forall b, form_R r z <= sum (length fs) (fun j => pattern (Q2R g) b j * form_R (form_of_index fs j) z).
Proof.
  intros G Y. assert (One : forall low high, interval_holds g fs low high = true -> within_ends low high z ->
    exists r, Q2R (form_b r) * Q2R (form_b r) <= Q2R (form_a r) * Q2R (form_y r) /\
    sum (length fs) (fun j => Q2R (form_y (form_of_index fs j))) <= Q2R (form_y r) /\
    forall b, form_R r z <= sum (length fs) (fun j => pattern (Q2R g) b j * form_R (form_of_index fs j) z)).
  { intros low high H W. unfold interval_holds in H. apply both in H as [_ H].
    destruct (rows_hold_ok g low high z G W fs _ Y H) as (r & R1 & R2 & R3). exists r. cbn [form_y] in R2. rewrite zero_R in R2.
    split; [auto|]. split; [lra|]. intros b. specialize (R3 b). unfold form_R at 2 in R3. cbn [form_y form_b form_a] in R3. rewrite zero_R in R3. lra. }
  induction cuts as [|c cuts IH]; intros low H W; cbn [intervals_hold] in H; [apply (One low None); auto|].
  apply both in H as [H1 H2]. destruct (Rle_lt_dec z (Q2R c)) as [L|L].
  - apply (One low (Some c)); auto. split; [apply W|exact L].
  - apply (IH (Some c)); auto. split; [cbn; lra|exact I].
Qed.

(* All patterns, and the tests of a design. *)
Definition forms (k : nat) (alpha s : list Q) (W : list (list Q)) : list convex_form :=
  map (fun j => ConvexForm (nth j s 0%Q) (entry W j 0) (nth j alpha 0%Q)) (seq 0 k).
Fixpoint ascending_cuts (cuts : list Q) : bool :=
  match cuts with a :: ((b :: _) as others) => (qlt a b && ascending_cuts others)%bool | _ => true end.
Definition value_tests (k : nat) (g : Q) (alpha cuts : list Q) : tests :=
  Tests (fun _ => false)
    (fun d s W => (match d with [c] => Qeq_bool c 1 | _ => false end && is_distribution k s && ascending_cuts cuts
                   && intervals_hold g (forms k alpha s W) None cuts)%bool)
    (fun _ => false) (total_of alpha).

Lemma forms_nth k alpha s W j : (j < k)%nat ->
  form_of_index (forms k alpha s W) j = ConvexForm (nth j s 0%Q) (entry W j 0) (nth j alpha 0%Q).
Proof. intros J. unfold form_of_index, forms. apply (map_seq_nth (fun j => ConvexForm (nth j s 0%Q) (entry W j 0) (nth j alpha 0%Q))). auto. Qed.

Lemma values_on_patterns k g alpha s W cuts : 1 <= Q2R g -> distribution k (vec s) ->
  intervals_hold g (forms k alpha s W) None cuts = true ->
  square_on_patterns k 1 (Q2R g) (vec alpha) (vec s) (fun j _ => mat W j 0).
Proof.
  intros G [N T] H b. set (Y := sum k (fun j => vec s j * pattern (Q2R g) b j)). set (B := sum k (fun j => mat W j 0 * pattern (Q2R g) b j)).
  set (A := sum k (fun j => vec alpha j * pattern (Q2R g) b j)).
  assert (L : length (forms k alpha s W) = k) by (unfold forms; rewrite map_length, seq_length; auto).
  assert (Y0 : forall f, In f (forms k alpha s W) -> 0 <= Q2R (form_y f)).
  { intros f I. unfold forms in I. apply in_map_iff in I. destruct I as (j & <- & J). apply in_seq in J. apply N. lia. }
  assert (Y1 : 1 <= Y).
  { rewrite <- T. apply sum_le. intros j J. specialize (N j J). rewrite <- (Rmult_1_r (vec s j)) at 1. apply Rmult_le_compat_l; [auto|].
    unfold pattern. destruct (b j); lra. }
  assert (Z : forall z, 0 <= Y * z ^ 2 - 2 * B * z + A).
  { intros z. destruct (intervals_hold_ok g _ z G Y0 cuts None H (conj I I)) as (r & R1 & R2 & R3). rewrite L in R2, R3.
    rewrite (sum_ext k _ (vec s)) in R2 by (intros j J; rewrite forms_nth by auto; reflexivity). rewrite T in R2.
    specialize (R3 b). rewrite (sum_ext k _ (fun j => z ^ 2 * (vec s j * pattern (Q2R g) b j) +
      ((-2 * z) * (mat W j 0 * pattern (Q2R g) b j) + vec alpha j * pattern (Q2R g) b j))) in R3.
    2:{ intros j J. rewrite forms_nth by auto. unfold form_R. cbn [form_y form_b form_a]. rewrite entry_R. fold (vec s j) (vec alpha j). ring. }
    rewrite !sum_plus, !sum_scal in R3. fold Y B A in R3.
    assert (0 <= form_R r z); [|lra]. unfold form_R. set (ry := Q2R (form_y r)) in *. set (rb := Q2R (form_b r)) in *. set (ra := Q2R (form_a r)) in *.
    apply (Rmult_le_reg_l ry); [lra|]. pose proof (pow2_ge_0 (ry * z - rb)).
    replace (ry * (ry * z ^ 2 - 2 * rb * z + ra)) with ((ry * z - rb) ^ 2 + (ra * ry - rb * rb)) by ring. lra. }
  assert (D : B ^ 2 <= A * Y).
  { specialize (Z (B / Y)). apply (Rmult_le_compat_l Y) in Z; [|lra]. rewrite Rmult_0_r in Z.
    replace (Y * (Y * (B / Y) ^ 2 - 2 * B * (B / Y) + A)) with (A * Y - B ^ 2) in Z by (field; lra). lra. }
  split; [|split; [lra|]].
  - specialize (Z 0). fold A. lra.
  - cbn [sum]. rewrite Rplus_0_l. exact D.
Qed.

Lemma value_tests_ok k m g alpha cuts P : (0 < k)%nat -> length alpha = k -> 1 <= Q2R g -> mechanism k m P -> ratios k m (Q2R g) P ->
  sound k m P (value_tests k g alpha cuts).
Proof.
  intros Hk L Hg M R. exists (fun i => sum k (fun j => vec alpha j * P i j)). cbn [most lin sq each value_tests]. split; [|split; [|split]].
  - rewrite (total_mass k m P (vec alpha) M), (total_R alpha k) by lia. lra.
  - intros c i C. discriminate.
  - intros d s W LS SW C i u Hi. destruct d as [|c [|c' d]]; try discriminate. apply both in C as [[[E D]%both _]%both C].
    apply is_distribution_ok in D. apply qeq_R in E. rewrite one_R in E. pose proof (values_on_patterns k g alpha s W cuts Hg D C) as S.
    apply (square_tangent k 1 (Q2R g) (vec alpha) (vec s) (rooted [c] W) (P i) u Hk Hg); auto.
    + intros j Hj. apply M; auto.
    + intros b. specialize (S b). cbn [sum] in *.
      replace (sum k (fun j => rooted [c] W j 0 * pattern (Q2R g) b j)) with (sum k (fun j => mat W j 0 * pattern (Q2R g) b j)); [exact S|].
      apply sum_ext. intros j _. unfold rooted. cbn. unfold vec at 1. cbn [nth]. rewrite E, sqrt_1. ring.
  - intros f c i C. discriminate.
Qed.

Definition check_values (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q)) (alpha cuts : list Q) (W A : list (list Q)) : bool :=
  (well_posed p es lower upper a && Nat.eqb (length alpha) (categories p)
   && match uniform_gamma (aboves (conditions (region_of p)) es) with
      | Some g => check_objective p (value_tests (categories p) g alpha cuts) lower upper a W A
      | None => false
      end)%bool.

Theorem check_values_ok p es lower upper a alpha cuts W A : check_values p es lower upper a alpha cuts W A = true ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_values. intros H. apply both in H as [[B L]%both H]. apply Nat.eqb_eq in L.
  destruct (uniform_gamma _) as [g|] eqn:U; [|discriminate]. apply (objective_ok p es (value_tests (categories p) g alpha cuts) lower upper a W A); auto.
  intros m P AL. destruct (well_posed_ok _ _ _ _ _ B) as [Hk [_ [_ [_ [_ [_ [_ E]]]]]]].
  destruct (uniform_gamma_ok (categories p) m _ g P U (allowed_above _ m _ es P E AL)) as [G R].
  apply value_tests_ok; auto. apply AL.
Qed.
