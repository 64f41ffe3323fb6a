// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, agx_bg_eot.c.
#include "drivers/agx/program/tile_programs.h"

#include <cassert>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

#include "drivers/agx/isa/isa.h"

namespace terrazzo::agx {

namespace {

std::string number(unsigned n) {
    return std::to_string(n);
}

/// `count` registers of 32 bits: "r4_r5".
std::string registers(unsigned first, unsigned count) {
    std::string out;
    for (unsigned n = 0; n < count; ++n)
        out += (n ? "_r" : "r") + number(first + n);
    return out;
}

const char* components(unsigned count) {
    constexpr const char* kNames[] = {"", "x", "xy", "xyz", "xyzw"};
    return kNames[count];
}

/// Colours are in these registers; the pixel's place is in the next two.
constexpr unsigned kColor = 4, kPlace = 8;

std::string load(unsigned target) {
    return "texture_load.2d.xyzw " + registers(kColor, 4) + ", " + registers(kPlace, 2) + ", _, _, ts" +
           number(target) + ", ss0, _\nwait 0\n";
}

std::string clear(unsigned target, unsigned count) {
    std::string out;
    for (unsigned c = 0; c < count; ++c) {
        const std::string word = "u" + number(4 * target + c);
        out += "bitop.or r" + number(kColor + c) + ", " + word + ", " + word + "\n";
    }
    return out;
}

std::string text_of(const TileProgramKey& key) {
    std::string out;
    bool finds_place = false;
    for (unsigned n = 0; n < key.target.size(); ++n) {
        const TileProgramKey::Target& t = key.target[n];
        if (t.op == TileOp::None) continue;
        const std::string format = isa::kFormatNames.name(unsigned(t.place.format));
        if (t.op == TileOp::Store) {
            out += "mov_imm16 r4l, " + number(t.place.offset_B) + "\nimage_write_block." + format +
                   ".2d r4l, r5l_r5h, 0, _, ts" + number(n) + "\n";
            continue;
        }
        if (t.op == TileOp::Load && !std::exchange(finds_place, true))
            out += "get_sr r" + number(kPlace) + ", thread_position_in_grid.x\nget_sr r" +
                   number(kPlace + 1) + ", thread_position_in_grid.y\n";
        const unsigned count = t.place.components;
        out += t.op == TileOp::Load ? load(n) : clear(n, count);
        out += "st_tile." + format + "." + components(count) + " " + registers(kColor, count) + ", 255, 0";
        if (t.place.offset_B) out += ", offset=" + number(t.place.offset_B);
        out += "\n";
    }
    return out + "stop\n";
}

}  // namespace

const programs::DeviceCode& TilePrograms::find(const TileProgramKey& key) {
    return *programs_.find(key, [&] {
        std::vector<isa::Unit> units;
        isa::Error why;
        [[maybe_unused]] const bool good = isa::assemble(text_of(key), &units, &why);
        assert(good);
        std::vector<uint64_t> words((units.size() * sizeof units[0] + 7) / 8);
        std::memcpy(words.data(), units.data(), units.size() * sizeof units[0]);
        auto code = std::make_unique<programs::DeviceCode>();
        if (!code->upload(device_, words)) throw std::bad_alloc();
        return std::unique_ptr<const programs::DeviceCode>(std::move(code));
    });
}

}  // namespace terrazzo::agx
