// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions that filter: pipe/raster's sampler, one lane at a time. Coordinates of cubes are directions.
// In the fragment stage, the quad's coordinates determine the level; other stages sample the first one.
// Layers are truncated to integers, not rounded: compilers add 1/2 (Mesa 25.0.7,
// src/freedreno/ir3/ir3_nir.c). Magnification begins at a level of 0.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/adreno/sim/texture/plain_filter.h"
#include "drivers/adreno/sim/texture/request.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;
using units::NumberKind;

bool refuse(std::string* why, std::string text) {
    *why = std::move(text);
    return false;
}

// Provides texels to the sampler of drivers/common/units.
struct Texels {
    TextureState& texture;
    window::Window& memory;
    std::string* why;
    const uint32_t* texel(uint32_t level, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample) {
        return texture.texel(memory, level, x, y, layer, sample, why);
    }
};

// Half of each integer. The sampler computes in binary32, which represents these exactly.
struct HalfTexels {
    Texels& texels;
    unsigned shift;
    uint32_t part[4] = {};
    const uint32_t* texel(uint32_t level, uint32_t x, uint32_t y, uint32_t layer, uint32_t sample) {
        const uint32_t* v = texels.texel(level, x, y, layer, sample);
        if (!v) return nullptr;
        for (unsigned c = 0; c < 4; ++c)
            part[c] = v[c] >> shift & 0xffff;
        return part;
    }
};

int gathered_component(Op op) {
    switch (op) {
        case Op::kGather4r:
            return 0;
        case Op::kGather4g:
            return 1;
        case Op::kGather4b:
            return 2;
        case Op::kGather4a:
            return 3;
        default:
            return -1;
    }
}

/// A border's numbers as floats, with which the sampler computes.
pipe::BorderColor filtered_border(const pipe::BorderColor& border, NumberKind kind) {
    pipe::BorderColor out;
    for (unsigned c = 0; c < 4; ++c) {
        const uint32_t bits = border.bits[c];
        const float value = kind == NumberKind::Float  ? std::bit_cast<float>(bits)
                            : kind == NumberKind::Uint ? float(bits)
                                                       : float(int32_t(bits));
        out.bits[c] = std::bit_cast<uint32_t>(value);
    }
    return out;
}

// One instruction: the values that all lanes share.
struct Sampling {
    Texels texels;
    pipe::SamplerDesc sampler;  // for wide integers without their border
    pipe::BorderColor border;   // the bits of the numbers
    float unit[3] = {1, 1, 1};  // scales coordinates to the range 0..1
    unsigned component = 0;
    bool gathers = false;

    bool run(const pipe::raster::SampleArgs& args, uint32_t out[4]) {
        const units::TextureView& view = texels.texture.view();
        const unsigned* gathered = gathers ? &component : nullptr;
        if (!texels.texture.format().wide_integer)
            return units::sample_texture(view, sampler, texels, args, out, gathered);
        units::TextureView halves = view;
        halves.kind = NumberKind::Uint;
        uint32_t part[2][4];
        for (unsigned i = 0; i < 2; ++i) {
            HalfTexels half{texels, 16 * i};
            pipe::BorderColor half_border;
            for (unsigned c = 0; c < 4; ++c)
                half_border.bits[c] = border.bits[c] >> 16 * i & 0xffff;
            sampler.border = filtered_border(half_border, NumberKind::Uint);
            if (!units::sample_texture(halves, sampler, half, args, part[i], gathered)) return false;
        }
        for (unsigned c = 0; c < 4; ++c)
            out[c] = part[0][c] | part[1][c] << 16;
        return true;
    }
};

Sampling make_sampling(UnitCall& call, TextureState& texture, const SamplerState& state, std::string* why) {
    Sampling s{{texture, call.memory, why}, state.sampler, state.border_of(texture)};
    s.sampler.compare_enable = call.instr.shadow();
    s.sampler.min_lod = std::max(s.sampler.min_lod, texture.first_lod());
    s.sampler.border = filtered_border(s.border, texture.view().kind);
    if (state.desc.unnorm_coords) {
        s.unit[0] = 1.0f / float(texture.view().shape.width);
        s.unit[1] = 1.0f / float(texture.view().shape.height);
        s.unit[2] = 1.0f / float(texture.view().shape.depth);
    }
    const int component = gathered_component(call.instr.op);
    s.gathers = component >= 0;
    s.component = unsigned(std::max(component, 0));
    return s;
}

}  // namespace

