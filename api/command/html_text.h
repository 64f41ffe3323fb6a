// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace terrazzo::command {

/// Escapes text for HTML, between tags or in an attribute's quotes.
[[nodiscard]] std::string html_text(std::string_view text);

}  // namespace terrazzo::command
