//===- Decompress.cpp - spl.utility::Decompress ---------------------------===//
//
// After an error it is as before the first tuple, since a tuple that failed may be passed over.
//
//===----------------------------------------------------------------------===//
#include "stdlib/operators/Compress/BlobOp.h"
#include <optional>

namespace sluice {
namespace {

/// What a tuple may become (flushPerTuple).
constexpr size_t kMostOfTuple = size_t(1) << 30;

class Decompress : public BlobOp {
public:
  int32_t open() override {
    flushOnPunct = flag("flushOnPunct", false);
    flushPerTuple = flag("flushPerTuple", false);
    return configure("decompressionInput");
  }
  int32_t tuple(uint32_t, const void *tuple) override;
  int32_t punct(uint32_t, PunctuationKind) override;

private:
  int32_t take();
  int32_t takeWhole();
  int32_t finish();
  int32_t failed(const char *why);

  bool flushOnPunct = false, flushPerTuple = false;
  std::optional<Unpacker> unpacker; // of the text that has begun
  std::string whole;                // what a tuple has become
};

int32_t Decompress::failed(const char *why) {
  std::string message = why;
  unpacker.reset();
  forget();
  whole.clear();
  return sl_error(ctx, "cannot decompress the input: %s", message.c_str());
}

int32_t Decompress::tuple(uint32_t, const void *tuple) {
  if (!unpacker)
    unpacker.emplace(packing);
  unpacker->give(inputOf(tuple));
  return flushPerTuple ? takeWhole() : take();
}

/// Submits what there is, in whole pieces.
int32_t Decompress::take() {
  for (;;) {
    size_t had = left();
    int64_t size = unpacker->take(room(), had);
    if (size < 0)
      return failed(unpacker->error());
    if (int32_t result = add(size_t(size)))
      return result;
    if (size_t(size) < had)
      return 0;
  }
}

/// Submits what the tuple at hand becomes, as one.
int32_t Decompress::takeWhole() {
  for (;;) {
    size_t had = left();
    int64_t size = unpacker->take(room(), had);
    if (size < 0)
      return failed(unpacker->error());
    whole.append(room(), size_t(size));
    if (whole.size() > kMostOfTuple)
      return failed("a tuple becomes more than 1 GiB");
    if (size_t(size) < had)
      break;
  }
  if (!unpacker->isWhole())
    return failed(kEndsTooEarly);
  unpacker.reset();
  int32_t result = submitBlob(whole);
  whole.clear();
  return result;
}

/// The text has ended, unless the program was told to stop within it.
int32_t Decompress::finish() {
  if (!unpacker->isWhole() && !sl_is_shutdown(ctx))
    return failed(kEndsTooEarly);
  unpacker.reset();
  return submitRest();
}

int32_t Decompress::punct(uint32_t, PunctuationKind kind) {
  if (flushPerTuple)
    return isFinal(kind) ? 0 : submitPunct(0, kind);
  if (!isFinal(kind) && !flushOnPunct)
    return 0;
  bool hadTuples = unpacker.has_value();
  if (hadTuples)
    if (int32_t result = finish())
      return result;
  bool marks = flushOnPunct ? hadTuples && !isFinal(kind) : true;
  return marks ? submitPunct(0, PunctuationKind::Window) : 0;
}

RegisterNative registered("spl.utility::Decompress",
                          [] { return static_cast<NativeOp *>(new Decompress); });

} // namespace
} // namespace sluice
