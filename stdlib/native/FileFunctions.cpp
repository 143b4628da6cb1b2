//===- FileFunctions.cpp - spl.file -----------------------------*- C++ -*-===//
//
// A program knows an open file by a number. No number is given twice, so one of a file that was
// closed is never that of another file.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/Library.h"
#include "value/Text.h"
#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <sys/stat.h>
#include <utility>

using namespace sluice;

namespace {

constexpr int32_t kEnd = -1;           // the error at the end of a file
constexpr uint64_t kMost = UINT32_MAX; // bytes of a string or blob

/// Null after it was closed. Operators on several threads may use it.
struct OpenFile {
  explicit OpenFile(FILE *file) : file(file) {}
  std::mutex mutex;
  FILE *file;
};

class OpenFiles {
public:
  uint64_t add(FILE *file) {
    std::lock_guard lock(mutex);
    files[++last] = std::make_shared<OpenFile>(file);
    return last;
  }
  std::shared_ptr<OpenFile> find(uint64_t number) {
    std::lock_guard lock(mutex);
    auto found = files.find(number);
    return found == files.end() ? nullptr : found->second;
  }
  void remove(uint64_t number) {
    std::lock_guard lock(mutex);
    files.erase(number);
  }

private:
  std::mutex mutex;
  std::map<uint64_t, std::shared_ptr<OpenFile>> files;
  uint64_t last = 0;
};

/// Never destroyed: operators may still run when the process ends.
OpenFiles &openFiles() {
  static auto *files = new OpenFiles;
  return *files;
}

std::string textOf(const Str *s) { return std::string(viewOf(*s)); }

/// The error of a call of the C library that went well or not.
int32_t errorUnless(bool isGood) { return isGood ? 0 : errno ? errno : EIO; }

/// Calls `use` with the file, and returns the error that it returns.
template <typename F> int32_t withFile(uint64_t number, F use) {
  auto open = openFiles().find(number);
  if (!open)
    return EBADF;
  std::lock_guard lock(open->mutex);
  if (!open->file)
    return EBADF;
  errno = 0;
  return use(open->file);
}

/// What reading has come to: the end counts only if nothing was read.
int32_t errorOf(FILE *file, bool any) {
  if (ferror(file))
    return errorUnless(false);
  return any ? 0 : kEnd;
}

bool writeAll(FILE *file, const Str *bytes) {
  return fwrite(bytes->data(), 1, bytes->len, file) == bytes->len;
}

/// Reads up to `length` bytes into a place. Returns whether the file had as many.
bool readInto(Ctx *ctx, Str *place, FILE *file, uint64_t length) {
  std::string all;
  char chunk[1 << 16];
  while (all.size() < length) {
    size_t got = fread(chunk, 1, std::min<uint64_t>(sizeof chunk, length - all.size()), file);
    all.append(chunk, got);
    if (!got)
      break;
  }
  memcpy(strResize(ctx->heap, place, uint32_t(all.size()), 0), all.data(), all.size());
  return all.size() == length;
}

} // namespace

//===--- opening and closing ------------------------------------------------===//

SL(fopen, rri)(Ctx *, uint64_t *result, const Str *name, const Str *mode, int32_t *error) {
  FILE *file = fopen(textOf(name).c_str(), (textOf(mode) + "e").c_str());
  *error = file ? 0 : errno;
  *result = file ? openFiles().add(file) : 0;
  return 0;
}
SL(fclose, mi)(Ctx *, int32_t *result, uint64_t number, int32_t *error) {
  auto open = openFiles().find(number);
  openFiles().remove(number);
  *error = EBADF;
  if (open) {
    std::lock_guard lock(open->mutex);
    FILE *file = std::exchange(open->file, nullptr);
    if (file)
      *error = fclose(file) == 0 ? 0 : errno;
  }
  *result = *error ? -1 : 0;
  return 0;
}
SL(fflush, mi)(Ctx *, int32_t *result, uint64_t number, int32_t *error) {
  *error = withFile(number, [](FILE *file) { return errorUnless(fflush(file) == 0); });
  *result = *error ? -1 : 0;
  return 0;
}

