// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <vector>

#include "shaders/ir/builder.h"
#include "shaders/passes/chain_conditions.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;
using terrazzo::ir::test::after;
using terrazzo::ir::test::unchanged;

TEST_CASE(
    "chain_conditions: two conditions, different operations, parts with other users, and integers stay") {
    unchanged(chain_conditions, R"(fragment {
  %0: i32 = load_input 7.x flat
  %1: i32 = load_input 7.y flat
  %2: bool = ilt %0, %1
  %3: bool = ilt %1, %0
  %4: bool = ine %0, %1
  %5: bool = iand %2, %3
  %6: bool = ior %4, %5
  %7: i32 = b2i %6
  %8: i32 = iand %0, %1
  %9: i32 = iand %8, %7
  %10: i32 = iand %9, %9
  store_output 0.x, %10
  %11: bool = iand %4, %5
  %12: i32 = b2i %11
  store_output 0.y, %12
}
)");
}

TEST_CASE("chain_conditions: conditions are joined as soon as they are known") {
    CHECK(after(chain_conditions, R"(fragment {
  %0: i32 = load_input 7.x flat
  %1: i32 = load_input 7.y flat
  %2: bool = ilt %0, %1
  %3: bool = ilt %1, %0
  %4: bool = iand %2, %3
  %5: bool = ine %0, %1
  %6: bool = ieq %0, %1
  %7: bool = iand %5, %6
  %8: bool = iand %7, %4
  %9: i32 = b2i %8
  store_output 0.x, %9
}
)") == R"(fragment {
  %0: i32 = load_input 7.x flat
  %1: i32 = load_input 7.y flat
  %2: bool = ilt %0, %1
  %3: bool = ilt %1, %0
  %4: bool = iand %2, %3
  %5: bool = ine %0, %1
  %6: bool = iand %4, %5
  %7: bool = ieq %0, %1
  %8: bool = iand %6, %7
  %9: i32 = b2i %8
  store_output 0.x, %9
}
)");
}

TEST_CASE("chain_conditions: conditions of other regions and with other users come last") {
    CHECK(after(chain_conditions, R"(fragment {
  %0: i32 = load_input 7.x flat
  %1: i32 = load_input 7.y flat
  %2: bool = ilt %0, %1
  if %2 {
    %3: bool = ilt %1, %0
    %4: bool = ior %2, %3
    %5: bool = ine %0, %1
    %6: i32 = b2i %5
    store_output 0.y, %6
    %7: bool = ieq %0, %1
    %8: bool = ior %5, %7
    %9: bool = ior %4, %8
    %10: i32 = b2i %9
    store_output 0.x, %10
  }
}
)") == R"(fragment {
  %0: i32 = load_input 7.x flat
  %1: i32 = load_input 7.y flat
  %2: bool = ilt %0, %1
  if %2 {
    %3: bool = ilt %1, %0
    %4: bool = ine %0, %1
    %5: i32 = b2i %4
    store_output 0.y, %5
    %6: bool = ieq %0, %1
    %7: bool = ior %3, %6
    %8: bool = ior %7, %4
    %9: bool = ior %8, %2
    %10: i32 = b2i %9
    store_output 0.x, %10
  }
}
)");
}

/// Few of the usual random programs join three conditions.
TEST_CASE("chain_conditions: random trees keep their meaning") {
    constexpr uint32_t kSeeds = 300;
    unsigned changed = 0;
    for (uint32_t seed = 0; seed < kSeeds; seed++) {
        Random random(seed);
        Shader before(Stage::Fragment);
        Builder b(before);
        std::vector<Value*> numbers, conditions;
        for (uint32_t c = 0; c < 4; c++)
            numbers.push_back(b.load_input(Type::F32, 7, c));
        const auto pick = [&](const std::vector<Value*>& from) {
            return from[random.below(uint32_t(from.size()))];
        };
        const auto add = [&](unsigned count) {
            for (unsigned n = 0; n < count; n++)
                conditions.push_back(
                    conditions.size() < 4 || random.chance(40)
                        ? b.alu(Op::FLt, pick(numbers), pick(numbers))
                        : b.alu(random.chance(70) ? Op::IAnd : Op::IOr, pick(conditions), pick(conditions)));
        };
        add(10);
        Instr* const choice = b.begin_if(pick(conditions));
        b.set_end(choice->regions[0]);
        const size_t outside = conditions.size();
        add(10);
        b.store_output(0, 0, b.convert(Op::B2F, Type::F32, conditions.back()));
        b.yield();
        b.set_end(choice->regions[1]);
        b.yield();
        conditions.resize(outside);
        b.set_end(before.body);
        add(6);
        b.store_output(0, 1, b.convert(Op::B2F, Type::F32, conditions.back()));
        before.renumber();
        REQUIRE(validate(before) == "");
        const auto chained = clone(before);
        changed += chain_conditions(*chained);
        CAPTURE(print(before));
        CAPTURE(print(*chained));
        REQUIRE(validate(*chained) == "");
        REQUIRE(same_outputs(execute(before, seed), execute(*chained, seed)));
    }
    CHECK(changed > kSeeds / 4);
}
