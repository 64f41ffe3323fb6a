// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/replay.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/decode/rd.h"
#include "drivers/adreno/sim/cp/command_processor.h"
#include "drivers/adreno/sim/work.h"
#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/gzip.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint64_t kMostFile_B = uint64_t(2) << 30, kMostMemory_B = uint64_t(8) << 30;
constexpr uint64_t kGap_B = uint64_t(1) << 26, kFirst = 4096;
constexpr uint64_t kTimestamp_hz = 19'200'000;

struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
};

/// Buffers of a recording, and zeros where it lacks some: the kernel records what a program marked for it alone. Pages that nobody
/// writes cost nothing.
class RecordedSpace final : public window::Space {
  public:
    window::Mapping find(uint64_t va) override {
        const std::lock_guard lock(mutex_);
        const window::Mapping there = recorded(va);
        return there.end ? there : missing(va);
    }
    /// Without zeros.
    window::Mapping recorded(uint64_t va) {
        auto at = blocks_.upper_bound(va);
        if (at == blocks_.begin()) return {};
        --at;
        const uint64_t end = at->first + at->second.size_B;
        if (va >= end) return {};
        return {at->first, end, at->second.bytes.get(), true, true};
    }
    uint64_t epoch() const override { return epoch_; }

    /// Memory is there from now on: what it held, or zeros. False: too much of it, or it wraps around.
    bool map(uint64_t va, uint64_t size_B) {
        if (!size_B) return true;
        uint64_t begin = va, end = va + size_B;
        if (end < begin) return false;
        const window::Mapping there = recorded(va);
        if (there.end >= end) return true;
        // One block in place of all that it touches.
        auto first = blocks_.lower_bound(va);
        if (there.end && there.begin < va) --first;
        auto last = first;
        for (; last != blocks_.end() && last->first < end; ++last) {
            begin = std::min(begin, last->first);
            end = std::max(end, last->first + last->second.size_B);
        }
        if (end - begin > kMostMemory_B - total_B_) return false;
        Block block{std::unique_ptr<uint8_t, Free>(static_cast<uint8_t*>(std::calloc(1, end - begin))),
                    end - begin};
        if (!block.bytes) return false;
        for (auto at = first; at != last; ++at) {
            std::memcpy(block.bytes.get() + (at->first - begin), at->second.bytes.get(), at->second.size_B);
            total_B_ -= at->second.size_B;
        }
        blocks_.erase(first, last);
        total_B_ += block.size_B;
        blocks_.emplace(begin, std::move(block));
        ++epoch_;
        return true;
    }
    bool put(uint64_t va, std::span<const uint8_t> bytes) {
        if (!map(va, bytes.size())) return false;
        if (bytes.empty()) return true;
        const window::Mapping there = recorded(va);
        std::memcpy(there.host + (va - there.begin), bytes.data(), bytes.size());
        uint64_t& end = contents_[va];
        end = std::max(end, va + bytes.size());
        return true;
    }
    /// Whether the recording has what is there.
    bool has_contents(uint64_t va) const {
        const auto next = contents_.upper_bound(va);
        return next != contents_.begin() && va < std::prev(next)->second;
    }
    bool fills_gaps = false;

  private:
    /// Zeros around an address between the buffers.
    window::Mapping missing(uint64_t va) {
        if (!fills_gaps || va < kFirst) return {};
        uint64_t begin = va & ~(kGap_B - 1), end = begin + kGap_B;
        const auto next = blocks_.upper_bound(va);
        if (next != blocks_.end()) end = std::min(end, next->first);
        if (next != blocks_.begin())
            begin = std::max(begin, std::prev(next)->first + std::prev(next)->second.size_B);
        if (end <= va || !map(begin, end - begin)) return {};
        return recorded(va);
    }

    struct Block {
        std::unique_ptr<uint8_t, Free> bytes;
        uint64_t size_B;
    };
    std::mutex mutex_;
    std::map<uint64_t, Block> blocks_;
    std::map<uint64_t, uint64_t> contents_;  // of buffers: where they begin and end
    uint64_t total_B_ = 0;
    std::atomic<uint64_t> epoch_{0};
};

uint64_t now_ns() {
    return uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
}

class ReplayHost final : public Host {
  public:
    RecordedSpace& space() override { return memory; }
    uint64_t timestamp() const override { return now_ns() / 1000 * kTimestamp_hz / 1'000'000; }
    bool should_stop() const override { return now_ns() > deadline_ns; }

