// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/fields/fields.h"

#include <doctest/doctest.h>

#include <cmath>
#include <iterator>
#include <limits>

#include "tests/common/fields/example.h"

using namespace terrazzo;
using namespace terrazzo::example;

namespace {

template <class T>
std::string printed(const T& s) {
    fields::StringSink sink;
    print(sink, s);
    return sink.text;
}

struct Words {
    uint32_t w[12];
};

constexpr Words packed(const Everything& s) {
    Words out{};
    pack(s, out.w);
    return out;
}

std::string findings(const fields::ReservedBits& found) {
    fields::StringSink sink;
    found.print(sink, 0);
    return sink.text;
}

}  // namespace

static_assert(Everything::kSize_B == 48 && Everything::kSize_dw == 12 && Everything::kAlign_B == 16);
static_assert(packed({}).w[0] ==
              (2u | 21u << 3 | 1u << 8 | 31u << 9 | 0u << 14 | 0u << 18 | 0u << 24 | 16u << 27));
static_assert(packed({}).w[7] == 0x3e800000);
static_assert(packed({.address = 0x123456789abcdc0}).w[1] == 0x89abcdc0);
static_assert(packed({.address = 0x123456789abcdc0}).w[2] == 0x01234567);
static_assert(packed({.straddle = 0xfedcba9876}).w[3] == 0x87600000);
static_assert(packed({.straddle = 0xfedcba9876}).w[4] == 0x0fedcba9);
static_assert(packed({.bias = -385 / 256.0f}).w[4] ==
              0xf0000000);  // 0xfe7f: 4 bits here, 12 in the next word
static_assert(packed({.bias = -385 / 256.0f}).w[5] == 0xfe7);
static_assert(packed({.lod = 31.99f}).w[6] == 0x1ffd);
static_assert(packed({.rounded = 4097}).w[6] == 0x2000u << 16);
static_assert(packed({.four = {1, 2, 3, 4}}).w[9] == 0x04030201);
static_assert(packed({.pairs = {{.low = 3, .high = -2}, {.low = 15, .high = 127}}, .reg = 9}).w[10] ==
              0x097fffe3);
static_assert(pack64(Add{.immediate = -2, .destination = 0x12}) == 0x11120000fffffffeull);
static_assert(Add::kOpcode == Op::ADD && uint8_t(Op::ADD) == 0x11);

TEST_CASE("fields: the text of instructions") {
    CHECK(text_of(Jump{}) == "JUMP.always d0, #0x0, _");
    CHECK(text_of(Jump{.relation = Relation::Greater,
                       .relation_is = true,
                       .mask = 0xb,
                       .first = 10,
                       .far = 0xabc,
                       .to = 6}) == "JUMP.gt d6, #0xB, r10:r11:r13 // far abc of ABC");
    CHECK(text_of(Jump{.relation = Relation(5), .relation_is = true}) == "JUMP.unknown d0, #0x0, _");
    CHECK(text_of(Range{.first = 4, .count = 3}) == "RANGE r4:r6");
}

TEST_CASE("fields: a visit unpacks the instruction of a word") {
    const uint64_t word = pack64(Range{.first = 4, .count = 3}) | uint64_t(1) << 32;
    unsigned calls = 0;
    const auto f = [&](const auto& i, const fields::ReservedBits& found) {
        calls++;
        CHECK(std::is_same_v<decltype(i), const Range&>);
        CHECK(found.joined() == "reserved bits 0x1 of word 1");
        CHECK(pack64(i) == pack64(Range{.first = 4, .count = 3}));
    };
    CHECK(visit(Op::RANGE, word, f));
    CHECK(calls == 1);
    CHECK_FALSE(visit(Op(0x77), word, f));
    CHECK(calls == 1);
}

TEST_CASE("fields: alternatives are packed and read if their condition holds") {
    Everything s;
    s.plain_only = 0x11;
    s.others_only = 0x2222;
    s.flagged = 0x33;
    CHECK(packed(s).w[11] == 0x332222);
    s.flag = false;
    CHECK(packed(s).w[11] == 0x2222);
    s.kind = Kind::Plain;
    CHECK(packed(s).w[11] == 0x11);
    Everything back;
    CHECK(unpack(packed(s).w, &back));
    CHECK(back.plain_only == 0x11);
    CHECK(back.others_only == 0);
    Words w = packed(s);
    w.w[11] = 0x112211;
    fields::ReservedBits found;
    CHECK_FALSE(unpack(w.w, &back, &found));
    CHECK(findings(found) == "reserved bits 0x112200 of word 11\n");
}

