// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders that run for each sample, or that choose samples themselves.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "shaders/ir/builder.h"
#include "tests/soft/scene.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Sysval;
using ir::Type;
using ir::Value;

/// Stores (r, g, 0, 1).
void store(ir::Builder& b, Value* r, Value* g) {
    b.store_output(0, 0, r);
    b.store_output(0, 1, g);
    b.store_output(0, 2, b.f32(0));
    b.store_output(0, 3, b.f32(1));
}

Value* number(ir::Builder& b, Sysval v, float scale) {
    return b.fmul(b.convert(Op::I2F, Type::F32, b.load_sysval(v, 0, Type::I32)), b.f32(scale));
}

struct Colors {
    std::vector<uint8_t> r, g;  // by pixel and sample
};

/// The pixels of a cleared target after a triangle over its lower left half was drawn with the shader.
Colors draw(const ir::Shader& fs, uint32_t samples, const pipe::RasterDesc& raster = {}) {
    Scene s({.width = 16, .height = 16, .samples = samples});
    s.begin();
    s.raster(raster);
    const auto program = s.shade(fs);
    REQUIRE(program);
    s.draw(pipe::Primitive::Triangles, {s.at(0, 0), s.at(16, 0), s.at(0, 16)});
    const std::vector<uint8_t> all = s.bytes();
    Colors out;
    for (size_t i = 0; i < all.size(); i += 4) {
        out.r.push_back(all[i]);
        out.g.push_back(all[i + 1]);
    }
    return out;
}

size_t at(uint32_t x, uint32_t y, uint32_t samples) {
    return (size_t(y) * 16 + x) * samples;
}

}  // namespace

TEST_CASE("sample shading: a shader that reads its sample id runs for each sample") {
    ir::Shader fs(ir::Stage::Fragment);
    ir::Builder b(fs);
    Value* const x = b.load_sysval(Sysval::FragCoord, 0, Type::F32);
    store(b, number(b, Sysval::SampleId, 10 / 255.0f), b.alu(Op::FFract, x));
    for (const uint32_t samples : {2u, 4u, 8u}) {
        const Colors c = draw(fs, samples);
        const SamplePosition* const p = kSamplePositions[samples == 8 ? 3 : samples == 4 ? 2 : 1];
        for (uint32_t k = 0; k < samples; ++k) {
            CHECK(c.r[at(2, 3, samples) + k] == 10 * k);
            CHECK(c.g[at(2, 3, samples) + k] == uint8_t(std::lrint((0.5 + p[k].x / 16.0) * 255)));
        }
    }
    CHECK(draw(fs, 1).g[at(2, 3, 1)] == 128);
}

TEST_CASE("sample shading: the API requests a fraction of the samples") {
    ir::Shader fs(ir::Stage::Fragment);
    ir::Builder b(fs);
    Value* const x = b.alu(Op::FFract, b.load_sysval(Sysval::FragCoord, 0, Type::F32));
    store(b, x, number(b, Sysval::NumSamples, 1 / 255.0f));
    const auto different = [&](float share) {
        pipe::RasterDesc raster;
        raster.sample_shading = share;
        const Colors c = draw(fs, 8, raster);
        CHECK(c.g[at(2, 2, 8)] == 8);
        const auto* const first = &c.r[at(2, 2, 8)];
        std::vector<uint8_t> found(first, first + 8);
        std::sort(found.begin(), found.end());
        return int(std::unique(found.begin(), found.end()) - found.begin());
    };
    CHECK(different(0) == 1);
    CHECK(different(0.125f) == 1);
    CHECK(different(0.2f) == 2);
    CHECK(different(0.5f) == 4);
    CHECK(different(0.6f) == 8);
    CHECK(different(1) == 8);
}

TEST_CASE("sample shading: the shader can read coverage and remove samples") {
    ir::Shader fs(ir::Stage::Fragment);
    ir::Builder b(fs);
    Value* const covered = b.load_sysval(Sysval::SampleMaskIn, 0, Type::I32);
    store(b, number(b, Sysval::SampleMaskIn, 10 / 255.0f), b.f32(1));
    b.store_output(uint32_t(ir::FragSlot::SampleMask), 0, b.iand(covered, b.i32(0b0110)));
    const Colors c = draw(fs, 4);
    for (uint32_t k = 0; k < 4; ++k)
        CHECK(c.r[at(2, 3, 4) + k] == (k == 1 || k == 2 ? 150 : 0));
    // On the diagonal (x + y = 15) the covered samples are left of it: x + y is below 0, relative to the
    // centre.
    uint32_t mask = 0;
    for (uint32_t k = 0; k < 4; ++k)
        if (kSamplePositions[2][k].x + kSamplePositions[2][k].y < 0) mask |= 1u << k;
    REQUIRE(mask == 0b0101);
    for (uint32_t k = 0; k < 4; ++k)
        CHECK(c.r[at(7, 8, 4) + k] == (k == 2 ? 50 : 0));
    // With one sample, masks have no effect.
    CHECK(draw(fs, 1).r[at(2, 3, 1)] == 10);
}

TEST_CASE("sample shading: centroid inputs stay inside their triangle") {
    for (const bool centroid : {false, true}) {
        ir::Shader fs(ir::Stage::Fragment);
        ir::Builder b(fs);
        Value* const v =
            b.load_input(Type::F32, uint32_t(ir::VaryingSlot::Varying0), 0, ir::Interp::NoPerspective,
                         centroid ? ir::InterpAt::Centroid : ir::InterpAt::Center);
        store(b, b.select(b.alu(Op::FGe, v, b.f32(0)), b.f32(1), b.f32(0)), b.f32(1));
        Scene s({.width = 16, .height = 16, .samples = 4});
        s.begin();
        const auto program = s.shade(fs);
        // Red is the distance from the hypotenuse.
        std::vector<Vertex> v3 = {s.at(0, 0), s.at(15.8f, 0), s.at(0, 15.8f)};
        v3[1].color[0] = v3[2].color[0] = 0;
        s.draw(pipe::Primitive::Triangles, v3);
        const std::vector<uint8_t> all = s.bytes();
        int outside = 0;
        for (size_t i = 0; i < all.size(); i += 4)
            outside += all[i + 1] && !all[i];
        CHECK((outside > 0) == !centroid);
    }
}

TEST_CASE("sample shading: a pass without attachments has the samples that its state says") {
    Scene s({.color = pipe::Format::None});
    s.pass.samples = 4;
    s.pass.width = s.pass.height = 16;
    const auto q = s.context->create_query(pipe::QueryKind::Samples);
    s.context->begin_render_pass(s.pass);
    s.context->begin_query(*q);
    s.draw(pipe::Primitive::TriangleStrip, {s.at(0, 0), s.at(64, 0), s.at(0, 64), s.at(64, 64)});
    s.context->end_query(*q);
    s.context->end_render_pass();
    uint64_t count = 0;
    CHECK(s.context->query_result(*q, true, &count));
    CHECK(count == 16 * 16 * 4);
    float xy[2];
    s.screen.sample_position(4, 1, xy);
    CHECK(xy[0] == 0.5f + 6 / 16.0f);
    CHECK(xy[1] == 0.5f - 2 / 16.0f);
}

}  // namespace terrazzo::soft::test
