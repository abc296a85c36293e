(* Closed forms for every level: what the rules of EveryLevel.v give for the statement `every-level-closed`, for all numbers of
   categories.

   Traces with delta = 0 (`best_trace`): with V = gamma W/(gamma + m - 1), W the sum of the m largest weights, the dual is
   y_j = V - gamma w_j on these categories and 0 elsewhere; it proves the trace V of the design of m categories.
   Subsets at equal proportions (`best_subset`): a size d that is at least as good as d - 1 and d + 1 is as good as every size.
   The conditions are quadratics in u = gamma - 1, which hold on an interval by the signs at its ends (`nonnegative`). *)

From Coq Require Import Reals QArith Qreals Qreduction Lra Lia List Bool Arith Psatz.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers EveryLevel.
Import ListNotations.
Local Open Scope R_scope.

(* The m categories of C, and the sum of their weights. *)
Definition chosen (C : list bool) (j : nat) : bool := nth j C false.
Definition chosen_count (k : nat) (C : list bool) : R := sum k (fun j => if chosen C j then 1 else 0).
Definition chosen_weight (k : nat) (w : nat -> R) (C : list bool) : R := sum k (fun j => if chosen C j then w j else 0).
Definition chosen_design (k : nat) (C : list bool) (gamma : R) (i j : nat) : R :=
  if chosen C i then
    if chosen C j then (if Nat.eqb i j then gamma else 1) / (gamma + chosen_count k C - 1) else 1 / chosen_count k C
  else 0.
Definition largest_trace (k : nat) (w : nat -> R) (gamma v : R) (P : nat -> nat -> R) : Prop :=
  mechanism k k P /\ private k k gamma 0 P /\ trace k P w = v /\
  forall P', mechanism k k P' -> private k k gamma 0 P' -> trace k P' w <= v.

Lemma sum_where k i (f : nat -> R) x : (i < k)%nat ->
  sum k (fun j => if Nat.eqb i j then x else f j) = sum k f - f i + x.
Proof.
  intros H. rewrite (sum_ext k _ (fun j => f j + (if Nat.eqb j i then x - f i else 0))).
  - rewrite sum_plus, sum_single by auto. ring.
  - intros j _. rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j i); subst; ring.
Qed.

Lemma trace_cost k w P : expected_cost k k (fun i j => if Nat.eqb i j then - w i else 0) P = - trace k P w.
Proof.
  unfold expected_cost, trace. rewrite <- (Rmult_1_l (sum k (fun i => w i * P i i))), Ropp_mult_distr_l, <- sum_scal.
  apply sum_ext. intros i I. rewrite (sum_ext k _ (fun j => if Nat.eqb i j then - w i * P i i else 0)).
  - rewrite sum_where by auto. rewrite sum_zero by auto. ring.
  - intros j _. destruct (Nat.eqb_spec i j); subst; ring.
Qed.

Lemma chosen_count_positive k C i : (i < k)%nat -> chosen C i = true -> 1 <= chosen_count k C.
Proof.
  intros H E. unfold chosen_count. apply Rle_trans with (if chosen C i then 1 else 0); [rewrite E; lra|].
  apply (sum_term k (fun j => if chosen C j then 1 else 0)); auto. intros j _. destruct (chosen C j); lra.
Qed.

Theorem best_trace : forall k w C gamma, 1 <= gamma -> (forall i, (i < k)%nat -> 0 <= w i) ->
  (exists i, (i < k)%nat /\ chosen C i = true) ->
  (forall i, (i < k)%nat -> let m := chosen_count k C in let W := chosen_weight k w C in
     if chosen C i then W <= w i * (gamma + m - 1) else w i * (gamma + m - 1) <= W) ->
  largest_trace k w gamma (gamma * chosen_weight k w C / (gamma + chosen_count k C - 1)) (chosen_design k C gamma).
