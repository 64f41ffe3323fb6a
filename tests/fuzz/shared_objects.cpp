// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/fuzz/shared_objects.h"

#include <GLES2/gl2ext.h>

#include <cstdio>
#include <cstring>

namespace fuzz::threads {
namespace {

constexpr GLenum kContextLost = 0x0507;

constexpr char kVertex[] =
    "attribute vec2 a; varying vec2 uv; void main() { gl_Position = vec4(a, 0.5, 1.0); uv = a * 0.5 + 0.5; }";
constexpr char kTextured[] =
    "precision mediump float; uniform sampler2D t; varying vec2 uv; void main() { gl_FragColor = "
    "texture2D(t, uv); }";
constexpr char kFlat[] = "precision mediump float; uniform vec4 c; void main() { gl_FragColor = c; }";
constexpr char kIntegers[] =
    "#version 300 es\nprecision highp float; uniform highp usampler2D t; in vec2 uv; out vec4 o;\n"
    "void main() { o = vec4(texture(t, uv)) / 255.0; }";
constexpr char kVertex3[] =
    "#version 300 es\nin vec2 a; out vec2 uv; void main() { gl_Position = vec4(a, 0.5, 1.0); uv = a * 0.5 + "
    "0.5; }";
constexpr char kCompute[] =
    "#version 310 es\nlayout(local_size_x = 8, local_size_y = 8) in;\n"
    "layout(rgba8, binding = 0) writeonly uniform highp image2D i;\n"
    "layout(std430, binding = 0) buffer B { uint b[]; };\n"
    "void main() { uint n = gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * 64u; b[n] += n;\n"
    "imageStore(i, ivec2(gl_GlobalInvocationID.xy), vec4(float(n & 255u) / 255.0)); }";

template <class F>
F proc(const char* name) {
    return reinterpret_cast<F>(eglGetProcAddress(name));
}

GLuint shader(GLenum type, const char* text) {
    const GLuint s = glCreateShader(type);
    glShaderSource(s, 1, &text, nullptr);
    glCompileShader(s);
    return s;
}

GLuint program(std::initializer_list<std::pair<GLenum, const char*>> stages) {
    const GLuint p = glCreateProgram();
    for (const auto& [type, text] : stages) {
        const GLuint s = shader(type, text);
        glAttachShader(p, s);
        glDeleteShader(s);
    }
    glBindAttribLocation(p, 0, "a");
    glLinkProgram(p);
    return p;
}

GLuint create_texture(Random& r, int version) {
    GLuint t = 0;
    glGenTextures(1, &t);
    glBindTexture(GL_TEXTURE_2D, t);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, r.one_in(2) ? GL_NEAREST : GL_LINEAR);
    const auto size = GLsizei(kTextureSize_px << r.below(2));
    if (version >= 30 && !r.one_in(3)) {
        const GLenum formats[] = {GL_RGBA8, GL_RGBA8, GL_RGBA16F, GL_R8, GL_SRGB8_ALPHA8, GL_RGB10_A2};
        glTexStorage2D(GL_TEXTURE_2D, 1 + GLsizei(r.below(kLevels)), formats[r.below(6)], size, size);
    } else {
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    }
    return t;
}

GLuint create_buffer(Random& r) {
    GLuint b = 0;
    std::vector<float> corners(kBuffer_B / 4);
    for (size_t i = 0; i < corners.size(); ++i)
        corners[i] = float(int(r.below(5)) - 2) * 0.5f;
    glGenBuffers(1, &b);
    glBindBuffer(GL_ARRAY_BUFFER, b);
    glBufferData(GL_ARRAY_BUFFER, kBuffer_B, corners.data(), r.one_in(2) ? GL_STATIC_DRAW : GL_STREAM_DRAW);
    return b;
}

}  // namespace

