// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The screen of an Apple AGX device: its implementation of pipe::Screen, and the objects that its contexts
// share.
#pragma once

#include "drivers/agx/images/texture.h"
#include "drivers/agx/program/program.h"
#include "drivers/agx/program/tile_programs.h"
#include "drivers/agx/state/sampler.h"
#include "drivers/agx/state/state.h"
#include "drivers/agx/state/vertex_layout.h"
#include "drivers/agx/submission/queue.h"
#include "drivers/common/screen/device_screen.h"

namespace terrazzo::agx {

struct ScreenTypes {
    using Device = agx::Device;
    using Queue = agx::Queue;
    using Resource = AgxResource;
    using SamplerView = AgxSamplerView;
    using Program = AgxProgram;
    using Raster = AgxRaster;
    using DepthStencil = AgxDepthStencil;
    using Blend = AgxBlend;
    using VertexLayout = AgxVertexLayout;
    using Sampler = AgxSampler;
};

class AgxScreen final : public screens::DeviceScreen<AgxScreen, ScreenTypes> {
  public:
    /// Throws std::bad_alloc.
    explicit AgxScreen(pipe::Ref<Device> device);
    ~AgxScreen() override;

    [[nodiscard]] TilePrograms& tile_programs() { return tile_programs_; }
    [[nodiscard]] const screens::NullViews<AgxSamplerView>& null_views() const { return null_views_; }

  private:
    TilePrograms tile_programs_{device()};
    const screens::NullViews<AgxSamplerView> null_views_{device()};
};

}  // namespace terrazzo::agx