bool ShaderUnits::texture(UnitCall& call, std::string* why) {
    const std::string name = call.instr.info().name;
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
            return refuse(why, name + " is not executed");
    }
    *why = name + " of " +
           to_string(DescriptorRef{DescriptorKind::Texture, call.bindless, call.base, call.texture}, stage_) +
           ": " + *why;
    return false;
}

// Checks that the operands of an instruction match the texture.
bool ShaderUnits::check_kind(const UnitCall& call, const TextureState& texture, std::string* why) {
    if (texture.is_null()) return true;
    if (texture.is_buffer()) return refuse(why, "the texture is a buffer, which is not filtered");
    const bool three = texture.is_cube() || texture.view().shape.kind == pipe::ResourceKind::Tex3D;
    if (three == call.instr.cube()) return true;
    return refuse(why, three ? "the texture has three coordinates, the instruction two"
                             : "the texture has two coordinates, the instruction three");
}

namespace {

bool is_same(const pipe::raster::LevelChoice& a, const pipe::raster::LevelChoice& b) {
    return a.filter == b.filter && a.level0 == b.level0 && a.level1 == b.level1 && a.fraction == b.fraction;
}

}  // namespace

// Samples by PlainFilter: sam, samb, saml without offsets. The lanes of a quad share their level, except for
// explicit levels. Lanes with the same levels are sampled together.
bool ShaderUnits::sample_plain(const Request& r, PlainFilter& filter, const float unit[3]) const {
    const Op op = r.call.instr.op;
    const bool implicit = op != Op::kSaml && stage_ == Stage::Fragment;
    for (unsigned g = 0; g < r.call.wave.groups; ++g) {
        alignas(sizeof(F32)) float s[kGroupLanes], t[kGroupLanes];
        r.positions(g, s, t);
        // The choices by lane. A choice that a quad shares has the number of its first lane.
        pipe::raster::LevelChoice choice[kGroupLanes];
        uint32_t lanes_of[kGroupLanes] = {};
        const uint32_t active = r.call.active.group(g);
        const unsigned step = implicit && op == Op::kSam ? 4 : 1;
        for (unsigned n = 0; n < kGroupLanes; n += step) {
            lanes_of[n] = active & ((1u << step) - 1) << n;
            if (!lanes_of[n]) continue;
            const float level =
                op == Op::kSam ? 0.0f : r.number(r.second + r.operands.lod, g * kGroupLanes + n);
            const unsigned quad = n & ~3u;
            const float ddx[2] = {(s[quad + 1] - s[quad]) * unit[0], (t[quad + 1] - t[quad]) * unit[1]},
                        ddy[2] = {(s[quad + 2] - s[quad]) * unit[0], (t[quad + 2] - t[quad]) * unit[1]};
            choice[n] =
                implicit ? filter.choose(ddx, ddy, level) : filter.choose(op == Op::kSaml ? level : 0.0f);
        }
        F32 at[2], out[4] = {};
        std::memcpy(&at[0], s, sizeof s);
        std::memcpy(&at[1], t, sizeof t);
        for (unsigned first = 0; first < kGroupLanes; first += step) {
            uint32_t together = lanes_of[first];
            if (!together) continue;
            for (unsigned n = first + step; n < kGroupLanes; n += step)
                if (lanes_of[n] && is_same(choice[n], choice[first])) {
                    together |= lanes_of[n];
                    lanes_of[n] = 0;
                }
            F32 v[4];
            if (!filter.sample(choice[first], at[0] * unit[0], at[1] * unit[1], together, v)) return false;
            const U32 mask = together == 0xffff ? ~U32{} : wave::mask_of(together);
            for (unsigned c = 0; c < 4; ++c)
                out[c] = wave::select(mask, v[c], out[c]);
        }
        for (unsigned c = 0; c < 4; ++c)
            r.call.out[c][g] = to_registers(r.call.instr.type(), NumberKind::Float, wave::as_bits(out[c]));
    }
    return true;
}

