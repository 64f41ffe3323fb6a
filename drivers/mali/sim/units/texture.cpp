// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// TEX_*: reads handles, coordinates and options from registers for drivers/common/units' sampler. The staging
// registers (Mesa 25.0.7, compiler/bifrost_compile.c) are x, y, z, array layer, reference, offsets (bytes x,
// y, z or sample, level of a fetch), level or bias (8.8), gradient (two); unused ones are left out. The layer
// is a float if coordinates are, and an integer in a fetch. For a cube, x has the face in its top three bits.
// The form of a gradient descriptor is our own: the level in 8.8 and as a float. TEX_GATHER returns the
// texels (i0 j0), (i1 j0), (i0 j1), (i1 j1), in which OpenGL's first one is the third
// (lower_tg4_broadcom_swizzle).
#include "drivers/mali/sim/units/texture.h"

#include <algorithm>
#include <bit>

#include "drivers/common/units/decode_once.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Dimension;
using isa::Op;

float as_float(uint32_t v) {
    return std::bit_cast<float>(v);
}

}  // namespace

// A message with its staging registers by meaning.
struct TextureUnit::Request {
    ResourceTables tables;
    const MessageIn& m;
    bool derivatives = false;
    TextureState* texture = nullptr;
    SamplerState* sampler = nullptr;
    Dimension dimension = Dimension::k2d;
    bool cube() const { return dimension == Dimension::kCube; }
    U32 coord[3] = {}, layer{}, reference{}, offsets{}, lod{}, lod_float{};
    bool shadow = false;
    unsigned next = 0;

    const U32* take() { return next < m.in_count ? &m.in[next++] : nullptr; }
    bool take_coordinates() {
        const unsigned n = dimension == Dimension::k1d ? 1 : dimension == Dimension::k3d ? 3 : 2;
        for (unsigned i = 0; i < n; ++i)
            if (const U32* v = take())
                coord[i] = *v;
            else
                return false;
        return true;
    }
    bool take_if(bool wanted, U32* out) {
        if (!wanted) return true;
        const U32* v = take();
        if (v) *out = *v;
        return v != nullptr;
    }
    wave::I32 offset(unsigned c) const { return wave::as_signed(offsets << (24 - 8 * c)) >> 24; }
    uint32_t face(unsigned lane) const { return coord[0][lane] >> 29; }
    float s(unsigned lane) const {
        const uint32_t low = coord[0][lane] & 0x1fffffff;
        return low ? as_float(low | 0x20000000) : 0.0f;
    }
    // Cubes' directions, or the coordinates; zeros for those that the instruction does not have.
    void positions(F32 out[3]) const {
        for (unsigned i = 0; i < 3; ++i)
            out[i] = wave::as_float(coord[i]);
        for (unsigned lane = 0; cube() && lane < kWarpLanes; ++lane) {
            float direction[3];
            units::cube_direction(face(lane), s(lane), as_float(coord[1][lane]), direction);
            for (unsigned i = 0; i < 3; ++i)
                out[i][lane] = direction[i];
        }
    }
    // Of each quad, from its positions.
    void find_derivatives(const F32 position[3], const float scale[3], F32 ddx[3], F32 ddy[3]) const {
        for (unsigned i = 0; i < 3 && !cube(); ++i)
            units::find_derivatives(position[i], scale[i], &ddx[i], &ddy[i]);
        for (unsigned quad = 0; cube() && quad < kWarpLanes; quad += 4) {
            float corner[3][3], dx[3], dy[3];
            for (unsigned k = 0; k < 3; ++k)
                for (unsigned i = 0; i < 3; ++i)
                    corner[k][i] = position[i][quad + k];
            units::find_cube_derivatives(face(quad), corner, dx, dy);
            for (unsigned i = 0; i < 3; ++i)
                for (unsigned lane = quad; lane < quad + 4; ++lane)
                    ddx[i][lane] = dx[i], ddy[i][lane] = dy[i];
        }
    }
    void find_scale(float scale[3]) const {
        units::find_scale(texture->view(), cube() || sampler->d.normalized_coordinates, scale);
    }
    // Writes to registers: the components of the write mask are consecutive, halves in pairs.
    void put(const U32 v[4], NumberKind kind, U32* out) const {
        const bool is_half = m.instr.register_width() == isa::RegisterWidth::k16;
        unsigned n = 0;
        for (unsigned c = 0; c < 4; ++c) {
            if (!(unsigned(m.instr.write_mask()) >> c & 1)) continue;
            if (!is_half)
                out[n] = v[c];
            else if (n % 2 == 0)
                out[n / 2] = halves(v[c], kind);
            else
                out[n / 2] |= halves(v[c], kind) << 16;
            ++n;
        }
    }
    // Converts values to 16 bits. Integers are clamped.
    static U32 halves(U32 v, NumberKind kind) {
        switch (kind) {
            case NumberKind::Float:
                break;
            case NumberKind::Uint:
                return wave::map(v, [](uint32_t x) { return std::min(x, 65535u); });
            case NumberKind::Sint:
                return wave::map(
                    v, [](uint32_t x) { return uint32_t(uint16_t(std::clamp(int32_t(x), -32768, 32767))); });
        }
        return wave::to_halves(wave::as_float(v));
    }
};

