// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device as the API layers see it, and what its contexts share.
#pragma once

#include "drivers/common/screen/device_screen.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/program/internal_shaders.h"
#include "drivers/mali/state/state_objects.h"
#include "drivers/mali/submission/queues.h"

namespace terrazzo::mali {

struct ScreenTypes {
    using Device = mali::Device;
    using Queue = Queues;
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
    [[nodiscard]] pipe::Ref<pipe::SamplerView> create_sampler_view(
        pipe::Ref<pipe::Resource> r, const pipe::SamplerViewDesc& desc) override;
    [[nodiscard]] pipe::Ref<pipe::Program> create_program(const pipe::ProgramDesc& desc,
                                                          const pipe::Log& log) override;

    [[nodiscard]] InternalShaders& internal_shaders() { return internal_shaders_; }
    [[nodiscard]] BlendShaders& blend_shaders() { return blend_shaders_; }
    /// What an unbound unit reads.
    [[nodiscard]] MaliSamplerView& null_view(ir::TexDim dim);
    /// Sixteen bytes of (0,0,0,1) floats, what attributes without a buffer read.
    [[nodiscard]] uint64_t null_attribute_va() const { return null_attribute_.va; }
    [[nodiscard]] std::unique_ptr<pipe::Context> make_context(const pipe::ContextDesc& desc,
                                                              std::unique_ptr<Queues> queue);
    template <class T, class Desc>
    [[nodiscard]] static pipe::Ref<T> make_state(const Desc& desc) {
        return screens::make<T>(desc);
    }

  private:
    InternalShaders internal_shaders_;
    BlendShaders blend_shaders_;
    pipe::Ref<MaliSamplerView> null_2d_, null_3d_, null_cube_;
    Block null_attribute_;
};

}  // namespace terrazzo::mali
