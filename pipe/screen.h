// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device for the API layers: its caps, and the creation of all objects that contexts share. Every method
// may be called from any thread at any time. Methods without a body are mandatory. A failed creation returns
// null (out of memory, or an unsupported descriptor: the log says which); nothing else has changed then.
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

/// Limits and features. The driver sets them once.
struct Caps {
    const char* renderer = "";  // GL_RENDERER
    const char* driver = "";    // the name of its driver (EGL_MESA_query_driver)
    /// The highest version of OpenGL ES for contexts: 20, 30, 31, 32.
    int gles_version = 20;
    /// Draws and dispatches can read their parameters from buffers that shaders wrote. Otherwise the state
    /// tracker waits and reads them.
    bool reads_indirect_parameters = false;
    uint32_t threads = 0;  // number of this process's threads that draw; 0: a device draws
    uint32_t max_texture_size_px = kMaxTarget_px, max_cube_size_px = kMaxTarget_px, max_3d_size_px = 2048,
             max_array_layers = 2048;
    uint32_t max_renderbuffer_size_px = kMaxTarget_px;
    uint32_t max_viewport_px = kMaxTarget_px;
    uint32_t max_viewports = 1;  // 1, or kMaxViewports with set_viewport_array
    uint32_t max_distances = 0;  // clip and cull distances of a vertex: 0 or 8
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
    bool dual_source_blend = false;  // BlendFactor::Src1Color and related ones
    bool implicit_resolve = false;   // Attachment::samples may be larger than the resource's
    bool framebuffer_fetch = false;  // shaders can read the colour buffers, in order: ir::Sysval::LastColor0
    bool sample_shading =
        false;  // sample variables, RasterDesc::sample_shading, inputs at other positions of a pixel
    bool depth_clamp = false;     // RasterDesc::depth_clamp and DepthStencilDesc::depth_clamp
    bool half_fragments = false;  // fragment shaders compute lowp and mediump in 16 bits
    bool advanced_blend = false;  // pipe::AdvancedBlend, in order without barriers
    bool later_stages = false;    // geometry and tessellation; gles_version 32 always has them
    /// A vertex stage without later stages may write VaryingSlot::Layer. The value must be the same for all
    /// vertices of an instance.
    bool instance_layers = false;
    // Later stages, and vertex stages, have storage buffers, atomic counters and images.
    bool later_stages_store = true, vertex_stores = true;
    uint32_t max_buffer_texels = 1 << 27;  // of a buffer's view
    bool native_fences = false;            // Fence::export_fd and Screen::import_fence
    bool memory_objects = false;           // Screen::create_resource_in and check_memory
    /// The memory of shared images has implicit fences (those of dma-bufs): other devices wait for flushed
    /// work without explicit synchronization, and this device waits for theirs.
    bool implicit_fences = false;
};

/// A position in a context's work. Thread-safe.
class Fence : public RefCounted {
  public:
    static constexpr uint64_t kForever = ~0ull;
    /// True: all work before it is complete. Waits at most `timeout_ns` (0: does not wait).
    [[nodiscard]] virtual bool wait(uint64_t timeout_ns) = 0;
    /// A new sync-file descriptor, which the caller owns; -1: the device has none.
    [[nodiscard]] virtual int export_fd() { return -1; }
};

struct ContextDesc {
    bool robust = false;  // out-of-range accesses are defined; endless work is stopped and reported
    int priority = 1;     // 0 low, 1 medium, 2 high
    Log log;
};

/// One 2D image in a dma-buf (or a memfd on machines without dma-bufs), to import, or returned by an export.
/// An image of several planes, such as NV12, consists of several of these, each with its plane's format. On
/// import the caller keeps the descriptor.
struct SharedImage {
    int fd = -1;
    uint64_t modifier = kModifierLinear;
    uint32_t offset_B = 0;  // of row 0, or as the modifier's definition says
    uint32_t stride_B = 0;  // from one row of pixels to the next
};

class Screen {
  public:
    virtual ~Screen() = default;

    [[nodiscard]] const Caps& caps() const { return caps_; }
    /// Whether the format supports all uses in `bind` together, with this number of samples.
    [[nodiscard]] virtual bool format_supported(Format f, ResourceKind kind, uint32_t samples,
                                                uint32_t bind) const = 0;

