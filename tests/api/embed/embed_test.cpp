// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// terrazzo.h: frames, formats, errors, several instances, sharing, threads, an allocator that fails.
#include <EGL/egl.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <thread>

#include "tests/api/embed/program.h"

using namespace embed_test;

namespace {

/// An instance, and a current context with a target.
struct Embedded {
    Messages messages;
    CountingAllocator memory;
    terrazzo_instance* instance = nullptr;
    terrazzo_context* context = nullptr;
    Frame frame{8, 6};
    const Gl gl;

    Embedded() {
        const terrazzo_allocator a = memory.get();
        terrazzo_instance_desc d{sizeof d, &a, 2, 0, Messages::write, &messages, nullptr};
        REQUIRE(terrazzo_create_instance(&d, &instance) == TERRAZZO_OK);
        const terrazzo_context_desc c{sizeof c, nullptr, 24, 8, 0, 0};
        REQUIRE(terrazzo_create_context(instance, &c, &context) == TERRAZZO_OK);
        const terrazzo_target t = frame.target();
        REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
        REQUIRE(terrazzo_make_current(context) == TERRAZZO_OK);
    }
    ~Embedded() {
        terrazzo_destroy_context(context);
        terrazzo_destroy_instance(instance);
        CHECK(memory.bytes == 0);
        CHECK(memory.blocks == 0);
    }
};

}  // namespace

TEST_CASE_FIXTURE(Embedded, "a frame is in the memory after finish, and not before") {
    clear(gl, 1, 0.5f, 0.25f, 1);
    CHECK(frame.at(0, 0) == 0xcdcdcdcd);
    REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
    for (uint32_t y = 0; y < 6; ++y)
        for (uint32_t x = 0; x < 8; ++x)
            CHECK(frame.at(x, y) == 0xff8040ff);
    GLint viewport[4], bits[3];
    gl.GetIntegerv(GL_VIEWPORT, viewport);
    CHECK(viewport[2] == 8);
    CHECK(viewport[3] == 6);
    gl.GetIntegerv(GL_DEPTH_BITS, &bits[0]);
    gl.GetIntegerv(GL_STENCIL_BITS, &bits[1]);
    gl.GetIntegerv(GL_RED_BITS, &bits[2]);
    CHECK(bits[0] == 24);
    CHECK(bits[1] == 8);
    CHECK(bits[2] == 8);
    CHECK(memory.bytes > 8 * 6 * 4);  // the allocator provided the frame's pixels
    CHECK(messages.lines.empty());
}

TEST_CASE_FIXTURE(Embedded, "formats, origins and strides") {
    Frame wide(8, 6, 100);
    auto draw = [&](terrazzo_format f, terrazzo_origin o) {
        const terrazzo_target t = wide.target(f, o);
        REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
        gl.Scissor(0, 0, 100, 100);
        gl.Enable(GL_SCISSOR_TEST);
        clear(gl, 0, 0, 0, 0);
        gl.Scissor(0, 0, 8, 2);  // the two lowest rows in GL
        clear(gl, 1, 0.5f, 0, 1);
        REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
    };
    draw(TERRAZZO_RGBA8, TERRAZZO_TOP_DOWN);
    CHECK(wide.at(7, 3) == 0);
    CHECK(wide.at(7, 4) == 0xff8000ff);
    CHECK(wide.at(8, 4) == 0xcdcdcdcd);  // padding between rows is not written
    draw(TERRAZZO_RGBA8, TERRAZZO_BOTTOM_UP);
    CHECK(wide.at(0, 1) == 0xff8000ff);
    CHECK(wide.at(0, 2) == 0);
    draw(TERRAZZO_BGRA8, TERRAZZO_BOTTOM_UP);
    CHECK(wide.at(0, 0) == 0x0080ffff);
    draw(TERRAZZO_BGRA8, TERRAZZO_TOP_DOWN);
    CHECK(wide.at(0, 5) == 0x0080ffff);
    CHECK(wide.at(0, 0) == 0);
}

