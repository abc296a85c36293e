(* The statement polynomial, Bernstein: a polynomial on simplices that are cut until all Bernstein coefficients are nonnegative. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Polynomials.
Import ListNotations.
Local Open Scope R_scope.

(* A vertex is a list of polynomials in the parameters; lin is the sum over the vertices with weights c. *)
Definition simplex := list (list polynomial).
Definition lin (x c : nat -> R) (V : simplex) (j : nat) : R :=
  sum (length V) (fun i => c i * at_point x (nth j (nth i V []) [])).

(* ---- Cutting an edge: the two parts cover the simplex. ---- *)
Fixpoint replace {A} (j : nat) (u : A) (l : list A) : list A :=
  match l, j with [], _ => [] | _ :: t, O => u :: t | a :: t, S j => a :: replace j u t end.
Lemma replace_length {A} j (u : A) l : length (replace j u l) = length l.
Proof. revert j. induction l; intros [|j]; cbn; auto. Qed.
Lemma replace_nth {A} (u d : A) l : forall j h, (j < length l)%nat -> nth h (replace j u l) d = if Nat.eqb h j then u else nth h l d.
Proof.
  induction l as [|a l IH]; intros [|j] h H; cbn in H; try lia; destruct h as [|h]; cbn [replace nth Nat.eqb]; auto.
  apply IH. lia.
Qed.

Fixpoint mixed (a b : Q) (u v : list polynomial) : list polynomial :=
  match u, v with
  | p :: u, q :: v => padd (pscale a p) (pscale b q) :: mixed a b u v
  | [], v => map (pscale b) v
  | u, [] => map (pscale a) u
  end.
Lemma scaled_ok x a u : forall j, at_point x (nth j (map (pscale a) u) []) = Q2R a * at_point x (nth j u []).
Proof. induction u as [|p u IH]; intros [|j]; cbn [map nth]; try (cbn; ring); [apply pscale_ok|apply IH]. Qed.
Lemma mixed_ok x a b u : forall v j, at_point x (nth j (mixed a b u v) []) =
  Q2R a * at_point x (nth j u []) + Q2R b * at_point x (nth j v []).
Proof.
  induction u as [|p u IH]; intros v j.
  - cbn [mixed]. rewrite scaled_ok. destruct j; cbn; ring.
  - destruct v as [|q v].
    + change (mixed a b (p :: u) []) with (map (pscale a) (p :: u)). rewrite scaled_ok. destruct j; cbn; ring.
    + destruct j as [|j]; cbn [mixed nth]; [rewrite padd_ok, !pscale_ok; ring|apply IH].
Qed.

Lemma sum_two n i j f g : (i < n)%nat -> (j < n)%nat -> i <> j -> (forall h, (h < n)%nat -> h <> i -> h <> j -> f h = g h) ->
  f i + f j = g i + g j -> sum n f = sum n g.
Proof.
  intros Hi Hj N E T.
  assert (D : sum n (fun h => f h - g h) = sum n (fun h => (if Nat.eqb h i then f i - g i else 0) + (if Nat.eqb h j then f j - g j else 0))).
  { apply sum_ext. intros h Hh. destruct (Nat.eq_dec h i) as [A|A]; [|destruct (Nat.eq_dec h j) as [B|B]].
    - subst h. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec i j); [contradiction|]. ring.
    - subst h. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec j i); [congruence|]. ring.
    - destruct (Nat.eqb_spec h i); [contradiction|]. destruct (Nat.eqb_spec h j); [contradiction|]. rewrite (E h Hh A B). ring. }
  rewrite sum_minus, sum_plus, !sum_single in D by auto. lra.
Qed.

(* The weights c on the simplex, where c_i/a >= c_j/b, are the weights cut on the part with a V_i + b V_j in the place of V_j. *)
Lemma cut_ok x c V i j a b u : (i < length V)%nat -> (j < length V)%nat -> i <> j -> 0 < a -> 0 < b ->
  (forall h, (h < length V)%nat -> 0 <= c h) -> a * c j <= b * c i ->
  (forall k, at_point x (nth k u []) = a * at_point x (nth k (nth i V []) []) + b * at_point x (nth k (nth j V []) [])) ->
  exists d, (forall h, (h < length V)%nat -> 0 <= d h) /\ forall k, lin x d (replace j u V) k = lin x c V k.
