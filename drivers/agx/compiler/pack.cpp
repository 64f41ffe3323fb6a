// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Machine code: waits for late results, jumps, encoding. Facts: Mesa 25.0.7, agx_insert_waits.c, agx_pack.c.
#include <bitset>

#include "drivers/agx/compiler/passes.h"

namespace terrazzo::agx::compiler {

using isa::Op;

namespace {

using Registers = std::bitset<isa::kRegisterHalves>;

Registers set_of(isa::Halves h) {
    Registers out;
    for (unsigned n = 0; n < h.count; n++)
        out.set(h.first + n);
    return out;
}

/// An instruction, and the block that it jumps to; -1: it is no jump.
struct Placed {
    isa::Instr instr;
    int32_t target = -1;
};

/// Chooses slots and inserts waits. All is waited for at the end of a block, so that blocks are independent.
class Waits {
  public:
    explicit Waits(std::vector<Placed>& out) : out_(out) {}
    void step(isa::Instr i, int32_t target) {
        const isa::OpInfo& row = i.info();
        Registers reads, writes = set_of(isa::registers_written(i));
        for (unsigned n = 0; n < row.source_count; n++)
            reads |= set_of(isa::registers_read(i, n));
        const bool memory =
            row.unit != isa::Class::kTexture && (row.is(isa::kReadsMemory) || row.is(isa::kWritesMemory));
        unsigned waited = 0;  // slots
        for (unsigned s = 0; s < isa::kSlots; s++)
            if ((slots_[s].writes & (reads | writes)).any() || (slots_[s].reads & writes).any() ||
                (memory && slots_[s].stores) || row.unit == isa::Class::kBarrier)
                waited |= 1u << s;
        wait(waited);
        if (row.is(isa::kLate)) {
            unsigned s = slots_[0].pending <= slots_[1].pending ? 0 : 1;
            if (slots_[s].pending == isa::kMostPending) wait(1u << s);
            i.set_slot(s);
            slots_[s].pending++;
            slots_[s].reads |= reads;
            slots_[s].writes |= writes;
            slots_[s].stores |= row.is(isa::kWritesMemory);
        }
        out_.push_back({i, target});
    }
    void drain() { wait(~0u); }

  private:
    struct Slot {
        unsigned pending = 0;
        bool stores = false;
        Registers reads, writes;
    };
    /// `slots`: one bit for each.
    void wait(unsigned slots) {
        for (unsigned s = 0; s < isa::kSlots; s++) {
            if (!(slots >> s & 1) || !slots_[s].pending) continue;
            slots_[s] = {};
            isa::Instr w = isa::make(Op::kWait);
            w.src[0] = isa::Operand::immediate(int32_t(s));
            out_.push_back({w});
        }
    }
    std::vector<Placed>& out_;
    Slot slots_[isa::kSlots];
};

}  // namespace

void pack(Function& f, std::vector<isa::Unit>* code, Statistics* statistics) {
    std::vector<Placed> all;
    std::vector<size_t> first;
    if (f.private_B) {
        isa::Instr adjust = isa::make(Op::kStackAdjust);
        adjust.src[0] = isa::Operand::immediate(int32_t((f.private_B + 15) / 16 * 4));  // words
        all.push_back({adjust});
    }
    for (const Block& b : f.blocks) {
        first.push_back(all.size());
        Waits waits(all);
        for (const Inst& i : b.insts) {
            if (i.flow != Flow::None) waits.drain();
            statistics->loops += i.flow == Flow::Loop;
            if (i.flow == Flow::Jump || i.flow == Flow::Keep) continue;
            waits.step(to_instr(f, i), i.flow == Flow::Loop ? i.head : -1);
            // If no thread executes the arm, it is skipped.
            if (i.flow == Flow::If) waits.step(isa::make(Op::kJmpExecNone), i.target);
        }
        waits.drain();
    }
    first.push_back(all.size());
    // Lengths do not depend on targets.
    std::vector<int32_t> at_B;
    int32_t end_B = int32_t(code->size() * sizeof(isa::Unit));
    for (const Placed& p : all) {
        at_B.push_back(end_B);
        end_B += int32_t(p.instr.length() / 8);
    }
    at_B.push_back(end_B);
    for (size_t n = 0; n < all.size(); n++) {
        isa::Instr& i = all[n].instr;
        if (all[n].target >= 0)
            i.src[0] = isa::Operand::immediate(at_B[first[size_t(all[n].target)]] - at_B[n]);
        isa::Word word;
        isa::Error error;
        if (!isa::encode(i, &word, &error)) {
            std::string text;
            isa::print(i, &text);
            return f.fail("agx: not encodable: " + text + ": " + std::string(error.reason));
        }
        terrazzo::isa::append_word(word, i.length(), code);
    }
    statistics->instructions = uint32_t(all.size());
    statistics->bytes = uint32_t(code->size() * sizeof(isa::Unit));
}

}  // namespace terrazzo::agx::compiler
