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

uint64_t LastUses::dead_in_parts(uint64_t some, uint32_t threads) const {
    uint64_t out = some & ~partial_;
    for (uint64_t left = some & partial_; left; left &= left - 1)
        if (in_[unsigned(std::countr_zero(left))] & threads) out |= left & (0 - left);
    return out;
}

void LastUses::step_in_parts(uint64_t dies, uint64_t written, uint32_t active, uint32_t live) {
    for (uint64_t left = dies; left; left &= left - 1) {
        const auto r = unsigned(std::countr_zero(left));
        const uint64_t bit = 1ull << r;
        if (!(dead_ & bit)) in_[r] = 0, partial_ |= bit;
        in_[r] |= active;
    }
    dead_ |= dies;
    for (uint64_t left = written & dead_; left; left &= left - 1) {
        const auto r = unsigned(std::countr_zero(left));
        const uint64_t bit = 1ull << r;
        in_[r] = (partial_ & bit ? in_[r] : live) & ~active;
        partial_ |= bit;
        if (!in_[r]) dead_ &= ~bit, partial_ &= ~bit;
    }
}

void Warp::forget() {
    // Registers that were not written are still zero.
    for (uint64_t left = std::exchange(defined, 0); left; left &= left - 1)
        r[unsigned(std::countr_zero(left))] = U32{};
    // All threads may have ended while messages were in flight.
    wait(~0u);
    last_uses = {};
    earlier_slots = 0;
}

uint64_t Warp::held_by_messages(uint64_t registers, uint32_t threads) const {
    if (!(registers & all_reading)) return 0;
    uint64_t held = 0;
    for (const auto& slot : reading)
        each_lane(threads, [&](unsigned i) { held |= slot[i] & registers; });
    return held;
}

// The waits count for earlier fragments at the same pixels, too (Mesa 25.0.7, va_insert_flow.c): slot 6
// before depth, stencil and coverage change; 6 and 7 before the tile buffer is accessed. Depth and stencil
// must be the only message in flight. The quad's memory for varyings must not be written while it is read.
std::string Warp::out_of_order(const isa::Instr& i) const {
    switch (i.info().message) {
        case Message::kAlphaTest:
        case Message::kDepthStencil:
            if (const unsigned busy = under_way & kGeneralSlots)
                return "depth and coverage change while a message is under way: " + slot_of(busy) +
                       " was not waited for";
            return earlier_slots & kDepthSlot ? "depth and coverage change, and slot 6 was not waited for"
                                              : "";
        case Message::kBlend:
        case Message::kTile:
            if (const unsigned busy = earlier_slots & kTileSlots)
                return "the tile buffer is used, and " + slot_of(busy) + " was not waited for";
            break;
        case Message::kVarying:
            if (interpolating && i.info().has(isa::Mod::kUpdate) &&
                (i.update() == isa::UpdateMode::kStore || i.update() == isa::UpdateMode::kClobber))
                return "the place of varyings is written while " + slot_of(interpolating) +
                       " may still read it";
            break;
        case Message::kNone:
        case Message::kAttribute:
        case Message::kTexture:
        case Message::kVaryingTexture:
        case Message::kLoad:
        case Message::kStore:
        case Message::kAtomic:
        case Message::kBarrier:
            break;
    }
    return {};
}

void Warp::sent(const isa::Instr& message, uint64_t reads, uint64_t writes, uint32_t threads) {
    const int number = message.wait_slot();
    if (number < 0 || size_t(number) >= writing.size()) return;
    const auto slot = unsigned(number);
    const Message kind = message.info().message;
    under_way |= uint8_t(1u << slot);
    tested = kind == Message::kAlphaTest;
    if (tested || kind == Message::kDepthStencil) earlier_slots |= kDepthSlot;  // it changes coverage itself
    if (kind == Message::kVarying) interpolating |= uint8_t(1u << slot);
    writing[slot] |= writes;
    all_writing |= writes;
    if (reads) each_lane(threads, [&](unsigned i) { reading[slot][i] |= reads; });
    any_reading[slot] |= reads;
    all_reading |= reads;
}

void Warp::wait(unsigned slots) {
    each_lane(under_way & slots, [&](unsigned slot) {
        writing[slot] = 0;
        if (any_reading[slot]) reading[slot].fill(0);
        any_reading[slot] = 0;
    });
    for (uint8_t* of : {&local_reads, &local_writes, &under_way, &interpolating, &earlier_slots})
        *of &= uint8_t(~slots);
    tested &= !(slots & 1);
    all_writing = all_reading = 0;
    each_lane(under_way, [&](unsigned slot) {
        all_writing |= writing[slot];
        all_reading |= any_reading[slot];
    });
}

}  // namespace terrazzo::mali::sim
