// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A GLES context: the state of OpenGL ES 2.0 to 3.2 (chapter "State Tables"), and the interface between its
// parts. Commands are free functions st::Command(Context&, ...). The generated gl_commands.h declares them;
// the file of each family defines them. A command validates its arguments, changes state and sets dirty bits.
// draw.cpp turns dirty state into pipe calls before a draw.
#pragma once

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "pipe/context.h"
#include "shaders/compile.h"
#include "state_tracker/drawable.h"
#include "state_tracker/gl_commands.h"
#include "state_tracker/object.h"
#include "state_tracker/recursive_lock.h"

namespace terrazzo::shaders {
class ShaderCache;
}

namespace terrazzo::st {

class Buffer;         // buffer.h
class VertexArray;    // vertex_array.h
class ProgramObject;  // program.h: a shader or a program (they share names)
class Program;        // program.h
class Pipeline;       // pipeline.h: program pipeline objects
class Executable;     // program.h: the result of a successful link, with its uniform values
class Texture;        // texture.h
class Renderbuffer;   // framebuffer.h
class Framebuffer;    // framebuffer.h
class Sampler;        // sampler.h
class PerfMonitor;
class QueryObject;        // query.h
class SyncObject;         // sync.h
class MemoryObject;       // external.h
class Semaphore;          // external.h
class TransformFeedback;  // transform_feedback.h
struct DebugState;        // debug.h

inline constexpr unsigned kMaxExtensions = 192;                       // rows of extensions.txt
inline constexpr unsigned kMaxTextureUnits = 6 * pipe::kMaxSamplers;  // of six stages
inline constexpr unsigned kMaxColorAttachments = pipe::kMaxColorTargets;
enum class TextureTarget : uint8_t {
    Tex2D,
    Cube,
    External,
    Tex3D,
    Tex2DArray,
    CubeArray,
    Tex2DMS,
    Tex2DMSArray,
    Buffer,
    Count_
};
inline constexpr unsigned kTextureTargetCount = unsigned(TextureTarget::Count_);

/// The state that the contexts of a share group share. `mutex` guards the tables and the objects' shared
/// parts. Commands that only read objects which are already bound need no lock.
class ShareGroup : public pipe::RefCounted {
  public:
    /// `cache`: keep linked programs in the shader cache, as the environment allows (shaders/cache).
    ShareGroup(pipe::Screen& s, bool cache);
    ~ShareGroup() override;
    pipe::Screen& screen;
    RecursiveLock mutex;
    NameTable<Buffer> buffers;
    NameTable<Texture> textures;
    NameTable<Renderbuffer> renderbuffers;
    NameTable<Sampler> samplers;
    NameTable<ProgramObject> programs;
    NameTable<SyncObject> syncs;  // a GLsync is a name
    NameTable<MemoryObject> memory_objects;
    NameTable<Semaphore> semaphores;
    std::unique_ptr<shaders::ShaderCache> cache;  // null: none
    /// Counts replacements, maps and unmaps of buffers' storage. A context that last saw a smaller count
    /// checks its vertex arrays again.
    std::atomic<uint64_t> buffer_stamp{1};
};

/// State that the pipe must learn before the next draw.
namespace dirty {
inline constexpr uint64_t kRaster = 1 << 0, kDepthStencil = 1 << 1, kStencilRef = 1 << 2, kBlend = 1 << 3,
                          kBlendColor = 1 << 4, kViewport = 1 << 5, kScissor = 1 << 6, kVertexArray = 1 << 7,
                          kCurrentAttribs = 1 << 8, kProgram = 1 << 9, kFramebuffer = 1 << 12,
                          kSampleMask = 1 << 13, kStreamOutputs = 1 << 14, kAll = ~0ull;

/// State that each stage has separately: the default uniform block, uniform buffers, textures, storage blocks
/// with atomic counters, images.
enum class Group : uint8_t { Uniforms, UniformBuffers, Textures, StorageBuffers, Images };
inline constexpr unsigned kFirstStageBit = 32;
/// The bit of one stage's group. The bits of a group are adjacent, in the order of pipe::Stage.
[[nodiscard]] constexpr uint64_t of(pipe::Stage stage, Group group) {
    return uint64_t(1) << (kFirstStageBit + unsigned(group) * pipe::kStageCount + unsigned(stage));
}
/// The bits of a group in all stages.
[[nodiscard]] constexpr uint64_t of(Group group) {
    return ((uint64_t(1) << pipe::kStageCount) - 1) << (kFirstStageBit + unsigned(group) * pipe::kStageCount);
}
inline constexpr uint64_t kUniforms = of(Group::Uniforms), kUniformBuffers = of(Group::UniformBuffers),
                          kTextures = of(Group::Textures), kStorageBuffers = of(Group::StorageBuffers),
                          kImages = of(Group::Images);
static_assert(kFirstStageBit + 5 * pipe::kStageCount <= 64);
}  // namespace dirty

struct PixelStore {
    GLint alignment = 4, row_length = 0, skip_rows = 0, skip_pixels = 0;
    GLint image_height = 0, skip_images = 0;  // used by unpacking only; OpenGL ES 3.0
};

/// Per-face stencil state (GL_FRONT, GL_BACK).
struct StencilFace {
    GLenum func = GL_ALWAYS, fail = GL_KEEP, depth_fail = GL_KEEP, pass = GL_KEEP;
    GLint ref = 0;
    GLuint value_mask = ~0u, write_mask = ~0u;
};

/// The type that the components of a vertex attribute have in the shader.
enum class AttribBase : uint8_t { Float, Int, Uint };

/// A range of a buffer at an indexed binding point (glBindBufferRange). `whole`: the range is the whole
/// buffer, whatever its size is at the time of use.
struct IndexedBuffer {
    pipe::Ref<Buffer> buffer;
    uint64_t offset_B = 0, size_B = 0;
    bool whole = false;
};
inline constexpr unsigned kMaxUniformBufferBindings = 72;
inline constexpr unsigned kMaxStorageBufferBindings = 16, kMaxAtomicBufferBindings = 8;
/// Slots of a stage: its storage blocks, and its bindings of atomic counters.
inline constexpr unsigned kMaxStorageSlots = kMaxStorageBufferBindings + kMaxAtomicBufferBindings;
inline constexpr unsigned kMaxFeedbackBuffers = pipe::kMaxStreamOutputs;

/// An image unit of shaders (glBindImageTexture).
struct ImageUnit {
    pipe::Ref<Texture> texture;
    GLint level = 0, layer = 0;
    bool layered = false;
    GLenum access = GL_READ_ONLY, format = GL_R32UI;
    /// What `format` is for the pipe and in shaders.
    pipe::Format texel_format = pipe::Format::R32_UINT;
    ir::ImageFormat in_shader = ir::ImageFormat::R32ui;
};
inline constexpr unsigned kMaxImageUnits = 8;

/// Blending and the colour mask of one draw buffer.
struct BlendTarget {
    GLenum eq_rgb = GL_FUNC_ADD, eq_alpha = GL_FUNC_ADD;
    GLenum src_rgb = GL_ONE, dst_rgb = GL_ZERO, src_alpha = GL_ONE, dst_alpha = GL_ZERO;
    std::array<bool, 4> color_mask{true, true, true, true};
    bool operator==(const BlendTarget&) const = default;
};

/// The state of one viewport; geometry shaders choose one with gl_ViewportIndex.
struct ViewportState {
    GLfloat box[4] = {};  // x, y, width, height
    GLint scissor[4] = {};
    GLfloat depth_range[2] = {0, 1};
    bool scissor_test = false;
};
inline constexpr unsigned kMaxViewports = pipe::kMaxViewports;

/// Fixed-function state, by the names of the spec's state tables.
struct State {
    // enables
    bool depth_clamp = false;  // EXT_depth_clamp
    bool cull_face = false, depth_test = false, dither = true, polygon_offset_fill = false;
    bool sample_alpha_to_coverage = false, sample_coverage = false, stencil_test = false;
    bool rasterizer_discard = false, primitive_restart_fixed_index = false;  // OpenGL ES 3.0
    // rasterisation
    GLenum cull_face_mode = GL_BACK, front_face = GL_CCW;
    GLfloat line_width = 1, polygon_offset_factor = 0, polygon_offset_units = 0, polygon_offset_clamp = 0;
    GLfloat primitive_bounding_box[2][4] = {{-1, -1, -1, 1}, {1, 1, 1, 1}};  // OpenGL ES 3.2; a hint
    GLfloat sample_coverage_value = 1;
    bool sample_coverage_invert = false;
    bool sample_mask = false;  // OpenGL ES 3.1
    bool sample_shading = false;
    GLfloat min_sample_shading = 0;
    GLuint sample_mask_value = ~0u;
    std::array<ViewportState, kMaxViewports> viewports;  // more than one with OES_viewport_array only
    bool viewport_arrays = false;                        // the viewports may differ
    uint8_t clip_planes = 0;                             // bit n: GL_CLIP_DISTANCE0_EXT + n
    GLenum clip_origin = GL_LOWER_LEFT_EXT, clip_depth_mode = GL_NEGATIVE_ONE_TO_ONE_EXT;
    // depth, stencil (front, back)
    GLenum depth_func = GL_LESS;
    bool depth_mask = true;
    StencilFace stencil[2];
    // blending
    std::array<BlendTarget, kMaxColorAttachments> blend;  // by draw buffer
    bool blend_alike = true;                              // all of them are equal
    uint8_t blend_enabled = 0;                            // GL_BLEND: one bit per draw buffer
    bool blend_advanced_coherent = true;                  // KHR_blend_equation_advanced_coherent
    GLfloat blend_color[4] = {};
    bool framebuffer_srgb = true;      // colours are encoded for sRGB attachments (EXT_sRGB_write_control)
    uint8_t default_draw_buffers = 1;  // bit 0: the default framebuffer's colour is drawn to
    bool default_read_buffer = true;   // GL_BACK; else GL_NONE
    // clears
    GLfloat clear_color[4] = {}, clear_depth = 1;
    GLint clear_stencil = 0;
    // hints
    GLenum generate_mipmap_hint = GL_DONT_CARE, fragment_derivative_hint = GL_DONT_CARE;
    GLuint max_shader_compiler_threads = ~0u;  // as set; a compile is complete when its call returns
    // pixel store
    PixelStore pack, unpack;
    // current vertex attributes: their bits, and the type with which they were set
    std::array<std::array<uint32_t, 4>, pipe::kMaxVertexAttribs> attribs;
    std::array<AttribBase, pipe::kMaxVertexAttribs> attrib_bases{};
    // texture units
    unsigned active_texture = 0;
};

/// Limits of this context: the device's caps, bounded by what the API version and Terrazzo allow. Filled by
/// limits.cpp.
struct ContextLimits {
    GLint max_texture_size, max_cube_size, max_3d_size, max_array_layers, max_renderbuffer_size, max_viewport,
        max_viewports;
    GLint max_vertex_attribs, max_varying_vectors, max_vertex_uniform_vectors, max_fragment_uniform_vectors;
    GLint max_vertex_textures, max_fragment_textures, max_combined_textures;
    GLint max_draw_buffers, max_color_attachments, max_samples;
    GLint max_vertex_uniform_blocks, max_fragment_uniform_blocks, max_combined_uniform_blocks;
    GLint max_uniform_buffer_bindings, max_uniform_block_B, uniform_alignment_B;
    GLint max_storage_bindings, storage_alignment_B, max_atomic_bindings, max_image_units;
    GLfloat line_width[2], point_size[2], max_anisotropy;
    shaders::Limits shader;
    std::bitset<kMaxExtensions> extensions;  // bit per row of extensions.txt
};

struct ContextConfig {
    int version = 20;  // 20, 30, 31, 32
    bool debug = false, robust = false, no_error = false, lose_context_on_reset = false;
    bool flush_on_release = true;  // when another context becomes current (KHR_context_flush_control)
    int priority = 1;
    pipe::Log log;
    bool shader_cache = false;  // for a new share group: keep linked programs in memory and on disk
    // a folder for the text of every program that links (debug/dump.h); empty: no dump
    std::string shader_dump;
    /// Resolves an EGLImage handle. Returns null for an invalid handle. A null function: no handle is valid.
    pipe::Ref<Image> (*lookup_image)(void* user, GLeglImageOES handle) = nullptr;
    void* image_user = nullptr;
};

/// The highest version that contexts on `screen` may have (20, 30, 31, 32): that of the device's caps, or of
/// TERRAZZO_GLES_VERSION, which is for work on OpenGL ES 3 itself. An API may create a context of a later
/// version than the program asked for: later versions are compatible.
[[nodiscard]] int highest_version(const pipe::Screen& screen);

class Context {
  public:
    /// `share`: the group to join, or null for a new one. Null: out of memory.
    [[nodiscard]] static std::unique_ptr<Context> create(pipe::Screen& screen, Context* share,
                                                         const ContextConfig& config);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    // --- for EGL
    /// Binds the default framebuffer's surfaces (both may be null: surfaceless). The first bind with a
    /// surface sets viewport and scissor.
    void make_current(pipe::Ref<Drawable> draw, pipe::Ref<Drawable> read);
    /// Hands all work to the device: for glFlush, and before the context stops being current.
    pipe::Ref<pipe::Fence> flush();
    /// Callable from any thread; see pipe::Context::abandon().
    void abandon() { pipe->abandon(); }
    /// For eglSwapBuffers: finishes rendering to the draw surface. Its ancillary buffers become undefined.
    pipe::Ref<pipe::Fence> flush_frame();

