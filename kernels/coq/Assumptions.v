(* Prints what the theorem assumes: a test compares the text. *)
From Kernel Require Import Checker.
Print Assumptions accepted.
