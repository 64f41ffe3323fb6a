// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions that query a texture, or the places of a pixel's samples. Source of the order of results: Mesa
// 25.0.7, src/freedreno/ir3/ir3_compiler_nir.c (emit_tex_txs, emit_tex_info),
// ir3_nir_lower_load_barycentric_at_sample.c (offsets from the centre of the pixel).
#include <algorithm>
#include <bit>

#include "drivers/adreno/sim/texture/request.h"
#include "pipe/raster/sample_positions.h"

namespace terrazzo::adreno::sim {

namespace {

/// From the pixel's centre; a6xx has at most 4 samples.
void standard_position(unsigned samples, unsigned index, float out[2]) {
    const pipe::raster::SamplePosition& at = pipe::raster::sample_at(std::min(samples, 4u), index);
    out[0] = float(at.x) / 16;
    out[1] = float(at.y) / 16;
}

}  // namespace

bool ShaderUnits::query(UnitCall& call, TextureState& texture) {
    const Request r(call);
    const hw::TexConst& d = texture.desc();
    for (unsigned lane = 0; lane < r.lanes(); ++lane) {
        if (!call.active.has(lane)) continue;
        uint32_t v[4] = {};
        if (texture.is_null()) {
            r.put(lane, v, units::NumberKind::Uint);
            continue;
        }
        if (call.instr.op == isa::Op::kGetinfo) {
            v[2] = d.miplvls + 1;
            v[3] = texture.view().samples;
        } else if (texture.is_buffer()) {
            v[0] = uint32_t(texture.buffer().elements());
        } else {
            const uint32_t level = call.instr.op == isa::Op::kGetsize ? r.word(0, lane) : 0;
            const auto minify = [&](uint32_t size) { return level < 32 ? std::max(1u, size >> level) : 1u; };
            v[0] = minify(d.width);
            v[1] = minify(d.height);
            v[2] = minify(d.depth);  // also for arrays: W is the descriptor's value
            v[3] = d.depth;
        }
        r.put(lane, v, units::NumberKind::Uint);
    }
    return true;
}

bool ShaderUnits::query_raster(UnitCall& call, std::string* why) {
    if (call.instr.op != isa::Op::kRgetpos) {
        *why = "rgetinfo is not executed";
        return false;
    }
    const Registers& registers = machine_.registers;
    const unsigned samples = 1u << unsigned(registers.get<hw::SP_TP_RAS_MSAA_CNTL>().samples);
    const bool programmed = registers.get<hw::SP_TP_SAMPLE_CONFIG>().value.location_enable;
    const uint32_t places = registers.value(hw::SP_TP_SAMPLE_LOCATION_0::kRegister);
    const Request r(call);
    for (unsigned lane = 0; lane < r.lanes(); ++lane) {
        if (!call.active.has(lane)) continue;
        const uint32_t index = r.word(0, lane) & 3;
        float at[2];
        standard_position(samples, index, at);
        if (programmed)
            for (unsigned c = 0; c < 2; ++c)
                at[c] = float(places >> (8 * index + 4 * c) & 15) / 16 - 0.5f;
        const uint32_t v[4] = {std::bit_cast<uint32_t>(at[0]), std::bit_cast<uint32_t>(at[1]), 0, 0};
        r.put(lane, v, units::NumberKind::Float);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
