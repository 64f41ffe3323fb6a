// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shades vertices in batches and brings them to the window. Vertices of indexed draws are shaded once a
// batch, however often the batch names them.
#pragma once

#include <limits>
#include <span>
#include <vector>

#include "drivers/soft/binning/clip.h"
#include "drivers/soft/binning/setup.h"
#include "drivers/soft/front/front.h"
#include "drivers/soft/programs/program.h"
#include "drivers/soft/programs/shader_memory.h"

namespace terrazzo::soft {

/// Vertices of a stream that are worked on at a time; more where indices name them, so that more are shared.
inline constexpr uint32_t kBatchVertices = 768, kBatchIndices = 6144;

class VertexStage {
  public:
    struct Inputs {
        const SoftProgram* program;
        const uint32_t* uniforms;
        const TextureUnit* textures;
        const ir::MemoryRange* blocks;  // VertexArgs
        const ir::MemoryRange* buffers;
        const ir::ImageRange* images;
        const VertexFetch* fetch;
        Watch* watch;
        uint32_t first_instance = 0;  // of the draw: divisors and shaders count from there
    };

    VertexStage();

    /// The ids of a batch: written by the caller before deduplicate(), at most kBatchIndices + 1.
    [[nodiscard]] uint32_t* ids() { return ids_.data(); }
    /// Merges equal ids; slots()[i] then tells where the i-th vertex is. Returns how many are left.
    uint32_t deduplicate(uint32_t count);
    [[nodiscard]] const uint32_t* slots() const { return slots_.data(); }

    /// Whether all of a range of ids should be shaded where `count` name some of it: cheaper than finding out
    /// what can be left out.
    [[nodiscard]] static bool is_dense(uint32_t span, uint32_t count) {
        return span < count / 2 || span < 16;
    }
    /// Makes ids() count up from `first`.
    void list_range(uint32_t first, uint32_t count);
    /// Adds one behind `count` of them.
    void list_extra(uint32_t count, uint32_t id) {
        ids_[count] = id;
        sequential_ = false;
    }
    /// Shades ids()[0, count).
    void shade(const Inputs& in, const ClipSpace& space, uint32_t count, uint32_t instance);
    /// In place of shading: vertices that a later stage gave, output_components dwords each; at most kBatchIndices.
    void take(const SoftProgram& program, const ClipSpace& space, std::span<const uint32_t* const> records);

    /// Of the thread that draws: for shaders that it runs. Arrays must be reserved before shade() needs them.
    [[nodiscard]] ShaderMemory& memory() { return memory_; }
    [[nodiscard]] const FrontKernels& kernels() const { return kernels_; }
    /// What was shaded; spare(i), i < kMaxClipVertices, names columns of vertices that the caller may add.
    [[nodiscard]] const VertexColumns& columns() const { return columns_; }
    [[nodiscard]] uint32_t spare(uint32_t i) const { return columns_.stride - kSpare + i; }

    [[nodiscard]] uint32_t code(uint32_t i) const { return columns_.window[i].code; }
    [[nodiscard]] SetupVertex vertex(uint32_t i) const {
        const WindowVertex& v = columns_.window[i];
        return {v.x, v.y, v.z, columns_.inv_w[i], outputs(i)};
    }
    /// Of all that was shaded; made when first asked for. Throws std::bad_alloc.
    [[nodiscard]] const VertexRecords& records(const SoftProgram& program);
    /// The same, anew, of the first `count` spare vertices.
    [[nodiscard]] const VertexRecords& spare_records(const SoftProgram& program, uint32_t count);
    /// A vertex's clip or cull distance, clip distances first. Finite, unless it is NaN.
    [[nodiscard]] float distance(const SoftProgram& program, uint32_t n, uint32_t vertex) const {
        constexpr float kMost = std::numeric_limits<float>::max();
        const float d = outputs(vertex)[size_t(program.distances[n]) * columns_.stride];
        return d > kMost ? kMost : d < -kMost ? -kMost : d;
    }
    /// Component c at [c * columns().stride].
    [[nodiscard]] float* outputs(uint32_t i) const { return columns_.outputs + i; }

    /// Room for the corners of a batch's triangles and for those that are left.
    [[nodiscard]] uint32_t* corner(unsigned n) { return corners_.data() + size_t(n) * kMaxTriangles; }
    [[nodiscard]] const uint32_t* corner(unsigned n) const {
        return corners_.data() + size_t(n) * kMaxTriangles;
    }
    [[nodiscard]] Survivor* survivors() { return survivors_.data(); }
    /// Room for a list of a batch's vertices.
    [[nodiscard]] std::vector<uint32_t>& order() { return order_; }

  private:
    uint32_t number_by_table(uint32_t count, uint32_t lowest);
    uint32_t number_by_hash(uint32_t count);
    void project(const SoftProgram& program, const ClipSpace& space, uint32_t count);
    void add_distance_codes(const SoftProgram& program, uint8_t planes, uint32_t count);
    void make_records(const SoftProgram& program, uint32_t first, uint32_t count);

    static constexpr uint32_t kSpare = 32, kHash_log2 = 14, kHash = 1u << kHash_log2, kTable = 16384;
    static constexpr uint32_t kPadded = (kBatchIndices + 1 + 15) / 16 * 16;
    static constexpr uint32_t kMaxTriangles = kBatchIndices + 16;  // and what kernels read and write beyond
    static_assert(kMaxClipVertices <= kSpare && kHash >= 2 * kBatchIndices);

    const FrontKernels& kernels_;
    ShaderMemory memory_;
    std::vector<uint32_t> ids_, slots_, corners_, order_;
    std::vector<Survivor> survivors_;
    bool sequential_ = false;  // ids_ count up by one
    std::vector<WindowVertex> window_;
    std::vector<float> inputs_, inv_w_, outputs_;
    VertexColumns columns_ = {};
    std::vector<float> record_memory_;
    VertexRecords records_ = {};
    bool has_records_ = false;
    // Tables are never cleared: an entry counts that has the stamp of its batch.
    std::vector<uint32_t> table_;  // by id - lowest: stamp << 16 | slot
    std::vector<uint64_t> hash_;   // stamp << 32 | id
    std::vector<uint16_t> hash_slot_;
    uint32_t table_stamp_ = 0, hash_stamp_ = 0;
};

}  // namespace terrazzo::soft