    // --- errors and messages
    /// Records `code` unless an error is pending, and sends "<command>: <message>" to KHR_debug. The message
    /// names the object and the rule. A command that calls this must have changed nothing.
    [[gnu::cold]] void error(GLenum code, const char* command, const char* format, ...)
        __attribute__((format(printf, 4, 5)));
    [[gnu::cold]] void out_of_memory(const char* command) {
        error(GL_OUT_OF_MEMORY, command, "out of memory");
    }
    /// Sends KHR_debug a message that is no error (performance, portability, driver notes).
    [[gnu::cold]] void message(GLenum type, GLenum severity, const char* format, ...)
        __attribute__((format(printf, 4, 5)));
    GLenum take_error();
    /// Asks the device whether it was reset, if the program wants such notifications (LOSE_CONTEXT_ON_RESET).
    void check_reset();

    const ContextConfig config;
    pipe::Screen& screen;
    pipe::Ref<ShareGroup> share;
    std::unique_ptr<pipe::Context> pipe;
    ContextLimits limits;

    /// The device was reset. Every command except GetError and GetGraphicsResetStatus raises GL_CONTEXT_LOST
    /// and does nothing else (KHR_robustness; api/gl checks this).
    bool lost = false;
    /// The status that GetGraphicsResetStatus returns next, once.
    pipe::ResetStatus reset = pipe::ResetStatus::None;

