// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sources with their modifiers, the operation, its result in the destination's form.
#include "drivers/adreno/sim/core/lower.h"

namespace terrazzo::adreno::sim {

namespace {

using core::MicroBuilder;
using isa::Op;

bool is_moves(const Step& s) {
    return s.kind == StepKind::Moves;
}
bool is_logic(Op op) {
    return op == Op::kAndB || op == Op::kOrB || op == Op::kXorB || op == Op::kNotB;
}
bool computes_floats(const Step& s) {
    return s.alu && s.alu->numbers == Numbers::Float;
}

// Address and predicate registers are none of a row.
unsigned step_of(const Operand& o, unsigned step) {
    return o.from == From::Address || o.from == From::Predicate ? 0 : step;
}

class Lowerer {
  public:
    Lowerer(const Step& s, RegisterMode mode, MicroBuilder& b) : s_(s), mode_(mode), b_(b) {}

    /// The operand's value, before its modifiers.
    Value raw(const Operand& o, unsigned step) const {
        const unsigned i = unsigned(o.index) + step;
        if (o.from == From::Number) return number(o.half ? o.value & 0xffff : o.value);
        if (o.from == From::Constant) return uniform(o, i);
        if (!has_row(o.from)) return number(0);
        const RowBits at = row_of(o.from, i, mode_.merged);
        // A float's conversion ignores the high half.
        const bool low = computes_floats(s_) && s_.half && at.shift == 0;
        if (o.from != From::Half || !mode_.merged || low) return b_.reg(at.row);
        return b_.extract(o.numbers == Numbers::Signed, b_.reg(at.row), at.shift, 16);
    }
    Value uniform(const Operand& o, unsigned i) const {
        if (!o.half) return b_.uniform(i);
        if (!mode_.demotes) return b_.extract(false, b_.uniform(i / 2), 16 * (i & 1), 16);
        if (o.numbers == Numbers::Float) return b_.op(MicroOp::FloatToHalf, b_.uniform(i));
        return b_.extract(false, b_.uniform(i), 0, 16);
    }

    /// The value with its modifiers; floats of halves as floats.
    Value source(const Operand& o, Value v) const {
        if (o.half && o.numbers == Numbers::Signed) v = b_.extract(true, v, 0, 16);
        if (o.numbers == Numbers::Float) {
            const uint32_t sign = o.half ? 0x8000u : 0x80000000u;
            if (o.abs) v = b_.op(MicroOp::And, v, number(~sign));
            if (o.neg) v = b_.op(MicroOp::Xor, v, number(sign));
            return computes_floats(s_) && s_.half ? b_.op(MicroOp::HalfToFloat, v) : v;
        }
        if (o.numbers == Numbers::Bits) {
            const uint32_t all = o.from == From::Predicate ? 1 : o.half ? 0xffffu : ~0u;
            return o.neg ? b_.op(MicroOp::Xor, v, number(all)) : v;
        }
        const auto minus = [&](Value x) { return b_.op(MicroOp::Sub, number(0), x); };
        if (o.abs) v = b_.op(MicroOp::MaxSigned, v, minus(v));
        return o.neg ? minus(v) : v;
    }

    /// The result from the sources `in`, in the destination's precision.
    Value compute(const Value* in) const {
        const isa::Instr& i = s_.instr;
        const Operand &o = s_.src[0], &d = s_.dst[0];
        if (!s_.alu)
            return convert(b_, i.source_type(), i.dest_type(), i.round(), in[0],
                           !is_moves(s_) && o.half && !o.neg && !o.abs);
        const AluRow& row = *s_.alu;
        Value v = row.lower({b_, in[0], in[1], in[2], s_.half, i});
        if (row.numbers == Numbers::Float && !(row.traits & kTruth)) {
            if (s_.sat) v = b_.clamp(v, core::ClampRange::ZeroToOne);
            if (s_.half || d.half) v = b_.op(MicroOp::FloatToHalf, v);
            if (s_.half && !d.half) v = b_.op(MicroOp::HalfToFloat, v);
        } else if (s_.half && !(row.traits & (kWide | kTruth)) && !d.half) {
            // Numbers of 16 bits: extended by the operation's signedness.
            v = b_.extract(row.numbers == Numbers::Signed, v, 0, 16);
        }
        if (d.from == From::Predicate && is_logic(i.op)) v = b_.op(MicroOp::And, v, number(1));
        return v;
    }

