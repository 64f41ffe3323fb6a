// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Packets that move values between registers, memory and the CP's scratch words, or wait for them.
#include <algorithm>
#include <bit>
#include <cstdio>

#include "drivers/adreno/hw/registers.h"
#include "drivers/adreno/sim/cp/command_processor.h"
#include "drivers/common/host/commands.h"

namespace terrazzo::adreno::sim {

using namespace hw;

namespace {

constexpr uint64_t kPiece_B = 1 << 20;  // copied between checks whether to stop

/// Registers of which a block has one, not one per draw: each block has them at x600 or xe00 (Mesa 25.0.7
/// waits before it changes RB_CCU_CNTL, RB_DBG_ECO_CNTL and counters' selections).
bool is_single(uint16_t reg) {
    // Draws before a change do not use it; freedreno waits after it.
    if (reg == PC_TESSFACTOR_ADDR::kRegister || reg == PC_TESSFACTOR_ADDR::kRegister + 1) return false;
    // GRAS, RB, VPC, PC, VFD, SP, TPL1, HLSQ.
    constexpr uint16_t kBlocks[] = {0x8600, 0x8e00, 0x9600, 0x9e00, 0xa600, 0xae00, 0xb600, 0xbe00};
    return std::find(std::begin(kBlocks), std::end(kBlocks), reg & 0xff00) != std::end(kBlocks);
}

constexpr uint32_t kFirstContextRegister = 0x1000;                         // CP, RBBM, VSC and UCHE are below
constexpr uint32_t kPrimitiveCounters = hw::RBBM_PRIMCTR_0_LO::kRegister;  // the first of eleven, of 64 bits

// By CondFunction.
constexpr uint8_t kOrders[] = {host::kAlways,
                               host::kLess,
                               host::kLess | host::kEqual,
                               host::kEqual,
                               host::kLess | host::kGreater,
                               host::kEqual | host::kGreater,
                               host::kGreater};
bool compare(CondFunction function, bool is_signed, uint32_t value, uint32_t ref) {
    if (unsigned(function) >= std::size(kOrders)) return false;
    const uint8_t orders = kOrders[unsigned(function)];
    return is_signed ? host::accepts(orders, int32_t(value), int32_t(ref))
                     : host::accepts(orders, value, ref);
}

}  // namespace

// ---- Registers ----

bool CommandProcessor::may_change(uint16_t reg, uint32_t value) {
    const Registers& r = machine_.registers;
    if (!is_single(reg) || (r.is_set(reg) && r.value(reg) == value)) return true;
    if (machine_.caches->is_busy())
        return bad(
            "draws do not keep a copy of the register, and one may run: a CP_WAIT_FOR_IDLE is "
            "missing before it changes");
    if (reg != RB_CCU_CNTL::kRegister) return true;
    const std::string why = machine_.caches->move_ccus();
    if (why.empty()) return true;
    return bad("the CCUs change their memory while %s", why.c_str());
}

bool CommandProcessor::write_registers(uint32_t reg, Payload values) {
    if (reg + uint64_t(values.size()) > Registers::kCount)
        return fail(FaultKind::Protection, "there is no register 0x%x", reg + unsigned(values.size()) - 1);
    for (size_t i = 0; i < values.size(); ++i) {
        const uint32_t number = reg + uint32_t(i);
        if (const RegisterUse use = access_.of(number); use != RegisterUse::Free) {
            const std::string name = register_name(uint16_t(number));
            if (use == RegisterUse::Unknown)
                bad("a write of 0x%08x to register %s, which is unknown", values[i], name.c_str());
            else
                fail(FaultKind::Protection, "a write to register %s, which is the kernel's", name.c_str());
            return false;
        }
        if (!may_change(uint16_t(number), values[i])) return false;
        machine_.registers.write(uint16_t(number), values[i]);
        if (number < kFirstContextRegister || is_single(uint16_t(number)))
            counters_.wrote(uint16_t(number), values[i], machine_);
    }
    return true;
}

bool CommandProcessor::read_register(uint32_t reg, uint32_t* out) {
    if (reg >= Registers::kCount || access_.of(reg) == RegisterUse::Protected)
        return fail(FaultKind::Protection, "a read of register 0x%x, which is the kernel's", reg);
    constexpr uint32_t kTime = CP_ALWAYS_ON_COUNTER::kRegister;
    if (reg == kTime || reg == kTime + 1) {
        *out = uint32_t(machine_.host.timestamp() >> (reg - kTime) * 32);
    } else if (const uint32_t counter = reg - kPrimitiveCounters; counter < 2 * Machine::kPrimitiveCounters) {
        if (machine_.caches->is_busy())
            return bad("RBBM_PRIMCTR is read while work may run: a CP_WAIT_FOR_IDLE is missing");
        const uint64_t now = machine_.primitive_counters[counter / 2];
        *out = uint32_t(primitive_counters_[counter / 2].value(now) >> counter % 2 * 32);
    } else if (PerfCounters::is_counter(reg)) {
        if (machine_.caches->is_busy() && reg >= RBBM_PERFCTR_PC::kRegister)
            return bad("counters are read while work may run: a CP_WAIT_FOR_IDLE is missing");
        std::string missing;
        *out = counters_.read(reg, machine_, &missing);
        if (!missing.empty())
            std::fprintf(stderr, "terrazzo: virtual Adreno: %s is not counted, its counter stands still\n",
                         missing.c_str());
    } else {
        *out = machine_.registers.value(uint16_t(reg));
    }
    return true;
}

// ---- Packets ----

struct CommandProcessor::Transfers : Family {
    Step run(const CpRegRmw& p) {
        caches.wait_for_idle();  // the packet waits for idle
        caches.wait_for_me();
        uint32_t value = 0, src0 = p.src0, src1 = p.src1;
        if (!c.read_register(p.dst_reg, &value) || (p.src0_is_reg && !c.read_register(src0, &src0)) ||
            (p.src1_is_reg && !c.read_register(src1, &src1)))
            return Step::Fault;
        value = std::rotl(value & src0, int(p.rotate));
        value = p.src1_add ? value + src1 : value | src1;
        return result(c.write_registers(p.dst_reg, {&value, 1}));
    }
    Step run(const CpRegWrite& p) { return result(c.write_registers(p.reg, {&p.value, 1})); }
    Step run(const CpContextRegBunch&) {
        if (payload.size() % 2) return c.bad("the last of its registers lacks a value");
        for (; !payload.empty(); payload = payload.subspan(2))
            if (!c.write_registers(payload[0], payload.subspan(1, 1))) return Step::Fault;
        return Step::Next;
    }
    Step run(const CpRegToMem& p) { return reg_to_mem(p, 0); }
    Step run(const CpRegToMemOffsetReg& p) {
        uint32_t offset0 = 0, offset1 = 0;
        if (!offset(p.offset0, p.offset0_scratch, &offset0)) return Step::Fault;
        if (payload.size() > 4 && !offset(p.offset1, p.offset1_scratch, &offset1)) return Step::Fault;
        return reg_to_mem(p, uint64_t(offset0) + offset1);
    }
    Step run(const CpRegToMemOffsetMem& p) {
        uint32_t offset = 0;
        if (!c.read(p.offset, &offset, 4)) return Step::Fault;
        return reg_to_mem(p, offset);
    }
    bool offset(uint32_t number, bool is_scratch, uint32_t* out) {
        if (!is_scratch) return c.read_register(number, out);
        *out = c.scratch_[number % c.scratch_.size()];
        return true;
    }
    Step reg_to_mem(const auto& p, uint64_t offset_B) {
        const uint32_t step_dw = p.n64b ? 2 : 1, end = p.reg + std::max<uint32_t>(p.cnt, step_dw);
        uint64_t va = p.dest + offset_B;
        for (uint32_t reg = p.reg; reg < end; reg += step_dw, va += step_dw * 4) {
            uint32_t words[2] = {};
            for (uint32_t w = 0; w < step_dw; ++w)
                if (!c.read_register(reg + w, &words[w])) return Step::Fault;
            uint64_t value = uint64_t(words[1]) << 32 | words[0], before = 0;
            if (p.accumulate && !c.read(va, &before, step_dw * 4)) return Step::Fault;
            value += before;
            if (!c.write(va, &value, step_dw * 4)) return Step::Fault;
        }
        return Step::Next;
    }
    Step run(const CpMemToReg& p) {
        caches.wait_mem_writes();  // as CP_MEM_TO_MEM
        caches.wait_for_idle();    // the packet waits for idle
        caches.wait_for_me();
        for (uint32_t i = 0; i < std::max(p.cnt, 1u); ++i) {
            uint32_t value = 0;
            if (!c.read(p.src + i * 4, &value, 4)) return Step::Fault;
            if (p.shift_by_2) value <<= 2;
            if (!c.write_registers(p.reg + i, {&value, 1})) return Step::Fault;
        }
        return Step::Next;
    }

