(* Theorems of families: for every number of categories, every parameter and every gamma > 1. Written by
   write_families.py from certificates of the statement `family`. Each theorem stands at the end of its part. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement EveryLevel Families.
Import ListNotations.
Local Open Scope R_scope.

Ltac nonneg := repeat first [assumption | apply Rplus_le_le_0_compat | apply Rmult_le_pos | apply pow_le | lra].
Ltac positive := first [assumption | apply Rmult_lt_0_compat; solve [positive] | apply pow_lt; solve [positive] | lra
  | apply Rplus_lt_le_0_compat; [solve [positive]|solve [nonneg]]
  | apply Rplus_le_lt_0_compat; [solve [nonneg]|solve [positive]]].
Ltac nonzero := repeat split; first [lra | apply Rgt_not_eq, Rlt_gt; solve [positive] | nra].
Lemma quotient_nonneg a b : 0 <= a -> 0 < b -> 0 <= a / b.
Proof. intros A B. unfold Rdiv. apply Rmult_le_pos; auto. apply Rlt_le, Rinv_0_lt_compat, B. Qed.
Lemma between low high p : low < p < high -> exists r, 0 < r /\ p = (low + high * r) / (1 + r).
Proof.
  intros H. exists ((p - low) / (high - p)). split.
  - unfold Rdiv. apply Rmult_lt_0_compat; [lra|apply Rinv_0_lt_compat; lra].
  - field. split; lra.
Qed.
Ltac quotient x := match goal with |- 0 <= ?y => replace y with x by (field; nonzero) end.
Ltac nonneg_quotient := first [solve [nonneg] | apply quotient_nonneg; [nonneg|positive]].


(* zero_one *)
Definition zero_one_cost (k : R) (h i : nat) : R :=
  match h, i with
  | 0%nat, 0%nat => (1 / k) * 1
  | _, _ => 0
  end.
Definition zero_one_right (k : R) (h : nat) : R :=
  match h with
  | 0%nat => (1 / k) * 0
  | _ => 0
  end.
Lemma zero_one_bound_0 k m F t_k u P : 0 <= t_k -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 1%nat -> size k F 0 = (2 + t_k) -> owner F 0 = Some 0%nat ->
  (forall d, (d < m)%nat -> (decision F d < 1)%nat) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) <= expected_cost k m (family_cost F (zero_one_cost ((2 + t_k))) (zero_one_right ((2 + t_k)))) P.
Proof.
  intros P0 P1 K W G N0 O0 D M R.
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => (u + t_k * u) / (4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0. cbn [Nat.eqb zero_one_cost zero_one_right].
    destruct (T 0%nat), o; cbn [one].
    - quotient ((2 * u + 2 * u ^ 2 + 3 * t_k * u + 3 * t_k * u ^ 2 + t_k ^ 2 * u + t_k ^ 2 * u ^ 2) / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + t_k))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((4 * u + 2 * u ^ 2 + 6 * t_k * u + 3 * t_k * u ^ 2 + 2 * t_k ^ 2 * u + t_k ^ 2 * u ^ 2) / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + t_k))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + t_k))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 3 * t_k * u + t_k ^ 2 * u) / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + t_k))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma zero_one_attained_0 k m F t_k u : 0 <= t_k -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 1%nat -> size k F 0 = (2 + t_k) -> owner F 0 = Some 0%nat ->
  (forall h, (h < 1)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (zero_one_cost ((2 + t_k))) (zero_one_right ((2 + t_k)))) P = (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))).
