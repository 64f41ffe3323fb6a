// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws: the calls to the pipe, that only changed state is passed, and that client memory is uploaded to the
// device.
#include <doctest/doctest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;
using test::Calls;
using test::DrawHarness;

TEST_CASE("a second identical draw is one pipe call") {
    DrawHarness h;
    h.buffer_vertices();
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.calls([&] { DrawArrays(h.ctx, GL_TRIANGLES, 0, 3); }) == Calls{"draw"});
    const GLubyte indices[] = {0, 1, 2, 5};
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 2);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 4, indices, GL_STATIC_DRAW);
    DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, nullptr);
    CHECK(h.calls([&] { DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, nullptr); }) == Calls{"draw"});
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("a draw passes only changed state") {
    DrawHarness h;
    h.buffer_vertices();
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    auto after = [&](auto&& change) {
        return h.calls([&] {
            change(h.ctx);
            DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
        });
    };
    GLint color = GetUniformLocation(h.ctx, h.p, "color");
    CHECK(after([&](Context& c) { Uniform4f(c, color, 1, 2, 3, 4); }) == Calls{"set_uniforms", "draw"});
    CHECK(after([&](Context& c) { Uniform4f(c, color, 1, 2, 3, 4); }) == Calls{"draw"});  // the same value
    CHECK(after([&](Context& c) { Enable(c, GL_BLEND); }) == Calls{"bind_blend", "draw"});
    CHECK(after([&](Context& c) {
              Disable(c, GL_BLEND);
              Enable(c, GL_BLEND);
          }) == Calls{"draw"});
    CHECK(after([&](Context& c) { DepthFunc(c, GL_GREATER); }) == Calls{"draw"});  // the test is disabled
    CHECK(after([&](Context& c) { Enable(c, GL_DEPTH_TEST); }) == Calls{"bind_depth_stencil", "draw"});
    CHECK(after([&](Context& c) { CullFace(c, GL_FRONT); }) == Calls{"draw"});
    CHECK(after([&](Context& c) { Enable(c, GL_CULL_FACE); }) == Calls{"bind_raster", "draw"});
    CHECK(after([&](Context& c) { Viewport(c, 1, 2, 3, 4); }) == Calls{"set_viewport", "draw"});
    CHECK(after([&](Context& c) { Scissor(c, 1, 2, 3, 4); }) == Calls{"draw"});  // disabled
    CHECK(after([&](Context& c) { Enable(c, GL_SCISSOR_TEST); }) ==
          Calls{"bind_raster", "set_scissor", "draw"});
    CHECK(after([&](Context& c) { BlendColor(c, 1, 0, 0, 1); }) == Calls{"set_blend_color", "draw"});
    CHECK(after([&](Context& c) { UseProgram(c, h.p); }) == Calls{"draw"});
    CHECK(after([&](Context& c) { VertexAttrib4f(c, 9, 1, 1, 1, 1); }) ==
          Calls{"draw"});  // no shader reads it
    CHECK(after([&](Context& c) { UseProgram(c, 0), UseProgram(c, h.p); }) == Calls{"draw"});
    int states = h.screen.created_states;
    CHECK(after([&](Context& c) { Disable(c, GL_BLEND); }) == Calls{"bind_blend", "draw"});
    CHECK(h.screen.created_states == states);  // the state exists already
}

