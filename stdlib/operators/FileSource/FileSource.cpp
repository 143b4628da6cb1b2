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
// A checkpoint has the position in the file, and the numbers of lines and tuples there. A file that
// is compressed or in another encoding is read from its beginning, and the tuples before are not
// submitted again. A file that is to be removed or moved stays where it is until a checkpoint
// covers its end.
//
// A hot file is read again from its beginning when it has become shorter, or when another one has
// got its name. It is not among the files that the program may not write as well.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "sluice/recovery.h"
#include "sluice/resume.h"
#include "stdlib/native/MoveFile.h"
#include "stdlib/native/csv/RowReader.h"
#include "stdlib/operators/FileSource/Removals.h"
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
  std::string sync() override { return removals.sync(); }
  void committed() override { removals.committed(); }

private:
  int32_t readOptions();
  int32_t readNamed(std::string_view name);
  int32_t followFile();
  /// Where a file was at a checkpoint from which the program goes on.
  struct Place {
    uint64_t position;
    int64_t tuples;
    bool inEnd; // of a line
  };
  int32_t readFile(std::optional<uint64_t> resumed);
  Place placeNow() const;
  void savePlace(Saver &, const Place &) const;
  void notePlace();
  void restorePlace(const Loader &);
  int32_t beginFile();
  int openFile();
  int32_t cannotOpen(int error);
  /// Whether the file is not there any more when it was read.
  bool resumes() const override {
    return os::identityOf(resolve(text("file", "")).c_str()).has_value();
  }
  bool takesAway() const { return removals.areWanted(); }
  int32_t readRows();
  void noteReached(uint64_t apart);
  int32_t finishFile();
  int32_t report(const std::string &name, int32_t error);

  bool ignoreOpenErrors = false, hot = false;
  bool isRead = false; // the file, to its end
  Conversion conversion;
  std::string path;
  Removals removals;

  LineReader lines{this};
  RowReader rows{*this, lines, RowReader::Origin::File};

  bool isReading = false, isFollowing = false; // a file; it awaits the next one
  os::FileIdentity identity = {};              // of the file that it reads, if that is hot
  bool isRestored = false;                     // it goes on from a checkpoint
  std::optional<Place> saved;
  std::vector<char> beforeRow; // the place there, if it may wait inside of one

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
  hot = flag("hotFile", false);
  return removals.configure(*this);
}

int32_t FileSource::open() {
  if (readOptions() || rows.open())
    return 1;
  std::string name = text("file", "");
  return name.empty() || hot ? 0 : sl_use_file(ctx, resolve(name).c_str(), FileUse::Read);
}

//===--- files ----------------------------------------------------------------===//

int32_t FileSource::process() {
  if (isFollowing) {
    path = resolve(text("file", ""));
    return followFile();
  }
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
  std::optional<uint64_t> resumed = resume.position();
  if (int error = openFile()) {
    bool wasRead = error == -ENOENT && takesAway() && resumed;
    return wasRead ? 0 : cannotOpen(-error);
  }
  int32_t result = readFile(resumed);
  return result || !hot ? result : followFile();
}

/// The hot file has ended: reads what is there in its place.
int32_t FileSource::followFile() {
  isFollowing = true;
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
  int32_t result = beginFile();
  isReading = !result;
  result = result ? result : readRows();
  isReading = false;
  lines.close(), sl_end_use(ctx, path.c_str());
  rows.reportBad();
  return result || !isRead ? result : finishFile();
}

int32_t FileSource::finishFile() {
  if (int32_t result = rows.hasPunctuation() ? 0 : submitPunct(0, PunctuationKind::Window))
    return result;
  if (std::string wrong = removals.add(path); !wrong.empty())
    return sl_error(ctx, "%s", wrong.c_str());
  if (hasRole(*desc, RecoveryRole::Triggers))
    sl_ask_checkpoint(ctx);
  return report(path, 0);
}

