// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every OpenGL ES 2.0 command, and those of the extensions, with random arguments. A call must be one that a
// program may make: pointers are valid for what the arguments name; everything else may be wrong.
#include "tests/fuzz/commands.h"

#include <EGL/egl.h>
#include <GLES2/gl2.h>
#include <GLES2/gl2ext.h>

#include <cstring>
#include <string>

#include "tests/fuzz/shaders.h"

namespace fuzz {

namespace {

using R = Random;

template <typename F>
F extension(const char* name) {
    return reinterpret_cast<F>(eglGetProcAddress(name));
}
#define EXT(type, name) static const auto name = extension<type>(#name)

constexpr std::initializer_list<uint32_t> kTextureTargets = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP};
constexpr std::initializer_list<uint32_t> kImageTargets = {GL_TEXTURE_2D,
                                                           GL_TEXTURE_2D,
                                                           GL_TEXTURE_2D,
                                                           GL_TEXTURE_CUBE_MAP_POSITIVE_X,
                                                           GL_TEXTURE_CUBE_MAP_NEGATIVE_X,
                                                           GL_TEXTURE_CUBE_MAP_POSITIVE_Y,
                                                           GL_TEXTURE_CUBE_MAP_NEGATIVE_Y,
                                                           GL_TEXTURE_CUBE_MAP_POSITIVE_Z,
                                                           GL_TEXTURE_CUBE_MAP_NEGATIVE_Z};
constexpr std::initializer_list<uint32_t> kFormats = {GL_RGBA,
                                                      GL_RGBA,
                                                      GL_RGB,
                                                      GL_ALPHA,
                                                      GL_LUMINANCE,
                                                      GL_LUMINANCE_ALPHA,
                                                      GL_BGRA_EXT,
                                                      GL_DEPTH_COMPONENT,
                                                      GL_DEPTH_STENCIL_OES};
constexpr std::initializer_list<uint32_t> kTypes = {GL_UNSIGNED_BYTE,          GL_UNSIGNED_BYTE,
                                                    GL_UNSIGNED_SHORT_5_6_5,   GL_UNSIGNED_SHORT_4_4_4_4,
                                                    GL_UNSIGNED_SHORT_5_5_5_1, GL_FLOAT,
                                                    GL_HALF_FLOAT_OES,         GL_UNSIGNED_SHORT,
                                                    GL_UNSIGNED_INT,           GL_UNSIGNED_INT_24_8_OES};
constexpr std::initializer_list<uint32_t> kCompare = {GL_NEVER,   GL_LESS,     GL_EQUAL,  GL_LEQUAL,
                                                      GL_GREATER, GL_NOTEQUAL, GL_GEQUAL, GL_ALWAYS};
constexpr std::initializer_list<uint32_t> kFactors = {GL_ZERO,
                                                      GL_ONE,
                                                      GL_SRC_COLOR,
                                                      GL_ONE_MINUS_SRC_COLOR,
                                                      GL_SRC_ALPHA,
                                                      GL_ONE_MINUS_SRC_ALPHA,
                                                      GL_DST_ALPHA,
                                                      GL_ONE_MINUS_DST_ALPHA,
                                                      GL_DST_COLOR,
                                                      GL_ONE_MINUS_DST_COLOR,
                                                      GL_SRC_ALPHA_SATURATE,
                                                      GL_CONSTANT_COLOR,
                                                      GL_ONE_MINUS_CONSTANT_COLOR,
                                                      GL_CONSTANT_ALPHA};
constexpr std::initializer_list<uint32_t> kEquations = {GL_FUNC_ADD, GL_FUNC_SUBTRACT,
                                                        GL_FUNC_REVERSE_SUBTRACT, GL_MIN_EXT, GL_MAX_EXT};
constexpr std::initializer_list<uint32_t> kStencilOps = {GL_KEEP, GL_ZERO,   GL_REPLACE,   GL_INCR,
                                                         GL_DECR, GL_INVERT, GL_INCR_WRAP, GL_DECR_WRAP};
constexpr std::initializer_list<uint32_t> kFaces = {GL_FRONT, GL_BACK, GL_FRONT_AND_BACK};
constexpr std::initializer_list<uint32_t> kCaps = {GL_BLEND,
                                                   GL_CULL_FACE,
                                                   GL_DEPTH_TEST,
                                                   GL_DITHER,
                                                   GL_POLYGON_OFFSET_FILL,
                                                   GL_SAMPLE_ALPHA_TO_COVERAGE,
                                                   GL_SAMPLE_COVERAGE,
                                                   GL_SCISSOR_TEST,
                                                   GL_STENCIL_TEST,
                                                   GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR};
constexpr std::initializer_list<uint32_t> kModes = {GL_TRIANGLES,    GL_TRIANGLES, GL_TRIANGLE_STRIP,
                                                    GL_TRIANGLE_FAN, GL_POINTS,    GL_LINES,
                                                    GL_LINE_STRIP,   GL_LINE_LOOP};
constexpr std::initializer_list<uint32_t> kBuffers = {GL_ARRAY_BUFFER, GL_ELEMENT_ARRAY_BUFFER};
constexpr std::initializer_list<uint32_t> kUsages = {GL_STATIC_DRAW, GL_DYNAMIC_DRAW, GL_STREAM_DRAW};
constexpr std::initializer_list<uint32_t> kAttachments = {GL_COLOR_ATTACHMENT0,     GL_COLOR_ATTACHMENT0,
                                                          GL_COLOR_ATTACHMENT0 + 1, GL_COLOR_ATTACHMENT0 + 7,
                                                          GL_DEPTH_ATTACHMENT,      GL_STENCIL_ATTACHMENT};
constexpr std::initializer_list<uint32_t> kRenderbufferFormats = {GL_RGBA4,
                                                                  GL_RGB565,
                                                                  GL_RGB5_A1,
                                                                  GL_DEPTH_COMPONENT16,
                                                                  GL_STENCIL_INDEX8,
                                                                  GL_RGBA8_OES,
                                                                  GL_RGB8_OES,
                                                                  GL_DEPTH24_STENCIL8_OES,
                                                                  GL_DEPTH_COMPONENT24_OES};
constexpr std::initializer_list<uint32_t> kTexParameters = {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER,
                                                            GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T,
                                                            GL_TEXTURE_MAX_ANISOTROPY_EXT};
constexpr std::initializer_list<uint32_t> kTexValues = {GL_NEAREST,
                                                        GL_LINEAR,
                                                        GL_NEAREST_MIPMAP_NEAREST,
                                                        GL_LINEAR_MIPMAP_NEAREST,
                                                        GL_NEAREST_MIPMAP_LINEAR,
                                                        GL_LINEAR_MIPMAP_LINEAR,
                                                        GL_REPEAT,
                                                        GL_CLAMP_TO_EDGE,
                                                        GL_MIRRORED_REPEAT,
                                                        4};
constexpr std::initializer_list<uint32_t> kAttribTypes = {
    GL_FLOAT, GL_FLOAT, GL_BYTE, GL_UNSIGNED_BYTE, GL_SHORT, GL_UNSIGNED_SHORT, GL_FIXED};
constexpr std::initializer_list<uint32_t> kPixelStores = {GL_PACK_ALIGNMENT, GL_UNPACK_ALIGNMENT,
                                                          GL_UNPACK_ROW_LENGTH_EXT, GL_UNPACK_SKIP_ROWS_EXT,
                                                          GL_UNPACK_SKIP_PIXELS_EXT};
constexpr std::initializer_list<uint32_t> kIndexTypes = {GL_UNSIGNED_BYTE, GL_UNSIGNED_SHORT,
                                                         GL_UNSIGNED_SHORT};

int32_t px(R& r) {
    return r.bounded(r.one_in(8) ? 130 : 20);
}
void gen(R& r, void (*f)(GLsizei, GLuint*)) {
    GLuint names[8];
    f(r.bounded(4), names);
}
void del(R& r, void (*f)(GLsizei, const GLuint*)) {
    const GLuint names[4] = {r.name(), r.name(), r.name(), r.name()};
    f(r.bounded(3), names);
}
GLint location(R& r) {
    return r.one_in(20) ? r.count(1000) : GLint(r.below(12)) - 1;
}

void shader_source(R& r) {
    std::string text = r.one_in(2) ? kVertexTexts[r.below(std::size(kVertexTexts))]
                                   : kFragmentTexts[r.below(std::size(kFragmentTexts))];
    if (r.one_in(6))
        for (uint32_t i = 0; i < 1 + r.below(4); ++i)
            text[r.below(uint32_t(text.size()))] = char(32 + r.below(95));
    const char* strings[] = {text.c_str()};
    const GLint length = GLint(text.size());
    glShaderSource(r.name(), r.one_in(50) ? r.bounded(1) : 1, strings, r.one_in(2) ? &length : nullptr);
}

/// A program that links, from texts that fit, in use: random calls alone rarely get there.
void good_program(R& r) {
    const GLuint p = glCreateProgram(), v = glCreateShader(GL_VERTEX_SHADER),
                 f = glCreateShader(GL_FRAGMENT_SHADER);
    const char* const vt = kVertexTexts[r.below(std::size(kVertexTexts))];
    const char* const ft = kFragmentTexts[r.below(std::size(kFragmentTexts))];
    glShaderSource(v, 1, &vt, nullptr);
    glShaderSource(f, 1, &ft, nullptr);
    glCompileShader(v);
    glCompileShader(f);
    glAttachShader(p, v);
    glAttachShader(p, f);
    glBindAttribLocation(p, 0, "a");
    glLinkProgram(p);
    glUseProgram(p);
    if (r.boolean()) {
        glDeleteShader(v);
        glDeleteShader(f);
        glDeleteProgram(p);
    }
}

void good_framebuffer(R& r) {
    GLuint fb, rb[2];
    glGenFramebuffers(1, &fb);
    glGenRenderbuffers(2, rb);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    const GLsizei w = 1 + GLsizei(r.below(90)), h = 1 + GLsizei(r.below(90));
    glBindRenderbuffer(GL_RENDERBUFFER, rb[0]);
    glRenderbufferStorage(GL_RENDERBUFFER, r.one_in(2) ? GL_RGBA8_OES : GL_RGB565, w, h);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb[0]);
    glBindRenderbuffer(GL_RENDERBUFFER, rb[1]);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8_OES, w, h);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, rb[1]);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, rb[1]);
}

