(* Rational numbers and lists of them, and what they are as real numbers and functions. *)

From Coq Require Import Reals QArith Qreals Qreduction Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement.
Import ListNotations.
Local Open Scope R_scope.

(* The only way from a file to a number: a numerator and a denominator that is positive, in lowest terms. *)
Definition number (n d : Z) : option Q :=
  match d with Zpos p => if Z.eqb (Z.gcd n d) 1 then Some (Qmake n p) else None | _ => None end.
Definition count_limit : Z := 1048576.
Definition index (n : Z) : option nat :=
  if (Z.leb 0 n && Z.leb n count_limit)%bool then Some (Z.to_nat n) else None.

(* Sums, differences and products in lowest terms. *)
Definition qadd (a b : Q) : Q := Qred (a + b).
Definition qsub (a b : Q) : Q := Qred (a - b).
Definition qmul (a b : Q) : Q := Qred (a * b).
Definition qabs (a : Q) : Q := if Qle_bool 0 a then a else Qopp a.
Definition qmax (a b : Q) : Q := if Qle_bool a b then b else a.
Definition qlt (a b : Q) : bool := negb (Qle_bool b a).

Lemma Q2R_red a : Q2R (Qred a) = Q2R a.
Proof. apply Qeq_eqR, Qred_correct. Qed.
Lemma qadd_R a b : Q2R (qadd a b) = Q2R a + Q2R b.
Proof. unfold qadd. rewrite Q2R_red. apply Q2R_plus. Qed.
Lemma qsub_R a b : Q2R (qsub a b) = Q2R a - Q2R b.
Proof. unfold qsub. rewrite Q2R_red. apply Q2R_minus. Qed.
Lemma qmul_R a b : Q2R (qmul a b) = Q2R a * Q2R b.
Proof. unfold qmul. rewrite Q2R_red. apply Q2R_mult. Qed.
Lemma zero_R : Q2R 0 = 0.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma one_R : Q2R 1 = 1.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma two_R : Q2R 2 = 2.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma qle_R a b : Qle_bool a b = true -> Q2R a <= Q2R b.
Proof. intros H. apply Qle_Rle, Qle_bool_iff, H. Qed.
Lemma qle_false a b : Qle_bool a b = false -> Q2R b < Q2R a.
Proof.
  intros H. apply Qlt_Rlt. apply Qnot_le_lt. intros L. apply Qle_bool_iff in L. congruence.
Qed.
Lemma qlt_R a b : qlt a b = true -> Q2R a < Q2R b.
Proof. unfold qlt. intros H. apply qle_false. destruct (Qle_bool b a); [discriminate|reflexivity]. Qed.
Lemma qeq_R a b : Qeq_bool a b = true -> Q2R a = Q2R b.
Proof. intros H. apply Qeq_eqR, Qeq_bool_iff, H. Qed.
Lemma qabs_R a : Q2R (qabs a) = Rabs (Q2R a).
Proof.
  unfold qabs. destruct (Qle_bool 0 a) eqn:E.
  - apply qle_R in E. rewrite zero_R in E. rewrite Rabs_right; lra.
  - apply qle_false in E. rewrite zero_R in E. rewrite Q2R_opp, Rabs_left; lra.
Qed.
Lemma qmax_R a b : Q2R (qmax a b) = Rmax (Q2R a) (Q2R b).
Proof.
  unfold qmax. destruct (Qle_bool a b) eqn:E.
  - apply qle_R in E. rewrite Rmax_right; lra.
  - apply qle_false in E. rewrite Rmax_left; lra.
Qed.

(* Logarithms. *)
Lemma ln_at_most x : 0 < x -> ln x <= x - 1.
Proof. intros H. pose proof (exp_ineq1_le (ln x)) as E. rewrite exp_ln in E by auto. lra. Qed.
Lemma ln_quotient a b : 0 < a -> 0 < b -> ln (a / b) = ln a - ln b.
Proof. intros A B. unfold Rdiv. rewrite ln_mult, ln_Rinv by (auto; apply Rinv_0_lt_compat; auto). ring. Qed.

