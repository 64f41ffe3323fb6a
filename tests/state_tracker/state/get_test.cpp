// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGet: the initial values of the GLES 2.0 state tables (6.2 to 6.21), and the conversions of section 6.1.2.
#include <doctest/doctest.h>

#include <cstring>
#include <string_view>
#include <vector>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Default {
    const char* text;
    GLenum name;
    std::vector<double> values;
};
#define ROW(name, ...)  \
    {                   \
#name, name, {  \
            __VA_ARGS__ \
        }               \
    }

// The surface has 64 x 48 pixels, RGBA8, depth 24, stencil 8.
const Default kDefaults[] = {
    ROW(GL_ARRAY_BUFFER_BINDING, 0),
    ROW(GL_ELEMENT_ARRAY_BUFFER_BINDING, 0),
    ROW(GL_VERTEX_ARRAY_BINDING_OES, 0),
    ROW(GL_VIEWPORT, 0, 0, 64, 48),
    ROW(GL_DEPTH_RANGE, 0, 1),
    ROW(GL_LINE_WIDTH, 1),
    ROW(GL_CULL_FACE, 0),
    ROW(GL_CULL_FACE_MODE, GL_BACK),
    ROW(GL_FRONT_FACE, GL_CCW),
    ROW(GL_POLYGON_OFFSET_FACTOR, 0),
    ROW(GL_POLYGON_OFFSET_UNITS, 0),
    ROW(GL_POLYGON_OFFSET_FILL, 0),
    ROW(GL_SAMPLE_ALPHA_TO_COVERAGE, 0),
    ROW(GL_SAMPLE_COVERAGE, 0),
    ROW(GL_SAMPLE_COVERAGE_VALUE, 1),
    ROW(GL_SAMPLE_COVERAGE_INVERT, 0),
    ROW(GL_TEXTURE_BINDING_2D, 0),
    ROW(GL_TEXTURE_BINDING_CUBE_MAP, 0),
    ROW(GL_TEXTURE_BINDING_EXTERNAL_OES, 0),
    ROW(GL_ACTIVE_TEXTURE, GL_TEXTURE0),
    ROW(GL_SCISSOR_TEST, 0),
    ROW(GL_SCISSOR_BOX, 0, 0, 64, 48),
    ROW(GL_STENCIL_TEST, 0),
    ROW(GL_STENCIL_FUNC, GL_ALWAYS),
    ROW(GL_STENCIL_VALUE_MASK, 4294967295.0),
    ROW(GL_STENCIL_REF, 0),
    ROW(GL_STENCIL_FAIL, GL_KEEP),
    ROW(GL_STENCIL_PASS_DEPTH_FAIL, GL_KEEP),
    ROW(GL_STENCIL_PASS_DEPTH_PASS, GL_KEEP),
    ROW(GL_STENCIL_BACK_FUNC, GL_ALWAYS),
    ROW(GL_STENCIL_BACK_VALUE_MASK, 4294967295.0),
    ROW(GL_STENCIL_BACK_REF, 0),
    ROW(GL_STENCIL_BACK_FAIL, GL_KEEP),
    ROW(GL_STENCIL_BACK_PASS_DEPTH_FAIL, GL_KEEP),
    ROW(GL_STENCIL_BACK_PASS_DEPTH_PASS, GL_KEEP),
    ROW(GL_DEPTH_TEST, 0),
    ROW(GL_DEPTH_FUNC, GL_LESS),
    ROW(GL_BLEND, 0),
    ROW(GL_BLEND_SRC_RGB, GL_ONE),
    ROW(GL_BLEND_SRC_ALPHA, GL_ONE),
    ROW(GL_BLEND_DST_RGB, GL_ZERO),
    ROW(GL_BLEND_DST_ALPHA, GL_ZERO),
    ROW(GL_BLEND_EQUATION_RGB, GL_FUNC_ADD),
    ROW(GL_BLEND_EQUATION_ALPHA, GL_FUNC_ADD),
    ROW(GL_BLEND_COLOR, 0, 0, 0, 0),
    ROW(GL_DITHER, 1),
    ROW(GL_COLOR_WRITEMASK, 1, 1, 1, 1),
    ROW(GL_DEPTH_WRITEMASK, 1),
    ROW(GL_STENCIL_WRITEMASK, 4294967295.0),
    ROW(GL_STENCIL_BACK_WRITEMASK, 4294967295.0),
    ROW(GL_COLOR_CLEAR_VALUE, 0, 0, 0, 0),
    ROW(GL_DEPTH_CLEAR_VALUE, 1),
    ROW(GL_STENCIL_CLEAR_VALUE, 0),
    ROW(GL_UNPACK_ALIGNMENT, 4),
    ROW(GL_PACK_ALIGNMENT, 4),
    ROW(GL_UNPACK_ROW_LENGTH_EXT, 0),
    ROW(GL_UNPACK_IMAGE_HEIGHT, 0),  // apitrace queries these two
    ROW(GL_UNPACK_SKIP_IMAGES, 0),
    ROW(GL_UNPACK_SKIP_ROWS_EXT, 0),
    ROW(GL_UNPACK_SKIP_PIXELS_EXT, 0),
    ROW(GL_CURRENT_PROGRAM, 0),
    ROW(GL_GENERATE_MIPMAP_HINT, GL_DONT_CARE),
    ROW(GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES, GL_DONT_CARE),
    ROW(GL_SUBPIXEL_BITS, 8),
    ROW(GL_MAX_TEXTURE_SIZE, 8192),
    ROW(GL_MAX_CUBE_MAP_TEXTURE_SIZE, 8192),
    ROW(GL_MAX_RENDERBUFFER_SIZE, 8192),
    ROW(GL_MAX_VIEWPORT_DIMS, 8192, 8192),
    ROW(GL_ALIASED_POINT_SIZE_RANGE, 1, 256),
    ROW(GL_ALIASED_LINE_WIDTH_RANGE, 1, 16),
    ROW(GL_MAX_VERTEX_ATTRIBS, 16),
    ROW(GL_MAX_VERTEX_UNIFORM_VECTORS, 1024),
    ROW(GL_MAX_FRAGMENT_UNIFORM_VECTORS, 1024),
    ROW(GL_MAX_VARYING_VECTORS, 16),
    ROW(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, 32),
    ROW(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, 16),
    ROW(GL_MAX_TEXTURE_IMAGE_UNITS, 16),
    ROW(GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, 16),
    ROW(GL_SHADER_COMPILER, 1),
    ROW(GL_NUM_SHADER_BINARY_FORMATS, 0),
    ROW(GL_SHADER_BINARY_FORMATS),
    ROW(GL_NUM_PROGRAM_BINARY_FORMATS_OES, 1),
    ROW(GL_NUM_COMPRESSED_TEXTURE_FORMATS, 41),
    ROW(GL_SAMPLE_BUFFERS, 0),
    ROW(GL_SAMPLES, 0),
    ROW(GL_RED_BITS, 8),
    ROW(GL_GREEN_BITS, 8),
    ROW(GL_BLUE_BITS, 8),
    ROW(GL_ALPHA_BITS, 8),
    ROW(GL_DEPTH_BITS, 24),
    ROW(GL_STENCIL_BITS, 8),
    ROW(GL_FRAMEBUFFER_BINDING, 0),
    ROW(GL_RENDERBUFFER_BINDING, 0),
    ROW(GL_IMPLEMENTATION_COLOR_READ_FORMAT, GL_RGBA),
    ROW(GL_IMPLEMENTATION_COLOR_READ_TYPE, GL_UNSIGNED_BYTE),
    ROW(GL_DEBUG_OUTPUT_KHR, 0),
    ROW(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR, 0),
    ROW(GL_DEBUG_LOGGED_MESSAGES_KHR, 0),
    ROW(GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR, 0),
    ROW(GL_DEBUG_GROUP_STACK_DEPTH_KHR, 1),
    ROW(GL_MAX_DEBUG_GROUP_STACK_DEPTH_KHR, 64),
    ROW(GL_MAX_LABEL_LENGTH_KHR, 256),
    ROW(GL_CONTEXT_FLAGS, 0),
    ROW(GL_CONTEXT_ROBUST_ACCESS_KHR, 0),
    ROW(GL_RESET_NOTIFICATION_STRATEGY_KHR, GL_NO_RESET_NOTIFICATION_KHR),
};
#undef ROW

}  // namespace

