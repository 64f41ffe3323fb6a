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
    uint64_t value = 0;  // valid when the context's queue has completed `seq`
    uint64_t begin = 0;  // the clock, or the context's count of primitives
    uint64_t seq = 0;    // the last queued pass that counts for it
};

/// Base of all fences of a SoftScreen.
class AnyFence : public pipe::Fence {
  public:
    /// Whether the fence is another process' or device's: no time limit of ours ends it.
    const bool foreign;

  protected:
    explicit AnyFence(bool f) : foreign(f) {}
};

class SoftFence final : public AnyFence {
  public:
    SoftFence(pipe::Ref<JobQueue> q, std::shared_ptr<const SyncFile> signalled)
        : AnyFence(false), queue(std::move(q)), signalled_(std::move(signalled)) {}
    /// May draw tiles while it waits.
    [[nodiscard]] bool wait(uint64_t timeout_ns) override { return queue->wait(seq, timeout_ns); }
    /// The kernel has no fences of the CPU, so an exported fence must be signalled: waits until the work is
    /// done.
    [[nodiscard]] int export_fd() override {
        return signalled_ && wait(kForever) ? signalled_->duplicate() : -1;
    }
    const pipe::Ref<JobQueue> queue;
    uint64_t seq = 0;

  private:
    const std::shared_ptr<const SyncFile> signalled_;
};

/// A fence of another process or device.
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
