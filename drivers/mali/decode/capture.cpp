// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/capture.h"

#include <cstdio>
#include <map>

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

}  // namespace terrazzo::mali::decode
