// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads the text form (print.h). print(parse(print(s))) == print(s). Any text is safe: an error
// names its line. What parses need not be valid IR: run the validator on it before anything else.
#pragma once

#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>

#include "shaders/ir/ir.h"

namespace terrazzo::ir {

struct ParseResult {
    std::unique_ptr<Shader> shader;  // null: failed
    std::string error;               // "line 3: ..."
};

/// One shader and nothing after it; '#' begins a comment up to the end of the line.
[[nodiscard]] ParseResult parse(std::string_view text,
                                std::pmr::memory_resource* memory = std::pmr::get_default_resource());

}  // namespace terrazzo::ir
