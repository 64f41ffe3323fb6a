// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/mem2reg.h"

#include "shaders/passes/dce.h"
#include "shaders/passes/lower_indirect.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {
std::string after(std::string_view text, bool expect_change = true, bool clean = false) {
    const auto s = shader_of(text);
    CHECK(mem2reg(*s) == expect_change);
    CHECK(validate(*s) == "");
    if (clean) {
        dce(*s);
        CHECK(validate(*s) == "");
    }
    if (expect_change) s->renumber();
    return print(*s);
}
}  // namespace

TEST_CASE("mem2reg changes nothing without promotable variables") {
    constexpr std::string_view text = R"(vertex {
  var v0 "a" f32[4] local
  var v1 "in" f32[4] input
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = load_var v1[0]
  store_var v0[0 + %0], %1
  %2: f32 = load_var v0[1]
  store_output 0.x, %2
}
)";
    CHECK(after(text, false) == text);
}

TEST_CASE("mem2reg: code without branches, and 0 if nothing was written") {
    CHECK(after(R"(vertex {
  var v0 "a" f32[2] local
  %0: f32 = load_var v0[1]
  %1: f32 = const 3.0
  store_var v0[1], %1
  %2: f32 = load_var v0[1]
  store_output 0.x, %0
  store_output 0.y, %2
})") == R"(vertex {
  %0: f32 = const 0.0
  %1: f32 = const 3.0
  store_output 0.x, %0
  store_output 0.y, %1
}
)");
}

TEST_CASE("mem2reg: values of arms are joined in results") {
    CHECK(after(R"(vertex {
  var v0 "a" f32[1] local
  %0: bool = load_sysval front_facing.x
  %1: f32 = const 1.0
  if %0 {
    store_var v0[0], %1
  }
  %2: f32 = load_var v0[0]
  store_output 0.x, %2
})") == R"(vertex {
  %0: f32 = const 0.0
  %1: bool = load_sysval front_facing.x
  %2: f32 = const 1.0
  %3: f32 = if %1 {
    yield %2
  } else {
    yield %0
  }
  store_output 0.x, %3
}
)");
}

TEST_CASE("mem2reg: loops carry values, breaks return them") {
    CHECK(after(R"(vertex {
  var v0 "i" i32[1] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 1
  loop () {
    %2: i32 = load_var v0[0]
    %3: bool = ige %2, %0
    if %3 {
      break
    }
    %4: i32 = iadd %2, %1
    store_var v0[0], %4
    continue
  }
  %5: i32 = load_var v0[0]
  store_output 0.x, %5
})") == R"(vertex {
  %0: i32 = const 0
  %1: i32 = load_sysval vertex_id.x
  %2: i32 = const 1
  %3: i32 = loop (%4: i32 = %0) {
    %5: bool = ige %4, %1
    if %5 {
      break %4
    }
    %6: i32 = iadd %4, %2
    continue %6
  }
  store_output 0.x, %3
}
)");
}

TEST_CASE("mem2reg: an arm that leaves has no value to join") {
    CHECK(after(R"(vertex {
  var v0 "a" f32[1] local
  %0: bool = load_sysval front_facing.x
  %1: f32 = const 1.0
  loop () {
    if %0 {
      break
    } else {
      store_var v0[0], %1
    }
    %2: f32 = load_var v0[0]
    store_output 0.y, %2
    continue
  }
  %3: f32 = load_var v0[0]
  store_output 0.x, %3
})") == R"(vertex {
  %0: f32 = const 0.0
  %1: bool = load_sysval front_facing.x
  %2: f32 = const 1.0
  %3: f32 = loop (%4: f32 = %0) {
    %5: f32 = if %1 {
      break %4
    } else {
      yield %2
    }
    store_output 0.y, %5
    continue %5
  }
  store_output 0.x, %3
}
)");
}

TEST_CASE("mem2reg keeps variables that are too large to carry") {
    constexpr std::string_view text = R"(vertex {
  var v0 "huge" f32[5000] local
  %0: f32 = load_var v0[4999]
  store_output 0.x, %0
}
)";
    CHECK(after(text, false) == text);
}

