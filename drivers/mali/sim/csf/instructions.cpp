// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What instructions do, except those that start jobs. Instructions with a mask of slots wait for them
// asynchronously: the stream continues.
#include <algorithm>
#include <atomic>
#include <bit>

#include "drivers/common/host/commands.h"
#include "drivers/mali/sim/csf/front_end.h"

namespace terrazzo::mali::sim {

using hw::CsOpcode;
using hw::ExceptionCode;

namespace {

// By CsCondition: a number and 0.
constexpr uint8_t kOrders[] = {
    host::kLess | host::kEqual,    host::kGreater, host::kEqual, host::kLess | host::kGreater, host::kLess,
    host::kEqual | host::kGreater, host::kAlways};
bool holds(hw::CsCondition c, int32_t v) {
    return unsigned(c) < std::size(kOrders) && host::accepts(kOrders[unsigned(c)], v, 0);
}

}  // namespace

struct FrontEnd::Streams {
    FrontEnd& f;

    // ---- Flow ----

    Step run(const hw::CsWait& i) {
        f.wait_for(i.wait_mask);
        return Step::Next;
    }
    Step run(const hw::CsBranch& i) {
        uint32_t value;
        if (!f.read(i.value, &value)) return Step::Fault;
        if (holds(i.condition, int32_t(value))) f.at_.pc += uint64_t(int64_t(i.offset) * 8);
        return Step::Next;
    }
    Step run(const hw::CsCall& i) { return branch(i, true); }
    Step run(const hw::CsJump& i) { return branch(i, false); }
    Step branch(const auto& i, bool is_call) {
        uint64_t address;
        uint32_t length_B;
        if (!f.read(i.address, &address, i.length, &length_B)) return Step::Fault;
        if (address % 8 || length_B % 8)
            return f.fail(ExceptionCode::CS_INSTR_INVALID,
                          "a stream's address and length are multiples of 8");
        if (is_call) {
            if (f.depth_ == kMaxDepth)
                return f.fail(ExceptionCode::CS_CALL_STACK_OVERFLOW, "more than 8 calls within each other");
            f.stack_[f.depth_++] = f.at_;
        }
        f.at_ = {address, address + length_B, !is_call && f.at_.handler};
        return Step::Next;
    }
    Step run(const hw::CsSetSbEntry& i) {
        f.endpoint_slot_ = i.endpoint_entry;
        f.other_slot_ = i.other_entry;
        f.slots_set_ = true;
        return Step::Next;
    }
    Step run(const hw::CsSetExceptionHandler& i) {
        uint64_t address;
        uint32_t length_B;
        if (!f.read(i.address, &address, i.length, &length_B)) return Step::Fault;
        f.handler_va_ = address;
        f.handler_B_ = length_B;
        return Step::Next;
    }
    Step run(const hw::CsReqResource& i) {
        f.resources_ = i;
        return Step::Next;
    }
    Step run(const hw::CsTracePoint& i) { return result(f.may_read(i.base_register, i.register_count)); }
    Step run(const hw::CsProtRegion&) {
        return f.fail(ExceptionCode::CS_CONFIG_FAULT, "the virtual GPU has no protected mode");
    }

    // ---- Arithmetic ----

    Step run(const hw::CsMove& i) { return result(f.write(i.destination, uint64_t(i.immediate))); }
    Step run(const hw::CsMove32& i) { return result(f.write(i.destination, uint32_t(i.immediate))); }
    Step run(const hw::CsAddImmediate32& i) {
        uint32_t v;
        return result(f.read(i.source, &v) && f.write(i.destination, v + uint32_t(i.immediate)));
    }
    Step run(const hw::CsAddImmediate64& i) {
        uint64_t v;
        return result(f.read(i.source, &v) && f.write(i.destination, v + uint64_t(int64_t(i.immediate))));
    }
    Step run(const hw::CsUmin32& i) {
        uint32_t a, b;
        return result(f.read(i.source_1, &a, i.source_2, &b) && f.write(i.destination, std::min(a, b)));
    }

    // ---- Memory ----

    Step run(const hw::CsLoadMultiple& i) { return load_store(i, f.loading_, false); }
    Step run(const hw::CsStoreMultiple& i) { return load_store(i, f.storing_, true); }
    Step load_store(const auto& i, std::array<uint8_t, kCsRegisters>& slots, bool store) {
        uint64_t address;
        if (!f.read(i.address, &address) || !f.slots_are_set()) return Step::Fault;
        const uint64_t from = address + uint64_t(int64_t(i.offset));
        if (from % 4)
            return f.fail(ExceptionCode::CS_INSTR_INVALID,
                          "address of a load or store is not a multiple of 4");
        const auto size_B = uint64_t(std::bit_width(i.mask)) * 4;
        if (const char* why = store ? nullptr : f.progress_.order.load(f.queue_, from, size_B))
            return f.fail(ExceptionCode::CS_UNRECOVERABLE, "LOAD_MULTIPLE: memory at ", host::hex_text(from),
                          " ", why);
        Window& memory = f.machine_.memory;
        for (unsigned n = 0; n < 16; ++n) {
            if (!(i.mask >> n & 1)) continue;
            const unsigned reg = i.base_register + n;
            if (store ? !f.may_read(reg, 1) : !f.may_write(reg, 1)) return Step::Fault;
            uint32_t* const value = &f.registers_.r[reg];
            if (store ? !memory.write(from + 4 * n, value, 4) : !memory.read(from + 4 * n, value, 4))
                return f.fail_access();
        }
        for (unsigned n = 0; n < 16; ++n)
            if (i.mask >> n & 1) slots[i.base_register + n] = uint8_t(f.other_slot_ + 1);
        f.begin(f.other_slot_, Kind::Memory);
        return Step::Next;
    }
    Step run(const hw::CsStoreState& i) {
        uint64_t address, value = 0;
        if (!f.read(i.address, &address)) return Step::Fault;
        if (i.state == hw::CsState::Timestamp) value = f.machine_.host.timestamp();
        if (i.state == hw::CsState::CycleCount) value = f.cycles_;
        if (!f.machine_.memory.write(address + uint64_t(int64_t(i.offset)), &value, 8))
            return f.fail_access();
        f.begin(i.signal_slot, Kind::Memory, i.wait_mask);
        return Step::Next;
    }
    Step run(const hw::CsFlushCache2& i) {
        uint32_t id;
        if (!f.read(i.latest_flush_id, &id)) return Step::Fault;
        const bool cleans =
            i.l2_flush_mode != hw::CsFlushMode::None && i.lsc_flush_mode != hw::CsFlushMode::None;
        f.progress_.order.flush(f.queue_, f.done_job(i.wait_mask), cleans, i.other_invalidate);
        f.begin(i.signal_slot, Kind::Flush, i.wait_mask);
        return Step::Next;
    }

