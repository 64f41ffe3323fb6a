// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A context with a program that reads "position", and the recorded calls to the pipe.
#pragma once

#include <string>
#include <vector>

#include "tests/state_tracker/harness.h"

namespace terrazzo::test {

using namespace st;
using Calls = std::vector<std::string>;

struct DrawHarness : Harness {
    GLuint p;
    explicit DrawHarness(st::ContextConfig config = {}) : Harness(config), p(simple_program()) {
        REQUIRE(linked(p));
        UseProgram(ctx, p);
        location = GLuint(GetAttribLocation(ctx, p, "position"));
    }
    GLuint location;
    /// A buffer of 6 vertices (x, y) = (i, 10 + i), enabled for "position".
    void buffer_vertices() {
        GLfloat v[12];
        for (int i = 0; i < 6; ++i)
            v[2 * i] = float(i), v[2 * i + 1] = float(10 + i);
        BindBuffer(ctx, GL_ARRAY_BUFFER, 1);
        BufferData(ctx, GL_ARRAY_BUFFER, sizeof v, v, GL_STATIC_DRAW);
        VertexAttribPointer(ctx, location, 2, GL_FLOAT, GL_FALSE, 0, nullptr);
        EnableVertexAttribArray(ctx, location);
    }
    const fake::FakeContext::Draw& last() { return pipe().draws.back(); }
    /// The bytes of the element that vertex `i` of the last draw reads at the location.
    const float* fetch(uint32_t vertex, unsigned loc) {
        const pipe::VertexElement& e = pipe().layout_desc().elements[loc];
        const pipe::VertexBuffer& b = last().vertex_buffers[e.buffer];
        auto& r = static_cast<fake::FakeResource&>(*b.resource);
        uint64_t at = b.offset_B + uint64_t(vertex) * b.stride_B + e.offset_B;
        REQUIRE(at + 8 <= r.bytes.size());
        return reinterpret_cast<const float*>(r.bytes.data() + at);
    }
    /// The pipe calls during `f`.
    template <class F>
    Calls calls(F&& f) {
        pipe().calls.clear();
        f();
        return pipe().calls;
    }
};

}  // namespace terrazzo::test
