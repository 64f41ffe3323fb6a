// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VPC's stream output: outputs of the vertices of primitives to buffers. Source of the registers' meaning: Mesa 25.0.7, fd6_program.cc, fd6_emit.cc.
#pragma once

#include <string>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

class StreamOutput {
  public:
    /// Decodes the registers once a draw. `stride` is VPC_VS_PACK's.
    [[nodiscard]] bool init(Machine& machine, uint32_t stride, Fault* fault);
    bool enabled() const { return enabled_; }
    /// Writes a primitive of `corners` vertices where all its buffers have room, and counts it. VPC_SO_BUFFER_OFFSET moves on.
    [[nodiscard]] bool write(Machine& machine, const VertexOutputs& vertices, const uint32_t* corner,
                             unsigned corners, Fault* fault);

  private:
    static constexpr unsigned kBuffers = 4;
    struct Word {
        uint8_t location, buffer;
        uint16_t offset_B;
    };
    struct Buffer {
        bool used = false;
        uint64_t base = 0;
        uint32_t size_B = 0, stride_B = 0;
    };
    bool enabled_ = false;
    // What is wrong with the program, for when it writes: freedreno leaves stream output enabled for programs that have none, with buffers that are full.
    std::string wrong_;
    std::vector<Word> words_;
    Buffer buffers_[kBuffers];
};

}  // namespace terrazzo::adreno::sim