TEST_CASE("initial values follow the state tables, with every glGet") {
    test::Harness h;
    for (const Default& d : kDefaults) {
        CAPTURE(d.text);
        GLfloat f[65];
        GLboolean b[65];
        GLint n[65];
        std::fill_n(f, 65, -7.5f);
        std::memset(b, 77, sizeof b);
        GetFloatv(h.ctx, d.name, f);
        GetBooleanv(h.ctx, d.name, b);
        std::fill_n(n, 65, -77);
        GetIntegerv(h.ctx, d.name, n);
        CHECK(h.error() == GL_NO_ERROR);
        for (size_t i = 0; i < d.values.size(); ++i) {
            CHECK(f[i] == GLfloat(d.values[i]));
            CHECK(b[i] == (d.values[i] != 0));
        }
        // No memory after the values is written.
        CHECK(f[d.values.size()] == -7.5f);
        CHECK(b[d.values.size()] == 77);
        CHECK(n[d.values.size()] == -77);
        bool normalized = d.name == GL_DEPTH_RANGE || d.name == GL_BLEND_COLOR ||
                          d.name == GL_COLOR_CLEAR_VALUE || d.name == GL_DEPTH_CLEAR_VALUE;
        for (size_t i = 0; i < d.values.size(); ++i)
            CHECK(n[i] ==
                  (normalized ? GLint(d.values[i] * 2147483647.0) : GLint(uint32_t(int64_t(d.values[i])))));
    }
}