//===--- positions ----------------------------------------------------------===//

SL(ftell, mi)(Ctx *, int64_t *result, uint64_t number, int32_t *error) {
  *result = -1;
  *error = withFile(number, [&](FILE *file) { return errorUnless((*result = ftello(file)) >= 0); });
  return 0;
}
SL(fseek, mlii)(Ctx *, uint64_t number, int64_t offset, int32_t whence, int32_t *error) {
  *error =
      withFile(number, [&](FILE *file) { return errorUnless(fseeko(file, offset, whence) == 0); });
  return 0;
}
SL(rewind, m)(Ctx *, uint64_t number) {
  withFile(number, [](FILE *file) { return rewind(file), 0; });
  return 0;
}
SL(feof, m)(Ctx *, uint8_t *result, uint64_t number) {
  *result = true;
  withFile(number, [&](FILE *file) { return *result = feof(file) != 0, 0; });
  return 0;
}
SL(clearerr, m)(Ctx *, uint64_t number) {
  withFile(number, [](FILE *file) { return clearerr(file), 0; });
  return 0;
}

//===--- reading and writing ------------------------------------------------===//

SL(freadLine, mi)(Ctx *ctx, Str *result, uint64_t number, int32_t *error) {
  *result = {};
  *error = withFile(number, [&](FILE *file) {
    char *line = nullptr;
    size_t room = 0;
    ssize_t length = getline(&line, &room, file);
    int32_t state = errorOf(file, length > 0);
    if (length > 0)
      *result = keepText(ctx, line, uint64_t(length) - (line[length - 1] == '\n'));
    free(line);
    return state;
  });
  return 0;
}
SL(freadToken, mi)(Ctx *ctx, Str *result, uint64_t number, int32_t *error) {
  *result = {};
  *error = withFile(number, [&](FILE *file) {
    std::string token;
    int c = getc(file);
    while (c != EOF && isspace(c))
      c = getc(file);
    for (; c != EOF && !isspace(c); c = getc(file))
      token += char(c);
    if (c != EOF)
      ungetc(c, file);
    int32_t state = errorOf(file, !token.empty());
    *result = keepText(ctx, token.data(), token.size());
    return state;
  });
  return 0;
}
SL(readBytes, Bmmi)(Ctx *ctx, Str *bytes, uint64_t number, uint64_t length, int32_t *error) {
  *error = withFile(number, [&](FILE *file) {
    if (length > kMost)
      return EOVERFLOW;
    return errorOf(file, readInto(ctx, bytes, file, length));
  });
  return 0;
}
SL(freadfile, Bmi)(Ctx *ctx, Str *bytes, uint64_t number, int32_t *error) {
  *error = withFile(number, [&](FILE *file) {
    bool isFull = readInto(ctx, bytes, file, kMost);
    return isFull ? EOVERFLOW : errorUnless(!ferror(file));
  });
  return 0;
}
SL(fwriteString, rmi)(Ctx *, const Str *text, uint64_t number, int32_t *error) {
  *error = withFile(number, [&](FILE *file) { return errorUnless(writeAll(file, text)); });
  return 0;
}
SL(fwriteblob, Bmi)(Ctx *, const Str *bytes, uint64_t number, int32_t *error) {
  *error = withFile(number, [&](FILE *file) { return errorUnless(writeAll(file, bytes)); });
  return 0;
}

//===--- names and facts of files -------------------------------------------===//

SL(mkdir, rji)(Ctx *, const Str *name, uint32_t mode, int32_t *error) {
  *error = mkdir(textOf(name).c_str(), mode) == 0 ? 0 : errno;
  return 0;
}
SL(remove, ri)(Ctx *, const Str *name, int32_t *error) {
  *error = remove(textOf(name).c_str()) == 0 ? 0 : errno;
  return 0;
}

