// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Vertices that the segments of a draw share, on one thread and on several.
#include <random>

#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;
namespace hw = terrazzo::mali::hw;

namespace {

constexpr unsigned kColumns = 40, kRows = 12;

struct GridFixture : DrawFixture {
    uint64_t pixels = room(kWidth * kHeight * 4), counters = room(64);
    std::vector<Vertex> corners;
    std::vector<uint16_t> indices;

    // Counts its runs, then does the real work.
    std::string counting(const char* shader, unsigned counter) {
        char text[256];
        std::snprintf(text, sizeof(text),
                      "IADD_IMM.i32 r6, 0x0, #0x%X\nIADD_IMM.i32 r7, 0x0, #0x0\nIADD_IMM.i32 r8, 0x0, #0x1\n"
                      "ATOM.i32.slot0.aadd.wait0 @r8, r6, offset:0x0\n",
                      unsigned(counters) + 4 * counter);
        return text + std::string(shader);
    }
    uint32_t runs(unsigned counter) {
        uint32_t n;
        std::memcpy(&n, at(counters) + 4 * counter, 4);
        std::memset(at(counters) + 4 * counter, 0, 4);
        return n;
    }
    GridFixture() {
        const uint32_t preload = 1u << 11 | 1u << 12 | 1u << 13;
        set(hw::IdvsRegisters::position_spd,
            program(counting(kPositionShader, 0), hw::ShaderStage::Vertex, preload));
        set(hw::IdvsRegisters::varying_spd,
            program(counting(kVaryingShader, 1), hw::ShaderStage::Vertex, preload));
        host.grown = room(48 * 0x10000);
        host.chunks_left = 48;
        heap.context_va = room(32);
        std::mt19937 random(9);
        const auto real = [&] { return float(random() % 1024) / 1024; };
        for (unsigned y = 0; y <= kRows; ++y)
            for (unsigned x = 0; x <= kColumns; ++x)
                corners.push_back({{float(x) * 1.5f + real() * 0.4f, float(y) * 5 + real(), real(), 1},
                                   {real(), real(), real(), 1}});
        for (unsigned y = 0; y < kRows; ++y)
            for (unsigned x = 0; x < kColumns; ++x) {
                const auto a = uint16_t(y * (kColumns + 1) + x), b = uint16_t(a + kColumns + 1);
                for (const uint16_t i : {a, uint16_t(a + 1), b, uint16_t(a + 1), uint16_t(b + 1), b})
                    indices.push_back(i);
            }
    }
    void index_array() {
        hw::PrimitiveFlags flags;
        flags.draw_mode = hw::DrawMode::Triangles;
        flags.secondary_shader = true;
        flags.index_type = hw::IndexType::Uint16;
        hw::pack(flags, &registers.r[hw::IdvsRegisters::primitive_flags]);
        set(hw::IdvsRegisters::indices, place(indices.data(), indices.size() * 2));
        registers.r[hw::IdvsRegisters::index_array_size] = uint32_t(indices.size() * 2);
        registers.r[hw::IdvsRegisters::index_count] = uint32_t(indices.size());
    }
    std::vector<uint8_t> picture() {
        std::memset(at(pixels), 0, kWidth * kHeight * 4);
        REQUIRE(fragment(parameters(), linear_target(pixels)) == JobStatus::Done);
        return {at(pixels), at(pixels) + kWidth * kHeight * 4};
    }
};

}  // namespace

TEST_CASE_FIXTURE(GridFixture, "vertices: those of several segments are shaded once") {
    std::vector<Vertex> all;
    for (const uint16_t i : indices)
        all.push_back(corners[i]);
    vertices(all);
    REQUIRE(draw() == JobStatus::Done);
    CHECK(runs(0) == indices.size());
    CHECK(runs(1) == indices.size());
    const std::vector<uint8_t> expected = picture();

    new_frame();
    vertices(corners);
    index_array();
    REQUIRE(draw() == JobStatus::Done);
    CHECK(runs(0) == corners.size());
    CHECK(runs(1) == corners.size());
    const std::vector<uint8_t> shared = picture();
    CHECK(shared == expected);

    // Each instance is shaded separately.
    new_frame();
    registers.r[hw::IdvsRegisters::instance_count] = 3;
    REQUIRE(draw() == JobStatus::Done);
    CHECK(runs(0) == 3 * corners.size());
    CHECK(runs(1) == 3 * corners.size());
    const std::vector<uint8_t> again = picture();
    CHECK(again == expected);
}

