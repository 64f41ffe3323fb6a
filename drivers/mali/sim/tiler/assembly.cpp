// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: OpenGL ES 3.2 section 10.1 (primitives), Mesa 25.0.7 for the draw modes.
#include "drivers/mali/sim/tiler/assembly.h"

namespace terrazzo::mali::sim {

namespace {

using hw::DrawMode;
using hw::IndexType;

// Vertex ids, cut where the primitive restarts.
struct Runs {
    std::vector<uint32_t> ids;
    std::vector<size_t> ends;
};

unsigned index_B(IndexType t) {
    return t == IndexType::Uint8 ? 1 : t == IndexType::Uint16 ? 2 : 4;
}

bool fetch_indices(Window& memory, const IndexSource& s, Runs* out, Fault* fault) {
    const unsigned size = index_B(s.type);
    if ((uint64_t(s.first) + s.count) * size > s.size_B)
        return report(fault, "indices [" + std::to_string(s.first) + ", " +
                                 std::to_string(uint64_t(s.first) + s.count) + ") of " +
                                 std::to_string(size) + " bytes are beyond the index array's " +
                                 std::to_string(s.size_B) + " bytes");
    if (s.va % size) return report(fault, "the index array at " + hex_text(s.va) + " is not aligned");
    uint32_t last;  // looked at first: what is not there needs no room
    if (s.count && !memory.read(s.va + (uint64_t(s.first) + s.count - 1) * size, &last, size))
        return report_access(fault, memory, "index array");
    std::vector<uint8_t> raw(size_t(s.count) * size);
    if (s.count && !memory.read(s.va + uint64_t(s.first) * size, raw.data(), raw.size()))
        return report_access(fault, memory, "index array");
    const uint32_t restart = size == 4 ? ~0u : (1u << 8 * size) - 1;
    for (uint32_t i = 0; i < s.count; ++i) {
        uint32_t v = 0;
        std::memcpy(&v, &raw[size_t(i) * size], size);
        if (s.restart && v == restart)
            out->ends.push_back(out->ids.size());
        else
            out->ids.push_back(v + uint32_t(s.vertex_offset));
    }
    return true;
}

class Assembler {
  public:
    Assembler(DrawMode mode, bool first, Primitives* out) : mode_(mode), first_(first), out_(*out) {}

    void run(const uint32_t* v, size_t n) {
        switch (mode_) {
            case DrawMode::Points:
                out_.vertices.insert(out_.vertices.end(), v, v + n);
                break;
            case DrawMode::Lines:
                out_.vertices.insert(out_.vertices.end(), v, v + n / 2 * 2);
                break;
            case DrawMode::LineStrip:
            case DrawMode::LineLoop:
                for (size_t i = 0; i + 1 < n; ++i)
                    add({v[i], v[i + 1]});
                if (mode_ == DrawMode::LineLoop && n > 1) add({v[n - 1], v[0]});
                break;
            case DrawMode::Triangles:
                out_.vertices.insert(out_.vertices.end(), v, v + n / 3 * 3);
                break;
            case DrawMode::TriangleStrip:
                for (size_t i = 0; i + 2 < n; ++i)
                    if (i % 2 == 0)
                        add({v[i], v[i + 1], v[i + 2]});
                    else if (first_)
                        add({v[i], v[i + 2], v[i + 1]});
                    else
                        add({v[i + 1], v[i], v[i + 2]});
                break;
            case DrawMode::TriangleFan:
            case DrawMode::Polygon:
                for (size_t i = 1; i + 1 < n; ++i)
                    if (first_ && mode_ == DrawMode::TriangleFan)
                        add({v[i], v[i + 1], v[0]});
                    else
                        add({v[0], v[i], v[i + 1]});
                break;
            case DrawMode::Quads:
                for (size_t i = 0; i + 3 < n; i += 4) {
                    add({v[i], v[i + 1], v[i + 3]});
                    add({v[i + 1], v[i + 2], v[i + 3]});
                }
                break;
            case DrawMode::None:
                break;
        }
    }

  private:
    void add(std::initializer_list<uint32_t> v) { out_.vertices.insert(out_.vertices.end(), v); }

    DrawMode mode_;
    bool first_;
    Primitives& out_;
};

}  // namespace

bool assemble_primitives(Window& memory, DrawMode mode, const IndexSource& indices, bool first_provoking,
                         Primitives* out, Fault* fault) {
    const bool points = mode == DrawMode::Points;
    const bool lines = mode == DrawMode::Lines || mode == DrawMode::LineStrip || mode == DrawMode::LineLoop;
    out->kind = points ? PrimitiveKind::Point : lines ? PrimitiveKind::Line : PrimitiveKind::Triangle;
    out->corners = points ? 1 : lines ? 2 : 3;
    out->vertices.clear();
    Runs runs;
    if (indices.type != IndexType::None) {
        if (!fetch_indices(memory, indices, &runs, fault)) return false;
    } else {
        runs.ids.resize(indices.count);
        for (uint32_t i = 0; i < indices.count; ++i)
            runs.ids[i] = indices.first + i + uint32_t(indices.vertex_offset);
    }
    runs.ends.push_back(runs.ids.size());
    Assembler assembler(mode, first_provoking, out);
    size_t begin = 0;
    for (const size_t end : runs.ends) {
        assembler.run(runs.ids.data() + begin, end - begin);
        begin = end;
    }
    return true;
}

}  // namespace terrazzo::mali::sim
