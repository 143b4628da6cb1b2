//===- ending.h - whether the program is about to end -----------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

struct Ctx;

/// Whether a signal has asked the program to end. It may go on until a checkpoint is made, and
/// sl_is_shutdown() says nothing of that. Any thread.
extern "C" int32_t sl_is_asked_to_end(Ctx *);

} // namespace sluice
