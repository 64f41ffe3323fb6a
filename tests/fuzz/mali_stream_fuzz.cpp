// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Damaged command streams, descriptors, shaders and registers. None may crash or hang, and faults must have a
// report. For a million: TERRAZZO_FUZZ_STREAMS=1000000 (beginning with number TERRAZZO_FUZZ_FIRST).
#include <cstdlib>
#include <random>

#include "tests/fuzz/mali_scenes.h"

using namespace terrazzo;
using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;

namespace {

uint32_t damage(std::mt19937& random, uint32_t v) {
    constexpr uint32_t kEdges[] = {0, 1, 2, 0x7fffffff, 0x80000000, 0xffffffff, 0xffff, 0x10000, 0x7f800000};
    switch (random() % 8) {
        case 0:
        case 1:
        case 2:
            return v ^ 1u << random() % 32;
        case 3:
            return v ^ 1u << random() % 32 ^ 1u << random() % 32;
        case 4:
            return v + uint32_t(random() % 33) - 16;
        case 5:
            return kEdges[random() % std::size(kEdges)];
        case 6:
            return uint32_t(random()) >> random() % 32;
        default:
            return uint32_t(random());
    }
}

uint64_t random_instruction(std::mt19937& random) {
    constexpr uint8_t kOps[] = {0,  1,  2,  3,  4,  6,  7,  9,  11, 13, 15, 16, 17, 20, 21, 22, 23,
                                32, 33, 34, 36, 37, 38, 39, 40, 41, 42, 43, 44, 48, 49, 50, 51, 52};
    const uint64_t body =
        (uint64_t(random()) << 32 | random()) & (random() % 2 ? ~0ull >> 8 : 0x00ff00ff00ffull);
    return uint64_t(kOps[random() % std::size(kOps)]) << 56 | (body & ~0ull >> 8);
}

unsigned setting(const char* name, unsigned otherwise) {
    const char* v = std::getenv(name);
    return v ? unsigned(std::strtoul(v, nullptr, 10)) : otherwise;
}

}  // namespace

TEST_CASE("fuzz: undamaged scenes run") {
    Scenes s;
    for (size_t i = 0; i < s.scenes.size(); ++i) {
        CAPTURE(i);
        s.restore();
        Progress progress;
        FrontEnd front(s.fuzz_machine, *s.fuzz_jobs, progress, 0);
        front.registers() = s.scenes[i].registers;
        front.start(s.scenes[i].stream, s.scenes[i].size_B);
        const RunStatus status = front.run();
        INFO(front.fault().report);
        CHECK(status == RunStatus::Done);
        CHECK(std::memcmp(s.fuzz_host.memory.bytes.data(), s.image.data(), s.image.size()) != 0);
    }
}

TEST_CASE("fuzz: damaged streams may fault, but not crash or hang") {
    Scenes s;
    const unsigned first = setting("TERRAZZO_FUZZ_FIRST", 0), count = setting("TERRAZZO_FUZZ_STREAMS", 1500);
    const bool tell = std::getenv("TERRAZZO_FUZZ_TELL") != nullptr;
    unsigned outcomes[unsigned(RunStatus::Stopped) + 1] = {}, unexplained = 0;
    for (unsigned n = first; n < first + count; ++n) {
        if (tell) std::fprintf(stderr, "stream %u\n", n);
        std::mt19937 random(n);
        s.restore();
        const Scenes::Scene& scene = s.scenes[random() % s.scenes.size()];
        CsRegisters registers = scene.registers;
        for (unsigned i = random() % 4; i > 0; --i)
            if (uint32_t& r = registers.r[random() % 64]; r || random() % 4 == 0) r = damage(random, r);
        for (unsigned i = random() % 6; i > 0; --i) {
            const uint64_t va = random() % 8 == 0 ? scene.stream + random() % scene.size_B / 4 * 4
                                                  : s.places[random() % s.places.size()];
            uint8_t* at = s.fuzz_host.memory.bytes.data() + (va - FlatSpace::kBase);
            uint32_t v;
            std::memcpy(&v, at, 4);
            v = damage(random, v);
            std::memcpy(at, &v, 4);
        }
        for (unsigned i = random() % 3; i > 0; --i) {
            const uint64_t word = random_instruction(random);
            std::memcpy(s.fuzz_host.memory.bytes.data() +
                            (scene.stream + random() % scene.size_B / 8 * 8 - FlatSpace::kBase),
                        &word, 8);
        }
        Progress progress;
        FrontEnd front(s.fuzz_machine, *s.fuzz_jobs, progress, 0);
        front.registers() = registers;
        front.start(scene.stream, scene.size_B);
        const RunStatus status = front.run();
        outcomes[unsigned(status)]++;
        unexplained += status == RunStatus::Fault && front.fault().report.empty();
    }
    CHECK(unexplained == 0);
    if (count >= 1000) CHECK(outcomes[unsigned(RunStatus::Done)] > 0);
    if (count >= 1000) CHECK(outcomes[unsigned(RunStatus::Fault)] > count / 10);
    if (tell)
        std::fprintf(stderr, "done %u, blocked %u, faults %u, lost groups %u, stopped %u\n", outcomes[0],
                     outcomes[1], outcomes[2], outcomes[3], outcomes[4]);
}
