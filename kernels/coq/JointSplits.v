(* The statement budget-split, the objective `joint`: a budget that is split over questions whose joint distribution is to be estimated. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Designs Rays Binary BinaryRules Splits.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Products, and sums over tuples. ---- *)
Lemma product_ext n f g : (forall l, (l < n)%nat -> f l = g l) -> product_of n f = product_of n g.
Proof. induction n; intros H; cbn [product_of]; auto. rewrite IHn, H; auto. Qed.
Lemma product_mult n f g : product_of n (fun l => f l * g l) = product_of n f * product_of n g.
Proof. induction n; cbn [product_of]; [ring|]. rewrite IHn. ring. Qed.
Lemma product_ones n f : (forall l, (l < n)%nat -> f l = 1) -> product_of n f = 1.
Proof. induction n; intros H; cbn [product_of]; auto. rewrite IHn, H; auto. ring. Qed.
Lemma product_nonneg n f : (forall l, (l < n)%nat -> 0 <= f l) -> 0 <= product_of n f.
Proof. induction n; intros H; cbn [product_of]; [lra|]. apply Rmult_le_pos; auto. Qed.
Lemma product_zero n f l : (l < n)%nat -> f l = 0 -> product_of n f = 0.
Proof.
  induction n; intros L Z; [lia|]. cbn [product_of]. destruct (Nat.eq_dec l n) as [<-|]; [rewrite Z|rewrite IHn by (auto; lia)]; ring.
Qed.

Lemma sum_blocks b a f : sum (b * a) f = sum b (fun i => sum a (fun r => f (i * a + r)%nat)).
Proof.
  assert (Parts : forall n k, sum (n + k) f = sum n f + sum k (fun r => f (n + r)%nat)).
  { intros n. induction k as [|k IH]; [rewrite Nat.add_0_r; cbn; ring|]. rewrite Nat.add_succ_r. cbn [sum]. rewrite IH. ring. }
  induction b as [|b IH]; [reflexivity|]. replace (S b * a)%nat with (b * a + a)%nat by lia. rewrite Parts, IH. reflexivity.
Qed.

Lemma tuples_multiple m l n : (l <= n)%nat -> exists t, tuples n m = (tuples l m * t)%nat.
Proof.
  induction n; intros L; [exists 1%nat; replace l with O by lia; reflexivity|].
  destruct (Nat.eq_dec l (S n)) as [->|]; [exists 1%nat; lia|]. destruct IHn as [t E]; [lia|]. exists (t * m n)%nat. cbn [tuples]. rewrite E. lia.
Qed.
Lemma digit_low m n l i r : (l < n)%nat -> (r < tuples n m)%nat -> digit m (i * tuples n m + r) l = digit m r l.
Proof.
  intros L H. destruct (tuples_multiple m (S l) n L) as [t E]. cbn [tuples] in E. rewrite E in *. unfold digit. set (A := tuples l m) in *.
  assert (A <> 0)%nat by (intros Z; rewrite Z in H; lia). assert (m l <> 0)%nat by (intros Z; rewrite Z, Nat.mul_0_r in H; lia).
  replace (i * (A * m l * t) + r)%nat with (r + (i * t * m l) * A)%nat by ring. rewrite Nat.div_add, Nat.mod_add by auto. reflexivity.
Qed.
Lemma digit_high m n i r : (r < tuples n m)%nat -> (i < m n)%nat -> digit m (i * tuples n m + r) n = i.
Proof. intros R I. unfold digit. rewrite divide by auto. apply Nat.mod_small; auto. Qed.
Lemma digit_bound m n o l : (o < tuples n m)%nat -> (l < n)%nat -> (digit m o l < m l)%nat.
Proof.
  intros H L. destruct (tuples_multiple m (S l) n L) as [t E]. cbn [tuples] in E. rewrite E in H. apply Nat.mod_upper_bound.
  intros Z. rewrite Z, Nat.mul_0_r in H. lia.
Qed.
Lemma sum_tuples n m f : sum (tuples n m) (fun o => product_of n (fun l => f l (digit m o l))) = product_of n (fun l => sum (m l) (f l)).
Proof.
  induction n; [cbn; ring|]. cbn [tuples]. rewrite Nat.mul_comm, sum_blocks. cbn [product_of]. rewrite <- IHn, Rmult_comm, <- sum_scal_r.
  apply sum_ext. intros i Hi. rewrite <- sum_scal. apply sum_ext. intros r Hr. rewrite digit_high by auto.
  rewrite (product_ext n _ (fun l => f l (digit m r l))) by (intros; rewrite digit_low; auto). ring.
Qed.
Lemma digits_same n m o c : (o < tuples n m)%nat -> (c < tuples n m)%nat ->
  (forall l, (l < n)%nat -> digit m o l = digit m c l) -> o = c.
