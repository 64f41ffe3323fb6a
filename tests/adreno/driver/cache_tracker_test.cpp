// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The cache events of a stream between a writer and a reader: those that are needed, and no others.
#include "tests/adreno/driver/device_fixture.h"

#include "drivers/adreno/submission/cache_tracker.h"

using namespace terrazzo;
using namespace terrazzo::adreno;
using namespace terrazzo::test;

namespace {

std::string text(const CacheEvents& e) {
    std::string out;
    const auto add = [&](bool is, const char* name) {
        if (is) out += (out.empty() ? "" : " ") + std::string(name);
    };
    add(e.flush_color, "flush_color");
    add(e.flush_depth, "flush_depth");
    add(e.invalidate_color, "invalidate_color");
    add(e.invalidate_depth, "invalidate_depth");
    add(e.resolve, "resolve");
    add(e.flush_uche, "flush_uche");
    add(e.invalidate_uche, "invalidate_uche");
    add(e.wait_for_idle, "wait");
    return out;
}

constexpr ImagePart kLevel0 = {0, 0, 0, 0}, kLevel1 = {1, 1, 0, 0}, kFace3 = {0, 0, 3, 3};

/// A submission that has already read something, so that the UCHE was invalidated.
struct Stream {
    Stream() {
        pipe::ResourceDesc d;
        d.format = pipe::Format::R8G8B8A8_UNORM;
        d.kind = pipe::ResourceKind::Cube;
        d.width = d.height = 64;
        d.layers = 6;
        d.levels = 4;
        d.bind = pipe::bind::kSampled | pipe::bind::kColor;
        for (auto* r : {&image, &other}) {
            *r = AdrenoResource::create(*device, d);
            REQUIRE(*r);
        }
        caches.begin_submission(7);
        REQUIRE(read(*image) == "invalidate_uche wait");
    }
    /// Events before work that reads the part through the UCHE, in the form that recorders request.
    std::string read(AdrenoResource& r, ImagePart part = {}) {
        if (caches.may_miss(r)) caches.read(r, part);
        return sync(true);
    }
    std::string use(AdrenoResource& r, CachePath path, ImagePart part = kLevel0, unsigned key = 0) {
        caches.use(r, part, path, key);
        return sync(false);
    }
    /// Events before work that renders to the part.
    std::string write(AdrenoResource& r, CachePath path, ImagePart part = kLevel0, unsigned key = 0) {
        const std::string before = use(r, path, part, key);
        if (path == CachePath::Color || path == CachePath::Depth)
            caches.note_draws(path == CachePath::Color, path == CachePath::Depth);
        else if (path == CachePath::Engine2d)
            caches.note_engine_2d();
        else if (path == CachePath::Resolve)
            caches.note_resolves();
        caches.note_written(r, part, path, key);
        return before;
    }
    std::string sync(bool reads) { return text(caches.sync(caches.take_missing(reads))); }

    const pipe::Ref<Device> device = open_adreno();
    pipe::Ref<AdrenoResource> image, other;
    CacheTracker caches;
};

}  // namespace

TEST_CASE("caches: unwritten memory needs only an invalidated UCHE, before a submission's first read") {
    Stream s;
    CHECK(s.read(*s.other) == "");
    CHECK(s.use(*s.other, CachePath::Color) == "");
    CHECK(s.use(*s.other, CachePath::Resolve) == "");
    s.caches.begin_submission(8);
    CHECK(s.sync(false) == "");
    CHECK(s.sync(true) == "invalidate_uche wait");
    CHECK(s.sync(true) == "");
    // An invalidation for another reason counts, too.
    s.caches.begin_submission(9);
    CHECK(text(s.caches.sync({.invalidate_uche = true})) == "invalidate_uche wait");
    CHECK(s.sync(true) == "");
}

TEST_CASE("caches: written data is flushed once for its readers, and the UCHE is invalidated") {
    const auto read_after = [](CachePath path) {
        Stream s;
        CHECK(s.write(*s.image, path) == "");
        const std::string events = s.read(*s.image);
        CHECK(s.read(*s.image) == "");
        return events;
    };
    CHECK(read_after(CachePath::Color) == "flush_color invalidate_uche wait");
    CHECK(read_after(CachePath::Engine2d) == "flush_color invalidate_uche wait");
    CHECK(read_after(CachePath::Depth) == "flush_depth invalidate_uche wait");
    CHECK(read_after(CachePath::Resolve) == "resolve invalidate_uche wait");
    CHECK(read_after(CachePath::Uche) == "");
}

