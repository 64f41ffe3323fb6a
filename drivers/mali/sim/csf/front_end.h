// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The command-stream front end of one queue: a small machine with 96 registers, a call stack and scoreboard
// slots, that starts jobs. It can stop at a SYNC_WAIT and go on later.
//
// Jobs and memory operations end at once here, but the machine remembers what would still run on hardware:
// until the scoreboard slot was waited for, a loaded register is not to be read, a stored one not to be
// overwritten, and a job that depends on another is a fault. So are heap operations that do not come in
// pairs, what another queue tiled, drew or reads without a wait for it, caches that were not emptied in
// between (order.h), or are not when the host looks, and work on slots that nobody chose. Sources:
// Mesa 25.0.7, src/panfrost/lib/genxml/{v10.xml,decode_csf.c,cs_builder.h}; Linux panthor.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/sim/csf/order.h"
#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

/// Values that the queues of a group share.
struct Progress {
    std::array<uint64_t, 32> queue{};  // PROGRESS_STORE, PROGRESS_WAIT
    Order order;
};

enum class StreamStatus : uint8_t { Done, Blocked, Fault, Stopped };

class FrontEnd {
  public:
    FrontEnd(Machine& machine, Jobs& jobs, Progress& progress, unsigned queue)
        : machine_(machine), jobs_(jobs), progress_(progress), queue_(queue) {}

    /// Begins the stream [va, va + size_B). Registers keep their values, but the kernel's (92 to 95), which
    /// hold anything then: streams use them within (Mesa's builder for its jumps). `announced`: the host
    /// learns of its end, and looks at what was done. `follows`: it was given after all streams that have
    /// ended; else it may rely on its own queue's alone.
    void start(uint64_t va, uint32_t size_B, bool announced = false, bool follows = true);
    /// Runs until the stream has ended, waits, or is at fault (fault() says why: the queue is then lost).
    StreamStatus run();
    const Fault& fault() const { return fault_; }
    /// Whether run() executed an instruction.
    bool progressed() const { return progressed_; }
    CsRegisters& registers() { return registers_; }

  private:
    struct Frame {
        uint64_t pc = 0, end = 0;
        bool handler = false;  // of an exception: RUN_IDVS goes on when it returns
    };
    enum class Step : uint8_t { Next, Wait, Fault, Stopped };
    /// What uses a scoreboard slot.
    enum class Kind : uint8_t { Tiler, Fragment, Compute, Memory, Flush, Other };
    static constexpr unsigned kSlots = 16, kMaxDepth = 8;

    Step execute(uint64_t word);
    Step flow(hw::CsOpcode op, uint64_t word);
    Step arithmetic(hw::CsOpcode op, uint64_t word);
    Step memory(hw::CsOpcode op, uint64_t word);
    Step sync(hw::CsOpcode op, uint64_t word);
    Step jobs(hw::CsOpcode op, uint64_t word);
    Step heap(hw::CsOpcode op, uint64_t word);

    template <class T>
    bool take(uint64_t word, T* out);
    bool read32(unsigned reg, uint32_t* out);
    bool read64(unsigned reg, uint64_t* out);
    bool write32(unsigned reg, uint32_t value);
    bool write64(unsigned reg, uint64_t value);
    bool may_read(unsigned reg, unsigned count);
    bool may_write(unsigned reg, unsigned count);
    /// For what reads the whole register file.
    bool all_readable(uint64_t low_mask);
    Step branch_to(uint64_t address, uint32_t length_B, bool call);
    Step load_store(unsigned base, unsigned mask, uint64_t address, int offset_B, bool store);
    template <class T>
    Step sync_update(uint64_t word, bool wide, bool add);
    template <class T>
    Step sync_wait(uint64_t word, bool wide);
    Step store_state(uint64_t word);
    Step after_job(JobStatus status);
    /// The same where stores may have been too early.
    Step after_compute(JobStatus status);
    Step finish_fragment_job(uint64_t word);
    Step tiler_out_of_heap();

    /// Work that signals the slot, after it has itself waited for others.
    void begin(unsigned slot, Kind kind, uint32_t waited = 0, uint64_t job = 0);
    /// A job begins on the endpoints' slot: its number.
    uint64_t begin_job(Kind kind);
    /// The last job before the first on a slot that was not waited for, nor is one of `waited`.
    uint64_t done_job(uint32_t waited) const;
    /// For what signals the slots of SET_SB_ENTRY, which hold anything before.
    bool slots_are_set();
    void wait_for(uint32_t slots);
    /// Faults where work of that kind may still run outside of `waited`.
    bool settled(Kind kind, uint32_t waited, const char* what);
    bool needs(bool requested, const char* resource);
    /// For what uses the heap.
    bool heap_is_set();
    /// Before a draw: counts of the heap are the group's.
    void begin_draw();
    Step fragment_job(uint64_t word);
    struct Images {
        unsigned count = 0;
        uint64_t va[18];  // 16 colours, depth, stencil
    };
    /// Where the images begin that a fragment job writes.
    Images images_of(const hw::FramebufferPointer& pointer, const hw::FramebufferParameters& parameters);
    Step heap_operation(uint64_t word);
    /// Counts a pass of the heap as drawn.
    bool pass_drawn();
    Step end_of_stream();
    Step fail(hw::ExceptionCode code, std::string reason);
    Step fail_access();
    /// False: it has failed.
    bool aligned_sync_object(uint64_t address, unsigned size_B);

    Machine& machine_;
    Jobs& jobs_;
    Progress& progress_;
    unsigned queue_;
    CsRegisters registers_;
    Frame at_;
    std::array<Frame, kMaxDepth> stack_;
    unsigned depth_ = 0;
    uint64_t instruction_ = 0;  // address of the one that runs

    unsigned endpoint_slot_ = 0, other_slot_ = 0;
    bool slots_set_ = false, announced_ = false;
    /// Work that may still run. It is done when any of the slots was waited for: its own, and those of work
    /// that waits for it.
    struct Pending {
        uint32_t slots;
        Kind kind;
        uint64_t job;   // the first; 0: none
        uint64_t last;  // kNoJob: that is none, whose end no other queue can tell of
    };
    static constexpr uint64_t kNoJob = ~uint64_t(0);
    std::vector<Pending> pending_;
    std::array<uint8_t, kCsRegisters> loading_{}, storing_{};  // slot + 1
    hw::CsReqResource resources_{};
    HeapUse heap_;
    DrawProgress draw_;
    bool resume_draw_ = false;
    bool tiling_ = false;   // since the last FINISH_TILING
    bool undrawn_ = false;  // a fragment job's heap was not given back yet
    uint64_t handler_va_ = 0;
    uint32_t handler_B_ = 0;
    uint64_t cycles_ = 0;
    bool progressed_ = false;
    Fault fault_;
};

}  // namespace terrazzo::mali::sim
