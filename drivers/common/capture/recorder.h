// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Records the input of a virtual GPU: in files (capture.h, or a vendor's own format), or as the decoder's
// text. A virtual GPU (drivers/common/host) has a recorder for each address space.
// TERRAZZO_DEBUG=trace or trace:FILE enables it.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "drivers/common/capture/capture.h"
#include "drivers/common/capture/memory.h"
#include "drivers/common/fields/fields.h"
#include "pipe/debug.h"
#include "winsys/virtual/jobs/gpu.h"

namespace terrazzo::capture {

using winsys::virt::Stream;

struct TraceOptions {
    std::string file;             // of the first address space; others use FILE.1, FILE.2, ...; empty: text
    uint64_t limit = UINT64_MAX;  // submissions per address space
    std::FILE* text = stderr;     // where text is written
};

/// False: no trace is requested.
[[nodiscard]] bool trace_options(const pipe::DebugOptions& debug, TraceOptions* out);

/// Records an address space's submissions. Thread: any.
class Recorder {
  public:
    virtual ~Recorder() = default;
    /// Records the streams of a submission before they run. The caller holds an AddressSpace::Use.
    virtual void submit(const winsys::virt::AddressSpace& space, uint32_t queue,
                        std::span<const Stream> streams) = 0;
    /// Returns how many groups were added before. Not for concurrent use.
    uint32_t add_group() { return groups_++; }

  private:
    uint32_t groups_ = 0;
};

/// A recorder with a file. If it cannot be opened or written, a line on stderr says so, and nothing else
/// happens.
class FileRecorder : public Recorder {
  public:
    FileRecorder(const std::string& name, uint64_t limit);
    ~FileRecorder() override;
    FileRecorder(const FileRecorder&) = delete;
    FileRecorder& operator=(const FileRecorder&) = delete;
    void submit(const winsys::virt::AddressSpace& space, uint32_t queue,
                std::span<const Stream> streams) final;

  protected:
    /// Null: it could not be opened, and write() is never called.
    [[nodiscard]] std::FILE* file() const { return file_; }
    /// False: a write failed, with errno. One call at a time.
    [[nodiscard]] virtual bool write(const winsys::virt::AddressSpace& space, uint32_t queue,
                                     std::span<const Stream> streams) = 0;

  private:
    std::mutex mutex_;
    std::FILE* file_;
    uint64_t left_;
};

/// Prints the streams of an address space and keeps the state between them. One call at a time.
class StreamPrinter {
  public:
    virtual ~StreamPrinter() = default;
    virtual void print(const Memory& memory, uint32_t queue, const Stream& stream, fields::Sink& sink) = 0;
};

/// What a vendor implements for traces.
class TraceVendor {
  public:
    virtual ~TraceVendor() = default;
    struct ChipId {
        Vendor vendor{};
        uint32_t gpu_id = 0, variant = 0;
    };
    /// The first record of a capture.
    [[nodiscard]] virtual ChipId chip_id() const = 0;
    [[nodiscard]] virtual std::unique_ptr<StreamPrinter> create_printer() const = 0;
    /// Optional. For files in a format of the vendor's own, chosen by the name. Null: the file is a capture.
    [[nodiscard]] virtual std::unique_ptr<Recorder> create_file(const std::string& name,
                                                                uint64_t limit) const {
        (void)name, (void)limit;
        return nullptr;
    }
};

/// The recorders of a device. They live as long as the device: a new address space at an old one's address
/// continues its file. Not for concurrent use.
class Recorders {
  public:
    /// `vendor` outlives them.
    Recorders(const TraceVendor& vendor, TraceOptions options)
        : vendor_(vendor), options_(std::move(options)) {}
    [[nodiscard]] Recorder& of(const winsys::virt::AddressSpace& space);

  private:
    [[nodiscard]] std::unique_ptr<Recorder> create(size_t others) const;

    const TraceVendor& vendor_;
    const TraceOptions options_;
    std::map<const winsys::virt::AddressSpace*, std::unique_ptr<Recorder>> recorders_;
};

}  // namespace terrazzo::capture
