(* Claims of Sun, Zhou and Yan (2023): answers with coins of one's own, and cards dealt without replacement. *)

From Coq Require Import Reals Lra Lia List Arith.
From Rropt Require Import Definitions Sums Holohan Ziani.
Import ListNotations.
Local Open Scope R_scope.

(* Modified Warner: everybody is asked once and answers truly with probability p. *)
Definition warner_estimate (p : R) (answers : list nat) : R := (average INR answers - (1 - p)) / (2 * p - 1).

Lemma warner_total p truths x : (0 < length truths)%nat -> p <> 1 / 2 ->
  length x = length (everyone_once (binary p p) truths) ->
  warner_estimate p x = - (1 - p) / (2 * p - 1) + 1 / ((2 * p - 1) * INR (length truths)) * total INR x.
Proof.
  intros H N L. rewrite length_everyone in L. unfold warner_estimate, average. rewrite L.
  apply lt_INR in H. cbn in H. field. split; lra.
Qed.

(* Equation (1), its last line: the variance is p (1 - p)/(N (2 p - 1)^2). The estimator is unbiased besides. The lines
   before it, Var(sum of the X_i)/(N (2 p - 1))^2 among them, are not stated. *)
Theorem sun_eq_1_variance_of_modified_warner : forall p truths,
  0 <= p <= 1 -> p <> 1 / 2 -> (0 < length truths)%nat -> Forall (fun x => (x < 2)%nat) truths ->
  mean 2 (everyone_once (binary p p) truths) (warner_estimate p) = average INR truths /\
  variance 2 (everyone_once (binary p p) truths) (warner_estimate p) =
    p * (1 - p) / (INR (length truths) * (2 * p - 1) ^ 2).
Proof.
  intros p truths Hp Np Hn F.
  assert (D : Forall (distribution 2) (everyone_once (binary p p) truths)).
  { apply (everyone_distributions 2 2); auto. apply binary_mechanism; lra. }
  assert (E : everyone_once (binary p p) truths = everyone_once (flipped (1 - p)) truths).
  { unfold flipped. replace (1 - (1 - p)) with p by ring. reflexivity. }
  rewrite (mean_affine_total 2 _ INR _ _ _ D (fun x => warner_total p truths x Hn Np)).
  rewrite (variance_affine_total 2 _ INR _ _ _ D (fun x => warner_total p truths x Hn Np)).
  rewrite E, flipped_means, flipped_variances by auto. unfold average. apply lt_INR in Hn. cbn in Hn.
  split; field; repeat split; lra.
Qed.

Lemma average_of_bits truths : Forall (fun x => (x < 2)%nat) truths -> (0 < length truths)%nat ->
  0 <= average INR truths <= 1.
Proof.
  intros F Hn. pose proof (INR_positive _ Hn) as N.
  assert (T : 0 <= total INR truths <= INR (length truths)).
  { clear Hn N. induction F as [|x truths Hx F IH]; [cbn; lra|]. cbn [total length]. rewrite S_INR.
    destruct x as [|[|x]]; [| |lia]; cbn [INR]; lra. }
  unfold average. split; apply (Rmult_le_reg_r (INR (length truths))); auto;
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; lra.
Qed.

Theorem sun_eq_1_decrease_against_sampling_with_replacement : forall p truths,
  0 <= p <= 1 -> p <> 1 / 2 -> (0 < length truths)%nat -> Forall (fun x => (x < 2)%nat) truths ->
  let N := length truths in
  let pi_A := average INR truths in
  error N pi_A p p = pi_A * (1 - pi_A) / INR N + p * (1 - p) / (INR N * (2 * p - 1) ^ 2) /\
  error N pi_A p p - variance 2 (everyone_once (binary p p) truths) (warner_estimate p) = pi_A * (1 - pi_A) / INR N.
Proof.
  intros p truths Hp Np Hn F N A. destruct (sun_eq_1_variance_of_modified_warner p truths Hp Np Hn F) as [_ V].
  pose proof (average_of_bits truths F Hn) as B. fold A in B. rewrite V. fold N.
  rewrite error_formula by (auto; lra). pose proof (INR_positive N Hn). split; field; repeat split; lra.
Qed.

Theorem sun_theorem_5_1_variance_of_modified_warner_in_epsilon : forall p truths epsilon,
  0 < p < 1 / 2 -> epsilon = ln ((1 - p) / p) -> (0 < length truths)%nat -> Forall (fun x => (x < 2)%nat) truths ->
  differentially_private 2 2 epsilon 0 (binary p p) /\
  variance 2 (everyone_once (binary p p) truths) (warner_estimate p) =
    exp epsilon / (INR (length truths) * (exp epsilon - 1) ^ 2).
Proof.
  intros p truths e Hp -> Hn F.
  assert (B : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra). split.
  - destruct (ziani_theorem_2_least_epsilon_of_randomized_response p (ln ((1 - p) / p)) ltac:(lra)) as [_ H].
    assert (P : differentially_private 2 2 (ln ((1 - p) / p)) 0 (flipped p)) by (apply H; lra).
    unfold differentially_private in *. rewrite private_rows in *. intros i j l Hi Hj Hl.
    specialize (P (1 - i)%nat j l ltac:(lia) Hj Hl). unfold flipped in P.
    destruct i as [|[|i]]; [| |lia]; (destruct j as [|[|j]]; [| |lia]); (destruct l as [|[|l]]; [| |lia]); cbn in *; lra.
  - destruct (sun_eq_1_variance_of_modified_warner p truths ltac:(lra) ltac:(lra) Hn F) as [_ V]. rewrite V.
    rewrite exp_ln by auto. apply lt_INR in Hn. cbn in Hn. field. repeat split; lra.
Qed.

Theorem sun_sec_4_half_over_root_n_is_at_most_a_quarter_from_4_on : forall n, (1 <= n)%nat ->
  (1 / (2 * sqrt (INR n)) <= 1 / 4 <-> (4 <= n)%nat).
Proof.
  intros n Hn. assert (N : 1 <= INR n) by (apply (le_INR 1); auto).
  assert (S : 0 < sqrt (INR n)) by (apply sqrt_lt_R0; lra).
  assert (E : 1 / (2 * sqrt (INR n)) <= 1 / 4 <-> 2 <= sqrt (INR n)).
  { split; intros H.
    - apply (Rmult_le_compat_r (4 * sqrt (INR n))) in H; [|lra].
      replace (1 / (2 * sqrt (INR n)) * (4 * sqrt (INR n))) with 2 in H by (field; lra). lra.
    - apply (Rmult_le_reg_r (4 * sqrt (INR n))); [lra|].
      replace (1 / (2 * sqrt (INR n)) * (4 * sqrt (INR n))) with 2 by (field; lra). lra. }
  rewrite E. pose proof (sqrt_sqrt (INR n) ltac:(lra)) as Q. split; intros H.
  - apply INR_le. replace (INR 4) with (2 * 2) by (cbn; ring). rewrite <- Q. apply Rmult_le_compat; lra.
  - apply le_INR in H. replace (INR 4) with 4 in H by (cbn; ring).
    replace 2 with (sqrt (2 * 2)) by (apply sqrt_square; lra). apply sqrt_le_1_alt. lra.
Qed.

(* Cards. The persons draw one after another, each of the cards that are left with equal probability. *)
Fixpoint remove_at (i : nat) (deck : list nat) : list nat :=
  match deck, i with [], _ => [] | _ :: rest, O => rest | card :: rest, S before => card :: remove_at before rest end.
Fixpoint mean_over_deals (persons : nat) (deck : list nat) (statistic : list nat -> R) : R :=
  match persons with
  | O => statistic []
  | S others => sum (length deck) (fun i => / INR (length deck) *
      mean_over_deals others (remove_at i deck) (fun cards => statistic (nth i deck 0%nat :: cards)))
  end.
(* Improved Christofides: who is in group A answers L + 1 - card, everybody else the card. *)
Definition answer_to (L : nat) (member : bool) (card : nat) : nat := if member then (L + 1 - card)%nat else card.
Fixpoint sum_of_answers (L : nat) (members : list bool) (cards : list nat) : nat :=
  match members, cards with
  | member :: members, card :: cards => (answer_to L member card + sum_of_answers L members cards)%nat
  | _, _ => O
  end.
Definition sum_probability (L : nat) (members : list bool) (deck : list nat) (E : nat -> bool) : R :=
  mean_over_deals (length deck) deck (fun cards => if E (sum_of_answers L members cards) then 1 else 0).
Fixpoint points (deck : list nat) : nat := match deck with [] => O | card :: rest => (card + points rest)%nat end.
Definition nobody (deck : list nat) : list bool := map (fun _ => false) deck.
Definition first_person (deck : list nat) : list bool := match deck with [] => [] | _ :: rest => true :: nobody rest end.
Definition proportion (card : nat -> bool) (deck : list nat) : R :=
  total (fun c => if card c then 1 else 0) deck / INR (length deck).

Lemma length_remove_at i deck : (i < length deck)%nat -> length (remove_at i deck) = (length deck - 1)%nat.
Proof.
  revert i. induction deck as [|c deck IH]; intros [|i] H; cbn in *; try lia. rewrite IH by lia. lia.
Qed.

Lemma points_remove_at i deck : (i < length deck)%nat -> (nth i deck 0 + points (remove_at i deck) = points deck)%nat.
Proof. revert i. induction deck as [|c deck IH]; intros [|i] H; cbn in *; try lia. rewrite <- (IH i) by lia. lia. Qed.

Lemma sum_shift n f : sum (S n) f = f 0%nat + sum n (fun i => f (S i)).
Proof. induction n; [cbn; ring|]. change (sum (S n) f + f (S n) = f 0%nat + (sum n (fun i => f (S i)) + f (S n))). rewrite IHn. ring. Qed.

Lemma sum_positions deck g : sum (length deck) (fun i => g (nth i deck 0%nat)) = total g deck.
Proof. induction deck as [|c deck IH]; [reflexivity|]. cbn [length total]. rewrite sum_shift. cbn [nth]. rewrite IH. reflexivity. Qed.

Lemma deal_constant n deck f c : length deck = n ->
  (forall cards, length cards = n -> points cards = points deck -> f cards = c) -> mean_over_deals n deck f = c.
Proof.
  revert deck f. induction n as [|n IH]; intros deck f L H; cbn [mean_over_deals].
  - destruct deck; [|discriminate]. apply H; reflexivity.
  - rewrite (sum_ext _ _ (fun _ => / INR (length deck) * c)).
    + rewrite sum_const, L. field. apply not_0_INR. lia.
    + intros i Hi. f_equal. apply IH; [rewrite length_remove_at by auto; lia|]. intros cards Lc Pc.
      apply H; cbn; [lia|]. rewrite Pc. apply points_remove_at; auto.
Qed.

Lemma nobody_sum L n cards : length cards = n -> sum_of_answers L (repeat false n) cards = points cards.
Proof. revert cards. induction n; intros [|c cards] H; cbn in *; try lia. rewrite IHn by lia. reflexivity. Qed.

Lemma nobody_repeat deck : nobody deck = repeat false (length deck).
Proof. unfold nobody. induction deck; cbn; congruence. Qed.

Theorem sun_theorem_5_6_sum_is_certain_if_nobody_is_in_group_A : forall L deck E,
  sum_probability L (nobody deck) deck E = if E (points deck) then 1 else 0.
Proof.
  intros L deck E. apply deal_constant; auto. intros cards Lc Pc. rewrite nobody_repeat, nobody_sum, Pc by auto. reflexivity.
Qed.

Theorem sun_theorem_5_6_sum_changes_if_one_person_is_in_group_A : forall L deck,
  deck <> [] -> Forall (fun card => (1 <= card <= L)%nat) deck ->
  sum_probability L (first_person deck) deck (fun s => negb (Nat.eqb s (points deck))) =
  1 - proportion (fun card => Nat.eqb (2 * card) (L + 1)) deck.
Proof.
  intros L deck N F. destruct deck as [|c0 rest]; [congruence|]. set (deck := c0 :: rest) in *.
  unfold sum_probability. replace (length deck) with (S (length rest)) by reflexivity. cbn [mean_over_deals].
  rewrite (sum_ext _ _ (fun i => / INR (length deck) * (1 - (if Nat.eqb (2 * nth i deck 0%nat) (L + 1) then 1 else 0)))).
  - rewrite sum_scal, sum_minus, sum_const.
    rewrite (sum_positions deck (fun c => if Nat.eqb (2 * c) (L + 1) then 1 else 0)). unfold proportion. field.
    apply not_0_INR. discriminate.
  - intros i Hi. f_equal. apply deal_constant; [rewrite length_remove_at by auto; cbn; lia|].
    intros cards Lc Pc. replace (first_person deck) with (true :: nobody rest) by reflexivity.
    cbn [sum_of_answers]. rewrite nobody_repeat, nobody_sum by auto. rewrite Pc.
    pose proof (points_remove_at i deck Hi) as P.
    assert (B : (1 <= nth i deck 0 <= L)%nat) by (apply (proj1 (Forall_nth _ deck) F i 0%nat Hi)).
    destruct (Nat.eqb_spec (answer_to L true (nth i deck 0%nat) + points (remove_at i deck))%nat (points deck)),
      (Nat.eqb_spec (2 * nth i deck 0%nat)%nat (L + 1)%nat); cbn [negb]; try lra;
      exfalso; unfold answer_to in *; lia.
Qed.

Theorem sun_theorem_5_6_no_epsilon_and_the_least_delta_if_the_sum_is_released : forall L deck epsilon delta,
  deck <> [] -> Forall (fun card => (1 <= card <= L)%nat) deck ->
  (forall E, sum_probability L (first_person deck) deck E <=
     exp epsilon * sum_probability L (nobody deck) deck E + delta) ->
  1 - proportion (fun card => Nat.eqb (2 * card) (L + 1)) deck <= delta.
Proof.
  intros L deck e d N F H. specialize (H (fun s => negb (Nat.eqb s (points deck)))).
  rewrite sun_theorem_5_6_sum_changes_if_one_person_is_in_group_A in H by auto.
  rewrite sun_theorem_5_6_sum_is_certain_if_nobody_is_in_group_A, Nat.eqb_refl in H. cbn [negb] in H. lra.
Qed.

(* One answer seen alone. *)
Definition one_answer_probability (L : nat) (member : bool) (deck : list nat) (a : nat) : R :=
  mean_over_deals (length deck) deck (fun cards =>
    match cards with [] => 0 | card :: _ => if Nat.eqb (answer_to L member card) a then 1 else 0 end).

Lemma deal_const n deck c : length deck = n -> mean_over_deals n deck (fun _ => c) = c.
Proof. intros H. apply deal_constant; auto. Qed.

Lemma one_answer L member deck a : deck <> [] ->
  one_answer_probability L member deck a = proportion (fun card => Nat.eqb (answer_to L member card) a) deck.
Proof.
  intros N. destruct deck as [|c0 rest]; [congruence|]. set (deck := c0 :: rest) in *.
  unfold one_answer_probability. replace (length deck) with (S (length rest)) by reflexivity. cbn [mean_over_deals].
  rewrite (sum_ext _ _ (fun i => / INR (length deck) * (if Nat.eqb (answer_to L member (nth i deck 0%nat)) a then 1 else 0))).
  - rewrite sum_scal. rewrite (sum_positions deck (fun c => if Nat.eqb (answer_to L member c) a then 1 else 0)).
    unfold proportion. field. apply not_0_INR. discriminate.
  - intros i Hi. f_equal. apply deal_const. rewrite length_remove_at by auto. cbn. lia.
Qed.

Theorem sun_theorem_5_6_one_answer_seen_alone : forall L deck epsilon,
  deck <> [] -> Forall (fun card => (1 <= card <= L)%nat) deck ->
  let share k := proportion (fun card => Nat.eqb card k) deck in
  (forall a, (1 <= a <= L)%nat ->
     one_answer_probability L true deck a <= exp epsilon * one_answer_probability L false deck a /\
     one_answer_probability L false deck a <= exp epsilon * one_answer_probability L true deck a) <->
  (forall k, (1 <= k <= L)%nat -> share (L + 1 - k)%nat <= exp epsilon * share k).
Proof.
  intros L deck e N F share.
  assert (T : forall a, (1 <= a <= L)%nat -> one_answer_probability L true deck a = share (L + 1 - a)%nat).
  { intros a Ha. rewrite one_answer by auto. unfold share, proportion. f_equal. clear N share.
    induction F as [|c deck Hc F IH]; cbn [total]; [reflexivity|]. rewrite IH. f_equal. unfold answer_to.
    destruct (Nat.eqb_spec (L + 1 - c)%nat a), (Nat.eqb_spec c (L + 1 - a)%nat); auto; lia. }
  assert (U : forall a, one_answer_probability L false deck a = share a) by (intros a; apply one_answer; auto).
  split.
  - intros H k Hk. specialize (H k Hk). rewrite T, U in H by auto. apply H.
  - intros H a Ha. rewrite T, U by auto. split; [auto|]. specialize (H (L + 1 - a)%nat ltac:(lia)).
    replace (L + 1 - (L + 1 - a))%nat with a in H by lia. exact H.
Qed.

(* Modified Christofides: everybody is asked once, draws a card k = 1, ..., L with probability p k and puts it back. The
   answer a is the number a + 1; true category 1 is group A. *)
Definition christofides (L : nat) (p : nat -> R) : nat -> nat -> R := fun a x =>
  match x with O => p (a + 1)%nat | S _ => p (L - a)%nat end.
Definition number (a : nat) : R := INR (a + 1).
Definition card_mean (L : nat) (p : nat -> R) : R := sum L (fun a => p (a + 1)%nat * number a).
Definition card_variance (L : nat) (p : nat -> R) : R :=
  sum L (fun a => p (a + 1)%nat * number a ^ 2) - card_mean L p ^ 2.
Definition christofides_estimate (L : nat) (p : nat -> R) (answers : list nat) : R :=
  (average number answers - card_mean L p) / (INR (L + 1) - 2 * card_mean L p).

Lemma sum_reversed n f : sum n (fun i => f (n - i)%nat) = sum n (fun i => f (i + 1)%nat).
Proof.
  induction n; [reflexivity|]. rewrite sum_shift. cbn [Nat.sub]. rewrite IHn. cbn [sum].
  replace (n + 1)%nat with (S n) by lia. ring.
Qed.

Lemma christofides_mechanism L p : (forall k, (1 <= k <= L)%nat -> 0 <= p k) -> sum L (fun a => p (a + 1)%nat) = 1 ->
  mechanism 2 L (christofides L p).
Proof.
  intros N S. split.
  - intros i [|j] Hi _; cbn [christofides]; apply N; lia.
  - intros [|j] _; unfold christofides; [exact S|]. rewrite sum_reversed. exact S.
Qed.

Lemma christofides_moments L p x : sum L (fun a => p (a + 1)%nat) = 1 ->
  law_mean L (given (christofides L p) x) number =
    (match x with O => card_mean L p | S _ => INR (L + 1) - card_mean L p end) /\
  law_variance L (given (christofides L p) x) number = card_variance L p.
Proof.
  intros T. set (N1 := INR (L + 1)).
  assert (E1 : sum L (fun a => p (L - a)%nat * number a) = N1 - card_mean L p).
  { rewrite (sum_ext L _ (fun a => p (L - a)%nat * (N1 - INR (L - a)))).
    - rewrite (sum_reversed L (fun b => p b * (N1 - INR b))). unfold card_mean, number.
      rewrite (sum_ext L _ (fun a => N1 * p (a + 1)%nat - p (a + 1)%nat * INR (a + 1))) by (intros; ring).
      rewrite sum_minus, sum_scal, T. ring.
    - intros a Ha. unfold number, N1. rewrite minus_INR by lia. rewrite !plus_INR. cbn. ring. }
  assert (E2 : sum L (fun a => p (L - a)%nat * number a ^ 2) =
               N1 ^ 2 - 2 * N1 * card_mean L p + sum L (fun a => p (a + 1)%nat * number a ^ 2)).
  { rewrite (sum_ext L _ (fun a => p (L - a)%nat * (N1 - INR (L - a)) ^ 2)).
    - rewrite (sum_reversed L (fun b => p b * (N1 - INR b) ^ 2)). unfold card_mean, number.
      rewrite (sum_ext L _ (fun a => N1 ^ 2 * p (a + 1)%nat - 2 * N1 * (p (a + 1)%nat * INR (a + 1)) +
                                     p (a + 1)%nat * INR (a + 1) ^ 2)) by (intros; ring).
      rewrite sum_plus, sum_minus, !sum_scal, T. ring.
    - intros a Ha. unfold number, N1. rewrite minus_INR by lia. rewrite !plus_INR. cbn. ring. }
  unfold law_variance, law_mean, given. destruct x; cbn [christofides]; split; try reflexivity.
  - exact E1.
  - unfold card_variance. rewrite E1, E2. ring.
Qed.

(* Theorem 3.1, its last expression: the variance is Var Y/(N (L + 1 - 2 E Y)^2). The estimator is unbiased besides. The
   expression with Var(sum of the X_i) is not stated. *)
Theorem sun_theorem_3_1_mean_and_variance_of_modified_christofides : forall L p truths,
  (forall k, (1 <= k <= L)%nat -> 0 <= p k) -> sum L (fun a => p (a + 1)%nat) = 1 ->
  INR (L + 1) - 2 * card_mean L p <> 0 -> (0 < length truths)%nat -> Forall (fun x => (x < 2)%nat) truths ->
  mean L (everyone_once (christofides L p) truths) (christofides_estimate L p) = average INR truths /\
  variance L (everyone_once (christofides L p) truths) (christofides_estimate L p) =
    card_variance L p / (INR (length truths) * (INR (L + 1) - 2 * card_mean L p) ^ 2).
Proof.
  intros L p truths N T Z Hn F.
  assert (D : Forall (distribution L) (everyone_once (christofides L p) truths)).
  { apply (everyone_distributions 2 L); auto. apply christofides_mechanism; auto. }
  assert (X : forall x, length x = length (everyone_once (christofides L p) truths) ->
    christofides_estimate L p x = - card_mean L p / (INR (L + 1) - 2 * card_mean L p) +
      1 / ((INR (L + 1) - 2 * card_mean L p) * INR (length truths)) * total number x).
  { intros x E. rewrite length_everyone in E. unfold christofides_estimate, average. rewrite E.
    pose proof (INR_positive _ Hn). field. split; [lra|auto]. }
  rewrite (mean_affine_total L _ number _ _ _ D X), (variance_affine_total L _ number _ _ _ D X).
  assert (M : list_sum (map (fun law => law_mean L law number) (everyone_once (christofides L p) truths)) =
              card_mean L p * INR (length truths) + (INR (L + 1) - 2 * card_mean L p) * total INR truths).
  { unfold everyone_once. clear Hn D X. induction F as [|x truths Hx F IH]; cbn [map list_sum length total]; [cbn; ring|].
    rewrite IH, S_INR. destruct (christofides_moments L p x T) as [E _]. rewrite E.
    destruct x as [|[|x]]; [| |lia]; cbn [INR]; ring. }
  assert (V : list_sum (map (fun law => law_variance L law number) (everyone_once (christofides L p) truths)) =
              card_variance L p * INR (length truths)).
  { unfold everyone_once. clear Hn D X M. induction F as [|x truths Hx F IH]; cbn [map list_sum length]; [cbn; ring|].
    rewrite IH, S_INR. destruct (christofides_moments L p x T) as [_ E]. rewrite E. ring. }
  rewrite M, V. unfold average. pose proof (INR_positive _ Hn). split; field; split; auto; lra.
Qed.

Theorem sun_theorem_5_4_modified_christofides_is_private : forall L p epsilon,
  (forall k, (1 <= k <= L)%nat -> 0 < p k) -> sum L (fun a => p (a + 1)%nat) = 1 -> 0 <= epsilon ->
  (differentially_private 2 L epsilon 0 (christofides L p) <->
   forall k, (1 <= k <= L)%nat -> ln (p (L + 1 - k)%nat / p k) <= epsilon).
Proof.
  intros L p e N T He. unfold differentially_private. rewrite private_rows.
  assert (G : forall a b, 0 < a -> 0 < b -> ln (a / b) <= e <-> a <= exp e * b).
  { intros a b Ha Hb. assert (D : 0 < a / b) by (apply Rdiv_lt_0_compat; auto). split; intros H.
    - assert (X : a / b <= exp e).
      { rewrite <- (exp_ln (a / b)) by auto. destruct H as [H|H]; [apply Rlt_le, exp_increasing; auto|rewrite H; lra]. }
      apply (Rmult_le_compat_r b) in X; [|lra]. replace (a / b * b) with a in X by (field; lra). auto.
    - assert (X : a / b <= exp e).
      { apply (Rmult_le_reg_r b); auto. replace (a / b * b) with a by (field; lra). auto. }
      rewrite <- (ln_exp e). destruct X as [X|X]; [apply Rlt_le, ln_increasing; auto|rewrite X; lra]. }
  pose proof (exp_at_least_one e He) as E1. split.
  - intros H k Hk. apply G; [apply N; lia|apply N; lia|].
    specialize (H (k - 1)%nat 1%nat 0%nat ltac:(lia) ltac:(lia) ltac:(lia)). cbn [christofides] in H.
    replace (L - (k - 1))%nat with (L + 1 - k)%nat in H by lia. replace (k - 1 + 1)%nat with k in H by lia. exact H.
  - intros H i j l Hi Hj Hl.
    assert (Y : forall x, 0 < x -> x <= exp e * x).
    { intros x Hx. rewrite <- (Rmult_1_l x) at 1. apply Rmult_le_compat_r; lra. }
    destruct j as [|[|j]]; [| |lia]; (destruct l as [|[|l]]; [| |lia]); cbn [christofides].
    + apply Y, N; lia.
    + specialize (H (L - i)%nat ltac:(lia)). apply G in H; [|apply N; lia|apply N; lia].
      replace (L + 1 - (L - i))%nat with (i + 1)%nat in H by lia. exact H.
    + specialize (H (i + 1)%nat ltac:(lia)). apply G in H; [|apply N; lia|apply N; lia].
      replace (L + 1 - (i + 1))%nat with (L - i)%nat in H by lia. exact H.
    + apply Y, N; lia.
Qed.

(* Modified Simmons: with probability p the true answer, otherwise 1 with probability pi_B. *)
Definition simmons (p pi_B : R) : nat -> nat -> R := binary (1 - (1 - p) * pi_B) (p + (1 - p) * pi_B).
Definition simmons_estimate (p pi_B : R) (answers : list nat) : R := (average INR answers - (1 - p) * pi_B) / p.

(* Equation (2), both lines after the first equality sign: the variance of the estimator equals each of them. *)
Theorem sun_eq_2_variance_of_modified_simmons : forall p pi_B truths,
  0 < p <= 1 -> 0 <= pi_B <= 1 -> (0 < length truths)%nat -> Forall (fun x => (x < 2)%nat) truths ->
  let N := INR (length truths) in
  let pi_A := average INR truths in
  variance 2 (everyone_once (simmons p pi_B) truths) (simmons_estimate p pi_B) =
    pi_A * (p + (1 - p) * pi_B) * (1 - p - (1 - p) * pi_B) / (N * p ^ 2) +
      (1 - pi_A) * ((1 - p) * pi_B) * (1 - (1 - p) * pi_B) / (N * p ^ 2) /\
  variance 2 (everyone_once (simmons p pi_B) truths) (simmons_estimate p pi_B) =
    (pi_B * (1 - p) - pi_B ^ 2 * (1 - p) ^ 2) / (N * p ^ 2) + pi_A * (1 - p - 2 * pi_B * (1 - p)) / (N * p).
Proof.
  intros p b truths Hp Hb Hn F N A.
  assert (B : 0 <= (1 - p) * b) by (apply Rmult_le_pos; lra).
  assert (B1 : (1 - p) * b <= (1 - p) * 1) by (apply Rmult_le_compat_l; lra).
  assert (D : Forall (distribution 2) (everyone_once (simmons p b) truths)).
  { apply (everyone_distributions 2 2); auto. apply binary_mechanism; lra. }
  assert (X : forall x, length x = length (everyone_once (simmons p b) truths) ->
    simmons_estimate p b x = - ((1 - p) * b) / p + 1 / (p * N) * total INR x).
  { intros x E. rewrite length_everyone in E. unfold simmons_estimate, average. rewrite E. unfold N.
    pose proof (INR_positive _ Hn). field. split; lra. }
  rewrite (variance_affine_total 2 _ INR _ _ _ D X).
  assert (V : list_sum (map (fun law => law_variance 2 law INR) (everyone_once (simmons p b) truths)) =
    N * ((1 - p) * b * (1 - (1 - p) * b)) +
    total INR truths * ((p + (1 - p) * b) * (1 - p - (1 - p) * b) - (1 - p) * b * (1 - (1 - p) * b))).
  { unfold everyone_once, N. clear Hn D X. induction F as [|x truths Hx F IH]; cbn [map list_sum length total]; [cbn; ring|].
    rewrite IH, S_INR. destruct x as [|[|x]]; [| |lia]; unfold law_variance, law_mean, given, simmons; cbn; ring. }
  rewrite V. unfold A, average. fold N. assert (0 < N) by (apply INR_positive; auto). split; field; split; lra.
Qed.
