//===- ObjectStorageScan.cpp - com.ibm.streamsx.objectstorage::ObjectStorageScan ---===//
//
// An object is known by its name and by what the server says of its content. One that is not there
// any more is forgotten by the next scan.
//
//===----------------------------------------------------------------------===//
#include "memory/Arena.h"
#include "sluice/metrics.h"
#include "sluice/recovery.h"
#include "stdlib/native/connect/ControlPort.h"
#include "toolkits/inet/native/Address.h"
#include "toolkits/objectstorage/native/Bucket.h"
#include "toolkits/objectstorage/native/Elements.h"
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>
#include <utility>

extern "C" int32_t sl_regexMatchPerl_rr(sluice::Ctx *, sluice::Seq *result, const sluice::Str *text,
                                        const sluice::Str *pattern);

namespace sluice::objectstorage {
namespace {

const std::string kKnown = "known ";     // of numbers in checkpoints: a name follows
constexpr int64_t kGlance = 100'000'000; // ns between two looks at the control port

struct Object {
  std::string key, changed; // in UTC, so that texts are in the order of times
  int64_t content = 0;      // a hash of what the server says of it
};

class ObjectStorageScan : public ParamOp {
public:
  Saves saves() const override { return Saves::State; }
  bool hasSavePoints() const override { return true; }
  int32_t open() override;
  int32_t process() override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  Reply list(std::vector<Object> &);
  int32_t matches(const std::string &name, bool &isMatch);
  int32_t submitNew(std::vector<Object> &);
  int32_t look();
  void setDirectory(std::string);
  bool obey();
  int32_t await(int64_t due);

