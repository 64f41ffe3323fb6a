// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Captures of command streams, for `terrazzo decode` and `terrazzo replay`.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace terrazzo::command {

/// Reads the file, and unpacks it if it is packed. A file that cannot be a capture is only read up to its
/// first piece, and no file beyond kMostRead_B. Shows the progress. False: `why` is the reason.
[[nodiscard]] bool read_capture(const char* command, const std::string& name, std::string* out,
                                std::string* why);

/// Why no vendor of this build can read the file.
[[nodiscard]] std::string why_nobody_reads(std::span<const uint8_t> file);

}  // namespace terrazzo::command
