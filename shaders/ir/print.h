// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The IR's text form, for people and tests. parse.h reads it. (Caches and program binaries contain the binary
// form, binary.h.)
//
//   fragment {
//     info inputs_read=0x80 outputs_written=0x1
//     var v0 "color" f32[4] input highp flat location=3
//     %0: f32 = const 1.5
//     %1: f32 = load_var v0[2]            # flat component 2; "v0[2 + %7]" with a dynamic part
//     %2: f32 = fadd.exact.mediump %0, %1 !12      # line 12 of the GLSL text
//     %3: f32 = load_input 7.y flat       # slot.component
//     %4: f32 = load_uniform 12 + %7 of 8 # 8 dwords may be reached
//     %5: f32 = if %9 {
//       yield %0
//     } else {
//       yield %1
//     }
//     %8: f32 = loop (%6: f32 = %0, %10: i32 = %11) { ... break %6 ... }
//     %12: f32, %13: f32, %14: f32, %15: f32 = tex sample 2d coords=2 binding=0 (%3, %5)
//     %16: f32, %17: f32 = load_buffer uniform_block binding=1 words=2 offset_B=16 (%11)
//     %18: i32 = atomic_buffer add buffer coherent binding=0 (%11, %11)
//     barrier execution=workgroup memory=workgroup shared ()
//     store_output 0.x, %2
//   }
//
// A value's number is its id. Floats are the shortest decimals that read back the same, or hex bits (NaN,
// infinity).
#pragma once

#include <string>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

[[nodiscard]] std::string print(const Shader& s);
/// One instruction with its regions, without a final newline; for messages.
[[nodiscard]] std::string print(const Instr& i);

}  // namespace terrazzo::ir
