// For the unit tests of the runtime and the toolkit.
#pragma once
#include "cmake/pch/std.h"
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <thread>
