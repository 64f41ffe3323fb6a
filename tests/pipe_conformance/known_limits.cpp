// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Where devices differ from what the interface specifies, case by case.
#include "tests/pipe_conformance/devices.h"

namespace terrazzo::test {

std::span<const KnownLimit> known_limits() {
    static constexpr KnownLimit kRows[] = {
        {"fake", "resources: new ones read as zero",
         "it fills new memory with 0xcd, so that pipe's tests see what was not written"},
        {"soft", "draw blits: as the CPU's",
         "its fragments write no stencil values; its own blits need no draws"},
        {"sim:adreno", "blending: alphas that saturate below 0*",
         "of targets without alpha its blender takes SrcAlphaSaturate for 0, which is right for alphas of at "
         "least 0"},
        {"sim:agx", "blending: equations of all factors*",
         "between draws the tilebuffer has eight bits of a channel of B5G6R5, which blending sees"},
        {"sim:agx", "order: random work*",
         "its mipmaps are draws with a linear filter: what lies between two values may round to either"},
        {"sim:agx", "samplers: levels by size*",
         "its samplers have no bias of levels; OpenGL ES has none, either"},
    };
    return kRows;
}

}  // namespace terrazzo::test
