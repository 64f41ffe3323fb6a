// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// From indices in memory to batches of primitives, and the vertices that each batch shades.
#include "drivers/common/units/vertices.h"

#include <cstring>
#include <map>
#include <random>

#include "pipe/primitives.h"

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

using Ids = std::vector<uint32_t>;

// Two mappings, one after another.
class TwoMappings final : public window::Space {
  public:
    static constexpr uint64_t kBase = 0x10000, kSize = 4096;
    window::Mapping find(uint64_t va) override {
        for (uint64_t i = 0; i < 2; ++i)
            if (const uint64_t begin = kBase + i * kSize; va >= begin && va < begin + kSize)
                return {begin, begin + kSize, bytes[i], true, true};
        return {};
    }
    uint64_t epoch() const override { return 0; }
    uint8_t bytes[2][kSize] = {};
};

Ids sorted(const uint32_t* v, unsigned n) {
    Ids ids(v, v + n);
    std::sort(ids.begin(), ids.end());
    return ids;
}

constexpr uint32_t kRestart = 0xffff;

// Runs of random lengths, divided by restarts: none, one vertex, an odd number, many.
Ids random_runs(std::minstd_rand& random, size_t count) {
    Ids ids;
    while (ids.size() < count)
        ids.push_back(random() % 9 ? random() % 500 : kRestart);
    return ids;
}

}  // namespace

TEST_CASE(
    "units: vertices: each once, in the order of their first use, for ids with small and large differences") {
    std::minstd_rand random(5);
    UniqueVertices unique;
    for (const size_t count : {1u, 3u, 77u, 5000u})
        for (const uint32_t range : {1u, 40u, 3000u, ~0u}) {
            Ids ids(count);
            for (uint32_t& id : ids)
                id = uint32_t(random()) * 2654435761u % range;
            std::vector<VertexInvocation> vertices = {{7, 7}};  // vertices of another instance are kept
            Ids places, seen;
            unique.add(ids, 3, &vertices, &places);
            REQUIRE(places.size() == count);
            for (size_t i = 0; i < count; ++i) {
                const auto at = std::find(seen.begin(), seen.end(), ids[i]);
                REQUIRE(places[i] == 1 + uint32_t(at - seen.begin()));
                if (at == seen.end()) seen.push_back(ids[i]);
            }
            REQUIRE(vertices.size() == 1 + seen.size());
            for (size_t i = 0; i < seen.size(); ++i)
                CHECK((vertices[1 + i].index == seen[i] && vertices[1 + i].instance == 3));
        }
}

TEST_CASE("units: vertices: parts of a batch have each vertex of an instance once, as if found at once") {
    std::minstd_rand random(9);
    BatchVertices found;
    for (const uint32_t all : {1u, 7u, 700u, 3000u})  // primitives of an instance
        for (const size_t most : {1u, 20u, 1024u, 2500u}) {
            Primitives p;
            p.corners = 3;
            for (uint32_t i = 0; i < all; ++i)
                for (uint32_t k = 0; k < 3; ++k)
                    p.vertices.push_back(i + uint32_t(random() % 5));
            std::vector<uint64_t> numbers;  // without primitives that are not needed
            for (uint64_t n = random() % 5; numbers.size() < most; n += 1 + random() % 7 / 6)
                numbers.push_back(n);
            found.begin(p, numbers.size());
            for (unsigned n = found.parts(); n-- > 0;)
                found.find(n, [&](size_t i) { return numbers[i]; });
            std::vector<VertexInvocation> vertices = {{7, 7}}, seen;
            found.join(&vertices);
            for (size_t i = 0; i < numbers.size(); ++i)
                for (size_t k = 0; k < 3; ++k) {
                    const uint32_t at = found.vertex(i, k);
                    REQUIRE(at <= seen.size());
                    REQUIRE(at < vertices.size());
                    const VertexInvocation& v = vertices[at];
                    if (at == seen.size()) seen.push_back(v);
                    REQUIRE(v.index == p.vertices[size_t(numbers[i] % all) * 3 + k]);
                    REQUIRE(v.instance == numbers[i] / all);
                }
            CHECK(seen.size() == vertices.size());
            std::map<std::pair<uint32_t, uint32_t>, unsigned> times;
            for (const VertexInvocation& v : vertices)
                REQUIRE(++times[{v.instance, v.index}] == 1);
        }
    found.begin({}, 0);
    std::vector<VertexInvocation> vertices = {{7, 7}};
    found.join(&vertices);
    CHECK(found.parts() == 0);
    CHECK(vertices.empty());
}

