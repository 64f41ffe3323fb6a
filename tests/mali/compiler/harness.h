// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A pair of GLSL shaders, linked, compiled for Valhall and run with the same inputs on the warp executor and
// in the IR interpreter. The fixed-function units are replaced: inputs are arrays, a texture is a formula.
#pragma once

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "drivers/mali/compiler/compile.h"
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/isa/isa.h"
#include "drivers/mali/sim/core/core.h"
#include "pipe/raster/sample.h"
#include "shaders/compile.h"
#include "shaders/ir/half.h"
#include "shaders/ir/interp.h"
#include "tests/common/compiler/run.h"

namespace terrazzo::mali::compiler::testing {

/// As debug builds compile: the code is validated after every pass.
inline constexpr Options kValidated{.validate = true};
using compiled::interpret;
using compiled::kLanes;
using compiled::level;
using compiled::link;
using compiled::near;
using compiled::Result;
using compiled::Row;
using compiled::Rows;
using compiled::texel;

struct Inputs : compiled::Inputs {
    Inputs() = default;
    Inputs(compiled::Inputs in) : compiled::Inputs(std::move(in)) {}
    const Binary* blend[8] = {};  // the blend shaders of the render targets
};

class Memory : public sim::Space {
  public:
    static constexpr uint64_t kCode = 0x100000, kData = 0x200000, kLocal = 0x300000, kSize = 0x10000;
    /// `local_B`: for all threads together.
    explicit Memory(size_t local_B) : code(kSize), data(kSize), local(local_B) {}
    sim::Mapping find(uint64_t va) override {
        if (va >= kCode && va < kCode + kSize) return {kCode, kCode + kSize, code.data(), false, true};
        if (va >= kData && va < kData + kSize) return {kData, kData + kSize, data.data(), true, false};
        if (va >= kLocal && va < kLocal + local.size())
            return {kLocal, kLocal + local.size(), local.data(), true, false};
        return {};
    }
    uint64_t epoch() const override { return 0; }
    std::vector<uint8_t> code, data, local;
};

class Machine : public sim::Units {
  public:
    static constexpr unsigned kIndexStep = 32, kRecord_B = 16;
    Machine(const Inputs& in, const std::vector<uint32_t>& buffer) : in_(in), buffer_(buffer) {}

