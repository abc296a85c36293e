(* The checker, and the theorem: what it accepts is true. *)

From Coq Require Import Reals QArith Qreals List Bool.
From Rropt Require Import Definitions.
From Kernel Require Import Statement Numbers Criteria Programs Levels Regions Designs Solutions Garblings Rays RayRules Values RaySums RayMixtures Contrasts Determinants Eigen Volume Lines Polynomials Binary BinaryRules Splits JointSplits EveryLevel Conditional.

(* A certificate: what is claimed, and the numbers that prove it. *)
Inductive certificate :=
| RaysConditional (k : nat) (n : option nat) (G : region) (x y : list Q) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (w estimator : list (list Q))   (* y: shares of the categories *)
| ValuesConditional (k : nat) (n : option nat) (G : region) (x y : list Q) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha cuts : list Q) (w estimator : list (list Q))
| ValuesDesign (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q)) (alpha cuts : list Q)
    (w estimator : list (list Q))
| LevelCells (k : nat) (costs : list (list Q)) (from : level_point) (upto : option level_point) (ss : list level_piece)
    (cells : list (list level_cell))          (* for each piece *)
| LinesInfeasible (k m : nat) (G : region) (es : list ends) (alpha : list Q) (betas : list (option (list (list Q))))
    (limits : list (list Q)) (w : way)
