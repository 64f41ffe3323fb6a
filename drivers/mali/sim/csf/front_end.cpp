// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Fetching, dispatch, registers and pending work.
#include "drivers/mali/sim/csf/front_end.h"

#include <algorithm>
#include <bit>

#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

using hw::CsOpcode;
using hw::ExceptionCode;

namespace {

constexpr unsigned kCheckEvery = 1024;  // instructions between checks of should_stop()

}  // namespace

void FrontEnd::start(uint64_t va, uint32_t size_B, bool announced, bool follows) {
    at_ = {va, va + size_B, false};
    depth_ = 0;
    announced_ = announced;
    // The ring's wrapper has waited for everything.
    pending_.clear();
    loading_ = {};
    storing_ = {};
    resume_draw_ = false;
    progress_.order.begin_stream(queue_, follows);
}

RunStatus FrontEnd::run() {
    machine_.memory.refresh();
    progressed_ = false;
    for (;;) {
        while (at_.pc == at_.end) {
            if (depth_ == 0) return end_of_stream() == Step::Fault ? RunStatus::Fault : RunStatus::Done;
            resume_draw_ |= at_.handler;
            at_ = stack_[--depth_];
        }
        if (++cycles_ % kCheckEvery == 0 && machine_.host.should_stop()) return RunStatus::Stopped;
        instruction_ = at_.pc;
        uint64_t word;
        if (!machine_.memory.read(at_.pc, &word, 8)) return fail_access(), RunStatus::Fault;
        at_.pc += 8;
        const Handler handler = kHandlers[word >> 56];
        switch (handler ? (this->*handler)(word) : no_instruction(word)) {
            case Step::Next:
                ++machine_.counters.packets;
                progressed_ = true;
                break;
            case Step::Wait:
                at_.pc = instruction_;
                return RunStatus::Blocked;
            case Step::Fault:
                return RunStatus::Fault;
            case Step::Stopped:
                return RunStatus::Stopped;
        }
    }
}

// ---- Registers ----

bool FrontEnd::is_free(const std::array<uint8_t, kCsRegisters>& slots, unsigned reg, unsigned count,
                       const char* what) {
    for (unsigned i = reg; i < reg + count; ++i)
        if (slots[i]) {
            fail(ExceptionCode::CS_INSTR_INVALID, "r", i, what, " was waited for (slot ", slots[i] - 1, ")");
            return false;
        }
    return true;
}

bool FrontEnd::may_read(unsigned reg, unsigned count) {
    if (reg + count <= kCsRegisters) return is_free(loading_, reg, count, " is used before the load into it");
    fail(ExceptionCode::CS_INSTR_INVALID, "register r", reg + count - 1, " does not exist");
    return false;
}

bool FrontEnd::may_write(unsigned reg, unsigned count) {
    return may_read(reg, count) && is_free(storing_, reg, count, " is overwritten before the store of it");
}

bool FrontEnd::is_pair(unsigned reg) {
    if (reg % 2) fail(ExceptionCode::CS_INSTR_INVALID, "pair of registers at odd r", reg);
    return reg % 2 == 0;
}

bool FrontEnd::read(unsigned reg, uint32_t* out) {
    if (!may_read(reg, 1)) return false;
    *out = registers_.r[reg];
    return true;
}

bool FrontEnd::read(unsigned reg, uint64_t* out) {
    if (!is_pair(reg) || !may_read(reg, 2)) return false;
    *out = registers_.pair(reg);
    return true;
}

bool FrontEnd::write(unsigned reg, uint32_t value) {
    if (!may_write(reg, 1)) return false;
    registers_.r[reg] = value;
    return true;
}

bool FrontEnd::write(unsigned reg, uint64_t value) {
    if (!is_pair(reg) || !may_write(reg, 2)) return false;
    registers_.r[reg] = uint32_t(value);
    registers_.r[reg + 1] = uint32_t(value >> 32);
    return true;
}

// ---- Pending work ----

void FrontEnd::wait_for(uint32_t slots) {
    std::erase_if(pending_, [&](const Pending& p) { return p.slots & slots; });
    progress_.order.finish_jobs(queue_, done_job(0));
    for (unsigned r = 0; r < kCsRegisters; ++r) {
        if (loading_[r] && (slots >> (loading_[r] - 1) & 1)) loading_[r] = 0;
        if (storing_[r] && (slots >> (storing_[r] - 1) & 1)) storing_[r] = 0;
    }
}

void FrontEnd::begin(unsigned slot, Kind kind, uint32_t waited, uint64_t job) {
    for (Pending& p : pending_)
        if (p.slots & waited) p.slots |= 1u << slot;
    for (Pending& p : pending_)
        if (p.slots == 1u << slot && p.kind == kind) {
            p.last = job ? job : kNoJob;
            return;
        }
    pending_.push_back({1u << slot, kind, job, job ? job : kNoJob});
}

uint64_t FrontEnd::begin_job(Kind kind) {
    const uint64_t job = progress_.order.begin_job(queue_);
    begin(endpoint_slot_, kind, 0, job);
    return job;
}

uint64_t FrontEnd::done_job(uint32_t waited) const {
    uint64_t done = progress_.order.job(queue_);
    for (const Pending& p : pending_)
        if (p.job && !(p.slots & waited)) done = std::min(done, p.job - 1);
    // Other queues may have waited for more, and this queue for them.
    return std::max(done, progress_.order.done(queue_, queue_));
}

bool FrontEnd::slots_are_set() {
    if (!slots_set_)
        fail(ExceptionCode::CS_CONFIG_FAULT, "no SET_SB_ENTRY has said which slots jobs and loads signal");
    return slots_set_;
}

bool FrontEnd::settled(Kind kind, uint32_t waited, const char* what) {
    for (const Pending& p : pending_)
        if (p.kind == kind && !(p.slots & waited) &&
            // Other queues may have waited for it, and this queue for them.
            p.last > progress_.order.done(queue_, queue_)) {
            fail(ExceptionCode::CS_UNRECOVERABLE, what, ": scoreboard slot ", std::countr_zero(p.slots),
                 " was not waited for");
            return false;
        }
    return true;
}

FrontEnd::Step FrontEnd::end_of_stream() {
    if (undrawn_)
        return fail(ExceptionCode::CS_UNRECOVERABLE,
                    "the stream ends, and heap of a fragment job was not given back");
    wait_for((1u << kSlots) - 1);  // as the wrapper does
    if (announced_ && !progress_.order.clean(queue_))
        return fail(ExceptionCode::CS_UNRECOVERABLE,
                    "the stream ends, and what jobs wrote may still be in caches: a FLUSH_CACHE2 is missing");
    progress_.order.end_stream(queue_, announced_);
    return Step::Next;
}

// ---- Faults ----

FrontEnd::Step FrontEnd::no_instruction(uint64_t word) {
    return fail(ExceptionCode::CS_INSTR_INVALID, "no instruction ", hex_text(word));
}

std::string FrontEnd::where() const {
    return host::text_of("queue ", queue_, ", instruction at ", host::hex_text(instruction_), ", draw ",
                         machine_.draws, ": ");
}

FrontEnd::Step FrontEnd::fail_access() {
    const AccessFault& a = machine_.memory.fault();
    return fail(a.mapped ? ExceptionCode::PERM_FAULT_3 : ExceptionCode::TRANSLATION_FAULT_3, to_string(a));
}

}  // namespace terrazzo::mali::sim
