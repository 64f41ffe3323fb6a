// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// OVR_multiview: attachments of several views, their completeness and queries, the errors of draws and reads,
// and the calls to the pipe.
#include <doctest/doctest.h>

#include <string>

#include "state_tracker/buffers/buffer.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

ContextConfig version(int v) {
    ContextConfig c;
    c.version = v;
    return c;
}

const std::string kHead = "#version 300 es\n#extension GL_OVR_multiview2 : require\n";

struct Multiview : test::Harness {
    explicit Multiview(int v = 32) : Harness(version(v)) {}
    ~Multiview() { CHECK(pipe().violations == std::vector<std::string>{}); }

    GLuint array(GLenum format = GL_RGBA8, GLsizei layers = 8, GLsizei size = 16) {
        GLuint t = 0;
        GenTextures(ctx, 1, &t);
        BindTexture(ctx, GL_TEXTURE_2D_ARRAY, t);
        TexStorage3D(ctx, GL_TEXTURE_2D_ARRAY, 2, format, size, size, layers);
        REQUIRE(error() == GL_NO_ERROR);
        return t;
    }
    GLuint framebuffer() {
        GLuint f = 0;
        GenFramebuffers(ctx, 1, &f);
        BindFramebuffer(ctx, GL_FRAMEBUFFER, f);
        return f;
    }
    GLenum attach(GLuint texture, GLint base, GLsizei views, GLenum point = GL_COLOR_ATTACHMENT0,
                  GLint level = 0) {
        FramebufferTextureMultiview(ctx, GL_FRAMEBUFFER, point, texture, level, base, views);
        return error();
    }
    GLenum status() { return CheckFramebufferStatus(ctx, GL_FRAMEBUFFER); }
    GLint parameter(GLenum name, GLenum point = GL_COLOR_ATTACHMENT0) {
        GLint v = -77;
        GetFramebufferAttachmentParameteriv(ctx, GL_FRAMEBUFFER, point, name, &v);
        return v;
    }
    /// A program that reads "p" and declares a number of views; 0: no declaration.
    GLuint use(unsigned views, const std::string& more = "") {
        const GLuint p =
            program(kHead + (views ? "layout(num_views = " + std::to_string(views) + ") in; " : "") +
                        "in vec4 p; out vec4 v; void main() { v = vec4(gl_ViewID_OVR); gl_Position = p; " +
                        more + "}",
                    kHead + "precision mediump float; in vec4 v; out vec4 o; void main() { o = v; }");
        REQUIRE(linked(p));
        UseProgram(ctx, p);
        return p;
    }
    GLenum draw() {
        DrawArrays(ctx, GL_TRIANGLES, 0, 3);
        return error();
    }
    const pipe::DrawInfo& last() { return pipe().draws.back().info; }
};

constexpr GLenum kViews = GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_NUM_VIEWS_OVR,
                 kBase = GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_BASE_VIEW_INDEX_OVR;

bool lists(Context& ctx, const char* name) {
    return std::string(reinterpret_cast<const char*>(GetString(ctx, GL_EXTENSIONS))).find(name) !=
           std::string::npos;
}

}  // namespace

TEST_CASE("multiview: contexts of OpenGL ES 3.0 and later support it if the device does") {
    for (const int v : {20, 30, 31, 32}) {
        Multiview h(v);
        CAPTURE(v);
        CHECK(lists(h.ctx, "GL_OVR_multiview ") == (v >= 30));
        CHECK(lists(h.ctx, "GL_OVR_multiview2") == (v >= 30));
        CHECK(h.integer(GL_MAX_VIEWS_OVR) == (v >= 30 ? 6 : -77));
        CHECK(h.error() == (v >= 30 ? GL_NO_ERROR : GL_INVALID_ENUM));
    }
    fake::FakeScreen screen;
    screen.mutable_caps().instance_layers = false;
    const auto without = Context::create(screen, nullptr, version(32));
    CHECK(!lists(*without, "GL_OVR_multiview"));
}

