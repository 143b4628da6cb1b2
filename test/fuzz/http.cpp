//===- http.cpp - fuzzing what web servers and their clients send ---------===//
#include "toolkits/inet/native/Address.h"
#include "toolkits/inet/native/Lines.h"
#include "toolkits/inet/server/Paths.h"
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace sluice::inet;

static void demand(bool holds) {
  if (!holds)
    abort();
}

static std::vector<std::string> linesOf(std::string_view text, size_t piece) {
  std::vector<std::string> result;
  auto take = [&](std::string_view line) {
    result.emplace_back(line);
    return true;
  };
  Lines lines;
  for (size_t at = 0; at < text.size(); at += piece)
    lines.feed(text.substr(at, piece), take);
  lines.end(take);
  return result;
}

/// Lines are the same in pieces of any size, no path leads out of a folder, and no user is shown.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!size)
    return 0;
  std::string_view text(reinterpret_cast<const char *>(data) + 1, size - 1);
  std::vector<std::string> lines = linesOf(text, 1 + data[0] % 16);
  demand(lines == linesOf(text, size));
  Events events;
  Event event;
  for (const std::string &line : lines)
    if (events.line(line, event))
      demand(event.type.find('\n') == std::string::npos);

  demand(decoded(encoded(text)) == text && decoded(formEncoded(text), true) == text);
  decoded(text, true);
  formValues(text);
  std::string file = fileFor("/proc/self", text);
  demand(("/" + file + "/").find("/../") == std::string::npos);
  demand(file.find('\0') == std::string::npos);
  demand(!maySend(text, "null", false));
  std::string shown = shownUrl("http://user:secret@" + std::string(text));
  demand(!shown.starts_with("http://user:secret@"));
  hostOf(text);
  return 0;
}
