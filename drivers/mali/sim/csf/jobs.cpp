// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Starts jobs: the resources they need, the work that must have ended before, and draws that run out of heap.
#include "drivers/mali/hw/descriptors.h"
#include "drivers/mali/sim/csf/front_end.h"
#include "drivers/mali/sim/state/read.h"

namespace terrazzo::mali::sim {

using hw::ExceptionCode;

namespace {

// Registers 0 to 63: all inputs of jobs.
constexpr unsigned kJobRegisters = 64;

}  // namespace

struct FrontEnd::Starts {
    FrontEnd& f;

    // ---- Draws and dispatches ----

    Step run(const hw::CsRunIdvs& i) {
        if (!may_start(f.resources_.tiler && f.resources_.idvs, "the tiler and IDVS")) return Step::Fault;
        if (!f.resume_draw_) {
            f.draw_ = {};
            ++f.machine_.draws;
            ++f.machine_.counters.draws;
        }
        f.resume_draw_ = false;
        begin_draw();
        return after(f.jobs_.idvs(i, f.registers_, f.heap_, &f.draw_, &f.fault_));
    }
    Step run(const hw::CsRunFullscreen& i) {
        if (!may_start(f.resources_.tiler, "the tiler")) return Step::Fault;
        ++f.machine_.draws;
        ++f.machine_.counters.draws;
        begin_draw();
        return after(f.jobs_.fullscreen(i, f.registers_, f.heap_, &f.fault_));
    }
    Step run(const hw::CsRunTiling&) {
        if (!may_start(true, "")) return Step::Fault;
        return f.fail(ExceptionCode::CS_CONFIG_FAULT, "the virtual GPU does not execute RUN_TILING");
    }
    Step run(const hw::CsRunCompute& i) {
        return dispatch([&] { return f.jobs_.compute(i, f.registers_, &f.fault_); });
    }
    Step run(const hw::CsRunComputeIndirect& i) {
        return dispatch([&] { return f.jobs_.compute_indirect(i, f.registers_, &f.fault_); });
    }
    template <class F>
    Step dispatch(F&& job) {
        if (!may_start(f.resources_.compute, "compute")) return Step::Fault;
        ++f.machine_.counters.dispatches;
        f.progress_.order.wrote(f.queue_, f.begin_job(Kind::Compute));
        return after_stores(job());
    }
    /// Its stores may have come too early.
    Step after_stores(JobStatus status) {
        const Order::Mistake mistake = f.progress_.order.take_mistake();
        if (status == JobStatus::Done && mistake.why)
            return broken("memory at ", hex_text(mistake.va), " ", mistake.why);
        return after(status);
    }
    bool may_start(bool requested, const char* resource) {
        if (!f.slots_are_set() || !f.may_read(0, kJobRegisters) ||
            !f.settled(Kind::Flush, 0, "a job begins while caches may still be flushed"))
            return false;
        if (!requested) f.fail(ExceptionCode::CS_ENDPOINT_FAULT, "the queue did not request ", resource);
        return requested;
    }
    /// The heap's counts belong to the group.
    void begin_draw() {
        const Order::HeapCounts counts = heap();
        f.heap_.in_flight = counts.in_flight;
        f.heap_.pending_fragment = counts.pending_fragment;
        f.tiling_ = true;
        f.progress_.order.tiled(f.queue_, f.registers_.pair(hw::IdvsRegisters::tiler_context),
                                f.begin_job(Kind::Tiler));
    }
    Step after(JobStatus status) {
        switch (status) {
            case JobStatus::Done:
                f.machine_.host.note_progress();
                return Step::Next;
            case JobStatus::Stopped:
                return Step::Stopped;
            case JobStatus::OutOfHeap:
                return out_of_heap();
            case JobStatus::Fault:
                break;
        }
        const Fault from = f.fault_;
        return f.fail(from.code, from.report);
    }
    /// A rule of order was broken.
    template <class... Part>
    Step broken(const Part&... why) {
        return f.fail(ExceptionCode::CS_UNRECOVERABLE, why...);
    }

    // The stream's own handler may free heap by drawing what was tiled so far. Then the draw continues where
    // it stopped.
    Step out_of_heap() {
        if (!f.handler_va_)
            return f.fail(ExceptionCode::OOM, "out of tiler heap, and the stream has no handler for that");
        for (unsigned i = 0; i < f.depth_; ++i)
            if (f.stack_[i].handler)
                return f.fail(ExceptionCode::OOM, "out of tiler heap in the handler for that");
        f.at_.pc = f.instruction_;  // runs again, from its progress
        if (f.depth_ == kMaxDepth)
            return f.fail(ExceptionCode::CS_CALL_STACK_OVERFLOW, "no room for the exception handler's call");
        f.stack_[f.depth_++] = f.at_;
        // The tiler is stopped until the draw continues, so its results may be drawn.
        std::erase_if(f.pending_, [](const Pending& p) { return p.kind == Kind::Tiler; });
        f.progress_.order.finish_jobs(f.queue_, f.done_job(0));
        f.at_ = {f.handler_va_, f.handler_va_ + f.handler_B_, true};
        return Step::Next;
    }

    // ---- Fragment jobs ----