    void write(const Operand& d, unsigned step, Value v) const {
        if (!has_row(d.from)) return;
        const RowBits to = row_of(d.from, unsigned(d.index) + step, mode_.merged);
        if (d.from == From::Half)
            v = mode_.merged ? b_.insert(b_.reg(to.row), v, to.shift, 16) : b_.extract(false, v, 0, 16);
        if (d.from == From::Address) v = b_.extract(d.index == 0, v, 0, 16);
        const bool is_truth = s_.alu && ((s_.alu->traits & kTruth) || is_logic(s_.instr.op));
        if (d.from == From::Predicate && !is_truth) v = b_.op(MicroOp::Select, v, number(1), number(0));
        b_.write(to.row, v);
    }

  private:
    const Step& s_;
    RegisterMode mode_;
    MicroBuilder& b_;
};

}  // namespace

unsigned source_count(const Step& s) {
    if (!is_moves(s)) return s.source_count;
    return s.instr.op == Op::kSwz ? 2 : 4;
}
unsigned result_count(const Step& s) {
    return is_moves(s) ? source_count(s) : 1;
}
unsigned executions(const Step& s) {
    return is_moves(s) ? 1 : s.repeat + 1u;
}
bool is_input(const Step& s) {
    return s.instr.op == Op::kBaryF;
}
Access source_of(const Step& s, unsigned n, unsigned repeat) {
    // The second weight of a repeated one may be written a cycle later (Mesa 25.0.7, ir3_legalize.c,
    // delay_calc).
    if (is_input(s)) return {&s.src[1], n, s.src[1].late + (n && s.repeat ? 1u : 0u)};
    // sct reads registers in a row, one a cycle.
    if (is_moves(s) && s.instr.op == Op::kSct) return {&s.src[0], step_of(s.src[0], n), n};
    const Operand& o = s.src[n];
    return {&o, o.repeat && !is_moves(s) ? step_of(o, repeat) : 0, (is_moves(s) ? 0 : repeat) + o.late};
}
Access result_of(const Step& s, unsigned n, unsigned repeat) {
    if (!is_moves(s)) return {&s.dst[0], step_of(s.dst[0], repeat), repeat};
    return s.instr.op == Op::kGat ? Access{&s.dst[0], step_of(s.dst[0], n), n} : Access{&s.dst[n], 0, n};
}

namespace {

// bary.f: all results are computed before one is written, which may be a weight. Planes are read without
// denormals, and sums flush them, as the ALU does.
void lower_input(const Step& s, const Lowerer& l, MicroBuilder& b) {
    if (s.dst[0].from == From::Nowhere) return;
    const auto weight = unsigned(s.src[1].index);
    Value out[kMostInputs];
    for (unsigned r = 0; r <= s.repeat; ++r) {
        const unsigned row = kPlaneRow + 3 * (s.src[0].value + (s.src[0].repeat ? r : 0));
        const auto term = [&](unsigned n) {
            return b.op(MicroOp::FloatMul, b.reg(weight + n), b.reg(row + 1 + n));
        };
        out[r] = b.op(MicroOp::FloatAdd, b.op(MicroOp::FloatAdd, b.reg(row), term(0)), term(1));
        if (s.dst[0].half) out[r] = b.op(MicroOp::FloatToHalf, out[r]);
    }
    for (unsigned r = 0; r <= s.repeat; ++r)
        l.write(s.dst[0], r, out[r]);
}

}  // namespace

void lower(const Step& s, RegisterMode mode, MicroBuilder& build) {
    const Lowerer l(s, mode, build);
    if (is_input(s)) return lower_input(s, l, build);
    for (unsigned r = 0; r < executions(s); ++r) {
        Value in[4], out[4];
        for (unsigned n = 0; n < source_count(s); ++n) {
            const Access a = source_of(s, n, r);
            in[n] = l.source(*a.operand, l.raw(*a.operand, a.step));
        }
        if (!is_moves(s)) {
            out[0] = l.compute(in);
        } else {
            // All sources are read before a result is written.
            for (unsigned n = 0; n < source_count(s); ++n)
                out[n] = build.op(MicroOp::Copy, l.compute(in + n));
        }
        for (unsigned n = 0; n < result_count(s); ++n) {
            const Access a = result_of(s, n, r);
            l.write(*a.operand, a.step, out[n]);
        }
    }
}

void lower_apart(const Step& s, MicroBuilder& build) {
    const Lowerer l(s, {}, build);
    Value in[4];
    for (unsigned n = 0; n < source_count(s); ++n)
        in[n] = l.source(*source_of(s, n, 0).operand, build.reg(kSourceRow + n));
    for (unsigned n = 0; n < result_count(s); ++n)
        build.write(kResultRow + n, l.compute(in + n));
}

}  // namespace terrazzo::adreno::sim
