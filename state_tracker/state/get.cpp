// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// glGet*: one table of all state that has a name. Rows: GLES 2.0 tables 6.2 to 6.21, the state of extensions,
// and that of later versions (get_es3_rows.inc, get_es31_rows.inc, get_es32_rows.inc). Conversions: section
// 6.1.2.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "shaders/counter_limits.h"
#include "shaders/ir/limits.h"
#include "state_tracker/buffers/buffer.h"
#include "state_tracker/context/limits.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/draws/transform_feedback.h"
#include "state_tracker/images/formats.h"
#include "state_tracker/images/framebuffer.h"
#include "state_tracker/images/sampler.h"
#include "state_tracker/programs/pipeline.h"
#include "state_tracker/state/state.h"
#include "state_tracker/state/state_cache.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

constexpr unsigned kMaxValues = 64;

/// The conversion of a value to an integer: unchanged (booleans and enums too), rounded, or with [-1,1]
/// mapped to the range of GLint.
enum class Kind : uint8_t { Int, Float, Normalized };

/// A double represents every value of every row exactly. `count` may be zero.
struct Values {
    unsigned count = 0;
    std::array<double, kMaxValues> v;
    template <class... T>
    void set(T... values) {
        count = 0;
        ((v[count++] = double(values)), ...);
    }
    template <class T>
    void set_list(std::span<const T> list) {
        count = 0;
        for (T x : list.first(std::min<size_t>(list.size(), kMaxValues)))
            v[count++] = double(x);
    }
};

struct Row {
    GLenum name;
    Kind kind;
    void (*get)(Context&, Values&);
    int extension = -1;  // row of extensions.txt that has it
    int version = 20;    // of OpenGL ES that has it
};

template <class T>
GLuint name_of(const pipe::Ref<T>& o) {
    return o ? o->name : 0;
}
GLuint texture_name(const Context& c, TextureTarget t) {
    return name_of(c.textures[c.state.active_texture][size_t(t)]);
}
GLint stencil_reference(Context& c, unsigned face) {
    return stencil_ref(c.state.stencil[face].ref, bound_framebuffer_info(c).stencil_bits);
}
GLint context_flags(const Context& c) {
    return GLint((c.config.debug ? GL_CONTEXT_FLAG_DEBUG_BIT_KHR : 0) |
                 (c.config.robust ? GL_CONTEXT_FLAG_ROBUST_ACCESS_BIT : 0) |
                 (c.config.no_error ? GL_CONTEXT_FLAG_NO_ERROR_BIT_KHR : 0));
}

// A row is "name, kind, expression(s) of Context& c".
#define TERRAZZO_ROW(name, kind, ...)                                                \
    Row {                                                                            \
        name, Kind::kind, [](Context& c, Values& v) { (void)c, v.set(__VA_ARGS__); } \
    }
#define TERRAZZO_EXT_ROW(ext, name, kind, ...)                                        \
    Row {                                                                             \
        name, Kind::kind, [](Context& c, Values& v) { (void)c, v.set(__VA_ARGS__); }, \
            int(extension_row(ext))                                                   \
    }

#define TERRAZZO_VERSION_ROW(version, name, kind, ...)                                            \
    Row {                                                                                         \
        name, Kind::kind, [](Context& c, Values& v) { (void)c, v.set(__VA_ARGS__); }, -1, version \
    }
#define TERRAZZO_ES3_ROW(name, kind, ...) TERRAZZO_VERSION_ROW(30, name, kind, __VA_ARGS__)
#define TERRAZZO_ES31_ROW(name, kind, ...) TERRAZZO_VERSION_ROW(31, name, kind, __VA_ARGS__)
#define TERRAZZO_ES32_ROW(name, kind, ...) TERRAZZO_VERSION_ROW(32, name, kind, __VA_ARGS__)

/// The components of a stage's uniforms, including its blocks.
int64_t combined_components(const Context& c, GLint vectors, GLint blocks) {
    return int64_t(vectors) * 4 + int64_t(blocks) * c.limits.max_uniform_block_B / 4;
}

/// The number of things that a vertex stage may store to; a geometry or tessellation stage.
GLint vertex_stored(const Context& c, int n) {
    return c.limits.shader.stored(ir::Stage::Vertex, n);
}
GLint later_stored(const Context& c, int n) {
    return c.limits.shader.stored(ir::Stage::Geometry, n);
}

