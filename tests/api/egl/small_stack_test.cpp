// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A program's thread with a stack of 64 KiB: everything from eglInitialize to glReadPixels works on it, with
// shaders of every size. Shaders that need more than the limit are refused, and do not damage other memory.
#include <pthread.h>

#include <functional>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

void on_small_thread(std::function<void()> f) {
    pthread_attr_t attributes;
    REQUIRE(pthread_attr_init(&attributes) == 0);
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr size_t kStack_B = 1 << 20;  // sanitizers' frames are larger
#else
    constexpr size_t kStack_B = 64 << 10;
#endif
    REQUIRE(pthread_attr_setstacksize(&attributes, kStack_B) == 0);
    pthread_t thread;
    const auto main = [](void* p) -> void* {
        (*static_cast<std::function<void()>*>(p))();
        return nullptr;
    };
    REQUIRE(pthread_create(&thread, &attributes, main, &f) == 0);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
}

const char* const kVertex =
    "attribute vec4 p; varying vec2 v; void main() { gl_Position = p; gl_PointSize = 9.; v = p.xy * 0.5 + "
    "0.5; }";

GLuint program(const std::string& fragment, std::string* log) {
    const char* const texts[] = {kVertex, fragment.c_str()};
    const GLuint p = glCreateProgram();
    char buffer[512] = "";
    for (int i = 0; i < 2; ++i) {
        const GLuint s = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
        glShaderSource(s, 1, &texts[i], nullptr);
        glCompileShader(s);
        glGetShaderInfoLog(s, sizeof buffer, nullptr, buffer);
        *log += buffer;
        glAttachShader(p, s);
        glDeleteShader(s);
    }
    glBindAttribLocation(p, 0, "p");
    glLinkProgram(p);
    glGetProgramInfoLog(p, sizeof buffer, nullptr, buffer);
    *log += buffer;
    GLint linked = 0;
    glGetProgramiv(p, GL_LINK_STATUS, &linked);
    if (linked) glUseProgram(p);
    return linked ? p : 0;
}

void draw_all_kinds() {
    static const float corners[] = {-1, -1, 3, -1, -1, 3, 0, 0};
    static const unsigned short indices[] = {0, 1, 2};
    glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(0);
    glDrawArrays(GL_POINTS, 3, 1);
    glDrawArrays(GL_LINE_LOOP, 0, 3);
    glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, indices);
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

std::string fragment(const std::string& body) {
    return "precision highp float; varying vec2 v; uniform sampler2D t; uniform int k; void main() {\n" +
           body + "\n}";
}

std::string filter() {
    std::string s = "vec4 c = vec4(0.);";
    for (int n = 0; n < 25; ++n)
        s += "c += texture2D(t, v + vec2(" + std::to_string(n % 5) + "., " + std::to_string(n / 5) +
             ".) * 0.01);";
    return fragment(s + "gl_FragColor = c / 25.;");
}

/// Two hundred values that are live at once.
std::string spilling() {
    std::string s, sum = "0.";
    for (int n = 0; n < 200; ++n) {
        s += "float a" + std::to_string(n) + " = fract(v.x * " + std::to_string(n) + ".37 + v.y);";
        sum += "+ a" + std::to_string(n) + " * a" + std::to_string(199 - n);
    }
    return fragment(s + "gl_FragColor = vec4((" + sum + ") >= 0. ? 1. : 0.5);");
}

std::string arrays(int count, int size) {
    std::string s = "float r = 0.;";
    for (int n = 0; n < count; ++n) {
        const std::string a = "a" + std::to_string(n);
        s += "float " + a + "[" + std::to_string(size) + "]; " + a + "[k + " + std::to_string(size - 1) +
             "] = v.x + 2.; r += " + a + "[k + " + std::to_string(size - 1) + "];";
    }
    return fragment(s + "gl_FragColor = vec4(r);");
}

}  // namespace

TEST_CASE("a thread with 64 KiB of stack builds programs and draws") {
    on_small_thread([] {
        fixture::Current c;
        GLuint texture = 0;
        const std::vector<unsigned char> white(16 * 16 * 4, 255);
        glGenTextures(1, &texture);
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 16, 16, 0, GL_RGBA, GL_UNSIGNED_BYTE, white.data());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
        glEnable(GL_BLEND);
        glEnable(GL_DEPTH_TEST);
        const std::string texts[] = {fragment("gl_FragColor = vec4(1.);"),
                                     fragment("gl_FragColor = vec4(v, 1., 1.) + 1.;"),
                                     filter(),
                                     spilling(),
                                     arrays(4, 4000),
                                     arrays(1, 65536)};
        for (const std::string& text : texts) {
            std::string log;
            INFO(text.substr(0, 200));
            const GLuint p = program(text, &log);
            INFO(log);
            REQUIRE(p);
            glClearColor(0, 0, 0, 0);
            glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
            for (int n = 0; n < 10; ++n)  // until the second tier's code runs, if there is one
                draw_all_kinds();
            CHECK(c.pixel(8, 8) == std::vector<unsigned char>{255, 255, 255, 255});
            glDeleteProgram(p);
        }
        CHECK(glGetError() == GL_NO_ERROR);
    });
}

TEST_CASE("a thread with 64 KiB of stack: arrays beyond the limit are link errors that name it") {
    on_small_thread([] {
        fixture::Current c;
        for (const std::string& text : {arrays(4, 65536), arrays(1, 200000), arrays(30, 4096)}) {
            std::string log;
            CHECK(program(text, &log) == 0);
            INFO(log);
            CHECK(log.find("65536") != std::string::npos);
        }
    });
}
