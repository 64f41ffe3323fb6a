// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The binary form: everything is restored, equal shaders have equal contents, and any bytes are safe to read.
#include "shaders/ir/binary.h"

#include <algorithm>
#include <thread>

#include "shaders/ir/stored.h"
#include "shaders/passes/gather_info.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

/// Values are numbered in program order, so that the restored shader has the same text.
constexpr std::string_view kEverything =
    R"(fragment {
  info inputs_read=0x80 outputs_written=0x1 sampler_count=3 uniform_dw=20 uses_discard )"
    R"(uses_derivatives uses_front_facing uses_point_coord uses_frag_coord writes_depth )"
    R"(writes_memory early_fragment_tests workgroup_size=8,4,2
  var v0 "a \x22quoted\x22 \xc3\xa4" f32[4] local
  var v1 "color" f32[4] input highp flat centroid location=3
  var v2 "lights.tex" f32[2] sampler lowp binding=2 cube array shadow
  var v3 "o" i32[1] output mediump noperspective sample invariant
  %0: f32 = const 1.5
  %1: f32 = const 0x7fc00000
  %2: f16 = const -0.25
  %3: i32 = const -7
  %4: bool = const true
  %5: i64 = const -9000000000
  %6: f32 = load_var v0[2]
  %7: f32 = load_var v1[0 + %3] !12
  store_var v0[1 + %3], %0
  store_var v0[3], %6
  %8: f32 = fadd.exact.mediump %0, %6 !4000000000
  %9: f32 = load_input 7.y flat centroid
  %10: f32 = load_uniform 12 + %3 of 8
  %11: f32 = load_sysval frag_coord.w
  %12: f32, %13: i32 = if %4 {
    yield %0, %3
  } else {
    yield %8, %3
  }
  if %4 {
    discard %4
  }
  %14: f32 = loop (%15: f32 = %0, %16: i32 = %3) {
    %17: bool = ilt %16, %3
    if %17 {
      break %15
    }
    continue %15, %16
  }
  %18: f32 = tex sample_grad cube array shadow indexed coords=4 var=v2 (%0, %0, %0, %0, %6, %0, %0, )"
    R"(%0, %0, %0, %0, %3)
  %19: i32, %20: i32, %21: i32, %22: i32 = tex fetch 2d coords=2 gather=1 result=i32 offset=1,-2,3 )"
    R"(binding=5 (%3, %3, %3)
  %23: i32 = atomic_buffer add buffer coherent volatile restrict indexed binding=1 slots=4 )"
    R"(offset_B=8 (%3, %3, %3)
  %24: f32 = undef
  store_image image 3d r32i writeonly binding=0 (%3, %3, %3, %3, %3, %3, %3)
  barrier execution=workgroup memory=device buffers images shared ()
  store_output.mediump.rounded 0.x, %24
}
)";

constexpr std::string_view kSmall = R"(fragment {
  var v0 "x" f32[1] local
  %5: f32 = const 0.5 !1
  %9: f32 = fneg %5 !2
  store_var v0[0], %9
  store_output 0.x, %9
}
)";

std::unique_ptr<Shader> back(const Binary& b) {
    return read_binary(b.content, b.remarks);
}

Binary mutated(Binary b, Random& r) {
    std::vector<uint8_t>& bytes = r.chance(10) ? b.remarks : b.content;
    for (uint32_t n = 1 + r.below(3); n && !bytes.empty(); --n) {
        const auto at = ptrdiff_t(r.below(uint32_t(bytes.size())));
        switch (r.below(5)) {
            case 0:
                bytes[size_t(at)] ^= uint8_t(1u << r.below(8));
                break;
            case 1:
                bytes[size_t(at)] = uint8_t(r.bits());
                break;
            case 2:
                bytes.erase(bytes.begin() + at);
                break;
            case 3:
                bytes.insert(bytes.begin() + at, uint8_t(r.bits()));
                break;
            default:
                if (r.chance(20)) bytes.resize(size_t(at));
                break;
        }
    }
    return b;
}

}  // namespace

TEST_CASE("binary: everything survives the round trip") {
    const auto s = shader_of(kEverything);
    const Binary b = write_binary(*s);
    const auto q = back(b);
    REQUIRE(q);
    CHECK(print(*q) == kEverything);
    CHECK(q->value_count() == 25);
    CHECK(q->info == s->info);
    const Binary again = write_binary(*q);
    CHECK(again.content == b.content);
    CHECK(again.remarks == b.remarks);
    CHECK(b.content.size() * 4 < kEverything.size());
}

TEST_CASE("binary: content does not depend on the names of values, variables and lines") {
    const auto hash = [](std::string_view text) {
        return hash_content(write_binary(*shader_of(text)).content);
    };
    const ContentHash small = hash(kSmall);
    const auto replaced = [](std::string_view what, std::string_view with) {
        std::string text(kSmall);
        for (size_t at = 0; (at = text.find(what, at)) != text.npos; at += with.size())
            text.replace(at, what.size(), with);
        REQUIRE(text != kSmall);
        return text;
    };
    CHECK(hash(replaced("%9", "%7")) == small);
    CHECK(hash(replaced("\"x\"", "\"another\"")) == small);
    CHECK(hash(replaced("!2", "!77")) == small);
    CHECK(hash(replaced("0.5", "0.25")) != small);
    CHECK(hash(replaced("fneg", "fneg.exact")) != small);
    CHECK(hash(replaced("fneg", "fabs")) != small);
    CHECK(hash(replaced("f32[1]", "f32[2]")) != small);
    CHECK(hash(replaced("0.x", "0.y")) != small);
}

