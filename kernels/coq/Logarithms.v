(* The logarithm of a rational between two rationals: ln q = e ln 2 + ln m with 1 <= m < 2, and the series of
   ln ((1 + z) / (1 - z)) = 2 (z + z^3/3 + z^5/5 + ...), whose rest is bounded. The series is summed in integers over a power of two, once rounded down and once up,
   with 4 d + 96 binary places for d digits of the file. A power with a fraction as its exponent is the root of an exact power:
   its bits are found by trial, and both ends are tested. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith ZArith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers.
Import ListNotations.
Local Open Scope R_scope.

(* ---- The series. ---- *)
Definition odd_sum (n : nat) (z : R) : R := sum n (fun i => z ^ (2 * i + 1) / INR (2 * i + 1)).
Definition even_sum (n : nat) (z : R) : R := sum n (fun i => z ^ (2 * i)).

Lemma odd_positive i : 0 < INR (2 * i + 1).
Proof. apply lt_0_INR. lia. Qed.

Lemma odd_sum_derivative n z : derivable_pt_lim (odd_sum n) z (even_sum n z).
Proof.
  unfold odd_sum, even_sum. induction n; cbn [sum]; [apply derivable_pt_lim_const|].
  apply (derivable_pt_lim_plus (fun z => sum n (fun i => z ^ (2 * i + 1) / INR (2 * i + 1)))
    (fun z => z ^ (2 * n + 1) / INR (2 * n + 1))); [exact IHn|].
  assert (E : z ^ (2 * n) = / INR (2 * n + 1) * (INR (2 * n + 1) * z ^ pred (2 * n + 1))).
  { replace (pred (2 * n + 1)) with (2 * n)%nat by lia. pose proof (odd_positive n). field. lra. }
  rewrite E. assert (D : derivable_pt_lim (fun z => / INR (2 * n + 1) * z ^ (2 * n + 1)) z
    (/ INR (2 * n + 1) * (INR (2 * n + 1) * z ^ pred (2 * n + 1)))).
  { apply (derivable_pt_lim_scal (fun z => z ^ (2 * n + 1))). apply derivable_pt_lim_pow. }
  intros eps Heps. destruct (D eps Heps) as [delta Hd]. exists delta. intros h H1 H2. specialize (Hd h H1 H2).
  unfold Rdiv at 2 3. rewrite (Rmult_comm ((z + h) ^ _)), (Rmult_comm (z ^ (2 * n + 1))). exact Hd.
Qed.

Lemma even_sum_closed n z : (1 - z ^ 2) * even_sum n z = 1 - z ^ (2 * n).
Proof.
  unfold even_sum. induction n; cbn [sum]; [cbn; ring|]. rewrite Rmult_plus_distr_l, IHn.
  replace (2 * S n)%nat with (2 * n + 2)%nat by lia. rewrite pow_add. ring.
Qed.

Definition log_ratio (z : R) : R := ln (1 + z) - ln (1 - z).
Lemma log_ratio_derivative z : -1 < z < 1 -> derivable_pt_lim log_ratio z (2 / (1 - z ^ 2)).
Proof.
  intros H. unfold log_ratio.
  assert (A : derivable_pt_lim (fun z => ln (1 + z)) z (/ (1 + z) * (0 + 1))).
  { apply (derivable_pt_lim_comp (fun z => 1 + z) ln); [|apply derivable_pt_lim_ln; lra].
    apply (derivable_pt_lim_plus (fun _ => 1) (fun z => z)); [apply derivable_pt_lim_const|apply derivable_pt_lim_id]. }
  assert (B : derivable_pt_lim (fun z => ln (1 - z)) z (/ (1 - z) * (0 - 1))).
  { apply (derivable_pt_lim_comp (fun z => 1 - z) ln); [|apply derivable_pt_lim_ln; lra].
    apply (derivable_pt_lim_minus (fun _ => 1) (fun z => z)); [apply derivable_pt_lim_const|apply derivable_pt_lim_id]. }
  replace (2 / (1 - z ^ 2)) with (/ (1 + z) * (0 + 1) - / (1 - z) * (0 - 1)).
  - apply (derivable_pt_lim_minus (fun z => ln (1 + z)) (fun z => ln (1 - z))); auto.
  - field. repeat split; try lra. intros E. assert ((1 - z) * (1 + z) = 0) by lra.
    apply Rmult_integral in H0. lra.
Qed.

Lemma increasing f f' b : (forall z, 0 <= z <= b -> derivable_pt_lim f z (f' z)) -> (forall z, 0 <= z <= b -> 0 <= f' z) ->
  forall z, 0 <= z <= b -> f 0 <= f z.
Proof.
  intros D N z H. destruct (Req_dec z 0) as [->|Z]; [lra|].
  destruct (MVT_cor2 f f' 0 z ltac:(lra)) as [c [E C]]; [intros; apply D; lra|].
  assert (0 <= f' c) by (apply N; lra). assert (0 <= f' c * (z - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma odd_sum_zero n : odd_sum n 0 = 0.
Proof. apply sum_zero. intros i _. rewrite pow_ne_zero by lia. unfold Rdiv. ring. Qed.
Lemma log_ratio_zero : log_ratio 0 = 0.
Proof. unfold log_ratio. rewrite Rplus_0_r, Rminus_0_r, ln_1. ring. Qed.
Lemma square_small z : 0 <= z <= 1 / 2 -> 0 <= z ^ 2 <= 1 / 4.
Proof. intros H. split; [apply pow2_ge_0|]. cbn [pow]. rewrite Rmult_1_r. nra. Qed.

Theorem log_ratio_low n z : 0 <= z <= 1 / 2 -> 2 * odd_sum n z <= log_ratio z.
Proof.
  intros H. assert (X : log_ratio 0 - 2 * odd_sum n 0 <= log_ratio z - 2 * odd_sum n z).
  { apply (increasing (fun z => log_ratio z - 2 * odd_sum n z) (fun z => 2 / (1 - z ^ 2) - 2 * even_sum n z) (1 / 2)); auto.
    - intros x Hx. apply (derivable_pt_lim_minus log_ratio (fun z => 2 * odd_sum n z)); [apply log_ratio_derivative; lra|].
      apply (derivable_pt_lim_scal (odd_sum n)). apply odd_sum_derivative.
    - intros x Hx. pose proof (square_small x Hx). pose proof (even_sum_closed n x).
      assert (0 <= x ^ (2 * n)) by (apply pow_le; lra).
      replace (2 / (1 - x ^ 2) - 2 * even_sum n x) with (2 * (1 - (1 - x ^ 2) * even_sum n x) / (1 - x ^ 2)) by (field; lra).
      rewrite H1. apply Rmult_le_pos; [lra|]. left. apply Rinv_0_lt_compat. lra. }
  rewrite odd_sum_zero, log_ratio_zero in X. lra.
Qed.

Theorem log_ratio_high n z : (0 < n)%nat -> 0 <= z <= 1 / 2 -> log_ratio z <= 2 * (odd_sum n z + z ^ (2 * n + 1)).
Proof.
  intros Hn H. assert (X : 2 * (odd_sum n 0 + 0 ^ (2 * n + 1)) - log_ratio 0 <= 2 * (odd_sum n z + z ^ (2 * n + 1)) - log_ratio z).
  { apply (increasing (fun z => 2 * (odd_sum n z + z ^ (2 * n + 1)) - log_ratio z)
      (fun z => 2 * (even_sum n z + INR (2 * n + 1) * z ^ pred (2 * n + 1)) - 2 / (1 - z ^ 2)) (1 / 2)); auto.
    - intros x Hx. apply (derivable_pt_lim_minus (fun z => 2 * (odd_sum n z + z ^ (2 * n + 1))) log_ratio); [|apply log_ratio_derivative; lra].
      apply (derivable_pt_lim_scal (fun z => odd_sum n z + z ^ (2 * n + 1))).
      apply (derivable_pt_lim_plus (odd_sum n) (fun z => z ^ (2 * n + 1))); [apply odd_sum_derivative|apply derivable_pt_lim_pow].
    - intros x Hx. pose proof (square_small x Hx) as S. pose proof (even_sum_closed n x) as C.
      assert (P : 0 <= x ^ (2 * n)) by (apply pow_le; lra). replace (pred (2 * n + 1)) with (2 * n)%nat by lia.
      assert (I : 3 <= INR (2 * n + 1)). { replace 3 with (INR 3) by (cbn; lra). apply le_INR. lia. }
      replace (2 * (even_sum n x + INR (2 * n + 1) * x ^ (2 * n)) - 2 / (1 - x ^ 2)) with
        (2 * ((1 - x ^ 2) * even_sum n x - 1 + (1 - x ^ 2) * INR (2 * n + 1) * x ^ (2 * n)) / (1 - x ^ 2)) by (field; lra).
      rewrite C. apply Rmult_le_pos; [|left; apply Rinv_0_lt_compat; lra].
      assert (0 <= ((1 - x ^ 2) * INR (2 * n + 1) - 1) * x ^ (2 * n)) by (apply Rmult_le_pos; nra). lra. }
  rewrite odd_sum_zero, log_ratio_zero, pow_ne_zero in X by lia. lra.
Qed.

(* ---- In integers over one unit, rounded down and up. ---- *)
Definition up_div (a b : Z) : Z := Z.opp (Z.div (Z.opp a) b).
Fixpoint low_sum (n : nat) (d t w u : Z) : Z :=
  match n with O => 0%Z | S n => Z.add (Z.div t d) (low_sum n (d + 2) (Z.div (t * w) u) w u) end.
Fixpoint high_sum (n : nat) (d t w u : Z) : Z :=
  match n with O => t | S n => Z.add (up_div t d) (high_sum n (d + 2) (up_div (t * w) u) w u) end.

Lemma div_down a b : (0 < b)%Z -> IZR (a / b) <= IZR a / IZR b.
Proof.
  intros H. apply IZR_lt in H as H'. apply (Rmult_le_reg_r (IZR b)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  rewrite <- mult_IZR. apply IZR_le. rewrite Z.mul_comm. apply Z.mul_div_le. exact H.
Qed.
Lemma div_up a b : (0 < b)%Z -> IZR a / IZR b <= IZR (up_div a b).
Proof.
  intros H. unfold up_div. rewrite opp_IZR. pose proof (div_down (- a) b H) as X. rewrite opp_IZR in X. unfold Rdiv in *. lra.
Qed.
Lemma div_nonneg a b : (0 <= a)%Z -> (0 < b)%Z -> (0 <= a / b)%Z.
Proof. intros. apply Z.div_pos; auto. Qed.

(* The sums from a term T on: T/d + T W/(d+2) + ... *)
Definition tail_sum (n d : nat) (T W : R) : R := sum n (fun i => T * W ^ i / INR (d + 2 * i)).
Lemma tail_sum_step n d T W : tail_sum (S n) d T W = T / INR d + tail_sum n (d + 2) (T * W) W.
Proof.
  unfold tail_sum. rewrite sum_front. f_equal.
  - rewrite Nat.mul_0_r, Nat.add_0_r. cbn [pow]. rewrite Rmult_1_r. reflexivity.
  - apply sum_ext. intros i _. replace (d + 2 * S i)%nat with (d + 2 + 2 * i)%nat by lia. cbn [pow]. unfold Rdiv. ring.
Qed.

Lemma low_sum_ok n : forall d t w u T W, (0 < u)%Z -> (0 <= t)%Z -> (0 <= w)%Z -> IZR t <= T * IZR u -> IZR w <= W * IZR u ->
  IZR (low_sum n (Z.of_nat (S d)) t w u) <= tail_sum n (S d) T W * IZR u.
Proof.
  induction n; intros d t w u T W Hu Ht Hw HT HW; cbn [low_sum].
  - unfold tail_sum. cbn [sum]. lra.
  - rewrite tail_sum_step, plus_IZR. apply IZR_lt in Hu as U. apply IZR_le in Ht as Ht', Hw as Hw'.
    assert (TP : 0 <= T) by (apply (Rmult_le_reg_r (IZR u)); lra). assert (WP : 0 <= W) by (apply (Rmult_le_reg_r (IZR u)); lra).
    replace (Z.of_nat (S d) + 2)%Z with (Z.of_nat (S (S (S d)))) by lia. replace (S d + 2)%nat with (S (S (S d))) by lia.
    assert (N : 0 < IZR (Z.of_nat (S d))) by (apply IZR_lt; lia).
    assert (A : IZR (t / Z.of_nat (S d)) <= T / INR (S d) * IZR u).
    { eapply Rle_trans; [apply div_down; lia|]. rewrite INR_IZR_INZ. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact N|exact HT]. }
    assert (B : IZR (t * w / u) <= T * W * IZR u).
    { eapply Rle_trans; [apply div_down; auto|]. apply (Rmult_le_reg_r (IZR u)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
      rewrite mult_IZR. replace (T * W * IZR u * IZR u) with ((T * IZR u) * (W * IZR u)) by ring. apply Rmult_le_compat; auto. }
    assert (P : (0 <= t * w / u)%Z) by (apply div_nonneg; auto; apply Z.mul_nonneg_nonneg; auto).
    pose proof (IHn (S (S d)) (t * w / u)%Z w u (T * W) W Hu P Hw B HW) as C. lra.
Qed.
Lemma high_sum_ok n : forall d t w u T W, (0 < u)%Z -> 0 <= T -> 0 <= W -> T * IZR u <= IZR t -> W * IZR u <= IZR w ->
  (tail_sum n (S d) T W + T * W ^ n) * IZR u <= IZR (high_sum n (Z.of_nat (S d)) t w u).
Proof.
  induction n; intros d t w u T W Hu HT0 HW0 HT HW; cbn [high_sum].
  - unfold tail_sum. cbn [sum pow]. lra.
  - rewrite tail_sum_step, plus_IZR. apply IZR_lt in Hu as U.
    replace (Z.of_nat (S d) + 2)%Z with (Z.of_nat (S (S (S d)))) by lia. replace (S d + 2)%nat with (S (S (S d))) by lia.
    assert (N : 0 < IZR (Z.of_nat (S d))) by (apply IZR_lt; lia).
    assert (A : T / INR (S d) * IZR u <= IZR (up_div t (Z.of_nat (S d)))).
    { eapply Rle_trans; [|apply div_up; lia]. rewrite INR_IZR_INZ. unfold Rdiv. rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc.
      apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact N|exact HT]. }
    assert (B : T * W * IZR u <= IZR (up_div (t * w) u)).
    { eapply Rle_trans; [|apply div_up; auto]. apply (Rmult_le_reg_r (IZR u)); auto. unfold Rdiv. rewrite (Rmult_assoc (IZR (t * w))), Rinv_l, Rmult_1_r by lra.
      rewrite mult_IZR. replace (T * W * IZR u * IZR u) with ((T * IZR u) * (W * IZR u)) by ring.
      apply Rmult_le_compat; auto; apply Rmult_le_pos; lra. }
    pose proof (IHn (S (S d)) (up_div (t * w) u) w u (T * W) W Hu (Rmult_le_pos _ _ HT0 HW0) HW0 B HW) as C.
    cbn [pow]. replace (T * (W * W ^ n)) with (T * W * W ^ n) by ring. lra.
Qed.

Lemma tail_odd n z : tail_sum n 1 z (z ^ 2) = odd_sum n z.
Proof.
  unfold tail_sum, odd_sum. apply sum_ext. intros i _. rewrite <- pow_mult. replace (2 * i + 1)%nat with (1 + 2 * i)%nat by lia.
  rewrite pow_add. cbn [pow]. unfold Rdiv. ring.
Qed.

(* 2 (z + z^3/3 + ...) for z = a/b, 0 <= 2 a <= b. *)
Definition ratio_low (n : nat) (u a b : Z) : Z := let t := Z.div (a * u) b in Z.mul 2 (low_sum n 1 t (Z.div (t * t) u) u).
Definition ratio_high (n : nat) (u a b : Z) : Z := let t := up_div (a * u) b in Z.mul 2 (high_sum n 1 t (up_div (t * t) u) u).

Lemma ratio_ok n u a b : (0 < n)%nat -> (0 < u)%Z -> (0 <= a)%Z -> (2 * a <= b)%Z -> (0 < b)%Z ->
  IZR (ratio_low n u a b) <= log_ratio (IZR a / IZR b) * IZR u <= IZR (ratio_high n u a b).
Proof.
  intros Hn Hu Ha Hab Hb. set (z := IZR a / IZR b). apply IZR_lt in Hu as U, Hb as B. apply IZR_le in Ha as A, Hab as AB. rewrite mult_IZR in AB.
  assert (ZB : z * IZR b = IZR a) by (unfold z; field; lra).
  assert (Z1 : 0 <= z <= 1 / 2) by (split; apply (Rmult_le_reg_r (IZR b)); lra).
  assert (Low : IZR (a * u / b) <= z * IZR u).
  { eapply Rle_trans; [apply div_down; auto|]. right. rewrite mult_IZR. unfold z. field. lra. }
  assert (High : z * IZR u <= IZR (up_div (a * u) b)).
  { eapply Rle_trans; [|apply div_up; auto]. right. rewrite mult_IZR. unfold z. field. lra. }
  assert (T0 : (0 <= a * u / b)%Z) by (apply div_nonneg; auto; apply Z.mul_nonneg_nonneg; lia).
  assert (Square : forall t, IZR (t * t) / IZR u = (IZR t / IZR u) ^ 2 * IZR u) by (intros; rewrite mult_IZR; field; lra).
  split.
  - unfold ratio_low. cbv zeta. set (t := (a * u / b)%Z) in *. rewrite mult_IZR.
    assert (W0 : (0 <= t * t / u)%Z) by (apply div_nonneg; auto; apply Z.mul_nonneg_nonneg; auto).
    assert (W : IZR (t * t / u) <= z ^ 2 * IZR u).
    { eapply Rle_trans; [apply div_down; auto|]. rewrite Square. apply Rmult_le_compat_r; [lra|]. apply pow_incr.
      apply IZR_le in T0 as T0'. split; [apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; auto]|].
      apply (Rmult_le_reg_r (IZR u)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    pose proof (low_sum_ok n 0 t (t * t / u)%Z u z (z ^ 2) Hu T0 W0 Low W) as X. rewrite tail_odd in X.
    change (Z.of_nat 1) with 1%Z in X. pose proof (log_ratio_low n z Z1) as Y.
    apply Rle_trans with (2 * odd_sum n z * IZR u); [lra|]. apply Rmult_le_compat_r; lra.
  - unfold ratio_high. cbv zeta. set (t := up_div (a * u) b) in *. rewrite mult_IZR.
    assert (W : z ^ 2 * IZR u <= IZR (up_div (t * t) u)).
    { eapply Rle_trans; [|apply div_up; auto]. rewrite Square. apply Rmult_le_compat_r; [lra|]. apply pow_incr. split; [lra|].
      apply (Rmult_le_reg_r (IZR u)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    pose proof (high_sum_ok n 0 t (up_div (t * t) u) u z (z ^ 2) Hu (proj1 Z1) (pow2_ge_0 z) High W) as X. rewrite tail_odd in X.
    change (Z.of_nat 1) with 1%Z in X. pose proof (log_ratio_high n z Hn Z1) as Y.
    rewrite <- pow_mult in X. replace (z * z ^ (2 * n)) with (z ^ (2 * n + 1)) in X by (rewrite pow_add; ring).
    apply Rle_trans with (2 * (odd_sum n z + z ^ (2 * n + 1)) * IZR u); [apply Rmult_le_compat_r; lra|lra].
Qed.

(* ---- Logarithms of rationals. ---- *)
Definition power_of_two (e : Z) : Q :=
  match e with Z0 => 1%Q | Zpos p => Qmake (Z.pow 2 (Zpos p)) 1 | Zneg p => Qmake 1 (Z.to_pos (Z.pow 2 (Zpos p))) end.
Lemma ln_power n : ln (2 ^ n) = INR n * ln 2.
Proof.
  induction n; [cbn; rewrite ln_1; ring|]. rewrite S_INR. cbn [pow]. rewrite ln_mult; [rewrite IHn; ring|lra|apply pow_lt; lra].
Qed.
Lemma two_power p : IZR (2 ^ Zpos p) = 2 ^ Pos.to_nat p.
Proof. rewrite <- (positive_nat_Z p). symmetry. apply pow_IZR. Qed.
Lemma power_of_two_ok e : 0 < Q2R (power_of_two e) /\ ln (Q2R (power_of_two e)) = IZR e * ln 2.
Proof.
  assert (P : forall p, 0 < 2 ^ Pos.to_nat p) by (intros; apply pow_lt; lra).
  assert (L : forall p, ln (2 ^ Pos.to_nat p) = IZR (Zpos p) * ln 2).
  { intros p. rewrite ln_power, INR_IPR. reflexivity. }
  destruct e as [|p|p]; cbn [power_of_two].
  - rewrite one_R, ln_1. lra.
  - unfold Q2R; cbn [Qnum Qden]. rewrite Rinv_1, Rmult_1_r, two_power. auto.
  - unfold Q2R; cbn [Qnum Qden]. rewrite Rmult_1_l.
    rewrite Z2Pos.id by (apply Z.pow_pos_nonneg; lia). rewrite two_power. split; [apply Rinv_0_lt_compat; auto|].
    rewrite ln_Rinv, L by auto. change (Zneg p) with (- Zpos p)%Z. rewrite opp_IZR. ring.
Qed.

(* A precision: the unit, how many terms, and ln 2 in units. *)
Record precision := Precision { unit_of : positive; terms_of : nat; two_low : Z; two_high : Z }.
Definition precise (t : precision) : Prop := (0 < terms_of t)%nat /\ IZR (two_low t) <= ln 2 * IZR (Zpos (unit_of t)) <= IZR (two_high t).
Definition precision_of (digits : nat) : precision :=
  let bits := (4 * digits + 96)%nat in let n := S (Nat.div bits 3) in
  let u := Z.to_pos (Z.pow 2 (Z.of_nat bits)) in
  Precision u n (ratio_low n (Zpos u) 1 3) (ratio_high n (Zpos u) 1 3).
Lemma precision_of_ok digits : precise (precision_of digits).
Proof.
  unfold precise, precision_of. cbv zeta. cbn [terms_of two_low two_high unit_of]. split; [lia|].
  replace (ln 2) with (log_ratio (1 / 3)); [apply ratio_ok; lia|]. unfold log_ratio.
  replace (1 + 1 / 3) with (2 * (1 - 1 / 3)) by field. rewrite ln_mult by lra. ring.
Qed.

Lemma some_pair {A B} (a c : A) (b d : B) : Some (a, b) = Some (c, d) -> a = c /\ b = d.
Proof. intros H. inversion H. auto. Qed.
Definition log_ends (t : precision) (q : Q) : option (Q * Q) :=
  if qlt 0 q then
    let e := (Z.log2 (Qnum q) - Z.log2 (Zpos (Qden q)))%Z in
    let m0 := Qred (Qdiv q (power_of_two e)) in
    let e := if Qle_bool 1 m0 then e else (e - 1)%Z in
    let m := Qred (Qdiv q (power_of_two e)) in
    let n := Qnum m in let d := Zpos (Qden m) in let u := unit_of t in
    if (Z.leb d n && Z.leb n (3 * d))%bool then
      let a := (n - d)%Z in let b := (n + d)%Z in
      let up := Z.leb 0 e in
      Some (Qred (Qmake (e * (if up then two_low t else two_high t) + ratio_low (terms_of t) (Zpos u) a b) u),
            Qred (Qmake (e * (if up then two_high t else two_low t) + ratio_high (terms_of t) (Zpos u) a b) u))
    else None
  else None.

Lemma log_ends_ok t q l h : precise t -> log_ends t q = Some (l, h) -> 0 < Q2R q /\ Q2R l <= ln (Q2R q) <= Q2R h.
Proof.
  intros [Hn [L2 H2]] H. unfold log_ends in H. destruct (qlt 0 q) eqn:Pq; [|discriminate]. apply qlt_R in Pq. rewrite zero_R in Pq.
  split; [exact Pq|]. cbv zeta in H.
  set (e0 := (Z.log2 (Qnum q) - Z.log2 (Zpos (Qden q)))%Z) in *.
  set (e := if Qle_bool 1 (Qred (Qdiv q (power_of_two e0))) then e0 else (e0 - 1)%Z) in *.
  set (m := Qred (Qdiv q (power_of_two e))) in *. set (n := Qnum m) in *. set (d := Zpos (Qden m)) in *.
  destruct (Z.leb d n && Z.leb n (3 * d))%bool eqn:C; [|discriminate]. apply both in C as [C1 C2]. apply Z.leb_le in C1, C2.
  destruct (power_of_two_ok e) as [PP PL].
  assert (NZ : ~ (power_of_two e == 0)%Q) by (intros X; apply Qeq_eqR in X; rewrite zero_R in X; lra).
  assert (M : Q2R m = Q2R q / Q2R (power_of_two e)) by (unfold m; rewrite Q2R_red, Q2R_div by auto; reflexivity).
  assert (Pm : 0 < Q2R m) by (rewrite M; apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; auto]).
  assert (E : ln (Q2R q) = IZR e * ln 2 + ln (Q2R m)).
  { replace (Q2R q) with (Q2R (power_of_two e) * Q2R m) by (rewrite M; field; lra). rewrite ln_mult, PL by auto. reflexivity. }
  assert (D : (0 < d)%Z) by (unfold d; lia). apply IZR_lt in D as D'. apply IZR_le in C1 as C1'.
  assert (Mn : Q2R m = IZR n / IZR d) by reflexivity.
  assert (X : ln (Q2R m) = log_ratio (IZR (n - d) / IZR (n + d))).
  { unfold log_ratio. rewrite minus_IZR, plus_IZR.
    replace (1 + (IZR n - IZR d) / (IZR n + IZR d)) with (2 * IZR n / (IZR n + IZR d)) by (field; lra).
    replace (1 - (IZR n - IZR d) / (IZR n + IZR d)) with (2 * IZR d / (IZR n + IZR d)) by (field; lra).
    replace (2 * IZR n / (IZR n + IZR d)) with (Q2R m * (2 * IZR d / (IZR n + IZR d))) by (rewrite Mn; field; lra).
    rewrite ln_mult; [ring|auto|]. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra]. }
  set (u := unit_of t) in *. assert (U : 0 < IZR (Zpos u)) by (apply IZR_lt; lia).
  destruct (ratio_ok (terms_of t) (Zpos u) (n - d) (n + d) Hn ltac:(lia) ltac:(lia) ltac:(lia) ltac:(lia)) as [RL RH]. rewrite <- X in RL, RH.
  assert (Over : forall z, Q2R (Qred (Qmake z u)) * IZR (Zpos u) = IZR z).
  { intros z. rewrite Q2R_red. unfold Q2R; cbn [Qnum Qden]. field. lra. }
  assert (EB : IZR e * IZR (if Z.leb 0 e then two_low t else two_high t) <= IZR e * (ln 2 * IZR (Zpos u)) <=
               IZR e * IZR (if Z.leb 0 e then two_high t else two_low t)).
  { destruct (Z.leb_spec 0 e) as [S|S].
    - apply IZR_le in S. split; apply Rmult_le_compat_l; auto.
    - apply IZR_lt in S. split; apply Rmult_le_compat_neg_l; lra. }
  apply some_pair in H as [<- <-]. split; apply (Rmult_le_reg_r (IZR (Zpos u))); auto; rewrite Over, plus_IZR, mult_IZR, E; lra.
Qed.
