//===- BlobOp.h - operators that make blobs of blobs ------------*- C++ -*-===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/pack/Packing.h"
#include <memory>

namespace sluice {

/// One input port, of which a blob is read, and one output port, whose only attribute is a blob.
/// What is put into its buffer goes out whenever that is full, so that the sizes of the pieces do
/// not depend on those that come.
class BlobOp : public ParamOp {
protected:
  /// Takes the parameter `compression`, and that which says what is read, if it is there. 0, or 1
  /// after sl_error.
  int32_t configure(const char *inputParam);
  bool isConfigured() const { return buffer != nullptr; }
  std::string_view inputOf(const void *tuple) const;

  /// Where the next bytes go, and for how many there is room: more than none.
  char *room() const { return buffer.get() + used; }
  size_t left() const { return kPiece - used; }
  /// So many bytes have been put there; submits them if it is full now. Handler return values.
  int32_t add(size_t size);
  /// Submits what is there, if anything.
  int32_t submitRest();
  void forget() { used = 0; }
  int32_t submitBlob(std::string_view bytes);
  /// What waits in the buffer, for a checkpoint; and after configure() there again.
  void savePiece(Saver &) const;
  void restorePiece(const Loader &);

  Packing packing = Packing::None;

private:
  static constexpr size_t kPiece = 64 * 1024;

  const Field *field = nullptr; // of the input
  std::string_view constant;    // what is read instead
  std::unique_ptr<char[]> buffer;
  size_t used = 0;
};

} // namespace sluice
