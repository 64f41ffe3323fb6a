// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Captures of Adrenos, ours and those of the freedreno tools (.rd).
#include <cstdio>

#include "api/command/decode_file.h"
#include "drivers/adreno/decode/decode.h"

namespace terrazzo::command {

namespace {

void print_statistics(const adreno::decode::Statistics& s) {
    const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("submissions   %10llu\npackets       %10llu\nregisters     %10llu\n", n(s.submissions),
                n(s.packets), n(s.register_writes));
    std::printf("draws         %10llu\ndispatches    %10llu\nblits         %10llu\nfindings      %10llu\n",
                n(s.draws), n(s.dispatches), n(s.blits), n(s.problems));
}

}  // namespace

bool may_be_of_adreno(std::span<const uint8_t> head) {
    return adreno::decode::may_be_rd(head);
}

Decoded decode_adreno(const DecodeOptions& options, std::span<const uint8_t> file, std::string* why) {
    const adreno::decode::FileKind kind = adreno::decode::file_kind(file);
    if (kind == adreno::decode::FileKind::Other) return Decoded::OtherFile;
    StdoutSink lines;
    FindingsSink none;
    fields::Sink& sink = options.stats ? static_cast<fields::Sink&>(none) : lines;
    adreno::decode::Statistics counts;
    adreno::decode::Options how{.shaders = !options.no_shaders && !options.stats, .statistics = &counts};
    if (options.stats) {
        how.max_packets = uint64_t(1) << 32;
        how.max_lines = UINT64_MAX - 1;
    }
    const bool done = kind == adreno::decode::FileKind::Rd
                          ? adreno::decode::print_rd(file, sink, how, why)
                          : adreno::decode::print_capture(file, sink, how, why);
    if (!done) return Decoded::Failed;
    if (options.stats) print_statistics(counts);
    return Decoded::Printed;
}

}  // namespace terrazzo::command
