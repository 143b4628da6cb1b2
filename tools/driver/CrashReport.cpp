//===- CrashReport.cpp - what a crash of the compiler leaves behind -------===//
//
// Whatever runs after a fault makes system calls and nothing else: no memory is
// taken, no lock, no stream. The passes' own reproducer is written by another
// process, which compiles the report's files with MLIR's flag for that.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/CrashReport.h"
#include "runtime/base/os.h"
#include "tools/driver/OptionTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <atomic>
#include <csignal>
#include <cstring>
#include <execinfo.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;

namespace {
struct State {
  const char *step = "starting";
  const Diagnostics *live = nullptr;
  std::vector<std::pair<std::string, std::string>> kept; // path, text
  std::string folder, workingDir, stdlibDir, script;
  std::vector<std::string> passArgs; // compiles the report's files up to the last phase
  std::vector<char *> passArgv;
  bool ownReport = true;
};
State state;
std::atomic<bool> reporting;
} // namespace

//===--- before: prepare all text -----------------------------------------===//

static std::string inReport(StringRef path) {
  return "files" + (path.starts_with("/") ? path.str() : state.workingDir + "/" + path.str());
}

/// What decides how the report's files are compiled.
static std::vector<std::string> compileArgs(const DriverOptions &options) {
  std::vector<std::string> args = {inReport(options.sourceName())};
  auto add = [&](StringRef name, const std::string &value) {
    if (!value.empty())
      args.push_back((name + "=" + value).str());
  };
  add("--main", options.main);
  add("--app-dir", options.appDir.empty() ? "" : inReport(options.appDir));
  for (const std::string &toolkit : options.toolkits)
    args.insert(args.end(), {"-t", inReport(toolkit)});
  for (auto &[name, value] : options.compileTimeValues)
    add("--arg", name + "=" + value);
  if (options.warnings != Diagnostics::Warnings::Shown)
    args.push_back(options.warnings == Diagnostics::Warnings::Hidden ? "-w" : "-Werror");
  if (options.command != Command::Check) {
    args.push_back("-O" + std::to_string(options.optLevel));
    add("--boundaries", stringifyEnum(options.boundaries).str());
    add("--merge-order", stringifyEnum(options.mergeOrder).str());
    add("--pes", options.pes);
    if (options.closeWindows)
      args.push_back("--close-windows");
  }
  return args;
}

/// The rest of the command that crashed.
static std::vector<std::string> commandArgs(const DriverOptions &options) {
  std::vector<std::string> args = options.mlirFlags;
  auto add = [&](StringRef name, const std::string &value) {
    if (!value.empty())
      args.push_back((name + "=" + value).str());
  };
  add("--target", options.target);
  add("--cpu", options.cpu);
  if (options.stopAfter)
    add("--stop-after", phases()[unsigned(*options.stopAfter)].name.str());
  if (options.diff) {
    auto [from, to] = *options.diff;
    add("--diff", (phases()[unsigned(from)].name + "," + phases()[unsigned(to)].name).str());
  }
  add("--emit", options.emit);
  for (const std::string &only : options.only)
    add("--only", only);
  if (options.source)
    args.push_back("--source");
  if (options.command == Command::Graph)
    add("--format", options.format ? stringifyEnum(*options.format).str() : "");
  if (options.command == Command::Build || options.command == Command::Ir)
    args.insert(args.end(), {"-o", "out"});
  args.insert(args.end(), options.programArgs.begin(), options.programArgs.end());
  return args;
}

static std::string quoted(StringRef word) {
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

static StringRef nameOf(Command command) {
  const CommandInfo *found = findCommand(command);
  return found && found->readsProgram() ? found->name : "check";
}

static void prepare(const DriverOptions &options, const std::string &executable,
                    const std::string &stdlibDir) {
  llvm::SmallString<128> path;
  llvm::sys::fs::current_path(path);
  state.workingDir = path.str().str();
  path = stdlibDir;
  llvm::sys::path::remove_dots(path, /*remove_dot_dot=*/true);
  state.stdlibDir = path.str().str();
  llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, path);
  state.folder = (path + "/sluice-crash-XXXXXX").str();

  std::vector<std::string> args = compileArgs(options);
  state.script = "#!/bin/sh\n# Compiles the program on which sluice crashed.\ncd \"$(dirname "
                 "\"$0\")\" || exit\nexec \"${SLUICE:-" +
                 executable + "}\" " + nameOf(options.command).str();
  for (const std::string &arg : llvm::concat<std::string>(args, commandArgs(options)))
    state.script += " " + quoted(arg);
  state.script += "\n";
  if (options.command != Command::Check) {
    state.passArgs = {executable, "ir"};
    state.passArgs.insert(state.passArgs.end(), args.begin(), args.end());
    state.passArgs.insert(state.passArgs.end(),
                          {"--stop-after=llvm", "-o", "/dev/null",
                           "--mlir-pass-pipeline-crash-reproducer=passes.mlir"});
    for (std::string &arg : state.passArgs)
      state.passArgv.push_back(arg.data());
    state.passArgv.push_back(nullptr);
  }
}

void driver::setCrashStep(const char *step) { state.step = step; }

