(* A strict reader of JSON: part A of FORMAT.md. No numbers; keys are unique; depth, bytes and tokens are limited. *)

exception Rejected of string

let reject words = raise (Rejected words)

type t = Object of (string * t) list | List of t list | Text of string | Null | True | False

let max_bytes = 16 * 1024 * 1024
let max_tokens = 1_000_000
let max_depth = 32

let escapes = "\"\\/bfnrt"   (* after a backslash, for the characters of `escaped` *)
let escaped = "\"\\/\b\012\n\r\t"

let check_tokens text =
  let tokens = ref 0 in
  String.iter (fun c -> match c with '"' | ',' | '[' | '{' | '\\' -> incr tokens | _ -> ()) text;
  if !tokens > max_tokens then reject "the file has too many tokens"

let check_utf8 text =
  let n = String.length text in
  let byte i = if i < n then Char.code text.[i] else 0 in
  let continued i = byte i land 0xC0 = 0x80 in
  let rec go i =
    if i < n then
      let b = byte i in
      if b < 0x80 then go (i + 1)
      else if b >= 0xC2 && b <= 0xDF && continued (i + 1) then go (i + 2)
      else if b >= 0xE0 && b <= 0xEF && continued (i + 1) && continued (i + 2) then
        if (b = 0xE0 && byte (i + 1) < 0xA0) || (b = 0xED && byte (i + 1) > 0x9F) then reject "the file is no UTF-8 text"
        else go (i + 3)
      else if b >= 0xF0 && b <= 0xF4 && continued (i + 1) && continued (i + 2) && continued (i + 3) then
        if (b = 0xF0 && byte (i + 1) < 0x90) || (b = 0xF4 && byte (i + 1) > 0x8F) then reject "the file is no UTF-8 text"
        else go (i + 4)
      else reject "the file is no UTF-8 text"
  in
  go 0

let parse text =
  if String.length text > max_bytes then reject "the file is longer than 16 MiB";
  check_tokens text;
  check_utf8 text;
  let n = String.length text in
  let at = ref 0 in
  let peek () = if !at < n then text.[!at] else '\000' in
  let blanks () =
    while !at < n && (match text.[!at] with ' ' | '\t' | '\n' | '\r' -> true | _ -> false) do incr at done
  in
  let expect c = if !at < n && text.[!at] = c then incr at else reject "the file is not JSON" in
  let word w value =
    let l = String.length w in
    if !at + l <= n && String.sub text !at l = w then (at := !at + l; value) else reject "the file is not JSON"
  in
  let hex () =
    let digits = String.sub text !at (min 4 (n - !at)) in
    let is_digit = function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false in
    if String.length digits < 4 || not (String.for_all is_digit digits) then reject "an escape in a text is not of JSON";
    at := !at + 4;
    int_of_string ("0x" ^ digits)
  in
  let text_value () =
    expect '"';
    let out = Buffer.create 16 in
    let rec go () =
      if !at >= n then reject "a text does not end";
      match text.[!at] with
      | '"' -> incr at
      | '\\' ->
        incr at;
        (match peek () with
         | c when String.contains escapes c -> Buffer.add_char out escaped.[String.index escapes c]; incr at
         | 'u' ->
           incr at;
           let code = hex () in
           let code =
             if code >= 0xD800 && code <= 0xDBFF then begin
               expect '\\';
               expect 'u';
               let low = hex () in
               if low < 0xDC00 || low > 0xDFFF then reject "a text has half a surrogate pair";
               0x10000 + ((code - 0xD800) * 0x400) + (low - 0xDC00)
             end
             else if code >= 0xDC00 && code <= 0xDFFF then reject "a text has half a surrogate pair"
             else code
           in
           Buffer.add_utf_8_uchar out (Uchar.of_int code)
         | _ -> reject "an escape in a text is not of JSON");
        go ()
      | c when Char.code c < 32 -> reject "a text has a control character"
      | c -> Buffer.add_char out c; incr at; go ()
    in
    go ();
    Buffer.contents out
  in
  (* The parts of an object or a list, with commas between them. *)
  let parts close read =
    incr at;
    blanks ();
    let rec more found =
      let found = read () :: found in
      blanks ();
      if peek () = ',' then (incr at; more found) else (expect close; List.rev found)
    in
    if peek () = close then (incr at; []) else more []
  in
  let rec value depth =
    blanks ();
    (match peek () with '{' | '[' when depth > max_depth -> reject "the file is nested too deeply" | _ -> ());
    match peek () with
    | '{' ->
      let seen = Hashtbl.create 8 in
      let member () =
        blanks ();
        let key = text_value () in
        if Hashtbl.mem seen key then reject "an object has a key twice";
        Hashtbl.add seen key ();
        blanks ();
        expect ':';
        (key, value (depth + 1))
      in
      Object (parts '}' member)
    | '[' -> List (parts ']' (fun () -> value (depth + 1)))
    | '"' -> Text (text_value ())
    | 'n' -> word "null" Null
    | 't' -> word "true" True
    | 'f' -> word "false" False
    | '-' | '0' .. '9' -> reject "a bare number stands in the file: write it as a text"
    | _ -> reject "the file is not JSON"
  in
  let found = value 1 in
  blanks ();
  if !at < n then reject "something stands after the JSON value";
  found