Proof.
  intros k w C g Hg P0 (i0 & I0 & C0) H. assert (M : 1 <= chosen_count k C) by (eapply chosen_count_positive; eauto).
  assert (K : (0 < k)%nat) by lia. cbv zeta in H. set (m := chosen_count k C) in *. set (W := chosen_weight k w C) in *.
  set (z := g + m - 1) in *. assert (Z : 1 <= z) by (unfold z; lra). set (V := g * W / z).
  assert (ZV : z * V = g * W) by (unfold V; field; lra).
  assert (Iz : 0 < / z) by (apply Rinv_0_lt_compat; lra). assert (Im : 0 < / m) by (apply Rinv_0_lt_compat; lra).
  assert (E1 : / z <= / m) by (apply Rinv_le_contravar; unfold z; lra).
  assert (E2 : / m <= g * / z).
  { apply (Rmult_le_reg_l (m * z)); [apply Rmult_lt_0_compat; lra|]. replace (m * z * / m) with z by (field; lra).
    replace (m * z * (g * / z)) with (m * g) by (field; lra). unfold z. nra. }
  split; [split|split; [|split]].
  - intros i j _ _. unfold chosen_design. fold m z. unfold Rdiv. destruct (chosen C i), (chosen C j), (Nat.eqb i j); try lra; nra.
  - intros j J. unfold chosen_design. fold m z. destruct (chosen C j) eqn:E.
    + rewrite (sum_ext k _ (fun i => if Nat.eqb j i then g / z else / z * (if chosen C i then 1 else 0))).
      * rewrite sum_where, sum_scal by auto. fold (chosen_count k C) m. rewrite E. unfold z in *. field. lra.
      * intros i _. rewrite (Nat.eqb_sym i j). destruct (Nat.eqb_spec j i) as [<-|]; [rewrite E; auto|].
        destruct (chosen C i); unfold Rdiv; ring.
    + rewrite (sum_ext k _ (fun i => / m * (if chosen C i then 1 else 0))).
      * rewrite sum_scal. fold (chosen_count k C) m. field. lra.
      * intros i _. destruct (chosen C i); unfold Rdiv; ring.
  - apply private_rows. intros i j l _ _ _. unfold chosen_design. fold m z. unfold Rdiv.
    destruct (chosen C i); [|lra]. destruct (chosen C j), (chosen C l), (Nat.eqb i j), (Nat.eqb i l); nra.
  - unfold trace, chosen_design. fold m z. rewrite (sum_ext k _ (fun i => (g / z) * (if chosen C i then w i else 0))).
    + rewrite sum_scal. fold (chosen_weight k w C) W. unfold V. field. lra.
    + intros i _. rewrite Nat.eqb_refl. destruct (chosen C i); unfold Rdiv; ring.
  - intros P MP PP. apply Ropp_le_cancel. rewrite <- (trace_cost k w P).
    apply (every_level k k _ P (fun j => if chosen C j then V - g * w j else 0) g (- V)); auto.
    + rewrite (sum_ext k _ (fun j => V * (if chosen C j then 1 else 0) - g * (if chosen C j then w j else 0)))
        by (intros j _; destruct (chosen C j); ring).
      rewrite sum_minus, !sum_scal. fold (chosen_count k C) (chosen_weight k w C) m W. unfold z in ZV. nra.
    + intros d D.
      assert (N : forall j, (j < k)%nat -> if chosen C j then V <= g * w j else g * w j <= V).
      { intros j J. specialize (H j J). destruct (chosen C j); apply (Rmult_le_reg_l z); try lra;
          rewrite ZV, (Rmult_comm g (w j)), <- Rmult_assoc, (Rmult_comm g W), (Rmult_comm z (w j)); apply Rmult_le_compat_r; lra. }
      assert (A : w d <= V).
      { pose proof (N d D) as Nd. pose proof (P0 d D) as Wd. destruct (chosen C d) eqn:E; [|nra].
        assert (L : sum k (fun j => if Nat.eqb d j then 0 else (if chosen C j then W else 0)) <=
                    sum k (fun j => if Nat.eqb d j then 0 else z * (if chosen C j then w j else 0))).
        { apply sum_le. intros j J. destruct (Nat.eqb d j); [lra|]. specialize (H j J). destruct (chosen C j); lra. }
        rewrite !sum_where, E, sum_scal in L by auto.
        rewrite (sum_ext k (fun j => if chosen C j then W else 0) (fun j => W * (if chosen C j then 1 else 0))) in L
          by (intros j _; destruct (chosen C j); ring).
        rewrite sum_scal in L. fold (chosen_count k C) (chosen_weight k w C) m W in L.
        apply (Rmult_le_reg_l z); [lra|]. rewrite ZV. unfold z in *. nra. }
      rewrite sum_where by auto. rewrite (sum_zero k (fun _ => 0)) by auto.
      rewrite (sum_ext k _ (fun j => if Nat.eqb d j then V - w d - (if chosen C d then 0 else V - g * w d) else 0)).
      * rewrite sum_where by auto. rewrite (sum_zero k (fun _ => 0)) by auto. pose proof (N d D). destruct (chosen C d); lra.
      * intros j J. pose proof (N j J) as Nj. destruct (Nat.eqb_spec d j) as [<-|].
        -- destruct (chosen C d); [rewrite Rmax_right; lra|]. pose proof (P0 d D). rewrite Rmax_right; nra.
        -- destruct (chosen C j); rewrite Rmax_left; lra.
