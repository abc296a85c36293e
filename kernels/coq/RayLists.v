(* The way of rays in general: the list of rays, and why it holds every point whose entries are tied by tight edges. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Levels Regions Designs Rays Cells.
Import ListNotations.
Local Open Scope R_scope.

(* Walls: pairs of a level with delta = 0. Bends: pairs of another level, with a factor beta > 0. *)
Definition wall := (nat * nat * Q)%type.
Record bend := Bend { bend_edge : wall; bend_beta : Q; bend_delta : Q }.
Definition edge_R (e : wall) : edge := (fst e, Q2R (snd e)).
Definition bend_R (b : bend) : edge * R := (edge_R (bend_edge b), Q2R (bend_beta b)).

(* Sorted lists without repetitions, by merging. *)
Definition compare_Q (a b : Q) : comparison :=
  match Z.compare (Qnum a) (Qnum b) with Eq => Pos.compare (Qden a) (Qden b) | c => c end.
Lemma compare_Q_eq a b : compare_Q a b = Eq -> a = b.
Proof.
  destruct a as [n d], b as [n' d']. unfold compare_Q; cbn. destruct (Z.compare_spec n n'); try discriminate. intros C.
  apply Pos.compare_eq in C. congruence.
Qed.
Fixpoint merge (a : list (list Q)) : list (list Q) -> list (list Q) :=
  fix inner (b : list (list Q)) : list (list Q) :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a', y :: b' =>
    match compare_lists compare_Q x y with Eq => x :: merge a' b' | Lt => x :: merge a' b | Gt => y :: inner b' end
  end.
Lemma merge_in a : forall b x, In x a \/ In x b -> In x (merge a b).
Proof.
  induction a as [|y a IH]; intros b x H; [destruct b; cbn; destruct H as [[]|H]; auto|].
  induction b as [|z b IHb]; [destruct H as [H|[]]; exact H|]. cbn [merge]. destruct (compare_lists compare_Q y z) eqn:E.
  - apply (compare_lists_eq _ compare_Q_eq) in E. subst z. destruct H as [[->|H]|[->|H]]; [left; auto|right; apply IH; auto|left; auto|right; apply IH; auto].
  - destruct H as [[->|H]|H]; [left; auto|right; apply IH; auto|right; apply IH; auto].
  - change (In x (z :: merge (y :: a) b)). destruct H as [H|[->|H]]; [right; apply IHb; auto|left; auto|right; apply IHb; auto].
Qed.
Fixpoint merge_pairs (ls : list (list (list Q))) : list (list (list Q)) :=
  match ls with a :: b :: t => merge a b :: merge_pairs t | _ => ls end.
Fixpoint merge_all (fuel : nat) (ls : list (list (list Q))) : list (list Q) :=
  match fuel, ls with
  | _, [] => []
  | _, [a] => a
  | O, _ => concat ls
  | S fuel, _ => merge_all fuel (merge_pairs ls)
  end.
Definition unique (l : list (list Q)) : list (list Q) := merge_all 40 (map (fun x => [x]) l).

Lemma merge_pairs_in x : forall n ls, (length ls <= n)%nat -> (exists l, In l ls /\ In x l) -> exists l, In l (merge_pairs ls) /\ In x l.
Proof.
  induction n; intros [|a [|b ls]] L [l [I J]]; cbn in L; try lia; try (destruct I; fail); cbn [merge_pairs]; try (exists l; auto; fail).
  destruct I as [<-|[<-|I]].
  - exists (merge a b). split; [left; auto|apply merge_in; auto].
  - exists (merge a b). split; [left; auto|apply merge_in; auto].
  - destruct (IHn ls ltac:(lia) (ex_intro _ l (conj I J))) as [l' [I' J']]. exists l'. split; [right; auto|auto].
Qed.
Lemma merge_all_in x fuel : forall ls, (exists l, In l ls /\ In x l) -> In x (merge_all fuel ls).
Proof.
  induction fuel; intros ls H.
  - destruct ls as [|a [|b t]]; cbn [merge_all]; destruct H as [l [I J]]; [destruct I|destruct I as [<-|[]]; auto|].
    apply in_concat. exists l. auto.
  - destruct ls as [|a [|b t]]; cbn [merge_all]; [destruct H as [l [[] _]]|destruct H as [l [[<-|[]] J]]; auto|].
    apply IHfuel. apply (merge_pairs_in x (length (a :: b :: t))); auto.
Qed.
Lemma unique_in x l : In x l -> In x (unique l).
Proof. intros H. apply merge_all_in. exists [x]. split; [apply in_map_iff; eauto|left; auto]. Qed.

(* Vectors. *)
Fixpoint replaced (j : nat) (v : Q) (r : list Q) : list Q :=
  match r, j with [], _ => [] | _ :: t, O => v :: t | x :: t, S j => x :: replaced j v t end.
Lemma replaced_length r : forall j v, length (replaced j v r) = length r.
Proof. induction r; intros [|j] v; cbn; auto. Qed.
Lemma replaced_vec r : forall j v i, (j < length r)%nat -> vec (replaced j v r) i = if Nat.eqb i j then Q2R v else vec r i.
Proof.
  induction r as [|x r IH]; intros [|j] v i L; cbn in L; try lia; cbn [replaced].
  - destruct i; reflexivity.
  - destruct i; [reflexivity|]. apply (IH j v i). lia.
Qed.
Definition unit_vector (k f : nat) : list Q := map (fun i => if Nat.eqb i f then 1%Q else 0%Q) (seq 0 k).

Definition at_ (r : list Q) (j : nat) : Q := nth j r 0%Q.
Definition wall_holds (r : list Q) (w : wall) : bool := let '(j, l, g) := w in Qle_bool (at_ r j) (qmul g (at_ r l)).
(* Between positive entries. *)
Definition wall_part (r : list Q) (w : wall) : bool :=
  (Qle_bool (at_ r (snd (fst w))) 0 || wall_holds r w)%bool.
Definition extended (f : nat) (edges : list wall) (r : list Q) : list (list Q) :=
  flat_map (fun e : wall => let '(j, l, g) := e in
    (if (Nat.ltb f j && Qle_bool (at_ r j) 0 && qlt 0 (at_ r l))%bool then [replaced j (qmul g (at_ r l)) r] else []) ++
    (if (Nat.ltb f l && Qle_bool (at_ r l) 0 && qlt 0 (at_ r j))%bool then [replaced l (qmul (Qinv g) (at_ r j)) r] else [])) edges.
Definition next_level (f : nat) (walls edges : list wall) (rs : list (list Q)) : list (list Q) :=
  unique (filter (fun r => forallb (wall_part r) walls) (flat_map (extended f edges) rs)).
Definition inside (walls : list wall) (rs : list (list Q)) : list (list Q) := filter (fun r => forallb (wall_holds r) walls) rs.
(* found: how many rays there are already; with the vectors of a level they are at most the limit. *)
Fixpoint levels_from (limit found : nat) (f : nat) (walls edges : list wall) (t : nat) (rs : list (list Q)) : option (list (list Q)) :=
  if Nat.leb (length rs + found) limit then
    match t with
    | O => Some rs
    | S t =>
      match levels_from limit (length (inside walls rs) + found) f walls edges t (next_level f walls edges rs) with
      | Some more => Some (rs ++ more)
      | None => None
      end
    end
  else None.
Fixpoint iterate {A} (n : nat) (h : A -> A) (x : A) : A := match n with O => x | S n => iterate n h (h x) end.
Lemma iterate_last {A} n (h : A -> A) : forall x, iterate (S n) h x = h (iterate n h x).
Proof. induction n; intros x; [reflexivity|]. cbn [iterate] in *. rewrite <- IHn. reflexivity. Qed.
Lemma levels_from_in limit f walls edges t : forall found n rs all r, (n <= t)%nat -> levels_from limit found f walls edges t rs = Some all ->
  In r (iterate n (next_level f walls edges) rs) -> In r all.
Proof.
  induction t; intros found n rs all r L H I; cbn [levels_from] in H; destruct (Nat.leb (length rs + found) limit); try discriminate.
  - inversion H; subst. assert (n = O) by lia. subst. exact I.
  - destruct (levels_from limit (length (inside walls rs) + found) f walls edges t (next_level f walls edges rs)) as [more|] eqn:E; [|discriminate].
    inversion H; subst. apply in_or_app. destruct n; [left; exact I|right]. apply (IHt _ n _ _ r ltac:(lia) E I).
Qed.

Definition ray_limit : nat := Nat.pow 2 15.
Fixpoint rays_from (limit found k : nat) (walls edges : list wall) (fs : list nat) : option (list (list Q)) :=
  match fs with
  | [] => Some []
  | f :: fs =>
    match levels_from limit found f walls edges (k - 1) [unit_vector k f] with
    | Some vectors =>
      let own := inside walls vectors in
      match rays_from limit (length own + found) k walls edges fs with
      | Some more => Some (own ++ more)
      | None => None
      end
    | None => None
    end
  end.

Section Complete.
Context (k : nat) (walls : list wall) (bends : list bend).
Definition all_edges : list wall := walls ++ map bend_edge bends.
Definition edges_in_range : Prop := forall j l g, In (j, l, g) all_edges -> (j < k)%nat /\ (l < k)%nat /\ 0 < Q2R g.

Lemma edges_R : edges (map edge_R walls) (map bend_R bends) = map edge_R all_edges.
Proof. unfold edges, all_edges. rewrite map_app, !map_map. reflexivity. Qed.

Definition matches (p : nat -> R) (f : nat) (A : list nat) (r : list Q) : Prop :=
  length r = k /\ forall i, vec r i * p f = if existsb (Nat.eqb i) A then p i else 0.

Lemma mem i A : existsb (Nat.eqb i) A = true <-> In i A.
Proof.
  rewrite existsb_exists. split; [intros [z [I E]]; apply Nat.eqb_eq in E; subst; auto|intros I; exists i; rewrite Nat.eqb_refl; auto].
Qed.

Lemma product_sign x y : 0 < y -> (0 < x * y <-> 0 < x).
Proof. intros Y. split; intros H; [apply (Rmult_lt_reg_r y); lra|apply Rmult_lt_0_compat; auto]. Qed.

Lemma matching_walls p f A r : in_cone k (map edge_R walls) p -> edges_in_range -> (f < k)%nat -> 0 < p f ->
  (forall i, In i A -> 0 < p i) -> matches p f A r -> forallb (wall_part r) walls = true.
Proof.
  intros [N W] G Hf Pf PA [L M]. apply forallb_forall. intros [[a b] g] I. unfold wall_part. cbn [fst snd].
  destruct (Qle_bool (at_ r b) 0) eqn:E; auto. cbn [orb]. unfold wall_holds. apply qle_false in E. rewrite zero_R in E.
  change (Q2R (at_ r b)) with (vec r b) in E. assert (IR : In (a, b, Q2R g) (map edge_R walls)) by (apply in_map_iff; exists (a, b, g); auto).
  destruct (G a b g) as [Ha [Hb Hg]]; [apply in_or_app; auto|].
  apply Qle_bool_iff, Rle_Qle. rewrite qmul_R. change (Q2R (at_ r a)) with (vec r a). change (Q2R (at_ r b)) with (vec r b).
  apply (Rmult_le_reg_r (p f)); auto. rewrite Rmult_assoc. pose proof (M a) as Ma. pose proof (M b) as Mb.
  assert (0 < vec r b * p f) by (apply product_sign; auto). destruct (existsb (Nat.eqb b) A); [|lra].
  rewrite Mb. pose proof (W a b (Q2R g) IR). pose proof (N a Ha). rewrite Ma. destruct (existsb (Nat.eqb a) A); lra.
Qed.

(* A set that grows along tight edges is matched by a vector of the level of its size. *)
Definition listed (p : nat -> R) (A : list nat) : Prop :=
  NoDup A /\ (forall i, In i A -> (i < k)%nat /\ 0 < p i) /\
  exists f, (f < k)%nat /\ 0 < p f /\ (forall i, (i < f)%nat -> p i <= 0) /\ In f A /\ (0 < length A)%nat /\
  exists r, In r (iterate (length A - 1) (next_level f walls all_edges) [unit_vector k f]) /\ matches p f A r.
Lemma listed_more p A j l v : edges_in_range -> in_cone k (map edge_R walls) p -> listed p A ->
  (j < k)%nat -> ~ In j A -> In l A -> 0 < p j -> p j = Q2R v * p l ->
  (forall f r, (f < j)%nat -> Qle_bool (at_ r j) 0 = true -> qlt 0 (at_ r l) = true -> In (replaced j (qmul v (at_ r l)) r) (extended f all_edges r)) ->
  listed p (j :: A).
Proof.
  intros G C [ND [PA [f [Hf [Pf [First [IF [LA [r [IR [Lr M]]]]]]]]]]] Hj NI I Pj T Ext.
  split; [constructor; auto|]. split; [intros i [<-|J]; auto|].
  exists f. split; auto. split; auto. split; auto. split; [right; auto|]. split; [cbn; lia|].
  assert (Rl : 0 < vec r l) by (apply (product_sign _ (p f) Pf); rewrite M, (proj2 (mem l A) I); apply PA; auto).
  assert (Rj : vec r j = 0).
  { pose proof (M j) as X. destruct (existsb (Nat.eqb j) A) eqn:Z; [apply mem in Z; contradiction|]. nra. }
  assert (Fj : (f < j)%nat).
  { destruct (Nat.lt_trichotomy f j) as [|[->|X]]; auto; [contradiction|]. specialize (First j X). lra. }
  exists (replaced j (qmul v (at_ r l)) r).
  assert (M' : matches p f (j :: A) (replaced j (qmul v (at_ r l)) r)).
  { split; [rewrite replaced_length; auto|]. intros i. rewrite replaced_vec by lia. cbn [existsb].
    destruct (Nat.eqb_spec i j); cbn [orb]; [|apply M].
    subst i. rewrite qmul_R. change (Q2R (at_ r l)) with (vec r l). rewrite Rmult_assoc, M, (proj2 (mem l A) I). lra. }
  split; auto. replace (length (j :: A) - 1)%nat with (S (length A - 1)) by (cbn; lia). rewrite iterate_last.
  unfold next_level at 1. apply unique_in, filter_In. split.
  - apply in_flat_map. exists r. split; auto. apply Ext; auto.
    + apply Qle_bool_iff, Rle_Qle. rewrite zero_R. change (vec r j <= 0). lra.
    + unfold qlt. destruct (Qle_bool (at_ r l) 0) eqn:Z; auto. apply qle_R in Z. rewrite zero_R in Z. change (vec r l <= 0) in Z. lra.
  - apply (matching_walls p f (j :: A)); auto. intros i [<-|J]; auto. apply PA; auto.
Qed.
Lemma grows_listed p A : edges_in_range -> in_cone k (map edge_R walls) p ->
  grows k (map edge_R walls) (map bend_R bends) p A -> listed p A.
Proof.
  intros G C H. induction H as [f Hf Pf First|A j l g H IH NI I Ie Pj T|A j l g H IH NI I Ie Pl T].
  - split; [constructor; [intros []|constructor]|]. split; [intros i [<-|[]]; auto|].
    exists f. split; auto. split; auto. split; auto. split; [left; auto|]. split; [cbn; auto|].
    exists (unit_vector k f). split; [left; auto|]. split; [unfold unit_vector; rewrite map_length, seq_length; auto|].
    intros i. cbn [existsb]. rewrite orb_false_r. unfold vec, unit_vector. destruct (Nat.lt_ge_cases i k) as [L|L].
    + rewrite map_seq_nth by auto. destruct (Nat.eqb_spec i f); [subst; rewrite one_R; ring|rewrite zero_R; ring].
    + rewrite nth_overflow by (rewrite map_length, seq_length; auto). destruct (Nat.eqb_spec i f); [lia|rewrite zero_R; ring].
  - rewrite edges_R in Ie. apply in_map_iff in Ie. destruct Ie as [[[j' l'] q] [E Ie]]. inversion E; subst j' l' g. destruct (G j l q Ie) as [Hj _].
    apply (listed_more p A j l q); auto. intros f r F Z P. apply in_flat_map. exists (j, l, q). split; auto. apply in_or_app. left.
    apply Nat.ltb_lt in F. rewrite F, Z, P. left. reflexivity.
  - rewrite edges_R in Ie. apply in_map_iff in Ie. destruct Ie as [[[j' l'] q] [E Ie]]. inversion E; subst j' l' g. destruct (G j l q Ie) as [_ [Hl Hq]].
    apply (listed_more p A l j (Qinv q)); auto.
    + cbn [snd] in T. rewrite Q2R_inv, T by (intros Z; apply Qeq_eqR in Z; rewrite zero_R in Z; lra). field. lra.
    + intros f r F Z P. apply in_flat_map. exists (j, l, q). split; auto. apply in_or_app. right.
      apply Nat.ltb_lt in F. rewrite F, Z, P. left. reflexivity.
Qed.

Lemma rays_from_in limit fs : forall found all f, rays_from limit found k walls all_edges fs = Some all -> In f fs ->
  exists before vectors, levels_from limit before f walls all_edges (k - 1) [unit_vector k f] = Some vectors /\
  forall r, In r vectors -> forallb (wall_holds r) walls = true -> In r all.
Proof.
  induction fs as [|f' fs IH]; intros found all f H I; [destruct I|]. cbn [rays_from] in H.
  destruct (levels_from limit found f' walls all_edges (k - 1) [unit_vector k f']) as [vectors|] eqn:E; [|discriminate]. cbv zeta in H.
  destruct (rays_from limit (length (inside walls vectors) + found) k walls all_edges fs) as [more|] eqn:M; [|discriminate].
  inversion H; subst. destruct I as [->|I].
  - exists found, vectors. split; auto. intros r J W. apply in_or_app. left. apply filter_In. auto.
  - destruct (IH _ _ f M I) as [before [vs [L J]]]. exists before, vs. split; auto. intros r J' W. apply in_or_app. right. auto.
Qed.

Lemma total_bends_scale x y c bs : 0 <= c -> (forall e b, In (e, b) bs -> forall j l g, e = (j, l, g) -> y j = c * x j /\ y l = c * x l) ->
  total_bends y bs = c * total_bends x bs.
Proof.
  intros Hc. induction bs as [|[[[j l] g] b] bs IH]; intros H; cbn [total_bends]; [ring|].
  rewrite IH by (intros; eapply H; [right; eauto|eauto]). destruct (H (j, l, g) b (or_introl eq_refl) j l g eq_refl) as [-> ->].
  replace (c * x j - g * (c * x l)) with (c * (x j - g * x l)) by ring.
  replace (Rmax 0 (c * (x j - g * x l))) with (c * Rmax 0 (x j - g * x l)); [ring|].
  rewrite <- RmaxRmult by auto. rewrite Rmult_0_r. reflexivity.
Qed.

(* What is at most 0 on the rays is at most 0 on the cone. *)
Theorem rays_suffice all d limit : edges_in_range -> rays_from limit O k walls all_edges (seq 0 k) = Some all ->
  (forall r, In r all -> (forall j, 0 <= vec r j) -> excess_of k (map bend_R bends) d (vec r) <= 0) ->
  forall p, in_cone k (map edge_R walls) p -> excess_of k (map bend_R bends) d p <= 0.
Proof.
  intros G R Check p C. apply (cells k (map edge_R walls) (map bend_R bends) d); auto.
  { intros j l g I. rewrite edges_R in I. apply in_map_iff in I. destruct I as [[[j' l'] q] [E I]]. inversion E; subst. apply (G _ _ _ I). }
  clear p C. intros p A C H Sup.
  destruct (grows_listed p A G C H) as [ND [PA [f [Hf [Pf [First [IF [LA [r [IR [Lr M]]]]]]]]]]].
  destruct (rays_from_in _ _ _ _ f R ltac:(apply in_seq; lia)) as [before [found [F Found]]].
  assert (LK : (length A <= k)%nat).
  { rewrite <- (seq_length k 0). apply NoDup_incl_length; auto. intros i I. apply in_seq. pose proof (proj1 (PA i I)). lia. }
  assert (LA1 : (length A - 1 <= k - 1)%nat) by lia.
  pose proof (levels_from_in _ _ _ _ _ _ _ _ _ r LA1 F IR) as J.
  assert (Eq : forall i, (i < k)%nat -> p i = p f * vec r i).
  { intros i Hi. rewrite Rmult_comm, M. destruct (existsb (Nat.eqb i) A) eqn:Z; auto.
    destruct C as [N _]. specialize (N i Hi). destruct (Rlt_dec 0 (p i)) as [P|]; [|lra]. apply Sup, mem in P; auto. congruence. }
  assert (W : forallb (wall_holds r) walls = true).
  { apply forallb_forall. intros [[a b] g] I. unfold wall_holds. apply Qle_bool_iff, Rle_Qle. rewrite qmul_R.
    change (Q2R (at_ r a)) with (vec r a). change (Q2R (at_ r b)) with (vec r b).
    destruct (G a b g) as [Ha [Hb Hg]]; [apply in_or_app; auto|]. destruct C as [_ W].
    specialize (W a b (Q2R g)). rewrite (Eq a Ha), (Eq b Hb) in W. apply (Rmult_le_reg_l (p f)); auto.
    assert (p f * vec r a <= Q2R g * (p f * vec r b)); [|lra]. apply W. apply in_map_iff. exists (a, b, g). auto. }
  assert (Pos : forall j, 0 <= vec r j).
  { intros j. destruct (Rle_lt_dec 0 (vec r j)) as [|L]; auto. exfalso. pose proof (M j) as X.
    assert (vec r j * p f < 0) by nra. destruct (existsb (Nat.eqb j) A) eqn:Z; [|lra]. apply mem in Z. pose proof (proj2 (PA j Z)). lra. }
  pose proof (Check r (Found r J W) Pos) as X.
  assert (E : excess_of k (map bend_R bends) d p = p f * excess_of k (map bend_R bends) d (vec r)); [|rewrite E; nra].
  unfold excess_of. rewrite (total_bends_scale (vec r) p (p f)) by
    (try lra; intros e b I j l g ->; apply in_map_iff in I; destruct I as [[[[j' l'] q] b' d'] [E' I]]; unfold bend_R in E'; cbn in E';
     inversion E'; subst; assert (Ie : In (j, l, q) all_edges) by (apply in_or_app; right; apply in_map_iff; eexists; split; [|exact I]; reflexivity);
     destruct (G _ _ _ Ie) as [Hj [Hl _]]; auto).
  rewrite (sum_ext k (fun j => d j * p j) (fun j => p f * (d j * vec r j))) by (intros j Hj; rewrite (Eq j Hj); ring).
  rewrite sum_scal. ring.
Qed.
End Complete.
