(** The proved checker as other modules see it. Numbers are private: they come from [number], [index] and [positive_of]
    alone, which test signs and lowest terms. The compiler refuses every other way. *)

type q = private { qnum : Z.t; qden : Z.t }
type nat = private int
type positive = private Z.t

val number : Z.t -> Z.t -> q option
val index : Z.t -> nat option
val positive_of : Z.t -> positive option

type level = Log of q * positive * positive | Rational of q
type slack = Slack of q | Exponential of q
type pairs = AllPairs | SomePairs of (nat * nat) list
type expression =
  | NumberOf of q
  | VariableOf of nat
  | SumOf of expression * expression
  | ProductOf of expression * expression
  | Negative of expression
  | PowerOf of expression * nat
  | QuotientOf of expression * expression

type piece = { stop : q; closed : bool; formula : expression }

type condition =
  | AtLevel of level * slack * pairs
  | Posteriors of piece list option * piece list option

type region = { conditions : condition list; entries : (q list list * q list list) option }

type objective =
  | Estimate of q list list
  | Trace of q list
  | Loss of q list list
  | LargestDistance of q list list
  | TotalDistance of q list list
  | Payoff of q list list
  | TotalVariation of q list
  | ChiSquare of q list
  | MutualInformation
  | KullbackLeibler of q list
  | Hellinger of q list
  | JensenShannon of q list
  | AlphaDivergence of q list * q
  | Mixture of objective * q list * q list list
  | EstimateMixture of q list list * q list * q list list

type problem = {
  categories : nat;
  outputs : nat option;
  region_of : region;
  objective_of : objective;
  population : q list;
}

type relation = AtMost | AtLeast | Equal
type form = (nat * q) list
type row = { form_of : form; relation_of : relation; bound_of : q }
type program = { cost : q list; free : bool list; rows : row list }

type binary_region = { binary_condition : condition; symmetric : bool }
type corner = Balanced | FirstCertain | SecondCertain

type level_point = { rational : q; factor : q; radicand : positive }
type cover_row = { output_of : nat; set_of : bool list; weight_of : q }
type level_piece = { ending : level_point option; value_a : q; value_b : q; value_c : q; cover : cover_row list }

type claim =
  | EveryLevel of nat * q list list * level_point * level_point option * level_piece list
  | BudgetSplit of level * q list * q list * q * q * q list list list
  | JointSplit of level * nat * q * q * q * q list list list
  | BestDesigns of binary_region * q * q * q * q list list * corner list * q * q * q list list list
  | WorstCase of binary_region * q * q * q * q * q list list
  | Regret of binary_region * q * q * q * q * q list list
  | Identity of expression list * expression * expression * q list option
  | Inequality of (bool * expression) list * bool * expression * q list option
  | Bracket of problem * q * q * q list list
  | ConditionalVariance of nat * nat option * region * q list * q * q * q list list
  | WorstContrast of problem * q * q * q list list
  | Determinant of problem * q * q * q list list
  | NoMechanism of nat * nat * region
  | Optimum of program * q * q * q list
  | NoPoint of program
  | LargestRatio of piece list option * piece list option * q * q * bool option
  | Garbling of nat * q list list * q list list
  | NoGarbling of nat * q list list * q list list

type side = Up | Down
type cell = { cell_end : q; near : bool }
type place = AtPrior of q | AtZero | AtOne

type infimum = {
  least : q;
  most : q;
  exact_value : expression option;
  attained : bool option;
  cells_up : cell list list;
  cells_down : cell list list;
  side_of_point : side;
  piece_of_point : nat;
  place_of_point : place;
}

type ends = { gamma_below : q; gamma_above : q; delta_below : q; delta_above : q; infimum_of : infimum option }

type multiplier = ((nat * nat) * q) * q

type way = (multiplier list * multiplier list) list option

type quadratic = { c0 : q; c1 : q; c2 : q }
type level_cell = { cell_ending : level_point option; duals : quadratic list }

type certificate =
  | RaysConditional of
      nat * nat option * region * q list * q list * ends list * q * q * q list list * q list * q list list option list
      * q list list * q list list
  | ValuesConditional of
      nat * nat option * region * q list * q list * ends list * q * q * q list list * q list * q list * q list list * q list list
  | ValuesDesign of problem * ends list * q * q * q list list * q list * q list * q list list * q list list
  | LevelCells of nat * q list list * level_point * level_point option * level_piece list * level_cell list list
  | LinesInfeasible of nat * nat * region * ends list * q list * q list list option list * q list list * way
  | LinearOptimum of program * q * q * q list * (nat * q) list
  | LinearNoPoint of program * (nat * q) list
  | GarblingKernel of nat * q list list * q list list * q list list
  | DecisionProblem of nat * q list list * q list list * q list list
  | RaysDesign of problem * ends list * q * q * q list list * q list * q list list option list * q list list * q list list
  | RaysSums of problem * ends list * q * q * q list list * q list * q list list option list * nat
  | RaysMixture of
      problem * ends list * q * q * q list list * q list * q list list option list * q list list list * q list list list
  | BracketLines of
      problem * ends list * q * q * q list list * q list * q list list option list * q list list * q list list * way
  | BracketEigenvalue of
      problem * ends list * q * q * q list list * q list * q list list option list * q list * q list list * q list list
  | BracketVolume of
      problem * ends list * q * q * q list list * q list * q list list option list * q list * q list list * q list list * nat
  | IdentityCofactors of nat * expression list * expression * expression * expression list * q list option
  | HandelmanTerms of nat * (bool * expression) list * bool * expression * (q * (nat * nat) list) list * q list option
  | VertexDesigns of
      binary_region * ends * q * q * q * q list list * q list list list * ((q * q) * (q * q)) option
  | IntervalWorst of binary_region * ends * q * q * q * q * q list list
  | IntervalRegret of binary_region * ends * q * q * q * q * q list list
  | CoverCriterion of piece list option * piece list option * infimum
  | BitsSplit of level * q * q * q list * q list * q * q * q list list list
  | BitsJoint of level * q * q * nat * q * q * q * q list list list

val is_distribution : nat -> q list -> bool

val is_covered : expression -> bool
(** Whether the bound of a criterion is one that the theorem is about. *)

val claim_of : certificate -> claim
(** What the theorem [accepted] of Checker.v is about. *)

val accept : certificate -> bool
