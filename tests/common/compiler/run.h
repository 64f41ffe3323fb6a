// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Inputs for shaders in compilers' tests: rows of lanes, a texture that is a formula, and the IR interpreter,
// which computes the expected results. A vendor executes its compiled code with the same Inputs and compares.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "pipe/raster/sample.h"
#include "shaders/ir/interp.h"
#include "tests/common/compiler/link.h"

namespace terrazzo::compiled {

inline constexpr unsigned kLanes = 16;
using Row = std::array<float, kLanes>;
/// By slot * 4 + component.
using Rows = std::map<unsigned, Row>;

/// The texture formula's value of component c.
inline float texel(float x, float y, float lod, unsigned c) {
    return x * (0.25f + 0.125f * float(c)) + y * (0.5f - 0.0625f * float(c)) + lod * 0.5f;
}

/// The value of derivatives; it is invented, too.
inline float level(float sx, float sy, float tx, float ty) {
    return sx * 0.5f + sy * 0.25f + tx - ty * 0.75f;
}

struct Inputs {
    Rows rows;  // attributes or varyings (slot: location or VaryingSlot)
    std::vector<uint32_t> uniforms;
    Row frag_x{}, frag_y{}, frag_z{}, frag_w{};
    Rows tile;                       // the current values of the render targets
    uint32_t target_channels = ~0u;  // bit 4n + c: render target n's format has channel c
};

struct Result {
    Rows outputs;
    uint32_t alive = 0;  // lanes that were not discarded
    std::string error;
};

class Interpreter : public ir::InterpEnv {
  public:
    explicit Interpreter(const Inputs& in) : in_(in) { uniforms = in.uniforms; }
    void load_input(const ir::IoInfo& io, ir::Type, const uint32_t*, uint32_t* out) override {
        const auto row = in_.rows.find(io.slot * 4 + io.component);
        for (unsigned i = 0; i < kLanes; i++)
            out[i] = row == in_.rows.end() ? 0 : std::bit_cast<uint32_t>(row->second[i]);
    }
    void load_sysval(ir::Sysval s, unsigned component, ir::Type, uint32_t* out) override {
        const Row* coord[] = {&in_.frag_x, &in_.frag_y, &in_.frag_z, &in_.frag_w};
        if (s >= ir::Sysval::LastColor0 && s <= ir::Sysval::LastColor7) {
            const unsigned target = unsigned(s) - unsigned(ir::Sysval::LastColor0);
            for (unsigned i = 0; i < kLanes; i++)
                out[i] = std::bit_cast<uint32_t>(in_.tile.at(target * 4 + component)[i]);
            return;
        }
        for (unsigned i = 0; i < kLanes; i++)
            out[i] =
                s == ir::Sysval::FrontFacing ? i % 4 != 0 : std::bit_cast<uint32_t>((*coord[component])[i]);
    }
    void store_output(const ir::IoInfo& io, ir::Type, ir::InterpMask mask, const uint32_t* value) override {
        Row& row = result.outputs[io.slot * 4 + io.component];
        for (unsigned i = 0; i < kLanes; i++)
            if (mask >> i & 1) row[i] = std::bit_cast<float>(value[i]);
    }
    void tex(ir::InterpTex& call) override {
        const auto value = [](const uint32_t* v, unsigned i) { return std::bit_cast<float>(v[i]); };
        const bool is_cube = call.info->dim == ir::TexDim::Cube,
                   grad = call.info->op == ir::TexOp::SampleGrad;
        for (unsigned i = 0; i < kLanes; i++) {
            float st[2] = {value(call.coord[0], i), value(call.coord[1], i)};
            float lod = call.lod ? value(call.lod, i) : 0;
            if (call.info->op == ir::TexOp::Fetch) {
                st[0] = float(int32_t(call.coord[0][i]));
                st[1] = float(int32_t(call.coord[1][i]));
                lod = float(int32_t(call.lod[i]));
            }
            float dx[3] = {}, dy[3] = {};
            for (unsigned c = 0; grad && c < (is_cube ? 3u : 2u); c++)
                dx[c] = value(call.ddx[c], i), dy[c] = value(call.ddy[c], i);
            if (is_cube) {
                const float d[3] = {st[0], st[1], value(call.coord[2], i)};
                const pipe::raster::CubeCoord at = pipe::raster::project_cube(d);
                st[0] = at.s + float(at.face);
                st[1] = at.t;
                float to[2];
                for (float* v : {dx, dy}) {
                    pipe::raster::project_cube_derivative(d, at.face, v, to);
                    v[0] = to[0], v[1] = to[1];
                }
            }
            if (grad) lod = level(dx[0], dy[0], dx[1], dy[1]);
            for (unsigned c = 0; c < call.result_count; c++)
                call.out[c][i] = std::bit_cast<uint32_t>(texel(st[0], st[1], lod, c));
        }
    }
    Result result;

