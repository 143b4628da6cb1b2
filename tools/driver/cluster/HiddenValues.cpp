//===- HiddenValues.cpp - values that no command line shows ---------------===//
#include "tools/driver/cluster/HiddenValues.h"
#include "runtime/exec/options/ValueElsewhere.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace sluice;
using namespace sluice::driver;

/// Of the variables; sluice.cluster.Submit knows it.
static constexpr llvm::StringRef kPrefix = "SLUICE_VALUE_";

/// Bytes: what Linux takes in a variable of the environment, with its name.
static constexpr size_t kMost = (128 << 10) - 64;

/// Whether job.json has hidden the value of this name, which may be the end of the whole one.
static bool isSecret(const llvm::json::Object &values, llvm::StringRef name) {
  for (const auto &[full, value] : values)
    if (value.getAsString() == "***" && llvm::StringRef(full).ends_with(name))
      return true;
  return false;
}

llvm::Expected<std::vector<std::string>> driver::hideValues(std::vector<std::string> &arguments,
                                                            llvm::StringRef job) {
  auto text = llvm::MemoryBuffer::getFile(job);
  if (!text)
    return llvm::createStringError(text.getError(), "cannot read " + job);
  auto described = llvm::json::parse((*text)->getBuffer());
  if (!described)
    return described.takeError();
  const llvm::json::Object *object = described->getAsObject();
  const llvm::json::Object *values = object ? object->getObject("values") : nullptr;
  std::vector<std::string> environment;
  for (std::string &argument : arguments) {
    auto [name, what] = llvm::StringRef(argument).split('=');
    if (name.starts_with("-") || !llvm::StringRef(argument).contains('='))
      continue;
    std::string value, problem;
    if (!valueElsewhere(what, value, problem)) {
      if (!values || !isSecret(*values, name))
        continue;
      value = what.str();
    }
    if (!problem.empty())
      return llvm::createStringError(problem);
    if (value.size() >= kMost || value.find('\0') != value.npos)
      return llvm::createStringError("the value of " + name + " cannot go to a cluster: it has " +
                                     (value.size() >= kMost ? "128 KiB or more" : "a byte 0"));
    std::string variable = (kPrefix + llvm::Twine(environment.size())).str();
    environment.push_back(variable + "=" + value);
    argument = (name + "=@env:" + variable).str();
  }
  return environment;
}
