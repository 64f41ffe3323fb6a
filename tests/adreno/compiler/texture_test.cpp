// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Textures of each kind: compiled code on the virtual GPU's core compared with the IR interpreter. The words
// of the instruction are read with sim/texture/operands.h, which is written from hardware facts.
#include "drivers/adreno/sim/texture/operands.h"
#include "tests/adreno/compiler/execute.h"
#include "tests/common/compiler/texture_cases.h"

using namespace terrazzo;
using namespace terrazzo::adreno::compiler;
using namespace terrazzo::adreno::compiler::testing;

namespace {

using adreno::sim::TextureOperands;
using compiled::TextureAccess;
using compiled::TextureKind;
using compiled::TextureRead;

/// The requests of the instruction's words.
class Unit : public Machine {
  public:
    Unit(const Inputs& in, const Binary& b, const TextureKind& kind, ir::Stage stage)
        : Machine(in, b), info_(b.info), kind_(kind), stage_(stage) {}
    bool texture(adreno::sim::UnitCall& call, std::string* why) override {
        using adreno::isa::Op;
        const Op op = call.instr.op;
        if (op == Op::kGetsize || op == Op::kGetbuf) return size(call);
        if (call.instr.cube() != (kind_.coordinates == 3))
            return *why = "coordinates that the texture has not", false;
        if (call.instr.array() != kind_.arrayed) return *why = "a layer that the texture has not", false;
        const bool compares = kind_.shadow && op != Op::kIsaml;
        if (call.instr.shadow() != compares)
            return *why = "a comparison that the sampler does not say", false;
        for (unsigned i = 0; i < kLanes; i++) {
            if (!call.active.has(i)) continue;
            float v[4];
            compiled::read_texture(kind_, slot_of(call.texture), access(call, i), v);
            for (unsigned c = 0; c < 4; c++)
                call.out[c][0][i] = std::bit_cast<uint32_t>(v[c]);
        }
        return true;
    }

  private:
    /// Textures that are both fetched and sampled have a second descriptor for fetches.
    [[nodiscard]] uint32_t slot_of(uint32_t texture) const {
        for (uint32_t slot = 0; slot < texture; slot++)
            if (info_.fetched_apart >> slot & 1 && info_.fetched_number(slot) == texture) return slot;
        return texture;
    }
    /// W, and Z of arrays, comes from the descriptor. There, the faces of cubes are layers in groups of six,
    /// and are not counted separately.
    bool size(adreno::sim::UnitCall& call) const {
        const pipe::raster::TextureShape shape = compiled::shape_of(kind_);
        const uint32_t depth = kind_.kind == pipe::ResourceKind::Tex3D       ? shape.depth
                               : kind_.kind == pipe::ResourceKind::CubeArray ? shape.layers / 6
                                                                             : shape.layers;
        for (unsigned i = 0; i < kLanes; i++) {
            const uint32_t lod = call.instr.op == adreno::isa::Op::kGetsize ? call.in[0][0][i] : 0;
            const uint32_t v[] = {shape.width >> lod, shape.height >> lod, depth >> lod, depth};
            for (unsigned c = 0; c < 4; c++)
                call.out[c][0][i] = std::max(v[c], 1u);
        }
        return true;
    }
    TextureAccess access(const adreno::sim::UnitCall& call, unsigned i) const {
        using adreno::isa::Op;
        const Op op = call.instr.op;
        const TextureOperands o = adreno::sim::texture_operands(call.instr);
        const unsigned second = adreno::sim::second_source(o);
        const auto integer = [&](unsigned k) { return int32_t(call.in[k][0][i]); };
        const auto number_of = [&](unsigned k, unsigned lane) {
            return std::bit_cast<float>(uint32_t(call.in[k][0][lane]));
        };
        const auto number = [&](unsigned k) { return number_of(k, i); };
        const auto has = [](unsigned k) { return k != TextureOperands::kNone; };
        TextureAccess a;
        if (op == Op::kIsaml || op == Op::kIsamm || op == Op::kIsam) {
            a.how = TextureRead::Fetch;
            for (unsigned c = 0; c < std::min(o.coordinates, kind_.coordinates); c++)
                a.texel[c] = integer(c) + (c < o.offsets ? integer(second + c) : 0);
            if (has(o.layer)) a.texel[2] = integer(o.layer);
            if (has(o.lod)) a.level = integer(second + o.lod);
            if (has(o.sample)) a.sample = integer(o.sample);
            return a;
        }
        for (unsigned c = 0; c < o.coordinates; c++)
            a.args.coord[c] = number(c);
        if (has(o.layer)) a.args.coord[o.coordinates] = std::floor(number(o.layer));
        for (unsigned c = 0; c < o.offsets; c++)
            a.args.offset[c] = integer(second + c);
        if (has(o.reference)) a.args.reference = number(o.reference);
        if (op >= Op::kGather4r && op <= Op::kGather4a) {
            a.how = TextureRead::Gather;
            a.component = unsigned(op) - unsigned(Op::kGather4r);
        }
        const bool implicit = (op == Op::kSam || op == Op::kSamb) && stage_ == ir::Stage::Fragment;
        if (implicit) compiled::derive(i, o.coordinates, number_of, &a.args);
        for (unsigned c = 0; has(o.gradients) && c < o.coordinates; c++) {
            a.args.ddx[c] = number(o.gradients + c);
            a.args.ddy[c] = number(o.gradients + o.coordinates + c);
        }
        if (!implicit && !has(o.gradients)) a.args.lod_mode = pipe::raster::LodMode::Explicit;
        if (op == Op::kSamb) a.args.bias = number(second + o.lod);
        if (op == Op::kSaml) a.args.lod = number(second + o.lod);
        return a;
    }
    const Info& info_;
    const TextureKind& kind_;
    const ir::Stage stage_;
};

compiled::Result run(const ir::Shader& s, ir::Stage stage, const TextureKind& kind, const Inputs& in) {
    const Binary b = compile(s, {.validate = true});
    REQUIRE(b.error == "");
    CAPTURE(adreno::isa::disassemble(b.code));
    Unit unit(in, b, kind, stage);
    return execute(b, in, unit);
}

}  // namespace

TEST_CASE("adreno compiler: textures of each kind, with explicit levels") {
    compiled::check_textures(run, 1.0f / 1024);
}

TEST_CASE("adreno compiler: textures of each kind, with levels from neighbours' coordinates") {
    compiled::check_derived_levels(run, 1.0f / 1024, true);
}