  private:
    const Inputs& in_;
};

inline Result interpret(const ir::Shader& s, Interpreter& env) {
    const auto program = ir::InterpProgram::create(s, kLanes);
    ir::InterpState state(*program);
    if (ir::run(*program, state, env, 0xffff, 1 << 20) != ir::InterpStatus::Done)
        env.result.error = "out of budget";
    env.result.alive = 0xffff & ~uint32_t(state.discarded());
    return env.result;
}
inline Result interpret(const ir::Shader& s, const Inputs& in) {
    Interpreter env(in);
    return interpret(s, env);
}

/// OpenGL ES allows functions some error. 2^-12 of the value is enough for a few of them in sequence.
inline bool near(float a, float b, float relative = 1.0f / 4096) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) == std::isnan(b);
    return a == b || std::fabs(a - b) <= relative * std::max(1.0f, std::max(std::fabs(a), std::fabs(b)));
}

inline const char* const kVertex =
    "attribute vec4 p; attribute vec4 q; varying vec4 a; varying vec4 b;\n"
    "void main() { a = p; b = q; gl_Position = p; }";
inline const char* const kHead =
    "#extension GL_OES_standard_derivatives : enable\n"
    "#extension GL_EXT_shader_texture_lod : enable\n"
    "#extension GL_EXT_frag_depth : enable\n"
    "#extension GL_EXT_shader_framebuffer_fetch : enable\n"
    "precision highp float; precision highp int;\n"
    "varying vec4 a; varying vec4 b; uniform vec4 u; uniform vec4 w[4]; uniform int n; uniform bool z; "
    "uniform mat4 m;\n"
    "uniform sampler2D t; uniform samplerCube cube;\n";

inline Inputs random_inputs(unsigned seed, uint32_t uniform_dw, float low, float high) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> value(low, high);
    Inputs in;
    for (unsigned slot = 0; slot < 2; slot++)
        for (unsigned c = 0; c < 4; c++)
            for (unsigned i = 0; i < kLanes; i++)
                in.rows[(unsigned(ir::VaryingSlot::Varying0) + slot) * 4 + c][i] = value(random);
    for (unsigned c = 0; c < 4; c++)
        for (unsigned i = 0; i < kLanes; i++)
            in.tile[c][i] = value(random);
    for (uint32_t k = 0; k < uniform_dw; k++)
        in.uniforms.push_back(std::bit_cast<uint32_t>(value(random)));
    for (unsigned i = 0; i < kLanes; i++) {
        in.frag_x[i] = float(i % 4) + 10.5f;
        in.frag_y[i] = float(i / 4) + 20.5f;
        in.frag_z[i] = value(random);
        in.frag_w[i] = value(random);
    }
    for (unsigned attribute = 0; attribute < 8; attribute++)
        for (float& v : in.rows[attribute])
            v = value(random);
    return in;
}

inline void set_uniform(const shaders::LinkedProgram& p, ir::Stage stage, Inputs& in, const char* name,
                        uint32_t value) {
    for (const shaders::UniformInfo& u : p.uniforms)
        if (u.name == name && u.offset_dw[size_t(stage)] >= 0)
            in.uniforms[size_t(u.offset_dw[size_t(stage)])] = value;
}

}  // namespace terrazzo::compiled
