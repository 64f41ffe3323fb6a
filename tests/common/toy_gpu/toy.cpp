// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "tests/common/toy_gpu/toy.h"

#include <cstring>
#include <map>
#include <utility>

#include "drivers/common/host/commands.h"
#include "drivers/common/host/text.h"
#include "winsys/virtual/msm/driver.h"

namespace terrazzo::toy {

namespace {

using host::hex_text;
using host::RunResult;
using host::RunStatus;

constexpr uint64_t kTimestamp_hz = 1'000'000;
constexpr uint64_t kCheckEvery = 1024;  // instructions between checks whether to stop

constexpr const char* kNames[] = {"", "SET", "WAIT", "WRITE", "DRAW", "DISPATCH"};
constexpr unsigned kPackets = std::size(kNames);

/// Names from Op::Add on.
constexpr uint32_t (*kAlu[])(uint32_t, uint32_t) = {
    [](uint32_t a, uint32_t b) { return a + b; },
    [](uint32_t a, uint32_t b) { return a - b; },
    [](uint32_t a, uint32_t b) { return a * b; },
    [](uint32_t a, uint32_t b) { return a & b; },
    [](uint32_t a, uint32_t b) { return a | b; },
    [](uint32_t a, uint32_t b) { return a << (b & 31); },
    [](uint32_t a, uint32_t b) { return uint32_t(a < b); },
};

}  // namespace

// ---- The executor ----

bool run_thread(Machine& m, uint32_t x, uint32_t y, uint32_t* result, std::string* why) {
    std::array<uint32_t, 16> r{x, y};
    const uint64_t code = m.registers[kShader], data = m.registers[kUniform];
    for (uint64_t pc = 0;; ++pc) {
        if (++m.instructions % kCheckEvery == 0 && m.host.should_stop()) return false;
        uint32_t word = 0, next = 0;
        const auto refused = [&] {
            *why = "shader at " + hex_text(code) + ", instruction " + std::to_string(pc) + ": " +
                   to_string(m.memory.fault());
            return false;
        };
        if (!m.memory.read(code + pc * 4, &word, 4)) return refused();
        uint32_t& dst = r[word >> 8 & 15];
        const uint32_t a = r[word >> 16 & 15], b = r[word >> 24 & 15];
        ++m.counters.instructions;
        switch (Op(word & 0xff)) {
            case Op::End:
                *result = dst;
                return true;
            case Op::Move:
                if (!m.memory.read(code + ++pc * 4, &next, 4)) return refused();
                dst = next;
                continue;
            case Op::Add:
            case Op::Sub:
            case Op::Mul:
            case Op::And:
            case Op::Or:
            case Op::Shl:
            case Op::Less:
                dst = kAlu[(word & 0xff) - unsigned(Op::Add)](a, b);
                continue;
            case Op::Branch:
                if (a) pc = uint64_t(word >> 8 & 0xff) - 1;
                continue;
            case Op::Load:
                if (!m.memory.load(data + a, &dst, 4)) return refused();
                continue;
            case Op::Store:
                if (!m.memory.store(data + a, b, 4)) return refused();
                continue;
        }
        *why = "shader at " + hex_text(code) + ", instruction " + std::to_string(pc) +
               ": there is no opcode " + std::to_string(word & 0xff);
        return false;
    }
}

// ---- The command processor ----

/// `target`: receives the results; 0: none does.
RunStatus CommandProcessor::run_threads(uint32_t width, uint32_t height, uint64_t target, std::string* why) {
    Machine& m = machine_;
    if (draws_nothing_) return RunStatus::Done;
    for (uint32_t y = 0; y < height; ++y)
        for (uint32_t x = 0; x < width; ++x) {
            uint32_t color = 0;
            if (target) ++m.counters.fragments;
            if (!run_thread(m, x, y, &color, why))
                return why->empty() ? RunStatus::Stopped : RunStatus::Fault;
            if (!target) continue;
            if (!m.memory.write(target + (uint64_t(y) * width + x) * 4, &color, 4))
                return *why = "target: " + to_string(m.memory.fault()), RunStatus::Fault;
        }
    m.host.note_progress();
    return RunStatus::Done;
}

RunStatus CommandProcessor::execute(uint64_t word, std::string* why) {
    Machine& m = machine_;
    const unsigned reg = word >> 48 & 0xff;
    const uint64_t value = word & 0xffff'ffff'ffff;
    uint32_t memory = 0, own = uint32_t(m.registers[kValue]);
    switch (Packet(word >> 56)) {
        case Packet::Set:
            if (reg >= kRegisters)
                return *why = "there is no register " + std::to_string(reg), RunStatus::Fault;
            m.registers[reg] = value;
            return RunStatus::Done;
        case Packet::Wait:
            if (!m.memory.load(value, &memory, 4))
                return *why = to_string(m.memory.fault()), RunStatus::Fault;
            return memory >= own ? RunStatus::Done : RunStatus::Blocked;
        case Packet::Write:
            if (!m.memory.store(value, own, 4)) return *why = to_string(m.memory.fault()), RunStatus::Fault;
            return RunStatus::Done;
        case Packet::Draw:
            ++m.counters.draws;
            return run_threads(uint32_t(m.registers[kWidth]), uint32_t(m.registers[kHeight]),
                               m.registers[kTarget], why);
        case Packet::Dispatch:
            ++m.counters.dispatches;
            return run_threads(uint32_t(value), 1, 0, why);
    }
    return *why = "there is no such packet", RunStatus::Fault;
}

RunResult CommandProcessor::run(const host::Submit& submit) {
    if (submit_ != submit.number) {
        submit_ = submit.number;
        stream_ = at_B_ = 0;
        if (submit.switched) machine_.registers = {};
    }
    machine_.memory.refresh();
    RunResult result{RunStatus::Done, false, 0, {}};
    for (; stream_ < submit.streams.size(); ++stream_, at_B_ = 0)
        for (const host::Stream& s = submit.streams[stream_]; at_B_ + 8 <= s.size_B; at_B_ += 8) {
            if (machine_.host.should_stop()) return {RunStatus::Stopped, true, 0, {}};
            const uint64_t va = s.va + at_B_, draw = machine_.counters.draws;
            uint64_t word = 0;
            if (machine_.memory.read(va, &word, 8))
                result.status = execute(word, &result.report);
            else
                result = {RunStatus::Fault, true, 0, to_string(machine_.memory.fault())};
            if (result.status == RunStatus::Fault) {
                const unsigned opcode = word >> 56;
                result.exception = uint32_t(winsys::virt::msm::Exception::HardwareFault);
                result.report = std::string(opcode < kPackets ? kNames[opcode] : "packet") + " at " +
                                hex_text(va) + ", draw " + std::to_string(draw) + ": " + result.report;
            }
            if (result.status != RunStatus::Done) return result;
            result.progressed = true;
            ++machine_.counters.packets;
        }
    return result;
}

// ---- The group and the chip ----

namespace {

class Group final : public host::Group {
  public:
    Group(host::Host& host, const host::GroupOptions& options)
        : machine_(host), draws_nothing_(options.draws_nothing) {}
    RunResult run(uint32_t queue, const host::Submit& submit) override {
        return queues_.try_emplace(queue, machine_, draws_nothing_).first->second.run(submit);
    }
    const host::Counters& counters() const override { return machine_.counters; }
    bool take_picture(host::Picture* out, std::string* why) override {
        if (draws_ == machine_.counters.draws) return false;
        draws_ = machine_.counters.draws;
        out->resize(uint32_t(machine_.registers[kWidth]), uint32_t(machine_.registers[kHeight]));
        if (machine_.memory.read(machine_.registers[kTarget], out->rgba.data(), out->rgba.size()))
            return true;
        *why = to_string(machine_.memory.fault());
        return false;
    }

