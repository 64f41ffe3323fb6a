// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a warp remembers of its instructions: registers that are dead, messages in flight.
#include "drivers/mali/sim/core/warp.h"

#include <bit>
#include <utility>

namespace terrazzo::mali::sim {

using isa::Message;

namespace {

constexpr uint8_t kGeneralSlots = 7, kDepthSlot = 1 << 6, kTileSlots = 3 << 6;

std::string slot_of(unsigned slots) {
    return "slot " + std::to_string(std::countr_zero(slots));
}

}  // namespace

void Warp::forget() {
    // Registers that were not written are still zero.
    for (uint64_t left = std::exchange(defined, 0); left; left &= left - 1)
        r[unsigned(std::countr_zero(left))] = U32{};
    // All threads may have ended while messages were in flight.
    wait(~0u);
    last_uses.clear();
    earlier_slots = 0;
}

void Warp::follow(const Warp& o) {
    static_cast<WarpHistory&>(*this) = o;
    flow.pc = o.flow.pc;
    flow.turns = o.flow.turns;
}

uint64_t Warp::held_by_messages(uint64_t registers, uint32_t threads) const {
    if (!(registers & all_reading)) return 0;
    uint64_t held = 0;
    for (const ThreadRegisters& slot : reading)
        held |= slot.find({{registers}}, threads).word[0];
    return held;
}

// The slots for which a warp must wait before a message. Such a wait also waits for earlier fragments at the
// same pixels (Mesa 25.0.7, va_insert_flow.c). A barrier comes after all messages, and before all accesses to
// memory. Slot 6 is waited for before depth, stencil or coverage change; slots 6 and 7 before the tile buffer
// is accessed. A message that writes depth and stencil must be the only one in flight. The quad's memory for
// varyings must not be written while messages read it.
unsigned Warp::must_wait(const isa::Instr& i, Message kind) const {
    switch (kind) {
        case Message::kAlphaTest:
        case Message::kDepthStencil:
            return (under_way & kGeneralSlots) | (earlier_slots & kDepthSlot);
        case Message::kBlend:
        case Message::kTile:
            return earlier_slots & kTileSlots;
        case Message::kVarying:
            return i.info().has(isa::Mod::kUpdate) &&
                           (i.update() == isa::UpdateMode::kStore || i.update() == isa::UpdateMode::kClobber)
                       ? interpolating
                       : 0;
        case Message::kBarrier:
            return (under_way & kGeneralSlots) | barriers;
        case Message::kAttribute:
        case Message::kTexture:
        case Message::kLoad:
        case Message::kStore:
        case Message::kAtomic:
            return barriers;
        case Message::kNone:
        case Message::kVaryingTexture:
            break;
    }
    return 0;
}

std::string Warp::out_of_order(const isa::Instr& i) const {
    const Message kind = i.info().message;
    const unsigned slots = must_wait(i, kind);
    if (!slots) return {};
    if (kind == Message::kBarrier)
        return "a barrier begins while a message is under way: " + slot_of(slots) + " was not waited for";
    if (kind == Message::kVarying)
        return "the place of varyings is written while " + slot_of(slots) + " may still read it";
    if (kind == Message::kBlend || kind == Message::kTile)
        return "the tile buffer is used, and " + slot_of(slots) + " was not waited for";
    if (kind != Message::kAlphaTest && kind != Message::kDepthStencil)
        return "memory is accessed after a barrier, and " + slot_of(slots) + " was not waited for";
    if (slots & kGeneralSlots)
        return "depth and coverage change while a message is under way: " + slot_of(slots) +
               " was not waited for";
    return "depth and coverage change, and slot 6 was not waited for";
}

void Warp::sent(Message kind, int number, uint64_t reads, uint64_t writes, uint32_t threads) {
    if (number < 0 || size_t(number) >= writing.size()) return;
    const auto slot = unsigned(number);
    under_way |= uint8_t(1u << slot);
    tested = kind == Message::kAlphaTest;
    if (tested || kind == Message::kDepthStencil) earlier_slots |= kDepthSlot;  // it changes coverage itself
    if (kind == Message::kVarying) interpolating |= uint8_t(1u << slot);
    if (kind == Message::kBarrier) barriers |= uint8_t(1u << slot);
    writing[slot] |= writes;
    all_writing |= writes;
    if (reads) reading[slot].add({{reads}}, threads);
    all_reading |= reads;
}

void Warp::wait(unsigned slots) {
    const auto others = uint8_t(~slots);
    earlier_slots &= others;
    if (!in_memory.empty())
        std::erase_if(in_memory, [&](const MemoryMessage& m) { return (slots >> m.slot & 1) != 0; });
    const unsigned ended = under_way & slots;
    if (!ended) return;
    local_reads &= others, local_writes &= others, under_way &= others, interpolating &= others;
    barriers &= others;
    tested &= !(slots & 1);
    each_lane(ended, [&](unsigned slot) {
        writing[slot] = 0;
        reading[slot].clear();
    });
    all_writing = all_reading = 0;
    each_lane(under_way, [&](unsigned slot) {
        all_writing |= writing[slot];
        all_reading |= reading[slot].all().word[0];
    });
}

}  // namespace terrazzo::mali::sim
