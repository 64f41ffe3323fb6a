// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/sim/fragment/coefficients.h"

#include <bit>

namespace terrazzo::agx::sim {

using Source = Coefficient::Source;
using units::FragmentPrimitive;
using units::PlaneEquation;

namespace {

constexpr unsigned kPositionWords = 4;
constexpr int32_t kTile_px = 32;  // ldcf's planes begin at the corner of such a tile

bool decode(const hw::CfBinding& b, unsigned n, unsigned slots_32, bool has_z, uint32_t output_words,
            Coefficient* c, std::string* why) {
    const unsigned slot = b.base_slot + n;
    c->model = b.shade_model;
    switch (b.source) {
        case hw::CoefficientSource::FragCoordZ:
            c->source = Source::Z;
            return true;
        case hw::CoefficientSource::PointCoord:
            if (n > 1) return refuse(why, "a point coordinate has two components");
            c->source = n ? Source::PointY : Source::PointX;
            return true;
        case hw::CoefficientSource::PrimitiveId:
            c->source = Source::PrimitiveId;
            return true;
        case hw::CoefficientSource::BarycentricCoord:
            if (n > 1) return refuse(why, "barycentric coordinates have two components");
            c->source = Source::Weight;
            c->number = uint16_t(n + 1);
            return true;
        case hw::CoefficientSource::Varying:
            if (slot >= slots_32)
                return refuse(why, "slot ", slot, " of ", slots_32,
                              " has 16 bits; such varyings are not modelled");
            if (slot == 0 || (slot == 1 && has_z)) {
                c->source = slot ? Source::Z : Source::W;
                return true;
            }
            c->source = Source::Word;
            c->number = uint16_t(kPositionWords + slot - (has_z ? 2 : 1));
            return c->number < output_words || refuse(why, "slot ", slot, " is word ", c->number,
                                                      " of a vertex, which has ", output_words);
    }
    return refuse(why, "source ", unsigned(b.source), " of a coefficient is not known");
}

}  // namespace

bool Coefficients::load(window::Window& memory, uint64_t va, const hw::OutputSelect& select,
                        bool point_grows_up, uint32_t output_words, std::string* why) {
    registers_.fill({});
    point_grows_up_ = point_grows_up;
    hw::CfHeader header;
    uint32_t word;
    if (!memory.read(va, &word, sizeof word))
        return refuse(why, "bindings of coefficients: ", memory.fault());
    (void)unpack(&word, &header);
    unsigned bound = 0;
    for (uint64_t at = va + sizeof word; bound < header.registers; at += sizeof word) {
        if (!memory.read(at, &word, sizeof word))
            return refuse(why, "bindings of coefficients: ", memory.fault());
        hw::CfBinding b;
        if (!unpack(&word, &b)) return refuse(why, "a binding of coefficients has bits without a meaning");
        for (unsigned n = 0; n < b.components; ++n, ++bound) {
            const unsigned number = b.base_register + n;
            if (number >= registers_.size()) return refuse(why, "coefficient register ", number);
            if (!decode(b, n, header.slots_32, select.frag_coord_z, output_words, &registers_[number], why))
                return false;
        }
    }
    return true;
}

const Coefficient* Coefficients::find(unsigned first, unsigned count, std::string* why) const {
    for (unsigned n = first; n < first + count; ++n)
        if (n >= registers_.size() || registers_[n].source == Source::Unbound) {
            refuse(why, "coefficient register cf", n, " is not bound");
            return nullptr;
        }
    return &registers_[first];
}

uint32_t Coefficients::flat(const Coefficient& c, const FragmentPrimitive& p) const {
    return c.source == Source::PrimitiveId ? p.primitive_id : p.values[p.provoking][c.number];
}

PlaneEquation Coefficients::plane(const Coefficient& c, const FragmentPrimitive& p) const {
    const auto sum = [&](auto&& value) {
        PlaneEquation out;
        for (unsigned n = 0; n < p.vertex_count(); ++n) {
            const double v = value(n);
            out.a += p.weight[n].a * v, out.b += p.weight[n].b * v, out.c += p.weight[n].c * v;
        }
        return out;
    };
    const bool projected = c.model == hw::ShadeModel::Perspective;
    switch (c.source) {
        case Source::W:
            return p.inv_w;
        case Source::Z:
            return p.depth;
        case Source::Word:
            return sum([&](unsigned n) {
                return double(std::bit_cast<float>(p.values[n][c.number])) / (projected ? 1 : p.inv_w_of[n]);
            });
        case Source::Weight:
            return sum([&](unsigned n) { return n == c.number ? (projected ? 1 : 1 / p.inv_w_of[n]) : 0.0; });
        case Source::PointX:
            return {1.0 / p.size_px, 0, 0.5 - double(p.point_x_px) / p.size_px};
        case Source::PointY:
            if (point_grows_up_) return {0, -1.0 / p.size_px, 0.5 + double(p.point_y_px) / p.size_px};
            return {0, 1.0 / p.size_px, 0.5 - double(p.point_y_px) / p.size_px};
        case Source::Unbound:
        case Source::PrimitiveId:
            break;
    }
    return {};
}

namespace {

// Within a pixel, in pixels.
struct Place {
    double x = 0.5, y = 0.5;
};
Place sample_place(const units::SamplePattern& p, unsigned sample) {
    return {p.x[sample] / 256.0, p.y[sample] / 256.0};
}

}  // namespace

bool Coefficients::interpolate(const FragmentBatch& batch, const units::SamplePattern& pattern,
                               UnitCall& call, std::string* why) const {
    const isa::Instr& instr = call.instr;
    const bool projects = instr.op == isa::Op::kIterproj;
    const isa::Operand& of = instr.src[0];
    const isa::Operand& sample = instr.src[projects ? 2 : 1];
    const unsigned count = instr.dest.count;
    if (projects) {
        const Coefficient* const w = find(unsigned(instr.src[1].value), 1, why);
        if (!w) return false;
        if (w->source != Source::W) return refuse(why, "the divisor of iterproj must be W");
    }
    const bool indirect = of.kind == isa::OperandKind::kRegister;
    const auto place_of = [&](unsigned lane) -> Place {
        const unsigned covered = batch.covered_at(lane);
        switch (instr.interpolation()) {
            case isa::Interpolation::kSample: {
                const unsigned n = sample.kind == isa::OperandKind::kRegister
                                       ? wave::at(call.in[projects ? 2 : 1][0], lane)
                                       : unsigned(sample.value);
                return sample_place(pattern, std::min(n, pattern.count - 1));
            }
            case isa::Interpolation::kCentroid:
                if (pattern.count == 1 || covered == (1u << pattern.count) - 1 || !covered) return {};
                return sample_place(pattern, unsigned(std::countr_zero(covered)));
            default:
                return {};
        }
    };
    const bool centers = instr.interpolation() == isa::Interpolation::kCenter ||
                         (instr.interpolation() == isa::Interpolation::kCentroid && pattern.count == 1);
    alignas(64) float i[kThreads] = {}, j[kThreads] = {};
    if (centers && projects) units::find_weights(batch, i, j);
    for (unsigned q = 0; q < batch.count; ++q) {
        const FragmentPrimitive& p = *batch.primitive[q];
        const unsigned lane_0 = 4 * q;
        if (!(call.active >> lane_0 & 15)) continue;
        // The register may differ from thread to thread.
        const unsigned sets = indirect ? 4 : 1;
        for (unsigned set = 0; set < sets; ++set) {
            if (indirect && !(call.active >> (lane_0 + set) & 1)) continue;
            const unsigned first = indirect ? wave::at(call.in[0][0], lane_0 + set) : unsigned(of.value);
            const Coefficient* const c = find(first, count, why);
            if (!c) return false;
            for (unsigned k = 0; k < count; ++k) {
                if (c[k].is_flat()) return refuse(why, "cf", first + k, " is flat, and iter would divide it");
                if (projects && (c[k].model != hw::ShadeModel::Perspective || c[k].source == Source::W))
                    return refuse(why, "cf", first + k,
                                  " is not bound for perspective, but iterproj divides");
                const bool by_weights = projects && centers && c[k].source == Source::Word;
                const PlaneEquation plane = by_weights ? PlaneEquation{} : this->plane(c[k], p);
                float v[3] = {};
                for (unsigned n = 0; by_weights && n < p.vertex_count(); ++n)
                    v[n] = std::bit_cast<float>(p.values[n][c[k].number]);
                const float to_second = p.vertex_count() > 1 ? v[1] - v[0] : 0,
                            to_third = p.vertex_count() > 2 ? v[2] - v[0] : 0;
                for (unsigned n = indirect ? set : 0; n < (indirect ? set + 1 : 4); ++n) {
                    const unsigned lane = lane_0 + n;
                    float value;
                    if (by_weights) {
                        value = (v[0] + i[lane] * to_second) + j[lane] * to_third;
                    } else {
                        const Place at = centers ? Place{} : place_of(lane);
                        const double x = batch.x[lane] + at.x, y = batch.y[lane] + at.y;
                        value = float(projects ? plane.at(x, y) / p.inv_w.at(x, y) : plane.at(x, y));
                    }
                    const uint32_t bits =
                        instr.dest.size == 16 ? pipe::float_to_half(value) : std::bit_cast<uint32_t>(value);
                    wave::put_at(call.out[k], lane, bits);
                }
            }
        }
    }
    return true;
}

bool Coefficients::run(const FragmentBatch& batch, const units::SamplePattern& pattern, UnitCall& call,
                       std::string* why) const {
    const isa::Instr& instr = call.instr;
    if (instr.op != isa::Op::kLdcf) return interpolate(batch, pattern, call, why);
    if (instr.dest.size != 32) return refuse(why, "coefficients of 16 bits are not modelled");
    const isa::Operand& of = instr.src[0];
    for (unsigned lane = 0; lane < 4 * batch.count; ++lane) {
        if (!(call.active >> lane & 1)) continue;
        const FragmentPrimitive& p = *batch.primitive[lane / 4];
        const unsigned first =
            of.kind == isa::OperandKind::kRegister ? wave::at(call.in[0][0], lane) : unsigned(of.value);
        const Coefficient* const c = find(first, instr.dest.count / 3, why);
        if (!c) return false;
        for (unsigned k = 0; k < instr.dest.count / 3u; ++k) {
            uint32_t words[3];
            if (c[k].is_flat()) {
                // Mesa's programs take the second word for the first triangle of a fan, otherwise the third.
                words[0] = 0, words[1] = words[2] = flat(c[k], p);
            } else {
                const PlaneEquation plane = this->plane(c[k], p);
                const int32_t x = batch.x[lane] & ~(kTile_px - 1), y = batch.y[lane] & ~(kTile_px - 1);
                words[0] = std::bit_cast<uint32_t>(float(plane.a));
                words[1] = std::bit_cast<uint32_t>(float(plane.b));
                words[2] = std::bit_cast<uint32_t>(float(plane.at(x, y)));
            }
            for (unsigned n = 0; n < 3; ++n)
                wave::put_at(call.out[3 * k + n], lane, words[n]);
        }
    }
    return true;
}

}  // namespace terrazzo::agx::sim
