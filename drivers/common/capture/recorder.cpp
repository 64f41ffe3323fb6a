// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/recorder.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <unordered_map>
#include <utility>
#include <vector>

#include "winsys/environment/file_size.h"

namespace terrazzo::capture {

namespace {

namespace virt = winsys::virt;

constexpr uint64_t kPage_B = 4096;

/// A recorder of a capture, with the pages as the file has them.
class CaptureRecorder final : public FileRecorder {
  public:
    CaptureRecorder(const std::string& name, const TraceVendor& vendor, uint64_t limit)
        : FileRecorder(name, limit), writer_(file()) {
        const TraceVendor::ChipId id = vendor.chip_id();
        if (file()) writer_.chip(id.vendor, id.gpu_id, id.variant);
    }

  private:
    using Page = std::array<uint8_t, kPage_B>;
    enum class Change { None, Zeros, Bytes };

    bool write(const virt::AddressSpace& space, uint32_t queue, std::span<const Stream> streams) override {
        for (const virt::Region& r : space.regions())
            changed_pages(r);
        for (const Stream& stream : streams)
            writer_.submit(stream.va, stream.size_B, queue, {});
        return writer_.ok();
    }

    // Memory may be written at the same time, so `page` gets the copy that is recorded.
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

    CaptureWriter writer_;
    std::unordered_map<uint64_t, std::unique_ptr<Page>> pages_;  // by number; null: zeros
    std::vector<uint8_t> bytes_;
    Page page_;
};

/// An address space as the decoder's memory. It may be written at the same time.
class SpaceMemory final : public Memory {
  public:
    explicit SpaceMemory(const virt::AddressSpace& space) : space_(space) {}
    bool read(uint64_t va, void* dst, size_t size_B) const override {
        virt::MemoryFault fault;
        return space_.read(va, dst, size_B, &fault);
    }

  private:
    const virt::AddressSpace& space_;
};

/// Prints the decoder's text, one submission at a time.
class TextRecorder final : public Recorder {
  public:
    TextRecorder(std::FILE* out, unsigned number, std::unique_ptr<StreamPrinter> printer, uint64_t limit)
        : out_(out), number_(number), printer_(std::move(printer)), limit_(limit) {}

    void submit(const virt::AddressSpace& space, uint32_t queue, std::span<const Stream> streams) override {
        const std::lock_guard lock(mutex_);
        if (count_ == limit_) return;
        fields::StringSink sink;
        for (const Stream& stream : streams) {
            char head[128];
            std::snprintf(
                head, sizeof head, "Submission %llu of address space %u: queue %u, %llu bytes @0x%llx",
                static_cast<unsigned long long>(count_), number_, queue,
                static_cast<unsigned long long>(stream.size_B), static_cast<unsigned long long>(stream.va));
            sink.line(0, head);
            printer_->print(SpaceMemory(space), queue, stream, sink);
        }
        ++count_;
        const winsys::FileSizeSignalBlock no_signal;
        std::fwrite(sink.text.data(), 1, sink.text.size(), out_);
        std::fflush(out_);
    }

  private:
    std::mutex mutex_;
    std::FILE* const out_;
    const unsigned number_;
    const std::unique_ptr<StreamPrinter> printer_;
    const uint64_t limit_;
    uint64_t count_ = 0;
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

FileRecorder::FileRecorder(const std::string& name, uint64_t limit)
    : file_(std::fopen(name.c_str(), "wb")), left_(limit) {
    if (file_) return;
    std::fprintf(stderr, "terrazzo: TERRAZZO_DEBUG=trace: %s: %s\n", name.c_str(), std::strerror(errno));
    left_ = 0;
}

FileRecorder::~FileRecorder() {
    const winsys::FileSizeSignalBlock no_signal;
    if (file_) std::fclose(file_);
}

void FileRecorder::submit(const virt::AddressSpace& space, uint32_t queue, std::span<const Stream> streams) {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return;
    --left_;
    const winsys::FileSizeSignalBlock no_signal;
    // The process may end at any time.
    if (write(space, queue, streams) && std::fflush(file_) == 0) return;
    std::fprintf(stderr, "terrazzo: trace: %s\n", std::strerror(errno));
    left_ = 0;
}

Recorder& Recorders::of(const virt::AddressSpace& space) {
    std::unique_ptr<Recorder>& recorder = recorders_[&space];
    if (!recorder) recorder = create(recorders_.size() - 1);
    return *recorder;
}

std::unique_ptr<Recorder> Recorders::create(size_t others) const {
    if (options_.file.empty())
        return std::make_unique<TextRecorder>(options_.text, unsigned(others), vendor_.create_printer(),
                                              options_.limit);
    const std::string name = others ? options_.file + "." + std::to_string(others) : options_.file;
    if (auto own = vendor_.create_file(name, options_.limit)) return own;
    return std::make_unique<CaptureRecorder>(name, vendor_, options_.limit);
}

}  // namespace terrazzo::capture
