// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// How long LLVM will take for a shader. Its time is not linear, it cannot be stopped, and the end of a screen
// waits for what it compiles: so a shader that would take it longer than kMaxLlvm_s is never given to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "shaders/ir/ir.h"

namespace terrazzo::soft::jit {

/// CPU seconds of a machine of 2023 that LLVM may take for one shader.
inline constexpr double kMaxLlvm_s = 2;

/// What LLVM's time depends on.
struct LlvmWork {
    uint32_t instructions = 0;  // but for constants
    uint32_t textures = 0;      // of them
    uint32_t indexed = 0;       // of them, loads and stores of arrays at an index
    uint32_t regions = 0;       // of ifs and loops
    uint32_t longest = 0;       // instructions in a row with no control flow between them
    uint32_t live = 0;          // values in use at one place, at most
    uint32_t carried = 0;       // arguments and results of loops
    bool operator==(const LlvmWork&) const = default;
};

/// `lowered` comes from lower_for_soft(). Linear.
[[nodiscard]] LlvmWork measure_llvm_work(const ir::Shader& lowered);
/// An estimate on the safe side: tests/bench/llvm_bench.cpp compares it with what LLVM takes.
[[nodiscard]] double estimate_llvm_s(const LlvmWork& work);
/// Memory that LLVM may need for it, on the safe side. Where LLVM runs out of memory this process loses it
/// (jit/module.cpp), or ends.
[[nodiscard]] size_t memory_for_llvm_B(const LlvmWork& work);
/// Whether the process may have so much more address space at this moment (RLIMIT_AS, overcommit).
[[nodiscard]] bool has_room(size_t bytes);
/// For messages.
[[nodiscard]] std::string print(const LlvmWork& work);

}  // namespace terrazzo::soft::jit
