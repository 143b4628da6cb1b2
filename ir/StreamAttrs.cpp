//===- StreamAttrs.cpp - attributes of the stream dialect -----------------===//
#include "ir/Stream.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "sluice/enums.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace sluice::stream;

//===--- lists: [a, b, c] and <a, b, c> -----------------------------------===//

template <typename T>
static ParseResult parseList(AsmParser &parser, SmallVector<T> &values,
                             AsmParser::Delimiter delimiter = AsmParser::Delimiter::Square) {
  return parser.parseCommaSeparatedList(delimiter, [&]() -> ParseResult {
    FailureOr<T> value = FieldParser<T>::parse(parser);
    if (failed(value))
      return failure();
    values.push_back(*value);
    return success();
  });
}

template <typename T> static void printList(AsmPrinter &printer, ArrayRef<T> values) {
  printer << '[';
  llvm::interleaveComma(values, printer, [&](T value) {
    if constexpr (std::is_enum_v<T>)
      printer << stringifyEnum(value);
    else
      printer.printStrippedAttrOrType(value);
  });
  printer << ']';
}

template <typename Enum>
static ParseResult parseEnumList(AsmParser &parser, SmallVector<Enum> &values) {
  return parseList(parser, values, AsmParser::Delimiter::LessGreater);
}

template <typename Enum> static void printEnumList(AsmPrinter &printer, ArrayRef<Enum> values) {
  printer << '<';
  llvm::interleaveComma(values, printer, [&](Enum value) { printer << stringifyEnum(value); });
  printer << '>';
}

#define GET_ATTRDEF_CLASSES
#include "ir/StreamAttrs.cpp.inc"

void StreamDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/StreamAttrs.cpp.inc"
      >();
}

//===--- verification -----------------------------------------------------===//

using Emit = llvm::function_ref<InFlightDiagnostic()>;

std::string RegionAttr::title() const {
  std::string path = getPath().str();
  return getKind() ? getKind().str() + " (" + path + ")" : path;
}

LogicalResult RegionAttr::verify(Emit emitError, StringAttr, StringAttr, int32_t parent,
                                 std::optional<int32_t> width, std::optional<int32_t> submission,
                                 LocationAttr) {
  if (parent < -1)
    return emitError() << "'parent' is the index of a region, or -1";
  if (width.has_value() == submission.has_value())
    return emitError() << "a region has either 'width' or 'submission'";
  if (width && *width < 1)
    return emitError() << "a region has at least one channel, not " << *width;
  return success();
}

LogicalResult SplitAttr::verify(Emit emitError, int32_t region, SplitBy by,
                                DenseI32ArrayAttr keys) {
  if (region < 0)
    return emitError() << "'region' is the index of a region";
  if ((by == SplitBy::Key) != (keys && !keys.empty()))
    return emitError() << "'keys' belong to splits by key, and to no others";
  return success();
}

LogicalResult ThreadedPortAttr::verify(Emit emitError, int32_t port, Congestion, int32_t size) {
  if (port < 0)
    return emitError() << "'port' is the index of an input port";
  if (size < 1)
    return emitError() << "a queue has room for at least one tuple, not for " << size;
  return success();
}

LogicalResult ThreadingAttr::verify(Emit emitError, ThreadingModel model, int32_t threads,
                                    bool elastic) {
  if (threads < 0)
    return emitError() << "there are no " << threads << " threads";
  if (model != ThreadingModel::Dynamic && (threads || !elastic))
    return emitError() << "'threads' and 'elastic' belong to the dynamic model";
  return success();
}

LogicalResult BoundAttr::verify(Emit emitError, WindowPolicy policy, int32_t attribute) {
  if ((policy == WindowPolicy::Delta) != (attribute >= 0))
    return emitError() << "an attribute belongs to delta, and to no other policy";
  return success();
}

