(* Section 4.1 of Chai and Nayak (2018): which procedures of parity at most gamma are admissible.

   The theorems are Theorems 4.1 to 4.3, Lemmas 4.2 to 4.4 and Corollary 4.1, for every k, and the linear program that
   decides admissibility. Two facts carry them. Rigidity: a garbling that attains rows with two values of ratio gamma is a
   permutation. Splitting: a row of parity at most gamma is a sum of such rows and of a constant. *)

From Coq Require Import Reals Lra Lia Arith List Bool FinFun Classical_Prop.
From Rropt Require Import Definitions Sums.
Import ListNotations.
Local Open Scope R_scope.

(* Definitions of section 4. Rows are proportional if one is a positive multiple of the other. *)
Definition proportional (k : nat) (v w : nat -> R) : Prop :=
  exists c, 0 < c /\ forall j, (j < k)%nat -> v j = c * w j.
(* C_gamma: at least two outputs, parity at most gamma, no zero row, no two proportional rows. *)
Definition in_class (k m : nat) (gamma : R) (P : nat -> nat -> R) : Prop :=
  mechanism k m P /\ (2 <= m)%nat /\ at_most (parity k m P) (Finite gamma) /\
  (forall i, (i < m)%nat -> exists j, (j < k)%nat /\ P i j <> 0) /\
  forall i h, (i < m)%nat -> (h < m)%nat -> i <> h -> ~ proportional k (P i) (P h).
Definition condition_C1 (k m : nat) (gamma : R) (P : nat -> nat -> R) : Prop :=
  forall i, (i < m)%nat -> row_parity k P i = Finite gamma.
Definition two_values (k : nat) (v : nat -> R) : Prop :=
  exists a b, a <> b /\ (exists j, (j < k)%nat /\ v j = a) /\ (exists j, (j < k)%nat /\ v j = b) /\
  forall j, (j < k)%nat -> v j = a \/ v j = b.
Definition condition_C2 (k m : nat) (P : nat -> nat -> R) : Prop := forall i, (i < m)%nat -> two_values k (P i).
(* C_gamma^0 *)
Definition in_core (k m : nat) (gamma : R) (P : nat -> nat -> R) : Prop :=
  in_class k m gamma P /\ condition_C1 k m gamma P /\ condition_C2 k m P.
(* Definitions 4.1 and 4.2: P with r outputs is sufficient for A with m outputs if `garbling k r m P A`. *)
Definition equivalent (k r m : nat) (P A : nat -> nat -> R) : Prop := garbling k r m P A /\ garbling k m r A P.
Definition better (k r m : nat) (P A : nat -> nat -> R) : Prop := garbling k r m P A /\ ~ garbling k m r A P.
Definition inadmissible (k m : nat) (gamma : R) (P : nat -> nat -> R) : Prop :=
  exists r A, in_class k r gamma A /\ better k r m A P.
Definition admissible (k m : nat) (gamma : R) (P : nat -> nat -> R) : Prop :=
  in_class k m gamma P /\ ~ inadmissible k m gamma P.
Definition permutation_matrix (m : nat) (C : nat -> nat -> R) : Prop :=
  exists s, (forall i, (i < m)%nat -> (s i < m)%nat) /\
  (forall i h, (i < m)%nat -> (h < m)%nat -> s i = s h -> i = h) /\
  forall i u, (i < m)%nat -> (u < m)%nat -> C i u = if Nat.eqb u (s i) then 1 else 0.

(* The linear program of the finest splitting. A ray is gamma on a set of categories and 1 elsewhere; a splitting writes
   each row as a sum of rays of nonempty sets with weights; its gain compares the sizes, |v|^2/sum v, of the parts and the rows. *)
Fixpoint sets (k : nat) : list (list bool) :=
  match k with O => [[]] | S before => map (cons true) (sets before) ++ map (cons false) (sets before) end.
Definition ray (gamma : R) (S : list bool) (j : nat) : R := if nth j S false then gamma else 1.
Definition over (l : list (list bool)) (f : list bool -> R) : R := list_sum (map f l).
Definition nonempty_sets (k : nat) : list (list bool) := filter (existsb (fun b => b)) (sets k).
Definition splitting (k m : nat) (gamma : R) (P : nat -> nat -> R) (w : nat -> list bool -> R) : Prop :=
  forall i, (i < m)%nat -> (forall S, In S (nonempty_sets k) -> 0 <= w i S) /\
  forall j, (j < k)%nat -> P i j = over (nonempty_sets k) (fun S => w i S * ray gamma S j).
Definition size (k : nat) (v : nat -> R) : R := sum k (fun j => v j ^ 2) / sum k v.
Definition gain (k m : nat) (gamma : R) (P : nat -> nat -> R) (w : nat -> list bool -> R) : R :=
  sum m (fun i => over (nonempty_sets k) (fun S => w i S * size k (ray gamma S)) - size k (P i)).

(* Sums over lists. *)
Lemma over_ext l f g : (forall S, In S l -> f S = g S) -> over l f = over l g.
Proof. unfold over. induction l; intros H; cbn; [auto|]. rewrite (H a), IHl; cbn; auto. intros; apply H; cbn; auto. Qed.
Lemma over_plus l f g : over l (fun S => f S + g S) = over l f + over l g.
Proof. unfold over. induction l; cbn; lra. Qed.
Lemma over_scal l c f : over l (fun S => c * f S) = c * over l f.
Proof. unfold over. induction l; cbn; lra. Qed.
Lemma over_scal_r l c f : over l (fun S => f S * c) = over l f * c.
Proof. unfold over. induction l; cbn; lra. Qed.
Lemma over_zero l : over l (fun _ => 0) = 0.
Proof. unfold over. induction l; cbn; lra. Qed.
Lemma over_nonneg l f : (forall S, In S l -> 0 <= f S) -> 0 <= over l f.
Proof.
  unfold over. induction l; intros H; cbn; [lra|]. apply Rplus_le_le_0_compat; [apply H; cbn; auto|].
  apply IHl. intros; apply H; cbn; auto.
Qed.
Lemma over_term l f S : (forall T, In T l -> 0 <= f T) -> In S l -> f S <= over l f.
Proof.
  induction l as [|a l IH]; intros H I; [contradiction|]. change (over (a :: l) f) with (f a + over l f).
  assert (0 <= f a) by (apply H; cbn; auto). assert (0 <= over l f) by (apply over_nonneg; intros; apply H; cbn; auto).
  destruct I as [->|I]; [lra|]. assert (f S <= over l f) by (apply IH; auto; intros; apply H; cbn; auto). lra.
Qed.
Lemma over_filter l p f : over (filter p l) f = over l (fun S => if p S then f S else 0).
Proof. unfold over. induction l as [|a l IH]; cbn; [auto|]. destruct (p a); cbn; rewrite IH; lra. Qed.
Lemma over_sum l n f : over l (fun S => sum n (f S)) = sum n (fun i => over l (fun S => f S i)).
Proof.
  induction l as [|a l IH]; [unfold over; cbn; symmetry; apply sum_zero; auto|].
  change (over (a :: l) (fun S => sum n (f S))) with (sum n (f a) + over l (fun S => sum n (f S))).
  rewrite IH, <- sum_plus. reflexivity.
Qed.
Lemma sum_first n f : sum (S n) f = f O + sum n (fun i => f (S i)).
Proof. induction n; [cbn; ring|]. cbn [sum] in *. rewrite IHn. ring. Qed.
Lemma sum_nth l f : sum (length l) (fun i => f (nth i l [])) = over l f.
Proof.
  induction l as [|a l IH]; [reflexivity|]. cbn [length]. rewrite sum_first. cbn [nth]. rewrite IH. reflexivity.
Qed.
Lemma set_eq_dec (S T : list bool) : {S = T} + {S <> T}.
Proof. apply list_eq_dec, bool_dec. Qed.
Lemma over_single l S c : NoDup l -> In S l -> over l (fun T => if set_eq_dec T S then c else 0) = c.
Proof.
  induction 1 as [|a l N D IH]; intros I; [contradiction|].
  change (over (a :: l) (fun T => if set_eq_dec T S then c else 0)) with
    ((if set_eq_dec a S then c else 0) + over l (fun T => if set_eq_dec T S then c else 0)).
  destruct (set_eq_dec a S) as [->|E].
  - rewrite (over_ext l _ (fun _ => 0)), over_zero; [lra|]. intros T T1. destruct (set_eq_dec T S); [subst; contradiction|auto].
  - rewrite IH; [lra|]. destruct I; [contradiction|auto].
Qed.

(* All sets, each once. *)
Lemma in_sets k S : In S (sets k) <-> length S = k.
Proof.
  revert S. induction k as [|k IH]; intros S; cbn [sets].
  - split; [intros [<-|[]]; auto|]. destruct S; [cbn; auto|discriminate].
  - rewrite in_app_iff, !in_map_iff. split.
    + intros [(T & <- & I)|(T & <- & I)]; cbn; f_equal; apply IH; auto.
    + destruct S as [|[] S]; intros E; [discriminate| |]; [left|right]; exists S; split; auto; apply IH; cbn in E; lia.
Qed.
Lemma sets_once k : NoDup (sets k).
Proof.
  induction k as [|k IH]; cbn [sets]; [repeat constructor; cbn; tauto|].
  assert (A : forall (l1 l2 : list (list bool)), NoDup l1 -> NoDup l2 -> (forall x, In x l1 -> ~ In x l2) -> NoDup (l1 ++ l2)).
  { induction l1 as [|a l1 I1]; intros l2 D1 D2 X; cbn; [auto|]. inversion D1; subst. constructor.
    - rewrite in_app_iff. intros [Y|Y]; [contradiction|]. apply (X a); cbn; auto.
    - apply I1; auto. intros x Y. apply X; cbn; auto. }
  assert (B : forall b, NoDup (map (cons b) (sets k))).
  { intros b. apply Injective_map_NoDup; [intros x y E; congruence|auto]. }
  apply A; auto. intros x X1 X2. apply in_map_iff in X1, X2. destruct X1 as (y & <- & _), X2 as (z & E & _). discriminate.
Qed.
Definition set_where (k : nat) (p : nat -> bool) : list bool := map p (seq 0 k).
Lemma set_where_nth k p j : (j < k)%nat -> nth j (set_where k p) false = p j.
Proof.
  intros H. unfold set_where. rewrite (nth_indep _ false (p O)) by (rewrite map_length, seq_length; auto).
  rewrite map_nth, seq_nth by auto. reflexivity.
