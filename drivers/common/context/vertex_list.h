// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The vertices of a draw's primitives, listed by the CPU: strips, fans and restarted indices become
// independent primitives. Also their number, draws without adjacent vertices, and draws whose parameters are
// in a buffer, made direct: for devices and states for which the CPU must know the vertices.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "drivers/common/images/access.h"
#include "pipe/state_facts.h"

namespace terrazzo::contexts {

/// Calls `index` with the indices of the range that are inside the buffer, until it returns false. The caller
/// has waited for the device's writes to them.
template <class F>
void for_indices(const pipe::DrawInfo& info, const pipe::DrawRange& range, F&& index) {
    const auto& r = static_cast<const images::StoredResource&>(*info.index_buffer);
    const images::StoredResource::CpuMemory memory = r.cpu_memory();
    const unsigned size_B = pipe::index_size_B(info.index_type);
    for (uint64_t i = 0; i < range.count; ++i) {
        const uint64_t at = info.index_offset_B + (range.first + i) * size_B;
        if (at + size_B > r.layout.size_B) break;
        uint32_t value = 0;
        std::memcpy(&value, memory.first + at, size_B);
        if (!index(value)) break;
    }
}

class VertexList {
  public:
    /// Lists the gl_VertexIDs of an instance, primitive by primitive, at most `most` of them (a multiple of a
    /// primitive's). First waits for the device's writes to the indices.
    void list(images::ImageAccess& context, const pipe::DrawInfo& info,
              std::span<const pipe::DrawRange> ranges, uint64_t most);
    [[nodiscard]] std::span<const uint32_t> vertices() const { return listed_; }

  private:
    void add_range(const pipe::DrawInfo& info, const pipe::DrawRange& range, uint64_t most);
    void add_primitives(const pipe::DrawInfo& info, uint64_t most);

    std::vector<uint32_t> listed_;
    std::vector<uint32_t> run_;  // the vertices between two restarts
    std::vector<uint32_t> corners_;
};

/// A draw of the vertices in an index buffer of its own.
struct ListedDraw {
    pipe::DrawInfo info;
    pipe::DrawRange range;
    pipe::Ref<pipe::Resource> indices;
};
/// The lines or triangles of a direct draw of primitives with adjacent vertices, for devices whose vertex
/// stages have no such draws. Without a geometry stage, adjacent vertices have no effect (OpenGL ES 3.2
/// section 10.1). False: there are none. Throws std::bad_alloc.
[[nodiscard]] bool list_without_adjacent(images::ImageAccess& context, const pipe::DrawInfo& info,
                                         std::span<const pipe::DrawRange> ranges, ListedDraw* out);

/// The number of primitives of all instances. Where indices may restart, first waits for the device's writes
/// to them.
[[nodiscard]] uint64_t count_primitives(images::ImageAccess& context, const pipe::DrawInfo& info,
                                        std::span<const pipe::DrawRange> ranges);

/// The bytes of DrawInfo::indirect: count, instances, first index (only with indices), first vertex, first
/// instance.
[[nodiscard]] constexpr uint32_t parameters_B(const pipe::DrawInfo& info) {
    return info.index_type == pipe::IndexType::None ? 16 : 20;
}

struct DirectDraw {
    pipe::DrawInfo info;
    pipe::DrawRange range;
};
/// Waits for the device's writes, as ImageAccess::wait_for_writes, and reads the parameters of the indirect
/// draw. False: they are not all in the buffer.
[[nodiscard]] bool read_parameters(images::ImageAccess& context, const pipe::DrawInfo& info, DirectDraw* out);

}  // namespace terrazzo::contexts
