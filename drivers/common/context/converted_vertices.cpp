// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/converted_vertices.h"

#include <algorithm>
#include <bit>
#include <new>

#include "drivers/common/context/vertex_list.h"
#include "pipe/upload/vertices.h"

namespace terrazzo::contexts {
namespace {

using images::stored;
using images::StoredResource;

/// Finds the smallest and largest index of a range; the CPU reads them. False: the range has no index.
bool index_bounds(const pipe::DrawInfo& info, const pipe::DrawRange& range, int64_t* first, int64_t* last) {
    if (info.index_bounds_valid) {
        *first = info.min_index;
        *last = info.max_index;
        return true;
    }
    const uint32_t restart = pipe::restart_index(info.index_type);
    *first = INT64_MAX;
    *last = -1;
    for_indices(info, range, [&](uint32_t index) {
        if (info.primitive_restart && index == restart) return true;
        *first = std::min<int64_t>(*first, index);
        *last = std::max<int64_t>(*last, index);
        return true;
    });
    return *last >= 0;
}

unsigned component_B(pipe::Format f) {
    const pipe::FormatInfo& info = pipe::format_info(f);
    const unsigned bits = info.channel[0].bits;
    return bits % 8 == 0 ? bits / 8u : info.block_B;  // components of packed formats are one number
}

}  // namespace

void FetchedAttributes::add(uint32_t location, const pipe::VertexElement& e, bool supported) {
    const unsigned size_B = component_B(e.format);
    const uint32_t bit = 1u << location;
    present |= bit;
    if (e.divisor) instanced |= bit;
    if (!supported || e.offset_B % size_B) unsupported |= bit;
    if (e.buffer < alignment_bits.size()) alignment_bits[e.buffer] |= uint8_t(size_B - 1);
}

uint32_t attributes_to_convert(const pipe::VertexLayoutDesc& layout, const FetchedAttributes& fetched,
                               std::span<const pipe::VertexBuffer> buffers) {
    uint32_t found = 0;
    const size_t n = std::min<size_t>(buffers.size(), fetched.alignment_bits.size());
    for (size_t b = 0; b < n; ++b) {
        const uint64_t bits = buffers[b].offset_B | buffers[b].stride_B;
        const bool aligned = !(bits & fetched.alignment_bits[b]);
        if ((aligned && !fetched.unsupported) || !buffers[b].resource) [[likely]]
            continue;
        for (uint32_t rest = fetched.present; rest; rest &= rest - 1) {
            const auto i = uint32_t(std::countr_zero(rest));
            const pipe::VertexElement& e = layout.elements[i];
            if (e.buffer == b && ((fetched.unsupported >> i & 1) || bits % component_B(e.format)))
                found |= 1u << i;
        }
    }
    return found;
}

/// Waits for the device's writes to the indices and to the attributes that the CPU converts.
void ConvertedVertices::wait_for_inputs(const Inputs& inputs, const pipe::DrawInfo& info) {
    if (info.index_type != pipe::IndexType::None) context_.wait_for_writes(stored(*info.index_buffer));
    for (uint32_t rest = locations_; rest; rest &= rest - 1) {
        const pipe::VertexElement& e = inputs.layout.elements[uint32_t(std::countr_zero(rest))];
        context_.wait_for_writes(stored(*inputs.buffers[e.buffer].resource));
    }
}

bool ConvertedVertices::find(const Inputs& inputs, const pipe::DrawInfo& info,
                             std::span<const pipe::DrawRange> ranges) {
    wait_for_inputs(inputs, info);
    int64_t low = INT64_MAX, high = -1;
    for (const pipe::DrawRange& range : ranges) {
        if (!range.count) continue;
        int64_t first = range.first, last = first + range.count - 1;
        if (info.index_type != pipe::IndexType::None) {
            if (!index_bounds(info, range, &first, &last)) continue;
            first += range.index_bias;
            last += range.index_bias;
        }
        low = std::min(low, first);
        high = std::max(high, last);
    }
    if (high < low || low < 0 || high > INT32_MAX) return false;
    first_vertex_ = uint32_t(low);
    vertex_count_ = uint32_t(high - low + 1);
    instance_count_ = info.instance_count;
    first_instance_ = info.first_instance;
    context_.recording().pool.device().slow("the CPU converts attributes (locations 0x%x) of %u vertices",
                                            locations_, vertex_count_);
    return info.instance_count != 0;
}

ConvertedAttribute ConvertedVertices::convert_one(const Inputs& inputs, uint32_t location) {
    constexpr uint32_t kVertex_B = 16;
    const pipe::VertexElement& e = inputs.layout.elements[location];
    const pipe::VertexBuffer& v = inputs.buffers[e.buffer];
    const StoredResource& r = stored(*v.resource);
    uint32_t first = first_vertex_, count = vertex_count_;
    if (e.divisor) {
        first = first_instance_;
        count = (instance_count_ - 1) / e.divisor + 1;
    }
    const uint64_t size_B = uint64_t(count) * kVertex_B;
    if (size_B > UINT32_MAX / 2) throw std::bad_alloc();
    const memory::Pool::Piece p = context_.recording().pool.allocate(uint32_t(size_B), kVertex_B);
    const uint64_t offset_B = std::min<uint64_t>(v.offset_B, r.layout.size_B);
    const StoredResource::CpuMemory memory = r.cpu_memory();
    pipe::convert_vertices(e, memory.first + offset_B, r.layout.size_B - offset_B, v.stride_B, first, count,
                           reinterpret_cast<float*>(p.cpu));
    // The address of element 0 may be before the allocated memory. Elements before `first` are never read.
    return {p.va - uint64_t(first) * kVertex_B, (first + count) * kVertex_B};
}

}  // namespace terrazzo::contexts
