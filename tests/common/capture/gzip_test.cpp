// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/capture/gzip.h"

#include <doctest/doctest.h>

#include <random>
#include <string>

#include "tests/common/capture/gzip.h"

namespace terrazzo::capture {

namespace {

using Bytes = std::vector<uint8_t>;

// The text of registers(), compressed by zlib 1.2.13 with its highest level: one block with dynamic codes.
const Bytes kRegisters = {
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4d, 0xd2, 0xc9, 0x0d, 0xc3, 0x30, 0x0c,
    0x44, 0xd1, 0xbb, 0xab, 0x70, 0x09, 0x26, 0xa9, 0xb5, 0x20, 0x23, 0xf0, 0x55, 0x4e, 0xff, 0x08, 0x34,
    0x42, 0xa0, 0x7f, 0xe4, 0x40, 0xcb, 0x23, 0xa5, 0x71, 0x7f, 0x9e, 0xf7, 0x7b, 0x8f, 0xf3, 0x3a, 0x9f,
    0xf7, 0xbc, 0x8e, 0xf1, 0xaf, 0x6d, 0xd6, 0xb6, 0x6b, 0x9f, 0x75, 0xda, 0x75, 0xcc, 0xba, 0xef, 0x3a,
    0x69, 0x7d, 0xd9, 0x41, 0x9e, 0x81, 0xe7, 0x1d, 0x94, 0x19, 0x04, 0x56, 0x54, 0x1d, 0x89, 0x33, 0xda,
    0x0c, 0x0a, 0x2e, 0xe9, 0x33, 0x68, 0x50, 0x98, 0x98, 0x81, 0x40, 0x4e, 0xc7, 0x1e, 0x5b, 0xd2, 0x8a,
    0x44, 0xd6, 0xea, 0x48, 0xa4, 0x65, 0x20, 0x6d, 0xf0, 0x26, 0x71, 0x0b, 0xd7, 0xc8, 0xdb, 0xd1, 0x91,
    0x09, 0x1c, 0xe4, 0x48, 0x5c, 0x31, 0x47, 0x97, 0xd8, 0x70, 0x8e, 0x8b, 0x9c, 0xb1, 0xcb, 0x45, 0xee,
    0x18, 0x8d, 0x8b, 0x9c, 0xd0, 0x96, 0x8b, 0xdc, 0xf9, 0x22, 0x32, 0x27, 0x9e, 0x23, 0x73, 0xe7, 0x2e,
    0x99, 0x33, 0x3d, 0x32, 0x37, 0x04, 0x22, 0x17, 0xb4, 0x15, 0x22, 0x3b, 0x26, 0x18, 0x22, 0x37, 0xec,
    0x0a, 0x91, 0x33, 0x3f, 0x84, 0xc8, 0x8e, 0x46, 0x43, 0xe4, 0x86, 0x07, 0x0e, 0x91, 0x0b, 0x9a, 0x88,
    0xf5, 0x2b, 0x78, 0xbb, 0xc8, 0xc6, 0x35, 0x8b, 0x8c, 0xf1, 0xc4, 0x32, 0x97, 0xe3, 0x07, 0xd5, 0xc8,
    0xfe, 0x8f, 0xbf, 0x02, 0x00, 0x00};
// "abcabcabcabcabcabc!" with the fixed codes: the distance is shorter than the length.
const Bytes kRepeated = {0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x4b, 0x4c, 0x4a,
                         0x4e, 0x44, 0x45, 0x8a, 0x00, 0x0a, 0x1d, 0xda, 0x99, 0x13, 0x00, 0x00, 0x00};

Bytes registers() {
    std::string text;
    for (int i = 0; i < 40; ++i)
        text += "register " + std::to_string(i) + " is " + std::to_string(i * i % 97) + '\n';
    return {text.begin(), text.end()};
}

Bytes unpacked(const Bytes& file, std::string* why, uint64_t most_B = 1 << 20) {
    Bytes out;
    const char* error = nullptr;
    *why = gunzip(file, most_B, &out, &error) ? "" : error;
    return out;
}

}  // namespace

TEST_CASE("gzip: files from zlib are read") {
    std::string why;
    CHECK(unpacked(kRegisters, &why) == registers());
    CHECK(why.empty());
    const std::string repeated = "abcabcabcabcabcabc!";
    CHECK(unpacked(kRepeated, &why) == Bytes(repeated.begin(), repeated.end()));
    CHECK(why.empty());
    // Several members form one text. A header may have a name, a comment and other fields.
    Bytes two = kRepeated;
    two.insert(two.end(), {0x1f, 0x8b, 8, 4 | 8 | 16, 0, 0, 0, 0, 0, 3, 2, 0, 7, 7, 'n', 0, 'c', 0});
    two.insert(two.end(), kRepeated.begin() + 10, kRepeated.end());
    CHECK(unpacked(two, &why).size() == 2 * repeated.size());
    CHECK(why.empty());
}

TEST_CASE("gzip: files of any size are read") {
    std::mt19937 random(3);
    for (size_t size : {0u, 1u, 65535u, 65536u, 200000u}) {
        Bytes bytes(size);
        for (uint8_t& byte : bytes)
            byte = uint8_t(random());
        std::string why;
        CHECK(unpacked(test::gzip(bytes), &why) == bytes);
        CHECK(why.empty());
    }
}

TEST_CASE("gzip: too large contents are refused before or during unpacking") {
    std::string why;
    // A run of zeros: two bits for each 258 of them, after one literal.
    const auto bomb = [](uint32_t claims) {
        Bytes file = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255};
        // Fixed codes, last block: the literal 0 (00110000), then length 258 (11000101) and distance 1
        // (00000), repeated.
        std::vector<bool> bits = {true, true, false, false, false, true, true, false, false, false, false};
        for (int i = 0; i < 100000; ++i)
            for (const bool b :
                 {true, true, false, false, false, true, false, true, false, false, false, false, false})
                bits.push_back(b);
        bits.insert(bits.end(), 7, false);  // the end
        bits.resize((bits.size() + 7) / 8 * 8);
        for (size_t i = 0; i < bits.size(); i += 8) {
            uint8_t byte = 0;
            for (size_t n = 0; n < 8; ++n)
                byte |= uint8_t(bits[i + n] << n);
            file.push_back(byte);
        }
        const Bytes plain(1 + 258 * 100000);
        const auto checksum = uint32_t(::crc32(0, plain.data(), uInt(plain.size())));
        for (const uint32_t word : {checksum, claims})
            for (unsigned shift = 0; shift < 32; shift += 8)
                file.push_back(uint8_t(word >> shift));
        return file;
    };
    constexpr uint32_t kTrue_B = 1 + 258 * 100000;
    CHECK(unpacked(bomb(kTrue_B), &why, kTrue_B) == Bytes(kTrue_B));
    CHECK(why.empty());
    CHECK(unpacked(bomb(kTrue_B), &why, kTrue_B - 1).empty());  // it was refused before unpacking
    CHECK(why == "it holds more than is read");
    CHECK(unpacked(bomb(5), &why, 1 << 20).size() <= 1 << 20);  // the size in the file is wrong
    CHECK(why == "it holds more than is read");
}

