// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Helpers of the IR's tests: shaders from text, and an interpreter environment that generates inputs and
// records outputs.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shaders/ir/interp.h"
#include "shaders/ir/parse.h"
#include "shaders/ir/print.h"
#include "shaders/ir/validate.h"

namespace terrazzo::ir::test {

/// Parses and validates; an error fails the test.
inline std::unique_ptr<Shader> shader_of(std::string_view text, Phase phase = Phase::Any) {
    ParseResult r = parse(text);
    REQUIRE_MESSAGE(r.shader, r.error);
    const std::string rule = validate(*r.shader, phase);
    REQUIRE_MESSAGE(rule.empty(), rule);
    return std::move(r.shader);
}

/// Inputs depend on slot, component, lane and seed; textures on coordinates. Outputs are recorded by slot * 4
/// + component.
class TestEnv : public InterpEnv {
  public:
    uint32_t seed = 1;
    std::vector<uint32_t> uniform_words;
    std::map<unsigned, std::vector<uint32_t>>
        outputs;  // one word for each lane; 0xdeadbeef if the lane never stored
    unsigned lanes = 8;
    std::map<unsigned, std::vector<uint32_t>> inputs;  // overrides, by slot * 4 + component
    std::vector<InterpTex> calls;
    /// Uniform blocks at 0 and 1, and the storage buffer at 0.
    std::vector<uint32_t> blocks[2], buffer;

    explicit TestEnv(unsigned lane_count = 8) : lanes(lane_count) {}
    static uint32_t hash(uint32_t x) {
        x ^= x >> 16;
        x *= 0x7feb352du;
        x ^= x >> 15;
        x *= 0x846ca68bu;
        return x ^ (x >> 16);
    }
    void load_input(const IoInfo& io, Type type, const uint32_t*, uint32_t* out) override {
        const auto it = inputs.find(io.slot * 4 + io.component);
        for (unsigned i = 0; i < lanes; i++) {
            const uint32_t h = hash(seed * 7919 + io.slot * 131 + io.component * 31 + i);
            const float f = float(int32_t(h) >> 16) / 4096.0f;  // -8 .. 8
            out[i] = it != inputs.end() ? it->second[i]
                     : is_float(type)   ? std::bit_cast<uint32_t>(f)
                                        : h >> 20;
        }
    }
    void load_sysval(Sysval s, unsigned component, Type type, uint32_t* out) override {
        for (unsigned i = 0; i < lanes; i++) {
            out[i] =
                type == Type::F32 ? std::bit_cast<uint32_t>(float(i) + float(component)) : i + uint32_t(s);
            if (type == Type::Bool) out[i] = i & 1;
        }
    }
    std::span<const MemoryRange> slots(Storage space) override {
        const auto range = [](std::vector<uint32_t>& w) {
            return MemoryRange{reinterpret_cast<uint8_t*>(w.data()), uint32_t(w.size() * 4)};
        };
        if (space == Storage::UniformBlock) {
            ranges_[0] = range(blocks[0]), ranges_[1] = range(blocks[1]);
            return std::span(ranges_).first(2);
        }
        ranges_[2] = range(buffer);
        return std::span(ranges_).last(space == Storage::Buffer ? 1 : 0);
    }
    void store_output(const IoInfo& io, Type, InterpMask mask, const uint32_t* value) override {
        auto& row = outputs[io.slot * 4 + io.component];
        row.resize(lanes, 0xdeadbeefu);
        for (unsigned i = 0; i < lanes; i++)
            if (mask >> i & 1) row[i] = value[i];
    }
    void tex(InterpTex& t) override {
        calls.push_back(t);
        for (unsigned n = 0; n < t.result_count; n++)
            for (unsigned i = 0; i < lanes; i++) {
                float f = float(n) + float(t.info->binding);
                for (unsigned c = 0; c < t.info->coord_count && t.coord[c]; c++)
                    f += std::bit_cast<float>(t.coord[c][i]);
                t.out[n][i] = std::bit_cast<uint32_t>(f);
            }
    }

  private:
    MemoryRange ranges_[3];
};

/// Runs all lanes (or `mask`) and returns the environment with the stored values.
inline TestEnv execute(const Shader& s, uint32_t seed = 1, InterpMask mask = 0xff, unsigned lanes = 8,
                       InterpStatus expected = InterpStatus::Done, uint64_t budget = 10000) {
    const auto program = InterpProgram::create(s, lanes);
    InterpState state(*program);
    TestEnv env(lanes);
    env.seed = seed;
    for (unsigned i = 0; i < 64; i++)
        env.uniform_words.push_back(
            std::bit_cast<uint32_t>(float(int(TestEnv::hash(i + seed)) >> 20) / 64.0f));
    env.uniforms = env.uniform_words;
    for (unsigned i = 0; i < 16; i++) {
        env.blocks[0].push_back(TestEnv::hash(i + seed) & 63);
        env.buffer.push_back(TestEnv::hash(i * 3 + seed));
        if (i < 5) env.blocks[1].push_back(std::bit_cast<uint32_t>(float(i) - 1.5f));
    }
    CHECK(run(*program, state, env, mask, budget) == expected);
    env.outputs[~0u] = {uint32_t(state.discarded())};
    env.outputs[~1u] = env.buffer;
    return env;
}

inline float f(uint32_t bits) {
    return std::bit_cast<float>(bits);
}

/// Compares to the bit, but any NaN equals any NaN.
inline bool same_word(uint32_t a, uint32_t b) {
    return a == b || (f(a) != f(a) && f(b) != f(b));
}
inline bool same_outputs(const TestEnv& a, const TestEnv& b) {
    if (a.outputs.size() != b.outputs.size()) return false;
    for (const auto& [slot, row] : a.outputs) {
        const auto it = b.outputs.find(slot);
        if (it == b.outputs.end() || it->second.size() != row.size()) return false;
        for (size_t i = 0; i < row.size(); i++)
            if (!same_word(row[i], it->second[i])) return false;
    }
    return true;
}

}  // namespace terrazzo::ir::test
