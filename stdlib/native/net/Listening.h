//===- Listening.h - where operators may be reached -------------*- C++ -*-===//
//
// Operators that others can connect or send to: servers of TCP, receivers of datagrams, web
// servers. Without --allow-listen only programs of this machine reach them.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/net/Endpoint.h"

namespace sluice::net {

/// The address at which the operator listens: that of the host or of the network interface which
/// the parameter names. Without the parameter it is loopback; with --allow-listen it is empty,
/// which means all addresses. 0, or 1 after sl_error: there is no such host, or --allow-listen is
/// missing.
int32_t chooseAddress(const ParamOp &, const char *parameter, std::string &address);

} // namespace sluice::net
