// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Queries and fences.
#pragma once

#include <memory>

#include "drivers/soft/resources/sync_file.h"
#include "drivers/soft/screen/thread_pool.h"
#include "pipe/context.h"
#include "winsys/drm/sync_file.h"

namespace terrazzo::soft {

class SoftQuery final : public pipe::Query {
  public:
    explicit SoftQuery(pipe::QueryKind k) : Query(k) {}
    uint64_t value = 0;  // complete when the context's queue has done seq
    uint64_t begin = 0;  // the clock, or the context's count of primitives
    uint64_t seq = 0;    // of the last queued pass that counts for it
};

/// All fences of a SoftScreen.
class AnyFence : public pipe::Fence {
  public:
    /// Whether it is of somebody else's work, which no limit of ours ends.
    const bool foreign;

  protected:
    explicit AnyFence(bool f) : foreign(f) {}
};

class SoftFence final : public AnyFence {
  public:
    SoftFence(pipe::Ref<JobQueue> q, std::shared_ptr<const SyncFile> signalled)
        : AnyFence(false), queue(std::move(q)), signalled_(std::move(signalled)) {}
    /// Draws tiles while it waits for ever.
    [[nodiscard]] bool wait(uint64_t timeout_ns) override { return queue->wait(seq, timeout_ns); }
    /// The kernel has no fence of the CPU: what comes out is signalled, so it comes when the work is done.
    [[nodiscard]] int export_fd() override {
        return signalled_ && wait(kForever) ? signalled_->duplicate() : -1;
    }
    const pipe::Ref<JobQueue> queue;
    uint64_t seq = 0;

  private:
    const std::shared_ptr<const SyncFile> signalled_;
};

/// Of somebody else's work.
class ImportedFence final : public AnyFence {
  public:
    explicit ImportedFence(SyncFile file) : AnyFence(true), file_(std::move(file)) {}
    [[nodiscard]] bool wait(uint64_t timeout_ns) override {
        return winsys::wait_for_sync_file(file_.fd(), timeout_ns);
    }
    [[nodiscard]] int export_fd() override { return file_.duplicate(); }

  private:
    const SyncFile file_;
};

}  // namespace terrazzo::soft
