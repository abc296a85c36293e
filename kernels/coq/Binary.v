(* Two categories, two outputs, over the real numbers: designs as points of a polyhedron, and its corners. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith Psatz.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Rays.
Import ListNotations.
Local Open Scope R_scope.

(* With u = 1/(p00 + p11 - 1), r = (1 - p00) u and s = (1 - p11) u the value at the share pi is this product. *)
Definition W (r s pi : R) : R := (r + pi) * (s + 1 - pi).
Definition first_of (x y : R) : R := (1 - x) / (x + y - 1).
Definition second_of (x y : R) : R := (1 - y) / (x + y - 1).

Lemma estimator_variance P a : mechanism 2 2 P -> estimates_share P a ->
  let x := P 0%nat 0%nat in let y := P 1%nat 1%nat in
  x + y - 1 <> 0 /\ forall pi, share_variance P a pi = W (first_of x y) (second_of x y) pi.
Proof.
  intros [N S] U x y. pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1. cbn [sum] in S0, S1.
  pose proof (unbiased_columns 2 2 1 P _ a (conj N S) U 0 0 ltac:(lia) ltac:(lia)) as U0.
  pose proof (unbiased_columns 2 2 1 P _ a (conj N S) U 0 1 ltac:(lia) ltac:(lia)) as U1. cbn [sum] in U0, U1.
  assert (A0 : P 0%nat 1%nat = 1 - y) by (unfold y; lra). assert (A1 : P 1%nat 0%nat = 1 - x) by (unfold x; lra).
  fold x y in U0, U1. rewrite A1 in U0. rewrite A0 in U1.
  set (e0 := a 0%nat 0%nat) in *. set (e1 := a 1%nat 0%nat) in *.
  assert (E0 : x * e0 + (1 - x) * e1 = 0) by lra. assert (E1 : (1 - y) * e0 + y * e1 = 1) by lra.
  assert (F1 : e1 * (x + y - 1) = x).
  { replace (e1 * (x + y - 1)) with (x * ((1 - y) * e0 + y * e1) - (1 - y) * (x * e0 + (1 - x) * e1)) by ring. rewrite E0, E1. ring. }
  assert (F0 : e0 * (x + y - 1) = - (1 - x)).
  { replace (e0 * (x + y - 1)) with (y * (x * e0 + (1 - x) * e1) - (1 - x) * ((1 - y) * e0 + y * e1)) by ring. rewrite E0, E1. ring. }
  assert (Z : x + y - 1 <> 0) by (intros Z; rewrite Z in F0, F1; lra). split; [exact Z|]. intros pi.
  assert (G1 : e1 = x / (x + y - 1)) by (apply (Rmult_eq_reg_r (x + y - 1)); auto; rewrite F1; field; auto).
  assert (G0 : e0 = - (1 - x) / (x + y - 1)) by (apply (Rmult_eq_reg_r (x + y - 1)); auto; rewrite F0; field; auto).
  unfold share_variance, device_variance, n_variance, answers. cbn [sum bernoulli]. fold x y e0 e1. rewrite A0, A1, G0, G1.
  unfold W, first_of, second_of. field. auto.
Qed.

Lemma estimator_exists P : mechanism 2 2 P -> P 0%nat 0%nat + P 1%nat 1%nat - 1 <> 0 -> exists a, estimates_share P a.
Proof.
  intros [N S] Z. pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1. cbn [sum] in S0, S1.
  set (x := P 0%nat 0%nat) in *. set (y := P 1%nat 1%nat) in *.
  assert (A0 : P 0%nat 1%nat = 1 - y) by lra. assert (A1 : P 1%nat 0%nat = 1 - x) by lra.
  exists (fun i _ => match i with O => - (1 - x) / (x + y - 1) | _ => x / (x + y - 1) end).
  intros q [_ Q1] [|l] L; [|lia]. cbn [sum] in *. unfold answers. cbn [sum]. fold x y. rewrite A0, A1.
  replace (q 0%nat) with (1 - q 1%nat) by lra. field. auto.
Qed.

Section Level.
Context (g d : R) (G1 : 1 <= g) (D0 : 0 <= d) (D1 : d <= 1).

Lemma private_rows P i j l : mechanism 2 2 P -> private 2 2 g d P -> (i < 2)%nat -> (j < 2)%nat -> (l < 2)%nat ->
  P i j <= g * P i l + d.
Proof.
  intros M H Hi Hj Hl. assert (X : private_pair 2 g d P j l) by (intros E; apply H; auto).
  rewrite private_pair_excess in X.
  pose proof (sum_term 2 (fun i => Rmax 0 (P i j - g * P i l)) i (fun h _ => Rmax_l _ _) Hi).
  pose proof (Rmax_r 0 (P i j - g * P i l)). cbn beta in *. lra.
Qed.

Lemma binary_private x y : 0 <= x <= 1 -> 0 <= y <= 1 -> 1 < x + y -> y <= g * (1 - x) + d -> x <= g * (1 - y) + d ->
  private 2 2 g d (binary x y).
Proof.
  intros X Y T A B E j l Hj Hl.
  assert (x <= g * x) by nra. assert (y <= g * y) by nra.
  assert (1 - x <= g * (1 - x)) by nra. assert (1 - y <= g * (1 - y)) by nra.
  unfold event_probability, given. cbn [sum]. destruct j as [|[|j]]; try lia; destruct l as [|[|l]]; try lia;
    destruct (E 0%nat), (E 1%nat); cbn [binary]; lra.
Qed.

(* The polyhedron of the designs with p00 + p11 > 1. *)
Definition inside (r s : R) : Prop :=
  0 <= r /\ 0 <= s /\ 1 - d <= (g - 1 + d) * r + d * s /\ 1 - d <= d * r + (g - 1 + d) * s.

Lemma inside_of x y : 0 <= x <= 1 -> 0 <= y <= 1 -> 1 < x + y -> y <= g * (1 - x) + d -> x <= g * (1 - y) + d ->
  inside (first_of x y) (second_of x y).
Proof.
  intros X Y T A B. unfold inside, first_of, second_of, Rdiv. set (u := / (x + y - 1)).
  assert (U : 0 < u) by (apply Rinv_0_lt_compat; lra). assert (E : (x + y - 1) * u = 1) by (unfold u; apply Rinv_r; lra).
  assert (F : 1 - d = (1 - d) * ((x + y - 1) * u)) by (rewrite E; ring).
  repeat split; try (apply Rmult_le_pos; lra).
  - assert (0 <= u * (g * (1 - x) + d - y)) by (apply Rmult_le_pos; lra). rewrite F. lra.
  - assert (0 <= u * (g * (1 - y) + d - x)) by (apply Rmult_le_pos; lra). rewrite F. lra.
Qed.

(* Every mechanism with an estimator is such a point, its outputs exchanged if need be. *)
Lemma point_of P a : mechanism 2 2 P -> private 2 2 g d P -> estimates_share P a ->
  exists r s, inside r s /\ (P 0%nat 0%nat = P 1%nat 1%nat -> r = s) /\ (forall pi, share_variance P a pi = W r s pi) /\
  (1 < P 0%nat 0%nat + P 1%nat 1%nat -> r = first_of (P 0%nat 0%nat) (P 1%nat 1%nat) /\ s = second_of (P 0%nat 0%nat) (P 1%nat 1%nat)).
Proof.
  intros M H U. destruct (estimator_variance P a M U) as [Z V]. pose proof (private_rows P) as R.
  pose proof M as [N S]. pose proof (S 0%nat ltac:(lia)) as S0. pose proof (S 1%nat ltac:(lia)) as S1. cbn [sum] in S0, S1.
  pose proof (N 0%nat 0%nat ltac:(lia) ltac:(lia)). pose proof (N 0%nat 1%nat ltac:(lia) ltac:(lia)).
  pose proof (N 1%nat 0%nat ltac:(lia) ltac:(lia)). pose proof (N 1%nat 1%nat ltac:(lia) ltac:(lia)).
  pose proof (R 1%nat 1%nat 0%nat M H ltac:(lia) ltac:(lia) ltac:(lia)). pose proof (R 0%nat 0%nat 1%nat M H ltac:(lia) ltac:(lia) ltac:(lia)).
  pose proof (R 0%nat 1%nat 0%nat M H ltac:(lia) ltac:(lia) ltac:(lia)). pose proof (R 1%nat 0%nat 1%nat M H ltac:(lia) ltac:(lia) ltac:(lia)).
  cbv zeta in Z, V.
  set (x := P 0%nat 0%nat) in *. set (y := P 1%nat 1%nat) in *.
  assert (A0 : P 0%nat 1%nat = 1 - y) by lra. assert (A1 : P 1%nat 0%nat = 1 - x) by lra. rewrite A0, A1 in *.
  destruct (Rlt_le_dec 1 (x + y)) as [T|T].
  - exists (first_of x y), (second_of x y). split; [apply inside_of; lra|]. split; [|split; auto].
    intros E. rewrite E. reflexivity.
  - exists (first_of (1 - x) (1 - y)), (second_of (1 - x) (1 - y)).
    split; [apply inside_of; lra|]. split; [|split; [|intros; lra]].
    + intros E. rewrite E. reflexivity.
    + intros pi. rewrite V. unfold W, first_of, second_of. field. split; lra.
Qed.

(* Corners in these coordinates, and which there are. *)
Definition corner_r (c : corner) : R :=
  match c with Balanced => (1 - d) / (g - 1 + 2 * d) | FirstCertain => 0 | SecondCertain => (1 - d) / d end.
Definition corner_s (c : corner) : R :=
  match c with Balanced => (1 - d) / (g - 1 + 2 * d) | FirstCertain => (1 - d) / d | SecondCertain => 0 end.
Definition corners_are (symmetric : bool) (cs : list corner) : Prop :=
  (cs = [Balanced] /\ 0 < g - 1 + 2 * d /\ (symmetric = true \/ d = 0 \/ d = 1)) \/
  (symmetric = false /\ 0 < d < 1 /\ 1 < g /\ cs = [SecondCertain; Balanced; FirstCertain]) \/
  (symmetric = false /\ 0 < d < 1 /\ g = 1 /\ cs = [SecondCertain; FirstCertain]).

Lemma quotient_le a b c : 0 < b -> a <= c * b -> a / b <= c.
Proof. intros B H. apply (Rmult_le_reg_r b); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. Qed.
Lemma quotient_nonneg a b : 0 < b -> 0 <= a -> 0 <= a / b.
Proof. intros B A. unfold Rdiv. apply Rmult_le_pos; auto. left. apply Rinv_0_lt_compat; auto. Qed.

Lemma corner_inside symmetric cs c : corners_are symmetric cs -> In c cs -> 0 <= corner_r c /\ 0 <= corner_s c.
Proof.
  intros H I. destruct c; cbn [corner_r corner_s]; (split; [|]); try lra;
    destruct H as [[-> [P _]]|[[_ [P [Q ->]]]|[_ [P [Q ->]]]]]; cbn [In] in I;
    try (destruct I as [I|I]; discriminate || contradiction);
    try (apply quotient_nonneg; lra); exfalso; intuition discriminate.
Qed.

(* Every point of the polyhedron is at least a point between two corners. *)
Definition above_pair (cs : list corner) (r s : R) : Prop :=
  exists c0 c1 t, In c0 cs /\ In c1 cs /\ 0 <= t <= 1 /\
  (1 - t) * corner_r c0 + t * corner_r c1 <= r /\ (1 - t) * corner_s c0 + t * corner_s c1 <= s /\
  (c0 = c1 \/ (corner_r c1 - corner_r c0) * (corner_s c1 - corner_s c0) < 0).
Lemma hull symmetric cs r s : corners_are symmetric cs -> inside r s -> (symmetric = true -> r = s) -> above_pair cs r s.
Proof.
  intros H [R [S [A B]]] Y. destruct H as [[-> [P Q]]|[[-> [P [Q ->]]]|[-> [P [-> ->]]]]].
  - exists Balanced, Balanced, 0. cbn [In corner_r corner_s]. repeat split; try lra; try (left; reflexivity).
    + assert ((1 - d) / (g - 1 + 2 * d) <= r); [|lra]. apply quotient_le; auto. destruct Q as [Q|[Q|Q]].
      * rewrite <- (Y Q) in *. lra.
      * subst d. lra.
      * subst d. nra.
    + assert ((1 - d) / (g - 1 + 2 * d) <= s); [|lra]. apply quotient_le; auto. destruct Q as [Q|[Q|Q]].
      * rewrite (Y Q) in *. lra.
      * subst d. lra.
      * subst d. nra.
  - set (m := (1 - d) / (g - 1 + 2 * d)). assert (M : m * (g - 1 + 2 * d) = 1 - d) by (unfold m; field; lra).
    set (v := (1 - d) / d). assert (V : v * d = 1 - d) by (unfold v; field; lra).
    assert (0 < m) by (unfold m, Rdiv; apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    assert (m < v) by nra.
    destruct (Rle_lt_dec m r) as [MR|MR]; [destruct (Rle_lt_dec m s) as [MS|MS]|].
    + exists Balanced, Balanced, 0. cbn [In corner_r corner_s]. fold m. repeat split; try lra; auto.
    + exists SecondCertain, Balanced, (s / m). cbn [In corner_r corner_s]. fold m v.
      set (t := s / m). assert (T : t * m = s) by (unfold t; field; lra).
      assert (0 <= t) by (apply quotient_nonneg; lra). assert (t <= 1) by (apply quotient_le; lra).
      repeat split; auto; try lra; [|right; nra].
      apply (Rmult_le_reg_r d); [lra|]. nra.
    + exists FirstCertain, Balanced, (r / m). cbn [In corner_r corner_s]. fold m v.
      set (t := r / m). assert (T : t * m = r) by (unfold t; field; lra).
      assert (0 <= t) by (apply quotient_nonneg; lra). assert (t <= 1) by (apply quotient_le; lra).
      repeat split; auto; try lra; [|right; nra].
      apply (Rmult_le_reg_r d); [lra|]. nra.
  - set (v := (1 - d) / d). assert (V : v * d = 1 - d) by (unfold v; field; lra).
    assert (0 < v) by (unfold v, Rdiv; apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    destruct (Rle_lt_dec v r) as [VR|VR].
    + exists SecondCertain, SecondCertain, 0. cbn [In corner_r corner_s]. fold v. repeat split; auto; try lra.
    + exists FirstCertain, SecondCertain, (r / v). cbn [In corner_r corner_s]. fold v.
      set (t := r / v). assert (T : t * v = r) by (unfold t; field; lra).
      assert (0 <= t) by (apply quotient_nonneg; lra). assert (t <= 1) by (apply quotient_le; lra).
      repeat split; auto; try lra; [|right; nra].
      apply (Rmult_le_reg_r d); [lra|]. nra.
Qed.

(* The values at the corners bound the values. *)
Lemma W_monotone r s r' s' pi : 0 <= r <= r' -> 0 <= s <= s' -> 0 <= pi <= 1 -> W r s pi <= W r' s' pi.
Proof. intros R S P. unfold W. apply Rmult_le_compat; lra. Qed.
Lemma W_nonneg r s pi : 0 <= r -> 0 <= s -> 0 <= pi <= 1 -> 0 <= W r s pi.
Proof. intros R S P. unfold W. apply Rmult_le_pos; lra. Qed.

Lemma mix a0 b0 a1 b1 t m : 0 <= a0 -> 0 <= b0 -> 0 <= a1 -> 0 <= b1 -> 0 <= t <= 1 -> m <= a0 * b0 -> m <= a1 * b1 ->
  m <= ((1 - t) * a0 + t * a1) * ((1 - t) * b0 + t * b1).
Proof.
  intros A0 B0 A1 B1 T M0 M1. destruct (Rle_lt_dec m 0) as [M|M].
  - apply Rle_trans with 0; auto. apply Rmult_le_pos; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra.
  - assert (X : 2 * m <= a0 * b1 + a1 * b0).
    { set (x := a0 * b1 + a1 * b0). assert (0 <= x) by (unfold x; apply Rplus_le_le_0_compat; apply Rmult_le_pos; auto).
      assert (m * m <= (a0 * b0) * (a1 * b1)) by (apply Rmult_le_compat; lra).
      assert (0 <= (a0 * b1 - a1 * b0) * (a0 * b1 - a1 * b0)) by apply Rle_0_sqr.
      assert (4 * (m * m) <= x * x) by (unfold x; lra).
      destruct (Rle_lt_dec (2 * m) x); auto. exfalso. assert (x * x < (2 * m) * (2 * m)) by (apply Rmult_le_0_lt_compat; lra). lra. }
    assert (0 <= (1 - t) * (1 - t) * (a0 * b0 - m)) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= t * t * (a1 * b1 - m)) by (repeat apply Rmult_le_pos; lra).
    assert (0 <= t * (1 - t) * (a0 * b1 + a1 * b0 - 2 * m)) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

Definition corner_value (c : corner) (pi : R) : R := W (corner_r c) (corner_s c) pi.
Lemma between_corners c0 c1 t r s pi p0 p1 m : 0 <= corner_r c0 -> 0 <= corner_s c0 -> 0 <= corner_r c1 -> 0 <= corner_s c1 ->
  0 <= t <= 1 -> (1 - t) * corner_r c0 + t * corner_r c1 <= r -> (1 - t) * corner_s c0 + t * corner_s c1 <= s ->
  0 <= p0 <= 1 -> 0 <= p1 <= 1 -> pi = (1 - t) * p0 + t * p1 ->
  m <= corner_value c0 p0 -> m <= corner_value c1 p1 -> m <= W r s pi.
Proof.
  intros R0 S0 R1 S1 T R S P0 P1 E M0 M1.
  assert (0 <= (1 - t) * corner_r c0) by (apply Rmult_le_pos; lra). assert (0 <= t * corner_r c1) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - t) * corner_s c0) by (apply Rmult_le_pos; lra). assert (0 <= t * corner_s c1) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - t) * p0) by (apply Rmult_le_pos; lra). assert (0 <= t * p1) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - t) * (1 - p0)) by (apply Rmult_le_pos; lra). assert (0 <= t * (1 - p1)) by (apply Rmult_le_pos; lra).
  apply Rle_trans with (W ((1 - t) * corner_r c0 + t * corner_r c1) ((1 - t) * corner_s c0 + t * corner_s c1) pi);
    [|apply W_monotone; lra].
  unfold corner_value, W in *. subst pi.
  replace ((1 - t) * corner_r c0 + t * corner_r c1 + ((1 - t) * p0 + t * p1)) with
    ((1 - t) * (corner_r c0 + p0) + t * (corner_r c1 + p1)) by ring.
  replace ((1 - t) * corner_s c0 + t * corner_s c1 + 1 - ((1 - t) * p0 + t * p1)) with
    ((1 - t) * (corner_s c0 + 1 - p0) + t * (corner_s c1 + 1 - p1)) by ring.
  apply mix; lra.
