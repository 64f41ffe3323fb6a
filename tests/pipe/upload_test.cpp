// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The upload suballocator: packing, growth, reuse of buffers that are no longer referenced, failures.
#include "pipe/upload/upload.h"

#include <doctest/doctest.h>

#include "tests/pipe/fake_device.h"

using namespace terrazzo::pipe;
using namespace terrazzo::pipe::fake;

namespace {

struct Fixture {
    MemoryScreen screen;
    MemoryContext context{screen};
};

UploaderDesc small() {
    UploaderDesc d;
    d.first_buffer_B = 64;
    d.largest_buffer_B = 256;
    return d;
}

}  // namespace

TEST_CASE_FIXTURE(Fixture, "upload: pieces follow each other, aligned, in one buffer") {
    Uploader up(context, small());
    const UploadSlice a = up.allocate(10, 4), b = up.allocate(4, 16);
    REQUIRE(a);
    REQUIRE(b);
    CHECK(a.buffer == b.buffer);
    CHECK(a.offset_B == 0);
    CHECK(b.offset_B == 16);
    CHECK(b.data == static_cast<MemoryResource&>(*b.buffer).bytes.data() + 16);
    const std::byte data[3] = {std::byte{1}, std::byte{2}, std::byte{3}};
    const UploadSlice c = up.upload(data, 1);
    CHECK(c.offset_B == 20);
    CHECK(static_cast<MemoryResource&>(*c.buffer).bytes[22] == 3);
    CHECK(screen.created == 1);
    CHECK(c.buffer->desc.usage == Usage::Dynamic);
}

TEST_CASE_FIXTURE(Fixture, "upload: buffers grow to the limit, larger pieces get their own") {
    Uploader up(context, small());
    uint32_t sizes[5];
    UploadSlice held[5];
    for (int i = 0; i < 5; ++i) {
        held[i] = up.allocate(i == 3 ? 1000 : 60, 4);
        REQUIRE(held[i]);
        sizes[i] = held[i].buffer->desc.width;
    }
    CHECK(sizes[0] == 64);
    CHECK(sizes[1] == 128);
    CHECK(sizes[2] == 128);  // has room for two pieces
    CHECK(sizes[3] == 1000);
    CHECK(sizes[4] == 256);
}

TEST_CASE_FIXTURE(Fixture, "upload: a buffer is reused only when it is no longer referenced") {
    Uploader up(context, small());
    UploadSlice a = up.allocate(64, 4);
    Resource* first = a.buffer.get();
    UploadSlice b = up.allocate(128, 4);
    CHECK(b.buffer.get() != first);
    UploadSlice c = up.allocate(64, 4);  // a still references its buffer
    CHECK(c.buffer.get() != first);
    CHECK(screen.created == 3);
    a = {};
    c = up.allocate(250, 4);  // too large for the free buffer
    CHECK(screen.created == 4);
    UploadSlice d = up.allocate(64, 4);
    CHECK(d.buffer.get() == first);
    CHECK(screen.created == 4);
}

TEST_CASE_FIXTURE(Fixture, "upload: steady use has a bounded number of buffers, and leaves no maps") {
    Ref<Resource> last;
    {
        Uploader up(context, small());
        for (int i = 0; i < 1000; ++i)
            REQUIRE(up.allocate(100, 16));
        CHECK(screen.created <= 4);
        last = up.allocate(100, 16).buffer;
        CHECK(static_cast<MemoryResource&>(*last).maps == 1);
    }
    CHECK(static_cast<MemoryResource&>(*last).maps == 0);
}

TEST_CASE_FIXTURE(Fixture, "upload: failure changes nothing") {
    Uploader up(context, small());
    const UploadSlice a = up.allocate(10, 4);
    REQUIRE(a);
    CHECK_FALSE(up.allocate(uint64_t(1) << 40, 4));
    CHECK_FALSE(up.allocate(~uint64_t(0), 4));
    context.maps_left = 0;
    CHECK_FALSE(up.allocate(64, 4));
    screen.resources_left = 0;
    CHECK_FALSE(up.allocate(64, 4));
    const UploadSlice b = up.allocate(10, 4);
    REQUIRE(b);
    CHECK(b.buffer == a.buffer);
    CHECK(b.offset_B == 12);
    up.release();
    context.maps_left = 5;
    screen.resources_left = 5;
    const UploadSlice c = up.allocate(10, 4);
    REQUIRE(c);
    CHECK(c.offset_B == 0);
}