void driver::setCrashSources(const Diagnostics *sources) {
  if (state.live && !sources)
    for (uint32_t file = 1; file <= state.live->files(); ++file)
      state.kept.emplace_back(state.live->path(file), state.live->text(file));
  state.live = sources;
}

//===--- after: system calls only -----------------------------------------===//

static void put(int fd, StringRef text) {
  while (!text.empty()) {
    ssize_t n = write(fd, text.data(), text.size());
    if (n <= 0)
      return;
    text = text.drop_front(n);
  }
}

namespace {
/// A path below the report's folder. What does not fit is cut off.
class ReportPath {
public:
  ReportPath(StringRef folder, StringRef name) { append(folder), append("/"), append(name); }
  void append(StringRef part) {
    size_t n = std::min(part.size(), sizeof text - 1 - size);
    memcpy(text + size, part.data(), n);
    text[size += n] = 0;
  }
  void makeParents(size_t from) {
    for (size_t i = from + 1; i < size; ++i)
      if (text[i] == '/') {
        text[i] = 0;
        mkdir(text, 0700);
        text[i] = '/';
      }
  }
  void create(StringRef content, int mode = 0600) {
    int fd = open(text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
    if (fd < 0)
      return;
    put(fd, content);
    close(fd);
  }
  char text[4096];
  size_t size = 0;
};
} // namespace

static void writeSource(StringRef path, StringRef text) {
  if (!state.stdlibDir.empty() && path.starts_with(state.stdlibDir))
    return;
  ReportPath to(state.folder, "files");
  if (!path.starts_with("/")) {
    to.append(state.workingDir);
    to.append("/");
  }
  to.append(path);
  to.makeParents(state.folder.size());
  to.create(text);
}

/// Lets another process crash in the passes, with MLIR's own reproducer.
static bool writePassReproducer() {
  if (state.passArgv.empty())
    return false;
  pid_t child = _Fork();
  if (child == 0) {
    alarm(60);
    int null = open("/dev/null", O_RDWR);
    for (int fd : {0, 1, 2})
      dup2(null, fd);
    if (chdir(state.folder.c_str()) == 0)
      execv(state.passArgv[0], state.passArgv.data());
    _exit(127);
  }
  if (child > 0)
    waitpid(child, nullptr, 0);
  return access(ReportPath(state.folder, "passes.mlir").text, R_OK) == 0;
}

static void writeReport() {
  if (!mkdtemp(state.folder.data())) {
    put(2, "sluice: no report: no folder can be made in the directory for temporary files\n");
    return;
  }
  for (auto &[path, text] : state.kept)
    writeSource(path, text);
  if (state.live)
    for (uint32_t file = 1; file <= state.live->files(); ++file)
      writeSource(state.live->path(file), state.live->text(file));
  ReportPath(state.folder, "run.sh").create(state.script, 0700);
  int fd =
      open(ReportPath(state.folder, "backtrace.txt").text, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  void *frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), fd);
  close(fd);
  bool passes = writePassReproducer();
  put(2, "sluice: the program, a script that compiles it again (run.sh)");
  put(2, passes ? ", the IR before the pass that failed (passes.mlir)" : "");
  put(2, " and a backtrace are in\n  ");
  put(2, state.folder);
  put(2, "\nsluice: this is a bug in Sluice; please report it with these files\n");
}

static StringRef nameOfSignal(int signal) {
  switch (signal) {
  case SIGSEGV:
    return "segmentation fault";
  case SIGBUS:
    return "bus error";
  case SIGILL:
    return "illegal instruction";
  case SIGFPE:
    return "arithmetic fault";
  case SIGABRT:
    return "aborted";
  default:
    return "signal";
  }
}

static void onCrash(int signal) {
  if (reporting.exchange(true)) // in the middle of the report
    _exit(kInternalError);
  put(2, "sluice: internal error: the compiler crashed while ");
  put(2, state.step);
  put(2, " (");
  put(2, nameOfSignal(signal));
  put(2, ")\n");
  writeReport();
  _exit(kInternalError);
}

static void onFatalError(void *, const char *reason, bool) {
  put(2, "sluice: ");
  put(2, reason);
  put(2, "\n");
  abort(); // goes on in onCrash, or in MLIR's handler
}

//===--- the two together -------------------------------------------------===//

void driver::catchCrashes(const DriverOptions &options, const std::string &executable,
                          const std::string &stdlibDir) {
  prepare(options, executable, stdlibDir);
  llvm::install_fatal_error_handler(onFatalError);
  // MLIR writes the reproducer that was asked for; it must see the crash.
  state.ownReport = llvm::none_of(options.mlirFlags, [](StringRef flag) {
    return flag.starts_with("--mlir-pass-pipeline-crash-reproducer");
  });
  if (!state.ownReport)
    return;
  void *frame;
  backtrace(&frame, 1); // loads what it needs while that is still safe
  os::catchFaults(onCrash);
}

int driver::internalError(StringRef what) {
  llvm::errs() << "sluice: internal error: " << what << " while " << state.step << "\n";
  llvm::errs().flush();
  if (state.ownReport && !state.folder.empty() && !reporting.exchange(true))
    writeReport();
  return kInternalError;
}
