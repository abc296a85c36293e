(* The least expected cost at every level gamma of an interval, delta = 0. With u = gamma - 1 a row of the region with the
   least entry t has its entries between t and (1 + u) t.

   Lower bound (`every_level`), for all numbers of outputs and categories: let sum y = u v, and for each output d let the sum
   of the positive parts of y_j - u c_dj be at most L_d - v, where L_d is the sum of the costs of d. Then every row has
   u c.p >= y.p: with p = t + (p - t), 0 <= p - t <= u t. Add the rows.
   Attainment (`cover_attains`): weights x of sets of categories that cover each category once give a mechanism of cost
   (A + B u)/(u + X).
   Covering (`some_piece`): ends that follow each other leave no level out.
   Certificates: (u + X) y_j is a quadratic in u. A quadratic is nonnegative on an interval by its values and slopes at the
   ends, or by its discriminant; a positive part whose sign changes in the interval is taken in both ways. *)

From Coq Require Import Reals QArith Qreals Qreduction Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers.
Import ListNotations.
Local Open Scope R_scope.

(* The lower bound, over a common denominator w > 0 of v and y. *)
Lemma least_entry k (p : nat -> R) : (0 < k)%nat -> exists i, (i < k)%nat /\ forall j, (j < k)%nat -> p i <= p j.
Proof.
  induction k as [|k IH]; intros H; [lia|]. destruct k as [|k].
  - exists O. split; [lia|]. intros j Hj. replace j with O by lia. lra.
  - destruct (IH ltac:(lia)) as (i & Hi & L). destruct (Rle_lt_dec (p i) (p (S k))) as [A|A].
    + exists i. split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S k)) as [->|]; auto. apply L; lia.
    + exists (S k). split; [lia|]. intros j Hj. destruct (Nat.eq_dec j (S k)) as [->|]; [lra|].
      assert (p i <= p j) by (apply L; lia). lra.
Qed.

Lemma row_bound k (c p y : nat -> R) u w a : (0 < k)%nat -> 0 <= u ->
  (forall j, (j < k)%nat -> 0 <= p j) -> (forall j l, (j < k)%nat -> (l < k)%nat -> p j <= (1 + u) * p l) ->
  sum k y = u * a -> sum k (fun j => Rmax 0 (y j - w * u * c j)) <= w * sum k c - a ->
  sum k (fun j => y j * p j) <= u * (w * sum k (fun j => c j * p j)).
Proof.
  intros Hk Hu Hp Hr Hy Hd. destruct (least_entry k p Hk) as (i & Hi & L). set (t := p i) in *.
  assert (T : 0 <= t) by (apply Hp; auto).
  assert (E : sum k (fun j => y j * p j) <=
    sum k (fun j => u * w * (c j * p j) + (t * (y j + - (w * u) * c j) + (u * t) * Rmax 0 (y j - w * u * c j)))).
  { apply sum_le. intros j Hj. specialize (L j Hj). specialize (Hr j i Hj Hi). fold t in Hr.
    assert (M0 := Rmax_l 0 (y j - w * u * c j)). assert (M1 := Rmax_r 0 (y j - w * u * c j)).
    set (M := Rmax 0 (y j - w * u * c j)) in *.
    assert (F : (y j - w * u * c j) * (p j - t) <= M * (p j - t)) by (apply Rmult_le_compat_r; lra).
    assert (G : M * (p j - t) <= M * (u * t)) by (apply Rmult_le_compat_l; lra).
    lra. }
  rewrite sum_plus, sum_scal, sum_plus, !sum_scal, sum_plus, sum_scal, Hy in E.
  assert (D : u * t * sum k (fun j => Rmax 0 (y j - w * u * c j)) <= u * t * (w * sum k c - a)).
  { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact Hd]. }
  lra.
Qed.

(* At u = 0 the rows are constant. *)
Lemma scaled_bound k m (c P : nat -> nat -> R) (y : nat -> R) u w a : (0 < k)%nat -> 0 <= u ->
  mechanism k m P -> private k m (1 + u) 0 P ->
  sum k y = u * a ->
  (forall d, (d < m)%nat -> sum k (fun j => Rmax 0 (y j - w * u * c d j)) <= w * sum k (c d) - a) ->
  a <= w * expected_cost k m c P.
Proof.
  intros Hk Hu [HN HS] HP Hy Hd. rewrite private_rows in HP. unfold expected_cost.
  destruct (Rle_lt_or_eq_dec 0 u Hu) as [U|<-].
  - apply Rmult_le_reg_l with u; auto. rewrite <- Hy, <- !sum_scal.
    apply Rle_trans with (sum m (fun d => sum k (fun j => y j * P d j))).
    + rewrite sum_swap. apply Req_le, sum_ext. intros j Hj. rewrite sum_scal, HS by auto. ring.
    + apply sum_le. intros d Hd'. apply (row_bound k (c d) (P d) y u w a); auto.
  - assert (C : forall d j, (d < m)%nat -> (j < k)%nat -> P d j = P d O).
    { intros d j D J. pose proof (HP d j O D J Hk). pose proof (HP d O j D Hk J). lra. }
    rewrite <- sum_scal. replace a with (sum m (fun d => P d O * a)) by (rewrite sum_scal_r, HS by auto; ring).
    apply sum_le. intros d D. rewrite (sum_ext k _ (fun j => c d j * P d O)) by (intros j J; rewrite (C d j D J); ring).
    rewrite sum_scal_r. specialize (Hd d D). specialize (HN d O D Hk).
    assert (0 <= sum k (fun j => Rmax 0 (y j - w * 0 * c d j))) by (apply sum_nonneg; intros; apply Rmax_l).
    replace (w * (sum k (c d) * P d O)) with (P d O * (w * sum k (c d))) by ring. apply Rmult_le_compat_l; lra.
Qed.

Theorem every_level : forall k m c P y gamma v,
  (0 < k)%nat -> 1 <= gamma -> mechanism k m P -> private k m gamma 0 P ->
  sum k y = (gamma - 1) * v ->
  (forall d, (d < m)%nat -> sum k (fun j => Rmax 0 (y j - (gamma - 1) * c d j)) <= sum k (c d) - v) ->
  v <= expected_cost k m c P.
