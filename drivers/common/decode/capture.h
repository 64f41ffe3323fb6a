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

/// A stream to print.
template <class Options>
struct Submission {
    const capture::Ranges& memory;  // as the submission sees it
    const capture::Record& record;
    fields::Sink& sink;
    const Options& options;
};

/// Traits of a vendor whose files are captures:
///   using Options (shaders, max_lines, statistics), Statistics (submissions, draw_B)
///   static constexpr Options kCountsAll          // with which nothing but a Statistics is wanted
///   static constexpr CountRow<Statistics> kRows[]
///   static constexpr capture::Vendor kVendor
///   static constexpr const char* kOtherChip      // what is wrong with a capture of others
///   static constexpr auto& find_chip             // of the chips' table
///   struct Streams: what is kept between streams; void print(const Submission<Options>&)
template <class Traits, class Options>
bool print_captures(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                    std::string* error) {
    typename Traits::Streams streams;
    CapturePrinter printer{
        .chip = [](const capture::Record& r) { return chip_text(r, Traits::kVendor, Traits::find_chip); },
        .other_chip = Traits::kOtherChip};
    if (options.statistics) printer.submissions = &options.statistics->submissions;
    printer.stream = [&](const capture::Ranges& memory, const capture::Record& submission) {
        streams.print({memory, submission, sink, options});
    };
    return print_records(file, sink, printer, error);
}

template <class Traits>
Decoded decode_captures(std::span<const uint8_t> file, const FileOptions& options, fields::Sink& out,
                        std::string* why) {
    if (!is_capture_of(Traits::kVendor, file)) return Decoded::OtherFile;
    if (!options.stats) {
        typename Traits::Options how;
        how.shaders = options.shaders;
        return print_captures<Traits>(file, out, how, why) ? Decoded::Printed : Decoded::Failed;
    }
    FindingsSink findings;
    typename Traits::Statistics counts;
    typename Traits::Options how = Traits::kCountsAll;
    how.max_lines = UINT64_MAX - 1;
    how.shaders = false;
    how.statistics = &counts;
    if (!print_captures<Traits>(file, findings, how, why)) return Decoded::Failed;
    print_counts(out, std::span(Traits::kRows), counts);
    print_count(out, "findings", findings.count);
    print_draw_sizes(out, counts.draw_B);
    return Decoded::Printed;
}

/// Text of a file up to its first 0; control characters become '?'.
[[nodiscard]] std::string printable(std::span<const uint8_t> bytes);

}  // namespace terrazzo::decode
