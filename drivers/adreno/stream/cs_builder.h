// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes a stream of packets into pool memory. A stream has one or more segments; a packet, or words reserved
// by one begin(), never cross a segment's end. The segments of a submission are its commands (IB1), which
// call those of other streams (IB2) by CP_INDIRECT_BUFFER. Other allocations from the pool while a stream is
// written are correct, but make its segments short.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "drivers/adreno/device.h"
#include "drivers/adreno/stream/registers.h"
#include "drivers/adreno/stream/segment.h"

namespace terrazzo::adreno {

class CsBuilder : public memory::PoolWriter {
  public:
    /// `chunk_dw`: the words allocated at a time.
    explicit CsBuilder(Pool& pool, uint32_t chunk_dw = 4096) : PoolWriter(pool), chunk_dw_(chunk_dw) {}

    // Functions that write throw std::bad_alloc if the pool is out of memory. The stream can then only be
    // discarded.

    /// Room for `most_dw` contiguous words. The caller passes end() the address after the last word written.
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
    /// A packet without payload.
    void opcode(hw::Pm4Opcode opcode) {
        uint32_t* out = begin(1);
        *out = hw::pack_type7(opcode, 0);
        at_ = out + 1;
        if (opcode != hw::Pm4Opcode::CP_WAIT_FOR_ME && opcode != hw::Pm4Opcode::CP_WAIT_MEM_WRITES)
            idle_ = false;
    }
    void event(hw::EventType type) { packet(hw::CpEventWrite{.event = type}, 1); }
    /// Waits for idle first, since draws keep no copy of the register. Does nothing if the register has this
    /// value.
    void write_ccu(const hw::RB_CCU_CNTL& control) {
        const uint32_t word = hw::pack32(control);
        if (ccu_ == word) return;
        ccu_ = word;
        wait_for_idle();
        write(control);
    }
    /// Does nothing if no work was started since the last wait.
    void wait_for_idle() {
        if (idle_) return;
        opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
        idle_ = true;
    }
    /// Calls another stream's segments. The calls, 4 words each, are contiguous.
    void call(std::span<const Segment> segments);
    /// As call(), for a segment that only writes registers: the GPU stays idle.
    void call_state(const Segment& segment) {
        const bool idle = idle_;
        call({&segment, 1});
        idle_ = idle;
    }

    [[nodiscard]] bool empty() const { return segments_.empty() && at_ == start_; }
    /// The words written so far.
    [[nodiscard]] uint64_t size_dw() const { return finished_dw_ + uint64_t(at_ - start_); }
    [[nodiscard]] uint64_t emitted_B() const { return size_dw() * 4; }
    /// Ends the stream. Returns its segments, none of them empty, which are valid until discard().
    [[nodiscard]] std::span<const Segment> finish();
    /// Begins a new stream. The memory of the old one belongs to the pool.
    void discard();

  private:
    /// Whether a packet starts work outside of the CP: registers, modes and the CP's own accesses do not.
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

    const uint32_t chunk_dw_;
    uint32_t *start_ = nullptr, *at_ = nullptr, *end_ = nullptr;
    uint64_t start_va_ = 0;
    uint64_t finished_dw_ = 0;
    std::optional<uint32_t> ccu_;
    bool idle_ = false;  // the GPU is known to be idle at the current end of the stream
    std::vector<Segment> segments_;
};

}  // namespace terrazzo::adreno