Proof.
  intros P0 P1 K W G N0 O0 E.
  pose proof (E 0%nat ltac:(lia)) as E0. assert (C0 : 0 < count m F 0) by (rewrite (proj1 E0), O0; rewrite ?N0; positive).
  set (rs := [RowKind 0 (fun i => match i with | 0%nat => false | _ => false end) true ((2 + t_k) / (1))]).
  pose proof (family_attained k m F (zero_one_cost ((2 + t_k))) (zero_one_right ((2 + t_k))) rs u K P1 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, G. cbn [sum Nat.eqb one]. rewrite ?N0.
  cbn [zero_one_cost zero_one_right one]. field; nonzero.
Qed.
Theorem zero_one : forall (k : nat) (gamma : R), (2 <= k)%nat -> 1 < gamma ->
  let ns := [k]%nat in let owners := [Some 0]%nat in
  optimum (categories ns) (outputs ns owners) (layout ns owners) (zero_one_cost (INR k)) (zero_one_right (INR k)) gamma
    (least ((INR k + (- 1)) / (INR k + gamma + (- 1))) []).
Proof.
  intros k gamma R0 H ns owners.
  assert (B0 : exists t, 0 <= t /\ INR k = 2 + t). { exists (INR k - 2). apply le_INR in R0. replace (INR 2) with 2 in R0 by (cbn; ring). split; lra. }
  destruct B0 as (t_k & T0 & E0).
  assert (U : exists u, 0 < u /\ gamma = 1 + u) by (exists (gamma - 1); split; lra). destruct U as (u & U & EU). subst gamma.
  set (k0 := categories ns). set (m0 := outputs ns owners). set (F := layout ns owners).
  assert (W : well_formed k0 m0 F) by apply layout_well_formed.
  assert (S0 : size k0 F 0 = (2 + t_k)).
  { unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. exact E0. }
  assert (K : (0 < k0)%nat). { unfold k0, categories, list_of_classes. cbn. rewrite ?app_length, ?repeat_length; cbn; lia. }
  assert (D : forall d, (d < m0)%nat -> (decision F d < 1)%nat) by (intros d Y; apply (layout_decision ns owners d Y)).
  assert (E : forall h, (h < 1)%nat -> one_output_each k0 m0 F h) by (intros h Y; apply (layout_outputs ns owners h Y)).
  rewrite E0 in *.
  apply least_formula; intros w I.
  - destruct I as [<-|[]]; [apply (zero_one_attained_0 k0 m0 F t_k u); auto].
  - destruct I as [<-|[]]; [intros X P M R; apply (zero_one_bound_0 k0 m0 F t_k u P); auto; apply X; cbn; auto 9].
Qed.

(* one_and_others *)
Definition one_and_others_cost (k p : R) (h i : nat) : R :=
  match h, i with
  | 0%nat, 0%nat => p * 0
  | 0%nat, 1%nat => ((1 + (- p)) / k) * 1
  | 1%nat, 0%nat => p * 1
  | 1%nat, 1%nat => ((1 + (- p)) / k) * 1
  | _, _ => 0
  end.
Definition one_and_others_right (k p : R) (h : nat) : R :=
  match h with
  | 1%nat => ((1 + (- p)) / k) * 0
  | _ => 0
  end.
Lemma one_and_others_bound_0 k m F t_k t_p u P : 0 <= t_k -> 0 < t_p -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = 1 -> size k F 1 = (2 + t_k) -> owner F 0 = None -> owner F 1 = Some 1%nat ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> (1 + (- ((0 + 1 * t_p) / (1 + t_p)))) <= ((2 + t_k) / ((2 + t_k) + (1 + u))) -> (1 + (- ((0 + 1 * t_p) / (1 + t_p)))) <= (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  (1 + (- ((0 + 1 * t_p) / (1 + t_p)))) <= expected_cost k m (family_cost F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p))))) P.
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 D L1 L2 M R.
  assert (H1 : 0 <= ((- 1) + (- 1) * u + 2 * t_p + t_k * t_p)).
  { replace ((- 1) + (- 1) * u + 2 * t_p + t_k * t_p) with ((((2 + t_k) / ((2 + t_k) + (1 + u))) - (1 + (- ((0 + 1 * t_p) / (1 + t_p))))) * ((1 + t_p) * (3 + u + t_k)) / (1)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  assert (H2 : 0 <= ((- 1) + (- 1) * u + 2 * t_p + t_p * u + t_k * t_p)).
  { replace ((- 1) + (- 1) * u + 2 * t_p + t_p * u + t_k * t_p) with (((((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) - (1 + (- ((0 + 1 * t_p) / (1 + t_p))))) * ((1 + t_p) * (2 + u + 2 * t_p + t_p * u + t_k + t_k * t_p)) / (1 + t_p)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => 0 / (2 + 2 * t_p + t_k + t_k * t_p) | 1%nat => (u) / (2 + 2 * t_p + t_k + t_k * t_p) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0, N1. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb one_and_others_cost one_and_others_right].
    destruct (T 0%nat), (T 1%nat); cbn [one].
    - quotient (0 / ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb one_and_others_cost one_and_others_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((t_p * u + t_k * t_p * u) + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_p * u + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((u + t_p * u + t_k * t_p * u) + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_p * u + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((t_p * u + t_k * t_p * u) + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_p * u + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((u + t_p * u + t_k * t_p * u) + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_p * u + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * (0 + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((u) + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * (0 + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((u) + (1) * ((- 1) + (- 1) * u + 2 * t_p + t_k * t_p))) / ((1) * ((2 + 2 * t_p + t_k + t_k * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma one_and_others_attained_0 k m F t_k t_p u : 0 <= t_k -> 0 < t_p -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = 1 -> size k F 1 = (2 + t_k) -> owner F 0 = None -> owner F 1 = Some 1%nat ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p))))) P = (1 + (- ((0 + 1 * t_p) / (1 + t_p)))).
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 E.
  pose proof (E 0%nat ltac:(lia)) as E0. assert (C0 : 0 < count m F 0) by (rewrite (proj1 E0), O0; rewrite ?N0; positive).
  set (rs := [RowKind 0 (fun i => match i with | 0%nat => false | 1%nat => true | _ => false end) false ((1) / (1)); RowKind 0 (fun i => match i with | 0%nat => true | 1%nat => false | _ => false end) false ((1) / (1))]).
  pose proof (family_attained k m F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[<-|[]]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    destruct i as [|i]; [rewrite ?N1; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, G. cbn [sum Nat.eqb one]. rewrite ?N0, ?N1.
  cbn [one_and_others_cost one_and_others_right one]. field; nonzero.
Qed.
Lemma one_and_others_bound_1 k m F t_k t_p u P : 0 <= t_k -> 0 < t_p -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = 1 -> size k F 1 = (2 + t_k) -> owner F 0 = None -> owner F 1 = Some 1%nat ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> ((2 + t_k) / ((2 + t_k) + (1 + u))) <= (1 + (- ((0 + 1 * t_p) / (1 + t_p)))) -> ((2 + t_k) / ((2 + t_k) + (1 + u))) <= (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  ((2 + t_k) / ((2 + t_k) + (1 + u))) <= expected_cost k m (family_cost F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p))))) P.
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 D L0 L2 M R.
  assert (H0 : 0 <= (1 + u + (- 2) * t_p + (- 1) * t_k * t_p)).
  { replace (1 + u + (- 2) * t_p + (- 1) * t_k * t_p) with (((1 + (- ((0 + 1 * t_p) / (1 + t_p)))) - ((2 + t_k) / ((2 + t_k) + (1 + u)))) * ((3 + u + t_k) * (1 + t_p)) / (1)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  assert (H2 : 0 <= ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u)).
  { replace ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u) with (((((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) - ((2 + t_k) / ((2 + t_k) + (1 + u)))) * ((3 + u + t_k) * (2 + u + 2 * t_p + t_p * u + t_k + t_k * t_p)) / (1)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => (2 + 2 * u + (- 4) * t_p + t_k + t_k * u + (- 4) * t_k * t_p + (- 1) * t_k ^ 2 * t_p) / (6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) | 1%nat => ((- 1) + u + 2 * t_p + 2 * t_p * u + t_k * u + t_k * t_p + t_k * t_p * u) / (6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0, N1. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb one_and_others_cost one_and_others_right].
    destruct (T 0%nat), (T 1%nat); cbn [one].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * (0 + (1 + u) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * (0 + (2 + u) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * (0 + (1) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb one_and_others_cost one_and_others_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((u + u ^ 2 + (2 / 3) * t_p * u ^ 2 + t_k * u + t_k * u ^ 2 + (2 / 3) * t_k * t_p * u + t_k * t_p * u ^ 2) + ((1 / 3)) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p) + ((4 / 3)) * ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((3 * u + u ^ 2 + 2 * t_k * u + t_k * u ^ 2 + t_k * t_p * u + t_k * t_p * u ^ 2) + (2) * ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * (0 + (1) * ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (((1 / 2) * u + (1 / 2) * t_k * t_p * u + (1 / 2) * t_k * t_p * u ^ 2) + (1) * ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u))) / ((1 + (1 / 2) * u) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * (0 + (1 + u + t_k + t_k * u) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * ((3 * u + u ^ 2 + t_k * u) + (t_k + t_k * u) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p))) / ((1) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_p + t_k + t_k * t_p) * (((3 / 2) * u + (1 / 2) * u ^ 2 + (1 / 2) * t_k * u) + ((1 / 2) * t_k + (1 / 2) * t_k * u) * (1 + u + (- 2) * t_p + (- 1) * t_k * t_p) + (1 + (1 / 2) * t_k) * ((- 1) + (- 1) * u + 2 * t_p + 3 * t_p * u + t_p * u ^ 2 + t_k * t_p + t_k * t_p * u))) / ((1 + (1 / 2) * u) * ((6 + 2 * u + 6 * t_p + 2 * t_p * u + 5 * t_k + t_k * u + 5 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma one_and_others_attained_1 k m F t_k t_p u : 0 <= t_k -> 0 < t_p -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = 1 -> size k F 1 = (2 + t_k) -> owner F 0 = None -> owner F 1 = Some 1%nat ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p))))) P = ((2 + t_k) / ((2 + t_k) + (1 + u))).
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 E.
  pose proof (E 0%nat ltac:(lia)) as E0. assert (C0 : 0 < count m F 0) by (rewrite (proj1 E0), O0; rewrite ?N0; positive).
  pose proof (E 1%nat ltac:(lia)) as E1. assert (C1 : 0 < count m F 1) by (rewrite (proj1 E1), O1; rewrite ?N1; positive).
  set (rs := [RowKind 0 (fun i => match i with | 0%nat => true | 1%nat => false | _ => false end) false ((1) / (1)); RowKind 1 (fun i => match i with | 0%nat => false | 1%nat => false | _ => false end) true ((2 + t_k) / (1))]).
  pose proof (family_attained k m F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[<-|[]]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, ?O1.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    destruct i as [|i]; [rewrite ?N1; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, ?O1, G. cbn [sum Nat.eqb one]. rewrite ?N0, ?N1.
  cbn [one_and_others_cost one_and_others_right one]. field; nonzero.
Qed.
Lemma one_and_others_bound_2 k m F t_k t_p u P : 0 <= t_k -> 0 < t_p -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = 1 -> size k F 1 = (2 + t_k) -> owner F 0 = None -> owner F 1 = Some 1%nat ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) <= (1 + (- ((0 + 1 * t_p) / (1 + t_p)))) -> (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) <= ((2 + t_k) / ((2 + t_k) + (1 + u))) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) <= expected_cost k m (family_cost F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p))))) P.
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 D L0 L1 M R.
  assert (H0 : 0 <= (1 + u + (- 2) * t_p + (- 1) * t_p * u + (- 1) * t_k * t_p)).
  { replace (1 + u + (- 2) * t_p + (- 1) * t_p * u + (- 1) * t_k * t_p) with (((1 + (- ((0 + 1 * t_p) / (1 + t_p)))) - (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1)))) * ((2 + u + 2 * t_p + t_p * u + t_k + t_k * t_p) * (1 + t_p)) / (1 + t_p)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  assert (H1 : 0 <= (1 + u + (- 2) * t_p + (- 3) * t_p * u + (- 1) * t_p * u ^ 2 + (- 1) * t_k * t_p + (- 1) * t_k * t_p * u)).
  { replace (1 + u + (- 2) * t_p + (- 3) * t_p * u + (- 1) * t_p * u ^ 2 + (- 1) * t_k * t_p + (- 1) * t_k * t_p * u) with ((((2 + t_k) / ((2 + t_k) + (1 + u))) - (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1)))) * ((2 + u + 2 * t_p + t_p * u + t_k + t_k * t_p) * (3 + u + t_k)) / (1)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => (4 * t_p * u + 2 * t_p * u ^ 2 + 4 * t_k * t_p * u + t_k * t_p * u ^ 2 + t_k ^ 2 * t_p * u) / (4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) | 1%nat => (u + t_k * u) / (4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0, N1. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb one_and_others_cost one_and_others_right].
    destruct (T 0%nat), (T 1%nat); cbn [one].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * ((u + u ^ 2) + (1) * (1 + u + (- 2) * t_p + (- 3) * t_p * u + (- 1) * t_p * u ^ 2 + (- 1) * t_k * t_p + (- 1) * t_k * t_p * u))) / ((1) * ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * (0 + (1) * (1 + u + (- 2) * t_p + (- 3) * t_p * u + (- 1) * t_p * u ^ 2 + (- 1) * t_k * t_p + (- 1) * t_k * t_p * u))) / ((1) * ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * ((u + u ^ 2) + (1) * (1 + u + (- 2) * t_p + (- 1) * t_p * u + (- 1) * t_k * t_p))) / ((1) * ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_p + 4 * t_k + 4 * t_k * t_p + t_k ^ 2 + t_k ^ 2 * t_p) * (0 + (1) * (1 + u + (- 2) * t_p + (- 1) * t_p * u + (- 1) * t_k * t_p))) / ((1) * ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p)))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb one_and_others_cost one_and_others_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient ((2 * u + 2 * u ^ 2 + 2 * t_p * u + 2 * t_p * u ^ 2 + 3 * t_k * u + 3 * t_k * u ^ 2 + 3 * t_k * t_p * u + 3 * t_k * t_p * u ^ 2 + t_k ^ 2 * u + t_k ^ 2 * u ^ 2 + t_k ^ 2 * t_p * u + t_k ^ 2 * t_p * u ^ 2) / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((4 * u + 2 * u ^ 2 + 4 * t_p * u + 2 * t_p * u ^ 2 + 6 * t_k * u + 3 * t_k * u ^ 2 + 6 * t_k * t_p * u + 3 * t_k * t_p * u ^ 2 + 2 * t_k ^ 2 * u + t_k ^ 2 * u ^ 2 + 2 * t_k ^ 2 * t_p * u + t_k ^ 2 * t_p * u ^ 2) / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 2 * t_p * u + 3 * t_k * u + 3 * t_k * t_p * u + t_k ^ 2 * u + t_k ^ 2 * t_p * u) / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 2 * u ^ 2 + 2 * t_p * u + 2 * t_p * u ^ 2 + 3 * t_k * u + 3 * t_k * u ^ 2 + 3 * t_k * t_p * u + 3 * t_k * t_p * u ^ 2 + t_k ^ 2 * u + t_k ^ 2 * u ^ 2 + t_k ^ 2 * t_p * u + t_k ^ 2 * t_p * u ^ 2) / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((4 * u + 2 * u ^ 2 + 4 * t_p * u + 2 * t_p * u ^ 2 + 6 * t_k * u + 3 * t_k * u ^ 2 + 6 * t_k * t_p * u + 3 * t_k * t_p * u ^ 2 + 2 * t_k ^ 2 * u + t_k ^ 2 * u ^ 2 + 2 * t_k ^ 2 * t_p * u + t_k ^ 2 * t_p * u ^ 2) / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 2 * t_p * u + 3 * t_k * u + 3 * t_k * t_p * u + t_k ^ 2 * u + t_k ^ 2 * t_p * u) / ((4 + 2 * u + 4 * t_p + 2 * t_p * u + 4 * t_k + t_k * u + 4 * t_k * t_p + t_k * t_p * u + t_k ^ 2 + t_k ^ 2 * t_p) * (2 + 2 * t_p + t_k + t_k * t_p))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma one_and_others_attained_2 k m F t_k t_p u : 0 <= t_k -> 0 < t_p -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = 1 -> size k F 1 = (2 + t_k) -> owner F 0 = None -> owner F 1 = Some 1%nat ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p))))) P = (((2 + t_k) + (((0 + 1 * t_p) / (1 + t_p)) * (1 + u)) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))).
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 E.
  pose proof (E 1%nat ltac:(lia)) as E1. assert (C1 : 0 < count m F 1) by (rewrite (proj1 E1), O1; rewrite ?N1; positive).
  set (rs := [RowKind 1 (fun i => match i with | 0%nat => false | 1%nat => false | _ => false end) true ((1 + t_k) / (1)); RowKind 1 (fun i => match i with | 0%nat => true | 1%nat => false | _ => false end) true ((1) / (1))]).
  pose proof (family_attained k m F (one_and_others_cost ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) (one_and_others_right ((2 + t_k)) (((0 + 1 * t_p) / (1 + t_p)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[<-|[]]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O1.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    destruct i as [|i]; [rewrite ?N1; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O1, G. cbn [sum Nat.eqb one]. rewrite ?N0, ?N1.
  cbn [one_and_others_cost one_and_others_right one]. field; nonzero.
Qed.
Theorem one_and_others : forall (k : nat) (p gamma : R), (2 <= k)%nat -> 0 < p < 1 -> 1 < gamma ->
  let ns := [1; k]%nat in let owners := [None; Some 1]%nat in
  optimum (categories ns) (outputs ns owners) (layout ns owners) (one_and_others_cost (INR k) (p)) (one_and_others_right (INR k) (p)) gamma
    (least (1 + (- p)) [(INR k / (INR k + gamma)); ((INR k + (p * gamma) + (- 1)) / (INR k + gamma + (- 1)))]).
Proof.
  intros k p gamma R0 R1 H ns owners.
  assert (B0 : exists t, 0 <= t /\ INR k = 2 + t). { exists (INR k - 2). apply le_INR in R0. replace (INR 2) with 2 in R0 by (cbn; ring). split; lra. }
  destruct B0 as (t_k & T0 & E0).
  pose proof (between _ _ _ R1) as B1.
  destruct B1 as (t_p & T1 & E1).
  assert (U : exists u, 0 < u /\ gamma = 1 + u) by (exists (gamma - 1); split; lra). destruct U as (u & U & EU). subst gamma.
  subst p.
  set (k0 := categories ns). set (m0 := outputs ns owners). set (F := layout ns owners).
  assert (W : well_formed k0 m0 F) by apply layout_well_formed.
  assert (S0 : size k0 F 0 = 1).
  { unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. cbn; ring. }
  assert (S1 : size k0 F 1 = (2 + t_k)).
  { unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. exact E0. }
  assert (K : (0 < k0)%nat). { unfold k0, categories, list_of_classes. cbn. rewrite ?app_length, ?repeat_length; cbn; lia. }
  assert (D : forall d, (d < m0)%nat -> (decision F d < 2)%nat) by (intros d Y; apply (layout_decision ns owners d Y)).
  assert (E : forall h, (h < 2)%nat -> one_output_each k0 m0 F h) by (intros h Y; apply (layout_outputs ns owners h Y)).
  rewrite E0 in *.
  apply least_formula; intros w I.
  - destruct I as [<-|[<-|[<-|[]]]]; [apply (one_and_others_attained_0 k0 m0 F t_k t_p u); auto | apply (one_and_others_attained_1 k0 m0 F t_k t_p u); auto | apply (one_and_others_attained_2 k0 m0 F t_k t_p u); auto].
  - destruct I as [<-|[<-|[<-|[]]]]; [intros X P M R; apply (one_and_others_bound_0 k0 m0 F t_k t_p u P); auto; apply X; cbn; auto 9 | intros X P M R; apply (one_and_others_bound_1 k0 m0 F t_k t_p u P); auto; apply X; cbn; auto 9 | intros X P M R; apply (one_and_others_bound_2 k0 m0 F t_k t_p u P); auto; apply X; cbn; auto 9].
Qed.

(* reject *)
Definition reject_cost (k a : R) (h i : nat) : R :=
  match h, i with
  | 0%nat, 0%nat => (1 / k) * 1
  | 1%nat, 0%nat => (1 / k) * a
  | _, _ => 0
  end.
Definition reject_right (k a : R) (h : nat) : R :=
  match h with
  | 0%nat => (1 / k) * 0
  | _ => 0
  end.
Lemma reject_bound_0 k m F t_k t_a u P : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 1%nat -> size k F 0 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = None ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> ((0 + 1 * t_a) / (1 + t_a)) <= (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  ((0 + 1 * t_a) / (1 + t_a)) <= expected_cost k m (family_cost F (reject_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (reject_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P.
Proof.
  intros P0 P1 P2 K W G N0 O0 O1 D L1 M R.
  assert (H1 : 0 <= (1 + (- 1) * t_a + (- 1) * t_a * u + t_k)).
  { replace (1 + (- 1) * t_a + (- 1) * t_a * u + t_k) with (((((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) - ((0 + 1 * t_a) / (1 + t_a))) * ((1 + t_a) * (2 + u + t_k)) / (1)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => (t_a * u) / (2 + 2 * t_a + t_k + t_k * t_a) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0. cbn [Nat.eqb reject_cost reject_right].
    destruct (T 0%nat), o; cbn [one].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * ((u + t_k * u) + (1) * (1 + (- 1) * t_a + (- 1) * t_a * u + t_k))) / ((1) * ((2 + 2 * t_a + t_k + t_k * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * ((u + t_a * u + t_k * u) + (1) * (1 + (- 1) * t_a + (- 1) * t_a * u + t_k))) / ((1) * ((2 + 2 * t_a + t_k + t_k * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (0 + (1) * (1 + (- 1) * t_a + (- 1) * t_a * u + t_k))) / ((1) * ((2 + 2 * t_a + t_k + t_k * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * ((t_a * u) + (1) * (1 + (- 1) * t_a + (- 1) * t_a * u + t_k))) / ((1) * ((2 + 2 * t_a + t_k + t_k * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0. cbn [Nat.eqb reject_cost reject_right].
    destruct (T 0%nat); cbn [one].
    - quotient (0 / ((2 + 2 * t_a + t_k + t_k * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((2 + 2 * t_a + t_k + t_k * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma reject_attained_0 k m F t_k t_a u : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 1%nat -> size k F 0 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = None ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (reject_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (reject_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P = ((0 + 1 * t_a) / (1 + t_a)).
Proof.
  intros P0 P1 P2 K W G N0 O0 O1 E.
  pose proof (E 1%nat ltac:(lia)) as E1. assert (C1 : 0 < count m F 1) by (rewrite (proj1 E1), O1; rewrite ?N0; positive).
  set (rs := [RowKind 1 (fun i => match i with | 0%nat => true | _ => false end) false ((1) / (1))]).
  pose proof (family_attained k m F (reject_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (reject_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O1.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O1, G. cbn [sum Nat.eqb one]. rewrite ?N0.
  cbn [reject_cost reject_right one]. field; nonzero.
Qed.
Lemma reject_bound_1 k m F t_k t_a u P : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 1%nat -> size k F 0 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = None ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) <= ((0 + 1 * t_a) / (1 + t_a)) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))) <= expected_cost k m (family_cost F (reject_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (reject_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P.
Proof.
  intros P0 P1 P2 K W G N0 O0 O1 D L0 M R.
  assert (H0 : 0 <= ((- 1) + t_a + t_a * u + (- 1) * t_k)).
  { replace ((- 1) + t_a + t_a * u + (- 1) * t_k) with ((((0 + 1 * t_a) / (1 + t_a)) - (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1)))) * ((2 + u + t_k) * (1 + t_a)) / (1)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => (u + t_k * u) / (4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0. cbn [Nat.eqb reject_cost reject_right].
    destruct (T 0%nat), o; cbn [one].
    - quotient ((2 * u + 2 * u ^ 2 + 2 * t_a * u + 2 * t_a * u ^ 2 + 3 * t_k * u + 3 * t_k * u ^ 2 + 3 * t_k * t_a * u + 3 * t_k * t_a * u ^ 2 + t_k ^ 2 * u + t_k ^ 2 * u ^ 2 + t_k ^ 2 * t_a * u + t_k ^ 2 * t_a * u ^ 2) / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((4 * u + 2 * u ^ 2 + 4 * t_a * u + 2 * t_a * u ^ 2 + 6 * t_k * u + 3 * t_k * u ^ 2 + 6 * t_k * t_a * u + 3 * t_k * t_a * u ^ 2 + 2 * t_k ^ 2 * u + t_k ^ 2 * u ^ 2 + 2 * t_k ^ 2 * t_a * u + t_k ^ 2 * t_a * u ^ 2) / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 2 * t_a * u + 3 * t_k * u + 3 * t_k * t_a * u + t_k ^ 2 * u + t_k ^ 2 * t_a * u) / ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0. cbn [Nat.eqb reject_cost reject_right].
    destruct (T 0%nat); cbn [one].
    - quotient (((4 + 4 * t_k + t_k ^ 2) * (0 + (1 + u) * ((- 1) + t_a + t_a * u + (- 1) * t_k))) / ((1) * ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((4 + 4 * t_k + t_k ^ 2) * (0 + (1) * ((- 1) + t_a + t_a * u + (- 1) * t_k))) / ((1) * ((4 + 2 * u + 4 * t_k + t_k * u + t_k ^ 2) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma reject_attained_1 k m F t_k t_a u : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 1%nat -> size k F 0 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = None ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (reject_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (reject_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P = (((2 + t_k) + (- 1)) / ((2 + t_k) + (1 + u) + (- 1))).
Proof.
  intros P0 P1 P2 K W G N0 O0 O1 E.
  pose proof (E 0%nat ltac:(lia)) as E0. assert (C0 : 0 < count m F 0) by (rewrite (proj1 E0), O0; rewrite ?N0; positive).
  set (rs := [RowKind 0 (fun i => match i with | 0%nat => false | _ => false end) true ((2 + t_k) / (1))]).
  pose proof (family_attained k m F (reject_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (reject_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, G. cbn [sum Nat.eqb one]. rewrite ?N0.
  cbn [reject_cost reject_right one]. field; nonzero.
Qed.
Theorem reject : forall (k : nat) (a gamma : R), (2 <= k)%nat -> 0 < a < 1 -> 1 < gamma ->
  let ns := [k]%nat in let owners := [Some 0; None]%nat in
  optimum (categories ns) (outputs ns owners) (layout ns owners) (reject_cost (INR k) (a)) (reject_right (INR k) (a)) gamma
    (least a [((INR k + (- 1)) / (INR k + gamma + (- 1)))]).
Proof.
  intros k a gamma R0 R1 H ns owners.
  assert (B0 : exists t, 0 <= t /\ INR k = 2 + t). { exists (INR k - 2). apply le_INR in R0. replace (INR 2) with 2 in R0 by (cbn; ring). split; lra. }
  destruct B0 as (t_k & T0 & E0).
  pose proof (between _ _ _ R1) as B1.
  destruct B1 as (t_a & T1 & E1).
  assert (U : exists u, 0 < u /\ gamma = 1 + u) by (exists (gamma - 1); split; lra). destruct U as (u & U & EU). subst gamma.
  subst a.
  set (k0 := categories ns). set (m0 := outputs ns owners). set (F := layout ns owners).
  assert (W : well_formed k0 m0 F) by apply layout_well_formed.
  assert (S0 : size k0 F 0 = (2 + t_k)).
  { unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. exact E0. }
  assert (K : (0 < k0)%nat). { unfold k0, categories, list_of_classes. cbn. rewrite ?app_length, ?repeat_length; cbn; lia. }
  assert (D : forall d, (d < m0)%nat -> (decision F d < 2)%nat) by (intros d Y; apply (layout_decision ns owners d Y)).
  assert (E : forall h, (h < 2)%nat -> one_output_each k0 m0 F h) by (intros h Y; apply (layout_outputs ns owners h Y)).
  rewrite E0 in *.
  apply least_formula; intros w I.
  - destruct I as [<-|[<-|[]]]; [apply (reject_attained_0 k0 m0 F t_k t_a u); auto | apply (reject_attained_1 k0 m0 F t_k t_a u); auto].
  - destruct I as [<-|[<-|[]]]; [intros X P M R; apply (reject_bound_0 k0 m0 F t_k t_a u P); auto; apply X; cbn; auto 9 | intros X P M R; apply (reject_bound_1 k0 m0 F t_k t_a u P); auto; apply X; cbn; auto 9].
Qed.

(* taxonomy *)
Definition taxonomy_cost (k a : R) (h i : nat) : R :=
  match h, i with
  | 0%nat, 0%nat => (1 / (2 * k)) * a
  | 0%nat, 1%nat => (1 / (2 * k)) * 1
  | 1%nat, 0%nat => (1 / (2 * k)) * 1
  | 1%nat, 1%nat => (1 / (2 * k)) * a
  | _, _ => 0
  end.
Definition taxonomy_right (k a : R) (h : nat) : R :=
  match h with
  | 0%nat => (1 / (2 * k)) * 0
  | 1%nat => (1 / (2 * k)) * 0
  | _ => 0
  end.
Lemma taxonomy_bound_0 k m F t_k t_a u P : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = (2 + t_k) -> size k F 1 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = Some 1%nat ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a))) + (2 + t_k) + (- ((0 + 1 * t_a) / (1 + t_a)))) / ((2 * (2 + t_k)) + (1 + u) + (- 1))) <= ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a)) * (1 + u)) + (2 + t_k) + (- (((0 + 1 * t_a) / (1 + t_a)) * (1 + u)))) / ((2 + t_k) * ((1 + u) + 1))) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a))) + (2 + t_k) + (- ((0 + 1 * t_a) / (1 + t_a)))) / ((2 * (2 + t_k)) + (1 + u) + (- 1))) <= expected_cost k m (family_cost F (taxonomy_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (taxonomy_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P.
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 D L1 M R.
  assert (H1 : 0 <= ((- 1) + (1 / 2) * t_a + (1 / 2) * t_a * u + (- (3 / 2)) * t_k + (1 / 2) * t_k * t_a + (1 / 2) * t_k * t_a * u + (- (1 / 2)) * t_k ^ 2)).
  { replace ((- 1) + (1 / 2) * t_a + (1 / 2) * t_a * u + (- (3 / 2)) * t_k + (1 / 2) * t_k * t_a + (1 / 2) * t_k * t_a * u + (- (1 / 2)) * t_k ^ 2) with ((((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a)) * (1 + u)) + (2 + t_k) + (- (((0 + 1 * t_a) / (1 + t_a)) * (1 + u)))) / ((2 + t_k) * ((1 + u) + 1))) - ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a))) + (2 + t_k) + (- ((0 + 1 * t_a) / (1 + t_a)))) / ((2 * (2 + t_k)) + (1 + u) + (- 1)))) * ((2 + (1 / 2) * u + 2 * t_a + (1 / 2) * t_a * u + t_k + t_k * t_a) * (4 + 2 * u + 4 * t_a + 2 * t_a * u + 2 * t_k + t_k * u + 2 * t_k * t_a + t_k * t_a * u)) / (u + t_a * u)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => ((1 / 2) * u + (3 / 4) * t_a * u + (1 / 4) * t_k * u + (1 / 2) * t_k * t_a * u) / (4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) | 1%nat => ((1 / 2) * u + (3 / 4) * t_a * u + (1 / 4) * t_k * u + (1 / 2) * t_k * t_a * u) / (4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0, N1. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb taxonomy_cost taxonomy_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient ((u + u ^ 2 + (5 / 2) * t_a * u + (5 / 2) * t_a * u ^ 2 + (3 / 2) * t_a ^ 2 * u + (3 / 2) * t_a ^ 2 * u ^ 2 + t_k * u + t_k * u ^ 2 + (11 / 4) * t_k * t_a * u + (11 / 4) * t_k * t_a * u ^ 2 + (7 / 4) * t_k * t_a ^ 2 * u + (7 / 4) * t_k * t_a ^ 2 * u ^ 2 + (1 / 4) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (3 / 4) * t_k ^ 2 * t_a * u + (3 / 4) * t_k ^ 2 * t_a * u ^ 2 + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + u ^ 2 + 5 * t_a * u + (5 / 2) * t_a * u ^ 2 + 3 * t_a ^ 2 * u + (3 / 2) * t_a ^ 2 * u ^ 2 + 2 * t_k * u + t_k * u ^ 2 + (11 / 2) * t_k * t_a * u + (11 / 4) * t_k * t_a * u ^ 2 + (7 / 2) * t_k * t_a ^ 2 * u + (7 / 4) * t_k * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (3 / 2) * t_k ^ 2 * t_a * u + (3 / 4) * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (0 + ((1 / 2) * u) * ((- 1) + (1 / 2) * t_a + (1 / 2) * t_a * u + (- (3 / 2)) * t_k + (1 / 2) * t_k * t_a + (1 / 2) * t_k * t_a * u + (- (1 / 2)) * t_k ^ 2))) / ((1) * ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (((1 / 2) * u + (3 / 4) * t_a * u + (1 / 4) * t_k * u + (1 / 2) * t_k * t_a * u) + ((1 / 2) * u) * ((- 1) + (1 / 2) * t_a + (1 / 2) * t_a * u + (- (3 / 2)) * t_k + (1 / 2) * t_k * t_a + (1 / 2) * t_k * t_a * u + (- (1 / 2)) * t_k ^ 2))) / ((1) * ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + u ^ 2 + 3 * t_a * u + 2 * t_a * u ^ 2 + t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 3 * t_k * u + t_k * u ^ 2 + 4 * t_k * t_a * u + 2 * t_k * t_a * u ^ 2 + t_k * t_a ^ 2 * u + t_k * t_a ^ 2 * u ^ 2 + (3 / 2) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (7 / 4) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a * u ^ 2 + (1 / 4) * t_k ^ 2 * t_a ^ 2 * u + (1 / 4) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 4) * t_k ^ 3 * u + (1 / 4) * t_k ^ 3 * t_a * u) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((3 * u + u ^ 2 + (11 / 2) * t_a * u + 2 * t_a * u ^ 2 + (5 / 2) * t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 4 * t_k * u + t_k * u ^ 2 + (27 / 4) * t_k * t_a * u + 2 * t_k * t_a * u ^ 2 + (11 / 4) * t_k * t_a ^ 2 * u + t_k * t_a ^ 2 * u ^ 2 + (7 / 4) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (5 / 2) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a * u ^ 2 + (3 / 4) * t_k ^ 2 * t_a ^ 2 * u + (1 / 4) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 4) * t_k ^ 3 * u + (1 / 4) * t_k ^ 3 * t_a * u) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((u + (5 / 2) * t_a * u + (3 / 2) * t_a ^ 2 * u + t_k * u + (11 / 4) * t_k * t_a * u + (7 / 4) * t_k * t_a ^ 2 * u + (1 / 4) * t_k ^ 2 * u + (3 / 4) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb taxonomy_cost taxonomy_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient ((u + u ^ 2 + (5 / 2) * t_a * u + (5 / 2) * t_a * u ^ 2 + (3 / 2) * t_a ^ 2 * u + (3 / 2) * t_a ^ 2 * u ^ 2 + t_k * u + t_k * u ^ 2 + (11 / 4) * t_k * t_a * u + (11 / 4) * t_k * t_a * u ^ 2 + (7 / 4) * t_k * t_a ^ 2 * u + (7 / 4) * t_k * t_a ^ 2 * u ^ 2 + (1 / 4) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (3 / 4) * t_k ^ 2 * t_a * u + (3 / 4) * t_k ^ 2 * t_a * u ^ 2 + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + u ^ 2 + 5 * t_a * u + (5 / 2) * t_a * u ^ 2 + 3 * t_a ^ 2 * u + (3 / 2) * t_a ^ 2 * u ^ 2 + 2 * t_k * u + t_k * u ^ 2 + (11 / 2) * t_k * t_a * u + (11 / 4) * t_k * t_a * u ^ 2 + (7 / 2) * t_k * t_a ^ 2 * u + (7 / 4) * t_k * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (3 / 2) * t_k ^ 2 * t_a * u + (3 / 4) * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + u ^ 2 + 3 * t_a * u + 2 * t_a * u ^ 2 + t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 3 * t_k * u + t_k * u ^ 2 + 4 * t_k * t_a * u + 2 * t_k * t_a * u ^ 2 + t_k * t_a ^ 2 * u + t_k * t_a ^ 2 * u ^ 2 + (3 / 2) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (7 / 4) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a * u ^ 2 + (1 / 4) * t_k ^ 2 * t_a ^ 2 * u + (1 / 4) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 4) * t_k ^ 3 * u + (1 / 4) * t_k ^ 3 * t_a * u) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((3 * u + u ^ 2 + (11 / 2) * t_a * u + 2 * t_a * u ^ 2 + (5 / 2) * t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 4 * t_k * u + t_k * u ^ 2 + (27 / 4) * t_k * t_a * u + 2 * t_k * t_a * u ^ 2 + (11 / 4) * t_k * t_a ^ 2 * u + t_k * t_a ^ 2 * u ^ 2 + (7 / 4) * t_k ^ 2 * u + (1 / 4) * t_k ^ 2 * u ^ 2 + (5 / 2) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a * u ^ 2 + (3 / 4) * t_k ^ 2 * t_a ^ 2 * u + (1 / 4) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 4) * t_k ^ 3 * u + (1 / 4) * t_k ^ 3 * t_a * u) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (0 + ((1 / 2) * u) * ((- 1) + (1 / 2) * t_a + (1 / 2) * t_a * u + (- (3 / 2)) * t_k + (1 / 2) * t_k * t_a + (1 / 2) * t_k * t_a * u + (- (1 / 2)) * t_k ^ 2))) / ((1) * ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (((1 / 2) * u + (3 / 4) * t_a * u + (1 / 4) * t_k * u + (1 / 2) * t_k * t_a * u) + ((1 / 2) * u) * ((- 1) + (1 / 2) * t_a + (1 / 2) * t_a * u + (- (3 / 2)) * t_k + (1 / 2) * t_k * t_a + (1 / 2) * t_k * t_a * u + (- (1 / 2)) * t_k ^ 2))) / ((1) * ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((u + (5 / 2) * t_a * u + (3 / 2) * t_a ^ 2 * u + t_k * u + (11 / 4) * t_k * t_a * u + (7 / 4) * t_k * t_a ^ 2 * u + (1 / 4) * t_k ^ 2 * u + (3 / 4) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u) / ((4 + u + 4 * t_a + t_a * u + 4 * t_k + (1 / 2) * t_k * u + 4 * t_k * t_a + (1 / 2) * t_k * t_a * u + t_k ^ 2 + t_k ^ 2 * t_a) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma taxonomy_attained_0 k m F t_k t_a u : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = (2 + t_k) -> size k F 1 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = Some 1%nat ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (taxonomy_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (taxonomy_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P = ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a))) + (2 + t_k) + (- ((0 + 1 * t_a) / (1 + t_a)))) / ((2 * (2 + t_k)) + (1 + u) + (- 1))).
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 E.
  pose proof (E 0%nat ltac:(lia)) as E0. assert (C0 : 0 < count m F 0) by (rewrite (proj1 E0), O0; rewrite ?N0; positive).
  pose proof (E 1%nat ltac:(lia)) as E1. assert (C1 : 0 < count m F 1) by (rewrite (proj1 E1), O1; rewrite ?N1; positive).
  set (rs := [RowKind 0 (fun i => match i with | 0%nat => false | 1%nat => false | _ => false end) true ((2 + t_k) / (1)); RowKind 1 (fun i => match i with | 0%nat => false | 1%nat => false | _ => false end) true ((2 + t_k) / (1))]).
  pose proof (family_attained k m F (taxonomy_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (taxonomy_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[<-|[]]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, ?O1.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    destruct i as [|i]; [rewrite ?N1; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, ?O1, G. cbn [sum Nat.eqb one]. rewrite ?N0, ?N1.
  cbn [taxonomy_cost taxonomy_right one]. field; nonzero.
Qed.
Lemma taxonomy_bound_1 k m F t_k t_a u P : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = (2 + t_k) -> size k F 1 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = Some 1%nat ->
  (forall d, (d < m)%nat -> (decision F d < 2)%nat) -> ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a)) * (1 + u)) + (2 + t_k) + (- (((0 + 1 * t_a) / (1 + t_a)) * (1 + u)))) / ((2 + t_k) * ((1 + u) + 1))) <= ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a))) + (2 + t_k) + (- ((0 + 1 * t_a) / (1 + t_a)))) / ((2 * (2 + t_k)) + (1 + u) + (- 1))) -> 
  mechanism k m P -> private k m (1 + u) 0 P ->
  ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a)) * (1 + u)) + (2 + t_k) + (- (((0 + 1 * t_a) / (1 + t_a)) * (1 + u)))) / ((2 + t_k) * ((1 + u) + 1))) <= expected_cost k m (family_cost F (taxonomy_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (taxonomy_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P.
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 D L0 M R.
  assert (H0 : 0 <= (1 + (- (1 / 2)) * t_a + (- (1 / 2)) * t_a * u + (3 / 2) * t_k + (- (1 / 2)) * t_k * t_a + (- (1 / 2)) * t_k * t_a * u + (1 / 2) * t_k ^ 2)).
  { replace (1 + (- (1 / 2)) * t_a + (- (1 / 2)) * t_a * u + (3 / 2) * t_k + (- (1 / 2)) * t_k * t_a + (- (1 / 2)) * t_k * t_a * u + (1 / 2) * t_k ^ 2) with ((((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a))) + (2 + t_k) + (- ((0 + 1 * t_a) / (1 + t_a)))) / ((2 * (2 + t_k)) + (1 + u) + (- 1))) - ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a)) * (1 + u)) + (2 + t_k) + (- (((0 + 1 * t_a) / (1 + t_a)) * (1 + u)))) / ((2 + t_k) * ((1 + u) + 1)))) * ((4 + 2 * u + 4 * t_a + 2 * t_a * u + 2 * t_k + t_k * u + 2 * t_k * t_a + t_k * t_a * u) * (2 + (1 / 2) * u + 2 * t_a + (1 / 2) * t_a * u + t_k + t_k * t_a)) / (u + t_a * u)) by (field; nonzero).
    apply quotient_nonneg; [apply Rmult_le_pos; [lra|apply Rlt_le; positive]|positive]. }
  apply (family_bound k m F _ _ (fun i => match i with | 0%nat => (u + (3 / 2) * t_a * u + (1 / 2) * t_a * u ^ 2 + (1 / 2) * t_k * u + t_k * t_a * u + (1 / 2) * t_k * t_a * u ^ 2) / (8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) | 1%nat => (u + (3 / 2) * t_a * u + (1 / 2) * t_a * u ^ 2 + (1 / 2) * t_k * u + t_k * t_a * u + (1 / 2) * t_k * t_a * u ^ 2) / (8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) | _ => 0 end) (1 + u)); auto; [lra|..].
  1: { rewrite G. cbn [sum]. rewrite N0, N1. field; nonzero. }
  intros d T o Y. specialize (D d Y). replace (1 + u - 1) with u by ring. generalize dependent (decision F d). intros h Y'. clear d Y.
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O0. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb taxonomy_cost taxonomy_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient ((4 * u + 4 * u ^ 2 + 6 * t_a * u + 6 * t_a * u ^ 2 + 2 * t_a ^ 2 * u + 2 * t_a ^ 2 * u ^ 2 + 6 * t_k * u + 6 * t_k * u ^ 2 + 8 * t_k * t_a * u + 8 * t_k * t_a * u ^ 2 + 2 * t_k * t_a ^ 2 * u + 2 * t_k * t_a ^ 2 * u ^ 2 + 3 * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + (7 / 2) * t_k ^ 2 * t_a * u + (7 / 2) * t_k ^ 2 * t_a * u ^ 2 + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + (1 / 2) * t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((6 * u + 4 * u ^ 2 + 11 * t_a * u + 7 * t_a * u ^ 2 + 5 * t_a ^ 2 * u + 3 * t_a ^ 2 * u ^ 2 + 8 * t_k * u + 6 * t_k * u ^ 2 + (27 / 2) * t_k * t_a * u + (19 / 2) * t_k * t_a * u ^ 2 + (11 / 2) * t_k * t_a ^ 2 * u + (7 / 2) * t_k * t_a ^ 2 * u ^ 2 + (7 / 2) * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + 5 * t_k ^ 2 * t_a * u + 4 * t_k ^ 2 * t_a * u ^ 2 + (3 / 2) * t_k ^ 2 * t_a ^ 2 * u + t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + (1 / 2) * t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 5 * t_a * u + t_a * u ^ 2 + 3 * t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 2 * t_k * u + (11 / 2) * t_k * t_a * u + (3 / 2) * t_k * t_a * u ^ 2 + (7 / 2) * t_k * t_a ^ 2 * u + (3 / 2) * t_k * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 2 * u + (3 / 2) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((6 * u + 4 * u ^ 2 + 7 * t_a * u + 5 * t_a * u ^ 2 + t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 10 * t_k * u + 6 * t_k * u ^ 2 + (21 / 2) * t_k * t_a * u + (13 / 2) * t_k * t_a * u ^ 2 + (1 / 2) * t_k * t_a ^ 2 * u + (1 / 2) * t_k * t_a ^ 2 * u ^ 2 + (11 / 2) * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + (11 / 2) * t_k ^ 2 * t_a * u + 3 * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((8 * u + 4 * u ^ 2 + 12 * t_a * u + 6 * t_a * u ^ 2 + 4 * t_a ^ 2 * u + 2 * t_a ^ 2 * u ^ 2 + 12 * t_k * u + 6 * t_k * u ^ 2 + 16 * t_k * t_a * u + 8 * t_k * t_a * u ^ 2 + 4 * t_k * t_a ^ 2 * u + 2 * t_k * t_a ^ 2 * u ^ 2 + 6 * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + 7 * t_k ^ 2 * t_a * u + (7 / 2) * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (0 + (u) * (1 + (- (1 / 2)) * t_a + (- (1 / 2)) * t_a * u + (3 / 2) * t_k + (- (1 / 2)) * t_k * t_a + (- (1 / 2)) * t_k * t_a * u + (1 / 2) * t_k ^ 2))) / ((1) * ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((4 * u + 6 * t_a * u + 2 * t_a ^ 2 * u + 6 * t_k * u + 8 * t_k * t_a * u + 2 * t_k * t_a ^ 2 * u + 3 * t_k ^ 2 * u + (7 / 2) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * t_a * u) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
  }
  destruct h as [|h]; [|].
  { unfold condition, total, owned, own_class. rewrite G, O1. cbn [sum]. rewrite N0, N1. cbn [Nat.eqb taxonomy_cost taxonomy_right].
    destruct (T 0%nat), (T 1%nat), o; cbn [one].
    - quotient ((4 * u + 4 * u ^ 2 + 6 * t_a * u + 6 * t_a * u ^ 2 + 2 * t_a ^ 2 * u + 2 * t_a ^ 2 * u ^ 2 + 6 * t_k * u + 6 * t_k * u ^ 2 + 8 * t_k * t_a * u + 8 * t_k * t_a * u ^ 2 + 2 * t_k * t_a ^ 2 * u + 2 * t_k * t_a ^ 2 * u ^ 2 + 3 * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + (7 / 2) * t_k ^ 2 * t_a * u + (7 / 2) * t_k ^ 2 * t_a * u ^ 2 + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + (1 / 2) * t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((6 * u + 4 * u ^ 2 + 11 * t_a * u + 7 * t_a * u ^ 2 + 5 * t_a ^ 2 * u + 3 * t_a ^ 2 * u ^ 2 + 8 * t_k * u + 6 * t_k * u ^ 2 + (27 / 2) * t_k * t_a * u + (19 / 2) * t_k * t_a * u ^ 2 + (11 / 2) * t_k * t_a ^ 2 * u + (7 / 2) * t_k * t_a ^ 2 * u ^ 2 + (7 / 2) * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + 5 * t_k ^ 2 * t_a * u + 4 * t_k ^ 2 * t_a * u ^ 2 + (3 / 2) * t_k ^ 2 * t_a ^ 2 * u + t_k ^ 2 * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + (1 / 2) * t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((6 * u + 4 * u ^ 2 + 7 * t_a * u + 5 * t_a * u ^ 2 + t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 10 * t_k * u + 6 * t_k * u ^ 2 + (21 / 2) * t_k * t_a * u + (13 / 2) * t_k * t_a * u ^ 2 + (1 / 2) * t_k * t_a ^ 2 * u + (1 / 2) * t_k * t_a ^ 2 * u ^ 2 + (11 / 2) * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + (11 / 2) * t_k ^ 2 * t_a * u + 3 * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((8 * u + 4 * u ^ 2 + 12 * t_a * u + 6 * t_a * u ^ 2 + 4 * t_a ^ 2 * u + 2 * t_a ^ 2 * u ^ 2 + 12 * t_k * u + 6 * t_k * u ^ 2 + 16 * t_k * t_a * u + 8 * t_k * t_a * u ^ 2 + 4 * t_k * t_a ^ 2 * u + 2 * t_k * t_a ^ 2 * u ^ 2 + 6 * t_k ^ 2 * u + 3 * t_k ^ 2 * u ^ 2 + 7 * t_k ^ 2 * t_a * u + (7 / 2) * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2 + t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * u ^ 2 + t_k ^ 3 * t_a * u + (1 / 2) * t_k ^ 3 * t_a * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (0 / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((2 * u + 5 * t_a * u + t_a * u ^ 2 + 3 * t_a ^ 2 * u + t_a ^ 2 * u ^ 2 + 2 * t_k * u + (11 / 2) * t_k * t_a * u + (3 / 2) * t_k * t_a * u ^ 2 + (7 / 2) * t_k * t_a ^ 2 * u + (3 / 2) * t_k * t_a ^ 2 * u ^ 2 + (1 / 2) * t_k ^ 2 * u + (3 / 2) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a * u ^ 2 + t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u ^ 2) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
    - quotient (((2 + 2 * t_a + t_k + t_k * t_a) * (0 + (u) * (1 + (- (1 / 2)) * t_a + (- (1 / 2)) * t_a * u + (3 / 2) * t_k + (- (1 / 2)) * t_k * t_a + (- (1 / 2)) * t_k * t_a * u + (1 / 2) * t_k ^ 2))) / ((1) * ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a)))). apply quotient_nonneg; [nonneg|positive].
    - quotient ((4 * u + 6 * t_a * u + 2 * t_a ^ 2 * u + 6 * t_k * u + 8 * t_k * t_a * u + 2 * t_k * t_a ^ 2 * u + 3 * t_k ^ 2 * u + (7 / 2) * t_k ^ 2 * t_a * u + (1 / 2) * t_k ^ 2 * t_a ^ 2 * u + (1 / 2) * t_k ^ 3 * u + (1 / 2) * t_k ^ 3 * t_a * u) / ((8 + 4 * u + 8 * t_a + 4 * t_a * u + 8 * t_k + 4 * t_k * u + 8 * t_k * t_a + 4 * t_k * t_a * u + 2 * t_k ^ 2 + t_k ^ 2 * u + 2 * t_k ^ 2 * t_a + t_k ^ 2 * t_a * u) * (2 + 2 * t_a + t_k + t_k * t_a))). apply quotient_nonneg; [nonneg|positive].
  }
  lia.
Qed.
Lemma taxonomy_attained_1 k m F t_k t_a u : 0 <= t_k -> 0 < t_a -> 0 < u -> (0 < k)%nat -> well_formed k m F -> classes F = 2%nat -> size k F 0 = (2 + t_k) -> size k F 1 = (2 + t_k) -> owner F 0 = Some 0%nat -> owner F 1 = Some 1%nat ->
  (forall h, (h < 2)%nat -> one_output_each k m F h) ->
  exists P, mechanism k m P /\ private k m (1 + u) 0 P /\
    expected_cost k m (family_cost F (taxonomy_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (taxonomy_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a))))) P = ((((2 + t_k) * ((0 + 1 * t_a) / (1 + t_a)) * (1 + u)) + (2 + t_k) + (- (((0 + 1 * t_a) / (1 + t_a)) * (1 + u)))) / ((2 + t_k) * ((1 + u) + 1))).
Proof.
  intros P0 P1 P2 K W G N0 N1 O0 O1 E.
  pose proof (E 0%nat ltac:(lia)) as E0. assert (C0 : 0 < count m F 0) by (rewrite (proj1 E0), O0; rewrite ?N0; positive).
  pose proof (E 1%nat ltac:(lia)) as E1. assert (C1 : 0 < count m F 1) by (rewrite (proj1 E1), O1; rewrite ?N1; positive).
  set (rs := [RowKind 0 (fun i => match i with | 0%nat => true | 1%nat => false | _ => false end) true ((1) / (1)); RowKind 1 (fun i => match i with | 0%nat => false | 1%nat => true | _ => false end) true ((1) / (1))]).
  pose proof (family_attained k m F (taxonomy_cost ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) (taxonomy_right ((2 + t_k)) (((0 + 1 * t_a) / (1 + t_a)))) rs u K P2 W) as A.
  assert (A1 : forall r, In r rs -> 0 <= row_weight r /\ 0 < count m F (of_decision r) /\ one_output_each k m F (of_decision r)).
  { intros r [<-|[<-|[]]]; cbn [row_weight of_decision]; (split; [nonneg_quotient|split; assumption]). }
  assert (A2 : forall i, (i < classes F)%nat -> over_kinds rs (fun r => row_weight r * members k F r i) = size k F i).
  { rewrite G. intros i I. unfold rs, over_kinds, members, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, ?O1.
    destruct i as [|i]; [rewrite ?N0; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    destruct i as [|i]; [rewrite ?N1; cbn [Nat.eqb one]; try (field; nonzero); ring|].
    lia. }
  specialize (A A1 A2). destruct A as (A & B & V). exists (family_mechanism m F rs u). split; [exact A|split; [exact B|]]. rewrite V.
  unfold rs, all_weight, over_kinds, row_cost, total, owned. cbn [map list_sum row_weight of_decision in_classes own_in]. rewrite ?O0, ?O1, G. cbn [sum Nat.eqb one]. rewrite ?N0, ?N1.
  cbn [taxonomy_cost taxonomy_right one]. field; nonzero.
Qed.
Theorem taxonomy : forall (k : nat) (a gamma : R), (2 <= k)%nat -> 0 < a < 1 -> 1 < gamma ->
  let ns := [k; k]%nat in let owners := [Some 0; Some 1]%nat in
  optimum (categories ns) (outputs ns owners) (layout ns owners) (taxonomy_cost (INR k) (a)) (taxonomy_right (INR k) (a)) gamma
    (least (((INR k * a) + INR k + (- a)) / ((2 * INR k) + gamma + (- 1))) [(((INR k * a * gamma) + INR k + (- (a * gamma))) / (INR k * (gamma + 1)))]).
Proof.
  intros k a gamma R0 R1 H ns owners.
  assert (B0 : exists t, 0 <= t /\ INR k = 2 + t). { exists (INR k - 2). apply le_INR in R0. replace (INR 2) with 2 in R0 by (cbn; ring). split; lra. }
  destruct B0 as (t_k & T0 & E0).
  pose proof (between _ _ _ R1) as B1.
  destruct B1 as (t_a & T1 & E1).
  assert (U : exists u, 0 < u /\ gamma = 1 + u) by (exists (gamma - 1); split; lra). destruct U as (u & U & EU). subst gamma.
  subst a.
  set (k0 := categories ns). set (m0 := outputs ns owners). set (F := layout ns owners).
  assert (W : well_formed k0 m0 F) by apply layout_well_formed.
  assert (S0 : size k0 F 0 = (2 + t_k)).
  { unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. exact E0. }
  assert (S1 : size k0 F 1 = (2 + t_k)).
  { unfold k0, F. rewrite layout_size by (cbn; lia). cbn [nth ns]. exact E0. }
  assert (K : (0 < k0)%nat). { unfold k0, categories, list_of_classes. cbn. rewrite ?app_length, ?repeat_length; cbn; lia. }
  assert (D : forall d, (d < m0)%nat -> (decision F d < 2)%nat) by (intros d Y; apply (layout_decision ns owners d Y)).
  assert (E : forall h, (h < 2)%nat -> one_output_each k0 m0 F h) by (intros h Y; apply (layout_outputs ns owners h Y)).
  rewrite E0 in *.
  apply least_formula; intros w I.
  - destruct I as [<-|[<-|[]]]; [apply (taxonomy_attained_0 k0 m0 F t_k t_a u); auto | apply (taxonomy_attained_1 k0 m0 F t_k t_a u); auto].
  - destruct I as [<-|[<-|[]]]; [intros X P M R; apply (taxonomy_bound_0 k0 m0 F t_k t_a u P); auto; apply X; cbn; auto 9 | intros X P M R; apply (taxonomy_bound_1 k0 m0 F t_k t_a u P); auto; apply X; cbn; auto 9].
Qed.
