// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are twiddled (pipe/layout/agx.h), or linear if other devices must
// understand them; depth and stencil are always twiddled. Images are never compressed. Stencil with 32 bits
// of depth is a plane: an image of its own after that of depth.
#pragma once

#include <algorithm>

#include "drivers/agx/device.h"
#include "drivers/common/images/vendor_resource.h"
#include "pipe/layout/agx.h"

namespace terrazzo::agx {

/// The most samples of a pixel, for images and passes.
inline constexpr uint32_t kMaxSamples = 1;
/// The samples of a pixel if at least `wanted` are asked for.
[[nodiscard]] constexpr uint32_t samples_of(uint32_t wanted) {
    return std::min(wanted <= 1 ? 1u : wanted == 2 ? 2u : 4u, kMaxSamples);
}

/// A part of an image: everything, or everything except stencil (Main), or a separate stencil plane.
enum class Plane : uint8_t { Main, Stencil };

struct AgxImages {
    /// The begins of layers are multiples of a page, which descriptors say; also in the plane of stencil.
    bool page_aligned_layers = false;
    /// The layout of the stencil plane; 0 levels: there is none. The image is then that of depth.
    pipe::SurfaceLayout stencil{};
    /// The offset of the plane, a multiple of a page.
    uint64_t stencil_begin_B = 0;
    [[nodiscard]] const pipe::SurfaceLayout& stencil_layout() const { return stencil; }
    [[nodiscard]] uint64_t stencil_at_B() const { return stencil_begin_B; }
};
struct AgxLayout : images::Placement, AgxImages {
    using Parts = AgxImages;
    pipe::SurfaceLayout surface;
};

/// Whether the format can be used for all of `bind` at once.
[[nodiscard]] bool format_supported(const hw::Chip& chip, pipe::Format f, pipe::ResourceKind kind,
                                    uint32_t samples, uint32_t bind);

class AgxResource final : public images::VendorResource<AgxResource, Device, AgxLayout> {
  public:
    // --- required by images::VendorResource

    static constexpr pipe::ModifierTable<2> kModifiers{{pipe::kModAppleTiled, pipe::kModifierLinear}, 0};
    static constexpr auto& supported = format_supported;
    [[nodiscard]] static bool same_compression(pipe::Format, pipe::Format) { return true; }
    static constexpr uint64_t kBufferAlign_B = 64, kImageAlign_B = pipe::kAgxLine_B;
    /// The driver never compresses.
    [[nodiscard]] static bool shares_compressed(const Device&, pipe::Format, bool) { return false; }
    [[nodiscard]] static pipe::LayoutStatus lay_out(const Device& device, const pipe::ResourceDesc& desc,
                                                    bool own, AgxLayout* out, const char** why);
    [[nodiscard]] static pipe::LayoutStatus lay_out_shared(const Device& device,
                                                           const pipe::ResourceDesc& desc,
                                                           const pipe::SharedImage& at, bool imported,
                                                           AgxLayout* out);
    using VendorResource::VendorResource;
    [[nodiscard]] uint32_t shared_stride_B() const;

    [[nodiscard]] const pipe::SurfaceLayout& plane(Plane p) const {
        return p == Plane::Main ? layout : stencil;
    }
    /// The offset from the image's first byte.
    [[nodiscard]] uint64_t plane_offset_B(Plane p, uint32_t level, uint32_t z) const {
        return plane(p).image_offset_B(level, z) + (p == Plane::Stencil ? stencil_begin_B : 0);
    }
};

/// agx(resource) casts to AgxResource.
inline constexpr images::Downcast<AgxResource> agx;

}  // namespace terrazzo::agx
