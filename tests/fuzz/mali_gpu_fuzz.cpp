// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fuzz target: command streams, descriptors and shader code on the virtual Mali GPU. The input chooses a
// scene (mali_scenes.h), then what is changed: registers, important words, instructions of the stream and of
// shaders. Every fault must have a report. The scenes use the tests' fixture, whose checks do nothing here;
// fuzz_mali checks that undamaged scenes run.
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

/// The scenes, and the memory between a scene's draw and its fragment job: polygon lists and records, which a
/// program can also write to.
struct Target {
    Scenes scenes;
    struct Drawn {
        std::vector<uint8_t> memory;
        std::vector<uint64_t> places;
    };
    std::vector<Drawn> drawn;

    Target() {
        for (const Scenes::Scene& s : scenes.scenes) {
            Drawn d;
            if (s.fragment_B) draw(s, &d);
            drawn.push_back(std::move(d));
        }
    }
    void restore_drawn(size_t i) {
        scenes.restore();
        std::memcpy(scenes.fuzz_host.memory.bytes.data(), drawn[i].memory.data(), drawn[i].memory.size());
    }

  private:
    void draw(const Scenes::Scene& s, Drawn* d) {
        scenes.restore();
        Progress progress;
        FrontEnd front(scenes.fuzz_machine, *scenes.fuzz_jobs, progress, 0);
        front.registers() = s.registers;
        front.start(s.stream, s.fragment_B);
        if (front.run() != RunStatus::Done) std::abort();
        const std::vector<uint8_t>& bytes = scenes.fuzz_host.memory.bytes;
        d->memory.assign(bytes.begin(), bytes.begin() + ptrdiff_t(scenes.image.size()));
        for (size_t at = 0; at + 4 <= d->memory.size() && d->places.size() < 0x10000; at += 4)
            if (std::memcmp(&d->memory[at], &scenes.image[at], 4) != 0)
                d->places.push_back(FlatSpace::kBase + at);
    }
};

/// A random instruction, or an existing one with a bit flipped or a byte replaced.
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

void change(Scenes& s, const Scenes::Scene& scene, const std::vector<uint64_t>& places,
            CsRegisters& registers, fuzz::Bytes& in) {
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
            // There is no word after the last one of the memory.
            const uint64_t va = places[in.u16() % places.size()];
            exchange(std::min(va, FlatSpace::kBase + FlatSpace::kSize - 8));
        }
    }
}

}  // namespace

int fuzz_one(const uint8_t* data, size_t size) {
    static const std::unique_ptr<Target> target = std::make_unique<Target>();
    Scenes& s = target->scenes;
    fuzz::Bytes in(data, size);
    const uint8_t which = in.u8();
    const size_t n = which % s.scenes.size();
    const Scenes::Scene& scene = s.scenes[n];
    const bool fragment_alone = which >= 0x80 && scene.fragment_B;
    if (fragment_alone)
        target->restore_drawn(n);
    else
        s.restore();
    CsRegisters registers = scene.registers;
    const std::vector<uint64_t>& places = fragment_alone ? target->drawn[n].places : s.places;
    for (unsigned i = 0; i < kMaxChanges && !in.empty(); ++i)
        change(s, scene, places, registers, in);
    Progress progress;
    FrontEnd front(s.fuzz_machine, *s.fuzz_jobs, progress, 0);
    front.registers() = registers;
    const uint32_t skip_B = fragment_alone ? scene.fragment_B : 0;
    front.start(scene.stream + skip_B, scene.size_B - skip_B);
    try {
        if (front.run() == RunStatus::Fault && front.fault().report.empty()) {
            std::fprintf(stderr, "mali_gpu_fuzz: a fault without a report\n");
            std::abort();
        }
    } catch (const std::bad_alloc&) {  // the caller of streams reports it as out of memory
    }
    return 0;
}
