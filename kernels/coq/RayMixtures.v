(* The way of rays, a weighted sum of variances at some populations: one estimator and one matrix W for each population. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists RayRules.
Import ListNotations.
Local Open Scope R_scope.

(* |r W|^2 / (r.q), where 0/0 = 0. *)
Definition square_over (r : list Q) (W : list (list Q)) (q : list Q) (n : nat) : option Q :=
  let s := dot q r in let x := map (fun l => dot (column W l) r) (seq 0 n) in let y := dot x x in
  if qlt 0 s then Some (Qred (Qdiv y s)) else if (Qeq_bool s 0 && Qeq_bool y 0)%bool then Some 0%Q else None.
Fixpoint squares_over (r : list Q) (n : nat) (w : list Q) (Ws : list (list (list Q))) (qs : list (list Q)) : option Q :=
  match w, Ws, qs with
  | x :: w, W :: Ws, q :: qs =>
    match square_over r W q n, squares_over r n w Ws qs with Some a, Some b => Some (qadd (qmul x a) b) | _, _ => None end
  | _, _, _ => Some 0%Q
  end.
Definition population_ok (k m n : nat) (a C : list (list Q)) (q : list Q) (W A : list (list Q)) : bool :=
  (is_distribution k q && shaped k n W && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 n) && check_unbiased k a A C)%bool.

