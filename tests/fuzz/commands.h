// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>

#include "tests/fuzz/random.h"

namespace fuzz {

struct Command {
    unsigned weight;
    const char* name;
    void (*call)(Random&);
};
/// All of them; a current context is needed.
[[nodiscard]] std::span<const Command> commands();

}  // namespace fuzz
