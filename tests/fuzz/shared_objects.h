// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The objects that the threads of fuzz_threads share, and what each does with them.
#pragma once

#include <EGL/egl.h>
#include <GLES3/gl32.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/random.h"

namespace fuzz::threads {

/// A cube map has a face for each.
inline constexpr unsigned kMostThreads = 6;
inline constexpr unsigned kTextures = 8, kBuffers = 6, kTextureSize_px = 64, kLevels = 4;
inline constexpr unsigned kFace_px = 128;
inline constexpr uint32_t kBuffer_B = 16384;

/// Names of one share group. Textures and buffers come and go; a name may be gone when a thread uses it, which is an error that GL tells.
struct SharedObjects {
    SharedObjects();

    std::array<std::atomic<GLuint>, kTextures> textures{};
    std::array<std::atomic<GLuint>, kBuffers> buffers{};
    GLuint cube = 0;  // face i is thread i's
    /// A picture that one thread has cleared to a colour, and its fence. Whoever takes it has all of it.
    struct Picture {
        GLuint texture = 0;
        EGLSync fence = nullptr;
        uint32_t rgba = 0;
    };
    std::array<std::atomic<Picture*>, 4> mail{};
    /// Names of pictures. A thread may use a name of the textures above that another has deleted: it must not be a picture's by then.
    std::atomic<GLuint> next_picture{1000000};
    ~SharedObjects();
};

/// One thread's context, which is current as long as this lives.
class Worker {
  public:
    Worker(SharedObjects& objects, unsigned number, uint64_t seed);
    ~Worker();
    Worker(const Worker&) = delete;
    /// A random operation. Empty, or what is wrong.
    [[nodiscard]] std::string step();
    /// After the last one.
    [[nodiscard]] std::string finish();

  private:
    [[nodiscard]] GLuint texture();
    [[nodiscard]] GLuint texture_but(GLuint target);
    [[nodiscard]] GLuint buffer();
    void replace_texture();
    void replace_buffer();
    /// A framebuffer of a shared texture, or of a cube's face. False: it is not complete.
    bool bind_target(GLuint framebuffer, GLuint texture, GLenum target = GL_TEXTURE_2D, int level = 0);
    void draw();
    void clear();
    void view_as_integers();
    void blit();
    void copy_to_texture();
    void copy_image();
    void upload();
    void read_back();
    void map_buffer();
    void store();
    void flush();
    [[nodiscard]] std::string own_face();
    [[nodiscard]] std::string check_face();
    void send_picture();
    [[nodiscard]] std::string take_picture();
    [[nodiscard]] std::string check(SharedObjects::Picture* picture);
    /// Fills the bound framebuffer, by a clear or by a draw.
    void fill(uint32_t rgba);

    SharedObjects& objects_;
    const unsigned number_;
    Random random_;
    const EGLDisplay display_ = eglGetCurrentDisplay();
    int version_ = 20;  // of OpenGL ES, as 32
    bool has_views_ = false, has_copy_image_ = false;
    GLuint textured_ = 0, flat_ = 0, integers_ = 0, compute_ = 0, framebuffers_[2] = {}, depth_ = 0,
           quad_ = 0;
    std::vector<uint8_t> pixels_;
    uint32_t face_rgba_ = 0;
    bool face_known_ = false;
};

}  // namespace fuzz::threads