Qed.

(* The conditions of a piece of levels, from `low` to `high`. *)
Definition trace_condition (ws : list Q) (m W : Q) (C : list bool) (i : nat) : quadratic :=
  let w := nth i ws 0%Q in
  if chosen C i then Quadratic (qsub (qmul w m) W) w 0 else Quadratic (qsub W (qmul w m)) (qsub 0 w) 0.
Definition check_trace_piece (ws : list Q) (C : list bool) (low : level_point) (high : option level_point) : bool :=
  let k := length ws in
  let m := qsum k (fun j => if chosen C j then 1%Q else 0%Q) in
  let W := qsum k (fun j => if chosen C j then nth j ws 0%Q else 0%Q) in
  (existsb (chosen C) (seq 0 k)
   && forallb (fun i => (Qle_bool 0 (nth i ws 0%Q) && nonnegative (trace_condition ws m W C i) low high)%bool) (seq 0 k))%bool.

Theorem check_trace_piece_ok : forall ws C low high, check_trace_piece ws C low high = true ->
  forall gamma, 1 <= gamma -> point_of low <= gamma -> up_to gamma high ->
  let k := length ws in let m := chosen_count k C in let W := chosen_weight k (vec ws) C in
  largest_trace k (vec ws) gamma (gamma * W / (gamma + m - 1)) (chosen_design k C gamma).
Proof.
  unfold check_trace_piece. intros ws C low high H g Hg L U. cbv zeta. set (k := length ws) in *.
  set (m := qsum k _) in H. set (W := qsum k _) in H. split_checks.
  assert (EM : Q2R m = chosen_count k C).
  { unfold m, chosen_count. rewrite qsum_R. apply sum_ext. intros j _. destruct (chosen C j); [apply one_R|apply zero_R]. }
  assert (EW : Q2R W = chosen_weight k (vec ws) C).
  { unfold W, chosen_weight. rewrite qsum_R. apply sum_ext. intros j _. destruct (chosen C j); [reflexivity|apply zero_R]. }
  assert (S : forall i, (i < k)%nat -> 0 <= vec ws i /\ 0 <= qd (trace_condition ws m W C i) (g - 1)).
  { intros i I. pose proof (forallb_seq _ _ H0 i I) as T. cbv beta in T. split_checks.
    split; [apply Qle_bool_iff, Qle_Rle in H1; rewrite zero_R in H1; exact H1|]. eapply nonnegative_ok; eauto.
    split; [unfold level_u; lra|]. now replace (1 + (g - 1)) with g by ring. }
  apply best_trace; auto.
  - intros i I. apply S; auto.
  - apply existsb_exists in H. destruct H as (i & I & E). apply in_seq in I. exists i. split; [lia|auto].
  - intros i I. cbv zeta. destruct (S i I) as [_ T]. rewrite <- EM, <- EW. unfold trace_condition, qd in T. fold (vec ws i).
    destruct (chosen C i); cbn [c0 c1 c2] in T; rewrite ?qsub_R, ?qmul_R, ?zero_R in T; fold (vec ws i) in T; lra.
Qed.

