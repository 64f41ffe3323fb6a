// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Several contexts record work on the same resources at the same time (drivers/common/submission/README.md
// has the rules). Here one thread has all contexts, so that the order of their calls is known. fuzz_threads
// has them in several threads.
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "drivers/common/submission/recording.h"
#include "tests/adreno/driver/open_scene.h"

using namespace terrazzo;
using namespace terrazzo::test;

namespace {

constexpr int32_t kSize = 128;
constexpr uint32_t kRed = 0xff0000ff, kGreen = 0xff00ff00;

struct Contexts : DriverScene {
    explicit Contexts(std::optional<pipe::DebugWord> mode = {}) : Contexts(screen_maker(mode), 0) {}
    template <class F>
    Contexts(F&& make_screen, int)
        : DriverScene(kSize, kSize, pipe::Format::D24_UNORM_S8_UINT, std::forward<F>(make_screen)) {
        init();
    }
    void init() {
        pipe::ContextDesc d;
        d.robust = true;
        second = screen->create_context(d);
        REQUIRE(second);
    }
    ~Contexts() { second.reset(); }

    pipe::Ref<pipe::Resource> target(uint32_t layers = 1) {
        pipe::ResourceDesc d;
        d.kind = layers == 1 ? pipe::ResourceKind::Tex2D : pipe::ResourceKind::Tex2DArray;
        d.format = pipe::Format::R8G8B8A8_UNORM;
        d.width = d.height = kSize;
        d.layers = layers;
        d.bind = pipe::bind::kColor | pipe::bind::kSampled;
        auto r = screen->create_resource(d);
        REQUIRE(r);
        return r;
    }
    static void clear(pipe::Context& c, pipe::Resource& r, float red, float green, uint32_t layer = 0) {
        pipe::RenderPassDesc p;
        p.color_count = 1;
        p.color[0].resource = &r;
        p.color[0].format = r.desc.format;
        p.color[0].first_layer = uint16_t(layer);
        p.color[0].load = pipe::LoadOp::Clear;
        p.clear_color[0] = {.f = {red, green, 0, 1}};
        p.width = p.height = kSize;
        p.area = {0, 0, kSize, kSize};
        c.begin_render_pass(p);
        c.end_render_pass();
    }
    static uint32_t pixel(pipe::Context& c, pipe::Resource& r, int32_t layer = 0) {
        const pipe::Mapping m = c.map(r, 0, {5, 7, layer, 1, 1, 1}, pipe::map_flag::kRead);
        REQUIRE(m.data);
        uint32_t out = 0;
        std::memcpy(&out, m.data, 4);
        c.unmap(r, m);
        return out;
    }
    static void copy(pipe::Context& c, pipe::Resource& to, pipe::Resource& from) {
        c.copy_region(to, 0, 0, 0, 0, from, 0, {0, 0, 0, kSize, kSize, 1});
    }
    bool works(pipe::Context& c) { return c.reset_status() == pipe::ResetStatus::None; }

    std::unique_ptr<pipe::Context> second;
};

}  // namespace

TEST_CASE(
    "contexts: the work that one context has recorded does not describe the caches at the end of another's "
    "stream") {
    // In either order of the two recordings.
    for (const bool late : {false, true}) {
        CAPTURE(late);
        Contexts s(pipe::DebugWord::Gmem);
        pipe::Context &first = *s.context, &second = *s.second;
        const auto image = s.target(), red = s.target(), out = s.target();
        Contexts::clear(first, *red, 1, 0);
        first.flush();
        if (late) (void)second.flush();
        // Through the cache of BLIT events; then the other one through the colour CCU.
        Contexts::clear(first, *image, 0, 1);
        first.begin_render_pass(s.pass);
        first.end_render_pass();
        Contexts::copy(second, *image, *red);
        Contexts::copy(first, *out, *image);
        Contexts::clear(first, *image, 0, 1);
        Contexts::copy(second, *image, *red);
        Contexts::copy(first, *out, *image);
        (void)first.flush();
        (void)second.flush();
        CHECK(Contexts::pixel(first, *out) == kGreen);
        CHECK(Contexts::pixel(second, *image) == kRed);
        CHECK(s.works(first));
        CHECK(s.works(second));
        CHECK(s.messages == "");
    }
}