    Step run(const hw::CsRunFragment& i) {
        if (!may_start(f.resources_.fragment, "fragment shading")) return Step::Fault;
        if (!f.settled(Kind::Tiler, 0, "RUN_FRAGMENT while the tiler may still run")) return Step::Fault;
        // Finds the tiler context that it draws; errors in the descriptors are reported by the job itself.
        hw::FramebufferPointer pointer;
        hw::FramebufferParameters parameters;
        uint32_t words[hw::FramebufferParameters::kSize_B / 4];
        if (hw::unpack(&f.registers_.r[hw::FragmentRegisters::framebuffer], &pointer) && pointer.pointer &&
            f.machine_.memory.read(pointer.pointer, words, sizeof(words)) && hw::unpack(words, &parameters) &&
            parameters.tiler) {
            const bool next_layer =
                f.undrawn_ == parameters.tiler && parameters.internal_layer_index > f.undrawn_layer_;
            if (f.undrawn_ && !next_layer)
                return broken("RUN_FRAGMENT, and heap of the fragment job before was not given back");
            if (!f.progress_.order.may_draw(f.queue_, parameters.tiler))
                return broken(
                    "RUN_FRAGMENT draws what another queue may still be tiling: it was not waited for");
            // Without a heap there is nothing to return.
            f.undrawn_ = f.heap_.context_va ? parameters.tiler : 0;
            f.undrawn_layer_ = parameters.internal_layer_index;
        }
        const Images images = pointer.pointer ? images_of(pointer, parameters) : Images();
        for (unsigned n = 0; n < images.count; ++n)
            if (const char* mistake = f.progress_.order.busy(f.queue_, images.va[n]))
                return broken("image at ", hex_text(images.va[n]), " ", mistake);
        const uint64_t job = f.begin_job(Kind::Fragment);
        f.progress_.order.wrote(f.queue_, job);
        const JobStatus status = f.jobs_.fragment(i, f.registers_, &f.fault_);
        for (unsigned n = 0; n < images.count; ++n)
            f.progress_.order.drew(f.queue_, images.va[n], job);
        return after_stores(status);
    }
    /// The images that a fragment job writes.
    struct Images {
        unsigned count = 0;
        uint64_t va[18];  // 16 colours, depth, stencil
    };
    // The base addresses are at the same place in the descriptors of all block formats.
    Images images_of(const hw::FramebufferPointer& pointer, const hw::FramebufferParameters& parameters) {
        constexpr uint64_t kBase_B = 32, kStencilBase_B = 48;
        Images out;
        const auto note = [&](uint64_t va) {
            uint64_t base = 0;
            if (f.machine_.memory.read(va, &base, 8) && base) out.va[out.count++] = base;
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
            if (f.machine_.memory.read(va, words, 8) && words[1] & kWriteEnable) note(va + kBase_B);
        }
        return out;
    }

    // ---- The heap ----

    Order::HeapCounts& heap() { return f.progress_.order.heap(f.heap_.context_va); }
    bool heap_is_set() {
        if (!f.heap_.context_va) f.fail(ExceptionCode::CS_CONFIG_FAULT, "no tiler heap was set");
        return f.heap_.context_va;
    }
    Step run(const hw::CsHeapSet& i) { return result(f.read(i.address, &f.heap_.context_va)); }
    Step run(const hw::CsFinishTiling&) {
        if (!f.slots_are_set() || !f.may_read(0, kJobRegisters)) return Step::Fault;
        f.begin(f.endpoint_slot_, Kind::Tiler);
        f.tiling_ = false;
        return after(f.jobs_.finish_tiling(f.registers_, f.heap_, &f.fault_));
    }
    Step run(const hw::CsFinishFragment& i) {
        uint64_t first, last;
        if (!f.read(i.first_heap_chunk, &first, i.last_heap_chunk, &last) || !heap_is_set() ||
            !f.settled(Kind::Fragment, i.wait_mask,
                       "FINISH_FRAGMENT frees the heap that a fragment job may still read"))
            return Step::Fault;
        const JobStatus status = f.jobs_.finish_fragment(first, last, f.heap_, &f.fault_);
        f.undrawn_ = 0;
        if (status == JobStatus::Done && i.increment_fragment_completed && !pass_drawn()) return Step::Fault;
        f.begin(i.signal_slot, Kind::Other, i.wait_mask);
        return after(status);
    }
    /// Counts a pass of the heap as drawn.
    bool pass_drawn() {
        Order::HeapCounts& counts = heap();
        if (!counts.pending_fragment) return broken("more passes were drawn than tiled"), false;
        counts.in_flight--;
        counts.pending_fragment--;
        return true;
    }
    Step run(const hw::CsHeapOperation& i) {
        if (!heap_is_set()) return Step::Fault;
        Order::HeapCounts& counts = heap();
        switch (i.operation) {
            case hw::CsHeapEvent::VertexTilerStarted:
                counts.in_flight++;
                break;
            case hw::CsHeapEvent::VertexTilerCompleted:
                if (!f.settled(Kind::Tiler, i.wait_mask,
                               "the tiler is said to have completed while it may still run"))
                    return Step::Fault;
                if (f.tiling_) return broken("the tiler is said to have completed without FINISH_TILING");
                if (counts.pending_fragment == counts.in_flight)
                    return broken("more passes were tiled than begun");
                counts.pending_fragment++;
                break;
            case hw::CsHeapEvent::FragmentCompleted:
                if (!pass_drawn()) return Step::Fault;
                break;
        }
        f.begin(i.signal_slot, Kind::Other, i.wait_mask);
        return Step::Next;
    }
};

void FrontEnd::add_starts(Handlers* handlers) {
    using namespace hw;
    add<Starts, CsRunIdvs, CsRunFullscreen, CsRunTiling, CsRunCompute, CsRunComputeIndirect, CsRunFragment,
        CsHeapSet, CsFinishTiling, CsFinishFragment, CsHeapOperation>(handlers);
}

}  // namespace terrazzo::mali::sim
