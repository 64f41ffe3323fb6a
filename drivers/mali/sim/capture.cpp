// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/sim/capture.h"

#include <map>
#include <vector>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/sim/gpu.h"

namespace terrazzo::mali::sim {

namespace {

namespace virt = winsys::virt;

constexpr uint32_t kQueues = 8;  // the most queues of a group

class Printer final : public capture::StreamPrinter {
  public:
    void print(const capture::Memory& memory, uint32_t queue, const capture::Stream& stream,
               fields::Sink& sink) override {
        (void)decode::print_stream(memory, stream.va, stream.size_B, &registers_[queue], sink);
    }

  private:
    std::map<uint32_t, decode::Registers> registers_;  // by queue
};

class Vendor final : public capture::TraceVendor {
  public:
    explicit Vendor(const hw::Chip& chip) : chip_(chip) {}
    void write_chip(capture::CaptureWriter& writer) const override {
        writer.chip(capture::Vendor::Mali, chip_.gpu_id, chip_.core_features & 0xff);
    }
    std::unique_ptr<capture::StreamPrinter> create_printer() const override {
        return std::make_unique<Printer>();
    }

  private:
    const hw::Chip& chip_;
};

class CaptureGroup final : public virt::panthor::GpuGroup {
  public:
    CaptureGroup(std::unique_ptr<virt::panthor::GpuGroup> group, virt::panthor::GpuHost& host,
                 capture::Recorder& recorder, size_t queues)
        : group_(std::move(group)),
          host_(host),
          recorder_(recorder),
          first_queue_(recorder.add_group() * kQueues),
          begun_(queues) {}
    virt::RunResult run(uint32_t queue, const virt::panthor::Stream& stream) override {
        if (queue < begun_.size() && begun_[queue] != stream.number) {
            begun_[queue] = stream.number;
            const virt::AddressSpace::Use use(host_.memory());
            const capture::Stream recorded{stream.va, stream.size_B};
            recorder_.submit(host_.memory(), first_queue_ + queue, {&recorded, 1});
        }
        return group_ ? group_->run(queue, stream) : virt::RunResult{};
    }

  private:
    std::unique_ptr<virt::panthor::GpuGroup> group_;
    virt::panthor::GpuHost& host_;
    capture::Recorder& recorder_;
    const uint32_t first_queue_;
    std::vector<uint64_t> begun_;  // by queue: the number of the stream that was recorded last
};

class CaptureGpu final : public virt::panthor::Gpu {
  public:
    CaptureGpu(const hw::Chip& chip, std::unique_ptr<virt::panthor::Gpu> gpu, capture::TraceOptions options)
        : gpu_(std::move(gpu)),
          info_(gpu_info(chip)),
          recorders_(std::make_unique<Vendor>(chip), std::move(options)) {}
    const virt::panthor::GpuInfo& info() const override { return info_; }
    std::unique_ptr<virt::panthor::GpuGroup> create_group(const virt::panthor::GroupDesc& desc,
                                                          virt::panthor::GpuHost& host) override {
        std::unique_ptr<virt::panthor::GpuGroup> group;
        if (gpu_ && !(group = gpu_->create_group(desc, host))) return nullptr;
        return std::make_unique<CaptureGroup>(std::move(group), host, recorders_.of(host.memory()),
                                              desc.queue_priorities.size());
    }

  private:
    const std::unique_ptr<virt::panthor::Gpu> gpu_;
    const virt::panthor::GpuInfo info_;
    capture::Recorders recorders_;
};

}  // namespace

std::unique_ptr<virt::panthor::Gpu> create_capture_gpu(const hw::Chip& chip,
                                                       std::unique_ptr<virt::panthor::Gpu> gpu,
                                                       capture::TraceOptions options) {
    return std::make_unique<CaptureGpu>(chip, std::move(gpu), std::move(options));
}

}  // namespace terrazzo::mali::sim
