// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/soft/code/tiers.h"

#include <pthread.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <deque>
#include <mutex>
#include <new>
#include <vector>

#include "pipe/debug.h"
#include "shaders/ir/stored.h"
#include "shaders/own_stack.h"

namespace terrazzo::soft {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;
/// The nice value of the compiling thread. Not the lowest priority: on a busy machine the thread would hardly
/// run, and destroying a screen waits for the current compilation.
constexpr int kNice = 10;
/// LLVM's recursion depends on the shader. Its frames touch their pages in any order, so the guard is large
/// enough that they cannot jump over it.
constexpr size_t kCompilerStack_B = shaders::kOwnStack_B, kCompilerGuard_B = size_t(1) << 20;

/// A shader that is queued for the second tier. Shared by the shader and the queue.
struct Job {
    std::shared_ptr<const ir::StoredShader> ir;  // owned by the compiling thread once it is queued
    std::unique_ptr<const CompiledShader> made;
    std::atomic<const CompiledShader*> better = nullptr;  // `made`, once it is ready
    std::atomic<bool> abandoned = false;                  // the shader was destroyed
    std::atomic<uint32_t> draws = 0;
};

void compile_better(ShaderCompiler& second, Job& job) {
    if (job.abandoned.load(kRelaxed) || !job.ir) return;
    try {
        job.made = second.make(job.ir, {});
    } catch (const std::bad_alloc&) {
        // The first tier's code stays in use.
    }
    job.ir.reset();
    if (job.made && job.made->interpreted) job.made.reset();
    if (job.made) job.better.store(job.made.get(), std::memory_order_release);
}

class Worker;

/// The process' workers that have a thread: none may compile while static objects are destroyed.
struct Workers {
    std::mutex mutex;
    std::vector<Worker*> list;
    bool at_exit = false, ended = false;
    const pid_t process = getpid();
};
Workers& workers() {
    static Workers* const kWorkers = new Workers;  // used until the very end
    return *kWorkers;
}

class Worker {
  public:
    explicit Worker(ShaderCompiler& second) : second_(second) {}
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// Thread: any.
    void add(std::shared_ptr<Job> job);
    /// Waits for the current compilation and drops the queue.
    void stop();

  private:
    /// Separate from the worker because a forked child must leak it: its mutex may be locked for ever.
    struct State {
        std::mutex mutex;
        std::condition_variable wake;
        std::deque<std::shared_ptr<Job>> queue;  // the mutex guards the queue and the members below
        bool started = false, stop = false;
        pthread_t thread{};
        id_t id = 0;  // the kernel's id of the thread, once it runs
        const pid_t process = getpid();
    };
    static void* run(void* worker);
    void work();
    bool start();

