// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// mediump_to_16, compared with literals; no-change cases first.
#include "shaders/passes/mediump_to_16.h"

#include "shaders/passes/algebraic.h"
#include "shaders/passes/cse.h"
#include "shaders/passes/dce.h"
#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

/// The code after the clean-up passes.
std::string narrowed(std::string_view text) {
    const auto s = shader_of(text);
    CHECK(mediump_to_16(*s));
    while (int(algebraic(*s)) + int(cse(*s)) + int(dce(*s))) {
    }
    CHECK(validate(*s) == "");
    s->renumber();
    return print(*s);
}

}  // namespace

TEST_CASE("mediump_to_16 changes nothing that is not mediump") {
    unchanged(mediump_to_16, R"(fragment {
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
  store_output 0.x, %4
}
)");
}

TEST_CASE("mediump_to_16 keeps values wide if small errors become large") {
    // A texture coordinate and its operands; a power; a highp value; a value beyond the range of 16 bits.
    unchanged(mediump_to_16, R"(fragment {
  %0: f32 = const 0.5
  %1: f32 = const 1e+05
  %2: f32 = load_input 7.x
  %3: f32 = fmul.mediump %2, %0
  %4: f32 = fadd.mediump %3, %2
  %5: f32, %6: f32, %7: f32, %8: f32 = tex sample 2d coords=2 binding=0 (%4, %2)
  %9: f32 = fadd.mediump %5, %6
  %10: f32 = fpow.mediump %9, %2
  store_output 0.x, %10
  %11: f32 = fmul %7, %8
  store_output 0.y, %11
  %12: f32 = fmul.mediump %8, %1
  store_output 0.z, %12
}
)");
}

TEST_CASE("mediump_to_16 keeps wide: results of floor and fract, of loop iterations, and of large factors") {
    // A fractional part, and a comparison with it.
    unchanged(mediump_to_16, R"(fragment {
  %0: f32 = const 0.5
  %1: f32 = load_input 7.x
  %2: f32 = fmul.mediump %1, %1
  %3: f32 = ffloor.mediump %2
  %4: f32 = fsub.mediump %2, %3
  %5: f32 = fmul.mediump %4, %1
  %6: bool = flt.mediump %5, %0
  %7: f32 = select %6, %5, %0
  store_output 0.x, %7
}
)");
    // A square of the previous iteration's value.
    unchanged(mediump_to_16, R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = loop (%2: f32 = %0) {
    %3: f32 = fmul.mediump %2, %2
    %4: bool = flt %3, %0
    if %4 {
      continue %3
    }
    break %3
  }
  store_output 0.x, %1
}
)");
    // A small difference of a large term.
    unchanged(mediump_to_16, R"(fragment {
  %0: f32 = const 20.0
  %1: f32 = load_input 7.x
  %2: f32 = fsub.mediump %1, %0
  store_output 0.x, %2
}
)");
}

TEST_CASE(
    "mediump_to_16 keeps mediump inputs wide that are coordinates, arguments of roots, or in sums of 32 "
    "bits") {
    unchanged(mediump_to_16, R"(fragment {
  %0: f32 = load_input.mediump 7.x
  %1: f32 = load_input.mediump 7.y
  %2: f32 = load_input.mediump 7.z
  %3: f32, %4: f32, %5: f32, %6: f32 = tex.mediump sample 2d coords=2 binding=0 (%0, %1)
  %7: f32 = fsqrt.mediump %2
  store_output 0.x, %7
  store_output 0.y, %0
  %8: f32 = fadd %3, %4
  store_output 0.z, %8
}
)");
    // Depth and highp colours have 32 bits.
    unchanged(mediump_to_16, R"(fragment {
  %0: f32 = load_input.mediump 7.x
  store_output.mediump 8.x, %0
  store_output 0.x, %0
}
)");
}

TEST_CASE("mediump_to_16: mediump inputs and textures that become colours unchanged") {
    CHECK(narrowed(R"(fragment {
  %0: f32 = load_input.mediump 7.x
  %1: f32 = load_input 7.y
  %2: f32, %3: f32, %4: f32, %5: f32 = tex.mediump sample 2d coords=2 binding=0 (%1, %1)
  %6: bool = flt %1, %5
  %7: f32 = select %6, %0, %3
  store_output.mediump 0.x, %0
  store_output.mediump 0.y, %2
  store_output.mediump 0.z, %7
})") == R"(fragment {
  %0: f32 = load_input.mediump 7.x
  %1: f16 = f2f %0
  %2: f32 = f2f %1
  %3: f32 = load_input 7.y
  %4: f32, %5: f32, %6: f32, %7: f32 = tex.mediump sample 2d coords=2 binding=0 (%3, %3)
  %8: f16 = f2f %5
  %9: f16 = f2f %4
  %10: f32 = f2f %9
  %11: bool = flt %3, %7
  %12: f16 = select %11, %1, %8
  %13: f32 = f2f %12
  store_output.mediump 0.x, %2
  store_output.mediump 0.y, %10
  store_output.mediump 0.z, %13
}
)");
}

