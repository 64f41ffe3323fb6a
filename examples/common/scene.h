// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scene of the gallery. Each has its own file in examples/scenes and a row in scenes.cpp.
#pragma once

#include <vector>

namespace example {

struct Scene {
    const char* name;  // on the command line, and of the PNG
    const char* what;  // one line
    /// Draws one picture of this size in pixels into the bound framebuffer. The context is new: everything
    /// has its initial value, and the context's end frees what the scene creates. The picture depends on
    /// nothing else.
    void (*draw)(int width, int height);
    int version = 20;  // the version of OpenGL ES that it needs: 11, 20, 30, 31 or 32
};

/// All scenes, in the gallery's order.
const std::vector<Scene>& scenes();

}  // namespace example
