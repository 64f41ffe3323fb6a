// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: command streams, descriptors and shader code on the virtual Mali GPU. The input says which
// scene (mali_scenes.h), then what of it is changed: registers, words that matter, instructions of the stream
// and of shaders. A fault must have a report. The scenes' fixture is the tests', whose checks are not there:
// fuzz_mali sees to it that undamaged scenes run.
#define DOCTEST_CONFIG_DISABLE
#include "tests/fuzz/mali_scenes.h"

#include <cstdio>
#include <cstdlib>
#include <memory>

#include "tests/fuzz/bytes.h"
#include "tests/fuzz/target.h"

using namespace terrazzo::mali::sim;
using namespace terrazzo::mali::sim::testing;

namespace {

constexpr unsigned kMaxChanges = 64;

/// A whole instruction, or an old one with a bit turned or a byte exchanged.
uint64_t changed(uint64_t old, unsigned how, fuzz::Bytes& in) {
    switch (how % 4) {
        case 0:
            return in.u64();
        case 1:
            return old ^ uint64_t(1) << in.u8() % 64;
        case 2: {
            const unsigned shift = in.u8() % 8 * 8;
            return (old & ~(uint64_t(0xff) << shift)) | uint64_t(in.u8()) << shift;
        }
        default:
            return old + uint64_t(int64_t(int8_t(in.u8())));
    }
}

void change(Scenes& s, const Scenes::Scene& scene, CsRegisters& registers, fuzz::Bytes& in) {
    const uint8_t kind = in.u8();
    const unsigned how = kind >> 4;
    const auto exchange = [&](uint64_t va) {
        uint64_t word;
        std::memcpy(&word, s.fuzz_host.memory.bytes.data() + (va - FlatSpace::kBase), 8);
        word = changed(word, how, in);
        std::memcpy(s.fuzz_host.memory.bytes.data() + (va - FlatSpace::kBase), &word, 8);
    };
    switch (kind % 8) {
        case 0: {
            uint32_t& r = registers.r[in.u8() % std::size(registers.r)];
            r = uint32_t(changed(r, how, in));
            break;
        }
        case 1:
        case 2:
            exchange(scene.stream + in.u8() * 8u % scene.size_B);
            break;
        case 3:
        case 4: {
            const Scenes::Code& c = s.codes[in.u8() % s.codes.size()];
            exchange(c.va + in.u8() % c.instructions * 8);
            break;
        }
        default: {
            // The last word of memory has no other behind it.
            const uint64_t va = s.places[in.u16() % s.places.size()];
            exchange(std::min(va, FlatSpace::kBase + FlatSpace::kSize - 8));
        }
    }
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    static const std::unique_ptr<Scenes> scenes = std::make_unique<Scenes>();
    Scenes& s = *scenes;
    fuzz::Bytes in(data, size);
    s.restore();
    const Scenes::Scene& scene = s.scenes[in.u8() % s.scenes.size()];
    CsRegisters registers = scene.registers;
    for (unsigned n = 0; n < kMaxChanges && !in.empty(); ++n)
        change(s, scene, registers, in);
    Progress progress;
    FrontEnd front(s.fuzz_machine, *s.fuzz_jobs, progress, 0);
    front.registers() = registers;
    front.start(scene.stream, scene.size_B);
    if (front.run() == StreamStatus::Fault && front.fault().report.empty()) {
        std::fprintf(stderr, "mali_gpu_fuzz: a fault without a report\n");
        std::abort();
    }
    return 0;
}
