// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Extensions of one or two commands: EXT_draw_buffers, EXT_instanced_arrays, EXT_polygon_offset_clamp,
// KHR_parallel_shader_compile. Tests their errors, their state, and the calls to the pipe.
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct ExtensionHarness : test::Harness {
    ExtensionHarness() {
        const GLuint p = simple_program();
        REQUIRE(linked(p));
        UseProgram(ctx, p);
        location = GLuint(GetAttribLocation(ctx, p, "position"));
    }
    GLuint location;
    /// A framebuffer with two colour attachments.
    void two_colors() {
        BindFramebuffer(ctx, GL_FRAMEBUFFER, 7);
        for (GLuint i = 0; i < 2; ++i) {
            BindRenderbuffer(ctx, GL_RENDERBUFFER, 20 + i);
            RenderbufferStorage(ctx, GL_RENDERBUFFER, GL_RGBA4, 8, 8);
            FramebufferRenderbuffer(ctx, GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0 + i, GL_RENDERBUFFER, 20 + i);
        }
        REQUIRE(CheckFramebufferStatus(ctx, GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE);
        REQUIRE(error() == GL_NO_ERROR);
    }
    GLenum draw_buffers(std::initializer_list<GLenum> list) {
        DrawBuffers(ctx, GLsizei(list.size()), list.begin());
        return error();
    }
    unsigned write_mask(unsigned target) {
        DrawArrays(ctx, GL_TRIANGLES, 0, 3);
        return pipe().blend_desc().targets[target].write_mask;
    }
};

}  // namespace

