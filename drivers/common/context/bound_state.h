// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The state that is bound to a context, and the parts of it that the next draw or dispatch must pack again.
// `Types` names a vendor's classes:
//   Screen and all classes of DeviceScreen, Recorder(Ref<Device>, unique_ptr<Queue>), Pass(Recorder&);
//   Values: a vendor's additions to the bound state of draws;
//   Counts: what the device counts: static CountLayout layout(chip, pipe::QueryKind);
//   static constexpr bool kContinuesPasses: a pass stays active after end_render_pass(), and may continue.
#pragma once

#include <array>
#include <vector>

#include "pipe/context.h"

namespace terrazzo::images {
class ImageAccess;
}

namespace terrazzo::contexts {

/// An array by pipe::Stage.
template <class T>
struct PerStage : std::array<T, pipe::kStageCount> {
    using Base = std::array<T, pipe::kStageCount>;
    [[nodiscard]] T& operator[](pipe::Stage s) { return Base::operator[](size_t(s)); }
    [[nodiscard]] const T& operator[](pipe::Stage s) const { return Base::operator[](size_t(s)); }
};

/// What must be packed again: a vendor's bits, and above them one bit for each stage and group.
using DirtyBits = uint64_t;
/// The state of a stage that is packed together. Order: the dependencies on work that wrote the textures.
enum class Group : uint8_t { Uniforms, Textures, Blocks, Storage, Order };
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
/// What dispatches pack. Draws pack the rest.
inline constexpr DirtyBits kComputeDirty = dirty_bits(pipe::Stage::Compute);
/// All groups of the stages of draws.
inline constexpr DirtyBits kDrawStagesDirty =
    dirty_bits(pipe::Stage::Vertex) | dirty_bits(pipe::Stage::TessControl) |
    dirty_bits(pipe::Stage::TessEval) | dirty_bits(pipe::Stage::Geometry) | dirty_bits(pipe::Stage::Fragment);

/// Storage buffers include those of atomic counters.
inline constexpr unsigned kMaxStorageBuffers = 32, kMaxImages = 16;

/// What is bound to one stage.
struct BoundStage {
    std::vector<uint32_t> uniforms;
    std::array<pipe::BufferRange, pipe::kMaxConstantBuffers> blocks{};
    std::array<pipe::SamplerView*, pipe::kMaxSamplers> views{};
    std::array<pipe::SamplerState*, pipe::kMaxSamplers> samplers{};
    std::array<pipe::BufferRange, kMaxStorageBuffers> storage_buffers{};
    std::array<pipe::ImageView, kMaxImages> images{};
    uint32_t buffer_views = 0;  // a bit for each texture
    // Bits of the bound textures and images that the hardware cannot use in the compressed form.
    uint32_t odd_views = 0, odd_images = 0;
};

/// What internal draws replace, in addition to the members of BoundState.
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
    /// A bit for each group.
    [[nodiscard]] uint32_t dirty_groups(pipe::Stage s) const {
        return uint32_t(dirty >> (kVendorBits + unsigned(s) * kGroupCount)) & ((1u << kGroupCount) - 1);
    }
};

/// The objects of a context that its parts use.
template <class Types>
struct ContextObjects {
    images::ImageAccess& context;
    typename Types::Recorder& recorder;
    typename Types::Pass& pass;
    typename Types::Screen& screen;
    const BoundState<Types>& state;
};

/// A part of a vendor's context: an object with a file of its own (Tables, Transfers). The context outlives
/// it.
template <class Types>
class ContextPart {
  public:
    explicit ContextPart(const ContextObjects<Types>& o)
        : recorder_(o.recorder), pass_(o.pass), screen_(o.screen), state_(o.state), context_(o.context) {}

  protected:
    typename Types::Recorder& recorder_;
    typename Types::Pass& pass_;
    typename Types::Screen& screen_;
    const BoundState<Types>& state_;
    images::ImageAccess& context_;
};

}  // namespace terrazzo::contexts