TEST_CASE("glFramebufferTextureMultiviewOVR: errors change nothing") {
    Multiview h;
    const GLuint t = h.array(), f = h.framebuffer();
    GLuint flat = 0;
    GenTextures(h.ctx, 1, &flat);
    BindTexture(h.ctx, GL_TEXTURE_2D, flat);
    REQUIRE(h.attach(t, 1, 2) == GL_NO_ERROR);
    const GLint layers = h.integer(GL_MAX_ARRAY_TEXTURE_LAYERS);
    CHECK(h.attach(t, 0, 0) == GL_INVALID_VALUE);
    CHECK(h.attach(t, 0, -1) == GL_INVALID_VALUE);
    CHECK(h.attach(t, 0, 7) == GL_INVALID_VALUE);
    CHECK(h.attach(0, 0, 0) == GL_INVALID_VALUE);
    CHECK(h.attach(t, -1, 2) == GL_INVALID_VALUE);
    CHECK(h.attach(t, layers - 1, 2) == GL_INVALID_VALUE);
    CHECK(h.attach(t, INT32_MAX, 6) == GL_INVALID_VALUE);
    CHECK(h.attach(t, 0, 2, GL_COLOR_ATTACHMENT0, -1) == GL_INVALID_VALUE);
    CHECK(h.attach(t, 0, 2, GL_COLOR_ATTACHMENT0, 99) == GL_INVALID_VALUE);
    CHECK(h.attach(flat, 0, 2) == GL_INVALID_OPERATION);
    CHECK(h.attach(t + 1000, 0, 2) == GL_INVALID_OPERATION);
    CHECK(h.attach(t, 0, 2, GL_BACK) == GL_INVALID_ENUM);
    CHECK(h.attach(t, 0, 2, GL_COLOR_ATTACHMENT0 + 31) == GL_INVALID_OPERATION);
    FramebufferTextureMultiview(h.ctx, GL_TEXTURE_2D, GL_COLOR_ATTACHMENT0, t, 0, 0, 2);
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(h.parameter(kViews) == 2);
    CHECK(h.parameter(kBase) == 1);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    CHECK(h.attach(t, 0, 2) == GL_INVALID_OPERATION);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, f);
    // Layers up to the limit are accepted, though the texture has fewer.
    CHECK(h.attach(t, layers - 2, 2) == GL_NO_ERROR);
    CHECK(h.status() == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    CHECK(h.attach(0, -5, 2) == GL_NO_ERROR);  // detaches
    CHECK(h.parameter(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE) == GL_NONE);
}

