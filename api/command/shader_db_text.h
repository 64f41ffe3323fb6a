// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Results as text for people, and as a page.
#pragma once

#include "api/command/shader_db_compare.h"
#include "api/command/shader_db_result.h"
#include "pipe/offline_compiler.h"

namespace terrazzo::command::shader_db {

/// A table a device: its rows where `with_rows`, and sums; then why programs were left out.
[[nodiscard]] std::string to_text(const Results& results, bool with_rows);
[[nodiscard]] std::string to_text(const std::vector<Comparison>& comparisons);
/// What the columns of a device's table mean, a line each.
[[nodiscard]] std::string column_key(const pipe::OfflineCompiler& device);

/// "NAME: DEVICE PART: REASON".
[[nodiscard]] std::string to_text(const Note& failure);

/// One file that needs no other: sums, rows that sort by a click on their heads, a filter; in light and dark.
/// With a comparison, what changed comes first.
[[nodiscard]] std::string to_html(const Results& results, const std::vector<Comparison>& comparisons);

}  // namespace terrazzo::command::shader_db
