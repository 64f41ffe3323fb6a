// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Shaders compiled for AGX and run on the virtual core with the inputs of tests/common/compiler/run.h. The
// fixed-function units are replaced: coefficients are arrays, a texture is a formula.
#pragma once

#include <doctest/doctest.h>

#include "drivers/agx/compiler/compile.h"
#include "pipe/half.h"
#include "tests/agx/sim/run_code.h"
#include "tests/common/compiler/op_cases.h"

namespace terrazzo::agx::compiler::testing {

using compiled::Inputs;
using compiled::interpret;
using compiled::kLanes;
using compiled::Result;
using tests::agx::CodeRunner;

inline constexpr Options kValidated{.validate = true};

class StageUnits : public sim::Units {
  public:
    StageUnits(const Inputs& in, const Info& info) : in_(in), info_(info) {}
    bool coefficient(sim::UnitCall& call, std::string* why) override {
        const auto first = unsigned(call.instr.src[0].value);
        const bool flat = call.instr.op == isa::Op::kLdcf;
        const unsigned count = flat ? call.instr.dest.count / 3u : call.instr.dest.count;
        for (const CoefficientGroup& g : info_.coefficients) {
            if (g.first_register != first) continue;
            if (g.count != count) return sim::refuse(why, "another number of components");
            for (unsigned c = 0; c < count; c++)
                for (unsigned i = 0; i < kLanes; i++) {
                    float v = 0;
                    if (g.source == CoefficientGroup::Source::Z) v = in_.frag_z[i];
                    if (g.source == CoefficientGroup::Source::W) v = in_.frag_w[i];
                    if (g.source == CoefficientGroup::Source::Varying)
                        v = in_.rows.at((unsigned(ir::VaryingSlot::Varying0) + g.varying) * 4 + g.component +
                                        c)[i];
                    wave::put_at(call.out[flat ? 3 * c + 2 : c], i, std::bit_cast<uint32_t>(v));
                }
            return true;
        }
        return sim::refuse(why, "no such coefficient");
    }
    bool texture(sim::UnitCall& call, std::string*) override {
        const auto value = [&](unsigned s, unsigned n, unsigned i) {
            return std::bit_cast<float>(wave::at(call.in[s][n], i));
        };
        const isa::Lod mode = call.instr.lod();
        const bool fetches = call.instr.op == isa::Op::kTextureLoad;
        for (unsigned i = 0; i < kLanes; i++) {
            float x = value(0, 0, i), y = value(0, 1, i), lod = 0;
            if (fetches) x = float(wave::at(call.in[0][0], i)), y = float(wave::at(call.in[0][1], i));
            const auto half = uint16_t(wave::at(call.in[1][0], i));
            const bool cube = call.instr.dimension() == isa::Dimension::kCube;
            float d[3] = {x, y, cube ? value(0, 2, i) : 0};
            pipe::raster::CubeCoord face{};
            if (cube) face = pipe::raster::project_cube(d);
            if (mode == isa::Lod::kBias || mode == isa::Lod::kMin)
                lod = fetches ? half : pipe::half_to_float(half);
            if (mode == isa::Lod::kGrad) {
                float dx[3], dy[3], to[2];
                const unsigned axes = cube ? 3 : 2;
                for (unsigned c = 0; c < axes; c++)
                    dx[c] = value(1, 2 * c, i), dy[c] = value(1, 2 * c + 1, i);
                for (float* v : {dx, dy}) {
                    if (!cube) continue;
                    pipe::raster::project_cube_derivative(d, face.face, v, to);
                    v[0] = to[0], v[1] = to[1];
                }
                lod = compiled::level(dx[0], dy[0], dx[1], dy[1]);
            }
            if (cube) x = face.s + float(face.face), y = face.t;
            for (unsigned c = 0; c < 4; c++)
                wave::put_at(call.out[c], i, std::bit_cast<uint32_t>(compiled::texel(x, y, lod, c)));
        }
        return true;
    }
    bool coverage(sim::UnitCall& call, std::string*) override {
        for (unsigned i = 0; i < kLanes; i++) {
            if (!(call.active >> i & 1)) continue;
            const bool emits = call.instr.op == isa::Op::kZsEmit;
            if (emits)
                result.outputs[unsigned(ir::FragSlot::Depth) * 4][i] =
                    std::bit_cast<float>(wave::at(call.in[1][0], i) | wave::at(call.in[1][1], i) << 16);
            else if (wave::at(call.in[0][0], i) && !wave::at(call.in[1][0], i))
                result.alive &= ~(1u << i);
        }
        return true;
    }
    bool store_varying(sim::UnitCall& call, std::string*) override {
        for (unsigned i = 0; i < kLanes; i++)
            result.outputs[unsigned(call.instr.src[1].value)][i] =
                std::bit_cast<float>(wave::at(call.in[0][0], i));
        return true;
    }
    bool pixel_order(sim::UnitCall&, std::string*) override { return true; }
    Result result;

  private:
    const Inputs& in_;
    const Info& info_;
};

/// Runs the code of a stage. Fragments' colours are in registers (abi.h).
inline Result execute(const ir::Shader& s, const Binary& b, const Inputs& in) {
    StageUnits units(in, b.info);
    units.result.alive = 0xffff;
    CodeRunner r(&units);
    std::vector<isa::Unit> code = b.code;
    code.push_back(kStop);
    Result out;
    isa::Error why;
    if (!isa::validate_program(code, &why)) return out.error = why.reason, out;
    r.set_code(code);
    r.group.threads = 0xffff;
    r.group.registers = b.info.registers;
    r.group.stack_B = b.info.stack_B;
    for (unsigned n = 0; n < 32; n++) {
        wave::put_at(r.group.special.in_grid[0], n, n % 4 + 10);
        wave::put_at(r.group.special.in_grid[1], n, n / 4 + 20);
        wave::put_at(r.group.special.back_facing, n, n % 4 == 0);
    }
    std::copy(in.uniforms.begin(), in.uniforms.end(), r.memory());
    unsigned word = first_uniform_word(s.stage == ir::Stage::Vertex);
    for (const UniformWord& u : b.info.uniforms) {
        uint32_t v = u.value;
        if (u.kind == UniformWord::Kind::Uniform) v = v < in.uniforms.size() ? in.uniforms[v] : 0;
        if (u.kind == UniformWord::Kind::Sysval)
            v = Sysval(v) == Sysval::DefaultBlock       ? uint32_t(CodeRunner::kMemory_va)
                : Sysval(v) == Sysval::DefaultBlockHigh ? uint32_t(CodeRunner::kMemory_va >> 32)
                                                        : std::bit_cast<uint32_t>(0.5f);  // ClipZ, ClipW
        r.bind(word++, v);
    }
    for (unsigned n = 0; s.stage == ir::Stage::Vertex && n < kMaxAttributes; n++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes && b.info.attribute_components[n] >> c & 1; i++)
                r.set(attribute_register(n, c), i, std::bit_cast<uint32_t>(in.rows.at(4 * n + c)[i]));
    if (r.run() != sim::Outcome::Done) return out.error = "run: " + r.error, out;
    out = units.result;
    for (unsigned n = 0; s.stage == ir::Stage::Fragment && n < kMaxTargets; n++)
        for (unsigned c = 0; c < 4 && b.info.colors >> n & 1; c++)
            for (unsigned i = 0; i < kLanes; i++)
                out.outputs[4 * n + c][i] = std::bit_cast<float>(r.get(color_register(n, c), i));
    return out;
}

}  // namespace terrazzo::agx::compiler::testing
