// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/assembly.h"

#include <cstring>
#include <initializer_list>

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
    const size_t count = raw.size() / index_B;
    out->ids.reserve(out->ids.size() + count);
    for (size_t i = 0; i < count; ++i) {
        uint32_t v = 0;
        std::memcpy(&v, &raw[i * index_B], index_B);
        if (restart && v == *restart)
            out->ends.push_back(out->ids.size());
        else
            out->ids.push_back(v + uint32_t(vertex_offset));
    }
}

void count_vertices(uint32_t first, uint32_t count, VertexRuns* out) {
    out->ids.reserve(out->ids.size() + count);
    for (uint32_t i = 0; i < count; ++i)
        out->ids.push_back(first + i);
}

void assemble_primitives(Topology topology, bool first_provoking, const VertexRuns& runs, Primitives* out) {
    out->kind = kind_of(topology);
    out->corners = out->kind == PrimitiveKind::Point ? 1 : out->kind == PrimitiveKind::Line ? 2 : 3;
    out->vertices.clear();
    Assembler assembler(topology, first_provoking, out);
    size_t begin = 0;
    for (const size_t end : runs.ends) {
        assembler.run(runs.ids.data() + begin, end - begin);
        begin = end;
    }
    assembler.run(runs.ids.data() + begin, runs.ids.size() - begin);
}

}  // namespace terrazzo::units
