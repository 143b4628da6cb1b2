//===- Compress.cpp - spl.utility::Compress -------------------------------===//
#include "stdlib/operators/Compress/BlobOp.h"
#include <optional>

namespace sluice {
namespace {

class Compress : public BlobOp {
public:
  int32_t open() override {
    flushOnPunct = flag("flushOnPunct", false);
    return configure("compressionInput");
  }
  int32_t tuple(uint32_t, const void *tuple) override {
    begin();
    packer->give(inputOf(tuple));
    return take(Packer::Flush::Nothing);
  }
  int32_t punct(uint32_t, PunctuationKind) override;

private:
  void begin() {
    if (!packer)
      packer.emplace(packing);
  }
  int32_t take(Packer::Flush);
  int32_t finish();

  bool flushOnPunct = false;
  std::optional<Packer> packer; // of the text that has begun
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

/// Ends the text.
int32_t Compress::finish() {
  packer->give({});
  int32_t result = take(Packer::Flush::Finish);
  packer.reset();
  return result ? result : submitRest();
}

int32_t Compress::punct(uint32_t, PunctuationKind kind) {
  if (!isFinal(kind) && !flushOnPunct)
    return 0;
  if (!flushOnPunct)
    begin();
  if (packer)
    if (int32_t result = finish())
      return result;
  return isFinal(kind) && flushOnPunct ? 0 : submitPunct(0, PunctuationKind::Window);
}

RegisterNative registered("spl.utility::Compress",
                          [] { return static_cast<NativeOp *>(new Compress); });

} // namespace
} // namespace sluice
