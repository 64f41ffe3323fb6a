// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A SIMD-group: 32 threads that run one shader together. Its creator sets its inputs, and reads results from
// registers when it has ended.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drivers/agx/isa/isa.h"
#include "drivers/common/core/in_flight.h"
#include "drivers/common/core/waiting.h"
#include "drivers/common/wave/lane_mask.h"

namespace terrazzo::agx::sim {

using wave::F32;
using wave::I32;
using wave::U32;

inline constexpr unsigned kThreads = 32;                       // of a SIMD-group
inline constexpr unsigned kVectors = kThreads / wave::kLanes;  // of the host, for a word of each thread
inline constexpr unsigned kRegisters = 128;  // of 32 bits: two halves each, the low one first
inline constexpr unsigned kUniforms = 256;   // of 32 bits, likewise

/// Halves of registers.
using RegisterSet = core::RegisterSet<isa::kRegisterHalves>;
/// Rows after the registers: a condition of the last instruction of a block.
inline constexpr unsigned kConditionRow = kRegisters, kRows = kRegisters + 1;

/// A word of each thread.
using Words = U32[kVectors];

/// The uniform registers of a program, which its preshader may write.
struct Uniforms {
    uint32_t word[kUniforms] = {};
    uint64_t bound[kUniforms * 2 / 64] = {};  // a bit for each half that a value was bound or stored to
    bool has(unsigned half) const { return bound[half / 64] >> half % 64 & 1; }
    void bind(unsigned half, uint16_t value) {
        word[half / 2] = half & 1 ? (word[half / 2] & 0xffffu) | uint32_t(value) << 16
                                  : (word[half / 2] & ~0xffffu) | value;
        bound[half / 64] |= uint64_t(1) << half % 64;
    }
};

/// Numbers [first, first + count) of textures or samplers are descriptors in memory from `va` on.
struct DescriptorRange {
    unsigned first = 0, count = 0;
    uint64_t va = 0;
};
/// What a program has bound by number, and where bindless samplers are.
struct Bindings {
    std::vector<DescriptorRange> textures, samplers;
    unsigned texture_count = 0, sampler_count = 0;  // that the program may use
    bool extended_samplers = false;                 // each sampler has a border colour
    uint64_t sampler_heap = 0;                      // of the render pass or dispatch
    unsigned sampler_heap_count = 0;
};

struct SimdGroup {
    // ---- The creator sets these ----
    uint32_t threads = 0;             // those that it starts with, a bit each
    uint32_t helpers = 0;             // of them, pixels without coverage, which run for derivatives
    unsigned registers = kRegisters;  // that the program may use, of 32 bits
    Uniforms* uniforms = nullptr;
    const Bindings* bindings = nullptr;
    /// Threadgroup memory, which all SIMD-groups of the workgroup share.
    std::span<uint8_t> local;
    unsigned stack_B = 0;  // of each thread
    /// Special registers.
    struct {
        uint32_t group[3] = {};       // the workgroup's place in the grid
        uint32_t group_size[3] = {};  // threads of this workgroup, and of those that are not cut off
        uint32_t whole_group_size[3] = {};
        Words in_group[3] = {};  // the thread's place in its workgroup
        Words index_in_group = {};
        Words in_grid[3] = {};  // fragments: the pixel's position
        uint32_t simd_in_group = 0;
        uint32_t samples_log2 = 0;
        Words coverage = {}, sample_mask = {};  // fragments: samples, a bit each
        Words back_facing = {};
        uint32_t core_index = 0;
    } special;
    void* stage = nullptr;  // the creator's data; units receive it

    // ---- Registers, and rows that the core uses ----
    U32 r[kRows][kVectors] = {};

    // ---- The core's: start() sets these ----
    core::LaneFlow<uint32_t, kThreads> flow;  // its pc is an address
    uint32_t executing = 0;                   // threads whose r0l is 0
    /// What instructions of a slot write for which no wait has come. They read their registers when they are
    /// issued: Mesa's compiler waits only for results (agx_insert_waits.c).
    struct Slot {
        RegisterSet writes;
        unsigned count = 0;
    };
    Slot slots[isa::kSlots];
    RegisterSet late_writes;     // of all slots
    unsigned stack_at_B = 0;     // of each thread: the end of what is in use
    std::vector<uint8_t> stack;  // thread by thread
};

}  // namespace terrazzo::agx::sim
