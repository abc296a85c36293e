(* The way of rays, objectives that are sums over the outputs of a convex function of the row: information, divergences, mixtures.
   Such a function is the supremum of linear functions; one that is at most the cost on all rays is so on all rows. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith ZArith.
From Coq Require Import Classical_Prop.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists RayRules Logarithms.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Convex functions with values that may be infinite: D p says that the value at p is finite. ---- *)
Definition nonnegative (k : nat) (p : nat -> R) : Prop := forall j, (j < k)%nat -> 0 <= p j.
Definition linear (k : nat) (c p : nat -> R) : R := sum k (fun j => c j * p j).
Definition minorant (k : nat) (D : (nat -> R) -> Prop) (phi : (nat -> R) -> R) (c : nat -> R) : Prop :=
  forall p, nonnegative k p -> D p -> linear k c p <= phi p.
Definition supported (k : nat) (D : (nat -> R) -> Prop) (phi : (nat -> R) -> R) : Prop :=
  forall p, nonnegative k p ->
  (D p -> forall t, 0 < t -> exists c, minorant k D phi c /\ phi p <= linear k c p + t) /\
  (~ D p -> forall M, exists c, minorant k D phi c /\ M <= linear k c p).

Lemma supported_at_most k D phi p v : supported k D phi -> nonnegative k p ->
  (forall c, minorant k D phi c -> linear k c p <= v) -> D p /\ phi p <= v.
Proof.
  intros S N H. destruct (S p N) as [A B]. destruct (classic (D p)) as [Dp|ND].
  - split; auto. apply le_epsilon. intros t Ht. destruct (A Dp t Ht) as [c [Mc Lc]]. specialize (H c Mc). lra.
  - exfalso. destruct (B ND (v + 1)) as [c [Mc Lc]]. specialize (H c Mc). lra.
Qed.
Lemma some_minorant k D phi : supported k D phi -> exists c, minorant k D phi c.
Proof.
  intros S. destruct (S (fun _ => 0) ltac:(intros j _; lra)) as [A B]. destruct (classic (D (fun _ => 0))) as [Dp|ND].
  - destruct (A Dp 1 ltac:(lra)) as [c [Mc _]]. eauto.
  - destruct (B ND 0) as [c [Mc _]]. eauto.
Qed.

Lemma linear_plus k c d p : linear k (fun j => c j + d j) p = linear k c p + linear k d p.
Proof. unfold linear. rewrite <- sum_plus. apply sum_ext. intros; ring. Qed.
Lemma linear_scale k w c p : linear k (fun j => w * c j) p = w * linear k c p.
Proof. unfold linear. rewrite <- sum_scal. apply sum_ext. intros; ring. Qed.

Lemma supported_constant k : supported k (fun _ => True) (fun _ => 0).
Proof.
  intros p N. assert (Z : forall r, linear k (fun _ => 0) r = 0) by (intros; apply sum_zero; intros; ring).
  split; [|tauto]. intros _ t Ht. exists (fun _ => 0). split; [intros r _ _; rewrite Z; lra|rewrite Z; lra].
Qed.
Lemma supported_plus k D phi D' phi' : supported k D phi -> supported k D' phi' ->
  supported k (fun p => D p /\ D' p) (fun p => phi p + phi' p).
