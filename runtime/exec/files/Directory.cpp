//===- Directory.cpp - checkpoints in a directory ---------------------------===//
#include "runtime/exec/files/Directory.h"
#include "runtime/base/files.h"
#include "runtime/base/hash/Digest.h"
#include "runtime/base/os.h"
#include "runtime/base/process.h"
#include "runtime/exec/files/BlockFile.h"
#include "runtime/exec/files/CrashPoint.h"
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <filesystem>

namespace fs = std::filesystem;

namespace sluice::checkpoint {

static constexpr const char *kManifest = "MANIFEST", *kTemporary = "MANIFEST.tmp";

static std::string problem(const char *what, const std::string &path, int error) {
  return std::string("cannot ") + what + " " + path + ": " + os::errorText(error);
}

Directory::~Directory() {
  if (locked >= 0)
    os::closeFile(locked);
}

static std::string nameOf(uint64_t number) {
  char text[24];
  snprintf(text, sizeof text, "%06llu", static_cast<unsigned long long>(number));
  return text;
}

std::string Directory::folder(uint64_t number) const { return path + "/" + nameOf(number); }

/// The number that the name of a folder stands for; 0: none.
static uint64_t numberOf(const std::string &name) {
  uint64_t number = 0;
  std::from_chars(name.data(), name.data() + name.size(), number);
  return name == nameOf(number) ? number : 0;
}

/// Calls `f(number, folder)` for each folder of a checkpoint.
static std::string forEach(const std::string &path,
                           const std::function<void(uint64_t, const fs::path &)> &f) {
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    if (uint64_t number = numberOf(it->path().filename().string()))
      f(number, it->path());
  return error ? problem("read the directory", path, error.value()) : "";
}

/// Whether a checkpoint was begun there and not completed, and nothing else is there.
static bool isIncomplete(const fs::path &folder) {
  std::error_code error;
  bool onlyOurs = true;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    std::string name = it->path().filename().string();
    onlyOurs &= isState(name) || isBlocks(name) || name == kTemporary;
  }
  return !error && onlyOurs;
}

/// Makes a directory, and those above it, so that they outlive a loss of power.
static std::string makeAll(const std::string &path) {
  std::error_code error;
  std::vector<fs::path> above; // in which something is made
  for (fs::path at = fs::absolute(path, error); !error && !fs::exists(at, error);
       at = at.parent_path())
    above.push_back(at.parent_path());
  int failed = os::makeDirectories(path);
  for (const fs::path &folder : above)
    failed = failed ? failed : os::syncDirectory(folder.c_str());
  return failed ? problem("make the directory", path, -failed) : "";
}

/// Makes the directory, for the user alone, as state may be secret; or says why it may not be used.
static std::string take(const std::string &path) {
  std::error_code error;
  if (fs::exists(path + "/lock", error))
    return "";
  if (!fs::exists(path, error)) {
    if (std::string wrong = makeAll(path); !wrong.empty())
      return wrong;
    fs::permissions(path, fs::perms::owner_all, error);
  } else if (!fs::is_directory(path, error) || !fs::is_empty(path, error)) {
    return path + " is no directory of checkpoints: it holds something else";
  }
  int made = os::openFile((path + "/lock").c_str(), os::Open::Keep);
  if (made < 0)
    return problem("make", path + "/lock", -made);
  os::closeFile(made);
  // No checkpoint is there without it, as that would be taken for something else.
  int failed = os::syncDirectory(path.c_str());
  return failed ? problem("write", path, -failed) : "";
}

std::string Directory::lock() {
  if (std::string failed = take(path); !failed.empty())
    return failed;
  std::string file = path + "/lock";
  locked = os::lockFile(file.c_str());
  if (locked == -EWOULDBLOCK)
    return "another run makes checkpoints in " + path;
  if (locked < 0)
    return problem("lock", file, -locked);
  std::string process = std::to_string(os::processNumber()) + "\n"; // for ask(): nothing needs it
  if (!os::cutFile(locked, 0))
    os::writeFile(locked, process.data(), process.size());
  std::vector<fs::path> incomplete;
  std::string failed = forEach(path, [&](uint64_t, const fs::path &folder) {
    if (isIncomplete(folder))
      incomplete.push_back(folder);
  });
  std::error_code error;
  for (const fs::path &folder : incomplete)
    fs::remove_all(folder, error);
  return failed;
}

std::string Directory::list(std::vector<uint64_t> &numbers) const {
  std::error_code error;
  std::string failed = forEach(path, [&](uint64_t number, const fs::path &folder) {
    if (fs::exists(folder / kManifest, error))
      numbers.push_back(number);
  });
  std::ranges::sort(numbers);
  return failed;
}

//===--- reading ----------------------------------------------------------------===//

static std::string readWhole(const std::string &file, std::string &bytes) {
  int fd = os::openFile(file.c_str(), os::Open::Read);
  if (fd < 0)
    return problem("open", file, -fd);
  int64_t size = os::sizeOfFile(fd), got = size < 0 ? size : 0;
  bytes.resize(size_t(std::max<int64_t>(size, 0)));
  for (size_t at = 0; at < bytes.size(); at += size_t(got))
    if (got = os::readFile(fd, bytes.data() + at, bytes.size() - at); got <= 0) {
      got = got ? got : -EIO;
      break;
    }
  os::closeFile(fd);
  return got < 0 ? problem("read", file, int(-got)) : "";
}

std::string Directory::readManifest(uint64_t number, Manifest &manifest) const {
  std::string file = folder(number) + "/" + kManifest, text;
  if (std::string failed = readWhole(file, text); !failed.empty())
    return failed;
  std::string wrong = checkpoint::readManifest(text, manifest);
  if (wrong.empty() && manifest.number != number)
    wrong = "it is of checkpoint " + std::to_string(manifest.number);
  return wrong.empty() ? "" : file + ": " + wrong;
}