Qed.

Section Corners.
Context (sym : bool) (cs : list corner) (C : corners_are sym cs).

Lemma above_corners r s pi m : inside r s -> (sym = true -> r = s) -> 0 <= pi <= 1 ->
  (forall c, In c cs -> m <= corner_value c pi) -> m <= W r s pi.
Proof.
  intros I Y P M. destruct (hull sym cs r s C I Y) as [c0 [c1 [t [I0 [I1 [T [R [S _]]]]]]]].
  pose proof (corner_inside sym cs c0 C I0). pose proof (corner_inside sym cs c1 C I1).
  eapply (between_corners c0 c1 t r s pi pi pi); auto; try lra; apply M; auto.
Qed.

Lemma only_corners r s pi v : inside r s -> (sym = true -> r = s) -> 0 <= pi <= 1 ->
  (forall c, In c cs -> v <= corner_value c pi) -> W r s pi <= v -> 0 < v ->
  exists c, In c cs /\ r = corner_r c /\ s = corner_s c /\ corner_value c pi <= v.
Proof.
  intros I Y P M L V. destruct (hull sym cs r s C I Y) as [c0 [c1 [t [I0 [I1 [T [R [S N]]]]]]]].
  pose proof (corner_inside sym cs c0 C I0) as [R0 S0]. pose proof (corner_inside sym cs c1 C I1) as [R1 S1].
  set (r' := (1 - t) * corner_r c0 + t * corner_r c1) in *. set (s' := (1 - t) * corner_s c0 + t * corner_s c1) in *.
  assert (V' : v <= W r' s' pi) by (eapply (between_corners c0 c1 t r' s' pi pi pi); auto; try lra; try apply M; auto; unfold r', s'; lra).
  assert (R' : 0 <= r') by (unfold r'; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  assert (S' : 0 <= s') by (unfold s'; apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra).
  assert (A : 0 < r' + pi) by (destruct (Rle_lt_dec (r' + pi) 0); auto; unfold W in V'; assert (r' + pi = 0) as E by lra; rewrite E in V'; lra).
  assert (B : 0 < s' + 1 - pi) by (destruct (Rle_lt_dec (s' + 1 - pi) 0); auto; unfold W in V'; assert (s' + 1 - pi = 0) as E by lra; rewrite E in V'; lra).
  assert (X : W r s pi - W r' s' pi = (r - r') * (s + 1 - pi) + (r' + pi) * (s - s')) by (unfold W; ring).
  assert (0 <= (r - r') * (s + 1 - pi)) by (apply Rmult_le_pos; lra).
  assert (0 <= (r' + pi) * (s - s')) by (apply Rmult_le_pos; lra).
  assert (ER : r = r').
  { destruct (Rle_lt_dec r r'); [lra|]. assert (0 < (r - r') * (s + 1 - pi)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (ES : s = s').
  { destruct (Rle_lt_dec s s'); [lra|]. assert (0 < (r' + pi) * (s - s')) by (apply Rmult_lt_0_compat; lra). lra. }
  subst r s. clear X. pose proof (M c0 I0) as M0. pose proof (M c1 I1) as M1.
  assert (K : t = 0 \/ t = 1 \/ c0 = c1).
  { destruct N as [N|N]; auto. destruct (Req_dec t 0); auto. destruct (Req_dec t 1); auto. exfalso.
    assert (Z : W r' s' pi = (1 - t) * corner_value c0 pi + t * corner_value c1 pi
                - t * (1 - t) * ((corner_r c1 - corner_r c0) * (corner_s c1 - corner_s c0))) by (unfold r', s', corner_value, W; ring).
    assert (0 < t * (1 - t)) by (apply Rmult_lt_0_compat; lra).
    assert (0 < t * (1 - t) * (- ((corner_r c1 - corner_r c0) * (corner_s c1 - corner_s c0)))) by (apply Rmult_lt_0_compat; lra).
    assert (0 <= (1 - t) * (corner_value c0 pi - v)) by (apply Rmult_le_pos; lra).
    assert (0 <= t * (corner_value c1 pi - v)) by (apply Rmult_le_pos; lra). lra. }
  destruct K as [K|[K|K]].
  - assert (r' = corner_r c0) as Er by (unfold r'; rewrite K; ring). assert (s' = corner_s c0) as Es by (unfold s'; rewrite K; ring).
    exists c0. unfold corner_value. rewrite <- Er, <- Es. auto.
  - assert (r' = corner_r c1) as Er by (unfold r'; rewrite K; ring). assert (s' = corner_s c1) as Es by (unfold s'; rewrite K; ring).
    exists c1. unfold corner_value. rewrite <- Er, <- Es. auto.
  - subst c1. assert (r' = corner_r c0) as Er by (unfold r'; ring). assert (s' = corner_s c0) as Es by (unfold s'; ring).
    exists c0. unfold corner_value. rewrite <- Er, <- Es. auto.
Qed.

(* The designs at the corners. *)
Definition design_at (symmetric : bool) (c : corner) (x y : R) : Prop :=
  0 <= x <= 1 /\ 0 <= y <= 1 /\ 1 < x + y /\ y <= g * (1 - x) + d /\ x <= g * (1 - y) + d /\ (symmetric = true -> x = y) /\
  first_of x y = corner_r c /\ second_of x y = corner_s c.
Lemma corner_design c x y : In c cs -> (x, y) = corner_at c g d -> design_at sym c x y.
Proof.
  intros I E. unfold design_at. destruct c; cbn [corner_at corner_r corner_s] in *.
  - assert (P : 0 < g - 1 + 2 * d).
    { destruct C as [[-> [P _]]|[[_ [P [Q ->]]]|[_ [P [Q ->]]]]]; lra. }
    set (m := (g + d) / (g + 1)) in *. assert (M : m * (g + 1) = g + d) by (unfold m; field; lra).
    inversion E; subst x y. assert (M2 : (2 * m - 1) * (g + 1) = g - 1 + 2 * d) by lra.
    assert (M3 : (1 - m) * (g + 1) = 1 - d) by lra.
    assert (0 <= m) by nra. assert (m <= 1) by nra. assert (1 < m + m) by nra.
    repeat split; auto; try lra; unfold first_of, second_of, m; field; repeat split; lra.
  - assert (sym = false /\ 0 < d < 1) as [Y P].
    { destruct C as [[-> [P _]]|[[Y [P [Q ->]]]|[Y [P [Q ->]]]]]; auto. cbn in I. intuition discriminate. }
    inversion E; subst x y. repeat split; try lra; try (rewrite Y; discriminate); try nra; unfold first_of, second_of; field; lra.
  - assert (sym = false /\ 0 < d < 1) as [Y P].
    { destruct C as [[-> [P _]]|[[Y [P [Q ->]]]|[Y [P [Q ->]]]]]; auto. cbn in I. intuition discriminate. }
    inversion E; subst x y. repeat split; try lra; try (rewrite Y; discriminate); try nra; unfold first_of, second_of; field; lra.
Qed.
End Corners.
End Level.

Lemma point_injective x y x' y' : 1 < x + y -> 1 < x' + y' -> first_of x y = first_of x' y' -> second_of x y = second_of x' y' ->
  x = x' /\ y = y'.
Proof.
  intros T T' F S. unfold first_of, second_of in *.
  assert (A : forall x y, 1 < x + y -> / (x + y - 1) = 1 + (1 - x) / (x + y - 1) + (1 - y) / (x + y - 1)) by (intros; field; lra).
  assert (E : x + y - 1 = x' + y' - 1) by (rewrite <- (Rinv_inv (x + y - 1)), <- (Rinv_inv (x' + y' - 1)), (A x y T), (A x' y' T'), F, S; reflexivity).
  rewrite <- E in F, S. apply (f_equal (fun z => z * (x + y - 1))) in F, S.
  unfold Rdiv in F, S. rewrite !Rmult_assoc, Rinv_l in F, S by lra. lra.
Qed.

(* A larger level has smaller values at its corners, and the corners of two levels are those of the levels between them. *)
Lemma quotient_falls a b a' b' : 0 < b -> 0 <= a' <= a -> b <= b' -> a' / b' <= a / b.
Proof.
  intros B A L. unfold Rdiv. apply Rmult_le_compat; try lra; [left; apply Rinv_0_lt_compat; lra|apply Rinv_le_contravar; lra].
Qed.
Lemma corner_falls sym cs c g d g' d' pi : 1 <= g -> 0 <= d -> d' <= 1 -> g <= g' -> d <= d' -> 0 <= pi <= 1 ->
  corners_are g d sym cs -> corners_are g' d' sym cs -> In c cs -> corner_value g' d' c pi <= corner_value g d c pi.
Proof.
  intros G D D' GG DD P C C' I.
  assert (N : 0 <= corner_r g' d' c /\ 0 <= corner_s g' d' c) by (eapply corner_inside; eauto; lra).
  unfold corner_value. apply W_monotone; auto; (split; [apply N|]); destruct c; cbn [corner_r corner_s]; try lra;
    destruct C as [[-> [Q _]]|[[_ [Q [_ ->]]]|[_ [Q [_ ->]]]]]; cbn [In] in I; try (apply quotient_falls; lra);
    exfalso; intuition discriminate.
Qed.
Lemma corners_between sym cs g d g0 d0 g1 d1 : 1 <= g0 -> 0 <= d0 -> d1 <= 1 -> g0 <= g <= g1 -> d0 <= d <= d1 -> (d0 = 0 -> d1 = 0) ->
  corners_are g0 d0 sym cs -> corners_are g1 d1 sym cs -> corners_are g d sym cs.
Proof.
  intros G D D1 GG DD Z C0 C1.
  destruct C0 as [[E0 [Q0 K0]]|[[E0 [Q0 [L0 K0]]]|[E0 [Q0 [L0 K0]]]]];
    destruct C1 as [[E1 [Q1 K1]]|[[E1 [Q1 [L1 K1]]]|[E1 [Q1 [L1 K1]]]]]; subst; try discriminate.
  - left. split; [auto|]. split; [lra|]. destruct K0 as [K|[K|K]]; auto; [right; left|right; right; lra].
    specialize (Z K). lra.
  - right; left. repeat split; auto; lra.
  - right; right. repeat split; auto; lra.
Qed.
