// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <cstring>

#include "drivers/mali/hw/chips.h"
#include "drivers/mali/hw/cs.h"
#include "drivers/mali/hw/formats.h"

using namespace terrazzo;
using namespace terrazzo::mali::hw;

TEST_CASE("mali chips: the G610 has the values that an RK3588 reports") {
    const Chip* chip = find_chip("mali-g610");
    REQUIRE(chip);
    CHECK(chip == &chips()[0]);
    CHECK(chip->is_measured);
    CHECK(chip->product_id() == 0xa867);
    CHECK(chip->arch_major() == 10);
    CHECK(chip->core_count() == 4);
    CHECK(chip->core_id_range() == 19);
    CHECK(chip->va_bits() == 48);
    CHECK(chip->tiler_levels() == 8);
    CHECK(chip->has_texture_feature(unsigned(PixelFormatCode::ETC2_RGB8)));
    CHECK(chip->has_texture_feature(unsigned(PixelFormatCode::ASTC_2D_LDR)));
    CHECK_FALSE(chip->has_texture_feature(unsigned(PixelFormatCode::AFRC)));
}

TEST_CASE("mali chips: found by name and by the kernel's number") {
    for (const Chip& chip : chips()) {
        CHECK(find_chip(chip.name) == &chip);
        CHECK(find_chip(chip.gpu_id | 0x1234, chip.core_features | 0x100) == &chip);
    }
    CHECK(find_chip("mali-g57") == nullptr);
    CHECK(find_chip(0x90930000, 0) == nullptr);
    CHECK(find_chip(0xac740000, 200) == nullptr);
    CHECK(find_chip(0xac740000, 1)->tile_buffer_B == 16384);
    CHECK(find_chip(0xac740000, 4)->tile_buffer_B == 32768);
}

TEST_CASE("mali formats: the numbers of Mesa") {
    CHECK(format_row(pipe::Format::R8_UNORM)->pixel_format == 667664);
    CHECK(format_row(pipe::Format::B8G8R8A8_UNORM)->pixel_format == 765956);
    CHECK(format_row(pipe::Format::R8G8B8X8_SRGB)->pixel_format == 1814544);
    CHECK(format_row(pipe::Format::R10G10B10A2_UNORM)->pixel_format == 274432);
    CHECK(format_row(pipe::Format::A8_UNORM)->pixel_format == 766181);
    CHECK(format_row(pipe::Format::D24_UNORM_S8_UINT)->pixel_format == 315392);
    CHECK(format_row(pipe::Format::ETC1_RGB8)->pixel_format == 765968);
    CHECK(format_row(pipe::Format::ETC1_RGB8)->clump == ClumpFormat::ETC2_RGB8);
    CHECK(format_row(pipe::Format::BC1_RGB_UNORM)->pixel_format == 765968);
    CHECK(format_row(pipe::Format::BC1_RGB_UNORM)->clump == ClumpFormat::BC1_UNORM);
    CHECK(format_row(pipe::Format::ASTC_4x4_UNORM)->pixel_format == 913408);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R8G8B8A8, false, true) == 970752);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R8G8B8A8, true, false) == 2019328);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R10G10B10A2, false, false) == 974848);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R5G6B5A0, false, false) == 929808);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R5G6B5A0, false, true) == 925712);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R4G4B4A4, false, false) == 954368);
    CHECK(blend_memory_format(ColorBufferInternalFormat::R4G4B4A4, false, true) == 950272);
}

TEST_CASE("mali formats: rows agree with pipe's formats") {
    unsigned count = 0;
    for (size_t i = 0; i < pipe::kFormatCount; ++i) {
        const pipe::FormatInfo& info = pipe::format_info(pipe::Format(i));
        const FormatRow* row = format_row(pipe::Format(i));
        if (!row) continue;
        CAPTURE(std::string(info.name));
        ++count;
        CHECK(enum_name(pixel_format_code(row->pixel_format)) != nullptr);
        CHECK(pixel_format_srgb(row->pixel_format) == info.is_srgb);
        CHECK(row->is_depth_stencil == info.is_depth_stencil());
        CHECK((row->feature != 0) == info.is_compressed);
        if (row->is_blendable()) CHECK(blend_memory_format(row->internal, false, false) != 0);
        if (info.is_compressed) CHECK_FALSE((row->is_vertex || row->is_render_target));
    }
    CHECK(count == 177);
    CHECK(format_row(pipe::Format::None) == nullptr);
    CHECK(format_row(pipe::Format::L8A8_UNORM) == nullptr);
    CHECK(zs_write_format(pipe::Format::D24_UNORM_S8_UINT) == ZsWriteFormat::D24S8);
    CHECK(zs_write_format(pipe::Format::S8_UINT) == ZsWriteFormat::NONE);
    CHECK(stencil_write_format(pipe::Format::S8_UINT) == StencilWriteFormat::S8);
}

TEST_CASE("mali exceptions: names") {
    CHECK(std::strcmp(enum_name(ExceptionCode(0x48)), "CS_BUS_FAULT") == 0);
    CHECK(enum_name(ExceptionCode(0x42)) == nullptr);
}