TEST_CASE("the pipe gets the state as it was set") {
    DrawHarness h;
    Context& c = h.ctx;
    Enable(c, GL_CULL_FACE);
    CullFace(c, GL_FRONT_AND_BACK);
    FrontFace(c, GL_CW);
    LineWidth(c, 100);
    Enable(c, GL_POLYGON_OFFSET_FILL);
    PolygonOffset(c, 2, 3);
    Enable(c, GL_SCISSOR_TEST);
    Scissor(c, -5, 7, INT32_MAX, 2);
    Viewport(c, 10, 20, 30, 40);
    DepthRangef(c, 0.25f, 0.75f);
    Enable(c, GL_DEPTH_TEST);
    DepthFunc(c, GL_GEQUAL);
    DepthMask(c, GL_FALSE);
    Enable(c, GL_STENCIL_TEST);
    StencilFuncSeparate(c, GL_FRONT, GL_NOTEQUAL, 300, 0x1f0);
    StencilFuncSeparate(c, GL_BACK, GL_EQUAL, -3, 0x0f);
    StencilOpSeparate(c, GL_FRONT, GL_ZERO, GL_INCR, GL_DECR_WRAP);
    StencilOpSeparate(c, GL_BACK, GL_INVERT, GL_REPLACE, GL_INCR_WRAP);
    StencilMaskSeparate(c, GL_BACK, 0x5);
    Enable(c, GL_BLEND);
    BlendFuncSeparate(c, GL_SRC_ALPHA_SATURATE, GL_ONE_MINUS_SRC_COLOR, GL_CONSTANT_ALPHA, GL_DST_ALPHA);
    BlendEquationSeparate(c, GL_FUNC_REVERSE_SUBTRACT, GL_MAX_EXT);
    ColorMask(c, GL_TRUE, GL_FALSE, GL_TRUE, GL_FALSE);
    Enable(c, GL_SAMPLE_ALPHA_TO_COVERAGE);
    Disable(c, GL_DITHER);
    Enable(c, GL_SAMPLE_COVERAGE);
    SampleCoverage(c, 0.5f, GL_TRUE);
    DrawArrays(c, GL_TRIANGLES, 0, 3);
    REQUIRE(h.error() == GL_NO_ERROR);
    fake::FakeContext& p = h.pipe();

    pipe::RasterDesc raster;
    raster.cull = pipe::CullFace::Both;
    raster.front_ccw = false;
    raster.scissor = raster.depth_bias = true;
    raster.depth_bias_factor = 2;
    raster.depth_bias_units = 3;
    raster.line_width_px = 16;
    CHECK((p.raster_desc() == raster));
    CHECK((p.scissor == pipe::Scissor{-5, 7, INT32_MAX - 5, 9}));
    CHECK((p.viewport == pipe::Viewport{{15, 20, 0.25f}, {25, 40, 0.5f}, {0.25f, 0.75f}}));
    pipe::DepthStencilDesc ds;
    ds.depth_test = ds.stencil_test = true;
    ds.depth_compare = pipe::Compare::GreaterEqual;
    ds.front = {pipe::Compare::NotEqual,
                pipe::StencilOp::Zero,
                pipe::StencilOp::IncrClamp,
                pipe::StencilOp::DecrWrap,
                0xf0,
                0xff};
    ds.back = {pipe::Compare::Equal,
               pipe::StencilOp::Invert,
               pipe::StencilOp::Replace,
               pipe::StencilOp::IncrWrap,
               0x0f,
               0x05};
    CHECK((p.depth_stencil_desc() == ds));
    CHECK(p.stencil_ref[0] == 255);
    CHECK(p.stencil_ref[1] == 0);
    const pipe::BlendTargetDesc& t = p.blend_desc().targets[0];
    CHECK(t.enable);
    CHECK(t.op_rgb == pipe::BlendOp::ReverseSubtract);
    CHECK(t.op_alpha == pipe::BlendOp::Max);
    CHECK(t.src_rgb == pipe::BlendFactor::SrcAlphaSaturate);
    CHECK(t.dst_rgb == pipe::BlendFactor::OneMinusSrcColor);
    CHECK(t.src_alpha == pipe::BlendFactor::ConstAlpha);
    CHECK(t.dst_alpha == pipe::BlendFactor::DstAlpha);
    CHECK(t.write_mask == 0b0101);
    CHECK(p.blend_desc().alpha_to_coverage);
    CHECK(!p.blend_desc().dither);
    CHECK(p.coverage == 0.5f);
    CHECK(p.coverage_invert);
}

TEST_CASE("tests without their plane are disabled") {
    DrawHarness h;
    h.drawable->buffers.depth_stencil = nullptr;
    h.drawable->depth_bits = h.drawable->stencil_bits = 0;
    h.drawable->stamp++;
    Enable(h.ctx, GL_DEPTH_TEST);
    Enable(h.ctx, GL_STENCIL_TEST);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(!h.pipe().depth_stencil_desc().depth_test);
    CHECK(!h.pipe().depth_stencil_desc().depth_write);
    CHECK(!h.pipe().depth_stencil_desc().stencil_test);
}

TEST_CASE("uniforms reach the stages that use them") {
    DrawHarness h;
    Uniform4f(h.ctx, GetUniformLocation(h.ctx, h.p, "color"), 1, 2, 3, 4);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    const std::vector<uint32_t>& dwords = h.pipe().uniforms[size_t(pipe::Stage::Fragment)];
    REQUIRE(dwords.size() >= 4);
    CHECK(std::bit_cast<float>(dwords[0]) == 1);
    CHECK(std::bit_cast<float>(dwords[3]) == 4);
    CHECK(h.pipe().uniforms[size_t(pipe::Stage::Vertex)].empty());
}

