(* Binary brackets: the optimal designs of two categories and two outputs, and the least worst case and the least regret
   over an interval of shares. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith Psatz.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Criteria Regions Binary.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Over the real numbers. ---- *)
Lemma arg_least {A} (f : A -> R) (l : list A) : l <> [] -> exists a, In a l /\ forall b, In b l -> f a <= f b.
Proof.
  induction l as [|a [|b l] IH]; intros N; [congruence| |].
  - exists a. split; [left; auto|]. intros b [<-|[]]. lra.
  - destruct IH as [c [I L]]; [discriminate|]. destruct (Rle_lt_dec (f a) (f c)).
    + exists a. split; [left; auto|]. intros e [<-|J]; [lra|]. specialize (L e J). lra.
    + exists c. split; [right; auto|]. intros e [<-|J]; [lra|]. auto.
Qed.

(* A region is that of one level, gamma and delta. *)
Definition at_level (G : binary_region) (g d : R) : Prop :=
  forall P, in_region G P <-> mechanism 2 2 P /\ private 2 2 g d P /\ (symmetric G = true -> P 0%nat 0%nat = P 1%nat 1%nat).

Section Level.
Context (G : binary_region) (g d : R) (Region : at_level G g d).
Context (G1 : 1 <= g) (D0 : 0 <= d) (D1 : d <= 1).
Context (cs : list corner) (C : corners_are g d (symmetric G) cs).

Lemma region_point P a : in_region G P -> estimates_share P a ->
  exists r s, inside g d r s /\ (symmetric G = true -> r = s) /\ (forall pi, share_variance P a pi = W r s pi) /\
  (1 < P 0%nat 0%nat + P 1%nat 1%nat -> r = first_of (P 0%nat 0%nat) (P 1%nat 1%nat) /\ s = second_of (P 0%nat 0%nat) (P 1%nat 1%nat)).
Proof.
  intros R U. apply Region in R. destruct R as [M [H Y]].
  destruct (point_of g d P a M H U) as [r [s [I [E [V X]]]]]. exists r, s. auto.
Qed.

Lemma region_corner c x y : In c cs -> (x, y) = corner_at c g d -> in_region G (binary x y) /\ 1 < x + y.
Proof.
  intros I E. assert (X : design_at g d (symmetric G) c x y) by (eapply corner_design; eauto).
  destruct X as [X [Y [T [A [B [S _]]]]]]. split; [|exact T]. apply Region. split; [apply binary_mechanism; auto|]. split; [|exact S].
  apply binary_private; auto.
Qed.

Lemma corner_of_design c x y : In c cs -> (x, y) = corner_at c g d -> first_of x y = corner_r g d c /\ second_of x y = corner_s g d c.
Proof.
  intros I E. assert (X : design_at g d (symmetric G) c x y) by (eapply corner_design; eauto).
  unfold design_at in X. tauto.
Qed.

Lemma binary_variance x y a pi : in_region G (binary x y) -> 1 < x + y -> estimates_share (binary x y) a ->
  share_variance (binary x y) a pi = W (first_of x y) (second_of x y) pi.
Proof. intros [M _] T U. destruct (estimator_variance _ a M U) as [_ V]. apply V. Qed.

Lemma binary_estimator x y : in_region G (binary x y) -> 1 < x + y -> exists a, estimates_share (binary x y) a.
Proof. intros [M _] T. apply estimator_exists; auto. cbn. lra. Qed.

Lemma least_by_corners pi v : 0 <= pi <= 1 -> (forall c, In c cs -> v <= corner_value g d c pi) -> least_variance G pi v.
Proof.
  intros P M Q a R U. destruct (region_point Q a R U) as [r [s [I [Y [V _]]]]]. rewrite V.
  eapply above_corners; eauto.
Qed.

