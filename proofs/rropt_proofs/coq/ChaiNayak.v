(* Claims of Chai and Nayak (2018): parity, garbling and breaches of privacy. *)

From Coq Require Import Reals Lra Lia Arith Bool.
From Rropt Require Import Definitions Sums.
Local Open Scope R_scope.

Theorem chai_nayak_lemma_4_1_garbling_does_not_raise_parity : forall k r m P A,
  mechanism k r P -> garbling k r m P A -> at_most (parity k m A) (parity k r P).
Proof.
  intros k r m P A HP [C [HC HA]].
  assert (MA : mechanism k m A).
  { destruct HP as [NP SP], HC as [NC SC]. split.
    - intros i j Hi Hj. rewrite HA by auto. apply sum_nonneg. intros h Hh. apply Rmult_le_pos; auto.
    - intros j Hj. rewrite (sum_ext m _ (fun i => composed r C P i j)) by (intros; apply HA; auto).
      unfold composed. rewrite sum_swap. rewrite (sum_ext r _ (fun h => P h j)); auto.
      intros h Hh. rewrite sum_scal_r, SC by auto. ring. }
  apply at_most_of_finite; [apply parity_one|]. intros g Hg. rewrite !parity_at_most by auto.
  intros H i j l Hi Hj Hl. rewrite !HA by auto. unfold composed. rewrite <- sum_scal. apply sum_le.
  intros h Hh. destruct HC as [NC _]. specialize (H h j l Hh Hj Hl). specialize (NC i h Hi Hh).
  replace (g * (C i h * P h l)) with (C i h * (g * P h l)) by ring. apply Rmult_le_compat_l; auto.
Qed.

Theorem chai_nayak_definition_1_3_parity_is_at_least_one : forall k m P, at_most (Finite 1) (parity k m P).
Proof. intros; apply parity_one. Qed.

Theorem chai_nayak_definition_1_3_parity_is_finite_iff_all_entries_are_positive : forall k m P,
  mechanism k m P -> (forall i, (i < m)%nat -> exists j, (j < k)%nat /\ P i j <> 0) ->   (* no row is zero *)
  (parity k m P <> Infinite <-> forall i j, (i < m)%nat -> (j < k)%nat -> 0 < P i j).
Proof.
  intros k m P H Z. split.
  - intros F i j Hi Hj. destruct (parity k m P) as [g|] eqn:E; [clear F|congruence].
    assert (1 <= g) by (pose proof (parity_one k m P) as O; rewrite E in O; exact O).
    assert (A : at_most (parity k m P) (Finite g)) by (rewrite E; cbn; lra).
    rewrite parity_at_most in A by auto. destruct (Z i Hi) as [l [Hl Nz]]. specialize (A i l j Hi Hl Hj).
    destruct H as [N _]. pose proof (N i j Hi Hj). pose proof (N i l Hi Hl).
    destruct (Req_EM_T (P i j) 0) as [e|]; [rewrite e in A; lra|lra].
  - intros Pos F.
    assert (G : forall n, (forall i, (i < n)%nat -> (i < m)%nat) -> maximum n (row_parity k P) <> Infinite).
    { assert (L : forall f n, (forall i, (i < n)%nat -> f i <> Infinite) -> maximum n f <> Infinite).
      { intros f n. induction n as [|n IH]; cbn [maximum]; intros B; [discriminate|].
        assert (B1 := B n (Nat.lt_succ_diag_r n)). assert (B2 : maximum n f <> Infinite) by (apply IH; auto).
        destruct (maximum n f), (f n); cbn; congruence. }
      intros n Hn. apply L. intros i Hi. apply L. intros j Hj. apply L. intros l Hl. unfold ratio.
      destruct (Req_EM_T (P i l) 0) as [e|]; [|discriminate]. specialize (Pos i l (Hn i Hi) Hl). lra. }
    apply (G m); auto.
Qed.

Theorem chai_nayak_definition_2_1_local_privacy_iff_parity_at_most_exp_epsilon : forall k m P epsilon,
  mechanism k m P -> 0 < epsilon ->
  differentially_private k m epsilon 0 P <-> at_most (parity k m P) (Finite (exp epsilon)).
Proof.
  intros k m P epsilon H E. assert (1 < exp epsilon) by (rewrite <- exp_0; apply exp_increasing; auto).
  rewrite parity_at_most by (auto; lra). apply private_rows.
Qed.

(* Equation (1.2), summed over the categories of Q. `posterior` is P(X in Q, Z = i)/P(Z = i): the first equality of (1.2)
   is that definition, and this theorem states the second one, for every property Q. *)
Theorem chai_nayak_eq_1_2_posterior_of_a_property_is_the_sum_of_the_posteriors_of_its_categories :
  forall k P pi i Q, answers k P pi i <> 0 ->
  posterior k P pi i Q =
  sum k (fun j => if Q j then P i j * pi j / sum k (fun l => P i l * pi l) else 0).
Proof.
  intros k P pi i Q H. unfold posterior, event_probability. fold (answers k P pi i).
  unfold Rdiv. rewrite <- sum_scal_r. apply sum_ext. intros j _. destruct (Q j); ring.
Qed.

(* Odds of a property after and before the answer: the general form of what follows. *)
Lemma posterior_odds k m P pi i Q g :
  mechanism k m P -> distribution k pi -> (i < m)%nat -> 1 <= g ->
  at_most (parity k m P) (Finite g) ->
  event_probability k (fun j => P i j * pi j) Q * event_probability k pi (fun j => negb (Q j)) <=
  g * (event_probability k (fun j => P i j * pi j) (fun j => negb (Q j)) * event_probability k pi Q).
