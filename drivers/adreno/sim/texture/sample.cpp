// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texture instructions: they sample by drivers/common/units' sampler, fetch texels, or query a texture or the
// places of a pixel's samples. Source of the order of results: Mesa 25.0.7,
// src/freedreno/ir3/ir3_compiler_nir.c (emit_tex_txs, emit_tex_info), and
// ir3_nir_lower_load_barycentric_at_sample.c (offsets from the centre of the pixel).
//
// Coordinates of cubes are directions. In the fragment stage, the quad's coordinates determine the level;
// other stages sample the first one. Layers are truncated to integers, not rounded: compilers add 1/2 (Mesa
// 25.0.7, src/freedreno/ir3/ir3_nir.c). Magnification begins at a level of 0.
#include <algorithm>
#include <bit>
#include <cmath>

#include "drivers/adreno/sim/texture/decode.h"
#include "drivers/adreno/sim/texture/shader_units.h"
#include "pipe/half.h"
#include "pipe/raster/sample_positions.h"

namespace terrazzo::adreno::sim {

using wave::I32;

namespace {

using isa::Op;
using units::NumberKind;

// -1: it gathers nothing.
int gathered_component(Op op) {
    constexpr Op kGathers[] = {Op::kGather4r, Op::kGather4g, Op::kGather4b, Op::kGather4a};
    const auto found = std::find(std::begin(kGathers), std::end(kGathers), op);
    return found == std::end(kGathers) ? -1 : int(found - kGathers);
}

}  // namespace

// A texture instruction and its operands, by groups of sixteen lanes.
struct ShaderUnits::Request {
    UnitCall& call;
    TextureOperands operands;
    unsigned second;  // index in call.in
    bool half;        // sources are halves

