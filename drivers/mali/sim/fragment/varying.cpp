// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LD_VAR*: perspective interpolation at pixel centres, samples and offsets (Mesa 25.0.7,
// compiler/bifrost_compile.c, bi_varying_src0_for_barycentric). A vertex' varyings are in the tiler heap,
// where the varying shader wrote them; LD_VAR_IMM of a frame shader has an attribute of three corners.
// Values are computed in double precision and rounded once. So a coordinate that only depends on x is equal
// in all rows, and in both triangles of a rectangle. Hardware has this property: Mesa draws with varyings
// what dEQP-GLES3's fbo.blit.rect.nearest_consistency tests, and its list of a G610's failures
// (ci/panfrost-g610-fails.txt) has none of these cases.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "drivers/common/units/quad_half.h"
#include "drivers/mali/sim/fragment/mix.h"
#include "drivers/mali/sim/fragment/shade.h"
#include "pipe/half.h"

namespace terrazzo::mali::sim {

namespace {

using isa::Op;
using isa::SourceFormat;

// Selectors of LD_VAR_SPECIAL.
enum class Special : int { Point = 0, PointY = 1, FragW = 2, FragZ = 3 };

using Places = FragmentStage::Places;
constexpr int16_t kCenter = 128;

// The place of a thread. `source`: the message's, which has the coverage and the sample, as r61 does, or an
// offset. Centroid: the first covered sample, unless all are.
void find_place(const FragmentStage& s, isa::SampleMode mode, uint32_t source, int16_t* x, int16_t* y) {
    const units::SamplePattern& pattern = s.draw->pattern;
    unsigned sample = pattern.count;
    *x = *y = kCenter;
    switch (mode) {
        case isa::SampleMode::kCenter:
            return;
        case isa::SampleMode::kCentroid:
            if (const unsigned covered = source & ((1u << pattern.count) - 1);
                covered && covered != (1u << pattern.count) - 1)
                sample = unsigned(std::countr_zero(covered));
            break;
        case isa::SampleMode::kSample:
            sample = source >> 16 & 0xff;
            break;
        case isa::SampleMode::kExplicit:
            *x = int16_t(source);
            *y = int16_t(source >> 16);
            return;
    }
    if (sample < pattern.count) *x = pattern.x[sample], *y = pattern.y[sample];
}

bool is_at_centers(const FragmentDraw& draw, isa::SampleMode mode) {
    return mode == isa::SampleMode::kCenter || (mode != isa::SampleMode::kExplicit && !draw.multisampled);
}

// Where a varying message is evaluated.
const Places& find_places(FragmentStage& s, const MessageIn& m, Places* own) {
    const isa::SampleMode mode = m.instr.sample();
    const isa::UpdateMode update = m.instr.update();
    if (update == isa::UpdateMode::kRetrieve) return s.stored_places;
    own->centers = is_at_centers(*s.draw, mode);
    for (unsigned lane = 0; lane < kWarpLanes && !own->centers; ++lane)
        find_place(s, mode, m.low(0)[lane], &own->x[lane], &own->y[lane]);
    if (update == isa::UpdateMode::kStore) s.stored_places = *own;
    return *own;
}

Weights center_weights(FragmentStage& s) {
    if (!s.has_weights) units::find_weights(s, s.count, s.weight[0], s.weight[1]);
    s.has_weights = true;
    return s.weight;
}

// The weights at the places; `room` has those of other places than centres.
Weights find_weights(FragmentStage& s, const Places& at, double room[2][kWarpLanes]) {
    if (at.centers) return center_weights(s);
    for (unsigned lane = 0; lane < 4 * s.count; ++lane)
        units::find_weights_at(*s.primitive[lane / 4], s.x[lane] + at.x[lane] / 256.0,
                               s.y[lane] + at.y[lane] / 256.0, &room[0][lane], &room[1][lane]);
    return room;
}

// Starts from the first vertex' value, so that equal values stay exact.
float mix(Weights weight, unsigned lane, const float v[3]) {
    const double first = v[0];
    return float(first + weight[0][lane] * (v[1] - first) + weight[1][lane] * (v[2] - first));
}

using F4 = units::QuadF32;
using D4 = units::QuadF64;
using U4 = units::QuadU32;

/// A component of a vertex. The program chooses the vertices' place and size: nothing is aligned.
template <bool kHalf>
uint32_t component(const uint8_t* vertex, unsigned c) {
    if constexpr (kHalf) {
        uint16_t v;
        std::memcpy(&v, vertex + c * 2, 2);
        return v;
    } else {
        uint32_t v;
        std::memcpy(&v, vertex + c * 4, 4);
        return v;
    }
}
// Loads kCount components of a vertex into the first lanes.
template <bool kHalf, unsigned kCount>
D4 corner(const uint8_t* vertex) {
    float v[4] = {};
    if constexpr (kHalf)
        for (unsigned c = 0; c < kCount; ++c)
            v[c] = pipe::half_to_float(uint16_t(component<true>(vertex, c)));
    else
        std::memcpy(v, vertex, kCount * sizeof(float));
    return D4{v[0], v[1], v[2], v[3]};
}

void put_quad(U32* lanes, unsigned quad, U4 v) {
    std::memcpy(reinterpret_cast<uint32_t*>(lanes) + size_t(4) * quad, &v, sizeof(v));
}

// Interpolates components of quads, as words. To the value of the first vertex it adds the weighted
// differences of the other vertices to it. So equal values stay exact. The differences of missing vertices
// are 0. Adjacent quads usually belong to the same primitive, so its values are kept.
struct Interpolator {
    Weights weight = nullptr;
    const FragmentPrimitive* last = nullptr;
    D4 first{}, to_second{}, to_third{};

