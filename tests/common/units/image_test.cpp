// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texels that are read and written directly in memory, and formats by a vendor's numbers.
#include "drivers/common/units/image.h"

#include <bit>
#include <map>
#include <vector>

#include <doctest/doctest.h>

#include "drivers/common/units/decode_once.h"
#include "drivers/common/units/refuse.h"

using namespace terrazzo;
using namespace terrazzo::units;

namespace {

constexpr uint64_t kVa = 0x1000;

struct ArraySpace final : window::Space {
    window::Mapping find(uint64_t va) override {
        if (va < kVa || va >= kVa + bytes.size()) return {};
        return {kVa, kVa + bytes.size(), bytes.data(), true, false};
    }
    uint64_t epoch() const override { return 0; }
    void stored(uint64_t, uint64_t size_B) override { stored_B += size_B; }
    uint64_t stored_B = 0;
    std::vector<uint8_t> bytes = std::vector<uint8_t>(256);
};

// Rows of 5 texels, layers of 4 rows. Odd layers have no addresses, as if they were compressed.
class ToyImage final : public Image {
  public:
    explicit ToyImage(pipe::Format format) {
        decoder_.format = format_reader(format);
        size_[0] = 5, size_[1] = 3, size_[2] = 2;
    }
    void set_swizzle(const uint8_t (&swizzle)[4]) { std::copy_n(swizzle, 4, decoder_.swizzle); }
    void unbind() { size_[0] = 0; }
    std::map<uint32_t, std::array<uint32_t, 4>> others;  // by x, in odd layers
    uint64_t base = kVa;

  private:
    bool address(const uint32_t at[3], uint64_t* va) override {
        *va = base + (at[1] * 5 + at[0]) * format().size_B;
        return at[2] % 2 == 0;
    }
    bool access(window::Window&, const uint32_t at[3], uint32_t values[4], bool stores,
                std::string* why) override {
        if (at[1] == 2) return refuse(why, "a broken block");
        for (unsigned c = 0; c < 4; ++c)
            (stores ? others[at[0]][c] : values[c]) = stores ? values[c] : others[at[0]][c];
        return true;
    }
};

}  // namespace

TEST_CASE("units: image: texels in memory, swizzled, with bounds") {
    ArraySpace space;
    window::Window memory(space);
    ToyImage image(pipe::Format::R8G8B8A8_UINT);
    std::string why;
    const uint32_t at[3] = {4, 2, 0}, value[4] = {1, 2, 3, 4};
    REQUIRE(image.write(memory, at, value, &why));
    uint64_t va = 0;
    REQUIRE(image.find(at, &va));
    CHECK(va == kVa + 14 * 4);
    for (unsigned c = 0; c < 4; ++c)
        CHECK(space.bytes[14 * 4 + c] == value[c]);
    image.set_swizzle({2, kZero, kOne, 3});
    uint32_t out[4];
    REQUIRE(image.read(memory, at, out, &why));
    CHECK(out[0] == 3);
    CHECK(out[1] == 0);
    CHECK(out[2] == 1);
    CHECK(out[3] == 4);
    // Outside: zeros, even where the swizzle has a one, and no store.
    const std::vector<uint8_t> before = space.bytes;
    for (const auto& beyond : {std::array<uint32_t, 3>{5, 0, 0}, {0, 3, 0}, {0, 0, 2}, {~0u, 0, 0}}) {
        CHECK_FALSE(image.has(beyond.data()));
        CHECK_FALSE(image.find(beyond.data(), &va));
        REQUIRE(image.write(memory, beyond.data(), value, &why));
        REQUIRE(image.read(memory, beyond.data(), out, &why));
        for (const uint32_t component : out)
            CHECK(component == 0);
    }
    image.unbind();
    REQUIRE(image.write(memory, at, value, &why));
    CHECK(space.bytes == before);
}

TEST_CASE("units: image: texels without an address, and unmapped memory") {
    ArraySpace space;
    window::Window memory(space);
    ToyImage image(pipe::Format::R8G8B8A8_UINT);
    std::string why;
    const uint32_t at[3] = {1, 0, 1}, broken[3] = {1, 2, 1}, first[3] = {0, 0, 0};
    const uint32_t value[4] = {5, 6, 7, 8};
    uint32_t out[4];
    uint64_t va = 0;
    CHECK_FALSE(image.find(at, &va));
    image.set_swizzle({3, 2, 1, 0});
    REQUIRE(image.write(memory, at, value, &why));
    CHECK(image.others[1][0] == 5);
    REQUIRE(image.read(memory, at, out, &why));
    CHECK(out[0] == 8);
    CHECK_FALSE(image.read(memory, broken, out, &why));
    CHECK(why == "a broken block");
    CHECK_FALSE(image.write(memory, broken, value, &why));
    image.base = 0x10;
    CHECK_FALSE(image.read(memory, first, out, &why));
    CHECK(why.find("0x10") != std::string::npos);
    CHECK_FALSE(image.write(memory, first, value, &why));
    CHECK(why.find("write") != std::string::npos);
}

