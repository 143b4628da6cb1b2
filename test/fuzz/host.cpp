//===- host.cpp - fuzzing what a PE reads of its host ---------------------------===//
//
// The input is all that a host says. It may not make the reader take more memory than there are
// bytes (but for one part), nor tell what is not allowed at that time. What was told, written as
// frames, is what was read. With SLUICE_HOSTS=DIR in the environment the start writes inputs into
// DIR.
//
//===----------------------------------------------------------------------===//
#include "runtime/remote/host/HostReader.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

using namespace sluice::remote;

namespace {

void check(bool holds, const char *what) {
  if (holds)
    return;
  fprintf(stderr, "%s\n", what);
  abort();
}

class Bytes : public Input {
public:
  Bytes(const uint8_t *data, size_t size) : at(data), left(size) {}
  bool read(void *to, size_t bytes) override {
    if (bytes > left)
      return left = 0, false;
    memcpy(to, at, bytes);
    at += bytes, left -= bytes;
    return true;
  }

  const uint8_t *at;
  size_t left;
};

/// Writes again what it is told.
class Writer : public HostListener {
public:
  std::string hello(const HostHello &said) override {
    check(!greeted, "it was greeted twice");
    greeted = true;
    put(HostFrame::Hello, &said, sizeof said);
    return "";
  }
  std::string begin(uint64_t number, std::string state) override {
    check(greeted && !begun, "it began twice, or before it was greeted");
    begun = true;
    restored = state.size();
    put(HostFrame::Begin, &number, sizeof number);
    return "";
  }
  void *place(const HostLink &link, size_t bytes, std::string &wrong) override {
    check(begun, "a frame came before the beginning");
    if (bytes > kMost || link.receiver == 7) {
      wrong = "no room";
      return nullptr;
    }
    coming = link;
    memory.assign(bytes + 1, 0); // one more, so that there is an address
    memory.resize(bytes + 1);
    return memory.data();
  }
  void arrived() override {
    std::string all(reinterpret_cast<const char *>(&coming), sizeof coming);
    all.append(memory.data(), memory.size() - 1);
    put(HostFrame::Data, all.data(), all.size());
  }
  std::string ended(const HostLink &link) override {
    check(begun, "an end came before the beginning");
    put(HostFrame::End, &link, sizeof link);
    return "";
  }
  std::string gone(const HostLink &link) override {
    check(begun, "a sender went before the beginning");
    put(HostFrame::Gone, &link, sizeof link);
    return "";
  }
  void ordered(HostFrame type, uint64_t number) override {
    check(begun, "an order came before the beginning");
    put(type, &number, type == HostFrame::Cut || type == HostFrame::Committed ? 8 : 0);
  }

  std::string written; // but for what was to be restored
  size_t restored = 0;

private:
  static constexpr size_t kMost = 4096;

  void put(HostFrame type, const void *bytes, size_t size) {
    HostHead head = hostHead(uint32_t(size), type);
    written.append(reinterpret_cast<const char *>(head.data()), head.size());
    written.append(static_cast<const char *>(bytes), size);
  }

  bool greeted = false, begun = false;
  HostLink coming = {};
  std::vector<char> memory;
};

} // namespace

/// The frames of a text that was taken, but for Restore.
static std::string withoutRestored(std::string_view text) {
  std::string rest;
  while (text.size() >= kHostHead) {
    uint32_t bytes;
    memcpy(&bytes, text.data(), sizeof bytes);
    std::string_view frame = text.substr(0, kHostHead + bytes);
    if (HostFrame(frame[4]) != HostFrame::Restore)
      rest += frame;
    text.remove_prefix(frame.size());
  }
  return rest;
}

static std::string frame(HostFrame type, const std::string &content) {
  HostHead head = hostHead(uint32_t(content.size()), type);
  return std::string(reinterpret_cast<const char *>(head.data()), head.size()) + content;
}

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  const char *directory = getenv("SLUICE_HOSTS");
  const std::string eight(8, '\1'), link = eight + "a frame";
  std::string all = frame(HostFrame::Hello, std::string(sizeof(HostHello), '\1')) +
                    frame(HostFrame::Restore, "state") + frame(HostFrame::Begin, eight);
  int count = 0;
  for (const std::string &more :
       {frame(HostFrame::Data, link), frame(HostFrame::Cut, eight), frame(HostFrame::End, eight),
        frame(HostFrame::Gone, eight), frame(HostFrame::Committed, eight),
        frame(HostFrame::Stop, ""), frame(HostFrame::Close, "")}) {
    all += more;
    std::string path = std::string(directory ? directory : "") + "/host" + std::to_string(count++);
    if (FILE *file = directory ? fopen(path.c_str(), "w") : nullptr) {
      fwrite(all.data(), 1, all.size(), file);
      fclose(file);
    }
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes input(data, size);
  Writer writer;
  HostReader reader(input, writer);
  std::string problem;
  size_t taken = 0;
  HostReader::Result result;
  while ((result = reader.next(problem)) == HostReader::Result::Read)
    taken = size - input.left;
  check((result == HostReader::Result::Wrong) == !problem.empty(),
        "wrong, and it does not say why");
  check(writer.restored <= size, "more was restored than came");
  std::string_view all(reinterpret_cast<const char *>(data), taken);
  check(withoutRestored(all) == writer.written, "what was told is not what was said");
  return 0;
}
