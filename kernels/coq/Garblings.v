(* The statement garbling: a kernel that turns one mechanism into another, and a decision problem that shows that there is none. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Designs.
Import ListNotations.
Local Open Scope R_scope.

Definition check_garbling (k : nat) (s t c : list (list Q)) : bool :=
  (is_mechanism k (length s) s && is_mechanism k (length t) t && is_mechanism (length s) (length t) c
   && forallb (fun i => forallb (fun j => Qeq_bool (dot (nth i c []) (column s j)) (entry t i j)) (seq 0 k)) (seq 0 (length t)))%bool.
Theorem check_garbling_ok k s t c : check_garbling k s t c = true -> true_claim (Garbling k s t).
Proof.
  unfold check_garbling. intros H. apply both in H as [[[S T]%both C]%both H].
  pose proof (is_mechanism_ok _ _ _ C) as C'. apply is_mechanism_ok in S, T. split; [exact S|]. split; [exact T|].
  exists (mat c). split; [exact C'|]. intros i j Hi Hj.
  pose proof (forallb_seq _ _ (forallb_seq _ _ H i Hi) j Hj) as E. cbn beta in E. apply qeq_R in E.
  unfold is_mechanism in C. apply both in C as [[C _]%both _].
  rewrite (dot_R (length s)) in E by (apply (shaped_row _ _ _ i C)). rewrite entry_R in E. rewrite <- E. unfold composed.
  apply sum_ext. intros h _. rewrite column_vec. reflexivity.
Qed.

Definition check_decision (k : nat) (s t y : list (list Q)) : bool :=
  (Nat.ltb 0 (length t) && is_mechanism k (length s) s && is_mechanism k (length t) t && shaped (length t) k y
   && qlt (qsum (length s) (fun h => qlargest (length t) (fun i => dot (nth i y []) (nth h s []))))
          (qsum (length t) (fun i => dot (nth i y []) (nth i t []))))%bool.
Theorem check_decision_ok k s t y : check_decision k s t y = true -> true_claim (NoGarbling k s t).
Proof.
  unfold check_decision. intros H. apply both in H as [[[[L S]%both T]%both Y]%both H]. apply Nat.ltb_lt in L.
  apply is_mechanism_ok in S, T. split; [exact S|]. split; [exact T|]. intros [C [[N1 N2] E]].
  apply qlt_R in H. rewrite !qsum_R in H. set (r := length t) in *. set (m := length s) in *.
  set (gain := fun i h => sum k (fun j => mat y i j * mat s h j)).
  assert (A : sum r (fun i => Q2R (dot (nth i y []) (nth i t []))) = sum m (fun h => sum r (fun i => C i h * gain i h))).
  { rewrite sum_swap. apply sum_ext. intros i Hi. rewrite (dot_R k) by (apply (shaped_row _ _ _ i Y)).
    unfold gain. rewrite (sum_ext m _ (fun h => sum k (fun j => C i h * (mat y i j * mat s h j)))) by (intros; rewrite sum_scal; auto).
    rewrite sum_swap. apply sum_ext. intros j Hj.
    change (vec (nth i y []) j) with (mat y i j). change (vec (nth i t []) j) with (mat t i j).
    rewrite (E i j Hi Hj). unfold composed. rewrite <- sum_scal. apply sum_ext. intros; ring. }
  rewrite A in H. assert (B : forall h, (h < m)%nat -> sum r (fun i => C i h * gain i h) <=
      Q2R (qlargest r (fun i => dot (nth i y []) (nth h s [])))); [|apply (sum_le m) in B; lra].
  intros h Hh. rewrite qlargest_R. set (best := largest r (fun i => Q2R (dot (nth i y []) (nth h s [])))).
  assert (G : forall i, (i < r)%nat -> gain i h <= best).
  { intros i Hi. unfold best. eapply Rle_trans; [|apply (largest_ge r _ i Hi)]. cbn beta.
    rewrite (dot_R k) by (apply (shaped_row _ _ _ i Y)). apply Req_le. reflexivity. }
  rewrite <- (Rmult_1_r best). rewrite <- (N2 h Hh), <- sum_scal. apply sum_le. intros i Hi.
  specialize (G i Hi). specialize (N1 i h Hi Hh). nra.
Qed.
