(* The way of rays for one level with delta = 0: the rays are the 2^k patterns, whose entries are 1 or gamma. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs.
Import ListNotations.
Local Open Scope R_scope.

(* ---- Real numbers: what holds on all patterns holds for all rows of private mechanisms. ---- *)
Definition pattern (g : R) (b : nat -> bool) (j : nat) : R := if b j then g else 1.

Lemma cone_bound k g p c : (0 < k)%nat -> 1 <= g -> (forall j, (j < k)%nat -> 0 <= p j) ->
  (forall j l, (j < k)%nat -> (l < k)%nat -> p j <= g * p l) ->
  (forall b, sum k (fun j => c j * pattern g b j) <= 0) -> sum k (fun j => c j * p j) <= 0.
Proof.
  intros Hk Hg N W H. set (t := smallest k p). set (b := fun j => if Rle_dec 0 (c j) then true else false).
  destruct (smallest_is k p Hk) as [l [Hl E]]. fold t in E. assert (T : 0 <= t) by (rewrite E; auto).
  apply Rle_trans with (t * sum k (fun j => c j * pattern g b j)); [|specialize (H b); nra].
  rewrite <- sum_scal. apply sum_le. intros j Hj. pose proof (smallest_le k p j Hj). fold t in H0.
  specialize (W j l Hj Hl). rewrite <- E in W. unfold pattern, b. destruct (Rle_dec 0 (c j)); nra.
Qed.

Lemma tangent r x u A s : 0 <= A -> 0 <= s -> sum r (fun l => x l ^ 2) <= A * s ->
  2 * sum r (fun l => u l * x l) - sum r (fun l => u l ^ 2) * s <= A.
Proof.
  intros HA Hs H. destruct (Req_dec s 0) as [->|Z].
  - assert (X : forall l, (l < r)%nat -> x l = 0).
    { assert (S0 : sum r (fun l => x l ^ 2) = 0).
      { assert (0 <= sum r (fun l => x l ^ 2)) by (apply sum_nonneg; intros; apply pow2_ge_0). lra. }
      intros l Hl. pose proof (sum_nonneg_zero r _ (fun l _ => pow2_ge_0 (x l)) S0 l Hl) as Y. cbn beta in Y. nra. }
    rewrite (sum_zero r (fun l => u l * x l)); [lra|]. intros l Hl. rewrite X by auto. ring.
  - assert (Q : 0 <= sum r (fun l => (x l - s * u l) ^ 2)) by (apply sum_nonneg; intros; apply pow2_ge_0).
    rewrite (sum_ext r _ (fun l => x l ^ 2 + ((-2 * s) * (u l * x l) + s ^ 2 * u l ^ 2))) in Q by (intros; ring).
    rewrite !sum_plus, !sum_scal in Q. apply (Rmult_le_reg_l s); [lra|]. nra.
Qed.

Definition square_on_patterns (k r : nat) (g : R) (alpha s : nat -> R) (W : nat -> nat -> R) : Prop :=
  forall b, 0 <= sum k (fun j => alpha j * pattern g b j) /\ 0 <= sum k (fun j => s j * pattern g b j) /\
  sum r (fun l => sum k (fun j => W j l * pattern g b j) ^ 2) <=
  sum k (fun j => alpha j * pattern g b j) * sum k (fun j => s j * pattern g b j).

(* A linear function of the row p that is at most |p W|^2 / (s.p), for every u. *)
Definition tangent_at (k r : nat) (W : nat -> nat -> R) (q u p : nat -> R) : R :=
  2 * sum r (fun l => u l * sum k (fun j => W j l * p j)) - sum r (fun l => u l ^ 2) * sum k (fun j => q j * p j).
Lemma tangent_linear k r W q u p : tangent_at k r W q u p =
  sum k (fun j => (2 * sum r (fun l => u l * W j l) - sum r (fun l => u l ^ 2) * q j) * p j).
Proof.
  unfold tangent_at. rewrite (sum_ext k (fun j => (2 * _ - _) * p j) (fun j => 2 * sum r (fun l => u l * W j l * p j) - sum r (fun l => u l ^ 2) * (q j * p j)))
    by (intros; rewrite sum_scal_r; ring). rewrite sum_minus, !sum_scal, sum_swap. f_equal. f_equal. apply sum_ext. intros l _.
  rewrite <- sum_scal. apply sum_ext. intros; ring.
Qed.
Lemma square_tangent k r g alpha s W p u : (0 < k)%nat -> 1 <= g -> (forall j, (j < k)%nat -> 0 <= p j) ->
  (forall j l, (j < k)%nat -> (l < k)%nat -> p j <= g * p l) -> square_on_patterns k r g alpha s W ->
  tangent_at k r W s u p <= sum k (fun j => alpha j * p j).
Proof.
  intros Hk Hg N C H. set (c := fun j => 2 * sum r (fun l => u l * W j l) - sum r (fun l => u l ^ 2) * s j).
  apply Rminus_le. rewrite tangent_linear, <- sum_minus, (sum_ext k _ (fun j => (c j - alpha j) * p j)) by (intros; unfold c; ring).
  apply (cone_bound k g p (fun j => c j - alpha j)); auto. intros b. destruct (H b) as [H1 [H2 H3]]. pose proof (tangent r _ u _ _ H1 H2 H3) as X.
  change (tangent_at k r W s u (pattern g b) <= sum k (fun j => alpha j * pattern g b j)) in X. rewrite tangent_linear in X.
  rewrite (sum_ext k _ (fun j => c j * pattern g b j - alpha j * pattern g b j)) by (intros; ring). rewrite sum_minus. unfold c. lra.
Qed.

(* What a uniform level with delta = 0 gives. *)
Definition ratios (k m : nat) (g : R) (P : nat -> nat -> R) : Prop :=
  forall i j l, (i < m)%nat -> (j < k)%nat -> (l < k)%nat -> P i j <= g * P i l.

Lemma total_mass k m P alpha : mechanism k m P -> sum m (fun i => sum k (fun j => alpha j * P i j)) = sum k alpha.
Proof. intros [_ T]. rewrite sum_swap. apply sum_ext. intros j Hj. rewrite sum_scal, T by auto. ring. Qed.

Lemma unbiased_columns k m r P C a : mechanism k m P -> unbiased k m r P C a -> forall l j, (l < r)%nat -> (j < k)%nat ->
  sum m (fun i => P i j * a i l) = C l j.
Proof.
  intros M U l j Hl Hj. set (q := fun h => if Nat.eqb h j then 1 else 0).
  assert (One : forall f, sum k (fun h => f h * q h) = f j).
  { intros f. rewrite (sum_ext k _ (fun h => if Nat.eqb h j then f j else 0)); [apply sum_single; auto|].
    intros h _. unfold q. destruct (Nat.eqb_spec h j); [subst|]; ring. }
  assert (D : distribution k q).
  { split; [intros h _; unfold q; destruct (Nat.eqb h j); lra|].
    rewrite (sum_ext k q (fun h => 1 * q h)) by (intros; ring). rewrite (One (fun _ => 1)). reflexivity. }
  specialize (U q D l Hl). rewrite One in U. rewrite <- U. apply sum_ext. intros i _. unfold answers. rewrite One. reflexivity.
Qed.

Lemma unbiased_of_columns k m r P C a : (forall l j, (l < r)%nat -> (j < k)%nat -> sum m (fun i => P i j * a i l) = C l j) ->
  unbiased k m r P C a.
Proof.
  intros H q D l Hl. unfold answers.
  rewrite (sum_ext m _ (fun i => sum k (fun j => q j * (P i j * a i l)))) by (intros; rewrite <- sum_scal_r; apply sum_ext; intros; ring).
  rewrite sum_swap. apply sum_ext. intros j Hj. rewrite sum_scal, H by auto. ring.
Qed.

(* G i is what the row i may cost; all rows together cost at most B. *)
Definition square_rows (k m r : nat) (P W : nat -> nat -> R) (s G : nat -> R) : Prop :=
  forall i u, (i < m)%nat -> tangent_at k r W s u (P i) <= G i.

(* The deviations of an unbiased estimator from its means: its variance, and its products with the rows times W. *)
Lemma deviations k m r P C a q W : mechanism k m P -> distribution k q -> unbiased k m r P C a ->
  (forall l, (l < r)%nat -> sum k (fun j => W j l) = 0) -> exists mu,
  n_variance k m r P a q = sum m (fun i => answers k P q i * sum r (fun l => (a i l - mu l) ^ 2)) /\
  sum m (fun i => sum r (fun l => (a i l - mu l) * sum k (fun j => W j l * P i j))) = sum r (fun l => sum k (fun j => C l j * W j l)).
Proof.
  intros M D U Z. set (lam := answers k P q). pose proof (answers_distribution k m P q M D) as [_ L]. fold lam in L.
  set (mu := fun l => sum m (fun i => lam i * a i l)). exists mu. split.
  - unfold n_variance. fold lam. rewrite (sum_ext m _ (fun i => sum r (fun l => lam i * (a i l - mu l) ^ 2)))
      by (intros; rewrite sum_scal; auto). rewrite sum_swap. apply sum_ext. intros l _. fold (mu l).
    rewrite (sum_ext m (fun i => lam i * (a i l - mu l) ^ 2) (fun i => lam i * a i l ^ 2 + (-2 * mu l) * (lam i * a i l) + lam i * (mu l ^ 2)))
      by (intros; ring). rewrite !sum_plus, sum_scal, sum_scal_r, L. fold (mu l). ring.
  - rewrite sum_swap. apply sum_ext. intros l Hl.
    rewrite (sum_ext m _ (fun i => sum k (fun j => W j l * (P i j * a i l)) - mu l * sum k (fun j => W j l * P i j)))
      by (intros; rewrite Rmult_minus_distr_r, <- sum_scal; f_equal; apply sum_ext; intros; ring).
    rewrite sum_minus, sum_scal, (total_mass k m P (fun j => W j l) M), (Z l Hl), sum_swap.
    rewrite (sum_ext k _ (fun j => C l j * W j l)); [ring|]. intros j Hj. rewrite sum_scal.
    rewrite (unbiased_columns k m r P C a M U l j Hl Hj). ring.
Qed.

Lemma parabola T V B : (forall t, 2 * t * T - t ^ 2 * V <= B) -> 0 < B -> 0 <= V -> T ^ 2 / B <= V.
Proof.
  intros K HB HV. apply (Rmult_le_reg_r B); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  destruct (Req_dec T 0) as [->|NT]; [nra|].
  specialize (K (B / T)). replace (2 * (B / T) * T) with (2 * B) in K by (field; auto).
  assert (E : (B / T) ^ 2 * V * T ^ 2 = B * B * V) by (field; auto).
  assert (0 < T ^ 2) by (rewrite <- Rsqr_pow2; apply Rlt_0_sqr; auto).
  assert (B * T ^ 2 <= B * (B * V)); [|apply (Rmult_le_reg_l B); auto; lra].
  assert (B * T ^ 2 <= (B / T) ^ 2 * V * T ^ 2); [apply Rmult_le_compat_r; lra|lra].
Qed.

Lemma variance_nonneg k m r P C a q : mechanism k m P -> distribution k q -> unbiased k m r P C a -> 0 <= n_variance k m r P a q.
Proof.
  intros M D U. destruct (deviations k m r P C a q (fun _ _ => 0) M D U) as [mu [V _]]; [intros; apply sum_zero; auto|]. rewrite V.
  apply sum_nonneg. intros i Hi. apply Rmult_le_pos.
  - apply (answers_distribution k m P q M D); auto.
  - apply sum_nonneg. intros; apply pow2_ge_0.
Qed.

Theorem mixture_bound k m r n P C (a W : nat -> nat -> nat -> R) (q : nat -> nat -> R) (w G : nat -> R) B :
  mechanism k m P -> (forall b, (b < n)%nat -> 0 <= w b /\ distribution k (q b) /\ unbiased k m r P C (a b) /\
    forall l, (l < r)%nat -> sum k (fun j => W b j l) = 0) ->
  (forall i u, (i < m)%nat -> sum n (fun b => w b * tangent_at k r (W b) (q b) (u b) (P i)) <= G i) -> sum m G <= B -> 0 < B ->
  sum n (fun b => w b * sum r (fun l => sum k (fun j => C l j * W b j l))) ^ 2 / B <= sum n (fun b => w b * n_variance k m r P (a b) (q b)).
Proof.
  intros M H S SG HB.
  assert (X : exists mu, forall b, (b < n)%nat ->
    n_variance k m r P (a b) (q b) = sum m (fun i => answers k P (q b) i * sum r (fun l => (a b i l - mu b l) ^ 2)) /\
    sum m (fun i => sum r (fun l => (a b i l - mu b l) * sum k (fun j => W b j l * P i j))) = sum r (fun l => sum k (fun j => C l j * W b j l))).
  { clear S. revert H. induction n as [|n0 IH]; intros H; [exists (fun _ _ => 0); intros; lia|].
    destruct IH as [mu E]; [intros; apply H; lia|]. destruct (H n0 ltac:(lia)) as [_ [D [U Z]]].
    destruct (deviations k m r P C (a n0) (q n0) (W n0) M D U Z) as [nu V]. exists (fun b => if Nat.eqb b n0 then nu else mu b).
    intros b Hb. destruct (Nat.eqb_spec b n0) as [->|N]; [exact V|apply E; lia]. }
  destruct X as [mu X]. apply parabola; auto.
  - intros t. eapply Rle_trans; [|exact SG].
    apply Rle_trans with (sum m (fun i => sum n (fun b => w b * tangent_at k r (W b) (q b) (fun l => t * (a b i l - mu b l)) (P i))));
      [|apply sum_le; intros i Hi; apply (S i (fun b l => t * (a b i l - mu b l)) Hi)].
    right. rewrite sum_swap, <- !sum_scal, <- sum_minus. apply sum_ext. intros b Hb. destruct (X b Hb) as [V T]. rewrite V, <- T, sum_scal.
    replace (2 * t * (w b * sum m (fun i => sum r (fun l => (a b i l - mu b l) * sum k (fun j => W b j l * P i j)))) -
      t ^ 2 * (w b * sum m (fun i => answers k P (q b) i * sum r (fun l => (a b i l - mu b l) ^ 2)))) with
      (w b * (2 * t * sum m (fun i => sum r (fun l => (a b i l - mu b l) * sum k (fun j => W b j l * P i j))) -
        t ^ 2 * sum m (fun i => answers k P (q b) i * sum r (fun l => (a b i l - mu b l) ^ 2)))) by ring.
    f_equal. rewrite <- !sum_scal, <- sum_minus. apply sum_ext. intros i _. unfold tangent_at.
    rewrite (sum_ext r (fun l => (t * (a b i l - mu b l)) ^ 2) (fun l => t ^ 2 * (a b i l - mu b l) ^ 2)) by (intros; ring).
    rewrite (sum_ext r (fun l => t * (a b i l - mu b l) * sum k (fun j => W b j l * P i j))
              (fun l => t * ((a b i l - mu b l) * sum k (fun j => W b j l * P i j)))) by (intros; ring).
    rewrite !sum_scal. replace (answers k P (q b) i) with (sum k (fun j => q b j * P i j)); [ring|].
    unfold answers. apply sum_ext. intros; ring.
  - apply sum_nonneg. intros b Hb. destruct (H b Hb) as [Wb [D _]]. apply Rmult_le_pos; auto. rewrite (proj1 (X b Hb)).
    apply sum_nonneg. intros i Hi. apply Rmult_le_pos; [apply (answers_distribution k m P (q b) M D); auto|apply sum_nonneg; intros; apply pow2_ge_0].
Qed.

Theorem variance_bound k m r P C a q W G B :
  mechanism k m P -> distribution k q -> unbiased k m r P C a -> square_rows k m r P W q G -> sum m G <= B ->
  (forall l, (l < r)%nat -> sum k (fun j => W j l) = 0) -> 0 < B ->
  sum r (fun l => sum k (fun j => C l j * W j l)) ^ 2 / B <= n_variance k m r P a q.
Proof.
  intros M D U S SG Z HB. pose proof (mixture_bound k m r 1 P C (fun _ => a) (fun _ => W) (fun _ => q) (fun _ => 1) G B M) as X. cbn [sum] in X.
  rewrite !Rplus_0_l, !Rmult_1_l in X. apply X; auto; [intros b _; split; [lra|tauto]|]. intros i u Hi. rewrite Rplus_0_l, Rmult_1_l. apply (S i (u O) Hi).
Qed.

(* Linear functions. *)
Lemma linear_on_rows k m g P alpha c i : (0 < k)%nat -> 1 <= g -> mechanism k m P -> ratios k m g P -> (i < m)%nat ->
  sum k (fun j => Rmax (c j - alpha j) (g * (c j - alpha j))) <= 0 -> sum k (fun j => c j * P i j) <= sum k (fun j => alpha j * P i j).
Proof.
  intros Hk Hg M R Hi H. apply Rminus_le. rewrite <- sum_minus. rewrite (sum_ext k _ (fun j => (c j - alpha j) * P i j)) by (intros; ring).
  apply (cone_bound k g (P i)); auto.
  - intros; apply M; auto.
  - intros b. eapply Rle_trans; [|exact H]. apply sum_le. intros j _. unfold pattern. destruct (b j).
    + eapply Rle_trans; [|apply Rmax_r]. lra.
    + eapply Rle_trans; [|apply Rmax_l]. lra.
Qed.

(* ---- The check in rationals. ---- *)
Fixpoint vadd (a b : list Q) : list Q :=
  match a, b with x :: s, y :: t => qadd x y :: vadd s t | [], b => b | a, [] => a end.
Lemma vadd_R a : forall b j, vec (vadd a b) j = vec a j + vec b j.
Proof.
  induction a as [|x s IH]; intros b j; cbn [vadd]; [rewrite vec_nil; ring|].
  destruct b as [|y t]; [rewrite vec_nil; ring|]. destruct j; [unfold vec; cbn [nth]; apply qadd_R|apply (IH t j)].
Qed.
Definition scaled (g : Q) (v : list Q) : list Q := map (qmul g) v.
Lemma scaled_R g v j : vec (scaled g v) j = Q2R g * vec v j.
Proof.
  unfold scaled. revert j. induction v as [|x s IH]; intros j; cbn [map]; [rewrite vec_nil; ring|].
  destruct j; [unfold vec; cbn [nth]; apply qmul_R|apply IH].
Qed.

(* Every pattern of sums of rows, each row taken once or gamma times: a tree of depth k. *)
Fixpoint all_patterns (leaf : list Q -> bool) (rows : list (list Q * list Q)) (acc : list Q) : bool :=
  match rows with
  | [] => leaf acc
  | (one, more) :: rest => (all_patterns leaf rest (vadd acc one) && all_patterns leaf rest (vadd acc more))%bool
  end.
Definition with_multiples (g : Q) (rows : list (list Q)) : list (list Q * list Q) := map (fun r => (r, scaled g r)) rows.

Lemma all_patterns_ok leaf g rows : forall acc, all_patterns leaf (with_multiples g rows) acc = true ->
  forall b, exists v, leaf v = true /\
  forall c, vec v c = vec acc c + sum (length rows) (fun j => mat rows j c * pattern (Q2R g) b j).
Proof.
  induction rows as [|r rows IH]; intros acc H b; cbn [with_multiples map all_patterns] in H.
  - exists acc. split; auto. intros c. cbn. ring.
  - apply both in H as [H1 H2].
    assert (X : forall row w, (forall c, vec row c = vec r c * w) -> w = pattern (Q2R g) b 0 ->
                all_patterns leaf (with_multiples g rows) (vadd acc row) = true ->
                exists v, leaf v = true /\
                forall c, vec v c = vec acc c + sum (length (r :: rows)) (fun j => mat (r :: rows) j c * pattern (Q2R g) b j)).
    { intros row w E F H. destruct (IH _ H (fun j => b (S j))) as [v [L V]]. exists v. split; auto. intros c.
      rewrite V, vadd_R, E. cbn [length]. rewrite sum_front. change (mat (r :: rows) 0 c) with (vec r c). rewrite F.
      unfold pattern. rewrite Rplus_assoc. reflexivity. }
    destruct (b O) eqn:B.
    + apply (X (scaled g r) (Q2R g)); auto; [intros; rewrite scaled_R; ring|unfold pattern; rewrite B; auto].
    + apply (X r 1); auto; [intros; ring|unfold pattern; rewrite B; auto].
Qed.

(* A leaf is alpha, s, and the entries of x: sum_l d_l x_l^2 <= alpha s. *)
Fixpoint weighted_square (d x : list Q) : Q :=
  match d, x with c :: d, y :: x => qadd (qmul c (qmul y y)) (weighted_square d x) | _, _ => 0%Q end.
Lemma weighted_square_R d : forall x, Q2R (weighted_square d x) = sum (length d) (fun l => vec d l * vec x l ^ 2).
Proof.
  induction d as [|c d IH]; intros x; [apply zero_R|]. destruct x as [|y x]; cbn [weighted_square length].
  - rewrite zero_R. symmetry. apply sum_zero. intros l _. rewrite vec_nil. ring.
  - rewrite sum_front, qadd_R, !qmul_R, IH. change (vec (c :: d) 0) with (Q2R c). change (vec (y :: x) 0) with (Q2R y).
    rewrite (sum_ext (length d) (fun i => vec (c :: d) (S i) * vec (y :: x) (S i) ^ 2) (fun l => vec d l * vec x l ^ 2)) by reflexivity. ring.
Qed.
(* The columns of W, each times the root of its weight. *)
Definition rooted (d : list Q) (W : list (list Q)) (j l : nat) : R := sqrt (vec d l) * mat W j l.
Lemma rooted_square d W k r l : forallb (Qle_bool 0) d = true ->
  sum k (fun j => rooted d W j l * r j) ^ 2 = vec d l * sum k (fun j => mat W j l * r j) ^ 2.
Proof.
  intros N. unfold rooted. rewrite (sum_ext k _ (fun j => sqrt (vec d l) * (mat W j l * r j))) by (intros; ring).
  rewrite sum_scal. rewrite Rpow_mult_distr. f_equal. apply pow2_sqrt. destruct (le_lt_dec (length d) l) as [L|L].
  - rewrite vec_beyond by auto. lra.
  - rewrite <- zero_R. apply qle_R. apply (forallb_nth _ _ 0%Q N l L).
Qed.

Definition square_leaf (d v : list Q) : bool :=
  match v with a :: s :: x => (Qle_bool 0 a && Qle_bool 0 s && Qle_bool (weighted_square d x) (qmul a s))%bool | _ => false end.
Fixpoint joined (alpha s : list Q) (W : list (list Q)) : list (list Q) :=
  match alpha, s, W with a :: alpha, b :: s, w :: W => (a :: b :: w) :: joined alpha s W | _, _, _ => [] end.
Definition check_squares (g : Q) (alpha s d : list Q) (W : list (list Q)) : bool :=
  (forallb (Qle_bool 0) d && all_patterns (square_leaf d) (with_multiples g (joined alpha s W)) [])%bool.

Lemma joined_ok k : forall alpha s W, length alpha = k -> length s = k -> length W = k ->
  length (joined alpha s W) = k /\ forall j, mat (joined alpha s W) j 0 = vec alpha j /\ mat (joined alpha s W) j 1 = vec s j /\
  forall l, mat (joined alpha s W) j (S (S l)) = mat W j l.
Proof.
  induction k; intros [|a alpha] [|b s] [|w W] L1 L2 L3; cbn in L1, L2, L3; try discriminate.
  - cbn [joined]. split; auto. intros j. unfold mat, vec. repeat split; intros; destruct j; try destruct l; reflexivity.
  - destruct (IHk alpha s W) as [L H]; auto. cbn [joined length]. split; auto. intros [|j]; [repeat split|]. apply (H j).
Qed.

Lemma check_squares_ok k g alpha s d W : length alpha = k -> length s = k -> shaped k (length d) W = true ->
  check_squares g alpha s d W = true -> square_on_patterns k (length d) (Q2R g) (vec alpha) (vec s) (rooted d W).
Proof.
  intros L1 L2 SW H b. unfold check_squares in H. apply both in H as [N H]. pose proof (shaped_rows _ _ _ SW) as L3.
  destruct (joined_ok k alpha s W L1 L2 L3) as [L J]. destruct (all_patterns_ok _ _ _ _ H b) as [v [E V]]. rewrite L in V.
  assert (V0 : vec v 0 = sum k (fun j => vec alpha j * pattern (Q2R g) b j)).
  { rewrite V, vec_nil, Rplus_0_l. apply sum_ext. intros j _. rewrite (proj1 (J j)). reflexivity. }
  assert (V1 : vec v 1 = sum k (fun j => vec s j * pattern (Q2R g) b j)).
  { rewrite V, vec_nil, Rplus_0_l. apply sum_ext. intros j _. rewrite (proj1 (proj2 (J j))). reflexivity. }
  assert (V2 : forall l, vec v (S (S l)) = sum k (fun j => mat W j l * pattern (Q2R g) b j)).
  { intros l. rewrite V, vec_nil, Rplus_0_l. apply sum_ext. intros j _. rewrite (proj2 (proj2 (J j))). reflexivity. }
  destruct v as [|x0 [|x1 x]]; cbn [square_leaf] in E; try discriminate. apply both in E as [[E0 E1]%both E2].
  change (vec (x0 :: x1 :: x) 0) with (Q2R x0) in V0. change (vec (x0 :: x1 :: x) 1) with (Q2R x1) in V1.
  apply qle_R in E0, E1, E2. rewrite zero_R in E0, E1. rewrite qmul_R, weighted_square_R, V0, V1 in E2.
  rewrite <- V0, <- V1. split; [exact E0|]. split; [exact E1|]. rewrite V0, V1. eapply Rle_trans; [|exact E2].
  right. apply sum_ext. intros l _. rewrite (rooted_square d W k (pattern (Q2R g) b) l N), <- V2. reflexivity.
Qed.

(* The estimator of the file: one row for each function, one column for each output. *)
Definition squares (v : list Q) : list Q := map (fun x => qmul x x) v.
Lemma squares_R v j : vec (squares v) j = vec v j ^ 2.
Proof.
  unfold squares. revert j. induction v as [|x s IH]; intros j; cbn [map]; [rewrite vec_nil; ring|].
  destruct j; [|apply IH]. unfold vec; cbn [nth]. rewrite qmul_R. ring.
Qed.
Definition outputs_law (q : list Q) (a : list (list Q)) : list Q := map (fun row => dot row q) a.
Lemma outputs_law_R k m q a i : shaped m k a = true -> vec (outputs_law q a) i = answers k (mat a) (vec q) i.
Proof.
  intros S. unfold outputs_law, answers. destruct (le_lt_dec (length a) i).
  - rewrite vec_beyond by (rewrite map_length; auto). symmetry. apply sum_zero. intros j _. unfold mat.
    rewrite (nth_overflow a) by auto. rewrite vec_nil. ring.
  - unfold vec at 1. rewrite (nth_indep _ 0%Q (dot [] q)) by (rewrite map_length; auto).
    rewrite (map_nth (fun row => dot row q)), (dot_R k) by (apply (shaped_row _ _ _ i S)). reflexivity.
Qed.

Definition estimator_variance (law : list Q) (A : list (list Q)) : Q :=
  total_of (map (fun row => let mean := dot law row in qsub (dot law (squares row)) (qmul mean mean)) A).
Lemma estimator_variance_R k m q a A : shaped m k a = true ->
  Q2R (estimator_variance (outputs_law q a) A) = n_variance k m (length A) (mat a) (fun i l => mat A l i) (vec q).
Proof.
  intros S. unfold estimator_variance, n_variance.
  rewrite (total_R _ (length A)) by (rewrite map_length; lia). apply sum_ext. intros l Hl. unfold vec at 1.
  set (f := fun row => qsub (dot (outputs_law q a) (squares row)) (qmul (dot (outputs_law q a) row) (dot (outputs_law q a) row))).
  rewrite (nth_indep _ 0%Q (f [])) by (rewrite map_length; auto). rewrite (map_nth f). unfold f. clear f.
  assert (L : (length (outputs_law q a) <= m)%nat).
  { unfold outputs_law. rewrite map_length. unfold shaped in S. apply both in S as [S _]. apply Nat.eqb_eq in S. lia. }
  rewrite qsub_R, qmul_R, !(dot_R m) by auto.
  rewrite (sum_ext m (fun j => vec (outputs_law q a) j * vec (squares (nth l A [])) j) (fun i => answers k (mat a) (vec q) i * mat A l i ^ 2)).
  - rewrite (sum_ext m (fun j => vec (outputs_law q a) j * vec (nth l A []) j) (fun i => answers k (mat a) (vec q) i * mat A l i)).
    + ring.
    + intros i _. rewrite (outputs_law_R k m) by auto. reflexivity.
  - intros i _. rewrite (outputs_law_R k m), squares_R by auto. reflexivity.
Qed.

Definition check_unbiased (k : nat) (a A C : list (list Q)) : bool :=
  let columns := map (column a) (seq 0 k) in
  (shaped (length C) (length a) A
   && forallb (fun l => forallb (fun j => Qeq_bool (dot (nth l A []) (nth j columns [])) (entry C l j)) (seq 0 k)) (seq 0 (length C)))%bool.
Lemma check_unbiased_ok k a A C : check_unbiased k a A C = true ->
  length A = length C /\ unbiased k (length a) (length C) (mat a) (mat C) (fun i l => mat A l i).
Proof.
  unfold check_unbiased. intros H. apply both in H as [S H]. split; [apply (shaped_rows _ _ _ S)|]. apply unbiased_of_columns.
  intros l j Hl Hj. pose proof (forallb_seq _ _ (forallb_seq _ _ H l Hl) j Hj) as E. cbn beta in E.
  rewrite map_seq_nth in E by auto. apply qeq_R in E. rewrite (dot_R (length a)) in E by (apply (shaped_row _ _ _ l S)).
  rewrite entry_R in E. rewrite <- E. apply sum_ext. intros i _. rewrite column_vec. unfold mat. ring.
Qed.

(* Linear functions: one for each output, decision or sign. *)
Definition check_linear (k : nat) (g : Q) (alpha : list Q) (c : nat -> Q) : bool :=
  Qle_bool (qsum k (fun j => let d := qsub (c j) (nth j alpha 0%Q) in qmax d (qmul g d))) 0.
Lemma check_linear_ok k g alpha c : check_linear k g alpha c = true ->
  sum k (fun j => Rmax (Q2R (c j) - vec alpha j) (Q2R g * (Q2R (c j) - vec alpha j))) <= 0.
Proof.
  unfold check_linear. intros H. apply qle_R in H. rewrite qsum_R, zero_R in H.
  erewrite sum_ext; [exact H|]. intros j _. cbn beta. rewrite qmax_R, qmul_R, qsub_R. reflexivity.
Qed.
