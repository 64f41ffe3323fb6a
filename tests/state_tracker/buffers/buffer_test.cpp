// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include "state_tracker/buffers/buffer.h"
#include "state_tracker/vertices/vertex_array.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct BufferHarness : test::Harness {
    BufferHarness() {
        GenBuffers(ctx, 1, &name);
        BindBuffer(ctx, GL_ARRAY_BUFFER, name);
        BufferData(ctx, GL_ARRAY_BUFFER, 8, "abcdefgh", GL_STATIC_DRAW);
    }
    GLuint name = 0;
    Buffer& buffer() { return *ctx.array_buffer; }
    std::string contents() {
        auto& r = static_cast<fake::FakeResource&>(*buffer().resource);
        return std::string(r.bytes.begin(), r.bytes.end());
    }
    GLint parameter(GLenum pname) {
        GLint v = -77;
        GetBufferParameteriv(ctx, GL_ARRAY_BUFFER, pname, &v);
        return v;
    }
};

}  // namespace

TEST_CASE("names become buffers when they are bound") {
    test::Harness h;
    GLuint names[3] = {};
    GenBuffers(h.ctx, 3, names);
    CHECK(names[0] != 0);
    CHECK(names[0] != names[1]);
    CHECK(IsBuffer(h.ctx, names[0]) == GL_FALSE);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, names[0]);
    CHECK(IsBuffer(h.ctx, names[0]) == GL_TRUE);
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 4711);  // ES 2.0: the application may choose names
    CHECK(IsBuffer(h.ctx, 4711) == GL_TRUE);
    CHECK(IsBuffer(h.ctx, 0) == GL_FALSE);
    DeleteBuffers(h.ctx, 3, names);
    CHECK(IsBuffer(h.ctx, names[0]) == GL_FALSE);
    const GLuint zero_and_unknown[] = {0, 999};
    DeleteBuffers(h.ctx, 2, zero_and_unknown);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("data and parts of it are stored") {
    BufferHarness h;
    CHECK(h.contents() == "abcdefgh");
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 2, 3, "XYZ");
    CHECK(h.contents() == "abXYZfgh");
    CHECK(h.parameter(GL_BUFFER_SIZE) == 8);
    CHECK(h.parameter(GL_BUFFER_USAGE) == GL_STATIC_DRAW);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 2, "no", GL_STREAM_DRAW);
    CHECK(h.contents() == "no");
    CHECK(h.parameter(GL_BUFFER_SIZE) == 2);
    CHECK(h.parameter(GL_BUFFER_USAGE) == GL_STREAM_DRAW);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 0, nullptr, GL_STREAM_DRAW);
    CHECK(h.parameter(GL_BUFFER_SIZE) == 0);
    CHECK(h.buffer().resource.get() == nullptr);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().violations.empty());
    CHECK(h.pipe().maps == 0);
}

TEST_CASE("an idle buffer keeps its storage, a busy one gets a copy") {
    BufferHarness h;
    pipe::Resource* first = h.buffer().resource.get();
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 0, 1, "1");
    BufferData(h.ctx, GL_ARRAY_BUFFER, 8, "23456789", GL_STATIC_DRAW);
    CHECK(h.buffer().resource.get() == first);
    pipe::Ref<pipe::Resource> work(first);  // a reference as unfinished work has it
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 1, 2, "XY");
    CHECK(h.buffer().resource.get() != first);
    CHECK(h.contents() == "2XY56789");
    auto& old = static_cast<fake::FakeResource&>(*work);
    CHECK(std::string(old.bytes.begin(), old.bytes.end()) == "23456789");
    work = h.buffer().resource;
    BufferData(h.ctx, GL_ARRAY_BUFFER, 8, "abcdefgh", GL_STATIC_DRAW);
    CHECK(h.buffer().resource != work);
}

TEST_CASE("when memory runs out a buffer stays unchanged") {
    BufferHarness h;
    h.screen.fail_after = 0;
    BufferData(h.ctx, GL_ARRAY_BUFFER, 100, nullptr, GL_DYNAMIC_DRAW);
    CHECK(h.error() == GL_OUT_OF_MEMORY);
    CHECK(h.contents() == "abcdefgh");
    CHECK(h.parameter(GL_BUFFER_SIZE) == 8);
    CHECK(h.parameter(GL_BUFFER_USAGE) == GL_STATIC_DRAW);
    pipe::Ref<pipe::Resource> work = h.buffer().resource;
    h.screen.fail_after = 0;
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 1, 2, "XY");
    CHECK(h.error() == GL_OUT_OF_MEMORY);
    CHECK(h.contents() == "abcdefgh");
}

