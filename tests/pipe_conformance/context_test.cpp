// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Two contexts on one screen; fences; lost contexts; failed allocations; images that two screens share.
#include <unistd.h>

#include <new>

#include "pipe/blit/blit.h"
#include "tests/pipe_conformance/scene.h"

using namespace terrazzo;
using namespace terrazzo::test;
namespace bind = pipe::bind;
namespace flag = pipe::map_flag;

namespace {

constexpr pipe::Format kRgba = pipe::Format::R8G8B8A8_UNORM;
constexpr uint32_t kTarget = bind::kColor | bind::kSampled;

void clear(pipe::Context& c, pipe::Resource& r, const std::array<float, 4>& rgba, uint32_t layer = 0) {
    pipe::RenderPassDesc p;
    p.color_count = 1;
    p.color[0].resource = &r;
    p.color[0].format = r.desc.format;
    p.color[0].first_layer = layer;
    p.color[0].load = pipe::LoadOp::Clear;
    std::copy_n(rgba.data(), 4, p.clear_color[0].f);
    p.width = r.desc.width;
    p.height = r.desc.height;
    c.begin_render_pass(p);
    c.end_render_pass();
}

/// Whether all pixels of a layer have this value.
bool is(pipe::Context& c, pipe::Resource& r, uint32_t pixel, int32_t layer = 0) {
    const Picture p = read_picture(c, r, 0, {0, 0, layer, int32_t(r.desc.width), int32_t(r.desc.height), 1});
    for (size_t i = 0; i < p.bytes.size(); i += 4)
        if (std::memcmp(&p.bytes[i], &pixel, 4) != 0) return false;
    return true;
}

void finish(pipe::Context& c) {
    const auto fence = c.flush();
    REQUIRE(fence);
    CHECK(fence->wait(pipe::Fence::kForever));
    CHECK(fence->wait(0));
}

struct Two : Scene {
    explicit Two(int32_t side = 70)
        : Scene(side, side), second(screen->create_context({.robust = true, .log = log()})) {
        REQUIRE(second);
    }
    ~Two() {
        CHECK(second->reset_status() == pipe::ResetStatus::None);
        second.reset();
    }
    std::unique_ptr<pipe::Context> second;
};

}  // namespace

TEST_CASE("contexts: what one draws and flushes, the other can draw to, sample, copy and read") {
    Two s;
    const auto image = s.image(kRgba, 70, 70, kTarget), copy = s.image(kRgba, 70, 70, kTarget);
    for (unsigned round = 0; round < 3; ++round) {
        CAPTURE(round);
        clear(*s.context, *image, kRed);
        const auto drawn = s.context->flush();
        REQUIRE(drawn);
        s.second->wait_fence(*drawn);
        CHECK(is(*s.second, *image, kRedPixel));
        s.second->copy_region(*copy, 0, 0, 0, 0, *image, 0, {0, 0, 0, 70, 70, 1});
        clear(*s.second, *image, kGreen);
        const auto copied = s.second->flush();
        REQUIRE(copied);
        s.context->wait_fence(*copied);
        CHECK(is(*s.context, *copy, kRedPixel));
        // As a texture. Its view belongs to the screen, not to a context.
        const auto program = s.link("attribute vec4 position; void main() { gl_Position = position; }\n",
                                    "precision highp float; uniform sampler2D t; void main() { gl_FragColor "
                                    "= texture2D(t, vec2(0.5)); }\n");
        s.context->bind_program(program.get());
        s.textures({image});
        s.begin();
        s.rectangle(0, 0, 70, 70, 0.5f, {});
        CHECK(count(s.pixels(), kGreenPixel) == 70 * 70);
        s.context->bind_program(s.program.get());
        s.context->set_textures(pipe::Stage::Fragment, 0, std::array<pipe::SamplerView*, 1>{}, {});
    }
}

