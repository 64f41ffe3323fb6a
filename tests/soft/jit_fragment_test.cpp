// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fragment shaders: interpolation, built-ins, discard, textures. Each compiler is compared with literals and
// with the other one.
#include <array>

#include "tests/soft/jit_harness.h"
#include "tests/soft/texture_reference.h"

namespace terrazzo::soft::test {

namespace {

using ir::Op;
using ir::Type;
using ir::Value;

struct Draw {
    Plane planes[8] = {};
    PrimitiveSetup setup = {};
    std::vector<uint32_t> uniforms = std::vector<uint32_t>(16);
    std::vector<TextureUnit> textures;
    FragmentArgs args = {};
    Watch watch;
    Draw() {
        setup.inv_w = {1, 0, 0};
        give_memory(&args);
        args.count = 1;
        args.mask[0] = 0xff;
        args.watch = &watch;
    }
    const FragmentArgs& run(const CompiledShader& s) {
        setup.varyings = planes;
        args.shader = s.self;
        args.setup[0] = &setup;
        args.uniforms = uniforms.data();
        args.textures = textures.data();
        s.fragment(&args);
        return args;
    }
};

/// Runs `check` on each compiler's code for the shader.
template <class Check>
void with_both(const ir::Shader& s, Check&& check) {
    REQUIRE(ir::validate(s) == "");
    for (const unsigned lanes : {4u, 8u, 16u}) {
        Compilers compilers(lanes);
        CAPTURE(lanes);
        const auto pair = compilers.compile(s);
        check(*pair.jit);
        if (lanes == 8) check(*pair.interpreter);
    }
}

constexpr int kX[kLanes] = {0, 1, 0, 1, 2, 3, 2, 3};
constexpr int kY[kLanes] = {0, 0, 1, 1, 0, 0, 1, 1};

}  // namespace

TEST_CASE("fragment: varyings follow their planes, with perspective if it is smooth") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    b.store_output(0, 0, b.load_input(Type::F32, kVarying0, 0, ir::Interp::Smooth));
    b.store_output(0, 1, b.load_input(Type::F32, kVarying0 + 1, 2, ir::Interp::NoPerspective));
    b.store_output(0, 2, b.load_input(Type::F32, kVarying0 + 2, 3, ir::Interp::Flat));
    with_both(s, [](const CompiledShader& c) {
        REQUIRE(c.slot_count == 3);
        CHECK(c.slots[0] == kVarying0);
        CHECK(c.components[0] == 1);
        CHECK(c.components[1] == 4);
        CHECK(c.components[2] == 8);
        CHECK(c.interp[1] == uint8_t(ir::Interp::NoPerspective));
        CHECK(c.reads_z_or_w);
        Draw d;
        Plane planes[12] = {};
        planes[0] = {8, 2, 4};  // value / w
        planes[4 + 2] = {1, 0.5f, 0.25f};
        planes[8 + 3] = {42, 9, 9};
        d.setup.x0 = 10.5f;
        d.setup.y0 = 20.5f;
        d.setup.inv_w = {0.5f, 0.25f, 0};
        d.args.x[0] = 12;
        d.args.y[0] = 20;
        std::copy(planes, planes + 8, d.planes);
        d.setup.varyings = planes;
        d.args.shader = c.self;
        d.args.setup[0] = &d.setup;
        c.fragment(&d.args);
        for (unsigned i = 0; i < kLanes; ++i) {
            const float x = float(2 + kX[i]), y = float(kY[i]);
            CHECK(d.args.color[0][0][i] == doctest::Approx((8 + 2 * x + 4 * y) / (0.5 + 0.25 * x)));
            CHECK(d.args.color[0][1][i] == 1 + 0.5f * x + 0.25f * y);
            CHECK(d.args.color[0][2][i] == 42);
        }
    });
}