Proof.
  intros H [N S] Hi Hg A. rewrite (parity_at_most k m P g H Hg) in A. unfold event_probability.
  rewrite <- !sum_scal_r, <- sum_scal.
  rewrite (sum_ext k _ (fun j => sum k (fun l => (if Q j then P i j * pi j else 0) * (if negb (Q l) then pi l else 0))))
    by (intros; rewrite sum_scal; reflexivity).
  rewrite (sum_ext k (fun i0 => g * _)
    (fun l => sum k (fun j => g * ((if negb (Q l) then P i l * pi l else 0) * (if Q j then pi j else 0)))))
    by (intros; rewrite !sum_scal; reflexivity).
  rewrite sum_swap. apply sum_le. intros l Hl. apply sum_le. intros j Hj.
  destruct (Q j), (Q l); cbn [negb]; try lra.
  specialize (A i j l Hi Hj Hl). pose proof (N j Hj). pose proof (N l Hl).
  assert (0 <= pi j * pi l) by (apply Rmult_le_pos; auto).
  apply (Rmult_le_compat_r (pi j * pi l)) in A; auto. lra.
Qed.

Lemma answers_split k P pi i Q :
  answers k P pi i =
  event_probability k (fun j => P i j * pi j) Q + event_probability k (fun j => P i j * pi j) (fun j => negb (Q j)).
Proof. rewrite event_complement. unfold answers. ring. Qed.

Lemma joint_nonneg k m P pi i : mechanism k m P -> distribution k pi -> (i < m)%nat ->
  forall j, (j < k)%nat -> 0 <= P i j * pi j.
Proof. intros [N _] [D _] Hi j Hj. apply Rmult_le_pos; auto. Qed.

(* Two categories with prior probabilities p and 1 - p: where the odds are attained. *)
Definition two_categories (j l : nat) (p : R) : nat -> R :=
  fun h => if Nat.eqb h j then p else if Nat.eqb h l then 1 - p else 0.

Lemma two_categories_sum k j l p f : (j < k)%nat -> (l < k)%nat -> j <> l ->
  sum k (fun h => f h * two_categories j l p h) = f j * p + f l * (1 - p).
Proof.
  intros Hj Hl N. unfold two_categories.
  rewrite (sum_ext k _ (fun h => (if Nat.eqb h j then f j * p else 0) + (if Nat.eqb h l then f l * (1 - p) else 0))).
  - rewrite sum_plus, !sum_single; auto.
  - intros h _. destruct (Nat.eqb_spec h j), (Nat.eqb_spec h l); subst; try lra; congruence.
Qed.

Lemma two_categories_distribution k j l p : (j < k)%nat -> (l < k)%nat -> j <> l -> 0 <= p <= 1 ->
  distribution k (two_categories j l p).
Proof.
  intros Hj Hl N B. split.
  - intros h _. unfold two_categories. destruct (Nat.eqb h j), (Nat.eqb h l); lra.
  - rewrite (sum_ext k _ (fun h => 1 * two_categories j l p h)) by (intros; ring).
    rewrite two_categories_sum; auto. ring.
Qed.

Lemma two_categories_event k j l p : (j < k)%nat -> j <> l ->
  event_probability k (two_categories j l p) (fun h => Nat.eqb h j) = p.
Proof. intros Hj N. rewrite event_single by auto. unfold two_categories. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma two_categories_posterior k P i j l p : (j < k)%nat -> (l < k)%nat -> j <> l ->
  posterior k P (two_categories j l p) i (fun h => Nat.eqb h j) = P i j * p / (P i j * p + P i l * (1 - p)).
Proof.
  intros Hj Hl N. unfold posterior, answers. rewrite event_single, two_categories_sum by auto.
  unfold two_categories. rewrite Nat.eqb_refl. reflexivity.
Qed.

(* h-CSIP of Definition 3.1: every answer of positive probability, every property that is not certain beforehand. *)
Definition upward_private (k m : nat) (P : nat -> nat -> R) (h : R -> R) : Prop :=
  forall i pi Q, (i < m)%nat -> distribution k pi -> 0 < answers k P pi i ->
  0 < event_probability k pi Q < 1 -> posterior k P pi i Q <= h (event_probability k pi Q).

Lemma parity_above k m P g : mechanism k m P -> 1 <= g -> ~ at_most (parity k m P) (Finite g) ->
  exists i j l, (i < m)%nat /\ (j < k)%nat /\ (l < k)%nat /\ j <> l /\ g * P i l < P i j.
Proof.
  intros H Hg F.
  assert (D : forall n (f : nat -> Prop), (forall i, (i < n)%nat -> f i \/ ~ f i) -> (forall i, (i < n)%nat -> f i) \/ exists i, (i < n)%nat /\ ~ f i).
  { induction n as [|n IH]; intros f B; [left; intros; lia|]. destruct (IH f) as [A|[i [Hi A]]].
    - intros; apply B; lia.
    - destruct (B n (Nat.lt_succ_diag_r n)) as [y|no].
      + left. intros i Hi. destruct (Nat.eq_dec i n) as [->|]; auto. apply A; lia.
      + right. exists n. auto.
    - right. exists i. auto. }
  assert (E : forall i j l, P i j <= g * P i l \/ ~ P i j <= g * P i l) by (intros; destruct (Rle_dec (P i j) (g * P i l)); auto).
  assert (E1 : forall i j, (forall l, (l < k)%nat -> P i j <= g * P i l) \/ exists l, (l < k)%nat /\ ~ P i j <= g * P i l) by (intros; apply D; auto).
  assert (E2 : forall i, (forall j, (j < k)%nat -> forall l, (l < k)%nat -> P i j <= g * P i l) \/ exists j, (j < k)%nat /\ ~ forall l, (l < k)%nat -> P i j <= g * P i l).
  { intros i. apply D. intros j _. destruct (E1 i j) as [A|[l [Hl A]]]; [left; auto|right; auto]. }
  assert (E3 : (forall i, (i < m)%nat -> forall j, (j < k)%nat -> forall l, (l < k)%nat -> P i j <= g * P i l) \/ exists i, (i < m)%nat /\ ~ forall j, (j < k)%nat -> forall l, (l < k)%nat -> P i j <= g * P i l).
  { apply D. intros i _. destruct (E2 i) as [A|[j [Hj A]]]; [left; auto|right; auto]. }
  destruct E3 as [A|[i [Hi A]]].
  - exfalso. apply F. rewrite parity_at_most; auto.
  - destruct (E2 i) as [B|[j [Hj B]]]; [contradiction|]. destruct (E1 i j) as [C|[l [Hl C]]]; [contradiction|].
    exists i, j, l. repeat split; auto; [|lra]. intros <-. apply C.
    destruct H as [N _]. specialize (N i j Hi Hj). apply Rle_trans with (1 * P i j); [lra|apply Rmult_le_compat_r; auto].
