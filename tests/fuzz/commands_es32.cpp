// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Commands that OpenGL ES 3.2 adds, and programs with geometry and tessellation stages, with random
// arguments, by the rules of commands.cpp.
#include <string>

#include "shader_seeds.h"
#include "tests/fuzz/commands_es2.h"
#include "tests/fuzz/commands_es3.h"
#include "tests/fuzz/program_texts.h"

namespace fuzz {

using namespace es3;

namespace {

/// Enumerators of geometry and tessellation stages.
void patches(R& r) {
    switch (r.below(3)) {
        case 0:
            return glPatchParameteri(r.one_in(10) ? r.bits() : GL_PATCH_VERTICES, GLint(r.bounded(34)));
        case 1:
            return glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + r.below(2), r.name(),
                                        GLint(r.below(3)));
        default:
            return glDrawArrays(r.pick({GL_PATCHES, GL_LINES_ADJACENCY, GL_LINE_STRIP_ADJACENCY,
                                        GL_TRIANGLES_ADJACENCY, GL_TRIANGLE_STRIP_ADJACENCY}),
                                r.bounded(40), r.bounded(60));
    }
}

/// The stages of the seeds that have geometry or tessellation stages.
using Texts = std::array<std::string, kStages>;
const std::vector<Texts>& texts_of_many_stages() {
    static const std::vector<Texts> texts = [] {
        std::vector<Texts> all;
        for (const char* const seed : kShaderSeeds) {
            const ProgramTexts p = split_program(seed);
            if (p[Stage::Geometry].empty() && p[Stage::Evaluation].empty()) continue;
            Texts& own = all.emplace_back();
            for (size_t s = 0; s < kStages; ++s)
                own[s] = p.texts[s];
        }
        return all;
    }();
    return texts;
}

/// Usually the stages fit together. Sometimes a stage is from another program, or missing.
GLuint build_many_stages(R& r, const Texts& texts) {
    constexpr GLenum kTypes[kStages] = {GL_VERTEX_SHADER,   GL_TESS_CONTROL_SHADER, GL_TESS_EVALUATION_SHADER,
                                        GL_GEOMETRY_SHADER, GL_FRAGMENT_SHADER,     GL_COMPUTE_SHADER};
    const std::vector<Texts>& all = texts_of_many_stages();
    const GLuint program = glCreateProgram();
    for (size_t s = 0; s < kStages; ++s) {
        const Texts& from = r.one_in(12) ? all[r.below(uint32_t(all.size()))] : texts;
        if (from[s].empty() || r.one_in(20)) continue;
        const GLuint shader = glCreateShader(kTypes[s]);
        const char* const text = from[s].c_str();
        glShaderSource(shader, 1, &text, nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    if (r.one_in(8)) glProgramParameteri(program, GL_PROGRAM_SEPARABLE, GL_TRUE);
    const char* const captured[] = {"gl_Position", r.one_in(2) ? "normal" : "g_color"};
    if (r.one_in(3))
        glTransformFeedbackVaryings(program, r.bounded(2), captured,
                                    r.pick({GL_INTERLEAVED_ATTRIBS, GL_SEPARATE_ATTRIBS}));
    glLinkProgram(program);
    return program;
}

/// Usually with a primitive mode that the stages accept.
void draw_many_stages(R& r, const Texts& texts) {
    const bool patches = !texts[size_t(Stage::Evaluation)].empty();
    const bool points = texts[size_t(Stage::Geometry)].find("layout(points") != std::string::npos;
    const GLenum mode = patches ? r.pick({GL_PATCHES}) : points ? r.pick({GL_POINTS}) : r.pick(kModes);
    if (patches) glPatchParameteri(GL_PATCH_VERTICES, r.one_in(8) ? r.bounded(34) : 4);
    const bool capture = r.one_in(4), query = r.one_in(4);
    GLuint name = 0;
    if (query) glGenQueries(1, &name), glBeginQuery(GL_PRIMITIVES_GENERATED, name);
    if (capture) glBeginTransformFeedback(r.pick({GL_POINTS, GL_LINES, GL_TRIANGLES}));
    glDrawArraysInstanced(mode, r.bounded(40), r.bounded(r.one_in(10) ? 600 : 40), r.bounded(3));
    if (capture) glEndTransformFeedback();
    if (query) {
        glEndQuery(GL_PRIMITIVES_GENERATED);
        glGetQueryObjectuiv(name, GL_QUERY_RESULT, r.array<GLuint>());
        if (!r.one_in(8)) glDeleteQueries(1, &name);
    }
}

void program_of_many_stages(R& r) {
    const std::vector<Texts>& all = texts_of_many_stages();
    const Texts& texts = all[r.below(uint32_t(all.size()))];
    const GLuint program = build_many_stages(r, texts);
    glUseProgram(program);
    for (uint32_t n = 1 + r.below(3); n > 0; --n)
        draw_many_stages(r, texts);
    if (r.one_in(2)) glDeleteProgram(program);
}

void blend_by_buffer(R& r) {
    const GLuint i = r.one_in(30) ? r.bits() : r.below(4);
    const auto factor = [&] {
        return r.pick({GL_ONE, GL_SRC_ALPHA, GL_ONE_MINUS_DST_COLOR, GL_SRC_ALPHA_SATURATE});
    };
    const auto equation = [&] { return r.pick({GL_FUNC_ADD, GL_FUNC_SUBTRACT, GL_MIN, GL_MAX}); };
    switch (r.below(8)) {
        case 0:
            return glEnablei(r.pick({GL_BLEND}), i);
        case 1:
            return glDisablei(r.pick({GL_BLEND}), i);
        case 2:
            return glBlendEquationi(i, equation());
        case 3:
            return glBlendEquationSeparatei(i, equation(), equation());
        case 4:
            return glBlendFunci(i, factor(), factor());
        case 5:
            return glBlendFuncSeparatei(i, factor(), factor(), factor(), factor());
        case 6:
            glIsEnabledi(GL_BLEND, i);
            return glGetBooleani_v(r.pick({GL_COLOR_WRITEMASK, GL_BLEND_SRC_RGB}), i, r.array<GLboolean>());
        default:
            return glColorMaski(i, r.boolean(), r.boolean(), r.boolean(), r.boolean());
    }
}

void base_vertex_draws(R& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
    const void* const at =
        bound ? reinterpret_cast<const void*>(uintptr_t(r.below(64))) : r.aligned_pointer();
    // Only vertex array 0 may have client arrays. They are long enough for small indices.
    GLint vertex_array = 0;
    glGetIntegerv(GL_VERTEX_ARRAY_BINDING, &vertex_array);
    const GLint base = vertex_array && r.one_in(4) ? GLint(r.bits()) : GLint(r.below(4));
    switch (r.below(3)) {
        case 0:
            return glDrawElementsBaseVertex(r.pick(kModes), r.bounded(60), r.pick(kIndexTypes), at, base);
        case 1:
            return glDrawRangeElementsBaseVertex(r.pick(kModes), r.below(4), r.bits(), r.bounded(60),
                                                 r.pick(kIndexTypes), at, base);
        default:
            return glDrawElementsInstancedBaseVertex(r.pick(kModes), r.bounded(60), r.pick(kIndexTypes), at,
                                                     r.bounded(5), base);
    }
}

void copy_images(R& r) {
    static constexpr std::initializer_list<uint32_t> kTargets = {GL_TEXTURE_2D,
                                                                 GL_TEXTURE_2D,
                                                                 GL_TEXTURE_3D,
                                                                 GL_RENDERBUFFER,
                                                                 GL_TEXTURE_CUBE_MAP,
                                                                 GL_TEXTURE_2D_ARRAY,
                                                                 GL_TEXTURE_2D_MULTISAMPLE};
    const auto place = [&] { return r.one_in(40) ? GLint(r.bits()) : GLint(r.below(6)); };
    const GLenum target = r.pick(kTargets);
    glCopyImageSubData(r.name(), target, GLint(r.below(3)), place(), place(), place(), r.name(),
                       r.one_in(3) ? r.pick(kTargets) : target, GLint(r.below(3)), place(), place(), place(),
                       r.bounded(20), r.bounded(20), r.bounded(3));
}

void textures32(R& r) {
    static constexpr std::initializer_list<uint32_t> kTargets = {GL_TEXTURE_2D, GL_TEXTURE_CUBE_MAP_ARRAY,
                                                                 GL_TEXTURE_3D};
    static constexpr std::initializer_list<uint32_t> kNames = {GL_TEXTURE_BORDER_COLOR, GL_TEXTURE_WRAP_S,
                                                               GL_TEXTURE_WRAP_R};
    static constexpr std::initializer_list<uint32_t> kTexels = {GL_R8, GL_RGBA32F, GL_RGB32UI, GL_RGBA8,
                                                                GL_RG16I};
    auto* const out = r.array<GLint>();
    auto* const words = r.array<GLuint>();
    const GLuint n = r.name();
    switch (r.below(12)) {
        case 0:
            glBindTexture(GL_TEXTURE_BUFFER, n);
            return glTexBuffer(GL_TEXTURE_BUFFER, r.pick(kTexels), r.name());
        case 1:
            return glTexBufferRange(GL_TEXTURE_BUFFER, r.pick(kTexels), n, GLintptr(r.count(8)) * 64,
                                    r.bounded(500));
        case 2:
            glBindTexture(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, n);
            return glTexStorage3DMultisample(GL_TEXTURE_2D_MULTISAMPLE_ARRAY, r.bounded(9), r.pick(kFormats),
                                             r.bounded(40), r.bounded(40), r.bounded(5), r.boolean());
        case 3:
            return glTexParameterIiv(r.pick(kTargets), r.pick(kNames), out);
        case 4:
            return glTexParameterIuiv(r.pick(kTargets), r.pick(kNames), words);
        case 5:
            return glGetTexParameterIiv(r.pick(kTargets), r.pick(kNames), out);
        case 6:
            return glGetTexParameterIuiv(r.pick(kTargets), r.pick(kNames), words);
        case 7:
            return glSamplerParameterIiv(n, r.pick(kNames), out);
        case 8:
            return glSamplerParameterIuiv(n, r.pick(kNames), words);
        case 9:
            glGetSamplerParameterIiv(n, r.pick(kNames), out);
            return glGetSamplerParameterIuiv(n, r.pick(kNames), words);
        case 10:
            glBindTexture(GL_TEXTURE_CUBE_MAP_ARRAY, n);
            return glTexStorage3D(GL_TEXTURE_CUBE_MAP_ARRAY, r.bounded(4), r.pick(kFormats), 16, 16,
                                  r.bounded(2) * 6);
        default:
            return glTexParameteri(r.pick(kTargets), r.pick({GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}),
                                   r.pick({GL_CLAMP_TO_BORDER, GL_REPEAT}));
    }
}
/// OES_texture_view: a new texture, which is often bound.
void texture_views(R& r) {
    EXT(PFNGLTEXTUREVIEWOESPROC, glTextureViewOES);
    static constexpr std::initializer_list<uint32_t> kTargets = {
        GL_TEXTURE_2D, GL_TEXTURE_2D_ARRAY,       GL_TEXTURE_CUBE_MAP,
        GL_TEXTURE_3D, GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_CUBE_MAP_ARRAY};
    const auto few = [&](uint32_t most) { return r.one_in(30) ? r.bits() : r.below(most); };
    GLuint view = r.name();
    if (!r.one_in(4)) glGenTextures(1, &view);
    const GLenum target = r.pick(kTargets);
    glTextureViewOES(view, target, r.name(), r.pick(kFormats), few(3), 1 + few(4), few(3),
                     target == GL_TEXTURE_CUBE_MAP ? 6 : 1 + few(3));
    if (r.one_in(2)) glBindTexture(target, view);
}

/// OES_viewport_array.
void viewports(R& r) {
    EXT(PFNGLVIEWPORTARRAYVOESPROC, glViewportArrayvOES);
    EXT(PFNGLVIEWPORTINDEXEDFOESPROC, glViewportIndexedfOES);
    EXT(PFNGLVIEWPORTINDEXEDFVOESPROC, glViewportIndexedfvOES);
    EXT(PFNGLSCISSORARRAYVOESPROC, glScissorArrayvOES);
    EXT(PFNGLSCISSORINDEXEDOESPROC, glScissorIndexedOES);
    EXT(PFNGLSCISSORINDEXEDVOESPROC, glScissorIndexedvOES);
    EXT(PFNGLDEPTHRANGEARRAYFVOESPROC, glDepthRangeArrayfvOES);
    EXT(PFNGLDEPTHRANGEINDEXEDFOESPROC, glDepthRangeIndexedfOES);
    EXT(PFNGLGETFLOATI_VOESPROC, glGetFloati_vOES);
    const GLuint i = r.one_in(20) ? r.bits() : r.below(17);
    const GLsizei n = r.bounded(4);
    GLfloat reals[16];
    for (GLfloat& f : reals)
        f = r.real();
    const GLint box[16] = {r.count(50), r.count(50), r.count(90), r.count(90), 1,  2, 30, 40,
                           0,           0,           9,           9,           -5, 5, 50, 0};
    switch (r.below(10)) {
        case 0:
            return glViewportArrayvOES(i, n, reals);
        case 1:
            return glViewportIndexedfOES(i, r.real(), r.real(), GLfloat(r.count(90)), GLfloat(r.count(90)));
        case 2:
            return glViewportIndexedfvOES(i, reals);
        case 3:
            return glScissorArrayvOES(i, n, box);
        case 4:
            return glScissorIndexedOES(i, box[0], box[1], box[2], box[3]);
        case 5:
            return glScissorIndexedvOES(i, box + 4);
        case 6:
            return glDepthRangeArrayfvOES(i, n, reals);
        case 7:
            return glDepthRangeIndexedfOES(i, r.real(), r.real());
        case 8:
            return r.one_in(2) ? glEnablei(GL_SCISSOR_TEST, i) : glDisablei(GL_SCISSOR_TEST, i);
        default:
            glGetFloati_vOES(r.pick({GL_VIEWPORT, GL_DEPTH_RANGE, GL_SCISSOR_BOX}), i, reals);
    }
}

/// NV_read_depth and similar extensions.
void read_depths(R& r) {
    static constexpr std::initializer_list<uint32_t> kTypes = {
        GL_UNSIGNED_SHORT, GL_UNSIGNED_INT,      GL_FLOAT,
        GL_UNSIGNED_BYTE,  GL_UNSIGNED_INT_24_8, GL_FLOAT_32_UNSIGNED_INT_24_8_REV};
    uint8_t texels[8 * 8 * 8 + 64];
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    glReadnPixels(r.count(20), r.count(20), 8, 8,
                  r.pick({GL_DEPTH_COMPONENT, GL_DEPTH_STENCIL, GL_STENCIL_INDEX}), r.pick(kTypes),
                  sizeof texels, texels);
}

const Command kCommands[] = {
    {6, "blending by draw buffer", blend_by_buffer},
    {8, "draws with a base vertex", base_vertex_draws},
    {6, "glCopyImageSubData", copy_images},
    {1, "glPrimitiveBoundingBox", [](R&) { glPrimitiveBoundingBox(-1, -1, -1, 1, 1, 1, 1, 1); }},
    {6, "patches and layers", patches},
    {4, "program of many stages", program_of_many_stages},
    {2, "reads of depth and stencil", read_depths},
    {5, "texture views", texture_views},
    {8, "textures of ES 3.2", textures32},
    {4, "viewports by index", viewports},
};

}  // namespace

std::span<const Command> es32_commands() {
    return kCommands;
}

}  // namespace fuzz
