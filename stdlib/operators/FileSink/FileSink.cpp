//===- FileSink.cpp - spl.adapter::FileSink -------------------------------===//
//
// Writes rows (RowWriter) into a file (SinkFile) until it is to be closed (CloseRule). A
// name that depends on the tuple comes with it, as attribute `$file`; then the first tuple
// opens the file, else the start does. A file that was closed is followed by another one
// when the next tuple comes; punctuation in between is not written.
//
// Names of closed files are submitted without the lock of the file: who is told may wait.
// With closeMode time a second input port has a tuple from time to time, so that the file
// is closed although none comes.
//
//===----------------------------------------------------------------------===//
#include "stdlib/native/csv/RowWriter.h"
#include "stdlib/native/pack/Packing.h"
#include "stdlib/operators/FileSink/CloseRule.h"
#include "stdlib/operators/FileSink/FileName.h"
#include "stdlib/operators/FileSink/SinkFile.h"

namespace sluice {
namespace {

/// With closeMode size a file may be greater by about that.
constexpr size_t kSizeBlock = 4096;

class FileSink : public ParamOp {
public:
  int32_t open() override;
  int32_t tuple(uint32_t port, const void *) override;
  int32_t punct(uint32_t port, PunctuationKind) override;
  int32_t close() override { return file.end(); }
  std::string persist() override { return file.persist(); }
  Saves saves() const override;
  void save(Saver &) override;
  std::string sync() override { return file.sync(); }
  int32_t restore(const Loader &) override;

private:
  std::string_view pattern(const void *tuple) const;
  std::string nameOf(std::string_view pattern) const;
  bool isOtherFile(const void *tuple) const;
  int32_t openFile(std::string_view pattern);
  int32_t openNamed();
  int32_t closeFile();
  int64_t timeIf(bool needed) const { return needed ? sl_now(ctx) : 0; }

  RowWriter rows;
  CloseRule rule;
  SinkFile file{*this};
  bool flushOnMark = true;
  std::string constantPattern;
  const Field *carried = nullptr;    // the attribute with the name, if that depends on the tuple
  std::string lastPattern, lastName; // of the open file
  bool varies = false;               // lastPattern gives other names later
  bool isRestored = false;           // it goes on from a checkpoint
};

int32_t FileSink::open() {
  flushOnMark = flag("flushOnPunctuation", true);
  rule.configure(*this);
  if (rows.configure(*this) || file.configure())
    return 1;
  if (rule.countsBytes())
    file.setBlock(kSizeBlock);
  const TypeDesc &type = *desc->inTypes[0];
  for (uint32_t i = 0; i < type.count; ++i)
    if (std::string_view(type.fields[i].name) == "$file")
      carried = &type.fields[i];
  constantPattern = text("file", "");
  if (isRestored)
    return file.wasOpen() ? openNamed() : 0;
  return carried || rule.isDynamic() ? 0 : openFile(constantPattern);
}

//===--- files ----------------------------------------------------------------===//

std::string_view FileSink::pattern(const void *tuple) const {
  if (!carried)
    return constantPattern;
  auto *bytes = static_cast<const char *>(tuple);
  return viewOf(*reinterpret_cast<const Str *>(bytes + carried->offset));
}

std::string FileSink::nameOf(std::string_view pattern) const {
  int64_t seconds;
  uint32_t nanos;
  sl_wall_clock(ctx, &seconds, &nanos);
  return fileName(pattern, file.opened(), seconds);
}

/// Whether the tuple belongs into another file than the open one.
bool FileSink::isOtherFile(const void *tuple) const {
  std::string_view wanted = pattern(tuple);
  return (varies || wanted != lastPattern) && nameOf(wanted) != lastName;
}

int32_t FileSink::openFile(std::string_view pattern) {
  lastName = nameOf(pattern);
  lastPattern = pattern;
  if (openNamed())
    return 1;
  rule.opened(timeIf(rule.countsTime()));
  return 0;
}

int32_t FileSink::openNamed() {
  varies = hasNumber(lastPattern) || hasTime(lastPattern);
  return file.open(lastName, rule.never() && !carried);
}

/// Closes the file, if one is open, and submits its name.
int32_t FileSink::closeFile() {
  if (!file.isOpen())
    return 0;
  if (file.close())
    return 1;
  if (!desc->outputs)
    return 0;
  const TypeDesc &type = *desc->outTypes[0];
  std::vector<uint64_t> tuple(type.size / 8 + 1);
  Str name = strView(file.path().data(), file.path().size());
  memcpy(reinterpret_cast<char *>(tuple.data()) + type.fields[0].offset, &name, sizeof name);
  return submit(0, tuple.data());
}

//===--- checkpoints ----------------------------------------------------------===//

Saves FileSink::saves() const {
  if (packingOf(text("compression", "none")) == Packing::Zlib)
    return Saves::no(
        "a file of zlib cannot go on behind a checkpoint, those of gzip and bzip2 can");
  if (text("closeMode", "never") == "never")
    return Saves::State;
  if (flag("append", false))
    return Saves::no("where files that are appended to ended is not known");
  std::string name = text("file", ""); // none: it depends on the tuple
  bool replaces = !name.empty() && !hasNumber(name) && !hasTime(name);
  return Saves::unless(replaces ? "its files replace each other, as they have one name: `{id}` in "
                                  "it gives them numbers"
                                : nullptr);
}

void FileSink::save(Saver &saver) {
  file.save(saver);
  rule.save(saver);
  saver.text("file", text("file", ""));
  saver.text("pattern", lastPattern);
  saver.text("name", lastName);
}

int32_t FileSink::restore(const Loader &loader) {
  std::string now = text("file", "");
  if (auto before = loader.text("file"); before && *before != now)
    return sl_error(ctx, "it wrote %s at the checkpoint, and is to write %s",
                    std::string(*before).c_str(), now.c_str());
  isRestored = true;
  file.restore(loader);
  rule.restore(loader);
  lastPattern = loader.text("pattern").value_or("");
  lastName = loader.text("name").value_or("");
  return 0;
}

//===--- what arrives ---------------------------------------------------------===//

int32_t FileSink::tuple(uint32_t port, const void *tuple) {
  int64_t now = timeIf(rows.isTimed() || rule.countsTime());
  if (file.isOpen() && (rule.isOver(now) || (rule.isDynamic() && port == 0 && isOtherFile(tuple))))
    if (int32_t result = closeFile())
      return result;
  if (port != 0)
    return 0;
  if (!file.isOpen() && openFile(pattern(tuple)))
    return 1;
  if (!file.isOpen()) // the program ends
    return 0;
  if (file.write([&](TextOut &to) { rows.row(to, tuple, now); }, SinkFile::Flush::ByCount))
    return 1;
  return rule.closesBehind(file.size()) ? closeFile() : 0;
}

int32_t FileSink::punct(uint32_t port, PunctuationKind kind) {
  if (port != 0)
    return 0;
  int64_t now = timeIf(rows.isTimed());
  auto flush = flushOnMark ? SinkFile::Flush::Now : SinkFile::Flush::IfFull;
  if (file.isOpen() && file.write([&](TextOut &to) { rows.mark(to, kind, now); }, flush))
    return 1;
  int32_t result = rule.closesAt(kind) ? closeFile() : 0;
  // The port of the time closes later, if at all.
  if (!result && isFinal(kind) && desc->inputs > 1 && desc->outputs)
    return submitPunct(0, kind);
  return result;
}

RegisterNative registered("spl.adapter::FileSink",
                          [] { return static_cast<NativeOp *>(new FileSink); });

} // namespace
} // namespace sluice
