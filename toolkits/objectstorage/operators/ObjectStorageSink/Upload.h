//===- Upload.h - an object on its way to a bucket --------------*- C++ -*-===//
//
// It appears there when it is complete: by one request, or in parts. What is sent again replaces
// what the server had of it.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/saved.h"
#include "toolkits/objectstorage/native/Bucket.h"

namespace sluice::objectstorage {

class Upload {
public:
  /// How requests are sent: once, or again and again.
  using Ask = std::function<Reply(const inet::Request &)>;

  explicit Upload(std::string key) : key(std::move(key)) {}

  void add(std::string_view bytes) {
    waiting += bytes;
    size += bytes.size();
  }
  /// There is enough for a part. The server takes 10,000 of them, so later ones are longer.
  bool isPart() const { return waiting.size() >= kPart << tags.size() / 1000; }
  /// Sends what waits, as a part.
  Reply sendPart(const Bucket &, const Ask &);
  /// Sends all that waits, so that finish() has nothing left to send.
  Reply close(const Bucket &, const Ask &);
  /// Sends what waits and completes it.
  Reply finish(const Bucket &, const Ask &);

  void save(Saver &, const std::string &name) const;
  /// False: nothing was saved under this name.
  static bool restore(const Loader &, const std::string &name, std::vector<Upload> &to);

  std::string key;
  uint64_t size = 0, tuples = 0;
  int64_t began = 0; // sl_now

private:
  static constexpr size_t kPart = 8 << 20;
  Reply complete(const Bucket &, const Ask &);

  std::string id;                // of an upload in parts; empty: it has none yet
  std::vector<std::string> tags; // of its parts
  std::string waiting;           // what was not sent yet
  bool isRestored = false;       // it may be complete already
  bool isGone = false;           // it was complete when it was restored
};

} // namespace sluice::objectstorage
