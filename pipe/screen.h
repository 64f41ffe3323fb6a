// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device as the API layers see it: what it can do, and the maker of everything that contexts share. Every
// method may be called from any thread at any time. A failed creation returns null (out of memory, or an
// unsupported descriptor: which one is in the log); nothing else has then changed.
#pragma once

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <span>

#include "pipe/import.h"
#include "pipe/log.h"
#include "pipe/modifier.h"
#include "pipe/state.h"

namespace terrazzo::pipe {

class Context;

/// Limits and abilities. Filled by the driver once.
struct Caps {
    const char* renderer = "";  // GL_RENDERER
    const char* driver = "";    // the name of its driver (EGL_MESA_query_driver)
    /// The highest version of OpenGL ES that contexts may have: 20, 30, 31, 32.
    int gles_version = 20;
    /// Draws and dispatches take their parameters from buffers that shaders wrote. Else the state tracker waits and reads them.
    bool reads_indirect_parameters = false;
    uint32_t threads = 0;  // of this process that draw; 0: none, a device does
    uint32_t max_texture_size_px = kMaxTarget_px, max_cube_size_px = kMaxTarget_px, max_3d_size_px = 2048,
             max_array_layers = 2048;
    uint32_t max_renderbuffer_size_px = kMaxTarget_px;
    uint32_t max_viewport_px = kMaxTarget_px;
    uint32_t max_viewports = 1;  // or kMaxViewports: Context::set_viewport_array is there
    uint32_t max_distances = 0;  // clip and cull distances of a vertex: 8 or none
    uint32_t max_samples = 1;
    uint32_t max_color_targets = 8;
    uint32_t max_vertex_attribs = 16;
    uint32_t max_varying_vectors = 16;
    uint32_t max_vertex_uniform_vectors = 1024, max_fragment_uniform_vectors = 1024;
    uint32_t max_samplers_vertex = 16, max_samplers_fragment = 16, max_samplers_combined = 32;
    uint32_t max_constant_buffer_B = 65536, constant_alignment_B = 16;
    float line_width_px[2] = {1, 1}, point_size_px[2] = {1, 1};
    float max_anisotropy = 1;
    uint32_t subpixel_bits = 8;
    bool float_textures_linear = false;
    bool dual_source_blend = false;  // BlendFactor::Src1Color and its kin
    bool implicit_resolve = false;   // Attachment::samples may be more than the resource has
    bool framebuffer_fetch =
        false;  // shaders read what lies in the colour buffers, in order: ir::Sysval::LastColor0
    bool sample_shading =
        false;  // sample variables, RasterDesc::sample_shading, reads of inputs at places of a pixel
    bool depth_clamp =
        false;  // RasterDesc::depth_clamp and DepthStencilDesc::depth_clamp, which come together
    bool half_fragments = false;  // fragment shaders compute lowp and mediump in 16 bits
    bool advanced_blend = false;  // pipe::AdvancedBlend, in order without barriers
    bool later_stages =
        false;  // geometry and tessellation, where gles_version is less than 32, which has them
    /// A vertex stage without later ones may write VaryingSlot::Layer, with one value for all vertices of an
    /// instance.
    bool instance_layers = false;
    bool later_stages_store = true;  // those stages have storage buffers, atomic counters and images
    bool native_fences = false;      // Fence::export_fd and Screen::import_fence
    bool memory_objects = false;     // Screen::create_resource_in and check_memory
    /// Shared images' memory has fences (dma-buf's implicit ones): others wait by themselves for what was flushed, and the device for them.
    bool implicit_fences = false;
};

/// A point in a context's work. Thread-safe.
class Fence : public RefCounted {
  public:
    static constexpr uint64_t kForever = ~0ull;
    /// True once all work before it is done; waits at most `timeout_ns` (0: only looks).
    [[nodiscard]] virtual bool wait(uint64_t timeout_ns) = 0;
    /// A new sync-file descriptor owned by the caller, or -1 where the device has none.
    [[nodiscard]] virtual int export_fd() { return -1; }
};

struct ContextDesc {
    bool robust = false;  // out-of-range accesses are defined, endless work is stopped and reported
    int priority = 1;     // 0 low, 1 medium, 2 high
    Log log;
};

/// One 2D image in a dma-buf (or a memfd, where there is no kernel for dma-bufs), to import, or what an export returns. Images
/// of several planes, such as NV12, are several of these, each with the format of its plane. The descriptor stays the caller's.
struct SharedImage {
    int fd = -1;
    uint64_t modifier = kModifierLinear;
    uint32_t offset_B = 0;  // of row 0, or of what the modifier's definition says
    uint32_t stride_B = 0;  // from one row of pixels to the next
};

class Screen {
  public:
    virtual ~Screen() = default;

