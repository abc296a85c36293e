(* The way of rays, D-optimality: products of the variances of successive contrasts, by the means of geometry and arithmetic. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists RayRules Logarithms RaySums Contrasts.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Over the real numbers. ---- *)
Lemma product_exp n v : (forall l, (l < n)%nat -> 0 < v l) -> product_of n v = exp (sum n (fun l => ln (v l))).
Proof.
  induction n; intros H; cbn [product_of sum]; [rewrite exp_0; reflexivity|].
  rewrite exp_plus, exp_ln, IHn by (intros; apply H; lia). reflexivity.
Qed.
Lemma product_bounds n v w : (forall l, (l < n)%nat -> 0 <= v l <= w l) -> 0 <= product_of n v <= product_of n w.
Proof.
  induction n; intros H; cbn [product_of]; [lra|]. destruct IHn as [A B]; [intros; apply H; lia|].
  destruct (H n ltac:(lia)) as [C D]. split; [apply Rmult_le_pos; auto|apply Rmult_le_compat; auto].
Qed.
Lemma ln_square x : x <> 0 -> ln (x ^ 2) = 2 * ln (Rabs x).
Proof.
  intros H. pose proof (Rabs_pos_lt x H). rewrite <- (pow2_abs x). replace (Rabs x ^ 2) with (Rabs x * Rabs x) by ring. rewrite ln_mult by auto. ring.
Qed.
Lemma square_pos x : x <> 0 -> 0 < x ^ 2.
Proof. intros H. pose proof (pow2_ge_0 x). pose proof (pow_nonzero x 2 H). lra. Qed.

(* The geometric mean is at most the arithmetic one. *)
Lemma mean_of_logs n x B : (0 < n)%nat -> (forall l, (l < n)%nat -> 0 < x l) -> sum n x <= B -> 0 < B ->
  sum n (fun l => ln (x l)) <= INR n * ln (B / INR n).
Proof.
  intros Hn X S HB. assert (N : 0 < INR n) by (apply lt_0_INR; auto). set (c := B / INR n).
  assert (C : 0 < c) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]).
  apply Rle_trans with (sum n (fun l => / c * x l + (ln c - 1))).
  - apply sum_le. intros l Hl. specialize (X l Hl). assert (P : 0 < x l / c) by (apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]).
    pose proof (ln_at_most _ P) as L. rewrite ln_quotient in L by auto. unfold Rdiv in L. lra.
  - rewrite sum_plus, sum_scal, sum_const. assert (/ c * sum n x <= INR n); [|lra].
    apply (Rmult_le_compat_l (/ c)) in S; [|left; apply Rinv_0_lt_compat; auto].
    replace (/ c * B) with (INR n) in S by (unfold c; field; lra). exact S.
Qed.

Theorem determinant_bound k m P a q u W G B : (1 < k)%nat -> mechanism k m P -> distribution k q -> unbiased k m k P unit_matrix a ->
  square_rows k m (k - 1) P W q G -> sum m G <= B -> (forall l, (l < k - 1)%nat -> sum k (fun j => W j l) = 0) -> 0 < B ->
  (forall l, (l < k - 1)%nat -> W l l <> 0 /\ forall j, (j < l)%nat -> W j l = 0) -> successive (k - 1) u ->
  exp (2 * sum (k - 1) (fun l => ln (Rabs (W l l))) - INR (k - 1) * ln (B / INR (k - 1))) <= variances_product k m P a q u.
