// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context that builds programs and draws with them, and the objects that shaders need.
#pragma once

#include <EGL/egl.h>
#include <GLES2/gl2.h>

#include <random>

#include "tests/fuzz/program_texts.h"

namespace fuzz {

class Session {
  public:
    Session() = default;
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    [[nodiscard]] bool create();

    struct Outcome {
        bool compiled;  // all stages
        bool linked, drawn;
    };
    /// Builds the program, draws with it if it links, and deletes it.
    Outcome run(const ProgramTexts& texts, std::mt19937& random);
    /// Sets all uniforms of a linked program and draws with it: once, or so often that the CPU driver
    /// compiles it with the second tier. Returns true if there was no GL error.
    bool draw(GLuint program, std::mt19937& random);

  private:
    void bind_storage();

    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
};

}  // namespace fuzz
