// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Draws and dispatches with parameters in buffers (OpenGL ES 3.1 sections 10.5 and 17), and their errors.
#include <doctest/doctest.h>

#include "state_tracker/buffers/buffer.h"
#include "tests/state_tracker/draws/draw_harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

const void* at(uintptr_t offset) {
    return reinterpret_cast<const void*>(offset);
}

/// Six vertices in an array object, and parameters at offset 4 of a buffer.
struct Indirect : test::DrawHarness {
    Indirect() : DrawHarness(test::es31()) {
        GLuint array = 0;
        GenVertexArrays(ctx, 1, &array);
        BindVertexArray(ctx, array);
        GenBuffers(ctx, 1, &parameters);
        buffer_vertices();
    }
    GLuint parameters = 0;
    void set(std::initializer_list<GLuint> words, GLenum target = GL_DRAW_INDIRECT_BUFFER) {
        BindBuffer(ctx, target, parameters);
        BufferData(ctx, target, GLsizeiptr(words.size() * 4), words.begin(), GL_STATIC_DRAW);
    }
    template <class F>
    GLenum error_of(F&& f) {
        f();
        return error();
    }
};

}  // namespace

TEST_CASE("draws read parameters from a buffer") {
    Indirect h;
    h.set({99, 3, 5, 2, 0});
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(4));
    CHECK(h.error() == GL_NO_ERROR);
    REQUIRE(h.pipe().draws.size() == 1);
    CHECK(h.last().ranges[0].first == 2);
    CHECK(h.last().ranges[0].count == 3);
    CHECK(h.last().info.instance_count == 5);

    const GLushort indices[] = {0, 1, 2, 3, 4, 5};
    GLuint elements = 0;
    GenBuffers(h.ctx, 1, &elements);
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, elements);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    h.set({3, 4, 2, GLuint(-1), 0});
    DrawElementsIndirect(h.ctx, GL_TRIANGLES, GL_UNSIGNED_SHORT, at(0));
    CHECK(h.error() == GL_NO_ERROR);
    REQUIRE(h.pipe().draws.size() == 2);
    CHECK(h.last().info.index_offset_B == 4);
    CHECK(h.last().ranges[0].count == 3);
    CHECK(h.last().ranges[0].index_bias == -1);
    CHECK(h.last().info.instance_count == 4);
    // No vertices, and more than possible.
    h.set({3, 0, 0, 0, 0});
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0));
    h.set({~0u, 1, 0, 0, 0});
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0));
    CHECK(h.pipe().draws.size() == 2);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("parameters that the device writes are waited for") {
    Indirect h;
    h.set({3, 1, 0, 0});
    h.ctx.draw_indirect_buffer->device_writes = true;
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0));
    CHECK(!(h.pipe().last_map_flags & pipe::map_flag::kUnsynchronized));
    CHECK(h.pipe().violations.empty());
    CHECK(h.pipe().draws.size() == 1);
}

TEST_CASE("a GPU reads the parameters that it wrote itself") {
    Indirect h;
    h.screen.mutable_caps().reads_indirect_parameters = true;
    h.set({99, 3, 1, 0, 0});
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(4));
    CHECK(!h.last().info.indirect.resource);  // the CPU wrote them
    h.ctx.draw_indirect_buffer->device_writes = true;
    DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(4));
    REQUIRE(h.pipe().draws.size() == 2);
    CHECK(h.last().info.indirect.resource == h.ctx.draw_indirect_buffer->resource.get());
    CHECK(h.last().info.indirect.offset_B == 4);
    CHECK(h.last().info.indirect.size_B == 16);
    CHECK(h.last().info.index_type == pipe::IndexType::None);
    CHECK(h.last().ranges.empty());
    const GLushort indices[] = {0, 1, 2};
    GLuint elements = 0;
    GenBuffers(h.ctx, 1, &elements);
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, elements);
    BufferData(h.ctx, GL_ELEMENT_ARRAY_BUFFER, sizeof indices, indices, GL_STATIC_DRAW);
    DrawElementsIndirect(h.ctx, GL_TRIANGLES, GL_UNSIGNED_SHORT, at(0));
    CHECK(h.last().info.indirect.size_B == 20);
    CHECK(h.last().info.index_type == pipe::IndexType::U16);
    CHECK(h.last().info.index_buffer);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(8)); }) == GL_INVALID_OPERATION);
    CHECK(h.pipe().draws.size() == 3);
}

TEST_CASE("errors of indirect draws") {
    Indirect h;
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0)); }) == GL_INVALID_OPERATION);
    h.set({3, 1, 0, 0, 0});
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, 77, at(0)); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(2)); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(8)); }) == GL_INVALID_OPERATION);
    CHECK(h.error_of([&] { DrawElementsIndirect(h.ctx, GL_TRIANGLES, GL_FLOAT, at(0)); }) == GL_INVALID_ENUM);
    CHECK(h.error_of([&] { DrawElementsIndirect(h.ctx, GL_TRIANGLES, GL_UNSIGNED_INT, at(0)); }) ==
          GL_INVALID_OPERATION);  // no index buffer
    EnableVertexAttribArray(h.ctx, h.location + 1);
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0)); }) == GL_INVALID_OPERATION);
    DisableVertexAttribArray(h.ctx, h.location + 1);
    MapBufferRange(h.ctx, GL_DRAW_INDIRECT_BUFFER, 0, 4, GL_MAP_READ_BIT);
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0)); }) == GL_INVALID_OPERATION);
    UnmapBuffer(h.ctx, GL_DRAW_INDIRECT_BUFFER);
    BindVertexArray(h.ctx, 0);
    CHECK(h.error_of([&] { DrawArraysIndirect(h.ctx, GL_TRIANGLES, at(0)); }) == GL_INVALID_OPERATION);
    CHECK(h.pipe().draws.empty());
}

TEST_CASE("errors of dispatches and barriers") {
    Indirect h;
    CHECK(h.error_of([&] { DispatchCompute(h.ctx, 65536, 1, 1); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { DispatchCompute(h.ctx, 1, 1, 1); }) ==
          GL_INVALID_OPERATION);  // there is no compute shader
    CHECK(h.error_of([&] { DispatchComputeIndirect(h.ctx, 0); }) == GL_INVALID_OPERATION);
    h.set({1, 1, 1}, GL_DISPATCH_INDIRECT_BUFFER);
    CHECK(h.error_of([&] { DispatchComputeIndirect(h.ctx, -4); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { DispatchComputeIndirect(h.ctx, 2); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { DispatchComputeIndirect(h.ctx, 4); }) == GL_INVALID_OPERATION);
    CHECK(h.error_of([&] { MemoryBarrier(h.ctx, GL_ALL_BARRIER_BITS); }) == GL_NO_ERROR);
    CHECK(h.error_of([&] { MemoryBarrier(h.ctx, GL_UNIFORM_BARRIER_BIT | 0x100000); }) == GL_INVALID_VALUE);
    CHECK(h.error_of([&] { MemoryBarrierByRegion(h.ctx, GL_ELEMENT_ARRAY_BARRIER_BIT); }) ==
          GL_INVALID_VALUE);
    CHECK(h.error_of([&] { MemoryBarrierByRegion(h.ctx, GL_ALL_BARRIER_BITS); }) == GL_NO_ERROR);
    CHECK(h.pipe().dispatches.empty());
    CHECK(h.pipe().count("memory_barrier") == 0);  // no shader has stored anything
}