TEST_CASE("caches: other caches are not flushed") {
    Stream s;
    (void)s.write(*s.other, CachePath::Color);
    (void)s.write(*s.image, CachePath::Resolve);
    CHECK(s.read(*s.image) == "resolve invalidate_uche wait");
    CHECK(s.read(*s.other) == "flush_color invalidate_uche wait");
    // An invalidation before the flush does not count.
    (void)s.write(*s.image, CachePath::Resolve);
    CHECK(text(s.caches.sync({.flush_color = true, .invalidate_uche = true})) == "invalidate_uche wait");
    CHECK(s.read(*s.image) == "resolve invalidate_uche wait");
    // If nothing has waited for a flush yet, it is waited for, and not repeated.
    (void)s.write(*s.image, CachePath::Color);
    CHECK(text(s.caches.sync({.flush_color = true})) == "flush_color");
    CHECK(s.read(*s.image) == "invalidate_uche wait");
}

TEST_CASE("caches: a needed sync remains needed after other syncs") {
    Stream s;
    (void)s.write(*s.image, CachePath::Resolve);
    (void)s.write(*s.other, CachePath::Color);
    s.caches.read(*s.image, {});
    s.caches.read(*s.other, {});
    CHECK(s.use(*s.other, CachePath::Engine2d) == "flush_color invalidate_color wait");
    CHECK(text(s.caches.sync({.invalidate_uche = true})) == "invalidate_uche wait");
    CHECK(s.sync(true) == "resolve invalidate_uche wait");
}

TEST_CASE("caches: levels and layers that were not written need no flush") {
    Stream s;
    (void)s.write(*s.image, CachePath::Color, kLevel1);
    CHECK(s.read(*s.image, kLevel0) == "");
    CHECK(s.use(*s.image, CachePath::Engine2d, kFace3) == "");
    CHECK(s.read(*s.image, kLevel1) == "flush_color invalidate_uche wait");
    (void)s.write(*s.image, CachePath::Color, kFace3);
    CHECK(s.read(*s.image, kLevel0) == "");
    CHECK(s.read(*s.image) == "flush_color invalidate_uche wait");
}

TEST_CASE("caches: parts that are written one after another") {
    Stream s;
    // Through one cache: it has both.
    (void)s.write(*s.image, CachePath::Color, kLevel0);
    CHECK(s.write(*s.image, CachePath::Color, kLevel1) == "");
    CHECK(s.read(*s.image, kLevel0) == "flush_color invalidate_uche wait");
    CHECK(s.read(*s.image, kLevel1) == "");
    // Through two caches: both are flushed.
    (void)s.write(*s.image, CachePath::Color, kLevel0);
    CHECK(s.write(*s.image, CachePath::Resolve, kLevel1) == "");
    CHECK(s.read(*s.image, kLevel0) == "flush_color resolve invalidate_uche wait");
    // Mipmaps: each level is read after the previous one was written.
    Stream mipmaps;
    for (uint16_t level = 1; level < 4; ++level) {
        const uint16_t before = level - 1;
        CHECK(mipmaps.read(*mipmaps.image, {before, before, 0, 0}) ==
              (level == 1 ? "" : "flush_color invalidate_uche wait"));
        CHECK(mipmaps.write(*mipmaps.image, CachePath::Engine2d, {level, level, 0, 0}) == "");
    }
}

TEST_CASE("caches: a writer finds its own lines in a CCU, others do not") {
    Stream s;
    (void)s.write(*s.image, CachePath::Color);
    CHECK(s.write(*s.image, CachePath::Color) == "");
    CHECK(s.write(*s.image, CachePath::Color, kLevel0, 1) == "flush_color invalidate_color wait");
    CHECK(s.write(*s.image, CachePath::Engine2d) == "flush_color invalidate_color wait");
    CHECK(s.use(*s.image, CachePath::Resolve) == "flush_color wait");
    (void)s.write(*s.image, CachePath::Resolve);
    CHECK(s.use(*s.image, CachePath::Resolve) == "");
    // The CCU still has lines from before that.
    CHECK(s.write(*s.image, CachePath::Color) == "invalidate_color resolve wait");
    // Another part, through another cache, and then the first again.
    CHECK(s.write(*s.image, CachePath::Engine2d, kLevel1) == "");
    CHECK(s.write(*s.image, CachePath::Engine2d) == "flush_color invalidate_color wait");
}

TEST_CASE(
    "caches: the 2D engine clears depth through the colour CCU; the depth CCU is invalidated if it has the "
    "part") {
    Stream s;
    (void)s.write(*s.other, CachePath::Depth);
    (void)s.write(*s.image, CachePath::Engine2d);
    CHECK(s.write(*s.image, CachePath::Depth) == "flush_color wait");
    CHECK(s.write(*s.image, CachePath::Engine2d) == "flush_depth invalidate_color wait");
    CHECK(s.write(*s.image, CachePath::Depth) == "flush_color invalidate_depth wait");
}

