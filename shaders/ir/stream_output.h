// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which outputs of a program's last vertex-processing stage are captured (transform feedback), and where. A
// vertex is a record of dwords in each buffer; records follow one another without gaps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace terrazzo::ir {

inline constexpr unsigned kMaxStreamBuffers = 4;
/// Of one buffer that all outputs share; separate buffers have at most four each.
inline constexpr uint32_t kMaxInterleavedComponents = 128, kMaxSeparateComponents = 4;

struct StreamOutputLayout {
    /// Components of one output slot, one after another.
    struct Output {
        uint8_t slot = 0;        // VaryingSlot; the stage writes it
        uint8_t component = 0;   // the first ...
        uint8_t count = 1;       // ... of up to four: component + count <= 4
        uint8_t buffer = 0;      // below kMaxStreamBuffers
        uint32_t offset_dw = 0;  // in the record
        bool operator==(const Output&) const = default;
    };
    std::vector<Output> outputs;                          // each dword of a record is written once
    std::array<uint32_t, kMaxStreamBuffers> stride_dw{};  // of a record; 0: the buffer is not used
    [[nodiscard]] bool empty() const { return outputs.empty(); }
    bool operator==(const StreamOutputLayout&) const = default;
};

}  // namespace terrazzo::ir