/// False if there is no such fact.
static bool pick(const struct stat &facts, std::string_view what, uint64_t &result) {
  const std::pair<std::string_view, uint64_t> all[] = {{"dev", facts.st_dev},
                                                       {"rdev", facts.st_rdev},
                                                       {"ino", facts.st_ino},
                                                       {"mode", facts.st_mode},
                                                       {"nlink", facts.st_nlink},
                                                       {"uid", facts.st_uid},
                                                       {"gid", facts.st_gid},
                                                       {"size", uint64_t(facts.st_size)},
                                                       {"blksize", uint64_t(facts.st_blksize)},
                                                       {"blocks", uint64_t(facts.st_blocks)}};
  for (auto [name, value] : all)
    if (name == what) {
      result = value;
      return true;
    }
  return false;
}
static bool pick(const struct stat &facts, std::string_view what, Timestamp &result) {
  const std::pair<std::string_view, timespec> all[] = {
      {"atime", facts.st_atim}, {"mtime", facts.st_mtim}, {"ctime", facts.st_ctim}};
  for (auto [name, value] : all)
    if (name == what) {
      result = {value.tv_sec, uint32_t(value.tv_nsec), 0};
      return true;
    }
  return false;
}

template <typename T> static int32_t factOf(const Str *name, const Str *what, T *result) {
  struct stat facts;
  if (stat(textOf(name).c_str(), &facts))
    return errno;
  return pick(facts, viewOf(*what), *result) ? 0 : EINVAL;
}
template <typename T> static int32_t factOf(uint64_t number, const Str *what, T *result) {
  struct stat facts;
  int32_t error =
      withFile(number, [&](FILE *file) { return errorUnless(fstat(fileno(file), &facts) == 0); });
  return error ? error : pick(facts, viewOf(*what), *result) ? 0 : EINVAL;
}

SL(fstat, rrmi)(Ctx *, const Str *name, const Str *what, uint64_t *result, int32_t *error) {
  *error = factOf(name, what, result);
  return 0;
}
SL(fstat, rrTi)(Ctx *, const Str *name, const Str *what, Timestamp *result, int32_t *error) {
  *error = factOf(name, what, result);
  return 0;
}
SL(fstat, mrmi)(Ctx *, uint64_t file, const Str *what, uint64_t *result, int32_t *error) {
  *error = factOf(file, what, result);
  return 0;
}
SL(fstat, mrTi)(Ctx *, uint64_t file, const Str *what, Timestamp *result, int32_t *error) {
  *error = factOf(file, what, result);
  return 0;
}

//===--- errors -------------------------------------------------------------===//

#define SLUICE_ERROR(number)                                                                       \
  SL(is##number, i)(Ctx *, uint8_t *result, int32_t error) {                                       \
    *result = error == number;                                                                     \
    return 0;                                                                                      \
  }
SLUICE_ERROR(EACCES)
SLUICE_ERROR(EAGAIN)
SLUICE_ERROR(EBADF)
SLUICE_ERROR(EFAULT)
SLUICE_ERROR(EFBIG)
SLUICE_ERROR(EINTR)
SLUICE_ERROR(EINVAL)
SLUICE_ERROR(EIO)
SLUICE_ERROR(EISDIR)
SLUICE_ERROR(ELOOP)
SLUICE_ERROR(EMFILE)
SLUICE_ERROR(ENAMETOOLONG)
SLUICE_ERROR(ENFILE)
SLUICE_ERROR(ENODEV)
SLUICE_ERROR(ENOENT)
SLUICE_ERROR(ENOMEM)
SLUICE_ERROR(ENOSPC)
SLUICE_ERROR(ENOTDIR)
SLUICE_ERROR(ENXIO)
SLUICE_ERROR(EOVERFLOW)
SLUICE_ERROR(EPERM)
SLUICE_ERROR(EPIPE)
SLUICE_ERROR(EROFS)
SLUICE_ERROR(ESPIPE)
SLUICE_ERROR(ETXTBSY)
SLUICE_ERROR(EWOULDBLOCK)
