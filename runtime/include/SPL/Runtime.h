//===- Runtime.h - what native code may ask of the run time -----*- C++ -*-===//
//
// Traces, exceptions and locks, under the names that toolkits use.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "SPL/Types.h"
#include "sluice/abi.h"
#include <mutex>
#include <sstream>
#include <stdexcept>

extern "C" int32_t sl_appTrc_Urr(sluice::Ctx *, uint32_t level, const sluice::Str *message,
                                 const sluice::Str *aspect, const sluice::Str *file, uint32_t line);

/// Tells the run time the name of the native code that this thread runs from now on, for the
/// message of a crash; null: none. Returns what it was before.
extern "C" const char *sl_running_native(const char *name);

namespace sluice::native {

/// What runs native code on this thread; null outside of calls.
inline thread_local Ctx *current = nullptr;
struct Current {
  Current(Ctx *ctx, const char *name)
      : outer(std::exchange(current, ctx)), outerName(sl_running_native(name)) {}
  ~Current() {
    current = outer;
    sl_running_native(outerName);
  }
  Ctx *outer;
  const char *outerName;
};

inline Str viewOf(const std::string &text) {
  Str s = {};
  s.len = uint32_t(text.size());
  if (s.len <= Str::kInline) {
    text.copy(s.inl, s.len);
  } else {
    text.copy(s.far.prefix, sizeof s.far.prefix);
    s.far.ptr = text.data();
  }
  return s;
}

/// As appTrc() of SPL.
inline void trace(uint32_t level, const std::string &message, const std::string &aspect,
                  const char *path, uint32_t line) {
  std::string file = path;
  file = file.substr(file.rfind('/') + 1);
  Str texts[] = {viewOf(message), viewOf(aspect), viewOf(file)};
  sl_appTrc_Urr(current, level, &texts[0], &texts[1], &texts[2], line);
}

} // namespace sluice::native

namespace SPL {

enum TraceLevel : uint32_t { L_ERROR, L_WARN, L_INFO, L_DEBUG, L_TRACE };

/// What a native function or operator throws: the failure of the operator that runs it.
class SPLRuntimeException : public std::runtime_error {
public:
  explicit SPLRuntimeException(const std::string &what) : std::runtime_error(what) {}
  SPLRuntimeException(const std::string &where, const std::string &what)
      : std::runtime_error(where + ": " + what) {}
  std::string getExplanation() const { return what(); }
};
using SPLRuntimeInvalidArgumentException = SPLRuntimeException;
using SPLRuntimeInvalidIndexException = SPLRuntimeException;
using SPLRuntimeOperationException = SPLRuntimeException;

using Mutex = std::recursive_mutex;
using AutoMutex = std::lock_guard<Mutex>;

} // namespace SPL

/// Shows a message of that level, L_ERROR to L_TRACE: SPLAPPTRC(L_INFO, "n is " << n, "mine").
#define SPLAPPTRC(level, message, aspect)                                                          \
  do {                                                                                             \
    if (::sluice::native::current &&                                                               \
        sl_trace_level(::sluice::native::current) > int32_t(::SPL::level)) {                       \
      std::ostringstream splStream;                                                                \
      splStream << message;                                                                        \
      ::sluice::native::trace(::SPL::level, splStream.str(), aspect, __FILE__, __LINE__);          \
    }                                                                                              \
  } while (0)
#define SPLAPPLOG(level, message, aspect) SPLAPPTRC(level, message, aspect)
