// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are U-interleaved where nobody else must understand them, linear
// otherwise.
#pragma once

#include "drivers/mali/bo.h"
#include "drivers/mali/hw/chips.h"
#include "pipe/layout/layout.h"
#include "pipe/screen.h"

namespace terrazzo::mali {

class MaliResource final : public pipe::Resource {
  public:
    /// Reads as zero. Null: out of memory, or a bad descriptor (said in the device's log).
    [[nodiscard]] static pipe::Ref<MaliResource> create(Device& device, const pipe::ResourceDesc& desc);
    [[nodiscard]] static pipe::Ref<MaliResource> import(Device& device, const pipe::ResourceDesc& desc,
                                                        const pipe::SharedImage& image);
    /// False: cannot be shared.
    [[nodiscard]] bool export_to(pipe::SharedImage* out);

    const pipe::SurfaceLayout layout;
    /// The storage. Only transfers replace it (a discarded buffer that is in use gets new memory): whoever
    /// recorded the old one holds a reference to that.
    const pipe::Ref<Bo>& bo() const { return bo_; }
    uint64_t va() const { return bo_->va + offset_B_; }
    uint8_t* cpu() const { return bo_->cpu + offset_B_; }
    /// First byte of a 2D image of it.
    uint64_t image_va(uint32_t level, uint32_t z) const { return va() + layout.image_offset_B(level, z); }
    /// New memory, contents undefined, for a resource whose contents may be lost. Counts up storage_serial.
    /// False: out of memory, nothing changed.
    [[nodiscard]] bool rename();
    /// Changes when bo() does: descriptors made of an older one are stale.
    uint32_t storage_serial() const { return storage_serial_; }

    /// The recorder that last took a reference (batch serials are unique in the process): saves it doing so
    /// again.
    std::atomic<uint64_t> read_by{0}, written_by{0};

  private:
    MaliResource(const pipe::ResourceDesc& desc, const pipe::SurfaceLayout& layout, pipe::Ref<Bo> bo,
                 uint64_t offset_B);
    pipe::Ref<Bo> bo_;
    uint64_t offset_B_ = 0;
    uint32_t storage_serial_ = 0;
};

inline MaliResource& mali(pipe::Resource& r) {
    return static_cast<MaliResource&>(r);
}

/// All of `bind` at once. `chip`: compressed formats are the chip's choice.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

}  // namespace terrazzo::mali
