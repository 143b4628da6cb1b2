//===- Tls.h - connections with TLS, and without ----------------*- C++ -*-===//
//
// OpenSSL is loaded when the first operator needs TLS.
//
//===----------------------------------------------------------------------===//
#pragma once
#include "stdlib/native/Params.h"
#include "stdlib/native/net/Endpoint.h"
#include <span>
#include <string>

struct ssl_ctx_st;
struct ssl_st;

namespace sluice::net {

struct OpenSsl;

/// What there is for TLS. Files are PEM.
struct TlsSettings {
  bool isServer = false;
  std::string protocol = "TLSv1.2";      // the oldest one that may be used
  std::string certificate;               // that of this end, and its key; empty: none
  std::string password;                  // of the key
  std::string passwordName = "password"; // the parameter that has it, for messages
  std::string authorities; // who signs those of the other end; empty: whom the system trusts
  enum class Clients { Unchecked, Checked, Required } clients = Clients::Unchecked;
  bool operator==(const TlsSettings &) const = default;
};

/// What connections with TLS have in common.
class Tls {
public:
  Tls() = default;
  ~Tls();
  Tls(const Tls &) = delete;
  /// Reads the files.
  Problem open(const TlsSettings &);
  /// As the parameters sslProtocol, sslCertificateFile, sslCertificateAuthorityFile and
  /// sslAuthenticateClient say, if there is one of them. 0, or 1 after sl_error.
  int32_t open(ParamOp &);
  /// TLS is on.
  explicit operator bool() const { return context; }

private:
  friend class Channel;
  Problem load();
  Problem loadCertificate();

  const OpenSsl *lib = nullptr;
  ssl_ctx_st *context = nullptr;
  TlsSettings settings;
};

/// A connection. No call waits but await(). The handshake is part of read() and write().
class Channel {
public:
  Channel() = default;
  ~Channel() { close(); }
  Channel(const Channel &) = delete;
  /// `host`: of a client, whom the certificate of the other end has to name. `tls` outlives this.
  void open(Socket, const Tls &tls, const std::string &host);
  explicit operator bool() const { return bool(connection); }
  const Socket &socket() const { return connection; }

  /// Reads what is there: how many bytes. 0: the other end has closed; -EAGAIN: nothing is there;
  /// else a negative errno, and problem().
  int64_t read(void *to, size_t bytes);
  /// Writes what there is room for: how many bytes, -EAGAIN, or as read(). After -EAGAIN the same
  /// bytes come again, perhaps with more behind them.
  int64_t write(std::span<const std::byte>);
  /// What a call waits for that has returned -EAGAIN: to read, or to write.
  bool awaitsRead() const { return wantsRead; }
  /// Waits until write() may go on after -EAGAIN; at most `nanos` ns. False: it may not.
  bool await(int64_t nanos) const;
  /// What went wrong when a call returned `error`, as messages have it.
  std::string problem(int64_t error) const;
  /// Nothing more is written, as the other end hears if that needs no wait.
  void endWriting();
  /// Tells the other end, if that needs no wait.
  void close();
  /// Closes the connection of who only writes, when the other end's system has all that was
  /// written. Waits for at most `nanos` ns in which the other end takes nothing. False: it had not
  /// all by then; the operating system goes on to send.
  bool closeWhenTaken(int64_t nanos);

private:
  int64_t failed(int result);
  bool sayEnd();
  bool discard();
  bool isTaken(int &untaken) const;

  Socket connection;
  const OpenSsl *lib = nullptr;
  ssl_st *session = nullptr; // null: without TLS
  bool wantsRead = false;    // what was not possible goes on when something can be read
  std::string why;
};

} // namespace sluice::net
