// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptors of pipeline state, and the opaque objects that drivers create from them. Window coordinates are
// those of GLES: y grows with the row index, pixel centres are at .5, depth is in [0,1].
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <memory>

#include "pipe/device_limits.h"
#include "pipe/resource.h"
#include "shaders/ir/stream_output.h"

namespace terrazzo::ir {
class Shader;
class StoredShader;
}  // namespace terrazzo::ir

namespace terrazzo::pipe {

inline constexpr unsigned kMaxStreamOutputs = ir::kMaxStreamBuffers;

/// The stages, with the numbers of ir::Stage.
enum class Stage : uint8_t { Vertex, TessControl, TessEval, Geometry, Fragment, Compute };
inline constexpr unsigned kStageCount = 6;

enum class Compare : uint8_t { Never, Less, Equal, LessEqual, Greater, NotEqual, GreaterEqual, Always };
enum class StencilOp : uint8_t { Keep, Zero, Replace, IncrClamp, DecrClamp, Invert, IncrWrap, DecrWrap };
enum class BlendFactor : uint8_t {
    Zero,
    One,
    SrcColor,
    OneMinusSrcColor,
    DstColor,
    OneMinusDstColor,
    SrcAlpha,
    OneMinusSrcAlpha,
    DstAlpha,
    OneMinusDstAlpha,
    ConstColor,
    OneMinusConstColor,
    ConstAlpha,
    OneMinusConstAlpha,
    SrcAlphaSaturate,
    // Factors of the shader's second colour (ir::FragSlot::Second), for target 0 only;
    // Caps::dual_source_blend.
    Src1Color,
    OneMinusSrc1Color,
    Src1Alpha,
    OneMinusSrc1Alpha
};
/// KHR_blend_equation_advanced: replaces factors and operations.
enum class AdvancedBlend : uint8_t {
    None,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
    HslHue,
    HslSaturation,
    HslColor,
    HslLuminosity
};
enum class BlendOp : uint8_t { Add, Subtract, ReverseSubtract, Min, Max };
enum class Wrap : uint8_t { Repeat, ClampToEdge, MirroredRepeat, ClampToBorder, MirrorClampToEdge };
enum class Filter : uint8_t { Nearest, Linear };
enum class MipFilter : uint8_t { None, Nearest, Linear };
enum class CullFace : uint8_t { None, Front, Back, Both };
enum class Primitive : uint8_t {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
    LinesAdjacency,
    LineStripAdjacency,
    TrianglesAdjacency,
    TriangleStripAdjacency,
    Patches
};
enum class IndexType : uint8_t { None, U8, U16, U32 };

struct RasterDesc {
    CullFace cull = CullFace::None;
    bool front_ccw = true;
    bool scissor = false;
    bool depth_bias = false;  // enables the factor and units below
    bool discard = false;     // rasterizer discard
    bool multisample = true;
    bool program_point_size = true;  // the program sets the size; false: point_size_px
    bool clip_z_zero = false;        // the near plane is z = 0, else z = -w (EXT_clip_control)
    bool depth_clamp = false;        // near and far planes do not clip (Caps::depth_clamp)
    uint8_t clip_planes = 0;         // bit per clip distance that clips; Caps::max_distances
    float depth_bias_factor = 0, depth_bias_units = 0;
    float depth_bias_clamp = 0;  // above 0: the largest bias; below 0: the smallest
    float line_width_px = 1;
    float point_size_px = 1;
    /// The smallest fraction of a pixel's samples that are shaded separately (GL_SAMPLE_SHADING); 0: the
    /// shader decides.
    float sample_shading = 0;
    bool operator==(const RasterDesc&) const = default;
};

struct StencilFaceDesc {
    Compare compare = Compare::Always;
    StencilOp fail = StencilOp::Keep, depth_fail = StencilOp::Keep, pass = StencilOp::Keep;
    uint8_t read_mask = 0xff, write_mask = 0xff;
    bool operator==(const StencilFaceDesc&) const = default;
};
struct DepthStencilDesc {
    bool depth_test = false, depth_write = false, stencil_test = false;
    bool depth_clamp = false;  // clamps depths to Viewport::depth before the test
    Compare depth_compare = Compare::Less;
    StencilFaceDesc front, back;
    bool operator==(const DepthStencilDesc&) const = default;
};

struct BlendTargetDesc {
    bool enable = false;
    BlendOp op_rgb = BlendOp::Add, op_alpha = BlendOp::Add;
    BlendFactor src_rgb = BlendFactor::One, dst_rgb = BlendFactor::Zero;
    BlendFactor src_alpha = BlendFactor::One, dst_alpha = BlendFactor::Zero;
    uint8_t write_mask = 0xf;                      // bit 0 red ... bit 3 alpha
    AdvancedBlend advanced = AdvancedBlend::None;  // used if `enable`; Caps::advanced_blend
    bool operator==(const BlendTargetDesc&) const = default;
};
struct BlendDesc {
    std::array<BlendTargetDesc, kMaxColorTargets> targets;
    bool alpha_to_coverage = false, alpha_to_one = false;
    bool dither = true;  // allowed, not required
    bool operator==(const BlendDesc&) const = default;
};

/// The colour outside a level: four floats, or four integers for integer formats. Comparison is by bits.
struct BorderColor {
    std::array<uint32_t, 4> bits{};
    constexpr BorderColor() = default;
    constexpr BorderColor(float r, float g, float b, float a)
        : bits{std::bit_cast<uint32_t>(r), std::bit_cast<uint32_t>(g), std::bit_cast<uint32_t>(b),
               std::bit_cast<uint32_t>(a)} {}
    [[nodiscard]] constexpr float operator[](size_t n) const { return std::bit_cast<float>(bits[n]); }
    bool operator==(const BorderColor&) const = default;
};

struct SamplerDesc {
    Wrap wrap_s = Wrap::Repeat, wrap_t = Wrap::Repeat, wrap_r = Wrap::Repeat;
    Filter min = Filter::Nearest, mag = Filter::Linear;
    MipFilter mip = MipFilter::Linear;
    bool compare_enable = false;
    Compare compare = Compare::LessEqual;
    bool seamless_cube = false;
    /// OpenGL ES 2.0 section 3.7.8: with LINEAR magnification, and NEAREST minification between mipmaps,
    /// magnification begins at a LOD of 1/2 instead of 0.
    bool late_magnify = false;
    bool skip_srgb_decode = false;  // EXT_texture_sRGB_decode: no conversion of sRGB texels
    float lod_bias = 0, min_lod = -1000, max_lod = 1000;
    float max_anisotropy = 1;
    BorderColor border;
    bool operator==(const SamplerDesc&) const = default;
};

/// One vertex attribute. `format` is that in memory, including SCALED and FIXED formats. Missing components
/// read 0,0,0,1.
struct VertexElement {
    Format format = Format::None;  // None: the location reads (0,0,0,1)
    uint8_t buffer = 0;            // index into set_vertex_buffers
    uint32_t offset_B = 0;
    uint32_t divisor = 0;
    bool operator==(const VertexElement&) const = default;
};
/// The elements by attribute location.
struct VertexLayoutDesc {
    std::array<VertexElement, kMaxVertexAttribs> elements;
    uint32_t count = 0;
    bool operator==(const VertexLayoutDesc&) const = default;
};

/// Base of the objects that drivers create from descriptors. They are immutable, and usable in every context
/// of the screen.
class StateObject : public RefCounted {};
class RasterState : public StateObject {};
class DepthStencilState : public StateObject {};
class BlendState : public StateObject {};
class SamplerState : public StateObject {};
class VertexLayout : public StateObject {};

using StreamOutputLayout = ir::StreamOutputLayout;

/// A linked set of stages, each in one of two forms. IR is only valid during the call of create_program; a
/// driver that needs it later must clone it. A stored shader may be kept; the driver may have code for it and
/// need no IR.
struct ProgramDesc {
    std::array<const ir::Shader*, kStageCount> stages{};
    std::array<std::shared_ptr<const ir::StoredShader>, kStageCount> stored{};
    const StreamOutputLayout* stream_output = nullptr;  // valid during the call; null: nothing is captured
    /// Components in ClipDist0 and ClipDist1 of the last vertex stage: clip distances, followed by cull
    /// distances. Their sum is at most Caps::max_distances. A primitive is discarded if all its vertices are
    /// negative in one cull distance.
    uint8_t clip_distances = 0, cull_distances = 0;
    const char* label = nullptr;  // for messages and traces; may be null
};
class Program : public StateObject {};

inline constexpr unsigned kMaxViewports = 16;
struct Viewport {
    float scale[3];           // half width, half height (negative: y is flipped), factor of depth
    float translate[3];       // centre x, centre y, depth at z = 0
    float depth[2] = {0, 1};  // the smallest and the largest depth between near and far
    bool operator==(const Viewport&) const = default;
};
struct Scissor {
    int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;  // [x0,x1) x [y0,y1), px
    bool operator==(const Scissor&) const = default;
};
inline constexpr Scissor kEverywhere{0, 0, INT32_MAX, INT32_MAX};

struct VertexBuffer {
    Resource* resource = nullptr;  // null: every element reads (0,0,0,1)
    uint64_t offset_B = 0;
    uint32_t stride_B = 0;
};
struct BufferRange {
    Resource* resource = nullptr;
    uint64_t offset_B = 0, size_B = 0;
};

/// An image that shaders load from and store to (glBindImageTexture). Null resource: loads return zeros,
/// stores do nothing.
struct ImageView {
    Resource* resource = nullptr;
    Format format = Format::None;  // an image format of ES 3.1, with the texel size of the resource's
    uint32_t level = 0;
    uint32_t first_layer = 0, layer_count = 1;        // layers, faces or slices
    uint64_t buffer_offset_B = 0, buffer_size_B = 0;  // of a buffer's texels; no levels or layers
    bool operator==(const ImageView&) const = default;
};

// --- render passes -----------------------------------------------------------------------------------------

enum class LoadOp : uint8_t { Load, Clear, DontCare };
enum class StoreOp : uint8_t { Store, DontCare };
union ClearColor {
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};
struct Attachment {
    Resource* resource = nullptr;  // null: no attachment
    Format format = Format::None;  // may be the sRGB or linear variant of the resource's
    uint32_t level = 0;
    uint32_t first_layer = 0, layer_count = 1;
    LoadOp load = LoadOp::Load;
    StoreOp store = StoreOp::Store;
    /// If this is more than the resource has: the pass has that many samples per pixel. They start with the
    /// resource's contents, and are resolved into it. Only for colours with one layer; Caps::implicit_resolve
    /// (EXT_multisampled_render_to_texture).
    uint32_t samples = 1;
};
struct RenderPassDesc {
    std::array<Attachment, kMaxColorTargets> color;
    Attachment depth_stencil;
    LoadOp stencil_load = LoadOp::Load;  // depth uses depth_stencil.load
    StoreOp stencil_store = StoreOp::Store;
    std::array<ClearColor, kMaxColorTargets> clear_color{};
    float clear_depth = 1;
    uint8_t clear_stencil = 0;
    uint32_t color_count = 0;
    uint32_t width = 0, height = 0, layers = 1;  // the smallest of all attachments
    uint32_t samples = 1;                        // used without attachments
    /// Draws and clears do not change pixels outside; a device may skip work there. May extend beyond the
    /// attachments.
    Scissor area = kEverywhere;
};
namespace attachment_bit {
inline constexpr uint32_t kColor0 = 1, kDepth = 1u << 8, kStencil = 1u << 9;  // kColor0 << n
}

struct ClearInfo {
    uint32_t attachments = 0;  // attachment_bit
    std::array<ClearColor, kMaxColorTargets> color{};
    float depth = 1;
    uint8_t stencil = 0;
    std::array<uint8_t, kMaxColorTargets> color_mask{15, 15, 15, 15, 15, 15, 15, 15};
    uint8_t stencil_mask = 0xff;
    bool scissored = false;
    Scissor scissor;
};

// --- draws -------------------------------------------------------------------------------------------------

struct DrawInfo {
    Primitive mode = Primitive::Triangles;
    IndexType index_type = IndexType::None;
    bool primitive_restart = false;  // the index with all bits set restarts the primitive
    uint32_t patch_vertices = 3;
    Resource* index_buffer = nullptr;
    uint64_t index_offset_B = 0;
    uint32_t instance_count = 1, first_instance = 0;
    /// If index_bounds_valid, all indices are in this range (a hint that saves a scan).
    bool index_bounds_valid = false;
    uint32_t min_index = 0, max_index = 0xffffffff;
    BufferRange indirect;  // with a resource: has the parameters of one draw
};
struct DrawRange {
    uint32_t first = 0;  // first vertex or index
    uint32_t count = 0;
    int32_t index_bias = 0;
};
struct DispatchInfo {
    uint32_t groups[3] = {1, 1, 1};
    BufferRange indirect;
};

struct BlitSide {
    Resource* resource = nullptr;
    Format format = Format::None;
    uint32_t level = 0;
    Box box;  // negative width or height: mirrored
};
struct BlitInfo {
    BlitSide src, dst;
    Filter filter = Filter::Nearest;
    bool color = true, depth = false, stencil = false;
    bool scissored = false;
    Scissor scissor;
};

enum class QueryKind : uint8_t {
    AnySamples,
    AnySamplesConservative,
    Samples,
    TimeElapsed,
    Timestamp,
    PrimitivesGenerated,
    PrimitivesWritten
};

}  // namespace terrazzo::pipe
