// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/session.h"

#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#include <cstdlib>
#include <vector>

namespace fuzz {

bool Session::create() {
    setenv("TERRAZZO_GLES_VERSION", "3.2", 0);  // accepts texts of all versions of ESSL
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!eglInitialize(display_, nullptr, nullptr)) return false;
    const EGLint want[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 24,
        EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!eglChooseConfig(display_, want, &config, 1, &n) || !n) return false;
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    surface_ = eglCreatePbufferSurface(display_, config, size);
    if (!eglMakeCurrent(display_, surface_, surface_, context_)) return false;
    const GLubyte texels[2 * 2 * 4] = {255, 0, 40, 1, 70, 80, 90, 255, 3, 200, 100, 0, 1, 2, 3, 128};
    GLuint textures[2];
    glGenTextures(2, textures);
    glBindTexture(GL_TEXTURE_2D, textures[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
    glGenerateMipmap(GL_TEXTURE_2D);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_CUBE_MAP, textures[1]);
    for (GLenum face = 0; face < 6; ++face)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + face, 0, GL_RGBA, 2, 2, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                     texels);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    bind_storage();
    return true;
}

/// What shaders of ESSL 3.10 write: images and buffers, some of which are too short.
void Session::bind_storage() {
    GLuint buffer = 0, images[2] = {};
    const std::vector<GLuint> words(512, 3);
    glGenBuffers(1, &buffer);
    for (const GLenum target : {GL_SHADER_STORAGE_BUFFER, GL_ATOMIC_COUNTER_BUFFER, GL_UNIFORM_BUFFER})
        for (GLuint n = 0; n < 4; ++n) {
            if (n == 0) glBindBuffer(target, buffer);
            if (n == 0) glBufferData(target, GLsizeiptr(words.size() * 4), words.data(), GL_DYNAMIC_COPY);
            glBindBufferRange(target, n, buffer, GLintptr(n) * 256, n == 2 ? 36 : 512);
        }
    glGenTextures(2, images);
    for (GLuint n = 0; n < 2; ++n) {
        glActiveTexture(GL_TEXTURE2 + n);
        glBindTexture(GL_TEXTURE_2D, images[n]);
        const GLenum format = n ? GL_RGBA8 : GL_R32UI;
        glTexStorage2D(GL_TEXTURE_2D, 1, format, 4, 4);
        glBindImageTexture(n, images[n], 0, GL_FALSE, 0, GL_READ_WRITE, format);
    }
    while (glGetError())
        ;
}

Session::~Session() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_) eglDestroyContext(display_, context_);
    if (surface_) eglDestroySurface(display_, surface_);
    eglTerminate(display_);
    eglReleaseThread();
}

namespace {

/// `compiled` becomes false if it does not compile.
GLuint compile(GLenum type, std::string_view text, bool* compiled) {
    const GLuint s = glCreateShader(type);
    const char* const start = text.data();
    const GLint n = GLint(text.size());
    glShaderSource(s, 1, &start, &n);
    glCompileShader(s);
    GLint status = 0;
    glGetShaderiv(s, GL_COMPILE_STATUS, &status);
    *compiled = *compiled && status != 0;
    return s;
}

/// Sets all uniforms to numbers of all kinds. Samplers get the unit with a texture of their kind.
void set_uniforms(GLuint program, std::mt19937& random) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    for (GLint i = 0; i < count; ++i) {
        char name[300];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, GLuint(i), sizeof name, nullptr, &size, &type, name);
        const GLint location = glGetUniformLocation(program, name);
        GLfloat f[16];
        GLint n[4];
        for (GLfloat& v : f)
            v = float(int(random() % 2000) - 1000) * (random() % 3 ? 0.002f : 1e30f);
        for (GLint& v : n)
            v = random() % 8 ? GLint(random() % 5) : GLint(random());
        switch (type) {
            case GL_SAMPLER_2D:
            case GL_SAMPLER_CUBE:
                glUniform1i(location, type == GL_SAMPLER_CUBE);
                break;
            case GL_FLOAT_MAT4:
                glUniformMatrix4fv(location, 1, GL_FALSE, f);
                break;
            case GL_FLOAT_MAT3:
                glUniformMatrix3fv(location, 1, GL_FALSE, f);
                break;
            case GL_FLOAT_VEC4:
                glUniform4fv(location, 1, f);
                break;
            case GL_FLOAT_VEC3:
                glUniform3fv(location, 1, f);
                break;
            case GL_FLOAT_VEC2:
                glUniform2fv(location, 1, f);
                break;
            case GL_INT_VEC4:
                glUniform4iv(location, 1, n);
                break;
            case GL_INT_VEC2:
                glUniform2iv(location, 1, n);
                break;
            default:
                glUniform1f(location, f[0]);
                glUniform1ui(location, GLuint(n[0]));
                // Each kind of sampler has its own unit, otherwise draws fail.
                glUniform1i(location, type == GL_INT || type == GL_BOOL ? n[0] : 4 + i % 8);
        }
    }
}