    // ---- Memory and scratch words ----

    Step run(const CpMemToMem& p) {
        // The CP's own results come in order: freedreno adds to a number repeatedly without waits.
        caches.wait_mem_writes();
        if (p.unk31) caches.wait_for_idle();
        const uint64_t sources[] = {p.src_a, p.src_b, p.src_c};
        const bool negated[] = {p.neg_a, p.neg_b, p.neg_c};
        const size_t count = std::min<size_t>((payload.size() - 3) / 2, std::size(sources));
        const unsigned size_B = p.double_ ? 8 : 4;
        uint64_t sum = 0;
        for (size_t i = 0; i < count; ++i) {
            uint64_t value = 0;
            if (!c.read(sources[i], &value, size_B)) return Step::Fault;
            sum += negated[i] ? 0 - value : value;
        }
        return result(c.write(p.dst, &sum, size_B));
    }
    Step run(const CpMemcpy& p) {
        const uint64_t size_B = uint64_t(p.dwords) * 4;
        std::vector<uint8_t> piece(std::min(size_B, kPiece_B));
        for (uint64_t at_B = 0; at_B < size_B; at_B += piece.size()) {
            if (m.host.should_stop()) return Step::Stopped;
            const uint64_t this_B = std::min<uint64_t>(piece.size(), size_B - at_B);
            if (!c.read(p.src + at_B, piece.data(), this_B) || !c.write(p.dst + at_B, piece.data(), this_B))
                return Step::Fault;
        }
        return Step::Next;
    }
    Step run(const CpMemWrite& p) {
        const Payload data = payload.subspan(CpMemWrite::kSize_dw);
        return result(c.write(p.address, data.data(), data.size_bytes()));
    }
    Step run(const CpScratchWrite& p) {
        const Payload data = payload.subspan(1);
        if (!has_scratch(p.scratch, data.size())) return Step::Fault;
        std::copy(data.begin(), data.end(), c.scratch_.begin() + p.scratch);
        return Step::Next;
    }
    Step run(const CpRegToScratch& p) {
        if (!has_scratch(p.scratch, p.cnt)) return Step::Fault;
        for (uint32_t i = 0; i < p.cnt; ++i)
            if (!c.read_register(p.reg + i, &c.scratch_[p.scratch + i])) return Step::Fault;
        return Step::Next;
    }
    Step run(const CpScratchToReg& p) {
        return result(has_scratch(p.scratch, p.cnt) &&
                      c.write_registers(p.reg, Payload(c.scratch_).subspan(p.scratch, p.cnt)));
    }
    bool has_scratch(size_t first, size_t count) {
        if (first + count <= c.scratch_.size()) return true;
        return c.bad("there are %zu scratch words", c.scratch_.size());
    }

