(* The checker as a program of OCaml: integers of zarith, sizes as machine integers of 63 bits. None overflows: a number
   of a file becomes a size only up to `count_limit` = 2^20 (`index` in Numbers.v), or as its length in bits (RaySums.v),
   and other sizes count what lies in memory. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOcamlZBigInt ExtrOcamlNatInt.
From Coq Require Import ZArith QArith.
From Kernel Require Import Statement Numbers Criteria Regions Checker.

Extraction Language OCaml.
Extract Inlined Constant Nat.leb => "(<=)".
Extract Inlined Constant Nat.ltb => "(<)".
Extract Constant Pos.of_succ_nat => "(fun n -> Big_int_Z.big_int_of_int (n + 1))".
Extract Constant Z.of_nat => "Big_int_Z.big_int_of_int".
Extract Constant Z.to_nat => "(fun z -> if Big_int_Z.sign_big_int z <= 0 then 0 else Big_int_Z.int_of_big_int z)".
Extract Constant Z.mul => "(fun a b -> Work.pair a b; Big_int_Z.mult_big_int a b)".
Extract Constant Pos.mul => "(fun a b -> Work.pair a b; Big_int_Z.mult_big_int a b)".
Extract Constant Z.div => "(fun a b ->
  Work.pair a b;
  if Big_int_Z.sign_big_int b > 0 then Z.fdiv a b
  else if Big_int_Z.sign_big_int b = 0 then Big_int_Z.zero_big_int
  else Z.fdiv (Big_int_Z.minus_big_int a) (Big_int_Z.minus_big_int b))".
Extract Constant Nat.compare => "(fun a b -> Work.one (); if a = b then Eq else if a < b then Lt else Gt)".
Extract Constant Z.gcd => "(fun a b -> Work.pair a b; Big_int_Z.gcd_big_int a b)".
Extract Constant Z.ggcd => "(fun a b ->
  Work.pair a b;
  let g = Big_int_Z.gcd_big_int a b in
  if Big_int_Z.sign_big_int g = 0 then (g, (g, g))
  else (g, (Big_int_Z.div_big_int a g, Big_int_Z.div_big_int b g)))".
Extract Constant Z.leb => "(fun a b -> Work.one (); Big_int_Z.le_big_int a b)".
Extract Constant Z.ltb => "Big_int_Z.lt_big_int".
Extract Constant Pos.eqb => "Big_int_Z.eq_big_int".
Extract Constant Pos.leb => "Big_int_Z.le_big_int".

Definition positive_of (z : Z) : option positive := match z with Zpos p => Some p | _ => None end.
Definition integer_of (p : positive) : Z := Zpos p.
Definition parts_of (q : Q) : Z * Z := (Qnum q, Zpos (Qden q)).

Extraction "checked.ml" number index positive_of integer_of parts_of is_distribution is_covered claim_of accept.
