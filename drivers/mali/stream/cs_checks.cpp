// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/mali/stream/cs_checks.h"

#include "drivers/mali/hw/cs.h"

namespace terrazzo::mali {
namespace {

using hw::CsOpcode;

// Registers 0 to 63 are for jobs, 64 to 85 for streams, 88 to 90 for jumps. The last four are the kernel's.
constexpr unsigned kStreamRegisters = 86, kJumpFirst = 88, kJumpLast = 90;
constexpr const char* kUnset = "it reads a register that the stream has not set";
constexpr const char* kLoading = "it uses a register whose load was not waited for";
constexpr const char* kStoring = "it changes a register whose store was not waited for";
constexpr const char* kForbidden = "the register is not the streams'";

template <class T>
T decoded(uint64_t word) {
    T instr;
    hw::unpack(word, &instr);
    return instr;
}

}  // namespace

void CsChecks::assume_set(unsigned first, unsigned count) {
    for (unsigned r = first; r < first + count && r < set_.size(); r++)
        set_.set(r);
}

void CsChecks::join(const CsChecks& other) {
    set_ &= other.set_;
    for (unsigned r = 0; r < slot_.size(); r++)
        if (other.loading_[r] || other.storing_[r]) slot_[r] = other.slot_[r];
    loading_ |= other.loading_;
    storing_ |= other.storing_;
}

void CsChecks::waited(uint32_t slots) {
    for (unsigned r = 0; r < slot_.size(); r++)
        if (slots >> slot_[r] & 1) loading_[r] = storing_[r] = false;
}

const char* CsChecks::read(unsigned first, unsigned count) {
    for (unsigned r = first; r < first + count; r++) {
        if (r >= set_.size() || !set_[r]) return kUnset;
        if (loading_[r]) return kLoading;
    }
    return nullptr;
}

const char* CsChecks::write(unsigned first, unsigned count) {
    for (unsigned r = first; r < first + count; r++) {
        if (r >= kStreamRegisters && (r < kJumpFirst || r > kJumpLast)) return kForbidden;
        if (loading_[r]) return kLoading;
        if (storing_[r]) return kStoring;
        set_.set(r);
    }
    return nullptr;
}

const char* CsChecks::load_store(uint64_t word, bool store) {
    const auto i = decoded<hw::CsLoadMultiple>(word);  // a store's fields are the same
    if (const char* why = read(i.address, 2)) return why;
    for (unsigned n = 0; n < 16; n++) {
        const unsigned r = i.base_register + n;
        if (!(i.mask >> n & 1)) continue;
        if (const char* why = store ? read(r, 1) : write(r, 1)) return why;
        (store ? storing_ : loading_).set(r);
        slot_[r] = uint8_t(load_store_slot_);
    }
    if (!store) return nullptr;
    for (unsigned r = i.address; r < i.address + 2; r++) {
        storing_.set(r);
        slot_[r] = uint8_t(load_store_slot_);
    }
    return nullptr;
}

const char* CsChecks::compute(unsigned srt, unsigned fau, unsigned spd, unsigned tsd) {
    using R = hw::ComputeRegisters;
    for (const unsigned r : {R::srt + 2 * srt, R::fau + 2 * fau, R::spd + 2 * spd, R::tsd + 2 * tsd})
        if (const char* why = read(r, 2)) return why;
    return read(R::global_attribute_offset, 8);
}

/// Checks the registers that every job reads. (Those of indices and varyings matter to some draws only.)
const char* CsChecks::job(uint64_t word) {
    using I = hw::IdvsRegisters;
    using F = hw::FragmentRegisters;
    const char* why = nullptr;
    const auto pairs = [&](std::initializer_list<unsigned> firsts) {
        for (const unsigned r : firsts)
            if (!why) why = read(r, 2);
    };
    for (unsigned r = 0; r < 64; r++)
        if (loading_[r]) return kLoading;
    switch (CsOpcode(word >> 56)) {
        case CsOpcode::RUN_IDVS: {
            const auto i = decoded<hw::CsRunIdvs>(word);
            pairs({I::vertex_srt, I::vertex_fau, I::position_spd, I::fragment_spd, I::vertex_tsd,
                   I::tiler_context, I::scissor, I::low_depth_clamp, I::blend, I::depth_stencil,
                   I::primitive_flags});
            hw::PrimitiveFlags added;  // ORed with the flags in the register, whose value is not known here
            (void)hw::unpack(&i.flags_override, &added);
            if (added.secondary_shader) {
                pairs({I::varying_spd});
                if (i.varying_srt_select) pairs({I::varying_srt});
                if (i.varying_fau_select) pairs({I::varying_fau});
                if (i.varying_tsd_select) pairs({I::varying_tsd});
            }
            if (i.fragment_srt_select) pairs({I::fragment_srt});
            if (i.fragment_tsd_select) pairs({I::fragment_tsd});
            if (!why) why = read(I::global_attribute_offset, 7);
            return why ? why : read(I::dcd_flags_1, 1);
        }
        case CsOpcode::RUN_FRAGMENT:
            pairs({F::framebuffer, F::scissor});
            if (!why && decoded<hw::CsRunFragment>(word).enable_tem) why = read(F::tile_enable_map, 3);
            return why;
        case CsOpcode::RUN_COMPUTE: {
            const auto i = decoded<hw::CsRunCompute>(word);
            return compute(i.srt_select, i.fau_select, i.spd_select, i.tsd_select);
        }
        case CsOpcode::RUN_COMPUTE_INDIRECT: {
            const auto i = decoded<hw::CsRunComputeIndirect>(word);
            return compute(i.srt_select, i.fau_select, i.spd_select, i.tsd_select);
        }
        default:
            return nullptr;
    }
}

const char* CsChecks::memory(uint64_t word) {
    switch (CsOpcode(word >> 56)) {
        case CsOpcode::LOAD_MULTIPLE:
            return load_store(word, false);
        case CsOpcode::STORE_MULTIPLE:
            return load_store(word, true);
        case CsOpcode::FLUSH_CACHE2:
            return read(decoded<hw::CsFlushCache2>(word).latest_flush_id, 1);
        default: {  // SYNC_ADD64 and SYNC_WAIT64 have their registers in the same fields
            const auto i = decoded<hw::CsSyncAdd64>(word);
            const char* why = read(i.data, 2);
            return why ? why : read(i.address, 2);
        }
    }
}

const char* CsChecks::note(uint64_t word) {
    const char* why = nullptr;
    switch (CsOpcode(word >> 56)) {
        case CsOpcode::NOP:
        case CsOpcode::REQ_RESOURCE:
        case CsOpcode::FINISH_TILING:
        case CsOpcode::HEAP_OPERATION:
            return nullptr;
        case CsOpcode::MOVE:
            return write(decoded<hw::CsMove>(word).destination, 2);
        case CsOpcode::MOVE32:
            return write(decoded<hw::CsMove32>(word).destination, 1);
        case CsOpcode::ADD_IMMEDIATE32: {
            const auto i = decoded<hw::CsAddImmediate32>(word);
            why = read(i.source, 1);
            return why ? why : write(i.destination, 1);
        }
        case CsOpcode::ADD_IMMEDIATE64: {
            const auto i = decoded<hw::CsAddImmediate64>(word);
            why = read(i.source, 2);
            return why ? why : write(i.destination, 2);
        }
        case CsOpcode::WAIT:
            waited(decoded<hw::CsWait>(word).wait_mask);
            return nullptr;
        case CsOpcode::BRANCH: {
            const auto i = decoded<hw::CsBranch>(word);
            return i.condition == hw::CsCondition::Always ? nullptr : read(i.value, 1);
        }
        case CsOpcode::SET_SB_ENTRY:
            load_store_slot_ = decoded<hw::CsSetSbEntry>(word).other_entry;
            return nullptr;
        case CsOpcode::SET_EXCEPTION_HANDLER:
        case CsOpcode::JUMP: {
            const auto i = decoded<hw::CsJump>(word);
            why = read(i.length, 1);
            return why ? why : read(i.address, 2);
        }
        case CsOpcode::RUN_COMPUTE:
        case CsOpcode::RUN_COMPUTE_INDIRECT:
        case CsOpcode::RUN_IDVS:
        case CsOpcode::RUN_FRAGMENT:
            return job(word);
        case CsOpcode::FINISH_FRAGMENT: {
            const auto i = decoded<hw::CsFinishFragment>(word);
            why = read(i.first_heap_chunk, 2);
            return why ? why : read(i.last_heap_chunk, 2);
        }
        case CsOpcode::LOAD_MULTIPLE:
        case CsOpcode::STORE_MULTIPLE:
        case CsOpcode::FLUSH_CACHE2:
        case CsOpcode::SYNC_ADD64:
        case CsOpcode::SYNC_WAIT64:
            return memory(word);
        case CsOpcode::HEAP_SET:
            return read(decoded<hw::CsHeapSet>(word).address, 2);
        default:
            break;
    }
    return "no instruction of our streams";
}

}  // namespace terrazzo::mali