TEST_CASE("glDrawBuffersEXT: errors change nothing") {
    ExtensionHarness h;
    CHECK(h.integer(GL_MAX_DRAW_BUFFERS_EXT) == 8);
    CHECK(h.integer(GL_MAX_COLOR_ATTACHMENTS_NV) == 8);
    CHECK(h.draw_buffers({GL_COLOR_ATTACHMENT0}) == GL_INVALID_OPERATION);
    CHECK(h.draw_buffers({GL_BACK, GL_NONE}) == GL_INVALID_OPERATION);
    CHECK(h.draw_buffers({}) == GL_INVALID_OPERATION);
    CHECK(h.draw_buffers({GL_FRONT}) == GL_INVALID_ENUM);
    CHECK(h.integer(GL_DRAW_BUFFER0_EXT) == GL_BACK);
    h.two_colors();
    DrawBuffers(h.ctx, -1, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    const GLenum nine[9] = {};
    DrawBuffers(h.ctx, 9, nine);
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(h.draw_buffers({GL_BACK}) == GL_INVALID_OPERATION);
    CHECK(h.draw_buffers({GL_COLOR_ATTACHMENT0 + 1}) == GL_INVALID_OPERATION);
    CHECK(h.draw_buffers({GL_COLOR_ATTACHMENT0, GL_RGBA}) == GL_INVALID_ENUM);
    CHECK(h.integer(GL_DRAW_BUFFER0_EXT) == GL_COLOR_ATTACHMENT0);
    CHECK(h.integer(GL_DRAW_BUFFER0_EXT + 1) == GL_NONE);
}

TEST_CASE("glDrawBuffersEXT: draws and clears change only the draw buffers") {
    ExtensionHarness h;
    h.two_colors();
    CHECK(h.write_mask(0) == 15);
    CHECK(h.write_mask(1) == 0);
    CHECK(h.draw_buffers({GL_NONE, GL_COLOR_ATTACHMENT0 + 1}) == GL_NO_ERROR);
    CHECK(h.integer(GL_DRAW_BUFFER0_EXT) == GL_NONE);
    CHECK(h.integer(GL_DRAW_BUFFER0_EXT + 1) == GL_COLOR_ATTACHMENT0 + 1);
    CHECK(h.write_mask(0) == 0);
    CHECK(h.write_mask(1) == 15);
    CHECK(h.draw_buffers({GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1}) == GL_NO_ERROR);
    CHECK(h.write_mask(0) == 15);
    CHECK(h.write_mask(1) == 15);
    // The framebuffer has this state, not the context.
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    CHECK(h.integer(GL_DRAW_BUFFER0_EXT) == GL_BACK);
    CHECK(h.draw_buffers({GL_NONE}) == GL_NO_ERROR);
    CHECK(h.write_mask(0) == 0);
    CHECK(h.draw_buffers({GL_BACK}) == GL_NO_ERROR);
    CHECK(h.write_mask(0) == 15);
}

TEST_CASE("EXT_draw_buffers, NV_draw_buffers: shaders") {
    test::Harness h;
    const std::string vertex = "void main() { gl_Position = vec4(0.0); }";
    auto links = [&](const std::string& fragment) { return h.linked(h.program(vertex, fragment)); };
    for (const std::string name : {"GL_EXT_draw_buffers", "GL_NV_draw_buffers"}) {
        CAPTURE(name);
        const std::string extension = "#extension " + name;
        CHECK(links(extension + " : require\n#ifndef " + name +
                    "\n#error no macro\n#endif\n"
                    "void main() { gl_FragData[0] = vec4(0.0); "
                    "gl_FragData[gl_MaxDrawBuffers - 1] = vec4(1.0); }"));
        CHECK(links(extension + " : enable\nvoid main() { gl_FragColor = vec4(1.0); }"));
        CHECK_FALSE(links(extension + " : perhaps\nvoid main() { gl_FragColor = vec4(1.0); }"));
    }
    CHECK_FALSE(links("#extension GL_EXT_draw_bufers : require\nvoid main() { gl_FragColor = vec4(1.0); }"));
    CHECK_FALSE(links("void main() { gl_FragData[gl_MaxDrawBuffers] = vec4(1.0); }"));
}

TEST_CASE("EXT_instanced_arrays: instances, divisors and uploads") {
    ExtensionHarness h;
    const GLfloat v[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, v);
    EnableVertexAttribArray(h.ctx, h.location);
    VertexAttribDivisor(h.ctx, h.location, 2);
    GLint divisor = -1;
    GetVertexAttribiv(h.ctx, h.location, GL_VERTEX_ATTRIB_ARRAY_DIVISOR_EXT, &divisor);
    CHECK(divisor == 2);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 300, 3, 7);  // elements 0 to 3, for any vertices
    CHECK(h.error() == GL_NO_ERROR);
    const auto& draw = h.pipe().draws.back();
    CHECK(draw.info.instance_count == 7);
    CHECK(draw.ranges[0].count == 3);
    const pipe::VertexElement& e = h.pipe().layout_desc().elements[h.location];
    CHECK(e.divisor == 2);
    const pipe::VertexBuffer& b = draw.vertex_buffers[e.buffer];
    auto& r = static_cast<fake::FakeResource&>(*b.resource);
    CHECK(std::memcmp(r.bytes.data() + b.offset_B + e.offset_B, v, sizeof v) == 0);

    const GLubyte indices[3] = {200, 201, 202};
    DrawElementsInstanced(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices, 8);
    CHECK(h.pipe().draws.back().info.instance_count == 8);
    const size_t draws = h.pipe().draws.size();
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, 0);
    DrawElementsInstanced(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices, 0);
    CHECK(h.error() == GL_NO_ERROR);
    DrawArraysInstanced(h.ctx, GL_TRIANGLES, 0, 3, -1);
    CHECK(h.error() == GL_INVALID_VALUE);
    DrawElementsInstanced(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, indices, -1);
    CHECK(h.error() == GL_INVALID_VALUE);
    VertexAttribDivisor(h.ctx, GLuint(h.integer(GL_MAX_VERTEX_ATTRIBS)), 1);
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(h.pipe().draws.size() == draws);
}

TEST_CASE("EXT_polygon_offset_clamp") {
    ExtensionHarness h;
    Enable(h.ctx, GL_POLYGON_OFFSET_FILL);
    auto clamp = [&] {
        DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
        return h.pipe().raster_desc().depth_bias_clamp;
    };
    PolygonOffsetClamp(h.ctx, 2, 3, -0.5f);
    CHECK(clamp() == -0.5f);
    CHECK(h.integer(GL_POLYGON_OFFSET_FACTOR) == 2);
    GLfloat f = 0;
    GetFloatv(h.ctx, GL_POLYGON_OFFSET_CLAMP_EXT, &f);
    CHECK(f == -0.5f);
    PolygonOffsetClamp(h.ctx, 2, 3, NAN);
    CHECK(clamp() == 0);
    PolygonOffsetClamp(h.ctx, 2, 3, 1);
    PolygonOffset(h.ctx, 2, 3);
    CHECK(clamp() == 0);
}

