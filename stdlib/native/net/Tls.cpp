//===- Tls.cpp - connections with TLS, and without ------------------------===//
#include "stdlib/native/net/Tls.h"
#include "runtime/base/os.h"
#include "stdlib/native/net/OpenSsl.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <utility>

namespace sluice::net {

const OpenSsl *openSsl(const char *&missing) {
  static OpenSsl lib;
  static const std::string problem =
      loadForeign({"libssl.so.3"}, "libssl3", {SLUICE_OPENSSL(SLUICE_FOREIGN_ENTRY)});
  missing = problem.c_str();
  return problem.empty() ? &lib : nullptr;
}

/// The oldest of OpenSSL's errors, which is the cause; the others are dropped.
static std::string reasonOf(const OpenSsl &lib) {
  const char *text = lib.ERR_reason_error_string(lib.ERR_get_error());
  lib.ERR_clear_error();
  return text ? text : "no reason is known";
}

//===--- what parameters say --------------------------------------------------===//

Tls::~Tls() {
  if (context)
    lib->SSL_CTX_free(context);
}

/// A server needs a certificate, a client may have one.
int32_t Tls::open(ParamOp &op) {
  bool isOn = false;
  for (const char *name : {"sslProtocol", "sslCertificateFile", "sslCertificateAuthorityFile",
                           "sslAuthenticateClient"})
    isOn |= op.param(name) != nullptr;
  if (!isOn)
    return 0;
  TlsSettings given;
  given.isServer = op.text("role", "") == "server";
  given.protocol = op.text("sslProtocol", given.protocol);
  if (given.protocol != "TLSv1.2" && given.protocol != "TLSv1.3")
    return sl_error(op.ctx,
                    "sslProtocol must be TLSv1.2 or TLSv1.3, the oldest one that may be used, not "
                    "%s",
                    given.protocol.c_str());
  if (op.param("sslCertificateFile"))
    given.certificate = op.appPath("sslCertificateFile");
  else if (given.isServer)
    return sl_error(op.ctx, "a server with TLS needs sslCertificateFile, a file in the format PEM "
                            "with its certificate and its key");
  given.password = op.text("password", "");
  if (op.param("sslCertificateAuthorityFile"))
    given.authorities = op.appPath("sslCertificateAuthorityFile");
  if (std::string clients = op.text("sslAuthenticateClient", "none"); clients != "none")
    given.clients =
        clients == "require" ? TlsSettings::Clients::Required : TlsSettings::Clients::Checked;
  Problem problem = open(given);
  return problem.empty() ? 0 : sl_error(op.ctx, "%s", problem.c_str());
}

Problem Tls::open(const TlsSettings &given) {
  settings = given;
  const char *missing;
  if (!(lib = openSsl(missing)))
    return missing;
  context =
      lib->SSL_CTX_new(settings.isServer ? lib->TLS_server_method() : lib->TLS_client_method());
  return context ? load() : reasonOf(*lib);
}

Problem Tls::load() {
  lib->SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION,
                    settings.protocol == "TLSv1.3" ? TLS1_3_VERSION : TLS1_2_VERSION, nullptr);
  // The buffer of who writes may move, and grow, between two attempts.
  lib->SSL_CTX_ctrl(context, SSL_CTRL_MODE,
                    SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER, nullptr);
  // A client that only sends does not read tickets; when it closes, what it has sent would be lost.
  lib->SSL_CTX_set_num_tickets(context, 0);
  // Sessions are not taken up again: a certificate is checked each time.
  lib->SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, SSL_SESS_CACHE_OFF, nullptr);
  lib->SSL_CTX_set_options(context, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
  if (!settings.certificate.empty())
    if (Problem problem = loadCertificate(); !problem.empty())
      return problem;
  using enum TlsSettings::Clients;
  bool checks = !settings.isServer || settings.clients != Unchecked;
  if (!settings.authorities.empty()) {
    if (!lib->SSL_CTX_load_verify_locations(context, settings.authorities.c_str(), nullptr))
      return "cannot read certificates of " + settings.authorities + ": " + reasonOf(*lib);
  } else if (checks && !lib->SSL_CTX_set_default_verify_paths(context)) {
    return reasonOf(*lib);
  }
  int mode = checks ? SSL_VERIFY_PEER : SSL_VERIFY_NONE;
  if (settings.clients == Required)
    mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
  lib->SSL_CTX_set_verify(context, mode, nullptr);
  return "";
}

