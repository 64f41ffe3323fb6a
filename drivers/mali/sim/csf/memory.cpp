// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A command stream's memory operations: loads and stores of registers, sync objects, counters, cache flushes.
// Instructions with a mask of slots wait for them asynchronously: the stream continues.
#include <atomic>

#include "drivers/mali/sim/csf/decode.h"

namespace terrazzo::mali::sim {

using hw::CsOpcode;
using hw::ExceptionCode;

FrontEnd::Step FrontEnd::load_store(unsigned base, unsigned mask, uint64_t address, int offset_B,
                                    bool store) {
    if (!slots_are_set()) return Step::Fault;
    const uint64_t from = address + uint64_t(int64_t(offset_B));
    if (from % 4)
        return fail(ExceptionCode::CS_INSTR_INVALID, "address of a load or store is not a multiple of 4");
    for (unsigned i = 0; i < 16; ++i) {
        if (!(mask >> i & 1)) continue;
        const unsigned reg = base + i;
        if (store ? !may_read(reg, 1) : !may_write(reg, 1)) return Step::Fault;
        uint32_t value = registers_.r[reg];
        if (store ? !machine_.memory.write(from + 4 * i, &value, 4)
                  : !machine_.memory.read(from + 4 * i, &value, 4))
            return fail_access();
        registers_.r[reg] = value;
    }
    for (unsigned i = 0; i < 16; ++i)
        if (mask >> i & 1) (store ? storing_ : loading_)[base + i] = uint8_t(other_slot_ + 1);
    begin(other_slot_, Kind::Memory);
    return Step::Next;
}

FrontEnd::Step FrontEnd::store_state(uint64_t word) {
    hw::CsStoreState i;
    uint64_t address;
    if (!take(word, &i) || !read64(i.address, &address)) return Step::Fault;
    uint64_t value = 0;
    switch (i.state) {
        case hw::CsState::Timestamp:
            value = machine_.host.timestamp();
            break;
        case hw::CsState::CycleCount:
            value = cycles_;
            break;
        case hw::CsState::DisjointCount:
        case hw::CsState::ErrorStatus:
            break;
    }
    if (!machine_.memory.write(address + uint64_t(int64_t(i.offset)), &value, 8)) return fail_access();
    begin(i.signal_slot, Kind::Memory, i.wait_mask);
    return Step::Next;
}

FrontEnd::Step FrontEnd::memory(CsOpcode op, uint64_t word) {
    uint64_t address;
    switch (op) {
        case CsOpcode::LOAD_MULTIPLE: {
            hw::CsLoadMultiple i;
            if (!take(word, &i) || !read64(i.address, &address)) return Step::Fault;
            return load_store(i.base_register, i.mask, address, i.offset, false);
        }
        case CsOpcode::STORE_MULTIPLE: {
            hw::CsStoreMultiple i;
            if (!take(word, &i) || !read64(i.address, &address)) return Step::Fault;
            return load_store(i.base_register, i.mask, address, i.offset, true);
        }
        case CsOpcode::STORE_STATE:
            return store_state(word);
        default: {
            hw::CsFlushCache2 i;
            uint32_t id;
            if (!take(word, &i) || !read32(i.latest_flush_id, &id)) return Step::Fault;
            progress_.order.flush(
                queue_, done_job(i.wait_mask),
                i.l2_flush_mode != hw::CsFlushMode::None && i.lsc_flush_mode != hw::CsFlushMode::None,
                i.other_invalidate);
            begin(i.signal_slot, Kind::Flush, i.wait_mask);
            return Step::Next;
        }
    }
}

bool FrontEnd::aligned_sync_object(uint64_t address, unsigned size_B) {
    if (address % size_B == 0) return true;
    (void)fail(ExceptionCode::CS_INSTR_INVALID, "address of a sync object is not a multiple of its size");
    return false;
}

template <class T>
FrontEnd::Step FrontEnd::sync_update(uint64_t word, bool wide, bool add) {
    T i;
    uint64_t address, data;
    uint32_t low = 0;
    if (!take(word, &i) || !read64(i.address, &address)) return Step::Fault;
    if (wide ? !read64(i.data, &data) : !read32(i.data, &low)) return Step::Fault;
    if (!wide) data = low;
    // The work that the value announces must have ended.
    for (const Kind kind : {Kind::Tiler, Kind::Fragment, Kind::Compute, Kind::Flush, Kind::Other})
        if (!settled(kind, i.wait_mask, "a sync object is signalled while work of the queue may still run"))
            return Step::Fault;
    const unsigned size_B = wide ? 8 : 4;
    uint8_t* const at = machine_.memory.at(address, size_B, Access::Write);
    if (!at) return fail_access();
    if (!aligned_sync_object(address, size_B)) return Step::Fault;
    // Other queues and the host read it.
    if (wide) {
        std::atomic_ref<uint64_t> cell(*reinterpret_cast<uint64_t*>(at));
        data = add ? cell.fetch_add(data) + data : (cell.store(data), data);
    } else {
        std::atomic_ref<uint32_t> cell(*reinterpret_cast<uint32_t*>(at));
        data = add ? cell.fetch_add(low) + low : (cell.store(low), low);
    }
    progress_.order.signal(queue_, done_job(i.wait_mask), address, data);
    begin(i.signal_slot, Kind::Memory, i.wait_mask);
    return Step::Next;
}

template <class T>
FrontEnd::Step FrontEnd::sync_wait(uint64_t word, bool wide) {
    T i;
    uint64_t address, data = 0;
    uint32_t low = 0;
    if (!take(word, &i) || !read64(i.address, &address)) return Step::Fault;
    if (wide ? !read64(i.data, &data) : !read32(i.data, &low)) return Step::Fault;
    if (!wide) data = low;
    const unsigned size_B = wide ? 8 : 4;
    const uint8_t* const at = machine_.memory.at(address, size_B, Access::Read);
    if (!at) return fail_access();
    if (!aligned_sync_object(address, size_B)) return Step::Fault;
    uint64_t now;
    if (wide)
        now = std::atomic_ref<uint64_t>(*reinterpret_cast<uint64_t*>(const_cast<uint8_t*>(at))).load();
    else
        now = std::atomic_ref<uint32_t>(*reinterpret_cast<uint32_t*>(const_cast<uint8_t*>(at))).load();
    switch (i.condition) {
        case hw::CsCondition::Lequal:
            if (now > data) return Step::Wait;
            progress_.order.wait(queue_, address, 0, data);
            return Step::Next;
        case hw::CsCondition::Greater:
            if (now <= data) return Step::Wait;
            progress_.order.wait(queue_, address, data + 1, UINT64_MAX);
            return Step::Next;
        default:
            return fail(ExceptionCode::CS_INSTR_INVALID, "SYNC_WAIT waits for less or equal, or for greater");
    }
}

FrontEnd::Step FrontEnd::sync(CsOpcode op, uint64_t word) {
    switch (op) {
        case CsOpcode::SYNC_ADD32:
            return sync_update<hw::CsSyncAdd32>(word, false, true);
        case CsOpcode::SYNC_SET32:
            return sync_update<hw::CsSyncSet32>(word, false, false);
        case CsOpcode::SYNC_WAIT32:
            return sync_wait<hw::CsSyncWait32>(word, false);
        case CsOpcode::SYNC_ADD64:
            return sync_update<hw::CsSyncAdd64>(word, true, true);
        case CsOpcode::SYNC_SET64:
            return sync_update<hw::CsSyncSet64>(word, true, false);
        case CsOpcode::SYNC_WAIT64:
            return sync_wait<hw::CsSyncWait64>(word, true);
        case CsOpcode::PROGRESS_STORE: {
            hw::CsProgressStore i;
            if (!take(word, &i) || !read64(i.source, &progress_.queue[queue_ % progress_.queue.size()]))
                return Step::Fault;
            return Step::Next;
        }
        case CsOpcode::PROGRESS_LOAD: {
            hw::CsProgressLoad i;
            if (!take(word, &i) || !write64(i.destination, progress_.queue[queue_ % progress_.queue.size()]))
                return Step::Fault;
            return Step::Next;
        }
        default: {
            hw::CsProgressWait i;
            uint64_t wanted;
            if (!take(word, &i) || !read64(i.source, &wanted)) return Step::Fault;
            return progress_.queue[i.queue % progress_.queue.size()] >= wanted ? Step::Next : Step::Wait;
        }
    }
}

}  // namespace terrazzo::mali::sim
