(* The linear program of a design problem, rebuilt from region and objective (rules 3 and 4), and why every allowed
   mechanism is a point of it. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Programs Levels Regions.
Import ListNotations.
Local Open Scope R_scope.

(* Forms over ranges of indices. *)
Lemma value_app X f g : value X (f ++ g) = value X f + value X g.
Proof. induction f as [|[v c] f IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma value_range X n (v : nat -> nat) (c : nat -> Q) :
  value X (map (fun i => (v i, c i)) (seq 0 n)) = sum n (fun i => Q2R (c i) * X (v i)).
Proof. induction n; [reflexivity|]. rewrite seq_S, map_app, value_app, IHn. cbn. ring. Qed.
Lemma value_ranges X n (f : nat -> form) : value X (flat_map f (seq 0 n)) = sum n (fun i => value X (f i)).
Proof. induction n; [reflexivity|]. rewrite seq_S, flat_map_app, value_app, IHn. cbn. rewrite app_nil_r. ring. Qed.

(* Variables: P i j at i k + j, then n auxiliary ones, then those of a distance. *)
Definition layout (k m n : nat) (P : nat -> nat -> R) (aux s : nat -> R) (v : nat) : R :=
  if Nat.ltb v (m * k) then P (v / k)%nat (v mod k)%nat
  else if Nat.ltb v (m * k + n) then aux (v - m * k)%nat else s (v - m * k - n)%nat.

Lemma divide i k j : (j < k)%nat -> ((i * k + j) / k = i)%nat.
Proof. intros H. rewrite Nat.div_add_l, Nat.div_small by lia. lia. Qed.
Lemma remainder i k j : (j < k)%nat -> ((i * k + j) mod k = j)%nat.
Proof. intros H. rewrite Nat.add_comm, Nat.mod_add, Nat.mod_small by lia. reflexivity. Qed.
Lemma inside i j m k : (i < m)%nat -> (j < k)%nat -> (i * k + j < m * k)%nat.
Proof. intros. nia. Qed.

Lemma layout_entry k m n P aux s i j : (i < m)%nat -> (j < k)%nat -> layout k m n P aux s (i * k + j) = P i j.
Proof.
  intros Hi Hj. unfold layout. pose proof (inside i j m k Hi Hj).
  destruct (Nat.ltb_spec (i * k + j) (m * k)); [|lia]. rewrite divide, remainder by auto. reflexivity.
Qed.
Lemma layout_aux k m n P aux s r : (r < n)%nat -> layout k m n P aux s (m * k + r) = aux r.
Proof.
  intros H. unfold layout. destruct (Nat.ltb_spec (m * k + r) (m * k)); [lia|].
  destruct (Nat.ltb_spec (m * k + r) (m * k + n)); [|lia]. f_equal. lia.
Qed.
Lemma layout_rest k m n P aux s r : layout k m n P aux s (m * k + n + r) = s r.
Proof.
  unfold layout. destruct (Nat.ltb_spec (m * k + n + r) (m * k)); [lia|].
  destruct (Nat.ltb_spec (m * k + n + r) (m * k + n)); [lia|]. f_equal. lia.
Qed.
Lemma layout_nonneg k m n P aux s : mechanism k m P -> (forall r, 0 <= aux r) -> (forall r, 0 <= s r) ->
  respects Unmarked (layout k m n P aux s).
Proof.
  intros [N _] A S v _. unfold layout. destruct (Nat.ltb_spec v (m * k)).
  - assert (k <> 0)%nat by (intros ->; lia). apply N.
    + apply Nat.div_lt_upper_bound; lia.
    + apply Nat.mod_upper_bound; auto.
  - destruct (Nat.ltb v (m * k + n)); auto.
Qed.

(* Rows. *)
Definition sum_rows (k m : nat) : list row :=
  map (fun j => Row (map (fun i => ((i * k + j)%nat, 1%Q)) (seq 0 m)) Equal 1) (seq 0 k).
Definition least_rows (k m : nat) (g : Q) : list row :=
  flat_map (fun i => map (fun j => Row [((i * k + j)%nat, 1%Q); ((m * k + i)%nat, (-1)%Q)] AtLeast 0) (seq 0 k)) (seq 0 m) ++
  flat_map (fun i => map (fun j => Row [((m * k + i)%nat, g); ((i * k + j)%nat, (-1)%Q)] AtLeast 0) (seq 0 k)) (seq 0 m).
Definition ordered_pairs (k : nat) : list (nat * nat) :=
  flat_map (fun j => map (fun l => (j, l)) (filter (fun l => negb (Nat.eqb l j)) (seq 0 k))) (seq 0 k).
Definition excess_rows (k m : nat) (g d : Q) : list row :=
  let ps := ordered_pairs k in let n := length ps in let ranked := combine (seq 0 n) ps in
  flat_map (fun i => map (fun rp => Row [((m * k + (i * n + fst rp))%nat, 1%Q); ((i * k + fst (snd rp))%nat, (-1)%Q);
                                         ((i * k + snd (snd rp))%nat, g)] AtLeast 0) ranked) (seq 0 m) ++
  map (fun rp => Row (map (fun i => ((m * k + (i * n + fst rp))%nat, 1%Q)) (seq 0 m)) AtMost d) ranked.
Definition pair_row (k i : nat) (c : rational_level) : list row :=
  match c with
  | (g, d, SomePairs [(j, l)]) => [Row [((i * k + l)%nat, g); ((i * k + j)%nat, (-1)%Q)] AtLeast 0]
  | _ => []
  end.
Definition single_pair (k : nat) (c : rational_level) : bool :=
  match c with (g, d, SomePairs [(j, l)]) => (Qeq_bool d 0 && Nat.ltb j k && Nat.ltb l k)%bool | _ => false end.
Definition privacy_rows (k m : nat) (cs : list rational_level) : option (nat * list row) :=
  match cs with
  | [(g, d, AllPairs)] =>
    if Qeq_bool d 0 then Some (m, least_rows k m g)
    else Some ((m * length (ordered_pairs k))%nat, excess_rows k m g d)
  | _ => if forallb (single_pair k) cs then Some (O, flat_map (fun i => flat_map (pair_row k i) cs) (seq 0 m)) else None
  end.
Definition entry_rows (k m : nat) (b : option (list (list Q) * list (list Q))) : list row :=
  match b with
  | None => []
  | Some (least, most) =>
    flat_map (fun i => map (fun j => Row [((i * k + j)%nat, 1%Q)] AtLeast (entry least i j)) (seq 0 k)) (seq 0 m) ++
    flat_map (fun i => map (fun j => Row [((i * k + j)%nat, 1%Q)] AtMost (entry most i j)) (seq 0 k)) (seq 0 m)
  end.
(* v i j: the variable that the difference at i, j is at most. *)
Definition distance_rows (k m : nat) (v : nat -> nat -> nat) (a : list (list Q)) : list row :=
  flat_map (fun i => map (fun j => Row [((i * k + j)%nat, 1%Q); (v i j, 1%Q)] AtLeast (entry a i j)) (seq 0 k)) (seq 0 m) ++
  flat_map (fun i => map (fun j => Row [((i * k + j)%nat, 1%Q); (v i j, (-1)%Q)] AtMost (entry a i j)) (seq 0 k)) (seq 0 m).

(* Rows that hold: lists over the indices. *)
Lemma Forall_range {A} (S : A -> Prop) n (f : nat -> A) : (forall i, (i < n)%nat -> S (f i)) -> Forall S (map f (seq 0 n)).
Proof. intros H. apply Forall_forall. intros x I. apply in_map_iff in I. destruct I as [i [<- I]]. apply in_seq in I. apply H. lia. Qed.
Lemma Forall_ranges {A} (S : A -> Prop) n (f : nat -> list A) :
  (forall i, (i < n)%nat -> Forall S (f i)) -> Forall S (flat_map f (seq 0 n)).
Proof.
  intros H. apply Forall_forall. intros x I. apply in_flat_map in I. destruct I as [i [Hi I]]. apply in_seq in Hi.
  specialize (H i ltac:(lia)). rewrite Forall_forall in H. auto.
Qed.
Lemma minus_one_R : Q2R (-1) = -1.
Proof. unfold Q2R; cbn; lra. Qed.

Lemma sum_rows_ok k m n P aux s : mechanism k m P -> Forall (satisfied (layout k m n P aux s)) (sum_rows k m).
Proof.
  intros [_ T]. apply Forall_range. intros j Hj. unfold satisfied; cbn [form_of relation_of bound_of compares].
  rewrite value_range, one_R. transitivity (sum m (fun i => P i j)); [|apply T, Hj].
  apply sum_ext. intros i Hi. rewrite layout_entry by auto. ring.
Qed.

Fixpoint smallest (n : nat) (f : nat -> R) : R := match n with O => f O | S b => Rmin (smallest b f) (f b) end.
Lemma smallest_le n f i : (i < n)%nat -> smallest n f <= f i.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec i n) as [->|]; [apply Rmin_r|].
  eapply Rle_trans; [apply Rmin_l|]. apply IHn. lia.
Qed.
Lemma smallest_is n f : (0 < n)%nat -> exists i, (i < n)%nat /\ smallest n f = f i.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec n 0) as [->|].
  - exists O. split; [lia|]. cbn. apply Rmin_left. lra.
  - destruct IHn as [i [Hi E]]; [lia|]. unfold Rmin. destruct (Rle_dec (smallest n f) (f n)); [exists i|exists n]; split; auto; lia.
