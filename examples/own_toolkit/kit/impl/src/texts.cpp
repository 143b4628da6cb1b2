#include "texts.h"
#include <cctype>
#include <sstream>

namespace com::example::text {

SPL::rstring slug(const SPL::rstring &text) {
  SPL::rstring result;
  for (unsigned char c : text)
    if (std::isalnum(c))
      result += char(std::tolower(c));
    else if (!result.empty() && result.back() != '-')
      result += '-';
  while (!result.empty() && result.back() == '-')
    result.pop_back();
  if (result.empty())
    throw SPL::SPLRuntimeInvalidArgumentException("nothing is left of \"" + text + "\"");
  return result;
}

SPL::int32 countWords(const SPL::rstring &text, SPL::map<SPL::rstring, SPL::int32> &counts) {
  std::istringstream words(text);
  SPL::int32 added = 0;
  for (SPL::rstring word; words >> word;)
    if (++counts[word] == 1)
      ++added;
  SPLAPPTRC(L_DEBUG, added << " new words", "texts");
  return added;
}

} // namespace com::example::text
