// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/screen.h"

#include <time.h>

#include <cstring>
#include <new>
#include <string>

#include "drivers/adreno/context.h"
#include "drivers/adreno/factory.h"
#include "drivers/adreno/passes/restore.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/state/viewport.h"
#include "drivers/common/clear/shader.h"
#include "drivers/common/memory/fence.h"
#include "shaders/ir/limits.h"
#include "shaders/own_stack.h"

namespace terrazzo::adreno {
namespace {

// 16384 is the hardware's; less keeps a surface below layouts' limit.
constexpr uint32_t kMaxTarget_px = 8192;

/// Null where its memory could not be had.
template <class T, class... Args>
pipe::Ref<T> make_state(Args&&... args) {
    auto made = pipe::Ref<T>::adopt(new (std::nothrow) T(std::forward<Args>(args)...));
    if constexpr (requires { made->valid(); })
        if (made && !made->valid()) return nullptr;
    return made;
}

template <class T>
T must(T made) {
    if (!made) throw std::bad_alloc();
    return made;
}

}  // namespace

AdrenoScreen::AdrenoScreen(pipe::Ref<Device> device)
    : device_(std::move(device)),
      code_cache_(shaders::cache_options_from_environment(size_t(4) << 20)),
      border_colors_(must(BorderColors::create(*device_))),
      depth_planes_(*device_),
      renderer_(std::string("Terrazzo ") + device_->chip().marketing_name) {
    shared_.cache = &code_cache_;
    default_raster = must(make_state<AdrenoRaster>(*device_, pipe::RasterDesc()));
    default_depth_stencil = must(make_state<AdrenoDepthStencil>(*device_, pipe::DepthStencilDesc()));
    default_blend = must(make_state<AdrenoBlend>(*device_, pipe::BlendDesc()));
    default_vertex_layout = must(make_state<AdrenoVertexLayout>(*device_, pipe::VertexLayoutDesc()));
    default_sampler = must(make_state<AdrenoSampler>(*border_colors_, pipe::SamplerDesc()));
    restore_ = make_restore(*device_, border_colors_->va());
    const auto words = std::make_unique<ProgramWords>();
    pack_no_stream_output(words.get());
    no_stream_output_ = StaticState(*device_, words->words());
    missing_attribute_ = device_->create_block(sizeof kMissingAttribute, 64);
    if (!restore_.valid() || !no_stream_output_.valid() || !depth_planes_.valid() || !missing_attribute_)
        throw std::bad_alloc();
    std::memcpy(missing_attribute_.cpu, kMissingAttribute, sizeof kMissingAttribute);
    make_rectangle();
    fill_caps();
}

void AdrenoScreen::make_rectangle() {
    pipe::ResourceDesc desc;
    desc.kind = pipe::ResourceKind::Buffer;
    desc.width = sizeof clears::kRectangle;
    desc.bind = pipe::bind::kVertex;
    rectangle = must(AdrenoResource::create(*device_, desc));
    std::memcpy(rectangle->cpu(), clears::kRectangle, sizeof clears::kRectangle);
    pipe::VertexLayoutDesc layout;
    layout.elements[0].format = pipe::Format::R32G32B32A32_FLOAT;
    layout.count = 1;
    rectangle_layout = must(make_state<AdrenoVertexLayout>(*device_, layout));
}

AdrenoProgram* AdrenoScreen::clear_program(uint8_t colors) {
    const std::lock_guard guard(mutex_);
    for (const auto& [known, program] : clear_programs_)
        if (known == colors) return program.get();
    const std::unique_ptr<ir::Shader> vertex = clears::vertex_shader(),
                                      fragment = clears::fragment_shader(colors);
    pipe::ProgramDesc desc;
    desc.stages[size_t(pipe::Stage::Vertex)] = vertex.get();
    desc.stages[size_t(pipe::Stage::Fragment)] = fragment.get();
    desc.label = "of clears";
    pipe::Ref<AdrenoProgram> program = AdrenoProgram::create(*device_, desc, device_->log(), shared_);
    if (program) clear_programs_.emplace_back(colors, program);
    return program.get();
}

AdrenoScreen::~AdrenoScreen() = default;

void AdrenoScreen::fill_caps() {
    caps_.renderer = renderer_.c_str();
    caps_.driver = "adreno";
    caps_.native_fences = caps_.implicit_fences = caps_.memory_objects = true;
    caps_.gles_version = 32;
    caps_.max_texture_size_px = caps_.max_cube_size_px = kMaxTarget_px;
    caps_.max_renderbuffer_size_px = caps_.max_viewport_px = kMaxTarget_px;
    caps_.max_color_targets = pipe::kMaxColorTargets;
    // The VPC takes 32 outputs (SP_VS_OUT) and 128 dwords of a vertex. Beside the position and the point size, which any program may
    // write, there is room for 30 vectors; freedreno says 31, and has none for the size then.
    caps_.max_varying_vectors = kMaxVpcOutputs - 2;
    caps_.max_samplers_combined = 96;  // 16 for each of six stages
    caps_.reads_indirect_parameters = true;
    caps_.later_stages_store = false;
    caps_.max_distances = ir::kMaxDistances;
    caps_.constant_alignment_B = 64;
    caps_.line_width_px[1] = kMaxLineWidth_px;
    caps_.point_size_px[1] = kMaxPointSize_px;
    caps_.max_anisotropy = 16;
    caps_.subpixel_bits = 8;
    caps_.float_textures_linear = true;
    caps_.dual_source_blend = true;
    caps_.max_samples = kMaxSamples;
    caps_.sample_shading = caps_.implicit_resolve = true;
    caps_.framebuffer_fetch = caps_.advanced_blend = caps_.depth_clamp = true;
}

bool AdrenoScreen::format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                    uint32_t bind) const {
    return adreno::format_supported(device_->chip(), f, kind, samples, bind);
}
pipe::Ref<pipe::Resource> AdrenoScreen::create_resource(const pipe::ResourceDesc& desc) {
    return AdrenoResource::create(*device_, desc);
}
std::span<const pipe::Modifier> AdrenoScreen::modifiers(pipe::Format f) const {
    return shared_modifiers(*device_, f);
}
pipe::Ref<pipe::Resource> AdrenoScreen::create_shared_resource(const pipe::ResourceDesc& desc,
                                                               std::span<const uint64_t> modifiers) {
    return AdrenoResource::create_shared(*device_, desc, modifiers);
}
pipe::Ref<pipe::Resource> AdrenoScreen::import_resource(const pipe::ResourceDesc& desc,
                                                        const pipe::SharedImage& image,
                                                        pipe::ImportStatus* status) {
    auto result = pipe::ImportStatus::Ok;
    pipe::Ref<pipe::Resource> r = AdrenoResource::import(*device_, desc, image, &result);
    // Whoever asked for what a stranger offers has an error of its own.
    if (!r)
        device_->log()(pipe::Severity::Info,
                       std::string("adreno: cannot import an image: ") + import_status_text(result));
    if (status) *status = result;
    return r;
}
pipe::Ref<pipe::Resource> AdrenoScreen::create_resource_in(const pipe::ResourceDesc& desc,
                                                           const pipe::MemoryRange& range,
                                                           pipe::ImportStatus* status) {
    return AdrenoResource::create_in(*device_, desc, range, status);
}
pipe::ImportStatus AdrenoScreen::check_memory(const pipe::MemoryRange& range) {
    return images::check_memory(*device_, range);
}
pipe::Ref<pipe::Fence> AdrenoScreen::import_fence(int fd) {
    return memory::import_fence(*device_, fd);
}
bool AdrenoScreen::export_resource(pipe::Resource& r, pipe::SharedImage* out) {
    return adreno(r).export_to(out);
}
pipe::Ref<pipe::SamplerView> AdrenoScreen::create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                               const pipe::SamplerViewDesc& desc) {
    return AdrenoSamplerView::create(*device_, std::move(r), desc);
}
pipe::Ref<pipe::SamplerState> AdrenoScreen::create_sampler(const pipe::SamplerDesc& desc) {
    return make_state<AdrenoSampler>(*border_colors_, desc);
}
pipe::Ref<pipe::RasterState> AdrenoScreen::create_raster(const pipe::RasterDesc& desc) {
    return make_state<AdrenoRaster>(*device_, desc);
}
pipe::Ref<pipe::DepthStencilState> AdrenoScreen::create_depth_stencil(const pipe::DepthStencilDesc& desc) {
    return make_state<AdrenoDepthStencil>(*device_, desc);
}
pipe::Ref<pipe::BlendState> AdrenoScreen::create_blend(const pipe::BlendDesc& desc) {
    return make_state<AdrenoBlend>(*device_, desc);
}
pipe::Ref<pipe::VertexLayout> AdrenoScreen::create_vertex_layout(const pipe::VertexLayoutDesc& desc) {
    return make_state<AdrenoVertexLayout>(*device_, desc);
}
pipe::Ref<pipe::Program> AdrenoScreen::create_program(const pipe::ProgramDesc& desc, const pipe::Log& log) {
    return shaders::on_own_stack([&] { return AdrenoProgram::create(*device_, desc, log, shared_); });
}
std::unique_ptr<pipe::Context> AdrenoScreen::create_context(const pipe::ContextDesc& desc) {
    try {
        return AdrenoContext::create(*this, desc);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void AdrenoScreen::sample_position(uint32_t samples, uint32_t index, float xy[2]) const {
    adreno::sample_position(samples, index, xy);
}

uint64_t AdrenoScreen::timestamp_ns() const {
    if (const uint64_t ns = device_->timestamp_ns()) return ns;
    timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return uint64_t(t.tv_sec) * 1000000000 + uint64_t(t.tv_nsec);
}

std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                            std::string* why) {
    try {
        pipe::Ref<Device> device = Device::create(std::move(drm), log, why);
        if (!device) return nullptr;
        return std::make_unique<AdrenoScreen>(std::move(device));
    } catch (const std::bad_alloc&) {
        *why = "the Adreno driver could not start: out of memory";
        return nullptr;
    }
}

}  // namespace terrazzo::adreno