TEST_CASE("EXT_clip_control") {
    ExtensionHarness h;
    CHECK(h.integer(GL_CLIP_ORIGIN_EXT) == GL_LOWER_LEFT_EXT);
    CHECK(h.integer(GL_CLIP_DEPTH_MODE_EXT) == GL_NEGATIVE_ONE_TO_ONE_EXT);
    Viewport(h.ctx, 10, 20, 30, 40);
    DepthRangef(h.ctx, 0.25f, 0.75f);
    auto draw = [&](GLenum origin, GLenum depth) {
        ClipControl(h.ctx, origin, depth);
        CHECK(h.error() == GL_NO_ERROR);
        CHECK(h.integer(GL_CLIP_ORIGIN_EXT) == GLint(origin));
        CHECK(h.integer(GL_CLIP_DEPTH_MODE_EXT) == GLint(depth));
        DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
        return h.pipe().viewport;
    };
    CHECK((draw(GL_LOWER_LEFT_EXT, GL_NEGATIVE_ONE_TO_ONE_EXT) ==
           pipe::Viewport{{15, 20, 0.25f}, {25, 40, 0.5f}, {0.25f, 0.75f}}));
    CHECK(h.pipe().raster_desc().front_ccw);
    CHECK_FALSE(h.pipe().raster_desc().clip_z_zero);
    CHECK((draw(GL_UPPER_LEFT_EXT, GL_NEGATIVE_ONE_TO_ONE_EXT) ==
           pipe::Viewport{{15, -20, 0.25f}, {25, 40, 0.5f}, {0.25f, 0.75f}}));
    CHECK_FALSE(h.pipe().raster_desc().front_ccw);  // the order of corners in the window is reversed
    CHECK((draw(GL_LOWER_LEFT_EXT, GL_ZERO_TO_ONE_EXT) ==
           pipe::Viewport{{15, 20, 0.5f}, {25, 40, 0.25f}, {0.25f, 0.75f}}));
    CHECK(h.pipe().raster_desc().front_ccw);
    CHECK(h.pipe().raster_desc().clip_z_zero);
    ClipControl(h.ctx, GL_UPPER_LEFT_EXT, GL_LOWER_LEFT_EXT);
    CHECK(h.error() == GL_INVALID_ENUM);
    ClipControl(h.ctx, GL_ZERO_TO_ONE_EXT, GL_ZERO_TO_ONE_EXT);
    CHECK(h.error() == GL_INVALID_ENUM);
    CHECK(h.integer(GL_CLIP_ORIGIN_EXT) == GL_LOWER_LEFT_EXT);
}

