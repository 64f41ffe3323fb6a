// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A DRM file that counts requests and can let them fail.
#pragma once

#include <atomic>
#include <cerrno>
#include <memory>

#include "winsys/drm/drm.h"
#include "winsys/uapi/drm.h"

namespace terrazzo::test {

/// The requests that were made, and those that must fail.
struct DrmControl {
    unsigned long create_request = 0;  // creates a handle, which GEM_CLOSE closes
    bool (*undoes)(unsigned long request, const void* arg) =
        nullptr;  // requests of the vendor that release something: they do not fail
    std::atomic<unsigned> calls{0};
    std::atomic<unsigned> fail_at{0};  // the request after that many calls fails; 0: none
    std::atomic<bool> full{false};     // all requests fail, except those that release something
    unsigned long refused = 0;         // this request fails as if there were no descriptors; 0: none
    std::atomic<int> open_handles{0};
    std::atomic<bool> gone{false};  // as in a child after fork
    int dma_buf_error = 0;          // the error of requests to dma-bufs; 0: none
};

class ControlledDrm final : public winsys::Drm {
  public:
    ControlledDrm(std::unique_ptr<winsys::Drm> drm, DrmControl& control)
        : drm_(std::move(drm)), control_(control) {}

    int ioctl(unsigned long request, void* arg) override {
        if (control_.gone) return -ENODEV;
        const bool undoes = request == uapi::kIoctlGemClose || request == uapi::kIoctlSyncobjDestroy ||
                            (control_.undoes && control_.undoes(request, arg));
        if (!undoes && fails()) return -ENOMEM;
        if (request == control_.refused) return -EMFILE;
        const int error = drm_->ioctl(request, arg);
        if (!error && request == control_.create_request) control_.open_handles++;
        if (!error && request == uapi::kIoctlGemClose) control_.open_handles--;
        return error;
    }
    int map(uint64_t offset, size_t size_B, int prot, void** address) override {
        if (control_.gone) return -ENODEV;
        return fails() ? -ENOMEM : drm_->map(offset, size_B, prot, address);
    }
    void unmap(void* address, size_t size_B) override { drm_->unmap(address, size_B); }
    int descriptor_ioctl(int fd, unsigned long request, void* arg) override {
        if (control_.dma_buf_error && _IOC_TYPE(request) == 'b') return control_.dma_buf_error;
        return drm_->descriptor_ioctl(fd, request, arg);
    }

  private:
    bool fails() {
        control_.calls++;
        return control_.full || (control_.fail_at && --control_.fail_at == 0);
    }

    const std::unique_ptr<winsys::Drm> drm_;
    DrmControl& control_;
};

}  // namespace terrazzo::test