  private:
    Machine machine_;
    const bool draws_nothing_;
    std::map<uint32_t, CommandProcessor> queues_;
    uint64_t draws_ = 0;  // at the last picture
};

class Printer final : public capture::StreamPrinter {
  public:
    void print(const capture::Memory& memory, uint32_t, const capture::Stream& stream,
               fields::Sink& sink) override {
        for (uint64_t at_B = 0; at_B + 8 <= stream.size_B; at_B += 8) {
            uint64_t word = 0;
            if (!memory.read(stream.va + at_B, &word, 8)) return sink.line(1, "! not mapped");
            const unsigned opcode = word >> 56;
            sink.line(0, hex_text(stream.va + at_B) + "  " + (opcode < kPackets ? kNames[opcode] : "?") +
                             " r" + std::to_string(word >> 48 & 0xff) + ", " +
                             hex_text(word & 0xffff'ffff'ffff));
        }
    }
};

constexpr const char* kRows[] = {"toy-1"};
constexpr uint32_t kGpuId = 1;

class ToyChip final : public host::Chip {
  public:
    explicit ToyChip(const char* name) : name_(name) {}
    std::string_view name() const override { return name_; }
    std::string_view kernel_driver() const override { return "msm"; }
    winsys::virt::PlatformDevice platform() const override { return {"1000", "gpu", "toy", {"toy,gpu"}}; }
    ChipId chip_id() const override { return {kVendor, kGpuId, 0}; }
    uint32_t most_queues() const override { return 4; }
    uint64_t timestamp_hz() const override { return kTimestamp_hz; }
    std::unique_ptr<host::Group> create_group(host::Host& host,
                                              const host::GroupOptions& options) const override {
        return std::make_unique<Group>(host, options);
    }
    std::unique_ptr<capture::StreamPrinter> create_printer() const override {
        return std::make_unique<Printer>();
    }
    std::shared_ptr<winsys::virt::Device> create_kernel_device(
        std::unique_ptr<winsys::virt::Gpu> gpu, winsys::virt::SchedulerOptions options) const override {
        winsys::virt::msm::GpuInfo info{};
        info.name = name_;
        info.gpu_id = kGpuId;
        info.timestamp_hz = kTimestamp_hz;
        info.rings = 1;
        info.va_start = info.va_size_B = uint64_t(1) << 32;
        return winsys::virt::msm::create_device(info, std::move(gpu), std::move(options));
    }

    static constexpr capture::Vendor kVendor = capture::Vendor(99);

  private:
    const char* const name_;
};

}  // namespace

const host::Vendor& vendor() {
    static const auto& v =  // never destroyed, like its chips
        *new host::Vendor(host::vendor_of<ToyChip>(ToyChip::kVendor, kRows));
    return v;
}

}  // namespace terrazzo::toy