Proof.
  intros Hk M D U S SG Z HB Tri Suc. set (n := (k - 1)%nat) in *. set (v := fun l => contrast_variance k m P a q (u l)).
  assert (Dia : forall l, (l < n)%nat -> sum k (fun j => u l j * W j l) = W l l).
  { intros l Hl. destruct (Suc l Hl) as [U1 U0], (Tri l Hl) as [_ W0]. rewrite <- (sum_single k l (W l l)) by lia. apply sum_ext.
    intros j _. destruct (Nat.eqb_spec j l) as [->|N]; [rewrite U1; ring|]. destruct (Nat.lt_ge_cases j l) as [L|L]; [rewrite (W0 j L); ring|].
    rewrite (U0 j) by lia. ring. }
  assert (All : forall d, sum n (fun l => d l * W l l) ^ 2 / B <= sum n (fun l => d l ^ 2 * v l)).
  { intros d. pose proof (contrasts_bound k m n P a q (fun l j => d l * u l j) W G B M D U S SG Z HB) as X. cbn beta in X.
    rewrite (sum_ext n (fun l => sum k (fun j => d l * u l j * W j l)) (fun l => d l * W l l)) in X.
    - rewrite (sum_ext n (fun l => contrast_variance k m P a q (fun j => d l * u l j)) (fun l => d l ^ 2 * v l)) in X; [exact X|].
      intros l _. apply contrast_scaled.
    - intros l Hl. rewrite <- (Dia l Hl), <- sum_scal. apply sum_ext. intros; ring. }
  assert (V : forall l, (l < n)%nat -> 0 < v l).
  { intros l Hl. pose proof (All (fun h => if Nat.eqb h l then 1 else 0)) as X. cbn beta in X.
    rewrite (sum_ext n (fun h => (if Nat.eqb h l then 1 else 0) * W h h) (fun h => if Nat.eqb h l then W l l else 0)) in X
      by (intros h _; destruct (Nat.eqb_spec h l); [subst|]; ring).
    rewrite (sum_ext n (fun h => (if Nat.eqb h l then 1 else 0) ^ 2 * v h) (fun h => if Nat.eqb h l then v l else 0)) in X
      by (intros h _; destruct (Nat.eqb_spec h l); [subst|]; ring).
    rewrite !sum_single in X by auto. destruct (Tri l Hl) as [NZ _].
    assert (0 < W l l ^ 2 / B) by (apply Rmult_lt_0_compat; [apply square_pos; auto|apply Rinv_0_lt_compat; auto]). lra. }
  set (x := fun l => W l l ^ 2 / v l).
  assert (Xp : forall l, (l < n)%nat -> 0 < x l).
  { intros l Hl. apply Rmult_lt_0_compat; [apply square_pos, (Tri l Hl)|apply Rinv_0_lt_compat; auto]. }
  assert (Sx : sum n x <= B).
  { pose proof (All (fun l => W l l / v l)) as X. cbn beta in X.
    rewrite (sum_ext n (fun l => W l l / v l * W l l) x) in X by (intros l _; unfold x, Rdiv; ring).
    rewrite (sum_ext n (fun l => (W l l / v l) ^ 2 * v l) x) in X by (intros l Hl; specialize (V l Hl); unfold x; field; lra).
    assert (SP : 0 < sum n x) by (apply (sum_pos n x 0); [intros h Hh; left; auto|lia|apply Xp; lia]).
    apply (Rmult_le_reg_l (sum n x)); auto. apply (Rmult_le_compat_r B) in X; [|lra].
    replace (sum n x ^ 2 / B * B) with (sum n x * sum n x) in X by (field; lra). exact X. }
  pose proof (mean_of_logs n x B ltac:(lia) Xp Sx HB) as L.
  rewrite (sum_ext n _ (fun l => 2 * ln (Rabs (W l l)) - ln (v l))) in L.
  - rewrite sum_minus, sum_scal in L. unfold variances_product. fold n v. rewrite product_exp by auto.
    set (y := sum n (fun l => ln (v l))) in *. set (z := 2 * sum n (fun l => ln (Rabs (W l l))) - INR n * ln (B / INR n)).
    destruct (Rle_lt_or_eq_dec z y) as [Lt|Eq]; [unfold z; lra|left; apply exp_increasing; exact Lt|rewrite Eq; lra].
  - intros l Hl. unfold x. destruct (Tri l Hl) as [NZ _]. rewrite ln_quotient, ln_square; auto. apply square_pos, NZ.
Qed.

(* A triangular matrix F without a zero on its diagonal: some u with u_l = 1 and nothing behind it has u F = F_ll e_l. *)
Lemma back_substitution n F l : (l < n)%nat -> (forall i, (i < n)%nat -> F i i <> 0 /\ forall j, (i < j)%nat -> F i j = 0) ->
  forall g, (g <= l)%nat -> exists u, u l = 1 /\ (forall h, (l < h)%nat -> u h = 0) /\ (forall h, (h < l - g)%nat -> u h = 0) /\
  forall h, (l - g <= h < l)%nat -> sum n (fun j => u j * F j h) = 0.