    bool attribute(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        if (m.instr.op == isa::Op::kLeaBufImm) {
            for (unsigned i = 0; i < kLanes; i++) {
                out[0][i] = uint32_t(Memory::kData + m.low(0)[i] * kRecord_B);
                out[1][i] = 0;
            }
            return true;
        }
        if (m.instr.op != isa::Op::kLdAttrImm ||
            m.instr.immediate(isa::Imm::kTable) != int(Table::Attributes)) {
            *why = "which attribute?";
            return false;
        }
        copy(unsigned(m.instr.immediate(isa::Imm::kIndex)) * 4, m, out);
        return true;
    }
    bool varying(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string*) override {
        if (m.instr.op == isa::Op::kLdVarSpecial) {
            const Row& row = m.instr.immediate(isa::Imm::kIndex) == 3 ? in_.frag_z : in_.frag_w;
            for (unsigned i = 0; i < kLanes; i++)
                out[0][i] = std::bit_cast<uint32_t>(row[i]);
        } else {
            const isa::Op op = m.instr.op;
            const bool named =
                op == isa::Op::kLdVarBufF16 || op == isa::Op::kLdVarBufF32;  // by a register's value
            const unsigned place_B = named ? m.low(1)[0] : unsigned(m.instr.immediate(isa::Imm::kIndex));
            const unsigned first = unsigned(ir::VaryingSlot::Varying0) * 4 + place_B / 4;
            if (op == isa::Op::kLdVarBufImmF16 || op == isa::Op::kLdVarBufF16)
                copy_halves(first, m, out);
            else
                copy(first, m, out);
        }
        return true;
    }
    bool load_buffer(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string*) override {
        for (unsigned c = 0; c < m.out_count; c++)
            for (unsigned i = 0; i < kLanes; i++) {
                const uint32_t at = m.low(0)[i] / 4 + c;
                out[c][i] = m.low(1)[i] == kSystemBlock ? sysval(at) : at < buffer_.size() ? buffer_[at] : 0;
            }
        return true;
    }
    bool texture(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string*) override {
        const unsigned mask = unsigned(m.instr.write_mask());
        const isa::LodMode mode = m.instr.lod_mode();
        const bool has_lod = mode == isa::LodMode::kComputedBias || mode == isa::LodMode::kExplicit;
        const auto value = [&](unsigned reg, unsigned i) {
            return std::bit_cast<float>(uint32_t(m.in[reg][i]));
        };
        if (m.instr.op == isa::Op::kTexGradient) {
            for (unsigned i = 0; i < kLanes; i++)
                out[0][i] = out[1][i] =
                    std::bit_cast<uint32_t>(level(value(0, i), value(1, i), value(2, i), value(3, i)));
            return true;
        }
        unsigned n = 0;
        for (unsigned c = 0; c < 4; c++) {
            if (!(mask >> c & 1)) continue;
            for (unsigned i = 0; i < kLanes; i++) {
                if (m.instr.op == isa::Op::kTexFetch) {
                    const auto whole = [&](unsigned reg) { return float(int32_t(m.in[reg][i])); };
                    const float level = m.instr.texel_offset() ? float(uint32_t(m.in[2][i]) >> 24) : 0;
                    out[n][i] = std::bit_cast<uint32_t>(texel(whole(0), whole(1), level, c));
                    continue;
                }
                const float lod = mode == isa::LodMode::kGradient ? value(2, i)
                                  : has_lod                       ? float(int16_t(m.in[2][i])) / 256
                                                                  : 0;
                float s = value(0, i);
                if (m.instr.dimension() == isa::Dimension::kCube) {
                    // The face is in the upper three bits. They are 001 in floats that are not tiny and at
                    // most 1.
                    const uint32_t word = m.in[0][i];
                    s = std::bit_cast<float>((word & 0x1fffffffu) | 0x20000000u) + float(word >> 29);
                }
                put(out, n, i, m.instr.register_width() == isa::RegisterWidth::k16,
                    texel(s, value(1, i), lod, c));
            }
            n++;
        }
        return true;
    }
    bool alpha_test(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string*) override {
        out[0] = m.low(0);
        result.alive = m.active;
        return true;
    }
    bool depth_stencil(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string*) override {
        out[0] = m.low(2);
        keep(unsigned(ir::FragSlot::Depth) * 4, m.low(0));
        return true;
    }
    bool blend(sim::Warp&, const sim::MessageIn& m, sim::BlendPath* path, std::string* why) override {
        hw::InternalBlend d;
        const auto lane = unsigned(std::countr_zero(m.active));
        const uint32_t words[] = {m.low(0)[lane], m.high(0)[lane]};
        if (!hw::unpack(words, &d, nullptr)) {
            *why = "not a blend descriptor";
            return false;
        }
        *path = d.mode == hw::BlendMode::Shader ? sim::BlendPath::Shader : sim::BlendPath::FixedFunction;
        for (unsigned c = 0; c < 4 && *path == sim::BlendPath::FixedFunction; c++)
            keep(d.rt * 4 + c,
                 m.instr.register_format() == isa::RegisterFormat::kF16 ? half(m.in[c / 2], c % 2) : m.in[c]);
        return true;
    }
    bool tile(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        const auto lane = unsigned(std::countr_zero(m.active));
        const uint32_t where = m.low(0)[lane], target = where >> 8 & 0xff;
        for (unsigned i = 0; i < kLanes; i++)
            if (m.active >> i & 1 && (m.low(0)[i] & 0xff) != sample(i)) return *why = "another sample", false;
        if (where >> 24 != 255 || m.low(2)[lane] != kConversion + target) {
            *why = "another pixel or conversion";
            return false;
        }
        if (m.instr.op == isa::Op::kStTile)
            for (unsigned c = 0; c < m.in_count; c++)
                keep(target * 4 + c, m.in[c]);
        for (unsigned c = 0; c < m.out_count; c++)
            for (unsigned i = 0; i < kLanes; i++)
                out[c][i] = std::bit_cast<uint32_t>(in_.tile.at(target * 4 + c)[i]);
        return true;
    }
    static constexpr uint32_t kConversion = 0x02345600;
    /// Viewport scale and offset by axis, as the driver gives them.
    static constexpr float kViewport[6] = {320, 240, 0.5f, 320, 240, 0.5f};
    virtual uint32_t sysval(uint32_t value) const {
        const uint32_t conversion = value - uint32_t(Sysval::TargetConversion0),
                       channel = value - uint32_t(Sysval::TargetChannel0);
        if (value < std::size(kViewport)) return std::bit_cast<uint32_t>(kViewport[value]);
        if (conversion < 8) return kConversion + conversion;
        return channel < 32 ? in_.target_channels >> channel & 1 : 0;
    }
    /// The sample whose colour a lane accesses.
    virtual uint32_t sample(unsigned lane) const { return (void)lane, 0; }
    /// After the registers were set, before the warp runs.
    virtual void prepare(sim::Warp&, Memory&) {}
    Result result;

