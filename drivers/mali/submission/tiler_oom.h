// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Incremental rendering, for a tiler heap that is exhausted in the middle of a pass. A handler stream draws
// the primitives tiled so far to memory and frees the heap; then the draw continues. The handler's first draw
// uses a framebuffer that begins as the pass does, later ones a framebuffer that loads the attachments. The
// end of the pass uses one that loads, and stores what the pass stores.
//
// Requirements. The vertex queue's stream: REQ_RESOURCE of tiler and IDVS only, since the handler requests
// these again; set_slots(kSlotIterators, kSlotLoadStore); install(); enter() before the first draw of a pass;
// no load or store under way at a draw. The fragment queue's stream: choose_framebuffer() before
// RUN_FRAGMENT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "drivers/mali/stream/cs_builder.h"

namespace terrazzo::mali {

/// The handler's data for a pass, in GPU memory (64 B aligned). The first 64 bytes are loaded into registers
/// 40 to 55 at once.
struct OomContext {
    // FramebufferPointers. The first one clears or loads as the pass does, and stores all attachments. 0: the
    // handler only waits for earlier passes (for a pass that fits into the heap if no other uses it).
    uint64_t first_framebuffer = 0;
    uint32_t scissor[2] = {};  // Scissor, as for RUN_FRAGMENT
    uint32_t reads_drawn = 0;  // 1: the pass reads what earlier passes drew
    uint32_t unused = 0;
    uint32_t waits = 0;               // 1: the handler waits for sequence_above
    uint32_t counter = 0;             // the number of the handler's draws
    uint64_t middle_framebuffer = 0;  // loads and stores all attachments
    uint64_t tiler_context = 0;
    uint64_t sequence_va = 0;  // address of the fragment queue's number, and the value that it must exceed
    uint64_t sequence_above = 0;
    uint32_t saved[16] = {};  // registers 40 to 55 of the stream

    /// The handler waits until the fragment queue's 64-bit number at `va` is at least `number`: until the
    /// earlier passes are drawn.
    void draw_after(uint64_t va, uint64_t number) {
        waits = number != 0;
        sequence_va = va;
        sequence_above = number ? number - 1 : 0;
    }
};
static_assert(sizeof(OomContext) == 128 && offsetof(OomContext, counter) == 28);

/// A register of the vertex queue's stream that always has the address of the pass' OomContext.
inline constexpr unsigned kOomContextRegister = 84;

/// Byte offset of completed_top, which completed_bottom follows, in a TilerContext (hw/draw.rows).
inline constexpr int kTilerCompleted_B = 40;

class TilerOomHandler {
  public:
    /// Null: out of memory.
    [[nodiscard]] static std::unique_ptr<TilerOomHandler> create(Device& device);
    /// Installs the handler; once in a stream or group of the vertex queue. Uses scratch registers 80 to 82.
    void install(CsBuilder& b) const;
    /// Sets the context of a pass, before its first draw.
    static void enter(CsBuilder& b, uint64_t context_va) { b.set64(kOomContextRegister, context_va); }
    /// Sets the framebuffer register of RUN_FRAGMENT: to `whole` if the handler never drew, otherwise to
    /// `last`. Uses scratch registers 80 to 82, and waits for loads.
    static void choose_framebuffer(CsBuilder& b, uint64_t context_va, uint64_t whole, uint64_t last);

  private:
    TilerOomHandler() = default;
    std::vector<pipe::Ref<Bo>> code_;
    Stream stream_;
};

}  // namespace terrazzo::mali
