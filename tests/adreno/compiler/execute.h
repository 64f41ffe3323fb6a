// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs the compiler's code on the virtual GPU's core. The fixed-function units are replaced: inputs are
// arrays, a texture is a formula. Constants, registers of inputs and of outputs are set up as Info describes.
#pragma once

#include <cstring>

#include "drivers/adreno/compiler/compile.h"
#include "drivers/adreno/sim/core/core.h"
#include "shaders/ir/half.h"
#include "tests/common/compiler/run.h"

namespace terrazzo::adreno::compiler::testing {

using compiled::Inputs;
using compiled::kLanes;
using compiled::Result;
using compiled::Row;

class Memory : public window::Space {
  public:
    static constexpr uint64_t kCode = 0x100000, kPrivate = 0x200000;
    Memory(const Binary& b, size_t private_B) : code_(b.code), private_(private_B) {}
    window::Mapping find(uint64_t va) override {
        if (va >= kCode && va < kCode + code_.size() * 8)
            return {kCode, kCode + code_.size() * 8, reinterpret_cast<uint8_t*>(code_.data()), false, true};
        if (va >= kPrivate && va < kPrivate + private_.size())
            return {kPrivate, kPrivate + private_.size(), private_.data(), true, false};
        return {};
    }
    uint64_t epoch() const override { return 0; }

  private:
    std::vector<uint64_t> code_;
    std::vector<uint8_t> private_;
};

class Machine : public sim::Units {
  public:
    Machine(const Inputs& in, const Binary& b) : in_(in), b_(b) {}

    bool varying(sim::UnitCall& call, std::string* why) override {
        const uint32_t at = call.in[0][0][0];
        for (const VaryingInput& v : b_.info.varyings) {
            if (at < v.inloc || at >= uint32_t(v.inloc + v.count)) continue;
            if (v.kind != VaryingInput::Kind::Varying) break;
            const auto row = in_.rows.find(v.slot * 4u + at - v.inloc);
            for (unsigned i = 0; i < kLanes; i++)
                call.out[0][0][i] = row == in_.rows.end() ? 0 : std::bit_cast<uint32_t>(row->second[i]);
            return true;
        }
        *why = "a location without a varying";
        return false;
    }
    bool uniform_buffer(sim::UnitCall& call, std::string* why) override {
        if (call.texture != kDefaultBlock) {
            *why = "another uniform buffer than the default block";
            return false;
        }
        for (unsigned k = 0; k < call.instr.components(); k++)
            for (unsigned i = 0; i < kLanes; i++) {
                const uint32_t at = call.in[0][0][i] * 4 + call.instr.first_component() + k;
                call.out[k][0][i] = at < in_.uniforms.size() ? in_.uniforms[at] : 0;
            }
        return true;
    }
    bool image(sim::UnitCall&, std::string* why) override {
        *why = "no images here";
        return false;
    }
    bool texture(sim::UnitCall& call, std::string* why) override {
        using isa::Op;
        if (call.instr.op == Op::kIsamm) return color(call, why);
        constexpr unsigned kSecond = 8, kSecondAfterGradients = 12;
        const isa::Instr& instr = call.instr;
        const auto value = [&](unsigned n, unsigned i) {
            return std::bit_cast<float>(uint32_t(call.in[n][0][i]));
        };
        const bool grad = instr.op == Op::kSamgq || (instr.op >= Op::kSamgp0 && instr.op <= Op::kSamgp3);
        const bool fetch = instr.op == Op::kIsaml;
        const unsigned second = grad && instr.cube() ? kSecondAfterGradients : kSecond;
        for (unsigned i = 0; i < kLanes; i++) {
            float st[2] = {value(0, i), value(1, i)};
            float lod = instr.op == Op::kSaml || instr.op == Op::kSamb ? value(second, i) : 0;
            if (fetch) {
                st[0] = float(int32_t(call.in[0][0][i]));
                st[1] = float(int32_t(call.in[1][0][i]));
                lod = float(int32_t(call.in[second][0][i]));
            }
            const unsigned dims = instr.cube() ? 3 : 2;
            float dx[3] = {}, dy[3] = {};
            for (unsigned c = 0; grad && c < dims; c++)
                dx[c] = value(4 + c, i), dy[c] = value(4 + dims + c, i);
            if (instr.cube()) project(st, value(2, i), dx, dy);
            if (grad) lod = compiled::level(dx[0], dy[0], dx[1], dy[1]);
            for (unsigned c = 0; c < 4; c++) {
                const float texel = compiled::texel(st[0], st[1], lod, c);
                call.out[c][0][i] = instr.type() == isa::Type::kF16 ? pipe::float_to_half(texel)
                                                                    : std::bit_cast<uint32_t>(texel);
            }
        }
        return true;
    }

