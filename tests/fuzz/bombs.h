// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shader bombs: texts of one repeated thing each (statements, nesting, names, fetches, calls, arrays), of any
// size. They are what makes a compiler slow, hungry or deep. bomb_fuzz.cpp builds and draws them.
#pragma once

#include <span>
#include <string>

namespace fuzz {

struct BombTexts {
    std::string vertex, fragment;
};

struct Bomb {
    const char* name;
    unsigned size;  // of the large one; how many of its thing there are
    BombTexts (*make)(unsigned size);
};

[[nodiscard]] std::span<const Bomb> bombs();

}  // namespace fuzz