TEST_CASE("floats round to the nearest integer, colours and depths use the range of integers") {
    test::Harness h;
    PolygonOffset(h.ctx, 1.5f, -2.4f);
    CHECK(h.integer(GL_POLYGON_OFFSET_FACTOR) == 2);
    CHECK(h.integer(GL_POLYGON_OFFSET_UNITS) == -2);
    PolygonOffset(h.ctx, 1e20f, -1e20f);
    CHECK(h.integer(GL_POLYGON_OFFSET_FACTOR) == 2147483647);
    CHECK(h.integer(GL_POLYGON_OFFSET_UNITS) == -2147483647 - 1);
    DepthRangef(h.ctx, 0.5f, 2.0f);
    GLint range[2];
    GetIntegerv(h.ctx, GL_DEPTH_RANGE, range);
    CHECK(range[0] == 1073741824);
    CHECK(range[1] == 2147483647);
}

TEST_CASE("clamped state is clamped when it is set") {
    test::Harness h;
    ClearColor(h.ctx, -1, 2, 0.25f, __builtin_nanf(""));
    ClearDepthf(h.ctx, 7);
    SampleCoverage(h.ctx, -3, GL_TRUE);
    Viewport(h.ctx, -5, 6, 100000, 20);
    GLfloat c[4], v;
    GetFloatv(h.ctx, GL_COLOR_CLEAR_VALUE, c);
    CHECK(c[0] == 0);
    CHECK(c[1] == 1);
    CHECK(c[2] == 0.25f);
    CHECK(c[3] == 0);
    GetFloatv(h.ctx, GL_DEPTH_CLEAR_VALUE, &v);
    CHECK(v == 1);
    GetFloatv(h.ctx, GL_SAMPLE_COVERAGE_VALUE, &v);
    CHECK(v == 0);
    CHECK(h.integer(GL_SAMPLE_COVERAGE_INVERT) == 1);
    GLint box[4];
    GetIntegerv(h.ctx, GL_VIEWPORT, box);
    CHECK(box[0] == -5);
    CHECK(box[2] == 8192);
    StencilFunc(h.ctx, GL_LESS, 1000, 0xff);
    CHECK(h.integer(GL_STENCIL_REF) == 255);
    StencilFuncSeparate(h.ctx, GL_BACK, GL_LESS, -1, 0xff);
    CHECK(h.integer(GL_STENCIL_BACK_REF) == 0);
    CHECK(h.integer(GL_STENCIL_REF) == 255);
}

