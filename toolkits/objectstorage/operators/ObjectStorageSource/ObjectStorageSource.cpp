//===- ObjectStorageSource.cpp - com.ibm.streamsx.objectstorage::ObjectStorageSource ---===//
//
// Lines and blocks are submitted as they come, so what the program cannot take waits in the
// connection. Where that breaks off the next request asks for the rest of the same object.
//
//===----------------------------------------------------------------------===//
#include "sluice/metrics.h"
#include "sluice/recovery.h"
#include "toolkits/inet/native/Attributes.h"
#include "toolkits/inet/native/Lines.h"
#include "toolkits/objectstorage/native/Bucket.h"
#include <utility>

namespace sluice::objectstorage {
namespace {

class ObjectStorageSource : public ParamOp {
public:
  Saves saves() const override { return param("objectName") ? Saves::State : Saves::Stateless; }
  bool hasSavePoints() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  int32_t tuple(uint32_t, const void *) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  int32_t read(const std::string &key);
  bool take(const inet::Answer &, std::string_view);
  bool blocks(std::string_view);
  bool give(std::string_view);
  bool isStopped() const { return sl_is_shutdown(ctx) && !fromInput; }
  int32_t refused(const std::string &key, const Reply &);

  Bucket bucket{inet::Waiting::GivesWay};
  const Field *to = nullptr;
  size_t blockSize = 4096;
  bool fromInput = false;
  Metric *opened = nullptr, *failed = nullptr;
  // Of the object that is read.
  inet::Lines lines;
  std::string block;    // the beginning of the next one
  std::string tag;      // of the server, for this content
  uint64_t bytes = 0;   // that have come
  uint64_t given = 0;   // lines or blocks that have come
  uint64_t skipped = 0; // of them those that were submitted before a checkpoint
  bool isOver = false;  // the object was read before the checkpoint
  int32_t result = 0;   // of what was submitted
};

int32_t ObjectStorageSource::open() {
  const TypeDesc &type = *desc->outTypes[0];
  to = &type.fields[0];
  if (type.count != 1 || (!inet::isText(*to->type) && to->type->kind != Kind::Blob))
    return sl_error(ctx, "the output has one attribute, an rstring, a ustring or a blob");
  fromInput = desc->inputs > 0;
  if (fromInput == (param("objectName") != nullptr))
    return sl_error(ctx, "ObjectStorageSource needs either objectName or an input");
  if (fromInput &&
      (desc->inTypes[0]->count != 1 || desc->inTypes[0]->fields[0].type->kind != Kind::RString))
    return sl_error(ctx, "the input has one attribute, an rstring");
  std::string encoding = text("encoding", "UTF-8");
  if (encoding != "UTF-8" && encoding != "utf-8")
    return sl_error(ctx, "encoding: only UTF-8 is in this release");
  blockSize = size_t(number("blockSize", 4096));
  opened =
      sl_make_metric(ctx, desc, "nObjectsOpened", "objects that were read", MetricKind::Counter, 0);
  failed = sl_make_metric(ctx, desc, "nObjectsFailed", "objects that could not be read",
                          MetricKind::Counter, 0);
  return bucket.open(*this);
}

//===--- what comes -----------------------------------------------------------===//

/// Submits a line or a block.
bool ObjectStorageSource::give(std::string_view text) {
  if (++given <= skipped)
    return true;
  alignas(8) char tuple[sizeof(Str)] = {};
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  if (to->type->kind == Kind::Blob) {
    Str value = strView(text.data(), text.size());
    memcpy(tuple, &value, sizeof value);
  } else {
    inet::setText(*to, text, tuple, *ctx->scratch);
  }
  result = submit(0, tuple);
  arenaRelease(ctx->scratch, before);
  if (!result && !fromInput)
    result = sl_save_point(ctx);
  return result == 0;
}

bool ObjectStorageSource::blocks(std::string_view part) {
  while (blockSize && block.size() + part.size() >= blockSize) {
    size_t size = blockSize - block.size();
    block += part.substr(0, size);
    part.remove_prefix(size);
    bool goesOn = give(block);
    block.clear();
    if (!goesOn)
      return false;
  }
  block += part;
  return block.size() <= inet::Client::kMostBody;
}

bool ObjectStorageSource::take(const inet::Answer &answer, std::string_view part) {
  if (tag.empty())
    tag = answer.header("ETag");
  bytes += part.size();
  bool goesOn = to->type->kind == Kind::Blob
                    ? blocks(part)
                    : lines.feed(part, [this](std::string_view line) { return give(line); });
  return goesOn && !isStopped();
}

//===--- objects --------------------------------------------------------------===//

int32_t ObjectStorageSource::refused(const std::string &key, const Reply &reply) {
  failed->value.fetch_add(1, std::memory_order_relaxed);
  std::string what = bucket.place().shown + "/" + key + ": " + reply.problem;
  if (!fromInput || reply.code == "PreconditionFailed")
    return sl_error(ctx, "%s", what.c_str());
  sl_warn(ctx, desc, "%s; it goes on with the next object", what.c_str());
  return 0;
}

int32_t ObjectStorageSource::read(const std::string &key) {
  bytes = given = 0;
  lines.clear();
  block.clear();
  for (;;) {
    inet::Request request = bucket.request("GET", key);
    if (bytes)
      request.headers.push_back("Range: bytes=" + std::to_string(bytes) + "-");
    if (!tag.empty())
      request.headers.push_back("If-Match: " + tag);
    Reply reply =
        bucket.askOnce(request, [this](const inet::Answer &answer, std::string_view part) {
          return take(answer, part);
        });
    if (result || isStopped())
      return result;
    if (lines.isTooLong() || block.size() > inet::Client::kMostBody)
      return sl_error(ctx, "%s/%s: a line is longer than 16 MiB, or a block than 64 MiB",
                      bucket.place().shown.c_str(), key.c_str());
    if (reply.isDone() || (bytes && reply.code == "InvalidRange")) // it broke off behind the end
      break;
    if (!reply.mayHelp)
      return refused(key, reply);
    if (!bucket.pause(reply.problem))
      return 0;
  }
  lines.end([this](std::string_view line) { return give(line); });
  if (!result && !block.empty())
    give(block);
  opened->value.fetch_add(1, std::memory_order_relaxed);
  if (!result && !(result = submitPunct(0, PunctuationKind::Window)) &&
      hasRole(*desc, RecoveryRole::Triggers))
    sl_ask_checkpoint(ctx);
  return result;
}

int32_t ObjectStorageSource::tuple(uint32_t, const void *tuple) {
  std::string key(viewOf(*static_cast<const Str *>(tuple)));
  tag.clear();
  return read(key.substr(std::min(key.find_first_not_of('/'), key.size())));
}

int32_t ObjectStorageSource::punct(uint32_t, PunctuationKind) { return 0; }

int32_t ObjectStorageSource::process() {
  if (isOver || sl_wait(ctx, number("initDelay", 0)))
    return 0;
  std::string key = text("objectName", "");
  int32_t failure = read(key.substr(std::min(key.find_first_not_of('/'), key.size())));
  isOver = !failure && !isStopped();
  return failure;
}

//===--- checkpoints ----------------------------------------------------------===//

/// Between two names that come by the input there is nothing to go on with.
void ObjectStorageSource::save(Saver &saver) {
  if (fromInput)
    return;
  saver.text("content", tag);
  saver.number("given", int64_t(given));
  saver.number("over", isOver);
}

int32_t ObjectStorageSource::restore(const Loader &loader) {
  if (!param("objectName"))
    return 0;
  tag = loader.text("content").value_or("");
  skipped = uint64_t(loader.number("given").value_or(0));
  isOver = loader.number("over").value_or(0) != 0;
  return 0;
}

RegisterNative registered("com.ibm.streamsx.objectstorage::ObjectStorageSource",
                          [] { return static_cast<NativeOp *>(new ObjectStorageSource); });
RegisterNative registeredS3("com.ibm.streamsx.objectstorage.s3::S3ObjectStorageSource",
                            [] { return static_cast<NativeOp *>(new ObjectStorageSource); });

} // namespace
} // namespace sluice::objectstorage
