// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a virtual GPU has done for a group since it was created.
#pragma once

#include <cstdint>

namespace terrazzo::host {

/// Every vendor's command processor and units increment them, on the thread that runs the stream.
struct Counters {
    uint64_t packets = 0;  // packets or instructions of command streams
    uint64_t draws = 0, dispatches = 0;
    uint64_t blits = 0;           // of a unit that copies
    uint64_t tile_transfers = 0;  // that a stream requests: from tile memory to memory, or back

    Counters& operator+=(const Counters& o) {
        packets += o.packets;
        draws += o.draws;
        dispatches += o.dispatches;
        blits += o.blits;
        tile_transfers += o.tile_transfers;
        return *this;
    }
    Counters operator-(const Counters& o) const {
        return {packets - o.packets, draws - o.draws, dispatches - o.dispatches, blits - o.blits,
                tile_transfers - o.tile_transfers};
    }
};

}  // namespace terrazzo::host