    explicit Request(UnitCall& c)
        : call(c),
          operands(texture_operands(c.instr)),
          second(second_source(operands)),
          half(c.instr.src[0].half) {}
    I32 integers(unsigned k, unsigned group) const {
        const I32 words = wave::as_signed(call.in[k][group]);
        return half ? words << 16 >> 16 : words;
    }
    /// Offsets in texels, signed.
    I32 offsets(unsigned c, unsigned group) const {
        return c < operands.offsets ? integers(second + c, group) : I32{};
    }
    F32 numbers(unsigned k, unsigned group) const {
        const U32 words = call.in[k][group];
        if (!half) return wave::as_float(words);
        return wave::as_float(wave::map(
            words, [](uint32_t w) { return std::bit_cast<uint32_t>(pipe::half_to_float(uint16_t(w))); }));
    }
    /// Coordinates, divided if the instruction projects; zeros for those that it does not have.
    void positions(unsigned group, F32 out[3]) const {
        for (unsigned c = 0; c < 3; ++c) {
            out[c] = c < operands.coordinates ? numbers(c, group) : F32{};
            if (operands.divisor != TextureOperands::kNone && c < operands.coordinates)
                out[c] /= numbers(operands.divisor, group);
        }
    }
    void put(unsigned group, const U32 v[4], units::NumberKind kind) const {
        for (unsigned c = 0; c < 4; ++c)
            call.out[c][group] = to_registers(call.instr.type(), kind, v[c]);
    }
    /// Writes the same values for all lanes.
    void put_all(const uint32_t (&v)[4], units::NumberKind kind) const {
        const U32 lanes[4] = {wave::splat(v[0]), wave::splat(v[1]), wave::splat(v[2]), wave::splat(v[3])};
        for (unsigned g = 0; g < call.wave.groups; ++g)
            put(g, lanes, kind);
    }
};

bool ShaderUnits::texture(UnitCall& call, std::string* why) {
    if (call.instr.op == Op::kRgetpos || call.instr.op == Op::kRgetinfo) return query_raster(call, why);
    TextureState* texture = find_texture(call, why);
    if (!texture) return false;
    texture_pixels_ += call.active.count();
    // Other instructions are refused.
    switch (call.instr.op) {
        case Op::kSam:
        case Op::kSamb:
        case Op::kSaml:
        case Op::kSamgq:
        case Op::kSamgp0:
        case Op::kSamgp1:
        case Op::kSamgp2:
        case Op::kSamgp3:
        case Op::kGather4r:
        case Op::kGather4g:
        case Op::kGather4b:
        case Op::kGather4a:
            if (sample(call, *texture, why)) return true;
            break;
        case Op::kIsam:
        case Op::kIsaml:
        case Op::kIsamm:
            if (fetch(call, *texture, why)) return true;
            break;
        case Op::kGetlod:
            if (level_of_detail(call, *texture, why)) return true;
            break;
        case Op::kGetsize:
        case Op::kGetinfo:
        case Op::kGetbuf:
            return query(call, *texture);
        default:
            return refuse(why, call.instr.info().name, " is not executed");
    }
    return refuse(
        why, call.instr.info().name, " of ",
        to_string(DescriptorRef{DescriptorKind::Texture, call.bindless, call.base, call.texture}, stage_),
        ": ", *why);
}

// Checks that the operands of an instruction match the texture.
bool ShaderUnits::check_kind(const UnitCall& call, const TextureState& texture, std::string* why) {
    if (texture.is_null()) return true;
    if (texture.is_buffer()) return refuse(why, "the texture is a buffer, which is not filtered");
    const bool three = texture.view().is_cube() || texture.view().is_3d();
    if (three == call.instr.cube()) return true;
    return refuse(why, three ? "the texture has three coordinates, the instruction two"
                             : "the texture has two coordinates, the instruction three");
}

// Reads the operands of a group of lanes, but not its derivatives.
units::SampleLanes ShaderUnits::read_lanes(const Request& r, unsigned group, const F32 position[3],
                                           const float scale[3]) const {
    const TextureOperands& o = r.operands;
    units::SampleLanes out;
    out.lanes = r.call.active.group(group);
    for (unsigned c = 0; c < 3; ++c)
        out.coord[c] = position[c] * scale[c];
    if (o.layer != TextureOperands::kNone) {
        const F32 layer = r.numbers(o.layer, group);
        for (unsigned n = 0; n < kGroupLanes; ++n)
            out.layer[n] = std::floor(layer[n]);
    } else {
        out.layer = F32{};  // the texture may have layers nevertheless
    }
    if (o.reference != TextureOperands::kNone) {
        out.reference = r.numbers(o.reference, group);
        if (o.divisor != TextureOperands::kNone) out.reference /= r.numbers(o.divisor, group);
    }
    out.lod = o.lod != TextureOperands::kNone ? r.numbers(r.second + o.lod, group) : F32{};
    out.has_offset = o.offsets != 0;
    for (unsigned c = 0; c < 3 && out.has_offset; ++c)
        out.offset[c] = r.offsets(c, group);
    return out;
}

bool ShaderUnits::sample(UnitCall& call, TextureState& texture, std::string* why) {
    if (!check_kind(call, texture, why)) return false;
    const SamplerState* state = find_sampler(call, why);
    if (!state) return false;
    if (texture.is_null()) return true;
    if (texture.is_cut()) return refuse(why, "filtering of tile memory that has not the whole texture");
    const Request r(call);
    const Op op = call.instr.op;
    float scale[3];
    units::find_scale(texture.view(), !state->desc.unnorm_coords, scale);
    pipe::SamplerDesc sampler = state->for_texture(texture);
    sampler.compare_enable = call.instr.shadow();
    const int component = gathered_component(op);
    const bool has_derivatives = r.operands.gradients != TextureOperands::kNone;
    const bool implicit = (op == Op::kSam || op == Op::kSamb) && stage_ == Stage::Fragment;
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        if (!call.active.group(g)) continue;
        F32 position[3];
        r.positions(g, position);
        units::SampleLanes lanes = read_lanes(r, g, position, scale);
        lanes.gathers = component >= 0;
        lanes.component = uint8_t(std::max(component, 0));
        const unsigned coordinates = r.operands.coordinates;
        if (implicit) {
            lanes.lod_source = units::LodSource::Quad;
            for (unsigned c = 0; c < 3; ++c)  // the coordinates that the instruction does not have are 0
                units::find_derivatives(position[c], scale[c], &lanes.ddx[c], &lanes.ddy[c]);
        } else if (has_derivatives) {
            lanes.lod_source = units::LodSource::Derivatives;
            for (unsigned c = 0; c < 3; ++c) {
                const unsigned at = r.operands.gradients + c;
                lanes.ddx[c] = c < coordinates ? r.numbers(at, g) * scale[c] : F32{};
                lanes.ddy[c] = c < coordinates ? r.numbers(at + coordinates, g) * scale[c] : F32{};
            }
        } else if (op != Op::kSaml) {
            lanes.lod = F32{};  // a bias counts in the fragment stage only
        }
        U32 out[4];
        if (!units::sample(texture, sampler, lanes, call.memory, out, why)) return false;
        r.put(g, out, texture.kind());
    }
    return true;
}

