// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "tests/fuzz/random.h"

namespace fuzz {

struct Command {
    unsigned weight;
    const char* name;
    void (*call)(Random&);
};
/// All of them; a current context is needed.
[[nodiscard]] std::span<const Command> commands();
/// Each as often as it weighs.
[[nodiscard]] std::vector<const Command*> weighted_commands();

}  // namespace fuzz
