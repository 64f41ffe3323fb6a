// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/vertex_list.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <utility>

#include "pipe/primitives.h"

namespace terrazzo::contexts {

using images::StoredResource;

void VertexList::add_primitives(const pipe::DrawInfo& info, uint64_t most) {
    const auto n = uint32_t(run_.size());
    const uint32_t count = pipe::primitive_count(info.mode, n, info.patch_vertices);
    for (uint32_t p = 0; p < count && listed_.size() < most; ++p) {
        pipe::list_primitive(info.mode, p, n, info.patch_vertices, corners_.data());
        for (const uint32_t c : corners_)
            listed_.push_back(run_[c]);
    }
    run_.clear();
}

void VertexList::add_range(const pipe::DrawInfo& info, const pipe::DrawRange& range, uint64_t most) {
    if (info.index_type == pipe::IndexType::None) {
        // Stops early: each vertex of a strip after the first ones adds a primitive, so a few vertices more
        // than `most` are enough.
        const bool closes = info.mode == pipe::Primitive::LineLoop;
        const auto count =
            closes ? range.count : uint32_t(std::min<uint64_t>(range.count, most + corners_.size()));
        for (uint32_t i = 0; i < count; ++i)
            run_.push_back(range.first + i);
        return add_primitives(info, most);
    }
    const uint32_t restart = pipe::restart_index(info.index_type);
    for_indices(info, range, [&](uint32_t index) {
        if (info.primitive_restart && index == restart)
            add_primitives(info, most);
        else
            run_.push_back(index + uint32_t(range.index_bias));
        return listed_.size() < most;
    });
    add_primitives(info, most);
}

void VertexList::list(images::ImageAccess& context, const pipe::DrawInfo& info,
                      std::span<const pipe::DrawRange> ranges, uint64_t most) {
    if (info.index_type != pipe::IndexType::None)
        context.wait_for_writes(static_cast<StoredResource&>(*info.index_buffer));
    listed_.clear();
    run_.clear();
    corners_.resize(pipe::primitive_vertices(info.mode, info.patch_vertices));
    for (const pipe::DrawRange& range : ranges)
        add_range(info, range, most);
}

bool list_without_adjacent(images::ImageAccess& context, const pipe::DrawInfo& info,
                           std::span<const pipe::DrawRange> ranges, ListedDraw* out) {
    const bool lines =
        info.mode == pipe::Primitive::LinesAdjacency || info.mode == pipe::Primitive::LineStripAdjacency;
    VertexList list;
    list.list(context, info, ranges, UINT32_MAX);
    std::vector<uint32_t> kept;
    const std::span<const uint32_t> all = list.vertices();
    // Of a line the two in the middle are its own; of a triangle, every second one.
    for (size_t p = 0; p < all.size(); p += lines ? 4 : 6)
        if (lines)
            kept.insert(kept.end(), {all[p + 1], all[p + 2]});
        else
            kept.insert(kept.end(), {all[p], all[p + 2], all[p + 4]});
    if (kept.empty()) return false;
    const size_t size_B = kept.size() * sizeof(uint32_t);
    if (size_B > UINT32_MAX) throw std::bad_alloc();
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.width = uint32_t(size_B);
    d.bind = pipe::bind::kIndex;
    out->indices = context.screen.create_resource(d);
    if (!out->indices) throw std::bad_alloc();
    std::memcpy(static_cast<StoredResource&>(*out->indices).cpu_memory().first, kept.data(), size_B);
    out->info = info;
    out->info.mode = lines ? pipe::Primitive::Lines : pipe::Primitive::Triangles;
    out->info.index_type = pipe::IndexType::U32;
    out->info.index_buffer = out->indices.get();
    out->info.index_offset_B = 0;
    out->info.primitive_restart = false;
    out->range = {0, uint32_t(kept.size()), 0};
    return true;
}

uint64_t count_primitives(images::ImageAccess& context, const pipe::DrawInfo& info,
                          std::span<const pipe::DrawRange> ranges) {
    uint64_t all = 0;
    const auto add = [&](uint32_t vertices) {
        all += pipe::primitive_count(info.mode, vertices, info.patch_vertices);
    };
    const bool restarts = info.primitive_restart && info.index_type != pipe::IndexType::None;
    if (restarts) context.wait_for_writes(static_cast<StoredResource&>(*info.index_buffer));
    for (const pipe::DrawRange& range : ranges) {
        if (!restarts) {
            add(range.count);
            continue;
        }
        uint32_t vertices = 0;
        for_indices(info, range, [&](uint32_t index) {
            if (index != pipe::restart_index(info.index_type)) return ++vertices, true;
            add(std::exchange(vertices, 0));
            return true;
        });
        add(vertices);
    }
    return all * info.instance_count;
}

bool read_parameters(images::ImageAccess& context, const pipe::DrawInfo& info, DirectDraw* out) {
    auto& r = static_cast<images::StoredResource&>(*info.indirect.resource);
    const uint32_t size_B = parameters_B(info);
    if (info.indirect.offset_B + size_B > r.desc.width) return false;
    context.wait_for_writes(r);
    std::array<uint32_t, 5> p{};
    std::memcpy(p.data(), r.cpu_memory().first + info.indirect.offset_B, size_B);
    *out = {info, {.first = p[2], .count = p[0]}};
    out->info.indirect = {};
    out->info.instance_count = p[1];
    const bool indexed = info.index_type != pipe::IndexType::None;
    if (indexed) out->range.index_bias = int32_t(p[3]);
    out->info.first_instance = p[indexed ? 4 : 3];
    return true;
}

}  // namespace terrazzo::contexts
