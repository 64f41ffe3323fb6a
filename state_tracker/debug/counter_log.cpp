// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/debug/counter_log.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "pipe/counters.h"
#include "shaders/cache/cache.h"
#include "state_tracker/context.h"
#include "winsys/environment/environment.h"

namespace terrazzo::st {

struct Context::CounterLog {
    ~CounterLog() {
        if (file >= 0) close(file);
    }
    /// Writes a line in one call, so that the lines of several contexts do not mix.
    void write_line(const std::string& line) const { (void)!write(file, line.data(), line.size()); }

    int file = -1;
    pipe::Ref<pipe::CounterQuery> query;
    std::vector<uint64_t> values;
    bool running = false;  // set while a sample is written: sampling flushes, and a flush would sample again
    std::string context;   // " CONTEXT"
    /// The share group's hits and misses since the previous line.
    std::string cache_counts(const shaders::ShaderCache& cache) {
        const auto now = cache.counts(), before = std::exchange(cache_before, now);
        return " " + std::to_string(now.memory_hits - before.memory_hits) + " " +
               std::to_string(now.disk_hits - before.disk_hits) + " " +
               std::to_string(now.misses - before.misses);
    }
    shaders::ShaderCache::Counts cache_before;
};

namespace {

/// " MILLISECONDS"
std::string now() {
    const std::chrono::duration<double, std::milli> t = std::chrono::steady_clock::now().time_since_epoch();
    return " " + std::to_string(t.count());
}

}  // namespace

void begin_counter_log(Context& ctx) {
    const char* const path = winsys::environment(winsys::Variable::Counters);
    pipe::PerformanceCounters* const counters = ctx.pipe->counters();
    if (!path || !counters) return;
    auto log = std::unique_ptr<Context::CounterLog, void (*)(Context::CounterLog*)>(
        new Context::CounterLog, [](Context::CounterLog* l) { delete l; });
    log->file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_CREAT, 0600);
    if (log->file < 0) {
        winsys::report_value(winsys::Variable::Counters, "the file cannot be opened", std::strerror(errno));
        return;
    }
    std::vector<pipe::CounterId> ids;
    static std::atomic<unsigned> contexts{0};
    log->context = " " + std::to_string(getpid()) + "." + std::to_string(contexts++);
    std::string names = "counters" + log->context + now();
    const auto groups = counters->groups();
    for (uint32_t g = 0; g < groups.size(); ++g)
        for (uint32_t c = 0; c < std::min<size_t>(groups[g].max_active, groups[g].counters.size()); ++c) {
            ids.push_back({g, c});
            names.append(" ").append(groups[g].name).append("/").append(groups[g].counters[c].name);
        }
    // The counts of the share group's shader cache, of all its contexts together.
    if (ctx.share->cache) names += " shader_cache/memory_hits shader_cache/disk_hits shader_cache/misses";
    log->values.resize(ids.size());
    log->query = counters->create_counter_query(ids);
    if (!log->query) return;
    log->write_line(names + "\n");
    counters->begin_counters(*log->query);
    ctx.counter_log = std::move(log);
}

void log_counters(Context& ctx, bool end_of_frame) {
    Context::CounterLog* const log = ctx.counter_log.get();
    if (!log || log->running) return;
    log->running = true;
    pipe::PerformanceCounters& counters = *ctx.pipe->counters();
    end_rendering(ctx);
    counters.end_counters(*log->query);
    if (counters.counter_values(*log->query, true, log->values.data())) {
        std::string line = "sample" + log->context + now() + (end_of_frame ? " frame" : " flush");
        for (const uint64_t v : log->values)
            line.append(" ").append(std::to_string(v));
        if (ctx.share->cache) line += log->cache_counts(*ctx.share->cache);
        log->write_line(line + "\n");
    }
    counters.begin_counters(*log->query);
    log->running = false;
}

}  // namespace terrazzo::st
