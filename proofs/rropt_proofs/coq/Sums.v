(* Lemmas on finite sums, ratios, and means over independent answers. Nothing here needs to be read to trust a theorem. *)

From Coq Require Import Reals Lra Lia List Arith Bool.
From Rropt Require Import Definitions.
Import ListNotations.
Local Open Scope R_scope.

Lemma sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> sum n f = sum n g.
Proof. induction n; intros H; cbn [sum]; [easy|]. rewrite IHn, H; auto. Qed.

Lemma sum_plus n f g : sum n (fun i => f i + g i) = sum n f + sum n g.
Proof. induction n; cbn [sum]; [lra|]. rewrite IHn; ring. Qed.

Lemma sum_minus n f g : sum n (fun i => f i - g i) = sum n f - sum n g.
Proof. induction n; cbn [sum]; [lra|]. rewrite IHn; ring. Qed.

Lemma sum_scal n c f : sum n (fun i => c * f i) = c * sum n f.
Proof. induction n; cbn [sum]; [lra|]. rewrite IHn; ring. Qed.

Lemma sum_scal_r n c f : sum n (fun i => f i * c) = sum n f * c.
Proof. induction n; cbn [sum]; [lra|]. rewrite IHn; ring. Qed.

Lemma sum_const n c : sum n (fun _ => c) = INR n * c.
Proof. induction n; [cbn; lra|]. rewrite S_INR. cbn [sum]. rewrite IHn; ring. Qed.

Lemma sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> sum n f <= sum n g.
Proof. induction n; intros H; cbn [sum]; [lra|]. apply Rplus_le_compat; auto. Qed.

Lemma sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= sum n f.
Proof. intros H. replace 0 with (sum n (fun _ => 0)). apply sum_le; auto. rewrite sum_const; ring. Qed.

Lemma sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> sum n f = 0.
Proof. intros H. rewrite (sum_ext n f (fun _ => 0)) by auto. rewrite sum_const; ring. Qed.

Lemma sum_swap n m f : sum n (fun i => sum m (fun j => f i j)) = sum m (fun j => sum n (fun i => f i j)).
Proof.
  induction n; cbn [sum].
  - symmetry. apply sum_zero; auto.
  - rewrite IHn, sum_plus. reflexivity.
Qed.

Lemma sum_nonneg_zero n f : (forall i, (i < n)%nat -> 0 <= f i) -> sum n f = 0 -> forall i, (i < n)%nat -> f i = 0.
Proof.
  induction n; intros H Z i Hi; [lia|]. cbn [sum] in Z.
  assert (0 <= sum n f) by (apply sum_nonneg; auto). assert (0 <= f n) by auto.
  destruct (Nat.eq_dec i n) as [->|]; [lra|]. apply IHn; auto; [lra|lia].
Qed.

Lemma sum_term n f i : (forall h, (h < n)%nat -> 0 <= f h) -> (i < n)%nat -> f i <= sum n f.
Proof.
  induction n; intros H Hi; [lia|]. cbn [sum].
  assert (0 <= sum n f) by (apply sum_nonneg; auto). assert (0 <= f n) by auto.
  destruct (Nat.eq_dec i n) as [->|]; [lra|]. assert (f i <= sum n f) by (apply IHn; auto; lia). lra.
Qed.

Lemma sum_single n i c : (i < n)%nat -> sum n (fun h => if Nat.eqb h i then c else 0) = c.
Proof.
  induction n; intros Hi; [lia|]. cbn [sum]. destruct (Nat.eqb_spec n i).
  - subst. rewrite sum_zero; [lra|]. intros h Hh. destruct (Nat.eqb_spec h i); [lia|lra].
  - rewrite IHn by lia. lra.
Qed.

Lemma sum_pos n f i : (forall h, (h < n)%nat -> 0 <= f h) -> (i < n)%nat -> 0 < f i -> 0 < sum n f.
Proof. intros H Hi P. pose proof (sum_term n f i H Hi). lra. Qed.

Lemma event_complement k q E : event_probability k q (fun j => negb (E j)) = sum k q - event_probability k q E.
Proof.
  unfold event_probability. rewrite <- sum_minus. apply sum_ext. intros j _. destruct (E j); cbn; lra.
