//===- ReadySet.h - which of many sockets can be read -----------*- C++ -*-===//
//
// One descriptor stands for all: it can be read when one of them can (epoll).
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/net/Endpoint.h"
#include <span>

namespace sluice::net {

class ReadySet {
public:
  /// 0, or a negative errno.
  int open();
  /// To wait for.
  int descriptor() const { return set.descriptor(); }
  /// `tag`: what ready() calls the socket. A socket that is closed is in no set any more.
  /// 0, or a negative errno.
  int add(const Socket &, void *tag);
  int remove(const Socket &);
  /// The tags of some that can be read now, or have ended: as many as there is room for. Does not
  /// wait. How many.
  size_t ready(std::span<void *> tags) const;

private:
  Socket set;
};

} // namespace sluice::net
