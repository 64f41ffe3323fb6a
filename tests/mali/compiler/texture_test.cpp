// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures of each kind: compiled code on the warp executor compared with the IR interpreter.
#include "drivers/common/units/sampler.h"
#include "tests/common/compiler/texture_cases.h"
#include "tests/mali/compiler/harness.h"

using namespace terrazzo;
using namespace terrazzo::mali::compiler;
using namespace terrazzo::mali::compiler::testing;
using compiled::TextureAccess;
using compiled::TextureKind;
using compiled::TextureRead;

namespace {

namespace isa = mali::isa;
namespace sim = mali::sim;

/// The requests of the instruction's staging registers (sim/units/texture.cpp has their order). Levels have 8
/// bits of fraction.
class Unit : public testing::Machine {
  public:
    Unit(const Inputs& in, const TextureKind& kind, ir::Stage stage)
        : testing::Machine(in, in.uniforms), kind_(kind), stage_(stage) {}

    bool texture(sim::Warp&, const sim::MessageIn& m, sim::U32* out, std::string* why) override {
        const isa::Instr& instr = m.instr;
        const bool fetch = instr.op == isa::Op::kTexFetch, gradient = instr.op == isa::Op::kTexGradient;
        if (gradient && instr.dimension() == isa::Dimension::kCube)
            return *why = "gradients of a cube", false;
        if (gradient) {
            for (unsigned k = 0; k < m.in_count; k++)
                gradients_[k] = m.in[k];
            return true;
        }
        const bool cube = instr.dimension() == isa::Dimension::kCube;
        if (instr.array_enable() != kind_.arrayed) return *why = "a layer that the texture has not", false;
        if (!fetch && instr.shadow() != kind_.shadow) return *why = "a comparison of another sampler", false;
        if (cube != (kind_.kind == pipe::ResourceKind::Cube || kind_.kind == pipe::ResourceKind::CubeArray))
            return *why = "a cube, or none", false;
        for (unsigned i = 0; i < kLanes; i++) {
            if (!(m.active >> i & 1)) continue;
            const uint32_t slot = instr.wide_indices() ? m.high(0)[i] & 0xffffff : m.low(0)[i] >> 16 & 0x7ff;
            float v[4];
            compiled::read_texture(kind_, slot, access(m, i), v);
            if (instr.op == isa::Op::kTexGather) {
                // Rows of texels, where OpenGL's order goes around.
                const float rows[] = {v[3], v[2], v[0], v[1]};
                std::copy_n(rows, 4, v);
            }
            unsigned n = 0;
            for (unsigned c = 0; c < 4; c++)
                if (unsigned(instr.write_mask()) >> c & 1) out[n++][i] = std::bit_cast<uint32_t>(v[c]);
        }
        return true;
    }
    uint32_t sysval(uint32_t value) const override {
        const pipe::raster::TextureShape shape = compiled::shape_of(kind_);
        const uint32_t cube = kind_.kind == pipe::ResourceKind::CubeArray ? 6 : 1;
        const uint32_t size[] = {shape.width, shape.height, kind_.arrayed ? shape.layers / cube : shape.depth,
                                 shape.last_level + 1};
        const uint32_t at = value - uint32_t(Sysval::TextureSize0);
        return at < 4 * kSizedTextures ? size[at % 4] : testing::Machine::sysval(value);
    }

