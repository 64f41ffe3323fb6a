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
/// Of the compiling thread. Not the lowest priority: on a busy machine that would hardly run at all, and the
/// end of a screen waits for what is being compiled.
constexpr int kNice = 10;
/// LLVM's recursion follows the shader; a guard that its frames, which touch their pages in any order, do not
/// jump.
constexpr size_t kCompilerStack_B = shaders::kOwnStack_B, kCompilerGuard_B = size_t(1) << 20;

/// A shader on its way to the second tier. Shared by the shader and the queue.
struct Job {
    std::shared_ptr<const ir::StoredShader> ir;  // the compiling thread's once it is queued
    std::unique_ptr<const CompiledShader> made;
    std::atomic<const CompiledShader*> better = nullptr;  // made, when it is ready
    std::atomic<bool> abandoned = false;                  // nobody will ask for it
    std::atomic<uint32_t> draws = 0;
};

void compile_better(ShaderCompiler& second, Job& job) {
    if (job.abandoned.load(kRelaxed) || !job.ir) return;
    try {
        job.made = second.make(job.ir, {});
    } catch (const std::bad_alloc&) {
        // The first tier's code stays.
    }
    job.ir.reset();
    if (job.made && job.made->interpreted) job.made.reset();
    if (job.made) job.better.store(job.made.get(), std::memory_order_release);
}

class Worker;

/// The workers of the process that have a thread: none may compile while the process' objects are destroyed.
struct Workers {
    std::mutex mutex;
    std::vector<Worker*> list;
    bool at_exit = false, ended = false;
    const pid_t process = getpid();
};
Workers& workers() {
    static Workers* const kWorkers = new Workers;  // needed to the very end
    return *kWorkers;
}

class Worker {
  public:
    explicit Worker(ShaderCompiler& second) : second_(second) {}
    ~Worker();
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    /// From any thread.
    void add(std::shared_ptr<Job> job);
    /// Waits for what is being compiled, forgets the rest.
    void stop();

  private:
    /// Apart from the worker because a fork's child must leave it alone: its mutex may be locked for ever.
    struct State {
        std::mutex mutex;
        std::condition_variable wake;
        std::deque<std::shared_ptr<Job>> queue;  // guarded, as what follows
        bool started = false, stop = false;
        pthread_t thread{};
        id_t id = 0;  // the kernel's, of the thread once it runs
        const pid_t process = getpid();
    };
    static void* run(void* worker);
    void work();
    bool start();

    ShaderCompiler& second_;
    Workers& all_ = workers();  // made here, where memory may run out: not in the destructor
    State* const state_ =
        std::make_unique<State>().release();  // what of it is there is freed where memory runs out
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

/// The thread takes no signals: they are the program's. Both mutexes are locked.
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
    // As at the process' end: first the mutex of all workers, then that of one.
    const std::lock_guard all(all_.mutex);
    const std::lock_guard lock(s.mutex);
    if (!s.stop && !s.started) s.started = start();
    s.wake.notify_one();
}

void Worker::stop() {
    State& s = *state_;
    if (s.process != getpid()) return;  // a fork's child: the thread is not here, what it held is
    bool join;
    {
        const std::lock_guard lock(s.mutex);
        join = s.started;
        s.started = false;
        s.stop = true;
        s.queue.clear();
        // Who waits must not wait for all that is more important than this thread was. Not everybody may do
        // it.
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
        // Two threads may count one draw; only one of them reaches the number.
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
            // Slower, and right.
        }
    }

    const std::unique_ptr<const CompiledShader> first_;
    const std::shared_ptr<Job> job_;
    const std::shared_ptr<Worker> worker_;
    ShaderCompiler* const second_;  // not in the background
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
    // What the first leaves to others is no news; that it can make nothing is.
    const pipe::Log errors{[](void* to, pipe::Severity severity, std::string_view text) {
                               if (severity == pipe::Severity::Error)
                                   (*static_cast<const pipe::Log*>(to))(severity, text);
                           },
                           const_cast<pipe::Log*>(&log)};
    auto first = first_ ? first_->make(shader, errors) : nullptr;
    if (!first) {
        // Anything is better than the interpreter.
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
