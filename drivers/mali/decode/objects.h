// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints objects that registers and descriptors point to. A null pointer prints nothing; unreadable memory is
// printed as unmapped; an object that was printed before is not printed again.
#pragma once

#include "drivers/common/decode/context.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/descriptors.h"

namespace terrazzo::mali::decode {

/// What the decoder's parts share, with its options.
using Context = terrazzo::decode::ContextOf<Options>;

// ---- resources.cpp ----

/// Resource tables: an address with the number of tables in the low 6 bits.
void print_resource_tables(Context& context, unsigned indent, const char* label, uint64_t pointer);
/// Uniforms: `count` words of 64 bits.
void print_fau(Context& context, unsigned indent, const char* label, uint64_t va, unsigned count);
void print_local_storage(Context& context, unsigned indent, const char* label, uint64_t va);

/// A ShaderProgram and its code. Returns the code's address, 0 if there is none.
uint64_t print_shader(Context& context, unsigned indent, const char* label, uint64_t va);
/// Code up to its end: an `end` that no branch crosses, a zero word, or unmapped memory.
void print_code(Context& context, unsigned indent, uint64_t va);

// ---- state.cpp ----

/// `count` blend descriptors; fragment_code has the upper half of the address of blend shaders.
void print_blend(Context& context, unsigned indent, uint64_t va, unsigned count, uint64_t fragment_code);
void print_depth_stencil(Context& context, unsigned indent, uint64_t va);
void print_tiler_context(Context& context, unsigned indent, uint64_t va);
void print_draw(Context& context, unsigned indent, const char* label, uint64_t va);
void print_framebuffer(Context& context, unsigned indent, uint64_t va);

// ---- runs.cpp ----

/// Prints what a RUN instruction would do with these registers; nothing for other instructions.
void print_run(Context& context, unsigned indent, uint64_t word, const Registers& registers);

}  // namespace terrazzo::mali::decode
