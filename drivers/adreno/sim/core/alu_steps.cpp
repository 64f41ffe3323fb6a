// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Categories 1 to 4: sources, the operation and its result, for each repeat.
#include "drivers/adreno/sim/core/execution.h"

namespace terrazzo::adreno::sim {

namespace {

using isa::Op;

bool is_logic(Op op) {
    return op == Op::kAndB || op == Op::kOrB || op == Op::kXorB || op == Op::kNotB;
}

}  // namespace

inline const U32* Execution::fill(uint32_t value, U32* room) const {
    const U32 v = wave::splat(value);
    for (unsigned g = 0; g < w_.groups; ++g)
        room[g] = v;
    return room;
}

const U32* Execution::read_alu(const Operand& o, unsigned repeat, uint64_t cycle, U32* room) {
    const unsigned i = unsigned(o.index) + (o.repeat ? repeat : 0);
    if (o.from == From::Full) {
        if (const U32* v = full_register(i, cycle + o.late, Reader::Alu)) {
            if (!o.neg && !o.abs) return v;
            for (unsigned g = 0; g < w_.groups; ++g)
                room[g] = v[g];
            extend_and_sign(o, room);
            return room;
        }
    } else if (o.from == From::Constant && !o.half && !o.neg && !o.abs && i < w_.constants.size() &&
               !h_.constants_ss && !h_.constants_sy) {
        return fill(w_.constants[i], room);
    } else if (o.from == From::Number && !o.neg && !o.abs) {
        return fill(o.half ? o.value & 0xffff : o.value, room);
    }
    return read(o, repeat, cycle, Reader::Alu, room);
}

// The register into which the result may be written directly; null: it needs write().
inline U32* Execution::whole_register(const Operand& d, unsigned repeat) {
    const unsigned i = unsigned(d.index) + repeat;
    if (d.from != From::Full || !whole_ || i >= 4 * w_.full_registers || i >= kFullRegisters ||
        w_.check_defined || !h_.is_free({uint16_t(2 * i), 2}))
        return nullptr;
    return w_.full[i];
}

// Converts the operation's result to the destination's form: clamped, in its precision. May change `v`.
bool Execution::finish_alu(const Operand& d, unsigned repeat, U32* v, uint64_t cycle) {
    const AluRow& row = *s_->alu;
    const bool half = s_->half;
    if (row.numbers == Numbers::Float && !(row.traits & kTruth)) {
        if (s_->sat) half ? saturate_halves(v, w_.groups) : saturate_floats(v, w_.groups);
        if (half && !d.half && d.from != From::Predicate) halves_to_floats(v, v, w_.groups);
        if (!half && d.half) floats_to_halves(v, v, w_.groups);
    } else if (half && !(row.traits & (kWide | kTruth)) && !d.half) {
        // Numbers of 16 bits: extended by the operation's signedness.
        for (unsigned g = 0; g < w_.groups; ++g)
            v[g] = row.numbers == Numbers::Signed ? U32(I32(v[g] << 16) >> 16) : v[g] & 0xffffu;
    }
    if (d.from == From::Predicate && is_logic(s_->instr.op))
        for (unsigned g = 0; g < w_.groups; ++g)
            v[g] &= 1u;
    return write(d, repeat, v, cycle);
}

bool Execution::alu() {
    const AluRow& row = *s_->alu;
    const Kernel kernel = row.numbers == Numbers::Float && s_->half ? row.half : row.full;
    const Operand& d = s_->dst[0];
    const bool clamps = s_->sat && row.numbers == Numbers::Float;
    held_count_ = 0;
    for (unsigned r = 0; r <= s_->repeat; ++r) {
        Lanes room[4];
        const uint64_t cycle = h_.now + r;
        AluArgs args{nullptr, nullptr, nullptr, room[3], w_.groups, s_->half, &s_->instr};
        const unsigned count = s_->source_count;
        if (count > 0 && !(args.a = read_alu(s_->src[0], r, cycle, room[0]))) return false;
        if (count > 1 && !(args.b = read_alu(s_->src[1], r, cycle, room[1]))) return false;
        if (count > 2 && !(args.c = read_alu(s_->src[2], r, cycle, room[2]))) return false;
        if (U32* out = s_->half ? nullptr : whole_register(d, r)) {
            args.out = out;
            kernel(args);
            if (clamps) saturate_floats(out, w_.groups);
            h_.wrote(units_of(From::Full, unsigned(d.index) + r), true, cycle + 1, exec_);
            continue;
        }
        kernel(args);
        if (!finish_alu(d, r, room[3], cycle)) return false;
    }
    // Results for shared registers are written later.
    if (d.from == From::Shared) {
        const bool scalar = core_.has_scalar_alu && s_->scalar;
        for (unsigned n = 0; n < s_->source_count; ++n)
            if (s_->src[n].from == From::Full || s_->src[n].from == From::Half ||
                s_->src[n].from == From::Shared)
                (scalar && s_->src[n].from == From::Shared ? h_.source_scalar : h_.source_ss)
                    .add(units_of(s_->src[n].from, unsigned(s_->src[n].index), s_->src[n].half), exec_);
    }
    return true;
}

bool Execution::special() {
    const AluRow& row = *s_->alu;
    const Kernel kernel = s_->half ? row.half : row.full;
    held_count_ = 0;
    for (unsigned r = 0; r <= s_->repeat; ++r) {
        Lanes room, out;
        const U32* v = read(s_->src[0], r, h_.now + r, Reader::Unit, room);
        if (!v) return false;
        kernel({v, v, v, out, w_.groups, s_->half, &s_->instr});
        const Operand& d = s_->dst[0];
        if (s_->sat) s_->half ? saturate_halves(out, w_.groups) : saturate_floats(out, w_.groups);
        if (s_->half && !d.half) halves_to_floats(out, out, w_.groups);
        if (!s_->half && d.half) floats_to_halves(out, out, w_.groups);
        // Sources are held only after the loop: a repeat may overwrite those of earlier repeats.
        if (!write_result(d, r, out, isa::Sync::kSs)) return false;
    }
    hold_sources(true);
    return true;
}

bool Execution::move() {
    const isa::Instr& i = s_->instr;
    const isa::Type from = i.source_type(), to = i.dest_type();
    held_count_ = 0;
    for (unsigned r = 0; r <= s_->repeat; ++r) {
        Lanes room, out;
        const U32* v = read_alu(s_->src[0], r, h_.now + r, room);
        if (!v) return false;
        if (U32* to_register = from == to ? whole_register(s_->dst[0], r) : nullptr) {
            for (unsigned g = 0; g < w_.groups; ++g)
                to_register[g] = v[g];
            h_.wrote(units_of(From::Full, unsigned(s_->dst[0].index) + r), true, h_.now + r + 1, exec_);
            continue;
        }
        if (from != to) {
            convert(from, to, i.round(), v, out, w_.groups);
            v = out;
        }
        if (!write(s_->dst[0], r, v, h_.now + r)) return false;
    }
    if (s_->dst[0].from == From::Shared && (s_->src[0].from == From::Full || s_->src[0].from == From::Half))
        h_.source_ss.add(units_of(s_->src[0].from, unsigned(s_->src[0].index)), exec_);
    return true;
}

// swz, gat, sct: all sources are read before a result is written.
bool Execution::moves() {
    const isa::Instr& i = s_->instr;
    const unsigned count = i.op == Op::kSwz ? 2 : 4;
    Lanes room[4], out[4];
    for (unsigned n = 0; n < count; ++n) {
        Operand o = s_->src[i.op == Op::kSct ? 0 : n];
        o.repeat = i.op == Op::kSct;
        if (o.repeat) o.late = uint8_t(n);
        const U32* v = read(o, n, h_.now, Reader::Alu, room[n]);
        if (!v) return false;
        convert(i.source_type(), i.dest_type(), i.round(), v, out[n], w_.groups);
    }
    for (unsigned n = 0; n < count; ++n)
        if (!write(s_->dst[i.op == Op::kGat ? 0 : n], i.op == Op::kGat ? n : 0, out[n], h_.now + n))
            return false;
    return true;
}

bool Execution::movmsk() {
    for (unsigned n = 0; n < s_->instr.mask_words(); ++n) {
        const uint32_t bits = n < 4 ? uint32_t(exec_.word[n / 2] >> 32 * (n & 1)) : 0;
        Lanes v;
        for (U32& g : v)
            g = wave::splat(bits);
        if (!write(s_->dst[0], n, v, h_.now + n)) return false;
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