(* Booleans. *)
Lemma both a b : (a && b)%bool = true -> a = true /\ b = true.
Proof. apply andb_prop. Qed.
Ltac split_checks :=
  repeat match goal with H : (_ && _)%bool = true |- _ => apply both in H; destruct H end.

Lemma forallb_seq n f : forallb f (seq 0 n) = true -> forall i, (i < n)%nat -> f i = true.
Proof. intros H i Hi. rewrite forallb_forall in H. apply H, in_seq. lia. Qed.

Lemma forallb_nth {A} (f : A -> bool) l d : forallb f l = true -> forall i, (i < length l)%nat -> f (nth i l d) = true.
Proof. intros H i Hi. rewrite forallb_forall in H. apply H, nth_In, Hi. Qed.

(* Finite sums from the front. *)
Lemma sum_front n f : sum (S n) f = f O + sum n (fun i => f (S i)).
Proof. induction n; [cbn; ring|]. cbn [sum] in *. rewrite IHn. ring. Qed.

Fixpoint total_of (v : list Q) : Q := match v with [] => 0%Q | x :: t => qadd x (total_of t) end.
Fixpoint dot (a b : list Q) : Q :=
  match a, b with x :: s, y :: t => qadd (qmul x y) (dot s t) | _, _ => 0%Q end.

Lemma vec_nil j : vec [] j = 0.
Proof. unfold vec. destruct j; apply zero_R. Qed.

Lemma vec_beyond v j : (length v <= j)%nat -> vec v j = 0.
Proof. intros H. unfold vec. rewrite nth_overflow by auto. apply zero_R. Qed.

Lemma total_R v n : (length v <= n)%nat -> Q2R (total_of v) = sum n (vec v).
Proof.
  revert n; induction v as [|x t IH]; intros n H; cbn [total_of].
  - rewrite zero_R. symmetry. apply sum_zero. intros; apply vec_nil.
  - destruct n as [|n]; [cbn in H; lia|]. rewrite sum_front, qadd_R, (IH n) by (cbn in H; lia). reflexivity.
Qed.

Lemma dot_R n a b : (length a <= n)%nat -> Q2R (dot a b) = sum n (fun j => vec a j * vec b j).
Proof.
  revert n b; induction a as [|x s IH]; intros n b H; cbn [dot].
  - rewrite zero_R. symmetry. apply sum_zero. intros j _. rewrite vec_nil. ring.
  - destruct n as [|n]; [cbn in H; lia|]. destruct b as [|y t].
    + rewrite zero_R. symmetry. apply sum_zero. intros j _. rewrite (vec_nil j). ring.
    + rewrite sum_front, qadd_R, qmul_R, (IH n) by (cbn in H; lia). reflexivity.
Qed.

(* Matrices: a number of rows, all of the same length. *)
Definition shaped (m k : nat) (a : list (list Q)) : bool :=
  (Nat.eqb (length a) m && forallb (fun r => Nat.eqb (length r) k) a)%bool.

Lemma shaped_rows m k a : shaped m k a = true -> length a = m.
Proof. unfold shaped. intros H. split_checks. apply Nat.eqb_eq; auto. Qed.
Lemma shaped_row m k a i : shaped m k a = true -> (length (nth i a []) <= k)%nat.
Proof.
  unfold shaped. intros H. split_checks. destruct (le_lt_dec (length a) i).
  - rewrite nth_overflow by auto. cbn. lia.
  - pose proof (forallb_nth _ _ [] H0 i l) as E. apply Nat.eqb_eq in E. lia.
Qed.

Definition column (a : list (list Q)) (j : nat) : list Q := map (fun r => nth j r 0%Q) a.
Lemma column_vec a j i : vec (column a j) i = mat a i j.
Proof.
  unfold vec, column, mat. destruct (le_lt_dec (length a) i).
  - rewrite nth_overflow by (rewrite map_length; auto). rewrite (nth_overflow a) by auto. rewrite vec_nil. apply zero_R.
  - rewrite (nth_indep _ 0%Q (nth j [] 0%Q)) by (rewrite map_length; auto).
    rewrite (map_nth (fun r => nth j r 0%Q) a []). reflexivity.
