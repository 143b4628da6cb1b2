//===- RuntimeException.h - a header of other toolkits: exceptions -----===//
#pragma once
#include "SPL/Runtime.h"
