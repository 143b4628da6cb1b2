//===- StatementTest.cpp - SQL with question marks ------------------------===//
#include "toolkits/jdbc/native/Statement.h"
#include <gtest/gtest.h>

using namespace sluice::jdbc;

static std::string translated(const char *sql) { return Statement::parse(sql).sql; }

TEST(StatementTest, QuestionMarksBecomeNumbers) {
  Statement s = Statement::parse("UPDATE t SET a = ?, b=?+1 WHERE c IN(?,?)");
  EXPECT_EQ(s.sql, "UPDATE t SET a = $1, b=$2+1 WHERE c IN($3,$4)");
  EXPECT_EQ(s.parameters, 4u);
  EXPECT_TRUE(s.isChange);
  EXPECT_FALSE(Statement::parse("SELECT 1").isChange);
}

TEST(StatementTest, TextsNamesAndCommentsKeepTheirs) {
  EXPECT_EQ(translated("SELECT '?', 'it''s ?', \"a?\"\"b\", ?"),
            "SELECT '?', 'it''s ?', \"a?\"\"b\", $1");
  EXPECT_EQ(translated(R"(SELECT E'\'?', e'\\', ?, 'a\', ?)"),
            R"(SELECT E'\'?', e'\\', $1, 'a\', $2)");
  EXPECT_EQ(translated("SELECT $$?$$, $a$ ? $$ ? $a$, ?"), "SELECT $$?$$, $a$ ? $$ ? $a$, $1");
  EXPECT_EQ(translated("SELECT ? -- ?\n, ? /* ? /* ? */ ? */ + ?"), "SELECT $1  \n, $2   + $3");
  EXPECT_EQ(translated("SELECT a ?? b, a ??| ?"), "SELECT a ? b, a ?| $1");
}

TEST(StatementTest, WhatNeverEndsIsKept) {
  EXPECT_EQ(translated("SELECT 'abc ?"), "SELECT 'abc ?");
  EXPECT_EQ(translated("SELECT $x$ ?"), "SELECT $x$ ?");
  EXPECT_EQ(translated("SELECT /* ?"), "SELECT  ");
  EXPECT_EQ(translated("SELECT $"), "SELECT $");
  EXPECT_EQ(translated(""), "");
}

TEST(StatementTest, PlainInsertsAreFound) {
  Statement s = Statement::parse("insert into \"My\".t (a, \"B\"\"c\" ,d)\n VALUES (?,?, ?) ;");
  EXPECT_EQ(s.table, "\"My\".t");
  EXPECT_EQ(s.copy(), "COPY \"My\".t (a, \"B\"\"c\", d) FROM STDIN");
}

TEST(StatementTest, OtherInsertsAreNot) {
  for (const char *sql :
       {"INSERT INTO t VALUES (?)", "INSERT INTO t(a) VALUES (?) ON CONFLICT DO NOTHING",
        "INSERT INTO t(a, b) VALUES (?, 1)", "INSERT INTO t(a) VALUES (?), (?)",
        "INSERT INTO t(a, b) VALUES (?)", "INSERT INTO t(a) VALUES (?) RETURNING a",
        "INSERT INTO t(a) VALUES (? + 1)", "INSERT INTO t(a) SELECT ?",
        "INSERT INTO t(a) VALUES (?); DELETE FROM t", "INSERT INTO t() VALUES ()",
        "INSERT INTO t. (a) VALUES (?)"})
    EXPECT_EQ(Statement::parse(sql).table, "") << sql;
}
