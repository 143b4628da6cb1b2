//===- listen.h - whether operators may be reached --------------*- C++ -*-===//
#pragma once
#include <cstdint>

namespace sluice {

struct Ctx;

/// Whether operators may listen at addresses that others reach (--allow-listen).
extern "C" int32_t sl_may_listen(Ctx *);

} // namespace sluice
