// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What is made of linked programs without a device: uniforms in their order, code as bytes and in the cache.
#include "drivers/mali/program/stage_code.h"

#include <cstring>
#include <random>

#include "drivers/mali/compiler/stored.h"
#include "drivers/mali/program/uniforms.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/stored.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using compiler::UniformWord;
using Kind = compiler::UniformWord::Kind;

namespace {

const char* const kLitVertex =
    "attribute vec4 position; attribute vec3 normal; attribute vec2 coord;\n"
    "uniform mat4 matrix; uniform vec4 light; varying vec4 color; varying vec2 uv;\n"
    "void main() { gl_Position = matrix * position; color = light * dot(normal, light.xyz); uv = coord; }";
const char* const kTexturedFragment =
    "precision mediump float; uniform sampler2D image; uniform float scale; varying vec4 color; varying vec2 "
    "uv;\n"
    "void main() { gl_FragColor = texture2D(image, uv) * color * scale; }";

pipe::ProgramDesc describe(const shaders::LinkedProgram& p) {
    pipe::ProgramDesc d;
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment})
        d.stored[size_t(s)] = p.stages[size_t(s)].stored();
    return d;
}

std::vector<uint8_t> bytes_of(const compiler::Binary& b) {
    std::vector<uint8_t> bytes;
    ir::BinaryWriter out(bytes);
    compiler::write_binary(b, &out);
    return bytes;
}

std::vector<uint32_t> words_of(const UniformLayout& layout, size_t count, std::span<const uint32_t> uniforms,
                               const SysvalValues& sysvals = {}) {
    std::vector<uint32_t> out(count + 1, 0xdddddddd);
    write_uniforms(layout, uniforms, sysvals, out.data());
    CHECK(out.back() == 0xdddddddd);
    out.pop_back();
    return out;
}

}  // namespace

