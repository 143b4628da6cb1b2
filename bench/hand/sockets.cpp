//===- sockets.cpp - a stream between two processes over plain TCP --------===//
//
// sockets BYTES ROWS RATE EVERY: what `bench transport` compares links with. A process makes tuples
// of BYTES bytes and sends ROWS of them at a time as one message, with one call; another one
// receives each message with one call, and adds up two attributes of each tuple. RATE messages a
// second; 0: as many as it can. Each EVERY tuples the receiver looks at the clock, and says how
// many it has twenty times a second at most. SIGTERM ends it.
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {
constexpr double kReport = 0.05; // seconds

struct Settings {
  size_t rows;
  double rate;
  uint64_t every;
};

template <size_t Words> struct Tuple {
  int64_t a[Words];
};

volatile sig_atomic_t stopped = 0;
pid_t sender = 0;

void stop(int) { stopped = 1; }
void passOn(int) { kill(sender, SIGTERM); }

[[noreturn]] void fail(const char *what) {
  perror(what);
  exit(1);
}

double now() {
  timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return double(t.tv_sec) + double(t.tv_nsec) * 1e-9;
}

/// A message: its size, then tuples.
class Message {
public:
  explicit Message(size_t bytes) : memory(1 + bytes / 8) { memory[0] = int64_t(bytes); }
  int64_t *tuples() { return memory.data() + 1; }
  /// False: the other end is gone.
  bool send(int to) {
    auto *at = reinterpret_cast<char *>(memory.data());
    for (size_t left = size(); left;) {
      ssize_t n = ::send(to, at, left, MSG_NOSIGNAL);
      if (n < 0 && errno != EINTR)
        return false;
      at += n > 0 ? n : 0, left -= size_t(n > 0 ? n : 0);
    }
    return true;
  }
  bool receive(int from) {
    return recv(from, memory.data(), size(), MSG_WAITALL) == ssize_t(size());
  }

private:
  size_t size() const { return memory.size() * 8; }
  std::vector<int64_t> memory;
};

/// Until as many messages are due as were sent, or the end.
void pace(const Settings &s, double start, uint64_t sent) {
  double ahead = double(sent) / s.rate - (now() - start);
  if (ahead <= 0)
    return;
  timespec time = {time_t(ahead), long((ahead - double(time_t(ahead))) * 1e9)};
  nanosleep(&time, nullptr);
}

template <size_t Words> int sendAll(int to, const Settings &s) {
  signal(SIGTERM, stop);
  Message message(s.rows * Words * 8);
  auto *tuples = reinterpret_cast<Tuple<Words> *>(message.tuples());
  int64_t i = 0;
  double start = now();
  for (uint64_t sent = 0; !stopped; ++sent) {
    if (s.rate > 0)
      pace(s, start, sent);
    for (size_t row = 0; row < s.rows; ++row, ++i)
      for (size_t k = 0; k < Words; ++k)
        tuples[row].a[k] = i + int64_t(k);
    if (!message.send(to))
      return 1;
  }
  return 0;
}

template <size_t Words> int receiveAll(int from, const Settings &s) {
  signal(SIGTERM, SIG_IGN);
  Message message(s.rows * Words * 8);
  auto *tuples = reinterpret_cast<Tuple<Words> *>(message.tuples());
  uint64_t count = 0, sum = 0, looked = 0;
  double last = 0;
  while (message.receive(from)) {
    for (size_t row = 0; row < s.rows; ++row)
      sum += uint64_t(tuples[row].a[0] + tuples[row].a[Words - 1]);
    count += s.rows;
    if (count - looked < s.every)
      continue;
    looked = count;
    if (double time = now(); time - last >= kReport) {
      printf("%llu %.6f\n", (unsigned long long)count, time);
      last = time;
    }
  }
  printf("%llu %llu\n", (unsigned long long)count, (unsigned long long)sum);
  return 0;
}

template <size_t Words> int run(const Settings &s) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener, reinterpret_cast<sockaddr *>(&address), size) || listen(listener, 1) ||
      getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size))
    fail("cannot listen");
  if (!(sender = fork())) {
    int to = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    if (connect(to, reinterpret_cast<sockaddr *>(&address), size))
      fail("cannot connect");
    _exit(sendAll<Words>(to, s));
  }
  signal(SIGTERM, passOn);
  if (!fork()) {
    int from = accept(listener, nullptr, nullptr);
    exit(from < 0 ? 1 : receiveAll<Words>(from, s));
  }
  close(listener);
  int worst = 0;
  for (int left = 2; left;) {
    int status = 0;
    if (wait(&status) > 0)
      --left, worst |= status;
  }
  return worst ? 1 : 0;
}
} // namespace

int main(int argc, char **argv) {
  if (argc == 5) {
    Settings s = {strtoull(argv[2], nullptr, 10), strtod(argv[3], nullptr),
                  strtoull(argv[4], nullptr, 10)};
    switch (atoi(argv[1])) {
    case 128:
      return run<16>(s);
    case 256:
      return run<32>(s);
    case 512:
      return run<64>(s);
    }
  }
  fprintf(stderr, "usage: sockets 128|256|512 ROWS RATE EVERY\n");
  return 2;
}
