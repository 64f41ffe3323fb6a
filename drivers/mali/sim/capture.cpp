// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/capture.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/mali/decode/decode.h"
#include "drivers/mali/sim/gpu.h"
#include "winsys/environment/file_size.h"

namespace terrazzo::mali::sim {

namespace {

namespace virt = winsys::virt;

constexpr uint64_t kPage_B = 4096;
constexpr uint32_t kQueues = 8;  // that a group has at most

/// What becomes of an address space's submissions. Thread: any.
class Recorder {
  public:
    virtual ~Recorder() = default;
    virtual void submit(const virt::AddressSpace& space, uint32_t queue,
                        const virt::panthor::Stream& stream) = 0;
    uint32_t add_group() { return groups_++; }

  private:
    uint32_t groups_ = 0;
};

/// A file, and the pages as the file has them.
class FileRecorder final : public Recorder {
  public:
    FileRecorder(const std::string& name, const hw::Chip& chip, uint64_t limit)
        : file_(std::fopen(name.c_str(), "wb")), left_(limit), writer_(file_) {
        if (!file_) {
            std::fprintf(stderr, "terrazzo: trace: %s: %s\n", name.c_str(), std::strerror(errno));
            left_ = 0;
            return;
        }
        writer_.chip(capture::Vendor::Mali, chip.gpu_id, chip.core_features & 0xff);
    }
    ~FileRecorder() override {
        const winsys::FileSizeSignalBlock no_signal;
        if (file_) std::fclose(file_);
    }
    FileRecorder(const FileRecorder&) = delete;

    void submit(const virt::AddressSpace& space, uint32_t queue,
                const virt::panthor::Stream& stream) override {
        const std::lock_guard lock(mutex_);
        if (left_ == 0) return;
        --left_;
        const winsys::FileSizeSignalBlock no_signal;
        for (const virt::Region& r : space.regions())
            changed_pages(r);
        writer_.submit(stream.va, stream.size_B, queue, {});
        // The process may end at any time.
        if (std::fflush(file_) == 0 && writer_.ok()) return;
        std::fprintf(stderr, "terrazzo: trace: %s\n", std::strerror(errno));
        left_ = 0;
    }

  private:
    using Page = std::array<uint8_t, kPage_B>;
    enum class Change { None, Zeros, Bytes };

    // What is in use may be written meanwhile: `page` is what is recorded.
    Change change(uint64_t va, const uint8_t* host, Page* page) {
        std::memcpy(page->data(), host, kPage_B);
        static const Page zeros{};
        const bool is_zero = *page == zeros;
        const auto [entry, is_new] = pages_.try_emplace(va / kPage_B);
        std::unique_ptr<Page>& known = entry->second;
        if (!is_new && (known ? *known == *page : is_zero)) return Change::None;
        if (is_zero) {
            known.reset();
            return Change::Zeros;
        }
        if (known)
            *known = *page;
        else
            known = std::make_unique<Page>(*page);
        return Change::Bytes;
    }
    // Runs of pages become one record.
    void changed_pages(const virt::Region& r) {
        Change run = Change::None;
        uint64_t begin = r.va_begin;
        const auto end_run = [&](uint64_t end) {
            if (run == Change::Bytes) writer_.memory(begin, bytes_);
            if (run == Change::Zeros) writer_.zeros(begin, end - begin);
            bytes_.clear();
            begin = end;
        };
        for (uint64_t va = r.va_begin; va < r.va_end; va += kPage_B) {
            const Change c = change(va, r.host + (va - r.va_begin), &page_);
            if (c != run || (va - begin) >= kLongestRun_B) end_run(va);
            run = c;
            if (c == Change::Bytes) bytes_.insert(bytes_.end(), page_.begin(), page_.end());
        }
        end_run(r.va_end);
    }

    static constexpr uint64_t kLongestRun_B = uint64_t(16) << 20;

    std::mutex mutex_;
    std::FILE* file_;
    uint64_t left_;
    capture::CaptureWriter writer_;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;  // by number; null: zeros
    std::vector<uint8_t> bytes_;
    Page page_;
};

/// Memory as the decoder wants it. What others write meanwhile may be read.
class SpaceMemory final : public capture::Memory {
  public:
    explicit SpaceMemory(const virt::AddressSpace& space) : space_(space) {}
    bool read(uint64_t va, void* dst, size_t size_B) const override {
        virt::MemoryFault fault;
        return space_.read(va, dst, size_B, &fault);
    }

  private:
    const virt::AddressSpace& space_;
};

/// The decoder's text, one submission in one piece.
class TextRecorder final : public Recorder {
  public:
    TextRecorder(std::FILE* out, unsigned number, uint64_t limit)
        : out_(out), number_(number), limit_(limit) {}

