//===- DirectoryScan.cpp - spl.adapter::DirectoryScan ---------------------===//
//
// Attributes that an output function gives come as parameters `$out.NAME` = "Size"; all others get
// DestinationFullPath(). A file is known by its name and its ctime in nanoseconds; one that is not
// there any more is forgotten by the next scan.
//
// A checkpoint between two files has those that are known by then: who goes on from there looks
// again, and finds the others. Those that were moved meanwhile are in a log (MoveLog).
//
//===----------------------------------------------------------------------===//
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "sluice/beside.h"
#include "sluice/metrics.h"
#include "sluice/recovery.h"
#include "stdlib/native/MoveFile.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/regex/Posix.h"
#include "stdlib/operators/DirectoryScan/MoveLog.h"
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <sys/stat.h>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace fs = std::filesystem;

namespace sluice {
namespace {

const std::string kKnown = "known "; // of numbers in checkpoints: a name follows

struct File {
  std::string name;
  int64_t changed; // its ctime, in ns
  struct stat info;
};

int64_t changedAt(const struct stat &info) {
  return info.st_ctim.tv_sec * os::kNanos + info.st_ctim.tv_nsec;
}

class DirectoryScan : public ParamOp {
public:
  int32_t open() override;
  int32_t process() override;
  bool finishes() const override { return true; }
  Saves saves() const override { return Saves::State; }
  bool hasSavePoints() const override { return true; }
  void save(Saver &) override;
  std::string sync() override;
  int32_t restore(const Loader &) override;
  void committed() override { log.committed(); }

private:
  /// The directory of a parameter: as it is written, and absolute.
  struct Place {
    fs::path given, absolute;
  };
  using Text = std::string (DirectoryScan::*)(const File &) const;
  using Number = uint64_t (*)(const File &);
  struct Column {
    const Field *field;
    Text text;     // or
    Number number; // unless it is null
  };

  std::string filePath(const File &f) const { return from.given / f.name; }
  std::string fullPath(const File &f) const { return from.absolute / f.name; }
  std::string fileName(const File &f) const { return f.name; }
  std::string directory(const File &) const { return from.given; }
  std::string destinationDirectory(const File &) const { return to.given; }
  std::string destinationFilePath(const File &f) const { return to.given / f.name; }
  std::string destinationFullPath(const File &f) const { return to.absolute / f.name; }

  Place place(const char *parameter) const;
  Column column(const Field &) const;
  int32_t check() const;
  bool matches(std::string_view name) const;
  int scan(std::vector<File> &files) const;
  int32_t look(std::vector<File> &files);
  int32_t submitNew(std::vector<File> &files);
  void forgetOthers(const std::vector<File> &files);
  int32_t move(const File &, bool &isMine);
  int32_t submitAgain();
  bool isThere(int failed, bool &wasThere, const std::string &what);
  int32_t submitFile(const File &);

