// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LOAD, STORE and ATOM: messages that the core executes itself. Internal to core/.
#pragma once

#include "drivers/mali/sim/core/units.h"

namespace terrazzo::mali::sim {

/// The addresses of a LOAD's or STORE's active lanes.
struct Addresses {
    uint64_t va[kWarpLanes];
    /// Lanes whose access goes to thread-local memory: its address is an offset from thread_local_pointer,
    /// the same for all threads. The instruction says so (".force"), or it is a load in that range.
    uint32_t local = 0;
};
/// Checks that local accesses of all lanes are within their own memory and, as packed addresses require,
/// within 16 bytes, and that other accesses are not in it. Returns null, or the error, with its lane in
/// `lane`.
const char* find_addresses(const Warp& warp, const MessageIn& m, Addresses* out, uint32_t* lane);

/// False: a lane's access was refused; see `fault` and `lane`. Earlier lanes' accesses have been executed.
bool run_load(const Addresses& at, const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane);
bool run_store(const Warp& warp, const Addresses& at, const MessageIn& m, AccessFault* fault, uint32_t* lane);
bool run_atomic(const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane);

/// The bytes per lane of a load or store.
unsigned access_B(isa::Op op);
/// The bytes of an atomic, and the address of a lane's.
unsigned atomic_B(isa::Op op);
uint64_t atomic_address(const MessageIn& m, unsigned lane);
/// Extends a loaded value (little endian from out[0]) and moves it to the instruction's place in the
/// registers. `old` has the registers' old values.
void place_loaded(const isa::Instr& instr, unsigned count, const U32* old, U32* out);

}  // namespace terrazzo::mali::sim
