// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A command processor with memory in an array. Its work only records the requests.
#pragma once

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "drivers/adreno/hw/pm4.h"
#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"

namespace terrazzo::adreno::sim::cp_test {

/// Blocks of memory at addresses.
class ArraySpace final : public window::Space {
  public:
    struct Block {
        std::vector<uint32_t> words;
        bool writable = true;
    };
    window::Mapping find(uint64_t va) override {
        auto at = blocks.upper_bound(va);
        if (at == blocks.begin()) return {};
        --at;
        const uint64_t end = at->first + at->second.words.size() * 4;
        if (va >= end) return {};
        return {at->first, end, reinterpret_cast<uint8_t*>(at->second.words.data()), at->second.writable,
                true};
    }
    uint64_t epoch() const override { return number; }

    std::map<uint64_t, Block> blocks;
    uint64_t number = 0;
};

class ArrayHost final : public Host {
  public:
    window::Space& space() override { return memory; }
    uint64_t timestamp() const override { return time; }
    bool should_stop() const override { return stop; }
    void note_progress() override { ++progress; }

    ArraySpace memory;
    uint64_t time = 0x1'2345'6789;
    bool stop = false;
    unsigned progress = 0;
};

class RecordingWork final : public Work {
  public:
    explicit RecordingWork(Machine& m) : machine(m) {}
    bool draw(const DrawCall& call, Fault* fault) override {
        draws.push_back(call);
        modes.push_back(machine.mode);
        seen.push_back(machine.registers.value(watched));
        log += 'd';
        if (!read_by_uche(fault)) return false;
        return !fails || fail(fault, FaultKind::Shader, "the shader is bad");
    }
    bool dispatch(const DispatchCall& call, Fault* fault) override {
        dispatches.push_back(call);
        log += 'c';
        const uint64_t va = uint64_t(machine.registers.value(kStores)) << 8;
        if (va) machine.uche_space().stored(va, 64);
        return read_by_uche(fault);
    }
    bool blit_event(Fault*) override {
        log += 'b';
        return true;
    }
    bool blit_2d(Fault* fault) override {
        log += '2';
        return machine.registers.get<hw::GRAS_2D_BLIT_CNTL>().value.solid_color || read_by_uche(fault);
    }
    bool event(hw::EventType type, Fault*) override {
        log += type == hw::EventType::LRZ_CLEAR ? 'l' : 'e';
        return true;
    }

    /// Reads like a texture unit.
    bool read_by_uche(Fault* fault) {
        uint32_t word = 0;
        const uint64_t va = uint64_t(machine.registers.value(kReads)) << 8;
        return !va || machine.uche.read(va, &word, 4) ||
               fail(fault, FaultKind::Memory, to_string(machine.uche.fault()));
    }

    /// Draws, dispatches and copies read from 256 times this register's value; 0: no read.
    static constexpr uint16_t kReads = hw::CP_SCRATCH::at(0);
    /// Dispatches store 64 bytes there, in the same way.
    static constexpr uint16_t kStores = hw::CP_SCRATCH::at(1);

    Machine& machine;
    std::vector<DrawCall> draws;
    std::vector<RenderMode> modes;  // at each draw
    std::vector<uint32_t> seen;     // the value of `watched` at each draw
    std::vector<DispatchCall> dispatches;
    std::string log;
    uint16_t watched = hw::VFD_INDEX_OFFSET::kRegister;
    bool fails = false;
};

/// The words of a stream.
class Stream {
  public:
    Stream& words(std::initializer_list<uint32_t> values) {
        all.insert(all.end(), values);
        return *this;
    }
    Stream& words(const Stream& other) {
        all.insert(all.end(), other.all.begin(), other.all.end());
        return *this;
    }
    /// A write of registers, from the register of T on.
    template <class T>
    requires requires { T::kRegister; }
    Stream& reg(const T& value, unsigned element = 0) {
        all.push_back(hw::pack_type4(T::at(element), T::kSize_dw));
        return body(value);
    }
    Stream& reg(uint16_t number, uint32_t value) { return words({hw::pack_type4(number, 1), value}); }
    /// A packet, with more words after those of T.
    template <class T>
    Stream& packet(const T& value, std::initializer_list<uint32_t> tail = {}) {
        all.push_back(hw::pack_type7(T::kOpcode, uint32_t(T::kSize_dw + tail.size())));
        body(value);
        return words(tail);
    }
    Stream& opcode(hw::Pm4Opcode opcode, std::initializer_list<uint32_t> payload = {}) {
        all.push_back(hw::pack_type7(opcode, uint32_t(payload.size())));
        return words(payload);
    }
    Stream& draw(uint32_t count = 3) {
        hw::CpDrawIndxOffset d;
        d.initiator.source_select = hw::SourceSelect::DI_SRC_SEL_AUTO_INDEX;
        d.num_instances = 1;
        d.num_indices = count;
        return packet(d);
    }
    Stream& marker(hw::Marker mode) {
        hw::CpSetMarker m;
        m.mode = mode;
        return packet(m);
    }
    uint32_t size_dw() const { return uint32_t(all.size()); }

    std::vector<uint32_t> all;

  private:
    template <class T>
    Stream& body(const T& value) {
        all.resize(all.size() + T::kSize_dw);
        pack(value, all.data() + all.size() - T::kSize_dw);
        return *this;
    }
};

inline constexpr uint64_t kBefore = 0xe000, kStream = 0x10000, kData = 0x2'0000'0000;

struct Gpu {
    ArrayHost host;
    Machine machine;
    RecordingWork work;
    CommandProcessor processor;

    explicit Gpu(const char* chip = "adreno-630")
        : machine(*hw::find_chip(chip), host, 1), work(machine), processor(machine, work) {
        processor.packet_limit = 100000;
        host.memory.blocks[kData].words.resize(1024);
    }
    Gpu& buffer(uint64_t va, const Stream& stream) {
        host.memory.blocks[va].words = stream.all;
        ++host.memory.number;
        return *this;
    }
    /// Runs the stream as a submit. Returns "" when it is done, "blocked", "stopped", or the fault's report.
    /// A separate buffer before it invalidates the UCHE.
    std::string run(const Stream& stream) {
        Stream before;
        before.opcode(hw::Pm4Opcode::CP_EVENT_WRITE, {uint32_t(hw::EventType::CACHE_INVALIDATE)});
        before.opcode(hw::Pm4Opcode::CP_WAIT_FOR_IDLE);
        buffer(kBefore, before).buffer(kStream, stream);
        const IndirectBuffer both[] = {{kBefore, before.size_dw()}, {kStream, stream.size_dw()}};
        processor.start(both);
        return go_on();
    }
    std::string run_alone(const Stream& stream) {
        buffer(kStream, stream);
        const IndirectBuffer ib{kStream, stream.size_dw()};
        processor.start({&ib, 1});
        return go_on();
    }
    std::string go_on() {
        switch (processor.run()) {
            case RunStatus::Done:
                return "";
            case RunStatus::Blocked:
                return "blocked";
            case RunStatus::Stopped:
                return "stopped";
            case RunStatus::Fault:
            case RunStatus::Fatal:
                return processor.fault().report;
        }
        return "?";
    }
    /// Word i of the data block.
    uint32_t& data(unsigned i) { return host.memory.blocks[kData].words[i]; }
    uint32_t value(uint16_t reg) const { return machine.registers.value(reg); }
};

inline bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

}  // namespace terrazzo::adreno::sim::cp_test
