//===- FileUses.cpp - which files the program reads and writes -------------===//
#include "runtime/exec/source/FileUses.h"
#include "runtime/base/files.h"
#include "runtime/exec/ending/Messages.h"
#include "runtime/exec/state/Program.h"
#include <algorithm>
#include <cerrno>

namespace sluice {

static constexpr int64_t kLook = 100'000'000; // ns

static void release(int fd) {
  if (fd >= 0)
    os::closeFile(fd);
}

FileUses::~FileUses() {
  for (const Known &k : known)
    release(k.lock);
}

FileUses::Answer FileUses::add(const char *path, FileUse use) {
  std::optional<os::FileIdentity> file = os::identityOf(path);
  if (!file)
    return Answer::Yes;
  bool writes = use != FileUse::Read;
  os::Held held(lock);
  auto found =
      std::find_if(known.begin(), known.end(), [&](const Known &k) { return k.file == *file; });
  if (found == known.end()) {
    int fd = use == FileUse::Write ? os::lockFile(path) : -1;
    if (fd == -EWOULDBLOCK)
      return Answer::OtherWrites;
    known.push_back({*file, writes, 1, fd});
    return Answer::Yes;
  }
  if (writes != found->isWritten)
    return writes ? Answer::Reads : Answer::Writes;
  if (use == FileUse::Write && found->lock < 0) { // those before shared it
    found->lock = os::lockFile(path);
    if (found->lock == -EWOULDBLOCK)
      return Answer::OtherWrites;
  }
  found->count += writes;
  return Answer::Yes;
}

void FileUses::remove(const char *path) {
  std::optional<os::FileIdentity> file = os::identityOf(path);
  os::Held held(lock);
  std::erase_if(known, [&](Known &k) {
    if (!file || k.file != *file || --k.count)
      return false;
    release(k.lock);
    return true;
  });
}

} // namespace sluice

using namespace sluice;

/// Where a host was given up that still lives, its PE still writes. This one, which was started in
/// the place of that one, waits until it has gone.
static bool waitsForOther(const Program &p) {
  return p.options.isHosted && (p.cut.relaunches || p.cut.number.load(std::memory_order_relaxed));
}

static FileUses::Answer add(Ctx *ctx, const char *path, FileUse use) {
  Program &p = *ctx->program;
  FileUses::Answer answer = p.natives.files->add(path, use);
  if (answer == FileUses::Answer::OtherWrites && waitsForOther(p))
    tell(p, std::string(p.desc.mainName) +
                ": warning: waits until another process does not write " + path + " any more\n");
  while (answer == FileUses::Answer::OtherWrites && waitsForOther(p) && !p.end.stop.sleep(kLook))
    answer = p.natives.files->add(path, use);
  return answer;
}

extern "C" int32_t sl_use_file(Ctx *ctx, const char *path, FileUse use) {
  using Answer = FileUses::Answer;
  switch (add(ctx, path, use)) {
  case Answer::Yes:
    return 0;
  case Answer::OtherWrites:
    return sl_error(ctx,
                    "cannot write %s: another program, or another process of this one, writes it "
                    "already; FileSinks with `shared : true` may do so together",
                    path);
  case Answer::Reads:
  case Answer::Writes:
    break;
  }
  return sl_error(ctx, "%s: input file is output file: the program %s it already", path,
                  use == FileUse::Read ? "writes" : "reads");
}

extern "C" void sl_end_use(Ctx *ctx, const char *path) {
  ctx->program->natives.files->remove(path);
}
