//===- UcxWorker.cpp - messages by UCX, loaded when they are needed -------------===//
#include "runtime/remote/carrier/UcxWorker.h"
#include "runtime/base/files.h"
#include "runtime/base/os.h"
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <filesystem>
#include <set>
#include <string_view>
#include <ucp/api/ucp.h>
#include <unistd.h>
#include <vector>

namespace sluice::remote {

namespace {

/// The functions of UCX that are used here.
#define SLUICE_UCX_FUNCTIONS(F)                                                                    \
  F(ucp_config_read)                                                                               \
  F(ucp_config_modify)                                                                             \
  F(ucp_config_release)                                                                            \
  F(ucp_init_version)                                                                              \
  F(ucp_cleanup)                                                                                   \
  F(ucp_worker_create)                                                                             \
  F(ucp_worker_destroy)                                                                            \
  F(ucp_worker_get_address)                                                                        \
  F(ucp_worker_release_address)                                                                    \
  F(ucp_worker_get_efd)                                                                            \
  F(ucp_worker_arm)                                                                                \
  F(ucp_worker_progress)                                                                           \
  F(ucp_ep_create)                                                                                 \
  F(ucp_ep_close_nbx)                                                                              \
  F(ucp_tag_send_nbx)                                                                              \
  F(ucp_tag_recv_nbx)                                                                              \
  F(ucp_tag_recv_request_test)                                                                     \
  F(ucp_request_check_status)                                                                      \
  F(ucp_request_cancel)                                                                            \
  F(ucp_request_free)                                                                              \
  F(ucs_status_string)

struct Api {
#define F(name) decltype(&::name) name;
  SLUICE_UCX_FUNCTIONS(F)
#undef F
};

Api api;
std::set<std::string> chosen; // variables that the user has set

std::string describe(const char *what, ucs_status_t status) {
  return std::string("UCX: ") + what + ": " + api.ucs_status_string(status);
}

/// UCX's own handlers of faults and of SIGHUP, hooks of mmap and messages would disturb the
/// program. Probes of TCP connections that are idle are not needed, as the control socket tells of
/// a death; under qemu UCX takes their times from a clock of another rate, and the kernel refuses
/// them.
void setDefaults() {
  for (auto [name, value] :
       {std::pair("UCX_LOG_LEVEL", "fatal"), std::pair("UCX_HANDLE_ERRORS", "none"),
        std::pair("UCX_ERROR_SIGNALS", ""), std::pair("UCX_DEBUG_SIGNO", "0"),
        std::pair("UCX_MEM_EVENTS", "no"), std::pair("UCX_MEM_MMAP_HOOK_MODE", "none"),
        std::pair("UCX_TCP_KEEPIDLE", "inf"), std::pair("UCX_WARN_UNUSED_ENV_VARS", "n")})
    setenv(name, value, /*overwrite=*/0);
}

/// What a worker opens, and what UCX opens for all of them; measured, with room for more network
/// devices. UCX itself fails assertions where it may open no more.
constexpr uint32_t kFilesOfWorker = 32;

std::string tooFewFiles() { return os::tooFewFiles(kFilesOfWorker, "a stream between processes"); }

std::optional<std::string> openLibrary() {
  if (std::string problem = tooFewFiles(); !problem.empty())
    return problem;
  for (const char *name :
       {"UCX_TLS", "UCX_POSIX_FIFO_SIZE", "UCX_SYSV_FIFO_SIZE", "UCX_POSIX_SEG_SIZE",
        "UCX_SYSV_SEG_SIZE", "UCX_TCP_TX_SEG_SIZE", "UCX_TCP_RX_SEG_SIZE"})
    if (getenv(name))
      chosen.insert(name);
  setDefaults();
  void *library = dlopen("libucp.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return "--transport=ucx needs UCX, and it cannot be opened: " + std::string(dlerror()) +
           "; install the package libucx0 (apt-get install libucx0)";
#define F(name)                                                                                    \
  api.name = reinterpret_cast<decltype(api.name)>(dlsym(library, #name));                          \
  if (!api.name)                                                                                   \
    return std::string("this UCX has no " #name ": version 1.13 or later is needed (Debian's "     \
                       "package libucx0)");
  SLUICE_UCX_FUNCTIONS(F)
#undef F
  return std::nullopt;
}

/// What UCX may use: not the ways by which one process reads the memory of another one, as the
/// receiver would have to look before a frame moves.
constexpr const char *kTransports = "posix,sysv,tcp,self,ib";

} // namespace

bool hasRdma() {
  std::error_code none;
  static const bool has = std::filesystem::directory_iterator("/sys/class/infiniband", none) !=
                          std::filesystem::directory_iterator();
  return has;
}

std::optional<std::string> loadUcx() {
  static const std::optional<std::string> problem = openLibrary();
  return problem;
}

struct UcxWorker::Impl {
  ucp_context_h context = nullptr;
  ucp_worker_h worker = nullptr;
  ucp_ep_h peer = nullptr;
  ucp_address_t *address = nullptr;
  size_t addressBytes = 0;
  int descriptor = -1;
  std::vector<ucp_dt_iov_t> pieces; // of the message that is being sent

  std::optional<std::string> open(const WorkerOptions &);
  std::optional<std::string> openContext(const WorkerOptions &);
  void close();
};

/// Shared memory carries messages in cells, which belong to the receiver. UCX counts the bytes in
/// one by 16 bits. A message of one cell is received without an allocation. ucp_config_modify() has
/// no effect on these settings.
static void setCells(const WorkerOptions &options) {
  constexpr size_t kHead = 128, kLeast = 8192, kMost = 65408;
  size_t cell = std::clamp(options.room + kHead, kLeast, kMost) / 64 * 64;
  size_t each = (options.room + cell - kHead - 1) / (cell - kHead) + 1; // and a probe
  size_t cells = std::bit_ceil(std::clamp<size_t>(options.ahead * each, 64, 4096));
  for (auto [name, value] : {std::pair("UCX_POSIX_FIFO_SIZE", cells),
                             {"UCX_SYSV_FIFO_SIZE", cells},
                             {"UCX_POSIX_SEG_SIZE", cell},
                             {"UCX_SYSV_SEG_SIZE", cell},
                             {"UCX_TCP_TX_SEG_SIZE", cell},
                             {"UCX_TCP_RX_SEG_SIZE", cell}})
    if (!chosen.contains(name))
      setenv(name, std::to_string(value).c_str(), /*overwrite=*/1);
}

std::optional<std::string> UcxWorker::Impl::openContext(const WorkerOptions &options) {
  setCells(options);
  ucp_config_t *config;
  ucs_status_t status = api.ucp_config_read(nullptr, nullptr, &config);
  if (status != UCS_OK)
    return describe("its settings", status);
  api.ucp_config_modify(config, "RNDV_THRESH", std::to_string(options.room + 1).c_str());
  // When a peer dies UCX fails an assertion in what it sends from the caller's memory by TCP.
  api.ucp_config_modify(config, "ZCOPY_THRESH", "inf");
  if (!chosen.contains("UCX_TLS"))
    api.ucp_config_modify(config, "TLS", kTransports);
  ucp_params_t params = {};
  params.field_mask = UCP_PARAM_FIELD_FEATURES;
  params.features = UCP_FEATURE_TAG | UCP_FEATURE_WAKEUP;
  status = api.ucp_init_version(UCP_API_MAJOR, UCP_API_MINOR, &params, config, &context);
  api.ucp_config_release(config);
  return status == UCS_OK ? std::nullopt : std::optional(describe("its start", status));
}

std::optional<std::string> UcxWorker::Impl::open(const WorkerOptions &options) {
  if (auto problem = openContext(options))
    return problem;
  ucp_worker_params_t params = {};
  params.field_mask = UCP_WORKER_PARAM_FIELD_THREAD_MODE;
  params.thread_mode = UCS_THREAD_MODE_SERIALIZED;
  ucs_status_t status = api.ucp_worker_create(context, &params, &worker);
  if (status != UCS_OK)
    return describe("a worker", status);
  status = api.ucp_worker_get_efd(worker, &descriptor);
  if (status != UCS_OK)
    return describe("a worker's descriptor", status);
  status = api.ucp_worker_get_address(worker, &address, &addressBytes);
  if (status != UCS_OK)
    return describe("a worker's address", status);
  return std::nullopt;
}

void UcxWorker::Impl::close() {
  if (peer) {
    ucp_request_param_t param = {};
    param.op_attr_mask = UCP_OP_ATTR_FIELD_FLAGS;
    param.flags = UCP_EP_CLOSE_FLAG_FORCE;
    ucs_status_ptr_t closing = api.ucp_ep_close_nbx(peer, &param);
    if (UCS_PTR_IS_PTR(closing)) {
      // Bounded: a peer that does not answer is left behind.
      for (int i = 0; i < 10000 && api.ucp_request_check_status(closing) == UCS_INPROGRESS; ++i)
        api.ucp_worker_progress(worker);
      api.ucp_request_free(closing);
    }
  }
  if (address)
    api.ucp_worker_release_address(worker, address);
  if (worker)
    api.ucp_worker_destroy(worker);
  if (context)
    api.ucp_cleanup(context);
}

UcxWorker::UcxWorker() : impl(std::make_unique<Impl>()) {}
UcxWorker::~UcxWorker() { impl->close(); }

std::unique_ptr<UcxWorker> UcxWorker::make(const WorkerOptions &options, std::string &error) {
  static os::Lock lock; // what there is room for is not for two
  os::Held held(lock);
  auto missing = loadUcx();
  error = missing ? *missing : tooFewFiles();
  if (!error.empty())
    return nullptr;
  std::unique_ptr<UcxWorker> made(new UcxWorker);
  if (auto problem = made->impl->open(options)) {
    error = *problem;
    return nullptr;
  }
  return made;
}

std::span<const std::byte> UcxWorker::address() const {
  return {reinterpret_cast<const std::byte *>(impl->address), impl->addressBytes};
}

std::optional<std::string> UcxWorker::connect(std::span<const std::byte> address) {
  ucp_ep_params_t params = {};
  // UCX's own handling of errors has no shared memory: the control socket tells of a death.
  params.field_mask = UCP_EP_PARAM_FIELD_REMOTE_ADDRESS;
  params.address = reinterpret_cast<const ucp_address_t *>(address.data());
  ucs_status_t status = api.ucp_ep_create(impl->worker, &params, &impl->peer);
  if (status == UCS_OK)
    return std::nullopt;
  impl->peer = nullptr;
  return describe("no way to the other process", status) +
         "; --transport=socket does without UCX, and UCX_NET_DEVICES=NAME,... says over which "
         "network devices (`ip link` lists them)";
}

static Operation begun(ucs_status_ptr_t status) {
  if (UCS_PTR_IS_ERR(status))
    return {nullptr, true};
  return {status, false};
}

Operation UcxWorker::send(uint64_t tag, std::span<const Piece> message) {
  ucp_request_param_t param = {};
  if (message.size() == 1)
    return begun(api.ucp_tag_send_nbx(impl->peer, message[0].data, message[0].bytes, tag, &param));
  impl->pieces.clear();
  for (const Piece &piece : message)
    impl->pieces.push_back({const_cast<void *>(piece.data), piece.bytes});
  param.op_attr_mask = UCP_OP_ATTR_FIELD_DATATYPE;
  param.datatype = UCP_DATATYPE_IOV;
  return begun(
      api.ucp_tag_send_nbx(impl->peer, impl->pieces.data(), impl->pieces.size(), tag, &param));
}

Operation UcxWorker::receive(uint64_t tag, uint64_t mask, void *to, size_t bytes) {
  ucp_request_param_t param = {};
  param.op_attr_mask = UCP_OP_ATTR_FLAG_NO_IMM_CMPL;
  return begun(api.ucp_tag_recv_nbx(impl->worker, to, bytes, tag, mask, &param));
}

/// What has become of an operation whose status is `status`. Frees it if it is over.
static Progress settle(Operation &operation, ucs_status_t status) {
  if (status == UCS_INPROGRESS)
    return Progress::Pending;
  api.ucp_request_free(operation.handle);
  operation.handle = nullptr;
  return status == UCS_OK ? Progress::Done : Progress::Failed;
}

Progress UcxWorker::check(Operation &operation) {
  if (!operation.handle)
    return operation.failed ? Progress::Failed : Progress::Done;
  return settle(operation, api.ucp_request_check_status(operation.handle));
}

Progress UcxWorker::check(Operation &operation, Received &received) {
  if (!operation.handle)
    return Progress::Failed;
  ucp_tag_recv_info_t info = {};
  ucs_status_t status = api.ucp_tag_recv_request_test(operation.handle, &info);
  received = {info.sender_tag, info.length};
  return settle(operation, status);
}

bool UcxWorker::progress() { return api.ucp_worker_progress(impl->worker) != 0; }
int UcxWorker::descriptor() const { return impl->descriptor; }
bool UcxWorker::arm() { return api.ucp_worker_arm(impl->worker) == UCS_OK; }

} // namespace sluice::remote
