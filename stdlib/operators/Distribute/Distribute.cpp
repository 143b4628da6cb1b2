//===- Distribute.cpp - sluice.external::Distribute -----------------------===//
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
    return isFinal(kind) ? report(buckets->writeAll()) : 0;
  }
  int32_t close() override { return buckets ? report(buckets->writeAll()) : 0; }

private:
  int32_t makeFiles();
  std::string nameOf(uint32_t bucket) const;
  std::string write(uint32_t bucket, std::span<const os::Part>);
  int32_t report(const std::string &problem) {
    return problem.empty() ? 0 : sl_error(ctx, "%s", problem.c_str());
  }

  std::string directory;
  uint32_t count = 0;
  std::optional<CsvWriter> csv; // none: tuple literals
  std::vector<Field> keys;
  std::unique_ptr<Buckets> buckets;
  TextOut row;
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
  for (uint32_t bucket = 0; bucket < count; ++bucket) {
    std::string name = nameOf(bucket);
    int fd = os::openFile(name.c_str(), os::Open::Keep);
    if (fd < 0)
      return sl_error(ctx, "cannot open %s: %s", name.c_str(), os::errorText(-fd).c_str());
    // A lock keeps a file open: that of the first bucket stands for all.
    int used = sl_use_file(ctx, name.c_str(), bucket ? FileUse::Share : FileUse::Write);
    int cut = used ? 0 : os::cutFile(fd, 0);
    os::closeFile(fd);
    if (used || cut)
      return used ? used
                  : sl_error(ctx, "cannot empty %s: %s", name.c_str(), os::errorText(-cut).c_str());
  }
  return 0;
}

/// Files are open only while they are written: there are more than a process may have open.
std::string Distribute::write(uint32_t bucket, std::span<const os::Part> parts) {
  std::string name = nameOf(bucket);
  int fd = os::openFile(name.c_str(), os::Open::Append);
  if (fd < 0)
    return "cannot open " + name + ": " + os::errorText(-fd);
  int result = os::writeParts(fd, parts);
  int closed = os::closeFile(fd);
  result = result ? result : closed;
  return result ? "cannot write " + name + ": " + os::errorText(-result) : "";
}

int32_t Distribute::tuple(uint32_t, const void *tuple) {
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
