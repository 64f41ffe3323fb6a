// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Prints PM4 streams of an a6xx by walking them as the CP would: buffers and the buffers that they call,
// type-4 and type-7 packets, groups of draw state at the draws of their modes, loaded state, descriptors.
// Memory is read through a callback and never written; CP_MEM_WRITEs are remembered and read back. Commands
// that depend on a condition on memory or a register are printed as if it were true. Any bytes are accepted:
// damage is reported in a line with "!" and skipped, and a stream that does not end is left after
// Options::max_packets.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/memory.h"
#include "drivers/common/decode/file.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::adreno::decode {

using terrazzo::capture::Memory;

/// Memory-mapped registers and the CP's mode at the end of a stream; a stream may start with those of the
/// stream before it.
struct Registers : terrazzo::capture::RegisterFile<1 << 16> {  // as many as the tables can name
    enum Mode : uint8_t { kBinning = 1, kGmem = 2, kSysmem = 4, kAnyMode = 7 };
    uint8_t mode = kAnyMode;  // until a marker sets one
};

/// Counts of a walk.
struct Statistics {
    uint64_t submissions = 0, packets = 0, register_writes = 0;
    uint64_t draws = 0, dispatches = 0, blits = 0;  // blits: BLIT events and those of the 2D engine
    uint64_t problems = 0;                          // lines with "!"
};

struct Options {
    uint64_t max_packets = 1000000;  // those in buffers that are called repeatedly count each time
    uint64_t max_lines = 4000000;
    bool shaders = true;               // disassemble shaders
    Statistics* statistics = nullptr;  // counts are added to it
};

/// Prints a file of the freedreno tools (rd.h), compressed or not: each submission in turn, with the
/// registers kept between them. False, with a reason: the file is damaged or of another generation; the part
/// before the error is printed.
[[nodiscard]] bool print_rd(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                            std::string* error);

/// Prints a file of captures (drivers/common/capture/capture.h) of an Adreno, whose chip record has the GPU
/// id and the low half of the chip id. Otherwise as print_rd.
[[nodiscard]] bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                                 std::string* error);

/// The kind of a file, by its beginning; Other: neither.
enum class FileKind : uint8_t { Other, Rd, Capture };
FileKind file_kind(std::span<const uint8_t> file);

/// Prints one stream, as in a submission to the kernel: size_dw words at va. False: it could not be followed
/// to its end; the reason was printed.
bool print_stream(const Memory& memory, uint64_t va, uint64_t size_dw, Registers* registers,
                  fields::Sink& sink, const Options& options = {});

// --- for drivers/vendors

[[nodiscard]] bool may_be_tools_file(std::span<const uint8_t> head);
[[nodiscard]] terrazzo::decode::Decoded decode_file(std::span<const uint8_t> file,
                                                    const terrazzo::decode::FileOptions& options,
                                                    fields::Sink& out, std::string* why);

}  // namespace terrazzo::adreno::decode
