// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/screen/screen.h"
#include "drivers/common/threads/cpu.h"

#include <fcntl.h>

#include <algorithm>
#include <bit>
#include <new>

#include "drivers/soft/binning/pipeline_limits.h"
#include "drivers/soft/context/context.h"
#include "drivers/soft/context/query.h"
#include "drivers/soft/kernel/kernel.h"
#include "drivers/soft/programs/program.h"
#include "drivers/soft/resources/image_view.h"
#include "pipe/debug.h"
#include "pipe/image_formats.h"
#include "pipe/modifier.h"
#include "pipe/raster/sample_positions.h"
#include "winsys/clock.h"
#include "winsys/drm/sync_file.h"

namespace terrazzo::soft {

namespace {

template <class T, class Desc>
pipe::Ref<T> make_state(const Desc& desc) {
    return pipe::Ref<T>::adopt(new (std::nothrow) T(desc));
}

bool can_render_color(const pipe::FormatInfo& f) {
    return f.is_color && !f.is_compressed && !f.is_vertex_only &&
           f.layout != pipe::FormatLayout::SharedExponent;
}

bool can_render_depth(pipe::Format f) {
    switch (f) {
        case pipe::Format::D16_UNORM:
        case pipe::Format::D24_UNORM_X8:
        case pipe::Format::D24_UNORM_S8_UINT:
        case pipe::Format::D32_FLOAT:
        case pipe::Format::D32_FLOAT_S8X24_UINT:
        case pipe::Format::S8_UINT:
            return true;
        default:
            return false;
    }
}

bool can_sample(const pipe::FormatInfo& f) {
    if (f.is_vertex_only) return false;
    if (f.is_depth_stencil()) return can_render_depth(f.format);
    if (f.is_compressed) return f.layout == pipe::FormatLayout::Etc;
    return f.is_color;
}

}  // namespace

SoftScreen::SoftScreen(std::unique_ptr<ShaderCompiler> compiler, unsigned threads, const pipe::Log& sink,
                       const Executor& executor, std::pmr::memory_resource* memory)
    : log(sink),
      default_raster(make_state<SoftRaster>(pipe::RasterDesc())),
      default_depth_stencil(make_state<SoftDepthStencil>(pipe::DepthStencilDesc())),
      default_blend(make_state<SoftBlend>(pipe::BlendDesc())),
      default_vertex_layout(make_state<SoftVertexLayout>(pipe::VertexLayoutDesc())),
      default_sampler(make_state<SoftSampler>(pipe::SamplerDesc())),
      compiler_(std::move(compiler)),
      memory_(memory),
      pool_(pipe::Ref<ThreadPool>::adopt(
          new ThreadPool(threads ? threads : threads::default_threads(), executor))),
      run_tile_(select_run_tile()),
      bounds_depth_(!pipe::debug(pipe::DebugWord::NoHiZ)),
      renderer_(std::string("Terrazzo soft (Software Rasterizer, ") + compiler_->name() + ")") {
    if (!default_raster || !default_depth_stencil || !default_blend || !default_vertex_layout ||
        !default_sampler)
        throw std::bad_alloc();
    caps_.gles_version = 32;
    caps_.renderer = renderer_.c_str();
    caps_.driver = "soft";
    caps_.threads = pool_->threads();
    caps_.max_texture_size_px = caps_.max_cube_size_px = kMaxTarget_px;
    caps_.max_renderbuffer_size_px = caps_.max_viewport_px = kMaxTarget_px;
    caps_.max_samples = kMaxSamples;
    caps_.max_varying_vectors = ir::kMaxVaryings;
    caps_.max_viewports = pipe::kMaxViewports;
    caps_.max_distances = ir::kMaxDistances;
    caps_.max_samplers_vertex = caps_.max_samplers_fragment = pipe::kMaxSamplers;
    caps_.max_samplers_combined = 6 * pipe::kMaxSamplers;  // six stages
    caps_.line_width_px[0] = kMinLineWidth_px;
    caps_.line_width_px[1] = kMaxLineWidth_px;
    caps_.point_size_px[0] = kMinPointSize_px;
    caps_.point_size_px[1] = kMaxPointSize_px;
    caps_.max_anisotropy = 16;
    caps_.subpixel_bits = pipe::raster::kSubpixelBits;
    caps_.float_textures_linear = true;
    caps_.dual_source_blend = caps_.framebuffer_fetch = caps_.implicit_resolve = caps_.instance_layers = true;
    caps_.sample_shading = caps_.advanced_blend = caps_.depth_clamp = caps_.memory_objects = true;
}

bool SoftScreen::format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                  uint32_t bind) const {
    if (samples > kMaxSamples || (samples & (samples - 1))) return false;
    constexpr uint32_t kOfSamples = pipe::bind::kColor | pipe::bind::kDepthStencil | pipe::bind::kSampled;
    const bool flat = kind == pipe::ResourceKind::Tex2D || kind == pipe::ResourceKind::Tex2DArray;
    if (samples > 1 && (!flat || (bind & ~kOfSamples))) return false;
    if (bind & (pipe::bind::kShared | pipe::bind::kScanout)) {
        const pipe::FormatInfo& info = pipe::format_info(f);
        if (kind != pipe::ResourceKind::Tex2D || samples > 1 || info.is_compressed || info.is_depth_stencil())
            return false;
    }
    if (kind == pipe::ResourceKind::Buffer) return !(bind & pipe::bind::kStreamOut);
    const pipe::FormatInfo& info = pipe::format_info(f);
    if (f == pipe::Format::None) return false;
    if ((bind & pipe::bind::kColor) && !can_render_color(info)) return false;
    if ((bind & pipe::bind::kDepthStencil) && !can_render_depth(f)) return false;
    if ((bind & pipe::bind::kSampled) && !can_sample(info)) return false;
    if (bind & pipe::bind::kStorage) return false;
    if ((bind & pipe::bind::kImage) && !pipe::is_image_format(f)) return false;
    return !info.is_vertex_only;
}