Qed.

(* The upward breach boundary of parity gamma, equation (3.5). *)
Definition boundary (gamma p : R) : R := gamma * p / (1 + (gamma - 1) * p).

Lemma boundary_denominator g p : 1 <= g -> 0 <= p -> 0 < 1 + (g - 1) * p.
Proof. intros. assert (0 <= (g - 1) * p) by (apply Rmult_le_pos; lra). lra. Qed.

Lemma posterior_boundary k m P pi i Q g :
  mechanism k m P -> distribution k pi -> (i < m)%nat -> 1 <= g -> at_most (parity k m P) (Finite g) ->
  0 < answers k P pi i -> posterior k P pi i Q <= boundary g (event_probability k pi Q).
Proof.
  intros H D Hi Hg A Pos. pose proof (posterior_odds k m P pi i Q g H D Hi Hg A) as O.
  rewrite event_complement in O. pose proof (answers_split k P pi i Q) as S. unfold posterior, boundary.
  assert (0 <= event_probability k pi Q) by (apply event_nonneg; apply D).
  destruct D as [_ D]. rewrite D in O.
  set (a := event_probability k (fun j => P i j * pi j) Q) in *.
  set (b := event_probability k (fun j => P i j * pi j) (fun j => negb (Q j))) in *.
  set (p := event_probability k pi Q) in *. set (z := answers k P pi i) in *.
  pose proof (boundary_denominator g p Hg ltac:(auto)).
  apply (Rmult_le_reg_r z); auto. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply (Rmult_le_reg_r (1 + (g - 1) * p)); auto.
  replace (g * p / (1 + (g - 1) * p) * z * (1 + (g - 1) * p)) with (g * p * z) by (field; lra).
  rewrite S. lra.
Qed.

Theorem chai_nayak_eq_3_6_bayes_factors_are_at_most_the_parity : forall k m P pi i Q gamma,
  mechanism k m P -> distribution k pi -> (i < m)%nat -> 1 < gamma -> at_most (parity k m P) (Finite gamma) ->
  0 < answers k P pi i -> 0 < event_probability k pi Q < 1 -> posterior k P pi i Q < 1 ->
  posterior k P pi i Q / (1 - posterior k P pi i Q) *
    ((1 - event_probability k pi Q) / event_probability k pi Q) <= gamma.
Proof.
  intros k m P pi i Q g H D Hi Hg A Pos B L.
  pose proof (posterior_boundary k m P pi i Q g H D Hi ltac:(lra) A Pos) as O. unfold boundary in O.
  set (y := posterior k P pi i Q) in *. set (p := event_probability k pi Q) in *.
  pose proof (boundary_denominator g p ltac:(lra) ltac:(lra)) as W.
  apply (Rmult_le_compat_r (1 + (g - 1) * p)) in O; [|lra].
  replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) in O by (field; lra).
  apply (Rmult_le_reg_r ((1 - y) * p)); [apply Rmult_lt_0_compat; lra|].
  replace (y / (1 - y) * ((1 - p) / p) * ((1 - y) * p)) with (y * (1 - p)) by (field; lra). lra.
Qed.

(* F(p) = ((1 - p)/p) h(p)/(1 - h(p)); B(h) is its infimum, so gamma <= B(h) says gamma <= F(p) for all 0 < p < 1. *)
Lemma boundary_F g p y : 1 <= g -> 0 < p < 1 -> y < 1 -> boundary g p <= y <-> g <= (1 - p) / p * (y / (1 - y)).
Proof.
  intros Hg B L. unfold boundary. pose proof (boundary_denominator g p Hg ltac:(lra)) as W.
  assert (Q : 0 < p * (1 - y)) by (apply Rmult_lt_0_compat; lra). split; intros O.
  - apply (Rmult_le_compat_r (1 + (g - 1) * p)) in O; [|lra].
    replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) in O by (field; lra).
    apply (Rmult_le_reg_r (p * (1 - y))); auto.
    replace ((1 - p) / p * (y / (1 - y)) * (p * (1 - y))) with ((1 - p) * y) by (field; lra). lra.
  - apply (Rmult_le_compat_r (p * (1 - y))) in O; [|lra].
    replace ((1 - p) / p * (y / (1 - y)) * (p * (1 - y))) with ((1 - p) * y) in O by (field; lra).
    apply (Rmult_le_reg_r (1 + (g - 1) * p)); auto.
    replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) by (field; lra). lra.
Qed.

Lemma boundary_below_one g p : 1 <= g -> 0 < p < 1 -> boundary g p < 1.
Proof.
  intros Hg B. unfold boundary. pose proof (boundary_denominator g p Hg ltac:(lra)).
  apply (Rmult_lt_reg_r (1 + (g - 1) * p)); auto.
  replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) by (field; lra). lra.
Qed.

Lemma not_at_most a g : ~ ~ at_most a (Finite g) -> at_most a (Finite g).
Proof. destruct a as [x|]; cbn; [destruct (Rle_dec x g); tauto|tauto]. Qed.

(* A violation of the rows is seen by two categories: the posterior of one of them at prior p. *)
Lemma violation k m P g : mechanism k m P -> 1 <= g -> ~ at_most (parity k m P) (Finite g) ->
  exists i j l, (i < m)%nat /\ (j < k)%nat /\ (l < k)%nat /\ j <> l /\ g * P i l < P i j /\ 0 <= P i l /\ 0 < P i j.
Proof.
  intros H Hg F. destruct (parity_above k m P g H Hg F) as (i & j & l & Hi & Hj & Hl & N & V).
  exists i, j, l. destruct H as [Pos _]. pose proof (Pos i l Hi Hl).
  assert (0 <= g * P i l) by (apply Rmult_le_pos; lra). repeat split; auto; lra.
Qed.