    // ---- Conditions and waits ----

    bool poll(PollSource source, uint64_t address, bool waits, uint32_t* value) {
        switch (source) {
            case PollSource::POLL_REGISTER:
                return c.read_register(uint32_t(address), value);
            case PollSource::POLL_MEMORY:
                return waits ? c.read_polled(address, value) : c.read(address, value, 4);
            case PollSource::POLL_SCRATCH:
                *value = c.scratch_[address % c.scratch_.size()];
                return true;
        }
        return c.bad("there is no source %u to compare", unsigned(source));
    }
    Step run(const CpCondWrite5& p) {
        uint32_t value = 0;
        if (!poll(p.poll, p.poll_address, false, &value)) return Step::Fault;
        if (!compare(p.function, p.signed_compare, value & p.mask, p.ref)) return Step::Next;
        const Payload data = payload.subspan(CpCondWrite5::kSize_dw - 1);
        if (p.write_memory) return result(c.write(p.write_address, data.data(), data.size_bytes()));
        return result(c.write_registers(uint32_t(p.write_address), data));
    }
    Step run(const CpWaitRegMem& p) {
        uint32_t value = 0;
        if (!poll(p.poll, p.poll_address, true, &value)) return Step::Fault;
        const bool in_memory = p.poll == PollSource::POLL_MEMORY;
        if (compare(p.function, p.signed_compare, value & p.mask, p.ref)) {
            if (in_memory) caches.polled(p.poll_address);
            return Step::Next;
        }
        if (in_memory) return Step::Wait;
        return c.bad("it waits for ever: the value is 0x%08x, and nothing else writes it", value);
    }
    Step run(const CpWaitMemGte& p) {
        uint32_t value = 0;
        if (!c.read_polled(p.address, &value)) return Step::Fault;
        if (int32_t(value) < int32_t(p.ref)) return Step::Wait;
        caches.polled(p.address);
        return Step::Next;
    }
    Step run(const CpWaitTwoRegs& p) {
        uint32_t value0 = 0, value1 = 0;
        if (!c.read_register(p.reg0, &value0) || !c.read_register(p.reg1, &value1)) return Step::Fault;
        if (value0 || value1 != p.ref) return Step::Next;
        return c.bad("it waits for ever: nothing else writes these registers");
    }
};

void CommandProcessor::add_transfers(Handlers* handlers) {
    add<Transfers, CpRegRmw, CpRegWrite, CpContextRegBunch, CpRegToMem, CpRegToMemOffsetReg,
        CpRegToMemOffsetMem, CpMemToReg, CpMemToMem, CpMemcpy, CpMemWrite, CpScratchWrite, CpRegToScratch,
        CpScratchToReg, CpCondWrite5, CpWaitRegMem, CpWaitMemGte, CpWaitTwoRegs>(handlers);
}

}  // namespace terrazzo::adreno::sim
