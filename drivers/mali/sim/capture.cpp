// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/capture.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "drivers/common/capture/capture.h"
#include "drivers/mali/sim/gpu.h"

namespace terrazzo::mali::sim {

namespace {

namespace virt = winsys::virt;

constexpr uint64_t kPage_B = 4096;
constexpr uint32_t kQueues = 8;  // that a group has at most

/// An address space's file, and its pages as the file has them. Thread: any.
class Recorder {
  public:
    Recorder(const std::string& name, const hw::Chip& chip, uint64_t limit)
        : file_(std::fopen(name.c_str(), "wb")), left_(limit), writer_(file_) {
        if (!file_) {
            std::fprintf(stderr, "terrazzo: trace: %s: %s\n", name.c_str(), std::strerror(errno));
            left_ = 0;
            return;
        }
        writer_.chip(capture::Vendor::Mali, chip.gpu_id, chip.core_features & 0xff);
    }
    ~Recorder() {
        if (file_) std::fclose(file_);
    }
    Recorder(const Recorder&) = delete;

    void submit(const virt::AddressSpace& space, uint32_t queue, const virt::Stream& stream) {
        const std::lock_guard lock(mutex_);
        if (left_ == 0) return;
        --left_;
        for (const virt::Region& r : space.regions())
            changed_pages(r);
        writer_.submit(stream.va, stream.size_B, queue, {});
        // The process may end at any time.
        if (std::fflush(file_) == 0 && writer_.ok()) return;
        std::fprintf(stderr, "terrazzo: trace: %s\n", std::strerror(errno));
        left_ = 0;
    }
    uint32_t add_group() { return groups_++; }

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
    uint32_t groups_ = 0;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;  // by number; null: zeros
    std::vector<uint8_t> bytes_;
    Page page_;
};

class CaptureGroup final : public virt::GpuGroup {
  public:
    CaptureGroup(std::unique_ptr<virt::GpuGroup> group, virt::GpuHost& host, Recorder& recorder,
                 size_t queues)
        : group_(std::move(group)),
          host_(host),
          recorder_(recorder),
          first_queue_(recorder.add_group() * kQueues),
          begun_(queues) {}
    virt::RunResult run(uint32_t queue, const virt::Stream& stream) override {
        if (queue < begun_.size() && begun_[queue] != stream.number) {
            begun_[queue] = stream.number;
            const virt::AddressSpace::Use use(host_.memory());
            recorder_.submit(host_.memory(), first_queue_ + queue, stream);
        }
        return group_ ? group_->run(queue, stream) : virt::RunResult{};
    }

  private:
    std::unique_ptr<virt::GpuGroup> group_;
    virt::GpuHost& host_;
    Recorder& recorder_;
    const uint32_t first_queue_;
    std::vector<uint64_t> begun_;  // a queue: the number of the stream that was recorded last
};

class CaptureGpu final : public virt::Gpu {
  public:
    CaptureGpu(const hw::Chip& chip, std::unique_ptr<virt::Gpu> gpu, TraceOptions options)
        : chip_(chip), gpu_(std::move(gpu)), options_(std::move(options)), info_(gpu_info(chip)) {}
    const virt::GpuInfo& info() const override { return info_; }
    std::unique_ptr<virt::GpuGroup> create_group(const virt::GroupDesc& desc, virt::GpuHost& host) override {
        std::unique_ptr<virt::GpuGroup> group;
        if (gpu_ && !(group = gpu_->create_group(desc, host))) return nullptr;
        // Kept until the device goes: groups come and go, and an address space at an old one's place only
        // shares its file.
        std::unique_ptr<Recorder>& recorder = recorders_[&host.memory()];
        if (!recorder) {
            const size_t others = recorders_.size() - 1;
            recorder = std::make_unique<Recorder>(
                others ? options_.file + "." + std::to_string(others) : options_.file, chip_, options_.limit);
        }
        return std::make_unique<CaptureGroup>(std::move(group), host, *recorder,
                                              desc.queue_priorities.size());
    }

  private:
    const hw::Chip& chip_;
    const std::unique_ptr<virt::Gpu> gpu_;
    const TraceOptions options_;
    const virt::GpuInfo info_;
    std::map<const virt::AddressSpace*, std::unique_ptr<Recorder>> recorders_;
};

}  // namespace

bool parse_trace(const char* list, TraceOptions* out) {
    TraceOptions o;
    for (std::string_view rest = list ? list : ""; !rest.empty();) {
        const size_t end = rest.find(',');
        const std::string word(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (word.starts_with("trace:")) o.file = word.substr(6);
        if (word.starts_with("trace-limit:")) o.limit = std::strtoull(word.c_str() + 12, nullptr, 10);
    }
    if (o.file.empty()) return false;
    if (const size_t at = o.file.find("%p"); at != std::string::npos)
        o.file.replace(at, 2, std::to_string(getpid()));
    *out = std::move(o);
    return true;
}

std::unique_ptr<virt::Gpu> create_capture_gpu(const hw::Chip& chip, std::unique_ptr<virt::Gpu> gpu,
                                              TraceOptions options) {
    return std::make_unique<CaptureGpu>(chip, std::move(gpu), std::move(options));
}

}  // namespace terrazzo::mali::sim