constexpr Row kUnsortedRows[] = {
#include "state_tracker/state/get_es31_rows.inc"
#include "state_tracker/state/get_es32_rows.inc"
#include "state_tracker/state/get_es3_rows.inc"
    // vertices and buffers
    TERRAZZO_ROW(GL_ARRAY_BUFFER_BINDING, Int, name_of(c.array_buffer)),
    TERRAZZO_ROW(GL_ELEMENT_ARRAY_BUFFER_BINDING, Int, name_of(c.vertex_array->element_buffer)),
    TERRAZZO_EXT_ROW("GL_OES_vertex_array_object", GL_VERTEX_ARRAY_BINDING_OES, Int, c.vertex_array->name),
    TERRAZZO_EXT_ROW("GL_EXT_memory_object", GL_NUM_DEVICE_UUIDS_EXT, Int, 1),
    // transformation and rasterisation
    TERRAZZO_ROW(GL_VIEWPORT, Float, c.state.viewports[0].box[0], c.state.viewports[0].box[1],
                 c.state.viewports[0].box[2], c.state.viewports[0].box[3]),
    TERRAZZO_ROW(GL_DEPTH_RANGE, Normalized, c.state.viewports[0].depth_range[0],
                 c.state.viewports[0].depth_range[1]),
    TERRAZZO_EXT_ROW("GL_EXT_clip_control", GL_CLIP_ORIGIN_EXT, Int, c.state.clip_origin),
    TERRAZZO_EXT_ROW("GL_EXT_clip_control", GL_CLIP_DEPTH_MODE_EXT, Int, c.state.clip_depth_mode),
    TERRAZZO_ROW(GL_LINE_WIDTH, Float, c.state.line_width),
    TERRAZZO_ROW(GL_CULL_FACE_MODE, Int, c.state.cull_face_mode),
    TERRAZZO_ROW(GL_FRONT_FACE, Int, c.state.front_face),
    TERRAZZO_ROW(GL_POLYGON_OFFSET_FACTOR, Float, c.state.polygon_offset_factor),
    TERRAZZO_ROW(GL_POLYGON_OFFSET_UNITS, Float, c.state.polygon_offset_units),
    TERRAZZO_EXT_ROW("GL_EXT_polygon_offset_clamp", GL_POLYGON_OFFSET_CLAMP_EXT, Float,
                     c.state.polygon_offset_clamp),
    TERRAZZO_ROW(GL_SAMPLE_COVERAGE_VALUE, Float, c.state.sample_coverage_value),
    TERRAZZO_ROW(GL_SAMPLE_COVERAGE_INVERT, Int, c.state.sample_coverage_invert),
    // textures
    TERRAZZO_ROW(GL_ACTIVE_TEXTURE, Int, GL_TEXTURE0 + c.state.active_texture),
    TERRAZZO_ROW(GL_TEXTURE_BINDING_2D, Int, texture_name(c, TextureTarget::Tex2D)),
    TERRAZZO_ROW(GL_TEXTURE_BINDING_CUBE_MAP, Int, texture_name(c, TextureTarget::Cube)),
    TERRAZZO_EXT_ROW("GL_OES_EGL_image_external", GL_TEXTURE_BINDING_EXTERNAL_OES, Int,
                     texture_name(c, TextureTarget::External)),
    // per-fragment operations
    TERRAZZO_ROW(GL_SCISSOR_BOX, Int, c.state.viewports[0].scissor[0], c.state.viewports[0].scissor[1],
                 c.state.viewports[0].scissor[2], c.state.viewports[0].scissor[3]),
    TERRAZZO_ROW(GL_STENCIL_FUNC, Int, c.state.stencil[0].func),
    TERRAZZO_ROW(GL_STENCIL_VALUE_MASK, Int, c.state.stencil[0].value_mask),
    TERRAZZO_ROW(GL_STENCIL_REF, Int, stencil_reference(c, 0)),
    TERRAZZO_ROW(GL_STENCIL_FAIL, Int, c.state.stencil[0].fail),
    TERRAZZO_ROW(GL_STENCIL_PASS_DEPTH_FAIL, Int, c.state.stencil[0].depth_fail),
    TERRAZZO_ROW(GL_STENCIL_PASS_DEPTH_PASS, Int, c.state.stencil[0].pass),
    TERRAZZO_ROW(GL_STENCIL_BACK_FUNC, Int, c.state.stencil[1].func),
    TERRAZZO_ROW(GL_STENCIL_BACK_VALUE_MASK, Int, c.state.stencil[1].value_mask),
    TERRAZZO_ROW(GL_STENCIL_BACK_REF, Int, stencil_reference(c, 1)),
    TERRAZZO_ROW(GL_STENCIL_BACK_FAIL, Int, c.state.stencil[1].fail),
    TERRAZZO_ROW(GL_STENCIL_BACK_PASS_DEPTH_FAIL, Int, c.state.stencil[1].depth_fail),
    TERRAZZO_ROW(GL_STENCIL_BACK_PASS_DEPTH_PASS, Int, c.state.stencil[1].pass),
    TERRAZZO_ROW(GL_DEPTH_FUNC, Int, c.state.depth_func),
    TERRAZZO_ROW(GL_BLEND_SRC_RGB, Int, c.state.blend[0].src_rgb),
    TERRAZZO_ROW(GL_BLEND_SRC_ALPHA, Int, c.state.blend[0].src_alpha),
    TERRAZZO_ROW(GL_BLEND_DST_RGB, Int, c.state.blend[0].dst_rgb),
    TERRAZZO_ROW(GL_BLEND_DST_ALPHA, Int, c.state.blend[0].dst_alpha),
    TERRAZZO_ROW(GL_BLEND_EQUATION_RGB, Int, c.state.blend[0].eq_rgb),
    TERRAZZO_ROW(GL_BLEND_EQUATION_ALPHA, Int, c.state.blend[0].eq_alpha),
    TERRAZZO_ROW(GL_BLEND_COLOR, Normalized, c.state.blend_color[0], c.state.blend_color[1],
                 c.state.blend_color[2], c.state.blend_color[3]),
    // framebuffer control
    TERRAZZO_ROW(GL_COLOR_WRITEMASK, Int, c.state.blend[0].color_mask[0], c.state.blend[0].color_mask[1],
                 c.state.blend[0].color_mask[2], c.state.blend[0].color_mask[3]),
    TERRAZZO_ROW(GL_DEPTH_WRITEMASK, Int, c.state.depth_mask),
    TERRAZZO_ROW(GL_STENCIL_WRITEMASK, Int, c.state.stencil[0].write_mask),
    TERRAZZO_ROW(GL_STENCIL_BACK_WRITEMASK, Int, c.state.stencil[1].write_mask),
    TERRAZZO_ROW(GL_COLOR_CLEAR_VALUE, Normalized, c.state.clear_color[0], c.state.clear_color[1],
                 c.state.clear_color[2], c.state.clear_color[3]),
    TERRAZZO_ROW(GL_DEPTH_CLEAR_VALUE, Normalized, c.state.clear_depth),
    TERRAZZO_ROW(GL_STENCIL_CLEAR_VALUE, Int, c.state.clear_stencil),
    TERRAZZO_ROW(GL_FRAMEBUFFER_BINDING, Int, name_of(c.framebuffer)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER0_EXT, Int, draw_buffer(c, 0)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER1_EXT, Int, draw_buffer(c, 1)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER2_EXT, Int, draw_buffer(c, 2)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER3_EXT, Int, draw_buffer(c, 3)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER4_EXT, Int, draw_buffer(c, 4)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER5_EXT, Int, draw_buffer(c, 5)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER6_EXT, Int, draw_buffer(c, 6)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_DRAW_BUFFER7_EXT, Int, draw_buffer(c, 7)),
    TERRAZZO_EXT_ROW("GL_EXT_draw_buffers", GL_MAX_DRAW_BUFFERS_EXT, Int, c.limits.max_draw_buffers),
    TERRAZZO_EXT_ROW("GL_OVR_multiview", GL_MAX_VIEWS_OVR, Int, GLint(ir::kMaxViews)),
    TERRAZZO_EXT_ROW("GL_EXT_blend_func_extended", GL_MAX_DUAL_SOURCE_DRAW_BUFFERS_EXT, Int, 1),
    TERRAZZO_EXT_ROW("GL_EXT_shader_framebuffer_fetch", GL_FRAGMENT_SHADER_DISCARDS_SAMPLES_EXT, Int, true),
    TERRAZZO_EXT_ROW("GL_EXT_disjoint_timer_query", GL_GPU_DISJOINT_EXT, Int, 0),
    TERRAZZO_EXT_ROW("GL_EXT_disjoint_timer_query", GL_TIMESTAMP_EXT, Int,
                     c.screen.timestamp_ns() & 0x7fffffff),
    TERRAZZO_EXT_ROW("GL_NV_fbo_color_attachments", GL_MAX_COLOR_ATTACHMENTS_NV, Int,
                     c.limits.max_color_attachments),
    TERRAZZO_ROW(GL_RENDERBUFFER_BINDING, Int, name_of(c.renderbuffer)),
    TERRAZZO_ROW(GL_SAMPLE_BUFFERS, Int, bound_framebuffer_info(c).samples > 1),
    TERRAZZO_ROW(GL_SAMPLES, Int,
                 [](uint32_t n) { return n > 1 ? n : 0; }(bound_framebuffer_info(c).samples)),
    TERRAZZO_ROW(GL_RED_BITS, Int, bound_framebuffer_info(c).color_bits[0]),
    TERRAZZO_ROW(GL_GREEN_BITS, Int, bound_framebuffer_info(c).color_bits[1]),
    TERRAZZO_ROW(GL_BLUE_BITS, Int, bound_framebuffer_info(c).color_bits[2]),
    TERRAZZO_ROW(GL_ALPHA_BITS, Int, bound_framebuffer_info(c).color_bits[3]),
    TERRAZZO_ROW(GL_DEPTH_BITS, Int, bound_framebuffer_info(c).depth_bits),
    TERRAZZO_ROW(GL_STENCIL_BITS, Int, bound_framebuffer_info(c).stencil_bits),
    // pixels and hints
    TERRAZZO_ROW(GL_UNPACK_ALIGNMENT, Int, c.state.unpack.alignment),
    TERRAZZO_ROW(GL_PACK_ALIGNMENT, Int, c.state.pack.alignment),
    TERRAZZO_EXT_ROW("GL_EXT_unpack_subimage", GL_UNPACK_ROW_LENGTH_EXT, Int, c.state.unpack.row_length),
    // Names of OpenGL ES 3.0. apitrace asks for them in older contexts with the extension, too.
    TERRAZZO_EXT_ROW("GL_EXT_unpack_subimage", GL_UNPACK_IMAGE_HEIGHT, Int, c.state.unpack.image_height),
    TERRAZZO_EXT_ROW("GL_EXT_unpack_subimage", GL_UNPACK_SKIP_IMAGES, Int, c.state.unpack.skip_images),
    TERRAZZO_EXT_ROW("GL_EXT_unpack_subimage", GL_UNPACK_SKIP_ROWS_EXT, Int, c.state.unpack.skip_rows),
    TERRAZZO_EXT_ROW("GL_EXT_unpack_subimage", GL_UNPACK_SKIP_PIXELS_EXT, Int, c.state.unpack.skip_pixels),
    TERRAZZO_ROW(GL_GENERATE_MIPMAP_HINT, Int, c.state.generate_mipmap_hint),
    TERRAZZO_EXT_ROW("GL_OES_standard_derivatives", GL_FRAGMENT_SHADER_DERIVATIVE_HINT_OES, Int,
                     c.state.fragment_derivative_hint),
    TERRAZZO_ROW(GL_CURRENT_PROGRAM, Int, c.program ? c.program->name : 0),
    // limits
    TERRAZZO_ROW(GL_SUBPIXEL_BITS, Int, c.screen.caps().subpixel_bits),
    // ES 2.0 does not have this name, but programs ask for it on every API (piglit's shader_runner). 0 means
    // that there are no clip distances.
    TERRAZZO_ROW(GL_MAX_CLIP_DISTANCES_EXT, Int, c.limits.shader.distances),
    TERRAZZO_ROW(GL_MAX_TEXTURE_SIZE, Int, c.limits.max_texture_size),
    TERRAZZO_ROW(GL_MAX_CUBE_MAP_TEXTURE_SIZE, Int, c.limits.max_cube_size),
    TERRAZZO_ROW(GL_MAX_RENDERBUFFER_SIZE, Int, c.limits.max_renderbuffer_size),
    TERRAZZO_ROW(GL_MAX_VIEWPORT_DIMS, Int, c.limits.max_viewport, c.limits.max_viewport),
    TERRAZZO_ROW(GL_ALIASED_POINT_SIZE_RANGE, Float, c.limits.point_size[0], c.limits.point_size[1]),
    TERRAZZO_ROW(GL_ALIASED_LINE_WIDTH_RANGE, Float, c.limits.line_width[0], c.limits.line_width[1]),
    TERRAZZO_ROW(GL_MAX_VERTEX_ATTRIBS, Int, c.limits.max_vertex_attribs),
    TERRAZZO_ROW(GL_MAX_VERTEX_UNIFORM_VECTORS, Int, c.limits.max_vertex_uniform_vectors),
    TERRAZZO_ROW(GL_MAX_FRAGMENT_UNIFORM_VECTORS, Int, c.limits.max_fragment_uniform_vectors),
    TERRAZZO_ROW(GL_MAX_VARYING_VECTORS, Int, c.limits.max_varying_vectors),
    TERRAZZO_ROW(GL_MAX_VERTEX_TEXTURE_IMAGE_UNITS, Int, c.limits.max_vertex_textures),
    TERRAZZO_ROW(GL_MAX_TEXTURE_IMAGE_UNITS, Int, c.limits.max_fragment_textures),
    TERRAZZO_ROW(GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS, Int, c.limits.max_combined_textures),
    TERRAZZO_EXT_ROW("GL_EXT_texture_filter_anisotropic", GL_MAX_TEXTURE_MAX_ANISOTROPY_EXT, Float,
                     c.limits.max_anisotropy),
    TERRAZZO_ROW(GL_NUM_COMPRESSED_TEXTURE_FORMATS, Int, compressed_formats(c).size()),
    {GL_COMPRESSED_TEXTURE_FORMATS, Kind::Int,
     [](Context& c, Values& v) { v.set_list(compressed_formats(c)); }},
    // programs
    TERRAZZO_ROW(GL_SHADER_COMPILER, Int, true),
    // All getters return the initial value 0xffffffff as -1.
    TERRAZZO_EXT_ROW("GL_KHR_parallel_shader_compile", GL_MAX_SHADER_COMPILER_THREADS_KHR, Int,
                     GLint(c.state.max_shader_compiler_threads)),
    TERRAZZO_ROW(GL_NUM_SHADER_BINARY_FORMATS, Int, 0),
    TERRAZZO_ROW(GL_SHADER_BINARY_FORMATS, Int),
    TERRAZZO_EXT_ROW("GL_OES_get_program_binary", GL_NUM_PROGRAM_BINARY_FORMATS_OES, Int, 1),
    TERRAZZO_EXT_ROW("GL_OES_get_program_binary", GL_PROGRAM_BINARY_FORMATS_OES, Int, kProgramBinaryFormat),
    // KHR_debug, KHR_robustness, KHR_no_error
    TERRAZZO_ROW(GL_DEBUG_LOGGED_MESSAGES_KHR, Int, c.debug->log.size()),
    TERRAZZO_ROW(GL_DEBUG_NEXT_LOGGED_MESSAGE_LENGTH_KHR, Int,
                 c.debug->log.empty() ? 0 : c.debug->log.front().text.size() + 1),
    TERRAZZO_ROW(GL_DEBUG_GROUP_STACK_DEPTH_KHR, Int, c.debug->groups.size() + 1),
    TERRAZZO_ROW(GL_MAX_DEBUG_MESSAGE_LENGTH_KHR, Int, kMaxDebugMessageLength),
    TERRAZZO_ROW(GL_MAX_DEBUG_LOGGED_MESSAGES_KHR, Int, kMaxDebugLoggedMessages),
    TERRAZZO_ROW(GL_MAX_DEBUG_GROUP_STACK_DEPTH_KHR, Int, kMaxDebugGroupStackDepth),
    TERRAZZO_ROW(GL_MAX_LABEL_LENGTH_KHR, Int, kMaxLabelLength),
    TERRAZZO_ROW(GL_CONTEXT_FLAGS, Int, context_flags(c)),
    TERRAZZO_ROW(GL_CONTEXT_ROBUST_ACCESS_KHR, Int, c.config.robust),
    TERRAZZO_ROW(
        GL_RESET_NOTIFICATION_STRATEGY_KHR, Int,
        c.config.lose_context_on_reset ? GL_LOSE_CONTEXT_ON_RESET_KHR : GL_NO_RESET_NOTIFICATION_KHR),
};
#undef TERRAZZO_ROW
#undef TERRAZZO_EXT_ROW
#undef TERRAZZO_ES3_ROW
#undef TERRAZZO_ES31_ROW
#undef TERRAZZO_ES32_ROW
#undef TERRAZZO_VERSION_ROW