Theorem best_designs pi (best : list corner) : 0 <= pi <= 1 -> cs <> [] -> (forall c, In c best -> In c cs) ->
  (forall c c', In c best -> In c' cs -> corner_value g d c pi <= corner_value g d c' pi) ->
  (forall c, In c cs -> (forall c', In c' cs -> corner_value g d c pi <= corner_value g d c' pi) -> In c best) ->
  forall x y, best_design G pi x y <-> (exists c, In c best /\ (x, y) = corner_at c g d) \/ certain G d pi x y.
Proof.
  intros P N Sub Low All x y. split.
  - intros [T [R [a [U L]]]]. pose proof (binary_variance x y a pi R T U) as V.
    destruct (region_point _ a R U) as [r [s [I [Y [_ X]]]]]. destruct (X T) as [-> ->]. cbn [binary] in *.
    destruct (arg_least (fun c => corner_value g d c pi) cs N) as [c [Ic Lc]].
    destruct (corner_at c g d) as [x' y'] eqn:E. symmetry in E. destruct (region_corner c x' y' Ic E) as [R' T'].
    destruct (binary_estimator x' y' R' T') as [a' U']. specialize (L _ a' R' U'). rewrite V in L.
    rewrite (binary_variance x' y' a' pi R' T' U') in L. destruct (corner_of_design c x' y' Ic E) as [E1 E2].
    rewrite E1, E2 in L. fold (corner_value g d c pi) in L.
    destruct (Rle_lt_dec (corner_value g d c pi) 0) as [Z|Z].
    + right. apply Region in R. destruct R as [[N' S'] [H Y']]. split; [exact Y'|].
      pose proof I as [I1 [I2 _]].
      assert (0 <= first_of x y + pi) by lra. assert (0 <= second_of x y + 1 - pi) by lra.
      assert (Zero : (first_of x y + pi) * (second_of x y + 1 - pi) = 0).
      { apply Rle_antisym; [unfold W in L; lra|]. apply Rmult_le_pos; lra. }
      pose proof (private_rows g d (binary x y)) as Rows.
      assert (Mb : mechanism 2 2 (binary x y)) by (split; auto).
      pose proof (Rows 1%nat 1%nat 0%nat Mb H ltac:(lia) ltac:(lia) ltac:(lia)) as A.
      pose proof (Rows 0%nat 0%nat 1%nat Mb H ltac:(lia) ltac:(lia) ltac:(lia)) as B. cbn [binary] in A, B.
      pose proof (N' 0%nat 0%nat ltac:(lia) ltac:(lia)). pose proof (N' 1%nat 1%nat ltac:(lia) ltac:(lia)).
      pose proof (N' 0%nat 1%nat ltac:(lia) ltac:(lia)). pose proof (N' 1%nat 0%nat ltac:(lia) ltac:(lia)). cbn [binary] in *.
      apply Rmult_integral in Zero. destruct Zero as [Zero|Zero].
      * assert (F : first_of x y = 0) by lra. unfold first_of in F. apply Rmult_integral in F. destruct F as [F|F].
        -- left. assert (x = 1) by lra. subst x. repeat split; auto; lra.
        -- exfalso. apply (Rinv_neq_0_compat (x + y - 1)); lra.
      * assert (F : second_of x y = 0) by lra. unfold second_of in F. apply Rmult_integral in F. destruct F as [F|F].
        -- right. assert (y = 1) by lra. subst y. repeat split; auto; lra.
        -- exfalso. apply (Rinv_neq_0_compat (x + y - 1)); lra.
    + left. assert (O : exists c', In c' cs /\ first_of x y = corner_r g d c' /\ second_of x y = corner_s g d c' /\
          corner_value g d c' pi <= corner_value g d c pi) by (eapply only_corners; eauto).
      destruct O as [c' [Ic' [F [F' L']]]]. exists c'. split.
      * apply All; auto. intros c'' I''. specialize (Lc c'' I''). cbn beta in Lc. lra.
      * destruct (corner_at c' g d) as [x'' y''] eqn:E'. symmetry in E'. destruct (region_corner c' x'' y'' Ic' E') as [_ T''].
        destruct (corner_of_design c' x'' y'' Ic' E') as [E3 E4].
        destruct (point_injective x y x'' y'' T T''); [congruence|congruence|]. subst. reflexivity.
  - intros [[c [Ic E]]|K].
    + pose proof (Sub c Ic) as Jc. destruct (region_corner c x y Jc E) as [R T]. split; [exact T|]. split; [exact R|].
      destruct (binary_estimator x y R T) as [a U]. exists a. split; [exact U|].
      rewrite (binary_variance x y a pi R T U). destruct (corner_of_design c x y Jc E) as [-> ->].
      apply least_by_corners; auto. intros c' I'. apply (Low c c'); auto.
    + destruct K as [Y K].
      assert (R : in_region G (binary x y) /\ 1 < x + y /\ W (first_of x y) (second_of x y) pi = 0).
      { destruct K as [[Pi [X Y']]|[Pi [X Y']]]; subst pi; (subst x || subst y); (split; [|split; [lra|]]).
        - apply Region. split; [apply binary_mechanism; lra|]. split; [|exact Y]. apply binary_private; lra || nra.
        - unfold W, first_of. unfold Rdiv. ring.
        - apply Region. split; [apply binary_mechanism; lra|]. split; [|exact Y]. apply binary_private; lra || nra.
        - unfold W, second_of. unfold Rdiv. ring. }
      destruct R as [R [T Z]]. split; [exact T|]. split; [exact R|]. destruct (binary_estimator x y R T) as [a U]. exists a.
      split; [exact U|]. rewrite (binary_variance x y a pi R T U), Z. apply least_by_corners; auto.
      intros c I. unfold corner_value.
      assert (0 <= corner_r g d c /\ 0 <= corner_s g d c) by (eapply corner_inside; eauto). apply W_nonneg; tauto.
Qed.

(* The worst case over an interval. *)
Definition clamped (r s low high : R) : R := Rmin (Rmax ((s + 1 - r) / 2) low) high.
Definition worst (r s low high : R) : R := W r s (clamped r s low high).
Lemma clamped_within r s low high : low <= high -> low <= clamped r s low high <= high.
Proof. intros L. unfold clamped, Rmin, Rmax. repeat destruct (Rle_dec _ _); lra. Qed.
Lemma worst_ok r s low high pi : low <= pi <= high -> W r s pi <= worst r s low high.
Proof.
  intros P. unfold worst. set (c := clamped r s low high).
  assert (E : W r s c - W r s pi = (c - pi) * (s + 1 - r - pi - c)) by (unfold W; ring).
  assert (0 <= (c - pi) * (s + 1 - r - pi - c)); [|lra].
  set (m := (s + 1 - r) / 2) in *. replace (s + 1 - r - pi - c) with (2 * m - pi - c) by (unfold m; field).
  unfold c, clamped, Rmin, Rmax. fold m. destruct (Rle_dec m low); [destruct (Rle_dec low high)|destruct (Rle_dec m high)].
  - replace ((low - pi) * (2 * m - pi - low)) with ((pi - low) * (pi + low - 2 * m)) by ring. apply Rmult_le_pos; lra.
  - lra.
  - replace (2 * m - pi - m) with (m - pi) by ring. apply Rle_0_sqr.
  - apply Rmult_le_pos; lra.
Qed.
Lemma least_worst low high m P a : 0 <= low <= high -> high <= 1 ->
  (forall c, In c cs -> m <= worst (corner_r g d c) (corner_s g d c) low high) ->
  in_region G P -> estimates_share P a -> exists pi, low <= pi <= high /\ m <= share_variance P a pi.
Proof.
  intros L H M R U. destruct (region_point P a R U) as [r [s [I [Y [V _]]]]].
  assert (X : above_pair g d cs r s) by (eapply hull; eauto).
  destruct X as [c0 [c1 [t [I0 [I1 [T [A [B _]]]]]]]].
  set (p0 := clamped (corner_r g d c0) (corner_s g d c0) low high). set (p1 := clamped (corner_r g d c1) (corner_s g d c1) low high).
  assert (P0 : low <= p0 <= high) by (apply clamped_within; lra). assert (P1 : low <= p1 <= high) by (apply clamped_within; lra).
  exists ((1 - t) * p0 + t * p1). split.
  - assert (0 <= (1 - t) * (p0 - low)) by (apply Rmult_le_pos; lra). assert (0 <= t * (p1 - low)) by (apply Rmult_le_pos; lra).
    assert (0 <= (1 - t) * (high - p0)) by (apply Rmult_le_pos; lra). assert (0 <= t * (high - p1)) by (apply Rmult_le_pos; lra). lra.
  - rewrite V. assert (N0 : 0 <= corner_r g d c0 /\ 0 <= corner_s g d c0) by (eapply corner_inside; eauto).
    assert (N1 : 0 <= corner_r g d c1 /\ 0 <= corner_s g d c1) by (eapply corner_inside; eauto).
    eapply (between_corners g d c0 c1 t r s _ p0 p1 m); auto; try lra; apply M; auto.
Qed.

(* The regret: the line on which the excess at both ends is equal cuts the polyhedron in two. *)
Lemma inside_mix r0 s0 r1 s1 t : inside g d r0 s0 -> inside g d r1 s1 -> 0 <= t <= 1 ->
  inside g d ((1 - t) * r0 + t * r1) ((1 - t) * s0 + t * s1).
Proof.
  intros [A0 [B0 [X0 Y0]]] [A1 [B1 [X1 Y1]]] T.
  assert (F : forall u v w, w <= u -> w <= v -> w <= (1 - t) * u + t * v).
  { intros u v w U V. assert (0 <= (1 - t) * (u - w)) by (apply Rmult_le_pos; lra). assert (0 <= t * (v - w)) by (apply Rmult_le_pos; lra). lra. }
  repeat split.
  - apply F; auto.
  - apply F; auto.
  - pose proof (F _ _ _ X0 X1). lra.
  - pose proof (F _ _ _ Y0 Y1). lra.
Qed.

Section Line.
Context (k er es : R) (E0 : 0 <= er) (E1 : 0 <= es).
Context (Low : forall r s, inside g d r s -> r - s = k -> er <= r /\ es <= s).

Lemma line_segment (sg r0 s0 r1 s1 t pi m : R) : inside g d r0 s0 -> inside g d r1 s1 -> 0 <= t <= 1 -> 0 <= pi <= 1 ->
  m <= W er es pi -> sg * (r0 - s0 - k) < 0 -> m <= W r1 s1 pi ->
  0 <= sg * ((1 - t) * r0 + t * r1 - ((1 - t) * s0 + t * s1) - k) ->
  m <= W ((1 - t) * r0 + t * r1) ((1 - t) * s0 + t * s1) pi.
Proof.
  intros I0 I1 T P ME H0 M1 HY. set (h0 := sg * (r0 - s0 - k)) in *. set (h1 := sg * (r1 - s1 - k)).
  assert (Sg : sg <> 0) by (intros Z; unfold h0 in H0; rewrite Z in H0; lra).
  assert (Y : 0 <= (1 - t) * h0 + t * h1) by (unfold h0, h1; lra).
  destruct (Req_dec t 1) as [->|T1].
  { replace ((1 - 1) * r0 + 1 * r1) with r1 by ring. replace ((1 - 1) * s0 + 1 * s1) with s1 by ring. exact M1. }
  assert (H1 : 0 < h1) by nra.
  set (tw := - h0 / (h1 - h0)). assert (TW : 0 <= tw <= 1) by (split; [apply quotient_nonneg; lra|apply quotient_le; lra]).
  set (q := ((1 - t) * h0 + t * h1) / h1). assert (Q : 0 <= q <= 1) by (split; [apply quotient_nonneg; lra|apply quotient_le; nra]).
  pose proof (inside_mix r0 s0 r1 s1 tw I0 I1 TW) as IW.
  set (wr := (1 - tw) * r0 + tw * r1) in *. set (ws := (1 - tw) * s0 + tw * s1) in *.
  assert (LW : wr - ws = k).
  { apply (Rmult_eq_reg_l sg); auto. assert (sg * (wr - ws) - sg * k = (1 - tw) * h0 + tw * h1) by (unfold wr, ws, h0, h1; ring).
    assert ((1 - tw) * h0 + tw * h1 = 0) by (unfold tw; field; lra). lra. }
  destruct (Low wr ws IW LW) as [L1 L2].
  assert (X : (1 - q) * (1 - tw) = 1 - t) by (unfold q, tw; field; lra).
  replace ((1 - t) * r0 + t * r1) with ((1 - q) * wr + q * r1)
    by (unfold wr; replace t with (1 - (1 - q) * (1 - tw)) by lra; ring).
  replace ((1 - t) * s0 + t * s1) with ((1 - q) * ws + q * s1)
    by (unfold ws; replace t with (1 - (1 - q) * (1 - tw)) by lra; ring).
  destruct I1 as [N1 [N2 _]]. unfold W.
  replace ((1 - q) * wr + q * r1 + pi) with ((1 - q) * (wr + pi) + q * (r1 + pi)) by ring.
  replace ((1 - q) * ws + q * s1 + 1 - pi) with ((1 - q) * (ws + 1 - pi) + q * (s1 + 1 - pi)) by ring.
  apply mix; try lra; [|exact M1]. apply Rle_trans with (W er es pi); [exact ME|]. apply (W_monotone er es wr ws pi); lra.
Qed.

Lemma line_side (sg r0 s0 r1 s1 t r s pi m : R) : inside g d r0 s0 -> inside g d r1 s1 -> inside g d r s -> 0 <= t <= 1 -> 0 <= pi <= 1 ->
  (1 - t) * r0 + t * r1 <= r -> (1 - t) * s0 + t * s1 <= s -> 0 <= sg * (r - s - k) -> m <= W er es pi ->
  (0 <= sg * (r0 - s0 - k) -> m <= W r0 s0 pi) -> (0 <= sg * (r1 - s1 - k) -> m <= W r1 s1 pi) -> m <= W r s pi.
Proof.
  intros I0 I1 I T P A B H ME M0 M1.
  pose proof (inside_mix r0 s0 r1 s1 t I0 I1 T) as IY.
  set (yr := (1 - t) * r0 + t * r1) in *. set (ys := (1 - t) * s0 + t * s1) in *.
  pose proof IY as [Y0 [Y1 _]].
  destruct (Rlt_le_dec (sg * (yr - ys - k)) 0) as [HY|HY].
  - set (h := sg * (r - s - k)) in *. set (hy := sg * (yr - ys - k)) in *.
    assert (Sg : sg <> 0) by (intros Z; unfold hy in HY; rewrite Z in HY; lra).
    set (tw := - hy / (h - hy)). assert (TW : 0 <= tw <= 1) by (split; [apply quotient_nonneg; lra|apply quotient_le; lra]).
    pose proof (inside_mix yr ys r s tw IY I TW) as IW.
    assert (LW : (1 - tw) * yr + tw * r - ((1 - tw) * ys + tw * s) = k).
    { apply (Rmult_eq_reg_l sg); auto.
      assert (sg * ((1 - tw) * yr + tw * r - ((1 - tw) * ys + tw * s)) - sg * k = (1 - tw) * hy + tw * h) by (unfold h, hy; ring).
      assert ((1 - tw) * hy + tw * h = 0) by (unfold tw; field; lra). lra. }
    destruct (Low _ _ IW LW) as [L1 L2].
    assert (0 <= (1 - tw) * (r - yr)) by (apply Rmult_le_pos; lra). assert (0 <= (1 - tw) * (s - ys)) by (apply Rmult_le_pos; lra).
    apply Rle_trans with (W er es pi); [exact ME|]. apply W_monotone; lra.
  - apply Rle_trans with (W yr ys pi); [|apply W_monotone; lra].
    destruct (Rlt_le_dec (sg * (r0 - s0 - k)) 0) as [H0|H0]; [destruct (Rlt_le_dec (sg * (r1 - s1 - k)) 0) as [H1|H1]|].
    + exfalso. assert (sg * (yr - ys - k) = (1 - t) * (sg * (r0 - s0 - k)) + t * (sg * (r1 - s1 - k))) by (unfold yr, ys; ring).
      assert (0 <= t * - (sg * (r1 - s1 - k))) by (apply Rmult_le_pos; lra).
      assert (0 <= (1 - t) * - (sg * (r0 - s0 - k))) by (apply Rmult_le_pos; lra).
      destruct (Rlt_le_dec t 1).
      * assert (0 < (1 - t) * - (sg * (r0 - s0 - k))) by (apply Rmult_lt_0_compat; lra). lra.
      * assert (t = 1) as T1 by lra. rewrite T1 in *. lra.
    + unfold yr, ys. eapply (line_segment sg); eauto.
    + destruct (Rlt_le_dec (sg * (r1 - s1 - k)) 0) as [H1|H1].
      * replace yr with ((1 - (1 - t)) * r1 + (1 - t) * r0) in * by (unfold yr; ring).
        replace ys with ((1 - (1 - t)) * s1 + (1 - t) * s0) in * by (unfold ys; ring).
        eapply (line_segment sg); eauto; lra.
      * unfold yr, ys, W. destruct I0 as [? [? _]]. destruct I1 as [? [? _]].
        replace ((1 - t) * r0 + t * r1 + pi) with ((1 - t) * (r0 + pi) + t * (r1 + pi)) by ring.
        replace ((1 - t) * s0 + t * s1 + 1 - pi) with ((1 - t) * (s0 + 1 - pi) + t * (s1 + 1 - pi)) by ring.
        apply mix; try lra; [apply (M0 H0)|apply (M1 H1)].
Qed.
End Line.

Definition excess_of (r s low high a b : R) : R := Rmax (W r s low - a) (W r s high - b).
Lemma excess_monotone r s r' s' low high a b : 0 <= r <= r' -> 0 <= s <= s' -> 0 <= low <= high -> high <= 1 ->
  excess_of r s low high a b <= excess_of r' s' low high a b.
Proof.
  intros R S L H. unfold excess_of. pose proof (W_monotone r s r' s' low R S ltac:(lra)). pose proof (W_monotone r s r' s' high R S ltac:(lra)).
  unfold Rmax. repeat destruct (Rle_dec _ _); lra.
Qed.

Lemma corner_is_inside c : In c cs -> inside g d (corner_r g d c) (corner_s g d c).
Proof.
  intros I. destruct (corner_at c g d) as [x y] eqn:E. symmetry in E.
  assert (X : design_at g d (symmetric G) c x y) by (eapply corner_design; eauto).
  destruct X as [X [Y [T [A [B [_ [<- <-]]]]]]]. apply inside_of; auto.
Qed.

Lemma max_first x y m : m <= Rmax x y -> y <= x -> m <= x.
Proof. unfold Rmax. destruct (Rle_dec x y); lra. Qed.
Lemma max_second x y m : m <= Rmax x y -> x <= y -> m <= y.
Proof. unfold Rmax. destruct (Rle_dec x y); lra. Qed.

Lemma excess_bound low high a b m k er es r s : 0 <= low <= high -> high <= 1 -> inside g d r s -> (symmetric G = true -> r = s) ->
  (forall c, In c cs -> m <= excess_of (corner_r g d c) (corner_s g d c) low high a b) ->
  (low < high -> symmetric G = false ->
     (high - low) * k = (a - low * (1 - low)) - (b - high * (1 - high)) /\ er - es = k /\ 0 <= er /\ 0 <= es /\
     (forall r s, inside g d r s -> r - s = k -> er <= r /\ es <= s) /\ m <= excess_of er es low high a b) ->
  m <= excess_of r s low high a b.
Proof.
  intros L H I Y M Entry.
  assert (X : above_pair g d cs r s) by (eapply hull; eauto).
  destruct X as [c0 [c1 [t [I0 [I1 [T [A [B N]]]]]]]].
  pose proof (corner_is_inside c0 I0) as J0. pose proof (corner_is_inside c1 I1) as J1.
  pose proof J0 as [R0 [S0 _]]. pose proof J1 as [R1 [S1 _]].
  destruct (Rle_lt_dec high low) as [LH|LH].
  - assert (high = low) by lra. subst high. set (v := Rmin a b).
    assert (V : forall r s, excess_of r s low low a b = W r s low - v).
    { intros. unfold excess_of, v, Rmax, Rmin. repeat destruct (Rle_dec _ _); lra. }
    rewrite V. assert (m + v <= W r s low); [|lra].
    eapply (between_corners g d c0 c1 t r s low low low); auto; try lra; unfold corner_value.
    + pose proof (M c0 I0) as M0. rewrite V in M0. lra.
    + pose proof (M c1 I1) as M1. rewrite V in M1. lra.
  - destruct (symmetric G) eqn:Sym.
    + assert (cs = [Balanced]) as -> by (destruct C as [[E _]|[[E _]|[E _]]]; auto; congruence).
      destruct I0 as [<-|[]]. destruct I1 as [<-|[]]. apply Rle_trans with (1 := M Balanced (or_introl eq_refl)).
      apply excess_monotone; auto; split; auto; cbn [corner_r corner_s] in *; lra.
    + destruct (Entry LH eq_refl) as [K [Ek [E0 [E1 [Low ME]]]]].
      assert (D : forall r s, (W r s low - a) - (W r s high - b) = (high - low) * (r - s - k)).
      { intros r' s'. replace ((high - low) * (r' - s' - k)) with ((high - low) * (r' - s') - (high - low) * k) by ring.
        rewrite K. unfold W. ring. }
      assert (ME' : m <= W er es low - a /\ m <= W er es high - b).
      { pose proof (D er es) as DE. rewrite Ek in DE. replace (k - k) with 0 in DE by ring.
        split; [eapply max_first; [exact ME|lra]|eapply max_second; [exact ME|lra]]. }
      destruct (Rle_lt_dec 0 (r - s - k)) as [Side|Side].
      * apply Rle_trans with (W r s low - a); [|apply Rmax_l].
        assert (m + a <= W r s low); [|lra].
        eapply (line_side k er es E0 E1 Low 1 _ _ _ _ t r s low (m + a) J0 J1 I); auto; try lra;
          intros Hc; [pose proof (M c0 I0) as Mc|pose proof (M c1 I1) as Mc];
          match goal with |- _ <= W ?u ?v _ => pose proof (D u v); assert (0 <= (high - low) * (u - v - k)) by (apply Rmult_le_pos; lra) end;
          pose proof (max_first _ _ _ Mc ltac:(lra)); lra.
      * apply Rle_trans with (W r s high - b); [|apply Rmax_r].
        assert (m + b <= W r s high); [|lra].
        eapply (line_side k er es E0 E1 Low (-1) _ _ _ _ t r s high (m + b) J0 J1 I); auto; try lra;
          intros Hc; [pose proof (M c0 I0) as Mc|pose proof (M c1 I1) as Mc];
          match goal with |- _ <= W ?u ?v _ => pose proof (D u v); assert (0 <= (high - low) * (- (u - v - k))) by (apply Rmult_le_pos; lra) end;
          pose proof (max_second _ _ _ Mc ltac:(lra)); lra.
Qed.
End Level.

(* ---- Checks over the rationals. ---- *)
Definition qdiv (a b : Q) : Q := Qred (Qdiv a b).
Lemma qdiv_R a b : Q2R b <> 0 -> Q2R (qdiv a b) = Q2R a / Q2R b.
Proof.
  intros N. unfold qdiv. rewrite Q2R_red, Q2R_div; auto. intros Z. apply N. apply Qeq_eqR in Z. rewrite Z. apply zero_R.
Qed.
Definition qmin (a b : Q) : Q := if Qle_bool a b then a else b.
Lemma qmin_R a b : Q2R (qmin a b) = Rmin (Q2R a) (Q2R b).
Proof.
  unfold qmin, Rmin. destruct (Qle_bool a b) eqn:E; [apply qle_R in E|apply qle_false in E]; destruct (Rle_dec _ _); lra.
Qed.
Fixpoint qleast (l : list Q) : Q := match l with [] => 0%Q | [x] => x | x :: t => qmin x (qleast t) end.
Lemma qleast_le l : forall x, In x l -> Q2R (qleast l) <= Q2R x.
Proof.
  induction l as [|a [|b l] IH]; intros x I; [destruct I|destruct I as [<-|[]]; cbn; lra|].
  change (qleast (a :: b :: l)) with (qmin a (qleast (b :: l))). rewrite qmin_R. destruct I as [<-|I]; [apply Rmin_l|].
  apply Rle_trans with (1 := Rmin_r _ _). auto.
Qed.

Definition design := (Q * Q)%type.
Definition same_design (a b : design) : bool := (Qeq_bool (fst a) (fst b) && Qeq_bool (snd a) (snd b))%bool.
Definition excess_chance (v : design) : Q := qsub (qadd (fst v) (snd v)) 1.
Definition point (v : design) : Q * Q := (qdiv (qsub 1 (fst v)) (excess_chance v), qdiv (qsub 1 (snd v)) (excess_chance v)).
Definition qW (z : Q * Q) (pi : Q) : Q := qmul (qadd (fst z) pi) (qsub (qadd (snd z) 1) pi).
Lemma qW_R z pi : Q2R (qW z pi) = W (Q2R (fst z)) (Q2R (snd z)) (Q2R pi).
Proof. unfold qW, W. rewrite qmul_R, qadd_R, qsub_R, qadd_R, one_R. reflexivity. Qed.
Lemma point_R v : 1 < Q2R (fst v) + Q2R (snd v) -> Q2R (fst (point v)) = first_of (Q2R (fst v)) (Q2R (snd v)) /\
  Q2R (snd (point v)) = second_of (Q2R (fst v)) (Q2R (snd v)).
Proof.
  intros T. assert (E : Q2R (excess_chance v) = Q2R (fst v) + Q2R (snd v) - 1) by (unfold excess_chance; rewrite qsub_R, qadd_R, one_R; auto).
  unfold point, first_of, second_of. cbn [fst snd]. rewrite !qdiv_R, !qsub_R, one_R, E by (rewrite E; lra). auto.
Qed.

Definition qcorner (c : corner) (g d : Q) : design :=
  match c with
  | Balanced => let m := qdiv (qadd g d) (qadd g 1) in (m, m)
  | FirstCertain => (1%Q, d)
  | SecondCertain => (d, 1%Q)
  end.
Lemma qcorner_R c g d : 1 <= Q2R g -> (Q2R (fst (qcorner c g d)), Q2R (snd (qcorner c g d))) = corner_at c (Q2R g) (Q2R d).
Proof.
  intros G. destruct c; cbn [qcorner corner_at fst snd]; rewrite ?one_R; auto.
  rewrite !qdiv_R, !qadd_R, one_R by (rewrite qadd_R, one_R; lra). reflexivity.
Qed.

(* All corners, in ascending order of (p00, p11). *)
Definition corner_list (sym : bool) (g d : Q) : list corner :=
  if (sym || Qeq_bool d 0 || Qeq_bool d 1)%bool then (if qlt 0 (qadd (qsub g 1) (qmul 2 d)) then [Balanced] else [])
  else if qlt 1 g then [SecondCertain; Balanced; FirstCertain] else [SecondCertain; FirstCertain].
Lemma corner_list_ok sym g d : 1 <= Q2R g -> 0 <= Q2R d <= 1 -> corner_list sym g d <> [] ->
  corners_are (Q2R g) (Q2R d) sym (corner_list sym g d).
Proof.
  intros G D. unfold corner_list, corners_are. destruct (sym || Qeq_bool d 0 || Qeq_bool d 1)%bool eqn:E.
  - destruct (qlt 0 (qadd (qsub g 1) (qmul 2 d))) eqn:L; [|congruence]. intros _. left.
    apply qlt_R in L. rewrite qadd_R, qsub_R, qmul_R, zero_R, one_R, two_R in L. split; [auto|]. split; [exact L|].
    apply orb_prop in E. destruct E as [E|E]; [apply orb_prop in E; destruct E as [E|E]|]; auto; apply qeq_R in E;
      rewrite ?zero_R, ?one_R in E; auto.
  - apply orb_false_elim in E. destruct E as [E E1]. apply orb_false_elim in E. destruct E as [Es E0]. intros _. right.
    assert (Q2R d <> 0) by (intros Z; rewrite <- zero_R in Z; apply eqR_Qeq in Z; apply Qeq_bool_iff in Z; congruence).
    assert (Q2R d <> 1) by (intros Z; rewrite <- one_R in Z; apply eqR_Qeq in Z; apply Qeq_bool_iff in Z; congruence).
    destruct (qlt 1 g) eqn:L.
    + apply qlt_R in L. rewrite one_R in L. left. repeat split; auto; lra.
    + right. assert (Q2R g <= 1) by (unfold qlt in L; destruct (Qle_bool g 1) eqn:K; [apply qle_R in K; rewrite one_R in K; auto|discriminate]).
      repeat split; auto; lra.
Qed.
Definition corner_value_of (g d pi : Q) (c : corner) : Q := qW (point (qcorner c g d)) pi.

Lemma corner_point_R sym g d cs c : 1 <= Q2R g -> 0 <= Q2R d <= 1 -> corners_are (Q2R g) (Q2R d) sym cs -> In c cs ->
  Q2R (fst (point (qcorner c g d))) = corner_r (Q2R g) (Q2R d) c /\ Q2R (snd (point (qcorner c g d))) = corner_s (Q2R g) (Q2R d) c.
Proof.
  intros G D C I. pose proof (qcorner_R c g d G) as E. set (x := Q2R (fst (qcorner c g d))) in *. set (y := Q2R (snd (qcorner c g d))) in *.
  assert (X : design_at (Q2R g) (Q2R d) sym c x y) by (eapply corner_design; eauto; lra).
  destruct X as [_ [_ [T [_ [_ [_ [F S]]]]]]]. destruct (point_R (qcorner c g d) T) as [-> ->]. auto.
Qed.
Lemma corner_value_R sym g d cs c pi : 1 <= Q2R g -> 0 <= Q2R d <= 1 -> corners_are (Q2R g) (Q2R d) sym cs -> In c cs ->
  Q2R (corner_value_of g d pi c) = corner_value (Q2R g) (Q2R d) c (Q2R pi).
Proof.
  intros G D C I. unfold corner_value_of, corner_value. rewrite qW_R.
  destruct (corner_point_R sym g d cs c G D C I) as [-> ->]. reflexivity.
Qed.

(* The level and the mechanism. *)
Definition check_binary_ends (G : binary_region) (e : ends) : bool :=
  (check_ends (binary_condition G) e && match pairs_of (binary_condition G) with AllPairs => true | SomePairs _ => false end)%bool.
Lemma check_binary_ends_ok G e : check_binary_ends G e = true -> exists g d, level_is (binary_condition G) g d /\ at_level G g d /\
  1 <= Q2R (gamma_below e) <= g /\ g <= Q2R (gamma_above e) /\ 0 <= Q2R (delta_below e) <= d /\ d <= Q2R (delta_above e) <= 1 /\
  (Q2R (delta_below e) = 0 -> Q2R (delta_above e) = 0).
Proof.
  unfold check_binary_ends, at_level, in_region. intros H. apply both in H as [H A].
  destruct (binary_condition G) as [l t s|up down]; cbn [check_ends pairs_of level_is satisfies] in *; destruct (infimum_of e) as [i|]; try discriminate.
  - destruct s; [|discriminate]. apply both in H as [L S]. apply check_level_ok in L. pose proof (check_slack_ok _ _ _ S) as S'.
    exists (exp (epsilon_of l)), (delta_of t). split; [auto|]. split.
    { intros P. split; intros [M [C Y]]; (split; [exact M|split; [|exact Y]]).
      - intros E j h Hj Hh. exact (C j h Hj Hh I E).
      - intros j h Hj Hh _ E. exact (C E j h Hj Hh). }
    repeat split; try lra. destruct t; cbn [check_slack] in S.
    + apply both in S as [[_ B]%both C]. apply qeq_R in B, C. lra.
    + apply both in S as [[[[_ B]%both _]%both _]%both _]. apply qlt_R in B. rewrite zero_R in B. lra.
  - apply both in H as [[H D]%both D']. apply qeq_R in D, D'. rewrite zero_R in D, D'.
    destruct (criterion_level _ _ _ _ _ H) as [b [B C]]. pose proof (criterion_bounds _ _ _ _ _ H) as CB.
    assert (C' : forall k m P, mechanism k m P -> (posteriors_within k m up down P <-> private k m b 0 P)).
    { intros k m P M. rewrite (C k m P M). split; [intros X E j h Hj Hh; exact (X j h Hj Hh E)|intros X j h Hj Hh E; exact (X E j h Hj Hh)]. }
    exists b, 0. split; [split; [lra|auto]|]. split; [intros P; split; intros [M [X Y]]; (split; [exact M|split; [apply C'; auto|exact Y]])|].
    rewrite D, D'. repeat split; lra.
Qed.

Definition design_of (a : list (list Q)) : design := (entry a 0 0, entry a 1 1).
Definition check_in_region (sym : bool) (g d : Q) (a : list (list Q)) : bool :=
  (is_mechanism 2 2 a && check_meets 2 (map (column a) (seq 0 2)) (g, d, AllPairs)
   && (negb sym || Qeq_bool (entry a 0 0) (entry a 1 1)))%bool.
Lemma check_in_region_ok G e g d a : at_level G g d -> Q2R (gamma_below e) <= g -> Q2R (delta_below e) <= d ->
  check_in_region (symmetric G) (gamma_below e) (delta_below e) a = true -> in_region G (mat a).
Proof.
  intros L Lg Ld H. unfold check_in_region in H. apply both in H as [[M H]%both S].
  pose proof (is_mechanism_ok _ _ _ M) as M'. apply check_meets_ok in H. unfold is_mechanism in M. apply both in M as [[M _]%both _].
  rewrite (shaped_rows _ _ _ M) in H. apply L. split; [exact M'|]. split.
  - intros E' j l Hj Hl. specialize (H j l Hj Hl I).
    apply (private_pair_weaker 2 2 (mat a) _ _ g d j l M' Hl) in H; try lra. apply H.
  - intros Y. rewrite Y in S. cbn [negb orb] in S. apply qeq_R in S. rewrite !entry_R in S. exact S.
Qed.

Lemma matrix_estimator G a : in_region G (mat a) -> qlt 1 (qadd (fst (design_of a)) (snd (design_of a))) = true ->
  exists e, estimates_share (mat a) e /\
  forall pi, share_variance (mat a) e pi = W (Q2R (fst (point (design_of a)))) (Q2R (snd (point (design_of a)))) pi.
Proof.
  intros [M _] T. apply qlt_R in T. rewrite one_R, qadd_R in T. cbn [design_of fst snd] in T.
  destruct (point_R (design_of a) T) as [-> ->]. cbn [design_of fst snd]. rewrite !entry_R in *.
  destruct (estimator_exists (mat a) M) as [e U]; [lra|]. exists e. split; [exact U|].
  apply (estimator_variance (mat a) e M U).
Qed.

(* The region, its corners at both ends of the level, and the mechanism, for shares from low to high. *)
Definition check_interval (G : binary_region) (e : ends) (low high : Q) (a : list (list Q)) : bool :=
  (check_binary_ends G e && Qle_bool 0 low && Qle_bool low high && Qle_bool high 1
   && negb (match corner_list (symmetric G) (gamma_below e) (delta_below e) with [] => true | _ => false end)
   && negb (match corner_list (symmetric G) (gamma_above e) (delta_above e) with [] => true | _ => false end)
   && check_in_region (symmetric G) (gamma_below e) (delta_below e) a
   && qlt 1 (qadd (fst (design_of a)) (snd (design_of a))))%bool.

Lemma check_interval_ok G e low high a : check_interval G e low high a = true ->
  exists g d, level_is (binary_condition G) g d /\ at_level G g d /\
  let ga := Q2R (gamma_above e) in let da := Q2R (delta_above e) in
  let gb := Q2R (gamma_below e) in let db := Q2R (delta_below e) in
  0 <= Q2R low <= Q2R high /\ Q2R high <= 1 /\ in_region G (mat a) /\
  (1 <= gb <= g /\ g <= ga) /\ (0 <= db <= d /\ d <= da <= 1) /\ (db = 0 -> da = 0) /\
  corners_are gb db (symmetric G) (corner_list (symmetric G) (gamma_below e) (delta_below e)) /\
  corners_are ga da (symmetric G) (corner_list (symmetric G) (gamma_above e) (delta_above e)) /\
  exists es, estimates_share (mat a) es /\
  forall pi, share_variance (mat a) es pi = W (Q2R (fst (point (design_of a)))) (Q2R (snd (point (design_of a)))) pi.
Proof.
  unfold check_interval. intros H. apply both in H as [[[[[[[E L]%both LH]%both H]%both N0]%both N1]%both R]%both T].
  destruct (check_binary_ends_ok G e E) as [g [d [Level [At [B1 [B2 [B3 [B4 B5]]]]]]]]. exists g, d. split; [exact Level|]. split; [exact At|]. cbv zeta.
  apply qle_R in L, LH, H. rewrite zero_R in L. rewrite one_R in H. apply (check_in_region_ok G e g d) in R; auto; try lra.
  split; [lra|]. split; [lra|]. split; [exact R|]. split; [lra|]. split; [lra|]. split; [exact B5|].
  split; [|split].
  - apply corner_list_ok; try lra. intros Z. rewrite Z in N0. discriminate.
  - apply corner_list_ok; try lra. intros Z. rewrite Z in N1. discriminate.
  - apply (matrix_estimator G); auto.
Qed.

(* All optimal designs. *)
Definition same_corner (a b : corner) : bool :=
  match a, b with Balanced, Balanced | FirstCertain, FirstCertain | SecondCertain, SecondCertain => true | _, _ => false end.
Fixpoint all_pairs {A B} (f : A -> B -> bool) (a : list A) (b : list B) : bool :=
  match a, b with [], [] => true | x :: s, y :: t => (f x y && all_pairs f s t)%bool | _, _ => false end.
Lemma all_pairs_ok {A B} (f : A -> B -> bool) a : forall b, all_pairs f a b = true -> Forall2 (fun x y => f x y = true) a b.
Proof. induction a as [|x a IH]; intros [|y b] H; cbn [all_pairs] in H; try discriminate; constructor; apply both in H as [H K]; auto. Qed.
Lemma same_corners a : forall b, all_pairs same_corner a b = true -> a = b.
Proof.
  induction a as [|x a IH]; intros [|y b] H; cbn [all_pairs] in H; try discriminate; auto. apply both in H as [E H].
  rewrite (IH b H). destruct x, y; try discriminate; auto.
Qed.
Definition is_mirrored (pi : Q) (cs : list corner) : bool :=
  match cs with [SecondCertain; FirstCertain] => Qeq_bool pi (Qmake 1 2) | _ => false end.
Definition segment_of (sym : bool) (pi delta : Q) : option (design * design) :=
  if (sym || Qeq_bool delta 0)%bool then None
  else if Qeq_bool pi 0 then Some ((1, 0), (1, delta))%Q
  else if Qeq_bool pi 1 then Some ((0, 1), (delta, 1))%Q else None.
Definition same_segment (a b : option (design * design)) : bool :=
  match a, b with
  | None, None => true
  | Some (a, b), Some (c, d) => (same_design a c && same_design b d)%bool
  | _, _ => false
  end.

Definition best_corners (sym : bool) (e : ends) (pi : Q) : list corner :=
  let cs := corner_list sym (gamma_below e) (delta_below e) in
  let below := map (corner_value_of (gamma_below e) (delta_below e) pi) cs in
  filter (fun c => forallb (Qle_bool (corner_value_of (gamma_above e) (delta_above e) pi c)) below) cs.

Definition check_best (G : binary_region) (e : ends) (pi lower upper : Q) (a : list (list Q)) (listed : list (list (list Q)))
    (segment : option (design * design)) : bool :=
  let sym := symmetric G in
  let gb := gamma_below e in let ga := gamma_above e in let db := delta_below e in let da := delta_above e in
  let cs := corner_list sym gb db in
  let above := corner_value_of ga da pi in let below := corner_value_of gb db pi in
  let best := best_corners sym e pi in
  (check_interval G e pi pi a && all_pairs same_corner cs (corner_list sym ga da)
   && Qle_bool lower (qleast (map above cs))
   && all_pairs (fun A c => is_mechanism 2 2 A && same_design (design_of A) (qcorner c gb db)) listed best
   && match best with
      | [_] => true
      | _ => forallb (fun c => Qeq_bool (below c) (above c)) best || is_mirrored pi best
      end
   && Qle_bool (qW (point (design_of a)) pi) upper && same_segment segment (segment_of sym pi db))%bool.

Lemma same_design_R a b : same_design a b = true -> Q2R (fst a) = Q2R (fst b) /\ Q2R (snd a) = Q2R (snd b).
Proof. unfold same_design. intros H. apply both in H as [A B]. apply qeq_R in A, B. auto. Qed.

Theorem check_best_ok G e pi lower upper a listed segment :
  check_best G e pi lower upper a listed segment = true ->
  true_claim (BestDesigns G pi lower upper a (best_corners (symmetric G) e pi) (gamma_below e) (delta_below e) listed).
Proof.
  unfold check_best. intros H.
  apply both in H as [[[[[[I Same]%both Lower]%both Listed]%both Tie]%both Upper]%both _]. apply check_interval_ok in I. cbv zeta in I.
  destruct I as [g [d [Level [At [[P0 _] [P1 [R [[B1 B2] [[B3 B4] [B5 [C0 [C1 [es [U V]]]]]]]]]]]]]].
  apply same_corners in Same. rewrite <- Same in C1. set (cs := corner_list (symmetric G) (gamma_below e) (delta_below e)) in *.
  set (best := best_corners (symmetric G) e pi) in *.
  assert (Ne : cs <> []) by (destruct C0 as [[-> _]|[[_ [_ [_ ->]]]|[_ [_ [_ ->]]]]]; discriminate).
  assert (C : corners_are g d (symmetric G) cs) by (eapply (corners_between _ _ g d); [..|exact C0|exact C1]; lra || auto).
  assert (V0 : forall c, In c cs -> Q2R (corner_value_of (gamma_below e) (delta_below e) pi c) = corner_value (Q2R (gamma_below e)) (Q2R (delta_below e)) c (Q2R pi))
    by (intros c I; eapply corner_value_R; eauto; lra).
  assert (V1 : forall c, In c cs -> Q2R (corner_value_of (gamma_above e) (delta_above e) pi c) = corner_value (Q2R (gamma_above e)) (Q2R (delta_above e)) c (Q2R pi))
    by (intros c I; eapply corner_value_R; eauto; lra).
  set (v0 := fun c => corner_value (Q2R (gamma_below e)) (Q2R (delta_below e)) c (Q2R pi)) in *.
  set (v1 := fun c => corner_value (Q2R (gamma_above e)) (Q2R (delta_above e)) c (Q2R pi)) in *.
  set (v := fun c => corner_value g d c (Q2R pi)).
  assert (F0 : forall c, In c cs -> v c <= v0 c) by (intros c I; unfold v, v0; eapply (corner_falls (symmetric G) cs); eauto; lra).
  assert (F1 : forall c, In c cs -> v1 c <= v c) by (intros c I; unfold v, v1; eapply (corner_falls (symmetric G) cs); eauto; lra).
  assert (In_best : forall c, In c best <-> In c cs /\ forall c', In c' cs -> v1 c <= v0 c').
  { intros c. unfold best, best_corners. fold cs. rewrite filter_In. split; intros [I L]; (split; [exact I|]).
    - intros c' I'. rewrite forallb_forall in L. specialize (L (corner_value_of (gamma_below e) (delta_below e) pi c') (in_map _ _ _ I')).
      apply qle_R in L. rewrite V0, V1 in L by auto. exact L.
    - apply forallb_forall. intros q Hq. apply in_map_iff in Hq. destruct Hq as [c' [<- I']]. apply Qle_bool_iff, Rle_Qle.
      rewrite V0, V1 by auto. apply L; auto. }
  assert (All : forall c, In c cs -> (forall c', In c' cs -> v c <= v c') -> In c best).
  { intros c I L. apply In_best. split; [exact I|]. intros c' I'. specialize (L c' I'). specialize (F1 c I). specialize (F0 c' I'). lra. }
  destruct (arg_least v cs Ne) as [c0 [I0 L0]]. pose proof (All c0 I0 L0) as J0.
  assert (Low : forall c c', In c best -> In c' cs -> v c <= v c').
  { intros c c' I I'. apply Rle_trans with (v c0); [|apply L0; auto].
    assert (K : (exists b, best = [b]) \/ forallb (fun c => Qeq_bool (corner_value_of (gamma_below e) (delta_below e) pi c) (corner_value_of (gamma_above e) (delta_above e) pi c)) best = true \/ is_mirrored pi best = true).
    { destruct best as [|b [|b' t]]; [destruct I|left; eauto|right; apply orb_prop; exact Tie]. }
    destruct K as [[b Eb]|[K|K]].
    - rewrite Eb in I, J0. destruct I as [<-|[]]. destruct J0 as [<-|[]]. lra.
    - rewrite forallb_forall in K. pose proof (K c I) as Kc. pose proof (K c0 J0) as K0. apply qeq_R in Kc, K0.
      apply In_best in I. destruct I as [I Ic]. specialize (Ic c0 I0). rewrite V0, V1 in Kc, K0 by auto.
      pose proof (F0 c I). pose proof (F1 c I). pose proof (F0 c0 I0). pose proof (F1 c0 I0). fold (v0 c) (v1 c) in Kc. fold (v0 c0) (v1 c0) in K0. lra.
    - unfold is_mirrored in K. destruct best as [|[] [|[] [|]]]; try discriminate. apply qeq_R in K.
      assert (Half : Q2R pi = / 2) by (rewrite K; unfold Q2R; cbn; lra).
      assert (M : v SecondCertain = v FirstCertain) by (unfold v, corner_value, W; cbn [corner_r corner_s]; rewrite Half; field; destruct C as [[X _]|[[_ [X _]]|[_ [X _]]]]; try lra; exfalso; apply In_best in J0; destruct (proj1 (In_best SecondCertain) (or_introl eq_refl)) as [Z _]; rewrite X in Z; destruct Z as [Z|[]]; discriminate).
      destruct I as [<-|[<-|[]]]; destruct J0 as [<-|[<-|[]]]; lra. }
  apply qle_R in Upper, Lower.
  split; [lra|]. split; [exact R|]. split; [|split; [|exists g, d; split; [exact Level|split; [|split; [exact B1|split; [exact B3|]]]]]].
  - exists es. split; [exact U|]. rewrite V, <- qW_R. exact Upper.
  - eapply (least_by_corners G g d); eauto; try lra. intros c I. apply Rle_trans with (1 := Lower).
    apply Rle_trans with (v1 c); [|apply F1; auto]. unfold v1. rewrite <- V1 by auto. apply qleast_le, in_map, I.
  - apply (best_designs G g d At) with (cs := cs); auto; try lra. intros c I. apply In_best in I. tauto.
  - apply all_pairs_ok in Listed. clear -Listed B1. induction Listed as [|A c listed best D _ IH]; constructor; auto.
    apply both in D as [_ D]. apply same_design_R in D. destruct D as [Dx Dy]. cbn [design_of fst snd] in Dx, Dy.
    rewrite !entry_R in Dx, Dy. rewrite Dx, Dy. apply qcorner_R. lra.
Qed.

(* Intervals of shares. *)
Definition qclamped (z : Q * Q) (low high : Q) : Q := qmin (qmax (qdiv (qsub (qadd (snd z) 1) (fst z)) 2) low) high.
Definition qworst (z : Q * Q) (low high : Q) : Q := qW z (qclamped z low high).
Lemma qworst_R z low high : Q2R (qworst z low high) = worst (Q2R (fst z)) (Q2R (snd z)) (Q2R low) (Q2R high).
Proof.
  unfold qworst, worst, qclamped, clamped. rewrite qW_R, qmin_R, qmax_R, qdiv_R, qsub_R, qadd_R, one_R, two_R by (rewrite two_R; lra).
  reflexivity.
Qed.

Definition corner_points (sym : bool) (g d : Q) : list (Q * Q) := map (fun c => point (qcorner c g d)) (corner_list sym g d).

Definition check_worst (G : binary_region) (e : ends) (low high lower upper : Q) (a : list (list Q)) : bool :=
  (check_interval G e low high a
   && Qle_bool lower (qleast (map (fun z => qworst z low high) (corner_points (symmetric G) (gamma_above e) (delta_above e))))
   && Qle_bool (qworst (point (design_of a)) low high) upper)%bool.

Definition qexcess (z : Q * Q) (low high x y : Q) : Q := qmax (qsub (qW z low) x) (qsub (qW z high) y).
Lemma qexcess_R z low high x y :
  Q2R (qexcess z low high x y) = excess_of (Q2R (fst z)) (Q2R (snd z)) (Q2R low) (Q2R high) (Q2R x) (Q2R y).
Proof. unfold qexcess, excess_of. rewrite qmax_R, !qsub_R, !qW_R. reflexivity. Qed.
Definition qoffset (low high x y : Q) : Q :=
  qdiv (qsub (qsub x (qmul low (qsub 1 low))) (qsub y (qmul high (qsub 1 high)))) (qsub high low).
Definition qentry (k g d : Q) : Q * Q :=
  let o := qabs k in
  let s := qmax (qdiv (qsub (qsub 1 d) (qmul d o)) (qadd (qsub g 1) (qmul 2 d))) 0 in
  if Qle_bool 0 k then (qadd s o, s) else (s, qadd s o).

Lemma qentry_ok k g d : 1 <= Q2R g -> 0 <= Q2R d <= 1 -> 0 < Q2R g - 1 + 2 * Q2R d ->
  let z := qentry k g d in
  Q2R (fst z) - Q2R (snd z) = Q2R k /\ 0 <= Q2R (fst z) /\ 0 <= Q2R (snd z) /\
  forall r s, inside (Q2R g) (Q2R d) r s -> r - s = Q2R k -> Q2R (fst z) <= r /\ Q2R (snd z) <= s.
Proof.
  intros G D P. unfold qentry. set (s0 := qmax (qdiv (qsub (qsub 1 d) (qmul d (qabs k))) (qadd (qsub g 1) (qmul 2 d))) 0).
  assert (Den : Q2R (qadd (qsub g 1) (qmul 2 d)) = Q2R g - 1 + 2 * Q2R d) by (rewrite qadd_R, qsub_R, qmul_R, one_R, two_R; auto).
  assert (E : Q2R s0 = Rmax ((1 - Q2R d - Q2R d * Rabs (Q2R k)) / (Q2R g - 1 + 2 * Q2R d)) 0).
  { unfold s0. rewrite qmax_R, qdiv_R, Den by (rewrite Den; lra). rewrite !qsub_R, qmul_R, qabs_R, zero_R, one_R. reflexivity. }
  assert (N : 0 <= Q2R s0) by (rewrite E; apply Rmax_r).
  assert (M : forall q, 0 <= q -> 1 - Q2R d - Q2R d * Rabs (Q2R k) <= q * (Q2R g - 1 + 2 * Q2R d) -> Q2R s0 <= q).
  { intros q Q0 L. rewrite E. apply Rmax_lub; auto. apply quotient_le; auto. }
  destruct (Qle_bool 0 k) eqn:K; cbn [fst snd]; rewrite qadd_R, qabs_R.
  - apply qle_R in K. rewrite zero_R in K. rewrite (Rabs_right (Q2R k)) in * by lra. repeat split; try lra.
    + destruct H as [R [S [A B]]]. assert (Q2R s0 <= s); [|lra]. apply M; auto. replace r with (s + Q2R k) in * by lra. lra.
    + destruct H as [R [S [A B]]]. apply M; auto. replace r with (s + Q2R k) in * by lra. lra.
  - apply qle_false in K. rewrite zero_R in K. rewrite (Rabs_left (Q2R k)) in * by lra. repeat split; try lra.
    + destruct H as [R [S [A B]]]. apply M; auto. replace s with (r + - Q2R k) in * by lra. lra.
    + destruct H as [R [S [A B]]]. assert (Q2R s0 <= r); [|lra]. apply M; auto. replace s with (r + - Q2R k) in * by lra. lra.
Qed.

Definition check_regret (G : binary_region) (e : ends) (low high lower upper : Q) (a : list (list Q)) : bool :=
  let sym := symmetric G in
  let below := corner_points sym (gamma_below e) (delta_below e) in
  let above := corner_points sym (gamma_above e) (delta_above e) in
  let best pi zs := qleast (map (fun z => qW z pi) zs) in
  let x := best low below in let y := best high below in
  let entry := qentry (qoffset low high x y) (gamma_above e) (delta_above e) in
  let points := if (negb sym && qlt low high)%bool then entry :: above else above in
  (check_interval G e low high a
   && Qle_bool lower (qmax (qleast (map (fun z => qexcess z low high x y) points)) 0)
   && Qle_bool (qexcess (point (design_of a)) low high (best low above) (best high above)) upper)%bool.

(* A region at rational numbers, and wider regions. *)
Definition rational_region (g d : Q) (sym : bool) : binary_region := BinaryRegion (AtLevel (Log g 1 1) (Slack d) AllPairs) sym.
Lemma rational_level g d sym : 1 <= Q2R g -> at_level (rational_region g d sym) (Q2R g) (Q2R d).
Proof.
  intros L P. assert (E : exp (epsilon_of (Log g 1 1)) = Q2R g).
  { cbn [epsilon_of]. replace (1 / 1 * ln (Q2R g)) with (ln (Q2R g)) by lra. apply exp_ln. lra. }
  unfold in_region. cbn [rational_region binary_condition symmetric satisfies delta_of]. rewrite E.
  split; intros [M [C Y]]; (split; [exact M|split; [|exact Y]]).
  - intros F j h Hj Hh. exact (C j h Hj Hh I F).
  - intros j h Hj Hh _ F. exact (C F j h Hj Hh).
Qed.
Lemma region_wider G g d G' g' d' P : at_level G g d -> at_level G' g' d' -> symmetric G = symmetric G' -> g <= g' -> d <= d' ->
  in_region G P -> in_region G' P.
Proof.
  intros A A' Y L D R. apply A in R. destruct R as [M [H S]]. apply A'. split; [exact M|]. split; [|rewrite <- Y; exact S]. intros E j l Hj Hl.
  apply (private_pair_weaker 2 2 P g d _ _ j l M Hl L D). intros E'. apply H; auto.
Qed.

Theorem check_worst_ok G e low high lower upper a : check_worst G e low high lower upper a = true ->
  true_claim (WorstCase G low high lower upper a).
Proof.
  unfold check_worst. intros H. apply both in H as [[I Low]%both Up]. apply check_interval_ok in I. cbv zeta in I.
  destruct I as [g [d [_ [At [L [Hi [R [B [D [_ [_ [C1 [es [U V]]]]]]]]]]]]]]. apply qle_R in Low, Up.
  split; [exact L|]. split; [exact Hi|]. split; [exact R|]. split.
  - exists es. split; [exact U|]. intros pi P. rewrite V. apply Rle_trans with (2 := Up). rewrite qworst_R. apply worst_ok; auto.
  - intros P b RP UP. set (ga := gamma_above e) in *. set (da := delta_above e) in *.
    set (G' := rational_region ga da (symmetric G)).
    assert (At' : at_level G' (Q2R ga) (Q2R da)) by (apply rational_level; lra).
    assert (RP' : in_region G' P) by (apply (region_wider G g d G' (Q2R ga) (Q2R da)); auto; lra).
    eapply (least_worst G' (Q2R ga) (Q2R da)); eauto; try lra. intros c Ic. apply Rle_trans with (1 := Low).
    destruct (corner_point_R (symmetric G) ga da _ c ltac:(lra) ltac:(lra) C1 Ic) as [<- <-]. rewrite <- qworst_R.
    apply qleast_le. apply in_map_iff. exists (point (qcorner c ga da)). split; [reflexivity|]. apply in_map_iff. eauto.
Qed.

Lemma qleast_in l : l <> [] -> In (qleast l) l.
Proof.
  induction l as [|a [|b l] IH]; intros N; [congruence|left; reflexivity|].
  change (qleast (a :: b :: l)) with (qmin a (qleast (b :: l))). unfold qmin. destruct (Qle_bool a _); [left; auto|].
  right. apply IH. discriminate.
Qed.

(* A design of the true region that has the least value at the level below. *)
Lemma best_below G g d e pi : at_level G g d -> 0 <= Q2R pi <= 1 ->
  1 <= Q2R (gamma_below e) <= g -> 0 <= Q2R (delta_below e) <= d ->
  Q2R (delta_below e) <= 1 ->
  corners_are (Q2R (gamma_below e)) (Q2R (delta_below e)) (symmetric G) (corner_list (symmetric G) (gamma_below e) (delta_below e)) ->
  exists P es, in_region G P /\ estimates_share P es /\
  share_variance P es (Q2R pi) = Q2R (qleast (map (fun z => qW z pi) (corner_points (symmetric G) (gamma_below e) (delta_below e)))).
Proof.
  intros At P B D D1 C. set (cs := corner_list _ _ _) in *. set (gb := gamma_below e) in *. set (db := delta_below e) in *.
  assert (Ne : map (fun z => qW z pi) (corner_points (symmetric G) gb db) <> []).
  { unfold corner_points. fold cs. destruct C as [[-> _]|[[_ [_ [_ ->]]]|[_ [_ [_ ->]]]]]; discriminate. }
  apply qleast_in in Ne. apply in_map_iff in Ne. destruct Ne as [z [<- Iz]]. apply in_map_iff in Iz. destruct Iz as [c [<- Ic]]. fold cs in Ic.
  pose proof (qcorner_R c gb db ltac:(lra)) as E. set (x := Q2R (fst (qcorner c gb db))) in *. set (y := Q2R (snd (qcorner c gb db))) in *.
  set (G' := rational_region gb db (symmetric G)).
  assert (At' : at_level G' (Q2R gb) (Q2R db)) by (apply rational_level; lra).
  assert (X : in_region G' (binary x y) /\ 1 < x + y) by (eapply (region_corner G' (Q2R gb) (Q2R db)); eauto; lra).
  destruct X as [R T].
  assert (R' : in_region G (binary x y)) by (apply (region_wider G' (Q2R gb) (Q2R db) G g d); auto; lra).
  destruct (binary_estimator G x y R' T) as [es U]. exists (binary x y), es. split; [exact R'|]. split; [exact U|].
  rewrite (binary_variance G x y es (Q2R pi) R' T U), qW_R. destruct (point_R (qcorner c gb db) T) as [-> ->]. reflexivity.
Qed.

Theorem check_regret_ok G e low high lower upper a : check_regret G e low high lower upper a = true ->
  true_claim (Regret G low high lower upper a).
Proof.
  unfold check_regret. intros H. apply both in H as [[I Low]%both Up]. apply check_interval_ok in I. cbv zeta in I.
  destruct I as [g [d [_ [At [L [Hi [R [B [D [_ [C0 [C1 [es [U V]]]]]]]]]]]]]]. apply qle_R in Low, Up.
  set (ga := gamma_above e) in *. set (da := delta_above e) in *.
  set (G' := rational_region ga da (symmetric G)).
  assert (At' : at_level G' (Q2R ga) (Q2R da)) by (apply rational_level; lra).
  assert (Wider : forall P, in_region G P -> in_region G' P)
    by (intros P RP; apply (region_wider G g d G' (Q2R ga) (Q2R da)); auto; lra).
  assert (Above : forall c, In c (corner_list (symmetric G) ga da) ->
      In (point (qcorner c ga da)) (corner_points (symmetric G) ga da) /\
      Q2R (fst (point (qcorner c ga da))) = corner_r (Q2R ga) (Q2R da) c /\ Q2R (snd (point (qcorner c ga da))) = corner_s (Q2R ga) (Q2R da) c).
  { intros c Ic. split; [apply in_map_iff; eauto|]. apply (corner_point_R (symmetric G) ga da _ c ltac:(lra) ltac:(lra) C1 Ic). }
  split; [exact L|]. split; [exact Hi|]. split; [exact R|]. split.
  - exists es. split; [exact U|]. intros pi P Q b RQ UQ. rewrite V.
    assert (Best : forall pi, 0 <= Q2R pi <= 1 ->
        Q2R (qleast (map (fun z => qW z pi) (corner_points (symmetric G) ga da))) <= share_variance Q b (Q2R pi)).
    { intros p Pp. assert (LV : least_variance G' (Q2R p) (Q2R (qleast (map (fun z => qW z p) (corner_points (symmetric G) ga da))))).
      { eapply (least_by_corners G' (Q2R ga) (Q2R da)); eauto; try lra. intros c Ic. unfold corner_value.
        destruct (Above c Ic) as [Ip [<- <-]]. rewrite <- qW_R. apply qleast_le. apply in_map_iff. eauto. }
      apply LV; auto. }
    pose proof (Best low ltac:(lra)) as BL. pose proof (Best high ltac:(lra)) as BH.
    pose proof (region_point G' (Q2R ga) (Q2R da) At') as RPt.
    destruct (RPt Q b (Wider Q RQ) UQ) as [r [s [_ [_ [Vr _]]]]]. clear RPt.
    rewrite Vr in *. rewrite qexcess_R in Up. unfold excess_of in Up.
    set (zr := Q2R (fst (point (design_of a)))) in *. set (zs := Q2R (snd (point (design_of a)))) in *.
    match type of Up with Rmax (?u - ?x) (?v - ?y) <= _ => pose proof (Rmax_l (u - x) (v - y)); pose proof (Rmax_r (u - x) (v - y)); set (m := Rmax (u - x) (v - y)) in * end.
    clearbody m. unfold W in *. destruct (Rle_lt_dec 0 ((zs - s) - (zr - r))) as [S|S].
    + assert (0 <= ((zs - s) - (zr - r)) * (Q2R high - pi)) by (apply Rmult_le_pos; lra). lra.
    + assert (0 <= - ((zs - s) - (zr - r)) * (pi - Q2R low)) by (apply Rmult_le_pos; lra). lra.
  - intros P b RP UP.
    set (x := qleast (map (fun z => qW z low) (corner_points (symmetric G) (gamma_below e) (delta_below e)))) in *.
    set (y := qleast (map (fun z => qW z high) (corner_points (symmetric G) (gamma_below e) (delta_below e)))) in *.
    rewrite qmax_R, zero_R in Low. set (entry := qentry (qoffset low high x y) ga da) in *.
    set (points := if (negb (symmetric G) && qlt low high)%bool then entry :: corner_points (symmetric G) ga da else corner_points (symmetric G) ga da) in *.
    set (m := qleast (map (fun z => qexcess z low high x y) points)) in *.
    destruct (Rle_lt_dec (Q2R m) 0) as [Z|Z].
    { exists (Q2R low), P, b. split; [lra|]. split; [exact RP|]. split; [exact UP|]. rewrite Rmax_right in Low by exact Z. lra. }
    pose proof (region_point G' (Q2R ga) (Q2R da) At') as RPt.
    destruct (RPt P b (Wider P RP) UP) as [r [s [Ins [Y [Vr _]]]]]. clear RPt.
    assert (M : Q2R m <= excess_of r s (Q2R low) (Q2R high) (Q2R x) (Q2R y)).
    { eapply (excess_bound G' (Q2R ga) (Q2R da)) with (k := Q2R (qoffset low high x y)) (er := Q2R (fst entry)) (es := Q2R (snd entry)); eauto; try lra.
      - intros c Ic. destruct (Above c Ic) as [Ip [<- <-]]. rewrite <- qexcess_R. apply qleast_le. apply in_map_iff.
        exists (point (qcorner c ga da)). split; auto. unfold points. destruct (_ && _)%bool; [right|]; auto.
      - intros LH Sym. change (symmetric G') with (symmetric G) in Sym.
        assert (Den : 0 < Q2R ga - 1 + 2 * Q2R da).
        { destruct C1 as [[_ [X _]]|[[_ [X _]]|[_ [X _]]]]; lra. }
        pose proof (qentry_ok (qoffset low high x y) ga da ltac:(lra) ltac:(lra) Den) as K. cbv zeta in K. fold entry in K.
        destruct K as [K1 [K2 [K3 K4]]]. split; [|split; [exact K1|split; [exact K2|split; [exact K3|split; [exact K4|]]]]].
        + unfold qoffset. rewrite qdiv_R by (rewrite qsub_R; lra). rewrite !qsub_R, !qmul_R, !qsub_R, one_R. field. lra.
        + rewrite <- qexcess_R. apply qleast_le. apply in_map_iff. exists entry. split; auto. unfold points. rewrite Sym.
          assert (T : qlt low high = true).
          { unfold qlt. destruct (Qle_bool high low) eqn:K; auto. apply qle_R in K. lra. }
          rewrite T. left. reflexivity. }
    unfold excess_of in M. rewrite Rmax_left in Low by lra.
    assert (Z' : Q2R m <= W r s (Q2R low) - Q2R x \/ Q2R m <= W r s (Q2R high) - Q2R y).
    { unfold Rmax in M. destruct (Rle_dec _ _) in M; auto. }
    destruct Z' as [Z'|Z'].
    + destruct (best_below G g d e low) as [P' [es' [R' [U' V']]]]; auto; try lra. exists (Q2R low), P', es'.
      split; [lra|]. split; [exact R'|]. split; [exact U'|]. rewrite Vr, V'. apply Rle_trans with (1 := Low). exact Z'.
    + destruct (best_below G g d e high) as [P' [es' [R' [U' V']]]]; auto; try lra. exists (Q2R high), P', es'.
      split; [lra|]. split; [exact R'|]. split; [exact U'|]. rewrite Vr, V'. apply Rle_trans with (1 := Low). exact Z'.
Qed.
