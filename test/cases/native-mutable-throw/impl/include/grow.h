#pragma once
#include <SPL/Types.h>
#include <stdexcept>
namespace my {
namespace fun {
inline SPL::int32 grow(SPL::list<SPL::rstring> &l, SPL::int64 &count, SPL::int32 const &n) {
  l.push_back(SPL::rstring("a text that has no room in the value itself"));
  ++count;
  if (n % 2)
    throw std::runtime_error("odd");
  return n;
}
template <class T> void put(SPL::map<SPL::rstring, T> &m, T const &value) {
  m[SPL::rstring("k")] = value;
  throw 1;
}
} // namespace fun
} // namespace my
