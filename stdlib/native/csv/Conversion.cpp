//===- Conversion.cpp - the parameters compression and encoding -----------===//
#include "stdlib/native/csv/Conversion.h"
#include "stdlib/native/unicode/Converter.h"

namespace sluice {

int32_t Conversion::configure(const ParamOp &op) {
  packing = packingOf(op.text("compression", "none"));
  if (const char *library = missingLibrary(packing))
    return sl_error(op.ctx, "compression needs %s, which this system does not have", library);
  encoding = op.text("encoding", "");
  if (std::string why = op.param("encoding") ? encodingProblem(encoding) : ""; !why.empty())
    return sl_error(op.ctx, "%s", why.c_str());
  return 0;
}

} // namespace sluice
