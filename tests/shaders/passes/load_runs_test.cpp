// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include "shaders/passes/load_runs.h"
#include "shaders/passes/walk.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using terrazzo::ir::test::shader_of;

namespace {

/// The run of the first load of that kind.
LoadRun run_of(std::string_view text, Op op, uint32_t group = 0, uint32_t elsewhere = ~0u) {
    const auto s = shader_of(text);
    LoadRun out{0, 0};
    for_each(s->body, [&](Instr* i) {
        if (i->op == op && !out.count)
            out = find_load_run(*i, group, [&](uint32_t place) { return place == elsewhere; });
    });
    return out;
}

constexpr const char* kUniforms = R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = load_uniform 5 + %0 of 20
  %2: f32 = load_uniform 6 + %0 of 20
  %3: f32 = load_uniform 4 + %0 of 20
  %4: f32 = load_uniform 9 + %0 of 20
  %5: f32 = load_uniform 7
}
)";

}  // namespace

TEST_CASE("load_runs: adjacent positions with the same index") {
    const LoadRun all = run_of(kUniforms, Op::LoadUniform);
    CHECK(all.first == 4);
    CHECK(all.count == 3);
    // No run crosses a multiple of two.
    const LoadRun pairs = run_of(kUniforms, Op::LoadUniform, 2);
    CHECK(pairs.first == 4);
    CHECK(pairs.count == 2);
    const LoadRun without = run_of(kUniforms, Op::LoadUniform, 0, 4);
    CHECK(without.first == 5);
    CHECK(without.count == 2);
}

TEST_CASE("load_runs: a store to the array ends them") {
    const LoadRun run = run_of(R"(vertex {
  var v0 "x" f32[12] local
  %0: f32 = load_var v0[3]
  %1: f32 = load_var v0[4]
  store_var v0[7], %0
  %2: f32 = load_var v0[5]
}
)",
                               Op::LoadVar);
    CHECK(run.first == 3);
    CHECK(run.count == 2);
}

TEST_CASE("load_runs: positions that split a value") {
    const auto s = shader_of(R"(vertex {
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 2
  %2: i32 = const 12
  %3: i32 = imul %0, %1
  %4: i32 = ishl %0, %1
  %5: i32 = iadd %3, %4
  %6: i32 = imul %3, %3
  %7: i32 = ishl %2, %1
}
)");
    const unsigned expected[] = {1, 2, 4, 2, 4, 2, 4, 16};
    size_t n = 0;
    for_each(s->body, [&](Instr* i) {
        CHECK(known_multiple(i->result(), 4) == std::min(expected[n], 4u));
        CHECK(known_multiple(i->result(), 16) == expected[n++]);
    });
    CHECK(n == std::size(expected));
    CHECK(known_multiple(nullptr, 4) == 4);
}