TEST_CASE("mali program: uniforms are runs of what follows each other") {
    const UniformLayout layout = lay_out_uniforms(std::vector<UniformWord>({{Kind::Sysval, 0},
                                                                            {Kind::Sysval, 3},
                                                                            {Kind::Uniform, 4},
                                                                            {Kind::Uniform, 5},
                                                                            {Kind::Uniform, 6},
                                                                            {Kind::Constant, 77},
                                                                            {Kind::Constant, 78},
                                                                            {Kind::Uniform, 2},
                                                                            {Kind::Sysval, 6}}));
    const std::vector<UniformRun> runs = {
        {Kind::Sysval, 0, 1},  {Kind::Sysval, 3, 1}, {Kind::Uniform, 4, 3}, {Kind::Constant, 0, 2},
        {Kind::Uniform, 2, 1}, {Kind::Sysval, 6, 1}, {Kind::Constant, 2, 1}};
    CHECK(layout.runs == runs);
    CHECK(layout.reads_sysvals);
    SysvalValues v;
    v.viewport_scale[0] = 1;
    v.viewport_offset[0] = 2;
    v.framebuffer_height_px = 4;
    const uint32_t uniforms[] = {10, 11, 12, 13, 14, 15, 16};
    CHECK(words_of(layout, 10, uniforms, v) ==
          std::vector<uint32_t>{0x3f800000, 0x40000000, 14, 15, 16, 77, 78, 12, 0x40800000, 0});
    // Two uniforms as 16-bit floats, rounded.
    const UniformLayout halves = lay_out_uniforms(
        std::vector<UniformWord>({{Kind::Halves, 0 | 2 << 16}, {Kind::Halves, 1 | 9 << 16}}));
    CHECK(halves.runs == std::vector<UniformRun>{{Kind::Halves, 0, 2}});
    const uint32_t floats[] = {0x3f800000, 0x3f801001, 0xc0490fdb};
    CHECK(words_of(halves, 2, floats, v) == std::vector<uint32_t>{0xc2483c00, 0x00003c01});
    // A fourth uniform is there or not: a machine's conversion, or ours; one and three words.
    const UniformLayout three = lay_out_uniforms(std::vector<UniformWord>({{Kind::Halves, 0 | 2 << 16},
                                                                           {Kind::Halves, 3 | 1 << 16},
                                                                           {Kind::Halves, 1 | 1 << 16}})),
                        one = lay_out_uniforms(std::vector<UniformWord>({{Kind::Halves, 2 | 1 << 16}}));
    const uint32_t more[] = {0x3f800000, 0x3f801001, 0xc0490fdb, 0x33800001};
    CHECK(words_of(three, 4, floats, v) == std::vector<uint32_t>{0xc2483c00, 0x3c010000, 0x3c013c01, 0});
    CHECK(words_of(three, 4, more, v) == std::vector<uint32_t>{0xc2483c00, 0x3c010001, 0x3c013c01, 0});
    CHECK(words_of(one, 2, more, v) == std::vector<uint32_t>{0x3c01c248, 0});
    std::mt19937 random(1);
    for (unsigned turn = 0; turn < 2000; turn++) {
        uint32_t any[4];
        for (uint32_t& u : any) {
            do
                u = uint32_t(random()) & (turn % 2 ? 0xffffffff : 0xb9ffffff);
            while ((u & 0x7fffffff) > 0x7f800000);
        }
        const auto half = [&](unsigned k) {
            return uint32_t(ir::half_from_float(std::bit_cast<float>(any[k])));
        };
        CHECK(words_of(three, 4, any, v) == std::vector<uint32_t>{half(0) | half(2) << 16,
                                                                  half(3) | half(1) << 16,
                                                                  half(1) | half(1) << 16, 0});
    }
    // What is not there is zero.
    CHECK(words_of(layout, 10, std::span(uniforms, 5), v) ==
          std::vector<uint32_t>{0x3f800000, 0x40000000, 14, 0, 0, 77, 78, 12, 0x40800000, 0});
    CHECK(words_of(layout, 10, {}, v) ==
          std::vector<uint32_t>{0x3f800000, 0x40000000, 0, 0, 0, 77, 78, 0, 0x40800000, 0});
}

TEST_CASE("mali program: no uniforms") {
    const UniformLayout layout = lay_out_uniforms({});
    CHECK(layout.runs.empty());
    CHECK(!layout.reads_sysvals);
    CHECK(words_of(layout, 0, {}).empty());
}

TEST_CASE("mali program: a part is the same after a night as bytes") {
    const auto p = compiler::testing::link(kLitVertex, kTexturedFragment);
    REQUIRE(p);
    const StageCode code = StageCode::compile(*p->stages[size_t(ir::Stage::Vertex)]);
    REQUIRE(code.error == "");
    for (const compiler::Binary& b : {code.parts[kPositionCode], code.parts[kVaryingCode]}) {
        std::vector<uint8_t> bytes = bytes_of(b);
        ir::BinaryReader in(bytes);
        compiler::Binary back;
        REQUIRE(compiler::read_binary(&in, &back));
        CHECK(in.at_end());
        CHECK(back.code == b.code);
        CHECK(back.info.fau == b.info.fau);
        CHECK(back.info.preload == b.info.preload);
        CHECK(bytes_of(back) == bytes);
        // Padding is not stored.
        CHECK(bytes.size() < b.code.size() * 8 + b.info.fau.size() * 7 + 64);
        for (size_t n = 0; n < bytes.size(); ++n) {
            ir::BinaryReader cut(std::span<const uint8_t>(bytes.data(), n));
            CHECK(!compiler::read_binary(&cut, &back));
        }
    }
}

