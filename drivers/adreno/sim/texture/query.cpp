// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Instructions that query a texture, or the places of a pixel's samples. Source of the order of results: Mesa
// 25.0.7, src/freedreno/ir3/ir3_compiler_nir.c (emit_tex_txs, emit_tex_info),
// ir3_nir_lower_load_barycentric_at_sample.c (offsets from the centre of the pixel).
#include <algorithm>

#include "drivers/adreno/sim/texture/request.h"
#include "pipe/raster/sample_positions.h"

namespace terrazzo::adreno::sim {

bool ShaderUnits::query(UnitCall& call, TextureState& texture) {
    const Request r(call);
    const hw::TexConst& d = texture.desc();
    constexpr auto kKind = units::NumberKind::Uint;
    if (texture.is_null()) return r.put_all({}, kKind), true;
    if (call.instr.op == isa::Op::kGetinfo)
        return r.put_all({0, 0, d.miplvls + 1, texture.view().samples}, kKind), true;
    if (texture.is_buffer()) return r.put_all({uint32_t(texture.buffer().elements())}, kKind), true;
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        const U32 levels = call.instr.op == isa::Op::kGetsize ? call.in[0][g] : U32{};
        const auto minify = [&](uint32_t size) {
            return wave::map(levels, [&](uint32_t l) { return l < 32 ? std::max(1u, size >> l) : 1u; });
        };
        // For arrays, too, the third one is minified: W is the descriptor's value.
        const U32 v[4] = {minify(d.width), minify(d.height), minify(d.depth), wave::splat(d.depth)};
        r.put(g, v, kKind);
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
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        F32 at[2];
        for (unsigned n = 0; n < kGroupLanes; ++n) {
            const uint32_t index = call.in[0][g][n] & 3;
            const pipe::raster::SamplePosition& place =
                pipe::raster::sample_at(std::min(samples, 4u), index);  // a6xx has at most 4
            at[0][n] = programmed ? float(places >> 8 * index & 15) / 16 - 0.5f : float(place.x) / 16;
            at[1][n] = programmed ? float(places >> (8 * index + 4) & 15) / 16 - 0.5f : float(place.y) / 16;
        }
        const U32 v[4] = {wave::as_bits(at[0]), wave::as_bits(at[1]), {}, {}};
        r.put(g, v, units::NumberKind::Float);
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