Proof.
  intros k m c P y g v Hk Hg M HP Hy Hd. replace (expected_cost k m c P) with (1 * expected_cost k m c P) by ring.
  apply (scaled_bound k m c P y (g - 1) 1 v); auto; [lra|now replace (1 + (g - 1)) with g by ring|].
  intros d D. specialize (Hd d D). rewrite !Rmult_1_l. exact Hd.
Qed.

(* Covers. *)
Lemma over_plus rs f g : over_rows rs (fun r => f r + g r) = over_rows rs f + over_rows rs g.
Proof. induction rs; cbn [over_rows]; lra. Qed.
Lemma over_scal rs c f : over_rows rs (fun r => c * f r) = c * over_rows rs f.
Proof. induction rs; cbn [over_rows]; lra. Qed.
Lemma over_ext rs f g : (forall r, In r rs -> f r = g r) -> over_rows rs f = over_rows rs g.
Proof. induction rs; cbn [over_rows]; intros H; [auto|]. rewrite IHrs, (H a); auto; [left; auto|intros; apply H; right; auto]. Qed.
Lemma over_le rs f g : (forall r, In r rs -> f r <= g r) -> over_rows rs f <= over_rows rs g.
Proof. induction rs; cbn [over_rows]; intros H; [lra|]. apply Rplus_le_compat; [apply H; left; auto|apply IHrs; intros; apply H; right; auto]. Qed.
Lemma over_nonneg rs f : (forall r, In r rs -> 0 <= f r) -> 0 <= over_rows rs f.
Proof. induction rs; cbn [over_rows]; intros H; [lra|]. apply Rplus_le_le_0_compat; [apply H; left; auto|apply IHrs; intros; apply H; right; auto]. Qed.
Lemma over_sum rs n f : over_rows rs (fun r => sum n (f r)) = sum n (fun i => over_rows rs (fun r => f r i)).
Proof.
  induction rs; cbn [over_rows]; [symmetry; apply sum_zero; auto|]. rewrite IHrs, sum_plus. reflexivity.
Qed.

Definition in_set (r : cover_row) (j : nat) : R := if nth j (set_of r) false then 1 else 0.
Definition total_weight (rs : list cover_row) : R := over_rows rs (fun r => Q2R (weight_of r)).
Definition all_costs (k : nat) (c : nat -> nat -> R) (rs : list cover_row) : R :=
  over_rows rs (fun r => Q2R (weight_of r) * sum k (c (output_of r))).
Definition set_costs (k : nat) (c : nat -> nat -> R) (rs : list cover_row) : R :=
  over_rows rs (fun r => Q2R (weight_of r) * sum k (fun j => c (output_of r) j * in_set r j)).
Definition covers_once (k m : nat) (rs : list cover_row) : Prop :=
  (forall r, In r rs -> (output_of r < m)%nat /\ 0 <= Q2R (weight_of r)) /\
  forall j, (j < k)%nat -> over_rows rs (fun r => Q2R (weight_of r) * in_set r j) = 1.

Lemma entry_of_set r j g : (if nth j (set_of r) false then g else 1) = 1 + (g - 1) * in_set r j.
Proof. unfold in_set. destruct (nth j (set_of r) false); ring. Qed.

Lemma total_weight_at_least_one k m rs : (0 < k)%nat -> covers_once k m rs -> 1 <= total_weight rs.
Proof.
  intros Hk [H C]. rewrite <- (C O Hk). apply over_le. intros r R. destruct (H r R) as [_ X].
  unfold in_set. destruct (nth 0 (set_of r) false); lra.
Qed.

Lemma sum_one n d f : (d < n)%nat -> sum n (fun i => if Nat.eqb d i then f i else 0) = f d.
Proof.
  intros H. rewrite <- (sum_single n d (f d) H). apply sum_ext. intros i _. rewrite Nat.eqb_sym.
  destruct (Nat.eqb_spec i d); subst; auto.
Qed.

Lemma cover_mechanism_ok k m rs g : (0 < k)%nat -> 1 <= g -> covers_once k m rs ->
  mechanism k m (cover_mechanism rs g) /\ private k m g 0 (cover_mechanism rs g).
Proof.
  intros Hk Hg C. pose proof (total_weight_at_least_one k m rs Hk C) as X. destruct C as [H C].
  assert (I : 0 < / (g - 1 + total_weight rs)) by (apply Rinv_0_lt_compat; lra).
  assert (N : forall r d j, In r rs -> 0 <= (if Nat.eqb (output_of r) d then Q2R (weight_of r) * (if nth j (set_of r) false then g else 1) else 0)).
  { intros r d j R. destruct (H r R) as [_ W]. destruct (Nat.eqb (output_of r) d); [|lra].
    apply Rmult_le_pos; auto. destruct (nth j (set_of r) false); lra. }
  split; [split|].
  - intros d j _ _. unfold cover_mechanism, Rdiv. apply Rmult_le_pos; [|fold (total_weight rs); lra].
    apply over_nonneg. intros r R. apply N; auto.
  - intros j Hj. unfold cover_mechanism, Rdiv. fold (total_weight rs). rewrite sum_scal_r, <- over_sum.
    rewrite (over_ext rs _ (fun r => Q2R (weight_of r) + (g - 1) * (Q2R (weight_of r) * in_set r j))).
    + rewrite over_plus, over_scal, C by auto. fold (total_weight rs). field. lra.
    + intros r R. destruct (H r R) as [D _]. rewrite (sum_one m (output_of r) (fun _ => _) D), entry_of_set. ring.
  - apply private_rows. intros d j l _ _ _. unfold cover_mechanism, Rdiv. fold (total_weight rs).
    rewrite <- Rmult_assoc. apply Rmult_le_compat_r; [lra|]. rewrite <- over_scal. apply over_le. intros r R.
    destruct (H r R) as [_ W]. destruct (Nat.eqb (output_of r) d); [|lra].
    assert (Q2R (weight_of r) <= g * Q2R (weight_of r)) by (rewrite <- (Rmult_1_l (Q2R (weight_of r))) at 1; apply Rmult_le_compat_r; lra).
    assert (g * Q2R (weight_of r) <= g * (g * Q2R (weight_of r))) by (apply Rmult_le_compat_l; lra).
    destruct (nth j (set_of r) false), (nth l (set_of r) false); lra.
