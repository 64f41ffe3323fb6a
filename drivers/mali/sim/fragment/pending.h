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
    uint16_t x = 0, y = 0;     // px
    uint16_t first_pixel = 0;  // its number in the area
    uint8_t mask = 0;          // the pixels to shade; the others of the quad are helpers
    uint32_t samples = 0;      // of the pixels, to shade (quad_samples.h)
    uint32_t passed = 0;       // those that early tests have not rejected
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
        PendingQuad* const all = quads_.data();
        for (const units::PrimitiveQuads::Quad& q : quads) {
            const uint32_t shaded = rejected ? q.covered : q.passed;
            const unsigned mask = samples == 1 ? units::pixels_of(shaded, 0) : units::any_pixels(shaded),
                           first = area.index(q.x, q.y);
            all[count_++] = {&p,     uint16_t(q.x), uint16_t(q.y), uint16_t(first), uint8_t(mask),
                             shaded, q.passed};
            const uint64_t last = owners(first), pixels = words_of(mask);
            if (kills && samples == 1 && !rejected)
                kill(all, last & pixels);
            else if (kills)
                kill(all, last & words_of(15 & ~units::any_pixels(q.passed ^ units::whole_quad(samples))));
            set_owners(first, (last & ~pixels) | ((killable ? count_ : 0) * kOnes & pixels));
        }
    }
    /// Before quads() is called.
    void find_killed() {
        if (!std::exchange(all_kill_, false)) return;
        for (unsigned n = 0; n < count_; ++n)
            quads_[n].mask &= uint8_t(mask_of(equal(owners(quads_[n].first_pixel), n + 1)));
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
    static constexpr uint64_t kOnes = 0x0001000100010001;
    /// While all quads kill and may be killed, a pixel belongs to the last one that has it. So it is enough
    /// to find once which pixels each quad has lost.
    void add_killers(const FragmentPrimitive& p, Quads quads, const Area& area) {
        PendingQuad* const all = quads_.data();
        unsigned count = count_;
        for (const units::PrimitiveQuads::Quad& q : quads) {
            const unsigned mask = units::pixels_of(q.passed, 0), first = area.index(q.x, q.y);
            all[count++] = {&p,       uint16_t(q.x), uint16_t(q.y), uint16_t(first), uint8_t(mask),
                            q.passed, q.passed};
            const uint64_t pixels = words_of(mask);
            set_owners(first, (owners(first) & ~pixels) | (count * kOnes & pixels));
        }
        count_ = count;
    }
    /// 16 bits for each pixel of a quad.
    uint64_t owners(unsigned first) const {
        uint32_t row[2];
        std::memcpy(&row[0], &owner_[first], sizeof row[0]);
        std::memcpy(&row[1], &owner_[first + kArea_px], sizeof row[1]);
        return uint64_t(row[1]) << 32 | row[0];
    }
    void set_owners(unsigned first, uint64_t now) {
        const uint32_t row[2] = {uint32_t(now), uint32_t(now >> 32)};
        std::memcpy(&owner_[first], &row[0], sizeof row[0]);
        std::memcpy(&owner_[first + kArea_px], &row[1], sizeof row[1]);
    }
    /// 16 bits for each pixel of a quad: all ones for those in the mask.
    static uint64_t words_of(unsigned mask) { return ((mask * 0x0000200040008001ull) & kOnes) * 0xffff; }
    /// The first of the 16 bits of each pixel whose owner is quad n.
    static uint64_t equal(uint64_t owners, uint64_t n) {
        constexpr uint64_t kLow = 0x7fff * kOnes;
        const uint64_t others = owners ^ n * kOnes;
        return ~(((others & kLow) + kLow) | others) >> 15 & kOnes;
    }
    /// The pixels whose first bit is set, as a mask.
    static unsigned mask_of(uint64_t first_bits) {
        constexpr uint64_t kMove = 1ull << 48 | 1ull << 33 | 1 << 18 | 1 << 3;  // bit 16 n to 48 + n
        return first_bits * kMove >> 48 & 15;
    }
    /// `owners`: 16 bits for each pixel of a quad, with the number of the quad that loses it; 0: none.
    static void kill(PendingQuad* all, uint64_t owners) {
        while (owners) {
            // All pixels of one quad at a time.
            const uint64_t n = owners >> (std::countr_zero(owners) & ~15) & 0xffff, same = equal(owners, n);
            all[n - 1].mask &= uint8_t(~mask_of(same));
            owners &= ~(same * 0xffff);
        }
    }

    std::vector<PendingQuad> quads_ = std::vector<PendingQuad>(kMost);
    unsigned count_ = 0;
    bool all_kill_ = true;  // all quads came from add_killers()
    std::array<uint16_t, Area::kPixels>
        owner_{};  // the number of a pixel's last quad, if it may be killed; 0
};

}  // namespace terrazzo::mali::sim
