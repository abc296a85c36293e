(* kernel [--quiet] [--stdin] [--work UNITS] FILE ...: one verdict for each file: accepted with the proved claim, rejected
   or not covered. *)

(* The limit is one of work, which does not depend on the machine. What is not counted, steps along lists, is stopped by
   the clock. *)
let seconds = 600.0

exception Out_of_time

let read name =
  match open_in_bin name with
  | exception Sys_error _ -> Json.reject "the file cannot be read"
  | channel ->
    Fun.protect
      ~finally:(fun () -> close_in_noerr channel)
      (fun () ->
        let length = try in_channel_length channel with Sys_error _ -> Json.reject "the file cannot be read" in
        if length > Json.max_bytes then Json.reject "the file is longer than 16 MiB";
        try really_input_string channel length with Sys_error _ | End_of_file -> Json.reject "the file cannot be read")

let verdict quiet name =
  let timer value = ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.0; it_value = value }) in
  timer seconds;
  Work.reset ();
  let words =
    try
      let record = Reader.certificate (read name) in
      if Kernel.accept record then
        if quiet then "accepted" else "accepted: " ^ Printer.claim (Kernel.claim_of record)
      else "rejected: a condition of the statement does not hold"
    with
    | Json.Rejected reason -> "rejected: " ^ reason
    | Reader.Not_covered what -> "not covered: " ^ what
    | Work.Beyond -> "rejected: beyond the work limit of this checker"
    | Out_of_time -> "rejected: beyond the time limit of this checker"
    | Stack_overflow | Out_of_memory -> "rejected: beyond the memory of this checker"
  in
  timer 0.0;
  words

let () =
  Sys.set_signal Sys.sigvtalrm (Sys.Signal_handle (fun _ -> raise Out_of_time));
  let given = List.tl (Array.to_list Sys.argv) in
  let quiet = List.mem "--quiet" given and from_input = List.mem "--stdin" given in
  let rec without_options = function
    | "--work" :: units :: rest ->
      (match int_of_string_opt units with
       | Some units when units > 0 -> Work.limit := units
       | _ ->
         prerr_endline "--work needs a whole number of units, for example 4294967296";
         exit 2);
      without_options rest
    | ("--quiet" | "--stdin") :: rest -> without_options rest
    | name :: rest -> name :: without_options rest
    | [] -> []
  in
  let names = without_options given in
  let rec lines found = match input_line stdin with line -> lines (line :: found) | exception End_of_file -> List.rev found in
  let names = names @ if from_input then List.filter (( <> ) "") (lines []) else [] in
  if names = [] then begin
    prerr_endline "usage: kernel [--quiet] [--stdin] [--work UNITS] FILE ...";
    exit 2
  end;
  let status = ref 0 in
  List.iter
    (fun name ->
      let words = verdict quiet name in
      if not (String.length words >= 8 && String.sub words 0 8 = "accepted") then status := 1;
      print_endline words)
    names;
  exit !status
