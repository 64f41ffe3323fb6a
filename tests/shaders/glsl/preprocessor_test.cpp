// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text after macros and conditions were processed.
#include "shaders/glsl/preprocessor.h"

#include <doctest/doctest.h>

#include <string>

#include "shaders/glsl/text_lexer.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using shaders::glsl::preprocess;

namespace {

constexpr std::string_view kExtensions[] = {"GL_OES_one"};

/// The text's words, or the error.
std::string after(const std::string& source, int version = 300) {
    const auto p = preprocess(source, version, kExtensions);
    if (!p.error.empty()) return p.error.substr(0, p.error.size() - 1);
    shaders::glsl::Lexer lexer(p.text);
    shaders::glsl::Token t;
    std::string words;
    while (lexer.next(t))
        words += (words.empty() ? "" : " ") + std::string(t.text);
    return words;
}
/// The value of the condition: "1", "0", or the error.
std::string holds(const std::string& condition, const std::string& before = "") {
    return after(before + "\n#if " + condition + "\n1\n#else\n0\n#endif\n");
}
std::string repeat(unsigned n, const std::string& s) {
    std::string r;
    while (n--)
        r += s;
    return r;
}

}  // namespace

TEST_CASE("preprocessor: a text without macros stays unchanged, and lines keep their numbers") {
    const auto text = [](const std::string& s) { return preprocess(s, 300, {}).text; };
    CHECK(text("") == "\n");
    CHECK(text("#version 300 es\n\nfloat a=b+ c;\n") == "#version 300 es\n\nfloat a=b+ c;\n");
    CHECK(text("a/* x\n y */b // c\nd") == "a\nb\nd\n");
    CHECK(text("#pragma STDGL invariant(all)\n#extension all : warn\nx") ==
          "#pragma STDGL invariant(all)\n#extension all : warn\nx\n");
    CHECK(text("#define F(a,b) a b\nF(1,\n2)\nx") == "\n1\n2\nx\n");
    CHECK(text("#line 10\nx\n#line 20 3\ny") == "#line 10\nx\n#line 20 3\ny\n");
    CHECK(text("1e+5 1.0f a<<=b x.y") == "1e+5 1.0f a<<=b x.y\n");
}

TEST_CASE("preprocessor: macros") {
    CHECK(after("#define A 1\nA A_ _A A") == "1 A_ _A 1");
    CHECK(after("#define A\nx A y") == "x y");
    CHECK(after("#define A B\n#define B A\nA B") == "A B");
    CHECK(after("#define A A A\nA") == "A A");
    CHECK(after("#define F(x) -x\nF(-1)") == "- - 1");
    CHECK(after("#define F(x,y) y x\nF((1,2),3) F(,) F") == "3 ( 1 , 2 ) F");
    CHECK(after("#define F() 1\nF() F( )") == "1 1");
    CHECK(after("#define F(x) [x]\nF() F(F(1)) F(F)(2)") == "[ ] [ [ 1 ] ] [ F ] ( 2 )");
    CHECK(after("#define F (x)\nF(1)") == "( x ) ( 1 )");
    CHECK(after("#define A 1\n#undef A\nA\n#undef NEVER\n") == "A");
    CHECK(after("#define F(x) x F\nF(1)(2)") == "1 F ( 2 )");
    CHECK(after("GL_ES GL_OES_one GL_OES_two __VERSION__") == "1 1 GL_OES_two 300");
    CHECK(after("#define L __LINE__\n__LINE__ L\n#line 50 7\nL __FILE__") == "2 2 # line 50 7 50 7");
    CHECK(after("#define A 1\n#define A   1\n#define F(x) x+1\n#define F(x)  x+1\nA") == "1");
    CHECK(preprocess("#define F(x) -x\nF(-1)F(a)b", 300, {}).text == "\n- -1 - a b\n");
    // C leaves this open; the result is that of most implementations.
    CHECK(after("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)") == "2 * 9 * g");
}