constexpr auto kRows = [] {
    auto rows = std::to_array(kUnsortedRows);
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
    return rows;
}();
static_assert(std::adjacent_find(kRows.begin(), kRows.end(),
                                 [](const Row& a, const Row& b) { return a.name == b.name; }) == kRows.end());

/// The value of a name. False: the name is unknown; the error is recorded.
bool get(Context& ctx, GLenum pname, const char* command, Kind* kind, Values* out) {
    auto row = std::lower_bound(kRows.begin(), kRows.end(), pname,
                                [](const Row& r, GLenum n) { return r.name < n; });
    if (row != kRows.end() && row->name == pname &&
        (row->extension < 0 || has_extension(ctx, unsigned(row->extension))) &&
        ctx.config.version >= row->version) {
        *kind = row->kind;
        row->get(ctx, *out);
        return true;
    }
    *kind = Kind::Int;
    if (pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT || pname == GL_IMPLEMENTATION_COLOR_READ_TYPE) {
        GLenum format, type;
        if (!color_read_format(ctx, &format, &type)) {
            ctx.error(GL_INVALID_OPERATION, command, "the framebuffer has nothing to read colours from");
            return false;
        }
        out->set(pname == GL_IMPLEMENTATION_COLOR_READ_FORMAT ? format : type);
        return true;
    }
    if (bool on; capability(ctx, pname, &on)) {
        out->set(on);
        return true;
    }
    ctx.error(GL_INVALID_ENUM, command, "pname 0x%04x names no state", pname);
    return false;
}

