// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Captures of command streams, as `terrazzo decode` and `terrazzo replay` read them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace terrazzo::command {

/// The file's bytes; packed where it is. What cannot be a capture is not read beyond its first piece, and none beyond kMostRead_B.
/// Shows its progress. False: `why` says the reason.
[[nodiscard]] bool read_capture(const char* command, const std::string& name, std::string* out,
                                std::string* why);

/// Why no vendor of this build knows what to do with the file.
[[nodiscard]] std::string why_nobody_reads(std::span<const uint8_t> file);

}  // namespace terrazzo::command