std::string Directory::read(uint64_t number, Manifest &manifest,
                            std::vector<Section> &sections) const {
  if (std::string failed = readManifest(number, manifest); !failed.empty())
    return failed;
  BlockFiles blocks;
  std::vector<size_t> firsts; // sections of each file of a process
  for (const Manifest::File &file : manifest.files) {
    firsts.push_back(sections.size());
    std::string name = folder(number) + "/" + file.name, bytes;
    if (std::string failed = readWhole(name, bytes); !failed.empty())
      return failed;
    if (bytes.size() != file.bytes)
      return name + ": it has " + std::to_string(bytes.size()) + " bytes, and had " +
             std::to_string(file.bytes);
    if (isBlocks(file.name)) {
      if (std::string wrong = blocks.add(file, std::move(bytes)); !wrong.empty())
        return name + ": " + wrong;
      continue;
    }
    std::string wrong = readState(bytes, sections);
    if (digestOf(bytes.data(), bytes.size()) != file.digest)
      wrong = "its bytes have changed" + (wrong.empty() ? "" : ": " + wrong);
    if (!wrong.empty())
      return name + ": " + wrong;
  }
  firsts.push_back(sections.size());
  for (size_t i = 0; i < manifest.files.size(); ++i)
    for (size_t at = firsts[i]; at < firsts[i + 1]; ++at)
      if (std::string wrong = blocks.resolve(peOfState(manifest.files[i].name), sections[at].bytes);
          !wrong.empty())
        return folder(number) + ": " + sections[at].text + "." + wrong;
  return "";
}

//===--- writing ----------------------------------------------------------------===//

/// Writes a file that outlives a loss of power once its directory was written, too.
static std::string writeWhole(const std::string &file, std::string_view bytes) {
  int fd = os::openFile(file.c_str(), os::Open::Truncate);
  if (fd < 0)
    return problem("open", file, -fd);
  crashPoint();
  int failed = os::writeFile(fd, bytes.data(), bytes.size());
  crashPoint();
  failed = failed ? failed : os::syncFile(fd);
  int closed = os::closeFile(fd);
  failed = failed ? failed : closed;
  return failed ? problem("write", file, -failed) : "";
}

std::string Directory::begin(uint64_t number) const {
  std::string in = folder(number);
  if (int failed = os::makeDirectory(in.c_str()); failed && failed != -EEXIST)
    return problem("make the directory", in, -failed);
  crashPoint();
  return "";
}

std::string Directory::write(uint64_t number, const std::vector<Section> &sections,
                             Manifest::File &file) const {
  std::string state = writeState(sections);
  file.bytes = state.size();
  file.digest = digestOf(state.data(), state.size());
  return writeWhole(folder(number) + "/" + file.name, state);
}

std::string Directory::link(uint64_t from, uint64_t to, const std::string &name,
                            bool &lasts) const {
  std::string file = folder(to) + "/" + name;
  int failed = os::linkFile((folder(from) + "/" + name).c_str(), file.c_str());
  crashPoint();
  lasts = failed == -EPERM || failed == -EOPNOTSUPP || failed == -ENOSYS || failed == -EXDEV ||
          failed == -EMLINK;
  return failed ? problem("link", file, -failed) : "";
}

std::string Directory::complete(const Manifest &manifest) const {
  std::string in = folder(manifest.number);
  std::string failed = writeWhole(in + "/" + kTemporary, writeManifest(manifest));
  crashPoint();
  int error = 0;
  // The names of all files, before that of the MANIFEST says that they are there.
  if (failed.empty())
    error = os::syncDirectory(in.c_str());
  if (failed.empty() && !error)
    error = os::renameFile((in + "/" + kTemporary).c_str(), (in + "/" + kManifest).c_str());
  crashPoint();
  if (failed.empty() && !error)
    error = os::syncDirectory(in.c_str());
  if (failed.empty() && !error)
    error = os::syncDirectory(path.c_str());
  crashPoint();
  return error ? problem("complete", in, -error) : failed;
}

std::string Directory::removeForGood(uint64_t number) const {
  std::error_code error;
  fs::remove(folder(number) + "/" + kManifest, error);
  os::syncDirectory(folder(number).c_str()); // a MANIFEST without a state would be a damaged one
  return remove(number);
}

std::string Directory::remove(uint64_t number) const {
  std::error_code error;
  fs::remove(folder(number) + "/" + kManifest, error); // from here on it is not complete
  crashPoint();
  fs::remove_all(folder(number), error);
  return error ? problem("remove", folder(number), error.value()) : "";
}

std::string Directory::removeBehind(uint64_t number) const {
  std::vector<uint64_t> numbers;
  std::string failed = list(numbers);
  std::erase_if(numbers, [&](uint64_t other) { return other <= number; });
  for (size_t i = numbers.size(); failed.empty() && i-- > 0;)
    failed = removeForGood(numbers[i]);
  if (!failed.empty() || numbers.empty())
    return failed;
  int error = os::syncDirectory(path.c_str());
  return error ? problem("write", path, -error) : "";
}

std::string Directory::removeBeside() const {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
    if (it->is_regular_file(error) && it->path().filename() != "lock")
      files.push_back(it->path());
  for (const fs::path &file : files)
    fs::remove(file, error);
  return error ? problem("remove files in", path, error.value()) : "";
}

std::string Directory::keep(uint64_t count) const {
  std::vector<uint64_t> numbers;
  std::string failed = list(numbers);
  for (size_t i = 0; failed.empty() && i + count < numbers.size(); ++i)
    failed = remove(numbers[i]);
  return failed;
}

} // namespace sluice::checkpoint
