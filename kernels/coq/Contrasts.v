(* The way of rays, E-optimality: the worst contrast of length 1, from a factor of the dual matrix and a diagonally dominant rest. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists RayRules.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Over the real numbers. ---- *)
Lemma square_sum k f : sum k f ^ 2 = sum k (fun l => sum k (fun h => f l * f h)).
Proof.
  transitivity (sum k (fun l => f l * sum k f)); [rewrite sum_scal_r; ring|]. apply sum_ext. intros l _. rewrite sum_scal. reflexivity.
Qed.

Definition covariance (m : nat) (law : nat -> R) (a : nat -> nat -> R) (l h : nat) : R :=
  sum m (fun i => law i * (a i l * a i h)) - sum m (fun i => law i * a i l) * sum m (fun i => law i * a i h).
Lemma contrast_form k m P a q u : contrast_variance k m P a q u =
  sum k (fun l => sum k (fun h => u l * u h * covariance m (answers k P q) a l h)).
Proof.
  unfold contrast_variance, n_variance. cbn [sum]. rewrite Rplus_0_l. set (law := answers k P q).
  assert (E1 : sum m (fun i => law i * sum k (fun l => u l * a i l) ^ 2) =
    sum k (fun l => sum k (fun h => u l * u h * sum m (fun i => law i * (a i l * a i h))))).
  { rewrite (sum_ext m _ (fun i => sum k (fun l => sum k (fun h => u l * u h * (law i * (a i l * a i h)))))).
    - rewrite sum_swap. apply sum_ext. intros l _. rewrite sum_swap. apply sum_ext. intros h _. apply sum_scal.
    - intros i _. rewrite square_sum, <- sum_scal. apply sum_ext. intros l _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
  assert (E2 : sum m (fun i => law i * sum k (fun l => u l * a i l)) = sum k (fun l => u l * sum m (fun i => law i * a i l))).
  { rewrite (sum_ext m _ (fun i => sum k (fun l => u l * (law i * a i l)))).
    - rewrite sum_swap. apply sum_ext. intros l _. apply sum_scal.
    - intros i _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
  rewrite E1, E2, square_sum, <- sum_minus. apply sum_ext. intros l _. rewrite <- sum_minus. apply sum_ext. intros h _.
  unfold covariance. ring.
Qed.

(* A symmetric matrix that is diagonally dominant has no negative value. *)
Lemma dominant_form k D u : (forall l h, (l < k)%nat -> (h < k)%nat -> D l h = D h l) ->
  (forall l, (l < k)%nat -> sum k (fun h => if Nat.eqb h l then 0 else Rabs (D l h)) <= D l l) ->
  0 <= sum k (fun l => sum k (fun h => u l * u h * D l h)).
Proof.
  intros S Dom. set (off := fun l h => if Nat.eqb h l then 0 else Rabs (D l h)).
  assert (A : sum k (fun l => D l l * u l ^ 2 - sum k (fun h => off l h * ((u l ^ 2 + u h ^ 2) / 2))) <=
    sum k (fun l => sum k (fun h => u l * u h * D l h))).
  { apply sum_le. intros l Hl. rewrite <- (sum_single k l (D l l * u l ^ 2) Hl), <- sum_minus. apply sum_le. intros h Hh.
    unfold off. destruct (Nat.eqb_spec h l) as [->|N]; [right; ring|].
    assert (Rabs (u l * u h * D l h) <= Rabs (D l h) * ((u l ^ 2 + u h ^ 2) / 2)).
    { rewrite Rabs_mult, Rmult_comm. apply Rmult_le_compat_l; [apply Rabs_pos|]. unfold Rabs.
      pose proof (pow2_ge_0 (u l + u h)). pose proof (pow2_ge_0 (u l - u h)). destruct (Rcase_abs _); lra. }
    pose proof (Rle_abs (- (u l * u h * D l h))) as X. rewrite Rabs_Ropp in X. lra. }
  assert (B : sum k (fun l => sum k (fun h => off l h * ((u l ^ 2 + u h ^ 2) / 2))) = sum k (fun l => u l ^ 2 * sum k (off l))).
  { rewrite (sum_ext k _ (fun l => / 2 * (u l ^ 2 * sum k (off l)) + / 2 * sum k (fun h => off l h * u h ^ 2))).
    - rewrite sum_plus, !sum_scal, (sum_swap k k (fun l h => off l h * u h ^ 2)).
      rewrite (sum_ext k (fun j => sum k (fun i => off i j * u j ^ 2)) (fun j => u j ^ 2 * sum k (off j))); [lra|].
      intros j Hj. rewrite sum_scal_r, Rmult_comm. f_equal. apply sum_ext. intros i Hi. unfold off.
      rewrite Nat.eqb_sym, (S i j Hi Hj). reflexivity.
    - intros l _. rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros h _. field. }
  rewrite sum_minus, B, <- sum_minus in A. apply Rle_trans with (2 := A). apply sum_nonneg. intros l Hl.
  specialize (Dom l Hl). fold (off l) in Dom. pose proof (pow2_ge_0 (u l)).
  replace (D l l * u l ^ 2 - u l ^ 2 * sum k (off l)) with (u l ^ 2 * (D l l - sum k (off l))) by ring. apply Rmult_le_pos; auto.
  unfold off in *. lra.
Qed.

Lemma some_at_least n f g w : (forall l, (l < n)%nat -> 0 <= w l) -> (forall l, (l < n)%nat -> w l = 0 -> f l = g l) ->
  0 < sum n w -> sum n f <= sum n g -> exists l, (l < n)%nat /\ 0 < w l /\ f l <= g l.
Proof.
  intros W E P L.
  assert (X : (exists l, (l < n)%nat /\ 0 < w l /\ f l <= g l) \/ (sum n g <= sum n f /\ (0 < sum n w -> sum n g < sum n f))).
  { clear P L. induction n as [|n IH]; [right; cbn; lra|]. destruct IH as [[l [H R]]|[A B]]; [intros; apply W; lia|intros; apply E; auto; lia| |].
    - left. exists l. split; [lia|exact R].
    - assert (Wn : 0 <= w n) by (apply W; lia). cbn [sum]. destruct (Rlt_le_dec 0 (w n)) as [Q|Q].
      + destruct (Rle_lt_dec (f n) (g n)) as [F|F]; [left; exists n; split; [lia|auto]|]. right. split; [lra|]. intros _. lra.
      + assert (Z : w n = 0) by lra. rewrite Z, (E n ltac:(lia) Z). right. split; [lra|]. intros H. assert (sum n g < sum n f) by (apply B; lra). lra. }
  destruct X as [X|[_ X]]; [exact X|]. specialize (X P). lra.
Qed.

Lemma contrast_scaled k m P a q u c : contrast_variance k m P a q (fun l => c * u l) = c ^ 2 * contrast_variance k m P a q u.
Proof. rewrite !contrast_form, <- sum_scal. apply sum_ext. intros l _. rewrite <- sum_scal. apply sum_ext. intros; ring. Qed.

Lemma contrast_nonneg k m P a q u : mechanism k m P -> distribution k q -> 0 <= contrast_variance k m P a q u.
Proof.
  intros M D. pose proof (answers_distribution k m P q M D) as [N L]. unfold contrast_variance, n_variance. cbn [sum]. rewrite Rplus_0_l.
  set (law := answers k P q) in *. set (x := fun i => sum k (fun l => u l * a i l)). set (mu := sum m (fun i => law i * x i)).
  assert (E : sum m (fun i => law i * (x i - mu) ^ 2) = sum m (fun i => law i * x i ^ 2) - mu ^ 2).
  { rewrite (sum_ext m _ (fun i => law i * x i ^ 2 + (-2 * mu) * (law i * x i) + law i * (mu ^ 2))) by (intros; ring).
    rewrite !sum_plus, sum_scal, sum_scal_r, L. fold mu. ring. }
  unfold x in *. fold mu. rewrite <- E. apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply N; auto|apply pow2_ge_0].
Qed.

Lemma contrasts_bound k m s P a q U W G B : mechanism k m P -> distribution k q -> unbiased k m k P unit_matrix a ->
  square_rows k m s P W q G -> sum m G <= B -> (forall l, (l < s)%nat -> sum k (fun j => W j l) = 0) -> 0 < B ->
  sum s (fun l => sum k (fun j => U l j * W j l)) ^ 2 / B <= sum s (fun l => contrast_variance k m P a q (U l)).
Proof.
  intros M D Un S SG Z HB. set (b := fun i l => sum k (fun j => U l j * a i j)).
  assert (Ub : unbiased k m s P U b).
  { intros q' D' l Hl. unfold b. rewrite (sum_ext m _ (fun i => sum k (fun j => U l j * (answers k P q' i * a i j)))).
    - rewrite sum_swap. apply sum_ext. intros j Hj. rewrite sum_scal, (Un q' D' j Hj). f_equal. unfold unit_matrix.
      rewrite (sum_ext k _ (fun h => if Nat.eqb h j then q' j else 0)); [apply sum_single; auto|].
      intros h _. destruct (Nat.eq_dec h j) as [->|N]; [rewrite Nat.eqb_refl; ring|].
      destruct (Nat.eqb_spec j h); [congruence|]. destruct (Nat.eqb_spec h j); [congruence|]. ring.
    - intros i _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
  replace (sum s (fun l => contrast_variance k m P a q (U l))) with (n_variance k m s P b q).
  - apply (variance_bound k m s P U b q W G B M D Ub S SG Z HB).
  - unfold contrast_variance, n_variance, b. apply sum_ext. intros l _. cbn [sum]. ring.
Qed.

Theorem contrast_bound k m s P a q W G B lower : (0 < k)%nat -> mechanism k m P -> distribution k q -> unbiased k m k P unit_matrix a ->
  square_rows k m s P W q G -> sum m G <= B -> (forall l, (l < s)%nat -> sum k (fun j => W j l) = 0) -> 0 < B ->
  lower * B <= sum s (fun l => sum k (fun j => W j l ^ 2)) ->
  exists u, sum k (fun l => u l ^ 2) = 1 /\ lower <= contrast_variance k m P a q u.
Proof.
  intros Hk M D U S SG Z HB L. set (w := fun l => sum k (fun j => W j l ^ 2)) in *. set (T := sum s w) in *.
  assert (W0 : forall l, (l < s)%nat -> 0 <= w l) by (intros; apply sum_nonneg; intros; apply pow2_ge_0).
  assert (T0 : 0 <= T) by (apply sum_nonneg; auto). destruct (Req_dec T 0) as [TZ|TN].
  - exists (fun l => if Nat.eqb l 0 then 1 else 0). split.
    + rewrite (sum_ext k _ (fun h => if Nat.eqb h 0 then 1 else 0)) by (intros h _; destruct (Nat.eqb h 0); ring). apply sum_single; auto.
    + apply Rle_trans with 0; [|apply contrast_nonneg; auto]. apply (Rmult_le_reg_r B); lra.
  - pose proof (contrasts_bound k m s P a q (fun l j => W j l) W G B M D U S SG Z HB) as V. cbn beta in V.
    rewrite (sum_ext s _ w) in V by (intros l _; unfold w; apply sum_ext; intros; ring). fold T in V.
    assert (TB : lower * T <= T ^ 2 / B).
    { apply (Rmult_le_reg_r B); auto. unfold Rdiv. rewrite (Rmult_assoc (T ^ 2)), Rinv_l, Rmult_1_r by lra.
      assert (0 <= T * (T - lower * B)) by (apply Rmult_le_pos; lra). lra. }
    destruct (some_at_least s (fun l => lower * w l) (fun l => contrast_variance k m P a q (fun j => W j l)) w W0) as [l [Hl [Pl F]]].
    + intros l Hl Zl. assert (Zj : forall j, (j < k)%nat -> W j l = 0).
      { intros j Hj. pose proof (sum_nonneg_zero k (fun j => W j l ^ 2) (fun h _ => pow2_ge_0 _) Zl j Hj) as X. cbn beta in X.
        destruct (Req_dec (W j l) 0); auto. exfalso. apply (pow_nonzero _ 2 H X). }
      rewrite Zl, contrast_form, Rmult_0_r. symmetry. apply sum_zero. intros j Hj. apply sum_zero. intros h Hh. rewrite (Zj j Hj). ring.
    + fold T. lra.
    + rewrite sum_scal. fold T. lra.
    + cbn beta in F. set (c := / sqrt (w l)). assert (Sq : c ^ 2 * w l = 1).
      { unfold c. rewrite pow_inv. replace (sqrt (w l) ^ 2) with (w l) by (symmetry; apply pow2_sqrt; lra). field. lra. }
      exists (fun j => c * W j l). split.
      * rewrite (sum_ext k _ (fun j => c ^ 2 * W j l ^ 2)) by (intros; ring). rewrite sum_scal. exact Sq.
      * rewrite contrast_scaled. apply Rle_trans with (c ^ 2 * (lower * w l)); [right|apply Rmult_le_compat_l; [apply pow2_ge_0|exact F]].
        replace (c ^ 2 * (lower * w l)) with (lower * (c ^ 2 * w l)) by ring. rewrite Sq. ring.
Qed.

(* ---- The check. ---- *)
Definition qcovariance (law : list Q) (x y : list Q) : Q :=
  qsub (dot law (map (fun p => qmul (fst p) (snd p)) (combine x y))) (qmul (dot law x) (dot law y)).
Definition identity_matrix (k : nat) : list (list Q) := map (fun i => map (fun j => if Nat.eqb i j then 1%Q else 0%Q) (seq 0 k)) (seq 0 k).
Definition rest_entry (upper : Q) (law : list Q) (A F : list (list Q)) (l h : nat) : Q :=
  qsub (qsub (if Nat.eqb h l then upper else 0%Q) (qcovariance law (nth l A []) (nth h A []))) (dot (nth l F []) (nth h F [])).
Definition check_dominant (k : nat) (D : list (list Q)) : bool :=
  forallb (fun l => forallb (fun h => Qeq_bool (entry D l h) (entry D h l)) (seq 0 k)
    && Qle_bool (qsum k (fun h => if Nat.eqb h l then 0%Q else qabs (entry D l h))) (entry D l l))%bool (seq 0 k).

Definition check_worst_contrast (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (W A F : list (list Q)) : bool :=
  let k := categories p in let m := length a in let q := population p in
  let s := length (nth 0 W []) in
  let law := outputs_law q a in
  let D := map (fun l => map (rest_entry upper law A F l) (seq 0 k)) (seq 0 k) in
  (Nat.ltb 0 k && Nat.ltb 0 m && outputs_agree m (outputs p) && Nat.eqb (length alpha) k
   && is_distribution k q && Qle_bool lower upper && check_allowed k (region_of p) es a
   && shaped k s W && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 s)
   && check_unbiased k a A (identity_matrix k) && check_dominant k D
   && match tests_of k (aboves (conditions (region_of p)) es) betas alpha with
      | Some t =>
        sq t (ones s) q W && qlt 0 (most t)
        && Qle_bool (qmul lower (most t)) (qsum s (fun l => qsum k (fun j => qmul (entry W j l) (entry W j l))))
      | None => false
      end)%bool.

Lemma qcovariance_R k m q a A l h : shaped m k a = true -> shaped k m A = true -> (l < k)%nat -> (h < k)%nat ->
  Q2R (qcovariance (outputs_law q a) (nth l A []) (nth h A [])) =
  covariance m (answers k (mat a) (vec q)) (fun i j => mat A j i) l h.
Proof.
  intros Sa SA Hl Hh. unfold qcovariance, covariance. rewrite qsub_R, qmul_R.
  assert (L : length (outputs_law q a) = m) by (unfold outputs_law; rewrite map_length; apply (shaped_rows _ _ _ Sa)).
  assert (Law : forall i, vec (outputs_law q a) i = answers k (mat a) (vec q) i) by (intros; apply outputs_law_R with (m := m); auto).
  assert (Len : forall j, (j < k)%nat -> length (nth j A []) = m).
  { intros j Hj. unfold shaped in SA. apply both in SA as [SA1 SA2]. apply Nat.eqb_eq in SA1.
    pose proof (forallb_nth _ _ [] SA2 j ltac:(lia)) as X. apply Nat.eqb_eq in X. exact X. }
  rewrite !(dot_R m) by lia. f_equal.
  - apply sum_ext. intros i Hi. rewrite Law. f_equal. unfold vec at 1.
    rewrite (nth_indep _ 0%Q (qmul (fst (0%Q, 0%Q)) (snd (0%Q, 0%Q)))) by (rewrite map_length, combine_length, !Len by auto; lia).
    rewrite (map_nth (fun p => qmul (fst p) (snd p))), combine_nth by (rewrite !Len by auto; reflexivity). apply qmul_R.
  - f_equal; apply sum_ext; intros i _; rewrite Law; reflexivity.
Qed.
Lemma identity_matrix_R k l j : (l < k)%nat -> (j < k)%nat -> mat (identity_matrix k) l j = unit_matrix l j.
Proof.
  intros Hl Hj. unfold mat, identity_matrix, vec, unit_matrix.
  rewrite (map_seq_nth (fun i => map (fun j => if Nat.eqb i j then 1%Q else 0%Q) (seq 0 k)) k [] l Hl).
  rewrite (map_seq_nth (fun j => if Nat.eqb l j then 1%Q else 0%Q) k 0%Q j Hj). destruct (Nat.eqb l j); [apply one_R|apply zero_R].
Qed.

Theorem check_worst_contrast_ok p es lower upper a alpha betas W A F :
  check_worst_contrast p es lower upper a alpha betas W A F = true -> true_claim (WorstContrast p lower upper a).
Proof.
  unfold check_worst_contrast. set (k := categories p). set (m := length a). set (q := population p). set (s := length (nth 0 W [])).
  set (law := outputs_law q a). intros H.
  apply both in H as [[[[[[[[[[[Hk Hm]%both O]%both L]%both D]%both _]%both AL]%both SW]%both Z]%both U]%both Dom]%both H].
  apply Nat.ltb_lt in Hk, Hm. apply Nat.eqb_eq in L. apply check_allowed_ok in AL as AL'.
  unfold check_allowed in AL. apply both in AL as [[[SH E]%both _]%both _].
  unfold is_mechanism in SH. apply both in SH as [[SH _]%both _].
  pose proof (is_distribution_ok _ _ D) as D'.
  assert (Fit : outputs_fit p m) by (unfold outputs_fit; unfold outputs_agree in O; destruct (outputs p); [apply Nat.eqb_eq in O; auto|exact I]).
  destruct (tests_of k (aboves (conditions (region_of p)) es) betas alpha) as [t|] eqn:G; [|discriminate].
  apply both in H as [[SQ BP]%both LO]. apply qlt_R in BP. rewrite zero_R in BP. apply qle_R in LO. rewrite qmul_R, qsum_R in LO.
  split; [exact D'|]. split; [exact Fit|]. split; [exact AL'|]. fold k q. split.
  - pose proof U as U0. unfold check_unbiased in U0. apply both in U0 as [SA _]. apply check_unbiased_ok in U. destruct U as [LA U].
    assert (LI : length (identity_matrix k) = k) by (unfold identity_matrix; rewrite map_length, seq_length; reflexivity).
    rewrite LI in *. fold m in U, SA. exists (fun i l => mat A l i). split.
    + intros q' Dq l Hl. etransitivity; [apply (U q' Dq l Hl)|]. apply sum_ext. intros j Hj. rewrite identity_matrix_R; auto.
    + intros u Hu. rewrite contrast_form.
      change (sum k (fun l => sum k (fun h => u l * u h * covariance m (answers k (mat a) (vec q)) (fun i j => mat A j i) l h)) <= Q2R upper).
      change (sum k (fun l => u l ^ 2) = 1) in Hu.
      set (R0 := fun l h => Q2R (rest_entry upper law A F l h)).
      set (f := Nat.max (fold_right Nat.max 0%nat (map (@length Q) F)) 0).
      assert (FL : forall l, (length (nth l F []) <= f)%nat).
      { intros l. unfold f. rewrite Nat.max_0_r. clear. revert l. induction F as [|x F IH]; intros [|l]; cbn; try lia. specialize (IH l). lia. }
      assert (En : forall l h, (l < k)%nat -> (h < k)%nat ->
        entry (map (fun l => map (rest_entry upper law A F l) (seq 0 k)) (seq 0 k)) l h = rest_entry upper law A F l h).
      { intros l h Hl Hh. unfold entry. rewrite (map_seq_nth (fun l => map (rest_entry upper law A F l) (seq 0 k)) k [] l Hl).
        apply map_seq_nth. exact Hh. }
      assert (RV : forall l h, (l < k)%nat -> (h < k)%nat -> R0 l h = (if Nat.eqb h l then Q2R upper else 0)
        - covariance m (answers k (mat a) (vec q)) (fun i j => mat A j i) l h - sum f (fun c => mat F l c * mat F h c)).
      { intros l h Hl Hh. unfold R0, rest_entry. rewrite !qsub_R. unfold law. rewrite (qcovariance_R k m) by auto.
        rewrite (dot_R f) by apply FL. destruct (Nat.eqb h l); rewrite ?zero_R; reflexivity. }
      assert (Psd : 0 <= sum k (fun l => sum k (fun h => u l * u h * R0 l h))).
      { apply dominant_form.
        - intros l h Hl Hh. pose proof (forallb_seq _ _ Dom l Hl) as X. cbn beta in X. apply both in X as [X _].
          pose proof (forallb_seq _ _ X h Hh) as Y. cbn beta in Y. rewrite !En in Y by auto. apply qeq_R in Y. exact Y.
        - intros l Hl. pose proof (forallb_seq _ _ Dom l Hl) as X. cbn beta in X. apply both in X as [_ X]. apply qle_R in X.
          rewrite qsum_R, En in X by auto. fold (R0 l l) in X. eapply Rle_trans; [|exact X]. right. apply sum_ext. intros h Hh.
          rewrite En by auto. destruct (Nat.eqb h l); [symmetry; apply zero_R|]. rewrite qabs_R. reflexivity. }
      rewrite (sum_ext k _ (fun l => sum k (fun h => u l * u h * (if Nat.eqb h l then Q2R upper else 0))
        - sum k (fun h => u l * u h * covariance m (answers k (mat a) (vec q)) (fun i j => mat A j i) l h)
        - sum k (fun h => u l * u h * sum f (fun c => mat F l c * mat F h c)))) in Psd
        by (intros l Hl; rewrite <- !sum_minus; apply sum_ext; intros h Hh; rewrite (RV l h Hl Hh); ring).
      rewrite !sum_minus in Psd.
      assert (T1 : sum k (fun l => sum k (fun h => u l * u h * (if Nat.eqb h l then Q2R upper else 0))) = Q2R upper).
      { rewrite (sum_ext k _ (fun l => Q2R upper * u l ^ 2)); [rewrite sum_scal, Hu; ring|]. intros l Hl.
        rewrite (sum_ext k _ (fun h => if Nat.eqb h l then Q2R upper * u l ^ 2 else 0)); [apply sum_single; auto|].
        intros h _. destruct (Nat.eqb_spec h l) as [->|]; ring. }
      assert (T2 : 0 <= sum k (fun l => sum k (fun h => u l * u h * sum f (fun c => mat F l c * mat F h c)))).
      { rewrite (sum_ext k _ (fun l => sum f (fun c => sum k (fun h => (u l * mat F l c) * (u h * mat F h c))))).
        - rewrite sum_swap. apply sum_nonneg. intros c _. rewrite <- square_sum. apply pow2_ge_0.
        - intros l _. rewrite <- sum_swap. apply sum_ext. intros h _. rewrite <- sum_scal. apply sum_ext. intros; ring. }
      lra.
  - intros m' P' a' _ A' U'.
    assert (S : sound k m' P' t).
    { apply (tests_of_ok k m' P' _ betas alpha t Hk L (proj1 A') (allowed_above k m' _ es P' E A') G). }
    destruct S as [G' [SG [_ [SqOk _]]]]. pose proof (sq_ones _ _ _ _ _ SqOk s q W (distribution_length _ _ D) SW SQ) as S.
    apply (contrast_bound k m' s P' a' (vec q) (mat W) G' (Q2R (most t)) (Q2R lower) Hk (proj1 A') D' U' S SG); auto.
    + intros l Hl. pose proof (forallb_seq _ _ Z l Hl) as Y. cbn beta in Y. apply qeq_R in Y.
      rewrite column_total, zero_R, (shaped_rows _ _ _ SW) in Y. exact Y.
    + eapply Rle_trans; [exact LO|]. right. apply sum_ext. intros l _. rewrite qsum_R. apply sum_ext. intros j _.
      rewrite qmul_R, !entry_R. ring.
Qed.
