// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Sixteen threads that run one shader together: their registers, visible memory and program counters.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/core/in_flight.h"
#include "drivers/common/core/waiting.h"
#include "drivers/common/wave/lane_mask.h"
#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::sim {

using wave::each_lane;
using wave::F32;
using wave::U32;
using wave::U64;

inline constexpr unsigned kWarpLanes = wave::kLanes, kRegisters = 64;
/// Rows of the register file after the registers, which are the core's own: the sources of a message or
/// branch, and values that instructions read from elsewhere (lower.h).
inline constexpr unsigned kSourceRow = kRegisters, kPresetRow = kSourceRow + 8, kMostPresets = 8;
inline constexpr unsigned kRegisterRows = kPresetRow + kMostPresets;
inline constexpr uint32_t kAllThreads = (1u << kWarpLanes) - 1;

/// Sets of registers, and registers with the threads that access them.
using RegisterSet = core::RegisterSet<kRegisters>;
using ThreadRegisters = core::InFlight<kRegisters, uint32_t>;

/// Memory that a message in flight accesses: the same number of bytes at an address of each thread.
struct MemoryMessage {
    uint64_t va[kWarpLanes];
    uint32_t threads;
    uint8_t size_B, slot;
    bool writes;
};

/// What a warp remembers of its instructions.
struct WarpHistory {
    uint64_t defined = 0;  // registers that were written or preloaded
    /// Registers that messages of a slot write and that were not waited for yet.
    std::array<uint64_t, 8> writing{};
    /// Registers that messages of a slot read as staging.
    std::array<ThreadRegisters, 8> reading;
    uint64_t all_writing = 0, all_reading = 0;  // of all slots
    /// Registers that a thread has marked as read for the last time and not written since.
    ThreadRegisters last_uses;
    /// A bit per slot: messages in flight read (or write) thread-local memory.
    uint8_t local_reads = 0, local_writes = 0;
    /// A bit per slot: messages in flight, and those of them that interpolate.
    uint8_t under_way = 0, interpolating = 0;
    uint8_t barriers = 0;                  // a bit per slot: a barrier that was not waited for
    std::vector<MemoryMessage> in_memory;  // only if loads are checked (Machine::loads)
    /// Slots 6 and 7 of a fragment's warp: earlier fragments at its pixels may be in flight.
    uint8_t earlier_slots = 0;
    bool tested = false;  // ATEST is in flight
};

struct Warp : WarpHistory {
    U32 r[kRegisterRows] = {};
    unsigned register_count = 64;  // the shader's; 64, or 32: r0 to r15 and r48 to r63

    uint32_t lanes = 0;    // threads that the warp was created with
    uint32_t helpers = 0;  // threads of fragments without coverage, for derivatives
    /// The addresses of the threads. Threads that wait at the same address always run together.
    core::LaneFlow<uint32_t, kWarpLanes> flow;
    /// Thread-local memory: `local_B` bytes at local_base + n * local_B for lane n; 0: none.
    uint64_t local_base = 0;
    uint32_t local_B = 0;
    bool tells_stores = false;  // stores are reported to the space, by page

    std::span<const uint32_t> fau;  // uniforms, words
    std::array<uint64_t, 64>
        special{};  // by isa::Special, for values that all lanes share; not the program counter and lane
    uint64_t resources =
        0;  // address of the shader resource table with its entry count in the low bits, as in the draw
    /// Data of the warp's creator: positions, varyings, coverage (units.h receives it).
    void* stage = nullptr;

    /// Nothing is in registers and in flight, as in a new warp; shader, memory and uniforms stay.
    void forget();
    /// Has executed the same instructions as `other`, by its own threads that still live.
    void follow(const Warp& other);
    /// Those of `registers` that messages of these threads still read.
    [[nodiscard]] uint64_t held_by_messages(uint64_t registers, uint32_t threads) const;
    /// Those of `registers` that are dead (read for the last time) in any of the threads.
    [[nodiscard]] uint64_t dead(uint64_t registers, uint32_t threads) const {
        const uint64_t some = registers & last_uses.all().word[0];
        return some ? last_uses.find({{some}}, threads).word[0] : 0;
    }
    /// Notes that the threads have read the registers `dies` for the last time, and then written `written`.
    void used(uint64_t dies, uint64_t written, uint32_t threads) {
        if (dies) last_uses.add({{dies}}, threads);
        if (written & last_uses.all().word[0]) last_uses.remove({{written}}, threads | ~flow.live);
    }
    /// Whether the warp has waited for all messages that must end before this one.
    [[nodiscard]] bool is_in_order(const isa::Instr& message, isa::Message kind) const {
        return !(under_way | earlier_slots) || must_wait(message, kind) == 0;
    }
    /// Which message must be waited for before this one; "": none.
    [[nodiscard]] std::string out_of_order(const isa::Instr& message) const;
    /// A message of `threads` is in flight, which reads and writes these registers.
    void sent(isa::Message kind, int slot, uint64_t reads, uint64_t writes, uint32_t threads);
    /// `slots`: a bit each.
    void wait(unsigned slots);

  private:
    [[nodiscard]] unsigned must_wait(const isa::Instr& message, isa::Message kind) const;
};

}  // namespace terrazzo::mali::sim
