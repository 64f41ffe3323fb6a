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

uint64_t run(const Vector& v, uint64_t seed, bool single_steps, std::string* error) {
    constexpr unsigned kRegisters = 16;
    CodeRunner r;
    r.core.single_steps = single_steps;
    std::vector<uint16_t> units;
    for (const char* p = v.bytes; *p; p += 4) {
        const auto byte = [&](unsigned n) {
            const char digits[] = {p[2 * n], p[2 * n + 1], 0};
            return unsigned(std::strtoul(digits, nullptr, 16));
        };
        units.push_back(uint16_t(byte(0) | byte(1) << 8));
    }
    units.push_back(0x0088);  // stop
    r.set_code(units);
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
    uint64_t hash = 0xcbf29ce484222325;  // FNV-1a of words
    const auto add = [&](uint32_t word) { hash = (hash ^ word) * 0x100000001b3; };
    for (unsigned i = 0; i < kRegisters; ++i)
        for (unsigned t = 0; t < sim::kThreads; ++t)
            add(r.get(i, t));
    add(r.group.executing);
    return hash;
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
