// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The screen of a Mali device: its implementation of pipe::Screen, and the objects that its contexts share.
#pragma once

#include "drivers/common/screen/device_screen.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/state/fragment_flags.h"
#include "drivers/mali/state/sampler.h"
#include "drivers/mali/state/vertex_layout.h"
#include "drivers/mali/submission/queues.h"

namespace terrazzo::mali {

struct ScreenTypes {
    using Device = mali::Device;
    using Queue = Queues;
    using Resource = MaliResource;
    using SamplerView = MaliSamplerView;
    using Program = MaliProgram;
    using Raster = MaliRaster;
    using DepthStencil = MaliDepthStencil;
    using Blend = MaliBlend;
    using VertexLayout = MaliVertexLayout;
    using Sampler = MaliSampler;
};

class MaliScreen final : public screens::DeviceScreen<MaliScreen, ScreenTypes> {
  public:
    /// Throws std::bad_alloc.
    explicit MaliScreen(pipe::Ref<Device> device);
    ~MaliScreen() override;

    [[nodiscard]] InternalShaders& internal_shaders() { return internal_shaders_; }
    [[nodiscard]] BlendShaders& blend_shaders() { return blend_shaders_; }
    [[nodiscard]] const screens::NullViews<MaliSamplerView>& null_views() const { return null_views_; }

  private:
    InternalShaders internal_shaders_;
    BlendShaders blend_shaders_;
    const screens::NullViews<MaliSamplerView> null_views_;
};

}  // namespace terrazzo::mali