/// Client arrays may be in use: every index stays where the arena has memory (16-bit indices, strides below
/// 256 B).
void draw_elements(R& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
    const auto offset = uintptr_t(r.below(r.one_in(10) ? 100000 : 64));
    const void* const at = bound ? reinterpret_cast<const void*>(offset) : r.aligned_pointer();
    glDrawElements(r.pick(kModes), r.bounded(r.one_in(20) ? 3000 : 60), r.pick(kIndexTypes), at);
}

void instances(R& r) {
    EXT(PFNGLDRAWARRAYSINSTANCEDEXTPROC, glDrawArraysInstancedEXT);
    EXT(PFNGLDRAWELEMENTSINSTANCEDANGLEPROC, glDrawElementsInstancedANGLE);
    EXT(PFNGLVERTEXATTRIBDIVISOREXTPROC, glVertexAttribDivisorEXT);
    const GLsizei n = r.bounded(r.one_in(10) ? 40 : 5);
    GLint bound = 0;
    switch (r.below(4)) {
        case 0:
            glDrawArraysInstancedEXT(r.pick(kModes), r.bounded(40), r.bounded(40), n);
            break;
        case 1:
            glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
            glDrawElementsInstancedANGLE(
                r.pick(kModes), r.bounded(60), r.pick(kIndexTypes),
                bound ? reinterpret_cast<const void*>(uintptr_t(r.below(64))) : r.aligned_pointer(), n);
            break;
        default:
            glVertexAttribDivisorEXT(r.one_in(30) ? r.bits() : r.below(6),
                                     r.one_in(20) ? r.bits() : r.below(3));
    }
}

