//===- ExchangeFunctions.cpp - what is imported and exported ----*- C++ -*-===//
//
// An operator changes what its input ports get from other jobs, and how its output ports are found
// by them. In a program of several processes it reaches the Imports and Exports of its own.
//
//===----------------------------------------------------------------------===//
#include "runtime/exec/exchange/Exporter.h"
#include "runtime/exec/exchange/Importer.h"
#include "runtime/exec/exchange/Scalar.h"
#include "runtime/exec/state/Program.h"
#include "sluice/metrics.h"
#include "stdlib/native/Library.h"
#include "stdlib/operators/Export/Values.h"
#include "value/Text.h"
#include <set>

using namespace sluice;
using exchange::Property;

/// What the functions return.
enum Result : int32_t { Done, NoSuchPort, Invalid };

static int32_t text(Ctx *ctx, Str *result, const std::string &s) {
  *result = keepText(ctx, s.data(), s.size());
  return 0;
}

//===--- imports ------------------------------------------------------------------===//

/// The Imports that feed an input port of the operator that calls.
static std::vector<Importer *> importersOf(Ctx *ctx, uint32_t port) {
  const OperatorDesc *op = sl_running(ctx);
  std::vector<Importer *> result;
  for (Importer *importer : ctx->program->importers)
    if (port < op->inputs && importer->feeds(op->firstIn + port))
      result.push_back(importer);
  return result;
}

/// Those that take streams by subscription.
static std::vector<Importer *> subscribersOf(Ctx *ctx, uint32_t port) {
  std::vector<Importer *> result = importersOf(ctx, port);
  std::erase_if(result, [](const Importer *importer) { return !importer->hasSubscription(); });
  return result;
}

SL(getInputPortImportSubscription, ji)(Ctx *ctx, Str *result, uint32_t port, int32_t *error) {
  std::vector<Importer *> importers = subscribersOf(ctx, port);
  *error = importers.empty() ? NoSuchPort : Done;
  return text(ctx, result, importers.empty() ? "" : importers.front()->subscription());
}

SL(setInputPortImportSubscription, rj)(Ctx *ctx, int32_t *result, const Str *condition,
                                       uint32_t port) {
  std::vector<Importer *> importers = subscribersOf(ctx, port);
  *result = importers.empty() ? NoSuchPort : Done;
  for (Importer *importer : importers)
    if (!importer->subscribe(std::string(viewOf(*condition))))
      *result = Invalid;
  return 0;
}

SL(getInputPortImportFilterExpression, ji)(Ctx *ctx, Str *result, uint32_t port, int32_t *error) {
  std::vector<Importer *> importers = importersOf(ctx, port);
  *error = importers.empty() ? NoSuchPort : Done;
  return text(ctx, result, importers.empty() ? "" : importers.front()->filter());
}

SL(setInputPortImportFilterExpression, rj)(Ctx *ctx, int32_t *result, const Str *condition,
                                           uint32_t port) {
  std::vector<Importer *> importers = importersOf(ctx, port);
  *result = importers.empty() ? NoSuchPort : Done;
  for (Importer *importer : importers)
    if (!importer->setFilter(std::string(viewOf(*condition))))
      *result = Invalid;
  return 0;
}

//===--- exports ------------------------------------------------------------------===//

/// The Export by properties of an output port of the operator that calls; null: it has none.
static Exporter *exporterOf(Ctx *ctx, uint32_t port) {
  const OperatorDesc *op = sl_running(ctx);
  for (Exporter *exporter : ctx->program->exporters)
    if (port < op->outputs && exporter->isFedBy(op->firstOut + port) && exporter->hasProperties())
      return exporter;
  return nullptr;
}

/// The type of a value, in SPL.
static std::string typeOf(const exchange::Owned &value) {
  using Kind = exchange::Value::Kind;
  if (value.kind == Kind::List)
    return "list<" + (value.list.empty() ? "int64" : typeOf(value.list.front())) + ">";
  return value.kind == Kind::Float ? "float64" : value.kind == Kind::Text ? "rstring" : "int64";
}

