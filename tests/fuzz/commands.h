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
/// The images of OpenGL ES 3.0 (commands_images.cpp).
[[nodiscard]] std::span<const Command> image_commands();
/// The rest of OpenGL ES 3.0 (commands_es3.cpp), which contexts of that version take part in.
[[nodiscard]] std::span<const Command> es3_commands();
/// Programs of OpenGL ES 3.1 (commands_programs.cpp), likewise.
[[nodiscard]] std::span<const Command> program_commands();
/// Each of the first two as often as it weighs.
[[nodiscard]] std::vector<const Command*> weighted_commands();

}  // namespace fuzz
