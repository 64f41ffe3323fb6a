// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs a program that a test has as text: one wave, registers before and after.
#pragma once

#include <bit>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/adreno/sim/core/core.h"

namespace terrazzo::adreno::sim {

/// Code at kCode, data at kData.
class TestSpace : public window::Space {
  public:
    static constexpr uint64_t kCode = 0x10000, kData = 0x100000000;
    std::vector<uint64_t> code;
    alignas(8) uint8_t data[4096] = {};
    window::Mapping find(uint64_t va) override {
        const uint64_t code_B = 8 * code.size();
        if (va >= kCode && va < kCode + code_B)
            return {kCode, kCode + code_B, reinterpret_cast<uint8_t*>(code.data()), false, true};
        if (va >= kData && va < kData + sizeof(data)) return {kData, kData + sizeof(data), data, true, false};
        return {};
    }
    uint64_t epoch() const override { return 0; }
};

/// Fixed-function units that record their requests. A unit's result is 100 times the first word, plus the
/// component, plus 1000 times the texture's number.
class TestUnits : public Units {
  public:
    unsigned calls = 0, last_in_count = 0;
    uint32_t last_sampler = 0, last_sampler_base = 0;
    LaneMask last_active;
    uint32_t last_in[UnitCall::kMaxIn] = {};  // lane 0's words
    std::string refuse;

    bool answer(UnitCall& c, std::string* why) {
        ++calls;
        last_in_count = c.in_count;
        last_sampler = c.sampler;
        last_sampler_base = c.sampler_base;
        last_active = c.active;
        for (unsigned k = 0; k < UnitCall::kMaxIn; ++k)
            last_in[k] = c.in[k][0][0];
        for (unsigned k = 0; k < UnitCall::kMaxOut; ++k)
            for (unsigned g = 0; g < c.wave.groups; ++g)
                c.out[k][g] = c.in[0][g] * 100u + k + 1000 * c.texture;
        *why = refuse;
        return refuse.empty();
    }
    bool texture(UnitCall& c, std::string* why) override { return answer(c, why); }
    bool varying(UnitCall& c, std::string* why) override {
        // The location and the first weight, as floats; or (v + i * d1) + j * d2, as the planes have it.
        ++calls;
        last_in_count = c.in_count;
        for (unsigned k = 0; k < UnitCall::kMaxOut; ++k)
            for (unsigned g = 0; g < c.wave.groups; ++g)
                for (unsigned i = 0; i < kGroupLanes; ++i) {
                    const float at = float(c.in[0][g][i] + k);
                    const auto weight = [&](unsigned n) {
                        return std::bit_cast<float>(uint32_t(c.in[n][g][i]));
                    };
                    c.out[k][g][i] = std::bit_cast<uint32_t>(
                        c.in_count == 3 ? (at + weight(1) * kToSecond) + weight(2) * kToThird : at);
                }
        for (unsigned k = 0; k < UnitCall::kMaxOut && c.in_count == 3; ++k)
            for (unsigned g = 0; g < c.wave.groups; ++g)
                c.out[k][g] = wave::or_nan(c.in[1][g], wave::or_nan(c.in[2][g], c.out[k][g]));
        *why = refuse;
        return refuse.empty();
    }
    static constexpr float kToSecond = 1, kToThird = 0.5f;
    /// Locations without planes.
    uint32_t no_planes = ~0u;
    unsigned plane_calls = 0;
    bool planes(Wave& w, uint32_t locations) override {
        ++plane_calls;
        if (locations & no_planes) return false;
        for (unsigned n = 0; n < kPlaneLocations; ++n)
            for (unsigned g = 0; g < w.groups && locations >> n & 1; ++g) {
                w.rows[kPlaneRow + 3 * n][g] = wave::as_bits(F32{} + float(n));
                w.rows[kPlaneRow + 3 * n + 1][g] = wave::as_bits(F32{} + kToSecond);
                w.rows[kPlaneRow + 3 * n + 2][g] = wave::as_bits(F32{} + kToThird);
            }
        return true;
    }
    bool uniform_buffer(UnitCall& c, std::string* why) override { return answer(c, why); }
    bool image(UnitCall& c, std::string* why) override { return answer(c, why); }
};

/// A wave with 64 lanes and 16 registers, with 0 in a0.x, and the constants 0, 1, 2, ...
struct Runner {
    TestSpace space;
    TestUnits units;
    std::unique_ptr<Core> core = std::make_unique<Core>(space, units);
    std::unique_ptr<Wave> wave = std::make_unique<Wave>();
    std::vector<uint32_t> constants;
    std::vector<uint8_t> shared;
    CoreFault fault;

    explicit Runner(std::string_view text, unsigned groups = 4) {
        terrazzo::isa::Error error;
        assembled = isa::assemble(std::string(text) + "\nend\n", &space.code, &error);
        reason = error.reason;
        wave->groups = groups;
        wave->full_registers = 16;
        wave->half_registers = 16;
        for (unsigned i = 0; i < 64; ++i)
            constants.push_back(i);
        wave->constants = constants;
        wave->writable_constants = constants;
        shared.resize(1024);
        wave->shared = shared;
    }
    bool assembled = false;
    std::string reason;

    void set(unsigned reg, uint32_t value, bool half = false) {
        for (unsigned lane = 0; lane < wave->groups * kGroupLanes; ++lane)
            (void)wave->set({uint8_t(reg)}, half, lane, value);
    }
    void setf(unsigned reg, float value) { set(reg, std::bit_cast<uint32_t>(value)); }
    /// The lane's number.
    void set_lanes(unsigned reg) {
        for (unsigned lane = 0; lane < wave->groups * kGroupLanes; ++lane)
            (void)wave->set({uint8_t(reg)}, false, lane, lane);
    }
    Outcome run(const LaneMask* lanes = nullptr, const LaneMask& helpers = {}) {
        if (!assembled) {
            fault.reason = reason;
            return Outcome::Fault;
        }
        Core::start(*wave, TestSpace::kCode, lanes ? *lanes : LaneMask::first(wave->groups * kGroupLanes),
                    helpers);
        return core->run(*wave, &fault);
    }
    /// The fault's report; "" if the program ends.
    std::string report() { return run() == Outcome::Done ? "" : to_string(fault, TestSpace::kCode); }
    uint32_t get(unsigned reg, unsigned lane = 0, bool half = false) const {
        uint32_t v = 0xdeadbeef;
        (void)wave->get({uint8_t(reg)}, half, lane, &v);
        return v;
    }
    float getf(unsigned reg, unsigned lane = 0) const { return std::bit_cast<float>(get(reg, lane)); }
};

}  // namespace terrazzo::adreno::sim
