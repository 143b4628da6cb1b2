//===- ProcessLimit.h - what is said of too many processes ------*- C++ -*-===//
#pragma once

namespace sluice {

/// Why a process or a thread could not be started, where the system says EAGAIN.
inline constexpr char kProcessLimit[] =
    "no more processes and threads may be started: see "
    "`ulimit -u`, and the limit of the container if this is one";

} // namespace sluice
