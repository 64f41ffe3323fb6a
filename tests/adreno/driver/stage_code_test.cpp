// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Stages' code as bytes and in the cache.
#include "drivers/adreno/program/stage_code.h"

#include <random>

#include "drivers/adreno/compiler/stored.h"
#include "shaders/ir/stored.h"
#include "tests/common/compiler/link.h"

#include <doctest/doctest.h>

using namespace terrazzo;
using namespace terrazzo::adreno;

namespace {

const char* const kVertex =
    "attribute vec4 position; attribute vec3 normal; attribute vec2 coord;\n"
    "uniform mat4 matrix; uniform vec4 light; varying vec4 color; varying vec2 uv;\n"
    "void main() { gl_Position = matrix * position; color = light * dot(normal, light.xyz) + 0.317; uv = "
    "coord; }";
const char* const kFragment =
    "precision mediump float; uniform samplerCube image; uniform float scale; varying vec4 color; varying "
    "vec2 "
    "uv;\n"
    "void main() { gl_FragColor = textureCube(image, uv.xyx) * color * scale; }";

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

}  // namespace

TEST_CASE("stage code: the same after a night as bytes, and cut off it is none") {
    std::string said;
    const auto p = compiled::link(kVertex, kFragment, &said);
    REQUIRE_MESSAGE(p, said);
    for (const ir::Stage s : {ir::Stage::Vertex, ir::Stage::Fragment}) {
        const compiler::Binary b = compiler::compile(*p->stages[size_t(s)]);
        REQUIRE(b.error == "");
        const std::vector<uint8_t> bytes = bytes_of(b);
        ir::BinaryReader in(bytes);
        compiler::Binary back;
        REQUIRE(compiler::read_binary(&in, &back));
        CHECK(in.at_end());
        CHECK(back.code == b.code);
        CHECK(back.info.constants.immediates == b.info.constants.immediates);
        CHECK(back.info.attributes.size() == b.info.attributes.size());
        CHECK(back.info.varyings.size() == b.info.varyings.size());
        CHECK(back.info.full_registers == b.info.full_registers);
        CHECK(bytes_of(back) == bytes);
        for (size_t n = 0; n < bytes.size(); ++n) {
            ir::BinaryReader cut(std::span<const uint8_t>(bytes.data(), n));
            CHECK(!compiler::read_binary(&cut, &back));
        }
    }
}

TEST_CASE("stage code: any bytes are safe to read") {
    std::mt19937 random(11);
    std::string said;
    const auto p = compiled::link(kVertex, kFragment, &said);
    REQUIRE_MESSAGE(p, said);
    const std::vector<uint8_t> good = bytes_of(compiler::compile(*p->stages[size_t(ir::Stage::Vertex)]));
    for (unsigned round = 0; round < 20000; ++round) {
        std::vector<uint8_t> bytes = good;
        for (unsigned n = random() % 4 + 1; n--;)
            bytes[random() % std::min<size_t>(bytes.size(), 120)] = uint8_t(random());
        ir::BinaryReader in(bytes);
        compiler::Binary b;
        if (!compiler::read_binary(&in, &b)) continue;
        CHECK(b.code.size() % 16 == 0);
        CHECK(b.info.full_registers <= 48);
        for (const compiler::AttributeInput& a : b.info.attributes)
            CHECK(a.location < 32);
    }
}

TEST_CASE("stage code: what the cache has is not compiled; a bad entry is made anew") {
    std::string said;
    const auto p = compiled::link(kVertex, kFragment, &said);
    REQUIRE_MESSAGE(p, said);
    shaders::ShaderCache cache({});
    const pipe::ProgramDesc desc = describe(*p);
    for (const pipe::Stage stage : {pipe::Stage::Vertex, pipe::Stage::Fragment}) {
        const auto hits = cache.counts().memory_hits;
        const CompiledStage first =
            programs::get_stage_code<CompiledStage>(desc, stage, &cache, compiler::Options{});
        REQUIRE(first.error == "");
        CHECK(cache.counts().memory_hits == hits);
        CHECK(first.cube_textures == (stage == pipe::Stage::Fragment ? 1 : 0));
        // Borrowed IR finds the same entry.
        pipe::ProgramDesc borrowed;
        borrowed.stages[size_t(stage)] = desc.stored[size_t(stage)]->get();
        const CompiledStage second =
            programs::get_stage_code<CompiledStage>(borrowed, stage, &cache, compiler::Options{});
        CHECK(cache.counts().memory_hits == hits + 1);
        CHECK(second.binary.code == first.binary.code);
        CHECK(second.uniform_dw == first.uniform_dw);
        CHECK(second.cube_textures == first.cube_textures);
        const shaders::CacheKey key = CompiledStage::key(desc.stored[size_t(stage)]->hash());
        const std::vector<uint8_t> entry = *cache.get(key);
        std::vector<std::vector<uint8_t>> bad = {{}, {0}, std::vector<uint8_t>(1000, 0xff)};
        bad.emplace_back(entry.begin(), entry.end() - 1);
        bad.push_back(entry);
        bad.back().push_back(0);
        for (const std::vector<uint8_t>& b : bad) {
            cache.put(key, b);
            CHECK(programs::get_stage_code<CompiledStage>(desc, stage, &cache, compiler::Options{})
                      .binary.code == first.binary.code);
            CHECK(*cache.get(key) == entry);
        }
    }
}