TEST_CASE("preprocessor: macros that leave a call open") {
    CHECK(after("#define F(x) [x]\n#define OPEN F(\nOPEN 1) OPEN 2)") == "[ 1 ] [ 2 ]");
    CHECK(after("#define F(x) [x]\n#define NAME F\nNAME(1)") == "[ 1 ]");
    CHECK(after("#define F(x,y) [x y]\n#define OPEN F(1\n#define COMMA ,\nOPEN, 2)") == "[ 1 2 ]");
    // A comma or a bracket from a macro in the arguments is not a comma or a bracket of the call.
    CHECK(after("#define F(x,y) [x y]\n#define OPEN F(1\n#define COMMA ,\nOPEN COMMA 2)") ==
          "ERROR: 0:4: 'F' : Too few args in macro: 1 for 2");
    CHECK(after("#define m(a)\n#define a m((a)\na)\nvoid main(){}") == "void main ( ) { }");
    CHECK(after("#define m(a) a\n#define a m((b)\n#define b m((a)\na)") == "( ( a )");
    CHECK(after("#define m(x, y) x\n#define a m((b)\n#define b m((a)\na,1)") ==
          "ERROR: 0:4: 'm' : Too few args in macro: 1 for 2");
    CHECK(after("#define m(x, y)\n#define a m((b)\n#define b m((a)\na,1) z") == "z");
    CHECK(after("#define m(x) x\n#define a(y) m((a)\na(1))") == "( a )");
    CHECK(holds("a) + 1", "#define m(x) x\n#define a m(m(1") ==
          "ERROR: 0:3: 'm' : the macro's call has no closing bracket");
    CHECK(holds("a)", "#define m(x) x\n#define a m((1)") == "1");
    // Each opens two calls, so that the text after them would double.
    const std::string twice = "#define F(x) x x\n#define O F(\n";
    CHECK(after(twice + repeat(20, "O ") + "z" + repeat(20, ")")) ==
          "ERROR: 0:3: 'F' : the macro's call has no closing bracket");
    const std::string calls = "#define F(x) x x\n";
    CHECK(after(calls + repeat(40, "F(") + "z" + repeat(40, ")")).find("moved") != std::string::npos);
    CHECK(after(calls + repeat(3, "F(") + "z" + repeat(3, ")")) == "z z z z z z z z");
    CHECK(after(calls + repeat(201, "F(") + repeat(201, ")")).find("arguments of macros nested") !=
          std::string::npos);
    std::string chain = "#define C0 1\n";
    for (int i = 1; i < 300; ++i)
        chain += "#define C" + std::to_string(i) + " (C" + std::to_string(i - 1) + ")\n";
    CHECK(after(chain + "C150").size() == 601);
    CHECK(after(chain + "C299") == "ERROR: 0:301: Terrazzo: macros nested more than 200 deep");
}

TEST_CASE("preprocessor: errors of macros") {
    CHECK(after("\n#define") == "ERROR: 0:2: '#define' : must be followed by macro name");
    CHECK(after("#define GL_x") ==
          "ERROR: 0:1: '#define' : names beginning with \"GL_\" can't be (un)defined: GL_x");
    CHECK(after("#define __LINE__ 3").find("predefined names") != std::string::npos);
    CHECK(after("#define defined").find("\"defined\" can't") != std::string::npos);
    CHECK(after("#define F(a,a) a").find("duplicate macro parameter") != std::string::npos);
    CHECK(after("#define F(a").find("missing parenthesis") != std::string::npos);
    CHECK(after("#define F(1) a").find("bad argument") != std::string::npos);
    CHECK(
        after("#define A 1\n#define A 2").find("0:2: '#define' : Macro redefined; different substitutions") !=
        std::string::npos);
    CHECK(after("#define A 1\n#define A(x) 1").find("function-like versus object-like") != std::string::npos);
    CHECK(after("#define F(x) x\nF(1,2)") == "ERROR: 0:2: 'F' : Too many args in macro: 2 for 1");
    CHECK(after("#define F(x,y) x\nF(1)") == "ERROR: 0:2: 'F' : Too few args in macro: 1 for 2");
    CHECK(after("#define A x##y").find("token pasting") != std::string::npos);
    CHECK(after("#define H #\nH define A").find("a macro does not make a directive") != std::string::npos);
    CHECK(preprocess("#define A__B 1\n", 100, {}).warnings ==
          "WARNING: 0:1: 'A__B' : identifiers containing consecutive underscores are reserved\n");
}

TEST_CASE("preprocessor: conditions") {
    for (const char* const yes : {"1",
                                  "!0",
                                  "~0 == -1",
                                  "2 + 3 * 4 == 14",
                                  "(2 + 3) * 4 == 20",
                                  "7 / 2 == 3",
                                  "-7 % 3 == -1",
                                  "1 << 4 == 16",
                                  "-8 >> 1 == -4",
                                  "0x1F == 31",
                                  "010 == 8",
                                  "1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3",
                                  "1 != 2",
                                  "6 & 3 ^ 1 | 8",
                                  "0 || 1 && 1",
                                  "- - 1",
                                  "!!1",
                                  "defined GL_ES && defined(GL_ES)",
                                  "!defined(NONE)",
                                  "defined __LINE__",
                                  "2147483647 + 1 < 0",
                                  "0xffffffff == -1",
                                  "!defined(NONE) || NONE > 3",
                                  "__VERSION__ == 300",
                                  "5 - 3 - 2 == 0"})
        CHECK_MESSAGE(holds(yes) == "1", yes);
    for (const char* const no :
         {"0", "1 - 1", "defined NONE", "defined(NONE) && NONE > 3", "1 && 0", "2 < 1"})
        CHECK_MESSAGE(holds(no) == "0", no);
    CHECK(holds("-X == 1", "#define X -1") == "1");
    CHECK(holds("F(X)", "#define X 3\n#define F(x) (x == 3 && defined(X))") == "1");
    CHECK(holds("HAVE", "#define HAVE defined(X)\n#define X") == "1");
    CHECK(holds(repeat(10000, "!") + "1") == "1");
    CHECK(holds(repeat(200, "(") + "1" + repeat(200, ")")) == "1");
    CHECK(holds("1" + repeat(5000, " && 1")) == "1");
    const struct {
        std::string wrong, message;
    } kWrong[] = {
        {"", "bad expression"},
        {"NONE",
         "0:2: 'preprocessor evaluation' : undefined macro in expression not allowed in es profile: "
         "NONE"},
        {"1 /  0", "division by 0"},
        {"(1", "expected ')'"},
        {"1 2", "'#if' : unexpected tokens following directive"},
        {"1.0", "bad expression"},
        {"1u", "bad expression"},
        {"++1", "bad expression"},
        {"1 - --1", "bad expression"},
        {"1 ++ 1", "unexpected tokens"},
        {"defined", "expected identifier"},
        {"defined(X", "expected ')'"},
        {"4294967296", "too big"},
        {repeat(201, "(") + "1" + repeat(201, ")"), "brackets nested more than 200 deep"}};
    for (const auto& c : kWrong) {
        const std::string& wrong = c.wrong;
        CAPTURE(wrong);
        CHECK(holds(wrong).find(c.message) != std::string::npos);
    }
}

