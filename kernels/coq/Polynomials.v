(* The statement polynomial: polynomials as lists of terms, identities, sums of products of hypotheses. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers.
Import ListNotations.
Local Open Scope R_scope.

(* A monomial has the exponents of all variables; a polynomial is a list of terms in descending order, none of them 0.
   The order is not used in a proof: a list out of order is a polynomial too. *)
Definition monomial := list nat.
Definition polynomial := list (monomial * Q).
Fixpoint monomial_at (x : nat -> R) (m : monomial) : R :=
  match m with [] => 1 | e :: m => x O ^ e * monomial_at (fun i => x (S i)) m end.
Fixpoint at_point (x : nat -> R) (p : polynomial) : R :=
  match p with [] => 0 | (m, c) :: p => Q2R c * monomial_at x m + at_point x p end.

Fixpoint multiply_monomials (a b : monomial) : monomial :=
  match a, b with [], b => b | a, [] => a | e :: a, f :: b => (e + f)%nat :: multiply_monomials a b end.
Lemma multiply_monomials_ok a : forall b x, monomial_at x (multiply_monomials a b) = monomial_at x a * monomial_at x b.
Proof.
  induction a as [|e a IH]; intros [|f b] x; cbn; try ring. rewrite pow_add, IH. ring.
Qed.

Fixpoint padd (a : polynomial) : polynomial -> polynomial :=
  fix inner (b : polynomial) : polynomial :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | (m, c) :: a', (n, d) :: b' =>
    match compare_lists Nat.compare m n with
    | Gt => (m, c) :: padd a' b
    | Lt => (n, d) :: inner b'
    | Eq => let s := qadd c d in if Qeq_bool s 0 then padd a' b' else (m, s) :: padd a' b'
    end
  end.
Lemma padd_ok a : forall b x, at_point x (padd a b) = at_point x a + at_point x b.
Proof.
  induction a as [|[m c] a IH]; intros b x; [destruct b; cbn; ring|].
  induction b as [|[n d] b IHb]; [cbn; ring|]. cbn [padd]. destruct (compare_lists Nat.compare m n) eqn:E.
  - apply (compare_lists_eq _ Nat.compare_eq) in E. subst n. cbv zeta. pose proof (qadd_R c d) as S.
    destruct (Qeq_bool (qadd c d) 0) eqn:Z; cbn [at_point]; rewrite IH.
    + apply qeq_R in Z. rewrite zero_R, S in Z. replace (Q2R d) with (- Q2R c) by lra. ring.
    + rewrite S. ring.
  - transitivity (Q2R d * monomial_at x n + at_point x (padd ((m, c) :: a) b)); [reflexivity|].
    rewrite IHb. cbn [at_point]. ring.
  - cbn [at_point]. rewrite IH. cbn [at_point]. ring.
Qed.

Definition pscale (c : Q) (p : polynomial) : polynomial := map (fun t => (fst t, qmul c (snd t))) p.
Lemma pscale_ok c p x : at_point x (pscale c p) = Q2R c * at_point x p.
Proof. induction p as [|[m d] p IH]; cbn [pscale map at_point fst snd]; [cbn; ring|]. unfold pscale in IH. rewrite IH, qmul_R. ring. Qed.
Definition pnegative (p : polynomial) : polynomial := map (fun t => (fst t, Qopp (snd t))) p.
Lemma pnegative_ok p x : at_point x (pnegative p) = - at_point x p.
Proof. induction p as [|[m d] p IH]; cbn [pnegative map at_point fst snd]; [cbn; ring|]. unfold pnegative in IH. rewrite IH, Q2R_opp. ring. Qed.
Definition pterm (m : monomial) (c : Q) (p : polynomial) : polynomial :=
  map (fun t => (multiply_monomials m (fst t), qmul c (snd t))) p.
Lemma pterm_ok m c p x : at_point x (pterm m c p) = Q2R c * monomial_at x m * at_point x p.
Proof. induction p as [|[n d] p IH]; cbn [pterm map at_point fst snd]; [cbn; ring|]. unfold pterm in IH. rewrite IH, qmul_R, multiply_monomials_ok. ring. Qed.
Fixpoint pmul (a b : polynomial) : polynomial :=
  match a with [] => [] | (m, c) :: a => padd (pterm m c b) (pmul a b) end.
Lemma pmul_ok a b x : at_point x (pmul a b) = at_point x a * at_point x b.
Proof. induction a as [|[m c] a IH]; cbn; [ring|]. rewrite padd_ok, pterm_ok, IH. ring. Qed.

(* Limits: terms and degree. What is beyond is not expanded. *)
Definition max_degree : nat := 1024.
Definition max_products : Z := 262144.
Definition degree (p : polynomial) : nat := fold_right (fun t d => Nat.max (fold_right Nat.add O (fst t)) d) O p.
Definition product (a b : polynomial) : option polynomial :=
  if (Z.leb (Z.mul (Z.of_nat (length a)) (Z.of_nat (length b))) max_products && Nat.leb (degree a + degree b) max_degree)%bool
  then Some (if Nat.leb (length a) (length b) then pmul a b else pmul b a) else None.
Lemma product_ok a b c x : product a b = Some c -> at_point x c = at_point x a * at_point x b.
Proof.
  unfold product. destruct (_ && _)%bool; [|discriminate]. intros H. inversion H.
  destruct (Nat.leb (length a) (length b)); rewrite pmul_ok; ring.
Qed.
Definition bind {A B} (a : option A) (f : A -> option B) : option B := match a with Some x => f x | None => None end.

Ltac split_bind H :=
  repeat match type of H with
  | bind ?a _ = Some _ => let E := fresh "E" in destruct a eqn:E; cbn [bind] in H; [|discriminate]
  end.

Section Expand.
Context (n : nat).                           (* the number of variables *)
Definition pconstant (c : Q) : polynomial := if Qeq_bool c 0 then [] else [(repeat O n, c)].
Definition pvariable (i : nat) : polynomial := [(map (fun j => if Nat.eqb j i then 1%nat else O) (seq 0 n), 1%Q)].

Lemma monomial_zero m x : monomial_at x (repeat O m) = 1.
Proof. revert x. induction m; intros x; cbn; [auto|]. rewrite IHm. ring. Qed.
Lemma pconstant_ok c x : at_point x (pconstant c) = Q2R c.
Proof.
  unfold pconstant. destruct (Qeq_bool c 0) eqn:E; cbn.
  - apply qeq_R in E. rewrite E, zero_R. auto.
  - rewrite monomial_zero. ring.
Qed.
Lemma pvariable_ok i x : (i < n)%nat -> at_point x (pvariable i) = x i.
Proof.
  intros H. unfold pvariable. cbn [at_point]. rewrite one_R.
  assert (G : forall l a x, monomial_at x (map (fun j => if Nat.eqb j i then 1%nat else O) (seq a l)) =
              if (Nat.leb a i && Nat.ltb i (a + l))%bool then x (i - a)%nat else 1).
  { induction l; intros a y; cbn [seq map monomial_at].
    - destruct (Nat.leb_spec a i); destruct (Nat.ltb_spec i (a + 0)); cbn; auto; lia.
    - rewrite IHl. destruct (Nat.eqb_spec a i).
      + subst. destruct (Nat.leb_spec (S i) i); [lia|]. destruct (Nat.leb_spec i i); [|lia].
        destruct (Nat.ltb_spec i (i + S l)); [|lia]. cbn. rewrite Nat.sub_diag. ring.
      + cbn [pow]. destruct (Nat.leb_spec (S a) i); destruct (Nat.ltb_spec i (S a + l));
          destruct (Nat.leb_spec a i); destruct (Nat.ltb_spec i (a + S l)); cbn; try lia; try ring.
        replace (i - a)%nat with (S (i - S a)) by lia. ring. }
  rewrite G. destruct (Nat.leb_spec 0 i); [|lia]. destruct (Nat.ltb_spec i (0 + n)); [|lia]. cbn.
  rewrite Nat.sub_0_r. ring.
Qed.

Fixpoint ppower (p : polynomial) (t : nat) : option polynomial :=
  match t with O => Some (pconstant 1) | S t => bind (ppower p t) (fun q => product p q) end.
Lemma ppower_ok p t x : forall q, ppower p t = Some q -> at_point x q = at_point x p ^ t.
Proof.
  induction t; cbn [ppower]; intros q H.
  - inversion H. rewrite pconstant_ok, one_R. reflexivity.
  - destruct (ppower p t) as [r|]; cbn [bind] in H; [|discriminate]. apply (product_ok _ _ _ x) in H. rewrite H, (IHt r eq_refl).
    reflexivity.
Qed.

Fixpoint same_polynomial (a b : polynomial) : bool :=
  match a, b with
  | [], [] => true
  | (m, c) :: a, (n, d) :: b =>
    (match compare_lists Nat.compare m n with Eq => true | _ => false end && Qeq_bool c d && same_polynomial a b)%bool
  | _, _ => false
  end.
Lemma same_polynomial_ok a : forall b x, same_polynomial a b = true -> at_point x a = at_point x b.
Proof.
  induction a as [|[m c] a IH]; intros [|[m' d] b] x H; cbn [same_polynomial] in H; try discriminate; auto.
  apply both in H as [[E C]%both H]. destruct (compare_lists Nat.compare m m') eqn:F; try discriminate.
  apply (compare_lists_eq _ Nat.compare_eq) in F. subst. apply qeq_R in C. cbn. rewrite C, (IH b x H). reflexivity.
Qed.

(* The pair of an expression: numerator and denominator, nothing cancelled (part A of FORMAT). *)
Fixpoint pair_of (e : expression) : option (polynomial * polynomial) :=
  match e with
  | NumberOf c => Some (pconstant c, pconstant 1)
  | VariableOf i => if Nat.ltb i n then Some (pvariable i, pconstant 1) else None
  | SumOf a b =>
    bind (pair_of a) (fun '(n, d) => bind (pair_of b) (fun '(m, f) =>
      if same_polynomial d f then Some (padd n m, d)
      else bind (product n f) (fun x => bind (product m d) (fun y => bind (product d f) (fun z => Some (padd x y, z))))))
  | ProductOf a b =>
    bind (pair_of a) (fun '(n, d) => bind (pair_of b) (fun '(m, f) =>
      bind (product n m) (fun x => bind (product d f) (fun z => Some (x, z)))))
  | Negative a => bind (pair_of a) (fun '(n, d) => Some (pnegative n, d))
  | PowerOf a t =>
    bind (pair_of a) (fun '(n, d) => bind (ppower n t) (fun x => bind (ppower d t) (fun z => Some (x, z))))
  | QuotientOf a b =>
    bind (pair_of a) (fun '(n, d) => bind (pair_of b) (fun '(m, f) =>
      match m with [] => None | _ => bind (product n f) (fun x => bind (product d m) (fun z => Some (x, z))) end))
  end.

Lemma pair_of_ok e : forall a b x, pair_of e = Some (a, b) -> defined x e ->
  at_point x b <> 0 /\ at_point x a = value_of x e * at_point x b.
Proof.
  induction e; intros a b x H D; cbn [pair_of value_of defined] in *.
  - inversion H. rewrite !pconstant_ok, one_R. split; [lra|ring].
  - destruct (Nat.ltb_spec i n); [|discriminate]. inversion H. rewrite pvariable_ok, pconstant_ok, one_R by auto. split; [lra|ring].
  - destruct D as [D1 D2]. split_bind H. destruct p as [n1 d1]. split_bind H. destruct p as [n2 d2].
    destruct (IHe1 _ _ x eq_refl D1) as [N1 V1]. destruct (IHe2 _ _ x eq_refl D2) as [N2 V2].
    destruct (same_polynomial d1 d2) eqn:S.
    + inversion H; subst. apply (same_polynomial_ok _ _ x) in S. split; auto. rewrite padd_ok, V1, V2, <- S. ring.
    + split_bind H. inversion H; subst. apply (product_ok _ _ _ x) in E1, E2, E3.
      rewrite padd_ok, E1, E2, E3, V1, V2. split; [apply Rmult_integral_contrapositive; auto|ring].
  - destruct D as [D1 D2]. split_bind H. destruct p as [n1 d1]. split_bind H. destruct p as [n2 d2].
    destruct (IHe1 _ _ x eq_refl D1) as [N1 V1]. destruct (IHe2 _ _ x eq_refl D2) as [N2 V2].
    split_bind H. inversion H; subst. apply (product_ok _ _ _ x) in E1, E2.
    rewrite E1, E2, V1, V2. split; [apply Rmult_integral_contrapositive; auto|ring].
  - split_bind H. destruct p as [n1 d1]. inversion H; subst. destruct (IHe _ _ x eq_refl D) as [N V].
    rewrite pnegative_ok, V. split; auto. ring.
  - split_bind H. destruct p as [n1 d1]. split_bind H. inversion H; subst. destruct (IHe _ _ x eq_refl D) as [N V].
    apply (ppower_ok _ _ x) in E0, E1. rewrite E0, E1, V. split; [apply pow_nonzero; auto|apply Rpow_mult_distr].
  - destruct D as [D1 [D2 D3]]. split_bind H. destruct p as [n1 d1]. split_bind H. destruct p as [n2 d2].
    destruct (IHe1 _ _ x eq_refl D1) as [N1 V1]. destruct (IHe2 _ _ x eq_refl D2) as [N2 V2].
    destruct n2 as [|t n2]; [discriminate|]. split_bind H. inversion H; subst. apply (product_ok _ _ _ x) in E1, E2.
    rewrite E1, E2, V1, V2. split.
    + repeat (apply Rmult_integral_contrapositive; split); auto.
    + field. auto.
Qed.

(* Polynomial expressions have no quotient. *)
Fixpoint expand (e : expression) : option polynomial :=
  match e with
  | NumberOf c => Some (pconstant c)
  | VariableOf i => if Nat.ltb i n then Some (pvariable i) else None
  | SumOf a b => bind (expand a) (fun p => bind (expand b) (fun q => Some (padd p q)))
  | ProductOf a b => bind (expand a) (fun p => bind (expand b) (fun q => product p q))
  | Negative a => bind (expand a) (fun p => Some (pnegative p))
  | PowerOf a t => bind (expand a) (fun p => ppower p t)
  | QuotientOf _ _ => None
  end.
Lemma expand_ok e : forall p x, expand e = Some p -> at_point x p = value_of x e.
Proof.
  induction e; intros q x H; cbn [expand value_of] in *.
  - inversion H. apply pconstant_ok.
  - destruct (Nat.ltb_spec i n); [|discriminate]. inversion H. apply pvariable_ok; auto.
  - split_bind H. inversion H. rewrite padd_ok, (IHe1 _ x eq_refl), (IHe2 _ x eq_refl). reflexivity.
  - split_bind H. apply (product_ok _ _ _ x) in H. rewrite H, (IHe1 _ x eq_refl), (IHe2 _ x eq_refl). reflexivity.
  - split_bind H. inversion H. rewrite pnegative_ok, (IHe _ x eq_refl). reflexivity.
  - split_bind H. apply (ppower_ok _ _ x) in H. rewrite H, (IHe _ x eq_refl). reflexivity.
  - discriminate.
Qed.

Fixpoint expand_all (es : list expression) : option (list polynomial) :=
  match es with [] => Some [] | e :: es => bind (expand e) (fun p => bind (expand_all es) (fun ps => Some (p :: ps))) end.

(* ---- Identities. ---- *)
Fixpoint combination (cs rs : list polynomial) : option polynomial :=
  match cs, rs with
  | [], [] => Some []
  | c :: cs, r :: rs => bind (product c r) (fun p => bind (combination cs rs) (fun q => Some (padd p q)))
  | _, _ => None
  end.
Lemma combination_ok x es : forall cs rs q, expand_all es = Some rs -> (forall r, In r es -> value_of x r = 0) ->
  combination cs rs = Some q -> at_point x q = 0.
Proof.
  induction es as [|e es IH]; intros cs rs q E Z H; cbn [expand_all] in E.
  - inversion E; subst. destruct cs; cbn in H; [inversion H; reflexivity|discriminate].
  - split_bind E. inversion E; subst. destruct cs as [|c cs]; cbn [combination] in H; [discriminate|]. split_bind H.
    inversion H; subst. rewrite padd_ok. apply (product_ok _ _ _ x) in E2. rewrite E2, (expand_ok e _ x E0), (Z e) by (left; auto).
    rewrite (IH cs l p1); auto; [ring|]. intros r I. apply Z. right; auto.
Qed.

(* The values at a rational point. *)
Fixpoint qpow (q : Q) (t : nat) : Q := match t with O => 1%Q | S t => qmul q (qpow q t) end.
Lemma qpow_R q t : Q2R (qpow q t) = Q2R q ^ t.
Proof. induction t; cbn [qpow pow]; [apply one_R|]. rewrite qmul_R, IHt. reflexivity. Qed.
Fixpoint qvalue_of (y : list Q) (e : expression) : option Q :=
  match e with
  | NumberOf c => Some c
  | VariableOf i => Some (nth i y 0%Q)
  | SumOf a b => bind (qvalue_of y a) (fun u => bind (qvalue_of y b) (fun v => Some (qadd u v)))
  | ProductOf a b => bind (qvalue_of y a) (fun u => bind (qvalue_of y b) (fun v => Some (qmul u v)))
  | Negative a => bind (qvalue_of y a) (fun u => Some (Qopp u))
  | PowerOf a t => bind (qvalue_of y a) (fun u => Some (qpow u t))
  | QuotientOf a b =>
    bind (qvalue_of y a) (fun u => bind (qvalue_of y b) (fun v => if Qeq_bool v 0 then None else Some (Qred (Qdiv u v))))
  end.
Lemma qvalue_of_ok y e : forall v, qvalue_of y e = Some v -> defined (vec y) e /\ Q2R v = value_of (vec y) e.
Proof.
  induction e; intros v H; cbn [qvalue_of value_of defined] in *.
  - inversion H. auto.
  - inversion H. auto.
  - split_bind H. inversion H. destruct (IHe1 _ eq_refl), (IHe2 _ eq_refl). rewrite qadd_R. split; auto. congruence.
  - split_bind H. inversion H. destruct (IHe1 _ eq_refl), (IHe2 _ eq_refl). rewrite qmul_R. split; auto. congruence.
  - split_bind H. inversion H. destruct (IHe _ eq_refl). rewrite Q2R_opp. split; auto. congruence.
  - split_bind H. inversion H. destruct (IHe _ eq_refl). rewrite qpow_R. split; auto. congruence.
  - split_bind H. destruct (IHe1 _ eq_refl), (IHe2 _ eq_refl). destruct (Qeq_bool q0 0) eqn:Z; [discriminate|].
    assert (V : v = Qred (Qdiv q q0)) by congruence. subst v.
    assert (N : ~ (q0 == 0)%Q) by (intros X; apply Qeq_bool_iff in X; congruence).
    rewrite Q2R_red, Q2R_div by auto. split; [|congruence]. split; auto. split; auto.
    intros X. apply N, eqR_Qeq. rewrite zero_R. congruence.
Qed.
Definition vanishes (y : list Q) (e : expression) : bool :=
  match qvalue_of y e with Some v => Qeq_bool v 0 | None => false end.
Definition is_defined (y : list Q) (e : expression) : bool := match qvalue_of y e with Some _ => true | None => false end.

Definition check_identity (rs : list expression) (left right : expression) (cs : list expression) (point : option (list Q)) : bool :=
  match pair_of left, pair_of right, expand_all rs, expand_all cs with
  | Some (n1, d1), Some (n2, d2), Some rs', Some cs' =>
    match product n1 d2, product n2 d1, combination cs' rs' with
    | Some a, Some b, Some c =>
      (same_polynomial (padd a (pnegative b)) c
       && match point with
          | None => true
          | Some y => Nat.eqb (length y) n && forallb (vanishes y) rs && is_defined y left && is_defined y right
          end)%bool
    | _, _, _ => false
    end
  | _, _, _, _ => false
  end.
Theorem check_identity_ok rs left right cs point : check_identity rs left right cs point = true ->
  true_claim (Identity rs left right point).
Proof.
  unfold check_identity. intros H. destruct (pair_of left) as [[n1 d1]|] eqn:L; [|discriminate].
  destruct (pair_of right) as [[n2 d2]|] eqn:R; [|discriminate]. destruct (expand_all rs) as [rs'|] eqn:ER; [|discriminate].
  destruct (expand_all cs) as [cs'|] eqn:EC; [|discriminate]. destruct (product n1 d2) as [a|] eqn:A; [|discriminate].
  destruct (product n2 d1) as [b|] eqn:B; [|discriminate]. destruct (combination cs' rs') as [c|] eqn:C; [|discriminate].
  apply both in H as [H P]. split.
  - intros x Z D1 D2. destruct (pair_of_ok _ _ _ x L D1) as [N1 V1]. destruct (pair_of_ok _ _ _ x R D2) as [N2 V2].
    apply (same_polynomial_ok _ _ x) in H. rewrite padd_ok, pnegative_ok in H.
    rewrite (combination_ok x rs cs' rs' c ER Z C) in H. apply (product_ok _ _ _ x) in A, B. rewrite A, B, V1, V2 in H.
    apply (Rmult_eq_reg_r (at_point x d1 * at_point x d2)); [lra|]. apply Rmult_integral_contrapositive; auto.
  - destruct point as [y|]; auto. apply both in P as [[[_ P]%both P1]%both P2]. split; [|split].
    + intros r I. rewrite forallb_forall in P. specialize (P r I). unfold vanishes in P.
      destruct (qvalue_of y r) as [v|] eqn:E; [|discriminate]. apply qvalue_of_ok in E. apply qeq_R in P. rewrite zero_R in P.
      destruct E as [_ E]. lra.
    + unfold is_defined in P1. destruct (qvalue_of y left) as [v|] eqn:E; [|discriminate]. apply (qvalue_of_ok y left v E).
    + unfold is_defined in P2. destruct (qvalue_of y right) as [v|] eqn:E; [|discriminate]. apply (qvalue_of_ok y right v E).
Qed.

(* ---- Handelman: a sum of products of hypotheses with positive coefficients. ---- *)
Definition handelman_term := (Q * list (nat * nat))%type.   (* coefficient; [hypothesis, exponent], ... *)
Fixpoint powers (hs : list polynomial) (fs : list (nat * nat)) : option polynomial :=
  match fs with
  | [] => Some (pconstant 1)
  | (i, t) :: fs =>
    match nth_error hs i with
    | Some h => bind (ppower h t) (fun p => bind (powers hs fs) (fun q => product p q))
    | None => None
    end
  end.
Fixpoint handelman_sum (hs : list polynomial) (ts : list handelman_term) : option polynomial :=
  match ts with
  | [] => Some []
  | (c, fs) :: ts => if qlt 0 c then bind (powers hs fs) (fun p => bind (handelman_sum hs ts) (fun q => Some (padd (pscale c p) q))) else None
  end.
(* Whether some term has only hypotheses that are positive. *)
Definition strict_term (hyps : list (bool * expression)) (t : handelman_term) : bool :=
  forallb (fun f => match nth_error hyps (fst f) with Some (s, _) => s | None => false end) (snd t).

Lemma expand_all_nth es : forall ps i p, expand_all es = Some ps -> nth_error ps i = Some p ->
  exists e, nth_error es i = Some e /\ expand e = Some p.
Proof.
  induction es as [|e es IH]; intros ps i p E H; cbn [expand_all] in E.
  - inversion E; subst. destruct i; discriminate.
  - split_bind E. inversion E; subst. destruct i; cbn in *; [inversion H; subst; eauto|]. eapply IH; eauto.
Qed.

Lemma powers_ok hyps hs x : expand_all (map snd hyps) = Some hs -> meets_all hyps x -> forall fs p, powers hs fs = Some p ->
  0 <= at_point x p /\
  (forallb (fun f : nat * nat => match nth_error hyps (fst f) with Some (s, _) => s | None => false end) fs = true -> 0 < at_point x p).
Proof.
  intros E M. induction fs as [|[i t] fs IH]; intros p H; cbn [powers] in H.
  - inversion H. rewrite pconstant_ok, one_R. split; intros; lra.
  - destruct (nth_error hs i) as [h|] eqn:N; [|discriminate]. split_bind H. apply (product_ok _ _ _ x) in H.
    apply (ppower_ok _ _ x) in E0. destruct (expand_all_nth _ _ _ _ E N) as [e [Ne Ee]]. apply (expand_ok e _ x) in Ee.
    rewrite nth_error_map in Ne. destruct (nth_error hyps i) as [[s e']|] eqn:Nh; [|discriminate]. cbn in Ne. inversion Ne; subst e'.
    pose proof (M s e (nth_error_In _ _ Nh)) as P. rewrite <- Ee in P. destruct (IH _ eq_refl) as [I1 I2]. rewrite H, E0.
    assert (G : 0 <= at_point x h) by (destruct s; unfold above_zero in P; lra). split.
    + apply Rmult_le_pos; auto. apply pow_le; auto.
    + intros F. cbn [forallb fst] in F. rewrite Nh in F. apply both in F as [F1 F2]. subst s. cbn in P.
      apply Rmult_lt_0_compat; auto. apply pow_lt; auto.
Qed.
Lemma handelman_sum_ok hyps hs x : expand_all (map snd hyps) = Some hs -> meets_all hyps x -> forall ts p,
  handelman_sum hs ts = Some p -> 0 <= at_point x p /\ (existsb (strict_term hyps) ts = true -> 0 < at_point x p).
Proof.
  intros E M. induction ts as [|[c fs] ts IH]; intros p H; cbn [handelman_sum] in H.
  - inversion H. cbn. split; [lra|discriminate].
  - destruct (qlt 0 c) eqn:C; [|discriminate]. split_bind H. inversion H; subst. apply qlt_R in C. rewrite zero_R in C.
    destruct (powers_ok hyps hs x E M fs _ E0) as [P1 P2]. destruct (IH _ eq_refl) as [I1 I2].
    rewrite padd_ok, pscale_ok. assert (0 <= Q2R c * at_point x p0) by (apply Rmult_le_pos; lra). split; [lra|].
    intros F. cbn [existsb] in F. apply orb_prop in F. destruct F as [F|F].
    + apply P2 in F. assert (0 < Q2R c * at_point x p0) by (apply Rmult_lt_0_compat; lra). lra.
    + apply I2 in F. lra.
Qed.

Definition sign_holds (y : list Q) (h : bool * expression) : bool :=
  match qvalue_of y (snd h) with Some v => if fst h then qlt 0 v else Qle_bool 0 v | None => false end.
Lemma sign_holds_ok y hyps : forallb (sign_holds y) hyps = true -> meets_all hyps (vec y).
Proof.
  intros H s e I. rewrite forallb_forall in H. specialize (H _ I). unfold sign_holds in H. cbn [fst snd] in H.
  destruct (qvalue_of y e) as [v|] eqn:E; [|discriminate]. apply qvalue_of_ok in E. destruct E as [_ E]. rewrite <- E.
  destruct s; cbn; [apply qlt_R in H|apply qle_R in H]; rewrite zero_R in H; auto.
Qed.

Definition check_handelman (hyps : list (bool * expression)) (strict : bool) (e : expression) (ts : list handelman_term)
    (point : option (list Q)) : bool :=
  match expand_all (map snd hyps), expand e with
  | Some hs, Some p =>
    match handelman_sum hs ts with
    | Some q =>
      (same_polynomial p q && (negb strict || existsb (strict_term hyps) ts)
       && match point with None => true | Some y => Nat.eqb (length y) n && forallb (sign_holds y) hyps end)%bool
    | None => false
    end
  | _, _ => false
  end.
Theorem check_handelman_ok hyps strict e ts point : check_handelman hyps strict e ts point = true ->
  true_claim (Inequality hyps strict e point).
Proof.
  unfold check_handelman. intros H. destruct (expand_all (map snd hyps)) as [hs|] eqn:EH; [|discriminate].
  destruct (expand e) as [p|] eqn:EE; [|discriminate]. destruct (handelman_sum hs ts) as [q|] eqn:ES; [|discriminate].
  apply both in H as [[S T]%both P]. split.
  - intros x M. destruct (handelman_sum_ok hyps hs x EH M ts q ES) as [Q1 Q2]. apply (same_polynomial_ok _ _ x) in S.
    rewrite (expand_ok e p x EE) in S. destruct strict; cbn in *; rewrite S; auto.
  - destruct point as [y|]; auto. apply both in P as [_ P]. apply sign_holds_ok, P.
Qed.
End Expand.
