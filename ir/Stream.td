include "ir/StreamOps.td"
