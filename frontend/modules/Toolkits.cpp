//===- Toolkits.cpp - directories of toolkits -------------------------------===//
#include "frontend/modules/Toolkits.h"
#include "frontend/modules/Xml.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace sluice::sema;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

//===--- versions -------------------------------------------------------------===//

bool sluice::sema::isOlder(StringRef version, StringRef than) {
  while (!version.empty() || !than.empty()) {
    unsigned mine = 0, theirs = 0;
    auto [first, rest] = version.split('.');
    auto [other, others] = than.split('.');
    first.getAsInteger(10, mine);
    other.getAsInteger(10, theirs);
    if (mine != theirs)
      return mine < theirs;
    version = rest;
    than = others;
  }
  return false;
}

bool VersionRange::contains(StringRef version) const {
  StringRef range = StringRef(text).trim();
  bool isRange = range.starts_with("[") || range.starts_with("(");
  if (!isRange)
    return !isOlder(version, range);
  auto [low, high] = range.drop_front().drop_back().split(',');
  low = low.trim();
  high = high.trim();
  bool fits = range.starts_with("[") ? !isOlder(version, low) : isOlder(low, version);
  if (high.empty()) // "[1.0,)"
    return fits;
  return fits && (range.ends_with("]") ? !isOlder(high, version) : isOlder(version, high));
}

//===--- info.xml -------------------------------------------------------------===//

static std::string inside(StringRef dir, StringRef name) {
  llvm::SmallString<256> result(dir);
  path::append(result, name);
  return result.str().str();
}

std::string Toolkit::infoFile() const { return inside(dir, "info.xml"); }

Toolkit sluice::sema::readToolkit(StringRef dir) {
  Toolkit toolkit;
  toolkit.dir = dir.str();
  toolkit.name = path::filename(dir).str();
  if (!fs::exists(toolkit.infoFile()))
    return toolkit;
  pugi::xml_document document;
  if (auto result = document.load_file(toolkit.infoFile().c_str()); !result) {
    toolkit.problem = result.description();
    return toolkit;
  }
  pugi::xml_node root = document.document_element(), identity = xmlChild(root, "identity");
  if (std::string name = xmlText(identity, "name"); !name.empty())
    toolkit.name = name;
  toolkit.version = xmlText(identity, "version");
  for (pugi::xml_node need : xmlChild(root, "dependencies").children())
    if (std::string name = xmlText(need, "name"); !name.empty())
      toolkit.needs.push_back({name, {xmlText(need, "version")}});
  return toolkit;
}

//===--- paths ----------------------------------------------------------------===//

static bool isMarked(StringRef dir) {
  return fs::exists(inside(dir, "info.xml")) || fs::exists(inside(dir, "toolkit.xml"));
}

std::vector<std::string> sluice::sema::entriesOf(StringRef dir) {
  std::vector<std::string> result;
  std::error_code error;
  for (fs::directory_iterator it(dir, error), end; it != end && !error; it.increment(error))
    result.push_back(it->path());
  llvm::sort(result);
  return result;
}

/// The toolkits in `dir`, in the order of their names.
static std::vector<std::string> marked(StringRef dir) {
  std::vector<std::string> result = entriesOf(dir);
  llvm::erase_if(result, [](StringRef entry) { return !isMarked(entry); });
  return result;
}

std::vector<Toolkit> sluice::sema::findToolkits(llvm::ArrayRef<std::string> paths) {
  std::vector<Toolkit> result;
  for (const std::string &dir : paths) {
    std::vector<std::string> dirs;
    if (!isMarked(dir))
      dirs = marked(dir);
    if (dirs.empty())
      dirs = {dir};
    for (const std::string &one : dirs) {
      Toolkit toolkit = readToolkit(one);
      auto same = llvm::find_if(result, [&](auto &other) { return other.name == toolkit.name; });
      if (same == result.end())
        result.push_back(std::move(toolkit));
      else if (isOlder(same->version, toolkit.version))
        *same = std::move(toolkit);
    }
  }
  return result;
}
