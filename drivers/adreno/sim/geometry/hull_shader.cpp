// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/geometry/hull_shader.h"

#include <algorithm>
#include <string>

#include "drivers/adreno/sim/read.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr unsigned kMostPatches = 64;                          // 6 bits of the header
constexpr uint32_t kInputUnit_B = 16, kWaveInputUnit_B = 256;  // PC_HS_INPUT_SIZE, SP_HS_WAVE_INPUT_SIZE
constexpr uint32_t kVertexAt = 6, kInvocationAt = 11, kPatchAt = 16;

}  // namespace

bool HullShader::init(Machine& machine, unsigned vertices, Fault* fault) {
    if (!program_.init(machine, Stage::Hull, false, fault)) return false;
    RegisterReader in(machine.registers, fault);
    invocations_ = in.get<hw::PC_TESS_NUM_VERTEX>().value;
    const uint32_t patch_B = in.get<hw::PC_HS_INPUT_SIZE>().size * kInputUnit_B;
    const uint32_t wave_B = in.get<hw::SP_HS_WAVE_INPUT_SIZE>().value * kWaveInputUnit_B;
    const bool enabled = in.get<hw::SP_HS_CONFIG>().value.enabled;
    const auto ids = in.get<hw::VFD_CONTROL_1>();
    const auto hull_ids = in.get<hw::VFD_CONTROL_2>();
    if (!in) return false;
    if (!enabled) return fail(fault, "SP_HS_CONFIG: no hull shader");
    vertices_ = vertices;
    if (invocations_ == 0 || invocations_ > 32)
        return fail(fault, "PC_TESS_NUM_VERTEX is ", invocations_, ", not 1 to 32");
    shared_ = machine.chip.generation.tess_use_shared;
    lanes_ = shared_ ? invocations_ : std::max(vertices_, invocations_);
    if (patch_B > wave_B)
        return fail(fault, "SP_HS_WAVE_INPUT_SIZE has ", wave_B, " bytes, and a patch ", patch_B,
                    " by PC_HS_INPUT_SIZE");
    patches_ = std::min(kMostPatches, kGeometryLanes / lanes_);
    if (patch_B) patches_ = std::min(patches_, wave_B / patch_B);
    local_.assign(wave_B, 0);
    registers_ = {uint8_t(hull_ids.regid_invocationid), uint8_t(hull_ids.regid_hsrelpatchid),
                  uint8_t(ids.regid4primid)};
    return true;
}

// Lane `l` of the wave whose first lane is vertex `first_vertex`, counted over the patches that run together.
bool HullShader::place_ids(const HullPatch* patches, unsigned count, unsigned first_vertex, Wave* wave,
                           Fault* fault) const {
    alignas(64) uint32_t header[kGeometryLanes] = {}, patch[kGeometryLanes] = {}, id[kGeometryLanes] = {};
    for (unsigned l = 0; l < kGeometryLanes; ++l) {
        const unsigned p = l / lanes_, k = l % lanes_;
        if (p < count) {
            patch[l] = patches[p].relative;
            id[l] = patches[p].primitive_id;
            header[l] = k << kInvocationAt;
        }
        if (shared_) {
            const unsigned v = first_vertex + l;
            if (p < count) header[l] |= p << kPatchAt;
            if (v / vertices_ < count) header[l] |= v / vertices_ | v % vertices_ << kVertexAt;
        } else if (p < count) {
            header[l] |= p | k << kVertexAt;
        }
    }
    return place_words(registers_.header, header, kGeometryLanes, wave, "the hull shader's header", fault) &&
           place_words(registers_.patch, patch, kGeometryLanes, wave, "the hull shader's patch", fault) &&
           place_words(registers_.primitive, id, kGeometryLanes, wave, "the hull shader's primitive id",
                       fault);
}

bool HullShader::run_group(Machine& machine, WaveRunner& runner, VertexShader& maker,
                           const HullPatch* patches, unsigned count, const std::vector<uint32_t>& corners,
                           Wave& wave, Fault* fault) {
    const unsigned total = count * vertices_;
    const unsigned waves = shared_ ? (total + kGeometryLanes - 1) / kGeometryLanes : 1;
    wave.shared = local_;
    // The first wave, with the hull shader's invocations, runs last: then the vertices of the others are
    // complete, as after its barrier.
    for (unsigned w = waves; w-- > 0;) {
        uint32_t which[kGeometryLanes];
        std::fill_n(which, kGeometryLanes, corners[patches[0].first_corner]);
        wave.lanes = {};
        for (unsigned l = 0; l < kGeometryLanes; ++l) {
            const unsigned v = w * kGeometryLanes + l;
            const unsigned p = shared_ ? v / vertices_ : l / lanes_, k = shared_ ? v % vertices_ : l % lanes_;
            if (p >= count || k >= vertices_) continue;
            which[l] = corners[patches[p].first_corner + k];
            wave.lanes.set(l);
        }
        wave.helpers = wave.killed = {};
        wave.forget_registers();
        vertices_run_ += wave.lanes.count();
        if (!maker.load(machine.uche, which, kGeometryLanes, &wave, fault) ||
            !place_ids(patches, count, w * kGeometryLanes, &wave, fault) ||
            !maker.program().run(runner, wave, false, fault))
            return false;
    }
    wave.lanes = LaneMask::first(count * lanes_);
    return program_.run(runner, wave, true, fault);
}

bool HullShader::run(Machine& machine, WaveRunner& runner, VertexShader& maker,
                     const std::vector<HullPatch>& patches, const std::vector<uint32_t>& corners, Wave& wave,
                     Fault* fault) {
    for (size_t at = 0; at < patches.size(); at += patches_) {
        const unsigned n = unsigned(std::min<size_t>(patches_, patches.size() - at));
        if (!run_group(machine, runner, maker, &patches[at], n, corners, wave, fault)) return false;
    }
    wave.shared = {};
    return true;
}

}  // namespace terrazzo::adreno::sim
