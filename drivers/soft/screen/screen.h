// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The CPU device: its capabilities and the creation of its objects.
#pragma once

#include <memory>
#include <string>

#include "drivers/soft/binning/raster_types.h"
#include "drivers/soft/context/state_objects.h"
#include "drivers/soft/passes/pass_memory.h"
#include "drivers/soft/resources/sync_file.h"
#include "drivers/soft/screen/thread_pool.h"
#include "pipe/screen.h"

namespace terrazzo::soft {

class SoftScreen final : public pipe::Screen {
  public:
    /// `threads`: 0: default_threads().
    SoftScreen(std::unique_ptr<ShaderCompiler> compiler, unsigned threads, const pipe::Log& log,
               const Executor& executor = {}, std::pmr::memory_resource* memory = nullptr);
    ~SoftScreen() override { pool_->stop(); }

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

    [[nodiscard]] const pipe::Ref<ThreadPool>& pool() const { return pool_; }
    [[nodiscard]] RunTileFn run_tile() const { return run_tile_; }
    /// For tests, before the first context is created.
    void use_kernel(RunTileFn run_tile) { run_tile_ = run_tile; }
    void bound_depth(bool on) { bounds_depth_ = on; }
    /// Whether new contexts use a hierarchical depth.
    [[nodiscard]] bool bounds_depth() const { return bounds_depth_; }
    [[nodiscard]] std::pmr::memory_resource* memory() { return &memory_; }
    /// Called before the first context is created: with a signalled file (null: there is none), the screen
    /// has native fences.
    void use_signalled(std::shared_ptr<const SyncFile> file) {
        caps_.native_fences = file != nullptr;
        signalled_ = std::move(file);
    }
    [[nodiscard]] const std::shared_ptr<const SyncFile>& signalled() const { return signalled_; }
    [[nodiscard]] pipe::Ref<pipe::Fence> import_fence(int fd) override;
    const pipe::Log log;
    // Bound in place of null.
    const pipe::Ref<SoftRaster> default_raster;
    const pipe::Ref<SoftDepthStencil> default_depth_stencil;
    const pipe::Ref<SoftBlend> default_blend;
    const pipe::Ref<SoftVertexLayout> default_vertex_layout;
    const pipe::Ref<SoftSampler> default_sampler;

  private:
    std::unique_ptr<ShaderCompiler> compiler_;
    std::shared_ptr<const SyncFile> signalled_;
    ZeroedMemory memory_;
    const pipe::Ref<ThreadPool> pool_;  // fences may outlive the screen
    RunTileFn run_tile_;
    bool bounds_depth_;
    std::string renderer_;
};

}  // namespace terrazzo::soft