SharedObjects::SharedObjects() {
    int version[2] = {2, 0};
    std::sscanf(reinterpret_cast<const char*>(glGetString(GL_VERSION)), "OpenGL ES %d.%d", &version[0],
                &version[1]);
    Random random(1, {});
    for (auto& t : textures)
        t = create_texture(random, version[0] * 10 + version[1]);
    for (auto& b : buffers)
        b = create_buffer(random);
    glGenTextures(1, &cube);
    glBindTexture(GL_TEXTURE_CUBE_MAP, cube);
    glTexParameteri(GL_TEXTURE_CUBE_MAP, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    for (unsigned i = 0; i < kMostThreads; ++i)
        glTexImage2D(GL_TEXTURE_CUBE_MAP_POSITIVE_X + i, 0, GL_RGBA, kFace_px, kFace_px, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, nullptr);
    glFinish();
}

SharedObjects::~SharedObjects() {
    for (auto& slot : mail)
        if (Picture* const p = slot.exchange(nullptr)) {
            eglDestroySync(eglGetCurrentDisplay(), p->fence);
            delete p;
        }
}

Worker::Worker(SharedObjects& objects, unsigned number, uint64_t seed)
    : objects_(objects), number_(number), random_(seed, {}), pixels_(size_t(256) * 256 * 4) {
    int version[2] = {2, 0};
    std::sscanf(reinterpret_cast<const char*>(glGetString(GL_VERSION)), "OpenGL ES %d.%d", &version[0],
                &version[1]);
    version_ = version[0] * 10 + version[1];
    has_views_ = std::strstr(reinterpret_cast<const char*>(glGetString(GL_EXTENSIONS)), "texture_view");
    has_copy_image_ = version_ >= 32;
    textured_ = program({{GL_VERTEX_SHADER, kVertex}, {GL_FRAGMENT_SHADER, kTextured}});
    flat_ = program({{GL_VERTEX_SHADER, kVertex}, {GL_FRAGMENT_SHADER, kFlat}});
    if (has_views_) integers_ = program({{GL_VERTEX_SHADER, kVertex3}, {GL_FRAGMENT_SHADER, kIntegers}});
    if (version_ >= 31) compute_ = program({{GL_COMPUTE_SHADER, kCompute}});
    glGenFramebuffers(2, framebuffers_);
    glGenRenderbuffers(1, &depth_);
    glBindRenderbuffer(GL_RENDERBUFFER, depth_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT16, kTextureSize_px, kTextureSize_px);
    static constexpr float kQuad[] = {-1, -1, 1, -1, -1, 1, 1, 1};
    glGenBuffers(1, &quad_);
    glBindBuffer(GL_ARRAY_BUFFER, quad_);
    glBufferData(GL_ARRAY_BUFFER, sizeof kQuad, kQuad, GL_STATIC_DRAW);
    glEnableVertexAttribArray(0);
}

Worker::~Worker() {
    glDeleteFramebuffers(2, framebuffers_);
    glDeleteRenderbuffers(1, &depth_);
    glDeleteBuffers(1, &quad_);
    for (const GLuint p : {textured_, flat_, integers_, compute_})
        glDeleteProgram(p);
}

GLuint Worker::texture() {
    return objects_.textures[random_.below(kTextures)];
}

/// Targets are not sampled at the same time: that is undefined on one thread, too, and the virtual GPUs
/// report it.
GLuint Worker::texture_but(GLuint target) {
    for (;;)
        if (const GLuint t = texture(); t != target) return t;
}

GLuint Worker::buffer() {
    return objects_.buffers[random_.below(kBuffers)];
}

void Worker::replace_texture() {
    const GLuint fresh = create_texture(random_, version_);
    const GLuint old = objects_.textures[random_.below(kTextures)].exchange(fresh);
    glDeleteTextures(1, &old);
}

void Worker::replace_buffer() {
    const GLuint fresh = create_buffer(random_);
    const GLuint old = objects_.buffers[random_.below(kBuffers)].exchange(fresh);
    glDeleteBuffers(1, &old);
}

bool Worker::bind_target(GLuint framebuffer, GLuint texture, GLenum target, int level) {
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    // A deleted texture must not stay attached.
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, 0, 0);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, target, texture, level);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, 0);
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void Worker::draw() {
    const GLuint target = texture();
    if (!bind_target(framebuffers_[0], target, GL_TEXTURE_2D, random_.one_in(4) ? 1 : 0)) return;
    if (random_.one_in(3)) {
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, depth_);
        glEnable(GL_DEPTH_TEST);
        if (random_.boolean()) glClear(GL_DEPTH_BUFFER_BIT);
    }
    if (random_.one_in(3)) glEnable(GL_BLEND);
    glViewport(0, 0, kTextureSize_px, kTextureSize_px);
    glUseProgram(textured_);
    for (uint32_t i = 0; i <= random_.below(3); ++i) {
        glBindTexture(GL_TEXTURE_2D, texture_but(target));
        glBindBuffer(GL_ARRAY_BUFFER, random_.one_in(3) ? quad_ : buffer());
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer());
        if (random_.one_in(3))
            glDrawElements(GL_TRIANGLES, 12, GL_UNSIGNED_BYTE, nullptr);
        else
            glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_BLEND);
}

void Worker::clear() {
    if (bind_target(framebuffers_[0], texture())) fill(random_.bits());
}

