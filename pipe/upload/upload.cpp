// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The suballocator for uploads.
#include "pipe/upload/upload.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::pipe {

namespace {

// The limit of retired buffers. Beyond it they are released, since they are probably too small.
constexpr size_t kMaxRetired = 8;
constexpr uint64_t kMaxBuffer_B = 0x7fffffff;  // Box has int32 sizes

}  // namespace

Uploader::Uploader(Context& context, const UploaderDesc& desc)
    : context_(context), desc_(desc), next_size_B_(desc.first_buffer_B) {
    retired_.reserve(kMaxRetired + 1);
}

Uploader::~Uploader() {
    release();
}

void Uploader::unmap(Buffer& buffer) {
    if (buffer.resource) context_.unmap(*buffer.resource, buffer.mapping);
    buffer = {};
}

void Uploader::release() {
    unmap(current_);
    used_B_ = 0;
    for (Buffer& b : retired_)
        unmap(b);
    retired_.clear();
}

bool Uploader::take_buffer(uint64_t size_B) {
    if (size_B > kMaxBuffer_B) return false;
    Buffer next;
    // The oldest buffer probably becomes free first.
    const auto free = std::find_if(retired_.begin(), retired_.end(), [&](const Buffer& b) {
        return b.size_B >= size_B && b.resource->unique();
    });
    if (free != retired_.end()) {
        next = std::move(*free);
        retired_.erase(free);
    } else {
        ResourceDesc desc;
        desc.kind = ResourceKind::Buffer;
        desc.width = uint32_t(std::max(size_B, next_size_B_));
        desc.bind = desc_.bind;
        desc.usage = Usage::Dynamic;
        next.size_B = desc.width;
        next.resource = context_.screen.create_resource(desc);
        if (!next.resource) return false;
        next.mapping = context_.map(*next.resource, 0, Box{0, 0, 0, int32_t(desc.width), 1, 1},
                                    map_flag::kWrite | map_flag::kUnsynchronized | map_flag::kPersistent);
        if (!next.mapping.data) return false;
        next_size_B_ = std::min<uint64_t>(next_size_B_ * 2, desc_.largest_buffer_B);
    }
    if (current_.resource) {
        retired_.push_back(std::move(current_));
        if (retired_.size() > kMaxRetired) {
            unmap(retired_.front());
            retired_.erase(retired_.begin());
        }
    }
    current_ = std::move(next);
    used_B_ = 0;
    return true;
}

UploadSlice Uploader::allocate(uint64_t size_B, uint32_t align_B) {
    uint64_t at = (used_B_ + align_B - 1) & ~uint64_t(align_B - 1);
    // Written such that a huge size cannot wrap around.
    if (!current_.resource || at > current_.size_B || size_B > current_.size_B - at) {
        if (!take_buffer(size_B)) return {};
        at = 0;
    }
    used_B_ = at + size_B;
    return {current_.resource, at, static_cast<std::byte*>(current_.mapping.data) + at};
}

UploadSlice Uploader::upload(std::span<const std::byte> bytes, uint32_t align_B) {
    UploadSlice slice = allocate(bytes.size(), align_B);
    if (slice && !bytes.empty()) std::memcpy(slice.data, bytes.data(), bytes.size());
    return slice;
}

}  // namespace terrazzo::pipe
