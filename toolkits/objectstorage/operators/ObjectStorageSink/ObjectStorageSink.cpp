//===- ObjectStorageSink.cpp - com.ibm.streamsx.objectstorage::ObjectStorageSink ---===//
//
// Tuples become bytes of an Upload, which is completed when the parameters say so. With checkpoints
// an upload is completed behind the checkpoint that has its end: what comes again behind an older
// one goes to the same upload, or to one that nobody has seen. The timer completes what has waited
// long enough; it submits nothing, and asks once each time that it looks.
//
//===----------------------------------------------------------------------===//
#include "runtime/base/os.h"
#include "sluice/metrics.h"
#include "stdlib/operators/FileSink/FlushTimer.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/objectstorage/operators/ObjectStorageSink/ObjectName.h"
#include "toolkits/objectstorage/operators/ObjectStorageSink/Upload.h"
#include <utility>

extern "C" int32_t sl_PEID_(sluice::Ctx *, uint64_t *result);

namespace sluice::objectstorage {
namespace {

constexpr int64_t kLook = os::kNanos / 10; // how often the timer looks

class ObjectStorageSink : public ParamOp, private Flushable {
public:
  ~ObjectStorageSink() { stopTimer(); }
  Saves saves() const override { return Saves::State; }
  int32_t open() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;
  void committed() override;
  int32_t close() override;

private:
  enum class Outcome { Done, Later, Failed };

  int32_t layOut();
  int32_t readRules();
  std::string nameOf(const void *tuple);
  void begin(const std::string &key);
  void append(const void *tuple);
  bool isFull() const;
  Outcome judge(const Reply &);
  Outcome closeCurrent();
  Outcome completeClosed();
  int32_t finish();
  int32_t say();
  void flushByTimer() override;
  void stopTimer();

  const Field *data = nullptr, *name = nullptr;
  std::string pattern, header;
  NameParts parts;
  uint64_t mostTuples = 0, mostBytes = 0; // of an object; 0: any
  double mostSeconds = 0;                 // likewise
  bool closesAtMarks = false, isExact = false, isTimed = false;
  Metric *active = nullptr, *completed = nullptr;
  os::Lock lock; // guards what is below
  Bucket bucket{inet::Waiting::Holds};
  Upload::Ask ask = [this](const inet::Request &request) { return bucket.ask(request); };
  std::vector<Upload> current;                          // the object that is written: one or none
  std::vector<Upload> closed;                           // that are to be completed
  size_t sealed = 0;                                    // how many of them the last checkpoint has
  std::vector<std::pair<std::string, uint64_t>> unsaid; // that are complete: names and sizes
  std::string failure;                                  // why it cannot go on
};

//===--- at the start ---------------------------------------------------------===//

int32_t ObjectStorageSink::layOut() {
  const TypeDesc &in = *desc->inTypes[0];
  std::string nameText = text("objectNameAttribute", ""), dataText = text("dataAttribute", "");
  if (!nameText.empty())
    name = inet::fieldOf(in, nameText);
  for (uint32_t i = 0; i < in.count && !data; ++i)
    if (dataText.empty() ? &in.fields[i] != name : dataText == in.fields[i].name)
      data = &in.fields[i];
  size_t others = in.count - (name ? 1 : 0);
  if (!data || (dataText.empty() && others != 1))
    return sl_error(ctx, "dataAttribute says which attribute is written");
  if (!inet::isText(*data->type) && data->type->kind != Kind::Blob)
    return sl_error(ctx, "the attribute %s must be an rstring, a ustring or a blob", data->name);
  const TypeDesc *out = desc->outputs ? desc->outTypes[0] : nullptr;
  if (out && (out->count != 2 || out->fields[0].type->kind != Kind::RString ||
              out->fields[1].type->kind != Kind::UInt64))
    return sl_error(ctx, "the output has two attributes, an rstring for the name of an object and "
                         "a uint64 for its size");
  return 0;
}

int32_t ObjectStorageSink::readRules() {
  if (text("storageFormat", "raw") != "raw")
    return sl_error(ctx, "storageFormat: only raw is in this release");
  std::string encoding = text("encoding", "UTF-8");
  if (encoding != "UTF-8" && encoding != "utf-8")
    return sl_error(ctx, "encoding: only UTF-8 is in this release");
  pattern = text("objectName", "");
  if (pattern.empty() == !name)
    return sl_error(ctx, "ObjectStorageSink needs one of objectName and objectNameAttribute");
  header = text("headerRow", "");
  parts.timeFormat = text("timeFormat", "yyyyMMdd_HHmmss");
  uint64_t pe = 0;
  sl_PEID_(ctx, &pe);
  parts.pe = unsigned(pe);
  if (std::string wrong = wrongTimeFormat(parts.timeFormat); !wrong.empty())
    return sl_error(ctx, "%s", wrong.c_str());
  mostTuples = uint64_t(number("tuplesPerObject", 0));
  mostBytes = uint64_t(number("bytesPerObject", 0));
  mostSeconds = number("timePerObject", 0);
  bool hasOther = mostTuples || mostBytes || mostSeconds > 0;
  closesAtMarks = flag("closeOnPunct", !hasOther);
  return 0;
}

int32_t ObjectStorageSink::open() {
  if (layOut() || readRules() || bucket.open(*this))
    return 1;
  active =
      sl_make_metric(ctx, desc, "nActiveObjects", "objects that are written", MetricKind::Gauge, 0);
  completed = sl_make_metric(ctx, desc, "nClosedObjects", "objects that were written",
                             MetricKind::Counter, 0);
  isExact = sl_makes_checkpoints(ctx);
  if (mostSeconds > 0) {
    FlushTimer::shared().add(this, kLook);
    isTimed = true;
  }
  return 0;
}

//===--- objects --------------------------------------------------------------===//

std::string ObjectStorageSink::nameOf(const void *tuple) {
  if (name) {
    std::string key = inet::textOf(*name, tuple);
    return key.substr(std::min(key.find_first_not_of('/'), key.size()));
  }
  if (!current.empty())
    return current[0].key;
  uint32_t nanos;
  sl_wall_clock(ctx, &parts.seconds, &nanos);
  std::string key = objectName(pattern, parts);
  ++parts.number;
  return key;
}

void ObjectStorageSink::begin(const std::string &key) {
  Upload &upload = current.emplace_back(key);
  upload.began = sl_now(ctx);
  if (!header.empty())
    upload.add(header + "\n");
  active->value.store(1, std::memory_order_relaxed);
}

void ObjectStorageSink::append(const void *tuple) {
  Upload &upload = current[0];
  if (data->type->kind == Kind::Blob) {
    upload.add(
        viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + data->offset)));
  } else {
    upload.add(inet::textOf(*data, tuple));
    upload.add("\n");
  }
  ++upload.tuples;
}

