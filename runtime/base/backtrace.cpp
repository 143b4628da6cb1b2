//===- backtrace.cpp - where a thread is ----------------------------------===//
#include "runtime/base/backtrace.h"
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <unistd.h>
#include <unwind.h>

namespace sluice::os {

namespace {
struct Walk {
  int fd;
  int left = 32; // calls that are still written
};
} // namespace

/// `  0x00005641cd968687 sl_native_batch+0x1f`: the function where that is known, else the place in
/// the file that was loaded there.
static void writeCall(int fd, uintptr_t address) {
  char line[512] = "  0x";
  size_t at = strlen(line);
  auto put = [&](const char *text) {
    while (*text && at + 2 < sizeof line)
      line[at++] = *text++;
  };
  auto putHex = [&](uintptr_t value) {
    char digits[17] = {};
    size_t first = 16;
    do
      digits[--first] = "0123456789abcdef"[value % 16];
    while ((value /= 16) && first);
    put(digits + first);
  };
  putHex(address);
  Dl_info info = {};
  if (dladdr(reinterpret_cast<void *>(address), &info) && info.dli_fname) {
    put(" ");
    put(info.dli_sname ? info.dli_sname : info.dli_fname);
    put("+0x");
    putHex(address - reinterpret_cast<uintptr_t>(info.dli_sname ? info.dli_saddr : info.dli_fbase));
  }
  line[at++] = '\n';
  [[maybe_unused]] ssize_t n = write(fd, line, at);
}

static _Unwind_Reason_Code step(_Unwind_Context *context, void *data) {
  auto &walk = *static_cast<Walk *>(data);
  if (uintptr_t address = _Unwind_GetIP(context))
    writeCall(walk.fd, address);
  return --walk.left > 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void writeBacktrace(int fd) {
  Walk walk{fd};
  _Unwind_Backtrace(step, &walk);
}

} // namespace sluice::os
