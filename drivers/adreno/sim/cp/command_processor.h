// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The command processor: executes the command buffers of a submit. It writes registers and memory, keeps
// groups of draw state until the next draw, and starts work, which ends before the next packet is read. The
// meaning of packets: Mesa 25.0.7, src/freedreno/registers/adreno/adreno_pm4.xml and
// src/freedreno/afuc/README.rst; the kernel's registers: protect.h.
#pragma once

#include <array>
#include <cstdarg>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/sim/cp/caches.h"
#include "drivers/adreno/sim/cp/core_dump.h"
#include "drivers/adreno/sim/cp/perf_counters.h"
#include "drivers/adreno/sim/cp/protect.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// Words at an address, which the ring calls as an IB1.
struct IndirectBuffer {
    uint64_t va = 0;
    uint32_t size_dw = 0;
};

class CommandProcessor {
  public:
    CommandProcessor(Machine& machine, Work& work);

    /// Begins a submit. Registers and state loaded for shaders keep their values; groups of draw state,
    /// conditions and the mode do not.
    void start(std::span<const IndirectBuffer> commands);
    /// Runs until the submit ends, waits for a value in memory (run() continues it), faults, or the host
    /// stops it. After a fault or a stop only start() may follow. May throw std::bad_alloc.
    RunStatus run();
    const Fault& fault() const { return fault_; }
    /// Where a faulting submit was.
    CorePosition position() const;
    /// Whether the last run() executed a packet.
    bool progressed() const { return progressed_; }
    /// The packets of the submit so far.
    uint64_t packets() const { return packets_; }
    /// A submit with more packets and indirect draws than this does not end.
    uint64_t packet_limit = uint64_t(1) << 28;

  private:
    enum class Level : uint8_t { Ib1 = 1, Ib2 = 2, Group = 3 };
    struct Frame {
        uint64_t va = 0;
        uint32_t size_dw = 0, at_dw = 0;
        Level level = Level::Ib1;
        uint8_t group = 0;  // of Level::Group: its number
    };
    /// Next: continue after the packet. Again: the called buffers run first, then the packet is executed
    /// again.
    enum class Step : uint8_t { Next, Again, Wait, Fault, Stopped };
    /// Modes of the GPU, as bits of the masks in packets.
    static constexpr uint8_t kBinning = 1, kGmem = 2, kSysmem = 4;
    struct Group {
        uint64_t va = 0;
        uint32_t size_dw = 0;
        uint8_t modes = 0;
    };
    /// State of CP_START_BIN's loop.
    struct BinLoop {
        uint32_t count = 0, index = 0, body_at_dw = 0, prefix_dw = 0;
        uint64_t prefix_va = 0;
    };
    using Payload = std::span<const uint32_t>;

    // What packets do, by families: one overload of run() for each packet. A family may have before(), which
    // runs first.
    struct Family {
        CommandProcessor& c;
        Payload payload;
        Machine& m = c.machine_;
        Caches& caches = *m.caches;
    };
    struct Flow;       // flow.cpp: buffers, groups of draw state, modes and conditions
    struct Transfers;  // transfer.cpp: registers, memory, scratch words, waits for them
    struct Loads;      // state.cpp: state for shaders
    struct Draws;      // draw.cpp: draws and dispatches
    struct Events;     // event.cpp: events, the 2D engine, predicates
    struct Packets;    // command_processor.cpp: the table of them
    using Handler = Step (CommandProcessor::*)(Payload payload);
    using Handlers = std::array<Handler, 128>;  // by opcode; null: refused
    template <class F, class... Packet>
    static void add(Handlers* handlers) {
        ((handlers->at(unsigned(Packet::kOpcode)) = &CommandProcessor::unpacked_for<F, Packet>), ...);
    }
    template <class F, class Packet>
    Step unpacked_for(Payload payload);
    static void add_flow(Handlers* handlers);
    static void add_transfers(Handlers* handlers);
    static void add_loads(Handlers* handlers);
    static void add_draws(Handlers* handlers);
    static void add_events(Handlers* handlers);

