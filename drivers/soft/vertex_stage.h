// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shades vertices in batches, kLanes at a time, and brings them to the window. Vertices of indexed draws are
// shaded once a batch, however often the batch names them.
#pragma once

#include <memory_resource>
#include <vector>

#include "drivers/soft/clip.h"
#include "drivers/soft/program.h"
#include "drivers/soft/setup.h"

namespace terrazzo::soft {

/// Vertices of a stream that are worked on at a time.
inline constexpr uint32_t kBatchVertices = 1536;

class VertexStage {
  public:
    struct Inputs {
        const SoftProgram* program;
        const uint32_t* uniforms;
        const TextureUnit* textures;
        const VertexFetch* fetch;
    };

    VertexStage();

    /// The ids of a batch: written by the caller before shade(), at most kBatchVertices + 1.
    [[nodiscard]] uint32_t* ids() { return ids_.data(); }
    /// Merges equal ids; slot(i) then tells where the i-th vertex is. Without it slot(i) must not be used.
    /// Returns how many are left.
    uint32_t deduplicate(uint32_t count);
    [[nodiscard]] uint32_t slot(uint32_t i) const { return slots_[i]; }

    /// Shades ids()[0, count).
    void shade(const Inputs& in, const ClipSpace& space, uint32_t count, uint32_t instance);

    [[nodiscard]] uint32_t code(uint32_t i) const { return code_[i]; }
    [[nodiscard]] SetupVertex vertex(uint32_t i) const {
        return {x_[i], y_[i], z_[i], inv_w_[i], outputs(i)};
    }
    /// Component c at [c * kLanes].
    [[nodiscard]] const float* outputs(uint32_t i) const {
        return outputs_.data() + size_t(i / kLanes) * stride_ + i % kLanes;
    }

  private:
    void project(const SoftProgram& program, const ClipSpace& space, uint32_t block);

    static constexpr uint32_t kTable = 4096;
    static constexpr uint32_t kPadded = (kBatchVertices + 1 + kLanes) / kLanes * kLanes;
    std::vector<uint32_t> ids_, code_;
    std::vector<uint16_t> slots_;
    std::vector<int32_t> x_, y_;
    std::vector<float> z_, inv_w_;
    std::vector<float> outputs_;
    size_t stride_ = 0;            // floats a block of kLanes vertices
    std::vector<uint64_t> table_;  // stamp << 32 | id
    std::vector<uint16_t> table_slot_;
    uint32_t stamp_ = 0;
};

}  // namespace terrazzo::soft
