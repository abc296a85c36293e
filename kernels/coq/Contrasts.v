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

