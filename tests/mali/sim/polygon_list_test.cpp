// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Polygon lists as fragment jobs read them.
#include <random>

#include "drivers/mali/sim/tiler/records.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

struct ListFixture : DrawFixture {
    uint64_t pixels = room(kWidth * kHeight * 4);
    // The first segment of the list.
    uint64_t segment_va() {
        uint64_t va;
        std::memcpy(&va, at(tiler), 8);
        REQUIRE(va != 0);
        return va;
    }
    template <class Change>
    void change_segment(Change&& change) {
        SegmentRecord s;
        std::memcpy(&s, at(segment_va()), sizeof(s));
        change(s);
        std::memcpy(at(segment_va()), &s, sizeof(s));
    }
    void one_triangle() {
        new_frame();
        vertices(
            {{{0, 0, 0, 1}, {1, 1, 1, 1}}, {{128, 0, 0, 1}, {1, 1, 1, 1}}, {{0, 128, 0, 1}, {1, 1, 1, 1}}});
        REQUIRE(draw() == JobStatus::Done);
    }
};

}  // namespace

TEST_CASE_FIXTURE(ListFixture, "polygon list: many primitives are the same with any number of threads") {
    std::mt19937 random(5);
    const auto real = [&](float most) { return float(random() % 4096) * most / 4096; };
    host.grown = room(64 * 0x10000);
    host.chunks_left = 64;
    heap.context_va = room(32);
    std::vector<Vertex> many;
    // Sizes from less than a pixel to a few areas of 32x32 pixels. Some are culled or outside.
    for (unsigned i = 0; i < 9000; ++i) {
        const float x = real(80) - 8, y = real(80) - 8, size = i % 50 ? 3 : 60;
        for (unsigned k = 0; k < 3; ++k)
            many.push_back(
                {{x + real(size), y + real(size), real(1), 1}, {real(1), real(1), real(1), real(1)}});
    }
    vertices(many);
    REQUIRE(draw() == JobStatus::Done);
    std::vector<uint8_t> first;
    for (const unsigned threads : {1u, 2u, 4u}) {
        CAPTURE(threads);
        machine.threads = threads;
        std::memset(at(pixels), 0, kWidth * kHeight * 4);
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        const std::vector<uint8_t> now(at(pixels), at(pixels) + kWidth * kHeight * 4);
        if (first.empty()) first = now;
        REQUIRE(now == first);
    }
    // A smaller list in the larger one's memory.
    one_triangle();
    REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
    CHECK(pixel(pixels, 40, 40) == 0xffffffff);
}

TEST_CASE_FIXTURE(ListFixture, "polygon list: broken records are faults") {
    const auto fails = [&](const char* text) {
        CHECK(fragment(parameters(), linear_target(pixels)) == JobStatus::Fault);
        CAPTURE(fault.report);
        CHECK(fault.report.find(text) != std::string::npos);
    };
    one_triangle();
    change_segment([&](SegmentRecord& s) {
        REQUIRE(s.vertices != 0);
        TriangleRecord r;
        std::memcpy(&r, at(s.primitives), sizeof(r));
        r.vertex[1] = uint16_t(s.varying_count);
        std::memcpy(at(s.primitives), &r, sizeof(r));
    });
    fails("a primitive record is broken");
    one_triangle();
    change_segment([](SegmentRecord& s) { s.vertices = 0x7000; });
    fails("vertices: read of");
    // Records with vertices of their own, as those of clipped triangles.
    new_frame();
    vertices({{{0, 0, -1, 1}, {1, 1, 1, 1}},
              {{128, 0, 0.5f, 1}, {1, 1, 1, 1}},
              {{0, 128, 0.5f, 1}, {1, 1, 1, 1}}});
    REQUIRE(draw() == JobStatus::Done);
    change_segment([&](SegmentRecord& s) {
        REQUIRE(s.vertices == 0);
        PrimitiveRecord r;
        std::memcpy(&r, at(s.primitives), sizeof(r));
        r.varying[1] = s.varying_count;
        std::memcpy(at(s.primitives), &r, sizeof(r));
    });
    fails("a primitive record is broken");
    one_triangle();
    change_segment([](SegmentRecord& s) { s.primitive_count = 0xffffffff; });
    fails("primitives: read of");
    one_triangle();
    change_segment([](SegmentRecord& s) { s.varying_count = 0xffffffff; });
    fails("varyings: read of");
    one_triangle();
    change_segment([](SegmentRecord& s) { s.magic = 1; });
    fails("is none");
    one_triangle();
    change_segment([&](SegmentRecord& s) { s.next = segment_va(); });
    fails("more than 4194304 primitives");
}
