// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertex attributes. The VFD decodes the inputs of a program one after another: its n-th decode instruction is of the program's n-th input,
// so that the stream depends on which locations a program reads. A layout keeps those that were asked for.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "drivers/adreno/submission/draw_state.h"
#include "pipe/state.h"

namespace terrazzo::adreno {

/// Where locations without a format read (0, 0, 0, 1): the fetch slot behind those of the buffers. It has no stride.
inline constexpr unsigned kMissingSlot = pipe::kMaxVertexAttribs;
inline constexpr float kMissingAttribute[4] = {0, 0, 0, 1};
inline constexpr uint32_t kMostFetchWords = 4 * (pipe::kMaxVertexAttribs + 1) + 2;

class AdrenoVertexLayout final : public pipe::VertexLayout {
  public:
    AdrenoVertexLayout(Device& device, const pipe::VertexLayoutDesc& d);

    const pipe::VertexLayoutDesc desc;
    /// Bit a location that has a format which the VFD cannot decode; it reads (0, 0, 0, 1), as those without one.
    uint32_t unsupported = 0;
    /// Bit a buffer that a location has.
    uint32_t buffers = 0;
    /// Group::VertexLayout of programs that read these locations (bit n: location n). `without_buffer`: locations whose buffer is not bound.
    /// It lives as long as the layout. Null: out of memory. Thread: any.
    [[nodiscard]] const StaticState* state(uint32_t locations, uint32_t without_buffer = 0);
    mutable std::atomic<uint64_t> held_by{0};

  private:
    struct Variant {
        uint32_t locations, missing;
        uint32_t without_buffer;  // as it was asked for
        StaticState state;
    };
    Device& device_;
    std::mutex mutex_;
    std::vector<std::unique_ptr<Variant>> variants_;
    std::atomic<const Variant*> last_{nullptr};  // that was asked for; variants stay
};

/// A buffer as the VFD sees it; size 0: none.
struct FetchSlot {
    uint64_t va = 0;
    uint32_t size_B = 0, stride_B = 0;
};
/// Group::VertexBuffers: slots from 0 on, and the missing one, whose 16 bytes lie at `missing_va`. Behind the last word (kMostFetchWords at
/// most).
uint32_t* write_fetch_slots(std::span<const FetchSlot> slots, uint64_t missing_va, uint32_t* out);

}  // namespace terrazzo::adreno
