// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/backend/allocate.h"

#include "drivers/adreno/compiler/allocate.h"
#include "drivers/common/backend/memory_order.h"
#include "drivers/common/backend/schedule.h"
#include "drivers/common/backend/spill.h"

namespace terrazzo::adreno::compiler {

namespace {

using isa::Op;

/// Spilled words are in private memory. Its instructions take an address register, which is 0 here, and an
/// offset.
class Home {
  public:
    Home(Function& f, const backend::Node& node)
        : f_(f), half_(node.cls == kHalfClass), at_B_((f.private_B + 3) / 4 * 4) {
        f.private_B = at_B_ + node.count * 4;
    }
    static bool has_room(const Function& f) {
        constexpr uint32_t kMaxOffset_B = 4095, kMaxNode_B = 16 * 4;
        return f.private_B + kMaxNode_B <= kMaxOffset_B;
    }
    void access(bool store, uint32_t temporary, uint32_t index, uint32_t count, std::pmr::vector<Inst>& out) {
        const uint32_t zero = f_.add_node(1, true);
        Inst m;
        m.proto = isa::make(Op::kMov);
        m.proto.set_source_type(isa::Type::kU32);
        m.proto.set_dest_type(isa::Type::kU32);
        m.src[0] = Ref::immediate(0);
        m.dest = zero;
        out.push_back(m);
        Inst a;
        a.proto = isa::make(store ? Op::kStp : Op::kLdp);
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

struct Spilled : Ir3 {
    using SpillHome = Home;
    static constexpr size_t kSpillsAtOnce = 4;
    static constexpr uint32_t kAccessUnits = 2;  // the address register, which is 0
    static bool is_repeatable(const Inst& i) { return compiler::is_repeatable(i); }
};

enum class Memory : uint8_t { None, Storage, Local, Private };
Memory memory_of(const isa::OpInfo& row) {
    if (row.category != 6 || !row.traits) return Memory::None;
    const std::string_view name = row.name;
    if (name.starts_with("ldp") || name.starts_with("stp")) return Memory::Private;
    if (name.starts_with("ldl") || name.starts_with("stl")) return Memory::Local;
    if (name.starts_with("ldc")) return Memory::None;
    return name.starts_with("atomic.") && !name.starts_with("atomic.b") ? Memory::Local : Memory::Storage;
}

/// The order that register dependencies do not express: loads and stores of the same memory.
class Order {
  public:
    explicit Order(std::pmr::memory_resource* m) : by_memory_{Of(m), Of(m), Of(m), Of(m)} {}
    void begin() {
        for (Of& m : by_memory_)
            m.begin();
    }
    template <typename F>
    void add(const Inst* insts, uint32_t n, const F& edge) {
        const isa::OpInfo& row = insts[n].proto.info();
        const Memory m = memory_of(row);
        if (m == Memory::None) return;
        if (row.is(isa::kWritesMemory))
            by_memory_[unsigned(m)].store(n, edge);
        else
            by_memory_[unsigned(m)].load(n, edge);
    }

  private:
    using Of = backend::MemoryOrder;
    Of by_memory_[4];
};

struct Scheduled : Ir3 {
    using Order = compiler::Order;
    static bool is_fence(const Inst& i) {
        const isa::OpInfo& row = i.proto.info();
        return i.is_branch() || row.category == 7 || i.proto.op == Op::kShpe ||
               row.traits & (isa::kKills | isa::kEndsProgram);
    }
    static unsigned issue_clk(const Inst&) { return 1; }
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
                return i.proto.op == Op::kLdc ? 30 : 60;
        }
        return 1;
    }
    static unsigned latency_clk(const Inst& from, const Inst& to) {
        if (from.proto.info().unit != isa::Unit::kAlu) return latency_clk(from);
        if (from.dest == kA0Word) return isa::kAddressDelay + 1;
        // A product's last source is read later, so the delay depends on which source reads the result.
        unsigned n = 0;
        for (unsigned k = 0; k < to.src.size(); k++)
            if (to.src[k].is_word() && to.src[k].index == from.dest) n = k;
        return isa::delay(from.proto.op, to.proto.op, n) + 1;
    }
    static void finish_block(std::pmr::vector<Inst>&) {}
};

}  // namespace

uint32_t schedule(Function& f, backend::Budget budget) {
    return backend::schedule<Scheduled>(f, budget);
}

/// Registers are counted by four dwords.
constexpr unsigned kVectorUnits = 8;

void allocate(Function& f, unsigned max_registers, bool spills) {
    backend::UnitSet<Ir3> allowed;
    for (unsigned u = 0; u < std::min(max_registers * 2, kFullUnits); u++)
        allowed[u] = true;
    const int limit = backend::allocate<Ir3>(
        f, std::span(&allowed, 1),
        [&](uint32_t place, const backend::UnitSet<Ir3>& of, uint32_t room) {
            return spills && backend::spill<Spilled>(f, place, of, room);
        },
        kVectorUnits);
    if (limit < 0) f.error = "adreno: " + f.error;
}

unsigned register_footprint(const Function& f) {
    unsigned end = 0;
    const auto add = [&](uint32_t w, uint32_t count) {
        backend::for_each_unit(f, w, count, [&](uint32_t u) {
            if (u < kFullUnits) end = std::max(end, u + 1);
        });
    };
    for (const Block& b : f.blocks)
        for (const Inst& i : b.insts) {
            Ir3::for_each_read(i, add);
            Ir3::for_each_write(i, add);
        }
    return (end + kVectorUnits - 1) / kVectorUnits;
}

}  // namespace terrazzo::adreno::compiler