bool ShaderUnits::sample(UnitCall& call, TextureState& texture, std::string* why) {
    if (!check_kind(call, texture, why)) return false;
    const SamplerState* state = find_sampler(call, why);
    if (!state) return false;
    if (texture.is_null()) return true;
    if (texture.is_cut()) return refuse(why, "filtering of tile memory that has not the whole texture");
    const Request r(call);
    Sampling sampling = make_sampling(call, texture, *state, why);
    const Op op = call.instr.op;
    const bool plain_op = op == Op::kSam || op == Op::kSamb || op == Op::kSaml;
    if (plain_op && r.operands.offsets == 0 && PlainFilter::fits(texture, sampling.sampler)) {
        PlainFilter filter(texture, sampling.sampler, call.memory, why);
        return sample_plain(r, filter, sampling.unit);
    }
    const units::TextureView& view = texture.view();
    const bool implicit = (op == Op::kSam || op == Op::kSamb) && stage_ == Stage::Fragment;
    const bool explicit_derivatives = op == Op::kSamgq || (op >= Op::kSamgp0 && op <= Op::kSamgp3);
    const unsigned layer_at = view.shape.kind == pipe::ResourceKind::Tex2DArray ? 2 : 3;
    float corner[3][3];
    for (unsigned lane = 0; lane < r.lanes(); ++lane) {
        if (implicit && lane % 4 == 0)
            for (unsigned k = 0; k < 3; ++k)
                r.position(lane + k, corner[k]);
        if (!call.active.has(lane)) continue;
        pipe::raster::SampleArgs args;
        float position[3];
        r.position(lane, position);
        for (unsigned c = 0; c < 3; ++c)
            args.coord[c] = position[c] * sampling.unit[c];
        if (r.operands.layer != TextureOperands::kNone)
            args.coord[layer_at] = std::floor(r.number(r.operands.layer, lane));
        else if (layer_at == 2)
            args.coord[2] = 0;
        args.lod_mode = implicit || explicit_derivatives ? pipe::raster::LodMode::Derivatives
                                                         : pipe::raster::LodMode::Explicit;
        if (implicit) units::find_derivatives(corner, sampling.unit, &args);
        if (explicit_derivatives)
            for (unsigned c = 0; c < r.operands.coordinates; ++c) {
                args.ddx[c] = r.number(r.operands.gradients + c, lane) * sampling.unit[c];
                args.ddy[c] =
                    r.number(r.operands.gradients + r.operands.coordinates + c, lane) * sampling.unit[c];
            }
        if (op == Op::kSamb) args.bias = r.number(r.second + r.operands.lod, lane);
        if (op == Op::kSaml) args.lod = r.number(r.second + r.operands.lod, lane);
        args.late_magnify = false;
        if (r.operands.reference != TextureOperands::kNone) {
            args.reference = r.number(r.operands.reference, lane);
            if (r.operands.divisor != TextureOperands::kNone)
                args.reference /= r.number(r.operands.divisor, lane);
        }
        args.clamp_reference = texture.format().fixed_point;
        for (unsigned c = 0; c < 3; ++c)
            args.offset[c] = r.offset(c, lane);
        uint32_t v[4];
        if (!sampling.run(args, v)) return false;
        r.put(lane, v, view.kind);
    }
    return true;
}

