// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Getters, uniforms, debug messages and program binaries, with random arguments, by the rules of
// commands.cpp.
#include "tests/fuzz/commands_es2.h"

namespace fuzz {

using namespace es2;

namespace {

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
    {1, "program binary", program_binary},
    {30, "get", get},
    {30, "uniform", uniform},
    {3, "debug", debug_messages},
};

}  // namespace

std::span<const Command> query_commands() {
    return kCommands;
}

}  // namespace fuzz