TEST_CASE(
    "contexts: once an image is plain, all contexts use its plain pixels, in any order of submissions") {
    Contexts s;
    const auto image = s.target();
    Contexts::clear(*s.context, *image, 0, 1);
    (void)s.context->flush();
    pipe::ResourceDesc d = image->desc;
    d.format = pipe::Format::R32_UINT;
    const auto integers = s.screen->create_resource(d), out = s.target();
    // It becomes plain, while the first context's recorded work is not submitted yet.
    Contexts::copy(*s.context, *integers, *image);
    REQUIRE(!adreno::adreno(*image).is_compressed());
    Contexts::copy(*s.second, *out, *image);
    (void)s.second->flush();
    CHECK(Contexts::pixel(*s.second, *out) == kGreen);
    CHECK(Contexts::pixel(*s.second, *image) == kGreen);
    CHECK(s.messages == "");
}

TEST_CASE("contexts: memory is not replaced while another context has recorded writes to it") {
    Contexts s;
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.width = 256 << 10;
    const auto buffer = s.screen->create_resource(d), from = s.screen->create_resource(d);
    adreno::AdrenoResource& r = adreno::adreno(*buffer);
    s.second->copy_region(*buffer, 0, 0, 0, 0, *from, 0, {0, 0, 0, int32_t(d.width), 1, 1});
    const uint32_t serial = r.storage_serial();
    CHECK(!r.rename());
    CHECK(r.storage_serial() == serial);
    CHECK(r.rename(1));  // its own context may
    CHECK(r.storage_serial() > serial);
}

TEST_CASE("contexts: descriptors packed while another context replaces the memory are packed again") {
    Contexts s;
    pipe::ResourceDesc d;
    d.kind = pipe::ResourceKind::Buffer;
    d.width = 4096;
    const auto buffer = s.screen->create_resource(d);
    adreno::AdrenoResource& r = adreno::adreno(*buffer);
    submission::Recording recording(r.bo()->device);
    unsigned packed = 0;
    uint64_t va = 0;
    recording.read(r);
    recording.read_as_packed(r, [&] {
        // The context holds the old memory, and the address is the new memory's.
        if (packed++ == 0) REQUIRE(r.rename());
        va = r.va();
    });
    CHECK(packed == 2);
    CHECK(va == r.bo()->va);
    const pipe::Ref<memory::Bo> held = r.bo();
    CHECK(recording.uses(*held, true));
    REQUIRE(r.rename());
    recording.read_as_packed(r, [&] { va = r.va(); });
    CHECK(va == r.bo()->va);
    CHECK(recording.uses(*r.bo(), true));
}

TEST_CASE("contexts: a child process that ends its parent's contexts does not change the parent's streams") {
    Contexts s;
    const auto image = s.target();
    for (int i = 0; i < 3; ++i) {
        CAPTURE(i);
        // One pass is running or has run, another one is recorded.
        Contexts::clear(*s.context, *image, 1, 0);
        (void)s.context->flush();
        Contexts::clear(*s.context, *image, 0, 1);
        const pid_t child = fork();
        if (child == 0) {
            // The first submission is lost. The next work is recorded at the parent's place.
            try {
                for (int k = 0; k < 3; ++k) {
                    for (int n = 0; n < 50; ++n)
                        Contexts::clear(*s.context, *image, 1, 1);
                    (void)s.context->flush();
                }
            } catch (const std::bad_alloc&) {
            }
            s.second.reset();
            s.context.reset();
            _exit(0);
        }
        int status = -1;
        REQUIRE(waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK(Contexts::pixel(*s.context, *image) == kGreen);
        CHECK(s.works(*s.context));
    }
    CHECK(s.messages == "");
}
