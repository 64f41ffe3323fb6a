// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Buffers of OpenGL ES 3.0: targets, indexed binding points, copies, and which calls wait for writes of the
// device.
#include <doctest/doctest.h>

#include <string>

#include "state_tracker/buffers/buffer.h"
#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

struct Es3Buffers : test::Harness {
    Es3Buffers() : Harness(test::es3()) {
        GenBuffers(ctx, 2, names);
        BindBuffer(ctx, GL_COPY_READ_BUFFER, names[0]);
        BufferData(ctx, GL_COPY_READ_BUFFER, 8, "abcdefgh", GL_STATIC_READ);
        BindBuffer(ctx, GL_COPY_WRITE_BUFFER, names[1]);
        BufferData(ctx, GL_COPY_WRITE_BUFFER, 8, "ABCDEFGH", GL_STREAM_COPY);
    }
    GLuint names[2] = {};
    static std::string contents(Buffer& b) {
        auto& r = static_cast<fake::FakeResource&>(*b.resource);
        return std::string(r.bytes.begin(), r.bytes.end());
    }
    GLint indexed(GLenum target, GLuint index) {
        GLint v = -77;
        GetIntegeri_v(ctx, target, index, &v);
        return v;
    }
};

}  // namespace

TEST_CASE("buffers have more targets and usages in OpenGL ES 3.0") {
    test::Harness old;
    GLuint b = 0;
    GenBuffers(old.ctx, 1, &b);
    for (const GLenum target : {GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, GL_PIXEL_PACK_BUFFER,
                                GL_PIXEL_UNPACK_BUFFER, GL_UNIFORM_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER}) {
        BindBuffer(old.ctx, target, b);
        CHECK(old.error() == GL_INVALID_ENUM);
    }
    BindBuffer(old.ctx, GL_ARRAY_BUFFER, b);
    BufferData(old.ctx, GL_ARRAY_BUFFER, 8, nullptr, GL_STATIC_READ);
    CHECK(old.error() == GL_INVALID_ENUM);

    Es3Buffers h;
    struct {
        GLenum target, name;
    } const kTargets[] = {{GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER_BINDING},
                          {GL_COPY_WRITE_BUFFER, GL_COPY_WRITE_BUFFER_BINDING},
                          {GL_PIXEL_PACK_BUFFER, GL_PIXEL_PACK_BUFFER_BINDING},
                          {GL_PIXEL_UNPACK_BUFFER, GL_PIXEL_UNPACK_BUFFER_BINDING},
                          {GL_UNIFORM_BUFFER, GL_UNIFORM_BUFFER_BINDING},
                          {GL_TRANSFORM_FEEDBACK_BUFFER, GL_TRANSFORM_FEEDBACK_BUFFER_BINDING}};
    for (const auto& t : kTargets) {
        BindBuffer(h.ctx, t.target, h.names[1]);
        CHECK(h.integer(t.name) == GLint(h.names[1]));
    }
    DeleteBuffers(h.ctx, 1, &h.names[1]);
    for (const auto& t : kTargets)
        CHECK(h.integer(t.name) == 0);
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("copies between buffers") {
    Es3Buffers h;
    CopyBufferSubData(h.ctx, GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 1, 4, 3);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.contents(*h.ctx.copy_write_buffer) == "ABCDbcdH");
    CHECK(h.ctx.copy_write_buffer->device_writes);
    CHECK(!h.ctx.copy_read_buffer->device_writes);
    const auto copy = [&](GLenum from, GLenum to, GLintptr read, GLintptr write, GLsizeiptr size) {
        CopyBufferSubData(h.ctx, from, to, read, write, size);
        return h.error();
    };
    CHECK(copy(GL_TEXTURE_2D, GL_COPY_WRITE_BUFFER, 0, 0, 1) == GL_INVALID_ENUM);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_TEXTURE_2D, 0, 0, 1) == GL_INVALID_ENUM);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_ARRAY_BUFFER, 0, 0, 1) == GL_INVALID_OPERATION);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, -1, 0, 1) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, -1, 1) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, -1) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 7, 0, 2) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 7, 2) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 0, 3, 4) == GL_INVALID_VALUE);
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_READ_BUFFER, 0, 4, 4) == GL_NO_ERROR);
    CHECK(h.contents(*h.ctx.copy_read_buffer) == "abcdabcd");
    CHECK(MapBufferRange(h.ctx, GL_COPY_READ_BUFFER, 0, 4, GL_MAP_READ_BIT));
    CHECK(copy(GL_COPY_READ_BUFFER, GL_COPY_WRITE_BUFFER, 0, 0, 1) == GL_INVALID_OPERATION);
    CHECK(UnmapBuffer(h.ctx, GL_COPY_READ_BUFFER));
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("reads of data that the device wrote wait; other calls do not") {
    Es3Buffers h;
    h.ctx.copy_write_buffer->device_writes = true;
    CHECK(MapBufferRange(h.ctx, GL_COPY_WRITE_BUFFER, 0, 8, GL_MAP_READ_BIT));
    CHECK(!(h.pipe().last_map_flags & pipe::map_flag::kUnsynchronized));
    CHECK(UnmapBuffer(h.ctx, GL_COPY_WRITE_BUFFER));
    CHECK(MapBufferRange(h.ctx, GL_COPY_READ_BUFFER, 0, 8, GL_MAP_READ_BIT));
    CHECK((h.pipe().last_map_flags & pipe::map_flag::kUnsynchronized));
    CHECK(UnmapBuffer(h.ctx, GL_COPY_READ_BUFFER));
    // New storage was written only by the CPU.
    BufferData(h.ctx, GL_COPY_WRITE_BUFFER, 16, nullptr, GL_STATIC_DRAW);
    CHECK(!h.ctx.copy_write_buffer->device_writes);
}