TEST_CASE("lower_indirect and mem2reg turn a small array into selects") {
    const auto s = shader_of(R"(vertex {
  var v0 "m" f32[8] local
  %0: i32 = load_sysval vertex_id.x
  %1: i32 = const 4
  %2: i32 = imul %0, %1
  %3: f32 = const 5.0
  store_var v0[5], %3
  %4: f32 = load_var v0[1 + %2]
  store_output 0.x, %4
})");
    CHECK(lower_indirect(*s));
    CHECK(mem2reg(*s));
    CHECK(validate(*s) == "");
    s->renumber();
    // Only two candidates: the index is a multiple of 4.
    CHECK(print(*s) == R"(vertex {
  %0: f32 = const 0.0
  %1: i32 = load_sysval vertex_id.x
  %2: i32 = const 4
  %3: i32 = imul %1, %2
  %4: f32 = const 5.0
  %5: i32 = const 4
  %6: bool = ieq %3, %5
  %7: f32 = select %6, %4, %0
  store_output 0.x, %7
}
)");
}

TEST_CASE("lower_indirect keeps large arrays") {
    const auto s = shader_of(R"(vertex {
  var v0 "m" f32[64] local
  %0: i32 = load_sysval vertex_id.x
  %1: f32 = load_var v0[0 + %0]
  store_output 0.x, %1
})");
    CHECK(!lower_indirect(*s));
    CHECK(lower_indirect(*s, {.max_elements = 64}));
}

TEST_CASE("mem2reg: the values that control flow carries are limited, the others stay in memory") {
    // A loop with `breaks` breaks that writes `vars` variables. Each break would carry each variable.
    const auto left = [](unsigned vars, unsigned breaks) {
        std::string text = "vertex {\n";
        for (unsigned n = 0; n < vars; n++)
            text += "  var v" + std::to_string(n) + " \"a\" f32[1] local\n";
        text += "  %0: f32 = load_input 0.x\n  %1: bool = flt %0, %0\n  loop () {\n";
        for (unsigned n = 0; n < vars; n++)
            text += "    store_var v" + std::to_string(n) + "[0], %0\n";
        for (unsigned n = 0; n < breaks; n++)
            text += "    if %1 {\n      break\n    }\n";
        text += "    continue\n  }\n";
        for (unsigned n = 0; n < vars; n++)
            text += "  %" + std::to_string(n + 2) + ": f32 = load_var v" + std::to_string(n) +
                    "[0]\n  store_output 0.x, %" + std::to_string(n + 2) + "\n";
        const auto s = shader_of(text + "}\n");
        (void)mem2reg(*s);
        CHECK(validate(*s) == "");
        return s->vars().size();
    };
    CHECK(left(10, 10) == 0);
    CHECK(left(100, 997) == 0);
    // The limit is 500,000 operands. One variable needs 1003 here: the exits and the loop itself.
    CHECK(left(1000, 1000) == 1000 - 500'000 / 1003);
}

TEST_CASE("dce: thousands of dead results and arguments are removed in one run") {
    constexpr unsigned kMany = 5000;
    std::string loop = "vertex {\n  %0: f32 = load_input 0.x\n  %1: bool = flt %0, %0\n", args, values,
                results;
    for (unsigned n = 0; n < kMany; n++) {
        const std::string comma = n ? ", " : "";
        results += comma + "%" + std::to_string(2 + n) + ": f32";
        args += comma + "%" + std::to_string(2 + kMany + n) + ": f32 = %0";
        values += comma + "%" + std::to_string(2 + kMany + n);
    }
    const std::string breaks = "    if %1 {\n      break " + values + "\n    }\n";
    std::string text = loop + "  " + results + " = loop (" + args + ") {\n";
    for (unsigned n = 0; n < 40; n++)
        text += breaks;
    text +=
        "    continue " + values + "\n  }\n  store_output 0.x, %" + std::to_string(2 + kMany - 1) + "\n}\n";
    const auto s = shader_of(text);
    CHECK(dce(*s));
    CHECK(validate(*s) == "");
    const Instr* i = s->body->first;
    while (i->op != Op::Loop)
        i = i->next;
    CHECK(i->result_count == 1);
    CHECK(i->operand_count == 1);
    CHECK(i->regions[0]->arg_count == 1);
    CHECK(i->regions[0]->last->operand_count == 1);
    CHECK(i->regions[0]->first->regions[0]->first->operand_count == 1);
    CHECK_FALSE(dce(*s));
}
