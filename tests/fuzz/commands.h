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
// Each calls one random command of its group. They need a current context.

/// OpenGL ES 2.0, except the groups below.
[[nodiscard]] std::span<const Command> commands();
[[nodiscard]] std::span<const Command> query_commands();
/// Extensions of 2.0.
[[nodiscard]] std::span<const Command> extension_commands();
/// Textures, samplers and framebuffers of OpenGL ES 3.0 (commands_images.cpp).
[[nodiscard]] std::span<const Command> image_commands();
/// The rest of OpenGL ES 3.0 and 3.1 (commands_es3.cpp), for contexts that support it.
[[nodiscard]] std::span<const Command> es3_commands();
/// OpenGL ES 3.2 (commands_es32.cpp), likewise.
[[nodiscard]] std::span<const Command> es32_commands();
/// The variants of commands that the other groups do not call (commands_forms.cpp), likewise.
[[nodiscard]] std::span<const Command> form_commands();
/// Programs of OpenGL ES 3.1 (commands_programs.cpp), likewise.
[[nodiscard]] std::span<const Command> program_commands();
/// OpenGL ES 1.1 (commands_es1.cpp). Contexts of 1.1 use only this group.
[[nodiscard]] std::span<const Command> es1_commands();
/// One of the first four groups, with a probability by its number of commands.
[[nodiscard]] std::vector<const Command*> weighted_commands();

}  // namespace fuzz