TEST_CASE("writes to a busy buffer do not read back the device's data") {
    Es3Buffers h;
    Buffer& b = *h.ctx.copy_write_buffer;
    const auto mapped_and_waited = [&] {
        return h.pipe().count("map") && !(h.pipe().last_map_flags & pipe::map_flag::kUnsynchronized);
    };
    // The device copies the bytes before and after the CPU's bytes.
    pipe::Ref<pipe::Resource> used = b.resource;
    b.device_writes = true;
    h.pipe().calls.clear();
    BufferSubData(h.ctx, GL_COPY_WRITE_BUFFER, 2, 3, "xyz");
    CHECK(b.resource.get() != used.get());
    CHECK(h.contents(b) == "ABxyzFGH");
    CHECK(h.pipe().count("copy_region") == 2);
    CHECK(!mapped_and_waited());
    CHECK(b.device_writes);  // only parts of the new storage
    // At the beginning and at the end there is only one range to copy.
    used = b.resource;
    h.pipe().calls.clear();
    BufferSubData(h.ctx, GL_COPY_WRITE_BUFFER, 0, 2, "ab");
    CHECK(h.contents(b) == "abxyzFGH");
    CHECK(h.pipe().count("copy_region") == 1);
    used = b.resource;
    BufferSubData(h.ctx, GL_COPY_WRITE_BUFFER, 7, 1, "h");
    CHECK(h.contents(b) == "abxyzFGh");
    CHECK(h.pipe().count("copy_region") == 2);
    // If all bytes are written, nothing is copied, and the contents are the CPU's.
    used = b.resource;
    h.pipe().calls.clear();
    BufferSubData(h.ctx, GL_COPY_WRITE_BUFFER, 0, 8, "01234567");
    CHECK(h.contents(b) == "01234567");
    CHECK(h.pipe().count("copy_region") == 0);
    CHECK(!b.device_writes);
    // A map waits for the device's copy.
    used = b.resource;
    b.device_writes = true;
    h.pipe().calls.clear();
    auto* const bytes =
        static_cast<char*>(MapBufferRange(h.ctx, GL_COPY_WRITE_BUFFER, 4, 2, GL_MAP_WRITE_BIT));
    REQUIRE(bytes);
    bytes[0] = 'm';
    CHECK(UnmapBuffer(h.ctx, GL_COPY_WRITE_BUFFER));
    CHECK(b.resource.get() != used.get());
    CHECK(h.contents(b) == "0123m567");
    CHECK(h.pipe().count("copy_region") == 1);
    CHECK(!b.device_writes);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.pipe().violations.empty());
}

