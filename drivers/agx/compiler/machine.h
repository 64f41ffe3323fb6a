// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What scheduling, spilling and value numbering (drivers/common/backend) need of AGX.
#pragma once

#include <optional>

#include "drivers/agx/compiler/lir.h"

namespace terrazzo::agx::compiler {

/// Nothing writes textures. The other memories may overlap.
inline std::optional<unsigned> memory_of(const isa::OpInfo& row) {
    const bool accesses = row.is(isa::kReadsMemory) || row.is(isa::kWritesMemory);
    return accesses && row.unit != isa::Class::kTexture ? std::optional(0u) : std::nullopt;
}

/// Loads or stores up to four words of the thread's stack.
inline Inst stack_access(bool store, Word word, unsigned count, const Ref& at_B) {
    Inst m;
    m.proto = isa::make(store ? isa::Op::kStackStore : isa::Op::kStackLoad);
    m.proto.set_format(isa::Format::kI32).set_mask(isa::Mask((1u << count) - 1));
    if (store) {
        m.src[0] = Ref::run(word, count);
        m.src[1] = at_B;
    } else {
        m.dest = word;
        m.dest_count = uint8_t(count);
        m.src[0] = at_B;
    }
    return m;
}

inline Inst stack_words(bool store, Word first, unsigned count, uint32_t at_B, unsigned) {
    return stack_access(store, first, count, Ref::number(at_B));
}

struct Machine : backend::MachinePasses<Machine, Agx> {
    using Order = backend::RowOrders<1, memory_of>;
    using MachinePasses::latency_clk;
    /// Estimates; only their relation matters.
    static unsigned latency_clk(const Inst& i) {
        const isa::Class c = i.proto.info().unit;
        if (c == isa::Class::kTexture || c == isa::Class::kImage) return 60;
        if (c == isa::Class::kDevice || c == isa::Class::kLocal) return 40;
        return c == isa::Class::kVarying ? 10 : 4;
    }

    using SpillHome = backend::PrivateHome<Inst, stack_words>;
    static constexpr uint32_t kPrivateEnd_B = 0x7000, kMostNode_B = 16 * 4;
    static constexpr uint32_t kShareWithin = 48;
    static bool is_constant_op(const Inst& i) {
        const isa::Class c = i.proto.info().unit;
        const bool arithmetic = c == isa::Class::kFloat || c == isa::Class::kInteger ||
                                c == isa::Class::kBits || c == isa::Class::kSelect ||
                                (c == isa::Class::kMove && i.proto.op != isa::Op::kGetSr);
        return arithmetic && i.dest_count == 1 && MachinePasses::computes(i);
    }
    static bool is_computed(const Inst& i) { return is_constant_op(i) && !i.half_dest; }
};

}  // namespace terrazzo::agx::compiler