Proof.
  intros S S' p N.
  assert (Both : forall c c', minorant k D phi c -> minorant k D' phi' c' ->
    minorant k (fun p => D p /\ D' p) (fun p => phi p + phi' p) (fun j => c j + c' j)).
  { intros c c' M M' r Nr [Dr Dr']. rewrite linear_plus. specialize (M r Nr Dr). specialize (M' r Nr Dr'). lra. }
  destruct (S p N) as [A B], (S' p N) as [A' B']. split.
  - intros [Dp Dp'] t Ht. destruct (A Dp (t / 2) ltac:(lra)) as [c [Mc Lc]], (A' Dp' (t / 2) ltac:(lra)) as [c' [Mc' Lc']].
    exists (fun j => c j + c' j). split; [auto|]. rewrite linear_plus. lra.
  - intros ND M. destruct (classic (D p)) as [Dp|N1].
    + destruct (some_minorant k D phi S) as [c Mc]. destruct (B' ltac:(tauto) (M - linear k c p)) as [c' [Mc' Lc']].
      exists (fun j => c j + c' j). split; [auto|]. rewrite linear_plus. lra.
    + destruct (some_minorant k D' phi' S') as [c' Mc']. destruct (B N1 (M - linear k c' p)) as [c [Mc Lc]].
      exists (fun j => c j + c' j). split; [auto|]. rewrite linear_plus. lra.
Qed.
Lemma supported_scale k D phi w : 0 < w -> supported k D phi -> supported k D (fun p => w * phi p).
Proof.
  intros W S p N. destruct (S p N) as [A B].
  assert (Sc : forall c, minorant k D phi c -> minorant k D (fun p => w * phi p) (fun j => w * c j)).
  { intros c M r Nr Dr. rewrite linear_scale. apply Rmult_le_compat_l; [lra|auto]. }
  split.
  - intros Dp t Ht. destruct (A Dp (t / w)) as [c [Mc Lc]]; [apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]|].
    exists (fun j => w * c j). split; [auto|]. rewrite linear_scale. apply (Rmult_le_compat_l w) in Lc; [|lra].
    replace (w * (linear k c p + t / w)) with (w * linear k c p + t) in Lc by (field; lra). exact Lc.
  - intros ND M. destruct (B ND (M / w)) as [c [Mc Lc]]. exists (fun j => w * c j). split; [auto|]. rewrite linear_scale.
    apply (Rmult_le_compat_l w) in Lc; [|lra]. replace (w * (M / w)) with M in Lc by (field; lra). exact Lc.
Qed.
Lemma supported_ext k D D' phi phi' : (forall p, nonnegative k p -> D p <-> D' p) -> (forall p, phi p = phi' p) ->
  supported k D phi -> supported k D' phi'.
Proof.
  intros HD HP S p N. destruct (S p N) as [A B].
  assert (E : forall c, minorant k D phi c -> minorant k D' phi' c) by (intros c M r Nr Dr; rewrite <- HP; apply M; auto; apply HD; auto).
  split.
  - intros Dp t Ht. destruct (A (proj2 (HD p N) Dp) t Ht) as [c [Mc Lc]]. exists c. rewrite <- HP. auto.
  - intros ND M. destruct (B (fun X => ND (proj1 (HD p N) X)) M) as [c [Mc Lc]]. exists c. auto.
Qed.
Lemma supported_sum k n (D : nat -> (nat -> R) -> Prop) phi (w : nat -> R) :
  (forall b, (b < n)%nat -> 0 < w b) -> (forall b, (b < n)%nat -> supported k (D b) (phi b)) ->
  supported k (fun p => forall b, (b < n)%nat -> D b p) (fun p => sum n (fun b => w b * phi b p)).
Proof.
  induction n; intros W H.
  - apply (supported_ext k (fun _ => True) _ (fun _ => 0)); [split; [intros _ b Hb; lia|auto]|reflexivity|apply supported_constant].
  - apply (supported_ext k (fun p => (forall b, (b < n)%nat -> D b p) /\ D n p) _ (fun p => sum n (fun b => w b * phi b p) + w n * phi n p)).
    + intros p _. split; [intros [A B] b Hb; destruct (Nat.eq_dec b n) as [->|]; auto; apply A; lia|intros A; split; intros; apply A; lia].
    + reflexivity.
    + apply supported_plus; [apply IHn; intros; [apply W|apply H]; lia|apply supported_scale; [apply W; lia|apply H; lia]].
Qed.

(* Functions of two probabilities a and b of an output, under q and under r. *)
Definition law (k : nat) (q p : nat -> R) : R := sum k (fun j => p j * q j).
Definition supported_pair (D : R -> R -> Prop) (f : R -> R -> R) : Prop :=
  forall a b, 0 <= a -> 0 <= b ->
  let minor := fun x y => forall a b, 0 <= a -> 0 <= b -> D a b -> x * a + y * b <= f a b in
  (D a b -> forall t, 0 < t -> exists x y, minor x y /\ f a b <= x * a + y * b + t) /\
  (~ D a b -> forall M, exists x y, minor x y /\ M <= x * a + y * b).
Lemma law_nonneg k q p : nonnegative k q -> nonnegative k p -> 0 <= law k q p.
Proof. intros Q N. apply sum_nonneg. intros j Hj. apply Rmult_le_pos; auto. Qed.
Lemma linear_pair k q r x y p : linear k (fun j => x * q j + y * r j) p = x * law k q p + y * law k r p.
Proof. unfold linear, law. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros; ring. Qed.
Lemma supported_of_pair k D f q r : supported_pair D f -> nonnegative k q -> nonnegative k r ->
  supported k (fun p => D (law k q p) (law k r p)) (fun p => f (law k q p) (law k r p)).
Proof.
  intros S Q Rn p N. destruct (S (law k q p) (law k r p) (law_nonneg k q p Q N) (law_nonneg k r p Rn N)) as [A B]. cbv zeta in A, B.
  assert (E : forall x y, (forall a b, 0 <= a -> 0 <= b -> D a b -> x * a + y * b <= f a b) ->
    minorant k (fun p => D (law k q p) (law k r p)) (fun p => f (law k q p) (law k r p)) (fun j => x * q j + y * r j)).
  { intros x y H r' Nr Dr. rewrite linear_pair. apply H; auto; apply law_nonneg; auto. }
  split.
  - intros Dp t Ht. destruct (A Dp t Ht) as [x [y [M L]]]. exists (fun j => x * q j + y * r j). split; [auto|]. rewrite linear_pair. lra.
  - intros ND M. destruct (B ND M) as [x [y [Mi L]]]. exists (fun j => x * q j + y * r j). split; [auto|]. rewrite linear_pair. lra.
Qed.

Lemma ln_le_at a b : 0 < a -> a <= b -> ln a <= ln b.
Proof. intros A [H| ->]; [left; apply ln_increasing; auto|lra]. Qed.

Definition never_alone (a b : R) : Prop := b = 0 -> a = 0.
Definition f_kullback (a b : R) : R := a * ln (a / b).
Lemma supported_kullback : supported_pair never_alone f_kullback.
Proof.
  assert (Mi : forall s, 0 < s -> forall a b, 0 <= a -> 0 <= b -> never_alone a b -> (1 + ln s) * a + - s * b <= f_kullback a b).
  { intros s Hs a b Ha Hb Dab. unfold f_kullback. destruct (Req_dec a 0) as [->|Na]; [nra|].
    assert (Nb : b <> 0) by (intros E; apply Na, Dab, E). assert (A : 0 < a) by lra. assert (B : 0 < b) by lra.
    assert (P : 0 < b * s / a) by (apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat; auto]).
    pose proof (ln_at_most _ P) as X. rewrite ln_quotient, ln_mult in X by (auto; nra). rewrite ln_quotient by auto.
    assert (Y : a * (ln b + ln s - ln a) <= a * (b * s / a - 1)) by (apply Rmult_le_compat_l; lra).
    replace (a * (b * s / a - 1)) with (b * s - a) in Y by (field; lra). lra. }
  intros a b Ha Hb minor. split.
  - intros Dab t Ht. destruct (Req_dec a 0) as [->|Na].
    + set (s := t / (b + 1)). assert (S : 0 < s) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; lra]).
      exists (1 + ln s), (- s). split; [exact (Mi s S)|]. unfold f_kullback.
      assert (s * (b + 1) = t) by (unfold s; field; lra). nra.
    + assert (Nb : b <> 0) by (intros E; apply Na, Dab, E). set (s := a / b).
      assert (S : 0 < s) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
      exists (1 + ln s), (- s). split; [exact (Mi s S)|]. unfold f_kullback. fold s.
      assert (s * b = a) by (unfold s; field; auto). lra.
  - intros ND M. unfold never_alone in ND. assert (B0 : b = 0) by (apply NNPP; intros X; apply ND; tauto).
    assert (A0 : a <> 0) by tauto. exists (1 + ln (exp (M / a))), (- exp (M / a)). split; [exact (Mi _ (exp_pos _))|].
    rewrite B0, ln_exp. replace ((1 + M / a) * a + - exp (M / a) * 0) with (M + a) by (field; auto). lra.
Qed.

Definition f_chi (a b : R) : R := if Req_EM_T b 0 then 0 else (a - b) ^ 2 / b.
Lemma supported_chi : supported_pair never_alone f_chi.
Proof.
  assert (Mi : forall u a b, 0 <= a -> 0 <= b -> never_alone a b -> 2 * u * a + (- 2 * u - u ^ 2) * b <= f_chi a b).
  { intros u a b Ha Hb Dab. unfold f_chi. destruct (Req_EM_T b 0) as [Z|N]; [rewrite (Dab Z), Z; lra|].
    assert (P : 0 < b) by lra. apply (Rmult_le_reg_r b); auto. replace ((a - b) ^ 2 / b * b) with ((a - b) ^ 2) by (field; auto).
    pose proof (pow2_ge_0 (a - b - u * b)). nra. }
  intros a b Ha Hb minor. split.
  - intros Dab t Ht. set (u := if Req_EM_T b 0 then 0 else (a - b) / b). exists (2 * u), (- 2 * u - u ^ 2). split; [exact (Mi u)|].
    unfold f_chi, u. destruct (Req_EM_T b 0) as [Z|N]; [rewrite (Dab Z), Z; lra|].
    replace ((a - b) ^ 2 / b) with (2 * ((a - b) / b) * a + (- 2 * ((a - b) / b) - ((a - b) / b) ^ 2) * b) by (field; auto). lra.
  - intros ND M. unfold never_alone in ND. assert (B0 : b = 0) by (apply NNPP; intros X; apply ND; tauto).
    assert (A0 : a <> 0) by tauto. exists (2 * (M / (2 * a))), (- 2 * (M / (2 * a)) - (M / (2 * a)) ^ 2). split; [exact (Mi _)|].
    rewrite B0. right. field. auto.
Qed.

Definition f_variation (a b : R) : R := Rabs (a - b) / 2.
Lemma supported_variation : supported_pair (fun _ _ => True) f_variation.
Proof.
  intros a b Ha Hb minor. split; [|tauto]. intros _ t Ht. unfold f_variation.
  assert (Mi : forall u, Rabs u = 1 -> minor (u / 2) (- (u / 2))).
  { intros u Hu x y Hx Hy _. unfold f_variation. pose proof (Rle_abs (u * (x - y))) as X. rewrite Rabs_mult, Hu in X. lra. }
  destruct (Rle_lt_dec 0 (a - b)).
  - exists (1 / 2), (- (1 / 2)). split; [apply Mi, Rabs_R1|]. rewrite Rabs_right by lra. lra.
  - exists (-1 / 2), (- (-1 / 2)). split; [apply Mi; rewrite Rabs_left; lra|]. rewrite Rabs_left by lra. lra.
Qed.

Definition f_hellinger (a b : R) : R := (sqrt a - sqrt b) ^ 2 / 2.
Lemma hellinger_form a b : 0 <= a -> 0 <= b -> f_hellinger a b = (a + b) / 2 - sqrt (a * b).
Proof.
  intros A B. unfold f_hellinger. rewrite sqrt_mult by auto. pose proof (sqrt_sqrt a A). pose proof (sqrt_sqrt b B).
  replace ((sqrt a - sqrt b) ^ 2) with (sqrt a * sqrt a + sqrt b * sqrt b - 2 * (sqrt a * sqrt b)) by ring. lra.
Qed.
Lemma supported_hellinger : supported_pair (fun _ _ => True) f_hellinger.
Proof.
  assert (Mi : forall s, 0 < s -> forall a b, 0 <= a -> 0 <= b -> True -> (1 - s) / 2 * a + (1 - / s) / 2 * b <= f_hellinger a b).
  { intros s Hs a b Ha Hb _. unfold f_hellinger. pose proof (sqrt_sqrt a Ha) as A. pose proof (sqrt_sqrt b Hb) as B.
    set (x := sqrt a) in *. set (y := sqrt b) in *. rewrite <- A, <- B. apply (Rmult_le_reg_r (2 * s)); [lra|].
    replace (((1 - s) / 2 * (x * x) + (1 - / s) / 2 * (y * y)) * (2 * s)) with (s * (x * x) + s * (y * y) - (s * x * (s * x) + y * y)) by (field; lra).
    replace ((x - y) ^ 2 / 2 * (2 * s)) with (s * (x - y) ^ 2) by field. pose proof (pow2_ge_0 (s * x - y)). nra. }
  intros a b Ha Hb minor. split; [|tauto]. intros _ t Ht. pose proof (sqrt_sqrt a Ha) as A. pose proof (sqrt_sqrt b Hb) as B.
  pose proof (sqrt_pos a) as PA. pose proof (sqrt_pos b) as PB. unfold f_hellinger.
  destruct (Req_dec a 0) as [Za|Na]; [|destruct (Req_dec b 0) as [Zb|Nb]].
  - set (s := (b + 1) / t). assert (S : 0 < s) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; auto]).
    exists ((1 - s) / 2), ((1 - / s) / 2). split; [exact (Mi s S)|]. rewrite Za, sqrt_0.
    replace ((0 - sqrt b) ^ 2) with b by (rewrite <- B at 1; ring).
    assert (/ s * b <= t); [|lra]. unfold s. rewrite Rinv_div. apply (Rmult_le_reg_r (b + 1)); [lra|].
    replace (t / (b + 1) * b * (b + 1)) with (t * b) by (field; lra). nra.
  - set (s := t / (a + 1)). assert (S : 0 < s) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    exists ((1 - s) / 2), ((1 - / s) / 2). split; [exact (Mi s S)|]. rewrite Zb, sqrt_0.
    replace ((sqrt a - 0) ^ 2) with a by (rewrite <- A at 1; ring).
    assert (s * a <= t); [|lra]. assert (s * (a + 1) = t) by (unfold s; field; lra). nra.
  - assert (XA : 0 < sqrt a) by (apply sqrt_lt_R0; lra). assert (XB : 0 < sqrt b) by (apply sqrt_lt_R0; lra).
    set (s := sqrt b / sqrt a). assert (S : 0 < s) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]).
    exists ((1 - s) / 2), ((1 - / s) / 2). split; [exact (Mi s S)|].
    assert (E : (1 - s) / 2 * a + (1 - / s) / 2 * b = (sqrt a - sqrt b) ^ 2 / 2); [|rewrite E; lra].
    rewrite <- A at 1. rewrite <- B at 1. unfold s. field. lra.
Qed.

