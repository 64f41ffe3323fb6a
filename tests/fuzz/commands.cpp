// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every OpenGL ES 2.0 command with random arguments. A call must be valid for C: pointers are valid for what
// the arguments say. Everything else may be wrong.
#include "tests/fuzz/commands.h"

#include <string>

#include "shader_seeds.h"
#include "tests/fuzz/commands_es2.h"
#include "tests/fuzz/program_texts.h"

namespace fuzz {

using namespace es2;

namespace {

/// The text of one shader of a simple program. Shaders of different programs usually link.
const char* draw_text(R& r, Stage stage) {
    static const std::vector<std::array<std::string, kStages>> texts = [] {
        std::vector<std::array<std::string, kStages>> all;
        for (const char* const seed : kDrawSeeds) {
            const ProgramTexts p = split_program(seed);
            std::array<std::string, kStages>& own = all.emplace_back();
            for (size_t s = 0; s < kStages; ++s)
                own[s] = p.texts[s];
        }
        return all;
    }();
    return texts[r.below(uint32_t(texts.size()))][size_t(stage)].c_str();
}

void shader_source(R& r) {
    std::string text = draw_text(r, r.one_in(2) ? Stage::Vertex : Stage::Fragment);
    if (r.one_in(6))
        for (uint32_t i = 0; i < 1 + r.below(4); ++i)
            text[r.below(uint32_t(text.size()))] = char(32 + r.below(95));
    const char* strings[] = {text.c_str()};
    const GLint length = GLint(text.size());
    glShaderSource(r.name(), r.one_in(50) ? r.bounded(1) : 1, strings, r.one_in(2) ? &length : nullptr);
}

/// A program whose shaders link, in use. Random calls alone rarely create one.
void good_program(R& r) {
    const GLuint p = glCreateProgram(), v = glCreateShader(GL_VERTEX_SHADER),
                 f = glCreateShader(GL_FRAGMENT_SHADER);
    const char *const vt = draw_text(r, Stage::Vertex), *const ft = draw_text(r, Stage::Fragment);
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

/// Client arrays may be in use. Every index must stay within the arena's memory (16-bit indices, strides
/// below 256 B).
void draw_elements(R& r) {
    GLint bound = 0;
    glGetIntegerv(GL_ELEMENT_ARRAY_BUFFER_BINDING, &bound);
    const auto offset = uintptr_t(r.below(r.one_in(10) ? 100000 : 64));
    const void* const at = bound ? reinterpret_cast<const void*>(offset) : r.aligned_pointer();
    glDrawElements(r.pick(kModes), r.bounded(r.one_in(20) ? 3000 : 60), r.pick(kIndexTypes), at);
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

const Command kCommands[] = {
    {1, "shader source", shader_source},
    {2, "program", good_program},
    {6, "framebuffer", good_framebuffer},
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
    for (const std::span<const Command> list :
         {commands(), extension_commands(), query_commands(), image_commands()})
        for (const Command& c : list)
            table.insert(table.end(), c.weight, &c);
    return table;
}

}  // namespace fuzz