TEST_CASE_FIXTURE(GridFixture, "vertices: indices beyond the array are 0") {
    // The last triangle of the grid has vertex 0 in place of all corners, or of the last one.
    for (const unsigned beyond : {1u, 3u}) {
        CAPTURE(beyond);
        std::vector<uint16_t> inside = indices;
        std::fill(inside.end() - beyond, inside.end(), uint16_t(0));
        std::swap(inside, indices);
        new_frame();
        vertices(corners);
        index_array();
        REQUIRE(draw() == JobStatus::Done);
        const std::vector<uint8_t> expected = picture();
        std::swap(inside, indices);
        new_frame();
        index_array();
        registers.r[hw::IdvsRegisters::index_array_size] -= 2 * beyond;
        REQUIRE(draw() == JobStatus::Done);
        CHECK(picture() == expected);
    }
    // The first index may be beyond, too, with counts up to the largest.
    new_frame();
    registers.r[hw::IdvsRegisters::index_offset] = ~0u;
    registers.r[hw::IdvsRegisters::index_count] = 300;
    CHECK(draw() == JobStatus::Done);
}

TEST_CASE(
    "vertices: draws on several threads write the same memory as on one thread, also after an exhausted "
    "heap") {
    // Nine instances are more than two batches.
    std::vector<uint8_t> wanted;
    for (unsigned pass = 0; pass < 6; ++pass) {
        CAPTURE(pass);
        GridFixture f;
        f.machine.threads = pass ? 4 : 1;
        f.vertices(f.corners);
        f.index_array();
        f.registers.r[hw::IdvsRegisters::instance_count] = 9;
        DrawProgress progress;
        JobStatus status = JobStatus::OutOfHeap;
        for (unsigned tries = 0; tries < 30 && status == JobStatus::OutOfHeap; ++tries) {
            f.host.chunks_left = 2;
            status = f.draw(&progress);
        }
        INFO(f.fault.report);
        REQUIRE(status == JobStatus::Done);
        CHECK((f.machine.pool != nullptr) == (pass != 0));
        CHECK(f.runs(0) >= 9 * f.corners.size());
        CHECK(f.runs(1) >= 9 * f.corners.size());
        std::memset(f.at(f.geometry_), 0, 0x10000);
        if (!pass) wanted = f.host.memory.bytes;
        CHECK(f.host.memory.bytes == wanted);
    }
}

TEST_CASE("vertices: the fault of the first vertex is reported, on any number of threads") {
    std::string wanted;
    for (unsigned pass = 0; pass < 20; ++pass) {
        GridFixture f;
        f.machine.threads = pass ? 4 : 1;
        // Vertices from 100 on load beyond the memory.
        f.set(hw::IdvsRegisters::position_spd,
              f.program(std::string("IADD_IMM.i32 r6, 0x0, #0x8FFE70\n"
                                    "IADD_IMM.i32 r7, 0x0, #0x0\n"
                                    "SHADDX.u64 r6, r6, r60.w0, shift:0x2\n"
                                    "LOAD.i32.unsigned.slot0.wait0 @r8, r6, offset:0\n") +
                            kPositionShader,
                        hw::ShaderStage::Vertex, 1u << 11 | 1u << 12 | 1u << 13));
        f.vertices(f.corners);
        f.index_array();
        CHECK(f.draw() == JobStatus::Fault);
        if (!pass) wanted = f.fault.report;
        CHECK(f.fault.report == wanted);
    }
    CHECK(wanted.find("position shader: ") != std::string::npos);
    CHECK(wanted.find("at 0x900000: not mapped") != std::string::npos);
}