/// A view in a format that cannot read compressed memory.
void Worker::view_as_integers() {
    if (!has_views_) return;
    static const auto texture_view = proc<PFNGLTEXTUREVIEWOESPROC>("glTextureViewOES");
    GLuint view = 0;
    glGenTextures(1, &view);
    const GLuint viewed = texture();
    texture_view(view, GL_TEXTURE_2D, viewed, GL_RGBA8UI, 0, 1, 0, 1);
    glBindTexture(GL_TEXTURE_2D, view);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    if (glGetError() == GL_NO_ERROR && bind_target(framebuffers_[0], texture_but(viewed))) {
        glUseProgram(integers_);
        glBindBuffer(GL_ARRAY_BUFFER, quad_);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    glDeleteTextures(1, &view);
}

void Worker::blit() {
    if (version_ < 30) return;
    if (!bind_target(framebuffers_[0], texture()) || !bind_target(framebuffers_[1], texture())) return;
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffers_[0]);
    const auto size = GLint(kTextureSize_px);
    const GLint to = random_.boolean() ? size : size / 2;
    glBlitFramebuffer(0, 0, size, size, 0, 0, to, to, GL_COLOR_BUFFER_BIT,
                      random_.boolean() ? GL_LINEAR : GL_NEAREST);
}

void Worker::copy_to_texture() {
    if (!bind_target(framebuffers_[0], texture())) return;
    glBindTexture(GL_TEXTURE_2D, texture());
    if (random_.one_in(4))
        glCopyTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, kTextureSize_px, kTextureSize_px, 0);
    else
        glCopyTexSubImage2D(GL_TEXTURE_2D, 0, GLint(random_.below(8)), 3, 1, 2, 40, 40);
}

void Worker::copy_image() {
    if (has_copy_image_)
        glCopyImageSubData(texture(), GL_TEXTURE_2D, 0, 2, 2, 0, texture(), GL_TEXTURE_2D, 0, 4, 4, 0, 32, 32,
                           1);
}

void Worker::upload() {
    glBindTexture(GL_TEXTURE_2D, texture());
    glTexSubImage2D(GL_TEXTURE_2D, 0, 5, 6, 33, 31, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    if (random_.one_in(3)) glGenerateMipmap(GL_TEXTURE_2D);
}

void Worker::read_back() {
    if (!bind_target(framebuffers_[0], texture())) return;
    if (version_ >= 30 && random_.boolean()) {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer());
        glReadPixels(0, 0, 40, 40, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    } else {
        glReadPixels(1, 2, 50, 40, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    }
}

void Worker::map_buffer() {
    glBindBuffer(GL_ARRAY_BUFFER, buffer());
    if (version_ < 30 || random_.one_in(3)) {
        if (random_.boolean())
            glBufferData(GL_ARRAY_BUFFER, kBuffer_B, nullptr, GL_STREAM_DRAW);
        else
            glBufferSubData(GL_ARRAY_BUFFER, 64, 512, pixels_.data());
        return;
    }
    const GLbitfield access[] = {GL_MAP_READ_BIT, GL_MAP_WRITE_BIT,
                                 GL_MAP_WRITE_BIT | GL_MAP_INVALIDATE_BUFFER_BIT,
                                 GL_MAP_WRITE_BIT | GL_MAP_UNSYNCHRONIZED_BIT};
    const unsigned which = random_.below(4);
    void* const p = glMapBufferRange(GL_ARRAY_BUFFER, 0, 4096, access[which]);
    if (!p) return;
    if (which)
        std::memset(p, 0, 1024);
    else
        std::memcpy(pixels_.data(), p, 1024);
    glUnmapBuffer(GL_ARRAY_BUFFER);
}

void Worker::store() {
    if (!compute_) return;
    glUseProgram(compute_);
    glBindImageTexture(0, texture(), 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, buffer());
    if (glGetError() == GL_NO_ERROR) glDispatchCompute(4, 4, 1);
    if (random_.boolean()) glMemoryBarrier(GL_ALL_BARRIER_BITS);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 0, 0);
    glBindImageTexture(0, 0, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA8);
}

void Worker::flush() {
    if (random_.one_in(3))
        glFinish();
    else
        glFlush();
}

std::string Worker::step() {
    std::string wrong;
    switch (random_.below(24)) {
        case 0:
            replace_texture();
            break;
        case 1:
            replace_buffer();
            break;
        case 2:
        case 3:
        case 4:
        case 5:
            draw();
            break;
        case 6:
            clear();
            break;
        case 7:
            view_as_integers();
            break;
        case 8:
        case 9:
            blit();
            break;
        case 10:
            copy_to_texture();
            break;
        case 11:
            copy_image();
            break;
        case 12:
            upload();
            break;
        case 13:
            read_back();
            break;
        case 14:
        case 15:
            map_buffer();
            break;
        case 16:
            store();
            break;
        case 17:
            flush();
            break;
        case 18:
        case 19:
            send_picture();
            break;
        case 20:
        case 21:
            wrong = take_picture();
            break;
        default:
            wrong = own_face();
    }
    for (GLenum e = glGetError(); e != GL_NO_ERROR && wrong.empty(); e = glGetError())
        if (e == kContextLost) return "its context was lost";
    return wrong;
}

std::string Worker::finish() {
    const std::string wrong = check_face();
    glFinish();
    return wrong.empty() && glGetError() == kContextLost ? "its context was lost at the end" : wrong;
}

}  // namespace fuzz::threads
