// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/capture.h"

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "drivers/common/capture/memory.h"

using namespace terrazzo::capture;

namespace {

using Bytes = std::vector<uint8_t>;

Bytes bytes_of(std::FILE* file) {
    Bytes out(size_t(std::ftell(file)));
    std::rewind(file);
    REQUIRE(std::fread(out.data(), 1, out.size(), file) == out.size());
    return out;
}

Bytes example() {
    std::FILE* file = std::tmpfile();
    REQUIRE(file);
    CaptureWriter writer(file);
    writer.chip(Vendor::Mali, 0xa8670005, 3);
    const uint8_t memory[] = {1, 2, 3};
    writer.memory(0x12345678'9abcdef0, memory);
    writer.note("frame 1");
    const uint32_t registers[] = {7, 0xdeadbeef, 9};
    writer.submit(0x1000, 0x40, 2, registers);
    writer.submit(0x2000, 0, 0, {});
    writer.zeros(0x5000, 0x3000);
    REQUIRE(writer.ok());
    Bytes out = bytes_of(file);
    std::fclose(file);
    return out;
}

void put_u32(Bytes& bytes, size_t at, uint32_t value) {
    for (unsigned i = 0; i < 4; ++i)
        bytes[at + i] = uint8_t(value >> 8 * i);
}

/// The error of reading a whole file; "" if every record was read.
std::string error_of(const Bytes& file) {
    CaptureReader reader(file);
    Record record;
    while (reader.next(&record)) {
        for (unsigned i = 0; i < record.register_count(); ++i)
            (void)record.register_at(i);
        unsigned sum = 0;
        for (uint8_t byte : record.bytes)
            sum += byte;
        (void)sum;
    }
    return reader.error() ? reader.error() : "";
}

}  // namespace

TEST_CASE("capture: written records are read back") {
    const Bytes file = example();
    CHECK(file.size() % 8 == 0);
    CHECK(std::memcmp(file.data(), "TRZCAP\0\1", 8) == 0);
    CaptureReader reader(file);
    Record r;
    REQUIRE(reader.next(&r));
    CHECK((r.type == RecordType::Chip && r.vendor == Vendor::Mali));
    CHECK((r.gpu_id == 0xa8670005 && r.variant == 3));
    REQUIRE(reader.next(&r));
    CHECK((r.type == RecordType::Memory && r.va == 0x12345678'9abcdef0));
    CHECK(Bytes(r.bytes.begin(), r.bytes.end()) == Bytes{1, 2, 3});
    REQUIRE(reader.next(&r));
    CHECK(r.type == RecordType::Note);
    CHECK(std::string(r.bytes.begin(), r.bytes.end()) == "frame 1");
    REQUIRE(reader.next(&r));
    CHECK((r.type == RecordType::Submit && r.va == 0x1000 && r.size_B == 0x40 && r.queue == 2));
    REQUIRE(r.register_count() == 3);
    CHECK(r.register_at(1) == 0xdeadbeef);
    REQUIRE(reader.next(&r));
    CHECK(r.register_count() == 0);
    REQUIRE(reader.next(&r));
    CHECK((r.type == RecordType::Zeros && r.va == 0x5000 && r.size_B == 0x3000));
    CHECK_FALSE(reader.next(&r));
    CHECK(reader.error() == nullptr);
}

TEST_CASE("capture: damaged files are refused") {
    CHECK(error_of({}) == "not a Terrazzo capture of version 1");
    Bytes file = example();
    file[7] = 2;
    CHECK(error_of(file) == "not a Terrazzo capture of version 1");
    const Bytes good = example();
    for (size_t size = 8; size < good.size(); ++size) {
        const std::string error = error_of(Bytes(good.begin(), good.begin() + ptrdiff_t(size)));
        CAPTURE(size);
        // A file may end only at the end of a record.
        CHECK((error == "" || error == "the file ends within a record"));
        if (size % 8) CHECK(error != "");
    }
    file = good;
    put_u32(file, 8 + 8, 24);  // the chip's size
    CHECK(error_of(file) == "a chip's record has another size");
    file = good;
    put_u32(file, 8 + 12, 0xffffffff);
    CHECK(error_of(file) == "the file ends within a record");
    file = good;
    put_u32(file, 8, 99);  // an unknown type
    CHECK(error_of(file) == "");
    file = good;
    put_u32(file, file.size() - 4, 1);  // 2^32 zeros and more
    CHECK(error_of(file) == "a record of zeros has another size");
    file = good;
    const size_t submit = 8 + 32 + 32 + 24;
    put_u32(file, submit + 16 + 20, 4);  // one register more than there are
    CHECK(error_of(file) == "a submission's record has another size than its registers");
}

TEST_CASE("capture: with any bytes the reader stays inside the file") {
    std::mt19937 random(1);
    const Bytes good = example();
    for (int i = 0; i < 20000; ++i) {
        Bytes file = good;
        for (unsigned n = random() % 4 + 1; n; --n)
            file[8 + random() % (file.size() - 8)] = uint8_t(random());
        file.resize(8 + random() % (file.size() - 7));
        (void)error_of(file);
    }
}

TEST_CASE("memory: overlapping writes of ranges") {
    Ranges memory;
    uint8_t out[64];
    CHECK_FALSE(memory.read(0, out, 1));
    CHECK(memory.read(0, out, 0));
    memory.put(100, Bytes(10, 1));
    memory.put(120, Bytes(10, 2));
    CHECK(memory.read(100, out, 10));
    CHECK_FALSE(memory.read(99, out, 2));
    CHECK_FALSE(memory.read(105, out, 6));
    memory.put(95, Bytes(30, 3));  // before, over, between and inside existing ranges
    CHECK(memory.read(95, out, 35));
    CHECK(out[29] == 3);
    CHECK(out[30] == 2);
    for (unsigned i = 0; i < 30; ++i)
        CHECK(out[i] == 3);
    // The end of the address space does not wrap.
    memory.put(~uint64_t(0) - 3, Bytes(16, 4));
    CHECK(memory.read(~uint64_t(0) - 3, out, 3));
    CHECK_FALSE(memory.read(~uint64_t(0) - 3, out, 16));

    // Random writes, compared with an array.
    std::mt19937 random(2);
    Ranges some;
    std::vector<int> plain(512, -1);
    for (int i = 0; i < 2000; ++i) {
        const size_t at = random() % 480, size = random() % 32;
        const auto value = uint8_t(random());
        if (random() % 4 == 0) {
            some.put(at, Bytes(size, value));
            std::fill_n(plain.begin() + ptrdiff_t(at), size, value);
        }
        bool mapped = true;
        for (size_t b = at; b < at + size; ++b)
            mapped = mapped && plain[b] >= 0;
        REQUIRE(some.read(at, out, size) == mapped);
        for (size_t b = 0; mapped && b < size; ++b)
            REQUIRE(out[b] == plain[at + b]);
    }
}