Qed.

Lemma cover_cost k m c rs g : (0 < k)%nat -> 1 <= g -> covers_once k m rs ->
  (g - 1 + total_weight rs) * expected_cost k m c (cover_mechanism rs g) = all_costs k c rs + (g - 1) * set_costs k c rs.
Proof.
  intros Hk Hg C. pose proof (total_weight_at_least_one k m rs Hk C) as X. destruct C as [H _].
  unfold expected_cost. rewrite <- sum_scal.
  rewrite (sum_ext m _ (fun d => sum k (fun j => over_rows rs (fun r => if Nat.eqb (output_of r) d then
    c d j * (Q2R (weight_of r) * (1 + (g - 1) * in_set r j)) else 0)))).
  - rewrite (sum_ext m _ (fun d => over_rows rs (fun r => sum k (fun j => if Nat.eqb (output_of r) d then
      c d j * (Q2R (weight_of r) * (1 + (g - 1) * in_set r j)) else 0)))) by (intros; rewrite over_sum; auto).
    rewrite <- (over_sum rs m (fun r d => sum k (fun j => if Nat.eqb (output_of r) d then
      c d j * (Q2R (weight_of r) * (1 + (g - 1) * in_set r j)) else 0))).
    unfold all_costs, set_costs. rewrite <- over_scal, <- over_plus. apply over_ext. intros r R. destruct (H r R) as [D _].
    rewrite (sum_ext m _ (fun d => if Nat.eqb (output_of r) d then
      sum k (fun j => c d j * (Q2R (weight_of r) * (1 + (g - 1) * in_set r j))) else 0))
      by (intros d _; destruct (Nat.eqb (output_of r) d); [auto|apply sum_zero; auto]).
    rewrite (sum_one m (output_of r) (fun d => sum k (fun j => c d j * _)) D).
    rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros j _. ring.
  - intros d _. rewrite <- sum_scal. apply sum_ext. intros j _. unfold cover_mechanism. fold (total_weight rs).
    replace ((g - 1 + total_weight rs) * (c d j * (over_rows rs (fun r => if Nat.eqb (output_of r) d then
      Q2R (weight_of r) * (if nth j (set_of r) false then g else 1) else 0) / (g - 1 + total_weight rs))))
      with (c d j * over_rows rs (fun r => if Nat.eqb (output_of r) d then
      Q2R (weight_of r) * (if nth j (set_of r) false then g else 1) else 0)) by (field; lra).
    rewrite <- over_scal. apply over_ext. intros r _. rewrite entry_of_set. destruct (Nat.eqb (output_of r) d); ring.
Qed.

Theorem cover_attains : forall k m c rs gamma,
  (0 < k)%nat -> 1 <= gamma -> covers_once k m rs ->
  mechanism k m (cover_mechanism rs gamma) /\ private k m gamma 0 (cover_mechanism rs gamma) /\
  expected_cost k m c (cover_mechanism rs gamma) =
    (all_costs k c rs + (gamma - 1) * set_costs k c rs) / (gamma - 1 + total_weight rs).
Proof.
  intros k m c rs g Hk Hg C. pose proof (total_weight_at_least_one k m rs Hk C) as X.
  destruct (cover_mechanism_ok k m rs g Hk Hg C) as [M PR]. split; [auto|split; [auto|]].
  apply (Rmult_eq_reg_l (g - 1 + total_weight rs)); [|lra]. rewrite (cover_cost k m c rs g Hk Hg C). field. lra.
Qed.

(* Signs: of p + q sqrt D, of a + b sqrt D + c sqrt E, and of quadratics c0 + c1 u + c2 u^2 at points and on intervals. If two
   terms have opposite signs, their squares are compared. *)
Definition has_sign (s : comparison) (x : R) : Prop := match s with Gt => 0 < x | Eq => x = 0 | Lt => x < 0 end.
Definition sign_of_sum (x y squares : comparison) : comparison :=
  match x, y with
  | Eq, s => s | s, Eq => s | Gt, Gt => Gt | Lt, Lt => Lt | Gt, Lt => squares | Lt, Gt => CompOpp squares
  end.
Lemma sign_of_sum_ok sx sy ss x y : has_sign sx x -> has_sign sy y -> has_sign ss (x * x - y * y) ->
  has_sign (sign_of_sum sx sy ss) (x + y).
Proof.
  intros X Y S. destruct sx, sy; cbn [sign_of_sum has_sign] in *; try lra; replace (x * x - y * y) with ((x + y) * (x - y)) in S by ring.
  - destruct ss; cbn [CompOpp has_sign] in *.
    + apply Rmult_integral in S. lra.
    + destruct (Rle_lt_dec (x + y) 0) as [L|]; [|auto]. assert (0 <= - (x + y) * - (x - y)) by (apply Rmult_le_pos; lra). lra.
    + destruct (Rle_lt_dec 0 (x + y)) as [L|]; [|auto]. assert (0 <= (x + y) * - (x - y)) by (apply Rmult_le_pos; lra). lra.
  - destruct ss; cbn [has_sign] in *.
    + apply Rmult_integral in S. lra.
    + destruct (Rle_lt_dec 0 (x + y)) as [L|]; [|auto]. assert (0 <= (x + y) * (x - y)) by (apply Rmult_le_pos; lra). lra.
    + destruct (Rle_lt_dec (x + y) 0) as [L|]; [|auto]. assert (0 <= - (x + y) * (x - y)) by (apply Rmult_le_pos; lra). lra.
Qed.

Definition sign (x : Q) : comparison := Qcompare x 0.
Lemma sign_ok x : has_sign (sign x) (Q2R x).
Proof.
  unfold sign, has_sign. destruct (Qcompare_spec x 0) as [H|H|H].
  - apply Qeq_eqR in H. rewrite H. apply zero_R.
  - apply Qlt_Rlt in H. rewrite zero_R in H. exact H.
  - apply Qlt_Rlt in H. rewrite zero_R in H. exact H.
