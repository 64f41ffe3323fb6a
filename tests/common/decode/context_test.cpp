// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/decode/context.h"

#include <doctest/doctest.h>

#include "tests/common/fields/example.h"

namespace terrazzo::decode {

namespace {

struct Plain final : Context {
    using Context::Context;
};

}  // namespace

TEST_CASE("decode: a stream's own stores hide the memory's values") {
    capture::Ranges memory;
    memory.put(0x1000, std::vector<uint8_t>(16, 1));
    fields::StringSink sink;
    Plain context(memory, sink, 10);
    CHECK(context.store(0x1004, 0x55443322));
    CHECK_FALSE(context.store(0x1002, 0));  // not aligned
    CHECK_FALSE(context.store(0x2000, 0));  // not mapped
    uint8_t bytes[6];
    REQUIRE(context.read(0x1003, bytes, sizeof bytes));
    const uint8_t want[6] = {1, 0x22, 0x33, 0x44, 0x55, 1};
    for (unsigned i = 0; i < sizeof bytes; ++i)
        CHECK(bytes[i] == want[i]);
    CHECK_FALSE(context.read(0x100f, bytes, 2));
}

TEST_CASE("decode: the number of lines is limited") {
    capture::Ranges memory;
    fields::StringSink sink;
    Plain context(memory, sink, 2);
    for (int i = 0; i < 5; ++i)
        context.print(1, "%d", i);
    CHECK(context.full());
    CHECK(sink.text == "  0\n  1\n! more lines than are printed\n");
    CHECK(context.first_time('a', 1));
    CHECK_FALSE(context.first_time('a', 1));
    CHECK(context.first_time('b', 1));
}

TEST_CASE("decode: descriptors are printed with their errors") {
    capture::Ranges memory;
    const uint8_t bytes[8] = {5, 0, 0, 0x80, 1, 0, 0, 0};
    memory.put(0x1002, bytes);
    fields::StringSink sink;
    Plain context(memory, sink, 100);
    example::DEPTH_INFO info;
    CHECK(context.descriptor(0, "info", 0x1002, &info));
    CHECK_FALSE(context.descriptor(0, "info", 0x3000, &info));
    CHECK(sink.text ==
          "info @0x1002: ! misaligned\n  format: Wide\n  layers: 1\n  ! reserved bits 0x80000000 of word 0\n"
          "info @0x3000: unmapped\n");
}

}  // namespace terrazzo::decode
