(* Rule 25 for one level with delta = 0, objective by objective. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays.
Import ListNotations.
Local Open Scope R_scope.

Definition pattern_limit : nat := 18.
Definition uniform_gamma (cs : list rational_level) : option Q :=
  match cs with [(g, d, AllPairs)] => if (Qeq_bool d 0 && qlt 1 g)%bool then Some g else None | _ => None end.
Lemma uniform_gamma_ok k m cs g P : uniform_gamma cs = Some g -> Forall (meets k m P) cs ->
  1 <= Q2R g /\ ratios k m (Q2R g) P.
Proof.
  intros H F. destruct cs as [|[[g' d] [|]] [|]]; cbn in H; try discriminate.
  destruct (Qeq_bool d 0 && qlt 1 g')%bool eqn:E; [|discriminate]. inversion H; subst. apply both in E as [E1 E2].
  apply qlt_R in E2. rewrite one_R in E2. split; [lra|]. inversion F as [|? ? F1 _]; subst.
  intros i j l Hi Hj Hl. apply (meets_rows k m P g j l i AllPairs); auto; [|exact I]. eapply zero_delta; eauto.
Qed.

Definition minus_each (a b : list Q) : list (list Q) := map (fun p => [qsub (fst p) (snd p)]) (combine a b).
Lemma minus_each_ok a : forall b j, length a = length b -> mat (minus_each a b) j 0 = vec a j - vec b j.
Proof.
  induction a as [|x s IH]; intros [|y t] j L; cbn in L; try discriminate.
  - unfold mat, vec. destruct j; cbn; rewrite !zero_R; ring.
  - destruct j; [|apply (IH t j); auto]. unfold mat, vec; cbn. apply qsub_R.
Qed.

(* The values of a mechanism of rationals. *)
Definition variation_value (m : nat) (x y : list Q) : Q :=
  qmul (1 # 2) (qsum m (fun i => qabs (qsub (nth i x 0%Q) (nth i y 0%Q)))).
Definition chi_value (m : nat) (x y : list Q) : Q :=
  qsum m (fun i => let s := nth i y 0%Q in
    if Qeq_bool s 0 then 0%Q else let d := qsub (nth i x 0%Q) s in Qred (Qdiv (qmul d d) s)).
Definition gain_value (k m : nat) (q : list Q) (u a : list (list Q)) : Q :=
  qsum m (fun i => qlargest (length u) (fun d => qsum k (fun j => qmul (qmul (nth j q 0%Q) (entry u d j)) (entry a i j)))).

Lemma half_R : Q2R (1 # 2) = / 2.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma variation_value_ok k m q r a : shaped m k a = true ->
  Q2R (variation_value m (outputs_law q a) (outputs_law r a)) = total_variation k m (mat a) (vec q) (vec r).
Proof.
  intros S. unfold variation_value, total_variation. rewrite qmul_R, qsum_R, half_R. unfold Rdiv. rewrite Rmult_comm. f_equal.
  apply sum_ext. intros i _. rewrite qabs_R, qsub_R. rewrite <- !(outputs_law_R k m) by auto. reflexivity.
Qed.
Lemma chi_value_ok k m q r a : shaped m k a = true ->
  Q2R (chi_value m (outputs_law q a) (outputs_law r a)) = chi_square k m (mat a) (vec q) (vec r).
Proof.
  intros S. unfold chi_value, chi_square. rewrite qsum_R. apply sum_ext. intros i _.
  rewrite <- !(outputs_law_R k m) by auto. cbv zeta.
  change (vec (outputs_law r a) i) with (Q2R (nth i (outputs_law r a) 0%Q)).
  change (vec (outputs_law q a) i) with (Q2R (nth i (outputs_law q a) 0%Q)).
  set (s := nth i (outputs_law r a) 0%Q). set (x := nth i (outputs_law q a) 0%Q).
  destruct (Qeq_bool s 0) eqn:E.
  - apply qeq_R in E. rewrite zero_R in E. rewrite zero_R. destruct (Req_EM_T (Q2R s) 0); [auto|contradiction].
  - assert (N : ~ (s == 0)%Q) by (intros X; apply Qeq_bool_iff in X; congruence).
    destruct (Req_EM_T (Q2R s) 0) as [Z|Z].
    + exfalso. apply N. apply eqR_Qeq. rewrite zero_R. exact Z.
    + rewrite Q2R_red, Q2R_div, qmul_R, qsub_R by auto. unfold Rdiv. ring.
Qed.
Lemma gain_value_ok k m q u a : (0 < length u)%nat ->
  Q2R (gain_value k m q u a) = expected_gain k m (length u) (mat a) (vec q) (mat u).
Proof.
  intros L. unfold gain_value, expected_gain. rewrite qsum_R. apply sum_ext. intros i _. rewrite qlargest_R.
  apply largest_ext; auto. intros d _. rewrite qsum_R. apply sum_ext. intros j _. rewrite !qmul_R, !entry_R. reflexivity.
Qed.

Lemma distribution_length k q : is_distribution k q = true -> length q = k.
Proof. unfold is_distribution. intros H. apply both in H as [[H _]%both _]. apply Nat.eqb_eq, H. Qed.

Definition one_output (k : nat) (o : option nat) : bool := match o with Some n => Nat.eqb n k | None => false end.
Definition outputs_agree (m : nat) (o : option nat) : bool := match o with Some n => Nat.eqb m n | None => true end.

Definition check_objective (p : problem) (g lower upper : Q) (a : list (list Q)) (alpha : list Q) (W A : list (list Q)) : bool :=
  let k := categories p in let m := length a in let q := population p in let B := total_of alpha in
  match objective_of p with
  | Estimate C =>
    let T := qsum (length C) (fun l => qsum k (fun j => qmul (entry C l j) (entry W j l))) in
    (shaped k (length C) W && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 (length C))
     && check_squares g alpha q W && qlt 0 B && Qle_bool (qmul lower B) (qmul T T)
     && check_unbiased k a A C && Qle_bool (estimator_variance (outputs_law q a) A) upper)%bool
  | ChiSquare r =>
    (is_distribution k r && check_squares g alpha r (minus_each q r) && Qle_bool B upper
     && Qle_bool lower (chi_value m (outputs_law q a) (outputs_law r a)))%bool
  | TotalVariation r =>
    let v := fun j => qmul (1 # 2) (qsub (nth j q 0%Q) (nth j r 0%Q)) in
    (is_distribution k r && check_linear k g alpha v && check_linear k g alpha (fun j => Qopp (v j)) && Qle_bool B upper
     && Qle_bool lower (variation_value m (outputs_law q a) (outputs_law r a)))%bool
  | Payoff u =>
    (Nat.ltb 0 (length u)
     && forallb (fun d => check_linear k g alpha (fun j => qmul (nth j q 0%Q) (entry u d j))) (seq 0 (length u))
     && Qle_bool B upper && Qle_bool lower (gain_value k m q u a))%bool
  | Trace w =>
    (one_output k (outputs p)
     && forallb (fun i => check_linear k g alpha (fun j => if Nat.eqb i j then nth i w 0%Q else 0%Q)) (seq 0 k)
     && Qle_bool B upper && match linear_value k m q a (Trace w) with Some v => Qle_bool lower v | None => false end)%bool
  | Loss l =>
    (one_output m (outputs p)
     && forallb (fun i => check_linear k g alpha (fun j => Qopp (qmul (nth j q 0%Q) (entry l i j)))) (seq 0 m)
     && Qle_bool lower (Qopp B) && match linear_value k m q a (Loss l) with Some v => Qle_bool v upper | None => false end)%bool
  | _ => false
  end.

Definition check_rays (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (W A : list (list Q)) : bool :=
  let k := categories p in let m := length a in
  (Nat.ltb 0 k && Nat.leb k pattern_limit && Nat.ltb 0 m && outputs_agree m (outputs p) && Nat.eqb (length alpha) k
   && is_distribution k (population p) && Qle_bool lower upper && check_allowed k (region_of p) es a
   && match uniform_gamma (aboves (conditions (region_of p)) es) with
      | Some g => check_objective p g lower upper a alpha W A
      | None => false
      end)%bool.

Theorem check_rays_ok p es lower upper a alpha W A : check_rays p es lower upper a alpha W A = true ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_rays. set (k := categories p). set (m := length a). intros H.
  apply both in H as [[[[[[[[Hk _]%both Hm]%both O]%both L]%both D]%both _]%both AL]%both H].
  apply Nat.ltb_lt in Hk, Hm. apply Nat.eqb_eq in L. apply check_allowed_ok in AL as AL'.
  unfold check_allowed in AL. apply both in AL as [[[SH E]%both _]%both _].
  unfold is_mechanism in SH. apply both in SH as [[SH _]%both _].
  pose proof (is_distribution_ok _ _ D) as D'.
  assert (F : outputs_fit p m) by (unfold outputs_fit; unfold outputs_agree in O; destruct (outputs p); [apply Nat.eqb_eq in O; auto|exact I]).
  destruct (uniform_gamma (aboves (conditions (region_of p)) es)) as [g|] eqn:G; [|discriminate].
  assert (R : forall m' P', allowed k m' (region_of p) P' -> mechanism k m' P' /\ 1 <= Q2R g /\ ratios k m' (Q2R g) P').
  { intros m' P' A'. split; [apply A'|]. apply (uniform_gamma_ok k m' _ g P' G). apply (allowed_above k m' _ es P' E A'). }
  assert (BR : Q2R (total_of alpha) = sum k (vec alpha)) by (apply total_R; lia).
  unfold bracketed. fold k. split; [exact D'|]. split; [exact F|]. split; [exact AL'|].
  unfold check_objective in H. fold k m in H. destruct (objective_of p) as [C|w|l|l|l|u|r|r]; cbn [minimised criterion finite]; try discriminate.
  - (* Estimate *)
    apply both in H as [[[[[[SW Z]%both SQ]%both BP]%both LO]%both U]%both UP].
    apply check_unbiased_ok in U. destruct U as [LA U]. split.
    + exists (fun i l => mat A l i). split; [exact U|]. apply qle_R in UP.
      rewrite (estimator_variance_R k m), LA in UP by auto. exact UP.
    + intros m' P' a' _ A' U'. destruct (R m' P' A') as [M' [Hg R']]. apply qlt_R in BP. rewrite zero_R, BR in BP.
      apply qle_R in LO. rewrite !qmul_R, BR in LO. rewrite (qsum_R (length C)) in LO.
      rewrite (sum_ext (length C) _ (fun l => sum k (fun j => mat C l j * mat W j l))) in LO
        by (intros; rewrite qsum_R; apply sum_ext; intros; rewrite qmul_R, !entry_R; reflexivity).
      pose proof (check_squares_ok k (length C) g alpha (population p) W L (distribution_length _ _ D) SW SQ) as S.
      eapply Rle_trans; [|apply (variance_bound k m' (length C) (Q2R g) P' (mat C) a' (vec (population p)) (vec alpha) (mat W)); auto].
      * apply (Rmult_le_reg_r (sum k (vec alpha))); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
      * intros l Hl. pose proof (forallb_seq _ _ Z l Hl) as Y. cbn beta in Y. apply qeq_R in Y.
        rewrite column_total, zero_R, (shaped_rows _ _ _ SW) in Y. exact Y.
  - (* Trace *)
    apply both in H as [[[K C]%both UP]%both V]. destruct (linear_value k m (population p) a (Trace w)) as [v|] eqn:LV; [|discriminate].
    apply linear_value_ok in LV; auto. cbn [criterion] in LV. apply qle_R in V, UP. split; [lra|].
    intros m' P' F' A'. split; [exact I|]. destruct (R m' P' A') as [M' [Hg R']].
    assert (EK : m' = k).
    { unfold one_output in K. unfold outputs_fit in F'. destruct (outputs p); [|discriminate]. apply Nat.eqb_eq in K. congruence. }
    subst m'. apply Rle_trans with (Q2R (total_of alpha)); [|exact UP]. rewrite BR, <- (total_mass k k P' (vec alpha) M').
    unfold trace. apply sum_le. intros i Hi. pose proof (forallb_seq _ _ C i Hi) as Y. cbn beta in Y. apply check_linear_ok in Y.
    pose proof (linear_on_rows k k (Q2R g) P' (vec alpha) _ i Hk Hg M' R' Hi Y) as X.
    eapply Rle_trans; [|exact X]. apply Req_le. rewrite <- (sum_single k i (vec w i * P' i i) Hi). apply sum_ext. intros j _.
    destruct (Nat.eqb_spec i j).
    + subst. rewrite Nat.eqb_refl. reflexivity.
    + destruct (Nat.eqb_spec j i); [congruence|]. rewrite zero_R. ring.
  - (* Loss *)
    apply both in H as [[[K C]%both LO]%both V]. destruct (linear_value k m (population p) a (Loss l)) as [v|] eqn:LV; [|discriminate].
    apply linear_value_ok in LV; auto. cbn [criterion] in LV. apply qle_R in V, LO. rewrite Q2R_opp, BR in LO. split; [lra|].
    intros m' P' F' A'. destruct (R m' P' A') as [M' [Hg R']].
    assert (EK : m' = m).
    { unfold one_output in K. unfold outputs_fit in F'. destruct (outputs p); [|discriminate]. apply Nat.eqb_eq in K. congruence. }
    subst m'. eapply Rle_trans; [exact LO|]. rewrite <- (total_mass k m P' (vec alpha) M').
    apply Ropp_le_cancel. rewrite Ropp_involutive. unfold expected_loss.
    replace (- sum m (fun i => sum k (fun j => vec (population p) j * mat l i j * P' i j))) with
      (sum m (fun i => sum k (fun j => Q2R (Qopp (qmul (nth j (population p) 0%Q) (entry l i j))) * P' i j))).
    + apply sum_le. intros i Hi. pose proof (forallb_seq _ _ C i Hi) as Y. cbn beta in Y. apply check_linear_ok in Y.
      apply (linear_on_rows k m (Q2R g) P' (vec alpha) _ i Hk Hg M' R' Hi Y).
    + rewrite <- (Rmult_1_l (sum m (fun i => sum k (fun j => vec (population p) j * mat l i j * P' i j)))).
      rewrite Ropp_mult_distr_l, <- sum_scal. apply sum_ext. intros i _. rewrite <- sum_scal. apply sum_ext. intros j _.
      rewrite Q2R_opp, qmul_R, entry_R. unfold vec. ring.
  - (* Payoff *)
    apply both in H as [[[LU C]%both UP]%both V]. apply Nat.ltb_lt in LU. apply qle_R in V, UP. rewrite gain_value_ok in V by auto.
    split; [exact V|]. intros m' P' F' A'. split; [exact I|]. destruct (R m' P' A') as [M' [Hg R']].
    apply Rle_trans with (Q2R (total_of alpha)); [|exact UP]. rewrite BR, <- (total_mass k m' P' (vec alpha) M').
    unfold expected_gain. apply sum_le. intros i Hi. apply largest_le; auto. intros d Hd.
    pose proof (forallb_seq _ _ C d Hd) as Y. cbn beta in Y. apply check_linear_ok in Y.
    pose proof (linear_on_rows k m' (Q2R g) P' (vec alpha) _ i Hk Hg M' R' Hi Y) as X.
    eapply Rle_trans; [|exact X]. apply Req_le, sum_ext. intros j _. rewrite qmul_R, entry_R. reflexivity.
  - (* TotalVariation *)
    apply both in H as [[[[DR C1]%both C2]%both UP]%both V]. apply qle_R in V, UP. rewrite (variation_value_ok k m) in V by auto.
    split; [exact V|]. intros m' P' F' A'. split; [exact I|]. destruct (R m' P' A') as [M' [Hg R']].
    apply Rle_trans with (Q2R (total_of alpha)); [|exact UP]. rewrite BR, <- (total_mass k m' P' (vec alpha) M').
    unfold total_variation, Rdiv. rewrite <- sum_scal_r. apply sum_le. intros i Hi.
    apply check_linear_ok in C1, C2.
    pose proof (linear_on_rows k m' (Q2R g) P' (vec alpha) _ i Hk Hg M' R' Hi C1) as X1.
    pose proof (linear_on_rows k m' (Q2R g) P' (vec alpha) _ i Hk Hg M' R' Hi C2) as X2. cbn beta in X1, X2.
    set (x := answers k P' (vec (population p)) i - answers k P' (vec r) i).
    assert (N : sum k (fun j => Q2R (qmul (1 # 2) (qsub (nth j (population p) 0%Q) (nth j r 0%Q))) * P' i j) = / 2 * x).
    { unfold x, answers. rewrite <- sum_minus, <- sum_scal. apply sum_ext. intros j _. rewrite qmul_R, qsub_R, half_R. unfold vec. ring. }
    rewrite N in X1. rewrite (sum_ext k _ (fun j => -1 * (Q2R (qmul (1 # 2) (qsub (nth j (population p) 0%Q) (nth j r 0%Q))) * P' i j))) in X2
      by (intros; rewrite Q2R_opp; ring). rewrite sum_scal, N in X2.
    unfold Rabs. destruct (Rcase_abs x); lra.
  - (* ChiSquare *)
    apply both in H as [[[DR SQ]%both UP]%both V]. apply qle_R in V, UP. rewrite (chi_value_ok k m) in V by auto.
    split; [exact V|]. intros m' P' F' A'. destruct (R m' P' A') as [M' [Hg R']].
    assert (SW : shaped k 1 (minus_each (population p) r) = true).
    { unfold shaped, minus_each. apply andb_true_intro. split.
      - rewrite map_length, combine_length, (distribution_length _ _ D), (distribution_length _ _ DR). apply Nat.eqb_eq. lia.
      - apply forallb_forall. intros x X. apply in_map_iff in X. destruct X as [y [<- _]]. reflexivity. }
    pose proof (check_squares_ok k 1 g alpha r _ L (distribution_length _ _ DR) SW SQ) as S.
    destruct (chi_square_bound k m' (Q2R g) P' (vec (population p)) (vec r) (vec alpha) Hk Hg M' R' D' (is_distribution_ok _ _ DR)) as [X1 X2].
    + intros b. specialize (S b). cbn [sum] in S. cbn [sum].
      rewrite (sum_ext k (fun j => (vec (population p) j - vec r j) * pattern (Q2R g) b j)
                 (fun j => mat (minus_each (population p) r) j 0 * pattern (Q2R g) b j)); [exact S|].
      intros j _. rewrite minus_each_ok; [reflexivity|]. rewrite (distribution_length _ _ D), (distribution_length _ _ DR). reflexivity.
    + split; [exact X1|]. rewrite <- BR in X2. lra.
Qed.
