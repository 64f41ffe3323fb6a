// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// State objects: the descriptors, and what draws need of them, computed once.
#pragma once

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/resources/resource.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

class SoftRaster final : public pipe::RasterState {
  public:
    explicit SoftRaster(const pipe::RasterDesc& d) : desc(d) {}
    const pipe::RasterDesc desc;
};

class SoftDepthStencil final : public pipe::DepthStencilState {
  public:
    explicit SoftDepthStencil(const pipe::DepthStencilDesc& d) : desc(d) {}
    const pipe::DepthStencilDesc desc;
};

class SoftBlend final : public pipe::BlendState {
  public:
    explicit SoftBlend(const pipe::BlendDesc& d);
    const pipe::BlendDesc desc;
    BlendDigest::Kind kind[pipe::kMaxColorTargets];  // for a buffer whose format can blend
};

class SoftSampler final : public pipe::SamplerState {
  public:
    explicit SoftSampler(const pipe::SamplerDesc& d) : desc(d) {}
    const pipe::SamplerDesc desc;
};

class SoftVertexLayout final : public pipe::VertexLayout {
  public:
    explicit SoftVertexLayout(const pipe::VertexLayoutDesc& d);
    const pipe::VertexLayoutDesc desc;
    uint8_t element_B[pipe::kMaxVertexAttribs] = {};
};

/// A view, with the part of its TextureUnit that does not depend on the sampler.
class SoftSamplerView final : public pipe::SamplerView {
  public:
    SoftSamplerView(pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& d);
    TextureUnit unit{};

  private:
    void show_buffer(const SoftResource& res);
};

}  // namespace terrazzo::soft
