(* Design brackets, D-optimality: the product of the variances of successive contrasts, from triangular vectors with weights;
   the mechanism by the pivots of elimination, which are the values of the form at successive contrasts. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Semidefinite Rays RayRules Logarithms RaySums Contrasts Determinants Eigen.
Import ListNotations.
Local Open Scope R_scope.

(* Entry j of w_j is 1 and those before it are 0. *)
Definition unit_triangular (n : nat) (W : list (list Q)) : bool :=
  forallb (fun l => Qeq_bool (entry W l l) 1 && forallb (fun j => implb (Nat.ltb j l) (Qeq_bool (entry W j l) 0)) (seq 0 n))%bool (seq 0 n).
Definition logs (t : precision) (d : list Q) : option (Q * Q) := logs_of t (map (fun i => nth i d 0%Q) (seq 0 (length d))).
Definition check_volume (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (d : list Q) (W A : list (list Q)) (digits : nat) : bool :=
  let k := categories p in let q := population p in let n := (k - 1)%nat in let x := precision_of digits in
  let law := outputs_law q a in
  (well_posed p es lower upper a && Nat.ltb 1 k && forallb (qlt 0) q
   && Nat.eqb (length d) n && shaped k n W && forallb (qlt 0) d && unit_triangular n W
   && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 n) && check_unbiased k a A (identity_matrix k)
   && match pivots n (triangle 0 n (fun l h => qcovariance law (nth l A []) (nth h A []))) with
      | Some ps => match logs x ps with Some (_, h) => Qle_bool (qadd lower h) 0 | None => false end
      | None => false
      end
   && on_rays p es alpha betas (fun t =>
        sq t d q W && qlt 0 (most t)
        && match log_ends x (Qred (Qdiv (most t) (count_of n))), logs x d with
           | Some (_, h), Some (l, _) => Qle_bool (qsub (qmul (count_of n) h) l) upper
           | _, _ => false
           end))%bool.

Lemma unit_triangular_ok n W l : unit_triangular n W = true -> (l < n)%nat -> mat W l l = 1 /\ forall j, (j < l)%nat -> mat W j l = 0.
Proof.
  intros H Hl. pose proof (forallb_seq _ _ H l Hl) as X. cbn beta in X. apply both in X as [X Y]. apply qeq_R in X. rewrite one_R in X.
  split; [exact X|]. intros j Hj. pose proof (forallb_seq _ _ Y j ltac:(lia)) as Z. cbn beta in Z. destruct (Nat.ltb_spec j l); [|lia].
  cbn [implb] in Z. apply qeq_R in Z. rewrite zero_R in Z. exact Z.
Qed.
Lemma logs_ok t d l h : precise t -> forallb (qlt 0) d = true -> logs t d = Some (l, h) ->
  Q2R l <= sum (length d) (fun i => ln (vec d i)) <= Q2R h.
Proof.
  intros T P H. apply logs_of_ok in H; auto. rewrite (sum_ext (length d) (fun i => ln (vec d i)) (fun i => ln (Rabs (Q2R (nth i d 0%Q))))); [exact H|].
  intros i Hi. pose proof (forallb_nth _ _ 0%Q P i Hi) as X. cbn beta in X. apply qlt_R in X. rewrite zero_R in X. rewrite Rabs_right; [reflexivity|lra].
Qed.
Lemma ln_root x : 0 < x -> 2 * ln (sqrt x) = ln x.
Proof. intros H. pose proof (sqrt_lt_R0 x H). rewrite <- (sqrt_sqrt x) at 2 by lra. rewrite ln_mult by auto. ring. Qed.
Lemma exp_le x y : x <= y -> exp x <= exp y.
Proof. intros H. destruct (Rle_lt_or_eq_dec x y H) as [L|E]; [left; apply exp_increasing, L|rewrite E; lra]. Qed.

Theorem check_volume_ok p es lower upper a alpha betas d W A digits :
  check_volume p es lower upper a alpha betas d W A digits = true -> true_claim (Determinant p lower upper a).
Proof.
  unfold check_volume. cbv zeta. set (k := categories p). set (m := length a). set (q := population p). set (n := (k - 1)%nat).
  set (x := precision_of digits). intros H.
  apply both in H as [[[[[[[[[[B Hk]%both QP]%both LD]%both SW]%both DP]%both TW]%both Z]%both U]%both LO]%both H].
  apply Nat.ltb_lt in Hk. apply Nat.eqb_eq in LD. pose proof (precision_of_ok digits) as T. fold x in T.
  destruct (well_posed_ok _ _ _ _ _ B) as [K0 [Hm [Fit [D [LQ [AL [SH E]]]]]]]. fold k m q in K0, Hm, Fit, D, LQ, AL, SH.
  apply shares_unbiased in U as [SA U]. fold m in SA, U. assert (KN : k = S n) by (unfold n; lia).
  cbn [true_claim]. unfold determinant_bracketed. fold k q n m. split; [exact D|]. split.
  { intros j Hj. pose proof (forallb_nth _ _ 0%Q QP j ltac:(rewrite LQ; auto)) as X. cbn beta in X. apply qlt_R in X. rewrite zero_R in X. exact X. }
  split; [exact Fit|]. split; [exact AL|]. split.
  - set (f := fun l h => qcovariance (outputs_law q a) (nth l A []) (nth h A [])) in *.
    set (e := fun i l => mat A l i). set (c := covariance m (answers k (mat a) (vec q)) e).
    assert (F : forall l h, (l < k)%nat -> (h < k)%nat -> Q2R (f l h) = c l h) by (intros; apply (qcovariance_R k m); auto).
    destruct (pivots n (triangle 0 n f)) as [ps|] eqn:PV; [|discriminate].
    destruct (pivots_ok n (triangle 0 n f) ps (is_triangle_ok f n 0) PV) as [LP [u [Suc V]]].
    destruct (logs x ps) as [[l h]|] eqn:LG; [|discriminate]. apply qle_R in LO. rewrite qadd_R, zero_R in LO.
    assert (PP : forallb (qlt 0) ps = true).
    { apply forallb_forall. intros y I. apply (In_nth _ _ 0%Q) in I. destruct I as [i [Hi <-]]. rewrite LP in Hi. destruct (V i Hi) as [Vi _].
      unfold qlt. destruct (Qle_bool (nth i ps 0%Q) 0) eqn:Y; [|reflexivity]. apply qle_R in Y. rewrite zero_R in Y. unfold vec in Vi. lra. }
    apply logs_ok in LG; auto. rewrite LP in LG. exists e, u. split; [exact U|]. split; [exact Suc|].
    unfold variances_product. fold n.
    assert (CV : forall l, (l < n)%nat -> contrast_variance k m (mat a) e (vec q) (u l) = vec ps l).
    { intros l0 Hl. destruct (V l0 Hl) as [_ <-]. rewrite contrast_form. fold c. rewrite triangle_quadratic.
      - destruct (Suc l0 Hl) as [_ U0]. rewrite KN. cbn [sum Nat.add]. rewrite (U0 n Hl).
        rewrite (sum_zero n (fun h => 0 * u l0 h * c n h)) by (intros; ring). rewrite Rplus_0_l, !Rmult_0_l, !Rplus_0_r.
        apply sum_ext. intros i Hi. rewrite Rmult_0_r, Rmult_0_l, Rplus_0_r. apply sum_ext. intros j Hj. rewrite F by lia. reflexivity.
      - intros i j Hi Hj. rewrite !F by lia. apply covariance_swap. }
    assert (PE : product_of n (fun l => contrast_variance k m (mat a) e (vec q) (u l)) = exp (sum n (fun l => ln (vec ps l)))).
    { rewrite <- product_exp by (intros; apply V; auto). clear - CV. induction n as [|n' IH]; [reflexivity|]. cbn [product_of]. rewrite IH, CV by auto. reflexivity. }
    rewrite PE. apply exp_le. lra.
  - intros m' P' a' u _ A' U' Suc.
    apply on_rays_ok in H as [t [H R]]; auto. fold k in R. apply both in H as [[SQ BP]%both UP]. apply qlt_R in BP. rewrite zero_R in BP.
    destruct (R m' P' A') as [G' [SG [_ [SqOk _]]]]. rewrite <- LD in SW. pose proof (SqOk d q W LQ SW SQ) as S. rewrite LD in S, SW.
    assert (Dp : forall l, (l < n)%nat -> 0 < vec d l).
    { intros l Hl. pose proof (forallb_nth _ _ 0%Q DP l ltac:(lia)) as X. cbn beta in X. apply qlt_R in X. rewrite zero_R in X. exact X. }
    eapply Rle_trans; [|apply (determinant_bound k m' P' a' (vec q) u (rooted d W) G' (Q2R (most t)) Hk (proj1 A') D U' S SG); auto].
    + fold n. apply exp_le. destruct (log_ends x (Qred (Qdiv (most t) (count_of n)))) as [[y h]|] eqn:LB; [|discriminate].
      destruct (logs x d) as [[l z]|] eqn:LW; [|discriminate]. apply qle_R in UP. rewrite qsub_R, !qmul_R, count_of_R in UP.
      apply logs_ok in LW; auto. rewrite LD in LW. apply log_ends_ok in LB; auto.
      assert (N0 : 0 < INR n) by (apply lt_0_INR; unfold n; lia).
      assert (NZ : ~ (count_of n == 0)%Q) by (intros Y; apply Qeq_eqR in Y; rewrite zero_R, count_of_R in Y; lra).
      rewrite Q2R_red, Q2R_div, count_of_R in LB by auto. destruct LB as [_ [_ LB]]. apply (Rmult_le_compat_l (INR n)) in LB; [|lra].
      rewrite <- sum_scal. rewrite (sum_ext n _ (fun l => ln (vec d l))); [lra|]. intros i Hi. unfold rooted.
      destruct (unit_triangular_ok n W i TW Hi) as [-> _]. specialize (Dp i Hi). rewrite Rmult_1_r, Rabs_right by (left; apply sqrt_lt_R0; auto).
      apply ln_root, Dp.
    + intros l Hl. apply rooted_centred, (centred_ok k n); auto.
    + intros l Hl. destruct (unit_triangular_ok n W l TW Hl) as [W1 W0]. specialize (Dp l Hl). split.
      * unfold rooted. rewrite W1, Rmult_1_r. pose proof (sqrt_lt_R0 _ Dp). lra.
      * intros j Hj. unfold rooted. rewrite W0 by auto. ring.
Qed.
