//===- SemaChecking.h - check SPL text without the graph --------*- C++ -*-===//
//
// Functions and types of one text, against a small library. Problems come as
// lines `LINE: message`, notes as `LINE: note: message`.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/sema/Sema.h"
#include <string>
#include <vector>

namespace sluice::test {

struct Checked {
  explicit Checked(const std::string &text,
                   Diagnostics::Warnings warnings = Diagnostics::Warnings::Shown);
  ~Checked();

  ast::Unit *unit = nullptr;
  typed::Program program;
  std::string problems;

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// The problems of statements in a void function; line 1 is the first of them.
std::string problemsOf(const std::string &statements);

/// An expression's type, and ` = value` if it is constant; or its problems. In
/// scope: `b8 i8 .. u64 f32 f64 s t ts li ls si mi` as formals, mutable.
std::string typeOf(const std::string &expression);

} // namespace sluice::test
