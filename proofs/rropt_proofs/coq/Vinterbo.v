(* Claims of Vinterbo (2018): the unbiased estimator of k shares, and randomizers of one bit. *)

From Coq Require Import Reals Lra Lia List Arith.
From Rropt Require Import Definitions Sums Holohan.
Import ListNotations.
Local Open Scope R_scope.

(* B is a left inverse of C: B C = I. *)
Definition left_inverse (k m : nat) (B C : nat -> nat -> R) : Prop :=
  forall i j, (i < k)%nat -> (j < k)%nat -> sum m (fun h => B i h * C h j) = if Nat.eqb j i then 1 else 0.

Lemma average_total n k P q score x : (0 < n)%nat -> length x = length (with_replacement n k P q) ->
  average score x = 0 + / INR n * total score x.
Proof.
  intros Hn L. rewrite length_with_replacement in L. unfold average. rewrite L. pose proof (INR_positive n Hn). field. lra.
Qed.

Lemma average_mean n k m P q score : (0 < n)%nat -> mechanism k m P -> distribution k q ->
  mean m (with_replacement n k P q) (average score) = sum m (fun i => answers k P q i * score i).
Proof.
  intros Hn M D.
  rewrite (mean_affine_total m _ score _ _ _ (replacement_distributions n k m P q M D)
             (fun x => average_total n k P q score x Hn)).
  rewrite map_with_replacement, list_sum_repeat. unfold law_mean. pose proof (INR_positive n Hn). field. lra.
Qed.

Lemma average_variance n k m P q score : (0 < n)%nat -> mechanism k m P -> distribution k q ->
  INR n * variance m (with_replacement n k P q) (average score) =
  sum m (fun i => answers k P q i * score i ^ 2) - sum m (fun i => answers k P q i * score i) ^ 2.
Proof.
  intros Hn M D.
  rewrite (variance_affine_total m _ score _ _ _ (replacement_distributions n k m P q M D)
             (fun x => average_total n k P q score x Hn)).
  rewrite map_with_replacement, list_sum_repeat. unfold law_variance, law_mean. pose proof (INR_positive n Hn). field. lra.
Qed.

(* What `n_variance` of the definitions is. *)
Lemma n_variance_is_n_times_the_variance n k m r P a q : (0 < n)%nat -> mechanism k m P -> distribution k q ->
  sum r (fun l => INR n * variance m (with_replacement n k P q) (average (fun i => a i l))) = n_variance k m r P a q.
Proof. intros Hn M D. unfold n_variance. apply sum_ext. intros l _. apply average_variance; auto. Qed.

Lemma left_inverse_mean k m B C q i : left_inverse k m B C -> (i < k)%nat ->
  sum m (fun h => answers k C q h * B i h) = q i.
Proof.
  intros L Hi. unfold answers.
  rewrite (sum_ext m _ (fun h => sum k (fun j => (B i h * C h j) * q j)))
    by (intros h _; rewrite <- sum_scal_r; apply sum_ext; intros; ring).
  rewrite sum_swap. rewrite (sum_ext k _ (fun j => if Nat.eqb j i then q i else 0)).
  - apply sum_single; auto.
  - intros j Hj. rewrite sum_scal_r, L by auto. destruct (Nat.eqb_spec j i); subst; ring.
Qed.

Theorem vinterbo_sec_3_2_estimator_is_unbiased : forall n k m C B q i,
  (0 < n)%nat -> mechanism k m C -> left_inverse k m B C -> distribution k q -> (i < k)%nat ->
  mean m (with_replacement n k C q) (average (fun r => B i r)) = q i.
Proof. intros n k m C B q i Hn M L D Hi. rewrite average_mean by auto. apply (left_inverse_mean k m); auto. Qed.

Theorem vinterbo_sec_3_2_variances_of_the_estimator : forall n k m C B q i,
  (0 < n)%nat -> mechanism k m C -> left_inverse k m B C -> distribution k q -> (i < k)%nat ->
  variance m (with_replacement n k C q) (average (fun r => B i r)) =
  / INR n * (sum m (fun r => B i r * answers k C q r * B i r) - q i * q i).
Proof.
  intros n k m C B q i Hn M L D Hi. pose proof (INR_positive n Hn).
  apply (Rmult_eq_reg_l (INR n)); [|lra]. rewrite (average_variance n k m C q (fun r => B i r)) by auto.
  rewrite (left_inverse_mean k m B C q i L Hi).
  rewrite (sum_ext m _ (fun r => B i r * answers k C q r * B i r)) by (intros; ring). field. lra.
Qed.

Theorem vinterbo_sec_5_3_rappor_second_stage : forall f q i j, (i < 2)%nat -> (j < 2)%nat ->
  composed 2 (binary q q) (binary ((2 - f) / 2) ((2 - f) / 2)) i j =
  binary (q - (q - 1 / 2) * f) (q - (q - 1 / 2) * f) i j.
Proof. intros f q [|[|i]] [|[|j]] Hi Hj; try lia; unfold composed; cbn; field. Qed.
