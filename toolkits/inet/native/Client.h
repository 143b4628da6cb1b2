//===- Client.h - HTTP requests, one after the other ------------*- C++ -*-===//
//
// libcurl's sockets and its timer are behind one descriptor of epoll, at which the thread waits as
// for any other data: so the end of the program wakes it. Connections stay open between requests.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "toolkits/inet/native/Library.h"
#include "toolkits/inet/native/Settings.h"
#include <functional>
#include <string>
#include <vector>

namespace sluice::inet {

struct Request {
  std::string method = "GET", url;
  std::string body; // of POST, PUT and PATCH
  std::string contentType;
  std::vector<std::string> headers; // beside those of the settings
  std::string token, tokenType;     // in the place of those of the settings
  std::string user, password;       // likewise
  std::string region;               // not empty: user and password sign it, as S3 wants it there
  bool onlyOnce = false;            // libcurl by itself sends it by a connection of its own
  int64_t changedSince = -1;        // only what has changed later, in s since 1970; below 0: any
  double seconds = 0;               // that it may take; 0: any time
  double connectSeconds = 0;        // of these for the connection; 0: as the settings have it
};

struct Answer {
  long status = 0;                  // 0: none came; of files it is 200
  std::string statusLine;           // "HTTP/1.1 200 OK"
  std::vector<std::string> headers; // "Name: value", of the last one if there were redirections
  std::string body;                 // unless somebody takes it while it comes
  std::string effectiveUrl;         // behind redirections
  double seconds = 0;               // from the beginning of the request to its end
  int64_t changed = -1;     // when what it has was changed, in s since 1970; below 0: unknown
  bool isUnchanged = false; // since the time of the request
  bool isStopped = false;   // the program ends
  bool wasSent = false;     // the server may have seen something of the request
  int code = 0;             // of libcurl; 0: the answer is whole
  std::string problem;      // why there is no whole answer; empty: it is whole

  /// The value of a header, or empty.
  std::string header(std::string_view name) const;
};

/// Takes a part of the body. False: the rest is not wanted.
using TakeBody = std::function<bool(const Answer &, std::string_view)>;

/// What the thread does while it waits for an answer.
enum class Waiting {
  GivesWay, // forwards what is pending, and runs other sources, as sl_await_readable does
  Holds,    // nothing else, as in a function, whose caller may be in the middle of a batch
};

class Client {
public:
  explicit Client(Waiting waiting = Waiting::GivesWay) : waiting(waiting) {}
  Client(const Client &) = delete;
  ~Client();

  /// Handler return values.
  int32_t open(Ctx *, const Settings &);
  /// Sends a request and takes the answer. `take`: the body goes there. `patience`: for how many s
  /// it goes on once the program is to end, in all of its requests together.
  Answer run(Ctx *, const Request &, double patience = 0, const TakeBody &take = {});

  static constexpr size_t kMostBody = 64 << 20, kMostHeaders = 1 << 20; // bytes

private:
  struct Running;
  void prepare(const Request &, Running &);
  void prepareUser(const Request &, Running &);
  void prepareBody(const Request &, Running &);
  bool await(Ctx *, double patience);
  bool isReadable(int64_t nanos) const;
  void step();
  void finish(CURLcode, Running &);
  static size_t takeHeader(char *, size_t, size_t, void *);
  static size_t takeBody(char *, size_t, size_t, void *);
  static int watchSocket(CURL *, curl_socket_t, int what, void *client, void *);
  static int setTimer(CURLM *, long milliseconds, void *client);

  const Library *lib = nullptr;
  Waiting waiting;
  Settings settings;
  CURLM *multi = nullptr;
  CURL *easy = nullptr;
  int sockets = -1, timer = -1; // descriptors of epoll and of a timer in it
  int64_t endsAt = 0; // when its patience is over, by sl_now; 0: the program is not to end
};

} // namespace sluice::inet
