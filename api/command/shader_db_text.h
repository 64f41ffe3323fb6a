// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Results as text for users, and as an HTML page.
#pragma once

#include "api/command/shader_db_compare.h"
#include "api/command/shader_db_result.h"
#include "pipe/offline_compiler.h"

namespace terrazzo::command::shader_db {

/// A table per device: its rows if `with_rows`, and totals; then the reasons for skipped programs.
[[nodiscard]] std::string to_text(const Results& results, bool with_rows);
[[nodiscard]] std::string to_text(const std::vector<Comparison>& comparisons);
/// Explains the columns of a device's table, one per line.
[[nodiscard]] std::string column_key(const pipe::OfflineCompiler& device);

/// "NAME: DEVICE PART: REASON".
[[nodiscard]] std::string to_text(const Note& failure);

/// A page without other files: totals, rows that are sorted by a click on their heads, a filter; in light and
/// dark. With a comparison, the changes come first.
[[nodiscard]] std::string to_html(const Results& results, const std::vector<Comparison>& comparisons);

}  // namespace terrazzo::command::shader_db
