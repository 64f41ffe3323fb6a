// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A hundred thousand random streams over random memory: the decoder ends, and reads only mapped memory (the
// memory's bounds are checked, and sanitizer builds also run this).
#include <doctest/doctest.h>

#include <cstring>
#include <random>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"

using namespace terrazzo;
using namespace terrazzo::mali;
using namespace terrazzo::mali::hw;

namespace {

constexpr uint64_t kBase = 0x100000;
constexpr size_t kWords = 4096;

struct GarbageMemory final : mali::decode::Memory {
    std::vector<uint32_t> words = std::vector<uint32_t>(kWords);

    bool read(uint64_t va, void* dst, size_t size_B) const override {
        if (va < kBase || va - kBase > kWords * 4 || size_B > kWords * 4 - (va - kBase)) return false;
        std::memcpy(dst, reinterpret_cast<const uint8_t*>(words.data()) + (va - kBase), size_B);
        return true;
    }
};

struct CountSink final : fields::Sink {
    uint64_t lines = 0, bytes = 0;
    void line(unsigned, std::string_view text) override {
        ++lines;
        bytes += text.size();
    }
};

using Random = std::mt19937_64;

/// An address in the memory, often aligned as descriptors are.
uint64_t address(Random& random) {
    const uint64_t at = random() % (kWords * 4);
    return kBase + (random() % 4 ? at & ~uint64_t(63) : at);
}

/// Words that the decoder follows further than random bits: known opcodes, mapped addresses, registers with a
/// meaning.
uint64_t instruction(Random& random) {
    static constexpr uint8_t kOpcodes[] = {0,  1,  1,  1,  2,  2,  3,  4,  5,  6,  6,  7,  7,  8,
                                           9,  11, 16, 17, 18, 20, 20, 21, 22, 23, 24, 25, 32, 33,
                                           34, 36, 37, 40, 41, 42, 43, 44, 47, 48, 49, 50, 51, 53};
    const uint64_t opcode = kOpcodes[random() % std::size(kOpcodes)];
    uint64_t body = random() & 0xffffffffffffff;
    if (opcode == 1) body = address(random) | (random() % 3 ? random() % 8 : 0) | (random() % 48 * 2) << 48;
    if (opcode == 2) body = (random() % 2 ? random() % 64 * 8 : uint32_t(random())) | (random() % 96) << 48;
    if (opcode == 22)
        body = uint16_t(int16_t(random() % 16) - 8) | (random() % 8) << 28 | (random() % 96) << 40;
    if (opcode >= 4 && opcode <= 8 && random() % 2) body = 0;
    return opcode << 56 | body;
}

void fill(GarbageMemory& memory, Random& random) {
    for (size_t i = 0; i < kWords; ++i) {
        const unsigned kind = unsigned(random() % 8);
        uint64_t value = kind < 2 ? random() : kind < 4 ? random() % 64 : kind < 6 ? address(random) : 0;
        if (kind == 7) {
            value = instruction(random);
            if (i + 1 < kWords) memory.words[i + 1] = uint32_t(value >> 32);
            memory.words[i] = uint32_t(value);
            ++i;
            continue;
        }
        memory.words[i] = uint32_t(value);
    }
}

}  // namespace

TEST_CASE("mali decode: a hundred thousand random streams") {
    Random random(7);
    GarbageMemory memory;
    CountSink sink;
    mali::decode::Options options;
    options.max_instructions = 64;
    options.max_lines = 400;
    unsigned complete = 0;
    for (unsigned i = 0; i < 100000; ++i) {
        if (i % 1000 == 0) fill(memory, random);
        const size_t at = random() % (kWords / 2 - 32) * 2;
        const size_t count = random() % 24 + 1;
        for (size_t n = 0; n < count; ++n) {
            const uint64_t word = random() % 16 ? instruction(random) : random();
            memory.words[at + 2 * n] = uint32_t(word);
            memory.words[at + 2 * n + 1] = uint32_t(word >> 32);
        }
        mali::decode::Registers registers;
        for (unsigned n = random() % 32; n; --n)
            registers.set(unsigned(random() % 96), uint32_t(address(random)));
        const uint64_t before = sink.lines;
        complete += mali::decode::print_stream(memory, kBase + at * 4, count * 8, &registers, sink, options);
        REQUIRE(sink.lines - before <= options.max_lines + 1);
    }
    // Both kinds of end happen, and there was much text.
    CHECK(complete > 1000);
    CHECK(complete < 99000);
    CHECK(sink.lines > 1000000);
}
