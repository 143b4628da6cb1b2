//===- sluice-fuzz.cpp - runs one program after the other -------*- C++ -*-===//
//
// `sluice-fuzz WARM.spl...` compiles these programs, so that the compiler is warm, and reads
// requests from the standard input. A request is a line `SECONDS N`, and N lines, each an argument
// of `sluice`: run, FILE.spl and so on. A child of its own runs it. The answer is a line `HOW WHAT
// MILLISECONDS OUT ERR`, and as many bytes of standard output and of error: HOW is `exit` with a
// code, `signal` with its number, or `late` with 0; MILLISECONDS are processor time.
//
//===----------------------------------------------------------------------===//
#include "codegen/target/Cpu.h"
#include "codegen/target/Target.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include <cstdio>
#include <fcntl.h>
#include <iostream>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::driver;

namespace {
/// Bytes that a program may print; it fails with the next one.
constexpr rlim_t kMostOutput = 64 << 20;

struct Request {
  int seconds = 0;
  std::vector<std::string> arguments;
};
} // namespace

static bool read(Request &request) {
  size_t count = 0;
  if (!(std::cin >> request.seconds >> count))
    return false;
  std::cin.ignore(1);
  request.arguments.resize(count);
  for (std::string &argument : request.arguments)
    std::getline(std::cin, argument);
  return true;
}

static bool parseArguments(const std::vector<std::string> &arguments, DriverOptions &options,
                           int &code) {
  std::vector<char *> argv = {const_cast<char *>("sluice")};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);
  code = parseCommandLine(int(argv.size()) - 1, argv.data(), options);
  return code < 0;
}

static int runRequest(const Request &request) {
  DriverOptions options;
  int code;
  if (!parseArguments(request.arguments, options, code))
    return code;
  return options.command == Command::Run ? runCommand(options) : checkCommand(options);
}

/// Compiles to machine code that nobody runs.
static bool warmUp(const std::string &file) {
  DriverOptions options;
  int code;
  if (!parseArguments({"run", file, "-w", "-O0"}, options, code))
    return false;
  llvm::LLVMContext context;
  auto target = createTarget("", "native");
  if (!target)
    return fail(target.takeError()) == 0;
  Compilation compilation(options);
  auto module = compilation.optimise(context, **target);
  llvm::SmallString<0> object;
  llvm::raw_svector_ostream os(object);
  return module && !llvm::errorToBool(emitCode(*module, **target, os, /*assembly=*/false));
}

static std::string contentOf(int fd) {
  std::string text(size_t(lseek(fd, 0, SEEK_END)), '\0');
  if (pread(fd, text.data(), text.size(), 0) != ssize_t(text.size()))
    text.clear();
  close(fd);
  return text;
}

[[noreturn]] static void child(const Request &request, int out, int err) {
  setpgid(0, 0);
  rlimit output = {kMostOutput, kMostOutput};
  setrlimit(RLIMIT_FSIZE, &output);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(out, 1);
  dup2(err, 2);
  int code = finishOutput(runRequest(request));
  fflush(stdout);
  _exit(code);
}

static void answer(const Request &request) {
  int out = memfd_create("out", MFD_CLOEXEC), err = memfd_create("err", MFD_CLOEXEC);
  pid_t pid = fork();
  if (pid == 0)
    child(request, out, err);
  pollfd ended = {int(syscall(SYS_pidfd_open, pid, 0)), POLLIN, 0};
  bool late = poll(&ended, 1, request.seconds * 1000) == 0;
  close(ended.fd);
  kill(-pid, SIGKILL); // and its children
  kill(pid, SIGKILL);
  int status = 0;
  rusage usage = {};
  wait4(pid, &status, 0, &usage);
  const char *how = late ? "late" : WIFSIGNALED(status) ? "signal" : "exit";
  int what = late ? 0 : WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  auto millis = [](const timeval &time) { return time.tv_sec * 1000 + time.tv_usec / 1000; };
  std::string output = contentOf(out), errors = contentOf(err);
  std::cout << how << ' ' << what << ' ' << millis(usage.ru_utime) + millis(usage.ru_stime) << ' '
            << output.size() << ' ' << errors.size() << '\n'
            << output << errors << std::flush;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: sluice-fuzz WARM.spl...\n";
    return kUsage;
  }
  for (int i = 1; i < argc; ++i)
    if (!warmUp(argv[i]))
      return 1;
  for (Request request; read(request);)
    answer(request);
  return 0;
}
