// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/screen.h"

#include <cstring>
#include <new>

#include "drivers/adreno/context.h"
#include "drivers/adreno/factory.h"
#include "drivers/adreno/program/pack.h"
#include "drivers/adreno/state/viewport.h"
#include "drivers/adreno/submission/restore.h"
#include "shaders/ir/limits.h"

namespace terrazzo::adreno {

namespace {

constexpr screens::Limits kLimits = {.gles_version = 32,
                                     .samples = kMaxSamples,
                                     .combined_samplers = 96,  // 16 for each of six stages
                                     .line_width_px = kMaxLineWidth_px,
                                     .point_size_px = kMaxPointSize_px};

}  // namespace

AdrenoScreen::AdrenoScreen(pipe::Ref<Device> on)
    : DeviceScreen(std::move(on), screens::make_context<AdrenoContext>, kLimits),
      border_colors_(device()),
      restore_(make_restore(device(), border_colors_.va())),
      depth_planes_(device()) {
    const auto words = std::make_unique<ProgramWords>();
    pack_no_stream_output(words.get());
    no_stream_output_ = StaticState(device(), words->words());
    if (!restore_.valid() || !no_stream_output_.valid() || !depth_planes_.valid()) throw std::bad_alloc();
    fill_caps();
    make_defaults();
}

AdrenoScreen::~AdrenoScreen() = default;

void AdrenoScreen::fill_caps() {
    // The VPC takes 32 outputs (SP_VS_OUT) and 128 dwords of a vertex. In addition to the position, the point
    // size and the layer, which any program may write, there is room for 29 vectors; freedreno says 31, and
    // has no room for the others then.
    caps_.max_varying_vectors = kMaxVpcOutputs - 3;
    caps_.reads_indirect_parameters = true;
    caps_.later_stages_store = false;
    caps_.max_distances = ir::kMaxDistances;
    caps_.constant_alignment_B = 64;
    caps_.sample_shading = caps_.implicit_resolve = caps_.instance_layers = true;
    caps_.advanced_blend = true;
}

}  // namespace terrazzo::adreno

template std::unique_ptr<terrazzo::pipe::Screen>
terrazzo::screens::create_screen<terrazzo::adreno::AdrenoScreen>(std::unique_ptr<winsys::Drm>,
                                                                 const pipe::Log&, std::string*);