| LinearOptimum (p : program) (lower upper : Q) (point : list Q) (dual : list (nat * Q))
| LinearNoPoint (p : program) (dual : list (nat * Q))
| GarblingKernel (k : nat) (source target kernel : list (list Q))
| DecisionProblem (k : nat) (source target payoff : list (list Q))
| RaysDesign (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (w : list (list Q)) (estimator : list (list Q))
| RaysSums (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (digits : nat)     (* of logarithms and roots *)
| RaysMixture (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (ws estimators : list (list (list Q)))
| BracketLines (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (limits lines : list (list Q)) (w : way)
| BracketEigenvalue (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (weights : list Q) (w estimator : list (list Q))
| BracketVolume (p : problem) (es : list ends) (lower upper : Q) (matrix : list (list Q))
    (alpha : list Q) (betas : list (option (list (list Q)))) (weights : list Q) (w estimator : list (list Q)) (digits : nat)
| IdentityCofactors (n : nat) (relations : list expression) (a b : expression) (cofactors : list expression)
    (point : option (list Q))                 (* n: the number of variables *)
| HandelmanTerms (n : nat) (hypotheses : list (bool * expression)) (strict : bool) (e : expression)
    (terms : list handelman_term) (point : option (list Q))
| VertexDesigns (G : binary_region) (e : ends) (pi lower upper : Q) (matrix : list (list Q))
    (listed : list (list (list Q))) (segment : option (design * design))
| IntervalWorst (G : binary_region) (e : ends) (least most lower upper : Q) (matrix : list (list Q))
| IntervalRegret (G : binary_region) (e : ends) (least most lower upper : Q) (matrix : list (list Q))
| CoverCriterion (up down : option (list piece)) (i : infimum)
| BitsSplit (e : level) (below above : Q) (weights shares : list Q) (lower upper : Q) (devices : list (list (list Q)))
| BitsJoint (e : level) (below above : Q) (n : nat) (squares lower upper : Q) (devices : list (list (list Q))).

Definition claim_of (c : certificate) : claim :=
  match c with
  | RaysConditional k n G x _ _ lower upper a _ _ _ _ => ConditionalVariance k n G x lower upper a
  | ValuesConditional k n G x _ _ lower upper a _ _ _ _ => ConditionalVariance k n G x lower upper a
  | ValuesDesign p _ lower upper a _ _ _ _ => Bracket p lower upper a
  | LevelCells k costs from upto ss _ => EveryLevel k costs from upto ss
  | LinesInfeasible k m G _ _ _ _ _ => NoMechanism k m G
  | LinearOptimum p lower upper x _ => Optimum p lower upper x
  | LinearNoPoint p _ => NoPoint p
  | GarblingKernel k s t _ => Garbling k s t
  | DecisionProblem k s t _ => NoGarbling k s t
  | RaysDesign p _ lower upper a _ _ _ _ => Bracket p lower upper a
  | RaysSums p _ lower upper a _ _ _ => Bracket p lower upper a
  | RaysMixture p _ lower upper a _ _ _ _ => Bracket p lower upper a
  | BracketLines p _ lower upper a _ _ _ _ _ => Bracket p lower upper a
  | BracketEigenvalue p _ lower upper a _ _ _ _ _ => WorstContrast p lower upper a
  | BracketVolume p _ lower upper a _ _ _ _ _ _ => Determinant p lower upper a
  | IdentityCofactors _ rs a b _ y => Identity rs a b y
  | HandelmanTerms _ hs s e _ y => Inequality hs s e y
  | VertexDesigns G e pi lower upper a listed _ =>
    BestDesigns G pi lower upper a (best_corners (symmetric G) e pi) (gamma_below e) (delta_below e) listed
  | IntervalWorst G _ least most lower upper a => WorstCase G least most lower upper a
  | IntervalRegret G _ least most lower upper a => Regret G least most lower upper a
  | CoverCriterion up down i => LargestRatio up down (Criteria.least i) (Criteria.most i) (Criteria.attained i)
  | BitsSplit e _ _ ws qs lower upper ds => BudgetSplit e ws qs lower upper ds
  | BitsJoint e _ _ n squares lower upper ds => JointSplit e n squares lower upper ds
  end.

Definition accept (c : certificate) : bool :=
  match c with
  | RaysConditional k n G x y es lower upper a alpha bs w e => check_conditional k n G x y es lower upper a alpha bs w e
  | ValuesConditional k n G x y es lower upper a alpha cuts w e => check_conditional_values k n G x y es lower upper a alpha cuts w e
  | ValuesDesign p es lower upper a alpha cuts w e => check_values p es lower upper a alpha cuts w e
  | LevelCells k costs from upto ss cells => check_every_level k costs from upto ss cells
  | LinesInfeasible k m G es alpha bs limits w => check_no_mechanism k m G es alpha bs limits w
  | LinearOptimum p lower upper x dual => check_optimum p lower upper x dual
  | LinearNoPoint p dual => check_no_point p dual
  | GarblingKernel k s t c => check_garbling k s t c
  | DecisionProblem k s t y => check_decision k s t y
  | RaysDesign p es lower upper a alpha bs w e => check_rays p es lower upper a alpha bs w e
  | RaysSums p es lower upper a alpha bs digits => check_sums p es lower upper a alpha bs digits
  | RaysMixture p es lower upper a alpha bs ws e => check_mixture p es lower upper a alpha bs ws e
  | BracketLines p es lower upper a alpha bs limits lines w => check_lines p es lower upper a alpha bs limits lines w
  | BracketEigenvalue p es lower upper a alpha bs d w e => check_eigenvalue p es lower upper a alpha bs d w e
  | BracketVolume p es lower upper a alpha bs d w e digits => check_volume p es lower upper a alpha bs d w e digits
  | IdentityCofactors n rs a b cs y => check_identity n rs a b cs y
  | HandelmanTerms n hs s e ts y => check_handelman n hs s e ts y
  | VertexDesigns G e pi lower upper a listed segment => check_best G e pi lower upper a listed segment
  | IntervalWorst G e least most lower upper a => check_worst G e least most lower upper a
  | IntervalRegret G e least most lower upper a => check_regret G e least most lower upper a
  | CoverCriterion up down i => check_largest_ratio up down i
  | BitsSplit e below above ws qs lower upper ds => check_split e below above ws qs lower upper ds
  | BitsJoint e below above n squares lower upper ds => check_joint e below above n squares lower upper ds
  end.

Theorem accepted : forall c, accept c = true -> true_claim (claim_of c).
Proof.
  intros [] H; cbn [accept claim_of] in *.
  - exact (check_conditional_ok _ _ _ _ _ _ _ _ _ _ _ _ _ H).
  - exact (check_conditional_values_ok _ _ _ _ _ _ _ _ _ _ _ _ _ H).
  - exact (check_values_ok _ _ _ _ _ _ _ _ _ H).
  - exact (check_every_level_ok _ _ _ _ _ _ H).
  - exact (check_no_mechanism_ok _ _ _ _ _ _ _ _ H).
  - exact (check_optimum_ok _ _ _ _ _ H).
  - exact (check_no_point_ok _ _ H).
  - exact (check_garbling_ok _ _ _ _ H).
  - exact (check_decision_ok _ _ _ _ H).
  - exact (check_rays_ok _ _ _ _ _ _ _ _ _ H).
  - exact (check_sums_ok _ _ _ _ _ _ _ _ H).
  - exact (check_mixture_ok _ _ _ _ _ _ _ _ _ H).
  - exact (check_lines_ok _ _ _ _ _ _ _ _ _ _ H).
  - exact (check_eigenvalue_ok _ _ _ _ _ _ _ _ _ _ H).
  - exact (check_volume_ok _ _ _ _ _ _ _ _ _ _ _ H).
  - exact (check_identity_ok _ _ _ _ _ _ H).
  - exact (check_handelman_ok _ _ _ _ _ _ H).
  - exact (check_best_ok _ _ _ _ _ _ _ _ H).
  - exact (check_worst_ok _ _ _ _ _ _ _ H).
  - exact (check_regret_ok _ _ _ _ _ _ _ H).
  - exact (check_largest_ratio_ok _ _ _ H).
  - exact (check_split_ok _ _ _ _ _ _ _ _ H).
  - exact (check_joint_ok _ _ _ _ _ _ _ _ H).
Qed.
