// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Starting jobs: which resources they need, what must have ended before, and what happens when a draw runs
// out of heap.
#include "drivers/mali/sim/csf/decode.h"

namespace terrazzo::mali::sim {

using hw::CsOpcode;
using hw::ExceptionCode;

namespace {

// Registers 0 to 63: all that jobs read.
constexpr unsigned kJobRegisters = 64;

}  // namespace

FrontEnd::Step FrontEnd::after_job(JobStatus status) {
    switch (status) {
        case JobStatus::Done:
            return Step::Next;
        case JobStatus::Stopped:
            return Step::Stopped;
        case JobStatus::OutOfHeap:
            return tiler_out_of_heap();
        case JobStatus::Fault:
            break;
    }
    const Fault from = fault_;
    return fail(from.code, from.report);
}

// The stream's own handler may free heap, by drawing what was tiled so far; the draw then goes on where it
// stopped.
FrontEnd::Step FrontEnd::tiler_out_of_heap() {
    if (!handler_va_)
        return fail(ExceptionCode::OOM, "out of tiler heap, and the stream has no handler for that");
    for (unsigned i = 0; i < depth_; ++i)
        if (stack_[i].handler) return fail(ExceptionCode::OOM, "out of tiler heap in the handler for that");
    at_.pc = instruction_;  // again, from its progress
    if (depth_ == kMaxDepth)
        return fail(ExceptionCode::CS_CALL_STACK_OVERFLOW, "no room for the exception handler's call");
    stack_[depth_++] = at_;
    // The tiler stands still until the draw goes on: what it has done may be drawn.
    for (uint8_t& kinds : pending_)
        kinds &= uint8_t(~(1u << unsigned(Kind::Tiler)));
    at_ = {handler_va_, handler_va_ + handler_B_, true};
    return Step::Next;
}

FrontEnd::Step FrontEnd::jobs(CsOpcode op, uint64_t word) {
    if (!may_read(0, kJobRegisters)) return Step::Fault;
    switch (op) {
        case CsOpcode::RUN_IDVS: {
            hw::CsRunIdvs i;
            if (!take(word, &i) || !needs(resources_.tiler && resources_.idvs, "the tiler and IDVS"))
                return Step::Fault;
            if (!resume_draw_) {
                draw_ = {};
                machine_.draws++;
            }
            resume_draw_ = false;
            begin(endpoint_slot_, Kind::Tiler);
            return after_job(jobs_.idvs(i, registers_, heap_, &draw_, &fault_));
        }
        case CsOpcode::RUN_FULLSCREEN: {
            hw::CsRunFullscreen i;
            if (!take(word, &i) || !needs(resources_.tiler, "the tiler")) return Step::Fault;
            machine_.draws++;
            begin(endpoint_slot_, Kind::Tiler);
            return after_job(jobs_.fullscreen(i, registers_, heap_, &fault_));
        }
        case CsOpcode::RUN_FRAGMENT: {
            hw::CsRunFragment i;
            if (!take(word, &i) || !needs(resources_.fragment, "fragment shading")) return Step::Fault;
            if (!settled(Kind::Tiler, 0, "RUN_FRAGMENT while the tiler may still run")) return Step::Fault;
            begin(endpoint_slot_, Kind::Fragment);
            return after_job(jobs_.fragment(i, registers_, &fault_));
        }
        case CsOpcode::RUN_COMPUTE: {
            hw::CsRunCompute i;
            if (!take(word, &i) || !needs(resources_.compute, "compute")) return Step::Fault;
            begin(endpoint_slot_, Kind::Compute);
            return after_job(jobs_.compute(i, registers_, &fault_));
        }
        case CsOpcode::RUN_COMPUTE_INDIRECT: {
            hw::CsRunComputeIndirect i;
            if (!take(word, &i) || !needs(resources_.compute, "compute")) return Step::Fault;
            begin(endpoint_slot_, Kind::Compute);
            return after_job(jobs_.compute_indirect(i, registers_, &fault_));
        }
        default:
            return fail(ExceptionCode::CS_CONFIG_FAULT, "the virtual GPU does not execute RUN_TILING");
    }
}

FrontEnd::Step FrontEnd::finish_fragment_job(uint64_t word) {
    hw::CsFinishFragment i;
    uint64_t first, last;
    if (!take(word, &i) || !read64(i.first_heap_chunk, &first) || !read64(i.last_heap_chunk, &last))
        return Step::Fault;
    if (!settled(Kind::Fragment, i.wait_mask,
                 "FINISH_FRAGMENT frees the heap that a fragment job may still read"))
        return Step::Fault;
    wait_for(i.wait_mask);
    const JobStatus status = jobs_.finish_fragment(first, last, heap_, &fault_);
    if (status == JobStatus::Done && i.increment_fragment_completed) {
        if (heap_.in_flight) heap_.in_flight--;
        if (heap_.pending_fragment) heap_.pending_fragment--;
    }
    begin(i.signal_slot, Kind::Other);
    return after_job(status);
}

FrontEnd::Step FrontEnd::heap(CsOpcode op, uint64_t word) {
    switch (op) {
        case CsOpcode::FINISH_TILING: {
            hw::CsFinishTiling i;
            if (!take(word, &i) || !may_read(0, kJobRegisters)) return Step::Fault;
            begin(endpoint_slot_, Kind::Tiler);
            return after_job(jobs_.finish_tiling(registers_, heap_, &fault_));
        }
        case CsOpcode::FINISH_FRAGMENT:
            return finish_fragment_job(word);
        case CsOpcode::HEAP_SET: {
            hw::CsHeapSet i;
            if (!take(word, &i) || !read64(i.address, &heap_.context_va)) return Step::Fault;
            return Step::Next;
        }
        default: {
            hw::CsHeapOperation i;
            if (!take(word, &i)) return Step::Fault;
            wait_for(i.wait_mask);
            switch (i.operation) {
                case hw::CsHeapEvent::VertexTilerStarted:
                    heap_.in_flight++;
                    break;
                case hw::CsHeapEvent::VertexTilerCompleted:
                    if (!settled(Kind::Tiler, 0,
                                 "the tiler is said to have completed while it may still run"))
                        return Step::Fault;
                    heap_.pending_fragment++;
                    break;
                case hw::CsHeapEvent::FragmentCompleted:
                    if (heap_.in_flight) heap_.in_flight--;
                    if (heap_.pending_fragment) heap_.pending_fragment--;
                    break;
            }
            begin(i.signal_slot, Kind::Other);
            return Step::Next;
        }
    }
}

}  // namespace terrazzo::mali::sim
