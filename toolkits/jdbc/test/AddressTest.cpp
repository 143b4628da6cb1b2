//===- AddressTest.cpp - where a database is ------------------------------===//
#include "toolkits/jdbc/native/Address.h"
#include <gtest/gtest.h>

using namespace sluice;
using namespace sluice::jdbc;

static Properties settings(const char *url) {
  Address address;
  EXPECT_EQ(address.parse(url), "");
  return address.settings;
}

TEST(AddressTest, UrlsOfJavasDriver) {
  EXPECT_EQ(settings("jdbc:postgresql://db:5433/trades"),
            (Properties{{"host", "db"}, {"port", "5433"}, {"dbname", "trades"}}));
  EXPECT_EQ(settings("jdbc:postgresql:trades"),
            (Properties{{"host", "localhost"}, {"port", "5432"}, {"dbname", "trades"}}));
  EXPECT_EQ(settings("jdbc:postgresql://a:1,[::1]:2,c/x%2Fy"),
            (Properties{{"host", "a,::1,c"}, {"port", "1,2,5432"}, {"dbname", "x/y"}}));
  EXPECT_EQ(settings("jdbc:postgresql://h").count("dbname"), 0u);
}

TEST(AddressTest, Properties) {
  Properties s = settings("jdbc:postgresql://h/d?user=u&password=a%26b&ssl=true&currentSchema=s&"
                          "prepareThreshold=3&tcpKeepAlive=false");
  EXPECT_EQ(s["user"], "u");
  EXPECT_EQ(s["password"], "a&b");
  EXPECT_EQ(s["sslmode"], "verify-full");
  EXPECT_EQ(s["options"], " -csearch_path=s");
  EXPECT_EQ(s["keepalives"], "0");
  EXPECT_EQ(s.count("prepareThreshold"), 0u);
}

TEST(AddressTest, WhichOfSeveralServers) {
  for (auto [java, libpq] : {std::pair{"any", "any"},
                             {"primary", "read-write"},
                             {"preferPrimary", "read-write"},
                             {"secondary", "standby"},
                             {"preferSecondary", "prefer-standby"}}) {
    std::string url = std::string("jdbc:postgresql:d?targetServerType=") + java;
    EXPECT_EQ(settings(url.c_str())["target_session_attrs"], libpq) << java;
  }
}

TEST(AddressTest, MistakesAreNamedWithoutValues) {
  Address address;
  EXPECT_EQ(address.parse("jdbc:postgresql://h/d?pasword=secret"),
            "jdbcUrl: it has a property that is not known");
  EXPECT_EQ(address.parse("jdbc:postgresql://h/d?password:secret"),
            "jdbcUrl: it has a property that is not known");
  EXPECT_EQ(address.parse("jdbc:postgresql://h/d?secret42"),
            "jdbcUrl: it has a property that is not known");
  EXPECT_EQ(address.parse("jdbc:postgresql://h/d?socketTimeout=secret"),
            "jdbcUrl: the property socketTimeout is not in this release");
  EXPECT_EQ(address.parse("jdbc:secret42"), "jdbcUrl: only PostgreSQL can be reached: "
                                            "jdbc:postgresql://host:port/database");
  EXPECT_EQ(address.parse("jdbc:postgresql:d?targetServerType=secret"),
            "jdbcUrl: targetServerType is any, primary, secondary, preferPrimary or "
            "preferSecondary");
  EXPECT_EQ(address.parse("jdbc:db2/secret"), "jdbcUrl (jdbc:db2): only PostgreSQL can be reached: "
                                              "jdbc:postgresql://host:port/database");
  EXPECT_EQ(address.parse("jdbc:db2://h/d:password=secret;"),
            "jdbcUrl (jdbc:db2): only PostgreSQL can be reached: "
            "jdbc:postgresql://host:port/database");
  EXPECT_EQ(address.parse("postgres://u:secret@h/d"),
            "jdbcUrl: only PostgreSQL can be reached: jdbc:postgresql://host:port/database");
}
