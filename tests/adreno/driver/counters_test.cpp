// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Performance counters of the virtual GPU, as the driver reads them: draws with a known size give known
// numbers.
#include <map>

#include "pipe/counters.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

/// As many counters of each group as can be active at once.
struct Monitor {
    explicit Monitor(DriverScene& scene) : s(scene), counters(*scene.context->counters()) {
        const auto groups = counters.groups();
        for (uint32_t g = 0; g < groups.size(); ++g)
            for (uint32_t c = 0; c < std::min<size_t>(groups[g].max_active, groups[g].counters.size()); ++c) {
                ids.push_back({g, c});
                names.push_back(groups[g].counters[c].name);
            }
        query = counters.create_counter_query(ids);
        REQUIRE(query);
    }
    void begin() { counters.begin_counters(*query); }
    std::map<std::string, uint64_t> end() {
        counters.end_counters(*query);
        std::vector<uint64_t> values(ids.size());
        CHECK(counters.counter_values(*query, true, values.data()));
        std::map<std::string, uint64_t> out;
        for (size_t i = 0; i < names.size(); ++i)
            out[names[i]] = values[i];
        return out;
    }

    DriverScene& s;
    pipe::PerformanceCounters& counters;
    std::vector<pipe::CounterId> ids;
    std::vector<std::string> names;
    pipe::Ref<pipe::CounterQuery> query;
};

}  // namespace

TEST_CASE("counters: a draw with a known size gives known numbers") {
    DriverScene s = open_scene(64, 64, pipe::DebugWord::Sysmem);
    Monitor m(s);
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 64, 64, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    m.begin();
    s.resume();
    s.rectangle(8, 8, 40, 24, 0.5f, {0, 1, 0, 1});
    s.context->end_render_pass();
    auto v = m.end();
    CHECK(v["PERF_PC_3D_DRAWCALLS"] == 1);
    CHECK(v["PERF_PC_IA_PRIMITIVES"] == 2);
    CHECK(v["PERF_TSE_CPRIMITIVES"] == 2);
    CHECK(v["PERF_RB_PS_INVOCATIONS"] == 32 * 16);
    CHECK(v["PERF_HLSQ_PIXELS"] == 32 * 16);
    CHECK(v["PERF_HLSQ_QUADS"] >= 32 * 16 / 4);
    CHECK(v["PERF_TP_OUTPUT_PIXELS"] == 0);
    CHECK(v["PERF_SP_FS_INSTRUCTIONS"] > 0);
    CHECK(v["PERF_SP_FS_INSTRUCTIONS"] >=
          v["PERF_SP_FS_STAGE_FULL_ALU_INSTRUCTIONS"] + v["PERF_SP_FS_STAGE_HALF_ALU_INSTRUCTIONS"]);
    CHECK(v["PERF_SP_CS_INSTRUCTIONS"] == 0);
    // A new begin counts from zero; so do two submissions together.
    m.begin();
    for (int i = 0; i < 2; ++i) {
        s.resume();
        s.rectangle(0, 0, 10, 10, 0.5f, {0, 0, 1, 1});
        s.context->end_render_pass();
        (void)s.context->flush();
    }
    v = m.end();
    CHECK(v["PERF_PC_3D_DRAWCALLS"] == 2);
    CHECK(v["PERF_RB_PS_INVOCATIONS"] == 200);
    CHECK(s.messages == "");
}

TEST_CASE("counters: tiles run draws again, but each pixel once") {
    DriverScene s = open_scene(512, 512, pipe::DebugWord::Gmem);
    Monitor m(s);
    m.begin();
    s.begin(0, 0, 0, 1);
    s.rectangle(0, 0, 512, 512, 0.5f, {1, 0, 0, 1});
    s.context->end_render_pass();
    auto v = m.end();
    CHECK(v["PERF_PC_3D_DRAWCALLS"] > 1);
    CHECK(v["PERF_CP_MODE_SWITCH"] > 1);
    CHECK(v["PERF_RB_PS_INVOCATIONS"] == 512 * 512);
    CHECK(s.messages == "");
}
