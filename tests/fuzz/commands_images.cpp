// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The commands of OpenGL ES 3.0 on textures, samplers and framebuffers, like commands.cpp for those of 2.0.
// Contexts of 2.0 refuse them (TERRAZZO_GLES_VERSION=3.0 creates later ones).
#include <EGL/egl.h>
#include <GLES3/gl3.h>

#include "tests/fuzz/commands.h"

namespace fuzz {

namespace {

using R = Random;

constexpr std::initializer_list<uint32_t> kTargets3 = {GL_TEXTURE_3D, GL_TEXTURE_2D_ARRAY};
constexpr std::initializer_list<uint32_t> kTargets = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP, GL_TEXTURE_3D,
                                                      GL_TEXTURE_2D_ARRAY};
struct Combination {
    GLenum sized, format, type;
};
constexpr Combination kCombinations[] = {
    {GL_RGBA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_SRGB8_ALPHA8, GL_RGBA, GL_UNSIGNED_BYTE},
    {GL_SRGB8, GL_RGB, GL_UNSIGNED_BYTE},
    {GL_RGB10_A2, GL_RGBA, GL_UNSIGNED_INT_2_10_10_10_REV},
    {GL_RGB10_A2UI, GL_RGBA_INTEGER, GL_UNSIGNED_INT_2_10_10_10_REV},
    {GL_R11F_G11F_B10F, GL_RGB, GL_UNSIGNED_INT_10F_11F_11F_REV},
    {GL_RGB9_E5, GL_RGB, GL_FLOAT},
    {GL_RGBA16F, GL_RGBA, GL_HALF_FLOAT},
    {GL_RG32F, GL_RG, GL_FLOAT},
    {GL_R8_SNORM, GL_RED, GL_BYTE},
    {GL_R8UI, GL_RED_INTEGER, GL_UNSIGNED_BYTE},
    {GL_RG16I, GL_RG_INTEGER, GL_SHORT},
    {GL_RGB32UI, GL_RGB_INTEGER, GL_UNSIGNED_INT},
    {GL_RGBA32I, GL_RGBA_INTEGER, GL_INT},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT},
    {GL_DEPTH_COMPONENT32F, GL_DEPTH_COMPONENT, GL_FLOAT},
    {GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8},
    {GL_DEPTH32F_STENCIL8, GL_DEPTH_STENCIL, GL_FLOAT_32_UNSIGNED_INT_24_8_REV},
};
constexpr std::initializer_list<uint32_t> kParameters = {
    GL_TEXTURE_MIN_FILTER,   GL_TEXTURE_MAG_FILTER, GL_TEXTURE_WRAP_R,    GL_TEXTURE_BASE_LEVEL,
    GL_TEXTURE_MAX_LEVEL,    GL_TEXTURE_MIN_LOD,    GL_TEXTURE_MAX_LOD,   GL_TEXTURE_COMPARE_MODE,
    GL_TEXTURE_COMPARE_FUNC, GL_TEXTURE_SWIZZLE_R,  GL_TEXTURE_SWIZZLE_A, GL_TEXTURE_IMMUTABLE_LEVELS};
constexpr std::initializer_list<uint32_t> kValues = {GL_NEAREST,
                                                     GL_LINEAR,
                                                     GL_LINEAR_MIPMAP_LINEAR,
                                                     GL_REPEAT,
                                                     GL_CLAMP_TO_EDGE,
                                                     GL_COMPARE_REF_TO_TEXTURE,
                                                     GL_NONE,
                                                     GL_LEQUAL,
                                                     GL_RED,
                                                     GL_ALPHA,
                                                     GL_ONE,
                                                     1,
                                                     2,
                                                     5,
                                                     1000};
constexpr std::initializer_list<uint32_t> kFramebuffers = {GL_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER,
                                                           GL_READ_FRAMEBUFFER};
constexpr std::initializer_list<uint32_t> kAttachments = {GL_COLOR_ATTACHMENT0,
                                                          GL_COLOR_ATTACHMENT0,
                                                          GL_COLOR_ATTACHMENT1,
                                                          GL_COLOR_ATTACHMENT0 + 31,
                                                          GL_DEPTH_ATTACHMENT,
                                                          GL_STENCIL_ATTACHMENT,
                                                          GL_DEPTH_STENCIL_ATTACHMENT,
                                                          GL_BACK,
                                                          GL_DEPTH,
                                                          GL_COLOR};

const Combination& combination(R& r) {
    return kCombinations[r.below(uint32_t(std::size(kCombinations)))];
}
int32_t px(R& r) {
    return r.bounded(r.one_in(8) ? 100 : 18);
}
GLenum maybe(R& r, GLenum right) {
    return r.one_in(20) ? combination(r).format : right;
}

void sub_image(R& r) {
    const Combination& c = combination(r);
    glTexSubImage3D(r.pick(kTargets3), r.bounded(3), r.count(8), r.count(8), r.count(4), px(r), px(r),
                    r.bounded(4), maybe(r, c.format), c.type, r.aligned_pointer());
}

