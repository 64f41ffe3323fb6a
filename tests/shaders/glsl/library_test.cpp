// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Which compilations may run at the same time in glslang. tests/fuzz/oom tests what happens when memory runs
// out.
#include "shaders/glsl/library.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>
#include <thread>

#include "shaders/glsl/amend.h"
#include "tests/shaders/glsl/harness.h"

using namespace terrazzo;
using shaders::glsl::plain_version;

TEST_CASE("glsl library: a version counts only if glslang cannot find another one") {
    CHECK(plain_version("void main() {}") == 100);
    CHECK(plain_version("#version 100\nvoid main() {}") == 100);
    CHECK(plain_version(" \n#version 300 es\r\nvoid main() {}") == 300);
    CHECK(plain_version("#version 310 es\n") == 310);
    CHECK(plain_version("#version 320 es") == 320);
    CHECK(plain_version("#version 300\n") == 0);
    CHECK(plain_version("#version 3000 es\n") == 0);
    CHECK(plain_version("# version 100\n") == 0);
    CHECK(plain_version("/* */ #version 100\n") == 0);
    CHECK(plain_version("#version 100\n#version 300 es\n") == 0);
    CHECK(plain_version("#ver\\\nsion 300 es\n") == 0);
    CHECK(plain_version("") == 100);
}

TEST_CASE("glsl library: state after an exception is created again") {
    const char* const text = "#version 100\nvoid main() { gl_Position = vec4(1.0); }";
    // Alone, because the version cannot be determined: start over.
    CHECK_THROWS_AS(
        [] {
            const shaders::glsl::LibraryUse use({"", "/**/#version 100\n", 0});
            throw std::bad_alloc();
        }(),
        std::bad_alloc);
    CHECK(shaders::compile(text, test::options(ir::Stage::Vertex, 100)).shader);
    // With other users the state is kept.
    CHECK_THROWS_AS(
        [] {
            const shaders::glsl::LibraryUse use({"", "#version 100\n", 0});
            throw std::bad_alloc();
        }(),
        std::bad_alloc);
    CHECK(shaders::compile(text, test::options(ir::Stage::Vertex, 100)).shader);
}