TEST_CASE("mediump_to_16: errors after a factor of more than 8") {
    CHECK(narrowed(R"(fragment {
  %0: f32 = const 40.0
  %1: f32 = const 8.0
  %2: f32 = load_input 7.x
  %3: f32 = load_input 8.x
  %4: f32 = fadd.mediump %2, %2
  %5: f32 = fmul.mediump %4, %0
  store_output 0.x, %5
  %6: f32 = fadd.mediump %3, %3
  %7: f32 = fmul.mediump %6, %1
  store_output 0.y, %7
})") == R"(fragment {
  %0: f32 = const 40.0
  %1: f32 = const 8.0
  %2: f32 = load_input 7.x
  %3: f32 = load_input 8.x
  %4: f32 = fadd.mediump %2, %2
  %5: f16 = f2f %4
  %6: f16 = f2f %0
  %7: f16 = fmul.mediump %5, %6
  %8: f32 = f2f %7
  store_output 0.x, %8
  %9: f16 = f2f %3
  %10: f16 = fadd.mediump %9, %9
  %11: f16 = f2f %1
  %12: f16 = fmul.mediump %10, %11
  %13: f32 = f2f %12
  store_output 0.y, %13
}
)");
}

TEST_CASE("mediump_to_16 narrows values next to floor and fract, and sums over iterations") {
    CHECK(narrowed(R"(fragment {
  %0: f32 = const 0.5
  %1: f32 = load_input 7.x
  %2: f32 = load_input 8.x
  %3: f32 = fmul.mediump %1, %1
  %4: f32 = ffract.mediump %3
  %5: bool = flt.mediump %4, %0
  %6: f32 = fmul.mediump %2, %2
  %7: f32 = fadd.mediump %6, %2
  %8: f32 = select %5, %6, %7
  %9: f32 = loop (%10: f32 = %8) {
    %11: f32 = fmul.mediump %2, %6
    %12: f32 = fadd.mediump %11, %10
    %13: bool = flt %3, %0
    if %13 {
      continue %12
    }
    break %12
  }
  store_output 0.x, %9
})") == R"(fragment {
  %0: f32 = const 0.5
  %1: f32 = load_input 7.x
  %2: f32 = load_input 8.x
  %3: f32 = fmul.mediump %1, %1
  %4: f32 = ffract.mediump %3
  %5: bool = flt.mediump %4, %0
  %6: f16 = f2f %2
  %7: f16 = fmul.mediump %6, %6
  %8: f16 = fadd.mediump %7, %6
  %9: f16 = select %5, %7, %8
  %10: f16 = loop (%11: f16 = %9) {
    %12: f16 = fmul.mediump %6, %7
    %13: f16 = fadd.mediump %12, %11
    %14: bool = flt %3, %0
    if %14 {
      continue %13
    }
    break %13
  }
  %15: f32 = f2f %10
  store_output 0.x, %15
}
)");
}

TEST_CASE("mediump_to_16 converts, and algebraic combines adjacent conversions") {
    CHECK(narrowed(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = fmul.mediump %0, %0
  %2: f32 = fadd.mediump %1, %0
  %3: bool = flt.mediump %2, %0
  %4: f32 = fadd.exact.mediump %2, %0
  %5: f32 = select %3, %4, %2
  store_output 0.x, %5
})") == R"(fragment {
  %0: f32 = load_input 7.x
  %1: f16 = f2f %0
  %2: f32 = f2f %1
  %3: f16 = fmul.mediump %1, %1
  %4: f16 = fadd.mediump %3, %1
  %5: f32 = f2f %4
  %6: bool = flt.mediump %4, %1
  %7: f32 = fadd.exact.mediump %5, %2
  %8: f32 = select %6, %7, %5
  store_output 0.x, %8
}
)");
}

TEST_CASE("mediump_to_16 sums squares in 32 bits, of values that may be loaded in 16; selects among halves") {
    CHECK(narrowed(R"(fragment {
  %0: f32 = load_input 7.x
  %1: f32 = load_input 7.y
  %2: f32 = fmul.mediump %0, %0
  %3: f32 = frsq.mediump %2
  %4: f32 = fmul.mediump %0, %3
  %5: f32 = fadd.mediump %1, %4
  %6: bool = flt.mediump %1, %3
  %7: f32 = select %6, %4, %5
  store_output 0.x, %7
})") == R"(fragment {
  %0: f32 = load_input 7.x
  %1: f16 = f2f %0
  %2: f32 = f2f %1
  %3: f32 = load_input 7.y
  %4: f16 = f2f %3
  %5: f32 = f2f %4
  %6: f32 = fmul.mediump %2, %2
  %7: f32 = frsq.mediump %6
  %8: f16 = f2f %7
  %9: f16 = fmul.mediump %1, %8
  %10: f16 = fadd.mediump %4, %9
  %11: bool = flt.mediump %5, %7
  %12: f16 = select %11, %9, %10
  %13: f32 = f2f %12
  store_output 0.x, %13
}
)");
}
