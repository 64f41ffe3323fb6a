// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A queue (queue/mod.rs, workqueue.rs): its commands, in three work queues of the GPU. Under the device's
// lock, except where a comment says otherwise.
//
// A submit waits for its syncobjs and then starts its commands; the submits of a queue start in order. Within
// a work queue, commands run in order. A command also waits for what its barriers name. The fragment work of
// a render waits for its vertex work.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "winsys/virtual/asahi/vm.h"
#include "winsys/virtual/jobs/gpu_run_group.h"
#include "winsys/virtual/jobs/sync_list.h"

namespace terrazzo::winsys::virt::asahi {

/// A part of an object to which the GPU writes timestamps.
struct TimestampBuffer {
    std::shared_ptr<BufferObject> bo;
    uint64_t offset_B, size_B;
};
struct TimestampWrite {
    std::shared_ptr<TimestampBuffer> buffer;  // null: none
    uint32_t offset_B = 0;
};

/// Vertex, fragment or compute work of a command, and what became of it.
struct Part {
    TimestampWrite start, end;
    uint64_t start_ns = 0, end_ns = 0;
    Exception exception = Exception::None;
    uint64_t address = 0;
    std::shared_ptr<Fence> done;
};

/// The subqueues that barriers name.
enum class Subqueue : uint8_t { Vdm, Cdm };
constexpr uint32_t kNoBarrier = UINT32_MAX;

struct Command {
    std::variant<RenderCommand, ComputeCommand> registers;
    /// For each subqueue: kNoBarrier, 0 (all work of earlier submits), or how many of this submit's commands.
    std::array<uint32_t, 2> barriers{kNoBarrier, kNoBarrier};
    std::array<Part, 2> parts;  // vertex and fragment work; or compute work
    /// Called when all parts have ended. May be empty.
    std::function<void(const Command&)> on_end;
    std::unique_ptr<Record> record;
    [[nodiscard]] bool is_render() const { return std::holds_alternative<RenderCommand>(registers); }
};
using Commands = std::vector<std::shared_ptr<Command>>;

/// What the user chose when it created a queue.
struct QueueTraits {
    uint8_t priority = 0;  // the highest runs first
    bool renders = true, computes = true;
    uint64_t usc_exec_base = 0;
};

class Driver;

class Group final : public GpuRunGroup, public std::enable_shared_from_this<Group> {
  public:
    /// `file` owns it.
    Group(Driver& driver, const void* file, std::shared_ptr<Vm> vm, const QueueTraits& traits,
          uint64_t number);

    [[nodiscard]] const void* file() const { return file_; }
    /// The commands' registers have been checked, and their barriers name commands before them. Returns 0, or
    /// -ENOMEM: nothing was submitted.
    [[nodiscard]] int submit(const Commands& commands, SyncList& syncs);
    /// The user has destroyed the queue: submits that still wait for syncobjs are cancelled, the others run.
    void close();

    // RunGroup.
    uint8_t run_priority() const override { return traits.priority; }
    bool can_run() const override;
    RunResult run(RunQueue& queue, const Job& head) override;
    void fatal(RunQueue& queue, const RunResult& result) override;
    void time_out(RunQueue& queue) override;
    void lose() override;
    std::string name_of(const RunQueue& queue) const override;
    const char* exception_name(uint32_t exception) const override;
    /// A job has ended.
    void ended();

    const QueueTraits traits;

    int lost_error(const RunQueue& queue) const override;

  private:
    [[nodiscard]] bool is_idle() const;
    [[nodiscard]] int place(Command& command);

    Driver& driver_;
    const void* const file_;
    const std::shared_ptr<Vm> vm_;
    const uint64_t number_;
    std::array<std::shared_ptr<Fence>, 2> last_;  // of each subqueue; null: it never had work
    std::shared_ptr<Fence> started_;              // signals when the last submit may start; null: it may
    std::array<uint64_t, kWorkQueues> numbers_{};
    bool closing_ = false;
};

}  // namespace terrazzo::winsys::virt::asahi