TEST_CASE("fields: packed values are unpacked unchanged") {
    Everything s;
    s.kind = Kind::Wide;
    s.count = 1;
    s.from_three = 18;
    s.size = 0x3f0;
    s.samples = 128;
    s.delta = 15;
    s.address = 0xffffffffffffffc0;
    s.straddle = 0xffffffffff;
    s.bias = -128;
    s.lod = 0.5f;
    s.rounded = 0xf000;
    s.scale = -0.0f;
    s.word = 0x3f800000;
    s.four[2] = 31;
    s.pairs[1].high = -128;
    s.reg = 255;
    s.others_only = 0xffff;
    s.flagged = 0xff;
    Everything back;
    CHECK(unpack(packed(s).w, &back));
    CHECK(printed(back) == printed(s));
    CHECK(back.delta == 15);
    CHECK(back.bias == -128);
    CHECK(back.samples == 128);
    CHECK(back.pairs[1].high == -128);
    CHECK(back.address == 0xffffffffffffffc0);
    CHECK(std::signbit(back.scale));
}

TEST_CASE("fields: fixed point clamps and rounds to nearest") {
    using namespace fields;
    CHECK(put_fixed<13, 8, false>(1e9f) == 0x1fff);
    CHECK(put_fixed<13, 8, false>(-1) == 0);
    CHECK(put_fixed<13, 8, false>(0.5f / 256) == 1);
    CHECK(put_fixed<13, 8, false>(0.499f / 256) == 0);
    CHECK(put_fixed<16, 8, true>(-1e9f) == 0x8000);
    CHECK(put_fixed<16, 8, true>(1e9f) == 0x7fff);
    CHECK(put_fixed<16, 8, true>(-0.5f / 256) == 0xffff);
    CHECK(put_fixed<16, 8, true>(std::numeric_limits<float>::quiet_NaN()) == 0);
    CHECK(put_fixed<16, 8, true>(-std::numeric_limits<float>::infinity()) == 0x8000);
    for (uint32_t i = 0; i < 65536; ++i)
        REQUIRE(put_fixed<16, 8, true>(get_fixed<16, 8, true>(i)) == i);
}

TEST_CASE("fields: findings") {
    Words w = packed({});
    w.w[0] = (w.w[0] & ~0xffu) | 4 | 20 << 3;  // an invalid kind, another tag
    w.w[5] |= 1u << 31;
    Everything s;
    fields::ReservedBits found;
    CHECK_FALSE(unpack(w.w, &s, &found));
    CHECK(findings(found) ==
          "Everything.kind has no value 4\nEverything.tag has no value 20\nreserved bits 0x80000000 of word "
          "5\n");
    CHECK(enum_name(s.kind) == nullptr);
    // Findings beyond the list's size are only counted.
    for (int i = 0; i < 20; ++i)
        found.add(nullptr, 1, 2);
    CHECK(found.count == 23);
    CHECK(findings(found).find("and 7 more\n") != std::string::npos);
    // Without a list the result is the same.
    CHECK_FALSE(unpack(w.w, &s));
}

TEST_CASE("fields: printing") {
    Everything s;
    s.reg = 7;
    s.word = 0x3f800000;
    s.kind = Kind(7);
    CHECK(
        printed(s) ==
        "kind: unknown (7)\nflag: true\ncount: 32\nfrom_three: 3\nsize: 0\nsamples: 1\ndelta: -16\naddress: "
        "0x0\n"
        "straddle: 0x0\nbias: 0\nlod: 0\nrounded: 0\nscale: 0.25\nword: 0x3f800000 (1)\nfour[0]: 0\nfour[1]: "
        "0\n"
        "four[2]: 0\nfour[3]: 0\npairs[0]:\n  low: 0\n  high: 0\npairs[1]:\n  low: 0\n  high: 0\nreg: r7\n");
    uint32_t registers[16] = {};
    registers[2] = 5;
    registers[4] = 0x10;
    registers[5] = 0x20;
    registers[6] = 0xbf800000;
    registers[9] = 0x11040000;
    fields::StringSink sink;
    for (const fields::RegisterRow& row : Example::rows())
        row.print(sink, row.name, registers + row.first, 0);
    CHECK(sink.text ==
          "number: 5\npointer: 0x2000000010\nreal: -1\npair:\n  immediate: 0\n  destination: d4\n");
}

TEST_CASE("fields: memory-mapped registers") {
    CHECK(DEPTH_INFO::kRegister == 0x8872);
    CHECK(TARGET_INFO::at(2) == 0x9012);
    CHECK(pack32(DEPTH_INFO{.format = Kind::Packed, .layers = 5}) == (2 | 4 << 8));
    CHECK(pack32(TARGET_INFO{.width = 640}) == 640);
    const TABLE table{.size = 3, .address = 0x123456789abc};
    CHECK(pack64(table) == 0x123456789abf);
    CHECK(TABLE::kSize_dw == 2);
    uint32_t words[2];
    pack(TARGET_BASE{.value = 0x500001000}, words);
    CHECK(words[0] == 0x1000);
    CHECK(words[1] == 5);
    fields::StringSink sink;
    std::string names;
    for (const fields::RegisterRow& row : ExampleBank::rows()) {
        names += std::string(row.name) + ' ' + std::to_string(row.first) + ' ' + std::to_string(row.count) +
                 ' ' + std::to_string(row.elements) + ' ' + std::to_string(row.stride) + '\n';
        const uint32_t value[2] = {0x80000105, 1};
        row.print(sink, row.name, value, 0);
    }
    CHECK(names ==
          "DEPTH_INFO 34930 1 1 1\nTARGET_BASE 36864 2 3 8\nTARGET_INFO 36866 1 3 8\nTABLE 37120 2 1 2\n");
    CHECK(sink.text ==
          "DEPTH_INFO:\n  format: Wide\n  layers: 2\n  reserved bits 0x80000000 of word 0\n"
          "TARGET_BASE:\n  value: 0x180000105\n"
          "TARGET_INFO:\n  width: 261\n  reserved bits 0x80000000 of word 0\n"
          "TABLE:\n  size: 1\n  address: 0x180000104\n");
}

