//===- OwnRegistry.h - a registry for a test --------------------*- C++ -*-===//
#pragma once
#include "runtime/exchange/Registry.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sluice::exchange {

/// A registry of its own, with files of these names.
struct OwnRegistry {
  explicit OwnRegistry(std::vector<std::string> names = {}) {
    const char *was = getenv("XDG_RUNTIME_DIR");
    before = was ? was : "";
    folder = std::filesystem::temp_directory_path() / "sluice-registry-XXXXXX";
    mkdtemp(folder.data());
    setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
    problem = registry.open();
    for (const std::string &file : names)
      std::ofstream(registry.directory() + "/" + file) << "x";
  }
  ~OwnRegistry() {
    std::filesystem::remove_all(folder);
    before.empty() ? unsetenv("XDG_RUNTIME_DIR") : setenv("XDG_RUNTIME_DIR", before.c_str(), 1);
  }
  std::vector<std::string> names(const std::vector<Place> &places) {
    std::vector<std::string> all;
    for (const Place &place : places)
      all.push_back(place.name);
    return all;
  }
  std::string before, folder, problem;
  Registry registry;
};

} // namespace sluice::exchange
