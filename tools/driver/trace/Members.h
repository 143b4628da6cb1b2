//===- Members.h - takes members out of JSON objects ------------*- C++ -*-===//
#pragma once
#include "runtime/trace/Lines.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include <cmath>
#include <limits>

namespace sluice::driver {

namespace json = llvm::json;
using llvm::StringRef;

/// Takes members out of objects. The first problem is kept; what comes after it is not looked at.
class Members {
public:
  Members(const json::Object &object, std::string &problem) : problem(problem), object(object) {}

  bool has(StringRef name) const { return object.get(name); }
  double number(StringRef name) const {
    const json::Value *v = get(name);
    return v ? toNumber(name, *v) : 0;
  }
  double seconds(StringRef name) const {
    double value = number(name);
    if (!(value >= 0 && std::isfinite(value)))
      wrong(name, "is no time");
    return value;
  }
  uint64_t integer(StringRef name, uint64_t most) const {
    const json::Value *v = get(name);
    return v ? toInteger(name, *v, 0, int64_t(most)) : 0;
  }
  int64_t signedInteger(StringRef name, int64_t least, int64_t most) const {
    const json::Value *v = get(name);
    return v ? toInteger(name, *v, least, most) : 0;
  }
  uint32_t count(StringRef name) const { return uint32_t(integer(name, UINT32_MAX)); }
  std::string text(StringRef name) const {
    const json::Value *v = get(name);
    if (v && !v->getAsString())
      wrong(name, "is no string");
    return v && v->getAsString() ? v->getAsString()->str() : "";
  }
  bool flag(StringRef name, bool otherwise) const {
    if (!has(name))
      return otherwise;
    if (!get(name)->getAsBoolean())
      wrong(name, "is neither true nor false");
    return get(name)->getAsBoolean().value_or(otherwise);
  }
  std::optional<Members> members(StringRef name) const {
    const json::Value *v = get(name);
    if (v && !v->getAsObject())
      wrong(name, "is no object");
    return v && v->getAsObject() ? std::optional(Members(*v->getAsObject(), problem))
                                 : std::nullopt;
  }
  void elements(StringRef name, llvm::function_ref<void(const json::Value &)> take) const {
    const json::Value *v = get(name);
    if (v && !v->getAsArray())
      return wrong(name, "is no array");
    if (v)
      for (const json::Value &element : *v->getAsArray())
        if (problem.empty())
          take(element);
  }
  /// Numbers of nodes, in ascending order.
  std::vector<uint32_t> nodes(StringRef name, size_t count) const {
    std::vector<uint32_t> result;
    elements(name, [&](const json::Value &v) {
      uint64_t node = toInteger(name, v, 0, UINT32_MAX);
      if (node >= count || (!result.empty() && node <= result.back()))
        return wrong(name, "are not numbers of nodes in ascending order");
      result.push_back(uint32_t(node));
    });
    return result;
  }
  trace::Widths widths(StringRef name, size_t count) const {
    trace::Widths result;
    if (!has(name))
      return result;
    elements(name, [&](const json::Value &v) {
      const json::Array *pair = v.getAsArray();
      if (!pair || pair->size() != 2)
        return wrong(name, "are not pairs of a node and a width");
      uint64_t node = toInteger(name, (*pair)[0], 0, UINT32_MAX),
               width = toInteger(name, (*pair)[1], 1, UINT32_MAX);
      if (node >= count || (!result.empty() && node <= result.back().first))
        return wrong(name, "are not of nodes in ascending order");
      result.emplace_back(uint32_t(node), uint32_t(width));
    });
    return result;
  }
  /// All members, in the order in which they stand in `line`.
  std::vector<std::pair<std::string, double>> numbers(StringRef line) const {
    std::vector<std::pair<std::string, double>> result;
    for (const auto &[key, value] : object)
      result.emplace_back(key.str(), toNumber(key, value));
    // The library forgets the order; for people it matters. Where names are not plain, any order
    // will do.
    auto place = [&](const std::string &key) {
      return line.find(("\"" + llvm::Twine(key) + "\":").str());
    };
    llvm::sort(result, [&](auto &a, auto &b) {
      return std::pair(place(a.first), a.first) < std::pair(place(b.first), b.first);
    });
    return result;
  }
  double toNumber(StringRef name, const json::Value &v) const {
    if (auto number = v.getAsNumber())
      return *number;
    if (auto text = v.getAsString()) {
      constexpr double inf = std::numeric_limits<double>::infinity();
      if (*text == "inf" || *text == "-inf")
        return text->front() == '-' ? -inf : inf;
      if (*text == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    }
    wrong(name, "is no number");
    return 0;
  }
  int64_t toInteger(StringRef name, const json::Value &v, int64_t least, int64_t most) const {
    auto value = v.getAsInteger();
    if (value && *value >= least && *value <= most)
      return *value;
    wrong(name, "is no number of the right kind");
    return least;
  }
  void wrong(StringRef name, StringRef what) const {
    if (problem.empty())
      problem = ("`" + name + "` " + what).str();
  }
  std::string &problem;

private:
  const json::Value *get(StringRef name) const {
    const json::Value *v = object.get(name);
    if (!v && problem.empty())
      problem = ("`" + name + "` is missing").str();
    return v;
  }
  const json::Object &object;
};

/// Of a header.
trace::Flow toFlow(const Members &);
trace::Figures toFigures(const Members &);

} // namespace sluice::driver
