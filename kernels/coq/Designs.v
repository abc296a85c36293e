(* Values of designs with a linear objective, and pairs of categories in which a mechanism meets a level. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Programs Levels Regions.
Import ListNotations.
Local Open Scope R_scope.

Lemma divide i k j : (j < k)%nat -> ((i * k + j) / k = i)%nat.
Proof. intros H. rewrite Nat.div_add_l, Nat.div_small by lia. lia. Qed.

Definition ordered_pairs (k : nat) : list (nat * nat) :=
  flat_map (fun j => map (fun l => (j, l)) (filter (fun l => negb (Nat.eqb l j)) (seq 0 k))) (seq 0 k).
Fixpoint smallest (n : nat) (f : nat -> R) : R := match n with O => f O | S b => Rmin (smallest b f) (f b) end.
Lemma smallest_le n f i : (i < n)%nat -> smallest n f <= f i.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec i n) as [->|]; [apply Rmin_r|].
  eapply Rle_trans; [apply Rmin_l|]. apply IHn. lia.
Qed.
Lemma smallest_is n f : (0 < n)%nat -> exists i, (i < n)%nat /\ smallest n f = f i.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec n 0) as [->|].
  - exists O. split; [lia|]. cbn. apply Rmin_left. lra.
  - destruct IHn as [i [Hi E]]; [lia|]. unfold Rmin. destruct (Rle_dec (smallest n f) (f n)); [exists i|exists n]; split; auto; lia.
Qed.

Lemma meets_rows k m P g j l i s : meets k m P (g, 0%Q, s) -> applies s j l -> (i < m)%nat -> (j < k)%nat -> (l < k)%nat ->
  P i j <= Q2R g * P i l.
Proof.
  intros H A Hi Hj Hl. specialize (H j l Hj Hl A (fun h => Nat.eqb h i)).
  rewrite !event_single in H by auto. unfold given in H. rewrite zero_R in H. lra.
Qed.

Lemma zero_delta k m P g d s : Qeq_bool d 0 = true -> meets k m P (g, d, s) -> meets k m P (g, 0%Q, s).
Proof. intros E H j l Hj Hl A. specialize (H j l Hj Hl A). rewrite (qeq_R _ _ E) in H. exact H. Qed.

Lemma largest_ge n f i : (i < n)%nat -> f i <= largest n f.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec i n) as [->|]; [apply Rmax_r|].
  eapply Rle_trans; [|apply Rmax_l]. apply IHn. lia.
Qed.
Lemma largest_ext n f g : (0 < n)%nat -> (forall i, (i < n)%nat -> f i = g i) -> largest n f = largest n g.
Proof.
  intros P H. assert (Z : f O = g O) by auto. clear P. induction n; cbn; auto. rewrite IHn, H; auto.
Qed.
Lemma largest_le n f x : (0 < n)%nat -> (forall i, (i < n)%nat -> f i <= x) -> largest n f <= x.
Proof.
  intros P H. assert (Z : f O <= x) by auto. clear P. induction n; cbn; auto. apply Rmax_lub; auto.
Qed.

(* The value of a mechanism of rationals. *)
Fixpoint qlargest (n : nat) (f : nat -> Q) : Q := match n with O => f O | S b => qmax (qlargest b f) (f b) end.
Lemma qlargest_R n f : Q2R (qlargest n f) = largest n (fun i => Q2R (f i)).
Proof. induction n; cbn; auto. rewrite qmax_R, IHn. reflexivity. Qed.
Definition linear_value (k m : nat) (q : list Q) (a : list (list Q)) (o : objective) : option Q :=
  match o with
  | Trace w => Some (qsum k (fun i => qmul (nth i w 0%Q) (entry a i i)))
  | Loss l => Some (qsum m (fun i => qsum k (fun j => qmul (qmul (nth j q 0%Q) (entry l i j)) (entry a i j))))
  | LargestDistance l => Some (qlargest m (fun i => qlargest k (fun j => qabs (qsub (entry a i j) (entry l i j)))))
  | TotalDistance l => Some (qsum m (fun i => qsum k (fun j => qabs (qsub (entry a i j) (entry l i j)))))
  | _ => None
  end.
Lemma linear_value_ok k m q a o v : (0 < k)%nat -> (0 < m)%nat -> linear_value k m q a o = Some v ->
  Q2R v = criterion k m (vec q) o (mat a).
Proof.
  intros Hk Hm. destruct o; cbn [linear_value criterion]; intros H; inversion H; subst.
  - rewrite qsum_R. unfold trace. apply sum_ext. intros. rewrite qmul_R. reflexivity.
  - rewrite qsum_R. unfold expected_loss. apply sum_ext. intros. rewrite qsum_R. apply sum_ext. intros.
    rewrite !qmul_R, !entry_R. reflexivity.
  - rewrite qlargest_R. unfold largest_difference. apply largest_ext; auto. intros. rewrite qlargest_R.
    apply largest_ext; auto. intros. rewrite qabs_R, qsub_R, !entry_R. reflexivity.
  - rewrite qsum_R. unfold total_difference. apply sum_ext. intros. rewrite qsum_R. apply sum_ext. intros.
    rewrite qabs_R, qsub_R, !entry_R. reflexivity.
Qed.
