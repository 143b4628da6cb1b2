//===- KeptFiles.cpp - descriptors that outlive a process -----------------===//
//
// A message is the name, with the descriptors; without any it lets them go. It stays in the socket
// with its descriptors when the process that has sent it ends.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/job/KeptFiles.h"
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <sys/time.h>

namespace sluice {

static constexpr size_t kMostFiles = 2, kMostName = 16 * 1024;
/// For a launcher that was stopped.
static constexpr timeval kPatience = {5, 0};

namespace {
/// A message with room for descriptors.
struct Message {
  Message(char *text, size_t bytes) : part{text, bytes} {
    header.msg_iov = &part;
    header.msg_iovlen = 1;
    header.msg_control = control;
    header.msg_controllen = sizeof control;
  }
  Message(const Message &) = delete;

  iovec part;
  msghdr header = {};
  alignas(cmsghdr) char control[CMSG_SPACE(kMostFiles * sizeof(int))] = {};
};
} // namespace

int KeptFiles::open() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
    return -errno;
  sending = remote::Socket(ends[0]);
  receiving = remote::Socket(ends[1]);
  setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
  return 0;
}

void KeptFiles::take() {
  std::string name(kMostName, '\0');
  for (;;) {
    Message message(name.data(), name.size());
    ssize_t n = recvmsg(receiving.descriptor(), &message.header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (n <= 0)
      return;
    std::vector<remote::Socket> given;
    if (const cmsghdr *part = CMSG_FIRSTHDR(&message.header); part && part->cmsg_type == SCM_RIGHTS)
      for (size_t at = 0; CMSG_LEN(at + sizeof(int)) <= part->cmsg_len; at += sizeof(int)) {
        int file;
        memcpy(&file, CMSG_DATA(part) + at, sizeof file);
        given.emplace_back(file);
      }
    std::string key(name, 0, size_t(n));
    const bool isWhole = !(message.header.msg_flags & MSG_CTRUNC); // else there were no descriptors
    if (given.empty() || !isWhole)
      files.erase(key);
    else
      files[key] = std::move(given);
  }
}

int KeptFiles::keep(const std::string &name, std::span<const int> which) const {
  if (name.size() > kMostName || which.size() > kMostFiles)
    return -EMSGSIZE;
  std::string text = name;
  Message message(text.data(), text.size());
  message.header.msg_controllen = which.empty() ? 0 : CMSG_SPACE(which.size_bytes());
  if (cmsghdr *part = CMSG_FIRSTHDR(&message.header)) {
    *part = {CMSG_LEN(which.size_bytes()), SOL_SOCKET, SCM_RIGHTS};
    memcpy(CMSG_DATA(part), which.data(), which.size_bytes());
  }
  ssize_t n;
  do
    n = sendmsg(sending.descriptor(), &message.header, MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return n < 0 ? -errno : 0;
}

std::vector<remote::Socket> KeptFiles::find(const std::string &name) {
  auto found = files.extract(name);
  return found ? std::move(found.mapped()) : std::vector<remote::Socket>();
}

} // namespace sluice
