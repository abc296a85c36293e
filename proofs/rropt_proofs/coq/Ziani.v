(* Claims of Ziani's lectures: RR_p flips a bit with probability p; the Laplace mechanism has density `laplace`. *)

From Coq Require Import Reals Lra Lia List Arith.
From Rropt Require Import Definitions Sums.
Import ListNotations.
Local Open Scope R_scope.

Definition flipped (p : R) : nat -> nat -> R := binary (1 - p) (1 - p).
Definition corrected_estimate (p : R) (answers : list nat) : R := (average INR answers - p) / (1 - 2 * p).

Theorem ziani_claim_3_mean_of_a_flipped_bit : forall p b,
  (b < 2)%nat -> sum 2 (fun i => given (flipped p) b i * INR i) = p + (1 - 2 * p) * INR b.
Proof. intros p [|[|b]] H; [| |lia]; unfold flipped, given; cbn; ring. Qed.

Lemma length_everyone P truths : length (everyone_once P truths) = length truths.
Proof. apply map_length. Qed.

Lemma flipped_distributions p truths : 0 <= p <= 1 -> Forall (fun b => (b < 2)%nat) truths ->
  Forall (distribution 2) (everyone_once (flipped p) truths).
Proof. intros. apply (everyone_distributions 2 2); auto. apply binary_mechanism; lra. Qed.

Lemma corrected_total p truths x : (0 < length truths)%nat -> p <> 1 / 2 -> length x = length (everyone_once (flipped p) truths) ->
  corrected_estimate p x = - p / (1 - 2 * p) + 1 / ((1 - 2 * p) * INR (length truths)) * total INR x.
Proof.
  intros H N L. rewrite length_everyone in L. unfold corrected_estimate, average. rewrite L.
  apply lt_INR in H. cbn in H. field. split; lra.
Qed.

Lemma flipped_means p truths : Forall (fun b => (b < 2)%nat) truths ->
  list_sum (map (fun law => law_mean 2 law INR) (everyone_once (flipped p) truths)) =
  p * INR (length truths) + (1 - 2 * p) * total INR truths.
Proof.
  unfold everyone_once. induction 1 as [|b truths Hb F IH]; cbn [map list_sum length total]; [cbn; ring|].
  rewrite IH, S_INR. unfold law_mean. rewrite ziani_claim_3_mean_of_a_flipped_bit by auto. ring.
Qed.

Lemma flipped_variances p truths : Forall (fun b => (b < 2)%nat) truths ->
  list_sum (map (fun law => law_variance 2 law INR) (everyone_once (flipped p) truths)) =
  p * (1 - p) * INR (length truths).
Proof.
  unfold everyone_once. induction 1 as [|b truths Hb F IH]; cbn [map list_sum length]; [cbn; ring|].
  rewrite IH, S_INR. replace (law_variance 2 (given (flipped p) b) INR) with (p * (1 - p)); [ring|].
  unfold law_variance, law_mean, given, flipped. destruct b as [|[|b]]; [| |lia]; cbn; ring.
Qed.

Theorem ziani_claim_3_corrected_estimator_is_unbiased : forall p truths,
  0 <= p < 1 / 2 -> (0 < length truths)%nat -> Forall (fun b => (b < 2)%nat) truths ->
  mean 2 (everyone_once (flipped p) truths) (corrected_estimate p) = average INR truths.
Proof.
  intros p truths Hp Hn F.
  rewrite (mean_affine_total 2 _ INR _ _ _ (flipped_distributions p truths ltac:(lra) F)
             (fun x => corrected_total p truths x Hn ltac:(lra))).
  rewrite flipped_means by auto. unfold average. apply lt_INR in Hn. cbn in Hn. field. split; lra.
Qed.

Theorem ziani_theorem_5_variance_of_the_estimator : forall p truths,
  0 <= p < 1 / 2 -> (0 < length truths)%nat -> Forall (fun b => (b < 2)%nat) truths ->
  variance 2 (everyone_once (flipped p) truths) (corrected_estimate p) =
    p * (1 - p) / ((2 * p - 1) ^ 2 * INR (length truths)) /\
  variance 2 (everyone_once (flipped p) truths) (corrected_estimate p) <=
    1 / (4 * (2 * p - 1) ^ 2 * INR (length truths)).
Proof.
  intros p truths Hp Hn F.
  rewrite (variance_affine_total 2 _ INR _ _ _ (flipped_distributions p truths ltac:(lra) F)
             (fun x => corrected_total p truths x Hn ltac:(lra))).
  rewrite flipped_variances by auto. apply lt_INR in Hn. cbn in Hn.
  assert (E : (1 / ((1 - 2 * p) * INR (length truths))) ^ 2 * (p * (1 - p) * INR (length truths)) =
              p * (1 - p) / ((2 * p - 1) ^ 2 * INR (length truths))) by (field; split; lra).
  split; [exact E|]. rewrite E.
  assert (D : 0 < (2 * p - 1) ^ 2 * INR (length truths)).
  { apply Rmult_lt_0_compat; auto. replace ((2 * p - 1) ^ 2) with ((1 - 2 * p) ^ 2) by ring. apply pow_lt. lra. }
  apply (Rmult_le_reg_r ((2 * p - 1) ^ 2 * INR (length truths))); auto.
  replace (p * (1 - p) / ((2 * p - 1) ^ 2 * INR (length truths)) * ((2 * p - 1) ^ 2 * INR (length truths)))
    with (p * (1 - p)) by (field; split; lra).
  replace (1 / (4 * (2 * p - 1) ^ 2 * INR (length truths)) * ((2 * p - 1) ^ 2 * INR (length truths)))
    with (1 / 4) by (field; split; lra).
  pose proof (pow2_ge_0 (1 - 2 * p)). lra.
Qed.

Theorem ziani_theorem_5_accuracy_of_the_corrected_estimator : forall p truths delta,
  0 <= p < 1 / 2 -> (0 < length truths)%nat -> Forall (fun b => (b < 2)%nat) truths -> 0 < delta ->
  1 - delta <=
  probability 2 (everyone_once (flipped p) truths) (fun answers =>
    within (corrected_estimate p answers) (average INR truths)
      (sqrt (1 / delta) / (2 * (1 - 2 * p) * sqrt (INR (length truths))))).
Proof.
  intros p truths delta Hp Hn F Hd.
  destruct (ziani_theorem_5_variance_of_the_estimator p truths Hp Hn F) as [_ V].
  pose proof (ziani_claim_3_corrected_estimator_is_unbiased p truths Hp Hn F) as M.
  apply lt_INR in Hn. cbn in Hn. set (N := INR (length truths)) in *.
  assert (I : 0 < 1 / delta) by (apply Rdiv_lt_0_compat; lra).
  pose proof (sqrt_lt_R0 _ I) as S1. pose proof (sqrt_lt_R0 _ Hn) as S2.
  assert (D : 0 < 2 * (1 - 2 * p) * sqrt N) by (repeat apply Rmult_lt_0_compat; lra).
  set (t := sqrt (1 / delta) / (2 * (1 - 2 * p) * sqrt N)).
  assert (T : 0 < t) by (apply Rdiv_lt_0_compat; auto).
  assert (T2 : t ^ 2 * (4 * (2 * p - 1) ^ 2 * N) = 1 / delta).
  { unfold t. rewrite <- (sqrt_sqrt N) at 2 by lra. rewrite <- (sqrt_sqrt (1 / delta)) at 2 by lra. field. split; lra. }
  pose proof (within_chebyshev 2 _ (corrected_estimate p) t (flipped_distributions p truths ltac:(lra) F) T) as C.
  rewrite M in C. eapply Rle_trans; [|exact C].
  set (v := variance 2 (everyone_once (flipped p) truths) (corrected_estimate p)) in *.
  assert (Q : 0 < t ^ 2) by (apply pow_lt; auto). clearbody t.
  assert (P : 0 < 4 * (2 * p - 1) ^ 2 * N).
  { apply Rmult_lt_0_compat; auto. replace ((2 * p - 1) ^ 2) with ((1 - 2 * p) ^ 2) by ring.
    apply Rmult_lt_0_compat; [lra|apply pow_lt; lra]. }
  assert (W : v / t ^ 2 <= delta).
  { apply (Rmult_le_reg_r (t ^ 2)); auto. replace (v / t ^ 2 * t ^ 2) with v by (field; lra).
    eapply Rle_trans; [exact V|]. apply (Rmult_le_reg_r (4 * (2 * p - 1) ^ 2 * N)); auto.
    replace (1 / (4 * (2 * p - 1) ^ 2 * N) * (4 * (2 * p - 1) ^ 2 * N)) with 1 by (field; split; lra).
    rewrite Rmult_assoc, T2. apply Req_le. field. lra. }
  lra.
Qed.

Theorem ziani_remark_1_two_coins_are_one : forall q i b, (i < 2)%nat -> (b < 2)%nat ->
  1 / 2 * binary 1 1 i b + 1 / 2 * flipped q i b = flipped (q / 2) i b.
Proof. intros q [|[|i]] [|[|b]] Hi Hb; try lia; unfold flipped; cbn; field. Qed.

Theorem ziani_example_1_no_information_at_one_half_and_no_privacy_at_zero : forall prior,
  0 < prior < 1 ->
  (forall i, (i < 2)%nat -> posterior 2 (flipped (1 / 2)) (bernoulli prior) i (fun b => Nat.eqb b 1) = prior) /\
  posterior 2 (flipped 0) (bernoulli prior) 1 (fun b => Nat.eqb b 1) = 1 /\
  posterior 2 (flipped 0) (bernoulli prior) 0 (fun b => Nat.eqb b 1) = 0.
Proof.
  intros a Ha. unfold posterior, event_probability, answers, flipped; cbn. repeat split.
  - intros [|[|i]] Hi; [| |lia]; cbn; field; lra.
  - field. lra.
  - field. lra.
Qed.

Theorem ziani_theorem_2_least_epsilon_of_randomized_response : forall p epsilon,
  0 < p <= 1 / 2 ->
  Rmax (ln (p / (1 - p))) (ln ((1 - p) / p)) = ln ((1 - p) / p) /\
  (differentially_private 2 2 epsilon 0 (flipped p) <-> ln ((1 - p) / p) <= epsilon).
Proof.
  intros p epsilon Hp.
  assert (A : 0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  assert (B : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra).
  assert (AB : p / (1 - p) <= (1 - p) / p).
  { apply (Rmult_le_reg_r (p * (1 - p))); [apply Rmult_lt_0_compat; lra|].
    replace (p / (1 - p) * (p * (1 - p))) with (p * p) by (field; lra).
    replace ((1 - p) / p * (p * (1 - p))) with ((1 - p) * (1 - p)) by (field; lra). apply Rmult_le_compat; lra. }
  split.
  - apply Rmax_right. destruct AB as [AB| ->]; [apply Rlt_le, ln_increasing; auto|lra].
  - pose proof (exp_pos epsilon) as E0. split.
    + intros H. unfold differentially_private in H. rewrite private_rows in H.
      specialize (H 0%nat 0%nat 1%nat ltac:(lia) ltac:(lia) ltac:(lia)). unfold flipped in H; cbn in H.
      assert (L : (1 - p) / p <= exp epsilon).
      { apply (Rmult_le_reg_r p); [lra|]. replace ((1 - p) / p * p) with (1 - p) by (field; lra). lra. }
      rewrite <- (ln_exp epsilon). destruct L as [L|L]; [apply Rlt_le, ln_increasing; auto|rewrite L; lra].
    + intros L. assert (X : (1 - p) / p <= exp epsilon).
      { rewrite <- (exp_ln ((1 - p) / p)) by auto. destruct L as [L|<-]; [apply Rlt_le, exp_increasing; auto|lra]. }
      apply (Rmult_le_compat_r p) in X; [|lra]. replace ((1 - p) / p * p) with (1 - p) in X by (field; lra).
      assert (G : 1 <= exp epsilon) by (apply (Rmult_le_reg_r p); lra).
      assert (Y : forall x, 0 <= x -> x <= exp epsilon * x).
      { intros x Hx. rewrite <- (Rmult_1_l x) at 1. apply Rmult_le_compat_r; auto. }
      pose proof (Y p ltac:(lra)). pose proof (Y (1 - p) ltac:(lra)).
      unfold differentially_private. rewrite private_rows. unfold flipped.
      intros [|[|i]] [|[|j]] [|[|l]] Hi Hj Hl; try lia; cbn; lra.
Qed.

(* Chebyshev's inequality for a statistic of independent answers, each with finitely many values. *)
Theorem ziani_lemma_4_chebyshev : forall m laws statistic times,
  Forall (distribution m) laws -> 0 < times -> 0 < variance m laws statistic ->
  probability m laws (fun x => at_distance (statistic x) (mean m laws statistic)
    (times * sqrt (variance m laws statistic))) <= 1 / times ^ 2.
Proof.
  intros m laws f t F T V. set (v := variance m laws f) in *. pose proof (sqrt_lt_R0 v V) as S.
  eapply Rle_trans; [apply (chebyshev m laws f (t * sqrt v) F)|].
  - apply Rmult_lt_0_compat; auto.
  - intros x. unfold at_distance. destruct (Rle_dec _ _); cbn; [auto|discriminate].
  - fold v. apply Req_le. replace ((t * sqrt v) ^ 2) with (t ^ 2 * (sqrt v * sqrt v)) by ring.
    rewrite sqrt_sqrt by lra. field. lra.
Qed.

Definition laplace (scale z : R) : R := exp (- (Rabs z / scale)) / (2 * scale).

Theorem ziani_theorem_8_proof_triangle_inequality : forall s x y, Rabs (s - y) - Rabs (s - x) <= Rabs (y - x).
Proof. intros s x y. pose proof (Rabs_triang (s - x) (x - y)) as T. replace (s - x + (x - y)) with (s - y) in T by ring.
  rewrite (Rabs_minus_sym x y) in T. lra. Qed.

Lemma laplace_ratio sensitivity epsilon s x y : 0 < sensitivity -> 0 < epsilon ->
  laplace (sensitivity / epsilon) (s - x) <= exp (Rabs (y - x) * (epsilon / sensitivity)) * laplace (sensitivity / epsilon) (s - y).
Proof.
  intros Hs He. pose proof (ziani_theorem_8_proof_triangle_inequality s x y) as T.
  assert (B : 0 < sensitivity / epsilon) by (apply Rdiv_lt_0_compat; auto).
  assert (B' : 0 < epsilon / sensitivity) by (apply Rdiv_lt_0_compat; auto).
  unfold laplace. unfold Rdiv at 1.
  replace (exp (Rabs (y - x) * (epsilon / sensitivity)) *
           (exp (- (Rabs (s - y) / (sensitivity / epsilon))) / (2 * (sensitivity / epsilon))))
    with (exp (Rabs (y - x) * (epsilon / sensitivity)) * exp (- (Rabs (s - y) / (sensitivity / epsilon))) *
          / (2 * (sensitivity / epsilon))) by (unfold Rdiv; ring).
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; lra|].
  rewrite <- exp_plus.
  replace (Rabs (y - x) * (epsilon / sensitivity) + - (Rabs (s - y) / (sensitivity / epsilon)))
    with ((Rabs (y - x) - Rabs (s - y)) * (epsilon / sensitivity)) by (field; lra).
  replace (- (Rabs (s - x) / (sensitivity / epsilon))) with (- Rabs (s - x) * (epsilon / sensitivity)) by (field; lra).
  assert (L : - Rabs (s - x) * (epsilon / sensitivity) <= (Rabs (y - x) - Rabs (s - y)) * (epsilon / sensitivity)).
  { apply Rmult_le_compat_r; lra. }
  destruct L as [L| ->]; [apply Rlt_le, exp_increasing; auto|lra].
Qed.

Theorem ziani_theorem_8_laplace_mechanism_densities : forall sensitivity epsilon fx fy s,
  0 < sensitivity -> 0 < epsilon -> Rabs (fx - fy) <= sensitivity ->
  laplace (sensitivity / epsilon) (s - fx) <= exp epsilon * laplace (sensitivity / epsilon) (s - fy).
Proof.
  intros d e x y s Hd He H. eapply Rle_trans; [apply (laplace_ratio d e s x y Hd He)|].
  assert (B : 0 < d / e) by (apply Rdiv_lt_0_compat; auto).
  apply Rmult_le_compat_r.
  - unfold laplace, Rdiv at 1. apply Rmult_le_pos; [apply Rlt_le, exp_pos|apply Rlt_le, Rinv_0_lt_compat; lra].
  - rewrite Rabs_minus_sym in H. assert (I : 0 < / d) by (apply Rinv_0_lt_compat; auto).
    assert (L : Rabs (y - x) * (e / d) <= e).
    { apply (Rmult_le_compat_r (e / d)) in H; [|unfold Rdiv; apply Rlt_le, Rmult_lt_0_compat; auto].
      replace (d * (e / d)) with e in H by (field; lra). auto. }
    destruct L as [L| ->]; [apply Rlt_le, exp_increasing; auto|lra].
Qed.

Fixpoint product (n : nat) (f : nat -> R) : R := match n with O => 1 | S before => product before f * f before end.

Theorem ziani_theorem_12_vector_laplace_mechanism_densities : forall d sensitivity epsilon fx fy s,
  0 < sensitivity -> 0 < epsilon -> sum d (fun i => Rabs (fx i - fy i)) <= sensitivity ->
  product d (fun i => laplace (sensitivity / epsilon) (s i - fx i)) <=
  exp epsilon * product d (fun i => laplace (sensitivity / epsilon) (s i - fy i)).
Proof.
  intros d D e x y s HD He H. assert (B : 0 < D / e) by (apply Rdiv_lt_0_compat; auto).
  assert (P : forall z, 0 < laplace (D / e) z).
  { intros z. unfold laplace, Rdiv at 1. apply Rmult_lt_0_compat; [apply exp_pos|apply Rinv_0_lt_compat; lra]. }
  assert (Q : forall n z, 0 < product n (fun i => laplace (D / e) (z i))).
  { induction n; intros z; cbn [product]; [lra|]. apply Rmult_lt_0_compat; auto. }
  assert (G : product d (fun i => laplace (D / e) (s i - x i)) <=
              exp (sum d (fun i => Rabs (x i - y i)) * (e / D)) * product d (fun i => laplace (D / e) (s i - y i))).
  { clear H. induction d as [|d IH]; cbn [product sum].
    - rewrite Rmult_0_l, exp_0. lra.
    - rewrite Rmult_plus_distr_r, exp_plus.
      pose proof (laplace_ratio D e (s d) (x d) (y d) HD He) as R. rewrite Rabs_minus_sym in R.
      eapply Rle_trans; [apply Rmult_le_compat; [apply Rlt_le, (Q d (fun i => s i - x i))|apply Rlt_le, P|exact IH|exact R]|].
      apply Req_le. ring. }
  eapply Rle_trans; [exact G|]. apply Rmult_le_compat_r; [apply Rlt_le, (Q d (fun i => s i - y i))|].
  assert (I : 0 < / D) by (apply Rinv_0_lt_compat; auto).
  assert (L : sum d (fun i => Rabs (x i - y i)) * (e / D) <= e).
  { apply (Rmult_le_compat_r (e / D)) in H; [|unfold Rdiv; apply Rlt_le, Rmult_lt_0_compat; auto].
    replace (D * (e / D)) with e in H by (field; lra). auto. }
  destruct L as [L| ->]; [apply Rlt_le, exp_increasing; auto|lra].
Qed.