// isam.v reads a component of four elements; isam an element.
bool ShaderUnits::fetch_elements(UnitCall& call, ImageState& buffer, std::string* why) {
    const Request r(call);
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        const uint32_t lanes = call.active.group(g);
        if (!lanes) continue;
        const U32 first = U32(r.integers(0, g)) + uint32_t(call.instr.offset);
        U32 v[4], at[3] = {first, {}, {}};
        if (!buffer.read_lanes(call.memory, lanes, at, v, why)) return false;
        for (uint32_t c = 1; c < 4 && call.instr.vector(); ++c) {
            U32 element[4];
            at[0] = wave::map(first, [&](uint32_t x) { return x + std::min(c, ~x); });
            if (!buffer.read_lanes(call.memory, lanes, at, element, why)) return false;
            v[c] = element[0];
        }
        r.put(g, v, buffer.kind());
    }
    return true;
}

bool ShaderUnits::fetch(UnitCall& call, TextureState& texture, std::string* why) {
    if (texture.is_null()) return true;
    if (texture.is_buffer()) return fetch_elements(call, texture.buffer(), why);
    const Request r(call);
    const TextureOperands& o = r.operands;
    // A texture in tile memory contains one bin; coordinates are those of the frame buffer.
    hw::SP_TP_WINDOW_OFFSET window;
    if (texture.in_tile_memory()) window = machine_.registers.get<hw::SP_TP_WINDOW_OFFSET>();
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        units::FetchLanes lanes;
        lanes.lanes = call.active.group(g);
        if (!lanes.lanes) continue;
        const bool has_slice = texture.view().is_3d() && call.instr.cube();
        for (unsigned c = 0; c < (has_slice ? 3 : std::min(o.coordinates, 2u)); ++c) {
            lanes.at[c] = r.integers(c, g);
            lanes.offset[c] = r.offsets(c, g);
        }
        lanes.offset[0] -= int32_t(window.value.x);
        lanes.offset[1] -= int32_t(window.value.y);
        if (o.layer != TextureOperands::kNone) lanes.at[2] = r.integers(o.layer, g), lanes.offset[2] = I32{};
        if (o.lod != TextureOperands::kNone) lanes.level = U32(r.integers(r.second + o.lod, g));
        if (o.sample != TextureOperands::kNone) lanes.sample = U32(r.integers(o.sample, g));
        U32 v[4];
        if (!texture.fetch(call.memory, lanes, v, why)) return false;
        r.put(g, v, texture.kind());
    }
    return true;
}

