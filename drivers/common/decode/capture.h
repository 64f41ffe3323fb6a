// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Files of captures (drivers/common/capture/capture.h), record by record. A vendor's decoder prints chips
// and streams.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/memory.h"
#include "drivers/common/decode/file.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::decode {

struct CapturePrinter {
    /// What a stream's size is counted in.
    const char* unit = "bytes";
    uint32_t unit_B = 1;
    /// Counts submissions, where it is not null.
    uint64_t* submissions = nullptr;
    /// A line that says which chip it is; empty: the decoder is for others.
    std::function<std::string(const capture::Record& chip)> chip;
    const char* other_chip = "";  // what is wrong with a capture of others
    /// Prints a submission's stream. `memory`: as the submission sees it.
    std::function<void(const capture::Ranges& memory, const capture::Record& submission)> stream;
};

/// False, with a reason, where the file is damaged or of another vendor's chip; what came before is printed.
[[nodiscard]] bool print_records(std::span<const uint8_t> file, fields::Sink& sink,
                                 const CapturePrinter& printer, std::string* error);
/// Whether the file is a capture of this vendor's chip. Also true if it is damaged before it names the chip.
[[nodiscard]] bool is_capture_of(capture::Vendor vendor, std::span<const uint8_t> file);

/// A capture's chip in a line, for CapturePrinter::chip. `name`: null: of an unknown chip.
[[nodiscard]] std::string chip_text(const capture::Record& record, const char* name);
template <class Find>
std::string chip_text(const capture::Record& record, capture::Vendor vendor, const Find& find_chip) {
    if (record.vendor != vendor) return "";
    const auto* const chip = find_chip(record.gpu_id, record.variant);
    return chip_text(record, chip ? chip->marketing_name : nullptr);
}

/// A row of statistics: bytes of command streams, of each draw.
void print_draw_sizes(fields::Sink& out, std::vector<uint32_t> draw_B);

/// decode_file() (file.h) of a vendor whose files are captures. `counts_all`: the options with which nothing
/// but a Statistics is wanted; its `shaders`, `max_lines` and `statistics` are set here.
template <class Statistics, class Options>
Decoded decode_captures(capture::Vendor vendor, std::span<const uint8_t> file, const FileOptions& options,
                        Options counts_all,
                        bool (*print_capture)(std::span<const uint8_t>, fields::Sink&, const Options&,
                                              std::string*),
                        void (*print_statistics)(const Statistics&, uint64_t findings, fields::Sink&),
                        fields::Sink& out, std::string* why) {
    if (!is_capture_of(vendor, file)) return Decoded::OtherFile;
    if (!options.stats) {
        Options how;
        how.shaders = options.shaders;
        return print_capture(file, out, how, why) ? Decoded::Printed : Decoded::Failed;
    }
    FindingsSink findings;
    Statistics counts;
    counts_all.max_lines = UINT64_MAX - 1;
    counts_all.shaders = false;
    counts_all.statistics = &counts;
    if (!print_capture(file, findings, counts_all, why)) return Decoded::Failed;
    print_statistics(counts, findings.count, out);
    return Decoded::Printed;
}

/// Text of a file up to its first 0; control characters become '?'.
[[nodiscard]] std::string printable(std::span<const uint8_t> bytes);

}  // namespace terrazzo::decode
