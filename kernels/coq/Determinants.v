(* The way of rays, D-optimality: products of the variances of successive contrasts, by the means of geometry and arithmetic. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists RayRules Logarithms RaySums Contrasts.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Over the real numbers. ---- *)
Lemma product_exp n v : (forall l, (l < n)%nat -> 0 < v l) -> product_of n v = exp (sum n (fun l => ln (v l))).
Proof.
  induction n; intros H; cbn [product_of sum]; [rewrite exp_0; reflexivity|].
  rewrite exp_plus, exp_ln, IHn by (intros; apply H; lia). reflexivity.
Qed.
Lemma ln_square x : x <> 0 -> ln (x ^ 2) = 2 * ln (Rabs x).
Proof.
  intros H. pose proof (Rabs_pos_lt x H). rewrite <- (pow2_abs x). replace (Rabs x ^ 2) with (Rabs x * Rabs x) by ring. rewrite ln_mult by auto. ring.
Qed.
Lemma square_pos x : x <> 0 -> 0 < x ^ 2.
Proof. intros H. pose proof (pow2_ge_0 x). pose proof (pow_nonzero x 2 H). lra. Qed.

(* The geometric mean is at most the arithmetic one. *)
Lemma mean_of_logs n x B : (0 < n)%nat -> (forall l, (l < n)%nat -> 0 < x l) -> sum n x <= B -> 0 < B ->
  sum n (fun l => ln (x l)) <= INR n * ln (B / INR n).
Proof.
  intros Hn X S HB. assert (N : 0 < INR n) by (apply lt_0_INR; auto). set (c := B / INR n).
  assert (C : 0 < c) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]).
  apply Rle_trans with (sum n (fun l => / c * x l + (ln c - 1))).
  - apply sum_le. intros l Hl. specialize (X l Hl). assert (P : 0 < x l / c) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]).
    pose proof (ln_at_most _ P) as L. rewrite ln_quotient in L by auto. unfold Rdiv in L. lra.
  - rewrite sum_plus, sum_scal, sum_const. assert (/ c * sum n x <= INR n); [|lra].
    apply (Rmult_le_compat_l (/ c)) in S; [|left; apply Rinv_0_lt_compat; auto].
    replace (/ c * B) with (INR n) in S by (unfold c; field; lra). exact S.
Qed.

Theorem determinant_bound k m P a q u W G B : (1 < k)%nat -> mechanism k m P -> distribution k q -> unbiased k m k P unit_matrix a ->
  square_rows k m (k - 1) P W q G -> sum m G <= B -> (forall l, (l < k - 1)%nat -> sum k (fun j => W j l) = 0) -> 0 < B ->
  (forall l, (l < k - 1)%nat -> W l l <> 0 /\ forall j, (j < l)%nat -> W j l = 0) -> successive (k - 1) u ->
  exp (2 * sum (k - 1) (fun l => ln (Rabs (W l l))) - INR (k - 1) * ln (B / INR (k - 1))) <= variances_product k m P a q u.
