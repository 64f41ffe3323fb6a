// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// winsys::Drm on the virtual kernel in the same process: calls instead of system calls.
#include <sys/mman.h>

#include <cerrno>
#include <new>

#include "winsys/drm/drm.h"
#include "winsys/virtual/files/file.h"
#include "winsys/virtual/memory/child_memory.h"

namespace terrazzo::winsys {
namespace {

class VirtualDrm final : public Drm {
  public:
    explicit VirtualDrm(std::shared_ptr<virt::Device> device)
        : file_(std::move(device), virt::Node::Render, true) {}
    int ioctl(unsigned long request, void* arg) override { return file_.ioctl(request, arg); }
    int map(uint64_t offset, size_t size_B, int prot, void** address) override {
        void* p = nullptr;
        if (const int error = file_.mmap(nullptr, size_B, prot, MAP_SHARED, offset, &p)) return error;
        if (!virt::keep_from_children(p, size_B)) {
            munmap(p, size_B);
            return -ENOMEM;
        }
        *address = p;
        return 0;
    }
    void unmap(void* address, size_t size_B) override {
        virt::forget_children_of(address);
        munmap(address, size_B);
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
