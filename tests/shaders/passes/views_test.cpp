// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/passes/views.h"

#include "tests/shaders/passes/check_pass.h"

using namespace terrazzo::ir;
using namespace terrazzo::ir::test;

namespace {

template <uint32_t kViews>
bool pass(Shader& s) {
    const std::string before = print(s);
    (void)lower_views(s, kViews);
    return print(s) != before;
}

}  // namespace

TEST_CASE("views: a shader of one view that does not read the view stays unchanged") {
    const char* const text = R"(vertex {
  %0: i32 = load_sysval instance_id.x
  %1: f32 = bitcast %0
  store_output 0.x, %1
}
)";
    unchanged(pass<1>, text);
    // A fragment shader does not choose layers.
    unchanged(pass<2>, R"(fragment {
  %0: f32 = load_sysval frag_coord.x
  store_output 0.x, %0
}
)");
    const auto s = shader_of(text);
    const ViewUses uses = lower_views(*s, 1);
    CHECK(uses.instance);
    CHECK(!uses.view);
}

TEST_CASE("views: the only view is 0") {
    const std::string text = after(pass<1>, R"(fragment {
  var v0 "gl_ViewID_OVR" i32[1] input flat
  %0: i32 = load_var v0[0]
  %1: f32 = u2f %0
  store_output 0.x, %1
}
)");
    CHECK(text == R"(fragment {
  var v0 "gl_ViewID_OVR" i32[1] input flat
  %0: i32 = const 0
  %1: f32 = u2f %0
  store_output 0.x, %1
}
)");
}

TEST_CASE("views: instances of all views alternate, and choose the layer") {
    const std::string text = after(pass<3>, R"(vertex {
  var v0 "gl_ViewID_OVR" i32[1] input flat
  %0: i32 = load_var v0[0]
  %1: i32 = load_sysval instance_id.x
  %2: i32 = load_sysval vertex_id.x
  %3: i32 = iadd %0, %1
  %4: i32 = iadd %3, %2
  %5: f32 = u2f %4
  store_output 0.x, %5
}
)");
    CHECK(text == R"(vertex {
  var v0 "gl_ViewID_OVR" i32[1] input flat
  %0: i32 = const 3
  %1: i32 = load_sysval instance_id.x
  %2: i32 = umod %1, %0
  %3: i32 = udiv %1, %0
  store_output 4.x, %2
  %4: i32 = load_sysval vertex_id.x
  %5: i32 = iadd %2, %3
  %6: i32 = iadd %5, %4
  %7: f32 = u2f %6
  store_output 0.x, %7
}
)");
    // Also in a shader that does not read the view.
    CHECK(after(pass<2>, R"(vertex {
  %0: f32 = const 1.0
  store_output 0.x, %0
}
)") == R"(vertex {
  %0: i32 = const 2
  %1: i32 = load_sysval instance_id.x
  %2: i32 = umod %1, %0
  %3: i32 = udiv %1, %0
  store_output 4.x, %2
  %4: f32 = const 1.0
  store_output 0.x, %4
}
)");
}

TEST_CASE("views: fragments read the layer's number") {
    const std::string text = after(pass<2>, R"(fragment {
  var v0 "gl_ViewID_OVR" i32[1] input flat
  %0: i32 = load_var v0[0]
  %1: f32 = u2f %0
  store_output 0.x, %1
}
)");
    CHECK(text == R"(fragment {
  var v0 "gl_ViewID_OVR" i32[1] input flat
  %0: i32 = load_input 4.x flat
  %1: f32 = u2f %0
  store_output 0.x, %1
}
)");
}