const uint64_t* TextureUnit::find(Window& memory, ResourceTables tables, Handle h, std::string* why) {
    const uint64_t key = tables.packed * 0x9e3779b97f4a7c15ull ^ (uint64_t(h.table) << 32 | h.index);
    return units::decode_once(handles_, key,
                              [&](uint64_t* va) { return find_descriptor(memory, tables, h, va, why); });
}

TextureState* TextureUnit::find_texture(Window& memory, ResourceTables tables, Handle h, Decoding decoding,
                                        std::string* why) {
    const uint64_t* const va = find(memory, tables, h, why);
    const auto* const found =
        !va ? nullptr : units::decode_once(textures_, *va | uint64_t(decoding), [&](auto* t) {
            *t = std::make_unique<TextureState>();
            return (*t)->load(memory, *va, why, decoding);
        });
    return found ? found->get() : nullptr;
}

SamplerState* TextureUnit::find_sampler(Window& memory, ResourceTables tables, Handle h, std::string* why) {
    const uint64_t* const va = find(memory, tables, h, why);
    return !va ? nullptr : units::decode_once(samplers_, *va, [&](SamplerState* s) {
        return s->load(memory, *va, why);
    });
}

bool TextureUnit::run(ResourceTables tables, bool derivatives, const MessageIn& m, U32* out,
                      std::string* why) {
    Request r{tables, m, derivatives};
    const unsigned lane = m.active ? unsigned(std::countr_zero(m.active)) : 0;
    const uint32_t low = m.low(0)[lane], high = m.high(0)[lane];
    Handle texture, sampler;
    if (m.instr.wide_indices()) {
        sampler = unpack_handle(low);
        texture = unpack_handle(high);
    } else {
        texture = {isa::table_of_immediate(low >> 27 & 15), low >> 16 & 0x7ff};
        sampler = {isa::table_of_immediate(low >> 11 & 15), low & 0x7ff};
    }
    const bool samples = m.instr.op != Op::kTexFetch;
    if (recent_.tables != tables.packed || recent_.texture != texture || !recent_.texture_state ||
        (samples ? recent_.sampler != sampler || !recent_.sampler_state : !recent_.decodes)) {
        recent_ = {.tables = tables.packed, .texture = texture, .sampler = sampler};
        if (samples && !(recent_.sampler_state = find_sampler(m.memory, tables, sampler, why))) return false;
        recent_.decodes = !samples || !recent_.sampler_state->d.srgb_override;
        recent_.texture_state = find_texture(m.memory, tables, texture,
                                             recent_.decodes ? Decoding::Texture : Decoding::NoSrgb, why);
        if (!recent_.texture_state) return false;
    }
    r.texture = recent_.texture_state;
    r.sampler = recent_.sampler_state;
    r.dimension = m.instr.dimension();
    if (!r.take_coordinates()) return refuse(why, "a texture message without coordinates");
    switch (m.instr.op) {
        case Op::kTexFetch:
            return fetch(r, out, why);
        case Op::kTexSingle:
        case Op::kTexGather:
            return sample(r, out, why);
        case Op::kTexGradient:
            r.next = 0;
            return gradient(r, out, why);
        default:
            return refuse(why, "the virtual GPU does not execute this texture instruction");
    }
}

bool TextureUnit::fetch(Request& r, U32* out, std::string* why) {
    if (!r.take_if(r.m.instr.array_enable(), &r.layer) || !r.take_if(r.m.instr.texel_offset(), &r.offsets))
        return refuse(why, "a texel fetch with too few registers");
    TextureState& t = *r.texture;
    const bool is_3d = t.view().is_3d();
    units::FetchLanes lanes;
    lanes.lanes = r.m.active;
    for (unsigned c = 0; c < (is_3d ? 3 : 2); ++c) {
        lanes.at[c] = wave::as_signed(r.coord[c]);
        lanes.offset[c] = r.offset(c);
    }
    if (!is_3d) {
        lanes.at[2] = wave::as_signed(r.layer);
        lanes.sample = r.offsets >> 16 & 0xffu;
    }
    lanes.level = r.offsets >> 24;
    U32 v[4];
    if (!t.fetch(r.m.memory, lanes, v, why)) return false;
    r.put(v, t.kind(), out);
    return true;
}

