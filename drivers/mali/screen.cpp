// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
#include "drivers/mali/screen.h"

#include <cstring>

#include "drivers/mali/context.h"
#include "drivers/mali/factory.h"
#include "shaders/ir/ir.h"

namespace terrazzo::mali {

namespace {

constexpr screens::Limits kLimits = {.gles_version = 32,
                                     .samples = kMaxSamples,
                                     .stage_samplers = pipe::kMaxSamplers,
                                     .combined_samplers = pipe::kStageCount * pipe::kMaxSamplers,
                                     .line_width_px = 64,
                                     .point_size_px = 4095.9375f};

}  // namespace

MaliScreen::MaliScreen(pipe::Ref<Device> on)
    : DeviceScreen(std::move(on), screens::make_context<MaliContext>, kLimits),
      internal_shaders_(device()),
      blend_shaders_(device()),
      null_views_(device()) {
    caps_.sample_shading = caps_.implicit_resolve = caps_.advanced_blend = true;
    caps_.max_varying_vectors = ir::kMaxVaryings;
    caps_.reads_indirect_parameters = true;
    caps_.later_stages = true;
    caps_.later_stages_store = false;  // kernels of geometry stages run twice
    caps_.vertex_stores = false;       // so do parts of vertex stages
    caps_.max_buffer_texels = kMaxBufferTexels;
    make_defaults();
}

MaliScreen::~MaliScreen() = default;

}  // namespace terrazzo::mali

template std::unique_ptr<terrazzo::pipe::Screen> terrazzo::screens::create_screen<terrazzo::mali::MaliScreen>(
    std::unique_ptr<winsys::Drm>, const pipe::Log&, std::string*);
