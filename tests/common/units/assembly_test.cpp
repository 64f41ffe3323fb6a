// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/units/assembly.h"

#include <array>

#include <doctest/doctest.h>

using namespace terrazzo::units;

namespace {

using Ids = std::vector<uint32_t>;

Ids assembled(Topology topology, uint32_t count, bool first_provoking = false) {
    VertexRuns runs;
    count_vertices(0, count, &runs);
    Primitives out;
    assemble_primitives(topology, first_provoking, runs, &out);
    return out.vertices;
}

}  // namespace

TEST_CASE("units: assembly: each topology; left-over vertices are dropped") {
    CHECK(assembled(Topology::Points, 2) == Ids{0, 1});
    CHECK(assembled(Topology::Lines, 5) == Ids{0, 1, 2, 3});
    CHECK(assembled(Topology::LineStrip, 3) == Ids{0, 1, 1, 2});
    CHECK(assembled(Topology::LineLoop, 3) == Ids{0, 1, 1, 2, 2, 0});
    CHECK(assembled(Topology::Triangles, 5) == Ids{0, 1, 2});
    CHECK(assembled(Topology::Quads, 7) == Ids{0, 1, 3, 1, 2, 3});
    CHECK(assembled(Topology::TriangleStrip, 2).empty());
    CHECK(assembled(Topology::LineLoop, 1).empty());
    CHECK(assembled(Topology::Triangles, 0).empty());
}

TEST_CASE("units: assembly: the provoking vertex comes first or last, the orientation stays") {
    CHECK(assembled(Topology::TriangleStrip, 4) == Ids{0, 1, 2, 2, 1, 3});
    CHECK(assembled(Topology::TriangleStrip, 4, true) == Ids{0, 1, 2, 1, 3, 2});
    CHECK(assembled(Topology::TriangleFan, 4) == Ids{0, 1, 2, 0, 2, 3});
    CHECK(assembled(Topology::TriangleFan, 4, true) == Ids{1, 2, 0, 2, 3, 0});
    CHECK(assembled(Topology::Polygon, 4, true) == Ids{0, 1, 2, 0, 2, 3});
}

TEST_CASE("units: assembly: indices of each size, an offset, a restart") {
    VertexRuns runs;
    const std::array<uint8_t, 5> bytes = {3, 255, 4, 5, 6};
    read_indices(bytes, 1, -1, 255, &runs);
    CHECK(runs.ids == Ids{2, 3, 4, 5});
    CHECK(runs.ends == std::vector<size_t>{1});
    Primitives out;
    assemble_primitives(Topology::LineStrip, false, runs, &out);
    CHECK(out.vertices == Ids{3, 4, 4, 5});
    CHECK(out.count() == 2);

    runs = {};
    read_indices(bytes, 1, 0, std::nullopt, &runs);
    CHECK(runs.ids == Ids{3, 255, 4, 5, 6});
    CHECK(runs.ends.empty());
    runs = {};
    read_indices(bytes, 2, 0, 0x0504, &runs);  // the fifth byte is not a whole index
    CHECK(runs.ids == Ids{0xff03});
    CHECK(runs.ends == std::vector<size_t>{1});
    runs = {};
    read_indices(std::span(bytes).first(4), 4, 1, std::nullopt, &runs);
    CHECK(runs.ids == Ids{0x0504ff04});
}