bool TextureUnit::gradient(Request& r, U32* out, std::string* why) {
    TextureState& t = *r.texture;
    const unsigned n = r.dimension == Dimension::k1d ? 1 : r.dimension == Dimension::k3d ? 3 : 2;
    const bool given = r.m.instr.derivative_enable();
    if (given && r.m.in_count < 2 * n) return refuse(why, "a gradient with too few registers");
    F32 position[3], ddx[3] = {}, ddy[3] = {};
    float scale[3];
    if (!given) r.take_coordinates();
    r.positions(position);
    r.find_scale(scale);
    if (!given) r.find_derivatives(position, scale, ddx, ddy);
    for (unsigned i = 0; given && i < n; ++i) {
        ddx[i] = wave::as_float(r.m.in[2 * i]) * scale[i];
        ddy[i] = wave::as_float(r.m.in[2 * i + 1]) * scale[i];
    }
    U32 v[4]{};
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(r.m.active >> lane & 1)) continue;
        float at[3], dx[3], dy[3];
        for (unsigned i = 0; i < 3; ++i)
            at[i] = position[i][lane], dx[i] = ddx[i][lane], dy[i] = ddy[i][lane];
        float lod = units::find_lambda(t.view(), at, dx, dy, 1);
        if (!r.m.instr.lod_bias_disable()) lod += r.sampler->desc.lod_bias;
        if (!r.m.instr.lod_clamp_disable())
            lod = std::clamp(lod, r.sampler->desc.min_lod,
                             std::max(r.sampler->desc.min_lod, r.sampler->desc.max_lod));
        v[0][lane] = uint16_t(int16_t(std::clamp(lod, -127.0f, 127.0f) * 256));
        v[1][lane] = std::bit_cast<uint32_t>(lod);
    }
    r.put(v, NumberKind::Uint, out);
    return true;
}

bool TextureUnit::sample(Request& r, U32* out, std::string* why) {
    const isa::Instr& i = r.m.instr;
    const bool gather = i.op == Op::kTexGather;
    const isa::LodMode mode = gather ? isa::LodMode::kZero : i.lod_mode();
    const bool explicit_lod = mode == isa::LodMode::kExplicit || mode == isa::LodMode::kComputedBias;
    r.shadow = i.shadow();
    if (!r.take_if(i.array_enable(), &r.layer) || !r.take_if(r.shadow, &r.reference) ||
        !r.take_if(i.texel_offset(), &r.offsets) || !r.take_if(explicit_lod, &r.lod) ||
        !r.take_if(mode == isa::LodMode::kGradient, &r.lod) ||
        !r.take_if(mode == isa::LodMode::kGradient, &r.lod_float))
        return refuse(why, "a texture message with too few registers");
    TextureState& t = *r.texture;
    if (gather && i.integer_coordinates()) return refuse(why, "gather by integers is not executed");
    pipe::SamplerDesc desc = r.sampler->desc;
    desc.compare_enable = r.shadow;
    float scale[3];
    F32 position[3];
    r.find_scale(scale);
    r.positions(position);
    units::SampleLanes lanes{};
    lanes.lanes = r.m.active;
    for (unsigned c = 0; c < 3; ++c)
        lanes.coord[c] = position[c] * scale[c];
    if (i.array_enable())
        lanes.layer =
            i.integer_coordinates() ? __builtin_convertvector(r.layer, F32) : wave::as_float(r.layer);
    lanes.reference = wave::as_float(r.reference);
    const bool computed = mode == isa::LodMode::kComputed || mode == isa::LodMode::kComputedBias;
    if (computed && r.derivatives) {
        lanes.lod_source = units::LodSource::Quad;
        r.find_derivatives(position, scale, lanes.ddx, lanes.ddy);
    }
    // A level, or a bias of derivatives, in 8.8.
    if (mode == isa::LodMode::kExplicit || (mode == isa::LodMode::kComputedBias && r.derivatives))
        lanes.lod = __builtin_convertvector(wave::as_signed(r.lod << 16) >> 16, F32) / 256;
    if (mode == isa::LodMode::kGradient) lanes.lod = wave::as_float(r.lod_float);
    lanes.late_magnify = r.sampler->d.magnify_cutoff;
    lanes.has_offset = i.texel_offset();
    for (unsigned c = 0; c < 3; ++c)
        lanes.offset[c] = r.offset(c);
    lanes.gathers = gather;
    lanes.component = uint8_t(i.fetch_component());
    U32 bits[4];
    if (!units::sample(t, desc, lanes, r.m.memory, bits, why)) return false;
    if (gather) {  // rows from the first one, each from its first texel
        const U32 rows[4] = {bits[3], bits[2], bits[0], bits[1]};
        std::copy_n(rows, 4, bits);
    }
    r.put(bits, t.kind(), out);
    return true;
}

}  // namespace terrazzo::mali::sim