void draw_buffers(R& r) {
    EXT(PFNGLDRAWBUFFERSEXTPROC, glDrawBuffersEXT);
    GLenum list[10];
    const uint32_t n = r.below(9);
    // Attachment i belongs in place i.
    for (uint32_t i = 0; i < 10; ++i)
        list[i] = r.one_in(10)  ? r.pick({GL_BACK, GL_NONE})
                  : r.one_in(3) ? GLenum(GL_NONE)
                                : GL_COLOR_ATTACHMENT0 + i;
    if (r.one_in(4)) list[0] = GL_BACK;
    glDrawBuffersEXT(r.one_in(30) ? -1 : GLsizei(n), list);
}

/// Several colours of one size, and all of them drawn to.
void good_framebuffer_of_many(R& r) {
    EXT(PFNGLDRAWBUFFERSEXTPROC, glDrawBuffersEXT);
    GLuint fb, texture[4];
    glGenFramebuffers(1, &fb);
    glGenTextures(4, texture);
    glBindFramebuffer(GL_FRAMEBUFFER, fb);
    const GLsizei w = 1 + GLsizei(r.below(90)), h = 1 + GLsizei(r.below(90));
    GLenum list[4];
    const GLsizei n = 1 + GLsizei(r.below(4));
    for (GLsizei i = 0; i < n; ++i) {
        list[i] = r.one_in(6) ? GL_NONE : GL_COLOR_ATTACHMENT0 + GLenum(i);
        glBindTexture(GL_TEXTURE_2D, texture[i]);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + GLenum(i), GL_TEXTURE_2D, texture[i],
                               0);
    }
    glDrawBuffersEXT(n, list);
}

