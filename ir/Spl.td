include "ir/SplOps.td"
