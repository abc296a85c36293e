(* The way of rays, objective by objective: patterns for one level with delta = 0, the list of rays for all other levels. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells RayLists.
Import ListNotations.
Local Open Scope R_scope.

Definition pattern_limit : nat := 18.
Definition uniform_gamma (cs : list rational_level) : option Q :=
  match cs with [(g, d, AllPairs)] => if (Qeq_bool d 0 && qlt 1 g)%bool then Some g else None | _ => None end.
Lemma uniform_gamma_ok k m cs g P : uniform_gamma cs = Some g -> Forall (meets k m P) cs ->
  1 <= Q2R g /\ ratios k m (Q2R g) P.
Proof.
  intros H F. destruct cs as [|[[g' d] [|]] [|]]; cbn in H; try discriminate.
  destruct (Qeq_bool d 0 && qlt 1 g')%bool eqn:E; [|discriminate]. inversion H; subst. apply both in E as [E1 E2].
  apply qlt_R in E2. rewrite one_R in E2. split; [lra|]. inversion F as [|? ? F1 _]; subst.
  intros i j l Hi Hj Hl. apply (meets_rows k m P g j l i AllPairs); auto; [|exact I]. eapply zero_delta; eauto.
Qed.

(* The values of a mechanism of rationals. *)
Definition variation_value (m : nat) (x y : list Q) : Q :=
  qmul (1 # 2) (qsum m (fun i => qabs (qsub (nth i x 0%Q) (nth i y 0%Q)))).
Definition gain_value (k m : nat) (q : list Q) (u a : list (list Q)) : Q :=
  qsum m (fun i => qlargest (length u) (fun d => qsum k (fun j => qmul (qmul (nth j q 0%Q) (entry u d j)) (entry a i j)))).

Lemma half_R : Q2R (1 # 2) = / 2.
Proof. unfold Q2R; cbn; lra. Qed.
Lemma variation_value_ok k m q r a : shaped m k a = true ->
  Q2R (variation_value m (outputs_law q a) (outputs_law r a)) = total_variation k m (mat a) (vec q) (vec r).
Proof.
  intros S. unfold variation_value, total_variation. rewrite qmul_R, qsum_R, half_R. unfold Rdiv. rewrite Rmult_comm. f_equal.
  apply sum_ext. intros i _. rewrite qabs_R, qsub_R. rewrite <- !(outputs_law_R k m) by auto. reflexivity.
Qed.
Lemma gain_value_ok k m q u a : (0 < length u)%nat ->
  Q2R (gain_value k m q u a) = expected_gain k m (length u) (mat a) (vec q) (mat u).
Proof.
  intros L. unfold gain_value, expected_gain. rewrite qsum_R. apply sum_ext. intros i _. rewrite qlargest_R.
  apply largest_ext; auto. intros d _. rewrite qsum_R. apply sum_ext. intros j _. rewrite !qmul_R, !entry_R. reflexivity.
Qed.

Lemma distribution_length k q : is_distribution k q = true -> length q = k.
Proof. unfold is_distribution. intros H. apply both in H as [[H _]%both _]. apply Nat.eqb_eq, H. Qed.

(* What a list of rays proves: lin c, that the linear function c is at most the cost of every row; sq d s W, that
   sum_l d_l (p W)_l^2 / (s.p) is; each f, that f holds of each ray and its cost, so that every linear function
   that f keeps below the cost of the rays is at most the cost of every row. All rows together cost at most B. *)
Record tests := Tests { lin : (nat -> Q) -> bool; sq : list Q -> list Q -> list (list Q) -> bool;
  each : (list Q -> Q -> bool) -> bool; most : Q }.
Definition below_cost (k : nat) (f : list Q -> Q -> bool) (c : nat -> R) : Prop :=
  forall r g, (forall j, (j < k)%nat -> 0 <= vec r j) -> f r g = true -> sum k (fun j => c j * vec r j) <= Q2R g.
Definition sound (k m : nat) (P : nat -> nat -> R) (t : tests) : Prop :=
  exists G, sum m G <= Q2R (most t) /\
  (forall c i, lin t c = true -> (i < m)%nat -> sum k (fun j => Q2R (c j) * P i j) <= G i) /\
  (forall d s W, length s = k -> shaped k (length d) W = true -> sq t d s W = true -> square_rows k m (length d) P (rooted d W) (vec s) G) /\
  (forall f c i, each t f = true -> below_cost k f c -> (i < m)%nat -> sum k (fun j => c j * P i j) <= G i).

Definition ones (n : nat) : list Q := repeat 1%Q n.
Lemma sq_ones k m P t G : (forall d s W, length s = k -> shaped k (length d) W = true -> sq t d s W = true ->
    square_rows k m (length d) P (rooted d W) (vec s) G) ->
  forall n s W, length s = k -> shaped k n W = true -> sq t (ones n) s W = true -> square_rows k m n P (mat W) (vec s) G.
Proof.
  intros H n s W L SW C i u Hi. assert (LN : length (ones n) = n) by apply repeat_length.
  pose proof (H (ones n) s W L ltac:(rewrite LN; exact SW) C i u Hi) as X. rewrite LN in X. eapply Rle_trans; [|exact X]. right. unfold tangent_at. f_equal. f_equal.
  apply sum_ext. intros l Hl. f_equal. apply sum_ext. intros j _. unfold rooted, vec, ones. rewrite (nth_indep _ 0%Q 1%Q), nth_repeat by (rewrite repeat_length; auto).
  rewrite one_R, sqrt_1. ring.
Qed.

(* Patterns. *)
Definition with_units (k : nat) (alpha : list Q) : list (list Q) := map (fun j => nth j alpha 0%Q :: unit_vector k j) (seq 0 k).
Definition cost_first (f : list Q -> Q -> bool) (v : list Q) : bool := match v with g :: r => f r g | [] => false end.
Definition pattern_tests (k : nat) (g : Q) (alpha : list Q) : tests :=
  Tests (check_linear k g alpha) (fun d s W => Nat.leb k pattern_limit && check_squares g alpha s d W)%bool
    (fun f => Nat.leb k pattern_limit && all_patterns (cost_first f) (with_multiples g (with_units k alpha)) [])%bool (total_of alpha).
Lemma with_units_ok k alpha j l : (j < k)%nat -> (l < k)%nat ->
  mat (with_units k alpha) j 0 = vec alpha j /\ mat (with_units k alpha) j (S l) = if Nat.eqb l j then 1 else 0.
Proof.
  intros Hj Hl. unfold mat, with_units. rewrite (map_seq_nth (fun j => nth j alpha 0%Q :: unit_vector k j)) by auto. split; [reflexivity|].
  unfold vec. cbn [nth]. unfold unit_vector. rewrite map_seq_nth by auto. destruct (Nat.eqb l j); [apply one_R|apply zero_R].
Qed.
Lemma pattern_each_ok k m g alpha P f c i : (0 < k)%nat -> length alpha = k -> 1 <= Q2R g -> mechanism k m P -> ratios k m (Q2R g) P ->
  each (pattern_tests k g alpha) f = true -> below_cost k f c -> (i < m)%nat ->
  sum k (fun j => c j * P i j) <= sum k (fun j => vec alpha j * P i j).
Proof.
  intros Hk L Hg M R H B Hi. cbn [each pattern_tests] in H. apply both in H as [_ H]. apply Rminus_le. rewrite <- sum_minus.
  rewrite (sum_ext k _ (fun j => (c j - vec alpha j) * P i j)) by (intros; ring).
  apply (cone_bound k (Q2R g) (P i)); auto; [intros; apply M; auto|]. intros b.
  destruct (all_patterns_ok _ _ _ _ H b) as [v [E V]]. unfold with_units in V at 1. rewrite map_length, seq_length in V.
  destruct v as [|x r]; [discriminate|]. cbn [cost_first] in E.
  assert (X : Q2R x = sum k (fun j => vec alpha j * pattern (Q2R g) b j)).
  { specialize (V O). rewrite vec_nil, Rplus_0_l in V. change (vec (x :: r) 0) with (Q2R x) in V. rewrite V. apply sum_ext.
    intros j Hj. rewrite (proj1 (with_units_ok k alpha j 0 Hj Hk)). reflexivity. }
  assert (Y : forall l, (l < k)%nat -> vec r l = pattern (Q2R g) b l).
  { intros l Hl. specialize (V (S l)). rewrite vec_nil, Rplus_0_l in V. change (vec (x :: r) (S l)) with (vec r l) in V.
    rewrite V, <- (sum_single k l (pattern (Q2R g) b l) Hl). apply sum_ext. intros j Hj. rewrite (proj2 (with_units_ok k alpha j l Hj Hl)).
    rewrite Nat.eqb_sym. destruct (Nat.eqb_spec j l); [subst|]; ring. }
  assert (Z : sum k (fun j => c j * vec r j) <= Q2R x).
  { apply B; auto. intros j Hj. rewrite (Y j Hj). unfold pattern. destruct (b j); lra. }
  rewrite X in Z. rewrite (sum_ext k (fun j => c j * vec r j) (fun j => c j * pattern (Q2R g) b j)) in Z by (intros j Hj; rewrite (Y j Hj); reflexivity).
  rewrite (sum_ext k _ (fun j => c j * pattern (Q2R g) b j - vec alpha j * pattern (Q2R g) b j)) by (intros; ring). rewrite sum_minus. lra.
Qed.
Lemma pattern_tests_ok k m g alpha P : (0 < k)%nat -> length alpha = k -> 1 <= Q2R g -> mechanism k m P -> ratios k m (Q2R g) P ->
  sound k m P (pattern_tests k g alpha).
Proof.
  intros Hk L Hg M R. exists (fun i => sum k (fun j => vec alpha j * P i j)). cbn [most lin sq pattern_tests]. split; [|split; [|split]].
  - rewrite (total_mass k m P (vec alpha) M), (total_R alpha k) by lia. lra.
  - intros c i C Hi. apply check_linear_ok in C. apply (linear_on_rows k m (Q2R g) P (vec alpha) _ i Hk Hg M R Hi C).
  - intros d s W LS SW C i u Hi. apply both in C as [_ C]. pose proof (check_squares_ok k g alpha s d W L LS SW C) as S.
    apply (square_tangent k (length d) (Q2R g) (vec alpha) (vec s) (rooted d W) (P i) u Hk Hg); auto.
    intros j Hj. apply M; auto.
  - intros f c i C B Hi. apply (pattern_each_ok k m g alpha P f c i Hk L Hg M R C B Hi).
Qed.

(* Rays of walls and bends. *)
Definition pairs_list (k : nat) (s : pairs) : list (nat * nat) := match s with AllPairs => ordered_pairs k | SomePairs l => l end.
Definition walls_of (k : nat) (c : rational_level) : list wall :=
  let '(g, d, s) := c in if Qeq_bool d 0 then map (fun p => (fst p, snd p, g)) (pairs_list k s) else [].
Definition bends_of (k : nat) (cb : rational_level * option (list (list Q))) : list bend :=
  match cb with
  | ((g, d, s), Some b) =>
    flat_map (fun p => let v := entry b (fst p) (snd p) in if qlt 0 v then [Bend (fst p, snd p, g) v d] else []) (pairs_list k s)
  | _ => []
  end.
Definition qcost (alpha : list Q) (bs : list bend) (r : list Q) : Q :=
  qadd (dot alpha r) (total_of (map (fun b => let '(j, l, g) := bend_edge b in
    qmul (bend_beta b) (qmax 0 (qsub (at_ r j) (qmul g (at_ r l))))) bs)).
Definition in_range (k : nat) (e : wall) : bool :=
  (Nat.ltb (fst (fst e)) k && Nat.ltb (snd (fst e)) k && qlt 0 (snd e))%bool.
Definition ray_tests (k : nat) (cs : list rational_level) (betas : list (option (list (list Q)))) (alpha : list Q) : option tests :=
  let walls := flat_map (walls_of k) cs in
  let bends := flat_map (bends_of k) (combine cs betas) in
  if (forallb (in_range k) (all_edges walls bends) && Nat.eqb (length alpha) k)%bool then
    match rays_from ray_limit O k walls (all_edges walls bends) (seq 0 k) with
    | Some rays =>
      let costs := map (fun r => (r, qcost alpha bends r)) rays in
      Some (Tests
        (fun c => let v := map c (seq 0 k) in forallb (fun rc => Qle_bool (dot v (fst rc)) (snd rc)) costs)
        (fun d s W => let columns := map (column W) (seq 0 (length d)) in
           forallb (fun rc => let x := map (fun w => dot w (fst rc)) columns in
             (Qle_bool 0 (snd rc) && Qle_bool (weighted_square d x) (qmul (snd rc) (dot s (fst rc))))%bool) costs
           && forallb (Qle_bool 0) s && forallb (Qle_bool 0) d)%bool
        (fun f => forallb (fun rc => f (fst rc) (snd rc)) costs)
        (qadd (total_of alpha) (total_of (map (fun b => qmul (bend_beta b) (bend_delta b)) bends))))
    | None => None
    end
  else None.

Lemma in_range_ok k walls bends : forallb (in_range k) (all_edges walls bends) = true -> edges_in_range k walls bends.
Proof.
  intros H j l g I. rewrite forallb_forall in H. specialize (H _ I). unfold in_range in H. cbn [fst snd] in H.
  apply both in H as [[H1 H2]%both H3]. apply Nat.ltb_lt in H1, H2. apply qlt_R in H3. rewrite zero_R in H3. auto.
Qed.

Lemma pairs_list_applies k s p : In p (pairs_list k s) -> applies s (fst p) (snd p).
Proof. destruct s; cbn; [auto|destruct p; auto]. Qed.

Lemma walls_of_ok k m P cs i : mechanism k m P -> Forall (meets k m P) cs -> (i < m)%nat ->
  edges_in_range k (flat_map (walls_of k) cs) [] -> in_cone k (map edge_R (flat_map (walls_of k) cs)) (P i).
Proof.
  intros M F Hi G. split; [intros; apply M; auto|]. intros j l g I. apply in_map_iff in I. destruct I as [[[j' l'] q] [E I]].
  unfold edge_R in E. cbn in E. inversion E; subst. destruct (G j l q) as [Hj [Hl _]]; [apply in_or_app; auto|].
  apply in_flat_map in I. destruct I as [[[g d] s] [C I]]. unfold walls_of in I. destruct (Qeq_bool d 0) eqn:Z; [|destruct I].
  apply in_map_iff in I. destruct I as [[j' l'] [E' I]]. cbn in E'. inversion E'; subst. rewrite Forall_forall in F. specialize (F _ C).
  apply (meets_rows k m P q j l i s); auto; [eapply zero_delta; eauto|apply (pairs_list_applies k s (j, l) I)].
Qed.

Lemma bends_total m P bs : Forall (fun b => 0 <= Q2R (bend_beta b) /\
    private_pair m (Q2R (snd (bend_edge b))) (Q2R (bend_delta b)) P (fst (fst (bend_edge b))) (snd (fst (bend_edge b)))) bs ->
  sum m (fun i => total_bends (P i) (map bend_R bs)) <= Q2R (total_of (map (fun b => qmul (bend_beta b) (bend_delta b)) bs)).
Proof.
  induction 1 as [|[[[j l] g] b d] bs [B H] F IH]; cbn [map total_bends total_of].
  - rewrite sum_zero by auto. rewrite zero_R. lra.
  - cbn [bend_edge bend_beta bend_delta fst snd] in *. unfold bend_R at 1. unfold edge_R. cbn [bend_edge bend_beta fst snd].
    rewrite sum_plus, sum_scal, qadd_R, qmul_R. apply private_pair_excess in H.
    apply Rplus_le_compat; [apply Rmult_le_compat_l; auto|exact IH].
Qed.

Lemma bends_of_ok k m P cs betas : Forall (meets k m P) cs -> edges_in_range k [] (flat_map (bends_of k) (combine cs betas)) ->
  Forall (fun b => 0 <= Q2R (bend_beta b) /\
    private_pair m (Q2R (snd (bend_edge b))) (Q2R (bend_delta b)) P (fst (fst (bend_edge b))) (snd (fst (bend_edge b))))
    (flat_map (bends_of k) (combine cs betas)).
Proof.
  intros F G. apply Forall_forall. intros b I.
  assert (IE : In (bend_edge b) (all_edges [] (flat_map (bends_of k) (combine cs betas)))) by (apply in_map; auto).
  destruct (bend_edge b) as [[j l] g] eqn:E. destruct (G j l g IE) as [Hj [Hl _]]. cbn [fst snd].
  apply in_flat_map in I. destruct I as [[[[g' d] s] [beta|]] [C I]]; [|destruct I]. unfold bends_of in I.
  apply in_flat_map in I. destruct I as [[j' l'] [Ip I]]. cbn [fst snd] in I. destruct (qlt 0 (entry beta j' l')) eqn:Q; [|destruct I].
  destruct I as [<-|[]]. cbn in E. inversion E; subst. cbn [bend_beta bend_delta]. apply qlt_R in Q. rewrite zero_R in Q. split; [lra|].
  rewrite Forall_forall in F. specialize (F _ (in_combine_l _ _ _ _ C)). apply (F j l Hj Hl). apply (pairs_list_applies k s (j, l) Ip).
Qed.

Lemma qcost_R k alpha bs r : length alpha = k ->
  Q2R (qcost alpha bs r) = sum k (fun j => vec alpha j * vec r j) + total_bends (vec r) (map bend_R bs).
Proof.
  intros L. unfold qcost. rewrite qadd_R, (dot_R k) by lia. f_equal. induction bs as [|[[[j l] g] b d] bs IH]; [apply zero_R|].
  cbn [map total_of bend_edge bend_beta]. rewrite qadd_R, IH, qmul_R, qmax_R, zero_R, qsub_R, qmul_R. reflexivity.
Qed.

Lemma ray_tests_ok k m P cs betas alpha t : mechanism k m P -> Forall (meets k m P) cs ->
  ray_tests k cs betas alpha = Some t -> sound k m P t.
Proof.
  intros M F H. unfold ray_tests in H. set (walls := flat_map (walls_of k) cs) in *.
  set (bends := flat_map (bends_of k) (combine cs betas)) in *.
  destruct (forallb (in_range k) (all_edges walls bends) && Nat.eqb (length alpha) k)%bool eqn:E; [|discriminate].
  apply both in E as [E L]. apply Nat.eqb_eq in L. apply in_range_ok in E.
  destruct (rays_from ray_limit O k walls (all_edges walls bends) (seq 0 k)) as [rays|] eqn:RL; [|discriminate]. inversion H; subst t; clear H.
  assert (Cone : forall i, (i < m)%nat -> in_cone k (map edge_R walls) (P i)).
  { intros i Hi. apply (walls_of_ok k m P cs i M F Hi). intros j l g I. unfold all_edges in I. cbn in I. rewrite app_nil_r in I.
    apply E. apply in_or_app. auto. }
  exists (fun i => sum k (fun j => vec alpha j * P i j) + total_bends (P i) (map bend_R bends)). cbn [most lin sq each].
  assert (Each : forall f c i, forallb (fun rc => f (fst rc) (snd rc)) (map (fun r => (r, qcost alpha bends r)) rays) = true -> below_cost k f c ->
    (i < m)%nat -> sum k (fun j => c j * P i j) <= sum k (fun j => vec alpha j * P i j) + total_bends (P i) (map bend_R bends)).
  { intros f c i C B Hi. rewrite forallb_forall in C.
    assert (X : excess_of k (map bend_R bends) (fun j => c j - vec alpha j) (P i) <= 0).
    { apply (rays_suffice k walls bends rays _ ray_limit E RL); auto. intros r I Pos. specialize (C (r, qcost alpha bends r)).
      assert (I' : In (r, qcost alpha bends r) (map (fun r => (r, qcost alpha bends r)) rays)) by (apply in_map_iff; eauto).
      specialize (C I'). cbn [fst snd] in C. pose proof (B r _ (fun j _ => Pos j) C) as Y. rewrite (qcost_R k alpha bends r L) in Y.
      unfold excess_of. rewrite (sum_ext k _ (fun j => c j * vec r j - vec alpha j * vec r j)) by (intros; ring). rewrite sum_minus. lra. }
    unfold excess_of in X. rewrite (sum_ext k _ (fun j => c j * P i j - vec alpha j * P i j)) in X by (intros; ring).
    rewrite sum_minus in X. lra. }
  split; [|split; [|split; [|exact Each]]].
  - rewrite sum_plus, (total_mass k m P (vec alpha) M), qadd_R, (total_R alpha k) by lia. apply Rplus_le_compat_l.
    apply bends_total. apply bends_of_ok; auto. intros j l g I. apply E. apply in_or_app. right. exact I.
  - intros c i C Hi. apply (Each (fun r g => Qle_bool (dot (map c (seq 0 k)) r) g) _ i C); auto. intros r g _ X. apply qle_R in X.
    rewrite (dot_R k) in X by (rewrite map_length, seq_length; lia). eapply Rle_trans; [|exact X]. right. apply sum_ext. intros j Hj.
    unfold vec at 2. rewrite map_seq_nth by auto. reflexivity.
  - intros w s W LS SW C i u Hi. apply both in C as [[C SN]%both WN]. set (r := length w) in *.
    change (tangent_at k r (rooted w W) (vec s) u (P i) <= sum k (fun j => vec alpha j * P i j) + total_bends (P i) (map bend_R bends)).
    rewrite tangent_linear. apply (Each (fun ray g => Qle_bool 0 g && Qle_bool (weighted_square w (map (fun x => dot x ray) (map (column W) (seq 0 r))))
      (qmul g (dot s ray)))%bool _ i C); auto. intros ray g Pos X. rewrite <- tangent_linear. apply both in X as [X1 X2]. apply qle_R in X1, X2.
    rewrite zero_R in X1. rewrite qmul_R, (dot_R k s), weighted_square_R in X2 by lia. apply tangent; auto.
    + apply sum_nonneg. intros j Hj. apply Rmult_le_pos; auto. rewrite <- zero_R. apply qle_R. apply (forallb_nth _ _ 0%Q SN). lia.
    + eapply Rle_trans; [|exact X2]. right. apply sum_ext. intros l Hl. rewrite (rooted_square w W k (vec ray) l WN). f_equal. f_equal.
      rewrite map_map. unfold vec at 2. rewrite (map_seq_nth (fun x => dot (column W x) ray)) by auto.
      rewrite (dot_R k) by (rewrite column_length, (shaped_rows _ _ _ SW); lia). apply sum_ext. intros j _. rewrite column_vec. reflexivity.
Qed.

Definition one_output (k : nat) (o : option nat) : bool := match o with Some n => Nat.eqb n k | None => false end.
Definition outputs_agree (m : nat) (o : option nat) : bool := match o with Some n => Nat.eqb m n | None => true end.

(* What every certificate of a design states besides its proof. *)
Definition well_posed (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q)) : bool :=
  let k := categories p in
  (Nat.ltb 0 k && Nat.ltb 0 (length a) && outputs_agree (length a) (outputs p) && is_distribution k (population p)
   && Qle_bool lower upper && check_allowed k (region_of p) es a)%bool.
Lemma well_posed_ok p es lower upper a : well_posed p es lower upper a = true ->
  let k := categories p in let m := length a in
  (0 < k)%nat /\ (0 < m)%nat /\ outputs_fit p m /\ distribution k (vec (population p)) /\ length (population p) = k /\
  allowed k m (region_of p) (mat a) /\ shaped m k a = true /\ check_all_ends (conditions (region_of p)) es = true.
Proof.
  unfold well_posed. intros H. cbv zeta. apply both in H as [[[[[Hk Hm]%both O]%both D]%both _]%both AL]. apply Nat.ltb_lt in Hk, Hm.
  split; [exact Hk|]. split; [exact Hm|]. split.
  { unfold outputs_fit; unfold outputs_agree in O. destruct (outputs p); [apply Nat.eqb_eq in O; auto|exact I]. }
  split; [apply is_distribution_ok, D|]. split; [apply (distribution_length _ _ D)|]. split; [apply (check_allowed_ok _ _ es), AL|].
  unfold check_allowed in AL. apply both in AL as [[[SH E]%both _]%both _]. unfold is_mechanism in SH. apply both in SH as [[SH _]%both _]. auto.
Qed.
Lemma centred_ok k n W : shaped k n W = true -> forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 n) = true ->
  forall l, (l < n)%nat -> sum k (fun j => mat W j l) = 0.
Proof.
  intros S Z l Hl. pose proof (forallb_seq _ _ Z l Hl) as Y. cbn beta in Y. apply qeq_R in Y.
  rewrite column_total, zero_R, (shaped_rows _ _ _ S) in Y. exact Y.
Qed.

(* A lower end of a variance that is not positive needs no proof. *)
Definition check_objective (p : problem) (t : tests) (lower upper : Q) (a : list (list Q)) (W A : list (list Q)) : bool :=
  let k := categories p in let m := length a in let q := population p in let B := most t in
  match objective_of p with
  | Estimate C =>
    let T := qsum (length C) (fun l => qsum k (fun j => qmul (entry C l j) (entry W j l))) in
    (shaped k (length C) W && forallb (fun l => Qeq_bool (total_of (column W l)) 0) (seq 0 (length C))
     && (Qle_bool lower 0 || sq t (ones (length C)) q W && qlt 0 B && Qle_bool (qmul lower B) (qmul T T))
     && check_unbiased k a A C && Qle_bool (estimator_variance (outputs_law q a) A) upper)%bool
  | TotalVariation r =>
    let v := fun j => qmul (1 # 2) (qsub (nth j q 0%Q) (nth j r 0%Q)) in
    (is_distribution k r && lin t v && lin t (fun j => Qopp (v j)) && Qle_bool B upper
     && Qle_bool lower (variation_value m (outputs_law q a) (outputs_law r a)))%bool
  | Payoff u =>
    (Nat.ltb 0 (length u)
     && forallb (fun d => lin t (fun j => qmul (nth j q 0%Q) (entry u d j))) (seq 0 (length u))
     && Qle_bool B upper && Qle_bool lower (gain_value k m q u a))%bool
  | _ => false
  end.

(* Patterns for one level of all pairs with delta = 0 and gamma > 1, else the list of rays. *)
Definition tests_of (k : nat) (cs : list rational_level) (betas : list (option (list (list Q)))) (alpha : list Q) : option tests :=
  match uniform_gamma cs with Some g => Some (pattern_tests k g alpha) | None => ray_tests k cs betas alpha end.
Lemma tests_of_ok k m P cs betas alpha t : (0 < k)%nat -> length alpha = k -> mechanism k m P -> Forall (meets k m P) cs ->
  tests_of k cs betas alpha = Some t -> sound k m P t.
Proof.
  intros Hk L M F H. unfold tests_of in H. destruct (uniform_gamma cs) as [g|] eqn:U; [|apply (ray_tests_ok k m P cs betas alpha t M F H)].
  assert (T : t = pattern_tests k g alpha) by congruence. subst t. destruct (uniform_gamma_ok k m _ g P U F). apply pattern_tests_ok; auto.
Qed.

(* What is tested on the rays of the region of a problem holds of all its mechanisms. *)
Definition on_rays (p : problem) (es : list ends) (alpha : list Q) (betas : list (option (list (list Q)))) (f : tests -> bool) : bool :=
  (Nat.eqb (length alpha) (categories p)
   && match tests_of (categories p) (aboves (conditions (region_of p)) es) betas alpha with Some t => f t | None => false end)%bool.
Lemma on_rays_ok p es alpha betas f : on_rays p es alpha betas f = true -> (0 < categories p)%nat ->
  check_all_ends (conditions (region_of p)) es = true ->
  exists t, f t = true /\ forall m P, allowed (categories p) m (region_of p) P -> sound (categories p) m P t.
Proof.
  unfold on_rays. intros H Hk E. apply both in H as [L H]. apply Nat.eqb_eq in L. destruct (tests_of _ _ _ _) as [t|] eqn:T; [|discriminate].
  exists t. split; [exact H|]. intros m P A. exact (tests_of_ok _ m P _ betas alpha t Hk L (proj1 A) (allowed_above _ m _ es P E A) T).
Qed.

Definition check_rays (p : problem) (es : list ends) (lower upper : Q) (a : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (W A : list (list Q)) : bool :=
  (well_posed p es lower upper a && on_rays p es alpha betas (fun t => check_objective p t lower upper a W A))%bool.

(* What a list of rays proves is what an objective needs. *)
Lemma objective_ok p es t lower upper a W A : well_posed p es lower upper a = true -> check_objective p t lower upper a W A = true ->
  (forall m P, allowed (categories p) m (region_of p) P -> sound (categories p) m P t) ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  intros B H R. set (k := categories p) in *. set (m := length a).
  destruct (well_posed_ok _ _ _ _ _ B) as [Hk [Hm [F [D' [LQ [AL' [SH E]]]]]]]. fold k m in Hk, Hm, F, D', LQ, AL', SH.
  unfold bracketed. fold k. split; [exact D'|]. split; [exact F|]. split; [exact AL'|].
  unfold check_objective in H. fold k m in H. destruct (objective_of p) as [C|w|l|l|l|u|r|r| |r|r|r|r v|o ws qs|C ws qs]; cbn [minimised criterion finite]; try discriminate.
  - (* Estimate *)
    apply both in H as [[[[SW Z]%both LB]%both U]%both UP].
    apply check_unbiased_ok in U. destruct U as [LA U]. split.
    + exists (fun i l => mat A l i). split; [exact U|]. apply qle_R in UP.
      rewrite (estimator_variance_R k m), LA in UP by auto. exact UP.
    + intros m' P' a' _ A' U'. apply orb_prop in LB. destruct LB as [LO|LB].
      { apply qle_R in LO. rewrite zero_R in LO. eapply Rle_trans; [exact LO|]. apply (variance_nonneg k m' (length C) P' (mat C)); auto. apply A'. }
      apply both in LB as [BP LO]. apply both in BP as [SQ BP]. destruct (R m' P' A') as [G' [SG [LinOk [SqOk _]]]]. apply qlt_R in BP. rewrite zero_R in BP.
      apply qle_R in LO. rewrite !qmul_R in LO. rewrite (qsum_R (length C)) in LO.
      rewrite (sum_ext (length C) _ (fun l => sum k (fun j => mat C l j * mat W j l))) in LO
        by (intros; rewrite qsum_R; apply sum_ext; intros; rewrite qmul_R, !entry_R; reflexivity).
      pose proof (sq_ones _ _ _ _ _ SqOk (length C) (population p) W LQ SW SQ) as S.
      eapply Rle_trans; [|apply (variance_bound k m' (length C) P' (mat C) a' (vec (population p)) (mat W) G' (Q2R (most t)) (proj1 A') D' U' S SG); auto].
      * apply (Rmult_le_reg_r (Q2R (most t))); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. lra.
      * apply centred_ok; auto.
  - (* Payoff *)
    apply both in H as [[[LU C]%both UP]%both V]. apply Nat.ltb_lt in LU. apply qle_R in V, UP. rewrite gain_value_ok in V by auto.
    split; [exact V|]. intros m' P' F' A'. split; [exact I|]. destruct (R m' P' A') as [G' [SG [LinOk [SqOk _]]]].
    apply Rle_trans with (Q2R (most t)); [|exact UP]. eapply Rle_trans; [|exact SG].
    unfold expected_gain. apply sum_le. intros i Hi. apply largest_le; auto. intros d Hd.
    pose proof (forallb_seq _ _ C d Hd) as Y. cbn beta in Y.
    pose proof (LinOk _ i Y Hi) as X. cbn beta in X.
    eapply Rle_trans; [|exact X]. apply Req_le, sum_ext. intros j _. rewrite qmul_R, entry_R. reflexivity.
  - (* TotalVariation *)
    apply both in H as [[[[DR C1]%both C2]%both UP]%both V]. apply qle_R in V, UP. rewrite (variation_value_ok k m) in V by auto.
    split; [exact V|]. intros m' P' F' A'. split; [exact I|]. destruct (R m' P' A') as [G' [SG [LinOk [SqOk _]]]].
    apply Rle_trans with (Q2R (most t)); [|exact UP]. eapply Rle_trans; [|exact SG].
    unfold total_variation, Rdiv. rewrite <- sum_scal_r. apply sum_le. intros i Hi.
    pose proof (LinOk _ i C1 Hi) as X1. pose proof (LinOk _ i C2 Hi) as X2. cbn beta in X1, X2.
    set (x := answers k P' (vec (population p)) i - answers k P' (vec r) i).
    assert (N : sum k (fun j => Q2R (qmul (1 # 2) (qsub (nth j (population p) 0%Q) (nth j r 0%Q))) * P' i j) = / 2 * x).
    { unfold x, answers. rewrite <- sum_minus, <- sum_scal. apply sum_ext. intros j _. rewrite qmul_R, qsub_R, half_R. unfold vec. ring. }
    rewrite N in X1. rewrite (sum_ext k _ (fun j => -1 * (Q2R (qmul (1 # 2) (qsub (nth j (population p) 0%Q) (nth j r 0%Q))) * P' i j))) in X2
      by (intros; rewrite Q2R_opp; ring). rewrite sum_scal, N in X2.
    unfold Rabs. destruct (Rcase_abs x); lra.
Qed.

Theorem check_rays_ok p es lower upper a alpha betas W A : check_rays p es lower upper a alpha betas W A = true ->
  bracketed p (Q2R lower) (Q2R upper) (length a) (mat a).
Proof.
  unfold check_rays. intros H. apply both in H as [B H]. destruct (well_posed_ok _ _ _ _ _ B) as [Hk [_ [_ [_ [_ [_ [_ E]]]]]]].
  apply on_rays_ok in H as [t [H R]]; auto. exact (objective_ok p es t lower upper a W A B H R).
Qed.
