// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes a command stream. Instructions go into chunks of pool memory that JUMPs link; the length of a chunk
// is written into the jump to it when the chunk is full. Registers are shadowed: a MOVE of the value that a
// register already holds is left out. Debug builds check each instruction (cs_checks.h): use of reserved
// registers (the kernel's four, and those of jumps), reads of registers that were never set, missing waits
// for loads and stores.
//
// Branches are relative and cannot reach other chunks. A block with a branch is therefore written to the
// CPU's memory first, and copied into one chunk when it ends.
//
// Asynchronous instructions signal a scoreboard slot: kSlot*.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "drivers/mali/device.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/stream/cs_checks.h"
#include "drivers/mali/stream/jobs.h"

namespace terrazzo::mali {

/// The use of the scoreboard slots in all streams.
inline constexpr unsigned kSlotLoadStore = 0, kSlotDeferred = 1 /* flushes, syncs, heap operations */,
                          kSlotIterators = 2 /* RUN_* */, kSlotHandler = 3 /* RUN_* of exception handlers */;
/// Registers that no command reads implicitly.
inline constexpr unsigned kScratchRegister = 64;  // 64 to 83: for any use by a stream
inline constexpr unsigned kJumpRegister = 88;     // 88 to 90: address and length of the next chunk

class CsBuilder : public memory::PoolWriter {
  public:
    using PoolWriter::PoolWriter;

    // Functions that emit throw std::bad_alloc if the pool is out of memory. The stream can then only be
    // discarded.

    /// Sets a 32-bit register, or (set64) the pair that begins at an even one.
    void set32(unsigned r, uint32_t value) {
        if (shadow_[r] == value) return;
        move32(r, value);
    }
    void set64(unsigned r, uint64_t value) {
        assert(r % 2 == 0 && "pairs begin at even registers");
        const bool low = shadow_[r] == uint32_t(value), high = shadow_[r + 1] == value >> 32;
        if (low && high) return;
        if (value >> 48) return move_wide(r, value);
        put(uint64_t(hw::CsOpcode::MOVE) << 56 | uint64_t(r) << 48 | value);
        shadow_[r] = uint32_t(value);
        shadow_[r + 1] = value >> 32;
    }
    /// Emits any instruction of hw/cs.h except JUMP and BRANCH. The shadow of its destination registers
    /// becomes unknown.
    template <class Instr>
    void emit(const Instr& instr);
    /// Emits a packed instruction that changes no register.
    void emit_word(uint64_t word) { put(word); }
    /// Emits SET_SB_ENTRY, unless these slots are set.
    void set_slots(unsigned iterators, unsigned load_store) {
        if (slots_ == (iterators | load_store << 4)) return;
        put(hw::pack64(hw::CsSetSbEntry{.endpoint_entry = iterators, .other_entry = load_store}));
        slots_ = iterators | load_store << 4;
    }
    /// Emits WAIT for a mask of slots.
    void wait(uint32_t slot_mask) { put(hw::pack64(hw::CsWait{.wait_mask = slot_mask})); }
    /// Loads `count` registers, at most 16, from the address in the register pair plus the offset. The stream
    /// must wait (slot kSlotLoadStore) before an instruction reads or writes them.
    void load(unsigned first, unsigned count, unsigned address_pair, int offset_B) {
        emit(hw::CsLoadMultiple{
            .offset = offset_B, .mask = (1u << count) - 1, .address = address_pair, .base_register = first});
    }
    /// Stores registers; the stream must wait as after load() before it changes them.
    void store(unsigned first, unsigned count, unsigned address_pair, int offset_B) {
        emit(hw::CsStoreMultiple{
            .offset = offset_B, .mask = (1u << count) - 1, .address = address_pair, .base_register = first});
    }

    /// Structured flow: the body runs if the register compares to 0 as `condition` says (signed).
    /// `body(CsBuilder&)`. Registers that the body sets are unknown after it.
    template <class Body>
    void if_(hw::CsCondition condition, unsigned r, Body&& body) {
        const State before = enter_block();
        const size_t skip = reserve_branch();
        body(*this);
        patch_branch(skip, inverse(condition), r, position());
        join(before);
        leave_block();
    }
    /// Makes the values of all registers unknown.
    void forget_registers() {
        shadow_ = nothing_known();
        slots_ = kUnknownSlots;
    }
    /// For checks: registers that are set when the stream begins. (An exception handler has those of the
    /// stream that it interrupts.)
    void assume_set(unsigned first, unsigned count) { checks_.assume_set(first, count); }

