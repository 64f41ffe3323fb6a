// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Follows Linux' drivers/gpu/drm/vgem/vgem_drv.c, without dumb buffers (the CPU device has its own memory)
// and fences.
#include "winsys/virtual/vgem/chip.h"

#include <new>

#include "winsys/virtual/files/file.h"

namespace terrazzo::winsys::virt {
namespace {

class Driver final : public KernelDriver {
  public:
    [[nodiscard]] const Version& version() const override {
        static constexpr Version kVersion = {"vgem", "Virtual GEM provider", "20120112", 1, 0, 0};
        return kVersion;
    }
    [[nodiscard]] std::unique_ptr<DriverFile> open(File&) override { return std::make_unique<DriverFile>(); }
    [[nodiscard]] const IoctlDesc* find_ioctl(unsigned) const override { return nullptr; }
    [[nodiscard]] std::shared_ptr<BufferObject> mmap_object(uint64_t, uint64_t, int) override {
        return nullptr;
    }
    [[nodiscard]] uint64_t first_special_offset() const override { return UINT64_MAX; }
    void stop() override {}
};

class VgemChip final : public Chip {
  public:
    std::string_view name() const override { return "vgem"; }
    std::string_view kernel_driver() const override { return "vgem"; }
    PlatformDevice platform() const override { return {"0", "vgem", "vgem", {"linux,vgem"}}; }
    bool has_gpu() const override { return false; }
    std::shared_ptr<Device> create_device(bool, uint64_t) const override {
        try {
            auto device = Device::create();
            if (device) device->set_driver(std::make_unique<Driver>());
            return device;
        } catch (const std::bad_alloc&) {
            return nullptr;
        }
    }
};

}  // namespace

const Chip& vgem_chip() {
    static const VgemChip chip;
    return chip;
}

}  // namespace terrazzo::winsys::virt