(* Powers: the tangent of y^r at 1. *)
Lemma power_tangent r y : r <> 0 -> r <> 1 -> 0 < y -> 0 <= (Rpower y r - 1 - r * (y - 1)) / (r * (r - 1)).
Proof.
  intros R0 R1 Y. set (M := 1 + r * (y - 1)). assert (P : 0 < Rpower y r) by apply exp_pos.
  assert (Iy : 0 < / y) by (apply Rinv_0_lt_compat; auto).
  assert (Lift : 0 < M -> ln M <= r * ln y -> M <= Rpower y r).
  { intros PM L. rewrite <- (exp_ln M PM). unfold Rpower. destruct L as [L| ->]; [left; apply exp_increasing, L|lra]. }
  destruct (Rlt_le_dec r 0) as [Neg|NN]; [|destruct (Rlt_le_dec r 1) as [Lt|Ge]].
  - assert (Z : 0 < r * (r - 1)) by nra. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; auto].
    destruct (Rle_lt_dec M 0) as [|PM]; [unfold M in *; lra|]. assert (M <= Rpower y r); [|unfold M in *; lra]. apply Lift; auto.
    pose proof (ln_at_most M PM) as L1. pose proof (ln_at_most y Y) as L2. apply (Rmult_le_compat_l (- r)) in L2; [|lra]. unfold M in L1 at 2. lra.
  - assert (Z : r * (r - 1) < 0) by nra. assert (PM : 0 < M) by (unfold M; nra).
    assert (U : Rpower y r <= M).
    { rewrite <- (exp_ln M PM). unfold Rpower. assert (L : r * ln y <= ln M).
      { assert (IM : 0 < / M) by (apply Rinv_0_lt_compat; auto).
        pose proof (ln_at_most (y * / M) ltac:(apply Rmult_lt_0_compat; auto)) as L1. pose proof (ln_at_most (/ M) IM) as L2.
        rewrite ln_mult in L1 by auto. rewrite ln_Rinv in L1, L2 by auto.
        apply (Rmult_le_compat_l r) in L1; [|lra]. apply (Rmult_le_compat_l (1 - r)) in L2; [|lra].
        assert (E : r * (y * / M - 1) + (1 - r) * (/ M - 1) = 0) by (unfold M; field; unfold M in PM; lra). lra. }
      destruct L as [L| ->]; [left; apply exp_increasing, L|lra]. }
    replace ((Rpower y r - 1 - r * (y - 1)) / (r * (r - 1))) with ((M - Rpower y r) / - (r * (r - 1))) by (unfold M; field; split; lra).
    apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra].
  - assert (Z : 0 < r * (r - 1)) by nra. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; auto].
    destruct (Rle_lt_dec M 0) as [|PM]; [unfold M in *; lra|]. assert (M <= Rpower y r); [|unfold M in *; lra]. apply Lift; auto.
    pose proof (ln_at_most (M * / y) ltac:(apply Rmult_lt_0_compat; auto)) as L1. pose proof (ln_at_most (/ y) Iy) as L2.
    rewrite ln_mult in L1 by auto. rewrite ln_Rinv in L1, L2 by auto. apply (Rmult_le_compat_l (r - 1)) in L2; [|lra].
    assert (E : M * / y - 1 + (r - 1) * (/ y - 1) = 0) by (unfold M; field; lra). lra.
Qed.

Definition f_power (r a b : R) : R := if Req_EM_T a 0 then 0 else if Req_EM_T b 0 then 0 else b * Rpower (a / b) r.
Definition f_alpha (r a b : R) : R := (f_power r a b - r * a - (1 - r) * b) / (r * (r - 1)).
Definition alpha_finite (r a b : R) : Prop := (1 < r -> b = 0 -> a = 0) /\ (r < 0 -> a = 0 -> b = 0).
Lemma power_step s r : 0 < s -> Rpower s r = s * Rpower s (r - 1).
Proof. intros S. rewrite <- (Rpower_1 s S) at 2. rewrite <- Rpower_plus. f_equal. ring. Qed.

Section Alpha.
Context (r : R) (R0 : r <> 0) (R1 : r <> 1).
Definition alpha_x (s : R) : R := (Rpower s (r - 1) - 1) / (r - 1).
Definition alpha_y (s : R) : R := - ((Rpower s r - 1) / r).
(* What is left of the divergence above its tangent at a = s b. *)
Lemma alpha_gap s a b : 0 < s -> 0 < a -> 0 < b ->
  f_alpha r a b - (alpha_x s * a + alpha_y s * b) = b * Rpower s r * ((Rpower (a / (b * s)) r - 1 - r * (a / (b * s) - 1)) / (r * (r - 1))).
Proof.
  intros S A B. unfold f_alpha, f_power, alpha_x, alpha_y. destruct (Req_EM_T a 0); [lra|]. destruct (Req_EM_T b 0); [lra|].
  assert (E : Rpower (a / b) r = Rpower s r * Rpower (a / (b * s)) r).
  { rewrite Rpower_mult_distr by (try apply Rmult_lt_0_compat; auto; apply Rinv_0_lt_compat; nra). f_equal. field. lra. }
  rewrite E, (power_step s r S). field. repeat split; try lra; nra.
Qed.
Lemma alpha_edges s a b : a = 0 \/ b = 0 ->
  f_alpha r a b - (alpha_x s * a + alpha_y s * b) = Rpower s r / r * b - Rpower s (r - 1) / (r - 1) * a.
Proof.
  intros E. assert (Z : f_power r a b = 0) by (unfold f_power; destruct (Req_EM_T a 0); auto; destruct (Req_EM_T b 0); auto; tauto).
  unfold f_alpha, alpha_x, alpha_y. rewrite Z. destruct E as [-> | ->]; field; lra.
Qed.
Lemma alpha_minor s : 0 < s -> forall a b, 0 <= a -> 0 <= b -> alpha_finite r a b -> alpha_x s * a + alpha_y s * b <= f_alpha r a b.
Proof.
  intros S a b A B [D1 D2]. assert (P : 0 < Rpower s r) by apply exp_pos. assert (P1 : 0 < Rpower s (r - 1)) by apply exp_pos.
  destruct (Req_dec a 0) as [Za|Na]; [|destruct (Req_dec b 0) as [Zb|Nb]].
  - pose proof (alpha_edges s a b (or_introl Za)) as E. rewrite Za in E at 3. assert (0 <= Rpower s r / r * b); [|lra].
    destruct (Rlt_le_dec r 0) as [N|N]; [rewrite (D2 N Za); lra|]. apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
  - pose proof (alpha_edges s a b (or_intror Zb)) as E. rewrite Zb in E at 3. destruct (Rlt_le_dec 1 r) as [G|L]; [tauto|].
    assert (0 <= Rpower s (r - 1) / (1 - r) * a).
    { apply Rmult_le_pos; auto. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
    replace (Rpower s (r - 1) / (r - 1)) with (- (Rpower s (r - 1) / (1 - r))) in E by (field; lra). lra.
  - pose proof (alpha_gap s a b S ltac:(lra) ltac:(lra)) as E.
    assert (Y : 0 < a / (b * s)) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; nra]).
    pose proof (power_tangent r _ R0 R1 Y) as T. assert (0 <= b * Rpower s r * ((Rpower (a / (b * s)) r - 1 - r * (a / (b * s) - 1)) / (r * (r - 1)))); [|lra].
    apply Rmult_le_pos; auto. apply Rmult_le_pos; lra.
Qed.
Lemma power_root x e : 0 < x -> e <> 0 -> Rpower (Rpower x (1 / e)) e = x.
Proof. intros X E. rewrite Rpower_mult. replace (1 / e * e) with 1 by (field; auto). apply Rpower_1, X. Qed.
Lemma supported_alpha : supported_pair (alpha_finite r) (f_alpha r).
Proof.
  intros a b A B minor. split.
  - intros D t Ht. destruct (Req_dec a 0) as [Za|Na]; [|destruct (Req_dec b 0) as [Zb|Nb]].
    + destruct (Req_dec b 0) as [Zb|Nb].
      * exists (alpha_x 1), (alpha_y 1). split; [exact (alpha_minor 1 ltac:(lra))|]. pose proof (alpha_edges 1 a b (or_introl Za)) as E.
        rewrite Za, Zb in E at 3. rewrite Za, Zb in E |- *. lra.
      * destruct D as [_ D2]. assert (Rp : 0 < r) by (destruct (Rlt_le_dec r 0) as [N|N]; [specialize (D2 N Za); contradiction|lra]).
        assert (X : 0 < t * r / b) by (apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat; lra]).
        set (s := Rpower (t * r / b) (1 / r)). assert (S : 0 < s) by apply exp_pos. exists (alpha_x s), (alpha_y s).
        split; [exact (alpha_minor s S)|]. pose proof (alpha_edges s a b (or_introl Za)) as E. unfold s in E at 3. rewrite (power_root _ r X R0) in E.
        rewrite Za in E at 3. replace (t * r / b / r * b) with t in E by (field; auto). lra.
    + destruct D as [D1 _]. assert (Rl : r < 1) by (destruct (Rlt_le_dec 1 r) as [N|N]; [specialize (D1 N Zb); contradiction|lra]).
      assert (X : 0 < t * (1 - r) / a) by (apply Rmult_lt_0_compat; [nra|apply Rinv_0_lt_compat; lra]).
      set (s := Rpower (t * (1 - r) / a) (1 / (r - 1))). assert (S : 0 < s) by apply exp_pos. exists (alpha_x s), (alpha_y s).
      split; [exact (alpha_minor s S)|]. pose proof (alpha_edges s a b (or_intror Zb)) as E. unfold s in E at 4.
      rewrite (power_root _ (r - 1) X ltac:(lra)) in E. rewrite Zb in E at 3. replace (t * (1 - r) / a / (r - 1) * a) with (- t) in E by (field; lra). lra.
    + set (s := a / b). assert (S : 0 < s) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]). exists (alpha_x s), (alpha_y s).
      split; [exact (alpha_minor s S)|]. pose proof (alpha_gap s a b S ltac:(lra) ltac:(lra)) as E.
      replace (a / (b * s)) with 1 in E by (unfold s; field; lra).
      replace (Rpower 1 r) with 1 in E by (unfold Rpower; rewrite ln_1, Rmult_0_r, exp_0; reflexivity).
      replace ((1 - 1 - r * (1 - 1)) / (r * (r - 1))) with 0 in E by (field; split; lra). lra.
  - intros ND M. unfold alpha_finite in ND. destruct (Rlt_le_dec 1 r) as [G|L].
    + assert (Zb : b = 0) by (apply NNPP; intros X; apply ND; split; [tauto|intros; lra]).
      assert (Na : a <> 0) by (intros X; apply ND; split; [tauto|intros; lra]).
      set (X := Rabs M * (r - 1) / a + 1). assert (IA : 0 < / a) by (apply Rinv_0_lt_compat; lra).
      assert (XP : 0 < X) by (unfold X, Rdiv; pose proof (Rabs_pos M); assert (0 <= Rabs M * (r - 1) * / a) by (apply Rmult_le_pos; nra); lra).
      exists (alpha_x (Rpower X (1 / (r - 1)))), (alpha_y (Rpower X (1 / (r - 1)))). split; [exact (alpha_minor _ (exp_pos _))|].
      unfold alpha_x. rewrite (power_root X (r - 1) XP ltac:(lra)), Zb. replace ((X - 1) / (r - 1) * a) with (Rabs M) by (unfold X; field; lra).
      pose proof (Rle_abs M). lra.
    + destruct (Rlt_le_dec r 0) as [G|L2]; [|exfalso; apply ND; split; intros; lra].
      assert (Za : a = 0) by (apply NNPP; intros X; apply ND; split; [intros; lra|tauto]).
      assert (Nb : b <> 0) by (intros X; apply ND; split; [intros; lra|tauto]).
      set (X := Rabs M * - r / b + 1). assert (IB : 0 < / b) by (apply Rinv_0_lt_compat; lra).
      assert (XP : 0 < X) by (unfold X, Rdiv; pose proof (Rabs_pos M); assert (0 <= Rabs M * - r * / b) by (apply Rmult_le_pos; nra); lra).
      exists (alpha_x (Rpower X (1 / r))), (alpha_y (Rpower X (1 / r))). split; [exact (alpha_minor _ (exp_pos _))|].
      unfold alpha_y. rewrite (power_root X r XP R0), Za. replace (- ((X - 1) / r) * b) with (Rabs M) by (unfold X; field; lra).
      pose proof (Rle_abs M). lra.