TEST_CASE("gl_DepthRange follows glDepthRangef") {
    test::Harness h;
    GLuint p =
        h.program("attribute vec4 position; void main() { gl_Position = position; }",
                  "precision highp float; void main() {\n"
                  "gl_FragColor = vec4(gl_DepthRange.near, gl_DepthRange.far, gl_DepthRange.diff, 1); }");
    REQUIRE(h.linked(p));
    UseProgram(h.ctx, p);
    DepthRangef(h.ctx, 0.25f, 0.875f);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    auto has = [&](float f) {
        for (uint32_t d : h.pipe().uniforms[size_t(pipe::Stage::Fragment)])
            if (std::bit_cast<float>(d) == f) return true;
        return false;
    };
    CHECK(has(0.25f));
    CHECK(has(0.875f));
    CHECK(has(0.625f));
    DepthRangef(h.ctx, 1, 0);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(has(-1));
    CHECK(GetUniformLocation(h.ctx, p, "gl_DepthRange.near") == -1);
}

TEST_CASE("buffer arrays are read in place") {
    DrawHarness h;
    h.buffer_vertices();
    DrawArrays(h.ctx, GL_LINE_STRIP, 2, 4);
    CHECK(h.last().info.mode == pipe::Primitive::LineStrip);
    CHECK(h.last().info.index_type == pipe::IndexType::None);
    CHECK(h.last().ranges[0].first == 2);
    CHECK(h.last().ranges[0].count == 4);
    CHECK(h.pipe().layout_desc().elements[h.location].format == pipe::Format::R32G32_FLOAT);
    CHECK(h.last().vertex_buffers[0].stride_B == 8);
    CHECK(h.fetch(3, h.location)[1] == 13);
    // The next draw uses new data without another VertexAttribPointer.
    const GLfloat more[2] = {-1, -2};
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 24, 8, more);
    DrawArrays(h.ctx, GL_LINE_STRIP, 2, 4);
    CHECK(h.fetch(3, h.location)[1] == -2);
    const GLfloat fresh[2] = {5, 6};
    BufferData(h.ctx, GL_ARRAY_BUFFER, 8, fresh, GL_STATIC_DRAW);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.fetch(0, h.location)[1] == 6);
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("after another context writes a buffer, draws never read freed storage") {
    DrawHarness h;
    h.buffer_vertices();
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    auto other = Context::create(h.screen, &h.ctx, {});
    BindBuffer(*other, GL_ARRAY_BUFFER, 1);
    const GLfloat v[4] = {7, 8, 9, 10};
    BufferData(*other, GL_ARRAY_BUFFER, sizeof v, v, GL_STATIC_DRAW);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.fetch(0, h.location)[0] == 7);
}

