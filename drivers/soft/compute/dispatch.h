// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Runs a compute shader's workgroups on the screen's threads. A workgroup stays on one thread. Without
// barriers it is one call; with barriers each row of lanes is a call, and the calls take turns (fibers.h).
#pragma once

#include <memory>
#include <vector>

#include "drivers/soft/compute/fibers.h"
#include "drivers/soft/programs/shader_memory.h"
#include "drivers/soft/screen/thread_pool.h"
#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

/// The most invocations of a workgroup, which the screen's caps report.
inline constexpr uint32_t kMaxWorkgroup = 1024;

/// gl_LocalInvocationID and gl_LocalInvocationIndex of all invocations of a workgroup, in the layout of
/// ComputeArgs.
class LocalIds {
  public:
    /// Throws std::bad_alloc.
    explicit LocalIds(const uint32_t size[3]);
    [[nodiscard]] uint32_t count() const { return count_; }
    [[nodiscard]] const uint32_t* row(unsigned n) const { return &words_[n * stride_]; }

  private:
    uint32_t count_, stride_;
    std::vector<uint32_t> words_;
};

/// The common state of a dispatch's workgroups.
struct Workgroups {
    const CompiledShader* code = nullptr;
    const LocalIds* ids = nullptr;
    uint32_t shared_B = 0;
    ComputeArgs args = {};  // groups and the stage's resources; the dispatcher fills in the rest
};

class Dispatcher final : PoolJob {
  public:
    /// Throws std::bad_alloc.
    explicit Dispatcher(pipe::Ref<ThreadPool> pool);
    ~Dispatcher() override;

    /// Runs all workgroups and returns when they have ended or the watch has stopped them. Throws
    /// std::bad_alloc.
    void run(const Workgroups& w);

  private:
    /// A thread's state.
    struct Worker {
        ShaderMemory memory;
        Fibers fibers;
        std::unique_ptr<uint8_t[]> bytes;  // shared memory, then the arrays of each call
        size_t bytes_B = 0;
        uint8_t* shared = nullptr;
        uint8_t* arrays = nullptr;
    };
    /// A call of a shader with barriers.
    struct Call {
        ComputeArgs args;  // must be first: wait() receives its address
        Fibers* fibers;
    };

    void work(unsigned worker, TileWorker& scratch) override;
    void finish() override {}
    void prepare(Worker& w) const;
    void run_item(Worker& w, std::vector<Call>& calls, uint32_t item) const;
    void run_waiting(Worker& w, std::vector<Call>& calls, const ComputeArgs& args) const;

    const pipe::Ref<ThreadPool> pool_;
    const pipe::Ref<JobQueue> queue_;
    std::vector<std::unique_ptr<Worker>> workers_;  // each is created by its own thread
    // The current dispatch:
    const Workgroups* now_ = nullptr;
    uint64_t total_ = 0, per_item_ = 0;
    uint32_t calls_ = 0;  // per workgroup
    size_t array_B_ = 0;  // per call
    std::atomic<bool> failed_{false};
};

}  // namespace terrazzo::soft