TEST_CASE("KHR_parallel_shader_compile: everything is complete") {
    test::Harness h;
    CHECK(h.integer(GL_MAX_SHADER_COMPILER_THREADS_KHR) == -1);
    MaxShaderCompilerThreads(h.ctx, 3);
    CHECK(h.integer(GL_MAX_SHADER_COMPILER_THREADS_KHR) == 3);
    GLint done = -1;
    GetShaderiv(h.ctx, h.shader(GL_VERTEX_SHADER, "broken"), GL_COMPLETION_STATUS_KHR, &done);
    CHECK(done == 1);
    done = -1;
    GetProgramiv(h.ctx, h.simple_program(), GL_COMPLETION_STATUS_KHR, &done);
    CHECK(done == 1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("EXT_blend_func_extended") {
    ExtensionHarness h;
    CHECK(h.integer(GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT) == 1);
    Enable(h.ctx, GL_BLEND);
    BlendFuncSeparate(h.ctx, GL_SRC1_COLOR_EXT, GL_ONE_MINUS_SRC1_COLOR_EXT, GL_SRC1_ALPHA_EXT,
                      GL_ONE_MINUS_SRC1_ALPHA_EXT);
    CHECK(h.error() == GL_NO_ERROR);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    const pipe::BlendTargetDesc& t = h.pipe().blend_desc().targets[0];
    CHECK(t.src_rgb == pipe::BlendFactor::Src1Color);
    CHECK(t.dst_rgb == pipe::BlendFactor::OneMinusSrc1Color);
    CHECK(t.src_alpha == pipe::BlendFactor::Src1Alpha);
    CHECK(t.dst_alpha == pipe::BlendFactor::OneMinusSrc1Alpha);
    BlendFunc(h.ctx, GL_ONE, GL_SRC_ALPHA_SATURATE);
    CHECK(h.error() == GL_NO_ERROR);
    BlendFunc(h.ctx, GL_ONE, GL_SRC1_COLOR_EXT);
    h.two_colors();
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);  // with one draw buffer
    CHECK(h.draw_buffers({GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT0 + 1}) == GL_NO_ERROR);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_INVALID_OPERATION);
    const GLuint p = h.simple_program();
    BindFragDataLocationIndexed(h.ctx, p, 0, 1, "color");
    BindFragDataLocation(h.ctx, p, 7, "color");
    CHECK(h.error() == GL_NO_ERROR);
    BindFragDataLocationIndexed(h.ctx, p, 1, 1, "color");
    CHECK(h.error() == GL_INVALID_VALUE);
    BindFragDataLocation(h.ctx, p, 8, "color");
    CHECK(h.error() == GL_INVALID_VALUE);
    BindFragDataLocation(h.ctx, p, 0, "gl_FragColor");
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(GetFragDataIndex(h.ctx, p, "color") == -1);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("shaders of EXT_draw_instanced, _shader_framebuffer_fetch and _blend_func_extended") {
    test::Harness h;
    const std::string vertex = "void main() { gl_Position = vec4(0.0); }",
                      fragment = "void main() { gl_FragColor = vec4(0.0); }";
    auto vs = [&](const char* text) { return h.linked(h.program(text, fragment)); };
    auto fs = [&](const char* text) { return h.linked(h.program(vertex, text)); };
    CHECK(
        vs("#ifndef GL_EXT_draw_instanced\n#error no\n#endif\n#extension GL_EXT_draw_instanced : require\n"
           "void main() { gl_Position = vec4(float(gl_InstanceIDEXT)); }"));
    CHECK_FALSE(vs("void main() { gl_Position = vec4(float(gl_InstanceIDEXT)); }"));
    CHECK_FALSE(
        vs("#extension GL_EXT_draw_instanced : require\n"
           "void main() { gl_InstanceIDEXT = 1; gl_Position = vec4(0.0); }"));
    CHECK_FALSE(
        fs("#extension GL_EXT_draw_instanced : enable\n"
           "void main() { gl_FragColor = vec4(gl_InstanceIDEXT); }"));
    GLint uniforms = -1;
    GetProgramiv(h.ctx,
                 h.program("#extension GL_EXT_draw_instanced : require\n"
                           "void main() { gl_Position = vec4(float(gl_InstanceIDEXT)); }",
                           fragment),
                 GL_ACTIVE_UNIFORMS, &uniforms);
    CHECK(uniforms == 0);

    CHECK(
        fs("#extension GL_EXT_shader_framebuffer_fetch : require\n"
           "void main() { gl_FragColor = gl_LastFragData[0]; }"));
    CHECK(
        fs("#extension GL_EXT_shader_framebuffer_fetch : enable\n"
           "highp vec4 gl_LastFragData[gl_MaxDrawBuffers];\n"
           "highp float f; void main() { f = gl_LastFragData[1].x; gl_FragColor = vec4(f); }"));
    CHECK(
        fs("#extension GL_EXT_shader_framebuffer_fetch_non_coherent : require\n"
           "layout(noncoherent) lowp vec4\n gl_LastFragData[gl_MaxDrawBuffers];\n"
           "void main() { gl_FragColor = gl_LastFragData[0]; }"));
    CHECK_FALSE(fs("void main() { gl_FragColor = gl_LastFragData[0]; }"));
    CHECK_FALSE(
        fs("#extension GL_EXT_shader_framebuffer_fetch : require\n"
           "void main() { gl_LastFragData[0] = vec4(1.0); gl_FragColor = vec4(0.0); }"));
    CHECK_FALSE(
        vs("#extension GL_EXT_shader_framebuffer_fetch : enable\n"
           "void main() { gl_Position = gl_LastFragData[0]; }"));

    CHECK(
        fs("#extension GL_EXT_blend_func_extended : require\n"
           "void main() { gl_FragColor = vec4(0.0); gl_SecondaryFragColorEXT = vec4(1.0); }"));
    CHECK(
        fs("#extension GL_EXT_blend_func_extended : require\n"
           "void main() { gl_FragData[0] = vec4(0.0);\n"
           "gl_SecondaryFragDataEXT[gl_MaxDualSourceDrawBuffersEXT - 1] = vec4(1.0); }"));
    CHECK_FALSE(fs("void main() { gl_FragColor = vec4(0.0); gl_SecondaryFragColorEXT = vec4(1.0); }"));
    FramebufferFetchBarrier(h.ctx);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("EXT_occlusion_query_boolean, EXT_disjoint_timer_query") {
    ExtensionHarness h;
    Context& c = h.ctx;
    GLuint ids[3] = {};
    GenQueries(c, 3, ids);
    CHECK_FALSE(IsQuery(c, ids[0]));
    auto begin = [&](GLenum target, GLuint id) {
        BeginQuery(c, target, id);
        return h.error();
    };
    auto end = [&](GLenum target) {
        EndQuery(c, target);
        return h.error();
    };
    CHECK(begin(GL_TIMESTAMP_EXT, ids[0]) == GL_INVALID_ENUM);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, 0) == GL_INVALID_OPERATION);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, 77) == GL_INVALID_OPERATION);
    CHECK(end(GL_ANY_SAMPLES_PASSED_EXT) == GL_INVALID_OPERATION);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, ids[0]) == GL_NO_ERROR);
    CHECK(IsQuery(c, ids[0]));
    CHECK(begin(GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT, ids[1]) == GL_INVALID_OPERATION);
    CHECK(begin(GL_TIME_ELAPSED_EXT, ids[0]) == GL_INVALID_OPERATION);
    CHECK(begin(GL_TIME_ELAPSED_EXT, ids[1]) == GL_NO_ERROR);
    GLint v = -1;
    GetQueryiv(c, GL_ANY_SAMPLES_PASSED_EXT, GL_CURRENT_QUERY_EXT, &v);
    CHECK(v == GLint(ids[0]));
    GetQueryiv(c, GL_TIMESTAMP_EXT, GL_QUERY_COUNTER_BITS_EXT, &v);
    CHECK(v == 64);
    GLuint result = 7;
    GetQueryObjectuiv(c, ids[0], GL_QUERY_RESULT_EXT, &result);
    CHECK(h.error() == GL_INVALID_OPERATION);  // the query is active
    DrawArrays(c, GL_TRIANGLES, 0, 3);
    CHECK(end(GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT) == GL_INVALID_OPERATION);
    CHECK(end(GL_ANY_SAMPLES_PASSED_EXT) == GL_NO_ERROR);
    CHECK(end(GL_TIME_ELAPSED_EXT) == GL_NO_ERROR);
    GetQueryObjectuiv(c, ids[0], GL_QUERY_RESULT_AVAILABLE_EXT, &result);
    CHECK(result == 1);
    GLuint64 wide = 7;
    GetQueryObjectui64v(c, ids[1], GL_QUERY_RESULT_EXT, &wide);
    CHECK(wide == 0);  // the value of the fake device
    GetQueryObjectuiv(c, ids[2], GL_QUERY_RESULT_EXT, &result);
    CHECK(h.error() == GL_INVALID_OPERATION);
    QueryCounter(c, ids[0], GL_TIMESTAMP_EXT);
    CHECK(h.error() == GL_INVALID_OPERATION);
    QueryCounter(c, ids[2], GL_TIMESTAMP_EXT);
    CHECK(h.error() == GL_NO_ERROR);
    GetIntegerv(c, GL_GPU_DISJOINT_EXT, &v);
    CHECK(v == 0);
    GLint64 now = -1;
    GetInteger64v(c, GL_TIMESTAMP_EXT, &now);
    CHECK(now == 0);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_CONSERVATIVE_EXT, ids[0]) == GL_INVALID_OPERATION);
    CHECK(begin(GL_ANY_SAMPLES_PASSED_EXT, ids[0]) == GL_NO_ERROR);
    DeleteQueries(c, 3, ids);
    CHECK_FALSE(IsQuery(c, ids[0]));
    CHECK(end(GL_ANY_SAMPLES_PASSED_EXT) == GL_INVALID_OPERATION);
    CHECK(h.pipe().violations.empty());
}