Proof.
  intros Hi Hj N A B C L U.
  set (d := fun h => if Nat.eqb h i then c i - a * (c j / b) else if Nat.eqb h j then c j / b else c h). exists d.
  assert (CB : 0 <= c j / b) by (unfold Rdiv; apply Rmult_le_pos; [auto|left; apply Rinv_0_lt_compat; auto]).
  assert (E : b * (c j / b) = c j) by (field; lra). split.
  - intros h Hh. unfold d. destruct (Nat.eqb_spec h i); [|destruct (Nat.eqb_spec h j); auto].
    assert (0 <= b * (c i - a * (c j / b))).
    { replace (b * (c i - a * (c j / b))) with (b * c i - a * (b * (c j / b))) by ring. rewrite E. lra. }
    apply (Rmult_le_reg_l b); lra.
  - intros k. unfold lin. rewrite replace_length. apply (sum_two _ i j); auto.
    + intros h Hh Ni Nj. rewrite replace_nth by auto. unfold d. destruct (Nat.eqb_spec h i); [contradiction|].
      destruct (Nat.eqb_spec h j); [contradiction|]. reflexivity.
    + rewrite !replace_nth by auto. unfold d. rewrite !Nat.eqb_refl. destruct (Nat.eqb_spec i j); [contradiction|].
      destruct (Nat.eqb_spec j i); [congruence|]. rewrite U. set (q := c j / b) in *. rewrite <- E. unfold simplex, polynomial in *. ring.
Qed.

(* ---- Monomials. ---- *)
Lemma monomial_ext m : forall x y, (forall i, (i < length m)%nat -> x i = y i) -> monomial_at x m = monomial_at y m.
Proof.
  induction m as [|e m IH]; intros x y H; cbn [monomial_at]; auto. rewrite (H O) by (cbn; lia). f_equal. apply IH.
  intros i Hi. apply H. cbn. lia.
Qed.
Lemma monomial_app a : forall b x, monomial_at x (a ++ b) = monomial_at x a * monomial_at (fun i => x (length a + i)%nat) b.
Proof.
  induction a as [|e a IH]; intros b x; cbn [app monomial_at length].
  - rewrite Rmult_1_l. apply monomial_ext. auto.
  - rewrite IH. cbn. ring.
Qed.
Lemma monomial_parts n m x : monomial_at x m = monomial_at x (firstn n m) * monomial_at (fun i => x (n + i)%nat) (skipn n m).
Proof.
  rewrite <- (firstn_skipn n m) at 1. rewrite monomial_app. f_equal. destruct (le_lt_dec (length m) n) as [L|L].
  - rewrite (skipn_all2 m L). reflexivity.
  - rewrite firstn_length_le by lia. reflexivity.
Qed.
Definition degree_of (m : monomial) : nat := fold_right Nat.add O m.
Lemma monomial_scaled m : forall X w, w <> 0 -> monomial_at (fun j => X j / w) m * w ^ degree_of m = monomial_at X m.
Proof.
  induction m as [|e m IH]; intros X w W; [cbn; ring|]. unfold degree_of. cbn [monomial_at fold_right].
  fold (degree_of m). rewrite pow_add, <- (IH (fun j => X (S j)) w W).
  unfold Rdiv. rewrite Rpow_mult_distr. rewrite pow_inv. field. apply pow_nonzero; auto.
Qed.

(* Polynomials in the parameters as polynomials in the parameters and the weights. *)
Definition short_enough (n : nat) (p : polynomial) : bool := forallb (fun t => Nat.leb (length (fst t)) n) p.
Definition padded (k : nat) (p : polynomial) : polynomial := map (fun t => (fst t ++ repeat O k, snd t)) p.
Lemma monomial_repeat k : forall x, monomial_at x (repeat O k) = 1.
Proof. induction k; intros x; cbn [repeat monomial_at]; [auto|]. rewrite IHk. cbn. ring. Qed.
Lemma padded_ok n k p x y : short_enough n p = true -> at_point (joined n x y) (padded k p) = at_point x p.
Proof.
  induction p as [|[m c] p IH]; intros H; cbn [padded map at_point fst snd] in *; auto. unfold short_enough in H. cbn [forallb fst] in H.
  apply both in H as [L H]. apply Nat.leb_le in L. unfold padded in IH. rewrite (IH H). f_equal. f_equal.
  rewrite monomial_app, monomial_repeat, Rmult_1_r. apply monomial_ext. intros i Hi. unfold joined.
  destruct (Nat.ltb_spec i n); [auto|lia].
Qed.

Section Leaf.
Context (n : nat).                           (* the number of parameters *)

(* The coordinate j of sum_i c_i V_i as a polynomial; N: all variables. *)
Fixpoint form_from (N i : nat) (V : simplex) (j : nat) : polynomial :=
  match V with [] => [] | u :: V => padd (pmul (pvariable N (n + i)) (padded (N - n) (nth j u []))) (form_from N (S i) V j) end.
Definition all_short (V : simplex) : bool := forallb (forallb (short_enough n)) V.
Lemma short_nth u j : forallb (short_enough n) u = true -> short_enough n (nth j u []) = true.
Proof.
  intros H. destruct (le_lt_dec (length u) j); [rewrite nth_overflow; auto|]. apply (forallb_nth _ _ [] H j l).