TEST_CASE("multiview: queries of attachments") {
    Multiview h;
    const GLuint t = h.array();
    h.framebuffer();
    h.attach(t, 3, 4, GL_COLOR_ATTACHMENT0, 1);
    CHECK(h.parameter(GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME) == GLint(t));
    CHECK(h.parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LEVEL) == 1);
    CHECK(h.parameter(GL_FRAMEBUFFER_ATTACHMENT_TEXTURE_LAYER) == 3);
    CHECK(h.parameter(GL_FRAMEBUFFER_ATTACHMENT_LAYERED) == 0);
    CHECK(h.parameter(kViews) == 4);
    CHECK(h.parameter(kBase) == 3);
    FramebufferTextureLayer(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, t, 0, 2);
    CHECK(h.parameter(kViews) == 0);
    CHECK(h.parameter(kBase) == 0);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.parameter(kViews, GL_COLOR_ATTACHMENT0 + 1) == -77);
    CHECK(h.error() == GL_INVALID_OPERATION);  // there is no attachment
    GLuint rb = 0;
    GenRenderbuffers(h.ctx, 1, &rb);
    BindRenderbuffer(h.ctx, GL_RENDERBUFFER, rb);
    RenderbufferStorage(h.ctx, GL_RENDERBUFFER, GL_RGBA8, 16, 16);
    FramebufferRenderbuffer(h.ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
    CHECK(h.parameter(kViews) == -77);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("multiview: a framebuffer is complete if all attachments have the same number of views") {
    Multiview h;
    const GLuint color = h.array(), depth = h.array(GL_DEPTH24_STENCIL8);
    h.framebuffer();
    h.attach(color, 2, 6);
    CHECK(h.status() == GL_FRAMEBUFFER_COMPLETE);
    h.attach(color, 3, 6);  // layers 3 to 8 of 8
    CHECK(h.status() == GL_FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    h.attach(color, 0, 2);
    h.attach(depth, 5, 3, GL_DEPTH_STENCIL_ATTACHMENT);
    CHECK(h.status() == GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR);
    h.use(2);
    CHECK(h.draw() == GL_INVALID_FRAMEBUFFER_OPERATION);
    h.attach(depth, 5, 2, GL_DEPTH_STENCIL_ATTACHMENT);
    CHECK(h.status() == GL_FRAMEBUFFER_COMPLETE);
    // One view differs from no views.
    h.attach(color, 0, 1);
    FramebufferTextureLayer(h.ctx, GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, depth, 0, 0);
    CHECK(h.status() == GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR);
    h.attach(depth, 0, 1, GL_DEPTH_ATTACHMENT);
    h.attach(depth, 0, 1, GL_STENCIL_ATTACHMENT);
    CHECK(h.status() == GL_FRAMEBUFFER_COMPLETE);
    h.attach(color, 1, 2, GL_COLOR_ATTACHMENT0 + 1);
    CHECK(h.status() == GL_FRAMEBUFFER_INCOMPLETE_VIEW_TARGETS_OVR);
}

TEST_CASE("multiview: a pass has all views of each attachment, and one clear and one draw reach them") {
    Multiview h;
    const GLuint color = h.array(), depth = h.array(GL_DEPTH24_STENCIL8, 9);
    h.framebuffer();
    h.attach(color, 1, 3);
    h.attach(depth, 6, 3, GL_DEPTH_STENCIL_ATTACHMENT);
    h.use(3);
    Clear(h.ctx, GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
    CHECK(h.draw() == GL_NO_ERROR);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, 5);
    CHECK(h.pipe().count("begin_render_pass") == 1);
    CHECK(h.pipe().count("draw") == 2);
    CHECK(h.pipe().draws[0].info.instance_count == 3);
    CHECK(h.last().instance_count == 15);
    const pipe::RenderPassDesc& d = h.pipe().pass;
    CHECK(d.layers == 3);
    CHECK(d.color[0].first_layer == 1);
    CHECK(d.color[0].layer_count == 3);
    CHECK(d.color[0].load == pipe::LoadOp::Clear);
    CHECK(d.depth_stencil.first_layer == 6);
    CHECK(d.depth_stencil.layer_count == 3);
    const GLushort indices[] = {0, 1, 2};
    DrawElementsInstanced(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices, 2);
    CHECK(h.last().instance_count == 6);
    CHECK(h.error() == GL_NO_ERROR);
    // A single view has no layers.
    h.attach(color, 2, 1);
    h.attach(depth, 7, 1, GL_DEPTH_STENCIL_ATTACHMENT);
    h.use(1);
    CHECK(h.draw() == GL_NO_ERROR);
    CHECK(h.last().instance_count == 1);
    CHECK(h.pipe().pass.layers == 1);
    CHECK(h.pipe().pass.color[0].first_layer == 2);
}

TEST_CASE("multiview: instanced attributes advance after all views of an instance") {
    Multiview h;
    h.framebuffer();
    h.attach(h.array(), 0, 4);
    const GLuint p = h.use(4), one = h.use(1);
    UseProgram(h.ctx, p);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 1);
    const GLfloat v[64] = {};
    BufferData(h.ctx, GL_ARRAY_BUFFER, sizeof v, v, GL_STATIC_DRAW);
    const auto at = GLuint(GetAttribLocation(h.ctx, p, "p"));
    VertexAttribPointer(h.ctx, at, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    EnableVertexAttribArray(h.ctx, at);
    for (const auto& [divisor, told] : {std::pair{0u, 0u}, {1u, 4u}, {3u, 12u}, {0x80000000u, UINT32_MAX}}) {
        VertexAttribDivisor(h.ctx, at, divisor);
        CHECK(h.draw() == GL_NO_ERROR);
        CHECK(h.pipe().layout_desc().elements[at].divisor == told);
    }
    // A base instance counts instances, not views.
    VertexAttribDivisor(h.ctx, at, 1);
    DrawArraysInstancedBaseInstance(h.ctx, GL_TRIANGLES, 0, 3, 2, 3);
    CHECK(h.last().instance_count == 8);
    CHECK(h.pipe().draws.back().vertex_buffers[0].offset_B == 48);
    // The same array with another program.
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    UseProgram(h.ctx, one);
    CHECK(h.draw() == GL_NO_ERROR);
    CHECK(h.pipe().layout_desc().elements[at].divisor == 1);
    CHECK(h.last().instance_count == 1);
}

TEST_CASE("multiview: more instances than 32 bits can count are an error, not fewer instances") {
    Multiview h;
    h.framebuffer();
    h.attach(h.array(), 0, 6);
    h.use(6);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, 715827882);  // a sixth of 2^32 - 1
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.last().instance_count == 715827882u * 6);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, 715827883);
    CHECK(h.error() == GL_OUT_OF_MEMORY);
    const GLushort indices[] = {0, 1, 2};
    DrawElementsInstanced(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices, INT32_MAX);
    CHECK(h.error() == GL_OUT_OF_MEMORY);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, 0);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().draws.size() == 1);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    h.use(0);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, INT32_MAX);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.last().instance_count == uint32_t(INT32_MAX));
}

