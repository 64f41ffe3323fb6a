// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A render pass during recording: its draws are a VDM stream, which becomes a render when the pass ends.
#pragma once

#include <span>
#include <vector>

#include "drivers/agx/images/target.h"
#include "drivers/agx/program/tile_programs.h"
#include "drivers/agx/submission/recorder.h"
#include "drivers/common/context/pass_desc.h"
#include "drivers/common/context/queries.h"
#include "pipe/state.h"

namespace terrazzo::agx {

class Pass : public contexts::RecordedPass<Recorder, contexts::ContinuedPass> {
  public:
    using RecordedPass::RecordedPass;

    /// Takes references to the attachments.
    void begin(const pipe::RenderPassDesc& desc);
    /// The number of an element of the arrays that PPP state refers to (DepthBiasScissor).
    [[nodiscard]] uint32_t add_scissor(const hw::Scissor& s);
    [[nodiscard]] uint32_t add_depth_bias(const hw::DepthBias& b);
    /// Whether an array is full: the pass must begin again.
    [[nodiscard]] bool is_full() const {
        return scissors_.size() >= kMostElements || depth_biases_.size() >= kMostElements;
    }
    /// A render has one array of counts: draws of another query must be another render.
    [[nodiscard]] bool takes(const contexts::Query* query) const {
        return !query || !counts_ || counts_ == query->count.memory();
    }
    /// Later draws count for the query; null: for none.
    void count_samples(const contexts::Query* query) {
        if (query) counts_ = query->count.memory();
    }
    /// Programs of the pass have stacks in memory.
    void use_stack(bool vertex) { vertex_stack_ |= vertex; }

    /// Ends the stream and adds the render. Throws std::bad_alloc.
    void end(TilePrograms& programs);

    [[nodiscard]] const TileLayout& tiles() const { return tiles_; }

  private:
    static constexpr size_t kMostElements = 0xffff;  // DepthBiasScissor's fields have 16 bits
    struct Plan;
    [[nodiscard]] Plan plan() const;
    /// The USC words and counts of a background or end-of-tile program.
    [[nodiscard]] uapi::drm_asahi_bg_eot write_tile_program(TilePrograms& programs,
                                                            const TileProgramKey& key);

    TileLayout tiles_;
    std::vector<hw::Scissor> scissors_;
    std::vector<hw::DepthBias> depth_biases_;
    pipe::Ref<submission::CountMemory> counts_;
    bool vertex_stack_ = false;
};

}  // namespace terrazzo::agx