TEST_CASE("fragment: inputs at positions in a pixel") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    const auto at = [&](ir::Interp how, ir::InterpAt where, std::vector<ir::Value*> place) {
        return b.load_at(Op::LoadInputAt, nullptr, {kVarying0, 0, 1, how, where}, Type::F32, place);
    };
    ir::Value* const offset[2] = {b.load_uniform(Type::F32, 0), b.f32(-0.25f)};
    b.store_output(0, 0, at(ir::Interp::NoPerspective, ir::InterpAt::Center, {offset[0], offset[1]}));
    b.store_output(0, 1, at(ir::Interp::Smooth, ir::InterpAt::Center, {offset[0], offset[1]}));
    b.store_output(0, 2, at(ir::Interp::NoPerspective, ir::InterpAt::Sample, {b.load_uniform(Type::I32, 1)}));
    b.store_output(0, 3, at(ir::Interp::NoPerspective, ir::InterpAt::Centroid, {}));
    b.store_output(1, 0,
                   b.load_input(Type::F32, kVarying0, 0, ir::Interp::NoPerspective, ir::InterpAt::Centroid));
    b.store_output(1, 1, b.load_input(Type::F32, kVarying0, 0, ir::Interp::NoPerspective));
    const auto number = [&](ir::Sysval v, uint32_t c) {
        return b.convert(Op::I2F, Type::F32, b.load_sysval(v, c, Type::I32));
    };
    b.store_output(1, 2, number(ir::Sysval::SampleId, 0));
    b.store_output(1, 3, number(ir::Sysval::NumSamples, 0));
    b.store_output(2, 0, b.load_sysval(ir::Sysval::SamplePos, 0, Type::F32));
    b.store_output(2, 1, b.load_sysval(ir::Sysval::SamplePos, 1, Type::F32));
    b.store_output(2, 2, number(ir::Sysval::SampleMaskIn, 0));
    b.store_output(uint32_t(ir::FragSlot::SampleMask), 0,
                   b.load_sysval(ir::Sysval::SampleMaskIn, 0, Type::I32));
    with_both(s, [](const CompiledShader& c) {
        CHECK(c.per_sample);
        CHECK(c.reads_coverage);
        CHECK(c.writes_sample_mask);
        CHECK_FALSE(c.constant);
        Draw d;
        d.uniforms = {std::bit_cast<uint32_t>(0.5f), 2};
        d.planes[0] = {0, 1, 16};
        d.setup.x0 = d.setup.y0 = 0.5f;
        d.setup.inv_w = {1, 0.5f, 0};
        d.args.num_samples = 4;
        d.args.sample_id = 3;
        d.args.centre[0] = 0.25f;
        d.args.centre[1] = 0.75f;
        // Samples are at (-2, -6), (6, -2), (-6, 2), (2, 6) sixteenths.
        d.args.sample_positions[0] = 0x2a6e;
        d.args.sample_positions[1] = 0x62ea;
        for (unsigned i = 0; i < kLanes; ++i)
            d.args.coverage[i] = i == 0 ? 15 : i == 1 ? 0 : i == 2 ? 8 : 6;
        const FragmentArgs& a = d.run(c);
        for (unsigned i = 0; i < kLanes; ++i) {
            const float x = float(kX[i]), y = float(kY[i]);
            CHECK(a.color[0][0][i] == x + 0.5f + 16 * (y - 0.25f));
            CHECK(a.color[0][1][i] ==
                  doctest::Approx((x + 0.5f + 16 * (y - 0.25f)) / (1 + 0.5f * (x + 0.5f))));
            CHECK(a.color[0][2][i] == x - 6 / 16.0f + 16 * (y + 2 / 16.0f));
            const float ox = i < 2    ? 0
                             : i == 2 ? 2 / 16.0f
                                      : 6 / 16.0f,
                        oy = i < 2    ? 0
                             : i == 2 ? 6 / 16.0f
                                      : -2 / 16.0f;
            CHECK(a.color[0][3][i] == x + ox + 16 * (y + oy));
            CHECK(a.color[1][0][i] == x + ox + 16 * (y + oy));
            CHECK(a.color[1][1][i] == x - 0.25f + 16 * (y + 0.25f));
            CHECK(a.color[1][2][i] == 3);
            CHECK(a.color[1][3][i] == 4);
            CHECK(a.color[2][0][i] == 0.25f);
            CHECK(a.color[2][1][i] == 0.75f);
            CHECK(a.color[2][2][i] == float(a.coverage[i]));
            CHECK(a.sample_mask[i] == a.coverage[i]);
        }
    });
}

