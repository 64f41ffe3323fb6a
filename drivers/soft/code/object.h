// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linker for what LLVM emits for a shader: one relocatable ELF object with code and constants, calls of a
// few functions of the runtime, nothing writable.
#pragma once

#include "drivers/soft/code/image.h"

namespace terrazzo::soft {

/// Links the object so that `entry` is the image's entry. Null: done; else why not. x86-64 and AArch64.
/// *frame_B: the largest stack frame of its functions, from the section .stack_sizes; null: it need not have
/// one.
[[nodiscard]] const char* link_object(std::span<const uint8_t> object, std::string_view entry,
                                      CodeImage* image, uint32_t* frame_B = nullptr);

}  // namespace terrazzo::soft
