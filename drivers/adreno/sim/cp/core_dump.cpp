// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/cp/core_dump.h"

#include <cinttypes>
#include <cstring>
#include <string>
#include <vector>

#include "drivers/adreno/hw/pm4.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint64_t kRing_va = 0x1000;
constexpr uint32_t kRing_dw = 0x2000;  // the kernel's size: 32 KiB
constexpr uint32_t kCall_dw = 4;       // a CP_INDIRECT_BUFFER with its header

// Registers that only the kernel may write: Mesa 25.0.7, a6xx.xml.
constexpr uint16_t kRbBase = 0x800, kIb1Base = 0x928, kIb1Rest = 0x92a, kIb2Base = 0x92b, kIb2Rest = 0x92d;

/// A word in base 85, most significant digit first; zero has a short form (Linux, include/linux/ascii85.h).
void append(std::string* out, uint32_t word) {
    if (!word) {
        out->push_back('z');
        return;
    }
    char digits[5];
    for (int i = 4; i >= 0; --i, word /= 85)
        digits[i] = char('!' + word % 85);
    out->append(digits, 5);
}

}  // namespace

void CoreDumpWriter::begin(const hw::Chip& chip, std::string_view report) {
    const auto id = uint32_t(chip.chip_id);
    std::fprintf(file_,
                 "---\nkernel: virtual\nmodule: msm\ncomm: terrazzo\ncmdline: %.*s\nrevision: %u "
                 "(%u.%u.%u.%u)\nrbbm-status: 0x00000001\n",
                 int(report.size()), report.data(), unsigned(chip.gpu_id), id >> 24, id >> 16 & 0xff,
                 id >> 8 & 0xff, id & 0xff);
}

void CoreDumpWriter::ring(std::span<const Commands> commands, const CorePosition& position) {
    position_ = position;
    std::vector<uint32_t> words;
    uint32_t read_dw = 0;
    // If more do not fit, earlier ones are left out.
    const size_t first = position.command >= kRing_dw / kCall_dw / 2 ? position.command : 0;
    for (size_t i = first; i < commands.size() && words.size() + 2 * kCall_dw < kRing_dw; ++i) {
        words.insert(words.end(),
                     {hw::pack_type7(hw::Pm4Opcode::CP_INDIRECT_BUFFER, kCall_dw - 1),
                      uint32_t(commands[i].va), uint32_t(commands[i].va >> 32), commands[i].size_dw});
        if (i == position.command) read_dw = uint32_t(words.size());
    }
    const auto end_dw = uint32_t(words.size());
    words.resize(kRing_dw);
    std::fprintf(file_,
                 "ringbuffer:\n  - id: 0\n    iova: 0x%016" PRIx64
                 "\n    last-fence: 1\n    retired-fence: 0\n    rptr: %u\n    wptr: %u\n    size: %u\n",
                 kRing_va, read_dw, end_dw, kRing_dw * 4);
    data({reinterpret_cast<const uint8_t*>(words.data()), words.size() * 4});
}

void CoreDumpWriter::memory(uint64_t va, std::span<const uint8_t> contents) {
    if (!has_memory_) std::fputs("bos:\n", file_);
    has_memory_ = true;
    std::fprintf(file_, "  - iova: 0x%016" PRIx64 "\n    size: %zu\n    name: memory\n", va, contents.size());
    data(contents);
}

void CoreDumpWriter::registers(std::span<const Register> values) {
    std::fputs("registers:\n", file_);
    address(kRbBase, kRing_va);
    address(kIb1Base, position_.ib1_va);
    one(kIb1Rest, position_.ib1_rest_dw);
    address(kIb2Base, position_.ib2_va);
    one(kIb2Rest, position_.ib2_rest_dw);
    for (const Register& r : values)
        one(r.reg, r.value);
    // crashdec evaluates the commands when another section begins.
    std::fputs("indexed-registers:\n", file_);
}

void CoreDumpWriter::data(std::span<const uint8_t> contents) {
    std::fputs("    data: !!ascii85 |\n     ", file_);
    std::string text;
    constexpr size_t kPart = 1 << 20;
    for (size_t at = 0; at + 4 <= contents.size();) {
        text.clear();
        for (; at + 4 <= contents.size() && text.size() < kPart; at += 4) {
            uint32_t word;
            std::memcpy(&word, &contents[at], 4);
            append(&text, word);
        }
        std::fwrite(text.data(), 1, text.size(), file_);
    }
    std::fputc('\n', file_);
}

// The kernel prints offsets in bytes.
void CoreDumpWriter::one(uint16_t reg, uint32_t value) {
    std::fprintf(file_, "  - { offset: 0x%05x, value: 0x%08x }\n", unsigned(reg) * 4, value);
}

void CoreDumpWriter::address(uint16_t reg, uint64_t value) {
    one(reg, uint32_t(value));
    one(uint16_t(reg + 1), uint32_t(value >> 32));
}

}  // namespace terrazzo::adreno::sim
