// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What work reads and writes, from the registers.
#include <algorithm>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/caches.h"
#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

constexpr unsigned kEngine2dKey = 0xff;  // draws use the targets' numbers
constexpr unsigned kMaxTargets = 8, kMaxLayers = 64;
constexpr uint64_t kMaxRows = 1u << 15;

/// The rows that draws can reach: registers have no other height of an image.
uint64_t drawn_rows(const Registers& r) {
    uint64_t rows = uint64_t(r.get<GRAS_SC_WINDOW_SCISSOR_BR>().value.y) + 1;
    const auto cut = [&](uint16_t reg, uint64_t end) {
        if (r.is_set(reg)) rows = std::min(rows, end);
    };
    cut(GRAS_SC_VIEWPORT_SCISSOR_BR::at(0), uint64_t(r.get<GRAS_SC_VIEWPORT_SCISSOR_BR>(0).value.y) + 1);
    cut(GRAS_SC_SCREEN_SCISSOR_BR::at(0), uint64_t(r.get<GRAS_SC_SCREEN_SCISSOR_BR>(0).value.y) + 1);
    return rows;
}

unsigned drawn_layers(const Registers& r) {
    const bool writes = r.get<GRAS_VS_LAYER_CNTL>().value.writes_layer ||
                        r.get<GRAS_GS_LAYER_CNTL>().value.writes_layer ||
                        r.get<GRAS_DS_LAYER_CNTL>().value.writes_layer;
    return writes ? std::min(r.get<GRAS_MAX_LAYER_INDEX>().value + 1, kMaxLayers) : 1;
}

}  // namespace

// Calls f(CCU, range, key, whether it is written, name) for the memory that draws in sysmem access through
// the CCUs. Tiles are in GMEM, which no cache covers.
template <class F>
void Caches::for_each_target(const Machine& machine, F&& f) const {
    if (machine.mode != RenderMode::Bypass) return;
    const Registers& r = machine.registers;
    const uint64_t rows = drawn_rows(r);
    const unsigned layers = drawn_layers(r);
    const auto target = [&](unsigned ccu, uint64_t base, uint64_t pitch_B, uint64_t layer_B, unsigned key,
                            bool written, const char* name) {
        for (unsigned layer = 0; layer < layers && (layer == 0 || layer_B); ++layer)
            f(ccu,
              Range{base + layer * layer_B, base + layer * layer_B + std::max<uint64_t>(pitch_B * rows, 1)},
              key, written, name);
    };
    const unsigned targets = std::min<unsigned>(r.get<RB_FS_OUTPUT_CNTL1>().mrt, kMaxTargets);
    // A target without components is neither written nor read: its base may be that of another pass.
    const uint32_t components = pack32(r.get<RB_RENDER_COMPONENTS>());
    for (unsigned i = 0; i < targets; ++i)
        if (r.get<RB_MRT_CONTROL>(i).component_enable & components >> (4 * i) & 15)
            target(kColor, r.get<RB_MRT_BASE>(i).value, r.get<RB_MRT_PITCH>(i).value,
                   r.get<RB_MRT_ARRAY_PITCH>(i).value, i, true, "a colour target");
    const auto depth = r.get<RB_DEPTH_CNTL>();
    const auto stencil = r.get<RB_STENCIL_CONTROL>();
    const bool separate = r.get<RB_STENCIL_INFO>().separate_stencil;
    const bool stencil_here = stencil.stencil_enable && !separate;
    if (depth.z_test_enable || stencil_here)
        target(kDepth, r.get<RB_DEPTH_BUFFER_BASE>().value, r.get<RB_DEPTH_BUFFER_PITCH>().value,
               r.get<RB_DEPTH_BUFFER_ARRAY_PITCH>().value, 0,
               (depth.z_test_enable && depth.z_write_enable) || stencil_here, "depth");
    if (stencil.stencil_enable && separate)
        target(kDepth, r.get<RB_STENCIL_BUFFER_BASE>().value, r.get<RB_STENCIL_BUFFER_PITCH>().value,
               r.get<RB_STENCIL_BUFFER_ARRAY_PITCH>().value, 1, true, "stencil");
}

std::string Caches::begin_draw(const Machine& machine) {
    std::string why;
    for_each_target(machine, [&](unsigned ccu, Range range, unsigned key, bool, const char* name) {
        if (why.empty()) why = check_target(ccu, range, key, name);
    });
    return why;
}

void Caches::end_draw(Machine& machine) {
    busy = ++now;
    end_stores(machine);
    for_each_target(machine, [&](unsigned ccu, Range range, unsigned key, bool written, const char*) {
        hold(ccu, range);
        if (written)
            add({.range = range,
                 .by = ccu == kColor ? Writer::Color : Writer::Depth,
                 .key = uint8_t(key),
                 .draw = machine.draws,
                 .at = now});
    });
}

