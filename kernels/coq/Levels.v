(* Brackets of exp(epsilon) and delta by rationals. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers.
Import ListNotations.
Local Open Scope R_scope.

(* Integer powers. *)
Fixpoint qpower (q : Q) (n : positive) : Q :=
  match n with
  | xH => q
  | xO n => let s := qpower q n in Qmult s s
  | xI n => let s := qpower q n in Qmult q (Qmult s s)
  end.
Lemma qpower_R q n : Q2R (qpower q n) = Q2R q ^ Pos.to_nat n.
Proof.
  induction n; cbn [qpower].
  - rewrite !Q2R_mult, IHn, Pos2Nat.inj_xI. cbn [pow]. rewrite pow_mult. 
    replace ((Q2R q ^ 2) ^ Pos.to_nat n) with (Q2R q ^ Pos.to_nat n * Q2R q ^ Pos.to_nat n); [ring|].
    rewrite <- Rpow_mult_distr. f_equal. ring.
  - rewrite !Q2R_mult, IHn, Pos2Nat.inj_xO, pow_mult. rewrite <- Rpow_mult_distr. f_equal. ring.
  - change (Pos.to_nat 1) with 1%nat. ring.
Qed.

Definition bits (q : Q) : Z := Z.max (Z.log2 (Z.abs (Qnum q))) (Z.log2 (Zpos (Qden q))) + 1.
Definition power_limit : Z := 2097152.
Definition small_power (q : Q) (n : positive) : bool := Z.leb (bits q * Zpos n) power_limit.

Lemma pow_le_cancel x y n : 0 <= x -> 0 <= y -> (0 < n)%nat -> x ^ n <= y ^ n -> x <= y.
Proof.
  intros Hx Hy Hn H. destruct (Rle_lt_dec x y) as [|L]; auto. exfalso.
  assert (y ^ n < x ^ n); [|lra]. clear H. destruct n; [lia|]. clear Hn. induction n; cbn [pow] in *; [lra|].
  assert (0 <= y * y ^ n) by (apply Rmult_le_pos; auto; apply pow_le; auto). nra.
Qed.

(* Sums of the exponential series: the last sum and the last term. *)
Fixpoint series (r : Q) (n : nat) : Q * Q :=
  match n with
  | O => (1%Q, 1%Q)
  | S before => let (s, t) := series r before in let t' := qmul t (qmul r (Qmake 1 (Pos.of_succ_nat before))) in (qadd s t', t')
  end.
Definition term (x : R) (i : nat) : R := / INR (fact i) * x ^ i.

Lemma inverse_R n : Q2R (Qmake 1 (Pos.of_succ_nat n)) = / INR (S n).
Proof. unfold Q2R; cbn [Qnum Qden]. rewrite <- SuccNat2Pos.id_succ, INR_IPR. unfold IZR at 2. lra. Qed.

Lemma term_next x n : term x (S n) = term x n * (x * / INR (S n)).
Proof.
  unfold term. rewrite fact_simpl, mult_INR. cbn [pow]. pose proof (INR_fact_neq_0 n).
  assert (INR (S n) <> 0) by (apply not_0_INR; lia). field. auto.
Qed.

Lemma series_R r n : Q2R (fst (series r n)) = sum_f_R0 (term (Q2R r)) n /\ Q2R (snd (series r n)) = term (Q2R r) n.
Proof.
  induction n as [|n [IH1 IH2]]; cbn [series].
  - cbn. unfold term; cbn. rewrite one_R. lra.
  - destruct (series r n) as [s t]. cbn [fst snd] in *.
    assert (E : Q2R (qmul t (qmul r (Qmake 1 (Pos.of_succ_nat n)))) = term (Q2R r) (S n))
      by (rewrite !qmul_R, inverse_R, term_next, IH2; reflexivity).
    rewrite qadd_R, E. cbn [sum_f_R0]. rewrite IH1. auto.
Qed.

Lemma term_nonneg x n : 0 <= x -> 0 <= term x n.
Proof.
  intros H. unfold term. apply Rmult_le_pos; [|apply pow_le; auto].
  left. apply Rinv_0_lt_compat, INR_fact_lt_0.
Qed.

Lemma exp_series x : infinite_sum (term x) (exp x).
Proof. unfold exp, term. destruct (exist_exp x) as [l H]. exact H. Qed.

Lemma exp_lower x n : 0 <= x -> sum_f_R0 (term x) n <= exp x.
Proof.
  intros H. destruct (Rle_lt_dec (sum_f_R0 (term x) n) (exp x)) as [|L]; auto. exfalso.
  destruct (exp_series x (sum_f_R0 (term x) n - exp x)) as [N HN]; [lra|].
  assert (M : forall d, sum_f_R0 (term x) n <= sum_f_R0 (term x) (d + n)).
  { induction d; cbn [plus sum_f_R0]; [lra|]. pose proof (term_nonneg x (S (d + n)) H). lra. }
  specialize (HN (N + n)%nat ltac:(lia)). specialize (M N). unfold R_dist in HN. rewrite Rabs_right in HN; lra.
Qed.

Lemma exp_upper x n : 0 <= x -> 2 * x <= INR (S n) -> exp x <= sum_f_R0 (term x) n + term x n.
Proof.
  intros H B. destruct (Rle_lt_dec (exp x) (sum_f_R0 (term x) n + term x n)) as [|L]; auto. exfalso.
  destruct (exp_series x (exp x - (sum_f_R0 (term x) n + term x n))) as [N HN]; [lra|].
  assert (M : forall d, sum_f_R0 (term x) (d + n) + term x (d + n) <= sum_f_R0 (term x) n + term x n).
  { induction d; [cbn; lra|]. cbn [plus sum_f_R0].
    assert (2 * term x (S (d + n)) <= term x (d + n)); [|lra]. rewrite term_next.
    pose proof (term_nonneg x (d + n) H) as T.
    assert (I : INR (S n) <= INR (S (d + n))) by (apply le_INR; lia).
    assert (P : 0 < INR (S (d + n))) by (apply lt_0_INR; lia).
    assert (x * / INR (S (d + n)) <= / 2).
    { apply (Rmult_le_reg_r (INR (S (d + n)))); auto. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    nra. }
  specialize (HN (N + n)%nat ltac:(lia)). specialize (M N). pose proof (term_nonneg x (N + n) H).
  unfold R_dist in HN. rewrite Rabs_left1 in HN; lra.
Qed.

(* below <= exp r <= above, for r >= 0; the order of the sum is found by trial. *)
Definition orders : list nat := [8; 16; 32; 64; 128; 256; 512]%nat.
Definition encloses (below r above : Q) (n : nat) : bool :=
  let (s, t) := series r n in
  (Qle_bool (qmul 2 r) (Qmake (Z.of_nat (S n)) 1) && Qle_bool below s && Qle_bool (qadd s t) above)%bool.
Definition exp_bracket (below r above : Q) : bool := (Qle_bool 0 r && existsb (encloses below r above) orders)%bool.

Lemma exp_bracket_ok below r above : exp_bracket below r above = true -> Q2R below <= exp (Q2R r) <= Q2R above.
Proof.
  unfold exp_bracket. intros H. split_checks. apply qle_R in H. rewrite zero_R in H.
  apply existsb_exists in H0. destruct H0 as [n [_ E]]. unfold encloses in E.
  pose proof (series_R r n) as [S1 S2]. destruct (series r n) as [s t]. cbn [fst snd] in *.
  apply both in E as [[E E1]%both E2]. apply qle_R in E, E1, E2. rewrite qmul_R, two_R in E. rewrite qadd_R in E2.
  assert (F : Q2R (Qmake (Z.of_nat (S n)) 1) = INR (S n)).
  { rewrite INR_IZR_INZ. unfold Q2R; cbn [Qnum Qden]. lra. }
  rewrite F in E. pose proof (exp_lower (Q2R r) n H). pose proof (exp_upper (Q2R r) n H E). lra.
Qed.

(* The brackets of brackets.md. *)
Definition check_level (l : level) (below above : Q) : bool :=
  match l with
  | Log q a b =>
    if (Pos.eqb a 1 && Pos.eqb b 1)%bool then (qlt 1 q && Qeq_bool below q && Qeq_bool above q)%bool
    else (qlt 1 q && Qle_bool 1 below && Qle_bool below above
          && small_power q a && small_power below b && small_power above b
          && Qle_bool (qpower q a) (qpower 2 (150 * b))
          && Qle_bool (qpower below b) (qpower q a) && Qle_bool (qpower q a) (qpower above b))%bool
  | Rational r =>
    if Qeq_bool r 0 then (Qeq_bool below 1 && Qeq_bool above 1)%bool
    else (Qle_bool 1 below && Qle_bool r 100 && exp_bracket below r above)%bool
  end.

Lemma power_of_level q a b : 0 < q -> exp (IZR (Zpos a) / IZR (Zpos b) * ln q) ^ Pos.to_nat b = q ^ Pos.to_nat a.
Proof.
  intros H. rewrite <- (exp_ln q H) at 2. rewrite <- !Rpower_pow by apply exp_pos. unfold Rpower. rewrite !ln_exp.
  f_equal. rewrite !INR_IPR. change (IPR a) with (IZR (Zpos a)). change (IPR b) with (IZR (Zpos b)).
  assert (IZR (Zpos b) <> 0) by (apply not_0_IZR; discriminate). field. auto.
Qed.

Lemma check_level_ok l below above : check_level l below above = true ->
  1 <= Q2R below <= exp (epsilon_of l) /\ exp (epsilon_of l) <= Q2R above.
Proof.
  destruct l as [q a b|r]; cbn [check_level epsilon_of]; intros H.
  - destruct (Pos.eqb a 1 && Pos.eqb b 1)%bool eqn:E.
    + apply both in E as [E1 E2]. apply Pos.eqb_eq in E1, E2. subst. apply both in H as [[H H2]%both H3].
      apply qlt_R in H. rewrite one_R in H. apply qeq_R in H2, H3. rewrite H2, H3.
      replace (1 / 1 * ln (Q2R q)) with (ln (Q2R q)) by lra. rewrite exp_ln by lra. lra.
    + clear E. apply both in H as [[[[[[[[H H7]%both H6]%both _]%both _]%both _]%both _]%both H1]%both H0].
      apply qlt_R in H. rewrite one_R in H. apply qle_R in H0, H1, H6, H7. rewrite one_R in H7.
      rewrite !qpower_R in *. rewrite <- (power_of_level (Q2R q) a b) in H0, H1 by lra.
      set (g := exp (IZR (Zpos a) / IZR (Zpos b) * ln (Q2R q))) in *. assert (0 < g) by apply exp_pos.
      pose proof (Pos2Nat.is_pos b).
      apply pow_le_cancel in H1; [|lra|lra|auto]. apply pow_le_cancel in H0; [|lra|lra|auto]. lra.
  - destruct (Qeq_bool r 0) eqn:E.
    + apply both in H as [H H0]. apply qeq_R in E, H, H0. rewrite E, H, H0, zero_R, one_R, exp_0. lra.
    + apply both in H as [[H _]%both H0]. apply exp_bracket_ok in H0. apply qle_R in H. rewrite one_R in H. lra.
Qed.

Definition check_slack (d : slack) (below above : Q) : bool :=
  match d with
  | Slack d => (Qle_bool 0 d && Qle_bool d 1 && Qeq_bool below d && Qeq_bool above d)%bool
  | Exponential r =>
    (qlt r 0 && Qle_bool (Qopp r) 100 && qlt 0 below && Qle_bool below above && Qle_bool above 1
     && exp_bracket (Qinv above) (Qopp r) (Qinv below))%bool
  end.

Lemma check_slack_ok d below above : check_slack d below above = true ->
  0 <= Q2R below <= delta_of d /\ delta_of d <= Q2R above <= 1.
Proof.
  destruct d as [d|r]; cbn [check_slack delta_of]; intros H.
  - apply both in H as [[[H H2]%both H1]%both H0].
    apply qle_R in H, H2. apply qeq_R in H1, H0. rewrite zero_R in H. rewrite one_R in H2. lra.
  - apply both in H as [[[[[_ _]%both H3]%both H2]%both H1]%both H0]. apply exp_bracket_ok in H0. apply qlt_R in H3. apply qle_R in H1, H2. rewrite zero_R in H3. rewrite one_R in H1.
    rewrite !Q2R_inv, Q2R_opp in H0.
    2: { intros Z. apply Qeq_eqR in Z. rewrite zero_R in Z. lra. }
    2: { intros Z. apply Qeq_eqR in Z. rewrite zero_R in Z. lra. }
    rewrite exp_Ropp in H0. destruct H0 as [A B].
    pose proof (exp_pos (Q2R r)). apply Rinv_le_contravar in A; [|apply Rinv_0_lt_compat; lra].
    apply Rinv_le_contravar in B; [|apply Rinv_0_lt_compat; lra]. rewrite !Rinv_inv in A, B. lra.
Qed.
