//===- Library.h - libmosquitto, found when it is needed --------*- C++ -*-===//
#pragma once
#include "stdlib/native/connect/Foreign.h"
#include <mosquitto.h>

namespace sluice::mqtt {

/// The functions of libmosquitto that are called.
#define SLUICE_MOSQUITTO(X)                                                                        \
  X(mosquitto_connack_string)                                                                      \
  X(mosquitto_connect)                                                                             \
  X(mosquitto_connect_callback_set)                                                                \
  X(mosquitto_destroy)                                                                             \
  X(mosquitto_disconnect)                                                                          \
  X(mosquitto_disconnect_callback_set)                                                             \
  X(mosquitto_lib_init)                                                                            \
  X(mosquitto_log_callback_set)                                                                    \
  X(mosquitto_loop_misc)                                                                           \
  X(mosquitto_loop_read)                                                                           \
  X(mosquitto_loop_write)                                                                          \
  X(mosquitto_message_callback_set)                                                                \
  X(mosquitto_new)                                                                                 \
  X(mosquitto_publish)                                                                             \
  X(mosquitto_publish_callback_set)                                                                \
  X(mosquitto_socket)                                                                              \
  X(mosquitto_strerror)                                                                            \
  X(mosquitto_subscribe)                                                                           \
  X(mosquitto_unsubscribe)                                                                         \
  X(mosquitto_userdata)                                                                            \
  X(mosquitto_subscribe_callback_set)                                                              \
  X(mosquitto_threaded_set)                                                                        \
  X(mosquitto_tls_opts_set)                                                                        \
  X(mosquitto_tls_set)                                                                             \
  X(mosquitto_username_pw_set)                                                                     \
  X(mosquitto_want_write)

struct Library {
  SLUICE_MOSQUITTO(SLUICE_FOREIGN_POINTER)
};

/// Null if this system has no libmosquitto.so.1 with all of them: `missing` says what to do.
const Library *library(std::string &missing);

} // namespace sluice::mqtt
