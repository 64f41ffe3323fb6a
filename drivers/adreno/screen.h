// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device as the API layers see it, and what its contexts share.
#pragma once

#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "drivers/adreno/images/texture.h"
#include "drivers/adreno/passes/lrz.h"
#include "drivers/adreno/program/program.h"
#include "drivers/adreno/state/blend.h"
#include "drivers/adreno/state/depth_stencil.h"
#include "drivers/adreno/state/raster.h"
#include "drivers/adreno/state/sampler.h"
#include "drivers/adreno/state/vertex_layout.h"
#include "drivers/common/blit/draw_blit.h"
#include "pipe/screen.h"
#include "shaders/cache/cache.h"

namespace terrazzo::adreno {

class AdrenoScreen final : public pipe::Screen {
  public:
    /// Throws std::bad_alloc.
    explicit AdrenoScreen(pipe::Ref<Device> device);
    ~AdrenoScreen() override;

    [[nodiscard]] bool format_supported(pipe::Format f, pipe::ResourceKind kind, uint32_t samples,
                                        uint32_t bind) const override;
    [[nodiscard]] pipe::Ref<pipe::Resource> create_resource(const pipe::ResourceDesc& desc) override;
    [[nodiscard]] std::span<const pipe::Modifier> modifiers(pipe::Format f) const override;
    [[nodiscard]] pipe::Ref<pipe::Resource> create_shared_resource(
        const pipe::ResourceDesc& desc, std::span<const uint64_t> modifiers) override;
    [[nodiscard]] pipe::Ref<pipe::Resource> import_resource(const pipe::ResourceDesc& desc,
                                                            const pipe::SharedImage& image,
                                                            pipe::ImportStatus* status = nullptr) override;
    [[nodiscard]] pipe::Ref<pipe::Resource> create_resource_in(const pipe::ResourceDesc& desc,
                                                               const pipe::MemoryRange& range,
                                                               pipe::ImportStatus* status) override;
    [[nodiscard]] pipe::ImportStatus check_memory(const pipe::MemoryRange& range) override;
    [[nodiscard]] bool export_resource(pipe::Resource& r, pipe::SharedImage* out) override;
    [[nodiscard]] pipe::Ref<pipe::Fence> import_fence(int fd) override;
    [[nodiscard]] pipe::Ref<pipe::SamplerView> create_sampler_view(
        pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::SamplerState> create_sampler(const pipe::SamplerDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::RasterState> create_raster(const pipe::RasterDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::DepthStencilState> create_depth_stencil(
        const pipe::DepthStencilDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::BlendState> create_blend(const pipe::BlendDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::VertexLayout> create_vertex_layout(
        const pipe::VertexLayoutDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::Program> create_program(const pipe::ProgramDesc& desc,
                                                          const pipe::Log& log) override;
    [[nodiscard]] std::unique_ptr<pipe::Context> create_context(const pipe::ContextDesc& desc) override;
    [[nodiscard]] uint64_t timestamp_ns() const override;
    void sample_position(uint32_t samples, uint32_t index, float xy[2]) const override;

    [[nodiscard]] Device& device() const { return *device_; }
    [[nodiscard]] AdrenoProgram::Shared& shared_by_programs() { return shared_; }
    [[nodiscard]] BorderColors& border_colors() { return *border_colors_; }
    /// What each submission begins with.
    [[nodiscard]] Segment restore() const { return restore_.segment(); }
    /// Group::StreamOut of draws that capture nothing behind those that do.
    [[nodiscard]] Segment no_stream_output() const { return no_stream_output_.segment(); }
    [[nodiscard]] const DepthPlanes& depth_planes() const { return depth_planes_; }
    /// The 16 bytes of kMissingAttribute.
    [[nodiscard]] uint64_t missing_attribute_va() const { return missing_attribute_.va; }

    /// Draws the rectangle of clears: the fragment stage's first four uniforms go to every target of the mask. Null: out of memory. Thread: any.
    [[nodiscard]] AdrenoProgram* clear_program(uint8_t colors);
    [[nodiscard]] blits::DrawBlits& draw_blits() { return draw_blits_; }
    pipe::Ref<AdrenoResource> rectangle;
    pipe::Ref<AdrenoVertexLayout> rectangle_layout;

    // What null binds.
    pipe::Ref<AdrenoRaster> default_raster;
    pipe::Ref<AdrenoDepthStencil> default_depth_stencil;
    pipe::Ref<AdrenoBlend> default_blend;
    pipe::Ref<AdrenoVertexLayout> default_vertex_layout;
    pipe::Ref<AdrenoSampler> default_sampler;

  private:
    void fill_caps();
    void make_rectangle();

    const pipe::Ref<Device> device_;
    shaders::ShaderCache code_cache_;
    AdrenoProgram::Shared shared_;
    std::unique_ptr<BorderColors> border_colors_;
    StaticState restore_, no_stream_output_;
    const DepthPlanes depth_planes_;
    Block missing_attribute_;
    std::string renderer_;
    blits::DrawBlits draw_blits_{*this};
    std::mutex mutex_;
    std::vector<std::pair<uint8_t, pipe::Ref<AdrenoProgram>>> clear_programs_;
};

}  // namespace terrazzo::adreno