Qed.
Lemma form_ok N V : forall i j x c, (n + i + length V <= N)%nat -> all_short V = true ->
  at_point (joined n x c) (form_from N i V j) = sum (length V) (fun h => c (i + h)%nat * at_point x (nth j (nth h V []) [])).
Proof.
  induction V as [|u V IH]; intros i j x c L H; cbn [form_from length] in *; [reflexivity|]. unfold all_short in H. cbn [forallb] in H.
  apply both in H as [Hu H]. rewrite padd_ok, pmul_ok, pvariable_ok by lia. rewrite (padded_ok n _ _ x c (short_nth u j Hu)).
  rewrite (IH (S i) j x c) by (auto; lia). rewrite sum_front. cbn [nth]. f_equal.
  - f_equal. unfold joined. destruct (Nat.ltb_spec (n + i) n); [lia|]. f_equal. lia.
  - apply sum_ext. intros h _. f_equal. f_equal. lia.
Qed.

Fixpoint powers_of (N : nat) (forms : list polynomial) (es : list nat) {struct es} : option polynomial :=
  match es, forms with
  | [], _ => Some (pconstant N 1)
  | e :: es, f :: forms => bind (ppower N f e) (fun p => bind (powers_of N forms es) (fun q => product p q))
  | _ :: _, [] => None
  end.
Lemma powers_of_ok N x es : forall forms p, powers_of N forms es = Some p ->
  at_point x p = monomial_at (fun j => at_point x (nth j forms [])) es.
Proof.
  induction es as [|e es IH]; intros forms p H; cbn [powers_of monomial_at] in *.
  - assert (p = pconstant N 1) as -> by congruence. rewrite pconstant_ok. apply one_R.
  - destruct forms as [|f forms]; [discriminate|]. split_bind H. apply (product_ok _ _ _ x) in H. apply (ppower_ok _ _ _ x) in E.
    rewrite H, E, (IH forms _ E0). reflexivity.
Qed.

(* One term of the homogenised polynomial, g its degree in the variables; and all. *)
Definition term_of (N g : nat) (w : polynomial) (forms : list polynomial) (t : monomial * Q) : option polynomial :=
  let (m, c) := t in let es := skipn n m in
  if Nat.leb (degree_of es) g then
    bind (powers_of N forms es) (fun p => bind (ppower N w (g - degree_of es)) (fun q =>
      bind (product p q) (fun r => Some (pterm (firstn n m ++ repeat O (N - n)) c r))))
  else None.
Fixpoint homogenised (N g : nat) (w : polynomial) (forms : list polynomial) (p : polynomial) : option polynomial :=
  match p with
  | [] => Some []
  | t :: p => bind (term_of N g w forms t) (fun a => bind (homogenised N g w forms p) (fun b => Some (padd a b)))
  end.

Lemma homogenised_ok N g w forms x c p : forall q, homogenised N g w forms p = Some q ->
  let z := joined n x c in let W := at_point z w in W <> 0 ->
  at_point z q = W ^ g * at_point (joined n x (fun j => at_point z (nth j forms []) / W)) p.
Proof.
  induction p as [|[m k] p IH]; intros q H z W Nz; cbn [homogenised at_point] in *.
  - inversion H. cbn. ring.
  - split_bind H. inversion H; subst q. rewrite padd_ok. pose proof (IH _ eq_refl Nz) as R. cbv zeta in R. fold z in R. fold W in R. rewrite R. clear R.
    unfold term_of in E. destruct (Nat.leb_spec (degree_of (skipn n m)) g) as [L|L]; [|discriminate]. split_bind E. inversion E; subst p0.
    rewrite pterm_ok. apply (product_ok _ _ _ z) in E3. rewrite E3. apply (powers_of_ok N z) in E1. rewrite E1.
    apply (ppower_ok _ _ _ z) in E2. rewrite E2. fold W.
    rewrite (monomial_parts n m (joined n x _)). set (es := skipn n m) in *.
    assert (F : monomial_at z (firstn n m ++ repeat O (N - n)) = monomial_at x (firstn n m)).
    { rewrite monomial_app, monomial_repeat, Rmult_1_r. apply monomial_ext. intros i Hi. rewrite firstn_length in Hi. unfold z, joined.
      destruct (Nat.ltb_spec i n); [auto|lia]. }
    assert (F2 : monomial_at (joined n x (fun j => at_point z (nth j forms []) / W)) (firstn n m) = monomial_at x (firstn n m)).
    { apply monomial_ext. intros i Hi. rewrite firstn_length in Hi. unfold joined. destruct (Nat.ltb_spec i n); [auto|lia]. }
    assert (F3 : monomial_at (fun i => joined n x (fun j => at_point z (nth j forms []) / W) (n + i)%nat) es =
      monomial_at (fun j => at_point z (nth j forms []) / W) es).
    { apply monomial_ext. intros i _. unfold joined. destruct (Nat.ltb_spec (n + i) n); [lia|].
      replace (n + i - n)%nat with i by lia. reflexivity. }
    rewrite F, F2, F3. rewrite <- (monomial_scaled es (fun j => at_point z (nth j forms [])) W Nz).
    replace (W ^ g) with (W ^ degree_of es * W ^ (g - degree_of es)) by (rewrite <- pow_add; f_equal; lia). ring.
