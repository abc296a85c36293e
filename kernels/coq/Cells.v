(* The way of rays in general: a function that is concave, and linear on the cells of the walls and bends, is at most 0 on the
   cone if it is at most 0 on the points whose entries are tied by tight edges. No extreme ray is needed: a point that
   falls apart is a combination of two points that are simpler. *)

From Coq Require Import Reals Lra Lia List Bool Arith.
From Coq Require Import Classical.
From Rropt Require Import Definitions Sums.
Import ListNotations.
Local Open Scope R_scope.

Definition edge := (nat * nat * R)%type.            (* p j and g p l are compared *)

Lemma filter_shorter {A} (f g : A -> bool) l : (forall x, In x l -> f x = true -> g x = true) ->
  (length (filter f l) <= length (filter g l))%nat.
Proof.
  induction l as [|x l IH]; intros H; cbn; auto. pose proof (H x (or_introl eq_refl)) as X.
  assert (I : (length (filter f l) <= length (filter g l))%nat) by (apply IH; intros; apply H; cbn; auto).
  destruct (f x); destruct (g x); cbn; try lia; specialize (X eq_refl); discriminate.
Qed.
Lemma filter_strict {A} (f g : A -> bool) l x : (forall x, In x l -> f x = true -> g x = true) ->
  In x l -> g x = true -> f x = false -> (length (filter f l) < length (filter g l))%nat.
Proof.
  induction l as [|y l IH]; intros H I G F; [destruct I|]. cbn. destruct I as [->|I].
  - rewrite G, F. cbn. apply Nat.lt_succ_r, filter_shorter. intros; apply H; cbn; auto.
  - assert (L : (length (filter f l) < length (filter g l))%nat) by (apply IH; auto; intros; apply H; cbn; auto).
    pose proof (H y (or_introl eq_refl)) as Y. destruct (f y); destruct (g y); cbn; try lia; specialize (Y eq_refl); discriminate.
Qed.
Lemma filter_length {A} (f : A -> bool) l : (length (filter f l) <= length l)%nat.
Proof. induction l; cbn; auto. destruct (f a); cbn; lia. Qed.

Fixpoint total_bends (p : nat -> R) (bends : list (edge * R)) : R :=
  match bends with [] => 0 | ((j, l, g), b) :: t => b * Rmax 0 (p j - g * p l) + total_bends p t end.

Section Cells.
Context (k : nat) (walls : list edge) (bends : list (edge * R)) (d : nat -> R).
Definition edges : list edge := walls ++ map fst bends.
Definition excess_of (p : nat -> R) : R := sum k (fun j => d j * p j) - total_bends p bends.
Definition in_cone (p : nat -> R) : Prop :=
  (forall j, (j < k)%nat -> 0 <= p j) /\ (forall j l g, In (j, l, g) walls -> p j <= g * p l).
Definition good_edges : Prop := forall j l g, In (j, l, g) edges -> (j < k)%nat /\ (l < k)%nat /\ 0 < g.

Definition pos (p : nat -> R) (i : nat) : bool := if Rlt_dec 0 (p i) then true else false.
Definition tight (p : nat -> R) (e : edge) : bool :=
  let '(j, l, g) := e in (pos p j && pos p l && if Req_EM_T (p j) (g * p l) then true else false)%bool.
Definition measure (p : nat -> R) : nat :=
  (length (filter (pos p) (seq 0 k)) * S (length edges) + (length edges - length (filter (tight p) edges)))%nat.

Lemma pos_spec p i : pos p i = true <-> 0 < p i.
Proof. unfold pos. destruct (Rlt_dec 0 (p i)); split; auto; try discriminate; lra. Qed.
Lemma pos_false p i : pos p i = false <-> ~ 0 < p i.
Proof. unfold pos. destruct (Rlt_dec 0 (p i)); split; auto; try discriminate; tauto. Qed.
Lemma tight_spec p j l g : tight p (j, l, g) = true <-> 0 < p j /\ 0 < p l /\ p j = g * p l.
Proof.
  unfold tight. rewrite !andb_true_iff, !pos_spec. destruct (Req_EM_T (p j) (g * p l)); intuition congruence.
