// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/memory/implicit_fences.h"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "drivers/common/memory/device.h"
#include "winsys/drm/sync_file.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::memory {
namespace {

using namespace terrazzo::uapi;

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return fd_; }

  private:
    const int fd_;
};

uint32_t direction(bool write) {
    return write ? kDmaBufWrite : kDmaBufRead;
}

/// The other users' fences as one sync file; -1: there are none, the kernel cannot export them (`*old`), or
/// no descriptor is left.
int export_users(const Bo& bo, int dmabuf, bool write, bool* old) {
    dma_buf_sync_file request{direction(write), -1};
    const int error = bo.device->drm().descriptor_ioctl(dmabuf, kIoctlDmaBufExportSyncFile, &request);
    *old = error == -ENOTTY;
    return error ? -1 : request.fd;
}

}  // namespace

void collect_foreign(const Bo& bo, bool write, std::vector<Point>* out) {
    const Descriptor dmabuf(bo.device->open_dmabuf(bo));
    if (dmabuf < 0) return;
    bool old = false;
    const Descriptor users(export_users(bo, dmabuf, write, &old));
    if (old) (void)winsys::wait_for_dmabuf(dmabuf, write, UINT64_MAX);
    if (users < 0 || winsys::sync_file_signalled(users)) return;
    if (pipe::Ref<Timeline> timeline = Timeline::import_sync_file(*bo.device, users))
        out->push_back({std::move(timeline), 1});
    else
        winsys::wait_for_sync_file(users);
}

WaitResult wait_for_foreign(const Bo& bo, bool write, uint64_t timeout_ns) {
    const Descriptor dmabuf(bo.device->open_dmabuf(bo));
    if (dmabuf < 0) return WaitResult::Done;
    bool old = false;
    const Descriptor users(export_users(bo, dmabuf, write, &old));
    const bool done = old ? winsys::wait_for_dmabuf(dmabuf, write, timeout_ns)
                          : users < 0 || winsys::wait_for_sync_file(users, timeout_ns);
    return done ? WaitResult::Done : WaitResult::Timeout;
}

bool tell_foreign(const Bo& bo, int sync_file, bool write) {
    const Descriptor dmabuf(bo.device->open_dmabuf(bo));
    if (dmabuf < 0 || sync_file < 0) return false;
    dma_buf_sync_file request{direction(write), sync_file};
    return bo.device->drm().descriptor_ioctl(dmabuf, kIoctlDmaBufImportSyncFile, &request) == 0;
}

}  // namespace terrazzo::memory
