// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/blend/advanced.h"

#include <vector>

#include "drivers/common/blend/shader.h"
#include "shaders/ir/builder.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/walk.h"

namespace terrazzo::blend {

namespace {

using ir::Op;

/// A value of the shader under construction, with operators for the formulas of pipe/raster. A literal has no
/// builder: it uses the builder of the other operand.
struct Number {
    ir::Builder* builder = nullptr;
    ir::Value* value = nullptr;
    float literal = 0;
};
struct Condition {
    ir::Builder* builder;
    ir::Value* value;
};

ir::Value* value_in(ir::Builder& b, const Number& n) {
    return n.value ? n.value : b.f32(n.literal);
}

Number alu(Op op, const Number& x, const Number& y) {
    ir::Builder& b = *(x.builder ? x.builder : y.builder);
    return {&b, b.alu(op, value_in(b, x), value_in(b, y))};
}
Condition compare(Op op, const Number& x, const Number& y) {
    const Number n = alu(op, x, y);
    return {n.builder, n.value};
}

Number operator+(const Number& a, const Number& b) {
    return alu(Op::FAdd, a, b);
}
Number operator-(const Number& a, const Number& b) {
    return alu(Op::FSub, a, b);
}
Number operator*(const Number& a, const Number& b) {
    return alu(Op::FMul, a, b);
}
Number operator/(const Number& a, const Number& b) {
    return alu(Op::FDiv, a, b);
}
Condition operator<(const Number& a, const Number& b) {
    return compare(Op::FLt, a, b);
}
Condition operator>(const Number& a, const Number& b) {
    return compare(Op::FLt, b, a);
}
Condition operator<=(const Number& a, const Number& b) {
    return compare(Op::FGe, b, a);
}
Condition operator>=(const Number& a, const Number& b) {
    return compare(Op::FGe, a, b);
}

template <class V>
V to_v(float v) {
    return {.literal = v};
}
Number select(const Condition& c, const Number& a, const Number& b) {
    return {c.builder, c.builder->select(c.value, value_in(*c.builder, a), value_in(*c.builder, b))};
}
Number min_of(const Number& a, const Number& b) {
    return alu(Op::FMin, a, b);
}
Number max_of(const Number& a, const Number& b) {
    return alu(Op::FMax, a, b);
}
Number root_of(const Number& v) {
    return {v.builder, v.builder->alu(Op::FSqrt, v.value)};
}

#include "pipe/raster/advanced_blend.inc"

constexpr unsigned kColor0 = unsigned(ir::FragSlot::Color0);

/// The stores to Color0, whether floats or not.
std::vector<ir::Instr*> find_stores(ir::Shader& s) {
    std::vector<ir::Instr*> found;
    ir::for_each(s.body, [&](ir::Instr* i) {
        if (i->op == Op::StoreOutput && i->u.io.slot == kColor0) found.push_back(i);
    });
    return found;
}

/// Discards sample n of a pixel unless alpha is at least (n + 1/2) / samples.
void leave_out_by_alpha(ir::Builder& b, ir::Value* alpha, unsigned samples) {
    ir::Value* const number =
        b.convert(Op::I2F, ir::Type::F32, b.load_sysval(ir::Sysval::SampleId, 0, ir::Type::I32));
    ir::Value* const least = b.fmul(b.fadd(number, b.f32(0.5f)), b.f32(1.0f / float(samples)));
    b.discard(b.alu(Op::INot, b.alu(Op::FGe, alpha, least)));
}

}  // namespace

void emit_advanced(ir::Builder& b, pipe::AdvancedBlend equation, ir::Value* const* src, ir::Value* const* dst,
                   ir::Value** out) {
    Number from[4], to[4], mixed[4];
    for (unsigned c = 0; c < 4; ++c) {
        from[c] = {&b, src[c]};
        to[c] = {&b, dst[c]};
    }
    advanced_blend(equation, from, to, mixed);
    for (unsigned c = 0; c < 4; ++c)
        out[c] = value_in(b, mixed[c]);
}

bool blend_advanced(ir::Shader& s, const AdvancedDesc& desc) {
    const std::vector<ir::Instr*> stores = find_stores(s);
    if (stores.empty()) return false;
    for (const ir::Instr* i : stores)
        if (i->operand(0)->type != ir::Type::F32) return false;
    // Stores may be in arms of ifs.
    ir::Var* const color = s.add_var("color", ir::Type::F32, 4, ir::Storage::Local);
    for (ir::Instr* i : stores) {
        ir::Builder(s, i).store_var(color, i->u.io.component, i->operand(0));
        ir::erase(i);
    }
    ir::Builder b(s);
    ir::Value *src[4], *dst[4], *out[4];
    for (unsigned c = 0; c < 4; ++c) {
        ir::Value* const v = b.load_var(color, c);
        if (c == 3 && desc.coverage_samples) leave_out_by_alpha(b, v, desc.coverage_samples);
        src[c] = clamp_to(b, desc.range, v);
        dst[c] = b.load_sysval(ir::Sysval::LastColor0, c, ir::Type::F32);
    }
    emit_advanced(b, desc.equation, src, dst, out);
    for (unsigned c = 0; c < 4; ++c)
        b.store_output(kColor0, c, out[c]);
    ir::mem2reg(s);
    s.info.reads_color = true;
    s.info.uses_discard |= desc.coverage_samples != 0;
    return true;
}

}  // namespace terrazzo::blend