/// The primitive modes that the program's stages accept. Other modes are errors.
GLenum primitive(GLuint program, std::mt19937& random) {
    const auto get = [&](GLenum what) {
        GLint value = 0;
        glGetProgramiv(program, what, &value);
        return value;
    };
    if (get(GL_TESS_GEN_MODE)) {
        glPatchParameteri(GL_PATCH_VERTICES, GLint(1 + random() % 4));
        return GL_PATCHES;
    }
    const GLint geometry = get(GL_GEOMETRY_INPUT_TYPE);
    while (glGetError())  // programs without such stages refuse the query
        ;
    if (geometry) return GLenum(geometry);
    return random() % 4 ? GL_TRIANGLES : GL_POINTS;
}

}  // namespace

bool Session::draw(GLuint program, std::mt19937& random) {
    constexpr GLsizei kVertices = 6;
    static const GLfloat kPositions[kVertices * 4] = {-1,    -1,    0.5f, 1, 1,     -1,   -0.5f, 1,
                                                      -0.2f, 1.5f,  0,    1, -0.5f, 0.5f, 0,     1,
                                                      1,     -0.3f, 0,    1, 0,     0,    0.9f,  1};
    glUseProgram(program);
    set_uniforms(program, random);
    for (GLuint i = 0; i < 8; ++i) {
        glDisableVertexAttribArray(i);
        glVertexAttrib4f(i, 0.5f, -1, 2, 1);
    }
    const GLint position = glGetAttribLocation(program, "position");
    if (position >= 0) {
        glVertexAttribPointer(GLuint(position), 4, GL_FLOAT, GL_FALSE, 0, kPositions);
        glEnableVertexAttribArray(GLuint(position));
    }
    GLint compute[3] = {};
    glGetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, compute);
    while (glGetError())
        ;
    if (compute[0]) return glDispatchCompute(2, 1, 1), glFinish(), glGetError() == GL_NO_ERROR;
    const GLenum mode = primitive(program, random);
    for (unsigned n = random() % 8 ? 1 : 10; n > 0; --n)
        glDrawArrays(mode, 0, kVertices);
    GLubyte pixel[4];
    glReadPixels(8, 4, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    return glGetError() == GL_NO_ERROR;
}

Session::Outcome Session::run(const ProgramTexts& texts, std::mt19937& random) {
    constexpr GLenum kTypes[kStages] = {GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                        GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};
    Outcome o{true, false, false};
    const GLuint program = glCreateProgram();
    for (size_t stage = 0; stage < kStages; ++stage) {
        if (texts.texts[stage].empty()) continue;
        const GLuint shader = compile(kTypes[stage], texts.texts[stage], &o.compiled);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    o.linked = linked != 0;
    o.drawn = o.linked && draw(program, random);
    glUseProgram(0);
    glDeleteProgram(program);
    return o;
}

}  // namespace fuzz
