// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes a stream of packets into pool memory. A stream has one or more segments; a packet, and what is reserved at once, lies in
// one. A submission's segments are its commands (IB1), which call those of other streams (IB2) by CP_INDIRECT_BUFFER. Whoever
// writes into one stream allocates nothing else from the pool by the way, or segments get short; that is correct, too.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "drivers/adreno/submission/queue.h"
#include "drivers/adreno/submission/registers.h"

namespace terrazzo::adreno {

class CsBuilder {
  public:
    /// `chunk_dw`: how much is allocated at once.
    explicit CsBuilder(Pool& pool, uint32_t chunk_dw = 4096) : pool_(pool), chunk_dw_(chunk_dw) {}
    CsBuilder(const CsBuilder&) = delete;
    CsBuilder& operator=(const CsBuilder&) = delete;

    // What writes throws std::bad_alloc where the pool has no memory; the stream can then only be discarded.

    /// Room for that many words, which stay together; end() says how many they became.
    [[nodiscard]] uint32_t* begin(uint32_t most_dw) {
        if (most_dw > uint32_t(end_ - at_)) [[unlikely]]
            open_segment(most_dw);
        return at_;
    }
    void end(uint32_t* at) {
        at_ = at;
        idle_ = false;
    }

    template <class... R>
    void write(const R&... regs) {
        at_ = put_registers(begin(kMostWords<R...>), regs...);
        if ((std::same_as<R, hw::HLSQ_INVALIDATE_CMD> || ...)) idle_ = false;
    }
    template <class P>
    void packet(const P& p, uint32_t size_dw = P::kSize_dw) {
        at_ = put_packet(begin(1 + size_dw), p, size_dw);
        if (starts_work(p)) idle_ = false;
    }
    /// One without a payload.
    void opcode(hw::Pm4Opcode opcode) {
        uint32_t* out = begin(1);
        *out = hw::pack_type7(opcode, 0);
        at_ = out + 1;
        if (opcode != hw::Pm4Opcode::CP_WAIT_FOR_ME && opcode != hw::Pm4Opcode::CP_WAIT_MEM_WRITES)
            idle_ = false;
    }
    void event(hw::EventType type) { packet(hw::CpEventWrite{.event = type}, 1); }
    /// Waits for that: draws keep no copy of the register. Nothing where the stream has set it so before.
    void write_ccu(const hw::RB_CCU_CNTL& control) {
        const uint32_t word = hw::pack32(control);
        if (ccu_ == word) return;
        ccu_ = word;
        wait_for_idle();
        write(control);
    }
    /// Nothing where nothing was started since the last one.
    void wait_for_idle() {
        if (idle_) return;
        opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
        idle_ = true;
    }
    /// Runs another stream's segments here; they stay together (4 words each).
    void call(std::span<const Segment> segments);
    /// The same of registers alone.
    void call_state(const Segment& segment) {
        const bool idle = idle_;
        call({&segment, 1});
        idle_ = idle;
    }

    [[nodiscard]] bool empty() const { return segments_.empty() && at_ == start_; }
    /// Words so far.
    [[nodiscard]] uint64_t size_dw() const { return finished_dw_ + uint64_t(at_ - start_); }
    /// Ends the stream: its segments, none of them empty, until the next one is begun by discard().
    [[nodiscard]] std::span<const Segment> finish();
    /// Begins anew. The memory is the pool's.
    void discard();

  private:
    /// Registers, modes, and what the CP does by itself start nothing.
    template <class P>
    static bool starts_work(const P& p) {
        if constexpr (std::same_as<P, hw::CpEventWrite>) return p.event != hw::EventType::LABEL;
        return !(std::same_as<P, hw::CpSetMode> || std::same_as<P, hw::CpSetMarker> ||
                 std::same_as<P, hw::CpSetAmble> || std::same_as<P, hw::CpSkipIb2EnableGlobal> ||
                 std::same_as<P, hw::CpSkipIb2EnableLocal> || std::same_as<P, hw::CpSetVisibilityOverride> ||
                 std::same_as<P, hw::CpRegWrite> || std::same_as<P, hw::CpSetDrawState> ||
                 std::same_as<P, hw::CpRegToMem>);
    }
    void open_segment(uint32_t least_dw);
    void close_segment();

    Pool& pool_;
    const uint32_t chunk_dw_;
    uint32_t *start_ = nullptr, *at_ = nullptr, *end_ = nullptr;
    uint64_t start_va_ = 0;
    uint64_t finished_dw_ = 0;
    std::optional<uint32_t> ccu_;
    bool idle_ = false;  // where the stream ends now, as far as it knows
    std::vector<Segment> segments_;
};

}  // namespace terrazzo::adreno