  private:
    TextureAccess access(const sim::MessageIn& m, unsigned i) const {
        const isa::Instr& instr = m.instr;
        const isa::Dimension d = instr.dimension();
        const bool fetch = instr.op == isa::Op::kTexFetch, gather = instr.op == isa::Op::kTexGather;
        const unsigned dims = d == isa::Dimension::k1d ? 1 : d == isa::Dimension::k3d ? 3 : 2;
        const auto number = [](const sim::U32& row, unsigned lane) {
            return std::bit_cast<float>(uint32_t(row[lane]));
        };
        unsigned next = dims;
        const auto take = [&] { return uint32_t(m.in[next++][i]); };
        TextureAccess a;
        const uint32_t layer = instr.array_enable() ? take() : 0;
        if (!fetch && instr.shadow()) a.args.reference = std::bit_cast<float>(take());
        const uint32_t offsets = instr.texel_offset() ? take() : 0;
        const auto offset = [&](unsigned c) { return int32_t(int8_t(offsets >> (8 * c))); };
        if (fetch) {
            a.how = TextureRead::Fetch;
            if (instr.array_enable()) a.texel[2] = int32_t(layer);
            for (unsigned c = 0; c < dims; c++)
                a.texel[c] = int32_t(m.in[c][i]) + offset(c);
            if (kind_.multisampled) {
                for (unsigned c = 0; c < dims; c++)
                    a.texel[c] -= offset(c);
                a.sample = int32_t(offsets >> 16 & 0xff);
            }
            a.level = int32_t(offsets >> 24);
            return a;
        }
        const auto position = [&](unsigned lane, float out[3]) {
            if (d != isa::Dimension::kCube) {
                for (unsigned c = 0; c < dims; c++)
                    out[c] = number(m.in[c], lane);
                return;
            }
            // The face is in the upper three bits, which are known of numbers between 0 and 1.
            const uint32_t word = m.in[0][lane], low = word & 0x1fffffff;
            units::cube_direction(word >> 29, low ? std::bit_cast<float>(low | 0x20000000) : 0.0f,
                                  number(m.in[1], lane), out);
        };
        position(i, a.args.coord);
        if (instr.array_enable()) a.args.coord[kind_.coordinates] = std::bit_cast<float>(layer);
        for (unsigned c = 0; c < 3; c++)
            a.args.offset[c] = offset(c);
        if (gather) {
            a.how = TextureRead::Gather;
            a.component = unsigned(instr.fetch_component());
        }
        const isa::LodMode mode = gather ? isa::LodMode::kZero : instr.lod_mode();
        const bool implicit = (mode == isa::LodMode::kComputed || mode == isa::LodMode::kComputedBias) &&
                              stage_ == ir::Stage::Fragment;
        if (implicit)
            compiled::derive(
                i, kind_.coordinates,
                [&](unsigned c, unsigned lane) {
                    float at[3];
                    position(lane, at);
                    return at[c];
                },
                &a.args);
        else
            a.args.lod_mode = pipe::raster::LodMode::Explicit;
        if (mode == isa::LodMode::kComputedBias) a.args.bias = float(int16_t(take())) / 256;
        if (mode == isa::LodMode::kExplicit) a.args.lod = float(int16_t(take())) / 256;
        if (mode == isa::LodMode::kGradient) set_gradients(i, dims, &a.args);
        return a;
    }
    void set_gradients(unsigned i, unsigned dims, pipe::raster::SampleArgs* args) const {
        float by[2][3] = {};
        for (unsigned axis = 0; axis < 2; axis++)
            for (unsigned c = 0; c < dims; c++)
                by[axis][c] = std::bit_cast<float>(uint32_t(gradients_[2 * c + axis][i]));
        args->lod_mode = pipe::raster::SampleArgs{}.lod_mode;
        std::copy_n(by[0], dims, args->ddx);
        std::copy_n(by[1], dims, args->ddy);
    }

    const TextureKind& kind_;
    const ir::Stage stage_;
    sim::U32 gradients_[6] = {};
};

compiled::Result run(const ir::Shader& s, ir::Stage stage, const TextureKind& kind,
                     const compiled::Inputs& given) {
    const bool vertex = stage == ir::Stage::Vertex;
    const Binary b = compile(s, vertex ? Part::Varying : Part::Fragment, kValidated);
    REQUIRE(b.error == "");
    CAPTURE(mali::isa::disassemble(b.code));
    CHECK(b.info.textures != 0);  // of sizes, too: the driver finds the texture by it
    Inputs in(given);
    if (vertex) in.frag_x = {};  // the harness takes it as no fragment's
    Unit unit(in, kind, stage);
    Result out = execute(b, in, unit);
    REQUIRE(out.error == "");
    const unsigned first = unsigned(ir::VaryingSlot::Varying0) * 4;
    for (unsigned k = 0; vertex && k < 4; k++)
        out.outputs[first + k] = out.outputs.at(1000 + k);
    return out;
}

constexpr float kTolerance = 1.0f / 128;  // of levels with 8 bits of fraction, between which is interpolated

}  // namespace

TEST_CASE("mali compiler: textures of each kind, with explicit levels") {
    compiled::check_textures(run, kTolerance);
}

TEST_CASE("mali compiler: textures of each kind, with levels from neighbours' coordinates") {
    // The unit gets coordinates on faces: run_test.cpp has cubes.
    compiled::check_derived_levels(run, kTolerance, false);
}
