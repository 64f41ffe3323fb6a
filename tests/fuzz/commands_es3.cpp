// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands that OpenGL ES 3.0 and 3.1 add, except images of 3.0, with random arguments, by the rules of
// commands.cpp.
#include <cstring>
#include <string>

#include "tests/fuzz/commands_es3.h"

namespace fuzz {

/// From EXT_clip_cull_distance.
constexpr GLenum kClipDistance0 = 0x3000, kClipDistance3 = 0x3003;

using namespace es3;

namespace {

constexpr std::initializer_list<uint32_t> kBuffers = {
    GL_ARRAY_BUFFER,      GL_ELEMENT_ARRAY_BUFFER, GL_COPY_READ_BUFFER,          GL_COPY_WRITE_BUFFER,
    GL_PIXEL_PACK_BUFFER, GL_PIXEL_UNPACK_BUFFER,  GL_TRANSFORM_FEEDBACK_BUFFER, GL_UNIFORM_BUFFER};
constexpr std::initializer_list<uint32_t> kQueries = {
    GL_ANY_SAMPLES_PASSED, GL_ANY_SAMPLES_PASSED_CONSERVATIVE, GL_TRANSFORM_FEEDBACK_PRIMITIVES_WRITTEN};
constexpr const char* kVertexTexts[] = {
    "#version 300 es\nin vec4 a; in ivec4 b; out vec4 v; flat out ivec4 w;\n"
    "layout(std140) uniform A { vec4 x[4]; mat3 y; int z; };\n"
    "void main() { gl_Position = a + x[z & 3]; v = vec4(y * a.xyz, float(gl_VertexID)); w = b + "
    "gl_InstanceID;\n"
    "gl_PointSize = 3.0; }",
    "#version 300 es\nin vec4 a; uniform uvec4 u[2]; out vec4 v; flat out ivec4 w; void main() {\n"
    "gl_Position = a; v = a.wzyx * vec4(u[gl_VertexID & 1]); w = ivec4(a); }"};
constexpr const char* kFragmentTexts[] = {
    "#version 300 es\nprecision highp float; in vec4 v; flat in ivec4 w; uniform B { vec4 c; int n[3]; } "
    "b[2];\n"
    "out vec4 o; void main() { o = b[1].c * v + float(w.x + b[0].n[2]); }",
    "#version 300 es\nprecision highp float; precision highp sampler2DArray; precision highp sampler3D;\n"
    "in vec4 v; uniform sampler2DArray s; uniform sampler3D t; uniform sampler2D r;\n"
    "layout(location = 0) out vec4 o; layout(location = 1) out vec4 p; void main() {\n"
    "o = texture(s, v.xyz) + texelFetch(r, ivec2(v.xy), int(v.z)); p = textureLod(t, v.xyz, v.w); }"};

/// A program with transform feedback that usually links.
void program(R& r) {
    const GLuint p = glCreateProgram();
    for (const GLenum type : {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER}) {
        const GLuint s = glCreateShader(type);
        const char* text = type == GL_VERTEX_SHADER ? kVertexTexts[r.below(2)] : kFragmentTexts[r.below(2)];
        glShaderSource(s, 1, &text, nullptr);
        glCompileShader(s);
        glAttachShader(p, s);
        glDeleteShader(s);
    }
    const char* const names[] = {"v", "gl_Position", "w", r.one_in(20) ? "none" : "gl_PointSize"};
    if (r.one_in(2))
        glTransformFeedbackVaryings(p, r.bounded(4), names,
                                    r.pick({GL_INTERLEAVED_ATTRIBS, GL_SEPARATE_ATTRIBS}));
    glLinkProgram(p);
    for (GLuint i = 0; i < 3; ++i)
        glUniformBlockBinding(p, i, r.below(6));
    glUseProgram(p);
    const char* const samplers[] = {"r", "s", "t"};
    for (GLint i = 0; i < 3; ++i)  // a unit for each, otherwise draws fail
        glUniform1i(glGetUniformLocation(p, samplers[i]), i);
    if (r.one_in(2)) glDeleteProgram(p);
}

void bind_buffers(R& r) {
    for (GLuint i = 0; i < 4; ++i) {
        const GLenum target = r.pick({GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER});
        if (r.one_in(2))
            glBindBufferBase(target, r.one_in(30) ? r.bits() : r.below(5), r.name());
        else
            glBindBufferRange(target, r.below(5), r.name(), GLintptr(r.count(8)) * 16,
                              r.one_in(20) ? GLsizeiptr(r.bits()) : r.bounded(500) * 4);
    }
}

void map_buffer(R& r) {
    const GLenum target = r.pick(kBuffers);
    const GLsizeiptr size = r.bounded(200);
    const GLbitfield access =
        r.one_in(10)
            ? r.bits()
            : GLbitfield(r.pick({GL_MAP_READ_BIT, GL_MAP_WRITE_BIT, GL_MAP_READ_BIT | GL_MAP_WRITE_BIT})) |
                  (r.one_in(3) ? GLbitfield(GL_MAP_INVALIDATE_RANGE_BIT) : 0) |
                  (r.one_in(4) ? GLbitfield(GL_MAP_UNSYNCHRONIZED_BIT) : 0);
    void* const p = glMapBufferRange(target, r.count(64), size, access);
    if (p && (access & GL_MAP_WRITE_BIT)) std::memset(p, int(r.bits()), size_t(size));
    if (!r.one_in(8)) glUnmapBuffer(target);
}

void feedback(R& r) {
    GLuint n = r.name();
    switch (r.below(8)) {
        case 0:
            return glGenTransformFeedbacks(1, &n);
        case 1:
            return glDeleteTransformFeedbacks(1, &n);
        case 2:
            return glBindTransformFeedback(r.pick({GL_TRANSFORM_FEEDBACK}), n);
        case 3:
            glPauseTransformFeedback();
            return glResumeTransformFeedback();
        case 4:
            return glEndTransformFeedback();
        case 5:
            return glPauseTransformFeedback();
        default: {
            const GLenum mode = r.pick({GL_POINTS, GL_LINES, GL_TRIANGLES});
            glBeginTransformFeedback(mode);
            glDrawArraysInstanced(mode, r.bounded(40), r.bounded(r.one_in(20) ? 3000 : 40), r.bounded(4));
            if (!r.one_in(4)) glEndTransformFeedback();
        }
    }
}

void queries(R& r) {
    GLuint n = r.name();
    switch (r.below(6)) {
        case 0:
            return glGenQueries(1, &n);
        case 1:
            return glDeleteQueries(1, &n);
        case 2:
            return glEndQuery(r.pick(kQueries));
        case 3:
            return glGetQueryObjectuiv(n, r.pick({GL_QUERY_RESULT, GL_QUERY_RESULT_AVAILABLE}),
                                       r.array<GLuint>());
        case 4:
            return glGetQueryiv(r.pick(kQueries), r.pick({GL_CURRENT_QUERY}), r.array<GLint>());
        default:
            return glBeginQuery(r.pick(kQueries), n);
    }
}

void syncs(R& r) {
    GLsync s = r.one_in(3)
                   ? reinterpret_cast<GLsync>(uintptr_t(r.name()))
                   : glFenceSync(r.pick({GL_SYNC_GPU_COMMANDS_COMPLETE}), r.one_in(20) ? r.bits() : 0);
    switch (r.below(4)) {
        case 0:
            glClientWaitSync(s, r.below(3), r.one_in(2) ? 0 : 1000000);
            break;
        case 1:
            glWaitSync(s, r.one_in(20) ? 1 : 0, GL_TIMEOUT_IGNORED);
            break;
        case 2:
            glGetSynciv(s, r.pick({GL_SYNC_STATUS, GL_OBJECT_TYPE, GL_SYNC_FLAGS}), r.bounded(2), nullptr,
                        r.array<GLint>());
            break;
        default:
            glIsSync(s);
    }
    if (!r.one_in(10)) glDeleteSync(s);
}

void attributes(R& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ARRAY_BUFFER_BINDING, &bound);
    const void* const at =
        bound ? reinterpret_cast<const void*>(uintptr_t(r.below(200))) : r.aligned_pointer();
    const GLuint i = r.one_in(30) ? r.bits() : r.below(6);
    switch (r.below(5)) {
        case 0:
            return glVertexAttribIPointer(i, GLint(r.below(5)), r.pick({GL_INT, GL_UNSIGNED_SHORT, GL_BYTE}),
                                          r.bounded(64), at);
        case 1:
            return glVertexAttribPointer(i, r.one_in(2) ? 4 : GLint(r.below(5)),
                                         r.pick({GL_HALF_FLOAT, GL_INT_2_10_10_10_REV, GL_UNSIGNED_INT,
                                                 GL_UNSIGNED_INT_2_10_10_10_REV}),
                                         r.boolean(), r.bounded(64), at);
        case 2:
            return glVertexAttribI4i(i, GLint(r.bits()), 1, 2, 3);
        case 3:
            return glVertexAttribI4uiv(i, r.array<GLuint>());
        default:
            return glVertexAttribDivisor(i, r.below(3));
    }
}

void draws(R& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
    const void* const at =
        bound ? reinterpret_cast<const void*>(uintptr_t(r.below(64))) : r.aligned_pointer();
    if (r.one_in(3)) (r.one_in(2) ? glEnable : glDisable)(GL_PRIMITIVE_RESTART_FIXED_INDEX);
    if (r.one_in(20)) (r.one_in(3) ? glEnable : glDisable)(GL_RASTERIZER_DISCARD);
    switch (r.below(3)) {
        case 0:
            return glDrawRangeElements(r.pick(kModes), r.below(4), r.bits(), r.bounded(60),
                                       r.pick(kIndexTypes), at);
        case 1:
            return glDrawElementsInstanced(r.pick(kModes), r.bounded(60), r.pick(kIndexTypes), at,
                                           r.bounded(5));
        default:
            return glDrawArraysInstanced(r.pick(kModes), r.bounded(40), r.bounded(60), r.bounded(5));
    }
}

void program_queries(R& r) {
    const GLuint p = r.name();
    const char* const names[] = {"A", "B[1]", "x", "B.n[0]"};
    auto* const out = r.array<GLint>();
    char text[32];
    const GLuint some[] = {r.below(8), r.below(8)};
    switch (r.below(9)) {
        case 0:
            return glGetUniformIndices(p, r.bounded(4), names, reinterpret_cast<GLuint*>(out));
        case 1:
            return glGetActiveUniformsiv(p, r.bounded(2), some, r.pick({GL_UNIFORM_OFFSET, GL_UNIFORM_TYPE}),
                                         out);
        case 2:
            return glGetActiveUniformBlockiv(
                p, r.below(4), r.pick({GL_UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES, GL_UNIFORM_BLOCK_DATA_SIZE}),
                out);
        case 3:
            return glGetActiveUniformBlockName(p, r.below(4), r.bounded(32), nullptr, text);
        case 4:
            return glUniformBlockBinding(p, r.below(4), r.one_in(20) ? r.bits() : r.below(80));
        case 5:
            return glGetTransformFeedbackVarying(p, r.below(4), r.bounded(32), nullptr, out,
                                                 reinterpret_cast<GLenum*>(out) + 1, text);
        case 6:
            glGetFragDataLocation(p, "o");
            return glGetUniformuiv(p, GLint(r.below(4)), reinterpret_cast<GLuint*>(out));
        case 7:
            return glUniform4uiv(GLint(r.below(4)), r.bounded(3), r.array<GLuint>());
        default:
            return glUniformMatrix3x2fv(GLint(r.below(4)), r.bounded(3), r.boolean(), r.array<GLfloat>());
    }
}

void state(R& r) {
    auto* const out = r.array<GLint64>();
    switch (r.below(4)) {
        case 0:
            return glGetIntegeri_v(r.pick({GL_UNIFORM_BUFFER_BINDING, GL_TRANSFORM_FEEDBACK_BUFFER_SIZE}),
                                   r.below(80), reinterpret_cast<GLint*>(out));
        case 1:
            return glGetInteger64v(r.pick({GL_MAX_ELEMENT_INDEX, GL_READ_BUFFER, GL_SAMPLER_BINDING}), out);
        case 2:
            return glGetInternalformativ(GL_RENDERBUFFER, r.pick(kFormats),
                                         r.pick({GL_SAMPLES, GL_NUM_SAMPLE_COUNTS}), r.bounded(4),
                                         reinterpret_cast<GLint*>(out));
        default:
            (void)glGetStringi(GL_EXTENSIONS, r.below(80));
    }
}

void vertex_bindings(R& r) {
    const GLuint i = r.one_in(30) ? r.bits() : r.below(6), b = r.one_in(30) ? r.bits() : r.below(6);
    switch (r.below(5)) {
        case 0:
            return glVertexAttribFormat(i, GLint(r.below(5)), r.pick({GL_FLOAT, GL_BYTE, GL_HALF_FLOAT}),
                                        r.boolean(), r.below(40));
        case 1:
            return glVertexAttribIFormat(i, GLint(r.below(5)), r.pick({GL_INT, GL_UNSIGNED_SHORT}),
                                         r.one_in(20) ? r.bits() : r.below(40));
        case 2:
            return glVertexAttribBinding(i, b);
        case 3:
            return glVertexBindingDivisor(b, r.below(3));
        default:
            return glBindVertexBuffer(b, r.name(), r.count(100), r.bounded(64));
    }
}

/// Draws and dispatches with small numbers. Larger numbers only take longer.
void indirect(R& r) {
    const GLuint words[6] = {r.below(40), r.below(4), r.below(20), r.below(4), r.below(2), r.below(3)};
    const GLenum target = r.pick({GL_DRAW_INDIRECT_BUFFER, GL_DISPATCH_INDIRECT_BUFFER});
    glBindBuffer(target, r.name());
    glGetError();
    glBufferData(target, r.bounded(sizeof words), words, GL_STATIC_DRAW);
    if (glGetError() != GL_NO_ERROR) return;  // another bound buffer may have a smaller size
    const void* const at = reinterpret_cast<const void*>(uintptr_t(r.below(3) * 4));
    switch (target == GL_DISPATCH_INDIRECT_BUFFER ? r.below(2) : 2 + r.below(2)) {
        case 0:
            return glDispatchComputeIndirect(GLintptr(r.below(3) * 4));
        case 1:
            return glDispatchCompute(r.below(3), r.below(3), r.one_in(20) ? r.bits() | 1u << 20 : r.below(3));
        case 2:
            return glDrawElementsIndirect(r.pick(kModes), r.pick(kIndexTypes), at);
        default:
            return glDrawArraysIndirect(r.pick(kModes), at);
    }
}

void state31(R& r) {
    auto* const out = r.array<GLint>();
    const GLuint n = r.name();
    switch (r.below(13)) {
        case 9:
            return glGetMultisamplefv(r.pick({GL_SAMPLE_POSITION, GL_SAMPLES}), r.below(9),
                                      r.array<GLfloat>());
        case 10:
            return glMinSampleShading(r.real());
        case 11:
            return (r.one_in(2) ? glEnable : glDisable)(
                r.pick({GL_SAMPLE_SHADING, GL_SAMPLE_MASK, kClipDistance0, kClipDistance3}));
        case 12:
            glBlendEquation(r.pick({GL_MULTIPLY, GL_COLORDODGE, GL_SOFTLIGHT, GL_HSL_HUE, GL_FUNC_ADD}));
            return glBlendBarrier();
        case 0:
            return glBindImageTexture(r.below(9), n, GLint(r.below(4)), r.boolean(), GLint(r.below(4)),
                                      r.pick({GL_READ_ONLY, GL_WRITE_ONLY, GL_READ_WRITE}),
                                      r.pick({GL_RGBA8, GL_R32UI, GL_RGBA32F, GL_RGB8}));
        case 1:
            return glMemoryBarrier(r.one_in(2) ? GL_ALL_BARRIER_BITS : r.bits());
        case 2:
            return glMemoryBarrierByRegion(r.one_in(2) ? GL_ALL_BARRIER_BITS : r.bits());
        case 3:
            return glSampleMaski(r.below(2), r.bits());
        case 4:
            glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, n);
            return glTexStorage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, r.bounded(9), r.pick(kFormats),
                                             r.bounded(40), r.bounded(40), r.boolean());
        case 5:
            return glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE, n,
                                          0);
        case 6:
            return glFramebufferParameteri(
                GL_FRAMEBUFFER,
                r.pick({GL_FRAMEBUFFER_DEFAULT_WIDTH, GL_FRAMEBUFFER_DEFAULT_HEIGHT,
                        GL_FRAMEBUFFER_DEFAULT_SAMPLES}),
                GLint(r.below(40)));
        case 7:
            return glGetTexLevelParameteriv(r.pick({GL_TEXTURE_2D, GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_3D}),
                                            GLint(r.below(4)),
                                            r.pick({GL_TEXTURE_RED_TYPE, GL_TEXTURE_DEPTH_SIZE}), out);
        default:
            return glBindBufferRange(r.pick({GL_SHADER_STORAGE_BUFFER, GL_ATOMIC_COUNTER_BUFFER}), r.below(5),
                                     n, GLintptr(r.count(8)) * 16, r.bounded(500));
    }
}