TEST_CASE("client arrays are uploaded as far as they are drawn") {
    DrawHarness h;
    GLfloat v[40];
    for (int i = 0; i < 40; ++i)
        v[i] = float(i);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 16, v + 1);
    EnableVertexAttribArray(h.ctx, h.location);
    DrawArrays(h.ctx, GL_TRIANGLES, 3, 3);
    // The uploaded vertex 3 is the draw's `first`.
    const uint32_t first = h.last().ranges[0].first;
    CHECK(h.fetch(first, h.location)[0] == 13);
    CHECK(h.fetch(first + 2, h.location)[1] == 22);
    // The memory is read again at each draw.
    v[13] = -1;
    DrawArrays(h.ctx, GL_TRIANGLES, 3, 3);
    CHECK(h.fetch(h.last().ranges[0].first, h.location)[0] == -1);
    CHECK(h.pipe().violations.empty());
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("client indices and arrays: the range of the indices is uploaded") {
    DrawHarness h;
    GLfloat v[16];
    for (int i = 0; i < 16; ++i)
        v[i] = float(i);
    VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, v);
    EnableVertexAttribArray(h.ctx, h.location);
    const GLushort indices[] = {5, 3, 6};
    auto check = [&](pipe::IndexType type) {
        const auto& d = h.last();
        CHECK(d.info.index_type == type);
        CHECK(d.info.min_index == 3);
        CHECK(d.info.max_index == 6);
        CHECK(d.ranges[0].count == 3);
        CHECK(h.fetch(uint32_t(5 + d.ranges[0].index_bias), h.location)[0] == 10);
        CHECK(h.fetch(uint32_t(6 + d.ranges[0].index_bias), h.location)[1] == 13);
    };
    DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices);
    check(pipe::IndexType::U16);
    auto& r = static_cast<fake::FakeResource&>(*h.last().info.index_buffer);
    CHECK(std::memcmp(r.bytes.data() + h.last().info.index_offset_B, indices, sizeof indices) == 0);
    const GLuint wide[] = {5, 3, 6};
    DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_INT, wide);
    check(pipe::IndexType::U32);
    // Client arrays with indices in a buffer.
    const GLubyte bytes[] = {9, 5, 3, 6};
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 4);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 4, bytes, GL_STATIC_DRAW);
    DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, reinterpret_cast<const void*>(1));
    check(pipe::IndexType::U8);
    CHECK(h.last().info.index_offset_B == 1);
    // The range is remembered until the buffer changes.
    auto calls = h.calls(
        [&] { DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, reinterpret_cast<const void*>(1)); });
    CHECK(calls == Calls{"set_vertex_buffers", "draw"});
    const GLubyte two = 2;
    BufferSubData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 2, 1, &two);
    DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, reinterpret_cast<const void*>(1));
    CHECK(h.last().info.min_index == 2);
    CHECK(h.pipe().violations.empty());
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("interleaved arrays share a binding, other arrays do not") {
    test::Harness h;
    GLuint p = h.program(
        "attribute vec4 a; attribute vec2 b; attribute vec3 c; attribute float d;\n"
        "void main() { gl_Position = a + vec4(b, c.xy) + vec4(c, d); }",
        "void main() { gl_FragColor = vec4(1.0); }");
    REQUIRE(h.linked(p));
    UseProgram(h.ctx, p);
    GLuint at[4];
    const char* names[] = {"a", "b", "c", "d"};
    for (int i = 0; i < 4; ++i)
        at[i] = GLuint(GetAttribLocation(h.ctx, p, names[i]));
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 1);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 1000, nullptr, GL_STATIC_DRAW);
    auto offset = [](size_t n) { return reinterpret_cast<const void*>(n); };
    VertexAttribPointer(h.ctx, at[0], 4, GL_FLOAT, GL_FALSE, 24, offset(108));
    VertexAttribPointer(h.ctx, at[1], 2, GL_FLOAT, GL_FALSE, 24, offset(100));
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 2);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 1000, nullptr, GL_STATIC_DRAW);
    VertexAttribPointer(h.ctx, at[2], 3, GL_BYTE, GL_TRUE, 24, offset(3));
    for (int i = 0; i < 3; ++i)
        EnableVertexAttribArray(h.ctx, at[i]);
    VertexAttrib1f(h.ctx, at[3], 0.5f);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    const auto& e = h.pipe().layout_desc().elements;
    const auto& b = h.pipe().draws.back().vertex_buffers;
    CHECK(b.size() == 3);
    CHECK(e[at[0]].buffer == e[at[1]].buffer);
    CHECK(e[at[0]].offset_B == 8);
    CHECK(e[at[1]].offset_B == 0);
    CHECK(b[e[at[0]].buffer].offset_B == 100);
    CHECK(b[e[at[0]].buffer].stride_B == 24);
    CHECK(e[at[2]].format == pipe::Format::R8G8B8_SNORM);
    CHECK(b[e[at[2]].buffer].offset_B == 3);
    // The current value: stride 0, four floats.
    CHECK(e[at[3]].format == pipe::Format::R32G32B32A32_FLOAT);
    const pipe::VertexBuffer& current = b[e[at[3]].buffer];
    CHECK(current.stride_B == 0);
    float value[4];
    auto& r = static_cast<fake::FakeResource&>(*current.resource);
    std::memcpy(value, r.bytes.data() + current.offset_B + e[at[3]].offset_B, 16);
    CHECK(value[0] == 0.5f);
    CHECK(value[3] == 1);
    // Together with a client array all arrays are rebased to the first vertex.
    float client[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 0);
    VertexAttribPointer(h.ctx, at[2], 3, GL_FLOAT, GL_FALSE, 0, client);
    DrawArrays(h.ctx, GL_POINTS, 2, 2);
    const auto& m = h.pipe().draws.back();
    CHECK(m.ranges[0].first == 0);
    CHECK(m.vertex_buffers[e[at[0]].buffer].offset_B == 148);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("vertex formats by type") {
    struct {
        GLenum type;
        GLint size;
        GLboolean normalized;
        pipe::Format format;
        uint32_t stride_B;
    } const rows[] = {
        {GL_FLOAT, 1, 0, pipe::Format::R32_FLOAT, 4},
        {GL_FLOAT, 3, 1, pipe::Format::R32G32B32_FLOAT, 12},
        {GL_UNSIGNED_BYTE, 4, 1, pipe::Format::R8G8B8A8_UNORM, 4},
        {GL_UNSIGNED_BYTE, 4, 0, pipe::Format::R8G8B8A8_USCALED, 4},
        {GL_BYTE, 2, 0, pipe::Format::R8G8_SSCALED, 2},
        {GL_SHORT, 2, 1, pipe::Format::R16G16_SNORM, 4},
        {GL_SHORT, 3, 0, pipe::Format::R16G16B16_SSCALED, 6},
        {GL_UNSIGNED_SHORT, 4, 1, pipe::Format::R16G16B16A16_UNORM, 8},
        {GL_FIXED, 2, 0, pipe::Format::R32G32_FIXED, 8},
    };
    DrawHarness h;
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 1);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 64, nullptr, GL_STATIC_DRAW);
    EnableVertexAttribArray(h.ctx, h.location);
    for (const auto& r : rows) {
        CAPTURE(r.type);
        VertexAttribPointer(h.ctx, h.location, r.size, r.type, r.normalized, 0, nullptr);
        DrawArrays(h.ctx, GL_POINTS, 0, 1);
        CHECK(h.pipe().layout_desc().elements[h.location].format == r.format);
        CHECK(h.last().vertex_buffers[0].stride_B == r.stride_B);
    }
}

