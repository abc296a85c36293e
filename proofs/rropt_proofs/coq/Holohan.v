(* Claims of Holohan, Leith and Mason (2016): the binary design, its error, and the designs of least error. *)

From Coq Require Import Reals Lra Lia List Arith.
From Rropt Require Import Definitions Sums.
Import ListNotations.
Local Open Scope R_scope.

Lemma INR_positive n : (0 < n)%nat -> 0 < INR n.
Proof. intros H. apply lt_0_INR; auto. Qed.

Lemma estimate_total p00 p11 n x : p00 + p11 <> 1 -> (0 < n)%nat -> length x = n ->
  estimate p00 p11 x =
  (p00 - 1) / (p00 + p11 - 1) + 1 / ((p00 + p11 - 1) * INR n) * total (fun a => if Nat.eqb a 1 then 1 else 0) x.
Proof.
  intros N Hn L. unfold estimate. rewrite count_total, L. pose proof (INR_positive n Hn). field. split; lra.
Qed.

Lemma map_with_replacement n k P q (f : (nat -> R) -> R) : map f (with_replacement n k P q) = repeat (f (answers k P q)) n.
Proof. unfold with_replacement. apply map_repeat. Qed.

Lemma length_with_replacement n k P q : length (with_replacement n k P q) = n.
Proof. apply repeat_length. Qed.

Lemma estimate_mean n prevalence p00 p11 :
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> p00 + p11 <> 1 ->
  mean 2 (with_replacement n 2 (binary p00 p11) (bernoulli prevalence)) (estimate p00 p11) = prevalence.
Proof.
  intros Hn A B C N.
  rewrite (mean_affine_total 2 _ (fun a => if Nat.eqb a 1 then 1 else 0) _ _ _
             (replacement_distributions n 2 2 _ _ (binary_mechanism p00 p11 B C) (bernoulli_distribution prevalence A))
             (fun x H => estimate_total p00 p11 n x N Hn (eq_trans H (length_with_replacement n 2 _ _)))).
  rewrite map_with_replacement, list_sum_repeat. pose proof (INR_positive n Hn).
  unfold law_mean, answers; cbn. field. split; lra.
Qed.

Lemma error_formula n prevalence p00 p11 :
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> p00 + p11 <> 1 ->
  error n prevalence p00 p11 =
  (1 / 4 - (p00 - 1 / 2 - prevalence * (p00 + p11 - 1)) ^ 2) / ((p00 + p11 - 1) ^ 2 * INR n).
Proof.
  intros Hn A B C N. unfold error.
  rewrite (variance_affine_total 2 _ (fun a => if Nat.eqb a 1 then 1 else 0) _ _ _
             (replacement_distributions n 2 2 _ _ (binary_mechanism p00 p11 B C) (bernoulli_distribution prevalence A))
             (fun x H => estimate_total p00 p11 n x N Hn (eq_trans H (length_with_replacement n 2 _ _)))).
  rewrite map_with_replacement, list_sum_repeat. pose proof (INR_positive n Hn).
  unfold law_variance, law_mean, answers; cbn. field. split; lra.
Qed.

Theorem holohan_eq_3_probabilities_of_the_answers : forall p00 p11 prevalence,
  answers 2 (binary p00 p11) (bernoulli prevalence) 0 = (1 - prevalence) * p00 + prevalence * (1 - p11) /\
  answers 2 (binary p00 p11) (bernoulli prevalence) 0 = p00 - prevalence * (p00 + p11 - 1) /\
  answers 2 (binary p00 p11) (bernoulli prevalence) 1 = prevalence * p11 + (1 - prevalence) * (1 - p00) /\
  answers 2 (binary p00 p11) (bernoulli prevalence) 1 = 1 - p00 + prevalence * (p00 + p11 - 1).
Proof. intros. unfold answers; cbn. repeat split; ring. Qed.

Theorem holohan_eq_3_direct_questioning : forall p00 p11,
  (forall j, (j < 2)%nat -> given (binary p00 p11) j j = 1) <-> p00 = 1 /\ p11 = 1.
Proof.
  intros. unfold given. split.
  - intros H. pose proof (H 0%nat ltac:(lia)). pose proof (H 1%nat ltac:(lia)). cbn in *. auto.
  - intros [-> ->] [|[|j]] H; cbn; auto.
Qed.

Theorem holohan_corollary_1_estimator_is_unbiased : forall n prevalence p00 p11,
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> p00 + p11 <> 1 ->
  mean 2 (with_replacement n 2 (binary p00 p11) (bernoulli prevalence)) (estimate p00 p11) = prevalence.
