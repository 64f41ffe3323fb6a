// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/compiler/lir.h"

#include <algorithm>

namespace terrazzo::adreno::compiler {

using isa::Op;

bool Inst::is_move() const {
    const bool special = dest == kA0Word || dest == kP0Word;
    return proto.op == Op::kMov && proto.source_type() == proto.dest_type() && !special && passes_word();
}

unsigned Inst::sources() const {
    unsigned n = 0;
    while (n < src.size() && src[n].kind != Ref::Kind::None)
        n++;
    return n;
}

Function::Function(const Function& from, std::pmr::memory_resource* arena)
    : backend::Function<Ir3>(from, arena),
      params(from.params, arena),
      immediates(from.immediates, arena),
      prefetched(from.prefetched, arena),
      uniforms_dw(from.uniforms_dw),
      preamble_dw(from.preamble_dw),
      main_block(from.main_block) {
    for (Block& b : blocks)
        for (Inst& i : b.insts)
            if (!i.left.empty()) {
                Run* const runs = std::pmr::polymorphic_allocator<Run>(arena).allocate(i.left.size());
                std::copy(i.left.begin(), i.left.end(), runs);
                i.left = {runs, i.left.size()};
            }
}

std::optional<uint32_t> Function::find_immediate(uint32_t bits, uint32_t most) {
    for (uint32_t k = 0; k < immediates.size(); k++)
        if (immediates[k] == bits) return k;
    if (immediates.size() >= most) return std::nullopt;
    immediates.push_back(bits);
    return uint32_t(immediates.size() - 1);
}

isa::Reg Function::register_of(Word word) const {
    const Unit unit = is_fixed(word) ? fixed_unit(word) : reg[word];
    if (unit == kUnitA0) return isa::kA0;
    if (unit == kUnitA1) return isa::kA1;
    if (unit == kUnitP0) return isa::kP0;
    if (unit >= kUnitShared) return {uint8_t(isa::reg(isa::kFirstShared, 0).index + (unit - kUnitShared))};
    return {uint8_t(is_half(word) ? number_of(unit) : number_of(unit) / 2)};
}

namespace {

isa::Src to_source(const Function& f, const Ref& r) {
    using enum isa::SrcKind;
    isa::Src out;
    out.half = is_word(r) ? f.is_half(r.as_word()) : r.half;
    out.neg = r.neg;
    out.abs = r.abs;
    const auto set = [&](isa::SrcKind kind, uint32_t value) {
        out.kind = kind;
        out.value = int32_t(value);
        return out;
    };
    switch (r.kind) {
        case Ref::Kind::None:
            return {};
        case Ref::Kind::Word:
            return set(kRegister, f.register_of(r.as_word()).index);
        case Ref::Kind::Uniform:
            return set(kConstant, r.index);
        case Ref::Kind::Param:
            return set(kConstant, f.params_at_dw() + r.index);
        case Ref::Kind::Constant:
            return set(kConstant, f.immediates_at_dw() + r.index);
        case Ref::Kind::Preamble:
            return set(kConstant, f.preamble_at_dw() + r.index);
        case Ref::Kind::PreambleAt:
            return set(kImmediate, f.preamble_at_dw() + r.index);
        case Ref::Kind::Relative:
            return set(kRelativeConstant, r.index);
        case Ref::Kind::InTable:
            return set(kRelativeConstant, f.immediates_at_dw() + r.index);
        case Ref::Kind::Immediate:
            return set(kImmediate, r.index);
        case Ref::Kind::Table:
            return set(kFloatTable, r.index);
    }
    return out;
}

}  // namespace

isa::Instr to_instr(const Function& f, const Inst& i) {
    isa::Instr out = i.proto;
    const isa::OpInfo& row = out.info();
    const bool stores_constants = out.op == isa::Op::kStc;  // its second source is the destination
    for (unsigned n = 0; n < (stores_constants ? 1 : isa::OpInfo::kMaxSources); n++)
        if (i.src[n].kind != Ref::Kind::None) out.src[n] = to_source(f, i.src[n]);
    if (stores_constants)
        out.set_constant_offset(i.src[1].index + (out.constant_relative() ? 0 : f.preamble_at_dw()));
    if (i.dest != kNoWord && row.dest_count) {
        out.dst[0].reg = f.register_of(i.dest);
        out.dst[0].half = f.is_half(i.dest);
        if (row.has(isa::Field::kWriteMask)) out.set_write_mask(i.dest_mask);
    }
    isa::fix_halves(&out);
    return out;
}

}  // namespace terrazzo::adreno::compiler