TEST_CASE("maps are writable memory until they end") {
    BufferHarness h;
    CHECK(h.parameter(GL_BUFFER_MAPPED_OES) == 0);
    void* p = MapBuffer(h.ctx, GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES);
    REQUIRE(p);
    void* queried = nullptr;
    GetBufferPointerv(h.ctx, GL_ARRAY_BUFFER, GL_BUFFER_MAP_POINTER_OES, &queried);
    CHECK(queried == p);
    CHECK(h.parameter(GL_BUFFER_MAPPED_OES) == 1);
    CHECK(h.parameter(GL_BUFFER_ACCESS_OES) == GL_WRITE_ONLY_OES);
    CHECK(MapBuffer(h.ctx, GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) == nullptr);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 0, 1, "!");
    CHECK(h.error() == GL_INVALID_OPERATION);
    std::memcpy(p, "mapped", 6);
    CHECK(UnmapBuffer(h.ctx, GL_ARRAY_BUFFER) == GL_TRUE);
    CHECK(h.contents() == "mappedgh");
    CHECK(h.pipe().maps == 0);
    // New data ends a map.
    CHECK(MapBuffer(h.ctx, GL_ARRAY_BUFFER, GL_WRITE_ONLY_OES) != nullptr);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 8, "ABCDEFGH", GL_STATIC_DRAW);
    CHECK(h.parameter(GL_BUFFER_MAPPED_OES) == 0);
    CHECK(h.contents() == "ABCDEFGH");
    CHECK(h.pipe().maps == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("ranges are mapped by the rules of EXT_map_buffer_range") {
    struct {
        GLintptr offset;
        GLsizeiptr length;
        GLbitfield access;
        GLenum code;
    } const rows[] = {
        {-1, 1, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {0, -1, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {4, 5, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {PTRDIFF_MAX, PTRDIFF_MAX, GL_MAP_READ_BIT_EXT, GL_INVALID_VALUE},
        {0, 4, GL_MAP_READ_BIT_EXT | 0x8000, GL_INVALID_VALUE},
        {0, 4, 0, GL_INVALID_OPERATION},
        {0, 4, GL_MAP_INVALIDATE_RANGE_BIT_EXT, GL_INVALID_OPERATION},
        {0, 0, GL_MAP_READ_BIT_EXT, GL_INVALID_OPERATION},
        {0, 4, GL_MAP_READ_BIT_EXT | GL_MAP_INVALIDATE_RANGE_BIT_EXT, GL_INVALID_OPERATION},
        {0, 4, GL_MAP_READ_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT, GL_INVALID_OPERATION},
        {0, 4, GL_MAP_READ_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT, GL_INVALID_OPERATION},
        {0, 4, GL_MAP_READ_BIT_EXT | GL_MAP_FLUSH_EXPLICIT_BIT_EXT, GL_INVALID_OPERATION},
        {2, 4, GL_MAP_READ_BIT_EXT, GL_NO_ERROR},
        {2, 4, GL_MAP_READ_BIT_EXT | GL_MAP_WRITE_BIT_EXT, GL_NO_ERROR},
        {2, 4, GL_MAP_WRITE_BIT_EXT | GL_MAP_INVALIDATE_BUFFER_BIT_EXT | GL_MAP_UNSYNCHRONIZED_BIT_EXT,
         GL_NO_ERROR},
    };
    for (const auto& r : rows) {
        BufferHarness h;
        CAPTURE(r.offset);
        CAPTURE(r.length);
        CAPTURE(r.access);
        void* p = MapBufferRange(h.ctx, GL_ARRAY_BUFFER, r.offset, r.length, r.access);
        CHECK(h.error() == r.code);
        CHECK((p != nullptr) == (r.code == GL_NO_ERROR));
        if (!p) continue;
        CHECK(std::memcmp(p, "cdef", 4) == 0);
        CHECK(h.parameter(GL_BUFFER_MAP_OFFSET) == 2);
        CHECK(h.parameter(GL_BUFFER_MAP_LENGTH) == 4);
        CHECK(GLbitfield(h.parameter(GL_BUFFER_ACCESS_FLAGS)) == r.access);
    }
}

TEST_CASE("explicit flushes stay inside the map") {
    BufferHarness h;
    MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 2, 4, GL_MAP_WRITE_BIT_EXT);
    FlushMappedBufferRange(h.ctx, GL_ARRAY_BUFFER, 0, 1);
    CHECK(h.error() == GL_INVALID_OPERATION);
    UnmapBuffer(h.ctx, GL_ARRAY_BUFFER);
    MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 2, 4, GL_MAP_WRITE_BIT_EXT | GL_MAP_FLUSH_EXPLICIT_BIT_EXT);
    FlushMappedBufferRange(h.ctx, GL_ARRAY_BUFFER, -1, 1);
    CHECK(h.error() == GL_INVALID_VALUE);
    FlushMappedBufferRange(h.ctx, GL_ARRAY_BUFFER, 1, 4);
    CHECK(h.error() == GL_INVALID_VALUE);
    FlushMappedBufferRange(h.ctx, GL_ARRAY_BUFFER, 1, 3);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("a map for writing does not change the data of unfinished work") {
    BufferHarness h;
    pipe::Ref<pipe::Resource> work = h.buffer().resource;
    char* p = static_cast<char*>(MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 0, 8, GL_MAP_WRITE_BIT_EXT));
    REQUIRE(p);
    CHECK(std::memcmp(p, "abcdefgh", 8) == 0);
    p[0] = '#';
    UnmapBuffer(h.ctx, GL_ARRAY_BUFFER);
    CHECK(h.contents() == "#bcdefgh");
    CHECK(static_cast<fake::FakeResource&>(*work).bytes[0] == 'a');
}

TEST_CASE("a deleted buffer is unbound in this context, and lives while another vertex array uses it") {
    BufferHarness h;
    GLuint arrays[1];
    GenVertexArrays(h.ctx, 1, arrays);
    BindVertexArray(h.ctx, arrays[0]);
    VertexAttribPointer(h.ctx, 3, 4, GL_FLOAT, 0, 0, nullptr);
    BindVertexArray(h.ctx, 0);
    VertexAttribPointer(h.ctx, 2, 4, GL_FLOAT, 0, 0, nullptr);
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, h.name);
    DeleteBuffers(h.ctx, 1, &h.name);
    CHECK(h.integer(GL_ARRAY_BUFFER_BINDING) == 0);
    CHECK(h.integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) == 0);
    GLint binding = -1;
    GetVertexAttribiv(h.ctx, 2, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &binding);
    CHECK(binding == 0);
    BindVertexArray(h.ctx, arrays[0]);
    GetVertexAttribiv(h.ctx, 3, GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING, &binding);
    CHECK(GLuint(binding) == h.name);
    CHECK(IsBuffer(h.ctx, h.name) == GL_FALSE);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("contexts of a share group see the same buffers") {
    BufferHarness h;
    auto other = Context::create(h.screen, &h.ctx, {});
    CHECK(IsBuffer(*other, h.name) == GL_TRUE);
    BindBuffer(*other, GL_ARRAY_BUFFER, h.name);
    CHECK(other->array_buffer == h.ctx.array_buffer);
    DeleteBuffers(*other, 1, &h.name);
    CHECK(h.contents() == "abcdefgh");  // it is still bound here
    // The name is free: binding it creates a new buffer.
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, h.name);
    CHECK(h.buffer().size_B == 0);
}

