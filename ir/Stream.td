include "ir/StreamOps.td"
include "ir/TableAttrs.td"
