type nat = int
type positive = Z.t

include Checked

type multiplier = ((nat * nat) * q) * q
type way = (multiplier list * multiplier list) list option