Qed.
Lemma set_where_in k p : In (set_where k p) (sets k).
Proof. apply in_sets. unfold set_where. rewrite map_length, seq_length. reflexivity. Qed.
Lemma sets_differ k S T : In S (sets k) -> In T (sets k) -> S <> T -> exists j, (j < k)%nat /\ nth j S false <> nth j T false.
Proof.
  intros I1 I2 N. apply in_sets in I1, I2.
  destruct (forallb (fun j => eqb (nth j S false) (nth j T false)) (seq 0 k)) eqn:E.
  - exfalso. apply N. apply nth_ext with false false; [congruence|]. intros j Hj. rewrite forallb_forall in E.
    apply eqb_prop. apply E, in_seq. lia.
  - assert (X : exists j, In j (seq 0 k) /\ eqb (nth j S false) (nth j T false) = false).
    { clear -E. induction (seq 0 k) as [|a l IH]; cbn in E; [discriminate|]. destruct (eqb (nth a S false) (nth a T false)) eqn:F.
      - destruct (IH E) as (j & I & J). exists j. cbn; auto.
      - exists a. cbn; auto. }
    destruct X as (j & I & J). apply in_seq in I. exists j. split; [lia|]. intros H. rewrite H in J. destruct (nth j T false); discriminate.
Qed.
Definition varies (k : nat) (S : list bool) : bool :=
  (existsb (fun j => nth j S false) (seq 0 k) && existsb (fun j => negb (nth j S false)) (seq 0 k))%bool.
Lemma varies_spec k S : varies k S = true <->
  (exists j, (j < k)%nat /\ nth j S false = true) /\ (exists l, (l < k)%nat /\ nth l S false = false).
Proof.
  unfold varies. rewrite andb_true_iff, !existsb_exists. split.
  - intros [(j & I & J) (l & K & L)]. apply in_seq in I, K. split; [exists j|exists l]; split; auto; try lia.
    destruct (nth l S false); auto; discriminate.
  - intros [(j & I & J) (l & K & L)]. split; [exists j|exists l]; (split; [apply in_seq; lia|auto]). rewrite L. reflexivity.
Qed.
Lemma varying_nonempty k S : In S (sets k) -> varies k S = true -> In S (nonempty_sets k).
Proof.
  intros I V. apply varies_spec in V. destruct V as [(j & J & T) _]. apply filter_In. split; auto. apply existsb_exists.
  exists true. split; auto. rewrite <- T. apply nth_In. apply in_sets in I. lia.
Qed.

Lemma ray_bounds g S j : 1 < g -> 1 <= ray g S j <= g.
Proof. unfold ray. destruct (nth j S false); lra. Qed.

(* Rows with two values of ratio gamma. *)
Definition two_steps (k : nat) (g : R) (v : nat -> R) : Prop :=
  exists c S, 0 < c /\ In S (sets k) /\ varies k S = true /\ forall j, (j < k)%nat -> v j = c * ray g S j.

Lemma two_steps_proportional k g v w : proportional k v w -> two_steps k g w -> two_steps k g v.
Proof.
  intros (c & C & E) (d & S & D & I & V & F). exists (c * d), S. split; [apply Rmult_lt_0_compat; auto|].
  split; [auto|split; [auto|]]. intros j J. rewrite E, F by auto. ring.
Qed.

Lemma proportional_sym k v w : proportional k v w -> proportional k w v.
Proof.
  intros (c & C & E). exists (/ c). split; [apply Rinv_0_lt_compat; auto|]. intros j J. rewrite E by auto. field. lra.
Qed.
Lemma proportional_trans k u v w : proportional k u v -> proportional k v w -> proportional k u w.
Proof.
  intros (c & C & E) (d & D & F). exists (c * d). split; [apply Rmult_lt_0_compat; auto|]. intros j J. rewrite E, F by auto. ring.
Qed.

Lemma rows_of_class k m g P : 1 < g -> in_class k m g P ->
  forall i j l, (i < m)%nat -> (j < k)%nat -> (l < k)%nat -> P i j <= g * P i l.
Proof. intros G (M & _ & A & _). apply parity_at_most; auto. lra. Qed.
Lemma positive_of_class k m g P : 1 < g -> in_class k m g P -> forall i j, (i < m)%nat -> (j < k)%nat -> 0 < P i j.
Proof.
  intros G C i j Hi Hj. pose proof (rows_of_class _ _ _ _ G C) as R. destruct C as ([N _] & _ & _ & Z & _).
  destruct (Z i Hi) as (l & L & X). pose proof (N i l Hi L). pose proof (R i l j Hi L Hj).
  destruct (Rle_lt_dec (P i j) 0) as [Y|]; [|auto]. pose proof (N i j Hi Hj). assert (E : P i j = 0) by lra. rewrite E in *. lra.
Qed.

Lemma maximum_attained n f x : 1 < x -> maximum n f = Finite x -> exists i, (i < n)%nat /\ f i = Finite x.
Proof.
  intros X. revert x X. induction n as [|n IH]; intros x X E; cbn [maximum] in E; [injection E; lra|].
  destruct (maximum n f) as [a|] eqn:A, (f n) as [b|] eqn:B; cbn [larger] in E; try discriminate. injection E as E.
  unfold Rmax in E. destruct (Rle_dec a b).
  - exists n. split; [lia|]. congruence.
  - subst a. destruct (IH x X eq_refl) as (i & I & F). exists i. split; [lia|auto].
Qed.

Lemma at_most_both a x : at_most a (Finite x) -> at_most (Finite x) a -> a = Finite x.
Proof. destruct a as [y|]; cbn; [intros; f_equal; lra|tauto]. Qed.

Lemma two_steps_iff k m g P i : 1 < g -> in_class k m g P -> (i < m)%nat ->
  (row_parity k P i = Finite g /\ two_values k (P i)) <-> two_steps k g (P i).
Proof.
  intros G C Hi. pose proof (positive_of_class _ _ _ _ G C) as Pos. pose proof (rows_of_class _ _ _ _ G C) as R. split.
  - intros [Y (a & b & N & _ & _ & AB)]. unfold row_parity in Y.
    destruct (maximum_attained _ _ _ G Y) as (j & J & Yj). destruct (maximum_attained _ _ _ G Yj) as (l & L & E).
    unfold ratio in E. destruct (Req_EM_T (P i l) 0) as [Z|Z]; [pose proof (Pos i l Hi L); lra|]. injection E as E.
    assert (F : P i j = g * P i l) by (rewrite <- E; field; auto). pose proof (Pos i l Hi L) as P0.
    assert (P i l < P i j) by (rewrite F; rewrite <- (Rmult_1_l (P i l)) at 1; apply Rmult_lt_compat_r; lra).
    exists (P i l), (set_where k (fun h => if Req_EM_T (P i h) (P i j) then true else false)).
    split; [auto|]. split; [apply set_where_in|]. split.
    + apply varies_spec. split; [exists j|exists l]; split; auto; rewrite set_where_nth by auto.
      * destruct (Req_EM_T (P i j) (P i j)); congruence.
      * destruct (Req_EM_T (P i l) (P i j)); [lra|auto].
    + intros h Hh. unfold ray. rewrite set_where_nth by auto. destruct (Req_EM_T (P i h) (P i j)) as [X|X]; [lra|].
      destruct (AB h Hh), (AB j J), (AB l L); lra.
  - intros (c & S & C0 & I & V & F). apply varies_spec in V. destruct V as [(j & J & Tj) (l & L & Tl)].
    assert (Ej : P i j = c * g) by (rewrite F by auto; unfold ray; rewrite Tj; auto).
    assert (El : P i l = c) by (rewrite F by auto; unfold ray; rewrite Tl; ring).
    assert (CG : c < c * g) by (rewrite <- (Rmult_1_r c) at 1; apply Rmult_lt_compat_l; lra).
    split.
    + apply at_most_both.
      * unfold row_parity. apply maximum_at_most. split; [cbn; lra|]. intros x X. apply maximum_at_most. split; [cbn; lra|].
        intros y Yk. apply ratio_at_most; auto; try lra; left; apply Pos; auto.
      * assert (T : ratio (P i j) (P i l) = Finite g).
        { unfold ratio. destruct (Req_EM_T (P i l) 0); [lra|]. f_equal. rewrite Ej, El. field. lra. }
        rewrite <- T. unfold row_parity.
        assert (Q : forall f n h, (h < n)%nat -> at_most (f h) (maximum n f)).
        { intros f n h Hh. pose proof (at_most_refl (maximum n f)) as W. apply maximum_at_most in W. apply W; auto. }
        eapply at_most_trans; [apply (Q (fun l => ratio (P i j) (P i l)) k l L)|]. apply (Q (fun j => maximum k (fun l => ratio (P i j) (P i l))) k j J).
    + exists (P i j), (P i l). split; [lra|]. split; [exists j; auto|]. split; [exists l; auto|]. intros h H. rewrite (F h H), Ej, El.
      unfold ray. destruct (nth h S false); [left|right]; ring.
Qed.

Lemma core_iff k m g P : 1 < g -> in_core k m g P <-> in_class k m g P /\ forall i, (i < m)%nat -> two_steps k g (P i).
Proof.
  intros G. split.
  - intros (C & C1 & C2). split; [auto|]. intros i Hi. apply (two_steps_iff k m); auto.
  - intros [C T]. split; [auto|]. split; intros i Hi; apply (two_steps_iff k m g P i G C Hi); auto.
Qed.

(* A kernel with one entry other than 0 in each row, and in each column at most one, is a permutation. *)
Fixpoint place (n : nat) (f : nat -> R) : nat := match n with O => O | S b => if Req_EM_T (f b) 0 then place b f else b end.
Lemma place_ok n f u : (u < n)%nat -> f u <> 0 -> (place n f < n)%nat /\ f (place n f) <> 0.
Proof.
  induction n as [|n IH]; intros U F; [lia|]. cbn [place]. destruct (Req_EM_T (f n) 0) as [E|E]; [|auto].
  destruct (Nat.eq_dec u n) as [->|]; [contradiction|]. destruct IH; [lia|auto|]. split; [lia|auto].
Qed.

Lemma kernel_is_permutation r m C : mechanism r m C ->
  (forall i, (i < m)%nat -> exists u, (u < r)%nat /\ C i u <> 0) ->
  (forall i u h, (i < m)%nat -> (u < r)%nat -> (h < r)%nat -> C i u <> 0 -> C i h <> 0 -> u = h) ->
  (forall i h u, (i < m)%nat -> (h < m)%nat -> (u < r)%nat -> C i u <> 0 -> C h u <> 0 -> i = h) ->
  m = r /\ permutation_matrix m C.
