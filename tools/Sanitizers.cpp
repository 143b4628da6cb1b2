//===- Sanitizers.cpp - settings of builds with a sanitizer ---------------===//
//
// LLVM's libraries are not instrumented: what they share with our code would be
// reported as ours. In other builds nobody calls these functions.
//
//===----------------------------------------------------------------------===//

// A vector that one side grows and the other writes is no overflow.
extern "C" const char *__asan_default_options() {
  // LLVM's allocators, in our code and in its own, which is not instrumented, share their blocks.
  return "detect_container_overflow=0:allow_user_poisoning=0";
}
extern "C" const char *__ubsan_default_options() { return "print_stacktrace=1"; }
// Threads of OpenMP's library keep what they have until the process is gone.
extern "C" const char *__lsan_default_suppressions() { return "leak:libomp.so"; }