Proof.
  intros Hl Tri g. induction g as [|g IH]; intros Hg.
  - exists (fun h => if Nat.eqb h l then 1 else 0). split; [rewrite Nat.eqb_refl; reflexivity|].
    split; [intros h H; destruct (Nat.eqb_spec h l); [lia|reflexivity]|].
    split; [intros h H; destruct (Nat.eqb_spec h l); [lia|reflexivity]|intros h H; lia].
  - destruct IH as [u [U1 [U2 [U3 U4]]]]; [lia|]. set (h0 := (l - S g)%nat). destruct (Tri h0 ltac:(lia)) as [NZ T0].
    set (x := - sum n (fun j => u j * F j h0) / F h0 h0). exists (fun h => if Nat.eqb h h0 then x else u h).
    assert (H0 : u h0 = 0) by (apply U3; unfold h0; lia).
    assert (New : forall h, sum n (fun j => (if Nat.eqb j h0 then x else u j) * F j h) = x * F h0 h + sum n (fun j => u j * F j h)).
    { intros h. rewrite <- (sum_single n h0 (x * F h0 h)) by (unfold h0; lia). rewrite <- sum_plus. apply sum_ext. intros j _.
      destruct (Nat.eqb_spec j h0) as [->|]; [rewrite H0|]; ring. }
    split; [destruct (Nat.eqb_spec l h0); [unfold h0 in *; lia|exact U1]|].
    split; [intros h H; destruct (Nat.eqb_spec h h0); [unfold h0 in *; lia|auto]|].
    split; [intros h H; destruct (Nat.eqb_spec h h0); [unfold h0 in *; lia|apply U3; lia]|].
    intros h H. rewrite New. destruct (Nat.eq_dec h h0) as [->|N]; [unfold x; field; auto|].
    rewrite T0 by (unfold h0 in *; lia). rewrite U4 by (unfold h0 in *; lia). ring.
Qed.
Lemma triangular_solution n F : (forall i, (i < n)%nat -> F i i <> 0 /\ forall j, (i < j)%nat -> F i j = 0) ->
  exists u, successive n u /\ forall l c, (l < n)%nat -> (c < n)%nat -> sum n (fun j => u l j * F j c) = if Nat.eqb c l then F l l else 0.
Proof.
  intros Tri.
  assert (One : forall l, (l < n)%nat -> exists u, u l = 1 /\ (forall h, (l < h)%nat -> u h = 0) /\
    forall c, (c < n)%nat -> sum n (fun j => u j * F j c) = if Nat.eqb c l then F l l else 0).
  { intros l Hl. destruct (back_substitution n F l Hl Tri l ltac:(lia)) as [u [U1 [U2 [_ U4]]]]. exists u. split; [auto|]. split; [auto|].
    intros c Hc. destruct (Nat.lt_ge_cases c l) as [L|L].
    - rewrite U4 by lia. destruct (Nat.eqb_spec c l); [lia|reflexivity].
    - rewrite <- (sum_single n l (if Nat.eqb c l then F l l else 0)) by auto. apply sum_ext. intros j Hj.
      destruct (Nat.eqb_spec j l) as [->|N].
      + rewrite U1. destruct (Nat.eqb_spec c l) as [->|N]; [ring|]. rewrite (proj2 (Tri l Hl) c) by lia. ring.
      + destruct (Nat.lt_ge_cases l j); [rewrite U2 by auto; ring|]. rewrite (proj2 (Tri j Hj) c) by lia. ring. }
  assert (Some_u : forall t, (t <= n)%nat -> exists u, forall l, (l < t)%nat -> u l l = 1 /\ (forall h, (l < h)%nat -> u l h = 0) /\
    forall c, (c < n)%nat -> sum n (fun j => u l j * F j c) = if Nat.eqb c l then F l l else 0).
  { induction t as [|t IH]; intros Ht; [exists (fun _ _ => 0); intros; lia|]. destruct IH as [u H]; [lia|]. destruct (One t ltac:(lia)) as [w Hw].
    exists (fun l => if Nat.eqb l t then w else u l). intros l Hl. destruct (Nat.eqb_spec l t) as [->|N]; [exact Hw|apply H; lia]. }
  destruct (Some_u n ltac:(lia)) as [u H]. exists u. split; [intros l Hl; destruct (H l Hl) as [A [B _]]; auto|].
  intros l c Hl Hc. destruct (H l Hl) as [_ [_ X]]. auto.
