// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shades vertices in batches and transforms them to the window. In indexed draws, a vertex is shaded once per
// batch, however often the batch uses it.
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

/// The vertices of a batch; more in indexed draws, so that more are shared.
inline constexpr uint32_t kBatchVertices = 768, kBatchIndices = 6144;

class VertexStage {
  public:
    struct Inputs {
        const SoftProgram* program;
        const uint32_t* uniforms;
        const TextureUnit* textures;
        const ir::MemoryRange* blocks;  // as in VertexArgs
        const ir::MemoryRange* buffers;
        const ir::ImageRange* images;
        const VertexFetch* fetch;
        Watch* watch;
        uint32_t first_instance = 0;  // the draw's: divisors and shaders count from it
    };

    VertexStage();

    /// The ids of a batch: the caller writes at most kBatchIndices + 1 before deduplicate().
    [[nodiscard]] uint32_t* ids() { return ids_.data(); }
    /// Merges equal ids; slots()[i] is then the place of the i-th vertex. Returns the number of different
    /// ids.
    uint32_t deduplicate(uint32_t count);
    [[nodiscard]] const uint32_t* slots() const { return slots_.data(); }

    /// Whether to shade a whole range of ids, of which `count` indices use a part: that is cheaper than
    /// finding the unused ones.
    [[nodiscard]] static bool is_dense(uint32_t span, uint32_t count) {
        return span < count / 2 || span < 16;
    }
    /// Sets ids() to consecutive numbers from `first` on.
    void list_range(uint32_t first, uint32_t count);
    /// Appends an id after `count` of them.
    void list_extra(uint32_t count, uint32_t id) {
        ids_[count] = id;
        sequential_ = false;
    }
    /// Shades ids()[0, count).
    void shade(const Inputs& in, const ClipSpace& space, uint32_t count, uint32_t instance);
    /// Instead of shading, uses the vertices of a later stage, output_components dwords each; at most
    /// kBatchIndices.
    void take(const SoftProgram& program, const ClipSpace& space, std::span<const uint32_t* const> records);

    /// For shaders that run on the drawing thread. Arrays must be allocated before shade() needs them.
    [[nodiscard]] ShaderMemory& memory() { return memory_; }
    [[nodiscard]] const FrontKernels& kernels() const { return kernels_; }
    /// The shaded vertices. spare(i), i < kMaxClipVertices, are columns for vertices that the caller adds.
    [[nodiscard]] const VertexColumns& columns() const { return columns_; }
    [[nodiscard]] uint32_t spare(uint32_t i) const { return columns_.stride - kSpare + i; }

    [[nodiscard]] uint32_t code(uint32_t i) const { return columns_.window[i].code; }
    [[nodiscard]] SetupVertex vertex(uint32_t i) const {
        const WindowVertex& v = columns_.window[i];
        return {v.x, v.y, v.z, columns_.inv_w[i], outputs(i)};
    }
    /// The records of all shaded vertices, created by the first call. Throws std::bad_alloc.
    [[nodiscard]] const VertexRecords& records(const SoftProgram& program);
    /// The records of the first `count` spare vertices, created by every call.
    [[nodiscard]] const VertexRecords& spare_records(const SoftProgram& program, uint32_t count);
    /// A vertex' clip or cull distance, clip distances first. Infinities are clamped; a NaN stays.
    [[nodiscard]] float distance(const SoftProgram& program, uint32_t n, uint32_t vertex) const {
        constexpr float kMost = std::numeric_limits<float>::max();
        const float d = outputs(vertex)[size_t(program.distances[n]) * columns_.stride];
        return d > kMost ? kMost : d < -kMost ? -kMost : d;
    }
    /// Component c is at [c * columns().stride].
    [[nodiscard]] float* outputs(uint32_t i) const { return columns_.outputs + i; }

    /// Memory for the corners of a batch's triangles and for the surviving ones.
    [[nodiscard]] uint32_t* corner(unsigned n) { return corners_.data() + size_t(n) * kMaxTriangles; }
    [[nodiscard]] const uint32_t* corner(unsigned n) const {
        return corners_.data() + size_t(n) * kMaxTriangles;
    }
    [[nodiscard]] Survivor* survivors() { return survivors_.data(); }
    /// Memory for a list of a batch's vertices.
    [[nodiscard]] std::vector<uint32_t>& order() { return order_; }

  private:
    uint32_t number_by_table(uint32_t count, uint32_t lowest);
    uint32_t number_by_hash(uint32_t count);
    void project(const SoftProgram& program, const ClipSpace& space, uint32_t count);
    void add_distance_codes(const SoftProgram& program, uint8_t planes, uint32_t count);
    void make_records(const SoftProgram& program, uint32_t first, uint32_t count);

    static constexpr uint32_t kSpare = 32, kHash_log2 = 14, kHash = 1u << kHash_log2, kTable = 16384;
    static constexpr uint32_t kPadded = (kBatchIndices + 1 + 15) / 16 * 16;
    // Plus what kernels read and write beyond the end.
    static constexpr uint32_t kMaxTriangles = kBatchIndices + 16;
    static_assert(kMaxClipVertices <= kSpare && kHash >= 2 * kBatchIndices);

    const FrontKernels& kernels_;
    ShaderMemory memory_;
    std::vector<uint32_t> ids_, slots_, corners_, order_;
    std::vector<Survivor> survivors_;
    bool sequential_ = false;  // ids_ are consecutive
    std::vector<WindowVertex> window_;
    std::vector<float> inputs_, inv_w_, outputs_;
    VertexColumns columns_ = {};
    std::vector<float> record_memory_;
    VertexRecords records_ = {};
    bool has_records_ = false;
    // The tables are never cleared: an entry is valid if it has its batch's stamp.
    std::vector<uint32_t> table_;  // by id - lowest: stamp << 16 | slot
    std::vector<uint64_t> hash_;   // stamp << 32 | id
    std::vector<uint16_t> hash_slot_;
    uint32_t table_stamp_ = 0, hash_stamp_ = 0;
};

}  // namespace terrazzo::soft
