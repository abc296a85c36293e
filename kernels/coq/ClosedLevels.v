(* Closed forms for every level: what the rules of EveryLevel.v give for the statement `every-level-closed`, for all numbers of
   categories.

   Traces with delta = 0 (`best_trace`): with V = gamma W/(gamma + m - 1), W the sum of the m largest weights, the dual is
   y_j = V - gamma w_j on these categories and 0 elsewhere; it proves the trace V of the design of m categories. With delta
   (`best_trace_with`) the truth is revealed with probability delta in addition; the conditions are the same.
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

(* The same with delta: with probability delta the truth in addition. The prices of the rows sum to V, and those of the
   pairs (i, l), of the output i of P alone, to the sum of all weights less V. *)
Definition chosen_design_with (k : nat) (C : list bool) (gamma delta : R) (i j : nat) : R :=
  (1 - delta) * chosen_design k C gamma i j + delta * (if Nat.eqb i j then 1 else 0).
Definition largest_trace_with (k : nat) (w : nat -> R) (gamma delta v : R) (P : nat -> nat -> R) : Prop :=
  mechanism k k P /\ private k k gamma delta P /\ trace k P w = v /\
  forall P', mechanism k k P' -> private k k gamma delta P' -> trace k P' w <= v.

Lemma excess_of_one_output k m gamma delta P i j l : private k m gamma delta P -> (i < m)%nat -> (j < k)%nat -> (l < k)%nat ->
  P i j - gamma * P i l <= delta.
Proof.
  intros H I J L. specialize (H (fun h => Nat.eqb h i) j l J L). rewrite !event_single in H by auto. unfold given in H. lra.
Qed.

Lemma row_with_delta k w C g d V (Y : nat -> R) P i : 1 <= g -> 0 <= d -> 0 <= V -> (i < k)%nat -> 0 <= w i ->
  (forall j, (j < k)%nat -> 0 <= Y j) -> sum k Y = V -> (if chosen C i then g * w i = V + (g - 1) * Y i else g * w i <= V) ->
  (forall j, (j < k)%nat -> 0 <= P i j) -> (forall l, (l < k)%nat -> P i i - g * P i l <= d) ->
  w i * P i i <= sum k (fun j => Y j * P i j) + d * (if chosen C i then (V - Y i) / g else w i).
Proof.
  intros Hg D Vn I Wi Yn YV Cond N X. set (s := sum k (fun j => Y j * P i j)).
  assert (Ig : 0 < / g) by (apply Rinv_0_lt_compat; lra). assert (Ni : 0 <= P i i) by auto.
  destruct (chosen C i).
  - assert (L : sum k (fun l => if Nat.eqb i l then 0 else Y l * (P i i - g * P i l)) <= sum k (fun l => if Nat.eqb i l then 0 else d * Y l)).
    { apply sum_le. intros l Hl. destruct (Nat.eqb i l); [lra|]. specialize (X l Hl). specialize (Yn l Hl). nra. }
    rewrite !sum_where, sum_scal, YV in L by auto.
    rewrite (sum_ext k (fun l => Y l * (P i i - g * P i l)) (fun l => P i i * Y l - g * (Y l * P i l))) in L by (intros; ring).
    rewrite sum_minus, !sum_scal, YV in L. fold s in L.
    apply (Rmult_le_reg_l g); [lra|]. replace (g * (s + d * ((V - Y i) / g))) with (g * s + d * (V - Y i)) by (field; lra).
    replace (g * (w i * P i i)) with ((g * w i) * P i i) by ring. rewrite Cond. lra.
  - assert (L : sum k (fun l => Y l * (P i i - g * P i l)) <= sum k (fun l => d * Y l)).
    { apply sum_le. intros l Hl. specialize (X l Hl). specialize (Yn l Hl). nra. }
    rewrite (sum_ext k (fun l => Y l * (P i i - g * P i l)) (fun l => P i i * Y l - g * (Y l * P i l))) in L by (intros; ring).
    rewrite sum_minus, !sum_scal, YV in L. fold s in L.
    assert (S : 0 <= s) by (apply sum_nonneg; intros j J; apply Rmult_le_pos; auto).
    destruct (Rle_lt_dec (P i i) d) as [T|T]; [nra|].
    assert (g * w i * (P i i - d) <= V * (P i i - d)) by (apply Rmult_le_compat_r; lra).
    apply (Rmult_le_reg_l g); [lra|]. nra.
Qed.

Theorem best_trace_with : forall k w C gamma delta, 1 <= gamma -> 0 <= delta <= 1 -> (forall i, (i < k)%nat -> 0 <= w i) ->
  (exists i, (i < k)%nat /\ chosen C i = true) ->
  (forall i, (i < k)%nat -> let m := chosen_count k C in let W := chosen_weight k w C in
     if chosen C i then W <= w i * (gamma + m - 1) else w i * (gamma + m - 1) <= W) ->
  largest_trace_with k w gamma delta
    (delta * sum k w + (1 - delta) * (gamma * chosen_weight k w C / (gamma + chosen_count k C - 1)))
    (chosen_design_with k C gamma delta).
Proof.
  intros k w C g d Hg [D0 D1] P0 E H. destruct (best_trace k w C g Hg P0 E H) as [[N S] [PR [T _]]].
  destruct E as (i0 & I0 & C0). assert (M : 1 <= chosen_count k C) by (eapply chosen_count_positive; eauto).
  cbv zeta in H. set (m := chosen_count k C) in *. set (W := chosen_weight k w C) in *.
  set (z := g + m - 1) in *. assert (Z : 1 <= z) by (unfold z; lra). set (V := g * W / z) in *.
  assert (ZV : z * V = g * W) by (unfold V; field; lra).
  split; [split|split; [|split]].
  - intros i j I J. unfold chosen_design_with. specialize (N i j I J). destruct (Nat.eqb i j); nra.
  - intros j J. unfold chosen_design_with. rewrite sum_plus, !sum_scal, S, (sum_single k j 1) by auto. ring.
  - intros Ev j l J L. unfold event_probability, given, chosen_design_with. specialize (PR Ev j l J L). unfold event_probability, given in PR.
    rewrite (sum_ext k (fun i => if Ev i then (1 - d) * chosen_design k C g i j + d * (if Nat.eqb i j then 1 else 0) else 0)
      (fun i => (1 - d) * (if Ev i then chosen_design k C g i j else 0) + d * (if Nat.eqb i j then (if Ev j then 1 else 0) else 0)))
      by (intros i _; destruct (Nat.eqb_spec i j) as [->|]; destruct (Ev _); ring).
    rewrite (sum_ext k (fun i => if Ev i then (1 - d) * chosen_design k C g i l + d * (if Nat.eqb i l then 1 else 0) else 0)
      (fun i => (1 - d) * (if Ev i then chosen_design k C g i l else 0) + d * (if Nat.eqb i l then (if Ev l then 1 else 0) else 0)))
      by (intros i _; destruct (Nat.eqb_spec i l) as [->|]; destruct (Ev _); ring).
    rewrite !sum_plus, !sum_scal, !sum_single by auto.
    assert (d * (if Ev j then 1 else 0) <= d) by (destruct (Ev j); lra). assert (0 <= g * (d * (if Ev l then 1 else 0))) by (destruct (Ev l); nra).
    set (a := sum k _) in *. set (b := sum k _) in *. nra.
  - unfold trace, chosen_design_with. rewrite (sum_ext k _ (fun i => (1 - d) * (w i * chosen_design k C g i i) + d * w i))
      by (intros i _; rewrite Nat.eqb_refl; ring).
    rewrite sum_plus, !sum_scal. unfold trace in T. rewrite T. ring.
  - intros P [PN PS] PP.
    assert (Wn : 0 <= W) by (apply sum_nonneg; intros j J; destruct (chosen C j); [apply P0; auto|lra]).
    assert (Vn : 0 <= V) by (apply (Rmult_le_reg_l z); [lra|]; rewrite ZV; nra).
    assert (NV : forall j, (j < k)%nat -> if chosen C j then V <= g * w j else g * w j <= V).
    { intros j J. specialize (H j J). destruct (chosen C j); apply (Rmult_le_reg_l z); try lra;
        rewrite ZV, (Rmult_comm g (w j)), <- Rmult_assoc, (Rmult_comm g W), (Rmult_comm z (w j)); apply Rmult_le_compat_r; lra. }
    assert (X : exists Y, (forall j, (j < k)%nat -> 0 <= Y j) /\ sum k Y = V /\
              forall j, (j < k)%nat -> if chosen C j then g * w j = V + (g - 1) * Y j else Y j = 0).
    { destruct (Rle_lt_dec g 1) as [G1|G1].
      - assert (g = 1) as -> by lra. exists (fun j => if chosen C j then V / m else 0). split; [|split].
        + intros j _. destruct (chosen C j); [|lra]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
        + rewrite (sum_ext k _ (fun j => V / m * (if chosen C j then 1 else 0))) by (intros j _; destruct (chosen C j); ring).
          rewrite sum_scal. fold (chosen_count k C) m. field. lra.
        + intros j J. destruct (chosen C j) eqn:CJ; auto.
          assert (Q : sum k (fun h => if chosen C h then w h - V else 0) = 0).
          { rewrite (sum_ext k _ (fun h => (if chosen C h then w h else 0) - V * (if chosen C h then 1 else 0))) by (intros h _; destruct (chosen C h); ring).
            rewrite sum_minus, sum_scal. fold (chosen_weight k w C) (chosen_count k C) W m. unfold z in ZV. lra. }
          apply sum_nonneg_zero with (i := j) in Q; auto; [rewrite CJ in Q; lra|].
          intros h Hh. specialize (NV h Hh). destruct (chosen C h); lra.
      - exists (fun j => if chosen C j then (g * w j - V) / (g - 1) else 0). split; [|split].
        + intros j J. specialize (NV j J). destruct (chosen C j); [|lra]. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra.
        + rewrite (sum_ext k _ (fun j => / (g - 1) * (g * (if chosen C j then w j else 0) - V * (if chosen C j then 1 else 0))))
            by (intros j _; destruct (chosen C j); field; lra).
          rewrite sum_scal, sum_minus, !sum_scal. fold (chosen_weight k w C) (chosen_count k C) W m.
          apply (Rmult_eq_reg_l (g - 1)); [|lra]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. unfold z in ZV. lra.
        + intros j _. destruct (chosen C j); auto. field. lra. }
    destruct X as (Y & Yn & YV & Ye).
    assert (R : forall i, (i < k)%nat -> w i * P i i <= sum k (fun j => Y j * P i j) + d * (if chosen C i then (V - Y i) / g else w i)).
    { intros i I. apply row_with_delta; auto.
      - specialize (Ye i I). specialize (NV i I). destruct (chosen C i); auto.
      - intros l L. eapply excess_of_one_output; eauto. }
    unfold trace. apply Rle_trans with (sum k (fun i => sum k (fun j => Y j * P i j) + d * (if chosen C i then (V - Y i) / g else w i))).
    { apply sum_le. auto. }
    rewrite sum_plus, sum_scal, sum_swap.
    rewrite (sum_ext k (fun j => sum k (fun i => Y j * P i j)) Y) by (intros j J; rewrite sum_scal, PS by auto; ring).
    rewrite YV. rewrite (sum_ext k (fun i => if chosen C i then (V - Y i) / g else w i)
      (fun i => / g * (V * (if chosen C i then 1 else 0) - Y i) + (w i - (if chosen C i then w i else 0)))).
    + rewrite sum_plus, sum_scal, sum_minus, sum_scal, sum_minus, YV. fold (chosen_count k C) (chosen_weight k w C) m W.
      right. replace W with (z * V / g) by (rewrite ZV; field; lra). unfold z. field. lra.
    + intros i I. specialize (Ye i I). destruct (chosen C i); [field; lra|rewrite Ye; ring].
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
  forall gamma delta, 1 <= gamma -> 0 <= delta <= 1 -> point_of low <= gamma -> up_to gamma high ->
  let k := length ws in let m := chosen_count k C in let W := chosen_weight k (vec ws) C in
  largest_trace_with k (vec ws) gamma delta (delta * sum k (vec ws) + (1 - delta) * (gamma * W / (gamma + m - 1)))
    (chosen_design_with k C gamma delta).
Proof.
  unfold check_trace_piece. intros ws C low high H g d Hg Hd L U. cbv zeta. set (k := length ws) in *.
  set (m := qsum k _) in H. set (W := qsum k _) in H. split_checks.
  assert (EM : Q2R m = chosen_count k C).
  { unfold m, chosen_count. rewrite qsum_R. apply sum_ext. intros j _. destruct (chosen C j); [apply one_R|apply zero_R]. }
  assert (EW : Q2R W = chosen_weight k (vec ws) C).
  { unfold W, chosen_weight. rewrite qsum_R. apply sum_ext. intros j _. destruct (chosen C j); [reflexivity|apply zero_R]. }
  assert (S : forall i, (i < k)%nat -> 0 <= vec ws i /\ 0 <= qd (trace_condition ws m W C i) (g - 1)).
  { intros i I. pose proof (forallb_seq _ _ H0 i I) as T. cbv beta in T. split_checks.
    split; [apply Qle_bool_iff, Qle_Rle in H1; rewrite zero_R in H1; exact H1|]. eapply nonnegative_ok; eauto.
    split; [unfold level_u; lra|]. now replace (1 + (g - 1)) with g by ring. }
  apply best_trace_with; auto.
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
