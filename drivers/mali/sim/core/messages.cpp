// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Messages of a warp: the unit that receives each of them, and accesses to memory.
#include <algorithm>

#include "drivers/mali/sim/core/execution.h"

namespace terrazzo::mali::sim {

bool Execution::serve(const Step& s, Warp& warp, const MessageIn& m, const U32* old, U32* out) {
    Units& units = *core_.units_;
    std::string why;
    bool good = true;
    switch (s.message) {
        case Message::kNone:
            break;
        case Message::kVarying:
            good = units.varying(warp, m, out, &why);
            break;
        case Message::kAttribute:
            good = units.attribute(warp, m, out, &why);
            break;
        case Message::kTexture:
        case Message::kVaryingTexture:
            good = units.texture(warp, m, out, &why);
            break;
        case Message::kLoad:
            if (s.instr.op < isa::Op::kLdBufferI8 || s.instr.op > isa::Op::kLdBufferI128)
                return access(s, warp, m, old, out);
            good = units.load_buffer(warp, m, out, &why);
            if (good) place_loaded(s.instr, m.out_count, old, out);
            break;
        case Message::kStore:
            if (s.instr.op != isa::Op::kStCvt) return access(s, warp, m, old, out);
            good = store_converted(s, warp, m, &why);
            if (!good && why.empty()) return false;  // it has failed
            break;
        case Message::kAtomic:
            return access(s, warp, m, old, out);
        case Message::kBarrier:
            good = units.barrier(warp, &why);
            stops_ = true;
            break;
        case Message::kBlend:
            blend_path_ = BlendPath::FixedFunction;
            good = units.blend(warp, m, &blend_path_, &why);
            break;
        case Message::kTile:
            good = units.tile(warp, m, out, &why);
            break;
        case Message::kAlphaTest:
            good = units.alpha_test(warp, m, out, &why);
            break;
        case Message::kDepthStencil:
            good = units.depth_stencil(warp, m, out, &why);
            break;
    }
    return good || fail_lane(m.active ? unsigned(std::countr_zero(m.active)) : 0, why);
}

bool Execution::store_converted(const Step& s, Warp& warp, MessageIn m, std::string* why) {
    m.active &= ~warp.helpers;
    if (core_.loads) {  // the size of texels is not known here
        uint64_t va[kWarpLanes] = {};
        uint32_t threads = 0;
        const auto offset = uint64_t(int64_t(m.instr.immediate(isa::Imm::kOffset)));
        each_lane(m.active, [&](unsigned l) {
            const uint64_t at = uint64_t(m.high(0)[l]) << 32 | m.low(0)[l];
            va[l] = at + offset;
            if (at) threads |= 1u << l;
        });
        if (!check_memory(s, warp, threads, va, 1)) return false;
    }
    return core_.units_->store_converted(warp, m, why);
}

// LOAD, STORE and ATOM.
bool Execution::access(const Step& s, Warp& warp, const MessageIn& m, const U32* old, U32* out) {
    AccessFault refused;
    Addresses at;
    uint32_t lane = 0;
    const bool loads = s.message == Message::kLoad, stores = s.message == Message::kStore;
    if ((loads || stores) && !check_local(warp, m, stores, &at)) return false;
    // Helpers only write to their own memory.
    MessageIn writers = m;
    writers.active &= ~warp.helpers | at.local;
    if (core_.loads) {
        if (!loads && !stores) each_lane(m.active, [&](unsigned l) { at.va[l] = atomic_address(m, l); });
        const unsigned size_B = loads || stores ? access_B(s.instr.op) : atomic_B(s.instr.op);
        const uint32_t threads = (loads ? m : writers).active & ~at.local;
        if (!check_memory(s, warp, threads, at.va, size_B)) return false;
    }
    if (!(loads    ? run_load(at, m, out, &refused, &lane)
          : stores ? run_store(warp, at, writers, &refused, &lane)
                   : run_atomic(writers, out, &refused, &lane)))
        return fail_access(refused, lane);
    if (loads) place_loaded(s.instr, m.out_count, old, out);
    return true;
}

// A thread may access what its own messages store to (or store to what they access) after a wait for them;
// and what other jobs store, as LoadOrder says.
bool Execution::check_memory(const Step& s, Warp& warp, uint32_t threads, const uint64_t* va,
                             unsigned size_B) {
    const bool writes = s.message != Message::kLoad;
    for (const MemoryMessage& before : warp.in_memory)
        for (uint32_t left = writes || before.writes ? threads & before.threads : 0; left; left &= left - 1) {
            const auto l = unsigned(std::countr_zero(left));
            if (va[l] < before.va[l] + before.size_B && before.va[l] < va[l] + size_B)
                return fail_lane(l, "memory is accessed before the message of slot ", before.slot,
                                 " that accesses it was waited for");
        }
    if (s.slot >= 0 && threads && !is_bundle()) {
        MemoryMessage& now = warp.in_memory.emplace_back();
        std::copy_n(va, kWarpLanes, now.va);
        now.threads = threads;
        now.size_B = uint8_t(size_B);
        now.slot = uint8_t(s.slot);
        now.writes = writes;
    }
    // Plain stores are told when they are executed.
    for (uint32_t left = s.message == Message::kStore ? 0 : threads; left; left &= left - 1) {
        const auto l = unsigned(std::countr_zero(left));
        if (const char* why = core_.loads->loaded(va[l], size_B)) return fail_lane(l, why);
        if (writes && warp.tells_stores) core_.memory_.space().stored(va[l], size_B);
    }
    return true;
}

// Thread-local memory: a load only follows an earlier store if that was waited for.
bool Execution::check_local(const Warp& warp, const MessageIn& m, bool stores, Addresses* at) {
    uint32_t lane = 0;
    if (const char* mistake = find_addresses(warp, m, at, &lane)) return fail_lane(lane, mistake);
    if (!at->local) return true;
    if (warp_.local_writes || (stores && warp_.local_reads))
        return fail("the thread's own memory is used before the message that stores there was waited for");
    const int slot = program_->steps[at_].slot;
    (stores ? warp_.local_writes : warp_.local_reads) |= uint8_t(slot >= 0 && slot < 8 ? 1u << slot : 0);
    return true;
}

}  // namespace terrazzo::mali::sim
