//===- Distribute.cpp - sluice.external::Distribute -----------------------===//
//
// A checkpoint has the lengths of all files. Who goes on from there cuts them off.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/HashKey.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include "sluice/resume.h"
#include "stdlib/native/Params.h"
#include "stdlib/native/csv/CsvWriter.h"
#include "stdlib/operators/Distribute/Buckets.h"
#include <cerrno>
#include <memory>
#include <optional>

namespace sluice {
namespace {

using namespace external;

constexpr uint64_t kLeastMemory = 1; // MiB
constexpr uint32_t kMostBuckets = 100'000;

class Distribute : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind kind) override {
    return isFinal(kind) ? report(writeAll()) : 0;
  }
  int32_t close() override { return buckets ? report(writeAll()) : 0; }
  Saves saves() const override { return Saves::State; }
  void save(Saver &) override;
  std::string sync() override;
  int32_t restore(const Loader &) override;

private:
  int32_t makeFiles();
  int32_t makeFile(uint32_t bucket);
  int openFor(uint32_t bucket, std::string &problem) const;
  std::string nameOf(uint32_t bucket) const;
  std::string write(uint32_t bucket, std::span<const os::Part>);
  std::string writeAll() { return unsaved.empty() ? buckets->writeAll() : unsaved; }
  int32_t report(const std::string &problem) {
    return problem.empty() ? 0 : sl_error(ctx, "%s", problem.c_str());
  }

  std::string directory;
  uint32_t count = 0;
  std::optional<CsvWriter> csv; // none: tuple literals
  std::vector<Field> keys;
  std::unique_ptr<Buckets> buckets;
  TextOut row;
  std::vector<uint64_t> lengths; // of the files, by bucket
  std::vector<bool> isWritten;   // by bucket: since the last checkpoint
  // Between save() and sync():
  std::vector<uint32_t> unsynced;
  std::string unsaved; // what went wrong
  // For sync() alone:
  std::string lost;    // what could not be made to outlive a loss of power
  bool isMade = false; // the directory, and its files: they outlive a loss of power
};

int32_t Distribute::open() {
  uint64_t most = 0;
  if (memory(kLeastMemory, most))
    return 1;
  double wanted = number("buckets", 0);
  if (wanted > kMostBuckets)
    return sl_error(ctx, "there may be %u buckets at most", kMostBuckets);
  count = uint32_t(wanted);
  const TypeDesc *type = desc->inTypes[0];
  if (text("format", "csv") == "csv")
    csv.emplace(std::vector(type->fields, type->fields + type->count), CsvStyle());
  row.floats = floatTextOf(text("floatText", "")).value_or(FloatText::Default);
  for (uint32_t key : attributes("key"))
    keys.push_back(type->fields[key]);
  directory = resolve(text("directory", ""));
  ResumePoint resume;
  sl_resume_point(ctx, desc, &resume);
  if (resume)
    sl_warn(ctx, desc,
            "its files begin anew, without what was acknowledged, when its process is started "
            "again");
  if (makeFiles())
    return 1;
  buckets = std::make_unique<Buckets>(
      count, most, [this](uint32_t bucket, auto parts) { return write(bucket, parts); });
  return 0;
}

std::string Distribute::nameOf(uint32_t bucket) const {
  char name[32];
  snprintf(name, sizeof name, "/part-%05u.%s", bucket, csv ? "csv" : "txt");
  return directory + name;
}

int32_t Distribute::makeFiles() {
  int made = os::makeDirectory(directory.c_str());
  if (made < 0 && made != -EEXIST)
    return sl_error(ctx, "cannot make directory %s: %s", directory.c_str(),
                    os::errorText(-made).c_str());
  lengths.resize(count);
  isWritten.resize(count);
  for (uint32_t bucket = 0; bucket < count; ++bucket)
    if (int32_t result = makeFile(bucket))
      return result;
  return 0;
}

