(* The largest conditional variance of unbiased reports of a number. For a distribution y of the categories the largest is
   at least the mean of the conditional variances, which is the variance of the estimate of x.y at the population y less
   sum_j y_j x_j^2 - (x.y)^2. So what bounds the variance of one contrast at the population y, by rays or by values, gives the
   lower bound. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Rays RayRules Values.
Import ListNotations.
Local Open Scope R_scope.

Definition square (x : Q) : Q := qmul x x.
Definition spread (k : nat) (x y : list Q) : Q :=
  qsub (qsum k (fun j => qmul (nth j y 0%Q) (square (nth j x 0%Q)))) (square (qsum k (fun j => qmul (nth j x 0%Q) (nth j y 0%Q)))).
Definition one_contrast (k : nat) (n : option nat) (G : region) (x y : list Q) : problem := Problem k n G (Estimate [x]) y.
Definition lower_of_contrast (k : nat) (x y : list Q) (lower : Q) : Q :=
  if Qle_bool lower 0 then lower else qadd lower (spread k x y).
Definition check_reports (k : nat) (x : list Q) (upper : Q) (a A : list (list Q)) : bool :=
  forallb (fun j =>
    Qeq_bool (qsum (length a) (fun i => qmul (entry a i j) (entry A 0 i))) (nth j x 0%Q)
    && Qle_bool (qsum (length a) (fun i => qmul (entry a i j) (square (entry A 0 i)))) (qadd upper (square (nth j x 0%Q)))) (seq 0 k).
Definition check_conditional (k : nat) (n : option nat) (G : region) (x y : list Q) (es : list ends) (lower upper : Q)
    (a : list (list Q)) (alpha : list Q) (betas : list (option (list (list Q)))) (W A : list (list Q)) : bool :=
  (Nat.ltb 0 k && check_reports k x upper a A
   && check_rays (one_contrast k n G x y) es (lower_of_contrast k x y lower) (qadd upper (spread k x y)) a alpha betas W A)%bool.
Definition check_conditional_values (k : nat) (n : option nat) (G : region) (x y : list Q) (es : list ends) (lower upper : Q)
    (a : list (list Q)) (alpha cuts : list Q) (W A : list (list Q)) : bool :=
  (Nat.ltb 0 k && check_reports k x upper a A
   && check_values (one_contrast k n G x y) es (lower_of_contrast k x y lower) (qadd upper (spread k x y)) a alpha cuts W A)%bool.

Lemma square_R x : Q2R (square x) = Q2R x ^ 2.
Proof. unfold square. rewrite qmul_R. ring. Qed.

Lemma spread_R k x y : Q2R (spread k x y) =
  sum k (fun j => vec y j * vec x j ^ 2) - sum k (fun j => vec x j * vec y j) ^ 2.
Proof.
  unfold spread. rewrite qsub_R, square_R, !qsum_R. f_equal.
  - apply sum_ext. intros j _. rewrite qmul_R, square_R. reflexivity.
  - f_equal. apply sum_ext. intros j _. rewrite qmul_R. reflexivity.
Qed.

Lemma conditional_nonneg k m P x z j : mechanism k m P -> reports k m P x z -> (j < k)%nat -> 0 <= conditional_variance m P x z j.
Proof.
  intros [N S] R J. unfold conditional_variance.
  replace (sum m (fun i => P i j * z i ^ 2) - x j ^ 2) with (sum m (fun i => P i j * (z i - x j) ^ 2)).
  - apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [auto|apply pow2_ge_0].
  - rewrite (sum_ext m _ (fun i => P i j * z i ^ 2 + ((-2 * x j) * (P i j * z i) + x j ^ 2 * P i j))) by (intros; ring).
    rewrite !sum_plus, !sum_scal, (R j J), (S j J). ring.
Qed.

Lemma largest_index k (f : nat -> R) : (0 < k)%nat -> exists i, (i < k)%nat /\ forall j, (j < k)%nat -> f j <= f i.
Proof.
  induction k as [|k IH]; intros H; [lia|]. destruct k as [|k].
  - exists O. split; [lia|]. intros j Hj. replace j with O by lia. lra.
  - destruct (IH ltac:(lia)) as (i & Hi & L). destruct (Rle_lt_dec (f (S k)) (f i)) as [A|A].
    + exists i. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S k)) as [->|]; auto. apply L; lia.
    + exists (S k). split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S k)) as [->|]; [lra|].
      assert (f j <= f i) by (apply L; lia). lra.
Qed.

(* The mean of the conditional variances at y, and the variance at the population y. *)
Lemma mean_of_conditional k m P x z y : distribution k y -> reports k m P x z ->
  n_variance k m 1 P (fun i _ => z i) y =
  sum k (fun j => y j * conditional_variance m P x z j) + (sum k (fun j => y j * x j ^ 2) - sum k (fun j => x j * y j) ^ 2).