Proof.
  revert o c. induction n; intros o c O C H; [cbn in O, C; lia|]. cbn [tuples] in O, C. set (A := tuples n m) in *.
  assert (N : (A <> 0)%nat) by (intros Z; rewrite Z in O; lia).
  assert (Parts : forall h, (h < A * m n)%nat -> exists i r, h = (i * A + r)%nat /\ (i < m n)%nat /\ (r < A)%nat).
  { intros h Hh. exists (h / A)%nat, (h mod A)%nat. split; [rewrite Nat.mul_comm; apply Nat.div_mod; auto|].
    split; [apply Nat.div_lt_upper_bound; auto|apply Nat.mod_upper_bound; auto]. }
  destruct (Parts o O) as [i [r [Eo [I Ro]]]], (Parts c C) as [i' [r' [Ec [I' R']]]].
  assert (i = i').
  { specialize (H n ltac:(lia)). rewrite Eo, Ec in H. unfold A in H. rewrite !digit_high in H by auto. exact H. }
  assert (r = r'); [|congruence]. apply IHn; auto. intros l Hl. specialize (H l ltac:(lia)). rewrite Eo, Ec in H. unfold A in H.
  rewrite !digit_low in H by auto. exact H.
Qed.

(* ---- Independent devices: products of matrices. ---- *)
Lemma independent_ext n m k F G o c : (o < tuples n m)%nat -> (c < tuples n k)%nat ->
  (forall l i j, (l < n)%nat -> (i < m l)%nat -> (j < k l)%nat -> F l i j = G l i j) -> independent n m k F o c = independent n m k G o c.
Proof. intros O C H. apply product_ext. intros l Hl. apply H; auto; eapply digit_bound; eauto. Qed.
Lemma independent_composed n m r k A B o c :
  sum (tuples n r) (fun h => independent n m r A o h * independent n r k B h c) =
  independent n m k (fun l i j => sum (r l) (fun h => A l i h * B l h j)) o c.
Proof.
  unfold independent. rewrite <- (sum_tuples n r (fun l h => A l (digit m o l) h * B l h (digit k c l))). apply sum_ext.
  intros h _. symmetry. apply product_mult.
Qed.
Lemma independent_unit n m F o c : (o < tuples n m)%nat -> (c < tuples n m)%nat ->
  (forall l i j, (l < n)%nat -> (i < m l)%nat -> (j < m l)%nat -> F l i j = unit_matrix i j) -> independent n m m F o c = unit_matrix o c.
Proof.
  intros O C H. unfold unit_matrix at 1. destruct (Nat.eqb_spec o c) as [->|N].
  - apply product_ones. intros l Hl. rewrite H by (auto; eapply digit_bound; eauto). unfold unit_matrix. rewrite Nat.eqb_refl. reflexivity.
  - assert (Some_digit : (forall l, (l < n)%nat -> digit m o l = digit m c l) \/ exists l, (l < n)%nat /\ digit m o l <> digit m c l).
    { clear - n. induction n as [|n [IH|[l [L D]]]]; [left; intros; lia| |right; exists l; split; [lia|auto]].
      destruct (Nat.eq_dec (digit m o n) (digit m c n)) as [E|D]; [left|right; exists n; split; [lia|auto]].
      intros l Hl. destruct (Nat.eq_dec l n) as [->|]; auto. apply IH. lia. }
    destruct Some_digit as [E|[l [L D]]]; [exfalso; apply N, (digits_same n m); auto|].
    apply (product_zero n _ l L). rewrite H by (auto; eapply digit_bound; eauto). unfold unit_matrix.
    destruct (Nat.eqb_spec (digit m o l) (digit m c l)); [contradiction|reflexivity].
Qed.
Lemma independent_mechanism n m k P : (forall l, (l < n)%nat -> mechanism (k l) (m l) (P l)) ->
  mechanism (tuples n k) (tuples n m) (independent n m k P).
Proof.
  intros M. split.
  - intros o c O C. apply product_nonneg. intros l Hl. apply (M l Hl); eapply digit_bound; eauto.
  - intros c C. unfold independent. rewrite (sum_tuples n m (fun l i => P l i (digit k c l))). apply product_ones. intros l Hl.
    apply (M l Hl). eapply digit_bound; eauto.
Qed.

(* ---- Bits of likelihood ratio x, their inverses, and the sum of the squares of a column of the inverse. ---- *)
Definition bit_of (x : R) (i j : nat) : R := if Nat.eqb i j then x / (x + 1) else 1 / (x + 1).
Definition undo_of (x : R) (i j : nat) : R := if Nat.eqb i j then x / (x - 1) else - (1 / (x - 1)).
Definition bit_cost (x : R) : R := (x ^ 2 + 1) / (x - 1) ^ 2.
Lemma two_cases (P : nat -> Prop) : P 0%nat -> P 1%nat -> forall i, (i < 2)%nat -> P i.
Proof. intros A B [|[|i]] H; auto; lia. Qed.

(* The variances of an unbiased estimator: its squares less those of the shares. *)
Lemma squares_form k M P a q : unbiased k M k P unit_matrix a -> distribution k q ->
  n_variance k M k P a q = sum k (fun l => sum M (fun o => answers k P q o * a o l ^ 2)) - sum k (fun l => q l ^ 2).
Proof.
  intros U D. unfold n_variance. rewrite sum_minus. f_equal. apply sum_ext. intros l Hl. rewrite (U q D l Hl). f_equal.
  rewrite <- (sum_single k l (q l) Hl). apply sum_ext. intros j _. unfold unit_matrix. rewrite Nat.eqb_sym.
  destruct (Nat.eqb_spec j l) as [->|]; ring.
Qed.

Section Bits.
Context (n : nat) (x : nat -> R) (X : forall l, (l < n)%nat -> 1 < x l).
Let k := tuples n yes_no.
Let bits := independent n yes_no yes_no (fun l => bit_of (x l)).
Let undo := independent n yes_no yes_no (fun l => undo_of (x l)).
Let cost := product_of n (fun l => bit_cost (x l)).

Lemma bits_mechanism : mechanism k k bits.
Proof.
  apply independent_mechanism. intros l Hl. specialize (X l Hl). unfold yes_no, bit_of. split.
  - intros i j _ _. destruct (Nat.eqb i j); apply Rmult_le_pos; try lra; left; apply Rinv_0_lt_compat; lra.
  - apply two_cases; cbn; field; lra.
Qed.
Lemma bits_undo h c : (h < k)%nat -> (c < k)%nat -> sum k (fun j => bits h j * undo j c) = unit_matrix h c.
Proof.
  intros H C. unfold bits, undo, k. rewrite independent_composed. apply independent_unit; auto. intros l i j Hl. specialize (X l Hl).
  unfold yes_no, bit_of, undo_of. destruct i as [|[|i]], j as [|[|j]]; intros; try lia; cbn; field; lra.
Qed.
Lemma undo_bits c h : (h < k)%nat -> (c < k)%nat -> sum k (fun j => undo c j * bits j h) = unit_matrix c h.
Proof.
  intros H C. unfold bits, undo, k. rewrite independent_composed. apply independent_unit; auto. intros l i j Hl. specialize (X l Hl).
  unfold yes_no, bit_of, undo_of. destruct i as [|[|i]], j as [|[|j]]; intros; try lia; cbn; field; lra.
Qed.
Lemma undo_cost h : (h < k)%nat -> sum k (fun l => undo l h ^ 2) = cost.
Proof.
  intros H. unfold undo, independent, cost, k.
  rewrite (sum_ext (tuples n yes_no) _ (fun c => product_of n (fun l => undo_of (x l) (digit yes_no c l) (digit yes_no h l) ^ 2))).
  - rewrite (sum_tuples n yes_no (fun l i => undo_of (x l) i (digit yes_no h l) ^ 2)). apply product_ext. intros l Hl. specialize (X l Hl).
    pose proof (digit_bound yes_no n h l H Hl) as D. unfold yes_no in *. revert D. generalize (digit (fun _ => 2%nat) h l). apply two_cases; unfold undo_of, bit_cost; cbn; field; lra.
  - intros c _. cbn [pow]. rewrite Rmult_1_r, <- product_mult. apply product_ext. intros; ring.
Qed.
Lemma cost_positive : 0 < cost.
Proof.
  apply product_positive. intros l Hl. specialize (X l Hl). apply Rmult_lt_0_compat; [nra|]. apply Rinv_0_lt_compat, pow_lt. lra.
Qed.
Lemma cost_sum r : distribution k r -> sum k (fun l => sum k (fun h => r h * undo l h ^ 2)) = cost.
Proof.
  intros [_ D]. rewrite sum_swap. rewrite (sum_ext k _ (fun h => r h * cost)); [rewrite sum_scal_r, D; ring|].
  intros h Hh. rewrite sum_scal, undo_cost by auto. reflexivity.
Qed.

(* The inverse is an estimator. *)
Lemma bits_estimated : unbiased k k k bits unit_matrix (fun o l => undo l o) /\
  forall q, distribution k q -> n_variance k k k bits (fun o l => undo l o) q = cost - sum k (fun c => q c ^ 2).
Proof.
  assert (U : unbiased k k k bits unit_matrix (fun o l => undo l o)).
  { apply unbiased_of_columns. intros l j Hl Hj. rewrite <- (undo_bits l j Hj Hl). apply sum_ext. intros; ring. }
  split; [exact U|]. intros q D. rewrite squares_form by auto. f_equal. apply cost_sum. apply answers_distribution; auto. apply bits_mechanism.
Qed.

(* Devices whose ratios are at most those of the bits are randomizations of the bits: no estimator from them is better. *)
Context (m : nat -> nat) (P : nat -> nat -> nat -> R) (a : nat -> nat -> R) (q : nat -> R).
Context (Dev : forall l, (l < n)%nat -> mechanism 2 (m l) (P l) /\ private 2 (m l) (x l) 0 (P l)).
Let given_bits := independent n m yes_no (fun l i h => (x l * P l i h - P l i (1 - h)%nat) / (x l - 1)).
Let report := independent n m yes_no P.

Lemma randomization : mechanism k (tuples n m) given_bits.
Proof.
  apply independent_mechanism. intros l Hl. destruct (Dev l Hl) as [M H]. specialize (X l Hl). unfold yes_no. split.
  - intros i h I. revert h. assert (0 < / (x l - 1)) by (apply Rinv_0_lt_compat; lra).
    pose proof (device_rows (m l) (x l) (P l) H i 0%nat 1%nat I ltac:(lia) ltac:(lia)).
    pose proof (device_rows (m l) (x l) (P l) H i 1%nat 0%nat I ltac:(lia) ltac:(lia)).
    apply two_cases; cbn [Nat.sub]; apply Rmult_le_pos; lra.
  - destruct M as [_ T]. pose proof (T 0%nat ltac:(lia)) as T0. pose proof (T 1%nat ltac:(lia)) as T1.
    apply two_cases; cbn [Nat.sub]; unfold Rdiv; rewrite sum_scal_r, sum_minus, sum_scal, T0, T1; field; lra.
Qed.
Lemma report_composed o c : (o < tuples n m)%nat -> (c < k)%nat -> report o c = sum k (fun h => given_bits o h * bits h c).
Proof.
  intros O C. unfold given_bits, bits, k. rewrite independent_composed. apply independent_ext; auto. intros l i j Hl _. specialize (X l Hl).
  unfold yes_no. revert j. apply two_cases; unfold bit_of; cbn [sum Nat.eqb Nat.sub]; field; lra.
Qed.

Theorem joint_least : unbiased k (tuples n m) k report unit_matrix a -> distribution k q ->
  cost - sum k (fun c => q c ^ 2) <= n_variance k (tuples n m) k report a q.
Proof.
  intros U D. rewrite squares_form by auto. set (N := tuples n m) in *. set (r := answers k bits q).
  assert (MP : mechanism k N report) by (apply independent_mechanism; intros l Hl; apply (Dev l Hl)).
  destruct randomization as [T0 T1]. fold N in T0, T1.
  assert (R : distribution k r) by (apply answers_distribution; auto; apply bits_mechanism).
  assert (An : forall o, (o < N)%nat -> answers k report q o = sum k (fun h => given_bits o h * r h)).
  { intros o O. unfold answers. rewrite (sum_ext k _ (fun c => sum k (fun h => given_bits o h * (bits h c * q c)))).
    - rewrite sum_swap. apply sum_ext. intros h _. rewrite sum_scal. reflexivity.
    - intros c C. rewrite report_composed by auto. rewrite <- sum_scal_r. apply sum_ext. intros; ring. }
  assert (Mean : forall l h, (l < k)%nat -> (h < k)%nat -> sum N (fun o => given_bits o h * a o l) = undo l h).
  { intros l h Hl Hh.
    assert (L : sum k (fun c => sum N (fun o => report o c * a o l) * undo c h) = undo l h).
    { rewrite <- (sum_single k l (undo l h) Hl). apply sum_ext. intros c C. rewrite (unbiased_columns k N k report unit_matrix a MP U l c Hl C).
      unfold unit_matrix. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec c l) as [->|]; ring. }
    rewrite <- L. rewrite (sum_ext k _ (fun c => sum N (fun o => sum k (fun h' => a o l * given_bits o h' * (bits h' c * undo c h))))).
    - rewrite sum_swap. apply sum_ext. intros o O. rewrite sum_swap.
      rewrite (sum_ext k _ (fun h' => if Nat.eqb h' h then given_bits o h * a o l else 0)); [symmetry; apply sum_single; auto|].
      intros h' H'. rewrite sum_scal, bits_undo by auto. unfold unit_matrix. destruct (Nat.eqb_spec h' h) as [->|]; ring.
    - intros c C. rewrite <- sum_scal_r. apply sum_ext. intros o O. rewrite report_composed by auto.
      rewrite <- !sum_scal_r. apply sum_ext. intros; ring. }
  assert (sum k (fun l => sum k (fun h => r h * undo l h ^ 2)) <= sum k (fun l => sum N (fun o => answers k report q o * a o l ^ 2)));
    [|rewrite cost_sum in * by auto; lra].
  apply sum_le. intros l Hl.
  apply Rle_trans with (sum N (fun o => sum k (fun h => given_bits o h * r h * (2 * a o l * undo l h - undo l h ^ 2)))).
  - rewrite sum_swap. apply Req_le, sum_ext. intros h Hh.
    rewrite (sum_ext N _ (fun o => 2 * r h * undo l h * (given_bits o h * a o l) - r h * undo l h ^ 2 * given_bits o h)) by (intros; ring).
    rewrite sum_minus, !sum_scal, Mean, T1 by auto. ring.
  - apply sum_le. intros o O. rewrite An, <- sum_scal_r by auto. apply sum_le. intros h Hh. destruct R as [R _]. specialize (R h Hh). specialize (T0 o h O Hh).
    assert (0 <= given_bits o h * r h * (a o l - undo l h) ^ 2) by (apply Rmult_le_pos; [apply Rmult_le_pos; auto|apply pow2_ge_0]). lra.
Qed.
End Bits.

(* A device of ratio 1 tells nothing: two cells that differ in its question get the same reports. *)
Lemma joint_ratio n m P a y : (forall l, (l < n)%nat -> mechanism 2 (m l) (P l) /\ 1 <= y l /\ private 2 (m l) (y l) 0 (P l)) ->
  joint_estimates n m P a -> forall l, (l < n)%nat -> 1 < y l.
Proof.
  intros Y U l0 L0. destruct (Y l0 L0) as [_ [Y1 Pr]]. destruct (Rlt_le_dec 1 (y l0)) as [|LE]; auto. exfalso. assert (E : y l0 = 1) by lra.
  set (k := tuples n yes_no). set (c := tuples l0 yes_no). destruct (tuples_multiple yes_no (S l0) n L0) as [t T]. cbn [tuples] in T. fold c k in T.
  change (yes_no l0) with 2%nat in T.
  assert (C0 : forall l, (0 < tuples l yes_no)%nat) by (induction l as [|l IH]; cbn [tuples]; [lia|]; change (yes_no l) with 2%nat; lia).
  assert (C : (c < k)%nat) by (pose proof (C0 n) as Q; pose proof (C0 l0) as Q0; fold k in Q; fold c in Q0; destruct t; [lia|]; nia).
  assert (M : mechanism k (tuples n m) (independent n m yes_no P)) by (apply independent_mechanism; intros l Hl; apply (Y l Hl)).
  pose proof (unbiased_columns k (tuples n m) k _ unit_matrix a M U 0%nat 0%nat (C0 n) (C0 n)) as A0.
  pose proof (unbiased_columns k (tuples n m) k _ unit_matrix a M U 0%nat c (C0 n) C) as A1.
  assert (Z1 : unit_matrix 0 c = 0) by (unfold unit_matrix; pose proof (C0 l0) as Q; fold c in Q; destruct (Nat.eqb_spec 0 c); [lia|reflexivity]).
  rewrite Z1 in A1. unfold unit_matrix in A0. cbn [Nat.eqb] in A0.
  assert (sum (tuples n m) (fun i => independent n m yes_no P i 0%nat * a i 0%nat) =
    sum (tuples n m) (fun i => independent n m yes_no P i c * a i 0%nat)); [|lra].
  apply sum_ext. intros o O. f_equal. apply product_ext. intros l Hl. pose proof (digit_bound m n o l O Hl) as D.
  assert (Z : digit yes_no 0 l = 0%nat) by (unfold digit; rewrite Nat.div_0_l by (pose proof (C0 l); lia); reflexivity).
  rewrite Z. destruct (Nat.eq_dec l l0) as [->|N].
  - pose proof (device_rows (m l0) (y l0) (P l0) Pr) as R. rewrite E in R.
    pose proof (digit_bound yes_no n c l0 C Hl) as D1. change (yes_no l0) with 2%nat in D1. set (d := digit yes_no c l0) in *.
    pose proof (R _ 0%nat d D ltac:(lia) D1). pose proof (R _ d 0%nat D D1 ltac:(lia)). lra.
  - f_equal. unfold digit, c. destruct (Nat.lt_ge_cases l l0) as [L|L].
    + destruct (tuples_multiple yes_no (S l) l0 L) as [u V]. cbn [tuples] in V. rewrite V. change (yes_no l) with 2%nat. symmetry.
      replace (tuples l yes_no * 2 * u)%nat with (u * 2 * tuples l yes_no)%nat by ring. rewrite Nat.div_mul by (pose proof (C0 l); lia).
      apply Nat.mod_mul. lia.
    + destruct (tuples_multiple yes_no (S l0) l ltac:(lia)) as [u V]. cbn [tuples] in V. change (yes_no l0) with 2%nat in V. pose proof (C0 l). pose proof (C0 l0).
      rewrite Nat.div_small by (destruct u; nia). reflexivity.
Qed.

(* ---- The tangent of the logarithm of a cost in the logarithm of the ratio, since ln is concave. ---- *)
Lemma ln_concave t p : 0 <= t <= 1 -> 0 < p -> t * ln p <= ln (t * p + (1 - t)).
Proof.
  intros T P. set (M := t * p + (1 - t)). assert (M0 : 0 < M) by (unfold M; destruct (Req_dec t 0) as [->|]; [lra|assert (0 < t * p) by (apply Rmult_lt_0_compat; lra); lra]).
  assert (Q : forall z, 0 < z -> ln z - ln M <= z / M - 1).
  { intros z Z. pose proof (ln_below M z M0 Z). assert (0 < / M) by (apply Rinv_0_lt_compat; auto).
    pose proof (ln_at_most (z / M) ltac:(apply Rdiv_lt_0_compat; auto)) as L. rewrite ln_quotient in L by auto. lra. }
  pose proof (Q p P) as A. pose proof (Q 1 ltac:(lra)) as B. rewrite ln_1 in B.
  assert (t * (ln p - ln M) <= t * (p / M - 1)) by (apply Rmult_le_compat_l; lra).
  assert ((1 - t) * (0 - ln M) <= (1 - t) * (1 / M - 1)) by (apply Rmult_le_compat_l; lra).
  assert (t * (p / M - 1) + (1 - t) * (1 / M - 1) = 0); [|lra]. unfold M in *. field. lra.
Qed.
Definition joint_slope (x : R) : R := 2 * x * (x + 1) / ((x ^ 2 + 1) * (x - 1)).
Lemma cost_tangent x y : 1 < x -> 1 < y -> ln (bit_cost x) - ln (bit_cost y) <= joint_slope x * (ln y - ln x).
Proof.
  intros X Y.
  assert (Ln : forall z, 1 < z -> ln (bit_cost z) = ln (1 + / z ^ 2) - 2 * ln (1 - / z)).
  { intros z Z. assert (I : 0 < / z < 1) by (split; [apply Rinv_0_lt_compat; lra|rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
    assert (0 < / z ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra).
    replace (bit_cost z) with ((1 + / z ^ 2) * / ((1 - / z) * (1 - / z))) by (unfold bit_cost; field; lra).
    assert (W : 0 < (1 - / z) * (1 - / z)) by (apply Rmult_lt_0_compat; lra). pose proof (Rinv_0_lt_compat _ W).
    rewrite ln_mult, ln_Rinv, ln_mult by (auto; try lra). ring. }
  assert (A : ln (1 - / y) - ln (1 - / x) <= / (x - 1) * (ln y - ln x)).
  { assert (I : forall z, 1 < z -> 0 < 1 - / z) by (intros z Z; assert (/ z < 1) by (rewrite <- Rinv_1; apply Rinv_lt_contravar; lra); lra).
    pose proof (I x X) as IX. pose proof (I y Y) as IY.
    assert (D : 0 < (1 - / y) * / (1 - / x)) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]).
    pose proof (ln_at_most _ D) as L. rewrite ln_mult, ln_Rinv in L by (auto; apply Rinv_0_lt_compat; auto).
    pose proof (ln_below x y ltac:(lra) ltac:(lra)) as B. apply (Rmult_le_compat_l (/ (x - 1))) in B; [|left; apply Rinv_0_lt_compat; lra].
    replace ((1 - / y) * / (1 - / x) - 1) with (/ (x - 1) * (1 - x / y)) in L by (field; repeat split; lra). lra. }
  assert (B : - (2 * / (x ^ 2 + 1)) * (ln y - ln x) <= ln (1 + / y ^ 2) - ln (1 + / x ^ 2)).
  { assert (X2 : 0 < x ^ 2 + 1) by nra. set (t := / (x ^ 2 + 1)).
    assert (T : 0 <= t <= 1) by (unfold t; split; [left; apply Rinv_0_lt_compat; auto|rewrite <- Rinv_1; apply Rinv_le_contravar; nra]).
    assert (XX : 0 < x * x) by nra. assert (YY : 0 < / (y * y)) by (apply Rinv_0_lt_compat; nra).
    pose proof (ln_concave t (x * x * / (y * y)) T (Rmult_lt_0_compat _ _ XX YY)) as L.
    rewrite ln_mult, ln_Rinv, !ln_mult in L by (auto; lra || nra).
    replace (t * (x * x * / (y * y)) + (1 - t)) with ((1 + / y ^ 2) * / (1 + / x ^ 2)) in L by (unfold t; field; nra).
    assert (0 < / y ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra). assert (0 < / x ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra).
    rewrite ln_mult, ln_Rinv in L by (try apply Rinv_0_lt_compat; lra). unfold t in *. lra. }
  rewrite !Ln by auto. replace (joint_slope x) with (2 * / (x - 1) + 2 * / (x ^ 2 + 1)) by (unfold joint_slope; field; split; nra). lra.
Qed.

Theorem joint_split_least n g x S m P a q : 0 <= S -> (forall l, (l < n)%nat -> joint_slope (x l) <= S) ->
  (forall l, (l < n)%nat -> 1 < x l) -> devices_at n g m P -> joint_estimates n m P a -> distribution (tuples n yes_no) q ->
  let cost := product_of n (fun l => bit_cost (x l)) in
  cost - sum (tuples n yes_no) (fun c => q c ^ 2) - cost * split_loss n g x S (fun l => joint_slope (x l)) <= joint_value n m P a q.
Proof.
  intros S0 Top X [y [Y G]] U D cost. pose proof (joint_ratio n m P a y Y U) as Y1.
  pose proof (joint_least n y Y1 m P a q (fun l Hl => conj (proj1 (Y l Hl)) (proj2 (proj2 (Y l Hl)))) U D) as V.
  apply Rle_trans with (2 := V). set (cost' := product_of n (fun l => bit_cost (y l))).
  pose proof (cost_positive n x X) as C0. pose proof (cost_positive n y Y1) as C1. cbv zeta in C0, C1. fold cost in C0. fold cost' in C1.
  assert (Pos : forall (z : nat -> R) l, 1 < z l -> 0 < bit_cost (z l)).
  { intros z l Z. apply Rmult_lt_0_compat; [nra|]. apply Rinv_0_lt_compat, pow_lt. lra. }
  assert (L : ln cost - ln cost' <= split_loss n g x S (fun l => joint_slope (x l))).
  { apply Rle_trans with (sum n (fun l => joint_slope (x l) * (ln (y l) - ln (x l)))).
    - unfold cost, cost'. rewrite !ln_product by (intros; apply Pos; auto). rewrite <- sum_minus. apply sum_le. intros l Hl. apply cost_tangent; auto.
    - apply split_gain; auto; intros l Hl; left; auto. }
  pose proof (ln_at_most (cost' * / cost) (Rmult_lt_0_compat _ _ C1 (Rinv_0_lt_compat _ C0))) as E.
  rewrite ln_mult, ln_Rinv in E by (auto; apply Rinv_0_lt_compat; auto).
  assert (K : (1 - split_loss n g x S (fun l => joint_slope (x l))) * cost <= cost' * / cost * cost) by (apply Rmult_le_compat_r; lra).
  rewrite (Rmult_assoc cost'), Rinv_l in K by lra. lra.
Qed.

(* There is a population of every sum of squares between 1/k and 1. *)
Lemma population_exists k s : (1 < k)%nat -> 1 <= INR k * s -> s <= 1 -> exists q, population_of_squares k s q.
Proof.
  intros K L H. assert (K1 : 1 < INR k) by (replace 1 with (INR 1) by reflexivity; apply lt_INR; auto).
  set (t := sqrt ((INR k * s - 1) / (INR k - 1))).
  assert (I : 0 < / (INR k - 1)) by (apply Rinv_0_lt_compat; lra).
  assert (N : 0 <= (INR k * s - 1) / (INR k - 1)) by (apply Rmult_le_pos; lra).
  assert (T2 : t * t = (INR k * s - 1) / (INR k - 1)) by (apply sqrt_sqrt; auto).
  assert (T1 : t * t <= 1) by (rewrite T2; apply (Rmult_le_reg_r (INR k - 1)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; nra).
  assert (T0 : 0 <= t) by apply sqrt_pos. assert (T : t <= 1) by nra.
  assert (IK : 0 < / INR k) by (apply Rinv_0_lt_compat; lra).
  exists (fun c => (1 - t) / INR k + (if Nat.eqb c 0 then t else 0)). split; [split|].
  - intros c _. assert (0 <= (1 - t) / INR k) by (apply Rmult_le_pos; lra). destruct (Nat.eqb c 0); lra.
  - rewrite sum_plus, sum_const, sum_single by lia. field. lra.
  - rewrite (sum_ext k _ (fun c => ((1 - t) / INR k) ^ 2 + (if Nat.eqb c 0 then 2 * ((1 - t) / INR k) * t + t ^ 2 else 0))).
    + rewrite sum_plus, sum_const, sum_single by lia.
      replace (INR k * ((1 - t) / INR k) ^ 2 + (2 * ((1 - t) / INR k) * t + t ^ 2)) with ((1 + (t * t) * (INR k - 1)) / INR k) by (field; lra).
      rewrite T2. field. lra.
    + intros c _. destruct (Nat.eqb c 0); ring.
Qed.

(* ---- The check. ---- *)
Lemma tuples_ext n m m' : (forall l, (l < n)%nat -> m l = m' l) -> tuples n m = tuples n m'.
Proof. induction n; intros H; cbn [tuples]; auto. rewrite IHn, H; auto. Qed.
Lemma two_outputs n m P F o c : (forall l, (l < n)%nat -> m l = 2%nat) -> (o < tuples n yes_no)%nat -> (c < tuples n yes_no)%nat ->
  (forall l i j, (l < n)%nat -> (i < 2)%nat -> (j < 2)%nat -> P l i j = F l i j) ->
  independent n m yes_no P o c = independent n yes_no yes_no F o c.
Proof.
  intros M O C H. apply product_ext. intros l Hl.
  assert (digit m o l = digit yes_no o l) as ->.
  { unfold digit. rewrite (tuples_ext l m yes_no), (M l Hl) by (intros; rewrite M by lia; reflexivity). reflexivity. }
  apply H; auto; apply (digit_bound yes_no n); auto.
Qed.
Lemma estimates_ext k M P P' a : (forall o c, (o < M)%nat -> (c < k)%nat -> P' o c = P o c) -> unbiased k M k P unit_matrix a ->
  unbiased k M k P' unit_matrix a /\ forall q, n_variance k M k P' a q = n_variance k M k P a q.
Proof.
  intros E U. assert (An : forall q o, (o < M)%nat -> answers k P' q o = answers k P q o).
  { intros q o O. apply sum_ext. intros c C. rewrite E by auto. reflexivity. }
  split.
  - intros q D l L. rewrite <- (U q D l L). apply sum_ext. intros o O. rewrite An by auto. reflexivity.
  - intros q. apply sum_ext. intros l _. f_equal; [|f_equal]; apply sum_ext; intros o O; rewrite An by auto; reflexivity.
Qed.

Definition qbit_cost (x : Q) : Q := qdiv (qadd (qmul x x) 1) (qmul (qsub x 1) (qsub x 1)).
Definition qjoint_slope (x : Q) : Q := qdiv (qmul (qmul 2 x) (qadd x 1)) (qmul (qadd (qmul x x) 1) (qsub x 1)).
Lemma qbit_cost_R x : 1 < Q2R x -> Q2R (qbit_cost x) = bit_cost (Q2R x).
Proof.
  intros X. unfold qbit_cost, bit_cost. assert (D : Q2R (qmul (qsub x 1) (qsub x 1)) = (Q2R x - 1) ^ 2) by (rewrite qmul_R, qsub_R, one_R; ring).
  rewrite qdiv_R, D, qadd_R, qmul_R, one_R by (rewrite D; apply pow_nonzero; lra). f_equal. ring.
Qed.
Lemma qjoint_slope_R x : 1 < Q2R x -> Q2R (qjoint_slope x) = joint_slope (Q2R x).
Proof.
  intros X. unfold qjoint_slope, joint_slope.
  assert (D : Q2R (qmul (qadd (qmul x x) 1) (qsub x 1)) = (Q2R x ^ 2 + 1) * (Q2R x - 1)) by (rewrite qmul_R, qadd_R, qmul_R, qsub_R, one_R; ring).
  rewrite qdiv_R, D, !qmul_R, qadd_R, one_R, two_R by (rewrite D; apply Rmult_integral_contrapositive; split; nra). reflexivity.
Qed.

Definition check_joint (e : level) (below above : Q) (n : nat) (squares lower upper : Q) (devices : list (list (list Q))) : bool :=
  let ratios := map bit_ratio devices in
  let x l := nth l ratios 0%Q in
  let slopes := map (fun l => qjoint_slope (x l)) (seq 0 n) in
  let s l := nth l slopes 0%Q in
  let together := qproduct n x in
  let top := qtop n s in
  let cost := qproduct n (fun l => qbit_cost (x l)) in
  let value := qsub cost squares in
  let loss := qadd (qmul top (qsub (qdiv above together) 1)) (qsum n (fun l => qmul (qsub top (s l)) (qsub (x l) 1))) in
  (check_level e below above && Nat.ltb 0 n && Nat.eqb (length devices) n && forallb check_bit devices && forallb (qlt 1) ratios
   && Qle_bool 1 (qmul (qproduct n (fun _ => 2%Q)) squares) && Qle_bool squares 1
   && Qle_bool together below && Qle_bool lower (qsub value (qmul cost loss)) && Qle_bool value upper)%bool.

Theorem check_joint_ok e below above n squares lower upper devices :
  check_joint e below above n squares lower upper devices = true -> true_claim (JointSplit e n squares lower upper devices).
Proof.
  unfold check_joint. set (ratios := map bit_ratio devices). set (x := fun l => nth l ratios 0%Q).
  set (slopes := map (fun l => qjoint_slope (x l)) (seq 0 n)). set (s := fun l => nth l slopes 0%Q).
  set (top := qtop n s). set (together := qproduct n x). set (cost := qproduct n (fun l => qbit_cost (x l))).
  set (value := qsub cost squares).
  set (loss := qadd (qmul top (qsub (qdiv above together) 1)) (qsum n (fun l => qmul (qsub top (s l)) (qsub (x l) 1)))).
  cbv zeta. intros H. apply both in H as [[[[[[[[[L N]%both Nd]%both Bits]%both One]%both Sq]%both Sq1]%both Fit]%both Low]%both Up].
  apply Nat.ltb_lt in N. apply Nat.eqb_eq in Nd. apply check_level_ok in L. apply qle_R in Fit, Low, Up, Sq, Sq1.
  rewrite one_R in Sq, Sq1. rewrite qmul_R, qproduct_R in Sq. set (g := exp (epsilon_of e)) in *. set (k := tuples n yes_no).
  assert (B : forall l, (l < n)%nat -> is_bit (Q2R (x l)) (nth l devices [])) by (intros l Hl; apply check_bits_ok; auto; lia).
  assert (X : forall l, (l < n)%nat -> 1 < Q2R (x l)).
  { intros l Hl. rewrite <- one_R. apply qlt_R. apply (forallb_nth (qlt 1) ratios 0%Q One). unfold ratios. rewrite map_length. lia. }
  assert (Tog : Q2R together = product_of n (fun l => Q2R (x l))) by apply qproduct_R.
  assert (PX : 0 < product_of n (fun l => Q2R (x l))) by (apply product_positive; intros l Hl; specialize (X l Hl); lra).
  assert (Sv : forall l, (l < n)%nat -> Q2R (s l) = joint_slope (Q2R (x l))).
  { intros l Hl. unfold s, slopes. rewrite map_seq_nth by auto. apply qjoint_slope_R; auto. }
  assert (Co : Q2R cost = product_of n (fun l => bit_cost (Q2R (x l)))).
  { unfold cost. rewrite qproduct_R. apply product_ext. intros l Hl. apply qbit_cost_R; auto. }
  assert (Lo : Q2R loss = split_loss n (Q2R above) (fun l => Q2R (x l)) (Q2R top) (fun l => joint_slope (Q2R (x l)))).
  { unfold loss, split_loss. rewrite qadd_R, qmul_R, qsub_R, qdiv_R, one_R, Tog, qsum_R by lra. f_equal. apply sum_ext.
    intros l Hl. rewrite qmul_R, !qsub_R, one_R, Sv by auto. reflexivity. }
  destruct (qtop_ok n s) as [T0 T]. fold top in T0, T.
  assert (K : product_of n (fun _ => Q2R 2) = INR k).
  { unfold k. clear. induction n; cbn [product_of tuples]; [reflexivity|]. rewrite IHn, mult_INR, two_R. reflexivity. }
  rewrite K in Sq.
  assert (K1 : (1 < k)%nat).
  { unfold k. destruct n as [|n0]; [lia|]. cbn [tuples]. change (yes_no n0) with 2%nat. clear. induction n0 as [|n0 IH]; cbn [tuples]; [lia|].
    change (yes_no n0) with 2%nat. lia. }
  split; [exact Nd|]. split; [apply population_exists; auto|]. split; [|split].
  - exists (fun l => Q2R (x l)). split; [|change (product_of n (fun l => Q2R (x l)) <= g); lra].
    intros l Hl. destruct (B l Hl) as [Pr [M [_ [_ [_ [_ Q]]]]]]. auto.
  - destruct (bits_estimated n (fun l => Q2R (x l)) X) as [U V]. cbv zeta in U, V.
    set (F := independent n yes_no yes_no (fun l => bit_of (Q2R (x l)))) in *. set (m := fun l => length (nth l devices [])).
    set (a := fun o l => independent n yes_no yes_no (fun h => undo_of (Q2R (x h))) l o) in *. exists a.
    assert (M2 : forall l, (l < n)%nat -> m l = 2%nat) by (intros l Hl; apply (B l Hl)).
    unfold joint_estimates, joint_value. rewrite (tuples_ext n m yes_no) by (intros; rewrite M2 by auto; reflexivity). fold k in U, V |- *.
    destruct (estimates_ext k k F (independent n m yes_no (fun l => mat (nth l devices []))) a) as [U' V']; [|exact U|].
    + intros o c O C. apply two_outputs; auto. intros l i j Hl. destruct (B l Hl) as [_ [M [Len [Hp [E [Q _]]]]]]. rewrite Len in M.
      destruct M as [_ Su]. pose proof (Su 0%nat ltac:(lia)) as S0. pose proof (Su 1%nat ltac:(lia)) as S1. cbn [sum] in S0, S1. unfold bit_of. rewrite Q.
      destruct i as [|[|i]], j as [|[|j]]; intros; try lia; cbn [Nat.eqb]; rewrite ?E;
        match goal with |- _ = ?r => field_simplify r; [|lra] end; lra.
    + split; [exact U'|]. intros q [D Qs]. rewrite V', V by auto. rewrite Qs. rewrite <- Co, <- qsub_R. exact Up.
  - intros m P a q [y [Y G]] U [D Qs]. assert (Low' : Q2R lower <= Q2R (qsub value (qmul cost loss))) by exact Low.
    apply Rle_trans with (1 := Low'). unfold value. rewrite !qsub_R, qmul_R, Co, Lo, <- Qs.
    apply joint_split_least; auto.
    + intros l Hl. rewrite <- Sv by auto. apply T; auto.
    + exists y. split; [exact Y|]. apply Rle_trans with g; [exact G|apply L].
Qed.
