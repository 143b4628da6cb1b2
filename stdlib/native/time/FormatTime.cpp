//===- FormatTime.cpp - times to text -------------------------------------===//
#include "stdlib/native/time/FormatTime.h"
#include <string>

namespace sluice {

void formatFields(TextOut &to, std::string_view format, const tm &fields) {
  std::string pattern(format.substr(0, format.find('\0'))); // as C reads it
  pattern += '.'; // so that a length of 0 means: too small
  size_t room = 64, length;
  while (!(length = strftime(to.reserve(room), room, pattern.c_str(), &fields)))
    room *= 2;
  to.size += length - 1;
}

} // namespace sluice