Qed.

Lemma event_nonneg k q E : (forall j, (j < k)%nat -> 0 <= q j) -> 0 <= event_probability k q E.
Proof. intros H. apply sum_nonneg. intros j Hj. destruct (E j); auto; lra. Qed.

Lemma event_le k q E : (forall j, (j < k)%nat -> 0 <= q j) -> event_probability k q E <= sum k q.
Proof. intros H. apply sum_le. intros j Hj. destruct (E j); auto; lra. Qed.

Lemma event_single k q i : (i < k)%nat -> event_probability k q (fun j => Nat.eqb j i) = q i.
Proof.
  intros Hi. unfold event_probability. rewrite <- (sum_single k i (q i) Hi).
  apply sum_ext. intros j _. destruct (Nat.eqb_spec j i); subst; auto.
Qed.

(* Ratios and their maximum. *)
Lemma at_most_trans a b c : at_most a b -> at_most b c -> at_most a c.
Proof. destruct a, b, c; cbn; auto; try tauto; lra. Qed.

Lemma at_most_refl a : at_most a a.
Proof. destruct a; cbn; auto; lra. Qed.

Lemma larger_at_most a b c : at_most (larger a b) c <-> at_most a c /\ at_most b c.
Proof.
  destruct a, b, c; cbn; try tauto. split; intros H.
  - split; eapply Rle_trans; [apply Rmax_l|eauto|apply Rmax_r|eauto].
  - apply Rmax_lub; tauto.
Qed.

Lemma maximum_at_most n f c :
  at_most (maximum n f) c <-> at_most (Finite 1) c /\ forall i, (i < n)%nat -> at_most (f i) c.
Proof.
  induction n; cbn [maximum].
  - split; [intros H; split; [exact H|intros; lia]|tauto].
  - rewrite larger_at_most, IHn. split.
    + intros [[H1 H2] H3]. split; auto. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; auto. apply H2; lia.
    + intros [H1 H2]. repeat split; auto.
Qed.

Lemma ratio_at_most a b g : 0 <= a -> 0 <= b -> 1 <= g -> at_most (ratio a b) (Finite g) <-> a <= g * b.
Proof.
  intros Ha Hb Hg. unfold ratio. destruct (Req_EM_T b 0) as [->|N].
  - destruct (Req_EM_T a 0) as [->|]; cbn; split; intros; lra.
  - cbn. assert (0 < b) by lra. split; intros H1.
    + apply (Rmult_le_compat_r b) in H1; [|lra]. unfold Rdiv in H1. rewrite Rmult_assoc, Rinv_l in H1; lra.
    + apply (Rmult_le_reg_r b); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Lemma parity_at_most k m P g :
  mechanism k m P -> 1 <= g ->
  at_most (parity k m P) (Finite g) <->
  forall i j l, (i < m)%nat -> (j < k)%nat -> (l < k)%nat -> P i j <= g * P i l.
Proof.
  intros [H _] Hg. unfold parity, row_parity. rewrite maximum_at_most. split.
  - intros [_ A] i j l Hi Hj Hl. specialize (A i Hi). apply maximum_at_most in A. destruct A as [_ A].
    specialize (A j Hj). apply maximum_at_most in A. destruct A as [_ A]. specialize (A l Hl).
    apply ratio_at_most in A; auto.
  - intros A. split; [exact Hg|]. intros i Hi. apply maximum_at_most. split; [exact Hg|]. intros j Hj.
    apply maximum_at_most. split; [exact Hg|]. intros l Hl. apply ratio_at_most; auto.
Qed.

Lemma parity_one k m P : at_most (Finite 1) (parity k m P).
Proof. apply (maximum_at_most m (row_parity k P)). apply at_most_refl. Qed.

Lemma at_most_of_finite a b : at_most (Finite 1) b -> (forall g, 1 <= g -> at_most b (Finite g) -> at_most a (Finite g)) -> at_most a b.
Proof. destruct b as [x|]; intros H1 H; [apply H; cbn in *; lra|destruct a; exact I]. Qed.