Lemma two_categories_answers k P i j l p : (j < k)%nat -> (l < k)%nat -> j <> l ->
  answers k P (two_categories j l p) i = P i j * p + P i l * (1 - p).
Proof. intros. unfold answers. apply two_categories_sum; auto. Qed.

Theorem chai_nayak_theorem_3_1_upward_private_iff_parity_is_at_most_B : forall k m P h,
  mechanism k m P -> (forall p, 0 <= p <= 1 -> p <= h p <= 1) ->
  (upward_private k m P h <->
   forall p, 0 < p < 1 -> h p < 1 -> at_most (parity k m P) (Finite ((1 - p) / p * (h p / (1 - h p))))).
Proof.
  intros k m P h H Hh. split.
  - intros U p B L. set (F := (1 - p) / p * (h p / (1 - h p))). pose proof (Hh p ltac:(lra)) as Hp.
    assert (EF : F * (p * (1 - h p)) = (1 - p) * h p) by (unfold F; field; lra).
    assert (Q : 0 < p * (1 - h p)) by (apply Rmult_lt_0_compat; lra).
    assert (HF : 1 <= F).
    { apply (Rmult_le_reg_r (p * (1 - h p))); auto. lra. }
    apply not_at_most. intros N. destruct (violation k m P F H HF N) as (i & j & l & Hi & Hj & Hl & D & V & P0 & P1).
    pose proof (two_categories_distribution k j l p Hj Hl D ltac:(lra)) as Dp.
    assert (A : 0 < answers k P (two_categories j l p) i).
    { rewrite two_categories_answers by auto. assert (0 < P i j * p) by (apply Rmult_lt_0_compat; lra).
      assert (0 <= P i l * (1 - p)) by (apply Rmult_le_pos; lra). lra. }
    specialize (U i (two_categories j l p) (fun x => Nat.eqb x j) Hi Dp A).
    rewrite two_categories_event, two_categories_posterior in U by auto. specialize (U B).
    rewrite two_categories_answers in A by auto. set (z := P i j * p + P i l * (1 - p)) in *.
    apply (Rmult_le_compat_r z) in U; [|lra]. replace (P i j * p / z * z) with (P i j * p) in U by (field; lra).
    assert (X : F * P i l * (p * (1 - h p)) < P i j * (p * (1 - h p))) by (apply Rmult_lt_compat_r; auto).
    replace (F * P i l * (p * (1 - h p))) with (P i l * (F * (p * (1 - h p)))) in X by ring.
    rewrite EF in X. unfold z in U. lra.
  - intros A i pi Q Hi D Pos R. set (p := event_probability k pi Q) in *. pose proof (Hh p ltac:(lra)) as Hp.
    destruct Hp as [Hp [L|L]].
    + specialize (A p R L). set (F := (1 - p) / p * (h p / (1 - h p))) in *.
      assert (HF : 1 <= F) by (pose proof (parity_one k m P) as O; apply (at_most_trans _ _ _ O A)).
      pose proof (posterior_boundary k m P pi i Q F H D Hi HF A Pos) as O. fold p in O.
      apply Rle_trans with (boundary F p); auto. apply boundary_F; auto. unfold F. lra.
    + unfold posterior. pose proof (answers_split k P pi i Q) as S.
      pose proof (event_nonneg k (fun j => P i j * pi j) (fun j => negb (Q j)) (joint_nonneg k m P pi i H D Hi)).
      rewrite L. apply (Rmult_le_reg_r (answers k P pi i)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

Theorem chai_nayak_sec_3_local_privacy_is_upward_privacy_with_the_boundary_of_gamma : forall k m P epsilon,
  mechanism k m P -> 0 < epsilon ->
  (differentially_private k m epsilon 0 P <-> upward_private k m P (boundary (exp epsilon))).
Proof.
  intros k m P epsilon H He. assert (Hg : 1 < exp epsilon) by (rewrite <- exp_0; apply exp_increasing; auto).
  rewrite chai_nayak_definition_2_1_local_privacy_iff_parity_at_most_exp_epsilon by auto.
  set (g := exp epsilon) in *. split.
  - intros A i pi Q Hi D Pos R. apply (posterior_boundary k m P); auto; lra.
  - intros U. rewrite chai_nayak_theorem_3_1_upward_private_iff_parity_is_at_most_B in U; auto.
    + specialize (U (1 / 2) ltac:(lra) (boundary_below_one g (1 / 2) ltac:(lra) ltac:(lra))).
      apply (at_most_trans _ _ _ U). cbn. apply Req_le. unfold boundary. field. lra.
    + intros p B. unfold boundary. pose proof (boundary_denominator g p ltac:(lra) ltac:(lra)) as W.
      assert (0 <= (g - 1) * (p * (1 - p))) by (repeat apply Rmult_le_pos; lra).
      split; apply (Rmult_le_reg_r (1 + (g - 1) * p)); auto;
        replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) by (field; lra); lra.
Qed.

Lemma posterior_complement k P pi i Q : answers k P pi i <> 0 ->
  posterior k P pi i (fun j => negb (Q j)) = 1 - posterior k P pi i Q.
Proof.
  intros N. unfold posterior. rewrite event_complement. fold (answers k P pi i). field. auto.
Qed.

Lemma boundary_increasing g p r : 1 <= g -> 0 <= p <= r -> r <= 1 -> boundary g p <= boundary g r.
Proof.
  intros Hg A B. unfold boundary. pose proof (boundary_denominator g p Hg ltac:(lra)).
  pose proof (boundary_denominator g r Hg ltac:(lra)).
  apply (Rmult_le_reg_r ((1 + (g - 1) * p) * (1 + (g - 1) * r))); [apply Rmult_lt_0_compat; auto|].
  replace (g * p / (1 + (g - 1) * p) * ((1 + (g - 1) * p) * (1 + (g - 1) * r))) with (g * p * (1 + (g - 1) * r)) by (field; lra).
  replace (g * r / (1 + (g - 1) * r) * ((1 + (g - 1) * p) * (1 + (g - 1) * r))) with (g * r * (1 + (g - 1) * p)) by (field; lra).
  assert (g * p <= g * r) by (apply Rmult_le_compat_l; lra). lra.