Qed.

Theorem determinant_of_factor n m P a q F : mechanism (S n) m P -> distribution (S n) q ->
  (forall i, (i < n)%nat -> F i i <> 0 /\ forall j, (i < j)%nat -> F i j = 0) ->
  (forall u, 0 <= sum n (fun l => sum n (fun h => u l * u h * (sum n (fun c => F l c * F h c) - covariance m (answers (S n) P q) a l h)))) ->
  exists u, successive n u /\ product_of n (fun l => contrast_variance (S n) m P a q (u l)) <= exp (2 * sum n (fun l => ln (Rabs (F l l)))).
Proof.
  intros M D Tri Psd. destruct (triangular_solution n F Tri) as [u [Suc Sol]]. exists u. split; [exact Suc|].
  assert (E : exp (2 * sum n (fun l => ln (Rabs (F l l)))) = product_of n (fun l => F l l ^ 2)).
  { rewrite product_exp by (intros l Hl; apply square_pos, (Tri l Hl)). f_equal. rewrite <- sum_scal. apply sum_ext. intros l Hl.
    symmetry. apply ln_square, (Tri l Hl). }
  rewrite E. apply product_bounds. intros l Hl. split; [apply contrast_nonneg; auto|]. rewrite contrast_form.
  set (c := covariance m (answers (S n) P q) a). pose proof (proj2 (Suc l Hl) n Hl) as Last. cbn [sum]. rewrite Last.
  rewrite (sum_ext n (fun i => sum n (fun h => u l i * u l h * c i h) + u l i * 0 * c i n) (fun i => sum n (fun h => u l i * u l h * c i h)))
    by (intros; ring).
  rewrite (sum_zero n (fun h => 0 * u l h * c n h)) by (intros; ring).
  specialize (Psd (u l)). fold c in Psd.
  rewrite (sum_ext n _ (fun i => sum n (fun h => u l i * u l h * sum n (fun z => F i z * F h z)) - sum n (fun h => u l i * u l h * c i h))) in Psd
    by (intros i _; rewrite <- sum_minus; apply sum_ext; intros; ring).
  rewrite sum_minus in Psd.
  assert (Sq : sum n (fun i => sum n (fun h => u l i * u l h * sum n (fun z => F i z * F h z))) = F l l ^ 2).
  { rewrite (sum_ext n _ (fun i => sum n (fun z => sum n (fun h => (u l i * F i z) * (u l h * F h z))))).
    - rewrite sum_swap. rewrite (sum_ext n _ (fun z => if Nat.eqb z l then F l l ^ 2 else 0)); [apply sum_single; auto|].
      intros z Hz. rewrite <- square_sum, (Sol l z Hl Hz). destruct (Nat.eqb z l); ring.
    - intros i _. rewrite <- sum_swap. apply sum_ext. intros h _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
  rewrite Sq in Psd. lra.
Qed.

(* ---- The check. ---- *)
Fixpoint logs_of (t : precision) (xs : list Q) : option (Q * Q) :=
  match xs with
  | [] => Some (0%Q, 0%Q)
  | x :: xs =>
    match log_ends t (qabs x), logs_of t xs with Some (a, b), Some (l, h) => Some (qadd a l, qadd b h) | _, _ => None end
  end.
Lemma logs_of_ok t n f l h : precise t -> logs_of t (map f (seq 0 n)) = Some (l, h) ->
  Q2R l <= sum n (fun i => ln (Rabs (Q2R (f i)))) <= Q2R h.
Proof.
  intros T. assert (X : forall s l h, logs_of t (map f (seq s n)) = Some (l, h) -> Q2R l <= sum n (fun i => ln (Rabs (Q2R (f (s + i)%nat)))) <= Q2R h).
  { induction n as [|n IH]; intros s l' h' H; cbn [seq map logs_of] in H.
    - apply some_pair in H as [<- <-]. cbn. rewrite zero_R. lra.
    - destruct (log_ends t (qabs (f s))) as [[a b]|] eqn:LE; [|discriminate]. destruct (logs_of t (map f (seq (S s) n))) as [[x y]|] eqn:R; [|discriminate].
      apply some_pair in H as [<- <-]. apply log_ends_ok in LE; auto. rewrite qabs_R in LE. apply IH in R. rewrite sum_front, !qadd_R, Nat.add_0_r.
      rewrite (sum_ext n (fun i => ln (Rabs (Q2R (f (s + S i)%nat)))) (fun i => ln (Rabs (Q2R (f (S s + i)%nat)))))
        by (intros i _; replace (s + S i)%nat with (S s + i)%nat by lia; reflexivity). lra. }
  intros H. apply (X O l h H).
Qed.

Definition is_triangular (n : nat) (a : nat -> nat -> Q) : bool :=
  forallb (fun i => negb (Qeq_bool (a i i) 0) && forallb (fun j => implb (Nat.ltb i j) (Qeq_bool (a i j) 0)) (seq 0 n))%bool (seq 0 n).
Lemma is_triangular_ok n a i : is_triangular n a = true -> (i < n)%nat ->
  Q2R (a i i) <> 0 /\ forall j, (j < n)%nat -> (i < j)%nat -> Q2R (a i j) = 0.
Proof.
  intros H Hi. pose proof (forallb_seq _ _ H i Hi) as X. cbn beta in X. apply both in X as [N X]. split.
  - intros Z. destruct (Qeq_bool (a i i) 0) eqn:E; [discriminate|]. assert (Y : (a i i == 0)%Q) by (apply eqR_Qeq; rewrite zero_R; exact Z).
    apply Qeq_bool_iff in Y. congruence.
  - intros j Hj L. pose proof (forallb_seq _ _ X j Hj) as Y. cbn beta in Y. destruct (Nat.ltb_spec i j); [|lia]. cbn [implb] in Y.
    apply qeq_R in Y. rewrite zero_R in Y. exact Y.
Qed.

Definition factor_rest (law : list Q) (A F : list (list Q)) (l h : nat) : Q :=
  qsub (dot (nth l F []) (nth h F [])) (qcovariance law (nth l A []) (nth h A [])).
Definition count_of (n : nat) : Q := Qmake (Z.of_nat n) 1.
Lemma count_of_R n : Q2R (count_of n) = INR n.
Proof. unfold count_of, Q2R; cbn [Qnum Qden]. rewrite INR_IZR_INZ. lra. Qed.

Definition check_determinant (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (W A F : list (list Q)) (digits : nat) : bool :=
  let k := categories p in let m := length a in let q := population p in
  let n := (k - 1)%nat in let d := precision_of digits in
  let law := outputs_law q a in
  let D := map (fun l => map (factor_rest law A F l) (seq 0 n)) (seq 0 n) in
  (Nat.ltb 1 k && Nat.ltb 0 m && outputs_agree m (outputs p) && Nat.eqb (length alpha) k
   && is_distribution k q && forallb (qlt 0) q && Qle_bool lower upper && check_allowed k (region_of p) es a
   && shaped k n W && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 n)
   && is_triangular n (entry W) && shaped n n F && is_triangular n (entry F)
   && check_unbiased k a A (identity_matrix k) && check_dominant n D
   && match logs_of d (map (fun j => entry F j j) (seq 0 n)) with Some (_, h) => Qle_bool (qadd lower (qmul 2 h)) 0 | None => false end
   && match tests_of k (aboves (conditions (region_of p)) es) betas alpha with
      | Some t =>
        sq t (ones n) q W && qlt 0 (most t)
        && match log_ends d (Qred (Qdiv (most t) (count_of n))), logs_of d (map (fun j => entry W j j) (seq 0 n)) with
           | Some (_, h), Some (l, _) => Qle_bool (qsub (qmul (count_of n) h) (qmul 2 l)) upper
           | _, _ => false
           end
      | None => false
      end)%bool.

Theorem check_determinant_ok p es lower upper a alpha betas W A F digits :
  check_determinant p es lower upper a alpha betas W A F digits = true -> true_claim (Determinant p lower upper a).
Proof.
  unfold check_determinant. set (k := categories p). set (m := length a). set (q := population p). set (n := (k - 1)%nat).
  set (law := outputs_law q a). set (d := precision_of digits). intros H.
  apply both in H as [[[[[[[[[[[[[[[[Hk Hm]%both O]%both L]%both D]%both QP]%both _]%both AL]%both SW]%both Z]%both TW]%both SF]%both TF]%both U]%both Dom]%both LO]%both H].
  apply Nat.ltb_lt in Hk, Hm. apply Nat.eqb_eq in L. apply check_allowed_ok in AL as AL'.
  unfold check_allowed in AL. apply both in AL as [[[SH E]%both _]%both _].
  unfold is_mechanism in SH. apply both in SH as [[SH _]%both _].
  pose proof (is_distribution_ok _ _ D) as D'. pose proof (precision_of_ok digits) as T. fold d in T.
  assert (Fit : outputs_fit p m) by (unfold outputs_fit; unfold outputs_agree in O; destruct (outputs p); [apply Nat.eqb_eq in O; auto|exact I]).
  assert (KN : k = S n) by (unfold n; lia).
  destruct (tests_of k (aboves (conditions (region_of p)) es) betas alpha) as [t|] eqn:G; [|discriminate].
  apply both in H as [[SQ BP]%both UP]. apply qlt_R in BP. rewrite zero_R in BP.
  cbn [true_claim]. unfold determinant_bracketed. fold k q n m. split; [exact D'|]. split.
  { intros j Hj. pose proof (forallb_nth _ _ 0%Q QP j ltac:(rewrite (distribution_length _ _ D); auto)) as X. cbn beta in X.
    apply qlt_R in X. rewrite zero_R in X. exact X. }
  split; [exact Fit|]. split; [exact AL'|]. split.
  - pose proof U as U0. unfold check_unbiased in U0. apply both in U0 as [SA _]. apply check_unbiased_ok in U. destruct U as [LA U].
    assert (LI : length (identity_matrix k) = k) by (unfold identity_matrix; rewrite map_length, seq_length; reflexivity).
    rewrite LI in *. fold m in U, SA. set (e := fun i l => mat A l i) in *.
    set (R0 := fun l h => Q2R (factor_rest law A F l h)).
    assert (FL : forall l, (length (nth l F []) <= n)%nat) by (intros l; apply (shaped_row _ _ _ l SF)).
    assert (En : forall l h, (l < n)%nat -> (h < n)%nat -> entry (map (fun l => map (factor_rest law A F l) (seq 0 n)) (seq 0 n)) l h = factor_rest law A F l h).
    { intros l h Hl Hh. unfold entry. rewrite (map_seq_nth (fun l => map (factor_rest law A F l) (seq 0 n)) n [] l Hl).
      apply map_seq_nth. exact Hh. }
    assert (RV : forall l h, (l < n)%nat -> (h < n)%nat -> R0 l h = sum n (fun c => mat F l c * mat F h c) - covariance m (answers (S n) (mat a) (vec q)) e l h).
    { intros l h Hl Hh. unfold R0, factor_rest. rewrite qsub_R. unfold law. rewrite (qcovariance_R k m) by (auto; lia).
      rewrite (dot_R n) by apply FL. rewrite <- KN. reflexivity. }
    destruct (determinant_of_factor n m (mat a) e (vec q) (fun i j => if Nat.ltb j n then mat F i j else 0)) as [u [Suc Pr]].
    + rewrite <- KN. apply (proj1 AL').
    + rewrite <- KN. exact D'.
    + intros i Hi. pose proof (is_triangular_ok n (entry F) i TF Hi) as [N1 N2]. rewrite entry_R in N1.
      destruct (Nat.ltb_spec i n); [|lia]. split; [exact N1|]. intros j Hj. destruct (Nat.ltb_spec j n); [|reflexivity]. apply (N2 j); auto.
    + intros u. assert (Psd : 0 <= sum n (fun l => sum n (fun h => u l * u h * R0 l h))).
      { apply dominant_form.
        - intros l h Hl Hh. pose proof (forallb_seq _ _ Dom l Hl) as X. cbn beta in X. apply both in X as [X _].
          pose proof (forallb_seq _ _ X h Hh) as Y. cbn beta in Y. rewrite !En in Y by auto. apply qeq_R in Y. exact Y.
        - intros l Hl. pose proof (forallb_seq _ _ Dom l Hl) as X. cbn beta in X. apply both in X as [_ X]. apply qle_R in X.
          rewrite qsum_R, En in X by auto. fold (R0 l l) in X. eapply Rle_trans; [|exact X]. right. apply sum_ext. intros h Hh.
          rewrite En by auto. destruct (Nat.eqb h l); [symmetry; apply zero_R|]. rewrite qabs_R. reflexivity. }
      eapply Rle_trans; [exact Psd|]. right. apply sum_ext. intros l Hl. apply sum_ext. intros h Hh. rewrite (RV l h Hl Hh). f_equal. f_equal.
      apply sum_ext. intros c Hc. destruct (Nat.ltb_spec c n); [reflexivity|lia].
    + exists e, u. split.
      * intros q' Dq l Hl. etransitivity; [apply (U q' Dq l Hl)|]. apply sum_ext. intros j Hj. rewrite identity_matrix_R; auto.
      * split; [exact Suc|]. unfold variances_product. fold n. rewrite KN. eapply Rle_trans; [exact Pr|].
        destruct (logs_of d (map (fun j => entry F j j) (seq 0 n))) as [[l h]|] eqn:LF; [|discriminate].
        apply logs_of_ok in LF; auto. apply qle_R in LO. rewrite qadd_R, qmul_R, two_R, zero_R in LO.
        rewrite (sum_ext n _ (fun i => ln (Rabs (Q2R (entry F i i))))) by (intros l' Hl; destruct (Nat.ltb_spec l' n); [reflexivity|lia]).
        set (y := sum n (fun i => ln (Rabs (Q2R (entry F i i))))) in *.
        destruct (Rle_lt_or_eq_dec (2 * y) (- Q2R lower)) as [Lt|Eq]; [lra|left; apply exp_increasing; exact Lt|rewrite Eq; lra].
  - intros m' P' a' u _ A' U' Suc.
    assert (S : sound k m' P' t) by (apply (tests_of_ok k m' P' _ betas alpha t ltac:(lia) L (proj1 A') (allowed_above k m' _ es P' E A') G)).
    destruct S as [G' [SG [_ [SqOk _]]]]. pose proof (sq_ones _ _ _ _ _ SqOk n q W (distribution_length _ _ D) SW SQ) as S.
    eapply Rle_trans; [|apply (determinant_bound k m' P' a' (vec q) u (mat W) G' (Q2R (most t)) Hk (proj1 A') D' U' S SG); auto].
    + destruct (log_ends d (Qred (Qdiv (most t) (count_of n)))) as [[x h]|] eqn:LB; [|discriminate].
      destruct (logs_of d (map (fun j => entry W j j) (seq 0 n))) as [[l y]|] eqn:LW; [|discriminate].
      apply qle_R in UP. rewrite qsub_R, !qmul_R, two_R, count_of_R in UP. apply logs_of_ok in LW; auto. apply log_ends_ok in LB; auto.
      assert (N0 : 0 < INR n) by (apply lt_0_INR; unfold n; lia).
      assert (NZ : ~ (count_of n == 0)%Q) by (intros Y; apply Qeq_eqR in Y; rewrite zero_R, count_of_R in Y; lra).
      rewrite Q2R_red, Q2R_div, count_of_R in LB by auto. destruct LB as [_ [_ LB]]. destruct LW as [LW _].
      fold n. change (fun l => ln (Rabs (mat W l l))) with (fun i => ln (Rabs (Q2R (entry W i i)))).
      set (w := sum n (fun i => ln (Rabs (Q2R (entry W i i))))) in *. apply (Rmult_le_compat_l (INR n)) in LB; [|lra].
      match goal with |- exp ?v <= exp ?z => destruct (Rle_lt_or_eq_dec v z) as [Lt|Eq]; [lra|left; apply exp_increasing; exact Lt|rewrite Eq; lra] end.
    + intros l Hl. pose proof (forallb_seq _ _ Z l Hl) as Y. cbn beta in Y. apply qeq_R in Y.
      rewrite column_total, zero_R, (shaped_rows _ _ _ SW) in Y. exact Y.
    + intros l Hl. destruct (is_triangular_ok n (entry W) l TW Hl) as [N1 _]. split; [exact N1|]. intros j Hj.
      apply (proj2 (is_triangular_ok n (entry W) j TW ltac:(lia)) l Hl Hj).
Qed.
