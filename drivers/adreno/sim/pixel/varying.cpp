// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Barycentrics and varyings. i and j are the weights of the second and the third vertex, so that a value is
// v0 + i (v1 - v0) + j (v2 - v0). Lines have no third vertex, points no second one. Contents of registers:
// Mesa 25.0.7, ir3_compiler_nir.c (get_frag_coord, load_front_face, load_sample_id, load_sample_mask_in).
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "drivers/adreno/sim/pixel/shade.h"

namespace terrazzo::adreno::sim {

namespace {

struct Point {
    double x, y;
};

Point sample_place(const units::SamplePattern& p, unsigned sample) {
    return {p.x[sample] / 256.0, p.y[sample] / 256.0};
}

// The position within its pixel at which a lane's values are evaluated.
Point place_of(const FragmentStage& s, unsigned lane, Place place) {
    constexpr Point kCenter{0.5, 0.5};
    const units::SamplePattern& pattern = s.state->pattern;
    const unsigned covered = s.batch.covered_at(lane);
    switch (place) {
        case Place::Pixel:
            break;
        case Place::Centroid:
            if (s.state->samples == 1 || covered == (1u << s.state->samples) - 1 || !covered) break;
            return sample_place(pattern, unsigned(std::countr_zero(covered)));
        case Place::Sample:
            return sample_place(pattern, s.batch.sample[lane / 4]);
    }
    return kCenter;
}

struct Weights {
    float i, j;
};
Weights weights_at(const FragmentPrimitive& p, bool linear, double x, double y) {
    if (linear)
        return {float(p.weight[1].at(x, y) / p.inv_w_of[1]), float(p.weight[2].at(x, y) / p.inv_w_of[2])};
    Weights w;
    units::find_weights_at(p, x, y, &w.i, &w.j);
    return w;
}

void find_weights(const FragmentStage& s, unsigned group, bool linear, Place place, F32* i, F32* j) {
    if (!linear && (place == Place::Pixel || (place == Place::Centroid && s.state->samples == 1))) {
        *i = wave::as_float(s.centers.i[group]), *j = wave::as_float(s.centers.j[group]);
        return;
    }
    for (unsigned n = 0; n < kGroupLanes; ++n) {
        const unsigned lane = group * kGroupLanes + n;
        if (lane / 4 >= s.batch.count) return;
        const Point at = place_of(s, lane, place);
        const Weights w =
            weights_at(*s.batch.primitive[lane / 4], linear, s.batch.x[lane] + at.x, s.batch.y[lane] + at.y);
        (*i)[n] = w.i;
        (*j)[n] = w.j;
    }
}

bool put(Wave& wave, isa::Reg reg, bool half, unsigned group, U32 value, std::string* why) {
    if (reg == kNoRegister || wave.set_group(reg, half, group, value)) return true;
    return refuse(why, "HLSQ_CONTROL: an input in register ", reg.number(), ".", "xyzw"[reg.component()],
                  ", which the shader does not have");
}
isa::Reg after(isa::Reg r) {
    return {uint8_t(r.index + 1)};
}

bool put_coordinates(const FragmentStage& s, Wave& wave, unsigned group, std::string* why) {
    const FragmentInputs& in = s.state->in;
    if ((in.xy == kNoRegister && in.zw == kNoRegister) || !in.coord_mask) return true;
    U32 v[4] = {};
    for (unsigned n = 0; n < kGroupLanes; ++n) {
        const unsigned lane = group * kGroupLanes + n;
        if (lane / 4 >= s.batch.count) break;
        const FragmentPrimitive& p = *s.batch.primitive[lane / 4];
        const Point at = place_of(s, lane, in.coords_at_sample ? Place::Sample : Place::Pixel);
        const double x = s.batch.x[lane] + at.x, y = s.batch.y[lane] + at.y;
        v[0][n] = uint32_t(int32_t(x * 16));
        v[1][n] = uint32_t(int32_t(y * 16));
        v[2][n] = std::bit_cast<uint32_t>(s.state->tests.depth.at(p.depth, x, y));
        v[3][n] = std::bit_cast<uint32_t>(float(p.inv_w.at(x, y)));
    }
    const isa::Reg reg[4] = {in.xy, after(in.xy), in.zw, after(in.zw)};
    for (unsigned c = 0; c < 4; ++c) {
        const bool wanted = (c < 2 ? in.xy : in.zw) != kNoRegister && (in.coord_mask >> c & 1);
        if (wanted && !put(wave, reg[c], false, group, v[c], why)) return false;
    }
    return true;
}

bool put_center_rhw(const FragmentStage& s, Wave& wave, unsigned group, std::string* why) {
    if (s.state->in.center_rhw == kNoRegister) return true;
    U32 v{};
    for (unsigned n = 0; n < kGroupLanes; ++n) {
        const unsigned lane = group * kGroupLanes + n;
        if (lane / 4 >= s.batch.count) break;
        const units::PlaneEquation& w = s.batch.primitive[lane / 4]->inv_w;
        v[n] = std::bit_cast<uint32_t>(float(w.at(s.batch.x[lane] + 0.5, s.batch.y[lane] + 0.5)));
    }
    return put(wave, s.state->in.center_rhw, false, group, v, why);
}

bool put_integers(const FragmentStage& s, Wave& wave, unsigned group, std::string* why) {
    const FragmentInputs& in = s.state->in;
    if (in.face == kNoRegister && in.sample_id == kNoRegister && in.sample_mask == kNoRegister) return true;
    U32 face{}, id{}, mask{};
    for (unsigned n = 0; n < kGroupLanes; ++n) {
        const unsigned lane = group * kGroupLanes + n;
        if (lane / 4 >= s.batch.count) break;
        face[n] = s.batch.primitive[lane / 4]->back_facing ? 0xffff : 0;
        mask[n] = in.mask_after_tests ? s.batch.samples_at(lane) : s.batch.covered_at(lane);
        // If the whole pixel is shaded: the number of a covered sample. Mesa's gl_HelperInvocation checks
        // whether the mask lacks the sample with this number.
        id[n] = s.state->per_sample ? s.batch.sample[lane / 4]
                : mask[n]           ? uint32_t(std::countr_zero(mask[n]))
                                    : 0;
    }
    return put(wave, in.face, true, group, face, why) && put(wave, in.sample_id, true, group, id, why) &&
           put(wave, in.sample_mask, false, group, mask, why);
}

// Whole rows of ordinary registers.
bool copy_centers(const PixelWeights& centers, isa::Reg reg, Wave& wave) {
    if (wave.check_defined || reg.index + 1u >= kFullRegisters) return false;
    std::copy_n(centers.i, wave.groups, wave.rows[reg.index]);
    std::copy_n(centers.j, wave.groups, wave.rows[after(reg).index]);
    return true;
}

}  // namespace

bool put_inputs(const FragmentStage& s, Wave& wave, std::string* why) {
    const FragmentInputs& in = s.state->in;
    for (unsigned linear = 0; linear < 2 && in.any_ij; ++linear)
        for (unsigned place = 0; place < kPlaces; ++place) {
            const isa::Reg reg = in.ij[linear][place];
            if (reg == kNoRegister) continue;
            const bool at_centers = !linear && Place(place) == Place::Pixel;
            if (at_centers && copy_centers(s.centers, reg, wave)) continue;
            for (unsigned group = 0; group < wave.groups; ++group) {
                F32 i{}, j{};
                find_weights(s, group, linear != 0, Place(place), &i, &j);
                if (!put(wave, reg, false, group, wave::as_bits(i), why) ||
                    !put(wave, after(reg), false, group, wave::as_bits(j), why))
                    return false;
            }
        }
    for (unsigned group = 0; group < wave.groups && in.any_other(); ++group)
        if (!put_coordinates(s, wave, group, why) || !put_center_rhw(s, wave, group, why) ||
            !put_integers(s, wave, group, why))
            return false;
    return true;
}

void find_centers(FragmentStage& s) {
    units::find_weights(s.batch, s.centers.i, s.centers.j);
    // Lanes without a quad must not keep values of an earlier batch.
    const size_t used_B = s.batch.count * sizeof(units::QuadF32);
    for (U32* const weights : {s.centers.i, s.centers.j})
        std::memset(reinterpret_cast<uint8_t*>(weights) + used_B, 0, sizeof s.centers.i - used_B);
}

namespace {

// The source of a location's value: the same for all primitives.
enum class Source : uint8_t { Smooth, Flat, Word, PrimitiveId };
struct Location {
    unsigned number = 0;
    Source source = Source::Smooth;
    uint32_t word = 0;
    hw::VaryingPsReplMode replacement = hw::VaryingPsReplMode::PS_REPL_NONE;  // for points
};
Location location_of(const VaryingState& v, unsigned number, uint32_t words, bool flat) {
    const hw::VaryingInterpMode mode = v.mode(number);
    Location l{number, Source::Smooth, 0, v.replacement(number)};
    if (number == v.primitive_id)
        l.source = Source::PrimitiveId;
    else if (mode == hw::VaryingInterpMode::INTERP_ZERO || number >= words)
        l.source = Source::Word;
    else if (mode == hw::VaryingInterpMode::INTERP_ONE)
        l.source = Source::Word, l.word = 0x3f800000;
    else if (mode == hw::VaryingInterpMode::INTERP_FLAT || flat)
        l.source = Source::Flat;
    return l;
}

float point_coordinate(const VaryingState& v, const FragmentPrimitive& p, hw::VaryingPsReplMode mode,
                       int32_t x, int32_t y) {
    const double s = (x + 0.5 - p.point_x_px) / p.size_px + 0.5,
                 t = (y + 0.5 - p.point_y_px) / p.size_px + 0.5;
    if (mode == hw::VaryingPsReplMode::PS_REPL_S) return float(s);
    const bool flip = (mode == hw::VaryingPsReplMode::PS_REPL_ONE_MINUS_T) != v.flip_point_t;
    return float(flip ? 1 - t : t);
}

// One location of a primitive: the value at the first vertex, and the differences of the second and third
// vertex.
struct Plane {
    float value = 0, to_second = 0, to_third = 0;
    uint32_t fixed = 0;  // the bits, if is_fixed
    bool is_fixed = false, is_point = false;
};
Plane plane_of(const FragmentPrimitive& p, const Location& l) {
    Plane out;
    out.is_point =
        p.kind == units::PrimitiveKind::Point && l.replacement != hw::VaryingPsReplMode::PS_REPL_NONE;
    out.is_fixed = out.is_point || l.source != Source::Smooth;
    if (out.is_fixed) {
        out.fixed = l.source == Source::PrimitiveId ? p.primitive_id
                    : l.source == Source::Flat      ? p.values[p.provoking][l.number]
                                                    : l.word;
        return out;
    }
    const unsigned count = p.vertex_count();
    out.value = std::bit_cast<float>(p.values[0][l.number]);
    if (count > 1) out.to_second = std::bit_cast<float>(p.values[1][l.number]) - out.value;
    if (count > 2) out.to_third = std::bit_cast<float>(p.values[2][l.number]) - out.value;
    return out;
}

// The values of one location in a group of lanes.
U32 location_value(const FragmentStage& s, const Location& l, unsigned group, F32 i, F32 j) {
    alignas(sizeof(U32)) uint32_t fixed[kGroupLanes] = {};
    alignas(sizeof(F32)) float terms[3][kGroupLanes] = {};
    uint32_t is_fixed = 0;
    for (unsigned q = 0; q < 4 && group * 4 + q < s.batch.count; ++q) {
        const unsigned quad = group * 4 + q;
        const FragmentPrimitive& p = *s.batch.primitive[quad];
        const Plane plane = plane_of(p, l);
        for (unsigned n = 4 * q; n < 4 * q + 4; ++n) {
            terms[0][n] = plane.value;
            terms[1][n] = plane.to_second;
            terms[2][n] = plane.to_third;
            fixed[n] = plane.fixed;
        }
        if (plane.is_fixed) is_fixed |= 15u << 4 * q;
        for (unsigned n = 0; n < 4 && plane.is_point; ++n)
            fixed[4 * q + n] = std::bit_cast<uint32_t>(point_coordinate(
                s.state->varying, p, l.replacement, s.batch.x[4 * quad + n], s.batch.y[4 * quad + n]));
    }
    F32 t[3];
    U32 constants;
    std::memcpy(t, terms, sizeof t);
    std::memcpy(&constants, fixed, sizeof constants);
    const U32 mixed = wave::as_bits((t[0] + i * t[1]) + j * t[2]);
    return is_fixed ? wave::select(wave::mask_of(is_fixed), constants, mixed) : mixed;
}

}  // namespace

// Values are floats, as in the VPC; the core converts them to halves.
bool FragmentUnits::varying(UnitCall& call, std::string* why) {
    const auto& s = *static_cast<const FragmentStage*>(call.wave.stage);
    const bool flat = call.instr.op != isa::Op::kBaryF;
    unsigned count = call.instr.op == isa::Op::kLdlv ? call.instr.size() : call.instr.repeat() + 1;
    const unsigned lane = call.active.any() ? call.active.lowest() : 0;
    const uint32_t first = call.in[0][lane / kGroupLanes][lane % kGroupLanes];
    // If the location does not advance with the repetition, only the first one is read.
    if (call.instr.op != isa::Op::kLdlv && !call.instr.src[0].repeat && first < s.state->varying.count)
        count = std::min(count, s.state->varying.count - first);
    if (first >= 128 || count > UnitCall::kMaxOut || first + count > s.state->varying.count)
        return refuse(why, "varying at location ", first, " of ", s.state->varying.count, " (VPC_CNTL_0)");
    for (unsigned k = 0; k < count; ++k) {
        const Location l = location_of(s.state->varying, first + k, s.output_words, flat);
        for (unsigned g = 0; g < call.wave.groups; ++g)
            call.out[k][g] =
                location_value(s, l, g, wave::as_float(call.in[1][g]), wave::as_float(call.in[2][g]));
    }
    return true;
}

namespace {

// The planes of consecutive locations at all quads. Primitives have three vertices, and their outputs at
// least four words from the first location on.
template <unsigned kCount>
void put_planes(const FragmentBatch& b, unsigned quads, unsigned location, U32 (*rows)[kMaxGroups]) {
    auto* to = reinterpret_cast<uint8_t*>(rows);
    constexpr size_t kRow_B = sizeof(rows[0]), kQuad_B = sizeof(units::QuadF32);
    for (unsigned q = 0; q < quads; ++q, to += kQuad_B) {
        units::QuadF32 v[3];
        for (unsigned n = 0; n < 3; ++n)
            std::memcpy(&v[n], b.primitive[q]->values[n] + location, sizeof v[n]);
        v[1] -= v[0], v[2] -= v[0];
        const auto put = [&]<int kWord>(std::integral_constant<int, kWord>) {
            if constexpr (kWord < int(kCount))
                for (unsigned n = 0; n < 3; ++n) {
                    const auto all = __builtin_shufflevector(v[n], v[n], kWord, kWord, kWord, kWord);
                    std::memcpy(to + (3 * kWord + n) * kRow_B, &all, kQuad_B);
                }
        };
        put(std::integral_constant<int, 0>()), put(std::integral_constant<int, 1>());
        put(std::integral_constant<int, 2>()), put(std::integral_constant<int, 3>());
    }
}

// Likewise, for one location.
void put_plane(const FragmentBatch& b, unsigned quads, unsigned location, U32 (*rows)[kMaxGroups]) {
    auto* to = reinterpret_cast<uint8_t*>(rows);
    for (unsigned q = 0; q < quads; ++q, to += sizeof(units::QuadF32)) {
        const auto value = [&](unsigned n) {
            return std::bit_cast<float>(b.primitive[q]->values[n][location]);
        };
        const units::QuadF32 none{},
            v[3] = {none + value(0), none + (value(1) - value(0)), none + (value(2) - value(0))};
        for (unsigned n = 0; n < 3; ++n)
            std::memcpy(to + n * sizeof(rows[0]), &v[n], sizeof v[n]);
    }
}

}  // namespace

bool FragmentUnits::planes(Wave& wave, uint32_t locations) {
    const auto& s = *static_cast<const FragmentStage*>(wave.stage);
    if (!s.triangles) return false;
    for (uint32_t left = locations; left; left &= left - 1) {
        const auto n = unsigned(std::countr_zero(left));
        if (n >= s.state->varying.count ||
            location_of(s.state->varying, n, s.output_words, false).source != Source::Smooth)
            return false;
    }
    const unsigned quads = std::min(s.batch.count, 4 * wave.groups);
    for (uint32_t left = locations; left;) {
        const auto n = unsigned(std::countr_zero(left));
        unsigned count = unsigned(std::min(std::countr_one(left >> n), 4));
        auto* const rows = &wave.rows[kPlaneRow + 3 * n];
        if (n + 4 > s.output_words) count = 1;
        count == 4   ? put_planes<4>(s.batch, quads, n, rows)
        : count == 3 ? put_planes<3>(s.batch, quads, n, rows)
        : count == 2 ? put_planes<2>(s.batch, quads, n, rows)
                     : put_plane(s.batch, quads, n, rows);
        left &= ~(((1u << count) - 1) << n);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
