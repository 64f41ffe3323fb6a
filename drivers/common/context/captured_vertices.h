// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stream output (transform feedback) by capture shaders (program/capture.h): the buffers, and for each draw
// the vertices to capture. The CPU decomposes strips and fans, and knows how many primitives are written.
#pragma once

#include <span>

#include "drivers/common/context/vertex_list.h"
#include "drivers/common/program/capture.h"

namespace terrazzo::contexts {

class CapturedVertices {
  public:
    /// `context` must outlive this object.
    explicit CapturedVertices(images::ImageAccess& context) : context_(context) {}

    /// As pipe::Context::set_stream_outputs.
    void set(std::span<const pipe::BufferRange> ranges);
    /// Whether draws of programs with captured outputs capture them.
    [[nodiscard]] bool is_set() const { return set_; }
    /// Whether draws of this pass were captured to the present buffers. For the vendor; set() resets it.
    bool in_pass = false;

    /// What a capture shader runs for.
    struct Draw {
        memory::Pool::Piece vertices;  // capture_slot::kVertices; `of_instance` dwords
        memory::Pool::Piece state;     // capture_slot::kState
        uint32_t of_instance = 0, instances = 0;
        uint64_t primitives = 0, written = 0;  // primitives and vertices that are written
        /// capture_slot::kOutputs. The sizes end after the last vertex that is written.
        std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> outputs;
    };
    /// Lists the vertices of a draw. `stride_dw`: StreamOutputLayout::stride_dw. Waits for the device's
    /// writes to the indices. False: nothing is written. Throws std::bad_alloc.
    [[nodiscard]] bool list(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                            std::span<const uint32_t> stride_dw, Draw* out);
    /// Called when the draw's capture is recorded: the next one follows it.
    void count(const Draw& d) { before_ += d.written; }
    static constexpr uint32_t kState_B = sizeof(programs::CaptureState);

    /// What kernels of later stages capture (programs::Kernel::Capture): primitives that earlier draws wrote,
    /// and those that are written now.
    struct Kernel {
        uint64_t before = 0, primitives = 0;
        std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> outputs;  // as Draw::outputs
    };
    /// Counts primitives as captured, as many as fit.
    [[nodiscard]] Kernel add(uint64_t primitives, uint32_t of_primitive, std::span<const uint32_t> stride_dw);

  private:
    [[nodiscard]] uint64_t room(std::span<const uint32_t> stride_dw) const;
    [[nodiscard]] std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> outputs(
        uint64_t written, std::span<const uint32_t> stride_dw) const;

    images::ImageAccess& context_;
    std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> ranges_;
    bool set_ = false;
    uint64_t before_ = 0;  // vertices that were captured since set()
    VertexList list_;
};

}  // namespace terrazzo::contexts