Qed.

Theorem chai_nayak_figure_4_boundaries_move_outwards_with_the_parity : forall gamma larger p,
  1 < gamma < larger -> 0 < p < 1 ->
  boundary gamma p < boundary larger p /\ 1 - boundary larger (1 - p) < 1 - boundary gamma (1 - p).
Proof.
  assert (S : forall g b p, 1 < g < b -> 0 < p < 1 -> boundary g p < boundary b p).
  { intros g b p A B. unfold boundary. pose proof (boundary_denominator g p ltac:(lra) ltac:(lra)).
    pose proof (boundary_denominator b p ltac:(lra) ltac:(lra)).
    apply (Rmult_lt_reg_r ((1 + (g - 1) * p) * (1 + (b - 1) * p))); [apply Rmult_lt_0_compat; auto|].
    replace (g * p / (1 + (g - 1) * p) * ((1 + (g - 1) * p) * (1 + (b - 1) * p))) with (g * p * (1 + (b - 1) * p)) by (field; lra).
    replace (b * p / (1 + (b - 1) * p) * ((1 + (g - 1) * p) * (1 + (b - 1) * p))) with (b * p * (1 + (g - 1) * p)) by (field; lra).
    assert (0 < (b - g) * (p * (1 - p))) by (repeat apply Rmult_lt_0_compat; lra). lra. }
  intros g b p A B. pose proof (S g b p A B). pose proof (S g b (1 - p) A ltac:(lra)). lra.
Qed.

(* Definition 1.2: every answer and every property of positive probability. *)
Definition factor_private (k m : nat) (P : nat -> nat -> R) (beta : R) : Prop :=
  forall i pi Q, (i < m)%nat -> distribution k pi -> 0 < answers k P pi i -> 0 < event_probability k pi Q ->
  1 / beta <= posterior k P pi i Q / event_probability k pi Q <= beta.

Theorem chai_nayak_theorem_1_2_factor_private_iff_parity_is_at_most_beta : forall k m P beta,
  mechanism k m P -> 1 < beta ->
  (factor_private k m P beta <-> at_most (parity k m P) (Finite beta)).
Proof.
  intros k m P b H Hb. split.
  - intros U. apply not_at_most. intros N.
    destruct (violation k m P b H ltac:(lra) N) as (i & j & l & Hi & Hj & Hl & D & V & P0 & P1).
    set (p := (P i j - b * P i l) / (2 * b * P i j)).
    assert (bp : 0 < 2 * b * P i j) by (repeat apply Rmult_lt_0_compat; lra).
    assert (Ep : p * (2 * b * P i j) = P i j - b * P i l) by (unfold p; field; lra).
    assert (p0 : 0 < p) by (unfold p; apply Rdiv_lt_0_compat; lra).
    assert (bP : 0 <= b * P i l) by (apply Rmult_le_pos; lra).
    assert (p1 : p < 1).
    { apply (Rmult_lt_reg_r (2 * b * P i j)); auto. rewrite Ep.
      assert (1 * P i j < b * P i j) by (apply Rmult_lt_compat_r; lra). lra. }
    pose proof (two_categories_distribution k j l p Hj Hl D ltac:(lra)) as Dp.
    assert (A : 0 < answers k P (two_categories j l p) i).
    { rewrite two_categories_answers by auto. assert (0 < P i j * p) by (apply Rmult_lt_0_compat; lra).
      assert (0 <= P i l * (1 - p)) by (apply Rmult_le_pos; lra). lra. }
    specialize (U i (two_categories j l p) (fun x => Nat.eqb x j) Hi Dp A).
    rewrite two_categories_event, two_categories_posterior in U by auto. specialize (U p0). destruct U as [_ U].
    rewrite two_categories_answers in A by auto. set (z := P i j * p + P i l * (1 - p)) in *.
    apply (Rmult_le_compat_r z) in U; [|lra]. replace (P i j * p / z / p * z) with (P i j) in U by (field; lra).
    assert (0 <= b * P i l * p) by (apply Rmult_le_pos; lra).
    unfold z in U. lra.
  - intros A i pi Q Hi D Pos R.
    pose proof (posterior_boundary k m P pi i Q b H D Hi ltac:(lra) A Pos) as O1.
    pose proof (posterior_boundary k m P pi i (fun j => negb (Q j)) b H D Hi ltac:(lra) A Pos) as O2.
    rewrite posterior_complement, event_complement in O2 by lra.
    pose proof (event_le k pi Q (proj1 D)) as R1. rewrite (proj2 D) in *.
    set (p := event_probability k pi Q) in *. set (y := posterior k P pi i Q) in *. unfold boundary in *.
    pose proof (boundary_denominator b p ltac:(lra) ltac:(lra)) as W1.
    pose proof (boundary_denominator b (1 - p) ltac:(lra) ltac:(lra)) as W2.
    apply (Rmult_le_compat_r (1 + (b - 1) * p)) in O1; [|lra].
    replace (b * p / (1 + (b - 1) * p) * (1 + (b - 1) * p)) with (b * p) in O1 by (field; lra).
    apply (Rmult_le_compat_r (1 + (b - 1) * (1 - p))) in O2; [|lra].
    replace (b * (1 - p) / (1 + (b - 1) * (1 - p)) * (1 + (b - 1) * (1 - p))) with (b * (1 - p)) in O2 by (field; lra).
    assert (y0 : 0 <= y).
    { unfold y, posterior, Rdiv. apply Rmult_le_pos; [|apply Rlt_le, Rinv_0_lt_compat; auto].
      apply event_nonneg, (joint_nonneg k m); auto. }
    assert (B1 : 0 <= (b - 1) * p) by (apply Rmult_le_pos; lra).
    assert (B2 : 0 <= y * ((b - 1) * p)) by (apply Rmult_le_pos; auto).
    split.
    + apply (Rmult_le_reg_r (p * b)); [apply Rmult_lt_0_compat; lra|].
      replace (1 / b * (p * b)) with p by (field; lra). replace (y / p * (p * b)) with (y * b) by (field; lra). lra.
    + apply (Rmult_le_reg_r p); auto. replace (y / p * p) with y by (field; lra). lra.
