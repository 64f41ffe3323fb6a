// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What each vendor gives `terrazzo decode`: decode_VENDOR() prints a file that holds what its GPU ran. decode_VENDOR.cpp is compiled where the build has
// the vendor (-Ddrivers=).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "api/command/commands.h"
#include "api/command/stdout_sink.h"
#include "drivers/common/fields/fields.h"

namespace terrazzo::command {

enum class Decoded {
    OtherFile,  // of another vendor, or no capture at all; nothing was printed
    Printed,
    Failed,  // damaged: `*why` says how, in one line; what came before is printed
};

Decoded decode_mali(const DecodeOptions& options, std::span<const uint8_t> file, std::string* why);
Decoded decode_adreno(const DecodeOptions& options, std::span<const uint8_t> file, std::string* why);

/// Whether a file that begins so, and is no capture of ours, may be one of the vendor's tools.
[[nodiscard]] bool may_be_of_mali(std::span<const uint8_t> head);
[[nodiscard]] bool may_be_of_adreno(std::span<const uint8_t> head);

/// Keeps nothing but how often something is wrong.
class FindingsSink final : public fields::Sink {
  public:
    void line(unsigned, std::string_view text) override {
        count += text.starts_with("! ") || text.find(" ! ") != std::string_view::npos;
    }
    uint64_t count = 0;
};

}  // namespace terrazzo::command
