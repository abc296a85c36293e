(* Binary variance for every level, with or without delta: the conditions of the statement `every-level-closed`.

   At each level the optimum is the least of the values of the corners of the region (Binary.v). The difference of two of
   them, times positive numbers, is a quadratic in u = gamma - 1, whose sign on an interval is decided at its ends. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith Psatz.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Criteria Regions Binary EveryLevel.
Import ListNotations.
Local Open Scope R_scope.

Definition times_by (c : Q) (f : quadratic) : quadratic := Quadratic (qmul c (c0 f)) (qmul c (c1 f)) (qmul c (c2 f)).
Lemma times_by_R c f u : qd (times_by c f) u = Q2R c * qd f u.
Proof. unfold qd, times_by. cbn [c0 c1 c2]. rewrite !qmul_R. ring. Qed.
(* The value of the corner Balanced is the first quadratic over the second one, those of the others are v/delta. *)
Definition balanced_above (pi d : Q) : quadratic :=
  let e := qadd (qsub 1 d) (qmul 2 (qmul pi d)) in let f := qadd (qsub 1 d) (qmul 2 (qmul (qsub 1 pi) d)) in
  Quadratic (qmul e f) (qadd (qmul e (qsub 1 pi)) (qmul f pi)) (qmul pi (qsub 1 pi)).
Definition balanced_below (d : Q) : quadratic := Quadratic (qmul 4 (qmul d d)) (qmul 4 d) 1.
Definition first_value (pi d : Q) : Q := qmul pi (qsub 1 (qmul d pi)).
Definition second_value (pi d : Q) : Q := first_value (qsub 1 pi) d.
Definition above_balanced (v pi d : Q) : quadratic := minus (times_by v (balanced_below d)) (times_by d (balanced_above pi d)).
Definition check_binary_piece (pi d : Q) (c : corner) (low : level_point) (high : option level_point) : bool :=
  let first := above_balanced (first_value pi d) pi d in let second := above_balanced (second_value pi d) pi d in
  (Qle_bool 0 pi && Qle_bool pi 1 && Qle_bool 0 d && negb (Qle_bool 1 d) &&
   match c with
   | Balanced => Qle_bool d 0 || (nonnegative first low high && nonnegative second low high)
   | FirstCertain => negb (Qle_bool d 0) && nonnegative (minus nothing first) low high && Qle_bool (first_value pi d) (second_value pi d)
   | SecondCertain => negb (Qle_bool d 0) && nonnegative (minus nothing second) low high && Qle_bool (second_value pi d) (first_value pi d)
   end)%bool.

Lemma balanced_is pi d u : 0 <= u -> 0 <= d -> 0 < u + 2 * d ->
  corner_value (1 + u) d Balanced pi =
  (((1 - d) + 2 * (pi * d)) * ((1 - d) + 2 * ((1 - pi) * d)) +
   (((1 - d) + 2 * (pi * d)) * (1 - pi) + ((1 - d) + 2 * ((1 - pi) * d)) * pi) * u + pi * (1 - pi) * (u * u)) /
  (4 * (d * d) + 4 * d * u + 1 * (u * u)).
Proof.
  intros U D P. replace (4 * (d * d) + 4 * d * u + 1 * (u * u)) with ((u + 2 * d) * (u + 2 * d)) by ring.
  unfold corner_value, W, corner_r, corner_s. replace (1 + u - 1 + 2 * d) with (u + 2 * d) by ring. field. lra.
Qed.
Lemma first_is pi g d : 0 < d -> corner_value g d FirstCertain pi = pi * (1 - d * pi) / d.
Proof. intros D. unfold corner_value, W, corner_r, corner_s. field. lra. Qed.
Lemma second_is pi g d : 0 < d -> corner_value g d SecondCertain pi = (1 - pi) * (1 - d * (1 - pi)) / d.
Proof. intros D. unfold corner_value, W, corner_r, corner_s. field. lra. Qed.
Lemma quotients a b x y : 0 < b -> 0 < y -> a * y <= x * b -> a / b <= x / y.
Proof.
  intros B Y H. apply (Rmult_le_reg_r (b * y)); [apply Rmult_lt_0_compat; auto|].
  replace (a / b * (b * y)) with (a * y) by (field; lra). replace (x / y * (b * y)) with (x * b) by (field; lra). exact H.
Qed.
Lemma four : Q2R 4 = 4.
Proof. unfold Q2R. cbn. field. Qed.

Theorem check_binary_piece_ok : forall pi d c low high, check_binary_piece pi d c low high = true ->
  forall gamma, 1 < gamma -> Statement.point_of low <= gamma -> up_to gamma high ->
  let v := corner_value gamma (Q2R d) c (Q2R pi) in let (x, y) := corner_at c gamma (Q2R d) in
  (mechanism 2 2 (binary x y) /\ private 2 2 gamma (Q2R d) (binary x y) /\
   (exists a, estimates_share (binary x y) a) /\
   forall a, estimates_share (binary x y) a -> share_variance (binary x y) a (Q2R pi) = v) /\
  forall P a, mechanism 2 2 P -> private 2 2 gamma (Q2R d) P -> estimates_share P a -> v <= share_variance P a (Q2R pi).
Proof.
  unfold check_binary_piece. intros pi d c low high H g Hg L U. split_checks.
  repeat match goal with E : Qle_bool _ _ = true |- _ => apply Qle_bool_iff, Qle_Rle in E end. rewrite ?zero_R, ?one_R in *.
  assert (D1 : Q2R d < 1).
  { rewrite <- one_R. apply Qlt_Rlt. apply Qnot_le_lt. intros T. apply Qle_bool_iff in T. rewrite T in *. discriminate. }
  set (p := Q2R pi) in *. set (s := Q2R d) in *. set (u := g - 1). assert (Eg : g = 1 + u) by (unfold u; ring).
  assert (Pu : 0 < u) by (unfold u; lra).
  assert (In1 : inside u low high) by (split; [unfold level_u, u; lra|now rewrite <- Eg]).
  assert (F1 : Q2R (first_value pi d) = p * (1 - s * p)) by (unfold first_value; rewrite !qmul_R, qsub_R, qmul_R, one_R; reflexivity).
  assert (F2 : Q2R (second_value pi d) = (1 - p) * (1 - s * (1 - p)))
    by (unfold second_value, first_value; rewrite !qmul_R, !qsub_R, qmul_R, qsub_R, one_R; reflexivity).
  set (N := ((1 - s) + 2 * (p * s)) * ((1 - s) + 2 * ((1 - p) * s)) +
     (((1 - s) + 2 * (p * s)) * (1 - p) + ((1 - s) + 2 * ((1 - p) * s)) * p) * u + p * (1 - p) * (u * u)).
  set (D := 4 * (s * s) + 4 * s * u + 1 * (u * u)).
  assert (PD : 0 < D) by (unfold D; nra).
  assert (NR : qd (balanced_above pi d) u = N).
  { unfold qd, balanced_above, N. cbn [c0 c1 c2]. rewrite ?qadd_R, ?qmul_R, ?qadd_R, ?qsub_R, ?qmul_R, ?qsub_R, ?one_R, ?two_R. reflexivity. }
  assert (DR : qd (balanced_below d) u = D).
  { unfold qd, balanced_below, D. cbn [c0 c1 c2]. rewrite ?qmul_R, ?one_R, ?four. reflexivity. }
  assert (AR : forall v, qd (above_balanced v pi d) u = Q2R v * D - s * N).
  { intros v. unfold above_balanced. rewrite minus_R, !times_by_R, NR, DR. reflexivity. }
  assert (VB : corner_value g s Balanced p = N / D) by (rewrite Eg; apply balanced_is; lra).
  assert (SP : forall b, negb (Qle_bool d 0) = b -> b = true -> 0 < s).
  { intros b E B. subst b. unfold s. rewrite <- zero_R. apply Qlt_Rlt, Qnot_le_lt. intros T. apply Qle_bool_iff in T. rewrite T in B. discriminate. }
  set (cs := if Qle_bool d 0 then [Balanced] else [SecondCertain; Balanced; FirstCertain]).
  assert (C : corners_are g s false cs).
  { unfold corners_are, cs. destruct (Qle_bool d 0) eqn:E.
    - apply Qle_bool_iff, Qle_Rle in E. rewrite zero_R in E. fold s in E. left. repeat split; try lra; right; left; lra.
    - right. left. assert (0 < s) by (apply (SP (negb (Qle_bool d 0))); rewrite E; auto). repeat split; auto; lra. }
  assert (Cc : In c cs).
  { unfold cs. destruct (Qle_bool d 0); destruct c; cbn [negb orb andb] in *; try discriminate; cbn; auto. }
  assert (Least : forall c', In c' cs -> corner_value g s c p <= corner_value g s c' p).
  { intros c' I'. unfold cs in I', Cc. destruct (Qle_bool d 0) eqn:E in *.
    - destruct I' as [<-|[]]. destruct Cc as [<-|[]]. lra.
    - assert (S0 : 0 < s) by (apply (SP (negb (Qle_bool d 0))); rewrite E; auto). cbn [negb orb andb] in *.
      assert (V1 : corner_value g s FirstCertain p = p * (1 - s * p) / s) by (apply first_is; auto).
      assert (V2 : corner_value g s SecondCertain p = (1 - p) * (1 - s * (1 - p)) / s) by (apply second_is; auto).
      destruct c; split_checks;
        repeat match goal with T : nonnegative _ _ _ = true |- _ => apply nonnegative_ok with (u := u) in T; [|exact In1] end;
        repeat match goal with T : Qle_bool _ _ = true |- _ => apply Qle_bool_iff, Qle_Rle in T end;
        rewrite ?minus_R, ?nothing_R, ?AR, ?F1, ?F2 in *;
        destruct I' as [<-|[<-|[<-|[]]]]; rewrite ?VB, ?V1, ?V2; try lra; apply quotients; auto; try lra; nra. }
  destruct (corner_at c g s) as [x y] eqn:E.
  assert (X : design_at g s false c x y) by (eapply corner_design; eauto; lra).
  destruct X as (X1 & X2 & X3 & X4 & X5 & _ & X6 & X7). assert (M : mechanism 2 2 (binary x y)) by (apply binary_mechanism; auto).
  split; [split; [exact M|split; [apply binary_private; auto; lra|split]]|].
  - apply estimator_exists; auto. cbn [binary]. lra.
  - intros a Ea. destruct (estimator_variance _ a M Ea) as [_ V]. rewrite V. cbn [binary]. rewrite X6, X7. reflexivity.
  - intros P a MP PP Ea. edestruct (Binary.point_of g s) with (P := P) (a := a) as (r & s' & I & _ & V & _); auto; try lra. rewrite V.
    eapply above_corners; eauto; try lra; intros Y; discriminate.
Qed.
