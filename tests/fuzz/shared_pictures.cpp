// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What fuzz_threads compares: a thread's own face of the cube, and pictures that are passed with fences.
#include <EGL/egl.h>

#include <cstdio>

#include "tests/fuzz/shared_objects.h"

namespace fuzz::threads {
namespace {

uint32_t read_pixel(int x, int y) {
    uint32_t rgba = 0;
    glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, &rgba);
    return rgba;
}

}  // namespace

void Worker::fill(uint32_t rgba) {
    float c[4];
    for (unsigned i = 0; i < 4; ++i)
        c[i] = float(rgba >> 8 * i & 0xff) / 255.0f;
    if (random_.boolean()) {
        glClearColor(c[0], c[1], c[2], c[3]);
        glClear(GL_COLOR_BUFFER_BIT);
        return;
    }
    glUseProgram(flat_);
    glUniform4fv(glGetUniformLocation(flat_, "c"), 1, c);
    glBindBuffer(GL_ARRAY_BUFFER, quad_);
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
    glViewport(0, 0, 256, 256);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

std::string Worker::check_face() {
    if (!face_known_) return {};
    if (!bind_target(framebuffers_[0], objects_.cube, GL_TEXTURE_CUBE_MAP_POSITIVE_X + number_)) return {};
    const uint32_t got = read_pixel(int(random_.below(kFace_px)), int(random_.below(kFace_px)));
    if (got == face_rgba_) return {};
    char text[100];
    std::snprintf(text, sizeof text, "its own face of the cube is %08x, and was drawn as %08x", got,
                  face_rgba_);
    return text;
}

std::string Worker::own_face() {
    if (random_.one_in(4)) return check_face();
    if (!bind_target(framebuffers_[0], objects_.cube, GL_TEXTURE_CUBE_MAP_POSITIVE_X + number_)) return {};
    face_rgba_ = random_.bits();
    face_known_ = true;
    fill(face_rgba_);
    return random_.boolean() ? check_face() : std::string();
}

void Worker::send_picture() {
    auto p = new SharedObjects::Picture;
    p->texture = objects_.next_picture.fetch_add(1);
    glBindTexture(GL_TEXTURE_2D, p->texture);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTextureSize_px, kTextureSize_px, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 nullptr);
    p->rgba = random_.bits();
    if (bind_target(framebuffers_[0], p->texture)) fill(p->rgba);
    p->fence = eglCreateSync(display_, EGL_SYNC_FENCE, nullptr);
    glFlush();
    if (auto* const old = objects_.mail[random_.below(uint32_t(objects_.mail.size()))].exchange(p)) {
        eglDestroySync(display_, old->fence);
        glDeleteTextures(1, &old->texture);
        delete old;
    }
}

std::string Worker::take_picture() {
    SharedObjects::Picture* const p =
        objects_.mail[random_.below(uint32_t(objects_.mail.size()))].exchange(nullptr);
    if (!p) return {};
    if (random_.boolean())
        eglWaitSync(display_, p->fence, 0);
    else
        eglClientWaitSync(display_, p->fence, 0, EGL_FOREVER);
    eglDestroySync(display_, p->fence);
    const std::string result = check(p);
    glDeleteTextures(1, &p->texture);
    delete p;
    return result;
}

/// Uses it as a target, or draws with it.
std::string Worker::check(SharedObjects::Picture* p) {
    const auto x = int(random_.below(kTextureSize_px)), y = int(random_.below(kTextureSize_px));
    uint32_t got = 0;
    const char* way = "read";
    if (random_.boolean()) {
        if (!bind_target(framebuffers_[0], p->texture)) return "a picture cannot be read";
        got = read_pixel(x, y);
    } else {
        way = "drawn with";
        const GLuint own = objects_.next_picture.fetch_add(1);
        glBindTexture(GL_TEXTURE_2D, own);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, kTextureSize_px, kTextureSize_px, 0, GL_RGBA,
                     GL_UNSIGNED_BYTE, nullptr);
        if (!bind_target(framebuffers_[1], own)) return "an own picture cannot be drawn into";
        glUseProgram(textured_);
        glBindTexture(GL_TEXTURE_2D, p->texture);
        glBindBuffer(GL_ARRAY_BUFFER, quad_);
        glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        glViewport(0, 0, kTextureSize_px, kTextureSize_px);
        glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
        got = read_pixel(x, y);
        glDeleteTextures(1, &own);
    }
    if (got == p->rgba) return {};
    char text[100];
    std::snprintf(text, sizeof text, "a picture that came with a fence is %08x where %s, not %08x", got, way,
                  p->rgba);
    return text;
}

}  // namespace fuzz::threads
