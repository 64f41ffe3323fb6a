// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Printing what pointers in registers and descriptors lead to. A null pointer prints nothing; what cannot be
// read is said to be unmapped; what was printed before at the same address is not printed again.
#pragma once

#include "drivers/mali/decode/context.h"

namespace terrazzo::mali::decode {

// ---- resources.cpp ----

/// Tables of resources: an address with the number of its tables in the low 6 bits.
void print_resource_tables(Context& context, unsigned indent, const char* label, uint64_t pointer);
/// Uniforms: `count` words of 64 bits.
void print_fau(Context& context, unsigned indent, const char* label, uint64_t va, unsigned count);
void print_local_storage(Context& context, unsigned indent, const char* label, uint64_t va);

// ---- shaders.cpp ----

/// A ShaderProgram and its code. Returns the code's address, 0 where there is none.
uint64_t print_shader(Context& context, unsigned indent, const char* label, uint64_t va);
/// Code up to its end: an `end` that no branch leads past, a zero word, or unmapped memory.
void print_code(Context& context, unsigned indent, uint64_t va);

// ---- state.cpp ----

/// `count` blend descriptors; fragment_code gives the upper half of the address of blend shaders.
void print_blend(Context& context, unsigned indent, uint64_t va, unsigned count, uint64_t fragment_code);
void print_depth_stencil(Context& context, unsigned indent, uint64_t va);
void print_tiler_context(Context& context, unsigned indent, uint64_t va);
void print_draw(Context& context, unsigned indent, const char* label, uint64_t va);
void print_framebuffer(Context& context, unsigned indent, uint64_t va);

// ---- runs.cpp ----

/// What a RUN instruction would do, by the registers; nothing for other instructions.
void print_run(Context& context, unsigned indent, uint64_t word, const Registers& registers);

}  // namespace terrazzo::mali::decode
