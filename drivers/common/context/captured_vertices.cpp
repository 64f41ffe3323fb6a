// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/captured_vertices.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "pipe/primitives.h"

namespace terrazzo::contexts {
namespace {

using images::stored;
using images::StoredResource;

/// The part of the range that is in the buffer.
uint64_t bytes_of(const pipe::BufferRange& range) {
    if (!range.resource) return 0;
    const uint64_t size_B = stored(*range.resource).layout.size_B;
    return range.offset_B < size_B ? std::min(range.size_B, size_B - range.offset_B) : 0;
}

}  // namespace

void CapturedVertices::set(std::span<const pipe::BufferRange> ranges) {
    ranges_ = {};
    std::copy_n(ranges.begin(), std::min(ranges.size(), ranges_.size()), ranges_.begin());
    set_ = !ranges.empty();
    before_ = 0;
    in_pass = false;
}

/// The vertices that all buffers together have room for.
uint64_t CapturedVertices::room(std::span<const uint32_t> stride_dw) const {
    uint64_t all = UINT32_MAX;
    for (size_t i = 0; i < ranges_.size(); ++i)
        if (stride_dw[i]) all = std::min(all, bytes_of(ranges_[i]) / (stride_dw[i] * uint64_t(4)));
    return all - std::min(all, before_);
}

bool CapturedVertices::list(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                            std::span<const uint32_t> stride_dw, Draw* out) {
    const uint32_t of_primitive = pipe::primitive_vertices(info.mode, 0);
    const uint64_t fits = room(stride_dw) / of_primitive * of_primitive;
    if (!fits || !info.instance_count) return false;
    list_.list(context_, info, ranges, fits);
    const std::span<const uint32_t> listed = list_.vertices();
    if (listed.empty()) return false;
    const uint64_t written = std::min(listed.size() * uint64_t(info.instance_count), fits);
    Draw d;
    d.of_instance = uint32_t(listed.size());
    d.instances = uint32_t((written + d.of_instance - 1) / d.of_instance);
    d.primitives = written / of_primitive;
    d.written = written;
    memory::Pool& pool = context_.recording().pool;
    d.vertices = pool.allocate(d.of_instance * 4, 64);
    std::memcpy(d.vertices.cpu, listed.data(), listed.size_bytes());
    d.state = pool.allocate(kState_B, 64);
    const programs::CaptureState state{.before = uint32_t(before_), .of_instance = d.of_instance};
    std::memcpy(d.state.cpu, &state, sizeof state);
    d.outputs = outputs(written, stride_dw);
    *out = d;
    return true;
}

/// The buffers up to the end of the next `written` vertices.
std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> CapturedVertices::outputs(
    uint64_t written, std::span<const uint32_t> stride_dw) const {
    std::array<pipe::BufferRange, pipe::kMaxStreamOutputs> all = ranges_;
    for (size_t i = 0; i < all.size(); ++i)
        all[i].size_B = stride_dw[i] ? (before_ + written) * stride_dw[i] * 4 : 0;
    return all;
}

CapturedVertices::Kernel CapturedVertices::add(uint64_t primitives, uint32_t of_primitive,
                                               std::span<const uint32_t> stride_dw) {
    Kernel k;
    k.before = before_ / of_primitive;
    k.primitives = std::min(primitives, room(stride_dw) / of_primitive);
    k.outputs = outputs(k.primitives * of_primitive, stride_dw);
    before_ += k.primitives * of_primitive;
    return k;
}

}  // namespace terrazzo::contexts