Qed.

(* Definition 1.1: no property of probability below rho1 gets one above rho2, and the reverse. *)
Definition no_breach (k m : nat) (P : nat -> nat -> R) (rho1 rho2 : R) : Prop :=
  forall i pi Q, (i < m)%nat -> distribution k pi -> 0 < answers k P pi i ->
  (event_probability k pi Q < rho1 -> posterior k P pi i Q <= rho2) /\
  (event_probability k pi Q > rho2 -> posterior k P pi i Q >= rho1).

Section Breach.
Variables rho1 rho2 : R.
Hypothesis H12 : 0 < rho1 < rho2 /\ rho2 < 1.
Let G := rho2 * (1 - rho1) / (rho1 * (1 - rho2)).

Lemma breach_level : G * (rho1 * (1 - rho2)) = rho2 * (1 - rho1).
Proof. unfold G. field. repeat split; lra. Qed.

Lemma breach_level_above_one : 1 < G.
Proof.
  assert (0 < rho1 * (1 - rho2)) by (apply Rmult_lt_0_compat; lra).
  apply (Rmult_lt_reg_r (rho1 * (1 - rho2))); auto. rewrite breach_level. lra.
Qed.

Lemma breach_boundary : boundary G rho1 = rho2 /\ boundary G (1 - rho2) = 1 - rho1.
Proof.
  pose proof breach_level_above_one as B. pose proof breach_level as E. unfold boundary. destruct H12 as [[H0 H1] H2].
  clearbody G.
  assert (W1 : 0 < 1 + (G - 1) * rho1) by (apply boundary_denominator; lra).
  assert (W2 : 0 < 1 + (G - 1) * (1 - rho2)) by (apply boundary_denominator; lra). split.
  - apply (Rmult_eq_reg_r (1 + (G - 1) * rho1)); [|lra].
    replace (G * rho1 / (1 + (G - 1) * rho1) * (1 + (G - 1) * rho1)) with (G * rho1)
      by (field; lra). lra.
  - apply (Rmult_eq_reg_r (1 + (G - 1) * (1 - rho2))); [|lra].
    replace (G * (1 - rho2) / (1 + (G - 1) * (1 - rho2)) * (1 + (G - 1) * (1 - rho2))) with (G * (1 - rho2))
      by (field; lra). lra.
Qed.
End Breach.

(* Theorem 1.1: where the parity is at most rho2 (1 - rho1)/(rho1 (1 - rho2)), no property with a prior below rho1 gets a
   posterior above rho2 (upward), and none with a prior above rho2 one below rho1 (downward). *)
Theorem chai_nayak_theorem_1_1_sufficient_condition_for_no_breach : forall k m P rho1 rho2,
  mechanism k m P -> 0 < rho1 < rho2 -> rho2 < 1 ->
  at_most (parity k m P) (Finite (rho2 * (1 - rho1) / (rho1 * (1 - rho2)))) -> no_breach k m P rho1 rho2.
Proof.
  intros k m P r s H A B L i pi Q Hi D Pos. set (G := s * (1 - r) / (r * (1 - s))) in *.
  pose proof (breach_level_above_one r s (conj A B)) as HG. fold G in HG.
  destruct (breach_boundary r s (conj A B)) as [B1 B2]. fold G in B1, B2.
  pose proof (event_nonneg k pi Q (proj1 D)) as N0. pose proof (event_le k pi Q (proj1 D)) as N1.
  rewrite (proj2 D) in N1. split; intros R.
  - pose proof (posterior_boundary k m P pi i Q G H D Hi ltac:(lra) L Pos) as O.
    pose proof (boundary_increasing G (event_probability k pi Q) r ltac:(lra) ltac:(lra) ltac:(lra)). lra.
  - pose proof (posterior_boundary k m P pi i (fun j => negb (Q j)) G H D Hi ltac:(lra) L Pos) as O.
    rewrite posterior_complement, event_complement, (proj2 D) in O by lra.
    pose proof (boundary_increasing G (1 - event_probability k pi Q) (1 - s) ltac:(lra) ltac:(lra) ltac:(lra)). lra.
Qed.

Theorem chai_nayak_theorem_1_1_condition_is_necessary : forall k m P rho1 rho2,
  mechanism k m P -> 0 < rho1 < rho2 -> rho2 < 1 -> no_breach k m P rho1 rho2 ->
  at_most (parity k m P) (Finite (rho2 * (1 - rho1) / (rho1 * (1 - rho2)))).
Proof.
  intros k m P r s H A B U. set (G := s * (1 - r) / (r * (1 - s))).
  pose proof (breach_level_above_one r s (conj A B)) as HG. pose proof (breach_level r s (conj A B)) as EG.
  fold G in HG, EG. apply not_at_most. intros N.
  destruct (violation k m P G H ltac:(lra) N) as (i & j & l & Hi & Hj & Hl & D & V & P0 & P1).
  set (a := P i j * (1 - s)). set (b := s * P i l).
  assert (a0 : 0 < a) by (apply Rmult_lt_0_compat; lra). assert (b0 : 0 <= b) by (apply Rmult_le_pos; lra).
  assert (X : b * (1 - r) < a * r).
  { assert (0 < r * (1 - s)) by (apply Rmult_lt_0_compat; lra).
    assert (Y : G * P i l * (r * (1 - s)) < P i j * (r * (1 - s))) by (apply Rmult_lt_compat_r; auto).
    replace (G * P i l * (r * (1 - s))) with (P i l * (G * (r * (1 - s)))) in Y by ring. rewrite EG in Y.
    unfold a, b. lra. }
  set (p := (b / (a + b) + r) / 2).
  assert (Z : b / (a + b) < r).
  { apply (Rmult_lt_reg_r (a + b)); [lra|]. replace (b / (a + b) * (a + b)) with b by (field; lra). lra. }
  assert (Z0 : 0 <= b / (a + b)).
  { unfold Rdiv. apply Rmult_le_pos; auto. apply Rlt_le, Rinv_0_lt_compat; lra. }
  assert (p0 : 0 < p < r) by (unfold p; lra).
  assert (F : b * (1 - p) < a * p).
  { assert (b / (a + b) < p) by (unfold p; lra).
    assert (T : b / (a + b) * (a + b) < p * (a + b)) by (apply Rmult_lt_compat_r; lra).
    replace (b / (a + b) * (a + b)) with b in T by (field; lra). lra. }
  clearbody p. pose proof (two_categories_distribution k j l p Hj Hl D ltac:(lra)) as Dp.
  assert (W : 0 < answers k P (two_categories j l p) i).
  { rewrite two_categories_answers by auto. assert (0 < P i j * p) by (apply Rmult_lt_0_compat; lra).
    assert (0 <= P i l * (1 - p)) by (apply Rmult_le_pos; lra). lra. }
  specialize (U i (two_categories j l p) (fun x => Nat.eqb x j) Hi Dp W).
  rewrite two_categories_event, two_categories_posterior in U by auto. destruct U as [U _].
  specialize (U ltac:(lra)). rewrite two_categories_answers in W by auto.
  set (z := P i j * p + P i l * (1 - p)) in *. apply (Rmult_le_compat_r z) in U; [|lra].
  replace (P i j * p / z * z) with (P i j * p) in U by (field; lra). unfold a, b, z in *. lra.
