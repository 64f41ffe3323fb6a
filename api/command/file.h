// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whole files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "api/command/progress.h"

namespace terrazzo::command {

/// Of any file that a command reads; and of the pieces that it is read in.
inline constexpr uint64_t kMostRead_B = uint64_t(1) << 30, kPiece_B = uint64_t(64) << 10;

/// What of a file is read at most, and how.
struct ReadLimits {
    uint64_t most_B = kMostRead_B;
    /// Sees the first piece; false, with the reason: the rest is not read. Null: any file.
    bool (*judge)(std::string_view head, std::string* why) = nullptr;
    FileProgress* progress = nullptr;  // null: nothing is shown
};
/// Appends the file's bytes, which it reads in pieces: no file is so long, or endless, that it would take all memory. False: `why` says the
/// reason.
[[nodiscard]] bool read_file(const std::string& name, std::string* out, std::string* why,
                             const ReadLimits& limits = {});
/// Writes the file, "-" being stdout. False: `why` says the reason.
[[nodiscard]] bool write_file(const std::string& name, std::string_view bytes, std::string* why);

}  // namespace terrazzo::command
