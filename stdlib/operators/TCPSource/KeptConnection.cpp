//===- KeptConnection.cpp - a connection that outlives the process --------===//
#include "stdlib/operators/TCPSource/KeptConnection.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice {

static constexpr size_t kPiece = 64 * 1024;     // bytes that are read at once
static constexpr uint64_t kPage = 64 * 1024;    // of the largest pages that there are
static constexpr uint64_t kWindow = 16 * kPage; // bytes that are mapped
static constexpr uint64_t kHead = kPage;        // before the first byte of the connection
static constexpr const char *kListener = " listener";

/// Whose bytes they are, and what of them is in the log.
struct KeptConnection::Memory {
  struct Place {
    uint64_t tuples;
    RowReader::Progress reached;
    bool ended;
  };
  /// Behind a frame. What is not `current` is written, and then made current: the process may die
  /// at any moment.
  struct Entry {
    uint64_t frame;
    uint32_t current;
    Place places[2];
  };
  /// By the parity of the frame. The one of a frame that may not be in the log leaves that of the
  /// frame before it.
  Entry entries[2];
  struct End {
    char host[64];
    uint32_t port;
    void set(const net::Numbers &);
    net::Numbers get() const { return {host, port}; }
  } local, remote;

  Entry &of(uint64_t frame) { return entries[frame & 1]; }
};

void KeptConnection::Memory::End::set(const net::Numbers &numbers) {
  host[numbers.host.copy(host, sizeof host - 1)] = 0;
  port = numbers.port;
}

KeptConnection::~KeptConnection() {
  if (spool)
    spool->setWatcher(nullptr);
}

bool KeptConnection::open(const ParamOp &op) {
  const Program &p = *op.ctx->program;
  files = p.options.kept;
  spool = files ? spoolOf(p, uint32_t(op.desc - p.desc.operators)) : nullptr;
  name = op.desc->name;
  if (spool)
    earlier = files->find(name);
  return spool;
}

net::Socket KeptConnection::findListener() {
  std::vector<net::Socket> found = files->find(name + kListener);
  return found.empty() ? net::Socket() : std::move(found.front());
}

int KeptConnection::keepListener(const net::Socket &listener) {
  const int file = listener.descriptor();
  return files->keep(name + kListener, {&file, 1});
}

void KeptConnection::dropListener() { files->drop(name + kListener); }

KeptConnection::Memory &KeptConnection::memory() {
  return *reinterpret_cast<Memory *>(head.data());
}

//===--- the memory -----------------------------------------------------------===//

/// The bytes from `at` on, as far as a piece goes. The file never becomes shorter: an earlier
/// process may have read more.
int KeptConnection::mapWindow() {
  if (window.data() && at >= windowBegin && at + kPiece <= windowBegin + kWindow)
    return 0;
  windowBegin = at / kPage * kPage;
  const off_t needed = off_t(kHead + windowBegin + kWindow);
  struct stat now;
  if (fstat(file.descriptor(), &now) ||
      (now.st_size < needed && ftruncate(file.descriptor(), needed)))
    return -errno;
  forget();
  return remote::Mapping::map(file, kHead + windowBegin, kWindow, 1, window);
}

