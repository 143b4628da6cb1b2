//===- FileSource.cpp - spl.adapter::FileSource -------------------------===//
//
// The files; what is in them is read by a RowReader. A file is read in blocks of 256 KiB.
//
// When the program is told to end the file that `file` names is left where it is, unless it is a
// pipe or a device: what was taken out of that is submitted. Files that were named by a tuple are
// read to their ends. A file that was not read to its end gets no window punctuation, and is not
// taken away.
//
// With at-least-once delivery a source whose process was started again reads its
// file from the beginning, as numbers of lines and tuples count from there, and
// submits what comes behind the last position whose tuples were all done.
//
// A hot file is read again from its beginning when it has become shorter, or when another one has
// got its name. It is not among the files that the program may not write as well.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "sluice/resume.h"
#include "stdlib/native/MoveFile.h"
#include "stdlib/native/csv/RowReader.h"
#include <algorithm>
#include <cerrno>
#include <utility>

namespace sluice {
namespace {

/// Bytes of a file after which it says how far it is.
constexpr uint64_t kSpan = 64 * 1024;
/// How long it waits for a hot file that is taken away in the moment in which it comes.
constexpr double kPause = 0.1; // s

class FileSource : public ParamOp {
public:
  int32_t open() override;
  int32_t process() override;
  int32_t tuple(uint32_t port, const void *) override;
  bool finishes() const override { return true; }
  Saves saves() const override;
  bool hasSavePoints() const override { return true; }
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  int32_t readOptions();
  int32_t readNamed(std::string_view name);
  int32_t followFile();
  int32_t readFile(std::optional<uint64_t> resumed);
  int openFile();
  int32_t cannotOpen(int error);
  /// Whether the file is not there any more when it was read.
  bool resumes() const override {
    return os::identityOf(resolve(text("file", "")).c_str()).has_value();
  }
  bool takesAway() const { return deletes || !moveTo.empty(); }
  int32_t readRows();
  void noteReached(uint64_t apart);
  int32_t finishFile();
  int32_t report(const std::string &name, int32_t error);

  bool ignoreOpenErrors = false, deletes = false, hot = false;
  bool isRead = false; // the file, to its end
  Conversion conversion;
  std::string path, moveTo;

  LineReader lines{this};
  RowReader rows{*this, lines, RowReader::Origin::File};

  std::optional<uint64_t> saved; // bytes of the file that were done at a checkpoint
  bool isReading = false;