Proof. exact estimate_mean. Qed.

Theorem holohan_corollary_1_error_of_the_estimator : forall n prevalence p00 p11,
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> p00 + p11 <> 1 ->
  variance 2 (with_replacement n 2 (binary p00 p11) (bernoulli prevalence)) (estimate p00 p11) =
  (1 / 4 - (p00 - 1 / 2 - prevalence * (p00 + p11 - 1)) ^ 2) / ((p00 + p11 - 1) ^ 2 * INR n).
Proof. exact error_formula. Qed.

Theorem holohan_eq_8_error_of_warners_design : forall n prevalence p,
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p <= 1 -> p <> 1 / 2 ->
  variance 2 (with_replacement n 2 (binary p p) (bernoulli prevalence)) (estimate p p) =
  (1 / 4 - (p - 1 / 2 - prevalence * (2 * p - 1)) ^ 2) / ((2 * p - 1) ^ 2 * INR n).
Proof.
  intros n prevalence p Hn A B N. pose proof (error_formula n prevalence p p Hn A B B ltac:(lra)) as E.
  unfold error in E. rewrite E. replace (p + p - 1) with (2 * p - 1) by ring. reflexivity.
Qed.

Lemma event_2 q E : event_probability 2 q E = (if E 0%nat then q 0%nat else 0) + (if E 1%nat then q 1%nat else 0).
Proof. unfold event_probability; cbn. ring. Qed.

Lemma binary_private g delta p00 p11 : 1 <= g -> 0 <= delta -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 ->
  private 2 2 g delta (binary p00 p11) <->
  p11 <= g * (1 - p00) + delta /\ p00 <= g * (1 - p11) + delta /\
  1 - p00 <= g * p11 + delta /\ 1 - p11 <= g * p00 + delta.
Proof.
  intros Hg Hd B0 B1. assert (R0 : forall x, 0 <= x -> x <= g * x + delta).
  { intros x Hx. apply (Rmult_le_compat_r x) in Hg; lra. }
  pose proof (R0 p00 ltac:(lra)). pose proof (R0 p11 ltac:(lra)). pose proof (R0 (1 - p00) ltac:(lra)).
  pose proof (R0 (1 - p11) ltac:(lra)). split.
  - intros H3. pose proof (H3 (fun i => Nat.eqb i 1) 1%nat 0%nat ltac:(lia) ltac:(lia)).
    pose proof (H3 (fun i => Nat.eqb i 1) 0%nat 1%nat ltac:(lia) ltac:(lia)).
    pose proof (H3 (fun i => Nat.eqb i 0) 1%nat 0%nat ltac:(lia) ltac:(lia)).
    pose proof (H3 (fun i => Nat.eqb i 0) 0%nat 1%nat ltac:(lia) ltac:(lia)).
    rewrite !event_2 in *. unfold given in *. cbn in *. lra.
  - intros (A & B & C & D) E j l Hj Hl. rewrite !event_2. unfold given.
    destruct j as [|[|j]]; [| |lia]; (destruct l as [|[|l]]; [| |lia]); cbn;
      destruct (E 0%nat), (E 1%nat); lra.
Qed.

