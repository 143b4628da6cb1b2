//===- InetPathsTest.cpp - what clients send, before it is believed ---------------===//
#include "toolkits/inet/server/Paths.h"
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

using namespace sluice::inet;

namespace {

TEST(InetPaths, ReadForms) {
  FormValues values = formValues("a=1&b=x+y%26&a=2&c&=d&&");
  EXPECT_EQ(values.size(), 5u);
  auto [from, to] = values.equal_range("a");
  EXPECT_EQ(from->second, "1");
  EXPECT_EQ(std::next(from)->second, "2");
  EXPECT_EQ(std::next(from, 2), to);
  EXPECT_EQ(values.find("b")->second, "x y&");
  EXPECT_EQ(values.find("c")->second, "");
}

class InetFiles : public ::testing::Test {
protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "sluice-paths-XXXXXX";
    folder = mkdtemp(name.data());
    std::filesystem::create_directory(folder + "/served");
    for (const char *file : {"/served/index.html", "/served/a.js", "/served/.hidden", "/secret"})
      std::ofstream(folder + file) << "text";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string served(std::string_view path) { return fileFor(folder + "/served", path); }
  std::string folder;
};

TEST_F(InetFiles, AreThoseOfTheFolder) {
  EXPECT_EQ(served("/a.js"), folder + "/served//a.js");
  EXPECT_EQ(served("/"), folder + "/served///index.html");
  for (const char *path : {"/../secret", "/%2e%2e/secret", "/.hidden", "/x", "/a.js/..", "/..",
                           "/%00", "/a.js%00", "/..%2fsecret", "/.%2e/secret"})
    EXPECT_EQ(served(path), "") << path;
}

TEST_F(InetFiles, NoPathLeadsOut) {
  std::mt19937 chance(1);
  const char *parts[] = {"/", "..", ".", "%2e", "%2F", "secret", "a.js", "%", "\\", "//"};
  for (int i = 0; i < 20000; ++i) {
    std::string path;
    for (unsigned j = chance() % 8; j; --j)
      path += parts[chance() % std::size(parts)];
    std::string file = served(path);
    if (file.empty())
      continue;
    std::string real = std::filesystem::weakly_canonical(file);
    EXPECT_TRUE(real.starts_with(folder + "/served/")) << path;
  }
}

TEST(InetPaths, TellWhoMaySend) {
  EXPECT_TRUE(maySend("localhost:8080", "", false));
  EXPECT_TRUE(maySend("[::1]:8080", "", false));
  EXPECT_TRUE(maySend("LOCALHOST", "http://127.0.0.1:9", false));
  EXPECT_FALSE(maySend("evil.example:8080", "", false)); // a name that leads to this machine
  EXPECT_FALSE(maySend("", "", false));
  EXPECT_FALSE(maySend("localhost", "http://evil.example", false));
  EXPECT_FALSE(maySend("localhost", "null", false)); // a file
  EXPECT_TRUE(maySend("host.example:80", "", true));
  EXPECT_TRUE(maySend("host.example:80", "https://host.example", true));
  EXPECT_FALSE(maySend("host.example:80", "https://localhost", true));
}

} // namespace