TEST_CASE("preprocessor: groups") {
    const std::string four =
        "#if A == 1\none\n#elif A == 2\ntwo\n#elif A == 3\nthree\n#else\nmore\n#endif\nend";
    CHECK(after("#define A 1\n" + four) == "one end");
    CHECK(after("#define A 2\n" + four) == "two end");
    CHECK(after("#define A 3\n" + four) == "three end");
    CHECK(after("#define A 4\n" + four) == "more end");
    CHECK(after("#ifdef GL_ES\n#ifndef GL_ES\na\n#else\nb\n#endif\n#endif") == "b");
    // In skipped groups directives, conditions and invalid tokens are ignored.
    CHECK(after("#if 0\n#error x\n#define A 1\n#version 7\n#nonsense\n#if (\n#elif 1 +\n#else z\n#endif\n$ "
                "\\ \"\n"
                "#endif\nA") == "A");
    CHECK(after("#if 1\n#elif (\n#endif\nx") == "x");
    const unsigned deep = 20'000;
    CHECK(after(repeat(deep, "#ifdef GL_ES\n") + "x\n" + repeat(deep, "#endif\n")) == "x");
    CHECK(after("#if 1\n\n#if 1\n#endif") == "ERROR: 0:1: '' : missing #endif");
    CHECK(after("#endif") == "ERROR: 0:1: '#endif' : mismatched statements");
    CHECK(after("#else") == "ERROR: 0:1: '#else' : mismatched statements");
    CHECK(after("#if 1\n#else\n#else\n#endif") == "ERROR: 0:3: '#else' : #else after #else");
    CHECK(after("#if 1\n#else\n#elif 1\n#endif") == "ERROR: 0:3: '#elif' : #elif after #else");
    CHECK(after("#if 1\n#endif x") == "ERROR: 0:2: '#endif' : unexpected tokens following directive");
}

TEST_CASE("preprocessor: other directives") {
    CHECK(after("#\n# \nx") == "x");
    CHECK(after("\n#error a \"b\" 1.0 ;") == "ERROR: 0:2: '#error' : a \"b\" 1.0 ;");
    CHECK(after("#include <x>") == "ERROR: 0:1: '#' : invalid directive: include");
    CHECK(after("#line 8 2\n#error") == "ERROR: 2:8: '#error' :");
    CHECK(after("#define N 4 + 3\n#line N\n__LINE__") == "# line 7 7");
    CHECK(after("#line\n").find("integral literal") != std::string::npos);
    CHECK(after("#line -1\n").find("negative") != std::string::npos);
    CHECK(after("x\n#version 300 es\n") == "ERROR: 0:2: '#version' : must occur first in shader");
    CHECK(after("#version 300 es\n#version 300 es\n") ==
          "ERROR: 0:2: '#version' : must occur first in shader");
    CHECK(after("#define A \\\n 1\nA", 300) == "1");
    CHECK(after("#define A \\\n 1\nA", 100) ==
          "ERROR: 0:2: 'line continuation' : needs #version 300 es or later; this text is GLSL ES 1.00");
    CHECK(after("// a \\\nb", 100) == "b");
    CHECK(after("a \\ b").find("'\\' : unexpected token") != std::string::npos);
    CHECK(after(repeat(1'000'001, "x ")).find("more than") != std::string::npos);
}

TEST_CASE(
    "a second #version, number suffixes and joined lines: one message, which names the version that has "
    "them") {
    const auto log = [](const std::string& s) { return test::compile_fragment(s, 320).log; };
    const std::string second = log("#version 300 es\n#version 300 es\nvoid main() {}");
    CHECK(second == "ERROR: 0:2: '#version' : must occur first in shader\n");
    CHECK(log("precision highp float; void main() { float x = 1.0f; }")
              .find("'floating-point suffix' : needs #version 300 es or later; this text is GLSL ES 1.00") !=
          std::string::npos);
    CHECK(log("void main() { \\\n}").find("'line continuation' : needs #version 300 es") !=
          std::string::npos);
    CHECK(log("#version 300 es\nvoid main() { \\\n}") == "");
}
