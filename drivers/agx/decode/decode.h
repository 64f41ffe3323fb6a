// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints the kernel's commands, and control streams: each block in the order in which the hardware reads
// them, with everything that it points to: PPP state, lists of USC words, textures, samplers, uniforms, code.
// Memory is read through a callback and never written. Any bytes are accepted: unmapped, unknown or invalid
// data are reported with "!", and a stream that does not end is left after Options::max_blocks.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/memory.h"
#include "drivers/common/decode/file.h"
#include "drivers/common/fields/fields.h"
#include "winsys/virtual/asahi/gpu.h"

namespace terrazzo::agx::decode {

using terrazzo::capture::Memory;

/// Counts of the blocks that were read.
struct Statistics {
    uint64_t submissions = 0;
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

/// Prints a kernel's command as this work queue of a group runs it: its registers, and what they point to.
/// Options::usc_base is the command's. False: as above.
bool print_command(const Memory& memory, uint64_t va, winsys::virt::asahi::WorkQueue queue,
                   fields::Sink& sink, const Options& options = {});

/// The traits of captures (capture.cpp).
struct Captures;

/// Prints a file of captures (drivers/common/capture/capture.h), each submission in turn. False, with a
/// reason: the file is damaged or belongs to another vendor's chip; the part before the error is printed.
inline constexpr auto& print_capture = terrazzo::decode::print_captures<Captures, Options>;

// --- for drivers/vendors

inline constexpr auto& may_be_tools_file = terrazzo::decode::is_no_tools_file;
inline constexpr auto& decode_file = terrazzo::decode::decode_captures<Captures>;

}  // namespace terrazzo::agx::decode
