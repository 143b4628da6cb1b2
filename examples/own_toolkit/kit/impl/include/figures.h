#pragma once
#include <SPL/Runtime/Type/SPLType.h>
#include <algorithm>
#include <cmath>

namespace figures {

template <typename T> SPL::list<T> ends(const SPL::list<T> &values) {
  auto [least, greatest] = std::minmax_element(values.begin(), values.end());
  return {*least, *greatest};
}

template <typename Reading> double distance(const Reading &reading, double from) {
  return std::abs(reading.get_value() - from);
}

} // namespace figures
