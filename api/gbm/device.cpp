// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/gbm/device.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <new>
#include <vector>

#include "api/gbm/bo.h"
#include "api/gbm/formats.h"
#include "api/gbm/live_set.h"
#include "api/gbm/surface.h"
#include "pipe/debug.h"
#include "winsys/drm/drm_file.h"
#include "winsys/environment/environment.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::gbm {
namespace {

thread_local bool failure_is_expected = false;

void write_log(void*, pipe::Severity severity, std::string_view message) {
    using pipe::Severity, pipe::DebugWord;
    const bool told = severity >= Severity::Warning
                          ? !failure_is_expected || pipe::debug(DebugWord::Egl)
                          : severity == Severity::Performance && pipe::debug(DebugWord::Perf);
    if (told) std::fprintf(stderr, "terrazzo: %.*s\n", int(message.size()), message.data());
}

/// Whether both descriptors are of one open file, so that they share handles.
bool same_file(int a, int b) {
    const long answer = syscall(SYS_kcmp, getpid(), getpid(), KCMP_FILE, a, b);
    return answer == 0;
}

/// Devices by their files.
struct Registry {
    std::mutex mutex;
    std::vector<std::pair<int, std::weak_ptr<Device>>> files;
};
Registry& registry() {
    static Registry* const r = new Registry;  // outlives all static destructors of the program
    return *r;
}

/// Whether it is a KMS device (not a render node) whose dumb buffers can become dma-bufs.
bool has_dumb_buffers(winsys::Drm& drm, int fd) {
    uapi::drm_get_cap dumb{uapi::kCapDumbBuffer, 0}, prime{uapi::kCapPrime, 0};
    return api::is_primary_node(fd) && drm.ioctl(uapi::kIoctlGetCap, &dumb) == 0 && dumb.value &&
           drm.ioctl(uapi::kIoctlGetCap, &prime) == 0 && (prime.value & uapi::kPrimeCapExport);
}

void destroy_device(gbm_device* handle) {
    live<gbm_device>().erase(handle);
    delete static_cast<DeviceHandle*>(handle);
}

int is_format_supported(gbm_device* handle, uint32_t format, uint32_t flags) {
    const Device& device = *device_of(handle);
    return image_format(device.screen(), canonical_format(format), flags & GBM_BO_USE_RENDERING) !=
           pipe::Format::None;
}

int get_format_modifier_plane_count(gbm_device* handle, uint32_t format, uint64_t modifier) {
    const unsigned planes = plane_count(device_of(handle)->screen(), canonical_format(format), modifier);
    return planes ? int(planes) : -1;
}

}  // namespace

Device::Device(int fd, std::unique_ptr<winsys::Drm> drm, api::FileDevice opened)
    : fd_(fd),
      drm_(std::move(drm)),
      opened_(std::move(opened)),
      scans_out_dumb_(opened_.software && has_dumb_buffers(*drm_, fd_)),
      handles_(*drm_, !opened_.on_file) {}

Device::~Device() {
    Registry& r = registry();
    const std::lock_guard lock(r.mutex);
    std::erase_if(r.files, [&](const auto& f) { return f.first == fd_; });
    close(fd_);
}

std::shared_ptr<Device> Device::open(int fd, std::string* why) {
    Registry& r = registry();
    // Held while a device is opened, so that two threads do not open one for the same file.
    std::unique_lock lock(r.mutex);
    for (const auto& [other, known] : r.files)
        if (std::shared_ptr<Device> device = same_file(fd, other) ? known.lock() : nullptr) {
            lock.unlock();
            return device;
        }
    r.files.reserve(r.files.size() + 1);
    const int own = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    std::unique_ptr<winsys::Drm> drm = own >= 0 ? winsys::open_drm_fd(fd, why) : nullptr;
    api::FileDevice opened;
    if (drm) opened = api::open_device_for_fd(fd, pipe::Log{write_log, nullptr}, why);
    if (!opened.screen) {
        if (own < 0) *why = "there is no descriptor left";
        if (own >= 0) close(own);
        return nullptr;
    }
    std::shared_ptr<Device> device(new Device(own, std::move(drm), std::move(opened)));
    r.files.emplace_back(own, device);
    return device;
}

gbm_device* create_device(int fd, uint32_t abi_version) try {
    struct stat st {};
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISCHR(st.st_mode)) {
        errno = EINVAL;
        return nullptr;
    }
    winsys::check_environment();
    std::string why;
    std::shared_ptr<Device> device = Device::open(fd, &why);
    if (!device) {
        std::fprintf(stderr, "terrazzo: gbm_create_device: %s\n", why.c_str());
        errno = ENODEV;
        return nullptr;
    }
    auto handle = std::make_unique<DeviceHandle>();
    handle->device = std::move(device);
    gbm_device_v0& v = handle->v0;
    v.backend_version = std::min(abi_version, kGbmAbiVersion);
    v.fd = fd;
    v.name = "terrazzo";
    v.destroy = destroy_device;
    v.is_format_supported = is_format_supported;
    v.get_format_modifier_plane_count = get_format_modifier_plane_count;
    fill_bo_functions(&v);
    fill_surface_functions(&v);
    live<gbm_device>().insert(static_cast<gbm_device*>(handle.get()));
    return handle.release();
} catch (const std::bad_alloc&) {
    errno = ENOMEM;
    return nullptr;
}

std::shared_ptr<Device> find_device(const void* native) {
    if (!live<gbm_device>().contains(native)) return nullptr;
    return static_cast<const DeviceHandle*>(static_cast<const gbm_device*>(native))->device;
}

ExpectedFailure::ExpectedFailure() : before_(std::exchange(failure_is_expected, true)) {}

ExpectedFailure::~ExpectedFailure() {
    failure_is_expected = before_;
}

}  // namespace terrazzo::gbm
