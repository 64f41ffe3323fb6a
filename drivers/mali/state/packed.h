// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Small direct-mapped caches of the descriptors that this submission packed in pool memory, so that state
// which recurs is not packed again. Of two states with the same slot, the later one is kept.
#pragma once

#include <array>
#include <span>

#include "drivers/mali/state/blend.h"
#include "drivers/mali/state/vertex_layout.h"

namespace terrazzo::mali {

/// Blend descriptors by MaliBlend::id. They also depend on the formats, the blend color and the program's
/// outputs: the caller must clear() when one of these changes.
class PackedBlends {
  public:
    struct Entry {
        uint64_t id = 0, va = 0;
        BlendSummary summary;
        uint32_t color_at_dw = 0;  // blend_color_at_dw() of the fragment shader that it was packed for
        /// Whether it is valid for a fragment shader whose blend_color_at_dw() is `at_dw`.
        [[nodiscard]] bool suits(uint32_t at_dw) const {
            return !summary.shader_takes_color || color_at_dw == at_dw;
        }
    };
    /// The entry with key `id`; if its `id` differs, it is the one to fill.
    [[nodiscard]] Entry& at(uint64_t id) { return entries_[id % entries_.size()]; }
    void clear() { entries_.fill({}); }

  private:
    std::array<Entry, 8> entries_;
};

/// Tables of vertex shaders that read attributes from buffers and no other resource.
class PackedVertexTables {
  public:
    struct Buffer {
        uint64_t va = 0;
        uint32_t size_B = 0, stride_B = 0;
        bool operator==(const Buffer&) const = default;
    };
    static constexpr size_t kMaxBuffers = 4;
    struct Key {
        uint64_t layout = 0;  // MaliVertexLayout::id
        uint32_t attributes = 0, count = 0;
        std::array<Buffer, kMaxBuffers> buffers;
        [[nodiscard]] bool same(const Key& o) const {
            if (layout != o.layout || attributes != o.attributes || count != o.count) return false;
            for (uint32_t i = 0; i < count; ++i)
                if (!(buffers[i] == o.buffers[i])) return false;
            return true;
        }
    };
    struct Entry {
        Key key;
        uint64_t va = 0;  // address of the tables; 0: none
    };
    /// The entry with key `k`; if its key differs, it is the one to fill.
    [[nodiscard]] Entry& at(const Key& k) {
        constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
        const uint64_t mixed = (k.layout + (k.count ? k.buffers[0].va : 0)) * kGolden;
        return entries_[mixed >> 59];
    }
    void clear() {
        for (Entry& e : entries_)
            e.va = 0;
    }

  private:
    std::array<Entry, 32> entries_;
};

/// Uniforms of program parts that read only constants and system values, none of the application's.
class PackedFau {
  public:
    struct Entry {
        uint64_t part = 0;  // address of its descriptor, which is unique among the programs in use
        uint64_t value = 0;
    };
    [[nodiscard]] Entry& at(uint64_t part) { return entries_[part / 64 % entries_.size()]; }
    void clear() { entries_.fill({}); }

  private:
    std::array<Entry, 32> entries_;
};

}  // namespace terrazzo::mali
