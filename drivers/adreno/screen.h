// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The device as the API layers see it, and what its contexts share.
#pragma once

#include "drivers/adreno/images/texture.h"
#include "drivers/adreno/program/program.h"
#include "drivers/adreno/state/blend.h"
#include "drivers/adreno/state/depth_planes.h"
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
    void sample_position(uint32_t samples, uint32_t index, float xy[2]) const override;

    [[nodiscard]] AdrenoProgram::Shared& shared_by_programs() { return shared_; }
    [[nodiscard]] BorderColors& border_colors() { return *border_colors_; }
    /// What each submission begins with.
    [[nodiscard]] Segment restore() const { return restore_.segment(); }
    /// Group::StreamOut of draws that capture nothing behind those that do.
    [[nodiscard]] Segment no_stream_output() const { return no_stream_output_.segment(); }
    [[nodiscard]] const DepthPlanes& depth_planes() const { return depth_planes_; }
    /// The 16 bytes of kMissingAttribute.
    [[nodiscard]] uint64_t missing_attribute_va() const { return missing_attribute_.va; }
    [[nodiscard]] std::unique_ptr<pipe::Context> make_context(const pipe::ContextDesc& desc,
                                                              std::unique_ptr<Queue> queue);
    template <class T, class Desc>
    [[nodiscard]] pipe::Ref<T> make_state(const Desc& desc) {
        if constexpr (std::is_same_v<T, AdrenoSampler>)
            return screens::make<T>(*border_colors_, desc);
        else
            return screens::make<T>(device(), desc);
    }

  private:
    void fill_caps();

    AdrenoProgram::Shared shared_;
    const std::unique_ptr<BorderColors> border_colors_;
    StaticState restore_, no_stream_output_;
    const DepthPlanes depth_planes_;
    Block missing_attribute_;
};

}  // namespace terrazzo::adreno
