// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Whole files.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command {

/// Appends the file's bytes. False: `why` says the reason.
[[nodiscard]] bool read_file(const std::string& name, std::string* out, std::string* why);
/// Writes the file, "-" being stdout. False: `why` says the reason.
[[nodiscard]] bool write_file(const std::string& name, std::string_view bytes, std::string* why);

}  // namespace terrazzo::command
