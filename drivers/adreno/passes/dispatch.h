// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches of a context, which go into the submission's stream.
#pragma once

#include "drivers/adreno/passes/pass.h"
#include "drivers/adreno/program/program.h"

namespace terrazzo::adreno {

class Dispatches {
  public:
    /// Objects of the context, which outlives this.
    Dispatches(Recorder& recorder, Pass& pass) : recorder_(recorder), pass_(pass) {}

    /// Before what the next one needs is written. True: registers hold what the last one has left there.
    /// `restore`: what a
    /// submission begins with.
    [[nodiscard]] bool begin(const Segment& restore);
    /// Runs the program. `indirect_va`: where the CP reads the counts of workgroups, if `info` says so.
    void run(const AdrenoProgram& program, const pipe::DispatchInfo& info, uint64_t indirect_va);

  private:
    [[nodiscard]] Segment pack_group_counts(const StageCode& code, const pipe::DispatchInfo& info,
                                            uint64_t indirect_va);

    Recorder& recorder_;
    Pass& pass_;
    // Where the last one ended in the submission's stream: what is written there since may have taken the
    // registers.
    uint64_t serial_ = 0, end_dw_ = 0;
};

}  // namespace terrazzo::adreno
