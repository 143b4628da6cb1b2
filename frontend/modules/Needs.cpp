//===- Needs.cpp - what info.xml asks for -----------------------------------===//
//
// An info.xml may ask for many toolkits of which the program uses none. One that is not there, or
// only in another version, is an error where something of it is used, and else a warning.
//
//===----------------------------------------------------------------------===//
#include "frontend/modules/ModuleTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include <filesystem>

using namespace sluice;
using namespace sluice::sema;
using llvm::StringRef;

void SourceFiles::use(const Toolkit &toolkit) {
  if (!usedToolkits.insert(toolkit.dir).second)
    return;
  std::string info = toolkit.infoFile();
  if (!toolkit.problem.empty()) {
    auto error = diags.report(Range(), Diag::err_toolkit_info, info, toolkit.problem);
    markCause(error);
  }
  for (const Toolkit::Need &need : toolkit.needs) {
    auto found = llvm::find_if(roots, [&](auto &other) { return other.name == need.name; });
    bool isThere = found != roots.end();
    if (!isBuiltIn(canonical(need.name)) && !(isThere && need.versions.contains(found->version)))
      unmetNeeds.push_back({info, &need, isThere ? &*found : nullptr});
  }
}

ModuleTable::UnmetNeed *ModuleTable::unmetNeed(StringRef ns) {
  auto found = llvm::find_if(unmetNeeds, [&](const UnmetNeed &need) {
    StringRef toolkit = need.need->name;
    return !need.other && (ns == toolkit || ns.starts_with((toolkit + ".").str()));
  });
  return found == unmetNeeds.end() ? nullptr : &*found;
}

/// Versions of which something is used are errors; so are toolkits where their names are, which
/// was said. Of all the others there is one warning for each info.xml.
void ModuleTable::reportNeeds() {
  std::map<std::string, std::vector<std::string>> unused;
  for (const UnmetNeed &unmet : unmetNeeds) {
    const auto &[name, versions] = *unmet.need;
    if (unmet.other && usedToolkits.contains(unmet.other->dir)) {
      const std::string &version = unmet.other->version;
      auto error = diags.report(Range(), Diag::err_toolkit_version, unmet.info, versions.text, name,
                                unmet.other->dir, version.empty() ? "0" : version);
      markCause(error);
    } else if (!suspicions.isInDoubt(Doubt::ToolkitMissing, Subject::of(&unmet)) && !allowMissing) {
      unused[unmet.info].push_back("`" + name + "`" +
                                   (unmet.other ? " of version " + versions.text : ""));
    }
  }
  for (const auto &[info, names] : unused)
    diags.report(Range(), Diag::warn_toolkits_missing, info, llvm::join(names, ", "));
}

std::vector<std::string> ModuleTable::toolkitsWithMessages() const {
  std::vector<std::string> result;
  for (const Toolkit &toolkit : roots)
    if (llvm::sys::fs::is_directory(toolkit.dir + "/impl/nl")) {
      result.push_back(toolkit.name);
      result.push_back(std::filesystem::path(toolkit.dir).lexically_relative(appDir).string());
    }
  return result;
}
