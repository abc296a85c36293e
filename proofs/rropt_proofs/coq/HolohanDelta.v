(* Claims of Holohan, Leith and Mason (2016) with delta > 0: Theorem 3, Corollary 2, Theorem 4. *)

From Coq Require Import Reals Lra Lia Arith.
From Rropt Require Import Definitions Sums Holohan.
Local Open Scope R_scope.

(* The function `above` is concave: at least 0 on the region if it is at its vertices, and 0 nowhere else. *)
Lemma above_vertices q t g d u v :
  0 < q <= 1 / 2 -> 1 <= g -> 0 < d <= 1 -> 0 <= t -> t * d <= q * (1 - d) ->
  t * (g + 2 * d - 1) ^ 2 <= (1 - d) * (g + d) ->
  0 <= u -> 0 <= v -> 1 - u <= g * v + d -> 1 - v <= g * u + d -> u + v < 1 ->
  0 <= above q t u v /\
  (above q t u v = 0 ->
   (u = 0 /\ v = 1 - d) \/ (u = 1 - d /\ v = 0) \/ (u = (1 - d) / (g + 1) /\ v = (1 - d) / (g + 1))).
Proof.
  intros Hq Hg Hd Ht HA HB Hu Hv C1 C2 S. set (s := u + v) in *. assert (Sp : 0 <= s) by (unfold s; lra).
  destruct (Rle_lt_dec (1 - d) s) as [L|L].
  - (* between (0, 1 - d), (1 - d, 0), (1, 0) and (0, 1) *)
    destruct (Req_EM_T s 0) as [Z|N].
    { assert (u = 0) by (unfold s in *; lra). assert (v = 0) by (unfold s in *; lra). assert (d = 1) by lra.
      subst u v d. assert (t = 0) by lra. subst t. unfold above. split; [lra|]. intros _. left. lra. }
    assert (P : 0 < s) by (unfold s in *; lra).
    set (a := q * s - t * (1 - s)).
    assert (A0 : 0 <= a).
    { unfold a. assert (q * (1 - d) <= q * s) by (apply Rmult_le_compat_l; lra).
      assert (t * (1 - s) <= t * d) by (apply Rmult_le_compat_l; lra). lra. }
    assert (A1 : 1 - d < s -> 0 < a).
    { intros M. unfold a. assert (q * (1 - d) < q * s) by (apply Rmult_lt_compat_l; lra).
      assert (t * (1 - s) <= t * d) by (apply Rmult_le_compat_l; lra). lra. }
    set (b := (1 - q) * s - t * (1 - s)).
    assert (AB : b = a + (1 - 2 * q) * s) by (unfold a, b; ring).
    assert (Q0 : 0 <= (1 - 2 * q) * s) by (apply Rmult_le_pos; lra).
    assert (E : above q t u v * s = v * ((1 - s) * a) + u * ((1 - s) * b) + u * v * s).
    { unfold above, a, b, s. ring. }
    assert (T1 : 0 <= v * ((1 - s) * a)) by (repeat apply Rmult_le_pos; lra).
    assert (T2 : 0 <= u * ((1 - s) * b)) by (repeat apply Rmult_le_pos; lra).
    assert (T3 : 0 <= u * v * s) by (repeat apply Rmult_le_pos; lra).
    split; [apply (Rmult_le_reg_r s); lra|]. intros Z. rewrite Z in E.
    assert (Z3 : u * v * s = 0) by lra. apply Rmult_integral in Z3. destruct Z3 as [Z3|]; [|lra].
    apply Rmult_integral in Z3. destruct Z3 as [Z3|Z3].
    + left. assert (v = s) by (unfold s; lra). split; [auto|].
      assert (Z1 : v * ((1 - s) * a) = 0) by lra. apply Rmult_integral in Z1. destruct Z1 as [|Z1]; [lra|].
      apply Rmult_integral in Z1. destruct Z1 as [|Z1]; [lra|]. destruct (Rle_lt_or_eq_dec _ _ L) as [M|M]; [|lra].
      specialize (A1 M). lra.
    + right; left. assert (u = s) by (unfold s; lra). split; [|auto].
      assert (Z1 : u * ((1 - s) * b) = 0) by lra. apply Rmult_integral in Z1. destruct Z1 as [|Z1]; [lra|].
      apply Rmult_integral in Z1. destruct Z1 as [|Z1]; [lra|]. destruct (Rle_lt_or_eq_dec _ _ L) as [M|M]; [|lra].
      specialize (A1 M). lra.
  - (* between (0, 1 - d), (1 - d, 0) and the corner (w, w) *)
    assert (G1 : 1 - d - s <= (g - 1) * u) by (unfold s; lra).
    assert (G2 : 1 - d - s <= (g - 1) * v) by (unfold s; lra).
    assert (G : 1 < g).
    { destruct (Rle_lt_or_eq_dec _ _ Hg) as [|M]; auto. exfalso. subst g. lra. }
    set (e := (1 - d - s) / (g - 1)).
    assert (Ee : e * (g - 1) = 1 - d - s) by (unfold e; field; lra).
    assert (e0 : 0 < e) by (unfold e; apply Rdiv_lt_0_compat; lra).
    assert (eu : e <= u) by (apply (Rmult_le_reg_r (g - 1)); lra).
    assert (ev : e <= v) by (apply (Rmult_le_reg_r (g - 1)); lra).
    set (w := (1 - d) / (g + 1)).
    assert (Ew : w * (g + 1) = 1 - d) by (unfold w; field; lra).
    assert (w0 : 0 < w) by (unfold w; apply Rdiv_lt_0_compat; lra).
    assert (ew : e * (g + 1) <= 1 - d) by (unfold s in *; lra).
    assert (ew' : e <= w) by (apply (Rmult_le_reg_r (g + 1)); lra).
    assert (sE : s = 1 - d - e * (g - 1)) by lra.
    (* at the corner *)
    assert (FB : 0 <= above q t w w).
    { assert (X : above q t w w * (g + 1) ^ 2 = (1 - d) * (g + d) - t * (g + 2 * d - 1) ^ 2).
      { unfold above, w. field. lra. }
      assert (0 < (g + 1) ^ 2) by (apply pow_lt; lra).
      apply (Rmult_le_reg_r ((g + 1) ^ 2)); auto. rewrite X. lra. }
    clearbody w e.
    assert (FA : 0 <= above q t 0 (1 - d)).
    { replace (above q t 0 (1 - d)) with (d * (q * (1 - d) - t * d)) by (unfold above; ring).
      apply Rmult_le_pos; lra. }
    set (K := (1 - q) * w ^ 2 + q * (1 - d - w) ^ 2 + t * (1 - d - 2 * w) ^ 2).
    assert (K0 : 0 < K).
    { assert (0 < (1 - q) * w ^ 2) by (apply Rmult_lt_0_compat; [lra|apply pow_lt; auto]).
      assert (0 <= q * (1 - d - w) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]).
      assert (0 <= t * (1 - d - 2 * w) ^ 2) by (apply Rmult_le_pos; [lra|apply pow2_ge_0]). unfold K. lra. }
    assert (E1 : above q t e (s - e) * w ^ 2 = e * w * above q t w w + (w - e) * w * above q t 0 (1 - d) + e * (w - e) * K).
    { unfold K. rewrite sE. replace (1 - d) with (w * (g + 1)) by auto. unfold above. replace d with (1 - w * (g + 1)) by lra. ring. }
    assert (w2 : 0 < w ^ 2) by (apply pow_lt; auto).
    assert (U1 : 0 <= e * w * above q t w w) by (repeat apply Rmult_le_pos; lra).
    assert (U2 : 0 <= (w - e) * w * above q t 0 (1 - d)) by (repeat apply Rmult_le_pos; lra).
    assert (F1 : e < w -> 0 < above q t e (s - e)).
    { intros M. assert (0 < e * (w - e) * K) by (repeat apply Rmult_lt_0_compat; lra).
      apply (Rmult_lt_reg_r (w ^ 2)); lra. }
    set (D := s - 2 * e).
    assert (ED : D = (w - e) * (g + 1)) by (unfold D; rewrite sE; lra).
    assert (E2 : above q t u v * D = (v - e) * above q t e (s - e) + (u - e) * above q t (s - e) e + (u - e) * (v - e) * D).
    { unfold above, D, s. ring. }
    assert (E3 : above q t (s - e) e = above q t e (s - e) + (1 - 2 * q) * (D * (1 - s))).
    { unfold above, D. ring. }
    destruct (Rle_lt_or_eq_dec _ _ ew') as [M|M].
    + assert (D0 : 0 < D) by (rewrite ED; apply Rmult_lt_0_compat; lra). specialize (F1 M).
      assert (0 <= (1 - 2 * q) * (D * (1 - s))) by (repeat apply Rmult_le_pos; lra).
      assert (V1 : (v - e) * above q t e (s - e) + (u - e) * above q t e (s - e) = D * above q t e (s - e)).
      { unfold D, s. ring. }
      assert (0 < D * above q t e (s - e)) by (apply Rmult_lt_0_compat; auto).
      assert (0 <= (u - e) * (v - e) * D) by (repeat apply Rmult_le_pos; lra).
      assert ((u - e) * above q t e (s - e) <= (u - e) * above q t (s - e) e) by (apply Rmult_le_compat_l; lra).
      assert (0 < above q t u v) by (apply (Rmult_lt_reg_r D); lra). split; [lra|]. intros; lra.
    + assert (D0 : u + v = 2 * e) by (fold s; unfold D in ED; rewrite M in ED; lra).
      assert (u = w) by lra. assert (v = w) by lra. subst u v.
      split; [auto|]. intros _. right; right. auto.
Qed.

Section Candidates.
Variables (n : nat) (q epsilon d : R).
Hypotheses (Hn : (0 < n)%nat) (Hq : 0 < q <= 1 / 2) (He : 0 <= epsilon) (Hd : 0 < d <= 1).
Let g := exp epsilon.
Let corner := (g + d) / (g + 1).
Let EA := q * (1 - d) / d.
Let EB := (1 - d) * (g + d) / (g + 2 * d - 1) ^ 2.

Lemma Hg : 1 <= g.
Proof. apply exp_at_least_one; auto. Qed.

Lemma corner_region : region epsilon d corner corner.
Proof.
  pose proof Hg. apply region_inequalities; [lra|lra|]. fold g. unfold corner.
  assert (A : (g + d) / (g + 1) <= 1) by (apply (Rmult_le_reg_r (g + 1)); [lra|]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
  assert (B : g * (1 - (g + d) / (g + 1)) + d = (g + d) / (g + 1)) by (field; lra).
  assert (C : 1 < (g + d) / (g + 1) + (g + d) / (g + 1)).
  { apply (Rmult_lt_reg_r (g + 1)); [lra|].
    replace (((g + d) / (g + 1) + (g + d) / (g + 1)) * (g + 1)) with (2 * (g + d)) by (field; lra). lra. }
  repeat split; lra.
Qed.

Lemma end_region : region epsilon d 1 d /\ region epsilon d d 1.
Proof.
  pose proof Hg. assert (d <= g * d) by (rewrite <- (Rmult_1_l d) at 1; apply Rmult_le_compat_r; lra).
  assert (0 <= (g - 1) * (1 - d)) by (apply Rmult_le_pos; lra).
  split; (apply region_inequalities; [lra|lra|fold g; repeat split; lra]).
Qed.

Lemma excess_candidates :
  excess q (1 - 1) (1 - d) = EA /\ excess q (1 - corner) (1 - corner) = EB /\
  excess q (1 - d) (1 - 1) = EA + (1 - 2 * q) * (1 - d) / d.
Proof.
  pose proof Hg. unfold excess, EA, EB, corner. repeat split; field; repeat split; lra.
Qed.

Lemma candidates p00 p11 :
  minimiser (region epsilon d) (error n q) p00 p11 <->
  ((p00 = 1 /\ p11 = d) \/ (p00 = d /\ p11 = 1) \/ (p00 = corner /\ p11 = corner)) /\
  excess q (1 - p00) (1 - p11) = Rmin EA EB.
Proof.
  pose proof Hg. destruct excess_candidates as (XA & XB & XC). destruct end_region as [RA RC].
  pose proof corner_region as RB.
  assert (D2 : 0 < (g + 2 * d - 1) ^ 2) by (apply pow_lt; lra).
  set (t := Rmin EA EB).
  assert (tA : t <= EA) by apply Rmin_l. assert (tB : t <= EB) by apply Rmin_r.
  assert (A0 : 0 <= EA) by (unfold EA, Rdiv; repeat apply Rmult_le_pos; try lra; apply Rlt_le, Rinv_0_lt_compat; lra).
  assert (B0 : 0 <= EB) by (unfold EB, Rdiv; repeat apply Rmult_le_pos; try lra; apply Rlt_le, Rinv_0_lt_compat; lra).
  assert (t0 : 0 <= t) by (unfold t; apply Rmin_glb; auto).
  assert (tA' : t * d <= q * (1 - d)).
  { apply (Rmult_le_compat_r d) in tA; [|lra]. replace (EA * d) with (q * (1 - d)) in tA by (unfold EA; field; lra). auto. }
  assert (tB' : t * (g + 2 * d - 1) ^ 2 <= (1 - d) * (g + d)).
  { apply (Rmult_le_compat_r ((g + 2 * d - 1) ^ 2)) in tB; [|lra].
    replace (EB * (g + 2 * d - 1) ^ 2) with ((1 - d) * (g + d)) in tB by (unfold EB; field; lra). auto. }
  assert (Le : forall x y, region epsilon d x y -> t <= excess q (1 - x) (1 - y) /\
     (excess q (1 - x) (1 - y) = t -> (x = 1 /\ y = d) \/ (x = d /\ y = 1) \/ (x = corner /\ y = corner))).
  { intros x y R. apply region_inequalities in R; [|lra|lra]. fold g in R.
    destruct (excess_above q t (1 - x) (1 - y) ltac:(lra)) as [X1 X2].
    destruct (above_vertices q t g d (1 - x) (1 - y)) as [Y1 Y2]; auto; try lra.
    split; [apply X1; auto|]. intros Z. apply X2, Y2 in Z.
    assert (1 - (1 - d) / (g + 1) = corner) by (unfold corner; field; lra).
    destruct Z as [[? ?]|[[? ?]|[? ?]]]; [left|right; left|right; right]; split; lra. }
  split.
  - intros [R M]. destruct (Le p00 p11 R) as [L1 L2].
    assert (LA : excess q (1 - p00) (1 - p11) <= EA).
    { pose proof (M 1 d RA) as L. apply region_inequalities in R; [|lra|lra].
      rewrite error_le in L by (auto; lra). lra. }
    assert (LB : excess q (1 - p00) (1 - p11) <= EB).
    { pose proof (M corner corner RB) as L. apply region_inequalities in R; [|lra|lra].
      apply region_inequalities in RB; [|lra|lra].
      rewrite error_le in L by (auto; lra). lra. }
    assert (E : excess q (1 - p00) (1 - p11) = t) by (apply Rle_antisym; auto; apply Rmin_glb; auto).
    auto.
  - intros [V E]. assert (R : region epsilon d p00 p11) by (destruct V as [[-> ->]|[[-> ->]|[-> ->]]]; auto).
    split; auto. intros x y R'. destruct (Le x y R') as [L1 _].
    apply region_inequalities in R; [|lra|lra]. apply region_inequalities in R'; [|lra|lra].
    rewrite error_le by (auto; lra). lra.
Qed.

Lemma compare_candidates :
  EA - EB = (1 - d) * (q - d * (g + d) / (g + 2 * d - 1) ^ 2) / d.
Proof. pose proof Hg. unfold EA, EB. field. repeat split; lra. Qed.
End Candidates.

Definition threshold (epsilon delta : R) : R := delta * (exp epsilon + delta) / (exp epsilon + 2 * delta - 1) ^ 2.
Definition corner (epsilon delta : R) : R := (exp epsilon + delta) / (exp epsilon + 1).

Lemma delta_one epsilon : corner epsilon 1 = 1.
Proof. unfold corner. pose proof (exp_pos epsilon). field. lra. Qed.

Lemma product_sign d x : 0 < d < 1 -> (0 < x -> 0 < (1 - d) * x / d) /\ (x < 0 -> (1 - d) * x / d < 0).
Proof.
  intros H. assert (0 < / d) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. split; intros X.
  - repeat apply Rmult_lt_0_compat; lra.
  - assert (0 < (1 - d) * (- x) * / d) by (repeat apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma three_cases n q epsilon d p00 p11 :
  (0 < n)%nat -> 0 < q <= 1 / 2 -> 0 <= epsilon -> 0 < d <= 1 ->
  let least := minimiser (region epsilon d) (error n q) p00 p11 in
  let at_end := (p00 = 1 /\ p11 = d) \/ (q = 1 / 2 /\ p00 = d /\ p11 = 1) in
  let at_corner := p00 = corner epsilon d /\ p11 = corner epsilon d in
  (threshold epsilon d > q -> (least <-> at_end)) /\
  (threshold epsilon d < q -> (least <-> at_corner)) /\
  (threshold epsilon d = q -> (least <-> at_end \/ at_corner)).
Proof.
  intros Hn Hq He Hd least at_end at_corner. pose proof (candidates n q epsilon d Hn Hq He Hd p00 p11) as C.
  destruct (excess_candidates q epsilon d He Hd) as (XA & XB & XC).
  pose proof (compare_candidates q epsilon d He Hd) as X. fold (threshold epsilon d) in X.
  fold (corner epsilon d) in *. fold least in C.
  set (EA := q * (1 - d) / d) in *.
  set (EB := (1 - d) * (exp epsilon + d) / (exp epsilon + 2 * d - 1) ^ 2) in *.
  destruct (Req_EM_T d 1) as [->|N].
  - rewrite delta_one in *. assert (A0 : EA = 0) by (unfold EA; field). assert (B0 : EB = 0) by (unfold EB, Rdiv; ring).
    rewrite A0, B0 in *. assert (M : Rmin 0 0 = 0) by (apply Rmin_left; lra). rewrite M in C.
    assert (T : least <-> p00 = 1 /\ p11 = 1).
    { rewrite C. split; [tauto|]. intros [-> ->]. split; auto. }
    rewrite T. unfold at_end, at_corner. rewrite ?delta_one. repeat split; intros; tauto.
  - assert (D : 0 < d < 1) by lra. destruct (product_sign d (q - threshold epsilon d) D) as [S1 S2].
    assert (Q : 0 <= (1 - 2 * q) * (1 - d) / d /\ (q < 1 / 2 -> 0 < (1 - 2 * q) * (1 - d) / d)).
    { assert (0 < / d) by (apply Rinv_0_lt_compat; lra). unfold Rdiv. split; intros;
      [repeat apply Rmult_le_pos|repeat apply Rmult_lt_0_compat]; lra. }
    assert (K : (1 - 2 * q) * (1 - d) / d = 0 <-> q = 1 / 2).
    { split; intros Z; [destruct Q as [_ Q]; destruct (Rlt_le_dec q (1 / 2)) as [L|L]; [specialize (Q L)|]; lra|].
      rewrite Z. field. lra. }
    split; [|split]; intros L; split.
    + intros M. apply C in M. rewrite Rmin_left in M by lra. destruct M as [V E]. unfold at_end.
      destruct V as [[-> ->]|[[-> ->]|[-> ->]]]; auto.
      * right. rewrite XC in E. split; [apply K; lra|auto].
      * exfalso. rewrite XB in E. lra.
    + intros M. apply C. rewrite Rmin_left by lra. destruct M as [[-> ->]|(Z & -> & ->)]; [auto|].
      rewrite XC. split; [auto|]. rewrite (proj2 K Z). lra.
    + intros M. apply C in M. rewrite Rmin_right in M by lra. destruct M as [V E]. unfold at_corner.
      destruct V as [[-> ->]|[[-> ->]|[-> ->]]]; auto; exfalso; [rewrite XA in E|rewrite XC in E]; lra.
    + intros [-> ->]. apply C. rewrite Rmin_right by lra. auto.
    + intros M. apply C in M. assert (Z : EA = EB) by (rewrite L in X; replace (q - q) with 0 in X by ring; unfold Rdiv in X; lra).
      rewrite Rmin_left in M by lra. destruct M as [V E]. unfold at_end, at_corner.
      destruct V as [[-> ->]|[[-> ->]|[-> ->]]]; auto. left; right. rewrite XC in E. split; [apply K; lra|auto].
    + assert (Z : EA = EB) by (rewrite L in X; replace (q - q) with 0 in X by ring; unfold Rdiv in X; lra).
      intros M. apply C. rewrite Rmin_left by lra. destruct M as [[[-> ->]|(Y & -> & ->)]|[-> ->]].
      * auto.
      * rewrite XC. split; [auto|]. rewrite (proj2 K Y). lra.
      * rewrite XB. auto.
Qed.

Theorem holohan_theorem_3_optimal_epsilon_delta_private_design : forall n prevalence epsilon delta p00 p11,
  (0 < n)%nat -> 0 < prevalence < 1 / 2 -> 0 <= epsilon -> 0 < delta <= 1 ->
  (threshold epsilon delta > prevalence ->
   (minimiser (region epsilon delta) (error n prevalence) p00 p11 <-> p00 = 1 /\ p11 = delta)) /\
  (threshold epsilon delta < prevalence ->
   (minimiser (region epsilon delta) (error n prevalence) p00 p11 <->
    p00 = corner epsilon delta /\ p11 = corner epsilon delta)) /\
  (threshold epsilon delta = prevalence ->
   (minimiser (region epsilon delta) (error n prevalence) p00 p11 <->
    (p00 = 1 /\ p11 = delta) \/ (p00 = corner epsilon delta /\ p11 = corner epsilon delta))).
Proof.
  intros n q epsilon d p00 p11 Hn Hq He Hd.
  destruct (three_cases n q epsilon d p00 p11 Hn ltac:(lra) He Hd) as (A & B & C).
  assert (N : ~ (q = 1 / 2 /\ p00 = d /\ p11 = 1)) by lra.
  split; [|split]; intros L; [rewrite (A L)|exact (B L)|rewrite (C L)]; tauto.
Qed.

Theorem holohan_theorem_3_at_prevalence_one_half_the_mirror_image_ties : forall n epsilon delta p00 p11,
  (0 < n)%nat -> 0 <= epsilon -> 0 < delta <= 1 ->
  (threshold epsilon delta > 1 / 2 ->
   (minimiser (region epsilon delta) (error n (1 / 2)) p00 p11 <->
    (p00 = 1 /\ p11 = delta) \/ (p00 = delta /\ p11 = 1))) /\
  (threshold epsilon delta < 1 / 2 ->
   (minimiser (region epsilon delta) (error n (1 / 2)) p00 p11 <->
    p00 = corner epsilon delta /\ p11 = corner epsilon delta)) /\
  (threshold epsilon delta = 1 / 2 ->
   (minimiser (region epsilon delta) (error n (1 / 2)) p00 p11 <->
    (p00 = 1 /\ p11 = delta) \/ (p00 = delta /\ p11 = 1) \/
    (p00 = corner epsilon delta /\ p11 = corner epsilon delta))).
Proof.
  intros n epsilon d p00 p11 Hn He Hd.
  destruct (three_cases n (1 / 2) epsilon d p00 p11 Hn ltac:(lra) He Hd) as (A & B & C).
  assert (N : 1 / 2 = 1 / 2) by auto.
  split; [|split]; intros L; [rewrite (A L)|exact (B L)|rewrite (C L)]; tauto.
Qed.

Lemma mirror n q epsilon d p00 p11 : (0 < n)%nat -> 0 <= q <= 1 -> 0 <= epsilon -> 0 <= d ->
  minimiser (region epsilon d) (error n q) p00 p11 <-> minimiser (region epsilon d) (error n (1 - q)) p11 p00.
Proof.
  intros Hn Hq He Hd.
  assert (R : forall x y, region epsilon d x y -> region epsilon d y x).
  { intros x y H. apply region_inequalities in H; auto. apply region_inequalities; auto. lra. }
  assert (E : forall r x y, 0 <= r <= 1 -> region epsilon d x y -> error n r x y = error n (1 - r) y x).
  { intros r x y Hr H. apply region_inequalities in H; auto. rewrite !error_excess by (auto; lra).
    f_equal. unfold excess. replace (1 - (1 - y) - (1 - x)) with (1 - (1 - x) - (1 - y)) by ring. f_equal; [ring|f_equal; ring]. }
  assert (G : forall r x y, 0 <= r <= 1 -> minimiser (region epsilon d) (error n r) x y ->
              minimiser (region epsilon d) (error n (1 - r)) y x).
  { intros r x y Hr [H M]. split; [auto|]. intros x' y' H'. rewrite <- E by auto.
    replace (error n (1 - r) x' y') with (error n r y' x') by (apply E; auto). auto. }
  split; intros H; [apply G; auto|]. apply G in H; [|lra]. replace (1 - (1 - q)) with q in H by ring. auto.
Qed.

Theorem holohan_corollary_2_optimal_design_for_prevalence_above_one_half : forall n prevalence epsilon delta p00 p11,
  (0 < n)%nat -> 1 / 2 < prevalence < 1 -> 0 <= epsilon -> 0 < delta <= 1 ->
  (threshold epsilon delta > 1 - prevalence ->
   (minimiser (region epsilon delta) (error n prevalence) p00 p11 <-> p00 = delta /\ p11 = 1)) /\
  (threshold epsilon delta < 1 - prevalence ->
   (minimiser (region epsilon delta) (error n prevalence) p00 p11 <->
    p00 = corner epsilon delta /\ p11 = corner epsilon delta)) /\
  (threshold epsilon delta = 1 - prevalence ->
   (minimiser (region epsilon delta) (error n prevalence) p00 p11 <->
    (p00 = delta /\ p11 = 1) \/ (p00 = corner epsilon delta /\ p11 = corner epsilon delta))).
Proof.
  intros n q epsilon d p00 p11 Hn Hq He Hd.
  destruct (holohan_theorem_3_optimal_epsilon_delta_private_design n (1 - q) epsilon d p11 p00 Hn ltac:(lra) He Hd)
    as (A & B & C).
  rewrite (mirror n q epsilon d p00 p11 Hn ltac:(lra) He ltac:(lra)).
  split; [|split]; intros L; [rewrite (A L)|rewrite (B L)|rewrite (C L)]; tauto.
Qed.

Theorem holohan_eq_24_difference_of_the_two_candidates : forall n prevalence epsilon delta,
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= epsilon -> 0 < delta <= 1 ->
  error n prevalence 1 delta - error n prevalence (corner epsilon delta) (corner epsilon delta) =
  (1 - delta) * (prevalence * (exp epsilon + 2 * delta - 1) ^ 2 - delta * (exp epsilon + delta)) /
    (delta * (exp epsilon + 2 * delta - 1) ^ 2 * INR n).
Proof.
  intros n q epsilon d Hn Hq He Hd. pose proof (corner_region epsilon d He Hd) as RB.
  destruct (end_region epsilon d He Hd) as [RA _].
  apply region_inequalities in RB; [|lra|lra]. apply region_inequalities in RA; [|lra|lra].
  fold (corner epsilon d) in RB. rewrite !error_excess by (auto; lra). pose proof (INR_positive n Hn).
  pose proof (exp_at_least_one epsilon He). unfold excess, corner. field. repeat split; lra.
Qed.

(* Warner's design: among p00 = p11 = p > 1/2. *)
Theorem holohan_theorem_4_optimal_warner_design : forall n prevalence epsilon delta p,
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= epsilon -> 0 <= delta <= 1 -> 0 < epsilon + delta ->
  (region epsilon delta p p /\
   (forall x, region epsilon delta x x -> error n prevalence p p <= error n prevalence x x)) <->
  p = (exp epsilon + delta) / (exp epsilon + 1).
Proof.
  intros n q epsilon d p Hn Hq He Hd Hs. set (g := exp epsilon). set (b := (g + d) / (g + 1)).
  assert (Hg : 1 <= g) by (apply exp_at_least_one; auto).
  assert (Hgd : 1 < g + d).
  { destruct He as [He|<-]; [|unfold g; rewrite exp_0; lra].
    assert (1 < g) by (unfold g; rewrite <- exp_0; apply exp_increasing; auto). lra. }
  assert (Eb : b * (g + 1) = g + d) by (unfold b; field; lra).
  assert (Rg : forall x, region epsilon d x x <-> 1 / 2 < x <= b).
  { intros x. rewrite region_inequalities by lra. fold g. split.
    - intros (A & _ & B & _ & C). split; [lra|]. apply (Rmult_le_reg_r (g + 1)); lra.
    - intros [A B]. apply (Rmult_le_compat_r (g + 1)) in B; [|lra].
      assert (x * (g + 1) <= g + 1) by lra. assert (x <= 1) by (apply (Rmult_le_reg_r (g + 1)); lra). lra. }
  assert (Bb : 1 / 2 < b <= 1).
  { split; [apply (Rmult_lt_reg_r (g + 1))|apply (Rmult_le_reg_r (g + 1))]; lra. }
  assert (X : forall x, 1 / 2 < x <= 1 -> excess q (1 - x) (1 - x) = 1 / (4 * (2 * x - 1) ^ 2) - 1 / 4).
  { intros x H. unfold excess. field. repeat split; lra. }
  assert (Mono : forall x y, 1 / 2 < x -> x < y -> 1 / (4 * (2 * y - 1) ^ 2) < 1 / (4 * (2 * x - 1) ^ 2)).
  { intros x y H L. unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_lt_contravar.
    - repeat apply Rmult_lt_0_compat; try lra.
    - assert ((2 * x - 1) * (2 * x - 1) < (2 * y - 1) * (2 * y - 1)) by (apply Rmult_le_0_lt_compat; lra). lra. }
  split.
  - intros [H M]. assert (Rb : region epsilon d b b) by (apply Rg; lra). specialize (M b Rb). apply Rg in H.
    rewrite error_le in M by (auto; lra). rewrite !X in M by lra.
    destruct H as [H [L|L]]; [|auto]. specialize (Mono p b H L). lra.
  - intros ->. assert (Rb : region epsilon d b b) by (apply Rg; lra). split; auto. intros x H. apply Rg in H.
    rewrite error_le by (auto; lra). rewrite !X by lra. destruct H as [H [L|L]].
    + specialize (Mono x b H L). lra.
    + subst x. lra.
Qed.

Theorem holohan_remark_no_privacy_budget_leaves_nothing_to_estimate : forall p00 p11,
  0 <= p00 <= 1 -> 0 <= p11 <= 1 ->
  (differentially_private 2 2 0 0 (binary p00 p11) <-> p00 + p11 = 1) /\
  (p00 + p11 = 1 <-> forall prevalence other i, (i < 2)%nat ->
     answers 2 (binary p00 p11) (bernoulli prevalence) i = answers 2 (binary p00 p11) (bernoulli other) i).
Proof.
  intros p00 p11 A B. split.
  - rewrite holohan_eq_11_four_inequalities by lra. rewrite exp_0. lra.
  - unfold answers; cbn. split.
    + intros E q r [|[|i]] Hi; cbn; [| |lia]; replace p11 with (1 - p00) by lra; ring.
    + intros H. specialize (H 0 1 0%nat ltac:(lia)). cbn in H. lra.
Qed.