Qed.
End Alpha.

(* The largest of some linear functions. *)
Lemma largest_attained n f : (0 < n)%nat -> exists i, (i < n)%nat /\ largest n f = f i.
Proof.
  intros H. destruct n; [lia|]. clear H. induction n as [|n IH].
  - exists 0%nat. split; [lia|]. cbn [largest]. apply Rmax_left. lra.
  - destruct IH as [i [Hi E]]. cbn [largest] in *. destruct (Rle_lt_dec (f (S n)) (Rmax (largest n f) (f n))).
    + exists i. split; [lia|]. rewrite Rmax_left; auto.
    + exists (S n). split; [lia|]. apply Rmax_right. lra.
Qed.
Lemma supported_largest k n (c : nat -> nat -> R) : (0 < n)%nat ->
  supported k (fun _ => True) (fun p => largest n (fun d => linear k (c d) p)).
Proof.
  intros Hn p N. split; [|tauto]. intros _ t Ht. destruct (largest_attained n (fun d => linear k (c d) p) Hn) as [d [Hd E]].
  exists (c d). split; [|lra]. intros r _ _. apply (largest_ge n (fun d => linear k (c d) r) d Hd).
Qed.

(* Mutual information, row by row. *)
Definition row_information (k : nat) (q p : nat -> R) : R := sum k (fun j => q j * p j * ln (p j / law k q p)).
Lemma information_minorant k q y : distribution k q -> (forall j, (j < k)%nat -> 0 < y j) -> sum k (fun j => q j * y j) = 1 ->
  minorant k (fun _ => True) (row_information k q) (fun j => q j * ln (y j)).
Proof.
  intros [Q _] Y One p N _. unfold row_information, linear. set (s := law k q p).
  assert (S0 : 0 <= s) by (apply law_nonneg; auto).
  assert (T : sum k (fun j => q j * ln (y j) * p j - q j * p j * ln (p j / s)) <= sum k (fun j => s * (q j * y j) - p j * q j)).
  { apply sum_le. intros j Hj. destruct (Req_dec (q j * p j) 0) as [Z|NZ].
    - replace (q j * ln (y j) * p j) with (q j * p j * ln (y j)) by ring. rewrite Z.
      assert (0 <= s * (q j * y j)) by (apply Rmult_le_pos; auto; apply Rmult_le_pos; auto; left; auto). lra.
    - assert (Pj : 0 < p j). { specialize (N j Hj). destruct (Req_dec (p j) 0) as [E|]; [rewrite E in NZ; lra|lra]. }
      assert (Qj : 0 < q j). { specialize (Q j Hj). destruct (Req_dec (q j) 0) as [E|]; [rewrite E in NZ; lra|lra]. }
      assert (Sp : 0 < s). { apply (sum_pos k _ j); auto. intros h Hh. apply Rmult_le_pos; auto. cbn beta. apply Rmult_lt_0_compat; auto. }
      assert (X : 0 < y j * s / p j) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; auto|apply Rinv_0_lt_compat; auto]).
      pose proof (ln_at_most _ X) as L. rewrite ln_quotient, ln_mult in L by (auto; apply Rmult_lt_0_compat; auto).
      rewrite ln_quotient by auto. apply (Rmult_le_compat_l (q j * p j)) in L; [|apply Rmult_le_pos; lra].
      replace (q j * p j * (y j * s / p j - 1)) with (s * (q j * y j) - p j * q j) in L by (field; lra). lra. }
  rewrite !sum_minus, sum_scal, One in T. fold (law k q p) in T. fold s in T. lra.
Qed.
Lemma supported_information k q : distribution k q -> supported k (fun _ => True) (row_information k q).
Proof.
  intros Dq p N. split; [|tauto]. intros _ t Ht. pose proof Dq as [Q One]. set (s := law k q p).
  assert (S0 : 0 <= s) by (apply law_nonneg; auto). destruct (Req_dec s 0) as [Z|NZ].
  - exists (fun j => q j * ln 1). split.
    + apply (information_minorant k q (fun _ => 1)); auto; [intros; lra|]. transitivity (sum k q); [apply sum_ext; intros; ring|exact One].
    + unfold row_information. fold s. rewrite sum_zero.
      * unfold linear. rewrite sum_zero; [lra|]. intros. rewrite ln_1. ring.
      * intros j Hj. pose proof (sum_nonneg_zero k (fun j => p j * q j) (fun j Hj => Rmult_le_pos _ _ (N j Hj) (Q j Hj)) Z j Hj) as X.
        cbn beta in X. rewrite (Rmult_comm (q j)), X. ring.
  - assert (Sp : 0 < s) by lra. set (e := exp (- (t / s))). assert (Pos : 0 < e) by apply exp_pos.
    assert (E1 : e < 1). { unfold e. rewrite <- exp_0. apply exp_increasing. assert (0 < t / s); [|lra]. apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]. }
    set (y := fun j => e * (p j / s) + (1 - e)).
    assert (Y : forall j, (j < k)%nat -> 0 < y j).
    { intros j Hj. unfold y. assert (0 <= p j / s) by (apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; auto]). nra. }
    exists (fun j => q j * ln (y j)). split.
    + apply information_minorant; auto. unfold y. rewrite (sum_ext k _ (fun j => e / s * (p j * q j) + (1 - e) * q j)) by (intros; field; lra).
      rewrite sum_plus, !sum_scal, One. fold (law k q p). fold s. field. lra.
    + assert (F : sum k (fun j => q j * p j * ln (p j / s) - p j * q j * (t / s)) <= linear k (fun j => q j * ln (y j)) p).
      { apply sum_le. intros j Hj. destruct (Req_dec (p j) 0) as [E|NE]; [rewrite E; lra|]. specialize (N j Hj).
        assert (X : ln (p j / s) - t / s <= ln (y j)).
        { replace (ln (p j / s) - t / s) with (ln (p j / s * e)).
          - assert (0 < p j / s) by (apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; auto]).
            apply ln_le_at; [apply Rmult_lt_0_compat; auto|]. unfold y. lra.
          - rewrite (ln_mult (p j / s) e); [unfold e at 1; rewrite ln_exp; ring| |auto]. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; auto]. }
        apply (Rmult_le_compat_l (q j * p j)) in X; [|apply Rmult_le_pos; auto]. lra. }
      rewrite sum_minus, sum_scal_r in F. fold (law k q p) in F. fold s in F. fold (row_information k q p) in F.
      replace (s * (t / s)) with t in F by (field; lra). unfold row_information at 1. fold s. fold (row_information k q p).
      change (sum k (fun j => q j * p j * ln (p j / s))) with (row_information k q p) in F |- *. lra.
Qed.

(* ---- The objectives. ---- *)
Fixpoint row_value (k : nat) (q : nat -> R) (o : objective) (p : nat -> R) : R :=
  match o with
  | Payoff U => largest (length U) (fun d => linear k (fun j => q j * mat U d j) p)
  | TotalVariation r => f_variation (law k q p) (law k (vec r) p)
  | ChiSquare r => f_chi (law k q p) (law k (vec r) p)
  | MutualInformation => row_information k q p
  | KullbackLeibler r => f_kullback (law k q p) (law k (vec r) p)
  | Hellinger r => f_hellinger (law k q p) (law k (vec r) p)
  | JensenShannon r => let mid := middle q (vec r) in
    (f_kullback (law k q p) (law k mid p) + f_kullback (law k (vec r) p) (law k mid p)) / 2
  | AlphaDivergence r order => f_alpha (Q2R order) (law k q p) (law k (vec r) p)
  | Mixture o w qs => sum (length w) (fun b => vec w b * row_value k (mat qs b) o p)
  | _ => 0
  end.
Fixpoint row_finite (k : nat) (q : nat -> R) (o : objective) (p : nat -> R) : Prop :=
  match o with
  | ChiSquare r | KullbackLeibler r => never_alone (law k q p) (law k (vec r) p)
  | AlphaDivergence r order => alpha_finite (Q2R order) (law k q p) (law k (vec r) p)
  | Mixture o w qs => forall b, (b < length w)%nat -> row_finite k (mat qs b) o p
  | _ => True
  end.

