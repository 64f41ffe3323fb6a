// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// simplify_if, if_conversion and loop_unroll, compared with literals; no-change cases first.
#include "shaders/passes/if_conversion.h"
#include "shaders/passes/loop_unroll.h"
#include "shaders/passes/pipeline.h"
#include "shaders/passes/simplify_if.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {
bool convert(Shader& s) {
    return if_conversion(s);
}
bool unroll(Shader& s) {
    return loop_unroll(s);
}

// Side effects in arms; a loop whose count is not constant; a continue in the middle of a loop with a
// constant count.
constexpr std::string_view kStays = R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  %2: i32 = const 0
  %3: i32 = const 1
  %4: i32 = const 3
  if %1 {
    store_output 0.x, %0
  }
  loop (%5: i32 = %2) {
    %6: i32 = f2i %0
    %7: bool = ige %5, %6
    if %7 {
      break
    }
    %8: i32 = iadd %5, %3
    continue %8
  }
  loop (%9: i32 = %2) {
    %10: bool = ige %9, %4
    if %10 {
      break
    }
    %11: i32 = iadd %9, %3
    if %1 {
      continue %11
    }
    store_output 0.y, %0
    continue %11
  }
}
)";
}  // namespace

TEST_CASE("needed control flow stays") {
    unchanged(simplify_if, kStays);
    unchanged(convert, kStays);
    unchanged(unroll, kStays);
}

TEST_CASE("simplify_if keeps the arm of a constant condition") {
    CHECK(after(simplify_if, R"(fragment {
  %0: bool = const true
  %1: bool = const false
  %2: f32 = load_input 7.x
  %3: f32 = if %0 {
    %4: f32 = fneg %2
    yield %4
  } else {
    yield %2
  }
  if %1 {
    store_output 0.y, %2
  }
  discard %1
  store_output 0.x, %3
})") == R"(fragment {
  %0: bool = const true
  %1: bool = const false
  %2: f32 = load_input 7.x
  %3: f32 = fneg %2
  store_output 0.x, %3
}
)");
}

TEST_CASE("simplify_if removes unreachable code, and loops that run once") {
    CHECK(after(simplify_if, R"(fragment {
  %0: bool = const true
  %1: f32 = load_input 7.x
  %2: f32 = loop (%3: f32 = %1) {
    %4: f32 = if %0 {
      %5: f32 = fabs %3
      break %5
    } else {
      yield %3
    }
    %6: f32 = fneg %4
    continue %6
  }
  store_output 0.x, %2
})") == R"(fragment {
  %0: bool = const true
  %1: f32 = load_input 7.x
  %2: f32 = fabs %1
  store_output 0.x, %2
}
)");
}

TEST_CASE("simplify_if moves the other arm after an arm that leaves") {
    CHECK(after(simplify_if, R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  loop () {
    if %1 {
      break
    } else {
      store_output 0.x, %0
      continue
    }
    store_output 0.y, %0
    continue
  }
})") == R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  loop () {
    if %1 {
      break
    }
    store_output 0.x, %0
    continue
  }
}
)");
}

TEST_CASE("if_conversion generates selects, and discards of arms that discard") {
    CHECK(after(convert, R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  %2: bool = fge %0, %0
  %3: f32 = if %1 {
    %4: f32 = fneg %0
    %5: f32 = if %2 {
      yield %4
    } else {
      yield %0
    }
    yield %5
  } else {
    discard %2
    yield %0
  }
  store_output 0.x, %3
})") == R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  %2: bool = fge %0, %0
  %3: f32 = fneg %0
  %4: f32 = select %2, %3, %0
  %5: bool = inot %1
  %6: bool = iand %5, %2
  discard %6
  %7: f32 = select %1, %4, %0
  store_output 0.x, %7
}
)");
}

TEST_CASE("if_conversion keeps to its limit, and textures and derivatives where they are") {
    constexpr std::string_view text = R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  %2: f32 = if %1 {
    %3: f32 = fddx %0
    yield %3
  } else {
    yield %0
  }
  %4: f32 = if %1 {
    %5: f32 = fneg %0
    %6: f32 = fmul %5, %0
    yield %6
  } else {
    yield %0
  }
  store_output 0.x, %2
  store_output 0.y, %4
}
)";
    unchanged([](Shader& s) { return if_conversion(s, {.max_instructions = 1}); }, text);
    const auto s = shader_of(text);
    CHECK(if_conversion(*s, {.max_instructions = 2}));
    CHECK(print(*s).find("fddx %0\n    yield") != std::string::npos);
}

