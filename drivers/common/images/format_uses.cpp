// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/images/format_uses.h"

#include <algorithm>

#include "pipe/image_formats.h"

namespace terrazzo::images {

namespace {

bool buffer_supports(const FormatUses& uses, uint32_t bind) {
    namespace b = pipe::bind;
    constexpr uint32_t kTexels = b::kSampled | b::kImage;
    return !(bind & ~(b::kVertex | b::kIndirect | kTexels)) && (!(bind & b::kVertex) || uses.vertex) &&
           (!(bind & kTexels) || uses.texture);
}

bool image_supports(const FormatUses& uses, pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                    uint32_t bind) {
    namespace b = pipe::bind;
    if (samples > 1) {
        const bool flat = kind == pipe::ResourceKind::Tex2D || kind == pipe::ResourceKind::Tex2DArray;
        if (!flat || !(uses.color || uses.depth_stencil) ||
            (bind & ~(b::kColor | b::kDepthStencil | b::kSampled)))
            return false;
    }
    const pipe::FormatInfo& info = pipe::format_info(f);
    if (info.is_vertex_only || !(uses.texture || uses.color || uses.depth_stencil)) return false;
    if ((bind & b::kSampled) && !uses.texture) return false;
    if ((bind & b::kColor) && !uses.color) return false;
    if ((bind & b::kDepthStencil) && !uses.depth_stencil) return false;
    // The importers of a shared image expect one plane of pixel rows.
    if (bind & (b::kShared | b::kScanout)) return kind == pipe::ResourceKind::Tex2D && !info.is_compressed;
    return true;
}

}  // namespace

bool resource_supports(const std::optional<FormatUses>& uses, pipe::Format f, pipe::ResourceKind kind,
                       uint32_t samples, uint32_t bind) {
    if ((bind & pipe::bind::kImage) && !pipe::is_image_format(f)) return false;
    const bool is_buffer = kind == pipe::ResourceKind::Buffer;
    if (is_buffer && f == pipe::Format::None) return true;
    if (!uses || (bind & (pipe::bind::kStorage | pipe::bind::kStreamOut))) return false;
    return is_buffer ? buffer_supports(*uses, bind) : image_supports(*uses, f, kind, samples, bind);
}

uint64_t inside_B(const pipe::Resource& buffer, uint64_t offset_B, uint64_t size_B) {
    const uint64_t all_B = buffer.desc.width;
    return offset_B < all_B ? std::min(size_B, all_B - offset_B) : 0;
}

uint32_t buffer_texels(const pipe::Resource& buffer, pipe::Format f, uint64_t offset_B, uint64_t size_B,
                       uint32_t most) {
    const uint64_t count = inside_B(buffer, offset_B, size_B) / pipe::format_info(f).block_B;
    return uint32_t(std::min<uint64_t>(count, most));
}

}  // namespace terrazzo::images
