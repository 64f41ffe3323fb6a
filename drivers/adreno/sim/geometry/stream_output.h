// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VPC's stream output: writes outputs of primitives' vertices to buffers. Source of the registers' meaning:
// Mesa 25.0.7, fd6_program.cc, fd6_emit.cc.
#pragma once

#include <string>
#include <vector>

#include "drivers/adreno/sim/draw/primitive.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

class StreamOutput {
  public:
    static constexpr unsigned kStreams = 4;
    /// Decodes the registers once per draw. `stride` is that of the last stage's VPC_*_PACK. Only geometry
    /// shaders have streams other than 0.
    [[nodiscard]] bool init(Machine& machine, uint32_t stride, bool many_streams, Fault* fault);
    bool enabled(unsigned stream) const { return streams_[stream].enabled; }
    /// Writes a primitive of `corners` vertices if all buffers of its stream have room, and counts it.
    /// Advances VPC_SO_BUFFER_OFFSET.
    [[nodiscard]] bool write(Machine& machine, unsigned stream, const VertexOutputs& vertices,
                             const uint32_t* corner, unsigned corners, Fault* fault);

  private:
    static constexpr unsigned kBuffers = 4;
    // Words that follow each other in the outputs and in a buffer.
    struct Words {
        uint8_t location, buffer;
        uint16_t offset_B, count;
    };
    struct Buffer {
        uint32_t stream = 0;  // counted from 1; 0: not used
        uint64_t base = 0;
        uint32_t size_B = 0, stride_B = 0;
    };
    struct Stream {
        bool enabled = false;
        // An error of the program, reported when it writes: freedreno leaves stream output enabled for
        // programs without one, with full buffers.
        std::string wrong;
        std::vector<Words> words;
    };
    void decode_program(const Registers& registers, unsigned stream, uint32_t stride);

    Stream streams_[kStreams];
    Buffer buffers_[kBuffers];
};

}  // namespace terrazzo::adreno::sim
