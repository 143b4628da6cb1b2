//===- Upload.cpp - an object on its way to a bucket ----------------------===//
#include "toolkits/objectstorage/operators/ObjectStorageSink/Upload.h"
#include "toolkits/objectstorage/native/Elements.h"

namespace sluice::objectstorage {

static constexpr const char *kNoUpload = "NoSuchUpload";

Reply Upload::sendPart(const Bucket &bucket, const Ask &ask) {
  if (id.empty()) {
    Reply reply = ask(bucket.request("POST", key, {{"uploads", ""}}));
    if (!reply.isDone())
      return reply;
    id = textOf(reply.answer.body, "UploadId");
    if (id.empty()) {
      reply.problem = "the answer to the beginning of an upload has no UploadId";
      return reply;
    }
  }
  std::string number = std::to_string(tags.size() + 1);
  inet::Request request = bucket.request("PUT", key, {{"partNumber", number}, {"uploadId", id}});
  request.body = waiting;
  Reply reply = isGone ? Reply() : ask(request);
  // It may have been completed behind the checkpoint, when the program ended.
  if (reply.code == kNoUpload && isRestored && ask(bucket.request("HEAD", key)).isDone()) {
    isGone = true;
    reply = {};
  }
  if (!reply.isDone())
    return reply;
  tags.push_back(reply.answer.header("ETag"));
  waiting.clear();
  return reply;
}

Reply Upload::close(const Bucket &bucket, const Ask &ask) {
  return waiting.empty() && !tags.empty() ? Reply() : sendPart(bucket, ask);
}

Reply Upload::finish(const Bucket &bucket, const Ask &ask) {
  if (id.empty()) {
    inet::Request request = bucket.request("PUT", key);
    request.body = waiting;
    return ask(request);
  }
  Reply reply = close(bucket, ask);
  return reply.isDone() && !isGone ? complete(bucket, ask) : reply;
}

Reply Upload::complete(const Bucket &bucket, const Ask &ask) {
  inet::Request request = bucket.request("POST", key, {{"uploadId", id}});
  request.contentType = "application/xml";
  request.body = "<CompleteMultipartUpload>";
  for (size_t i = 0; i < tags.size(); ++i)
    request.body += "<Part><PartNumber>" + std::to_string(i + 1) + "</PartNumber><ETag>" +
                    escaped(tags[i]) + "</ETag></Part>";
  request.body += "</CompleteMultipartUpload>";
  Reply reply = ask(request);
  if (reply.code != kNoUpload)
    return reply;
  // The answer to an earlier request may have been lost.
  Reply there = ask(bucket.request("HEAD", key));
  bool isIt = there.isDone() && there.answer.header("Content-Length") == std::to_string(size);
  return isIt || there.mayHelp ? there : reply;
}

//===--- checkpoints ----------------------------------------------------------===//

void Upload::save(Saver &saver, const std::string &name) const {
  saver.text(name + " key", key);
  saver.text(name + " upload", id);
  saver.text(name + " waiting", waiting);
  saver.number(name + " size", int64_t(size));
  saver.number(name + " tuples", int64_t(tuples));
  std::string all;
  for (const std::string &tag : tags)
    all += tag + "\n";
  saver.text(name + " parts", all);
}

bool Upload::restore(const Loader &loader, const std::string &name, std::vector<Upload> &to) {
  auto key = loader.text(name + " key");
  if (!key)
    return false;
  Upload &upload = to.emplace_back(std::string(*key));
  upload.id = loader.text(name + " upload").value_or("");
  upload.waiting = loader.text(name + " waiting").value_or("");
  upload.size = uint64_t(loader.number(name + " size").value_or(0));
  upload.tuples = uint64_t(loader.number(name + " tuples").value_or(0));
  std::string_view all = loader.text(name + " parts").value_or("");
  for (size_t end; (end = all.find('\n')) != all.npos; all.remove_prefix(end + 1))
    upload.tags.emplace_back(all.substr(0, end));
  upload.isRestored = !upload.id.empty();
  return true;
}

} // namespace sluice::objectstorage
