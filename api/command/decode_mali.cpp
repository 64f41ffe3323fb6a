// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Captures of Malis.
#include <algorithm>
#include <vector>

#include <cstdio>

#include "api/command/decode_file.h"
#include "drivers/common/capture/capture.h"
#include "drivers/mali/decode/decode.h"

namespace terrazzo::command {

namespace {

/// A capture of ours whose chip is a Mali, or that is damaged before it says which.
bool is_mali(std::span<const uint8_t> file) {
    capture::CaptureReader reader(file);
    if (reader.error()) return false;
    for (capture::Record r; reader.next(&r);)
        if (r.type == capture::RecordType::Chip) return r.vendor == capture::Vendor::Mali;
    return true;
}

void print_statistics(const mali::decode::Statistics& s, uint64_t findings) {
    const auto n = [](uint64_t v) { return static_cast<unsigned long long>(v); };
    std::printf("submissions   %10llu\ninstructions  %10llu   %llu bytes\n", n(s.submissions),
                n(s.instructions), n(s.instructions * 8));
    std::printf("RUN_IDVS      %10llu\nRUN_FRAGMENT  %10llu\nRUN_COMPUTE   %10llu\nother RUNs    %10llu\n",
                n(s.idvs), n(s.fragment), n(s.compute), n(s.other_runs));
    std::printf("findings      %10llu\n", n(findings));
    if (s.draw_B.empty()) return;
    std::vector<uint32_t> sorted = s.draw_B;
    std::sort(sorted.begin(), sorted.end());
    uint64_t sum = 0;
    for (const uint32_t b : sorted)
        sum += b;
    std::printf("bytes of stream a draw: median %u, least %u, most %u, mean %.1f\n",
                sorted[sorted.size() / 2], sorted.front(), sorted.back(),
                double(sum) / double(sorted.size()));
}

}  // namespace

bool may_be_of_mali(std::span<const uint8_t>) {
    return false;
}

Decoded decode_mali(const DecodeOptions& options, std::span<const uint8_t> file, std::string* why) {
    if (!is_mali(file)) return Decoded::OtherFile;
    if (!options.stats) {
        StdoutSink lines;
        return mali::decode::print_capture(file, lines, {.shaders = !options.no_shaders}, why)
                   ? Decoded::Printed
                   : Decoded::Failed;
    }
    FindingsSink findings;
    mali::decode::Statistics counts;
    const mali::decode::Options how{.max_instructions = uint64_t(1) << 32,
                                    .max_lines = UINT64_MAX - 1,
                                    .shaders = false,
                                    .statistics = &counts};
    if (!mali::decode::print_capture(file, findings, how, why)) return Decoded::Failed;
    print_statistics(counts, findings.count);
    return Decoded::Printed;
}

}  // namespace terrazzo::command
