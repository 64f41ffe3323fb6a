// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A fuzz target: program binaries through glProgramBinaryOES, and draws with those that are accepted. The
// checksum is corrected. Therefore only the rules of shaders/link/check.h and shaders/ir/validate_linked.h
// protect the driver from the bytes. Without input fuzz_mutate() begins with one of its own programs.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>
#include <GLES3/gl32.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

#include "tests/fuzz/program_binary.h"

extern uint64_t fuzz_accepted;  // inputs that were drawn
int fuzz_one(const uint8_t* data, size_t size);
size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed);

namespace {

constexpr GLenum kFormat = 0x545A;

/// One context for all inputs: all objects of an input are deleted.
class Context {
  public:
    Context();
    ~Context();
    void draw(GLuint program);
    [[nodiscard]] bool good() const { return good_; }

  private:
    void uniforms(GLuint program);
    void blocks(GLuint program);
    void queries(GLuint program);
    EGLDisplay display_ = EGL_NO_DISPLAY;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLSurface surface_ = EGL_NO_SURFACE;
    bool good_ = false;
};

Context::Context() {
    setenv("TERRAZZO_GLES_VERSION", "3.2", 0);
    display_ = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr);
    if (!eglInitialize(display_, nullptr, nullptr)) return;
    const EGLint want[] = {
        EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES2_BIT, EGL_DEPTH_SIZE, 24,
        EGL_NONE};
    const EGLint version[] = {EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE},
                 size[] = {EGL_WIDTH, 8, EGL_HEIGHT, 8, EGL_NONE};
    EGLConfig config;
    EGLint n = 0;
    if (!eglChooseConfig(display_, want, &config, 1, &n) || !n) return;
    context_ = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    surface_ = eglCreatePbufferSurface(display_, config, size);
    good_ = eglMakeCurrent(display_, surface_, surface_, context_);
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
    // Uniform blocks: bindings with a whole buffer, with a part of one, or without a buffer. The second
    // buffer receives captures.
    GLuint buffers[2];
    glGenBuffers(2, buffers);
    std::vector<GLfloat> numbers(512);
    for (size_t n = 0; n < numbers.size(); ++n)
        numbers[n] = float(n % 31) - 9.5f;
    for (const GLuint b : buffers) {
        glBindBuffer(GL_UNIFORM_BUFFER, b);
        glBufferData(GL_UNIFORM_BUFFER, GLsizeiptr(numbers.size() * 4), numbers.data(), GL_DYNAMIC_DRAW);
    }
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, buffers[0]);
    glBindBufferRange(GL_UNIFORM_BUFFER, 1, buffers[0], 1024, 40);
    glBindBufferBase(GL_UNIFORM_BUFFER, 3, buffers[0]);
    // What shaders write: two storage buffers (one is too short), a buffer for counters, and an image.
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffers[1]);
    glBindBufferRange(GL_SHADER_STORAGE_BUFFER, 1, buffers[1], 256, 36);
    glBindBufferRange(GL_ATOMIC_COUNTER_BUFFER, 1, buffers[1], 512, 8);
    GLuint image = 0;
    glGenTextures(1, &image);
    glActiveTexture(GL_TEXTURE2);
    glBindTexture(GL_TEXTURE_2D, image);
    glTexStorage2D(GL_TEXTURE_2D, 1, GL_R32UI, 4, 4);
    glBindImageTexture(0, image, 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    for (GLuint n = 0; n < 4; ++n)
        glBindBufferRange(GL_TRANSFORM_FEEDBACK_BUFFER, n, buffers[1], GLintptr(n) * 512,
                          512 - 4 * GLsizeiptr(n));
}

Context::~Context() {
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (context_) eglDestroyContext(display_, context_);
    if (surface_) eglDestroySurface(display_, surface_);
    eglTerminate(display_);
    eglReleaseThread();
}

