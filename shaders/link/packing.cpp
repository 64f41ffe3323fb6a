// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/link/packing.h"

#include <algorithm>
#include <vector>

namespace terrazzo::shaders {

PackItem pack_shape(const GlslType& t, uint32_t array_size) {
    PackItem p;
    p.rows = t.columns * std::max(1u, array_size);
    p.columns = t.rows;
    // "2x2 matrices occupy two complete rows": they are as wide as a vec4.
    if (t.columns == 2 && t.rows == 2) p.columns = 4;
    return p;
}

namespace {

class Packer {
  public:
    explicit Packer(uint32_t rows) : used_(rows, 0) {}

    /// Widths 4 and 3: the first free rows from the top.
    bool place_top(PackItem& p) {
        if (p.rows > used_.size() - top_) return false;
        p.row = top_;
        p.column = 0;
        mark(p);
        top_ += p.rows;
        return true;
    }

    /// Width 2: columns 0-1 from the top on, else columns 2-3 from the bottom up.
    bool place_pair(PackItem& p) {
        const uint32_t rows = uint32_t(used_.size());
        if (p.rows <= rows - pair_top_) {
            p.row = pair_top_;
            p.column = 0;
            pair_top_ += p.rows;
            mark(p);
            return true;
        }
        if (p.rows > pair_bottom_ || pair_bottom_ - p.rows < top_) return false;
        pair_bottom_ -= p.rows;
        p.row = pair_bottom_;
        p.column = 2;
        mark(p);
        return true;
    }
    void start_pairs() {
        pair_top_ = top_;
        pair_bottom_ = uint32_t(used_.size());
    }

    /// Width 1: the column with the shortest sufficient run of free rows.
    bool place_single(PackItem& p) {
        uint32_t best = UINT32_MAX;
        for (uint32_t column = 0; column < 4; ++column) {
            uint32_t run = 0;
            for (uint32_t row = 0; row <= used_.size(); ++row) {
                if (row < used_.size() && !(used_[row] & 1u << column)) {
                    ++run;
                    continue;
                }
                if (run >= p.rows && run < best) {
                    best = run;
                    p.row = row - run;
                    p.column = column;
                }
                run = 0;
            }
        }
        if (best == UINT32_MAX) return false;
        mark(p);
        return true;
    }

  private:
    void mark(const PackItem& p) {
        for (uint32_t r = 0; r < p.rows; ++r)
            used_[p.row + r] |= uint8_t(((1u << p.columns) - 1) << p.column);
    }
    std::vector<uint8_t> used_;  // mask of components
    uint32_t top_ = 0, pair_top_ = 0, pair_bottom_ = 0;
};

}  // namespace

bool pack(std::span<PackItem> items, uint32_t rows) {
    std::vector<PackItem*> order;
    for (PackItem& p : items)
        order.push_back(&p);
    // Widest first; for equal widths, longest first.
    std::stable_sort(order.begin(), order.end(), [](const PackItem* a, const PackItem* b) {
        return a->columns != b->columns ? a->columns > b->columns : a->rows > b->rows;
    });
    Packer packer(rows);
    bool pairs = false;
    for (PackItem* p : order) {
        if (p->columns <= 2 && !pairs) {
            packer.start_pairs();
            pairs = true;
        }
        const bool ok = p->columns > 2    ? packer.place_top(*p)
                        : p->columns == 2 ? packer.place_pair(*p)
                                          : packer.place_single(*p);
        if (!ok) return false;
    }
    return true;
}

}  // namespace terrazzo::shaders
