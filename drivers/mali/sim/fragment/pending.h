// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Quads of an area that passed their early tests and wait for their shaders, in order. Forward pixel kill: a
// pixel that a later quad replaces is not shaded, where the flags of both draws allow it (Mesa 25.0.7,
// genxml/v10.xml: "Allow forward pixel to kill", "... to be killed").
#pragma once

#include <array>
#include <cstring>
#include <span>
#include <vector>

#include "drivers/mali/sim/fragment/area.h"
#include "drivers/mali/sim/fragment/draw.h"

namespace terrazzo::mali::sim {

struct PendingQuad {
    const FragmentPrimitive* primitive = nullptr;
    uint16_t x = 0, y = 0;     // px
    uint16_t first_pixel = 0;  // its number in the area
    uint8_t mask = 0;          // the pixels to shade; the others of the quad are helpers
    uint8_t whole = 0;         // those of `mask` with all samples: they replace what is there
    uint32_t samples = 0;      // of the pixels, to shade (quad_samples.h)
    uint32_t passed = 0;       // those that early tests have not rejected
};

class PendingQuads {
  public:
    static constexpr unsigned kMost = 1024;

    /// Adds a quad and removes the pixels that it kills. There must be room.
    void add(const PendingQuad& quad) {
        const FragmentDraw& d = *quad.primitive->draw;
        quads_[count_++] = quad;
        const uint16_t owner = d.killable ? uint16_t(count_) : uint16_t(0);
        uint16_t* const rows[2] = {&owner_[quad.first_pixel], &owner_[quad.first_pixel + kArea_px]};
        uint64_t last = 0;  // 16 bits for each pixel
        for (unsigned y = 0; y < 2; ++y) {
            uint32_t row;
            std::memcpy(&row, rows[y], sizeof row);
            last |= uint64_t(row) << 32 * y;
        }
        // 16 bits for each pixel: all ones if it is in the mask.
        const uint64_t pixels = ((quad.mask * 0x0000200040008001ull) & 0x0001000100010001ull) * 0xffff;
        if (d.kills && (last & pixels))
            for (unsigned i = 0; i < 4; ++i)
                if (const auto n = uint16_t((last & pixels) >> 16 * i); n && (quad.whole >> i & 1))
                    quads_[n - 1].mask &= uint8_t(~(1u << i));
        last = (last & ~pixels) | (owner * 0x0001000100010001ull & pixels);
        for (unsigned y = 0; y < 2; ++y) {
            const auto row = uint32_t(last >> 32 * y);
            std::memcpy(rows[y], &row, sizeof row);
        }
    }
    bool full() const { return count_ == kMost; }
    std::span<const PendingQuad> quads() const { return {quads_.data(), count_}; }
    units::PrimitiveQuads found;  // memory for the quads of one primitive

    void clear() {
        if (count_) owner_ = {};
        count_ = 0;
    }

  private:
    std::vector<PendingQuad> quads_ = std::vector<PendingQuad>(kMost);
    unsigned count_ = 0;
    std::array<uint16_t, Area::kPixels>
        owner_{};  // the number of a pixel's last quad, if it may be killed; 0
};

}  // namespace terrazzo::mali::sim
