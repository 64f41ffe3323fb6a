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
            const shaders::glsl::LibraryUse use("/**/#version 100\n");
            throw std::bad_alloc();
        }(),
        std::bad_alloc);
    CHECK(shaders::compile(text, test::options(ir::Stage::Vertex, 100)).shader);
    // With other users the state is kept.
    CHECK_THROWS_AS(
        [] {
            const shaders::glsl::LibraryUse use("#version 100\n");
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
                        const shaders::glsl::LibraryUse use("\n/**/#version 100\n");
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
