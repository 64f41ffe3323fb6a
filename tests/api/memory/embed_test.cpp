// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// terrazzo.h if the caller's allocator, or malloc, fails permanently from its k-th call on. Every entry point
// returns an error and ends nothing, destroying works, and all memory is released.
#include <doctest/doctest.h>

#include <string>
#include <thread>

#include "tests/api/embed/program.h"
#include "tests/api/memory/failing_malloc.h"

using namespace embed_test;

namespace {

bool is_error(terrazzo_result r) {
    return r == TERRAZZO_OK || r == TERRAZZO_OUT_OF_MEMORY;
}

/// A lifetime, in which any call may fail. True if all calls succeeded.
bool live(CountingAllocator& memory, const Gl& gl, Frame& frame, Frame& large, bool thread_ends) {
    const terrazzo_allocator a = memory.get();
    const terrazzo_instance_desc d{sizeof d, &a, 1, 0, nullptr, nullptr, nullptr};
    terrazzo_instance* instance = nullptr;
    terrazzo_context *context = nullptr, *other = nullptr;
    terrazzo_target t = frame.target();
    bool good = true;
    const auto step = [&](terrazzo_result r) {
        if (!is_error(r)) std::abort();
        good = good && r == TERRAZZO_OK;
        return r == TERRAZZO_OK;
    };
    const auto draw = [&](GLint size) {
        GLuint texture = 0, buffer = 0;
        gl.GenTextures(1, &texture);
        gl.BindTexture(GL_TEXTURE_2D, texture);
        gl.TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, size, size, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
        gl.GenBuffers(1, &buffer);
        gl.BindBuffer(GL_ARRAY_BUFFER, buffer);
        gl.BufferData(GL_ARRAY_BUFFER, 1000, nullptr, GL_STATIC_DRAW);
        gl.BindBuffer(GL_ARRAY_BUFFER, 0);
        clear(gl, 1, 1, 0, 1);
        gl.Enable(GL_SCISSOR_TEST);
        gl.Scissor(0, 0, 2, 2);
        clear(gl, 0, 1, 0, 1);
        const GLenum error = gl.GetError();
        if (error == GL_INVALID_FRAMEBUFFER_OPERATION && !good) return;  // it got no target
        if (error != GL_NO_ERROR && error != GL_OUT_OF_MEMORY) std::abort();
        good = good && error == GL_NO_ERROR;
    };
    if (step(terrazzo_create_instance(&d, &instance))) {
        if (step(terrazzo_create_context(instance, nullptr, &context))) {
            const terrazzo_context_desc shares{sizeof shares, context, 24, 8, 1, 1};
            (void)step(terrazzo_create_context(instance, &shares, &other));
            (void)step(terrazzo_set_target(context, &t));
            if (other) (void)step(terrazzo_set_target(other, &t));
            const auto frames = [&] {
                if (!step(terrazzo_make_current(context))) return;
                draw(32);
                (void)step(terrazzo_finish(context));
                draw(64);
                t = large.target();
                (void)step(terrazzo_set_target(context, &t));
                if (other && step(terrazzo_make_current(other))) draw(16);
                if (step(terrazzo_make_current(nullptr)) && step(terrazzo_make_current(context))) draw(8);
            };
            if (thread_ends)
                std::thread(frames).join();  // with the context current
            else
                frames();
        }
        terrazzo_destroy_context(other);
        terrazzo_destroy_context(context);
        terrazzo_destroy_instance(instance);
    }
    return good;
}

}  // namespace

TEST_CASE("no memory: the caller's allocator, from each call on") {
    const Gl gl;
    for (const bool thread_ends : {false, true}) {
        CAPTURE(thread_ends);
        int refused = 0;
        bool done = false;
        for (int from = 0; !done && from < 1000; ++from) {
            CAPTURE(from);
            CountingAllocator memory;
            memory.fail_from = from;
            Frame frame(70, 70), large(200, 130);
            const bool good = live(memory, gl, frame, large, thread_ends);
            done = memory.calls <= from;
            CHECK(good == done);
            CHECK(memory.bytes == 0);
            CHECK(memory.blocks == 0);
            if (done) CHECK(frame.at(69, 0) == 0xffff00ff);
            refused += !done;
        }
        CHECK(done);
        CHECK(refused > 15);
    }
}

TEST_CASE("no memory: malloc below terrazzo.h, from each call on") {
    static const Gl gl;
    static Frame frame(70, 70), large(200, 130);
    const auto run = [] {
        CountingAllocator memory;
        return live(memory, gl, frame, large, false) && memory.blocks == 0;
    };
    long refused = 0;
    const std::string wrong =
        no_memory::sweep({"the embedding API", {}, [&] { (void)run(); }, run}, 200, 7, &refused);
    CHECK_MESSAGE(wrong.empty(), wrong);
    CHECK(refused > 50);
}