    template <bool kHalf, unsigned kCount>
    void run(const FragmentStage& s, unsigned quad, uint32_t offset_B, U4* value) {
        if (const FragmentPrimitive* p = s.primitive[quad]; p != last) {
            last = p;
            const unsigned n = p->vertex_count();
            first = corner<kHalf, kCount>(p->varying[0] + offset_B);
            to_second = n > 1 ? corner<kHalf, kCount>(p->varying[1] + offset_B) - first : D4{};
            to_third = n > 2 ? corner<kHalf, kCount>(p->varying[2] + offset_B) - first : D4{};
        }
        D4 w1, w2;
        std::memcpy(&w1, &weight[0][4 * quad], sizeof w1);
        std::memcpy(&w2, &weight[1][4 * quad], sizeof w2);
        for (unsigned c = 0; c < kCount; ++c)
            value[c] = U4(__builtin_convertvector((first[c] + w1 * to_second[c]) + w2 * to_third[c], F4));
    }
    using Run = void (Interpolator::*)(const FragmentStage&, unsigned, uint32_t, U4*);
    static constexpr Run kRuns[2][4] = {{&Interpolator::run<false, 1>, &Interpolator::run<false, 2>,
                                         &Interpolator::run<false, 3>, &Interpolator::run<false, 4>},
                                        {&Interpolator::run<true, 1>, &Interpolator::run<true, 2>,
                                         &Interpolator::run<true, 3>, &Interpolator::run<true, 4>}};
};
template <bool kHalf>
void copy_provoking(const FragmentStage& s, unsigned quad, uint32_t offset_B, unsigned count, U4* value) {
    const FragmentPrimitive& p = *s.primitive[quad];
    for (unsigned c = 0; c < count; ++c)
        value[c] = U4{} + component<kHalf>(p.varying[p.provoking] + offset_B, c);
}

// The quads with an active thread.
unsigned quads_of(uint32_t active) {
    active |= active >> 2;
    active = (active | active >> 1) & 0x1111;
    return (active | active >> 3 | active >> 6 | active >> 9) & 15;
}

// Halves of a quad in pairs; flat integers saturate.
void put_halves(const U4* value, unsigned count, bool flat, unsigned quad, U32* out) {
    U4 halves[2] = {};
    if (!flat) units::pack_halves(reinterpret_cast<const F4*>(value), count, halves);
    for (unsigned c = 0; c < count && flat; ++c) {
        const auto large = U4(value[c] > 0xffffu);
        halves[c / 2] |= ((value[c] & ~large) | (large & 0xffffu)) << 16 * (c % 2);
    }
    for (unsigned c = 0; c < count; c += 2)
        put_quad(&out[c / 2], quad, halves[c / 2]);
}

}  // namespace

bool FragmentUnits::interpolate(FragmentStage& s, const MessageIn& m, uint32_t offset_B, U32* out,
                                std::string* why) {
    const SourceFormat format = m.instr.source_format();
    const bool flat = format == SourceFormat::kFlat32 || format == SourceFormat::kFlat16;
    const bool half = format == SourceFormat::kF16 || format == SourceFormat::kFlat16;
    const bool to_half = m.instr.op == Op::kLdVarBufImmF16 || m.instr.op == Op::kLdVarBufF16;
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    Interpolator interpolator;
    Places places;
    double room[2][kWarpLanes];
    if (!flat) interpolator.weight = find_weights(s, find_places(s, m, &places), room);
    if (format == SourceFormat::kF32 && allow_avx2 && offset_B % 4 == 0 &&
        mix_quads(s, quads_of(m.active), offset_B, count, to_half, interpolator.weight, out))
        return true;
    const Interpolator::Run run = Interpolator::kRuns[half][count - 1];
    for (unsigned quad = 0; quad < kQuads; ++quad) {
        if (!(m.active >> 4 * quad & 15)) continue;
        const FragmentPrimitive& p = *s.primitive[quad];
        // The offset may be any 32 bits of a register.
        if (offset_B % (half ? 2 : 4) || uint64_t(offset_B) + count * (half ? 2 : 4) > p.varying_size_B ||
            !p.varying[0])
            return refuse(why, "varying at byte ", offset_B, " of ", p.varying_size_B);
        U4 value[4];
        if (flat)
            (half ? copy_provoking<true> : copy_provoking<false>)(s, quad, offset_B, count, value);
        else
            (interpolator.*run)(s, quad, offset_B, value);
        if (to_half)
            put_halves(value, count, flat, quad, out);
        else
            for (unsigned c = 0; c < count; ++c)
                put_quad(&out[c], quad, value[c]);
    }
    return true;
}

bool FragmentUnits::interpolate(const BundleMessage& m) {
    const isa::UpdateMode update = m.instr.update();
    const bool to_half = m.instr.op == Op::kLdVarBufImmF16;
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    const auto offset_B = uint32_t(m.instr.immediate(isa::Imm::kIndex));
    if (m.instr.source_format() != SourceFormat::kF32 || m.out.count != (to_half ? (count + 1) / 2 : count) ||
        offset_B % 4 || !allow_avx2)
        return false;
    const bool centers = is_at_centers(*stage_of(m.warps[0]).draw, m.instr.sample());
    for (Warp& w : m.warps) {
        FragmentStage& s = stage_of(w);
        if (update == isa::UpdateMode::kRetrieve ? !s.stored_places.centers : !centers) return false;
        if (update == isa::UpdateMode::kStore) s.stored_places.centers = true;
        const Weights weight = center_weights(s);
        const uint32_t running = w.flow.running;
        U32* const to = &w.r[m.out.reg];
        U32 other[4];
        U32* const out = running == kAllThreads ? to : other;
        if (!mix_quads(s, quads_of(running), offset_B, count, to_half, weight, out)) return false;
        for (unsigned i = 0; i < m.out.count && out != to; ++i)
            to[i] = wave::select(wave::mask_of(running), out[i], to[i]);
    }
    return true;
}

bool FragmentUnits::interpolate_attribute(FragmentStage& s, const MessageIn& m, Handle h, bool flat, U32* out,
                                          std::string* why) {
    if (!s.draw->frame_shader)
        return refuse(why, "varyings through attribute descriptors are for frame shaders alone");
    const AttributeState* a = find_attribute(m.memory, s.shader->resources, h, why);
    if (!a) return false;
    uint32_t corner[3][4] = {};
    for (unsigned i = 0; i < 3; ++i) {
        uint64_t va = 0;
        const uint8_t* p = a->element(m.memory, i, &va);
        if (!p)
            return refuse(why, "vertex ", i,
                          " of a frame shader: ", (va ? to_string(m.memory.fault()) : "beyond its buffer"));
        a->format.read(p, corner[i]);
    }
    Places places;
    double room[2][kWarpLanes];
    const Weights weight = flat ? nullptr : find_weights(s, find_places(s, m, &places), room);
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1)) continue;
        uint32_t v[4];
        for (unsigned c = 0; c < count; ++c) {
            const float at[3] = {std::bit_cast<float>(corner[0][c]), std::bit_cast<float>(corner[1][c]),
                                 std::bit_cast<float>(corner[2][c])};
            v[c] = flat ? corner[2][c] : std::bit_cast<uint32_t>(mix(weight, lane, at));
        }
        put_components(m.instr.register_format(), a->format.kind, v, count, out, lane);
    }
    return true;
}

