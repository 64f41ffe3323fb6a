// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Captures of Adrenos: ours, and those of the freedreno tools (.rd).
#include "drivers/adreno/decode/file.h"

#include "drivers/adreno/decode/decode.h"

namespace terrazzo::adreno::decode {

namespace {

using terrazzo::decode::Decoded, terrazzo::decode::print_count;

void print_statistics(const Statistics& s, fields::Sink& out) {
    print_count(out, "submissions", s.submissions);
    print_count(out, "packets", s.packets);
    print_count(out, "registers", s.register_writes);
    print_count(out, "draws", s.draws);
    print_count(out, "dispatches", s.dispatches);
    print_count(out, "blits", s.blits);
    print_count(out, "findings", s.problems);
}

}  // namespace

Decoded decode_file(std::span<const uint8_t> file, const terrazzo::decode::FileOptions& options,
                    fields::Sink& out, std::string* why) {
    const FileKind kind = file_kind(file);
    if (kind == FileKind::Other) return Decoded::OtherFile;
    terrazzo::decode::FindingsSink none;
    fields::Sink& sink = options.stats ? static_cast<fields::Sink&>(none) : out;
    Statistics counts;
    Options how{.shaders = options.shaders && !options.stats, .statistics = &counts};
    if (options.stats) {
        how.max_packets = uint64_t(1) << 32;
        how.max_lines = UINT64_MAX - 1;
    }
    const bool done =
        kind == FileKind::Rd ? print_rd(file, sink, how, why) : print_capture(file, sink, how, why);
    if (!done) return Decoded::Failed;
    if (options.stats) print_statistics(counts, out);
    return Decoded::Printed;
}

}  // namespace terrazzo::adreno::decode
