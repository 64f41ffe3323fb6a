// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The render path of a pass whose generated primitives are counted.
#include "drivers/adreno/context.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

TEST_CASE("queries: a pass that counts generated primitives has a binning pass, or is in sysmem") {
    const auto path = [](const SceneOptions& options, bool counts) {
        DriverScene s = open_scene(512, 512, options, "sim:adreno-630");
        const auto q = s.context->create_query(pipe::QueryKind::PrimitivesGenerated);
        s.begin(0, 0, 0, 1);
        if (counts) s.context->begin_query(*q);
        s.rectangle(0, 0, 512, 512, 0.5f, {0, 1, 0, 1});
        if (counts) s.context->end_query(*q);
        (void)s.pixels();
        uint64_t value = ~uint64_t(0);
        CHECK(s.context->query_result(*q, true, &value));
        CHECK(value == (counts ? 2 : 0));
        CHECK(s.messages == "");
        return static_cast<adreno::AdrenoContext&>(*s.context).pass().last_path();
    };
    using RenderPath = adreno::Pass::RenderPath;
    SceneOptions options;
    options.debug.set(pipe::DebugWord::NoLrz);
    options.debug.set(pipe::DebugWord::Gmem);
    CHECK(int(path(options, false)) == int(RenderPath::Tiles));
    CHECK(int(path(options, true)) == int(RenderPath::BinnedTiles));
    options.debug.set(pipe::DebugWord::NoBin);
    CHECK(int(path(options, false)) == int(RenderPath::Tiles));
    CHECK(int(path(options, true)) == int(RenderPath::Sysmem));
}
