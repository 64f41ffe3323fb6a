// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/vertex_stage.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

bool VertexShader::init(Machine& machine, bool chains, bool rectangles, Fault* fault) {
    return program_.init(machine, Stage::Vertex, chains, fault) && fetch_.init(machine, rectangles, fault);
}

bool VertexShader::load(window::Window& memory, const uint32_t* which, unsigned count, Wave* wave,
                        Fault* fault) const {
    VertexInvocation lanes[kGeometryLanes];
    for (unsigned i = 0; i < count; ++i)
        lanes[i] = vertices[which[i]];
    return fetch_.load(memory, lanes, count, wave, fault);
}

bool DomainShader::init(Machine& machine, bool chains, Fault* fault) {
    if (!program_.init(machine, Stage::Domain, chains, fault)) return false;
    RegisterReader in(machine.registers, fault);
    const auto ids = in.get<hw::VFD_CONTROL_3>();
    patch_reg_ = uint8_t(ids.regid_dsrelpatchid);
    id_reg_ = uint8_t(ids.regid_dsprimid);
    u_reg_ = uint8_t(ids.regid_tessx);
    v_reg_ = uint8_t(ids.regid_tessy);
    return bool(in);
}

bool DomainShader::load(window::Window&, const uint32_t* which, unsigned count, Wave* wave,
                        Fault* fault) const {
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

namespace {

// Runs waves on one thread.
struct WaveThread {
    WaveRunner& runner;
    Wave& wave;
    StageProgram& program;
    window::Window& memory;

    bool run(const VertexMaker& maker, size_t first, size_t count, const StageOutputs& outputs,
             units::WindowSetup* setup, VertexOutputs* out, Fault* fault) const {
        uint32_t which[kGeometryLanes];
        const unsigned n = unsigned(std::min<size_t>(kGeometryLanes, count - first));
        std::iota(which, which + n, uint32_t(first));
        wave.lanes = LaneMask::first(n);
        wave.helpers = wave.killed = {};
        wave.forget_registers();
        uint32_t* const values = out->values.data() + first * out->words;
        std::fill_n(values, size_t(n) * out->words, 0);
        if (!maker.load(memory, which, n, &wave, fault) || !program.run(runner, wave, false, fault) ||
            !outputs.read(wave, n, values, fault))
            return false;
        if (setup) setup->set_up_vertices(*out, first, n);
        return true;
    }
};

// The state of a helper thread. Its copy of the program includes what the preamble of the draw's first wave
// computed.
struct WaveHelper {
    WaveHelper(Machine& machine, WaveRunner& r, const StageProgram& p)
        : runner(r), program(p), memory(machine.uche_space()) {}
    WaveRunner& runner;
    StageProgram program;
    window::Window memory;
};

}  // namespace

void fail_without_memory(Fault* fault) {
    fail(fault, "the host has no memory for this draw");
}

bool make_vertices(Machine& machine, WaveRunner& runner, VertexMaker& maker, size_t count,
                   const StageOutputs& outputs, units::WindowSetup* setup, Wave& wave, VertexOutputs* out,
                   Fault* fault) {
    out->words = outputs.stride();
    out->values.resize(count * out->words);
    const WaveThread own{runner, wave, maker.program(), machine.uche};
    size_t done = 0;
    if (count && !maker.program().has_run()) {
        if (!own.run(maker, 0, count, outputs, setup, out, fault)) return false;
        done = kGeometryLanes;
    }
    if (count <= done) return true;
    const size_t left = (count - done + kGeometryLanes - 1) / kGeometryLanes;
    unsigned threads =
        maker.program().has_private_memory() ? 1 : units::vertex_threads(left, machine.threads);
    std::vector<WaveHelper> helpers;
    for (unsigned n = 1; n < threads; ++n) {
        WaveRunner* const helper = runner.helper(n);
        if (!helper) threads = n;
        if (helper) helpers.emplace_back(machine, *helper, maker.program());
    }
    const auto run = [&](unsigned worker, unsigned n, Fault* mine) {
        const size_t first = done + size_t(n) * kGeometryLanes;
        if (!worker) return own.run(maker, first, count, outputs, setup, out, mine);
        WaveHelper& h = helpers[worker - 1];
        const WaveThread thread{h.runner, h.runner.wave(), h.program, h.memory};
        return thread.run(maker, first, count, outputs, setup, out, mine);
    };
    return run_parts(machine, unsigned(left), threads, fault, run);
}

}  // namespace terrazzo::adreno::sim
