// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are tiled (TILE6_3), or linear if other devices must understand
// them.
// Stencil with 32 bits of depth is a plane: an image of its own after that of depth. Images that are drawn
// into may be compressed (UBWC): their layouts have room for flags. The meaning of the flags is not public,
// so the GPU copies such an image to the uncompressed form for the CPU (drivers/common/images/access.cpp).
#pragma once

#include <algorithm>
#include <atomic>

#include "drivers/adreno/device.h"
#include "drivers/adreno/hw/enums.h"
#include "drivers/common/images/part.h"
#include "drivers/common/images/vendor_resource.h"
#include "drivers/common/memory/device.h"
#include "pipe/layout/a6xx.h"

namespace terrazzo::adreno {

/// The most samples of a pixel, for images and passes.
inline constexpr uint32_t kMaxSamples = 4;

/// Whether memory compressed as one of the formats can be read and drawn as the other.
[[nodiscard]] bool ubwc_compatible(pipe::Format a, pipe::Format b);

/// The tile mode of a level, or of an image.
[[nodiscard]] constexpr hw::TileMode tile_mode_of(pipe::Tiling t) {
    return t == pipe::Tiling::Linear ? hw::TileMode::TILE6_LINEAR : hw::TileMode::TILE6_3;
}

using images::ImagePart, images::Plane;

/// The layout of an image. With a stencil plane it is that of depth.
struct AdrenoImages : pipe::A6xxLayout, images::StencilParts<pipe::A6xxLayout> {};
struct AdrenoLayout : images::Placement, AdrenoImages {
    using Parts = AdrenoImages;
};

/// Whether the format can be used for all of `bind` at once. False for what the driver does not support yet:
/// stencil without depth.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

class AdrenoResource final : public images::VendorResource<AdrenoResource, Device, AdrenoLayout> {
  public:
    // --- required by images::VendorResource

    static constexpr pipe::ModifierTable<3> kModifiers{
        {pipe::kModQcomCompressed, pipe::kModQcomTiled3, pipe::kModifierLinear}, 1};
    static constexpr auto& supported = format_supported;
    static constexpr auto& same_compression = ubwc_compatible;
    static constexpr uint64_t kBufferAlign_B = 64, kImageAlign_B = 4096;
    [[nodiscard]] static bool shares_compressed(const Device& device, pipe::Format f, bool offered);
    [[nodiscard]] static pipe::LayoutStatus lay_out(const Device& device, const pipe::ResourceDesc& desc,
                                                    bool own, AdrenoLayout* out, const char** why);
    using SharedDesc = pipe::A6xxLayoutDesc;
    static constexpr auto& apply_modifier = pipe::a6xx_apply_modifier;
    [[nodiscard]] static pipe::LayoutStatus compute(const Device& device, const SharedDesc& d,
                                                    AdrenoLayout* out);
    static void place_shared(const pipe::SharedImage& at, bool imported, SharedDesc* d);
    using VendorResource::VendorResource;
    /// Flags precede the pixels.
    [[nodiscard]] uint64_t shared_at_B() const {
        return is_compressed() ? ubwc.level[0].offset_B : VendorResource::shared_at_B();
    }
    void note_others() { note_write_step(UINT64_MAX); }

    [[nodiscard]] const pipe::A6xxLayout& a6xx_layout(Plane p) const {
        return p == Plane::Main ? *this : stencil;
    }

    void before_cpu_write() override {
        keep_plain();
        note_write();
    }
    /// The last step (CacheTracker) in which a recording of any context wrote it; it may also be a later one.
    /// With it, contexts need not search their own steps. Unknown for imported memory, which may belong to
    /// several resources: then it is the maximum.
    [[nodiscard]] uint64_t last_write_step() const {
        return last_write_step_.load(std::memory_order_relaxed);
    }
    void note_write_step(uint64_t step) {
        uint64_t last = last_write_step();
        while (last < step &&
               !last_write_step_.compare_exchange_weak(last, step, std::memory_order_relaxed)) {
        }
    }
    /// Unique in the process; never used again.
    const uint64_t id = memory::unique_number();
    /// Counts writes: by the CPU, and by recorded work.
    [[nodiscard]] uint64_t writes() const { return writes_.load(std::memory_order_relaxed); }
    void note_write() { writes_.fetch_add(1, std::memory_order_relaxed); }

  private:
    std::atomic<uint64_t> writes_{0}, last_write_step_{0};
};

/// adreno(resource) casts to AdrenoResource.
inline constexpr images::Downcast<AdrenoResource> adreno;

}  // namespace terrazzo::adreno
