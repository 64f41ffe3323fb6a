// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints control streams: each block in the order in which the hardware reads them, with everything that it
// points to: PPP state, lists of USC words, textures, samplers, uniforms, code. Memory is read through a
// callback and never written. Any bytes are accepted: unmapped, unknown or invalid data are reported with
// "!", and a stream that does not end is left after Options::max_blocks.
#pragma once

#include <cstdint>
#include <vector>

#include "drivers/common/capture/memory.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::agx::decode {

using terrazzo::capture::Memory;

/// Counts of the blocks that were read.
struct Statistics {
    uint64_t blocks = 0, draws = 0, dispatches = 0;
    /// For each draw: bytes of the stream and of its PPP records since the draw before it, or the stream's
    /// beginning.
    std::vector<uint32_t> draw_B;
};

struct Options {
    uint64_t usc_base = 0;                // what 32-bit addresses of programs are relative to
    bool several_clusters_of_14 = false;  // launches have another part on chips of generation 14
    uint64_t max_blocks = 100000;
    uint64_t max_lines = 4000000;
    bool shaders = true;               // disassemble programs
    Statistics* statistics = nullptr;  // counts are added to it
};

/// False: the stream could not be followed to its end; the reason was printed.
bool print_vdm(const Memory& memory, uint64_t va, fields::Sink& sink, const Options& options = {});
bool print_cdm(const Memory& memory, uint64_t va, fields::Sink& sink, const Options& options = {});

}  // namespace terrazzo::agx::decode
