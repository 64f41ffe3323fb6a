// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes a command stream. Instructions go into chunks of pool memory that JUMPs link (the length of a chunk
// is patched into the jump to it when it is full). Registers are shadowed: a value that a register holds
// already is not moved again. Debug builds check what stands where: registers that are not the stream's (the
// kernel's four, those that jumps need), registers read by a RUN that were never set, loads that were not
// waited for.
//
// Asynchronous instructions signal a scoreboard slot: kSlot*.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/pool.h"
#include "drivers/mali/queues.h"

namespace terrazzo::mali {

/// What the scoreboard slots are for, in every stream of ours.
inline constexpr unsigned kSlotLoadStore = 0, kSlotDeferred = 1 /* flushes, syncs, heap operations */,
                          kSlotIterators = 2 /* RUN_* */;
/// Registers that no command reads.
inline constexpr unsigned kScratchRegister = 64;  // 64 to 83: streams' own
inline constexpr unsigned kJumpRegister = 88;     // 88 to 90: address and length of the next chunk

class CsBuilder {
  public:
    explicit CsBuilder(Pool& pool);

    /// Nothing since begin()?
    bool empty() const;
    /// A 32-bit register, or a pair from an even one, has this value when the next instruction runs.
    void set32(unsigned r, uint32_t value);
    void set64(unsigned r, uint64_t value);
    /// Any instruction of hw/cs.h; what it changes (destinations) is forgotten in the shadow.
    template <class Instr>
    void emit(const Instr& instr);
    /// SET_SB_ENTRY where the slots are not these already.
    void set_slots(unsigned iterators, unsigned load_store);
    /// WAIT for a mask of slots.
    void wait(uint32_t slot_mask);
    /// Loads `count` registers from memory behind the address in the pair, and remembers that they must be
    /// waited for.
    void load(unsigned first, unsigned count, unsigned address_pair, int offset_B);
    void store(unsigned first, unsigned count, unsigned address_pair, int offset_B);

    /// Structured flow: the body runs where `condition` holds of the register (signed, against 0).
    /// `body(CsBuilder&)`.
    template <class Body>
    void if_(hw::CsCondition condition, unsigned r, Body&& body);
    template <class Body>
    void while_(hw::CsCondition condition, unsigned r, Body&& body);
    /// Forgets the shadow: what the registers hold is unknown from here.
    void forget_registers();

    /// Ends the stream: where it begins. Begins a new one, with nothing known of registers.
    [[nodiscard]] Stream finish();
    /// Bytes of instructions since the last finish(), for statistics.
    uint64_t emitted_B() const;
};

}  // namespace terrazzo::mali