TEST_CASE("unusual draws are safe") {
    DrawHarness h;
    h.buffer_vertices();
    const GLushort indices[] = {0, 1, 2, 3};
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 2);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 8, indices, GL_STATIC_DRAW);
    auto offset = [](size_t n) { return reinterpret_cast<const void*>(n); };
    // After the end of the buffer: the existing part, or nothing.
    DrawElements(h.ctx, GL_POINTS, 100, GL_UNSIGNED_SHORT, offset(4));
    CHECK(h.last().ranges[0].count == 2);
    unsigned draws = h.pipe().count("draw");
    DrawElements(h.ctx, GL_POINTS, 1, GL_UNSIGNED_SHORT, offset(8));
    DrawElements(h.ctx, GL_POINTS, 1, GL_UNSIGNED_SHORT, offset(SIZE_MAX));
    DrawElements(h.ctx, GL_POINTS, 0, GL_UNSIGNED_SHORT, nullptr);
    DrawArrays(h.ctx, GL_POINTS, 0, 0);
    CHECK(h.pipe().count("draw") == draws);
    // An unaligned offset is copied to an aligned one.
    DrawElements(h.ctx, GL_POINTS, 2, GL_UNSIGNED_SHORT, offset(1));
    CHECK(h.last().info.index_offset_B % 2 == 0);
    auto& r = static_cast<fake::FakeResource&>(*h.last().info.index_buffer);
    CHECK(std::memcmp(r.bytes.data() + h.last().info.index_offset_B,
                      reinterpret_cast<const char*>(indices) + 1, 4) == 0);
    // No index buffer, and a client array at null.
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 0);
    draws = h.pipe().count("draw");
    DrawElements(h.ctx, GL_POINTS, 1, GL_UNSIGNED_SHORT, nullptr);
    CHECK(h.pipe().count("draw") == draws);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 0);
    VertexAttribPointer(h.ctx, h.location, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.last().vertex_buffers[0].resource == nullptr);
    // A buffer without storage.
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 77);
    VertexAttribPointer(h.ctx, h.location, 4, GL_FLOAT, GL_FALSE, 0, nullptr);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.last().vertex_buffers[0].resource == nullptr);
    CHECK(h.error() == GL_NO_ERROR);
    // More client vertices than memory can hold.
    const float v[4] = {};
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 0);
    VertexAttribPointer(h.ctx, h.location, 4, GL_FLOAT, GL_FALSE, INT32_MAX, v);
    DrawArrays(h.ctx, GL_POINTS, INT32_MAX, INT32_MAX);
    CHECK(h.error() == GL_OUT_OF_MEMORY);
    const GLuint huge[] = {0, 0xffffffff};
    DrawElements(h.ctx, GL_POINTS, 2, GL_UNSIGNED_INT, huge);
    CHECK(h.error() == GL_OUT_OF_MEMORY);
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("draws from mapped buffers are errors") {
    DrawHarness h;
    h.buffer_vertices();
    MapBuffer(h.ctx, GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    UnmapBuffer(h.ctx, GL_ARRAY_BUFFER);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 2);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 8, nullptr, GL_STATIC_DRAW);
    MapBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, GL_WRITE_ONLY_OES);
    DrawArrays(h.ctx, GL_POINTS, 0, 1);
    CHECK(h.error() == GL_NO_ERROR);
    DrawElements(h.ctx, GL_POINTS, 1, GL_UNSIGNED_BYTE, nullptr);
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(h.pipe().count("draw") == 2);
}