const Command kCommands[] = {
    {4, "program of ES 3", program},
    {10, "bind buffers", bind_buffers},
    {8, "glBindBuffer", [](R& r) { glBindBuffer(r.pick(kBuffers), r.one_in(2) ? 0 : r.name()); }},
    {8, "glBufferData",
     [](R& r) {
         glBufferData(r.pick(kBuffers), r.bounded(4000), r.one_in(3) ? nullptr : r.array<uint8_t>(),
                      r.pick({GL_STATIC_DRAW, GL_DYNAMIC_COPY, GL_STREAM_READ}));
     }},
    {6, "glCopyBufferSubData",
     [](R& r) {
         glCopyBufferSubData(r.pick(kBuffers), r.pick(kBuffers), r.count(64), r.count(64),
                             r.one_in(30) ? GLsizeiptr(r.bits()) : r.bounded(200));
     }},
    {4, "map a buffer", map_buffer},
    {20, "transform feedback", feedback},
    {8, "queries", queries},
    {5, "sync objects", syncs},
    {10, "attributes of ES 3", attributes},
    {20, "draws of ES 3", draws},
    {10, "queries of programs", program_queries},
    {4, "state of ES 3", state},
    {8, "vertex bindings", vertex_bindings},
    {8, "indirect draws and dispatches", indirect},
    {8, "state of ES 3.1", state31},
};

}  // namespace

std::span<const Command> es3_commands() {
    return kCommands;
}

}  // namespace fuzz
