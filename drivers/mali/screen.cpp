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

constexpr float kMaxPointSize_px = 4095.9375f, kMaxLineWidth_px = 64;

}  // namespace

MaliScreen::MaliScreen(pipe::Ref<Device> on)
    : DeviceScreen(std::move(on), screens::make_context<MaliContext>),
      internal_shaders_(device()),
      blend_shaders_(device()),
      null_2d_(screens::must(MaliSamplerView::create_null(device(), pipe::ResourceKind::Tex2D))),
      null_3d_(screens::must(MaliSamplerView::create_null(device(), pipe::ResourceKind::Tex3D))),
      null_cube_(screens::must(MaliSamplerView::create_null(device(), pipe::ResourceKind::Cube))) {
    caps_.gles_version = 32;
    caps_.max_color_targets = pipe::kMaxColorTargets;
    caps_.max_samples = kMaxSamples;
    caps_.sample_shading = caps_.implicit_resolve = caps_.advanced_blend = true;
    caps_.max_varying_vectors = ir::kMaxVaryings;
    caps_.max_samplers_vertex = caps_.max_samplers_fragment = pipe::kMaxSamplers;
    caps_.max_samplers_combined = pipe::kStageCount * pipe::kMaxSamplers;
    caps_.line_width_px[1] = kMaxLineWidth_px;
    caps_.point_size_px[1] = kMaxPointSize_px;
    caps_.reads_indirect_parameters = true;
    caps_.later_stages = true;
    caps_.later_stages_store = false;  // kernels of geometry stages run twice
    caps_.vertex_stores = false;       // so do parts of vertex stages
    caps_.max_buffer_texels = kMaxBufferTexels;
    make_defaults();
}

MaliScreen::~MaliScreen() = default;

MaliSamplerView& MaliScreen::null_view(ir::TexDim dim) {
    return *(dim == ir::TexDim::Cube ? null_cube_ : dim == ir::TexDim::D3 ? null_3d_ : null_2d_);
}

}  // namespace terrazzo::mali

template std::unique_ptr<terrazzo::pipe::Screen> terrazzo::screens::create_screen<terrazzo::mali::MaliScreen>(
    std::unique_ptr<winsys::Drm>, const pipe::Log&, std::string*);
