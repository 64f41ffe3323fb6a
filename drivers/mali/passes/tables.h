// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Tables of resources in pool memory: attributes and their buffers, textures and samplers, uniform blocks.
#pragma once

#include <bit>

#include "drivers/common/context/converted_vertices.h"
#include "drivers/mali/passes/draw_state.h"
#include "drivers/mali/state/packed.h"

namespace terrazzo::mali {

class Tables : contexts::ContextPart<StateTypes> {
  public:
    using ContextPart::ContextPart;

    /// The attributes that the CPU converts for draws.
    contexts::ConvertedVertices converted{context_};

    /// DrawInfo::first_instance of the draw that the vertex tables are for.
    uint32_t first_instance = 0;

    // The tables of a stage, for the registers vertex_srt, fragment_srt and srt. All throw std::bad_alloc.
    // `values`: for stages that read system values from memory.
    [[nodiscard]] uint64_t vertex(const SysvalValues& values);
    [[nodiscard]] uint64_t fragment(const SysvalValues& values) {
        const uint64_t tables = write(pipe::Stage::Fragment, values,
                                      state_.program->stages[pipe::Stage::Fragment].storage_buffers);
        order(pipe::Stage::Fragment);
        return tables;
    }
    /// The tables of a compute job with the stage's resources, and the storage buffers in `values`: a bit of
    /// `storage` for each. The caller orders the job after those that wrote its textures.
    [[nodiscard]] uint64_t compute(pipe::Stage stage, const SysvalValues& values, uint32_t storage) {
        return write(stage, values, storage);
    }
    /// The address of the system values in the tables that were written last; 0: they have none.
    [[nodiscard]] uint64_t system_block_va() const { return system_block_va_; }
    /// Records the dependencies of the pass on other work, by the textures and images that the stage
    /// accesses.
    void order(pipe::Stage stage);
    /// Calls f(image, writes) for each texture and image that the stage accesses.
    template <class F>
    void each_image(pipe::Stage stage, F&& f) const {
        const StageTables& s = stage_tables(state_, stage);
        const contexts::BoundStage& bound = state_.stages[stage];
        for (uint32_t rest = s.textures; rest; rest &= rest - 1)
            if (pipe::SamplerView* const v = bound.views[unsigned(std::countr_zero(rest))])
                f(static_cast<MaliSamplerView&>(*v).image(), false);
        for (uint32_t rest = s.images; rest; rest &= rest - 1) {
            const auto slot = unsigned(std::countr_zero(rest));
            if (pipe::Resource* const r = bound.images[slot].resource)
                f(mali(*r), s.written_images >> slot & 1);
        }
    }
    /// Pieces that were packed in an earlier submission must not be used.
    void forget_packed() { packed_.clear(); }

  private:
    [[nodiscard]] uint64_t write(pipe::Stage stage, const SysvalValues& values, uint32_t storage);
    /// False: these tables are not cached.
    [[nodiscard]] bool vertex_tables_key(PackedVertexTable::Key* key);
    void write_vertices(uint32_t count, uint8_t* attributes, uint8_t* buffers);
    void write_textures(pipe::Stage stage, uint8_t* textures, uint8_t* samplers);
    void write_default_block(pipe::Stage stage, uint64_t va, uint8_t* data, uint8_t* descriptor);
    void write_blocks(pipe::Stage stage, uint8_t* descriptors);
    void write_storage(const SysvalValues& values, uint8_t* descriptors, uint32_t count);
    void write_images(pipe::Stage stage, uint8_t* descriptors);

    PackedVertexTables packed_;
    PackedImages packed_images_;
    uint64_t images_packed_in_ = 0;  // the recorder's serial when they were packed
    uint64_t system_block_va_ = 0;
};

}  // namespace terrazzo::mali
