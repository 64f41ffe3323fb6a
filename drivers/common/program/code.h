// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Machine code: its memory on the GPU, and its text for TERRAZZO_DEBUG=shaders.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "drivers/common/memory/device.h"

namespace terrazzo::programs {

/// Code in executable memory.
class DeviceCode {
  public:
    /// The GPU fetches this many bytes of instructions at a time. Code is aligned to it.
    static constexpr uint32_t kAlign_B = 128;

    /// False: out of memory.
    [[nodiscard]] bool upload(memory::Device& device, std::span<const uint64_t> words);
    /// 0: nothing was uploaded.
    [[nodiscard]] uint64_t va() const { return large_ ? large_->va : block_.va; }
    /// The memory's size: at least the code's.
    [[nodiscard]] uint64_t size_B() const { return large_ ? large_->size_B : block_.size_B; }
    [[nodiscard]] const uint8_t* cpu() const { return large_ ? large_->cpu : block_.cpu; }

  private:
    memory::Block block_;
    pipe::Ref<memory::Bo> large_;  // for code that is larger than a block
};

/// What the statistics of a stage begin with: "3 instructions in 1 blocks, 4 registers, 0 words spilled, 2
/// uniform words".
template <class Statistics>
[[nodiscard]] std::string statistics_text(const Statistics& s, uint32_t registers, size_t uniform_words) {
    return std::to_string(s.instructions) + " instructions in " + std::to_string(s.blocks) + " blocks, " +
           std::to_string(registers) + " registers, " + std::to_string(s.spilled_words) + " words spilled, " +
           std::to_string(uniform_words) + " uniform words";
}

/// Returns a line of statistics, then one line for each instruction. The number before an instruction is
/// `step` times its index. Zero words at the end, padding that the chip may fetch, are not printed.
[[nodiscard]] std::string code_text(std::string statistics, std::span<const uint64_t> words, size_t step,
                                    const std::function<std::string(uint64_t)>& instruction);

}  // namespace terrazzo::programs
