(* The statement parity-bound for bounds that are rational functions of the prior: polynomials in one variable, their Bernstein coefficients,
   fractions. A list of rationals is the polynomial with these coefficients, from the constant on. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums.
From Kernel Require Import Statement Numbers Polynomials.
Import ListNotations.
Local Open Scope R_scope.

Fixpoint ev (l : list Q) (x : R) : R := match l with [] => 0 | a :: t => Q2R a + x * ev t x end.
Fixpoint qev (l : list Q) (x : Q) : Q := match l with [] => 0%Q | a :: t => qadd a (qmul x (qev t x)) end.
Lemma qev_R l x : Q2R (qev l x) = ev l (Q2R x).
Proof. induction l; cbn [qev ev]; [apply zero_R|]. rewrite qadd_R, qmul_R, IHl. reflexivity. Qed.

Definition front (a : Q) (t : list Q) : list Q := match t with [] => if Qeq_bool a 0 then [] else [a] | _ => a :: t end.
Lemma front_ok a t x : ev (front a t) x = Q2R a + x * ev t x.
Proof.
  destruct t; [|reflexivity]. unfold front. destruct (Qeq_bool a 0) eqn:E; [|reflexivity].
  apply qeq_R in E. rewrite E, zero_R. cbn. ring.
Qed.
Fixpoint cadd (a b : list Q) : list Q :=
  match a, b with [], _ => b | _, [] => a | x :: s, y :: t => front (qadd x y) (cadd s t) end.
Lemma cadd_ok a : forall b x, ev (cadd a b) x = ev a x + ev b x.
Proof.
  induction a as [|u s IH]; intros b x; [cbn; ring|]. destruct b as [|v t]; [cbn; ring|].
  cbn [cadd]. rewrite front_ok, qadd_R, IH. cbn [ev]. ring.
Qed.
Definition cscale (c : Q) (l : list Q) : list Q := if Qeq_bool c 0 then [] else map (qmul c) l.
Lemma cscale_ok c l x : ev (cscale c l) x = Q2R c * ev l x.
Proof.
  unfold cscale. destruct (Qeq_bool c 0) eqn:E.
  - apply qeq_R in E. rewrite E, zero_R. cbn. ring.
  - clear E. induction l; cbn [map ev]; [ring|]. rewrite qmul_R, IHl. ring.
Qed.
Fixpoint cmul (a b : list Q) : list Q :=
  match a with [] => [] | x :: s => cadd (cscale x b) (front 0 (cmul s b)) end.
Lemma cmul_ok a b x : ev (cmul a b) x = ev a x * ev b x.
Proof.
  induction a as [|u s IH]; cbn [cmul]; [cbn; ring|]. rewrite cadd_ok, cscale_ok, front_ok, IH, zero_R. cbn [ev]. ring.
Qed.
Definition cneg (l : list Q) : list Q := map Qopp l.
Lemma cneg_ok l x : ev (cneg l) x = - ev l x.
Proof. unfold cneg. induction l; cbn [map ev]; [ring|]. rewrite Q2R_opp, IHl. ring. Qed.
Fixpoint csame (a b : list Q) : bool :=
  match a, b with [], [] => true | x :: s, y :: t => (Qeq_bool x y && csame s t)%bool | _, _ => false end.
Lemma csame_ok a : forall b x, csame a b = true -> ev a x = ev b x.
Proof.
  induction a as [|u s IH]; intros [|v t] x H; cbn [csame] in H; try discriminate; auto. split_checks.
  apply qeq_R in H. cbn [ev]. rewrite H, (IH t x H0). reflexivity.
Qed.
(* Products within the limit of degrees. *)
Definition cproduct (a b : list Q) : option (list Q) :=
  if Nat.leb (length a + length b) (max_degree + 2) then Some (cmul a b) else None.
Lemma cproduct_ok a b c x : cproduct a b = Some c -> ev c x = ev a x * ev b x.
Proof. unfold cproduct. destruct (Nat.leb _ _); [|discriminate]. intros H. inversion H. apply cmul_ok. Qed.
Fixpoint cpower (l : list Q) (t : nat) : option (list Q) :=
  match t with O => Some [1%Q] | S t => bind (cpower l t) (fun q => cproduct q l) end.
Lemma cpower_ok l t x : forall q, cpower l t = Some q -> ev q x = ev l x ^ t.
Proof.
  induction t; cbn [cpower]; intros q H.
  - inversion H. cbn. rewrite one_R. ring.
  - split_bind H. apply (cproduct_ok _ _ _ x) in H. rewrite H, (IHt l0 eq_refl). cbn [pow]. ring.
Qed.

(* ---- Signs on an interval. The coefficients of (1 + s)^n l((low + high s)/(1 + s)) in s are the Bernstein coefficients on
   [low, high], times positive numbers. ---- *)
Fixpoint bernstein (low high : Q) (l : list Q) : list Q * list Q :=
  match l with
  | [] => ([], [1%Q])
  | c :: t => let (h, w) := bernstein low high t in (cadd (cscale c w) (cmul [low; high] h), cmul [1%Q; 1%Q] w)
  end.
Lemma bernstein_ok low high l p s : p * (1 + s) = Q2R low + s * Q2R high ->
  ev (snd (bernstein low high l)) s = (1 + s) ^ length l /\
  ev (fst (bernstein low high l)) s * (1 + s) = (1 + s) ^ length l * ev l p.
Proof.
  intros E. induction l as [|c t [IH1 IH2]].
  - cbn [bernstein fst snd ev length pow]. rewrite one_R. split; ring.
  - cbn [bernstein]. destruct (bernstein low high t) as [h w]. cbn [fst snd] in *.
    rewrite cadd_ok, !cmul_ok, cscale_ok, IH1. cbn [ev length pow]. rewrite one_R. split; [ring|].
    replace ((Q2R c * (1 + s) ^ length t + (Q2R low + s * (Q2R high + s * 0)) * ev h s) * (1 + s))
      with (Q2R c * (1 + s) ^ length t * (1 + s) + (Q2R low + s * Q2R high) * (ev h s * (1 + s))) by ring.
    rewrite IH2, <- E. ring.
Qed.

Lemma nonnegative_sum l s : forallb (Qle_bool 0) l = true -> 0 <= s -> 0 <= ev l s.
Proof.
  intros H S. induction l; cbn [ev forallb] in *; [lra|]. split_checks. apply qle_R in H. rewrite zero_R in H.
  specialize (IHl H0). assert (0 <= s * ev l s) by (apply Rmult_le_pos; auto). lra.
Qed.
Lemma positive_sum l s : forallb (Qle_bool 0) l = true -> existsb (qlt 0) l = true -> 0 < s -> 0 < ev l s.
Proof.
  intros H X S. induction l; cbn [ev forallb existsb] in *; [discriminate|]. split_checks. apply qle_R in H. rewrite zero_R in H.
  pose proof (nonnegative_sum l s H0 ltac:(lra)) as N.
  assert (0 <= s * ev l s) by (apply Rmult_le_pos; lra).
  apply orb_prop in X. destruct X as [X|X].
  - apply qlt_R in X. rewrite zero_R in X. lra.
  - specialize (IHl H0 X). assert (0 < s * ev l s) by (apply Rmult_lt_0_compat; auto). lra.
Qed.

Definition coefficients (low high : Q) (l : list Q) : list Q := fst (bernstein low high l).
Definition nonnegative_on (low high : Q) (l : list Q) : bool :=
  (forallb (Qle_bool 0) (coefficients low high l) && Qle_bool 0 (qev l low) && Qle_bool 0 (qev l high))%bool.
Definition positive_on (low high : Q) (l : list Q) : bool :=
  let cs := coefficients low high l in
  (forallb (Qle_bool 0) cs && existsb (qlt 0) cs && (Qeq_bool low 0 || qlt 0 (qev l low)) && (Qeq_bool high 1 || qlt 0 (qev l high)))%bool.

Lemma inside_sign low high l p : Q2R low < p < Q2R high ->
  let s := (p - Q2R low) / (Q2R high - p) in
  0 < s /\ ev (coefficients low high l) s * (1 + s) = (1 + s) ^ length l * ev l p.
Proof.
  intros B s. assert (S : 0 < s) by (apply Rdiv_lt_0_compat; lra). split; auto.
  apply bernstein_ok. unfold s. field. lra.
Qed.
Lemma nonnegative_on_ok low high l p : nonnegative_on low high l = true -> Q2R low <= p <= Q2R high -> 0 <= ev l p.
Proof.
  unfold nonnegative_on. intros H B. apply both in H as [[H L]%both U]. apply qle_R in L, U. rewrite zero_R, qev_R in *.
  destruct (Req_dec p (Q2R low)) as [->|N1]; auto. destruct (Req_dec p (Q2R high)) as [->|N2]; auto.
  destruct (inside_sign low high l p ltac:(lra)) as [S E]. set (s := (p - Q2R low) / (Q2R high - p)) in *.
  pose proof (nonnegative_sum _ s H ltac:(lra)) as N. pose proof (pow_lt (1 + s) (length l) ltac:(lra)) as W.
  apply (Rmult_le_reg_l ((1 + s) ^ length l)); auto. rewrite <- E. rewrite Rmult_0_r. apply Rmult_le_pos; lra.
Qed.
Lemma positive_on_ok low high l p : positive_on low high l = true -> Q2R low <= p <= Q2R high -> 0 < p < 1 -> 0 < ev l p.
Proof.
  unfold positive_on. intros H B I. apply both in H as [[[H X]%both L]%both U].
  destruct (Req_dec p (Q2R low)) as [->|N1].
  { apply orb_prop in L. destruct L as [L|L].
    - apply qeq_R in L. rewrite zero_R in L. lra.
    - apply qlt_R in L. rewrite zero_R, qev_R in L. auto. }
  destruct (Req_dec p (Q2R high)) as [->|N2].
  { apply orb_prop in U. destruct U as [U|U].
    - apply qeq_R in U. rewrite one_R in U. lra.
    - apply qlt_R in U. rewrite zero_R, qev_R in U. auto. }
  destruct (inside_sign low high l p ltac:(lra)) as [S E]. set (s := (p - Q2R low) / (Q2R high - p)) in *.
  pose proof (positive_sum _ s H X S) as N. pose proof (pow_lt (1 + s) (length l) ltac:(lra)) as W.
  apply (Rmult_lt_reg_l ((1 + s) ^ length l)); auto. rewrite <- E. rewrite Rmult_0_r. apply Rmult_lt_0_compat; lra.
Qed.

(* ---- Fractions. A number is its value over 1. ---- *)
Definition fraction := (list Q * list Q)%type.
Definition represents (f : fraction) (x v : R) : Prop := ev (snd f) x <> 0 /\ ev (fst f) x = v * ev (snd f) x.
Definition number_over_one (c : Q) : fraction := (front c [], [1%Q]).
Definition reduced (f : fraction) : fraction :=
  match f with
  | ([], [b]) => if Qeq_bool b 0 then f else ([], [1%Q])
  | ([a], [b]) => if Qeq_bool b 0 then f else number_over_one (Qred (Qdiv a b))
  | _ => f
  end.
Definition fsum (f g : fraction) : option fraction :=
  let '(n, d) := f in let '(m, e) := g in
  if csame d e then Some (reduced (cadd n m, d))
  else bind (cproduct n e) (fun a => bind (cproduct m d) (fun b => bind (cproduct d e) (fun c => Some (reduced (cadd a b, c))))).
Definition fproduct (f g : fraction) : option fraction :=
  bind (cproduct (fst f) (fst g)) (fun a => bind (cproduct (snd f) (snd g)) (fun b => Some (reduced (a, b)))).
Definition fnegative (f : fraction) : fraction := (cneg (fst f), snd f).

Lemma one_ok x : ev [1%Q] x = 1.
Proof. cbn. rewrite one_R. ring. Qed.
Lemma not_zero b : Qeq_bool b 0 = false -> Q2R b <> 0.
Proof.
  intros H Z. apply not_true_iff_false in H. apply H, Qeq_bool_iff, eqR_Qeq. rewrite Z, zero_R. reflexivity.
Qed.
Lemma number_ok c x : represents (number_over_one c) x (Q2R c).
Proof. unfold represents, number_over_one. cbn [fst snd]. rewrite one_ok, front_ok. cbn [ev]. split; [lra|ring]. Qed.
Lemma reduced_defined f x : ev (snd (reduced f)) x <> 0 <-> ev (snd f) x <> 0.
Proof.
  destruct f as [n d]. unfold reduced. destruct n as [|a [|]]; try tauto; destruct d as [|b [|]]; try tauto;
    destruct (Qeq_bool b 0) eqn:E; try tauto; apply not_zero in E; unfold number_over_one; cbn [fst snd]; rewrite one_ok;
    cbn [ev]; split; intros; lra.
Qed.
Lemma reduced_ok f x v : represents f x v -> represents (reduced f) x v.
Proof.
  intros [N E]. split; [apply reduced_defined; auto|]. destruct f as [n d]. unfold reduced.
  destruct n as [|a [|]]; auto; destruct d as [|b [|]]; auto; destruct (Qeq_bool b 0) eqn:Z; auto; apply not_zero in Z; cbn [fst snd ev] in *.
  - replace v with 0; [ring|]. symmetry in E. apply Rmult_integral in E. destruct E; [auto|]. exfalso. apply N. auto.
  - unfold number_over_one. cbn [fst snd]. rewrite front_ok, one_ok, Q2R_red, Q2R_div by (intros X; apply Qeq_eqR in X; rewrite zero_R in X; auto).
    cbn [ev]. replace (Q2R a) with (v * Q2R b) by (transitivity (Q2R a + x * 0); [rewrite E; ring|ring]). field. auto.
Qed.

Lemma some_equal {A} (a b : A) : Some a = Some b -> b = a.
Proof. congruence. Qed.
Lemma fsum_defined f g h x : fsum f g = Some h -> ev (snd h) x <> 0 <-> ev (snd f) x <> 0 /\ ev (snd g) x <> 0.
Proof.
  destruct f as [n d], g as [m e]. cbn [fsum snd]. destruct (csame d e) eqn:S; intros H.
  - apply some_equal in H; subst h. rewrite reduced_defined. cbn [snd]. rewrite (csame_ok d e x S). tauto.
  - split_bind H. apply some_equal in H; subst h. rewrite reduced_defined. cbn [snd]. rewrite (cproduct_ok _ _ _ x E1). split.
    + intros N. split; intros Z; apply N; rewrite Z; ring.
    + intros [A B]. apply Rmult_integral_contrapositive; auto.
Qed.
Lemma fsum_ok f g h x v w : fsum f g = Some h -> represents f x v -> represents g x w -> represents h x (v + w).
Proof.
  destruct f as [n d], g as [m e]. cbn [fsum]. unfold represents at 1 2. cbn [fst snd]. intros H [N1 V1] [N2 V2].
  destruct (csame d e) eqn:S.
  - apply some_equal in H; subst h. apply reduced_ok. split; auto. cbn [fst snd]. rewrite cadd_ok, V1, V2, (csame_ok d e x S). ring.
  - split_bind H. apply some_equal in H; subst h. apply reduced_ok. unfold represents. cbn [fst snd].
    rewrite cadd_ok, (cproduct_ok _ _ _ x E), (cproduct_ok _ _ _ x E0), (cproduct_ok _ _ _ x E1), V1, V2.
    split; [apply Rmult_integral_contrapositive; auto|ring].
Qed.
Lemma fproduct_defined f g h x : fproduct f g = Some h -> ev (snd h) x <> 0 <-> ev (snd f) x <> 0 /\ ev (snd g) x <> 0.
Proof.
  unfold fproduct. intros H. split_bind H. apply some_equal in H; subst h. rewrite reduced_defined. cbn [snd]. rewrite (cproduct_ok _ _ _ x E0). split.
  + intros N. split; intros Z; apply N; rewrite Z; ring.
  + intros [A B]. apply Rmult_integral_contrapositive; auto.
Qed.
Lemma fproduct_ok f g h x v w : fproduct f g = Some h -> represents f x v -> represents g x w -> represents h x (v * w).
Proof.
  unfold fproduct. intros H [N1 V1] [N2 V2]. split_bind H. apply some_equal in H; subst h. apply reduced_ok. unfold represents. cbn [fst snd].
  rewrite (cproduct_ok _ _ _ x E), (cproduct_ok _ _ _ x E0), V1, V2. split; [apply Rmult_integral_contrapositive; auto|ring].
Qed.
Lemma fnegative_ok f x v : represents f x v -> represents (fnegative f) x (- v).
Proof. intros [N E]. split; [exact N|]. cbn [fnegative fst snd]. rewrite cneg_ok, E. ring. Qed.

(* The fraction of an expression in x0. What a quotient divides by has no denominator of its own, and so has what is raised to
   the power 0: then the denominator is not 0 exactly where the expression is defined. *)
Definition is_constant (d : list Q) : bool := match d with [c] => negb (Qeq_bool c 0) | _ => false end.
Lemma is_constant_ok d x : is_constant d = true -> ev d x <> 0.
Proof.
  destruct d as [|c [|]]; try discriminate. cbn. intros H. destruct (Qeq_bool c 0) eqn:E; [discriminate|].
  apply not_zero in E. lra.
Qed.
Fixpoint fraction_of (e : expression) : option fraction :=
  match e with
  | NumberOf c => Some (number_over_one c)
  | VariableOf _ => Some ([0%Q; 1%Q], [1%Q])
  | SumOf a b => bind (fraction_of a) (fun f => bind (fraction_of b) (fun g => fsum f g))
  | ProductOf a b => bind (fraction_of a) (fun f => bind (fraction_of b) (fun g => fproduct f g))
  | Negative a => bind (fraction_of a) (fun f => Some (fnegative f))
  | PowerOf a t =>
    bind (fraction_of a) (fun f =>
      if (Nat.ltb 0 t || is_constant (snd f))%bool
      then bind (cpower (fst f) t) (fun n => bind (cpower (snd f) t) (fun d => Some (reduced (n, d)))) else None)
  | QuotientOf a b =>
    bind (fraction_of a) (fun f => bind (fraction_of b) (fun g =>
      match fst g with [] => None | _ => if is_constant (snd g) then fproduct f (snd g, fst g) else None end))
  end.

Lemma fraction_of_ok e x : forall f, fraction_of e = Some f ->
  (ev (snd f) x <> 0 <-> defined (fun _ => x) e) /\ (defined (fun _ => x) e -> represents f x (value_of (fun _ => x) e)).
Proof.
  induction e; intros f H; cbn [fraction_of defined value_of] in *.
  - inversion H. pose proof (number_ok c x) as N. split; [split; [auto|intros; apply N]|auto].
  - inversion H. unfold represents. cbn [fst snd]. rewrite one_ok. cbn [ev]. rewrite zero_R, one_R. split; [split; [auto|lra]|]. intros. split; [lra|ring].
  - split_bind H. destruct (IHe1 _ eq_refl) as [D1 V1], (IHe2 _ eq_refl) as [D2 V2]. split.
    + rewrite (fsum_defined _ _ _ x H). tauto.
    + intros [A B]. apply (fsum_ok _ _ _ _ _ _ H); auto.
  - split_bind H. destruct (IHe1 _ eq_refl) as [D1 V1], (IHe2 _ eq_refl) as [D2 V2]. split.
    + rewrite (fproduct_defined _ _ _ x H). tauto.
    + intros [A B]. apply (fproduct_ok _ _ _ _ _ _ H); auto.
  - split_bind H. destruct (IHe _ eq_refl) as [D V]. inversion H. split; [exact D|]. intros A. apply fnegative_ok; auto.
  - split_bind H. destruct (IHe _ eq_refl) as [D V].
    destruct (Nat.ltb 0 n || is_constant (snd f0))%bool eqn:T; [|discriminate]. split_bind H. apply some_equal in H; subst f.
    pose proof (cpower_ok _ _ x _ E0) as P1. pose proof (cpower_ok _ _ x _ E1) as P2. split.
    + rewrite reduced_defined. cbn [snd]. rewrite P2, <- D. split.
      * intros N Z. apply orb_prop in T. destruct T as [T|T].
        -- apply Nat.ltb_lt in T. apply N. rewrite Z. apply pow_i. auto.
        -- apply (is_constant_ok _ x) in T. auto.
      * intros N. apply pow_nonzero; auto.
    + intros A. apply reduced_ok. destruct (V A) as [V1 V2]. unfold represents. cbn [fst snd]. rewrite P1, P2, V2. split.
      * apply pow_nonzero; auto.
      * apply Rpow_mult_distr.
  - split_bind H. destruct (IHe1 _ eq_refl) as [D1 V1], (IHe2 _ eq_refl) as [D2 V2].
    assert (G : is_constant (snd f1) = true /\ fproduct f0 (snd f1, fst f1) = Some f)
      by (destruct (fst f1); [discriminate|]; destruct (is_constant (snd f1)); [auto|discriminate]).
    destruct G as [C G]. apply (is_constant_ok _ x) in C. assert (A2 : defined (fun _ => x) e2) by (apply D2; auto).
    destruct (V2 A2) as [_ W2]. assert (Z : ev (fst f1) x <> 0 <-> value_of (fun _ => x) e2 <> 0).
    { rewrite W2. split; [intros N X; apply N; rewrite X; ring|intros; apply Rmult_integral_contrapositive; auto]. }
    split.
    + rewrite (fproduct_defined _ _ _ x G). cbn [snd]. tauto.
    + intros [A [_ N]]. unfold Rdiv. apply (fproduct_ok _ _ _ _ _ _ G); auto. split; [apply Z; auto|]. cbn [fst snd].
      rewrite W2. field. auto.
Qed.
