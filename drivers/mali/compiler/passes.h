// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The passes of a compilation, in their order (compile.cpp). Those on machine code report errors in f.error.
#pragma once

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/compiler/lir.h"

namespace terrazzo::mali::compiler {

/// IR passes before instruction selection. Widens 16-bit types except those that selection supports, lowers
/// bit fields, clamps indices, folds constant ones, reorders products of matrices, and checks the ranges of
/// stores.
void prepare(ir::Shader& s, const Options& options);

enum class Spill : uint8_t { No, Yes };
/// Assigns registers (f.reg). `*work_registers` is 32 if r0..r15 and r48..r63 are enough, else 64. Fails if
/// not even all or `most_registers` are enough. A blend shader only has r0..r15, and spills nothing.
void allocate(Function& f, bool blend, Spill spill, unsigned most_registers, uint8_t* work_registers);

/// Assigns slots, so that messages with waits at different times have different slots.
void assign_slots(Function& f);

/// No message is pending when a blend shader is called. It returns to its caller.
enum class Kind : uint8_t { Vertex, Fragment, Blend };
/// Flow control: waits for messages before their registers are used, reconvergence of threads, the end.
/// Rules: Mesa 25.0.7, valhall/va_insert_flow.c.
void insert_flow(Function& f, Kind kind);

/// Marks the last source that reads a register, so that hardware need not write it back. Rules: Mesa 25.0.7,
/// valhall/va_mark_last.c. `blend`: the code is a blend shader, whose caller goes on with what it may not
/// overwrite.
void mark_last_uses(Function& f, bool blend);

/// Encodes the code. Fails for an instruction that has no encoding.
void pack(Function& f, std::pmr::vector<uint64_t>* code);

}  // namespace terrazzo::mali::compiler