/// Each setter at each location: one of them fits, the others are errors.
void Context::uniforms(GLuint program) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &count);
    static const GLfloat f[16 * 8] = {0.5f, 1, -3, 1e30f, 0, 2, 1, 1, 0.1f, 0.2f};
    static const GLint n[4 * 8] = {3, 1, 100000, -1, 2, 7};
    for (GLint i = 0; i < count && i < 64; ++i) {
        char name[200];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveUniform(program, GLuint(i), sizeof name, nullptr, &size, &type, name);
        const GLint at = glGetUniformLocation(program, name);
        for (GLint e = 0; e < 9; e += 4) {
            glUniform1fv(at + e, 8, f), glUniform2fv(at + e, 8, f), glUniform3fv(at + e, 8, f),
                glUniform4fv(at + e, 8, f);
            glUniform1fv(at + e, 1, f), glUniform2fv(at + e, 1, f), glUniform3fv(at + e, 1, f),
                glUniform4fv(at + e, 1, f);
            glUniform2iv(at + e, 1, n), glUniform3iv(at + e, 1, n), glUniform4iv(at + e, 1, n);
            glUniformMatrix2fv(at + e, 2, GL_FALSE, f), glUniformMatrix3fv(at + e, 2, GL_FALSE, f);
            glUniformMatrix4fv(at + e, 2, GL_FALSE, f), glUniformMatrix4fv(at + e, 1, GL_FALSE, f);
            glUniform1i(at + e, type == GL_SAMPLER_CUBE ? 1 : type == GL_SAMPLER_2D ? 0 : 2);
            glUniform1iv(at + e, 8, n);
            GLfloat got_f[16];
            GLint got_i[16];
            glGetUniformfv(program, at + e, got_f), glGetUniformiv(program, at + e, got_i);
            if (type == GL_SAMPLER_CUBE || type == GL_SAMPLER_2D)
                for (GLint k = 0; k < 8; k++)
                    glUniform1i(at + k, type == GL_SAMPLER_CUBE);
        }
    }
}

/// Blocks at bindings of all kinds, and all queries about them.
void Context::blocks(GLuint program) {
    GLint count = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORM_BLOCKS, &count);
    for (GLuint i = 0; i < GLuint(count) && i < 32; ++i) {
        glUniformBlockBinding(program, i, i % 4);
        GLint members[256] = {}, n = 0;
        char name[200];
        glGetActiveUniformBlockName(program, i, sizeof name, nullptr, name);
        glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_ACTIVE_UNIFORMS, &n);
        if (n <= 256) glGetActiveUniformBlockiv(program, i, GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES, members);
    }
    GLint uniforms = 0;
    glGetProgramiv(program, GL_ACTIVE_UNIFORMS, &uniforms);
    for (GLuint i = 0; i < GLuint(uniforms) && i < 64; ++i)
        for (const GLenum what : {GL_UNIFORM_OFFSET, GL_UNIFORM_BLOCK_INDEX, GL_UNIFORM_MATRIX_STRIDE}) {
            GLint value;
            glGetActiveUniformsiv(program, 1, &i, what, &value);
        }
    GLint captured = 0;
    glGetProgramiv(program, GL_TRANSFORM_FEEDBACK_VARYINGS, &captured);
    for (GLuint i = 0; i < GLuint(captured) && i < 64; ++i) {
        char name[200];
        GLsizei size;
        GLenum type;
        glGetTransformFeedbackVarying(program, i, sizeof name, nullptr, &size, &type, name);
    }
}

void Context::queries(GLuint program) {
    GLint count = 0, length = 0;
    glGetProgramiv(program, GL_ACTIVE_ATTRIBUTES, &count);
    for (GLint i = 0; i < count && i < 64; ++i) {
        char name[200];
        GLint size = 0;
        GLenum type = 0;
        glGetActiveAttrib(program, GLuint(i), sizeof name, nullptr, &size, &type, name);
        (void)glGetAttribLocation(program, name);
    }
    glValidateProgram(program);
    glGetProgramiv(program, GL_PROGRAM_BINARY_LENGTH_OES, &length);
    std::vector<uint8_t> bytes(size_t(length) + 1);
    GLenum format = 0;
    static const auto get = PFNGLGETPROGRAMBINARYOESPROC(eglGetProcAddress("glGetProgramBinaryOES"));
    get(program, length, nullptr, &format, bytes.data());
}

