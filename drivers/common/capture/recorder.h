// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Writes down what a virtual GPU is given: in files (capture.h, or a vendor's own format), or as the vendor's decoder's text. A vendor's
// capturing GPU stands before another one, or before none, and has a recorder for each address space. Users ask for it with
// TERRAZZO_DEBUG=trace or trace:FILE.
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
#include "winsys/virtual/memory/address_space.h"

namespace terrazzo::capture {

struct TraceOptions {
    std::string file;  // that of the first address space; of others FILE.1, FILE.2, ...; empty: text
    uint64_t limit = UINT64_MAX;  // submissions an address space
    std::FILE* text = stderr;     // where text goes
};

/// False: nobody asks for a trace.
[[nodiscard]] bool trace_options(const pipe::DebugOptions& debug, TraceOptions* out);

/// Commands in the GPU's memory.
struct Stream {
    uint64_t va = 0, size_B = 0;
};

/// What becomes of an address space's submissions. Thread: any.
class Recorder {
  public:
    virtual ~Recorder() = default;
    /// The streams of one submission, before they run. The caller holds an AddressSpace::Use.
    virtual void submit(const winsys::virt::AddressSpace& space, uint32_t queue,
                        std::span<const Stream> streams) = 0;
    /// How many there were before. Not for concurrent use.
    uint32_t add_group() { return groups_++; }

  private:
    uint32_t groups_ = 0;
};

/// A recorder with a file. One that cannot be opened or written costs a line on stderr, and nothing else.
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
    /// False: a write failed, as errno says. One call at a time.
    [[nodiscard]] virtual bool write(const winsys::virt::AddressSpace& space, uint32_t queue,
                                     std::span<const Stream> streams) = 0;

  private:
    std::mutex mutex_;
    std::FILE* file_;
    uint64_t left_;
};

/// Prints the streams of an address space, whose state it keeps from one to the next. One call at a time.
class StreamPrinter {
  public:
    virtual ~StreamPrinter() = default;
    virtual void print(const Memory& memory, uint32_t queue, const Stream& stream, fields::Sink& sink) = 0;
};

/// What a vendor's traces need.
class TraceVendor {
  public:
    virtual ~TraceVendor() = default;
    /// The first record of a capture.
    virtual void write_chip(CaptureWriter& writer) const = 0;
    [[nodiscard]] virtual std::unique_ptr<StreamPrinter> create_printer() const = 0;
    /// Optional. For files in a format of the vendor's own, which the name asks for. Null: the file is a capture.
    [[nodiscard]] virtual std::unique_ptr<Recorder> create_file(const std::string& name,
                                                                uint64_t limit) const {
        (void)name, (void)limit;
        return nullptr;
    }
};

/// The recorders of a device. They are kept until it goes: an address space at an old one's place shares its file. Not for concurrent use.
class Recorders {
  public:
    Recorders(std::unique_ptr<TraceVendor> vendor, TraceOptions options)
        : vendor_(std::move(vendor)), options_(std::move(options)) {}
    [[nodiscard]] Recorder& of(const winsys::virt::AddressSpace& space);

  private:
    [[nodiscard]] std::unique_ptr<Recorder> create(size_t others) const;

    const std::unique_ptr<TraceVendor> vendor_;
    const TraceOptions options_;
    std::map<const winsys::virt::AddressSpace*, std::unique_ptr<Recorder>> recorders_;
};

}  // namespace terrazzo::capture
