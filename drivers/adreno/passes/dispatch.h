// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Dispatches of a context, which are written into the submission's stream.
#pragma once

#include "drivers/adreno/passes/draw_state.h"

namespace terrazzo::adreno {

class Dispatches : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// Called before the state of the next dispatch is written. True: the registers still have the values of
    /// the last dispatch. `restore`: the stream with which a submission begins.
    [[nodiscard]] bool begin(const Segment& restore);
    /// Runs the program. `indirect_va`: the numbers of workgroups in memory, if `info` is indirect.
    void run(const AdrenoProgram& program, const pipe::DispatchInfo& info, uint64_t indirect_va);

  private:
    [[nodiscard]] Segment pack_group_counts(const StageCode& code, const pipe::DispatchInfo& info,
                                            uint64_t indirect_va);

    // The end of the last dispatch in the submission's stream. Anything written there since may have changed
    // registers.
    uint64_t serial_ = 0, end_dw_ = 0;
};

}  // namespace terrazzo::adreno
