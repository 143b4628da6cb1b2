//===- SPLFunctions.h - a header of other toolkits: values, traces, exceptions -----===//
#pragma once
#include "SPL/Runtime.h"