Definition check_mixture (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (Ws As : list (list (list Q))) : bool :=
  let k := categories p in let m := length a in
  match objective_of p with
  | EstimateMixture C w qs =>
    let n := length C in let N := length w in
    (well_posed p es lower upper a && Nat.eqb (length qs) N && Nat.eqb (length Ws) N && Nat.eqb (length As) N && Nat.ltb 0 N && forallb (qlt 0) w && Qeq_bool (total_of w) 1
     && forallb (fun b => population_ok k m n a C (nth b qs []) (nth b Ws []) (nth b As [])) (seq 0 N)
     && Qle_bool (qsum N (fun b => qmul (nth b w 0%Q) (estimator_variance (outputs_law (nth b qs []) a) (nth b As [])))) upper
     && (Qle_bool lower 0 || on_rays p es alpha betas (fun t =>
          let T := qsum N (fun b => qmul (nth b w 0%Q) (qsum n (fun l => qsum k (fun j => qmul (entry C l j) (entry (nth b Ws []) j l))))) in
          qlt 0 (most t) && Qle_bool (qmul lower (most t)) (qmul T T)
          && each t (fun r g => Qle_bool 0 g && match squares_over r n w Ws qs with Some v => Qle_bool v g | None => false end))))%bool
  | _ => false
  end.

Lemma square_over_ok k n r W q v u : length q = k -> shaped k n W = true -> square_over r W q n = Some v ->
  tangent_at k n (mat W) (vec q) u (vec r) <= Q2R v.
Proof.
  intros L S H. unfold square_over in H. cbv zeta in H. set (x := map (fun l => dot (column W l) r) (seq 0 n)) in *.
  assert (LX : length x = n) by (unfold x; rewrite map_length, seq_length; reflexivity).
  assert (X : forall l, (l < n)%nat -> vec x l = sum k (fun j => mat W j l * vec r j)).
  { intros l Hl. unfold x, vec at 1. rewrite (map_seq_nth (fun l => dot (column W l) r)) by auto.
    rewrite (dot_R k) by (rewrite column_length, (shaped_rows _ _ _ S); lia). apply sum_ext. intros j _. rewrite column_vec. reflexivity. }
  assert (Y : Q2R (dot x x) = sum n (fun l => sum k (fun j => mat W j l * vec r j) ^ 2)).
  { rewrite (dot_R n) by lia. apply sum_ext. intros l Hl. rewrite (X l Hl). ring. }
  assert (Sq : Q2R (dot q r) = sum k (fun j => vec q j * vec r j)) by (apply dot_R; lia).
  unfold tangent_at. rewrite <- Sq. destruct (qlt 0 (dot q r)) eqn:P.
  - apply qlt_R in P. rewrite zero_R in P. assert (E : v = Qred (Qdiv (dot x x) (dot q r))) by congruence.
    assert (NZ : ~ (dot q r == 0)%Q) by (intros Z; apply Qeq_eqR in Z; rewrite zero_R in Z; lra).
    assert (V : Q2R v = Q2R (dot x x) / Q2R (dot q r)) by (rewrite E, Q2R_red, Q2R_div by auto; reflexivity).
    apply tangent; [| lra |].
    + rewrite V. apply Rmult_le_pos; [rewrite Y; apply sum_nonneg; intros; apply pow2_ge_0|left; apply Rinv_0_lt_compat; auto].
    + right. rewrite <- Y, V. field. lra.
  - destruct (Qeq_bool (dot q r) 0 && Qeq_bool (dot x x) 0)%bool eqn:Z; [|discriminate]. apply both in Z as [Z1 Z2].
    apply qeq_R in Z1, Z2. rewrite zero_R in Z1, Z2. assert (E : v = 0%Q) by congruence. rewrite E, zero_R, Z1. apply tangent; [lra|lra|].
    right. rewrite <- Y, Z2. ring.
Qed.
Lemma squares_over_ok k n r w : forall Ws qs v (u : nat -> nat -> R), length Ws = length w -> length qs = length w -> forallb (qlt 0) w = true ->
  (forall b, (b < length w)%nat -> length (nth b qs []) = k /\ shaped k n (nth b Ws []) = true) -> squares_over r n w Ws qs = Some v ->
  sum (length w) (fun b => vec w b * tangent_at k n (mat (nth b Ws [])) (vec (nth b qs [])) (u b) (vec r)) <= Q2R v.
Proof.
  induction w as [|x w IH]; intros Ws qs v u LW LQ W H E; cbn [squares_over] in E.
  - assert (V : v = 0%Q) by congruence. rewrite V, zero_R. cbn. lra.
  - destruct Ws as [|M Ws], qs as [|q qs]; try discriminate. cbn [length forallb] in *. apply both in W as [X W]. apply qlt_R in X. rewrite zero_R in X.
    destruct (square_over r M q n) as [a|] eqn:A; [|discriminate]. destruct (squares_over r n w Ws qs) as [b|] eqn:B; [|discriminate].
    assert (V : v = qadd (qmul x a) b) by congruence. rewrite V, qadd_R, qmul_R, sum_front. apply Rplus_le_compat.
    + apply Rmult_le_compat_l; [change (0 <= Q2R x); lra|]. destruct (H O ltac:(lia)) as [L S]. apply square_over_ok; auto.
    + apply (IH Ws qs b (fun c => u (S c))); auto. intros c Hc. apply (H (S c)). lia.
Qed.

Theorem check_mixture_ok p es lower upper a alpha betas Ws As : check_mixture p es lower upper a alpha betas Ws As = true ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_mixture, bracketed. cbv zeta. set (k := categories p). set (m := length a).
  destruct (objective_of p) as [ | | | | | | | | | | | | | |C w qs]; try discriminate. set (n := length C). set (N := length w). intros H.
  apply both in H as [[[[[[[[[B LQ]%both LW]%both LA]%both HN]%both W]%both _]%both PO]%both UP]%both H]. apply Nat.eqb_eq in LQ, LW, LA.
  destruct (well_posed_ok _ _ _ _ _ B) as [Hk [Hm [Fit [D' [_ [AL' [SH E]]]]]]]. fold k m in Hk, Hm, Fit, D', AL', SH.
  apply qle_R in UP.
  assert (Pop : forall b, (b < N)%nat -> distribution k (vec (nth b qs [])) /\ length (nth b qs []) = k /\ shaped k n (nth b Ws []) = true /\
    (forall l, (l < n)%nat -> sum k (fun j => mat (nth b Ws []) j l) = 0) /\ length (nth b As []) = n /\
    unbiased k m n (mat a) (mat C) (fun i l => mat (nth b As []) l i)).
  { intros b Hb. pose proof (forallb_seq _ _ PO b Hb) as X. cbn beta in X. unfold population_ok in X.
    apply both in X as [[[X1 X2]%both X3]%both X4]. apply check_unbiased_ok in X4 as [X4 X5].
    split; [apply is_distribution_ok, X1|]. split; [apply distribution_length, X1|]. split; [exact X2|]. split; [|split; [exact X4|exact X5]].
    apply centred_ok; auto. }
  assert (Wp : forall b, (b < N)%nat -> 0 < vec w b).
  { intros b Hb. pose proof (forallb_nth _ _ 0%Q W b Hb) as X. cbn beta in X. apply qlt_R in X. rewrite zero_R in X. exact X. }
  split; [exact D'|]. split; [exact Fit|]. split; [exact AL'|]. split.
  - exists (fun b i l => mat (nth b As []) l i). split; [intros b Hb; apply (Pop b Hb)|].
    rewrite qsum_R in UP. eapply Rle_trans; [|exact UP]. right. apply sum_ext. intros b Hb. destruct (Pop b Hb) as [_ [_ [_ [_ [LAb _]]]]].
    rewrite qmul_R, (estimator_variance_R k m), LAb by auto. reflexivity.
  - intros m' P' a' _ A' U'. apply orb_prop in H. destruct H as [LO|H].
    { apply qle_R in LO. rewrite zero_R in LO. eapply Rle_trans; [exact LO|]. apply sum_nonneg. intros b Hb.
      destruct (Pop b Hb) as [Db _]. apply Rmult_le_pos; [left; apply Wp, Hb|]. apply (variance_nonneg k m' n P' (mat C)); auto. apply A'. }
    apply on_rays_ok in H as [t [H R]]; auto. fold k in R. apply both in H as [[BP LO]%both EA]. apply qlt_R in BP. rewrite zero_R in BP. apply qle_R in LO.
    destruct (R m' P' A') as [G' [SG [_ [_ EachOk]]]].
    set (T := sum N (fun b => vec w b * sum n (fun l => sum k (fun j => mat C l j * mat (nth b Ws []) j l)))).
    assert (TE : Q2R (qsum N (fun b => qmul (nth b w 0%Q) (qsum n (fun l => qsum k (fun j => qmul (entry C l j) (entry (nth b Ws []) j l)))))) = T).
    { rewrite qsum_R. apply sum_ext. intros b _. rewrite qmul_R, qsum_R. f_equal. apply sum_ext. intros l _. rewrite qsum_R. apply sum_ext.
      intros j _. rewrite qmul_R, !entry_R. reflexivity. }
    rewrite !qmul_R in LO. rewrite !TE in LO. apply Rle_trans with (T ^ 2 / Q2R (most t)).
    + apply (Rmult_le_reg_r (Q2R (most t))); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
    + apply (mixture_bound k m' n N P' (mat C) a' (fun b => mat (nth b Ws [])) (fun b => mat qs b) (vec w) G' (Q2R (most t)) (proj1 A')); auto.
      * intros b Hb. destruct (Pop b Hb) as [Db [_ [_ [Zb _]]]]. specialize (Wp b Hb). split; [lra|]. split; [exact Db|]. split; [apply U', Hb|exact Zb].
      * intros i u Hi.
        assert (Lin : forall y, sum N (fun b => vec w b * tangent_at k n (mat (nth b Ws [])) (mat qs b) (u b) y) =
          sum k (fun j => sum N (fun b => vec w b * (2 * sum n (fun l => u b l * mat (nth b Ws []) j l) - sum n (fun l => u b l ^ 2) * mat qs b j)) * y j)).
        { intros y. rewrite (sum_ext k _ (fun j => sum N (fun b => vec w b * ((2 * sum n (fun l => u b l * mat (nth b Ws []) j l) - sum n (fun l => u b l ^ 2) * mat qs b j) * y j))))
            by (intros; rewrite <- sum_scal_r; apply sum_ext; intros; ring).
          rewrite sum_swap. apply sum_ext. intros b _. rewrite sum_scal, tangent_linear. reflexivity. }
        rewrite Lin. apply (EachOk _ _ i EA); auto. intros r g _ X. rewrite <- Lin. apply both in X as [_ X].
        destruct (squares_over r n w Ws qs) as [v|] eqn:V; [|discriminate]. apply qle_R in X. eapply Rle_trans; [|exact X].
        apply (squares_over_ok k n r w Ws qs v u); auto. intros b Hb. destruct (Pop b Hb) as [_ [L1 [L2 _]]]. auto.
Qed.
