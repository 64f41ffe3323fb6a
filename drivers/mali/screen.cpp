// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
#include "drivers/mali/screen.h"

#include <time.h>

#include <cstring>
#include <new>
#include <string>

#include "drivers/common/memory/fence.h"
#include "drivers/mali/context.h"
#include "drivers/mali/factory.h"
#include "shaders/ir/ir.h"
#include "shaders/own_stack.h"

namespace terrazzo::mali {

namespace {

template <class T, class Desc>
pipe::Ref<T> make_state(const Desc& desc) {
    return pipe::Ref<T>::adopt(new (std::nothrow) T(desc));
}

template <class T>
pipe::Ref<T> must(pipe::Ref<T> made) {
    if (!made) throw std::bad_alloc();
    return made;
}

// A viewport's coordinates are 16 bits in scissors and tiler contexts; 8192 keeps a surface below layouts'
// limit.
constexpr uint32_t kMaxTarget_px = 8192;
constexpr float kMaxPointSize_px = 4095.9375f, kMaxLineWidth_px = 64;

}  // namespace

MaliScreen::MaliScreen(pipe::Ref<Device> device)
    : default_raster(must(make_state<MaliRaster>(pipe::RasterDesc()))),
      default_depth_stencil(must(make_state<MaliDepthStencil>(pipe::DepthStencilDesc()))),
      default_blend(must(make_state<MaliBlend>(pipe::BlendDesc()))),
      default_vertex_layout(must(make_state<MaliVertexLayout>(pipe::VertexLayoutDesc()))),
      default_sampler(must(make_state<MaliSampler>(pipe::SamplerDesc()))),
      device_(std::move(device)),
      internal_shaders_(*device_),
      blend_shaders_(create_blend_shaders(*device_)),
      null_2d_(must(create_null_view(*device_, pipe::ResourceKind::Tex2D))),
      null_3d_(must(create_null_view(*device_, pipe::ResourceKind::Tex3D))),
      null_cube_(must(create_null_view(*device_, pipe::ResourceKind::Cube))),
      code_cache_(shaders::cache_options_from_environment(size_t(4) << 20)),
      renderer_(std::string("Terrazzo ") + device_->chip().marketing_name) {
    if (!blend_shaders_) throw std::bad_alloc();
    caps_.renderer = renderer_.c_str();
    caps_.driver = "mali";
    caps_.native_fences = caps_.implicit_fences = caps_.memory_objects = true;
    caps_.max_texture_size_px = caps_.max_cube_size_px = kMaxTarget_px;
    caps_.max_renderbuffer_size_px = caps_.max_viewport_px = kMaxTarget_px;
    caps_.max_color_targets = 4;
    caps_.max_varying_vectors = ir::kMaxVaryings;
    caps_.max_samplers_vertex = caps_.max_samplers_fragment = pipe::kMaxSamplers;
    caps_.max_samplers_combined = 2 * pipe::kMaxSamplers;
    caps_.line_width_px[1] = kMaxLineWidth_px;
    caps_.point_size_px[1] = kMaxPointSize_px;
    caps_.max_anisotropy = 16;
    caps_.subpixel_bits = 8;
    caps_.float_textures_linear = true;
    caps_.dual_source_blend = caps_.framebuffer_fetch = caps_.depth_clamp = true;
    make_rectangle();
}

void MaliScreen::make_rectangle() {
    static constexpr float kData[20] = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 0, 1};
    pipe::ResourceDesc desc;
    desc.kind = pipe::ResourceKind::Buffer;
    desc.width = sizeof(kData);
    desc.bind = pipe::bind::kVertex;
    rectangle = must(MaliResource::create(*device_, desc));
    std::memcpy(rectangle->cpu(), kData, sizeof(kData));
    pipe::VertexLayoutDesc layout;
    layout.elements[0].format = pipe::Format::R32G32B32A32_FLOAT;
    layout.count = 1;
    rectangle_layout = must(make_state<MaliVertexLayout>(layout));
}

MaliScreen::~MaliScreen() = default;

bool MaliScreen::format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                  uint32_t bind) const {
    return mali::format_supported(device_->chip(), f, kind, samples, bind);
}

