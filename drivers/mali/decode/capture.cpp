// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include <map>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/chips.h"

namespace terrazzo::mali::decode {

using terrazzo::capture::Record, terrazzo::capture::Vendor;

bool print_capture(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                   std::string* error) {
    std::map<uint32_t, Registers> queues;
    terrazzo::decode::CapturePrinter printer{
        .chip = [](const Record& r) { return terrazzo::decode::chip_text(r, Vendor::Mali, hw::find_chip); },
        .other_chip = "the capture is not of a Mali"};
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

void print_statistics(const Statistics& s, uint64_t findings, fields::Sink& out) {
    print_count(out, "submissions", s.submissions);
    print_count(out, "instructions", s.instructions, "   " + std::to_string(s.instructions * 8) + " bytes");
    print_count(out, "RUN_IDVS", s.idvs);
    print_count(out, "RUN_FRAGMENT", s.fragment);
    print_count(out, "RUN_COMPUTE", s.compute);
    print_count(out, "other RUNs", s.other_runs);
    print_count(out, "findings", findings);
    terrazzo::decode::print_draw_sizes(out, s.draw_B);
}

}  // namespace

bool may_be_tools_file(std::span<const uint8_t>) {
    return false;
}

Decoded decode_file(std::span<const uint8_t> file, const terrazzo::decode::FileOptions& options,
                    fields::Sink& out, std::string* why) {
    return terrazzo::decode::decode_captures<Statistics>(Vendor::Mali, file, options,
                                                         Options{.max_instructions = uint64_t(1) << 32},
                                                         print_capture, print_statistics, out, why);
}

}  // namespace terrazzo::mali::decode