  private:
    void keep(unsigned at, const sim::U32& v) {
        for (unsigned i = 0; i < kLanes; i++)
            result.outputs[at][i] = std::bit_cast<float>(uint32_t(v[i]));
    }
    static sim::U32 half(const sim::U32& words, unsigned high) {
        sim::U32 out{};
        for (unsigned i = 0; i < kLanes; i++)
            out[i] = std::bit_cast<uint32_t>(ir::half_to_float(uint16_t(words[i] >> (16 * high))));
        return out;
    }
    /// The n-th component of a message's result: a word or a half.
    static void put(sim::U32* out, unsigned n, unsigned lane, bool narrow, float v) {
        if (!narrow) {
            out[n][lane] = std::bit_cast<uint32_t>(v);
            return;
        }
        const uint32_t bits = ir::half_from_float(v);
        out[n / 2][lane] = n % 2 ? (out[n / 2][lane] & 0xffffu) | bits << 16 : bits;
    }
    void copy_halves(unsigned first, const sim::MessageIn& m, sim::U32* out) {
        for (unsigned c = 0; c <= unsigned(m.instr.vector_size()); c++) {
            const auto row = in_.rows.find(first + c);
            for (unsigned i = 0; i < kLanes; i++)
                put(out, c, i, true, row == in_.rows.end() ? 0 : row->second[i]);
        }
    }
    void copy(unsigned first, const sim::MessageIn& m, sim::U32* out) {
        for (unsigned c = 0; c < m.out_count; c++) {
            const auto row = in_.rows.find(first + c);
            for (unsigned i = 0; i < kLanes; i++)
                out[c][i] = row == in_.rows.end() ? 0 : std::bit_cast<uint32_t>(row->second[i]);
        }
    }
    const Inputs& in_;
    const std::vector<uint32_t>& buffer_;
};

inline uint32_t half_uniform(const Inputs& in, uint32_t place) {
    return place < in.uniforms.size() ? ir::half_from_float(std::bit_cast<float>(in.uniforms[place])) : 0;
}

inline Result execute(const Binary& b, const Inputs& in, Machine& machine) {
    const uint32_t local_B = b.info.tls_B ? std::bit_ceil(b.info.tls_B) : 0;
    Memory memory(size_t(local_B) * kLanes);
    sim::Core core(memory, machine);
    sim::Warp warp;
    if (b.code.size() * 8 > memory.code.size()) return {.error = "code too large for the test"};
    std::memcpy(memory.code.data(), b.code.data(), b.code.size() * 8);
    std::vector<uint32_t> fau;
    for (const UniformWord& w : b.info.fau)
        fau.push_back(w.kind == UniformWord::Kind::Uniform
                          ? (w.value < in.uniforms.size() ? in.uniforms[w.value] : 0)
                      : w.kind == UniformWord::Kind::Halves
                          ? half_uniform(in, w.value & 0xffff) | half_uniform(in, w.value >> 16) << 16
                      : w.kind == UniformWord::Kind::Constant ? w.value
                                                              : machine.sysval(w.value));
    for (unsigned t = 0; t < 8; t++) {
        hw::InternalBlend d;
        d.mode = in.blend[t] ? hw::BlendMode::Shader : hw::BlendMode::Opaque;
        d.num_comps = 4;
        d.rt = t;
        d.pc = uint32_t(Memory::kCode + 0x8000 + 0x1000 * t);
        warp.special[unsigned(isa::Special::kBlendDescriptor0) + t] = hw::pack64(d);
        if (in.blend[t])
            std::memcpy(&memory.code[0x8000 + 0x1000 * t], in.blend[t]->code.data(),
                        in.blend[t]->code.size() * 8);
    }
    warp.fau = fau;
    warp.local_B = local_B;
    warp.local_base = Memory::kLocal;
    warp.special[unsigned(isa::Special::kThreadLocalPointer)] = Memory::kLocal;
    const auto preload = [&](unsigned reg, auto&& value) {
        if (!(b.info.preload >> reg & 1)) return;
        for (unsigned i = 0; i < kLanes; i++)
            warp.r[reg][i] = value(i);
        warp.defined |= 1ull << reg;
    };
    preload(58, [](unsigned i) { return i % 4 ? 0u : 1u; });
    preload(59, [&](unsigned i) {
        const auto x = uint32_t(in.frag_x[i]), y = uint32_t(in.frag_y[i]);
        return b.info.attributes || in.frag_x[kLanes - 1] == 0 ? i * Machine::kIndexStep : x | y << 16;
    });
    preload(60, [](unsigned i) { return i + 1; });
    preload(61, [](unsigned) { return 0u; });
    machine.prepare(warp, memory);
    sim::Core::start(warp, Memory::kCode, 0xffff);
    sim::CoreFault fault;
    if (core.run(warp, &fault) != sim::Outcome::Done) {
        machine.result.error = to_string(fault, Memory::kCode);
        return machine.result;
    }
    for (unsigned k = 0; k < Machine::kIndexStep * Machine::kRecord_B / 4; k++)
        for (unsigned i = 0; i < kLanes; i++)
            std::memcpy(&machine.result.outputs[1000 + k][i],
                        &memory.data[i * Machine::kIndexStep * Machine::kRecord_B + k * 4], 4);
    return machine.result;
}
inline Result execute(const Binary& b, const Inputs& in) {
    Machine machine(in, in.uniforms);
    return execute(b, in, machine);
}

inline unsigned count(const Binary& b, isa::Op op) {
    unsigned n = 0;
    for (uint64_t word : b.code) {
        isa::Instr i;
        if (word && isa::decode(word, &i, nullptr)) n += i.op == op;
    }
    return n;
}

}  // namespace terrazzo::mali::compiler::testing
