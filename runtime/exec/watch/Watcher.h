//===- Watcher.h - shows a program to who asks ------------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/exchange/Registry.h"
#include "runtime/exec/watch/Look.h"
#include "runtime/exec/watch/OpenMetrics.h"
#include "runtime/remote/peer/Socket.h"
#include "runtime/trace/Writer.h"
#include <functional>
#include <list>
#include <set>

namespace sluice::watch {

/// What adapts the program, as far as it is shown.
struct Adapted {
  const trace::Header &header;
  trace::Writer &writer;
  std::function<void(bool)> pause;
};

/// Takes the text for Prometheus each second, and once more at the end.
using Publish = std::function<void(std::string_view)>;

class Watcher {
public:
  /// `publish`: of a PE whose host shows its counters; else empty.
  Watcher(const Program &, Adapted, Publish publish);
  ~Watcher();
  Watcher(const Watcher &) = delete;

  /// Raised when somebody asks to look.
  const os::Event &asked() const { return look; }
  /// Whether it is to have a thread from the beginning.
  bool isOfUse() const;
  /// Shows the program until the end, on a thread of its own.
  void run(const os::Event &end);
  /// Shows what has happened since, the end of the trace as well. After all threads have ended.
  void finish();

private:
  /// Who looks.
  struct Viewer {
    remote::Socket socket;
    std::string waiting;          // to be sent
    std::string received;         // the beginning of a line
    uint64_t nextEvent = 0;       // of Writer::events()
    uint64_t dropped = 0;         // lines of figures that are not sent
    std::set<uint32_t> taps = {}; // input ports whose tuples it gets
  };
  void connect();
  void show();
  std::string metrics(const Look &) const;
  void obey(Viewer &, const std::string &line);
  void tap(Viewer &, uint32_t port);
  void untap(Viewer &, uint32_t port);
  void forget(Viewer &);
  void showTuples();
  void showEvents(Viewer &);
  void showFigures(Viewer &, const std::string &line, const std::string &metrics);
  bool receive(Viewer &);
  bool send(Viewer &);
  void talk(int64_t nanos, const os::Event &end);

  const Program &p;
  Adapted adapted;
  Publish publish;
  os::Event look;
  std::list<Viewer> viewers;
  std::set<exchange::Place> connected; // sockets of the registry that are still there
  std::unique_ptr<Looker> looker;
  uint32_t looks = 0;
};

} // namespace sluice::watch