Qed.
Lemma column_length a j : length (column a j) = length a.
Proof. apply map_length. Qed.
Lemma column_total a j : Q2R (total_of (column a j)) = sum (length a) (fun i => mat a i j).
Proof.
  rewrite (total_R _ (length a)) by (rewrite column_length; lia). apply sum_ext. intros; apply column_vec.
Qed.

(* The order of words. *)
Fixpoint compare_lists {A} (compare : A -> A -> comparison) (a b : list A) : comparison :=
  match a, b with
  | [], [] => Eq | [], _ => Lt | _, [] => Gt
  | x :: a, y :: b => match compare x y with Eq => compare_lists compare a b | c => c end
  end.
Lemma compare_lists_eq {A} (compare : A -> A -> comparison) : (forall x y, compare x y = Eq -> x = y) ->
  forall a b, compare_lists compare a b = Eq -> a = b.
Proof.
  intros E. induction a as [|x a IH]; intros [|y b] H; cbn in H; try discriminate; auto.
  destruct (compare x y) eqn:C; try discriminate. f_equal; auto.
Qed.

(* A list made by a function of the index. *)
Lemma map_seq_nth {A} (f : nat -> A) n d i : (i < n)%nat -> nth i (map f (seq 0 n)) d = f i.
Proof.
  intros H. rewrite (nth_indep _ d (f O)) by (rewrite map_length, seq_length; auto).
  rewrite (map_nth f (seq 0 n) O). rewrite seq_nth by auto. reflexivity.
Qed.

(* Distributions and mechanisms of rationals. *)
Definition is_distribution (k : nat) (q : list Q) : bool :=
  (Nat.eqb (length q) k && forallb (Qle_bool 0) q && Qeq_bool (total_of q) 1)%bool.
Definition is_mechanism (k m : nat) (a : list (list Q)) : bool :=
  (shaped m k a && forallb (forallb (Qle_bool 0)) a
   && forallb (fun j => Qeq_bool (total_of (column a j)) 1) (seq 0 k))%bool.

Lemma is_distribution_ok k q : is_distribution k q = true -> distribution k (vec q).
Proof.
  unfold is_distribution. intros H. split_checks. apply Nat.eqb_eq in H. split.
  - intros j Hj. rewrite <- zero_R. apply qle_R, (forallb_nth _ _ 0%Q H1). lia.
  - rewrite <- (total_R q k) by lia. rewrite (qeq_R _ _ H0). apply one_R.
Qed.

Lemma is_mechanism_ok k m a : is_mechanism k m a = true -> mechanism k m (mat a).
Proof.
  unfold is_mechanism. intros H. split_checks. pose proof (shaped_rows _ _ _ H) as L. split.
  - intros i j Hi Hj. unfold mat, vec. unfold shaped in H. split_checks.
    assert (R : (i < length a)%nat) by lia.
    pose proof (forallb_nth _ _ [] H1 i R) as N. pose proof (forallb_nth _ _ [] H2 i R) as W. apply Nat.eqb_eq in W.
    rewrite <- zero_R. apply qle_R, (forallb_nth _ _ 0%Q N). lia.
  - intros j Hj. pose proof (forallb_seq _ _ H0 j Hj) as T. cbn beta in T. apply qeq_R in T.
    rewrite column_total, L, one_R in T. exact T.
Qed.

(* Sums over an index. *)
Definition qsum (n : nat) (f : nat -> Q) : Q := total_of (map f (seq 0 n)).
Definition entry (a : list (list Q)) (i j : nat) : Q := nth j (nth i a []) 0%Q.
Lemma entry_R a i j : Q2R (entry a i j) = mat a i j.
Proof. reflexivity. Qed.
Lemma qsum_R n f : Q2R (qsum n f) = sum n (fun i => Q2R (f i)).
Proof.
  unfold qsum. rewrite (total_R _ n) by (rewrite map_length, seq_length; lia). apply sum_ext. intros i Hi.
  unfold vec. rewrite map_seq_nth by auto. reflexivity.
Qed.