bool ObjectStorageSink::isFull() const {
  const Upload &upload = current[0];
  return (mostTuples && upload.tuples >= mostTuples) || (mostBytes && upload.size >= mostBytes) ||
         (mostSeconds > 0 &&
          double(sl_now(ctx) - upload.began) >= mostSeconds * double(os::kNanos));
}

ObjectStorageSink::Outcome ObjectStorageSink::judge(const Reply &reply) {
  if (reply.isDone())
    return Outcome::Done;
  if (reply.mayHelp && !sl_is_shutdown(ctx))
    return Outcome::Later;
  failure = bucket.place().shown + ": " + reply.problem;
  return Outcome::Failed;
}

/// The object that is written has ended. It is completed at once, or behind the next checkpoint.
ObjectStorageSink::Outcome ObjectStorageSink::closeCurrent() {
  if (current.empty())
    return Outcome::Done;
  if (isExact)
    if (Outcome outcome = judge(current[0].close(bucket, ask)); outcome != Outcome::Done)
      return outcome;
  closed.push_back(std::move(current[0]));
  current.clear();
  active->value.store(0, std::memory_order_relaxed);
  return isExact ? Outcome::Done : completeClosed();
}

/// Completes those that may be.
ObjectStorageSink::Outcome ObjectStorageSink::completeClosed() {
  size_t most = isExact ? sealed : closed.size();
  Outcome outcome = Outcome::Done;
  size_t done = 0;
  for (; done < most; ++done) {
    outcome = judge(closed[done].finish(bucket, ask));
    if (outcome != Outcome::Done)
      break;
    unsaid.emplace_back(closed[done].key, closed[done].size);
    completed->value.fetch_add(1, std::memory_order_relaxed);
  }
  closed.erase(closed.begin(), closed.begin() + ptrdiff_t(done));
  sealed -= isExact ? done : 0;
  if (!desc->outputs)
    unsaid.clear();
  return outcome;
}