Proof.
  intros [N S] E U V. set (s := fun i => place r (C i)).
  assert (Hs : forall i, (i < m)%nat -> (s i < r)%nat /\ C i (s i) <> 0).
  { intros i Hi. destruct (E i Hi) as (u & Hu & X). apply (place_ok r (C i) u); auto. }
  assert (One : forall i u, (i < m)%nat -> (u < r)%nat -> C i u = if Nat.eqb u (s i) then 1 else 0).
  { intros i u Hi Hu. destruct (Nat.eqb_spec u (s i)) as [->|X].
    - destruct (Hs i Hi) as [L Nz]. rewrite <- (S (s i) L). symmetry.
      rewrite (sum_ext m _ (fun h => if Nat.eqb h i then C i (s i) else 0)); [apply sum_single; auto|].
      intros h Hh. destruct (Nat.eqb_spec h i) as [->|Y]; [auto|]. destruct (Req_dec (C h (s i)) 0) as [|Z]; [auto|].
      exfalso. apply Y. apply (V h i (s i)); auto.
    - destruct (Req_dec (C i u) 0) as [|Z]; [auto|]. exfalso. apply X. destruct (Hs i Hi). apply (U i u (s i)); auto. }
  assert (MR : m = r).
  { apply INR_eq. rewrite <- (Rmult_1_r (INR m)), <- (Rmult_1_r (INR r)), <- !sum_const.
    rewrite <- (sum_ext r (fun u => sum m (fun i => C i u)) (fun _ => 1)) by auto. rewrite sum_swap. apply sum_ext.
    intros i Hi. rewrite (sum_ext r _ (fun u => if Nat.eqb u (s i) then 1 else 0)) by (intros; apply One; auto).
    symmetry. apply sum_single. apply Hs; auto. }
  split; [auto|]. subst r. exists s. split; [intros i Hi; apply Hs; auto|]. split; [|auto].
  intros i h Hi Hh X. destruct (Hs i Hi) as [L A], (Hs h Hh) as [_ B]. apply (V i h (s i)); auto. congruence.
Qed.

Lemma permutation_kernels k m C P A : permutation_matrix m C ->
  (forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed m C P i j) -> equivalent k m m P A.
Proof.
  intros (s & B & I & One) E.
  assert (Sur : forall u, (u < m)%nat -> exists i, (i < m)%nat /\ s i = u).
  { assert (bSurjective m s) as X by (apply bInjective_bSurjective; [exact B|exact I]).
    intros u Hu. destruct (X u Hu) as (i & Hi & Y). exists i; auto. }
  assert (Col : forall u f, (u < m)%nat -> exists i, (i < m)%nat /\ s i = u /\ sum m (fun h => C h u * f h) = f i).
  { intros u f Hu. destruct (Sur u Hu) as (i & Hi & X). exists i. split; [auto|]. split; [auto|].
    rewrite (sum_ext m _ (fun h => if Nat.eqb h i then f i else 0)); [apply sum_single; auto|].
    intros h Hh. rewrite One by auto. destruct (Nat.eqb_spec u (s h)) as [Y|Y], (Nat.eqb_spec h i) as [Z|Z]; try ring.
    - subst h. ring.
    - exfalso. apply Z. apply I; auto. congruence.
    - exfalso. apply Y. congruence. }
  assert (Row : forall i f, (i < m)%nat -> sum m (fun u => C i u * f u) = f (s i)).
  { intros i f Hi. rewrite (sum_ext m _ (fun u => if Nat.eqb u (s i) then f (s i) else 0)).
    - apply sum_single, B; auto.
    - intros u Hu. rewrite One by auto. destruct (Nat.eqb_spec u (s i)); subst; ring. }
  split.
  - exists C. split; [split|auto].
    + intros i u Hi Hu. rewrite One by auto. destruct (Nat.eqb u (s i)); lra.
    + intros u Hu. destruct (Col u (fun _ => 1) Hu) as (i & _ & _ & X). rewrite <- X. apply sum_ext. intros; ring.
  - exists (fun u i => C i u). split; [split|].
    + intros u i Hu Hi. rewrite One by auto. destruct (Nat.eqb u (s i)); lra.
    + intros i Hi. rewrite <- (Row i (fun _ => 1) Hi). apply sum_ext. intros; ring.
    + intros u j Hu Hj. unfold composed. destruct (Col u (fun i => A i j) Hu) as (i & Hi & X & ->).
      rewrite E by auto. unfold composed. rewrite (Row i (fun h => P h j) Hi). congruence.
Qed.

(* Rigidity: what is sufficient for a procedure of the core has its rows. *)
Lemma rigid_rows k r m g A P C : 1 < g -> in_core k m g A -> in_class k r g P -> mechanism r m C ->
  (forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed r C P i j) ->
  forall i u, (i < m)%nat -> (u < r)%nat -> C i u <> 0 -> proportional k (P u) (A i).
Proof.
  intros G KA KP [NC _] E i u Hi Hu Nz. apply core_iff in KA; auto. destruct KA as [_ T]. destruct (T i Hi) as (c & S & C0 & _ & V & F).
  apply varies_spec in V. destruct V as [(j0 & J0 & T0) (l0 & L0 & F0)].
  pose proof (rows_of_class _ _ _ _ G KP) as R. pose proof (positive_of_class _ _ _ _ G KP) as Pos.
  assert (X : forall j l, (j < k)%nat -> (l < k)%nat -> nth j S false = true -> nth l S false = false -> P u j = g * P u l).
  { intros j l Hj Hl Tj Tl.
    assert (Z : sum r (fun h => C i h * (g * P h l - P h j)) = 0).
    { rewrite (sum_ext r _ (fun h => g * (C i h * P h l) - C i h * P h j)) by (intros; ring).
      rewrite sum_minus, sum_scal. change (g * composed r C P i l - composed r C P i j = 0). rewrite <- !E, !F by auto. unfold ray.
      rewrite Tj, Tl. ring. }
    assert (Y := sum_nonneg_zero r (fun h => C i h * (g * P h l - P h j))). cbv beta in Y.
    specialize (Y ltac:(intros h Hh; apply Rmult_le_pos; [apply NC; auto|specialize (R h j l Hh Hj Hl); lra]) Z u Hu).
    apply Rmult_integral in Y. destruct Y as [Y|Y]; [contradiction|lra]. }
  exists (P u l0 / c). pose proof (Pos u l0 Hu L0). split; [apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]|].
  intros j Hj. rewrite F by auto. unfold ray. destruct (nth j S false) eqn:Tj.
  - rewrite (X j l0) by auto. field. lra.
  - pose proof (X j0 j J0 Hj T0 Tj) as Y1. pose proof (X j0 l0 J0 L0 T0 F0) as Y2.
    assert (P u j = P u l0) as -> by (apply (Rmult_eq_reg_l g); lra). field. lra.
Qed.

Lemma nonzero_term r f h (x : R) : sum r f = x -> x <> 0 -> (forall u, f u = h u) -> exists u, (u < r)%nat /\ h u <> 0.
Proof.
  intros S X E. revert x S X. induction r as [|r IH]; intros x S X; cbn [sum] in S; [lra|].
  destruct (Req_dec (h r) 0) as [Z|Z]; [|exists r; split; [lia|auto]]. destruct (IH x) as (u & U & Y); [rewrite <- E in Z; lra|auto|].
  exists u. split; [lia|auto].
Qed.

Lemma rigidity k r m g A P C : 1 < g -> in_core k m g A -> in_class k r g P -> mechanism r m C ->
  (forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed r C P i j) ->
  m = r /\ permutation_matrix m C /\ in_core k r g P.
Proof.
  intros G KA KP MC E. pose proof (rigid_rows k r m g A P C G KA KP MC E) as Rows.
  assert (Col : forall u, (u < r)%nat -> exists i, (i < m)%nat /\ C i u <> 0).
  { intros u Hu. destruct MC as [_ S]. apply (nonzero_term m (fun i => C i u) (fun i => C i u) 1); auto; lra. }
  assert (K : m = r /\ permutation_matrix m C).
  { apply kernel_is_permutation; auto.
    - intros i Hi. destruct KA as [(_ & _ & _ & Z & _) _]. destruct (Z i Hi) as (j & Hj & X).
      destruct (nonzero_term r (fun h => C i h * P h j) (fun h => C i h * P h j) (A i j)) as (u & Hu & Y); auto.
      { rewrite E by auto. reflexivity. }
      exists u. split; auto. intros Z0. apply Y. rewrite Z0. ring.
    - intros i u h Hi Hu Hh X Y. destruct KP as (_ & _ & _ & _ & D). destruct (Nat.eq_dec u h) as [|N]; [auto|].
      exfalso. apply (D u h Hu Hh N). eapply proportional_trans; [apply (Rows i u); auto|]. apply proportional_sym, (Rows i h); auto.
    - intros i h u Hi Hh Hu X Y. destruct KA as [(_ & _ & _ & _ & D) _]. destruct (Nat.eq_dec i h) as [|N]; [auto|].
      exfalso. apply (D i h Hi Hh N). eapply proportional_trans; [apply proportional_sym, (Rows i u); auto|]. apply (Rows h u); auto. }
  destruct K as [K1 K2]. split; [auto|]. split; [auto|]. apply core_iff; auto. split; [auto|]. intros u Hu.
  destruct (Col u Hu) as (i & Hi & X). apply (two_steps_proportional k g (P u) (A i)); [apply Rows; auto|].
  apply core_iff in KA; auto. apply KA; auto.
Qed.

(* Splitting: a row is a sum of rays that vary. The layers from the top: the entries that are largest sink to the next value. *)
Definition below (k : nat) (v : nat -> R) (hi : R) : list nat :=
  filter (fun j => if Rlt_dec (v j) hi then true else false) (seq 0 k).
Lemma next_value k v hi : (exists j, (j < k)%nat /\ v j < hi) ->
  exists j, (j < k)%nat /\ v j < hi /\ forall l, (l < k)%nat -> v l < hi -> v l <= v j.
Proof.
  induction k as [|k IH]; intros (j & J & V); [lia|].
  destruct (existsb (fun j => if Rlt_dec (v j) hi then true else false) (seq 0 k)) eqn:E.
  - apply existsb_exists in E. destruct E as (h & I & H). apply in_seq in I. destruct (Rlt_dec (v h) hi) as [Y|]; [|discriminate].
    destruct IH as (a & A & B & C); [exists h; split; [lia|auto]|].
    destruct (Rlt_dec (v k) hi) as [Z|Z]; [destruct (Rle_lt_dec (v k) (v a)) as [W|W]|].
    + exists a. split; [lia|]. split; [auto|]. intros l L X. destruct (Nat.eq_dec l k) as [->|]; [auto|apply C; [lia|auto]].
    + exists k. split; [lia|]. split; [auto|]. intros l L X. destruct (Nat.eq_dec l k) as [->|]; [lra|].
      assert (v l <= v a) by (apply C; [lia|auto]). lra.
    + exists a. split; [lia|]. split; [auto|]. intros l L X. destruct (Nat.eq_dec l k) as [->|]; [contradiction|apply C; [lia|auto]].
  - assert (N : forall l, (l < k)%nat -> ~ v l < hi).
    { intros l L X. assert (existsb (fun j => if Rlt_dec (v j) hi then true else false) (seq 0 k) = true); [|congruence].
      apply existsb_exists. exists l. split; [apply in_seq; lia|]. destruct (Rlt_dec (v l) hi); [auto|contradiction]. }
    assert (j = k) as ->. { destruct (Nat.eq_dec j k); [auto|]. exfalso. apply (N j); [lia|auto]. }
    exists k. split; [lia|]. split; [auto|]. intros l L X. destruct (Nat.eq_dec l k) as [->|]; [lra|]. exfalso. apply (N l); [lia|auto].