TEST_CASE("fields: packets, whole and short") {
    CHECK(Draw::kOpcode == Code::CODE_DRAW);
    CHECK(Draw::kLeast_dw == 2);
    CHECK(packet_row(Code::CODE_NOP) == nullptr);
    CHECK(packet_row(Code(5)) == nullptr);
    const fields::PacketRow* draw = packet_row(Code::CODE_DRAW);
    REQUIRE(draw);
    CHECK(draw->least_dw == 2);
    CHECK(draw->size_dw == 4);
    CHECK_FALSE(draw->repeats);
    CHECK(packet_row(Code::CODE_LIST)->repeats);
    const uint32_t words[4] = {3, 1, 0x2000, 1};
    fields::StringSink sink;
    draw->print(sink, words, 4, 0);
    CHECK(sink.text == "vertices: 3\ninstances: 1\nindex: 0x100002000\n");
    // A field that is only partly there is not printed.
    sink.text.clear();
    draw->print(sink, words, 3, 1);
    CHECK(sink.text == "  vertices: 3\n  instances: 1\n");
}

TEST_CASE("fields: instructions of several lengths, groups") {
    CHECK(Short::kSize_B == 2);
    CHECK(Short::kSize_dw == 1);
    CHECK(Short::kAlign_B == 2);
    CHECK(Middle::kSize_B == 6);
    CHECK(Middle::kSize_dw == 2);
    CHECK(Long::kSize_B == 8);
    uint32_t words[2];
    pack(Short{.flag = true}, words);
    CHECK(words[0] == 0x188);
    pack(Middle{.code = 0x12345678}, words);
    CHECK(words[0] == 0x5678000d);
    CHECK(words[1] == 0x1234);
    // The bits after a short instruction belong to the next one.
    const uint32_t stream[2] = {0xffff0188, 0};
    Short read;
    fields::ReservedBits found;
    CHECK(unpack(stream, &read, &found));
    CHECK(read.flag);
    // Groups of 64: none are one, 2^3 are stored as 0.
    const struct {
        uint32_t value, bits, back;
    } kCases[] = {{0, 1, 64}, {1, 1, 64}, {64, 1, 64}, {65, 2, 128}, {448, 7, 448}, {512, 0, 512}};
    for (const auto& c : kCases) {
        pack(Long{.count = c.value}, words);
        CHECK((words[0] >> 8) == c.bits);
        Long back;
        CHECK(unpack(words, &back));
        CHECK(back.count == c.back);
    }
    CHECK(Long{}.count == 64);
}

TEST_CASE("fields: a record has the parts whose flags are set") {
    CHECK(Parts::kMost_dw == 1 + 1 + 1 + 4 * 2);
    uint32_t words[Parts::kMost_dw] = {};
    CHECK(pack(Parts{}, words) == 1);
    Parts parts;
    parts.header = {.spots = true, .count = 3};
    parts.control.code = 7;
    for (unsigned i = 0; i < 3; ++i)
        parts.spot[i] = {.x = float(i), .low = i + 1};
    parts.sized.code = 9;  // not written: its flag is not set
    CHECK(size_dw(parts.header) == 8);
    CHECK(pack(parts, words) == 8);
    CHECK(words[0] == (2u | 2u << 2));
    CHECK(words[1] == 7);
    CHECK(words[6] == 0x40000000);
    CHECK(words[7] == 3);

    Parts back;
    for (unsigned dw = 0; dw < 8; ++dw)
        CHECK(unpack(words, dw, &back, nullptr) == 0);
    CHECK_FALSE(back.header.spots);
    words[5] |= 0xff00;
    words[0] |= 0x100;
    fields::ReservedBits found;
    CHECK(unpack(words, 8, &back, &found) == 8);
    CHECK(back.control.code == 7);
    CHECK(back.spot[2].low == 3);
    CHECK(back.sized.code == 0);
    // Words are counted from the beginning of the record.
    CHECK(findings(found) == "reserved bits 0x100 of word 0\nreserved bits 0xff00 of word 5\n");
    CHECK(printed(back) ==
          "sized: false\nspots: true\ncount: 3\ncontrol:\n  code: 0x7\nspot[0]:\n  x: 0\n  low: 1\n"
          "spot[1]:\n  x: 1\n  low: 2\nspot[2]:\n  x: 2\n  low: 3\n");
}
