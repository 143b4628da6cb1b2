//===- CloseRule.h - when a sink closes its file ----------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"

namespace sluice {

/// The parameter closeMode, and those that go with it.
class CloseRule {
public:
  void configure(const ParamOp &);
  /// The name is that of the tuple at hand, always.
  bool isDynamic() const { return mode == Mode::Dynamic; }
  bool countsBytes() const { return mode == Mode::Size; }
  bool countsTime() const { return mode == Mode::Time; }
  /// Whether there is but one file, if its name does not depend on the tuple.
  bool never() const { return mode == Mode::Never; }

  /// A file was opened at time `now` (ns).
  void opened(int64_t now) {
    since = now;
    tuples = 0;
  }
  /// Whether the file is to be closed now, before a tuple or punctuation.
  bool isOver(int64_t now) const { return countsTime() && now - since >= period; }
  /// Whether it is to be closed behind a tuple. `size`: the bytes in the file.
  bool closesBehind(uint64_t size);
  bool closesAt(PunctuationKind) const;
  void save(Saver &) const;
  void restore(const Loader &);

private:
  enum class Mode { Never, Punct, Count, Size, Time, Dynamic };

  Mode mode = Mode::Never;
  uint64_t limit = 0; // tuples or bytes
  int64_t period = 0; // ns
  int64_t since = 0;
  uint64_t tuples = 0; // in the file
};

} // namespace sluice