Fixpoint fits (k : nat) (q : list Q) (o : objective) : bool :=
  match o with
  | Payoff U => Nat.ltb 0 (length U)
  | TotalVariation r | ChiSquare r | KullbackLeibler r | Hellinger r | JensenShannon r => (is_distribution k q && is_distribution k r)%bool
  | MutualInformation => is_distribution k q
  | AlphaDivergence r order => (is_distribution k q && is_distribution k r && negb (Qeq_bool order 0) && negb (Qeq_bool order 1))%bool
  | Mixture o w qs => (Nat.eqb (length w) (length qs) && Nat.ltb 0 (length w) && forallb (qlt 0) w && Qeq_bool (total_of w) 1
                       && forallb (is_distribution k) qs && forallb (fun q => fits k q o) qs)%bool
  | _ => false
  end.

Lemma rows_finite k m P o : forall q, (forall i, (i < m)%nat -> row_finite k q o (P i)) -> finite k m q o P.
Proof.
  induction o; intros q H; cbn [finite row_finite] in *; auto. split; intros E i Hi; apply (H i Hi); exact E.
Qed.
Lemma order_ok order : (negb (Qeq_bool order 0) && negb (Qeq_bool order 1))%bool = true -> Q2R order <> 0 /\ Q2R order <> 1.
Proof.
  intros H. apply both in H as [A B]. split; intros E.
  - assert (X : (order == 0)%Q) by (apply eqR_Qeq; rewrite zero_R; exact E). apply Qeq_bool_iff in X. rewrite X in A. discriminate.
  - assert (X : (order == 1)%Q) by (apply eqR_Qeq; rewrite one_R; exact E). apply Qeq_bool_iff in X. rewrite X in B. discriminate.
Qed.
Lemma rows_value k m P o : mechanism k m P -> forall q, fits k q o = true -> criterion k m (vec q) o P = sum m (fun i => row_value k (vec q) o (P i)).
Proof.
  intros Me. induction o; intros q F; cbn [fits] in F; try discriminate; cbn [criterion row_value]; try reflexivity.
  - unfold total_variation, Rdiv. rewrite <- sum_scal_r. reflexivity.
  - unfold hellinger, Rdiv. rewrite <- sum_scal_r. reflexivity.
  - unfold jensen_shannon, kullback_leibler, Rdiv. rewrite <- sum_plus, <- sum_scal_r. reflexivity.
  - apply both in F as [[[D1 D2]%both _]%both _]. apply is_distribution_ok in D1, D2.
    pose proof (proj2 (answers_distribution k m P _ Me D1)) as S1. pose proof (proj2 (answers_distribution k m P _ Me D2)) as S2.
    unfold alpha_divergence, f_alpha, Rdiv. rewrite sum_scal_r, !sum_minus, !sum_scal.
    change (fun i => law k (vec q) (P i)) with (answers k P (vec q)). change (fun i => law k (vec against) (P i)) with (answers k P (vec against)).
    rewrite S1, S2. f_equal.
    match goal with |- _ = ?x - ?r * 1 - (1 - ?r) * 1 => replace (x - r * 1 - (1 - r) * 1) with (x - 1) by ring end. reflexivity.
  - apply both in F as [[[[[L _]%both _]%both _]%both _]%both F]. apply Nat.eqb_eq in L. rewrite sum_swap. apply sum_ext. intros b Hb.
    rewrite sum_scal. f_equal. apply IHo. apply (forallb_nth _ _ [] F). lia.
Qed.

Lemma law_middle k q r p : law k (middle q r) p = (law k q p + law k r p) / 2.
Proof. unfold law, middle, Rdiv. rewrite <- sum_plus, <- sum_scal_r. apply sum_ext. intros; field. Qed.
Lemma distribution_nonneg k q : is_distribution k q = true -> nonnegative k (vec q).
Proof. intros D. exact (proj1 (is_distribution_ok k q D)). Qed.

Lemma rows_supported k o : forall q, fits k q o = true -> supported k (row_finite k (vec q) o) (row_value k (vec q) o).
Proof.
  induction o; intros q F; cbn [fits] in F; try discriminate; cbn [row_finite row_value].
  - apply supported_largest. apply Nat.ltb_lt, F.
  - apply both in F as [F1 F2]. apply (supported_of_pair k (fun _ _ => True)); auto using supported_variation, distribution_nonneg.
  - apply both in F as [F1 F2]. apply (supported_of_pair k never_alone); auto using supported_chi, distribution_nonneg.
  - apply supported_information, is_distribution_ok, F.
  - apply both in F as [F1 F2]. apply (supported_of_pair k never_alone); auto using supported_kullback, distribution_nonneg.
  - apply both in F as [F1 F2]. apply (supported_of_pair k (fun _ _ => True)); auto using supported_hellinger, distribution_nonneg.
  - apply both in F as [F1%distribution_nonneg F2%distribution_nonneg]. set (r := vec against) in *. set (mid := middle (vec q) r).
    assert (M : nonnegative k mid) by (intros j Hj; unfold mid, middle; specialize (F1 j Hj); specialize (F2 j Hj); lra).
    assert (K : forall x, nonnegative k x -> supported k (fun p => never_alone (law k x p) (law k mid p)) (fun p => f_kullback (law k x p) (law k mid p))).
    { intros x X. apply (supported_of_pair k never_alone); auto using supported_kullback. }
    pose proof (supported_scale k _ _ (/ 2) ltac:(lra) (supported_plus k _ _ _ _ (K _ F1) (K _ F2))) as S.
    eapply supported_ext; [| |exact S].
    + intros p N. cbn beta. split; [auto|]. intros _. unfold never_alone. unfold mid. rewrite law_middle.
      pose proof (law_nonneg k _ p F1 N). pose proof (law_nonneg k _ p F2 N). split; lra.
    + intros p. cbn beta. unfold Rdiv. ring.
  - apply both in F as [[[F1 F2]%both O1]%both O2]. destruct (order_ok order) as [N0 N1]; [rewrite O1, O2; reflexivity|].
    apply (supported_of_pair k (alpha_finite (Q2R order))); auto using supported_alpha, distribution_nonneg.
  - apply both in F as [[[[[L _]%both W]%both _]%both _]%both F]. apply Nat.eqb_eq in L.
    apply (supported_sum k (length weights) (fun b => row_finite k (mat populations b) o) (fun b => row_value k (mat populations b) o)).
    + intros b Hb. pose proof (forallb_nth _ _ 0%Q W b Hb) as X. cbn beta in X. apply qlt_R in X. rewrite zero_R in X. exact X.
    + intros b Hb. apply IHo. apply (forallb_nth _ _ [] F). lia.
Qed.

(* ---- The value of a row of rationals between rationals. ---- *)
(* Equal entries of the row count once: their shares are added. *)
Fixpoint insert (x w : Q) (gs : list (Q * Q)) : list (Q * Q) :=
  match gs with [] => [(x, w)] | (y, v) :: t => if Qeq_bool x y then (y, qadd v w) :: t else (y, v) :: insert x w t end.
Fixpoint grouped (r q : list Q) : list (Q * Q) :=
  match r, q with x :: r, w :: q => insert x w (grouped r q) | _, _ => [] end.
Fixpoint groups_value (s : R) (gs : list (Q * Q)) : R :=
  match gs with [] => 0 | (x, w) :: gs => Q2R w * Q2R x * ln (Q2R x / s) + groups_value s gs end.
Lemma insert_value s x w gs : groups_value s (insert x w gs) = Q2R w * Q2R x * ln (Q2R x / s) + groups_value s gs.
Proof.
  induction gs as [|[y v] gs IH]; cbn [insert groups_value]; [ring|]. destruct (Qeq_bool x y) eqn:E; cbn [groups_value].
  - apply qeq_R in E. rewrite E, qadd_R. ring.
  - rewrite IH. ring.
Qed.
Lemma grouped_value s r : forall q k, (length q <= k)%nat ->
  groups_value s (grouped r q) = sum k (fun j => vec q j * vec r j * ln (vec r j / s)).
Proof.
  induction r as [|x r IH]; intros q k L; cbn [grouped].
  - cbn [groups_value]. symmetry. apply sum_zero. intros j _. rewrite (vec_nil j). ring.
  - destruct q as [|w q].
    + cbn [groups_value]. symmetry. apply sum_zero. intros j _. rewrite (vec_nil j). ring.
    + destruct k as [|k]; [cbn in L; lia|]. rewrite insert_value, sum_front, (IH q k) by (cbn in L; lia). reflexivity.
Qed.

Fixpoint groups_ends (t : precision) (s : Q) (gs : list (Q * Q)) : option (Q * Q) :=
  match gs with
  | [] => Some (0%Q, 0%Q)
  | (x, w) :: gs =>
    match groups_ends t s gs with
    | None => None
    | Some (l, h) =>
      let y := qmul w x in
      if Qeq_bool y 0 then Some (l, h) else
      if qlt 0 y then
        match log_ends t (Qred (Qdiv x s)) with Some (a, b) => Some (qadd l (qmul y a), qadd h (qmul y b)) | None => None end
      else None
    end
  end.
Lemma groups_ends_ok t s gs : precise t -> 0 < Q2R s -> forall l h, groups_ends t s gs = Some (l, h) ->
  Q2R l <= groups_value (Q2R s) gs <= Q2R h.
Proof.
  intros T S. assert (NZ : ~ (s == 0)%Q) by (intros X; apply Qeq_eqR in X; rewrite zero_R in X; lra).
  induction gs as [|[x w] gs IH]; intros l h H; cbn [groups_ends groups_value] in *.
  - apply some_pair in H as [<- <-]. rewrite zero_R. lra.
  - destruct (groups_ends t s gs) as [[l' h']|]; [|discriminate]. specialize (IH l' h' eq_refl). cbv zeta in H.
    rewrite <- qmul_R. set (y := qmul w x) in *. destruct (Qeq_bool y 0) eqn:Z.
    + apply qeq_R in Z. rewrite zero_R in Z. apply some_pair in H as [<- <-]. rewrite Z. lra.
    + destruct (qlt 0 y) eqn:P; [|discriminate]. apply qlt_R in P. rewrite zero_R in P.
      destruct (log_ends t (Qred (Qdiv x s))) as [[a b]|] eqn:LE; [|discriminate]. apply some_pair in H as [<- <-].
      apply log_ends_ok in LE; auto. rewrite Q2R_red, Q2R_div in LE by auto. destruct LE as [_ [La Lb]].
      rewrite !qadd_R, !qmul_R. apply (Rmult_le_compat_l (Q2R y)) in La; [|lra]. apply (Rmult_le_compat_l (Q2R y)) in Lb; [|lra]. lra.