/// Gives back the memory of what no process will read again.
void KeptConnection::forget() {
  const uint64_t end = reached.position / kPage * kPage;
  if (end > forgotten)
    fallocate(file.descriptor(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
              off_t(kHead + forgotten), off_t(end - forgotten));
  forgotten = std::max(forgotten, end);
}

/// What is in the log behind the frame that is noted, as far as is known now.
void KeptConnection::note(uint64_t frame) {
  Memory::Entry &entry = memory().of(frame);
  const uint32_t other = entry.frame == frame ? 1 - entry.current : 0;
  entry.places[other] = {logged, reached, ended};
  // The next process is who reads them: only the order of the stores counts.
  std::atomic_signal_fence(std::memory_order_release);
  entry.current = other;
  std::atomic_signal_fence(std::memory_order_release);
  entry.frame = noted = frame;
}

void KeptConnection::willLog(uint64_t frame, uint32_t, uint32_t rows) {
  logged += rows;
  if (next && next->made <= logged) {
    reached = *next;
    next.reset();
  }
  note(frame);
}

/// Where all that was submitted is in the log, and no frame comes: comments, empty lines, bad rows.
void KeptConnection::reach(const RowReader::Progress &progress) {
  if (progress.made == logged && progress.position > reached.position + kPiece) {
    reached = progress;
    next.reset();
    note(noted);
  } else if (!next) {
    next = progress;
  }
}

//===--- connections ------------------------------------------------------------===//

namespace {
/// What the system says of a socket.
struct State {
  int64_t read = -1; // bytes that were read of it, by whom ever; below 0: that cannot be said
  bool isReset = false;
};
} // namespace

static State stateOf(const net::Socket &socket) {
  constexpr int kClosed = 7, kCloseWait = 8; // tcpi_state
  int error = -1, waitingBefore = 0;
  socklen_t size = sizeof error;
  for (uint64_t before = UINT64_MAX;;) {
    tcp_info info = {};
    socklen_t bytes = sizeof info;
    int waiting = 0;
    if (getsockopt(socket.descriptor(), IPPROTO_TCP, TCP_INFO, &info, &bytes) ||
        bytes < offsetof(tcp_info, tcpi_bytes_received) + sizeof info.tcpi_bytes_received ||
        ioctl(socket.descriptor(), SIOCINQ, &waiting))
      return {};
    const bool isClosed = info.tcpi_state == kClosed;
    if (isClosed && error < 0) // EPIPE: it was reset behind its end
      getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
    // The end of the other side counts as a byte, and does not wait.
    const bool hasEnded = info.tcpi_state == kCloseWait || (isClosed && error == EPIPE);
    const uint64_t received = info.tcpi_bytes_received - hasEnded;
    if (received == before) // nothing came while it was asked how much waits
      return {int64_t(received) - waitingBefore, isClosed && error != EPIPE};
    before = received;
    waitingBefore = waiting;
  }
}

int KeptConnection::begin(const net::Socket &socket, const net::Numbers &local,
                          const net::Numbers &remote) {
  file = net::Socket(memfd_create("sluice connection", MFD_CLOEXEC));
  if (!file || ftruncate(file.descriptor(), off_t(kHead)))
    return -errno;
  if (int error = remote::Mapping::map(file, 0, kHead, 1, head))
    return error;
  if (stateOf(socket).read < 0)
    return -ENOTSUP;
  at = filled = forgotten = logged = 0;
  reached = {};
  next.reset();
  window = {};
  ended = isReset = false;
  memory().local.set(local);
  memory().remote.set(remote);
  note(spool->next() - 1);
  const int both[] = {socket.descriptor(), file.descriptor()};
  if (int error = files->keep(name, both))
    return error;
  spool->setWatcher(this);
  return 0;
}

/// Where the memory and the log say that an earlier process was.
bool KeptConnection::find(const net::Socket &socket) {
  if (remote::Mapping::map(file, 0, kHead, 1, head))
    return false;
  noted = spool->next() - 1;
  const Memory::Entry &entry = memory().of(noted);
  const Memory::Place &place = entry.places[entry.current & 1];
  const State state = stateOf(socket);
  if (entry.frame != noted || state.read < int64_t(place.reached.position))
    return false;
  reached = place.reached;
  logged = place.tuples;
  ended = place.ended;
  isReset = state.isReset;
  at = reached.position;
  forgotten = 0;
  filled = uint64_t(state.read);
  return true;
}

KeptConnection::Found KeptConnection::resume(net::Socket &to, net::Numbers &local,
                                             net::Numbers &remote) {
  std::vector<net::Socket> found = std::exchange(earlier, {});
  if (found.size() != 2)
    return Found::None;
  file = std::move(found[1]);
  if (!find(found[0])) {
    drop();
    return Found::Lost;
  }
  local = memory().local.get();
  remote = memory().remote.get();
  to = std::move(found[0]);
  spool->setWatcher(this);
  return Found::Connection;
}

int64_t KeptConnection::read(const net::Socket &socket, std::string_view &piece) {
  if (int error = mapWindow())
    return error;
  char *place = reinterpret_cast<char *>(window.data()) + (at - windowBegin);
  if (at == filled) {
    if (isReset)
      return -ECONNRESET; // which an earlier process may have been told
    int64_t n = remote::readSome(socket, place, kPiece);
    if (n <= 0)
      return n;
    filled += uint64_t(n);
  }
  piece = {place, size_t(std::min<uint64_t>(filled - at, kPiece))};
  at += piece.size();
  return int64_t(piece.size());
}

void KeptConnection::drop() {
  spool->setWatcher(nullptr);
  files->drop(name);
  window = {};
  head = {};
  file.close();
}

} // namespace sluice
