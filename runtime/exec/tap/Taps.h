//===- Taps.h - tuples of streams, for who looks ----------------*- C++ -*-===//
#pragma once
#include "runtime/base/os.h"
#include "runtime/remote/frame/Schema.h"
#include "sluice/abi.h"
#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace sluice {

/// Some of the tuples that come to input ports, as text, while somebody looks at these.
class Taps {
public:
  static constexpr uint32_t kMost = 4;      // ports at once
  static constexpr uint32_t kRows = 10;     // tuples a second, of a port
  static constexpr size_t kRowBytes = 2048; // of a tuple; the rest is cut off

  /// `hidden`: names of attributes whose values are not shown. `secrets`: texts that are not shown.
  Taps(const ProgramDesc &, std::vector<std::string> hidden,
       const std::vector<std::string> &secrets);

  // Of the port with that id. By one thread.
  /// Begins to look at its tuples. Empty, or why that cannot be.
  std::string begin(uint32_t port);
  void end(uint32_t port);
  /// The tuples since the last time, the oldest first.
  std::vector<std::string> take(uint32_t port);

  /// Whether somebody looks at any port. Any thread. relaxed: as in look().
  bool any() const { return begun.load(std::memory_order_relaxed); }
  /// A batch is about to run at the port. By the thread that runs it.
  void look(uint32_t port, const Batch *b) {
    if (begun.load(std::memory_order_relaxed)) // a hint: a batch more or less is shown
      lookAt(port, b);
  }

private:
  struct Tap {
    Tap(const TypeDesc *tuple, uint32_t capacity);
    const TypeDesc *tuple;
    remote::Schema schema;
    std::unique_ptr<char[]> memory; // of one tuple
    std::vector<bool> isHidden;     // by attribute
    int64_t second = 0;             // when the last second began
    uint32_t left = 0;              // tuples that may be shown in it
    std::vector<std::string> rows;
  };
  struct Place {
    /// ~0: it is free. relaxed: threads look again behind the lock.
    std::atomic<uint32_t> port{~0u};
    os::Lock lock; // guards `tap`
    std::unique_ptr<Tap> tap;
  };
  Place *find(uint32_t port);
  void lookAt(uint32_t port, const Batch *);
  std::string textOf(const Tap &) const;

  const ProgramDesc &desc;
  const std::vector<std::string> hidden;
  std::vector<std::string> secrets; // as they look in quoted strings, and in blobs
  std::array<Place, kMost> places;
  std::atomic<uint32_t> begun{0}; // taps. relaxed: see look()
};

} // namespace sluice
