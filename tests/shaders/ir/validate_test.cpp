// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/validate.h"

#include "shaders/ir/builder.h"
#include "tests/shaders/ir/test_env.h"

using namespace terrazzo::ir;

namespace {

std::string rule(std::string_view body, Phase phase = Phase::Any, std::string_view stage = "fragment") {
    const std::string text = std::string(stage) + " {\n" + std::string(body) + "\n}\n";
    ParseResult r = parse(text);
    REQUIRE_MESSAGE(r.shader, r.error);
    return validate(*r.shader, phase);
}

constexpr std::string_view kValues =
    "%0: f32 = const 1.0\n%1: i32 = const 2\n%2: bool = const true\n%3: f16 = const 1.0\n%4: i64 = const "
    "1\n%5: i16 = const 1\n";
std::string with_values(std::string_view body, Phase phase = Phase::Any) {
    return rule(std::string(kValues) + std::string(body), phase);
}

}  // namespace

TEST_CASE("valid code is valid") {
    CHECK(with_values("%6: f32 = fadd %0, %0") == "");
    CHECK(with_values("%6: f16 = fldexp %3, %1") == "");
    CHECK(with_values("%6: i64 = ishl %4, %1\n%7: i16 = ubfe %5, %1, %1\n%8: i64 = bfi %4, %4, %1, %1") ==
          "");
    CHECK(with_values("%6: f32 = if %2 {\n yield %0\n} else {\n yield %0\n}") == "");
    CHECK(with_values("%6: f32 = loop (%7: i32 = %1) {\n break %0\n}") == "");
    CHECK(with_values("loop () {\n if %2 {\n break\n } else {\n continue\n }\n break\n}") == "");
    CHECK(with_values("%6: i32 = bitcast %0\n%7: f16 = bitcast %5\n%8: i16 = f2i %0") == "");
}

TEST_CASE("the message names the rule and the instruction") {
    CHECK(with_values("%6: f32 = fadd %0, %3") ==
          "operands and result have one float type: %6: f32 = fadd %0, %3");
    CHECK(with_values("%6: f32 = fadd %0") == "wrong number of operands: %6: f32 = fadd %0");
}

TEST_CASE("types follow signatures") {
    CHECK(with_values("%6: f32 = iadd %1, %1").starts_with("operands and result have one integer type"));
    CHECK(with_values("%6: bool = iadd %2, %2").starts_with("operands and result have one integer type"));
    CHECK(with_values("%6: bool = iand %2, %2") == "");
    CHECK(with_values("%6: f32 = iand %0, %0")
              .starts_with("operands and result have one integer or bool type"));
    CHECK(with_values("%6: f32 = select %1, %0, %0").starts_with("select takes a bool"));
    CHECK(with_values("%6: i32 = flt %0, %0").starts_with("compares two floats"));
    CHECK(with_values("%6: bool = ilt %0, %0").starts_with("compares two integers"));
    CHECK(with_values("%6: i16 = ishl %5, %5")
              .starts_with("operands and result have one integer type (counts"));
    CHECK(with_values("%6: f32 = fldexp %0, %0").starts_with("operands are a float"));
    CHECK(with_values("%6: i16 = bitcast %0").starts_with("bitcast does not convert f32 to i16"));
    CHECK(with_values("%6: f32 = b2f %1").starts_with("b2f does not convert i32 to f32"));
    CHECK(with_values("%6: f32 = pack_half2 %0, %0").starts_with("pack_half2 does not convert f32 to f32"));
    CHECK(with_values("%6: f32, %7: f32 = fneg %0").starts_with("an ALU operation has one result"));
    CHECK(with_values("fneg %0").starts_with("an ALU operation has one result"));
}

TEST_CASE("values are visible in their region and in nested ones") {
    CHECK(with_values("if %2 {\n %6: f32 = fneg %0\n}\n%7: f32 = fneg %6")
              .find("is not defined before its use") != std::string::npos);
    CHECK(with_values("loop (%6: f32 = %0) {\n break\n}\n%7: f32 = fneg %6")
              .find("is not defined before its use") != std::string::npos);
    // The parser reads in order, so that a use before the definition must be built by hand.
    Shader s(Stage::Vertex);
    Builder b(s);
    Value* c = b.f32(1);
    Value* n = b.fneg(c);
    b.set_before(c->def);
    Value* early = b.fneg(n);
    (void)early;
    CHECK(validate(s).find("operand 0 is not defined before its use") != std::string::npos);
}