  private:
    /// A render target's value at the lane's position and sample 0.
    bool color(sim::UnitCall& call, std::string* why) const {
        unsigned target = 0;
        while (target < 8 &&
               !(b_.info.colors_read >> target & 1 && b_.info.color_number(target) == call.texture))
            target++;
        for (unsigned i = 0; i < kLanes; i++) {
            if (target == 8 || call.in[0][0][i] != uint32_t(in_.frag_x[i]) ||
                call.in[1][0][i] != uint32_t(in_.frag_y[i]) || call.in[2][0][i])
                return *why = "a colour of another place than the fragment's", false;
            for (unsigned c = 0; c < 4; c++)
                call.out[c][0][i] = std::bit_cast<uint32_t>(in_.tile.at(target * 4 + c)[i]);
        }
        return true;
    }
    static void project(float st[2], float r, float dx[3], float dy[3]) {
        const float d[3] = {st[0], st[1], r};
        const pipe::raster::CubeCoord at = pipe::raster::project_cube(d);
        st[0] = at.s + float(at.face);
        st[1] = at.t;
        float to[2];
        for (float* v : {dx, dy}) {
            pipe::raster::project_cube_derivative(d, at.face, v, to);
            v[0] = to[0], v[1] = to[1];
        }
    }
    const Inputs& in_;
    const Binary& b_;
};

/// The constants from c0.x on, as Info::constants describes.
inline std::vector<uint32_t> constants_of(const Binary& b, const Inputs& in) {
    const ConstLayout& c = b.info.constants;
    std::vector<uint32_t> out(c.vec4s * 4);
    for (uint32_t k = 0; k < c.uniforms_dw && k < in.uniforms.size(); k++)
        out[k] = in.uniforms[k];
    for (size_t k = 0; k < c.immediates.size(); k++)
        out[c.immediates_at_dw + k] = c.immediates[k];
    return out;
}

/// Fills `count` registers from `id` on with f(register, lane).
template <typename F>
void fill(sim::Wave& wave, RegisterId id, unsigned count, bool half, const F& f) {
    for (unsigned k = 0; id != kNoRegister && k < count; k++)
        for (unsigned i = 0; i < kLanes; i++)
            (void)wave.set({uint8_t(id + k)}, half, i, f(k, i));
}

inline void set_inputs(sim::Wave& wave, const Binary& b, const Inputs& in) {
    const SystemValues& s = b.info.system;
    const auto none = [](unsigned, unsigned) { return 0u; };
    for (const RegisterId ij : {s.ij_pixel, s.ij_centroid, s.ij_sample, s.ij_linear_pixel,
                                s.ij_linear_centroid, s.ij_linear_sample})
        fill(wave, ij, 2, false, none);
    fill(wave, s.coord_xy, 2, false,
         [&](unsigned k, unsigned i) { return uint32_t((k ? in.frag_y : in.frag_x)[i] * 16); });
    fill(wave, s.coord_zw, 2, false,
         [&](unsigned k, unsigned i) { return std::bit_cast<uint32_t>((k ? in.frag_w : in.frag_z)[i]); });
    fill(wave, s.front_face, 1, true, [](unsigned, unsigned i) { return i % 4 ? 0u : 0xffffu; });
    fill(wave, s.sample_id, 1, true, none);
    fill(wave, s.vertex_id, 1, false, [](unsigned, unsigned i) { return i; });
    fill(wave, s.instance_id, 1, false, none);
    for (const AttributeInput& a : b.info.attributes)
        fill(wave, a.reg, 4, false, [&](unsigned c, unsigned i) {
            const auto row = in.rows.find(a.location * 4u + c);
            return row == in.rows.end() ? 0 : std::bit_cast<uint32_t>(row->second[i]);
        });
}

/// The textures that hardware samples before the shader begins.
inline bool prefetch(sim::Wave& wave, Machine& machine, window::Window& memory, const Binary& b,
                     std::string* why) {
    for (const TexturePrefetch& p : b.info.prefetches) {
        isa::Instr instr = isa::make(isa::Op::kSam);
        instr.set_type(p.half ? isa::Type::kF16 : isa::Type::kF32);
        sim::UnitCall sample(instr, wave, wave.lanes, memory);
        for (unsigned k = 0; k < 2; k++) {
            const isa::Instr bary = isa::make(isa::Op::kBaryF);
            sim::UnitCall varying(bary, wave, wave.lanes, memory);
            varying.in[0][0] = wave::splat(p.inloc + k);
            if (!machine.varying(varying, why)) return false;
            sample.in[k][0] = varying.out[0][0];
        }
        sample.texture = sample.sampler = p.texture;
        if (!machine.texture(sample, why)) return false;
        for (unsigned c = 0; c < 4; c++) {
            if (!(p.mask >> c & 1)) continue;
            const isa::Reg reg{uint8_t(p.reg + c)};
            for (unsigned i = 0; i < kLanes; i++)
                (void)wave.set(reg, p.half, i, sample.out[c][0][i]);
            wave.comes_by_sy(reg, p.half);
        }
    }
    return true;
}

/// Outputs by slot * 4 + component, like the interpreter's.
inline Result execute(const Binary& b, const Inputs& in, Machine& machine) {
    Memory memory(b, size_t(b.info.private_B) * sim::kMaxLanes);
    sim::Core core(memory, machine);
    const auto wave = std::make_unique<sim::Wave>();
    wave->check_defined = true;
    std::vector<uint32_t> constants = constants_of(b, in);
    wave->constants = wave->writable_constants = constants;
    wave->lanes = sim::LaneMask::first(kLanes);
    wave->full_registers = std::max<unsigned>(b.info.full_registers, 1);
    wave->branch_stack = b.info.branch_stack;
    wave->private_va = b.info.private_B ? Memory::kPrivate : 0;
    wave->private_B = b.info.private_B;
    sim::Core::start(*wave, Memory::kCode, wave->lanes);
    set_inputs(*wave, b, in);
    Result out;
    window::Window window(memory);
    if (!prefetch(*wave, machine, window, b, &out.error)) return out;
    sim::CoreFault fault;
    if (core.run(*wave, &fault) != sim::Outcome::Done) {
        out.error = to_string(fault, Memory::kCode);
        return out;
    }
    out.alive = wave->lanes.group(0) & ~wave->killed.group(0);
    for (const Output& o : b.info.outputs)
        for (unsigned c = 0; c < 4; c++) {
            if (!(o.mask >> c & 1)) continue;
            Row& row = out.outputs[o.slot * 4u + c];
            const isa::Reg reg{uint8_t(o.reg + c)};
            if (!wave->arrived(reg, o.half)) out.error = "an output that is not there at the end";
            for (unsigned i = 0; i < kLanes; i++) {
                uint32_t bits = 0;
                if (!wave->get(reg, o.half, i, &bits)) out.error = "an output that is no register";
                row[i] = o.half ? ir::half_to_float(uint16_t(bits)) : std::bit_cast<float>(bits);
            }
        }
    return out;
}
inline Result execute(const Binary& b, const Inputs& in) {
    Machine machine(in, b);
    return execute(b, in, machine);
}

}  // namespace terrazzo::adreno::compiler::testing