TEST_CASE("draws without a program or a framebuffer draw nothing") {
    test::Harness h;
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().count("draw") == 0);
    UseProgram(h.ctx, h.simple_program());
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 1);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_INVALID_FRAMEBUFFER_OPERATION);
    BindFramebuffer(h.ctx, GL_FRAMEBUFFER, 0);
    h.ctx.make_current(nullptr, nullptr);
    DrawElements(h.ctx, GL_TRIANGLES, 3, GL_UNSIGNED_BYTE, nullptr);
    CHECK(h.error() == GL_INVALID_FRAMEBUFFER_OPERATION);
    CHECK(h.pipe().count("draw") == 0);
}

TEST_CASE("when memory runs out nothing is drawn, and the next draw is right") {
    for (int n = 0; n < 8; ++n) {
        CAPTURE(n);
        DrawHarness h;
        const float v[8] = {1, 2, 3, 4, 5, 6, 7, 8};
        VertexAttribPointer(h.ctx, h.location, 2, GL_FLOAT, GL_FALSE, 0, v);
        EnableVertexAttribArray(h.ctx, h.location);
        h.screen.fail_after = n;
        DrawArrays(h.ctx, GL_POINTS, 0, 4);
        const bool failed = h.error() == GL_OUT_OF_MEMORY;
        CHECK(h.pipe().count("draw") == (failed ? 0 : 1));
        h.screen.fail_after = -1;
        DrawArrays(h.ctx, GL_POINTS, 0, 4);
        CHECK(h.error() == GL_NO_ERROR);
        CHECK(h.fetch(h.last().ranges[0].first + 1, h.location)[0] == 3);
        if (n == 0) CHECK(failed);
    }
}

TEST_CASE("contexts that share a program each count rows from the edge of their own surface") {
    test::Harness h;
    const GLuint p = h.program(
        "attribute vec4 position; void main() { gl_Position = position; }",
        "precision highp float; uniform vec4 color; void main() { gl_FragColor = color * gl_FragCoord.y; }");
    REQUIRE(h.linked(p));
    auto other = Context::create(h.screen, &h.ctx, {});
    REQUIRE(other);
    const auto window = pipe::Ref<test::FakeDrawable>::adopt(new test::FakeDrawable(h.screen, 64, 48));
    window->top_down = true;
    other->make_current(window, window);
    const auto draw = [&](Context& ctx) {
        UseProgram(ctx, p);
        DrawArrays(ctx, GL_TRIANGLES, 0, 3);
        const auto& block =
            static_cast<fake::FakeContext&>(*ctx.pipe).uniforms[size_t(pipe::Stage::Fragment)];
        REQUIRE(block.size() >= 6);
        return std::pair(std::bit_cast<float>(block[block.size() - 2]), std::bit_cast<float>(block.back()));
    };
    const std::pair bottom_up(0.0f, 0.0f), top_down(-2.0f, 48.0f);
    CHECK(draw(h.ctx) == bottom_up);
    CHECK(draw(*other) == top_down);
    CHECK(draw(h.ctx) == bottom_up);
    // A uniform that both contexts use: each has its own value.
    UseProgram(h.ctx, p);
    Uniform4f(h.ctx, GetUniformLocation(h.ctx, p, "color"), 1, 2, 3, 4);
    CHECK(draw(*other) == top_down);
    CHECK(draw(h.ctx) == bottom_up);
}

TEST_CASE("flushes end the pass, finishes wait") {
    DrawHarness h;
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.calls([&] { Flush(h.ctx); }) == Calls{"end_render_pass", "flush"});
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.calls([&] { Finish(h.ctx); }) == Calls{"end_render_pass", "flush"});
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    h.ctx.flush_frame();
    CHECK(h.pipe().calls.back() == "flush");
    CHECK(h.pipe().violations.empty());
}
