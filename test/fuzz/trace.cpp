//===- trace.cpp - fuzzing the reader of traces -----------------*- C++ -*-===//
//
// The input is a trace, or with an odd first byte the lines behind a header of ours.
// Whatever is taken must be written as a line that is taken again and written the
// same; all commands' views of it must hold. An error names a line of the input.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/trace/Trace.h"
#include <cstdio>
#include <cstdlib>

using namespace sluice;
using namespace sluice::driver;

static std::string ourHeader() {
  trace::Header h;
  h.graph = {{{"S", 0, true, false, false, 1, {1}},
              {"A", 1, false, true, false, 4, {2}},
              {"B", 2, false, true, false, 1, {}}},
             3};
  h.start = elastic::initialConfiguration(h.graph);
  h.policy = "paper";
  return trace::format(h);
}

static void fail(const char *what, const std::string &text) {
  fprintf(stderr, "%s: %s\n", what, text.c_str());
  abort();
}

static void check(const trace::Line &line, const trace::Header *header) {
  std::string text = trace::format(line);
  if (text.find('\n') != text.size() - 1)
    fail("not one line", text);
  auto again = parseTraceLine(llvm::StringRef(text).drop_back(), header);
  if (!again)
    fail(llvm::toString(again.takeError()).c_str(), text);
  if (trace::format(*again) != text)
    fail("not the same again", text);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0)
    return 0;
  std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
  if (data[0] & 1)
    text.insert(0, ourHeader());
  auto reader = TraceReader::read("t", text);
  if (!reader) {
    llvm::consumeError(reader.takeError());
    return 0;
  }
  const trace::Header &header = (*reader)->header();
  check(header, nullptr);
  TraceState state(header);
  llvm::Error error = forEachLine(**reader, [&](TraceRecord &record) {
    check(record.line, &header);
    if (auto *decision = std::get_if<trace::Decision>(&record.line))
      describeChange(header, state.configuration(), decision->decision);
    state.apply(record.line);
    toMoment(std::move(record.line), header.graph);
    return llvm::Error::success();
  });
  std::string problem = llvm::toString(std::move(error));
  if (!problem.empty() && !llvm::StringRef(problem).starts_with("t:"))
    fail("no line is named", problem);
  (*reader)->missing();
  return 0;
}
