//===- BlobOp.cpp - operators that make blobs of blobs --------------------===//
#include "stdlib/operators/Compress/BlobOp.h"

namespace sluice {

int32_t BlobOp::configure(const char *inputParam) {
  packing = packingOf(text("compression", "none"));
  if (const char *library = missingLibrary(packing))
    return sl_error(ctx, "compression needs %s, which this system does not have", library);
  const TypeDesc &type = *desc->inTypes[0];
  field = type.fields;
  std::string carried = std::string("$") + inputParam;
  for (uint32_t i = 0; i < type.count; ++i)
    if (carried == type.fields[i].name)
      field = &type.fields[i];
  if (const Param *given = param(inputParam)) {
    field = nullptr;
    constant = viewOf(*static_cast<const Str *>(given->values[0].value));
  }
  buffer.reset(new char[kPiece]);
  return 0;
}

std::string_view BlobOp::inputOf(const void *tuple) const {
  if (!field)
    return constant;
  return viewOf(*reinterpret_cast<const Str *>(static_cast<const char *>(tuple) + field->offset));
}

int32_t BlobOp::submitBlob(std::string_view bytes) {
  const TypeDesc &type = *desc->outTypes[0];
  std::vector<uint64_t> tuple(type.size / 8 + 1);
  Str blob = strView(bytes.data(), bytes.size());
  memcpy(reinterpret_cast<char *>(tuple.data()) + type.fields[0].offset, &blob, sizeof blob);
  return submit(0, tuple.data());
}

int32_t BlobOp::add(size_t size) {
  used += size;
  return left() ? 0 : submitRest();
}

int32_t BlobOp::submitRest() {
  if (!used)
    return 0;
  std::string_view piece(buffer.get(), used);
  used = 0;
  return submitBlob(piece);
}

void BlobOp::savePiece(Saver &saver) const { saver.text("piece", {buffer.get(), used}); }

void BlobOp::restorePiece(const Loader &loader) {
  std::string_view piece = loader.text("piece").value_or("").substr(0, kPiece - 1);
  memcpy(buffer.get(), piece.data(), used = piece.size());
}

} // namespace sluice
