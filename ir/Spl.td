include "ir/SplOps.td"
include "ir/SplCallOps.td"
