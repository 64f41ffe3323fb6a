// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/replay.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <vector>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/decode/rd.h"
#include "drivers/adreno/sim/cp/command_processor.h"
#include "drivers/adreno/sim/picture.h"
#include "drivers/adreno/sim/work.h"
#include "drivers/common/capture/gzip.h"
#include "drivers/common/capture/limits.h"
#include "winsys/clock.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint64_t kTimestamp_hz = 19'200'000;

class ReplayHost final : public Host {
  public:
    capture::RecordedSpace& space() override { return memory; }
    uint64_t timestamp() const override { return winsys::monotonic_ns() / 1000 * kTimestamp_hz / 1'000'000; }
    bool should_stop() const override { return winsys::monotonic_ns() > deadline_ns; }

    capture::RecordedSpace memory;
    uint64_t deadline_ns = 0;
};

/// Counts the work and passes it on.
class CountingWork final : public Work {
  public:
    /// `watches`: `last` records the target of draws.
    CountingWork(Machine& machine, std::unique_ptr<Work> work, bool watches, ReplayCounts* counts)
        : machine_(machine), work_(std::move(work)), watches_(watches && work_), counts_(*counts) {}
    LastTarget last;
    void begin_submit() override {
        if (work_) work_->begin_submit();
    }
    bool draw(const DrawCall& call, Fault* fault) override {
        ++counts_.draws;
        if (work_ && !work_->draw(call, fault)) return false;
        if (watches_) last.after_draw(machine_);
        return true;
    }
    bool dispatch(const DispatchCall& call, Fault* fault) override {
        ++counts_.dispatches;
        return !work_ || work_->dispatch(call, fault);
    }
    bool blit_event(Fault* fault) override {
        ++counts_.blits;
        if (work_ && !work_->blit_event(fault)) return false;
        if (watches_) last.after_blit(machine_);
        return true;
    }
    bool blit_2d(Fault* fault) override {
        ++counts_.blits;
        return !work_ || work_->blit_2d(fault);
    }
    bool event(hw::EventType event, Fault* fault) override { return !work_ || work_->event(event, fault); }

  private:
    Machine& machine_;
    const std::unique_ptr<Work> work_;  // null: nothing is executed
    const bool watches_;
    ReplayCounts& counts_;
};

/// The virtual GPU of one chip, made when the file has named it.
struct Gpu {
    Gpu(const hw::Chip& chip, const ReplayOptions& options, ReplayHost& host, ReplayCounts* counts)
        : machine(chip, host, options.threads),
          work(machine, options.draws_nothing ? nullptr : create_work(machine), options.pictures, counts),
          processor(machine, work) {}
    Machine machine;
    CountingWork work;
    CommandProcessor processor;
};

class Player final : public capture::CapturePlayer {
  public:
    Player(const ReplayOptions& options, fields::Sink& sink, ReplayCounts* counts)
        : options_(options), sink_(sink), counts_(*counts) {}
    capture::RecordedSpace& memory() override { return host_.memory; }
    bool chip(const capture::Record& r, std::string* error) override {
        if (r.vendor == capture::Vendor::Adreno) return chip(r.gpu_id, r.variant, error);
        *error = "it is a capture of another vendor's chip";
        return false;
    }
    bool submit(uint32_t, std::span<const capture::RecordedStream> streams, std::string* error) override {
        std::vector<IndirectBuffer> commands;
        for (const capture::RecordedStream& s : streams)
            commands.push_back({s.va, uint32_t(std::min<uint64_t>(s.size_B / 4, UINT32_MAX))});
        return submit(commands, error);
    }

    bool choose(std::string* error) {
        if (options_.device.empty()) return true;
        const std::string name = capture::chip_name(options_);
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
    /// Memory that the recording lacks is zero.
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
        host_.deadline_ns = winsys::monotonic_ns() + options_.limit_ns;
        gpu_->work.begin_submit();
        gpu_->work.last.forget();
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
        draw_picture(counts_.submits++);
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
    /// Shows the submission's last target.
    void draw_picture(uint64_t number) {
        if (!gpu_->work.last.any()) return;
        capture::Picture picture{.submission = number};
        std::string why;
        if (read_picture(gpu_->machine, gpu_->work.last.desc(), &picture, &why)) {
            options_.pictures->picture(picture);
            ++counts_.pictures;
        } else {
            sink_.line(1, "no picture: " + why);
        }
    }
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
    std::vector<IndirectBuffer> commands;  // of one submit: consecutive ones
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
            case decode::RdType::GpuAddr:  // a buffer; its contents may be missing
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

}  // namespace

bool replay(std::span<const uint8_t> file, const ReplayOptions& options, fields::Sink& sink,
            ReplayCounts* counts, std::string* error) {
    std::vector<uint8_t> plain;
    Player player(options, sink, counts);
    if (!player.choose(error)) return false;
    const decode::FileKind kind = decode::file_kind(file);
    if (capture::is_gzip(file)) {
        const char* reason = nullptr;
        if (!capture::gunzip(file, capture::kMostUnpacked_B, &plain, &reason)) {
            *error = reason;
            return false;
        }
        file = plain;
    }
    if (kind == decode::FileKind::Capture) return capture::play_capture(file, player, error);
    if (kind == decode::FileKind::Rd) return replay_rd(file, player, error);
    *error = "it is neither a file of the freedreno tools nor a capture of an Adreno";
    return false;
}

}  // namespace terrazzo::adreno::sim