Qed.

Definition kullback_ends (t : precision) (a b : Q) : option (Q * Q) :=
  if Qeq_bool a 0 then Some (0%Q, 0%Q) else
  if (Qeq_bool b 0 || negb (qlt 0 a))%bool then None else
  match log_ends t (Qred (Qdiv a b)) with Some (x, y) => Some (qmul a x, qmul a y) | None => None end.
Lemma kullback_ends_ok t a b l h : precise t -> kullback_ends t a b = Some (l, h) ->
  never_alone (Q2R a) (Q2R b) /\ Q2R l <= f_kullback (Q2R a) (Q2R b) <= Q2R h.
Proof.
  intros T H. unfold kullback_ends in H. unfold f_kullback, never_alone. destruct (Qeq_bool a 0) eqn:A.
  - apply qeq_R in A. rewrite zero_R in A. apply some_pair in H as [<- <-]. rewrite A, zero_R. split; [auto|lra].
  - destruct (Qeq_bool b 0) eqn:B; [discriminate|]. destruct (qlt 0 a) eqn:P; [|discriminate]. cbn [orb negb] in H. apply qlt_R in P. rewrite zero_R in P.
    assert (NZ : ~ (b == 0)%Q) by (intros X; apply Qeq_bool_iff in X; congruence).
    assert (NR : Q2R b <> 0) by (intros X; apply NZ, eqR_Qeq; rewrite zero_R; exact X).
    destruct (log_ends t (Qred (Qdiv a b))) as [[x y]|] eqn:LE; [|discriminate]. apply some_pair in H as [<- <-].
    apply log_ends_ok in LE; auto. rewrite Q2R_red, Q2R_div in LE by auto. destruct LE as [_ [La Lb]]. rewrite !qmul_R.
    split; [tauto|]. split; apply Rmult_le_compat_l; lra.
Qed.

Definition root_ends (t : precision) (x : Q) : option (Q * Q) :=
  let u := unit_of t in
  let s := Z.sqrt (Z.div (Qnum x * (Zpos u * Zpos u)) (Zpos (Qden x))) in
  let l := Qmake s u in let h := Qmake (s + 1) u in
  if (Qle_bool 0 x && Qle_bool 0 l && Qle_bool 0 h && Qle_bool (Qmult l l) x && Qle_bool x (Qmult h h))%bool then Some (Qred l, Qred h) else None.
Lemma root_ends_ok t x l h : root_ends t x = Some (l, h) -> Q2R l <= sqrt (Q2R x) <= Q2R h.
Proof.
  unfold root_ends. cbv zeta. set (s := Z.sqrt _). set (l0 := Qmake s (unit_of t)). set (h0 := Qmake (s + 1) (unit_of t)). intros H.
  destruct (Qle_bool 0 x && Qle_bool 0 l0 && Qle_bool 0 h0 && Qle_bool (Qmult l0 l0) x && Qle_bool x (Qmult h0 h0))%bool eqn:C; [|discriminate].
  apply some_pair in H as [<- <-]. apply both in C as [[[[X%qle_R L%qle_R]%both HH%qle_R]%both A%qle_R]%both B%qle_R].
  rewrite zero_R in X, L, HH. rewrite Q2R_mult in A, B. rewrite !Q2R_red. split.
  - rewrite <- (sqrt_square (Q2R l0)) by auto. apply sqrt_le_1_alt. exact A.
  - rewrite <- (sqrt_square (Q2R h0)) by auto. apply sqrt_le_1_alt. exact B.
Qed.

(* x^(n/d) for x > 0: x^n exactly, then the root by trial of its bits. *)
Fixpoint root_bits (i : nat) (bit : Z) (d : positive) (u : positive) (y : Q) (s : Z) : Z :=
  match i with
  | O => s
  | S i => let c := (s + bit)%Z in root_bits i (bit / 2)%Z d u y (if Qle_bool (qpower (Qmake c u) d) y then c else s)
  end.
Definition power_ends (t : precision) (x order : Q) : option (Q * Q) :=
  let d := Qden order in
  let y := match Qnum order with Z0 => 1%Q | Zpos n => Qred (qpower x n) | Zneg n => Qred (Qinv (qpower x n)) end in
  if negb (qlt 0 x) then None else
  if Pos.eqb d 1 then Some (y, y) else
  let u := unit_of t in
  let top := Z.to_nat (Z.max 0 (Z.log2 (Qnum y) - Z.log2 (Zpos (Qden y))) + Z.log2 (Zpos u) + 2) in
  let s := root_bits (S top) (Z.pow 2 (Z.of_nat top)) d u y 0 in
  let l := Qmake s u in let h := Qmake (s + 1) u in
  if (Qle_bool 0 l && Qle_bool 0 h && Qle_bool (qpower l d) y && Qle_bool y (qpower h d))%bool then Some (Qred l, Qred h) else None.
