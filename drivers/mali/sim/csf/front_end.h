// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The command-stream front end of a queue: a small machine with 96 registers, a call stack and scoreboard
// slots that starts jobs. It can stop at a SYNC_WAIT and continue later.
//
// Here jobs and memory operations complete at once, but the machine tracks what could still run on hardware.
// Until a scoreboard slot was waited for, a loaded register must not be read, a stored one must not be
// overwritten, and starting a dependent job is a fault. Other faults are: unpaired heap operations; access to
// another queue's tiling or drawing without a wait; caches that were not flushed in between (order.h) or
// before the host reads; work on slots that were not set. Sources: Mesa 25.0.7,
// src/panfrost/lib/genxml/{v10.xml,decode_csf.c,cs_builder.h}; Linux panthor.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "drivers/common/host/text.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/sim/csf/order.h"
#include "drivers/mali/sim/machine.h"

namespace terrazzo::mali::sim {

/// Values that the queues of a group share.
struct Progress {
    std::array<uint64_t, 32> queue{};  // PROGRESS_STORE, PROGRESS_WAIT
    Order order;
};

class FrontEnd {
  public:
    FrontEnd(Machine& machine, Jobs& jobs, Progress& progress, unsigned queue)
        : machine_(machine), jobs_(jobs), progress_(progress), queue_(queue) {}

    /// Begins the stream [va, va + size_B). Registers keep their values, except the kernel's (92 to 95),
    /// which are undefined at the start; streams use them inside (Mesa's builder for its jumps). `announced`:
    /// the host is told when it ends and reads the results. `follows`: it was submitted after all streams
    /// that have ended; otherwise it may only rely on its own queue's.
    void start(uint64_t va, uint32_t size_B, bool announced = false, bool follows = true);
    /// Runs until the stream ends, waits, or faults; then fault() has the reason and the queue is lost.
    RunStatus run();
    const Fault& fault() const { return fault_; }
    /// Whether run() executed an instruction.
    bool progressed() const { return progressed_; }
    CsRegisters& registers() { return registers_; }

  private:
    struct Frame {
        uint64_t pc = 0, end = 0;
        bool handler = false;  // an exception handler: RUN_IDVS continues when it returns
    };
    enum class Step : uint8_t { Next, Wait, Fault, Stopped };
    /// The kinds of work that use a scoreboard slot.
    enum class Kind : uint8_t { Tiler, Fragment, Compute, Memory, Flush, Other };
    static constexpr unsigned kSlots = 16, kMaxDepth = 8;

    // What instructions do, by families: one overload of run() for each.
    struct Streams;  // instructions.cpp: flow, arithmetic, memory, sync objects, flushes
    struct Starts;   // jobs.cpp: jobs and the heap
    using Handler = Step (FrontEnd::*)(uint64_t word);
    using Handlers = std::array<Handler, 256>;  // by opcode; null: none
    static const Handlers kHandlers;
    static void add_starts(Handlers* handlers);
    template <class Family, class... Instructions>
    static void add(Handlers* handlers) {
        ((handlers->at(unsigned(Instructions::kOpcode)) = &FrontEnd::decoded<Family, Instructions>), ...);
    }
    template <class Family, class Instruction>
    Step decoded(uint64_t word) {
        Instruction i;
        fields::ReservedBits found;
        if (hw::unpack(word, &i, &found)) return Family{*this}.run(i);
        fields::StringSink text;
        found.print(text, 0);
        return fail(hw::ExceptionCode::CS_INSTR_INVALID, text.text);
    }

    // Registers: false, with a fault, if they do not exist or their load or store was not waited for.
    bool read(unsigned reg, uint32_t* out);
    bool read(unsigned reg, uint64_t* out);
    template <class A, class B>
    bool read(unsigned first, A* a, unsigned second, B* b) {
        return read(first, a) && read(second, b);
    }
    bool write(unsigned reg, uint32_t value);
    bool write(unsigned reg, uint64_t value);
    bool is_pair(unsigned reg);
    bool is_free(const std::array<uint8_t, kCsRegisters>& slots, unsigned reg, unsigned count,
                 const char* what);
    bool may_read(unsigned reg, unsigned count);
    bool may_write(unsigned reg, unsigned count);

    /// Adds work that signals the slot after it has waited for others.
    void begin(unsigned slot, Kind kind, uint32_t waited = 0, uint64_t job = 0);
    /// Begins a job on the endpoints' slot; returns its number.
    uint64_t begin_job(Kind kind);
    /// The last job before the first one that was not waited for, ignoring slots in `waited`.
    uint64_t done_job(uint32_t waited) const;
    /// For instructions that signal the slots of SET_SB_ENTRY, which are undefined before it.
    bool slots_are_set();
    void wait_for(uint32_t slots);
    /// Faults if work of that kind may still be running, except on slots in `waited`.
    bool settled(Kind kind, uint32_t waited, const char* what);
    Step end_of_stream();
    /// `reason`: the parts of a text (host::text_of).
    template <class... Part>
    Step fail(hw::ExceptionCode code, const Part&... reason) {
        fault_ = {code, where() + host::text_of(reason...)};
        return Step::Fault;
    }
    std::string where() const;
    Step fail_access();
    Step no_instruction(uint64_t word);
    Step nothing(uint64_t) { return Step::Next; }
    static Step result(bool good) { return good ? Step::Next : Step::Fault; }

    Machine& machine_;
    Jobs& jobs_;
    Progress& progress_;
    unsigned queue_;
    CsRegisters registers_;
    Frame at_;
    std::array<Frame, kMaxDepth> stack_;
    unsigned depth_ = 0;
    uint64_t instruction_ = 0;  // address of the current instruction

    unsigned endpoint_slot_ = 0, other_slot_ = 0;
    bool slots_set_ = false, announced_ = false;
    /// Work that may still be running. It is done once any of the slots was waited for: its own slot, and
    /// those of work that waits for it.
    struct Pending {
        uint32_t slots;
        Kind kind;
        uint64_t job;   // the first one; 0: none
        uint64_t last;  // kNoJob: not a job; other queues cannot see its end
    };
    static constexpr uint64_t kNoJob = ~uint64_t(0);
    std::vector<Pending> pending_;
    std::array<uint8_t, kCsRegisters> loading_{}, storing_{};  // slot + 1
    hw::CsReqResource resources_{};
    HeapUse heap_;
    DrawProgress draw_;
    bool resume_draw_ = false;
    bool tiling_ = false;  // since the last FINISH_TILING
    // The tiler context of fragment jobs of which FINISH_FRAGMENT is missing (0: none), and its last layer.
    uint64_t undrawn_ = 0;
    uint32_t undrawn_layer_ = 0;
    uint64_t handler_va_ = 0;
    uint32_t handler_B_ = 0;
    uint64_t cycles_ = 0;
    bool progressed_ = false;
    Fault fault_;
};

}  // namespace terrazzo::mali::sim
