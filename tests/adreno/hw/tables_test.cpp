// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Formats and chips.
#include <doctest/doctest.h>

#include <string>

#include "drivers/adreno/hw/chips.h"
#include "drivers/adreno/hw/formats.h"
#include "drivers/adreno/hw/rb.h"

namespace terrazzo::adreno::hw {

using pipe::kFormatCount;

namespace {

/// The number of bits in a hardware format's name: FMT6_16_16_FLOAT has 32.
unsigned bits_of(Format format) {
    const std::string name = enum_name(format);
    unsigned bits = 0;
    for (size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + 1)) {
        size_t digits = at + 1;
        while (digits < name.size() && (name[digits] == 'X' || name[digits] == 'A' || name[digits] == 'E' ||
                                        name[digits] == 'Z' || name[digits] == 'S'))
            ++digits;
        bits += unsigned(std::atoi(name.c_str() + digits));
    }
    return bits;
}

}  // namespace

TEST_CASE("formats: the bits of a pixel are those in the hardware's name") {
    CHECK(bits_of(Format::FMT6_8_8_8_X8_UNORM) == 32);
    CHECK(bits_of(Format::FMT6_9_9_9_E5_FLOAT) == 32);
    unsigned rows = 0;
    for (size_t i = 0; i < kFormatCount; ++i) {
        const auto format = pipe::Format(i);
        const FormatRow* row = format_row(format);
        if (!row) continue;
        ++rows;
        const pipe::FormatInfo& info = pipe::format_info(format);
        CHECK_MESSAGE((row->is_vertex() || row->is_texture() || row->is_target()), info.name);
        // Depth of 32 bits with stencil has one plane for each.
        if (info.is_compressed || format == pipe::Format::D32_FLOAT_S8X24_UINT) continue;
        for (Format hardware : {row->vertex, row->texture, row->target, row->linear_texture})
            if (hardware != Format::FMT6_NONE)
                CHECK_MESSAGE(bits_of(hardware) == info.block_B * 8u, info.name);
    }
    CHECK(rows == 180);
    CHECK(format_row(pipe::Format::None) == nullptr);
    CHECK(format_row(pipe::Format::D32_UNORM) == nullptr);
}

TEST_CASE("formats: channels in another order are swapped if the image is linear") {
    const FormatRow* bgra = format_row(pipe::Format::B8G8R8A8_UNORM);
    REQUIRE(bgra);
    CHECK(bgra->texture_swap(TileMode::TILE6_LINEAR) == ColorSwap::WXYZ);
    CHECK(bgra->texture_swap(TileMode::TILE6_3) == ColorSwap::WZYX);
    CHECK(bgra->target_swap(TileMode::TILE6_LINEAR) == ColorSwap::WXYZ);
    CHECK(bgra->target_swap(TileMode::TILE6_3) == ColorSwap::WZYX);
    const FormatRow* row = format_row(pipe::Format::A1B5G5R5_UNORM);
    REQUIRE(row);
    CHECK(row->texture_format(TileMode::TILE6_3) == Format::FMT6_5_5_5_1_UNORM);
    CHECK(row->texture_format(TileMode::TILE6_LINEAR) == Format::FMT6_1_5_5_5_UNORM);
    CHECK(row->texture_swap(TileMode::TILE6_LINEAR) == ColorSwap::WXYZ);
    CHECK(row->target_swap(TileMode::TILE6_LINEAR) == ColorSwap::XYZW);
    const FormatRow* ten = format_row(pipe::Format::R10G10B10A2_UNORM);
    REQUIRE(ten);
    CHECK(ten->texture == Format::FMT6_10_10_10_2_UNORM);
    CHECK(ten->target == Format::FMT6_10_10_10_2_UNORM_DEST);
}

TEST_CASE("formats: the chip decides which formats can be compressed") {
    const Generation& first = find_chip("adreno-630")->generation;
    const Generation& third = find_chip("adreno-650")->generation;
    const auto ubwc = [](pipe::Format format, const Generation& generation, unsigned samples = 1) {
        return format_row(format)->has_ubwc(generation, samples);
    };
    CHECK(ubwc(pipe::Format::R8G8B8A8_UNORM, first));
    CHECK_FALSE(ubwc(pipe::Format::R8G8B8A8_SNORM, third));
    CHECK(ubwc(pipe::Format::R8_UNORM, first));
    CHECK_FALSE(ubwc(pipe::Format::R8_UNORM, third));
    CHECK_FALSE(ubwc(pipe::Format::D24_UNORM_S8_UINT, first));
    CHECK(ubwc(pipe::Format::D24_UNORM_S8_UINT, third));
    CHECK(ubwc(pipe::Format::D24_UNORM_X8, first));
    CHECK_FALSE(ubwc(pipe::Format::D24_UNORM_X8, first, 4));
    CHECK(ubwc(pipe::Format::D24_UNORM_X8, third, 4));
    CHECK_FALSE(ubwc(pipe::Format::ETC2_RGB8_UNORM, first));
}

TEST_CASE("formats: the 2D engine writes every format of a target") {
    std::string missing;
    for (size_t i = 0; i < kFormatCount; ++i) {
        const FormatRow* row = format_row(pipe::Format(i));
        Ifmt2d ifmt;
        if (row && row->is_target() && !blit_format(row->target, &ifmt))
            missing += std::string(pipe::format_info(pipe::Format(i)).name) + ' ';
    }
    CHECK(missing == "");
    Ifmt2d ifmt = Ifmt2d::R2D_RAW;
    REQUIRE(blit_format(Format::FMT6_16_16_16_16_FLOAT, &ifmt));
    CHECK(ifmt == Ifmt2d::R2D_FLOAT16);
    CHECK_FALSE(blit_format(Format::FMT6_ASTC_4x4, &ifmt));
}

TEST_CASE("chips: found by name and by the kernel's number") {
    CHECK(std::string(chips()[0].name) == "adreno-630");
    CHECK(chips().size() == 5);
    for (const Chip& chip : chips()) {
        CHECK(find_chip(chip.name) == &chip);
        CHECK(find_chip(chip.gpu_id, 0) == &chip);
        CHECK(find_chip(0, chip.chip_id) == &chip);
        // Another patch level and a speed bin.
        CHECK(find_chip(0, chip.chip_id | 0xff | uint64_t(7) << 32) == &chip);
    }
    CHECK(find_chip("adreno-730") == nullptr);
    CHECK(find_chip(730, 0) == nullptr);
    CHECK(find_chip(630, 0x07030001) == nullptr);
}

TEST_CASE("chips: caches in tile memory, as in freedreno's stream of an a630") {
    // RB_CCU_CNTL = 0x7c400004 of Mesa 25.0.7's src/freedreno/.gitlab-ci/traces/fd-clouds.rd.gz.
    const Chip& chip = *find_chip("adreno-630");
    CHECK(chip.gmem_ccu_color_offset_B() == 0xf8000);
    CHECK(pack32(RB_CCU_CNTL{.concurrent_resolve = true,
                             .color_cache_size = Chip::kGmemCcuColor,
                             .color_offset = chip.gmem_ccu_color_offset_B()}) == 0x7c400004);
    CHECK(chip.sysmem_ccu_color_offset_B() == 0x20000);
    CHECK(chip.magic.sp_chicken_bits == 0x1430);
    CHECK(chip.magic.uche_unknown_0e12 == 0x10000001);
}

}  // namespace terrazzo::adreno::hw
