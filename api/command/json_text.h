// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The parts of JSON that the subcommands write.
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command {

/// The string in quotes.
[[nodiscard]] std::string json_quoted(std::string_view s);
/// The shortest text that reads back as this number; it must be finite.
[[nodiscard]] std::string json_number(double v);

}  // namespace terrazzo::command