TEST_CASE("gzip: damaged files are refused") {
    std::string why;
    for (size_t size = 0; size < kRegisters.size(); ++size) {
        unpacked(Bytes(kRegisters.begin(), kRegisters.begin() + ptrdiff_t(size)), &why);
        CHECK_FALSE(why.empty());
    }
    // A flipped bit of the data or the checksum is only accepted at the end of the last block's byte, where
    // it is not read.
    unsigned passed = 0;
    for (size_t at = 10; at < kRegisters.size(); ++at) {
        for (unsigned bit = 0; bit < 8; ++bit) {
            Bytes damaged = kRegisters;
            damaged[at] ^= uint8_t(1u << bit);
            const Bytes out = unpacked(damaged, &why);
            REQUIRE((!why.empty() || out == registers()));
            passed += why.empty();
        }
    }
    CHECK(passed < 8);
    CHECK(unpacked(kRegisters, &why, 100).size() <= 100);
    CHECK(why == "it holds more than is read");
    unpacked(test::gzip(registers()), &why, 100);
    CHECK(why == "it holds more than is read");
    unpacked({'P', 'K', 3, 4}, &why);
    CHECK(why == "the head of a gzip file is damaged");
    std::mt19937 random(4);
    for (int run = 0; run < 20000; ++run) {
        Bytes noise = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3};
        for (unsigned i = 0; i < 60; ++i)
            noise.push_back(uint8_t(random()));
        unpacked(noise, &why, 4096);
        REQUIRE_FALSE(why.empty());
    }
}

}  // namespace terrazzo::capture