    // ---- Sync objects and counters ----

    Step run(const hw::CsSyncAdd32& i) { return update<uint32_t>(i, true); }
    Step run(const hw::CsSyncAdd64& i) { return update<uint64_t>(i, true); }
    Step run(const hw::CsSyncSet32& i) { return update<uint32_t>(i, false); }
    Step run(const hw::CsSyncSet64& i) { return update<uint64_t>(i, false); }
    Step run(const hw::CsSyncWait32& i) { return wait<uint32_t>(i); }
    Step run(const hw::CsSyncWait64& i) { return wait<uint64_t>(i); }

    /// Other queues and the host read and write it, too. Null: a fault.
    template <class Value>
    Value* sync_object(uint64_t va, Access access) {
        uint8_t* const at = f.machine_.memory.at(va, sizeof(Value), access);
        if (!at)
            f.fail_access();
        else if (va % sizeof(Value))
            f.fail(ExceptionCode::CS_INSTR_INVALID, "address of a sync object is not a multiple of its size");
        return va % sizeof(Value) ? nullptr : reinterpret_cast<Value*>(at);
    }
    template <class Value>
    Step update(const auto& i, bool adds) {
        uint64_t address;
        Value data;
        if (!f.read(i.address, &address, i.data, &data)) return Step::Fault;
        // The work that the value announces must have ended.
        for (const Kind kind : {Kind::Tiler, Kind::Fragment, Kind::Compute, Kind::Flush, Kind::Other})
            if (!f.settled(kind, i.wait_mask,
                           "a sync object is signalled while work of the queue may still run"))
                return Step::Fault;
        Value* const object = sync_object<Value>(address, Access::Write);
        if (!object) return Step::Fault;
        std::atomic_ref<Value> cell(*object);
        if (adds)
            data = Value(cell.fetch_add(data) + data);
        else
            cell.store(data);
        f.progress_.order.signal(f.queue_, f.done_job(i.wait_mask), address, data);
        f.begin(i.signal_slot, Kind::Memory, i.wait_mask);
        return Step::Next;
    }
    template <class Value>
    Step wait(const auto& i) {
        uint64_t address;
        Value data;
        if (!f.read(i.address, &address, i.data, &data)) return Step::Fault;
        Value* const object = sync_object<Value>(address, Access::Read);
        if (!object) return Step::Fault;
        const Value now = std::atomic_ref<Value>(*object).load();
        const bool is_greater = i.condition == hw::CsCondition::Greater;
        if (!is_greater && i.condition != hw::CsCondition::Lequal)
            return f.fail(ExceptionCode::CS_INSTR_INVALID,
                          "SYNC_WAIT waits for less or equal, or for greater");
        if (is_greater ? now <= data : now > data) return Step::Wait;
        f.progress_.order.wait(f.queue_, address, is_greater ? uint64_t(data) + 1 : 0,
                               is_greater ? UINT64_MAX : data);
        return Step::Next;
    }
    uint64_t& counter(unsigned queue) { return f.progress_.queue[queue % f.progress_.queue.size()]; }
    Step run(const hw::CsProgressStore& i) { return result(f.read(i.source, &counter(f.queue_))); }
    Step run(const hw::CsProgressLoad& i) { return result(f.write(i.destination, counter(f.queue_))); }
    Step run(const hw::CsProgressWait& i) {
        uint64_t wanted;
        if (!f.read(i.source, &wanted)) return Step::Fault;
        return counter(i.queue) >= wanted ? Step::Next : Step::Wait;
    }
};

const FrontEnd::Handlers FrontEnd::kHandlers = [] {
    using namespace hw;
    Handlers handlers{};
    handlers[unsigned(CsOpcode::NOP)] = handlers[unsigned(CsOpcode::ERROR_BARRIER)] = &FrontEnd::nothing;
    add<Streams, CsWait, CsBranch, CsCall, CsJump, CsSetSbEntry, CsSetExceptionHandler, CsReqResource,
        CsTracePoint, CsProtRegion>(&handlers);
    add<Streams, CsMove, CsMove32, CsAddImmediate32, CsAddImmediate64, CsUmin32>(&handlers);
    add<Streams, CsLoadMultiple, CsStoreMultiple, CsStoreState, CsFlushCache2>(&handlers);
    add<Streams, CsSyncAdd32, CsSyncAdd64, CsSyncSet32, CsSyncSet64, CsSyncWait32, CsSyncWait64,
        CsProgressStore, CsProgressLoad, CsProgressWait>(&handlers);
    add_starts(&handlers);
    return handlers;
}();

}  // namespace terrazzo::mali::sim