TEST_CASE("regions and terminators") {
    CHECK(with_values("break").starts_with("break and continue stand in a loop"));
    CHECK(with_values("yield").starts_with("yield ends an arm of an if"));
    CHECK(with_values("loop () {\n}").starts_with("a loop's region ends in break or continue"));
    CHECK(with_values("if %2 {\n yield\n %6: f32 = fneg %0\n}").starts_with("a terminator is the last"));
    CHECK(with_values("%6: f32 = if %2 {\n yield %0\n}").starts_with("each arm of an if with results"));
    CHECK(with_values("%6: f32 = if %2 {\n yield %1\n} else {\n yield %0\n}")
              .starts_with("value 0 has another type than that of the if's results"));
    CHECK(with_values("%6: f32 = if %2 {\n yield\n} else {\n yield %0\n}")
              .starts_with("gives as many values as the if's results"));
    CHECK(with_values("if %1 {\n}").starts_with("an if's condition is a bool"));
    CHECK(with_values("%6: f32 = loop () {\n break %1\n}")
              .starts_with("value 0 has another type than that of the loop's results"));
    CHECK(with_values("loop (%6: f32 = %1) {\n break\n}")
              .starts_with("value 0 has another type than that of the loop's arguments"));
    CHECK(with_values("loop (%6: f32 = %0) {\n continue %1\n}").starts_with("value 0 has another type"));
}

TEST_CASE("payloads") {
    const std::string var =
        "var v0 \"x\" f32[4] local\nvar v1 \"u\" f32[4] uniform\nvar v2 \"s\" f32[1] sampler 2d\n%0: f32 = "
        "const 1.0\n%1: i32 = const 2\n";
    CHECK(rule(var + "%2: f32 = load_var v0[4]").starts_with("the constant part of an index is within"));
    CHECK(rule(var + "%2: i32 = load_var v0[0]").starts_with("the value has the variable's type"));
    CHECK(rule(var + "%2: f32 = load_var v0[0 + %0]").starts_with("an index is an i32"));
    CHECK(rule(var + "store_var v1[0], %0").starts_with("inputs and uniforms are not written"));
    CHECK(rule(var + "%2: f32 = load_var v2[0]").starts_with("opaque variables"));
    CHECK(rule(var + "%2: f32 = load_var v1[0]", Phase::BeforeLink) == "");
    CHECK(rule(var + "%2: f32 = load_var v1[0]", Phase::AfterLink)
              .starts_with("after linking inputs and uniforms"));
    CHECK(rule(var + "store_output 0.x, %0", Phase::BeforeLink)
              .starts_with("before linking the interface is variables"));
    CHECK(rule(var + "store_output 40.x, %0").starts_with("the slot exists"));
    CHECK(rule(var + "store_output 0.5, %0").starts_with("a component is 0 to 3"));
    CHECK(rule("var v0 \"x\" f32[0] local\n").starts_with("a variable has 1 to"));
    const std::string s4 = "%2: f32, %3: f32, %4: f32, %5: f32 = ";
    CHECK(rule(var + s4 + "tex sample 2d coords=2 var=v2 (%0, %0)", Phase::BeforeLink) == "");
    CHECK(rule(var + s4 + "tex sample 2d coords=2 var=v2 (%0, %0)", Phase::AfterLink)
              .starts_with("after linking tex has a binding"));
    CHECK(rule(var + s4 + "tex sample 2d coords=2 binding=0 (%0, %0)", Phase::BeforeLink)
              .starts_with("before linking tex names"));
    CHECK(rule(var + s4 + "tex sample 2d coords=3 binding=0 (%0, %0, %0)")
              .starts_with("coords is what the dimension"));
    CHECK(rule(var + s4 + "tex sample 2d coords=2 binding=0 (%0)").starts_with("tex has the operands"));
    CHECK(
        rule(var + "%2: f32 = tex sample 2d coords=2 binding=0 (%0, %0)").starts_with("tex has the results"));
    CHECK(rule(var + s4 + "tex sample 2d coords=2 binding=0 (%1, %1)")
              .starts_with("texture coordinates are floats"));
    CHECK(rule(var + s4 + "tex sample 2d coords=2 binding=0 (%0, %0)", Phase::Any, "vertex")
              .starts_with("implicit lods"));
    CHECK(rule("%0: f32 = const 1.0\n%1: f32 = fddx %0", Phase::Any, "vertex")
              .starts_with("derivatives exist in the fragment"));
    CHECK(rule("%0: bool = const true\ndiscard %0", Phase::Any, "vertex")
              .starts_with("discard is of the fragment"));
}

TEST_CASE("broken links are found") {
    Shader s(Stage::Vertex);
    Builder b(s);
    Value* c = b.f32(1);
    Value* n = b.fneg(c);
    CHECK(validate(s) == "");
    n->def->operands[0].user = c->def;
    CHECK(validate(s).starts_with("an operand is not linked"));
    n->def->operands[0].user = n->def;
    c->id = 77;
    CHECK(validate(s).starts_with("a value's id lies beyond"));
    c->id = n->id;
    CHECK(validate(s).starts_with("two visible values share an id"));
}