Qed.

Definition whole (D : positive) : Q := (Zpos D # 1)%Q.
Definition root (D : positive) : R := sqrt (IZR (Zpos D)).
Lemma whole_R D : Q2R (whole D) = root D * root D.
Proof.
  unfold root, whole. assert (0 < IZR (Zpos D)) by (apply (IZR_lt 0); lia). rewrite sqrt_sqrt by lra. unfold Q2R. cbn [Qnum Qden]. lra.
Qed.
Lemma root_positive D : 0 < root D.
Proof. apply sqrt_lt_R0, (IZR_lt 0). lia. Qed.

Lemma times_root_sign q D : has_sign (sign q) (Q2R q * root D).
Proof.
  pose proof (sign_ok q) as H. pose proof (root_positive D). destruct (sign q); cbn [has_sign] in *.
  - rewrite H. ring.
  - assert (0 < - Q2R q * root D) by (apply Rmult_lt_0_compat; lra). lra.
  - apply Rmult_lt_0_compat; lra.
Qed.

Definition sign_with_root (p q : Q) (D : positive) : comparison :=
  sign_of_sum (sign p) (sign q) (sign (qsub (qmul p p) (qmul (qmul q q) (whole D)))).
Lemma sign_with_root_ok p q D : has_sign (sign_with_root p q D) (Q2R p + Q2R q * root D).
Proof.
  apply sign_of_sum_ok; [apply sign_ok|apply times_root_sign|].
  pose proof (sign_ok (qsub (qmul p p) (qmul (qmul q q) (whole D)))) as S. rewrite qsub_R, !qmul_R, whole_R in S.
  match goal with |- has_sign _ ?a => match type of S with has_sign _ ?b => replace a with b by ring end end. exact S.
Qed.

Definition sign_with_roots (a b : Q) (D : positive) (c : Q) (E : positive) : comparison :=
  sign_of_sum (sign_with_root a b D) (sign c)
    (sign_with_root (qsub (qadd (qmul a a) (qmul (qmul b b) (whole D))) (qmul (qmul c c) (whole E))) (qmul 2 (qmul a b)) D).
Lemma sign_with_roots_ok a b D c E : has_sign (sign_with_roots a b D c E) (Q2R a + Q2R b * root D + Q2R c * root E).
Proof.
  apply sign_of_sum_ok; [apply sign_with_root_ok|apply times_root_sign|].
  pose proof (sign_with_root_ok (qsub (qadd (qmul a a) (qmul (qmul b b) (whole D))) (qmul (qmul c c) (whole E))) (qmul 2 (qmul a b)) D) as S.
  rewrite qsub_R, qadd_R, !qmul_R, !whole_R, two_R in S.
  match goal with |- has_sign _ ?a => match type of S with has_sign _ ?b => replace a with b by ring end end. exact S.
Qed.

(* The sign of t - s, for points s and t. *)
Definition sign_between (s t : level_point) : comparison :=
  sign_with_roots (qsub (rational t) (rational s)) (factor t) (radicand t) (qsub 0 (factor s)) (radicand s).
Lemma sign_between_ok s t : has_sign (sign_between s t) (point_of t - point_of s).
Proof.
  pose proof (sign_with_roots_ok (qsub (rational t) (rational s)) (factor t) (radicand t) (qsub 0 (factor s)) (radicand s)) as S.
  rewrite !qsub_R, zero_R in S. unfold sign_between, point_of, root in *.
  match goal with |- has_sign _ ?a => match type of S with has_sign _ ?b => replace a with b by ring end end. exact S.
Qed.
Definition same_point (s t : level_point) : bool := match sign_between s t with Eq => true | _ => false end.
Definition before (s : level_point) (t : option level_point) : bool :=
  match t with None => true | Some t => match sign_between s t with Gt => true | _ => false end end.
Definition same_end (s t : option level_point) : bool :=
  match s, t with None, None => true | Some s, Some t => same_point s t | _, _ => false end.
Lemma same_point_ok s t : same_point s t = true -> point_of s = point_of t.
Proof. unfold same_point. pose proof (sign_between_ok s t) as S. destruct (sign_between s t); try discriminate. cbn in S. lra. Qed.
Lemma same_end_ok s t g : same_end s t = true -> up_to g t -> up_to g s.
Proof. destruct s as [s|], t as [t|]; cbn; intros H; try discriminate; auto. rewrite (same_point_ok _ _ H). auto. Qed.

Definition at_least_zero (p q : Q) (D : positive) : bool := match sign_with_root p q D with Lt => false | _ => true end.
Lemma at_least_zero_ok p q D : at_least_zero p q D = true -> 0 <= Q2R p + Q2R q * root D.
Proof.
  unfold at_least_zero. pose proof (sign_with_root_ok p q D) as S. destruct (sign_with_root p q D); try discriminate; cbn in S; lra.
Qed.

Record quadratic := Quadratic { c0 : Q; c1 : Q; c2 : Q }.
Definition qd (f : quadratic) (u : R) : R := Q2R (c0 f) + Q2R (c1 f) * u + Q2R (c2 f) * (u * u).
Definition minus (f g : quadratic) : quadratic := Quadratic (qsub (c0 f) (c0 g)) (qsub (c1 f) (c1 g)) (qsub (c2 f) (c2 g)).
Definition nothing : quadratic := Quadratic 0 0 0.
Lemma minus_R f g u : qd (minus f g) u = qd f u - qd g u.
Proof. unfold qd, minus; cbn [c0 c1 c2]. rewrite !qsub_R. ring. Qed.
Lemma nothing_R u : qd nothing u = 0.
Proof. unfold qd, nothing; cbn [c0 c1 c2]. rewrite zero_R. ring. Qed.

(* Points in gamma; quadratics in u = gamma - 1. *)
Definition level_u (s : level_point) : R := point_of s - 1.
Definition quadratic_at (f : quadratic) (s : level_point) : bool :=
  let p := qsub (rational s) 1 in let q := factor s in let D := whole (radicand s) in
  at_least_zero (qadd (c0 f) (qadd (qmul (c1 f) p) (qmul (c2 f) (qadd (qmul p p) (qmul (qmul q q) D)))))
    (qadd (qmul (c1 f) q) (qmul (c2 f) (qmul 2 (qmul p q)))) (radicand s).
Lemma quadratic_at_ok f s : quadratic_at f s = true -> 0 <= qd f (level_u s).
Proof.
  unfold quadratic_at. intros H. apply at_least_zero_ok in H.
  rewrite ?qadd_R, ?qmul_R, ?qadd_R, ?qmul_R, ?qsub_R, ?whole_R, ?one_R, ?two_R in H.
  unfold qd, level_u, point_of. fold (root (radicand s)).
  match goal with H : 0 <= ?a |- 0 <= ?b => replace b with a by ring end. exact H.
Qed.

Definition slope (f : quadratic) : quadratic := Quadratic (c1 f) (qmul 2 (c2 f)) 0.
Definition opposite (f : quadratic) : quadratic := minus nothing f.
Definition at_end (f : quadratic) (s : option level_point) : bool := match s with None => false | Some s => quadratic_at f s end.
Definition nonnegative (f : quadratic) (low : level_point) (high : option level_point) : bool :=
  ((Qle_bool (c2 f) 0 && quadratic_at f low && at_end f high)
   || (Qle_bool 0 (c2 f) &&
       ((qlt 0 (c2 f) && Qle_bool (qmul (c1 f) (c1 f)) (qmul 4 (qmul (c0 f) (c2 f))))
        || (quadratic_at f low && quadratic_at (slope f) low)
        || (at_end f high && at_end (opposite (slope f)) high))))%bool.

Lemma four_R : Q2R 4 = 4.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma slope_R f u : qd (slope f) u = Q2R (c1 f) + 2 * Q2R (c2 f) * u.
Proof. unfold qd, slope; cbn [c0 c1 c2]. rewrite qmul_R, two_R, zero_R. ring. Qed.

Lemma concave a b c s t u : s <= u -> u <= t -> c <= 0 -> 0 <= a + b * s + c * (s * s) -> 0 <= a + b * t + c * (t * t) ->
  0 <= a + b * u + c * (u * u).
Proof.
  intros S T C L H. destruct (Req_dec s t) as [<-|N]; [replace u with s by lra; auto|].
  apply Rmult_le_reg_l with (t - s); [lra|]. rewrite Rmult_0_r.
  replace ((t - s) * (a + b * u + c * (u * u))) with
    ((t - u) * (a + b * s + c * (s * s)) + (u - s) * (a + b * t + c * (t * t)) + - c * ((u - s) * ((t - u) * (t - s)))) by ring.
  repeat apply Rplus_le_le_0_compat; repeat apply Rmult_le_pos; lra.
Qed.

Lemma convex_right a b c s u : s <= u -> 0 <= c -> 0 <= a + b * s + c * (s * s) -> 0 <= b + 2 * c * s -> 0 <= a + b * u + c * (u * u).
Proof.
  intros S C L D. replace (a + b * u + c * (u * u)) with
    (a + b * s + c * (s * s) + (u - s) * (b + 2 * c * s) + c * ((u - s) * (u - s))) by ring.
  apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat; [auto|]|]; repeat apply Rmult_le_pos; lra.