namespace {

bool special(FragmentStage& s, const MessageIn& m, U32* out, std::string* why) {
    const int index = m.instr.immediate(isa::Imm::kIndex);
    const unsigned count = unsigned(m.instr.vector_size()) + 1;
    if (index > int(Special::FragZ)) return refuse(why, "no special varying ", index);
    if (Special(index) == Special::FragZ && m.instr.sample() == isa::SampleMode::kExplicit)
        return refuse(why, "the depth of a fragment at an offset");
    Places places;
    const Places& at = find_places(s, m, &places);
    for (unsigned lane = 0; lane < kWarpLanes; ++lane) {
        if (!(m.active >> lane & 1)) continue;
        const FragmentPrimitive& p = *s.primitive[lane / 4];
        const double x = s.x[lane] + (at.centers ? kCenter : at.x[lane]) / 256.0,
                     y = s.y[lane] + (at.centers ? kCenter : at.y[lane]) / 256.0;
        const auto across = [&](double px, float middle) { return float((px - middle) / p.size_px + 0.5); };
        float v[4] = {};
        switch (Special(index)) {
            case Special::Point:
            case Special::PointY: {
                const float t = across(y, p.point_y_px);
                v[0] = across(x, p.point_x_px);
                v[1] = s.fb->p.point_sprite_coord_origin_max_y ? 1 - t : t;
                if (Special(index) == Special::PointY) v[0] = v[1];
                break;
            }
            case Special::FragW:
                v[0] = float(p.inv_w.at(x, y));
                break;
            case Special::FragZ:
                v[0] = at.centers ? s.depth_of(lane) : s.draw->tests.depth.at(p.depth, x, y);
                break;
        }
        uint32_t bits[4];
        for (unsigned c = 0; c < count; ++c)
            bits[c] = std::bit_cast<uint32_t>(v[c]);
        put_components(m.instr.register_format(), NumberKind::Float, bits, count, out, lane);
    }
    return true;
}

}  // namespace