TEST_CASE("vertex attributes: defaults, current values and queries") {
    test::Harness h;
    GLfloat f[4] = {9, 9, 9, 9};
    GetVertexAttribfv(h.ctx, 5, GL_CURRENT_VERTEX_ATTRIB, f);
    CHECK(f[0] == 0);
    CHECK(f[3] == 1);
    VertexAttrib2f(h.ctx, 5, 1.5f, -2.5f);
    GetVertexAttribfv(h.ctx, 5, GL_CURRENT_VERTEX_ATTRIB, f);
    CHECK(f[0] == 1.5f);
    CHECK(f[1] == -2.5f);
    CHECK(f[2] == 0);
    CHECK(f[3] == 1);
    GLint n[4];
    GetVertexAttribiv(h.ctx, 5, GL_CURRENT_VERTEX_ATTRIB, n);
    CHECK(n[0] == 2);
    CHECK(n[3] == 1);
    auto get = [&](GLenum pname) {
        GLint v = -77;
        GetVertexAttribiv(h.ctx, 5, pname, &v);
        return v;
    };
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 0);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_SIZE) == 4);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_TYPE) == GL_FLOAT);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_STRIDE) == 0);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED) == 0);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_BUFFER_BINDING) == 0);
    EnableVertexAttribArray(h.ctx, 5);
    const char data[16] = {};
    VertexAttribPointer(h.ctx, 5, 3, GL_UNSIGNED_SHORT, GL_TRUE, 10, data);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 1);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_SIZE) == 3);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_TYPE) == GL_UNSIGNED_SHORT);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_STRIDE) == 10);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_NORMALIZED) == 1);
    void* p = nullptr;
    GetVertexAttribPointerv(h.ctx, 5, GL_VERTEX_ATTRIB_ARRAY_POINTER, &p);
    CHECK(p == data);
    // A command in error changes nothing.
    VertexAttribPointer(h.ctx, 5, 9, GL_FLOAT, GL_FALSE, 0, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_SIZE) == 3);
    DisableVertexAttribArray(h.ctx, 5);
    CHECK(get(GL_VERTEX_ATTRIB_ARRAY_ENABLED) == 0);
}

