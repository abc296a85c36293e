(* The statement parity-bound: cells that cover the priors, and a prior or a limit beyond which no mechanism can go. The bound of posteriors `up` is
   looked at from the prior u = p, the bound `down` from u = 1 - p, with H = 1 - down. A mechanism with ratios of at most b
   in each row moves u to at most b u / (1 + (b - 1) u), and this is at most H iff g = H (1 + (b - 1) u) - b u >= 0.
   The coefficients of g in s after p = (low + high s)/(1 + s) have the signs of its Bernstein coefficients. If a row has a ratio
   above the top bound, two categories with suitable prior probabilities break the bound, at the stated prior or near it. *)

From Coq Require Import Reals QArith Qreals Lra Lia List Bool Arith.
From Rropt Require Import Definitions Sums ChaiNayak.
From Kernel Require Import Statement Numbers Polynomials Covers.
Import ListNotations.
Local Open Scope R_scope.

Inductive side := Up | Down.
Definition prior_of (s : side) (p : R) : R := match s with Up => p | Down => 1 - p end.
Definition bound_of_side (s : side) (v : R) : R := match s with Up => v | Down => 1 - v end.
Definition excess_at (s : side) (b v p : R) : R := bound_of_side s v * (1 + (b - 1) * prior_of s p) - b * prior_of s p.

Definition prior_polynomial (s : side) : list Q := match s with Up => [0%Q; 1%Q] | Down => [1%Q; (-1)%Q] end.
Lemma prior_polynomial_ok s p : ev (prior_polynomial s) p = prior_of s p.
Proof. destruct s; cbn; rewrite ?zero_R, ?one_R; [ring|]. change (-1)%Q with (Qopp 1). rewrite Q2R_opp, one_R. ring. Qed.
Definition bound_fraction (s : side) (f : fraction) : option fraction :=
  match s with Up => Some f | Down => fsum (number_over_one 1) (fnegative f) end.
Lemma bound_fraction_ok s f h p v : bound_fraction s f = Some h -> represents f p v -> represents h p (bound_of_side s v).
Proof.
  destruct s; cbn [bound_fraction bound_of_side]; intros H F; [apply some_equal in H; subst; auto|].
  pose proof (fsum_ok _ _ _ _ _ _ H (number_ok 1 p) (fnegative_ok _ _ _ F)) as R. rewrite one_R in R. exact R.
Qed.
Lemma bound_fraction_defined s f h p : bound_fraction s f = Some h -> ev (snd h) p <> 0 -> ev (snd f) p <> 0.
Proof.
  destruct s; cbn [bound_fraction]; intros H N; [apply some_equal in H; subst; auto|].
  apply (fsum_defined _ _ _ p H) in N. apply N.
Qed.
Definition excess_fraction (s : side) (b : Q) (f : fraction) : option fraction :=
  let u := prior_polynomial s in
  bind (bound_fraction s f) (fun h =>
  bind (fproduct h (cadd [1%Q] (cscale (qsub b 1) u), [1%Q])) (fun g => fsum g (cneg (cscale b u), [1%Q]))).
Lemma polynomial_ok l x : represents (l, [1%Q]) x (ev l x).
Proof. unfold represents. cbn [fst snd]. rewrite one_ok. split; [lra|ring]. Qed.
Lemma excess_fraction_ok s b f g p v : excess_fraction s b f = Some g -> represents f p v ->
  represents g p (excess_at s (Q2R b) v p).
Proof.
  unfold excess_fraction. intros H F. split_bind H. pose proof (bound_fraction_ok _ _ _ _ _ E F) as R1.
  pose proof (fproduct_ok _ _ _ _ _ _ E0 R1 (polynomial_ok _ p)) as R2.
  pose proof (fsum_ok _ _ _ _ _ _ H R2 (polynomial_ok _ p)) as R3.
  rewrite cneg_ok, cadd_ok, !cscale_ok, one_ok, qsub_R, one_R, prior_polynomial_ok in R3. exact R3.
Qed.
Lemma excess_fraction_defined s b f g p : excess_fraction s b f = Some g -> ev (snd g) p <> 0 -> ev (snd f) p <> 0.
Proof.
  unfold excess_fraction. intros H N. split_bind H. apply (fsum_defined _ _ _ p H) in N. destruct N as [N _].
  apply (fproduct_defined _ _ _ p E0) in N. apply (bound_fraction_defined _ _ _ _ E). apply N.
Qed.
Definition excess_value (s : side) (b v p : Q) : Q :=
  let u := match s with Up => p | Down => qsub 1 p end in let h := match s with Up => v | Down => qsub 1 v end in
  qsub (qmul h (qadd 1 (qmul (qsub b 1) u))) (qmul b u).
Lemma excess_value_R s b v p : Q2R (excess_value s b v p) = excess_at s (Q2R b) (Q2R v) (Q2R p).
Proof.
  unfold excess_value, excess_at. destruct s; cbn [prior_of bound_of_side]; rewrite ?qsub_R, ?qmul_R, ?qadd_R, ?qsub_R, ?qmul_R, ?qsub_R, ?one_R; ring.
Qed.
Lemma excess_falls s lower top v p : 0 <= lower <= top -> 0 < p < 1 ->
  (0 <= excess_at s top v p -> 0 <= excess_at s lower v p) /\ (0 < excess_at s top v p -> 0 < excess_at s lower v p).
Proof.
  unfold excess_at. intros L B. set (h := bound_of_side s v) in *.
  assert (U : 0 < prior_of s p < 1) by (destruct s; cbn; lra). set (u := prior_of s p) in *. clearbody h u.
  destruct (Rle_lt_dec h 1).
  - assert (0 <= (top - lower) * (u * (1 - h))) by (repeat apply Rmult_le_pos; lra). lra.
  - assert (0 < h * (1 - u)) by (apply Rmult_lt_0_compat; lra). assert (0 <= lower * (u * (h - 1))) by (repeat apply Rmult_le_pos; lra). lra.
Qed.

(* ---- Cells: g >= 0 on [low, high] within (0, 1), by Bernstein coefficients or, at one prior, by its value. What is asked for
   `attained` (where g > 0, and whether the cell is closed in its piece) is not used in the proof. ---- *)
Definition strictness := (bool * bool * bool)%type.      (* g > 0 inside, at low, at high *)
Definition judged (low high : Q) (n d : list Q) : option strictness :=
  if (positive_on low high d && nonnegative_on low high n)%bool
  then Some (existsb (qlt 0) (coefficients low high n), qlt 0 (qev n low), qlt 0 (qev n high)) else None.
Definition judge (s : side) (e : expression) (b low high : Q) : option strictness :=
  if Qeq_bool low high then
    match qvalue_of [low] e with
    | Some v => let g := excess_value s b v low in
      if Qle_bool 0 g then Some (qlt 0 g, qlt 0 g, qlt 0 g) else None
    | None => None
    end
  else
    match bind (fraction_of e) (excess_fraction s b) with
    | Some (n, d) => match judged low high n d with Some t => Some t | None => judged low high (cneg n) (cneg d) end
    | None => None
    end.

(* Where the flags of a cell say g > 0 at a prior. *)
Definition strict_at (t : strictness) (low high : Q) (p : R) : Prop :=
  let '(i, l, h) := t in (Q2R low < p < Q2R high -> i = true) /\ (p = Q2R low -> l = true) /\ (p = Q2R high -> h = true).
Lemma judged_ok low high n d t p : judged low high n d = Some t -> Q2R low <= p <= Q2R high -> 0 < p < 1 ->
  0 < ev d p /\ 0 <= ev n p /\ (strict_at t low high p -> 0 < ev n p).
Proof.
  unfold judged. destruct (_ && _)%bool eqn:E; [|discriminate]. intros J B I. apply both in E as [D N].
  split; [exact (positive_on_ok _ _ _ _ D B I)|]. split; [exact (nonnegative_on_ok _ _ _ _ N B)|].
  apply some_equal in J. subst t. intros [Hi [Hl Hh]].
  destruct (Req_dec p (Q2R low)) as [P|N1]; [specialize (Hl P); apply qlt_R in Hl; rewrite zero_R, qev_R in Hl; rewrite P; auto|].
  destruct (Req_dec p (Q2R high)) as [P|N2]; [specialize (Hh P); apply qlt_R in Hh; rewrite zero_R, qev_R in Hh; rewrite P; auto|].
  assert (M : Q2R low < p < Q2R high) by lra. unfold nonnegative_on in N. apply both in N as [[N _]%both _].
  destruct (inside_sign low high n p M) as [S X]. set (u := (p - Q2R low) / (Q2R high - p)) in *.
  pose proof (positive_sum _ u N (Hi M) S) as Pos. pose proof (pow_lt (1 + u) (length n) ltac:(lra)) as W.
  apply (Rmult_lt_reg_l ((1 + u) ^ length n)); auto. rewrite <- X, Rmult_0_r. apply Rmult_lt_0_compat; lra.
Qed.
(* The expression has one variable, x0: then the point [low] is the prior low. *)
Fixpoint one_variable (e : expression) : bool :=
  match e with
  | NumberOf _ => true
  | VariableOf i => Nat.eqb i 0
  | SumOf a b | ProductOf a b | QuotientOf a b => (one_variable a && one_variable b)%bool
  | Negative a | PowerOf a _ => one_variable a
  end.
