// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Packs small pieces of data that live for a draw or a frame (client vertex arrays, indices, constants) into
// buffers. A buffer stays mapped while pieces are allocated from it. When it is full, the next one is twice
// as large, up to a limit. A retired buffer is reused when there are no other references to it (by a caller,
// a binding or unfinished work).
//
// Buffers are mapped before work can use them, unsynchronized and persistent. So a driver must allow such
// maps inside a render pass, and need not wait. One thread, one context.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pipe/context.h"

namespace terrazzo::pipe {

/// A piece. Hold `buffer` as long as the data is needed: without a reference its bytes may be overwritten.
struct UploadSlice {
    Ref<Resource> buffer;  // null: out of memory
    uint64_t offset_B = 0;
    void* data = nullptr;  // size_B bytes to write; valid until the next call on the same Uploader
    explicit operator bool() const { return bool(buffer); }
};

struct UploaderDesc {
    uint32_t bind = bind::kVertex | bind::kIndex | bind::kConstant;
    uint32_t first_buffer_B = 64 * 1024;
    uint32_t largest_buffer_B = 4 * 1024 * 1024;  // a larger piece gets a separate buffer
};

class Uploader {
  public:
    Uploader(Context& context, const UploaderDesc& desc = {});
    Uploader(const Uploader&) = delete;
    Uploader& operator=(const Uploader&) = delete;
    ~Uploader();

    /// Allocates size_B bytes; `align_B` is a power of two. Out of memory: nothing changes.
    [[nodiscard]] UploadSlice allocate(uint64_t size_B, uint32_t align_B);
    /// Allocates, and copies the bytes.
    [[nodiscard]] UploadSlice upload(std::span<const std::byte> bytes, uint32_t align_B);
    /// Releases all buffers (when the context is idle, or memory is short). Slices that are held stay
    /// readable.
    void release();

  private:
    struct Buffer {
        Ref<Resource> resource;
        Mapping mapping;
        uint64_t size_B = 0;
    };
    [[nodiscard]] bool take_buffer(uint64_t size_B);
    void unmap(Buffer& buffer);

    Context& context_;
    const UploaderDesc desc_;
    Buffer current_;
    uint64_t used_B_ = 0;
    uint64_t next_size_B_;
    std::vector<Buffer> retired_;  // still mapped, oldest first
};

}  // namespace terrazzo::pipe
