//===- FileUses.cpp - which files the program reads and writes -------------===//
#include "runtime/exec/source/FileUses.h"
#include "runtime/exec/program/Program.h"
#include <algorithm>

namespace sluice {

bool FileUses::add(const char *path, FileUse use) {
  std::optional<os::FileIdentity> file = os::identityOf(path);
  if (!file)
    return true;
  os::Held held(lock);
  auto found =
      std::find_if(known.begin(), known.end(), [&](const Known &k) { return k.file == *file; });
  if (found == known.end()) {
    known.push_back({*file, use, 1});
    return true;
  }
  found->count += use == FileUse::Write && found->use == use;
  return found->use == use;
}

void FileUses::remove(const char *path) {
  std::optional<os::FileIdentity> file = os::identityOf(path);
  os::Held held(lock);
  std::erase_if(known, [&](Known &k) { return file && k.file == *file && --k.count == 0; });
}

} // namespace sluice

using namespace sluice;

extern "C" int32_t sl_use_file(Ctx *ctx, const char *path, FileUse use) {
  if (ctx->program->files.add(path, use))
    return 0;
  return sl_error(ctx, "%s: input file is output file: the program %s it already", path,
                  use == FileUse::Read ? "writes" : "reads");
}

extern "C" void sl_end_use(Ctx *ctx, const char *path) { ctx->program->files.remove(path); }