bool ShaderUnits::level_of_detail(UnitCall& call, TextureState& texture, std::string* why) {
    if (!check_kind(call, texture, why)) return false;
    const SamplerState* state = find_sampler(call, why);
    if (!state) return false;
    if (texture.is_null()) return true;
    const Request r(call);
    float scale[3];
    units::find_scale(texture.view(), !state->desc.unnorm_coords, scale);
    const pipe::SamplerDesc s = state->for_texture(texture);
    const auto last = float(texture.view().shape.last_level);
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        F32 position[3], ddx[3], ddy[3];
        r.positions(g, position);
        for (unsigned c = 0; c < 3; ++c)
            units::find_derivatives(position[c], scale[c], &ddx[c], &ddy[c]);
        U32 v[4]{};
        for (unsigned n = 0; n < kGroupLanes; n += 4) {
            float at[3], dx[3], dy[3];
            for (unsigned c = 0; c < 3; ++c)
                at[c] = position[c][n], dx[c] = ddx[c][n], dy[c] = ddy[c][n];
            const float lambda =
                units::find_lambda(texture.view(), at, dx, dy, s.max_anisotropy) + s.lod_bias;
            float level = std::clamp(lambda, s.min_lod, std::max(s.min_lod, s.max_lod));
            level = s.mip == pipe::MipFilter::None ? 0.0f : std::clamp(level, 0.0f, last);
            if (s.mip == pipe::MipFilter::Nearest) level = std::floor(level + 0.5f);
            // Signed, with a fraction of 8 bits.
            const auto fixed = [](float v) {
                return uint32_t(int32_t(std::clamp(v, -127.0f, 127.0f) * 256));
            };
            for (unsigned lane = n; lane < n + 4; ++lane)
                v[0][lane] = fixed(level), v[1][lane] = fixed(lambda);
        }
        r.put(g, v, NumberKind::Sint);
    }
    return true;
}

// ---- Queries ----

bool ShaderUnits::query(UnitCall& call, TextureState& texture) {
    const Request r(call);
    const hw::TexConst& d = texture.desc();
    constexpr auto kKind = units::NumberKind::Uint;
    if (texture.is_null()) return r.put_all({}, kKind), true;
    if (call.instr.op == isa::Op::kGetinfo)
        return r.put_all({0, 0, d.miplvls + 1, texture.view().samples}, kKind), true;
    if (texture.is_buffer()) return r.put_all({uint32_t(texture.buffer().elements())}, kKind), true;
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        const U32 levels = call.instr.op == isa::Op::kGetsize ? call.in[0][g] : U32{};
        const auto minify = [&](uint32_t size) {
            return wave::map(levels, [&](uint32_t l) { return l < 32 ? std::max(1u, size >> l) : 1u; });
        };
        // The third value is minified even for arrays. W is the descriptor's value.
        const U32 v[4] = {minify(d.width), minify(d.height), minify(d.depth), wave::splat(d.depth)};
        r.put(g, v, kKind);
    }
    return true;
}

bool ShaderUnits::query_raster(UnitCall& call, std::string* why) {
    if (call.instr.op != isa::Op::kRgetpos) return refuse(why, "rgetinfo is not executed");
    const Registers& registers = machine_.registers;
    const unsigned samples = 1u << unsigned(registers.get<hw::SP_TP_RAS_MSAA_CNTL>().samples);
    const bool programmed = registers.get<hw::SP_TP_SAMPLE_CONFIG>().value.location_enable;
    const uint32_t places = registers.value(hw::SP_TP_SAMPLE_LOCATION_0::kRegister);
    const Request r(call);
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        F32 at[2];
        for (unsigned n = 0; n < kGroupLanes; ++n) {
            const uint32_t index = call.in[0][g][n] & 3;
            const pipe::raster::SamplePosition& place =
                pipe::raster::sample_at(std::min(samples, 4u), index);  // a6xx has at most 4
            at[0][n] = programmed ? float(places >> 8 * index & 15) / 16 - 0.5f : float(place.x) / 16;
            at[1][n] = programmed ? float(places >> (8 * index + 4) & 15) / 16 - 0.5f : float(place.y) / 16;
        }
        const U32 v[4] = {wave::as_bits(at[0]), wave::as_bits(at[1]), {}, {}};
        r.put(g, v, units::NumberKind::Float);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