Qed.

Lemma fewer_filtered (l : list nat) p q x : (forall y, p y = true -> q y = true) -> In x l -> q x = true -> p x = false ->
  (length (filter p l) < length (filter q l))%nat.
Proof.
  intros PQ I Q P.
  assert (A : forall l, (length (filter p l) <= length (filter q l))%nat).
  { induction l0 as [|a l0 IH]; cbn; [lia|]. destruct (p a) eqn:E; [rewrite (PQ a E); cbn; lia|]. destruct (q a); cbn; lia. }
  induction l as [|a l IH]; [contradiction|]. cbn. destruct I as [->|I].
  - rewrite P, Q. cbn. specialize (A l). lia.
  - specialize (IH I). destruct (p a) eqn:E; [rewrite (PQ a E); cbn; lia|]. destruct (q a); cbn; lia.
Qed.

Lemma layers k g : 1 < g -> forall n v lo hi, (length (below k v hi) <= n)%nat ->
  (exists j, (j < k)%nat /\ v j = lo) -> (exists j, (j < k)%nat /\ v j = hi) -> (forall j, (j < k)%nat -> lo <= v j <= hi) ->
  exists w, (forall S, 0 <= w S) /\ (forall S, w S <> 0 -> varies k S = true) /\
  forall j, (j < k)%nat -> v j = over (sets k) (fun S => w S * ray g S j) + (g * lo - hi) / (g - 1).
