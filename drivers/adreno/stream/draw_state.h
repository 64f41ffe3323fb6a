// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Groups of draw state (CP_SET_DRAW_STATE): small streams that the CP runs once before the next draw of the
// modes that they are for. State objects are such streams, packed once, in memory of their own; streams that
// change with each draw are in pool memory.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "drivers/adreno/stream/cs_builder.h"
#include "winsys/trap.h"

namespace terrazzo::adreno {

/// In the order in which the CP runs them: a group follows the groups it depends on. Hardware gives the
/// numbers no meaning.
enum class Group : uint8_t {
    ProgramConfig,
    Program,
    ProgramBinning,
    ClipPlanes,  // which of the program's clip distances are enabled
    Interpolation,
    FragmentOutputs,
    DepthPlane,  // LRZ, and whether the depth test is early or late
    Patches,     // their number of vertices
    VertexLayout,
    VertexBuffers,
    VertexConstants,
    FragmentConstants,
    VertexBlocks,
    FragmentBlocks,
    // Constants, blocks and textures in one group.
    HullResources,
    DomainResources,
    GeometryResources,
    DriverParameters,
    VertexTextures,
    FragmentTextures,
    Raster,
    DepthStencil,
    Blend,
    BlendColor,
    Viewport,
    Scissor,
    SampleLocations,
    StreamOut,
    Images,
};
inline constexpr unsigned kGroupCount = unsigned(Group::Images) + 1;
static_assert(kGroupCount <= 32);

/// The groups of a shader stage.
struct StageGroups {
    Group constants, blocks, textures;
};
inline constexpr StageGroups kVertexGroups{Group::VertexConstants, Group::VertexBlocks,
                                           Group::VertexTextures},
    kFragmentGroups{Group::FragmentConstants, Group::FragmentBlocks, Group::FragmentTextures};

struct GroupModes {
    bool binning, gmem, sysmem;
};
/// The passes that need the group.
constexpr GroupModes group_modes(Group g) {
    switch (g) {
        case Group::ProgramBinning:
            return {true, false, false};
        case Group::Program:
        case Group::Interpolation:
        case Group::FragmentConstants:
        case Group::FragmentBlocks:
        case Group::FragmentTextures:
            return {false, true, true};
        case Group::ProgramConfig:
        case Group::ClipPlanes:
        case Group::FragmentOutputs:
        case Group::DepthPlane:
        case Group::Patches:
        case Group::VertexLayout:
        case Group::VertexBuffers:
        case Group::VertexConstants:
        case Group::VertexBlocks:
        case Group::HullResources:
        case Group::DomainResources:
        case Group::GeometryResources:
        case Group::DriverParameters:
        case Group::VertexTextures:
        case Group::Raster:
        case Group::DepthStencil:
        case Group::Blend:
        case Group::BlendColor:
        case Group::Viewport:
        case Group::Scissor:
        case Group::SampleLocations:
        case Group::StreamOut:
        case Group::Images:
            return {true, true, true};
    }
    winsys::unreachable();
}

/// The stream of a state object. Recorded work that uses it must keep a reference to the object.
class StaticState {
  public:
    StaticState() = default;
    /// Copies the words into GPU memory. Not valid() if that is out of memory.
    StaticState(Device& device, std::span<const uint32_t> words)
        : block_(device.create_block(std::max<uint32_t>(1, uint32_t(words.size())) * 4, kAlign_B)),
          size_dw_(uint32_t(words.size())) {
        if (block_) std::copy(words.begin(), words.end(), reinterpret_cast<uint32_t*>(block_.cpu));
    }
    [[nodiscard]] bool valid() const { return bool(block_); }
    [[nodiscard]] Segment segment() const { return {block_.va, size_dw_}; }
    /// The packed words, for tests.
    [[nodiscard]] std::span<const uint32_t> words() const {
        return {reinterpret_cast<const uint32_t*>(block_.cpu), size_dw_};
    }

  private:
    static constexpr uint32_t kAlign_B = 64;
    Block block_;
    uint32_t size_dw_ = 0;
};

/// The variants of a state object that was packed several times.
template <size_t kCount>
struct StaticStates : std::array<StaticState, kCount> {
    /// Whether there was memory for the first `count` variants.
    [[nodiscard]] bool valid(size_t count = kCount) const {
        return std::all_of(this->begin(), this->begin() + count,
                           [](const StaticState& s) { return s.valid(); });
    }
};

/// The words of a state object while it is being packed.
template <uint32_t kMost>
class StateWords {
  public:
    template <class... R>
    void write(const R&... regs) {
        at_ = put_registers(at_, regs...);
    }
    template <class P>
    void packet(const P& p, uint32_t size_dw = P::kSize_dw) {
        at_ = put_packet(at_, p, size_dw);
    }
    [[nodiscard]] uint32_t*& at() { return at_; }
    [[nodiscard]] std::span<const uint32_t> words() const {
        return {words_.data(), size_t(at_ - words_.data())};
    }

  private:
    std::array<uint32_t, kMost> words_;
    uint32_t* at_ = words_.data();
};

/// The groups that a draw sets, written as one packet.
class GroupList {
  public:
    /// Drops groups that were set and not written. Any group may be set in the stream.
    void forget() {
        count_ = 0;
        present_ = ~0u;
    }
    /// Whether groups were set and not written, because of an exception.
    [[nodiscard]] bool has_unwritten() const { return count_ != 0; }
    /// An empty segment disables the group, if it may be set in the stream. At most one call for a group
    /// before emit().
    void set(Group g, const Segment& s) {
        const uint32_t bit = 1u << unsigned(g);
        if (!s.size_dw && !(present_ & bit)) return;
        present_ = s.size_dw ? present_ | bit : present_ & ~bit;
        const GroupModes modes = group_modes(g);
        pack(hw::CpSetDrawState{.count_dw = s.size_dw,
                                .disable = s.size_dw == 0,
                                .binning = modes.binning,
                                .gmem = modes.gmem,
                                .sysmem = modes.sysmem,
                                .group_id = unsigned(g),
                                .address = s.size_dw ? s.va : 0},
             words_.data() + size_t(count_) * hw::CpSetDrawState::kSize_dw);
        ++count_;
    }
    /// Writes the groups that were set.
    void emit(CsBuilder& cs) {
        if (!count_) return;
        const uint32_t size_dw = count_ * hw::CpSetDrawState::kSize_dw;
        uint32_t* out = cs.begin(1 + size_dw);
        *out++ = hw::pack_type7(hw::Pm4Opcode::CP_SET_DRAW_STATE, size_dw);
        for (uint32_t i = 0; i < size_dw; ++i)
            out[i] = words_[i];
        cs.end(out + size_dw);
        count_ = 0;
    }

  private:
    std::array<uint32_t, kGroupCount * hw::CpSetDrawState::kSize_dw> words_;
    uint32_t count_ = 0;
    uint32_t present_ = ~0u;  // a bit for each group that may be set in the stream
};

/// Disables all groups.
inline void disable_groups(CsBuilder& cs) {
    cs.packet(hw::CpSetDrawState{.disable_all_groups = true});
}

}  // namespace terrazzo::adreno
