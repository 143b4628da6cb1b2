//===- Common.h - a header of other toolkits: traces -----===//
#pragma once
#include "SPL/Runtime.h"
