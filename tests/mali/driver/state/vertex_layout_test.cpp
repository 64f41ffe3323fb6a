// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Attribute descriptors as the virtual GPU's attribute unit reads them, compared with pipe's formats.
#include "drivers/mali/state/vertex_layout.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>

#include "drivers/mali/sim/units/shader_units.h"
#include "pipe/upload/vertices.h"
#include "tests/mali/driver/scene.h"
#include "tests/mali/sim/draw_fixture.h"

using namespace terrazzo;
using namespace terrazzo::mali;

namespace {

template <class T>
T unpacked(const uint32_t* words) {
    T t;
    fields::ReservedBits found;
    REQUIRE(hw::unpack(words, &t, &found));
    return t;
}

std::vector<pipe::Format> vertex_formats() {
    std::vector<pipe::Format> all;
    for (size_t i = 1; i < pipe::kFormatCount; ++i) {
        const auto f = pipe::Format(i);
        const hw::FormatRow* row = hw::format_row(f);
        if (row && row->is_vertex && pipe::format_ops(f).unpack_f32 && !pipe::format_info(f).is_srgb)
            all.push_back(f);
    }
    return all;
}

pipe::VertexLayoutDesc one(const pipe::VertexElement& e) {
    pipe::VertexLayoutDesc d;
    d.elements[0] = e;
    d.count = 1;
    return d;
}

}  // namespace

TEST_CASE("mali vertices: hardware has every format of ES 2.0's arrays") {
    using enum pipe::Format;
    for (const pipe::Format f :
         {R8_UNORM,          R8G8_SNORM,        R8G8B8_UNORM,        R8G8B8A8_SNORM,
          R8_USCALED,        R8G8_SSCALED,      R8G8B8_USCALED,      R8G8B8A8_SSCALED,
          R16_UNORM,         R16G16_SNORM,      R16G16B16_UNORM,     R16G16B16A16_SNORM,
          R16_SSCALED,       R16G16_USCALED,    R16G16B16_SSCALED,   R16G16B16A16_USCALED,
          R32_UNORM,         R32G32_SNORM,      R32G32B32_USCALED,   R32G32B32A32_SSCALED,
          R32_FIXED,         R32G32_FIXED,      R32G32B32_FIXED,     R32G32B32A32_FIXED,
          R32_FLOAT,         R32G32_FLOAT,      R32G32B32_FLOAT,     R32G32B32A32_FLOAT,
          R16_FLOAT,         R16G16_FLOAT,      R16G16B16_FLOAT,     R16G16B16A16_FLOAT,
          R10G10B10A2_UNORM, R10G10B10A2_SNORM, R10G10B10A2_USCALED, R10G10B10A2_SSCALED,
          B8G8R8A8_UNORM}) {
        CAPTURE(pipe::format_name(f));
        const MaliVertexLayout layout(one({.format = f}));
        CHECK(layout.unsupported == 0);
        CHECK(layout.present == 1);
    }
    // Not a format of attributes.
    CHECK(MaliVertexLayout(one({.format = ETC1_RGB8})).unsupported == 1);
}

TEST_CASE("mali vertices: formats, offsets and strides are read as pipe reads them") {
    std::mt19937 random(5);
    sim::testing::FlatSpace space;
    sim::Window window(space);
    constexpr uint64_t kBuffer = sim::testing::FlatSpace::kBase;
    for (size_t i = 0; i < 4096; ++i)
        space.bytes[i] = uint8_t(random());
    for (const pipe::Format f : vertex_formats()) {
        CAPTURE(pipe::format_name(f));
        const pipe::FormatInfo& info = pipe::format_info(f);
        const uint32_t step_B = info.channel[0].bits % 8 ? 4u : info.channel[0].bits / 8u;
        const uint32_t offset_B = step_B * (random() % 5), stride_B = info.block_B + step_B * (random() % 3);
        const MaliVertexLayout layout(one({.format = f, .offset_B = offset_B}));
        uint32_t attribute[kAttribute_dw];
        std::copy_n(layout.words[0].data(), kAttribute_dw, attribute);
        attribute[4] = stride_B;
        sim::AttributeState state;
        state.d = unpacked<hw::Attribute>(attribute);
        state.buffer.address = kBuffer;
        state.buffer.size = 4096;
        state.format = sim::attribute_format(state.d.format);
        REQUIRE(bool(state.format));
        CHECK(state.index_of(7, 100, 3) == 10);
        for (uint32_t vertex = 0; vertex < 20; ++vertex) {
            uint64_t va = 0;
            const uint8_t* at = state.element(window, vertex, &va);
            REQUIRE(at);
            CHECK(va == kBuffer + offset_B + uint64_t(vertex) * stride_B);
            uint32_t got[4];
            state.format.read(at, got);
            float expected[4], converted[4];
            pipe::unpack_rgba_f32(f, expected, space.bytes.data() + offset_B + vertex * stride_B, 1);
            pipe::convert_vertices(layout.desc.elements[0], space.bytes.data(), 4096, stride_B, vertex, 1,
                                   converted);
            for (unsigned c = 0; c < 4; ++c) {
                const float value = std::bit_cast<float>(
                    sim::to_register(mali::isa::RegisterFormat::kF32, state.format.kind, got[c]));
                if (expected[c] == expected[c]) CHECK(value == expected[c]);
                CHECK(std::bit_cast<uint32_t>(converted[c]) == std::bit_cast<uint32_t>(expected[c]));
            }
        }
    }
}