TEST_CASE("multiview: parameters in buffers, which a device does not multiply by the views") {
    Multiview h;
    h.screen.mutable_caps().reads_indirect_parameters = true;
    h.framebuffer();
    h.attach(h.array(), 0, 2);
    h.use(2);
    GLuint names[2] = {};
    GenVertexArrays(h.ctx, 1, names);
    BindVertexArray(h.ctx, names[0]);
    GenBuffers(h.ctx, 2, names);
    BindBuffer(h.ctx, GL_DRAW_INDIRECT_BUFFER, names[0]);
    const GLuint words[] = {3, 4, 0, 0, 0};
    BufferData(h.ctx, GL_DRAW_INDIRECT_BUFFER, sizeof words, words, GL_STATIC_DRAW);
    const GLushort indices[] = {0, 1, 2};
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, names[1]);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    for (const bool device : {false, true}) {
        h.ctx.draw_indirect_buffer->device_writes = device;
        DrawArraysIndirect(h.ctx, GL_TRIANGLES, nullptr);
        CHECK(!h.last().indirect.resource);
        CHECK(h.last().instance_count == 8);
        DrawElementsIndirect(h.ctx, GL_TRIANGLES, GL_UNSIGNED_SHORT, nullptr);
        CHECK(!h.last().indirect.resource);
        CHECK(h.last().instance_count == 8);
    }
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().draws.size() == 4);
    // With one view the device reads them.
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    h.use(1);
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, nullptr);
    CHECK(h.last().indirect.resource);
}