    void submit(const virt::AddressSpace& space, uint32_t queue,
                const virt::panthor::Stream& stream) override {
        const std::lock_guard lock(mutex_);
        if (count_ == limit_) return;
        fields::StringSink sink;
        char head[128];
        std::snprintf(head, sizeof head, "Submission %llu of address space %u: queue %u, %u bytes @0x%llx",
                      static_cast<unsigned long long>(count_++), number_, queue, stream.size_B,
                      static_cast<unsigned long long>(stream.va));
        sink.line(0, head);
        (void)decode::print_stream(SpaceMemory(space), stream.va, stream.size_B, &registers_[queue], sink);
        const winsys::FileSizeSignalBlock no_signal;
        std::fwrite(sink.text.data(), 1, sink.text.size(), out_);
        std::fflush(out_);
    }

  private:
    std::mutex mutex_;
    std::FILE* const out_;
    const unsigned number_;
    const uint64_t limit_;
    uint64_t count_ = 0;
    std::map<uint32_t, decode::Registers> registers_;  // by queue
};

class CaptureGroup final : public virt::panthor::GpuGroup {
  public:
    CaptureGroup(std::unique_ptr<virt::panthor::GpuGroup> group, virt::panthor::GpuHost& host,
                 Recorder& recorder, size_t queues)
        : group_(std::move(group)),
          host_(host),
          recorder_(recorder),
          first_queue_(recorder.add_group() * kQueues),
          begun_(queues) {}
    virt::RunResult run(uint32_t queue, const virt::panthor::Stream& stream) override {
        if (queue < begun_.size() && begun_[queue] != stream.number) {
            begun_[queue] = stream.number;
            const virt::AddressSpace::Use use(host_.memory());
            recorder_.submit(host_.memory(), first_queue_ + queue, stream);
        }
        return group_ ? group_->run(queue, stream) : virt::RunResult{};
    }

  private:
    std::unique_ptr<virt::panthor::GpuGroup> group_;
    virt::panthor::GpuHost& host_;
    Recorder& recorder_;
    const uint32_t first_queue_;
    std::vector<uint64_t> begun_;  // a queue: the number of the stream that was recorded last
};

class CaptureGpu final : public virt::panthor::Gpu {
  public:
    CaptureGpu(const hw::Chip& chip, std::unique_ptr<virt::panthor::Gpu> gpu, TraceOptions options)
        : chip_(chip), gpu_(std::move(gpu)), options_(std::move(options)), info_(gpu_info(chip)) {}
    const virt::panthor::GpuInfo& info() const override { return info_; }
    std::unique_ptr<virt::panthor::GpuGroup> create_group(const virt::panthor::GroupDesc& desc,
                                                          virt::panthor::GpuHost& host) override {
        std::unique_ptr<virt::panthor::GpuGroup> group;
        if (gpu_ && !(group = gpu_->create_group(desc, host))) return nullptr;
        // Kept until the device goes: groups come and go, and an address space at an old one's place only
        // shares its file.
        std::unique_ptr<Recorder>& recorder = recorders_[&host.memory()];
        if (!recorder) recorder = create_recorder(recorders_.size() - 1);
        return std::make_unique<CaptureGroup>(std::move(group), host, *recorder,
                                              desc.queue_priorities.size());
    }

  private:
    std::unique_ptr<Recorder> create_recorder(size_t others) const {
        if (options_.file.empty())
            return std::make_unique<TextRecorder>(options_.text, unsigned(others), options_.limit);
        return std::make_unique<FileRecorder>(
            others ? options_.file + "." + std::to_string(others) : options_.file, chip_, options_.limit);
    }

    const hw::Chip& chip_;
    const std::unique_ptr<virt::panthor::Gpu> gpu_;
    const TraceOptions options_;
    const virt::panthor::GpuInfo info_;
    std::map<const virt::AddressSpace*, std::unique_ptr<Recorder>> recorders_;
};

}  // namespace

bool trace_options(const pipe::DebugOptions& debug, TraceOptions* out) {
    if (!debug.words.has(pipe::DebugWord::Trace)) return false;
    TraceOptions o;
    o.file = debug.trace_file;
    o.limit = debug.trace_limit;
    if (const size_t at = o.file.find("%p"); at != std::string::npos)
        o.file.replace(at, 2, std::to_string(getpid()));
    *out = std::move(o);
    return true;
}

std::unique_ptr<virt::panthor::Gpu> create_capture_gpu(const hw::Chip& chip,
                                                       std::unique_ptr<virt::panthor::Gpu> gpu,
                                                       TraceOptions options) {
    return std::make_unique<CaptureGpu>(chip, std::move(gpu), std::move(options));
}

}  // namespace terrazzo::mali::sim
