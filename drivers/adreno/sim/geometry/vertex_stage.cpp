// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/vertex_stage.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace terrazzo::adreno::sim {

bool VertexShader::init(Machine& machine, bool chains, bool rectangles, Fault* fault) {
    return program_.init(machine, Stage::Vertex, chains, fault) && fetch_.init(machine, rectangles, fault);
}

bool VertexShader::load(Machine& machine, const uint32_t* which, unsigned count, Wave* wave,
                        Fault* fault) const {
    VertexInvocation lanes[kGeometryLanes];
    for (unsigned i = 0; i < count; ++i)
        lanes[i] = vertices[which[i]];
    return fetch_.load(machine.uche, lanes, count, wave, fault);
}

bool DomainShader::init(Machine& machine, bool chains, Fault* fault) {
    hw::VFD_CONTROL_3 ids;
    if (!program_.init(machine, Stage::Domain, chains, fault) || !machine.registers.require(&ids, fault))
        return false;
    patch_reg_ = uint8_t(ids.regid_dsrelpatchid);
    id_reg_ = uint8_t(ids.regid_dsprimid);
    u_reg_ = uint8_t(ids.regid_tessx);
    v_reg_ = uint8_t(ids.regid_tessy);
    return true;
}

bool DomainShader::load(Machine&, const uint32_t* which, unsigned count, Wave* wave, Fault* fault) const {
    alignas(64) uint32_t patch[kGeometryLanes] = {}, id[kGeometryLanes] = {}, u[kGeometryLanes] = {},
                         v[kGeometryLanes] = {};
    for (unsigned i = 0; i < count; ++i) {
        const DomainPoint& p = points[which[i]];
        patch[i] = p.patch;
        id[i] = p.primitive_id;
        u[i] = std::bit_cast<uint32_t>(p.u);
        v[i] = std::bit_cast<uint32_t>(p.v);
    }
    return place_words(patch_reg_, patch, count, wave, "the domain shader's patch", fault) &&
           place_words(id_reg_, id, count, wave, "the domain shader's primitive id", fault) &&
           place_words(u_reg_, u, count, wave, "the coordinate u of a patch", fault) &&
           place_words(v_reg_, v, count, wave, "the coordinate v of a patch", fault);
}

bool make_vertices(Machine& machine, WaveRunner& runner, VertexMaker& maker, size_t count,
                   const StageOutputs& outputs, Wave& wave, VertexOutputs* out, Fault* fault) {
    const uint32_t stride = outputs.stride();
    out->words = stride;
    out->values.assign(count * stride, 0);
    uint32_t which[kGeometryLanes];
    for (size_t at = 0; at < count; at += kGeometryLanes) {
        const unsigned n = unsigned(std::min<size_t>(kGeometryLanes, count - at));
        std::iota(which, which + n, uint32_t(at));
        wave.lanes = LaneMask::first(n);
        wave.helpers = wave.killed = {};
        wave.forget_registers();
        if (!maker.load(machine, which, n, &wave, fault) ||
            !maker.program().run(runner, wave, false, fault) ||
            !outputs.read(wave, n, out->values.data() + at * stride, fault))
            return false;
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
