// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers and images in GPU memory. Images are twiddled (pipe/layout/agx.h), or linear if other devices must
// understand them; depth and stencil are always twiddled. Images are never compressed. Stencil with 32 bits
// of depth is a plane: an image of its own after that of depth.
#pragma once

#include "drivers/agx/device.h"
#include "drivers/common/images/vendor_resource.h"
#include "pipe/layout/agx.h"

namespace terrazzo::agx {

/// The samples of a pixel, for images and passes.
inline constexpr images::SampleCounts<1> samples_of;
inline constexpr uint32_t kMaxSamples = samples_of.kMost;

using images::Plane;

/// The plane of stencil begins at a page.
struct AgxImages : images::StencilParts<> {
    /// The begins of layers are multiples of a page, which descriptors say; also in the plane of stencil.
    bool page_aligned_layers = false;
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
    [[nodiscard]] static pipe::LayoutStatus lay_out(const Device& device, const pipe::ResourceDesc& desc,
                                                    bool own, AgxLayout* out, const char** why);
    using SharedDesc = pipe::AgxLayoutDesc;
    static constexpr auto& apply_modifier = pipe::agx_apply_modifier;
    [[nodiscard]] static pipe::LayoutStatus compute(const Device& device, const SharedDesc& d,
                                                    AgxLayout* out);
    static constexpr images::SharedAlign kSharedAlign{pipe::kAgxStrideAlign_B, kImageAlign_B};
    using VendorResource::VendorResource;
    /// As drm_fourcc.h demands.
    [[nodiscard]] uint32_t tiled_stride_B() const {
        return uint32_t(pipe::format_row_B(desc.format, desc.width));
    }
};

/// agx(resource) casts to AgxResource.
inline constexpr images::Downcast<AgxResource> agx;

}  // namespace terrazzo::agx