TEST_CASE("multiview: program and framebuffer must have the same number of views") {
    Multiview h;
    const GLuint t = h.array();
    const GLuint two = h.framebuffer();
    h.attach(t, 0, 2);
    const GLuint one = h.framebuffer();
    h.attach(t, 0, 1);
    const GLuint programs[] = {h.use(0), h.use(1), h.use(2), h.use(3)};
    const unsigned of_program[] = {1, 1, 2, 3};
    for (const auto& [framebuffer, views] : {std::pair{0u, 1u}, {one, 1u}, {two, 2u}})
        for (int n = 0; n < 4; ++n) {
            CAPTURE(views);
            CAPTURE(n);
            BindFramebuffer(h.ctx, GL_FRAMEBUFFER, framebuffer);
            UseProgram(h.ctx, programs[n]);
            const size_t before = h.pipe().draws.size();
            const bool fits = views == of_program[n];
            for (int again = 0; again < 2; ++again)
                CHECK(h.draw() == (fits ? GL_NO_ERROR : GL_INVALID_OPERATION));
            CHECK(h.pipe().draws.size() == before + (fits ? 2 : 0));
        }
    // Clears do not depend on the program.
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, two);
    UseProgram(h.ctx, programs[3]);
    Clear(h.ctx, GL_COLOR_BUFFER_BIT);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("multiview: no geometry or tessellation stages, no transform feedback") {
    Multiview h;
    const GLuint t = h.array();
    const GLuint two = h.framebuffer();
    h.attach(t, 0, 2);
    const GLuint one = h.framebuffer();
    h.attach(t, 0, 1);
    const auto with_geometry = [&](const char* views) {
        const GLuint p = CreateProgram(h.ctx);
        const std::string head =
            "#version 310 es\n#extension GL_OVR_multiview : require\n"
            "#extension GL_EXT_geometry_shader : require\nprecision highp float;\n";
        AttachShader(h.ctx, p,
                     h.shader(GL_VERTEX_SHADER, head + views + "void main() { gl_Position = vec4(1); }"));
        AttachShader(h.ctx, p,
                     h.shader(GL_GEOMETRY_SHADER,
                              head + "layout(triangles) in; layout(points, max_vertices = 1) out; void "
                                     "main() { gl_Position = vec4(1); EmitVertex(); }"));
        AttachShader(h.ctx, p,
                     h.shader(GL_FRAGMENT_SHADER, head + "out vec4 o; void main() { o = vec4(1); }"));
        LinkProgram(h.ctx, p);
        REQUIRE(h.linked(p));
        UseProgram(h.ctx, p);
    };
    for (const auto& [framebuffer, views] : {std::pair{one, ""}, {two, "layout(num_views = 2) in; "}}) {
        BindFramebuffer(h.ctx, GL_FRAMEBUFFER, framebuffer);
        with_geometry(views);
        CHECK(h.draw() == GL_INVALID_OPERATION);
    }
    with_geometry("");
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    CHECK(h.draw() == GL_NO_ERROR);
    // While it captures, a draw fails; while it is paused, it draws.
    for (const unsigned views : {1u, 2u}) {
        const GLuint p = h.use(views);
        const char* const captured = "gl_Position";
        TransformFeedbackVaryings(h.ctx, p, 1, &captured, GL_INTERLEAVED_ATTRIBS);
        LinkProgram(h.ctx, p);
        REQUIRE(h.linked(p));
        BindBufferBase(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 0, 50);
        BufferData(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 4096, nullptr, GL_STATIC_DRAW);
        BindFramebuffer(h.ctx, GL_FRAMEBUFFER, views == 1 ? one : two);
        CHECK(h.draw() == GL_NO_ERROR);
        BeginTransformFeedback(h.ctx, GL_TRIANGLES);
        CHECK(h.draw() == GL_INVALID_OPERATION);
        PauseTransformFeedback(h.ctx);
        CHECK(h.draw() == GL_NO_ERROR);
        ResumeTransformFeedback(h.ctx);
        CHECK(h.draw() == GL_INVALID_OPERATION);
        EndTransformFeedback(h.ctx);
        CHECK(h.draw() == GL_NO_ERROR);
    }
}

TEST_CASE("multiview: framebuffers of several views cannot be read, and blits write the first view") {
    Multiview h;
    const GLuint t = h.array();
    h.framebuffer();
    h.attach(t, 2, 2);
    char texels[16 * 16 * 4];
    const auto reads = [&] {
        ReadPixels(h.ctx, 0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, texels);
        const GLenum first = h.error();
        GLuint flat = 0;
        GenTextures(h.ctx, 1, &flat);
        BindTexture(h.ctx, GL_TEXTURE_2D, flat);
        CopyTexImage2D(h.ctx, GL_TEXTURE_2D, 0, GL_RGBA, 0, 0, 4, 4, 0);
        CHECK(h.error() == first);
        TexStorage2D(h.ctx, GL_TEXTURE_2D, 1, GL_RGBA8, 4, 4);
        CHECK(h.error() == GL_NO_ERROR);
        CopyTexSubImage2D(h.ctx, GL_TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4);
        CHECK(h.error() == first);
        BindFramebuffer(h.ctx, GL_DRAW_FRAMEBUFFER, 0);
        BlitFramebuffer(h.ctx, 0, 0, 4, 4, 0, 0, 4, 4, GL_COLOR_BUFFER_BIT, GL_NEAREST);
        CHECK(h.error() == first);
        return first;
    };
    CHECK(reads() == GL_INVALID_FRAMEBUFFER_OPERATION);
    h.framebuffer();
    h.attach(t, 2, 1);
    CHECK(reads() == GL_NO_ERROR);
}
