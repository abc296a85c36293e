(* Counts the work of the checker in units that do not depend on the machine: one for each operation on integers of one
   word, more for longer ones, and one for each comparison of exponents. *)

exception Beyond

let limit = ref (1 lsl 32)
let spent = ref 0
let reset () = spent := 0

let spend units =
  spent := !spent + units;
  if !spent > !limit then raise Beyond

(* A multiplication or a greatest common divisor: words times words. *)
let pair a b = spend (1 + (Z.size a * Z.size b))
let one () = spend 1
