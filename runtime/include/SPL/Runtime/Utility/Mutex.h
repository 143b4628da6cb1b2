//===- Mutex.h - a header of other toolkits: locks -----===//
#pragma once
#include "SPL/Runtime.h"