Proof.
  intros Hk M D U S SG Z HB Tri Suc. set (n := (k - 1)%nat) in *. set (v := fun l => contrast_variance k m P a q (u l)).
  assert (Dia : forall l, (l < n)%nat -> sum k (fun j => u l j * W j l) = W l l).
  { intros l Hl. destruct (Suc l Hl) as [U1 U0], (Tri l Hl) as [_ W0]. rewrite <- (sum_single k l (W l l)) by lia. apply sum_ext.
    intros j _. destruct (Nat.eqb_spec j l) as [->|N]; [rewrite U1; ring|]. destruct (Nat.lt_ge_cases j l) as [L|L]; [rewrite (W0 j L); ring|].
    rewrite (U0 j) by lia. ring. }
  assert (All : forall d, sum n (fun l => d l * W l l) ^ 2 / B <= sum n (fun l => d l ^ 2 * v l)).
  { intros d. pose proof (contrasts_bound k m n P a q (fun l j => d l * u l j) W G B M D U S SG Z HB) as X. cbn beta in X.
    rewrite (sum_ext n (fun l => sum k (fun j => d l * u l j * W j l)) (fun l => d l * W l l)) in X.
    - rewrite (sum_ext n (fun l => contrast_variance k m P a q (fun j => d l * u l j)) (fun l => d l ^ 2 * v l)) in X; [exact X|].
      intros l _. apply contrast_scaled.
    - intros l Hl. rewrite <- (Dia l Hl), <- sum_scal. apply sum_ext. intros; ring. }
  assert (V : forall l, (l < n)%nat -> 0 < v l).
  { intros l Hl. pose proof (All (fun h => if Nat.eqb h l then 1 else 0)) as X. cbn beta in X.
    rewrite (sum_ext n (fun h => (if Nat.eqb h l then 1 else 0) * W h h) (fun h => if Nat.eqb h l then W l l else 0)) in X
      by (intros h _; destruct (Nat.eqb_spec h l); [subst|]; ring).
    rewrite (sum_ext n (fun h => (if Nat.eqb h l then 1 else 0) ^ 2 * v h) (fun h => if Nat.eqb h l then v l else 0)) in X
      by (intros h _; destruct (Nat.eqb_spec h l); [subst|]; ring).
    rewrite !sum_single in X by auto. destruct (Tri l Hl) as [NZ _].
    assert (0 < W l l ^ 2 / B) by (apply Rmult_lt_0_compat; [apply square_pos; auto|apply Rinv_0_lt_compat; auto]). lra. }
  set (x := fun l => W l l ^ 2 / v l).
  assert (Xp : forall l, (l < n)%nat -> 0 < x l).
  { intros l Hl. apply Rmult_lt_0_compat; [apply square_pos, (Tri l Hl)|apply Rinv_0_lt_compat; auto]. }
  assert (Sx : sum n x <= B).
  { pose proof (All (fun l => W l l / v l)) as X. cbn beta in X.
    rewrite (sum_ext n (fun l => W l l / v l * W l l) x) in X by (intros l _; unfold x, Rdiv; ring).
    rewrite (sum_ext n (fun l => (W l l / v l) ^ 2 * v l) x) in X by (intros l Hl; specialize (V l Hl); unfold x; field; lra).
    assert (SP : 0 < sum n x) by (apply (sum_pos n x 0); [intros h Hh; left; auto|lia|apply Xp; lia]).
    apply (Rmult_le_reg_l (sum n x)); auto. apply (Rmult_le_compat_r B) in X; [|lra].
    replace (sum n x ^ 2 / B * B) with (sum n x * sum n x) in X by (field; lra). exact X. }
  pose proof (mean_of_logs n x B ltac:(lia) Xp Sx HB) as L.
  rewrite (sum_ext n _ (fun l => 2 * ln (Rabs (W l l)) - ln (v l))) in L.
  - rewrite sum_minus, sum_scal in L. unfold variances_product. fold n v. rewrite product_exp by auto.
    set (y := sum n (fun l => ln (v l))) in *. set (z := 2 * sum n (fun l => ln (Rabs (W l l))) - INR n * ln (B / INR n)).
    destruct (Rle_lt_or_eq_dec z y) as [Lt|Eq]; [unfold z; lra|left; apply exp_increasing; exact Lt|rewrite Eq; lra].
  - intros l Hl. unfold x. destruct (Tri l Hl) as [NZ _]. rewrite ln_quotient, ln_square; auto. apply square_pos, NZ.
Qed.

(* ---- The check. ---- *)
Fixpoint logs_of (t : precision) (xs : list Q) : option (Q * Q) :=
  match xs with
  | [] => Some (0%Q, 0%Q)
  | x :: xs =>
    match log_ends t (qabs x), logs_of t xs with Some (a, b), Some (l, h) => Some (qadd a l, qadd b h) | _, _ => None end
  end.
Lemma logs_of_ok t n f l h : precise t -> logs_of t (map f (seq 0 n)) = Some (l, h) ->
  Q2R l <= sum n (fun i => ln (Rabs (Q2R (f i)))) <= Q2R h.
Proof.
  intros T. assert (X : forall s l h, logs_of t (map f (seq s n)) = Some (l, h) -> Q2R l <= sum n (fun i => ln (Rabs (Q2R (f (s + i)%nat)))) <= Q2R h).
  { induction n as [|n IH]; intros s l' h' H; cbn [seq map logs_of] in H.
    - apply some_pair in H as [<- <-]. cbn. rewrite zero_R. lra.
    - destruct (log_ends t (qabs (f s))) as [[a b]|] eqn:LE; [|discriminate]. destruct (logs_of t (map f (seq (S s) n))) as [[x y]|] eqn:R; [|discriminate].
      apply some_pair in H as [<- <-]. apply log_ends_ok in LE; auto. rewrite qabs_R in LE. apply IH in R. rewrite sum_front, !qadd_R, Nat.add_0_r.
      rewrite (sum_ext n (fun i => ln (Rabs (Q2R (f (s + S i)%nat)))) (fun i => ln (Rabs (Q2R (f (S s + i)%nat)))))
        by (intros i _; replace (s + S i)%nat with (S s + i)%nat by lia; reflexivity). lra. }
  intros H. apply (X O l h H).
Qed.

Definition count_of (n : nat) : Q := Qmake (Z.of_nat n) 1.
Lemma count_of_R n : Q2R (count_of n) = INR n.
Proof. unfold count_of, Q2R; cbn [Qnum Qden]. rewrite INR_IZR_INZ. lra. Qed.