    /// Ends the stream and returns it. Begins a new one, with all registers unknown.
    [[nodiscard]] Stream finish();
    /// Drops what was emitted since the last finish().
    void discard() { begin(); }
    /// Bytes of instructions since the last finish().
    uint64_t emitted_B() const {
        return 8 *
               (emitted_words_ + (depth_ ? size_t(outer_at_ - chunk_) + position() : size_t(at_ - chunk_)));
    }

  private:
    static constexpr uint64_t kUnknown = ~0ull;  // no 32-bit value
    static constexpr uint32_t kUnknownSlots = ~0u;
    static constexpr unsigned kRegisters = 96;
    using Shadow = std::array<uint64_t, kRegisters>;
    static constexpr Shadow nothing_known() {
        Shadow s{};
        s.fill(kUnknown);
        return s;
    }
    static constexpr size_t kJumpWords = 3, kFirstChunkWords = 2048 / 8;

    struct State {
        Shadow shadow;
        uint32_t slots;
        CsChecks checks;
    };

    void begin();
    void put(uint64_t word) {
        if (at_ == end_) [[unlikely]]
            make_room();
        check(word);
        *at_++ = word;
    }
    void move32(unsigned r, uint32_t value) {
        put(uint64_t(hw::CsOpcode::MOVE32) << 56 | uint64_t(r) << 48 | value);
        shadow_[r] = value;
    }
    /// MOVE zero-extends 48 bits. A value with higher bits takes two MOVE32, or one if the register already
    /// has one of the halves.
    void move_wide(unsigned r, uint64_t value) {
        set32(r, uint32_t(value));
        set32(r + 1, uint32_t(value >> 32));
    }
    void check([[maybe_unused]] uint64_t word) {
#ifndef NDEBUG
        report(checks_.note(word), word);
#endif
    }
    static void report(const char* problem, uint64_t word);
    void forget(unsigned first, unsigned count) {
        for (unsigned r = first; r < first + count && r < kRegisters; r++)
            shadow_[r] = kUnknown;
    }
    [[gnu::cold]] void make_room();
    void open_chunk(size_t words);
    void end_chunk_length(size_t words);

    // Within blocks, at_ and end_ point into staging_.
    [[nodiscard]] State enter_block();
    void leave_block();
    void join(const State& other);
    [[nodiscard]] size_t position() const {
        return size_t(at_ - staging_.data());
    }
    [[nodiscard]] size_t reserve_branch();
    void patch_branch(size_t at, hw::CsCondition condition, unsigned r, size_t target);
    static hw::CsCondition inverse(hw::CsCondition condition);

    uint64_t *at_ = nullptr, *end_ = nullptr;  // end_ leaves room for a jump
    Shadow shadow_ = nothing_known();
    uint32_t slots_ = kUnknownSlots;
    unsigned depth_ = 0;
    uint64_t* chunk_ = nullptr;
    uint64_t* length_of_chunk_ =
        nullptr;  // the MOVE32 with the current chunk's length; null: it is the first chunk
    Stream root_;
    size_t next_chunk_words_ = kFirstChunkWords;
    uint64_t emitted_words_ = 0;  // in full chunks
    std::vector<uint64_t> staging_;
    uint64_t *outer_at_ = nullptr, *outer_end_ = nullptr;
    CsChecks checks_;
};

template <class Instr>
void CsBuilder::emit(const Instr& i) {
    static_assert(!std::is_same_v<Instr, hw::CsJump> && !std::is_same_v<Instr, hw::CsBranch>,
                  "jumps and branches are the builder's: if_");
    put(hw::pack64(i));
    if constexpr (std::is_same_v<Instr, hw::CsLoadMultiple>) {
        for (unsigned n = 0; n < 16; n++)
            if (i.mask >> n & 1) forget(i.base_register + n, 1);
    } else if constexpr (std::is_same_v<Instr, hw::CsMove32>) {
        forget(i.destination, 1);
        shadow_[i.destination] = i.immediate;
    } else if constexpr (std::is_same_v<Instr, hw::CsAddImmediate32>) {
        forget(i.destination, 1);
    } else if constexpr (std::is_same_v<Instr, hw::CsSetSbEntry>) {
        slots_ = i.endpoint_entry | i.other_entry << 4;
    } else if constexpr (requires { i.destination; }) {
        forget(i.destination, 2);
    }
}

}  // namespace terrazzo::mali