TEST_CASE("loop_unroll copies the body, and the pipeline cleans up") {
    constexpr std::string_view text = R"(vertex {
  %0: f32 = load_input 0.x
  %1: i32 = const 0
  %2: i32 = const 1
  %3: i32 = const 3
  %4: f32 = loop (%5: i32 = %1, %6: f32 = %0) {
    %7: bool = ilt %5, %3
    if %7 {
    } else {
      break %6
    }
    %8: f32 = fmul %6, %0
    %9: i32 = iadd %5, %2
    continue %9, %8
  }
  store_output 0.x, %4
})";
    const auto s = shader_of(text);
    optimize(*s);
    CHECK(print(*s) == R"(vertex {
  %0: f32 = load_input 0.x
  %1: f32 = fmul %0, %0
  %2: f32 = fmul %1, %0
  %3: f32 = fmul %2, %0
  store_output 0.x, %3
}
)");
    unchanged([](Shader& x) { return loop_unroll(x, {.max_trips = 2}); }, print(*shader_of(text)));
}

TEST_CASE("loop_unroll keeps other breaks") {
    const auto s = shader_of(R"(vertex {
  %0: f32 = load_input 0.x
  %1: i32 = const 0
  %2: i32 = const 1
  %3: i32 = const 2
  %4: i32 = loop (%5: i32 = %1) {
    %6: bool = ige %5, %3
    if %6 {
      break %5
    }
    %7: f32 = i2f %5
    %8: bool = flt %0, %7
    if %8 {
      break %3
    }
    %9: i32 = iadd %5, %2
    continue %9
  }
  %10: f32 = i2f %4
  store_output 0.x, %10
})");
    const TestEnv before = execute(*s);
    PipelineOptions o;
    optimize(*s, o);
    CHECK(same_outputs(before, execute(*s)));
    CHECK(print(*s).find("continue") == std::string::npos);
}

TEST_CASE("loop_unroll unrolls arrays' loops, so that the arrays become values") {
    const auto s = shader_of(R"(vertex {
  var v0 "weights" f32[4] local
  %0: f32 = load_input 0.x
  %1: i32 = const 0
  %2: i32 = const 1
  %3: i32 = const 4
  loop (%4: i32 = %1) {
    %5: bool = ige %4, %3
    if %5 {
      break
    }
    %6: f32 = i2f %4
    store_var v0[0 + %4], %6
    %7: i32 = iadd %4, %2
    continue %7
  }
  %8: f32 = load_var v0[3]
  %9: f32 = fmul %8, %0
  store_output 0.x, %9
})");
    optimize(*s);
    CHECK(print(*s) == R"(vertex {
  %0: f32 = const 3.0
  %1: f32 = load_input 0.x
  %2: f32 = fmul %0, %1
  store_output 0.x, %2
}
)");
}

TEST_CASE("endless loops neither hang the passes nor grow the code") {
    const auto s = shader_of(R"(fragment {
  %0: i32 = const 0
  %1: i32 = const 1
  %2: f32 = load_input 7.x
  loop (%3: i32 = %0) {
    %4: bool = ilt %3, %0
    if %4 {
      break
    }
    store_output 0.x, %2
    %5: i32 = iadd %3, %1
    continue %5
  }
})");
    optimize(*s);
    CHECK(validate(*s) == "");
    CHECK(print(*s).find("loop") != std::string::npos);
}

TEST_CASE("loop_unroll: the sum of all copies is limited") {
    const auto loops_left = [](unsigned loops, unsigned max_total) {
        std::string text = "vertex {\n  %0: i32 = const 0\n  %1: i32 = const 1\n  %2: i32 = const 4\n";
        unsigned id = 3;
        for (unsigned n = 0; n < loops; n++, id += 3) {
            const std::string a = "%" + std::to_string(id), b = "%" + std::to_string(id + 1),
                              c = "%" + std::to_string(id + 2);
            text += "  loop (" + a + ": i32 = %0) {\n    " + b + ": bool = ige " + a + ", %2\n    if " + b +
                    " {\n      break\n    }\n    store_output 0.x, " + a + "\n    " + c + ": i32 = iadd " +
                    a + ", %1\n    continue " + c + "\n  }\n";
        }
        const auto s = shader_of(text + "}\n");
        LoopUnrollOptions options;
        options.max_total = max_total;
        (void)loop_unroll(*s, options);
        CHECK(validate(*s) == "");
        clean_up(*s);  // the unrolled loop has one iteration: no loop is left
        const std::string after = print(*s);
        unsigned left = 0;
        for (size_t at = after.find("loop ("); at != after.npos; at = after.find("loop (", at + 1))
            left++;
        return left;
    };
    CHECK(loops_left(10, 65536) == 0);
    // A loop has six instructions and four iterations.
    CHECK(loops_left(10, 24 * 3) == 7);
    CHECK(loops_left(10, 0) == 10);
    CHECK(loops_left(5000, LoopUnrollOptions().max_total) == 5000 - 65536 / 24);
}