Qed.

Lemma meets_rows k m P g j l i s : meets k m P (g, 0%Q, s) -> applies s j l -> (i < m)%nat -> (j < k)%nat -> (l < k)%nat ->
  P i j <= Q2R g * P i l.
Proof.
  intros H A Hi Hj Hl. specialize (H j l Hj Hl A (fun h => Nat.eqb h i)).
  rewrite !event_single in H by auto. unfold given in H. rewrite zero_R in H. lra.
Qed.

Lemma zero_delta k m P g d s : Qeq_bool d 0 = true -> meets k m P (g, d, s) -> meets k m P (g, 0%Q, s).
Proof. intros E H j l Hj Hl A. specialize (H j l Hj Hl A). rewrite (qeq_R _ _ E) in H. exact H. Qed.

Definition minima (k : nat) (P : nat -> nat -> R) (m i : nat) : R := if Nat.ltb i m then smallest k (P i) else 0.
Lemma least_rows_ok k m P g s : mechanism k m P -> (0 < k)%nat -> meets k m P (g, 0%Q, AllPairs) ->
  Forall (satisfied (layout k m m P (minima k P m) s)) (least_rows k m g).
Proof.
  intros M Hk H. unfold least_rows. apply Forall_app. split; apply Forall_ranges; intros i Hi; apply Forall_range; intros j Hj;
    unfold satisfied; cbn [form_of relation_of bound_of compares value];
    rewrite (layout_entry k m m P (minima k P m) s i j), (layout_aux k m m P (minima k P m) s i), ?one_R, ?minus_one_R, zero_R
    by auto; unfold minima;
    (destruct (Nat.ltb_spec i m) as [Lt|]; [|exfalso; lia]).
  - pose proof (smallest_le k (P i) j Hj). lra.
  - destruct (smallest_is k (P i) Hk) as [l [Hl E]]. rewrite E.
    pose proof (meets_rows k m P g j l i _ H I Hi Hj Hl). lra.
