// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/assembly.h"

#include <cstring>
#include <initializer_list>

#include "pipe/primitives.h"

namespace terrazzo::units {

namespace {

class Assembler {
  public:
    Assembler(Topology mode, bool first, Primitives* out) : mode_(mode), first_(first), out_(*out) {}

    void run(const uint32_t* v, size_t n) {
        switch (mode_) {
            case Topology::Points:
                out_.vertices.insert(out_.vertices.end(), v, v + n);
                break;
            case Topology::Lines:
                out_.vertices.insert(out_.vertices.end(), v, v + n / 2 * 2);
                break;
            case Topology::LineStrip:
            case Topology::LineLoop:
                for (size_t i = 0; i + 1 < n; ++i)
                    add({v[i], v[i + 1]});
                if (mode_ == Topology::LineLoop && n > 1) add({v[n - 1], v[0]});
                break;
            case Topology::Triangles:
                out_.vertices.insert(out_.vertices.end(), v, v + n / 3 * 3);
                break;
            case Topology::TriangleStrip:
                for (size_t i = 0; i + 2 < n; ++i)
                    if (i % 2 == 0)
                        add({v[i], v[i + 1], v[i + 2]});
                    else if (first_)
                        add({v[i], v[i + 2], v[i + 1]});
                    else
                        add({v[i + 1], v[i], v[i + 2]});
                break;
            case Topology::TriangleFan:
            case Topology::Polygon:
                for (size_t i = 1; i + 1 < n; ++i)
                    if (first_ && mode_ == Topology::TriangleFan)
                        add({v[i], v[i + 1], v[0]});
                    else
                        add({v[0], v[i], v[i + 1]});
                break;
            case Topology::Quads:
                for (size_t i = 0; i + 3 < n; i += 4) {
                    add({v[i], v[i + 1], v[i + 3]});
                    add({v[i + 1], v[i + 2], v[i + 3]});
                }
                break;
        }
    }

  private:
    void add(std::initializer_list<uint32_t> v) { out_.vertices.insert(out_.vertices.end(), v); }

    Topology mode_;
    bool first_;
    Primitives& out_;
};

template <class Index>
void append_indices(const uint8_t* raw, size_t count, uint32_t offset, std::optional<uint32_t> restart,
                    VertexRuns* out) {
    const size_t before = out->ids.size();
    out->ids.resize(before + count);
    uint32_t* to = out->ids.data() + before;
    const auto index = [&](size_t i) {
        Index v;
        std::memcpy(&v, raw + i * sizeof(Index), sizeof(Index));
        return v;
    };
    for (size_t i = 0; i < count && !restart; ++i)
        to[i] = index(i) + offset;
    if (!restart) return;
    for (size_t i = 0; i < count; ++i) {
        const Index v = index(i);
        if (v == *restart)
            out->ends.push_back(size_t(to - out->ids.data()));
        else
            *to++ = v + offset;
    }
    out->ids.resize(size_t(to - out->ids.data()));
}

}  // namespace

PrimitiveKind kind_of(Topology topology) {
    switch (topology) {
        case Topology::Points:
            return PrimitiveKind::Point;
        case Topology::Lines:
        case Topology::LineStrip:
        case Topology::LineLoop:
            return PrimitiveKind::Line;
        case Topology::Triangles:
        case Topology::TriangleStrip:
        case Topology::TriangleFan:
        case Topology::Polygon:
        case Topology::Quads:
            break;
    }
    return PrimitiveKind::Triangle;
}

void read_indices(std::span<const uint8_t> raw, unsigned index_B, int32_t vertex_offset,
                  std::optional<uint32_t> restart, VertexRuns* out) {
    const uint8_t* const from = raw.data();
    const size_t count = raw.size() / index_B;
    const auto offset = uint32_t(vertex_offset);
    if (index_B == 1)
        append_indices<uint8_t>(from, count, offset, restart, out);
    else if (index_B == 2)
        append_indices<uint16_t>(from, count, offset, restart, out);
    else
        append_indices<uint32_t>(from, count, offset, restart, out);
}

bool read_indices(window::Window& memory, const IndexArray& a, VertexRuns* out) {
    const uint32_t inside = std::min(a.count, a.all - std::min(a.first, a.all));
    const uint64_t va = a.va + uint64_t(a.first) * a.index_B, size_B = uint64_t(inside) * a.index_B;
    std::vector<uint8_t> copy;
    const uint8_t* raw = inside ? memory.at(va, size_B, window::Access::Read) : nullptr;
    if (inside && !raw) {
        uint32_t last;  // read first: memory that does not exist needs no room
        if (!memory.read(va + size_B - a.index_B, &last, a.index_B)) return false;
        copy.resize(size_B);
        if (!memory.read(va, copy.data(), size_B)) return false;
        raw = copy.data();
    }
    read_indices({raw, size_t(size_B)}, a.index_B, a.vertex_offset, a.restart, out);
    if (a.restart == 0u)
        out->ends.insert(out->ends.end(), a.count - inside, out->ids.size());
    else
        out->ids.insert(out->ids.end(), a.count - inside, uint32_t(a.vertex_offset));
    return true;
}

void count_vertices(uint32_t first, uint32_t count, VertexRuns* out) {
    out->ids.reserve(out->ids.size() + count);
    for (uint32_t i = 0; i < count; ++i)
        out->ids.push_back(first + i);
}

void assemble_primitives(Topology topology, bool first_provoking, const VertexRuns& runs, Primitives* out) {
    out->kind = kind_of(topology);
    out->corners = corners_of(out->kind);
    out->vertices.clear();
    Assembler assembler(topology, first_provoking, out);
    size_t begin = 0;
    for (const size_t end : runs.ends) {
        assembler.run(runs.ids.data() + begin, end - begin);
        begin = end;
    }
    assembler.run(runs.ids.data() + begin, runs.ids.size() - begin);
}

void assemble_others(pipe::Primitive mode, unsigned patch, bool keep, const VertexRuns& runs,
                     Primitives* out) {
    const bool patches = mode == pipe::Primitive::Patches;
    const unsigned all = pipe::primitive_vertices(mode, patch);
    const bool lines = !patches && all == 4;
    static constexpr unsigned kLine[] = {1, 2}, kTriangle[] = {0, 2, 4};
    const unsigned* const corner = lines ? kLine : kTriangle;
    out->kind = lines ? PrimitiveKind::Line : PrimitiveKind::Triangle;
    out->corners = patches || keep ? all : corners_of(out->kind);
    out->vertices.clear();
    size_t begin = 0;
    for (size_t r = 0; r <= runs.ends.size(); ++r) {
        const size_t end = r < runs.ends.size() ? runs.ends[r] : runs.ids.size();
        const uint32_t n = uint32_t(end - begin);
        for (uint32_t p = 0; p < pipe::primitive_count(mode, n, patch); ++p) {
            uint32_t at[32];
            pipe::list_primitive(mode, p, n, patch, at);
            for (unsigned k = 0; k < out->corners; ++k)
                out->vertices.push_back(runs.ids[begin + at[patches || keep ? k : corner[k]]]);
        }
        begin = end;
    }
}

}  // namespace terrazzo::units