pipe::Ref<pipe::Resource> MaliScreen::create_resource(const pipe::ResourceDesc& desc) {
    return MaliResource::create(*device_, desc);
}
std::span<const pipe::Modifier> MaliScreen::modifiers(pipe::Format f) const {
    return shared_modifiers(*device_, f);
}
pipe::Ref<pipe::Resource> MaliScreen::create_shared_resource(const pipe::ResourceDesc& desc,
                                                             std::span<const uint64_t> modifiers) {
    return MaliResource::create_shared(*device_, desc, modifiers);
}
pipe::Ref<pipe::Resource> MaliScreen::import_resource(const pipe::ResourceDesc& desc,
                                                      const pipe::SharedImage& image,
                                                      pipe::ImportStatus* status) {
    auto result = pipe::ImportStatus::Ok;
    pipe::Ref<pipe::Resource> r = MaliResource::import(*device_, desc, image, &result);
    // Whoever asked for what a stranger offers has an error of its own.
    if (!r)
        device_->log()(pipe::Severity::Info,
                       std::string("mali: cannot import an image: ") + import_status_text(result));
    if (status) *status = result;
    return r;
}
pipe::Ref<pipe::Resource> MaliScreen::create_resource_in(const pipe::ResourceDesc& desc,
                                                         const pipe::MemoryRange& range,
                                                         pipe::ImportStatus* status) {
    return MaliResource::create_in(*device_, desc, range, status);
}
pipe::ImportStatus MaliScreen::check_memory(const pipe::MemoryRange& range) {
    return images::check_memory(*device_, range);
}
pipe::Ref<pipe::Fence> MaliScreen::import_fence(int fd) {
    return memory::import_fence(*device_, fd);
}
bool MaliScreen::export_resource(pipe::Resource& r, pipe::SharedImage* out) {
    return mali(r).export_to(out);
}

pipe::Ref<pipe::SamplerView> MaliScreen::create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                             const pipe::SamplerViewDesc& desc) {
    return MaliSamplerView::create(*device_, std::move(r), desc);
}
pipe::Ref<pipe::SamplerState> MaliScreen::create_sampler(const pipe::SamplerDesc& desc) {
    return make_state<MaliSampler>(desc);
}
pipe::Ref<pipe::RasterState> MaliScreen::create_raster(const pipe::RasterDesc& desc) {
    return make_state<MaliRaster>(desc);
}
pipe::Ref<pipe::DepthStencilState> MaliScreen::create_depth_stencil(const pipe::DepthStencilDesc& desc) {
    return make_state<MaliDepthStencil>(desc);
}
pipe::Ref<pipe::BlendState> MaliScreen::create_blend(const pipe::BlendDesc& desc) {
    return make_state<MaliBlend>(desc);
}
pipe::Ref<pipe::VertexLayout> MaliScreen::create_vertex_layout(const pipe::VertexLayoutDesc& desc) {
    return make_state<MaliVertexLayout>(desc);
}

pipe::Ref<pipe::Program> MaliScreen::create_program(const pipe::ProgramDesc& desc, const pipe::Log& log) {
    return shaders::on_own_stack([&] { return MaliProgram::create(*device_, desc, log, &code_cache_); });
}

std::unique_ptr<pipe::Context> MaliScreen::create_context(const pipe::ContextDesc& desc) {
    try {
        return MaliContext::create(*this, desc);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

uint64_t MaliScreen::timestamp_ns() const {
    if (const uint64_t ns = device_->timestamp_ns()) return ns;
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return uint64_t(t.tv_sec) * 1000000000 + uint64_t(t.tv_nsec);
}

MaliSamplerView& MaliScreen::null_view(ir::TexDim dim) {
    return *(dim == ir::TexDim::Cube ? null_cube_ : dim == ir::TexDim::D3 ? null_3d_ : null_2d_);
}

std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                            std::string* why) {
    try {
        pipe::Ref<Device> device = Device::create(std::move(drm), log, why);
        if (!device) return nullptr;
        return std::make_unique<MaliScreen>(std::move(device));
    } catch (const std::bad_alloc&) {
        *why = "the Mali driver could not start: out of memory";
        return nullptr;
    }
}

}  // namespace terrazzo::mali