void Context::draw(GLuint program) {
    static const GLfloat kVertices[4 * 4] = {-1,    -1,   0.5f, 1, 3,    -1,   -0.5f, 1,
                                             -0.2f, 1.5f, 0,    1, 0.6f, 0.4f, 0.2f,  1};
    GLint compute[3] = {};
    glGetProgramiv(program, GL_COMPUTE_WORK_GROUP_SIZE, compute);
    glUseProgram(program);
    uniforms(program);
    blocks(program);
    if (compute[0]) glDispatchCompute(2, 1, 1);
    for (GLuint i = 0; i < 16; ++i) {
        glVertexAttrib4f(i, 0.5f, -1, 2, 1);
        glVertexAttribPointer(i, 4, GL_FLOAT, GL_FALSE, 0, kVertices);
        i % 3 ? glDisableVertexAttribArray(i) : glEnableVertexAttribArray(i);
    }
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDrawArrays(GL_POINTS, 0, 3);
    for (const GLint corners : {1, 3, 4}) {  // errors, except for programs that tessellate
        glPatchParameteri(GL_PATCH_VERTICES, corners);
        glDrawArrays(GL_PATCHES, 0, 4);
    }
    glBeginTransformFeedback(GL_POINTS);  // an error if nothing is captured
    glDrawArrays(GL_POINTS, 0, 3);
    glDrawArrays(GL_POINTS, 0, 2);
    glEndTransformFeedback();
    GLubyte pixels[4 * 64];
    glReadPixels(0, 0, 8, 8, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    queries(program);
    glUseProgram(0);
    while (glGetError())
        ;
}

/// Pipelines draw with programs of one stage.
void draw_pipeline(GLuint program) {
    GLuint pipeline = 0;
    glGenProgramPipelines(1, &pipeline);
    glUseProgramStages(pipeline, GL_ALL_SHADER_BITS, program);
    glBindProgramPipeline(pipeline);
    glDrawArrays(GL_POINTS, 0, 3);
    glValidateProgramPipeline(pipeline);
    glDeleteProgramPipelines(1, &pipeline);
    while (glGetError())
        ;
}

Context& context() {
    constexpr unsigned kRound = 2000;  // inputs a context
    static unsigned left = 0;
    static std::unique_ptr<Context> c;
    if (!left--) {
        c.reset();
        c = std::make_unique<Context>();
        left = kRound;
    }
    return *c;
}

}  // namespace

uint64_t fuzz_accepted = 0;

int fuzz_one(const uint8_t* data, size_t size) {
    Context& c = context();
    if (!c.good()) return 0;
    static const auto set = PFNGLPROGRAMBINARYOESPROC(eglGetProcAddress("glProgramBinaryOES"));
    fuzz::Bytes b(data, data + size);
    fuzz::mend_header(b);
    const GLuint program = glCreateProgram();
    glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    set(program, kFormat, b.data(), GLint(b.size()));
    GLint linked = 0;
    glGetProgramiv(program, GL_LINK_STATUS, &linked);
    if (linked) c.draw(program), draw_pipeline(program), ++fuzz_accepted;
    glDeleteProgram(program);
    while (glGetError())
        ;
    return 0;
}

size_t fuzz_mutate(uint8_t* data, size_t size, size_t max_size, uint32_t seed) {
    fuzz::Bytes b(data, data + size);
    if (b.size() < fuzz::kBinaryHeader_B) b = fuzz::first_program(seed % 32);
    b = fuzz::mutated(b, seed);
    if (b.empty() || b.size() > max_size) return size;
    std::memcpy(data, b.data(), b.size());
    return b.size();
}