TEST_CASE("fragment: the colours of the buffers, and a second colour") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    ir::Value* last[2][4];
    for (unsigned t = 0; t < 2; ++t)
        for (unsigned c = 0; c < 4; ++c)
            last[t][c] = b.load_sysval(ir::Sysval(unsigned(ir::Sysval::LastColor0) + 3 * t), c, Type::F32);
    for (unsigned c = 0; c < 4; ++c) {
        b.store_output(0, c, b.fadd(last[0][c], last[1][3 - c]));
        b.store_output(3, c, last[0][c]);
        b.store_output(uint32_t(ir::FragSlot::Second), c, last[1][c]);
    }
    with_both(s, [](const CompiledShader& c) {
        CHECK(c.colors_read == 0b1001);
        CHECK_FALSE(c.constant);
        Draw d;
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned i = 0; i < kLanes; ++i) {
                d.args.color[0][k][i] = float(100 * k + i);
                d.args.color[3][k][i] = float(1000 * k + i);
            }
        const FragmentArgs& a = d.run(c);
        for (unsigned k = 0; k < 4; ++k)
            for (unsigned i = 0; i < kLanes; ++i) {
                CHECK(a.color[0][k][i] == float(100 * k + 1000 * (3 - k) + 2 * i));
                CHECK(a.color[3][k][i] == float(100 * k + i));
                CHECK(a.color[kSecondColor][k][i] == float(1000 * k + i));
            }
    });
}

TEST_CASE("fragment: built-ins and depth") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    for (unsigned c = 0; c < 4; ++c)
        b.store_output(0, c, b.load_sysval(ir::Sysval::FragCoord, c, Type::F32));
    for (unsigned c = 0; c < 2; ++c)
        b.store_output(1, c, b.load_sysval(ir::Sysval::PointCoord, c, Type::F32));
    b.store_output(1, 2,
                   b.convert(Op::B2F, Type::F32, b.load_sysval(ir::Sysval::FrontFacing, 0, Type::Bool)));
    Value* helper = b.load_sysval(ir::Sysval::HelperInvocation, 0, Type::Bool);
    b.store_output(1, 3, b.convert(Op::B2F, Type::F32, helper));
    b.store_output(uint32_t(ir::FragSlot::Depth), 0, b.f32(0.25f));
    with_both(s, [](const CompiledShader& c) {
        CHECK(c.writes_depth);
        Draw d;
        d.setup.z = {0.5f, 0.125f, 0};
        d.setup.inv_w = {2, 0, 1};
        CHECK(c.reads_point_coord);
        d.planes[0] = {0, 0.25f, 0};
        d.planes[1] = {1, 0, -0.5f};
        d.setup.front_facing = true;
        d.setup.x0 = d.setup.y0 = 0.5f;
        const FragmentArgs& a = d.run(c);
        for (unsigned i = 0; i < kLanes; ++i) {
            const float x = float(kX[i]), y = float(kY[i]);
            CHECK(a.color[0][0][i] == x + 0.5f);
            CHECK(a.color[0][1][i] == y + 0.5f);
            CHECK(a.color[0][2][i] == 0.5f + x * 0.125f);
            CHECK(a.color[0][3][i] == 2 + y);
            CHECK(a.color[1][0][i] == x * 0.25f);
            CHECK(a.color[1][1][i] == 1 - y * 0.5f);
            CHECK(a.color[1][2][i] == 1);
            CHECK(a.color[1][3][i] == 0);
            CHECK(a.depth[i] == 0.25f);
        }
        CHECK(a.mask[0] == 0xff);
    });
}

TEST_CASE("fragment: discard removes lanes from the mask, helpers continue") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    Value* x = b.load_sysval(ir::Sysval::FragCoord, 0, Type::F32);
    b.discard(b.alu(Op::FLt, x, b.f32(1)));  // column 0
    b.store_output(0, 0, b.alu(Op::FDdx, x));
    with_both(s, [](const CompiledShader& c) {
        CHECK(c.uses_discard);
        CHECK(c.uses_derivatives);
        Draw d;
        d.args.mask[0] = 0x7f;
        const FragmentArgs& a = d.run(c);
        CHECK(a.mask[0] == (0x7fu & ~0b0101u));
        CHECK(a.color[0][0][1] == 1);
        CHECK(a.color[0][0][4] == 1);
        Draw none;
        none.args.mask[0] = 0b0101;
        CHECK(none.run(c).mask[0] == 0);
    });
}