bool FragmentUnits::varying(Warp& warp, const MessageIn& m, U32* out, std::string* why) {
    FragmentStage& s = stage_of(warp);
    const unsigned first = m.active ? unsigned(std::countr_zero(m.active)) : 0;
    const auto immediate = [&] {
        return Handle{isa::table_of_immediate(unsigned(m.instr.immediate(isa::Imm::kTable)) & 15),
                      unsigned(m.instr.immediate(isa::Imm::kIndex))};
    };
    switch (m.instr.op) {
        case Op::kLdVarBufImmF32:
        case Op::kLdVarBufImmF16:
            return interpolate(s, m, uint32_t(m.instr.immediate(isa::Imm::kIndex)), out, why);
        case Op::kLdVarBufF32:
        case Op::kLdVarBufF16:
            return interpolate(s, m, m.low(1)[first], out, why);
        case Op::kLdVarSpecial:
            return special(s, m, out, why);
        case Op::kLdVarImm:
            return interpolate_attribute(s, m, immediate(), false, out, why);
        case Op::kLdVarFlatImm:
            return interpolate_attribute(s, m, immediate(), true, out, why);
        case Op::kLdVar:
            return interpolate_attribute(s, m, unpack_handle(m.low(1)[first]), false, out, why);
        case Op::kLdVarFlat:
            return interpolate_attribute(s, m, unpack_handle(m.low(0)[first]), true, out, why);
        default:
            return refuse(why, "the virtual GPU does not execute this varying instruction");
    }
}

}  // namespace terrazzo::mali::sim