    /// A new resource is all zeros. It never shows memory of another program or of an older resource.
    [[nodiscard]] virtual Ref<Resource> create_resource(const ResourceDesc& desc) = 0;
    // --- images that are shared with other devices and processes. Optional.

    /// The modifiers that create_shared_resource() and import_resource() support for the format, the best
    /// first. The list is valid while the screen lives. If it is not empty, it contains linear.
    [[nodiscard]] virtual std::span<const Modifier> modifiers(Format) const { return {}; }
    /// Creates an image for export_resource(): Tex2D with one level, one layer and one sample. The device
    /// chooses one of `modifiers` (modifier.h). Null: out of memory, or the device supports none of them for
    /// the image.
    [[nodiscard]] virtual Ref<Resource> create_shared_resource(const ResourceDesc&,
                                                               std::span<const uint64_t> modifiers) {
        (void)modifiers;
        return nullptr;
    }
    /// The image in the memory. `desc.bind` has the uses. Memory that may not be written becomes a read-only
    /// resource (Resource::not_writable), unless kColor or kDepthStencil is among the uses. Null: `*status`
    /// (may be null) is the reason.
    [[nodiscard]] virtual Ref<Resource> import_resource(const ResourceDesc&, const SharedImage&,
                                                        ImportStatus* status = nullptr) {
        if (status) *status = ImportStatus::NotShared;
        return nullptr;
    }
    /// Creates a resource of any kind in the range, which may be larger than the resource. The layout is that
    /// of create_resource(), so screens of one device agree. The contents are kept. Null: `*status` is the
    /// reason. Optional: Caps::memory_objects.
    [[nodiscard]] virtual Ref<Resource> create_resource_in(const ResourceDesc&, const MemoryRange&,
                                                           ImportStatus* status) {
        *status = ImportStatus::NotShared;
        return nullptr;
    }
    /// Whether create_resource_in() accepts the memory, and it is writable. Optional: Caps::memory_objects.
    [[nodiscard]] virtual ImportStatus check_memory(const MemoryRange&) { return ImportStatus::NotShared; }
    /// The caller owns the new descriptor in `out`. False: the resource cannot be shared.
    [[nodiscard]] virtual bool export_resource(Resource&, SharedImage* out) {
        (void)out;
        return false;
    }
    /// A fence that is signalled when the sync file is. The caller keeps the descriptor. Contexts of this
    /// screen can wait for it on the device (Context::wait_fence). Null: not a sync file, or not supported.
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
    /// Compiles a program; may continue in the background. Null: out of memory, or the device cannot run a
    /// shader (`log` gets the reason).
    [[nodiscard]] virtual Ref<Program> create_program(const ProgramDesc& desc, const Log& log) = 0;

    /// One thread at a time may use the context.
    [[nodiscard]] virtual std::unique_ptr<Context> create_context(const ContextDesc& desc) = 0;

    [[nodiscard]] virtual uint64_t timestamp_ns() const = 0;

    /// The position of sample `index` in a pixel with `samples` samples: 0 to 1 from the corner with the
    /// smallest coordinates. Mandatory for OpenGL ES 3.1.
    virtual void sample_position(uint32_t samples, uint32_t index, float xy[2]) const {
        (void)samples, (void)index;
        xy[0] = xy[1] = 0.5f;
    }

  protected:
    Caps caps_;
};

/// The format for depth and stencil of at least as many bits: devices without 24 bits of depth have 32.
/// `wanted` may be None.
[[nodiscard]] inline Format choose_depth_format(const Screen& screen, Format wanted, uint32_t samples) {
    const Format more = wanted == Format::D24_UNORM_X8        ? Format::D32_FLOAT
                        : wanted == Format::D24_UNORM_S8_UINT ? Format::D32_FLOAT_S8X24_UINT
                                                              : wanted;
    return more == wanted ||
                   screen.format_supported(wanted, ResourceKind::Tex2D, samples, bind::kDepthStencil)
               ? wanted
               : more;
}

}  // namespace terrazzo::pipe
