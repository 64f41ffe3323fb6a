// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// When the tiler's heap is exhausted in the middle of a pass: incremental rendering. A handler stream draws
// what was tiled so far, gives the heap back, and the draw goes on where it stopped. What is drawn so goes to
// memory: the first time with a framebuffer that begins as the pass does, later with one that loads what is
// there; and the pass itself, at its end, with one that loads, too, and stores what the pass stores.
//
// The vertex queue's stream: REQ_RESOURCE tiler and IDVS (and no more: the handler asks for them again),
// set_slots(kSlotIterators, kSlotLoadStore), install(); enter() before a pass' first draw; no loads and
// stores that draws come before. The fragment queue's: choose_framebuffer() before RUN_FRAGMENT.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "drivers/mali/submission/cs_builder.h"

namespace terrazzo::mali {

/// What the handler reads and writes, in GPU memory (64 B aligned), a pass. The first 64 bytes are loaded
/// into registers 40 to 55 at once.
struct OomContext {
    // FramebufferPointers. The first clears or loads as the pass does and stores everything; 0: nothing is
    // drawn, only waited (passes that fit the heap for sure when it is theirs alone).
    uint64_t first_framebuffer = 0;
    uint32_t scissor[2] = {};  // Scissor, as for RUN_FRAGMENT
    uint32_t reads_drawn = 0;  // 1: the pass reads what others before have drawn
    uint32_t unused = 0;
    uint32_t waits = 0;               // 1: for the passes before, as below
    uint32_t counter = 0;             // how often the handler drew
    uint64_t middle_framebuffer = 0;  // loads everything and stores everything
    uint64_t tiler_context = 0;
    uint64_t sequence_va = 0;  // the fragment queue's number, and what it has to be above
    uint64_t sequence_above = 0;
    uint32_t saved[16] = {};  // registers 40 to 55 of the stream

    /// The handler draws when the 64 bits at `va` (the fragment queue's number) are `number` or more: when
    /// the passes before have been drawn.
    void draw_after(uint64_t va, uint64_t number) {
        waits = number != 0;
        sequence_va = va;
        sequence_above = number ? number - 1 : 0;
    }
};
static_assert(sizeof(OomContext) == 128 && offsetof(OomContext, counter) == 28);

/// The vertex queue's, all the time: where the pass' OomContext is.
inline constexpr unsigned kOomContextRegister = 84;

/// Byte offset of completed_top and, behind it, completed_bottom in a TilerContext (hw/draw.rows).
inline constexpr int kTilerCompleted_B = 40;

class TilerOomHandler {
  public:
    /// Null: out of memory.
    [[nodiscard]] static std::unique_ptr<TilerOomHandler> create(Device& device);
    /// Once a stream (or a group) of the vertex queue. Uses scratch registers 80 to 82.
    void install(CsBuilder& b) const;
    /// Before the first draw of a pass: its context.
    static void enter(CsBuilder& b, uint64_t context_va) { b.set64(kOomContextRegister, context_va); }
    /// Sets the framebuffer register of RUN_FRAGMENT: `whole` where the handler never drew, else `last`. Uses
    /// scratch registers 80 to 82 and waits for loads.
    static void choose_framebuffer(CsBuilder& b, uint64_t context_va, uint64_t whole, uint64_t last);

  private:
    TilerOomHandler() = default;
    std::vector<pipe::Ref<Bo>> code_;
    Stream stream_;
};

}  // namespace terrazzo::mali
