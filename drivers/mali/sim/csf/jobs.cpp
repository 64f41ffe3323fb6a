// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Starts jobs: the resources they need, the work that must have ended before, and draws that run out of heap.
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/sim/csf/decode.h"
#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

using hw::CsOpcode;
using hw::ExceptionCode;

namespace {

// Registers 0 to 63: all inputs of jobs.
constexpr unsigned kJobRegisters = 64;

}  // namespace

FrontEnd::Step FrontEnd::after_job(JobStatus status) {
    switch (status) {
        case JobStatus::Done:
            machine_.host.note_progress();
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

FrontEnd::Step FrontEnd::after_compute(JobStatus status) {
    const Order::Mistake mistake = progress_.order.take_mistake();
    if (status == JobStatus::Done && mistake.why)
        return fail(ExceptionCode::CS_UNRECOVERABLE, "memory at " + hex_text(mistake.va) + " " + mistake.why);
    return after_job(status);
}

// The stream's own handler may free heap by drawing what was tiled so far. Then the draw continues where it
// stopped.
FrontEnd::Step FrontEnd::tiler_out_of_heap() {
    if (!handler_va_)
        return fail(ExceptionCode::OOM, "out of tiler heap, and the stream has no handler for that");
    for (unsigned i = 0; i < depth_; ++i)
        if (stack_[i].handler) return fail(ExceptionCode::OOM, "out of tiler heap in the handler for that");
    at_.pc = instruction_;  // runs again, from its progress
    if (depth_ == kMaxDepth)
        return fail(ExceptionCode::CS_CALL_STACK_OVERFLOW, "no room for the exception handler's call");
    stack_[depth_++] = at_;
    // The tiler is stopped until the draw continues, so its results may be drawn.
    std::erase_if(pending_, [](const Pending& p) { return p.kind == Kind::Tiler; });
    progress_.order.finish_jobs(queue_, done_job(0));
    at_ = {handler_va_, handler_va_ + handler_B_, true};
    return Step::Next;
}

void FrontEnd::begin_draw() {
    const Order::HeapCounts counts = progress_.order.heap(heap_.context_va);
    heap_.in_flight = counts.in_flight;
    heap_.pending_fragment = counts.pending_fragment;
    tiling_ = true;
    progress_.order.tiled(queue_, registers_.pair(hw::IdvsRegisters::tiler_context), begin_job(Kind::Tiler));
}

FrontEnd::Step FrontEnd::fragment_job(uint64_t word) {
    hw::CsRunFragment i;
    if (!take(word, &i) || !needs(resources_.fragment, "fragment shading")) return Step::Fault;
    if (!settled(Kind::Tiler, 0, "RUN_FRAGMENT while the tiler may still run")) return Step::Fault;
    // Finds the tiler context that it draws; errors in the descriptors are reported by the job itself.
    hw::FramebufferPointer pointer;
    hw::FramebufferParameters parameters;
    uint32_t words[hw::FramebufferParameters::kSize_B / 4];
    if (hw::unpack(&registers_.r[hw::FragmentRegisters::framebuffer], &pointer) && pointer.pointer &&
        machine_.memory.read(pointer.pointer, words, sizeof(words)) && hw::unpack(words, &parameters) &&
        parameters.tiler) {
        if (undrawn_)
            return fail(ExceptionCode::CS_UNRECOVERABLE,
                        "RUN_FRAGMENT, and heap of the fragment job before was not given back");
        if (!progress_.order.may_draw(queue_, parameters.tiler))
            return fail(ExceptionCode::CS_UNRECOVERABLE,
                        "RUN_FRAGMENT draws what another queue may still be tiling: it was not waited for");
        undrawn_ = heap_.context_va != 0;  // otherwise there is nothing to return to the heap
    }
    const Images images = pointer.pointer ? images_of(pointer, parameters) : Images();
    for (unsigned n = 0; n < images.count; ++n)
        if (const char* mistake = progress_.order.busy(queue_, images.va[n]))
            return fail(ExceptionCode::CS_UNRECOVERABLE,
                        "image at " + hex_text(images.va[n]) + " " + mistake);
    const uint64_t job = begin_job(Kind::Fragment);
    progress_.order.wrote(queue_, job);
    const JobStatus status = jobs_.fragment(i, registers_, &fault_);
    for (unsigned n = 0; n < images.count; ++n)
        progress_.order.drew(queue_, images.va[n], job);
    return after_job(status);
}

// The base addresses are at the same place in the descriptors of all block formats.
FrontEnd::Images FrontEnd::images_of(const hw::FramebufferPointer& pointer,
                                     const hw::FramebufferParameters& parameters) {
    constexpr uint64_t kBase_B = 32, kStencilBase_B = 48;
    Images out;
    const auto note = [&](uint64_t va) {
        uint64_t base = 0;
        if (machine_.memory.read(va, &base, 8) && base) out.va[out.count++] = base;
    };
    uint64_t va = pointer.pointer + hw::Framebuffer::kSize_B;
    if (pointer.zs_crc_extension_present) {
        if (parameters.z_write_enable) note(va + kBase_B);
        if (parameters.s_write_enable) note(va + kStencilBase_B);
        va += hw::ZsCrcExtension::kSize_B;
    }
    for (uint32_t t = 0; t < pointer.render_target_count; ++t, va += hw::RenderTarget::kSize_B) {
        uint32_t words[2];
        constexpr uint32_t kWriteEnable = 1;
        if (machine_.memory.read(va, words, 8) && words[1] & kWriteEnable) note(va + kBase_B);
    }
    return out;
}

FrontEnd::Step FrontEnd::jobs(CsOpcode op, uint64_t word) {
    if (!slots_are_set() || !may_read(0, kJobRegisters) ||
        !settled(Kind::Flush, 0, "a job begins while caches may still be flushed"))
        return Step::Fault;
    switch (op) {
        case CsOpcode::RUN_IDVS: {
            hw::CsRunIdvs i;
            if (!take(word, &i) || !needs(resources_.tiler && resources_.idvs, "the tiler and IDVS"))
                return Step::Fault;
            if (!resume_draw_) {
                draw_ = {};
                machine_.draws++;
                ++machine_.counters.draws;
            }
            resume_draw_ = false;
            begin_draw();
            return after_job(jobs_.idvs(i, registers_, heap_, &draw_, &fault_));
        }
        case CsOpcode::RUN_FULLSCREEN: {
            hw::CsRunFullscreen i;
            if (!take(word, &i) || !needs(resources_.tiler, "the tiler")) return Step::Fault;
            machine_.draws++;
            ++machine_.counters.draws;
            begin_draw();
            return after_job(jobs_.fullscreen(i, registers_, heap_, &fault_));
        }
        case CsOpcode::RUN_FRAGMENT:
            return fragment_job(word);
        case CsOpcode::RUN_COMPUTE: {
            hw::CsRunCompute i;
            if (!take(word, &i) || !needs(resources_.compute, "compute")) return Step::Fault;
            ++machine_.counters.dispatches;
            progress_.order.wrote(queue_, begin_job(Kind::Compute));
            return after_compute(jobs_.compute(i, registers_, &fault_));
        }
        case CsOpcode::RUN_COMPUTE_INDIRECT: {
            hw::CsRunComputeIndirect i;
            if (!take(word, &i) || !needs(resources_.compute, "compute")) return Step::Fault;
            ++machine_.counters.dispatches;
            progress_.order.wrote(queue_, begin_job(Kind::Compute));
            return after_compute(jobs_.compute_indirect(i, registers_, &fault_));
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
    if (!heap_is_set()) return Step::Fault;
    if (!settled(Kind::Fragment, i.wait_mask,
                 "FINISH_FRAGMENT frees the heap that a fragment job may still read"))
        return Step::Fault;
    const JobStatus status = jobs_.finish_fragment(first, last, heap_, &fault_);
    undrawn_ = false;
    if (status == JobStatus::Done && i.increment_fragment_completed && !pass_drawn()) return Step::Fault;
    begin(i.signal_slot, Kind::Other, i.wait_mask);
    return after_job(status);
}

FrontEnd::Step FrontEnd::heap(CsOpcode op, uint64_t word) {
    switch (op) {
        case CsOpcode::FINISH_TILING: {
            hw::CsFinishTiling i;
            if (!take(word, &i) || !slots_are_set() || !may_read(0, kJobRegisters)) return Step::Fault;
            begin(endpoint_slot_, Kind::Tiler);
            tiling_ = false;
            return after_job(jobs_.finish_tiling(registers_, heap_, &fault_));
        }
        case CsOpcode::FINISH_FRAGMENT:
            return finish_fragment_job(word);
        case CsOpcode::HEAP_SET: {
            hw::CsHeapSet i;
            if (!take(word, &i) || !read64(i.address, &heap_.context_va)) return Step::Fault;
            return Step::Next;
        }
        default:
            return heap_operation(word);
    }
}

bool FrontEnd::pass_drawn() {
    Order::HeapCounts& counts = progress_.order.heap(heap_.context_va);
    if (!counts.pending_fragment) {
        fail(ExceptionCode::CS_UNRECOVERABLE, "more passes were drawn than tiled");
        return false;
    }
    counts.in_flight--;
    counts.pending_fragment--;
    return true;
}

FrontEnd::Step FrontEnd::heap_operation(uint64_t word) {
    hw::CsHeapOperation i;
    if (!take(word, &i) || !heap_is_set()) return Step::Fault;
    Order::HeapCounts& counts = progress_.order.heap(heap_.context_va);
    switch (i.operation) {
        case hw::CsHeapEvent::VertexTilerStarted:
            counts.in_flight++;
            break;
        case hw::CsHeapEvent::VertexTilerCompleted:
            if (!settled(Kind::Tiler, i.wait_mask,
                         "the tiler is said to have completed while it may still run"))
                return Step::Fault;
            if (tiling_)
                return fail(ExceptionCode::CS_UNRECOVERABLE,
                            "the tiler is said to have completed without FINISH_TILING");
            if (counts.pending_fragment == counts.in_flight)
                return fail(ExceptionCode::CS_UNRECOVERABLE, "more passes were tiled than begun");
            counts.pending_fragment++;
            break;
        case hw::CsHeapEvent::FragmentCompleted:
            if (!pass_drawn()) return Step::Fault;
            break;
    }
    begin(i.signal_slot, Kind::Other, i.wait_mask);
    return Step::Next;
}

}  // namespace terrazzo::mali::sim
