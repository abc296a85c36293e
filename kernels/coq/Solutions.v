(* Linear programs of the file: a point and multipliers bracket the least value, or multipliers show that there is no point. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Programs.
Import ListNotations.
Local Open Scope R_scope.

Fixpoint marks_from (v : nat) (s : list bool) : marks :=
  match s with [] => Unmarked | true :: t => set (marks_from (S v) t) (key v) | false :: t => marks_from (S v) t end.

Lemma lookup_set p : forall s q, lookup (set s p) q = false -> lookup s q = false /\ q <> p.
Proof.
  induction p; intros s q H; destruct q; cbn in H |- *; try (split; [exact H|congruence]); try discriminate;
    try (apply IHp in H; destruct H as [H N]; split; [exact H|congruence]).
Qed.
Lemma marks_from_ok s : forall v i, lookup (marks_from v s) (key (v + i)) = false -> (i < length s)%nat -> nth i s false = false.
Proof.
  induction s as [|b s IH]; intros v i H L; [cbn in L; lia|]. cbn [marks_from] in H.
  destruct i; cbn [nth length] in *.
  - destruct b; auto. apply lookup_set in H. destruct H as [_ H]. rewrite Nat.add_0_r in H. congruence.
  - apply (IH (S v)); [|lia]. replace (S v + i)%nat with (v + S i)%nat by lia. destruct b; auto.
    apply lookup_set in H. tauto.
Qed.

Fixpoint numbered (v : nat) (c : list Q) : form := match c with [] => [] | x :: t => (v, x) :: numbered (S v) t end.
Lemma numbered_ok X c : forall v n, (length c <= n)%nat -> value X (numbered v c) = sum n (fun i => vec c i * X (v + i)%nat).
Proof.
  induction c as [|x t IH]; intros v n H; cbn [numbered value].
  - symmetry. apply sum_zero. intros i _. rewrite vec_nil. ring.
  - destruct n as [|n]; [cbn in H; lia|]. rewrite sum_front, (IH (S v) n) by (cbn in H; lia). rewrite Nat.add_0_r. f_equal.
    apply sum_ext. intros i _. rewrite Nat.add_succ_r. reflexivity.
Qed.

Lemma feasible_respects p X : feasible p X -> respects (marks_from 0 (free p)) X.
Proof.
  intros [N [Z _]] v L. destruct (le_lt_dec (length (free p)) v) as [G|G]; [rewrite (Z v G); lra|].
  apply (N v G). apply (marks_from_ok (free p) 0 v L G).
Qed.

Fixpoint qvalue (x : list Q) (f : form) : Q :=
  match f with [] => 0%Q | (v, c) :: t => qadd (qmul c (nth v x 0%Q)) (qvalue x t) end.
Lemma qvalue_R x f : Q2R (qvalue x f) = value (vec x) f.
Proof. induction f as [|[v c] f IH]; cbn [qvalue value]; [apply zero_R|]. rewrite qadd_R, qmul_R, IH. reflexivity. Qed.

Definition check_row (x : list Q) (r : row) : bool :=
  let v := qvalue x (form_of r) in
  match relation_of r with
  | AtMost => Qle_bool v (bound_of r) | AtLeast => Qle_bool (bound_of r) v | Equal => Qeq_bool v (bound_of r)
  end.
Lemma check_row_ok x r : check_row x r = true -> satisfied (vec x) r.
Proof.
  unfold check_row, satisfied. rewrite <- qvalue_R. destruct (relation_of r); cbn [compares]; intros H;
    [apply qle_R in H|apply qle_R in H|apply qeq_R in H]; auto.
Qed.

Fixpoint signs_hold (s : list bool) (x : list Q) : bool :=
  match s, x with [], [] => true | f :: s, v :: x => ((f || Qle_bool 0 v) && signs_hold s x)%bool | _, _ => false end.
Lemma signs_hold_ok s : forall x, signs_hold s x = true ->
  length x = length s /\ forall v, (v < length s)%nat -> nth v s false = false -> 0 <= vec x v.
Proof.
  induction s as [|f s IH]; intros [|y x] H; cbn in H; try discriminate; [split; [auto|cbn; intros; lia]|].
  apply both in H as [H1 H2]. destruct (IH x H2) as [L N]. split; [cbn; auto|]. intros [|v] Hv F; cbn in Hv, F.
  - subst f. cbn in H1. apply qle_R in H1. rewrite zero_R in H1. exact H1.
  - apply (N v); auto. lia.
Qed.

Definition check_point (p : program) (x : list Q) : bool := (signs_hold (free p) x && forallb (check_row x) (rows p))%bool.
Lemma check_point_ok p x : check_point p x = true -> feasible p (vec x).
Proof.
  unfold check_point. intros H. apply both in H as [S R]. apply signs_hold_ok in S. destruct S as [L N].
  split; [exact N|]. split; [intros v V; apply vec_beyond; lia|]. intros r I. rewrite forallb_forall in R. apply check_row_ok; auto.
Qed.

Definition check_optimum (p : program) (lower upper : Q) (x : list Q) (dual : list (nat * Q)) : bool :=
  (Nat.eqb (length (cost p)) (length (free p)) && check_point p x && Qle_bool (dot (cost p) x) upper
   && match lower_bound (marks_from 0 (free p)) (numbered 0 (cost p)) (rows p) dual with
      | Some b => Qle_bool lower b
      | None => false
      end)%bool.
Theorem check_optimum_ok p lower upper x dual : check_optimum p lower upper x dual = true -> true_claim (Optimum p lower upper x).
Proof.
  unfold check_optimum. intros H. apply both in H as [[[L P]%both V]%both H]. apply Nat.eqb_eq in L. apply check_point_ok in P.
  apply qle_R in V. rewrite (dot_R (length (free p))) in V by lia. split; [exact P|]. split; [exact V|]. intros X F.
  assert (N : program_value p X = value X (numbered 0 (cost p)))
    by (unfold program_value; rewrite (numbered_ok X (cost p) 0 (length (free p))) by lia; reflexivity).
  pose proof (feasible_respects p X F) as RX. destruct F as [_ [_ F]]. apply Forall_forall in F.
  destruct (lower_bound _ _ _ _) as [b|] eqn:E; [|discriminate]. apply qle_R in H.
  pose proof (lower_bound_ok _ _ _ _ _ X E RX F). lra.
Qed.

Definition check_no_point (p : program) (dual : list (nat * Q)) : bool := infeasible (marks_from 0 (free p)) (rows p) dual.
Theorem check_no_point_ok p dual : check_no_point p dual = true -> true_claim (NoPoint p).
Proof.
  intros H X F. pose proof (feasible_respects p X F) as RX. destruct F as [_ [_ F]]. apply Forall_forall in F.
  apply (infeasible_ok _ _ _ X H RX F).
Qed.
