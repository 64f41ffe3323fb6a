// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Formats of vertex attributes, as VFD_DECODE_INSTR names them.
#pragma once

#include <cstdint>
#include <cstring>

#include "drivers/adreno/hw/formats.h"
#include "drivers/common/units/format.h"

namespace terrazzo::adreno::sim {

/// Converts a vertex in memory to the shader's four words.
struct VertexFormat {
    units::FormatReader reader;
    uint8_t words = 0;  // 1 to 4: memory has exactly these words, without conversion; 0: the reader converts
    /// Components that memory does not have: 0, 0, 0, 1.
    void read(const uint8_t* memory, uint32_t out[4]) const {
        if (!words) return reader.read(memory, out);
        out[0] = out[1] = out[2] = 0;
        out[3] = reader.one();
        std::memcpy(out, memory, words * 4u);
    }
};

/// `as_float`: VFD_DECODE_INSTR.float_, whether the shader reads floats; integers are converted as they are.
/// nullptr: the tables have no such format.
const VertexFormat* vertex_format(hw::Format format, hw::ColorSwap swap, bool as_float);

}  // namespace terrazzo::adreno::sim