(* Privacy by events is privacy row by row if delta = 0. *)
Lemma private_rows k m g P :
  private k m g 0 P <-> forall i j l, (i < m)%nat -> (j < k)%nat -> (l < k)%nat -> P i j <= g * P i l.
Proof.
  split.
  - intros H i j l Hi Hj Hl. specialize (H (fun h => Nat.eqb h i) j l Hj Hl).
    rewrite !event_single in H by auto. unfold given in H. lra.
  - intros H E j l Hj Hl. rewrite Rplus_0_r. unfold event_probability. rewrite <- sum_scal. apply sum_le.
    intros i Hi. destruct (E i); [apply H; auto|lra].
Qed.

(* Means over independent answers. *)
Lemma mean_ext m laws f g : (forall x, length x = length laws -> f x = g x) -> mean m laws f = mean m laws g.
Proof.
  revert f g. induction laws as [|law laws IH]; intros f g H; cbn [mean].
  - apply H; reflexivity.
  - apply sum_ext. intros i _. f_equal. apply IH. intros x Hx. apply H. cbn. congruence.
Qed.

Lemma mean_linear m laws c d f g : mean m laws (fun x => c * f x + d * g x) = c * mean m laws f + d * mean m laws g.
Proof.
  revert f g. induction laws as [|law laws IH]; intros f g; cbn [mean]; [easy|].
  rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros i _. rewrite IH. ring.
Qed.

Lemma mean_const m laws c : Forall (distribution m) laws -> mean m laws (fun _ => c) = c.
Proof.
  induction 1 as [|law laws [_ D] F IH]; cbn [mean]; [easy|]. rewrite IH, sum_scal_r, D. ring.
Qed.

Lemma mean_affine m laws c d f : Forall (distribution m) laws -> mean m laws (fun x => c + d * f x) = c + d * mean m laws f.
Proof.
  intros F. rewrite (mean_ext m laws _ (fun x => 1 * (fun _ => c) x + d * f x)) by (intros; ring).
  rewrite mean_linear, mean_const; auto. ring.
Qed.

Lemma mean_le m laws f g : Forall (distribution m) laws ->
  (forall x, length x = length laws -> f x <= g x) -> mean m laws f <= mean m laws g.
Proof.
  intros F. revert f g. induction F as [|law laws [D _] F IH]; intros f g H; cbn [mean]; [apply H; auto|].
  apply sum_le. intros i Hi. apply Rmult_le_compat_l; auto. apply IH. intros x Hx. apply H. cbn; congruence.
Qed.

Definition law_mean m (law score : nat -> R) : R := sum m (fun i => law i * score i).
Definition law_variance m (law score : nat -> R) : R :=
  sum m (fun i => law i * score i ^ 2) - law_mean m law score ^ 2.
Fixpoint list_sum (values : list R) : R := match values with [] => 0 | v :: rest => v + list_sum rest end.

Lemma mean_total m laws score : Forall (distribution m) laws ->
  mean m laws (total score) = list_sum (map (fun law => law_mean m law score) laws).
Proof.
  induction 1 as [|law laws [N D] F IH]; cbn [mean map list_sum total]; [easy|].
  rewrite (sum_ext m _ (fun i => law i * score i + law i * list_sum (map (fun law => law_mean m law score) laws))).
  - rewrite sum_plus, sum_scal_r, D. fold (law_mean m law score). ring.
  - intros i _. rewrite (mean_ext m laws _ (fun x => score i + 1 * total score x)) by (intros; simpl; ring).
    rewrite mean_affine by auto. rewrite IH. ring.
Qed.

Lemma mean_square m laws score c : Forall (distribution m) laws ->
  mean m laws (fun x => (total score x + c) ^ 2) =
  list_sum (map (fun law => law_variance m law score) laws) +
  (list_sum (map (fun law => law_mean m law score) laws) + c) ^ 2.
Proof.
  intros F. revert c. induction F as [|law laws [N D] F IH]; intros c.
  { cbn [mean map list_sum total]. ring. }
  cbn [mean map list_sum total].
  set (V := list_sum (map (fun law => law_variance m law score) laws)).
  set (M := list_sum (map (fun law => law_mean m law score) laws)).
  rewrite (sum_ext m _ (fun i => law i * score i ^ 2 + (2 * (M + c)) * (law i * score i) + law i * (V + (M + c) ^ 2))).
  - rewrite !sum_plus, sum_scal, sum_scal_r, D. unfold law_variance, law_mean. ring.
  - intros i _. rewrite (mean_ext m laws _ (fun x => (total score x + (score i + c)) ^ 2)) by (intros; simpl; ring).
    rewrite IH. fold V M. ring.