Qed.

Lemma convex_left a b c t u : u <= t -> 0 <= c -> 0 <= a + b * t + c * (t * t) -> b + 2 * c * t <= 0 -> 0 <= a + b * u + c * (u * u).
Proof.
  intros T C H D. replace (a + b * u + c * (u * u)) with
    (a + b * t + c * (t * t) + (t - u) * - (b + 2 * c * t) + c * ((t - u) * (t - u))) by ring.
  apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat; [auto|]|]; repeat apply Rmult_le_pos; lra.
Qed.

Definition inside (u : R) (low : level_point) (high : option level_point) : Prop := level_u low <= u /\ up_to (1 + u) high.

Lemma nonnegative_ok f low high : nonnegative f low high = true -> forall u, inside u low high -> 0 <= qd f u.
Proof.
  unfold nonnegative. intros H u [L U]. apply orb_prop in H. destruct H as [H|H].
  - split_checks. apply qle_R in H. rewrite zero_R in H. destruct high as [t|]; [|discriminate]. cbn [at_end up_to] in *.
    apply quadratic_at_ok in H1, H0. unfold qd in *. assert (u <= level_u t) by (unfold level_u; lra).
    apply (concave _ _ _ (level_u low) (level_u t)); auto.
  - split_checks. apply qle_R in H. rewrite zero_R in H. apply orb_prop in H0. destruct H0 as [H0|H0]; [apply orb_prop in H0; destruct H0 as [H0|H0]|].
    + split_checks. apply qlt_R in H0. apply qle_R in H1. rewrite !qmul_R, four_R in H1. rewrite zero_R in H0. unfold qd.
      apply Rmult_le_reg_l with (4 * Q2R (c2 f)); [lra|]. pose proof (Rle_0_sqr (2 * Q2R (c2 f) * u + Q2R (c1 f))) as S.
      unfold Rsqr in S. ring_simplify in S. ring_simplify. lra.
    + split_checks. apply quadratic_at_ok in H0, H1. rewrite slope_R in H1. unfold qd in *.
      apply (convex_right _ _ _ (level_u low)); auto.
    + split_checks. destruct high as [t|]; [|discriminate]. cbn [at_end up_to] in *. apply quadratic_at_ok in H0, H1.
      unfold opposite in H1. rewrite minus_R, nothing_R, slope_R in H1. unfold qd in *.
      apply (convex_left _ _ _ (level_u t)); auto; [unfold level_u|]; lra.
Qed.

(* The sum of the positive parts of some quadratics is at most another one. *)
Fixpoint parts_at_most (fs : list quadratic) (most : quadratic) (low : level_point) (high : option level_point) : bool :=
  match fs with
  | [] => nonnegative most low high
  | f :: others =>
    if nonnegative f low high then parts_at_most others (minus most f) low high
    else if nonnegative (opposite f) low high then parts_at_most others most low high
    else (parts_at_most others (minus most f) low high && parts_at_most others most low high)%bool
  end.