void few_others(R& r) {
    EXT(PFNGLPOLYGONOFFSETCLAMPEXTPROC, glPolygonOffsetClampEXT);
    EXT(PFNGLMAXSHADERCOMPILERTHREADSKHRPROC, glMaxShaderCompilerThreadsKHR);
    EXT(PFNGLCLIPCONTROLEXTPROC, glClipControlEXT);
    EXT(PFNGLDISCARDFRAMEBUFFEREXTPROC, glDiscardFramebufferEXT);
    EXT(PFNGLREADNPIXELSEXTPROC, glReadnPixelsEXT);
    static uint8_t out[1 << 16];
    switch (r.below(5)) {
        case 0:
            return glPolygonOffsetClampEXT(r.real(), r.real(), r.real());
        case 4:
            return glClipControlEXT(r.pick({GL_LOWER_LEFT_EXT, GL_UPPER_LEFT_EXT}),
                                    r.pick({GL_NEGATIVE_ONE_TO_ONE_EXT, GL_ZERO_TO_ONE_EXT}));
        case 1:
            return glMaxShaderCompilerThreadsKHR(r.bits());
        case 2: {
            const GLenum list[3] = {r.pick(kAttachments), r.pick({GL_COLOR_EXT, GL_DEPTH_EXT}),
                                    r.pick({GL_STENCIL_EXT})};
            return glDiscardFramebufferEXT(GL_FRAMEBUFFER, r.bounded(3), list);
        }
        default:
            return glReadnPixelsEXT(r.count(50), r.count(50), px(r), px(r), GL_RGBA, GL_UNSIGNED_BYTE,
                                    r.bounded(sizeof out), out);
    }
}

void vertex_attrib_pointer(R& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    const void* const at =
        bound ? reinterpret_cast<const void*>(uintptr_t(r.below(256))) : r.aligned_pointer();
    glVertexAttribPointer(r.one_in(30) ? r.bits() : r.below(6), r.bounded(5), r.pick(kAttribTypes),
                          r.boolean(), r.one_in(3) ? 0 : r.bounded(255), at);
}

void buffer_data(R& r) {
    const int32_t size = r.bounded(r.one_in(10) ? 300000 : 2000);
    glBufferData(r.pick(kBuffers), size, r.one_in(4) ? nullptr : r.pointer(), r.pick(kUsages));
}

void map_buffer(R& r) {
    EXT(PFNGLMAPBUFFERRANGEEXTPROC, glMapBufferRangeEXT);
    EXT(PFNGLUNMAPBUFFEROESPROC, glUnmapBufferOES);
    EXT(PFNGLFLUSHMAPPEDBUFFERRANGEEXTPROC, glFlushMappedBufferRangeEXT);
    const GLenum target = r.pick(kBuffers);
    const int32_t length = r.bounded(500);
    void* const p = glMapBufferRangeEXT(target, r.bounded(300), length, r.below(64));
    if (p && length > 0) std::memset(p, int(r.below(256)), size_t(length));
    if (r.one_in(3)) glFlushMappedBufferRangeEXT(target, r.bounded(100), r.bounded(100));
    if (!r.one_in(8)) glUnmapBufferOES(target);
}

void vertex_array(R& r) {
    EXT(PFNGLGENVERTEXARRAYSOESPROC, glGenVertexArraysOES);
    EXT(PFNGLBINDVERTEXARRAYOESPROC, glBindVertexArrayOES);
    EXT(PFNGLDELETEVERTEXARRAYSOESPROC, glDeleteVertexArraysOES);
    EXT(PFNGLISVERTEXARRAYOESPROC, glIsVertexArrayOES);
    gen(r, glGenVertexArraysOES);
    glBindVertexArrayOES(r.below(4));
    if (r.one_in(4)) del(r, glDeleteVertexArraysOES);
    (void)glIsVertexArrayOES(r.name());
}

void debug_messages(R& r) {
    EXT(PFNGLOBJECTLABELKHRPROC, glObjectLabelKHR);
    EXT(PFNGLGETOBJECTLABELKHRPROC, glGetObjectLabelKHR);
    EXT(PFNGLDEBUGMESSAGEINSERTKHRPROC, glDebugMessageInsertKHR);
    EXT(PFNGLGETDEBUGMESSAGELOGKHRPROC, glGetDebugMessageLogKHR);
    EXT(PFNGLPUSHDEBUGGROUPKHRPROC, glPushDebugGroupKHR);
    EXT(PFNGLPOPDEBUGGROUPKHRPROC, glPopDebugGroupKHR);
    EXT(PFNGLDEBUGMESSAGECONTROLKHRPROC, glDebugMessageControlKHR);
    static const char text[] = "a message of the fuzzer";
    const uint32_t source = r.pick({GL_DEBUG_SOURCE_APPLICATION_KHR, GL_DEBUG_SOURCE_THIRD_PARTY_KHR});
    const uint32_t kind =
        r.pick({GL_BUFFER_KHR, GL_SHADER_KHR, GL_PROGRAM_KHR, GL_TEXTURE, GL_RENDERBUFFER, GL_FRAMEBUFFER});
    char out[64];
    GLenum enums[4];
    GLuint ids[4];
    GLsizei lengths[4];
    switch (r.below(7)) {
        case 0:
            glObjectLabelKHR(kind, r.name(), r.bounded(20), text);
            break;
        case 1:
            glGetObjectLabelKHR(kind, r.name(), r.bounded(64), lengths, out);
            break;
        case 2:
            glDebugMessageInsertKHR(source, GL_DEBUG_TYPE_OTHER_KHR, r.bits(), GL_DEBUG_SEVERITY_LOW_KHR,
                                    r.bounded(20), text);
            break;
        case 3:
            glGetDebugMessageLogKHR(uint32_t(r.below(5)), r.bounded(64), enums, enums, ids, enums, lengths,
                                    out);
            break;
        case 4:
            glPushDebugGroupKHR(source, r.bits(), r.bounded(20), text);
            break;
        case 5:
            glPopDebugGroupKHR();
            break;
        default:
            glDebugMessageControlKHR(r.pick({GL_DONT_CARE, source}), GL_DONT_CARE, GL_DONT_CARE, 0, nullptr,
                                     r.boolean());
    }
}

