// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The result of a pass on IR in text form.
#pragma once

#include "tests/shaders/ir/test_env.h"

namespace terrazzo::ir::test {

using Pass = bool (*)(Shader&);

inline std::string after(Pass pass, std::string_view text, bool renumber = true) {
    const auto s = shader_of(text);
    CHECK(pass(*s));
    const std::string rule = validate(*s);
    CHECK_MESSAGE(rule.empty(), rule);
    if (renumber) s->renumber();
    return print(*s);
}

inline void unchanged(Pass pass, std::string_view text) {
    const auto s = shader_of(text);
    CHECK(!pass(*s));
    CHECK(print(*s) == text);
}

}  // namespace terrazzo::ir::test
