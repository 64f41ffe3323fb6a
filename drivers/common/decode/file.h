// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The interface of each vendor's decoder for files: VENDOR::decode::decode_file() prints a file with recorded
// commands; may_be_tools_file() says whether a file with this beginning, which is no capture of ours, may
// belong to one of the vendor's tools.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "drivers/common/fields/fields.h"

namespace terrazzo::decode {

struct FileOptions {
    bool shaders = true;  // disassemble shaders
    bool stats = false;   // print only counts
};

enum class Decoded : uint8_t {
    OtherFile,  // of another vendor, or no capture; nothing was printed
    Printed,
    Failed,  // damaged: `*why` is the error in one line; the part before it was printed
};

/// Only counts findings.
class FindingsSink final : public fields::Sink {
  public:
    void line(unsigned, std::string_view text) override {
        count += text.starts_with("! ") || text.find(" ! ") != std::string_view::npos;
    }
    uint64_t count = 0;
};

/// A row of statistics: its name, the count, and further text.
void print_count(fields::Sink& out, std::string_view what, uint64_t count, std::string_view rest = {});

template <class Statistics>
struct CountRow {
    const char* name;
    uint64_t Statistics::*count;
    uint32_t unit_B = 0;  // not 0: the bytes of the counted things are printed, too
};
template <class Statistics, size_t kCount>
void print_counts(fields::Sink& out, std::span<const CountRow<Statistics>, kCount> rows,
                  const Statistics& counts) {
    for (const CountRow<Statistics>& r : rows) {
        const uint64_t n = counts.*r.count;
        print_count(out, r.name, n, r.unit_B ? "   " + std::to_string(n * r.unit_B) + " bytes" : "");
    }
}

// --- for vendors whose files are captures. `Traits`: see capture.h, which has the definitions; the vendor
// instantiates them

template <class Traits, class Options>
[[nodiscard]] bool print_captures(std::span<const uint8_t> file, fields::Sink& sink, const Options& options,
                                  std::string* error);
template <class Traits>
[[nodiscard]] Decoded decode_captures(std::span<const uint8_t> file, const FileOptions& options,
                                      fields::Sink& out, std::string* why);
/// may_be_tools_file() of a vendor whose tools' files are not read.
[[nodiscard]] inline bool is_no_tools_file(std::span<const uint8_t>) {
    return false;
}

}  // namespace terrazzo::decode