Qed.

(* Sets grown from the first positive entry along tight edges. *)
Inductive grows (p : nat -> R) : list nat -> Prop :=
| grows_start f : (f < k)%nat -> 0 < p f -> (forall i, (i < f)%nat -> p i <= 0) -> grows p [f]
| grows_forward A j l g : grows p A -> ~ In j A -> In l A -> In (j, l, g) edges -> 0 < p j -> p j = g * p l -> grows p (j :: A)
| grows_backward A j l g : grows p A -> ~ In l A -> In j A -> In (j, l, g) edges -> 0 < p l -> p j = g * p l -> grows p (l :: A).

(* One part of the entries scaled down until an edge becomes tight, or to 0. *)
Definition scale (a : nat -> bool) (s : R) (p : nat -> R) (i : nat) : R := if a i then s * p i else p i.
Definition apart (p : nat -> R) (a : nat -> bool) : Prop :=
  forall j l g, In (j, l, g) edges -> 0 < p j -> 0 < p l -> a j <> a l -> p j <> g * p l.
(* An edge between the two parts compares an inner value, which is scaled down, with an outer one. *)
Definition crosses (p : nat -> R) (a : nat -> bool) (e : edge) : Prop := let '(j, l, g) := e in 0 < p j /\ 0 < p l /\ a j <> a l.
Definition inner (p : nat -> R) (a : nat -> bool) (e : edge) : R := let '(j, l, g) := e in if a j then p j else g * p l.
Definition outer (p : nat -> R) (a : nat -> bool) (e : edge) : R := let '(j, l, g) := e in if a j then g * p l else p j.
Definition nearest (es : list edge) (p : nat -> R) (a : nat -> bool) (s : R) : Prop :=
  0 <= s < 1 /\ (forall e, In e es -> crosses p a e -> outer p a e < inner p a e -> outer p a e <= s * inner p a e) /\
  (s = 0 \/ exists e, In e es /\ crosses p a e /\ outer p a e = s * inner p a e).