//===--- checkpoints ----------------------------------------------------------===//

/// What was read of a pipe is gone. A file that was there at a checkpoint may have been taken away.
Saves FileSource::saves() const {
  if (desc->inputs)
    return takesAway() ? Saves::State : Saves::Stateless;
  std::string name = text("file", "");
  if (isRestored || (!ctx && !name.starts_with("/"))) // nothing is known of the data directory
    return Saves::State;
  return Saves::unless(os::identityOf((ctx ? resolve(name) : name).c_str())
                           ? nullptr
                           : "its file is none that can be read again, or is not there");
}

void FileSource::save(Saver &saver) {
  removals.save(saver);
  saver.text("path", resolve(text("file", "")));
  saver.number("isFollowing", isFollowing);
  saver.number("device", int64_t(identity.device));
  saver.number("file", int64_t(identity.number));
  if (saved) // it has not begun yet
    return savePlace(saver, *saved);
  if (!isReading)
    return;
  if (!rows.isInRow())
    return savePlace(saver, placeNow());
  saver.text("beforeRow", {beforeRow.data(), beforeRow.size()});
  saver.number("before", std::max<int64_t>(placeNow().tuples - 1, 0));
}

/// Before a row inside of which it may wait.
void FileSource::notePlace() {
  if (desc->inputs || !(hot || rows.delays()) || !sl_makes_checkpoints(ctx))
    return;
  beforeRow.clear();
  Saver before(beforeRow);
  savePlace(before, placeNow());
}

/// Between two rows.
FileSource::Place FileSource::placeNow() const {
  return {lines.position(), int64_t(rows.tuples()), lines.isInEnd()};
}

void FileSource::savePlace(Saver &saver, const Place &place) const {
  saver.number("done", int64_t(place.position));
  saver.number("tuples", place.tuples);
  saver.number("inEnd", place.inEnd);
  rows.save(saver);
}

void FileSource::restorePlace(const Loader &loader) {
  if (std::optional<int64_t> position = loader.number("done"))
    saved = {uint64_t(*position), loader.number("tuples").value_or(0),
             loader.number("inEnd").value_or(0) != 0};
  rows.restore(loader);
}

int32_t FileSource::restore(const Loader &loader) {
  std::string now = resolve(text("file", ""));
  if (auto before = loader.text("path"); before && *before != now)
    return sl_error(ctx, "it read %s at the checkpoint, and is to read %s",
                    std::string(*before).c_str(), now.c_str());
  isRestored = true;
  removals.restore(loader);
  isFollowing = loader.number("isFollowing").value_or(0) != 0;
  identity = {uint64_t(loader.number("device").value_or(0)),
              uint64_t(loader.number("file").value_or(0))};
  restorePlace(loader);
  if (auto row = loader.text("beforeRow")) {
    restorePlace(Loader(*row));
    saved->tuples = loader.number("before").value_or(0);
  }
  isFollowing &= !saved;
  return 0;
}

/// What is read now begins, or goes on where it was at a checkpoint.
int32_t FileSource::beginFile() {
  std::optional<Place> place = std::exchange(saved, {});
  auto now = hot ? os::identityOf(path.c_str()) : std::nullopt;
  bool isOther = place && hot && now != identity;
  identity = now.value_or(os::FileIdentity{});
  if (!place || isOther || (hot && lines.fileSize() < int64_t(place->position))) {
    rows.begin(path, done);
    return 0;
  }
  bool seeks = !conversion;
  if (!seeks)
    rows.begin(path, 0);
  else if (lines.fileSize() < int64_t(place->position) || lines.goTo(place->position, place->inEnd))
    return sl_error(ctx, "%s is shorter than it was at the checkpoint: it was changed meanwhile",
                    path.c_str());
  else
    rows.goOn(path);
  rows.skipTuples(uint64_t(place->tuples));
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
    notePlace();
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
