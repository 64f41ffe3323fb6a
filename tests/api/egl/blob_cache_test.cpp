// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// EGL_ANDROID_blob_cache. The functions have no parameter for the program's data, therefore their data is
// global.
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <string>

#include "tests/api/egl/fixture.h"

namespace {

struct Kept {
    std::mutex mutex;
    std::map<std::string, std::string> blobs;
    unsigned hits = 0, misses = 0, puts = 0;
};
Kept kept;

void set_blob(const void* key, EGLsizeiANDROID key_B, const void* value, EGLsizeiANDROID value_B) {
    const std::lock_guard lock(kept.mutex);
    ++kept.puts;
    kept.blobs[{static_cast<const char*>(key), size_t(key_B)}] = {static_cast<const char*>(value),
                                                                  size_t(value_B)};
}

EGLsizeiANDROID get_blob(const void* key, EGLsizeiANDROID key_B, void* value, EGLsizeiANDROID value_B) {
    const std::lock_guard lock(kept.mutex);
    const auto it = kept.blobs.find({static_cast<const char*>(key), size_t(key_B)});
    ++(it == kept.blobs.end() ? kept.misses : kept.hits);
    if (it == kept.blobs.end()) return 0;
    if (EGLsizeiANDROID(it->second.size()) <= value_B)
        std::memcpy(value, it->second.data(), it->second.size());
    return EGLsizeiANDROID(it->second.size());
}

EGLsizeiANDROID get_nonsense(const void*, EGLsizeiANDROID, void* value, EGLsizeiANDROID value_B) {
    std::memset(value, 0x5a, size_t(value_B));
    return value_B / 2;
}

EGLsizeiANDROID get_too_much(const void*, EGLsizeiANDROID, void*, EGLsizeiANDROID value_B) {
    return value_B + 1;  // endless
}

EGLsizeiANDROID get_negative(const void*, EGLsizeiANDROID, void*, EGLsizeiANDROID) {
    return -7;
}

auto set_functions() {
    return fixture::proc<PFNEGLSETBLOBCACHEFUNCSANDROIDPROC>("eglSetBlobCacheFuncsANDROID");
}

/// The tests run with TERRAZZO_SHADER_CACHE=off, which also disables a program's own functions.
struct CacheIsOn {
    const std::string before =
        std::getenv("TERRAZZO_SHADER_CACHE") ? std::getenv("TERRAZZO_SHADER_CACHE") : "";
    CacheIsOn() { setenv("TERRAZZO_SHADER_CACHE", "/dev/null/no-folder", 1); }
    ~CacheIsOn() { setenv("TERRAZZO_SHADER_CACHE", before.c_str(), 1); }
};

/// True if it draws red. The text is long, so that its entries are larger than the first buffer.
bool draws(fixture::Current& c) {
    std::string body;
    for (int i = 0; i < 200; ++i)
        body += "x = fract(x * 1.37 + y * " + std::to_string(i) + ".1); y = sin(x);\n";
    const std::string text =
        "precision highp float; uniform float x0; void main() { float x = x0, y = 1.0;\n" + body +
        "gl_FragColor = vec4(1.0, x * 0.0, y * 0.0, 1.0); }\n";
    const GLuint program = glCreateProgram();
    const char* const texts[] = {"attribute vec4 p; void main() { gl_Position = p; }", text.c_str()};
    const GLenum kinds[] = {GL_VERTEX_SHADER, GL_FRAGMENT_SHADER};
    for (int i = 0; i < 2; ++i) {
        const GLuint shader = glCreateShader(kinds[i]);
        glShaderSource(shader, 1, &texts[i], nullptr);
        glCompileShader(shader);
        glAttachShader(program, shader);
        glDeleteShader(shader);
    }
    glLinkProgram(program);
    glUseProgram(program);
    const float corners[] = {-1, -1, 3, -1, -1, 3};
    const GLuint p = GLuint(glGetAttribLocation(program, "p"));
    glVertexAttribPointer(p, 2, GL_FLOAT, GL_FALSE, 0, corners);
    glEnableVertexAttribArray(p);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    const bool red = c.pixel(5, 5) == std::vector<unsigned char>{255, 0, 0, 255};
    glDeleteProgram(program);
    return red && glGetError() == GL_NO_ERROR;
}

}  // namespace

TEST_CASE("blob cache: refusals") {
    const fixture::Display d;
    CHECK(std::string(eglQueryString(d.dpy, EGL_EXTENSIONS)).find("EGL_ANDROID_blob_cache") !=
          std::string::npos);
    const auto set = set_functions();
    const auto error = [&](EGLDisplay dpy, EGLSetBlobFuncANDROID s, EGLGetBlobFuncANDROID g) {
        set(dpy, s, g);
        return eglGetError();
    };
    CHECK(error(EGL_NO_DISPLAY, set_blob, get_blob) == EGL_BAD_DISPLAY);
    CHECK(error(d.dpy, nullptr, get_blob) == EGL_BAD_PARAMETER);
    CHECK(error(d.dpy, set_blob, nullptr) == EGL_BAD_PARAMETER);
    CHECK(error(d.dpy, set_blob, get_blob) == EGL_SUCCESS);
    CHECK(error(d.dpy, set_blob, get_blob) == EGL_BAD_PARAMETER);
    eglTerminate(d.dpy);
    CHECK(error(d.dpy, set_blob, get_blob) == EGL_NOT_INITIALIZED);
    REQUIRE(eglInitialize(d.dpy, nullptr, nullptr));
    CHECK(error(d.dpy, set_blob, get_blob) == EGL_SUCCESS);
}

TEST_CASE("blob cache: a program is compiled once, and the application's functions keep it") {
    const CacheIsOn on;
    kept.blobs.clear();
    kept.hits = kept.puts = 0;
    for (int round = 0; round < 2; ++round) {
        fixture::Current c;
        set_functions()(c.dpy, set_blob, get_blob);
        CHECK(draws(c));
        eglMakeCurrent(c.dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglTerminate(c.dpy);
        // Later work in the background does not call the functions.
        const std::lock_guard lock(kept.mutex);
        if (round == 0) CHECK(kept.hits == 0);
        CHECK(kept.puts > 0);
        if (round == 1) CHECK(kept.hits > 0);
        REQUIRE(eglInitialize(c.dpy, nullptr, nullptr));
    }
    const unsigned calls = kept.hits + kept.misses + kept.puts;
    fixture::Current without;
    CHECK(draws(without));
    CHECK(kept.hits + kept.misses + kept.puts == calls);
}

TEST_CASE("blob cache: invalid entries from the application are not trusted") {
    const CacheIsOn on;
    for (const EGLGetBlobFuncANDROID get : {get_nonsense, get_too_much, get_negative}) {
        fixture::Current c;
        set_functions()(c.dpy, set_blob, get);
        CHECK(draws(c));
    }
}