  ResumePoint resume;
  bool notes = false;            // it says how far it is
  uint64_t done = 0;             // bytes of the file that need not be submitted again
  std::optional<uint64_t> noted; // what it has said last
};

//===--- parameters -----------------------------------------------------------===//

int32_t FileSource::readOptions() {
  if (conversion.configure(*this))
    return 1;
  ignoreOpenErrors = flag("ignoreOpenErrors", false);
  deletes = flag("deleteFile", false);
  hot = flag("hotFile", false);
  if (std::string target = text("moveFileToDirectory", ""); !target.empty()) {
    moveTo = resolve(target);
    if (int failed = checkDirectory(moveTo))
      return sl_error(ctx, "files cannot be moved to %s: %s", moveTo.c_str(),
                      os::errorText(-failed).c_str());
  }
  return 0;
}

int32_t FileSource::open() {
  if (readOptions() || rows.open())
    return 1;
  std::string name = text("file", "");
  return name.empty() || hot ? 0 : sl_use_file(ctx, resolve(name).c_str(), FileUse::Read);
}

//===--- files ----------------------------------------------------------------===//

int32_t FileSource::process() {
  if (!saved && sl_wait(ctx, number("initDelay", 0)))
    return 0;
  sl_resume_point(ctx, desc, &resume);
  if (resume && takesAway())
    sl_warn(ctx, desc,
            "a file that is removed or moved cannot be read again: what was not acknowledged by "
            "then is lost when its process is started again");
  return readNamed(text("file", ""));
}

int32_t FileSource::tuple(uint32_t, const void *tuple) {
  const TypeDesc *type = desc->inTypes[0];
  if (type->count != 1 || type->fields[0].type->kind != Kind::RString)
    return sl_error(ctx, "the input must be a single rstring attribute");
  auto *name =
      reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + type->fields[0].offset);
  return readNamed(viewOf(*name));
}

int32_t FileSource::report(const std::string &name, int32_t errorNumber) {
  if (desc->outputs < 2)
    return 0;
  const TypeDesc *type = desc->outTypes[1];
  std::vector<uint64_t> tuple(type->size / 8 + 1);
  auto *bytes = reinterpret_cast<char *>(tuple.data());
  Str s = strView(name.data(), name.size());
  for (uint32_t i = 0; i < type->count; ++i) {
    const Field &field = type->fields[i];
    if (field.type->kind == Kind::RString)
      memcpy(bytes + field.offset, &s, sizeof s);
    else
      memcpy(bytes + field.offset, &errorNumber, sizeof errorNumber);
  }
  return submit(1, tuple.data());
}

int32_t FileSource::cannotOpen(int errorNumber) {
  if (ignoreOpenErrors)
    return report(path, errorNumber);
  return sl_error(ctx, "cannot open %s: %s%s", path.c_str(),
                  os::openErrorText(path, errorNumber).c_str(), missingData(path));
}

int32_t FileSource::readNamed(std::string_view name) {
  if (name.empty())
    return sl_error(ctx, "the file name is empty");
  path = resolve(name);
  if (!hot && sl_use_file(ctx, path.c_str(), FileUse::Read))
    return 1;
  std::optional<uint64_t> resumed = saved ? std::exchange(saved, {}) : resume.position();
  if (int error = openFile()) {
    bool wasRead = error == -ENOENT && takesAway() && resumed;
    return wasRead ? 0 : cannotOpen(-error);
  }
  int32_t result = readFile(resumed);
  return result || !hot ? result : followFile();
}

/// The hot file has ended: reads what is there in its place.
int32_t FileSource::followFile() {
  while (!sl_is_shutdown(ctx)) {
    int error = openFile();
    if (error == -ENOENT && !sl_wait(ctx, kPause))
      continue;
    if (error)
      return sl_is_shutdown(ctx) ? 0 : cannotOpen(-error);
    if (int32_t result = readFile(std::nullopt))
      return result;
  }
  return 0;
}

/// 0, or a negative errno.
int FileSource::openFile() { return lines.open(path, {conversion, hot}, rows.eolMarker()); }

int32_t FileSource::readFile(std::optional<uint64_t> resumed) {
  notes = resume && lines.isRegular();
  done = resumed.value_or(0);
  if (hot && !conversion && lines.fileSize() < int64_t(done)) // it has become shorter meanwhile
    done = 0;
  noted.reset();
  rows.begin(path, done);
  isReading = true;
  int32_t result = readRows();
  isReading = false;
  lines.close(), sl_end_use(ctx, path.c_str());
  rows.reportBad();
  return result || !isRead ? result : finishFile();
}

int32_t FileSource::finishFile() {
  if (int32_t result = rows.hasPunctuation() ? 0 : submitPunct(0, PunctuationKind::Window))
    return result;
  int failed = deletes ? os::removeFile(path.c_str()) : 0;
  if (failed)
    return sl_error(ctx, "cannot remove %s: %s", path.c_str(), os::errorText(-failed).c_str());
  failed = moveTo.empty() ? 0 : moveFile(path, moveTo);
  if (failed)
    return sl_error(ctx, "cannot move %s to %s: %s", path.c_str(), moveTo.c_str(),
                    os::errorText(-failed).c_str());
  return report(path, 0);
}

//===--- checkpoints ----------------------------------------------------------===//

/// A file that is taken away may be gone when its rows are to come again; what was read of a pipe
/// is.
Saves FileSource::saves() const {
  bool mayGo = takesAway() || hot || desc->inputs || flag("hasDelayField", false);
  return mayGo || !os::identityOf(resolve(text("file", "")).c_str()) ? Saves::No : Saves::State;
}

void FileSource::save(Saver &saver) {
  saver.text("file", resolve(text("file", "")));
  if (saved) // it has not begun yet
    saver.number("done", int64_t(*saved));
  else if (isReading)
    saver.number("done", int64_t(std::max(done, lines.position())));
}

int32_t FileSource::restore(const Loader &loader) {
  std::string now = resolve(text("file", ""));
  if (auto before = loader.text("file"); before && *before != now)
    return sl_error(ctx, "it read %s at the checkpoint, and is to read %s",
                    std::string(*before).c_str(), now.c_str());
  if (std::optional<int64_t> position = loader.number("done"))
    saved = uint64_t(*position);
  return 0;
}

/// Says how far it has read, if that is so many bytes behind what it has said last.
void FileSource::noteReached(uint64_t apart) {
  uint64_t at = lines.position();
  if (!notes || at < done || (noted && at < *noted + apart))
    return;
  sl_reached(ctx, desc, at);
  noted = at;
}

int32_t FileSource::readRows() {
  isRead = false;
  for (;;) {
    if (rows.mayStop())
      return 0;
    noteReached(hot && !lines.waiting() ? 1 : kSpan); // it may wait
    switch (rows.next()) {
    case LineReader::Status::Line:
      break;
    case LineReader::Status::End:
      isRead = true;
      noteReached(1);
      return 0;
    case LineReader::Status::Stopped:
    case LineReader::Status::More: // of a text in pieces
      return 0;
    case LineReader::Status::Error:
      return sl_error(ctx, "cannot read %s: %s", path.c_str(), lines.error().c_str());
    }
    if (int32_t result = rows.read())
      return result;
    if (int32_t result = sl_save_point(ctx))
      return result;
  }
}

RegisterNative registered("spl.adapter::FileSource",
                          [] { return static_cast<NativeOp *>(new FileSource); });

} // namespace
} // namespace sluice
