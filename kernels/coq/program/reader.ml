(* Reads certificates as records of the proved checker. *)

open Json
open Kernel

exception Not_covered of string

let not_covered words = raise (Not_covered words)

(* Limits of FORMAT.md, and one of this checker: variables of a rebuilt program. *)
let max_digits = 20_000
let max_parameter_digits = 400
let max_bracket_digits = 2_600
let max_entries = 1 lsl 18
let max_variables = 1 lsl 20

(* Objects have exactly these keys. There is a part for each key, so `let [ a; b ] = members ...` matches always (the
   compiler's warning of partial matches is off). *)
let members what keys value =
  match value with
  | Object found ->
    List.iter (fun (key, _) -> if not (List.mem key keys) then reject ("an unknown key in " ^ what)) found;
    List.map
      (fun key -> match List.assoc_opt key found with Some part -> part | None -> reject ("a key is missing in " ^ what))
      keys
  | _ -> reject (what ^ " is not an object")

let list what value =
  match value with
  | List parts -> if List.length parts > max_entries then reject (what ^ " is too long") else parts
  | _ -> reject (what ^ " is not a list")

(* A list of so many parts. *)
let tuple what n value =
  let parts = list what value in
  if List.length parts <> n then reject (Printf.sprintf "%s has not %d parts" what n) else parts

let rec ascending what = function
  | a :: (b :: _ as rest) -> if compare a b >= 0 then reject (what ^ " are not in ascending order") else ascending what rest
  | _ -> ()

let text what value = match value with Text words -> words | _ -> reject (what ^ " is not a text")

(* What a word stands for. *)
let one_of what words value =
  match List.assoc_opt (text what value) words with Some meaning -> meaning | None -> reject (what ^ " is unknown")

let option read = function Null -> None | value -> Some (read value)
let kind what value =
  match value with
  | Object found -> (match List.assoc_opt "kind" found with Some k -> text what k | None -> reject ("no kind in " ^ what))
  | _ -> reject (what ^ " is not an object")

(* -?digits or -?digits/digits in lowest terms; signs and lowest terms are tested by [Kernel.number]. *)
let fraction ?(digits = max_digits) value =
  let words = text "a number" value in
  let is_digits s =
    let n = String.length s in
    if n = 0 then reject "a number has no digits";
    if n > digits then reject "a number has too many digits";
    String.iter (fun c -> if c < '0' || c > '9' then reject "a number is not written as digits or digits/digits") s;
    if n > 1 && s.[0] = '0' then reject "a number has a leading zero"
  in
  let negative = String.length words > 0 && words.[0] = '-' in
  let rest = if negative then String.sub words 1 (String.length words - 1) else words in
  let n, d =
    match String.index_opt rest '/' with
    | None -> (is_digits rest; (rest, "1"))
    | Some i ->
      let n = String.sub rest 0 i and d = String.sub rest (i + 1) (String.length rest - i - 1) in
      is_digits n;
      is_digits d;
      if d = "1" then reject "a denominator is 1";
      (n, d)
  in
  if negative && n = "0" then reject "a number is -0";
  let n = Z.of_string n in
  match number (if negative then Z.neg n else n) (Z.of_string d) with
  | Some q -> q
  | None -> reject "a fraction is not in lowest terms"

let integer value =
  let q = fraction value in
  if Z.equal q.qden Z.one then q.qnum else reject "a count is not an integer"

let count what value =
  match index (integer value) with Some n -> n | None -> reject (what ^ " is out of range")

let size what least value =
  let n = count what value in
  if (n :> int) < least || (n :> int) > max_entries then reject (what ^ " is out of range") else n

let sign q = Z.sign q.qnum
let vector ?digits what length value =
  let found = List.map (fraction ?digits) (list what value) in
  if List.length found <> length then reject (what ^ " has not the right length") else found

let matrix ?digits ?rows ?columns what value =
  let found = List.map (fun row -> List.map (fraction ?digits) (list what row)) (list what value) in
  let m = List.length found in
  let k = match found with row :: _ -> List.length row | [] -> 0 in
  if m = 0 || k = 0 then reject (what ^ " is empty");
  if List.exists (fun row -> List.length row <> k) found then reject (what ^ " has rows of different lengths");
  (match rows with Some r when r <> m -> reject (what ^ " has not the right number of rows") | _ -> ());
  (match columns with Some c when c <> k -> reject (what ^ " has not the right number of columns") | _ -> ());
  found

let rows_of a = List.length a
let columns_of a = List.length (List.hd a)
let mechanism ?rows ?columns value =
  let [ a ] = members "a mechanism" [ "matrix" ] value in
  matrix ?rows ?columns "a mechanism" a

(* Small numbers for matrices of the objectives. *)
let constant n = match number (Z.of_int n) Z.one with Some q -> q | None -> assert false
let zero = constant 0
let one = constant 1

let nat_of i = match index (Z.of_int i) with Some n -> n | None -> reject "an index is out of range"

(* Expressions. *)
let max_names = 40
let max_list = 64
let max_degree = 1024

let names what value =
  let is_name s =
    let n = String.length s in
    n >= 1 && n <= 32
    && (match s.[0] with 'a' .. 'z' -> true | _ -> false)
    && String.for_all (fun c -> match c with 'a' .. 'z' | '0' .. '9' | '_' -> true | _ -> false) s
  in
  let found = List.map (text what) (list what value) in
  if List.length found > max_names then reject "there are too many names";
  if not (List.for_all is_name found) then reject "a name is not lower-case letters, digits and underscores";
  if List.length (List.sort_uniq compare found) <> List.length found then reject "a name is declared twice";
  found

let short what value =
  let found = list what value in
  if List.length found > max_list then reject (what ^ " is too long") else found

let exponent value =
  let n = count "an exponent" value in
  if (n :> int) > max_degree then reject "an exponent is beyond the limit" else n

let rec expression ~quotients declared value =
  let again = expression ~quotients declared in
  let joined what join value =
    match List.map again (list what value) with
    | first :: (_ :: _ as rest) -> List.fold_left join first rest
    | _ -> reject (what ^ " has too few parts")
  in
  match value with
  | Text words when words <> "" && (match words.[0] with 'a' .. 'z' -> true | _ -> false) ->
    let rec find i = function
      | [] -> reject "a name is not declared"
      | name :: rest -> if name = words then VariableOf (nat_of i) else find (i + 1) rest
    in
    find 0 declared
  | Text _ -> NumberOf (fraction value)
  | Object [ ("sum", a) ] -> joined "a sum" (fun a b -> SumOf (a, b)) a
  | Object [ ("product", a) ] -> joined "a product" (fun a b -> ProductOf (a, b)) a
  | Object [ ("negative", a) ] -> Negative (again a)
  | Object [ ("power", a) ] ->
    let [ a; n ] = tuple "a power" 2 a in
    PowerOf (again a, exponent n)
  | Object [ ("quotient", a) ] when quotients ->
    let [ a; b ] = List.map again (tuple "a quotient" 2 a) in
    QuotientOf (a, b)
  | _ -> reject "an expression is unknown"

(* Levels and regions. *)
let positive z = match positive_of z with Some p -> p | None -> reject "a factor of a level is not positive"

let level value =
  let fraction = fraction ~digits:max_parameter_digits in
  let log q t =
    if Z.leq q.qnum q.qden then reject "a level is log of a number of at most 1";
    Log (q, positive t.qnum, positive t.qden)
  in
  match value with
  | Object found when List.mem_assoc "rational" found ->
    (let [ r ] = members "a level" [ "rational" ] value in
     let r = fraction r in if sign r < 0 then reject "a level is negative" else Rational r)
  | Object found when List.mem_assoc "times" found ->
    (let [ q; t ] = members "a level" [ "log"; "times" ] value in
     let q = fraction q and t = fraction t in
     if Z.equal t.qden Z.one then reject "a factor of a level is whole: carry it out";
     log q t)
  | _ ->
    let [ q ] = members "a level" [ "log" ] value in
    log (fraction q) one

let in_unit ?(digits = max_bracket_digits) what value =
  let q = fraction ~digits value in
  if sign q < 0 || Z.gt q.qnum q.qden then reject (what ^ " is not in [0, 1]") else q

let slack value =
  match value with
  | Object _ ->
    (let [ r ] = members "delta" [ "exp" ] value in
     let r = fraction ~digits:max_parameter_digits r in
     if sign r >= 0 then reject "delta is exp of a number that is not negative" else Exponential r)
  | _ -> Slack (in_unit ~digits:max_parameter_digits "delta" value)

type shape = { k : nat; m : nat option; conditions : condition list; entries : (q list list * q list list) option }

let sizes inputs outputs =
  let k = size "the number of inputs" 2 inputs in
  let m = match outputs with Text "any" -> None | _ -> Some (size "the number of outputs" 2 outputs) in
  (k, m)

(* Pairs of different inputs in strictly ascending order. *)
let listed_pairs k parts =
  let input part =
    let i = count "an input" part in
    if (i :> int) >= k then reject "a pair has an input that is out of range" else i
  in
  let pairs =
    List.map
      (fun part ->
        let [ j; l ] = List.map input (tuple "a pair" 2 part) in
        if j = l then reject "a pair has the same input twice" else (j, l))
      parts
  in
  if pairs = [] then reject "a level has no pairs";
  ascending "the pairs" pairs;
  SomePairs pairs

(* The bounds of a criterion. Functions that the theorem is not about are not covered. *)
let max_cover_digits = 300
let max_cover_cells = 4096
let max_cover_order = 4

let truth what value = match value with True -> true | False -> false | _ -> reject (what ^ " is not true or false")

let rec is_irrational value =
  match value with
  | Object [ (("sqrt" | "exp" | "log" | "minimum" | "maximum"), _) ] -> true
  | Object [ ("power", List [ a; Text n ]) ] -> String.contains n '/' || is_irrational a
  | Object [ (_, part) ] -> is_irrational part
  | List parts -> List.exists is_irrational parts
  | _ -> false

let bound_expression declared value =
  if is_irrational value then not_covered "criteria that are no rational functions of the prior";
  let e = expression ~quotients:true declared value in
  if not (is_covered e) then not_covered "criteria with such quotients or powers";
  e

let bound value =
  let [ pieces ] = members "a function" [ "pieces" ] value in
  List.map
    (fun part ->
      match members "a piece" [ "to"; "closed"; "value" ] part with
      | [ Object _; _; _ ] -> not_covered "pieces that end at a root"
      | [ stop; closed; value ] ->
        let stop = in_unit "the end of a piece" stop in
        { stop; closed = truth "closed" closed; formula = bound_expression [ "p" ] value }
      | _ -> assert false)
    (short "the pieces" pieces)

let optional_bound = option bound

let ends_of value =
  let [ below; above ] = members "a bracket" [ "below"; "above" ] value in
  (fraction ~digits:max_bracket_digits below, fraction ~digits:max_bracket_digits above)

(* The cells and the point of a criterion are written for priors from which the bound is seen as one from above: of `down`
   these are 1 - p, from right to left. Pieces that are the point 0 or 1 have no cells. *)
let one_minus q = match number (Z.sub q.qden q.qnum) q.qden with Some r -> r | None -> assert false

let cell_method value order =
  let order = count "an order" order in
  let name = text "a method" value in
  if not (List.mem name [ "bernstein"; "low"; "high"; "middle" ]) then reject "a method is unknown";
  if (order :> int) > max_cover_order || (name = "bernstein") <> ((order :> int) = 0) then reject "an order is out of range";
  name

let with_starts pieces =
  List.rev (snd (List.fold_left (fun (start, found) piece -> (piece.stop, (start, piece) :: found)) (zero, []) pieces))

(* The indices of the pieces that have cells, in the order of the covers. *)
let kept side pieces =
  let has_prior (start, piece) = sign piece.stop > 0 && start <> one in
  let places = List.concat (List.mapi (fun i part -> if has_prior part then [ i ] else []) (with_starts pieces)) in
  match side with Up -> places | Down -> List.rev places

let cells_of_piece side start stop value =
  let parts = list "the cells of a piece" value in
  if parts = [] then reject "a piece has no cells";
  if List.length parts > max_cover_cells then reject "a piece has too many cells";
  let left, right = match side with Up -> (start, stop) | Down -> (one_minus stop, one_minus start) in
  let last, found =
    List.fold_left
      (fun (low, found) part ->
        let [ high; near; name; order ] = members "a cell" [ "to"; "near"; "method"; "order" ] part in
        let high = in_unit "the end of a cell" high and near = truth "near" near in
        if cell_method name order <> "bernstein" && low <> high then not_covered "expansions";
        (high, (low, high, near) :: found))
      (left, []) parts
  in
  if last <> right then reject "the cells do not end with their piece";
  match side with
  | Up -> List.rev_map (fun (_, high, near) -> { cell_end = high; near }) found
  | Down -> List.map (fun (low, _, near) -> { cell_end = one_minus low; near }) found

let cover side pieces value =
  match (pieces, value) with
  | None, Null -> []
  | None, _ | _, Null -> reject "a function and its cover are not both there"
  | Some pieces, _ ->
    let places = kept side pieces and covers = list "a cover" value in
    if List.length covers <> List.length places then reject "a cover has not as many parts as its function has pieces";
    let found = List.combine places covers in
    List.mapi
      (fun i (start, piece) ->
        match List.assoc_opt i found with Some cells -> cells_of_piece side start piece.stop cells | None -> [])
      (with_starts pieces)

let place_of_point value =
  let [ side; piece; low; high; name; order ] = members "the point" [ "side"; "piece"; "from"; "to"; "method"; "order" ] value in
  let side = one_of "a side" [ ("up", Up); ("down", Down) ] side in
  let from = in_unit "an end of the point" low and upto = in_unit "an end of the point" high in
  let name = cell_method name order in
  let at_zero = sign from = 0 and at_one = upto = one in
  let place, words =
    if from = upto then
      if at_zero || at_one then reject "the point is no prior"
      else (AtPrior (match side with Up -> from | Down -> one_minus from), text "an end" low)
    else if at_zero && at_one then reject "the point is no limit"
    else if name <> "bernstein" then not_covered "expansions"
    else if at_zero then (AtZero, "0+")
    else if at_one then (AtOne, "1-")
    else reject "the interval of the point holds no irrational end of its piece"
  in
  (side, count "a piece" piece, place, words)

let infimum up down claim proof =
  let [ lower; upper; attained; at ], [ digits; exact; cells_up; cells_down; point ] =
    (members "the claim" [ "lower"; "upper"; "attained"; "at" ] claim, members "the proof" [ "digits"; "exact"; "up"; "down"; "point" ] proof)
  in
  let digits = (count "the digits" digits :> int) in
  if digits < 1 || digits > max_cover_digits then reject "the digits are out of range";
  let side_of_point, piece, place_of_point, words = place_of_point point in
  if at <> Text words then reject "the place of the claim is not that of the point";
  let pieces = match (side_of_point, up, down) with Up, Some h, _ | Down, _, Some h -> h | _ -> reject "the point is on no side" in
  let piece_of_point =
    match List.nth_opt (kept side_of_point pieces) (piece :> int) with Some i -> nat_of i | None -> reject "the point has no such piece"
  in
  { least = fraction lower; most = fraction upper;
    exact_value = option (bound_expression []) exact; attained = option (truth "attained") attained;
    cells_up = cover Up up cells_up; cells_down = cover Down down cells_down;
    side_of_point; piece_of_point; place_of_point }

let parity_bound problem claim proof =
  let [ up; down ] = members "the problem" [ "up"; "down" ] problem in
  let up = optional_bound up in
  let down = optional_bound down in
  (match claim with
   | Object found when List.exists (fun key -> List.assoc_opt key found = Some (Text "infinite")) [ "lower"; "upper" ] ->
     not_covered "an infinite ratio"
   | _ -> ());
  let found = infimum up down claim proof in
  if found.attained = Some true && (found.exact_value <> None || found.least <> found.most) then
    not_covered "an attained ratio that is not known exactly";
  CoverCriterion (up, down, found)

let part_infimum up down value =
  let [ claim; proof ] = members "the infimum" [ "claim"; "proof" ] value in
  infimum up down claim proof

(* The brackets of one condition. *)
let ends_for condition gamma delta =
  let delta_below, delta_above = ends_of delta in
  match condition with
  | Posteriors (up, down) ->
    (let [ below; above; part ] = members "a bracket" [ "below"; "above"; "infimum" ] gamma in
     let end_of = fraction ~digits:max_bracket_digits in
     { gamma_below = end_of below; gamma_above = end_of above; delta_below; delta_above; infimum_of = Some (part_infimum up down part) })
  | AtLevel _ ->
    let gamma_below, gamma_above = ends_of gamma in
    { gamma_below; gamma_above; delta_below; delta_above; infimum_of = None }

(* Objectives. *)
type kind_of_objective = Covered of objective | Conditional of q list | Variance | Worst_contrast | Determinant_of_shares

let max_order = 10   (* of an alpha-divergence, and its denominator *)
let some_nonzero a = List.exists (List.exists (fun q -> sign q <> 0)) a
let identity k = List.init k (fun i -> List.init k (fun j -> if i = j then one else zero))

let objective shape value =
  let k = (shape.k :> int) in
  let fixed what = match shape.m with Some m -> (m :> int) | None -> reject (what ^ " needs a number of outputs") in
  let only_kind () = ignore (members "the objective" [ "kind" ] value) in
  let one_key key = List.nth (members "the objective" [ "kind"; key ] value) 1 in
  let parameter = max_parameter_digits in
  let distribution_against part =
    let r = vector ~digits:parameter "against" k part in
    if not (is_distribution shape.k r) then reject "against is not a population";
    r
  in
  let against () = distribution_against (one_key "against") in
  match kind "the objective" value with
  | "variance" ->
    only_kind ();
    if k <> 2 then reject "the objective variance has 2 inputs";
    Variance
  | "trace" ->
    let w = vector "the weights" k (one_key "weights") in
    if fixed "the trace" <> k then reject "the trace has as many outputs as inputs";
    Covered (Trace w)
  | "loss" -> Covered (Loss (matrix ~rows:(fixed "a loss") ~columns:k "the losses" (one_key "matrix")))
  | "distance" ->
    (let [ _; norm; a ] = members "the objective" [ "kind"; "norm"; "matrix" ] value in
     let a = matrix ~rows:(fixed "a distance") ~columns:k "the matrix of the distance" a in
     Covered (one_of "the norm" [ ("largest", LargestDistance a); ("total", TotalDistance a) ] norm))
  | "a-optimal" -> only_kind (); Covered (Estimate (identity k))
  | ("c-optimal" | "conditional-variance") as name ->
    let c = vector ~digits:parameter "the contrast" k (one_key "contrast") in
    if not (some_nonzero [ c ]) then reject "the contrast is 0";
    if name = "c-optimal" then Covered (Estimate [ c ]) else Conditional c
  | "contrasts" ->
    let c = matrix ~digits:parameter ~columns:k "the contrasts" (one_key "contrasts") in
    if not (some_nonzero c) then reject "the contrasts are all 0";
    Covered (Estimate c)
  | "payoff" -> Covered (Payoff (matrix ~columns:k "the payoffs" (one_key "matrix")))
  | "total-variation" -> Covered (TotalVariation (against ()))
  | "chi-square" -> Covered (ChiSquare (against ()))
  | "e-optimal" -> only_kind (); Worst_contrast
  | "mutual-information" -> only_kind (); Covered MutualInformation
  | "kullback-leibler" -> Covered (KullbackLeibler (against ()))
  | "hellinger" -> Covered (Hellinger (against ()))
  | "jensen-shannon" -> Covered (JensenShannon (against ()))
  | "d-optimal" -> only_kind (); Determinant_of_shares
  | "alpha-divergence" ->
    (let [ _; q; order ] = members "the objective" [ "kind"; "against"; "order" ] value in
     let q = distribution_against q and order = fraction ~digits:parameter order in
     let ten = Z.of_int max_order in
     if (Z.equal order.qden Z.one && (Z.equal order.qnum Z.zero || Z.equal order.qnum Z.one))
        || Z.gt (Z.abs order.qnum) (Z.mul ten order.qden) || Z.gt order.qden ten
     then reject "the order of the divergence is out of range";
     Covered (AlphaDivergence (q, order)))
  | "rational-sum" -> not_covered "sums of rational functions"
  | _ -> reject "the objective is unknown"

let problem_of shape objective_of population =
  { categories = shape.k; outputs = shape.m; region_of = { conditions = shape.conditions; entries = shape.entries }; objective_of; population }

(* Pairs of an index, ascending, and a value other than 0. *)
let sparse ?below what value =
  let pair part =
    let [ i; v ] = tuple what 2 part in
    let i = count "an index" i and v = fraction v in
    (match below with Some n when (i :> int) >= n -> reject "an index is out of range" | _ -> ());
    if sign v = 0 then reject (what ^ " has a zero");
    (i, v)
  in
  let found = List.map pair (list what value) in
  ascending what (List.map fst found);
  found

let program cost signs rows =
  let free = List.map (one_of "a sign" [ ("free", true); ("nonnegative", false) ]) (list "the signs" signs) in
  let n = List.length free in
  let row part =
    let [ coefficients; relation; bound ] = members "a row" [ "coefficients"; "relation"; "bound" ] part in
    let form_of = sparse ~below:n "a row" coefficients in
    let relation_of = one_of "a relation" [ ("<=", AtMost); (">=", AtLeast); ("=", Equal) ] relation in
    { form_of; relation_of; bound_of = fraction bound }
  in
  { cost = cost n; free; rows = List.map row (list "the rows" rows) }

let multipliers = sparse "the multipliers"

let optimal_value problem claim proof =
  let [ cost; signs; rows ], [ lower; upper; point ], [ dual ] =
    (members "the problem" [ "cost"; "signs"; "rows" ] problem, members "the claim" [ "lower"; "upper"; "point" ] claim, members "the proof" [ "multipliers" ] proof)
  in
  let p = program (fun n -> vector "the cost" n cost) signs rows in
  LinearOptimum (p, fraction lower, fraction upper, vector "the point" (List.length p.free) point, multipliers dual)

let outputs_of shape = Option.map (fun (m : nat) -> (m :> int)) shape.m

let garbling problem claim proof =
  let [ source; target ], [ exists ] =
    (members "the problem" [ "source"; "target" ] problem, members "the claim" [ "exists" ] claim)
  in
  let s = mechanism source in
  let t = mechanism ~columns:(columns_of s) target in
  let k = nat_of (columns_of s) in
  (match exists with
   | True ->
     (let [ c ] = members "the proof" [ "kernel" ] proof in
      GarblingKernel (k, s, t, matrix ~rows:(rows_of t) ~columns:(rows_of s) "the kernel" c))
   | False ->
     (let [ y ] = members "the proof" [ "payoff" ] proof in
      DecisionProblem (k, s, t, matrix ~rows:(rows_of t) ~columns:(columns_of s) "the payoffs" y))
   | _ -> reject "exists is not true or false")

(* An objective with logarithms or roots: its witness has a number of digits. *)
let rec is_enclosed = function
  | MutualInformation | KullbackLeibler _ | Hellinger _ | JensenShannon _ | AlphaDivergence _ -> true
  | Mixture (o, _, _) -> is_enclosed o
  | _ -> false

let max_log_digits = 300

let digits_of value =
  let d = count "the digits" value in
  if (d :> int) < 1 || (d :> int) > max_log_digits then reject "the digits are out of range" else d

(* A budget that is split over questions. *)
let max_questions = 1024

let budget_split problem claim proof =
  let [ epsilon; objective ], [ brackets ] =
    (members "the problem" [ "epsilon"; "objective" ] problem, members "the proof" [ "brackets" ] proof)
  in
  let epsilon = level epsilon in
  let [ (below, above) ] = List.map ends_of (tuple "the brackets" 1 brackets) in
  (let [ lower; upper; mechanism ] = members "the claim" [ "lower"; "upper"; "mechanism" ] claim in
   let lower = fraction lower and upper = fraction upper in
   let devices =
     let [ devices ] = members "a mechanism" [ "product" ] mechanism in
     List.map (matrix ~rows:2 ~columns:2 "a bit") (list "the product" devices)
   in
   let n = List.length devices in
   if n > max_questions then reject "there are too many questions";
   (match kind "the objective" objective with
    | "marginals" ->
      (let [ _; weights; shares ] = members "the objective" [ "kind"; "weights"; "prevalences" ] objective in
       let numbers what value = vector ~digits:max_parameter_digits what n value in
       BitsSplit (epsilon, below, above, numbers "the weights" weights, numbers "the prevalences" shares, lower, upper, devices))
    | "joint" ->
      (let [ _; questions; squares ] = members "the objective" [ "kind"; "questions"; "squares" ] objective in
       BitsJoint (epsilon, below, above, count "the number of questions" questions, fraction squares, lower, upper, devices))
    | _ -> reject "the objective is unknown"))

(* A relation of two expressions at all points of a domain. *)
let handelman_terms hypotheses value =
  let count_of = List.length hypotheses in
  let term part =
    let [ c; powers ] = members "a term" [ "coefficient"; "powers" ] part in
    let c = fraction c in
    if sign c <= 0 then reject "a coefficient is not positive";
    let powers =
      List.map
        (fun pair ->
          let [ i; t ] = tuple "a power" 2 pair in
          let i = count "an index" i and t = exponent t in
          if (i :> int) >= count_of then reject "an index is out of range";
          if (t :> int) < 1 then reject "an exponent is 0";
          (i, t))
        (short "the powers" powers)
    in
    ascending "the powers of a term" (List.map fst powers);
    let dense = Array.make count_of 0 in
    List.iter (fun ((i : nat), (t : nat)) -> dense.((i :> int)) <- (t :> int)) powers;
    ((c, powers), Array.to_list dense)
  in
  let found = List.map term (list "the terms" value) in
  ascending "the terms" (List.map snd found);
  List.map fst found

let polynomial problem claim proof =
  let [ parameters; hypotheses; left; right ], [ relation ] =
    (members "the problem" [ "parameters"; "hypotheses"; "left"; "right" ] problem, members "the claim" [ "relation" ] claim)
  in
  let parameters = names "the parameters" parameters in
  let n = List.length parameters in
  let relation = text "the relation" relation in
  let hypotheses =
    List.map
      (fun part ->
        let [ e; sign ] = members "a hypothesis" [ "polynomial"; "relation" ] part in
        (text "a relation" sign, expression ~quotients:false parameters e))
      (short "the hypotheses" hypotheses)
  in
  let side = expression ~quotients:(relation = "=") parameters in
  let by way key =
    match members "the proof" [ "way"; key; "point" ] proof with
    | [ found; evidence; point ] when text "the way" found = way ->
      (evidence, match point with Null -> None | _ -> Some (vector "the point" n point))
    | _ -> reject "the way does not serve this relation"
  in
  if relation = "=" then begin
    if List.exists (fun (sign, _) -> sign <> "=") hypotheses then reject "a hypothesis of an identity is no equation";
    let cofactors, point = by "identity" "cofactors" in
    let cofactors = List.map (expression ~quotients:false parameters) (short "the cofactors" cofactors) in
    IdentityCofactors (nat_of n, List.map snd hypotheses, side left, side right, cofactors, point)
  end
  else begin
    let is_strict = function ">" -> true | ">=" -> false | _ -> reject "a relation is unknown" in
    let strict = is_strict relation in
    let hyps = List.map (fun (sign, e) -> (is_strict sign, e)) hypotheses in
    let excess = if right = Text "0" then side left else SumOf (side left, Negative (side right)) in
    let terms, point = by "handelman" "terms" in
    HandelmanTerms (nat_of n, hyps, strict, excess, handelman_terms hyps terms, point)
  end

(* Format 2: design brackets. *)

let places = [| "an output"; "a level"; "an input"; "an input" |]

(* Lists [..., t, j, l, x] in strictly ascending order, x > 0: slopes (three indices), multipliers (four, the first below m). *)
let placed what indices conditions k m value =
  let own =   (* the pairs of a level; None: all *)
    List.map
      (function
        | AtLevel (_, _, SomePairs pairs) ->
          let found = Hashtbl.create 16 in
          List.iter (fun ((j : nat), (l : nat)) -> Hashtbl.replace found ((j :> int), (l :> int)) ()) pairs;
          Some found
        | _ -> None)
      conditions
    |> Array.of_list
  in
  let last = ref [] in
  List.map
    (fun part ->
      let parts = list what part in
      if List.length parts <> indices + 1 then reject (what ^ " has not the right length");
      let x = fraction (List.nth parts indices) in
      let at = List.map (fun (i : nat) -> (i :> int)) (List.mapi (fun n part -> count places.(n + 4 - indices) part) (List.filteri (fun n _ -> n < indices) parts)) in
      let output, t, j, l = match at with [ t; j; l ] -> (0, t, j, l) | [ i; t; j; l ] -> (i, t, j, l) | _ -> assert false in
      if output >= m || t >= Array.length own || j >= k || l >= k || j = l then reject (what ^ " is out of range");
      (match own.(t) with Some pairs when not (Hashtbl.mem pairs (j, l)) -> reject (what ^ " has a pair that its level does not have") | _ -> ());
      if compare at !last <= 0 then reject (what ^ " is not in ascending order");
      if sign x <= 0 then reject (what ^ " is not positive");
      last := at;
      (output, t, j, l, x))
    (list what value)

let has_delta = function AtLevel (_, Slack d, _) -> sign d <> 0 | AtLevel (_, Exponential _, _) -> true | Posteriors _ -> false

let betas_of conditions k value =
  let found = placed "a slope" 3 conditions k 1 value in
  if List.exists (fun (_, t, _, _, _) -> not (has_delta (List.nth conditions t))) found then reject "a slope belongs to a level whose delta is 0";
  if List.exists has_delta conditions && k * k * List.length conditions > max_variables then not_covered "slopes of so many inputs";
  List.mapi
    (fun t condition ->
      if not (has_delta condition) then None
      else begin
        let rows = Array.make_matrix k k zero in
        List.iter (fun (_, t', j, l, x) -> if t' = t then rows.(j).(l) <- x) found;
        Some (Array.to_list (Array.map Array.to_list rows))
      end)
    conditions

(* The multipliers of each output: those of levels whose delta is 0, and those of the others, which belong to a slope. *)
let multipliers_of conditions (es : ends list) betas k m value : way =
  let es = Array.of_list es and caps = Array.of_list (List.map (Option.map (fun rows -> Array.of_list (List.map Array.of_list rows))) betas) in
  let walls = Array.make m [] and bends = Array.make m [] in
  List.iter
    (fun (i, t, j, l, x) ->
      let one = (((nat_of j, nat_of l), es.(t).gamma_above), x) in
      match caps.(t) with
      | None -> walls.(i) <- one :: walls.(i)
      | Some rows ->
        let cap = rows.(j).(l) in
        if Z.gt (Z.mul x.qnum cap.qden) (Z.mul cap.qnum x.qden) then reject "a multiplier is above the slope of its pair";
        bends.(i) <- one :: bends.(i))
    (placed "a multiplier" 4 conditions k m value);
  Some (List.init m (fun i -> (List.rev walls.(i), List.rev bends.(i))))

let rec transposed = function [] | [] :: _ -> [] | rows -> List.map List.hd rows :: transposed (List.map List.tl rows)

let condition_of k value =
  match members "a level" [ "epsilon"; "delta"; "pairs" ] value with
  | [ (Object found as epsilon); delta; pairs ] when List.mem_assoc "up" found ->
    if delta <> Text "0" || pairs <> Text "all" then reject "the level of a criterion has a delta, or not all pairs";
    (let [ up; down ] = members "a criterion" [ "up"; "down" ] epsilon in
     let up = optional_bound up in Posteriors (up, optional_bound down))
  | [ epsilon; delta; pairs ] ->
    let pairs = match pairs with Text "all" -> AllPairs | _ -> listed_pairs k (list "the pairs" pairs) in
    AtLevel (level epsilon, slack delta, pairs)
  | _ -> assert false

(* The population, or the parts of a mixture with their weights. *)
let population_of kind shape value =
  let k = (shape.k :> int) in
  let shares part =
    let found = vector ~digits:max_parameter_digits "a population" k part in
    if is_distribution shape.k found then found else reject "a population is not a distribution"
  in
  let only kinds = if not (List.mem kind kinds) then reject "the objective takes no such population" in
  let variances = [ "a-optimal"; "c-optimal"; "contrasts"; "variance" ] in
  match value with
  | Null ->
    only [ "trace"; "distance"; "conditional-variance" ];
    (List.init k (fun j -> if j = 0 then one else zero), None)   (* the value does not depend on it *)
  | Object [ ("mixture", parts) ] ->
    only (variances @ [ "chi-square"; "mutual-information"; "kullback-leibler"; "hellinger"; "jensen-shannon"; "alpha-divergence"; "total-variation"; "payoff" ]);
    let found =
      List.map
        (fun part ->
          let [ weight; part ] = members "a part of the mixture" [ "weight"; "shares" ] part in
          (fraction ~digits:max_parameter_digits weight, shares part))
        (short "the mixture" parts)
    in
    if found = [] then reject "the mixture is empty";
    (snd (List.hd found), Some found)
  | Object _ ->
    only variances;
    not_covered "polytopes of populations"
  | _ ->
    if List.mem kind [ "trace"; "distance"; "conditional-variance" ] then reject "the objective does not depend on a population";
    (shares value, None)

let of_outputs shape what value =
  match shape.m with
  | Some m -> matrix ~rows:(m :> int) ~columns:(shape.k :> int) what value
  | None -> reject (what ^ " needs a number of outputs")

(* Inequalities in several entries stand outside the proved kernel. *)
let require_covered problem =
  match problem with
  | Object found ->
    (match List.assoc_opt "bounds" found with
     | Some (Object own) when List.mem_assoc "inequalities" own -> not_covered "inequalities in several entries"
     | _ -> ())
  | _ -> ()

let region_of_levels inputs outputs levels bounds =
  let k, m = sizes inputs outputs in
  let conditions = List.map (condition_of (k :> int)) (list "the levels" levels) in
  let shape = { k; m; conditions; entries = None } in
  match bounds with
  | Null -> shape
  | _ ->
    (let [ least; most ] = List.map (of_outputs shape "a matrix of bounds") (members "the bounds" [ "least"; "most" ] bounds) in
     { shape with entries = Some (least, most) })

let ends_of_levels conditions value =
  let listed = list "the brackets" value in
  if List.length listed <> List.length conditions then reject "there are not as many brackets as levels";
  List.map2
    (fun c bracket ->
      let [ gamma; delta ] = members "a bracket" [ "gamma"; "delta" ] bracket in
      ends_for c gamma delta)
    conditions listed

(* No point of a region of rows, or no mechanism of a region with bounds. *)
let infeasible problem claim proof =
  require_covered problem;
  ignore (members "the claim" [] claim);
  match problem with
  | Object found when List.mem_assoc "levels" found ->
    (let [ inputs; outputs; levels; bounds ], [ brackets; alpha; slopes; limits; multipliers ] =
       (members "the problem" [ "inputs"; "outputs"; "levels"; "bounds" ] problem, members "the proof" [ "brackets"; "alpha"; "slopes"; "limits"; "multipliers" ] proof)
     in
     let shape = region_of_levels inputs outputs levels bounds in
     let m = match (shape.m, shape.entries) with Some m, Some _ -> m | _ -> reject "without bounds, there are mechanisms" in
     let k = (shape.k :> int) and conditions = shape.conditions in
     let es = ends_of_levels conditions brackets in
     let alpha = vector "alpha" k alpha in
     let betas = betas_of conditions k slopes in
     let limits = of_outputs shape "the limits" limits in
     let way = multipliers_of conditions es betas k (m :> int) multipliers in
     LinesInfeasible (shape.k, m, { conditions; entries = shape.entries }, es, alpha, betas, limits, way))
  | _ ->
    (let [ signs; rows ], [ dual ] =
       (members "the problem" [ "signs"; "rows" ] problem, members "the proof" [ "multipliers" ] proof)
     in
     LinearNoPoint (program (fun n -> List.init n (fun _ -> zero)) signs rows, multipliers dual))

let design_bracket problem claim proof =
  require_covered problem;
  (match proof with
   | Object found ->
     List.iter
       (fun way -> if List.assoc_opt "way" found = Some (Text way) then not_covered ("the way of " ^ way))
       [ "cells"; "branches"; "groups"; "formula"; "blocks" ]
   | _ -> ());
  let [ inputs; outputs; levels; bounds; o; population ], [ lower; upper; a ] =
    (members "the problem" [ "inputs"; "outputs"; "levels"; "bounds"; "objective"; "population" ] problem, members "the claim" [ "lower"; "upper"; "mechanism" ] claim)
  in
  let shape = region_of_levels inputs outputs levels bounds in
  let k = (shape.k :> int) and of_outputs = of_outputs shape and conditions = shape.conditions in
  let name = kind "the objective" o in
  let goal = objective shape o in
  let is_linear = List.mem name [ "trace"; "loss"; "distance" ] in
  let squares = match goal with Variance | Conditional _ | Covered (Estimate _) -> true | _ -> false in
  let has_point = match goal with Conditional _ -> true | _ -> false in
  let weighted = goal = Worst_contrast || goal = Determinant_of_shares in
  let enclosed = goal = Determinant_of_shares || match goal with Covered o -> is_enclosed o | _ -> false in
  let way = match proof with Object found -> List.assoc_opt "way" found | _ -> reject "the proof is not an object" in
  let by_multipliers = is_linear && way = Some (Text "linear") in
  let by_values = List.mem name [ "c-optimal"; "conditional-variance" ] && way = Some (Text "values") in
  if way <> Some (Text "rays") && not (by_multipliers || by_values) then reject "the way does not serve this objective";
  let q, parts = population_of name shape population in
  let has key present = if present then [ key ] else [] in
  let keys =
    [ "way"; "brackets"; "alpha"; (if by_values then "cuts" else "slopes") ] @ has "limits" (shape.entries <> None) @ has "vectors" (squares || weighted)
    @ has "estimators" (squares || weighted) @ has "weights" weighted @ has "lines" (name = "distance")
    @ has "multipliers" by_multipliers @ has "digits" enclosed @ has "point" has_point
  in
  let found = List.combine keys (members "the proof" keys proof) in
  let part key = List.assoc key found in
  let lower = fraction lower and upper = fraction upper in
  let a = mechanism ?rows:(outputs_of shape) ~columns:k a in
  let es = ends_of_levels conditions (part "brackets") in
  let alpha = vector "alpha" k (part "alpha") in
  let betas = if by_values then [] else betas_of conditions k (part "slopes") in
  let cuts = if by_values then List.map fraction (list "the cuts" (part "cuts")) else [] in
  let rec ascend = function
    | a :: (b :: _ as rest) -> if Z.geq (Z.mul a.qnum b.qden) (Z.mul b.qnum a.qden) then reject "the cuts do not ascend" else ascend rest
    | _ -> ()
  in
  ascend cuts;
  let problem_with o = problem_of shape o q in
  if is_linear then begin
    let limits = if shape.entries = None then [] else of_outputs "the limits" (part "limits") in
    let lines = if name = "distance" then of_outputs "the lines" (part "lines") else [] in
    let way = if by_multipliers then multipliers_of conditions es betas k (rows_of a) (part "multipliers") else None in
    match goal with
    | Covered o -> BracketLines (problem_with o, es, lower, upper, a, alpha, betas, limits, lines, way)
    | _ -> assert false
  end
  else begin
    if shape.entries <> None then not_covered "bounds on entries by rays";
    let digits = if enclosed then digits_of (part "digits") else nat_of 1 in
    let only what = function [ one ] -> one | _ -> reject (what ^ " are not those of the distributions") in
    let each what read value = List.map read (list what value) in
    let vectors rows = each "the vectors" (fun part -> transposed (matrix ?rows ~columns:k "the vectors" part)) (part "vectors") in
    let estimators rows = each "the estimators" (matrix ~rows ~columns:(rows_of a) "an estimator") (part "estimators") in
    let estimate c =
      let n = rows_of c in
      match parts with
      | None when by_values ->
        let w = only "the vectors" (vectors (Some n)) in
        ValuesDesign (problem_with (Estimate c), es, lower, upper, a, alpha, cuts, w, only "the estimators" (estimators n))
      | Some _ when by_values -> reject "the way of values has one distribution"
      | None ->
        let w = only "the vectors" (vectors (Some n)) in
        RaysDesign (problem_with (Estimate c), es, lower, upper, a, alpha, betas, w, only "the estimators" (estimators n))
      | Some parts ->
        let o = EstimateMixture (c, List.map fst parts, List.map snd parts) in
        let w = vectors (Some n) in
        RaysMixture (problem_with o, es, lower, upper, a, alpha, betas, w, estimators n)
    in
    match goal with
    | Variance -> estimate [ [ zero; one ] ]
    | Conditional x ->
      let [ shares ] = members "the point" [ "shares" ] (part "point") in
      let y = vector ~digits:max_parameter_digits "the shares of the point" k shares in
      if not (is_distribution shape.k y) then reject "the shares of the point are not a distribution";
      let w = only "the vectors" (vectors (Some 1)) and e = only "the estimators" (estimators 1) in
      let r = { conditions = shape.conditions; entries = shape.entries } in
      if by_values then ValuesConditional (shape.k, shape.m, r, x, y, es, lower, upper, a, alpha, cuts, w, e)
      else RaysConditional (shape.k, shape.m, r, x, y, es, lower, upper, a, alpha, betas, w, e)
    | Covered (Estimate c) -> estimate c
    | Worst_contrast | Determinant_of_shares ->
      let w = only "the vectors" (vectors (if goal = Worst_contrast then None else Some (k - 1))) in
      let weights = vector "the weights" (columns_of w) (part "weights") in
      let e = only "the estimators" (estimators k) and p = problem_with (Estimate (identity k)) in
      if goal = Worst_contrast then BracketEigenvalue (p, es, lower, upper, a, alpha, betas, weights, w, e)
      else if List.exists (fun share -> sign share = 0) q then not_covered "determinants at a share of 0"
      else BracketVolume (p, es, lower, upper, a, alpha, betas, weights, w, e, digits)
    | Covered o ->
      let sums o = RaysSums (problem_with o, es, lower, upper, a, alpha, betas, digits) in
      let record =
        match (o, parts) with
        | (Payoff _ | TotalVariation _), None -> RaysDesign (problem_with o, es, lower, upper, a, alpha, betas, [], [])
        | _, None -> sums o
        | _, Some parts -> sums (Mixture (o, List.map fst parts, List.map snd parts))
      in
      (* these values are not negative, which is not proved *)
      if enclosed && sign lower <= 0 && not (accept record) then not_covered "lower ends of a divergence that are not positive";
      record
  end

(* Two categories: all optimal designs, or an interval of shares. *)
let binary_bracket problem claim proof =
  let [ outputs; levels; family; goal; low; high ], [ lower; upper; a; optima; segment ], [ brackets ] =
    (members "the problem" [ "outputs"; "levels"; "family"; "goal"; "from"; "to" ] problem, members "the claim" [ "lower"; "upper"; "mechanism"; "optima"; "set" ] claim, members "the proof" [ "brackets" ] proof)
  in
  (match text "the number of outputs" outputs with
   | "2" -> ()
   | "3" -> not_covered "three outputs"
   | _ -> reject "the number of outputs is neither 2 nor 3");
  let condition, ends =
    match (List.map (condition_of 2) (list "the levels" levels), List.map (members "a bracket" [ "gamma"; "delta" ]) (list "the brackets" brackets)) with
    | [ condition ], [ [ gamma; delta ] ] -> (condition, ends_for condition gamma delta)
    | _ -> reject "the region has not one level with its bracket"
  in
  let r = { binary_condition = condition; symmetric = one_of "the family" [ ("all", false); ("warner", true) ] family } in
  let low = fraction ~digits:max_parameter_digits low and high = fraction ~digits:max_parameter_digits high in
  let two_by_two = mechanism ~rows:2 ~columns:2 in
  let lower = fraction lower and upper = fraction upper and a = two_by_two a in
  let pair value = let [ x; y ] = vector "an end of the set" 2 value in (x, y) in
  (match (text "the goal" goal, optima, segment) with
   | "variance", Null, Null -> IntervalWorst (r, ends, low, high, lower, upper, a)
   | "regret", Null, Null -> IntervalRegret (r, ends, low, high, lower, upper, a)
   | "variance", _, _ when optima <> Null && Z.equal low.qnum high.qnum && Z.equal low.qden high.qden ->
     let segment_of value = let [ after; through ] = List.map pair (members "the set" [ "after"; "through" ] value) in (after, through) in
     VertexDesigns (r, ends, low, lower, upper, a, List.map two_by_two (list "the optima" optima), option segment_of segment)
   | _ -> reject "the goal is unknown, or optimal designs are listed for another one")

(* The optimum at every level: points p + q sqrt D in one form, and the last cell written as the end of its piece. *)
let max_pieces = 4096

let level_point value =
  let whole d = if Z.equal d.qden Z.one then positive d.qnum else reject "D of a point is not an integer" in
  match list "a point" value with
  | [ p ] -> { rational = fraction p; factor = zero; radicand = positive Z.one }
  | [ p; q; d ] ->
    let s = { rational = fraction p; factor = fraction q; radicand = whole (fraction d) } in
    if sign s.factor = 0 || Z.perfect_square (s.radicand :> Z.t) then reject "a point is not p + q sqrt D with q not 0 and D no square";
    s
  | _ -> reject "a point has neither one part nor three"

let cover_row k value =
  let [ d; set; x ] = tuple "a row" 3 value in
  let digit = function '0' -> false | '1' -> true | _ -> reject "a set is not written with 0 and 1" in
  let set = List.map digit (List.of_seq (String.to_seq (text "a set" set))) in
  if List.length set <> k then reject "a set has not a digit for each input";
  { output_of = count "an output" d; set_of = set; weight_of = fraction x }

let level_cell k value =
  let [ ending; y ] = members "a cell" [ "to"; "y" ] value in
  let quadratic part = let [ c0; c1; c2 ] = vector "a quadratic" 3 part in { c0; c1; c2 } in
  let duals = List.map quadratic (list "y" y) in
  if List.length duals <> k then reject "y has not an entry for each input";
  (ending, { cell_ending = option level_point ending; duals })

let level_piece k value cells =
  let [ ending; value; rows ] = members "a piece" [ "to"; "value"; "rows" ] value in
  let [ value_a; value_b; value_c ] = vector "a value" 3 value in
  let cells = List.map (level_cell k) (list "the cells of a piece" cells) in
  if List.length cells > max_pieces then reject "a piece has too many cells";
  if cells = [] || fst (List.nth cells (List.length cells - 1)) <> ending then reject "the last cell does not end with its piece";
  let cover = List.map (cover_row k) (list "the rows" rows) in
  ({ ending = option level_point ending; value_a; value_b; value_c; cover }, List.map snd cells)

let every_level problem claim proof =
  let [ costs; from; upto ], [ pieces ], [ cells ] =
    (members "the problem" [ "costs"; "from"; "to" ] problem, members "the claim" [ "pieces" ] claim, members "the proof" [ "cells" ] proof)
  in
  let costs = matrix "the costs" costs in
  let k = columns_of costs in
  let pieces = list "the pieces" pieces and cells = list "the cells" cells in
  if List.length pieces <> List.length cells || List.length pieces > max_pieces then reject "there are not as many lists of cells as pieces";
  let from = level_point from and upto = option level_point upto in
  let read = List.map2 (level_piece k) pieces cells in
  LevelCells (nat_of k, costs, from, upto, List.map fst read, List.map snd read)

let certificate words =
  let [ format; statement; problem; claim; proof ] =
    members "the file" [ "format"; "statement"; "problem"; "claim"; "proof" ] (parse words)
  in
  if text "the format" format <> "2" then reject "the format is not 2";
  (match text "the statement" statement with
   | "design-bracket" -> design_bracket problem claim proof
   | "binary-bracket" -> binary_bracket problem claim proof
   | "optimal-value" -> optimal_value problem claim proof
   | "infeasible" -> infeasible problem claim proof
   | "garbling" -> garbling problem claim proof
   | "polynomial" -> polynomial problem claim proof
   | "parity-bound" -> parity_bound problem claim proof
   | "budget-split" -> budget_split problem claim proof
   | "every-level" -> every_level problem claim proof
   | ("composition" | "mechanism-levels" | "likelihood-gap" | "shuffled" | "divergence-level" | "every-level-closed" | "family") as name -> not_covered ("the statement " ^ name)
   | _ -> reject "the statement is unknown")
