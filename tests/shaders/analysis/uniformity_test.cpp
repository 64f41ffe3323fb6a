// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The analysis is compared with literals, then with the interpreter: a value that it calls uniform must be
// uniform when a program runs.
#include "shaders/analysis/uniformity.h"

#include "shaders/ir/builder.h"
#include "shaders/passes/walk.h"
#include "tests/shaders/ir/random_shader.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

/// A letter for each value, by id: D for equal in the draw, W for equal in the wave, a digit for the step
/// between lanes, x for anything else.
std::string facts(const Shader& s, const Uniformity& u) {
    std::string out(s.value_count(), '-');
    const auto note = [&](const Value* v) {
        const auto step = u.step(v);
        out[v->id] = u.scope(v) == Scope::Draw   ? 'D'
                     : u.scope(v) == Scope::Wave ? 'W'
                     : step                      ? char('0' + *step % 10)
                                                 : 'x';
        CHECK((u.scope(v) != Scope::Invocation) == u.is_uniform(v));
    };
    for_each(s.body, [&](Instr* i) {
        for (unsigned n = 0; n < i->result_count; n++)
            note(i->result(n));
        for (unsigned n = 0; i->op == Op::Loop && n < i->regions[0]->arg_count; n++)
            note(i->regions[0]->args[n]);
    });
    return out;
}

std::string facts(std::string_view text, const UniformityOptions& options = {}) {
    const auto s = shader_of(text);
    return facts(*s, Uniformity(*s, UniformitySources(), options));
}

/// The workgroup's size is 16 by 2.
std::string compute_facts(std::string_view text, unsigned lanes) {
    const auto s = shader_of(text);
    s->info.workgroup_size[0] = 16, s->info.workgroup_size[1] = 2;
    return facts(*s, Uniformity(*s, UniformitySources(), {.lanes = lanes}));
}

}  // namespace

TEST_CASE("uniformity: operations have the narrowest scope of their operands") {
    CHECK(facts(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_uniform 3
  %2: i32 = const 8
  %3: f32 = load_buffer uniform_block binding=1 (%2)
  %4: f32 = fmul %1, %3
  %5: f32 = fmul %4, %0
  %6: f32 = fddx %4
  %7: i32 = load_buffer buffer binding=0 (%2)
  store_output 0.x, %5
})") == "xDDDDxDx");
}

TEST_CASE("uniformity: an If with a uniform condition joins values of lanes that took the same arm") {
    const char* text = R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_uniform 3
  %2: f32 = load_uniform 4
  %3: bool = flt %1, %2
  %4: bool = flt %1, %0
  %5: f32 = if %3 {
    %6: f32 = fadd %1, %2
    yield %6
  } else {
    yield %1
  }
  %7: f32 = if %4 {
    yield %2
  } else {
    yield %1
  }
  %8: f32 = if %3 {
    yield %0
  } else {
    yield %1
  }
})";
    CHECK(facts(text) == "xDDDxDDxx");
    CHECK(facts(text, {.stopped_lanes = true}) == "xDDDxxDxx");
}

TEST_CASE("uniformity: a loop's results are uniform if all lanes leave it in the same iteration") {
    const auto loop = [](const std::string& limit) {
        return R"(fragment {
  %0: i32 = const 0
  %1: i32 = const 1
  %2: i32 = )" +
               limit + R"(
  %3: i32 = loop (%4: i32 = %0) {
    %5: bool = ilt %2, %4
    if %5 {
      break %4
    }
    %6: i32 = iadd %4, %1
    continue %6
  }
  %7: i32 = iadd %3, %1
})";
    };
    CHECK(facts(loop("load_uniform 0")) == "DDDDDDDD");
    // Lanes that are still in the loop have executed the same number of iterations.
    CHECK(facts(loop("load_input 7.x")) == "DDxxDxDx");
    CHECK(facts(loop("load_uniform 0"), {.stopped_lanes = true}) == "DDDxDDDx");
}

TEST_CASE("uniformity: an early continue of some lanes makes a loop's arguments diverge") {
    const auto loop = [](const std::string& limit) {
        return R"(fragment {
  %0: i32 = const 0
  %1: i32 = const 1
  %2: i32 = )" +
               limit + R"(
  loop (%3: i32 = %0) {
    %4: bool = ilt %2, %3
    if %4 {
      continue %1
    }
    %5: i32 = iadd %3, %1
    %6: bool = ilt %5, %1
    if %6 {
      break
    }
    continue %5
  }
})";
    };
    CHECK(facts(loop("load_uniform 0")) == "DDDDDDD");
    CHECK(facts(loop("load_input 7.x")) == "DDxxxxx");
}

