//===- RString.h - a header of other toolkits: the values of SPL -----===//
#pragma once
#include "SPL/Types.h"
