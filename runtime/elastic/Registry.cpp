//===- Registry.cpp - the table of policies ------------------------------===//
#include "runtime/elastic/Registry.h"
#include "runtime/elastic/model/ModelOptions.h"
#include "runtime/elastic/model/ModelPolicy.h"
#include "runtime/elastic/paper/Paper.h"
#include <cassert>
#include <charconv>

namespace sluice::elastic {

static const PolicyEntry policies[] = {
    {"model",
     "predict the best queues, threads and widths from measured costs, then compare what is near "
     "(the default)",
     modelConstants, makeModel},
    {"paper",
     "search by trial: thread counts, and at each how many of the heaviest operators get a queue "
     "(Middleware 2019)",
     paperConstants, makePaper},
    {"threads",
     "search for the number of threads only, with every queue that may be (the system before that "
     "paper)",
     threadsConstants, makeThreads},
};

//===--- values -----------------------------------------------------------------===//

Values::Values(const std::vector<Constant> &constants) {
  for (const Constant &constant : constants)
    values.emplace_back(constant.name, constant.value);
}

bool Values::set(std::string_view name, double value) {
  for (auto &[known, current] : values)
    if (known == name) {
      current = value;
      return true;
    }
  return false;
}

double Values::operator[](std::string_view name) const {
  for (const auto &[known, value] : values)
    if (known == name)
      return value;
  assert(false && "a policy reads only its own constants");
  return 0;
}

//===--- what makePolicy checks ---------------------------------------------------===//

static const PolicyEntry *find(std::string_view name) {
  for (const PolicyEntry &entry : policies)
    if (entry.name == name)
      return &entry;
  return nullptr;
}

static std::string shortest(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

/// Appends ` (there is: a, b, c)` to `what`.
template <typename Items> static std::string withChoice(std::string what, const Items &items) {
  const char *before = " (there is: ";
  for (const auto &item : items) {
    what.append(before).append(item.name);
    before = ", ";
  }
  return what + ")";
}

/// What is wrong with `name` = `value`; empty if nothing is.
static std::string check(const PolicyEntry &policy, const std::vector<Constant> &constants,
                         const std::string &name, double value) {
  for (const Constant &constant : constants) {
    if (constant.name != name)
      continue;
    if (value >= constant.least && value <= constant.most)
      return {};
    return "option '" + name + "' of policy '" + std::string(policy.name) + "' must be from " +
           shortest(constant.least) + " to " + shortest(constant.most) + ", not " + shortest(value);
  }
  return withChoice("policy '" + std::string(policy.name) + "' has no option '" + name + "'",
                    constants);
}

//===--- Policy.h -------------------------------------------------------------------===//

std::vector<std::pair<std::string, std::string>> policyNames() {
  std::vector<std::pair<std::string, std::string>> result;
  for (const PolicyEntry &entry : policies)
    result.emplace_back(entry.name, entry.help);
  return result;
}

std::vector<Constant> constantsOf(std::string_view policy) {
  const PolicyEntry *entry = find(policy);
  return entry ? entry->constants() : std::vector<Constant>();
}

std::unique_ptr<Policy> makePolicy(std::string_view name, const Constants &changed,
                                   const Graph &graph, const Machine &machine,
                                   const Configuration &start, std::string &error) {
  const PolicyEntry *entry = find(name);
  if (!entry) {
    error = withChoice("there is no policy '" + std::string(name) + "'", policies) +
            "; off: without one";
    return nullptr;
  }
  std::vector<Constant> constants = entry->constants();
  Values values(constants);
  for (const auto &[option, value] : changed) {
    error = check(*entry, constants, option, value);
    if (!error.empty())
      return nullptr;
    values.set(option, value);
  }
  return entry->make(values, graph, machine, start);
}

} // namespace sluice::elastic
