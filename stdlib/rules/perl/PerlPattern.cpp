//===- PerlPattern.cpp - whether Boost.Regex takes a pattern --------------===//
#define BOOST_REGEX_STANDALONE
#include "stdlib/rules/perl/PerlPattern.h"
#include <algorithm>
#include <boost/regex.hpp>

/// Names of classes and characters are read by the traits, which are others at run time.
static bool dependsOnTraits(const std::string &pattern) {
  constexpr const char *kNames[] = {"[:", "[.", "[=", "\\p", "\\P", "\\N"};
  return std::ranges::any_of(pattern, [](char c) { return c & 0x80; }) ||
         std::ranges::any_of(
             kNames, [&](const char *name) { return pattern.find(name) != std::string::npos; });
}

std::string sluice::whyNoPerlPattern(const std::string &pattern) {
  if (dependsOnTraits(pattern))
    return "";
  try {
    boost::regex compiled(pattern, boost::regex::perl);
    return "";
  } catch (const std::exception &e) {
    std::string why = e.what();
    why = why.substr(0, why.find("  The error occurred"));
    if (!why.empty() && why.back() == '.')
      why.pop_back();
    return why;
  }
}