Qed.

Theorem chai_nayak_theorem_4_4a_trace_bound : forall k P gamma,
  (0 < k)%nat -> mechanism k k P -> 1 <= gamma -> at_most (parity k k P) (Finite gamma) ->
  sum k (fun i => P i i) <= gamma * INR k / (gamma + INR k - 1).
Proof.
  intros k P g Hk H Hg A. rewrite parity_at_most in A by auto.
  assert (K : 1 <= INR k) by (apply (le_INR 1 k); lia).
  apply (Rmult_le_reg_r (g + INR k - 1)); [lra|].
  replace (g * INR k / (g + INR k - 1) * (g + INR k - 1)) with (g * INR k) by (field; lra).
  assert (C : sum k (fun i => sum k (fun j => P i j)) = INR k).
  { rewrite sum_swap. rewrite (sum_ext k _ (fun _ => 1)); [rewrite sum_const; ring|]. apply H. }
  rewrite <- C at 2. rewrite <- sum_scal, <- sum_scal_r. apply sum_le. intros i Hi.
  apply Rle_trans with (sum k (fun j => P i i + (if Nat.eqb j i then (g - 1) * P i i else 0))).
  - rewrite sum_plus, sum_const, sum_single by auto. lra.
  - rewrite <- sum_scal. apply sum_le. intros j Hj. destruct (Nat.eqb_spec j i) as [->|].
    + lra.
    + specialize (A i i j Hi Hi Hj). lra.
Qed.

(* Proposition 4.1, optimal in the sense of the paper: the stated matrix is a procedure of parity gamma, and every procedure
   of parity at most gamma, with any number of outputs, is a garbling of it. Uniqueness is not stated. *)
Theorem chai_nayak_proposition_4_1_optimal_binary_procedure : forall gamma,
  1 < gamma ->
  mechanism 2 2 (binary (gamma / (gamma + 1)) (gamma / (gamma + 1))) /\
  parity 2 2 (binary (gamma / (gamma + 1)) (gamma / (gamma + 1))) = Finite gamma /\
  forall m P, mechanism 2 m P -> at_most (parity 2 m P) (Finite gamma) ->
  garbling 2 2 m (binary (gamma / (gamma + 1)) (gamma / (gamma + 1))) P.
Proof.
  intros g Hg. set (b := g / (g + 1)).
  assert (Eb : b * (g + 1) = g) by (unfold b; field; lra).
  assert (B : 0 < b < 1) by (split; apply (Rmult_lt_reg_r (g + 1)); lra).
  assert (G : g * (1 - b) = b) by lra.
  assert (M : mechanism 2 2 (binary b b)) by (apply binary_mechanism; lra).
  assert (X : 1 - b <= b) by (apply (Rmult_le_reg_r (g + 1)); lra).
  assert (Gb : b <= g * b) by (rewrite <- (Rmult_1_l b) at 1; apply Rmult_le_compat_r; lra).
  assert (Gc : 1 - b <= g * (1 - b)) by lra.
  split; [auto|]. split.
  - apply (parity_is 2 2 (binary b b) g 0 0 1); auto; try lia; cbn; try lra.
    apply (parity_at_most 2 2 (binary b b) g M); [lra|].
    intros [|i] [|j] [|l] _ _ _; cbn; lra.
  - intros m P H A. rewrite parity_at_most in A by (auto; lra).
    exists (fun i h => match h with O => (g * P i 0%nat - P i 1%nat) / (g - 1) | S _ => (g * P i 1%nat - P i 0%nat) / (g - 1) end).
    assert (I : 0 < / (g - 1)) by (apply Rinv_0_lt_compat; lra). destruct H as [N S].
    split; [split|].
    + intros i [|h] Hi _; unfold Rdiv; apply Rmult_le_pos; try lra.
      * specialize (A i 1%nat 0%nat Hi ltac:(lia) ltac:(lia)). lra.
      * specialize (A i 0%nat 1%nat Hi ltac:(lia) ltac:(lia)). lra.
    + pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1.
      intros [|h] _; unfold Rdiv; rewrite sum_scal_r, sum_minus, sum_scal, S0, S1; field; lra.
    + assert (b = g / (g + 1)) as -> by reflexivity.
      intros i [|[|j]] Hi Hj; [| |lia]; unfold composed; cbn; field; lra.
Qed.

Theorem chai_nayak_sec_1_procedure_with_a_given_parity : forall k m eta,
  (2 <= k <= m)%nat -> 1 <= eta ->
  let P := fun i j => (if Nat.eqb i j then eta else 1) / (eta + INR m - 1) in
  mechanism k m P /\ parity k m P = Finite eta.
