// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Workgroups of a compute shader, spread over the screen's threads. A workgroup stays on one thread: without barriers it
// is one call, with barriers a call for each row of lanes, which take turns (fibers.h).
#pragma once

#include <memory>
#include <vector>

#include "drivers/soft/compute/fibers.h"
#include "drivers/soft/programs/shader_memory.h"
#include "drivers/soft/screen/thread_pool.h"
#include "drivers/soft/shader_abi.h"

namespace terrazzo::soft {

/// The invocations of a workgroup that a screen's caps let a shader have.
inline constexpr uint32_t kMaxWorkgroup = 1024;

/// gl_LocalInvocationID and gl_LocalInvocationIndex of all invocations of a workgroup, as ComputeArgs wants them.
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

/// What all workgroups of a dispatch have in common.
struct Workgroups {
    const CompiledShader* code = nullptr;
    const LocalIds* ids = nullptr;
    uint32_t shared_B = 0;
    ComputeArgs args = {};  // groups, and what a stage reads; the rest is filled in here
};

class Dispatcher final : PoolJob {
  public:
    /// Throws std::bad_alloc.
    explicit Dispatcher(pipe::Ref<ThreadPool> pool);
    ~Dispatcher() override;

    /// Runs all of them and returns when they have ended, or the watch has stopped them. Throws std::bad_alloc.
    void run(const Workgroups& w);

  private:
    /// Of one thread.
    struct Worker {
        ShaderMemory memory;
        Fibers fibers;
        std::unique_ptr<uint8_t[]> bytes;  // shared memory, then the arrays of each call
        size_t bytes_B = 0;
        uint8_t* shared = nullptr;
        uint8_t* arrays = nullptr;
    };
    /// A call with barriers.
    struct Call {
        ComputeArgs args;  // first: wait() gets its address
        Fibers* fibers;
    };

    void work(unsigned worker, TileWorker& scratch) override;
    void finish() override {}
    void prepare(Worker& w) const;
    void run_item(Worker& w, std::vector<Call>& calls, uint32_t item) const;
    void run_waiting(Worker& w, std::vector<Call>& calls, const ComputeArgs& args) const;

    const pipe::Ref<ThreadPool> pool_;
    const pipe::Ref<JobQueue> queue_;
    std::vector<std::unique_ptr<Worker>> workers_;  // made by their threads
    // Of what is being run:
    const Workgroups* now_ = nullptr;
    uint64_t total_ = 0, per_item_ = 0;
    uint32_t calls_ = 0;  // of a workgroup
    size_t array_B_ = 0;  // of a call
    std::atomic<bool> failed_{false};
};

}  // namespace terrazzo::soft
