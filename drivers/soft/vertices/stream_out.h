// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stream output: vertices' outputs are written to buffers when they are shaded, on the drawing thread, so
// that later work of the context finds them there. A primitive is written completely to all buffers or to
// none (OpenGL ES 3.0 section 2.15.2).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "drivers/soft/front/front.h"
#include "pipe/state.h"

namespace terrazzo::soft {

/// A captured dword of a vertex: its source output and its place in the buffer's record.
struct StreamLink {
    uint16_t source = 0;  // a component of the vertex stage's outputs; kNoOutput: 0 is written
    uint8_t buffer = 0;
    uint32_t offset_dw = 0;
};

/// The outputs that a program captures.
struct StreamPlan {
    std::vector<StreamLink> links;
    std::array<uint32_t, pipe::kMaxStreamOutputs> stride_B{};  // 0: the buffer is not used
};

class StreamOut {
  public:
    /// Replaces the buffers; writing begins at the start of each range. Empty: nothing is captured.
    void set_buffers(std::span<const pipe::BufferRange> ranges);
    [[nodiscard]] bool active() const { return active_; }
    [[nodiscard]] std::span<const pipe::BufferRange> buffers() const { return ranges_; }
    /// Writes vertices of primitives with `of_primitive` vertices each, in order. `order` has the vertices'
    /// indices; null: they are consecutive.
    void write(const StreamPlan& plan, const VertexColumns& from, const uint32_t* order, uint32_t count,
               uint32_t of_primitive);
    /// The number of primitives written since creation.
    [[nodiscard]] uint64_t primitives() const { return primitives_; }

  private:
    bool active_ = false;
    std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> ranges_{};
    std::array<uint64_t, pipe::kMaxStreamOutputs> used_B_{};
    uint64_t primitives_ = 0;
};

}  // namespace terrazzo::soft
