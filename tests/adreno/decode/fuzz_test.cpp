// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Random and damaged streams: the decoder must end, and may not access memory outside its buffers.
#include <doctest/doctest.h>

#include <random>

#include "drivers/adreno/decode/rd.h"
#include "drivers/adreno/sim/rd_files.h"
#include "tests/adreno/decode/stream_builder.h"

namespace terrazzo::adreno::decode {

using namespace hw;

namespace {

constexpr uint64_t kPage = 0x1000, kPages = 8;

/// A word that often has a meaning: a header, an address of the pages, a small number, or any value.
uint32_t random_word(std::mt19937& random) {
    switch (random() % 6) {
        case 0:
            return pack_type4(uint16_t(random() % 4 ? 0x8000 + random() % 0x4000 : random()),
                              1 + random() % 8);
        case 1:
        case 2:
            return pack_type7(Pm4Opcode(random() % 128), random() % 12);
        case 3:
            return uint32_t(random() % (kPage * (kPages + 2)) & ~(random() % 8 ? 3u : 0u));
        case 4:
            return random() % 64;
        default:
            return uint32_t(random());
    }
}

}  // namespace

TEST_CASE("adreno decode: random streams") {
    std::mt19937 random(14);
    uint64_t packets = 0, problems = 0, draws = 0;
    for (int run = 0; run < 3000; ++run) {
        Stream stream;
        for (uint64_t i = 0; i < kPage / 4; ++i)
            stream.word(random_word(random));
        Machine machine(stream);
        for (uint64_t page = 2; page < kPages; page += 1 + random() % 2) {
            Stream other;
            for (int i = 0; i < 200; ++i)
                other.word(random_word(random));
            machine.buffer(page * kPage, other);
        }
        fields::StringSink sink;
        (void)print_stream(machine.memory, kPage, random() % 1100, &machine.registers, sink,
                           {.max_packets = 400, .max_lines = 2000, .statistics = &machine.statistics});
        packets += machine.statistics.packets;
        problems += machine.statistics.problems;
        draws += machine.statistics.draws;
    }
    CHECK(packets > 30000);
    CHECK(problems > 3000);
    CHECK(draws > 300);
}

TEST_CASE("adreno decode: damaged recordings") {
    std::mt19937 random(15);
    Stream stream;
    stream.write(RB_BIN_CONTROL{})
        .packet(CpSetMarker{})
        .packet(CpIndirectBuffer{.address = 0x3000, .size_dw = 2});
    sim::RdWriter writer;
    writer.gpu_id(630);
    writer.buffer(0x1000, stream.bytes());
    writer.buffer(0x3000, stream.bytes());
    writer.submit(0x1000, stream.size_dw());
    unsigned refused = 0;
    for (int run = 0; run < 20000; ++run) {
        std::vector<uint8_t> file = writer.file();
        for (unsigned i = 0; i < 1 + random() % 4; ++i)
            file[random() % file.size()] = uint8_t(random());
        fields::StringSink sink;
        std::string error;
        if (!print_rd(file, sink, {.max_packets = 1000, .max_lines = 5000}, &error)) {
            REQUIRE_FALSE(error.empty());
            ++refused;
        }
    }
    CHECK(refused > 1000);
    CHECK(refused < 19000);
}

}  // namespace terrazzo::adreno::decode
