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

(* F(p) = ((1 - p)/p) h(p)/(1 - h(p)), infinite where h(p) = 1; gamma <= B(h) says gamma <= F(p) for all 0 < p < 1. *)
Definition at_most_B (gamma : R) (h : R -> R) : Prop :=
  forall p, 0 < p < 1 -> h p < 1 -> gamma <= (1 - p) / p * (h p / (1 - h p)).

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

Theorem chai_nayak_theorem_3_1_upward_private_if_parity_is_at_most_B : forall k m P h gamma,
  mechanism k m P -> (forall p, 0 <= p <= 1 -> p <= h p <= 1) -> parity k m P = Finite gamma ->
  at_most_B gamma h -> upward_private k m P h.
Proof.
  intros k m P h g H Hh E B i pi Q Hi D Pos R.
  assert (Hg : 1 <= g) by (pose proof (parity_one k m P) as O; rewrite E in O; exact O).
  assert (A : at_most (parity k m P) (Finite g)) by (rewrite E; cbn; lra).
  pose proof (posterior_boundary k m P pi i Q g H D Hi Hg A Pos) as O.
  set (p := event_probability k pi Q) in *. destruct (Hh p ltac:(lra)) as [_ [L|L]].
  - apply Rle_trans with (boundary g p); auto. apply boundary_F; auto.
  - pose proof (boundary_below_one g p Hg R). lra.
Qed.