TEST_CASE("contexts: one writes a buffer, the other draws with it") {
    Two s;
    std::array<Vertex, 4> v = {s.at(0, 0), s.at(70, 0), s.at(0, 70), s.at(70, 70)};
    const auto buffer = s.buffer(v.data(), sizeof v);
    for (const bool whole : {false, true}) {
        CAPTURE(whole);
        for (const auto& [color, pixel] : {std::pair(kRed, kRedPixel), {kBlue, kBluePixel}}) {
            for (Vertex& corner : v)
                std::copy_n(color.data(), 4, corner.color);
            const pipe::Mapping m = s.second->map(*buffer, 0, {0, 0, 0, int32_t(sizeof v), 1, 1},
                                                  flag::kWrite | (whole ? flag::kDiscardWhole : 0));
            REQUIRE(m.data);
            std::memcpy(m.data, v.data(), sizeof v);
            s.second->unmap(*buffer, m);
            finish(*s.second);
            const pipe::VertexBuffer binding{buffer.get(), 0, sizeof(Vertex)};
            s.context->set_vertex_buffers({&binding, 1});
            s.begin();
            const pipe::DrawRange range{0, 4, 0};
            s.context->draw({.mode = pipe::Primitive::TriangleStrip}, {&range, 1});
            CHECK(count(s.pixels(), pixel) == 70 * 70);
            s.context->set_vertex_buffers({});
        }
    }
}

TEST_CASE("contexts: both record on layers of one image, and destroyed contexts' work is done") {
    Two s;
    const auto layers = s.resource({.kind = pipe::ResourceKind::Tex2DArray,
                                    .format = kRgba,
                                    .width = 70,
                                    .height = 70,
                                    .layers = 4,
                                    .bind = kTarget});
    for (uint32_t layer = 0; layer < 4; ++layer)
        clear(*s.context, *layers, kBlue, layer);
    finish(*s.context);
    clear(*s.context, *layers, kRed, 1);
    clear(*s.second, *layers, kGreen, 2);
    (void)s.second->flush();
    (void)s.context->flush();
    CHECK(is(*s.context, *layers, kBluePixel, 0));
    CHECK(is(*s.second, *layers, kRedPixel, 1));
    CHECK(is(*s.context, *layers, kGreenPixel, 2));
    CHECK(is(*s.second, *layers, kBluePixel, 3));
    auto third = s.screen->create_context({});
    REQUIRE(third);
    clear(*third, *layers, kRed, 3);
    const auto fence = third->flush();
    third.reset();
    REQUIRE(fence);
    CHECK(fence->wait(pipe::Fence::kForever));
    CHECK(is(*s.context, *layers, kRedPixel, 3));
}

TEST_CASE("fences: without work they are signalled; the device waits for fences of other work") {
    Two s;
    finish(*s.context);
    const auto image = s.image(kRgba, 256, 256, kTarget);
    for (unsigned i = 0; i < 20; ++i)
        clear(*s.context, *image, i % 2 ? kRed : kGreen);
    const auto fence = s.context->flush();
    REQUIRE(fence);
    s.second->wait_fence(*fence);
    clear(*s.second, *image, kBlue);
    finish(*s.second);
    CHECK(fence->wait(0));
    CHECK(is(*s.context, *image, kBluePixel));
    if (!lacks(!s.caps().native_fences, "native fences")) {
        clear(*s.context, *image, kRed);
        const auto out = s.context->flush();
        REQUIRE(out);
        const int fd = out->export_fd();
        REQUIRE(fd >= 0);
        const auto in = s.screen->import_fence(fd);
        REQUIRE(in);
        close(fd);
        s.second->wait_fence(*in);
        clear(*s.second, *image, kGreen);
        finish(*s.second);
        CHECK(in->wait(pipe::Fence::kForever));
        CHECK(is(*s.context, *image, kGreenPixel));
        CHECK(!s.screen->import_fence(-1));
    }
}

TEST_CASE("fences: the timestamp query advances") {
    Scene s;
    const auto before = s.context->create_query(pipe::QueryKind::Timestamp),
               after = s.context->create_query(pipe::QueryKind::Timestamp),
               elapsed = s.context->create_query(pipe::QueryKind::TimeElapsed);
    if (lacks(!before || !elapsed, "time queries")) return;
    s.context->end_query(*before);
    s.begin();
    s.context->begin_query(*elapsed);
    s.rectangle(0, 0, 64, 64, 0.5f, kRed);
    s.context->end_query(*elapsed);
    (void)s.pixels();
    s.context->end_query(*after);
    const uint64_t first = s.result(*before), last = s.result(*after);
    CHECK(first > 0);
    CHECK(last >= first);
    CHECK(s.result(*elapsed) <= last - first + 1'000'000);
}