    State state;
    uint64_t dirty = dirty::kAll;

    // --- bindings
    pipe::Ref<Buffer> array_buffer;
    pipe::Ref<Buffer> pixel_pack_buffer, pixel_unpack_buffer;
    pipe::Ref<Buffer> copy_read_buffer, copy_write_buffer;
    pipe::Ref<Buffer> uniform_buffer, transform_feedback_buffer;  // the generic binding points
    std::array<IndexedBuffer, kMaxUniformBufferBindings> uniform_buffers;
    pipe::Ref<Buffer> storage_buffer, atomic_buffer;  // the generic binding points of OpenGL ES 3.1
    std::array<IndexedBuffer, kMaxStorageBufferBindings> storage_buffers;
    std::array<IndexedBuffer, kMaxAtomicBufferBindings> atomic_buffers;
    pipe::Ref<Buffer> draw_indirect_buffer, dispatch_indirect_buffer, texture_buffer;
    std::array<ImageUnit, kMaxImageUnits> images;
    pipe::Ref<TransformFeedback> transform_feedback;          // never null
    pipe::Ref<TransformFeedback> default_transform_feedback;  // name 0
    NameTable<TransformFeedback> transform_feedbacks;         // not shared
    pipe::Ref<VertexArray> vertex_array;                      // never null
    pipe::Ref<VertexArray> default_vertex_array;              // name 0
    NameTable<VertexArray> vertex_arrays;                     // not shared
    uint64_t last_array_stamp = 0;                            // the last value of VertexArray::stamp
    uint64_t attribs_stamp = 0;                               // counts changes of state.attribs
    Program* program = nullptr;     // current; may be deleted already; use_count holds it
    pipe::Ref<Pipeline> pipeline;   // bound; may be deleted already; used while `program` is null
    GLint patch_vertices = 3;       // GL_PATCH_VERTICES
    NameTable<Pipeline> pipelines;  // not shared
    /// The executable of `program` that was installed here, which outlives a relink that fails; or the last
    /// one that `pipeline` drew with.
    pipe::Ref<Executable> executable;
    /// By unit and target; never null: the default textures have name 0.
    std::array<std::array<pipe::Ref<Texture>, kTextureTargetCount>, kMaxTextureUnits> textures;
    std::array<pipe::Ref<Texture>, kTextureTargetCount> default_textures;
    std::unique_ptr<NameCache<Texture>, void (*)(NameCache<Texture>*)> texture_names{nullptr, nullptr};
    /// By unit; null: the texture's own parameters apply.
    std::array<pipe::Ref<Sampler>, kMaxTextureUnits> samplers;
    NameTable<QueryObject> queries;         // not shared
    QueryObject* active_queries[4] = {};    // query.cpp: by kind
    NameTable<PerfMonitor> perf_monitors;   // not shared
    PerfMonitor* active_monitor = nullptr;  // perf_monitor.cpp
    pipe::Ref<Renderbuffer> renderbuffer;
    NameTable<Framebuffer> framebuffers;  // not shared
    pipe::Ref<Framebuffer> framebuffer;   // bound to draw to; null: the default framebuffer
    pipe::Ref<Framebuffer>
        read_framebuffer;  // the same to read from; in OpenGL ES 2.0 always the same object
    pipe::Ref<Drawable> draw_drawable, read_drawable;
    std::unique_ptr<DebugState> debug;
    /// The strings that GetString returns; set by limits.cpp, constant afterwards.
    std::string renderer_string, version_string, glsl_version_string, extension_string;

