// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are tiled (TILE6_3) where nobody else must understand them, linear otherwise. None is compressed (UBWC) yet: what
// the hardware writes into flags is not public, so that only the GPU could make such an image plain for the CPU.
#pragma once

#include <atomic>

#include "drivers/adreno/device.h"
#include "drivers/common/images/stored.h"
#include "pipe/layout/a6xx.h"
#include "pipe/screen.h"

namespace terrazzo::adreno {

/// Of a pixel of images and passes.
inline constexpr uint32_t kMaxSamples = 4;

class AdrenoResource final : public images::StoredResource {
  public:
    /// Reads as zero. Null: out of memory, or a bad descriptor (said in the device's log). `flags`: more of its memory's.
    [[nodiscard]] static pipe::Ref<AdrenoResource> create(Device& device, const pipe::ResourceDesc& desc,
                                                          uint32_t flags = 0);
    [[nodiscard]] static pipe::Ref<AdrenoResource> import(Device& device, const pipe::ResourceDesc& desc,
                                                          const pipe::SharedImage& image);
    /// False: cannot be shared.
    [[nodiscard]] bool export_to(pipe::SharedImage* out);

    /// Of images; `layout` is its surface.
    const pipe::A6xxLayout image;
    /// Recorder's.
    std::atomic<uint64_t> written_step{0};

  private:
    AdrenoResource(const pipe::ResourceDesc& desc, const pipe::A6xxLayout& image, pipe::Ref<Bo> bo)
        : StoredResource(desc, image.surface, std::move(bo), 0), image(image) {}
};

inline AdrenoResource& adreno(pipe::Resource& r) {
    return static_cast<AdrenoResource&>(r);
}

/// All of `bind` at once. What is not there yet is false as well: stencil beside 32-bit depth.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

}  // namespace terrazzo::adreno
