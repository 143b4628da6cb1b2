include "ir/SplAttrs.td"
include "ir/SplOps.td"
include "ir/SplCallOps.td"