    /// Private state of a family of files. Its own file defines, creates and frees it (pimpl), so that other
    /// families do not depend on it.
    struct DrawCache;   // draw.cpp: pipe state objects by descriptor, uploads
    struct RenderPass;  // render_pass.cpp: the open pass and pending clears
    struct CounterLog;  // counter_log.cpp
    std::unique_ptr<CounterLog, void (*)(CounterLog*)> counter_log{nullptr, nullptr};
    std::unique_ptr<DrawCache, void (*)(DrawCache*)> draw_cache{nullptr, nullptr};
    std::unique_ptr<RenderPass, void (*)(RenderPass*)> render_pass{nullptr, nullptr};

  private:
    Context(pipe::Screen& s, const ContextConfig& c);
    GLenum error_ = GL_NO_ERROR;
    bool had_surface_ = false;
};

// --- the interface between the families --------------------------------------------------------------------
// render_pass.cpp (framebuffers, clears):
/// Opens a render pass on the draw framebuffer if none is open, and acquires the drawable's buffers. False:
/// the framebuffer is incomplete or its storage could not be allocated; the GL error is recorded under
/// `command`.
[[nodiscard]] bool begin_rendering(Context& ctx, const char* command);
/// Ends the open pass, if any, after all its clears. Call before maps, copies, blits, flushes, framebuffer
/// changes.
void end_rendering(Context& ctx);
/// end_rendering() at the end of a frame (flush_frame): the default framebuffer's depth and stencil may be
/// discarded.
void end_frame(Context& ctx);
/// Other surfaces became current: releases the old ones' buffers.
void drawables_changed(Context& ctx);
/// Size and planes of the draw framebuffer, valid after begin_rendering.
struct FramebufferInfo {
    uint32_t width_px = 0, height_px = 0, samples = 1;
    uint8_t depth_bits = 0, stencil_bits = 0, color_bits[4] = {};
    uint8_t undrawn = 0;  // bit n: colour attachment n exists, but no draw buffer selects it
    bool is_default = false;
    bool top_down = false;  // memory begins with GL's top row (Drawable::top_down)
    /// OVR_multiview: the number of layers that are drawn to; 0: the framebuffer is not multiview.
    uint8_t views = 0;
    bool operator==(const FramebufferInfo&) const = default;
};
[[nodiscard]] const FramebufferInfo& rendering_info(const Context& ctx);
/// The bound draw framebuffer as glGet reports it (GL_RED_BITS, GL_SAMPLES ...), outside passes too. All
/// zeros if it is incomplete or surfaceless.
[[nodiscard]] FramebufferInfo bound_framebuffer_info(Context& ctx);
/// GL_IMPLEMENTATION_COLOR_READ_FORMAT and _TYPE of the bound read framebuffer. False: it is incomplete or
/// has no colour attachment.
[[nodiscard]] bool color_read_format(Context& ctx, GLenum* format, GLenum* type);
/// Call before the CPU writes a resource's storage, or replaces it: flushes this context's passes that use
/// it.
void before_cpu_access(Context& ctx, pipe::Resource& r);

// texture_bind.cpp:
/// Binds a view and a sampler for every sampler slot of ctx.executable (programs/program.h:
/// Executable::samplers by stage and slot, unit() from uniform values). Draws call it before begin_rendering
/// when dirty::kTextures or kProgram is set. Incomplete textures read (0,0,0,1). Feedback loops are allowed
/// and undefined.
void emit_textures(Context& ctx);
/// Writes the conversion parameters of the bound external textures into `block`, a copy of the default block
/// of one stage of `e`.
void write_conversions(const Context& ctx, const Executable& e, unsigned stage, std::span<uint32_t> block);
/// Releases what the context remembers of deleted textures of the share group. Call after deletions and at
/// each flush.
void release_deleted_textures(Context& ctx);
/// Call when a texture's contents or parameters change, or it is deleted: updates the units and framebuffers
/// that hold it.
void texture_changed(Context& ctx, Texture& t);
/// Binds the images of ctx.executable's slots (image_unit.cpp).
void emit_images(Context& ctx);
void init_textures(Context& ctx);      // default textures; called by Context::create
void init_framebuffers(Context& ctx);  // RenderPass state; called by Context::create

// draw.cpp:
void init_draw(Context& ctx);

}  // namespace terrazzo::st
