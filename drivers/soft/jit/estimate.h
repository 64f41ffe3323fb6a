// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Estimates LLVM's time for a shader. That time is not linear, a compilation cannot be stopped, and the
// destructor of a screen waits for it. So a shader that would take longer than kMaxLlvm_s is not compiled by
// LLVM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "shaders/ir/ir.h"

namespace terrazzo::soft::jit {

/// The most CPU seconds of a machine of 2023 that LLVM may take for a shader.
inline constexpr double kMaxLlvm_s = 2;

/// The quantities that LLVM's time depends on.
struct LlvmWork {
    uint32_t instructions = 0;  // without constants
    uint32_t textures = 0;      // texture instructions
    uint32_t indexed = 0;       // loads and stores of arrays at an index
    uint32_t regions = 0;       // regions of ifs and loops
    uint32_t longest = 0;       // the longest sequence of instructions without control flow
    uint32_t live = 0;          // the most values that are live at one place
    uint32_t carried = 0;       // arguments and results of loops
    bool operator==(const LlvmWork&) const = default;
};

/// `lowered` is a result of lower_for_soft(). Linear time.
[[nodiscard]] LlvmWork measure_llvm_work(const ir::Shader& lowered);
/// A conservative estimate: tests/bench/llvm_bench.cpp compares it with LLVM's actual time.
[[nodiscard]] double estimate_llvm_s(const LlvmWork& work);
/// A conservative estimate of the memory that LLVM needs. If LLVM runs out of memory, the process can no
/// longer use it (jit/module.cpp), or ends.
[[nodiscard]] size_t memory_for_llvm_B(const LlvmWork& work);
/// Whether the process can currently allocate this much address space (RLIMIT_AS, overcommit).
[[nodiscard]] bool has_room(size_t bytes);
/// For messages.
[[nodiscard]] std::string print(const LlvmWork& work);

}  // namespace terrazzo::soft::jit
