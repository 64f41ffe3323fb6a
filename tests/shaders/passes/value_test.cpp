// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// copy_propagation, constant_folding, cse, dce and gather_info, compared with literals; no-change cases
// first.
#include "shaders/passes/algebraic.h"
#include "shaders/passes/constant_folding.h"
#include "shaders/passes/copy_propagation.h"
#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "shaders/passes/gather_info.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {
constexpr std::string_view kNothingToDo = R"(fragment {
  %0: f32 = const 2.0
  %1: f32 = load_input 7.x
  %2: f32 = fmul %1, %0
  %3: bool = flt %2, %0
  %4: f32 = if %3 {
    %5: f32 = fadd %2, %1
    yield %5
  } else {
    yield %1
  }
  %6: f32 = loop (%7: f32 = %4) {
    %8: f32 = fadd %7, %0
    %9: bool = flt %8, %1
    if %9 {
      continue %8
    }
    break %8
  }
  store_output 0.x, %6
}
)";
}  // namespace

TEST_CASE("nothing to do, nothing done") {
    unchanged(copy_propagation, kNothingToDo);
    unchanged(constant_folding, kNothingToDo);
    unchanged(cse, kNothingToDo);
    unchanged(dce, kNothingToDo);
    unchanged([](Shader& s) { return algebraic(s); }, kNothingToDo);
}

TEST_CASE("copy_propagation looks through moves, ifs and loops") {
    CHECK(after(copy_propagation, R"(vertex {
  %0: f32 = const 1.0
  %1: bool = load_sysval front_facing.x
  %2: f32 = mov %0
  %3: f32 = if %1 {
    yield %2
  } else {
    yield %0
  }
  %4: f32 = loop (%5: f32 = %3, %6: f32 = %0) {
    if %1 {
      break %6
    }
    %7: f32 = fadd %5, %6
    continue %7, %6
  }
  store_output 0.x, %4
  store_output 0.y, %3
})",
                false) == R"(vertex {
  %0: f32 = const 1.0
  %1: bool = load_sysval front_facing.x
  %2: f32 = mov %0
  %3: f32 = if %1 {
    yield %0
  } else {
    yield %0
  }
  %4: f32 = loop (%5: f32 = %0, %6: f32 = %0) {
    if %1 {
      break %0
    }
    %7: f32 = fadd %5, %0
    continue %7, %0
  }
  store_output 0.x, %0
  store_output 0.y, %0
}
)");
}

TEST_CASE("constant_folding uses the evaluator; undef is 0") {
    CHECK(after(constant_folding, R"(vertex {
  %0: f32 = const 1.5
  %1: f32 = undef
  %2: f32 = fadd %0, %1
  %3: i32 = f2i %2
  %4: bool = feq %2, %0
  %5: f32 = select %4, %2, %1
  %6: f32 = load_input 0.x
  %7: f32 = fadd %6, %5
  store_output 0.x, %7
  store_output 0.y, %3
})") == R"(vertex {
  %0: f32 = const 1.5
  %1: f32 = const 0.0
  %2: f32 = const 1.5
  %3: i32 = const 1
  %4: bool = const true
  %5: f32 = const 1.5
  %6: f32 = load_input 0.x
  %7: f32 = fadd %6, %5
  store_output 0.x, %7
  store_output 0.y, %3
}
)");
}

TEST_CASE("cse merges dominating expressions, across regions, and sorts commutative operands") {
    CHECK(after(cse, R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = fadd %0, %1
  %3: bool = flt %0, %1
  if %3 {
    %4: f32 = fadd %1, %0
    %5: f32 = const 1.0
    %6: f32 = fmul %4, %5
    store_output 0.x, %6
  } else {
    %7: f32 = const 1.0
    %8: f32 = fmul %2, %7
    store_output 0.x, %8
  }
  %9: f32 = fmin %0, %1
  %10: f32 = fmin %1, %0
  %11: f32 = fadd.exact %0, %1
  %12: f32 = load_input 7.x flat
  store_output 0.y, %9
  store_output 0.z, %10
  store_output 0.w, %11
  store_output 1.x, %12
})") == R"(fragment {
  %0: f32 = const 1.0
  %1: f32 = load_input 7.x
  %2: f32 = load_input 7.y
  %3: f32 = fadd %1, %2
  %4: bool = flt %1, %2
  if %4 {
    %5: f32 = fmul %3, %0
    store_output 0.x, %5
  } else {
    %6: f32 = fmul %3, %0
    store_output 0.x, %6
  }
  %7: f32 = fmin %1, %2
  %8: f32 = fmin %2, %1
  %9: f32 = fadd.exact %1, %2
  %10: f32 = load_input 7.x flat
  store_output 0.y, %7
  store_output 0.z, %8
  store_output 0.w, %9
  store_output 1.x, %10
}
)");
}