TEST_CASE("mali program: any bytes are safe to read") {
    std::mt19937 random(11);
    const auto p = compiler::testing::link(kLitVertex, kTexturedFragment);
    REQUIRE(p);
    const std::vector<uint8_t> good =
        bytes_of(StageCode::compile(*p->stages[size_t(ir::Stage::Fragment)]).parts[kFragmentCode]);
    for (unsigned round = 0; round < 20000; ++round) {
        std::vector<uint8_t> bytes = good;
        for (unsigned n = random() % 4 + 1; n--;)
            bytes[random() % std::min<size_t>(bytes.size(), 80)] = uint8_t(random());
        ir::BinaryReader in(bytes);
        compiler::Binary b;
        if (!compiler::read_binary(&in, &b)) continue;
        CHECK(b.info.fau.size() <= compiler::kMaxUniformWords);
        CHECK(b.code.size() % 16 == 0);
        for (const UniformWord& w : b.info.fau)
            if (w.kind == Kind::Sysval) CHECK(w.value < compiler::kSysvalCount);
    }
}

TEST_CASE("mali program: what the cache has is not compiled") {
    const auto p = compiler::testing::link(kLitVertex, kTexturedFragment);
    REQUIRE(p);
    shaders::ShaderCache cache({});
    const pipe::ProgramDesc desc = describe(*p);
    for (const pipe::Stage stage : {pipe::Stage::Vertex, pipe::Stage::Fragment}) {
        const auto hits = cache.counts().memory_hits;
        const StageCode first = programs::get_stage_code<StageCode>(desc, stage, &cache, compiler::Options{});
        REQUIRE(first.error == "");
        CHECK(cache.counts().memory_hits == hits);
        // Bytes that never become IR; only their hash is looked at.
        pipe::ProgramDesc bytes;
        bytes.stored[size_t(stage)] = ir::StoredShader::of(desc.stored[size_t(stage)]->binary());
        const StageCode second =
            programs::get_stage_code<StageCode>(bytes, stage, &cache, compiler::Options{});
        CHECK(cache.counts().memory_hits == hits + 1);
        // Borrowed IR finds the same entry.
        pipe::ProgramDesc borrowed;
        borrowed.stages[size_t(stage)] = desc.stored[size_t(stage)]->get();
        const StageCode third =
            programs::get_stage_code<StageCode>(borrowed, stage, &cache, compiler::Options{});
        CHECK(cache.counts().memory_hits == hits + 2);
        for (unsigned n = 0; n < first.parts.size(); ++n) {
            CHECK(second.parts[n].code == first.parts[n].code);
            CHECK(third.parts[n].code == first.parts[n].code);
        }
        CHECK(second.uniform_dw == first.uniform_dw);
        CHECK(third.uniform_dw == first.uniform_dw);
    }
}

TEST_CASE("mali program: a bad entry of the cache is made anew") {
    const auto p = compiler::testing::link(kLitVertex, kTexturedFragment);
    REQUIRE(p);
    const pipe::ProgramDesc desc = describe(*p);
    const shaders::CacheKey key = StageCode::key(desc.stored[0]->hash());
    shaders::ShaderCache cache({});
    const StageCode good =
        programs::get_stage_code<StageCode>(desc, pipe::Stage::Vertex, &cache, compiler::Options{});
    const std::vector<uint8_t> entry = *cache.get(key);
    std::vector<std::vector<uint8_t>> bad = {{}, {0}, {0, 0, 0}, {1}, std::vector<uint8_t>(1000, 0xff)};
    bad.emplace_back(entry.begin(), entry.end() - 1);
    bad.push_back(entry);
    bad.back().push_back(0);
    for (const std::vector<uint8_t>& b : bad) {
        cache.put(key, b);
        REQUIRE(*cache.get(key) == b);
        const StageCode again =
            programs::get_stage_code<StageCode>(desc, pipe::Stage::Vertex, &cache, compiler::Options{});
        CHECK(again.error == "");
        CHECK(again.parts[kPositionCode].code == good.parts[kPositionCode].code);
        CHECK(*cache.get(key) == entry);
    }
}
