// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads visibility streams. Draws and primitives that are not in the streams are visible.
#include <memory>
#include <string>

#include "drivers/adreno/sim/geometry/visibility.h"

namespace terrazzo::adreno::sim {

namespace {

constexpr uint32_t kMaxStream_B = 64u << 20;

}  // namespace

bool TileVisibility::load(Machine& machine, unsigned tiles, Fault* fault) {
    const VisibilityUse& use = machine.visibility;
    uint32_t size_B = 0;
    draws_.clear();
    if (!machine.memory.read(use.size_va, &size_B, 4))
        return fail(fault, FaultKind::Memory, "the size of the draw stream: ", machine.memory.fault());
    if (size_B > kMaxStream_B) return true;
    std::vector<uint32_t> words(size_B / 4);
    if (!words.empty() && !machine.memory.read(use.draw_stream_va, words.data(), words.size() * 4))
        return fail(fault, FaultKind::Memory, "the draw stream: ", machine.memory.fault());
    BitReader reader(words);
    uint64_t next_word = 0;
    while (!reader.at_end()) {
        const uint32_t field = reader.field(tiles);
        if (!reader.bits(1)) break;  // the rest of the last word
        Draw draw{(field >> use.slot & 1) != 0, next_word, field ? reader.number() : 0};
        next_word += draw.words;
        draws_.push_back(draw);
    }
    return true;
}

bool TileVisibility::load_runs(Machine& machine, unsigned tiles, const Draw& draw, Fault* fault) {
    if (uint64_t(draw.words) * 4 > kMaxStream_B) return true;
    std::vector<uint32_t> words(draw.words);
    const uint64_t va = machine.visibility.prim_stream_va + draw.first_word * 4;
    if (!machine.memory.read(va, words.data(), words.size() * 4))
        return fail(fault, FaultKind::Memory, "the primitive stream: ", machine.memory.fault());
    BitReader reader(words);
    uint64_t end = 0;
    while (!reader.at_end()) {
        const uint32_t field = reader.field(tiles), count = reader.number();
        if (!count) break;
        end += count;
        runs_.push_back({end, (field >> machine.visibility.slot & 1) != 0});
    }
    return true;
}

bool TileVisibility::begin_draw(Machine& machine, const BinningPass& pass, const DrawCall& call, bool* drawn,
                                Fault* fault) {
    const VisibilityUse& use = machine.visibility;
    *drawn = true;
    runs_.clear();
    run_ = 0;
    if (!use.enabled || machine.mode != RenderMode::Gmem ||
        call.initiator.vis_cull != hw::VisCull::USE_VISIBILITY)
        return true;
    const unsigned tiles = pass.tiles_of(use.draw_stream_va);
    if (!tiles || use.slot >= tiles) return true;
    const bool same = loaded_from_ == use.draw_stream_va && loaded_slot_ == use.slot &&
                      loaded_pass_ == pass.passes() && call.visibility_index > last_index_;
    if (!same && !load(machine, tiles, fault)) return false;
    loaded_from_ = use.draw_stream_va;
    loaded_slot_ = use.slot;
    loaded_pass_ = pass.passes();
    last_index_ = call.visibility_index;
    if (call.visibility_index >= draws_.size()) return true;
    const Draw& draw = draws_[call.visibility_index];
    *drawn = draw.needed;
    return !draw.needed || load_runs(machine, tiles, draw, fault);
}

bool TileVisibility::needs(uint64_t number) {
    while (run_ < runs_.size() && number >= runs_[run_].end)
        ++run_;
    return run_ == runs_.size() || runs_[run_].needed;
}

Visibility& visibility_of(Machine& machine) {
    if (!machine.vsc) machine.vsc = std::make_shared<Visibility>();
    return *machine.vsc;
}

}  // namespace terrazzo::adreno::sim