TEST_CASE("each vertex array has its own state; deletion of the bound one binds 0") {
    test::Harness h;
    GLuint va[2];
    GenVertexArrays(h.ctx, 2, va);
    CHECK(IsVertexArray(h.ctx, va[0]) == GL_FALSE);
    BindVertexArray(h.ctx, va[0]);
    CHECK(IsVertexArray(h.ctx, va[0]) == GL_TRUE);
    CHECK(h.integer(GL_VERTEX_ARRAY_BINDING_OES) == GLint(va[0]));
    EnableVertexAttribArray(h.ctx, 1);
    BindBuffer(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 5);
    BindVertexArray(h.ctx, va[1]);
    GLint on = -1;
    GetVertexAttribiv(h.ctx, 1, GL_VERTEX_ATTRIB_ARRAY_ENABLED, &on);
    CHECK(on == 0);
    CHECK(h.integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) == 0);
    BindVertexArray(h.ctx, va[0]);
    CHECK(h.integer(GL_ELEMENT_ARRAY_BUFFER_BINDING) == 5);
    DeleteVertexArrays(h.ctx, 2, va);
    CHECK(h.integer(GL_VERTEX_ARRAY_BINDING_OES) == 0);
    CHECK(IsVertexArray(h.ctx, va[0]) == GL_FALSE);
    BindVertexArray(h.ctx, va[0]);
    CHECK(h.error() == GL_INVALID_OPERATION);
}

TEST_CASE("EXT_buffer_storage") {
    test::Harness h;
    const GLubyte bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 1);
    auto make = [&](GLsizeiptr size, GLbitfield flags) {
        BufferStorage(h.ctx, GL_ARRAY_BUFFER, size, bytes, flags);
        return h.error();
    };
    CHECK(make(0, GL_MAP_READ_BIT) == GL_INVALID_VALUE);
    CHECK(make(8, 1u << 20) == GL_INVALID_VALUE);
    CHECK(make(8, GL_MAP_PERSISTENT_BIT_EXT) == GL_INVALID_VALUE);
    CHECK(make(8, GL_MAP_READ_BIT | GL_MAP_COHERENT_BIT_EXT) == GL_INVALID_VALUE);
    const GLbitfield access = GL_MAP_WRITE_BIT | GL_MAP_PERSISTENT_BIT_EXT | GL_MAP_COHERENT_BIT_EXT;
    CHECK(make(8, access) == GL_NO_ERROR);
    CHECK(make(8, access) == GL_INVALID_OPERATION);
    GLint value = 0;
    GetBufferParameteriv(h.ctx, GL_ARRAY_BUFFER, GL_BUFFER_IMMUTABLE_STORAGE_EXT, &value);
    CHECK(value == 1);
    GetBufferParameteriv(h.ctx, GL_ARRAY_BUFFER, GL_BUFFER_STORAGE_FLAGS_EXT, &value);
    CHECK(value == GLint(access));
    BufferData(h.ctx, GL_ARRAY_BUFFER, 8, bytes, GL_STATIC_DRAW);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 0, 1, bytes);
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 0, 8, GL_MAP_READ_BIT) == nullptr);
    CHECK(h.error() == GL_INVALID_OPERATION);
    // Draws may use it while it is mapped.
    void* const p = MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 0, 8, access);
    REQUIRE(p);
    CHECK(static_cast<GLubyte*>(p)[7] == 8);
    UseProgram(h.ctx, h.simple_program());
    VertexAttribPointer(h.ctx, 0, 2, GL_BYTE, GL_FALSE, 0, nullptr);
    EnableVertexAttribArray(h.ctx, 0);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().draws.size() == 1);
    CHECK(UnmapBuffer(h.ctx, GL_ARRAY_BUFFER) == GL_TRUE);
    // Changes during a map are visible through the pointer.
    BindBuffer(h.ctx, GL_ARRAY_BUFFER, 2);
    CHECK(make(8, access | GL_DYNAMIC_STORAGE_BIT_EXT) == GL_NO_ERROR);
    void* const q = MapBufferRange(h.ctx, GL_ARRAY_BUFFER, 0, 8, access);
    REQUIRE(q);
    VertexAttribPointer(h.ctx, 0, 2, GL_BYTE, GL_FALSE, 0, nullptr);
    DrawArrays(h.ctx, GL_TRIANGLES, 0, 3);
    BufferSubData(h.ctx, GL_ARRAY_BUFFER, 2, 1, bytes + 7);
    CHECK(static_cast<GLubyte*>(q)[2] == 8);
    BufferData(h.ctx, GL_ARRAY_BUFFER, 8, bytes, GL_STATIC_DRAW);
    CHECK(h.error() == GL_INVALID_OPERATION);
    CHECK(UnmapBuffer(h.ctx, GL_ARRAY_BUFFER) == GL_TRUE);
    CHECK(h.pipe().violations.empty());
}
