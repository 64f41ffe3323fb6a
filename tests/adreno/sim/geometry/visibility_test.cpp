// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// VSC: the streams that the binning pass writes, and the draws of tiles that read them.
#include "drivers/adreno/sim/geometry/visibility.h"

#include <memory>
#include <random>

#include "drivers/common/units/raster.h"
#include "tests/adreno/sim/geometry/fixture.h"

namespace terrazzo::adreno::sim::testing {
namespace {

using hw::PrimType;

// A window of 128x96 px in bins of 32x32: 4x3 tiles in two pipes with 3x3 and 1x3 tiles.
struct BinFixture : Fixture {
    static constexpr uint64_t kDraws = kStreams, kPrims = kStreams + 0x40000, kSizes = kStreams + 0x80000;
    static constexpr uint32_t kPitch = 0x4000;
    struct Tile {
        unsigned pipe, slot, x, y;
    };
    std::vector<Tile> tiles;

    BinFixture() {
        set_view(0, 128, 96);
        set_window(0, 0, 127, 95);
        set(hw::VSC_BIN_SIZE{.width = 32, .height = 32});
        set(hw::VSC_BIN_COUNT{.nx = 4, .ny = 3});
        for (unsigned p = 0; p < 32; ++p)
            set(hw::VSC_PIPE_CONFIG{}, p);
        set(hw::VSC_PIPE_CONFIG{.x = 0, .y = 0, .w = 3, .h = 3}, 0);
        set(hw::VSC_PIPE_CONFIG{.x = 3, .y = 0, .w = 1, .h = 3}, 1);
        for (unsigned y = 0; y < 3; ++y)
            for (unsigned x = 0; x < 4; ++x)
                tiles.push_back(x < 3 ? Tile{0, y * 3 + x, x, y} : Tile{1, y, x, y});
        set(hw::VSC_DRAW_STRM_SIZE_ADDRESS{.value = kSizes});
        set(hw::VSC_DRAW_STRM_ADDRESS{.value = kDraws});
        set(hw::VSC_PRIM_STRM_ADDRESS{.value = kPrims});
        limits(kPitch - 64, kPitch - 64);
        call.initiator.vis_cull = hw::VisCull::USE_VISIBILITY;
    }
    void limits(uint32_t draws_B, uint32_t prims_B) {
        set(hw::VSC_DRAW_STRM_PITCH{.value = kPitch});
        set(hw::VSC_PRIM_STRM_PITCH{.value = kPitch});
        set(hw::VSC_DRAW_STRM_LIMIT{.value = draws_B});
        set(hw::VSC_PRIM_STRM_LIMIT{.value = prims_B});
    }
    void set_window(uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1) {
        set(hw::GRAS_SC_WINDOW_SCISSOR_TL{.value = {.x = x0, .y = y0}});
        set(hw::GRAS_SC_WINDOW_SCISSOR_BR{.value = {.x = x1, .y = y1}});
    }
    void begin_binning() {
        machine.mode = RenderMode::Binning;
        machine.visibility = {};
        set_window(0, 0, 127, 95);
        const bool good = geometry_event(machine, hw::EventType::UNK_2C, &fault);
        INFO(fault.report);
        REQUIRE(good);
    }
    void end_binning() { REQUIRE(geometry_event(machine, hw::EventType::UNK_2D, &fault)); }
    void begin_tile(const Tile& t) {
        machine.mode = RenderMode::Gmem;
        machine.visibility = {
            true, t.pipe, t.slot, kDraws + t.pipe * kPitch, kPrims + t.pipe * kPitch, kSizes + t.pipe * 4};
        set_window(t.x * 32, t.y * 32, t.x * 32 + 31, t.y * 32 + 31);
    }
    bool state(const Tile& t) { return machine.registers.value(hw::VSC_STATE::at(t.pipe)) >> t.slot & 1; }
};

// The pixel centres in the rectangle that a primitive covers.
bool covers(const units::Primitive& shape, const pipe::raster::PixelRect& rect) {
    units::RasterPrimitive raster;
    if (!units::set_up_raster(shape, {}, false, &raster)) return false;
    const pipe::raster::PixelRect r = intersect(raster.bounds, rect);
    for (int32_t y = r.y0; y < r.y1; ++y)
        for (int32_t x = r.x0; x < r.x1; ++x) {
            if (raster.triangle.covers(x, y) || shape.kind != units::PrimitiveKind::Triangle) return true;
        }
    return false;
}

// A random vertex, mostly within the window.
void append_vertex(std::mt19937& random, std::vector<float>* out, float spread) {
    std::uniform_real_distribution<float> near(-spread, spread);
    const float w = 0.5f + float(random() % 100) / 50;
    out->insert(out->end(), {near(random) * w, near(random) * w, 0, w});
}

}  // namespace

TEST_CASE("adreno VSC: bit streams read the written bits") {
    std::mt19937 random(3);
    BitWriter w;
    std::vector<uint32_t> values;
    for (unsigned i = 0; i < 2000; ++i) {
        const uint32_t v = uint32_t(random()) >> random() % 32;
        values.push_back(v);
        w.field(v & 0x1ff, 9);
        w.number(v | 1);
        w.bits(v, 32);
    }
    BitReader r(w.words());
    bool same = true;
    for (const uint32_t v : values)
        same &= r.field(9) == (v & 0x1ff) && r.number() == (v | 1) && r.bits(32) == v;
    CHECK(same);
    CHECK(r.field(9) == 0);
    CHECK(r.number() == 0);
    CHECK(r.at_end());
}

TEST_CASE("adreno VSC: a small triangle is in one tile, and other tiles do not shade it") {
    BinFixture f;
    f.begin_binning();
    // Around (80, 16): tile (2, 0).
    const auto x = [](float px) { return px / 64 - 1; };
    const auto y = [](float px) { return px / 48 - 1; };
    f.vertices({x(76), y(12), 0, 1, x(86), y(12), 0, 1, x(76), y(22), 0, 1});
    f.must_run();
    CHECK(f.out.primitives.empty());
    f.end_binning();
    CHECK(f.machine.registers.value(hw::VSC_STATE::at(0)) == 1u << 2);
    CHECK(f.machine.registers.value(hw::VSC_STATE::at(1)) == 0);
    CHECK(f.word(BinFixture::kSizes) == f.machine.registers.value(hw::VSC_DRAW_STRM_SIZE::at(0)));
    CHECK(f.word(BinFixture::kSizes) == 4);
    for (const auto& tile : f.tiles) {
        f.begin_tile(tile);
        f.runner.lanes = 0;
        f.must_run();
        CHECK(f.out.primitives.size() == unsigned(tile.x == 2 && tile.y == 0));
        CHECK(f.runner.lanes == (tile.x == 2 && tile.y == 0 ? 3 : 0));
    }
    // Draws without visibility are drawn.
    f.begin_tile(f.tiles[0]);
    f.set_window(0, 0, 127, 95);
    f.call.initiator.vis_cull = hw::VisCull::IGNORE_VISIBILITY;
    f.must_run();
    CHECK(f.out.primitives.size() == 1);
    f.call.initiator.vis_cull = hw::VisCull::USE_VISIBILITY;
    f.machine.visibility.enabled = false;
    f.must_run();
    CHECK(f.out.primitives.size() == 1);
}

TEST_CASE("adreno VSC: random draws: a primitive that covers a pixel of a tile is visible in it") {
    std::mt19937 random(4);
    uint64_t covered = 0, shaded = 0, could = 0;
    for (unsigned round = 0; round < 40; ++round) {
        BinFixture f;
        if (round % 5 == 4) f.limits(16, 48);  // streams that overflow
        struct Recorded {
            std::vector<float> vertices;
            PrimType type;
            uint32_t instances;
        };
        std::vector<Recorded> draws(1 + random() % 6);
        f.begin_binning();
        for (unsigned d = 0; d < draws.size(); ++d) {
            const unsigned n = 3 + random() % 60;
            for (unsigned i = 0; i < n; ++i)
                append_vertex(random, &draws[d].vertices, d % 2 ? 0.3f : 1.5f);
            constexpr PrimType kTypes[] = {PrimType::DI_PT_TRILIST, PrimType::DI_PT_TRISTRIP,
                                           PrimType::DI_PT_LINESTRIP, PrimType::DI_PT_POINTLIST};
            draws[d].type = kTypes[random() % 4];
            draws[d].instances = 1 + random() % 2;
        }
        const auto run = [&](unsigned d) {
            f.vertices(draws[d].vertices);
            f.call.initiator.prim_type = draws[d].type;
            f.call.instances = draws[d].instances;
            f.call.visibility_index = d;
            f.must_run();
        };
        for (unsigned d = 0; d < draws.size(); ++d)
            run(d);
        f.end_binning();
        for (const auto& tile : f.tiles) {
            const pipe::raster::PixelRect rect{int32_t(tile.x) * 32, int32_t(tile.y) * 32,
                                               int32_t(tile.x) * 32 + 32, int32_t(tile.y) * 32 + 32};
            for (unsigned d = 0; d < draws.size(); ++d) {
                f.begin_tile(tile);
                f.runner.lanes = 0;
                run(d);
                shaded += f.runner.lanes;
                const std::vector<DrawnPrimitive> seen = f.out.primitives;
                f.machine.visibility.enabled = false;
                f.runner.lanes = 0;
                run(d);
                could += f.runner.lanes;
                size_t next = 0;
                for (const DrawnPrimitive& p : f.out.primitives) {
                    const bool there =
                        next < seen.size() &&
                        std::memcmp(seen[next].shape.corner, p.shape.corner, sizeof(p.shape.corner)) == 0;
                    next += there;
                    if (!covers(p.shape, rect)) continue;
                    ++covered;
                    CHECK(there);
                    CHECK(f.state(tile));
                }
                CHECK(next == seen.size());
            }
        }
    }
    CHECK(covered > 10000);
    CHECK(shaded < could * 3 / 4);
}

TEST_CASE("adreno VSC: primitives after an overflow are visible, and the size is the limit") {
    BinFixture f;
    f.limits(8, BinFixture::kPitch - 64);
    f.begin_binning();
    f.vertices({-1, -1, 0, 1, -0.9f, -1, 0, 1, -1, -0.9f, 0, 1});
    for (unsigned d = 0; d < 20; ++d) {
        f.call.visibility_index = d;
        f.must_run();
    }
    f.end_binning();
    CHECK(f.machine.registers.value(hw::VSC_DRAW_STRM_SIZE::at(0)) == 8);
    CHECK(f.machine.registers.value(hw::VSC_STATE::at(0)) == ~0u);
    f.begin_tile(f.tiles[5]);
    f.set_window(0, 0, 127, 95);
    f.call.visibility_index = 0;
    f.must_run();
    CHECK(f.out.primitives.empty());  // recorded as invisible in this tile
    f.call.visibility_index = 19;
    f.must_run();
    CHECK(f.out.primitives.size() == 1);
    // The memory after the limit did not change.
    CHECK(f.word(BinFixture::kDraws + 8) == 0);
}

TEST_CASE("adreno VSC: invalid registers and damaged streams") {
    BinFixture f;
    f.machine.mode = RenderMode::Binning;
    f.vertices({-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1});
    CHECK(f.report() == "draw 0: a draw of a binning pass that no event has begun");
    CHECK(!geometry_event(f.machine, hw::EventType::UNK_2D, &f.fault));
    f.set(hw::VSC_PIPE_CONFIG{.x = 0, .y = 0, .w = 3, .h = 3}, 5);
    CHECK(!geometry_event(f.machine, hw::EventType::UNK_2C, &f.fault));
    CHECK(f.fault.report == "VSC_PIPE_CONFIG[5] has a tile of pipe 0");
    f.set(hw::VSC_PIPE_CONFIG{.w = 40, .h = 1}, 5);
    CHECK(!geometry_event(f.machine, hw::EventType::UNK_2C, &f.fault));
    f.set(hw::VSC_PIPE_CONFIG{.x = 4, .y = 0, .w = 1, .h = 1}, 5);
    CHECK(!geometry_event(f.machine, hw::EventType::UNK_2C, &f.fault));
    f.set(hw::VSC_PIPE_CONFIG{}, 5);
    f.begin_binning();
    for (unsigned d = 0; d < 30; ++d) {
        f.call.visibility_index = d;
        f.must_run();
    }
    f.end_binning();
    std::mt19937 random(5);
    for (unsigned i = 0; i < 2000; ++i) {
        f.begin_tile(f.tiles[random() % f.tiles.size()]);
        *f.at(BinFixture::kDraws + random() % 64) = uint8_t(random());
        *f.at(BinFixture::kPrims + random() % 64) = uint8_t(random());
        if (i % 10 == 0) f.write_words(BinFixture::kSizes, {uint32_t(random()) >> random() % 32});
        f.call.visibility_index = random() % 32;
        f.run();  // any result
    }
    CHECK(true);
}

}  // namespace terrazzo::adreno::sim::testing
