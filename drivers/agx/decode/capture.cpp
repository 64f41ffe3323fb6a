// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include "drivers/agx/decode/decode.h"
#include "drivers/agx/hw/chips.h"

namespace terrazzo::agx::decode {

using terrazzo::capture::Record, terrazzo::capture::Vendor;
using winsys::virt::asahi::kWorkQueues, winsys::virt::asahi::WorkQueue;

bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                   std::string* error) {
    terrazzo::decode::CapturePrinter printer{
        .chip = [](const Record& r) { return terrazzo::decode::chip_text(r, Vendor::Agx, hw::find_chip); },
        .other_chip = "the capture is not of an AGX"};
    if (options.statistics) printer.submissions = &options.statistics->submissions;
    // Queue q of group g is number g * kWorkQueues + q.
    printer.stream = [&](const terrazzo::capture::Ranges& memory, const Record& record) {
        (void)print_command(memory, record.va, WorkQueue(record.queue % kWorkQueues), sink, options);
    };
    return terrazzo::decode::print_records(file, sink, printer, error);
}

namespace {

using terrazzo::decode::Decoded, terrazzo::decode::print_count;

void print_statistics(const Statistics& s, uint64_t findings, fields::Sink& out) {
    print_count(out, "submissions", s.submissions);
    print_count(out, "blocks", s.blocks);
    print_count(out, "draws", s.draws);
    print_count(out, "dispatches", s.dispatches);
    print_count(out, "findings", findings);
    terrazzo::decode::print_draw_sizes(out, s.draw_B);
}

}  // namespace

bool may_be_tools_file(std::span<const uint8_t>) {
    return false;
}

Decoded decode_file(std::span<const uint8_t> file, const terrazzo::decode::FileOptions& options,
                    fields::Sink& out, std::string* why) {
    return terrazzo::decode::decode_captures<Statistics>(Vendor::Agx, file, options,
                                                         Options{.max_blocks = uint64_t(1) << 32},
                                                         print_capture, print_statistics, out, why);
}

}  // namespace terrazzo::agx::decode