(* Subset selection at equal proportions: with d of k categories in a set, F - 1 = d (k - d) u^2/(k + d u)^2. *)
Definition gain (k : nat) (u : R) (d : nat) : R := INR d * (INR k - INR d) / (INR k + INR d * u) ^ 2.
Definition step (k : nat) (u : R) (s : nat) : R := INR s * (INR s + 1) * ((1 + u) ^ 2 - 1) + INR k * (2 * INR s + 1 - INR k).

Lemma gain_step k u s : (1 <= k)%nat -> 0 <= u ->
  (gain k u s - gain k u (S s)) * ((INR k + INR s * u) ^ 2 * (INR k + INR (S s) * u) ^ 2) = INR k * step k u s.
Proof.
  intros K U. assert (0 < INR k) by (apply lt_0_INR; lia). pose proof (pos_INR s). rewrite S_INR.
  assert (0 <= INR s * u) by (apply Rmult_le_pos; lra). assert (0 <= (INR s + 1) * u) by (apply Rmult_le_pos; lra).
  unfold gain, step. rewrite S_INR. field. split; lra.
Qed.
Lemma gain_order k u s : (1 <= k)%nat -> 0 <= u ->
  (0 <= step k u s -> gain k u (S s) <= gain k u s) /\ (step k u s <= 0 -> gain k u s <= gain k u (S s)).
Proof.
  intros K U. assert (A : 0 < INR k) by (apply lt_0_INR; lia). pose proof (pos_INR s). pose proof (pos_INR (S s)).
  assert (B : 0 <= INR s * u) by (apply Rmult_le_pos; lra). assert (C : 0 <= INR (S s) * u) by (apply Rmult_le_pos; lra).
  assert (D : 0 < (INR k + INR s * u) ^ 2 * (INR k + INR (S s) * u) ^ 2) by (apply Rmult_lt_0_compat; apply pow_lt; lra).
  pose proof (gain_step k u s K U) as E. set (z := (INR k + INR s * u) ^ 2 * (INR k + INR (S s) * u) ^ 2) in *.
  split; intros H1; apply (Rmult_le_reg_r z); nra.
Qed.
Lemma step_rises k u s t : 0 <= u -> (s <= t)%nat -> step k u s <= step k u t.
Proof.
  intros U H. apply le_INR in H. pose proof (pos_INR s). pose proof (pos_INR k). unfold step.
  assert (0 <= (1 + u) ^ 2 - 1) by nra. assert (INR s * (INR s + 1) <= INR t * (INR t + 1)) by nra. nra.
Qed.

Theorem best_subset : forall k u d, (1 <= k)%nat -> 0 <= u -> (1 <= d)%nat ->
  gain k u (pred d) <= gain k u d -> gain k u (S d) <= gain k u d -> forall s, gain k u s <= gain k u d.
Proof.
  intros k u d K U D L R. assert (P : 0 < INR k) by (apply lt_0_INR; lia).
  assert (Z : forall s, 0 < (INR k + INR s * u) ^ 2 * (INR k + INR (S s) * u) ^ 2).
  { intros s. pose proof (pos_INR s). pose proof (pos_INR (S s)). assert (0 <= INR s * u) by (apply Rmult_le_pos; lra).
    assert (0 <= INR (S s) * u) by (apply Rmult_le_pos; lra). apply Rmult_lt_0_compat; apply pow_lt; lra. }
  assert (up : forall s, (S s <= d)%nat -> gain k u s <= gain k u (S s)).
  { intros s H. apply gain_order; auto. apply Rle_trans with (step k u (pred d)); [apply step_rises; auto; lia|].
    pose proof (gain_step k u (pred d) K U) as E. specialize (Z (pred d)). replace (S (pred d)) with d in * by lia. nra. }
  assert (down : forall s, (d <= s)%nat -> gain k u (S s) <= gain k u s).
  { intros s H. apply gain_order; auto. apply Rle_trans with (step k u d); [|apply step_rises; auto].
    pose proof (gain_step k u d K U) as E. specialize (Z d). nra. }
  assert (before_d : forall n, (n <= d)%nat -> gain k u (d - n) <= gain k u d).
  { induction n as [|n IH]; intros H; [rewrite Nat.sub_0_r; lra|]. apply Rle_trans with (gain k u (d - n)); [|apply IH; lia].
    replace (d - n)%nat with (S (d - S n)) by lia. apply up. lia. }
  assert (after_d : forall n, gain k u (d + n) <= gain k u d).
  { induction n as [|n IH]; [rewrite Nat.add_0_r; lra|]. apply Rle_trans with (gain k u (d + n)); [|exact IH].
    rewrite Nat.add_succ_r. apply down. lia. }
  intros s. destruct (Nat.le_gt_cases s d) as [H|H].
  - replace s with (d - (d - s))%nat by lia. apply before_d. lia.
  - replace s with (d + (s - d))%nat by lia. apply after_d.
