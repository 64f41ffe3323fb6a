// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Caches of the descriptors that the current submission has packed in pool memory.
#pragma once

#include <array>

#include "drivers/common/context/packed_cache.h"
#include "drivers/mali/state/blend.h"

namespace terrazzo::mali {

/// Blend descriptors by MaliBlend::id. They also depend on the formats, the blend color and the program's
/// outputs: the caller must clear() when one of these changes.
struct PackedBlend {
    uint64_t id = 0, va = 0;
    BlendSummary summary;
    uint32_t color_at_dw = 0;  // blend_color_at_dw() of the fragment shader that it was packed for
    /// Whether it is valid for a fragment shader whose blend_color_at_dw() is `at_dw`.
    [[nodiscard]] bool suits(uint32_t at_dw) const {
        return !summary.shader_takes_color || color_at_dw == at_dw;
    }
};
using PackedBlends = contexts::PackedCache<PackedBlend, 8>;

/// Tables of vertex shaders that read attributes from buffers and no other resource.
struct PackedVertexTable {
    struct Buffer {
        uint64_t va = 0;
        uint32_t size_B = 0, stride_B = 0;
        bool operator==(const Buffer&) const = default;
    };
    static constexpr size_t kMaxBuffers = 4;
    struct Key {
        uint64_t layout = 0;  // MaliVertexLayout::id
        uint32_t attributes = 0, count = 0;
        uint32_t first_instance = 0;              // 0 if no attribute is per instance
        std::array<Buffer, kMaxBuffers> buffers;  // unused elements are Buffer()
        [[nodiscard]] size_t hash() const {
            constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;
            return (layout + buffers[0].va) * kGolden >> 59;
        }
        bool operator==(const Key&) const = default;
    };
    Key key;
    uint64_t va = 0;  // address of the tables; 0: none
};
using PackedVertexTables = contexts::PackedCache<PackedVertexTable, 32>;

/// Texture descriptors of images that shaders load from or store to.
struct PackedImage {
    pipe::ImageView view;         // no resource: none. The submission holds the resource
    uint32_t storage_serial = 0;  // the resource's, when it was packed
    alignas(4) std::array<uint8_t, hw::Texture::kSize_B> words;
    [[nodiscard]] static size_t hash(const pipe::ImageView& v) {
        return reinterpret_cast<uintptr_t>(v.resource) / 64 + v.level + v.first_layer;
    }
};
using PackedImages = contexts::PackedCache<PackedImage, 16>;

/// Uniforms of program parts that read only constants and system values, none of the application's.
struct PackedUniforms {
    uint64_t part = 0;  // address of its descriptor, which is unique among the programs in use
    uint64_t value = 0;
};
using PackedFau = contexts::PackedCache<PackedUniforms, 32>;

}  // namespace terrazzo::mali