Qed.

Lemma ordered_pairs_in k r p : In (r, p) (combine (seq 0 (length (ordered_pairs k))) (ordered_pairs k)) ->
  (r < length (ordered_pairs k))%nat /\ nth r (ordered_pairs k) (O, O) = p /\ (fst p < k)%nat /\ (snd p < k)%nat.
Proof.
  intros H. pose proof (in_combine_r _ _ _ _ H) as I.
  assert (G : forall l a, In (r, p) (combine (seq a (length l)) l) -> (a <= r < a + length l)%nat /\ nth (r - a) l (O, O) = p).
  { induction l as [|x l IH]; intros a J; cbn in J; [destruct J|]. destruct J as [E|J].
    - inversion E; subst. rewrite Nat.sub_diag. cbn. split; auto; lia.
    - apply IH in J. destruct J as [J1 J2]. cbn [length nth]. split; [lia|].
      replace (r - a)%nat with (S (r - S a)) by lia. exact J2. }
  apply G in H. rewrite Nat.sub_0_r in H. destruct H as [H1 H2]. split; [lia|]. split; [exact H2|].
  unfold ordered_pairs in I. apply in_flat_map in I. destruct I as [j [J I]]. apply in_map_iff in I.
  destruct I as [l [<- I]]. apply filter_In in I. destruct I as [I _]. apply in_seq in I, J. cbn. lia.
