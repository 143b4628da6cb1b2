//===- BacktraceTest.cpp - what a fault says -------------------------------===//
#include "runtime/base/os.h"
#include <csignal>
#include <gtest/gtest.h>

using namespace sluice;

#if !defined(__has_feature) ||                                                                     \
    !(__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
static void fault(int signal) {
  os::catchFaults("it is broken\n");
  raise(signal);
}

TEST(Backtrace, OfAFault) {
  const char *place = "  0x[0-9a-f]+ [^ ]+\\+0x[0-9a-f]+\n";
  EXPECT_EXIT(fault(SIGSEGV), testing::ExitedWithCode(70),
              std::string("it is broken\nSegmentation fault, at\n") + place);
  EXPECT_EXIT(fault(SIGABRT), testing::ExitedWithCode(70),
              std::string("it is broken\nAborted, at\n") + place + "(.*\n)*");
}
#endif