TEST_CASE("indexed binding points") {
    Es3Buffers h;
    BindBufferBase(h.ctx, GL_UNIFORM_BUFFER, 3, h.names[0]);
    CHECK(h.integer(GL_UNIFORM_BUFFER_BINDING) == GLint(h.names[0]));
    CHECK(h.indexed(GL_UNIFORM_BUFFER_BINDING, 3) == GLint(h.names[0]));
    CHECK(h.indexed(GL_UNIFORM_BUFFER_START, 3) == 0);
    CHECK(h.indexed(GL_UNIFORM_BUFFER_SIZE, 3) == 0);
    CHECK(h.indexed(GL_UNIFORM_BUFFER_BINDING, 2) == 0);
    BindBufferRange(h.ctx, GL_UNIFORM_BUFFER, 4, h.names[1], 16, 5);
    BindBufferRange(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER, 1, h.names[1], 4, 8);
    CHECK(h.error() == GL_NO_ERROR);
    CHECK(h.indexed(GL_UNIFORM_BUFFER_START, 4) == 16);
    CHECK(h.indexed(GL_UNIFORM_BUFFER_SIZE, 4) == 5);
    GLint64 wide = 0;
    GetInteger64i_v(h.ctx, GL_TRANSFORM_FEEDBACK_BUFFER_SIZE, 1, &wide);
    CHECK(wide == 8);
    const auto range = [&](GLenum target, GLuint index, GLuint name, GLintptr offset, GLsizeiptr size) {
        BindBufferRange(h.ctx, target, index, name, offset, size);
        return h.error();
    };
    const GLuint bindings = GLuint(h.integer(GL_MAX_UNIFORM_BUFFER_BINDINGS));
    CHECK(bindings >= 24);
    CHECK(range(GL_ARRAY_BUFFER, 0, h.names[0], 0, 4) == GL_INVALID_ENUM);
    CHECK(range(GL_UNIFORM_BUFFER, bindings, h.names[0], 0, 4) == GL_INVALID_VALUE);
    CHECK(range(GL_TRANSFORM_FEEDBACK_BUFFER, 4, h.names[0], 0, 4) == GL_INVALID_VALUE);
    CHECK(range(GL_UNIFORM_BUFFER, 0, h.names[0], 0, 0) == GL_INVALID_VALUE);
    CHECK(range(GL_UNIFORM_BUFFER, 0, h.names[0], -16, 4) == GL_INVALID_VALUE);
    CHECK(range(GL_UNIFORM_BUFFER, 0, h.names[0], 1, 4) == GL_INVALID_VALUE);
    CHECK(range(GL_TRANSFORM_FEEDBACK_BUFFER, 0, h.names[0], 2, 4) == GL_INVALID_VALUE);
    CHECK(range(GL_TRANSFORM_FEEDBACK_BUFFER, 0, h.names[0], 0, 6) == GL_INVALID_VALUE);
    CHECK(range(GL_UNIFORM_BUFFER, 0, 0, 0, 0) == GL_NO_ERROR);
    BindBufferBase(h.ctx, GL_ELEMENT_ARRAY_BUFFER, 0, h.names[0]);
    CHECK(h.error() == GL_INVALID_ENUM);
    GLint v = 0;
    GetIntegeri_v(h.ctx, GL_UNIFORM_BUFFER_BINDING, bindings, &v);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetIntegeri_v(h.ctx, GL_VIEWPORT, 0, &v);
    CHECK(h.error() == GL_INVALID_ENUM);
    DeleteBuffers(h.ctx, 1, &h.names[0]);
    CHECK(h.indexed(GL_UNIFORM_BUFFER_BINDING, 3) == 0);
}

TEST_CASE("parameters of buffers have 64 bits") {
    Es3Buffers h;
    GLint64 size = 0;
    GetBufferParameteri64v(h.ctx, GL_COPY_READ_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(size == 8);
    GetBufferParameteri64v(h.ctx, GL_COPY_READ_BUFFER, GL_VIEWPORT, &size);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetBufferParameteri64v(h.ctx, GL_TEXTURE_2D, GL_BUFFER_SIZE, &size);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetBufferParameteri64v(h.ctx, GL_ARRAY_BUFFER, GL_BUFFER_SIZE, &size);
    CHECK(h.error() == GL_INVALID_OPERATION);
}
