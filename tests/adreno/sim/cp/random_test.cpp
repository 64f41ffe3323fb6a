// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random packets: each stream ends, and accesses no unmapped memory.
#include <doctest/doctest.h>

#include <random>

#include "tests/adreno/sim/cp/harness.h"

using namespace terrazzo::adreno;
using namespace terrazzo::adreno::hw;
using namespace terrazzo::adreno::sim;
using namespace terrazzo::adreno::sim::cp_test;

namespace {

using Random = std::mt19937;

constexpr uint64_t kOther = 0x40000;  // a block for buffers and groups

uint32_t word(Random& random) {
    switch (random() % 8) {
        case 0:
            return random();
        case 1:
            return random() % 16;
        case 2:  // the lower half of an address; the upper half is often right by chance
            return uint32_t(kStream) + random() % 64 * 4;
        case 3:
            return uint32_t(kOther) + random() % 64 * 4;
        case 4:
            return uint32_t(kData) + random() % 1100 * 4;
        case 5:
            return uint32_t(kData >> 32);
        case 6:
            return random() % 4 << 28 | random() % 0x800;
        default:
            return 0;
    }
}

/// Opcodes that exist are more probable than others.
uint32_t opcode(Random& random) {
    for (;;) {
        const uint32_t number = random() % 128;
        if (enum_name(Pm4Opcode(number)) || random() % 16 == 0) return number;
    }
}

/// A header and its words: mostly with the packet's length.
void append_packet(Random& random, std::vector<uint32_t>* out) {
    if (random() % 64 == 0) return out->push_back(random());
    if (random() % 4 == 0) {
        const uint32_t count = random() % 6;
        static constexpr uint16_t kRegisters[] = {0xa00e, 0x8891, 0x8927, 0x9218,
                                                  0x921e, 0x0c03, 0xbb20, 0x0883};
        out->push_back(pack_type4(random() % 4 ? kRegisters[random() % 8] : uint16_t(random()), count));
        for (uint32_t i = 0; i < count; ++i)
            out->push_back(word(random));
        return;
    }
    const Pm4Opcode op = Pm4Opcode(opcode(random));
    const terrazzo::fields::PacketRow* row = packet_row(op);
    uint32_t count = row ? row->size_dw : random() % 4;
    if (random() % 8 == 0) count += random() % 8;
    if (random() % 16 == 0) count = random() % 12;
    out->push_back(pack_type7(op, count));
    for (uint32_t i = 0; i < count; ++i)
        out->push_back(word(random));
}

}  // namespace

TEST_CASE("adreno cp: random packets end, some with a report") {
    Random random(20260);
    uint64_t packets = 0, done = 0, faults[6] = {}, draws = 0;
    for (unsigned round = 0; packets < 150000 && round < 100000; ++round) {
        Gpu gpu(round % 2 ? "adreno-630" : "adreno-660");
        gpu.processor.packet_limit = 2000;
        for (unsigned submit = 0; submit < 24; ++submit) {
            Stream stream, other;
            for (unsigned i = random() % 40; i > 0; --i)
                append_packet(random, &stream.all);
            for (unsigned i = random() % 20; i > 0; --i)
                append_packet(random, &other.all);
            other.all.resize(std::max<size_t>(other.all.size(), 64));
            gpu.buffer(kOther, other);
            const std::string report = gpu.run(stream);
            packets += gpu.processor.packets();
            if (report.empty())
                ++done;
            else if (report != "blocked")
                ++faults[unsigned(gpu.processor.fault().kind)];
        }
        draws += gpu.work.draws.size() + gpu.work.dispatches.size();
    }
    CHECK(packets >= 150000);
    // All kinds of ends happened.
    CHECK(done > 100);
    CHECK(draws > 1000);
    CHECK(faults[unsigned(FaultKind::Opcode)] > 100);
    CHECK(faults[unsigned(FaultKind::Hardware)] > 100);
    CHECK(faults[unsigned(FaultKind::Protection)] > 100);
    CHECK(faults[unsigned(FaultKind::Memory)] > 100);
}

TEST_CASE("adreno cp: random words end with a report") {
    Random random(7);
    Gpu gpu;
    for (unsigned round = 0; round < 20000; ++round) {
        Stream stream;
        for (unsigned i = 0; i < 8; ++i)
            stream.words({uint32_t(random())});
        CHECK(gpu.run(stream) != "");
    }
}
