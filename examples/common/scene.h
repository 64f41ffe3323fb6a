// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a scene is. Each lives in its own file in examples/scenes and is listed in scenes.cpp.
#pragma once

#include <vector>

namespace example {

struct Scene {
    const char* name;  // on the command line, and of the PNG
    const char* what;  // one line
    /// Draws one picture into the framebuffer that is bound, of that size in pixels. The context is new:
    /// everything has its initial value, and what the scene creates may be left to the context's end. The
    /// picture depends on nothing else.
    void (*draw)(int width, int height);
    int version = 20;  // of OpenGL ES that it needs: 11, 20, 30, 31 or 32
};

/// All scenes, in the gallery's order.
const std::vector<Scene>& scenes();

}  // namespace example
