// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader bombs: each is a text that repeats one construct (statements, nesting, names, fetches, calls,
// arrays), in any size. They find where a compiler is slow, needs much memory, or recurses deeply.
// bomb_fuzz.cpp builds and draws them.
#pragma once

#include <span>
#include <string>

namespace fuzz {

struct BombTexts {
    std::string vertex, fragment;
};

struct Bomb {
    const char* name;
    unsigned size;  // of the large one: the number of repetitions
    BombTexts (*make)(unsigned size);
};

[[nodiscard]] std::span<const Bomb> bombs();

}  // namespace fuzz
