// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/common/context/recording_context.h"

#include <new>
#include <string>
#include <utility>

#include "drivers/common/context/pass_desc.h"
#include "drivers/common/context/state_context.h"
#include "drivers/common/memory/fence.h"

namespace terrazzo::contexts {

using memory::QueueState;
using memory::WaitResult;

void RecordingContext::unsupported(const char* what) const {
    log_(pipe::Severity::Error, std::string(device_.vendor) + ": " + what +
                                    " is not supported by this driver yet; the command has no effect");
}

// --- passes ------------------------------------------------------------------------------------------------

RecordingContext::PausedPass::PausedPass(RecordingContext& c, bool drops) : context_(c) {
    const pipe::RenderPassDesc* const now = c.in_pass_ ? c.open_pass() : nullptr;
    open_ = now != nullptr;
    if (open_) {
        desc_ = *now;
        for (uint32_t i = 0; i < desc_.color_count; ++i)
            held_[i] = pipe::Ref<pipe::Resource>(desc_.color[i].resource);
        held_.back() = pipe::Ref<pipe::Resource>(desc_.depth_stencil.resource);
        load_all(&desc_);
    }
    if (drops)
        c.drop_pass();
    else
        c.end_pass(open_);
    if (open_) c.in_pass_ = false;
}

RecordingContext::PausedPass::~PausedPass() noexcept(false) {
    if (open_) context_.in_pass_ = true;
    if (std::uncaught_exceptions() != exceptions_) return;
    context_.resume_pass(open_ ? &desc_ : nullptr);
}

// --- submissions -------------------------------------------------------------------------------------------

bool RecordingContext::submit() {
    const pipe::RenderPassDesc* const open = in_pass_ ? open_pass() : nullptr;
    if (open && device_.tells_slow())
        device_.slow("a pass of %ux%u pixels is stored and loaded again: it was interrupted by other work",
                     open->width, open->height);
    bool done = false;
    {
        const PausedPass paused(*this);
        recording().retire();
        done = hand_over();
        if (!done) {
            note_loss();
            set_reset(recording().lost());
        }
    }
    if (device_.debug.has(pipe::DebugWord::Sync) && recording().finish() == WaitResult::Lost) look_for_loss();
    return done;
}

void RecordingContext::finish() {
    (void)submit();
    if (recording().finish() == WaitResult::Lost) look_for_loss();
}

void RecordingContext::submit_last() {
    try {
        in_pass_ = false;
        (void)submit();
    } catch (const std::bad_alloc&) {
        log_(pipe::Severity::Error,
             std::string(device_.vendor) + ": out of memory: the last draws of a context are lost");
    }
}

void RecordingContext::set_reset(QueueState state) {
    if (state == QueueState::Guilty) reset_ = pipe::ResetStatus::Guilty;
    if (state == QueueState::Innocent) reset_ = pipe::ResetStatus::Innocent;
}

void RecordingContext::look_for_loss() {
    const QueueState state = recording().queue().take_state();
    if (state == QueueState::Usable) return;
    note_loss();
    set_reset(state);
    const PausedPass paused(*this, true);
    recording().discard();
}

pipe::ResetStatus RecordingContext::reset_status() {
    look_for_loss();
    return std::exchange(reset_, pipe::ResetStatus::None);
}

// --- fences ------------------------------------------------------------------------------------------------

pipe::Ref<pipe::Fence> RecordingContext::flush() {
    (void)submit();
    return pipe::Ref<pipe::Fence>::adopt(
        new (std::nothrow) memory::Fence({recording().timeline(), recording().last_point()}));
}

void RecordingContext::wait_fence(pipe::Fence& fence) {
    const memory::Fence& f = static_cast<memory::Fence&>(fence);
    if (!f.point.value || f.point.timeline.get() == recording().timeline().get()) return;
    (void)submit();
    recording().wait_for(f.point);
}

const char* group_name(pipe::Stage s, Group g) {
    if (s != pipe::Stage::Vertex && s != pipe::Stage::Fragment)
        return "a stage other than vertex and fragment";
    switch (g) {
        case Group::Blocks:
            return "a uniform block";
        case Group::Storage:
            return "a storage buffer or an image of a shader";
        case Group::Uniforms:
        case Group::Textures:
        case Group::Order:
            break;
    }
    return "a texture or a uniform of this stage";
}

}  // namespace terrazzo::contexts