void uniform(R& r) {
    const GLint at = location(r);
    const GLsizei n = r.bounded(4);
    switch (r.below(12)) {
        case 0:
            return glUniform1f(at, r.real());
        case 1:
            return glUniform4f(at, r.real(), r.real(), r.real(), r.real());
        case 2:
            return glUniform1i(at, r.count(20));
        case 3:
            return glUniform4fv(at, n, r.array<GLfloat>());
        case 4:
            return glUniform1fv(at, n, r.array<GLfloat>());
        case 5:
            return glUniform2iv(at, n, r.array<GLint>());
        case 6:
            return glUniformMatrix4fv(at, n, r.one_in(10), r.array<GLfloat>());
        case 7:
            return glUniformMatrix3fv(at, n, GL_FALSE, r.array<GLfloat>());
        case 8:
            return glUniformMatrix2fv(at, n, GL_FALSE, r.array<GLfloat>());
        case 9:
            return glUniform3f(at, r.real(), r.real(), r.real());
        case 10:
            return glUniform2fv(at, n, r.array<GLfloat>());
        default:
            return glUniform1iv(at, n, r.array<GLint>());
    }
}

void get(R& r) {
    alignas(8) static uint8_t out[1 << 16];
    const uint32_t what = r.one_in(3) ? 0x0b00 + r.below(0x1600) : 0x8000 + r.below(0x1600);
    switch (r.below(22)) {
        case 0:
            return glGetIntegerv(what, reinterpret_cast<GLint*>(out));
        case 1:
            return glGetFloatv(what, reinterpret_cast<GLfloat*>(out));
        case 2:
            return glGetBooleanv(what, out);
        case 3:
            return (void)glGetString(r.pick({GL_VENDOR, GL_RENDERER, GL_VERSION, GL_EXTENSIONS}));
        case 4:
            return glGetTexParameteriv(r.pick(kTextureTargets), r.pick(kTexParameters),
                                       reinterpret_cast<GLint*>(out));
        case 5:
            return glGetBufferParameteriv(r.pick(kBuffers), r.pick({GL_BUFFER_SIZE, GL_BUFFER_USAGE}),
                                          reinterpret_cast<GLint*>(out));
        case 6:
            return glGetProgramiv(r.name(), r.pick({GL_LINK_STATUS, GL_ACTIVE_UNIFORMS, GL_INFO_LOG_LENGTH}),
                                  reinterpret_cast<GLint*>(out));
        case 7:
            return glGetProgramInfoLog(r.name(), r.bounded(1000), nullptr, reinterpret_cast<GLchar*>(out));
        case 8:
            return glGetShaderiv(r.name(), r.pick({GL_COMPILE_STATUS, GL_SHADER_TYPE}),
                                 reinterpret_cast<GLint*>(out));
        case 9:
            return glGetShaderSource(r.name(), r.bounded(1000), nullptr, reinterpret_cast<GLchar*>(out));
        case 10: {
            GLsizei length;
            GLint size;
            GLenum type;
            return glGetActiveUniform(r.name(), r.below(8), r.bounded(100), &length, &size, &type,
                                      reinterpret_cast<GLchar*>(out));
        }
        case 11:
            return glGetUniformfv(r.name(), location(r), reinterpret_cast<GLfloat*>(out));
        case 12:
            return (void)glGetUniformLocation(r.name(), r.pick({0, 1}) ? "s[1].m" : "c");
        case 13:
            return glGetVertexAttribfv(r.below(18),
                                       r.pick({GL_CURRENT_VERTEX_ATTRIB, GL_VERTEX_ATTRIB_ARRAY_SIZE}),
                                       reinterpret_cast<GLfloat*>(out));
        case 14:
            return glGetFramebufferAttachmentParameteriv(
                GL_FRAMEBUFFER, r.pick(kAttachments),
                r.pick({GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME}),
                reinterpret_cast<GLint*>(out));
        case 15:
            return glGetRenderbufferParameteriv(GL_RENDERBUFFER,
                                                r.pick({GL_RENDERBUFFER_WIDTH, GL_RENDERBUFFER_RED_SIZE}),
                                                reinterpret_cast<GLint*>(out));
        case 16:
            return glGetShaderPrecisionFormat(
                r.pick({GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}), r.pick({GL_LOW_FLOAT, GL_HIGH_INT}),
                reinterpret_cast<GLint*>(out), reinterpret_cast<GLint*>(out) + 2);
        case 17:
            return glGetAttachedShaders(r.name(), r.bounded(3), nullptr, reinterpret_cast<GLuint*>(out));
        case 18:
            return (void)glGetAttribLocation(r.name(), "b");
        case 19: {
            GLsizei length;
            GLint size;
            GLenum type;
            return glGetActiveAttrib(r.name(), r.below(4), r.bounded(100), &length, &size, &type,
                                     reinterpret_cast<GLchar*>(out));
        }
        case 20:
            return glGetShaderInfoLog(r.name(), r.bounded(1000), nullptr, reinterpret_cast<GLchar*>(out));
        default:
            return (void)glGetError();
    }
}

