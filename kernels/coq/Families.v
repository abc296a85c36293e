(* Families of design problems, for all numbers of categories at once: the theorems behind the statement `family`.

   The categories form classes of alike ones. A decision stands for one output, or, if it owns a class, for one output for
   each category of that class. The sums over all categories become sums over the classes (`sum_by_class`, by induction on
   the number of categories); what is left are identities in the sizes, the proportions, the costs and u = gamma - 1.

   Lower bound (`family_bound`): the conditions of a dual that is constant on each class are finitely many, whatever the sizes
   are: for each output all or none of the other categories of each class, and its own category or not.
   Attainment (`family_attained`): rows of classes with weights give a mechanism of cost (A + B u)/(u + X). *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement EveryLevel.
Import ListNotations.
Local Open Scope R_scope.

(* k categories and m outputs. `owner h` is the class that the decision h owns; then `own d` is the category of the output d. *)
Record shape := Shape { classes : nat; class : nat -> nat; decision : nat -> nat; owner : nat -> option nat; own : nat -> nat }.
Definition one (b : bool) : R := if b then 1 else 0.
Definition size (k : nat) (F : shape) (i : nat) : R := sum k (fun j => one (Nat.eqb (class F j) i)).
Definition count (m : nat) (F : shape) (h : nat) : R := sum m (fun d => one (Nat.eqb (decision F d) h)).
Definition owns (F : shape) (d j : nat) : bool :=
  match owner F (decision F d) with Some _ => Nat.eqb (own F d) j | None => false end.
Definition owned (F : shape) (h i : nat) : bool := match owner F h with Some o => Nat.eqb i o | None => false end.
(* A number for each class, and another one at the own category. *)
Definition pick (F : shape) (f : nat -> R) (r : R) (d j : nat) : R := if owns F d j then r else f (class F j).
Definition total (k : nat) (F : shape) (f : nat -> R) (r : R) (h : nat) : R :=
  sum (classes F) (fun i => (size k F i - one (owned F h i)) * f i) + match owner F h with Some _ => r | None => 0 end.
Definition well_formed (k m : nat) (F : shape) : Prop :=
  (forall j, (j < k)%nat -> (class F j < classes F)%nat) /\
  (forall d, (d < m)%nat -> match owner F (decision F d) with Some o => (own F d < k)%nat /\ class F (own F d) = o | None => True end).

Lemma sum_at n i (f : nat -> R) : (i < n)%nat -> sum n (fun h => one (Nat.eqb h i) * f h) = f i.
Proof.
  intros H. rewrite <- (sum_single n i (f i) H). apply sum_ext. intros h _. unfold one.
  destruct (Nat.eqb_spec h i) as [->|]; ring.
Qed.
Lemma sum_at' n i (f : nat -> R) : (i < n)%nat -> sum n (fun h => one (Nat.eqb i h) * f h) = f i.
Proof. intros H. rewrite <- (sum_at n i f H). apply sum_ext. intros h _. rewrite Nat.eqb_sym. reflexivity. Qed.

Lemma sum_by_class k F f : (forall j, (j < k)%nat -> (class F j < classes F)%nat) ->
  sum k (fun j => f (class F j)) = sum (classes F) (fun i => size k F i * f i).
Proof.
  unfold size. induction k as [|k IH]; intros H; cbn [sum].
  - symmetry. apply sum_zero. intros. ring.
  - rewrite IH by auto. rewrite <- (sum_at' (classes F) (class F k) f) by auto. rewrite <- sum_plus. apply sum_ext. intros. ring.
Qed.

Lemma pick_split F f r d j : pick F f r d j = f (class F j) + one (owns F d j) * (r - f (class F j)).
Proof. unfold pick, one. destruct (owns F d j); ring. Qed.

Lemma sum_pick k m F f r d : well_formed k m F -> (d < m)%nat -> sum k (pick F f r d) = total k F f r (decision F d).
Proof.
  intros [C O] D. rewrite (sum_ext k _ _ (fun j _ => pick_split F f r d j)), sum_plus, sum_by_class by auto.
  specialize (O d D). unfold total, owned, owns. destruct (owner F (decision F d)) as [o|].
  - destruct O as [K E]. rewrite (sum_at' k (own F d) (fun j => r - f (class F j)) K), E.
    rewrite (sum_ext _ (fun i => (size k F i - one (Nat.eqb i o)) * f i) (fun i => size k F i * f i - one (Nat.eqb i o) * f i)) by (intros; ring).
    rewrite sum_minus, sum_at by (subst o; auto). ring.
  - rewrite (sum_ext _ (fun i => (size k F i - one false) * f i) (fun i => size k F i * f i)) by (intros; unfold one; ring).
    rewrite (sum_zero k) by (intros; unfold one; ring). ring.
Qed.

(* The lower bound. `cost h i` and `right h` are costs times proportions. *)
Definition family_cost (F : shape) (cost : nat -> nat -> R) (right : nat -> R) (d j : nat) : R :=
  pick F (cost (decision F d)) (right (decision F d)) d j.
Definition own_class (F : shape) (h : nat) : nat := match owner F h with Some o => o | None => O end.
Definition condition (k : nat) (F : shape) (cost : nat -> nat -> R) (right : nat -> R) (y : nat -> R) (u v : R)
    (T : nat -> bool) (o : bool) (h : nat) : R :=
  total k F (fun i => cost h i + one (T i) * (u * cost h i - y i)) (right h + one o * (u * right h - y (own_class F h))) h - v.

Lemma total_plus k F f g r s h : total k F (fun i => f i + g i) (r + s) h = total k F f r h + total k F g s h.
Proof.
  unfold total. rewrite (sum_ext _ _ (fun i => (size k F i - one (owned F h i)) * f i + (size k F i - one (owned F h i)) * g i)) by (intros; ring).
  rewrite sum_plus. destruct (owner F h); ring.
Qed.
Lemma total_scal k F c f r h : total k F (fun i => c * f i) (c * r) h = c * total k F f r h.
Proof.
  unfold total. rewrite (sum_ext _ _ (fun i => c * ((size k F i - one (owned F h i)) * f i))) by (intros; ring).
  rewrite sum_scal. destruct (owner F h); ring.
Qed.
Lemma total_ext k F f g r s h : (forall i, f i = g i) -> r = s -> total k F f r h = total k F g s h.
Proof. intros H ->. unfold total. f_equal. apply sum_ext. intros. rewrite H. reflexivity. Qed.

Definition above (x : R) : bool := if Rle_dec 0 x then true else false.
Lemma positive_part x : Rmax 0 x = - (one (above x) * - x).
Proof. unfold above, one. destruct (Rle_dec 0 x); [rewrite Rmax_right by lra|rewrite Rmax_left by lra]; ring. Qed.

Theorem family_bound : forall k m F cost right y gamma v P,
  (0 < k)%nat -> 1 <= gamma -> mechanism k m P -> private k m gamma 0 P -> well_formed k m F ->
  sum (classes F) (fun i => size k F i * y i) = (gamma - 1) * v ->
  (forall d T o, (d < m)%nat -> 0 <= condition k F cost right y (gamma - 1) v T o (decision F d)) ->
  v <= expected_cost k m (family_cost F cost right) P.
Proof.
  intros k m F cost right y g v P Hk Hg M PR W Y C. pose proof W as [WC WO].
  apply (every_level k m _ P (fun j => y (class F j)) g v); auto.
  - rewrite sum_by_class by auto. exact Y.
  - intros d D. set (h := decision F d). set (u := g - 1) in *.
    change (sum k (family_cost F cost right d)) with (sum k (pick F (cost h) (right h) d)).
    set (T := fun i => above (y i - u * cost h i)). set (o := above (y (own_class F h) - u * right h)).
    specialize (C d T o D). fold h in C. unfold condition in C. rewrite total_plus in C.
    rewrite (sum_pick k m F (cost h) (right h) d W D). fold h.
    rewrite (sum_ext k _ (pick F (fun i => -1 * (one (T i) * (u * cost h i - y i)))
      (-1 * (one o * (u * right h - y (own_class F h)))) d)).
    + rewrite (sum_pick k m F _ _ d W D). fold h. rewrite total_scal. lra.
    + intros j J. unfold family_cost, pick. fold h. rewrite positive_part. specialize (WO d D). fold h in WO.
      destruct (owns F d j) eqn:E.
      * unfold owns in E. fold h in E. unfold o, own_class. destruct (owner F h) as [i|]; [|discriminate].
        apply Nat.eqb_eq in E. subst j. destruct WO as [_ ->]. ring.
      * unfold T. ring.
Qed.

(* Attainment. A row: a decision, the classes of its set, whether the own category is in it, and a weight. *)
Record row_kind := RowKind { of_decision : nat; in_classes : nat -> bool; own_in : bool; row_weight : R }.
Definition over_kinds (rs : list row_kind) (f : row_kind -> R) : R := list_sum (map f rs).
Definition all_weight (rs : list row_kind) : R := over_kinds rs row_weight.
Definition members (k : nat) (F : shape) (r : row_kind) (i : nat) : R :=
  (size k F i - one (owned F (of_decision r) i)) * one (in_classes r i) + one (owned F (of_decision r) i) * one (own_in r).
Definition row_cost (k : nat) (F : shape) (cost : nat -> nat -> R) (right : nat -> R) (u : R) (r : row_kind) : R :=
  let h := of_decision r in
  total k F (fun i => cost h i * (1 + u * one (in_classes r i))) (right h * (1 + u * one (own_in r))) h.
Definition family_mechanism (m : nat) (F : shape) (rs : list row_kind) (u : R) (d j : nat) : R :=
  over_kinds rs (fun r => one (Nat.eqb (decision F d) (of_decision r)) *
    (row_weight r / (count m F (of_decision r) * (all_weight rs + u)) *
     (1 + u * pick F (fun i => one (in_classes r i)) (one (own_in r)) d j))).
(* Each category of a class that a decision owns has one output of this decision; a decision without a class is one output. *)
Definition one_output_each (k m : nat) (F : shape) (h : nat) : Prop :=
  count m F h = match owner F h with Some o => size k F o | None => 1 end /\
  forall j, (j < k)%nat -> sum m (fun d => one (Nat.eqb (decision F d) h) * one (owns F d j)) = one (owned F h (class F j)).

Lemma over_kinds_ext rs f g : (forall r, In r rs -> f r = g r) -> over_kinds rs f = over_kinds rs g.
Proof. unfold over_kinds. induction rs as [|a rs IH]; intros H; cbn; [auto|]. rewrite (H a), IH; cbn; auto. intros; apply H; cbn; auto. Qed.
Lemma over_kinds_plus rs f g : over_kinds rs (fun r => f r + g r) = over_kinds rs f + over_kinds rs g.
Proof. unfold over_kinds. induction rs; cbn; lra. Qed.
Lemma over_kinds_scal rs c f : over_kinds rs (fun r => c * f r) = c * over_kinds rs f.
Proof. unfold over_kinds. induction rs; cbn; lra. Qed.
Lemma over_kinds_le rs f g : (forall r, In r rs -> f r <= g r) -> over_kinds rs f <= over_kinds rs g.
Proof.
  unfold over_kinds. induction rs as [|a rs IH]; intros H; cbn; [lra|].
  apply Rplus_le_compat; [apply H; cbn; auto|apply IH; intros; apply H; cbn; auto].
Qed.
Lemma over_kinds_sum rs n f : over_kinds rs (fun r => sum n (f r)) = sum n (fun i => over_kinds rs (fun r => f r i)).
Proof.
  unfold over_kinds. induction rs as [|a rs IH]; cbn; [symmetry; apply sum_zero; auto|]. rewrite IH, <- sum_plus. reflexivity.
Qed.

Lemma size_positive k F j : (j < k)%nat -> 0 < size k F (class F j).
Proof.
  intros J. apply Rlt_le_trans with (one (Nat.eqb (class F j) (class F j))); [rewrite Nat.eqb_refl; cbn; lra|].
  apply (sum_term k (fun i => one (Nat.eqb (class F i) (class F j)))); auto. intros i _. unfold one. destruct (Nat.eqb _ _); lra.
Qed.

Definition attains (k m : nat) (F : shape) (cost : nat -> nat -> R) (right : nat -> R) (u v : R) (P : nat -> nat -> R) : Prop :=
  mechanism k m P /\ private k m (1 + u) 0 P /\ expected_cost k m (family_cost F cost right) P = v.

Lemma sum_of_kind k m F h f r j : one_output_each k m F h -> (j < k)%nat ->
  sum m (fun d => one (Nat.eqb (decision F d) h) * pick F f r d j) =
  count m F h * f (class F j) + one (owned F h (class F j)) * (r - f (class F j)).
Proof.
  intros [_ O] J. rewrite <- (O j J), <- sum_scal_r. unfold count. rewrite <- sum_scal_r, <- sum_plus.
  apply sum_ext. intros d _. rewrite pick_split. ring.
Qed.

Theorem family_attained : forall k m F cost right rs u,
  (0 < k)%nat -> 0 < u -> well_formed k m F ->
  (forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)) ->
  (forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i) ->
  attains k m F cost right u (over_kinds rs (fun r => row_weight r * row_cost k F cost right u r) / (all_weight rs + u))
    (family_mechanism m F rs u).
Proof.
  intros k m F cost right rs u Hk Hu W R C. pose proof W as [WC WO].
  assert (X : 0 <= all_weight rs).
  { unfold all_weight. replace 0 with (over_kinds rs (fun _ => 0 * 0)) by (rewrite over_kinds_scal; ring).
    apply over_kinds_le. intros r I. rewrite Rmult_0_l. apply R; auto. }
  set (Z := all_weight rs + u). assert (Z0 : 0 < Z) by (unfold Z; lra).
  assert (B : forall r, In r rs -> 0 <= row_weight r / (count m F (of_decision r) * Z)).
  { intros r I. destruct (R r I) as (A & N & _). unfold Rdiv. apply Rmult_le_pos; auto.
    apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; auto. }
  assert (E01 : forall r d j, 0 <= pick F (fun i => one (in_classes r i)) (one (own_in r)) d j <= 1).
  { intros. unfold pick, one. destruct (owns F d j), (own_in r), (in_classes r (class F j)); lra. }
  split; [split|split].
  - intros d j D J. replace 0 with (over_kinds rs (fun _ => 0 * 0)) by (rewrite over_kinds_scal; ring).
    apply over_kinds_le. intros r I. rewrite Rmult_0_l. specialize (B r I). specialize (E01 r d j).
    fold Z. apply Rmult_le_pos; [unfold one; destruct (Nat.eqb _ _); lra|]. apply Rmult_le_pos; auto.
    apply Rplus_le_le_0_compat; [lra|apply Rmult_le_pos; lra].
  - intros j J. unfold family_mechanism. fold Z. rewrite <- over_kinds_sum.
    pose proof (size_positive k F j J) as S. set (n := size k F (class F j)) in *.
    rewrite (over_kinds_ext rs _ (fun r => / Z * row_weight r + u / (Z * n) * (row_weight r * members k F r (class F j)))).
    + rewrite over_kinds_plus, !over_kinds_scal, C by auto. fold (all_weight rs) n. unfold Z in *. field. split; lra.
    + intros r I. destruct (R r I) as (A & N & O). set (h := of_decision r) in *.
      rewrite (sum_ext m _ (fun d => row_weight r / (count m F h * Z) * (one (Nat.eqb (decision F d) h) +
        u * (one (Nat.eqb (decision F d) h) * pick F (fun i => one (in_classes r i)) (one (own_in r)) d j)))) by (intros; ring).
      rewrite sum_scal, sum_plus, sum_scal, (sum_of_kind k) by auto. fold (count m F h).
      unfold members. fold h n. destruct O as [O _]. unfold owned in *. destruct (owner F h) as [o|].
      * destruct (Nat.eqb_spec (class F j) o) as [Q|Q].
        -- rewrite O in *. subst o. fold n. change (one true) with 1. field. split; lra.
        -- change (one false) with 0. field. repeat split; lra.
      * rewrite O in *. change (one false) with 0. field. split; lra.
  - apply private_rows. intros d j l D J L. unfold family_mechanism. fold Z. rewrite <- over_kinds_scal.
    apply over_kinds_le. intros r I. specialize (B r I). pose proof (E01 r d j) as E1. pose proof (E01 r d l) as E2.
    set (b := row_weight r / _) in *. set (e := pick _ _ _ d j) in *. set (f := pick _ _ _ d l) in *.
    assert (Q : 1 + u * e <= (1 + u) * (1 + u * f)).
    { assert (u * e <= u * 1) by (apply Rmult_le_compat_l; lra).
      assert (0 <= (1 + u) * (u * f)) by (apply Rmult_le_pos; [lra|apply Rmult_le_pos; lra]). lra. }
    replace ((1 + u) * (one (Nat.eqb (decision F d) (of_decision r)) * (b * (1 + u * f))))
      with (one (Nat.eqb (decision F d) (of_decision r)) * (b * ((1 + u) * (1 + u * f)))) by ring.
    apply Rmult_le_compat_l; [unfold one; destruct (Nat.eqb _ _); lra|]. apply Rmult_le_compat_l; auto.
  - unfold expected_cost, family_mechanism. fold Z.
    rewrite (sum_ext m _ (fun d => over_kinds rs (fun r => one (Nat.eqb (decision F d) (of_decision r)) *
      (row_weight r / (count m F (of_decision r) * Z) * row_cost k F cost right u r)))).
    + rewrite <- over_kinds_sum. unfold Rdiv at 2. rewrite Rmult_comm, <- over_kinds_scal. apply over_kinds_ext. intros r I.
      destruct (R r I) as (A & N & O). rewrite sum_scal_r. fold (count m F (of_decision r)). field. split; lra.
    + intros d D. rewrite (sum_ext k _ (fun j => over_kinds rs (fun r => one (Nat.eqb (decision F d) (of_decision r)) *
        (row_weight r / (count m F (of_decision r) * Z) *
         pick F (fun i => cost (of_decision r) i * (1 + u * one (in_classes r i))) (right (of_decision r) * (1 + u * one (own_in r))) d j)))).
      * rewrite <- over_kinds_sum. apply over_kinds_ext. intros r I. rewrite sum_scal, sum_scal, (sum_pick k m) by auto.
        unfold row_cost. destruct (Nat.eqb_spec (decision F d) (of_decision r)) as [->|]; [ring|change (one false) with 0; ring].
      * intros j J. rewrite <- over_kinds_scal. apply over_kinds_ext. intros r I. unfold family_cost.
        destruct (Nat.eqb_spec (decision F d) (of_decision r)) as [->|]; [|change (one false) with 0; ring].
        unfold pick. destruct (owns F d j); ring.
Qed.

(* The optimum of a member of a family, as the least of a list of values. *)
Definition optimum (k m : nat) (F : shape) (cost : nat -> nat -> R) (right : nat -> R) (gamma v : R) : Prop :=
  (exists P, mechanism k m P /\ private k m gamma 0 P /\ expected_cost k m (family_cost F cost right) P = v) /\
  forall P, mechanism k m P -> private k m gamma 0 P -> v <= expected_cost k m (family_cost F cost right) P.
Fixpoint least (v : R) (vs : list R) : R := match vs with [] => v | w :: others => Rmin v (least w others) end.

Lemma least_at_most v vs w : In w (v :: vs) -> least v vs <= w.
Proof.
  revert v. induction vs as [|a vs IH]; intros v I; cbn [least].
  - destruct I as [->|[]]. lra.
  - destruct I as [->|I]; [apply Rmin_l|]. apply Rle_trans with (least a vs); [apply Rmin_r|auto].
Qed.
Lemma least_in v vs : In (least v vs) (v :: vs).
Proof.
  revert v. induction vs as [|a vs IH]; intros v; [left; auto|]. cbn [least].
  unfold Rmin. destruct (Rle_dec v (least a vs)); [left; auto|right; apply IH].
Qed.

Theorem least_formula : forall k m F cost right gamma v vs,
  (forall w, In w (v :: vs) -> exists P, mechanism k m P /\ private k m gamma 0 P /\ expected_cost k m (family_cost F cost right) P = w) ->
  (forall w, In w (v :: vs) -> (forall x, In x (v :: vs) -> w <= x) ->
     forall P, mechanism k m P -> private k m gamma 0 P -> w <= expected_cost k m (family_cost F cost right) P) ->
  optimum k m F cost right gamma (least v vs).
Proof.
  intros k m F cost right g v vs A B. split; [apply A, least_in|].
  apply B; [apply least_in|]. intros x I. apply least_at_most, I.
Qed.

(* Shapes of given sizes: class after class, and decision after decision. *)
Definition list_of_classes (ns : list nat) : list nat := flat_map (fun i => repeat i (nth i ns O)) (seq 0 (length ns)).
Definition list_of_outputs (ns : list nat) (owners : list (option nat)) : list (nat * nat) :=
  let cs := list_of_classes ns in
  flat_map (fun h => match nth h owners None with
    | Some o => map (fun j => (h, j)) (filter (fun j => Nat.eqb (nth j cs O) o) (seq 0 (length cs)))
    | None => [(h, O)] end) (seq 0 (length owners)).
Definition layout (ns : list nat) (owners : list (option nat)) : shape :=
  let cs := list_of_classes ns in let os := list_of_outputs ns owners in
  Shape (length ns) (fun j => nth j cs O) (fun d => fst (nth d os (O, O))) (fun h => nth h owners None) (fun d => snd (nth d os (O, O))).
Definition categories (ns : list nat) : nat := length (list_of_classes ns).
Definition outputs (ns : list nat) (owners : list (option nat)) : nat := length (list_of_outputs ns owners).

Definition over_list {A} (l : list A) (f : A -> R) : R := list_sum (map f l).
Lemma over_list_ext {A} (l : list A) f g : (forall x, In x l -> f x = g x) -> over_list l f = over_list l g.
Proof. unfold over_list. induction l as [|a l IH]; intros H; cbn; [auto|]. rewrite (H a), IH; cbn; auto. intros; apply H; cbn; auto. Qed.
Lemma over_list_zero {A} (l : list A) f : (forall x, In x l -> f x = 0) -> over_list l f = 0.
Proof. unfold over_list. induction l as [|a l IH]; intros H; cbn; [auto|]. rewrite (H a), IH; cbn; auto; [ring|]. intros; apply H; cbn; auto. Qed.
Lemma over_list_app {A} (l l' : list A) f : over_list (l ++ l') f = over_list l f + over_list l' f.
Proof. unfold over_list. induction l as [|a l IH]; cbn; [ring|]. rewrite IH. ring. Qed.
Lemma over_list_map {A B} (g : A -> B) l f : over_list (map g l) f = over_list l (fun x => f (g x)).
Proof. unfold over_list. rewrite map_map. reflexivity. Qed.
Lemma over_list_flat {A B} (g : A -> list B) l f : over_list (flat_map g l) f = over_list l (fun x => over_list (g x) f).
Proof. induction l as [|a l IH]; [reflexivity|]. cbn [flat_map]. rewrite over_list_app, IH. reflexivity. Qed.
Lemma over_list_filter {A} p (l : list A) f : over_list (filter p l) f = over_list l (fun x => one (p x) * f x).
Proof. unfold over_list. induction l as [|a l IH]; cbn; [auto|]. destruct (p a); cbn; rewrite IH; ring. Qed.
Lemma over_list_repeat {A} (a : A) n f : over_list (repeat a n) f = INR n * f a.
Proof. unfold over_list. rewrite map_repeat. apply list_sum_repeat. Qed.
Lemma over_list_seq n f : over_list (seq 0 n) f = sum n f.
Proof.
  unfold over_list. rewrite <- (app_nil_r (seq 0 n)). induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, app_nil_r in *. cbn [sum]. rewrite <- IH, map_app. generalize (map f (seq 0 n)). intros l. cbn.
  induction l; cbn; [ring|]. rewrite IHl. ring.
Qed.
Lemma sum_nth {A} (l : list A) a f : sum (length l) (fun i => f (nth i l a)) = over_list l f.
Proof.
  rewrite <- (over_list_seq (length l)). unfold over_list. rewrite <- (map_map (fun i => nth i l a) f). f_equal. f_equal.
  induction l as [|b l IH]; [reflexivity|]. cbn [length seq map nth]. f_equal. rewrite <- seq_shift, map_map. exact IH.
Qed.

Lemma list_of_classes_in ns c : In c (list_of_classes ns) -> (c < length ns)%nat.
Proof. unfold list_of_classes. rewrite in_flat_map. intros (i & I & J). apply repeat_spec in J. subst. apply in_seq in I. lia. Qed.

Lemma layout_size ns owners i : (i < length ns)%nat -> size (categories ns) (layout ns owners) i = INR (nth i ns O).
Proof.
  intros H. unfold size, categories, layout. cbn [class].
  rewrite (sum_nth (list_of_classes ns) O (fun c => one (Nat.eqb c i))). unfold list_of_classes.
  rewrite over_list_flat, over_list_seq, <- (sum_at (length ns) i (fun h => INR (nth h ns O)) H). apply sum_ext. intros h _.
  rewrite over_list_repeat. ring.
Qed.

Lemma output_in ns owners h j : In (h, j) (list_of_outputs ns owners) ->
  (h < length owners)%nat /\
  match nth h owners None with Some o => (j < categories ns)%nat /\ nth j (list_of_classes ns) O = o | None => True end.
Proof.
  unfold list_of_outputs. rewrite in_flat_map. intros (g & I & J). apply in_seq in I. destruct (nth g owners None) as [o|] eqn:E.
  - apply in_map_iff in J. destruct J as (l & Q & M). injection Q as -> ->. apply filter_In in M. destruct M as [M N].
    apply in_seq in M. apply Nat.eqb_eq in N. rewrite E. split; [lia|]. split; [unfold categories; lia|auto].
  - destruct J as [J|[]]. injection J as -> _. rewrite E. split; [lia|auto].
Qed.

Lemma layout_well_formed ns owners : well_formed (categories ns) (outputs ns owners) (layout ns owners).
Proof.
  split.
  - intros j J. cbn [layout class classes]. apply list_of_classes_in, nth_In, J.
  - intros d D. cbn [layout decision owner own class]. pose proof (nth_In _ (O, O) D) as I.
    destruct (nth d (list_of_outputs ns owners) (O, O)) as [h j]. cbn [fst snd]. apply output_in in I. apply I.
Qed.
Lemma layout_decision ns owners d : (d < outputs ns owners)%nat -> (decision (layout ns owners) d < length owners)%nat.
Proof.
  intros D. cbn [layout decision]. pose proof (nth_In _ (O, O) D) as I.
  destruct (nth d (list_of_outputs ns owners) (O, O)) as [h j]. apply (output_in ns owners h j I).
Qed.

(* A sum over the outputs of one decision. *)
Lemma sum_outputs ns owners h f : (h < length owners)%nat ->
  sum (outputs ns owners) (fun d => one (Nat.eqb (decision (layout ns owners) d) h) * f (own (layout ns owners) d)) =
  match nth h owners None with
  | Some o => sum (categories ns) (fun j => one (Nat.eqb (nth j (list_of_classes ns) O) o) * f j)
  | None => f O end.
Proof.
  intros H. unfold outputs. cbn [layout decision own].
  rewrite (sum_nth (list_of_outputs ns owners) (O, O) (fun x => one (Nat.eqb (fst x) h) * f (snd x))).
  unfold list_of_outputs. rewrite over_list_flat, over_list_seq.
  rewrite <- (sum_at (length owners) h (fun g => match nth g owners None with
    | Some o => sum (categories ns) (fun j => one (Nat.eqb (nth j (list_of_classes ns) O) o) * f j) | None => f O end) H).
  apply sum_ext. intros g _. destruct (nth g owners None) as [o|].
  - rewrite over_list_map, over_list_filter, over_list_seq. cbn [fst snd]. fold (categories ns). rewrite <- sum_scal. apply sum_ext. intros; ring.
  - unfold over_list. cbn. ring.
Qed.

Lemma layout_outputs ns owners h : (h < length owners)%nat ->
  one_output_each (categories ns) (outputs ns owners) (layout ns owners) h.
Proof.
  intros H. split.
  - unfold count. rewrite (sum_ext _ _ (fun d => one (Nat.eqb (decision (layout ns owners) d) h) * 1)) by (intros; ring).
    rewrite (sum_outputs ns owners h (fun _ => 1) H). cbn [layout owner]. destruct (nth h owners None) as [o|]; [|auto].
    unfold size. cbn [layout class]. apply sum_ext. intros; ring.
  - intros j J. unfold owns, owned.
    rewrite (sum_ext _ _ (fun d => one (Nat.eqb (decision (layout ns owners) d) h) *
      (match nth h owners None with Some _ => one (Nat.eqb (own (layout ns owners) d) j) | None => 0 end))).
    + destruct (nth h owners None) as [o|] eqn:E.
      * rewrite (sum_outputs ns owners h (fun i => one (Nat.eqb i j)) H), E. cbn [layout owner class]. rewrite E.
        rewrite (sum_ext _ _ (fun i => one (Nat.eqb i j) * one (Nat.eqb (nth i (list_of_classes ns) O) o))) by (intros; ring).
        apply (sum_at (categories ns) j (fun i => one (Nat.eqb (nth i (list_of_classes ns) O) o)) J).
      * rewrite (sum_outputs ns owners h (fun _ => 0) H), E. cbn [layout owner]. rewrite E. reflexivity.
    + intros d _. cbn [layout owner decision]. destruct (Nat.eqb_spec (fst (nth d (list_of_outputs ns owners) (O, O))) h) as [->|].
      * destruct (nth h owners None); [reflexivity|]. reflexivity.
      * unfold one at 1 3. ring.
Qed.