    RecordedSpace memory;
    uint64_t deadline_ns = 0;
};

/// Counts what passes through, and has it done.
class CountingWork final : public Work {
  public:
    CountingWork(std::unique_ptr<Work> work, ReplayCounts* counts)
        : work_(std::move(work)), counts_(*counts) {}
    void begin_submit() override {
        if (work_) work_->begin_submit();
    }
    bool draw(const DrawCall& call, Fault* fault) override {
        ++counts_.draws;
        return !work_ || work_->draw(call, fault);
    }
    bool dispatch(const DispatchCall& call, Fault* fault) override {
        ++counts_.dispatches;
        return !work_ || work_->dispatch(call, fault);
    }
    bool blit_event(Fault* fault) override {
        ++counts_.blits;
        return !work_ || work_->blit_event(fault);
    }
    bool blit_2d(Fault* fault) override {
        ++counts_.blits;
        return !work_ || work_->blit_2d(fault);
    }
    bool event(hw::EventType event, Fault* fault) override { return !work_ || work_->event(event, fault); }

  private:
    const std::unique_ptr<Work> work_;  // null: nothing is done
    ReplayCounts& counts_;
};

/// The virtual GPU of one chip, made when the chip is known.
struct Gpu {
    Gpu(const hw::Chip& chip, const ReplayOptions& options, ReplayHost& host, ReplayCounts* counts)
        : machine(chip, host, options.threads),
          work(options.draws_nothing ? nullptr : create_work(machine), counts),
          processor(machine, work) {}
    Machine machine;
    CountingWork work;
    CommandProcessor processor;
};

class Player {
  public:
    Player(const ReplayOptions& options, fields::Sink& sink, ReplayCounts* counts)
        : options_(options), sink_(sink), counts_(*counts) {}

    bool choose(std::string* error) {
        if (options_.device.empty()) return true;
        const std::string name =
            options_.device.starts_with("sim:") ? options_.device.substr(4) : options_.device;
        return make(hw::find_chip(name), "there is no chip '" + name + "'", error);
    }
    bool chip(uint32_t gpu_id, uint64_t chip_id, std::string* error) {
        if (gpu_ || !(gpu_id || chip_id)) return true;
        char what[64];
        std::snprintf(what, sizeof what, "no virtual GPU of a chip %u, 0x%08llx", gpu_id,
                      static_cast<unsigned long long>(chip_id));
        return make(hw::find_chip(gpu_id, chip_id), what, error);
    }
    bool map(uint64_t va, uint64_t size_B, std::string* error) {
        return host_.memory.map(va, size_B) || too_much(error);
    }
    bool put(uint64_t va, std::span<const uint8_t> bytes, std::string* error) {
        return host_.memory.put(va, bytes) || too_much(error);
    }
    /// Where the recording lacks memory, there are zeros.
    void fill_gaps() { host_.memory.fills_gaps = true; }
    bool submit(std::span<const IndirectBuffer> commands, std::string* error) {
        if (!gpu_) {
            *error = "the file does not say which chip it is of: --device does";
            return false;
        }
        const uint64_t draws = counts_.draws, dispatches = counts_.dispatches, blits = counts_.blits;
        std::vector<IndirectBuffer> present;
        for (const IndirectBuffer& c : commands)
            if (!host_.memory.fills_gaps || host_.memory.has_contents(c.va)) present.push_back(c);
        host_.deadline_ns = now_ns() + options_.limit_ns;
        gpu_->work.begin_submit();
        gpu_->processor.start(present);
        const CpStatus status = gpu_->processor.run();
        counts_.packets += gpu_->processor.packets();
        char text[128];
        std::snprintf(text, sizeof text,
                      "Submission %llu: %llu packets, %llu draws, %llu dispatches, %llu blits",
                      n(counts_.submits), n(gpu_->processor.packets()), n(counts_.draws - draws),
                      n(counts_.dispatches - dispatches), n(counts_.blits - blits));
        sink_.line(0, text);
        if (present.size() < commands.size())
            sink_.line(1, "of " + std::to_string(commands.size()) + " command buffers, the recording has " +
                              std::to_string(present.size()));
        ++counts_.submits;
        if (status == CpStatus::Done) return true;
        ++counts_.faults;
        gpu_->machine.registers.forget();  // the kernel resets the GPU
        sink_.line(1, "! " + (status == CpStatus::Fault     ? gpu_->processor.fault().report
                              : status == CpStatus::Blocked ? "it waits for memory that nobody writes"
                                                            : std::string("its time is over")));
        return true;
    }

