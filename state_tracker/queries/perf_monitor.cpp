// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL_AMD_performance_monitor. Groups and counters have the device's numbers. Only one monitor counts at a
// time: BeginPerfMonitor may fail.
#include "state_tracker/queries/perf_monitor.h"

#include <algorithm>
#include <cstring>

#include "state_tracker/context.h"
#include "state_tracker/context/names.h"
#include "state_tracker/debug/debug.h"
#include "state_tracker/gl_commands.h"

namespace terrazzo::st {
namespace {

std::span<const pipe::CounterGroup> groups_of(const Context& ctx) {
    const pipe::PerformanceCounters* const counters = ctx.pipe->counters();
    return counters ? counters->groups() : std::span<const pipe::CounterGroup>();
}

/// Null: the error is recorded.
const pipe::CounterGroup* find_group(Context& ctx, const char* command, GLuint group) {
    const auto groups = groups_of(ctx);
    if (group < groups.size()) return &groups[group];
    ctx.error(GL_INVALID_VALUE, command, "group %u: there are %zu", group, groups.size());
    return nullptr;
}

const pipe::Counter* find_counter(Context& ctx, const char* command, GLuint group, GLuint counter) {
    const pipe::CounterGroup* const g = find_group(ctx, command, group);
    if (!g || counter < g->counters.size()) return g ? &g->counters[counter] : nullptr;
    ctx.error(GL_INVALID_VALUE, command, "counter %u: group %s has %zu", counter, g->name,
              g->counters.size());
    return nullptr;
}

PerfMonitor* find_monitor(Context& ctx, const char* command, GLuint name) {
    PerfMonitor* const m = ctx.perf_monitors.find(name);
    if (!m) ctx.error(GL_INVALID_VALUE, command, "%u is no monitor", name);
    return m;
}

/// Without a buffer, returns the length of the name.
void copy_counter_name(const char* name, GLsizei size, GLsizei* length, GLchar* out) {
    if (out && size > 0) return copy_string(name, size, length, out);
    if (length) *length = GLsizei(std::strlen(name));
}

void stop(Context& ctx, PerfMonitor& m) {
    end_rendering(ctx);
    ctx.pipe->counters()->end_counters(*m.query);
    ctx.active_monitor = nullptr;
    m.ended = true;
}

/// Writes the counters' results: group, counter and the two halves of the 64-bit value. A counter that does
/// not fit is left out.
void put_result(PerfMonitor& m, const uint64_t* values, GLsizei size, GLuint* data, GLsizei* written) {
    size_t at = 0;
    for (size_t i = 0; i < m.selected.size() && (at + 4) * sizeof(GLuint) <= size_t(size); ++i) {
        data[at++] = m.selected[i].group;
        data[at++] = m.selected[i].counter;
        std::memcpy(&data[at], &values[i], sizeof values[i]);
        at += 2;
    }
    *written = GLsizei(at * sizeof(GLuint));
}

}  // namespace

// ---- Groups and counters ----

void GetPerfMonitorGroupsAMD(Context& ctx, GLint* count, GLsizei size, GLuint* out) {
    const auto groups = groups_of(ctx);
    if (count) *count = GLint(groups.size());
    for (GLsizei i = 0; out && i < size && size_t(i) < groups.size(); ++i)
        out[i] = GLuint(i);
}

void GetPerfMonitorCountersAMD(Context& ctx, GLuint group, GLint* count, GLint* max_active, GLsizei size,
                               GLuint* out) {
    const pipe::CounterGroup* const g = find_group(ctx, "glGetPerfMonitorCountersAMD", group);
    if (!g) return;
    if (count) *count = GLint(g->counters.size());
    if (max_active) *max_active = GLint(g->max_active);
    for (GLsizei i = 0; out && i < size && size_t(i) < g->counters.size(); ++i)
        out[i] = GLuint(i);
}

void GetPerfMonitorGroupStringAMD(Context& ctx, GLuint group, GLsizei size, GLsizei* length, GLchar* out) {
    if (const pipe::CounterGroup* const g = find_group(ctx, "glGetPerfMonitorGroupStringAMD", group))
        copy_counter_name(g->name, size, length, out);
}

void GetPerfMonitorCounterStringAMD(Context& ctx, GLuint group, GLuint counter, GLsizei size, GLsizei* length,
                                    GLchar* out) {
    if (const pipe::Counter* const c = find_counter(ctx, "glGetPerfMonitorCounterStringAMD", group, counter))
        copy_counter_name(c->name, size, length, out);
}

void GetPerfMonitorCounterInfoAMD(Context& ctx, GLuint group, GLuint counter, GLenum pname, void* data) {
    static constexpr char kName[] = "glGetPerfMonitorCounterInfoAMD";
    if (!find_counter(ctx, kName, group, counter)) return;
    if (pname == GL_COUNTER_TYPE_AMD) {
        const GLenum type = GL_UNSIGNED_INT64_AMD;
        if (data) std::memcpy(data, &type, sizeof type);
    } else if (pname == GL_COUNTER_RANGE_AMD) {
        const uint64_t range[2] = {0, ~uint64_t(0)};
        if (data) std::memcpy(data, range, sizeof range);
    } else {
        ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x", pname);
    }
}

// ---- Monitors ----

void GenPerfMonitorsAMD(Context& ctx, GLsizei n, GLuint* names) {
    if (n < 0) return ctx.error(GL_INVALID_VALUE, "glGenPerfMonitorsAMD", "n %d is negative", n);
    reserve_names(ctx.perf_monitors, n, names);
    for (GLsizei i = 0; names && i < n; ++i)
        ctx.perf_monitors.set(names[i], pipe::Ref<PerfMonitor>::adopt(new PerfMonitor(names[i])));
}

void DeletePerfMonitorsAMD(Context& ctx, GLsizei n, GLuint* names) {
    static constexpr char kName[] = "glDeletePerfMonitorsAMD";
    if (n < 0) return ctx.error(GL_INVALID_VALUE, kName, "n %d is negative", n);
    for (GLsizei i = 0; names && i < n; ++i)
        if (!find_monitor(ctx, kName, names[i])) return;
    for (GLsizei i = 0; names && i < n; ++i) {
        const pipe::Ref<PerfMonitor> m = ctx.perf_monitors.remove(names[i]);
        if (m && ctx.active_monitor == m.get()) stop(ctx, *m);
    }
}

void SelectPerfMonitorCountersAMD(Context& ctx, GLuint monitor, GLboolean enable, GLuint group, GLint n,
                                  GLuint* counters) {
    static constexpr char kName[] = "glSelectPerfMonitorCountersAMD";
    PerfMonitor* const m = find_monitor(ctx, kName, monitor);
    if (!m || !find_group(ctx, kName, group)) return;
    if (n < 0) return ctx.error(GL_INVALID_VALUE, kName, "numCounters %d is negative", n);
    for (GLint i = 0; counters && i < n; ++i)
        if (!find_counter(ctx, kName, group, counters[i])) return;
    if (ctx.active_monitor == m)
        return ctx.error(GL_INVALID_OPERATION, kName, "monitor %u is active", monitor);
    for (GLint i = 0; counters && i < n; ++i) {
        const auto is_it = [&](const pipe::CounterId& c) {
            return c.group == group && c.counter == counters[i];
        };
        const bool there = std::any_of(m->selected.begin(), m->selected.end(), is_it);
        if (enable && !there) m->selected.push_back({group, counters[i]});
        if (!enable) std::erase_if(m->selected, is_it);
    }
    // The former result is that of other counters.
    m->query = nullptr;
    m->ended = false;
}

void BeginPerfMonitorAMD(Context& ctx, GLuint monitor) {
    static constexpr char kName[] = "glBeginPerfMonitorAMD";
    PerfMonitor* const m = find_monitor(ctx, kName, monitor);
    if (!m) return;
    if (ctx.counter_log) return ctx.error(GL_INVALID_OPERATION, kName, "TERRAZZO_COUNTERS counts");
    if (ctx.active_monitor)
        return ctx.error(GL_INVALID_OPERATION, kName, "monitor %u is active", ctx.active_monitor->name);
    const auto groups = groups_of(ctx);
    for (uint32_t g = 0; g < groups.size(); ++g) {
        const auto n = std::count_if(m->selected.begin(), m->selected.end(),
                                     [&](const pipe::CounterId& c) { return c.group == g; });
        if (n > int64_t(groups[g].max_active))
            return ctx.error(GL_INVALID_OPERATION, kName, "%d counters of group %s, which can count %u",
                             int(n), groups[g].name, groups[g].max_active);
    }
    if (m->selected.empty())
        return ctx.error(GL_INVALID_OPERATION, kName, "monitor %u has no counters", monitor);
    if (!m->query) m->query = ctx.pipe->counters()->create_counter_query(m->selected);
    if (!m->query) return ctx.out_of_memory(kName);
    end_rendering(ctx);
    ctx.pipe->counters()->begin_counters(*m->query);
    ctx.active_monitor = m;
    m->ended = false;
}

void EndPerfMonitorAMD(Context& ctx, GLuint monitor) {
    static constexpr char kName[] = "glEndPerfMonitorAMD";
    PerfMonitor* const m = find_monitor(ctx, kName, monitor);
    if (!m) return;
    if (ctx.active_monitor != m)
        return ctx.error(GL_INVALID_OPERATION, kName, "monitor %u is not active", monitor);
    stop(ctx, *m);
}

void GetPerfMonitorCounterDataAMD(Context& ctx, GLuint monitor, GLenum pname, GLsizei size, GLuint* data,
                                  GLint* written) {
    static constexpr char kName[] = "glGetPerfMonitorCounterDataAMD";
    GLsizei bytes = 0;
    PerfMonitor* const m = find_monitor(ctx, kName, monitor);
    if (!m) return;
    if (!data) return ctx.error(GL_INVALID_OPERATION, kName, "data is null");
    if (pname != GL_PERFMON_RESULT_AVAILABLE_AMD && pname != GL_PERFMON_RESULT_SIZE_AMD &&
        pname != GL_PERFMON_RESULT_AMD)
        return ctx.error(GL_INVALID_ENUM, kName, "pname 0x%04x", pname);
    if (size < GLsizei(sizeof(GLuint))) {
        if (written) *written = 0;
        return;
    }
    std::vector<uint64_t> values(m->selected.size());
    const bool wait = pname == GL_PERFMON_RESULT_AMD;
    bool there = m->ended;
    if (there && pname != GL_PERFMON_RESULT_SIZE_AMD) {
        end_rendering(ctx);
        there = ctx.pipe->counters()->counter_values(*m->query, wait, values.data());
    }
    if (wait) {
        if (there) put_result(*m, values.data(), size, data, &bytes);
    } else {
        const size_t size_B = m->selected.size() * 4 * sizeof(GLuint);
        data[0] = pname == GL_PERFMON_RESULT_AVAILABLE_AMD ? GLuint(there) : m->ended ? GLuint(size_B) : 0;
        bytes = sizeof(GLuint);
    }
    if (written) *written = bytes;
}

}  // namespace terrazzo::st
