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
// Commands of one kind each; a current context is needed.

/// OpenGL ES 2.0 but for what follows.
[[nodiscard]] std::span<const Command> commands();
[[nodiscard]] std::span<const Command> query_commands();
/// Extensions of 2.0.
[[nodiscard]] std::span<const Command> extension_commands();
/// The images of OpenGL ES 3.0 (commands_images.cpp).
[[nodiscard]] std::span<const Command> image_commands();
/// The rest of OpenGL ES 3.0 and 3.1 (commands_es3.cpp), for contexts that have them.
[[nodiscard]] std::span<const Command> es3_commands();
/// OpenGL ES 3.2 (commands_es32.cpp), likewise.
[[nodiscard]] std::span<const Command> es32_commands();
/// The forms of commands that the others leave out (commands_forms.cpp), likewise.
[[nodiscard]] std::span<const Command> form_commands();
/// Programs of OpenGL ES 3.1 (commands_programs.cpp), likewise.
[[nodiscard]] std::span<const Command> program_commands();
/// OpenGL ES 1.1 (commands_es1.cpp), for contexts of it: the others are not for these.
[[nodiscard]] std::span<const Command> es1_commands();
/// Each of the first four as often as it weighs.
[[nodiscard]] std::vector<const Command*> weighted_commands();

}  // namespace fuzz