/// The certificate of this end and its key, from one file.
Problem Tls::loadCertificate() {
  lib->SSL_CTX_set_default_passwd_cb_userdata(context, this);
  lib->SSL_CTX_set_default_passwd_cb(context, [](char *to, int room, int, void *tls) {
    const std::string &given = static_cast<Tls *>(tls)->settings.password;
    if (given.size() > size_t(room))
      return -1;
    memcpy(to, given.data(), given.size());
    return int(given.size());
  });
  const std::string &file = settings.certificate;
  if (lib->SSL_CTX_use_certificate_chain_file(context, file.c_str()) != 1)
    return "cannot read the certificate of " + file + ": " + reasonOf(*lib);
  if (lib->SSL_CTX_use_PrivateKey_file(context, file.c_str(), SSL_FILETYPE_PEM) != 1 ||
      lib->SSL_CTX_check_private_key(context) != 1)
    return "cannot read the key of " + file + ", or it is not that of the certificate, or `" +
           settings.passwordName + "` is wrong: " + reasonOf(*lib);
  return "";
}

//===--- connections ----------------------------------------------------------===//

/// It was loaded.
static const OpenSsl &ssl() {
  const char *missing;
  return *openSsl(missing);
}

/// A call of the operating system has returned n. `flag`: what OpenSSL waits for after -EAGAIN.
static int endOfCall(BIO *bio, int64_t n, int flag) {
  ssl().BIO_clear_flags(bio, BIO_FLAGS_RWS | BIO_FLAGS_SHOULD_RETRY);
  if (n == -EAGAIN)
    ssl().BIO_set_flags(bio, flag | BIO_FLAGS_SHOULD_RETRY);
  errno = n < 0 ? int(-n) : 0;
  return n < 0 ? -1 : int(n);
}

static int readSocket(BIO *bio, char *to, int bytes) {
  auto &socket = *static_cast<const Socket *>(ssl().BIO_get_data(bio));
  return endOfCall(bio, remote::readSome(socket, to, size_t(bytes)), BIO_FLAGS_READ);
}

static int writeSocket(BIO *bio, const char *from, int bytes) {
  auto &socket = *static_cast<const Socket *>(ssl().BIO_get_data(bio));
  auto all = std::as_bytes(std::span(from, size_t(bytes)));
  return endOfCall(bio, remote::writeSome(socket, all), BIO_FLAGS_WRITE);
}

/// OpenSSL reads and writes by this.
static const BIO_METHOD *socketMethod() {
  static const BIO_METHOD *method = [] {
    BIO_METHOD *made = ssl().BIO_meth_new(BIO_TYPE_SOURCE_SINK, "socket");
    ssl().BIO_meth_set_read(made, readSocket);
    ssl().BIO_meth_set_write(made, writeSocket);
    ssl().BIO_meth_set_ctrl(made, [](BIO *, int what, long, void *) {
      return what == BIO_CTRL_FLUSH ? 1L : 0L; // nothing waits to be flushed
    });
    return made;
  }();
  return method;
}

void Channel::open(Socket socket, const Tls &tls, const std::string &host) {
  close();
  connection = std::move(socket);
  why.clear();
  wantsRead = false;
  if (!tls)
    return;
  lib = tls.lib;
  session = lib->SSL_new(tls.context);
  BIO *bio = lib->BIO_new(socketMethod());
  lib->BIO_set_data(bio, &connection);
  lib->BIO_set_init(bio, 1);
  lib->SSL_set_bio(session, bio, bio); // owns it
  if (tls.settings.isServer)
    return lib->SSL_set_accept_state(session);
  lib->SSL_set_connect_state(session);
  // An address has to be in the certificate as such; else the name.
  if (lib->X509_VERIFY_PARAM_set1_ip_asc(lib->SSL_get0_param(session), host.c_str()))
    return;
  lib->SSL_set1_host(session, host.c_str());
  lib->SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                const_cast<char *>(host.c_str()));
}

