(* Regions at rational levels: what rounding a level does, and which mechanisms are allowed. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Criteria.
Import ListNotations.
Local Open Scope R_scope.

(* The ends of a level: gamma and delta, below and above. The gamma of a criterion is the largest ratio that it allows. *)
Record ends := Ends { gamma_below : Q; gamma_above : Q; delta_below : Q; delta_above : Q; infimum_of : option infimum }.
Definition rational_level := (Q * Q * pairs)%type.

Definition check_ends (c : condition) (e : ends) : bool :=
  match c, infimum_of e with
  | AtLevel l d _, None => check_level l (gamma_below e) (gamma_above e) && check_slack d (delta_below e) (delta_above e)
  | Posteriors up down, Some i =>
    check_criterion up down i (gamma_below e) (gamma_above e) && Qeq_bool (delta_below e) 0 && Qeq_bool (delta_above e) 0
  | _, _ => false
  end%bool.
Definition pairs_of (c : condition) : pairs := match c with AtLevel _ _ s => s | Posteriors _ _ => AllPairs end.
Fixpoint check_all_ends (cs : list condition) (es : list ends) : bool :=
  match cs, es with
  | [], [] => true
  | c :: cs, e :: es => (check_ends c e && check_all_ends cs es)%bool
  | _, _ => false
  end.
Fixpoint belows (cs : list condition) (es : list ends) : list rational_level :=
  match cs, es with c :: cs, e :: es => (gamma_below e, delta_below e, pairs_of c) :: belows cs es | _, _ => [] end.
Fixpoint aboves (cs : list condition) (es : list ends) : list rational_level :=
  match cs, es with c :: cs, e :: es => (gamma_above e, delta_above e, pairs_of c) :: aboves cs es | _, _ => [] end.

Definition meets (k m : nat) (P : nat -> nat -> R) (c : rational_level) : Prop :=
  let '(g, d, s) := c in
  forall j l, (j < k)%nat -> (l < k)%nat -> applies s j l -> private_pair m (Q2R g) (Q2R d) P j l.

Lemma check_ends_below k m P c e : mechanism k m P -> check_ends c e = true ->
  meets k m P (gamma_below e, delta_below e, pairs_of c) -> satisfies k m P c.
Proof.
  intros M. destruct c as [l d s|up down]; cbn [check_ends pairs_of meets satisfies]; destruct (infimum_of e) as [i|]; try discriminate; intros H A.
  - apply both in H as [L S]. apply check_level_ok in L. apply check_slack_ok in S. intros j h Hj Hh Ap.
    apply (private_pair_weaker k m P (Q2R (gamma_below e)) (Q2R (delta_below e))); auto; lra.
  - apply both in H as [[H D]%both _]. apply qeq_R in D. rewrite zero_R in D. apply (criterion_below _ _ _ _ _ H k m P M).
    intros j h Hj Hh. rewrite <- D. apply A; auto. exact I.
Qed.
Lemma check_ends_above k m P c e : mechanism k m P -> check_ends c e = true -> satisfies k m P c ->
  meets k m P (gamma_above e, delta_above e, pairs_of c).
Proof.
  intros M. destruct c as [l d s|up down]; cbn [check_ends pairs_of meets satisfies]; destruct (infimum_of e) as [i|]; try discriminate; intros H A.
  - apply both in H as [L S]. apply check_level_ok in L. apply check_slack_ok in S. intros j h Hj Hh Ap.
    apply (private_pair_weaker k m P (exp (epsilon_of l)) (delta_of d)); auto; lra.
  - apply both in H as [[H _]%both D]. apply qeq_R in D. rewrite zero_R in D. intros j h Hj Hh _. rewrite D.
    apply (criterion_above _ _ _ _ _ H k m P M A); auto.
Qed.
Lemma check_all_ends_defined G es : check_all_ends (conditions G) es = true -> well_defined G.
Proof.
  intros H up down p I B. revert es H. induction (conditions G) as [|c cs IH]; intros es H; [destruct I|].
  destruct es as [|e es]; [discriminate|]. cbn [check_all_ends] in H. split_checks. destruct I as [->|I]; [|eapply IH; eauto].
  cbn [check_ends] in H. destruct (infimum_of e) as [i|]; [|discriminate]. split_checks. eapply criterion_defined; eauto.
Qed.

(* Privacy by events is a sum of excesses. *)
Lemma private_pair_excess m P g d j l :
  private_pair m g d P j l <-> sum m (fun i => Rmax 0 (P i j - g * P i l)) <= d.
Proof.
  split.
  - intros H. specialize (H (fun i => if Rle_dec 0 (P i j - g * P i l) then true else false)).
    unfold event_probability, given in H. rewrite <- sum_scal in H.
    replace (sum m (fun i => Rmax 0 (P i j - g * P i l))) with
      (sum m (fun i => if (if Rle_dec 0 (P i j - g * P i l) then true else false) then P i j else 0) -
       sum m (fun i => g * (if (if Rle_dec 0 (P i j - g * P i l) then true else false) then P i l else 0))); [lra|].
    rewrite <- sum_minus. apply sum_ext. intros i _. destruct (Rle_dec 0 (P i j - g * P i l)).
    + rewrite Rmax_right; lra.
    + rewrite Rmax_left; lra.
  - intros H E. unfold event_probability, given. rewrite <- sum_scal.
    assert (sum m (fun i => if E i then P i j else 0) - sum m (fun i => g * (if E i then P i l else 0)) <=
            sum m (fun i => Rmax 0 (P i j - g * P i l))); [|lra].
    rewrite <- sum_minus. apply sum_le. intros i _. destruct (E i).
    + apply Rmax_r.
    + pose proof (Rmax_l 0 (P i j - g * P i l)). lra.
Qed.

Fixpoint excess (g : Q) (a b : list Q) : Q :=
  match a, b with x :: s, y :: t => qadd (qmax 0 (qsub x (qmul g y))) (excess g s t) | _, _ => 0%Q end.
Lemma excess_R g a : forall b, length a = length b ->
  Q2R (excess g a b) = sum (length a) (fun i => Rmax 0 (vec a i - Q2R g * vec b i)).
Proof.
  induction a as [|x s IH]; intros [|y t] L; cbn [excess length] in *; try discriminate; [apply zero_R|].
  rewrite sum_front, qadd_R, qmax_R, zero_R, qsub_R, qmul_R, IH by lia. reflexivity.
Qed.

Definition check_meets (k : nat) (columns : list (list Q)) (c : rational_level) : bool :=
  let '(g, d, s) := c in
  let ok := fun j l => Qle_bool (excess g (nth j columns []) (nth l columns [])) d in
  match s with
  | AllPairs => forallb (fun j => forallb (ok j) (seq 0 k)) (seq 0 k)
  | SomePairs s => forallb (fun p => (Nat.ltb (fst p) k && Nat.ltb (snd p) k && ok (fst p) (snd p))%bool) s
  end.

Lemma check_meets_ok k a c : check_meets k (map (column a) (seq 0 k)) c = true -> meets k (length a) (mat a) c.
Proof.
  destruct c as [[g d] s]. cbn [check_meets meets]. intros H j l Hj Hl A.
  assert (E : Qle_bool (excess g (nth j (map (column a) (seq 0 k)) []) (nth l (map (column a) (seq 0 k)) [])) d = true).
  { destruct s as [|s]; cbn [applies] in A.
    - apply (forallb_seq k _ (forallb_seq k _ H j Hj) l Hl).
    - rewrite forallb_forall in H. specialize (H _ A). cbn [fst snd] in H. split_checks. auto. }
  rewrite !map_seq_nth in E by auto. apply qle_R in E. apply private_pair_excess.
  rewrite excess_R in E by (rewrite !column_length; auto). rewrite column_length in E.
  erewrite sum_ext; [exact E|]. intros i _. cbn beta. rewrite !column_vec. reflexivity.
Qed.

Fixpoint within_vector (f : Q -> Q -> bool) (a b : list Q) : bool :=
  match a, b with [], [] => true | x :: s, y :: t => (f x y && within_vector f s t)%bool | _, _ => false end.
Fixpoint within_matrix (f : Q -> Q -> bool) (a b : list (list Q)) : bool :=
  match a, b with [], [] => true | x :: s, y :: t => (within_vector f x y && within_matrix f s t)%bool | _, _ => false end.
Lemma within_vector_ok f a : forall b j, within_vector f a b = true -> (j < length a)%nat -> f (nth j a 0%Q) (nth j b 0%Q) = true.
Proof.
  induction a as [|x s IH]; intros [|y t] j H L; cbn in *; try lia; try discriminate. split_checks.
  destruct j; auto. apply IH; auto. lia.
Qed.
Lemma within_matrix_ok f a : forall b i, within_matrix f a b = true -> (i < length a)%nat ->
  within_vector f (nth i a []) (nth i b []) = true.
Proof.
  induction a as [|x s IH]; intros [|y t] j H L; cbn in *; try lia; try discriminate. split_checks.
  destruct j; auto. apply IH; auto. lia.
Qed.

Definition check_allowed (k : nat) (G : region) (es : list ends) (a : list (list Q)) : bool :=
  let columns := map (column a) (seq 0 k) in
  (is_mechanism k (length a) a && check_all_ends (conditions G) es
   && forallb (check_meets k columns) (belows (conditions G) es)
   && match entries G with
      | None => true
      | Some (least, most) => within_matrix Qle_bool least a && within_matrix (fun x y => Qle_bool y x) most a
      end)%bool.

Lemma within_length f a : forall b, within_matrix f a b = true -> length a = length b.
Proof. induction a; intros [|y t] H; cbn in *; try discriminate; auto. split_checks. auto. Qed.
Lemma within_vector_length f a : forall b, within_vector f a b = true -> length a = length b.
Proof. induction a; intros [|y t] H; cbn in *; try discriminate; auto. split_checks. auto. Qed.

Lemma check_allowed_ok k G es a : check_allowed k G es a = true -> allowed k (length a) G (mat a).
Proof.
  unfold check_allowed. intros H. apply both in H as [[[M E]%both B]%both X]. apply is_mechanism_ok in M as M'.
  split; [exact M'|split].
  - clear X M. revert es E B. induction (conditions G) as [|c cs IH]; intros es E B c' I; [destruct I|].
    destruct es as [|e es]; [discriminate|]. cbn [check_all_ends belows forallb] in *. split_checks.
    destruct I as [<-|I]; [|eapply IH; eauto].
    apply check_meets_ok in H. eapply check_ends_below; eauto.
  - destruct (entries G) as [[least most]|]; auto. apply both in X as [X Y]. intros i j Hi Hj.
    unfold is_mechanism, shaped in M. apply both in M as [[[_ S]%both _]%both _].
    pose proof (forallb_nth _ _ [] S i Hi) as W. apply Nat.eqb_eq in W.
    assert (L1 := within_length _ _ _ X). assert (L2 := within_length _ _ _ Y).
    pose proof (within_matrix_ok _ _ _ i X ltac:(lia)) as V1. pose proof (within_matrix_ok _ _ _ i Y ltac:(lia)) as V2.
    assert (L3 := within_vector_length _ _ _ V1). assert (L4 := within_vector_length _ _ _ V2).
    pose proof (within_vector_ok _ _ _ j V1 ltac:(lia)) as U1. pose proof (within_vector_ok _ _ _ j V2 ltac:(lia)) as U2.
    apply qle_R in U1, U2. unfold mat, vec. lra.
Qed.

(* The true region is inside the region at above. *)
Lemma allowed_above k m G es P : check_all_ends (conditions G) es = true -> allowed k m G P ->
  Forall (meets k m P) (aboves (conditions G) es).
Proof.
  intros E [M [C _]]. revert es E. induction (conditions G) as [|c cs IH]; intros [|e es] E; cbn in *; auto; try discriminate.
  split_checks. constructor.
  - apply check_ends_above; auto.
  - apply IH; auto.
Qed.
