include "ir/SplOps.td"
include "ir/StreamOps.td"
