// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// LOAD, STORE and ATOM: messages that the core serves itself. Internal to core/.
#pragma once

#include "drivers/mali/sim/core/units.h"

namespace terrazzo::mali::sim {

/// Whether an address is one of threads' own memory: an offset from thread_local_pointer, the same for all
/// threads. The instruction says so (".force"), or it is a load from there.
bool is_local(const Warp& warp, const MessageIn& m);
/// Whether every lane's access is within its own memory and, as packed addresses want it, within 16 bytes;
/// and whether others are not. False: `lane` says which is not, the text what it does.
const char* local_mistake(const Warp& warp, const MessageIn& m, uint32_t* lane);

/// False: a lane's access was refused; `fault` and `lane` say which, what came before was done.
bool run_load(const Warp& warp, const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane);
bool run_store(const Warp& warp, const MessageIn& m, AccessFault* fault, uint32_t* lane);
bool run_atomic(const MessageIn& m, U32* out, AccessFault* fault, uint32_t* lane);

/// Bytes that a load or store of that instruction moves a lane.
unsigned access_B(isa::Op op);
/// Extends what was loaded (little endian from out[0]) to where the instruction wants it. `old` is what the
/// registers held.
void place_loaded(const isa::Instr& instr, unsigned count, const U32* old, U32* out);

}  // namespace terrazzo::mali::sim
