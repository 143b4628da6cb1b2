//===- NativeCode.cpp - compiles the native functions of a program ----------===//
#include "tools/driver/native/NativeCode.h"
#include "codegen/target/Target.h"
#include "tools/driver/Progress.h"
#include "tools/driver/native/ObjectCache.h"
#include "tools/driver/native/Wrapper.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/DynamicLibrary.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

using namespace sluice;
using namespace sluice::driver;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// A file to be compiled: the wrapper of the functions of one set, or an operator.
struct NativePart {
  const NativeSet *set;
  std::string source;
  std::vector<std::string> options; // of the compiler, for this file only
  std::string name;                 // of a function, or of the operator
  Range use;
};

static std::vector<NativePart> partsOf(const typed::Program &program, const Diagnostics &diags) {
  std::vector<NativePart> parts;
  llvm::MapVector<const NativeSet *, std::vector<typed::NativeCall>> sets;
  for (const typed::NativeCall &call : program.nativeCalls)
    sets[call.proto->native->set.get()].push_back(call);
  for (auto &[set, calls] : sets)
    parts.push_back({set,
                     cachedText(nativeWrapper(calls, diags), "cpp"),
                     {"-w"},
                     calls.front().proto->name,
                     calls.front().use});
  for (auto &[name, op] : program.cppOperators) {
    NativePart &part =
        parts.emplace_back(NativePart{op.code.set.get(), op.code.source, {}, name, op.use});
    if (op.code.isStateless)
      part.options.push_back("-DSLUICE_STATELESS=true");
  }
  return parts;
}

static bool isInside(StringRef dir, StringRef outer) {
  return dir == outer || (dir.starts_with(outer) && dir.drop_front(outer.size()).starts_with("/"));
}

/// Reports uses of toolkits that are not the application's own, each toolkit once.
static bool isAllowed(Compilation &c, llvm::ArrayRef<NativePart> parts) {
  llvm::StringSet<> reported;
  for (const NativePart &part : parts)
    if (!c.options.allowNative && !isInside(part.set->toolkit, c.program->applicationDir) &&
        reported.insert(part.set->toolkit).second)
      c.diagnostics.report(part.use, Diag::err_native_forbidden, part.name, part.set->toolkit);
  return reported.empty();
}

//===--- what is compiled -----------------------------------------------------===//

/// The files below a directory with one of these endings, sorted.
static std::vector<std::string> filesBelow(StringRef dir, llvm::ArrayRef<StringRef> endings) {
  std::vector<std::string> result;
  std::error_code error;
  for (fs::recursive_directory_iterator it(dir, error), end; it != end && !error;
       it.increment(error))
    if (llvm::is_contained(endings, path::extension(it->path())))
      result.push_back(it->path());
  llvm::sort(result);
  return result;
}

static std::string below(StringRef dir, StringRef name) {
  llvm::SmallString<128> result(dir);
  path::append(result, name);
  return std::string(result);
}

static std::vector<std::string> sourcesOf(StringRef toolkit) {
  return filesBelow(below(toolkit, "impl/src"), {".cpp", ".cc", ".cxx", ".C"});
}

static void appendFile(std::string &content, StringRef name) {
  if (auto text = llvm::MemoryBuffer::getFile(name))
    content += (name + "\n" + (*text)->getBuffer()).str();
}

/// The headers that sources of a toolkit may include, ours as well.
static std::string headersOf(const NativeSet &set, StringRef include) {
  std::string content;
  std::vector<std::string> dirs = set.includeDirs;
  dirs.push_back(below(set.toolkit, "impl/src"));
  dirs.push_back(below(include, "SPL"));
  dirs.push_back(below(include, "sluice"));
  for (const std::string &dir : dirs)
    for (const std::string &name : filesBelow(dir, {".h", ".hpp", ".hh", ".hxx", ".inc"}))
      appendFile(content, name);
  return content;
}

static std::vector<std::string> compilerOf(StringRef clang, const llvm::Triple &triple) {
  return {clang.str(), "--target=" + triple.str(), "-std=c++20", "-O2", "-fPIC", "-c"};
}

