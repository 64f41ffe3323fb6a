// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device as the API layers see it, and what its contexts share.
#pragma once

#include <string>

#include "drivers/common/blit/draw_blit.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/state/state_objects.h"
#include "pipe/screen.h"
#include "shaders/cache/cache.h"

namespace terrazzo::mali {

class MaliScreen final : public pipe::Screen {
  public:
    /// Throws std::bad_alloc.
    explicit MaliScreen(pipe::Ref<Device> device);
    ~MaliScreen() override;

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

    [[nodiscard]] Device& device() const { return *device_; }
    [[nodiscard]] InternalShaders& internal_shaders() { return internal_shaders_; }
    [[nodiscard]] BlendShaders& blend_shaders() { return *blend_shaders_; }
    /// What an unbound unit reads.
    [[nodiscard]] MaliSamplerView& null_view(ir::TexDim dim);

    // What null binds.
    const pipe::Ref<MaliRaster> default_raster;
    const pipe::Ref<MaliDepthStencil> default_depth_stencil;
    const pipe::Ref<MaliBlend> default_blend;
    const pipe::Ref<MaliVertexLayout> default_vertex_layout;
    const pipe::Ref<MaliSampler> default_sampler;
    [[nodiscard]] blits::DrawBlits& draw_blits() { return draw_blits_; }
    // A rectangle over all of clip space: a triangle strip of four vec4.
    pipe::Ref<MaliResource> rectangle;
    pipe::Ref<MaliVertexLayout> rectangle_layout;
    /// Sixteen bytes of (0,0,0,1) floats, what attributes without a buffer read.
    [[nodiscard]] uint64_t null_attribute_va() const { return rectangle->va() + kRectangle_B; }

  private:
    static constexpr uint32_t kRectangle_B = 64;
    void make_rectangle();

    const pipe::Ref<Device> device_;
    InternalShaders internal_shaders_;
    const std::unique_ptr<BlendShaders, DeleteBlendShaders> blend_shaders_;
    pipe::Ref<MaliSamplerView> null_2d_, null_3d_, null_cube_;
    shaders::ShaderCache code_cache_;
    std::string renderer_;
    blits::DrawBlits draw_blits_{*this};
};

}  // namespace terrazzo::mali
