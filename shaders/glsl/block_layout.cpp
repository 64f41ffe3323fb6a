// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/block.h"

#include <algorithm>

namespace terrazzo::shaders::glsl {

namespace {

constexpr uint64_t kVec4_B = 16;

uint64_t round_up(uint64_t n, uint64_t to) {
    return (n + to - 1) / to * to;
}

struct Extent {
    uint64_t align_B, size_B;
};

uint64_t vector_align_B(unsigned components) {
    return components == 1 ? 4 : components == 2 ? 8 : kVec4_B;
}

/// The rules of a packing.
struct Rules {
    Packing packing;

    /// The minimum alignment of arrays and structures.
    [[nodiscard]] uint64_t aggregate_B() const { return packing == Packing::Std140 ? kVec4_B : 4; }
    /// The stride from column to column or row to row, which is their alignment, too.
    [[nodiscard]] uint64_t matrix_stride_B(const Type& t, bool row_major) const {
        return std::max(aggregate_B(), vector_align_B(row_major ? t.columns : t.rows));
    }

    /// The stride from element to element of an array.
    [[nodiscard]] uint64_t stride_of(const Type& array, bool row_major) const {
        const Extent e = extent_of(*array.element, row_major);
        return round_up(e.size_B, std::max(e.align_B, aggregate_B()));
    }

    [[nodiscard]] Extent extent_of(const Type& t, bool row_major) const {
        if (t.is_array()) {
            const Extent e = extent_of(*t.element, row_major);
            return {std::max(e.align_B, aggregate_B()), stride_of(t, row_major) * std::max(1u, t.dims[0])};
        }
        if (t.base == Base::Struct) {
            Extent s{aggregate_B(), 0};
            for (const Member& m : t.members) {
                const Extent e = extent_of(*m.type, row_major);
                s.align_B = std::max(s.align_B, e.align_B);
                s.size_B = round_up(s.size_B, e.align_B) + e.size_B;
            }
            s.size_B = round_up(s.size_B, s.align_B);
            return s;
        }
        // A matrix has the layout of an array of its columns or rows.
        if (t.is_matrix()) {
            const uint64_t stride_B = matrix_stride_B(t, row_major);
            return {stride_B, stride_B * (row_major ? t.rows : t.columns)};
        }
        return {vector_align_B(t.rows), uint64_t(t.rows) * 4};
    }
};

class Layouter {
  public:
    Layouter(BlockLayout& out, Packing packing) : out_(out), rules_{packing} {}

    void visit(const Type& t, uint64_t offset_B, bool row_major) {
        if (t.is_array()) {
            strides_.push_back(uint32_t(rules_.stride_of(t, row_major)));
            visit(*t.element, offset_B, row_major);
            strides_.pop_back();
        } else if (t.base == Base::Struct) {
            (void)members(t, offset_B, [&](size_t) { return row_major; });
        } else {
            BlockLeaf leaf;
            leaf.offset_B = uint32_t(offset_B);
            leaf.strides_B = strides_;
            leaf.matrix_stride_B = t.is_matrix() ? uint32_t(rules_.matrix_stride_B(t, row_major)) : 0;
            leaf.row_major = row_major && t.is_matrix();
            out_.leaves.push_back(std::move(leaf));
        }
    }

    /// Lays out the members of a structure. Returns the offset after the last one.
    template <class RowMajor>
    uint64_t members(const Type& t, uint64_t at_B, RowMajor&& row_major) {
        for (size_t n = 0; n < t.members.size(); ++n) {
            const Type& m = *t.members[n].type;
            const Extent e = rules_.extent_of(m, row_major(n));
            at_B = round_up(at_B, e.align_B);
            visit(m, at_B, row_major(n));
            at_B += e.size_B;
        }
        return at_B;
    }

    void array_of_blocks() { strides_.push_back(0); }

  private:
    BlockLayout& out_;
    const Rules rules_;
    std::vector<uint32_t> strides_;
};

}  // namespace

BlockLayout layout_block(const Type& type, const std::vector<bool>& row_major, Packing packing) {
    BlockLayout out;
    Layouter layouter(out, packing);
    const Type* block = &type;
    for (; block->is_array(); block = block->element)
        layouter.array_of_blocks();
    const uint64_t end_B = layouter.members(*block, 0, [&](size_t n) { return row_major[n]; });
    out.size_B = round_up(end_B, kVec4_B);
    return out;
}

BlockLayout layout_shared(const Type& type, uint64_t offset_B) {
    BlockLayout out;
    const Extent e = Rules{Packing::Std430}.extent_of(type, false);
    offset_B = round_up(offset_B, e.align_B);
    out.size_B = offset_B + e.size_B;
    if (out.size_B <= UINT32_MAX) Layouter(out, Packing::Std430).visit(type, offset_B, false);
    return out;
}

}  // namespace terrazzo::shaders::glsl
