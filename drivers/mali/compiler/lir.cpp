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

Ref Ref::negated() const {
    Ref out = *this;
    if (kind == Kind::Immediate && !abs && !neg) return immediate(index ^ 0x80000000u);
    out.neg = !neg;
    return out;
}

Ref Ref::absolute() const {
    Ref out = *this;
    out.neg = false;
    out.abs = true;
    return out;
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

bool Inst::is_move() const {
    return proto.op == Op::kMovI32 && src[0].kind == Ref::Kind::Word && src[0].plain();
}

uint32_t Function::find_fau(UniformWord w) {
    for (uint32_t i = 0; i < fau.size(); i++)
        if (fau[i] == w) return i;
    if (!has_uniforms || fau.size() >= kMaxUniformWords) return kNoWord;
    fau.push_back(w);
    return uint32_t(fau.size() - 1);
}

uint32_t Function::find_fau_pair(uint32_t low, uint32_t high) {
    const UniformWord a{UniformWord::Kind::Constant, low}, b{UniformWord::Kind::Constant, high};
    for (uint32_t i = 0; i + 1 < fau.size(); i += 2)
        if (fau[i] == a && fau[i + 1] == b) return i;
    if (!has_uniforms || (fau.size() + 1) / 2 * 2 + 2 > kMaxUniformWords) return kNoWord;
    if (fau.size() % 2) fau.push_back({UniformWord::Kind::Constant, 0});
    fau.push_back(a);
    fau.push_back(b);
    return uint32_t(fau.size() - 2);
}

uint32_t Function::add_local(uint32_t count) {
    // No access may go over a multiple of 16 bytes.
    const uint32_t align_B = count == 1 ? 4 : count == 2 ? 8 : 16;
    const uint32_t at_B = (local_B + align_B - 1) / align_B * align_B;
    local_B = at_B + count * 4;
    return at_B;
}

Inst local_access(bool store, uint32_t word, unsigned count, uint32_t at_B, isa::Slot slot) {
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

namespace {

std::string name_of(const Function& f, uint32_t word) {
    if (word < kRegisterWords) return "r" + std::to_string(word);
    if (!f.reg.empty()) return "r" + std::to_string(f.reg[word]);
    const Function::Node& n = f.nodes[f.node_of[word]];
    std::string out = "%" + std::to_string(n.first);
    if (n.count > 1) out += "." + std::to_string(word - n.first);
    return out;
}

std::string run_of(const Function& f, uint32_t first, unsigned count) {
    std::string out = " @";
    for (unsigned i = 0; i < count; i++)
        out += (i ? ":" : "") + name_of(f, first + i);
    return out;
}

void print(const Function& f, const Inst& i, std::string* out) {
    *out += "  ";
    *out += i.proto.info().name;
    if (i.dest != kNoWord) *out += " " + name_of(f, i.dest);
    if (i.written_count) *out += run_of(f, i.written, i.written_count);
    if (i.read_count) *out += run_of(f, i.read, i.read_count);
    for (unsigned n = 0; n < i.proto.info().source_count; n++) {
        const Ref& s = i.src[n];
        *out += n ? ", " : " ";
        if (s.neg) *out += "-";
        if (s.abs) *out += "|";
        switch (s.kind) {
            case Ref::Kind::None:
                *out += "_";
                break;
            case Ref::Kind::Word:
                *out += name_of(f, s.index);
                break;
            case Ref::Kind::Uniform:
                *out += "u" + std::to_string(s.index);
                break;
            case Ref::Kind::Constant:
                *out += "c" + std::to_string(s.index);
                break;
            case Ref::Kind::Special:
                *out += isa::special_name(isa::Special(s.index));
                break;
            case Ref::Kind::Immediate:
                *out += "#" + std::to_string(s.index);
                break;
        }
        if (s.abs) *out += "|";
    }
    if (i.target >= 0) *out += " -> block" + std::to_string(i.target);
    *out += "\n";
}

}  // namespace

std::string print(const Function& f) {
    std::string out;
    for (size_t b = 0; b < f.blocks.size(); b++) {
        out += "block" + std::to_string(b) + ":\n";
        for (const Inst& i : f.blocks[b].insts)
            print(f, i, &out);
    }
    return out;
}

}  // namespace terrazzo::mali::compiler
