// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The objects that the threads of fuzz_threads share, and the operations on them.
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

/// A cube map has one face for each thread.
inline constexpr unsigned kMostThreads = 6;
inline constexpr unsigned kTextures = 8, kBuffers = 6, kTextureSize_px = 64, kLevels = 4;
inline constexpr unsigned kFace_px = 128;
inline constexpr uint32_t kBuffer_B = 16384;

/// Names of one share group. Textures and buffers are created and deleted all the time. A thread may use a
/// deleted name; GL reports that as an error.
struct SharedObjects {
    SharedObjects();

    std::array<std::atomic<GLuint>, kTextures> textures{};
    std::array<std::atomic<GLuint>, kBuffers> buffers{};
    GLuint cube = 0;  // thread i owns face i
    /// A picture that one thread has cleared to a colour, and its fence. A thread that removes it owns it.
    struct Picture {
        GLuint texture = 0;
        EGLSync fence = nullptr;
        uint32_t rgba = 0;
    };
    std::array<std::atomic<Picture*>, 4> mail{};
    /// Names of pictures. They are never reused for textures: a thread may use a texture's name that another
    /// thread has deleted, and must not reach a picture.
    std::atomic<GLuint> next_picture{1000000};
    ~SharedObjects();
};

/// One thread's context. It is current as long as this object lives.
class Worker {
  public:
    Worker(SharedObjects& objects, unsigned number, uint64_t seed);
    ~Worker();
    Worker(const Worker&) = delete;
    /// A random operation. Returns what is wrong, or an empty string.
    [[nodiscard]] std::string step();
    /// Called after the last operation.
    [[nodiscard]] std::string finish();

  private:
    [[nodiscard]] GLuint texture();
    [[nodiscard]] GLuint texture_but(GLuint target);
    [[nodiscard]] GLuint buffer();
    void replace_texture();
    void replace_buffer();
    /// A framebuffer with a shared texture, or with a face of the cube. False if it is not complete.
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
    /// Fills the bound framebuffer with a clear or a draw.
    void fill(uint32_t rgba);

    SharedObjects& objects_;
    const unsigned number_;
    Random random_;
    const EGLDisplay display_ = eglGetCurrentDisplay();
    int version_ = 20;  // of OpenGL ES: 32 is 3.2
    bool has_views_ = false, has_copy_image_ = false;
    GLuint textured_ = 0, flat_ = 0, integers_ = 0, compute_ = 0, framebuffers_[2] = {}, depth_ = 0,
           quad_ = 0;
    std::vector<uint8_t> pixels_;
    uint32_t face_rgba_ = 0;
    bool face_known_ = false;
};

}  // namespace fuzz::threads
