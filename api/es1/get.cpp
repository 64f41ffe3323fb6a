// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGet* (tables 6.2 to 6.28): rows of the state here, and names that the state tracker handles.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "api/es1/arrays.h"
#include "api/es1/enable.h"
#include "api/es1/fixed.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::es1 {
namespace {

/// The conversion of a value to an integer or a fixed-point number. Bits and enums do not change; Normalized
/// maps [-1,1] to the range of GLint.
enum class Kind : uint8_t { Enum, Int, Float, Normalized };

struct Values {
    unsigned count = 0;
    std::array<double, 32> v;
    template <class... T>
    void set(T... values) {
        count = 0;
        ((v[count++] = double(values)), ...);
    }
    void set(const Vec4& x) { set(x.x, x.y, x.z, x.w); }
    void set(const Matrix& m) {
        count = 0;
        for (float x : m.m)
            v[count++] = double(x);
    }
};

struct Row {
    GLenum name;
    Kind kind;
    void (*get)(Context&, Values&);
};

const st::VertexAttrib& attrib(const Context& c, GLuint index) {
    return c.gl.vertex_array->attribs[index];
}
GLuint array_buffer(const Context& c, GLuint index) {
    const st::VertexArray& va = *c.gl.vertex_array;
    const pipe::Ref<st::Buffer>& b = va.binding_of(va.attribs[index]).buffer;
    return b ? b->name : 0;
}
GLuint coord_index(const Context& c) {
    return attribute::kTexCoord + c.state.client_unit;
}
void set_bits(const Matrix& m, Values& v) {
    v.count = 0;
    for (float x : m.m)
        v.v[v.count++] = double(std::bit_cast<int32_t>(x));
}

constexpr GLenum kCompressedFormats[] = {
    GL_PALETTE4_RGB8_OES,    GL_PALETTE4_RGBA8_OES,   GL_PALETTE4_R5_G6_B5_OES, GL_PALETTE4_RGBA4_OES,
    GL_PALETTE4_RGB5_A1_OES, GL_PALETTE8_RGB8_OES,    GL_PALETTE8_RGBA8_OES,    GL_PALETTE8_R5_G6_B5_OES,
    GL_PALETTE8_RGBA4_OES,   GL_PALETTE8_RGB5_A1_OES, GL_ETC1_RGB8_OES,
};

#define TZ_ROW(name, kind, ...)                                                      \
    Row {                                                                            \
        name, Kind::kind, [](Context& c, Values& v) { (void)c, v.set(__VA_ARGS__); } \
    }
#define TZ_ARRAY_ROWS(prefix, suffix, index)                           \
    TZ_ROW(prefix##_TYPE##suffix, Enum, attrib(c, index).type),        \
        TZ_ROW(prefix##_STRIDE##suffix, Int, attrib(c, index).stride), \
        TZ_ROW(prefix##_BUFFER_BINDING##suffix, Int, array_buffer(c, index))

constexpr Row kRows[] = {
    TZ_ROW(GL_CURRENT_COLOR, Normalized, c.state.color),
    TZ_ROW(GL_CURRENT_NORMAL, Normalized, c.state.normal[0], c.state.normal[1], c.state.normal[2]),
    TZ_ROW(GL_CURRENT_TEXTURE_COORDS, Float, c.state.units[c.active_unit()].coords),
    TZ_ROW(GL_CLIENT_ACTIVE_TEXTURE, Enum, GL_TEXTURE0 + c.state.client_unit),
    TZ_ROW(GL_VERTEX_ARRAY_SIZE, Int, attrib(c, attribute::kPosition).size),
    TZ_ROW(GL_COLOR_ARRAY_SIZE, Int, attrib(c, attribute::kColor).size),
    TZ_ROW(GL_TEXTURE_COORD_ARRAY_SIZE, Int, attrib(c, coord_index(c)).size),
    TZ_ARRAY_ROWS(GL_VERTEX_ARRAY, , attribute::kPosition),
    TZ_ARRAY_ROWS(GL_NORMAL_ARRAY, , attribute::kNormal),
    TZ_ARRAY_ROWS(GL_COLOR_ARRAY, , attribute::kColor),
    TZ_ARRAY_ROWS(GL_TEXTURE_COORD_ARRAY, , coord_index(c)),
    TZ_ARRAY_ROWS(GL_POINT_SIZE_ARRAY, _OES, attribute::kPointSize),
    // matrices
    TZ_ROW(GL_MATRIX_MODE, Enum, c.state.matrix_mode),
    TZ_ROW(GL_MODELVIEW_MATRIX, Float, c.modelview.top()),
    TZ_ROW(GL_PROJECTION_MATRIX, Float, c.projection.top()),
    TZ_ROW(GL_TEXTURE_MATRIX, Float, c.texture_matrices[c.active_unit()].top()),
    {GL_MODELVIEW_MATRIX_FLOAT_AS_INT_BITS_OES, Kind::Enum,
     [](Context& c, Values& v) { set_bits(c.modelview.top(), v); }},
    {GL_PROJECTION_MATRIX_FLOAT_AS_INT_BITS_OES, Kind::Enum,
     [](Context& c, Values& v) { set_bits(c.projection.top(), v); }},
    {GL_TEXTURE_MATRIX_FLOAT_AS_INT_BITS_OES, Kind::Enum,
     [](Context& c, Values& v) { set_bits(c.texture_matrices[c.active_unit()].top(), v); }},
    TZ_ROW(GL_MODELVIEW_STACK_DEPTH, Int, c.modelview.depth()),
    TZ_ROW(GL_PROJECTION_STACK_DEPTH, Int, c.projection.depth()),
    TZ_ROW(GL_TEXTURE_STACK_DEPTH, Int, c.texture_matrices[c.active_unit()].depth()),
    TZ_ROW(GL_MAX_MODELVIEW_STACK_DEPTH, Int, kModelviewDepth),
    TZ_ROW(GL_MAX_PROJECTION_STACK_DEPTH, Int, kProjectionDepth),
    TZ_ROW(GL_MAX_TEXTURE_STACK_DEPTH, Int, kTextureDepth),
    // colours
    TZ_ROW(GL_SHADE_MODEL, Enum, c.state.shade_model),
    TZ_ROW(GL_LIGHT_MODEL_AMBIENT, Normalized, c.state.scene_ambient),
    TZ_ROW(GL_LIGHT_MODEL_TWO_SIDE, Int, c.state.two_side),
    TZ_ROW(GL_FOG_MODE, Enum, c.state.fog.mode),
    TZ_ROW(GL_FOG_DENSITY, Float, c.state.fog.density),
    TZ_ROW(GL_FOG_START, Float, c.state.fog.start),
    TZ_ROW(GL_FOG_END, Float, c.state.fog.end),
    TZ_ROW(GL_FOG_COLOR, Normalized, c.state.fog.color),
    // points, fragments, hints
    TZ_ROW(GL_POINT_SIZE, Float, c.state.point.size),
    TZ_ROW(GL_POINT_SIZE_MIN, Float, c.state.point.min),
    TZ_ROW(GL_POINT_SIZE_MAX, Float, c.state.point.max),
    TZ_ROW(GL_POINT_FADE_THRESHOLD_SIZE, Float, c.state.point.fade_threshold),
    TZ_ROW(GL_POINT_DISTANCE_ATTENUATION, Float, c.state.point.attenuation[0], c.state.point.attenuation[1],
           c.state.point.attenuation[2]),
    TZ_ROW(GL_ALPHA_TEST_FUNC, Enum, c.state.alpha_func),
    TZ_ROW(GL_ALPHA_TEST_REF, Normalized, c.state.alpha_ref),
    TZ_ROW(GL_LOGIC_OP_MODE, Enum, c.state.logic_op),
    TZ_ROW(GL_BLEND_SRC, Enum, c.gl.state.blend[0].src_rgb),
    TZ_ROW(GL_BLEND_DST, Enum, c.gl.state.blend[0].dst_rgb),
    TZ_ROW(GL_PERSPECTIVE_CORRECTION_HINT, Enum, c.state.hints.perspective_correction),
    TZ_ROW(GL_POINT_SMOOTH_HINT, Enum, c.state.hints.point_smooth),
    TZ_ROW(GL_LINE_SMOOTH_HINT, Enum, c.state.hints.line_smooth),
    TZ_ROW(GL_FOG_HINT, Enum, c.state.hints.fog),
    // limits
    TZ_ROW(GL_MAX_LIGHTS, Int, kLights),
    TZ_ROW(GL_MAX_CLIP_PLANES, Int, kPlanes),
    TZ_ROW(GL_MAX_TEXTURE_UNITS, Int, kUnits),
    TZ_ROW(GL_SMOOTH_POINT_SIZE_RANGE, Float, 1, c.gl.limits.point_size[1] - 1),
    TZ_ROW(GL_SMOOTH_LINE_WIDTH_RANGE, Float, 1, 1),
    TZ_ROW(GL_NUM_COMPRESSED_TEXTURE_FORMATS, Int, std::size(kCompressedFormats)),
    {GL_COMPRESSED_TEXTURE_FORMATS, Kind::Enum,
     [](Context&, Values& v) {
         v.count = std::size(kCompressedFormats);
         std::copy_n(kCompressedFormats, v.count, v.v.begin());
     }},
};
#undef TZ_ROW
#undef TZ_ARRAY_ROWS

/// A name that the state tracker handles.
struct BelowRow {
    GLenum name;
    Kind kind;
    unsigned count;
};
constexpr BelowRow kBelow[] = {
    {GL_ARRAY_BUFFER_BINDING, Kind::Int, 1},
    {GL_ELEMENT_ARRAY_BUFFER_BINDING, Kind::Int, 1},
    {GL_VIEWPORT, Kind::Float, 4},
    {GL_DEPTH_RANGE, Kind::Normalized, 2},
    {GL_LINE_WIDTH, Kind::Float, 1},
    {GL_CULL_FACE_MODE, Kind::Enum, 1},
    {GL_FRONT_FACE, Kind::Enum, 1},
    {GL_POLYGON_OFFSET_FACTOR, Kind::Float, 1},
    {GL_POLYGON_OFFSET_UNITS, Kind::Float, 1},
    {GL_SAMPLE_COVERAGE_VALUE, Kind::Float, 1},
    {GL_SAMPLE_COVERAGE_INVERT, Kind::Int, 1},
    {GL_ACTIVE_TEXTURE, Kind::Enum, 1},
    {GL_TEXTURE_BINDING_2D, Kind::Int, 1},
    {GL_TEXTURE_BINDING_CUBE_MAP, Kind::Int, 1},
    {GL_TEXTURE_BINDING_EXTERNAL_OES, Kind::Int, 1},
    {GL_SCISSOR_BOX, Kind::Int, 4},
    {GL_STENCIL_FUNC, Kind::Enum, 1},
    {GL_STENCIL_VALUE_MASK, Kind::Int, 1},
    {GL_STENCIL_REF, Kind::Int, 1},
    {GL_STENCIL_FAIL, Kind::Enum, 1},
    {GL_STENCIL_PASS_DEPTH_FAIL, Kind::Enum, 1},
    {GL_STENCIL_PASS_DEPTH_PASS, Kind::Enum, 1},
    {GL_DEPTH_FUNC, Kind::Enum, 1},
    {GL_BLEND_SRC_RGB, Kind::Enum, 1},
    {GL_BLEND_SRC_ALPHA, Kind::Enum, 1},
    {GL_BLEND_DST_RGB, Kind::Enum, 1},
    {GL_BLEND_DST_ALPHA, Kind::Enum, 1},
    {GL_BLEND_EQUATION_RGB, Kind::Enum, 1},
    {GL_BLEND_EQUATION_ALPHA, Kind::Enum, 1},
    {GL_COLOR_WRITEMASK, Kind::Int, 4},
    {GL_DEPTH_WRITEMASK, Kind::Int, 1},
    {GL_STENCIL_WRITEMASK, Kind::Int, 1},
    {GL_COLOR_CLEAR_VALUE, Kind::Normalized, 4},
    {GL_DEPTH_CLEAR_VALUE, Kind::Normalized, 1},
    {GL_STENCIL_CLEAR_VALUE, Kind::Int, 1},
    {GL_FRAMEBUFFER_BINDING, Kind::Int, 1},
    {GL_RENDERBUFFER_BINDING, Kind::Int, 1},
    {GL_SAMPLE_BUFFERS, Kind::Int, 1},
    {GL_SAMPLES, Kind::Int, 1},
    {GL_RED_BITS, Kind::Int, 1},
    {GL_GREEN_BITS, Kind::Int, 1},
    {GL_BLUE_BITS, Kind::Int, 1},
    {GL_ALPHA_BITS, Kind::Int, 1},
    {GL_DEPTH_BITS, Kind::Int, 1},
    {GL_STENCIL_BITS, Kind::Int, 1},
    {GL_UNPACK_ALIGNMENT, Kind::Int, 1},
    {GL_PACK_ALIGNMENT, Kind::Int, 1},
    {GL_GENERATE_MIPMAP_HINT, Kind::Enum, 1},
    {GL_SUBPIXEL_BITS, Kind::Int, 1},
    {GL_MAX_TEXTURE_SIZE, Kind::Int, 1},
    {GL_MAX_CUBE_MAP_TEXTURE_SIZE, Kind::Int, 1},
    {GL_MAX_RENDERBUFFER_SIZE, Kind::Int, 1},
    {GL_MAX_VIEWPORT_DIMS, Kind::Int, 2},
    {GL_ALIASED_POINT_SIZE_RANGE, Kind::Float, 2},
    {GL_ALIASED_LINE_WIDTH_RANGE, Kind::Float, 2},
    {GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, Kind::Float, 1},
    {GL_IMPLEMENTATION_COLOR_READ_FORMAT, Kind::Enum, 1},
    {GL_IMPLEMENTATION_COLOR_READ_TYPE, Kind::Enum, 1},
};

const BelowRow* find_below(GLenum name) {
    for (const BelowRow& r : kBelow)
        if (r.name == name) return &r;
    return nullptr;
}

/// The value of a name of the state here. False: there is none; the error is recorded.
bool get_own(Context& ctx, GLenum pname, const char* command, Kind* kind, Values* out) {
    for (const Row& r : kRows)
        if (r.name == pname) {
            *kind = r.kind;
            r.get(ctx, *out);
            return true;
        }
    bool on;
    *kind = Kind::Int;
    if (capability(ctx, pname, &on)) return out->set(on), true;
    ctx.gl.error(GL_INVALID_ENUM, command, "pname 0x%04x names no state", pname);
    return false;
}

GLint to_int(Kind kind, double v) {
    if (kind == Kind::Enum || kind == Kind::Int) return GLint(int64_t(v));
    if (kind == Kind::Normalized) v *= 2147483647.0;
    if (!(v > -2147483648.0)) return v != v ? 0 : INT32_MIN;
    return v >= 2147483647.0 ? INT32_MAX : GLint(std::lround(v));
}

template <class T, class F>
void write(Context& ctx, GLenum pname, T* data, const char* command, F&& convert) {
    Kind kind;
    Values values;
    if (!get_own(ctx, pname, command, &kind, &values) || !data) return;
    for (unsigned i = 0; i < values.count; ++i)
        data[i] = convert(kind, values.v[i]);
}

GLfixed fixed_value(Kind kind, double v) {
    return kind == Kind::Enum ? GLfixed(int64_t(v)) : to_fixed(float(v));
}

}  // namespace

void GetBooleanv(Context& ctx, GLenum pname, GLboolean* data) {
    if (find_below(pname)) return st::GetBooleanv(ctx.gl, pname, data);
    write(ctx, pname, data, "glGetBooleanv", [](Kind, double v) { return GLboolean(v != 0); });
}
void GetFloatv(Context& ctx, GLenum pname, GLfloat* data) {
    if (find_below(pname)) return st::GetFloatv(ctx.gl, pname, data);
    write(ctx, pname, data, "glGetFloatv", [](Kind, double v) { return GLfloat(v); });
}
void GetIntegerv(Context& ctx, GLenum pname, GLint* data) {
    if (find_below(pname)) return st::GetIntegerv(ctx.gl, pname, data);
    write(ctx, pname, data, "glGetIntegerv", to_int);
}
void GetFixedv(Context& ctx, GLenum pname, GLfixed* params) {
    if (const BelowRow* r = find_below(pname)) {
        GLfloat v[4] = {};
        st::GetFloatv(ctx.gl, pname, v);
        for (unsigned i = 0; params && i < r->count; ++i)
            params[i] = fixed_value(r->kind, double(v[i]));
        return;
    }
    write(ctx, pname, params, "glGetFixedv", fixed_value);
}

void GetPointerv(Context& ctx, GLenum pname, void** params) {
    const struct {
        GLenum name;
        GLuint index;
    } kPointers[] = {{GL_VERTEX_ARRAY_POINTER, attribute::kPosition},
                     {GL_NORMAL_ARRAY_POINTER, attribute::kNormal},
                     {GL_COLOR_ARRAY_POINTER, attribute::kColor},
                     {GL_POINT_SIZE_ARRAY_POINTER_OES, attribute::kPointSize},
                     {GL_TEXTURE_COORD_ARRAY_POINTER, coord_index(ctx)}};
    for (const auto& p : kPointers)
        if (p.name == pname) {
            if (params) *params = const_cast<void*>(attrib(ctx, p.index).pointer);
            return;
        }
    ctx.gl.error(GL_INVALID_ENUM, "glGetPointerv", "pname 0x%04x is no pointer", pname);
}

const GLubyte* GetString(Context& ctx, GLenum name) {
    switch (name) {
        case GL_VENDOR:
        case GL_RENDERER:
            return st::GetString(ctx.gl, name);
        case GL_VERSION:
            return reinterpret_cast<const GLubyte*>(ctx.version_string.c_str());
        case GL_EXTENSIONS:
            return reinterpret_cast<const GLubyte*>(ctx.extension_string.c_str());
        default:
            ctx.gl.error(GL_INVALID_ENUM, "glGetString", "name 0x%04x is no string", name);
            return nullptr;
    }
}

void PixelStorei(Context& ctx, GLenum pname, GLint param) {
    if (pname != GL_PACK_ALIGNMENT && pname != GL_UNPACK_ALIGNMENT)
        return ctx.gl.error(GL_INVALID_ENUM, "glPixelStorei",
                            "pname 0x%04x is no parameter of OpenGL ES 1.1's pixel store", pname);
    st::PixelStorei(ctx.gl, pname, param);
}

}  // namespace terrazzo::es1