(* R' of the paper: the private designs with p00 + p11 > 1. *)
Definition region (epsilon delta p00 p11 : R) : Prop :=
  mechanism 2 2 (binary p00 p11) /\ differentially_private 2 2 epsilon delta (binary p00 p11) /\ p00 + p11 > 1.

Theorem holohan_eq_11_four_inequalities : forall epsilon delta p00 p11,
  0 <= epsilon -> 0 <= delta <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 ->
  differentially_private 2 2 epsilon delta (binary p00 p11) <->
  p11 <= exp epsilon * (1 - p00) + delta /\ p00 <= exp epsilon * (1 - p11) + delta /\
  1 - p00 <= exp epsilon * p11 + delta /\ 1 - p11 <= exp epsilon * p00 + delta.
Proof.
  intros epsilon delta p00 p11 He Hd B0 B1. unfold differentially_private. apply binary_private; auto; [|lra].
  destruct He as [He|<-]; [|rewrite exp_0; lra]. rewrite <- exp_0. apply Rlt_le, exp_increasing; auto.
Qed.

Lemma exp_at_least_one x : 0 <= x -> 1 <= exp x.
Proof. intros [H|<-]; [|rewrite exp_0; lra]. rewrite <- exp_0. apply Rlt_le, exp_increasing; auto. Qed.

Lemma region_inequalities epsilon delta p00 p11 : 0 <= epsilon -> 0 <= delta ->
  region epsilon delta p00 p11 <->
  p00 <= 1 /\ p11 <= 1 /\ p00 <= exp epsilon * (1 - p11) + delta /\ p11 <= exp epsilon * (1 - p00) + delta /\ p00 + p11 > 1.
Proof.
  intros He Hd. pose proof (exp_at_least_one epsilon He). split.
  - intros (M & D & S). apply binary_mechanism_bounds in M. destruct M as [B0 B1].
    unfold differentially_private in D. rewrite binary_private in D by auto. lra.
  - intros (A & B & C & D & S). assert (B0 : 0 <= p00 <= 1) by lra. assert (B1 : 0 <= p11 <= 1) by lra.
    split; [apply binary_mechanism; auto|]. split; [|auto]. unfold differentially_private. rewrite binary_private by auto.
    assert (p11 <= exp epsilon * p11) by (rewrite <- (Rmult_1_l p11) at 1; apply Rmult_le_compat_r; lra).
    assert (p00 <= exp epsilon * p00) by (rewrite <- (Rmult_1_l p00) at 1; apply Rmult_le_compat_r; lra).
    lra.
Qed.

Theorem holohan_region_without_loss_of_generality : forall epsilon delta p00 p11,
  0 <= epsilon -> 0 <= delta <= 1 ->
  region epsilon delta p00 p11 <->
  p00 <= 1 /\ p11 <= 1 /\ p00 <= exp epsilon * (1 - p11) + delta /\ p11 <= exp epsilon * (1 - p00) + delta /\ p00 + p11 > 1.
Proof. intros; apply region_inequalities; lra. Qed.

Theorem holohan_lemma_1_least_value_on_the_unit_square : forall x y,
  0 <= x <= 1 -> 0 <= y <= 1 ->
  0 <= 2 * x * y - x - y + 1 /\
  (2 * x * y - x - y + 1 = 0 <-> (x = 0 /\ y = 1) \/ (x = 1 /\ y = 0)).
Proof.
  intros x y A B. assert (E : 2 * x * y - x - y + 1 = x * y + (1 - x) * (1 - y)) by ring. rewrite E.
  assert (0 <= x * y) by (apply Rmult_le_pos; lra). assert (0 <= (1 - x) * (1 - y)) by (apply Rmult_le_pos; lra).
  split; [lra|]. split.
  - intros Z. assert (Z1 : x * y = 0) by lra. assert (Z2 : (1 - x) * (1 - y) = 0) by lra.
    apply Rmult_integral in Z1. apply Rmult_integral in Z2. destruct Z1, Z2; lra.
  - intros [[-> ->]|[-> ->]]; ring.
Qed.

(* n times the error, with u = 1 - p00 and v = 1 - p11, is prevalence (1 - prevalence) + excess. *)
Definition excess (prevalence u v : R) : R :=
  ((1 - prevalence) * (u * (1 - u)) + prevalence * (v * (1 - v))) / (1 - u - v) ^ 2.

Lemma error_excess n prevalence p00 p11 :
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> p00 + p11 <> 1 ->
  error n prevalence p00 p11 =
  (prevalence * (1 - prevalence) + excess prevalence (1 - p00) (1 - p11)) / INR n.
Proof.
  intros Hn A B C N. rewrite error_formula by auto. pose proof (INR_positive n Hn). unfold excess.
  field. repeat split; lra.
Qed.

Lemma error_le n prevalence p00 p11 x y :
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> 0 <= x <= 1 -> 0 <= y <= 1 ->
  p00 + p11 > 1 -> x + y > 1 ->
  error n prevalence p00 p11 <= error n prevalence x y <->
  excess prevalence (1 - p00) (1 - p11) <= excess prevalence (1 - x) (1 - y).
Proof.
  intros Hn A B C D E S T. rewrite !error_excess by (auto; lra). pose proof (INR_positive n Hn). split; intros L.
  - apply (Rmult_le_compat_r (INR n)) in L; [|lra]. unfold Rdiv in L. rewrite !Rmult_assoc, Rinv_l in L by lra. lra.
  - unfold Rdiv. apply Rmult_le_compat_r; [|lra]. apply Rlt_le, Rinv_0_lt_compat; auto.
Qed.

(* Against a number t: excess >= t says that a concave function is at least 0. *)
Definition above (prevalence t u v : R) : R :=
  (1 - prevalence) * (u * (1 - u)) + prevalence * (v * (1 - v)) - t * (1 - u - v) ^ 2.

Lemma excess_above prevalence t u v : u + v < 1 ->
  (t <= excess prevalence u v <-> 0 <= above prevalence t u v) /\
  (excess prevalence u v = t <-> above prevalence t u v = 0).
Proof.
  intros H. unfold excess, above. assert (P : 0 < (1 - u - v) ^ 2) by (apply pow_lt; lra).
  set (N := (1 - prevalence) * (u * (1 - u)) + prevalence * (v * (1 - v))). set (D := (1 - u - v) ^ 2) in *.
  repeat split; intros L.
  - apply (Rmult_le_compat_r D) in L; [|lra]. replace (N / D * D) with N in L by (field; lra). lra.
  - apply (Rmult_le_reg_r D); auto. replace (N / D * D) with N by (field; lra). lra.
  - rewrite <- L. field. lra.
  - apply (Rmult_eq_reg_r D); [|lra]. replace (N / D * D) with N by (field; lra). lra.
Qed.

Theorem holohan_theorem_2_optimal_epsilon_private_design : forall n prevalence epsilon p00 p11,
  (0 < n)%nat -> 0 < prevalence < 1 -> 0 < epsilon ->
  minimiser (region epsilon 0) (error n prevalence) p00 p11 <->
  p00 = exp epsilon / (exp epsilon + 1) /\ p11 = exp epsilon / (exp epsilon + 1).
Proof.
  intros n q epsilon p00 p11 Hn Hq He. set (g := exp epsilon).
  assert (Hg : 1 < g) by (unfold g; rewrite <- exp_0; apply exp_increasing; auto).
  set (b := g / (g + 1)). set (t := g / (g - 1) ^ 2).
  assert (Bb : b < 1).
  { apply (Rmult_lt_reg_r (g + 1)); [lra|]. unfold b. replace (g / (g + 1) * (g + 1)) with g by (field; lra). lra. }
  assert (Bh : 1 < b + b).
  { apply (Rmult_lt_reg_r (g + 1)); [lra|]. unfold b.
    replace ((g / (g + 1) + g / (g + 1)) * (g + 1)) with (g + g) by (field; lra). lra. }
  assert (Hb : region epsilon 0 b b).
  { apply region_inequalities; [lra|lra|]. fold g.
    assert (g * (1 - b) = b) by (unfold b; field; lra). lra. }
  assert (Eb : excess q (1 - b) (1 - b) = t).
  { unfold excess, t, b. field. repeat split; lra. }
  assert (Le : forall x y, region epsilon 0 x y -> t <= excess q (1 - x) (1 - y) /\
               (excess q (1 - x) (1 - y) = t -> x = b /\ y = b)).
  { intros x y H. apply region_inequalities in H; [|lra|lra]. fold g in H. destruct H as (A & B & C & D & S).
    assert (Pd : 0 < (1 - (1 - x) - (1 - y)) ^ 2) by (apply pow_lt; lra).
    set (d := x + y - 1). assert (d > 0) by (unfold d; lra).
    assert (d1 : g * d <= (g - 1) * x) by (unfold d; nra).
    assert (d2 : d <= (g - 1) * (1 - x)) by (unfold d; nra).
    assert (e1 : g * d <= (g - 1) * y) by (unfold d; nra).
    assert (e2 : d <= (g - 1) * (1 - y)) by (unfold d; nra).
    assert (px : g * d ^ 2 <= (g - 1) ^ 2 * ((1 - x) * x)).
    { replace (g * d ^ 2) with ((g * d) * d) by ring.
      replace ((g - 1) ^ 2 * ((1 - x) * x)) with (((g - 1) * x) * ((g - 1) * (1 - x))) by ring.
      apply Rmult_le_compat; auto; try nra. }
    assert (py : g * d ^ 2 <= (g - 1) ^ 2 * ((1 - y) * y)).
    { replace (g * d ^ 2) with ((g * d) * d) by ring.
      replace ((g - 1) ^ 2 * ((1 - y) * y)) with (((g - 1) * y) * ((g - 1) * (1 - y))) by ring.
      apply Rmult_le_compat; auto; try nra. }
    assert (U : above q t (1 - x) (1 - y) * (g - 1) ^ 2 =
                (1 - q) * ((g - 1) ^ 2 * ((1 - x) * x) - g * d ^ 2) + q * ((g - 1) ^ 2 * ((1 - y) * y) - g * d ^ 2)).
    { unfold above, t, d. field. lra. }
    assert (G2 : 0 < (g - 1) ^ 2) by (apply pow_lt; lra).
    assert (N1 : 0 <= (1 - q) * ((g - 1) ^ 2 * ((1 - x) * x) - g * d ^ 2)) by (apply Rmult_le_pos; lra).
    assert (N2 : 0 <= q * ((g - 1) ^ 2 * ((1 - y) * y) - g * d ^ 2)) by (apply Rmult_le_pos; lra).
    destruct (excess_above q t (1 - x) (1 - y) ltac:(lra)) as [X1 X2]. split.
    - apply X1. apply (Rmult_le_reg_r ((g - 1) ^ 2)); lra.
    - intros Z. apply X2 in Z. rewrite Z in U.
      assert (Z1 : (g - 1) ^ 2 * ((1 - x) * x) = g * d ^ 2).
      { assert (Y : (1 - q) * ((g - 1) ^ 2 * ((1 - x) * x) - g * d ^ 2) = 0) by lra.
        apply Rmult_integral in Y. destruct Y; lra. }
      (* both factors are tight *)
      assert (T : ((g - 1) * x - g * d) * d + ((g - 1) * x) * ((g - 1) * (1 - x) - d) = 0).
      { replace (((g - 1) * x - g * d) * d + ((g - 1) * x) * ((g - 1) * (1 - x) - d))
          with ((g - 1) ^ 2 * ((1 - x) * x) - g * d ^ 2) by ring. lra. }
      assert (T1 : 0 <= ((g - 1) * x - g * d) * d) by (apply Rmult_le_pos; lra).
      assert (x > 0) by lra.
      assert (W : 0 < (g - 1) * x) by (apply Rmult_lt_0_compat; lra).
      assert (T2 : 0 <= ((g - 1) * x) * ((g - 1) * (1 - x) - d)) by (apply Rmult_le_pos; lra).
      assert (Y1 : ((g - 1) * x - g * d) * d = 0) by lra.
      assert (Y2 : ((g - 1) * x) * ((g - 1) * (1 - x) - d) = 0) by lra.
      apply Rmult_integral in Y1. apply Rmult_integral in Y2.
      destruct Y1 as [Y1|Y1]; [|lra]. destruct Y2 as [Y2|Y2]; [lra|].
      assert (E1 : (g - 1) * (x * (1 + g) - g) = 0) by (unfold d in *; nra).
      apply Rmult_integral in E1. destruct E1 as [E1|E1]; [lra|].
      assert (Ex : x = b) by (unfold b; apply (Rmult_eq_reg_r (g + 1)); [|lra]; unfold Rdiv; rewrite Rmult_assoc, Rinv_l; lra).
      split; auto. assert (d = (g - 1) * (1 - x)) by lra. assert (g * (1 - b) = b) by (unfold b; field; lra).
      unfold d in *. subst x. nra. }
  split.
  - intros [H M]. pose proof (M b b Hb) as L.
    pose proof H as H'. apply region_inequalities in H'; [|lra|lra].
    rewrite error_le in L by (auto; lra). rewrite Eb in L. destruct (Le p00 p11 H) as [L1 L2]. apply L2. lra.
  - intros [-> ->]. fold g b. split; auto. intros x y H. pose proof H as H'. apply region_inequalities in H'; [|lra|lra].
    rewrite error_le by (auto; lra). rewrite Eb. apply Le; auto.
Qed.

Theorem holohan_eq_7b_chebyshev_margin : forall n prevalence p00 p11,
  (0 < n)%nat -> 0 <= prevalence <= 1 -> 0 <= p00 <= 1 -> 0 <= p11 <= 1 -> p00 + p11 <> 1 ->
  0 < error n prevalence p00 p11 ->
  95 / 100 <= probability 2 (with_replacement n 2 (binary p00 p11) (bernoulli prevalence)) (fun answers =>
    within (estimate p00 p11 answers) prevalence (45 / 10 * sqrt (error n prevalence p00 p11))).
Proof.
  intros n q a b Hn Hq Ha Hb N V. set (v := error n q a b) in *. pose proof (sqrt_lt_R0 v V) as S.
  pose proof (within_chebyshev 2 _ (estimate a b) (45 / 10 * sqrt v)
    (replacement_distributions n 2 2 _ _ (binary_mechanism a b Ha Hb) (bernoulli_distribution q Hq)) ltac:(lra)) as C.
  rewrite estimate_mean in C by auto. fold (error n q a b) in C. fold v in C.
  replace ((45 / 10 * sqrt v) ^ 2) with (2025 / 100 * (sqrt v * sqrt v)) in C by field.
  rewrite sqrt_sqrt in C by lra. replace (v / (2025 / 100 * v)) with (100 / 2025) in C by (field; lra). lra.
Qed.
