// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a context has bound, and what of it the next draw or dispatch must pack anew. `Types` names a
// vendor's classes:
//   Screen and all of DeviceScreen's, Recorder(Ref<Device>, unique_ptr<Queue>), Pass(Recorder&);
//   Values: what else belongs to the bound state of draws.
#pragma once

#include <array>
#include <vector>

#include "pipe/context.h"

namespace terrazzo::contexts {

/// An array by pipe::Stage.
template <class T>
struct PerStage : std::array<T, pipe::kStageCount> {
    using Base = std::array<T, pipe::kStageCount>;
    [[nodiscard]] T& operator[](pipe::Stage s) { return Base::operator[](size_t(s)); }
    [[nodiscard]] const T& operator[](pipe::Stage s) const { return Base::operator[](size_t(s)); }
};

/// What must be packed anew: a vendor's bits, and above them one for each stage and group.
using DirtyBits = uint64_t;
/// What of a stage is packed together.
enum class Group : uint8_t {
    Uniforms,
    Textures,
    Blocks,
    Storage,
    Order
};  // Order: of the work that wrote the textures
inline constexpr unsigned kGroupCount = 5, kVendorBits = 32;
static_assert(kVendorBits + kGroupCount * pipe::kStageCount <= 64);

constexpr DirtyBits dirty_bit(pipe::Stage s, Group g) {
    return DirtyBits(1) << (kVendorBits + unsigned(s) * kGroupCount + unsigned(g));
}
constexpr uint32_t group_bit(Group g) {
    return 1u << unsigned(g);
}
/// All groups of a stage.
constexpr DirtyBits dirty_bits(pipe::Stage s) {
    return DirtyBits((1u << kGroupCount) - 1) << (kVendorBits + unsigned(s) * kGroupCount);
}
inline constexpr DirtyBits kAllDirty = ~DirtyBits(0);
/// Dispatches pack that, draws the rest.
inline constexpr DirtyBits kComputeDirty = dirty_bits(pipe::Stage::Compute);
/// Groups of draws' stages.
inline constexpr DirtyBits kDrawStagesDirty =
    dirty_bits(pipe::Stage::Vertex) | dirty_bits(pipe::Stage::TessControl) |
    dirty_bits(pipe::Stage::TessEval) | dirty_bits(pipe::Stage::Geometry) | dirty_bits(pipe::Stage::Fragment);

/// Storage blocks and atomic counters.
inline constexpr unsigned kMaxStorageBuffers = 32, kMaxImages = 16;

/// What is bound to a stage.
struct BoundStage {
    std::vector<uint32_t> uniforms;
    std::array<pipe::BufferRange, pipe::kMaxConstantBuffers> blocks{};
    std::array<pipe::SamplerView*, pipe::kMaxSamplers> views{};
    std::array<pipe::SamplerState*, pipe::kMaxSamplers> samplers{};
    std::array<pipe::BufferRange, kMaxStorageBuffers> storage_buffers{};
    std::array<pipe::ImageView, kMaxImages> images{};
    uint32_t buffer_views = 0;  // bit a texture
    // Bit a texture or image: it is bound and cannot be used where it is compressed.
    uint32_t odd_views = 0, odd_images = 0;
};

/// What internal draws replace, but for what BoundState adds.
template <class Types>
struct BoundValues : Types::Values {
    typename Types::Raster* raster = nullptr;
    typename Types::DepthStencil* depth_stencil = nullptr;
    typename Types::Blend* blend = nullptr;
    typename Types::VertexLayout* layout = nullptr;
    typename Types::Program* program = nullptr;
    pipe::Viewport viewport{};
    pipe::Scissor scissor;
    float blend_color[4] = {};
    uint8_t stencil_ref_front = 0, stencil_ref_back = 0;
    float coverage = 1;
    bool invert_coverage = false;
    uint32_t sample_mask = ~0u;
};

template <class Types>
struct BoundState : BoundValues<Types> {
    std::vector<pipe::VertexBuffer> vertex_buffers;
    PerStage<BoundStage> stages;
    DirtyBits dirty = kAllDirty;

    void touch(pipe::Stage s, Group g) { dirty |= dirty_bit(s, g); }
    [[nodiscard]] bool is_dirty(pipe::Stage s, Group g) const { return dirty & dirty_bit(s, g); }
    /// Bit a group.
    [[nodiscard]] uint32_t dirty_groups(pipe::Stage s) const {
        return uint32_t(dirty >> (kVendorBits + unsigned(s) * kGroupCount)) & ((1u << kGroupCount) - 1);
    }
};

}  // namespace terrazzo::contexts
