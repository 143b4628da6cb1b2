//===- Values.h - attributes as parts of messages ---------------*- C++ -*-===//
//
// Keys and messages are bytes. Numbers are those of Java's serializers: in network order.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "runtime/value/Text.h"
#include "sluice/value.h"
#include <string>
#include <string_view>

namespace sluice::kafka {

/// The attribute of a tuple type; null: it has none of this name.
const Field *fieldOf(const TypeDesc &, std::string_view name);
/// Whether a key or a message can be of this type. `kMessageTypes` names those that can.
bool isMessageType(const TypeDesc &);
constexpr const char *kMessageTypes =
    "rstring, blob, int32, uint32, int64, uint64, float32 or float64";

/// The bytes of the value of an attribute. Those of numbers are put into `scratch`.
std::string_view bytesOf(const Field &, const void *tuple, char (&scratch)[8]);
/// Puts the bytes into the attribute of a tuple, which may point to them. False: there are not as
/// many as the number has.
bool setBytes(const Field &, std::string_view bytes, char *tuple);
/// Puts a number into an attribute of type int32, int64 or uint64.
void setNumber(const Field &, int64_t, char *tuple);

} // namespace sluice::kafka