  Bucket bucket{inet::Waiting::GivesWay};
  std::string prefix, pattern;
  std::shared_ptr<ControlPort> control; // null: there is none
  bool hasDirectory = false;            // it has something to look into
  Warnings warnings;
  Metric *scans = nullptr;
  std::unordered_map<std::string, int64_t> known; // Object::content by key
};

/// FNV-1a: the same in all versions of this program.
int64_t hashOf(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return int64_t(hash);
}

int32_t ObjectStorageScan::open() {
  const TypeDesc &type = *desc->outTypes[0];
  if (type.count != 1 || type.fields[0].type->kind != Kind::RString)
    return sl_error(ctx, "the output has one attribute, an rstring");
  if (param("$control"))
    control = ControlPort::of(*this);
  if (!hasDirectory && (!control || param("directory")))
    setDirectory(text("directory", "/"));
  pattern = text("pattern", "");
  bool ignored;
  if (matches("", ignored)) // a pattern that is wrong
    return 1;
  scans = sl_make_metric(ctx, desc, "nScans", "how often it has looked for objects",
                         MetricKind::Counter, 0);
  return bucket.open(*this);
}

void ObjectStorageScan::setDirectory(std::string name) {
  prefix = std::move(name);
  prefix.erase(0, std::min(prefix.find_first_not_of('/'), prefix.size()));
  if (!prefix.empty() && !prefix.ends_with("/"))
    prefix += '/';
  hasDirectory = true;
}

int32_t ObjectStorageScan::matches(const std::string &name, bool &isMatch) {
  isMatch = pattern.empty();
  if (isMatch)
    return 0;
  ArenaCheckpoint before = arenaCheckpoint(ctx->scratch);
  Seq found = {};
  Str text = strView(name.data(), name.size()),
      expression = strView(pattern.data(), pattern.size());
  int32_t result = sl_regexMatchPerl_rr(ctx, &found, &text, &expression);
  isMatch = !result && found.len > 0;
  arenaRelease(ctx->scratch, before);
  return result;
}

/// All objects of the directory.
Reply ObjectStorageScan::list(std::vector<Object> &objects) {
  std::string next;
  for (;;) {
    Bucket::Query query;
    if (!next.empty())
      query.emplace_back("continuation-token", std::exchange(next, {}));
    query.emplace_back("delimiter", "/");
    query.emplace_back("encoding-type", "url");
    query.emplace_back("list-type", "2");
    query.emplace_back("prefix", prefix);
    Reply reply = bucket.askOnce(bucket.request("GET", "", query));
    if (!reply.isDone())
      return reply;
    for (Element &element : elementsOf(reply.answer.body))
      if (element.name == "Key")
        objects.push_back({inet::decoded(element.text, /*isForm=*/true), "", 0});
      else if (element.name == "LastModified" && !objects.empty())
        objects.back().changed = element.text;
      else if (element.name == "ETag" && !objects.empty())
        objects.back().content = hashOf(objects.back().changed + element.text);
      else if (element.name == "NextContinuationToken")
        next = element.text;
    if (next.empty())
      return reply;
  }
}

int32_t ObjectStorageScan::submitNew(std::vector<Object> &objects) {
  std::sort(objects.begin(), objects.end(), [](const Object &a, const Object &b) {
    return std::tie(a.changed, a.key) < std::tie(b.changed, b.key);
  });
  std::unordered_set<std::string_view> there;
  for (const Object &object : objects)
    there.insert(object.key);
  std::erase_if(known, [&](const auto &one) { return !there.contains(one.first); });
  bool submitted = false;
  for (const Object &object : objects) {
    bool isMatch;
    std::string name = object.key.substr(prefix.size());
    if (int32_t result = matches(name, isMatch))
      return result;
    auto found = known.find(object.key);
    if (name.empty() || !isMatch || (found != known.end() && found->second == object.content))
      continue;
    known[object.key] = object.content;
    Str tuple = strView(object.key.data(), object.key.size());
    int32_t result = submit(0, &tuple);
    submitted = true;
    if (result || (result = sl_save_point(ctx)))
      return result;
    if (sl_is_shutdown(ctx))
      break;
  }
  if (!submitted || !hasRole(*desc, RecoveryRole::Triggers))
    return 0;
  sl_ask_checkpoint(ctx);
  return sl_save_point(ctx);
}

int32_t ObjectStorageScan::look() {
  std::vector<Object> objects;
  Reply reply = list(objects);
  scans->value.fetch_add(1, std::memory_order_relaxed);
  if (reply.isDone())
    return submitNew(objects);
  if (reply.mayHelp)
    warnings.warn(ctx, desc, bucket.place().shown + ": " + reply.problem + "; it looks again");
  else if (!reply.answer.isStopped)
    return sl_error(ctx, "%s: %s", bucket.place().shown.c_str(), reply.problem.c_str());
  return 0;
}

/// Looks into the directory from now on that the control port has named last. False: none.
bool ObjectStorageScan::obey() {
  bool isNew = false;
  while (std::optional<std::string> name = control ? control->take() : std::nullopt) {
    setDirectory(std::move(*name));
    isNew = true;
  }
  return isNew;
}

/// Until it is to look again. 1: the program ends.
int32_t ObjectStorageScan::await(int64_t due) {
  if (!control)
    return sl_wait_until(ctx, due, 0);
  while (!obey() && (!hasDirectory || sl_now(ctx) < due))
    if (sl_wait_until(ctx, sl_now(ctx) + kGlance, 0))
      return 1;
  return 0;
}

int32_t ObjectStorageScan::process() {
  if (sl_wait(ctx, number("initDelay", 0)))
    return 0;
  auto pause = int64_t(std::clamp(std::round(number("sleepTime", 5) * 1e9), 1.0, 1e18));
  for (int64_t due = 0;;) {
    due = sl_now(ctx) + pause;
    obey();
    if (int32_t result = hasDirectory ? look() : 0)
      return result;
    bool isDone = hasDirectory && flag("once", false);
    if (isDone || sl_is_shutdown(ctx) || await(due))
      return 0;
  }
}

void ObjectStorageScan::save(Saver &saver) {
  if (control && hasDirectory)
    saver.text("directory", prefix);
  for (const auto &[key, content] : known)
    saver.number(kKnown + key, content);
}

int32_t ObjectStorageScan::restore(const Loader &loader) {
  if (auto directory = loader.text("directory"))
    setDirectory(std::string(*directory));
  loader.numbers(
      kKnown, [this](std::string_view key, int64_t content) { known[std::string(key)] = content; });
  return 0;
}

RegisterNative registered("com.ibm.streamsx.objectstorage::ObjectStorageScan",
                          [] { return static_cast<NativeOp *>(new ObjectStorageScan); });

/// Tuples with one attribute, an rstring: a directory.
RegisterNative controls("com.ibm.streamsx.objectstorage::ObjectStorageScan.control",
                        [] { return static_cast<NativeOp *>(new ControlInput); });
RegisterNative controlsS3("com.ibm.streamsx.objectstorage.s3::S3ObjectStorageScan.control",
                          [] { return static_cast<NativeOp *>(new ControlInput); });
RegisterNative registeredS3("com.ibm.streamsx.objectstorage.s3::S3ObjectStorageScan",
                            [] { return static_cast<NativeOp *>(new ObjectStorageScan); });

} // namespace
} // namespace sluice::objectstorage
