//===- Removals.cpp - files that go when they were read -------------------===//
#include "stdlib/operators/FileSource/Removals.h"
#include "runtime/base/files.h"
#include "stdlib/native/MoveFile.h"
#include <cerrno>
#include <utility>

namespace sluice {

int32_t Removals::configure(const ParamOp &op) {
  deletes = op.flag("deleteFile", false);
  waits = sl_makes_checkpoints(op.ctx);
  if (std::string target = op.text("moveFileToDirectory", ""); !target.empty()) {
    moveTo = op.resolve(target);
    if (int failed = checkDirectory(moveTo))
      return sl_error(op.ctx, "files cannot be moved to %s: %s", moveTo.c_str(),
                      os::errorText(-failed).c_str());
  }
  takeAll(std::exchange(covered, {})); // by the checkpoint from which the program goes on
  return problem.empty() ? 0 : sl_error(op.ctx, "%s", problem.c_str());
}

/// What went wrong; empty: nothing.
std::string Removals::takeAway(const std::string &path) const {
  int failed = deletes ? os::removeFile(path.c_str()) : moveFile(path, moveTo);
  if (!failed || (waits && failed == -ENOENT))
    return "";
  return (deletes ? "cannot remove " + path : "cannot move " + path + " to " + moveTo) + ": " +
         os::errorText(-failed);
}

std::string Removals::add(const std::string &path) {
  if (!areWanted())
    return "";
  if (!waits)
    return takeAway(path);
  if (auto identity = os::identityOf(path.c_str()))
    read.push_back({path, *identity});
  os::Held held(lock);
  return problem;
}

/// But for those in whose place is another one by now.
void Removals::takeAll(const std::vector<File> &files) {
  for (const File &file : files)
    if (os::identityOf(file.path.c_str()) == file.identity) {
      changed.insert(file.path.substr(0, file.path.rfind('/') + 1));
      if (!moveTo.empty())
        changed.insert(moveTo);
      if (std::string wrong = takeAway(file.path); !wrong.empty()) {
        os::Held held(lock);
        problem = wrong;
      }
    }
}

//===--- checkpoints ----------------------------------------------------------===//

static std::string nameOf(const char *what, size_t file) { return what + std::to_string(file); }

void Removals::save(Saver &saver) {
  covered.insert(covered.end(), read.begin(), read.end());
  read.clear();
  for (size_t i = 0; i < covered.size(); ++i) {
    saver.text(nameOf("read ", i), covered[i].path);
    saver.number(nameOf("device of ", i), int64_t(covered[i].identity.device));
    saver.number(nameOf("file of ", i), int64_t(covered[i].identity.number));
  }
}

void Removals::restore(const Loader &loader) {
  for (size_t i = 0; auto path = loader.text(nameOf("read ", i)); ++i)
    covered.push_back({std::string(*path),
                       {uint64_t(loader.number(nameOf("device of ", i)).value_or(0)),
                        uint64_t(loader.number(nameOf("file of ", i)).value_or(0))}});
}

/// The next checkpoint does not name these files any more: they must not come back.
std::string Removals::sync() {
  for (const std::string &directory : changed)
    if (int failed = os::syncDirectory(directory.c_str()); failed && failed != -ENOENT)
      return "cannot write " + directory + ": " + os::errorText(-failed);
  changed.clear();
  return "";
}

void Removals::committed() { takeAll(std::exchange(covered, {})); }

} // namespace sluice
