type nat = int
type positive = Z.t

include Checked
include Statement
include Numbers
include Criteria
include Regions
include EveryLevel
include Checker

type multiplier = ((nat * nat) * q) * q
type way = (multiplier list * multiplier list) list option
