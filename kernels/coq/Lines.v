(* Design brackets of linear objectives: a line for each output below the cost of a row, by rays or by multipliers.
   Multipliers follow the order of the pairs, so each stands at most once. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists RayRules.
Import ListNotations.
Local Open Scope R_scope.

(* Multipliers of walls and bends, each at most once: they follow the order of the walls, and of the bends. *)
Definition multiplier := (wall * Q)%type.
Definition same (v w : wall) : bool :=
  (Nat.eqb (fst (fst v)) (fst (fst w)) && Nat.eqb (snd (fst v)) (snd (fst w)) && Qeq_bool (snd v) (snd w))%bool.
Fixpoint on_walls (ws : list wall) (ms : list multiplier) : bool :=
  match ms, ws with
  | [], _ => true
  | _, [] => false
  | (e, x) :: rest, w :: ws => if same e w then (Qle_bool 0 x && on_walls ws rest)%bool else on_walls ws ms
  end.
Fixpoint on_bends (bs : list bend) (ms : list multiplier) : bool :=
  match ms, bs with
  | [], _ => true
  | _, [] => false
  | (e, x) :: rest, b :: bs =>
    if (same e (bend_edge b) && Qle_bool x (bend_beta b))%bool then (Qle_bool 0 x && on_bends bs rest)%bool else on_bends bs ms
  end.
Fixpoint gain (ms : list multiplier) (p : nat -> R) : R :=
  match ms with [] => 0 | ((j, l, g), x) :: ms => Q2R x * (p j - Q2R g * p l) + gain ms p end.

Lemma on_walls_ok k p ws : forall ms, on_walls ws ms = true -> in_cone k (map edge_R ws) p -> gain ms p <= 0.
Proof.
  induction ws as [|[[j l] g] ws IH]; intros [|[[[j' l'] g'] x] ms] H C; cbn [on_walls gain] in *; try lra; try discriminate.
  assert (C' : in_cone k (map edge_R ws) p) by (destruct C as [N W]; split; [exact N|intros; apply W; right; auto]).
  destruct (same (j', l', g') (j, l, g)) eqn:E; [|exact (IH _ H C')].
  unfold same in E. cbn [fst snd] in E. apply both in E as [[E1 E2]%both E3]. apply Nat.eqb_eq in E1, E2. apply qeq_R in E3. subst.
  apply both in H as [H1 H2]. apply qle_R in H1. rewrite zero_R in H1. pose proof (IH _ H2 C').
  assert (p j <= Q2R g * p l) by (destruct C as [_ W]; apply W; left; reflexivity). rewrite E3.
  assert (Q2R x * (p j - Q2R g * p l) <= 0); [|lra]. nra.
Qed.
Lemma on_bends_ok p bs : Forall (fun b => 0 <= Q2R (bend_beta b)) bs -> forall ms, on_bends bs ms = true ->
  gain ms p <= total_bends p (map bend_R bs).
Proof.
  induction 1 as [|[[[j l] g] b d] bs B F IH]; intros [|[[[j' l'] g'] x] ms] H; cbn [on_bends gain map total_bends] in *; try lra; try discriminate.
  - specialize (IH [] ltac:(destruct bs; reflexivity)). cbn in IH. cbn [bend_beta] in B. unfold bend_R at 1, edge_R. cbn [bend_edge bend_beta fst snd].
    assert (0 <= Q2R b * Rmax 0 (p j - Q2R g * p l)) by (apply Rmult_le_pos; [exact B|apply Rmax_l]). lra.
  - cbn [bend_edge bend_beta] in *. unfold bend_R at 1, edge_R. cbn [bend_edge bend_beta fst snd].
    set (h := Rmax 0 (p j - Q2R g * p l)). assert (H0 : 0 <= h) by apply Rmax_l. assert (Hh : p j - Q2R g * p l <= h) by apply Rmax_r.
    destruct (same (j', l', g') (j, l, g) && Qle_bool x b)%bool eqn:E.
    + apply both in E as [E X2]. unfold same in E. cbn [fst snd] in E. apply both in E as [[E1 E2]%both E3]. apply Nat.eqb_eq in E1, E2.
      apply qeq_R in E3. subst. apply both in H as [X1 X3]. apply qle_R in X1, X2. rewrite zero_R in X1. specialize (IH _ X3). rewrite E3.
      assert (Q2R x * (p j - Q2R g * p l) <= Q2R x * h) by (apply Rmult_le_compat_l; auto).
      assert (Q2R x * h <= Q2R b * h) by (apply Rmult_le_compat_r; auto). lra.
    + specialize (IH _ H). cbn [gain] in IH. assert (0 <= Q2R b * h) by (apply Rmult_le_pos; auto). lra.
Qed.

(* What multipliers add to a line. *)
Fixpoint added (j : nat) (x : Q) (v : list Q) : list Q :=
  match v, j with [], _ => [] | y :: v, O => qadd y x :: v | y :: v, S j => y :: added j x v end.
Fixpoint moved (ms : list multiplier) (v : list Q) : list Q :=
  match ms with [] => v | ((j, l, g), x) :: ms => moved ms (added j x (added l (Qopp (qmul g x)) v)) end.
Lemma added_length x v : forall j, length (added j x v) = length v.
Proof. induction v; intros [|j]; cbn; auto. Qed.
Lemma added_R x v : forall j i, (j < length v)%nat -> vec (added j x v) i = vec v i + (if Nat.eqb i j then Q2R x else 0).
Proof.
  induction v as [|y v IH]; intros [|j] i L; cbn in L; try lia; cbn [added].
  - destruct i; [unfold vec; cbn [nth Nat.eqb]; apply qadd_R|]. change (vec v i = vec v i + 0). ring.
  - destruct i; [cbn [Nat.eqb]; unfold vec; cbn [nth]; ring|]. apply (IH j i). lia.
Qed.
Lemma added_sum k x v j p : length v = k -> (j < k)%nat ->
  sum k (fun i => vec (added j x v) i * p i) = sum k (fun i => vec v i * p i) + Q2R x * p j.
Proof.
  intros L Hj. rewrite (sum_ext k _ (fun i => vec v i * p i + (if Nat.eqb i j then Q2R x * p j else 0))).
  - rewrite sum_plus, sum_single by auto. reflexivity.
  - intros i _. rewrite added_R by lia. destruct (Nat.eqb_spec i j) as [->|]; ring.
Qed.
Lemma moved_sum k p ms : forall v, length v = k -> forallb (fun m => in_range k (fst m)) ms = true ->
  sum k (fun i => vec (moved ms v) i * p i) = sum k (fun i => vec v i * p i) + gain ms p.
Proof.
  induction ms as [|[[[j l] g] x] ms IH]; intros v L H; cbn [moved gain forallb] in *; [ring|]. apply both in H as [R H].
  unfold in_range in R. cbn [fst snd] in R. apply both in R as [[R1 R2]%both _]. apply Nat.ltb_lt in R1, R2.
  rewrite IH by (rewrite ?added_length; auto). rewrite !added_sum by (rewrite ?added_length; auto). rewrite Q2R_opp, qmul_R. ring.
Qed.

(* Limits: what they cost at most within bounds on entries. *)
Fixpoint limit_row (l a b : list Q) : Q :=
  match l, a, b with x :: l, y :: a, z :: b => qadd (qmul x (if qlt 0 x then z else y)) (limit_row l a b) | _, _, _ => 0%Q end.
Fixpoint limit_rows (l a b : list (list Q)) : Q :=
  match l, a, b with x :: l, y :: a, z :: b => qadd (limit_row x y z) (limit_rows l a b) | _, _, _ => 0%Q end.
Lemma limit_row_ok k : forall l a b p, length l = k -> length a = k -> length b = k ->
  (forall j, (j < k)%nat -> vec a j <= p j <= vec b j) -> sum k (fun j => vec l j * p j) <= Q2R (limit_row l a b).
Proof.
  induction k as [|k IH]; intros [|x l] [|y a] [|z b] p L1 L2 L3 H; cbn in L1, L2, L3; try discriminate; cbn [limit_row].
  - cbn. rewrite zero_R. lra.
  - rewrite sum_front, qadd_R, qmul_R. apply Rplus_le_compat.
    + pose proof (H O ltac:(lia)) as X. unfold vec in X |- *. cbn [nth] in X |- *. destruct (qlt 0 x) eqn:S.
      * apply qlt_R in S. rewrite zero_R in S. apply Rmult_le_compat_l; lra.
      * unfold qlt in S. apply negb_false_iff in S. apply qle_R in S. rewrite zero_R in S. nra.
    + apply (IH l a b (fun i => p (S i))); auto. intros j Hj. apply (H (S j)). lia.
Qed.
Lemma shaped_front m k r a : shaped (S m) k (r :: a) = true -> length r = k /\ shaped m k a = true.
Proof. unfold shaped. cbn. intros H. apply both in H as [H1 [H2 H3]%both]. apply Nat.eqb_eq in H2. rewrite H1, H3. auto. Qed.
Lemma limit_rows_ok k m : forall l a b P, shaped m k l = true -> shaped m k a = true -> shaped m k b = true ->
  (forall i j, (i < m)%nat -> (j < k)%nat -> mat a i j <= P i j <= mat b i j) ->
  sum m (fun i => sum k (fun j => mat l i j * P i j)) <= Q2R (limit_rows l a b).
Proof.
  induction m as [|m IH]; intros [|x l] [|y a] [|z b] P L1 L2 L3 H; try discriminate; cbn [limit_rows].
  - cbn. rewrite zero_R. lra.
  - apply shaped_front in L1 as [X1 L1], L2 as [X2 L2], L3 as [X3 L3]. rewrite sum_front, qadd_R. apply Rplus_le_compat.
    + apply (limit_row_ok k x y z (P O)); auto. intros j Hj. apply (H O j); auto. lia.
    + apply (IH l a b (fun i => P (S i))); auto. intros i j Hi Hj. apply (H (S i) j); auto. lia.
Qed.
(* The cost of limits of m outputs; without bounds there are none. *)
Definition limits_cost (k m : nat) (G : region) (limits : list (list Q)) : option Q :=
  match entries G, limits with
  | None, [] => Some 0%Q
  | Some (least, most), _ => if (shaped m k limits && shaped m k least && shaped m k most)%bool then Some (limit_rows limits least most) else None
  | _, _ => None
  end.
Lemma limits_cost_ok k m G limits c P : limits_cost k m G limits = Some c -> allowed k m G P ->
  sum m (fun i => sum k (fun j => mat limits i j * P i j)) <= Q2R c.
Proof.
  unfold limits_cost. intros H [_ [_ B]]. destruct (entries G) as [[least most]|].
  - destruct (shaped m k limits && shaped m k least && shaped m k most)%bool eqn:E; [|discriminate]. apply both in E as [[E1 E2]%both E3].
    assert (C : c = limit_rows limits least most) by congruence. rewrite C. apply limit_rows_ok; auto.
  - destruct limits; [|discriminate]. assert (C : c = 0%Q) by congruence. rewrite C, zero_R. right.
    apply sum_zero. intros i _. apply sum_zero. intros j _. unfold mat. destruct i; cbn [nth]; rewrite vec_nil; ring.
Qed.

(* A bound of the sum of all lines, or nothing. *)
Definition way := option (list (list multiplier * list multiplier)).   (* None: by rays *)
Definition bound_of_lines (k m : nat) (G : region) (es : list ends) (alpha : list Q) (betas : list (option (list (list Q))))
    (limits lines : list (list Q)) (w : way) : option Q :=
  let cs := aboves (conditions G) es in
  match limits_cost k m G limits with
  | None => None
  | Some c =>
    match w with
    | None =>
      match tests_of k cs betas alpha with
      | Some t => if forallb (fun i => lin t (fun j => qsub (entry lines i j) (entry limits i j))) (seq 0 m) then Some (qadd (most t) c) else None
      | None => None
      end
    | Some ms =>
      let walls := flat_map (walls_of k) cs in let bends := flat_map (bends_of k) (combine cs betas) in
      if (forallb (in_range k) (all_edges walls bends)
          && forallb (fun i => let '(u, v) := nth i ms ([], []) in
               on_walls walls u && on_bends bends v && forallb (fun m => in_range k (fst m)) (u ++ v)
               && within_vector Qle_bool (nth i lines []) (moved (u ++ v) (vadd alpha (nth i limits []))))
             (seq 0 m))%bool
      then Some (qadd (qadd (total_of alpha) (total_of (map (fun b => qmul (bend_beta b) (bend_delta b)) bends))) c)
      else None
    end
  end.

Lemma vadd_length a : forall b, (length b <= length a)%nat -> length (vadd a b) = length a.
Proof. induction a as [|x a IH]; intros [|y b] L; cbn in *; auto; [lia|]. rewrite IH by lia. reflexivity. Qed.
Lemma gain_app u v p : gain (u ++ v) p = gain u p + gain v p.
Proof. induction u as [|[[[j l] g] x] u IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma limits_short k m G limits c i : limits_cost k m G limits = Some c -> (length (nth i limits []) <= k)%nat.
Proof.
  unfold limits_cost. destruct (entries G) as [[least most]|].
  - destruct (shaped m k limits && shaped m k least && shaped m k most)%bool eqn:E; [|discriminate]. apply both in E as [[E1 _]%both _].
    intros _. apply (shaped_row _ _ _ i E1).
  - destruct limits; [|discriminate]. intros _. destruct i; cbn; lia.
Qed.

Theorem bound_of_lines_ok k m G es alpha betas limits lines w B P : (0 < k)%nat -> length alpha = k ->
  check_all_ends (conditions G) es = true -> bound_of_lines k m G es alpha betas limits lines w = Some B -> allowed k m G P ->
  sum m (fun i => sum k (fun j => mat lines i j * P i j)) <= Q2R B.
Proof.
  intros Hk L E H A. unfold bound_of_lines in H. cbv zeta in H. set (cs := aboves (conditions G) es) in *.
  pose proof (allowed_above k m G es P E A) as F. fold cs in F. pose proof (proj1 A) as M.
  destruct (limits_cost k m G limits) as [c|] eqn:LC; [|discriminate]. pose proof (limits_cost_ok _ _ _ _ _ P LC A) as Lim.
  destruct w as [ms|].
  - set (walls := flat_map (walls_of k) cs) in *. set (bends := flat_map (bends_of k) (combine cs betas)) in *.
    destruct (forallb (in_range k) (all_edges walls bends) && _)%bool eqn:X in H; [|discriminate].
    apply both in X as [X1 X2]. apply in_range_ok in X1.
    assert (HB : B = qadd (qadd (total_of alpha) (total_of (map (fun b => qmul (bend_beta b) (bend_delta b)) bends))) c) by congruence.
    pose proof (bends_of_ok k m P cs betas F ltac:(intros j l g I; apply X1; apply in_or_app; right; exact I)) as Bn. fold bends in Bn.
    rewrite HB, !qadd_R, (total_R alpha k), <- (total_mass k m P (vec alpha) M) by lia.
    pose proof (bends_total m P bends Bn) as BT.
    assert (Rows : sum m (fun i => sum k (fun j => mat lines i j * P i j)) <=
      sum m (fun i => sum k (fun j => vec alpha j * P i j) + sum k (fun j => mat limits i j * P i j) + total_bends (P i) (map bend_R bends)));
      [|rewrite !sum_plus in Rows; lra].
    apply sum_le. intros i Hi. pose proof (forallb_seq _ _ X2 i Hi) as Y. cbn beta in Y. destruct (nth i ms ([], [])) as [u v].
    apply both in Y as [[[Y1 Y2]%both Y3]%both Y4].
    assert (LV : length (vadd alpha (nth i limits [])) = k) by (rewrite vadd_length; [auto|rewrite L; eapply limits_short; eauto]).
    pose proof (moved_sum k (P i) (u ++ v) _ LV Y3) as Mv. rewrite gain_app in Mv.
    assert (Cone : in_cone k (map edge_R walls) (P i)).
    { apply (walls_of_ok k m P cs i M F Hi). intros j l g I. unfold all_edges in I. cbn in I. rewrite app_nil_r in I. apply X1. apply in_or_app. auto. }
    pose proof (on_walls_ok k (P i) walls u Y1 Cone) as G1.
    pose proof (on_bends_ok (P i) bends ltac:(eapply Forall_impl; [|exact Bn]; cbn; tauto) v Y2) as G2.
    rewrite (sum_ext k (fun j => vec (vadd alpha (nth i limits [])) j * P i j) (fun j => vec alpha j * P i j + mat limits i j * P i j)) in Mv
      by (intros; rewrite vadd_R; unfold mat; ring). rewrite sum_plus in Mv.
    apply Rle_trans with (sum k (fun j => vec (moved (u ++ v) (vadd alpha (nth i limits []))) j * P i j)); [|lra].
    apply sum_le. intros j Hj. apply Rmult_le_compat_r; [apply M; auto|].
    destruct (le_lt_dec (length (nth i lines [])) j) as [Lj|Lj].
    + assert (LM : forall ms' v', length (moved ms' v') = length v').
      { induction ms' as [|[[[? ?] ?] ?] ms' IH]; intros v'; cbn [moved]; [reflexivity|]. rewrite IH, !added_length. reflexivity. }
      apply within_vector_length in Y4. rewrite LM, LV in Y4. lia.
    + pose proof (within_vector_ok _ _ _ j Y4 Lj) as W. apply qle_R in W. exact W.
  - destruct (tests_of k cs betas alpha) as [t|] eqn:T; [|discriminate].
    destruct (forallb _ (seq 0 m)) eqn:X in H; [|discriminate]. assert (HB : B = qadd (most t) c) by congruence. rewrite HB, qadd_R.
    destruct (tests_of_ok k m P cs betas alpha t Hk L M F T) as [G' [SG [LinOk _]]].
    rewrite (sum_ext m _ (fun i => sum k (fun j => (mat lines i j - mat limits i j) * P i j) + sum k (fun j => mat limits i j * P i j)))
      by (intros i _; rewrite <- sum_plus; apply sum_ext; intros; ring).
    rewrite sum_plus. apply Rplus_le_compat; [|exact Lim]. eapply Rle_trans; [|exact SG]. apply sum_le. intros i Hi.
    pose proof (forallb_seq _ _ X i Hi) as Y. cbn beta in Y. pose proof (LinOk _ i Y Hi) as Z. cbn beta in Z.
    rewrite (sum_ext k _ (fun j => Q2R (qsub (entry lines i j) (entry limits i j)) * P i j)); [exact Z|].
    intros j _. rewrite qsub_R, !entry_R. reflexivity.
Qed.

(* The lines of an objective; those of a distance are given, with a dual norm of at most 1. *)
Definition lines_of (k m : nat) (q : list Q) (o : objective) (given : list (list Q)) : list (list Q) :=
  match o with
  | Trace w => map (fun i => map (fun j => if Nat.eqb i j then nth i w 0%Q else 0%Q) (seq 0 k)) (seq 0 m)
  | Loss l => map (fun i => map (fun j => Qopp (qmul (nth j q 0%Q) (entry l i j))) (seq 0 k)) (seq 0 m)
  | _ => given
  end.
Definition paired (k m : nat) (z a : list (list Q)) : Q := qsum m (fun i => qsum k (fun j => qmul (entry z i j) (entry a i j))).
Definition ends_hold (k m : nat) (o : objective) (z : list (list Q)) (lower upper b v : Q) : bool :=
  match o with
  | Trace _ => Nat.eqb m k && Qle_bool b upper && Qle_bool lower v
  | Loss _ => Qle_bool lower (Qopp b) && Qle_bool v upper
  | LargestDistance a =>
    Qle_bool (qsum m (fun i => qsum k (fun j => qabs (entry z i j)))) 1 && Qle_bool lower (qsub (paired k m z a) b) && Qle_bool v upper
  | TotalDistance a =>
    forallb (fun i => forallb (fun j => Qle_bool (qabs (entry z i j)) 1) (seq 0 k)) (seq 0 m)
    && Qle_bool lower (qsub (paired k m z a) b) && Qle_bool v upper
  | _ => false
  end%bool.
Definition check_lines (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q)) (alpha : list Q)
    (betas : list (option (list (list Q)))) (limits given : list (list Q)) (w : way) : bool :=
  let k := categories p in let m := length a in let q := population p in let o := objective_of p in
  (well_posed p es lower upper a && one_output m (outputs p) && Nat.eqb (length alpha) k
   && match bound_of_lines k m (region_of p) es alpha betas limits (lines_of k m q o given) w, linear_value k m q a o with
      | Some b, Some v => ends_hold k m o given lower upper b v
      | _, _ => false
      end)%bool.

Lemma matrix_of k m f i j : (i < m)%nat -> (j < k)%nat -> mat (map (fun i => map (f i) (seq 0 k)) (seq 0 m)) i j = Q2R (f i j).
Proof.
  intros Hi Hj. unfold mat, vec. rewrite (map_seq_nth (fun i => map (f i) (seq 0 k)) m [] i Hi), (map_seq_nth (f i) k 0%Q j Hj). reflexivity.
Qed.
Lemma paired_R k m z a : Q2R (paired k m z a) = sum m (fun i => sum k (fun j => mat z i j * mat a i j)).
Proof.
  unfold paired. rewrite qsum_R. apply sum_ext. intros i _. rewrite qsum_R. apply sum_ext. intros j _. rewrite qmul_R, !entry_R. reflexivity.
Qed.
(* What a line z . (a - P) says of a sum of absolute differences. *)
Lemma differences k m z a P (c : nat -> nat -> R) : (forall i j, (i < m)%nat -> (j < k)%nat -> Rabs (mat z i j) * Rabs (P i j - mat a i j) <= c i j) ->
  sum m (fun i => sum k (fun j => mat z i j * mat a i j)) - sum m (fun i => sum k (fun j => mat z i j * P i j)) <= sum m (fun i => sum k (c i)).
Proof.
  intros H. rewrite <- sum_minus. apply sum_le. intros i Hi. rewrite <- sum_minus. apply sum_le. intros j Hj.
  eapply Rle_trans; [|apply (H i j Hi Hj)]. rewrite <- Rabs_mult, <- Rabs_Ropp. eapply Rle_trans; [|apply Rle_abs]. right. ring.
Qed.

Theorem check_lines_ok p es lower upper a alpha betas limits given w :
  check_lines p es lower upper a alpha betas limits given w = true -> bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_lines. cbv zeta. set (k := categories p). set (m := length a). set (q := population p). intros H.
  apply both in H as [[[B K]%both L]%both H]. apply Nat.eqb_eq in L.
  destruct (well_posed_ok _ _ _ _ _ B) as [Hk [Hm [Fit [D [LQ [AL [SH E]]]]]]]. fold k m q in Hk, Hm, Fit, D, LQ, AL, SH.
  destruct (bound_of_lines _ _ _ _ _ _ _ _ _) as [b|] eqn:BL in H; [|discriminate].
  destruct (linear_value k m q a (objective_of p)) as [v|] eqn:V; [|discriminate]. apply linear_value_ok in V; auto.
  assert (T : forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' ->
    m' = m /\ sum m (fun i => sum k (fun j => mat (lines_of k m q (objective_of p) given) i j * P' i j)) <= Q2R b).
  { intros m' P' F' A'. assert (EM : m' = m).
    { unfold one_output in K. unfold outputs_fit in F'. destruct (outputs p); [|discriminate]. apply Nat.eqb_eq in K. congruence. }
    subst m'. split; [reflexivity|]. apply (bound_of_lines_ok k m (region_of p) es alpha betas limits _ w b P' Hk L E BL A'). }
  unfold bracketed. fold k q. split; [exact D|]. split; [exact Fit|]. split; [exact AL|].
  unfold ends_hold in H. destruct (objective_of p) as [C|x|l|l|l|u|r|r| |r|r|r|r y|o ws qs|C ws qs]; try discriminate;
    cbn [minimised criterion finite lines_of] in *.
  - apply both in H as [[EK UP]%both LO]. apply Nat.eqb_eq in EK. apply qle_R in UP, LO. split; [lra|]. intros m' P' F' A'.
    destruct (T m' P' F' A') as [-> X]. split; [exact I|]. eapply Rle_trans; [|exact UP]. eapply Rle_trans; [|exact X]. right.
    unfold trace. rewrite EK. apply sum_ext. intros i Hi. rewrite <- (sum_single k i (vec x i * P' i i) Hi). apply sum_ext. intros j Hj.
    rewrite (matrix_of k k (fun i j => if Nat.eqb i j then nth i x 0%Q else 0%Q)) by auto. rewrite (Nat.eqb_sym j i).
    destruct (Nat.eqb_spec i j) as [<-|]; [reflexivity|rewrite zero_R; ring].
  - apply both in H as [LO UP]. apply qle_R in UP, LO. rewrite Q2R_opp in LO. split; [lra|]. intros m' P' F' A'.
    destruct (T m' P' F' A') as [-> X]. eapply Rle_trans; [exact LO|]. apply Ropp_le_cancel. rewrite Ropp_involutive. eapply Rle_trans; [|exact X]. right.
    unfold expected_loss. rewrite <- (Rmult_1_l (sum m _)), Ropp_mult_distr_l, <- sum_scal. apply sum_ext. intros i Hi. rewrite <- sum_scal.
    apply sum_ext. intros j Hj. rewrite (matrix_of k m (fun i j => Qopp (qmul (nth j q 0%Q) (entry l i j)))) by auto.
    rewrite Q2R_opp, qmul_R, entry_R. unfold vec. ring.
  - apply both in H as [[N LO]%both UP]. apply qle_R in N, UP, LO. rewrite qsub_R, paired_R in LO. split; [lra|]. intros m' P' F' A'.
    destruct (T m' P' F' A') as [-> X]. set (d := largest_difference k m P' (mat l)).
    assert (Ld : forall i j, (i < m)%nat -> (j < k)%nat -> Rabs (P' i j - mat l i j) <= d).
    { intros i j Hi Hj. unfold d, largest_difference.
      eapply Rle_trans; [|apply (largest_ge m (fun i => largest k (fun j => Rabs (P' i j - mat l i j))) i Hi)].
      apply (largest_ge k (fun j => Rabs (P' i j - mat l i j)) j Hj). }
    pose proof (differences k m given l P' (fun i j => Rabs (mat given i j) * d)
      ltac:(intros i j Hi Hj; apply Rmult_le_compat_l; [apply Rabs_pos|auto])) as Y.
    cbv beta in Y. rewrite (sum_ext m (fun i => sum k (fun j => Rabs (mat given i j) * d)) (fun i => sum k (fun j => Rabs (mat given i j)) * d)) in Y
      by (intros; rewrite <- sum_scal_r; reflexivity).
    rewrite sum_scal_r in Y. rewrite one_R, qsum_R in N.
    rewrite (sum_ext m _ (fun i => sum k (fun j => Rabs (mat given i j)))) in N
      by (intros; rewrite qsum_R; apply sum_ext; intros; rewrite qabs_R, entry_R; reflexivity).
    assert (0 <= d) by (eapply Rle_trans; [apply Rabs_pos|apply (Ld O O Hm Hk)]).
    assert (sum m (fun i => sum k (fun j => Rabs (mat given i j))) * d <= 1 * d) by (apply Rmult_le_compat_r; auto). lra.
  - apply both in H as [[N LO]%both UP]. apply qle_R in UP, LO. rewrite qsub_R, paired_R in LO. split; [lra|]. intros m' P' F' A'.
    destruct (T m' P' F' A') as [-> X].
    pose proof (differences k m given l P' (fun i j => Rabs (P' i j - mat l i j))) as Y. unfold total_difference.
    assert (sum m (fun i => sum k (fun j => mat given i j * mat l i j)) - sum m (fun i => sum k (fun j => mat given i j * P' i j)) <=
      sum m (fun i => sum k (fun j => Rabs (P' i j - mat l i j)))); [|lra].
    apply Y. intros i j Hi Hj. pose proof (forallb_seq _ _ (forallb_seq _ _ N i Hi) j Hj) as Z. cbn beta in Z. apply qle_R in Z.
    rewrite qabs_R, entry_R, one_R in Z. pose proof (Rabs_pos (P' i j - mat l i j)). nra.
Qed.

(* No mechanism is in a region: lines 0 below costs that sum to less than 0. *)
Definition zero_lines (k m : nat) : list (list Q) := map (fun i => map (fun j => 0%Q) (seq 0 k)) (seq 0 m).
Definition check_no_mechanism (k m : nat) (G : region) (es : list ends) (alpha : list Q) (betas : list (option (list (list Q))))
    (limits : list (list Q)) (w : way) : bool :=
  (Nat.ltb 0 k && Nat.eqb (length alpha) k && check_all_ends (conditions G) es
   && match bound_of_lines k m G es alpha betas limits (zero_lines k m) w with Some b => qlt b 0 | None => false end)%bool.
Theorem check_no_mechanism_ok k m G es alpha betas limits w : check_no_mechanism k m G es alpha betas limits w = true ->
  true_claim (NoMechanism k m G).
Proof.
  unfold check_no_mechanism. intros H. apply both in H as [[[Hk L]%both E]%both H]. apply Nat.ltb_lt in Hk. apply Nat.eqb_eq in L.
  split; [exact (check_all_ends_defined _ _ E)|]. intros P A.
  destruct (bound_of_lines _ _ _ _ _ _ _ _ _) as [b|] eqn:B in H; [|discriminate]. apply qlt_R in H. rewrite zero_R in H.
  pose proof (bound_of_lines_ok k m G es alpha betas limits (zero_lines k m) w b P Hk L E B A) as X.
  rewrite sum_zero in X; [lra|]. intros i Hi. apply sum_zero. intros j Hj. unfold zero_lines.
  rewrite (matrix_of k m (fun _ _ => 0%Q)), zero_R by auto. ring.
Qed.
