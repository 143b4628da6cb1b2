//===- CloseRule.cpp - when a sink closes its file ------------------------===//
#include "stdlib/operators/FileSink/CloseRule.h"
#include "runtime/base/os.h"
#include <algorithm>

namespace sluice {

void CloseRule::configure(const ParamOp &op) {
  static constexpr std::pair<std::string_view, Mode> modes[] = {{"punct", Mode::Punct},
                                                                {"count", Mode::Count},
                                                                {"size", Mode::Size},
                                                                {"time", Mode::Time},
                                                                {"dynamic", Mode::Dynamic}};
  std::string name = op.text("closeMode", "never");
  for (auto [text, value] : modes)
    if (name == text)
      mode = value;
  limit = uint64_t(op.number(mode == Mode::Count ? "tuplesPerFile" : "bytesPerFile", 0));
  period = int64_t(std::min(op.number("timePerFile", 0), 1e9) * double(os::kNanos));
}

bool CloseRule::closesBehind(uint64_t size) {
  ++tuples;
  return mode == Mode::Count ? tuples == limit : mode == Mode::Size && size >= limit;
}

bool CloseRule::closesAt(PunctuationKind kind) const {
  return isFinal(kind) || mode == Mode::Punct;
}

void CloseRule::save(Saver &saver) const {
  saver.number("since", since);
  saver.number("tuples", int64_t(tuples));
}

void CloseRule::restore(const Loader &loader) {
  since = loader.number("since").value_or(0);
  tuples = uint64_t(loader.number("tuples").value_or(0));
}

} // namespace sluice
