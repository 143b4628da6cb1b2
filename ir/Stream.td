include "ir/OperatorFacts.td"
include "ir/StreamOps.td"
