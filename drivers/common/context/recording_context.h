// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What every vendor's context does with what it records: submissions, fences, loss, queries, and the pass
// that is open meanwhile.
// Nothing here is called for each draw, so that what a vendor adds are virtual functions.
#pragma once

#include <array>
#include <exception>

#include "drivers/common/context/query.h"
#include "drivers/common/submission/queued_recording.h"
#include "pipe/context.h"

namespace terrazzo::contexts {

class RecordingContext : public pipe::Context {
  public:
    pipe::Ref<pipe::Fence> flush(uint32_t flags) final;
    void wait_fence(pipe::Fence& fence) final;
    [[nodiscard]] int priority() const final {
        return const_cast<RecordingContext*>(this)->recording().queue().priority();
    }
    [[nodiscard]] pipe::ResetStatus reset_status() final;

    [[nodiscard]] pipe::Ref<pipe::Query> create_query(pipe::QueryKind) final;
    void begin_query(pipe::Query&) final;
    void end_query(pipe::Query&) final;
    [[nodiscard]] bool query_result(pipe::Query&, bool wait, uint64_t* out) final;

    // --- for the objects of which a vendor's context consists

    /// Ends the pass and hands all that is recorded to the kernel; an open pass goes on in a new one. False:
    /// it was lost.
    bool submit();
    /// Ends what may still be drawn into, if anything. `goes_on`: a new pass continues it, so that all
    /// contents are wanted.
    virtual void end_pass(bool goes_on = false) = 0;

  protected:
    RecordingContext(pipe::Screen& screen, memory::Device& device, const pipe::ContextDesc& desc)
        : Context(screen), log_(desc.log.write ? desc.log : device.log()), device_(device) {}

    /// submit(), and waits for it.
    void finish();
    /// A lost queue takes what is recorded for it along.
    void look_for_loss();
    /// Of a vendor's destructor.
    void submit_last();
    void unsupported(const char* what) const;

    /// While it lives no pass is open: work of other kinds can be recorded, and submitted. The one that was
    /// goes on in a new one then,
    /// which loads what was drawn, but for an exception.
    class PausedPass {
      public:
        explicit PausedPass(RecordingContext& c) : PausedPass(c, false) {}
        PausedPass(const PausedPass&) = delete;
        PausedPass& operator=(const PausedPass&) = delete;
        ~PausedPass() noexcept(false);

      private:
        friend class RecordingContext;
        /// `drops`: what it has drawn is lost.
        PausedPass(RecordingContext& c, bool drops);

        RecordingContext& context_;
        const int exceptions_ = std::uncaught_exceptions();
        bool open_ = false;
        pipe::RenderPassDesc desc_;
        // Objects that the pass alone holds live until it begins again.
        std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> held_;
    };

    /// What is recorded on the open pass is in the submission then.
    void restart_pass() { const PausedPass paused(*this); }

    // --- a vendor's part
    [[nodiscard]] virtual submission::QueuedRecording& recording() = 0;
    /// Forgets what may still be drawn into, and what was recorded on it.
    virtual void drop_pass() = 0;
    /// What draws go into now; null: nothing.
    [[nodiscard]] virtual const pipe::RenderPassDesc* open_pass() const = 0;
    /// Behind end_pass() and what was recorded since: begins the pass, or (null) there is none.
    virtual void resume_pass(const pipe::RenderPassDesc* desc) = 0;
    /// Outside of passes.
    [[nodiscard]] virtual bool hand_over() { return recording().submit(); }
    /// Recorded or submitted work is lost.
    virtual void note_loss() {}
    [[nodiscard]] virtual CountLayout count_layout(pipe::QueryKind kind) const = 0;
    /// A query that the device counts has begun, or ended.
    virtual void counting_changes(const Query& q) = 0;

    const pipe::Log log_;
    bool in_pass_ = false;  // between begin_render_pass and end_render_pass
    OpenQueries queries_;
    uint64_t primitives_ = 0;  // that draws had; counted where count_layout() leaves that to the CPU

  private:
    void set_reset(memory::QueueState state);

    memory::Device& device_;
    pipe::ResetStatus reset_ = pipe::ResetStatus::None;
};

}  // namespace terrazzo::contexts
