//===- InetAddressTest.cpp - URLs -------------------------------------------------===//
#include "toolkits/inet/native/Address.h"
#include <gtest/gtest.h>
#include <random>

using namespace sluice::inet;

TEST(InetAddress, ShowsNoSecrets) {
  EXPECT_EQ(shownUrl("https://u:p@host:8080/a/b?key=secret#x"), "https://host:8080/a/b");
  EXPECT_EQ(shownUrl("http://u:p@ss@host"), "http://host");
  EXPECT_EQ(shownUrl("http://host?key=/secret"), "http://host");
  EXPECT_EQ(shownUrl("host/a\nb"), "host/a?b");
  EXPECT_EQ(shownUrl("localhost:80/get?token=secret&next=http://x/"), "localhost:80/get");
  EXPECT_EQ(shownUrl("u:pw@host/p?next=http://x"), "host/p");
  EXPECT_EQ(shownUrl("http://u:p/w@host/a"), "http://host/a");
  EXPECT_EQ(shownUrl("http://u:p#w@host/a"), "http://host/a");
  EXPECT_EQ(shownUrl(""), "");
}

TEST(InetAddress, FindsHosts) {
  EXPECT_EQ(hostOf("https://u:p@host:8080/a"), "host");
  EXPECT_EQ(hostOf("http://[::1]:80/"), "[::1]");
  EXPECT_EQ(hostOf("host/a"), "host");
  EXPECT_EQ(hostOf("evil.example/?://trusted"), "evil.example");
  EXPECT_EQ(hostOf(""), "");
}

TEST(InetAddress, EncodesAllButPlainCharacters) {
  EXPECT_EQ(encoded("a b+c/~%\xff"), "a%20b%2Bc%2F~%25%FF");
  EXPECT_EQ(formEncoded("a b+c"), "a+b%2Bc");
  EXPECT_EQ(decoded("a%20b+c"), "a b+c");
  EXPECT_EQ(decoded("a%20b+c", /*isForm=*/true), "a b c");
}

TEST(InetAddress, LeavesWhatIsNoEscape) {
  for (const char *text : {"%", "%1", "%zz", "100%", "a%4"})
    EXPECT_EQ(decoded(text), text);
}

TEST(InetAddress, DecodesWhatItHasEncoded) {
  std::mt19937 chance(1);
  for (int i = 0; i < 20000; ++i) {
    std::string text(chance() % 20, ' ');
    for (char &c : text)
      c = char(chance());
    EXPECT_EQ(decoded(encoded(text)), text);
    EXPECT_EQ(decoded(formEncoded(text), true), text);
  }
}