TEST_CASE_FIXTURE(Embedded, "targets of one size share the picture, another size begins black") {
    clear(gl, 0, 1, 0, 1);
    Frame second(8, 6), third(4, 4);
    terrazzo_target t = second.target();
    REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
    REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(second.at(3, 3) == 0x00ff00ff);
    CHECK(frame.at(3, 3) == 0xcdcdcdcd);
    t = third.target();
    REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
    REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(third.at(3, 3) == 0);
    REQUIRE(terrazzo_set_target(context, nullptr) == TERRAZZO_OK);
    clear(gl, 1, 1, 1, 1);
    CHECK(gl.GetError() == GL_INVALID_FRAMEBUFFER_OPERATION);
    CHECK(messages.last_has("glClear"));
    CHECK(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(third.at(3, 3) == 0);
}

TEST_CASE_FIXTURE(Embedded, "a triangle, with threads") {
    Frame big(512, 512);
    const terrazzo_target t = big.target();
    REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
    GLint unchanged[4];
    gl.GetIntegerv(GL_VIEWPORT, unchanged);
    CHECK(unchanged[2] == 8);  // as in GL: only the first target sets the viewport
    const auto viewport = reinterpret_cast<PFNGLVIEWPORTPROC>(terrazzo_get_proc_address("glViewport"));
    viewport(0, 0, 512, 512);
    REQUIRE(draw_triangle(gl));
    REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(big.at(0, 511) == 0x000000ff);    // bottom left
    CHECK(big.at(511, 0) == 0xffff00ff);    // top right
    CHECK(big.at(256, 255) == 0x808000ff);  // the middle
}

TEST_CASE("the caller's executor lends the threads") {
    struct Lender {
        std::mutex mutex;
        std::vector<std::thread> threads;
        static void run(void* user, void (*task)(void*), void* arg) {
            auto& l = *static_cast<Lender*>(user);
            std::lock_guard lock(l.mutex);
            l.threads.emplace_back(task, arg);
        }
    } lender;
    const terrazzo_executor executor{Lender::run, &lender};
    const terrazzo_instance_desc d{sizeof d, nullptr, 3, 0, nullptr, nullptr, &executor};
    terrazzo_instance* instance = nullptr;
    terrazzo_context* context = nullptr;
    Frame big(512, 512);
    const terrazzo_target t = big.target();
    REQUIRE(terrazzo_create_instance(&d, &instance) == TERRAZZO_OK);
    REQUIRE(terrazzo_create_context(instance, nullptr, &context) == TERRAZZO_OK);
    REQUIRE(terrazzo_set_target(context, &t) == TERRAZZO_OK);
    REQUIRE(terrazzo_make_current(context) == TERRAZZO_OK);
    const Gl gl;
    for (int i = 0; i < 3; ++i) {
        REQUIRE(draw_triangle(gl));
        REQUIRE(terrazzo_finish(context) == TERRAZZO_OK);
        CHECK(big.at(256, 255) == 0x808000ff);
    }
    terrazzo_destroy_context(context);
    terrazzo_destroy_instance(instance);
    CHECK(!lender.threads.empty());
    for (std::thread& thread : lender.threads)
        thread.join();
    const terrazzo_executor bad{nullptr, nullptr};
    const terrazzo_instance_desc refused{sizeof refused, nullptr, 3, 0, nullptr, nullptr, &bad};
    CHECK(terrazzo_create_instance(&refused, &instance) == TERRAZZO_BAD_PARAMETER);
}

TEST_CASE_FIXTURE(Embedded, "errors change nothing and are reported") {
    terrazzo_target t = frame.target();
    auto refused = [&](const terrazzo_target& bad, const char* why) {
        CHECK(terrazzo_set_target(context, &bad) == TERRAZZO_BAD_PARAMETER);
        CHECK(messages.last_has(why));
    };
    terrazzo_target bad = t;
    bad.pixels = nullptr;
    refused(bad, "pixels");
    bad = t, bad.stride_B = 31;
    refused(bad, "stride_B");
    bad = t, bad.width_px = 0;
    refused(bad, "width");
    bad = t, bad.height_px = 1u << 30;
    refused(bad, "height");
    bad = t, bad.format = terrazzo_format(9);
    refused(bad, "format");
    bad = t, bad.origin = terrazzo_origin(9);
    refused(bad, "origin");
    terrazzo_context* none = nullptr;
    const terrazzo_context_desc depth{sizeof depth, nullptr, 17, 0, 0, 0};
    CHECK(terrazzo_create_context(instance, &depth, &none) == TERRAZZO_BAD_PARAMETER);
    CHECK(messages.last_has("depth"));
    CHECK(terrazzo_create_context(nullptr, nullptr, &none) == TERRAZZO_BAD_PARAMETER);
    CHECK(none == nullptr);
    terrazzo_instance* no_instance = nullptr;
    const terrazzo_instance_desc many{sizeof many, nullptr, 1000, 0, Messages::write, &messages, nullptr};
    CHECK(terrazzo_create_instance(&many, &no_instance) == TERRAZZO_BAD_PARAMETER);
    CHECK(messages.last_has("threads"));
    CHECK(terrazzo_create_instance(nullptr, nullptr) == TERRAZZO_BAD_PARAMETER);
    CHECK(no_instance == nullptr);
    CHECK(terrazzo_set_target(nullptr, &t) == TERRAZZO_BAD_PARAMETER);
    CHECK(terrazzo_finish(nullptr) == TERRAZZO_BAD_PARAMETER);
    terrazzo_destroy_context(nullptr);
    terrazzo_destroy_instance(nullptr);
    CHECK((terrazzo_get_proc_address("glNoSuchThing") == nullptr));
    clear(gl, 0, 0, 1, 1);
    CHECK(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(frame.at(0, 0) == 0x0000ffff);
}

TEST_CASE("a bad value in the environment goes to the log of the instance that is created first") {
    setenv("XDG_RUNTIME_DIR", "relative", 1);  // no test uses it
    for (const bool first : {true, false}) {
        Messages messages;
        const terrazzo_instance_desc d{sizeof d, nullptr, 1, 0, Messages::write, &messages, nullptr};
        terrazzo_instance* instance = nullptr;
        REQUIRE(terrazzo_create_instance(&d, &instance) == TERRAZZO_OK);
        CHECK(messages.last_has("XDG_RUNTIME_DIR=relative is ignored: allowed is an absolute path") == first);
        terrazzo_destroy_instance(instance);
    }
    unsetenv("XDG_RUNTIME_DIR");
}

TEST_CASE("several instances do not see each other, and end in any order") {
    CountingAllocator memory[3];
    terrazzo_instance* instances[3] = {};
    terrazzo_context* contexts[3] = {};
    std::vector<Frame> frames(3, Frame(4, 4));
    const Gl gl;
    for (int i = 0; i < 3; ++i) {
        const terrazzo_allocator a = memory[i].get();
        const terrazzo_instance_desc d{sizeof d, &a, 1, 0, nullptr, nullptr, nullptr};
        REQUIRE(terrazzo_create_instance(&d, &instances[i]) == TERRAZZO_OK);
        REQUIRE(terrazzo_create_context(instances[i], nullptr, &contexts[i]) == TERRAZZO_OK);
        const terrazzo_target t = frames[size_t(i)].target();
        REQUIRE(terrazzo_set_target(contexts[i], &t) == TERRAZZO_OK);
        REQUIRE(terrazzo_make_current(contexts[i]) == TERRAZZO_OK);
        clear(gl, i == 0, i == 1, i == 2, 1);
    }
    terrazzo_context* none = nullptr;
    const terrazzo_context_desc foreign{sizeof foreign, contexts[0], 0, 0, 0, 0};
    CHECK(terrazzo_create_context(instances[1], &foreign, &none) == TERRAZZO_BAD_PARAMETER);
    for (int i = 0; i < 3; ++i)
        CHECK(terrazzo_finish(contexts[i]) == TERRAZZO_OK);
    CHECK(frames[0].at(0, 0) == 0xff0000ff);
    CHECK(frames[1].at(0, 0) == 0x00ff00ff);
    CHECK(frames[2].at(0, 0) == 0x0000ffff);
    terrazzo_destroy_instance(instances[2]);  // its context keeps it alive
    clear(gl, 1, 1, 1, 1);
    CHECK(terrazzo_finish(contexts[2]) == TERRAZZO_OK);
    CHECK(frames[2].at(0, 0) == 0xffffffff);
    terrazzo_destroy_context(contexts[0]);
    terrazzo_destroy_instance(instances[0]);
    CHECK(memory[0].bytes == 0);
    terrazzo_destroy_context(contexts[2]);  // it is current
    CHECK(memory[2].bytes == 0);
    clear(gl, 0, 0, 0, 0);  // ignored: no context is current
    terrazzo_destroy_context(contexts[1]);
    terrazzo_destroy_instance(instances[1]);
    CHECK(memory[1].bytes == 0);
}

TEST_CASE_FIXTURE(Embedded, "contexts share objects, and a thread's end releases its context") {
    GLuint texture = 0;
    gl.GenTextures(1, &texture);
    gl.BindTexture(GL_TEXTURE_2D, texture);
    const terrazzo_context_desc d{sizeof d, context, 0, 0, 0, 0};
    terrazzo_context* second = nullptr;
    REQUIRE(terrazzo_create_context(instance, &d, &second) == TERRAZZO_OK);
    bool shared = false;
    terrazzo_result elsewhere = TERRAZZO_OK, target = TERRAZZO_OK, finish = TERRAZZO_OK;
    std::thread([&] {
        elsewhere = terrazzo_make_current(context);
        target = terrazzo_set_target(context, nullptr);
        finish = terrazzo_finish(context);
        if (terrazzo_make_current(second) == TERRAZZO_OK) shared = gl.IsTexture(texture);
    }).join();
    CHECK(shared);
    CHECK(elsewhere == TERRAZZO_BUSY);
    CHECK(target == TERRAZZO_BUSY);
    CHECK(finish == TERRAZZO_BUSY);
    CHECK(messages.last_has("another thread"));
    CHECK(terrazzo_make_current(second) == TERRAZZO_OK);  // the other thread has ended
    terrazzo_destroy_context(second);
    CHECK(terrazzo_make_current(context) == TERRAZZO_OK);
    CHECK(gl.IsTexture(texture));
}

TEST_CASE_FIXTURE(Embedded, "a context that another thread uses lives until it is released there") {
    REQUIRE(terrazzo_make_current(nullptr) == TERRAZZO_OK);
    std::atomic<int> step{0};
    std::thread user([&] {
        CHECK(terrazzo_make_current(context) == TERRAZZO_OK);
        step = 1;
        while (step != 2)
            std::this_thread::yield();
        clear(gl, 1, 0, 1, 1);
        CHECK(terrazzo_finish(context) == TERRAZZO_OK);
    });
    while (step != 1)
        std::this_thread::yield();
    terrazzo_destroy_context(context);
    step = 2;
    user.join();
    context = nullptr;
    CHECK(frame.at(1, 1) == 0xff00ffff);
}

TEST_CASE_FIXTURE(Embedded, "EGL and terrazzo.h take turns on a thread") {
    EGLDisplay dpy = eglGetPlatformDisplay(0x31DD /* EGL_PLATFORM_SURFACELESS_MESA */, nullptr, nullptr);
    REQUIRE(eglInitialize(dpy, nullptr, nullptr));
    const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
    EGLContext egl = eglCreateContext(dpy, nullptr, EGL_NO_CONTEXT, attributes);
    REQUIRE(egl != EGL_NO_CONTEXT);
    CHECK(!eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, egl));
    CHECK(eglGetError() == EGL_BAD_ACCESS);
    CHECK(terrazzo_make_current(nullptr) == TERRAZZO_OK);
    CHECK(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, egl));
    CHECK(terrazzo_make_current(context) == TERRAZZO_BUSY);
    CHECK(messages.last_has("EGL"));
    CHECK(eglMakeCurrent(dpy, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT));
    CHECK(terrazzo_make_current(context) == TERRAZZO_OK);
    CHECK(eglTerminate(dpy));
    clear(gl, 0, 1, 1, 1);
    CHECK(terrazzo_finish(context) == TERRAZZO_OK);
    CHECK(frame.at(0, 0) == 0x00ffffff);
}

