// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Contexts of OpenGL ES 1.1 together with those of later versions: commands of both versions go to the
// current context, others record errors.
#include <cstring>
#include <string>

#include "tests/api/es1/client.h"

using namespace es1_client;

namespace {

template <class F>
F proc(const char* name) {
    F f = reinterpret_cast<F>(eglGetProcAddress(name));
    REQUIRE_MESSAGE((f != nullptr), name);
    return f;
}

std::string version() {
    return reinterpret_cast<const char*>(glGetString(GL_VERSION));
}

}  // namespace

TEST_CASE("es1 egl: configs and contexts") {
    Client client;
    EGLint value = 0;
    eglGetConfigAttrib(client.display, client.config, EGL_RENDERABLE_TYPE, &value);
    CHECK((value & EGL_OPENGL_ES_BIT) != 0);
    eglGetConfigAttrib(client.display, client.config, EGL_CONFORMANT, &value);
    CHECK((value & EGL_OPENGL_ES_BIT) != 0);
    eglQueryContext(client.display, client.context, EGL_CONTEXT_CLIENT_VERSION, &value);
    CHECK(value == 1);
    eglQueryContext(client.display, client.context, EGL_CONTEXT_CLIENT_TYPE, &value);
    CHECK(value == EGL_OPENGL_ES_API);
    CHECK(version().rfind("OpenGL ES-CM 1.1 ", 0) == 0);
    for (EGLint minor : {0, 1, 2}) {
        const EGLint wanted[] = {EGL_CONTEXT_MAJOR_VERSION, 1, EGL_CONTEXT_MINOR_VERSION, minor, EGL_NONE};
        CHECK((eglCreateContext(client.display, client.config, EGL_NO_CONTEXT, wanted) != EGL_NO_CONTEXT) ==
              (minor < 2));
    }
    CHECK(eglGetError() == EGL_BAD_MATCH);
}

TEST_CASE("es1 egl: one dispatch for both versions") {
    Client client;
    const EGLint two[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLContext later = eglCreateContext(client.display, client.config, client.context, two);
    REQUIRE(later != EGL_NO_CONTEXT);
    const auto create_program = proc<GLuint (*)()>("glCreateProgram");
    const auto light = proc<void (*)(GLenum, GLenum, GLfloat)>("glLightf");
    const auto error = proc<GLenum (*)()>("glGetError");
    GLuint texture;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    CHECK(create_program() == 0);
    CHECK(error() == GL_INVALID_OPERATION);
    light(GL_LIGHT0, GL_SPOT_CUTOFF, 30);
    CHECK(error() == GL_NO_ERROR);

    REQUIRE(eglMakeCurrent(client.display, client.surface, client.surface, later));
    CHECK(version().rfind("OpenGL ES ", 0) == 0);  // no "-CM" in the version
    CHECK(glIsTexture(texture));                   // the contexts share objects
    CHECK(create_program() != 0);
    CHECK(error() == GL_NO_ERROR);
    light(GL_LIGHT0, GL_SPOT_CUTOFF, 30);
    CHECK(error() == GL_INVALID_OPERATION);
    glMatrixMode(GL_PROJECTION);
    CHECK(error() == GL_INVALID_OPERATION);

    REQUIRE(eglMakeCurrent(client.display, client.surface, client.surface, client.context));
    GLfloat cutoff = 0;
    glGetLightfv(GL_LIGHT0, GL_SPOT_CUTOFF, &cutoff);
    CHECK(cutoff == 30);
    // Without a context calls have no effect.
    eglMakeCurrent(client.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    light(GL_LIGHT0, GL_SPOT_CUTOFF, 40);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    CHECK(error() == GL_NO_ERROR);
    REQUIRE(eglMakeCurrent(client.display, client.surface, client.surface, client.context));
    glGetLightfv(GL_LIGHT0, GL_SPOT_CUTOFF, &cutoff);
    CHECK(cutoff == 30);
    eglDestroyContext(client.display, later);
}
