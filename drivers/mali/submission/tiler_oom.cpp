// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Facts: Mesa 25.0.7, src/gallium/drivers/panfrost/pan_csf.c (the steps of a handler and their order) and
// src/panfrost/vulkan/csf/panvk_vX_exception_handler.c (a vertex queue must request the fragment resource).
#include "drivers/mali/submission/tiler_oom.h"

#include <new>

#include "drivers/mali/device.h"

namespace terrazzo::mali {
namespace {

using hw::FragmentRegisters;

// Registers 40 to 55, an OomContext's first 64 bytes.
constexpr unsigned kFirst = 40, kCount = 16;
constexpr unsigned kReads = 44, kWaits = 46, kCounter = 47, kMiddle = 48, kTiler = 50, kSequence = 52,
                   kAbove = 54;
// Registers of these that the handler reuses once their value was read.
constexpr unsigned kFlushId = kWaits, kZero = 48, kCompletedTop = 52, kCompletedBottom = 54;
constexpr uint32_t kLoadStore = 1u << kSlotLoadStore, kDeferred = 1u << kSlotDeferred,
                   kRun = 1u << kSlotHandler;
// Byte offsets in a TilerContext.
constexpr int kPolygonList_B = 0, kCompleted_B = kTilerCompleted_B;

static_assert(offsetof(OomContext, reads_drawn) == 4 * (kReads - kFirst));
static_assert(offsetof(OomContext, waits) == 4 * (kWaits - kFirst));
static_assert(offsetof(OomContext, counter) == 4 * (kCounter - kFirst));
static_assert(offsetof(OomContext, middle_framebuffer) == 4 * (kMiddle - kFirst));
static_assert(offsetof(OomContext, tiler_context) == 4 * (kTiler - kFirst));
static_assert(offsetof(OomContext, sequence_va) == 4 * (kSequence - kFirst));
static_assert(offsetof(OomContext, sequence_above) == 4 * (kAbove - kFirst));
static_assert(FragmentRegisters::framebuffer == kFirst);

constexpr unsigned kHandlerAddress = 80, kHandlerLength = 82;  // scratch

void wait_for_passes_before(CsBuilder& b) {
    b.if_(hw::CsCondition::Greater, kWaits, [](CsBuilder& c) {
        c.emit(hw::CsSyncWait64{.condition = hw::CsCondition::Greater, .data = kAbove, .address = kSequence});
    });
}

void draw(CsBuilder& b) {
    b.if_(hw::CsCondition::Greater, kReads, [](CsBuilder& c) {
        c.set32(kFlushId, 0);
        c.emit(hw::CsFlushCache2{.l2_flush_mode = hw::CsFlushMode::CleanAndInvalidate,
                                 .lsc_flush_mode = hw::CsFlushMode::CleanAndInvalidate,
                                 .other_invalidate = true,
                                 .latest_flush_id = kFlushId,
                                 .signal_slot = kSlotDeferred});
        c.wait(kDeferred);
    });
    b.if_(hw::CsCondition::Greater, kCounter, [](CsBuilder& c) {
        c.emit(hw::CsAddImmediate64{
            .immediate = 0, .source = kMiddle, .destination = FragmentRegisters::framebuffer});
    });
    b.emit(hw::CsReqResource{.fragment = true});
    b.set_slots(kSlotHandler, kSlotLoadStore);
    b.emit(hw::CsRunFragment{});
    b.wait(kRun);
    b.set_slots(kSlotIterators, kSlotLoadStore);
    b.emit(hw::CsReqResource{.tiler = true, .idvs = true});
    b.emit(hw::CsAddImmediate32{.immediate = 1, .source = kCounter, .destination = kCounter});
    b.store(kCounter, 1, kOomContextRegister, offsetof(OomContext, counter));
}

void give_heap_back(CsBuilder& b) {
    b.load(kCompletedTop, 4, kTiler, kCompleted_B);
    b.wait(kLoadStore);
    b.emit(hw::CsFinishFragment{.last_heap_chunk = kCompletedBottom,
                                .first_heap_chunk = kCompletedTop,
                                .signal_slot = kSlotDeferred});
    // An empty polygon list.
    b.set64(kZero, 0);
    b.store(kZero, 2, kTiler, kPolygonList_B);
    b.store(kZero, 2, kTiler, kCompleted_B);
    b.store(kZero, 2, kTiler, kCompleted_B + 8);
}

void write_handler(CsBuilder& b) {
    b.assume_set(0, 64);
    b.assume_set(kOomContextRegister, 2);
    b.store(kFirst, kCount, kOomContextRegister, offsetof(OomContext, saved));
    b.wait(kLoadStore);
    b.load(kFirst, kCount, kOomContextRegister, 0);
    b.wait(kLoadStore);
    wait_for_passes_before(b);
    b.if_(hw::CsCondition::Nequal, FragmentRegisters::framebuffer, [](CsBuilder& c) {
        draw(c);
        give_heap_back(c);
        // The next draw loads the attachments that this one stored: invalidate the texture caches.
        c.emit(hw::CsFlushCache2{
            .other_invalidate = true, .latest_flush_id = kZero, .signal_slot = kSlotDeferred});
        c.wait(kLoadStore | kDeferred);
    });
    b.load(kFirst, kCount, kOomContextRegister, offsetof(OomContext, saved));
    b.wait(kLoadStore);
}

}  // namespace

std::unique_ptr<TilerOomHandler> TilerOomHandler::create(Device& device) {
    try {
        std::unique_ptr<TilerOomHandler> handler(new TilerOomHandler);
        Pool pool(pipe::Ref<Device>(&device), 4096);
        CsBuilder b(pool);
        write_handler(b);
        const uint64_t size_B = b.emitted_B();
        handler->stream_ = b.finish();
        assert(handler->stream_.size_B == size_B && "a handler is one chunk");
        (void)size_B;
        pool.detach_chunks(&handler->code_);
        return handler;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void TilerOomHandler::install(CsBuilder& b) const {
    b.set64(kHandlerAddress, stream_.va);
    b.set32(kHandlerLength, stream_.size_B);
    b.emit(hw::CsSetExceptionHandler{.exception_type = hw::CsExceptionType::TilerOom,
                                     .length = kHandlerLength,
                                     .address = kHandlerAddress});
}

void TilerOomHandler::choose_framebuffer(CsBuilder& b, uint64_t context_va, uint64_t whole, uint64_t last) {
    b.set64(kHandlerAddress, context_va);
    b.load(kHandlerLength, 1, kHandlerAddress, offsetof(OomContext, counter));
    b.set64(FragmentRegisters::framebuffer, whole);
    b.wait(kLoadStore);
    b.if_(hw::CsCondition::Greater, kHandlerLength,
          [&](CsBuilder& c) { c.set64(FragmentRegisters::framebuffer, last); });
}

}  // namespace terrazzo::mali
