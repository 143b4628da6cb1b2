//===- HostPipe.h - the pipes between a PE and its host ---------*- C++ -*-===//
//
// One thread reads, any thread writes. The end of the host's pipe is the end of the process.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/remote/Piece.h"
#include "runtime/remote/host/HostReader.h"
#include "runtime/remote/peer/Socket.h"
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <span>

namespace sluice::remote {

class Sleeper;

/// What takes the frames of one link. By the thread that reads.
class Inbox {
public:
  virtual ~Inbox() = default;
  /// Memory for a frame of so many bytes. Null: `wrong` says why there is none.
  virtual void *place(uint32_t sender, size_t bytes, std::string &wrong) = 0;
  /// The frame is there.
  virtual void arrived(uint32_t sender) = 0;
  /// What is wrong; empty: nothing. `inOrder`: the stream has ended, not only who sends it.
  virtual std::string ended(uint32_t sender, bool inOrder) = 0;
};

/// What the host asks for.
struct HostOrder {
  HostFrame type; // Cut, Committed or Close
  uint64_t number;
  uint64_t received; // how many frames and ends of links came before it
};

class HostPipe : private HostListener, private Input {
public:
  /// Takes the standard input and output of this process, and waits until the host says what is to
  /// run. What the program prints goes to the host from then on. `program`: its structure; `pes`:
  /// how many it has. Null: `problem` says why there is no host.
  static std::unique_ptr<HostPipe> open(uint64_t program, uint32_t pes, std::string &problem);
  ~HostPipe() override;

  // What it has said.
  uint32_t pe() const { return greeting.pe; }
  uint64_t job() const { return greeting.job; }
  bool saves() const { return greeting.saves != 0; }
  uint32_t relaunches() const { return greeting.relaunches; }
  /// What is to be gone on from, and its number; nothing and 0: the program begins anew.
  const std::string &state() const { return restored; }
  uint64_t checkpoint() const { return restoredNumber; }

  /// Frames of a link go there. Before listen().
  void enter(uint32_t receiver, Inbox &inbox) { inboxes[receiver] = &inbox; }
  /// The thread that reads begins. `stop` is called when the host says that the program is to end.
  void listen(std::function<void()> stop);
  /// Nobody takes frames any more: the thread ends.
  void silence();

  /// Raised while there is an order.
  os::Event hasOrder;
  /// False: there is none.
  bool next(HostOrder &);

  enum class Written { All, Stopped, Gone };
  /// Writes a frame whose bytes are these pieces. Waits for room, until `stop` can be read (-1:
  /// for ever). `sleeper` is told of that. `waited` gets the ns. Any thread.
  Written write(HostFrame, std::span<const Piece>, Sleeper *sleeper = nullptr, int stop = -1,
                int64_t *waited = nullptr);
  /// The same of a number and a text.
  Written write(HostFrame, uint64_t number, std::string_view text);

private:
  HostPipe() = default;
  std::string takeStandardFiles();
  std::string greet(uint64_t program, uint32_t pes);
  void readAll();
  void forwardOutput();
  [[noreturn]] void leave(const std::string &why);

  bool read(void *to, size_t bytes) override;
  std::string hello(const HostHello &) override;
  std::string begin(uint64_t checkpoint, std::string state) override;
  void *place(const HostLink &, size_t bytes, std::string &wrong) override;
  void arrived() override;
  std::string ended(const HostLink &) override;
  std::string gone(const HostLink &) override;
  void ordered(HostFrame, uint64_t number) override;

  Socket in, out, printed; // printed: what the program writes to its standard output
  HostReader reader{*this, *this};
  HostHello greeting = {};
  std::string restored;
  uint64_t restoredNumber = 0;

  // By the thread that reads.
  std::array<char, 65536> buffer;
  size_t from = 0, to = 0; // what of it is not taken
  std::map<uint32_t, Inbox *> inboxes;
  HostLink coming = {};
  uint64_t received = 0;

  std::function<void()> stop;
  os::Lock orderLock;
  std::deque<HostOrder> orders; // guarded by it
  os::Lock writing;
  bool broken = false; // guarded by it: a frame was not written as a whole
  os::Event silent;
  os::Thread reading, forwarding;
};

} // namespace sluice::remote
