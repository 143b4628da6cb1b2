//===- process.h - processes ------------------------------------*- C++ -*-===//
//
// For what starts processes (exec/job), and what sends signals to them. As os.h, but separate: few
// need it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sluice::os {

class Event;

/// Makes a directory for the user alone. `name` ends in XXXXXX, which becomes something that is not
/// there yet. 0, or a negative errno.
int makePrivateDirectory(std::string &name);
/// Bits that nobody can guess.
uint64_t secretBits();

/// What stands in a file that only the user may read. 0; a negative errno; or kNotPrivate: it is
/// somebody else's, or others may read it.
int readPrivateFile(const std::string &path, std::string &text);
constexpr int kNotPrivate = 1;
/// Makes one. 0, or a negative errno: -EEXIST if there is such a file.
int makePrivateFile(const std::string &path, const std::string &text);

/// Equal for processes that can share memory and wake each other by it: those of one machine that
/// are in the same namespaces. Never 0.
uint64_t memoryDomain();

/// Of the system since it was started; not 0. Another number: it was started again since.
uint64_t bootNumber();

/// Memory of zeros that stays common to this process and those that it forks; null if there is
/// none.
void *mapShared(size_t bytes);
void unmapShared(void *, size_t bytes);

/// Forks: 0 in the child, its process id in the parent, or a negative errno. The child gets
/// SIGTERM when the parent ends without waiting for it. Only this thread lives on in it. Signals
/// that end a program wait until it calls catchSignals() (os.h).
int forkProcess();
/// Why a process or a thread could not be started.
std::string whyNotStarted(int error);
/// What `ps` and `top` call this process, and the threads that this one starts from now on. What
/// is behind the 15th byte is cut off.
void nameProcess(const std::string &name);
/// In a child: whether that is the process that has forked it. For signal handlers, too.
bool isParent(int process);
/// In a child: whether its parent has ended.
bool isOrphan();
void signalProcess(int process, int signal);
/// In a child: asks the parent to end, as a user may. It asks its children.
void askParentToEnd();
/// Asks a program for a checkpoint. Who does not know it ignores it.
extern const int kAskSignal;
/// From now on it raises the event; null: it does nothing.
void catchAsk(Event *asked);
/// Asks a program to look who wants to watch it. Other processes take no notice.
extern const int kLookSignal;
/// From now on it raises the event; null: it does nothing.
void catchLook(Event *asked);
/// Starts a program, whose standard output can then be read from `output`; its standard input is
/// empty. Its process id, or a negative errno.
int startProcess(const std::vector<std::string> &words, int &output);
/// Bytes of memory that this process has; 0: not known.
uint64_t residentMemory();
/// The executable of this process.
std::string executablePath();
/// The number of this process.
int processNumber();
/// Asks a program to end; ctrl-C.
extern const int kEndSignal, kInterrupt, kKillSignal;
/// Whether programs end, sooner or later, that get it.
bool endsPrograms(int signal);
/// "Killed" for SIGKILL.
std::string signalText(int signal);

/// How a child ended: by a signal, or (signal 0) with an exit code.
struct ChildEnd {
  int process, code, signal;
};

/// The exit code of a process that abort() or resetConsistentRegion() has ended, if somebody may
/// start it again: its launcher, or a host. Else it is 1.
constexpr int kEndedAtOnce = 75;

/// While it lives the signals that end or pause a program, and the ends of children, are events
/// for await(). Children that are forked meanwhile get them. By one thread, the only one.
class ParentSignals {
public:
  ParentSignals();
  ~ParentSignals();
  ParentSignals(const ParentSignals &) = delete;

  struct Event {
    int signal = 0;     // 0: none
    int from = 0;       // the process that has sent it
    bool toAll = false; // the children have got it as well, from the terminal
    std::vector<ChildEnd> ended;
  };
  Event await();
  /// From now on await() returns, too, when something comes to be read from it.
  void wakeOn(int file);
};

} // namespace sluice::os
