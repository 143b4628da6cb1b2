//===- Checks.cpp - whether all of a text is JSON -------------------------===//
#include "toolkits/json/native/Checks.h"

namespace sluice::json {

std::string Problem::message(std::string_view text) const {
  constexpr size_t kShown = 200; // bytes
  std::string result = "byte " + std::to_string(offset) + ": " + what;
  if (!member.empty())
    result += " for `" + member + "`";
  size_t shown = std::min(text.size(), kShown);
  while (shown && shown < text.size() && (text[shown] & 0xc0) == 0x80) // inside a character
    --shown;
  result += ", in: ";
  result += text.substr(0, shown);
  return text.size() > shown ? result + "..." : result;
}

/// `part`: what is wrong, as simdjson says, if it is written as it is to be.
bool Checks::syntax(simdjson::error_code error, std::string_view part) {
  Fault fault = findFault(text);
  if (fault.status == ParseStatus::Parsed)
    return bad(part.data() ? part : text.substr(0, 0),
               error == simdjson::NUMBER_ERROR ? std::string(textOf(ParseStatus::NumberTooBig))
                                               : simdjson::error_message(error));
  problem.offset = fault.offset;
  problem.what = textOf(fault.status);
  return false;
}

/// `part` begins in the text or in its copy.
bool Checks::bad(std::string_view part, std::string what) {
  bool isCopy = part.data() >= begin && part.data() <= begin + text.size();
  problem.offset = size_t(part.data() - (isCopy ? begin : text.data()));
  problem.what = std::move(what);
  return false;
}

//===--- what no attribute takes ----------------------------------------------===//

bool Checks::check(sj::value value) {
  std::string_view here = token(value), text;
  bool flag;
  double number;
  simdjson::error_code error = simdjson::SUCCESS;
  switch (here.empty() ? 0 : here.front()) {
  case '{': {
    sj::object object;
    if (!(error = value.get_object().get(object)))
      return checkMembers(object, here);
    break;
  }
  case '[': {
    sj::array array;
    if (!(error = value.get_array().get(array)))
      return checkElements(array, here);
    break;
  }
  case '"':
    return unescaped(value, text);
  case 't':
  case 'f':
    error = value.get_bool().get(flag);
    break;
  case 'n':
    if (!(error = value.is_null().get(flag)) && !flag)
      error = simdjson::N_ATOM_ERROR;
    break;
  default:
    error = value.get_double().get(number);
  }
  return !error || syntax(error, here);
}

bool Checks::isTooDeep(std::string_view here) {
  if (depth < kDepth)
    return false;
  bad(here, std::string(textOf(ParseStatus::Termination)));
  return true;
}

bool Checks::checkMembers(sj::object object, std::string_view here) {
  if (isTooDeep(here))
    return false;
  Nested nested(depth);
  for (auto each : object) {
    sj::field field;
    if (auto error = std::move(each).get(field))
      return syntax(error);
    std::string_view key;
    if (!unescapedKey(field, key) || !check(field.value()))
      return false;
  }
  return true;
}

bool Checks::checkElements(sj::array array, std::string_view here) {
  if (isTooDeep(here))
    return false;
  Nested nested(depth);
  for (auto each : array) {
    sj::value element;
    if (auto error = std::move(each).get(element))
      return syntax(error);
    if (!check(element))
      return false;
  }
  return true;
}

//===--- strings --------------------------------------------------------------===//

/// `here`: the string without its quotation marks.
bool Checks::unescapedSlow(sj::value value, std::string_view here, std::string_view &result) {
  // simdjson takes half of a surrogate pair.
  if (Fault fault = findFault({here.data() - 1, here.size() + 2});
      fault.status != ParseStatus::Parsed)
    return bad(here.substr(fault.offset - 1), std::string(textOf(fault.status)));
  std::string_view plain;
  if (auto error = value.get_string().get(plain))
    return syntax(error, here);
  result = kept(plain);
  return true;
}

std::string_view Checks::kept(std::string_view part) {
  auto *copy = static_cast<char *>(arenaAlloc(&arena, part.size(), 1));
  memcpy(copy, part.data(), part.size());
  return {copy, part.size()};
}

bool Checks::unescapedKey(sj::field &field, std::string_view &result) {
  const char *key = field.key().raw(), *stop = key;
  bool escapes = false;
  for (; *stop != '"'; ++stop) // there is one
    if (*stop == '\\') {
      escapes = true;
      ++stop;
    }
  result = origin({key, size_t(stop - key)});
  if (!escapes)
    return true;
  Fault fault = findFault({key - 1, size_t(stop - key) + 2});
  if (fault.status != ParseStatus::Parsed)
    return bad({key + fault.offset - 1, 0}, std::string(textOf(fault.status)));
  std::string_view plain;
  if (auto error = field.unescaped_key().get(plain))
    return syntax(error, result);
  result = kept(plain);
  return true;
}

} // namespace sluice::json
