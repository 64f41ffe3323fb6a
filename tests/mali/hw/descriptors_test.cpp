// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/hw/descriptors.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <string>

#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/pixel_format.h"

using namespace terrazzo;
using namespace terrazzo::mali::hw;

namespace {

template <class T>
std::string printed(const T& s) {
    fields::StringSink sink;
    print(sink, s);
    return sink.text;
}

/// Packing gives the words. Unpacking them finds no unknown bits and gives the same values.
template <class T>
void check(const char* name, const T& s, std::initializer_list<uint32_t> words) {
    CAPTURE(std::string(name));
    CAPTURE(printed(s));
    REQUIRE(words.size() == T::kSize_dw);
    uint32_t out[T::kSize_dw];
    std::fill(std::begin(out), std::end(out), 0xdeadbeef);
    pack(s, out);
    for (unsigned i = 0; i < T::kSize_dw; ++i) {
        CAPTURE(i);
        CHECK(out[i] == words.begin()[i]);
    }
    T back;
    fields::ReservedBits found;
    const bool clean = unpack(words.begin(), &back, &found);
    fields::StringSink findings;
    found.print(findings, 0);
    CHECK(findings.text == "");
    CHECK(clean);
    CHECK(printed(back) == printed(s));
}

}  // namespace

#define VECTOR(Type, assignments, ...) \
    {                                  \
        Type s;                        \
        (void)s;                       \
        assignments;                   \
        check(#Type, s, __VA_ARGS__);  \
    }

TEST_CASE("mali descriptors: the same words as Mesa packs"){
#include "tests/mali/hw/vectors.inc"
}

TEST_CASE("mali descriptors: alternatives do not influence each other") {
    Plane plane;
    plane.plane_type = PlaneType::Generic;
    plane.afbc_compression_mode = AfbcCompressionMode::R8G8B8A8;  // of another plane type
    plane.secondary_pointer = ~0ull;
    uint32_t words[8], expected[8];
    pack(plane, words);
    Plane generic;
    generic.plane_type = PlaneType::Generic;
    pack(generic, expected);
    CHECK(std::equal(words, words + 8, expected));
}

TEST_CASE("mali descriptors: reserved bits, constants and unknown values are reported") {
    uint32_t words[8];
    pack(Sampler(), words);
    Sampler s;
    CHECK(unpack(words, &s));
    words[3] = 0x10;
    words[0] = (words[0] & ~0xfu) | 2;  // a texture's type
    words[0] |= 1 << 4;                 // reduction mode 1
    fields::ReservedBits found;
    CHECK_FALSE(unpack(words, &s, &found));
    fields::StringSink sink;
    found.print(sink, 0);
    CHECK(sink.text ==
          "Sampler.type has no value 2\n"
          "Sampler.reduction_mode has no value 1\n"
          "reserved bits 0x10 of word 3\n");
    // Bits of an alternative are reserved if another one is selected.
    ShaderProgram program;
    program.stage = ShaderStage::Compute;
    pack(program, words);
    words[0] |= 1 << 8;
    ShaderProgram back;
    CHECK_FALSE(unpack(words, &back));
    words[0] += 1 << 4;  // a fragment shader's coverage mask may be that of GL
    CHECK(unpack(words, &back));
    CHECK(back.fragment_coverage_bitmask_type == CoverageBitmaskType::Gl);
}

TEST_CASE("mali descriptors: instructions are 64 bits with the opcode in the upper byte") {
    static_assert(pack64(CsMove{.immediate = 0x123456789abc, .destination = 40}) == 0x0128123456789abcull);
    static_assert(pack64(CsWait{.wait_mask = 0xff}) == 0x0300000000ff0000ull);
    CsMove move;
    CHECK(unpack(uint64_t(0x0128123456789abcull), &move));
    CHECK(move.immediate == 0x123456789abc);
    CHECK(printed(move) == "immediate: 0x123456789abc\ndestination: d40\n");
    CHECK_FALSE(unpack(uint64_t(0x0228123456789abcull), &move));  // MOVE32
    CHECK(std::string(enum_name(CsOpcode::SYNC_WAIT64)) == "SYNC_WAIT64");
    CHECK(enum_name(CsOpcode(10)) == nullptr);
}

TEST_CASE("mali descriptors: printing") {
    Texture texture;
    texture.format = pixel_format(PixelFormatCode::RGBA8_UNORM, ComponentOrder::BGRA, true);
    texture.swizzle = component_swizzle(Channel::B, Channel::G, Channel::R, Channel::One);
    texture.minimum_lod = 1.5f;
    const std::string text = printed(texture);
    CHECK(text.find("format: RGBA8_UNORM BGRA sRGB (0x1bb004)\n") != std::string::npos);
    CHECK(text.find("swizzle: BGR1\n") != std::string::npos);
    CHECK(text.find("minimum_lod: 1.5\n") != std::string::npos);
    CHECK(text.find("dimension: Cube\n") != std::string::npos);
    Draw draw;
    draw.shader.fau_count = 3;
    CHECK(printed(draw).find("shader:\n  attribute_offset: 0\n  fau_count: 3\n") != std::string::npos);
}

TEST_CASE("mali descriptors: registers have names") {
    CHECK(IdvsRegisters::blend == 50);
    uint32_t registers[96] = {};
    registers[IdvsRegisters::scissor + 1] = 0x00ff01ff;
    fields::StringSink sink;
    for (const fields::RegisterRow& row : IdvsRegisters::rows())
        if (row.first == IdvsRegisters::scissor) row.print(sink, row.name, registers + row.first, 1);
    CHECK(sink.text ==
          "  scissor:\n    scissor_minimum_x: 0\n    scissor_minimum_y: 0\n    scissor_maximum_x: 511\n"
          "    scissor_maximum_y: 255\n");
}