pipe::Ref<pipe::Resource> SoftScreen::create_resource(const pipe::ResourceDesc& desc) {
    pipe::Ref<pipe::Resource> r = SoftResource::create(desc, &memory_);
    if (!r) log(pipe::Severity::Error, "soft: cannot create a resource: out of memory or an impossible size");
    return r;
}

pipe::Ref<pipe::Fence> SoftScreen::import_fence(int fd) {
    // Both become readable when they are signalled.
    if (!winsys::is_sync_file(fd) && !winsys::is_virtual_sync_file(fd)) return nullptr;
    SyncFile own(fcntl(fd, F_DUPFD_CLOEXEC, 3));
    if (own.fd() < 0) return nullptr;
    return pipe::Ref<pipe::Fence>::adopt(new (std::nothrow) ImportedFence(std::move(own)));
}

std::span<const pipe::Modifier> SoftScreen::modifiers(pipe::Format f) const {
    static constexpr pipe::Modifier kLinear[] = {{pipe::kModifierLinear, false}};
    static constexpr pipe::Modifier kSampledLinear[] = {{pipe::kModifierLinear, true}};
    constexpr uint32_t kSampled = pipe::bind::kShared | pipe::bind::kSampled;
    if (!format_supported(f, pipe::ResourceKind::Tex2D, 1, kSampled)) return {};
    return format_supported(f, pipe::ResourceKind::Tex2D, 1, kSampled | pipe::bind::kColor) ? kLinear
                                                                                            : kSampledLinear;
}

pipe::Ref<pipe::Resource> SoftScreen::create_shared_resource(const pipe::ResourceDesc& desc,
                                                             std::span<const uint64_t> wanted) {
    pipe::Ref<pipe::Resource> r;
    if (!pipe::allows_modifier(wanted, pipe::kModifierLinear))
        log(pipe::Severity::Error, "soft: cannot create a shared image: linear is not among its modifiers");
    else if (r = SoftResource::create_shared(desc); !r)
        log(pipe::Severity::Error, "soft: cannot create a shared image: out of memory or an impossible size");
    return r;
}

pipe::Ref<pipe::Resource> SoftScreen::import_resource(const pipe::ResourceDesc& desc,
                                                      const pipe::SharedImage& image,
                                                      pipe::ImportStatus* status) {
    auto result = pipe::ImportStatus::Ok;
    pipe::Ref<pipe::Resource> r = SoftResource::import(desc, image, &result);
    // Only informational: the API reports an error for a foreign image that is refused.
    if (!r)
        log(pipe::Severity::Info, std::string("soft: cannot import an image: ") + import_status_text(result));
    if (status) *status = result;
    return r;
}

pipe::Ref<pipe::Resource> SoftScreen::create_resource_in(const pipe::ResourceDesc& desc,
                                                         const pipe::MemoryRange& range,
                                                         pipe::ImportStatus* status) {
    return SoftResource::create_in(desc, range, status);
}

pipe::ImportStatus SoftScreen::check_memory(const pipe::MemoryRange& range) {
    const std::unique_ptr<winsys::SharedMemory> memory = winsys::SharedMemory::import(range.fd);
    if (!memory) return pipe::ImportStatus::NotShared;
    if (!memory->writable()) return pipe::ImportStatus::Unwritable;
    return range.offset_B <= memory->size_B() && range.size_B <= memory->size_B() - range.offset_B
               ? pipe::ImportStatus::Ok
               : pipe::ImportStatus::TooSmall;
}

bool SoftScreen::export_resource(pipe::Resource& r, pipe::SharedImage* out) {
    return soft(r).export_to(out);
}

pipe::Ref<pipe::SamplerView> SoftScreen::create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                             const pipe::SamplerViewDesc& desc) {
    if (!r) return nullptr;
    return pipe::Ref<pipe::SamplerView>::adopt(new (std::nothrow) SoftSamplerView(std::move(r), desc));
}

pipe::Ref<pipe::SamplerState> SoftScreen::create_sampler(const pipe::SamplerDesc& desc) {
    return make_state<SoftSampler>(desc);
}
pipe::Ref<pipe::RasterState> SoftScreen::create_raster(const pipe::RasterDesc& desc) {
    return make_state<SoftRaster>(desc);
}
pipe::Ref<pipe::DepthStencilState> SoftScreen::create_depth_stencil(const pipe::DepthStencilDesc& desc) {
    return make_state<SoftDepthStencil>(desc);
}
pipe::Ref<pipe::BlendState> SoftScreen::create_blend(const pipe::BlendDesc& desc) {
    return make_state<SoftBlend>(desc);
}
pipe::Ref<pipe::VertexLayout> SoftScreen::create_vertex_layout(const pipe::VertexLayoutDesc& desc) {
    return make_state<SoftVertexLayout>(desc);
}

pipe::Ref<pipe::Program> SoftScreen::create_program(const pipe::ProgramDesc& desc,
                                                    const pipe::Log& program_log) {
    return SoftProgram::create(desc, *compiler_, program_log);
}

std::unique_ptr<pipe::Context> SoftScreen::create_context(const pipe::ContextDesc& desc) {
    try {
        return std::make_unique<SoftContext>(*this, desc);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void SoftScreen::sample_position(uint32_t samples, uint32_t index, float xy[2]) const {
    pipe::raster::sample_position(samples, index, xy);
}

uint64_t SoftScreen::timestamp_ns() const {
    return winsys::monotonic_ns();
}

}  // namespace terrazzo::soft