Definition part (fs : list quadratic) (j : nat) : quadratic := nth j fs nothing.
Lemma parts_at_most_ok fs : forall most low high, parts_at_most fs most low high = true ->
  forall u, inside u low high -> sum (length fs) (fun j => Rmax 0 (qd (part fs j) u)) <= qd most u.
Proof.
  induction fs as [|f others IH]; intros most low high H u U; cbn [parts_at_most length] in *.
  - cbn [sum]. eapply nonnegative_ok; eauto.
  - rewrite sum_front. change (part (f :: others) 0) with f.
    change (sum (length others) (fun i => Rmax 0 (qd (part (f :: others) (S i)) u)))
      with (sum (length others) (fun i => Rmax 0 (qd (part others i) u))).
    destruct (nonnegative f low high) eqn:A; [|destruct (nonnegative (opposite f) low high) eqn:B].
    + pose proof (nonnegative_ok _ _ _ A u U) as N. pose proof (IH _ _ _ H u U) as I. rewrite minus_R in I.
      rewrite Rmax_right by auto. lra.
    + pose proof (nonnegative_ok _ _ _ B u U) as N. pose proof (IH _ _ _ H u U) as I. unfold opposite in N.
      rewrite minus_R, nothing_R in N. rewrite Rmax_left by lra. lra.
    + split_checks. pose proof (IH _ _ _ H u U) as I1. pose proof (IH _ _ _ H0 u U) as I2. rewrite minus_R in I1.
      destruct (Rle_lt_dec 0 (qd f u)); [rewrite Rmax_right by auto|rewrite Rmax_left by lra]; lra.
Qed.

(* A cell: quadratics (u + X) y_j that prove the lower bound on an interval. *)
Record level_cell := LevelCell { cell_ending : option level_point; duals : list quadratic }.
Definition plus (f g : quadratic) : quadratic := Quadratic (qadd (c0 f) (c0 g)) (qadd (c1 f) (c1 g)) (qadd (c2 f) (c2 g)).
Definition equal_quadratics (f g : quadratic) : bool := (Qeq_bool (c0 f) (c0 g) && Qeq_bool (c1 f) (c1 g) && Qeq_bool (c2 f) (c2 g))%bool.
Definition total_quadratic (fs : list quadratic) : quadratic := fold_right plus nothing fs.
Definition reduced (X : Q) (y : quadratic) (c : Q) : quadratic := Quadratic (c0 y) (qsub (c1 y) (qmul X c)) (qsub (c2 y) c).
Definition check_cell (k : nat) (costs : list (list Q)) (A B X : Q) (low : level_point) (cell : level_cell) : bool :=
  (Nat.eqb (length (duals cell)) k && equal_quadratics (total_quadratic (duals cell)) (Quadratic 0 A B)
   && forallb (fun c => let L := total_of c in
        parts_at_most (map (fun j => reduced X (part (duals cell) j) (nth j c 0%Q)) (seq 0 k))
          (Quadratic (qsub (qmul L X) A) (qsub L B) 0) low (cell_ending cell)) costs)%bool.

Lemma total_quadratic_R fs u : qd (total_quadratic fs) u = sum (length fs) (fun j => qd (part fs j) u).
Proof.
  induction fs as [|f fs IH]; [apply nothing_R|].
  change (total_quadratic (f :: fs)) with (plus f (total_quadratic fs)). cbn [length]. rewrite sum_front.
  change (part (f :: fs) 0) with f.
  change (sum (length fs) (fun i => qd (part (f :: fs) (S i)) u)) with (sum (length fs) (fun i => qd (part fs i) u)).
  rewrite <- IH. unfold qd, plus; cbn [c0 c1 c2]. rewrite !qadd_R. ring.
Qed.

Lemma check_cell_ok k costs A B X low cell : (0 < k)%nat -> shaped (length costs) k costs = true ->
  check_cell k costs A B X low cell = true -> forall u, 0 <= u -> inside u low (cell_ending cell) ->
  forall P, mechanism k (length costs) P -> private k (length costs) (1 + u) 0 P ->
  Q2R A + Q2R B * u <= (u + Q2R X) * expected_cost k (length costs) (mat costs) P.
Proof.
  unfold check_cell. intros Hk Sh H u Hu U P M HP. split_checks. apply Nat.eqb_eq in H.
  unfold equal_quadratics in H1. split_checks. apply qeq_R in H1, H2, H3. cbn [c0 c1 c2] in *.
  apply (scaled_bound k _ (mat costs) P (fun j => qd (part (duals cell) j) u) u); auto.
  - rewrite <- H at 1. rewrite <- total_quadratic_R. unfold qd. rewrite H1, H2, H3, zero_R. ring.
  - intros d Hd. pose proof (forallb_nth _ _ [] H0 d Hd) as F. cbv beta zeta in F.
    pose proof (parts_at_most_ok _ _ _ _ F u U) as I. rewrite map_length, seq_length in I.
    assert (T : Q2R (total_of (nth d costs [])) = sum k (mat costs d)).
    { apply total_R. apply (shaped_row (length costs) k). auto. }
    unfold qd at 2 in I. cbn [c0 c1 c2] in I. rewrite !qsub_R, qmul_R, zero_R, T in I.
    eapply Rle_trans; [|eapply Rle_trans; [exact I|lra]]. apply Req_le, sum_ext. intros j Hj.
    unfold part at 2. rewrite map_seq_nth by auto. unfold qd at 2, reduced. cbn [c0 c1 c2]. rewrite !qsub_R, qmul_R.
    unfold qd. f_equal. unfold mat, vec. ring.
Qed.

(* Cells from `low` to the end of their piece, in strict order. *)
Fixpoint check_cells (k : nat) (costs : list (list Q)) (A B X : Q) (low : level_point) (last : option level_point) (cells : list level_cell) : bool :=
  match cells with
  | [] => false
  | [cell] => (check_cell k costs A B X low cell && before low (cell_ending cell) && same_end (cell_ending cell) last)%bool
  | cell :: others =>
    match cell_ending cell with
    | None => false
    | Some next => (check_cell k costs A B X low cell && before low (Some next) && check_cells k costs A B X next last others)%bool
    end
  end.

