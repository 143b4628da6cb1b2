//===- Advisors.h - the pieces of advice about syntax errors ------*- C++ -*-===//
//
// Each is a free function that answers what is wrong if it knows the mistake. Table.cpp says where
// it is asked. The comment shows the mistake.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "frontend/syntax/antlr/advice/SyntaxError.h"

namespace sluice::grammar {

using Advisor = Answer (*)(const SyntaxError &);

/// The first answer.
inline Answer firstOf(llvm::ArrayRef<Advisor> advisors, const SyntaxError &error) {
  for (Advisor advisor : advisors)
    if (Answer answer = advisor(error))
      return answer;
  return std::nullopt;
}

namespace advice {

// Slips.cpp
Answer straySemicolon(const SyntaxError &); // f();;
Answer keywordAsName(const SyntaxError &);  // int32 window = 1;
Answer unaryPlus(const SyntaxError &);      // x = +1;
Answer elseWithoutIf(const SyntaxError &);
Answer sinkWithoutName(const SyntaxError &); // () = FileSink(S) { }
Answer halfOperator(const SyntaxError &);    // x > > ;

// Declarations.cpp
Answer lateHead(const SyntaxError &);         // `use` behind a declaration
Answer usePath(const SyntaxError &);          // use a.b;
Answer constant(const SyntaxError &);         // const int32 N = 5; outside of functions
Answer constLocal(const SyntaxError &);       // const int32 n = 5; among statements
Answer headWord(const SyntaxError &);         // publc int32 f() { ... }
Answer modifier(const SyntaxError &);         // private int32 f() { ... }
Answer publicType(const SyntaxError &);       // public type T = int32 a;
Answer noName(const SyntaxError &);           // int32 = 5;
Answer wrongComposite(const SyntaxError &);   // compsite A { ... }
Answer wrongDeclaration(const SyntaxError &); // typ Sale = int32 amount;

// Functions.cpp
Answer global(const SyntaxError &);           // println("x"); outside of composites
Answer aliasEnd(const SyntaxError &);         // type T = int32 a; int32 b;
Answer parameterDefault(const SyntaxError &); // f(int32 x = 3)
Answer innerFunction(const SyntaxError &);    // a function in a composite
Answer localFunction(const SyntaxError &);    // a function among statements

// Composites.cpp
Answer mainComposite(const SyntaxError &); // main composite Main { ... }
Answer modeWithType(const SyntaxError &);  // param function<int32> $f;
Answer formalNoMode(const SyntaxError &);  // param int32 size;
Answer port(const SyntaxError &);          // composite A(In) { ... }
Answer clauseColon(const SyntaxError &);   // graph:
Answer noGraph(const SyntaxError &);       // composite Main { stream<int32 x> S = ... }

// Invocations.cpp
Answer results(const SyntaxError &);       // Custom(S) { ... }
Answer outputs(const SyntaxError &);       // stream<int32 x> A, B = ...
Answer argument(const SyntaxError &);      // FileSource("in.csv")
Answer alias(const SyntaxError &);         // Join(Trades T; Quotes Q)
Answer noParentheses(const SyntaxError &); // Functor A { ... }
Answer streamType(const SyntaxError &);    // stream Row = ...

// Clauses.cpp
Answer noClause(const SyntaxError &);        // { filter : x > 0; }
Answer noColon(const SyntaxError &);         // param filter = x > 0;
Answer noItemEnd(const SyntaxError &);       // param file : "a", format : csv;
Answer typedAssignment(const SyntaxError &); // output S : int32 n = Count();
Answer noPort(const SyntaxError &);          // onTuple { ... }
Answer logicItem(const SyntaxError &);       // ontuple S : { ... }

// Handlers.cpp
Answer state(const SyntaxError &);      // state : mutable int32 a = 0; mutable int32 b = 0;
Answer statements(const SyntaxError &); // onTuple S : f(); g();
/// Whether the handler before `found`, which belongs to none, has an error: then its end was not
/// found, and `found` is another of its statements.
bool isBehindHandlerError(const SyntaxError &, antlr4::Token *found);

// Statements.cpp
Answer branch(const SyntaxError &);       // elif (condition)
Answer condition(const SyntaxError &);    // if x > 1 {
Answer loopHead(const SyntaxError &);     // for (i in list)
Answer countingLoop(const SyntaxError &); // for (int32 i = 0; ...
Answer loopPair(const SyntaxError &);     // for ((rstring k, int32 v) in map)
Answer ifValue(const SyntaxError &);      // x = if (a) b else c
Answer bareCall(const SyntaxError &);     // println x + 1;
Answer bareCallBehindWord(const SyntaxError &);

// Attributes.cpp
Answer attribute(const SyntaxError &); // stream<int32 n rstring s>

// Types.cpp
Answer typeOfStream(const SyntaxError &);   // type T = stream<int32 x>;
Answer bareTuple(const SyntaxError &);      // type T = <int32 id>;
Answer braces(const SyntaxError &);         // type Order { int32 x; }
Answer genericOfOther(const SyntaxError &); // List<int32> a
Answer elements(const SyntaxError &);       // map<rstring> a
Answer typeCall(const SyntaxError &);       // list(x)
Answer enumName(const SyntaxError &);       // enum Color { ... }

// ForeignOperators.cpp
Answer orElse(const SyntaxError &);          // x ?? 1
Answer foreignOperator(const SyntaxError &); // =>
Answer annotationValue(const SyntaxError &); // @parallel(4)
Answer chain(const SyntaxError &);           // = A.filter(x)
Answer countAll(const SyntaxError &);        // COUNT(*)
Answer renamedValue(const SyntaxError &);    // Sum(x) as total
Answer castAs(const SyntaxError &);          // CAST(x AS int32)

// ForeignValues.cpp
Answer prefix(const SyntaxError &); // f"text"
Answer lambda(const SyntaxError &); // (rstring s) -> s
Answer array(const SyntaxError &);  // int32[] a
Answer values(const SyntaxError &); // x in (1, 2)
Answer noPlus(const SyntaxError &); // "text" x

// ForeignWords.cpp
Answer query(const SyntaxError &);   // SELECT x FROM
Answer leading(const SyntaxError &); // throw "x"
Answer infix(const SyntaxError &);   // x and y
/// An operator of up to three words that begins with `word`, as `IS NOT NULL`.
Answer infixAt(const SyntaxError &, antlr4::Token *word);

// Otherwise.cpp: what is said of all other errors
Answer missingAtLineEnd(const SyntaxError &);
Answer otherExpected(const SyntaxError &);
Answer unexpected(const SyntaxError &);

/// Whether a keyword stands where a name may stand.
bool isKeywordAsName(const SyntaxError &);
/// What another language writes between `.` and its arguments: see `Filter`, `Functor` and others.
extern const char *const queryAdvice;
extern const char *const lambdaAdvice;

} // namespace advice
} // namespace sluice::grammar
