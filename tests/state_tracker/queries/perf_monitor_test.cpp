// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// GL_AMD_performance_monitor.
#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "tests/state_tracker/harness.h"

using namespace terrazzo;
using namespace terrazzo::st;

namespace {

fake::FakeCounters& counters(test::Harness& h) {
    return static_cast<fake::FakeCounters&>(*h.ctx.pipe->counters());
}

GLuint monitor_of(test::Harness& h, std::initializer_list<GLuint> of_first) {
    GLuint m = 0;
    GenPerfMonitorsAMD(h.ctx, 1, &m);
    std::vector<GLuint> list(of_first);
    SelectPerfMonitorCountersAMD(h.ctx, m, GL_TRUE, 0, GLint(list.size()), list.data());
    return m;
}

GLuint data_of(test::Harness& h, GLuint monitor, GLenum what) {
    GLuint v = 77;
    GLint written = 0;
    GetPerfMonitorCounterDataAMD(h.ctx, monitor, what, sizeof v, &v, &written);
    CHECK(written == sizeof v);
    return v;
}

}  // namespace

TEST_CASE("performance monitors: groups and counters") {
    test::Harness h;
    CHECK(h.ctx.extension_string.find("GL_AMD_performance_monitor") != std::string::npos);
    GLint n = 0, active = 0;
    GLuint ids[4] = {9, 9, 9, 9};
    GetPerfMonitorGroupsAMD(h.ctx, &n, 4, ids);
    CHECK(n == 2);
    CHECK(ids[1] == 1);
    CHECK(ids[2] == 9);
    GetPerfMonitorCountersAMD(h.ctx, 0, &n, &active, 2, ids);
    CHECK(n == 3);
    CHECK(active == 2);
    GLsizei length = 0;
    GetPerfMonitorGroupStringAMD(h.ctx, 1, 0, &length, nullptr);
    CHECK(length == 4);
    char text[8] = {};
    GetPerfMonitorGroupStringAMD(h.ctx, 1, sizeof text, &length, text);
    CHECK(std::string(text) == "back");
    GetPerfMonitorCounterStringAMD(h.ctx, 0, 1, 4, &length, text);
    CHECK(std::string(text) == "pix");
    GLenum type = 0;
    GetPerfMonitorCounterInfoAMD(h.ctx, 0, 1, GL_COUNTER_TYPE_AMD, &type);
    CHECK(type == GL_UNSIGNED_INT64_AMD);
    uint64_t range[2] = {1, 1};
    GetPerfMonitorCounterInfoAMD(h.ctx, 0, 1, GL_COUNTER_RANGE_AMD, range);
    CHECK(range[0] == 0);
    CHECK(range[1] == ~uint64_t(0));
    CHECK(h.error() == GL_NO_ERROR);
    GetPerfMonitorCountersAMD(h.ctx, 2, &n, nullptr, 0, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetPerfMonitorGroupStringAMD(h.ctx, 2, 0, nullptr, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetPerfMonitorCounterStringAMD(h.ctx, 1, 1, 0, nullptr, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    GetPerfMonitorCounterInfoAMD(h.ctx, 0, 0, GL_VIEWPORT, nullptr);
    CHECK(h.error() == GL_INVALID_ENUM);
}

TEST_CASE("performance monitors: selected counters count between begin and end") {
    test::Harness h;
    const GLuint m = monitor_of(h, {2, 0});
    GLuint back = 0;
    SelectPerfMonitorCountersAMD(h.ctx, m, GL_TRUE, 1, 1, &back);
    CHECK(data_of(h, m, GL_PERFMON_RESULT_AVAILABLE_AMD) == 0);
    CHECK(data_of(h, m, GL_PERFMON_RESULT_SIZE_AMD) == 0);
    BeginPerfMonitorAMD(h.ctx, m);
    CHECK(counters(h).log == "b");
    EndPerfMonitorAMD(h.ctx, m);
    CHECK(counters(h).log == "be");
    counters(h).available = false;
    CHECK(data_of(h, m, GL_PERFMON_RESULT_AVAILABLE_AMD) == 0);
    counters(h).available = true;
    CHECK(data_of(h, m, GL_PERFMON_RESULT_AVAILABLE_AMD) == 1);
    CHECK(data_of(h, m, GL_PERFMON_RESULT_SIZE_AMD) == 48);
    GLuint words[12] = {};
    GLint written = 0;
    GetPerfMonitorCounterDataAMD(h.ctx, m, GL_PERFMON_RESULT_AMD, sizeof words, words, &written);
    CHECK(written == 48);
    const GLuint expected[12] = {0, 2, 2, 0, 0, 0, 0, 0, 1, 0, 100, 0};
    CHECK(std::memcmp(words, expected, sizeof words) == 0);
    // As many as fit into the buffer.
    GetPerfMonitorCounterDataAMD(h.ctx, m, GL_PERFMON_RESULT_AMD, 20, words, &written);
    CHECK(written == 16);
    // Other counters: they have not counted yet.
    SelectPerfMonitorCountersAMD(h.ctx, m, GL_FALSE, 1, 1, &back);
    CHECK(data_of(h, m, GL_PERFMON_RESULT_SIZE_AMD) == 0);
    CHECK(h.error() == GL_NO_ERROR);
    BeginPerfMonitorAMD(h.ctx, m);
    GLuint name = m;
    DeletePerfMonitorsAMD(h.ctx, 1, &name);
    CHECK(counters(h).log == "bebe");
    CHECK(h.error() == GL_NO_ERROR);
}

TEST_CASE("performance monitors: errors") {
    test::Harness h;
    const GLuint m = monitor_of(h, {0}), all = monitor_of(h, {0, 1, 2}), none = monitor_of(h, {});
    GLuint bad = 3;
    SelectPerfMonitorCountersAMD(h.ctx, m, GL_TRUE, 0, 1, &bad);
    CHECK(h.error() == GL_INVALID_VALUE);
    SelectPerfMonitorCountersAMD(h.ctx, m, GL_TRUE, 0, -1, &bad);
    CHECK(h.error() == GL_INVALID_VALUE);
    SelectPerfMonitorCountersAMD(h.ctx, 99, GL_TRUE, 0, 0, nullptr);
    CHECK(h.error() == GL_INVALID_VALUE);
    BeginPerfMonitorAMD(h.ctx, all);  // three counters, of which two can count at a time
    CHECK(h.error() == GL_INVALID_OPERATION);
    BeginPerfMonitorAMD(h.ctx, none);
    CHECK(h.error() == GL_INVALID_OPERATION);
    EndPerfMonitorAMD(h.ctx, m);
    CHECK(h.error() == GL_INVALID_OPERATION);
    BeginPerfMonitorAMD(h.ctx, 99);
    CHECK(h.error() == GL_INVALID_VALUE);
    BeginPerfMonitorAMD(h.ctx, m);
    CHECK(h.error() == GL_NO_ERROR);
    BeginPerfMonitorAMD(h.ctx, m);
    CHECK(h.error() == GL_INVALID_OPERATION);
    SelectPerfMonitorCountersAMD(h.ctx, m, GL_TRUE, 0, 0, nullptr);
    CHECK(h.error() == GL_INVALID_OPERATION);
    EndPerfMonitorAMD(h.ctx, m);
    GLuint word = 0;
    GetPerfMonitorCounterDataAMD(h.ctx, m, GL_VIEWPORT, sizeof word, &word, nullptr);
    CHECK(h.error() == GL_INVALID_ENUM);
    GetPerfMonitorCounterDataAMD(h.ctx, m, GL_PERFMON_RESULT_AMD, 0, nullptr, nullptr);
    CHECK(h.error() == GL_INVALID_OPERATION);
    GLuint names[2] = {m, 99};
    DeletePerfMonitorsAMD(h.ctx, 2, names);
    CHECK(h.error() == GL_INVALID_VALUE);
    DeletePerfMonitorsAMD(h.ctx, -1, names);
    CHECK(h.error() == GL_INVALID_VALUE);
    GenPerfMonitorsAMD(h.ctx, -1, names);
    CHECK(h.error() == GL_INVALID_VALUE);
}