Lemma check_cells_ok k costs A B X last : (0 < k)%nat -> shaped (length costs) k costs = true ->
  forall cells low, check_cells k costs A B X low last cells = true -> forall u, 0 <= u -> inside u low last ->
  forall P, mechanism k (length costs) P -> private k (length costs) (1 + u) 0 P ->
  Q2R A + Q2R B * u <= (u + Q2R X) * expected_cost k (length costs) (mat costs) P.
Proof.
  intros Hk Sh. induction cells as [|cell others IH]; intros low H u Hu U P M HP; cbn [check_cells] in H; [discriminate|].
  destruct others as [|other others].
  - split_checks. apply (check_cell_ok k costs A B X low cell); auto. destruct U as [L E]. split; auto. eapply same_end_ok; eauto.
  - destruct (cell_ending cell) as [next|] eqn:E; [|discriminate]. split_checks.
    destruct (Rle_lt_dec (1 + u) (point_of next)) as [N|N].
    + apply (check_cell_ok k costs A B X low cell); auto. destruct U as [L _]. split; auto. rewrite E. exact N.
    + apply (IH next); auto. destruct U as [_ T]. split; auto. unfold level_u. lra.
Qed.

(* Pieces, each with its cells, and the whole certificate. *)
Definition member (r : cover_row) (j : nat) : bool := nth j (set_of r) false.
Definition row_total (rs : list cover_row) (f : cover_row -> Q) : Q := total_of (map (fun r => qmul (weight_of r) (f r)) rs).
Definition set_total (k : nat) (c : list Q) (r : cover_row) : Q := qsum k (fun j => if member r j then nth j c 0%Q else 0%Q).
Fixpoint same_sets (a b : list bool) : bool :=
  match a, b with [], [] => true | x :: a, y :: b => (Bool.eqb x y && same_sets a b)%bool | _, _ => false end.
Definition same_row (r s : cover_row) : bool := (Nat.eqb (output_of r) (output_of s) && same_sets (set_of r) (set_of s))%bool.
Fixpoint no_row_twice (rs : list cover_row) : bool :=
  match rs with [] => true | r :: others => (negb (existsb (same_row r) others) && no_row_twice others)%bool end.
Definition check_cover (k m : nat) (rs : list cover_row) : bool :=
  (forallb (fun r => (Nat.ltb (output_of r) m && Nat.eqb (length (set_of r)) k && existsb (fun b => b) (set_of r) && qlt 0 (weight_of r))%bool) rs
   && no_row_twice rs
   && forallb (fun j => Qeq_bool (row_total rs (fun r => if member r j then 1%Q else 0%Q)) 1) (seq 0 k))%bool.

Lemma row_total_R rs f : Q2R (row_total rs f) = over_rows rs (fun r => Q2R (weight_of r) * Q2R (f r)).
Proof.
  unfold row_total. induction rs as [|r rs IH]; cbn [map total_of over_rows]; [apply zero_R|].
  rewrite qadd_R, qmul_R, IH. reflexivity.
Qed.
Lemma member_R r j (c : Q) : Q2R (if member r j then c else 0%Q) = Q2R c * in_set r j.
Proof. unfold member, in_set. destruct (nth j (set_of r) false); rewrite ?zero_R; ring. Qed.
Lemma check_cover_ok k m rs : check_cover k m rs = true -> covers_once k m rs.
Proof.
  unfold check_cover. intros H. split_checks. split.
  - intros r R. rewrite forallb_forall in H. specialize (H r R). cbv beta in H. split_checks. split; [apply Nat.ltb_lt; auto|].
    apply qlt_R in H2. rewrite zero_R in H2. lra.
  - intros j Hj. pose proof (forallb_seq _ _ H0 j Hj) as E. cbv beta in E. apply qeq_R in E. rewrite row_total_R, one_R in E.
    rewrite <- E. apply over_ext. intros r _. rewrite member_R, one_R. ring.
Qed.

Definition check_piece (k : nat) (costs : list (list Q)) (low : level_point) (s : level_piece) (cells : list level_cell) : bool :=
  let rs := cover s in let row_of r := nth (output_of r) costs [] in
  let A := row_total rs (fun r => total_of (row_of r)) in
  let B := row_total rs (fun r => set_total k (row_of r) r) in
  let X := row_total rs (fun _ => 1%Q) in
  (check_cover k (length costs) rs
   && Qeq_bool (value_a s) (qsub A B) && Qeq_bool (value_b s) B && Qeq_bool (value_c s) (qsub X 1)
   && check_cells k costs A B X low (ending s) cells)%bool.

Lemma check_piece_ok k costs low s cells : (0 < k)%nat -> shaped (length costs) k costs = true ->
  check_piece k costs low s cells = true ->
  forall gamma, 1 <= gamma -> point_of low <= gamma -> up_to gamma (ending s) ->
  least_cost k (length costs) (mat costs) gamma (piece_value s gamma) (cover_mechanism (cover s) gamma).
Proof.
  unfold check_piece. intros Hk Sh H g Hg L U. split_checks. set (rs := cover s) in *.
  apply check_cover_ok in H. apply qeq_R in H3, H2, H1.
  set (A := row_total rs (fun r => total_of (nth (output_of r) costs []))) in *.
  set (B := row_total rs (fun r => set_total k (nth (output_of r) costs []) r)) in *.
  set (X := row_total rs (fun _ => 1%Q)) in *.
  assert (EA : Q2R A = all_costs k (mat costs) rs).
  { unfold A, all_costs. rewrite row_total_R. apply over_ext. intros r _. f_equal. apply total_R, (shaped_row (length costs) k); auto. }
  assert (EB : Q2R B = set_costs k (mat costs) rs).
  { unfold B, set_costs. rewrite row_total_R. apply over_ext. intros r _. f_equal. unfold set_total. rewrite qsum_R.
    apply sum_ext. intros j _. rewrite member_R. reflexivity. }
  assert (EX : Q2R X = total_weight rs).
  { unfold X, total_weight. rewrite row_total_R. apply over_ext. intros r _. rewrite one_R. ring. }
  rewrite qsub_R in H3, H1. rewrite one_R in H1.
  pose proof (total_weight_at_least_one k _ rs Hk H) as X1. pose proof (cover_mechanism_ok k _ rs g Hk Hg H) as [M PR].
  pose proof (cover_cost k _ (mat costs) rs g Hk Hg H) as C.
  assert (V : (g - 1 + total_weight rs) * piece_value s g = all_costs k (mat costs) rs + (g - 1) * set_costs k (mat costs) rs).
  { unfold piece_value. rewrite H3, H2, H1, EA, EB, EX. field. lra. }
  split; [auto|split; [auto|split]].
  - apply (Rmult_eq_reg_l (g - 1 + total_weight rs)); [|lra]. congruence.
  - intros P MP PP. apply (Rmult_le_reg_l (g - 1 + total_weight rs)); [lra|]. rewrite V, <- EA, <- EB, <- EX.
    rewrite (Rmult_comm (g - 1)). apply (check_cells_ok k costs A B X (ending s) Hk Sh cells low H0); auto; [lra|..].
    + split; [unfold level_u; lra|]. now replace (1 + (g - 1)) with g by ring.
    + now replace (1 + (g - 1)) with g by ring.
