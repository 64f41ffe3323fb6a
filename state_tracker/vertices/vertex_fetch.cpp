// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// See vertex_fetch.h. An array without a source (a null client pointer, a buffer without storage) reads
// (0,0,0,1).
#include "state_tracker/vertices/vertex_fetch.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "state_tracker/programs/program.h"
#include "state_tracker/vertices/vertex_array.h"

namespace terrazzo::st {
namespace {

pipe::Format format_of(AttribBase base) {
    switch (base) {
        case AttribBase::Float:
            return pipe::Format::R32G32B32A32_FLOAT;
        case AttribBase::Int:
            return pipe::Format::R32G32B32A32_SINT;
        case AttribBase::Uint:
            return pipe::Format::R32G32B32A32_UINT;
    }
    return pipe::Format::R32G32B32A32_FLOAT;
}

}  // namespace

/// Finds or creates the group of an array: arrays in the same memory with the same stride and divisor, whose
/// elements all lie within one stride.
unsigned VertexFetch::place(Kind kind, pipe::Resource* r, uintptr_t start, const VertexAttrib& a,
                            const VertexBinding& b) {
    const uintptr_t end = start + a.element_B;
    const uint32_t stride_B = b.stride_B;
    for (unsigned i = 0; i < group_count_; ++i) {
        Group& g = groups_[i];
        if (g.kind != kind || g.resource.get() != r || g.stride_B != stride_B || g.divisor != b.divisor)
            continue;
        const uintptr_t low = std::min(g.start, start), high = std::max(g.end, end);
        if (kind != Kind::Missing && high - low > stride_B) continue;
        g.start = low;
        g.end = high;
        return i;
    }
    groups_[group_count_] = {kind, pipe::Ref(r), start, end, stride_B, b.divisor};
    return group_count_++;
}

bool VertexFetch::add_current_values(Context& ctx, pipe::Uploader& uploader, uint32_t attributes) {
    const uint32_t size_B = uint32_t(std::popcount(attributes)) * 16;
    pipe::UploadSlice slice = uploader.allocate(size_B, 16);
    if (!slice) return false;
    const unsigned group = group_count_++;
    groups_[group] = {
        Kind::Resource, slice.buffer, uintptr_t(slice.offset_B), uintptr_t(slice.offset_B) + size_B, 0, 0};
    uint32_t offset_B = 0;
    for (uint32_t rest = attributes; rest; rest &= rest - 1, offset_B += 16) {
        const unsigned i = unsigned(std::countr_zero(rest));
        std::memcpy(static_cast<uint8_t*>(slice.data) + offset_B, ctx.state.attribs[i].data(), 16);
        layout_.elements[i] = {format_of(ctx.state.attrib_bases[i]), uint8_t(group), offset_B, 0};
    }
    return true;
}

bool VertexFetch::build(Context& ctx, pipe::Uploader& uploader) {
    const VertexArray& va = *ctx.vertex_array;
    const uint32_t used = ctx.executable->attributes_used;
    clear();
    layout_.count = uint32_t(std::bit_width(used));
    for (uint32_t rest = va.enabled; rest; rest &= rest - 1) {
        const Buffer* b = va.binding_of(va.attribs[size_t(std::countr_zero(rest))]).buffer.get();
        mapped_ |= b && b->locked();
    }
    std::array<uintptr_t, pipe::kMaxVertexAttribs> starts;
    for (uint32_t rest = used & va.enabled; rest; rest &= rest - 1) {
        const unsigned i = unsigned(std::countr_zero(rest));
        const VertexAttrib& a = va.attribs[i];
        const VertexBinding& b = va.binding_of(a);
        starts[i] = b.start() + a.relative_offset_B;
        pipe::Resource* r = b.buffer ? b.buffer->resource.get() : nullptr;
        Kind kind = Kind::Missing;
        if (r)
            kind = Kind::Resource;
        else if (b.client)
            kind = Kind::Client;
        has_client_arrays_ |= kind == Kind::Client;
        layout_.elements[i].format = a.format;
        layout_.elements[i].buffer = uint8_t(place(kind, r, starts[i], a, b));
        // Consecutive instances of the device are the views of one GL instance (shaders/passes/views.h).
        layout_.elements[i].divisor =
            uint32_t(std::min<uint64_t>(uint64_t(b.divisor) * ctx.executable->views, UINT32_MAX));
    }
    for (uint32_t rest = used & va.enabled; rest; rest &= rest - 1) {
        const unsigned i = unsigned(std::countr_zero(rest));
        const Group& g = groups_[layout_.elements[i].buffer];
        layout_.elements[i].offset_B = g.kind == Kind::Missing ? 0 : uint32_t(starts[i] - g.start);
    }
    const uint32_t current = used & ~va.enabled;
    if (current && !add_current_values(ctx, uploader, current)) return false;
    for (unsigned i = 0; i < group_count_; ++i)
        buffers_[i] = {groups_[i].resource.get(), groups_[i].start, groups_[i].stride_B};
    return true;
}

std::span<const pipe::VertexBuffer> VertexFetch::upload(pipe::Uploader& uploader, uint32_t first,
                                                        uint32_t count, Instances instances, Uploads* hold) {
    for (unsigned i = 0; i < group_count_; ++i) {
        const Group& g = groups_[i];
        const uint64_t skip_B = uint64_t(g.divisor ? instances.first : first) * g.stride_B;
        if (g.kind != Kind::Client) {
            buffers_[i] = {g.resource.get(), g.start + skip_B, g.stride_B};
            continue;
        }
        const uint64_t last = g.divisor ? (instances.count - 1) / g.divisor : count - 1;
        const uint64_t size_B = last * g.stride_B + (g.end - g.start);
        pipe::UploadSlice slice = uploader.allocate(size_B, 16);
        if (!slice) return {};
        std::memcpy(slice.data, reinterpret_cast<const char*>(g.start) + skip_B, size_B);
        buffers_[i] = {slice.buffer.get(), slice.offset_B, g.stride_B};
        (*hold)[i] = std::move(slice.buffer);
    }
    return {buffers_.data(), group_count_};
}

bool VertexFetch::holds(const pipe::Resource& r) const {
    for (unsigned i = 0; i < group_count_; ++i)
        if (groups_[i].resource.get() == &r) return true;
    return false;
}

void VertexFetch::clear() {
    for (unsigned i = 0; i < group_count_; ++i)
        groups_[i] = {};
    group_count_ = 0;
    layout_ = {};
    mapped_ = has_client_arrays_ = false;
}

}  // namespace terrazzo::st
