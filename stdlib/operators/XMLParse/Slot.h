//===- Slot.h - values that are made piece by piece -------------*- C++ -*-===//
#pragma once
#include "memory/Arena.h"
#include "memory/Counted.h"
#include "sluice/value.h"
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::xml {

/// The place of one value of a tuple: an attribute, an attribute inside one, or, of a list, the
/// element that is being made. Places that no rule fills are not there. Texts of elements that
/// are done lie in the arena; all else is here, so a value that is set again leaves nothing
/// behind.
class Slot {
public:
  Slot(std::string name, const TypeDesc *type) : name(std::move(name)), type(type) { clear(); }

  /// Its place in the tuple, for messages.
  const std::string name;
  const TypeDesc *const type;

  /// The place of attribute `index` of a tuple; of a list, that of its element.
  Slot &part(uint32_t index);
  /// Makes it the default value, all parts included.
  void clear();
  /// Makes it the value of a text, or appends that to a list. False: the text is none of the type;
  /// then nothing has changed.
  bool set(std::string_view text, Arena &);
  /// The same with the default value.
  void setDefault();
  /// Adds an entry to a map, unless it has one of this name.
  void setEntry(std::string_view key, std::string_view value);
  /// Appends the element that was made to a list, and begins with the next.
  void append(Arena &);
  /// Writes the value to bytes that are zero.
  void put(void *to, Arena &) const;

private:
  using Entry = std::pair<CountedString, CountedString>;
  bool isFull() const { return type->bound && count >= type->bound; }
  void putList(void *to, Arena &) const;
  void putMap(void *to, Arena &) const;

  std::vector<std::unique_ptr<Slot>> parts;
  CountedString text;        // of a string
  CountedVector<char> bytes; // of another scalar, or of the elements of a list
  uint32_t count = 0;        // of elements
  CountedVector<Entry> entries;
};

} // namespace sluice::xml
