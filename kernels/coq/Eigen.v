(* Design brackets, E-optimality: the worst contrast of length 1, from vectors with weights; the mechanism by elimination. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Semidefinite Rays RayRules Contrasts.
Import ListNotations.
Local Open Scope R_scope.

Definition covariance_below (upper : Q) (law : list Q) (A : list (list Q)) (l h : nat) : Q :=
  qsub (if Nat.eqb h l then upper else 0%Q) (qcovariance law (nth l A []) (nth h A [])).
Definition norms (k : nat) (d : list Q) (W : list (list Q)) : Q :=
  qsum (length d) (fun l => qmul (nth l d 0%Q) (qsum k (fun j => qmul (entry W j l) (entry W j l)))).
Definition check_eigenvalue (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (d : list Q) (W A : list (list Q)) : bool :=
  let k := categories p in let q := population p in
  (well_posed p es lower upper a && shaped k (length d) W && forallb (Qle_bool 0) d
   && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 (length d))
   && check_unbiased k a A (identity_matrix k) && semidefinite k (triangle 0 k (covariance_below upper (outputs_law q a) A))
   && (Qle_bool lower 0
       || on_rays p es alpha betas (fun t => sq t d q W && qlt 0 (most t) && Qle_bool (qmul lower (most t)) (norms k d W))))%bool.

Lemma covariance_swap m law a l h : covariance m law a l h = covariance m law a h l.
Proof. unfold covariance. f_equal; [apply sum_ext; intros; ring|ring]. Qed.
Lemma shares_unbiased k a A : check_unbiased k a A (identity_matrix k) = true ->
  shaped k (length a) A = true /\ unbiased k (length a) k (mat a) unit_matrix (fun i l => mat A l i).
Proof.
  intros U. assert (LI : length (identity_matrix k) = k) by (unfold identity_matrix; rewrite map_length, seq_length; reflexivity).
  pose proof U as S. unfold check_unbiased in S. apply both in S as [S _]. apply check_unbiased_ok in U as [_ U]. rewrite LI in *. split; [exact S|].
  intros q Dq l Hl. etransitivity; [apply (U q Dq l Hl)|]. apply sum_ext. intros j Hj. rewrite identity_matrix_R; auto.
Qed.
Lemma norms_R k d W : forallb (Qle_bool 0) d = true -> Q2R (norms k d W) = sum (length d) (fun l => sum k (fun j => rooted d W j l ^ 2)).
Proof.
  intros N. unfold norms. rewrite qsum_R. apply sum_ext. intros l Hl. rewrite qmul_R, qsum_R, <- sum_scal. apply sum_ext. intros j _.
  unfold rooted. rewrite Rpow_mult_distr, pow2_sqrt.
  - rewrite qmul_R, !entry_R. unfold vec. ring.
  - rewrite <- zero_R. apply qle_R. apply (forallb_nth _ _ 0%Q N l Hl).
Qed.
Lemma rooted_centred k d W l : sum k (fun j => mat W j l) = 0 -> sum k (fun j => rooted d W j l) = 0.
Proof. intros Z. unfold rooted. rewrite sum_scal, Z. ring. Qed.

Theorem check_eigenvalue_ok p es lower upper a alpha betas d W A :
  check_eigenvalue p es lower upper a alpha betas d W A = true -> true_claim (WorstContrast p lower upper a).
Proof.
  unfold check_eigenvalue. cbv zeta. set (k := categories p). set (m := length a). set (q := population p). intros H.
  apply both in H as [[[[[[B SW]%both N]%both Z]%both U]%both Psd]%both H].
  destruct (well_posed_ok _ _ _ _ _ B) as [Hk [Hm [Fit [D [LQ [AL [SH E]]]]]]]. fold k m q in Hk, Hm, Fit, D, LQ, AL, SH.
  apply shares_unbiased in U as [SA U]. fold m in SA, U. split; [exact D|]. split; [exact Fit|]. split; [exact AL|]. fold k q. split.
  - exists (fun i l => mat A l i). split; [exact U|]. intros u Hu. rewrite contrast_form. fold k m q in Hu |- *.
    set (f := covariance_below upper (outputs_law q a) A) in *.
    set (c := covariance m (answers k (mat a) (vec q)) (fun i l => mat A l i)).
    assert (F : forall l h, (l < k)%nat -> (h < k)%nat -> Q2R (f l h) = (if Nat.eqb h l then Q2R upper else 0) - c l h).
    { intros l h Hl Hh. unfold f, covariance_below. rewrite qsub_R, (qcovariance_R k m) by auto. destruct (Nat.eqb h l); rewrite ?zero_R; reflexivity. }
    pose proof (semidefinite_ok k (triangle 0 k f) u (is_triangle_ok f k 0) Psd) as X.
    rewrite triangle_quadratic in X.
    + cbn [Nat.add] in X.
      rewrite (sum_ext k _ (fun l => Q2R upper * u l ^ 2 - sum k (fun h => u l * u h * c l h))) in X.
      * rewrite sum_minus, sum_scal, Hu in X. lra.
      * intros l Hl. rewrite (sum_ext k _ (fun h => (if Nat.eqb h l then Q2R upper * u l ^ 2 else 0) - u l * u h * c l h)).
        -- rewrite sum_minus, sum_single by auto. reflexivity.
        -- intros h Hh. rewrite F by auto. destruct (Nat.eqb_spec h l) as [->|]; ring.
    + intros l h Hl Hh. rewrite !F, Nat.eqb_sym by auto. unfold c. rewrite covariance_swap. reflexivity.
  - intros m' P' a' _ A' U'. apply orb_prop in H. destruct H as [H|H].
    + apply qle_R in H. rewrite zero_R in H. exists (fun l => if Nat.eqb l 0 then 1 else 0). split.
      * rewrite (sum_ext k _ (fun h => if Nat.eqb h 0 then 1 else 0)) by (intros h _; destruct (Nat.eqb h 0); ring). apply sum_single; auto.
      * eapply Rle_trans; [exact H|]. apply contrast_nonneg; auto. apply A'.
    + apply on_rays_ok in H as [t [H R]]; auto. fold k in R. apply both in H as [[SQ BP]%both LO]. apply qlt_R in BP. rewrite zero_R in BP. apply qle_R in LO. rewrite qmul_R, norms_R in LO by auto.
      destruct (R m' P' A') as [G' [SG [_ [SqOk _]]]]. pose proof (SqOk d q W LQ SW SQ) as S.
      apply (contrast_bound k m' (length d) P' a' (vec q) (rooted d W) G' (Q2R (most t)) (Q2R lower) Hk (proj1 A') D U' S SG); auto.
      intros l Hl. apply rooted_centred, (centred_ok k (length d)); auto.
Qed.