bool ShaderUnits::fetch(UnitCall& call, TextureState& texture, std::string* why) {
    if (texture.is_null()) return true;
    const Request r(call);
    const units::TextureView& view = texture.view();
    Texels texels{texture, call.memory, why};
    const bool is_3d = view.shape.kind == pipe::ResourceKind::Tex3D;
    // A texture in tile memory contains one bin; coordinates are those of the frame buffer.
    hw::SP_TP_WINDOW_OFFSET window;
    if (texture.in_tile_memory()) window = machine_.registers.get<hw::SP_TP_WINDOW_OFFSET>();
    for (unsigned lane = 0; lane < r.lanes(); ++lane) {
        if (!call.active.has(lane)) continue;
        uint32_t v[4] = {};
        if (texture.is_buffer()) {
            const uint32_t x = uint32_t(r.integer(0, lane)) + uint32_t(call.instr.offset);
            for (unsigned c = 0; call.instr.vector() && c < 4; ++c) {
                uint32_t element[4];
                if (!texture.element(call.memory, uint64_t(x) + c, element, why)) return false;
                v[c] = element[0];
            }
            if (!call.instr.vector() && !texture.element(call.memory, x, v, why)) return false;
            r.put(lane, v, view.kind);
            continue;
        }
        units::TexelPlace at;
        at.x = int64_t(r.integer(0, lane)) + r.offset(0, lane) - int64_t(window.value.x);
        at.y = r.operands.coordinates > 1 ? int64_t(r.integer(1, lane)) + r.offset(1, lane) : 0;
        at.y -= int64_t(window.value.y);
        if (is_3d && call.instr.cube()) at.z = int64_t(r.integer(2, lane)) + r.offset(2, lane);
        if (r.operands.layer != TextureOperands::kNone) at.z = r.integer(r.operands.layer, lane);
        if (r.operands.lod != TextureOperands::kNone)
            at.level = uint32_t(r.integer(r.second + r.operands.lod, lane));
        if (r.operands.sample != TextureOperands::kNone)
            at.sample = uint32_t(r.integer(r.operands.sample, lane));
        if (at.level <= view.shape.last_level && !units::fetch_texture(view, texels, at, v)) return false;
        r.put(lane, v, view.kind);
    }
    return true;
}

bool ShaderUnits::level_of_detail(UnitCall& call, TextureState& texture, std::string* why) {
    if (!check_kind(call, texture, why)) return false;
    const SamplerState* state = find_sampler(call, why);
    if (!state) return false;
    if (texture.is_null()) return true;
    const Request r(call);
    const Sampling sampling = make_sampling(call, texture, *state, why);
    const pipe::raster::TextureShape& shape = texture.view().shape;
    const float size[3] = {float(shape.width), float(shape.height), float(shape.depth)};
    for (unsigned quad = 0; quad < r.lanes(); quad += 4) {
        float corner[3][3];
        for (unsigned k = 0; k < 3; ++k)
            r.position(quad + k, corner[k]);
        pipe::raster::SampleArgs args;
        units::find_derivatives(corner, sampling.unit, &args);
        float dx[3] = {args.ddx[0], args.ddx[1], args.ddx[2]},
              dy[3] = {args.ddy[0], args.ddy[1], args.ddy[2]};
        if (texture.is_cube()) {
            const uint32_t face = pipe::raster::project_cube(corner[0]).face;
            pipe::raster::project_cube_derivative(corner[0], face, args.ddx, dx);
            pipe::raster::project_cube_derivative(corner[0], face, args.ddy, dy);
        }
        for (unsigned c = 0; c < 3; ++c) {
            const bool counts = c < 2 || shape.kind == pipe::ResourceKind::Tex3D;
            dx[c] = counts ? dx[c] * size[c] : 0;
            dy[c] = counts ? dy[c] * size[c] : 0;
        }
        const pipe::SamplerDesc& s = sampling.sampler;
        const float lambda = pipe::raster::measure_footprint(dx, dy, s.max_anisotropy).lambda + s.lod_bias;
        float level = std::clamp(lambda, s.min_lod, std::max(s.min_lod, s.max_lod));
        level = s.mip == pipe::MipFilter::None ? 0.0f : std::clamp(level, 0.0f, float(shape.last_level));
        if (s.mip == pipe::MipFilter::Nearest) level = std::floor(level + 0.5f);
        // Signed, with a fraction of 8 bits.
        const auto fixed = [](float v) { return uint32_t(int32_t(std::clamp(v, -127.0f, 127.0f) * 256)); };
        const uint32_t v[4] = {fixed(level), fixed(lambda), 0, 0};
        for (unsigned lane = quad; lane < quad + 4; ++lane)
            if (call.active.has(lane)) r.put(lane, v, NumberKind::Sint);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