GLint to_int(Kind kind, double v) {
    switch (kind) {
        case Kind::Int:
            return GLint(uint32_t(int64_t(v)));  // masks keep their bits
        case Kind::Float:
            break;
        case Kind::Normalized:
            v *= 2147483647.0;
            break;
    }
    if (!(v > -2147483648.0)) return v != v ? 0 : INT32_MIN;
    return v >= 2147483647.0 ? INT32_MAX : GLint(std::lround(v));
}

template <class T, class F>
void get_all(Context& ctx, GLenum pname, T* data, const char* command, F&& convert) {
    Kind kind;
    Values values;
    if (!get(ctx, pname, command, &kind, &values) || !data) return;
    for (unsigned i = 0; i < values.count; ++i)
        data[i] = convert(kind, values.v[i]);
}

}  // namespace

void GetBooleanv(Context& ctx, GLenum pname, GLboolean* data) {
    get_all(ctx, pname, data, "glGetBooleanv", [](Kind, double v) { return GLboolean(v != 0); });
}
void GetFloatv(Context& ctx, GLenum pname, GLfloat* data) {
    get_all(ctx, pname, data, "glGetFloatv", [](Kind, double v) { return GLfloat(v); });
}
void GetIntegerv(Context& ctx, GLenum pname, GLint* data) {
    get_all(ctx, pname, data, "glGetIntegerv", to_int);
}

