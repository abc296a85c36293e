(* The statement budget-split: a privacy budget that is split over independent yes/no questions. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Rays Binary BinaryRules.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Over the real numbers: the least variance of a device whose likelihood ratios are at most x. ---- *)
Definition ratio_value (x : R) : R := x / (x - 1) ^ 2.

Section Device.
Context (m : nat) (x : R) (P a : nat -> nat -> R) (X : 1 <= x) (M : mechanism 2 m P) (H : private 2 m x 0 P)
  (U : device_estimates m P a).

Lemma device_rows i j l : (i < m)%nat -> (j < 2)%nat -> (l < 2)%nat -> P i j <= x * P i l.
Proof. exact (proj1 (Sums.private_rows 2 m x P) H i j l). Qed.
Lemma device_means : sum m (fun i => P i 0%nat * a i 0%nat) = 0 /\ sum m (fun i => P i 1%nat * a i 0%nat) = 1.
Proof. split; [apply (unbiased_columns 2 m 1 P _ a M U 0 0)|apply (unbiased_columns 2 m 1 P _ a M U 0 1)]; lia. Qed.

Lemma device_ratio : 1 < x.
Proof.
  destruct (Rlt_le_dec 1 x); auto. exfalso. assert (E : x = 1) by lra. destruct device_means as [A B].
  assert (sum m (fun i => P i 0%nat * a i 0%nat) = sum m (fun i => P i 1%nat * a i 0%nat)); [|lra].
  apply sum_ext. intros i Hi. pose proof (device_rows i 0%nat 1%nat Hi ltac:(lia) ltac:(lia)).
  pose proof (device_rows i 1%nat 0%nat Hi ltac:(lia) ltac:(lia)). assert (P i 0%nat = P i 1%nat) as -> by (rewrite E in *; lra). reflexivity.
Qed.

