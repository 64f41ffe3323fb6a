// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Every pass on random programs. Afterwards they must be valid, and the interpreter must store the same bits
// before and after. Rules that may change the sign of a zero or a rounding are disabled here;
// algebraic_test.cpp tests them one by one.
#include <functional>

#include "shaders/passes/algebraic.h"
#include "shaders/passes/constant_folding.h"
#include "shaders/passes/copy_propagation.h"
#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/fold_indices.h"
#include "shaders/passes/if_conversion.h"
#include "shaders/passes/loop_invariants.h"
#include "shaders/passes/loop_unroll.h"
#include "shaders/passes/lower_bitfield.h"
#include "shaders/passes/lower_indirect.h"
#include "shaders/passes/mem2reg.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/simplify_if.h"
#include "shaders/passes/zero_arrays.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

constexpr AlgebraicOptions kStrict = {.zero_sign = false, .relaxed = false, .no_nan = false};

void same_before_and_after(const char* name, unsigned seeds, const std::function<bool(Shader&)>& pass) {
    CAPTURE(name);
    unsigned changed = 0, with_stores = 0;
    for (uint32_t seed = 0; seed < seeds; seed++) {
        CAPTURE(seed);
        const auto before = random_shader(
            seed * 31 + 7, {.statements = 25 + seed % 40, .half = seed % 4 == 0, .memory = seed % 3 == 1});
        const auto after = clone(*before);
        with_stores += print(*before).find("_buffer buffer") != std::string::npos;
        changed += pass(*after);
        const std::string rule = validate(*after, Phase::AfterLink);
        REQUIRE_MESSAGE(rule.empty(), rule << "\n" << print(*before) << print(*after));
        for (uint32_t run = 0; run < 2; run++) {
            const TestEnv a = execute(*before, run + 1, run ? 0xffu : 0xb6u);
            const TestEnv b = execute(*after, run + 1, run ? 0xffu : 0xb6u);
            REQUIRE_MESSAGE(same_outputs(a, b), print(*before) << print(*after));
        }
    }
    CHECK(changed > seeds / 4);
    CHECK(with_stores > seeds / 5);
}

PipelineOptions strict() {
    PipelineOptions o;
    o.algebraic = kStrict;
    return o;
}

}  // namespace

TEST_CASE("each pass keeps the meaning of random programs") {
    same_before_and_after("mem2reg", 150, mem2reg);
    same_before_and_after("copy_propagation", 100, copy_propagation);
    same_before_and_after("constant_folding", 100, constant_folding);
    same_before_and_after("algebraic", 150, [](Shader& s) { return algebraic(s, kStrict); });
    same_before_and_after("cse", 150, cse);
    same_before_and_after("dce", 150, dce);
    same_before_and_after("if_conversion", 100, [](Shader& s) { return if_conversion(s); });
    same_before_and_after("fold_indices", 100, [](Shader& s) {
        constant_folding(s);
        return fold_constant_indices(s);
    });
    same_before_and_after("lower_bitfield", 100, lower_bitfield);
    same_before_and_after("lower_indirect", 100, [](Shader& s) { return lower_indirect(s); });
    same_before_and_after("zero_arrays", 100, zero_arrays);
    same_before_and_after("loop_unroll", 150, [](Shader& s) { return loop_unroll(s); });
    same_before_and_after("loop_invariants", 150, loop_invariants);
    same_before_and_after("simplify_if", 150, [](Shader& s) {
        mem2reg(s);
        constant_folding(s);
        return simplify_if(s);
    });
    same_before_and_after("loop_unroll, simplify_if", 150, [](Shader& s) {
        const bool changed = loop_unroll(s);
        constant_folding(s);
        simplify_if(s);
        dce(s);
        return changed;
    });
    same_before_and_after("optimize", 300, [](Shader& s) {
        optimize(s, strict());
        return true;
    });
}

TEST_CASE("passes in any order keep the meaning") {
    Random random(11);
    const std::function<bool(Shader&)> passes[] = {
        mem2reg,
        copy_propagation,
        constant_folding,
        cse,
        dce,
        simplify_if,
        loop_invariants,
        [](Shader& s) { return algebraic(s, kStrict); },
        [](Shader& s) { return if_conversion(s); },
        [](Shader& s) { return loop_unroll(s, {.max_trips = 8, .max_instructions = 200}); },
        [](Shader& s) { return lower_indirect(s); },
    };
    same_before_and_after("any order", 200, [&](Shader& s) {
        for (unsigned n = 0; n < 12; n++)
            (void)passes[random.below(std::size(passes))](s);
        return true;
    });
}

TEST_CASE("the pipeline reaches a fixed point, and makes programs smaller") {
    size_t before = 0, after = 0;
    for (uint32_t seed = 0; seed < 60; seed++) {
        const auto s = random_shader(seed, {.statements = 60});
        before += print(*s).size();
        optimize(*s, strict());
        after += print(*s).size();
        const std::string once = print(*s);
        clean_up(*s, strict());
        s->renumber();
        CHECK(print(*s) == once);
    }
    CHECK(after < before);
}