/// Submits which objects are complete. By the thread of the operator, with the lock.
int32_t ObjectStorageSink::say() {
  for (auto &[key, size] : std::exchange(unsaid, {})) {
    alignas(8) char tuple[sizeof(Str) + 8] = {};
    const TypeDesc &out = *desc->outTypes[0];
    Str text = strView(key.data(), key.size());
    memcpy(tuple + out.fields[0].offset, &text, sizeof text);
    memcpy(tuple + out.fields[1].offset, &size, sizeof size);
    if (int32_t result = submit(0, tuple))
      return result;
  }
  return failure.empty() ? 0 : sl_error(ctx, "%s", failure.c_str());
}

//===--- what arrives ---------------------------------------------------------===//

int32_t ObjectStorageSink::tuple(uint32_t, const void *tuple) {
  os::Held held(lock);
  std::string key = nameOf(tuple);
  if (!current.empty() && current[0].key != key)
    closeCurrent();
  if (current.empty())
    begin(key);
  append(tuple);
  if (current[0].isPart())
    judge(current[0].sendPart(bucket, ask));
  if (failure.empty() && isFull())
    closeCurrent();
  return say();
}

int32_t ObjectStorageSink::finish() {
  closeCurrent();
  sealed = closed.size(); // nothing comes behind them
  if (failure.empty())
    completeClosed();
  return say();
}

int32_t ObjectStorageSink::punct(uint32_t, PunctuationKind kind) {
  os::Held held(lock);
  if (isFinal(kind))
    return finish();
  if (kind == PunctuationKind::Window && closesAtMarks)
    closeCurrent();
  return say();
}

/// Once each time: a server that does not answer must not hold up the timer of others.
void ObjectStorageSink::flushByTimer() {
  if (!lock.tryLock()) // who has it looks at the time as well
    return;
  auto once = [this](const inet::Request &request) { return bucket.askOnce(request); };
  Upload::Ask often = std::exchange(ask, once);
  if (failure.empty() && !current.empty() && isFull())
    closeCurrent();
  if (failure.empty() && !isExact)
    completeClosed();
  ask = std::move(often);
  lock.unlock();
}

void ObjectStorageSink::stopTimer() {
  if (std::exchange(isTimed, false))
    FlushTimer::shared().remove(this);
}

//===--- checkpoints ----------------------------------------------------------===//

void ObjectStorageSink::save(Saver &saver) {
  os::Held held(lock);
  saver.number("number", int64_t(parts.number));
  for (const Upload &upload : current)
    upload.save(saver, "current");
  for (size_t i = 0; i < closed.size(); ++i)
    closed[i].save(saver, "closed " + std::to_string(i));
  for (size_t i = 0; i < unsaid.size(); ++i) {
    std::string at = "unsaid " + std::to_string(i);
    saver.text(at, unsaid[i].first);
    saver.number(at + " size", int64_t(unsaid[i].second));
  }
  sealed = closed.size();
}

int32_t ObjectStorageSink::restore(const Loader &loader) {
  parts.number = uint64_t(loader.number("number").value_or(0));
  Upload::restore(loader, "current", current);
  for (size_t i = 0; Upload::restore(loader, "closed " + std::to_string(i), closed); ++i) {
  }
  for (size_t i = 0;; ++i) {
    std::string at = "unsaid " + std::to_string(i);
    auto key = loader.text(at);
    if (!key)
      break;
    unsaid.emplace_back(*key, uint64_t(loader.number(at + " size").value_or(0)));
  }
  sealed = closed.size();
  return 0;
}

void ObjectStorageSink::committed() {
  os::Held held(lock);
  if (failure.empty())
    completeClosed();
}

/// Where the program fails no final punctuation came: what was not closed is not completed.
int32_t ObjectStorageSink::close() {
  stopTimer();
  return 0;
}

RegisterNative registered("com.ibm.streamsx.objectstorage::ObjectStorageSink",
                          [] { return static_cast<NativeOp *>(new ObjectStorageSink); });
RegisterNative registeredS3("com.ibm.streamsx.objectstorage.s3::S3ObjectStorageSink",
                            [] { return static_cast<NativeOp *>(new ObjectStorageSink); });

} // namespace
} // namespace sluice::objectstorage