Qed.

Definition of_nat (n : nat) : Q := inject_Z (Z.of_nat n).
Lemma of_nat_R n : Q2R (of_nat n) = INR n.
Proof. unfold of_nat, inject_Z, Q2R. cbn [Qnum Qden]. rewrite INR_IZR_INZ. field. Qed.
Definition subset_condition (k d s : nat) : quadratic :=
  let k' := of_nat k in let d' := of_nat d in let s' := of_nat s in
  let A := qmul d' (qsub k' d') in let B := qmul s' (qsub k' s') in
  Quadratic (qmul (qmul k' k') (qsub A B)) (qmul (qmul 2 k') (qsub (qmul A s') (qmul B d'))) (qsub (qmul A (qmul s' s')) (qmul B (qmul d' d'))).
Definition check_subset_piece (k d : nat) (low : level_point) (high : option level_point) : bool :=
  (Nat.leb 1 d && Nat.ltb d k && nonnegative (subset_condition k d (pred d)) low high
   && nonnegative (subset_condition k d (S d)) low high)%bool.

Theorem check_subset_piece_ok : forall k d low high, check_subset_piece k d low high = true ->
  forall gamma, 1 <= gamma -> point_of low <= gamma -> up_to gamma high -> forall s, gain k (gamma - 1) s <= gain k (gamma - 1) d.
Proof.
  unfold check_subset_piece. intros k d low high H g Hg L U. split_checks. apply Nat.leb_le in H. apply Nat.ltb_lt in H2.
  assert (I : inside (g - 1) low high).
  { split; [unfold level_u; lra|]. now replace (1 + (g - 1)) with g by ring. }
  assert (G : forall s, nonnegative (subset_condition k d s) low high = true -> gain k (g - 1) s <= gain k (g - 1) d).
  { intros s N. pose proof (nonnegative_ok _ _ _ N (g - 1) I) as Q. unfold subset_condition, qd in Q. cbn [c0 c1 c2] in Q.
    rewrite ?qsub_R, ?qmul_R, ?qsub_R, ?qmul_R, ?qsub_R, ?of_nat_R, two_R in Q.
    assert (P : 0 < INR k) by (apply lt_0_INR; lia). pose proof (pos_INR s). pose proof (pos_INR d).
    assert (Is : 0 <= INR s * (g - 1)) by (apply Rmult_le_pos; lra). assert (Id : 0 <= INR d * (g - 1)) by (apply Rmult_le_pos; lra).
    assert (Ps : 0 < (INR k + INR s * (g - 1)) ^ 2) by (apply pow_lt; lra).
    assert (Pd : 0 < (INR k + INR d * (g - 1)) ^ 2) by (apply pow_lt; lra).
    unfold gain. apply (Rmult_le_reg_r ((INR k + INR s * (g - 1)) ^ 2 * (INR k + INR d * (g - 1)) ^ 2)); [apply Rmult_lt_0_compat; auto|].
    match goal with |- ?a <= ?b =>
      replace a with (INR s * (INR k - INR s) * (INR k + INR d * (g - 1)) ^ 2) by (field; lra);
      replace b with (INR d * (INR k - INR d) * (INR k + INR s * (g - 1)) ^ 2) by (field; lra) end.
    apply Rge_le, Rminus_ge, Rle_ge. match goal with |- 0 <= ?b => match type of Q with 0 <= ?a => replace b with a by ring end end. exact Q. }
  apply best_subset; auto; lia || lra.
Qed.