  private:
    static unsigned long long n(uint64_t value) { return value; }
    static bool too_much(std::string* error) {
        *error = "its buffers are larger than a GPU's memory";
        return false;
    }
    bool make(const hw::Chip* chip, const std::string& without, std::string* error) {
        if (chip)
            gpu_ = std::make_unique<Gpu>(*chip, options_, host_, &counts_);
        else
            *error = without;
        return chip;
    }

    const ReplayOptions& options_;
    fields::Sink& sink_;
    ReplayCounts& counts_;
    ReplayHost host_;
    std::unique_ptr<Gpu> gpu_;
};

bool replay_rd(std::span<const uint8_t> file, Player& player, std::string* error) {
    decode::RdReader sections(file);
    uint64_t address = 0;
    std::vector<IndirectBuffer> commands;  // of one submit: those that follow each other
    player.fill_gaps();
    for (decode::RdSection s; sections.next(&s);) {
        bool ok = true;
        if (s.type != decode::RdType::CmdstreamAddr && !commands.empty()) {
            if (!player.submit(commands, error)) return false;
            commands.clear();
        }
        switch (s.type) {
            case decode::RdType::Test:
            case decode::RdType::Cmd:
                break;
            case decode::RdType::GpuAddr:  // a buffer whose contents may not follow
                address = s.va;
                ok = player.map(s.va, s.size, error);
                break;
            case decode::RdType::BufferContents:
                ok = player.put(address, s.data, error);
                break;
            case decode::RdType::GpuId:
                ok = player.chip(uint32_t(s.id), 0, error);
                break;
            case decode::RdType::ChipId:
                ok = player.chip(0, s.id, error);
                break;
            case decode::RdType::CmdstreamAddr:
                commands.push_back({s.va, s.size});
                break;
        }
        if (!ok) return false;
    }
    if (sections.error()) *error = sections.error();
    return !sections.error() && (commands.empty() || player.submit(commands, error));
}

bool replay_capture(std::span<const uint8_t> file, Player& player, std::string* error) {
    capture::CaptureReader reader(file);
    // Command buffers of one submit follow each other, and memory does not change between them.
    std::vector<IndirectBuffer> commands;
    uint32_t queue = 0;
    for (capture::Record r; reader.next(&r);) {
        bool ok = true;
        if (!commands.empty() && (r.type != capture::RecordType::Submit || r.queue != queue)) {
            if (!player.submit(commands, error)) return false;
            commands.clear();
        }
        switch (r.type) {
            case capture::RecordType::Chip:
                ok = player.chip(r.gpu_id, r.variant, error);
                break;
            case capture::RecordType::Memory:
                ok = player.put(r.va, r.bytes, error);
                break;
            case capture::RecordType::Zeros: {
                const std::vector<uint8_t> zeros(size_t(std::min(r.size_B, capture::kMaxZeros_B)));
                ok = player.put(r.va, zeros, error);
                break;
            }
            case capture::RecordType::Note:
                break;
            case capture::RecordType::Submit:
                commands.push_back({r.va, uint32_t(std::min<uint64_t>(r.size_B / 4, UINT32_MAX))});
                queue = r.queue;
                break;
        }
        if (!ok) return false;
    }
    if (!commands.empty() && !reader.error() && !player.submit(commands, error)) return false;
    if (reader.error()) *error = reader.error();
    return !reader.error();
}

}  // namespace

bool replay(std::span<const uint8_t> file, const ReplayOptions& options, fields::Sink& sink,
            ReplayCounts* counts, std::string* error) {
    std::vector<uint8_t> plain;
    Player player(options, sink, counts);
    if (!player.choose(error)) return false;
    const decode::FileKind kind = decode::file_kind(file);
    if (capture::is_gzip(file)) {
        const char* reason = nullptr;
        if (!capture::gunzip(file, kMostFile_B, &plain, &reason)) {
            *error = reason;
            return false;
        }
        file = plain;
    }
    if (kind == decode::FileKind::Capture) return replay_capture(file, player, error);
    if (kind == decode::FileKind::Rd) return replay_rd(file, player, error);
    *error = "it is neither a file of the freedreno tools nor a capture of an Adreno";
    return false;
}

}  // namespace terrazzo::adreno::sim