Qed.

(* A proof for each exponent of the weights: the coefficient is a sum of products of hypotheses. *)
Fixpoint leaf_total (N : nat) (hs : list polynomial) (proofs : list (monomial * list handelman_term)) : option polynomial :=
  match proofs with
  | [] => Some []
  | (m, ts) :: proofs =>
    bind (handelman_sum n hs ts) (fun h =>
      if short_enough n h then
        bind (leaf_total N hs proofs) (fun rest => Some (padd (pterm (repeat O n ++ m) 1 (padded (N - n) h)) rest))
      else None)
  end.
Lemma weight_monomial x c m : monomial_at (joined n x c) (repeat O n ++ m) = monomial_at c m.
Proof.
  rewrite monomial_app, monomial_repeat, Rmult_1_l, repeat_length. apply monomial_ext. intros i _. unfold joined.
  destruct (Nat.ltb_spec (n + i) n); [lia|]. f_equal. lia.
Qed.
Lemma monomial_nonneg c m : (forall i, 0 <= c i) -> 0 <= monomial_at c m.
Proof.
  revert c. induction m as [|e m IH]; intros c H; cbn [monomial_at]; [lra|]. apply Rmult_le_pos; [apply pow_le; auto|apply IH; auto].
Qed.

Lemma leaf_total_ok N hyps hs x c : expand_all n (map snd hyps) = Some hs -> meets_all hyps x -> (forall i, 0 <= c i) ->
  forall proofs q, leaf_total N hs proofs = Some q -> 0 <= at_point (joined n x c) q /\
  forall m ts, In (m, ts) proofs -> existsb (strict_term hyps) ts = true -> 0 < monomial_at c m -> 0 < at_point (joined n x c) q.
