// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Stream output (transform feedback) of a context: the buffers that draws capture to, and the offset to which
// each is written.
#pragma once

#include <vector>

#include "drivers/adreno/passes/draw_state.h"

namespace terrazzo::adreno {

class StreamOutput : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// As pipe::Context::set_stream_outputs.
    void set(std::span<const pipe::BufferRange> ranges);
    /// Whether draws of programs with captured outputs capture them.
    [[nodiscard]] bool is_set() const { return set_; }
    /// Whether a change of the program changes the capture.
    [[nodiscard]] bool depends_on_program() const { return set_ || enabled_; }
    /// Selects what the next draw captures, and sets the registers of the buffers. `none`: the group of draws
    /// that capture nothing. Throws std::bad_alloc.
    void pack(const AdrenoProgram& program, const Segment& none, GroupList& groups);

    // --- for the pass's stream
    void begin_pass() { captured_.clear(); }
    /// Ends the capture: the offsets are written to memory, where the next capture continues.
    void end_capture();
    /// As end_capture(), before the stream ends.
    void end_pass();
    /// Called when a stream has ended: its registers are not valid in the next one.
    void forget_stream() { in_stream_ = 0, enabled_ = false; }
    /// Whether draws of this pass were captured to the buffer.
    [[nodiscard]] bool was_captured(const pipe::Resource& buffer) const;

  private:
    void load(const AdrenoProgram& program);

    static constexpr uint32_t kOffset_B = 32;
    std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> ranges_;
    bool set_ = false;
    // The offsets, in dwords from the begin of each buffer's resource, at a distance of kOffset_B. Allocated
    // for each new set of buffers.
    pipe::Ref<submission::CountMemory> offsets_;
    bool begun_ = false;      // a draw was captured since the buffers were set: the offsets are valid
    uint32_t in_stream_ = 0;  // a bit for each buffer: the registers of the pass's stream are set for it
    bool enabled_ = false;    // the pass's stream captures
    std::vector<const pipe::Resource*> captured_;  // buffers of this pass, which the recording holds
};

}  // namespace terrazzo::adreno
