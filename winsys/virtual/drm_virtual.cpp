// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The virtual kernel as a driver in the same process sees it: calls instead of system calls.
#include <sys/mman.h>

#include <cerrno>
#include <new>

#include "winsys/drm.h"
#include "winsys/virtual/file.h"

namespace terrazzo::winsys {
namespace {

class VirtualDrm final : public Drm {
  public:
    explicit VirtualDrm(std::shared_ptr<virt::Device> device)
        : file_(std::move(device), virt::Node::Render, true) {}
    int ioctl(unsigned long request, void* arg) override { return file_.ioctl(request, arg); }
    int map(uint64_t offset, size_t size_B, int prot, void** address) override {
        return file_.mmap(nullptr, size_B, prot, MAP_SHARED, offset, address);
    }
    int descriptor_ioctl(int fd, unsigned long request, void* arg) override {
        bool ours;
        return file_.device().descriptor_ioctl(fd, request, arg, &ours);
    }

  private:
    virt::File file_;
};

}  // namespace

std::unique_ptr<Drm> open_virtual_drm(std::shared_ptr<virt::Device> device) {
    try {
        return std::make_unique<VirtualDrm>(std::move(device));
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

}  // namespace terrazzo::winsys