TEST_CASE("fragment: derivatives are differences within the quad, coarse or fine") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    Value* v = b.load_input(Type::F32, kVarying0, 0, ir::Interp::NoPerspective);
    Value* square = b.fmul(v, v);
    const Op ops[] = {Op::FDdx, Op::FDdy, Op::FDdxFine, Op::FDdyFine};
    for (unsigned n = 0; n < 4; ++n)
        b.store_output(0, n, b.alu(ops[n], square));
    with_both(s, [](const CompiledShader& c) {
        Draw d;
        d.planes[0] = {0, 1, 16};
        d.setup.x0 = d.setup.y0 = 0.5f;
        const FragmentArgs& a = d.run(c);
        const auto at = [](int x, int y) { return float((x + 16 * y) * (x + 16 * y)); };
        for (unsigned i = 0; i < kLanes; ++i) {
            const int x0 = kX[i] & ~1;
            CHECK(a.color[0][0][i] == at(x0 + 1, 0) - at(x0, 0));
            CHECK(a.color[0][1][i] == at(x0, 1) - at(x0, 0));
            CHECK(a.color[0][2][i] == at(x0 + 1, kY[i]) - at(x0, kY[i]));
            CHECK(a.color[0][3][i] == at(kX[i], 1) - at(kX[i], 0));
        }
    });
}

TEST_CASE("fragment: an endless loop is left without changing other lanes' results") {
    ir::Shader s(ir::Stage::Fragment);
    ir::Builder b(s);
    b.store_output(0, 0, b.f32(3));
    ir::Instr* loop = b.begin_loop();
    ir::Builder body(s, loop->regions[0]);
    body.cont();
    b.store_output(0, 1, b.f32(5));
    REQUIRE(ir::validate(s) == "");
    Compilers compilers;
    const auto pair = compilers.compile(s);
    Draw d;
    CHECK(d.run(*pair.jit).color[0][0][0] == 3);
    CHECK(d.args.mask[0] == 0xff);
}

