(* Prints what the theorems assume: a test compares the text. *)
From Kernel Require Import Checker ClosedLevels BinaryLevels FamilyTheorems.
Print Assumptions accepted.
Print Assumptions check_trace_piece_ok.
Print Assumptions check_subset_piece_ok.
Print Assumptions check_binary_piece_ok.
Print Assumptions zero_one.
Print Assumptions one_and_others.
Print Assumptions reject.
Print Assumptions taxonomy.