    // Fetch and dispatch.
    bool next_buffer();
    Step packet();
    Step type7(hw::Pm4Opcode opcode, Payload payload);
    Step nothing(Payload) { return Step::Next; }
    Step end_bin(Payload payload);
    /// All work has ended before the next packet is read: the caches record it.
    template <void (Caches::*wait)()>
    Step waits(Payload) {
        (machine_.caches.get()->*wait)();
        return Step::Next;
    }
    Frame& top() { return frames_[depth_ - 1]; }
    bool enter(uint64_t va, uint32_t size_dw, Level level, unsigned group = 0);
    /// Calls the first of the groups that have not run yet; false: none is left.
    bool run_group(uint32_t candidates, Step* step);
    uint8_t mode_bit() const;

    // Registers.
    bool write_registers(uint32_t reg, Payload values);
    bool may_change(uint16_t reg, uint32_t value);
    bool read_register(uint32_t reg, uint32_t* out);

    // Memory.
    /// Reads for the CP; `early`: for a packet that the CP reads before earlier work has ended.
    bool read(uint64_t va, void* out, uint64_t size_B, bool early = false);
    /// Words for which the packet may have to wait.
    bool read_polled(uint64_t va, uint32_t* out);
    bool read_by_uche(uint64_t va, void* out, uint64_t size_B);
    bool read_from(window::Window& memory, uint64_t va, void* out, uint64_t size_B);
    bool write(uint64_t va, const void* data, uint64_t size_B);
    /// For an event, whose value is written when the earlier work has ended.
    bool write_later(uint64_t va, const void* data, uint64_t size_B, Writer by = Writer::Event);
    bool write_to_memory(uint64_t va, const void* data, uint64_t size_B);
    bool refused(const window::Window& memory, uint64_t va, const char* access);
    void update_caches();

    /// The result of what fails: a step, or false.
    struct Failed {
        operator Step() const { return Step::Fault; }
        operator bool() const { return false; }
    };
    Failed fail(FaultKind kind, const char* format, ...) __attribute__((format(printf, 3, 4)));
    /// fail() as FaultKind::Hardware.
    Failed bad(const char* format, ...) __attribute__((format(printf, 2, 3)));
    Failed report(FaultKind kind, const char* format, va_list arguments);
    /// Passes on the fault of Work or of a register.
    Failed passed_on();
    /// Checks a rule of caches and order: "" is no fault.
    bool holds(std::string why);
    static Step result(bool ok) { return ok ? Step::Next : Step::Fault; }

    Machine& machine_;
    Work& work_;
    window::Window memory_;  // as the CP may read it
    RegisterAccess access_;

    std::vector<IndirectBuffer> commands_;
    size_t next_command_ = 0;
    std::array<Frame, 3> frames_;
    unsigned depth_ = 0;
    std::vector<uint32_t> words_;   // the payload of the current packet
    std::vector<uint32_t> loaded_;  // the state that it loads
    uint64_t packets_ = 0;
    bool progressed_ = false;
    Fault fault_;
    // The current packet, for reports.
    uint64_t packet_va_ = 0;
    uint32_t header_ = 0;

    std::array<Group, 32> groups_{};
    uint32_t pending_ = 0, immediate_ = 0;  // groups: those that run at the next draw, those that run now
    bool load_when_set_ = false;            // CP_SET_MODE
    BinLoop bins_;
    uint32_t predicate_ = 0;  // a bit for each that CP_REG_TEST can set
    std::array<uint32_t, 8> scratch_{};
    bool has_bin_data_ = false, visibility_override_ = false;
    uint32_t visibility_index_ = 0;
    std::optional<uint32_t> subdraw_size_;  // CP_SET_SUBDRAW_SIZE of this submit
    bool predication_ = false, predication_here_ = true, predicate_passes_ = true;  // CP_DRAW_PRED_*
    host::RunningCount primitive_counters_[Machine::kPrimitiveCounters];            // RBBM_PRIMCTR
    PerfCounters counters_;
};

/// A packet's payload; missing words are 0.
template <class T>
T unpacked(std::span<const uint32_t> payload) {
    uint32_t words[T::kSize_dw] = {};
    for (size_t i = 0; i < T::kSize_dw && i < payload.size(); ++i)
        words[i] = payload[i];
    T packet;
    unpack(words, &packet);
    return packet;
}

template <class F, class Packet>
CommandProcessor::Step CommandProcessor::unpacked_for(Payload payload) {
    F family{{*this, payload}};
    if constexpr (requires { family.before(); })
        if (const Step step = family.before(); step != Step::Next) return step;
    return family.run(unpacked<Packet>(payload));
}

}  // namespace terrazzo::adreno::sim