TEST_CASE("caches: shaders' stores are flushed for targets and for the CP only") {
    Stream s;
    const auto store = [&](AdrenoResource& r) {
        s.caches.note_written(r, {}, CachePath::Uche, 0);
        s.caches.note_stores();
    };
    const auto read_by_processor = [&](AdrenoResource& r) {
        s.caches.read_by_processor(r, {});
        return s.sync(false);
    };
    store(*s.image);
    CHECK(s.read(*s.image) == "");
    CHECK(s.use(*s.other, CachePath::Color) == "");
    CHECK(read_by_processor(*s.other) == "");
    CHECK(s.write(*s.image, CachePath::Color) == "flush_uche wait");
    CHECK(s.use(*s.image, CachePath::Color) == "");
    store(*s.other);
    CHECK(read_by_processor(*s.other) == "flush_uche wait");
    CHECK(read_by_processor(*s.other) == "");
    CHECK(s.use(*s.other, CachePath::Resolve) == "");
    // The CP does not read through the UCHE: nothing is invalidated.
    (void)s.write(*s.image, CachePath::Engine2d);
    CHECK(read_by_processor(*s.image) == "flush_color wait");
}

TEST_CASE("caches: a sync before a pass's draws does not flush the stores of its draws") {
    Stream s;
    s.caches.note_written(*s.image, {}, CachePath::Uche, 0);
    CHECK(text(s.caches.sync({.flush_uche = true, .wait_for_idle = true})) == "flush_uche wait");
    s.caches.note_stores();
    CHECK(s.use(*s.image, CachePath::Color) == "flush_uche wait");
}

TEST_CASE("caches: a barrier becomes one wait, the next one") {
    Stream s;
    s.caches.note_barrier();
    CHECK(s.sync(false) == "wait");
    CHECK(s.sync(false) == "");
    s.caches.note_barrier();
    CHECK(text(s.caches.sync({.wait_for_idle = true})) == "wait");
    CHECK(s.sync(true) == "");
}

TEST_CASE(
    "caches: before the CCUs' memory moves they are flushed, and they are invalidated before the next use") {
    Stream s;
    const auto place = [&](bool for_tiles, bool color, bool depth) {
        return text(s.caches.sync(s.caches.place_ccus(for_tiles, color, depth)));
    };
    CHECK(place(false, true, true) == "");
    (void)s.write(*s.image, CachePath::Color);
    (void)s.write(*s.other, CachePath::Depth);
    CHECK(place(true, false, false) == "flush_color flush_depth wait");
    CHECK(place(false, true, false) == "invalidate_color wait");
    CHECK(place(false, true, false) == "");
    CHECK(place(false, false, true) == "invalidate_depth wait");
    // The 2D engine resolves tiles.
    (void)s.write(*s.image, CachePath::Color);
    CHECK(place(true, true, false) == "flush_color invalidate_color wait");
}

TEST_CASE("caches: another submission begins with empty CCUs") {
    Stream s;
    (void)s.write(*s.image, CachePath::Color);
    CHECK(text(s.caches.sync({.flush_color = true, .flush_depth = true})) == "flush_color");
    s.caches.begin_submission(8);
    CHECK(s.use(*s.image, CachePath::Engine2d) == "");
    CHECK(s.read(*s.image) == "invalidate_uche wait");
}

TEST_CASE("caches: work that other submissions record at the same time is separate") {
    for (const uint64_t serial : {3, 30}) {  // earlier and later ones
        CAPTURE(serial);
        Stream s;
        CacheTracker others;
        others.begin_submission(serial);
        s.caches.note_stores();
        (void)s.write(*s.image, CachePath::Uche);
        (void)s.write(*s.other, CachePath::Resolve);
        for (AdrenoResource* const r : {s.image.get(), s.other.get()}) {
            others.note_draws(true, false);
            others.note_written(*r, kLevel0, CachePath::Color, 0);
        }
        CHECK(s.use(*s.image, CachePath::Engine2d) == "flush_uche wait");
        CHECK(s.read(*s.other) == "resolve invalidate_uche wait");
        others.read(*s.image, kLevel0);
        CHECK(text(others.sync(others.take_missing(true))) == "flush_color invalidate_uche wait");
    }
}

TEST_CASE("caches: with more parts than the tracker can store, all is flushed") {
    Stream s;
    std::vector<pipe::Ref<AdrenoResource>> many;
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.width = 64;
    for (int i = 0; i < 300; ++i) {
        many.push_back(AdrenoResource::create(*s.device, d));
        REQUIRE(many.back());
        s.caches.note_stores();
        (void)s.write(*many.back(), CachePath::Uche);
    }
    (void)s.write(*s.image, CachePath::Depth);
    CHECK(s.read(*s.image) == "flush_depth invalidate_uche wait");
    CHECK(s.read(*s.image) == "");
    for (const int i : {0, 299}) {
        CAPTURE(i);
        CHECK(s.use(*many[size_t(i)], CachePath::Engine2d) == "flush_uche wait");
        CHECK(s.use(*many[size_t(i)], CachePath::Engine2d) == "");
        s.caches.note_stores();
        (void)s.write(*many[0], CachePath::Uche);
    }
    s.caches.begin_submission(8);
    CHECK(s.use(*many[299], CachePath::Engine2d) == "");
}
