// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes. The VFD (vertex fetch) has a decode instruction for each input of a program, in the
// program's order. The stream therefore depends on which locations a program reads; a layout keeps one
// variant for each such set.
#pragma once

#include <memory>
#include <span>

#include "drivers/adreno/stream/draw_state.h"
#include "drivers/common/program/variants.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// The fetch slot from which locations without a format read (0, 0, 0, 1). It follows those of the buffers
/// and has no stride.
inline constexpr unsigned kMissingSlot = pipe::kMaxVertexAttribs;
inline constexpr uint32_t kMostFetchWords = 4 * (pipe::kMaxVertexAttribs + 1) + 2;

class AdrenoVertexLayout final : public pipe::VertexLayout {
  public:
    AdrenoVertexLayout(Device& device, const pipe::VertexLayoutDesc& d);

    const pipe::VertexLayoutDesc desc;
    /// A bit for each location with a format that the VFD cannot decode. It reads (0, 0, 0, 1).
    uint32_t unsupported = 0;
    /// A bit for each buffer that a location uses.
    uint32_t buffers = 0;
    /// Group::VertexLayout of programs that read these locations (bit n: location n). `without_buffer`:
    /// locations whose buffer is not bound. The result lives as long as the layout. Null: out of memory.
    /// Thread: any.
    [[nodiscard]] const StaticState* state(uint32_t locations, uint32_t without_buffer = 0) {
        const Key key{locations, without_buffer & locations};
        return states_.find(key, [&] { return create_state(key); });
    }
    mutable std::atomic<uint64_t> held_by{0};

  private:
    struct Key {
        uint32_t locations, without_buffer;
        bool operator==(const Key&) const = default;
    };
    [[nodiscard]] std::unique_ptr<const StaticState> create_state(const Key& key) const;

    Device& device_;
    programs::Variants<Key, const StaticState> states_;
};

/// A vertex buffer's range; size 0: none.
struct FetchSlot {
    uint64_t va = 0;
    uint32_t size_B = 0, stride_B = 0;
};
/// Writes Group::VertexBuffers, kMostFetchWords at most: slots from 0 on, and kMissingSlot, whose 16 bytes
/// are at `missing_va`. Returns the address after the last word.
uint32_t* write_fetch_slots(std::span<const FetchSlot> slots, uint64_t missing_va, uint32_t* out);

}  // namespace terrazzo::adreno