TEST_CASE("each refused allocation is an error, leaks nothing, and ends nothing") {
    const Gl gl;
    int refused = 0, at = 0;
    for (bool done = false; !done && at < 200; ++at) {
        CountingAllocator memory;
        memory.fail_at = at;
        const terrazzo_allocator a = memory.get();
        const terrazzo_instance_desc d{sizeof d, &a, 1, 0, nullptr, nullptr, nullptr};
        terrazzo_instance* instance = nullptr;
        terrazzo_context* context = nullptr;
        Frame frame(70, 70);
        const terrazzo_target t = frame.target();
        terrazzo_result r = terrazzo_create_instance(&d, &instance);
        if (r == TERRAZZO_OK) r = terrazzo_create_context(instance, nullptr, &context);
        if (r == TERRAZZO_OK) r = terrazzo_set_target(context, &t);
        if (r == TERRAZZO_OK) r = terrazzo_make_current(context);
        GLenum error = GL_NO_ERROR;
        if (r == TERRAZZO_OK) {
            GLuint name = 0;
            gl.GenTextures(1, &name);
            gl.BindTexture(GL_TEXTURE_2D, name);
            gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 32, 32, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
            gl.GenBuffers(1, &name);
            gl.BindBuffer(GL_ARRAY_BUFFER, name);
            gl.BufferData(GL_ARRAY_BUFFER, 1000, nullptr, GL_STATIC_DRAW);
            clear(gl, 1, 1, 0, 1);
            error = gl.GetError();
            r = terrazzo_finish(context);
        }
        CHECK((r == TERRAZZO_OK || r == TERRAZZO_OUT_OF_MEMORY));
        CHECK((error == GL_NO_ERROR || error == GL_OUT_OF_MEMORY));
        done = memory.calls <= at;  // no allocation was refused
        if (done) {
            CHECK(r == TERRAZZO_OK);
            CHECK(error == GL_NO_ERROR);
            CHECK(frame.at(69, 69) == 0xffff00ff);
        }
        refused += r != TERRAZZO_OK || error != GL_NO_ERROR;
        terrazzo_destroy_context(context);
        terrazzo_destroy_instance(instance);
        CHECK(memory.bytes == 0);
        CHECK(memory.blocks == 0);
    }
    CHECK(at < 200);
    CHECK(refused >= 4);
}