Proof.
  intros k m e Hk He P. assert (M : 2 <= INR m) by (apply (le_INR 2 m); lia).
  assert (I : 0 < / (e + INR m - 1)) by (apply Rinv_0_lt_compat; lra).
  assert (H : mechanism k m P).
  { split.
    - intros i j _ _. unfold P, Rdiv. apply Rmult_le_pos; [destruct (Nat.eqb i j)|]; lra.
    - intros j Hj. unfold P, Rdiv. rewrite sum_scal_r.
      rewrite (sum_ext m _ (fun i => 1 + (if Nat.eqb i j then e - 1 else 0))) by (intros i _; destruct (Nat.eqb i j); lra).
      rewrite sum_plus, sum_const, sum_single by lia. field. lra. }
  split; auto. apply (parity_is k m P e 0 0 1); auto; try lia.
  - apply (parity_at_most k m P e H He). intros i j l Hi Hj Hl. unfold P, Rdiv.
    set (c := / (e + INR m - 1)) in *.
    assert (c1 : c <= e * c) by (rewrite <- (Rmult_1_l c) at 1; apply Rmult_le_compat_r; lra).
    assert (c2 : e * c <= e * (e * c)) by (apply Rmult_le_compat_l; lra).
    destruct (Nat.eqb i j), (Nat.eqb i l); lra.
  - unfold P, Rdiv; cbn. rewrite Rmult_1_l. apply Rinv_neq_0_compat. lra.
  - unfold P; cbn. field. lra.
Qed.

Theorem chai_nayak_theorem_4_4_proof_corrected_formula : forall k gamma a,
  1 < gamma ->
  (forall j, (j < k)%nat -> a j + / gamma * (sum k a - a j) = 1) ->
  forall j, (j < k)%nat -> a j = (gamma - sum k a) / (gamma - 1).
Proof.
  intros k g a Hg H j Hj. specialize (H j Hj). apply (Rmult_eq_reg_r (g - 1)); [|lra].
  replace ((g - sum k a) / (g - 1) * (g - 1)) with (g - sum k a) by (field; lra).
  apply (f_equal (Rmult g)) in H. replace (g * (a j + / g * (sum k a - a j))) with (g * a j + (sum k a - a j)) in H by (field; lra).
  lra.
Qed.

(* Cell collapsing: category j is reported as the cell `cell j`; two categories in different cells. *)
Theorem chai_nayak_sec_5_collapsing_has_infinite_parity : forall k m cell j l,
  (forall h, (h < k)%nat -> (cell h < m)%nat) -> (j < k)%nat -> (l < k)%nat -> cell j <> cell l ->
  let P := fun i h => if Nat.eqb i (cell h) then 1 else 0 in
  mechanism k m P /\ parity k m P = Infinite.
Proof.
  intros k m cell j l H Hj Hl N P. split; [split|].
  - intros i h _ _. unfold P. destruct (Nat.eqb i (cell h)); lra.
  - intros h Hh. unfold P. apply (sum_single m (cell h) 1). auto.
  - pose proof (ratio_at_most_parity k m P (cell j) j l (H j Hj) Hj Hl) as R. unfold ratio, P in R.
    rewrite Nat.eqb_refl in R. destruct (Nat.eqb_spec (cell j) (cell l)) as [E|_]; [contradiction|].
    destruct (Req_EM_T 0 0); [|contradiction]. destruct (Req_EM_T 1 0); [lra|].
    fold P in R. destruct (parity k m P); [contradiction|reflexivity].
Qed.

Theorem chai_nayak_eq_3_6_bayes_factor_and_posterior : forall k m P pi i Q gamma,
  mechanism k m P -> distribution k pi -> (i < m)%nat -> 1 < gamma -> 0 < answers k P pi i ->
  0 < event_probability k pi Q < 1 -> posterior k P pi i Q < 1 ->
  let likelihood E := event_probability k (fun j => P i j * pi j) E / event_probability k pi E in
  let factor := posterior k P pi i Q / (1 - posterior k P pi i Q) *
                ((1 - event_probability k pi Q) / event_probability k pi Q) in
  factor = likelihood Q / likelihood (fun j => negb (Q j)) /\
  (factor <= gamma <-> posterior k P pi i Q <= boundary gamma (event_probability k pi Q)).
Proof.
  intros k m P pi i Q g H D Hi Hg Pos B L likelihood factor. pose proof (answers_split k P pi i Q) as S.
  unfold factor, likelihood. rewrite (event_complement k pi Q), (proj2 D).
  set (y := posterior k P pi i Q) in *. set (p := event_probability k pi Q) in *.
  set (a := event_probability k (fun j => P i j * pi j) Q) in *.
  set (b := event_probability k (fun j => P i j * pi j) (fun j => negb (Q j))) in *.
  set (z := answers k P pi i) in *.
  assert (E : y * z = a) by (unfold y, posterior; fold a z; field; lra).
  assert (b0 : 0 < b).
  { assert (y * z < 1 * z) by (apply Rmult_lt_compat_r; auto). lra. }
  split.
  - assert (Ey : y = a / z) by (unfold y, posterior; reflexivity). rewrite Ey.
    replace (1 - a / z) with (b / z) by (rewrite S; field; lra). field. repeat split; lra.
  - clearbody y. pose proof (boundary_denominator g p ltac:(lra) ltac:(lra)) as W. unfold boundary. split; intros O.
    + apply (Rmult_le_compat_r ((1 - y) * p)) in O; [|apply Rmult_le_pos; lra].
      replace (y / (1 - y) * ((1 - p) / p) * ((1 - y) * p)) with (y * (1 - p)) in O by (field; lra).
      apply (Rmult_le_reg_r (1 + (g - 1) * p)); auto.
      replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) by (field; lra). lra.
    + apply (Rmult_le_compat_r (1 + (g - 1) * p)) in O; [|lra].
      replace (g * p / (1 + (g - 1) * p) * (1 + (g - 1) * p)) with (g * p) in O by (field; lra).
      apply (Rmult_le_reg_r ((1 - y) * p)); [apply Rmult_lt_0_compat; lra|].
      replace (y / (1 - y) * ((1 - p) / p) * ((1 - y) * p)) with (y * (1 - p)) by (field; lra). lra.
Qed.