TEST_CASE("glsl library: threads compile different versions while one starts over") {
    std::atomic<int> compiled{0};
    std::thread threads[3];
    for (int t = 0; t < 3; ++t)
        threads[t] = std::thread([&, t] {
            for (int i = 0; i < 20; ++i) {
                const bool three = (i + t) % 3 == 0;
                const std::string text = std::string(three ? "#version 300 es\n" : "#version 100\n") +
                                         "void main() { gl_Position = vec4(1.0); }";
                if (t == 0 && i % 5 == 0) try {
                        const shaders::glsl::LibraryUse use({"", "\n/**/#version 100\n", 0});
                        throw std::bad_alloc();
                    } catch (const std::bad_alloc&) {
                    }
                if (shaders::compile(text, test::options(ir::Stage::Vertex, 300)).shader) ++compiled;
            }
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(compiled == 60);
}

namespace {

/// Drops all tables of glslang.
void start_over() {
    try {
        const shaders::glsl::LibraryUse use({"", "/**/#version 100\n", 0});
        throw std::bad_alloc();
    } catch (const std::bad_alloc&) {
    }
}

bool compiles(ir::Stage stage, const std::string& body, int version = 320) {
    const std::string text =
        (version == 100 ? std::string() : "#version " + std::to_string(version) + " es\n") +
        "precision highp float;\n" + body;
    return shaders::compile(text, test::options(stage, version)).shader != nullptr;
}

}  // namespace

TEST_CASE("glsl library: the first text of a version parses the functions that it names, and no others") {
    start_over();
    CHECK(compiles(ir::Stage::Vertex, "void main() { gl_Position = vec4(sin(1.0)); }"));
    const size_t first_B = shaders::glsl::t_parser_B;
    CHECK(first_B < size_t(2) << 20);
    // The next text names a function with a hundred overloads.
    CHECK(compiles(ir::Stage::Vertex,
                   "uniform sampler2D s; void main() { gl_Position = texture(s, vec2(0.5)); }"));
    const size_t second_B = shaders::glsl::t_parser_B;
    CHECK(compiles(ir::Stage::Vertex,
                   "uniform sampler2D s; void main() { gl_Position = texture(s, vec2(0.5)); }"));
    CHECK(shaders::glsl::t_parser_B < second_B);
}

TEST_CASE("glsl library: overloads of a function come with the first text that names it") {
    for (const int version : {100, 300, 310, 320}) {
        CAPTURE(version);
        const auto vertex = [&](const std::string& body) {
            return compiles(ir::Stage::Vertex, body, version);
        };
        start_over();
        CHECK(vertex("void main() { gl_Position = vec4(min(vec2(1.0), vec2(2.0)), max(1.0, 2.0), 1.0); }"));
        CHECK(vertex("void main() { gl_Position = min(vec4(1.0), 2.0); }"));
        // A name that only a line continuation makes; a name of a member and of a variable.
        CHECK(vertex("void main() { gl_Position = mi\\\nx(vec4(1.0), vec4(2.0), 0.5); }") ==
              (version >= 300));
        CHECK(
            vertex("struct S { float dot; }; void main() { S s; s.dot = 1.0; float cross = s.dot; "
                   "gl_Position = vec4(cross); }"));
        CHECK_FALSE(vertex("void main() { gl_Position = vec4(clamp(1.0)); }"));
        CHECK_FALSE(vertex("void main() { gl_Position = vec4(reflect(1.0, true)); }"));
        // ESSL 1.00 allows overloads of its functions, ESSL 3.00 refuses them, whether or not the tables
        // have the other overloads of the function.
        const std::string own = "float ceil(float a, float b) { return a + b; }";
        for (int time = 0; time < 2; ++time) {
            CHECK(vertex(own + "void main() { gl_Position = vec4(ceil(1.0, 2.0)); }") == (version == 100));
            CHECK(vertex("void main() { gl_Position = ceil(vec4(1.0)); }"));
        }
    }
}

TEST_CASE("glsl library: each stage has the overloads of its own") {
    start_over();
    const std::string head = "uniform sampler2D s; out vec4 c; void main() { c = ";
    CHECK(compiles(ir::Stage::Vertex,
                   "uniform sampler2D s; void main() { gl_Position = texture(s, vec2(0.5)); }"));
    CHECK(compiles(ir::Stage::Fragment, head + "texture(s, vec2(0.5), 1.0); }"));
    CHECK_FALSE(compiles(ir::Stage::Vertex,
                         "uniform sampler2D s; void main() { gl_Position = texture(s, vec2(0.5), 1.0); }"));
    CHECK(compiles(ir::Stage::Fragment, head + "vec4(dFdx(1.0)); }"));
    CHECK(
        compiles(ir::Stage::Compute,
                 "layout(local_size_x = 1) in; shared uint n; void main() { atomicAdd(n, 1u); barrier(); }"));
    // Functions that need an extension need it in all overloads.
    const std::string fma = "void main() { gl_Position = fma(vec4(1.0), vec4(2.0), vec4(3.0)); }";
    CHECK(compiles(ir::Stage::Vertex, fma));
    CHECK_FALSE(compiles(ir::Stage::Vertex, fma, 310));
}

TEST_CASE("glsl library: constants with limits are there for the texts that name them") {
    for (const int version : {100, 300, 310, 320}) {
        CAPTURE(version);
        CHECK(compiles(ir::Stage::Vertex, "void main() { gl_Position = vec4(float(gl_MaxDrawBuffers)); }",
                       version));
        CHECK(compiles(ir::Stage::Vertex, "void main() { gl_Position = vec4(1.0); }", version));
    }
}

TEST_CASE("glsl library: threads name functions for the first time") {
    start_over();
    static constexpr const char* kCalls[] = {"sin(p)",       "cos(p)",   "exp(p)",    "log(p)",
                                             "abs(p)",       "fract(p)", "max(p, p)", "min(p, 1.0)",
                                             "mix(p, p, p)", "pow(p, p)"};
    std::atomic<int> compiled{0};
    std::thread threads[3];
    for (int t = 0; t < 3; ++t)
        threads[t] = std::thread([&, t] {
            for (size_t i = 0; i < std::size(kCalls); ++i) {
                const std::string call = kCalls[(i + size_t(t) * 3) % std::size(kCalls)];
                if (compiles(ir::Stage::Vertex, "in vec4 p; void main() { gl_Position = " + call + "; }"))
                    ++compiled;
            }
        });
    for (std::thread& t : threads)
        t.join();
    CHECK(compiled == 30);
}