TEST_CASE("cse: of equal operations, the one with more precision stays") {
    CHECK(after(cse, R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = fmul.mediump %0, %0
  %2: f32 = fmul %0, %0
  %3: f32 = fadd.mediump %0, %1
  %4: f32 = fadd.mediump %2, %0
  store_output 0.x, %3
  store_output 0.y, %4
}
)") == R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = fmul %0, %0
  %2: f32 = fadd.mediump %0, %1
  store_output 0.x, %2
  store_output 0.y, %2
}
)");
}

TEST_CASE("cse distinguishes textures by payload, and does not merge variables") {
    unchanged(cse, R"(fragment {
  var v0 "a" f32[4] local
  %0: f32 = load_input 7.x
  %1: i32 = load_input 8.x flat
  %2: f32, %3: f32, %4: f32, %5: f32 = tex sample 2d coords=2 binding=0 (%0, %0)
  %6: f32, %7: f32, %8: f32, %9: f32 = tex sample 2d coords=2 binding=1 (%0, %0)
  %10: f32, %11: f32, %12: f32, %13: f32 = tex sample 2d coords=2 offset=1,0,0 binding=0 (%0, %0)
  %14: f32 = load_var v0[0 + %1]
  store_var v0[0 + %1], %2
  %15: f32 = load_var v0[0 + %1]
  store_output 0.x, %6
  store_output 0.y, %10
  store_output 0.z, %14
  store_output 0.w, %15
}
)");
}

TEST_CASE("dce removes unused results, arguments, stores and control flow") {
    CHECK(after(dce, R"(fragment {
  var v0 "unread" f32[2] local
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  store_var v0[0], %0
  %2: f32, %3: f32 = if %1 {
    %4: f32 = fneg %0
    %5: f32 = fabs %0
    yield %4, %5
  } else {
    yield %0, %0
  }
  %6: f32, %7: f32 = loop (%8: f32 = %3, %9: f32 = %0) {
    %10: f32 = fadd %8, %9
    %11: f32 = fmul %9, %9
    if %1 {
      break %10, %11
    }
    continue %10, %9
  }
  loop () {
    continue
  }
  if %1 {
    %12: f32 = fneg %0
  }
  store_output 0.x, %7
})") == R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  %2: f32 = loop (%3: f32 = %0) {
    %4: f32 = fmul %3, %3
    if %1 {
      break %4
    }
    continue %3
  }
  store_output 0.x, %2
}
)");
}

TEST_CASE("dce keeps discards, and loops around visible effects") {
    unchanged(dce, R"(fragment {
  %0: f32 = load_input 7.x
  %1: bool = flt %0, %0
  loop () {
    if %1 {
      discard %1
      break
    }
    continue
  }
}
)");
}

TEST_CASE("gather_info describes the code") {
    const auto s = shader_of(R"(fragment {
  info sampler_count=5 uses_point_coord workgroup_size=2,2,2
  %0: f32 = load_input 8.x
  %1: i32 = load_input 9.x flat
  %2: f32 = load_uniform 4 + %1 of 8
  %3: f32 = load_sysval frag_coord.x
  %4: f32, %5: f32, %6: f32, %7: f32 = tex sample 2d coords=2 binding=2 (%0, %2)
  store_output 0.x, %4
  store_output 8.x, %3
})");
    gather_info(*s);
    CHECK(print(*s).find("  info inputs_read=0x300 outputs_written=0x101 sampler_count=5 uniform_dw=12 "
                         "uses_derivatives uses_frag_coord writes_depth workgroup_size=2,2,2\n") !=
          std::string::npos);
}
