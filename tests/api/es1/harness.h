// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context of OpenGL ES 1.1 on the recording device.
#pragma once

#include <doctest/doctest.h>

#include "api/es1/context.h"
#include "api/es1/key.h"
#include "tests/state_tracker/harness.h"

namespace terrazzo::test {

struct Es1Harness : Harness {
    es1::Context es1;
    Es1Harness() : Harness(config()), es1(ctx) {}
    static st::ContextConfig config() {
        st::ContextConfig c;
        c.version = 32;
        return c;
    }
    GLfloat number(GLenum pname) {
        GLfloat v[16] = {};
        es1::GetFloatv(es1, pname, v);
        return v[0];
    }
    es1::Key key(GLenum mode = GL_TRIANGLES) { return es1::make_key(es1, mode, false); }
    /// A complete texture of 2 x 2 texels, bound to the active unit and enabled.
    GLuint texture(GLenum format) {
        GLuint name;
        st::GenTextures(ctx, 1, &name);
        es1::BindTexture(es1, GL_TEXTURE_2D, name);
        es1::TexParameteri(es1, GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
        es1::TexImage2D(es1, GL_TEXTURE_2D, 0, GLint(format), 2, 2, 0, format, GL_UNSIGNED_BYTE, nullptr);
        es1::Enable(es1, GL_TEXTURE_2D);
        return name;
    }
};

}  // namespace terrazzo::test
