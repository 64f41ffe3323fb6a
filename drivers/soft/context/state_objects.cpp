// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/context/state_objects.h"

#include <algorithm>

namespace terrazzo::soft {

namespace {

BlendDigest::Kind blend_kind(const pipe::BlendTargetDesc& t) {
    using F = pipe::BlendFactor;
    using Kind = BlendDigest::Kind;
    if (!t.write_mask) return Kind::Skip;
    if (!t.enable) return Kind::Replace;
    if (t.advanced != pipe::AdvancedBlend::None) return Kind::Advanced;
    const bool adds = t.op_rgb == pipe::BlendOp::Add && t.op_alpha == pipe::BlendOp::Add;
    const auto factors = [&](F src, F dst) {
        return adds && t.src_rgb == src && t.src_alpha == src && t.dst_rgb == dst && t.dst_alpha == dst;
    };
    if (factors(F::One, F::Zero)) return Kind::Replace;
    if (factors(F::SrcAlpha, F::OneMinusSrcAlpha)) return Kind::Over;
    if (factors(F::One, F::OneMinusSrcAlpha)) return Kind::PremulOver;
    if (factors(F::One, F::One)) return Kind::Add;
    const auto second = [](F f) { return f >= F::Src1Color; };
    if (second(t.src_rgb) || second(t.dst_rgb) || second(t.src_alpha) || second(t.dst_alpha))
        return Kind::Dual;
    return Kind::General;
}

}  // namespace

SoftBlend::SoftBlend(const pipe::BlendDesc& d) : desc(d) {
    for (unsigned i = 0; i < pipe::kMaxColorTargets; ++i)
        kind[i] = blend_kind(d.targets[i]);
}

SoftVertexLayout::SoftVertexLayout(const pipe::VertexLayoutDesc& d) : desc(d) {
    for (unsigned i = 0; i < d.count && i < pipe::kMaxVertexAttribs; ++i)
        element_B[i] = pipe::format_info(d.elements[i].format).block_B;
}

SoftSamplerView::SoftSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d)
    : SamplerView(std::move(r), d) {
    const SoftResource& res = soft(*resource);
    unit.format = d.format == pipe::Format::None ? res.desc.format : d.format;
    unit.kind = d.kind;
    unit.stencil = d.stencil;
    std::copy_n(d.swizzle, 4, unit.swizzle);
    if (res.desc.kind == pipe::ResourceKind::Buffer) {
        show_buffer(res);
        return;
    }
    const uint32_t top = res.desc.levels - 1;
    unit.first_level = int32_t(std::min<uint32_t>(d.first_level, top));
    unit.last_level = int32_t(std::clamp<uint32_t>(d.last_level, uint32_t(unit.first_level), top));
    const bool is_3d = d.kind == pipe::ResourceKind::Tex3D;
    const uint32_t slices = res.level(0).slices;
    const uint32_t first_layer = is_3d ? 0 : std::min<uint32_t>(d.first_layer, slices - 1);
    const uint32_t last_layer = std::clamp<uint32_t>(d.last_layer, first_layer, slices - 1);
    unit.layers = is_3d ? 1 : int32_t(last_layer - first_layer + 1);
    // A single-sampled image may be bound as a multisampled texture, too: sample 0 and level 0 have the same
    // meaning.
    if (res.desc.samples > 1) unit.samples = int32_t(res.desc.samples);
    unit.sample_stride_B = res.level(0).sample_stride_B;
    for (uint32_t i = 0; i < res.desc.levels; ++i) {
        const LevelLayout& l = res.level(i);
        unit.levels[i] = {res.slice(i, first_layer), l.row_stride_B,    l.layer_stride_B,
                          int32_t(l.width),          int32_t(l.height), int32_t(l.depth)};
    }
}

/// The whole texels within the buffer, as one row. If there are none, nothing is bound.
void SoftSamplerView::show_buffer(const SoftResource& res) {
    const uint32_t texel_B = std::max<uint32_t>(pipe::format_info(unit.format).block_B, 1);
    const uint64_t offset_B = std::min(desc.buffer_offset_B, res.size_B());
    const uint64_t size_B = std::min(desc.buffer_size_B, res.size_B() - offset_B);
    const uint64_t texels = std::min<uint64_t>(size_B / texel_B, kMaxBufferTexels);
    if (!texels || unit.kind != pipe::ResourceKind::Buffer) {
        unit.format = pipe::Format::None;
        return;
    }
    unit.layers = 1;
    unit.levels[0] = {res.data() + offset_B, uint32_t(texels * texel_B), 0, int32_t(texels), 1, 1};
}

}  // namespace terrazzo::soft
