// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The texts of a program as one text, so that a fuzz target's bytes and its seeds can be read and written by
// hand.
#pragma once

#include <array>
#include <string_view>

namespace fuzz {

enum class Stage { Vertex, Control, Evaluation, Geometry, Fragment, Compute };
inline constexpr size_t kStages = 6;

struct ProgramTexts {
    std::array<std::string_view, kStages> texts;  // empty: the program has no such stage
    std::string_view& operator[](Stage s) { return texts[size_t(s)]; }
    std::string_view operator[](Stage s) const { return texts[size_t(s)]; }
};

/// A line "//--- vertex" begins the vertex shader's text; "control", "evaluation", "geometry", "fragment" and
/// "compute" begin the others. Text before the first such line is a fragment shader. A program without a
/// vertex or fragment shader gets a common one, unless it has a compute shader.
[[nodiscard]] ProgramTexts split_program(std::string_view program);

}  // namespace fuzz