Qed.

Fixpoint check_pieces (k : nat) (costs : list (list Q)) (low : level_point) (last : option level_point) (ss : list level_piece)
    (cells : list (list level_cell)) : bool :=
  match ss, cells with
  | [s], [cs] => (check_piece k costs low s cs && same_end (ending s) last)%bool
  | s :: ss, cs :: cells =>
    match ending s with
    | None => false
    | Some next => (check_piece k costs low s cs && check_pieces k costs next last ss cells)%bool
    end
  | _, _ => false
  end.

Lemma check_pieces_start k costs low last s ss cells : check_pieces k costs low last (s :: ss) cells = true ->
  exists cs others, cells = cs :: others /\ check_piece k costs low s cs = true /\
  (ss = [] /\ same_end (ending s) last = true \/
   exists next, ending s = Some next /\ check_pieces k costs next last ss others = true).
Proof.
  destruct cells as [|cs others]; [destruct ss; discriminate|]. intros H. exists cs, others. split; auto.
  destruct ss as [|t ss]; [destruct others as [|o others]|]; cbn [check_pieces] in H.
  - split_checks. auto.
  - destruct (ending s); [|discriminate]. split_checks. discriminate.
  - destruct (ending s) as [next|]; [|discriminate]. split_checks. split; auto. right. exists next. auto.
Qed.

(* Covering: no level of the interval is left out. *)
Theorem some_piece : forall k costs last ss low cells, check_pieces k costs low last ss cells = true ->
  forall gamma, point_of low <= gamma -> up_to gamma last ->
  exists start s, In (start, s) (with_starts low ss) /\ point_of start <= gamma /\ up_to gamma (ending s).
Proof.
  intros k costs last. induction ss as [|s ss IH]; intros low cells H g L U; [destruct cells; discriminate|].
  destruct (check_pieces_start _ _ _ _ _ _ _ H) as (cs & others & _ & _ & [[E S]|(next & E & R)]).
  - exists low, s. split; [left; auto|]. split; auto. eapply same_end_ok; eauto.
  - destruct (Rle_lt_dec g (point_of next)) as [N|N].
    + exists low, s. split; [left; auto|]. split; auto. rewrite E. exact N.
    + destruct (IH next others R g ltac:(lra) U) as (start & t & I & T). exists start, t. split; auto.
      cbn [with_starts]. right. rewrite E. exact I.
Qed.

Lemma each_piece k costs last ss : (0 < k)%nat -> shaped (length costs) k costs = true ->
  forall low cells, check_pieces k costs low last ss cells = true ->
  forall gamma start s, 1 <= gamma -> In (start, s) (with_starts low ss) -> point_of start <= gamma -> up_to gamma (ending s) ->
  least_cost k (length costs) (mat costs) gamma (piece_value s gamma) (cover_mechanism (cover s) gamma).
Proof.
  intros Hk Sh. induction ss as [|t ss IH]; intros low cells H g start s Hg I L U; [contradiction|].
  destruct (check_pieces_start _ _ _ _ _ _ _ H) as (cs & others & _ & C & R). cbn [with_starts] in I. destruct I as [I|I].
  - injection I as <- <-. eapply check_piece_ok; eauto.
  - destruct R as [[-> _]|(next & E & R)]; [destruct (ending t); contradiction|]. rewrite E in I. eapply IH; eauto.
Qed.

Definition check_every_level (k : nat) (costs : list (list Q)) (from : level_point) (upto : option level_point) (ss : list level_piece)
    (cells : list (list level_cell)) : bool :=
  (Nat.ltb 0 k && shaped (length costs) k costs && at_least_zero (qsub (rational from) 1) (factor from) (radicand from)
   && check_pieces k costs from upto ss cells)%bool.

Theorem check_every_level_ok : forall k costs from upto ss cells,
  check_every_level k costs from upto ss cells = true -> best_at_every_level k costs from upto ss.
Proof.
  unfold check_every_level. intros k costs from upto ss cells H. split_checks. apply Nat.ltb_lt in H.
  apply at_least_zero_ok in H1. rewrite qsub_R, one_R in H1.
  assert (F : 1 <= point_of from) by (unfold point_of; fold (root (radicand from)); lra).
  intros g L U. split.
  - eapply some_piece; eauto.
  - intros start s I L' U'. eapply each_piece; eauto. lra.
Qed.

(* One piece alone: its two ends, and that gamma is at least 1. *)
Theorem check_every_level_piece : forall k costs from upto ss cells,
  check_every_level k costs from upto ss cells = true ->
  forall gamma start s, 1 <= gamma -> In (start, s) (with_starts from ss) -> point_of start <= gamma -> up_to gamma (ending s) ->
  least_cost k (length costs) (mat costs) gamma (piece_value s gamma) (cover_mechanism (cover s) gamma).
Proof.
  unfold check_every_level. intros k costs from upto ss cells H g start s Hg I L U. split_checks. apply Nat.ltb_lt in H.
  eapply each_piece; eauto.
Qed.
