// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/screen.h"

#include <cstring>
#include <new>
#include <string>

#include "drivers/adreno/context.h"
#include "drivers/adreno/factory.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/state/viewport.h"
#include "drivers/adreno/submission/restore.h"
#include "pipe/raster/sample_positions.h"
#include "shaders/ir/limits.h"
#include "shaders/own_stack.h"

namespace terrazzo::adreno {
AdrenoScreen::AdrenoScreen(pipe::Ref<Device> on)
    : DeviceScreen(std::move(on)),
      border_colors_(screens::must(BorderColors::create(device()))),
      restore_(make_restore(device(), border_colors_->va())),
      depth_planes_(device()),
      missing_attribute_(screens::must(device().create_block(sizeof kMissingAttribute, 64))) {
    shared_.cache = &code_cache();
    const auto words = std::make_unique<ProgramWords>();
    pack_no_stream_output(words.get());
    no_stream_output_ = StaticState(device(), words->words());
    if (!restore_.valid() || !no_stream_output_.valid() || !depth_planes_.valid()) throw std::bad_alloc();
    std::memcpy(missing_attribute_.cpu, kMissingAttribute, sizeof kMissingAttribute);
    fill_caps();
    make_defaults();
}

AdrenoScreen::~AdrenoScreen() = default;

void AdrenoScreen::fill_caps() {
    caps_.gles_version = 32;
    caps_.max_color_targets = pipe::kMaxColorTargets;
    // The VPC takes 32 outputs (SP_VS_OUT) and 128 dwords of a vertex. In addition to the position, the point
    // size and the layer, which any program may write, there is room for 29 vectors; freedreno says 31, and
    // has no room for the others then.
    caps_.max_varying_vectors = kMaxVpcOutputs - 3;
    caps_.max_samplers_combined = 96;  // 16 for each of six stages
    caps_.reads_indirect_parameters = true;
    caps_.later_stages_store = false;
    caps_.max_distances = ir::kMaxDistances;
    caps_.constant_alignment_B = 64;
    caps_.line_width_px[1] = kMaxLineWidth_px;
    caps_.point_size_px[1] = kMaxPointSize_px;
    caps_.max_samples = kMaxSamples;
    caps_.sample_shading = caps_.implicit_resolve = caps_.instance_layers = true;
    caps_.advanced_blend = true;
}

bool AdrenoScreen::format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                    uint32_t bind) const {
    return adreno::format_supported(device().chip(), f, kind, samples, bind);
}
pipe::Ref<pipe::Resource> AdrenoScreen::create_resource(const pipe::ResourceDesc& desc) {
    return AdrenoResource::create(device(), desc);
}
std::span<const pipe::Modifier> AdrenoScreen::modifiers(pipe::Format f) const {
    return AdrenoResource::modifiers(device(), f);
}
pipe::Ref<pipe::Resource> AdrenoScreen::create_shared_resource(const pipe::ResourceDesc& desc,
                                                               std::span<const uint64_t> modifiers) {
    return AdrenoResource::create_shared(device(), desc, modifiers);
}
pipe::Ref<pipe::Resource> AdrenoScreen::import_resource(const pipe::ResourceDesc& desc,
                                                        const pipe::SharedImage& image,
                                                        pipe::ImportStatus* status) {
    auto result = pipe::ImportStatus::Ok;
    pipe::Ref<pipe::Resource> r = AdrenoResource::import(device(), desc, image, &result);
    // Whoever asked for what a stranger offers has an error of its own.
    if (!r)
        device().log()(pipe::Severity::Info,
                       std::string("adreno: cannot import an image: ") + import_status_text(result));
    if (status) *status = result;
    return r;
}
pipe::Ref<pipe::Resource> AdrenoScreen::create_resource_in(const pipe::ResourceDesc& desc,
                                                           const pipe::MemoryRange& range,
                                                           pipe::ImportStatus* status) {
    return AdrenoResource::create_in(device(), desc, range, status);
}
pipe::ImportStatus AdrenoScreen::check_memory(const pipe::MemoryRange& range) {
    return images::check_memory(device(), range);
}
bool AdrenoScreen::export_resource(pipe::Resource& r, pipe::SharedImage* out) {
    return adreno(r).export_to(out);
}
pipe::Ref<pipe::SamplerView> AdrenoScreen::create_sampler_view(pipe::Ref<pipe::Resource> r,
                                                               const pipe::SamplerViewDesc& desc) {
    return AdrenoSamplerView::create(device(), std::move(r), desc);
}
pipe::Ref<pipe::Program> AdrenoScreen::create_program(const pipe::ProgramDesc& desc, const pipe::Log& log) {
    return shaders::on_own_stack([&] { return AdrenoProgram::create(device(), desc, log, shared_); });
}
void AdrenoScreen::sample_position(uint32_t samples, uint32_t index, float xy[2]) const {
    pipe::raster::sample_position(samples, index, xy);
}

std::unique_ptr<pipe::Context> AdrenoScreen::make_context(const pipe::ContextDesc& desc,
                                                          std::unique_ptr<Queue> queue) {
    return std::make_unique<AdrenoContext>(*this, desc, std::move(queue));
}

std::unique_ptr<pipe::Screen> create_screen(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                            std::string* why) {
    return screens::create_screen<AdrenoScreen>(std::move(drm), log, why);
}

}  // namespace terrazzo::adreno
