// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/capture.h"

#include <map>
#include <vector>

#include "drivers/adreno/decode/decode.h"
#include "drivers/adreno/decode/rd.h"
#include "drivers/adreno/sim/chips.h"

namespace terrazzo::adreno::sim {

namespace {

namespace virt = winsys::virt;

constexpr uint32_t kQueues = 16;  // the most that a context has

/// Registers are the context's: each priority has the same.
class Printer final : public capture::StreamPrinter {
  public:
    void print(const capture::Memory& memory, uint32_t, const capture::Stream& stream,
               fields::Sink& sink) override {
        (void)decode::print_stream(memory, stream.va, stream.size_B / 4, &registers_, sink);
    }

  private:
    decode::Registers registers_;
};

class RdRecorder final : public capture::FileRecorder {
  public:
    RdRecorder(const std::string& name, const hw::Chip& chip, uint64_t limit)
        : FileRecorder(name, limit), chip_(chip) {}

  private:
    bool write(const virt::AddressSpace& space, uint32_t, std::span<const capture::Stream> streams) override {
        decode::RdWriter writer;
        if (!has_begun_) {
            writer.chip_id(chip_.chip_id);
            writer.gpu_id(chip_.gpu_id);
            writer.cmd("terrazzo");
            has_begun_ = true;
        }
        if (!put(writer)) return false;
        // One region at a time: two copies of all memory would be too much.
        for (const virt::Region& r : space.regions()) {
            decode::RdWriter buffer;
            buffer.buffer(r.va_begin, {r.host, size_t(r.va_end - r.va_begin)});
            if (!put(buffer)) return false;
        }
        decode::RdWriter submits;
        for (const capture::Stream& stream : streams)
            submits.submit(stream.va, uint32_t(stream.size_B / 4));
        return put(submits);
    }
    bool put(const decode::RdWriter& writer) {
        const std::vector<uint8_t>& bytes = writer.file();
        return bytes.empty() || std::fwrite(bytes.data(), 1, bytes.size(), file()) == bytes.size();
    }

    const hw::Chip& chip_;
    bool has_begun_ = false;
};

class Vendor final : public capture::TraceVendor {
  public:
    explicit Vendor(const hw::Chip& chip) : chip_(chip) {}
    void write_chip(capture::CaptureWriter& writer) const override {
        writer.chip(capture::Vendor::Adreno, chip_.gpu_id, chip_.chip_id);
    }
    std::unique_ptr<capture::StreamPrinter> create_printer() const override {
        return std::make_unique<Printer>();
    }
    std::unique_ptr<capture::Recorder> create_file(const std::string& name, uint64_t limit) const override {
        // Further address spaces have names such as "a.rd.1".
        if (!name.ends_with(".rd") && name.find(".rd.") == std::string::npos) return nullptr;
        return std::make_unique<RdRecorder>(name, chip_, limit);
    }

  private:
    const hw::Chip& chip_;
};

class CaptureGroup final : public virt::msm::GpuGroup {
  public:
    CaptureGroup(std::unique_ptr<virt::msm::GpuGroup> group, virt::msm::GpuHost& host,
                 capture::Recorder& recorder)
        : group_(std::move(group)),
          host_(host),
          recorder_(recorder),
          first_queue_(recorder.add_group() * kQueues) {}
    virt::RunResult run(uint32_t queue, const virt::msm::Submit& submit) override {
        if (begun_[queue] != submit.number) {
            begun_[queue] = submit.number;
            std::vector<capture::Stream> streams;
            for (const virt::msm::CommandBuffer& c : submit.commands)
                streams.push_back({c.iova, uint64_t(c.size_dw) * 4});
            const virt::AddressSpace::Use use(host_.memory());
            recorder_.submit(host_.memory(), first_queue_ + queue, streams);
        }
        return group_ ? group_->run(queue, submit) : virt::RunResult{};
    }

  private:
    std::unique_ptr<virt::msm::GpuGroup> group_;
    virt::msm::GpuHost& host_;
    capture::Recorder& recorder_;
    const uint32_t first_queue_;
    std::map<uint32_t, uint64_t> begun_;  // per queue: the number of the submit that was recorded last
};

class CaptureGpu final : public virt::msm::Gpu {
  public:
    CaptureGpu(const hw::Chip& chip, std::unique_ptr<virt::msm::Gpu> gpu, capture::TraceOptions options)
        : gpu_(std::move(gpu)),
          info_(gpu_info(chip)),
          recorders_(std::make_unique<Vendor>(chip), std::move(options)) {}
    const virt::msm::GpuInfo& info() const override { return info_; }
    std::unique_ptr<virt::msm::GpuGroup> create_group(virt::msm::GpuHost& host) override {
        std::unique_ptr<virt::msm::GpuGroup> group;
        if (gpu_ && !(group = gpu_->create_group(host))) return nullptr;
        return std::make_unique<CaptureGroup>(std::move(group), host, recorders_.of(host.memory()));
    }

  private:
    const std::unique_ptr<virt::msm::Gpu> gpu_;
    const virt::msm::GpuInfo info_;
    capture::Recorders recorders_;
};

}  // namespace

std::unique_ptr<virt::msm::Gpu> create_capture_gpu(const hw::Chip& chip, std::unique_ptr<virt::msm::Gpu> gpu,
                                                   capture::TraceOptions options) {
    return std::make_unique<CaptureGpu>(chip, std::move(gpu), std::move(options));
}

}  // namespace terrazzo::adreno::sim