Qed.

Lemma variance_affine_total m laws score c d f : Forall (distribution m) laws ->
  (forall x, length x = length laws -> f x = c + d * total score x) ->
  variance m laws f = d ^ 2 * list_sum (map (fun law => law_variance m law score) laws).
Proof.
  intros F H. unfold variance.
  set (M := list_sum (map (fun law => law_mean m law score) laws)).
  assert (E : mean m laws f = c + d * M).
  { rewrite (mean_ext m laws f _ H), mean_affine, mean_total by auto. reflexivity. }
  rewrite E.
  rewrite (mean_ext m laws _ (fun x => 0 + d ^ 2 * ((total score x + - M) ^ 2))).
  - rewrite mean_affine, mean_square by auto. fold M. ring.
  - intros x Hx. rewrite H by auto. ring.
Qed.

Lemma mean_affine_total m laws score c d f : Forall (distribution m) laws ->
  (forall x, length x = length laws -> f x = c + d * total score x) ->
  mean m laws f = c + d * list_sum (map (fun law => law_mean m law score) laws).
Proof. intros F H. rewrite (mean_ext m laws f _ H), mean_affine, mean_total by auto. reflexivity. Qed.

Lemma list_sum_repeat n c : list_sum (repeat c n) = INR n * c.
Proof. induction n; [cbn; ring|]. rewrite S_INR. cbn [repeat list_sum]. rewrite IHn. ring. Qed.

Lemma map_repeat {A B} (f : A -> B) a n : map f (repeat a n) = repeat (f a) n.
Proof. induction n; cbn; congruence. Qed.

Lemma Forall_repeat {A} (Q : A -> Prop) a n : Q a -> Forall Q (repeat a n).
Proof. intros H. induction n; cbn; constructor; auto. Qed.

Lemma answers_distribution k m P q : mechanism k m P -> distribution k q -> distribution m (answers k P q).
Proof.
  intros [N S] [Q T]. unfold answers. split.
  - intros i Hi. apply sum_nonneg. intros j Hj. apply Rmult_le_pos; auto.
  - rewrite sum_swap. rewrite (sum_ext k _ q); auto. intros j Hj. rewrite sum_scal_r, S by auto. ring.
Qed.

Lemma given_distribution k m P j : mechanism k m P -> (j < k)%nat -> distribution m (given P j).
Proof. intros [N S] H. split; [intros; apply N|apply S]; auto. Qed.

Lemma everyone_distributions k m P truths :
  mechanism k m P -> Forall (fun j => (j < k)%nat) truths -> Forall (distribution m) (everyone_once P truths).
Proof.
  intros M. unfold everyone_once. induction 1; cbn; constructor; auto. apply (given_distribution k); auto.
Qed.

Lemma replacement_distributions n k m P q :
  mechanism k m P -> distribution k q -> Forall (distribution m) (with_replacement n k P q).
Proof. intros M D. apply Forall_repeat, answers_distribution; auto. Qed.

Lemma count_total i x : count i x = total (fun a => if Nat.eqb a i then 1 else 0) x.
Proof. induction x as [|a x IH]; cbn; [easy|]. rewrite IH. reflexivity. Qed.