TEST_CASE("units: image: sixteen lanes at once are as one at a time, in the order of lanes") {
    using pipe::Format;
    for (const Format format :
         {Format::R8G8B8A8_UNORM, Format::R16G16_FLOAT, Format::R32G32B32A32_SINT, Format::R8_UINT}) {
        ArraySpace space;
        space.bytes.resize(16 * 15);
        for (size_t i = 0; i < space.bytes.size(); ++i)
            space.bytes[i] = uint8_t(i * 37 + 11);
        window::Window memory(space);
        ToyImage image(format);
        image.others[2] = {9, 8, 7, 6};
        image.set_swizzle({2, kOne, 0, kZero});
        std::string why;
        wave::U32 at[3] = {}, out[4];
        for (unsigned n = 0; n < wave::kLanes; ++n)
            at[0][n] = n % 7, at[1][n] = n % 4 ? n % 2 : 0, at[2][n] = n % 3;
        constexpr uint32_t kRunning = 0xfefb;
        REQUIRE(image.read_lanes(memory, kRunning, at, out, &why));
        for (unsigned n = 0; n < wave::kLanes; ++n) {
            const uint32_t place[3] = {at[0][n], at[1][n], at[2][n]};
            uint32_t one[4];
            REQUIRE(image.read(memory, place, one, &why));
            for (unsigned c = 0; c < 4 && (kRunning >> n & 1); ++c)
                CHECK(+out[c][n] == one[c]);
        }

        // Lanes 3 and 10 write the same texel: the value of the last one must remain.
        ArraySpace by_ones = space;
        window::Window other_memory(by_ones);
        ToyImage other = image;
        wave::U32 in[4];
        for (unsigned n = 0; n < wave::kLanes; ++n)
            for (unsigned c = 0; c < 4; ++c)
                in[c][n] = image.kind() == NumberKind::Float ? std::bit_cast<uint32_t>(float(n + c) / 20)
                                                             : n * 4 + c;
        for (unsigned c = 0; c < 3; ++c)
            at[c][10] = at[c][3];
        {
            core::StoredRange stored(space);
            REQUIRE(image.write_lanes(memory, kRunning, at, in, &stored, &why));
        }
        for (unsigned n = 0; n < wave::kLanes; ++n) {
            const uint32_t place[3] = {at[0][n], at[1][n], at[2][n]},
                           value[4] = {in[0][n], in[1][n], in[2][n], in[3][n]};
            if (kRunning >> n & 1) REQUIRE(other.write(other_memory, place, value, &why));
        }
        CHECK(space.bytes == by_ones.bytes);
        CHECK(image.others == other.others);
        CHECK(space.stored_B > 0);
    }
}

TEST_CASE("units: image: of sixteen lanes the first failing one is reported; nothing bound reads as zeros") {
    ArraySpace space;
    window::Window memory(space);
    ToyImage image(pipe::Format::R8G8B8A8_UINT);
    std::string why;
    wave::U32 at[3] = {}, v[4] = {};
    at[1][4] = 2, at[2][4] = 1;  // a broken block
    CHECK_FALSE(image.read_lanes(memory, 0xffff, at, v, &why));
    CHECK(why == "a broken block");
    {
        core::StoredRange stored(space);
        CHECK_FALSE(image.write_lanes(memory, 0xffff, at, v, &stored, &why));
    }
    CHECK(image.read_lanes(memory, 0xffef, at, v, &why));
    image.base = 0x10;
    CHECK_FALSE(image.read_lanes(memory, 0xffff, at, v, &why));
    CHECK(why.find("0x10") != std::string::npos);
    ToyImage nothing(pipe::Format::None);
    nothing.unbind();
    REQUIRE(nothing.read_lanes(memory, 0xffff, at, v, &why));
    for (const wave::U32& component : v)
        CHECK(+component[7] == 0);
    core::StoredRange stored(space);
    CHECK(nothing.write_lanes(memory, 0xffff, at, v, &stored, &why));
}

TEST_CASE("units: formats by numbers: the first format of a number is kept, and components are reordered") {
    FormatNumbers numbers;
    numbers.add(7, pipe::Format::R8G8B8A8_UNORM);
    numbers.add(7, pipe::Format::R8G8B8X8_UNORM);
    CHECK(numbers.find(7) == pipe::Format::R8G8B8A8_UNORM);
    CHECK(numbers.find(8) == pipe::Format::None);
    const uint8_t order[4] = {1, kZero, kOne, 0}, bytes[4] = {255, 0, 0, 255};
    CHECK_FALSE(bool(format_reader(pipe::Format::None, order)));
    uint32_t out[4];
    format_reader(numbers.find(7), order).read(bytes, out);
    CHECK(out[0] == 0);
    CHECK(out[1] == 0);
    CHECK(out[2] == 0x3f800000);
    CHECK(out[3] == 0x3f800000);
}

TEST_CASE("units: a descriptor is decoded once; a wrong one is decoded each time") {
    std::map<uint64_t, int> states;
    unsigned calls = 0;
    const auto decode = [&](bool good) {
        return [&calls, good](int* state) {
            *state = int(++calls);
            return good;
        };
    };
    CHECK(decode_once(states, 5, decode(false)) == nullptr);
    CHECK(states.empty());
    const int* const found = decode_once(states, 5, decode(true));
    REQUIRE(found);
    CHECK(*found == 2);
    CHECK(decode_once(states, 5, decode(false)) == found);
    CHECK(calls == 2);
}