// ---- The 2D engine. Reads of its source through the UCHE are checked when they happen ----

namespace {

using Range = CacheState::Range;

Range target_2d(const Registers& r) {
    const uint64_t base = r.get<RB_2D_DST>().value;
    const uint64_t rows = uint64_t(r.get<GRAS_2D_DST_BR>().value.y) + 1;
    return {base, base + std::max<uint64_t>(r.get<RB_2D_DST_PITCH>().value * rows, 1)};
}

/// All rows of a bin in its image.
Range bin_rows(const Registers& r) {
    const uint64_t base = r.get<RB_BLIT_DST>().value, pitch_B = r.get<RB_BLIT_DST_PITCH>().value;
    const uint64_t y0 = std::min<uint64_t>(r.get<RB_WINDOW_OFFSET2>().value.y, kMaxRows);
    const uint64_t y1 = std::min<uint64_t>(y0 + r.get<RB_BIN_CONTROL2>().binh,
                                           uint64_t(r.get<RB_BLIT_SCISSOR_BR>().value.y) + 1);
    return {base + y0 * pitch_B, base + std::max(y1, y0) * pitch_B};
}

bool moves_to_memory(BlitEventType type) {
    return type == BlitEventType::BLIT_EVENT_STORE || type == BlitEventType::BLIT_EVENT_STORE_AND_CLEAR;
}

}  // namespace

std::string Caches::begin_2d(const Machine& machine) {
    const Range p = target_2d(machine.registers);
    return check_target(kColor, p, kEngine2dKey, "the 2D engine's target");
}

void Caches::end_2d(const Machine& machine) {
    busy = ++now;
    const Range p = target_2d(machine.registers);
    hold(kColor, p);
    add({.range = p, .by = Writer::Engine2d, .key = kEngine2dKey, .draw = machine.draws, .at = now});
}

std::string Caches::begin_blit_event(const Machine& machine) {
    const Registers& r = machine.registers;
    if (r.get<RB_BLIT_INFO>().type != BlitEventType::BLIT_EVENT_LOAD) return "";
    const Range p = bin_rows(r);
    return check_writes(Reader::Resolve, p, kEngine2dKey, "what a BLIT event loads");
}

void Caches::end_blit_event(const Machine& machine) {
    busy = ++now;
    const Registers& r = machine.registers;
    const Range p = bin_rows(r);
    if (!moves_to_memory(r.get<RB_BLIT_INFO>().type) || p.begin == p.end) return;
    add({.range = p, .by = Writer::Resolve, .draw = machine.draws, .at = now});
}

// ---- Stores of shaders ----

void Caches::store(uint64_t va, uint64_t size_B) {
    uint64_t begin = va, end = va + size_B;
    const std::lock_guard lock(stores_mutex_);
    auto next = stores_.upper_bound(begin);
    if (next != stores_.begin() && std::prev(next)->second >= begin) {
        --next;
        // Most stores continue a range that is known.
        if (const auto after = std::next(next); after == stores_.end() || after->first > end) {
            next->second = std::max(next->second, end);
            return;
        }
    }
    while (next != stores_.end() && next->first <= end) {
        begin = std::min(begin, next->first);
        end = std::max(end, next->second);
        next = stores_.erase(next);
    }
    if (stores_.size() < kRememberedStores) stores_.emplace_hint(next, begin, end);
}

// Textures of later work are read anew: both drivers of Mesa invalidate nothing for this.
void Caches::end_stores(Machine& machine) {
    if (stores_.empty()) return;
    ++machine.texture_serial;
    for (const auto& [begin, end] : stores_)
        add({.range = {begin, end}, .by = Writer::Uche, .draw = machine.draws, .at = now});
    stores_.clear();
}

void Caches::end_dispatch(Machine& machine) {
    busy = ++now;
    end_stores(machine);
}

// ---- Writes of the CP and of events ----

std::string Caches::check_event_write(uint64_t va, uint64_t size_B) const {
    for (const Write& w : writes)
        if (w.by == Writer::Processor && !w.flushed && w.range.overlaps(va, size_B))
            return "what the CP wrote there may come later: CP_WAIT_MEM_WRITES is missing";
    return "";
}

void Caches::write_by_event(uint64_t va, uint64_t size_B, Writer by) {
    add({.range = {va, va + size_B}, .by = by, .at = ++now});
}

void Caches::write_by_processor(uint64_t va, uint64_t size_B) {
    add({.range = {va, va + size_B}, .by = Writer::Processor, .at = ++now});
}

void Caches::write_by_uche(uint64_t va, uint64_t size_B, uint32_t draw) {
    add({.range = {va, va + size_B}, .by = Writer::Uche, .draw = draw, .at = ++now});
}

}  // namespace terrazzo::adreno::sim
