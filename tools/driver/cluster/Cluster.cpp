//===- Cluster.cpp - programs on a cluster of Apache Flink ----------------===//
//
// What speaks with Flink is Java, cluster/flink: these commands check their words, find what is
// needed and call it.
//
//===----------------------------------------------------------------------===//
#include "tools/driver/cluster/Cluster.h"
#include "tools/driver/Compile.h"
#include "tools/driver/Output.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include <cstdlib>
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

/// Where Flink is, or is to be fetched to: beside the libraries, or where the user may write.
static std::string flinkFolder() {
  std::string shared = absolute(join(libraryDir(), "sluice/flink"));
  llvm::StringRef parent = fs::exists(shared) ? llvm::StringRef(shared) : path::parent_path(shared);
  llvm::SmallString<128> own;
  if (fs::exists(join(shared, "host.jar")) || !fs::access(parent, fs::AccessMode::Write) ||
      !path::home_directory(own))
    return shared;
  path::append(own, ".local/share/sluice/flink");
  return std::string(own);
}

static std::string hostJar() { return join(flinkFolder(), "host.jar"); }

static bool has(llvm::StringRef program) { return !!llvm::sys::findProgramByName(program); }

/// What is to be done first; nothing if all is there.
static std::string missing() {
  std::string folder = flinkFolder(), packages, commands;
  bool hasFlink = fs::exists(hostJar()) && fs::exists(join(folder, "lib"));
  if (!hasFlink && !has("mvn"))
    packages += " maven";
  if (!hasFlink && !has("javac"))
    packages += " openjdk-17-jdk-headless";
  else if (!has("java"))
    packages += " openjdk-17-jre-headless";
  if (!packages.empty())
    commands += std::string("\n  ") + (getuid() ? "sudo " : "") + "apt install" + packages;
  if (!hasFlink)
    commands += "\n  mvn -q package -f " +
                absolute(join(libraryDir(), "../share/sluice/flink/pom.xml")) + " -Dout=" + folder;
  if (commands.empty())
    return "";
  return std::string("a cluster needs Java 17 or later") +
         (hasFlink ? "" : ", and Apache Flink in " + folder + ", 80 MB from Maven Central") +
         ". This fetches what is missing:" + commands;
}

/// Calls its command with these words. The exit code.
static int call(const std::vector<std::string> &words) {
  if (std::string commands = missing(); !commands.empty())
    return fail(wrong(commands));
  auto java = llvm::sys::findProgramByName("java");
  std::string folder = flinkFolder();
  std::vector<std::string> all = {*java,
                                  "-XX:TieredStopAtLevel=1",
                                  "-XX:+UseSerialGC",
                                  "--add-opens=java.base/java.util=ALL-UNNAMED",
                                  "--add-opens=java.base/java.lang=ALL-UNNAMED",
                                  "-Dlog4j2.level=OFF",
                                  "-Dsluice.lib=" + folder + "/lib",
                                  "-cp",
                                  hostJar() + ":" + folder + "/lib/*",
                                  "sluice.cluster.Main"};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<llvm::StringRef> arguments(all.begin(), all.end());
  setenv("LC_ALL", "C.UTF-8", /*overwrite=*/1); // else Java spoils words beyond ASCII
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(*java, arguments, std::nullopt, {}, 0, 0, &problem);
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
  return call(words);
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
  return call(words);
}

//===--- programs ---------------------------------------------------------------===//

bool driver::isForCluster(llvm::StringRef target) {
  return target == "flink" || target == "flink-all";
}

/// Writes job.json of a program, unless it needs values for that. What it says is not shown.
static int describe(llvm::StringRef executable, llvm::StringRef file) {
  llvm::StringRef nothing = "";
  std::string problem;
  int code = llvm::sys::ExecuteAndWait(executable, {executable, "--print-job"}, std::nullopt,
                                       {nothing, file, nothing}, 0, 0, &problem);
  if (code < 0)
    return fail(wrong(executable + ": " + problem));
  if (code > 0) {
    fs::remove(file);
    llvm::errs() << "sluice: no job.json: the program needs values, so `sluice submit` makes it\n";
  }
  return 0;
}

static int buildFolder(const DriverOptions &options, llvm::StringRef folder) {
  const llvm::StringRef own =
      llvm::sys::getProcessTriple().starts_with("powerpc") ? "ppc64le" : "x86_64";
  for (auto [arch, triple] : kProcessors) {
    DriverOptions one = options;
    one.target = triple;
    one.output = executableIn(folder, arch);
    if (int code = own == arch || options.target == "flink-all" ? buildCommand(one) : 0)
      return code;
  }
  return describe(executableIn(folder, own), join(folder, "job.json"));
}

/// The folder is only for a moment: what is in it becomes one file.
static int buildJar(const DriverOptions &options, const std::string &jar) {
  llvm::SmallString<256> folder;
  if (std::error_code error = fs::createUniqueDirectory("sluice-app", folder))
    return fail(cannotWrite(std::string(folder), error));
  int code = buildFolder(options, folder);
  if (!code)
    code = call({"pack", "--from=" + std::string(folder), "--out=" + absolute(jar),
                 "--host-jar=" + hostJar()});
  fs::remove_directories(folder);
  return code;
}

int driver::buildForCluster(const DriverOptions &options) {
  std::string output = options.written();
  if (path::extension(output) == ".jar")
    return buildJar(options, output);
  if (fs::exists(output) && !fs::is_directory(output))
    return fail(wrong("cannot write the folder " + output + ": a file of that name is there"));
  if (std::error_code error = fs::create_directories(output))
    return fail(cannotWrite(output, error));
  return buildFolder(options, output);
}

int driver::submitCommand(const DriverOptions &options) {
  const ClusterOptions &o = options.cluster;
  if (o.address.empty())
    return fail(wrong("`sluice submit` needs --to=HOST:PORT, the REST interface of a cluster"));
  std::vector<std::string> words = {"submit", "--at=" + o.address, "--app=" + options.input,
                                    "--host-jar=" + hostJar()};
  if (!o.from.empty())
    words.push_back("--from=" +
                    (llvm::StringRef(o.from).contains(":/") ? o.from : absolute(o.from)));
  if (o.waits)
    words.push_back("--wait");
  // A value may be secret: other users see command lines, and no environments.
  for (const auto &[i, word] : llvm::enumerate(options.programArgs))
    setenv(("SLUICE_WORD_" + llvm::Twine(i)).str().c_str(), word.c_str(), /*overwrite=*/1);
  words.push_back("--words=" + std::to_string(options.programArgs.size()));
  return call(words);
}
