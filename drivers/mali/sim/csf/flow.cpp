// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Control flow of a command stream, and arithmetic on its registers.
#include <algorithm>

#include "drivers/mali/sim/csf/decode.h"

namespace terrazzo::mali::sim {

using hw::CsOpcode;
using hw::ExceptionCode;

namespace {

bool holds(hw::CsCondition c, int32_t v) {
    switch (c) {
        case hw::CsCondition::Lequal:
            return v <= 0;
        case hw::CsCondition::Greater:
            return v > 0;
        case hw::CsCondition::Equal:
            return v == 0;
        case hw::CsCondition::Nequal:
            return v != 0;
        case hw::CsCondition::Less:
            return v < 0;
        case hw::CsCondition::Gequal:
            return v >= 0;
        case hw::CsCondition::Always:
            return true;
    }
    return false;
}

}  // namespace

FrontEnd::Step FrontEnd::branch_to(uint64_t address, uint32_t length_B, bool call) {
    if (address % 8 || length_B % 8)
        return fail(ExceptionCode::CS_INSTR_INVALID, "a stream's address and length are multiples of 8");
    if (call) {
        if (depth_ == kMaxDepth)
            return fail(ExceptionCode::CS_CALL_STACK_OVERFLOW, "more than 8 calls within each other");
        stack_[depth_++] = at_;
        at_ = {address, address + length_B, false};
    } else {
        at_.pc = address;
        at_.end = address + length_B;
    }
    return Step::Next;
}

FrontEnd::Step FrontEnd::flow(CsOpcode op, uint64_t word) {
    switch (op) {
        case CsOpcode::WAIT: {
            hw::CsWait i;
            if (!take(word, &i)) return Step::Fault;
            wait_for(i.wait_mask);
            return Step::Next;
        }
        case CsOpcode::BRANCH: {
            hw::CsBranch i;
            uint32_t value;
            if (!take(word, &i) || !read32(i.value, &value)) return Step::Fault;
            if (holds(i.condition, int32_t(value))) at_.pc += uint64_t(int64_t(i.offset) * 8);
            return Step::Next;
        }
        case CsOpcode::CALL: {
            hw::CsCall i;
            uint64_t address;
            uint32_t length_B;
            if (!take(word, &i) || !read64(i.address, &address) || !read32(i.length, &length_B))
                return Step::Fault;
            return branch_to(address, length_B, true);
        }
        case CsOpcode::JUMP: {
            hw::CsJump i;
            uint64_t address;
            uint32_t length_B;
            if (!take(word, &i) || !read64(i.address, &address) || !read32(i.length, &length_B))
                return Step::Fault;
            return branch_to(address, length_B, false);
        }
        case CsOpcode::SET_SB_ENTRY: {
            hw::CsSetSbEntry i;
            if (!take(word, &i)) return Step::Fault;
            endpoint_slot_ = i.endpoint_entry;
            other_slot_ = i.other_entry;
            slots_set_ = true;
            return Step::Next;
        }
        case CsOpcode::SET_EXCEPTION_HANDLER: {
            hw::CsSetExceptionHandler i;
            uint64_t address;
            uint32_t length_B;
            if (!take(word, &i) || !read64(i.address, &address) || !read32(i.length, &length_B))
                return Step::Fault;
            handler_va_ = address;
            handler_B_ = length_B;
            return Step::Next;
        }
        case CsOpcode::REQ_RESOURCE:
            return take(word, &resources_) ? Step::Next : Step::Fault;
        case CsOpcode::TRACE_POINT: {
            hw::CsTracePoint i;
            if (!take(word, &i) || !may_read(i.base_register, i.register_count)) return Step::Fault;
            return Step::Next;
        }
        case CsOpcode::PROT_REGION:
            return fail(ExceptionCode::CS_CONFIG_FAULT, "the virtual GPU has no protected mode");
        default:  // NOP, ERROR_BARRIER
            return Step::Next;
    }
}

FrontEnd::Step FrontEnd::arithmetic(CsOpcode op, uint64_t word) {
    bool good = false;
    switch (op) {
        case CsOpcode::MOVE: {
            hw::CsMove i;
            good = take(word, &i) && write64(i.destination, i.immediate);
            break;
        }
        case CsOpcode::MOVE32: {
            hw::CsMove32 i;
            good = take(word, &i) && write32(i.destination, i.immediate);
            break;
        }
        case CsOpcode::ADD_IMMEDIATE32: {
            hw::CsAddImmediate32 i;
            uint32_t v;
            good =
                take(word, &i) && read32(i.source, &v) && write32(i.destination, v + uint32_t(i.immediate));
            break;
        }
        case CsOpcode::ADD_IMMEDIATE64: {
            hw::CsAddImmediate64 i;
            uint64_t v;
            good = take(word, &i) && read64(i.source, &v) &&
                   write64(i.destination, v + uint64_t(int64_t(i.immediate)));
            break;
        }
        default: {
            hw::CsUmin32 i;
            uint32_t a, b;
            good = take(word, &i) && read32(i.source_1, &a) && read32(i.source_2, &b) &&
                   write32(i.destination, std::min(a, b));
            break;
        }
    }
    return good ? Step::Next : Step::Fault;
}

}  // namespace terrazzo::mali::sim
