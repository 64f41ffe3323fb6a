// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/host/gpu.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "drivers/common/threads/cpu.h"
#include "winsys/environment/file_size.h"

namespace terrazzo::host {

namespace {

namespace virt = winsys::virt;

class KernelSpace final : public window::Space {
  public:
    explicit KernelSpace(virt::AddressSpace& space) : space_(space) {}
    window::Mapping find(uint64_t va) override {
        const virt::Region r = space_.lookup(va);
        return {r.va_begin, r.va_end, r.host, r.allows(virt::Access::Write), r.allows(virt::Access::Execute)};
    }
    uint64_t epoch() const override { return space_.epoch(); }

  private:
    virt::AddressSpace& space_;
};

class KernelHost final : public Host {
  public:
    explicit KernelHost(virt::GpuHost& host) : host_(host), space_(host.memory()) {}
    window::Space& space() override { return space_; }
    uint64_t timestamp() const override { return host_.timestamp(); }
    bool should_stop() const override { return host_.should_stop(); }
    void note_progress() override { host_.note_progress(); }
    uint64_t grow_heap(uint64_t context_va, uint32_t in_flight, uint32_t pending_fragment) override {
        const virt::HeapGrowth g = host_.grow_heap(context_va, in_flight, pending_fragment);
        return g.error ? 0 : g.chunk_va;
    }

  private:
    virt::GpuHost& host_;
    KernelSpace space_;
};

bool is_core_dump(const std::string& file) {
    return file.ends_with(".devcd");
}

/// Writes the GPU's state at its first fault to a file. Thread: any.
class CoreDump {
  public:
    explicit CoreDump(std::string file) : file_(std::move(file)) {}
    void write(Group& group, const Submit& submit, const virt::AddressSpace& space) {
        if (file_.empty() || written_.test_and_set()) return;
        const winsys::FileSizeSignalBlock no_signal;
        std::FILE* const file = std::fopen(file_.c_str(), "wb");
        const bool good = file && group.write_core_dump(file, submit, space);
        if ((file && std::fclose(file) != 0) || !good)
            std::fprintf(stderr, "terrazzo: trace: %s: %s\n", file_.c_str(), std::strerror(errno));
        else
            std::fprintf(stderr, "terrazzo: trace: %s has what the GPU was at its first fault\n",
                         file_.c_str());
    }

  private:
    const std::string file_;
    std::atomic_flag written_;
};

class KernelGroup final : public virt::GpuGroup {
  public:
    /// `recorder`: null, or gets the submits.
    KernelGroup(const Chip& chip, virt::GpuHost& host, uint32_t queues, capture::Recorder* recorder,
                CoreDump& dump)
        : space_(host.memory()), host_(host), recorder_(recorder), dump_(dump), begun_(queues) {
        if (recorder) first_queue_ = recorder->add_group() * chip.most_queues();
    }
    /// False: out of memory.
    bool init(const Chip& chip, const GroupOptions& options) {
        group_ = chip.create_group(host_, options);
        return group_ != nullptr;
    }
    RunResult run(uint32_t queue, const Submit& submit) override {
        const virt::AddressSpace::Use use(space_);
        if (recorder_ && queue < begun_.size() && begun_[queue] != submit.number) {
            begun_[queue] = submit.number;
            recorder_->submit(space_, first_queue_ + queue, submit.streams);
        }
        if (!group_) return {};
        RunResult result = group_->run(queue, submit);
        if (result.status == RunStatus::Fault || result.status == RunStatus::Fatal)
            dump_.write(*group_, submit, space_);
        return result;
    }

  private:
    virt::AddressSpace& space_;
    KernelHost host_;
    capture::Recorder* const recorder_;
    CoreDump& dump_;
    uint32_t first_queue_ = 0;
    std::vector<uint64_t> begun_;  // by queue: the number of the submit that was recorded last
    std::unique_ptr<Group> group_;
};

class VirtualGpu final : public virt::Gpu {
  public:
    VirtualGpu(const Chip& chip, GpuOptions options)
        : chip_(chip),
          runs_(options.runs),
          threads_(options.threads),
          dump_(options.trace && is_core_dump(options.trace->file) ? options.trace->file : std::string()) {
        if (options.trace && !is_core_dump(options.trace->file))
            recorders_.emplace(chip, std::move(*options.trace));
    }
    std::unique_ptr<virt::GpuGroup> create_group(uint32_t queues, virt::GpuHost& host) override {
        auto group = std::make_unique<KernelGroup>(
            chip_, host, queues, recorders_ ? &recorders_->of(host.memory()) : nullptr, dump_);
        if (runs_ && !group->init(chip_, {.queues = queues, .threads = threads_})) return nullptr;
        return group;
    }

  private:
    const Chip& chip_;
    const bool runs_;
    const unsigned threads_;
    std::optional<capture::Recorders> recorders_;
    CoreDump dump_;
};

}  // namespace

std::unique_ptr<virt::Gpu> create_gpu(const Chip& chip, GpuOptions options) {
    return std::unique_ptr<virt::Gpu>(new (std::nothrow) VirtualGpu(chip, std::move(options)));
}

std::shared_ptr<virt::Device> Chip::create_device(bool runs, uint64_t run_timeout_ns) const {
    constexpr uint64_t kForever_ns = uint64_t{1} << 62;  // sums with it do not overflow
    virt::SchedulerOptions scheduler;
    if (run_timeout_ns) scheduler.run_timeout_ns = std::min(run_timeout_ns, kForever_ns);
    GpuOptions options{.runs = runs, .threads = threads::default_threads(), .trace = {}};
    if (capture::TraceOptions trace; capture::trace_options(pipe::debug_options(), &trace)) {
        const char* const why = !is_core_dump(trace.file) ? nullptr
                                : !runs                   ? "nothing runs, so nothing faults"
                                : !writes_core_dumps()    ? "the chip's kernel driver has no core dumps"
                                                          : nullptr;
        if (why)
            std::fprintf(stderr, "terrazzo: trace: %s is not written on %s: %s\n", trace.file.c_str(),
                         std::string(name()).c_str(), why);
        else
            options.trace = std::move(trace);
    }
    std::unique_ptr<virt::Gpu> gpu;
    if ((runs || options.trace) && !(gpu = create_gpu(*this, std::move(options)))) return nullptr;
    return create_kernel_device(std::move(gpu), std::move(scheduler));
}

}  // namespace terrazzo::host