(* Chebyshev's inequality for a statistic of independent answers. *)
Lemma chebyshev m laws f t : Forall (distribution m) laws -> 0 < t ->
  forall E, (forall x, E x = true -> t <= Rabs (f x - mean m laws f)) ->
  probability m laws E <= variance m laws f / t ^ 2.
Proof.
  intros F T E H. assert (0 < t ^ 2) by (apply pow_lt; auto).
  apply (Rmult_le_reg_l (t ^ 2)); auto.
  replace (t ^ 2 * (variance m laws f / t ^ 2)) with (variance m laws f) by (field; lra).
  unfold probability, variance. set (M := mean m laws f).
  replace (t ^ 2 * mean m laws (fun x => if E x then 1 else 0))
    with (mean m laws (fun x => 0 + t ^ 2 * (if E x then 1 else 0))) by (rewrite mean_affine by auto; ring).
  apply mean_le; auto. intros x _. destruct (E x) eqn:e.
  - specialize (H x e). fold M in H. rewrite <- (pow2_abs (f x - M)). 
    assert (t ^ 2 <= Rabs (f x - M) ^ 2) by (apply pow_incr; lra). lra.
  - pose proof (pow2_ge_0 (f x - M)). lra.
Qed.

Lemma binary_mechanism p00 p11 : 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> mechanism 2 2 (binary p00 p11).
Proof.
  intros A B. split.
  - intros i j _ _. destruct i, j; cbn; lra.
  - intros j _. destruct j; cbn; lra.
Qed.

Lemma binary_mechanism_bounds p00 p11 : mechanism 2 2 (binary p00 p11) -> (0 <= p00 <= 1) /\ (0 <= p11 <= 1).
Proof.
  intros [N _]. pose proof (N 0%nat 0%nat ltac:(lia) ltac:(lia)). pose proof (N 1%nat 0%nat ltac:(lia) ltac:(lia)).
  pose proof (N 0%nat 1%nat ltac:(lia) ltac:(lia)). pose proof (N 1%nat 1%nat ltac:(lia) ltac:(lia)). cbn in *. lra.
Qed.

Lemma bernoulli_distribution p : 0 <= p <= 1 -> distribution 2 (bernoulli p).
Proof. intros H. split; [intros [|j] _; cbn; lra|cbn; lra]. Qed.

Lemma within_chebyshev m laws f t : Forall (distribution m) laws -> 0 < t ->
  1 - variance m laws f / t ^ 2 <= probability m laws (fun x => within (f x) (mean m laws f) t).
Proof.
  intros F T. set (E := fun x => negb (within (f x) (mean m laws f) t)).
  assert (C : probability m laws E <= variance m laws f / t ^ 2).
  { apply chebyshev; auto. intros x. unfold E, within.
    destruct (Rle_dec (Rabs (f x - mean m laws f)) t); cbn; [discriminate|intros _; lra]. }
  assert (S : probability m laws E = 1 - probability m laws (fun x => within (f x) (mean m laws f) t)).
  { unfold probability. replace (1 - mean m laws (fun x => if within (f x) (mean m laws f) t then 1 else 0))
      with (1 + -1 * mean m laws (fun x => if within (f x) (mean m laws f) t then 1 else 0)) by ring.
    rewrite <- mean_affine by auto. apply mean_ext. intros x _. unfold E.
    destruct (within (f x) (mean m laws f) t); cbn; ring. }
  lra.
Qed.

Lemma ratio_at_most_parity k m P i j l : (i < m)%nat -> (j < k)%nat -> (l < k)%nat ->
  at_most (ratio (P i j) (P i l)) (parity k m P).
Proof.
  intros Hi Hj Hl. pose proof (at_most_refl (parity k m P)) as A. unfold parity at 1 in A.
  rewrite maximum_at_most in A. destruct A as [_ A]. specialize (A i Hi). unfold row_parity in A.
  rewrite maximum_at_most in A. destruct A as [_ A]. specialize (A j Hj). rewrite maximum_at_most in A.
  destruct A as [_ A]. exact (A l Hl).
Qed.

Lemma parity_is k m P g i j l : mechanism k m P -> 1 <= g -> at_most (parity k m P) (Finite g) ->
  (i < m)%nat -> (j < k)%nat -> (l < k)%nat -> P i l <> 0 -> P i j = g * P i l -> parity k m P = Finite g.
Proof.
  intros H Hg A Hi Hj Hl N E. pose proof (ratio_at_most_parity k m P i j l Hi Hj Hl) as B. unfold ratio in B.
  destruct (Req_EM_T (P i l) 0); [contradiction|]. rewrite E in B.
  replace (g * P i l / P i l) with g in B by (field; auto).
  destruct (parity k m P) as [x|]; cbn in *; [|contradiction]. f_equal. lra.
Qed.
