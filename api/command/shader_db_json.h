// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Results as JSON, with one line per row, so that files can also be compared by eye.
#pragma once

#include <cstdio>
#include <string_view>

#include "api/command/shader_db_result.h"

namespace terrazzo::command::shader_db {

struct JsonOptions {
    bool times = true;  // without times, equal shaders lead to equal bytes
};
[[nodiscard]] std::string to_json(const Results& results, const JsonOptions& options = {});
/// False: `why` says what is wrong with the text. The results are sorted.
[[nodiscard]] bool from_json(std::string_view text, Results* results, std::string* why);

}  // namespace terrazzo::command::shader_db