Lemma inner_positive p a e : (let '(_, _, g) := e in 0 < g) -> crosses p a e -> 0 < inner p a e.
Proof. destruct e as [[j l] g]. intros G [P [Q _]]. unfold inner. destruct (a j); [auto|apply Rmult_lt_0_compat; auto]. Qed.

Lemma nearest_exists p a es : (forall j l g, In (j, l, g) es -> 0 < g) -> exists s, nearest es p a s.
Proof.
  intros G. assert (Y : forall e, In e es -> crosses p a e -> 0 < inner p a e)
    by (intros [[j l] g] I; apply inner_positive, (G j l g I)). clear G.
  induction es as [|e es IH].
  - exists 0. split; [lra|]. split; [intros e []|auto].
  - destruct IH as [s [S1 [S2 S3]]]; [intros; apply Y; [right|]; auto|].
    assert (Later : s = 0 \/ exists e', In e' (e :: es) /\ crosses p a e' /\ outer p a e' = s * inner p a e').
    { destruct S3 as [Z|[e' [I R]]]; [auto|]. right. exists e'. split; [right|]; auto. }
    destruct (classic (crosses p a e /\ s * inner p a e < outer p a e < inner p a e)) as [[Cr [L1 L2]]|N].
    + pose proof (Y e (or_introl eq_refl) Cr).
      set (t := outer p a e / inner p a e). assert (T : t * inner p a e = outer p a e) by (unfold t; field; lra).
      assert (T1 : s < t) by (apply (Rmult_lt_reg_r (inner p a e)); lra).
      assert (T2 : t < 1) by (apply (Rmult_lt_reg_r (inner p a e)); lra).
      exists t. split; [lra|]. split; [|right; exists e; split; [left|]; auto].
      intros e' [<-|I] C' Q; [lra|]. pose proof (S2 e' I C' Q). pose proof (Y e' (or_intror I) C').
      assert (s * inner p a e' <= t * inner p a e') by (apply Rmult_le_compat_r; lra). lra.
    + exists s. split; [exact S1|]. split; [|exact Later]. intros e' [<-|I] C' Q; [|apply S2; auto].
      destruct (Rle_lt_dec (outer p a e) (s * inner p a e)); [auto|exfalso; apply N; auto].
Qed.

Lemma step p a i : good_edges -> in_cone p -> apart p a -> (i < k)%nat -> a i = true -> 0 < p i ->
  exists s, nearest edges p a s /\ in_cone (scale a s p) /\ (measure (scale a s p) < measure p)%nat.
Proof.
  intros GE [N W] AP Hi Ai Pi. destruct (nearest_exists p a edges) as [s S]; [intros; eapply GE; eauto|].
  exists s. split; [exact S|]. destruct S as [S1 [S2 S3]]. split; [split|].
  - intros j Hj. unfold scale. specialize (N j Hj). destruct (a j); [apply Rmult_le_pos; lra|auto].
  - intros j l g I. assert (IE : In (j, l, g) edges) by (apply in_or_app; auto). destruct (GE j l g IE) as [Hj [Hl Hg]].
    pose proof (W j l g I) as H. pose proof (N j Hj) as Nj. pose proof (N l Hl) as Nl. unfold scale.
    destruct (a j) eqn:AJ, (a l) eqn:AL; auto.
    + assert (s * p j <= s * (g * p l)) by (apply Rmult_le_compat_l; lra). lra.
    + assert (s * p j <= 1 * p j) by (apply Rmult_le_compat_r; lra). lra.
    + destruct (Rlt_dec 0 (p j)) as [P|P].
      * assert (0 < p l) by (destruct (Rlt_dec 0 (p l)); auto; exfalso; assert (p l = 0) by lra; rewrite H0 in H; lra).
        assert (p j <> g * p l) by (apply (AP j l g IE P H0); congruence).
        assert (p j <= s * (g * p l)) by (specialize (S2 _ IE); unfold crosses, inner, outer in S2; rewrite AJ, AL in S2; apply S2; [repeat split; auto; congruence|lra]). lra.
      * assert (p j = 0) by lra. assert (0 <= g * (s * p l)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra.
  - unfold measure. set (E := length edges).
    assert (F1 : (length (filter (tight (scale a s p)) edges) <= E)%nat) by apply filter_length.
    assert (F2 : (length (filter (tight p) edges) <= E)%nat) by apply filter_length.
    assert (Sub : forall x, In x (seq 0 k) -> pos (scale a s p) x = true -> pos p x = true).
    { intros x I H. apply in_seq in I. apply pos_spec in H. apply pos_spec. unfold scale in H. destruct (a x); auto.
      pose proof (N x ltac:(lia)) as NX. destruct (Rle_lt_or_eq_dec _ _ NX) as [|Z]; auto. rewrite <- Z in H. lra. }
    destruct S3 as [Z|[[[j l] g] [I [[Pj [Pl AJL]] O]]]].
    + assert ((length (filter (pos (scale a s p)) (seq 0 k)) < length (filter (pos p) (seq 0 k)))%nat); [|nia].
      apply (filter_strict _ _ _ i Sub); [apply in_seq; lia|apply pos_spec; auto|].
      apply pos_false. unfold scale. rewrite Ai, Z. lra.
    + assert (T : scale a s p j = g * scale a s p l) by (unfold scale; unfold inner, outer in O; destruct (a j), (a l); try congruence; lra).
      assert (SP : 0 < s).
      { destruct (Rlt_dec 0 s) as [|Q]; auto. exfalso. assert (s = 0) by lra. unfold scale in T.
        destruct (GE j l g I) as [_ [_ Hg]]. assert (0 < g * p l) by (apply Rmult_lt_0_compat; auto).
        destruct (a j), (a l); try congruence; rewrite H, ?Rmult_0_l, ?Rmult_0_r in T; lra. }
      assert (Up : forall x, 0 < p x -> 0 < scale a s p x).
      { intros x X. unfold scale. destruct (a x); auto. apply Rmult_lt_0_compat; auto. }
      assert ((length (filter (pos (scale a s p)) (seq 0 k)) <= length (filter (pos p) (seq 0 k)))%nat) by (apply filter_shorter; auto).
      assert ((length (filter (tight p) edges) < length (filter (tight (scale a s p)) edges))%nat); [|unfold E in *; nia].
      apply (filter_strict _ _ _ (j, l, g)); auto.
      * intros [[j' l'] g'] I' TH. apply tight_spec in TH. destruct TH as [Q1 [Q2 Q3]]. apply tight_spec.
        split; [auto|]. split; [auto|]. unfold scale. destruct (a j') eqn:X, (a l') eqn:Y; try (rewrite Q3; ring);
        exfalso; apply (AP j' l' g' I' Q1 Q2); congruence.
      * apply tight_spec. auto.
      * destruct (tight p (j, l, g)) eqn:X; auto. exfalso. apply tight_spec in X. apply (AP j l g I Pj Pl AJL). tauto.
Qed.

Lemma max_combination h h1 h2 x y : 0 <= x -> 0 <= y -> h = x * h1 + y * h2 ->
  (0 <= h1 /\ 0 <= h2) \/ (h1 <= 0 /\ h2 <= 0) -> Rmax 0 h = x * Rmax 0 h1 + y * Rmax 0 h2.
Proof.
  intros X Y -> [[A B]|[A B]].
  - rewrite !Rmax_right; auto. assert (0 <= x * h1) by (apply Rmult_le_pos; auto).
    assert (0 <= y * h2) by (apply Rmult_le_pos; auto). lra.
  - rewrite !Rmax_left; auto; [ring|]. assert (0 <= x * - h1) by (apply Rmult_le_pos; lra).
    assert (0 <= y * - h2) by (apply Rmult_le_pos; lra). lra.
Qed.

(* p is a combination of the two scaled points, and so is the function. *)
Lemma combination p a s t : good_edges -> in_cone p -> apart p a ->
  nearest edges p a s -> nearest edges p (fun i => negb (a i)) t ->
  exists x y, 0 <= x /\ 0 <= y /\
  excess_of p = x * excess_of (scale a s p) + y * excess_of (scale (fun i => negb (a i)) t p).
Proof.
  intros GE [N W] AP [S1 [S2 _]] [T1 [T2 _]].
  assert (D : 0 < 1 - s * t) by nra. set (x := (1 - t) / (1 - s * t)). set (y := (1 - s) / (1 - s * t)).
  assert (X : 0 <= x) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (Y : 0 <= y) by (apply Rmult_le_pos; [lra|left; apply Rinv_0_lt_compat; lra]).
  assert (E1 : x * s + y = 1) by (unfold x, y; field; lra). assert (E2 : x + y * t = 1) by (unfold x, y; field; lra).
  assert (P : forall i, p i = x * scale a s p i + y * scale (fun i => negb (a i)) t p i).
  { intros i. unfold scale. destruct (a i); cbn [negb]; [transitivity ((x * s + y) * p i)|transitivity ((x + y * t) * p i)];
      try ring; rewrite ?E1, ?E2; ring. }
  exists x, y. split; auto. split; auto. unfold excess_of.
  assert (L : sum k (fun j => d j * p j) = x * sum k (fun j => d j * scale a s p j) + y * sum k (fun j => d j * scale (fun i => negb (a i)) t p j)).
  { rewrite <- !sum_scal, <- sum_plus. apply sum_ext. intros j _. rewrite (P j) at 1. ring. }
  assert (B : total_bends p bends = x * total_bends (scale a s p) bends + y * total_bends (scale (fun i => negb (a i)) t p) bends);
    [|rewrite L, B; ring].
  assert (Sub : forall e b, In (e, b) bends -> In e edges) by (intros e b I; apply in_or_app; right; apply (in_map fst) in I; exact I).
  clear L. induction bends as [|[[[j l] g] b] t' IH]; cbn [total_bends]; [ring|].
  rewrite IH by (intros; eapply Sub; right; eauto). clear IH. assert (I : In (j, l, g) edges) by (eapply Sub; left; eauto).
  destruct (GE j l g I) as [Hj [Hl Hg]].
  rewrite (max_combination (p j - g * p l) (scale a s p j - g * scale a s p l)
             (scale (fun i => negb (a i)) t p j - g * scale (fun i => negb (a i)) t p l) x y X Y); [ring| |].
  - rewrite (P j) at 1. rewrite (P l) at 1. ring.
  - pose proof (N j Hj) as Nj. pose proof (N l Hl) as Nl. assert (Ny : 0 <= g * p l) by (apply Rmult_le_pos; lra).
    pose proof (S2 _ I) as F. pose proof (T2 _ I) as F'. specialize (AP j l g I). revert F F' AP. unfold crosses, inner, outer, scale.
    destruct (a j), (a l); cbn [negb]; intros F F' AP; (destruct (Rle_lt_dec 0 (p j - g * p l)); [left|right]; split; nra).
Qed.

Lemma first_positive p : (exists i, (i < k)%nat /\ 0 < p i) -> exists f, (f < k)%nat /\ 0 < p f /\ forall i, (i < f)%nat -> p i <= 0.
Proof.
  intros [i [Hi P]]. revert P. revert Hi. induction i as [i IH] using lt_wf_ind. intros Hi P.
  destruct (classic (exists h, (h < i)%nat /\ 0 < p h)) as [[h [Hh Q]]|N].
  - apply (IH h Hh); auto. lia.
  - exists i. split; auto. split; auto. intros h Hh. destruct (Rlt_dec 0 (p h)) as [Q|]; [|lra]. exfalso. eauto.
Qed.

Lemma nothing_positive p : good_edges -> in_cone p -> ~ (exists i, (i < k)%nat /\ 0 < p i) -> excess_of p = 0.
Proof.
  intros GE [N W] H. assert (Z : forall i, (i < k)%nat -> p i = 0).
  { intros i Hi. specialize (N i Hi). destruct (Rlt_dec 0 (p i)); [exfalso; eauto|lra]. }
  unfold excess_of. rewrite sum_zero by (intros j Hj; rewrite Z by auto; ring).
  assert (B : total_bends p bends = 0); [|lra].
  assert (Sub : forall e b, In (e, b) bends -> In e edges) by (intros e b I; apply in_or_app; right; apply (in_map fst) in I; exact I).
  induction bends as [|[[[j l] g] b] t IH]; cbn [total_bends]; auto.
  destruct (GE j l g) as [Hj [Hl _]]; [eapply Sub; left; eauto|]. rewrite (Z j Hj), (Z l Hl), Rmult_0_r, Rminus_0_r, Rmax_left by lra.
  rewrite IH; [ring|]. intros; eapply Sub; right; eauto.
Qed.

Theorem cells : good_edges ->
  (forall p A, in_cone p -> grows p A -> (forall i, (i < k)%nat -> 0 < p i -> In i A) -> excess_of p <= 0) ->
  forall p, in_cone p -> excess_of p <= 0.
Proof.
  intros GE Base.
  assert (Main : forall n p, (measure p < n)%nat -> in_cone p -> excess_of p <= 0); [|intros p C; apply (Main (S (measure p)) p); auto].
  induction n; intros p M C; [lia|].
  destruct (classic (exists i, (i < k)%nat /\ 0 < p i)) as [Ex|No]; [|rewrite nothing_positive by auto; lra].
  destruct (first_positive p Ex) as [f [Hf [Pf First]]].
  assert (Inner : forall r A, grows p A ->
            (length (filter (fun i => pos p i && negb (existsb (Nat.eqb i) A))%bool (seq 0 k)) < r)%nat -> excess_of p <= 0).
  { induction r; intros A G L; [lia|].
    destruct (classic (exists i, (i < k)%nat /\ 0 < p i /\ ~ In i A)) as [[i1 [Hi1 [Pi1 Ni1]]]|All].
    2: { apply (Base p A C G). intros i Hi P. destruct (classic (In i A)); auto. exfalso. apply All. eauto. }
    assert (Mem : forall i, existsb (Nat.eqb i) A = true <-> In i A).
    { intros i. rewrite existsb_exists. split; [intros [z [I E]]; apply Nat.eqb_eq in E; subst; auto|intros I; exists i; rewrite Nat.eqb_refl; auto]. }
    assert (Grow : forall j, (j < k)%nat -> 0 < p j -> ~ In j A -> grows p (j :: A) -> excess_of p <= 0).
    { intros j Hj Pj NI G'. apply (IHr (j :: A) G').
      apply Nat.lt_le_trans with (length (filter (fun i => pos p i && negb (existsb (Nat.eqb i) A))%bool (seq 0 k))); [|lia].
      apply (filter_strict _ _ _ j).
      - intros z _ Hz. apply andb_true_iff in Hz. destruct Hz as [Z1 Z2]. rewrite Z1. cbn [existsb] in Z2.
        apply negb_true_iff in Z2. apply orb_false_iff in Z2. rewrite (proj2 Z2). reflexivity.
      - apply in_seq. lia.
      - apply andb_true_iff. split; [apply pos_spec; auto|]. apply negb_true_iff.
        destruct (existsb (Nat.eqb j) A) eqn:X; auto. apply Mem in X. contradiction.
      - cbn [existsb]. rewrite Nat.eqb_refl. cbn. apply andb_false_r. }
    set (a := fun i => existsb (Nat.eqb i) A).
    destruct (classic (exists j l g, In (j, l, g) edges /\ 0 < p j /\ 0 < p l /\ a j <> a l /\ p j = g * p l)) as [[j [l [g [I [Pj [Pl [X T]]]]]]]|No].
    - destruct (GE j l g I) as [Hj [Hl _]]. unfold a in X.
      destruct (existsb (Nat.eqb j) A) eqn:AJ, (existsb (Nat.eqb l) A) eqn:AL; try congruence.
      + apply (Grow l); auto; [intros Z; apply Mem in Z; congruence|]. eapply grows_backward; eauto; [intros Z; apply Mem in Z; congruence|apply Mem; auto].
      + apply (Grow j); auto; [intros Z; apply Mem in Z; congruence|]. eapply grows_forward; eauto; [intros Z; apply Mem in Z; congruence|apply Mem; auto].
    - assert (AP : apart p a) by (intros j l g I Pj Pl X T; apply No; exists j, l, g; auto).
      assert (AP' : apart p (fun i => negb (a i))).
      { intros j l g I Pj Pl X. apply (AP j l g I Pj Pl). intros Z. apply X. rewrite Z. reflexivity. }
      assert (InF : exists i0, (i0 < k)%nat /\ a i0 = true /\ 0 < p i0).
      { clear -G Mem GE. assert (Z : exists i0, In i0 A /\ (i0 < k)%nat /\ 0 < p i0).
        { destruct G as [f Hf Pf|A j l g G NI I Ie P T|A j l g G NI I Ie P T].
          - exists f. cbn; auto.
          - exists j. destruct (GE j l g Ie) as [Hj _]. cbn; auto.
          - exists l. destruct (GE j l g Ie) as [_ [Hl _]]. cbn; auto. }
        destruct Z as [i0 [I [H P]]]. exists i0. split; auto. split; auto. apply Mem, I. }
      destruct InF as [i0 [Hi0 [Ai0 Pi0]]].
      destruct (step p a i0 GE C AP Hi0 Ai0 Pi0) as [s [S [CS MS]]].
      assert (Ai1 : negb (a i1) = true).
      { apply negb_true_iff. unfold a. destruct (existsb (Nat.eqb i1) A) eqn:Z; auto. apply Mem in Z. contradiction. }
      destruct (step p (fun i => negb (a i)) i1 GE C AP' Hi1 Ai1 Pi1) as [t [T [CT MT]]].
      destruct (combination p a s t GE C AP S T) as [x [y [X [Y E]]]].
      assert (F1 : excess_of (scale a s p) <= 0) by (apply IHn; auto; lia).
      assert (F2 : excess_of (scale (fun i => negb (a i)) t p) <= 0) by (apply IHn; auto; lia).
      rewrite E. nra. }
  apply (Inner (S (length (filter (fun i => pos p i && negb (existsb (Nat.eqb i) [f]))%bool (seq 0 k)))) [f]); auto.
  constructor; auto.
Qed.
End Cells.
