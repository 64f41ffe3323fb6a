// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

using isa::Op;

Ref Ref::immediate(uint32_t bits) {
    const int entry = isa::find_constant(bits);
    return entry >= 0 ? Ref{.kind = Kind::Constant, .index = uint32_t(entry)}
                      : Ref{.kind = Kind::Immediate, .index = bits};
}

Ref Ref::part(isa::Swizzle s) const {
    Ref out = *this;
    out.swizzle = s;
    return out;
}

isa::Operand Ref::operand(uint8_t reg) const {
    isa::Operand out;
    switch (kind) {
        case Kind::None:
        case Kind::Word:
            out = isa::Operand::reg(reg);
            break;
        case Kind::Uniform:
            out = isa::Operand::uniform(uint8_t(index));
            break;
        case Kind::Constant:
        case Kind::Immediate:
            out = isa::Operand::constant(uint8_t(index));
            break;
        case Kind::Special:
            out = isa::Operand::special(isa::Special(index), high);
            break;
    }
    out.last = last;
    out.neg = neg;
    out.abs = abs;
    out.invert = invert;
    out.swizzle = swizzle;
    return out;
}

uint32_t Function::find_fau(UniformWord w) {
    for (uint32_t i = 0; i < fau.size(); i++)
        if (fau[i] == w) return i;
    if (!has_uniforms || fau.size() >= kMaxUniformWords) return kNoUniform;
    fau.push_back(w);
    return uint32_t(fau.size() - 1);
}

uint32_t Function::find_fau_pair(uint32_t low, uint32_t high) {
    const UniformWord a{UniformWord::Kind::Constant, low}, b{UniformWord::Kind::Constant, high};
    for (uint32_t i = 0; i + 1 < fau.size(); i += 2)
        if (fau[i] == a && fau[i + 1] == b) return i;
    if (!has_uniforms || (fau.size() + 1) / 2 * 2 + 2 > kMaxUniformWords) return kNoUniform;
    if (fau.size() % 2) fau.push_back({UniformWord::Kind::Constant, 0});
    fau.push_back(a);
    fau.push_back(b);
    return uint32_t(fau.size() - 2);
}

Inst local_access(bool store, Word word, unsigned count, uint32_t at_B, isa::Slot slot) {
    constexpr Op kLoads[] = {Op::kLoadI32, Op::kLoadI64, Op::kLoadI96, Op::kLoadI128};
    constexpr Op kStores[] = {Op::kStoreI32, Op::kStoreI64, Op::kStoreI96, Op::kStoreI128};
    Inst m;
    m.proto = isa::make(store ? kStores[count - 1] : kLoads[count - 1]);
    m.proto.set_memory_access(isa::MemoryAccess::kForce);
    if (!store) m.proto.set_is_unsigned(true);
    m.proto.set_slot(slot);
    m.proto.set_immediate(isa::Imm::kOffset, int32_t(at_B));
    m.src[0] = Ref::special(isa::Special::kThreadLocalPointer);
    (store ? m.read : m.written) = word;
    (store ? m.read_count : m.written_count) = uint8_t(count);
    m.local = true;
    return m;
}

uint64_t registers_of(const Function& f, const Inst& i, bool read) {
    return backend::units_of(f, i, read).to_ullong();
}

}  // namespace terrazzo::mali::compiler