  Place from, to; // the same, unless files are moved
  bool moves = false, byName = false, descending = false, withoutDots = false, once = false;
  bool hasFrom = true, hasTo = true;       // the directories were there when they were last used
  std::unique_ptr<posix::Pattern> pattern; // of names; null if all are wanted
  std::vector<Column> columns;
  Metric *scans = nullptr;
  std::unordered_map<std::string, int64_t> known; // File::changed by name
  int64_t due = 0; // ns, when it looks next (sl_now); 0: it is to look now, or looks
  MoveLog log;
  bool hasMoved = false;   // files, since save()
  bool isUnsynced = false; // directories, since sync(), which alone uses it, and save()
  bool isBegun = false;    // initDelay is over
  bool isRestored = false; // it goes on from a checkpoint
};

DirectoryScan::Place DirectoryScan::place(const char *parameter) const {
  fs::path given = text(parameter, ""), absolute = fs::path(resolve(given.native()));
  absolute = absolute.lexically_normal();
  return {given, absolute.has_filename() ? absolute : absolute.parent_path()};
}

DirectoryScan::Column DirectoryScan::column(const Field &field) const {
  static const std::pair<std::string_view, Text> texts[] = {
      {"FilePath", &DirectoryScan::filePath},
      {"FullPath", &DirectoryScan::fullPath},
      {"FileName", &DirectoryScan::fileName},
      {"Directory", &DirectoryScan::directory},
      {"DestinationDirectory", &DirectoryScan::destinationDirectory},
      {"DestinationFilePath", &DirectoryScan::destinationFilePath},
  };
  static const std::pair<std::string_view, Number> numbers[] = {
      {"Size", [](const File &f) { return uint64_t(f.info.st_size); }},
      {"Atime", [](const File &f) { return uint64_t(f.info.st_atime); }},
      {"Ctime", [](const File &f) { return uint64_t(f.info.st_ctime); }},
      {"Mtime", [](const File &f) { return uint64_t(f.info.st_mtime); }},
  };
  std::string function = text("$out." + std::string(field.name), "");
  for (auto [name, number] : numbers)
    if (name == function)
      return {&field, nullptr, number};
  for (auto [name, value] : texts)
    if (name == function)
      return {&field, value, nullptr};
  return {&field, &DirectoryScan::destinationFullPath, nullptr};
}

int32_t DirectoryScan::open() {
  from = to = place("directory");
  if ((moves = param("moveToDirectory")))
    to = place("moveToDirectory");
  byName = text("sortBy", "date") == "name";
  descending = text("order", "ascending") == "descending";
  if (moves)
    if (std::string wrong = log.open(besideCheckpoints(ctx, desc), resumesBeside(ctx));
        !wrong.empty())
      return sl_error(ctx, "%s", wrong.c_str());
  withoutDots = flag("ignoreDotFiles", false);
  once = flag("once", false);
  const TypeDesc *type = desc->outTypes[0];
  for (uint32_t i = 0; i < type->count; ++i)
    columns.push_back(column(type->fields[i]));
  scans = sl_make_metric(ctx, desc, "nScans", "how often it has looked for files",
                         MetricKind::Counter, 0);
  if (param("pattern")) {
    std::string expression = text("pattern", "");
    pattern = std::make_unique<posix::Pattern>(expression);
    if (pattern->fails(ctx, expression))
      return 1;
  }
  std::vector<File> files;
  if (flag("ignoreExistingFilesAtStartup", false) && !isRestored)
    scan(files); // process() says what is wrong with the directory
  for (const File &file : files)
    known[file.name] = file.changed;
  return 0;
}

/// Whether the directories are there.
int32_t DirectoryScan::check() const {
  if (int failed = checkDirectory(from.absolute, moves))
    return sl_error(ctx, "cannot look for files in %s: %s", from.absolute.c_str(),
                    os::errorText(-failed).c_str());
  int failed = moves ? checkDirectory(to.absolute) : 0;
  if (failed)
    return sl_error(ctx, "files cannot be moved to %s: %s", to.absolute.c_str(),
                    os::errorText(-failed).c_str());
  std::error_code ignored;
  if (moves && fs::equivalent(from.absolute, to.absolute, ignored))
    return sl_error(ctx, "files cannot be moved to the directory that they come from, %s",
                    from.absolute.c_str());
  return 0;
}

int32_t DirectoryScan::process() {
  if (!isBegun && sl_wait(ctx, number("initDelay", 0)))
    return 0;
  isBegun = true;
  if (check())
    return 1;
  if (int32_t result = submitAgain())
    return result;
  if (due && sl_wait_until(ctx, due, 0))
    return 0;
  auto pause = int64_t(std::clamp(std::round(number("sleepTime", 5) * 1e9), 1.0, 1e18));
  std::vector<File> files;
  do {
    due = 0;
    int64_t next = sl_now(ctx) + pause;
    if (int32_t result = look(files))
      return result;
    due = next;
    scans->value.fetch_add(1, std::memory_order_relaxed);
  } while (!once && !sl_wait_until(ctx, due, 0) && !sl_is_shutdown(ctx));
  return 0;
}

int32_t DirectoryScan::look(std::vector<File> &files) {
  int failed = scan(files);
  return isThere(failed, hasFrom, "look for files in " + from.absolute.native()) ? submitNew(files)
                                                                                 : 0;
}

/// Whether a directory could be used. That it could not is said once, until it can be used again.
bool DirectoryScan::isThere(int failed, bool &wasThere, const std::string &what) {
  if (failed && wasThere)
    sl_warn(ctx, desc, "cannot %s: %s; it tries again each time that it looks", what.c_str(),
            os::errorText(failed).c_str());
  wasThere = !failed;
  return wasThere;
}

bool DirectoryScan::matches(std::string_view name) const {
  std::vector<regmatch_t> whole(1);
  return !pattern || pattern->match(name.data(), posix::isAscii(name), 0, name.size(), whole);
}

/// The files that are there, in order. Returns 0, or the errno of the directory.
int DirectoryScan::scan(std::vector<File> &files) const {
  files.clear();
  std::error_code error;
  fs::directory_iterator at(from.absolute, error), end;
  for (; !error && at != end; at.increment(error)) {
    File file = {at->path().filename(), 0, {}};
    bool wanted = (!withoutDots || !file.name.starts_with(".")) && matches(file.name);
    // One that has gone meanwhile is not there.
    if (!wanted || stat(at->path().c_str(), &file.info) || !S_ISREG(file.info.st_mode))
      continue;
    file.changed = changedAt(file.info);
    files.push_back(std::move(file));
  }
  auto before = [this](const File &a, const File &b) {
    return !byName && a.changed != b.changed ? a.changed < b.changed : a.name < b.name;
  };
  std::sort(files.begin(), files.end(),
            [&](const File &a, const File &b) { return descending ? before(b, a) : before(a, b); });
  return error.value();
}

int32_t DirectoryScan::submitNew(std::vector<File> &files) {
  bool submitted = false;
  for (const File &file : files) {
    if (sl_is_shutdown(ctx))
      return 0;
    auto found = known.find(file.name);
    bool isNew = found == known.end() || found->second != file.changed, isMine = isNew;
    if (isNew && moves && move(file, isMine))
      return 1;
    if (isNew && moves)
      known.erase(file.name);
    else
      known[file.name] = file.changed;
    submitted |= isMine;
    int32_t result = isMine ? submitFile(file) : 0;
    if (!result)
      result = sl_save_point(ctx);
    if (result)
      return result;
  }
  forgetOthers(files);
  if (!submitted || !hasRole(*desc, RecoveryRole::Triggers))
    return 0;
  sl_ask_checkpoint(ctx);
  return sl_save_point(ctx);
}

/// Knows only these from now on.
void DirectoryScan::forgetOthers(const std::vector<File> &files) {
  if (known.size() <= files.size() && !moves) // it knows all of them, and so no others
    return;
  std::unordered_set<std::string_view> there;
  for (const File &file : files)
    there.insert(file.name);
  std::erase_if(known, [&](auto &entry) { return !there.contains(entry.first); });
}

/// `isMine`: whether it was moved: somebody else may have taken it away, or there is no place for
/// it now.
int32_t DirectoryScan::move(const File &file, bool &isMine) {
  const struct stat &info = file.info;
  if (std::string wrong =
          log.note({file.name, info.st_size, info.st_atime, info.st_mtime, file.changed});
      !wrong.empty())
    return sl_error(ctx, "%s", wrong.c_str());
  int failed = moveFile(fullPath(file), to.absolute);
  isMine = !failed;
  hasMoved |= isMine;
  int missing = failed == -ENOENT ? -checkDirectory(to.absolute) : 0;
  if (isThere(missing, hasTo, "move files to " + to.absolute.native()) && failed &&
      failed != -ENOENT)
    return sl_error(ctx, "cannot move %s to %s: %s", fullPath(file).c_str(), to.absolute.c_str(),
                    os::errorText(-failed).c_str());
  return 0;
}

/// Submits what was moved behind the checkpoint from which the program goes on. What was noted and
/// not moved is found where it was.
int32_t DirectoryScan::submitAgain() {
  while (!log.again.empty() && !sl_is_shutdown(ctx)) {
    const MovedFile &moved = log.again.front();
    File file = {moved.name, moved.changed, {}};
    file.info.st_size = moved.size;
    file.info.st_atime = moved.accessed;
    file.info.st_ctime = moved.changed / os::kNanos;
    file.info.st_mtime = moved.modified;
    struct stat there;
    bool isHere = !stat(fullPath(file).c_str(), &there) && changedAt(there) == moved.changed;
    bool isMoved = !isHere && os::identityOf(destinationFullPath(file).c_str());
    log.again.pop_front();
    int32_t result = isMoved ? submitFile(file) : 0;
    if (!result)
      result = sl_save_point(ctx);
    if (result)
      return result;
  }
  return 0;
}

int32_t DirectoryScan::submitFile(const File &file) {
  std::vector<uint64_t> tuple(desc->outTypes[0]->size / 8 + 1);
  auto *bytes = reinterpret_cast<char *>(tuple.data());
  std::vector<std::string> texts;
  texts.reserve(columns.size()); // what the tuple points to
  for (const Column &column : columns) {
    char *to = bytes + column.field->offset;
    if (column.number) {
      uint64_t value = column.number(file);
      memcpy(to, &value, sizeof value);
      continue;
    }
    const std::string &text = texts.emplace_back((this->*column.text)(file));
    Str value = strView(text.data(), text.size());
    memcpy(to, &value, sizeof value);
  }
  return submit(0, tuple.data());
}

//===--- checkpoints ----------------------------------------------------------===//

void DirectoryScan::save(Saver &saver) {
  saver.number("begun", isBegun);
  saver.number("due", due);
  log.save(saver);
  isUnsynced |= std::exchange(hasMoved, false);
  for (const auto &[name, changed] : known)
    saver.number(kKnown + name, changed);
}

/// A file that came back where it was would be taken for a new one.
std::string DirectoryScan::sync() {
  for (const fs::path *directory : {&to.absolute, &from.absolute})
    if (int failed = isUnsynced ? os::syncDirectory(directory->c_str()) : 0;
        failed && failed != -ENOENT)
      return "cannot write " + directory->native() + ": " + os::errorText(-failed);
  isUnsynced = false;
  return "";
}

int32_t DirectoryScan::restore(const Loader &loader) {
  isRestored = hasMoved = true;
  isBegun = loader.number("begun").value_or(0) != 0;
  due = loader.number("due").value_or(0);
  log.restore(loader);
  loader.numbers(kKnown,
                 [this](std::string_view name, int64_t changed) { known.emplace(name, changed); });
  return 0;
}

RegisterNative registered("spl.adapter::DirectoryScan",
                          [] { return static_cast<NativeOp *>(new DirectoryScan); });

} // namespace
} // namespace sluice
