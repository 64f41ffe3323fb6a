// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Work on a separate stack: its results and exceptions; and the deepest accepted texts must fit on it, on
// threads whose own stack has 64 KiB.
#include "shaders/own_stack.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <functional>
#include <string>

#include "doctest/doctest.h"
#include "tests/shaders/glsl/harness.h"

namespace terrazzo::test {

namespace {

using shaders::on_own_stack;

/// Runs it on a thread with a stack of this size.
void on_thread(size_t stack_B, std::function<void()> f) {
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
    REQUIRE(pthread_attr_setstacksize(&attributes, stack_B) == 0);
    pthread_t thread;
    const auto main = [](void* p) -> void* {
        (*static_cast<std::function<void()>*>(p))();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, main, &f) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

constexpr size_t kSmall_B = 64 << 10;

std::string repeat(unsigned n, const std::string& s) {
    std::string r;
    for (unsigned i = 0; i < n; ++i)
        r += s;
    return r;
}

std::string fragment(const std::string& statements, const std::string& globals = "") {
    return "precision highp float; uniform float u; uniform int k; varying vec4 v;\n" + globals +
           "void main() {\n" + statements + "\ngl_FragColor += v * u;\n}\n";
}

/// Each is as deep as a limit allows, or deeper. Whether it is accepted or refused, it must fit on the stack.
struct Deep {
    const char* name;
    std::string text;
};
std::vector<Deep> deep_texts() {
    const auto macros = [](unsigned levels, const std::string& first, const std::string& twice) {
        std::string s = "#define M0(x) " + first + "\n";
        for (unsigned n = 1; n <= levels; ++n) {
            std::string body = twice;
            for (size_t at; (at = body.find('@')) != body.npos;)
                body.replace(at, 1, "M" + std::to_string(n - 1));
            s += "#define M" + std::to_string(n) + "(x) " + body + "\n";
        }
        return s;
    };
    const std::string sum = repeat(99'990, "u+");
    const std::string precise =
        "#version 320 es\nprecision highp float; uniform float u; in vec4 v; out vec4 o; void main() { ";
    return {
        {"sum", fragment("float a = " + sum + "u;")},
        {"shallow sum", fragment("float a = " + repeat(560, "u+") + "u; gl_FragColor = vec4(a);")},
        {"precise sum", precise + "precise float a = " + sum + "u; o = vec4(a); }"},
        {"precise assignments", precise + "precise float a = u; " + repeat(2400, "a=") + "u; o = vec4(a); }"},
        {"sum without precision", fragment("bool b = u > 1.; float a = " + repeat(33'000, "float(b)+") +
                                           "u; gl_FragColor = vec4(a);")},
        {"comma", fragment("float a; a = (" + repeat(9000, "a,") + "u);")},
        {"assignments", fragment("float a; " + repeat(9990, "a=") + "u;")},
        {"swizzles", fragment("vec4 a = v" + repeat(9000, ".wzyx") + ";")},
        {"parentheses", fragment("float a = " + repeat(195, "(") + "u" + repeat(195, ")") + ";")},
        {"calls", fragment("float a = " + repeat(195, "sin(u+") + "u" + repeat(195, ")") +
                           "; gl_FragColor = vec4(a);")},
        {"matrix calls", fragment("mat4 a = " + repeat(95, "mat4(1.)*(") + "mat4(u)" + repeat(95, ")") +
                                  "; gl_FragColor = a[0];")},
        {"negations", fragment("float a = u" + repeat(49, "+" + repeat(190, "-") + "u") + ";")},
        {"choices", fragment("float a = " + repeat(3000, "u>0.?u:") + "u;")},
        {"right choices", fragment("float a = " + repeat(190, "u>0.?(") + "u" + repeat(190, "):u") +
                                   "; gl_FragColor = vec4(a);")},
        {"ifs", fragment(repeat(3000, "if(u>0.)") + "gl_FragColor = v;")},
        {"fors", fragment(repeat(900, "for(int i=0;i<2;i++)") + "gl_FragColor = v;")},
        {"else ifs", fragment(repeat(20'000, "if(u>0.){}else ") + "gl_FragColor = v;")},
        {"blocks", fragment(repeat(170, "if(u>0.){") + "gl_FragColor += v;" + repeat(170, "}"))},
        {"loops", fragment(repeat(80, "for(int i=0;i<2;i++){") + "if(u>0.) break; gl_FragColor += v*u;" +
                           repeat(80, "}"))},
        {"bracket macros", fragment("float a = M13(u);", macros(13, "(x)", "@(@(x))"))},
        {"sum macros", fragment("float a = M17(u);", macros(17, "x", "@(x)+@(x)"))},
        {"block macros", fragment("M12(gl_FragColor += v;)", macros(12, "if(u>0.){x}", "@(@(x))"))},
        {"condition", fragment("", macros(16, "(x)", "@(@(x))") + "#if M16(1)\n#endif\n")},
        {"negated condition", fragment("", macros(19, "!x", "@(@(x))") + "#if M19(1)\n#endif\n")},
        {"nested functions",
         [] {
             std::string s;
             for (unsigned n = 0; n < 590; ++n)
                 s += "float f" + std::to_string(n) + "(float x) { return " +
                      (n ? "f" + std::to_string(n - 1) + "(x) + 1." : std::string("x")) + "; }\n";
             return fragment("gl_FragColor = vec4(f589(u));", s);
         }()},
        {"structures",
         [] {
             std::string s = "struct S0 { float x; };\n";
             for (unsigned n = 1; n < 70; ++n)
                 s += "struct S" + std::to_string(n) + " { S" + std::to_string(n - 1) + " x; };\n";
             return fragment(
                 "S69 a; a" + repeat(70, ".x") + " = u; gl_FragColor = vec4(a" + repeat(70, ".x") + ");", s);
         }()},
    };
}

const char* const kVertex = "attribute vec4 p; varying vec4 v; void main() { v = p; gl_Position = p; }";

}  // namespace

TEST_CASE("own stack: returns results and passes exceptions on") {
    const char* const here = static_cast<const char*>(__builtin_frame_address(0));
    const auto distance = [&] {
        const auto* const there = static_cast<const char*>(__builtin_frame_address(0));
        return size_t(there > here ? there - here : here - there);
    };
    CHECK(on_own_stack(distance) > kSmall_B);
    // On that stack already, it is an ordinary call.
    const auto nested = [] {
        const auto* const outer = static_cast<const char*>(__builtin_frame_address(0));
        return on_own_stack(
            [&] { return size_t(outer - static_cast<const char*>(__builtin_frame_address(0))); });
    };
    CHECK(on_own_stack(nested) < kSmall_B);
    CHECK(on_own_stack([] { return std::string(100, 'x'); }) == std::string(100, 'x'));
    CHECK_THROWS_AS(on_own_stack([] { throw std::bad_alloc(); }), std::bad_alloc);
    CHECK(on_own_stack([] { return 7; }) == 7);
}

TEST_CASE("own stack: many threads at a time, each with its own") {
    std::atomic<int> sum = 0;
    std::vector<pthread_t> threads(8);
    const auto main = [](void* p) -> void* {
        for (int n = 0; n < 200; ++n)
            *static_cast<std::atomic<int>*>(p) += on_own_stack([n] {
                volatile int kept[1000] = {};
                kept[n] = n;
                return int(kept[n]);
            });
        return nullptr;
    };
    for (pthread_t& t : threads)
        REQUIRE(pthread_create(&t, nullptr, main, &sum) == 0);
    for (pthread_t& t : threads)
        pthread_join(t, nullptr);
    CHECK(sum == 8 * 199 * 100);
}

TEST_CASE("own stack: deep texts are compiled and linked on threads of 64 KiB") {
    (void)shaders::own_stack_used_B();
    size_t most_B = 0;
    for (const Deep& d : deep_texts()) {
        CAPTURE(d.name);
        std::string log;
        bool compiled = false;
        on_thread(kSmall_B, [&] {
            const shaders::CompileResult f = compile_fragment(d.text, 320);
            log = f.log;
            compiled = f.shader != nullptr;
            if (!f.shader) return;
            const shaders::CompileResult v = compile_vertex(kVertex);
            const shaders::CompiledShader* const both[] = {v.shader.get(), f.shader.get()};
            const shaders::LinkResult linked = shaders::link(both, {});
            log = linked.log;
        });
        const size_t used_B = shaders::own_stack_used_B();
        most_B = std::max(most_B, used_B);
        if (std::getenv("TERRAZZO_TEST_VERBOSE"))
            std::printf("%-18s %6zu KiB  %s %.90s\n", d.name, used_B >> 10, compiled ? "taken" : "refused",
                        log.c_str());
        CHECK((compiled || !log.empty()));
    }
    CHECK(most_B > 0);
    CHECK(most_B <= shaders::kOwnStack_B / 2);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_CASE("own stack: no memory for one is std::bad_alloc") {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        rlimit limit{};
        limit.rlim_cur = limit.rlim_max = 1 << 20;
        if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
        shaders::forget_own_stacks();
        bool thrown = false;
        try {
            on_own_stack([] { return 1; });
        } catch (const std::bad_alloc&) {
            thrown = true;
        }
        _exit(thrown ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
}
#endif

}  // namespace terrazzo::test
