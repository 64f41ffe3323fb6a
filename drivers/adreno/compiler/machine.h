// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What scheduling, spilling and value numbering (drivers/common/backend) need of ir3.
#pragma once

#include <optional>
#include <string_view>

#include "drivers/adreno/compiler/lir.h"

namespace terrazzo::adreno::compiler {

/// Spilled words are in private memory. Its instructions take an address register, which is 0 here, and an
/// offset.
class SpillHome {
  public:
    SpillHome(Function& f, const backend::Node& node)
        : f_(f), half_(node.cls == kHalfClass), at_B_((f.private_B + 3) / 4 * 4) {
        f.private_B = at_B_ + node.count * 4;
    }
    void access(bool store, Word temporary, uint32_t index, uint32_t count, std::pmr::vector<Inst>& out) {
        const Word zero = f_.add_node(1, true);
        Inst m;
        m.proto = isa::make(isa::Op::kMov);
        m.proto.set_source_type(isa::Type::kU32);
        m.proto.set_dest_type(isa::Type::kU32);
        m.src[0] = Ref::immediate(0);
        m.dest = zero;
        out.push_back(m);
        Inst a;
        a.proto = isa::make(store ? isa::Op::kStp : isa::Op::kLdp);
        a.proto.set_type(half_ ? isa::Type::kU16 : isa::Type::kU32);
        a.proto.set_size(count);
        a.proto.offset = int32_t(at_B_ + index * (half_ ? 2 : 4));
        a.src[0] = Ref::word(zero);
        if (store) {
            a.src[1] = Ref::run(temporary, count);
        } else {
            a.dest = temporary;
            a.dest_count = uint8_t(count);
        }
        out.push_back(a);
    }

  private:
    Function& f_;
    const bool half_;
    const uint32_t at_B_;
};

enum Memory : unsigned { kStorage, kLocal, kPrivate, kMemories };
inline std::optional<unsigned> memory_of(const isa::OpInfo& row) {
    if (row.category != 6 || !row.traits) return {};
    const std::string_view name = row.name;
    if (name.starts_with("ldp") || name.starts_with("stp")) return kPrivate;
    if (name.starts_with("ldl") || name.starts_with("stl")) return kLocal;
    if (name.starts_with("ldc")) return {};
    return name.starts_with("atomic.") && !name.starts_with("atomic.b") ? kLocal : kStorage;
}

struct Machine : backend::MachinePasses<Machine, Ir3> {
    using Order = backend::RowOrders<kMemories, memory_of>;
    static bool is_fence(const Inst& i) {
        const isa::OpInfo& row = i.proto.info();
        return i.is_branch() || row.category == 7 || i.proto.op == isa::Op::kShpe ||
               row.traits & (isa::kKills | isa::kEndsProgram);
    }
    /// Estimates; only their relative order matters (Mesa 25.0.7, ir3_delay.c, soft delays).
    static unsigned latency_clk(const Inst& i) {
        switch (i.proto.info().unit) {
            case isa::Unit::kFlow:
            case isa::Unit::kBarrier:
                return 1;
            case isa::Unit::kAlu:
                return 4;
            case isa::Unit::kSfu:
                return 11;
            case isa::Unit::kTexture:
                return 60;
            case isa::Unit::kMemory:
                return i.proto.op == isa::Op::kLdc ? 30 : 60;
        }
        return 1;
    }
    static unsigned latency_clk(const Inst& from, const Inst& to) {
        if (from.proto.info().unit != isa::Unit::kAlu) return latency_clk(from);
        if (from.dest == kA0Word) return isa::kAddressDelay + 1;
        // A product's last source is read later, so the delay depends on which source reads the result.
        unsigned n = 0;
        for (unsigned k = 0; k < to.src.size(); k++)
            if (is_word(to.src[k]) && to.src[k].as_word() == from.dest) n = k;
        return isa::delay(from.proto.op, to.proto.op, n) + 1;
    }

    using SpillHome = compiler::SpillHome;
    static constexpr uint32_t kAccessUnits = 2;  // the address register, which is 0
    static constexpr uint32_t kPrivateEnd_B = 4095, kMostNode_B = 16 * 4;
    static bool is_constant_op(const Inst& i) {
        return i.proto.info().category <= 3 && !i.proto.info().is(isa::kReadsInput);
    }
    static bool is_constant(const Ref& r) { return !is_word(r) && !r.is_relative(); }

    static constexpr uint32_t kShareWithin = 64;
    /// Arithmetic, without reads of other threads, memory or varyings.
    static bool is_computed(const Inst& i) {
        const isa::OpInfo& row = i.proto.info();
        if (i.data_count || i.dest_mask || row.dest_count != 1 || i.proto.op == isa::Op::kMovmsk)
            return false;
        return (row.unit == isa::Unit::kAlu || row.unit == isa::Unit::kSfu) && MachinePasses::computes(i);
    }
};

}  // namespace terrazzo::adreno::compiler
