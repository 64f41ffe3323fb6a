// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What every vendor's context does with recorded work: submissions, fences, device loss, queries, and the
// pass that is open meanwhile. Nothing here is called for each draw, so a vendor's part is virtual.
#pragma once

#include <array>
#include <exception>

#include "drivers/common/context/queries.h"
#include "drivers/common/submission/queued_recording.h"
#include "pipe/context.h"

namespace terrazzo::contexts {

class RecordingContext : public pipe::Context {
  public:
    pipe::Ref<pipe::Fence> flush() final;
    void wait_fence(pipe::Fence& fence) final;
    [[nodiscard]] int priority() const final {
        return const_cast<RecordingContext*>(this)->recording().queue().priority();
    }
    [[nodiscard]] pipe::ResetStatus reset_status() final;

    [[nodiscard]] pipe::Ref<pipe::Query> create_query(pipe::QueryKind kind) final {
        return queries_.create(kind);
    }
    void begin_query(pipe::Query& q) final { queries_.begin(static_cast<Query&>(q)); }
    void end_query(pipe::Query& q) final { queries_.end(static_cast<Query&>(q)); }
    [[nodiscard]] bool query_result(pipe::Query& q, bool wait, uint64_t* out) final {
        return queries_.result(static_cast<Query&>(q), wait, out);
    }

    // --- for the parts of a vendor's context

    /// Ends the pass and submits all recorded work. An open pass continues in a new one. False: the work was
    /// lost.
    bool submit();
    /// Ends the pass that can still be drawn into, if any. `goes_on`: a new pass will continue it, so all
    /// contents must be stored.
    virtual void end_pass(bool goes_on = false) = 0;

    // --- for Queries, and implemented by a vendor

    [[nodiscard]] virtual submission::QueuedRecording& recording() = 0;
    [[nodiscard]] virtual CountLayout count_layout(pipe::QueryKind kind) const = 0;
    /// Called when a query that the device counts has begun or ended.
    virtual void counting_changes(const Query&) {}
    /// Submits, and waits until the device has completed all work.
    void finish();
    [[gnu::cold]] void unsupported(const char* what) const;

  protected:
    RecordingContext(pipe::Screen& screen, memory::Device& device, const pipe::ContextDesc& desc)
        : Context(screen), log_(desc.log.write ? desc.log : device.log()), device_(device) {}

    /// If the queue was lost: notes that, and discards the recorded work.
    void look_for_loss();
    /// For a vendor's destructor.
    void submit_last();

    /// While it lives no pass is open, so that other kinds of work can be recorded and submitted. The
    /// destructor continues the pass in a new one, which loads what was drawn, unless an exception is in
    /// flight.
    class PausedPass {
      public:
        explicit PausedPass(RecordingContext& c) : PausedPass(c, false) {}
        PausedPass(const PausedPass&) = delete;
        PausedPass& operator=(const PausedPass&) = delete;
        ~PausedPass() noexcept(false);

      private:
        friend class RecordingContext;
        /// `drops`: the pass is discarded, and what it has drawn is lost.
        PausedPass(RecordingContext& c, bool drops);

        RecordingContext& context_;
        const int exceptions_ = std::uncaught_exceptions();
        bool open_ = false;
        pipe::RenderPassDesc desc_;
        // References to targets that only the pass holds, until it begins again.
        std::array<pipe::Ref<pipe::Resource>, pipe::kMaxColorTargets + 1> held_;
    };

    /// Ends the pass and begins it again: work recorded for the open pass becomes part of the recorded
    /// stream.
    void restart_pass() { const PausedPass paused(*this); }

    // --- a vendor's part
    /// Discards the pass that can still be drawn into, and all that was recorded for it.
    virtual void drop_pass() = 0;
    /// The pass that draws go into now; null: none.
    [[nodiscard]] virtual const pipe::RenderPassDesc* open_pass() const = 0;
    /// Called after end_pass() and other work. Begins the pass; null: there is none.
    virtual void resume_pass(const pipe::RenderPassDesc* desc) = 0;
    /// Called outside of passes.
    [[nodiscard]] virtual bool hand_over() { return recording().submit(); }
    /// Called when recorded or submitted work is lost.
    virtual void note_loss() {}

    const pipe::Log log_;
    bool in_pass_ = false;  // between begin_render_pass and end_render_pass
    Queries queries_{*this};

  private:
    void set_reset(memory::QueueState state);

    memory::Device& device_;
    pipe::ResetStatus reset_ = pipe::ResetStatus::None;
};

}  // namespace terrazzo::contexts
