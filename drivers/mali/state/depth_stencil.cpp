// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, genxml/v10.xml, pan_cmdstream.c (the units of depth bias; a disabled test is a
// comparison that always passes).
#include "drivers/mali/state/depth_stencil.h"

#include <bit>
#include <cstring>

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/state/fragment_flags.h"
#include "pipe/state_facts.h"

namespace terrazzo::mali {

namespace {

static_assert(unsigned(hw::CompareFunc::Less) == unsigned(pipe::Compare::Less) &&
              unsigned(hw::CompareFunc::Lequal) == unsigned(pipe::Compare::LessEqual) &&
              unsigned(hw::CompareFunc::Greater) == unsigned(pipe::Compare::Greater) &&
              unsigned(hw::CompareFunc::NotEqual) == unsigned(pipe::Compare::NotEqual) &&
              unsigned(hw::CompareFunc::Gequal) == unsigned(pipe::Compare::GreaterEqual) &&
              unsigned(hw::CompareFunc::Always) == unsigned(pipe::Compare::Always));
hw::CompareFunc compare(pipe::Compare c) {
    return hw::CompareFunc(unsigned(c));
}

hw::StencilOp stencil_op(pipe::StencilOp op) {
    using enum hw::StencilOp;
    // By StencilOp.
    static constexpr hw::StencilOp kOps[] = {Keep,    Zero,   Replace,  IncrSat,
                                             DecrSat, Invert, IncrWrap, DecrWrap};
    static_assert(std::size(kOps) == unsigned(pipe::StencilOp::DecrWrap) + 1);
    return kOps[unsigned(op)];
}

MaliDepthStencil::Words pack_words(const pipe::DepthStencilDesc& d, bool has_depth, bool has_stencil) {
    hw::DepthStencil s;
    s.front_compare_function = s.back_compare_function = s.depth_function = hw::CompareFunc::Always;
    if (has_depth && d.depth_test) {
        s.depth_function = compare(d.depth_compare);
        s.depth_write_enable = d.depth_write;
        if (d.depth_clamp) {
            s.depth_cull_enable = false;
            s.depth_clamp_mode = hw::DepthClampMode::Bounds;
        }
    }
    if (has_stencil && d.stencil_test) {
        s.stencil_test_enable = true;
        s.front_compare_function = compare(d.front.compare);
        s.front_stencil_fail = stencil_op(d.front.fail);
        s.front_depth_fail = stencil_op(d.front.depth_fail);
        s.front_depth_pass = stencil_op(d.front.pass);
        s.front_value_mask = d.front.read_mask;
        s.front_write_mask = d.front.write_mask;
        s.back_compare_function = compare(d.back.compare);
        s.back_stencil_fail = stencil_op(d.back.fail);
        s.back_depth_fail = stencil_op(d.back.depth_fail);
        s.back_depth_pass = stencil_op(d.back.pass);
        s.back_value_mask = d.back.read_mask;
        s.back_write_mask = d.back.write_mask;
    }
    s.depth_source = hw::DepthSource::Minimum;  // 0; write_depth_stencil() sets it
    MaliDepthStencil::Words words;
    hw::pack(s, words.data());
    return words;
}

// The bits that change from draw to draw.
struct Dynamic {
    uint32_t references, flags;  // words 2 and 4
};
constexpr Dynamic pack_dynamic(uint8_t front, uint8_t back, bool bias, bool shader_writes_depth) {
    hw::DepthStencil s;
    s.depth_cull_enable = false;
    s.depth_clamp_mode = {};
    s.front_reference_value = front;
    s.back_reference_value = back;
    s.depth_bias_enable = bias;
    s.depth_source = shader_writes_depth ? hw::DepthSource::Shader : hw::DepthSource::FixedFunction;
    uint32_t words[8] = {};
    hw::pack(s, words);
    return {words[2], words[4]};
}
/// The bits of word 0 for a shader that writes stencil.
constexpr uint32_t stencil_from_shader() {
    hw::DepthStencil s;
    uint32_t without[8] = {}, with[8] = {};
    hw::pack(s, without);
    s.stencil_from_shader = true;
    hw::pack(s, with);
    return with[0] ^ without[0];
}

}  // namespace

MaliDepthStencil::MaliDepthStencil(const pipe::DepthStencilDesc& d)
    : desc(d),
      words(pack_words(d, true, true)),
      reduced{pack_words(d, false, false), pack_words(d, true, false), pack_words(d, false, true)} {
    using pipe::Compare;
    writes = (d.depth_test && d.depth_write) || pipe::writes_stencil(d);
    always_passes =
        (!d.depth_test || d.depth_compare == Compare::Always) &&
        (!d.stencil_test || (d.front.compare == Compare::Always && d.back.compare == Compare::Always));
}

void write_depth_stencil(const MaliDepthStencil& zs, const MaliRaster& raster, uint8_t front_ref,
                         uint8_t back_ref, pipe::Format attachment, bool shader_writes_depth,
                         bool shader_writes_stencil, uint32_t out[8]) {
    const pipe::FormatInfo& format = pipe::format_info(attachment);
    const unsigned has = unsigned(format.has_depth) | unsigned(format.has_stencil) << 1;
    const MaliDepthStencil::Words& from = has == 3 ? zs.words : zs.reduced[has];
    const pipe::RasterDesc& r = raster.desc;
    const Dynamic dynamic = pack_dynamic(front_ref, back_ref, r.depth_bias, shader_writes_depth);
    // The hardware's unit of fixed-point depth is half of OpenGL's.
    const float units = format.has_depth && format.channel[0].type == pipe::ChannelType::Float ? 1.0f : 2.0f;
    const auto bits = [&](float v) { return r.depth_bias ? std::bit_cast<uint32_t>(v) : 0u; };
    const uint32_t words[8] = {from[0] | (shader_writes_stencil ? stencil_from_shader() : 0),
                               from[1],
                               dynamic.references,
                               from[3],
                               from[4] | dynamic.flags,
                               bits(units * r.depth_bias_units),
                               bits(r.depth_bias_factor),
                               bits(r.depth_bias_clamp)};
    std::memcpy(out, words, sizeof words);
}

}  // namespace terrazzo::mali