/// The name, the value and the type of each property in turn.
SL(exportProperties, ji)(Ctx *ctx, Seq *result, uint32_t port, int32_t *error) {
  *result = {};
  Exporter *exporter = exporterOf(ctx, port);
  *error = exporter ? Done : NoSuchPort;
  if (!exporter)
    return 0;
  std::vector<Property> properties = exporter->properties();
  *result = scratchList(ctx, 3 * properties.size(), sizeof(Str));
  Str *next = listData<Str>(*result);
  std::vector<exchange::Value> elements;
  for (const Property &property : properties)
    for (const std::string &part :
         {property.name, literalOf(exchange::valueOf(property.value, elements)),
          typeOf(property.value)})
      text(ctx, next++, part);
  return 0;
}

/// A value of `type` that `text` is a literal of. False: it is not.
static bool parse(Ctx *ctx, const TypeDesc *type, std::string_view text, exchange::Owned &result) {
  alignas(Seq) char value[sizeof(Seq)] = {};
  const char *at = text.data(), *end = at + text.size();
  if (parseValue(at, end, type, value, *ctx->scratch))
    return false;
  skipBlanks(at, end);
  result = exchange::ownedOf(type, value);
  return at == end;
}

static const TypeDesc *typeCalled(std::string_view name) {
  static const TypeDesc int64 = {.kind = Kind::Int64, .size = 8, .align = 8},
                        float64 = {.kind = Kind::Float64, .size = 8, .align = 8},
                        rstring = {.kind = Kind::RString, .size = sizeof(Str), .align = 8},
                        int64s = listOf(&int64), float64s = listOf(&float64),
                        rstrings = listOf(&rstring);
  static const std::pair<std::string_view, const TypeDesc *> all[] = {
      {"int64", &int64},        {"float64", &float64},        {"rstring", &rstring},
      {"list<int64>", &int64s}, {"list<float64>", &float64s}, {"list<rstring>", &rstrings}};
  for (const auto &[called, type] : all)
    if (called == name)
      return type;
  return nullptr;
}

/// Takes what exportProperties() gives.
SL(setExportProperties, Lrj)(Ctx *ctx, int32_t *result, const Seq *parts, uint32_t port) {
  Exporter *exporter = exporterOf(ctx, port);
  std::vector<Property> properties;
  std::set<std::string_view> names;
  const Str *part = listData<Str>(*parts);
  *result = exporter ? Done : NoSuchPort;
  for (uint32_t i = 0; exporter && i + 2 < parts->len; i += 3) {
    Property &property = properties.emplace_back();
    property.name = viewOf(part[i]);
    const TypeDesc *type = typeCalled(viewOf(part[i + 2]));
    if (!names.insert(viewOf(part[i])).second || !type ||
        !parse(ctx, type, viewOf(part[i + 1]), property.value))
      *result = Invalid;
  }
  if (*result == Done)
    exporter->setProperties(std::move(properties));
  return 0;
}

SL(setOutputPortExportProperties, gj)(Ctx *ctx, Type type, int32_t *result, const void *tuple,
                                      uint32_t port) {
  Exporter *exporter = exporterOf(ctx, port);
  std::vector<Property> properties;
  *result = exporter ? Done : NoSuchPort;
  for (uint32_t i = 0; exporter && i < type->count; ++i) {
    const Field &field = type->fields[i];
    const TypeDesc *each = field.type->kind == Kind::List ? field.type->elem : field.type;
    if (exchange::isScalar(each->kind) && each->kind != Kind::Boolean && each->kind != Kind::UInt64)
      properties.push_back(
          {field.name,
           exchange::ownedOf(field.type, static_cast<const char *>(tuple) + field.offset)});
    else
      *result = Invalid;
  }
  if (*result == Done)
    exporter->setProperties(std::move(properties));
  return 0;
}
