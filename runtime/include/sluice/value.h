//===- value.h - the layout of SPL values -----------------------*- C++ -*-===//
//
// One source for the compiler (codegen emits these layouts) and the runtime.
// Every value has one layout wherever it lies: in a column, in a tuple struct,
// in a list's buffer, in a mutable variable. All-zero bytes are the default
// value of every type.
//
// A *value* is read-only and may point into memory that it does not own (a
// batch, the scratch arena, constant data). A *place* (mutable variable, state)
// owns its buffers, which come from a Heap, reuses them, and copies what it is
// given. The same bytes mean either; only sl_assign and the mutating functions
// treat their first argument as a place.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "sluice/kinds.h"
#include <cstddef>
#include <cstdint>

namespace sluice {

/// rstring, ustring (as UTF-8), blob, xml: up to 12 bytes inline, those behind the end zero, else 4
/// bytes of prefix and a pointer. In a place, a pointer is owned and its capacity stands in the 8
/// bytes before it. The prefix of a blob is not defined, because its bytes are written one by one.
struct alignas(8) Str {
  static constexpr uint32_t kInline = 12;
  uint32_t len;
  union {
    char inl[12];
    struct {
      char prefix[4];
      const char *ptr;
    } __attribute__((packed)) far;
  };
  const char *data() const { return len <= kInline ? inl : far.ptr; }
};
static_assert(sizeof(Str) == 16 && alignof(Str) == 8 && offsetof(Str, far) == 4);

/// list, set, map: `len` elements of the element type's size (maps: entries,
/// see TypeDesc::stride) at `data`. cap is 0 in a value and the number of
/// elements that fit in a place. Sets and maps of 16 or more have a hash index;
/// their buffers are preceded by a SeqHeader.
struct Seq {
  uint32_t len, cap;
  void *data;
};
static_assert(sizeof(Seq) == 16);

/// Before the data of every set and map buffer (16 bytes).
struct SeqHeader {
  uint32_t *index; // open addressing (runtime/value/Table.h); null: none
  uint32_t mask;   // index size - 1
  uint32_t guess;  // in a place: the slot that a look-up tries first, or no slot
};

struct Timestamp {
  int64_t seconds;
  uint32_t nanos;
  int32_t machine;
};
static_assert(sizeof(Timestamp) == 16);

/// Decimals: IEEE 754 with a binary coefficient (decimal.h), which is how Intel's library and files
/// have them. All-zero bytes are 0 with the exponent 0, not with the least one.
struct Decimal32 {
  uint32_t bits;
};
struct Decimal64 {
  uint64_t bits;
};
struct Decimal128 {
  uint64_t low, high;
};

struct Complex32 {
  float re, im;
};
struct Complex64 {
  double re, im;
};

struct TypeDesc;
struct Field {
  const char *name;
  const TypeDesc *type;
  uint32_t offset, pad;
};

/// Describes a type at run time. The compiler emits these as constants, so
/// that generic helpers inlined into generated code fold their switches.
struct TypeDesc {
  Kind kind;
  uint32_t size, align;  // of one value
  uint32_t plain;        // 1: no pointer in it, memcpy copies it
  const TypeDesc *elem;  // List, Set: element; Map: key
  const TypeDesc *value; // Map: value
  uint32_t stride;       // List, Set, Map: bytes from one element to the next
  uint32_t valueOffset;  // Map: of the value within an entry
  uint32_t count;        // Tuple, Optional: fields; Enum: members
  uint32_t bound;        // RString, List, Set, Map: the most bytes or elements; 0: any number
  // Tuple: in declaration order. Optional: whether there is a value (a boolean), and the value,
  // which is the default value if there is none.
  const Field *fields;
  const char *const *names; // Enum
};
static_assert(sizeof(TypeDesc) == 64);

/// Kinds.def and the structs above say the same. `void` has no size.
template <typename T> constexpr bool hasLayout(uint32_t size, uint32_t align) {
  if constexpr (__is_same(T, void))
    return size == 0 && align == 0;
  else
    return sizeof(T) == size && alignof(T) == align;
}
#define SPL_KIND(name, keyword, token, code, type, size, align, ...)                               \
  static_assert(hasLayout<type>(size, align), "size or alignment of " keyword);
#define SPL_KIND_LATER(...)
#include "sluice/Kinds.def"

} // namespace sluice
