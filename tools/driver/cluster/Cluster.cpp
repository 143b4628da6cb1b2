//===- Cluster.cpp - programs on a cluster of Apache Flink ----------------===//
//
// What speaks with Flink is Java, cluster/flink: these commands check their words, find what is
// needed and call it.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/cluster/Cluster.h"
#include "runtime/base/Quantity.h"
#include "support/TemporaryFile.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "tools/driver/cluster/HiddenValues.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include <unistd.h>

using namespace sluice;
using namespace sluice::driver;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// The executables of a program by processor, as Java's os.arch calls them but for x86_64.
static constexpr struct {
  const char *arch, *triple;
} kProcessors[] = {{"x86_64", "x86_64-linux-gnu"}, {"ppc64le", "powerpc64le-linux-gnu"}};

static llvm::Error wrong(const llvm::Twine &message) { return llvm::createStringError(message); }

/// FOLDER/NAME/...
static std::string join(llvm::StringRef folder, const llvm::Twine &name) {
  llvm::SmallString<256> result(folder);
  path::append(result, name);
  return std::string(result);
}

static std::string absolute(llvm::StringRef name) {
  llvm::SmallString<256> result(name);
  fs::make_absolute(result);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

static std::string executableIn(llvm::StringRef folder, llvm::StringRef arch) {
  return join(folder, "pe-" + arch);
}

//===--- what speaks with Flink -------------------------------------------------===//

/// The environment of this process, behind these variables.
static std::vector<llvm::StringRef> environmentWith(const std::vector<std::string> &more) {
  std::vector<llvm::StringRef> result(more.begin(), more.end());
  for (char **each = environ; *each; ++each)
    if (llvm::none_of(more, [&](llvm::StringRef one) {
          return llvm::StringRef(*each).split('=').first == one.split('=').first;
        }))
      result.emplace_back(*each);
  return result;
}

/// Calls its command with these words, and more variables of the environment. The exit code.
static int call(std::vector<std::string> words, const std::vector<std::string> &more = {}) {
  auto java = llvm::sys::findProgramByName("java");
  if (!java)
    return fail(wrong("java is needed for a cluster: install the package "
                      "openjdk-17-jre-headless, or a later version"));
  std::string folder = absolute(join(libraryDir(), "sluice/flink"));
  if (!fs::exists(join(folder, "host.jar")) || !fs::exists(join(folder, "lib")))
    return fail(wrong("Flink is not in " + folder + ". Maven (package maven, with a JDK) fetches " +
                      "it from Maven Central, 80 MB:\n  mvn -q package -f " +
                      absolute(join(libraryDir(), "../share/sluice/flink/pom.xml")) +
                      " -Dout=" + folder));
  std::vector<std::string> all = {*java,
                                  "-XX:TieredStopAtLevel=1",
                                  "-XX:+UseSerialGC",
                                  "--add-opens=java.base/java.util=ALL-UNNAMED",
                                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                  "-Dlog4j2.level=OFF",
                                  "-Dsluice.lib=" + folder + "/lib",
                                  "-cp",
                                  folder + "/host.jar:" + folder + "/lib/*",
                                  "sluice.cluster.Main"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<llvm::StringRef> arguments(all.begin(), all.end());
  std::string problem;
  std::vector<llvm::StringRef> environment = environmentWith(more);
  int code =
      llvm::sys::ExecuteAndWait(*java, arguments, llvm::ArrayRef(environment), {}, 0, 0, &problem);
  return code < 0 ? fail(wrong("java: " + problem)) : code;
}

int driver::clusterUpCommand(const DriverOptions &options) {
  const ClusterOptions &o = options.cluster;
  if (o.folder.empty())
    return fail(wrong("`sluice cluster up` needs --dir=DIR"));
  std::vector<std::string> words = {
      "up", "--dir=" + absolute(o.folder), "--hosts=" + std::to_string(o.hosts),
      "--slots=" + std::to_string(o.slots), "--port=" + std::to_string(o.port)};
  if (!o.listens.empty())
    words.push_back("--address=" + o.listens);
  if (o.hasStandby)
    words.push_back("--standby");
  return call(std::move(words));
}

int driver::clusterDownCommand(const DriverOptions &options) {
  if (options.cluster.folder.empty())
    return fail(wrong("`sluice cluster down` needs the --dir=DIR of `sluice cluster up`"));
  return call({"down", "--dir=" + absolute(options.cluster.folder)});
}

int driver::clusterJobsCommand(const DriverOptions &options) {
  return call({"jobs", "--at=" + options.cluster.address});
}

bool driver::isOfCluster(const ClusterOptions &o) {
  return !o.address.empty() || !o.savepoint.empty() || o.endsAtOnce;
}

int driver::clusterStopCommand(const DriverOptions &options) {
  if (options.cluster.address.empty())
    return fail(wrong("`sluice stop` needs --at=HOST:PORT, the REST interface of a cluster"));
  if (options.cluster.endsAtOnce && !options.cluster.savepoint.empty())
    return fail(wrong("--savepoint and --now do not go together: who saves a job waits for that"));
  std::vector<std::string> words = {"stop", options.input, "--at=" + options.cluster.address};
  if (options.cluster.endsAtOnce)
    words.push_back("--now");
  if (!options.cluster.savepoint.empty())
    words.push_back("--savepoint=" + absolute(options.cluster.savepoint));
  return call(std::move(words));
}

//===--- programs ---------------------------------------------------------------===//

/// Writes job.json of a program that gets these arguments. `quiet`: what it says is not shown.
static int describe(llvm::StringRef executable, std::vector<std::string> arguments,
                    llvm::StringRef file, bool quiet) {
  std::vector<llvm::StringRef> words = {executable, "--print-job"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::optional<llvm::StringRef> streams[] = {llvm::StringRef(""), file, std::nullopt};
  if (quiet)
    streams[2] = llvm::StringRef("");
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(executable, words, std::nullopt, streams, 0, 0, &problem);
  return code < 0 ? fail(wrong(executable + ": " + problem)) : code;
}

bool driver::isForCluster(llvm::StringRef target) {
  return target == "flink" || target == "flink-all";
}

int driver::buildForCluster(const DriverOptions &options) {
  std::string folder = options.written();
  if (fs::exists(folder) && !fs::is_directory(folder))
    return fail(wrong("cannot write the folder " + folder + ": a file of that name is there"));
  if (std::error_code error = fs::create_directories(folder))
    return fail(cannotWrite(folder, error));
  const llvm::StringRef own =
      llvm::sys::getProcessTriple().starts_with("powerpc") ? "ppc64le" : "x86_64";
  for (auto [arch, triple] : kProcessors) {
    DriverOptions one = options;
    one.target = triple;
    one.output = executableIn(folder, arch);
    if (int code = own == arch || options.target == "flink-all" ? buildCommand(one) : 0)
      return code;
  }
  std::string file = join(folder, "job.json");
  if (describe(executableIn(folder, own), {}, file, /*quiet=*/true) != 0) {
    fs::remove(file);
    llvm::errs() << "sluice: no job.json: the program needs values, so `sluice submit` makes it\n";
  }
  return 0;
}

/// Where relative names of files start, as with an executable: on all hosts the same.
static void addDataDir(std::vector<std::string> &arguments) {
  if (llvm::none_of(arguments, [](llvm::StringRef word) { return word.starts_with("--data-dir"); }))
    arguments.insert(arguments.begin(), "--data-dir=" + absolute("data"));
}

/// Takes --checkpoint-every out of the arguments: the cluster says when. Its seconds, or nothing.
static std::optional<double> takePeriod(std::vector<std::string> &arguments) {
  std::optional<double> seconds;
  llvm::erase_if(arguments, [&](llvm::StringRef word) {
    if (!word.consume_front("--checkpoint-every="))
      return false;
    seconds = parseSeconds(word).value_or(0);
    return true;
  });
  return seconds;
}

int driver::submitCommand(const DriverOptions &options) {
  const ClusterOptions &o = options.cluster;
  if (o.address.empty())
    return fail(wrong("`sluice submit` needs --to=HOST:PORT, the REST interface of a cluster"));
  std::vector<std::string> arguments = options.programArgs;
  std::optional<double> period = takePeriod(arguments);
  if (period && *period <= 0)
    return fail(wrong("--checkpoint-every needs a time like 10s or 200ms"));
  std::vector<std::string> words = {"submit", "--at=" + o.address};
  std::string runs; // here
  for (auto [arch, triple] : kProcessors) {
    std::string executable = absolute(executableIn(options.input, arch));
    if (!fs::can_execute(executable))
      continue;
    words.push_back("--pe=" + std::string(arch) + "=" + executable);
    if (llvm::StringRef(triple).split('-').first ==
        llvm::StringRef(llvm::sys::getProcessTriple()).split('-').first)
      runs = executable;
  }
  if (runs.empty())
    return fail(wrong("`" + options.input +
                      "` has no program for this machine: `sluice build "
                      "FILE.spl --pes=N --target=flink -o " +
                      options.input + "` makes one"));
  addDataDir(arguments);
  auto job = TemporaryFile::make("json");
  if (!job)
    return fail(job.takeError());
  if (int code = describe(runs, arguments, job->path(), /*quiet=*/false))
    return code;
  auto hidden = hideValues(arguments, job->path());
  if (!hidden)
    return fail(hidden.takeError());
  words.push_back("--job=" + job->path());
  words.push_back("--host-jar=" + absolute(join(libraryDir(), "sluice/flink/host.jar")));
  if (period)
    words.push_back("--every=" + std::to_string(*period));
  if (!o.from.empty())
    words.push_back("--from=" +
                    (llvm::StringRef(o.from).contains(":/") ? o.from : absolute(o.from)));
  if (o.waits)
    words.push_back("--wait");
  words.push_back("--");
  words.insert(words.end(), arguments.begin(), arguments.end());
  return call(std::move(words), *hidden);
}
