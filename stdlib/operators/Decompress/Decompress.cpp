//===- Decompress.cpp - spl.utility::Decompress ---------------------------===//
//
// After an error it is as before the first tuple, since a tuple that failed may be passed over.
//
// A checkpoint has the bytes of the text that has begun: they are decompressed again when the
// program goes on from there.
//
//===----------------------------------------------------------------------===//
#include "memory/Counted.h"
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
    keeps = !flushPerTuple && sl_makes_checkpoints(ctx);
    return isConfigured() ? 0 : configure("decompressionInput");
  }
  int32_t tuple(uint32_t, const void *tuple) override;
  int32_t punct(uint32_t, PunctuationKind) override;
  Saves saves() const override { return Saves::State; }
  void save(Saver &) override;
  int32_t restore(const Loader &) override;

private:
  void keep(std::string_view bytes);
  int32_t take();
  int32_t takeWhole();
  int32_t finish();
  int32_t failed(const char *why);

  bool flushOnPunct = false, flushPerTuple = false;
  std::optional<Unpacker> unpacker; // of the text that has begun
  std::string whole;                // what a tuple has become
  bool keeps = false;               // the bytes of the text, for checkpoints
  CountedString begun;              // they
};

int32_t Decompress::failed(const char *why) {
  std::string message = why;
  unpacker.reset();
  forget();
  whole.clear();
  begun.clear();
  return sl_error(ctx, "cannot decompress the input: %s", message.c_str());
}

int32_t Decompress::tuple(uint32_t, const void *tuple) {
  if (!unpacker)
    unpacker.emplace(packing);
  unpacker->give(inputOf(tuple));
  if (keeps)
    keep(inputOf(tuple));
  return flushPerTuple ? takeWhole() : take();
}

/// Before the unpacker has read them.
void Decompress::keep(std::string_view bytes) {
  if (unpacker->isWhole())
    begun.clear();
  begun += bytes;
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
  begun.clear();
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

//===--- checkpoints ----------------------------------------------------------===//

void Decompress::save(Saver &saver) {
  savePiece(saver);
  saver.number("isBegun", unpacker.has_value());
  saver.text("begun", {begun.data(), begun.size()});
}

int32_t Decompress::restore(const Loader &loader) {
  if (open())
    return 1;
  restorePiece(loader);
  if (!loader.number("isBegun").value_or(0))
    return 0;
  unpacker.emplace(packing);
  begun = loader.text("begun").value_or("");
  unpacker->give({begun.data(), begun.size()});
  char part[16 * 1024];
  for (int64_t size = sizeof part; size == int64_t(sizeof part);)
    size = unpacker->take(part, sizeof part);
  return 0;
}

RegisterNative registered("spl.utility::Decompress",
                          [] { return static_cast<NativeOp *>(new Decompress); });

} // namespace
} // namespace sluice
