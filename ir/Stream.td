include "ir/StreamHandlerOps.td"
include "ir/TableAttrs.td"