/// The object of a part and, unless another part has done it, those of the toolkit's sources.
static void addObjects(const NativePart &part, std::vector<std::string> command, bool withSources,
                       std::vector<CacheEntry> &entries) {
  std::string include = below(libraryDir(), "../include");
  for (const std::string &dir : part.set->includeDirs)
    command.push_back("-I" + dir);
  command.push_back("-I" + include);
  std::string headers = headersOf(*part.set, include);
  auto add = [&](const std::string &source) -> std::vector<std::string> & {
    CacheEntry &entry = entries.emplace_back(CacheEntry{command, headers, "o", {}});
    entry.command.push_back(source);
    appendFile(entry.content, source);
    return entry.command;
  };
  std::vector<std::string> &words = add(part.source);
  words.insert(words.end(), part.options.begin(), part.options.end());
  if (withSources)
    for (const std::string &source : sourcesOf(part.set->toolkit))
      add(source);
}

/// The libraries of a set. One that its toolkit has is not linked if the toolkit has sources: it
/// was made of them, for another run time.
static void addLibraries(const NativeSet &set, LinkerInputs &inputs) {
  bool hasSources = !sourcesOf(set.toolkit).empty(), isElsewhere = set.libraryDirs.empty();
  for (const std::string &dir : set.libraryDirs)
    if (!hasSources || !isInside(dir, set.toolkit)) {
      inputs.push_back("-L" + dir);
      inputs.push_back("-Wl,-rpath," + dir);
      isElsewhere = true;
    }
  for (const std::string &library : set.libraries)
    if (isElsewhere)
      inputs.push_back("-l" + library);
}

std::optional<LinkerInputs> driver::compileNative(Compilation &c, const llvm::Triple &triple) {
  LinkerInputs inputs;
  if (c.program->nativeCalls.empty() && c.program->cppOperators.empty())
    return inputs;
  c.begin("compiling the C++ of toolkits");
  auto problem = [&](const llvm::Twine &what) {
    hideProgress();
    llvm::errs() << "sluice: " << what << "\n";
    return std::nullopt;
  };
  if (std::string what = cacheProblem(); !what.empty())
    return problem(what);
  std::vector<NativePart> parts = partsOf(*c.program, c.diagnostics);
  if (!isAllowed(c, parts))
    return std::nullopt;
  auto clang = llvm::sys::findProgramByName("clang++-22");
  if (!clang)
    return problem("clang++-22 is needed for the native functions of toolkits: install the "
                   "packages clang-22 and lld-22");
  bool isHost = triple.getArch() == llvm::Triple(llvm::sys::getDefaultTargetTriple()).getArch();
  if (!isHost) // clang-22 brings that of this machine
    if (llvm::Error missing = checkLibrary(*clang, triple))
      return problem(llvm::toString(std::move(missing)));
  std::vector<CacheEntry> entries;
  llvm::StringSet<> toolkits;
  for (const NativePart &part : parts) {
    addObjects(part, compilerOf(*clang, triple), toolkits.insert(part.set->toolkit).second,
               entries);
    addLibraries(*part.set, inputs);
  }
  if (std::string what = makeAll(entries); !what.empty())
    return problem(what);
  std::vector<std::string> objects;
  for (const CacheEntry &entry : entries)
    objects.push_back(entry.file);
  inputs.insert(inputs.begin(), objects.begin(), objects.end());
  c.clock.note("C++ of toolkits");
  return inputs;
}

/// What the loader says, with names as C++ has them.
static std::string readable(StringRef error) {
  constexpr StringRef word = "undefined symbol: ";
  size_t at = error.find(word);
  if (at == StringRef::npos)
    return error.str();
  StringRef symbol = error.drop_front(at + word.size()).take_until([](char c) { return c == ' '; });
  return (word + llvm::demangle(symbol)).str();
}

bool driver::loadNative(Compilation &c, const llvm::Triple &triple) {
  auto inputs = compileNative(c, triple);
  if (!inputs || inputs->empty())
    return inputs.has_value();
  CacheEntry library = {{*llvm::sys::findProgramByName("clang++-22"), "--target=" + triple.str(),
                         "-fuse-ld=lld", "-Wl,--threads=1", "-shared", "-Wl,-z,now"},
                        {},
                        "so",
                        {}};
  library.command.insert(library.command.end(), inputs->begin(), inputs->end());
  std::string error = makeAll(library);
  if (error.empty() &&
      !llvm::sys::DynamicLibrary::LoadLibraryPermanently(library.file.c_str(), &error))
    return true;
  hideProgress();
  llvm::errs() << "sluice: the C++ of toolkits cannot be loaded: " << readable(error) << "\n";
  return false;
}