    [[nodiscard]] const Caps& caps() const { return caps_; }
    /// All `bind` uses at once with `samples` samples.
    [[nodiscard]] virtual bool format_supported(Format f, ResourceKind kind, uint32_t samples,
                                                uint32_t bind) const = 0;

    /// A new resource reads as zero: never another program's memory, nor an older resource's.
    [[nodiscard]] virtual Ref<Resource> create_resource(const ResourceDesc& desc) = 0;
    // --- images that are shared with other devices and processes. Optional: devices without it return what is here.

    /// The modifiers of images of the format that create_shared_resource() and import_resource() know, the best first, as long
    /// as the screen lives. Where it is not empty, linear is one of them.
    [[nodiscard]] virtual std::span<const Modifier> modifiers(Format) const { return {}; }
    /// A new image that export_resource() can export: Tex2D, a level, a layer, a sample. It has one of `modifiers`, the device's
    /// choice (modifier.h). Null: out of memory, or the device knows none of them for such an image.
    [[nodiscard]] virtual Ref<Resource> create_shared_resource(const ResourceDesc&,
                                                               std::span<const uint64_t> modifiers) {
        (void)modifiers;
        return nullptr;
    }
    /// The image that lies there. `desc.bind` says what it will be used for. Null: `*status` (may be null) says why. Memory that may
    /// not be written makes a resource that only reads (Resource::not_writable), unless it shall be drawn to.
    [[nodiscard]] virtual Ref<Resource> import_resource(const ResourceDesc&, const SharedImage&,
                                                        ImportStatus* status = nullptr) {
        if (status) *status = ImportStatus::NotShared;
        return nullptr;
    }
    /// A resource of any kind whose storage is the range's first bytes, which may be more: laid out as create_resource() does it, so
    /// that screens of one device agree. Contents stay as they are. Null: as above. Optional: Caps::memory_objects.
    [[nodiscard]] virtual Ref<Resource> create_resource_in(const ResourceDesc&, const MemoryRange&,
                                                           ImportStatus* status) {
        *status = ImportStatus::NotShared;
        return nullptr;
    }
    /// Whether the range is of such memory, and writable. Optional: Caps::memory_objects.
    [[nodiscard]] virtual ImportStatus check_memory(const MemoryRange&) { return ImportStatus::NotShared; }
    /// False where it cannot be shared. The new descriptor in `out` is the caller's.
    [[nodiscard]] virtual bool export_resource(Resource&, SharedImage* out) {
        (void)out;
        return false;
    }
    /// A fence that is signalled when the sync file is; the descriptor stays the caller's. Contexts of this screen can wait for
    /// it on the device (Context::wait_fence). Null: not a sync file, or the device cannot.
    [[nodiscard]] virtual Ref<Fence> import_fence(int fd) {
        (void)fd;
        return nullptr;
    }

    [[nodiscard]] virtual Ref<SamplerView> create_sampler_view(Ref<Resource> r,
                                                               const SamplerViewDesc& desc) = 0;
    [[nodiscard]] virtual Ref<SamplerState> create_sampler(const SamplerDesc& desc) = 0;
    [[nodiscard]] virtual Ref<RasterState> create_raster(const RasterDesc& desc) = 0;
    [[nodiscard]] virtual Ref<DepthStencilState> create_depth_stencil(const DepthStencilDesc& desc) = 0;
    [[nodiscard]] virtual Ref<BlendState> create_blend(const BlendDesc& desc) = 0;
    [[nodiscard]] virtual Ref<VertexLayout> create_vertex_layout(const VertexLayoutDesc& desc) = 0;
    /// Compiles; may go on in the background. Null: out of memory or a shader the device cannot run (said in
    /// `log`).
    [[nodiscard]] virtual Ref<Program> create_program(const ProgramDesc& desc, const Log& log) = 0;

    /// The context may be used by one thread at a time.
    [[nodiscard]] virtual std::unique_ptr<Context> create_context(const ContextDesc& desc) = 0;

    [[nodiscard]] virtual uint64_t timestamp_ns() const = 0;

    /// Where sample `index` of a pixel of `samples` lies, from the pixel's corner of the least coordinates: 0 to 1. Mandatory
    /// for OpenGL ES 3.1.
    virtual void sample_position(uint32_t samples, uint32_t index, float xy[2]) const {
        (void)samples, (void)index;
        xy[0] = xy[1] = 0.5f;
    }

  protected:
    Caps caps_;
};

}  // namespace terrazzo::pipe