/// A framebuffer with random formats and samples that is usually complete.
void good_framebuffer(R& r) {
    GLuint f = 0, b[3];
    glGenFramebuffers(1, &f);
    glGenRenderbuffers(3, b);
    glBindFramebuffer(r.one_in(3) ? GL_DRAW_FRAMEBUFFER : GL_FRAMEBUFFER, f);
    const GLsizei samples = r.one_in(2) ? 0 : GLsizei(1 + r.below(8)), w = 1 + GLsizei(r.below(90)),
                  h = 1 + GLsizei(r.below(90));
    for (GLuint i = 0; i < 3; ++i) {
        const bool color = i < 2;
        glBindRenderbuffer(GL_RENDERBUFFER, b[i]);
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples,
                                         color ? combination(r).sized : GLenum(GL_DEPTH24_STENCIL8), w, h);
        glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER,
                                  color ? GL_COLOR_ATTACHMENT0 + i : GL_DEPTH_STENCIL_ATTACHMENT,
                                  GL_RENDERBUFFER, b[i]);
    }
    const GLenum both[2] = {GL_COLOR_ATTACHMENT0,
                            r.one_in(2) ? GLenum(GL_COLOR_ATTACHMENT1) : GLenum(GL_NONE)};
    glDrawBuffers(2, both);
}

void clear_buffer(R& r) {
    const GLenum buffer = r.pick({GL_COLOR, GL_COLOR, GL_DEPTH, GL_STENCIL, GL_DEPTH_STENCIL});
    const GLint n = r.bounded(3);
    switch (r.below(4)) {
        case 0:
            return glClearBufferfv(buffer, n, r.array<GLfloat>());
        case 1:
            return glClearBufferiv(buffer, n, r.array<GLint>());
        case 2:
            return glClearBufferuiv(buffer, n, r.array<GLuint>());
        default:
            return glClearBufferfi(buffer, n, r.real(), r.count(300));
    }
}

void invalidate(R& r) {
    GLenum list[4];
    for (GLenum& a : list)
        a = r.pick(kAttachments);
    if (r.boolean()) return glInvalidateFramebuffer(r.pick(kFramebuffers), r.bounded(4), list);
    glInvalidateSubFramebuffer(r.pick(kFramebuffers), r.bounded(4), list, r.count(20), r.count(20),
                               r.count(120), r.count(120));
}

void samplers(R& r) {
    GLuint names[2] = {r.name(), r.name()};
    switch (r.below(6)) {
        case 0:
            return glGenSamplers(r.bounded(2), names);
        case 1:
            return glDeleteSamplers(r.bounded(2), names);
        case 2:
            return glBindSampler(r.below(34), r.name());
        case 3:
            return glSamplerParameterf(r.name(), r.pick(kParameters), r.real());
        case 4: {
            GLint out[4];
            return glGetSamplerParameteriv(r.name(), r.pick(kParameters), out);
        }
        default:
            return glSamplerParameteri(r.name(), r.pick(kParameters), GLint(r.pick(kValues)));
    }
}

void compressed(R& r) {
    const GLsizei w = px(r), h = px(r), d = r.bounded(4);
    const GLsizei size = r.one_in(4) ? r.bounded(500) : ((w + 3) / 4) * ((h + 3) / 4) * 16 * d;
    const GLenum format =
        r.pick({GL_COMPRESSED_RGBA8_ETC2_EAC, GL_COMPRESSED_RG11_EAC, GL_COMPRESSED_RGB8_ETC2});
    if (r.boolean())
        return glCompressedTexImage3D(r.pick(kTargets3), r.bounded(3), format, w, h, d, 0, size, r.pointer());
    glCompressedTexSubImage3D(r.pick(kTargets3), r.bounded(3), r.count(9), r.count(9), r.count(3), w, h, d,
                              format, size, r.pointer());
}

/// Both pixel buffers are soon unbound: otherwise the pointers of other commands would be offsets.
void pixel_buffers(R& r) {
    const GLenum target = r.pick({GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER});
    glBindBuffer(target, r.name());
    // Without a buffer an offset would be a pointer. The query fails if none is bound.
    GLint size_B = -1;
    glGetBufferParameteriv(target, GL_BUFFER_SIZE, &size_B);
    if (size_B < 0 || (target != GL_PIXEL_PACK_BUFFER && target != GL_PIXEL_UNPACK_BUFFER)) return;
    if (r.one_in(2)) glBufferData(target, r.bounded(20000), nullptr, GL_STREAM_READ);
    const Combination& c = combination(r);
    const auto offset = reinterpret_cast<void*>(uintptr_t(r.one_in(8) ? r.bits() : r.below(64) * 4));
    if (target == GL_PIXEL_PACK_BUFFER)
        glReadPixels(r.count(30), r.count(30), px(r), px(r), c.format, c.type, offset);
    else
        glTexImage3D(r.pick(kTargets3), r.bounded(3), GLint(c.sized), px(r), px(r), r.bounded(4), 0, c.format,
                     c.type, offset);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glBindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
}

