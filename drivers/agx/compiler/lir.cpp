// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/agx/compiler/lir.h"

namespace terrazzo::agx::compiler {

using isa::Op;

uint32_t Function::find_uniform(UniformWord w) {
    for (uint32_t n = 0; n < uniforms.size(); n++)
        if (uniforms[n] == w) return first_uniform + n;
    // Uniforms can be read from memory, system values cannot.
    constexpr uint32_t kForSysvals = 16;
    const uint32_t most = most_uniforms - (w.kind == UniformWord::Kind::Uniform ? kForSysvals : 0);
    if (first_uniform + uniforms.size() >= most) return kNoUniform;
    uniforms.push_back(w);
    return first_uniform + uint32_t(uniforms.size()) - 1;
}

uint32_t Function::find_address(uint32_t sysval) {
    const UniformWord low{UniformWord::Kind::Sysval, sysval}, high{UniformWord::Kind::Sysval, sysval + 1};
    for (uint32_t n = 0; n + 1 < uniforms.size(); n += 2)
        if (uniforms[n] == low && uniforms[n + 1] == high) return first_uniform + n;
    if (first_uniform + (uniforms.size() + 1) / 2 * 2 + 2 > kAddressWordsEnd) return kNoUniform;
    if (uniforms.size() % 2) uniforms.push_back({UniformWord::Kind::Constant, 0});
    uniforms.push_back(low);
    uniforms.push_back(high);
    return first_uniform + uint32_t(uniforms.size()) - 2;
}

namespace {

isa::Operand operand_of(const Function& f, const Ref& r) {
    isa::Operand o;
    switch (r.kind) {
        case Ref::Kind::None:
            return o;
        case Ref::Kind::Word:
            o = isa::Operand::reg(2 * number_of(f.reg[r.as_word()]) + r.high, r.size, r.count);
            break;
        case Ref::Kind::Uniform:
            o = isa::Operand::uniform(2 * r.index + r.high, r.size);
            break;
        case Ref::Kind::Immediate:
        case Ref::Kind::Number:
            o = isa::Operand::immediate(int32_t(r.index));
            break;
    }
    return o.with(unsigned(isa::kNeg) * r.neg | unsigned(isa::kAbs) * r.abs |
                  unsigned(isa::kSignExtend) * r.sign);
}

}  // namespace

isa::Instr to_instr(const Function& f, const Inst& i) {
    isa::Instr out = i.proto;
    for (unsigned n = 0; n < out.info().source_count; n++)
        if (i.src[n].kind != Ref::Kind::None) out.src[n] = operand_of(f, i.src[n]);
    if (i.dest == kNoWord) return out;
    const unsigned half = 2 * number_of(f.reg[i.dest]);
    out.dest = i.half_dest   ? isa::Operand::reg(half, 16)
               : i.wide_dest ? isa::Operand::reg(half, 64)
                             : isa::Operand::reg(half, 32, i.dest_count);
    return out;
}

}  // namespace terrazzo::agx::compiler
