// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Quads of an area that passed their early tests and wait for their shaders, in order. Forward pixel kill: a
// pixel that a later quad replaces is not shaded, where the flags of both draws allow it (Mesa 25.0.7,
// genxml/v10.xml: "Allow forward pixel to kill", "... to be killed").
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "drivers/mali/sim/fragment/area.h"
#include "drivers/mali/sim/fragment/draw.h"

namespace terrazzo::mali::sim {

struct PendingQuad {
    const FragmentPrimitive* primitive = nullptr;
    uint32_t samples = 0;      // to shade (quad_samples.h); pixels without one are helpers
    uint32_t passed = 0;       // those that early tests have not rejected
    uint16_t first_pixel = 0;  // its number in the area
};

class PendingQuads {
  public:
    static constexpr unsigned kMost = 1024;

    using Quads = std::span<const units::PrimitiveQuads::Quad>;

    /// Adds quads of a primitive with their samples that passed, or with all that are covered, and removes
    /// the pixels of which they kill all samples. There must be room. `samples`: of a pixel.
    void add(const FragmentPrimitive& p, Quads quads, const Area& area, unsigned samples) {
        const bool kills = p.draw->kills, killable = p.draw->killable, rejected = p.draw->shades_rejected;
        if (kills && killable && !rejected && samples == 1 && all_kill_) return add_killers(p, quads, area);
        find_killed();
        const Numbers own = Numbers{} - uint16_t(killable);
        const auto all_samples = uint16_t((1u << samples) - 1);
        const Numbers all = Numbers{} + all_samples;
        for (const units::PrimitiveQuads::Quad& q : quads) {
            const uint32_t shaded = rejected ? q.covered : q.passed;
            const auto first = uint16_t(area.index(q.x, q.y));
            quads_[count_++] = {&p, shaded, q.passed, first};
            const Numbers last = owners(first), pixels = Numbers(numbers_of(shaded) != 0);
            if (kills) kill(last & Numbers(numbers_of(q.passed) == all));
            set_owners(first, (last & ~pixels) | ((own & uint16_t(count_)) & pixels));
        }
    }
    /// Before quads() is called.
    void find_killed() {
        if (!std::exchange(all_kill_, false)) return;
        for (unsigned n = 0; n < count_; ++n)
            quads_[n].samples &= bytes_of(owners(quads_[n].first_pixel) == uint16_t(n + 1));
    }
    unsigned room() const { return kMost - count_; }
    std::span<const PendingQuad> quads() const { return {quads_.data(), count_}; }
    units::PrimitiveQuads found;  // memory for the quads of one primitive

    void clear() {
        if (count_) owner_ = {};
        count_ = 0;
        all_kill_ = true;
    }

  private:
    /// 16 bits for each pixel of a quad: the number of a pending quad, from 1 on; or all ones, or 0.
    using Numbers = units::QuadLanes<uint16_t>;
    using Bytes = units::QuadLanes<uint8_t>;
    using Rows [[gnu::vector_size(sizeof(Numbers))]] = uint32_t;

    /// While all quads kill and may be killed, a pixel belongs to the last one that has it. So it is enough
    /// to find once which pixels each quad has lost.
    void add_killers(const FragmentPrimitive& p, Quads quads, const Area& area) {
        PendingQuad* to = quads_.data() + count_;
        const uint32_t origin = area.index(0, 0);
        Numbers number = Numbers{} + uint16_t(count_);
        for (const units::PrimitiveQuads::Quad& q : quads) {
            const auto first = uint16_t(uint32_t(q.y) * kArea_px + uint32_t(q.x) + origin);
            *to++ = {&p, q.passed, q.passed, first};
            number += 1;
            const Numbers pixels = -numbers_of(q.passed);
            set_owners(first, (owners(first) & ~pixels) | (number & pixels));
        }
        count_ += unsigned(quads.size());
    }
    /// The bytes of the pixels' samples.
    static Numbers numbers_of(uint32_t samples) {
        const auto bytes = std::bit_cast<Bytes>(samples);
        return std::bit_cast<Numbers>(__builtin_shufflevector(bytes, Bytes{}, 0, 4, 1, 5, 2, 6, 3, 7));
    }
    /// `pixels`: all ones or 0; the same as bytes.
    static uint32_t bytes_of(units::QuadLanes<int16_t> pixels) {
        return std::bit_cast<uint32_t>(__builtin_convertvector(pixels, units::QuadLanes<int8_t>));
    }
    Numbers owners(unsigned first) const {
        uint32_t row[2];
        std::memcpy(&row[0], &owner_[first], sizeof row[0]);
        std::memcpy(&row[1], &owner_[first + kArea_px], sizeof row[1]);
        return std::bit_cast<Numbers>(Rows{row[0], row[1]});
    }
    void set_owners(unsigned first, Numbers now) {
        const auto row = std::bit_cast<Rows>(now);
        const uint32_t first_row = row[0], second_row = row[1];
        std::memcpy(&owner_[first], &first_row, sizeof first_row);
        std::memcpy(&owner_[first + kArea_px], &second_row, sizeof second_row);
    }
    /// `owners`: the quads that lose the pixels; 0: none.
    void kill(Numbers owners) {
        while (const auto left = std::bit_cast<uint64_t>(owners)) {
            // All pixels of one quad at a time.
            const auto n = uint16_t(left >> (std::countr_zero(left) & ~15));
            const auto same = owners == n;
            quads_[n - 1u].samples &= ~bytes_of(same);
            owners &= ~Numbers(same);
        }
    }

    std::vector<PendingQuad> quads_ = std::vector<PendingQuad>(kMost);
    unsigned count_ = 0;
    bool all_kill_ = true;  // all quads came from add_killers()
    std::array<uint16_t, Area::kPixels>
        owner_{};  // the number of a pixel's last quad, if it may be killed; 0
};

}  // namespace terrazzo::mali::sim
