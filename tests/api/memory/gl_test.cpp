// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OpenGL ES if malloc fails permanently from its k-th call on, also while the context is released: errors, no
// abort, no leak.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/api/memory/failing_malloc.h"

namespace {

/// A current context.
struct Life {
    EGLDisplay display = EGL_NO_DISPLAY;
    EGLContext context = EGL_NO_CONTEXT;
    EGLSurface surface = EGL_NO_SURFACE;
    bool begin() {
        display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, nullptr, nullptr);
        const EGLint want[] = {EGL_SURFACE_TYPE,
                               EGL_PBUFFER_BIT,
                               EGL_RENDERABLE_TYPE,
                               EGL_OPENGL_ES3_BIT,
                               EGL_DEPTH_SIZE,
                               24,
                               EGL_STENCIL_SIZE,
                               8,
                               EGL_NONE};
        const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 2, EGL_NONE};
        const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
        EGLConfig config = nullptr;
        EGLint n = 0;
        if (!eglInitialize(display, nullptr, nullptr) || !eglChooseConfig(display, want, &config, 1, &n) ||
            !n)
            return false;
        context = eglCreateContext(display, config, EGL_NO_CONTEXT, version);
        surface = eglCreatePbufferSurface(display, config, size);
        return eglMakeCurrent(display, surface, surface, context);
    }
    /// Ends the context, in any state of begin().
    void end() {
        (void)eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        (void)eglDestroySurface(display, surface);
        (void)eglDestroyContext(display, context);
        (void)eglTerminate(display);
        (void)eglReleaseThread();
    }
};
Life g_life;
GLuint g_program = 0;

GLuint stage(GLuint program, GLenum type, const char* text) {
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, nullptr);
    glCompileShader(s);
    glAttachShader(program, s);
    glDeleteShader(s);
    return s;
}

GLuint program() {
    const GLuint p = glCreateProgram();
    stage(p, GL_VERTEX_SHADER,
          "#version 300 es\nin vec4 p; in vec2 q; uniform Block { vec4 scale[2]; }; out vec2 v;\n"
          "void main() { v = q; gl_Position = p * scale[1]; }");
    stage(p, GL_FRAGMENT_SHADER,
          "#version 300 es\nprecision highp float; uniform sampler2D t; uniform vec4 c[3]; in vec2 v; out "
          "vec4 o;\n"
          "void main() { o = texture(t, v) + c[1] + c[2]; }");
    const char* const captured = "v";
    glTransformFeedbackVaryings(p, 1, &captured, GL_INTERLEAVED_ATTRIBS);
    glLinkProgram(p);
    return p;
}

bool g_with_shaders = false;

