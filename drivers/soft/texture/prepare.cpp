// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// prepare_texture_unit: determines how a unit's texels are read and chooses the functions. See shader_abi.h.
#include <algorithm>
#include <cstring>

#include "drivers/soft/texture/kernels.h"

namespace terrazzo::soft {

#define TZ_EIGHT(n) \
    { n, n, n, n, n, n, n, n }
const FilterConstants kFilter8 = {
    TZ_EIGHT(128),
    TZ_EIGHT(255),
    TZ_EIGHT(1),
    TZ_EIGHT(0x00ff00ff),
    TZ_EIGHT(0x000000ff),
    {0x80008000, 0x80048004, 0x80088008, 0x800c800c, 0x80008000, 0x80048004, 0x80088008, 0x800c800c},
    TZ_EIGHT(128 * 255 * 255)};
#undef TZ_EIGHT

namespace {

using pipe::ChannelType;
using pipe::Filter;
using pipe::FormatInfo;
using pipe::FormatLayout;
using pipe::MipFilter;
using pipe::ResourceKind;
using pipe::Swizzle;
using pipe::Wrap;

void sample_unbound(TexCall* call) {
    const bool gathers = call->mode == TexMode::Gather || call->mode == TexMode::GatherOffset;
    const float others = gathers && call->offset[2] == 3 ? 1.0f : 0.0f;
    for (unsigned i = 0; i < kLanes; ++i) {
        call->out[0][i] = call->out[1][i] = call->out[2][i] = others;
        call->out[3][i] = gathers ? others : 1.0f;
    }
}

/// Calls the instructions one by one.
void sample_group_any(TexGroup* g) {
    TexCall call = {};
    call.unit = g->unit;
    call.mode = TexMode::Implicit;
    call.mask = g->mask;
    for (uint32_t n = 0; n < g->count; ++n) {
        std::memcpy(call.s, g->s[g->at[n].s], sizeof call.s);
        std::memcpy(call.t, g->t[g->at[n].t], sizeof call.t);
        g->unit->sample(&call);
        std::memcpy(g->out[n], call.out, sizeof call.out);
    }
}

void sample_blocks_any(TexBlocks* b) {
    TexCall call = {};
    call.unit = b->unit;
    call.mode = TexMode::Implicit;
    for (uint32_t n = 0; n < b->count; ++n) {
        call.mask = b->mask[n];
        std::memcpy(call.s, b->s[n], sizeof call.s);
        std::memcpy(call.t, b->t[n], sizeof call.t);
        std::memcpy(call.r, b->third[n], sizeof call.r);
        std::memcpy(call.layer, b->third[n], sizeof call.layer);
        std::memcpy(call.ref, b->ref[n], sizeof call.ref);
        b->unit->sample(&call);
        std::memcpy(b->out[n], call.out, sizeof call.out);
    }
}

const SampleKernels& kernels() {
#ifdef TERRAZZO_SOFT_AVX2
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2")) return kSampleAvx2;
#endif
    return kSampleBaseline;
}

bool is_packed(const FormatInfo& f, bool stencil) {
    if (f.layout != FormatLayout::Plain || f.is_srgb || stencil || f.channel_count == 0) return false;
    if (f.block_B > 4) return false;
    for (unsigned c = 0; c < f.channel_count; ++c) {
        if (f.channel[c].letter == 'S' || f.channel[c].type == ChannelType::None) continue;
        if (f.channel[c].type != ChannelType::Unorm || f.channel[c].bits > 24) return false;
    }
    return true;
}

/// The components R, G, B, A of a format as swizzles of its channels; depth reads as red.
Swizzle component(const FormatInfo& f, unsigned c) {
    if (!f.is_depth_stencil()) return f.swizzle[c];
    if (c) return c == 3 ? Swizzle::One : Swizzle::Zero;
    for (unsigned n = 0; n < f.channel_count; ++n)
        if (f.channel[n].letter == 'D') return Swizzle(n);
    return Swizzle::Zero;
}

/// The component of the border colour that the format's component c shows: for luminance, which is R, G and
/// B, it is red.
unsigned border_component(const FormatInfo& f, unsigned c) {
    unsigned first = 0;
    while (f.swizzle[first] != f.swizzle[c])
        ++first;
    return f.is_depth_stencil() ? c : first;
}

/// Applies the view's swizzle to the components given by `of`.
template <class Of>
uint8_t swizzled(Swizzle s, Of&& of) {
    if (s == Swizzle::Zero) return 4;
    if (s == Swizzle::One) return 5;
    return of(unsigned(s));
}

/// A component of the border colour, for a texture whose channels have this type. ES 3.2 section 8.14.2:
/// values of fixed-point components are clamped.
uint32_t border_bits(const TextureUnit& u, ChannelType type, unsigned component) {
    const pipe::BorderColor& border = u.sampler.border;
    const float least = type == ChannelType::Snorm ? -1.0f : 0.0f;
    if (type != ChannelType::Unorm && type != ChannelType::Snorm) return border.bits[component];
    const float v = border[component] > least ? std::min(border[component], 1.0f) : least;
    return std::bit_cast<uint32_t>(v);
}

void describe_packed(TextureUnit* u, const FormatInfo& f) {
    TexelCode& code = u->code;
    code.kind = TexelCode::Kind::Packed;
    code.channels = 0;
    // By stored channel: its index among the channels that are used.
    uint8_t index[4] = {0xff, 0xff, 0xff, 0xff};
    for (unsigned k = 0; k < 4; ++k) {
        code.out[k] = swizzled(u->swizzle[k], [&](unsigned c) -> uint8_t {
            const Swizzle s = component(f, c);
            if (s > Swizzle::Channel3) return s == Swizzle::One ? 5 : 4;
            uint8_t& i = index[size_t(s)];
            if (i == 0xff) {
                i = code.channels++;
                const pipe::ChannelInfo& channel = f.channel[size_t(s)];
                const uint32_t mask = (1u << channel.bits) - 1;
                code.shift[i] = channel.shift;
                code.mask[i] = mask;
                code.scale[i] = 1.0f / float(mask);
                code.border[i] = border_bits(*u, ChannelType::Unorm, border_component(f, c));
            }
            return i;
        });
    }
    if (code.channels == 0) code.channels = 1;  // all results are constants: channel 0 reads zeros
}

/// Texels that are read by pipe's functions: four channels, R G B A.
void describe_generic(TextureUnit* u, const FormatInfo& f) {
    using Kind = TexelCode::Kind;
    TexelCode& code = u->code;
    if (f.is_compressed)
        code.kind = Kind::Block;
    else if (f.has_stencil && (u->stencil || !f.has_depth))
        code.kind = Kind::Stencil;
    else if (f.has_depth)
        code.kind = Kind::Depth;
    else if (f.is_pure_uint)
        code.kind = Kind::Uint;
    else if (f.is_pure_sint)
        code.kind = Kind::Sint;
    else
        code.kind = Kind::Float;
    code.integer = code.kind == Kind::Stencil || f.is_pure_int();
    code.channels = 4;
    for (unsigned k = 0; k < 4; ++k) {
        code.out[k] = swizzled(u->swizzle[k], [](unsigned c) { return uint8_t(c); });
        bool stored = f.swizzle[k] <= Swizzle::Channel3, is_one = f.swizzle[k] == Swizzle::One;
        if (f.is_depth_stencil() || f.is_compressed) {
            stored = f.is_compressed ? f.component_bits(k) != 0 : k == 0;
            is_one = k == 3;
        }
        const uint32_t one = code.integer ? 1 : std::bit_cast<uint32_t>(1.0f);
        const ChannelType type = code.kind == Kind::Stencil ? ChannelType::Uint : f.channel[0].type;
        code.border[k] = stored   ? border_bits(*u, type, f.is_compressed ? k : border_component(f, k))
                           : is_one ? one
                                  : 0;
    }
}

bool readable(const FormatInfo& f, const TextureUnit& u) {
    const pipe::FormatOps& ops = *u.code.ops;
    switch (u.code.kind) {
        case TexelCode::Kind::Packed:
            return true;
        case TexelCode::Kind::Float:
            return ops.unpack_f32 != nullptr;
        case TexelCode::Kind::Uint:
            return ops.unpack_u32 != nullptr;
        case TexelCode::Kind::Sint:
            return ops.unpack_s32 != nullptr;
        case TexelCode::Kind::Depth:
            return ops.unpack_depth != nullptr;
        case TexelCode::Kind::Stencil:
            return ops.unpack_stencil != nullptr;
        case TexelCode::Kind::Block:
            return ops.decode_block && f.block_w_px <= 12 && f.block_h_px <= 12;
    }
    return false;
}

/// Whether the fast functions apply: only wrapping and filtering, and offsets that fit into 31 bits.
bool is_simple(const TextureUnit& u) {
    const pipe::SamplerDesc& s = u.sampler;
    const bool cube = u.kind == ResourceKind::Cube, volume = u.kind == ResourceKind::Tex3D,
               array = u.kind == ResourceKind::Tex2DArray;
    if (!cube && !volume && !array && u.kind != ResourceKind::Tex2D) return false;
    if (s.max_anisotropy > 1 && u.code.needs_lod && (array || u.kind == ResourceKind::Tex2D)) return false;
    const auto rare = [](Wrap w) { return w == Wrap::ClampToBorder || w == Wrap::MirrorClampToEdge; };
    if (rare(s.wrap_s) || rare(s.wrap_t) || (volume && rare(s.wrap_r)) || u.samples) return false;
    for (int32_t n = u.first_level; n <= u.last_level; ++n) {
        const TextureUnit::Level& l = u.levels[n];
        if (uint64_t(l.row_stride_B) * uint64_t(l.height) >= 0x8000000u) return false;
        const uint64_t layers = cube     ? 6
                                : volume ? uint64_t(l.depth)
                                : array  ? uint64_t(std::max(u.layers, 1))
                                         : 1;
        if (layers > 1 && l.layer_stride_B * layers >= 0x40000000u) return false;
        if (l.width > 16384 || l.height > 16384) return false;
    }
    return true;
}

/// Depths that sample_compared reads: fixed point in words, or a float at the texel's start.
bool is_compared(const TextureUnit& u, const FormatInfo& f) {
    if (!u.sampler.compare_enable || !f.has_depth) return false;
    if (u.kind != ResourceKind::Tex2D && u.kind != ResourceKind::Tex2DArray) return false;
    if (u.code.kind == TexelCode::Kind::Depth)
        return u.format == pipe::Format::D32_FLOAT || u.format == pipe::Format::D32_FLOAT_S8X24_UINT;
    return u.code.kind == TexelCode::Kind::Packed && (f.block_B == 2 || f.block_B == 4);
}

TextureUnit::Level::Axis axis_of(int32_t size_px) {
    const int32_t last = size_px > 1 ? (size_px - 1) * 256 - 1 : 0;
    return {float(size_px), float(size_px * 256), float(last), size_px - 1};
}

void measure_axes(TextureUnit* u) {
    for (int32_t n = u->first_level; n <= u->last_level; ++n) {
        TextureUnit::Level& l = u->levels[n];
        l.x = axis_of(l.width);
        l.y = axis_of(l.height);
    }
}

bool has_bytes(const FormatInfo& f) {
    for (unsigned c = 0; c < f.channel_count; ++c)
        if (f.channel[c].bits != 8 || f.channel[c].shift % 8) return false;
    return true;
}

/// The positions of the bytes of red to alpha, for shuffles: see filter8.inc.
void describe_bytes(TexelCode* code) {
    constexpr uint8_t kNone = 0x80;  // gives zero in a shuffle
    for (unsigned k = 0; k < 4; ++k) {
        const bool stored = code->out[k] < 4;
        const unsigned byte = stored ? code->shift[code->out[k]] / 8 : 0;
        if (code->out[k] == 5) code->has_one = true;
        for (unsigned n = 0; n < 16; ++n)
            code->texel_shuffle[k][n] = stored && n % 4 == 0 ? uint8_t(n + byte) : kNone;
        // Two texels of two lanes, 8 bytes per lane: R R' of lane 0, R R' of lane 1, G G' of lane 0, ... A
        // one is 255, which is 127 when counted from 128.
        for (unsigned lane = 0; lane < 2; ++lane)
            for (unsigned texel = 0; texel < 2; ++texel) {
                const unsigned at = k * 4 + lane * 2 + texel;
                code->pair_shuffle[at] = stored ? uint8_t(lane * 8 + texel * code->block_B + byte) : kNone;
                code->near_shuffle[at] = stored ? uint8_t(texel * code->block_B + byte) : kNone;
                code->pair_flip[at] = code->out[k] == 5 ? 0x7f : 0x80;
            }
    }
    code->texel_B = code->block_B;
    code->reach_B = 16 - 2 * code->block_B;
}

/// The index in the kernels' lists: repeat, clamp, any wrap.
unsigned wrap_index(const TextureUnit& u) {
    const pipe::SamplerDesc& s = u.sampler;
    const bool same = s.wrap_s == s.wrap_t && (u.kind != ResourceKind::Tex3D || s.wrap_s == s.wrap_r);
    return same && s.wrap_s == Wrap::Repeat ? 0 : same && s.wrap_s == Wrap::ClampToEdge ? 1 : 2;
}

/// Uses the function for many blocks if the instruction set has it; otherwise each block is a call.
void choose_blocks(SampleBlocksFn blocks, TextureUnit* u) {
    if (blocks) u->sample_blocks = blocks;
}

void choose_bytes(TextureUnit* u, const SampleKernels& k) {
    const pipe::SamplerDesc& s = u->sampler;
    const bool linear = s.min == Filter::Linear;
    const unsigned wrap = wrap_index(*u);
    if (u->kind == ResourceKind::Cube) {
        u->sample = k.bytes_cube;
    } else if (u->kind == ResourceKind::Tex2DArray) {
        u->sample = k.bytes_array[wrap];
        choose_blocks(k.bytes_array_blocks[wrap], u);
    } else if (u->kind == ResourceKind::Tex3D) {
        u->sample = k.bytes_volume[wrap];
        if (!u->code.needs_lod) choose_blocks(k.bytes_volume_blocks[wrap], u);
    } else if (s.min != s.mag) {
        u->sample = k.bytes_any_2d;
    } else {
        u->sample = k.bytes_2d[u->code.needs_lod][linear][wrap];
        choose_blocks(k.bytes_blocks[u->code.needs_lod][linear][wrap], u);
        if (k.bytes_group[linear] && !u->code.needs_lod) u->sample_group = k.bytes_group[linear];
    }
}

}  // namespace

void prepare_texture_unit(TextureUnit* u) {
    u->sample = sample_unbound;
    u->sample_group = sample_group_any;
    u->sample_blocks = sample_blocks_any;
    u->code = TexelCode{};
    u->code.full = sample_unbound;
    u->decodes_fetches = u->sampler.skip_srgb_decode && pipe::format_info(u->format).is_srgb;
    if (u->sampler.skip_srgb_decode) u->format = pipe::format_to_linear(u->format);
    const FormatInfo& f = pipe::format_info(u->format);
    if (!f.has_depth || u->stencil) u->sampler.compare_enable = false;
    constexpr int32_t kLevels = sizeof u->levels / sizeof u->levels[0];
    if (u->format == pipe::Format::None || u->first_level < 0 || u->last_level < u->first_level ||
        u->last_level >= kLevels)
        return;
    for (int32_t n = u->first_level; n <= u->last_level; ++n) {
        const TextureUnit::Level& l = u->levels[n];
        if (!l.data || l.width < 1 || l.height < 1 || (u->kind == ResourceKind::Tex3D && l.depth < 1)) return;
    }
    // ES 3.2 section 8.14.2: seamless cubes ignore wrap modes.
    if (u->sampler.seamless_cube && (u->kind == ResourceKind::Cube || u->kind == ResourceKind::CubeArray))
        u->sampler.wrap_s = u->sampler.wrap_t = Wrap::ClampToEdge;
    TexelCode& code = u->code;
    code.ops = &pipe::format_ops(u->format);
    code.block_B = f.block_B;
    code.block_w_px = f.block_w_px;
    code.block_h_px = f.block_h_px;
    if (is_packed(f, u->stencil && f.has_stencil))
        describe_packed(u, f);
    else
        describe_generic(u, f);
    if (!readable(f, *u)) return;
    code.identity = code.out[0] == 0 && code.out[1] == 1 && code.out[2] == 2 && code.out[3] == 3;
    const pipe::SamplerDesc& s = u->sampler;
    const bool mipmapped = s.mip != MipFilter::None && u->last_level > u->first_level;
    code.needs_lod = s.min != s.mag || mipmapped;
    // In ES 3.2 section 8.15 it is always 0.
    code.mag_threshold =
        s.late_magnify && s.mag == Filter::Linear && s.min == Filter::Nearest && s.mip != MipFilter::None
            ? 0.5f
            : 0.0f;
    code.compare_clamps = f.has_depth && u->format != pipe::Format::D32_FLOAT &&
                          u->format != pipe::Format::D32_FLOAT_S8X24_UINT;
    const TextureUnit::Level& base = u->levels[u->first_level];
    code.base_width = base.width;
    code.base_height = base.height;
    code.base_depth = base.depth;
    const SampleKernels& k = kernels();
    u->sample = code.full = k.full;
    if (!is_simple(*u)) return;
    if (is_compared(*u, f)) {
        measure_axes(u);
        const bool words = code.block_B == 4 && s.min == Filter::Linear && !code.needs_lod;
        const unsigned wrap = words ? wrap_index(*u) : 2;
        u->sample = k.compared[wrap];
        if (wrap < 2) choose_blocks(k.compared_blocks[wrap], u);
        return;
    }
    if (code.kind != TexelCode::Kind::Packed || s.compare_enable) return;
    if (has_bytes(f)) {
        describe_bytes(&code);
        measure_axes(u);
        choose_bytes(u, k);
    } else if (u->kind == ResourceKind::Tex2D) {
        const SampleFn fast = k.packed_2d[code.block_B - 1][code.channels - 1];
        if (fast) u->sample = fast;
    }
}

}  // namespace terrazzo::soft