TEST_CASE("mali vertices: divisors") {
    std::mt19937 random(6);
    std::vector<uint32_t> divisors = {
        1,  2,   3,   4,     5,     6,     7,          9,          10,         11,         13,        25,
        64, 100, 641, 65535, 65536, 65537, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    for (unsigned i = 0; i < 200; ++i)
        divisors.push_back(std::max(1u, uint32_t(random()) >> random() % 32));
    for (const uint32_t divisor : divisors) {
        CAPTURE(divisor);
        const MaliVertexLayout layout(one({.format = pipe::Format::R32_FLOAT, .divisor = divisor}));
        sim::AttributeState state;
        state.d = unpacked<hw::Attribute>(layout.words[0].data());
        CHECK(state.d.frequency == hw::AttributeFrequency::Instance);
        CHECK((state.d.attribute_type == hw::AttributeType::N1dNpotDivisor) == !std::has_single_bit(divisor));
        const auto check = [&](uint32_t instance) {
            CAPTURE(instance);
            CHECK(state.index_of(12345, instance, 678) == instance / divisor);
        };
        for (uint32_t instance = 0; instance < 40; ++instance)
            check(instance);
        for (uint64_t k = 1; k < 6; ++k)  // the values where the quotient changes
            for (int step = -1; step <= 1; ++step)
                check(uint32_t(k * divisor + uint64_t(int64_t(step))));
        for (unsigned i = 0; i < 100; ++i)
            check(uint32_t(random()) >> random() % 32);
        check(0xffffffff);
        check(0xfffffffe);
    }
}

TEST_CASE("mali vertices: the first instance moves instanced attributes, before the divisor") {
    pipe::VertexLayoutDesc d;
    d.elements[0] = {.format = pipe::Format::R32_FLOAT, .buffer = 0, .offset_B = 4};
    d.elements[1] = {.format = pipe::Format::R32_FLOAT, .buffer = 0, .offset_B = 8, .divisor = 3};
    d.count = 2;
    const MaliVertexLayout layout(d);
    CHECK(layout.instanced == 2);
    test::MaliScene s;
    const float data[16] = {};
    const auto buffer = s.buffer(data, sizeof data);
    const pipe::VertexBuffer buffers[] = {{buffer.get(), 0, 12}};
    uint32_t attributes[2 * kAttribute_dw], descriptors[2 * kBuffer_dw];
    write_attributes(layout, buffers, 2, 5, 0x1000, attributes, descriptors);
    CHECK(unpacked<hw::Attribute>(attributes).offset == 4);
    CHECK(unpacked<hw::Attribute>(attributes + kAttribute_dw).offset == 8 + 5 * 12);
}

TEST_CASE("mali vertices: missing attributes read (0,0,0,1)") {
    pipe::VertexLayoutDesc d;
    d.elements[1] = {.format = pipe::Format::R32G32_FLOAT, .buffer = 0};  // no resource
    d.elements[2] = {.format = pipe::Format::R32G32_FLOAT, .buffer = 9};  // no such buffer
    d.count = 3;
    const MaliVertexLayout layout(d);
    const pipe::VertexBuffer buffers[2] = {};
    uint32_t attributes[4 * kAttribute_dw], descriptors[3 * kBuffer_dw];
    constexpr uint64_t kMissing = 0x123450;
    write_attributes(layout, buffers, 4, 3, kMissing, attributes, descriptors);
    for (unsigned i = 0; i < 4; ++i) {
        const auto a = unpacked<hw::Attribute>(attributes + i * kAttribute_dw);
        CHECK(a.buffer_index == 2);
        CHECK(a.stride == 0);
        CHECK(a.offset == 0);
        CHECK(a.table == 2);
        CHECK(a.format == hw::format_row(pipe::Format::R32G32B32A32_FLOAT)->pixel_format);
    }
    const auto b = unpacked<hw::Buffer>(descriptors + 2 * kBuffer_dw);
    CHECK(b.address == kMissing);
    CHECK(b.size == 16);
    CHECK(unpacked<hw::Buffer>(descriptors).size == 0);
}

TEST_CASE("mali vertices: attributes that are not aligned to their components are converted") {
    using enum pipe::Format;
    CHECK(MaliVertexLayout(one({.format = R32G32_FLOAT, .offset_B = 2})).unsupported == 1);
    CHECK(MaliVertexLayout(one({.format = R16G16B16_FLOAT, .offset_B = 2})).unsupported == 0);
    CHECK(MaliVertexLayout(one({.format = R8G8B8_UNORM, .offset_B = 3})).unsupported == 0);
    CHECK(MaliVertexLayout(one({.format = R10G10B10A2_UNORM, .offset_B = 2})).unsupported == 1);
    pipe::VertexLayoutDesc d;
    d.elements[0] = {.format = R32G32_FLOAT, .buffer = 1};
    d.elements[2] = {.format = R16G16_UNORM, .buffer = 1};
    d.elements[3] = {.format = R8G8B8_UNORM, .buffer = 1};
    d.elements[4] = {.format = R32_FLOAT, .buffer = 0};
    d.count = 5;
    const MaliVertexLayout layout(d);
    // Only the presence of a resource matters.
    struct Nothing final : pipe::Resource {
        Nothing() : Resource({}) {}
    };
    const auto r = pipe::Ref<pipe::Resource>::adopt(new Nothing);
    const auto to_convert = [&](uint64_t offset_B, uint32_t stride_B) {
        const pipe::VertexBuffer buffers[] = {{r.get(), 64, 4}, {r.get(), offset_B, stride_B}};
        return attributes_to_convert(layout, buffers);
    };
    CHECK(to_convert(16, 12) == 0);
    CHECK(to_convert(18, 12) == 1);
    CHECK(to_convert(16, 14) == 1);
    CHECK(to_convert(16, 11) == 5);
    CHECK(to_convert(17, 12) == 5);
    const pipe::VertexBuffer none[] = {{}, {nullptr, 1, 1}};
    CHECK(attributes_to_convert(layout, none) == 0);
    // An offset that never fits, and no buffer to convert from.
    const MaliVertexLayout odd(one({.format = R32G32_FLOAT, .buffer = 1, .offset_B = 2}));
    CHECK(attributes_to_convert(odd, none) == 0);
    const pipe::VertexBuffer some[] = {{}, {r.get(), 0, 8}};
    CHECK(attributes_to_convert(odd, some) == 1);
}

TEST_CASE_FIXTURE(sim::testing::DrawFixture, "mali vertices: the virtual GPU refuses unaligned ones") {
    using enum pipe::Format;
    const auto draw_with = [&](pipe::Format f, int32_t offset_B, uint32_t stride_B) {
        hw::Resource attributes;
        REQUIRE(hw::unpack(reinterpret_cast<const uint32_t*>(at(tables + 16)), &attributes));
        hw::Attribute a;
        a.table = 2;
        a.format = hw::format_row(f)->pixel_format;
        a.offset = offset_B;
        a.stride = stride_B;
        put(attributes.address + 32, a);
        return draw();
    };
    vertices({{{3, 5, .5f, 1}, {}}, {{60, 11, .5f, 1}, {}}, {{20, 58, .5f, 1}, {}}});
    CHECK(draw_with(R32G32_FLOAT, 16, 32) == sim::JobStatus::Done);
    CHECK(draw_with(R8G8B8_UNORM, 17, 31) == sim::JobStatus::Done);
    CHECK(draw_with(R16G16_FLOAT, 18, 30) == sim::JobStatus::Done);
    CHECK(draw_with(R32G32_FLOAT, 18, 32) == sim::JobStatus::Fault);
    CHECK(fault.report.find("not aligned to their 4 bytes") != std::string::npos);
    CHECK(draw_with(R32G32_FLOAT, 16, 30) == sim::JobStatus::Fault);
    CHECK(draw_with(R10G10B10A2_UNORM, 18, 32) == sim::JobStatus::Fault);
    CHECK(draw_with(R16G16_FLOAT, 17, 32) == sim::JobStatus::Fault);
}

TEST_CASE("mali vertices: converted ones") {
    const pipe::VertexElement e{.format = pipe::Format::R16G16_SSCALED, .offset_B = 1, .divisor = 3};
    std::vector<uint8_t> bytes(3 + 7 * 200);
    std::mt19937 random(8);
    for (uint8_t& b : bytes)
        b = uint8_t(random());
    std::vector<float> out(4 * 150, -1);
    pipe::convert_vertices(e, bytes.data(), bytes.size(), 7, 50, 150, out.data());
    for (unsigned i = 0; i < 150; ++i) {
        int16_t v[2];
        std::memcpy(v, bytes.data() + 1 + (50 + i) * 7, 4);
        CHECK(out[4 * i] == float(v[0]));
        CHECK(out[4 * i + 1] == float(v[1]));
        CHECK(out[4 * i + 2] == 0);
        CHECK(out[4 * i + 3] == 1);
    }
    // Beyond the buffer's end.
    pipe::convert_vertices(e, bytes.data(), 20, 7, 0, 4, out.data());
    CHECK(out[4 * 3] == 0);
    CHECK(out[4 * 3 + 3] == 1);

    const MaliVertexLayout layout(one(e));
    uint32_t attribute[kAttribute_dw], buffer[kBuffer_dw];
    write_converted_attribute(layout, 0, {0x4000, 2400}, 3, 5, attribute, buffer);
    sim::AttributeState state;
    state.d = unpacked<hw::Attribute>(attribute);
    CHECK(state.d.buffer_index == 5);
    CHECK(state.d.stride == 16);
    CHECK(state.d.offset == 3 * 16);
    CHECK(state.index_of(100, 14, 1000) == 4);
    CHECK(unpacked<hw::Buffer>(buffer).address == 0x4000);
    CHECK(unpacked<hw::Buffer>(buffer).size == 2400);
}
