// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The text of command-stream instructions. Mnemonics and operands are those of Mesa's pandecode (25.0.7,
// src/panfrost/lib/genxml/decode_csf.c), so that outputs can be compared.
#include <cstdarg>
#include <cstdio>

#include "drivers/mali/decode/decode.h"
#include "drivers/mali/hw/cs.h"

namespace terrazzo::mali::decode {

using namespace hw;

namespace {

[[gnu::format(printf, 1, 2)]] std::string text(const char* format, ...) {
    char out[256];
    va_list arguments;
    va_start(arguments, format);
    std::vsnprintf(out, sizeof out, format, arguments);
    va_end(arguments);
    return out;
}

const char* progress(bool increment) {
    return increment ? ".progress_inc" : "";
}

const char* condition_text(CsCondition condition) {
    switch (condition) {
        case CsCondition::Lequal:
            return "le";
        case CsCondition::Greater:
            return "gt";
        case CsCondition::Equal:
            return "eq";
        case CsCondition::Nequal:
            return "ne";
        case CsCondition::Less:
            return "lt";
        case CsCondition::Gequal:
            return "ge";
        case CsCondition::Always:
            return "always";
    }
    return "unknown";
}

const char* flush_text(CsFlushMode mode) {
    switch (mode) {
        case CsFlushMode::None:
            return "nop";
        case CsFlushMode::Clean:
            return "clean";
        case CsFlushMode::CleanAndInvalidate:
            return "clean_invalidate";
    }
    return "unknown";
}

const char* order_text(TileRenderOrder order) {
    switch (order) {
        case TileRenderOrder::ZOrder:
            return "zorder";
        case TileRenderOrder::Horizontal:
            return "horizontal";
        case TileRenderOrder::Vertical:
            return "vertical";
        case TileRenderOrder::ReverseHorizontal:
            return "rev_horizontal";
        case TileRenderOrder::ReverseVertical:
            return "rev_vertical";
    }
    return "unknown";
}

const char* axis_text(TaskAxis axis) {
    switch (axis) {
        case TaskAxis::X:
            return "x_axis";
        case TaskAxis::Y:
            return "y_axis";
        case TaskAxis::Z:
            return "z_axis";
    }
    return "unknown_axis";
}

const char* heap_text(CsHeapEvent event) {
    switch (event) {
        case CsHeapEvent::VertexTilerStarted:
            return "vt_start";
        case CsHeapEvent::VertexTilerCompleted:
            return "vt_end";
        case CsHeapEvent::FragmentCompleted:
            return "frag_end";
    }
    return "unknown";
}

const char* state_text(CsState state) {
    switch (state) {
        case CsState::Timestamp:
            return "SYSTEM_TIMESTAMP";
        case CsState::CycleCount:
            return "CYCLE_COUNT";
        case CsState::DisjointCount:
            return "DISJOINT_COUNT";
        case CsState::ErrorStatus:
            return "ERROR_STATE";
    }
    return "UNKNOWN_STATE";
}

std::string address_text(uint32_t reg, int32_t offset) {
    return offset ? text("[d%u + %d]", reg, offset) : text("[d%u]", reg);
}

std::string tuple_text(uint32_t base, uint32_t mask) {
    std::string out;
    for (uint32_t i = 0; i < 16; ++i)
        if (mask >> i & 1) out += text("%sr%u", out.empty() ? "" : ":", base + i);
    return out.empty() ? "_" : out;
}

std::string wait_and_signal(uint32_t wait_mask, uint32_t signal_slot) {
    return text("#%x, #%u", wait_mask, signal_slot);
}

template <class T>
std::string selects(const T& i) {
    return text(".srt%u.spd%u.tsd%u.fau%u", i.srt_select, i.spd_select, i.tsd_select, i.fau_select);
}

// ---- One function per instruction ----

std::string say(const CsNop& i) {
    return i.ignored ? text("NOP // 0x%llX", static_cast<unsigned long long>(i.ignored)) : "NOP";
}
std::string say(const CsMove& i) {
    return text("MOVE d%u, #0x%llX", i.destination, static_cast<unsigned long long>(i.immediate));
}
std::string say(const CsMove32& i) {
    return text("MOVE32 r%u, #0x%X", i.destination, i.immediate);
}
std::string say(const CsWait& i) {
    return text("WAIT%s #%x", progress(i.progress_increment), i.wait_mask);
}
std::string say(const CsRunCompute& i) {
    return text("RUN_COMPUTE%s.%s", progress(i.progress_increment), axis_text(i.task_axis)) + selects(i) +
           text(" #%u", i.task_increment);
}
std::string say(const CsRunTiling& i) {
    return text("RUN_TILING%s", progress(i.progress_increment)) + selects(i) + text(" #%x", i.flags_override);
}
std::string say(const CsRunIdvs& i) {
    return text("RUN_IDVS%s%s%s.varying_srt%d.varying_fau%d.varying_tsd%d.frag_srt%d.frag_tsd%d r%u, #%x",
                progress(i.progress_increment), i.malloc_enable ? "" : ".no_malloc",
                i.draw_id_register_enable ? ".draw_id_enable" : "", i.varying_srt_select,
                i.varying_fau_select, i.varying_tsd_select, i.fragment_srt_select, i.fragment_tsd_select,
                i.draw_id, i.flags_override);
}
std::string say(const CsRunFragment& i) {
    return text("RUN_FRAGMENT%s%s.tile_order=%s", progress(i.progress_increment),
                i.enable_tem ? ".tile_enable_map_enable" : "", order_text(i.tile_order));
}
std::string say(const CsRunFullscreen& i) {
    return text("RUN_FULLSCREEN%s d%u, #%x", progress(i.progress_increment), i.dcd, i.flags_override);
}
std::string say(const CsFinishTiling& i) {
    return text("FINISH_TILING%s", progress(i.progress_increment));
}
std::string say(const CsFinishFragment& i) {
    return text("FINISH_FRAGMENT%s d%u, d%u, ", i.increment_fragment_completed ? ".frag_end" : "",
                i.last_heap_chunk, i.first_heap_chunk) +
           wait_and_signal(i.wait_mask, i.signal_slot);
}
std::string say(const CsAddImmediate32& i) {
    return text("ADD_IMMEDIATE32 r%u, r%u, #%d", i.destination, i.source, i.immediate);
}
std::string say(const CsAddImmediate64& i) {
    return text("ADD_IMMEDIATE64 d%u, d%u, #%d", i.destination, i.source, i.immediate);
}
std::string say(const CsUmin32& i) {
    return text("UMIN32 r%u, r%u, r%u", i.destination, i.source_1, i.source_2);
}
std::string say(const CsLoadMultiple& i) {
    return "LOAD_MULTIPLE " + tuple_text(i.base_register, i.mask) + ", " + address_text(i.address, i.offset);
}
std::string say(const CsStoreMultiple& i) {
    return "STORE_MULTIPLE " + address_text(i.address, i.offset) + ", " + tuple_text(i.base_register, i.mask);
}
std::string say(const CsBranch& i) {
    return text("BRANCH.%s r%u, #%d", condition_text(i.condition), i.value, i.offset);
}
std::string say(const CsSetSbEntry& i) {
    return text("SET_SB_ENTRY #%u, #%u", i.endpoint_entry, i.other_entry);
}
std::string say(const CsProgressWait& i) {
    return text("PROGRESS_WAIT d%u, #%u", i.source, i.queue);
}
std::string say(const CsSetExceptionHandler& i) {
    return text("SET_EXCEPTION_HANDLER.%s d%u, r%u",
                i.exception_type == CsExceptionType::TilerOom ? "tiler_oom" : "unknown", i.address, i.length);
}
std::string say(const CsCall& i) {
    return text("CALL d%u, r%u", i.address, i.length);
}
std::string say(const CsJump& i) {
    return text("JUMP d%u, r%u", i.address, i.length);
}
std::string say(const CsReqResource& i) {
    return text("REQ_RESOURCE%s%s%s%s", i.compute ? ".compute" : "", i.fragment ? ".fragment" : "",
                i.tiler ? ".tiler" : "", i.idvs ? ".idvs" : "");
}
std::string say(const CsFlushCache2& i) {
    return text("FLUSH_CACHE2.%s_l2.%s_lsc%s r%u, ", flush_text(i.l2_flush_mode),
                flush_text(i.lsc_flush_mode), i.other_invalidate ? ".invalidate_other" : ".nop_other",
                i.latest_flush_id) +
           wait_and_signal(i.wait_mask, i.signal_slot);
}
template <class T>
std::string sync_text(const char* mnemonic, char data, const T& i) {
    return text("%s%s%s [d%u], %c%u, ", mnemonic, i.error_propagate ? ".error_propagate" : "",
                i.scope == CsSyncScope::Csg ? ".csg" : ".system", i.address, data, i.data) +
           wait_and_signal(i.wait_mask, i.signal_slot);
}
template <class T>
std::string sync_wait_text(const char* mnemonic, char data, const T& i) {
    return text("%s.%s%s [d%u], %c%u", mnemonic, condition_text(i.condition),
                i.error_reject ? ".reject" : ".inherit", i.address, data, i.data);
}
std::string say(const CsSyncAdd32& i) {
    return sync_text("SYNC_ADD32", 'r', i);
}
std::string say(const CsSyncSet32& i) {
    return sync_text("SYNC_SET32", 'r', i);
}
std::string say(const CsSyncWait32& i) {
    return sync_wait_text("SYNC_WAIT32", 'r', i);
}
std::string say(const CsSyncAdd64& i) {
    return sync_text("SYNC_ADD64", 'd', i);
}
std::string say(const CsSyncSet64& i) {
    return sync_text("SYNC_SET64", 'd', i);
}
std::string say(const CsSyncWait64& i) {
    return sync_wait_text("SYNC_WAIT64", 'd', i);
}
std::string say(const CsStoreState& i) {
    return text("STORE_STATE.%s ", state_text(i.state)) + address_text(i.address, i.offset) + ", " +
           wait_and_signal(i.wait_mask, i.signal_slot);
}
std::string say(const CsProtRegion& i) {
    return text("PROT_REGION #%u", i.size);
}
std::string say(const CsProgressStore& i) {
    return text("PROGRESS_STORE d%u", i.source);
}
std::string say(const CsProgressLoad& i) {
    return text("PROGRESS_LOAD d%u", i.destination);
}
std::string say(const CsRunComputeIndirect& i) {
    return text("RUN_COMPUTE_INDIRECT%s", progress(i.progress_increment)) + selects(i) +
           text(" #%u", i.workgroups_per_task);
}
std::string say(const CsErrorBarrier&) {
    return "ERROR_BARRIER";
}
std::string say(const CsHeapSet& i) {
    return text("HEAP_SET d%u", i.address);
}
std::string say(const CsHeapOperation& i) {
    return text("HEAP_OPERATION.%s ", heap_text(i.operation)) + wait_and_signal(i.wait_mask, i.signal_slot);
}
std::string say(const CsTracePoint& i) {
    return text("TRACE_POINT r%u:r%u, ", i.base_register, i.base_register + i.register_count - 1) +
           wait_and_signal(i.wait_mask, i.signal_slot);
}

template <class T>
std::string instr(uint64_t word) {
    T i;
    fields::ReservedBits found;
    unpack(word, &i, &found);
    std::string out = say(i);
    if (found.any()) {
        fields::StringSink sink;
        found.print(sink, 0);
        for (char& c : sink.text)
            c = c == '\n' ? ';' : c;
        sink.text.pop_back();
        out += " (! " + sink.text + ")";
    }
    return out;
}

}  // namespace

std::string instruction_text(uint64_t word) {
    const auto opcode = CsOpcode(word >> 56);
    switch (opcode) {
        case CsOpcode::NOP:
            return instr<CsNop>(word);
        case CsOpcode::MOVE:
            return instr<CsMove>(word);
        case CsOpcode::MOVE32:
            return instr<CsMove32>(word);
        case CsOpcode::WAIT:
            return instr<CsWait>(word);
        case CsOpcode::RUN_COMPUTE:
            return instr<CsRunCompute>(word);
        case CsOpcode::RUN_TILING:
            return instr<CsRunTiling>(word);
        case CsOpcode::RUN_IDVS:
            return instr<CsRunIdvs>(word);
        case CsOpcode::RUN_FRAGMENT:
            return instr<CsRunFragment>(word);
        case CsOpcode::RUN_FULLSCREEN:
            return instr<CsRunFullscreen>(word);
        case CsOpcode::FINISH_TILING:
            return instr<CsFinishTiling>(word);
        case CsOpcode::FINISH_FRAGMENT:
            return instr<CsFinishFragment>(word);
        case CsOpcode::ADD_IMMEDIATE32:
            return instr<CsAddImmediate32>(word);
        case CsOpcode::ADD_IMMEDIATE64:
            return instr<CsAddImmediate64>(word);
        case CsOpcode::UMIN32:
            return instr<CsUmin32>(word);
        case CsOpcode::LOAD_MULTIPLE:
            return instr<CsLoadMultiple>(word);
        case CsOpcode::STORE_MULTIPLE:
            return instr<CsStoreMultiple>(word);
        case CsOpcode::BRANCH:
            return instr<CsBranch>(word);
        case CsOpcode::SET_SB_ENTRY:
            return instr<CsSetSbEntry>(word);
        case CsOpcode::PROGRESS_WAIT:
            return instr<CsProgressWait>(word);
        case CsOpcode::SET_EXCEPTION_HANDLER:
            return instr<CsSetExceptionHandler>(word);
        case CsOpcode::CALL:
            return instr<CsCall>(word);
        case CsOpcode::JUMP:
            return instr<CsJump>(word);
        case CsOpcode::REQ_RESOURCE:
            return instr<CsReqResource>(word);
        case CsOpcode::FLUSH_CACHE2:
            return instr<CsFlushCache2>(word);
        case CsOpcode::SYNC_ADD32:
            return instr<CsSyncAdd32>(word);
        case CsOpcode::SYNC_SET32:
            return instr<CsSyncSet32>(word);
        case CsOpcode::SYNC_WAIT32:
            return instr<CsSyncWait32>(word);
        case CsOpcode::STORE_STATE:
            return instr<CsStoreState>(word);
        case CsOpcode::PROT_REGION:
            return instr<CsProtRegion>(word);
        case CsOpcode::PROGRESS_STORE:
            return instr<CsProgressStore>(word);
        case CsOpcode::PROGRESS_LOAD:
            return instr<CsProgressLoad>(word);
        case CsOpcode::RUN_COMPUTE_INDIRECT:
            return instr<CsRunComputeIndirect>(word);
        case CsOpcode::ERROR_BARRIER:
            return instr<CsErrorBarrier>(word);
        case CsOpcode::HEAP_SET:
            return instr<CsHeapSet>(word);
        case CsOpcode::HEAP_OPERATION:
            return instr<CsHeapOperation>(word);
        case CsOpcode::TRACE_POINT:
            return instr<CsTracePoint>(word);
        case CsOpcode::SYNC_ADD64:
            return instr<CsSyncAdd64>(word);
        case CsOpcode::SYNC_SET64:
            return instr<CsSyncSet64>(word);
        case CsOpcode::SYNC_WAIT64:
            return instr<CsSyncWait64>(word);
    }
    return text("UNKNOWN_%u 0x%llX", unsigned(opcode),
                static_cast<unsigned long long>(word & 0xffffffffffffff));
}

}  // namespace terrazzo::mali::decode