TEST_CASE("contexts: a lost one reports it once; it, others and their images still work") {
    Two s(64);
    const auto kept = s.image(kRgba, 64, 64, kTarget);
    clear(*s.second, *kept, kBlue);
    finish(*s.second);
    const auto endless =
        s.link(kVertexText,
               "precision highp float; varying vec4 v_color;\n"
               "void main() { float x = 0.0; while (x < 2.0) x += v_color.g; gl_FragColor = vec4(x); }\n");
    s.context->bind_program(endless.get());
    s.begin();
    s.rectangle(0, 0, 2, 2, 0.5f, kRed);
    s.context->end_render_pass();
    const auto fence = s.context->flush();
    REQUIRE(fence);
    CHECK(fence->wait(pipe::Fence::kForever));
    CHECK(s.context->reset_status() == pipe::ResetStatus::Guilty);
    CHECK(s.context->reset_status() == pipe::ResetStatus::None);
    s.messages.clear();  // the report of the loss
    CHECK(is(*s.second, *kept, kBluePixel));
    clear(*s.second, *kept, kRed);
    finish(*s.second);
    s.context->bind_program(s.program.get());
    s.begin(0, 1, 0, 1);
    CHECK(count(s.pixels(), kGreenPixel) == 64 * 64);
    CHECK(is(*s.context, *kept, kRedPixel));
}

namespace {

/// An allocator that can be told to refuse.
class Rationed final : public std::pmr::memory_resource {
  public:
    bool refuses = false;
    size_t given_B = 0;