Lemma one_variable_ok low e : one_variable e = true ->
  value_of (vec [low]) e = value_of (fun _ => Q2R low) e /\ (defined (vec [low]) e -> defined (fun _ => Q2R low) e).
Proof.
  induction e; cbn [one_variable value_of defined]; intros H; auto.
  - apply Nat.eqb_eq in H. subst. auto.
  - split_checks. destruct (IHe1 H), (IHe2 H0). split; [congruence|tauto].
  - split_checks. destruct (IHe1 H), (IHe2 H0). split; [congruence|tauto].
  - destruct (IHe H). split; [congruence|tauto].
  - destruct (IHe H). split; [congruence|tauto].
  - split_checks. destruct (IHe1 H), (IHe2 H0). split; [congruence|]. rewrite H3. tauto.
Qed.
Lemma value_at_prior low e v : one_variable e = true -> qvalue_of [low] e = Some v ->
  defined (fun _ => Q2R low) e /\ Q2R v = value_of (fun _ => Q2R low) e.
Proof.
  intros O H. apply qvalue_of_ok in H. destruct H as [D V]. destruct (one_variable_ok low e O) as [E F]. split; [auto|congruence].
Qed.

Definition good (s : side) (e : expression) (b p : R) : Prop :=
  defined (fun _ => p) e /\ 0 <= excess_at s b (value_of (fun _ => p) e) p.
Definition exceeds (s : side) (e : expression) (b p : R) : Prop := 0 < excess_at s b (value_of (fun _ => p) e) p.
Lemma judge_ok s e b low high t p : one_variable e = true -> judge s e b low high = Some t ->
  Q2R low <= p <= Q2R high -> 0 < p < 1 -> good s e (Q2R b) p /\ (strict_at t low high p -> exceeds s e (Q2R b) p).