TEST_CASE("uniformity: what holds in a loop's first iteration is revoked along a chain") {
    CHECK(facts(R"(fragment {
  %0: f32 = load_uniform 0
  %1: f32 = load_input 7.x
  %2: f32, %3: f32 = loop (%4: f32 = %0, %5: f32 = %0) {
    %6: f32 = fadd %4, %0
    %7: bool = flt %0, %5
    if %7 {
      break %6, %0
    }
    continue %5, %1
  }
})") == "Dxxxxxxx");
}

TEST_CASE("uniformity: ids increase from lane to lane of a workgroup") {
    const char* text = R"(compute {
  %0: i32 = load_sysval local_invocation_id.x
  %1: i32 = load_sysval local_invocation_id.y
  %2: i32 = load_sysval local_invocation_index.x
  %3: i32 = load_sysval work_group_id.x
  %4: i32 = load_sysval num_work_groups.x
  %5: i32 = const 4
  %6: i32 = imul %0, %5
  %7: i32 = iadd %6, %3
  %8: i32 = isub %7, %6
  %9: i32 = imul %0, %2
})";
    CHECK(compute_facts(text, 16) == "1W1WDD44Wx");
    // A wave is larger than a row of the workgroup.
    CHECK(compute_facts(text, 32) == "xx1WDDxxxx");
    // The order of lanes is unknown.
    CHECK(compute_facts(text, 0) == "xxxWDDxxxx");
    const auto s = shader_of(text);
    s->info.workgroup_size[0] = 16;
    const Uniformity u(*s, UniformitySources());
    const auto bound = [&](unsigned id) {
        uint32_t out = 0;
        for_each(s->body, [&](Instr* i) {
            if (i->result_count && i->result()->id == id) out = u.upper_bound(i->result());
        });
        return out;
    };
    CHECK(bound(0) == 15);
    CHECK(bound(6) == 60);
    CHECK(bound(7) == ~0u);
}

TEST_CASE("uniformity: a device declares what diverges") {
    class Textures final : public UniformitySources {
      public:
        [[nodiscard]] Scope scope(const Shader& s, const Instr& i) const override {
            return i.op == Op::Tex ? Scope::Wave : UniformitySources::scope(s, i);
        }
    };
    const auto s = shader_of(R"(fragment {
  %0: f32 = load_uniform 0
  %1: f32, %2: f32, %3: f32, %4: f32 = tex sample_lod 2d coords=2 binding=0 (%0, %0, %0)
  %5: f32 = fadd %1, %0
})");
    CHECK(facts(*s, Uniformity(*s, UniformitySources())) == "Dxxxxx");
    CHECK(facts(*s, Uniformity(*s, Textures())) == "DWWWWW");
}

TEST_CASE("uniformity: results for random programs hold when they run") {
    constexpr unsigned kLanes = 8;
    unsigned uniform = 0, divergent = 0, joined = 0;
    for (uint32_t seed = 0; seed < 200; seed++) {
        CAPTURE(seed);
        const auto s = random_shader(seed * 17 + 3, {.statements = 30 + seed % 30, .memory = seed % 2 == 1});
        const Uniformity u(*s, UniformitySources());
        // Stores a value after its definition. Lanes leave loops in different iterations, so values in loops
        // are not checked.
        std::map<unsigned, const Value*> stored;
        uint32_t next = 0;
        for_each(s->body, [&](Instr* i) {
            if (i->op == Op::StoreOutput) erase(i);
        });
        std::vector<Instr*> all;
        for_each(s->body, [&](Instr* i) { all.push_back(i); });
        for (Instr* i : all) {
            bool in_loop = false;
            for (const Region* r = i->parent; r->owner; r = r->owner->parent)
                in_loop |= r->owner->op == Op::Loop;
            if (in_loop || i->op == Op::Const) continue;
            for (unsigned n = 0; n < i->result_count && next < 44; n++) {
                Value* const v = i->result(n);
                if (bit_size(v->type) != 32) continue;
                if (!u.is_uniform(v)) {
                    divergent++;
                    continue;
                }
                uniform++, joined += i->region_count != 0;
                Instr* const store = s->create(Op::StoreOutput, std::initializer_list<Value*>{v}, {});
                store->u.io = {.slot = next / 4, .component = next % 4};
                insert_after(i, store);
                stored[next++] = v;
            }
        }
        const std::string rule = validate(*s, Phase::AfterLink);
        REQUIRE_MESSAGE(rule.empty(), rule);
        const TestEnv env = execute(*s, seed + 1, 0xff, kLanes);
        for (const auto& [place, v] : stored) {
            const auto row = env.outputs.find(place);
            if (row == env.outputs.end()) continue;
            CAPTURE(v->id);
            uint32_t seen = 0xdeadbeef;  // for lanes that did not reach the store
            for (const uint32_t word : row->second) {
                if (word == 0xdeadbeef) continue;
                if (seen == 0xdeadbeef) seen = word;
                REQUIRE_MESSAGE(same_word(word, seen), print(*s));
            }
        }
    }
    CHECK(uniform > 1000);
    CHECK(divergent > 1000);
    CHECK(joined > 5);
}