Proof.
  intros D R. unfold n_variance, answers. cbn [sum]. rewrite Rplus_0_l.
  assert (E : forall f, sum m (fun i => sum k (fun j => P i j * y j) * f i) = sum k (fun j => y j * sum m (fun i => P i j * f i))).
  { intros f. rewrite (sum_ext m _ (fun i => sum k (fun j => y j * (P i j * f i)))).
    - rewrite sum_swap. apply sum_ext. intros j _. apply sum_scal.
    - intros i _. rewrite <- sum_scal_r. apply sum_ext. intros; ring. }
  rewrite (E z), (E (fun i => z i ^ 2)).
  rewrite (sum_ext k (fun j => y j * sum m (fun i => P i j * z i)) (fun j => x j * y j)) by (intros j J; rewrite (R j J); ring).
  rewrite (sum_ext k (fun j => y j * conditional_variance m P x z j) (fun j => y j * sum m (fun i => P i j * z i ^ 2) - y j * x j ^ 2))
    by (intros; unfold conditional_variance; ring).
  rewrite sum_minus. ring.
Qed.

Lemma reports_unbiased k m P x z : reports k m P (vec x) z -> unbiased k m 1 P (mat [x]) (fun i _ => z i).
Proof.
  intros R q D l Hl. replace l with O by lia. unfold answers.
  rewrite (sum_ext m _ (fun i => sum k (fun j => q j * (P i j * z i)))).
  - rewrite sum_swap. apply sum_ext. intros j J. rewrite sum_scal, (R j J). unfold mat. cbn [nth]. ring.
  - intros i _. rewrite <- sum_scal_r. apply sum_ext. intros; ring.
Qed.

Lemma conditional_of_contrast k n G x y lower upper a A : (0 < k)%nat -> check_reports k x upper a A = true ->
  bracketed (one_contrast k n G x y) (Q2R (lower_of_contrast k x y lower)) (Q2R (qadd upper (spread k x y))) (length a) (mat a) ->
  conditional_bracketed k n G (vec x) (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  intros Hk Z H. unfold bracketed, one_contrast in H. cbn [categories population outputs_fit outputs region_of objective_of] in H.
  unfold lower_of_contrast in H. unfold check_reports in Z.
  destruct H as (D & F & AL & _ & LB). split; [exact F|]. split; [exact AL|]. split.
  - exists (fun i => mat A 0 i). split; intros j J; pose proof (forallb_seq _ _ Z j J) as Y; cbv beta in Y; apply both in Y as [Y U].
    + apply qeq_R in Y. rewrite qsum_R in Y. unfold vec at 1. rewrite <- Y. apply sum_ext. intros i _. rewrite qmul_R, !entry_R. reflexivity.
    + apply qle_R in U. rewrite qsum_R, qadd_R, square_R in U. unfold conditional_variance. fold (vec x j) in U.
      rewrite (sum_ext (length a) (fun i => mat a i j * mat A 0 i ^ 2) (fun i => Q2R (qmul (entry a i j) (square (entry A 0 i)))))
        by (intros; rewrite qmul_R, square_R, !entry_R; reflexivity). lra.
  - intros m' P' z F' A' R. pose proof (proj1 A') as M'. destruct (Qle_bool lower 0) eqn:E.
    + exists O. split; [auto|]. apply qle_R in E. rewrite zero_R in E. pose proof (conditional_nonneg k m' P' (vec x) z O M' R Hk). lra.
    + destruct (largest_index k (conditional_variance m' P' (vec x) z) Hk) as (i & Hi & L). exists i. split; [auto|].
      specialize (LB m' P' (fun i _ => z i) F' A' (reports_unbiased k m' P' x z R)). cbn [length] in LB.
      rewrite qadd_R, spread_R, (mean_of_conditional k m' P' (vec x) z (vec y) D R) in LB.
      assert (S : sum k (fun j => vec y j * conditional_variance m' P' (vec x) z j) <= conditional_variance m' P' (vec x) z i).
      { apply Rle_trans with (sum k (fun j => vec y j * conditional_variance m' P' (vec x) z i)).
        - apply sum_le. intros j J. apply Rmult_le_compat_l; [apply D; auto|auto].
        - rewrite sum_scal_r, (proj2 D). lra. }
      lra.
Qed.

Theorem check_conditional_ok k n G x y es lower upper a alpha betas W A :
  check_conditional k n G x y es lower upper a alpha betas W A = true ->
  conditional_bracketed k n G (vec x) (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_conditional. intros H. apply both in H as [[K Z]%both H]. apply Nat.ltb_lt in K.
  apply (conditional_of_contrast k n G x y lower upper a A K Z). exact (check_rays_ok _ _ _ _ _ _ _ _ _ H).
Qed.

Theorem check_conditional_values_ok k n G x y es lower upper a alpha cuts W A :
  check_conditional_values k n G x y es lower upper a alpha cuts W A = true ->
  conditional_bracketed k n G (vec x) (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_conditional_values. intros H. apply both in H as [[K Z]%both H]. apply Nat.ltb_lt in K.
  apply (conditional_of_contrast k n G x y lower upper a A K Z). exact (check_values_ok _ _ _ _ _ _ _ _ _ H).
Qed.
