// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/captured_vertices.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "pipe/primitives.h"
#include "pipe/state_facts.h"

namespace terrazzo::contexts {
namespace {

using images::StoredResource;

StoredResource& stored(pipe::Resource& r) {
    return static_cast<StoredResource&>(r);
}

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
}

/// The vertices that all buffers together have room for.
uint64_t CapturedVertices::room(std::span<const uint32_t> stride_dw) const {
    uint64_t all = UINT32_MAX;
    for (size_t i = 0; i < ranges_.size(); ++i)
        if (stride_dw[i]) all = std::min(all, bytes_of(ranges_[i]) / (stride_dw[i] * uint64_t(4)));
    return all - std::min(all, before_);
}

void CapturedVertices::add_primitives(pipe::Primitive mode, std::span<const uint32_t> vertices,
                                      uint64_t most) {
    const auto n = uint32_t(vertices.size());
    const uint32_t of_primitive = pipe::primitive_vertices(mode, 0);
    const uint32_t count = pipe::primitive_count(mode, n);
    for (uint32_t p = 0; p < count && listed_.size() < most; ++p) {
        uint32_t corners[3];
        pipe::list_primitive(mode, p, n, 0, corners);
        for (uint32_t c = 0; c < of_primitive; ++c)
            listed_.push_back(vertices[corners[c]]);
    }
}

void CapturedVertices::add_range(const pipe::DrawInfo& info, const pipe::DrawRange& range, uint64_t most) {
    run_.clear();
    if (info.index_type == pipe::IndexType::None) {
        // Stops early: each vertex of a strip after the first two adds a primitive, so `most` + 2 vertices
        // fill the buffers.
        const auto count = uint32_t(std::min<uint64_t>(range.count, most + 2));
        const bool closes = info.mode == pipe::Primitive::LineLoop;
        for (uint32_t i = 0; i < (closes ? range.count : count); ++i)
            run_.push_back(range.first + i);
        return add_primitives(info.mode, run_, most);
    }
    const StoredResource& r = stored(*info.index_buffer);
    const StoredResource::CpuMemory memory = r.cpu_memory();
    const unsigned size_B = pipe::index_size_B(info.index_type);
    const uint32_t restart = pipe::restart_index(info.index_type);
    for (uint64_t i = 0; i < range.count && listed_.size() < most; ++i) {
        const uint64_t at = info.index_offset_B + (range.first + i) * size_B;
        if (at + size_B > r.layout.size_B) break;
        uint32_t index = 0;
        std::memcpy(&index, memory.first + at, size_B);
        if (info.primitive_restart && index == restart) {
            add_primitives(info.mode, run_, most);
            run_.clear();
        } else {
            run_.push_back(index + uint32_t(range.index_bias));
        }
    }
    add_primitives(info.mode, run_, most);
}

bool CapturedVertices::list(const pipe::DrawInfo& info, std::span<const pipe::DrawRange> ranges,
                            std::span<const uint32_t> stride_dw, Draw* out) {
    const uint32_t of_primitive = pipe::primitive_vertices(info.mode, 0);
    const uint64_t fits = room(stride_dw) / of_primitive * of_primitive;
    if (!fits || !info.instance_count) return false;
    if (info.index_type != pipe::IndexType::None) context_.wait_for_writes(stored(*info.index_buffer));
    listed_.clear();
    for (const pipe::DrawRange& range : ranges)
        add_range(info, range, fits);
    if (listed_.empty()) return false;
    const uint64_t written = std::min(listed_.size() * uint64_t(info.instance_count), fits);
    Draw d;
    d.of_instance = uint32_t(listed_.size());
    d.instances = uint32_t((written + d.of_instance - 1) / d.of_instance);
    d.primitives = written / of_primitive;
    memory::Pool& pool = context_.recording().pool;
    d.vertices = pool.allocate(d.of_instance * 4, 64);
    std::memcpy(d.vertices.cpu, listed_.data(), listed_.size() * 4);
    d.state = pool.allocate(kState_B, 64);
    const programs::CaptureState state{.before = uint32_t(before_), .of_instance = d.of_instance};
    std::memcpy(d.state.cpu, &state, sizeof state);
    d.outputs = ranges_;
    for (size_t i = 0; i < ranges_.size(); ++i)
        d.outputs[i].size_B = stride_dw[i] ? (before_ + written) * stride_dw[i] * 4 : 0;
    before_ += written;
    *out = d;
    return true;
}

}  // namespace terrazzo::contexts