Lemma power_ends_ok t x order l h : power_ends t x order = Some (l, h) -> 0 < Q2R x /\ Q2R l <= Rpower (Q2R x) (Q2R order) <= Q2R h.
Proof.
  unfold power_ends. cbv zeta. destruct order as [n d]. cbn [Qnum Qden].
  set (y := match n with Z0 => 1%Q | Zpos n => Qred (qpower x n) | Zneg n => Qred (Qinv (qpower x n)) end).
  destruct (qlt 0 x) eqn:X; [|discriminate]. cbn [negb]. apply qlt_R in X. rewrite zero_R in X. intros H. split; [exact X|].
  assert (Y : Q2R y = Rpower (Q2R x) (IZR n)).
  { unfold y. destruct n as [|n|n].
    - rewrite one_R, Rpower_O; auto.
    - rewrite Q2R_red, qpower_R, <- Rpower_pow, INR_IPR by auto. reflexivity.
    - assert (N : ~ (qpower x n == 0)%Q).
      { intros Z. apply Qeq_eqR in Z. rewrite zero_R, qpower_R in Z. pose proof (pow_lt _ (Pos.to_nat n) X). lra. }
      rewrite Q2R_red, Q2R_inv, qpower_R, <- Rpower_pow, <- Rpower_Ropp, INR_IPR by auto. reflexivity. }
  set (v := Rpower (Q2R x) (Q2R (n # d))). assert (V0 : 0 < v) by apply exp_pos.
  assert (V : v ^ Pos.to_nat d = Q2R y).
  { unfold v. rewrite Y, <- Rpower_pow, Rpower_mult by auto. f_equal. unfold Q2R; cbn [Qnum Qden]. rewrite INR_IPR.
    change (IPR d) with (IZR (Zpos d)). assert (IZR (Zpos d) <> 0) by (apply not_0_IZR; discriminate). field. auto. }
  destruct (Pos.eqb d 1) eqn:D.
  - apply Pos.eqb_eq in D. subst d. apply some_pair in H as [<- <-]. rewrite <- V. change (Pos.to_nat 1) with 1%nat. lra.
  - set (s := root_bits _ _ _ _ _ _) in *. set (l0 := Qmake s (unit_of t)) in *. set (h0 := Qmake (s + 1) (unit_of t)) in *.
    destruct (Qle_bool 0 l0 && Qle_bool 0 h0 && Qle_bool (qpower l0 d) y && Qle_bool y (qpower h0 d))%bool eqn:C; [|discriminate].
    apply some_pair in H as [<- <-]. apply both in C as [[[L%qle_R HH%qle_R]%both A%qle_R]%both B%qle_R]. rewrite zero_R in L, HH.
    rewrite qpower_R in A, B. rewrite <- V in A, B. pose proof (Pos2Nat.is_pos d). rewrite !Q2R_red.
    split; eapply pow_le_cancel; eauto; lra.
Qed.

Definition alpha_ends (t : precision) (order a b : Q) : option (Q * Q) :=
  let c := Qred (Qinv (qmul order (qsub order 1))) in
  let rest := qadd (qmul order a) (qmul (qsub 1 order) b) in
  if (Qeq_bool a 0 || Qeq_bool b 0)%bool then
    if ((qlt 1 order && Qeq_bool b 0 && negb (Qeq_bool a 0)) || (qlt order 0 && Qeq_bool a 0 && negb (Qeq_bool b 0)))%bool then None
    else let v := qmul c (Qopp rest) in Some (v, v)
  else if qlt 0 b then
    match power_ends t (Qred (Qdiv a b)) order with
    | Some (l, h) =>
      let x := qmul c (qsub (qmul b l) rest) in let y := qmul c (qsub (qmul b h) rest) in
      if Qle_bool 0 c then Some (x, y) else Some (y, x)
    | None => None
    end
  else None.
Lemma not_zero_R a : Qeq_bool a 0 = false -> Q2R a <> 0.
Proof. intros H E. assert (X : (a == 0)%Q) by (apply eqR_Qeq; rewrite zero_R; exact E). apply Qeq_bool_iff in X. congruence. Qed.
Lemma alpha_ends_ok t order a b l h : Q2R order <> 0 -> Q2R order <> 1 -> 0 <= Q2R a -> alpha_ends t order a b = Some (l, h) ->
  alpha_finite (Q2R order) (Q2R a) (Q2R b) /\ Q2R l <= f_alpha (Q2R order) (Q2R a) (Q2R b) <= Q2R h.
Proof.
  intros R0 R1 A0 H. unfold alpha_ends in H. cbv zeta in H. set (r := Q2R order) in *.
  set (c := Qred (Qinv (qmul order (qsub order 1)))) in *. set (rest := qadd (qmul order a) (qmul (qsub 1 order) b)) in *.
  assert (RR : r * (r - 1) <> 0) by (apply Rmult_integral_contrapositive; split; [auto|lra]).
  assert (QQ : Q2R (qmul order (qsub order 1)) = r * (r - 1)) by (rewrite qmul_R, qsub_R, one_R; reflexivity).
  assert (C : Q2R c = / (r * (r - 1))).
  { unfold c. rewrite Q2R_red, Q2R_inv, QQ; [reflexivity|]. intros X. apply Qeq_eqR in X. rewrite zero_R, QQ in X. contradiction. }
  assert (Re : Q2R rest = r * Q2R a + (1 - r) * Q2R b) by (unfold rest; rewrite qadd_R, !qmul_R, qsub_R, one_R; reflexivity).
  assert (F : forall p, (p - r * Q2R a - (1 - r) * Q2R b) / (r * (r - 1)) = Q2R c * (p - Q2R rest)) by (intros; rewrite C, Re; unfold Rdiv; ring).
  unfold f_alpha. rewrite F. unfold f_power, alpha_finite.
  destruct (Qeq_bool a 0) eqn:Za; [|destruct (Qeq_bool b 0) eqn:Zb]; cbn [orb] in H.
  - apply qeq_R in Za. rewrite zero_R in Za. rewrite andb_false_r in H. cbn [orb] in H. rewrite andb_true_r in H.
    destruct (qlt order 0 && negb (Qeq_bool b 0))%bool eqn:X; [discriminate|]. apply some_pair in H as [<- <-].
    destruct (Req_EM_T (Q2R a) 0); [|contradiction]. rewrite qmul_R, Q2R_opp. split; [|lra]. split; [auto|]. intros N _.
    destruct (Qeq_bool b 0) eqn:Y; [apply qeq_R in Y; rewrite zero_R in Y; exact Y|]. rewrite andb_true_r in X.
    assert (Z : qlt order 0 = true); [|congruence]. unfold qlt. destruct (Qle_bool 0 order) eqn:W; auto. apply qle_R in W. rewrite zero_R in W. unfold r in N. lra.
  - pose proof (not_zero_R a Za) as Na. apply qeq_R in Zb. rewrite zero_R in Zb. rewrite andb_false_r, andb_true_r, orb_false_r in H. cbn [negb] in H.
    destruct (qlt 1 order && true)%bool eqn:X; [discriminate|]. apply some_pair in H as [<- <-].
    destruct (Req_EM_T (Q2R a) 0); [contradiction|]. destruct (Req_EM_T (Q2R b) 0); [|contradiction]. rewrite qmul_R, Q2R_opp. split; [|lra].
    split; [|tauto]. intros N _. exfalso. rewrite andb_true_r in X. assert (Z : qlt 1 order = true); [|congruence].
    unfold qlt. destruct (Qle_bool order 1) eqn:W; auto. apply qle_R in W. rewrite one_R in W. unfold r in N. lra.
  - pose proof (not_zero_R a Za) as Na. pose proof (not_zero_R b Zb) as Nb. split; [tauto|].
    destruct (qlt 0 b) eqn:P; [|discriminate]. apply qlt_R in P. rewrite zero_R in P.
    destruct (power_ends t (Qred (Qdiv a b)) order) as [[x y]|] eqn:PE; [|discriminate]. apply power_ends_ok in PE as [_ PE].
    assert (NB : ~ (b == 0)%Q) by (intros X; apply Qeq_bool_iff in X; congruence).
    rewrite Q2R_red, Q2R_div in PE by auto. fold r in PE. destruct (Req_EM_T (Q2R a) 0); [contradiction|]. destruct (Req_EM_T (Q2R b) 0); [contradiction|].
    set (w := Rpower (Q2R a / Q2R b) r) in *. destruct PE as [P1 P2]. apply (Rmult_le_compat_l (Q2R b)) in P1; [|lra]. apply (Rmult_le_compat_l (Q2R b)) in P2; [|lra].
    destruct (Qle_bool 0 c) eqn:S; apply some_pair in H as [<- <-]; rewrite !qmul_R, !qsub_R, !qmul_R.
    + apply qle_R in S. rewrite zero_R in S. split; apply Rmult_le_compat_l; lra.
    + apply qle_false in S. rewrite zero_R in S. split; apply Rmult_le_compat_neg_l; lra.
Qed.

Definition exactly (v : Q) : option (Q * Q) := Some (v, v).
Definition chi_of (a b : Q) : option (Q * Q) :=
  if Qeq_bool b 0 then if Qeq_bool a 0 then exactly 0 else None else let d := qsub a b in exactly (Qred (Qdiv (qmul d d) b)).
Fixpoint mixed_ends (f : list Q -> option (Q * Q)) (w : list Q) (qs : list (list Q)) : option (Q * Q) :=
  match w, qs with
  | x :: w, q :: qs =>
    match f q, mixed_ends f w qs with
    | Some (a, b), Some (l, h) => Some (qadd (qmul x a) l, qadd (qmul x b) h)
    | _, _ => None
    end
  | _, _ => Some (0%Q, 0%Q)
  end.
Fixpoint row_ends (t : precision) (o : objective) (r q : list Q) : option (Q * Q) :=
  match o with
  | Payoff U => exactly (qlargest (length U) (fun d => qsum (length q) (fun j => qmul (qmul (nth j q 0%Q) (entry U d j)) (nth j r 0%Q))))
  | TotalVariation x => exactly (qmul (1 # 2) (qabs (qsub (dot q r) (dot x r))))
  | ChiSquare x => chi_of (dot q r) (dot x r)
  | MutualInformation => let s := dot q r in if Qeq_bool s 0 then exactly 0 else if qlt 0 s then groups_ends t s (grouped r q) else None
  | KullbackLeibler x => kullback_ends t (dot q r) (dot x r)
  | Hellinger x => let a := dot q r in let b := dot x r in
    match root_ends t (qmul a b) with
    | Some (l, h) => let m := qmul (1 # 2) (qadd a b) in Some (qsub m h, qsub m l)
    | None => None
    end
  | JensenShannon x => let a := dot q r in let b := dot x r in let m := qmul (1 # 2) (qadd a b) in
    match kullback_ends t a m, kullback_ends t b m with
    | Some (l, h), Some (l', h') => Some (qmul (1 # 2) (qadd l l'), qmul (1 # 2) (qadd h h'))
    | _, _ => None
    end
  | AlphaDivergence x order => alpha_ends t order (dot q r) (dot x r)
  | Mixture o w qs => mixed_ends (row_ends t o r) w qs
  | _ => None
  end.

Lemma mixed_ends_ok f w : forall qs (F : nat -> R) (E : nat -> Prop) l h, length w = length qs -> forallb (qlt 0) w = true ->
  (forall b, (b < length w)%nat -> forall l h, f (nth b qs []) = Some (l, h) -> E b /\ Q2R l <= F b <= Q2R h) -> mixed_ends f w qs = Some (l, h) ->
  (forall b, (b < length w)%nat -> E b) /\ Q2R l <= sum (length w) (fun b => vec w b * F b) <= Q2R h.
Proof.
  induction w as [|x w IH]; intros qs F E l h L W H M; cbn [mixed_ends] in M.
  - apply some_pair in M as [<- <-]. cbn. rewrite zero_R. split; [intros; lia|lra].
  - destruct qs as [|q qs]; [discriminate|]. cbn [length forallb] in *. apply both in W as [X W]. apply qlt_R in X. rewrite zero_R in X.
    destruct (f q) as [[a b]|] eqn:FQ; [|discriminate]. destruct (mixed_ends f w qs) as [[l' h']|] eqn:R; [|discriminate].
    apply some_pair in M as [<- <-]. destruct (H O ltac:(lia) a b FQ) as [E0 [A B]].
    destruct (IH qs (fun b => F (S b)) (fun b => E (S b)) l' h') as [EE [C D]]; auto.
    { intros c Hc l h K. apply (H (S c)); [lia|exact K]. }
    split; [intros [|c] Hc; [exact E0|apply EE; lia]|]. rewrite sum_front, !qadd_R, !qmul_R. change (vec (x :: w) 0) with (Q2R x).
    change (fun i => vec (x :: w) (S i) * F (S i)) with (fun i => vec w i * F (S i)).
    apply (Rmult_le_compat_l (Q2R x)) in A; [|lra]. apply (Rmult_le_compat_l (Q2R x)) in B; [|lra]. lra.
Qed.

Lemma dot_law k q r : length q = k -> Q2R (dot q r) = law k (vec q) (vec r).
Proof. intros L. rewrite (dot_R k) by lia. apply sum_ext. intros; ring. Qed.

Theorem row_ends_ok k t o r : precise t -> nonnegative k (vec r) -> forall q l h, length q = k -> fits k q o = true ->
  row_ends t o r q = Some (l, h) -> row_finite k (vec q) o (vec r) /\ Q2R l <= row_value k (vec q) o (vec r) <= Q2R h.
Proof.
  intros T N. induction o; intros q l h L F H; cbn [fits] in F; try discriminate; cbn [row_ends] in H; cbn [row_finite row_value];
    unfold exactly, chi_of in H.
  - apply some_pair in H as [<- <-]. split; [exact I|]. apply Nat.ltb_lt in F. rewrite qlargest_R.
    rewrite (largest_ext (length matrix) _ (fun d => linear k (fun j => vec q j * mat matrix d j) (vec r))); [lra|auto|].
    intros d _. rewrite qsum_R, L. apply sum_ext. intros j _. rewrite !qmul_R, entry_R. reflexivity.
  - apply both in F as [F1 F2]. apply distribution_length in F2. apply some_pair in H as [<- <-]. split; [exact I|].
    rewrite qmul_R, half_R, qabs_R, qsub_R, !(dot_law k) by auto. unfold f_variation. lra.
  - apply both in F as [F1 F2]. apply distribution_length in F2. unfold never_alone, f_chi. rewrite <- !(dot_law k) by auto.
    set (a := dot q r) in *. set (b := dot against r) in *. destruct (Qeq_bool b 0) eqn:B.
    + destruct (Qeq_bool a 0) eqn:A; [|discriminate]. apply qeq_R in A, B. rewrite zero_R in A, B. apply some_pair in H as [<- <-].
      rewrite zero_R. split; [auto|]. destruct (Req_EM_T (Q2R b) 0); [lra|contradiction].
    + assert (NZ : ~ (b == 0)%Q) by (intros X; apply Qeq_bool_iff in X; congruence).
      assert (NR : Q2R b <> 0) by (intros X; apply NZ, eqR_Qeq; rewrite zero_R; exact X). split; [tauto|].
      cbv zeta in H. apply some_pair in H as [<- <-]. rewrite Q2R_red, Q2R_div, qmul_R, qsub_R by auto.
      destruct (Req_EM_T (Q2R b) 0); [contradiction|]. split; right; unfold Rdiv; ring.
  - cbv zeta in H. split; [exact I|]. unfold row_information. rewrite <- (dot_law k) by auto. set (s := dot q r) in *.
    destruct (Qeq_bool s 0) eqn:Z.
    + apply qeq_R in Z. rewrite zero_R in Z. apply some_pair in H as [<- <-]. rewrite zero_R. rewrite sum_zero; [lra|].
      unfold s in Z. rewrite (dot_law k) in Z by auto. intros j Hj. pose proof (distribution_nonneg k q F) as Nq.
      pose proof (sum_nonneg_zero k (fun j => vec r j * vec q j) (fun j Hj => Rmult_le_pos _ _ (N j Hj) (Nq j Hj)) Z j Hj) as X.
      cbn beta in X. rewrite (Rmult_comm (vec q j)), X. ring.
    + destruct (qlt 0 s) eqn:P; [|discriminate]. apply qlt_R in P. rewrite zero_R in P. apply groups_ends_ok in H; auto.
      rewrite (grouped_value _ r q k) in H by lia. exact H.
  - apply both in F as [F1 F2]. apply distribution_length in F2. rewrite <- !(dot_law k) by auto. apply kullback_ends_ok in H; auto.
  - apply both in F as [F1 F2]. split; [exact I|]. pose proof (law_nonneg k _ _ (distribution_nonneg k q F1) N) as A.
    pose proof (law_nonneg k _ _ (distribution_nonneg k against F2) N) as B. apply distribution_length in F2.
    rewrite hellinger_form by auto. rewrite <- !(dot_law k) in * by auto. cbv zeta in H.
    destruct (root_ends t (qmul (dot q r) (dot against r))) as [[x y]|] eqn:RE; [|discriminate]. apply some_pair in H as [<- <-].
    apply root_ends_ok in RE. rewrite qmul_R in RE. rewrite !qsub_R, qmul_R, half_R, qadd_R. lra.
  - apply both in F as [F1 F2]. apply distribution_length in F2. split; [exact I|]. rewrite law_middle, <- !(dot_law k) by auto. cbv zeta in H.
    set (a := dot q r) in *. set (b := dot against r) in *. set (c := qmul (1 # 2) (qadd a b)) in *.
    assert (C : Q2R c = (Q2R a + Q2R b) / 2) by (unfold c; rewrite qmul_R, half_R, qadd_R; lra). rewrite <- C.
    destruct (kullback_ends t a c) as [[x y]|] eqn:K1; [|discriminate]. destruct (kullback_ends t b c) as [[x' y']|] eqn:K2; [|discriminate].
    apply some_pair in H as [<- <-]. apply kullback_ends_ok in K1; auto. apply kullback_ends_ok in K2; auto.
    rewrite !qmul_R, !qadd_R, half_R. lra.
  - apply both in F as [[[F1 F2]%both O1]%both O2]. destruct (order_ok order) as [N0 N1]; [rewrite O1, O2; reflexivity|].
    pose proof (law_nonneg k _ _ (distribution_nonneg k q F1) N) as A. apply distribution_length in F2. rewrite <- !(dot_law k) in * by auto.
    apply alpha_ends_ok in H; auto.
  - apply both in F as [[[[[LW _]%both W]%both _]%both D]%both F]. apply Nat.eqb_eq in LW.
    apply (mixed_ends_ok (row_ends t o r) weights populations (fun b => row_value k (mat populations b) o (vec r))
      (fun b => row_finite k (mat populations b) o (vec r)) l h LW W); auto.
    intros b Hb l' h' K. apply (IHo (nth b populations []) l' h'); auto.
    + apply distribution_length. apply (forallb_nth _ _ [] D). lia.
    + apply (forallb_nth _ _ [] F). lia.
Qed.

(* ---- The check: o is maximised. ---- *)
Fixpoint is_sum (o : objective) : bool :=
  match o with
  | Payoff _ | TotalVariation _ | ChiSquare _ | MutualInformation | KullbackLeibler _ | Hellinger _ | JensenShannon _ | AlphaDivergence _ _ => true
  | Mixture o _ _ => is_sum o
  | _ => false
  end.
Fixpoint lower_total (ends : list (option (Q * Q))) : option Q :=
  match ends with
  | [] => Some 0%Q
  | Some (l, _) :: t => match lower_total t with Some v => Some (qadd l v) | None => None end
  | None :: _ => None
  end.
Lemma lower_total_ok (f : list Q -> option (Q * Q)) a : forall F v, lower_total (map f a) = Some v ->
  (forall i, (i < length a)%nat -> forall l h, f (nth i a []) = Some (l, h) -> Q2R l <= F i) -> Q2R v <= sum (length a) F.
Proof.
  induction a as [|r a IH]; intros F v H E; cbn [map lower_total] in H.
  - inversion H. cbn. rewrite zero_R. lra.
  - destruct (f r) as [[l h]|] eqn:X; [|discriminate]. destruct (lower_total (map f a)) as [w|]; [|discriminate].
    assert (V : v = qadd l w) by congruence. rewrite V, qadd_R. cbn [length]. rewrite sum_front. apply Rplus_le_compat.
    + apply (E O ltac:(cbn; lia) l h X).
    + apply (IH (fun i => F (S i)) w eq_refl). intros i Hi l' h' Y. apply (E (S i) ltac:(cbn; lia) l' h' Y).
Qed.

Definition check_sums (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (digits : nat) : bool :=
  let k := categories p in let q := population p in let o := objective_of p in let t := precision_of digits in
  (well_posed p es lower upper a && is_sum o && fits k q o
   && match lower_total (map (fun r => row_ends t o r q) a) with Some v => Qle_bool lower v | None => false end
   && on_rays p es alpha betas (fun s => Qle_bool (most s) upper
        && each s (fun r g => match row_ends t o r q with Some (_, h) => Qle_bool h g | None => false end)))%bool.

Lemma sum_not_minimised o : is_sum o = true -> minimised o = false.
Proof. induction o; cbn; auto; discriminate. Qed.

Theorem check_sums_ok p es lower upper a alpha betas digits : check_sums p es lower upper a alpha betas digits = true ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_sums. set (k := categories p). set (m := length a). set (q := population p). set (o := objective_of p).
  set (t := precision_of digits). intros H.
  apply both in H as [[[[B IS]%both FT]%both LO]%both H].
  destruct (well_posed_ok _ _ _ _ _ B) as [Hk [Hm [Fit [D' [LQ [AL' [_ E]]]]]]]. fold k m q in Hk, Hm, Fit, D', LQ, AL'.
  pose proof (precision_of_ok digits) as T. fold t in T.
  apply on_rays_ok in H as [s [H R]]; auto. fold k in R. apply both in H as [UP EA]. apply qle_R in UP.
  assert (Lower : Q2R lower <= criterion k m (vec q) o (mat a)).
  { rewrite (rows_value k m (mat a) o (proj1 AL') q FT). destruct (lower_total (map (fun r => row_ends t o r q) a)) as [v|] eqn:V; [|discriminate].
    apply qle_R in LO. eapply Rle_trans; [exact LO|].
    apply (lower_total_ok (fun r => row_ends t o r q) a (fun i => row_value k (vec q) o (mat a i)) v V).
    intros i Hi l h X. apply (row_ends_ok k t o (nth i a []) T) in X; auto; [apply X|]. intros j Hj. apply (proj1 AL'); auto. }
  assert (Upper : forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' ->
    finite k m' (vec q) o P' /\ criterion k m' (vec q) o P' <= Q2R upper).
  { intros m' P' _ A'. destruct (R m' P' A') as [G' [SG [_ [_ EachOk]]]].
    assert (Row : forall i, (i < m')%nat -> row_finite k (vec q) o (P' i) /\ row_value k (vec q) o (P' i) <= G' i).
    { intros i Hi. apply (supported_at_most k _ _ _ _ (rows_supported k o q FT)).
      - intros j Hj. apply (proj1 A'); auto.
      - intros c Mc. apply (EachOk _ c i EA); auto. intros r g N X.
        destruct (row_ends t o r q) as [[l h]|] eqn:RE; [|discriminate]. apply qle_R in X.
        destruct (row_ends_ok k t o r T N q l h LQ FT RE) as [Fin [_ Hh]]. specialize (Mc (vec r) N Fin). unfold linear in Mc. lra. }
    split.
    - apply rows_finite. intros i Hi. apply Row; auto.
    - rewrite (rows_value k m' P' o (proj1 A') q FT). eapply Rle_trans; [|exact UP]. eapply Rle_trans; [|exact SG]. apply sum_le. intros i Hi. apply Row; auto. }
  unfold bracketed. fold k q o. split; [exact D'|]. split; [exact Fit|]. split; [exact AL'|].
  pose proof (sum_not_minimised o IS) as MI. destruct o; try discriminate IS; rewrite ?MI; auto.
Qed.