TEST_CASE("capabilities are enabled one by one") {
    test::Harness h;
    const GLenum caps[] = {GL_BLEND,        GL_CULL_FACE,           GL_DEPTH_TEST,
                           GL_DITHER,       GL_SCISSOR_TEST,        GL_SAMPLE_COVERAGE,
                           GL_STENCIL_TEST, GL_POLYGON_OFFSET_FILL, GL_SAMPLE_ALPHA_TO_COVERAGE};
    for (GLenum cap : caps) {
        CAPTURE(cap);
        Disable(h.ctx, cap);
        CHECK(IsEnabled(h.ctx, cap) == GL_FALSE);
        Enable(h.ctx, cap);
        CHECK(IsEnabled(h.ctx, cap) == GL_TRUE);
        CHECK(h.integer(cap) == 1);
        Disable(h.ctx, cap);
        CHECK(IsEnabled(h.ctx, cap) == GL_FALSE);
    }
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("strings") {
    test::Harness h;
    auto text = [&](GLenum n) {
        return std::string_view(reinterpret_cast<const char*>(GetString(h.ctx, n)));
    };
    CHECK(text(GL_VENDOR) == "Terrazzo");
    CHECK(text(GL_RENDERER) == "fake");
    CHECK(text(GL_VERSION).starts_with("OpenGL ES 2.0 Terrazzo "));
    CHECK(text(GL_SHADING_LANGUAGE_VERSION) == "OpenGL ES GLSL ES 1.00");
    CHECK(text(GL_EXTENSIONS).starts_with("GL_OES_vertex_array_object GL_OES_packed_depth_stencil "));
    CHECK(text(GL_EXTENSIONS).ends_with(" GL_KHR_no_error"));
}

TEST_CASE("extensions follow the device") {
    fake::FakeScreen screen;
    screen.mutable_caps().max_anisotropy = 1;
    screen.mutable_caps().float_textures_linear = false;
    auto ctx = Context::create(screen, nullptr, {});
    std::string_view list(reinterpret_cast<const char*>(GetString(*ctx, GL_EXTENSIONS)));
    CHECK(list.find("anisotropic") == std::string_view::npos);
    CHECK(list.find("GL_OES_texture_float ") != std::string_view::npos);
    CHECK(list.find("GL_OES_texture_float_linear") == std::string_view::npos);
    GLint v = -1;
    GetIntegerv(*ctx, GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, &v);
    CHECK(GetError(*ctx) == GL_INVALID_ENUM);
    CHECK(v == -1);
}

TEST_CASE("a context without a surface has an empty framebuffer, and its viewport waits for one") {
    test::Harness h({}, false);
    CHECK(h.integer(GL_RED_BITS) == 0);
    GLint box[4] = {1, 1, 1, 1};
    GetIntegerv(h.ctx, GL_VIEWPORT, box);
    CHECK(box[2] == 0);
    CHECK(h.error() == GL_NO_ERROR);
    h.ctx.make_current(h.drawable, h.drawable);
    GetIntegerv(h.ctx, GL_VIEWPORT, box);
    CHECK(box[2] == 64);
    CHECK(box[3] == 48);
    // Later surfaces do not change it.
    h.ctx.make_current(nullptr, nullptr);
    Viewport(h.ctx, 1, 2, 3, 4);
    h.ctx.make_current(h.drawable, h.drawable);
    GetIntegerv(h.ctx, GL_VIEWPORT, box);
    CHECK(box[2] == 3);
}

TEST_CASE("resets are reported to contexts that requested it") {
    ContextConfig config;
    config.robust = config.lose_context_on_reset = true;
    test::Harness h(config);
    CHECK(GetGraphicsResetStatus(h.ctx) == GL_NO_ERROR);
    h.pipe().reset = pipe::ResetStatus::Guilty;
    CHECK(GetGraphicsResetStatus(h.ctx) == GL_GUILTY_CONTEXT_RESET_KHR);
    CHECK(GetGraphicsResetStatus(h.ctx) == GL_NO_ERROR);
    CHECK(h.integer(GL_RESET_NOTIFICATION_STRATEGY_KHR) == GL_LOSE_CONTEXT_ON_RESET_KHR);
    CHECK(h.integer(GL_CONTEXT_FLAGS) == GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT);
}

TEST_CASE("a context that cannot be created is null") {
    fake::FakeScreen screen;
    screen.fail_after = 0;
    CHECK(Context::create(screen, nullptr, {}) == nullptr);
}
