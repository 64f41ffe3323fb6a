// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A linker for LLVM's output for a shader: one relocatable ELF object with code and constants that calls a
// few functions of the runtime and has no writable data.
#pragma once

#include "drivers/soft/code/image.h"

namespace terrazzo::soft {

/// Links the object; `entry` becomes the image's entry. Returns null, or why it failed. Supports x86-64 and
/// AArch64. *frame_B: the largest stack frame of its functions, from the section .stack_sizes; if null, the
/// section may be missing.
[[nodiscard]] const char* link_object(std::span<const uint8_t> object, std::string_view entry,
                                      CodeImage* image, uint32_t* frame_B = nullptr);

}  // namespace terrazzo::soft
