// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Programs are restored after being written and read; damaged bytes are refused.
#include <doctest/doctest.h>
#include <xxhash.h>

#include <cstring>

#include "shaders/ir/print.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using namespace terrazzo::shaders;

namespace {
std::shared_ptr<const LinkedProgram> program() {
    return test::link_pair(
               "attribute vec4 a; uniform highp mat4 m[2]; uniform int i; varying vec2 v; void main() { "
               "gl_Position = m[i] * a; v = a.xy; }",
               "precision highp float; varying vec2 v; uniform sampler2D s[2]; uniform float k[3]; uniform "
               "bool b; void main() { float x = "
               "0.0; for (int n = 0; n < 30; ++n) { if (x > k[0]) break; x += k[1] * v.x; } if (b) discard; "
               "gl_FragColor = "
               "texture2D(s[1], v) * x * k[2]; }")
        .program;
}
}  // namespace

TEST_CASE("link: a program written and read is the same") {
    const auto p = program();
    REQUIRE(p);
    const std::vector<uint8_t> bytes = serialize(*p);
    const auto q = deserialize(bytes);
    REQUIRE(q);
    CHECK(serialize(*q) == bytes);
    REQUIRE(q->uniforms.size() == p->uniforms.size());
    for (size_t i = 0; i < p->uniforms.size(); ++i) {
        CHECK(q->uniforms[i].name == p->uniforms[i].name);
        CHECK(q->uniforms[i].type == p->uniforms[i].type);
        CHECK(q->uniforms[i].location == p->uniforms[i].location);
        CHECK(q->uniforms[i].offset_dw == p->uniforms[i].offset_dw);
        CHECK(q->uniforms[i].sampler_slot == p->uniforms[i].sampler_slot);
    }
    REQUIRE(q->attributes.size() == 1);
    CHECK(q->attributes[0].name == "a");
    for (unsigned s = 0; s < ir::kStageCount; ++s) {
        REQUIRE((q->stages[s] != nullptr) == (p->stages[s] != nullptr));
        if (!p->stages[s]) continue;
        CHECK(ir::print(*q->stages[s]) == ir::print(*p->stages[s]));
        CHECK(q->stages[s]->info.inputs_read == p->stages[s]->info.inputs_read);
        CHECK(q->stages[s]->info.uses_discard == p->stages[s]->info.uses_discard);
        CHECK(q->stages[s]->info.sampler_count == p->stages[s]->info.sampler_count);
    }
}

TEST_CASE("link: damaged programs are refused") {
    const auto p = program();
    REQUIRE(p);
    const std::vector<uint8_t> bytes = serialize(*p);
    CHECK(!deserialize({}));
    for (size_t n = 0; n < bytes.size(); n += 7)
        CHECK(!deserialize(std::span(bytes).first(n)));
    for (size_t n = 0; n < bytes.size(); n += 3) {
        std::vector<uint8_t> bad = bytes;
        bad[n] ^= uint8_t(1 + n % 255);
        CHECK(!deserialize(bad));
    }
    std::vector<uint8_t> longer = bytes;
    longer.push_back(0);
    CHECK(!deserialize(longer));
}

TEST_CASE("link: damaged programs with a right checksum are harmless, read at once or on demand") {
    const auto p = program();
    REQUIRE(p);
    const std::vector<uint8_t> bytes = serialize(*p);
    unsigned at_once = 0, when_needed = 0, readable = 0;
    for (size_t n = 24; n < bytes.size(); ++n)
        for (const uint8_t change : {uint8_t(1), uint8_t(0x80), uint8_t(0xff)}) {
            std::vector<uint8_t> bad = bytes;
            bad[n] ^= change;
            const uint64_t hash = XXH3_64bits(bad.data() + 24, bad.size() - 24);
            std::memcpy(bad.data() + 16, &hash, sizeof hash);
            at_once += deserialize(bad) != nullptr;
            const auto q = deserialize(bad, Stages::WhenNeeded);
            if (!q) continue;
            when_needed++;
            bool all = true;
            for (const LinkedStage& s : q->stages)
                all &= !s || s.get();
            readable += all;
            if (all) CHECK(deserialize(serialize(*q)));
        }
    CHECK(at_once == readable);
    CHECK(when_needed > readable);
    CHECK(readable > 100);  // damage of a constant, a name, a line
}
