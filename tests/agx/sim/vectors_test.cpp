// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each of applegpu's emulated instructions against its emulator, with operands of all kinds.
#include <doctest/doctest.h>

#include <cstdlib>

#include "tests/agx/sim/run_code.h"

namespace terrazzo::tests::agx {
namespace {

struct Vector {
    const char* bytes;
    bool sets_mask;
    uint64_t hash;
};
constexpr Vector kVectors[] = {
#include "tests/agx/sim/vectors.inc"
};

/// Loads from device memory, likewise, and a hash of r6 to r13. The test says where they load from.
constexpr struct {
    const char* bytes;
    uint64_t hash;
} kLoads[] = {
    {"0530840600c4d000", 0x696b454b20ed22e4}, {"0530840400c8a200", 0xb138020d21f3f1f8},
    {"8530840600ccf000", 0xf33ed593714918f7}, {"8530840400c0d200", 0xe171f47b82343c78},
    {"0531840600c4a200", 0x17669f6b40f35617}, {"8531840400c8f000", 0x10fe90c25c418ca1},
    {"8531840600ccd200", 0x443c6c82ccd1990b}, {"0532840400c0a000", 0x3c3d746f7a8d4116},
    {"0532840600c4f200", 0x570529ea5ce4d251}, {"8532840400c8d000", 0x083bab60ed7504ed},
    {"8532840600cca200", 0xfcf0122f10090232}, {"0533840400c0f000", 0x38ba1b7fa5d52885},
    {"0533840600c4d200", 0x0e90d77117813fe6}, {"8533840400c8a000", 0xa4c6a607e270f023},
    {"8533840600ccf200", 0x04100fb3afe1d34d}, {"0530840400c0f100", 0xa92d717336f6742a},
    {"0530840600c4f300", 0x4d0138a854de5b0c}, {"0531840400c8f100", 0x2abf274460ba906c},
    {"0531840600ccd300", 0xbf42fce3309913ba}, {"0532840400c07100", 0x19a3fefc4da9f2c5},
    {"0532840600c47300", 0x8270b5a444abb725}, {"8532840400c87100", 0x3fa674aa786b0dbe},
    {"8532840600cc7300", 0xe0241fea4e543725},
};

// SplitMix64.
uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
}
// Words that matter as integers, floats or halves, among random ones.
uint32_t value(uint64_t seed, unsigned i) {
    static constexpr uint32_t kSpecial[] = {
        0,          1,          2,          3,          0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
        0x3f800000, 0xbf800000, 0x7fffffff, 0xffffffff, 0x00800000, 0x007fffff, 0x3c003c00, 0xbc007c00,
        0xfc000001, 0x03ff0400, 0x7bff3800, 31,         32,         33,         64,         0x40490fdb};
    const uint64_t x = mix((seed << 20) + i);
    const unsigned kind = x >> 60;
    if (kind < 5) return kSpecial[(x >> 32) % std::size(kSpecial)];
    if (kind < 9) return uint32_t((118 + (x >> 40) % 19) << 23) | uint32_t(x & 0x807fffff);
    if (kind < 12)
        return uint32_t(0x3000 + (x >> 44) % 0x1400) | uint32_t(0x3000 + (x >> 20) % 0x1400) << 16 |
               uint32_t(x & 1) << 31;
    return uint32_t(x);
}

/// The code of an instruction and `stop`.
std::vector<uint16_t> code_of(const char* bytes) {
    std::vector<uint16_t> units;
    for (const char* p = bytes; *p; p += 4) {
        const auto byte = [&](unsigned n) {
            const char digits[] = {p[2 * n], p[2 * n + 1], 0};
            return unsigned(std::strtoul(digits, nullptr, 16));
        };
        units.push_back(uint16_t(byte(0) | byte(1) << 8));
    }
    units.push_back(0x0088);  // stop
    return units;
}

/// FNV-1a of words.
void add_to(uint64_t& hash, uint32_t word) {
    hash = (hash ^ word) * 0x100000001b3;
}
constexpr uint64_t kNoWords = 0xcbf29ce484222325;

uint64_t run(const Vector& v, uint64_t seed, bool single_steps, std::string* error) {
    constexpr unsigned kRegisters = 16;
    CodeRunner r;
    r.core.single_steps = single_steps;
    r.set_code(code_of(v.bytes));
    for (unsigned i = 0; i < 8; ++i)
        r.bind(i, value(seed, 1024 + i));
    for (unsigned i = 8; i < sim::kUniforms; ++i)
        r.bind(i, 0);
    r.core.start(r.group, CodeRunner::kCode_va);
    for (unsigned i = 0; i < kRegisters; ++i)
        for (unsigned t = 0; t < sim::kThreads; ++t)
            r.set(i, t, value(seed, i * sim::kThreads + t));
    r.group.executing = seed % 2 ? ~0u : uint32_t(mix((seed << 20) + 8192));
    if (v.sets_mask) r.group.executing = 0;
    for (unsigned t = 0; t < sim::kThreads && v.sets_mask; ++t) {
        const uint32_t level = mix((seed << 20) + 4096 + t) & 3;
        r.set(0, t, (r.get(0, t) & 0xffff0000u) | level);
        r.group.executing |= uint32_t(!level) << t;
    }
    const sim::Outcome outcome = r.go_on();
    *error = r.error;
    if (outcome != sim::Outcome::Done) return 0;
    uint64_t hash = kNoWords;
    for (unsigned i = 0; i < kRegisters; ++i)
        for (unsigned t = 0; t < sim::kThreads; ++t)
            add_to(hash, r.get(i, t));
    add_to(hash, r.group.executing);
    return hash;
}

TEST_CASE("agx core: loads of all formats have the results of applegpu's emulator") {
    for (size_t n = 0; n < std::size(kLoads); ++n) {
        CodeRunner r;
        r.set_code(code_of(kLoads[n].bytes));
        for (unsigned i = 0; i < 4096; ++i)
            r.memory()[i] = uint32_t(mix(i));
        for (unsigned t = 0; t < sim::kThreads; ++t) {
            r.set(2, t, uint32_t(CodeRunner::kMemory_va) + 64 + 5 * t);
            r.set(3, t, uint32_t(CodeRunner::kMemory_va >> 32));
            r.set(4, t, 3 * t - (n % 2 ? 8 : 0));  // signed in every other row
        }
        CAPTURE(kLoads[n].bytes);
        REQUIRE_MESSAGE(r.run() == sim::Outcome::Done, r.error);
        uint64_t hash = kNoWords;
        for (unsigned i = 6; i < 14; ++i)
            for (unsigned t = 0; t < sim::kThreads; ++t)
                add_to(hash, r.get(i, t));
        CHECK(hash == kLoads[n].hash);
    }
    CodeRunner r;
    const auto fails = [&](const char* text) {
        REQUIRE_MESSAGE(r.assemble(text), r.error);
        CHECK(r.run() == sim::Outcome::Fault);
        return r.error;
    };
    CHECK(fails("device_load.rgb10a2.xyz r4_r5_r6, r2_r3, 0\nstop\n").find("components of the format") !=
          std::string::npos);
    CHECK(fails("device_store.u8norm.x r4, r2_r3, 0\nstop\n").find("not modelled") != std::string::npos);
}

TEST_CASE("agx core: instructions have the results of applegpu's emulator") {
    for (size_t n = 0; n < std::size(kVectors); ++n)
        for (const bool single_steps : {false, true}) {
            std::string error;
            const uint64_t hash = run(kVectors[n], n + 1, single_steps, &error);
            CAPTURE(kVectors[n].bytes);
            CHECK(error == "");
            CHECK(hash == kVectors[n].hash);
        }
}

}  // namespace
}  // namespace terrazzo::tests::agx