Proof.
  intros E M C. induction proofs as [|[m ts] proofs IH]; intros q H; cbn [leaf_total] in H.
  - inversion H. cbn. split; [lra|]. intros m ts [].
  - split_bind H. destruct (short_enough n p) eqn:Sh; [|discriminate]. split_bind H. inversion H; subst q.
    destruct (IH _ eq_refl) as [I1 I2]. destruct (handelman_sum_ok n hyps hs x E M ts p E0) as [P1 P2].
    rewrite padd_ok, pterm_ok, one_R, Rmult_1_l, weight_monomial, (padded_ok n _ _ x c Sh).
    pose proof (monomial_nonneg c m C) as Cm. assert (0 <= monomial_at c m * at_point x p) by (apply Rmult_le_pos; auto). split; [lra|].
    intros m' ts' [I|I] T G.
    + inversion I; subst. assert (0 < monomial_at c m' * at_point x p) by (apply Rmult_lt_0_compat; auto). lra.
    + specialize (I2 m' ts' I T G). lra.
Qed.

(* All exponents of k weights of degree g, in descending order; g times the weight i. *)
Fixpoint compositions (k g : nat) : list monomial :=
  match k with
  | O => match g with O => [[]] | S _ => [] end
  | S k => flat_map (fun a => map (cons a) (compositions k (g - a))) (rev (seq 0 (S g)))
  end.
Definition composition_count (k g : nat) : Z :=
  fold_left (fun count i => Z.div (count * (Z.of_nat g + Z.of_nat i)) (Z.of_nat i)) (seq 1 (k - 1)) 1%Z.
Definition corner_exponent (k g i : nat) : monomial := map (fun h => if Nat.eqb h i then g else O) (seq 0 k).
Lemma corner_monomial k g i : forall a c, (a <= i < a + k)%nat ->
  monomial_at c (map (fun h => if Nat.eqb h i then g else O) (seq a k)) = c (i - a)%nat ^ g.
Proof.
  induction k as [|k IH]; intros a c H; [lia|]. cbn [seq map monomial_at]. destruct (Nat.eqb_spec a i) as [->|N].
  - rewrite Nat.sub_diag. assert (Z : forall l a c, (i < a)%nat -> monomial_at c (map (fun h => if Nat.eqb h i then g else O) (seq a l)) = 1).
    { clear. induction l; intros a c H; cbn [seq map monomial_at]; auto. destruct (Nat.eqb_spec a i); [lia|]. rewrite IHl by lia. cbn. ring. }
    rewrite Z by lia. ring.
  - rewrite (IH (S a) (fun i => c (S i))) by lia. cbn [pow]. rewrite Rmult_1_l. f_equal. f_equal. lia.
Qed.

Definition coefficient (m : monomial) (p : polynomial) : Q :=
  match find (fun t => match compare_monomials (fst t) m with Eq => true | _ => false end) p with Some t => snd t | None => 0%Q end.
Definition own_proof (m : monomial) (p : polynomial) : list handelman_term :=
  let q := coefficient m p in if Qeq_bool q 0 then [] else [(q, [])].
Definition same_monomial (a b : monomial) : bool := match compare_monomials a b with Eq => true | _ => false end.

Definition check_leaf (hyps : list (bool * expression)) (hs : list polynomial) (strict : bool) (g : nat) (p : polynomial) (V : simplex)
    (proofs : option (list (list handelman_term))) : bool :=
  let k := length V in let N := (n + k)%nat in
  if (Z.leb (composition_count k g) 262144 && all_short V)%bool then
    match homogenised N g (form_from N 0 V 0) (map (fun j => form_from N 0 V (S j)) (seq 0 (k - 1))) p with
    | Some q =>
      let ms := compositions k g in
      let own := map (fun m => own_proof m q) ms in
      match (match proofs with Some ps => if Nat.eqb n 0 then None else Some ps | None => if Nat.eqb n 0 then Some own else None end) with
      | Some ps =>
        let all := combine ms ps in
        match leaf_total N hs all with
        | Some r =>
          (Nat.eqb (length ps) (length ms) && same_polynomial q r
           && (negb strict ||
               forallb (fun i => existsb (fun t => same_monomial (fst t) (corner_exponent k g i) && existsb (strict_term hyps) (snd t)) all)
                 (seq 0 k)))%bool
        | None => false
        end
      | None => false
      end
    | None => false
    end
  else false.

Lemma some_positive k c f : (forall i, (i < k)%nat -> 0 <= c i) -> 0 < sum k (fun i => c i * f i) -> exists i, (i < k)%nat /\ 0 < c i.
Proof.
  induction k as [|k IH]; intros C H; cbn [sum] in H; [lra|]. destruct (Rlt_le_dec 0 (c k)); [exists k; split; [lia|auto]|].
  assert (Z : c k = 0) by (apply Rle_antisym; auto). rewrite Z in H. destruct IH as [i [L P]]; [intros; apply C; lia|lra|].
  exists i. split; [lia|auto].
Qed.

(* What holds on a simplex: the value at all its points. *)
Definition holds_on (strict : bool) (p : polynomial) (x : nat -> R) (V : simplex) : Prop :=
  forall c, (forall i, (i < length V)%nat -> 0 <= c i) -> 0 < lin x c V 0 ->
  above_zero strict (at_point (joined n x (fun j => lin x c V (S j) / lin x c V 0)) p).

Lemma at_point_ext m p x y : short_enough m p = true -> (forall i, (i < m)%nat -> x i = y i) -> at_point x p = at_point y p.
Proof.
  intros H E. induction p as [|[a c] p IH]; cbn [at_point]; auto. unfold short_enough in H. cbn [forallb fst] in H.
  apply both in H as [L H]. apply Nat.leb_le in L. rewrite (IH H). f_equal. f_equal. apply monomial_ext. intros i Hi. apply E. lia.
Qed.
Lemma seq_map_nth {A} (f : nat -> A) m d j : (j < m)%nat -> nth j (map f (seq 0 m)) d = f j.
Proof. apply map_seq_nth. Qed.

Lemma leaf_ok hyps hs strict g p V proofs x : expand_all n (map snd hyps) = Some hs -> meets_all hyps x ->
  check_leaf hyps hs strict g p V proofs = true -> short_enough (n + (length V - 1)) p = true -> holds_on strict p x V.
Proof.
  intros E M H Sp c C P. unfold check_leaf in H. set (k := length V) in *. set (N := (n + k)%nat) in *.
  destruct (Z.leb _ _ && all_short V)%bool eqn:G; [|discriminate]. apply both in G as [_ Sh].
  set (w := form_from N 0 V 0) in *. set (forms := map (fun j => form_from N 0 V (S j)) (seq 0 (k - 1))) in *.
  destruct (homogenised N g w forms p) as [q|] eqn:Hq; [|discriminate].
  set (all := compositions k g) in *.
  destruct (match proofs with Some ps => if Nat.eqb n 0 then None else Some ps | None => _ end) as [ps|]; [|discriminate].
  destruct (leaf_total N hs (combine all ps)) as [r|] eqn:Hr; [|discriminate].
  apply both in H as [[_ Same]%both Strict].
  set (c' := fun i => if Nat.ltb i k then c i else 0). set (z := joined n x c').
  assert (C' : forall i, 0 <= c' i) by (intros i; unfold c'; destruct (Nat.ltb_spec i k); [auto|lra]).
  assert (F : forall j, at_point z (form_from N 0 V j) = lin x c V j).
  { intros j. unfold z. rewrite form_ok by (auto; unfold N, k; lia). unfold lin. fold k. apply sum_ext. intros h Hh. unfold c'.
    cbn [plus]. destruct (Nat.ltb_spec h k); [reflexivity|lia]. }
  assert (W : at_point z w = lin x c V 0) by apply F.
  assert (Nz : at_point z w <> 0) by lra.
  pose proof (homogenised_ok N g w forms x c' p q Hq Nz) as Val. fold z in Val. rewrite W in Val.
  assert (Ex : at_point (joined n x (fun j => at_point z (nth j forms []) / lin x c V 0)) p =
    at_point (joined n x (fun j => lin x c V (S j) / lin x c V 0)) p).
  { apply (at_point_ext (n + (k - 1))); auto. intros i Hi. unfold joined. destruct (Nat.ltb_spec i n); auto.
    unfold forms. rewrite seq_map_nth by lia. rewrite F. reflexivity. }
  rewrite Ex in Val. set (v := at_point (joined n x (fun j => lin x c V (S j) / lin x c V 0)) p) in *.
  pose proof (pow_lt (lin x c V 0) g P) as PW.
  destruct (leaf_total_ok N hyps hs x c' E M C' (combine all ps) r Hr) as [R1 R2]. fold z in R1, R2.
  apply (same_polynomial_ok _ _ z) in Same. rewrite <- Same, Val in R1, R2.
  assert (v0 : 0 <= v) by (apply (Rmult_le_reg_l (lin x c V 0 ^ g)); lra).
  destruct strict; cbn [above_zero negb orb] in *; [|exact v0].
  destruct (some_positive k c (fun i => at_point x (nth 0 (nth i V []) [])) C P) as [i [Li Pi]].
  pose proof (forallb_seq _ _ Strict i Li) as Ci. cbn beta in Ci. apply existsb_exists in Ci. destruct Ci as [[m ts] [I T]].
  cbn [fst snd] in T. apply both in T as [T1 T2]. unfold same_monomial in T1. destruct (compare_monomials m _) eqn:Cm; try discriminate.
  apply compare_monomials_eq in Cm. subst m.
  assert (Pm : 0 < monomial_at c' (corner_exponent k g i)).
  { unfold corner_exponent. rewrite corner_monomial by lia. rewrite Nat.sub_0_r. apply pow_lt. unfold c'.
    destruct (Nat.ltb_spec i k); [auto|lia]. }
  specialize (R2 _ ts I T2 Pm). apply (Rmult_lt_reg_l (lin x c V 0 ^ g)); lra.
Qed.

(* A tree of cuts. *)
Inductive cells := CutEdge (i j : nat) (a b : Q) (first second : cells) | WholeCell (proofs : option (list (list handelman_term))).
Fixpoint check_cells (hyps : list (bool * expression)) (hs : list polynomial) (strict : bool) (g : nat) (p : polynomial) (V : simplex) (t : cells)
    : bool :=
  match t with
  | CutEdge i j a b first second =>
    let u := mixed a b (nth i V []) (nth j V []) in
    (Nat.ltb i j && Nat.ltb j (length V) && qlt 0 a && qlt 0 b
     && check_cells hyps hs strict g p (replace j u V) first && check_cells hyps hs strict g p (replace i u V) second)%bool
  | WholeCell proofs => check_leaf hyps hs strict g p V proofs
  end.
Lemma cells_ok hyps hs strict g p x : expand_all n (map snd hyps) = Some hs -> meets_all hyps x -> forall t V,
  check_cells hyps hs strict g p V t = true -> short_enough (n + (length V - 1)) p = true -> holds_on strict p x V.
Proof.
  intros E M. induction t as [i j a b t1 IH1 t2 IH2|proofs]; intros V H Sp; cbn [check_cells] in H; [|eapply leaf_ok; eauto].
  apply both in H as [[[[[I J]%both A]%both B]%both H1]%both H2]. apply Nat.ltb_lt in I, J. apply qlt_R in A, B. rewrite zero_R in A, B.
  set (u := mixed a b (nth i V []) (nth j V [])) in *.
  assert (U : forall k, at_point x (nth k u []) = Q2R a * at_point x (nth k (nth i V []) []) + Q2R b * at_point x (nth k (nth j V []) []))
    by (intros k; apply mixed_ok).
  apply IH1 in H1; [|rewrite replace_length; auto]. apply IH2 in H2; [|rewrite replace_length; auto].
  assert (I' : (i < length V)%nat) by (apply Nat.lt_trans with j; auto).
  assert (N1 : i <> j) by (intros X; rewrite X in I; apply (Nat.lt_irrefl j I)).
  intros c C P. destruct (Rle_lt_dec (Q2R a * c j) (Q2R b * c i)) as [L|L].
  - destruct (cut_ok x c V i j (Q2R a) (Q2R b) u I' J N1 A B C L U) as [d [D F]].
    specialize (H1 d). rewrite replace_length in H1. specialize (H1 D). rewrite F in H1. specialize (H1 P).
    assert (X : at_point (joined n x (fun j0 => lin x d (replace j u V) (S j0) / lin x c V 0)) p =
      at_point (joined n x (fun j0 => lin x c V (S j0) / lin x c V 0)) p).
    { apply (at_point_ext (n + (length V - 1))); auto. intros h _. unfold joined. rewrite F. reflexivity. }
    rewrite X in H1. exact H1.
  - assert (U' : forall k, at_point x (nth k u []) = Q2R b * at_point x (nth k (nth j V []) []) + Q2R a * at_point x (nth k (nth i V []) []))
      by (intros k; rewrite U; ring).
    destruct (cut_ok x c V j i (Q2R b) (Q2R a) u J I' (not_eq_sym N1) B A C (Rlt_le _ _ L) U') as [d [D F]].
    specialize (H2 d). rewrite replace_length in H2. specialize (H2 D). rewrite F in H2. specialize (H2 P).
    assert (X : at_point (joined n x (fun j0 => lin x d (replace i u V) (S j0) / lin x c V 0)) p =
      at_point (joined n x (fun j0 => lin x c V (S j0) / lin x c V 0)) p).
    { apply (at_point_ext (n + (length V - 1))); auto. intros h _. unfold joined. rewrite F. reflexivity. }
    rewrite X in H2. exact H2.
Qed.

(* The whole check; v: the number of variables. *)
Fixpoint expand_simplex (s : list (list expression)) : option simplex :=
  match s with [] => Some [] | u :: s => bind (expand_all n u) (fun p => bind (expand_simplex s) (fun V => Some (p :: V))) end.
Definition in_variables (p : polynomial) : nat := fold_right (fun t d => Nat.max (degree_of (skipn n (fst t))) d) O p.
Fixpoint check_domain (v : nat) (hyps : list (bool * expression)) (hs : list polynomial) (strict : bool) (g : nat) (p : polynomial)
    (simplices : list (list (list expression))) (trees : list cells) : bool :=
  match simplices, trees with
  | [], [] => true
  | s :: simplices, t :: trees =>
    match expand_simplex s with
    | Some V => (Nat.eqb (length V) (S v) && forallb (fun u => Nat.eqb (length u) (S v)) s && check_cells hyps hs strict g p V t
                 && check_domain v hyps hs strict g p simplices trees)%bool
    | None => false
    end
  | _, _ => false
  end.
Definition has_point (y : list Q) (s : list (list expression)) : bool :=
  let weights := map (fun u => qvalue_of y (nth 0 u (NumberOf 0))) s in
  (forallb (fun w => match w with Some q => Qle_bool 0 q | None => false end) weights
   && existsb (fun w => match w with Some q => qlt 0 q | None => false end) weights)%bool.
Definition check_bernstein (v : nat) (hyps : list (bool * expression)) (simplices : list (list (list expression))) (strict : bool)
    (e : expression) (trees : list cells) (point : option (list Q)) : bool :=
  match expand_all n (map snd hyps), expand (n + v) e with
  | Some hs, Some p =>
    (Nat.ltb 0 v && short_enough (n + v) p && check_domain v hyps hs strict (in_variables p) p simplices trees
     && match point with
        | None => true
        | Some y => Nat.eqb (length y) n && forallb (sign_holds y) hyps && existsb (has_point y) simplices
        end)%bool
  | _, _ => false
  end.

Lemma expand_all_value x es : forall ps j, expand_all n es = Some ps -> (j < length es)%nat ->
  at_point x (nth j ps []) = value_of x (nth j es (NumberOf 0)).
Proof.
  induction es as [|e es IH]; intros ps j H L; cbn [expand_all] in H; [cbn in L; lia|]. split_bind H. inversion H; subst.
  destruct j as [|j]; cbn [nth]; [apply (expand_ok n e _ x E)|]. apply IH; auto. cbn in L. lia.
Qed.
Lemma expand_simplex_nth s : forall V i, expand_simplex s = Some V -> (i < length s)%nat -> expand_all n (nth i s []) = Some (nth i V []).
Proof.
  induction s as [|u s IH]; intros V i H L; cbn [expand_simplex] in H; [cbn in L; lia|]. split_bind H. inversion H; subst.
  destruct i; cbn [nth]; auto. apply IH; auto. cbn in L. lia.
Qed.
Lemma expand_simplex_length s : forall V, expand_simplex s = Some V -> length V = length s.
Proof.
  induction s as [|u s IH]; intros V H; cbn [expand_simplex] in H; [inversion H; auto|]. split_bind H. inversion H; subst. cbn.
  rewrite (IH _ eq_refl). reflexivity.
Qed.

Lemma domain_ok v hyps hs strict g p x : expand_all n (map snd hyps) = Some hs -> meets_all hyps x -> short_enough (n + v) p = true ->
  forall simplices trees s, check_domain v hyps hs strict g p simplices trees = true -> In s simplices ->
  exists V, expand_simplex s = Some V /\ length V = S v /\ forallb (fun u => Nat.eqb (length u) (S v)) s = true /\ holds_on strict p x V.
Proof.
  intros E M Sp. induction simplices as [|s0 simplices IH]; intros [|t trees] s H I; cbn [check_domain] in H; try discriminate; [destruct I|].
  destruct (expand_simplex s0) as [V|] eqn:EV; [|discriminate]. apply both in H as [[[L F]%both T]%both H]. apply Nat.eqb_eq in L.
  destruct I as [<-|I]; [|eapply IH; eauto]. exists V. split; [auto|]. split; [auto|]. split; [auto|]. eapply cells_ok; eauto. rewrite L.
  replace (n + (S v - 1))%nat with (n + v)%nat by lia. exact Sp.
Qed.

Theorem check_bernstein_ok v hyps simplices strict e trees point : check_bernstein v hyps simplices strict e trees point = true ->
  true_claim (OnSimplices n hyps simplices strict e point).
Proof.
  unfold check_bernstein. intros H. destruct (expand_all n (map snd hyps)) as [hs|] eqn:EH; [|discriminate].
  destruct (expand (n + v) e) as [p|] eqn:EE; [|discriminate]. apply both in H as [[[_ Sp]%both D]%both P]. split.
  - intros x c s M I C W. destruct (domain_ok v hyps hs strict _ p x EH M Sp simplices trees s D I) as [V [EV [LV [F H]]]].
    pose proof (expand_simplex_length s V EV) as LS.
    assert (X : forall j, (j < S v)%nat -> lin x c V j = weighted x c s j).
    { intros j Hj. unfold lin, weighted. rewrite LS. apply sum_ext. intros i Hi. f_equal. unfold vertex_at.
      pose proof (forallb_nth _ _ [] F i Hi) as Li. apply Nat.eqb_eq in Li.
      apply expand_all_value; [apply expand_simplex_nth; auto|lia]. }
    specialize (H c). rewrite LS in H. specialize (H C). rewrite (X O) in H by lia. specialize (H W).
    rewrite <- (expand_ok (n + v) e p _ EE).
    rewrite (at_point_ext (n + v) p _ (joined n x (fun j => lin x c V (S j) / weighted x c s 0))); auto.
    intros i Hi. unfold joined. destruct (Nat.ltb_spec i n); auto. rewrite X by lia. reflexivity.
  - destruct point as [y|]; auto. apply both in P as [[_ P]%both Q]. split; [apply sign_holds_ok; auto|].
    apply existsb_exists in Q. destruct Q as [s [I Q]]. exists s. split; [exact I|]. unfold has_point in Q. apply both in Q as [Q1 Q2]. split.
    + intros i Hi. rewrite forallb_forall in Q1. unfold vertex_at.
      specialize (Q1 (qvalue_of y (nth 0 (nth i s []) (NumberOf 0))) (in_map _ _ _ (nth_In s [] Hi))). cbn beta in Q1.
      destruct (qvalue_of y _) as [q|] eqn:Eq; [|discriminate]. apply qvalue_of_ok in Eq. destruct Eq as [_ <-]. rewrite <- zero_R. apply qle_R. exact Q1.
    + apply existsb_exists in Q2. destruct Q2 as [w [Iw Pw]]. apply in_map_iff in Iw. destruct Iw as [u [<- Iu]].
      apply (In_nth _ _ []) in Iu. destruct Iu as [i [Hi <-]]. exists i. split; [exact Hi|]. unfold vertex_at.
      destruct (qvalue_of y _) as [q|] eqn:Eq; [|discriminate]. apply qvalue_of_ok in Eq. destruct Eq as [_ <-]. rewrite <- zero_R. apply qlt_R. exact Pw.
Qed.
End Leaf.