/// Cuts it off where it was at a checkpoint; else it begins.
int32_t Distribute::makeFile(uint32_t bucket) {
  std::string name = nameOf(bucket);
  int fd = os::openFile(name.c_str(), os::Open::Keep);
  if (fd < 0)
    return sl_error(ctx, "cannot open %s: %s", name.c_str(), os::errorText(-fd).c_str());
  // A lock keeps a file open: that of the first bucket stands for all.
  int used = sl_use_file(ctx, name.c_str(), bucket ? FileUse::Share : FileUse::Write);
  int64_t size = os::sizeOfFile(fd);
  bool isShort = size >= 0 && uint64_t(size) < lengths[bucket];
  int cut = used || isShort ? 0 : os::cutFile(fd, lengths[bucket]);
  os::closeFile(fd);
  if (!used && isShort)
    return sl_error(ctx,
                    "%s has %lld bytes, and had %llu at the checkpoint: it was changed meanwhile",
                    name.c_str(), (long long)size, (unsigned long long)lengths[bucket]);
  return cut ? sl_error(ctx, "cannot cut off %s: %s", name.c_str(), os::errorText(-cut).c_str())
             : used;
}

/// Opens a file of makeFiles() again. Below 0: `problem`.
int Distribute::openFor(uint32_t bucket, std::string &problem) const {
  std::string name = nameOf(bucket);
  int fd = os::openFile(name.c_str(), os::Open::Append);
  if (fd < 0)
    problem = "cannot open " + name + ": " + os::errorText(-fd);
  return fd;
}

/// Files are open only while they are written: there are more than a process may have open.
std::string Distribute::write(uint32_t bucket, std::span<const os::Part> parts) {
  std::string problem;
  int fd = openFor(bucket, problem);
  if (fd < 0)
    return problem;
  for (const os::Part &part : parts)
    lengths[bucket] += part.bytes;
  isWritten[bucket] = true;
  int result = os::writeParts(fd, parts);
  int closed = os::closeFile(fd);
  result = result ? result : closed;
  return result ? "cannot write " + nameOf(bucket) + ": " + os::errorText(-result) : "";
}

//===--- checkpoints ----------------------------------------------------------===//

void Distribute::save(Saver &saver) {
  unsaved = writeAll();
  for (uint32_t bucket = 0; bucket < count; ++bucket)
    if (isWritten[bucket])
      unsynced.push_back(bucket);
  isWritten.assign(count, false);
  saver.text("lengths",
             {reinterpret_cast<const char *>(lengths.data()), lengths.size() * sizeof lengths[0]});
}

std::string Distribute::sync() {
  std::string problem = lost.empty() ? unsaved : lost;
  for (uint32_t bucket : unsynced) {
    int fd = problem.empty() ? openFor(bucket, problem) : -1;
    if (fd < 0)
      return problem;
    int failed = os::syncFile(fd);
    os::closeFile(fd);
    // What the system could not write it may forget: no later checkpoint may count on it.
    if (failed)
      return lost = "cannot write " + nameOf(bucket) + ": " + os::errorText(-failed);
  }
  for (const std::string &folder : {directory, directory.substr(0, directory.rfind('/') + 1)})
    if (int failed = isMade || !problem.empty() ? 0 : os::syncDirectory(folder.c_str()))
      problem = "cannot write " + folder + ": " + os::errorText(-failed);
  isMade = problem.empty();
  unsynced.clear();
  return problem;
}

int32_t Distribute::restore(const Loader &loader) {
  std::string_view saved = loader.text("lengths").value_or("");
  lengths.resize(saved.size() / sizeof lengths[0]);
  memcpy(lengths.data(), saved.data(), lengths.size() * sizeof lengths[0]);
  if (double wanted = number("buckets", 0); wanted != double(lengths.size()))
    return sl_error(ctx, "there were %zu buckets at the checkpoint, and there are %.0f",
                    lengths.size(), wanted);
  return 0;
}

//===--- tuples ---------------------------------------------------------------===//

int32_t Distribute::tuple(uint32_t, const void *tuple) {
  if (!unsaved.empty())
    return report(unsaved);
  uint64_t hash = 0;
  for (const Field &key : keys)
    hash = hashKey(hash, key.type, static_cast<const char *>(tuple) + key.offset);
  row.clear();
  if (csv)
    csv->write(row, tuple);
  else
    printValue(row, desc->inTypes[0], tuple, true);
  row.put('\n');
  return report(buckets->add(uint32_t(hash % count), row.view()));
}

RegisterNative registered("sluice.external::Distribute",
                          [] { return static_cast<NativeOp *>(new Distribute); });

} // namespace
} // namespace sluice