Proof.
  unfold judge, good, exceeds. intros O H B I. destruct (Qeq_bool low high) eqn:E.
  - apply qeq_R in E. assert (P : p = Q2R low) by lra. destruct (qvalue_of [low] e) as [v|] eqn:V; [|discriminate].
    destruct (value_at_prior _ _ _ O V) as [D W]. cbv zeta in H. destruct (Qle_bool 0 (excess_value s b v low)) eqn:G; [|discriminate].
    apply qle_R in G. apply some_equal in H. subst t. rewrite zero_R, excess_value_R, W in G. rewrite P. split; [auto|]. intros [_ [L _]].
    specialize (L eq_refl). apply qlt_R in L. rewrite zero_R, excess_value_R, W in L. exact L.
  - destruct (bind (fraction_of e) (excess_fraction s b)) as [[n d]|] eqn:F; [|discriminate].
    destruct (fraction_of e) as [f|] eqn:FE; [|discriminate]. cbn [bind] in F.
    destruct (fraction_of_ok e p f FE) as [D V].
    assert (S : ev d p <> 0 /\ 0 <= ev n p * ev d p /\ (strict_at t low high p -> 0 < ev n p * ev d p)).
    { destruct (judged low high n d) as [t'|] eqn:J.
      - apply some_equal in H. subst t'. destruct (judged_ok _ _ _ _ _ p J B I) as [P1 [P2 P3]]. split; [lra|].
        split; [apply Rmult_le_pos; lra|]. intros K. apply Rmult_lt_0_compat; auto.
      - destruct (judged_ok _ _ _ _ _ p H B I) as [P1 [P2 P3]]. rewrite !cneg_ok in *. split; [lra|].
        replace (ev n p * ev d p) with ((- ev n p) * (- ev d p)) by ring.
        split; [apply Rmult_le_pos; lra|]. intros K. apply Rmult_lt_0_compat; auto. }
    destruct S as [S1 [S2 S3]]. assert (A : defined (fun _ => p) e) by (apply D, (excess_fraction_defined _ _ _ _ _ F), S1).
    destruct (excess_fraction_ok _ _ _ _ _ _ F (V A)) as [_ W]. cbn [fst snd] in W. rewrite W, Rmult_assoc in S2, S3.
    assert (K : 0 < ev d p * ev d p) by (apply Rsqr_pos_lt; auto). split; [split; [exact A|]|intros T; specialize (S3 T)].
    + apply (Rmult_le_reg_r (ev d p * ev d p)); auto. lra.
    + apply (Rmult_lt_reg_r (ev d p * ev d p)); auto. lra.
Qed.

Record cell := Cell { cell_end : Q; near : bool }.
Record extent := Extent { from : Q; owns_from : bool; upto : Q; owns_upto : bool }.
Definition may_hold (x : extent) (p : Q) : bool :=
  (qlt 0 p && qlt p 1 && (qlt (from x) p || owns_from x) && (qlt p (upto x) || owns_upto x))%bool.
Definition closed_on (x : extent) (low high : Q) : bool :=
  (qlt 0 low && qlt high 1 && (qlt (from x) low || owns_from x) && (qlt high (upto x) || owns_upto x))%bool.
Record bounds := Bounds { lower_bound : Q; top_bound : Q; is_attained : option bool }.
Definition check_cell (s : side) (bs : bounds) (x : extent) (e : expression) (low : Q) (c : cell) : bool :=
  match judge s e (if near c then lower_bound bs else top_bound bs) low (cell_end c) with
  | Some (inside, at_low, at_high) =>
    match is_attained bs with
    | None => true
    | Some true => (negb (near c) || closed_on x low (cell_end c))%bool
    | Some false =>
      (negb (near c) && inside && (at_low || negb (may_hold x low)) && (at_high || negb (may_hold x (cell_end c))))%bool
    end
  | None => false
  end.
Fixpoint check_cells (s : side) (bs : bounds) (x : extent) (e : expression) (low : Q) (cs : list cell) : bool :=
  match cs with
  | [] => Qeq_bool low (upto x)
  | c :: cs => (qlt low (cell_end c) && check_cell s bs x e low c && check_cells s bs x e (cell_end c) cs)%bool
  end.
Definition check_piece (s : side) (bs : bounds) (x : extent) (e : expression) (cs : list cell) : bool :=
  if Qeq_bool (from x) (upto x) then
    (owns_from x && owns_upto x
     && if (Qeq_bool (from x) 0 || Qeq_bool (from x) 1)%bool then match cs with [] => true | _ => false end
        else match cs with [c] => Qeq_bool (from x) (cell_end c) && check_cell s bs x e (from x) c | _ => false end)%bool
  else (qlt (from x) (upto x) && check_cells s bs x e (from x) cs)%bool.
Fixpoint check_pieces (s : side) (bs : bounds) (start : Q) (owned : bool) (h : list piece) (cs : list (list cell)) : bool :=
  match h, cs with
  | [], [] => (Qeq_bool start 1 && negb owned)%bool
  | x :: h, c :: cs =>
    (one_variable (formula x) && check_piece s bs (Extent start owned (stop x) (closed x)) (formula x) c
     && check_pieces s bs (stop x) (negb (closed x)) h cs)%bool
  | _, _ => false
  end.

(* A prior that belongs to a piece. *)
Definition holds_from (start : Q) (owned : bool) (p : R) : Prop := Q2R start < p \/ (owned = true /\ p = Q2R start).
Definition holds (x : extent) (p : R) : Prop :=
  holds_from (from x) (owns_from x) p /\ (p < Q2R (upto x) \/ (owns_upto x = true /\ p = Q2R (upto x))).
(* What one cell proves at a prior, the cells of a piece prove at each of its priors. *)
Section Located.
Context (s : side) (bs : bounds) (x : extent) (e : expression) (p : R) (G : Prop) (inside : 0 < p < 1).
Context (proved : forall low c, check_cell s bs x e low c = true -> Q2R low <= p <= Q2R (cell_end c) -> G).
Lemma check_cells_located : p <= Q2R (upto x) -> forall cs low, check_cells s bs x e low cs = true ->
  (match cs with [] => Q2R low < p | _ => Q2R low <= p end) -> G.
Proof.
  intros U. induction cs as [|c cs IH]; intros low H L; cbn [check_cells] in H.
  - apply qeq_R in H. lra.
  - apply both in H as [[A B]%both C]. destruct (Rle_lt_dec p (Q2R (cell_end c))).
    + eapply proved; eauto.
    + apply (IH _ C). destruct cs; lra.
Qed.
Lemma check_piece_located cs : check_piece s bs x e cs = true -> Q2R (from x) <= p <= Q2R (upto x) -> G.
Proof.
  unfold check_piece. intros H B. destruct (Qeq_bool (from x) (upto x)) eqn:E.
  - apply qeq_R in E. apply both in H as [_ H]. destruct (Qeq_bool (from x) 0 || Qeq_bool (from x) 1)%bool eqn:Z.
    + exfalso. apply orb_prop in Z. destruct Z as [Z|Z]; apply qeq_R in Z; rewrite ?zero_R, ?one_R in Z; lra.
    + destruct cs as [|c [|]]; try discriminate. apply both in H as [F H]. apply qeq_R in F.
      eapply proved; eauto. lra.
  - apply both in H as [L H]. apply qlt_R in L. destruct B as [B U]. eapply check_cells_located; eauto. destruct cs; auto.
    cbn [check_cells] in H. apply qeq_R in H. lra.
Qed.
End Located.
(* What the cells of each piece prove at its priors holds of the function. *)
Lemma check_pieces_located s bs p (T : expression -> Prop) : 0 < p < 1 ->
  (forall x e cs, one_variable e = true -> check_piece s bs x e cs = true -> holds x p -> T e) ->
  forall h start owned cs, check_pieces s bs start owned h cs = true -> holds_from start owned p -> T (formula_at h p).
Proof.
  intros I Piece. induction h as [|x h IH]; intros start owned cs H B; destruct cs as [|c cs]; cbn [check_pieces] in H; try discriminate.
  - apply both in H as [H _]. apply qeq_R in H. rewrite one_R in H. destruct B as [B|[_ B]]; lra.
  - apply both in H as [[O H]%both N]. cbn [formula_at].
    assert (F : p < Q2R (stop x) \/ (closed x = true /\ p = Q2R (stop x)) -> T (formula x))
      by (intros U; apply (Piece _ _ _ O H); split; cbn; auto).
    destruct (closed x) eqn:C; [destruct (Rle_dec p (Q2R (stop x)))|destruct (Rlt_dec p (Q2R (stop x)))].
    + apply F. destruct r; auto.
    + apply (IH _ _ _ N). left. lra.
    + apply F. auto.
    + apply (IH _ _ _ N). cbn [negb]. destruct (Req_dec p (Q2R (stop x))); [right; auto|left; lra].
Qed.

Section Cover.
Context (s : side) (bs : bounds).
Context (ordered : 0 <= Q2R (lower_bound bs) <= Q2R (top_bound bs)).
Lemma check_cell_ok x e low c p : one_variable e = true -> check_cell s bs x e low c = true ->
  Q2R low <= p <= Q2R (cell_end c) -> 0 < p < 1 -> good s e (Q2R (lower_bound bs)) p.
Proof.
  unfold check_cell. intros O H B I. destruct (judge _ _ _ _ _) as [t|] eqn:J; [|discriminate]. clear H.
  apply (judge_ok _ _ _ _ _ _ p O J) in B as [B _]; auto. destruct (near c); auto. destruct B as [D G]. split; auto.
  eapply excess_falls; eauto.
Qed.
Lemma check_pieces_ok p : 0 < p < 1 -> forall h start owned cs, check_pieces s bs start owned h cs = true -> holds_from start owned p ->
  good s (formula_at h p) (Q2R (lower_bound bs)) p.
Proof.
  intros I. apply (check_pieces_located s bs p (fun e => good s e (Q2R (lower_bound bs)) p) I). intros x e cs O H M.
  eapply check_piece_located; eauto using check_cell_ok. destruct M as [[F|[_ F]] [U|[_ U]]]; lra.
Qed.
End Cover.

Lemma may_hold_ok x c p : p = Q2R c -> 0 < p < 1 -> holds x p -> may_hold x c = true.
Proof.
  intros -> I [F U]. unfold may_hold.
  assert (L : forall a b, Q2R a < Q2R b -> qlt a b = true).
  { intros a b H. unfold qlt. destruct (Qle_bool b a) eqn:E; auto. apply qle_R in E. lra. }
  rewrite (L 0%Q c) by (rewrite zero_R; lra). rewrite (L c 1%Q) by (rewrite one_R; lra).
  assert (A : (qlt (from x) c || owns_from x)%bool = true).
  { destruct F as [F|[-> _]]; [rewrite (L _ _ F); auto|apply orb_true_r]. }
  assert (B : (qlt c (upto x) || owns_upto x)%bool = true).
  { destruct U as [U|[-> _]]; [rewrite (L _ _ U); auto|apply orb_true_r]. }
  rewrite A, B. reflexivity.
Qed.
Section Strict.
Context (s : side) (bs : bounds) (never : is_attained bs = Some false).
Lemma check_cell_strict x e low c p : one_variable e = true -> check_cell s bs x e low c = true ->
  Q2R low <= p <= Q2R (cell_end c) -> 0 < p < 1 -> holds x p -> exceeds s e (Q2R (top_bound bs)) p.
Proof.
  unfold check_cell. rewrite never. intros O H B I M. destruct (judge _ _ _ _ _) as [[[i l] h]|] eqn:J; [|discriminate].
  apply both in H as [[[N Hi]%both Hl]%both Hh]. apply negb_true_iff in N. rewrite N in J.
  apply (judge_ok _ _ _ _ _ _ p O J B I). split; [auto|split]; intros P.
  - rewrite (may_hold_ok x low p P I M) in Hl. destruct l; auto.
  - rewrite (may_hold_ok x (cell_end c) p P I M) in Hh. destruct h; auto.
Qed.
Lemma check_pieces_strict p : 0 < p < 1 -> forall h start owned cs, check_pieces s bs start owned h cs = true -> holds_from start owned p ->
  exceeds s (formula_at h p) (Q2R (top_bound bs)) p.
Proof.
  intros I. apply (check_pieces_located s bs p (fun e => exceeds s e (Q2R (top_bound bs)) p) I). intros x e cs O H M.
  eapply check_piece_located; eauto using check_cell_strict. destruct M as [[F|[_ F]] [U|[_ U]]]; lra.
Qed.
End Strict.

(* ---- From ratios to posteriors. ---- *)
Lemma ratios_meet k m P b i q E v : mechanism k m P -> 1 <= b ->
  (forall i j l, (i < m)%nat -> (j < k)%nat -> (l < k)%nat -> P i j <= b * P i l) ->
  (i < m)%nat -> distribution k q -> 0 < answers k P q i -> let p := event_probability k q E in 0 < p < 1 ->
  0 <= v * (1 + (b - 1) * p) - b * p -> posterior k P q i E <= v.
Proof.
  intros M B A Hi D Pos p I G. apply (parity_at_most k m P b M B) in A.
  eapply Rle_trans; [exact (posterior_boundary k m P q i E b M D Hi B A Pos)|]. unfold boundary. fold p.
  pose proof (boundary_denominator b p B ltac:(lra)) as W.
  apply (Rmult_le_reg_r (1 + (b - 1) * p)); auto. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.
(* ---- From posteriors to ratios: two categories with the entries a > top b would move some prior too far. ---- *)
Definition deviation (s : side) (a b v p : R) : R :=
  bound_of_side s v * (a * prior_of s p + b * (1 - prior_of s p)) - a * prior_of s p.
Definition meets_side (k m : nat) (P : nat -> nat -> R) (s : side) (h : list piece) : Prop :=
  match s with Up => posteriors_within k m (Some h) None P | Down => posteriors_within k m None (Some h) P end.
Lemma two_entries k m P s h i j l p : mechanism k m P -> meets_side k m P s h -> (i < m)%nat -> (j < k)%nat -> (l < k)%nat ->
  j <> l -> 0 < P i j -> 0 < p < 1 -> defined_at h p /\ 0 <= deviation s (P i j) (P i l) (bound_at h p) p.
Proof.
  intros M C Hi Hj Hl N A I. assert (B : 0 <= P i l) by (apply M; auto). unfold deviation. destruct s; cbn [meets_side bound_of_side prior_of] in *.
  - assert (X : 0 < P i j * p) by (apply Rmult_lt_0_compat; lra).
    assert (Y : 0 <= P i l * (1 - p)) by (apply Rmult_le_pos; lra).
    specialize (C i (two_categories j l p) (fun h => Nat.eqb h j) Hi (two_categories_distribution k j l p Hj Hl N ltac:(lra))).
    rewrite two_categories_answers, two_categories_event, two_categories_posterior in C by auto.
    destruct (C ltac:(lra) I) as [[D O] _]. split; auto.
    apply (Rmult_le_compat_r (P i j * p + P i l * (1 - p))) in O; [|lra]. unfold Rdiv in O. rewrite Rmult_assoc, Rinv_l in O by lra. lra.
  - assert (X : 0 < P i j * (1 - p)) by (apply Rmult_lt_0_compat; lra).
    assert (Y : 0 <= P i l * p) by (apply Rmult_le_pos; lra).
    specialize (C i (two_categories l j p) (fun h => Nat.eqb h l) Hi (two_categories_distribution k l j p Hl Hj (not_eq_sym N) ltac:(lra))).
    rewrite two_categories_answers, two_categories_event, two_categories_posterior in C by auto.
    destruct (C ltac:(lra) I) as [_ [D O]]. split; auto.
    apply (Rmult_le_compat_r (P i l * p + P i j * (1 - p))) in O; [|lra]. unfold Rdiv in O. rewrite Rmult_assoc, Rinv_l in O by lra. lra.
Qed.

Lemma ev_continuous l c : continuity_pt (ev l) c.
Proof.
  induction l as [|a t IH].
  - apply continuity_pt_const. intros x y. reflexivity.
  - change (continuity_pt ((fun _ => Q2R a) + (id * ev t))%F c). apply continuity_pt_plus.
    + apply continuity_pt_const. intros x y. reflexivity.
    + apply continuity_pt_mult; auto. apply derivable_continuous_pt, derivable_pt_id.
Qed.
Lemma negative_near f c A B : continuity_pt f c -> f c < 0 -> A < B -> A <= c <= B -> exists p, A < p < B /\ f p < 0.
Proof.
  intros C N L I. destruct (C (- f c) ltac:(lra)) as [d [Hd H]].
  assert (X : exists p, A < p < B /\ Rabs (p - c) < d /\ p <> c).
  { set (t := Rmin (d / 2) ((B - A) / 2)). assert (T : 0 < t) by (apply Rmin_glb_lt; lra).
    assert (T1 : t <= d / 2) by apply Rmin_l. assert (T2 : t <= (B - A) / 2) by apply Rmin_r.
    destruct (Rle_lt_dec ((A + B) / 2) c) as [G|G].
    - exists (c - t / 2). split; [lra|split; [rewrite Rabs_left; lra|lra]].
    - exists (c + t / 2). split; [lra|split; [rewrite Rabs_right; lra|lra]]. }
  destruct X as [p [P1 [P2 P3]]]. exists p. split; auto.
  specialize (H p). cbn in H. unfold R_dist in H.
  assert (K : Rabs (f p - f c) < - f c) by (apply H; split; [split; [exact Logic.I|auto]|auto]).
  apply Rabs_def2 in K. lra.
Qed.
Lemma linear_continuous x y c : continuity_pt (fun p => x + y * p) c.
Proof. reg. Qed.

(* A form N (a u + b w) - a M, times d, near its zero or elsewhere. *)
Lemma product_continuous (n m d : list Q) x y z t c :
  continuity_pt (fun p => (ev n p * (x + y * p) - ev m p * (z + t * p)) * ev d p) c.
Proof.
  pose proof (ev_continuous n c) as A. pose proof (ev_continuous m c) as B. pose proof (ev_continuous d c) as D.
  pose proof (linear_continuous x y c) as L1. pose proof (linear_continuous z t c) as L2.
  exact (continuity_pt_mult _ _ _ (continuity_pt_minus _ _ _ (continuity_pt_mult _ _ _ A L1) (continuity_pt_mult _ _ _ B L2)) D).
Qed.

(* Division by x0 - c. *)
Fixpoint divided (c : Q) (l : list Q) : list Q * Q :=
  match l with [] => ([], 0%Q) | a :: t => let (q, r) := divided c t in (r :: q, qadd a (qmul c r)) end.
Lemma divided_ok c l x : ev l x = (x - Q2R c) * ev (fst (divided c l)) x + Q2R (snd (divided c l)).
Proof.
  induction l as [|a t IH]; cbn [divided]; [cbn; rewrite zero_R; ring|]. destruct (divided c t) as [q r]. cbn [fst snd ev] in *.
  rewrite qadd_R, qmul_R, IH. ring.
Qed.

(* What the reader asks first: other bounds are not covered. *)
Definition is_covered (e : expression) : bool :=
  (one_variable e && match fraction_of e with Some _ => true | None => false end)%bool.

Inductive place := AtPrior (c : Q) | AtZero | AtOne.      (* a prior p, or the limit of the prior u *)
Fixpoint ascending (start : Q) (h : list piece) : bool :=
  match h with [] => true | x :: h => (Qle_bool start (stop x) && ascending (stop x) h)%bool end.
Fixpoint start_of (start : Q) (h : list piece) (i : nat) : Q :=
  match h, i with x :: h, S i => start_of (stop x) h i | _, _ => start end.
Lemma start_of_at_least h : forall i start, ascending start h = true -> Q2R start <= Q2R (start_of start h i).
Proof.
  induction h as [|x h IH]; intros [|i] start H; cbn [start_of ascending] in *; try lra. split_checks. apply qle_R in H.
  specialize (IH i _ H0). lra.
Qed.
Lemma inside_piece p h : forall i start x, ascending start h = true -> nth_error h i = Some x ->
  Q2R (start_of start h i) < p < Q2R (stop x) -> formula_at h p = formula x.
Proof.
  induction h as [|y h IH]; intros [|i] start x A E B; cbn [nth_error start_of ascending formula_at] in *; try discriminate.
  - inversion E; subst. destruct (closed x); [destruct (Rle_dec p (Q2R (stop x)))|destruct (Rlt_dec p (Q2R (stop x)))]; auto; lra.
  - split_checks. pose proof (start_of_at_least h i _ H0). destruct (closed y).
    + destruct (Rle_dec p (Q2R (stop y))); [lra|]. eapply IH; eauto.
    + destruct (Rlt_dec p (Q2R (stop y))); [lra|]. eapply IH; eauto.
Qed.
(* The piece that a rational prior belongs to. *)
Fixpoint piece_at (h : list piece) (c : Q) : option nat :=
  match h with
  | [] => None
  | x :: h => if (if closed x then Qle_bool c (stop x) else qlt c (stop x)) then Some O else option_map S (piece_at h c)
  end.
Lemma piece_at_ok c h : forall i x, piece_at h c = Some i -> nth_error h i = Some x -> formula_at h (Q2R c) = formula x.
Proof.
  induction h as [|y h IH]; intros i x P E; cbn [piece_at formula_at] in *; [discriminate|].
  destruct (closed y).
  - destruct (Qle_bool c (stop y)) eqn:Q.
    + inversion P; subst. inversion E; subst. apply qle_R in Q. destruct (Rle_dec _ _); auto; lra.
    + apply qle_false in Q. destruct (Rle_dec _ _); [lra|]. destruct (piece_at h c) as [o|]; [|discriminate]. inversion P; subst. cbn in E. eapply IH; eauto.
  - destruct (qlt c (stop y)) eqn:Q.
    + inversion P; subst. inversion E; subst. apply qlt_R in Q. destruct (Rlt_dec _ _); auto; lra.
    + unfold qlt in Q. apply negb_false_iff in Q. apply qle_R in Q. destruct (Rlt_dec _ _); [lra|].
      destruct (piece_at h c) as [o|]; [|discriminate]. inversion P; subst. cbn in E. eapply IH; eauto.
Qed.

Definition end_at (s : side) (zero : bool) : Q :=           (* the prior p at which u is 0, or 1 *)
  match s with Up => if zero then 0%Q else 1%Q | Down => if zero then 1%Q else 0%Q end.
(* The slope of n / d at an end of (0, 1), inwards; n is 0 there. *)
Definition slope_at (c : Q) (n d : list Q) : option Q :=
  let (q, r) := divided c n in let y := qev d c in let z := qev q c in
  if (Qeq_bool r 0 && negb (Qeq_bool y 0))%bool then Some (Qdiv (if Qeq_bool c 0 then z else Qopp z) y) else None.
Definition check_place (s : side) (top : Q) (e : expression) (start : Q) (x : piece) (w : place) : bool :=
  (Qle_bool 0 start && qlt start (stop x) && Qle_bool (stop x) 1 && one_variable e
   && match bind (fraction_of e) (bound_fraction s), w with
      | Some _, AtPrior c =>
        qlt 0 c && qlt c 1 && Qle_bool start c && Qle_bool c (stop x)
        && match qvalue_of [c] e with Some v => Qle_bool (excess_value s top v c) 0 | None => false end
      | Some (n, d), AtZero =>
        let c := end_at s true in
        (Qeq_bool start c || Qeq_bool (stop x) c)
        && match slope_at c n d with Some z => qlt 0 z && Qle_bool z top | None => false end
      | Some (n, d), AtOne =>
        let c := end_at s false in
        (Qeq_bool start c || Qeq_bool (stop x) c)
        && match slope_at c (cadd d (cneg n)) d with Some z => qlt 0 z && Qle_bool 1 (qmul z top) | None => false end
      | None, _ => false
      end)%bool.

Lemma slope_at_ok c n d z : slope_at c n d = Some z ->
  ev d (Q2R c) <> 0 /\ exists q, (forall x, ev n x = (x - Q2R c) * ev q x) /\ Q2R z * ev d (Q2R c) = (if Qeq_bool c 0 then 1 else -1) * ev q (Q2R c).
Proof.
  unfold slope_at. pose proof (fun x => divided_ok c n x) as D. destruct (divided c n) as [q r]. cbn [fst snd] in D. cbv zeta.
  destruct (Qeq_bool r 0) eqn:E; cbn [andb]; [|discriminate]. destruct (Qeq_bool (qev d c) 0) eqn:F; cbn [negb]; [discriminate|].
  intros H. apply some_equal in H. subst z. apply not_zero in F. apply qeq_R in E. rewrite zero_R in E. rewrite qev_R in F. split; auto.
  exists q. split; [intros x; rewrite D, E; ring|].
  rewrite Q2R_div by (intros X; apply Qeq_eqR in X; rewrite zero_R, qev_R in X; auto). rewrite qev_R.
  destruct (Qeq_bool c 0); rewrite ?Q2R_opp, qev_R; field; auto.
Qed.

Lemma excess_deviates s top a b v p : 0 <= top -> 0 <= b -> top * b < a -> 0 < p < 1 ->
  excess_at s top v p <= 0 -> deviation s a b v p < 0.
Proof.
  intros T B A I G. unfold deviation, excess_at in *. set (h := bound_of_side s v) in *.
  assert (Pa : 0 < a) by (assert (0 <= top * b) by (apply Rmult_le_pos; lra); lra).
  assert (U : 0 < prior_of s p < 1) by (destruct s; cbn; lra). set (u := prior_of s p) in *. clearbody h u.
  assert (W : 0 < 1 + (top - 1) * u) by (assert (0 <= top * u) by (apply Rmult_le_pos; lra); lra).
  apply (Rmult_lt_reg_r (1 + (top - 1) * u)); auto. rewrite Rmult_0_l.
  assert (X : 0 <= a * u + b * (1 - u)) by (assert (0 <= a * u) by (apply Rmult_le_pos; lra); assert (0 <= b * (1 - u)) by (apply Rmult_le_pos; lra); lra).
  assert (Y : h * (1 + (top - 1) * u) * (a * u + b * (1 - u)) <= top * u * (a * u + b * (1 - u)))
    by (apply Rmult_le_compat_r; lra).
  assert (Z : 0 < u * (1 - u) * (a - top * b)) by (repeat apply Rmult_lt_0_compat; lra). lra.
Qed.

Section Place.
Context (s : side) (top : Q) (a b : R).
Context (top_nonnegative : 0 <= Q2R top).
Context (b_nonnegative : 0 <= b).
Context (a_exceeds : Q2R top * b < a).
Definition mixed (s : side) (p : R) : R := match s with Up => b + (a - b) * p | Down => a + (b - a) * p end.
Definition first_part (s : side) (p : R) : R := match s with Up => 0 + a * p | Down => a + (- a) * p end.
Lemma mixed_ok p : a * prior_of s p + b * (1 - prior_of s p) = mixed s p.
Proof. destruct s; cbn; ring. Qed.
Lemma first_part_ok p : a * prior_of s p = first_part s p.
Proof. destruct s; cbn; ring. Qed.
Lemma parts_continuous n m d c : continuity_pt (fun p => (ev n p * mixed s p - ev m p * first_part s p) * ev d p) c.
Proof. destruct s; cbn [mixed first_part]; apply product_continuous. Qed.
Lemma near_end l m d k c low high : low < high -> low <= c <= high -> (ev l c * mixed s c - ev m c * k) * ev d c < 0 ->
  exists p, low < p < high /\ (ev l p * mixed s p - ev m p * k) * ev d p < 0.
Proof.
  intros L C N. apply (negative_near (fun p => (ev l p * mixed s p - ev m p * k) * ev d p) c); auto.
  assert (P : continuity_pt (fun p => (ev l p * mixed s p - ev m p * (k + 0 * p)) * ev d p) c)
    by (destruct s; cbn [mixed]; apply product_continuous).
  intros eps He. destruct (P eps He) as [al [Ha K]]. exists al. split; [exact Ha|]. intros y Y. specialize (K y Y).
  rewrite !Rmult_0_l, !Rplus_0_r in K. exact K.
Qed.
Lemma a_positive : 0 < a.
Proof. assert (0 <= Q2R top * b) by (apply Rmult_le_pos; lra). lra. Qed.

Lemma excess_deviation v p : 0 < p < 1 -> excess_at s (Q2R top) v p <= 0 -> deviation s a b v p < 0.
Proof. apply excess_deviates; auto. Qed.
Lemma sign_of_product x d : d <> 0 -> x * (d * d) < 0 -> x < 0.
Proof.
  intros D H. assert (0 < d * d) by (apply Rsqr_pos_lt; auto). destruct (Rlt_le_dec x 0); auto.
  assert (0 <= x * (d * d)) by (apply Rmult_le_pos; lra). lra.
Qed.

Lemma check_place_ok e start x w : check_place s top e start x w = true ->
  exists p, 0 < p < 1 /\ Q2R start < p < Q2R (stop x) /\
  (defined (fun _ => p) e -> deviation s a b (value_of (fun _ => p) e) p < 0).
Proof.
  unfold check_place. intros H. apply both in H as [[[[L0 L]%both L1]%both O]%both H]. apply qlt_R in L. apply qle_R in L0, L1.
  rewrite zero_R in L0. rewrite one_R in L1.
  destruct (bind (fraction_of e) (bound_fraction s)) as [[n d]|] eqn:F; [|discriminate].
  destruct (fraction_of e) as [f|] eqn:FE; [|discriminate]. cbn [bind] in F.
  assert (R : forall p, defined (fun _ => p) e -> represents (n, d) p (bound_of_side s (value_of (fun _ => p) e))).
  { intros p D. destruct (fraction_of_ok e p f FE) as [_ V]. apply (bound_fraction_ok _ _ _ _ _ F), V, D. }
  unfold represents in R. cbn [fst snd] in R. pose proof a_positive as A.
  destruct w as [c| |].
  - apply both in H as [[[[C0 C1]%both C2]%both C3]%both H]. apply qlt_R in C0, C1. apply qle_R in C2, C3. rewrite zero_R in C0. rewrite one_R in C1.
    destruct (qvalue_of [c] e) as [v|] eqn:V; [|discriminate]. destruct (value_at_prior _ _ _ O V) as [D W].
    apply qle_R in H. rewrite zero_R, excess_value_R, W in H. apply excess_deviation in H; [|lra]. destruct (R _ D) as [N E].
    destruct (negative_near (fun p => (ev n p * mixed s p - ev d p * first_part s p) * ev d p) (Q2R c) (Q2R start) (Q2R (stop x))) as [p [B G]];
      [apply parts_continuous| |lra|lra|].
    { unfold deviation in H. rewrite mixed_ok, first_part_ok in H. rewrite E.
      set (h := bound_of_side s (value_of (fun _ => Q2R c) e)) in *.
      replace ((h * ev d (Q2R c) * mixed s (Q2R c) - ev d (Q2R c) * first_part s (Q2R c)) * ev d (Q2R c))
        with (- ((- (h * mixed s (Q2R c) - first_part s (Q2R c))) * (ev d (Q2R c) * ev d (Q2R c)))) by ring.
      assert (0 < ev d (Q2R c) * ev d (Q2R c)) by (apply Rsqr_pos_lt; auto).
      assert (0 < (- (h * mixed s (Q2R c) - first_part s (Q2R c))) * (ev d (Q2R c) * ev d (Q2R c))) by (apply Rmult_lt_0_compat; lra). lra. }
    exists p. split; [lra|]. split; auto. intros Dp. destruct (R _ Dp) as [Np Ep]. unfold deviation. rewrite mixed_ok, first_part_ok.
    apply (sign_of_product _ (ev d p)); auto. rewrite Ep in G. lra.
  - apply both in H as [B H]. destruct (slope_at (end_at s true) n d) as [z|] eqn:S; [|discriminate].
    apply both in H as [_ Z]. apply qle_R in Z. destruct (slope_at_ok _ _ _ _ S) as [N [q [Q E]]].
    set (c := end_at s true) in *.
    assert (C : Q2R start <= Q2R c <= Q2R (stop x)) by (apply orb_prop in B; destruct B as [B|B]; apply qeq_R in B; lra).
    set (g := if Qeq_bool c 0 then 1 else -1) in *.
    assert (GS : Q2R (if Qeq_bool c 0 then 1 else -1)%Q = g)
      by (unfold g; destruct (Qeq_bool c 0); [apply one_R|change (-1)%Q with (Qopp 1); rewrite Q2R_opp, one_R; ring]).
    assert (U : forall p, prior_of s p = g * (p - Q2R c)) by (intros p; unfold g, c; destruct s; cbn; rewrite ?zero_R, ?one_R; ring).
    destruct (near_end (cscale (if Qeq_bool c 0 then 1 else -1)%Q q) d d a (Q2R c) (Q2R start) (Q2R (stop x))) as [p [B' G]]; [lra|lra| |].
    { rewrite <- mixed_ok, U, cscale_ok, GS, <- E. replace (Q2R c - Q2R c) with 0 by ring.
      assert (K : 0 < ev d (Q2R c) * ev d (Q2R c)) by (apply Rsqr_pos_lt; auto).
      assert (Q2R z * b <= Q2R top * b) by (apply Rmult_le_compat_r; lra).
      assert (0 < (a - Q2R z * b) * (ev d (Q2R c) * ev d (Q2R c))) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (P0 : 0 < p < 1) by lra. exists p. split; auto. split; auto. intros Dp. destruct (R _ Dp) as [Np Ep].
    apply (sign_of_product _ (ev d p)); auto. unfold deviation. set (h := bound_of_side s (value_of (fun _ => p) e)) in *.
    rewrite cscale_ok, GS in G.
    assert (U0 : 0 < prior_of s p) by (destruct s; cbn; lra). rewrite mixed_ok.
    assert (X : 0 < - ((g * ev q p * mixed s p - ev d p * a) * ev d p) * prior_of s p) by (apply Rmult_lt_0_compat; lra).
    replace ((h * mixed s p - a * prior_of s p) * (ev d p * ev d p)) with ((h * ev d p * mixed s p - ev d p * (a * prior_of s p)) * ev d p) by ring.
    rewrite <- Ep, Q. replace ((p - Q2R c) * ev q p) with (prior_of s p * (g * ev q p)); [lra|].
    rewrite U. unfold g. destruct (Qeq_bool c 0); ring.
  - apply both in H as [B H]. destruct (slope_at (end_at s false) (cadd d (cneg n)) d) as [z|] eqn:S; [|discriminate].
    apply both in H as [Z0 Z]. apply qle_R in Z. apply qlt_R in Z0. rewrite zero_R in Z0. rewrite one_R, qmul_R in Z.
    destruct (slope_at_ok _ _ _ _ S) as [N [q [Q E]]].
    set (c := end_at s false) in *.
    assert (C : Q2R start <= Q2R c <= Q2R (stop x)) by (apply orb_prop in B; destruct B as [B|B]; apply qeq_R in B; lra).
    set (g := if Qeq_bool c 0 then 1 else -1) in *.
    assert (GS : Q2R (if Qeq_bool c 0 then -1 else 1)%Q = - g)
      by (unfold g; destruct (Qeq_bool c 0); [change (-1)%Q with (Qopp 1); rewrite Q2R_opp, one_R; ring|rewrite one_R; ring]).
    assert (U : forall p, 1 - prior_of s p = g * (p - Q2R c)) by (intros p; unfold g, c; destruct s; cbn; rewrite ?zero_R, ?one_R; ring).
    destruct (near_end (cscale (if Qeq_bool c 0 then -1 else 1)%Q q) (cneg d) d b (Q2R c) (Q2R start) (Q2R (stop x))) as [p [B' G]];
      [lra|lra| |].
    { rewrite <- mixed_ok, cscale_ok, cneg_ok, GS.
      replace (- g * ev q (Q2R c)) with (- (g * ev q (Q2R c))) by ring. rewrite <- E.
      replace (prior_of s (Q2R c)) with 1 by (assert (1 - prior_of s (Q2R c) = 0) by (rewrite U; ring); lra).
      assert (K : 0 < ev d (Q2R c) * ev d (Q2R c)) by (apply Rsqr_pos_lt; auto).
      assert (X : b < Q2R z * a).
      { assert (T : 0 < Q2R top).
        { destruct top_nonnegative as [T|T]; auto. rewrite <- T, Rmult_0_r in Z. lra. }
        apply (Rmult_lt_reg_l (Q2R top)); auto. apply Rlt_le_trans with (1 := a_exceeds).
        assert (1 * a <= Q2R z * Q2R top * a) by (apply Rmult_le_compat_r; lra). lra. }
      assert (0 < (Q2R z * a - b) * (ev d (Q2R c) * ev d (Q2R c))) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (P0 : 0 < p < 1) by lra. exists p. split; auto. split; auto. intros Dp. destruct (R _ Dp) as [Np Ep].
    apply (sign_of_product _ (ev d p)); auto. unfold deviation. set (h := bound_of_side s (value_of (fun _ => p) e)) in *.
    rewrite cscale_ok, cneg_ok, GS in G.
    assert (U0 : 0 < 1 - prior_of s p) by (destruct s; cbn; lra).
    specialize (Q p). rewrite cadd_ok, cneg_ok in Q.
    assert (M : ev n p = ev d p - (1 - prior_of s p) * (g * ev q p)).
    { rewrite U. unfold g. destruct (Qeq_bool c 0); lra. }
    assert (X : 0 < - ((- g * ev q p * mixed s p - - ev d p * b) * ev d p) * (1 - prior_of s p)) by (apply Rmult_lt_0_compat; lra).
    replace ((h * (a * prior_of s p + b * (1 - prior_of s p)) - a * prior_of s p) * (ev d p * ev d p))
      with ((h * ev d p * (a * prior_of s p + b * (1 - prior_of s p)) - ev d p * (a * prior_of s p)) * ev d p) by ring.
    rewrite <- Ep, M. rewrite <- mixed_ok in X. lra.
Qed.
End Place.

(* ---- A criterion: lower <= B <= upper for the largest ratio B that it allows. ---- *)
Record infimum := Infimum {
  least : Q; most : Q; exact_value : option expression; attained : option bool;
  cells_up : list (list cell); cells_down : list (list cell);
  side_of_point : side; piece_of_point : nat; place_of_point : place }.
Definition top_of (i : infimum) : option Q := match exact_value i with None => Some (most i) | Some e => qvalue_of [] e end.
Definition check_side (s : side) (bs : bounds) (h : option (list piece)) (cs : list (list cell)) : bool :=
  match h with None => match cs with [] => true | _ => false end | Some h => check_pieces s bs 0 true h cs end.
Definition same_piece (h : list piece) (c : Q) (i : nat) : bool :=
  match piece_at h c with Some j => Nat.eqb i j | None => false end.
Definition check_point (s : side) (bs : bounds) (h : list piece) (i : nat) (w : place) : bool :=
  match nth_error h i with
  | Some x =>
    (ascending 0 h
     && match is_attained bs, w with
        | Some true, AtPrior c => same_piece h c i
        | Some true, _ => false
        | _, _ => true
        end
     && (check_place s (top_bound bs) (formula x) (start_of 0 h i) x w
         || match w with
            | AtPrior c =>
              one_variable (formula x) && qlt 0 c && qlt c 1 && same_piece h c i
              && match qvalue_of [c] (formula x) with Some v => Qle_bool (excess_value s (top_bound bs) v c) 0 | None => false end
            | _ => false
            end))%bool
  | None => false
  end.
Definition bounds_of (i : infimum) (top : Q) : bounds := Bounds (least i) top (attained i).
Definition check_infimum (up down : option (list piece)) (i : infimum) : bool :=
  match top_of i with
  | Some top =>
    let bs := bounds_of i top in
    (Qle_bool 0 (least i) && Qle_bool (least i) top && Qle_bool top (most i)
     && check_side Up bs up (cells_up i) && check_side Down bs down (cells_down i)
     && match (match side_of_point i with Up => up | Down => down end) with
        | Some h => check_point (side_of_point i) bs h (piece_of_point i) (place_of_point i)
        | None => false
        end)%bool
  | None => false
  end.
Definition check_criterion (up down : option (list piece)) (i : infimum) (below above : Q) : bool :=
  (check_infimum up down i && Qle_bool 1 below && Qle_bool below (least i) && Qle_bool (most i) above)%bool.
(* Of parity-bound itself; an infimum that is attained is exactly known. *)
Definition check_largest_ratio (up down : option (list piece)) (i : infimum) : bool :=
  (check_infimum up down i
   && match attained i, top_of i with Some true, Some top => Qeq_bool (least i) top | _, _ => true end)%bool.

Lemma check_point_ok s bs h i w a b : check_point s bs h i w = true -> 0 <= Q2R (top_bound bs) -> 0 <= b -> Q2R (top_bound bs) * b < a ->
  exists p, 0 < p < 1 /\ (defined_at h p -> deviation s a b (bound_at h p) p < 0).
Proof.
  unfold check_point. intros H T B A. destruct (nth_error h i) as [x|] eqn:N; [|discriminate].
  apply both in H as [[As _]%both H]. apply orb_prop in H. destruct H as [H|H].
  - destruct (check_place_ok s (top_bound bs) a b T B A _ _ _ _ H) as [p [P [I D]]]. exists p. split; auto.
    unfold defined_at, bound_at. rewrite (inside_piece p h i 0 x As N I). exact D.
  - destruct w as [c| |]; try discriminate. apply both in H as [[[[O C0]%both C1]%both S]%both V].
    apply qlt_R in C0, C1. rewrite zero_R in C0. rewrite one_R in C1.
    unfold same_piece in S. destruct (piece_at h c) as [o|] eqn:Q; [|discriminate]. apply Nat.eqb_eq in S. subst o.
    destruct (qvalue_of [c] (formula x)) as [v|] eqn:E; [|discriminate]. destruct (value_at_prior _ _ _ O E) as [D W].
    apply qle_R in V. rewrite zero_R, excess_value_R, W in V. exists (Q2R c). split; [lra|]. intros _.
    unfold bound_at. rewrite (piece_at_ok c h i x Q N). apply (excess_deviation s (top_bound bs) a b); auto.
Qed.

Lemma private_pair_rows k m P g j l : mechanism k m P -> (j < k)%nat -> (l < k)%nat ->
  private_pair m g 0 P j l <-> forall i, (i < m)%nat -> P i j <= g * P i l.
Proof.
  intros [N _] Hj Hl. split.
  - intros H i Hi. specialize (H (fun h => Nat.eqb h i)). rewrite !event_single in H by auto. unfold given in H. lra.
  - intros H E. unfold event_probability, given. rewrite <- sum_scal, Rplus_0_r. apply sum_le. intros i Hi.
    destruct (E i); [auto|lra].
Qed.

(* Bounds that ratios of at most b respect at the prior p. *)
Definition respected (up down : option (list piece)) (b p : R) : Prop :=
  given_bound up (fun h => good Up (formula_at h p) b p) /\ given_bound down (fun h => good Down (formula_at h p) b p).
Lemma ratios_within up down b k m P : 1 <= b -> (forall p, 0 < p < 1 -> respected up down b p) -> mechanism k m P ->
  (forall j l, (j < k)%nat -> (l < k)%nat -> private_pair m b 0 P j l) -> posteriors_within k m up down P.
Proof.
  intros B G M A o q E Ho D Pos p I. destruct (G p I) as [U W].
  assert (R : forall o' j l, (o' < m)%nat -> (j < k)%nat -> (l < k)%nat -> P o' j <= b * P o' l).
  { intros o' j l Ho' Hj Hl. apply (private_pair_rows k m P _ j l M Hj Hl); auto. }
  split; [destruct up as [h|]|destruct down as [h|]]; cbn [given_bound] in *; auto.
  - split; [apply U|]. apply (ratios_meet k m P b o q E); auto. apply U.
  - split; [apply W|]. pose proof (ratios_meet k m P b o q (fun j => negb (E j)) (1 - bound_at h p) M B R Ho D Pos) as X. cbv zeta in X.
    rewrite event_complement, (proj2 D), posterior_complement in X by lra. destruct W as [_ W]. unfold excess_at in W.
    cbn [bound_of_side prior_of] in W. fold (bound_at h p) in W. fold p in X. lra.
Qed.

Lemma good_up h b p : good Up (formula_at h p) b p <-> defined_at h p /\ b * (p * (1 - bound_at h p)) <= (1 - p) * bound_at h p.
Proof. unfold good, excess_at, bound_at. cbn [bound_of_side prior_of]. split; intros [D G]; (split; [exact D|lra]). Qed.
Lemma good_down h b p : good Down (formula_at h p) b p <-> defined_at h p /\ b * ((1 - p) * bound_at h p) <= p * (1 - bound_at h p).
Proof. unfold good, excess_at, bound_at. cbn [bound_of_side prior_of]. split; intros [D G]; (split; [exact D|lra]). Qed.
Lemma respected_odds up down b p : respected up down b p <-> odds_compare Rle up down b p.
Proof.
  unfold respected, odds_compare. destruct up as [h|], down as [h'|]; cbn [given_bound]; rewrite ?good_up, ?good_down; tauto.
Qed.
Lemma excess_linear s b v p : excess_at s b v p = bound_of_side s v * (1 - prior_of s p) - b * (prior_of s p * (1 - bound_of_side s v)).
Proof. unfold excess_at. ring. Qed.
Lemma deviation_excess s b v p : deviation s b 1 v p = excess_at s b v p.
Proof. unfold deviation, excess_at. ring. Qed.

Section Infimum.
Context (up down : option (list piece)) (i : infimum).
Context (checked : check_infimum up down i = true).
Lemma infimum_bounds : 0 <= Q2R (least i) <= Q2R (most i) /\ forall top, top_of i = Some top -> Q2R (least i) <= Q2R top <= Q2R (most i).
Proof.
  unfold check_infimum in checked. destruct (top_of i) as [t|]; [|discriminate]. split_checks.
  repeat match goal with X : Qle_bool _ _ = true |- _ => apply qle_R in X end. rewrite zero_R in *.
  split; [lra|]. intros top T. assert (t = top) by congruence. subst. lra.
Qed.
Lemma infimum_good p : 0 < p < 1 -> respected up down (Q2R (least i)) p.
Proof.
  intros I. unfold respected. unfold check_infimum in checked. destruct (top_of i) as [top|]; [|discriminate]. cbv zeta in checked.
  apply both in checked as [[[[[C1 C2]%both C3]%both U]%both D]%both _]. apply qle_R in C1, C2. rewrite zero_R in C1.
  assert (O : 0 <= Q2R (lower_bound (bounds_of i top)) <= Q2R (top_bound (bounds_of i top))) by (cbn; lra).
  assert (W : forall s h cs, check_pieces s (bounds_of i top) 0 true h cs = true -> good s (formula_at h p) (Q2R (least i)) p).
  { intros s h cs H. apply (check_pieces_ok s _ O p I h _ _ _ H). left. rewrite zero_R. lra. }
  split; [destruct up as [h|]|destruct down as [h|]]; cbn [given_bound check_side] in *; eauto.
Qed.
Lemma infimum_defined p : 0 < p < 1 -> given_bound up (fun h => defined_at h p) /\ given_bound down (fun h => defined_at h p).
Proof.
  intros I. destruct (infimum_good p I) as [U D]. split; [destruct up|destruct down]; cbn [given_bound] in *; auto; [apply U|apply D].
Qed.
Lemma infimum_point top x : top_of i = Some top -> Q2R top < x -> exists p, 0 < p < 1 /\ ~ respected up down x p.
Proof.
  intros T X. unfold check_infimum in checked. rewrite T in checked. cbv zeta in checked.
  apply both in checked as [[[[[C1 C2]%both C3]%both _]%both _]%both H]. apply qle_R in C1, C2, C3. rewrite zero_R in C1.
  assert (K : forall s h, check_point s (bounds_of i top) h (piece_of_point i) (place_of_point i) = true ->
    exists p, 0 < p < 1 /\ ~ good s (formula_at h p) x p).
  { intros s h Hc. apply (check_point_ok _ _ _ _ _ x 1) in Hc; cbn [top_bound bounds_of]; try lra.
    destruct Hc as [p [I D]]. exists p. split; auto. intros [G1 G2]. specialize (D G1). rewrite deviation_excess in D. unfold bound_at in D. lra. }
  destruct (side_of_point i); [destruct up as [h|]|destruct down as [h|]]; try discriminate; destruct (K _ _ H) as [p [I N]];
    exists p; (split; [exact I|]); intros [G1 G2]; cbn [given_bound] in *; auto.
Qed.

(* The largest ratio that all priors respect. *)
Lemma largest_ratio : exists b, Q2R (least i) <= b <= Q2R (most i) /\ (forall top, top_of i = Some top -> b <= Q2R top) /\
  forall x, 0 <= x -> ((forall p, 0 < p < 1 -> respected up down x p) <-> x <= b).
Proof.
  pose proof infimum_bounds as [IB _].
  set (E := fun b => 0 <= b /\ forall p, 0 < p < 1 -> respected up down b p).
  assert (Some_E : E (Q2R (least i))) by (split; [lra|exact infimum_good]).
  destruct (top_of i) as [top|] eqn:T; [|unfold check_infimum in checked; rewrite T in checked; discriminate].
  destruct infimum_bounds as [_ IT]. specialize (IT top T).
  assert (Bound : forall b, E b -> b <= Q2R top).
  { intros b [_ G]. destruct (Rle_lt_dec b (Q2R top)) as [|X]; auto. destruct (infimum_point top b T X) as [p [I N]]. destruct (N (G p I)). }
  destruct (completeness E) as [b [Up_b Least_b]].
  { exists (Q2R top). exact Bound. }
  { exists (Q2R (least i)). exact Some_E. }
  assert (B1 : Q2R (least i) <= b) by (apply Up_b, Some_E).
  assert (B2 : b <= Q2R top) by (apply Least_b; exact Bound).
  assert (Closed : forall s e p, 0 < p < 1 -> (forall b', E b' -> good s e b' p) -> good s e b p).
  { intros s e p I G. split; [apply (G _ Some_E)|]. set (v := value_of (fun _ => p) e) in *.
    destruct (Rle_lt_dec 0 (excess_at s b v p)) as [|N]; auto. exfalso.
    assert (U : 0 < prior_of s p < 1) by (destruct s; cbn; lra). set (h := bound_of_side s v). set (u := prior_of s p) in *.
    rewrite excess_linear in N. fold h u in N.
    destruct (Rle_lt_dec 1 h) as [H|H].
    - assert (0 <= h * (1 - u)) by (apply Rmult_le_pos; lra). assert (0 <= b * (u * (h - 1))) by (repeat apply Rmult_le_pos; lra). lra.
    - assert (C : 0 < u * (1 - h)) by (apply Rmult_lt_0_compat; lra).
      assert (X : b <= h * (1 - u) / (u * (1 - h))).
      { apply Least_b. intros b' Eb. destruct (G b' Eb) as [_ Gb]. fold v in Gb. rewrite excess_linear in Gb. fold h u in Gb.
        apply (Rmult_le_reg_r (u * (1 - h))); auto. replace (h * (1 - u) / (u * (1 - h)) * (u * (1 - h))) with (h * (1 - u)) by (field; lra). lra. }
      apply (Rmult_le_compat_r (u * (1 - h))) in X; [|lra].
      replace (h * (1 - u) / (u * (1 - h)) * (u * (1 - h))) with (h * (1 - u)) in X by (field; lra). lra. }
  assert (In_E : forall p, 0 < p < 1 -> respected up down b p).
  { intros p I. split; [destruct up as [h|] eqn:EU|destruct down as [h|] eqn:ED]; cbn [given_bound]; auto.
    - apply Closed; auto. intros b' [_ G]. apply (G p I).
    - apply Closed; auto. intros b' [_ G]. apply (G p I). }
  exists b. split; [lra|]. split; [intros top' T'; replace top' with top by congruence; exact B2|]. intros x X. split.
  - intros G. apply Up_b. split; auto.
  - intros L p I. destruct (In_E p I) as [U W]. split; [destruct up as [h|]|destruct down as [h|]]; cbn [given_bound] in *; auto.
    + destruct U as [U1 U2]. split; auto. eapply excess_falls; [| |exact U2]; lra.
    + destruct W as [W1 W2]. split; auto. eapply excess_falls; [| |exact W2]; lra.
Qed.

(* A criterion is as strict as its largest ratio. *)
Lemma ratio_level b : 1 <= b -> (forall x, 0 <= x -> ((forall p, 0 < p < 1 -> respected up down x p) <-> x <= b)) ->
  forall k m P, mechanism k m P ->
  (posteriors_within k m up down P <-> forall j l, (j < k)%nat -> (l < k)%nat -> private_pair m b 0 P j l).
Proof.
  intros B1 Is k m P M. split; [|apply ratios_within; auto; apply Is; lra].
  intros C j l Hj Hl. apply (private_pair_rows k m P _ j l M Hj Hl). intros o Ho.
  assert (Z : 0 <= P o l) by (apply M; auto). assert (A : 0 <= P o j) by (apply M; auto).
  destruct (Rle_lt_dec (P o j) (b * P o l)) as [|V]; auto. exfalso.
  destruct (Nat.eq_dec j l) as [->|N].
  { assert (1 * P o l <= b * P o l) by (apply Rmult_le_compat_r; lra). lra. }
  assert (X : exists r, b < r /\ r * P o l < P o j).
  { destruct Z as [Z|Z].
    - exists ((b + P o j / P o l) / 2). assert (Y : b < P o j / P o l).
      { apply (Rmult_lt_reg_r (P o l)); auto. replace (P o j / P o l * P o l) with (P o j) by (field; lra). exact V. }
      split; [lra|]. replace ((b + P o j / P o l) / 2 * P o l) with ((b * P o l + P o j) / 2) by (field; lra). lra.
    - exists (b + 1). split; [lra|]. rewrite <- Z in *. lra. }
  destruct X as [r [R1 R2]].
  assert (NotE : ~ forall p, 0 < p < 1 -> respected up down r p) by (intros Er; apply Is in Er; lra).
  apply NotE. intros p I. destruct (infimum_defined p I) as [D1 D2].
  assert (Pj : 0 < P o j) by (assert (0 <= r * P o l) by (apply Rmult_le_pos; lra); lra).
  assert (K : forall s h, meets_side k m P s h -> defined_at h p -> good s (formula_at h p) r p).
  { intros s h Ms D. split; [exact D|]. destruct (Rle_lt_dec 0 (excess_at s r (value_of (fun _ => p) (formula_at h p)) p)) as [|Q]; auto. exfalso.
    destruct (two_entries k m P s h o j l p M Ms Ho Hj Hl N Pj I) as [_ Dev].
    pose proof (excess_deviates s r (P o j) (P o l) (bound_at h p) p ltac:(lra) ltac:(lra) R2 I) as Y. unfold bound_at in *. lra. }
  split; [destruct up as [h|] eqn:EU|destruct down as [h|] eqn:ED]; cbn [given_bound] in *; auto.
  - apply K; auto. intros o' q F Ho' Dq Pos p' I'. destruct (C o' q F Ho' Dq Pos I') as [W _]. split; [exact W|exact Logic.I].
  - apply K; auto. intros o' q F Ho' Dq Pos p' I'. destruct (C o' q F Ho' Dq Pos I') as [_ W]. split; [exact Logic.I|exact W].
Qed.
End Infimum.

Lemma private_pair_weaker k m P g d g' d' j l : mechanism k m P -> (l < k)%nat -> g <= g' -> d <= d' ->
  private_pair m g d P j l -> private_pair m g' d' P j l.
Proof.
  intros [N _] Hl Hg Hd H E. specialize (H E).
  assert (0 <= event_probability m (given P l) E) by (apply event_nonneg; intros; apply N; auto).
  assert (g * event_probability m (given P l) E <= g' * event_probability m (given P l) E)
    by (apply Rmult_le_compat_r; auto). lra.
Qed.

Section Criterion.
Context (up down : option (list piece)) (i : infimum) (below above : Q).
Context (checked : check_criterion up down i below above = true).
Lemma criterion_infimum : check_infimum up down i = true.
Proof. unfold check_criterion in checked. split_checks. auto. Qed.
Lemma criterion_ends : 1 <= Q2R below <= Q2R (least i) /\ Q2R (most i) <= Q2R above.
Proof.
  unfold check_criterion in checked. split_checks. repeat match goal with X : Qle_bool _ _ = true |- _ => apply qle_R in X end.
  rewrite one_R in *. lra.
Qed.
Lemma criterion_bounds : 1 <= Q2R below <= Q2R above.
Proof. pose proof criterion_ends. destruct (infimum_bounds _ _ _ criterion_infimum) as [B _]. lra. Qed.
Lemma criterion_defined p : 0 < p < 1 -> given_bound up (fun h => defined_at h p) /\ given_bound down (fun h => defined_at h p).
Proof. apply infimum_defined with (i := i). exact criterion_infimum. Qed.
Lemma criterion_level : exists b, Q2R below <= b <= Q2R above /\
  forall k m P, mechanism k m P ->
  (posteriors_within k m up down P <-> forall j l, (j < k)%nat -> (l < k)%nat -> private_pair m b 0 P j l).
Proof.
  pose proof criterion_ends. destruct (largest_ratio _ _ _ criterion_infimum) as [b [B [_ Is]]]. exists b. split; [lra|].
  apply ratio_level with (i := i); auto; [exact criterion_infimum|lra].
Qed.
Lemma criterion_below k m P : mechanism k m P ->
  (forall j l, (j < k)%nat -> (l < k)%nat -> private_pair m (Q2R below) 0 P j l) -> posteriors_within k m up down P.
Proof.
  destruct criterion_level as [b [B C]]. intros M A. apply C; auto. intros j l Hj Hl.
  apply (private_pair_weaker k m P (Q2R below) 0); auto; lra.
Qed.
Lemma criterion_above k m P : mechanism k m P -> posteriors_within k m up down P ->
  forall j l, (j < k)%nat -> (l < k)%nat -> private_pair m (Q2R above) 0 P j l.
Proof.
  destruct criterion_level as [b [B C]]. intros M A j l Hj Hl. apply (private_pair_weaker k m P b 0); auto; [lra|lra|].
  exact (proj1 (C k m P M) A j l Hj Hl).
Qed.
End Criterion.

Theorem check_largest_ratio_ok up down i : check_largest_ratio up down i = true ->
  true_claim (LargestRatio up down (least i) (most i) (attained i)).
Proof.
  unfold check_largest_ratio. intros H. apply both in H as [H T]. destruct (largest_ratio _ _ _ H) as [b [B [Top Is]]].
  exists b. split; [exact B|]. split.
  { intros x X. rewrite <- (Is x X). split; intros G p I; apply respected_odds; auto. }
  split.
  { intros B1. split; [exact B1|]. split; [reflexivity|]. intros k m P M. rewrite (ratio_level _ _ _ H b B1 Is k m P M).
    split; [intros X E j h Hj Hh; exact (X j h Hj Hh E)|intros X j h Hj Hh E; exact (X E j h Hj Hh)]. }
  pose proof (infimum_bounds _ _ _ H) as [IB IT]. pose proof H as K. unfold check_infimum in K. destruct (top_of i) as [top|]; [|discriminate].
  cbv zeta in K. apply both in K as [[[[[C1 C2]%both C3]%both U]%both D]%both K]. specialize (IT top eq_refl). specialize (Top top eq_refl).
  destruct (attained i) as [[|]|] eqn:A; auto.
  - apply qeq_R in T.
    assert (E : b = Q2R top) by lra. subst b.
    assert (Kp : forall s h, check_point s (bounds_of i top) h (piece_of_point i) (place_of_point i) = true ->
      exists p, 0 < p < 1 /\ excess_at s (Q2R top) (bound_at h p) p <= 0).
    { intros s h Hc. unfold check_point in Hc. destruct (nth_error h (piece_of_point i)) as [x|] eqn:N; [|discriminate].
      apply both in Hc as [[As At]%both Hc]. cbn [is_attained bounds_of] in At. rewrite A in At.
      destruct (place_of_point i) as [c| |]; try discriminate. unfold same_piece in At.
      destruct (piece_at h c) as [o|] eqn:Q; [|discriminate]. apply Nat.eqb_eq in At. subst o.
      assert (V : one_variable (formula x) = true /\ 0 < Q2R c < 1 /\ exists v, qvalue_of [c] (formula x) = Some v /\ Qle_bool (excess_value s top v c) 0 = true).
      { apply orb_prop in Hc. destruct Hc as [Hc|Hc].
        - unfold check_place in Hc. apply both in Hc as [[_ O]%both Hc].
          destruct (bind (fraction_of (formula x)) (bound_fraction s)) as [[n d]|]; [|discriminate].
          apply both in Hc as [[[[P0 P1]%both _]%both _]%both Hc]. apply qlt_R in P0, P1. rewrite zero_R in P0. rewrite one_R in P1.
          destruct (qvalue_of [c] (formula x)) as [v|]; [|discriminate]. split; [auto|]. split; [lra|]. eauto.
        - apply both in Hc as [[[[O P0]%both P1]%both _]%both Hc]. apply qlt_R in P0, P1. rewrite zero_R in P0. rewrite one_R in P1.
          destruct (qvalue_of [c] (formula x)) as [v|]; [|discriminate]. split; [auto|]. split; [lra|]. eauto. }
      destruct V as [O [I [v [E V]]]]. destruct (value_at_prior _ _ _ O E) as [_ W]. apply qle_R in V.
      rewrite zero_R, excess_value_R, W in V. exists (Q2R c). split; [lra|]. unfold bound_at.
      rewrite (piece_at_ok c h _ x Q N). exact V. }
    destruct (side_of_point i); [destruct up as [h|]|destruct down as [h|]]; try discriminate; destruct (Kp _ _ K) as [p [I N]];
      exists p; (split; [exact I|]); unfold odds_compare; cbn [given_bound]; unfold excess_at in N; cbn [bound_of_side prior_of] in N;
      intros [O1 O2]; [destruct O1 as [_ O1]|destruct O2 as [_ O2]]; lra.
  - intros p I. destruct (infimum_defined _ _ _ H p I) as [D1 D2].
    assert (F : forall s h cs, check_pieces s (bounds_of i top) 0 true h cs = true -> 0 < excess_at s b (bound_at h p) p).
    { intros s h cs Hc. apply (excess_falls s b (Q2R top)); auto.
      - lra.
      - apply (check_pieces_strict s (bounds_of i top) A p I h _ _ _ Hc). left. rewrite zero_R. lra. }
    unfold odds_compare. split; [destruct up as [h|]|destruct down as [h|]]; cbn [given_bound check_side] in *; auto; (split; [assumption|]);
      [pose proof (F _ _ _ U) as X|pose proof (F _ _ _ D) as X]; unfold excess_at in X; cbn [bound_of_side prior_of] in X; lra.
Qed.
