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

}  // namespace terrazzo::decode
