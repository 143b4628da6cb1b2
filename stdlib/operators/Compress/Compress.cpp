//===- Compress.cpp - spl.utility::Compress -------------------------------===//
//
// For a checkpoint the compressed text ends, as nobody can go on inside of one in another process,
// and what comes behind begins another. Of gzip and bzip2 both are one to who reads them.
//
//===----------------------------------------------------------------------===//
#include "stdlib/operators/Compress/BlobOp.h"
#include <optional>

namespace sluice {
namespace {

class Compress : public BlobOp {
public:
  int32_t open() override {
    flushOnPunct = flag("flushOnPunct", false);
    return isConfigured() ? 0 : configure("compressionInput");
  }
  int32_t tuple(uint32_t, const void *tuple) override {
    begin();
    if (int32_t result = takeEnded())
      return result;
    packer->give(inputOf(tuple));
    return take(Packer::Flush::Nothing);
  }
  int32_t punct(uint32_t, PunctuationKind) override;
  Saves saves() const override;
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  void begin() {
    if (!packer)
      packer.emplace(packing);
  }
  int32_t take(Packer::Flush);
  int32_t takeEnded();
  int32_t finish();

  bool flushOnPunct = false;
  std::optional<Packer> packer; // of the text that has begun
  std::string ended;            // what has come of those before it that ended for a checkpoint
};

/// Submits what the packer gives, in whole pieces.
int32_t Compress::take(Packer::Flush mode) {
  for (;;) {
    size_t had = left(), size = packer->take(room(), had, mode);
    if (int32_t result = add(size))
      return result;
    if (size < had)
      return 0;
  }
}

int32_t Compress::takeEnded() {
  for (size_t at = 0; at < ended.size();) {
    size_t size = ended.copy(room(), left(), at);
    at += size;
    if (int32_t result = add(size))
      return result;
  }
  ended.clear();
  return 0;
}

/// Ends the text.
int32_t Compress::finish() {
  int32_t result = takeEnded();
  if (packer && !result) {
    packer->give({});
    result = take(Packer::Flush::Finish);
  }
  packer.reset();
  return result ? result : submitRest();
}

int32_t Compress::punct(uint32_t, PunctuationKind kind) {
  if (!isFinal(kind) && !flushOnPunct)
    return 0;
  if (!flushOnPunct && ended.empty())
    begin();
  if (packer || !ended.empty())
    if (int32_t result = finish())
      return result;
  return isFinal(kind) && flushOnPunct ? 0 : submitPunct(0, PunctuationKind::Window);
}

//===--- checkpoints ----------------------------------------------------------===//

Saves Compress::saves() const {
  return Saves::unless(packingOf(text("compression", "none")) == Packing::Zlib
                           ? "a text of zlib cannot go on behind a checkpoint, those of gzip can"
                           : nullptr);
}

void Compress::save(Saver &saver) {
  if (packer) {
    packer->give({});
    char part[4096];
    for (size_t size = sizeof part; size == sizeof part;) {
      size = packer->take(part, sizeof part, Packer::Flush::Finish);
      ended.append(part, size);
    }
    packer.reset();
  }
  savePiece(saver);
  saver.text("ended", ended);
}

int32_t Compress::restore(const Loader &loader) {
  if (open())
    return 1;
  restorePiece(loader);
  ended = loader.text("ended").value_or("");
  return 0;
}

RegisterNative registered("spl.utility::Compress",
                          [] { return static_cast<NativeOp *>(new Compress); });

} // namespace
} // namespace sluice
