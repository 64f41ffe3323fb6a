// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
#include "drivers/mali/screen.h"

#include <cstring>
#include <string>

#include "drivers/mali/context.h"
#include "drivers/mali/factory.h"
#include "shaders/ir/ir.h"
#include "shaders/own_stack.h"

namespace terrazzo::mali {

namespace {

constexpr float kMaxPointSize_px = 4095.9375f, kMaxLineWidth_px = 64;
constexpr float kNullAttribute[4] = {0, 0, 0, 1};

}  // namespace

MaliScreen::MaliScreen(pipe::Ref<Device> on)
    : DeviceScreen(std::move(on)),
      internal_shaders_(device()),
      blend_shaders_(device()),
      null_2d_(screens::must(create_null_view(device(), pipe::ResourceKind::Tex2D))),
      null_3d_(screens::must(create_null_view(device(), pipe::ResourceKind::Tex3D))),
      null_cube_(screens::must(create_null_view(device(), pipe::ResourceKind::Cube))),
      null_attribute_(screens::must(device().create_block(sizeof kNullAttribute, 64))) {
    std::memcpy(null_attribute_.cpu, kNullAttribute, sizeof kNullAttribute);
    caps_.max_color_targets = 4;
    caps_.max_varying_vectors = ir::kMaxVaryings;
    caps_.max_samplers_vertex = caps_.max_samplers_fragment = pipe::kMaxSamplers;
    caps_.max_samplers_combined = 2 * pipe::kMaxSamplers;
    caps_.line_width_px[1] = kMaxLineWidth_px;
    caps_.point_size_px[1] = kMaxPointSize_px;
    make_defaults();
}

MaliScreen::~MaliScreen() = default;

bool MaliScreen::format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                  uint32_t bind) const {
    return mali::format_supported(device().chip(), f, kind, samples, bind);
}

pipe::Ref<pipe::Resource> MaliScreen::create_resource(const pipe::ResourceDesc& desc) {
    return MaliResource::create(device(), desc);
}
std::span<const pipe::Modifier> MaliScreen::modifiers(pipe::Format f) const {
    return MaliResource::modifiers(device(), f);
}
pipe::Ref<pipe::Resource> MaliScreen::create_shared_resource(const pipe::ResourceDesc& desc,
                                                             std::span<const uint64_t> modifiers) {
    return MaliResource::create_shared(device(), desc, modifiers);
}
pipe::Ref<pipe::Resource> MaliScreen::import_resource(const pipe::ResourceDesc& desc,
                                                      const pipe::SharedImage& image,
                                                      pipe::ImportStatus* status) {
    auto result = pipe::ImportStatus::Ok;
    pipe::Ref<pipe::Resource> r = MaliResource::import(device(), desc, image, &result);
    // Whoever asked for what a stranger offers has an error of its own.
    if (!r)
        device().log()(pipe::Severity::Info,
                       std::string("mali: cannot import an image: ") + import_status_text(result));
    if (status) *status = result;
    return r;
}
pipe::Ref<pipe::Resource> MaliScreen::create_resource_in(const pipe::ResourceDesc& desc,
                                                         const pipe::MemoryRange& range,
                                                         pipe::ImportStatus* status) {
    return MaliResource::create_in(device(), desc, range, status);
}
pipe::ImportStatus MaliScreen::check_memory(const pipe::MemoryRange& range) {
    return images::check_memory(device(), range);
}
bool MaliScreen::export_resource(pipe::Resource& r, pipe::SharedImage* out) {
    return mali(r).export_to(out);
}

pipe::Ref<pipe::SamplerView> MaliScreen::create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                             const pipe::SamplerViewDesc& desc) {
    return MaliSamplerView::create(device(), std::move(r), desc);
}
pipe::Ref<pipe::Program> MaliScreen::create_program(const pipe::ProgramDesc& desc, const pipe::Log& log) {
    return shaders::on_own_stack([&] { return MaliProgram::create(device(), desc, log, &code_cache()); });
}

MaliSamplerView& MaliScreen::null_view(ir::TexDim dim) {
    return *(dim == ir::TexDim::Cube ? null_cube_ : dim == ir::TexDim::D3 ? null_3d_ : null_2d_);
}

std::unique_ptr<pipe::Context> MaliScreen::make_context(const pipe::ContextDesc& desc,
                                                        std::unique_ptr<Queues> queue) {
    return std::make_unique<MaliContext>(*this, desc, std::move(queue));
}

std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                            std::string* why) {
    return screens::create_screen<MaliScreen>(std::move(drm), log, why);
}

}  // namespace terrazzo::mali
