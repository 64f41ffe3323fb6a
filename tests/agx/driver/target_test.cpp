// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Targets on the virtual GPU: what st_tile writes, the descriptors' programs store and load again.
#include "drivers/agx/images/target.h"
#include "tests/agx/driver/device_fixture.h"
#include "tests/agx/sim/tile_fixture.h"

namespace terrazzo::tests::agx {
namespace {

namespace driver = terrazzo::agx;
using pipe::Format;

/// "xyz", and registers from `first` on.
std::string mask_text(unsigned count) {
    return std::string("xyzw").substr(0, count);
}
std::string register_text(unsigned first, unsigned count) {
    std::string text;
    for (unsigned c = 0; c < count; ++c)
        text += (c ? "_r" : "r") + std::to_string(first + c);
    return text;
}

TEST_CASE("agx targets: every format that can be drawn into is stored and loaded") {
    const auto device = test::open_agx_device();
    unsigned formats = 0;
    for (size_t n = 1; n < pipe::kFormatCount; ++n) {
        const auto format = Format(n);
        if (!driver::format_supported(device->chip(), format, pipe::ResourceKind::Tex2D, 1,
                                      pipe::bind::kColor))
            continue;
        CAPTURE(std::string(pipe::format_name(format)));
        ++formats;
        pipe::ResourceDesc d;
        d.format = format;
        d.width = 8, d.height = 4;
        d.bind = pipe::bind::kColor;
        const auto image = driver::AgxResource::create(*device, d);
        REQUIRE(image);
        pipe::Attachment a;
        a.resource = image.get();
        const driver::TileTarget target = driver::tile_target(format);
        const std::string name = driver::isa::kFormatNames.name(unsigned(target.format));
        const unsigned count = target.components;
        TileThreads t(1, 16, 0, 0);
        const uint64_t va = t.memory.allocate(image->layout.size_B, pipe::kAgxPage_B);
        const units::FormatReader reader = units::format_reader(format);
        const pipe::FormatInfo& info = pipe::format_info(format);
        uint32_t stored[sim::kThreads][4];
        for (unsigned thread = 0; thread < sim::kThreads; ++thread)
            for (unsigned c = 0; c < 4; ++c) {
                uint32_t& v = stored[thread][c];
                // Numbers that the format and the halves of the tilebuffer have.
                v = reader.kind == units::NumberKind::Float
                        ? std::bit_cast<uint32_t>(float(t.random() % 2))
                        : t.random() % (info.component_bits(c) == 2 ? 4 : 128);
                t.set(4 + c, thread, v);
                if (!info.component_bits(c)) v = c == 3 ? reader.one() : 0;
            }
        hw::Pbe pbe = driver::store_target(a);
        pbe.address = va;
        t.bind(pbe);
        for (unsigned thread = 0; thread < sim::kThreads; ++thread)
            t.set(16, thread, 0u), t.set(17, thread, 0u);
        REQUIRE(t.run("st_tile." + name + "." + mask_text(count) + " " + register_text(4, count) +
                      ", 255, 0\nimage_write_block." + name + ".2d r16l, r17l_r17h, 0, _, ts0\n") == "");
        const auto load = [&](unsigned thread, uint32_t out[4]) {
            std::vector<uint8_t> pixel(info.block_B);
            REQUIRE(pipe::detile_rect(image->layout, t.memory.at(va), 0,
                                      {int32_t(thread % 8), int32_t(thread / 8), 0, 1, 1, 1}, pixel.data(),
                                      info.block_B, 0));
            reader.read(pixel.data(), out);
        };
        Threads loader;
        const uint64_t copy = loader.memory.allocate(image->layout.size_B, pipe::kAgxPage_B);
        std::memcpy(loader.memory.at(copy), t.memory.at(va), image->layout.size_B);
        hw::Texture texture = driver::load_target(a);
        texture.address = copy;
        loader.bind(texture);
        for (unsigned thread = 0; thread < sim::kThreads; ++thread)
            loader.set(8, thread, thread % 8), loader.set(9, thread, thread / 8);
        REQUIRE(loader.run("texture_load.2d.xyzw r4_r5_r6_r7, r8_r9, _, _, ts0, ss0, _\n") == "");
        for (unsigned thread = 0; thread < sim::kThreads; ++thread) {
            uint32_t in_memory[4];
            load(thread, in_memory);
            for (unsigned c = 0; c < 4; ++c) {
                CHECK(in_memory[c] == stored[thread][c]);
                CHECK(loader.get(4 + c, thread) == stored[thread][c]);
            }
        }
    }
    CHECK(formats > 40);
}

}  // namespace
}  // namespace terrazzo::tests::agx
