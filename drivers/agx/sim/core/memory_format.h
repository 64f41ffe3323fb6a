// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The formats of device_load, ld_tile and st_tile: registers of 16 or 32 bits on one side, memory on the
// other one.
#pragma once

#include <cstdint>
#include <optional>

#include "drivers/agx/isa/isa.h"
#include "drivers/common/units/format.h"

namespace terrazzo::agx::sim {

struct MemoryFormat {
    unsigned component_B = 0;  // 0: all components are one word
    bool is_number = false;    // registers have floats, which are converted
    /// Converts: the format of a pixel of one component, or of all of them.
    units::FormatReader reader;
    unsigned size_B(unsigned components) const { return component_B ? component_B * components : 4; }
};
/// Without a value: the format is not modelled.
std::optional<MemoryFormat> memory_format(isa::Format format);

/// Registers to memory and back; only the components in `mask`, which are consecutive in registers. `size`:
/// of the registers, in bits.
void store_pixel(const MemoryFormat& f, unsigned mask, unsigned size, const uint32_t* registers,
                 uint8_t* memory);
void load_pixel(const MemoryFormat& f, unsigned mask, unsigned size, const uint8_t* memory,
                uint32_t* components);

}  // namespace terrazzo::agx::sim
