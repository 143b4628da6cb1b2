//===- Foreign.h - C libraries, loaded when they are needed -----*- C++ -*-===//
//
// A library that only some programs need is loaded at its first use, so that others run without it,
// and programs for other targets link without that target's copy. Its functions are listed once:
//
//   #define SLUICE_PQ(X) X(PQstatus) X(PQfinish)
//   struct Library { SLUICE_PQ(SLUICE_FOREIGN_POINTER) };
//   ... loadForeign({"libpq.so.5"}, "libpq5", {SLUICE_PQ(SLUICE_FOREIGN_ENTRY)})
//
//===----------------------------------------------------------------------===//
#pragma once
#include <initializer_list>
#include <string>

namespace sluice {

struct ForeignFunction {
  const char *name;
  void *place; // of the pointer to it
};

/// A member for a function that a header of the library declares.
#define SLUICE_FOREIGN_POINTER(name) decltype(&::name) name;
/// The same function for loadForeign(), where the struct is called `lib`.
#define SLUICE_FOREIGN_ENTRY(name) {#name, &lib.name},

/// Loads the first of `files` that is there and fills in the functions. Empty, or what is wrong:
/// a message that names `package`, Debian's package of the library.
std::string loadForeign(std::initializer_list<const char *> files, const char *package,
                        std::initializer_list<ForeignFunction>);

} // namespace sluice
