//===- OpenSsl.h - the functions of OpenSSL that are used -------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Foreign.h"
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

namespace sluice::net {

#define SLUICE_OPENSSL(X)                                                                          \
  X(TLS_client_method)                                                                             \
  X(TLS_server_method)                                                                             \
  X(SSL_CTX_new)                                                                                   \
  X(SSL_CTX_free)                                                                                  \
  X(SSL_CTX_ctrl)                                                                                  \
  X(SSL_CTX_set_default_passwd_cb)                                                                 \
  X(SSL_CTX_set_default_passwd_cb_userdata)                                                        \
  X(SSL_CTX_use_certificate_chain_file)                                                            \
  X(SSL_CTX_use_PrivateKey_file)                                                                   \
  X(SSL_CTX_check_private_key)                                                                     \
  X(SSL_CTX_load_verify_locations)                                                                 \
  X(SSL_CTX_set_default_verify_paths)                                                              \
  X(SSL_CTX_set_verify)                                                                            \
  X(SSL_CTX_set_options)                                                                           \
  X(SSL_CTX_set_num_tickets)                                                                       \
  X(SSL_new)                                                                                       \
  X(SSL_free)                                                                                      \
  X(SSL_ctrl)                                                                                      \
  X(SSL_get0_param)                                                                                \
  X(SSL_set1_host)                                                                                 \
  X(SSL_set_bio)                                                                                   \
  X(SSL_set_accept_state)                                                                          \
  X(SSL_set_connect_state)                                                                         \
  X(SSL_read)                                                                                      \
  X(SSL_write)                                                                                     \
  X(SSL_shutdown)                                                                                  \
  X(SSL_get_error)                                                                                 \
  X(SSL_get_verify_result)                                                                         \
  X(ERR_clear_error)                                                                               \
  X(ERR_get_error)                                                                                 \
  X(ERR_reason_error_string)                                                                       \
  X(X509_VERIFY_PARAM_set1_ip_asc)                                                                 \
  X(X509_verify_cert_error_string)                                                                 \
  X(BIO_meth_new)                                                                                  \
  X(BIO_meth_set_read)                                                                             \
  X(BIO_meth_set_write)                                                                            \
  X(BIO_meth_set_ctrl)                                                                             \
  X(BIO_new)                                                                                       \
  X(BIO_set_data)                                                                                  \
  X(BIO_get_data)                                                                                  \
  X(BIO_set_init)                                                                                  \
  X(BIO_set_flags)                                                                                 \
  X(BIO_clear_flags)

struct OpenSsl {
  SLUICE_OPENSSL(SLUICE_FOREIGN_POINTER)
};

/// Null: `missing` says what to install.
const OpenSsl *openSsl(const char *&missing);

} // namespace sluice::net
