// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a virtual GPU has done for a group since it was created.
#pragma once

#include <cstdint>

namespace terrazzo::host {

/// Every vendor's command processors and units fill them, on the thread that runs the stream. A vendor's own
/// structure derives from this one, if it counts more.
struct Counters {
    uint64_t packets = 0;  // packets or instructions of command streams
    uint64_t draws = 0, dispatches = 0;
    uint64_t blits = 0;            // of a unit that copies
    uint64_t tile_transfers = 0;   // that a stream requests: from tile memory to memory, or back
    uint64_t vertices = 0;         // that were shaded
    uint64_t primitives = 0;       // assembled from them, before clipping
    uint64_t fragments = 0;        // that a shader ran for, without helpers
    uint64_t samples_passed = 0;   // of the tests of depth and stencil
    uint64_t texture_fetches = 0;  // lanes of texture instructions
    uint64_t instructions = 0;     // of all shaders: one for all lanes

    Counters& operator+=(const Counters& o) { return combine(o, 1); }
    Counters operator-(const Counters& o) const { return Counters(*this).combine(o, ~uint64_t(0)); }

  private:
    /// Adds `factor` times the other's numbers.
    Counters& combine(const Counters& o, uint64_t factor) {
        for (uint64_t Counters::*const c :
             {&Counters::packets, &Counters::draws, &Counters::dispatches, &Counters::blits,
              &Counters::tile_transfers, &Counters::vertices, &Counters::primitives, &Counters::fragments,
              &Counters::samples_passed, &Counters::texture_fetches, &Counters::instructions})
            this->*c += factor * (o.*c);
        return *this;
    }
};

}  // namespace terrazzo::host
