// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reading and writing of whole files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/command/progress.h"

namespace terrazzo::command {

/// The limits of a file that a command reads, and of the pieces in which it is read.
inline constexpr uint64_t kMostRead_B = uint64_t(1) << 30, kPiece_B = uint64_t(64) << 10;

/// Options for reading a file.
struct ReadLimits {
    uint64_t most_B = kMostRead_B;
    /// Checks the first piece. False, with the reason: the rest is not read. Null: accepts any file.
    bool (*judge)(std::string_view head, std::string* why) = nullptr;
    FileProgress* progress = nullptr;  // null: nothing is shown
};
/// Appends the file's bytes, which are read in pieces, so that an endless file does not use all memory.
/// False: `why` is the reason.
[[nodiscard]] bool read_file(const std::string& name, std::string* out, std::string* why,
                             const ReadLimits& limits = {});
/// Writes the file; "-" is stdout. False: `why` is the reason.
[[nodiscard]] bool write_file(const std::string& name, std::string_view bytes, std::string* why);

}  // namespace terrazzo::command