Qed.

Definition excesses (k : nat) (P : nat -> nat -> R) (g : R) (v : nat) : R :=
  let n := length (ordered_pairs k) in let p := nth (v mod n) (ordered_pairs k) (O, O) in
  Rmax 0 (P (v / n)%nat (fst p) - g * P (v / n)%nat (snd p)).
Lemma excess_rows_ok k m P g d s : mechanism k m P -> meets k m P (g, d, AllPairs) ->
  Forall (satisfied (layout k m (m * length (ordered_pairs k)) P (excesses k P (Q2R g)) s)) (excess_rows k m g d).
Proof.
  intros M H. unfold excess_rows. apply Forall_app. split.
  - apply Forall_ranges; intros i Hi. apply Forall_forall. intros r I. apply in_map_iff in I. destruct I as [[r' [j l]] [<- I]].
    apply ordered_pairs_in in I. cbn [fst snd] in *. destruct I as [Hr [E [Hj Hl]]].
    unfold satisfied; cbn [form_of relation_of bound_of compares value].
    rewrite (layout_entry _ _ _ _ _ _ i j), (layout_entry _ _ _ _ _ _ i l), layout_aux, one_R, minus_one_R, zero_R
      by (auto using inside).
    unfold excesses. rewrite divide, remainder, E by auto. cbn [fst snd]. pose proof (Rmax_r 0 (P i j - Q2R g * P i l)). lra.
  - apply Forall_forall. intros r I. apply in_map_iff in I. destruct I as [[r' [j l]] [<- I]].
    apply ordered_pairs_in in I. cbn [fst snd] in *. destruct I as [Hr [E [Hj Hl]]].
    unfold satisfied; cbn [form_of relation_of bound_of compares]. rewrite value_range.
    pose proof (proj1 (private_pair_excess m P (Q2R g) (Q2R d) j l) (H j l Hj Hl I)) as X.
    erewrite sum_ext; [exact X|]. intros i Hi. rewrite layout_aux, one_R by (auto using inside).
    unfold excesses. rewrite divide, remainder, E by auto. cbn [fst snd]. ring.
Qed.

Lemma pair_rows_ok k m n P aux s cs : Forall (meets k m P) cs -> forallb (single_pair k) cs = true ->
  Forall (satisfied (layout k m n P aux s)) (flat_map (fun i => flat_map (pair_row k i) cs) (seq 0 m)).
Proof.
  intros F S. apply Forall_ranges. intros i Hi. apply Forall_forall. intros r I. apply in_flat_map in I.
  destruct I as [c [C I]]. rewrite Forall_forall in F. specialize (F c C). rewrite forallb_forall in S. specialize (S c C).
  destruct c as [[g d] [|[|[j l] [|]]]]; cbn [single_pair pair_row] in *; try discriminate.
  destruct I as [<-|[]]. apply both in S as [[S1 S2]%both S3]. apply Nat.ltb_lt in S2, S3.
  apply (zero_delta _ _ _ _ _ _ S1) in F. unfold satisfied; cbn [form_of relation_of bound_of compares value].
  rewrite !layout_entry, minus_one_R, zero_R by auto.
  pose proof (meets_rows k m P g j l i _ F (or_introl eq_refl) Hi S2 S3). lra.
Qed.

Lemma entry_rows_ok k m n P aux s b :
  match b with None => True | Some (least, most) =>
    forall i j, (i < m)%nat -> (j < k)%nat -> mat least i j <= P i j <= mat most i j end ->
  Forall (satisfied (layout k m n P aux s)) (entry_rows k m b).
Proof.
  destruct b as [[least most]|]; cbn [entry_rows]; [|constructor]. intros H.
  apply Forall_app. split; apply Forall_ranges; intros i Hi; apply Forall_range; intros j Hj;
    unfold satisfied; cbn [form_of relation_of bound_of compares value];
    rewrite layout_entry, one_R, entry_R by auto; specialize (H i j Hi Hj); lra.
Qed.

Lemma distance_rows_ok k m n P aux s v a :
  (forall i j, (i < m)%nat -> (j < k)%nat -> Rabs (P i j - mat a i j) <= layout k m n P aux s (v i j)) ->
  Forall (satisfied (layout k m n P aux s)) (distance_rows k m v a).
Proof.
  intros H. apply Forall_app. split; apply Forall_ranges; intros i Hi; apply Forall_range; intros j Hj;
    unfold satisfied; cbn [form_of relation_of bound_of compares value]; specialize (H i j Hi Hj);
    rewrite layout_entry, one_R, ?minus_one_R, entry_R by auto;
    pose proof (Rle_abs (P i j - mat a i j)); pose proof (Rle_abs (- (P i j - mat a i j))) as Y; rewrite Rabs_Ropp in Y; lra.
Qed.

(* The region: there are values of the auxiliary variables for every allowed mechanism. *)
Definition region_rows (k m : nat) (G : region) (cs : list rational_level) : option (nat * list row) :=
  match privacy_rows k m cs with
  | Some (n, rows) => Some (n, sum_rows k m ++ rows ++ entry_rows k m (entries G))
  | None => None
  end.

Lemma smallest_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= f O -> 0 <= smallest n f.
Proof. intros H Z. induction n; cbn; auto. apply Rmin_glb; auto. Qed.

Theorem region_rows_ok k m G es n rows P : (0 < k)%nat -> check_all_ends (conditions G) es = true ->
  region_rows k m G (aboves (conditions G) es) = Some (n, rows) -> allowed k m G P ->
  exists aux, (forall r, 0 <= aux r) /\ forall s, Forall (satisfied (layout k m n P aux s)) rows.
Proof.
  intros Hk E R A. pose proof (allowed_above k m G es P E A) as F. destruct A as [M [_ B]].
  unfold region_rows in R. destruct (privacy_rows k m (aboves (conditions G) es)) as [[n' rows']|] eqn:V; [|discriminate].
  inversion R; subst; clear R.
  assert (X : exists aux, (forall r, 0 <= aux r) /\ forall s, Forall (satisfied (layout k m n P aux s)) rows').
  { set (cs := aboves (conditions G) es) in *. clearbody cs. clear E.
    assert (General : (if forallb (single_pair k) cs
                       then Some (O, flat_map (fun i => flat_map (pair_row k i) cs) (seq 0 m)) else None) = Some (n, rows') ->
                      exists aux, (forall r, 0 <= aux r) /\ forall s, Forall (satisfied (layout k m n P aux s)) rows').
    { intros W. destruct (forallb (single_pair k) cs) eqn:S; [|discriminate]. inversion W; subst.
      exists (fun _ => 0). split; [intros; lra|]. intros s. apply pair_rows_ok; auto. }
    unfold privacy_rows in V. destruct cs as [|[[g d] [|ps]] [|c cs]]; try (apply General; exact V).
    inversion F as [|? ? F1 _]; subst. destruct (Qeq_bool d 0) eqn:Z; inversion V; subst.
    - exists (minima k P n). split.
      + intros r. unfold minima. destruct (Nat.ltb_spec r n); [|lra]. destruct M as [N _].
        apply smallest_nonneg; [intros; apply N; auto|apply N; auto].
      + intros s. apply least_rows_ok; auto. eapply zero_delta; eauto.
    - exists (excesses k P (Q2R g)). split; [intros; apply Rmax_l|]. intros s. apply excess_rows_ok; auto. }
  destruct X as [aux [N X]]. exists aux. split; auto. intros s. rewrite !Forall_app.
  split; [apply sum_rows_ok; auto|]. split; auto. apply entry_rows_ok; auto.
Qed.

(* Objectives of linear programs: cost, further rows, and the value of a mechanism of rationals. *)
Definition linear_cost (k m n : nat) (q : list Q) (o : objective) : option (form * list row) :=
  match o with
  | Trace w => if Nat.eqb m k then Some (map (fun i => ((i * k + i)%nat, nth i w 0%Q)) (seq 0 k), []) else None
  | Loss a => Some (flat_map (fun i => map (fun j => ((i * k + j)%nat, qmul (nth j q 0%Q) (entry a i j))) (seq 0 k)) (seq 0 m), [])
  | LargestDistance a => Some ([((m * k + n + 0)%nat, 1%Q)], distance_rows k m (fun _ _ => (m * k + n + 0)%nat) a)
  | TotalDistance a =>
    Some (flat_map (fun i => map (fun j => ((m * k + n + (i * k + j))%nat, 1%Q)) (seq 0 k)) (seq 0 m),
          distance_rows k m (fun i j => (m * k + n + (i * k + j))%nat) a)
  | _ => None
  end.

Lemma largest_ge n f i : (i < n)%nat -> f i <= largest n f.
Proof.
  induction n; intros H; [lia|]. cbn. destruct (Nat.eq_dec i n) as [->|]; [apply Rmax_r|].
  eapply Rle_trans; [|apply Rmax_l]. apply IHn. lia.
Qed.
Lemma largest_ext n f g : (0 < n)%nat -> (forall i, (i < n)%nat -> f i = g i) -> largest n f = largest n g.
Proof.
  intros P H. assert (Z : f O = g O) by auto. clear P. induction n; cbn; auto. rewrite IHn, H; auto.
Qed.
Lemma largest_le n f x : (0 < n)%nat -> (forall i, (i < n)%nat -> f i <= x) -> largest n f <= x.
Proof.
  intros P H. assert (Z : f O <= x) by auto. clear P. induction n; cbn; auto. apply Rmax_lub; auto.
Qed.

Theorem linear_cost_ok k m n q o cost rows P aux : (0 < k)%nat -> (0 < m)%nat ->
  linear_cost k m n q o = Some (cost, rows) ->
  exists s, (forall r, 0 <= s r) /\ Forall (satisfied (layout k m n P aux s)) rows /\
            value (layout k m n P aux s) cost = criterion k m (vec q) o P.
Proof.
  intros Hk Hm. destruct o; cbn [linear_cost criterion]; try discriminate; intros H.
  - destruct (Nat.eqb_spec m k); [|discriminate]. inversion H; subst. exists (fun _ => 0).
    split; [intros; lra|]. split; [constructor|]. rewrite value_range. unfold trace. apply sum_ext. intros i Hi.
    rewrite layout_entry by auto. reflexivity.
  - inversion H; subst. exists (fun _ => 0). split; [intros; lra|]. split; [constructor|]. rewrite value_ranges.
    unfold expected_loss. apply sum_ext. intros i Hi. rewrite value_range. apply sum_ext. intros j Hj.
    rewrite layout_entry, qmul_R, entry_R by auto. reflexivity.
  - inversion H; subst. set (D := largest_difference k m P (mat matrix)). exists (fun _ => D).
    assert (L : forall i j, (i < m)%nat -> (j < k)%nat -> Rabs (P i j - mat matrix i j) <= D).
    { intros i j Hi Hj. unfold D, largest_difference.
      eapply Rle_trans; [|apply (largest_ge m (fun i => largest k (fun j => Rabs (P i j - mat matrix i j))) i Hi)].
      apply (largest_ge k (fun j => Rabs (P i j - mat matrix i j)) j Hj). }
    split; [|split].
    + intros _. eapply Rle_trans; [apply Rabs_pos|apply (L O O Hm Hk)].
    + apply distance_rows_ok. intros i j Hi Hj. rewrite layout_rest. auto.
    + cbn [value]. rewrite layout_rest, one_R. ring.
  - inversion H; subst. exists (fun v => Rabs (P (v / k)%nat (v mod k)%nat - mat matrix (v / k)%nat (v mod k)%nat)).
    split; [intros; apply Rabs_pos|]. split.
    + apply distance_rows_ok. intros i j Hi Hj. rewrite layout_rest, divide, remainder by auto. lra.
    + rewrite value_ranges. unfold total_difference. apply sum_ext. intros i Hi.
      rewrite (value_range _ k (fun j => m * k + n + (i * k + j))%nat (fun _ => 1%Q)).
      apply sum_ext. intros j Hj. rewrite layout_rest, divide, remainder, one_R by auto. ring.
Qed.

(* The value of a mechanism of rationals. *)
Fixpoint qlargest (n : nat) (f : nat -> Q) : Q := match n with O => f O | S b => qmax (qlargest b f) (f b) end.
Lemma qlargest_R n f : Q2R (qlargest n f) = largest n (fun i => Q2R (f i)).
Proof. induction n; cbn; auto. rewrite qmax_R, IHn. reflexivity. Qed.
Definition linear_value (k m : nat) (q : list Q) (a : list (list Q)) (o : objective) : option Q :=
  match o with
  | Trace w => Some (qsum k (fun i => qmul (nth i w 0%Q) (entry a i i)))
  | Loss l => Some (qsum m (fun i => qsum k (fun j => qmul (qmul (nth j q 0%Q) (entry l i j)) (entry a i j))))
  | LargestDistance l => Some (qlargest m (fun i => qlargest k (fun j => qabs (qsub (entry a i j) (entry l i j)))))
  | TotalDistance l => Some (qsum m (fun i => qsum k (fun j => qabs (qsub (entry a i j) (entry l i j)))))
  | _ => None
  end.
Lemma linear_value_ok k m q a o v : (0 < k)%nat -> (0 < m)%nat -> linear_value k m q a o = Some v ->
  Q2R v = criterion k m (vec q) o (mat a).
Proof.
  intros Hk Hm. destruct o; cbn [linear_value criterion]; intros H; inversion H; subst.
  - rewrite qsum_R. unfold trace. apply sum_ext. intros. rewrite qmul_R. reflexivity.
  - rewrite qsum_R. unfold expected_loss. apply sum_ext. intros. rewrite qsum_R. apply sum_ext. intros.
    rewrite !qmul_R, !entry_R. reflexivity.
  - rewrite qlargest_R. unfold largest_difference. apply largest_ext; auto. intros. rewrite qlargest_R.
    apply largest_ext; auto. intros. rewrite qabs_R, qsub_R, !entry_R. reflexivity.
  - rewrite qsum_R. unfold total_difference. apply sum_ext. intros. rewrite qsum_R. apply sum_ext. intros.
    rewrite qabs_R, qsub_R, !entry_R. reflexivity.
Qed.

(* Rule 3, design problems. *)
Definition qsame (a b : Q) : bool := Qeq_bool a b.
Definition check_bracket (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q)) (dual : list (nat * Q)) : bool :=
  let k := categories p in let m := length a in
  (Nat.ltb 0 k && Nat.ltb 0 m && match outputs p with Some n => Nat.eqb m n | None => false end
   && is_distribution k (population p) && Qle_bool lower upper && check_allowed k (region_of p) es a
   && match region_rows k m (region_of p) (aboves (conditions (region_of p)) es), linear_value k m (population p) a (objective_of p) with
      | Some (n, rows), Some v =>
        match linear_cost k m n (population p) (objective_of p) with
        | Some (cost, more) =>
          if minimised (objective_of p)
          then Qeq_bool v upper && match lower_bound Unmarked cost (rows ++ more) dual with Some b => Qeq_bool b lower | None => false end
          else Qeq_bool v lower && match upper_bound Unmarked cost (rows ++ more) dual with Some b => Qeq_bool b upper | None => false end
        | None => false
        end
      | _, _ => false
      end)%bool.

Theorem check_bracket_ok p es lower upper a dual : check_bracket p es lower upper a dual = true ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_bracket. set (k := categories p). set (m := length a). intros H.
  apply both in H as [[[[[[Hk Hm]%both O]%both D]%both _]%both A]%both H]. apply Nat.ltb_lt in Hk, Hm.
  apply check_allowed_ok in A as A'. unfold check_allowed in A. apply both in A as [[[_ E]%both _]%both _].
  apply is_distribution_ok in D.
  destruct (region_rows k m (region_of p) (aboves (conditions (region_of p)) es)) as [[n rows]|] eqn:R; [|discriminate].
  destruct (linear_value k m (population p) a (objective_of p)) as [v|] eqn:V; [|discriminate].
  destruct (linear_cost k m n (population p) (objective_of p)) as [[cost more]|] eqn:C; [|discriminate].
  apply linear_value_ok in V; auto.
  assert (F : outputs_fit p m) by (unfold outputs_fit; destruct (outputs p); [apply Nat.eqb_eq in O; auto|exact I]).
  assert (B : forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' -> m' = m /\
            exists X, respects Unmarked X /\ Forall (satisfied X) (rows ++ more) /\
                      value X cost = criterion k m' (vec (population p)) (objective_of p) P').
  { intros m' P' F' A1. assert (M : m' = m).
    { unfold outputs_fit in F'. destruct (outputs p) as [o|]; [|discriminate]. apply Nat.eqb_eq in O. congruence. }
    split; auto. subst m'.
    destruct (region_rows_ok k m (region_of p) es n rows P' Hk E R A1) as [aux [N1 S1]].
    destruct (linear_cost_ok k m n (population p) (objective_of p) cost more P' aux Hk Hm C) as [s [N2 [S2 W]]].
    exists (layout k m n P' aux s). split; [apply layout_nonneg; auto; apply A1|]. split; auto. apply Forall_app; auto. }
  unfold bracketed. fold k. split; [exact D|]. split; [exact F|]. split; [exact A'|].
  assert (NE : forall x, match objective_of p with Estimate _ => False | _ => x end ->
               match objective_of p with Estimate _ => True | _ => x end) by (destruct (objective_of p); tauto).
  destruct (minimised (objective_of p)) eqn:S.
  - destruct (lower_bound Unmarked cost (rows ++ more) dual) as [b|] eqn:L; [|rewrite andb_false_r in H; discriminate].
    apply both in H as [H1 H2]. apply qeq_R in H1, H2.
    assert (G : criterion k m (vec (population p)) (objective_of p) (mat a) <= Q2R upper /\
      forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' ->
      Q2R lower <= criterion k m' (vec (population p)) (objective_of p) P').
    { split; [lra|]. intros m' P' F' A1. destruct (B m' P' F' A1) as [_ [X [X1 [X2 X3]]]].
      pose proof (lower_bound_ok _ _ _ _ _ X L X1 X2). lra. }
    destruct (objective_of p); try discriminate; cbn [minimised] in *; try discriminate; exact G.
  - destruct (upper_bound Unmarked cost (rows ++ more) dual) as [b|] eqn:L; [|rewrite andb_false_r in H; discriminate].
    apply both in H as [H1 H2]. apply qeq_R in H1, H2.
    assert (G : Q2R lower <= criterion k m (vec (population p)) (objective_of p) (mat a) /\
      forall m' P', outputs_fit p m' -> allowed k m' (region_of p) P' ->
      finite k m' (vec (population p)) (objective_of p) P' /\
      criterion k m' (vec (population p)) (objective_of p) P' <= Q2R upper).
    { split; [lra|]. intros m' P' F' A1. destruct (B m' P' F' A1) as [_ [X [X1 [X2 X3]]]].
      pose proof (upper_bound_ok _ _ _ _ _ X L X1 X2). split; [|lra].
      destruct (objective_of p); cbn [finite]; try exact I; discriminate. }
    destruct (objective_of p); try discriminate; cbn [minimised] in *; try discriminate; exact G.
Qed.

(* Rule 4, design problems: no mechanism is allowed. *)
Definition check_no_mechanism (p : problem) (es : list ends) (dual : list (nat * Q)) : bool :=
  let k := categories p in
  match outputs p with
  | Some m =>
    (Nat.ltb 0 k && check_all_ends (conditions (region_of p)) es
     && match region_rows k m (region_of p) (aboves (conditions (region_of p)) es) with
        | Some (n, rows) => infeasible Unmarked rows dual
        | None => false
        end)%bool
  | None => false
  end.
Theorem check_no_mechanism_ok p es dual : check_no_mechanism p es dual = true -> true_claim (NoMechanism p).
Proof.
  unfold check_no_mechanism. intros H. destruct (outputs p) as [o|] eqn:O; [|discriminate].
  apply both in H as [[Hk E]%both H]. apply Nat.ltb_lt in Hk. split; [exact (check_all_ends_defined _ _ E)|].
  intros m P F A. unfold outputs_fit in F. rewrite O in F. subst m.
  destruct (region_rows (categories p) o (region_of p) (aboves (conditions (region_of p)) es)) as [[n rows]|] eqn:R; [|discriminate].
  destruct (region_rows_ok _ _ _ es n rows P Hk E R A) as [aux [N S]].
  apply (infeasible_ok _ _ _ (layout (categories p) o n P aux (fun _ => 0)) H); auto.
  apply layout_nonneg; auto; [apply A|intros; lra].
Qed.
