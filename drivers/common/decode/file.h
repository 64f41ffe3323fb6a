// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What each vendor's decoder does for files: VENDOR::decode::decode_file() prints one that holds what its GPU ran, and
// may_be_tools_file() says whether a file that begins so, and is no capture of ours, may be one of its tools.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "drivers/common/fields/fields.h"

namespace terrazzo::decode {

struct FileOptions {
    bool shaders = true;  // print them
    bool stats = false;   // counts alone
};

enum class Decoded : uint8_t {
    OtherFile,  // of another vendor, or no capture at all; nothing was printed
    Printed,
    Failed,  // damaged: `*why` says how, in one line; what came before is printed
};

/// Keeps nothing but how often something is wrong.
class FindingsSink final : public fields::Sink {
  public:
    void line(unsigned, std::string_view text) override {
        count += text.starts_with("! ") || text.find(" ! ") != std::string_view::npos;
    }
    uint64_t count = 0;
};

/// A row of statistics: what is counted, how often, and what follows.
void print_count(fields::Sink& out, std::string_view what, uint64_t count, std::string_view rest = {});

}  // namespace terrazzo::decode
