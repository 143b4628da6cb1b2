#pragma once
#include <SPL/Runtime/Function/SPLFunctions.h>

namespace com::example::text {

SPL::rstring slug(const SPL::rstring &text);
SPL::int32 countWords(const SPL::rstring &text, SPL::map<SPL::rstring, SPL::int32> &counts);

template <typename T> SPL::list<T> backwards(const SPL::list<T> &values) {
  return {values.rbegin(), values.rend()};
}

} // namespace com::example::text