/// Calls of every family. A call must not rely on objects of earlier calls.
void use() {
    static const GLubyte kTexels[64 * 4] = {1, 2, 3, 255};
    static const GLfloat kCorners[] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
    static const GLushort kIndices[] = {0, 1, 2};
    GLint value[64] = {};
    char text[256];
    GLsizei length = 0;
    // Textures.
    GLuint t[6] = {};
    glGenTextures(6, t);
    glBindTexture(GL_TEXTURE_2D, t[0]);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 8, 8, 0, GL_RGBA, GL_UNSIGNED_BYTE, kTexels);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 1, 1, 4, 4, GL_RGBA, GL_UNSIGNED_BYTE, kTexels);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glGenerateMipmap(GL_TEXTURE_2D);
    glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 8, 8, 0);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 1, 1, 4, 4);
    glBindTexture(GL_TEXTURE_CUBE_MAP, t[1]);
    glTexStorage2D(GL_TEXTURE_CUBE_MAP, 2, GL_RGBA8, 4, 4);
    glBindTexture(GL_TEXTURE_3D, t[2]);
    glTexImage3D(GL_TEXTURE_3D, 0, GL_RGBA8, 4, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexSubImage3D(GL_TEXTURE_3D, 0, 0, 0, 0, 2, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, kTexels);
    glBindTexture(GL_TEXTURE_2D_ARRAY, t[3]);
    glTexStorage3D(GL_TEXTURE_2D_ARRAY, 1, GL_RGBA16F, 4, 4, 3);
    glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, t[4]);
    glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 8, 8, GL_TRUE);
    glBindTexture(GL_TEXTURE_2D, t[5]);
    glCompressedTexImage2D(GL_TEXTURE_2D, 0, GL_COMPRESSED_RGB8_ETC2, 4, 4, 0, 8, kTexels);
    glCopyImageSubData(t[0], GL_TEXTURE_2D, 0, 0, 0, 0, t[2], GL_TEXTURE_3D, 0, 0, 0, 0, 2, 2, 1);
    // Samplers, buffers, vertex arrays.
    GLuint sampler = 0, b[4] = {}, array = 0;
    glGenSamplers(1, &sampler);
    glBindSampler(0, sampler);
    glSamplerParameteri(sampler, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glGenBuffers(4, b);
    glBindBuffer(GL_ARRAY_BUFFER, b[0]);
    glBufferData(GL_ARRAY_BUFFER, sizeof kCorners, kCorners, GL_STATIC_DRAW);
    glBufferSubData(GL_ARRAY_BUFFER, 0, 16, kCorners);
    if (glMapBufferRange(GL_ARRAY_BUFFER, 0, 16, GL_MAP_READ_BIT)) glUnmapBuffer(GL_ARRAY_BUFFER);
    if (glMapBufferRange(GL_ARRAY_BUFFER, 0, 16, GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT))
        glUnmapBuffer(GL_ARRAY_BUFFER);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b[1]);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof kIndices, kIndices, GL_STATIC_DRAW);
    glBindBuffer(GL_UNIFORM_BUFFER, b[2]);
    glBufferData(GL_UNIFORM_BUFFER, 256, nullptr, GL_DYNAMIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, b[2]);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b[3]);
    glBufferData(GL_TRANSFORM_FEEDBACK_BUFFER, 256, nullptr, GL_DYNAMIC_DRAW);
    glCopyBufferSubData(GL_ARRAY_BUFFER, GL_UNIFORM_BUFFER, 0, 0, 16);
    glGenVertexArrays(1, &array);
    glBindVertexArray(array);
    glBindBuffer(GL_ARRAY_BUFFER, b[0]);
    glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 16, nullptr);
    glVertexAttribPointer(1, 2, GL_FLOAT, GL_FALSE, 16, nullptr);
    glEnableVertexAttribArray(0);
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, b[1]);
    // Framebuffers.
    GLuint f[2] = {}, r[2] = {};
    glGenFramebuffers(2, f);
    glGenRenderbuffers(2, r);
    glBindFramebuffer(GL_FRAMEBUFFER, f[0]);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, t[0], 0);
    glBindRenderbuffer(GL_RENDERBUFFER, r[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, 8, 8);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, r[0]);
    (void)glCheckFramebufferStatus(GL_FRAMEBUFFER);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
    const GLfloat red[4] = {1, 0, 0, 1};
    glClearBufferfv(GL_COLOR, 0, red);
    const GLenum attachment = GL_COLOR_ATTACHMENT0;
    glDrawBuffers(1, &attachment);
    glInvalidateFramebuffer(GL_FRAMEBUFFER, 0, nullptr);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, f[1]);
    glBindRenderbuffer(GL_RENDERBUFFER, r[1]);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, 4, GL_RGBA8, 8, 8);
    glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, r[1]);
    glClear(GL_COLOR_BUFFER_BIT);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, f[1]);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
    glBlitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    // Queries, fences, feedback, programs, drawing.
    GLuint q[2] = {}, feedback = 0, pipeline = 0;
    glGenQueries(2, q);
    glBeginQuery(GL_ANY_SAMPLES_PASSED, q[0]);
    GLuint p = g_program, made = 0;
    if (g_with_shaders) p = made = program();
    glUseProgram(p);
    glUniform4fv(glGetUniformLocation(p, "c"), 1, red);
    glUniform1i(glGetUniformLocation(p, "t"), 0);
    glUniformBlockBinding(p, glGetUniformBlockIndex(p, "Block"), 0);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, nullptr);
    glDrawArraysInstanced(GL_POINTS, 0, 3, 2);
    glEndQuery(GL_ANY_SAMPLES_PASSED);
    GLuint result = 0;
    glGetQueryObjectuiv(q[0], GL_QUERY_RESULT, &result);
    glGenTransformFeedbacks(1, &feedback);
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, feedback);
    glBindBufferBase(GL_TRANSFORM_FEEDBACK_BUFFER, 0, b[3]);
    glBeginTransformFeedback(GL_POINTS);
    glDrawArrays(GL_POINTS, 0, 3);
    glEndTransformFeedback();
    glBindTransformFeedback(GL_TRANSFORM_FEEDBACK, 0);
    glGenProgramPipelines(1, &pipeline);
    glBindProgramPipeline(pipeline);
    const GLsync fence = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    (void)glClientWaitSync(fence, GL_SYNC_FLUSH_COMMANDS_BIT, 1'000'000'000);
    glDeleteSync(fence);
    // Queries.
    glGetIntegerv(GL_VIEWPORT, value);
    (void)glGetString(GL_EXTENSIONS);
    (void)glGetStringi(GL_EXTENSIONS, 0);
    glGetProgramiv(p, GL_ACTIVE_UNIFORMS, value);
    glGetProgramInfoLog(p, sizeof text, &length, text);
    glGetActiveUniform(p, 0, sizeof text, &length, value, reinterpret_cast<GLenum*>(value + 1), text);
    glGetProgramResourceiv(p, GL_UNIFORM, 0, 0, nullptr, 1, &length, value);
    (void)glGetProgramResourceIndex(p, GL_UNIFORM, "c");
    std::vector<char>* const binary = nullptr;
    (void)binary;
    static char blob[1 << 16];
    GLenum form = 0;
    glGetProgramBinary(p, sizeof blob, &length, &form, blob);
    // Debug.
    glEnable(GL_DEBUG_OUTPUT);
    glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, "a group of calls that has a long name");
    glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, 1, GL_DEBUG_SEVERITY_HIGH, -1,
                         "a long message for the log");
    const GLuint ids[] = {7};
    glDebugMessageControl(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, GL_DONT_CARE, 1, ids, GL_FALSE);
    glObjectLabel(GL_TEXTURE, t[0], -1, "a label that does not fit into a short string");
    glPopDebugGroup();
    glBindTexture(0x7777, 1);  // an error
    (void)glGetDebugMessageLog(4, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr);
    glReadPixels(0, 0, 2, 2, GL_RGBA, GL_UNSIGNED_BYTE, value);
    glFlush();
    glFinish();
    // Deletion.
    glDeleteProgramPipelines(1, &pipeline);
    glDeleteTransformFeedbacks(1, &feedback);
    glDeleteQueries(2, q);
    glUseProgram(0);
    glDeleteProgram(made);
    glDeleteFramebuffers(2, f);
    glDeleteRenderbuffers(2, r);
    glDeleteVertexArrays(1, &array);
    glDeleteSamplers(1, &sampler);
    glDeleteBuffers(4, b);
    glDeleteTextures(6, t);
    // With draws that are not submitted yet.
    glClear(GL_COLOR_BUFFER_BIT);
    glScissor(1, 1, 2, 2);
    glEnable(GL_SCISSOR_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
}

