(* Rules 3 and 4 for linear programs of the file, and rule 4 for the variance of two categories. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Programs Levels Regions Designs.
Import ListNotations.
Local Open Scope R_scope.

Fixpoint marks_from (v : nat) (s : list bool) : marks :=
  match s with [] => Unmarked | true :: t => set (marks_from (S v) t) (key v) | false :: t => marks_from (S v) t end.

Lemma lookup_unmarked p : lookup Unmarked p = false.
Proof. induction p; cbn; auto. Qed.
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

Definition check_optimum (p : program) (v : Q) (x : list Q) (dual : list (nat * Q)) : bool :=
  (Nat.eqb (length (cost p)) (length (free p)) && check_point p x && Qeq_bool (dot (cost p) x) v
   && match (if is_minimum p then lower_bound else upper_bound) (marks_from 0 (free p)) (numbered 0 (cost p)) (rows p) dual with
      | Some b => Qeq_bool b v
      | None => false
      end)%bool.
Theorem check_optimum_ok p v x dual : check_optimum p v x dual = true -> true_claim (Optimum p v x).
Proof.
  unfold check_optimum. intros H. apply both in H as [[[L P]%both V]%both H]. apply Nat.eqb_eq in L. apply check_point_ok in P.
  apply qeq_R in V. rewrite (dot_R (length (free p))) in V by lia. split; [exact P|]. split; [exact V|]. intros X F.
  assert (N : program_value p X = value X (numbered 0 (cost p)))
    by (unfold program_value; rewrite (numbered_ok X (cost p) 0 (length (free p))) by lia; reflexivity).
  pose proof (feasible_respects p X F) as RX. destruct F as [_ [_ F]]. apply Forall_forall in F.
  destruct (is_minimum p).
  - destruct (lower_bound _ _ _ _) as [b|] eqn:E; [|discriminate]. apply qeq_R in H.
    pose proof (lower_bound_ok _ _ _ _ _ X E RX F). lra.
  - destruct (upper_bound _ _ _ _) as [b|] eqn:E; [|discriminate]. apply qeq_R in H.
    pose proof (upper_bound_ok _ _ _ _ _ X E RX F). lra.
Qed.

Definition check_no_point (p : program) (dual : list (nat * Q)) : bool := infeasible (marks_from 0 (free p)) (rows p) dual.
Theorem check_no_point_ok p dual : check_no_point p dual = true -> true_claim (NoPoint p).
Proof.
  intros H X F. pose proof (feasible_respects p X F) as RX. destruct F as [_ [_ F]]. apply Forall_forall in F.
  apply (infeasible_ok _ _ _ X H RX F).
Qed.

(* Two categories and two outputs: u = 1/(p00 + p11 - 1) and x = p00 u meet eight rows. *)
Definition variance_rows (g d : Q) : list row :=
  let r := fun a b c => Row [(O, a); (1%nat, b)] AtLeast c in
  [r 1 (-1) 0; r 0 1 1; r 0 1 0; r 1 (-1) (-1); r (qsub (qadd g d) 1) (qsub 1 g) 1; r d (qsub g 1) g;
   r d (qsub g 1) (-1); r (qsub (qadd g d) 1) (qsub 1 g) (Qopp g)]%Q.
Definition equal_rows (equal : bool) : list row := if equal then [Row [(O, (-1)%Q); (1%nat, 2%Q)] Equal 1%Q] else [].   (* p00 = p11 *)
Definition both_free : marks := marks_from 0 [true; true].
Definition uv (u x : R) (v : nat) : R := match v with O => u | S O => x | _ => 0 end.

Lemma variance_rows_ok g d a b : 0 <= a -> 0 <= b -> a <= 1 -> b <= 1 -> 1 < a + b ->
  b <= Q2R g * (1 - a) + Q2R d -> a <= Q2R g * (1 - b) + Q2R d ->
  1 - b <= Q2R g * a + Q2R d -> 1 - a <= Q2R g * b + Q2R d ->
  Forall (satisfied (uv (/ (a + b - 1)) (a * / (a + b - 1)))) (variance_rows g d).
Proof.
  intros. set (u := / (a + b - 1)). assert (U : 0 < u) by (apply Rinv_0_lt_compat; lra).
  assert (E : (a + b - 1) * u = 1) by (unfold u; apply Rinv_r; lra).
  assert (E2 : Q2R g * ((a + b - 1) * u) = Q2R g) by (rewrite E; ring).
  assert (P : forall y z, y <= z -> 0 <= u * (z - y)) by (intros; apply Rmult_le_pos; lra).
  apply P in H, H0, H1, H2, H4, H5, H6, H7. unfold variance_rows; cbv zeta beta.
  repeat (apply Forall_cons); try apply Forall_nil; unfold satisfied; cbn [form_of relation_of bound_of compares value uv];
    rewrite ?qsub_R, ?qadd_R, ?minus_one_R, ?Q2R_opp, ?one_R, ?zero_R; fold u; lra.
Qed.

Lemma equal_rows_ok equal a b : (equal = true -> a = b) -> 1 < a + b ->
  Forall (satisfied (uv (/ (a + b - 1)) (a * / (a + b - 1)))) (equal_rows equal).
Proof.
  intros E S. destruct equal; cbn [equal_rows]; repeat constructor. rewrite <- E in * by reflexivity.
  unfold satisfied. cbn [form_of relation_of bound_of compares value uv]. rewrite one_R, two_R, minus_one_R. field. lra.
Qed.

Definition check_no_estimate (p : problem) (equal : bool) (es : list ends) (dual : list (nat * Q)) : bool :=
  (Nat.eqb (categories p) 2 && match outputs p with Some n => Nat.eqb n 2 | None => false end
   && check_all_ends (conditions (region_of p)) es
   && match aboves (conditions (region_of p)) es with
      | [(g, d, AllPairs)] => infeasible both_free (variance_rows g d ++ equal_rows equal) dual
      | _ => false
      end)%bool.
Theorem check_no_estimate_ok p equal es dual : check_no_estimate p equal es dual = true -> true_claim (NoEstimate p equal).
Proof.
  unfold check_no_estimate. intros H. apply both in H as [[[K O]%both E]%both H]. apply Nat.eqb_eq in K.
  destruct (outputs p) as [n|] eqn:N; [|discriminate]. apply Nat.eqb_eq in O. subst n. split; [exact K|]. split; [exact N|]. split; [exact (check_all_ends_defined _ _ E)|].
  intros P A EQ. pose proof (allowed_above 2 2 _ es P E A) as F.
  destruct (aboves (conditions (region_of p)) es) as [|[[g d] [|]] [|]]; try discriminate.
  inversion F as [|? ? F1 _]; subst. destruct A as [[M1 M2] _].
  assert (X : forall i j l, (i < 2)%nat -> (j < 2)%nat -> (l < 2)%nat -> P i j <= Q2R g * P i l + Q2R d).
  { intros i j l Hi Hj Hl. specialize (F1 j l Hj Hl I). rewrite private_pair_excess in F1.
    pose proof (sum_term 2 (fun i => Rmax 0 (P i j - Q2R g * P i l)) i (fun h _ => Rmax_l _ _) Hi).
    pose proof (Rmax_r 0 (P i j - Q2R g * P i l)). cbn beta in *. lra. }
  pose proof (M2 O ltac:(lia)) as S0. pose proof (M2 1%nat ltac:(lia)) as S1. cbn [sum] in S0, S1.
  pose proof (M1 O O ltac:(lia) ltac:(lia)). pose proof (M1 O 1%nat ltac:(lia) ltac:(lia)).
  pose proof (M1 1%nat O ltac:(lia) ltac:(lia)). pose proof (M1 1%nat 1%nat ltac:(lia) ltac:(lia)).
  pose proof (X O O 1%nat ltac:(lia) ltac:(lia) ltac:(lia)). pose proof (X O 1%nat O ltac:(lia) ltac:(lia) ltac:(lia)).
  pose proof (X 1%nat O 1%nat ltac:(lia) ltac:(lia) ltac:(lia)). pose proof (X 1%nat 1%nat O ltac:(lia) ltac:(lia) ltac:(lia)).
  clear X F1 F.
  assert (RX : forall u x, respects both_free (uv u x)).
  { intros u x v L. destruct v as [|[|v]]; cbn in L; try discriminate. cbn. lra. }
  assert (A1 : 1 - P 1%nat O = P O O) by lra. assert (A2 : 1 - P O 1%nat = P 1%nat 1%nat) by lra.
  assert (A3 : 1 - P O O = P 1%nat O) by lra. assert (A4 : 1 - P 1%nat 1%nat = P O 1%nat) by lra.
  destruct (Rtotal_order (P O O + P 1%nat 1%nat) 1) as [T|[T|T]]; [exfalso|exact T|exfalso].
  - eapply (infeasible_ok _ _ _ _ H (RX _ _)), Forall_app. split.
    + apply (variance_rows_ok g d (P 1%nat O) (P O 1%nat)); rewrite ?A1, ?A2; lra.
    + apply equal_rows_ok; [intros X; specialize (EQ X)|]; lra.
  - eapply (infeasible_ok _ _ _ _ H (RX _ _)), Forall_app. split.
    + apply (variance_rows_ok g d (P O O) (P 1%nat 1%nat)); rewrite ?A3, ?A4; lra.
    + apply equal_rows_ok; [exact EQ|lra].
Qed.
