// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/sim/cp/caches.h"

#include <algorithm>
#include <cstdio>

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

std::string hex(uint64_t value) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
    return text;
}

/// Textures of a stage that is not enabled do not count, nor do bindless ones.
unsigned textures_of(const SpXsConfig& config) {
    return config.enabled && !config.bindless_tex ? config.ntex : 0;
}

}  // namespace

// ---- What was written ----

void Caches::add(std::vector<Range>* ranges, const Range& range) {
    for (Range& r : *ranges) {
        if (r.begin != range.begin || r.cache != range.cache) continue;
        r.end = std::max(r.end, range.end);
        r.draw = range.draw;
        return;
    }
    if (ranges->size() == kRemembered) ranges->erase(ranges->begin());
    ranges->push_back(range);
}

void Caches::flush(Cache cache) {
    for (const Range& r : dirty_)
        if (r.cache == cache) add(&stale_, r);
    std::erase_if(dirty_, [&](const Range& r) { return r.cache == cache; });
}

void Caches::wrote(uint64_t base, uint64_t pitch_B, uint32_t rows, Cache cache, uint32_t draw) {
    add(&dirty_, {base, base + std::max<uint64_t>(pitch_B * rows, 1), cache, draw});
}

void Caches::drew(const Machine& machine) {
    // Tiles are in GMEM, which no cache is before.
    if (machine.mode != RenderMode::Bypass) return;
    const Registers& r = machine.registers;
    const uint32_t rows = r.get<GRAS_SC_WINDOW_SCISSOR_BR>().value.y + 1;
    const unsigned targets = std::min<unsigned>(r.get<RB_FS_OUTPUT_CNTL1>().mrt, 8);
    for (unsigned i = 0; i < targets; ++i)
        if (r.get<RB_MRT_CONTROL>(i).component_enable)
            wrote(r.get<RB_MRT_BASE>(i).value, r.get<RB_MRT_PITCH>(i).value, rows, Cache::Color,
                  machine.draws);
    const auto depth = r.get<RB_DEPTH_CNTL>();
    const auto stencil = r.get<RB_STENCIL_CONTROL>();
    const bool separate = r.get<RB_STENCIL_INFO>().separate_stencil;
    if ((depth.z_test_enable && depth.z_write_enable) || (stencil.stencil_enable && !separate))
        wrote(r.get<RB_DEPTH_BUFFER_BASE>().value, r.get<RB_DEPTH_BUFFER_PITCH>().value, rows, Cache::Depth,
              machine.draws);
    if (stencil.stencil_enable && separate)
        wrote(r.get<RB_STENCIL_BUFFER_BASE>().value, r.get<RB_STENCIL_BUFFER_PITCH>().value, rows,
              Cache::Depth, machine.draws);
}

void Caches::blitted_2d(const Machine& machine) {
    const Registers& r = machine.registers;
    wrote(r.get<RB_2D_DST>().value, r.get<RB_2D_DST_PITCH>().value, r.get<GRAS_2D_DST_BR>().value.y + 1,
          Cache::Color, machine.draws);
}

void Caches::resolved(const Machine& machine) {
    const Registers& r = machine.registers;
    const BlitEventType type = r.get<RB_BLIT_INFO>().type;
    if (type != BlitEventType::BLIT_EVENT_STORE && type != BlitEventType::BLIT_EVENT_STORE_AND_CLEAR) return;
    // Past the CCUs. One row will do: only where images begin is asked.
    const uint64_t base = r.get<RB_BLIT_DST>().value;
    add(&stale_,
        {base, base + std::max<uint64_t>(r.get<RB_BLIT_DST_PITCH>().value, 1), Cache::Color, machine.draws});
}

std::string Caches::first_dirty() const {
    const Range& r = dirty_.front();
    return "what draw " + std::to_string(r.draw) + " wrote at " + hex(r.begin);
}

// ---- What is read ----

bool Caches::may_read(uint64_t va, const std::string& what, Fault* fault) const {
    for (const Range& r : dirty_)
        if (va >= r.begin && va < r.end)
            return fail(fault, FaultKind::Hardware,
                        what + " at " + hex(va) + " is read while a CCU holds what draw " +
                            std::to_string(r.draw) + " wrote: " +
                            (r.cache == Cache::Color ? "PC_CCU_FLUSH_COLOR_TS" : "PC_CCU_FLUSH_DEPTH_TS") +
                            " is missing");
    for (const Range& r : stale_)
        if (va >= r.begin && va < r.end)
            return fail(fault, FaultKind::Hardware,
                        what + " at " + hex(va) + " is read without a CACHE_INVALIDATE after draw " +
                            std::to_string(r.draw) + " wrote it");
    return true;
}

bool Caches::check_textures(const Machine& machine, Stage stage, unsigned count, Fault* fault) const {
    const std::vector<uint32_t>& words = machine.stages[unsigned(stage)].textures;
    count = std::min(count, unsigned(words.size() / TexConst::kSize_dw));
    for (unsigned i = 0; i < count; ++i) {
        TexConst texture;
        unpack(&words[size_t(i) * TexConst::kSize_dw], &texture);
        if (!may_read(texture.base,
                      "texture " + std::to_string(i) + " of stage " + std::to_string(unsigned(stage)), fault))
            return false;
    }
    return true;
}

bool Caches::check_draw(const Machine& machine, Fault* fault) const {
    if (dirty_.empty() && stale_.empty()) return true;
    const Registers& r = machine.registers;
    if (!check_textures(machine, Stage::Vertex, textures_of(r.get<SP_VS_CONFIG>().value), fault))
        return false;
    if (!check_textures(machine, Stage::Hull, textures_of(r.get<SP_HS_CONFIG>().value), fault)) return false;
    if (!check_textures(machine, Stage::Domain, textures_of(r.get<SP_DS_CONFIG>().value), fault))
        return false;
    if (!check_textures(machine, Stage::Geometry, textures_of(r.get<SP_GS_CONFIG>().value), fault))
        return false;
    // A binning pass shades no fragment.
    return machine.mode == RenderMode::Binning ||
           check_textures(machine, Stage::Fragment, textures_of(r.get<SP_FS_CONFIG>().value), fault);
}

bool Caches::check_dispatch(const Machine& machine, Fault* fault) const {
    return check_textures(machine, Stage::Compute, textures_of(machine.registers.get<SP_CS_CONFIG>().value),
                          fault);
}

bool Caches::check_2d(const Machine& machine, Fault* fault) const {
    const Registers& r = machine.registers;
    return r.get<GRAS_2D_BLIT_CNTL>().value.solid_color ||
           may_read(r.get<SP_PS_2D_SRC>().value, "the 2D engine's source", fault);
}

}  // namespace terrazzo::adreno::sim