TEST_CASE("binary: random shaders survive the round trip") {
    for (uint32_t seed = 0; seed < 300; seed++) {
        const auto s = random_shader(seed, {.half = seed % 3 == 0, .transcendental = seed % 2 == 0});
        s->renumber();
        const Binary b = write_binary(*s);
        const auto q = back(b);
        CAPTURE(seed);
        REQUIRE(q);
        REQUIRE(print(*q) == print(*s));
        REQUIRE(validate(*q, Phase::AfterLink) == "");
    }
}

TEST_CASE("binary: mutated bytes never crash, and readable ones can be validated, printed and written") {
    unsigned read = 0, valid = 0;
    for (uint32_t seed = 0; seed < 200; seed++) {
        const auto s = random_shader(seed, {.statements = 12});
        const Binary b = write_binary(*s);
        Random r(seed + 1000);
        for (unsigned n = 0; n < 100; n++) {
            const Binary bad = mutated(b, r);
            const auto q = back(bad);
            if (!q) continue;
            read++;
            if (!validate(*q, Phase::AfterLink).empty()) continue;
            valid++;
            gather_info(*q);
            const Binary once = write_binary(*q);
            const auto twice = back(once);
            REQUIRE(twice);
            REQUIRE(write_binary(*twice).content == once.content);
            REQUIRE(!print(*q).empty());
        }
    }
    // The fuzzer must reach all three.
    CHECK(read > 500);
    CHECK(valid > 100);
    CHECK(valid < read);
}

TEST_CASE("binary: truncated anywhere, or longer, it is refused") {
    const Binary b = write_binary(*shader_of(kEverything));
    for (size_t n = 0; n < b.content.size(); n++)
        CHECK_FALSE(read_binary(std::span(b.content).first(n), b.remarks));
    for (size_t n = 0; n < b.remarks.size(); n++)
        CHECK_FALSE(read_binary(b.content, std::span(b.remarks).first(n)));
    Binary longer = b;
    longer.content.push_back(0);
    CHECK_FALSE(back(longer));
    longer = b;
    longer.remarks.push_back(0);
    CHECK_FALSE(back(longer));
}

TEST_CASE("binary: deep nesting and long numbers are errors") {
    std::unique_ptr<Shader> s = shader_of("fragment {\n  %0: bool = const true\n}\n");
    Binary b = write_binary(*s);
    // "if %0 {" a thousand times: op, flags, no results, one value back, no payload.
    b.content.pop_back();
    for (unsigned n = 0; n < 1000; n++) {
        for (const uint8_t v : {uint8_t(Op::If), uint8_t(0), uint8_t(0), uint8_t(0)})
            b.content.push_back(v);
        b.remarks.push_back(0);
    }
    for (unsigned n = 0; n < 2001; n++)
        b.content.push_back(uint8_t(Op::Count_));
    CHECK_FALSE(back(b));
    b = write_binary(*s);
    b.content[0] = 0x84;  // 4, encoded in two bytes
    b.content.insert(b.content.begin() + 1, 0);
    CHECK_FALSE(back(b));
}

TEST_CASE("a stored shader has both forms, which are created on request") {
    auto s = random_shader(3);
    gather_info(*s);
    s->renumber();
    const std::string text = print(*s);
    const StoredShader made(std::move(s));
    const auto stored = StoredShader::of(made.binary());
    REQUIRE(stored);
    CHECK(stored->hash() == made.hash());
    CHECK(stored->info() == made.info());
    CHECK(stored->stage() == Stage::Fragment);
    // All threads get the same form, whichever one is first.
    const Shader* seen[4];
    std::vector<std::thread> threads;
    for (const Shader*& p : seen)
        threads.emplace_back([&p, &stored] { p = stored->get(); });
    for (std::thread& t : threads)
        t.join();
    for (const Shader* p : seen)
        CHECK(p == seen[0]);
    REQUIRE(seen[0]);
    CHECK(print(*seen[0]) == text);
}

TEST_CASE("a stored shader with any wrong byte is null") {
    auto s = random_shader(4);
    gather_info(*s);
    const StoredShader made(std::move(s));
    CHECK_FALSE(StoredShader::of({}));
    Binary cut = made.binary();
    cut.content.pop_back();
    REQUIRE(StoredShader::of(cut));
    CHECK(StoredShader::of(cut)->get() == nullptr);
    // Valid IR that contradicts its info.
    auto liar = random_shader(4);
    gather_info(*liar);
    liar->info.uses_discard = !liar->info.uses_discard;
    const auto stored = StoredShader::of(write_binary(*liar));
    REQUIRE(stored);
    CHECK(stored->get() == nullptr);
}