/// What a call has to return that OpenSSL ended with `result`.
int64_t Channel::failed(int result) {
  int error = errno;
  switch (lib->SSL_get_error(session, result)) {
  case SSL_ERROR_WANT_READ:
    wantsRead = true;
    return -EAGAIN;
  case SSL_ERROR_WANT_WRITE:
    return -EAGAIN;
  case SSL_ERROR_ZERO_RETURN:
    return 0;
  case SSL_ERROR_SYSCALL:
    return error ? -error : -ECONNRESET;
  default:
    break;
  }
  long checked = lib->SSL_get_verify_result(session);
  why = "TLS: " + reasonOf(*lib);
  if (checked != X509_V_OK)
    why += std::string(": ") + lib->X509_verify_cert_error_string(checked);
  return -EPROTO;
}

int64_t Channel::read(void *to, size_t bytes) {
  if (!session) {
    wantsRead = true;
    return remote::readSome(connection, to, bytes);
  }
  lib->ERR_clear_error();
  wantsRead = false;
  int n = lib->SSL_read(session, to, int(std::min(bytes, size_t(1) << 30)));
  return n > 0 ? n : failed(n);
}

int64_t Channel::write(std::span<const std::byte> bytes) {
  wantsRead = false;
  if (!session)
    return remote::writeSome(connection, bytes);
  lib->ERR_clear_error();
  int n = lib->SSL_write(session, bytes.data(), int(std::min(bytes.size(), size_t(1) << 30)));
  if (n > 0)
    return n;
  int64_t result = failed(n);
  return result ? result : -EPIPE; // the other end has closed
}

bool Channel::await(int64_t nanos) const {
  pollfd file = {connection.descriptor(), short(wantsRead ? POLLIN : POLLOUT), 0};
  return remote::await({&file, 1}, nanos) > 0;
}

std::string Channel::problem(int64_t error) const {
  return why.empty() ? problemOf(int(-error)) : why;
}

/// After an error there is nothing to say. False: there is no room now.
bool Channel::sayEnd() {
  if (!session || !why.empty())
    return true;
  lib->ERR_clear_error();
  int result = lib->SSL_shutdown(session);
  bool isSaid = result >= 0 || lib->SSL_get_error(session, result) != SSL_ERROR_WANT_WRITE;
  lib->ERR_clear_error();
  return isSaid;
}

void Channel::endWriting() {
  sayEnd();
  shutdown(connection.descriptor(), SHUT_WR);
}

void Channel::close() {
  if (session) {
    sayEnd();
    lib->SSL_free(std::exchange(session, nullptr));
  }
  connection.close();
}

/// Takes what has come. False: the connection has broken off. The other end may have said all that
/// it says, and read on.
bool Channel::discard() {
  char ignored[4096];
  int64_t n;
  while ((n = remote::readSome(connection, ignored, sizeof ignored)) > 0) {
  }
  return n == 0 || n == -EAGAIN;
}

/// Whether the other end's system has all that was written.
bool Channel::isTaken(int &untaken) const {
  return ioctl(connection.descriptor(), SIOCOUTQ, &untaken) == 0 && untaken == 0;
}

/// What is unread when a connection is closed, or comes later, makes the operating system drop what
/// was not taken yet. A server with TLS sends tickets as late as it likes.
bool Channel::closeWhenTaken(int64_t nanos) {
  constexpr int64_t kLook = os::kNanos / 100;
  const int64_t looks = nanos / kLook;
  wantsRead = false;
  for (int64_t idle = 0; !sayEnd() && idle < looks; ++idle)
    await(kLook);
  if (connection)
    shutdown(connection.descriptor(), SHUT_WR);
  int untaken = 0, before = 0;
  bool all = !connection;
  for (int64_t idle = 0; !all && discard() && !(all = isTaken(untaken)) && idle < looks; ++idle) {
    if (std::exchange(before, untaken) != untaken)
      idle = 0;
    poll(nullptr, 0, int(kLook / 1'000'000));
  }
  close();
  return all;
}

} // namespace sluice::net