Proof.
  intros G. induction n as [|n IH]; intros v lo hi Hn (jl & JL & EL) (jh & JH & EH) B.
  - assert (lo = hi) as <-.
    { specialize (B jl JL). rewrite EL in B. destruct (Rle_lt_or_eq_dec lo hi) as [X|]; [lra| |auto]. exfalso.
      assert (In jl (below k v hi)).
      { apply filter_In. split; [apply in_seq; lia|]. destruct (Rlt_dec (v jl) hi); [auto|lra]. }
      destruct (below k v hi); cbn in *; [contradiction|lia]. }
    exists (fun _ => 0). split; [intros; lra|]. split; [intros S X; lra|]. intros j J.
    rewrite (over_ext _ _ (fun _ => 0)), over_zero by (intros; ring). specialize (B j J). assert (v j = lo) as -> by lra. field. lra.
  - destruct (Req_dec lo hi) as [<-|N].
    { exists (fun _ => 0). split; [intros; lra|]. split; [intros S X; lra|]. intros j J.
      rewrite (over_ext _ _ (fun _ => 0)), over_zero by (intros; ring). specialize (B j J). assert (v j = lo) as -> by lra. field. lra. }
    assert (LH : lo < hi) by (specialize (B jl JL); lra).
    destruct (next_value k v hi) as (a & A & AH & AM); [exists jl; split; [auto|lra]|].
    set (v' := fun j => if Req_EM_T (v j) hi then v a else v j).
    assert (B' : forall j, (j < k)%nat -> lo <= v' j <= v a).
    { intros j J. unfold v'. destruct (Req_EM_T (v j) hi); [split; [apply B; auto|lra]|]. specialize (B j J).
      split; [apply B|]. apply AM; [auto|lra]. }
    destruct (IH v' lo (v a)) as (w & W & WV & E); [|exists jl|exists a| |]; [|split; auto|split; auto|auto|].
    { assert (length (below k v' (v a)) < length (below k v hi))%nat; [|lia].
      apply fewer_filtered with a; [| |destruct (Rlt_dec (v a) hi); [auto|contradiction]|].
      - intros y. unfold v'. destruct (Req_EM_T (v y) hi) as [X|X].
        + destruct (Rlt_dec (v a) (v a)); [lra|discriminate].
        + destruct (Rlt_dec (v y) (v a)) as [Y|]; [|discriminate]. intros _. destruct (Rlt_dec (v y) hi); [auto|lra].
      - apply in_seq. lia.
      - unfold v'. destruct (Req_EM_T (v a) hi); [lra|]. destruct (Rlt_dec (v a) (v a)); [lra|auto]. }
    { unfold v'. rewrite EL. destruct (Req_EM_T lo hi); [contradiction|auto]. }
    { unfold v'. destruct (Req_EM_T (v a) hi); auto. }
    set (T := set_where k (fun j => if Req_EM_T (v j) hi then true else false)).
    assert (TV : varies k T = true).
    { apply varies_spec. split; [exists jh|exists jl]; (split; [auto|]); unfold T; rewrite set_where_nth by auto.
      - destruct (Req_EM_T (v jh) hi); [auto|contradiction].
      - destruct (Req_EM_T (v jl) hi); [lra|auto]. }
    set (x := (hi - v a) / (g - 1)).
    assert (X0 : 0 <= x) by (unfold x, Rdiv; apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
    exists (fun S => w S + if set_eq_dec S T then x else 0). split; [|split].
    + intros S. specialize (W S). destruct (set_eq_dec S T); lra.
    + intros S H. destruct (set_eq_dec S T) as [->|]; [auto|]. apply WV. lra.
    + intros j J.
      rewrite (over_ext _ _ (fun S => w S * ray g S j + (if set_eq_dec S T then x * ray g T j else 0))).
      * rewrite over_plus, over_single by (apply sets_once || apply set_where_in).
        replace (v j) with (v' j + (if Req_EM_T (v j) hi then hi - v a else 0)).
        2:{ unfold v'. destruct (Req_EM_T (v j) hi) as [->|]; lra. }
        assert (RT : ray g T j = if Req_EM_T (v j) hi then g else 1).
        { unfold ray, T. rewrite set_where_nth by auto. destruct (Req_EM_T (v j) hi); auto. }
        rewrite (E j J), RT. unfold x. destruct (Req_EM_T (v j) hi); field; lra.
      * intros S _. destruct (set_eq_dec S T) as [->|]; ring.
Qed.

Lemma least_and_largest k (v : nat -> R) : (0 < k)%nat ->
  (exists i, (i < k)%nat /\ forall j, (j < k)%nat -> v i <= v j) /\ (exists i, (i < k)%nat /\ forall j, (j < k)%nat -> v j <= v i).
Proof.
  induction k as [|k IH]; intros H; [lia|]. destruct (Nat.eq_dec k 0) as [->|N].
  - split; exists O; (split; [lia|]); intros j J; replace j with O by lia; lra.
  - destruct IH as [(a & A & L) (b & B & M)]; [lia|]. split.
    + destruct (Rle_lt_dec (v a) (v k)) as [X|X]; [exists a|exists k]; (split; [lia|]); intros j J;
        (destruct (Nat.eq_dec j k) as [->|]; [lra|]; specialize (L j ltac:(lia)); lra).
    + destruct (Rle_lt_dec (v k) (v b)) as [X|X]; [exists b|exists k]; (split; [lia|]); intros j J;
        (destruct (Nat.eq_dec j k) as [->|]; [lra|]; specialize (M j ltac:(lia)); lra).
Qed.

Lemma split_row k g v : 1 < g -> (2 <= k)%nat -> (forall j l, (j < k)%nat -> (l < k)%nat -> v j <= g * v l) ->
  exists w, (forall S, 0 <= w S) /\ (forall S, w S <> 0 -> varies k S = true) /\
  forall j, (j < k)%nat -> v j = over (sets k) (fun S => w S * ray g S j).
Proof.
  intros G K R. destruct (least_and_largest k v ltac:(lia)) as [(a & A & L) (b & B & M)].
  destruct (layers k g G (length (below k v (v b))) v (v a) (v b)) as (w & W & WV & E); auto; [exists a; auto|exists b; auto|].
  set (c := (g * v a - v b) / (g - 1)) in *.
  assert (C : 0 <= c) by (unfold c, Rdiv; apply Rmult_le_pos; [specialize (R b a B A); lra|left; apply Rinv_0_lt_compat; lra]).
  set (x := c / (1 + g)). assert (X : 0 <= x) by (unfold x, Rdiv; apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; lra]).
  set (T := set_where k (fun j => Nat.eqb j 0)). set (U := set_where k (fun j => negb (Nat.eqb j 0))).
  assert (TV : varies k T = true).
  { apply varies_spec. split; [exists O|exists 1%nat]; (split; [lia|]); unfold T; rewrite set_where_nth by lia; auto. }
  assert (UV : varies k U = true).
  { apply varies_spec. split; [exists 1%nat|exists O]; (split; [lia|]); unfold U; rewrite set_where_nth by lia; auto. }
  exists (fun S => w S + ((if set_eq_dec S T then x else 0) + (if set_eq_dec S U then x else 0))). split; [|split].
  - intros S. specialize (W S). destruct (set_eq_dec S T), (set_eq_dec S U); lra.
  - intros S H. destruct (set_eq_dec S T) as [Y|Y], (set_eq_dec S U) as [Z|Z]; try (rewrite Y; auto; fail); try (rewrite Z; auto; fail).
    apply WV. lra.
  - intros j J.
    rewrite (over_ext _ _ (fun S => w S * ray g S j + ((if set_eq_dec S T then x * ray g T j else 0) + (if set_eq_dec S U then x * ray g U j else 0)))).
    + rewrite !over_plus, !over_single by (apply sets_once || apply set_where_in). rewrite (E j J). unfold ray, T, U.
      rewrite !set_where_nth by auto. unfold x. destruct (Nat.eqb j 0); cbn [negb]; field; lra.
    + intros S _. destruct (set_eq_dec S T) as [Y|Y], (set_eq_dec S U) as [Z|Z]; rewrite <- ?Y, <- ?Z; ring.
Qed.

Lemma choose {A} (a : A) n (Q : nat -> A -> Prop) : (forall i, (i < n)%nat -> exists x, Q i x) -> exists f, forall i, (i < n)%nat -> Q i (f i).
Proof.
  induction n as [|n IH]; intros H; [exists (fun _ => a); intros; lia|]. destruct IH as (f & F); [intros; apply H; lia|].
  destruct (H n ltac:(lia)) as (x & X). exists (fun i => if Nat.eqb i n then x else f i). intros i Hi.
  destruct (Nat.eqb_spec i n) as [->|]; [auto|apply F; lia].
Qed.

Lemma class_has_two_categories k m g P : 1 < g -> in_class k m g P -> (2 <= k)%nat.
Proof.
  intros G C. pose proof (positive_of_class _ _ _ _ G C) as Pos. destruct C as (_ & M & _ & Z & D).
  destruct (Z O ltac:(lia)) as (j & J & _). destruct (Nat.eq_dec k 1) as [->|]; [|lia]. exfalso.
  apply (D O 1%nat ltac:(lia) ltac:(lia) ltac:(lia)). pose proof (Pos O O ltac:(lia) ltac:(lia)). pose proof (Pos 1%nat O ltac:(lia) ltac:(lia)).
  exists (P O O / P 1%nat O). split; [apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]|].
  intros l L. replace l with O by lia. field. lra.
Qed.

Lemma split_class k m g P : 1 < g -> in_class k m g P ->
  exists w, forall i, (i < m)%nat -> (forall S, 0 <= w i S) /\ (forall S, w i S <> 0 -> varies k S = true) /\
  forall j, (j < k)%nat -> P i j = over (sets k) (fun S => w i S * ray g S j).
Proof.
  intros G C. pose proof (class_has_two_categories _ _ _ _ G C) as K.
  apply (choose (fun _ => 0) m (fun i w => (forall S, 0 <= w S) /\ (forall S, w S <> 0 -> varies k S = true) /\
    forall j, (j < k)%nat -> P i j = over (sets k) (fun S => w S * ray g S j))).
  intros i Hi. apply split_row; auto. intros j l J L. apply (rows_of_class _ _ _ _ G C); auto.
Qed.

(* Different sets have rays that are not proportional, if one varies. *)
Lemma rays_differ k g S T c : 1 < g -> In S (sets k) -> In T (sets k) -> varies k S = true -> 0 < c ->
  (forall j, (j < k)%nat -> ray g S j = c * ray g T j) -> S = T.
Proof.
  intros G IS IT V C E. destruct (set_eq_dec S T) as [|N]; [auto|]. exfalso.
  destruct (sets_differ k S T IS IT N) as (h & H & D). apply varies_spec in V. destruct V as [(j & J & Tj) (l & L & Tl)].
  pose proof (E h H) as Eh. pose proof (E j J) as Ej. pose proof (E l L) as El. pose proof (ray_bounds g T j G). pose proof (ray_bounds g T l G).
  unfold ray at 1 in Ej. unfold ray at 1 in El. rewrite Tj in Ej. rewrite Tl in El. unfold ray in Eh.
  assert (Hc : c * 1 <= c * ray g T l) by (apply Rmult_le_compat_l; lra).
  assert (Hd : c * ray g T j <= c * g) by (apply Rmult_le_compat_l; lra).
  destruct (nth h S false), (nth h T false); try congruence; [lra|].
  assert (c * g = 1) by lra. lra.
Qed.

(* Every procedure of the class is a garbling of one of the core. *)
Lemma domination k m g P : 1 < g -> in_class k m g P -> exists r A, in_core k r g A /\ garbling k r m A P.
Proof.
  intros G C. pose proof (class_has_two_categories _ _ _ _ G C) as K. destruct (split_class _ _ _ _ G C) as (w & Hw).
  pose proof C as ([NP SP] & _). set (W := fun S => sum m (fun i => w i S)).
  assert (W0 : forall S, 0 <= W S) by (intros S; apply sum_nonneg; intros i Hi; apply Hw; auto).
  set (l := filter (fun S => if Rlt_dec 0 (W S) then true else false) (sets k)).
  assert (Il : forall S, In S l -> In S (sets k) /\ 0 < W S /\ varies k S = true).
  { intros S H. apply filter_In in H. destruct H as [I P0]. destruct (Rlt_dec 0 (W S)) as [X|]; [|discriminate].
    split; [auto|]. split; [auto|]. unfold W in X.
    destruct (nonzero_term m (fun i => w i S) (fun i => w i S) _ eq_refl) as (i & Hi & Y); [lra|auto|]. apply (Hw i Hi); auto. }
  assert (Ll : forall h, (h < length l)%nat -> In (nth h l []) l) by (intros; apply nth_In; auto).
  assert (Ol : forall f, (forall S, In S (sets k) -> W S = 0 -> f S = 0) -> over l f = over (sets k) f).
  { intros f F. unfold l. rewrite over_filter. apply over_ext. intros S I. destruct (Rlt_dec 0 (W S)); [auto|]. symmetry. apply F; auto.
    specialize (W0 S). lra. }
  set (A := fun h j => W (nth h l []) * ray g (nth h l []) j).
  assert (Col : forall j, (j < k)%nat -> sum (length l) (fun h => A h j) = 1).
  { intros j J. unfold A. rewrite (sum_nth l (fun S => W S * ray g S j)), Ol by (intros S _ ->; ring).
    rewrite <- (SP j J). rewrite (sum_ext m (fun i => P i j) (fun i => over (sets k) (fun S => w i S * ray g S j))) by (intros; apply Hw; auto).
    rewrite <- over_sum. apply over_ext. intros S _. unfold W. rewrite <- sum_scal_r. reflexivity. }
  assert (MA : mechanism k (length l) A).
  { split; [|exact Col]. intros h j Hh J. unfold A. apply Rmult_le_pos; [auto|]. pose proof (ray_bounds g (nth h l []) j G). lra. }
  assert (L2 : (2 <= length l)%nat).
  { destruct (length l) as [|[|n]] eqn:E; [| |lia].
    - specialize (Col O ltac:(lia)). cbn in Col. lra.
    - destruct (Il (nth 0 l []) (Ll O ltac:(lia))) as (_ & _ & V). apply varies_spec in V. destruct V as [(j & J & Tj) (h & H & Th)].
      pose proof (Col j J) as Cj. pose proof (Col h H) as Ch. cbn [sum] in Cj, Ch. unfold A, ray in Cj, Ch. rewrite Tj in Cj. rewrite Th in Ch.
      assert (Wn : W (nth 0 l []) = 1) by lra. rewrite Wn in Cj. lra. }
  exists (length l), A. split.
  - apply core_iff; auto. split; [split; [auto|split; [auto|split; [|split]]]|].
    + apply parity_at_most; auto; [lra|]. intros h j i Hh J I. unfold A. pose proof (ray_bounds g (nth h l []) j G). pose proof (ray_bounds g (nth h l []) i G).
      specialize (W0 (nth h l [])).
      assert (ray g (nth h l []) j <= g * ray g (nth h l []) i).
      { apply Rle_trans with (g * 1); [lra|]. apply Rmult_le_compat_l; lra. }
      replace (g * (W (nth h l []) * ray g (nth h l []) i)) with (W (nth h l []) * (g * ray g (nth h l []) i)) by ring.
      apply Rmult_le_compat_l; auto.
    + intros h Hh. exists O. split; [lia|]. unfold A. destruct (Il _ (Ll h Hh)) as (_ & X & _). pose proof (ray_bounds g (nth h l []) O G).
      apply Rmult_integral_contrapositive_currified; lra.
    + intros h i Hh Hi N (c & C0 & E). destruct (Il _ (Ll h Hh)) as (I1 & X1 & V1). destruct (Il _ (Ll i Hi)) as (I2 & X2 & _).
      apply N. apply (NoDup_nth l []); auto; [apply NoDup_filter, sets_once|].
      apply (rays_differ k g _ _ (c * W (nth i l []) / W (nth h l []))); auto.
      * repeat apply Rmult_lt_0_compat; auto. apply Rinv_0_lt_compat; auto.
      * intros j J. apply (Rmult_eq_reg_l (W (nth h l []))); [|lra]. specialize (E j J). unfold A in E. rewrite E. field. lra.
    + intros h Hh. destruct (Il _ (Ll h Hh)) as (I & X & V). exists (W (nth h l [])), (nth h l []). auto.
  - exists (fun i h => w i (nth h l []) / W (nth h l [])). split; [split|].
    + intros i h Hi Hh. unfold Rdiv. destruct (Il _ (Ll h Hh)) as (_ & X & _). apply Rmult_le_pos; [apply Hw; auto|left; apply Rinv_0_lt_compat; auto].
    + intros h Hh. destruct (Il _ (Ll h Hh)) as (_ & X & _). unfold Rdiv. rewrite sum_scal_r. change (W (nth h l []) * / W (nth h l []) = 1). field. lra.
    + intros i j Hi J. unfold composed, A. rewrite (sum_ext _ _ (fun h => (fun S => w i S * ray g S j) (nth h l []))).
      * rewrite (sum_nth l (fun S => w i S * ray g S j)), Ol; [apply Hw; auto|].
        intros S _ Z. rewrite (sum_nonneg_zero m (fun i => w i S)) by (auto; intros a Ha; apply Hw; auto). ring.
      * intros h Hh. destruct (Il _ (Ll h Hh)) as (_ & X & _). cbv beta. field. lra.
Qed.

(* What is equivalent has the same rows: a kernel B with B P = P only mixes rows that are proportional. *)
Lemma composed_mechanism r m n C D : mechanism r m C -> mechanism m n D -> mechanism r n (composed m D C).
Proof.
  intros [NC SC] [ND SD]. split.
  - intros i u Hi Hu. apply sum_nonneg. intros h Hh. apply Rmult_le_pos; auto.
  - intros u Hu. unfold composed. rewrite sum_swap. rewrite (sum_ext m _ (fun h => C h u)); auto. intros h Hh. rewrite sum_scal_r, SD by auto. ring.
Qed.

Lemma zero_terms n f : sum n f = 0 -> (forall i, (i < n)%nat -> 0 <= f i) -> forall i, (i < n)%nat -> f i = 0.
Proof. intros Z N. apply sum_nonneg_zero; auto. Qed.

Lemma fixed_rows k r B P : mechanism r r B -> (forall i, (i < r)%nat -> 0 < sum k (P i)) ->
  (forall i j, (i < r)%nat -> (j < k)%nat -> P i j = composed r B P i j) ->
  forall i u, (i < r)%nat -> (u < r)%nat -> B i u <> 0 -> proportional k (P u) (P i).
Proof.
  intros [NB SB] S0 E i u Hi Hu Nz. set (s := fun i => sum k (P i)) in *.
  assert (Bs : forall i, (i < r)%nat -> sum r (fun u => B i u * s u) = s i).
  { intros a Ha. unfold s. rewrite (sum_ext r _ (fun u => sum k (fun j => B a u * P u j))) by (intros; rewrite sum_scal; auto).
    rewrite sum_swap. apply sum_ext. intros j J. symmetry. apply E; auto. }
  exists (s u / s i). pose proof (S0 i Hi). pose proof (S0 u Hu). split; [apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]|].
  intros j J. set (x := fun u => P u j / s u).
  assert (Sx : forall u, (u < r)%nat -> s u * x u = P u j) by (intros a Ha; unfold x; field; specialize (S0 a Ha); unfold s; lra).
  assert (Z : sum r (fun i => sum r (fun u => B i u * s u * (x u - x i) ^ 2)) = 0).
  { rewrite (sum_ext r _ (fun i => sum r (fun u => B i u * (s u * x u ^ 2)) + (- s i * x i ^ 2))).
    - rewrite sum_plus, sum_swap. rewrite (sum_ext r _ (fun u => s u * x u ^ 2)).
      + rewrite <- sum_plus. apply sum_zero. intros; ring.
      + intros a Ha. rewrite sum_scal_r, SB by auto. ring.
    - intros a Ha. rewrite (sum_ext r _ (fun u => B a u * (s u * x u ^ 2) + ((-2 * x a) * (B a u * P u j) + x a ^ 2 * (B a u * s u)))).
      + rewrite !sum_plus, !sum_scal, Bs by auto. change (sum r (fun u => B a u * P u j)) with (composed r B P a j). rewrite <- E, <- Sx by auto. ring.
      + intros b Hb. rewrite <- (Sx b Hb). ring. }
  assert (T : forall a b, (a < r)%nat -> (b < r)%nat -> 0 <= B a b * s b * (x b - x a) ^ 2).
  { intros a b Ha Hb. apply Rmult_le_pos; [apply Rmult_le_pos; auto; left; apply S0; auto|apply pow2_ge_0]. }
  pose proof (zero_terms _ _ Z (fun a Ha => sum_nonneg r _ (fun b Hb => T a b Ha Hb)) i Hi) as Y. cbv beta in Y.
  pose proof (zero_terms _ _ Y (fun b Hb => T i b Hi Hb) u Hu) as X. cbv beta in X.
  apply Rmult_integral in X. destruct X as [X|X]; [apply Rmult_integral in X; unfold s in X; destruct X; [contradiction|lra]|].
  assert (x u = x i) as Xe by (assert (x u - x i = 0) by (apply Rsqr_0_uniq; unfold Rsqr; lra); lra).
  rewrite <- (Sx u Hu), Xe. unfold x. fold (s i). field. unfold s; lra.
Qed.

Lemma class_sums k m g P : 1 < g -> in_class k m g P -> forall i, (i < m)%nat -> 0 < sum k (P i).
Proof.
  intros G C i Hi. pose proof (class_has_two_categories _ _ _ _ G C). pose proof (positive_of_class _ _ _ _ G C) as Pos.
  apply (sum_pos k (P i) O); [intros; left; apply Pos; auto|lia|apply Pos; auto; lia].
Qed.

Lemma identity_of_class k r g P B : 1 < g -> in_class k r g P -> mechanism r r B ->
  (forall i j, (i < r)%nat -> (j < k)%nat -> P i j = composed r B P i j) ->
  forall i u, (i < r)%nat -> (u < r)%nat -> i <> u -> B i u = 0.
Proof.
  intros G C M E i u Hi Hu N. destruct (Req_dec (B i u) 0) as [|Z]; [auto|]. exfalso. destruct C as (C1 & C2 & C3 & C4 & D) eqn:X.
  apply (D u i Hu Hi ltac:(auto)). apply (fixed_rows k r B P M (class_sums k r g P G C) E i u); auto.
Qed.

Lemma composed_assoc k m r n C D P : forall i j, (i < n)%nat -> (j < k)%nat ->
  composed m D (composed r C P) i j = composed r (composed m D C) P i j.
Proof.
  intros i j _ _. unfold composed.
  rewrite (sum_ext m _ (fun h => sum r (fun u => D i h * C h u * P u j))) by (intros; rewrite <- sum_scal; apply sum_ext; intros; ring).
  rewrite sum_swap. apply sum_ext. intros u _. rewrite <- sum_scal_r. reflexivity.
Qed.

Theorem chai_nayak_theorem_4_1_equivalent_iff_the_rows_are_permuted : forall k m r gamma A P,
  1 < gamma -> in_class k m gamma A -> in_class k r gamma P ->
  (equivalent k r m P A <->
   m = r /\ exists C, permutation_matrix m C /\ forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed r C P i j).
Proof.
  intros k m r g A P G KA KP. split.
  - intros [(C & MC & EC) (D & MD & ED)].
    assert (X : m = r /\ permutation_matrix m C); [|destruct X as [X Y]; split; [auto|exists C; auto]].
    pose proof (identity_of_class k r g P (composed m D C) G KP (composed_mechanism r m r C D MC MD)) as IP.
    pose proof (identity_of_class k m g A (composed r C D) G KA (composed_mechanism m r m D C MD MC)) as IA.
    specialize (IP ltac:(intros i j Hi J; rewrite <- (composed_assoc k m r r) by auto; rewrite ED by auto; apply sum_ext; intros h Hh; rewrite EC by auto; reflexivity)).
    specialize (IA ltac:(intros i j Hi J; rewrite <- (composed_assoc k r m m) by auto; rewrite EC by auto; apply sum_ext; intros h Hh; rewrite ED by auto; reflexivity)).
    destruct MC as [NC SC], MD as [ND SD].
    assert (ZP : forall i u h, (i < r)%nat -> (u < r)%nat -> (h < m)%nat -> i <> u -> D i h * C h u = 0).
    { intros i u h Hi Hu Hh N. apply (sum_nonneg_zero m (fun h => D i h * C h u)); auto. intros; apply Rmult_le_pos; auto. apply IP; auto. }
    assert (ZA : forall i u h, (i < m)%nat -> (u < m)%nat -> (h < r)%nat -> i <> u -> C i h * D h u = 0).
    { intros i u h Hi Hu Hh N. apply (sum_nonneg_zero r (fun h => C i h * D h u)); auto. intros; apply Rmult_le_pos; auto. apply IA; auto. }
    apply kernel_is_permutation; [split; auto|..].
    + intros i Hi. destruct KA as (_ & _ & _ & Z & _). destruct (Z i Hi) as (j & J & X).
      destruct (nonzero_term r (fun h => C i h * P h j) (fun h => C i h * P h j) (A i j)) as (u & Hu & Y); auto.
      { rewrite EC by auto. reflexivity. }
      exists u. split; auto. intros Z0. apply Y. rewrite Z0. ring.
    + intros i u h Hi Hu Hh X Y.
      destruct (nonzero_term r (fun a => D a i) (fun a => D a i) 1) as (a & Ha & Z); [auto|lra|auto|].
      assert (Ua : u = a). { destruct (Nat.eq_dec a u); [auto|]. destruct (Rmult_integral _ _ (ZP a u i Ha Hu Hi n)); contradiction. }
      assert (Va : h = a). { destruct (Nat.eq_dec a h); [auto|]. destruct (Rmult_integral _ _ (ZP a h i Ha Hh Hi n)); contradiction. }
      congruence.
    + intros i h u Hi Hh Hu X Y. destruct (Nat.eq_dec i h) as [|N]; [auto|]. exfalso.
      destruct KP as (_ & _ & _ & Z & _). destruct (Z u Hu) as (j & J & Q). apply Q. rewrite ED by auto. apply sum_zero. intros a Ha.
      destruct (Nat.eq_dec i a) as [<-|Na].
      * destruct (Rmult_integral _ _ (ZA h i u Hh Hi Hu ltac:(auto))) as [|W]; [contradiction|]. rewrite W. ring.
      * destruct (Rmult_integral _ _ (ZA i a u Hi Ha Hu Na)) as [|W]; [contradiction|]. rewrite W. ring.
  - intros (<- & C & Y & E). apply (permutation_kernels k m C P A); auto.
Qed.

Theorem chai_nayak_theorem_4_2_the_core_is_admissible : forall k m gamma A,
  1 < gamma -> in_core k m gamma A -> admissible k m gamma A.
Proof.
  intros k m g A G KA. split; [apply KA|]. intros (r & P & KP & (C & MC & E) & N).
  destruct (rigidity k r m g A P C G KA KP MC E) as (<- & Y & _). apply N. apply (permutation_kernels k m C P A); auto.
Qed.

(* What the proof of Theorem 4.2 shows beside it: what is sufficient for A is A in another order. *)
Theorem chai_nayak_theorem_4_2_proof_what_is_sufficient_for_the_core_is_a_permutation : forall k r m gamma A P C,
  1 < gamma -> in_core k m gamma A -> in_class k r gamma P -> mechanism r m C ->
  (forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed r C P i j) ->
  m = r /\ permutation_matrix m C /\ in_core k r gamma P.
Proof. intros k r m g A P C G KA KP MC E. apply (rigidity k r m g A P C); auto. Qed.

Theorem chai_nayak_corollary_4_1_nothing_else_is_equivalent_to_the_core : forall k m r gamma A P,
  1 < gamma -> in_core k m gamma A -> in_class k r gamma P -> ~ in_core k r gamma P ->
  ~ equivalent k r m P A /\ (better k m r A P <-> garbling k m r A P).
Proof.
  intros k m r g A P G KA KP N.
  assert (X : ~ garbling k r m P A).
  { intros (C & MC & E). destruct (rigidity k r m g A P C G KA KP MC E) as (_ & _ & Y). contradiction. }
  split; [intros [Y _]; contradiction|]. split; [intros [Y _]; auto|intros Y; split; auto].
Qed.

(* The complete class: what is outside of the core is dominated strictly by a procedure of the core. *)
Theorem chai_nayak_theorem_4_3_the_core_is_a_complete_class : forall k m gamma P,
  1 < gamma -> in_class k m gamma P -> ~ in_core k m gamma P ->
  exists r A, in_core k r gamma A /\ better k r m A P.
Proof.
  intros k m g P G KP N. destruct (domination k m g P G KP) as (r & A & KA & Y). exists r, A. split; [auto|].
  apply (chai_nayak_corollary_4_1_nothing_else_is_equivalent_to_the_core k r m g A P); auto.
Qed.

Theorem chai_nayak_theorem_4_3_admissible_iff_in_the_core : forall k m gamma P,
  1 < gamma -> in_class k m gamma P -> (admissible k m gamma P <-> in_core k m gamma P).
Proof.
  intros k m g P G KP. split; [|apply chai_nayak_theorem_4_2_the_core_is_admissible; auto]. intros [_ I].
  destruct (classic (in_core k m g P)) as [|N]; [auto|]. exfalso. apply I.
  destruct (chai_nayak_theorem_4_3_the_core_is_a_complete_class k m g P G KP N) as (r & A & KA & B). exists r, A. split; [apply KA|auto].
Qed.

(* Minimal: every class that dominates what it leaves out contains the core. *)
Theorem chai_nayak_theorem_4_3_the_core_is_in_every_complete_class : forall k gamma (K : nat -> (nat -> nat -> R) -> Prop),
  1 < gamma -> (forall m P, K m P -> in_class k m gamma P) ->
  (forall m P, in_class k m gamma P -> ~ K m P -> exists r A, K r A /\ better k r m A P) ->
  forall m P, in_core k m gamma P -> K m P.
Proof.
  intros k g K G In Complete m P KP. destruct (classic (K m P)) as [|N]; [auto|]. exfalso.
  destruct (Complete m P (proj1 KP) N) as (r & A & KA & B).
  destruct (chai_nayak_theorem_4_2_the_core_is_admissible k m g P G KP) as [_ I]. apply I. exists r, A. split; [apply In|]; auto.
Qed.

Theorem chai_nayak_lemma_4_2_parity_between_one_and_gamma_is_inadmissible : forall k m gamma A i eta,
  1 < gamma -> in_class k m gamma A -> (i < m)%nat -> row_parity k A i = Finite eta -> 1 < eta < gamma ->
  inadmissible k m gamma A.
Proof.
  intros k m g A i e G KA Hi E B.
  destruct (chai_nayak_theorem_4_3_the_core_is_a_complete_class k m g A G KA) as (r & P & KP & X).
  - intros (_ & C1 & _). specialize (C1 i Hi). rewrite E in C1. injection C1. lra.
  - exists r, P. split; [apply KP|auto].
Qed.

Theorem chai_nayak_lemma_4_3_a_procedure_with_C1_is_sufficient : forall k m gamma A,
  1 < gamma -> in_class k m gamma A ->
  (forall i, (i < m)%nat -> row_parity k A i = Finite 1 \/ row_parity k A i = Finite gamma) ->
  (exists i, (i < m)%nat /\ row_parity k A i = Finite 1) ->
  exists r P, in_class k r gamma P /\ garbling k r m P A /\ condition_C1 k r gamma P.
Proof.
  intros k m g A G KA _ _. destruct (domination k m g A G KA) as (r & P & (KP & C1 & _) & X). exists r, P. auto.
Qed.

Theorem chai_nayak_lemma_4_4_C1_without_C2_is_inadmissible : forall k m gamma A,
  1 < gamma -> in_class k m gamma A -> condition_C1 k m gamma A -> ~ condition_C2 k m A -> inadmissible k m gamma A.
Proof.
  intros k m g A G KA _ N.
  destruct (chai_nayak_theorem_4_3_the_core_is_a_complete_class k m g A G KA) as (r & P & KP & X).
  - intros (_ & _ & C2). contradiction.
  - exists r, P. split; [apply KP|auto].
Qed.

(* The linear program: the gain of a splitting is a sum of squares. *)
Lemma nonempty_in k S : In S (nonempty_sets k) -> In S (sets k).
Proof. intros I. apply filter_In in I. apply I. Qed.

Lemma ray_sum k g S : 1 < g -> (0 < k)%nat -> 0 < sum k (ray g S).
Proof.
  intros G K. apply (sum_pos k (ray g S) O); auto; [intros j _|]; [pose proof (ray_bounds g S j G)|pose proof (ray_bounds g S O G)]; lra.
Qed.

Lemma size_of_parts k g p l w : 1 < g -> (0 < k)%nat -> 0 < sum k p ->
  (forall j, (j < k)%nat -> p j = over l (fun S => w S * ray g S j)) ->
  over l (fun S => w S * size k (ray g S)) - size k p =
  over l (fun S => w S * sum k (ray g S) * sum k (fun j => (ray g S j / sum k (ray g S) - p j / sum k p) ^ 2)).
Proof.
  intros G K P E. set (s := sum k p) in *. set (q := sum k (fun j => p j ^ 2)).
  rewrite (over_ext l (fun S => w S * sum k (ray g S) * _)
    (fun S => w S * size k (ray g S) + (sum k (fun j => (-2 / s * p j) * (w S * ray g S j)) + sum k (fun j => (q / s ^ 2) * (w S * ray g S j))))).
  - rewrite !over_plus, !over_sum.
    rewrite (sum_ext k (fun j => over l (fun S => -2 / s * p j * (w S * ray g S j))) (fun j => -2 / s * p j ^ 2)).
    2:{ intros j J. rewrite over_scal, <- E by auto. ring. }
    rewrite (sum_ext k (fun j => over l (fun S => q / s ^ 2 * (w S * ray g S j))) (fun j => q / s ^ 2 * p j)).
    2:{ intros j J. rewrite over_scal, <- E by auto. ring. }
    rewrite !sum_scal. fold s q. unfold size. fold s q. field. lra.
  - intros S _. pose proof (ray_sum k g S G K) as R. set (t := sum k (ray g S)) in *.
    rewrite (sum_ext k (fun j => (ray g S j / t - p j / s) ^ 2)
      (fun j => (/ t ^ 2) * ray g S j ^ 2 + ((-2 / (t * s) * p j) * ray g S j + (/ s ^ 2) * p j ^ 2))) by (intros; field; lra).
    rewrite !sum_plus, !sum_scal. fold q. unfold size. fold t.
    rewrite (sum_ext k (fun j => -2 / (t * s) * p j * ray g S j) (fun j => -2 / (t * s) * (p j * ray g S j))) by (intros; ring).
    rewrite (sum_ext k (fun j => -2 / s * p j * (w S * ray g S j)) (fun j => -2 / s * w S * (p j * ray g S j))) by (intros; ring).
    rewrite !sum_scal. fold t. field. lra.
Qed.

Lemma gain_terms k m g P w : 1 < g -> in_class k m g P -> splitting k m g P w ->
  gain k m g P w = sum m (fun i => over (nonempty_sets k) (fun S => w i S * sum k (ray g S) *
    sum k (fun j => (ray g S j / sum k (ray g S) - P i j / sum k (P i)) ^ 2))).
Proof.
  intros G C Sp. pose proof (class_has_two_categories _ _ _ _ G C) as K. apply sum_ext. intros i Hi.
  apply size_of_parts; auto; [lia|apply (class_sums k m g P); auto|apply Sp; auto].
Qed.

Lemma terms_nonneg k g p S (x : R) : 1 < g -> (0 < k)%nat -> 0 <= x ->
  0 <= x * sum k (ray g S) * sum k (fun j => (ray g S j / sum k (ray g S) - p j / sum k p) ^ 2).
Proof.
  intros G K X. pose proof (ray_sum k g S G K). apply Rmult_le_pos; [apply Rmult_le_pos; lra|]. apply sum_nonneg. intros; apply pow2_ge_0.
Qed.

Theorem chai_nayak_theorem_4_3_linear_program_of_the_finest_splitting : forall k m gamma P,
  1 < gamma -> in_class k m gamma P ->
  (exists w, splitting k m gamma P w) /\
  (forall w, splitting k m gamma P w -> 0 <= gain k m gamma P w) /\
  (admissible k m gamma P <-> forall w, splitting k m gamma P w -> gain k m gamma P w = 0).
Proof.
  intros k m g P G C. pose proof (class_has_two_categories _ _ _ _ G C) as K. pose proof (class_sums _ _ _ _ G C) as S0.
  destruct (split_class k m g P G C) as (w & Hw).
  assert (Sw : splitting k m g P w).
  { intros i Hi. destruct (Hw i Hi) as (W & V & E). split; [intros; auto|]. intros j J. rewrite (E j J). unfold nonempty_sets. rewrite over_filter.
    apply over_ext. intros S I. destruct (existsb (fun b => b) S) eqn:X; [auto|].
    destruct (Req_dec (w i S) 0) as [->|Z]; [ring|]. exfalso. pose proof (varying_nonempty k S I (V S Z)) as Y. apply filter_In in Y. destruct Y. congruence. }
  split; [exists w; auto|]. split; [|split].
  - intros x Sx. rewrite gain_terms by auto. apply sum_nonneg. intros i Hi. apply over_nonneg. intros S I.
    apply terms_nonneg; auto; [lia|apply Sx; auto].
  - intros Ad x Sx. apply chai_nayak_theorem_4_3_admissible_iff_in_the_core in Ad; auto. apply core_iff in Ad; auto. destruct Ad as [_ T].
    rewrite gain_terms by auto. apply sum_zero. intros i Hi. rewrite (over_ext _ _ (fun _ => 0)); [apply over_zero|]. intros S I.
    destruct (Req_dec (x i S) 0) as [->|Nz]; [ring|]. destruct (Sx i Hi) as [X0 E]. destruct (T i Hi) as (c & U & C0 & IU & V & F).
    apply varies_spec in V. destruct V as [(j0 & J0 & T0) (l0 & L0 & F0)].
    assert (Y : forall j l, (j < k)%nat -> (l < k)%nat -> nth j U false = true -> nth l U false = false -> ray g S j = g * ray g S l).
    { intros j l J L Tj Tl.
      assert (Z : over (nonempty_sets k) (fun Q => x i Q * (g * ray g Q l - ray g Q j)) = 0).
      { rewrite (over_ext _ _ (fun Q => g * (x i Q * ray g Q l) + (-1) * (x i Q * ray g Q j))) by (intros; ring).
        rewrite over_plus, !over_scal, <- !E, !F by auto. unfold ray. rewrite Tj, Tl. ring. }
      assert (N : forall Q, In Q (nonempty_sets k) -> 0 <= x i Q * (g * ray g Q l - ray g Q j)).
      { intros Q IQ. apply Rmult_le_pos; [auto|]. pose proof (ray_bounds g Q l G). pose proof (ray_bounds g Q j G).
        assert (g * 1 <= g * ray g Q l) by (apply Rmult_le_compat_l; lra). lra. }
      pose proof (over_term _ _ S N I) as M. pose proof (N S I) as M0. cbv beta in M, M0. rewrite Z in M.
      assert (W : x i S * (g * ray g S l - ray g S j) = 0) by lra. apply Rmult_integral in W. destruct W; [contradiction|lra]. }
    assert (Q : forall j, (j < k)%nat -> P i j = c * ray g S j).
    { intros j J. rewrite F by auto. f_equal. unfold ray at 1. destruct (nth j U false) eqn:Tj.
      - pose proof (Y j l0 J L0 Tj F0) as Y1. unfold ray in *. destruct (nth j S false), (nth l0 S false); nra.
      - pose proof (Y j0 j J0 J T0 Tj) as Y1. unfold ray in *. destruct (nth j S false), (nth j0 S false); nra. }
    rewrite (sum_zero k (fun j => (ray g S j / sum k (ray g S) - P i j / sum k (P i)) ^ 2)); [ring|]. intros j J. rewrite (sum_ext k (P i) (fun j => c * ray g S j)) by auto. rewrite sum_scal, Q by auto.
    pose proof (ray_sum k g S G ltac:(lia)). field. lra.
  - intros Z. apply chai_nayak_theorem_4_3_admissible_iff_in_the_core; auto. apply core_iff; auto. split; [auto|]. intros i Hi.
    specialize (Z w Sw). rewrite gain_terms in Z by auto. destruct (Sw i Hi) as [W E].
    assert (K0 : (0 < k)%nat) by lia.
    pose proof (zero_terms _ _ Z (fun a Ha => over_nonneg _ _ (fun S I => terms_nonneg k g (P a) S _ G K0 (proj1 (Sw a Ha) S I))) i Hi) as Y. cbv beta in Y.
    assert (X : exists S, In S (nonempty_sets k) /\ w i S <> 0).
    { destruct (classic (exists S, In S (nonempty_sets k) /\ w i S <> 0)) as [|N]; [auto|]. exfalso. specialize (S0 i Hi).
      rewrite (sum_zero k) in S0; [lra|]. intros j J. rewrite E by auto. rewrite (over_ext _ _ (fun _ => 0)); [apply over_zero|]. intros S I.
      destruct (Req_dec (w i S) 0) as [->|Nz]; [ring|]. exfalso. apply N. exists S. auto. }
    destruct X as (S & I & Nz). destruct (Hw i Hi) as (_ & V & _). pose proof (ray_sum k g S G ltac:(lia)) as R.
    assert (N : forall Q, In Q (nonempty_sets k) -> 0 <= w i Q * sum k (ray g Q) * sum k (fun j => (ray g Q j / sum k (ray g Q) - P i j / sum k (P i)) ^ 2))
      by (intros Q IQ; apply terms_nonneg; auto; lia).
    pose proof (over_term _ _ S N I) as M. pose proof (N S I) as M0. cbv beta in M, M0. rewrite Y in M.
    set (q := sum k (fun j => (ray g S j / sum k (ray g S) - P i j / sum k (P i)) ^ 2)) in *.
    assert (O : w i S * sum k (ray g S) * q = 0) by lra. apply Rmult_integral in O. destruct O as [O|O]; [apply Rmult_integral in O; destruct O; [contradiction|lra]|].
    exists (sum k (P i) / sum k (ray g S)), S. split; [apply Rmult_lt_0_compat; [apply S0; auto|apply Rinv_0_lt_compat; auto]|].
    split; [apply nonempty_in; auto|]. split; [apply V; auto|]. intros j J.
    pose proof (zero_terms _ _ O (fun h Hh => pow2_ge_0 _) j J) as D. cbv beta in D.
    assert (D1 : ray g S j / sum k (ray g S) - P i j / sum k (P i) = 0) by (apply Rsqr_0_uniq; unfold Rsqr; lra).
    specialize (S0 i Hi). assert (D2 : ray g S j / sum k (ray g S) = P i j / sum k (P i)) by lra.
    replace (P i j) with (P i j / sum k (P i) * sum k (P i)) by (field; lra). rewrite <- D2. field. lra.
Qed.

(* The procedure that the printed proof of Lemma 4.3 constructs: the constant row d is deleted, the others are divided by the rest. *)
Definition skip (d h : nat) : nat := if Nat.ltb h d then h else S h.

Lemma skip_apart d h : skip d h <> d.
Proof. unfold skip. destruct (Nat.ltb_spec h d); lia. Qed.
Lemma skip_once d h i : skip d h = skip d i -> h = i.
Proof. unfold skip. destruct (Nat.ltb_spec h d), (Nat.ltb_spec i d); lia. Qed.
Lemma skip_inside m d h : (d < m)%nat -> (h < m - 1)%nat -> (skip d h < m)%nat.
Proof. unfold skip. destruct (Nat.ltb_spec h d); lia. Qed.
Lemma skip_reaches m d i : (d < m)%nat -> (i < m)%nat -> i <> d -> exists h, (h < m - 1)%nat /\ skip d h = i.
Proof.
  intros D I N. exists (if Nat.ltb i d then i else (i - 1)%nat). unfold skip. destruct (Nat.ltb_spec i d); [split; [lia|]|split; [lia|]].
  - destruct (Nat.ltb_spec i d); lia.
  - destruct (Nat.ltb_spec (i - 1) d); lia.
Qed.
Lemma sum_skip m d f : (d < m)%nat -> sum m f = f d + sum (m - 1) (fun h => f (skip d h)).
Proof.
  induction m as [|m IH]; intros D; [lia|]. replace (S m - 1)%nat with m by lia. cbn [sum]. destruct (Nat.eq_dec d m) as [->|N].
  - rewrite (sum_ext m (fun h => f (skip m h)) f); [ring|]. intros h H. unfold skip. destruct (Nat.ltb_spec h m); [auto|lia].
  - rewrite IH by lia. destruct m as [|n]; [lia|]. cbn [sum]. replace (S n - 1)%nat with n by lia.
    replace (skip d n) with (S n); [ring|]. unfold skip. destruct (Nat.ltb_spec n d); [lia|auto].
Qed.
Lemma maximum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> maximum n f = maximum n g.
Proof. induction n; intros H; cbn [maximum]; [auto|]. rewrite IHn, (H n); auto. Qed.

Lemma constant_row k m A i : mechanism k m A -> (i < m)%nat -> row_parity k A i = Finite 1 ->
  forall j l, (j < k)%nat -> (l < k)%nat -> A i j = A i l.
Proof.
  intros [N _] Hi E.
  assert (L : forall j l, (j < k)%nat -> (l < k)%nat -> A i j <= A i l).
  { intros j l J L. pose proof (at_most_refl (row_parity k A i)) as W. rewrite E in W at 2. unfold row_parity in W.
    apply maximum_at_most in W. destruct W as [_ W]. specialize (W j J). apply maximum_at_most in W. destruct W as [_ W].
    specialize (W l L). apply ratio_at_most in W; auto; lra. }
  intros j l J K. pose proof (L j l J K). pose proof (L l j K J). lra.
Qed.

Theorem chai_nayak_lemma_4_3_proof_the_constant_row_is_deleted : forall k m gamma A d,
  1 < gamma -> in_class k m gamma A ->
  (forall i, (i < m)%nat -> row_parity k A i = Finite 1 \/ row_parity k A i = Finite gamma) ->
  (d < m)%nat -> row_parity k A d = Finite 1 ->
  let delta := A d 0%nat in
  let P := fun h j => A (skip d h) j / (1 - delta) in
  let C := fun i h => if Nat.eqb i d then delta else if Nat.eqb i (skip d h) then 1 - delta else 0 in
  in_class k (m - 1) gamma P /\ condition_C1 k (m - 1) gamma P /\ mechanism (m - 1) m C /\
  forall i j, (i < m)%nat -> (j < k)%nat -> A i j = composed (m - 1) C P i j.
Proof.
  intros k m g A d G KA Par Hd Ed delta P C. pose proof (class_has_two_categories _ _ _ _ G KA) as K.
  pose proof (positive_of_class _ _ _ _ G KA) as Pos. pose proof (rows_of_class _ _ _ _ G KA) as R.
  pose proof KA as (MA & M2 & _ & _ & D). pose proof MA as [NA SA].
  assert (Cd : forall j, (j < k)%nat -> A d j = delta) by (intros j J; apply (constant_row k m A d MA Hd Ed); auto; lia).
  assert (Rest : forall j, (j < k)%nat -> sum (m - 1) (fun h => A (skip d h) j) = 1 - delta).
  { intros j J. pose proof (SA j J) as S1. rewrite (sum_skip m d _ Hd), Cd in S1 by auto. lra. }
  assert (D1 : 0 < 1 - delta).
  { rewrite <- (Rest O ltac:(lia)). apply (sum_pos _ _ O); [intros h Hh; left|lia|]; apply Pos; try lia; apply skip_inside; auto; lia. }
  assert (D0 : 0 < delta) by (apply Pos; auto; lia).
  assert (NC : forall h, (h < m - 1)%nat -> row_parity k A (skip d h) = Finite g).
  { intros h Hh. pose proof (skip_inside m d h Hd Hh) as I. destruct (Par _ I) as [E|E]; [|auto]. exfalso.
    apply (D (skip d h) d I Hd (skip_apart d h)). exists (A (skip d h) O / delta).
    split; [apply Rmult_lt_0_compat; [apply Pos; auto; lia|apply Rinv_0_lt_compat; auto]|]. intros j J.
    rewrite (Cd j J), (constant_row k m A _ MA I E j O J) by lia. field. lra. }
  assert (MP : mechanism k (m - 1) P).
  { split.
    - intros h j Hh J. unfold P, Rdiv. apply Rmult_le_pos; [apply NA; [apply skip_inside; auto|auto]|left; apply Rinv_0_lt_compat; auto].
    - intros j J. unfold P, Rdiv. rewrite sum_scal_r, Rest by auto. field. lra. }
  assert (PP : forall h, (h < m - 1)%nat -> row_parity k P h = Finite g).
  { intros h Hh. rewrite <- (NC h Hh). unfold row_parity. apply maximum_ext. intros j J. apply maximum_ext. intros l L.
    pose proof (Pos (skip d h) l (skip_inside m d h Hd Hh) L) as P0. assert (0 < P h l).
    { unfold P. apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]. }
    unfold ratio. destruct (Req_EM_T (P h l) 0); [lra|]. destruct (Req_EM_T (A (skip d h) l) 0); [lra|]. f_equal. unfold P. field. lra. }
  split; [split; [auto|split; [|split; [|split]]]|split; [auto|split; [split|]]].
  - destruct (Nat.eq_dec m 2) as [->|]; [|lia]. exfalso.
    apply (D (skip d 0) d (skip_inside 2 d 0 Hd ltac:(lia)) Hd (skip_apart d 0)). exists ((1 - delta) / delta).
    split; [apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto]|]. intros j J. rewrite (Cd j J).
    pose proof (Rest j J) as X. cbn [Nat.sub sum] in X. replace (A (skip d 0) j) with (1 - delta) by lra. field. lra.
  - apply parity_at_most; [auto|lra|]. intros h j l Hh J L. unfold P, Rdiv. rewrite <- Rmult_assoc. apply Rmult_le_compat_r.
    + left. apply Rinv_0_lt_compat; auto.
    + apply R; auto. apply skip_inside; auto.
  - intros h Hh. exists O. split; [lia|]. unfold P. pose proof (Pos (skip d h) O (skip_inside m d h Hd Hh) ltac:(lia)).
    apply Rgt_not_eq. apply Rmult_lt_0_compat; [auto|apply Rinv_0_lt_compat; auto].
  - intros h i Hh Hi N (c & C0 & E). apply (D (skip d h) (skip d i)); try (apply skip_inside; auto).
    + intros X. apply N, (skip_once d); auto.
    + exists c. split; [auto|]. intros j J. specialize (E j J). unfold P in E.
      apply (Rmult_eq_reg_r (/ (1 - delta))); [|apply Rinv_neq_0_compat; lra]. unfold Rdiv in E. rewrite E. ring.
  - intros i h _ _. unfold C. destruct (Nat.eqb i d), (Nat.eqb i (skip d h)); lra.
  - intros h Hh. rewrite (sum_skip m d _ Hd). unfold C at 1. rewrite Nat.eqb_refl.
    rewrite (sum_ext (m - 1) _ (fun a => if Nat.eqb a h then 1 - delta else 0)); [rewrite sum_single by auto; lra|].
    intros a Ha. unfold C. destruct (Nat.eqb_spec (skip d a) d) as [X|_]; [destruct (skip_apart d a X)|].
    destruct (Nat.eqb_spec (skip d a) (skip d h)) as [X|X], (Nat.eqb_spec a h) as [Y|Y]; auto; [destruct Y; apply (skip_once d); auto|congruence].
  - intros i j Hi J. unfold composed, C. destruct (Nat.eqb_spec i d) as [->|N].
    + rewrite sum_scal, (proj2 MP) by auto. rewrite (Cd j J). ring.
    + destruct (skip_reaches m d i Hd Hi N) as (h0 & H0 & <-).
      rewrite (sum_ext (m - 1) _ (fun h => if Nat.eqb h h0 then A (skip d h0) j else 0)); [symmetry; apply sum_single; auto|].
      intros h Hh. destruct (Nat.eqb_spec (skip d h0) (skip d h)) as [X|X], (Nat.eqb_spec h h0) as [Y|Y].
      * subst h. unfold P. field. lra.
      * destruct Y. apply (skip_once d); auto.
      * destruct X. congruence.
      * ring.
Qed.
