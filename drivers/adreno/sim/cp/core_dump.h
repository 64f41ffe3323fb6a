// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes the text that Linux' msm driver provides in /sys/class/devcoredump/devcdN/data when a GPU hangs, and
// that Mesa's crashdec reads: the ring, memory and registers. Sources: Linux,
// drivers/gpu/drm/msm/adreno/adreno_gpu.c (adreno_show); Mesa 25.0.7, src/freedreno/decode/crashdec.c.
#pragma once

#include <cstdint>
#include <cstdio>
#include <span>
#include <string_view>

#include "drivers/adreno/hw/chips.h"

namespace terrazzo::adreno::sim {

/// Where the command processor stopped.
struct CorePosition {
    uint32_t command = 0;  // index of the submit's command buffer
    uint64_t ib1_va = 0, ib2_va = 0;
    uint32_t ib1_rest_dw = 0, ib2_rest_dw = 0;  // after the faulting packet
};

/// Writes a dump's sections in the order that crashdec needs: begin(), ring(), memory() for each buffer,
/// registers(). Stores nothing.
class CoreDumpWriter {
  public:
    struct Commands {
        uint64_t va = 0;
        uint32_t size_dw = 0;
    };
    struct Register {
        uint16_t reg = 0;
        uint32_t value = 0;
    };

    explicit CoreDumpWriter(std::FILE* file) : file_(file) {}
    /// `report`: a line with the error.
    void begin(const hw::Chip& chip, std::string_view report);
    /// The kernel's ring, which calls the command buffers. User addresses begin after it.
    void ring(std::span<const Commands> commands, const CorePosition& position);
    /// At most 4 GiB, whole words.
    void memory(uint64_t va, std::span<const uint8_t> contents);
    /// The registers of the position and the ring are added automatically.
    void registers(std::span<const Register> values);
    /// Whether all writes succeeded.
    [[nodiscard]] bool good() const { return std::ferror(file_) == 0; }

  private:
    void data(std::span<const uint8_t> contents);
    void one(uint16_t reg, uint32_t value);
    void address(uint16_t reg, uint64_t value);

    std::FILE* const file_;
    CorePosition position_;
    bool has_memory_ = false;
};

}  // namespace terrazzo::adreno::sim