    ShaderCompiler& second_;
    Workers& all_ = workers();  // created here, where out of memory can be handled, not in the destructor
    State* const state_ =
        std::make_unique<State>().release();  // if memory runs out, the constructed part is freed
};

void stop_all() {
    Workers& all = workers();
    if (all.process != getpid()) return;
    const std::lock_guard lock(all.mutex);
    all.ended = true;
    for (Worker* w : all.list)
        w->stop();
}

void* Worker::run(void* worker) {
    pthread_setname_np(pthread_self(), "terrazzo-tier2");
    setpriority(PRIO_PROCESS, id_t(syscall(SYS_gettid)), std::max(getpriority(PRIO_PROCESS, 0), kNice));
    static_cast<Worker*>(worker)->work();
    return nullptr;
}

void Worker::work() {
    State& s = *state_;
    std::unique_lock lock(s.mutex);
    s.id = id_t(syscall(SYS_gettid));
    for (;;) {
        s.wake.wait(lock, [&] { return s.stop || !s.queue.empty(); });
        if (s.stop) return;
        std::shared_ptr<Job> job = std::move(s.queue.front());
        s.queue.pop_front();
        lock.unlock();
        compile_better(second_, *job);
        job.reset();
        lock.lock();
    }
}

/// The thread blocks all signals: they belong to the program. Both mutexes are locked.
bool Worker::start() {
    if (all_.ended) return false;
    all_.list.reserve(all_.list.size() + 1);
    if (!all_.at_exit) all_.at_exit = std::atexit(stop_all) == 0;
    sigset_t blocked, before;
    sigfillset(&blocked);
    pthread_sigmask(SIG_BLOCK, &blocked, &before);
    pthread_attr_t attributes;
    bool started = pthread_attr_init(&attributes) == 0;
    if (started) {
        pthread_attr_setstacksize(&attributes, kCompilerStack_B);
        pthread_attr_setguardsize(&attributes, kCompilerGuard_B);
        started = pthread_create(&state_->thread, &attributes, run, this) == 0;
        pthread_attr_destroy(&attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (started) all_.list.push_back(this);
    return started;
}

void Worker::add(std::shared_ptr<Job> job) {
    State& s = *state_;
    if (s.process != getpid()) return;
    {
        const std::lock_guard lock(s.mutex);
        if (s.stop) return;
        s.queue.push_back(std::move(job));
        if (s.started) return s.wake.notify_one();
    }
    // The order of locks is the same as at the process' end: first the list of workers, then one worker.
    const std::lock_guard all(all_.mutex);
    const std::lock_guard lock(s.mutex);
    if (!s.stop && !s.started) s.started = start();
    s.wake.notify_one();
}

void Worker::stop() {
    State& s = *state_;
    // A forked child: the thread does not exist here, and the mutex may be locked.
    if (s.process != getpid()) return;
    bool join;
    {
        const std::lock_guard lock(s.mutex);
        join = s.started;
        s.started = false;
        s.stop = true;
        s.queue.clear();
        // The caller must not wait for other work of higher priority, so the thread gets the caller's
        // priority. Some processes are not permitted to do this.
        if (join && s.id) setpriority(PRIO_PROCESS, s.id, getpriority(PRIO_PROCESS, 0));
    }
    s.wake.notify_one();
    if (join) pthread_join(s.thread, nullptr);
}

Worker::~Worker() {
    if (state_->process != getpid()) return;
    {
        const std::lock_guard lock(all_.mutex);
        std::erase(all_.list, this);
    }
    stop();
    delete state_;
}

class TieredShader final : public CompiledShader {
  public:
    TieredShader(std::unique_ptr<const CompiledShader> first, std::shared_ptr<Job> job,
                 std::shared_ptr<Worker> worker, ShaderCompiler* second, uint32_t draws)
        : first_(std::move(first)),
          job_(std::move(job)),
          worker_(std::move(worker)),
          second_(second),
          draws_(draws) {
        static_cast<ShaderFacts&>(*this) = *first_;
        self = first_->self;
        vertex = first_->vertex;
        fragment = first_->fragment;
        compute = first_->compute;
    }
    ~TieredShader() override { job_->abandoned.store(true, kRelaxed); }

    const CompiledShader& current() const override {
        if (const CompiledShader* better = job_->better.load(std::memory_order_acquire)) return *better;
        // Two threads may count the same draw; only one of them reaches the number.
        if (job_->draws.load(kRelaxed) < draws_ && job_->draws.fetch_add(1, kRelaxed) + 1 == draws_)
            improve();
        return *this;
    }

  private:
    void improve() const {
        if (second_) return compile_better(*second_, *job_);
        try {
            worker_->add(job_);
        } catch (const std::bad_alloc&) {
            // The first tier's code is slower, but correct.
        }
    }

    const std::unique_ptr<const CompiledShader> first_;
    const std::shared_ptr<Job> job_;
    const std::shared_ptr<Worker> worker_;
    ShaderCompiler* const second_;  // not null: compiles in the draw, not in the background
    const uint32_t draws_;
};

class TieredCompiler final : public ShaderCompiler {
  public:
    TieredCompiler(std::unique_ptr<ShaderCompiler> first, std::unique_ptr<ShaderCompiler> second,
                   const TierOptions& options)
        : first_(std::move(first)),
          second_(std::move(second)),
          interpreter_(create_interpreter_compiler()),
          options_(options),
          worker_(second_ ? std::make_shared<Worker>(*second_) : nullptr) {}
    ~TieredCompiler() override {
        if (worker_) worker_->stop();
    }

    std::unique_ptr<CompiledShader> compile(const ir::Shader& shader, const pipe::Log& log) override {
        return make(std::make_shared<ir::StoredShader>(ir::clone(shader)), log);
    }
    std::unique_ptr<CompiledShader> make(std::shared_ptr<const ir::StoredShader> shader,
                                         const pipe::Log& log) override;
    const char* name() const override { return (second_ ? second_ : first_ ? first_ : interpreter_)->name(); }

  private:
    const std::unique_ptr<ShaderCompiler> first_, second_, interpreter_;
    const TierOptions options_;
    const std::shared_ptr<Worker> worker_;
};

std::unique_ptr<CompiledShader> TieredCompiler::make(std::shared_ptr<const ir::StoredShader> shader,
                                                     const pipe::Log& log) {
    if (second_)
        if (auto found = second_->find(*shader)) return found;
    uint32_t draws = options_.draws_before_second;
    // It is normal that the first compiler refuses a shader. An error of it is reported.
    const pipe::Log errors{[](void* to, pipe::Severity severity, std::string_view text) {
                               if (severity == pipe::Severity::Error)
                                   (*static_cast<const pipe::Log*>(to))(severity, text);
                           },
                           const_cast<pipe::Log*>(&log)};
    auto first = first_ ? first_->make(shader, errors) : nullptr;
    if (!first) {
        // Anything is faster than the interpreter.
        draws = std::min(draws, 1u);
        first = interpreter_->make(shader, log);
        if (first_ && pipe::debug(pipe::DebugWord::Perf))
            pipe::debug_print(
                pipe::DebugWord::Perf,
                "soft: a shader is interpreted at first: it is too large to be compiled at once");
    }
    if (!first || !second_) return first;
    auto job = std::make_shared<Job>();
    job->ir = std::move(shader);
    return std::make_unique<TieredShader>(std::move(first), std::move(job), worker_,
                                          options_.background ? nullptr : second_.get(), draws);
}

}  // namespace

std::unique_ptr<ShaderCompiler> create_tiered_compiler(std::unique_ptr<ShaderCompiler> first,
                                                       std::unique_ptr<ShaderCompiler> second,
                                                       const TierOptions& options) {
    return std::make_unique<TieredCompiler>(std::move(first), std::move(second), options);
}

}  // namespace terrazzo::soft
