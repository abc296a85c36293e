(* Linear programs: multipliers of the rows bound the objective from below, for all real points. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith PArith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers.
Import ListNotations.
Local Open Scope R_scope.

(* Coefficients by variable: a tree along the binary digits of the index. *)
Inductive tree := Leaf | Node (zero : tree) (here : Q) (one : tree).
Fixpoint add (t : tree) (p : positive) (c : Q) : tree :=
  match p, t with
  | xH, Leaf => Node Leaf c Leaf
  | xH, Node a h b => Node a (qadd h c) b
  | xO p, Leaf => Node (add Leaf p c) 0%Q Leaf
  | xO p, Node a h b => Node (add a p c) h b
  | xI p, Leaf => Node Leaf 0%Q (add Leaf p c)
  | xI p, Node a h b => Node a h (add b p c)
  end.
Fixpoint read (f : positive -> R) (t : tree) : R :=
  match t with
  | Leaf => 0
  | Node a h b => read (fun p => f (xO p)) a + Q2R h * f xH + read (fun p => f (xI p)) b
  end.

Lemma read_add t : forall p c f, read f (add t p c) = read f t + Q2R c * f p.
Proof.
  assert (Leaf_add : forall p c f, read f (add Leaf p c) = Q2R c * f p).
  { induction p; intros c f; cbn [add read]; rewrite ?IHp, ?zero_R; ring. }
  induction t as [|a IHa h b IHb]; intros p c f.
  - rewrite Leaf_add. cbn; ring.
  - destruct p; cbn [add read]; rewrite ?IHa, ?IHb, ?qadd_R; ring.
Qed.

(* Which variables are free: a tree too, with a mark where the variable is. *)
Inductive marks := Unmarked | Mark (zero : marks) (here : bool) (one : marks).
Definition zeros (s : marks) := match s with Unmarked => Unmarked | Mark a _ _ => a end.
Definition ones (s : marks) := match s with Unmarked => Unmarked | Mark _ _ b => b end.
Definition marked (s : marks) := match s with Unmarked => false | Mark _ h _ => h end.
Fixpoint lookup (s : marks) (p : positive) : bool :=
  match p with xH => marked s | xO p => lookup (zeros s) p | xI p => lookup (ones s) p end.
Fixpoint set (s : marks) (p : positive) : marks :=
  match p with
  | xH => Mark (zeros s) true (ones s)
  | xO p => Mark (set (zeros s) p) (marked s) (ones s)
  | xI p => Mark (zeros s) (marked s) (set (ones s) p)
  end.

Fixpoint nonnegative (t : tree) (s : marks) : bool :=
  match t with
  | Leaf => true
  | Node a h b =>
    ((if marked s then Qeq_bool h 0 else Qle_bool 0 h) && nonnegative a (zeros s) && nonnegative b (ones s))%bool
  end.

Lemma nonnegative_ok t : forall s f, nonnegative t s = true -> (forall p, lookup s p = false -> 0 <= f p) -> 0 <= read f t.
Proof.
  induction t as [|a IHa h b IHb]; intros s f H N; cbn [read]; [lra|]. cbn [nonnegative] in H. split_checks.
  assert (0 <= read (fun p => f (xO p)) a) by (apply (IHa (zeros s)); auto; intros p L; apply (N (xO p) L)).
  assert (0 <= read (fun p => f (xI p)) b) by (apply (IHb (ones s)); auto; intros p L; apply (N (xI p) L)).
  assert (0 <= Q2R h * f xH); [|lra]. destruct (marked s) eqn:E.
  - rewrite (qeq_R _ _ H), zero_R. lra.
  - apply qle_R in H. rewrite zero_R in H. apply Rmult_le_pos; [assumption|apply (N xH E)].
Qed.

(* Variables are numbered from 0. *)
Definition key (v : nat) : positive := Pos.of_succ_nat v.
Definition at_key (X : nat -> R) (p : positive) : R := X (pred (Pos.to_nat p)).
Lemma at_key_key X v : at_key X (key v) = X v.
Proof. unfold at_key, key. rewrite SuccNat2Pos.id_succ. reflexivity. Qed.

Fixpoint subtract (t : tree) (y : Q) (f : form) : tree :=
  match f with [] => t | (v, c) :: f => subtract (add t (key v) (Qopp (qmul y c))) y f end.
Lemma subtract_ok f : forall t y X, read (at_key X) (subtract t y f) = read (at_key X) t - Q2R y * value X f.
Proof.
  induction f as [|[v c] f IH]; intros t y X; cbn [subtract value]; [ring|].
  rewrite IH, read_add, at_key_key, Q2R_opp, qmul_R. ring.
Qed.

(* Walk along the rows; the multipliers are [index of the row, value], in ascending order. *)
Definition right_sign (s : relation) (y : Q) : bool :=
  match s with AtMost => Qle_bool y 0 | AtLeast => Qle_bool 0 y | Equal => true end.
Fixpoint combine_rows (at_row : nat) (rows : list row) (dual : list (nat * Q)) (t : tree) (b : Q) : option (tree * Q) :=
  match dual with
  | [] => Some (t, b)
  | (index, y) :: others =>
    match rows with
    | [] => None
    | r :: rest =>
      if Nat.eqb index at_row then
        if (right_sign (relation_of r) y && negb (Qeq_bool y 0))%bool
        then combine_rows (S at_row) rest others (subtract t y (form_of r)) (qadd b (qmul y (bound_of r)))
        else None
      else combine_rows (S at_row) rest dual t b
    end
  end.

Lemma combine_rows_ok rows : forall at_row dual t b t' b' X,
  combine_rows at_row rows dual t b = Some (t', b') -> Forall (satisfied X) rows ->
  Q2R b' - Q2R b <= read (at_key X) t - read (at_key X) t'.
Proof.
  induction rows as [|r rest IH]; intros n dual t b t' b' X H F; destruct dual as [|[i y] others]; cbn [combine_rows] in H;
    try discriminate; try (inversion H; subst; lra).
  inversion F as [|? ? F1 F2]; subst. destruct (Nat.eqb i n).
  - destruct (right_sign (relation_of r) y && negb (Qeq_bool y 0))%bool eqn:E; [|discriminate]. split_checks.
    specialize (IH _ _ _ _ _ _ X H F2). rewrite subtract_ok, qadd_R, qmul_R in IH.
    assert (Q2R y * Q2R (bound_of r) <= Q2R y * value X (form_of r)); [|lra].
    unfold satisfied in F1. destruct (relation_of r); cbn in *.
    + apply qle_R in H0. rewrite zero_R in H0. nra.
    + apply qle_R in H0. rewrite zero_R in H0. nra.
    + rewrite F1. lra.
  - apply (IH _ _ _ _ _ _ X H F2).
Qed.

(* b . y where the multipliers prove that the objective is at least that. *)
Definition lower_bound (free : marks) (cost : form) (rows : list row) (dual : list (nat * Q)) : option Q :=
  match combine_rows 0 rows dual (subtract Leaf (Qopp 1) cost) 0%Q with
  | Some (t, b) => if nonnegative t free then Some b else None
  | None => None
  end.

Definition respects (free : marks) (X : nat -> R) : Prop := forall v, lookup free (key v) = false -> 0 <= X v.

Theorem lower_bound_ok free cost rows dual b X :
  lower_bound free cost rows dual = Some b -> respects free X -> Forall (satisfied X) rows -> Q2R b <= value X cost.
Proof.
  unfold lower_bound. intros H N F.
  destruct (combine_rows 0 rows dual (subtract Leaf (Qopp 1) cost) 0) as [[t b']|] eqn:E; [|discriminate].
  destruct (nonnegative t free) eqn:P; [|discriminate]. inversion H; subst.
  pose proof (combine_rows_ok _ _ _ _ _ _ _ X E F) as C. rewrite subtract_ok, zero_R, Q2R_opp, one_R in C. cbn [read] in C.
  assert (0 <= read (at_key X) t); [|lra]. apply (nonnegative_ok t free); auto.
  intros p L. unfold at_key. apply N. unfold key. pose proof (Pos2Nat.is_pos p).
  replace (Pos.of_succ_nat (Nat.pred (Pos.to_nat p))) with p; auto. apply Pos2Nat.inj. rewrite SuccNat2Pos.id_succ. lia.
Qed.

(* Farkas: multipliers with b . y > 0 and no cost. *)
Definition infeasible (free : marks) (rows : list row) (dual : list (nat * Q)) : bool :=
  match lower_bound free [] rows dual with Some b => qlt 0 b | None => false end.
Theorem infeasible_ok free rows dual X :
  infeasible free rows dual = true -> respects free X -> Forall (satisfied X) rows -> False.
Proof.
  unfold infeasible. intros H N F. destruct (lower_bound free [] rows dual) eqn:E; [|discriminate].
  pose proof (lower_bound_ok _ _ _ _ _ X E N F) as B. apply qlt_R in H. rewrite zero_R in H. cbn in B. lra.
Qed.
