// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::decode {

using terrazzo::capture::Record;

namespace {

std::string chip_text(const Record& record) {
    if (record.vendor != terrazzo::capture::Vendor::Mali) return "";
    const hw::Chip* chip = hw::find_chip(record.gpu_id, record.variant);
    char text[96];
    std::snprintf(text, sizeof text, "Chip: %s (0x%08x, variant %u)", chip ? chip->marketing_name : "unknown",
                  record.gpu_id, record.variant);
    return text;
}

}  // namespace

bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                   std::string* error) {
    std::map<uint32_t, Registers> queues;
    terrazzo::decode::CapturePrinter printer{.chip = chip_text, .other_chip = "the capture is not of a Mali"};
    if (options.statistics) printer.submissions = &options.statistics->submissions;
    printer.stream = [&](const terrazzo::capture::Ranges& memory, const Record& record) {
        Registers& registers = queues[record.queue];
        for (unsigned i = 0; i < record.register_count() && i < Registers::kCount; ++i)
            registers.set(i, record.register_at(i));
        (void)print_stream(memory, record.va, record.size_B, &registers, sink, options);
    };
    return terrazzo::decode::print_records(file, sink, printer, error);
}

namespace {

using terrazzo::decode::Decoded, terrazzo::decode::print_count;

/// Whether the file is a capture of a Mali chip. Also true if it is damaged before it names the chip.
bool is_mali(std::span<const uint8_t> file) {
    capture::CaptureReader reader(file);
    if (reader.error()) return false;
    for (capture::Record r; reader.next(&r);)
        if (r.type == capture::RecordType::Chip) return r.vendor == capture::Vendor::Mali;
    return true;
}

void print_statistics(const Statistics& s, uint64_t findings, fields::Sink& out) {
    print_count(out, "submissions", s.submissions);
    print_count(out, "instructions", s.instructions, "   " + std::to_string(s.instructions * 8) + " bytes");
    print_count(out, "RUN_IDVS", s.idvs);
    print_count(out, "RUN_FRAGMENT", s.fragment);
    print_count(out, "RUN_COMPUTE", s.compute);
    print_count(out, "other RUNs", s.other_runs);
    print_count(out, "findings", findings);
    if (s.draw_B.empty()) return;
    std::vector<uint32_t> sorted = s.draw_B;
    std::sort(sorted.begin(), sorted.end());
    uint64_t sum = 0;
    for (const uint32_t b : sorted)
        sum += b;
    char line[128];
    std::snprintf(line, sizeof line, "bytes of stream a draw: median %u, least %u, most %u, mean %.1f",
                  sorted[sorted.size() / 2], sorted.front(), sorted.back(),
                  double(sum) / double(sorted.size()));
    out.line(0, line);
}

}  // namespace

bool may_be_tools_file(std::span<const uint8_t>) {
    return false;
}

Decoded decode_file(std::span<const uint8_t> file, const terrazzo::decode::FileOptions& options,
                    fields::Sink& out, std::string* why) {
    if (!is_mali(file)) return Decoded::OtherFile;
    if (!options.stats)
        return print_capture(file, out, {.shaders = options.shaders}, why) ? Decoded::Printed
                                                                           : Decoded::Failed;
    terrazzo::decode::FindingsSink findings;
    Statistics counts;
    const Options how{.max_instructions = uint64_t(1) << 32,
                      .max_lines = UINT64_MAX - 1,
                      .shaders = false,
                      .statistics = &counts};
    if (!print_capture(file, findings, how, why)) return Decoded::Failed;
    print_statistics(counts, findings.count, out);
    return Decoded::Printed;
}

}  // namespace terrazzo::mali::decode
