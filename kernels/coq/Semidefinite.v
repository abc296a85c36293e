(* Quadratic forms of symmetric matrices of rationals, by elimination: semidefinite ones, and their pivots. One induction
   on the upper triangle: with a pivot p > 0 and the rest r of its row, form(u) = p (u_0 + r.u'/p)^2 + form'(u'), where
   form' is that of the Schur complement. If no pivot is below 0, and a pivot of 0 has a row of zeros, no value is negative. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers.
Import ListNotations.
Local Open Scope R_scope.

(* The upper triangle of a matrix: row l from its diagonal on. *)
Fixpoint triangle (s n : nat) (f : nat -> nat -> Q) : list (list Q) :=
  match n with O => [] | S n' => map (f s) (seq s n) :: triangle (S s) n' f end.
Fixpoint is_triangle (n : nat) (T : list (list Q)) : bool :=
  match n, T with O, [] => true | S n', r :: T => (Nat.eqb (length r) n && is_triangle n' T)%bool | _, _ => false end.

Definition behind (u : nat -> R) (i : nat) : R := u (S i).
Fixpoint along (r : list Q) (u : nat -> R) : R := match r with [] => 0 | x :: r => Q2R x * u O + along r (behind u) end.
Fixpoint quadratic (T : list (list Q)) (u : nat -> R) : R :=
  match T with
  | (p :: r) :: T => Q2R p * u O ^ 2 + 2 * u O * along r (behind u) + quadratic T (behind u)
  | _ => 0
  end.

Lemma along_sum f m : forall s u, along (map f (seq s m)) u = sum m (fun h => Q2R (f (s + h)%nat) * u h).
Proof.
  induction m as [|m IH]; intros s u; [reflexivity|]. cbn [seq map along]. rewrite IH, sum_front, Nat.add_0_r. f_equal.
  apply sum_ext. intros h _. rewrite Nat.add_succ_r. reflexivity.
Qed.
Lemma triangle_quadratic f n : forall s u, (forall l h, (l < s + n)%nat -> (h < s + n)%nat -> Q2R (f l h) = Q2R (f h l)) ->
  quadratic (triangle s n f) u = sum n (fun l => sum n (fun h => u l * u h * Q2R (f (s + l)%nat (s + h)%nat))).
Proof.
  induction n as [|n IH]; intros s u Sy; [reflexivity|]. cbn [triangle seq map quadratic]. rewrite IH, along_sum by (intros; apply Sy; lia).
  rewrite sum_front. cbn beta. rewrite sum_front, !Nat.add_0_r.
  rewrite (sum_ext n (fun i => sum (S n) _) (fun i => u O * (Q2R (f s (S s + i)%nat) * behind u i) +
    sum n (fun h => behind u i * behind u h * Q2R (f (S s + i)%nat (S s + h)%nat)))).
  - rewrite sum_plus, sum_scal.
    rewrite (sum_ext n (fun i => u O * u (S i) * Q2R (f s (s + S i)%nat)) (fun i => u O * (Q2R (f s (S s + i)%nat) * behind u i))).
    + rewrite sum_scal. ring.
    + intros i _. replace (s + S i)%nat with (S s + i)%nat by lia. unfold behind. ring.
  - intros i Hi. rewrite sum_front, Nat.add_0_r. f_equal.
    + replace (s + S i)%nat with (S s + i)%nat by lia. rewrite (Sy _ s) by lia. unfold behind. ring.
    + apply sum_ext. intros h _. replace (s + S i)%nat with (S s + i)%nat by lia. replace (s + S h)%nat with (S s + h)%nat by lia. reflexivity.
Qed.
Lemma is_triangle_ok f n : forall s, is_triangle n (triangle s n f) = true.
Proof.
  induction n as [|n IH]; intros s; [reflexivity|]. cbn [triangle is_triangle]. rewrite map_length, seq_length, Nat.eqb_refl. apply IH.
Qed.

(* One step: the rest of the matrix less r r^T / p. *)
Fixpoint less (c : Q) (a b : list Q) : list Q :=
  match a, b with x :: a, y :: b => qsub x (qmul c y) :: less c a b | _, _ => [] end.
Fixpoint reduced (p : Q) (r : list Q) (T : list (list Q)) : list (list Q) :=
  match r, T with x :: r', row :: T => less (Qred (Qdiv x p)) row r :: reduced p r' T | _, _ => [] end.

Lemma less_length c a : forall b, length a = length b -> length (less c a b) = length a.
Proof. induction a; intros [|y b] L; cbn in L |- *; try discriminate; auto. Qed.
Lemma less_along c a : forall b u, length a = length b -> along (less c a b) u = along a u - Q2R c * along b u.
Proof.
  induction a as [|x a IH]; intros [|y b] u L; cbn in L; try discriminate; cbn [less along]; [ring|]. rewrite qsub_R, qmul_R, IH by lia. ring.
Qed.
Lemma reduced_triangle p n : forall r T, length r = n -> is_triangle n T = true -> is_triangle n (reduced p r T) = true.
Proof.
  induction n as [|n IH]; intros [|x r] [|row T] L H; cbn in L; try discriminate; auto. cbn [is_triangle reduced] in *.
  apply both in H as [H1 H2]. apply Nat.eqb_eq in H1. rewrite less_length by (cbn [length]; lia). rewrite H1, Nat.eqb_refl. apply IH; auto.
Qed.
Lemma reduced_quadratic p n : forall r T u, length r = n -> is_triangle n T = true -> Q2R p <> 0 ->
  quadratic (reduced p r T) u = quadratic T u - along r u ^ 2 / Q2R p.
Proof.
  induction n as [|n IH]; intros [|x r] [|row T] u L H P; cbn in L; try discriminate.
  - cbn. field. exact P.
  - cbn [is_triangle] in H. apply both in H as [H1 H2]. apply Nat.eqb_eq in H1. destruct row as [|y s]; [discriminate|].
    assert (NZ : ~ (p == 0)%Q) by (intros Z; apply Qeq_eqR in Z; rewrite zero_R in Z; auto).
    cbn [reduced less quadratic along]. rewrite (IH r T), less_along, qsub_R, qmul_R, Q2R_red, Q2R_div by (cbn in H1; auto; lia).
    set (a := along r (behind u)). set (b := along s (behind u)). field. exact P.
Qed.
Lemma step p r n T u : length r = n -> is_triangle n T = true -> Q2R p <> 0 ->
  quadratic ((p :: r) :: T) u = Q2R p * (u O + along r (behind u) / Q2R p) ^ 2 + quadratic (reduced p r T) (behind u).
Proof. intros L H P. rewrite (reduced_quadratic p n) by auto. cbn [quadratic]. field. exact P. Qed.

(* No negative pivot, and a pivot 0 only with a row of zeros. *)
Fixpoint semidefinite (n : nat) (T : list (list Q)) : bool :=
  match n, T with
  | O, _ => true
  | S n, (p :: r) :: T =>
    if Qeq_bool p 0 then (forallb (fun x => Qeq_bool x 0) r && semidefinite n T)%bool else (qlt 0 p && semidefinite n (reduced p r T))%bool
  | _, _ => false
  end.
Lemma along_zero r : forall u, forallb (fun x => Qeq_bool x 0) r = true -> along r u = 0.
Proof.
  induction r as [|x r IH]; intros u H; cbn in *; [reflexivity|]. apply both in H as [H1 H2]. apply qeq_R in H1. rewrite H1, zero_R, IH by auto. ring.
Qed.
Theorem semidefinite_ok n : forall T u, is_triangle n T = true -> semidefinite n T = true -> 0 <= quadratic T u.
Proof.
  induction n as [|n IH]; intros T u H E; destruct T as [|[|p r] T]; cbn [is_triangle] in H; try discriminate; [cbn; lra|].
  apply both in H as [H1 H2]. apply Nat.eqb_eq in H1. assert (L : length r = n) by (cbn in H1; lia). cbn [semidefinite] in E.
  destruct (Qeq_bool p 0) eqn:Z; apply both in E as [E1 E2].
  - apply qeq_R in Z. cbn [quadratic]. rewrite Z, zero_R, (along_zero r) by auto. pose proof (IH T (behind u) H2 E2). lra.
  - apply qlt_R in E1. rewrite zero_R in E1. rewrite (step p r n) by (auto; lra).
    pose proof (IH _ (behind u) (reduced_triangle p n r T L H2) E2).
    assert (0 <= Q2R p * (u O + along r (behind u) / Q2R p) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]). lra.
Qed.

(* Positive pivots: the values of the form at vectors of which the one with index l has 1 there and nothing behind it. *)
Fixpoint pivots (n : nat) (T : list (list Q)) : option (list Q) :=
  match n, T with
  | O, _ => Some []
  | S n, (p :: r) :: T => if qlt 0 p then match pivots n (reduced p r T) with Some ps => Some (p :: ps) | None => None end else None
  | _, _ => None
  end.
Theorem pivots_ok n : forall T ps, is_triangle n T = true -> pivots n T = Some ps ->
  length ps = n /\ exists u, successive n u /\ forall l, (l < n)%nat -> 0 < vec ps l /\ quadratic T (u l) = vec ps l.
Proof.
  induction n as [|n IH]; intros T ps H E; destruct T as [|[|p r] T]; cbn [is_triangle] in H; try discriminate.
  - cbn in E. inversion E; subst. split; [reflexivity|]. exists (fun _ _ => 0). split; [intros l Hl; lia|intros l Hl; lia].
  - apply both in H as [H1 H2]. apply Nat.eqb_eq in H1. assert (L : length r = n) by (cbn in H1; lia). cbn [pivots] in E.
    destruct (qlt 0 p) eqn:P; [|discriminate]. destruct (pivots n (reduced p r T)) as [qs|] eqn:R; [|discriminate]. inversion E; subst ps.
    apply qlt_R in P. rewrite zero_R in P. destruct (IH _ _ (reduced_triangle p n r T L H2) R) as [LQ [w [Sw V]]]. split; [cbn; lia|].
    exists (fun l h => match l, h with
      | O, O => 1 | O, S _ => 0 | S l', O => - along r (w l') / Q2R p | S l', S h' => w l' h' end). split.
    + intros [|l] Hl; [split; [reflexivity|intros [|h] Hh; [lia|reflexivity]]|]. destruct (Sw l ltac:(lia)) as [S1 S2].
      split; [exact S1|]. intros [|h] Hh; [lia|]. apply S2. lia.
    + intros [|l] Hl.
      * split; [exact P|]. rewrite (step p r n) by (auto; lra). rewrite (reduced_quadratic p n) by (auto; lra).
        assert (Z : forall s, along s (behind (fun h => match h with O => 1 | S _ => 0 end)) = 0).
        { assert (Y : forall s u, (forall i, u i = 0) -> along s u = 0).
          { induction s as [|x s IHs]; intros u U; cbn; [reflexivity|]. rewrite U, IHs by (intros; apply U). ring. }
          intros s. apply Y. reflexivity. }
        assert (F : forall S u, (forall i, u i = 0) -> quadratic S u = 0).
        { induction S as [|[|x s] S IHS]; intros u U; cbn; try reflexivity. rewrite U, (IHS (behind u)) by (intros; apply U). ring. }
        rewrite Z, (F T) by reflexivity. change (vec (p :: qs) 0) with (Q2R p). field. lra.
      * destruct (V l ltac:(lia)) as [V1 V2]. change (vec (p :: qs) (S l)) with (vec qs l). split; [exact V1|].
        rewrite (step p r n) by (auto; lra).
        change (behind _) with (w l). rewrite V2. cbn beta iota. field. lra.
Qed.