namespace {

/// Uses layers as samples.
void as_samples(TextureUnit* u, int samples) {
    u->samples = samples;
    u->layers /= samples;
    u->sample_stride_B = u->levels[0].layer_stride_B;
    u->levels[0].layer_stride_B *= uint64_t(samples);
}

/// A Tex instruction whose operands are varyings.
void texture_shader(ir::Builder& b, ir::TexInfo info) {
    const ir::TexOperands o = ir::tex_operands(info);
    std::vector<Value*> operands;
    const bool fetches =
        info.op == ir::TexOp::Fetch || info.op == ir::TexOp::FetchMS || info.op == ir::TexOp::Size;
    for (int n = 0; n < o.count; ++n) {
        Value* v =
            b.load_input(Type::F32, kVarying0 + unsigned(n) / 4, unsigned(n) % 4, ir::Interp::NoPerspective);
        const bool of_offset = o.offset >= 0 && (n == o.offset || n == o.offset + 1);
        const bool integers = fetches || of_offset;
        if (n == o.index) v = b.alu(Op::FMin, b.alu(Op::FAbs, v), b.f32(1.5f));
        if (integers || n == o.index)
            v = b.convert(Op::F2I, Type::I32, b.fmul(v, b.f32(n == o.index ? 1 : 7)));
        operands.push_back(v);
    }
    ir::Instr* t = b.tex(info, operands);
    for (unsigned k = 0; k < t->result_count; ++k)
        b.store_output(0, k, t->result(k));
}

void compare_texture_instructions(unsigned lanes) {
    std::mt19937 random(3);
    Compilers compilers(lanes);
    const auto real = [&] { return float(random() % 4001) / 1000.0f - 2; };
    unsigned compared = 0;
    for (ir::TexOp op : {ir::TexOp::Sample, ir::TexOp::SampleBias, ir::TexOp::SampleLod,
                         ir::TexOp::SampleGrad, ir::TexOp::Fetch, ir::TexOp::FetchMS, ir::TexOp::Gather,
                         ir::TexOp::QueryLod, ir::TexOp::Size, ir::TexOp::Levels})
        for (unsigned form = 0; form < 16; ++form) {
            struct Form {
                ir::TexDim dim;
                pipe::ResourceKind kind;
                uint8_t coords;
                bool arrayed, shadow, indexed;
                pipe::Format format = pipe::Format::R8G8B8A8_UNORM;
            };
            using F = pipe::Format;
            using K = pipe::ResourceKind;
            const Form f = std::array<Form, 16>{
                {{ir::TexDim::D2, K::Tex2D, 2, false, false, false},
                 {ir::TexDim::D2, K::Tex2DArray, 3, true, false, false},
                 {ir::TexDim::D3, K::Tex3D, 3, false, false, false},
                 {ir::TexDim::Cube, K::Cube, 3, false, false, false},
                 {ir::TexDim::D2, K::Tex2D, 2, false, true, false, F::D16_UNORM},
                 {ir::TexDim::D2, K::Tex2D, 2, false, false, true},
                 {ir::TexDim::D2, K::Tex2DArray, 3, true, true, false, F::D32_FLOAT},
                 {ir::TexDim::Cube, K::Cube, 3, false, true, false, F::D16_UNORM},
                 {ir::TexDim::D2, K::Tex2D, 2, false, false, true, F::R32G32B32A32_SINT},
                 {ir::TexDim::D2, K::Tex2DArray, 3, true, false, false, F::R8_UINT},
                 {ir::TexDim::D3, K::Tex3D, 3, false, false, false, F::R16G16_SINT},
                 {ir::TexDim::Cube, K::CubeArray, 4, true, false, false},
                 {ir::TexDim::Cube, K::CubeArray, 4, true, true, false, F::D16_UNORM},
                 {ir::TexDim::Buffer, K::Buffer, 1, false, false, false, F::R32G32B32_FLOAT},
                 {ir::TexDim::D2MS, K::Tex2D, 2, false, false, false},
                 {ir::TexDim::D2MS, K::Tex2DArray, 3, true, false, true}}}[form];
            const bool only_fetched = f.dim == ir::TexDim::Buffer || f.dim == ir::TexDim::D2MS;
            const bool samples = f.dim == ir::TexDim::D2MS;
            if (only_fetched && op != ir::TexOp::Size &&
                op != (samples ? ir::TexOp::FetchMS : ir::TexOp::Fetch))
                continue;
            if ((op == ir::TexOp::FetchMS) != (samples && op != ir::TexOp::Size)) continue;
            const bool gathers = op == ir::TexOp::Gather;
            if (gathers && f.dim == ir::TexDim::D3) continue;
            const bool sizes = op == ir::TexOp::Size || op == ir::TexOp::Levels;
            if (op == ir::TexOp::Fetch && (f.dim == ir::TexDim::Cube || f.shadow)) continue;
            if (sizes && f.shadow) continue;
            ir::TexInfo info;
            info.op = op;
            info.dim = f.dim;
            const bool face = op == ir::TexOp::Size && f.dim == ir::TexDim::Cube;
            const bool layer = op == ir::TexOp::QueryLod && f.arrayed;
            info.coord_count = uint8_t(f.coords - (face ? 1 : 0) - (layer ? 1 : 0));
            info.gather_component = gathers && !f.shadow ? uint8_t(form % 4) : 0;
            info.offset_operands = gathers && f.dim == ir::TexDim::D2 && form % 3 != 1;
            info.arrayed = f.arrayed;
            info.shadow = f.shadow;
            info.indexed = f.indexed;
            info.binding = 1;
            info.count = f.indexed ? 2 : 1;
            const bool integers = form >= 8 && form < 11;
            info.result = sizes || integers ? Type::I32 : Type::F32;
            if (!sizes && f.dim != ir::TexDim::Cube && !only_fetched && form % 2 == 0)
                info.offset[0] = -2, info.offset[1] = 3;
            if (!sizes && f.dim == ir::TexDim::D3) info.offset[2] = 1;
            ir::Shader s(ir::Stage::Fragment);
            s.info.sampler_count = 3;
            ir::Builder b(s);
            texture_shader(b, info);
            const std::string text = ir::print(s);
            INFO(text);
            REQUIRE(ir::validate(s) == "");
            const auto pair = compilers.compile(s);
            std::vector<Texture> textures;
            for (unsigned n = 0; n < 3; ++n) {
                const int depth = f.kind == K::Tex2D || f.kind == K::Buffer ? 1
                                  : f.kind == K::Cube                       ? 6
                                  : f.kind == K::CubeArray                  ? 12
                                                                            : 4;
                const int wide = f.indexed ? int(8u << n) : 16;  // 16 at least at index 0
                const int levels = only_fetched ? 1 : f.indexed ? 3 + int(n) : 4;
                textures.emplace_back(f.kind, f.format, wide, f.kind == K::Buffer ? 1 : 16,
                                      samples ? depth * 4 : depth, levels, random);
                if (samples) as_samples(&textures.back().unit, 4);
                const auto filter = integers ? pipe::Filter::Nearest : pipe::Filter::Linear;
                textures.back().unit.sampler.min = textures.back().unit.sampler.mag = filter;
                textures.back().unit.sampler.compare_enable = f.shadow;
                prepare_texture_unit(&textures.back().unit);
            }
            for (unsigned round = 0; round < 20; ++round) {
                Draw d[2];
                for (Plane& p : d[0].planes)
                    p = {real(), real() / 8, real() / 8};
                std::copy(d[0].planes, d[0].planes + 8, d[1].planes);
                // There are more operands than the eight planes: the rest are zero.
                std::vector<Plane> planes(32);
                for (Plane& p : planes)
                    p = {real(), real() / 8, real() / 8};
                for (Draw& draw : d) {
                    for (const Texture& t : textures)
                        draw.textures.push_back(t.unit);
                    draw.args.count = 3;
                    for (int n = 0; n < 3; ++n) {
                        draw.args.setup[n] = &draw.setup;
                        draw.args.x[n] = 4 * n;
                        draw.args.mask[n] = 0xff;
                    }
                    draw.setup.varyings = planes.data();
                    draw.args.textures = draw.textures.data();
                }
                d[0].args.shader = pair.jit->self;
                d[1].args.shader = pair.interpreter->self;
                pair.jit->fragment(&d[0].args);
                pair.interpreter->fragment(&d[1].args);
                for (unsigned k = 0; k < ir::tex_result_count(info); ++k)
                    for (unsigned i = 0; i < 3 * kLanes; ++i) {
                        ++compared;
                        REQUIRE(same_word(std::bit_cast<uint32_t>(d[0].args.color[0][k][i]),
                                          std::bit_cast<uint32_t>(d[1].args.color[0][k][i]),
                                          info.result == Type::F32));
                    }
                if (op == ir::TexOp::Size) {
                    const float w = d[0].args.color[0][0][0];
                    const uint32_t width = std::bit_cast<uint32_t>(w);
                    CHECK((width <= 32 && (width & (width - 1)) == 0));
                }
                const uint32_t first = std::bit_cast<uint32_t>(d[0].args.color[0][0][0]);
                if (op == ir::TexOp::Levels) CHECK((first == 4 || (f.indexed && first == 5)));
            }
        }
    CHECK(compared > 20000);
}

}  // namespace

TEST_CASE("fragment: every texture instruction makes the same call in both compilers") {
    for (const unsigned lanes : {4, 8, 16})
        compare_texture_instructions(lanes);
}

TEST_CASE("shaders that cannot run are refused with a reason") {
    Compilers compilers;
    ir::Shader unlinked(ir::Stage::Fragment);
    ir::Builder b(unlinked);
    ir::Var* v = unlinked.add_var("color", Type::F32, 4, ir::Storage::Output);
    b.store_var(v, 0, b.f32(1));
    CHECK(!compilers.jit->compile(unlinked, compilers.log));
    CHECK(!compilers.interpreter->compile(unlinked, compilers.log));
    CHECK(compilers.messages.has("not linked"));
}

}  // namespace terrazzo::soft::test