LogicalResult WindowAttr::verify(Emit emitError, WindowKind kind, BoundAttr evict,
                                 BoundAttr trigger, bool partitioned,
                                 std::optional<PartitionLimit> limit) {
  bool bounded = kind != WindowKind::Interval;
  if (bool(evict) != bounded || bool(trigger) != (kind == WindowKind::Sliding))
    return emitError() << "a tumbling window has 'evict', a sliding one 'evict' and 'trigger', an "
                          "interval neither";
  if (kind == WindowKind::Sliding &&
      (evict.getPolicy() == WindowPolicy::Punct || trigger.getPolicy() == WindowPolicy::Punct))
    return emitError() << "a sliding window does not go by punctuation";
  if (limit && !partitioned)
    return emitError() << "only a partitioned window has a limit of partitions";
  return success();
}

unsigned WindowAttr::sizes() const {
  if (getKind() == WindowKind::Interval)
    return 4 + getLimit().has_value();
  return (getEvict().getPolicy() != WindowPolicy::Punct) + bool(getTrigger()) +
         getLimit().has_value();
}

LogicalResult StateAttr::verify(Emit emitError, StateKind kind, StringAttr key,
                                ArrayRef<StringAttr> variables, StringAttr) {
  if ((kind == StateKind::Partitioned) != bool(key))
    return emitError() << "a key belongs to partitioned state, and to no other";
  if (bool(key) == variables.empty())
    return emitError() << "partitioned state is in variables";
  return success();
}

LogicalResult SharingAttr::verify(Emit emitError, Sharing kind, StringAttr why) {
  if ((kind == Sharing::Any) == bool(why))
    return emitError() << "says why it is not 'any', and only then";
  return success();
}

//===--- numbers of the ABI -------------------------------------------------===//

// Enumerations that the program table takes over have the numbers that the runtime reads.
template <typename Ours, typename Abi> static constexpr bool same(Ours ours, Abi abi) {
  return uint32_t(ours) == uint32_t(abi);
}

static_assert(same(RowsOut::None, sluice::RowsOut::None) &&
              same(RowsOut::One, sluice::RowsOut::One) &&
              same(RowsOut::Unknown, sluice::RowsOut::Unknown));
static_assert(same(Boundary::Direct, sluice::BoundaryKind::Direct) &&
              same(Boundary::Switchable, sluice::BoundaryKind::Switchable) &&
              same(Boundary::Queue, sluice::BoundaryKind::Queue) &&
              same(Boundary::Exclusive, sluice::BoundaryKind::Exclusive));
static_assert(same(SplitBy::Row, sluice::SplitKind::RoundRobin) &&
              same(SplitBy::Key, sluice::SplitKind::ByKey) &&
              same(SplitBy::All, sluice::SplitKind::ToAll));
static_assert(same(Congestion::Wait, sluice::QueuePolicy::Wait) &&
              same(Congestion::DropFirst, sluice::QueuePolicy::DropFirst) &&
              same(Congestion::DropLast, sluice::QueuePolicy::DropLast));
static_assert(same(SaveStep::Stay, sluice::SaveStep::Stay) &&
              same(SaveStep::Wait, sluice::SaveStep::Wait) &&
              same(SaveStep::Go, sluice::SaveStep::Go) &&
              same(SaveStep::Ask, sluice::SaveStep::Ask));
static_assert(same(RecoveryRole::Starts, sluice::RecoveryRole::Starts) &&
              same(RecoveryRole::Ends, sluice::RecoveryRole::Ends) &&
              same(RecoveryRole::Triggers, sluice::RecoveryRole::Triggers) &&
              same(RecoveryRole::Autonomous, sluice::RecoveryRole::Autonomous) &&
              same(RecoveryRole::Checkpointed, sluice::RecoveryRole::Checkpointed) &&
              same(RecoveryRole::StaysDown, sluice::RecoveryRole::StaysDown));
static_assert(same(Order::None, sluice::OrderKind::None) &&
              same(Order::All, sluice::OrderKind::All) &&
              same(Order::Puncts, sluice::OrderKind::Puncts));