void prepare() {
    if (!g_life.begin()) std::abort();
    g_program = g_with_shaders ? 0 : program();
}

void run() {
    use();
    g_life.end();
}

/// Draws green with a new context.
bool works() {
    if (!g_life.begin()) return false;
    glClearColor(0, 1, 0, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    GLubyte pixel[4] = {};
    glReadPixels(3, 3, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
    const GLuint p = program();
    GLint linked = 0;
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    glDeleteProgram(p);
    const bool good = linked && pixel[1] == 255 && pixel[0] == 0 && glGetError() == GL_NO_ERROR;
    g_life.end();
    return good;
}

void sweep(const char* name, bool with_shaders, long all, long step) {
    g_with_shaders = with_shaders;
    long refused = 0;
    // glslang loses its tables of keywords if it does not get memory for all of them.
    const long may_lose = with_shaders ? 64 : 0;
    const std::string wrong = no_memory::sweep({name, prepare, run, works, may_lose}, all, step, &refused);
    CHECK_MESSAGE(wrong.empty(), wrong);
    CHECK(refused > 50);
}

}  // namespace

TEST_CASE("no memory: OpenGL ES, from each allocation on") {
    sweep("calls of OpenGL ES", false, 100, 3);
}

TEST_CASE("no memory: the compiler, from many allocations on") {
    sweep("compiling and linking", true, 0, 41);
}
