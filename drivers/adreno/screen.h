// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The screen of an Adreno device: its implementation of pipe::Screen, and the objects that its contexts
// share.
#pragma once

#include "drivers/adreno/images/texture.h"
#include "drivers/adreno/program/program.h"
#include "drivers/adreno/state/blend.h"
#include "drivers/adreno/state/depth_stencil.h"
#include "drivers/adreno/state/raster.h"
#include "drivers/adreno/state/sampler.h"
#include "drivers/adreno/state/vertex_layout.h"
#include "drivers/adreno/submission/queue.h"
#include "drivers/common/screen/device_screen.h"

namespace terrazzo::adreno {

struct ScreenTypes {
    using Device = adreno::Device;
    using Queue = adreno::Queue;
    using Resource = AdrenoResource;
    using SamplerView = AdrenoSamplerView;
    using Program = AdrenoProgram;
    using Raster = AdrenoRaster;
    using DepthStencil = AdrenoDepthStencil;
    using Blend = AdrenoBlend;
    using VertexLayout = AdrenoVertexLayout;
    using Sampler = AdrenoSampler;
};

class AdrenoScreen final : public screens::DeviceScreen<AdrenoScreen, ScreenTypes> {
  public:
    /// Throws std::bad_alloc.
    explicit AdrenoScreen(pipe::Ref<Device> device);
    ~AdrenoScreen() override;

    [[nodiscard]] BorderColors& border_colors() { return border_colors_; }
    /// The stream with which each submission begins.
    [[nodiscard]] Segment restore() const { return restore_.segment(); }
    /// Group::StreamOut of draws that capture nothing and follow draws that do.
    [[nodiscard]] Segment no_stream_output() const { return no_stream_output_.segment(); }
    [[nodiscard]] const DepthPlanes& depth_planes() const { return depth_planes_; }
    template <class T, class Desc>
    [[nodiscard]] pipe::Ref<T> make_state(const Desc& desc) {
        if constexpr (std::is_same_v<T, AdrenoSampler>)
            return screens::make<T>(border_colors_, desc);
        else
            return screens::make<T>(device(), desc);
    }

  private:
    void fill_caps();

    BorderColors border_colors_;
    StaticState restore_, no_stream_output_;
    const DepthPlanes depth_planes_;
};

}  // namespace terrazzo::adreno