TEST_CASE("units: vertices: indices in memory, in one mapping or two, or in none") {
    TwoMappings space;
    window::Window memory(space);
    for (const unsigned size_B : {1u, 2u, 4u}) {
        CAPTURE(size_B);
        const uint64_t va = TwoMappings::kBase + TwoMappings::kSize - 4 * size_B;
        for (uint32_t i = 0; i < 8; ++i) {
            const uint32_t index = i == 5 ? 200 : i;
            REQUIRE(memory.write(va + i * size_B, &index, size_B));
        }
        for (const uint32_t count : {0u, 1u, 4u, 8u}) {
            VertexRuns runs;
            REQUIRE(read_indices(memory, {va, size_B, count, 0, count, 10, 200}, &runs));
            Ids wanted = {10, 11, 12, 13, 14, 16, 17};
            wanted.resize(count > 5 ? 7 : count);
            CHECK(runs.ids == wanted);
            CHECK(runs.ends == (count > 5 ? std::vector<size_t>{5} : std::vector<size_t>{}));
        }
        VertexRuns beyond, ended;
        REQUIRE(read_indices(memory, {va, size_B, 3, 2, 3, 10, {}}, &beyond));
        CHECK(beyond.ids == Ids{12, 10, 10});
        REQUIRE(read_indices(memory, {va, size_B, 3, 2, 3, 10, 0}, &ended));
        CHECK(ended.ids == Ids{12});
        CHECK(ended.ends == std::vector<size_t>{1, 1});
        VertexRuns runs;
        CHECK(!read_indices(memory, {va, size_B, 1u << 30, 0, 1u << 30, 0, {}}, &runs));
        CHECK(memory.fault().va >= TwoMappings::kBase + 2 * TwoMappings::kSize);
    }
}

TEST_CASE("units: assembly: every topology with restart has the primitives of each run") {
    const std::pair<Topology, pipe::Primitive> kTopologies[] = {
        {Topology::Points, pipe::Primitive::Points},
        {Topology::Lines, pipe::Primitive::Lines},
        {Topology::LineStrip, pipe::Primitive::LineStrip},
        {Topology::LineLoop, pipe::Primitive::LineLoop},
        {Topology::Triangles, pipe::Primitive::Triangles},
        {Topology::TriangleStrip, pipe::Primitive::TriangleStrip},
        {Topology::TriangleFan, pipe::Primitive::TriangleFan}};
    const pipe::Primitive kOthers[] = {pipe::Primitive::LinesAdjacency, pipe::Primitive::LineStripAdjacency,
                                       pipe::Primitive::TrianglesAdjacency,
                                       pipe::Primitive::TriangleStripAdjacency, pipe::Primitive::Patches};
    std::minstd_rand random(11);
    for (const size_t count : {0u, 1u, 2u, 5u, 33u, 3001u}) {
        const Ids raw = random_runs(random, count);
        std::vector<uint8_t> bytes(raw.size() * 4);
        if (!raw.empty()) std::memcpy(bytes.data(), raw.data(), bytes.size());
        VertexRuns runs;
        read_indices(bytes, 4, 0, kRestart, &runs);
        // The vertices of each primitive according to pipe's rules, without their order.
        const auto listed = [&](pipe::Primitive mode, unsigned patch) {
            std::vector<Ids> all;
            Ids run;
            for (size_t i = 0; i <= raw.size(); ++i) {
                if (i < raw.size() && raw[i] != kRestart) {
                    run.push_back(raw[i]);
                    continue;
                }
                const auto n = uint32_t(run.size());
                for (uint32_t p = 0; p < pipe::primitive_count(mode, n, patch); ++p) {
                    uint32_t at[32], ids[32];
                    pipe::list_primitive(mode, p, n, patch, at);
                    const unsigned corners = pipe::primitive_vertices(mode, patch);
                    for (unsigned k = 0; k < corners; ++k)
                        ids[k] = run[at[k]];
                    all.push_back(sorted(ids, corners));
                }
                run.clear();
            }
            return all;
        };
        const auto got = [](const Primitives& p) {
            std::vector<Ids> all;
            for (size_t i = 0; i < p.count(); ++i)
                all.push_back(sorted(&p.vertices[i * p.corners], p.corners));
            return all;
        };
        for (const auto& row : kTopologies)
            for (const bool first : {false, true}) {
                const auto [topology, mode] = row;
                CAPTURE(unsigned(row.second));
                Primitives p;
                assemble_primitives(topology, first, runs, &p);
                CHECK(p.corners == corners_of(p.kind));
                CHECK(got(p) == listed(mode, 0));
            }
        for (const pipe::Primitive mode : kOthers) {
            CAPTURE(unsigned(mode));
            Primitives p;
            assemble_others(mode, 5, true, runs, &p);
            CHECK(got(p) == listed(mode, 5));
            if (mode == pipe::Primitive::Patches) continue;
            Primitives inner;
            assemble_others(mode, 0, false, runs, &inner);
            CHECK(inner.count() == p.count());
            CHECK(inner.corners == corners_of(inner.kind));
        }
    }
}
