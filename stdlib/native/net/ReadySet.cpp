//===- ReadySet.cpp - which of many sockets can be read -------------------===//
#include "stdlib/native/net/ReadySet.h"
#include <algorithm>
#include <cerrno>
#include <sys/epoll.h>

namespace sluice::net {

int ReadySet::open() {
  int made = epoll_create1(EPOLL_CLOEXEC);
  if (made < 0)
    return -errno;
  set = Socket(made);
  return 0;
}

int ReadySet::add(const Socket &socket, void *tag) {
  epoll_event event = {};
  event.events = EPOLLIN | EPOLLRDHUP;
  event.data.ptr = tag;
  return epoll_ctl(set.descriptor(), EPOLL_CTL_ADD, socket.descriptor(), &event) ? -errno : 0;
}

int ReadySet::remove(const Socket &socket) {
  return epoll_ctl(set.descriptor(), EPOLL_CTL_DEL, socket.descriptor(), nullptr) ? -errno : 0;
}

size_t ReadySet::ready(std::span<void *> tags) const {
  epoll_event events[64];
  int count =
      epoll_wait(set.descriptor(), events, int(std::min(tags.size(), std::size(events))), 0);
  for (int i = 0; i < count; ++i)
    tags[size_t(i)] = events[i].data.ptr;
  return size_t(std::max(count, 0));
}

} // namespace sluice::net