void GetInteger64v(Context& ctx, GLenum pname, GLint64* data) {
    if (pname == GL_TIMESTAMP_EXT) {
        if (data) *data = GLint64(ctx.screen.timestamp_ns());
        return;
    }
    get_all(ctx, pname, data, "glGetInteger64v", [](Kind kind, double v) {
        return kind == Kind::Normalized ? GLint64(to_int(kind, v)) : GLint64(std::llround(v));
    });
}

const GLubyte* GetString(Context& ctx, GLenum name) {
    const char* s = nullptr;
    switch (name) {
        case GL_VENDOR:
            s = "Terrazzo";
            break;
        case GL_RENDERER:
            s = ctx.renderer_string.c_str();
            break;
        case GL_VERSION:
            s = ctx.version_string.c_str();
            break;
        case GL_SHADING_LANGUAGE_VERSION:
            s = ctx.glsl_version_string.c_str();
            break;
        case GL_EXTENSIONS:
            s = ctx.extension_string.c_str();
            break;
        default:
            ctx.error(GL_INVALID_ENUM, "glGetString", "name 0x%04x is no string", name);
    }
    return reinterpret_cast<const GLubyte*>(s);
}

const GLubyte* GetStringi(Context& ctx, GLenum name, GLuint index) {
    const char* const command = "glGetStringi";
    if (name != GL_EXTENSIONS)
        return ctx.error(GL_INVALID_ENUM, command, "name 0x%04x is no list", name), nullptr;
    GLuint left = index;
    for (size_t i = 0; i < std::size(kExtensionNames); ++i)
        if (ctx.limits.extensions[i] && left-- == 0)
            return reinterpret_cast<const GLubyte*>(kExtensionNames[i]);
    ctx.error(GL_INVALID_VALUE, command, "index %u: there are %zu extensions", index,
              ctx.limits.extensions.count());
    return nullptr;
}

}  // namespace terrazzo::st
