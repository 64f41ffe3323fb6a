// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Rules for every vendor's compiled stages: their form as bytes, and the shader cache. A vendor `V` has
//   Binary, Code (all parts of a stage), static Code compile(const ir::Shader&),
//   static Code get(const pipe::ProgramDesc&, pipe::Stage, shaders::ShaderCache*),
//   static CacheKey key(const ir::ContentHash&), static const std::string& error(const Code&),
//   static std::vector<Binary> parts(const Code&)  the parts that have code,
//   static void check_equal(const Binary& read, const Binary& written),
//   static void check_read(const Binary&)  for a binary read from any bytes,
// and write_binary() and read_binary() in Binary's namespace. It runs the cases with
// TERRAZZO_STAGE_CODE_CASES(V).
#pragma once

#include <random>

#include "pipe/state.h"
#include "shaders/cache/cache.h"
#include "shaders/ir/binary.h"
#include "shaders/ir/stored.h"
#include "tests/common/compiler/link.h"

namespace terrazzo::tests {

inline constexpr const char* kStageCodeVertex =
    "attribute vec4 position; attribute vec3 normal; attribute vec2 coord;\n"
    "uniform mat4 matrix; uniform vec4 light; varying vec4 color; varying vec2 uv;\n"
    "void main() { gl_Position = matrix * position; color = light * dot(normal, light.xyz) + 0.317; uv = "
    "coord; }";
inline constexpr const char* kStageCodeFragment =
    "precision mediump float; uniform samplerCube image; uniform float scale; varying vec4 color; varying "
    "vec2 uv;\n"
    "void main() { gl_FragColor = textureCube(image, uv.xyx) * color * scale; }";
inline constexpr ir::Stage kCodeStages[] = {ir::Stage::Vertex, ir::Stage::Fragment};

inline std::shared_ptr<const shaders::LinkedProgram> stage_code_program() {
    std::string log;
    auto p = compiled::link(kStageCodeVertex, kStageCodeFragment, &log);
    REQUIRE_MESSAGE(p, log);
    return p;
}

inline pipe::ProgramDesc describe(const shaders::LinkedProgram& p) {
    pipe::ProgramDesc d;
    for (const ir::Stage s : kCodeStages)
        d.stored[size_t(s)] = p.stages[size_t(s)].stored();
    return d;
}

template <typename Binary>
std::vector<uint8_t> bytes_of(const Binary& b) {
    std::vector<uint8_t> bytes;
    ir::BinaryWriter out(bytes);
    write_binary(b, &out);
    return bytes;
}

template <typename V>
void check_same_code(const typename V::Code& a, const typename V::Code& b) {
    CHECK(V::error(a) == "");
    CHECK(a.uniform_dw == b.uniform_dw);
    const auto x = V::parts(a), y = V::parts(b);
    REQUIRE(x.size() == y.size());
    for (size_t n = 0; n < x.size(); ++n)
        CHECK(x[n].code == y[n].code);
}

TEST_CASE_TEMPLATE_DEFINE("stage code: reading written bytes restores the code; truncated bytes are refused",
                          V, stage_code_bytes) {
    const auto p = stage_code_program();
    for (const ir::Stage s : kCodeStages) {
        const typename V::Code code = V::compile(*p->stages[size_t(s)]);
        REQUIRE(V::error(code) == "");
        for (const typename V::Binary& b : V::parts(code)) {
            const std::vector<uint8_t> bytes = bytes_of(b);
            ir::BinaryReader in(bytes);
            typename V::Binary back;
            REQUIRE(read_binary(&in, &back));
            CHECK(in.at_end());
            CHECK(back.code == b.code);
            V::check_equal(back, b);
            CHECK(bytes_of(back) == bytes);
            for (size_t n = 0; n < bytes.size(); ++n) {
                ir::BinaryReader cut(std::span<const uint8_t>(bytes.data(), n));
                CHECK(!read_binary(&cut, &back));
            }
        }
    }
}

TEST_CASE_TEMPLATE_DEFINE("stage code: any bytes are safe to read", V, stage_code_any_bytes) {
    constexpr size_t kWithin_B = 120;  // the code follows after these bytes
    std::mt19937 random(11);
    const auto p = stage_code_program();
    for (const ir::Stage s : kCodeStages) {
        const std::vector<uint8_t> good = bytes_of(V::parts(V::compile(*p->stages[size_t(s)])).front());
        for (unsigned round = 0; round < 20000; ++round) {
            std::vector<uint8_t> bytes = good;
            for (unsigned n = random() % 4 + 1; n--;)
                bytes[random() % std::min(bytes.size(), kWithin_B)] = uint8_t(random());
            ir::BinaryReader in(bytes);
            typename V::Binary b;
            if (!read_binary(&in, &b)) continue;
            CHECK(b.code.size() % 16 == 0);
            V::check_read(b);
        }
    }
}

TEST_CASE_TEMPLATE_DEFINE("stage code: a program in the cache is not compiled again", V, stage_code_cached) {
    const auto p = stage_code_program();
    shaders::ShaderCache cache({});
    const pipe::ProgramDesc desc = describe(*p);
    for (const pipe::Stage stage : {pipe::Stage::Vertex, pipe::Stage::Fragment}) {
        const auto hits = cache.counts().memory_hits;
        const typename V::Code first = V::get(desc, stage, &cache);
        REQUIRE(V::error(first) == "");
        CHECK(cache.counts().memory_hits == hits);
        // Bytes that are never deserialized: only their hash is used.
        pipe::ProgramDesc bytes;
        bytes.stored[size_t(stage)] = ir::StoredShader::of(desc.stored[size_t(stage)]->binary());
        check_same_code<V>(V::get(bytes, stage, &cache), first);
        CHECK(cache.counts().memory_hits == hits + 1);
        // Borrowed IR finds the same entry.
        pipe::ProgramDesc borrowed;
        borrowed.stages[size_t(stage)] = desc.stored[size_t(stage)]->get();
        check_same_code<V>(V::get(borrowed, stage, &cache), first);
        CHECK(cache.counts().memory_hits == hits + 2);
    }
}

TEST_CASE_TEMPLATE_DEFINE("stage code: a bad entry of the cache is compiled again", V, stage_code_bad_entry) {
    const auto p = stage_code_program();
    shaders::ShaderCache cache({});
    const pipe::ProgramDesc desc = describe(*p);
    for (const pipe::Stage stage : {pipe::Stage::Vertex, pipe::Stage::Fragment}) {
        const typename V::Code good = V::get(desc, stage, &cache);
        const shaders::CacheKey key = V::key(desc.stored[size_t(stage)]->hash());
        const std::vector<uint8_t> entry = *cache.get(key);
        std::vector<std::vector<uint8_t>> bad = {{}, {0}, {0, 0, 0}, {1}, std::vector<uint8_t>(1000, 0xff)};
        bad.emplace_back(entry.begin(), entry.end() - 1);
        bad.push_back(entry);
        bad.back().push_back(0);
        for (const std::vector<uint8_t>& b : bad) {
            cache.put(key, b);
            REQUIRE(*cache.get(key) == b);
            check_same_code<V>(V::get(desc, stage, &cache), good);
            CHECK(*cache.get(key) == entry);
        }
    }
}

/// Outside of all namespaces.
#define TERRAZZO_STAGE_CODE_CASES(V)                    \
    namespace terrazzo::tests {                         \
    TEST_CASE_TEMPLATE_INVOKE(stage_code_bytes, V);     \
    TEST_CASE_TEMPLATE_INVOKE(stage_code_any_bytes, V); \
    TEST_CASE_TEMPLATE_INVOKE(stage_code_cached, V);    \
    TEST_CASE_TEMPLATE_INVOKE(stage_code_bad_entry, V); \
    }

}  // namespace terrazzo::tests