void program_binary(R& r) {
    EXT(PFNGLGETPROGRAMBINARYOESPROC, glGetProgramBinaryOES);
    EXT(PFNGLPROGRAMBINARYOESPROC, glProgramBinaryOES);
    static uint8_t out[1 << 16];
    GLsizei length = 0;
    GLenum format = 0;
    glGetProgramBinaryOES(r.name(), GLsizei(sizeof out), &length, &format, out);
    if (length > 0 && r.one_in(2)) out[r.below(uint32_t(length))] ^= uint8_t(1 << r.below(8));
    if (length > 0)
        glProgramBinaryOES(r.name(), format, out, r.one_in(8) ? r.bounded(uint32_t(length)) : length);
}

const Command kCommands[] = {
    {1, "shader source", shader_source},
    {2, "program", good_program},
    {6, "framebuffer", good_framebuffer},
    {1, "program binary", program_binary},
    {30, "get", get},
    {30, "uniform", uniform},
    {3, "debug", debug_messages},
    {4, "vertex array", vertex_array},
    {6, "map buffer", map_buffer},
    {12, "instances", instances},
    {4, "draw buffers", draw_buffers},
    {2, "framebuffer of many", good_framebuffer_of_many},
    {4, "few others", few_others},
    {25, "glDrawArrays",
     [](R& r) { glDrawArrays(r.pick(kModes), r.bounded(40), r.bounded(r.one_in(20) ? 3000 : 40)); }},
    {25, "glDrawElements", draw_elements},
    {25, "glVertexAttribPointer", vertex_attrib_pointer},
    {8, "glBufferData", buffer_data},
    {5, "glBufferSubData",
     [](R& r) { glBufferSubData(r.pick(kBuffers), r.count(1000), r.bounded(2000), r.pointer()); }},
    {5, "glActiveTexture", [](R& r) { glActiveTexture(GL_TEXTURE0 + uint32_t(r.count(8))); }},
    {1, "glAttachShader", [](R& r) { glAttachShader(r.name(), r.name()); }},
    {1, "glDetachShader", [](R& r) { glDetachShader(r.name(), r.name()); }},
    {1, "glBindAttribLocation",
     [](R& r) { glBindAttribLocation(r.name(), r.below(20), r.one_in(9) ? "gl_x" : "b"); }},
    {10, "glBindBuffer", [](R& r) { glBindBuffer(r.pick(kBuffers), r.name()); }},
    {5, "glBindFramebuffer", [](R& r) { glBindFramebuffer(GL_FRAMEBUFFER, r.one_in(2) ? 0 : r.name()); }},
    {5, "glBindRenderbuffer", [](R& r) { glBindRenderbuffer(GL_RENDERBUFFER, r.name()); }},
    {10, "glBindTexture", [](R& r) { glBindTexture(r.pick(kTextureTargets), r.name()); }},
    {3, "glBlendColor", [](R& r) { glBlendColor(r.real(), r.real(), r.real(), r.real()); }},
    {3, "glBlendEquation", [](R& r) { glBlendEquation(r.pick(kEquations)); }},
    {3, "glBlendEquationSeparate",
     [](R& r) { glBlendEquationSeparate(r.pick(kEquations), r.pick(kEquations)); }},
    {3, "glBlendFunc", [](R& r) { glBlendFunc(r.pick(kFactors), r.pick(kFactors)); }},
    {3, "glBlendFuncSeparate",
     [](R& r) {
         glBlendFuncSeparate(r.pick(kFactors), r.pick(kFactors), r.pick(kFactors), r.pick(kFactors));
     }},
    {2, "glCheckFramebufferStatus", [](R& r) { (void)glCheckFramebufferStatus(r.pick({GL_FRAMEBUFFER})); }},
    {8, "glClear", [](R& r) { glClear(r.one_in(20) ? r.bits() : (r.below(8) * 0x100) & 0x4500); }},
    {2, "glClearColor", [](R& r) { glClearColor(r.real(), r.real(), r.real(), r.real()); }},
    {2, "glClearDepthf", [](R& r) { glClearDepthf(r.real()); }},
    {2, "glClearStencil", [](R& r) { glClearStencil(r.count(300)); }},
    {3, "glColorMask", [](R& r) { glColorMask(r.boolean(), r.boolean(), r.boolean(), r.boolean()); }},
    {1, "glCompileShader", [](R& r) { glCompileShader(r.name()); }},
    {2, "glCompressedTexImage2D",
     [](R& r) {
         const GLsizei w = px(r), h = px(r);
         const GLsizei size = r.one_in(4) ? r.bounded(500) : ((w + 3) / 4) * ((h + 3) / 4) * 8;
         glCompressedTexImage2D(r.pick(kImageTargets), r.bounded(3), GL_ETC1_RGB8_OES, w, h, r.one_in(20),
                                size, r.pointer());
     }},
    {4, "glCopyTexImage2D",
     [](R& r) {
         glCopyTexImage2D(r.pick(kImageTargets), r.bounded(3), r.pick(kFormats), r.count(50), r.count(50),
                          px(r), px(r), 0);
     }},
    {4, "glCopyTexSubImage2D",
     [](R& r) {
         glCopyTexSubImage2D(r.pick(kImageTargets), r.bounded(3), r.count(20), r.count(20), r.count(50),
                             r.count(50), px(r), px(r));
     }},
    {1, "glCreateProgram", [](R&) { (void)glCreateProgram(); }},
    {1, "glCreateShader",
     [](R& r) {
         (void)glCreateShader(r.pick({GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}));
     }},
    {3, "glCullFace", [](R& r) { glCullFace(r.pick(kFaces)); }},
    {2, "glDeleteBuffers", [](R& r) { del(r, glDeleteBuffers); }},
    {1, "glDeleteFramebuffers", [](R& r) { del(r, glDeleteFramebuffers); }},
    {1, "glDeleteProgram", [](R& r) { glDeleteProgram(r.name()); }},
    {1, "glDeleteRenderbuffers", [](R& r) { del(r, glDeleteRenderbuffers); }},
    {1, "glDeleteShader", [](R& r) { glDeleteShader(r.name()); }},
    {2, "glDeleteTextures", [](R& r) { del(r, glDeleteTextures); }},
    {3, "glDepthFunc", [](R& r) { glDepthFunc(r.pick(kCompare)); }},
    {3, "glDepthMask", [](R& r) { glDepthMask(r.boolean()); }},
    {3, "glDepthRangef", [](R& r) { glDepthRangef(r.real(), r.real()); }},
    {10, "glDisable", [](R& r) { glDisable(r.pick(kCaps)); }},
    {8, "glEnable", [](R& r) { glEnable(r.pick(kCaps)); }},
    {8, "glDisableVertexAttribArray", [](R& r) { glDisableVertexAttribArray(r.below(18)); }},
    {8, "glEnableVertexAttribArray", [](R& r) { glEnableVertexAttribArray(r.below(4)); }},
    {1, "glFinish", [](R&) { glFinish(); }},
    {2, "glFlush", [](R&) { glFlush(); }},
    {4, "glFramebufferRenderbuffer",
     [](R& r) {
         glFramebufferRenderbuffer(GL_FRAMEBUFFER, r.pick(kAttachments), GL_RENDERBUFFER, r.name());
     }},
    {6, "glFramebufferTexture2D",
     [](R& r) {
         glFramebufferTexture2D(GL_FRAMEBUFFER, r.pick(kAttachments), r.pick(kImageTargets), r.name(),
                                r.bounded(3));
     }},
    {3, "glFrontFace",
     [](R& r) {
         glFrontFace(r.pick({GL_CW, GL_CCW}));
     }},
    {4, "glGenBuffers", [](R& r) { gen(r, glGenBuffers); }},
    {2, "glGenFramebuffers", [](R& r) { gen(r, glGenFramebuffers); }},
    {2, "glGenRenderbuffers", [](R& r) { gen(r, glGenRenderbuffers); }},
    {4, "glGenTextures", [](R& r) { gen(r, glGenTextures); }},
    {3, "glGenerateMipmap", [](R& r) { glGenerateMipmap(r.pick(kTextureTargets)); }},
    {1, "glHint",
     [](R& r) {
         glHint(r.pick({GL_GENERATE_MIPMAP_HINT}), r.pick({GL_FASTEST, GL_NICEST}));
     }},
    {2, "glIs",
     [](R& r) {
         const GLuint n = r.name();
         (void)(glIsBuffer(n) + glIsTexture(n) + glIsProgram(n) + glIsShader(n) + glIsFramebuffer(n) +
                glIsRenderbuffer(n));
         (void)glIsEnabled(r.pick(kCaps));
     }},
    {2, "glLineWidth", [](R& r) { glLineWidth(r.real()); }},
    {1, "glLinkProgram", [](R& r) { glLinkProgram(r.name()); }},
    {4, "glPixelStorei", [](R& r) { glPixelStorei(r.pick(kPixelStores), r.bounded(r.one_in(3) ? 200 : 8)); }},
    {2, "glPolygonOffset", [](R& r) { glPolygonOffset(r.real(), r.real()); }},
    {4, "glReadPixels",
     [](R& r) {
         static uint8_t out[1 << 20];
         glReadPixels(r.count(50), r.count(50), px(r), px(r),
                      r.pick({GL_RGBA, GL_RGBA, GL_BGRA_EXT, GL_ALPHA}),
                      r.pick({GL_UNSIGNED_BYTE, GL_UNSIGNED_BYTE, GL_FLOAT, GL_UNSIGNED_SHORT_5_6_5}), out);
     }},
    {1, "glReleaseShaderCompiler", [](R&) { glReleaseShaderCompiler(); }},
    {3, "glRenderbufferStorage",
     [](R& r) { glRenderbufferStorage(GL_RENDERBUFFER, r.pick(kRenderbufferFormats), px(r), px(r)); }},
    {2, "glSampleCoverage", [](R& r) { glSampleCoverage(r.real(), r.boolean()); }},
    {3, "glScissor", [](R& r) { glScissor(r.count(50), r.count(50), r.count(90), r.count(90)); }},
    {3, "glStencilFunc", [](R& r) { glStencilFunc(r.pick(kCompare), r.count(300), r.bits()); }},
    {3, "glStencilFuncSeparate",
     [](R& r) { glStencilFuncSeparate(r.pick(kFaces), r.pick(kCompare), r.count(300), r.bits()); }},
    {3, "glStencilMask", [](R& r) { glStencilMask(r.bits()); }},
    {3, "glStencilOp",
     [](R& r) { glStencilOp(r.pick(kStencilOps), r.pick(kStencilOps), r.pick(kStencilOps)); }},
    {3, "glStencilOpSeparate",
     [](R& r) {
         glStencilOpSeparate(r.pick(kFaces), r.pick(kStencilOps), r.pick(kStencilOps), r.pick(kStencilOps));
     }},
    {8, "glTexImage2D",
     [](R& r) {
         const uint32_t format = r.pick(kFormats);
         glTexImage2D(r.pick(kImageTargets), r.bounded(4), GLint(r.one_in(20) ? r.pick(kFormats) : format),
                      px(r), px(r), r.one_in(30), format, r.pick(kTypes),
                      r.one_in(4) ? nullptr : r.aligned_pointer());
     }},
    {6, "glTexSubImage2D",
     [](R& r) {
         glTexSubImage2D(r.pick(kImageTargets), r.bounded(3), r.count(10), r.count(10), px(r), px(r),
                         r.pick(kFormats), r.pick(kTypes), r.aligned_pointer());
     }},
    {8, "glTexParameteri",
     [](R& r) {
         glTexParameteri(r.pick(kTextureTargets), r.pick(kTexParameters), GLint(r.pick(kTexValues)));
     }},
    {2, "glTexParameterf",
     [](R& r) { glTexParameterf(r.pick(kTextureTargets), r.pick(kTexParameters), r.real()); }},
    {6, "glUseProgram", [](R& r) { glUseProgram(r.name()); }},
    {1, "glValidateProgram", [](R& r) { glValidateProgram(r.name()); }},
    {5, "glVertexAttrib4f",
     [](R& r) { glVertexAttrib4f(r.below(18), r.real(), r.real(), r.real(), r.real()); }},
    {3, "glViewport", [](R& r) { glViewport(r.count(30), r.count(30), r.count(120), r.count(120)); }},
};

}  // namespace

std::span<const Command> commands() {
    return kCommands;
}

std::vector<const Command*> weighted_commands() {
    std::vector<const Command*> table;
    for (const std::span<const Command> list : {commands(), image_commands()})
        for (const Command& c : list)
            table.insert(table.end(), c.weight, &c);
    return table;
}

}  // namespace fuzz
