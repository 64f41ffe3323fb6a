// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stream output (transform feedback) of a context: the buffers that draws capture to, and how far each is
// written.
#pragma once

#include <vector>

#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/program/program.h"

namespace terrazzo::adreno {

class StreamOutput {
  public:
    /// Objects of the context, which outlives this.
    StreamOutput(Recorder& recorder, Pass& pass) : recorder_(recorder), pass_(pass) {}

    /// As pipe::Context::set_stream_outputs.
    void set(std::span<const pipe::BufferRange> ranges);
    /// Draws of programs with outputs capture them.
    [[nodiscard]] bool is_set() const { return set_; }
    /// Another program changes what is captured.
    [[nodiscard]] bool depends_on_program() const { return set_ || enabled_; }
    /// Selects what the next draw captures, and has registers say where to. `none`: the group of draws
    /// that capture nothing.
    /// Throws std::bad_alloc.
    void pack(const AdrenoProgram& program, const Segment& none, GroupList& groups);

    // --- of the pass' stream
    void begin_pass() { captured_.clear(); }
    /// Ends the capturing: how far it went goes to memory, where the next one goes on.
    void end_capture();
    /// The same, before the stream ends.
    void end_pass();
    /// Nothing of the last stream holds in the next one.
    void forget_stream() { in_stream_ = 0, enabled_ = false; }
    /// Whether draws of this pass were captured to the buffer.
    [[nodiscard]] bool was_captured(const pipe::Resource& buffer) const;

  private:
    void load(const AdrenoProgram& program);

    static constexpr uint32_t kOffset_B = 32;
    Recorder& recorder_;
    Pass& pass_;
    std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> ranges_;
    bool set_ = false;
    // How far each buffer is written, dwords from its resource's beginning, kOffset_B apart. New with
    // each set of buffers.
    pipe::Ref<submission::CountMemory> offsets_;
    bool begun_ = false;      // a draw was captured since they were set: the offsets count
    uint32_t in_stream_ = 0;  // bit a buffer: registers of the pass' stream say where draws write
    bool enabled_ = false;    // the pass' stream captures
    std::vector<const pipe::Resource*> captured_;  // in this pass: buffers that the recording holds
};

}  // namespace terrazzo::adreno