void read(R& r) {
    static uint8_t out[1 << 22];
    const Combination& c = combination(r);
    glReadPixels(r.count(50), r.count(50), px(r), px(r), c.format, c.type, out);
}

const Command kCommands[] = {
    {8, "glTexImage3D",
     [](R& r) {
         const Combination& c = combination(r);
         glTexImage3D(r.pick(kTargets3), r.bounded(4), GLint(c.sized), px(r), px(r), r.bounded(5),
                      r.one_in(30), maybe(r, c.format), c.type, r.one_in(3) ? nullptr : r.aligned_pointer());
     }},
    {8, "glTexImage2D (3.0)",
     [](R& r) {
         const Combination& c = combination(r);
         glTexImage2D(GL_TEXTURE_2D, r.bounded(4), GLint(c.sized), px(r), px(r), 0, maybe(r, c.format),
                      c.type, r.one_in(3) ? nullptr : r.aligned_pointer());
     }},
    {6, "glTexSubImage3D", sub_image},
    {3, "glTexStorage2D",
     [](R& r) { glTexStorage2D(r.pick(kTargets), r.bounded(5), combination(r).sized, px(r), px(r)); }},
    {3, "glTexStorage3D",
     [](R& r) {
         glTexStorage3D(r.pick(kTargets3), r.bounded(5), combination(r).sized, px(r), px(r), r.bounded(6));
     }},
    {3, "glCopyTexSubImage3D",
     [](R& r) {
         glCopyTexSubImage3D(r.pick(kTargets3), r.bounded(2), r.count(9), r.count(9), r.count(4), r.count(20),
                             r.count(20), px(r), px(r));
     }},
    {3, "glCompressedTexImage3D", compressed},
    {4, "glBindTexture (3.0)", [](R& r) { glBindTexture(r.pick(kTargets), r.name()); }},
    {4, "glGenerateMipmap (3.0)", [](R& r) { glGenerateMipmap(r.pick(kTargets)); }},
    {8, "glTexParameteri (3.0)",
     [](R& r) { glTexParameteri(r.pick(kTargets), r.pick(kParameters), GLint(r.pick(kValues))); }},
    {1, "glGetTexParameteriv (3.0)",
     [](R& r) {
         GLint out[4];
         glGetTexParameteriv(r.pick(kTargets), r.pick(kParameters), out);
     }},
    {6, "glSampler*", samplers},
    {4, "glPixelStorei (3.0)",
     [](R& r) {
         glPixelStorei(r.pick({GL_UNPACK_IMAGE_HEIGHT, GL_UNPACK_SKIP_IMAGES, GL_PACK_ROW_LENGTH,
                               GL_PACK_SKIP_ROWS, GL_PACK_SKIP_PIXELS}),
                       r.bounded(8));
     }},
    {4, "pixel buffers", pixel_buffers},
    {4, "glReadPixels (3.0)", read},
    {4, "a good framebuffer (3.0)", good_framebuffer},
    {4, "glBindFramebuffer (3.0)", [](R& r) { glBindFramebuffer(r.pick(kFramebuffers), r.name()); }},
    {4, "glFramebufferTextureLayer",
     [](R& r) {
         glFramebufferTextureLayer(r.pick(kFramebuffers), r.pick(kAttachments), r.name(), r.bounded(3),
                                   r.count(5));
     }},
    {6, "glBlitFramebuffer",
     [](R& r) {
         glBlitFramebuffer(r.count(60), r.count(60), r.count(60), r.count(60), r.count(60), r.count(60),
                           r.count(60), r.count(60),
                           r.below(r.one_in(10) ? 0x20000 : 8) << 12 | (r.boolean() ? 0x4000 : 0),
                           r.pick({GL_NEAREST, GL_LINEAR}));
     }},
    {4, "glClearBuffer*", clear_buffer},
    {2, "glInvalidate*", invalidate},
    {3, "glReadBuffer", [](R& r) { glReadBuffer(r.pick(kAttachments)); }},
    {2, "glGetFramebufferAttachmentParameteriv (3.0)",
     [](R& r) {
         GLint out[4];
         glGetFramebufferAttachmentParameteriv(
             r.pick(kFramebuffers), r.pick(kAttachments),
             r.pick({GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME,
                     GL_FRAMEBUFFER_ATTACHMENT_COMPONENT_TYPE, GL_FRAMEBUFFER_ATTACHMENT_COLOR_ENCODING,
                     GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER, GL_FRAMEBUFFER_ATTACHMENT_RED_SIZE}),
             out);
     }},
};

}  // namespace

std::span<const Command> image_commands() {
    return kCommands;
}

}  // namespace fuzz
