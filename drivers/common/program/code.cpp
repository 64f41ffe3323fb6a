// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/program/code.h"

#include <cstdio>
#include <cstring>

namespace terrazzo::programs {

namespace {

constexpr size_t kMaxBlock_B = 64 * 1024;

}  // namespace

bool DeviceCode::upload(memory::Device& device, std::span<const uint64_t> words) {
    const size_t size_B = words.size_bytes();
    uint8_t* cpu = nullptr;
    if (size_B <= kMaxBlock_B) {
        block_ = device.create_block(uint32_t(size_B), kAlign_B, memory::bo_flag::kExecutable);
        cpu = block_.cpu;
    } else {
        large_ = device.create_bo(size_B, memory::bo_flag::kExecutable);
        cpu = large_ ? large_->cpu : nullptr;
    }
    if (cpu) std::memcpy(cpu, words.data(), size_B);
    return cpu != nullptr;
}

std::string code_text(std::string statistics, std::span<const uint64_t> words, size_t step,
                      const std::function<std::string(uint64_t)>& instruction) {
    while (!words.empty() && !words.back())
        words = words.first(words.size() - 1);
    std::string out = std::move(statistics);
    for (size_t i = 0; i < words.size(); ++i) {
        char number[32];
        std::snprintf(number, sizeof number, "  %04zx  ", step * i);
        out += number + instruction(words[i]);
        if (out.back() != '\n') out += '\n';
    }
    return out;
}

}  // namespace terrazzo::programs