Lemma device_least pi : 0 <= pi <= 1 -> pi * (1 - pi) + ratio_value x <= device_variance m P a pi.
Proof.
  intros Pi. pose proof device_ratio as X1. destruct device_means as [A B]. destruct M as [N S].
  pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1.
  set (b0 := - (1 / (x - 1))). set (b1 := x / (x - 1)). set (k := 1 / (x * x - 1)).
  assert (XX : 0 < x * x - 1) by nra.
  assert (K : 0 < k) by (unfold k, Rdiv; rewrite Rmult_1_l; apply Rinv_0_lt_compat; auto).
  set (t := fun i => k * (x * P i 1%nat - P i 0%nat)). set (t' := fun i => k * (x * P i 0%nat - P i 1%nat)).
  assert (T : forall i, (i < m)%nat -> 0 <= t i /\ 0 <= t' i).
  { intros i Hi. pose proof (device_rows i 0%nat 1%nat Hi ltac:(lia) ltac:(lia)). pose proof (device_rows i 1%nat 0%nat Hi ltac:(lia) ltac:(lia)).
    unfold t, t'. split; apply Rmult_le_pos; lra. }
  set (l1 := (1 - pi) + pi * x). set (l0 := (1 - pi) * x + pi).
  assert (L1 : 0 <= l1) by (unfold l1; nra). assert (L0 : 0 <= l0) by (unfold l0; nra).
  assert (Row : forall i, answers 2 P (bernoulli pi) i = l1 * t i + l0 * t' i).
  { intros i. unfold answers, t, t', l1, l0, k. cbn [sum bernoulli]. field. lra. }
  assert (Sq : sum m (fun i => l1 * (t i * (2 * b1 * a i 0%nat - b1 * b1)) + l0 * (t' i * (2 * b0 * a i 0%nat - b0 * b0))) <=
    sum m (fun i => answers 2 P (bernoulli pi) i * a i 0%nat ^ 2)).
  { apply sum_le. intros i Hi. rewrite Row. destruct (T i Hi) as [T1 T0].
    assert (0 <= l1 * t i * (a i 0%nat - b1) ^ 2) by (apply Rmult_le_pos; [apply Rmult_le_pos; auto|apply pow2_ge_0]).
    assert (0 <= l0 * t' i * (a i 0%nat - b0) ^ 2) by (apply Rmult_le_pos; [apply Rmult_le_pos; auto|apply pow2_ge_0]). nra. }
  assert (E1 : sum m (fun i => t i * (2 * b1 * a i 0%nat - b1 * b1)) = k * (2 * b1 * x - b1 * b1 * (x - 1))).
  { rewrite (sum_ext m _ (fun i => k * (2 * b1 * x) * (P i 1%nat * a i 0%nat) - k * (2 * b1) * (P i 0%nat * a i 0%nat)
       - (k * (b1 * b1 * x) * P i 1%nat - k * (b1 * b1) * P i 0%nat))) by (intros; unfold t; ring).
    rewrite !sum_minus, !sum_scal, A, B, S0, S1. ring. }
  assert (E0 : sum m (fun i => t' i * (2 * b0 * a i 0%nat - b0 * b0)) = k * (- (2 * b0) - b0 * b0 * (x - 1))).
  { rewrite (sum_ext m _ (fun i => k * (2 * b0 * x) * (P i 0%nat * a i 0%nat) - k * (2 * b0) * (P i 1%nat * a i 0%nat)
       - (k * (b0 * b0 * x) * P i 0%nat - k * (b0 * b0) * P i 1%nat))) by (intros; unfold t'; ring).
    rewrite !sum_minus, !sum_scal, A, B, S0, S1. ring. }
  rewrite sum_plus, !sum_scal, E1, E0 in Sq.
  assert (Mean : sum m (fun i => answers 2 P (bernoulli pi) i * a i 0%nat) = pi).
  { rewrite (sum_ext m _ (fun i => (1 - pi) * (P i 0%nat * a i 0%nat) + pi * (P i 1%nat * a i 0%nat)))
      by (intros; unfold answers; cbn [sum bernoulli]; ring). rewrite sum_plus, !sum_scal, A, B. ring. }
  unfold device_variance, n_variance. cbn [sum]. rewrite Mean.
  assert (V : l1 * (k * (2 * b1 * x - b1 * b1 * (x - 1))) + l0 * (k * (- (2 * b0) - b0 * b0 * (x - 1))) = pi + ratio_value x).
  { unfold l1, l0, k, b1, b0, ratio_value. field. split; nra. }
  rewrite V in Sq. lra.
Qed.
End Device.

(* The tangent of the value in 1/x: no logarithm. *)
Lemma ratio_tangent x y : 1 < x -> 1 < y -> ratio_value x - ratio_value y <= x * (x + 1) / (x - 1) ^ 3 * (1 - x / y).
Proof.
  intros X Y. unfold ratio_value.
  assert (E : y / (y - 1) ^ 2 - x / (x - 1) ^ 2 + x * (x + 1) / (x - 1) ^ 3 * (1 - x / y) =
    (x - y) ^ 2 * (2 * x * y - x - 1) * / (y * (x - 1) ^ 3 * (y - 1) ^ 2)) by (field; repeat split; lra).
  assert (0 <= (x - y) ^ 2 * (2 * x * y - x - 1) * / (y * (x - 1) ^ 3 * (y - 1) ^ 2)); [|lra].
  assert (0 < y * (x - 1) ^ 3 * (y - 1) ^ 2) by (repeat apply Rmult_lt_0_compat; try apply pow_lt; lra).
  apply Rmult_le_pos; [apply Rmult_le_pos; [apply pow2_ge_0|nra]|left; apply Rinv_0_lt_compat; auto].
Qed.

Lemma ln_below x y : 0 < x -> 0 < y -> 1 - x / y <= ln y - ln x.
Proof. intros X Y. pose proof (ln_at_most (x / y) ltac:(apply Rdiv_lt_0_compat; auto)) as L. rewrite ln_quotient in L by auto. lra. Qed.
Lemma product_positive n f : (forall l, (l < n)%nat -> 0 < f l) -> 0 < product_of n f.
Proof. induction n; intros H; cbn [product_of]; [lra|]. apply Rmult_lt_0_compat; auto. Qed.
Lemma ln_product n f : (forall l, (l < n)%nat -> 0 < f l) -> ln (product_of n f) = sum n (fun l => ln (f l)).
Proof.
  induction n; intros H; cbn [product_of sum]; [apply ln_1|]. rewrite ln_mult, IHn; auto. apply product_positive; auto.
Qed.

(* What logarithms of other ratios at the level can gain, weighted by slopes s of which S is the largest. *)
Definition split_loss (n : nat) (g : R) (x : nat -> R) (S : R) (s : nat -> R) : R :=
  S * (g / product_of n x - 1) + sum n (fun l => (S - s l) * (x l - 1)).
Lemma split_gain n g x S s y : 0 <= S -> (forall l, (l < n)%nat -> s l <= S) ->
  (forall l, (l < n)%nat -> 1 <= x l) -> (forall l, (l < n)%nat -> 1 <= y l) -> product_of n y <= g ->
  sum n (fun l => s l * (ln (y l) - ln (x l))) <= split_loss n g x S s.
Proof.
  intros S0 Top X Y G.
  assert (Y0 : forall l, (l < n)%nat -> 0 < y l) by (intros l L; specialize (Y l L); lra).
  assert (X0 : forall l, (l < n)%nat -> 0 < x l) by (intros l L; specialize (X l L); lra).
  pose proof (product_positive n y Y0) as PY. pose proof (product_positive n x X0) as PX.
  assert (A : sum n (fun l => s l * (ln (y l) - ln (x l))) <=
      sum n (fun l => S * ln (y l) - S * ln (x l) + (S - s l) * (x l - 1))).
  { apply sum_le. intros l L. specialize (Top l L). specialize (Y l L). specialize (X l L).
    assert (0 <= ln (y l)) by (rewrite <- ln_1; destruct (Req_dec (y l) 1) as [->|]; [lra|left; apply ln_increasing; lra]).
    pose proof (ln_at_most (x l) (X0 l L)).
    assert (0 <= (S - s l) * ln (y l)) by (apply Rmult_le_pos; lra).
    assert (0 <= (S - s l) * (x l - 1 - ln (x l))) by (apply Rmult_le_pos; lra). lra. }
  rewrite sum_plus, sum_minus, !sum_scal, <- !ln_product in A by auto. unfold split_loss.
  assert (L : ln (product_of n y) - ln (product_of n x) <= g / product_of n x - 1).
  { pose proof (ln_at_most (product_of n y / product_of n x) ltac:(apply Rdiv_lt_0_compat; auto)) as L. rewrite ln_quotient in L by auto.
    assert (product_of n y / product_of n x <= g / product_of n x); [|lra].
    unfold Rdiv. apply Rmult_le_compat_r; auto. left. apply Rinv_0_lt_compat; auto. }
  assert (S * (ln (product_of n y) - ln (product_of n x)) <= S * (g / product_of n x - 1)) by (apply Rmult_le_compat_l; auto). lra.
Qed.

Definition slope (w x : R) : R := w * (x * (x + 1) / (x - 1) ^ 3).

Section Split.
Context (n : nat) (g : R) (w pi x : nat -> R) (S : R) (S0 : 0 <= S).
Context (Wn : forall l, (l < n)%nat -> 0 <= w l) (Pi : forall l, (l < n)%nat -> 0 <= pi l <= 1).
Context (X : forall l, (l < n)%nat -> 1 <= x l) (X1 : forall l, (l < n)%nat -> w l <> 0 -> 1 < x l).
(* s is the slope of a question with a weight, and 0 of others; S is the largest. *)
Context (s : nat -> R) (Sl : forall l, (l < n)%nat -> s l = if Req_EM_T (w l) 0 then 0 else slope (w l) (x l)).
Context (Top : forall l, (l < n)%nat -> s l <= S).

Definition split_value : R := sum n (fun l => if Req_EM_T (w l) 0 then 0 else w l * (pi l * (1 - pi l) + ratio_value (x l))).

Theorem split_least m P a : devices_at n g m P -> devices_estimate n w m P a ->
  split_value - split_loss n g x S s <= devices_value n w pi m P a.
Proof.
  intros [y [Y G]] U.
  assert (Y0 : forall l, (l < n)%nat -> 0 < y l) by (intros l L; destruct (Y l L) as [_ [? _]]; lra).
  assert (X0 : forall l, (l < n)%nat -> 0 < x l) by (intros l L; specialize (X l L); lra).
  assert (Step : forall l, (l < n)%nat -> (if Req_EM_T (w l) 0 then 0 else w l * (pi l * (1 - pi l) + ratio_value (x l)))
      - s l * (ln (y l) - ln (x l)) <= w l * device_variance (m l) (P l) (a l) (pi l)).
  { intros l L. rewrite (Sl l L). destruct (Req_EM_T (w l) 0) as [Z|Z]; [rewrite Z; lra|].
    destruct (Y l L) as [M [Y1 Pr]]. specialize (U l L Z). specialize (X1 l L Z). specialize (Wn l L).
    pose proof (device_ratio (m l) (y l) (P l) (a l) Y1 M Pr U) as Y2.
    pose proof (device_least (m l) (y l) (P l) (a l) Y1 M Pr U (pi l) (Pi l L)) as V.
    pose proof (ratio_tangent (x l) (y l) X1 Y2) as T. pose proof (ln_below (x l) (y l) (X0 l L) (Y0 l L)) as B.
    set (k := x l * (x l + 1) / (x l - 1) ^ 3) in *.
    assert (K : 0 <= k).
    { unfold k, Rdiv. apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. left. apply Rinv_0_lt_compat, pow_lt. lra. }
    assert (k * (1 - x l / y l) <= k * (ln (y l) - ln (x l))) by (apply Rmult_le_compat_l; auto).
    unfold slope. fold k. set (dv := device_variance (m l) (P l) (a l) (pi l)) in *.
    assert (pi l * (1 - pi l) + ratio_value (x l) - k * (ln (y l) - ln (x l)) <= dv) by lra.
    assert (w l * (pi l * (1 - pi l) + ratio_value (x l) - k * (ln (y l) - ln (x l))) <= w l * dv) by (apply Rmult_le_compat_l; auto). lra. }
  unfold devices_value. apply Rle_trans with (sum n (fun l =>
      (if Req_EM_T (w l) 0 then 0 else w l * (pi l * (1 - pi l) + ratio_value (x l))) - s l * (ln (y l) - ln (x l)))); [|apply sum_le; exact Step].
  rewrite sum_minus. fold split_value.
  pose proof (split_gain n g x S s y S0 Top X (fun l L => proj1 (proj2 (Y l L))) G). lra.
Qed.
End Split.

(* ---- The check. ---- *)
Fixpoint qproduct (n : nat) (f : nat -> Q) : Q := match n with O => 1%Q | S before => qmul (qproduct before f) (f before) end.
Lemma qproduct_R n f : Q2R (qproduct n f) = product_of n (fun l => Q2R (f l)).
Proof. induction n; cbn [qproduct product_of]; [apply one_R|]. rewrite qmul_R, IHn. reflexivity. Qed.
Fixpoint qtop (n : nat) (f : nat -> Q) : Q := match n with O => 0%Q | S before => qmax (qtop before f) (f before) end.
Lemma qtop_ok n f : 0 <= Q2R (qtop n f) /\ forall l, (l < n)%nat -> Q2R (f l) <= Q2R (qtop n f).
Proof.
  induction n as [|n [N H]]; cbn [qtop]; [rewrite zero_R; split; [lra|intros; lia]|]. rewrite qmax_R. split.
  - apply Rle_trans with (1 := N), Rmax_l.
  - intros l L. destruct (Nat.eq_dec l n) as [->|]; [apply Rmax_r|]. apply Rle_trans with (2 := Rmax_l _ _). apply H. lia.
Qed.

Definition bit_ratio (a : list (list Q)) : Q := qdiv (entry a 0 0) (qsub 1 (entry a 0 0)).
Definition check_bit (a : list (list Q)) : bool :=
  (is_mechanism 2 2 a && Qeq_bool (entry a 0 0) (entry a 1 1) && Qle_bool (Qmake 1 2) (entry a 0 0) && qlt (entry a 0 0) 1)%bool.
Definition bit_value (w pi x : Q) : Q :=
  if Qeq_bool w 0 then 0%Q
  else qmul w (qadd (qmul pi (qsub 1 pi)) (qdiv x (qmul (qsub x 1) (qsub x 1)))).
Definition bit_slope (w x : Q) : Q :=
  if Qeq_bool w 0 then 0%Q
  else qmul w (qdiv (qmul x (qadd x 1)) (qmul (qsub x 1) (qmul (qsub x 1) (qsub x 1)))).

Definition check_split (e : level) (below above : Q) (weights shares : list Q) (lower upper : Q) (devices : list (list (list Q))) : bool :=
  let n := length weights in
  let w l := nth l weights 0%Q in
  let ratios := map bit_ratio devices in
  let x l := nth l ratios 0%Q in
  let slopes := map (fun l => bit_slope (w l) (x l)) (seq 0 n) in
  let s l := nth l slopes 0%Q in
  let together := qproduct n x in
  let top := qtop n s in
  let value := qsum n (fun l => bit_value (w l) (nth l shares 0%Q) (x l)) in
  let loss := qadd (qmul top (qsub (qdiv above together) 1)) (qsum n (fun l => qmul (qsub top (s l)) (qsub (x l) 1))) in
  (check_level e below above && Nat.eqb (length shares) n && Nat.eqb (length devices) n && forallb check_bit devices
   && forallb (Qle_bool 0) weights && existsb (qlt 0) weights
   && forallb (fun q => Qle_bool 0 q && Qle_bool q 1) shares
   && forallb (fun l => Qeq_bool (w l) 0 || qlt 1 (x l)) (seq 0 n)
   && Qle_bool together below && Qle_bool lower (qsub value loss) && Qle_bool value upper)%bool.

Definition is_bit (x : R) (a : list (list Q)) : Prop := let p := mat a 0%nat 0%nat in
  private 2 (length a) x 0 (mat a) /\ mechanism 2 (length a) (mat a) /\ length a = 2%nat /\
  / 2 <= p < 1 /\ mat a 1%nat 1%nat = p /\ x = p / (1 - p) /\ 1 <= x.
Lemma check_bit_ok a : check_bit a = true -> is_bit (Q2R (bit_ratio a)) a.
Proof.
  unfold check_bit, is_bit. intros H. apply both in H as [[[M E]%both L]%both T]. apply qeq_R in E. apply qle_R in L. apply qlt_R in T.
  rewrite !entry_R in *. rewrite one_R in T. replace (Q2R (Qmake 1 2)) with (/ 2) in L by (unfold Q2R; cbn; lra). cbv zeta.
  pose proof (is_mechanism_ok _ _ _ M) as M'. unfold is_mechanism in M. apply both in M as [[Sh _]%both _].
  assert (R : Q2R (bit_ratio a) = mat a 0 0 / (1 - mat a 0 0)).
  { unfold bit_ratio. rewrite qdiv_R; rewrite qsub_R, one_R, ?entry_R; [reflexivity|lra]. }
  set (p := mat a 0%nat 0%nat) in *. assert (RX : Q2R (bit_ratio a) * (1 - p) = p) by (rewrite R; field; lra).
  assert (X : 1 <= Q2R (bit_ratio a)) by nra. pose proof (shaped_rows _ _ _ Sh) as Len.
  rewrite Len. split; [|repeat split; auto; lra || apply M']. destruct M' as [N S]. pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1. cbn [sum] in S0, S1.
  fold p in S0. assert (A0 : mat a 0 1 = 1 - p) by lra. assert (A1 : mat a 1 0 = 1 - p) by lra. set (x := Q2R (bit_ratio a)) in *.
  assert (p <= x * p) by nra. assert (1 - p <= x * (1 - p)) by nra. assert (1 - p <= x * p) by nra.
  intros Ev j l Hj Hl. unfold event_probability, given. cbn [sum]. destruct j as [|[|j]]; try lia; destruct l as [|[|l]]; try lia;
    fold p; rewrite ?A0, ?A1, <- ?E; destruct (Ev 0%nat), (Ev 1%nat); lra.
Qed.

Lemma check_bits_ok devices l : forallb check_bit devices = true -> (l < length devices)%nat ->
  is_bit (Q2R (nth l (map bit_ratio devices) 0%Q)) (nth l devices []).
Proof.
  intros Bits L. rewrite (nth_indep _ 0%Q (bit_ratio [])) by (rewrite map_length; auto). rewrite map_nth.
  apply check_bit_ok, (forallb_nth _ _ [] Bits l L).
Qed.

Theorem check_split_ok e below above weights shares lower upper devices :
  check_split e below above weights shares lower upper devices = true ->
  true_claim (BudgetSplit e weights shares lower upper devices).
Proof.
  unfold check_split. set (n := length weights). set (w := fun l => nth l weights 0%Q).
  set (ratios := map bit_ratio devices). set (x := fun l => nth l ratios 0%Q).
  set (slopes := map (fun l => bit_slope (w l) (x l)) (seq 0 n)). set (s := fun l => nth l slopes 0%Q).
  set (top := qtop n s). set (together := qproduct n x).
  set (value := qsum n (fun l => bit_value (w l) (nth l shares 0%Q) (x l))).
  set (loss := qadd (qmul top (qsub (qdiv above together) 1)) (qsum n (fun l => qmul (qsub top (s l)) (qsub (x l) 1)))).
  cbv zeta. intros H.
  apply both in H as [[[[[[[[[[L Ns]%both Nd]%both Bits]%both Wn]%both _]%both Sh]%both One]%both Fit]%both Low]%both Up].
  apply Nat.eqb_eq in Ns, Nd. apply check_level_ok in L. set (g := exp (epsilon_of e)) in *. apply qle_R in Fit, Low, Up.
  assert (B : forall l, (l < n)%nat -> is_bit (Q2R (x l)) (nth l devices [])) by (intros l Hl; apply check_bits_ok; auto; lia).
  assert (W0 : forall l, (l < n)%nat -> 0 <= vec weights l).
  { intros l Hl. rewrite <- zero_R. apply qle_R, (forallb_nth _ _ 0%Q Wn). exact Hl. }
  assert (P0 : forall l, (l < n)%nat -> 0 <= vec shares l <= 1).
  { intros l Hl. pose proof (forallb_nth _ _ 0%Q Sh l ltac:(lia)) as K. apply both in K as [K0 K1]. apply qle_R in K0, K1.
    rewrite zero_R in K0. rewrite one_R in K1. unfold vec. lra. }
  assert (X1 : forall l, (l < n)%nat -> vec weights l <> 0 -> 1 < Q2R (x l)).
  { intros l Hl N. pose proof (forallb_seq _ _ One l Hl) as K. cbn beta in K. apply orb_prop in K. destruct K as [K|K].
    - apply qeq_R in K. rewrite zero_R in K. contradiction.
    - apply qlt_R in K. rewrite one_R in K. exact K. }
  assert (Zero : forall l, Qeq_bool (w l) 0 = true <-> vec weights l = 0).
  { intros l. unfold vec. fold (w l). split; intros K; [apply qeq_R in K; rewrite zero_R in K; auto|].
    apply Qeq_bool_iff, eqR_Qeq. rewrite zero_R. exact K. }
  assert (Vl : forall l, (l < n)%nat -> Q2R (bit_value (w l) (nth l shares 0%Q) (x l)) =
    if Req_EM_T (vec weights l) 0 then 0 else vec weights l * (vec shares l * (1 - vec shares l) + ratio_value (Q2R (x l)))).
  { intros l Hl. unfold bit_value. destruct (Req_EM_T (vec weights l) 0) as [Z|Z].
    - apply Zero in Z. rewrite Z. apply zero_R.
    - destruct (Qeq_bool (w l) 0) eqn:K; [apply Zero in K; contradiction|]. specialize (X1 l Hl Z).
      rewrite qmul_R, qadd_R, qmul_R, qsub_R, qdiv_R, qmul_R, qsub_R, one_R;
        [unfold ratio_value, vec, w; field; lra|rewrite qmul_R, qsub_R, one_R; apply Rmult_integral_contrapositive; lra]. }
  assert (Sv : forall l, (l < n)%nat -> Q2R (s l) = if Req_EM_T (vec weights l) 0 then 0 else slope (vec weights l) (Q2R (x l))).
  { intros l Hl. unfold s, slopes. rewrite map_seq_nth by auto. unfold bit_slope. destruct (Req_EM_T (vec weights l) 0) as [Z|Z].
    - apply Zero in Z. rewrite Z. apply zero_R.
    - destruct (Qeq_bool (w l) 0) eqn:K; [apply Zero in K; contradiction|]. specialize (X1 l Hl Z).
      assert (D : Q2R (qmul (qsub (x l) 1) (qmul (qsub (x l) 1) (qsub (x l) 1))) = (Q2R (x l) - 1) ^ 3)
        by (rewrite !qmul_R, qsub_R, one_R; ring).
      rewrite qmul_R, qdiv_R, D by (rewrite D; apply pow_nonzero; lra). rewrite qmul_R, qadd_R, one_R. reflexivity. }
  destruct (qtop_ok n s) as [T0 T]. fold top in T0, T.
  assert (Tog : Q2R together = product_of n (fun l => Q2R (x l))) by apply qproduct_R.
  assert (PX : 0 < product_of n (fun l => Q2R (x l))).
  { apply product_positive. intros l Hl. destruct (B l Hl) as [_ [_ [_ [_ [_ [_ K]]]]]]. lra. }
  assert (Lo : Q2R loss = split_loss n (Q2R above) (fun l => Q2R (x l)) (Q2R top) (fun l => Q2R (s l))).
  { unfold loss, split_loss. rewrite qadd_R, qmul_R, qsub_R, qdiv_R, one_R, Tog, qsum_R by lra. f_equal. apply sum_ext.
    intros l _. rewrite qmul_R, !qsub_R, one_R. reflexivity. }
  assert (Va : Q2R value = split_value n (vec weights) (vec shares) (fun l => Q2R (x l))).
  { unfold value, split_value. rewrite qsum_R. apply sum_ext. intros l Hl. apply Vl; auto. }
  split; [exact Ns|]. split; [exact Nd|]. split; [|split].
  - exists (fun l => Q2R (x l)). split; [|change (product_of n (fun l => Q2R (x l)) <= g); lra]. intros l Hl. destruct (B l Hl) as [Pr [M [_ [_ [_ [_ K]]]]]]. auto.
  - set (bits := fun l => mat (nth l devices [])).
    assert (Est : forall l, (l < n)%nat -> exists a, vec weights l <> 0 -> device_estimates 2 (bits l) a /\
      forall pi, device_variance 2 (bits l) a pi = pi * (1 - pi) + ratio_value (Q2R (x l))).
    { intros l Hl. destruct (Req_dec (vec weights l) 0) as [Z|Z]; [exists (fun _ _ => 0); contradiction|].
      destruct (B l Hl) as [_ [M [Len [Hp [Q [X K]]]]]]. rewrite Len in M. fold (bits l) in *. specialize (X1 l Hl Z).
      set (p := bits l 0%nat 0%nat) in *. assert (HH : / 2 < p).
      { assert (Q2R (x l) * (1 - p) = p) by (rewrite X; field; lra). nra. }
      destruct (estimator_exists (bits l) M) as [a U]; [fold p; rewrite Q; lra|]. exists a. intros _. split; [exact U|].
      intros pi. destruct (estimator_variance (bits l) a M U) as [_ V]. cbv zeta in V. unfold share_variance in V. rewrite V. fold p. rewrite Q, X.
      unfold W, first_of, second_of, ratio_value. field. repeat split; lra. }
    assert (Choice : exists a, forall l, (l < n)%nat -> vec weights l <> 0 -> device_estimates 2 (bits l) (a l) /\
      forall pi, device_variance 2 (bits l) (a l) pi = pi * (1 - pi) + ratio_value (Q2R (x l))).
    { clear - Est. induction n as [|n0 IH]; [exists (fun _ _ _ => 0); intros; lia|].
      destruct IH as [a A]; [intros l Hl; apply Est; lia|]. destruct (Est n0 ltac:(lia)) as [b Hb].
      exists (fun l => if Nat.eqb l n0 then b else a l). intros l Hl Z. destruct (Nat.eqb_spec l n0) as [->|N]; [auto|]. apply A; auto; lia. }
    destruct Choice as [a A]. exists a. split.
    + intros l Hl Z. destruct (B l Hl) as [_ [_ [Len _]]]. rewrite Len. apply (A l Hl Z).
    + apply Rle_trans with (Q2R value); [|exact Up]. rewrite Va. unfold devices_value, split_value. apply Req_le, sum_ext. intros l Hl.
      destruct (Req_EM_T (vec weights l) 0) as [Z|Z]; [rewrite Z; ring|]. destruct (B l Hl) as [_ [_ [Len _]]]. rewrite Len.
      destruct (A l Hl Z) as [_ V]. fold (bits l). rewrite V. reflexivity.
  - intros m' P' a D U. assert (Low' : Q2R lower <= Q2R (qsub value loss)) by exact Low. apply Rle_trans with (1 := Low'). rewrite qsub_R, Va, Lo.
    apply (split_least n (Q2R above) (vec weights) (vec shares) (fun l => Q2R (x l)) (Q2R top)) with (s := fun l => Q2R (s l)); auto.
    + intros l Hl. destruct (B l Hl) as [_ [_ [_ [_ [_ [_ K]]]]]]. exact K.
    + destruct D as [y [Y D]]. exists y. split; [exact Y|]. apply Rle_trans with g; [exact D|apply L].
Qed.