  private:
    void* do_allocate(size_t size_B, size_t align_B) override {
        if (refuses) throw std::bad_alloc();
        given_B += size_B;
        return std::pmr::new_delete_resource()->allocate(size_B, align_B);
    }
    void do_deallocate(void* p, size_t size_B, size_t align_B) override {
        given_B -= size_B;
        std::pmr::new_delete_resource()->deallocate(p, size_B, align_B);
    }
    bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

}  // namespace

TEST_CASE(
    "memory: if the caller's allocator fails, nothing is created, and later everything works with memory "
    "again") {
    if (lacks(!judged().takes_allocator(), "allocator of the caller's")) return;
    Rationed memory;
    Messages messages;
    {
        const pipe::Log log = messages.log();
        const auto screen = judged().open(log, {.memory = &memory});
        const auto context = screen->create_context({.robust = true, .log = log});
        REQUIRE(context);
        const pipe::ResourceDesc d{.format = kRgba, .width = 200, .height = 200, .bind = kTarget};
        const auto kept = screen->create_resource(d);
        REQUIRE(kept);
        clear(*context, *kept, kRed);
        CHECK(is(*context, *kept, kRedPixel));
        CHECK(memory.given_B >= 200 * 200 * 4);
        memory.refuses = true;
        CHECK(!screen->create_resource(d));
        CHECK(messages.has("cannot create a resource"));
        CHECK(is(*context, *kept, kRedPixel));
        memory.refuses = false;
        const auto again = screen->create_resource(d);
        REQUIRE(again);
        clear(*context, *again, kGreen);
        CHECK(is(*context, *again, kGreenPixel));
        CHECK(is(*context, *kept, kRedPixel));
    }
    CHECK(memory.given_B == 0);
}

TEST_CASE("memory: each request to the kernel fails in turn; what was there stays, and all goes on") {
    if (lacks(!judged().has_kernel(), "kernel")) return;
    DrmControl control;
    Messages messages;
    const pipe::Log log = messages.log();
    const auto screen = judged().open(log, {.requests = &control});
    const auto context = screen->create_context({.robust = true, .log = log});
    REQUIRE(context);
    const pipe::ResourceDesc d{.format = kRgba, .width = 300, .height = 200, .bind = kTarget};
    const auto kept = screen->create_resource(d);
    REQUIRE(kept);
    clear(*context, *kept, kRed);
    finish(*context);
    unsigned refused = 0;
    for (unsigned n = 1; n < 40; ++n) {
        CAPTURE(n);
        // Allocate new memory each time: the pool has none of this size.
        pipe::ResourceDesc fresh = d;
        fresh.width = 300 + 64 * n;
        const unsigned before = control.calls;
        const size_t said = messages.text().size();
        control.fail_at = n;
        pipe::Ref<pipe::Resource> r;
        bool told = false;
        try {
            r = screen->create_resource(fresh);
            if (r) {
                clear(*context, *r, kBlue);
                const auto fence = context->flush();
                if (fence) (void)fence->wait(pipe::Fence::kForever);
                told = !fence;
            }
        } catch (const std::bad_alloc&) {
            told = true;
        }
        const bool all = control.fail_at != 0;
        control.fail_at = 0;
        told =
            told || !r || context->reset_status() != pipe::ResetStatus::None || messages.text().size() > said;
        refused += told;
        CHECK(is(*context, *kept, kRedPixel));
        // Either done, or reported as failed.
        if (r && !told) CHECK(is(*context, *r, kBluePixel));
        if (all && control.calls - before < n) break;  // there was no request left that could fail
    }
    CHECK(refused > 0);
    clear(*context, *kept, kGreen);
    CHECK(is(*context, *kept, kGreenPixel));
    CHECK(context->reset_status() == pipe::ResetStatus::None);
}

TEST_CASE("shared images: two screens see each other's pixels, with every modifier") {
    Memory first, second;
    unsigned shared_images = 0;
    for (const pipe::Format f : {kRgba, pipe::Format::B8G8R8A8_UNORM, pipe::Format::B5G6R5_UNORM,
                                 pipe::Format::R8_UNORM, pipe::Format::R16G16B16A16_FLOAT}) {
        CAPTURE(std::string(pipe::format_name(f)));
        for (const pipe::Modifier& modifier : first.screen->modifiers(f)) {
            CAPTURE(modifier.value);
            pipe::ResourceDesc d{
                .format = f,
                .width = 100,
                .height = 50,
                .bind = bind::kSampled | bind::kShared | (modifier.sampled_only ? 0 : bind::kColor)};
            const uint64_t wanted[] = {modifier.value};
            const auto out = first.screen->create_shared_resource(d, wanted);
            if (!out) continue;
            ++shared_images;
            pipe::SharedImage image;
            REQUIRE(first.screen->export_resource(*out, &image));
            CHECK(image.modifier == modifier.value);
            pipe::ImportStatus status{};
            const auto in = second.screen->import_resource(d, image, &status);
            close(image.fd);
            REQUIRE_MESSAGE(in, pipe::import_status_text(status));
            const pipe::Box all = level_box(d, 0);
            Picture p = random_picture(f, all, first.random);
            write_picture(*first.context, *out, 0, all, p);
            finish(*first.context);
            CHECK(read_picture(*second.context, *in, 0, all) == p);
            if (modifier.sampled_only || f == pipe::Format::R16G16B16A16_FLOAT) continue;
            // The second screen draws, and the first one reads.
            clear(*second.context, *in, {1, 1, 1, 1});
            finish(*second.context);
            const Picture white = read_picture(*first.context, *out, 0, all);
            CHECK(std::ranges::count(white.bytes, 0xff) == ptrdiff_t(white.bytes.size()));
        }
    }
    CHECK(shared_images > 3);
    first.messages.clear();  // about modifiers that an image of this size cannot have
}

TEST_CASE("shared images: an image that does not fit its memory is refused, and the message names it") {
    Memory m;
    const pipe::ResourceDesc d{.format = kRgba, .width = 100, .height = 50, .bind = kTarget | bind::kShared};
    const auto out = m.screen->create_shared_resource(d, std::array{pipe::kModifierLinear});
    REQUIRE(out);
    pipe::SharedImage shared;
    REQUIRE(m.screen->export_resource(*out, &shared));
    using enum pipe::ImportStatus;
    struct Spoiled {
        void (*spoil)(pipe::ResourceDesc&, pipe::SharedImage&);
        pipe::ImportStatus why;
    };
    for (const auto& [spoil, why] : std::initializer_list<Spoiled>{
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.modifier = 0x7700000000000001; }, Modifier},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.stride_B = 320; }, StrideTooSmall},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.offset_B = 1 << 20; }, TooSmall},
             {[](pipe::ResourceDesc&r, pipe::SharedImage&) { r.height = 5000; }, TooSmall},
             {[](pipe::ResourceDesc&r, pipe::SharedImage&) { r.levels = 2; }, Kind},
             {[](pipe::ResourceDesc&, pipe::SharedImage&i) { i.fd = -1; }, NotShared}}) {
        pipe::ResourceDesc bad = d;
        pipe::SharedImage image = shared;
        spoil(bad, image);
        pipe::ImportStatus status{};
        CHECK(!m.screen->import_resource(bad, image, &status));
        CHECK(status == why);
    }
    m.messages.clear();
    pipe::ImportStatus status{};
    CHECK(m.screen->import_resource(d, shared, &status));
    close(shared.fd);
}

TEST_CASE("screens: a file of another kernel driver is refused, with its name") {
    if (lacks(!judged().has_kernel(), "kernel")) return;
    std::string other;
    const std::string why = judged().refusal(&other);
    if (lacks(other.empty(), "other vendor in this build")) return;
    CHECK(why.find(other) != std::string::npos);
    CHECK(why.find('\n') == std::string::npos);
}
